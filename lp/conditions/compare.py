"""Conditions stronger than a Pufferfish promise that survive composition: which of them a mechanism
meets, and at which level.

With p_x(w) = P(w | x), R = e^epsilon, and (mu, nu) the laws of the database given two secrets:
*transport*, *coupling*, *one-hot* and *NfC* (`Conditions` says what each asks). Transport implies
coupling and one-hot, each of which implies NfC; coupling implies the promise. With a coupling K
runs leak exactly K times the level at most, otherwise a constant more, paid once; several
mechanisms compose by these rules only with a common beta. Source: the necessity of NfC is bai2026,
Theorem 5.1.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from fractions import Fraction

from pufferproof.lp.conditions.level import COUPLINGS_RESTS_ON as COUPLINGS_REST_ON
from pufferproof.lp.conditions.level import RESTS_ON as LEVELS_REST_ON
from pufferproof.lp.conditions.level import Arc, Kernel, LogTable, bottleneck, constant_of, least_level, routed, support
from pufferproof.lp.cones.columns import Columns
from pufferproof.lp.rates.games import Games
from pufferproof.lp.rates.nfc import RATES_REST_ON, Rate, check_nfc, composition_rate
from pufferproof.models.channel import Channel
from pufferproof.models.errors import ModelError, SolverError
from pufferproof.models.framework import Framework
from pufferproof.models.interface.kinds import check_type
from pufferproof.models.interface.readable import Readable, between
from pufferproof.models.interface.tabular import Entry, Tabular, infinite_if_none
from pufferproof.models.numbers.enclosures import INFINITE, Enclosure, enclose, log_bounds
from pufferproof.models.numbers.level import Level, LevelLike
from pufferproof.models.numbers.text import JsonObject, text_of
from pufferproof.verify.audit import Audit, audit
from pufferproof.verify.decision import Decision, bases, united

RESTS_ON = ("worst.nfc-constant", "worst.coupling", "worst.nfc-cone")
_ACCURACY = 80
_CLOSE = Fraction(1, 10**8)
_ZERO = Fraction(0)


class Composes(Enum):
    """What a condition at level epsilon says of K runs."""

    EXACTLY = "joint leakage at most K epsilon"
    UP_TO_A_CONSTANT = "joint leakage at most K epsilon plus a constant"
    NOT = "no bound for several runs"


@dataclass(frozen=True, repr=False)
class Condition(Readable):
    """A condition and the smallest level at which a mechanism meets it: `lower` to `upper` nats,
    both None if at none.

    `exact` is (q, d) when the level is exactly log(q) / d. The joint ratio of K runs is at most
    constant * R^K; `constant` is None if that does not follow. `kernels` has beta for every pair
    of laws of `Columns`, none for the promise itself.
    """

    name: str
    lower: Fraction | None
    upper: Fraction | None
    exact: tuple[Fraction, int] | None
    composes: Composes
    constant: Fraction | None
    kernels: tuple[Kernel, ...] = field(default=(), repr=False)
    holds: Decision | None = None

    @property
    def finite(self) -> bool:
        """Whether the mechanism meets the condition at some level."""
        return self.upper is not None

    def enclosure(self) -> Enclosure:
        """Return the smallest level in nats."""
        return INFINITE if self.lower is None or self.upper is None else enclose(self.lower, self.upper)

    def as_json(self, labels: tuple[str, ...]) -> JsonObject:
        """Return the condition object of the file formats."""
        ratio = None
        if not self.finite:
            ratio = "inf"
        elif self.exact is not None and self.exact[1] == 1:
            ratio = text_of(self.exact[0])
        return {
            "name": self.name,
            "level": {"ratio": ratio, "epsilon": self.enclosure().as_json()},
            "composes": self.composes.name.lower().replace("_", " "),
            "constant": None if self.constant is None else text_of(self.constant),
            "survives_post_processing": True,
            "holds": None if self.holds is None else self.holds.name,
            "beta": [
                {labels[x]: {labels[y]: text_of(weight) for y, weight in row.items()} for x, row in kernel.items()}
                for kernel in self.kernels
            ],
        }

    def __str__(self) -> str:
        level = "no level" if self.lower is None or self.upper is None else f"{between(self.lower, self.upper)} nats"
        holds = "" if self.holds is None else f" ({self.holds.name})"
        return f"{self.name} from {level}{holds}, {self.composes.value}"


@dataclass(frozen=True, repr=False)
class Conditions(Readable, Tabular):
    """All conditions for one mechanism, the promise first, then from the strongest to the
    weakest.

    For every (mu, nu):

        transport   a coupling of mu and nu with p_x(w) <= R p_y(w) for every pair (x, y) it uses
                    and every output w
        coupling    a kernel beta with mu beta = nu and p_x(w) <= R prod_y p_y(w)^beta_xy for x in
                    supp mu and every w
        one-hot     as in differential privacy: for each x in supp mu some y in supp nu with
                    p_x(w) <= R p_y(w) for every w
        NfC         for each x in supp mu weights beta_x on supp nu with
                    p_x(w) <= R prod_y p_y(w)^beta_xy for every w

    Transport implies coupling and one-hot: mix its inequalities (R sum_y beta_xy p_y; a mean of
    logarithms for the coupling). Mechanisms at levels R_1 .. R_K with the same beta meet a
    condition jointly at the product of the levels (worst.nfc-cone, also after post-processing).
    With a coupling the joint ratio is so at most R_1 ... R_K (worst.coupling); otherwise at most c
    R_1 ... R_K with c = max_y (mu beta)_y / nu_y (worst.nfc-constant). For one mechanism run K
    times beta may be chosen for it.
    """

    _named = ("condition",)

    framework: Framework = field(repr=False)
    mechanism: Channel = field(repr=False)
    level: Level | None
    single: Audit = field(repr=False)
    rate: Rate = field(repr=False)
    columns: Columns = field(repr=False)
    conditions: tuple[Condition, ...]

    def __getitem__(self, name: str) -> Condition:
        return next(condition for condition in self.conditions if condition.name == name)

    def entries(self) -> list[Entry]:
        """Return a row for every condition: the smallest level at which it is met."""
        return [
            {
                "condition": condition.name,
                "holds": None if condition.holds is None else condition.holds.name,
                "composes": condition.composes.value,
                "constant": condition.constant,
                "lower": infinite_if_none(condition.lower),
                "upper": infinite_if_none(condition.upper),
            }
            for condition in self.conditions
        ]

    @property
    def weakest(self) -> Condition | None:
        """The weakest condition that composes and is met, at the level if one was asked for."""
        return self._first(("nfc", "one-hot", "coupling", "transport"))

    @property
    def weakest_exact(self) -> Condition | None:
        """The weakest condition met that composes exactly linearly."""
        return self._first(("coupling", "transport"))

    @property
    def rests_on(self) -> tuple[str, ...]:
        """The claims that the smallest levels, the rate and the audit rest on."""
        rates = united(RATES_REST_ON, self.columns.rests_on, self.single.rests_on)
        return united(RESTS_ON, COUPLINGS_REST_ON, LEVELS_REST_ON, rates)

    @property
    def undecided(self) -> bool:
        """Whether the level is too close to the smallest one of some condition to tell."""
        return any(condition.holds is Decision.UNDECIDED for condition in self.conditions)

    def budget(self, runs: int) -> tuple[Condition, Fraction] | None:
        """Return a bound in nats of the leakage of `runs` runs, and the condition that gives it:
        the least of all of them.

        One run leaks what the promise says. None if the mechanism meets no condition at any level
        that bounds so many runs.

        Raises `ModelError` unless there is at least one run.
        """
        if runs < 1:
            raise ModelError(f"expected at least 1, found {runs}", "runs")
        alone = self["promise"]
        if runs == 1 and alone.upper is not None:
            return alone, alone.upper
        bounds = [
            (runs * one.upper + _logs(one.constant)[1], one)
            for one in self.conditions
            if one.upper is not None and one.constant is not None
        ]
        if not bounds:
            return None
        least = min(bound for bound, _ in bounds)
        return next((one, bound) for bound, one in bounds if bound == least)

    def _first(self, names: tuple[str, ...]) -> Condition | None:
        met = [self[name] for name in names]
        return next((one for one in met if (one.finite if one.holds is None else one.holds is Decision.HOLDS)), None)

    def as_json(self) -> JsonObject:
        """Return the conditions object of the file formats (without `inputs`)."""
        weakest, exact = self.weakest, self.weakest_exact
        return {
            "level": None if self.level is None else str(self.level),
            "conditions": [condition.as_json(self.columns.labels) for condition in self.conditions],
            "laws": [
                {"prior": prior, "pair": list(pair)} for laws in self.columns.laws for prior, pair in laws.places[:1]
            ],
            "rate": self.rate.as_json(),
            "weakest": None if weakest is None else weakest.name,
            "weakest_exact": None if exact is None else exact.name,
            "excluded": self.single.scope.excluded,
            "never_checked": [list(pair) for pair in self.single.scope.never_checked],
            "trust": ["EXACT", "INTERVAL"],
            "rests_on": bases(self.rests_on),
        }

    def __str__(self) -> str:
        level = "at any level" if self.level is None else f"at {self.level}"
        weakest = "none that composes" if self.weakest is None else f"the weakest that composes is {self.weakest.name}"
        parts = [f"{one.name} {_smallest(one)}" for one in self.conditions]
        return f"met {level}: {weakest}; smallest levels in nats: {', '.join(parts)}"


def _smallest(met: Condition) -> str:
    if met.lower is None or met.upper is None:
        return "never"
    return between(met.lower, met.upper)


def composition_conditions(framework: Framework, mechanism: Channel, level: LevelLike | None = None) -> Conditions:
    """Find the smallest level at which a mechanism meets each condition that composes, and decide
    one level.

    >>> from pufferproof import Channel, Framework, Table
    >>> theta = Table({"a": "1/2", "b": "1/4", "c": "1/4"})
    >>> framework = Framework(["a", "b", "c"], {"s": ["a"], "t": ["b", "c"]}, [("s", "t")], {"theta": theta})
    >>> mechanism = Channel.of({"a": ["1/2", "1/2"], "b": ["1/4", "3/4"], "c": ["3/4", "1/4"]}, ["u", "v"])
    >>> met = composition_conditions(framework, mechanism, "log(2)")
    >>> [(one.name, str(one.enclosure().upper)[:6], one.holds.name) for one in met.conditions]
    [('promise', '0', 'HOLDS'), ('transport', '0.6931', 'HOLDS'), ('coupling', '0.4054', 'HOLDS'),
     ('one-hot', '0.6931', 'HOLDS'), ('nfc', '0.4054', 'HOLDS')]
    >>> met.weakest.name, met.weakest_exact.name
    ('nfc', 'coupling')

    Args:
        framework: without convex closure.
        mechanism: any channel on it.
        level: decide whether each condition holds at this level.

    Raises `ModelError` unless the mechanism fits, and as `Columns` does.
    """
    framework = check_type(framework, Framework, "framework")
    mechanism = check_type(mechanism, Channel, "mechanism")
    level = None if level is None else Level.coerce(level, "level")
    columns = Columns(framework)
    aligned = mechanism.aligned(framework.databases, framework.support)
    single, rate = audit(framework, aligned, level), composition_rate(framework, aligned)
    table = LogTable(Games([aligned]), columns.databases)
    costs = [table.costs(laws) for laws in columns.laws]
    promise, nfc = _promise(single), _nfc(columns, rate)
    transport, one_hot = _transport(columns, costs), _one_hot(columns, costs)
    coupling = _coupling(columns, table, costs, transport, promise, nfc)
    if one_hot.exact is not None and one_hot.exact == nfc.exact and (one_hot.constant or 0) < (nfc.constant or 0):
        nfc = replace(nfc, constant=one_hot.constant, kernels=one_hot.kernels)
    conditions: tuple[Condition, ...] = (promise, transport, coupling, one_hot, nfc)
    if level is not None:
        conditions = _closed(
            tuple(replace(one, holds=_at(one, level, table, framework, aligned)) for one in conditions)
        )
    return Conditions(framework, aligned, level, single, rate, columns, conditions)


def _promise(single: Audit) -> Condition:
    ratio = single.leakage.ratio
    if ratio is None:
        return Condition("promise", None, None, None, Composes.NOT, None)
    return Condition("promise", *_logs(ratio), (ratio, 1), Composes.NOT, None)


def _transport(columns: Columns, costs: list[dict[Arc, Fraction]]) -> Condition:
    largest, kernels = Fraction(1), list[Kernel]()
    for laws, each in zip(columns.laws, costs):
        cost, routing = bottleneck(laws, each)
        if cost is None or routing.kernel is None:
            return Condition("transport", None, None, None, Composes.EXACTLY, None)
        largest = max(largest, cost)
        kernels.append(routing.kernel)
    return Condition("transport", *_logs(largest), (largest, 1), Composes.EXACTLY, Fraction(1), tuple(kernels))


def _one_hot(columns: Columns, costs: list[dict[Arc, Fraction]]) -> Condition:
    """Find the largest over x of the least cost over y, mixed so that the constant is least."""
    kind = Composes.UP_TO_A_CONSTANT
    nearest = [
        [min((cost for (a, _), cost in each.items() if a == x), default=None) for x in support(laws.mu)]
        for laws, each in zip(columns.laws, costs)
    ]
    if any(cost is None for row in nearest for cost in row):
        return Condition("one-hot", None, None, None, kind, None)
    largest = max(cost for row in nearest for cost in row if cost is not None)
    kernels, constant = list[Kernel](), Fraction(1)
    for laws, each in zip(columns.laws, costs):
        routing = routed(laws, [arc for arc, cost in each.items() if cost <= largest])
        if routing.kernel is None or routing.constant is None:
            raise SolverError("databases that have a near one were not routed to any")
        kernels.append(routing.kernel)
        constant = max(constant, routing.constant)
    return Condition("one-hot", *_logs(largest), (largest, 1), kind, constant, tuple(kernels))


def _nfc(columns: Columns, rate: Rate) -> Condition:
    kind = Composes.UP_TO_A_CONSTANT
    if rate.infinite:
        return Condition("nfc", None, None, None, kind, None)
    place = {label: x for x, label in enumerate(columns.labels)}
    betas = [(place[x], {place[y]: weight for y, weight in row.items()}) for x, row in rate.betas]
    kernels = tuple(
        {x: next(row for a, row in betas if a == x and all(laws.nu[y] for y in row)) for x in support(laws.mu)}
        for laws in columns.laws
    )
    constant = max(constant_of(laws, kernel) for laws, kernel in zip(columns.laws, kernels))
    return Condition("nfc", rate.lower, rate.upper, rate.exact, kind, constant, kernels)


def _coupling(
    columns: Columns,
    table: LogTable,
    costs: list[dict[Arc, Fraction]],
    transport: Condition,
    promise: Condition,
    nfc: Condition,
) -> Condition:
    """Enclose the largest over pairs of laws, exactly if it is the promise, the rate or 0."""
    if not transport.finite or promise.lower is None or nfc.lower is None:
        return replace(transport, name="coupling")
    lower = max(promise.lower, nfc.lower)
    upper, kernels = lower, list[Kernel]()
    for laws, cost, kernel in zip(columns.laws, costs, transport.kernels):
        if _logs(max(cost[x, y] for x, row in kernel.items() for y in row))[1] <= lower:
            kernels.append(kernel)
            continue
        least = least_level(table, laws, list(cost), kernel)
        kernels.append(least.kernel)
        lower, upper = max(lower, least.lower), max(upper, least.upper)
    result = Condition("coupling", lower, max(lower, upper), None, Composes.EXACTLY, Fraction(1), tuple(kernels))
    for exact in (promise.exact, nfc.exact):
        if exact is not None and _reaches(table, result, exact):
            low, high = _logs(exact[0])
            return replace(result, lower=low / exact[1], upper=high / exact[1], exact=exact)
    return result


def _reaches(table: LogTable, coupling: Condition, exact: tuple[Fraction, int]) -> bool:
    """Say whether the kernels are known to keep log(q) / d, which is a lower bound of the level."""
    q, d = exact
    low, high = _logs(q)
    if coupling.upper is None or abs(coupling.upper - low / d) > _CLOSE * max(high / d, _CLOSE):
        return False
    return all(table.keeps(kernel, (q, _ZERO), d) is Decision.HOLDS for kernel in coupling.kernels)


def _at(one: Condition, level: Level, table: LogTable, framework: Framework, mechanism: Channel) -> Decision:
    """Decide a condition at a level: by its exact value, its bounds, or its kernels."""
    if one.lower is None or one.upper is None:
        return Decision.FAILS
    if one.exact is not None and one.exact[1] == 1:
        return Decision.at_most(level.compare(one.exact[0]))
    if one.name == "nfc":
        return check_nfc(framework, mechanism, level).answer
    low, high = (level.nats, level.nats) if level.nats is not None else _logs(level.ratio or Fraction(1))
    if one.upper <= low:
        return Decision.HOLDS
    if one.lower > high:
        return Decision.FAILS
    value = (level.ratio or Fraction(1), level.nats or _ZERO)
    kept = all(table.keeps(kernel, value) is Decision.HOLDS for kernel in one.kernels)
    return Decision.HOLDS if kept else Decision.UNDECIDED


def _closed(conditions: tuple[Condition, ...]) -> tuple[Condition, ...]:
    """Settle what is undecided by what implies it, and by what it implies."""
    holds = {one.name: one.holds for one in conditions}
    implies: Mapping[str, tuple[str, ...]] = {
        "transport": ("promise", "coupling", "one-hot", "nfc"),
        "coupling": ("promise", "nfc"),
        "one-hot": ("nfc",),
    }
    for strong, weaker in implies.items():
        for weak in weaker:
            if holds[strong] is Decision.HOLDS and holds[weak] is Decision.UNDECIDED:
                holds[weak] = Decision.HOLDS
            if holds[weak] is Decision.FAILS and holds[strong] is Decision.UNDECIDED:
                holds[strong] = Decision.FAILS
    return tuple(replace(one, holds=holds[one.name]) for one in conditions)


def _logs(ratio: Fraction) -> tuple[Fraction, Fraction]:
    return (_ZERO, _ZERO) if ratio == 1 else log_bounds(ratio, _ACCURACY)
