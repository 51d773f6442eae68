"""The exact critical budget: a candidate from bisection, and real arithmetic with e^epsilon as an
unknown to prove it.

`lp/cones/critical.py` encloses the smallest e^epsilon at which a number of releases can leak
everything, and names a simple number r with threshold^power = r. With R and the columns as
unknowns, "some columns of C_R leak everything and 1 < R, R^power < r" is a formula over the reals:
unsatisfiable, it proves that nothing collapses below (R = 1 is decided by linear programs);
satisfiable with R^power = r, that the threshold is attained. Z3 and cvc5 must both say so: an
answer of one of them, or "unknown", is never a verdict.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from pufferproof.counterexamples.collapse.smt import confirm, leaking_everything, model_of, sum_of
from pufferproof.lp.cones.columns import Columns
from pufferproof.lp.cones.critical import CriticalRatio, critical_ratio
from pufferproof.lp.cones.separation import Limit, Undecided
from pufferproof.lp.cones.supports import targets
from pufferproof.models.framework import Framework
from pufferproof.models.interface.readable import Readable
from pufferproof.models.numbers.proposals import solving
from pufferproof.verify.decision import Decision

if TYPE_CHECKING:
    from z3 import ArithRef, BoolRef, RatNumRef


@dataclass(frozen=True, repr=False)
class Threshold(Readable):
    """Where collapse in `enclosure.runs` releases starts.

    `attained` is whether there is a collapse at `value`^(1/`power`), and none below it. HOLDS: the
    threshold is `exact`. FAILS: none at budgets up to and including that number is proved, so
    that the threshold, which `enclosure` encloses, is at `least` it. Undecided: nothing is
    proved beyond the enclosure.
    """

    enclosure: CriticalRatio
    attained: Decision

    @property
    def exact(self) -> bool:
        """Whether the number is proved to be the threshold."""
        return self.attained is Decision.HOLDS

    @property
    def least(self) -> bool:
        """Whether the threshold is proved to be at least the number, and not attained there."""
        return self.attained is Decision.FAILS

    @property
    def power(self) -> int | None:
        """1 when the candidate is e^epsilon itself, 2 when it is its square; None without a
        candidate.
        """
        return self.enclosure.power

    @property
    def value(self) -> Fraction | None:
        """The candidate, or None if nothing simple lies in the enclosure."""
        return self.enclosure.candidate

    def __str__(self) -> str:
        bounded = "proved to be at least that" if self.least else "not proved to be that"
        proved = "exactly there" if self.exact else bounded
        return f"{self.enclosure}{'' if self.value is None else f' ({proved})'}"


def search_threshold(
    framework: Framework, runs: int, seconds: float | None = None
) -> Threshold | None:
    """Return the smallest e^epsilon at which `runs` releases within that budget collapse; None:
    none do at any budget.

    >>> from pufferproof import Framework, Table
    >>> priors = {
    ...     "theta1": Table({"a": "1/2", "b": "1/6", "c": "1/3"}),
    ...     "theta2": Table({"a": "1/2", "b": "1/4", "c": "1/4"}),
    ... }
    >>> framework = Framework(["a", "b", "c"], {"s": ["a"], "t": ["b", "c"]}, [("s", "t")], priors)
    >>> threshold = search_threshold(framework, 2)
    >>> threshold.exact, threshold.power, threshold.value
    (True, 2, Fraction(3, 2))

    Raises `Undecided` when the time is over before there is an enclosure.
    """
    columns, limit = Columns(framework), Limit(seconds)
    critical = critical_ratio(columns, runs, limit=limit)
    if critical is None:
        return None
    if critical.lower == critical.upper:
        return Threshold(critical, Decision.HOLDS)
    if critical.candidate is None or critical.power is None:
        return Threshold(critical, Decision.UNDECIDED)
    number = critical.candidate, critical.power
    try:
        return Threshold(critical, _attained(columns, runs, number, limit))
    except Undecided:
        return Threshold(critical, Decision.UNDECIDED)


def _attained(columns: Columns, runs: int, number: tuple[Fraction, int], limit: Limit) -> Decision:
    """Return whether there is a collapse at value^(1/power) and none below. Raises `Undecided`."""
    value, power = number
    below = _collapses(columns, runs, lambda r: r**power < _real(value), limit)
    at = value > 1 and _collapses(columns, runs, lambda r: r**power == _real(value), limit)
    return Decision.UNDECIDED if below else Decision(at)


@solving("Z3", Undecided)
def _collapses(
    columns: Columns, runs: int, condition: "Callable[[ArithRef], BoolRef]", limit: Limit
) -> bool:
    """Say whether `runs` columns of C_R leak everything for some R > 1 with a condition. Raises
    `Undecided`.
    """
    import z3

    ratio = z3.Real("R")
    solver = z3.Solver()
    entries = [[z3.Real(f"u{i}_{y}") for y in range(len(columns.databases))] for i in range(runs)]
    for column in entries:
        solver.add(*_within(column, columns, ratio))
    solver.add(*leaking_everything(entries, targets(columns)), ratio > 1, condition(ratio))
    if model_of(solver, limit, "QF_NRA") is None:
        return False
    confirm(solver, "sat", limit, "QF_NRA")  # R may be irrational: a model is not evaluated here
    return True


def _within(column: "Sequence[ArithRef]", columns: Columns, ratio: "ArithRef") -> "list[BoolRef]":
    """Return the statements that a column of unknowns lies in C_R, R an unknown as well."""
    stated = [entry >= 0 for entry in column]
    for law in columns.laws:
        above = sum_of([m * law.nu_total * entry for m, entry in zip(law.mu, column) if m])
        below = sum_of([n * law.mu_total * entry for n, entry in zip(law.nu, column) if n])
        stated.append(above <= ratio * below)
    return stated


def _real(value: Fraction) -> "RatNumRef":
    import z3

    return z3.RealVal(str(value))
