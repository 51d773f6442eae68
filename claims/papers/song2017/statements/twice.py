"""Two releases that leak more than twice what one leaks, as programs: F = X_1 + X_2, with Laplace
noise of scale 1/log(c), at outputs from 0 to 2, where the suprema are.
"""

from collections.abc import Mapping
from functools import cache
from itertools import product

from pufferproof.claims.language.instances.chains import Path, sequences
from pufferproof.claims.language.statements import Draws, Fraction, Instance, Statement
from pufferproof.claims.papers.song2017.statements.noise import leak
from pufferproof.claims.papers.song2017.statements.printed import PRINTED, chances, most

F = Fraction
Law = Mapping[Path, F]
SUM = {x: sum(x) for x in product((0, 1), repeat=2)}
NEAR_E = [F(33, 20), F(1649, 1000), F(164, 100), F(166, 100)]
"""Square roots of c; c is within 1/25 of e."""


def _law(p: F, q: F, r: F) -> Law:
    return sequences([1 - r, r], [[1 - q, q], [1 - p, p]], 2)


@cache
def _level(p: F, q: F, r: F, t: F, number: int, records: tuple[int, ...] = (1, 2)) -> F:
    """e to the level of one or two releases for the secrets of some records."""
    return max(leak(_law(p, q, r), i, [(SUM, t**2)] * number) for i in records)


def _more(p: F, q: F, r: F, t: F, records: tuple[int, ...] = (1, 2)) -> bool:
    """Whether two releases leak more than twice what one leaks."""
    return _level(p, q, r, t, 2, records) > _level(p, q, r, t, 1, records) ** 2


def started(draws: Draws) -> Instance:
    """p and q as above, r = P(X_1=1) above 0 and below 1, the stationary law often, and t."""
    drawn = chances(draws)
    p, q = drawn["p"], drawn["q"]
    stationary = q / (1 - p + q) if p < 1 or q else F(1, 2)
    r = draws.rate([F(1, 2), F(1, 11), F(1, 3), F(1, 6)])
    if draws.whether() and 0 < stationary < 1:
        r = stationary
    return drawn | {"r": r}


def near_e(draws: Draws) -> Instance:
    """p = 9/10 and q = 1/100, c within 1/25 of e, and any r = P(X_1=1) above 0 and below 1; 1/11
    is stationary.
    """
    r = draws.rate([F(1, 11), F(1, 2), F(1, 3), F(1, 11), F(9, 10), F(1, 100), F(1, 3)])
    return {"r": r, "t": draws.among(NEAR_E)}


FIRST_RECORD = Statement(
    family=near_e,
    holds=lambda r, t, q=PRINTED[1]: _more(PRINTED[0], q, r, t, (1,)),
    too_strong={"at q = 1/20 too": {"q": F(1, 20)}},
)


def _as_printed(p: F, q: F, r: F, t: F, records: tuple[int, ...]) -> bool:
    """Whether both levels are those of S and D, for every one of the records."""
    return all(
        _level(p, q, r, t, number, (i,)) == most(p, q, t, number)
        for number in (1, 2)
        for i in records
    )


def _must(p: F, q: F, t: F, wherever: bool) -> bool:
    """Whether two releases must leak more than twice: at the printed numbers, or where p > q."""
    return p > q if wherever else (p, q) == PRINTED and t in NEAR_E


_DOUBLED = {"and more than twice wherever p > q": {"wherever": True}}
WITNESS = Statement(
    family=started,
    edges=[{"p": PRINTED[0], "q": PRINTED[1], "r": F(1, 2), "t": t} for t in NEAR_E],
    holds=lambda p, q, r, t, wherever=False: (
        _as_printed(p, q, r, t, (1,)) and (not _must(p, q, t, wherever) or _more(p, q, r, t, (1,)))
    ),
    too_strong=_DOUBLED,
)
STARTS = "X_1 is stationary"


def _starts(p: F, q: F, r: F, t: F) -> bool:
    return r == r * p + (1 - r) * q


WITNESS_STATIONARY = Statement(
    family=started,
    edges=[{"p": PRINTED[0], "q": PRINTED[1], "r": F(1, 11), "t": t} for t in NEAR_E],
    given={STARTS: _starts},
    holds=lambda p, q, r, t, wherever=False: (
        _as_printed(p, q, r, t, (1, 2)) and (not _must(p, q, t, wherever) or _more(p, q, r, t))
    ),
    too_strong=_DOUBLED,
    too_weak=[STARTS],
)
