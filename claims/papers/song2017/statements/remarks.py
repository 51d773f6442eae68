"""Remarks of the paper as programs: how correlation falls with the distance, what entry privacy
leaves open, what one segment tells of another, and what one weak release costs.
"""

from collections.abc import Sequence
from itertools import product

from pufferproof.claims.language.instances.chains import (
    Path,
    chain,
    given_values,
    influence,
    sequences,
)
from pufferproof.claims.language.instances.laws import HALF, ONE, ZERO, Law, largest_ratio
from pufferproof.claims.language.statements import Draws, Fraction, Instance, Statement

F = Fraction


def any_chain(draws: Draws) -> Instance:
    """Start and transition of a chain of two or three values, zeros often, a record i from 1 to 3,
    and a distance from 1 to 3.
    """
    start, step = chain(draws, zeros=draws.whether())
    return {"start": start, "step": step, "i": 1 + draws.below(3), "d": 1 + draws.below(3)}


def _falls(start: Sequence[F], step: Sequence[Sequence[F]], i: int, d: int, more: int = 1) -> bool:
    """Whether the influence of X_i at distance d is 0, or larger than `more` steps farther."""
    law = sequences(start, step, i + d + 1)
    near, far = (influence(law, i, [i + distance]) for distance in (d, d + more))
    return near == 1 or (far is not None and (near is None or far < near))


POSITIVE = "every step has positive probability"
FALLS = Statement(
    family=any_chain,
    given={POSITIVE: lambda start, step, i, d: all(p > 0 for row in step for p in row)},
    holds=_falls,
    too_strong={"at the same distance": {"more": 0}},
    too_weak=[POSITIVE],
)


def bits(draws: Draws) -> Instance:
    """Two to four fair bits, each equal to the one before with probability c, 1/2 one time in four,
    and R = e^eps above 1.
    """
    c = HALF if draws.below(4) == 3 else draws.rate([F(3, 4), F(9, 10), F(51, 100), F(2, 3)])
    R = draws.among([F(2), F(3), F(3, 2), F(11, 10)])
    return {"c": c, "R": R, "T": 2 + draws.below(3)}


def _bits(c: F, T: int) -> dict[Path, F]:
    return sequences([HALF, HALF], [[c, 1 - c], [1 - c, c]], T)


def _shown(x: Path, R: F, places: Sequence[int]) -> dict[Path, F]:
    """The law of some bits, each shown as it is with R times the chance of the other value."""
    shown: dict[Path, F] = {}
    for y in product((0, 1), repeat=len(places)):
        same = sum(x[i - 1] == bit for i, bit in zip(places, y))
        shown[y] = R**same / (1 + R) ** len(places)
    return shown


def _told(law: Law[Path], R: F, i: int, places: Sequence[int]) -> F:
    """e to the level of what is shown of some bits, for the secrets X_i = 0 and X_i = 1."""
    laws: list[dict[Path, F]] = []
    for part in given_values(law, i).values():
        mixed: dict[Path, F] = {}
        for x, p in part.items():
            for y, q in _shown(x, R, places).items():
                mixed[y] = mixed.get(y, ZERO) + p * q
        laws.append(mixed)
    return largest_ratio(laws) or ONE


def _entry_alone(c: F, R: F, T: int, power: int = 1) -> bool:
    """Whether all bits are shown with entry privacy R, and tell more than that of each of them."""
    places = range(1, T + 1)
    changed = [
        largest_ratio([_shown(x, R, places), _shown((*x[:k], 1 - x[k], *x[k + 1 :]), R, places)])
        for x in product((0, 1), repeat=T)
        for k in range(T)
    ]
    told = [_told(_bits(c, T), R, i, places) for i in places]
    return set(changed) == {R} and all(each > R**power for each in told)


ALIKE = "a bit is more often equal to the one before than not"
ENTRY = Statement(
    family=bits,
    given={ALIKE: lambda c, R, T: c > HALF},
    holds=_entry_alone,
    too_strong={"more than 4 eps": {"power": 4}},
    too_weak=[ALIKE],
)


def _closer(c: F, R: F, T: int, factor: F = ONE) -> bool:
    """Whether X_T, shown at level R, tells of X_1, and less if it is one step farther away."""
    near, far = (_told(_bits(c, end), R, 1, [end]) for end in (T, T + 1))
    return near > far > 1 and near * factor < R


CLOSE = Statement(
    family=bits,
    given={ALIKE: lambda c, R, T: c > HALF},
    holds=_closer,
    too_strong={"101/100 of it is less than e^eps_B": {"factor": F(101, 100)}},
    too_weak=[ALIKE],
)


def releases(draws: Draws) -> Instance:
    """One to three levels in eighths up to 2, the level of one more release, and a bound of up to
    4.
    """
    levels = [F(draws.below(17), 8) for _ in range(1 + draws.below(3))]
    return {"levels": levels, "large": F(draws.below(33), 8), "bound": F(draws.below(33), 8)}


LARGE = "one more release has at least the level of the bound"
ONE_LARGE = Statement(
    family=releases,
    given={LARGE: lambda levels, large, bound: large >= bound},
    holds=lambda levels, large, bound, factor=ONE: (
        (1 + len(levels)) * max(*levels, large) >= factor * (1 + len(levels)) * bound
        and (1 + len(levels)) * max(*levels, large) >= sum(levels, large)
    ),
    too_strong={"101/100 of it": {"factor": F(101, 100)}},
    too_weak=[LARGE],
)
