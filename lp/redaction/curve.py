"""All stationary designs of one side of a private record on a binary chain: one curve in one
parameter theta, as float intervals rounded outward; their profiles, exact; and the most that one or
two sides release under one budget.

A side that is not dominated redacts the distances 1 .. first - 1, releases one value only at first
.. end - 1 (at record k with probability 1 - q_k), and everything from `end` on. The best q for a
given ratio at p follow from q*_N = theta at the far end (`_Sweep`); for -1 <= theta < 0 it stands
for q_N = 0. The family of profiles is that of massny2025, with any thresholds.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, lru_cache
from math import prod
from typing import TYPE_CHECKING, Any, NamedTuple

from pufferproof.models.numbers.level import Level
from pufferproof.models.numbers.proportions import integers
from pufferproof.models.sequences.binary import BinaryChain, Pair

if TYPE_CHECKING:
    import numpy as np

    Ends = tuple[np.ndarray, np.ndarray]
    Box = tuple[np.ndarray, np.ndarray]

RESTS_ON = ("redaction.three-regions", "redaction.side-levels", "redaction.cut")
DOWN, UP = (1 - 2.0**-47, 1 + 2.0**-47)  # cover the roundings of up to 30 operations on positive numbers
TINY = 1e-290  # products below this may have lost digits
_COARSE = 1 / 40  # relative width of gains at which boxes are fine enough to sort cases with
_MOST_BOXES = 1_500


@dataclass(frozen=True)
class Shape:
    """The integers of one side of `count` records: the value released at distance `first`, and
    where everything is from `end`.

    first = end = count + 1 where nothing on the side is released.
    """

    value: int
    first: int
    end: int
    count: int

    @property
    def size(self) -> int:
        """N, the number of records with a q."""
        return self.end - self.first


class Arcs(NamedTuple):
    """Enclosures over boxes of theta: the constrained ratio u at p, 1 - u, expected released
    records, - d gain / d log u.

    `free` is False where all q are 1: these designs are those of a shape without q.
    """

    ratio: tuple["np.ndarray", "np.ndarray"]
    room: tuple["np.ndarray", "np.ndarray"]
    gain: tuple["np.ndarray", "np.ndarray"]
    slope: tuple["np.ndarray", "np.ndarray"]
    free: "np.ndarray"


class _Step(NamedTuple):
    """Constants at a record that may release z: its weight, and d, e, h of the map behind it."""

    weight: float
    d: float
    e: float
    h: float
    far: tuple[float, float]  # p where everything behind is released, where nothing is behind


class Curve:
    """The stationary designs of sides of one chain, lam != 0.

    One of the two constraints of a side depends on `first` only, the other one on its q
    (redaction.side-levels).
    """

    def __init__(self, chain: BinaryChain) -> None:
        self.chain = chain
        self.turns = chain.eigenvalue < 0  # the value released alternates
        self.steps = tuple(_step(chain, value) for value in (0, 1))
        self._powers: dict[tuple[int, int], Power] = {}
        self._coarse: dict[tuple[int, bool], _Sweep] = {}
        self._fine: dict[tuple[int, bool, int], _Sweep] = {}

    def value_at(self, value: int, distance: int) -> int:
        """Return the value of a pattern with `value` at distance 0, at a distance."""
        return value ^ (distance & 1) if self.turns else value

    def widest(self, shape: Shape) -> Shape:
        """Return the widest shape with the same end and q from distance 1 on."""
        return Shape(self.value_at(shape.value, shape.first - 1), 1, shape.end, shape.count)

    def rows(self, value: int, released: bool, most: int) -> "list[CurveRecord]":
        """Return the rows of 1, 2, .. records, at most `most`, that end in one that may release
        `value`.

        They stop where q = 1 in every box from there on. Boxes are cut until their gains are told
        apart well enough.
        """
        import numpy as np

        key = value, released, most
        if key not in self._fine:
            boxes = theta_boxes()
            while True:
                sweep = _Sweep(self, value, released, *boxes)
                last = sweep.rows[sweep.extend(most) - 1].gain
                wide = last[1] - last[0] > _COARSE * (0.5 + last[0])
                if not wide.any() or len(wide) > _MOST_BOXES:
                    break
                low, high = boxes[0][wide], boxes[1][wide]
                middle = np.where(np.isinf(high), 16 * low, (low + high) / 2)  # a box without end is cut too
                rest = ~wide
                boxes = np.concatenate((boxes[0][rest], low, middle)), np.concatenate((boxes[1][rest], middle, high))
            self._fine[key] = sweep
        sweep = self._fine[key]
        return sweep.rows[: sweep.extend(most)]

    def arcs(self, shape: Shape, low: "np.ndarray", high: "np.ndarray") -> Arcs:
        """Enclose the designs of a shape, N >= 1, over boxes [low, high] of theta; high may be
        inf.
        """
        return self._seen(shape, _Sweep(self, *self._far(shape), low, high))

    def coarse(self, shape: Shape) -> Arcs:
        """Enclose the designs of a shape over the boxes of `theta_boxes`."""
        return self._seen(shape, self._kept(*self._far(shape)))

    def fine(self, shape: Shape) -> Arcs:
        """Enclose the designs of a shape over the boxes of `rows` for the records of its side."""
        self.rows(*self._far(shape), shape.count)
        return self._seen(shape, self._fine[(*self._far(shape), shape.count)])

    def q(self, shape: Shape, theta: float) -> list[float]:
        """Return about q_1 .. q_N, nearest record first, at a parameter."""
        import numpy as np

        at = np.array([theta])
        sweep = _Sweep(self, *self._far(shape), at, at)
        sweep.extend(shape.size)
        return [sweep.q_at(i) for i in range(shape.size, 0, -1)]

    def room(self, value: int, distance: int, u: "Ends") -> "Ends":
        """Enclose 1 - (ratio at p) for enclosures of the ratio u at a record that may release
        `value`.
        """
        import numpy as np

        det, _, _, c, d = self.power(value, distance)
        u0, u1 = u
        low = det * np.maximum(1 - u1, 0.0) / (c * u1 + d) * DOWN
        return low, det * np.maximum(1 - u0, 0.0) / (c * u0 + d) * UP + TINY

    def rooms(self, value: int, distances: "np.ndarray", u: "Ends") -> "np.ndarray":
        """Return lower bounds of `room` for several distances at once, one row for each."""
        import numpy as np

        powers = np.array([self.power(value, int(distance)) for distance in distances])
        det, c, d = (powers[:, [column]] for column in (0, 3, 4))
        low: np.ndarray = det * np.maximum(1 - u[1], 0.0) / (c * u[1] + d) * DOWN
        return low

    def power(self, value: int, distance: int) -> "Power":
        """Return the map from the ratio at a record that may release `value` to that at p."""
        key = value, distance
        if key not in self._powers:
            from flint import ctx

            from pufferproof.models.numbers.enclosures import ball

            with ctx.workprec(128):
                decay = ball(abs(self.chain.eigenvalue)) ** distance
                signed = -decay if self.turns and distance & 1 else decay
                zero, one = (ball(weight) for weight in self.chain.stationary_law)
                rows = ((zero + one * signed, one - one * signed), (zero - zero * signed, one + zero * signed))
                above = self.value_at(value, distance)  # the value whose likelihood is the numerator at p
                numbers = [row[z] for row in (rows[above], rows[1 - above]) for z in (value, 1 - value)]
                self._powers[key] = Power(float(decay), *map(float, numbers))
        return self._powers[key]

    def _far(self, shape: Shape) -> tuple[int, bool]:
        return self.value_at(shape.value, shape.size - 1), shape.end <= shape.count

    def _kept(self, value: int, released: bool) -> "_Sweep":
        key = value, released
        if key not in self._coarse:
            self._coarse[key] = _Sweep(self, value, released, *theta_boxes())
        return self._coarse[key]

    def _seen(self, shape: Shape, sweep: "_Sweep") -> Arcs:
        """Return what a sweep of N steps means at p."""
        import numpy as np

        steps = sweep.extend(shape.size)
        row, at = sweep.rows[steps - 1], shape.end - steps
        value = self.value_at(shape.value, at - shape.first)
        det, a, b, c, d = self.power(value, at)
        (u0, u1), (low, high) = row.u, row.price
        weight = self.steps[value].weight
        # - d gain / d u = c_k eta_k / v_k, and d log u_p / d u = det / ((A u + B) (C u + D))
        with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
            least = weight * low * (a * u0 + b) * (c * u0 + d) / (det + TINY) * DOWN
            most = weight * high * (a * u1 + b) * (c * u1 + d) / (det if det > TINY else 0.0) * UP
        beyond = shape.count + 1 - shape.end
        gain = (row.gain[0] + beyond) * DOWN, (row.gain[1] + beyond) * UP
        slope = (np.where(np.isnan(least), 0.0, least), np.where(np.isnan(most), np.inf, most))
        ratio = ((a * u0 + b) / (c * u0 + d) * DOWN, np.minimum((a * u1 + b) / (c * u1 + d) * UP, 1.0))
        return Arcs(ratio, self.room(value, at, row.u), gain, slope, row.free)


@lru_cache(maxsize=8)
def curve_of(chain: BinaryChain) -> Curve:
    """Return the curve of a chain, with what was computed of it before."""
    return Curve(chain)


class Power(NamedTuple):
    """The map u -> (A u + B) / (C u + D) of ratios, and its determinant."""

    det: float
    a: float
    b: float
    c: float
    d: float


class CurveRecord(NamedTuple):
    """Record k over all boxes: u_k, q*_k, eta_k / v_k, the expected number of records k .. N
    that are released, some q < 1.
    """

    u: tuple["np.ndarray", "np.ndarray"]
    star: tuple["np.ndarray", "np.ndarray"]
    price: tuple["np.ndarray", "np.ndarray"]
    gain: tuple["np.ndarray", "np.ndarray"]
    free: "np.ndarray"


class _Sweep:
    """The recursion from the far end, step by step as far as it is asked for.

    Let u_k be the ratio at record k that is constrained (0 over 1, or 1 over 0, at most 1), v_k
    the same of what follows k, q_k = u_k / v_k, v_(k-1) = phi(u_k), and c_k the stationary
    probability of the value that k may release. Karush, Kuhn and Tucker ask for

        q_k = min(1, q*_k),  eta_k = max(1, q*_k),
        q*_k = eta_(k+1) (c_(k+1) / c_k) v_k / (v_(k+1) phi'(u_(k+1))).

    With phi(u) = (A u + B) / (C u + D), 1 / phi(u) = d + 1 / p, 1 / p = e / (u + h), d = C / A,
    e = (A D - B C) / A^2, h = B / A and Z_k = p_(k-1) / p_k this is p_(k-1) = Z_k p_k,

        Z_k = min(free, clipped),  clipped = (1 / (1 + d_k p_k) + h_(k-1) / p_k) / e_(k-1),
        free = eta_(k+1) (c_(k+1) e_k / (c_k e_(k-1))) (Z_(k+1) + d_(k+1) p_k)
            + h_(k-1) / (e_(k-1) p_k).
    """

    def __init__(self, curve: Curve, value: int, released: bool, low: "np.ndarray", high: "np.ndarray") -> None:
        import numpy as np

        self.curve, self.value = curve, value
        self.rows: list[CurveRecord] = []
        self.ended = False  # from here on q = 1 in every box
        nothing = np.zeros_like(low)
        self.far = p = curve.steps[value].far[0 if released else 1]
        self.p = nothing + p * DOWN, nothing + p * UP
        self.behind: Any = None  # of what Z of the last record follows, but for the first one
        self._add((low, high), (nothing, nothing))

    def extend(self, steps: int) -> int:
        """Take the recursion to `steps` records, or while q < 1; return how many it took."""
        import numpy as np

        with np.errstate(over="ignore", invalid="ignore"):
            while len(self.rows) < steps and not self.ended:
                self._step()
        return min(steps, len(self.rows))

    def q_at(self, i: int) -> float:
        """Return about q of record i from the far end."""
        import numpy as np

        return float(np.clip(self.rows[i - 1].star[0][0], 0.0, 1.0)) if i <= len(self.rows) else 1.0

    def _before(self) -> _Step:
        """The constants of the record before the last one."""
        return self.curve.steps[self.curve.value_at(self.value, len(self.rows))]

    def _add(self, star: "Ends", gain: "Ends") -> None:
        """Add a record with these q*; `p` is that of what follows it."""
        import numpy as np

        step = self.curve.steps[self.curve.value_at(self.value, len(self.rows))]
        q = [np.minimum(np.maximum(each, 0), 1) for each in star]
        p0, p1 = self.p
        u = q[0] * p0 / (1 + step.d * p0) * DOWN, np.minimum(q[1] * p1 / (1 + step.d * p1) * UP, 1)
        total = ((gain[0] + step.weight * (1 - q[1])) * DOWN, (gain[1] + step.weight * (1 - q[0])) * UP)
        self.eta = eta = [np.maximum(each, np.minimum(1, 1 + each)) for each in star]
        price = eta[0] * (1 / p1 + step.d) * DOWN, eta[1] * (1 / p0 + step.d) * UP
        free = star[0] < 1
        self.rows.append(CurveRecord(u, star, price, total, free | self.rows[-1].free if self.rows else free))
        self.ended = not self.curve.turns and bool((star[0] >= 1).all())

    def _ratio(self, before: _Step) -> "Ends":
        """Return Z of the last record, where records are behind it."""
        import numpy as np

        (p0, p1), (eta, slack, gamma, now) = self.p, self.behind
        theta = gamma * now.e / before.e
        free = (
            (eta[0] * theta * slack[0] + before.h / (before.e * p1)) * DOWN,
            (eta[1] * theta * slack[1] + before.h / (before.e * p0)) * UP,
        )
        clipped = (
            (1 / (1 + now.d * p1) + before.h / p1) / before.e * DOWN,
            (1 / (1 + now.d * p0) + before.h / p0) / before.e * UP,
        )
        return np.minimum(free[0], clipped[0]), np.minimum(free[1], clipped[1])

    def _step(self) -> None:
        """Add the next record towards p."""
        # note Z of the last record and go to the next one towards p, where p = (u + h) / e
        import numpy as np

        before, (u0, u1) = self._before(), self.rows[-1].u
        ahead = (u0 + before.h) / before.e, (u1 + before.h) / before.e
        if self.behind is None:
            ratio = (ahead[0] / self.far) * DOWN**2, (ahead[1] / self.far) * UP**2
        else:
            ratio = self._ratio(before)
        self.ratio = ratio
        self.p = (np.maximum(self.p[0] * ratio[0], ahead[0]) * DOWN, np.minimum(self.p[1] * ratio[1], ahead[1]) * UP)
        far, now = self.curve.steps[self.curve.value_at(self.value, len(self.rows) - 1)], self._before()
        (p0, p1), (z0, z1), eta = self.p, self.ratio, self.eta
        gamma = far.weight / now.weight
        slack = z0 + far.d * p0, z1 + far.d * p1
        star = (
            eta[0] * (gamma * now.e) * slack[0] * (1 + now.d * p0) * DOWN,
            eta[1] * (gamma * now.e) * slack[1] * (1 + now.d * p1) * UP,
        )
        self._add(star, self.rows[-1].gain)
        self.behind = eta, slack, gamma, now


@cache
def theta_boxes() -> "tuple[np.ndarray, np.ndarray]":
    """Return boxes that cover -1 <= theta <= inf; nobody writes into them."""
    import numpy as np

    edges = np.concatenate(
        (np.linspace(-1, 0, 9), np.geomspace(2.0**-16, 1, 65), np.geomspace(1, 2.0**20, 33)[1:], [np.inf])
    )
    edges.setflags(write=False)
    return edges[:-1], edges[1:]


def _step(chain: BinaryChain, value: int) -> _Step:
    """Return phi of a record that releases `value`: exact numbers, and their nearest floats."""
    rows = chain.transition
    follows = 1 - value if chain.eigenvalue < 0 else value
    below = 1 - value
    a, b = rows[value][follows], rows[value][1 - follows]
    c, d = rows[below][follows], rows[below][1 - follows]
    det = a * d - b * c
    far = float(a * b / det), float(a / (a - c))
    weight = chain.stationary_law[value]
    return _Step(float(weight), float(c / a), float(det / a**2), float(b / a), far)


# With all other q of a side fixed, the constrained likelihood ratio u at p is (q x + y) / (q z + w)
# with non-negative integers up to a common factor, increasing in q. So a wanted u >= t gives the
# least q exactly, as a rational.
PROFILE_RESTS_ON = ("redaction.events", "redaction.monotone")
_GRAIN = 64  # proposed q become multiples of 2^-64


@dataclass(frozen=True)
class Profile:
    """The records at distance 1 .. count on one side: a shape and its q, nearest record first."""

    chain: BinaryChain
    shape: Shape
    q: tuple[Fraction, ...] = ()

    @classmethod
    def near(cls, chain: BinaryChain, shape: Shape, q: Sequence[float]) -> "Profile":
        """Return a profile with q rounded to multiples of 2^-64."""
        return cls(chain, shape, tuple(Fraction(round(value * 2**_GRAIN), 1 << _GRAIN) for value in q))

    @property
    def least_leaking(self) -> "Profile":
        """The profile of this shape in which all q are 1."""
        shape = self.shape
        first = self._value(shape.size)
        return Profile(self.chain, Shape(first, shape.end, shape.end, shape.count))

    @property
    def trimmed(self) -> "Profile":
        """The same profile, `first` the first record with q < 1."""
        ones = next((k for k, q in enumerate(self.q) if q != 1), len(self.q))
        shape = self.shape
        return Profile(self.chain, Shape(self._value(ones), shape.first + ones, shape.end, shape.count), self.q[ones:])

    @property
    def gain(self) -> Fraction:
        """The expected number of released records of this side."""
        total = [Fraction(0), Fraction(0)]
        for k, q in enumerate(self.q):
            total[self._value(k)] += 1 - q
        zero, one = self.chain.stationary_law
        return self.shape.count + 1 - self.shape.end + zero * total[0] + one * total[1]

    @property
    def rows(self) -> list[Pair]:
        """(r(0), r(1)) of the records at distance 1 .. count."""
        one, zero = Fraction(1), Fraction(0)
        medium = [(q, one) if self._value(k) == 0 else (one, q) for k, q in enumerate(self.q)]
        released = self.shape.count + 1 - self.shape.end
        return [(one, one)] * (self.shape.first - 1) + medium + [(zero, zero)] * released

    @property
    def ratio(self) -> Fraction:
        """The constrained likelihood ratio at p, at most 1; 1 where nothing is released."""
        above, below = self._at(-1)
        return Fraction(above[0] + above[1], below[0] + below[1])

    @property
    def other_ratio(self) -> Fraction:
        """The other likelihood ratio at p, at least 1: of the value released at `first`."""
        if self.shape.first > self.shape.count:
            return Fraction(1)
        return self.chain.influence(self.shape.value, self.shape.first) or Fraction(1)

    @property
    def pivot(self) -> int | None:
        """The index of the q farthest from 0 and 1, or None if all are 1."""
        best = max(range(len(self.q)), key=lambda k: (min(self.q[k], 1 - self.q[k]), -self.q[k]), default=None)
        return None if best is None or self.q[best] == 1 else best

    def with_ratio(self, wanted: Fraction, exact: bool) -> "Profile | None":
        """Return the profile with the least q at the pivot such that the ratio is at least
        `wanted`, None if there is none.

        Unless `exact` that q is rounded up to a multiple of 2^-96.
        """
        pivot = self.pivot
        if pivot is None:
            return self if self.ratio >= wanted else None
        above, below = self._at(pivot)
        slope = above[0] - wanted * below[0]
        if slope <= 0:
            return None
        q = max(Fraction(0), (wanted * below[1] - above[1]) / slope)
        if not exact:
            q = Fraction(-((-q.numerator << 96) // q.denominator), 1 << 96)
        if q > 1:
            return None
        return Profile(self.chain, self.shape, (*self.q[:pivot], q, *self.q[pivot + 1 :]))

    def _value(self, k: int) -> int:
        return self.shape.value ^ (k & 1) if self.chain.eigenvalue < 0 else self.shape.value

    def _at(self, pivot: int) -> tuple[tuple[int, int], tuple[int, int]]:
        """Return (x, y), (z, w) with ratio (q x + y) / (q z + w), q that at the pivot."""
        chain, shape = self.chain, self.shape
        p00, p01, p10, p11 = integers([entry for row in chain.transition for entry in row])
        free, fixed = ((0, 0), (1, 1))  # q free + fixed: likelihoods given that the present record is 0, 1
        if shape.end <= shape.count:
            last = self._value(len(self.q))
            fixed = (0, 1) if last == 0 else (1, 0)
        for k in range(len(self.q) - 1, -1, -1):
            if shape.end <= shape.count or k < len(self.q) - 1:
                free, fixed = ((p00 * f + p01 * g, p10 * f + p11 * g) for f, g in (free, fixed))
            value, q = self._value(k), self.q[k]
            if k == pivot:
                free = (fixed[0], 0) if value == 0 else (0, fixed[1])
                fixed = (0, fixed[1]) if value == 0 else (fixed[0], 0)
            elif q != 1:
                over, under = q.numerator, q.denominator
                scale = (over, under) if value == 0 else (under, over)
                free, fixed = ((scale[0] * f, scale[1] * g) for f, g in (free, fixed))
        if shape.first <= shape.count:
            p00, p01, p10, p11 = integers([entry for row in chain.power(shape.first) for entry in row])
            free, fixed = ((p00 * f + p01 * g, p10 * f + p11 * g) for f, g in (free, fixed))
        above = self._value(shape.first)
        return (free[above], fixed[above]), (free[1 - above], fixed[1 - above])


# The most that one or two sides of given shapes release under one budget:
#
#     maximise    gain_left + gain_right
#     subject to  ratio_left ratio_right >= 1 / E      (one side: ratio >= 1 / B),
#
# ratio the constrained likelihood ratio of a side at p. At an optimum the budget is used up, each
# side is a point of its curve, and d gain / d log ratio is the same on both (Lagrange). Boxes of
# the two parameters in which this is excluded, or in which the gain is no more than what is already
# reached, are thrown away, the others are cut. What remains bounds the optimum from above, however
# little work was done; its midpoint is a proposal.
MOST_RESTS_ON = ("redaction.joint-of-sides", "redaction.exact-shape", "redaction.side-levels")
_ACCURACY = 110  # bits of rational bounds of e^epsilon - 1
_PARTS = 8  # pieces a box is cut into
_MOST_PAIRS = 60_000
_MOST_ROUNDS = 60
_ENDLESS = 1e30  # parameters beyond are not told apart
_NARROW = 2e-13  # relative width of gains and parameters that ends the search


class SideBudget(NamedTuple):
    """What sides may use: floats around 1 / E and, with its digits, 1 - 1 / E."""

    ratio: tuple[float, float]
    room: tuple[float, float]

    @classmethod
    def between(cls, low: Fraction, high: Fraction) -> "SideBudget":
        """Return what a level E between two rationals allows."""
        return cls(outward(1 / high, 1 / low), outward(1 - 1 / low, 1 - 1 / high))


def level_bounds(level: Level) -> tuple[Fraction, Fraction]:
    """Return rational bounds of e^epsilon, and, relative to it as closely, of e^epsilon - 1."""
    zeros = 0 if level.nats is None else (1 / level.nats).__ceil__().bit_length()
    return level.bounds(_ACCURACY + zeros)


@dataclass(frozen=True)
class Most:
    """An upper bound of the gain, 0 if no stationary point may exceed the cutoff, and
    parameters close to the optimum.
    """

    upper: float
    thetas: tuple[float, ...]


def most_gain(
    curve: Curve,
    shapes: tuple[Shape, ...],
    budget: SideBudget,
    cutoff: float,
    limits: tuple[SideBudget, ...] = (),
    *,
    ones: bool = False,
) -> Most:
    """Bound the gain of one or two sides with N >= 1 that use up a budget; `limits` of each keep to
    a part of the curves.

    Designs of a side whose q are all 1 count if `ones`; otherwise they may be left out.
    """
    import numpy as np

    boxes = [theta_boxes() for _ in shapes]
    arcs = [curve.coarse(shape) for shape in shapes]
    if len(shapes) == 1:
        chosen = np.arange(len(boxes[0][0])).reshape(-1, 1)
    else:
        grids = np.meshgrid(*(np.arange(len(low)) for low, _ in boxes), indexing="ij")
        chosen = np.stack([grid.ravel() for grid in grids], axis=1)
    most = Most(0.0, ())
    for left in range(_MOST_ROUNDS, -1, -1):
        chosen, high = _possible(chosen, arcs, budget, max(cutoff, most.upper if most.thetas else cutoff), limits, ones)
        settled = (
            _narrow(chosen, arcs, boxes, high) if left and len(chosen) <= _MOST_PAIRS else np.full(len(chosen), True)
        )
        if settled.any():
            best = int(np.argmax(np.where(settled, high, -np.inf)))
            most = Most(float(high[best]), tuple(_middle(box, i) for box, i in zip(boxes, chosen[best])))
        chosen = chosen[~settled]
        if not len(chosen):
            break
        chosen, boxes = _cut(chosen, boxes)
        arcs = [curve.arcs(shape, *box) for shape, box in zip(shapes, boxes)]
    return most


def _possible(
    chosen: "np.ndarray",
    arcs: list[Arcs],
    budget: SideBudget,
    cutoff: float,
    limits: tuple[SideBudget, ...],
    ones: bool,
) -> "tuple[np.ndarray, np.ndarray]":
    """Keep the combinations of boxes that may hold an optimum above the cutoff, with bounds."""
    picked = [chosen[:, side] for side in range(len(arcs))]
    high = sum(arc.gain[1][i] for arc, i in zip(arcs, picked)) * UP
    keep = high > cutoff
    for arc, i in zip(arcs, picked):
        keep &= arc.free[i] | ones
    least, most = (_both([arc.room[end][i] for arc, i in zip(arcs, picked)]) for end in (0, 1))
    keep &= (least * DOWN <= budget.room[1]) & (most * UP >= budget.room[0])
    least, most = (prod(arc.ratio[end][i] for arc, i in zip(arcs, picked)) for end in (0, 1))
    keep &= (least * DOWN <= budget.ratio[1]) & (most * UP >= budget.ratio[0])
    for arc, i, limit in zip(arcs, picked, limits):
        keep &= (arc.room[0][i] <= limit.room[1]) & (arc.room[1][i] >= limit.room[0])
        keep &= (arc.ratio[0][i] <= limit.ratio[1]) & (arc.ratio[1][i] >= limit.ratio[0])
    if len(arcs) == 2:
        (one, i), (two, j) = zip(arcs, picked)
        keep &= (one.slope[0][i] <= two.slope[1][j]) & (two.slope[0][j] <= one.slope[1][i])
    return chosen[keep], high[keep]


def _both(rooms: "list[np.ndarray]") -> "np.ndarray":
    """1 - (1 - x)(1 - y) = x + y (1 - x), increasing in both."""
    return rooms[0] if len(rooms) == 1 else rooms[0] + rooms[1] * (1 - rooms[0])


def _narrow(chosen: "np.ndarray", arcs: list[Arcs], boxes: "list[Box]", high: "np.ndarray") -> "np.ndarray":
    """Tell which combinations need no cut, because their gains are known well enough."""
    low = sum(arc.gain[0][chosen[:, side]] for side, arc in enumerate(arcs))
    small = True
    for (start, end), i in zip(boxes, chosen.T):
        small = small & ((end[i] * (1 - _NARROW) <= start[i]) & (end[i] < _ENDLESS) | (start[i] > _ENDLESS))
    settled: np.ndarray = (high - low <= _NARROW * high) | small
    return settled


def _cut(chosen: "np.ndarray", boxes: "list[Box]") -> "tuple[np.ndarray, list[Box]]":
    """Cut every box that is still in use, and combine the pieces as the boxes were combined."""
    import numpy as np

    parts, columns = [], []
    for side, (low, high) in enumerate(boxes):
        used, where = np.unique(chosen[:, side], return_inverse=True)
        # the ends of the pieces of boxes: equal, of equal ratios, or growing to inf
        steps = np.arange(_PARTS + 1) / _PARTS
        with np.errstate(invalid="ignore", divide="ignore", over="ignore"):
            even = low[used][:, None] + (high[used] - low[used])[:, None] * steps
            ratio = low[used][:, None] * (high[used] / low[used])[:, None] ** steps
            endless = low[used][:, None] * 16.0 ** np.arange(_PARTS + 1)
        wide = (low[used] > 0) & (high[used] > 4 * low[used]) & np.isfinite(high[used])
        edges: np.ndarray = np.where(np.isinf(high[used])[:, None], endless, np.where(wide[:, None], ratio, even))
        edges[:, 0], edges[:, -1] = low[used], high[used]
        parts.append((edges[:, :-1].ravel(), edges[:, 1:].ravel()))
        columns.append(where)
    if len(boxes) == 1:
        return (columns[0][:, None] * _PARTS + np.arange(_PARTS)).reshape(-1, 1), parts
    i, j = np.meshgrid(np.arange(_PARTS), np.arange(_PARTS), indexing="ij")
    left = (columns[0][:, None] * _PARTS + i.ravel()).ravel()
    right = (columns[1][:, None] * _PARTS + j.ravel()).ravel()
    return np.stack([left, right], axis=1), parts


def _middle(box: "Box", i: int) -> float:
    low, high = float(box[0][i]), float(box[1][i])
    return low if high == float("inf") else (low + high) / 2


def outward(low: Fraction, high: Fraction) -> tuple[float, float]:
    """Return floats below and above two rationals."""
    below, above = float(low), float(high)
    return below - abs(below) * (UP - 1), above + abs(above) * (UP - 1)
