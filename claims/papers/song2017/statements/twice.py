"""Two releases that leak more than twice what one leaks, as programs: F = X_1 + X_2, with Laplace
noise of scale 1/log(c), at outputs from 0 to 2, where the suprema are.
"""

from collections.abc import Mapping
from functools import cache
from itertools import product

from pufferproof.claims.language.instances.chains import Path, given_values, sequences
from pufferproof.claims.language.instances.laws import ONE, ZERO, largest_ratio
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


def _at_printed(
    r: F,
    t: F,
    records: tuple[int, ...],
    q: F = PRINTED[1],
) -> bool:
    return _more(PRINTED[0], q, r, t, records)


_TWENTIETH = {"at q = 1/20 too": {"q": F(1, 20)}}
FIRST_RECORD = Statement(
    family=near_e,
    holds=lambda r, t, q=PRINTED[1]: _at_printed(r, t, (1,), q),
    too_strong=_TWENTIETH,
)
STATIONARY = "P(X_1=1) = 1/11"
EVERY_RECORD = Statement(
    family=near_e,
    given={STATIONARY: lambda r, t: r == F(1, 11)},
    holds=lambda r, t, q=PRINTED[1]: _at_printed(r, t, (1, 2), q),
    too_strong=_TWENTIETH,
    too_weak=[STATIONARY],
)
ONE_THIRD = "P(X_1=1) = 1/3"
NOT_MORE = Statement(
    family=near_e,
    given={ONE_THIRD: lambda r, t: r == F(1, 3)},
    holds=lambda r, t, records=(1, 2): not _at_printed(r, t, records),
    too_strong={"for the secrets of X_1": {"records": (1,)}},
    too_weak=[ONE_THIRD],
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
    edges=[
        {
            "p": PRINTED[0],
            "q": PRINTED[1],
            "r": F(1, 2),
            "t": t,
        }
        for t in NEAR_E
    ],
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
    edges=[
        {
            "p": PRINTED[0],
            "q": PRINTED[1],
            "r": F(1, 11),
            "t": t,
        }
        for t in NEAR_E
    ],
    given={STARTS: _starts},
    holds=lambda p, q, r, t, wherever=False: (
        _as_printed(p, q, r, t, (1, 2)) and (not _must(p, q, t, wherever) or _more(p, q, r, t))
    ),
    too_strong=_DOUBLED,
    too_weak=[STARTS],
)


def _line(p: F, q: F, t: F, product_counts: bool = True) -> bool:
    """Whether the printed line is positive, at (p, q) or at (1-q, 1-p)."""
    if p * (1 - p) < q * (1 - q):
        p, q = 1 - q, 1 - p
    return (p - q) * (1 - p - q - product_counts * (t**4 - 1) * p * q) > 0


def _region(p: F, q: F, r: F, t: F, product_counts: bool = True) -> bool:
    """For the secrets of X_1, and of both nodes if the chain is stationary."""
    inside = _line(p, q, t, product_counts)
    return inside == _more(p, q, r, t, (1,)) and (
        not _starts(p, q, r, t) or inside == _more(p, q, r, t)
    )


REGION = Statement(
    family=started,
    holds=_region,
    too_strong={
        "without the product p q": {"product_counts": False},
    },
)


def at_the_corner(draws: Draws) -> Instance:
    """p, q, r and t as above; q = 0 and p = 1/(1+e) often."""
    drawn = started(draws)
    if draws.whether():
        drawn |= {"q": ZERO, "p": 1 / (1 + drawn["t"] ** 2)}
    return drawn


def _excess(p: F, q: F, r: F, t: F, factor: F = ONE) -> bool:
    c = t**2
    excess = _level(p, q, r, t, 2, (1,)) / _level(p, q, r, t, 1, (1,)) ** 2
    bound = factor * (1 + c) ** 2 / (4 * c)
    return excess <= bound and ((q, p) != (ZERO, 1 / (1 + c)) or excess == bound)


EXCESS = Statement(
    family=at_the_corner,
    holds=_excess,
    too_strong={"99/100 of it": {"factor": F(99, 100)}},
)


def clipped(draws: Draws) -> Instance:
    """P(X_2=1|X_1=1) = 1/2, P(X_2=1|X_1=0) = 1/10, P(X_1=1) = 1/6 or another number, and geometric
    noise of ratio 1/2 or another one, clipped to 0, 1, 2.
    """
    return {
        "r": draws.rate([F(1, 6), F(1, 6), F(1, 2), F(1, 11)]),
        "ratio": draws.rate([F(1, 2), F(1, 2), F(1, 3)]),
    }


def _row(ratio: F, value: int) -> list[F]:
    """The law of the sum plus two-sided geometric noise; the ends have what is beyond them."""
    weight = (1 - ratio) / (1 + ratio)
    inside = weight * ratio ** abs(1 - value)
    ends = [
        sum((weight * ratio ** abs(each - value) for each in some), ZERO)
        + weight * ratio ** (abs(far - value) + 1) / (1 - ratio)
        for some, far in (((-2, -1, 0), -2), ((2, 3, 4), 4))
    ]
    return [ends[0], inside, ends[1]]


@cache
def _clipped(r: F, ratio: F, number: int) -> F | None:
    law, found = _law(F(1, 2), F(1, 10), r), []
    for i in (1, 2):
        laws = []
        for each in given_values(law, i).values():
            outputs = dict.fromkeys(product(range(3), repeat=number), ZERO)
            for x, p in each.items():
                for w in outputs:
                    chance = p
                    for output in w:
                        chance *= _row(ratio, sum(x))[output]
                    outputs[w] += chance
            laws.append(outputs)
        found.append(largest_ratio(laws))
    return max(each for each in found if each is not None)


START, RATIO = "P(X_1=1) = 1/6", "the ratio of the noise is 1/2"
RATIONAL = Statement(
    family=clipped,
    given={START: lambda r, ratio: r == F(1, 6), RATIO: lambda r, ratio: ratio == F(1, 2)},
    holds=lambda r, ratio, power=2: (
        _clipped(r, ratio, 1) == F(30, 11)
        and _clipped(r, ratio, 2) == F(100, 13)
        and F(100, 13) > F(30, 11) ** power
    ),
    too_strong={"more than three times": {"power": 3}},
    too_weak=[START, RATIO],
)
