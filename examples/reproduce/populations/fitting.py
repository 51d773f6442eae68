"""The Markov chain of the steps that people take, without impossible steps.

A row of counts becomes relative frequencies; every zero in it is raised to tau, and what that adds
is taken from the other entries in proportion:

    P(x, y) = tau if y never followed x, else (n(x, y) / n(x)) (1 - z tau),   z = number of zeros.

Source: bai2026, appendix D.2, tau = 10^-5. A label that nothing follows has no frequencies; the
paper's example gives such a row equal weights on the other labels, before zeros are raised.
"""

from collections.abc import Sequence
from fractions import Fraction

from pufferproof.claims.papers.bai2026.experiments.setting.rules import TAU, smoothed
from pufferproof.models.errors import ModelError
from pufferproof.models.numbers.grammar import exact
from pufferproof.models.numbers.text import shown
from pufferproof.models.priors.markov import MarkovChain


def fitted_chain(steps: Sequence[Sequence[int]], tau: Fraction | str = TAU) -> MarkovChain:
    """Return the stationary chain of smoothed relative frequencies of steps.

    >>> fitted_chain([[3, 1], [0, 0]], "1/10").transition[1]
    (Fraction(9, 10), Fraction(1, 10))

    Args:
        steps: k x k, how often x was followed by y.
        tau: what a step has that was never seen.

    Raises `ModelError` unless the table is square, of at least 2 labels, and its counts are not
    negative.
    """
    size, share = len(steps), exact(tau)
    if size < 2 or any(len(row) != size for row in steps):
        raise ModelError(f"expected a square table of at least 2 rows, found {size}", "steps")
    rows = []
    for label, row in enumerate(steps):
        counts = [int(count) for count in row]
        if min(counts) < 0:
            raise ModelError(f"expected counts, found {shown(min(counts))}", f"steps[{label}]")
        if not any(counts):
            counts = [int(other != label) for other in range(size)]
        rows.append(smoothed([Fraction(count, sum(counts)) for count in counts], share))
    return MarkovChain("stationary", rows)
