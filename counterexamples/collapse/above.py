"""Joint leakage above a finite level: whether mechanisms within their budgets can total exceed it.

Two engines. The worst joint leakage itself (`lp/worst/composition.py`, engines `lp` and `rays`)
exceeds the level or does not; where only bounds of it are certified, either of them may settle the
question. Real arithmetic (`z3`): a product of columns against a level; that there is none, cvc5
must say as well. Slow beyond a few databases. What is found is untrusted: every mechanism is
audited, and the kernel checks the certificate. An answer "unknown" is never a verdict; whether
everything can leak is `collapse`.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import prod
from typing import TYPE_CHECKING

from pufferproof.counterexamples.collapse.search import EngineName, Impossible, NotFound
from pufferproof.counterexamples.collapse.threshold import entries_of, in_cone, model_of, sum_of
from pufferproof.lp.cones.columns import Columns, Cone, OrderedLaws, Vector, primitive, require_private
from pufferproof.lp.cones.separation import Limit, Undecided
from pufferproof.lp.exact.linear import Program, Row
from pufferproof.lp.exact.program import solve_exact
from pufferproof.lp.worst.composition import (
    SHARES,
    UNPROVED,
    WorstComposition,
    keep,
    members_of,
    smaller,
    worst_composition,
)
from pufferproof.models.channel import Channel
from pufferproof.models.errors import ModelError, SolverError, extras
from pufferproof.models.framework import Framework
from pufferproof.models.listing import Pair
from pufferproof.models.numbers.level import Level
from pufferproof.models.numbers.proportions import solving
from pufferproof.models.numbers.text import JsonObject
from pufferproof.verify.audit import audit
from pufferproof.verify.audit.composition import compose
from pufferproof.verify.certificates.writing import Inputs, level_json, statement
from pufferproof.verify.decision import united
from pufferproof.verify.leakage.ratio import Leakage

if TYPE_CHECKING:
    from z3 import ArithRef, ModelRef

RESTS_ON = ("worst.vertices", "worst.linear-fractional")
_PRECISIONS = (20, 60, 200, 600)
_ACCURACY = 64
_WORST_CASE = 200  # programs that a search for a worst case counts as
_AUDITED_ENTRIES = 2_000_000


@dataclass(frozen=True)
class LeakageAbove:
    """Mechanisms, one per budget, each within it, whose joint leakage `joint` exceeds `level`.

    Under `prior` the ratio of the joint output `outputs` given pair[0] and given pair[1] exceeds
    it. `fewest` says whether fewer releases within the same budget are proved not to do. That, and
    a joint leakage that is not written out, rest on the claims `rests_on`.
    """

    framework: Framework = field(repr=False)
    budgets: tuple[Level, ...]
    level: Level
    mechanisms: tuple[Channel, ...] = field(repr=False)
    joint: Leakage
    prior: str
    pair: Pair
    outputs: tuple[str, ...]
    fewest: bool = False
    rests_on: tuple[str, ...] = field(default=(), kw_only=True, compare=False, repr=False)

    @property
    def runs(self) -> int:
        """How many releases there are."""
        return len(self.mechanisms)

    def certificate(self, inputs: Inputs | None = None) -> JsonObject:
        """Return the certificate that the joint leakage exceeds the level, for `certified_text`."""
        place = {"prior": self.prior, "pair": list(self.pair), "outputs": list(self.outputs)}
        claim = {"releases": [*range(self.runs)], **place, "exceeds": level_json(self.level)}
        files = inputs or Inputs(None, (None,) * self.runs)
        return statement("joint-leakage-witness", claim, self.framework, self.mechanisms, files)


def search_leakage_above(
    framework: Framework,
    budgets: Sequence[Level | str],
    level: Level | str,
    seconds: float | None = None,
    engine: EngineName = "lp",
    runs_limit: int | None = None,
    per_record: Level | str | None = None,
) -> LeakageAbove | Impossible | NotFound:
    """Search for mechanisms within their budgets whose joint leakage exceeds a level, or prove that
    there are none.

    >>> from pufferproof import Framework, Table
    >>> theta = Table({"a": "1/2", "b": "1/2"})
    >>> framework = Framework(["a", "b"], {"s": ["a"], "t": ["b"]}, [("s", "t")], {"theta": theta})
    >>> search_leakage_above(framework, ["log(2)", "log(2)"], "log(3)").joint.ratio
    Fraction(4, 1)
    >>> search_leakage_above(framework, ["log(2)", "log(2)"], "log(4)")
    <Impossible: proved impossible for 2 releases within the budget, engine 'lp'>
    >>> search_leakage_above(framework, ["log(2)"], "log(5)", runs_limit=9).runs
    3

    Args:
        budgets: one per release, at least two; or a single one, with `runs_limit`: the fewest
            releases.
        seconds: roughly when to stop; without it work is counted, not timed.
        engine: "lp" and "rays" compute the worst case, "z3" searches over the reals.
        runs_limit: with a single budget, how many releases to try at most.
        per_record: level of per-record differential privacy that every mechanism keeps on top.

    Raises `ModelError` unless there are at least two releases, and the framework's closure is
    "list".
    """
    levels, above = tuple(Level.coerce(budget) for budget in budgets), Level.coerce(level)
    record = None if per_record is None else Level.coerce(per_record)
    if len(levels) < 2 and (not levels or runs_limit is None):
        raise ModelError(f"expected at least two budgets, or one and a runs limit, found {len(levels)}", "budget")
    if runs_limit is not None and (runs_limit < 2 or len(levels) > 1):
        expected = "at least 2" if len(levels) == 1 else "a single budget"
        raise ModelError(f"expected {expected}, found {runs_limit}", "runs limit")
    if engine not in ("lp", "rays", "z3"):
        raise ModelError(f'expected "lp", "rays" or "z3", found "{engine}"', "engine")
    require_private([*levels, record], "budgets")
    require_private([above], "above")
    if framework.classes:
        part = None if seconds is None else seconds / len(SHARES)
        options = (part, engine, runs_limit, per_record)
        return _of_classes(
            framework, levels, lambda within: search_leakage_above(members_of(framework), within, above, *options)
        )
    search = _ExceedsAt(framework, Columns(framework), above, record, engine, Limit(seconds))
    return search.decided(levels) if runs_limit is None else search.fewest(levels[0], runs_limit)


def _of_classes(
    framework: Framework,
    levels: tuple[Level, ...],
    search: Callable[[Sequence[Level]], LeakageAbove | Impossible | NotFound],
) -> LeakageAbove | Impossible | NotFound:
    """Return mechanisms within the budgets of all chains that leak more under some chain."""
    for within in smaller(levels):
        outcome = search(within)
        if isinstance(outcome, Impossible):
            return NotFound("impossible for some chains of the classes, which says nothing of all")
        if isinstance(outcome, NotFound):
            return outcome
        budgets = levels if len(levels) > 1 else levels * len(outcome.mechanisms)
        if keep(framework, outcome.mechanisms, budgets):
            return replace(outcome, budgets=budgets, fewest=False)
    return NotFound(f"found within the budgets for some chains of the classes, {UNPROVED}")


@dataclass
class _ExceedsAt:
    framework: Framework
    columns: Columns
    above: Level
    record: Level | None
    engine: EngineName
    limit: Limit

    def fewest(self, budget: Level, at_most: int) -> LeakageAbove | Impossible | NotFound:
        """Return the smallest find; a release more never leaks less."""
        fewer = budget == self.above or budget.bounds(_ACCURACY)[1] <= self.above.bounds(_ACCURACY)[0]
        claims: tuple[str, ...] = ()  # a budget within the level needs none
        for count in range(2, at_most + 1):
            answer = self.decided((budget,) * count)
            if isinstance(answer, LeakageAbove):
                return replace(answer, fewest=fewer, rests_on=united(answer.rests_on, claims))
            fewer = isinstance(answer, Impossible)
            claims = answer.rests_on if isinstance(answer, Impossible) else ()
            if self.limit.over is not None:
                return self._stopped((budget,), f"{count} of at most {at_most} releases were tried")
        return answer

    def decided(self, budgets: tuple[Level, ...]) -> LeakageAbove | Impossible | NotFound:
        try:
            self.limit.check(_WORST_CASE)
            return self._by_z3(budgets) if self.engine == "z3" else self._by_worst_case(budgets)
        except Undecided as error:
            return self._stopped(budgets, str(error))

    def _stopped(self, budgets: tuple[Level, ...], why: str) -> NotFound:
        names = ", ".join(map(str, budgets))
        size = f"{len(self.columns.databases)} databases, budget{'s' * (len(budgets) > 1)} {names}"
        return NotFound(f'engine "{self.engine}", {size}, level {self.above}: {why}')

    def _by_worst_case(self, budgets: tuple[Level, ...]) -> LeakageAbove | Impossible | NotFound:
        worst = worst_composition(self.framework, budgets, self.record, seconds=self.limit.left)
        if worst.lower is None or self.above.compare(worst.lower) > 0:
            exact = worst if worst.decided else None
            return self._found(budgets, worst.mechanisms, worst.prior, worst.pair, exact)
        if worst.upper is not None and self.above.compare(worst.upper) <= 0:
            return Impossible(len(budgets), self.engine, rests_on=worst.rests_on)
        return self._stopped(budgets, "the level is within the certified bounds of the worst joint leakage")

    def _by_z3(self, budgets: tuple[Level, ...]) -> LeakageAbove | Impossible | NotFound:
        low, record = [self._cone(budget, 0) for budget in budgets], self._record(0)
        columns = leaking_columns(self.columns, low, self.above.bounds(_ACCURACY)[1], self.limit)
        if columns is not None:
            law, chosen = columns
            mechanisms = tuple(self.columns.mechanism_with(cone, [u], record) for cone, u in zip(low, chosen))
            return self._found(budgets, mechanisms, *law.places[0], None)
        # say whether what is impossible at the lower ends of the levels is so at the levels
        # themselves: they are rational, or it is at the upper ends as well
        levels = (*budgets, self.above, self.record)
        if all(level is None or level.ratio is not None for level in levels):
            is_impossible = True
        else:
            high = [self._cone(budget, 1) for budget in budgets]
            least = self.above.bounds(_ACCURACY)[0]
            is_impossible = leaking_columns(self.columns, high, least, self.limit) is None
        if is_impossible:
            claims = united(RESTS_ON, self.columns.rests_on)
            return Impossible(len(budgets), "z3", rests_on=claims)
        return self._stopped(budgets, f"undecided at {_ACCURACY} bits of e^epsilon")

    def _record(self, end: int) -> Fraction | None:
        return None if self.record is None else self.record.bounds(_ACCURACY)[end]

    def _cone(self, budget: Level, end: int) -> Cone:
        return self.columns.cone(budget.bounds(_ACCURACY)[end], self._record(end))

    def _found(
        self,
        budgets: tuple[Level, ...],
        mechanisms: tuple[Channel, ...],
        prior: str,
        pair: Pair,
        worst: WorstComposition | None,
    ) -> LeakageAbove | NotFound:
        """Audit what was found, exactly; its joint leakage is that of the worst case where
        the joint release is too large to write out.

        Raises `SolverError` unless each mechanism keeps its budget and the level is exceeded.
        """
        for mechanism, budget in zip(mechanisms, budgets, strict=True):
            single = audit(self.framework, mechanism).leakage.ratio
            if single is None or budget.compare(single) > 0:
                raise SolverError(f"a mechanism that was built does not keep its budget {budget}")
        joint, claims = (worst.joint, worst.rests_on) if worst else (None, ())
        if 2 ** len(budgets) * len(self.framework.databases) <= _AUDITED_ENTRIES:
            joint, claims = compose(self.framework, mechanisms).joint.leakage, ()
        if joint is None:
            return self._stopped(budgets, "the joint release that was found is too large to be written out")
        if not joint.infinite and (joint.lower is None or self.above.compare(joint.lower) <= 0):
            raise SolverError(f"the joint leakage of the mechanisms that were built does not exceed {self.above}")
        outputs = ("w",) * len(budgets)  # the columns that were looked for
        return LeakageAbove(
            self.framework, budgets, self.above, mechanisms, joint, prior, pair, outputs, rests_on=claims
        )


@solving("Z3", Undecided)
def leaking_columns(
    columns: Columns, cones: Sequence[Cone], ratio: Fraction, limit: Limit
) -> tuple[OrderedLaws, tuple[Vector, ...]] | None:
    """Return columns, one per cone, with <mu, product> > ratio * <nu, product> for some (mu, nu);
    None if impossible.

    Raises `Undecided` when Z3 or cvc5 gives up, no time is left, or no rational columns near a
    model do.
    """
    for law in columns.laws:
        with extras:
            import z3

        entries = entries_of(cones)
        solver = z3.SolverFor("QF_NRA")
        for column, cone in zip(entries, cones):
            solver.add(*in_cone(column, cone), *(entry <= 1 for entry in column))
        joint = [z3.Product(*values) for values in zip(*entries)]
        above = sum_of([m * law.nu_total * p for m, p in zip(law.mu, joint) if m])
        below = sum_of([n * law.mu_total * p for n, p in zip(law.nu, joint) if n])
        solver.add(ratio.denominator * above > ratio.numerator * below)
        model = model_of(solver, limit, "QF_NRA")
        if model is not None:
            return law, _rational_columns(model, cones, law, ratio)
    return None


def _rational_columns(model: object, cones: Sequence[Cone], law: OrderedLaws, ratio: Fraction) -> tuple[Vector, ...]:
    """Return rational columns near a model that exceed the ratio as well. Raises `Undecided` where
    there are none.

    A model may be algebraic, and is replaced by rational columns nearby, which a linear program
    keeps within the cone and exact arithmetic checks.
    """
    for precision in _PRECISIONS:
        near = _near(model, cones, precision)
        snapped = tuple(_snapped(column, cone) for column, cone in zip(near, cones))
        reached = law.ratio([prod(entries) for entries in zip(*snapped)])
        if reached is None or reached > ratio:
            return snapped
    raise Undecided("a model was found, and no rational columns near it")


def _near(model: "ModelRef", cones: Sequence[Cone], precision: int) -> list[list[Fraction]]:
    """Return rationals within 10^-precision of the columns of a model, exact where the model is."""
    with extras:
        import z3

    def near(entry: "ArithRef") -> Fraction:  # never a float
        value = model.eval(entry, model_completion=True)
        rational = value if z3.is_rational_value(value) else value.approx(precision)
        return Fraction(rational.as_fraction())

    return [[near(entry) for entry in column] for column in entries_of(cones)]


def _snapped(near: Sequence[Fraction], cone: Cone) -> Vector:
    """Return the vector of the cone that is nearest in total distance, zero where `near` is."""
    size = cone.dimension
    rows = [Row({y: c for y, c in enumerate(row) if c}, ">=") for row in cone.inequalities]
    rows += [Row({y: c for y, c in enumerate(row) if c}, "=") for row in cone.equations]
    for y, value in enumerate(near):
        rows += [Row({y: 1, size + y: -1}, "<=", value), Row({y: -1, size + y: -1}, "<=", -value)]
        if not value:
            rows.append(Row({y: 1}, "<=", 0))
    solved = solve_exact(Program({size + y: -1 for y in range(size)}, rows, 2 * size))
    return primitive(solved.x[:size])
