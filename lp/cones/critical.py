"""The critical budget: the smallest e^epsilon at which a number of releases within the same budget
can leak everything.

The cone of columns grows with the budget, so collapse is monotone in it. The threshold is enclosed
by bisection over rational budgets, each decided exactly (`supports`): no collapse at the lower end,
collapse at the upper end. A simple rational, or the root of one, in between is named as a
candidate; the rational one is then decided itself. That the threshold *is* the candidate is not
proved here.
"""

from dataclasses import dataclass, replace
from fractions import Fraction
from math import isqrt

from pufferproof.lp.cones.columns import Columns
from pufferproof.lp.cones.separation import RESTS_ON as SEPARATION_RESTS_ON
from pufferproof.lp.cones.separation import Limit, Supports, Undecided
from pufferproof.lp.cones.supports import RESTS_ON as SUPPORTS_REST_ON
from pufferproof.lp.cones.supports import CollapseNumber, first_cover, targets
from pufferproof.models.errors import ModelError
from pufferproof.models.framework import Framework
from pufferproof.models.interface.kinds import check_type
from pufferproof.models.interface.readable import Readable, between
from pufferproof.models.numbers.level import Level, LevelLike
from pufferproof.models.numbers.text import brief, text_of
from pufferproof.verify.decision import united
from pufferproof.verify.leakage.ratio import Leakage

RESTS_ON = ("worst.supports",)
WIDTH = Fraction(1, 10**12)
_SIMPLE = 10**4
_FINE = 10**40


@dataclass(frozen=True, repr=False)
class CriticalRatio(Readable):
    """Where collapse starts: none at e^epsilon = `lower`, collapse at `upper` with `columns`; equal
    ends are the threshold 1.

    `power`, `candidate`: the only simple number r that the ends allow, threshold^power = r; None
    where nothing simple fits.
    """

    runs: int
    lower: Fraction
    upper: Fraction
    columns: CollapseNumber
    power: int | None = None
    candidate: Fraction | None = None

    def __str__(self) -> str:
        if self.lower == self.upper == 1:
            return f"{self.runs} releases can leak everything at every budget, even 0"
        root = "" if self.candidate is None else f", where log({brief(self.candidate)}){'/2' * (self.power == 2)} lies"
        low, high = (Leakage.of(end).enclosure() for end in (self.lower, self.upper))
        ends = between(Fraction(low.lower), Fraction(high.upper))
        return f"{self.runs} releases can leak everything from a budget on that is {ends} nats{root}"


def critical_rests_on(columns: Columns) -> tuple[str, ...]:
    """Return the claims that a critical budget rests on, and that there is none."""
    return united(RESTS_ON, columns.rests_on, SUPPORTS_REST_ON, SEPARATION_RESTS_ON)


def critical_ratio(
    framework: Framework | Columns,
    runs: int,
    per_record: LevelLike | None = None,
    width: Fraction = WIDTH,
    limit: Limit | float | None = None,
) -> CriticalRatio | None:
    """Enclose the smallest e^epsilon at which `runs` releases within that budget can leak
    everything; None: there is none.

    >>> from pufferproof import Framework, Table
    >>> theta = Table({"a": "1/2", "b": "1/4", "c": "1/4"})
    >>> secrets = {name: [name] for name in "abc"}
    >>> framework = Framework(["a", "b", "c"], secrets, "disjoint", {"theta": theta})
    >>> critical_ratio(framework, 2) is None
    True

    Args:
        framework: without convex closure.
        per_record: a level log(N/M) of per-record differential privacy that every release keeps on
            top.
        width: how far apart the ends may be.
        limit: how many seconds the search may take, or a `Limit` that it shares; without it work is
            counted, not timed.

    Raises `ModelError` unless there is a run, and as `Columns` and its `cone` do; `Undecided` when
    the limit ends the search.
    """
    framework = check_type(framework, Framework | Columns, "framework")
    runs = check_type(runs, int, "runs")
    width = check_type(width, Fraction, "width")
    limit = check_type(limit, Limit | float | None, "limit")
    if runs < 1:
        raise ModelError(f"expected at least 1 run, found {runs}", "runs")
    if width <= 0:
        raise ModelError(f"expected a width above 0, found {text_of(width)}", "width")
    columns = framework if isinstance(framework, Columns) else Columns(framework)
    ratio = None if per_record is None else _ratio(Level.coerce(per_record, "per_record"))
    search = _BudgetDecider(columns, runs, ratio, limit if isinstance(limit, Limit) else Limit(limit))
    lowest = search.at(Fraction(1))
    if lowest is not None:
        return CriticalRatio(runs, Fraction(1), Fraction(1), lowest, 1, Fraction(1))
    lower, upper = Fraction(1), largest_ratio(columns)
    collapse = search.at(upper)
    if collapse is None:
        return None
    narrow = _narrowed(search, CriticalRatio(runs, lower, upper, collapse), width)
    return narrow if narrow.upper - narrow.lower > width else _recognised(search, narrow)


