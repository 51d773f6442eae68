"""The worst partner of a mechanism: what leaks most together with it, among all mechanisms within a
budget.

For an output w of the given mechanism, with column u = (P(w | x))_x, and an ordered pair of laws
(mu, nu),

    maximise <mu o u, v>  subject to  <nu o u, v> = 1,  v in C_R,

the cone of columns that the budget allows, is solved exactly; unbounded means collapse. The best v
gives a partner with two outputs, whose joint leakage is computed again from the mechanisms
themselves; the dual vectors prove that none is worse, adaptive or with any outputs. Not decided
here: what the worst pair of mechanisms is, both free.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import inf

from pufferproof.lp.cones.columns import Columns, Cone, OrderedLaws, columns_rest_on, primitive, require_private
from pufferproof.lp.exact.linear import Program, Row, Status
from pufferproof.lp.exact.program import solve_exact
from pufferproof.lp.exact.proposals import proposed
from pufferproof.lp.worst.composition import blended, keep, members_of, smaller, thinned
from pufferproof.models.channel import Channel
from pufferproof.models.errors import SolverError
from pufferproof.models.framework import Framework
from pufferproof.models.interface.kinds import check_type
from pufferproof.models.interface.readable import Readable, listed
from pufferproof.models.interface.tabular import Entry, Tabular, nats
from pufferproof.models.numbers.level import Level, LevelLike
from pufferproof.models.numbers.text import JsonObject
from pufferproof.verify.audit import Audit, audit
from pufferproof.verify.audit.composition import Composition, compose
from pufferproof.verify.decision import Decision, bases, united
from pufferproof.verify.leakage.ratio import Leakage

RESTS_ON = ("worst.linear-fractional", "worst.lemma0", "worst.columns", "worst.general-outputs")
WIDTH = Fraction(1, 10**14)  # relative, of the bounds of a joint ratio
_UNIT = 1 << 60
_FIRST_ACCURACY, _LAST_ACCURACY = 64, 1024


@dataclass(frozen=True)
class PartnerBound:
    """What no partner exceeds at one output of the mechanism and one ordered pair of laws.

    With c = mu o u, d = nu o u for the laws mu, nu and the column u of `output`, and the rows of a
    cone (inequalities, then equations): c_x + sum_k multipliers_k row_k[x] <= ratio * d_x for every
    x, multipliers >= 0 on inequalities. Hence <c, v> <= ratio <d, v> for every v of the cone.
    """

    output: str
    law: int
    ratio: Fraction
    multipliers: tuple[Fraction, ...]

    def proves(self, columns: Columns, cone: Cone, mechanism: Channel) -> bool:
        """Check the inequalities from their definition."""
        c, d = _weighted(columns.laws[self.law], columns.column(mechanism, self.output))
        rows = [*cone.inequalities, *cone.equations]
        if len(self.multipliers) != len(rows) or any(m < 0 for m in self.multipliers[: len(cone.inequalities)]):
            return False
        left = [c[x] + sum(m * row[x] for m, row in zip(self.multipliers, rows) if m) for x in range(len(c))]
        return all(above <= self.ratio * below for above, below in zip(left, d))


@dataclass(frozen=True, repr=False)
class Partner(Readable, Tabular):
    """The worst partner of `mechanism` within `budget` (and `per_record`).

    Fields: `single` is the audit of the mechanism alone, `channel` the partner, `together` the
    exact audit of both. `upper` is e^ of a level that no partner within the budget exceeds, None if
    infinite or unknown; `bounds` prove it over `cone`.
    """

    _named = ("release",)

    framework: Framework = field(repr=False)
    mechanism: Channel = field(repr=False)
    budget: Level
    per_record: Level | None
    single: Audit = field(repr=False)
    channel: Channel
    together: Composition = field(repr=False)
    upper: Fraction | None
    cone: Cone = field(repr=False)
    bounds: tuple[PartnerBound, ...] = field(repr=False)

    @property
    def decided(self) -> bool:
        """Whether the joint leakage is known to be infinite, or enclosed."""
        return self.together.joint.leakage.infinite or self.upper is not None

    @property
    def joint(self) -> Leakage:
        """The largest joint leakage: exact if budgets are rational, else bounds, the lower one that
        of `channel`.

        Where it is not `decided` the upper bound is None beside a finite lower one.
        """
        joint = self.together.joint.leakage
        return joint if joint.infinite else Leakage(joint.ratio, self.upper)

    @property
    def trust(self) -> tuple[str, ...]:
        """What the answer rests on: exact arithmetic, and interval arithmetic where a budget is
        irrational.
        """
        irrational = any(level is not None and level.ratio is None for level in (self.budget, self.per_record))
        return ("EXACT", "INTERVAL") if irrational else ("EXACT",)

    @property
    def rests_on(self) -> tuple[str, ...]:
        """The claims that the answer rests on, with those of the leakages."""
        return united(RESTS_ON, columns_rest_on(self.framework), self.together.rests_on)

    def entries(self) -> list[Entry]:
        """Return a row for the mechanism, one for the partner, and one for both."""
        leakages = {
            "mechanism": self.single.leakage,
            "partner": self.together.single[1].leakage,
            "together": self.joint,
        }
        return [{"release": name} | nats(leakage.enclosure()) for name, leakage in leakages.items()]

    def as_json(self) -> JsonObject:
        """Return the partner object of the file formats (without file names and `inputs`)."""
        together = self.together.as_json()
        joint = self.joint.as_json()
        if not self.decided:
            joint["epsilon"] = {"lower": self.together.joint.leakage.enclosure().lower, "upper": "inf"}
        return {
            "single": self.single.leakage.as_json(),
            "own": self.together.single[1].leakage.as_json(),
            "joint": joint,
            "witness": together["witness"],
            "budget": str(self.budget),
            "per_record_dp": None if self.per_record is None else str(self.per_record),
            "decided": self.decided,
            "excluded": together["excluded"],
            "never_checked": together["never_checked"],
            "programs": len(self.bounds),
            "trust": list(self.trust),
            "rests_on": bases(self.rests_on),
        }

    def __str__(self) -> str:
        record = "" if self.per_record is None else f" and {self.per_record} per record"
        sure, alone = "" if self.decided else "undecided: ", self.single.leakage
        above, below = self.together.joint.witness.pair
        return (
            f"{sure}joint leakage {self.joint} with the worst partner within "
            f"{self.budget}{record}, {alone} alone; at outputs {listed(self.together.outputs)} for "
            f"{above!r} against {below!r}"
        )


def worst_partner(
    framework: Framework, mechanism: Channel, budget: LevelLike, per_record: LevelLike | None = None
) -> Partner:
    """Find the mechanism within a budget whose joint release with a given one leaks most.

    Every v of the cone is, up to scale, a column of a mechanism with two outputs [t v, 1 - t v]
    within the budget (worst.lemma0). A budget with irrational e^epsilon is put between two rational
    ones: a partner at the lower one is within the budget, and the duals at the upper one bound
    every partner.

    >>> from pufferproof import Channel, Framework, Table
    >>> fair = Table({"00": "1/4", "01": "1/4", "10": "1/4", "11": "1/4"})
    >>> secrets = {"equal": ["00", "11"], "different": ["01", "10"]}
    >>> framework = Framework(["00", "01", "10", "11"], secrets, [("equal", "different")], {"theta": fair})
    >>> first_bit = Channel.of({x: {x[0]: 1} for x in framework.databases})
    >>> partner = worst_partner(framework, first_bit, "log(1)")
    >>> partner.single.leakage.ratio, partner.joint.infinite, partner.channel.outputs
    (Fraction(1, 1), True, ('w', 'v'))

    Args:
        framework: without convex closure.
        mechanism: any channel on it; its own leakage plays no part in the budget.
        budget: the level the partner keeps alone.
        per_record: a level of per-record differential privacy that the partner keeps as well.

    Raises `ModelError` unless the mechanism fits and levels are at most 900 nats, and as
    `Columns.cone` does.

    Source: Charnes and Cooper, "Programming with linear fractional functionals", 1962.
    """
    framework = check_type(framework, Framework, "framework")
    mechanism = check_type(mechanism, Channel, "mechanism")
    budget = Level.coerce(budget, "budget")
    per_record = None if per_record is None else Level.coerce(per_record, "per_record")
    require_private([budget, per_record], "budget")
    if framework.classes:
        # a partner within the budget for all chains of the classes; no upper bound is known
        members = members_of(framework)
        for (level,) in smaller([budget]):
            best = worst_partner(members, mechanism, level, per_record)
            chosen = thinned(best.channel, budget) if len(best.channel.outputs) > 1 else best.channel
            if kept := keep(framework, [chosen], [budget]):
                break
        if not kept:
            every = blended(best.channel, budget, per_record)
            chosen = next(each for each in every if keep(framework, [each], [budget]))
        together = compose(members, [mechanism, chosen])
        fields = {"budget": budget, "channel": chosen, "together": together}
        return replace(best, **fields, upper=None, bounds=())  # type: ignore[arg-type]
    columns = Columns(framework)
    aligned = mechanism.aligned(framework.databases, framework.support)
    single = audit(framework, aligned)
    if single.leakage.infinite:  # then so is every joint leakage: nothing more need be said
        silent = Channel.of({x: {"w": 1} for x in framework.databases})
        cone = columns.cone(Fraction(1))
        together = compose(framework, [mechanism, silent])
        return Partner(framework, mechanism, budget, per_record, single, silent, together, None, cone, ())
    low, high, extra = _enclosed(columns, aligned, budget, per_record)
    channel = columns.two_output_mechanism(low.cone, low.column, extra)
    together = compose(framework, [mechanism, channel])
    if together.joint.leakage.ratio != low.ratio or audit(framework, channel, budget).kept is not Decision.HOLDS:
        raise SolverError("the worst partner failed its own check")
    return Partner(
        framework, mechanism, budget, per_record, single, channel, together, high.ratio, high.cone, high.bounds
    )


@dataclass(frozen=True)
class _BestColumn:
    """The largest joint ratio over one cone, or None if infinite, its column and bounds."""

    cone: Cone
    ratio: Fraction | None
    column: tuple[int, ...]
    bounds: tuple[PartnerBound, ...]


def _enclosed(
    columns: Columns, mechanism: Channel, budget: Level, per_record: Level | None
) -> tuple[_BestColumn, _BestColumn, Fraction | None]:
    """Return the best at rationals just below and above the budget, and a per-record level."""
    accuracy = _FIRST_ACCURACY
    while True:
        ratios = _rationals(budget, accuracy)
        extra = None if per_record is None else _rationals(per_record, accuracy)
        low = _at(columns, mechanism, ratios[0], extra and extra[0])
        rational = ratios[0] == ratios[1] and (extra is None or extra[0] == extra[1])
        if rational or low.ratio is None:
            return low, low, extra and extra[0]
        high = _at(columns, mechanism, ratios[1], extra and extra[1])
        near = high.ratio is not None and high.ratio - low.ratio <= WIDTH * (low.ratio - 1 if low.ratio > 1 else 1) / 2
        if near or accuracy >= _LAST_ACCURACY:
            return low, high, extra and extra[0]
        accuracy *= 2


def _at(columns: Columns, mechanism: Channel, ratio: Fraction, per_record: Fraction | None) -> _BestColumn:
    """Solve the programs of all outputs and laws over one cone, exactly where a float proposal does
    not prove enough.

    The programs that look largest come first. The multipliers that floats propose for another one,
    rounded to rationals, prove a bound; where that is no more than what is attained already, the
    exact optimum does not matter.
    """
    cone = columns.cone(ratio, per_record)
    rows = [Row(_sparse(row), ">=") for row in cone.inequalities] + [Row(_sparse(row), "=") for row in cone.equations]
    tasks = []
    for task in _programs(columns, mechanism):
        program = Program(_sparse(task.c), [*rows, Row(_sparse(task.d), "=", 1)], cone.dimension)
        tasks.append((task, program, proposed(program)))
    # the last multiplier is the value
    tasks.sort(key=lambda each: -inf if each[2] is None else -each[2].dual[-1])
    best, column, bounds = Fraction(-1), tuple[int, ...](), list[PartnerBound]()
    for task, program, proposal in tasks:
        own_row = [
            ratio * nu / columns.laws[task.law].nu_total - Fraction(mu, columns.laws[task.law].mu_total)
            for mu, nu in zip(columns.laws[task.law].mu, columns.laws[task.law].nu)
        ]
        own = primitive(own_row)
        bound = None if proposal is None else _bound(task, cone, own, proposal.dual[:-1])
        if bound is None or bound.ratio > best:
            solution = solve_exact(program)
            if solution.status is Status.UNBOUNDED:
                return _BestColumn(cone, None, primitive(solution.ray), ())
            if solution.value is None:  # the vector of ones lies in every cone, so the program is feasible
                raise SolverError("the program of a worst partner has no feasible point")
            bound = PartnerBound(task.output, task.law, solution.value, tuple(-y for y in solution.dual[:-1]))
            if bound.ratio > best:
                best, column = bound.ratio, primitive(solution.x)
        bounds.append(bound)
    return _BestColumn(cone, best, column, tuple(bounds))


def _bound(task: "_OutputProgram", cone: Cone, own: tuple[int, ...], dual: Sequence[float]) -> PartnerBound | None:
    """Return the bound that float multipliers prove once they are rational; None if they prove
    none.

    Where d_x = 0 nothing may be left of c_x + sum_k multipliers_k row_k[x]; rounding leaves a
    little, which a little more of the row `own` = R nu - mu of the laws themselves takes away.
    """
    rows, signed = [*cone.inequalities, *cone.equations], len(cone.inequalities)
    multipliers = [
        Fraction(round(-y * _UNIT), _UNIT) if k >= signed or y < 0 else Fraction(0) for k, y in enumerate(dual)
    ]
    above = list(task.c)
    for multiplier, row in zip(multipliers, rows):
        if multiplier:
            above = [a + multiplier * entry if entry else a for a, entry in zip(above, row)]
    left = [(a, entry) for a, entry, below in zip(above, own, task.d) if a > 0 and not below]
    if left:
        if own not in rows or any(entry >= 0 for _, entry in left):
            return None
        more = max(a / -entry for a, entry in left)
        multipliers[rows.index(own)] += more
        above = [a + more * entry for a, entry in zip(above, own)]
        if any(a > 0 and not below for a, below in zip(above, task.d)):
            return None
    ratio = max(a / below for a, below in zip(above, task.d) if below)
    return PartnerBound(task.output, task.law, ratio, tuple(multipliers))


@dataclass(frozen=True)
class _OutputProgram:
    """The program of one output and one pair of laws: c = mu o u and d = nu o u."""

    output: str
    law: int
    c: tuple[Fraction, ...]
    d: tuple[Fraction, ...]


def _programs(columns: Columns, mechanism: Channel) -> Iterator[_OutputProgram]:
    """Yield a program for each two proportional columns that nu sees."""
    seen: set[tuple[int, ...]] = set()
    for output in mechanism.outputs:
        u = columns.column(mechanism, output)
        if (shape := primitive(u)) not in seen:
            seen.add(shape)
            for law, laws in enumerate(columns.laws):
                c, d = _weighted(laws, u)
                if any(d):  # else <mu, u> = 0 too, as the mechanism alone does not leak everything
                    yield _OutputProgram(output, law, c, d)


def _weighted(laws: OrderedLaws, u: tuple[Fraction, ...]) -> tuple[tuple[Fraction, ...], tuple[Fraction, ...]]:
    return (
        tuple(m * c / laws.mu_total for m, c in zip(laws.mu, u)),
        tuple(n * c / laws.nu_total for n, c in zip(laws.nu, u)),
    )


def _sparse(row: Sequence[Fraction | int]) -> dict[int, Fraction | int]:
    return {x: c for x, c in enumerate(row) if c}


def _rationals(level: Level, accuracy: int) -> tuple[Fraction, Fraction]:
    """Return rational bounds of e^level, both at least 1."""
    low, high = level.bounds(accuracy)
    return max(low, Fraction(1)), high
