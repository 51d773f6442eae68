"""Processing, mixing, limits and odds, on small frameworks."""

from collections.abc import Sequence

from pufferproof.claims.language.instances.frameworks import (
    Prior,
    Rows,
    Secret,
    framework,
    held,
    keeps,
    leakage,
    output_law,
    rows,
)
from pufferproof.claims.language.instances.laws import ZERO
from pufferproof.claims.language.statements import Draws, Fraction, Instance, Statement

F = Fraction
MORE = [F(0), F(1, 2), F(1)]
Priors = Sequence[Prior]


def levelled(draws: Draws, mechanisms: int = 1) -> Instance:
    """Draw a framework with mechanisms, and R: the least level of the first one or more, or 2
    where that is infinite.
    """
    drawn = framework(draws, mechanisms=mechanisms)
    least = leakage(drawn["priors"], [(drawn["s"], drawn["t"])], drawn["mechanisms"][0])
    return drawn | {"R": (least or F(2)) + draws.among(MORE)}


def partitions(draws: Draws) -> Instance:
    """Up to five databases in up to three secrets, which may leave some out or overlap, pairs
    between some of them, one or two priors with zeros, and a mechanism, often one whose rows are
    equal within or between secrets.
    """
    size = 1 + draws.below(5)
    places = [draws.below(3) for _ in range(size)]
    named = [frozenset(x for x in range(size) if places[x] == each) for each in range(3)]
    if draws.below(4) == 3:
        named[0] = named[0] | {draws.below(size)}
    kept = [each for each in named if each][: 3 - (draws.below(4) == 3)]
    pairs = [(i, j) for i in range(len(kept)) for j in range(i) if draws.below(3) < 2]
    base = rows(draws, 2, 2)
    choice = [draws.below(2) for _ in range(size)]
    return {
        "priors": [draws.law(size) for _ in range(1 + draws.below(2))],
        "secrets": kept,
        "pairs": pairs,
        "M": [base[0] if draws.below(3) < 2 else base[each] for each in choice],
    }


def _covering(priors: Priors, secrets: Sequence[Secret], **_: object) -> bool:
    """Whether the possible secrets are disjoint and certain together, under every prior."""
    for prior in priors:
        possible = [each for each in secrets if held(prior, each)]
        if any(a & b for n, a in enumerate(possible) for b in possible[:n]):
            return False
        if sum((held(prior, each) for each in possible), ZERO) != 1:
            return False
    return True


def _connected(
    priors: Priors, secrets: Sequence[Secret], pairs: Sequence[tuple[int, int]], **_: object
) -> bool:
    for prior in priors:
        possible = {n for n, each in enumerate(secrets) if held(prior, each)}
        reached = set(sorted(possible)[:1])
        for _step in possible:
            reached |= {
                j for pair in pairs for i, j in (pair, pair[::-1]) if i in reached and j in possible
            }
        if reached != possible:
            return False
    return True


def _zero(
    priors: Priors, secrets: Sequence[Secret], pairs: Sequence[tuple[int, int]], M: Rows
) -> bool:
    return keeps(priors, [(secrets[i], secrets[j]) for i, j in pairs], M, F(1))


def _posterior_is_prior(
    priors: Priors, secrets: Sequence[Secret], M: Rows, outputs: int | None = None
) -> bool:
    everything = frozenset(range(len(M)))
    for prior in priors:
        for w, p in enumerate((output_law(prior, M, everything) or [])[:outputs]):
            for each in secrets:
                joint = sum((prior[x] * M[x][w] for x in each), ZERO)
                if p and joint != p * held(prior, each):
                    return False
    return True


COVERED, CONNECTED = (
    "the possible secrets are disjoint and have total probability 1",
    "they are connected by pairs",
)
ZERO_LEAKAGE = Statement(
    family=partitions,
    given={COVERED: _covering, CONNECTED: _connected},
    holds=lambda priors, secrets, pairs, M, under_first_prior=False: (
        _zero(priors, secrets, pairs, M)
        == _posterior_is_prior((priors[:1] if under_first_prior else priors), secrets, M)
    ),
    too_strong={"under the first prior alone": {"under_first_prior": True}},
    too_weak=[COVERED, CONNECTED],
)
