"""The audit of linear queries of normal records: leakage, delta or divergence, verdict.

What `audit` answers where records have no box, at every door: `points` has the closed forms between
values, `windows` and `between` those between windows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache, cached_property
from itertools import combinations

from flint import acb, arb, ctx

from pufferproof.models.errors import ModelError, SolverError
from pufferproof.models.interface.kinds import Number, check_type
from pufferproof.models.interface.readable import Readable, between, listed
from pufferproof.models.mechanisms.releases import shared
from pufferproof.models.noise.additive import LinearQuery, Noise
from pufferproof.models.numbers.enclosures import Enclosure, ball, dyadic, enclose
from pufferproof.models.numbers.grammar import exact, probability
from pufferproof.models.numbers.level import Level, LevelLike
from pufferproof.models.numbers.text import JsonObject, brief, text_of
from pufferproof.models.priors.continuous.normal import Normal
from pufferproof.models.priors.continuous.points import PointFramework, Window
from pufferproof.verify.decision import Decision, Verdict, bases, cited, united
from pufferproof.verify.leakage.ratio import Scope, Witness
from pufferproof.verify.leakage.renyi import order_of
from pufferproof.verify.noise.normal.points import (
    LawShift,
    PointDelta,
    PointLeakage,
    epsilon_of,
    falling_erfc,
    farthest,
    leakage_of,
    mass_between,
    reversed_shift,
    shifts,
    sign_of,
    slopes_of,
)

# What Gaussian noise on linear queries of normal records leaks, between windows of X_i.
#
# With c, K and D^2 as in `points`, kappa = c'K^-1 c, one number Z says of X_i all that the outputs say: given X_i = x
# it is normal with mean x and variance 1/kappa. For a window s right of t the ratio p(z | s) / p(z | t) rises in z
# from 0 to infinity, as that of P(X_i in s | z) and P(X_i in t | z) does, so that
#
#     delta(e) = P(Z > z | s) - exp(e) P(Z > z | t),   z where the ratio is exp(e),
#
# and the other order is the mirror image. P(Z > z | s) = E[Phi(sqrt(kappa) (X_i - z)) | s] is an integral over the
# window, which Arb encloses.

BETWEEN_RESTS_ON = ("normal.gaussian-values", "normal.gaussian-windows")
_FIRST_BITS, _MOST_BITS = 96, 1_536  # bits double until they tell
_ACCURACY = 60  # bits of a delta that is shown
_MOST_VALUES = 20_000  # of an integrand on one piece
_LEAST = Fraction(1, 2**4096)
_PLACES = (Fraction(1, 2), Fraction(1, 4), Fraction(3, 4))


@dataclass(frozen=True)
class Sight:
    """An ordered pair of windows seen through noise: `one` right of `other`, both centred at the
    mean of X_i, whose variance is `variance`; `information` is kappa.
    """

    one: Window
    other: Window
    variance: Fraction
    information: Fraction

    @classmethod
    def of(cls, shift: LawShift, information: Fraction) -> Sight:
        """Return how the first window of a shift looks beside the second, mirrored where it lies left of it."""
        mean = shift.law.mean_of(shift.record)
        (a, b), (c, d) = (tuple(end - mean for end in window) for window in shift.windows)
        own = shift.law.covariance_of(shift.record, shift.record)
        if shift.gap < 0:
            a, b, c, d = -b, -a, -d, -c
        return cls((a, b), (c, d), own, information)

    def delta(self, level: Level) -> arb:
        """Enclose the smallest delta at the present working precision."""
        z = self.threshold(level)
        return self.beyond(self.one, z) - level.ball() * self.beyond(self.other, z)

    def threshold(self, level: Level) -> arb:
        """Enclose the z where p(z | one) / p(z | other) = e^epsilon, by bisection."""
        # Numbers where the ratio is certainly below and above e^epsilon
        low, high = (self._beyond_root(-1, level), self._beyond_root(1, level))
        least = dyadic(self._given.mid()) / 2**ctx.prec
        while high - low > least + (abs(low) + abs(high)) / 2**ctx.prec:
            for share in _PLACES:  # the first is undecided where the root is
                middle = low + (high - low) * share
                value = self._excess(middle, level)
                if value < 0 or value > 0:
                    break
            else:
                break
            low, high = (middle, high) if value < 0 else (low, middle)
        return ball(low).union(ball(high))

    @property
    def _given(self) -> arb:
        """The standard deviation of X_i given Z."""
        return ball(self.variance / (1 + self.variance * self.information)).sqrt()

    def _beyond_root(self, side: int, level: Level) -> Fraction:
        """Return a number on one side of the root. Raises `SolverError` where none is told."""
        place, step = self.one[0], dyadic(self._given.mid())
        while not side * (value := self._excess(place, level)) > 0:
            if not value.is_finite():
                raise SolverError("windows are too far from each other, or from the mean")
            place, step = place + side * step, 2 * step
        return place

    def _excess(self, z: Fraction, level: Level) -> arb:
        """Enclose log p(z | one) - log p(z | other) - epsilon: X_i given z is normal."""
        share = 1 + self.variance * self.information
        own, given = ball(self.variance).sqrt(), self._given
        mean = ball(z * self.variance * self.information / share)
        logs = [
            mass_between(*((ball(end) - mean) / given for end in window)).log()
            - mass_between(*(ball(end) / own for end in window)).log()
            for window in (self.one, self.other)
        ]
        return logs[0] - logs[1] - epsilon_of(level)

    def beyond(self, window: Window, z: arb) -> arb:
        """Enclose P(Z > z | window)."""
        nearest = min((*window, *([Fraction(0)] if window[0] < 0 < window[1] else [])), key=abs)
        rate, root = acb(ball(1 / (2 * self.variance))), acb(ball(self.information / 2).sqrt())
        square, place = acb(ball(nearest**2)), acb(z)

        def density(x: acb, _: bool = False) -> acb:
            return ((square - x * x) * rate).exp() * ((place - x) * root).erfc() / 2

        def value(x: Fraction) -> arb:
            near = ((square.real - ball(x**2)) * rate.real).exp()
            return near * falling_erfc((place.real - ball(x)) * root.real) / 2

        own = ball(self.variance).sqrt()
        whole = mass_between(*(ball(end) / own for end in window))
        whole *= own * (2 * arb.pi()).sqrt() * (square * rate).real.exp()
        return _LogConcave(density, value, window, dyadic(self._given.mid())).integral() / whole


@dataclass(frozen=True)
class _LogConcave:
    """A log-concave function on a window, analytic, whose curvature is about 1 / width^2: `density`
    of balls of complex numbers, `at` of a rational.
    """

    density: Callable[..., acb]
    at: Callable[[Fraction], arb]
    window: Window
    width: Fraction

    def integral(self) -> arb:
        """Enclose the integral: outward from near the mode until what is left is small."""
        # A place near the largest value
        low, high = self.window
        least = min(self.width, high - low) / 16
        with ctx.workprec(_FIRST_BITS):
            while high - low > least:
                left, right = low + (high - low) * 3 / 8, low + (high - low) * 5 / 8
                if self.at(left) < self.at(right):
                    low = left
                else:
                    high = right
        ends = [end for end in self.window if low <= end <= high]
        mode = ends[0] if ends else (low + high) / 2
        width = min(self.width, self.window[1] - self.window[0])
        small = self.at(mode) * ball(width) / 2**ctx.prec
        return self._side(mode, self.window[1], width, small) + self._side(mode, self.window[0], -width, small)

    def _side(self, start: Fraction, end: Fraction, step: Fraction, small: arb) -> arb:
        """Enclose the integral between the mode and an end: a function that falls goes on falling,
        so that its value bounds the rest.
        """
        total, last = ball(0), self.at(start)
        while start != end:
            place = start + step if abs(step) < abs(end - start) else end
            ends = acb(ball(min(start, place))), acb(ball(max(start, place)))
            total += acb.integral(self.density, *ends, rel_tol=small, abs_tol=small, eval_limit=_MOST_VALUES).real
            value, start, step = self.at(place), place, 2 * step
            rest = value.upper() * ball(abs(end - place))
            if value < last and rest < small:
                return total + arb(0).union(rest)
            last = value
        return total


@dataclass(frozen=True)
class WindowDelta(PointDelta):
    """The smallest delta at a level over priors and pairs of windows, `shift` in the order that has
    it, and all shifts in both orders.
    """

    every: tuple[LawShift, ...]

    @cached_property
    def sights(self) -> list[Sight]:
        """Every ordered pair that is told apart. Raises `ModelError` unless noise is Gaussian."""
        return [sight for shift in self.every if (sight := _sight(shift, shift.variances))]

    def bounds(self) -> tuple[Fraction, Fraction]:
        """Return rational bounds of delta."""
        # rational bounds of the largest delta of ordered pairs of windows
        ends = [sight_bounds(sight, self.level) for sight in self.sights]
        return max((low for low, _ in ends), default=Fraction(0)), max((high for _, high in ends), default=Fraction(0))

    def compare(self, delta: Fraction) -> int | None:
        """Return the sign of the smallest delta minus another one, or None if it is not told."""
        return compare_windows(self.sights, self.level, delta)


def delta_of(shifts: Sequence[LawShift], level: Level) -> PointDelta:
    """Return the smallest delta that Gaussian noise has at a level, over priors and pairs.

    >>> from pufferproof.models.noise.additive import Noise
    >>> from pufferproof.models.noise.additive import LinearQuery
    >>> from pufferproof.models.priors.continuous.normal import Normal
    >>> from pufferproof.models.priors.continuous.points import PointFramework
    >>> from pufferproof.verify.noise.normal.points import shifts
    >>> framework = PointFramework(1, {"s": (1, 0, 1), "t": (1, -1, 0)}, "disjoint", {"p": Normal(0, [[1]])})
    >>> query = LinearQuery.named("sum", Noise.gaussian(1), 1)
    >>> f"{float(delta_of(shifts(framework, [query]), Level('1')).bounds()[0]):.10f}"
    '0.0887682344'

    Raises `ModelError` unless noise is Gaussian.
    """
    if all(shift.pointwise for shift in shifts):
        return PointDelta(farthest(shifts), level)
    every = tuple(way for shift in shifts for way in (shift, reversed_shift(shift)))
    best = max(every, key=lambda way: sight_bounds(_sight(way, way.variances), level)[0])
    return WindowDelta(best, level, every)


def windows_exceed(
    shifts: Sequence[LawShift], variances: Sequence[Fraction], level: Level, delta: Fraction
) -> bool | None:
    """Return whether Gaussian noise of these variances exceeds a delta at a level between windows,
    or None if enclosures do not tell.
    """
    sights = []
    for shift in shifts:
        for way in (shift, reversed_shift(shift)):
            if way.information_with(variances) is None:
                return delta < 1
            if sight := _sight(way, variances):
                sights.append(sight)
    sign = compare_windows(sights, level, delta)
    return None if sign is None else sign > 0


def _sight(shift: LawShift, variances: Sequence[Fraction]) -> Sight | None:
    """Return an ordered pair through noise of these variances, or None if nothing is told."""
    information = shift.information_with(variances)
    return Sight.of(shift, information) if information else None


def compare_windows(sights: Sequence[Sight], level: Level, delta: Fraction) -> int | None:
    """Return the sign of the largest delta of ordered pairs of windows minus another delta, or
    None if undecided. All of them are above 0 and below 1.
    """
    if not sights or not 0 < delta < 1:
        true = Fraction(1, 2) if sights else Fraction(0)
        return (true > delta) - (true < delta)
    signs = [_compared(sight, level, delta) for sight in sights]
    decided = [sign for sign in signs if sign is not None]
    return max(decided) if 1 in decided or len(decided) == len(signs) else None


def _compared(sight: Sight, level: Level, delta: Fraction) -> int | None:
    return sign_of(lambda: sight.delta(level) - ball(delta), _FIRST_BITS, _MOST_BITS)


@cache
def sight_bounds(sight: Sight | None, level: Level) -> tuple[Fraction, Fraction]:
    """Return rational bounds of the delta of an ordered pair, of relative width 2^-60 where that
    is at least 2^-4096.
    """
    if sight is None:
        return Fraction(0), Fraction(0)
    bits = _FIRST_BITS
    while True:
        with ctx.workprec(bits):
            delta = sight.delta(level)
            small = delta < ball(_LEAST)
            if small or delta.rel_accuracy_bits() > _ACCURACY or 2 * bits > _MOST_BITS:
                break
        bits *= 2
    if small:
        return Fraction(0), _LEAST
    if not delta.is_finite():
        return Fraction(0), Fraction(1)
    return max(dyadic(delta.lower()), Fraction(0)), min(dyadic(delta.upper()), Fraction(1))


RESTS_ON = (
    "normal.laplace-values",
    "normal.laplace-windows",
    "normal.gaussian-values",
    "normal.gaussian-windows",
    "normal.gaussian-unbounded",
)
_VALUES, _WINDOWS = "normal.laplace-values", "normal.laplace-windows"
_SHIFTED, _RISING = "normal.gaussian-values", "normal.gaussian-windows"
_UNBOUNDED = "normal.gaussian-unbounded"


def point_claims(noises: Sequence[Noise], pointwise: bool, delta: bool) -> tuple[str, ...]:
    """Return the claims that answers about normal records rest on, with secrets `pointwise` or
    windows, and of a `delta` or not: none about noise of both kinds.
    """
    if all(noise.decay is not None for noise in noises):
        return (_VALUES if pointwise else _WINDOWS,)
    if any(noise.variance is None for noise in noises):
        return ()
    if pointwise:
        return (_SHIFTED,)
    return (_SHIFTED, *((_RISING,) if delta else ()), _UNBOUNDED)


@dataclass(frozen=True)
class PointQuestion:
    """The level that is decided, with a delta or a Renyi order if there is one; `option` stands
    before the name of either in an error.
    """

    level: Level | None = None
    delta: Fraction | None = None
    order: Fraction | None = None
    option: str = ""


@dataclass(frozen=True, repr=False)
class PointAudit(Readable):
    """The audit of linear queries of normal records that are released together.

    >>> from pufferproof.models.noise.additive import Noise
    >>> from pufferproof.models.priors.continuous.normal import Normal
    >>> framework = PointFramework(
    ...     2, {"s": (1, 0), "t": (1, 1)}, [("t", "s")], {"p": Normal(0, [[1, "1/2"], ["1/2", 1]])}
    ... )
    >>> print(audit_points(framework, LinearQuery.named("sum", Noise.laplace(3), 2), "0.5"))
    SATISFIES 0.5; leakage 0.5 nats, at output 'inf' for 't' against 's', prior 'p'
    """

    found: Sequence[LawShift] = field(repr=False)
    question: PointQuestion

    @classmethod
    def of(
        cls, framework: PointFramework, queries: Sequence[LinearQuery], question: PointQuestion, runs: int = 1
    ) -> PointAudit:
        """Audit queries together, each released `runs` times."""
        return cls(shifts(framework, queries, runs), question)

    @property
    def level(self) -> Level | None:
        """The level that was asked for."""
        return self.question.level

    @cached_property
    def leakage(self) -> PointLeakage:
        """The largest leakage over priors and pairs."""
        return leakage_of(self.found)

    @property
    def witness(self) -> Witness:
        """Where outputs go as the ratio rises to its supremum."""
        shift = self.leakage.shift
        return Witness(shift.prior, shift.pair, shift.output)

    @property
    def shared(self) -> str | None:
        """What queries that were audited together share; None of a single one."""
        shift = self.leakage.shift
        return shared(len(shift.queries) * shift.runs)

    @property
    def scope(self) -> Scope:
        """How many ordered pairs of laws were compared."""
        return Scope(2 * len(self.found), 0, ())

    @cached_property
    def delta(self) -> PointDelta | None:
        """The smallest delta at the level, where one is asked for."""
        question = self.question
        if question.delta is None or question.level is None:
            return None
        try:
            return delta_of(self.found, question.level)
        except ModelError as error:
            raise error.within(f"{question.option}delta") from None

    @cached_property
    def renyi(self) -> Fraction | None:
        """The Renyi divergence in nats, where an order is asked for."""
        question = self.question
        if question.order is None:
            return None
        if not self.pointwise:
            raise ModelError(
                f'needs secrets "at" numbers: between windows, expected {question.option}delta, or none',
                f"{question.option}renyi",
            )
        try:
            return question.order * (farthest(self.found).squared or Fraction(0)) / 2
        except ModelError as error:
            raise error.within(f"{question.option}renyi") from None

    @cached_property
    def kept(self) -> Decision | None:
        """Whether the level is kept, or None if none was asked for."""
        question = self.question
        if question.level is None:
            return None
        if self.delta is not None and question.delta is not None:
            return Decision.at_most(self.delta.compare(question.delta))
        if self.renyi is not None:
            return Decision.at_most(-compared_nats(question.level, self.renyi))
        return Decision.at_most(self.leakage.compare(question.level))

    @property
    def verdict(self) -> Verdict | None:
        """The word for it."""
        return None if self.kept is None else Verdict.of(self.kept)

    @property
    def trust(self) -> tuple[str, ...]:
        """What the answer rests on."""
        level, leakage = self.question.level, self.leakage
        enclosed = not leakage.rational or (self.delta is not None and any(leakage.shift.slopes))
        if enclosed and not self.pointwise:
            return ("INTERVAL", *self._claims)
        exact = level is None or (level.nats is not None and leakage.rational)
        return ("EXACT", *(() if exact and self.delta is None else ("INTERVAL",)), *self._claims)

    @property
    def _claims(self) -> tuple[str, ...]:
        """The claims that it rests on, and PROSE for noise of both kinds."""
        return cited(self.rests_on) or ("PROSE",)

    @property
    def rests_on(self) -> tuple[str, ...]:
        """The claims that the answer rests on, by their ids."""
        return point_claims(self.leakage.shift.noises, self.pointwise, self.delta is not None)

    @property
    def pointwise(self) -> bool:
        """Whether secrets are values, not windows."""
        return all(shift.pointwise for shift in self.found)

    def as_json(self) -> JsonObject:
        """Return the audit object of the file formats (without `inputs`, which a reader of files adds)."""
        answer: JsonObject = {
            "verdict": None if self.verdict is None else self.verdict.value,
            "leakage": self.leakage.as_json(),
            "witness": self.witness.as_json(),
            "excluded": 0,
            "never_checked": [],
            "checked": self.scope.checked,
            "trust": list(self.trust),
            "rests_on": bases(self.rests_on),
        }
        if self.delta is not None:
            answer["delta"] = self.delta.as_json()
        if self.renyi is not None and self.question.order is not None:
            shift = farthest(self.found)
            answer["renyi"] = {
                "alpha": text_of(self.question.order),
                "moment": None if self.renyi else "1",
                "epsilon": nats_of(self.renyi).as_json(),
                "witness": {"prior": shift.prior, "pair": list(shift.pair)},
            }
        return answer

    def __str__(self) -> str:
        asked = self.question
        bound = "" if asked.delta is None else f", delta {brief(asked.delta)}"
        order = "" if asked.order is None else f" at order {brief(asked.order)}"
        said = [] if self.verdict is None else [f"{self.verdict.value} {self.level}{bound}{order}"]
        if self.delta is not None:
            said.append(f"smallest delta {between(*self.delta.bounds())}")
        if self.renyi is not None:
            said.append(f"Renyi divergence {brief(self.renyi)} nats")
        said.append(f"leakage {self.leakage}, {self.witness}")
        return "; ".join([*said, *([] if self.shared is None else [self.shared])])


def audit_points(
    framework: PointFramework,
    mechanism: LinearQuery | Sequence[LinearQuery],
    epsilon: LevelLike | None = None,
    delta: Number | None = None,
    renyi: Number | None = None,
) -> PointAudit:
    """Audit linear queries, as `pufferproof.audit` does, at once in all that is asked for.

    Raises `ModelError` as it does, and where noise is not of the kind that is asked about.
    """
    framework = check_type(framework, PointFramework, "framework")
    mechanism = check_type(mechanism, LinearQuery | Sequence[LinearQuery], "mechanism")
    if delta is not None and renyi is not None:
        raise ModelError("expected a delta or an order, found both", "renyi")
    if delta is not None and epsilon is None:
        raise ModelError("a delta needs a level; give epsilon as well", "delta")
    question = PointQuestion(
        None if epsilon is None else Level.coerce(epsilon, "epsilon"),
        None if delta is None else probability(delta, "delta"),
        None if renyi is None else order_of(renyi),
    )
    queries = [mechanism] if isinstance(mechanism, LinearQuery) else list(mechanism)
    answer = PointAudit.of(framework, expected(framework, queries, "mechanism"), question)
    _ = answer.kept, answer.renyi
    return answer


def expected(framework: PointFramework, queries: Sequence[LinearQuery], argument: str) -> Sequence[LinearQuery]:
    """Return queries. Raises `ModelError` unless there are some, with a weight for every record."""
    if not queries:
        raise ModelError("expected at least one mechanism, found none", argument)
    for query in queries:
        for row in query.rows:
            if len(row) != framework.count:
                raise ModelError(f"expected {framework.count} weights, one per record, found {len(row)}", argument)
    return queries


def nats_of(value: Fraction) -> Enclosure:
    """Return a rational number of nats as an enclosure."""
    return enclose(value, value)


def compared_nats(level: Level, nats: Fraction) -> int:
    """Return the sign of epsilon minus a rational number of nats, exactly."""
    if level.nats is not None:
        return (level.nats > nats) - (level.nats < nats)
    if not nats:
        return int((level.ratio or Fraction(1)) > 1)
    return Level.of_nats(nats).compare(level.ratio or Fraction(1))


# The joint leakage of several linear queries of the same normal records, each with noise of its own.
#
# They are one query with all coordinates: leakages of Laplace noise add up pair by pair between values. Distances of
# Gaussian noise do not, as releases share their records.

_ADDED = {Decision.HOLDS: "at most", Decision.FAILS: "more than", Decision.UNDECIDED: "too close to tell from"}


@dataclass(frozen=True, repr=False)
class PointComposition(Readable):
    """Joint releases: every mechanism `runs` times, the levels claimed for the mechanisms, if any,
    and what is asked of all together.

    >>> from pufferproof.models.noise.additive import Noise
    >>> from pufferproof.models.priors.continuous.normal import Normal
    >>> framework = PointFramework(
    ...     2, {"s": (1, 0), "t": (1, 1)}, [("t", "s")], {"p": Normal(0, [[1, "1/2"], ["1/2", 1]])}
    ... )
    >>> print(compose_points(framework, [LinearQuery.named("sum", Noise.laplace(3), 2)], runs=2))
    joint leakage 1 nats of 2 releases, at most the sum of the single ones (0.5 nats); at outputs
    'inf', 'inf' for 't' against 's', prior 'p'; shared: the database, drawn once from the prior
    (including any sampling)
    """

    framework: PointFramework = field(repr=False)
    mechanisms: tuple[LinearQuery, ...]
    runs: int
    levels: Sequence[Level] = ()
    together: PointQuestion = field(default_factory=PointQuestion)

    @cached_property
    def joint(self) -> PointAudit:
        """All releases, at the level asked for."""
        return PointAudit.of(self.framework, self.mechanisms, self.together, self.runs)

    @cached_property
    def single(self) -> tuple[PointAudit, ...]:
        """Every mechanism released once, at the level claimed for it."""
        asked: Sequence[Level | None] = self.levels or [None] * len(self.mechanisms)
        return tuple(
            PointAudit.of(self.framework, [release], PointQuestion(level))
            for release, level in zip(self.mechanisms, asked)
        )

    @property
    def leakage(self) -> PointLeakage:
        """The joint leakage."""
        return self.joint.leakage

    @property
    def trust(self) -> tuple[str, ...]:
        """What the answer rests on."""
        every = [*self.single, self.joint]
        return tuple(dict.fromkeys(word for audit in every for word in audit.trust))

    @property
    def rests_on(self) -> tuple[str, ...]:
        """The claims that the answer rests on, by their ids."""
        return united(self.joint.rests_on, *(audit.rests_on for audit in self.single))

    @cached_property
    def additive(self) -> Decision:
        """Whether the joint leakage is at most the sum of the single ones, undecided where
        enclosures do not tell. Between values both are equal, or infinite; between windows they
        need not be.
        """
        if len(self.mechanisms) * self.runs == 1 or self.leakage.infinite or self.joint.pointwise:
            return Decision.HOLDS
        joint = self.leakage.enclosure()
        singles = [audit.leakage.enclosure() for audit in self.single]
        if exact(joint.upper) <= self.runs * sum(exact(one.lower) for one in singles):
            return Decision.HOLDS
        most = self.runs * sum(exact(one.upper) for one in singles)
        return Decision.FAILS if exact(joint.lower) > most else Decision.UNDECIDED

    @property
    def outputs(self) -> tuple[str, ...]:
        """Where the outputs of every release go, mechanism by mechanism in its runs."""
        numbers, outputs = self.leakage.shift.output.split(","), []
        for release in self.mechanisms:
            outputs += [",".join(numbers[: release.dimension])] * self.runs
            numbers = numbers[release.dimension :]
        return tuple(outputs)

    @property
    def shared(self) -> str | None:
        """What all releases share; None of a single one."""
        return shared(len(self.mechanisms) * self.runs)

    def keeps(self, level: Level) -> Decision:
        """Return whether the joint leakage is at most a level."""
        return Decision.at_most(self.leakage.compare(level))

    def as_json(self) -> JsonObject:
        """Return the composition object of the file formats."""
        witness = self.joint.witness
        return {
            "single": [audit.leakage.as_json() for audit in self.single],
            "joint": self.leakage.as_json(),
            "additive": self.additive.value,
            "runs": self.runs,
            "shared": self.shared,
            "witness": {"prior": witness.prior, "pair": list(witness.pair), "outputs": list(self.outputs)},
            "excluded": 0,
            "never_checked": [],
            "checked": self.joint.scope.checked,
            "trust": list(self.trust),
            "rests_on": bases(self.rests_on),
        }

    def __str__(self) -> str:
        alone = listed([str(audit.leakage) for audit in self.single], quote=False)
        (above, below), releases = self.joint.witness.pair, len(self.outputs)
        common = f"; shared: {self.shared}" if self.shared else ""
        return (
            f"joint leakage {self.leakage} of {releases} release{'s' * (releases > 1)}, "
            f"{_ADDED[self.additive]} the sum of the single ones ({alone}); at outputs "
            f"{listed(self.outputs)} for {above!r} against {below!r}, "
            f"prior {self.joint.witness.prior!r}{common}"
        )


def compose_points(framework: PointFramework, mechanisms: Sequence[LinearQuery], runs: int = 1) -> PointComposition:
    """Return the joint release of linear queries, each run `runs` times, as `pufferproof.compose` does."""
    framework = check_type(framework, PointFramework, "framework")
    mechanisms = check_type(mechanisms, Sequence[LinearQuery], "mechanisms")
    runs = check_type(runs, int, "runs")
    if runs < 1:
        raise ModelError(f"expected at least one run, found {runs}", "runs")
    return PointComposition(framework, tuple(expected(framework, mechanisms, "mechanisms")), runs)


# What releases that tell little of every reading may leak of normal records: per-record levels to a promise.
#
# A release has level l_j at record j if |log p(w | x) - log p(w | x')| <= l_j |x_j - x_j'| for x and x' that differ
# there alone. With c_j = Cov(X_j, X_i) / Var(X_i) the log-density of an output given X_i = x changes by at most Q =
# sum_j l_j |c_j| a unit, which is all that `points` and `windows` use of Laplace noise. Sums of the records with the
# signs of c, for every level l one with Laplace noise of scale 1/l, reach it. `Correlated` bounds sum_j |c_j| by the
# largest correlation alone.

TRANSLATION_RESTS_ON = ("normal.levels",)
CORRELATIONS_REST_ON = ("normal.levels", "normal.bdp")
Levels = Sequence[tuple[Fraction, Fraction]]  # of every record: e^level = ratio e^nats


def translated(framework: PointFramework, levels: Levels) -> list[LawShift]:
    """Return the shifts of signed sums that leak most for these levels, for every prior and pair.

    >>> from pufferproof.models.priors.continuous.normal import Normal
    >>> law = Normal(coefficient="-1/2", variance=1)
    >>> framework = PointFramework(3, {"s": (1, 0), "t": (1, 2)}, [("s", "t")], {"p": law})
    >>> (shift,) = translated(framework, [(Fraction(1), Fraction(1))] * 3)
    >>> shift.power.nats  # 2 (1 + 1/2 + 1/4)
    Fraction(7, 2)
    """
    return list(_translated(framework, levels))


@dataclass(frozen=True)
class Correlated:
    """The m records that depend on a secret one, with it, and their largest correlation rho."""

    members: tuple[int, ...]
    largest: Fraction

    @classmethod
    def of(cls, law: Normal, record: int, count: int) -> Correlated:
        """Return the group of a record. Raises `ModelError` unless it has one variance.

        >>> law = Normal(0, [[1, "1/4", 0], ["1/4", 1, 0], [0, 0, 9]])
        >>> Correlated.of(law, 1, 3)
        Correlated(members=(1, 2), largest=Fraction(1, 4))
        """
        if law.covariance is None:
            rho = law.coefficient or Fraction(0)
            return cls(tuple(range(1, count + 1)) if rho else (record,), abs(rho))
        members, waiting = {record}, [record]
        while waiting:
            one = waiting.pop()
            joined = {j for j, s in enumerate(law.covariance[one - 1], 1) if s} - members
            members |= joined
            waiting += joined
        variance, group = law.covariance_of(record, record), tuple(sorted(members))
        for other in group:
            if law.covariance_of(other, other) != variance:
                raise ModelError(
                    f"expected one variance of records that depend on one another, found "
                    f"{brief(variance)} of record {record} and "
                    f"{brief(law.covariance_of(other, other))} of record {other}: correlations "
                    f"alone do not tell (claim normal.bdp-variances)"
                )
        sizes = (abs(law.covariance_of(j, k)) for j, k in combinations(group, 2))
        return cls(group, max(sizes, default=Fraction(0)) / variance)

    @property
    def factor(self) -> Fraction:
        """1 + m^2 / (4 (1/rho - m + 2)), times which a record's own change is told at most
        (claim normal.bdp). Raises `ModelError` unless rho < 1 / (m - 2).
        """
        m, rho = len(self.members), self.largest
        if (m - 2) * rho >= 1:
            raise ModelError(
                f"expected correlations below 1/{m - 2}, as {m} records depend on one another, found {brief(rho)}"
            )
        return 1 + m * m * rho / (4 * (1 - (m - 2) * rho))


def _translated(framework: PointFramework, levels: Levels) -> Iterator[LawShift]:
    for name, law in framework.priors.items():
        for pair in framework.pairs:
            record, windows = framework.places(pair)
            # A sum for every ratio, and for every number of nats, that is a level
            signs = list(law.signs(record, framework.count))
            ratios = {ratio: f"1/log({text_of(ratio)})" for ratio, _ in levels if ratio != 1}
            nats = {level: 1 / level for _, level in levels if level}
            sums = [
                LinearQuery((_row(signs, [pair[0] == ratio for pair in levels]),), Noise.laplace(scale))
                for ratio, scale in ratios.items()
            ]
            sums += [
                LinearQuery((_row(signs, [pair[1] == value for pair in levels]),), Noise.laplace(scale))
                for value, scale in nats.items()
            ]
            queries = tuple(sums or [LinearQuery((_row(signs, [False] * len(levels)),), Noise.laplace(1))])
            slopes = slopes_of(law, record, [row for query in queries for row in query.rows])
            yield LawShift(name, pair, windows, slopes, law, record, queries)


def _row(signs: Sequence[int], kept: Sequence[bool]) -> tuple[Fraction, ...]:
    return tuple(Fraction(sign if keep else 0) for sign, keep in zip(signs, kept))