def _narrowed(search: "_BudgetDecider", wide: CriticalRatio, width: Fraction) -> CriticalRatio:
    """Return the enclosure with its ends at most `width` apart, or as the limit leaves it."""
    tried: set[Fraction] = set()
    while wide.upper - wide.lower > width:
        around = _around_simple(wide.lower, wide.upper, width)
        untried = [point for point in around if point not in tried]
        point = untried[0] if untried else _between(wide.lower, wide.upper)
        tried.add(point)
        try:
            wide = _divided(search, wide, point)
        except Undecided:  # both ends are decided: the answer is wider, not wrong
            break
    return wide


def _divided(search: "_BudgetDecider", wide: CriticalRatio, point: Fraction) -> CriticalRatio:
    """Return the part of an enclosure below or above a point, where the threshold is."""
    collapse = search.at(point)
    return replace(wide, lower=point) if collapse is None else replace(wide, upper=point, columns=collapse)


def _recognised(search: "_BudgetDecider", narrow: CriticalRatio) -> CriticalRatio:
    """Return the enclosure with a simple number in it, itself or its square, if there is one."""
    for power in (1, 2):
        candidate = simplest(narrow.lower**power, narrow.upper**power)
        if candidate.denominator <= _SIMPLE and candidate.numerator <= _SIMPLE:
            at = _divided(search, narrow, candidate) if power == 1 else narrow
            return replace(at, power=power, candidate=candidate)
    return narrow


def _ratio(level: Level) -> Fraction:
    if level.ratio is None:
        raise ModelError(f'expected a level such as "log(2)", whose e^level is rational, found {level}', "per_record")
    return level.ratio


def _around_simple(lower: Fraction, upper: Fraction, width: Fraction) -> list[Fraction]:
    """Return points close on either side to a simple threshold that the ends allow."""
    points = []
    for power in (1, 2):
        guess = simplest(lower**power, upper**power)
        if guess.denominator <= _SIMPLE:
            root = guess if power == 1 else Fraction(isqrt(int(guess * _FINE**2)), _FINE)
            points += [root - width / 3, root + width / 3]
    return [point for point in points if lower < point < upper]


class _BudgetDecider:
    """Decides one budget after another, with what budgets below and above have shown."""

    def __init__(self, columns: Columns, runs: int, per_record: Fraction | None, limit: Limit | None) -> None:
        self.columns, self.runs, self.per_record, self.limit = columns, runs, per_record, limit
        self.targets = targets(columns)
        self._below: Supports | None = None
        self._above: Supports | None = None

    def at(self, ratio: Fraction) -> CollapseNumber | None:
        supports = Supports(self.columns.cone(ratio, self.per_record), self.limit)
        supports.learn(self._below, self._above)
        collapse = first_cover(self.targets, [supports] * self.runs)
        if collapse is None:
            self._below = supports
        else:
            self._above = supports
            self.targets.sort(key=lambda target: target != collapse.target)
        return collapse


def _between(lower: Fraction, upper: Fraction) -> Fraction:
    """Return a short rational near the middle."""
    third = (upper - lower) / 3
    return simplest(lower + third, upper - third)


def simplest(lower: Fraction, upper: Fraction) -> Fraction:
    """Return the rational of smallest denominator with lower <= r <= upper, both positive.

    >>> simplest(Fraction(31, 100), Fraction(34, 100))
    Fraction(1, 3)
    """
    # convergents p / q of the continued fraction that both ends begin with
    p, q = 1, 0
    last_p, last_q = 0, 1
    while (whole := -(-lower.numerator // lower.denominator)) > upper:
        below = whole - 1
        p, last_p, q, last_q = below * p + last_p, p, below * q + last_q, q
        lower, upper = 1 / (upper - below), 1 / (lower - below)
    return Fraction(whole * p + last_p, whole * q + last_q)


def largest_ratio(columns: Columns) -> Fraction:
    """Return an e^epsilon beyond which no further zero patterns appear.

    A support S is that of some column at some budget iff S meets supp nu whenever it meets supp mu;
    then its indicator is a column at max 1 / min nu.
    """
    return max(Fraction(law.nu_total, min(n for n in law.nu if n)) for law in columns.laws)
