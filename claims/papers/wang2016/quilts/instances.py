"""The published search for quilts on chains, run exactly as printed or repaired, for rational pi,
e^-g and e^eps.

With q = e^-g and R = e^eps rational, h(t) = log((pi + q^t)/(pi - q^t)) and eps are logarithms of
rationals, and a score c/log r is held as (c, r): c/log r < d/log s iff s^c < r^d. A distance t is
above the threshold iff q^t <= pi. Source: wang2016, Algorithms 1 to 3 of appendix B.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import total_ordering

from pufferproof.claims.language.statements import Fraction


class UndefinedError(ArithmeticError):
    """The printed algorithm divides by 0, takes the logarithm of a number that is not positive,
    or leaves the chain.
    """


@total_ordering
@dataclass(frozen=True)
class Score:
    """count/log(ratio), ratio > 1; `ratio` None is an infinite score."""

    count: int
    ratio: Fraction | None

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Score) and not self < other and not other < self

    def __hash__(self) -> int:
        return hash(self.ratio is None)

    def __lt__(self, other: "Score") -> bool:
        if self.ratio is None or other.ratio is None:
            return self.ratio is not None
        return other.ratio**self.count < self.ratio**other.count


INFINITE, NOTHING = Score(1, None), Score(0, Fraction(2))


@dataclass(frozen=True)
class Chain:
    """n nodes and the parameters of the mechanism: pi, q = e^-g, R = e^eps."""

    n: int
    pi: Fraction
    q: Fraction
    ratio: Fraction

    def far(self, t: int) -> bool:
        """t >= log(1/pi)/g."""
        return self.q**t <= self.pi

    def bound(self, t: int) -> Fraction | None:
        """e^h(t), None for log(c/0). Raises `UndefinedError` if the logarithm is of a negative
        number.
        """
        below = self.pi - self.q**t
        if below < 0:
            raise UndefinedError("logarithm of a negative number")
        return (self.pi + self.q**t) / below if below else None


@dataclass(frozen=True)
class Variant:
    """How the printed algorithm is read.

    `misprint`: the third test is i + a = n + 1 as printed, not i + b = n + 1. `equality`: e(a,b) =
    eps is scored, as printed. `imaginary`: the threshold is asked of imaginary quilt nodes too.
    """

    misprint: bool = False
    equality: bool = False
    imaginary: bool = False


REPAIRED = Variant()


def find_best(at: Chain, i: int, how: Variant = REPAIRED) -> tuple[Score, int, int]:
    """FindBestMarkovQuilt: the score, a* and b*. a = i and b = n + 1 - i are the imaginary
    nodes.
    """
    best, chosen = INFINITE, (i, at.n - i + 1)
    for a in range(1, i + 1):
        for b in range(1, at.n - i + 2):
            left, right = a == i, b == at.n + 1 - i
            if not ((left and not how.imaginary) or at.far(a)) or not ((right and not how.imaginary) or at.far(b)):
                continue
            score = _score(at, a + b - 1, _influence(at, i, a, b, how), how)
            if score <= best:
                best = score
                chosen = (a, b) if score.ratio is not None else chosen
    return best, *chosen


def _influence(at: Chain, i: int, a: int, b: int, how: Variant) -> Fraction | None:
    if i - a == 0 and i + b == at.n + 1:
        return Fraction(1)
    if i - a == 0:
        return at.bound(b)
    if (i + a if how.misprint else i + b) == at.n + 1:
        side = at.bound(a)
        return None if side is None else side**2
    side, other = at.bound(a), at.bound(b)
    return None if side is None or other is None else other * side**2


def _score(at: Chain, count: int, influence: Fraction | None, how: Variant) -> Score:
    if influence is None or influence > at.ratio:
        return INFINITE
    if influence == at.ratio:
        if how.equality:
            raise UndefinedError("division by 0")
        return INFINITE
    return Score(count, at.ratio / influence)


def least_score(at: Chain, i: int) -> Score:
    """The least score over S_{Q,i} with the bounds of Lemma 4.7, quilt by quilt; each form
    present when its node exists.
    """
    found = [Score(at.n, at.ratio)]
    lefts = [a for a in range(1, i) if at.q**a < at.pi]
    rights = [b for b in range(1, at.n - i + 1) if at.q**b < at.pi]
    h = {t: (at.pi + at.q**t) / (at.pi - at.q**t) for t in {*lefts, *rights}}
    found += [_score(at, at.n - i + a, h[a] ** 2, REPAIRED) for a in lefts]
    found += [_score(at, i + b - 1, h[b], REPAIRED) for b in rights]
    found += [_score(at, a + b - 1, h[b] * h[a] ** 2, REPAIRED) for a in lefts for b in rights]
    return min(found)


def basic(at: Chain, how: Variant = REPAIRED) -> Score:
    """BasicMarkovQuiltMechanism: sigma_max."""
    return max(find_best(at, i, how)[0] for i in range(1, at.n + 1))


def fast(at: Chain, how: Variant = REPAIRED) -> tuple[Score, list[int]]:
    """FastMarkovQuiltMechanism with the returned values in their order: sigma_max and the nodes it
    visits.

    Raises `UndefinedError` unless all of them are nodes.
    """
    largest, visited, i = NOTHING, list[int](), at.n // 2
    while i not in visited:
        if not 1 <= i <= at.n:
            raise UndefinedError(f"X_{i} is no node")
        visited.append(i)
        sigma, a, b = find_best(at, i, how)
        largest = max(largest, sigma)
        if (i - a == 0) == (i + b == at.n + 1):
            break
        i += 1 if i - a == 0 else -1
    return largest, visited


def chains(most: int, levels: tuple[str, ...] = ("5/4", "2", "3", "9", "40")) -> Iterator[Chain]:
    """Small chains: n up to `most`, pi in {1/2, 1/3, 1/10}, e^-g in {1/2, 2/5, 3/4}, and levels
    e^eps.
    """
    for n in range(1, most + 1):
        for pi in ("1/2", "1/3", "1/10"):
            for q in ("1/2", "2/5", "3/4"):
                for level in levels:
                    yield Chain(n, Fraction(pi), Fraction(q), Fraction(level))
