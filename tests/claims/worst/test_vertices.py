"""Seven databases with a ray of more entries than pairs and priors together, by brute force."""

from tests.brute.worst import (
    _kernel,
    laws,
)

from pufferproof.claims.ours.worst.rays.supports import seven_databases


def test_a_ray_with_more_entries_than_pairs_plus_priors():
    pairs = laws(seven_databases())
    rows = [tuple(m - n for m, n in zip(mu, nu)) for mu, nu in pairs[::2]]
    assert (len(rows), _kernel(rows, 7)) == (6, [1] * 7)
