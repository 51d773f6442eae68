"""Strategies for keeping one record of a binary chain private by redaction, side by side: utility,
leakage, mechanism; and the best one that is blind to data, exactly.

Utility is the expected fraction of released records. Of every design the mechanism is exact and its
leakage recomputed by `pufferproof.verify.sequences.redaction.leakage`; `lower` of its utility is
what the mechanism reaches, `upper` what no mechanism of that strategy exceeds. What cannot be
computed is skipped with its reason, never guessed.

Source of the strategies: Massny, Bitar, Ye and El Rouayheb 2025 (massny2025), Sections III to V.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import count
from math import log1p
from typing import Literal

from pufferproof.lp.exact.program import NotConfirmedError
from pufferproof.lp.redaction.central import MOST_RECORDS, PAIRING_RESTS_ON, CentralOptimum, central_optimum
from pufferproof.lp.redaction.central import RESTS_ON as CENTRAL_RESTS_ON
from pufferproof.lp.redaction.curve import MOST_RESTS_ON, PROFILE_RESTS_ON
from pufferproof.lp.redaction.curve import RESTS_ON as CURVE_RESTS_ON
from pufferproof.lp.redaction.local import GRID_RESTS_ON, PAIRS_RESTS_ON, local_optimum
from pufferproof.lp.redaction.local import RESTS_ON as LOCAL_RESTS_ON
from pufferproof.lp.redaction.regions import (
    EXACT_RESTS_ON,
    MOST_MEDIUM,
    RELAXED_RESTS_ON,
    DesignSide,
    SideDesign,
    conic_side,
    constant_side,
    exact_side,
    relaxed_side,
    sides,
)
from pufferproof.lp.redaction.regions import RESTS_ON as REGIONS_RESTS_ON
from pufferproof.lp.redaction.split import PIECES_RESTS_ON, best_split
from pufferproof.lp.redaction.split import RESTS_ON as SPLIT_RESTS_ON
from pufferproof.models.channel import Channel
from pufferproof.models.errors import ModelError, SolverError
from pufferproof.models.interface.kinds import check_type
from pufferproof.models.interface.readable import Readable, between
from pufferproof.models.interface.steps import steps
from pufferproof.models.interface.tabular import Entry, Tabular, nats
from pufferproof.models.numbers.level import Level, LevelLike
from pufferproof.models.numbers.text import three
from pufferproof.models.sequences import binary, redaction
from pufferproof.models.sequences.binary import BinaryChain, Budget, private_records
from pufferproof.models.sequences.redaction import LocalRedaction, quilt, three_regions
from pufferproof.verify.decision import united
from pufferproof.verify.leakage.ratio import Leakage
from pufferproof.verify.sequences.redaction import leakage
from pufferproof.verify.sequences.redaction import sides as sweeps
from pufferproof.verify.sequences.redaction.leakage import RedactionLeakage, redaction_leakage

NAMES = (
    "data-independent",
    "quilt",
    "3r-relaxed",
    "3r-constant",
    "3r-exact",
    "3r-split",
    "local-optimal",
    "central-lp",
)
Solver = Literal["exact", "cvxpy"]
_TWICE = "3r-relaxed"  # the strategy with two solvers
_MOST_MEDIUM = 10_000
_MOST_CONSTANT, _MOST_EXACT, _MOST_SPLIT, _MOST_LOCAL = (100_000, 100_000, 1_000, 1_000)  # records of a chain


AUDIT_RESTS_ON = united(*(each.RESTS_ON for each in (binary, redaction, leakage, sweeps)))
RESTS_ON = ("massny2025.x-dim-leakage", "redaction.dim-pairs", "redaction.dim-optimum")
_SHAPES_REST_ON = united(CURVE_RESTS_ON, MOST_RESTS_ON, PROFILE_RESTS_ON)
_RESTS_ON = {  # the claims of the algorithms that find the best mechanism of a strategy
    "data-independent": RESTS_ON,
    "quilt": (),
    "3r-relaxed": united(REGIONS_RESTS_ON, RELAXED_RESTS_ON),
    "3r-constant": united(REGIONS_RESTS_ON, EXACT_RESTS_ON),
    "3r-exact": united(REGIONS_RESTS_ON, EXACT_RESTS_ON),
    "3r-split": united(SPLIT_RESTS_ON, PIECES_RESTS_ON, _SHAPES_REST_ON),
    "local-optimal": united(LOCAL_RESTS_ON, GRID_RESTS_ON, PAIRS_RESTS_ON, _SHAPES_REST_ON),
    "central-lp": united(CENTRAL_RESTS_ON, PAIRING_RESTS_ON, binary.RESTS_ON),
}


@dataclass(frozen=True, repr=False)
class Design(Readable):
    """What a strategy reaches: bounds of its best utility, a mechanism that reaches the lower one,
    and what that leaks.

    `mechanism` is None if the optimum is no local redaction (`central-lp`): then `channel` maps
    databases to outputs. `worst` has the output that reaches the leakage of a local one. Of a
    program that has two solvers, `solver` is the one asked for, and `difference`, of a second
    design, how much less its utility is than that of the first. It rests on `claims`.
    """

    name: str
    lower: Fraction
    upper: Fraction
    mechanism: LocalRedaction | None
    leakage: Leakage
    central: CentralOptimum | None = field(default=None, kw_only=True)
    solver: Solver | None = field(default=None, kw_only=True)
    difference: Fraction | None = field(default=None, kw_only=True)
    worst: RedactionLeakage | None = field(default=None, kw_only=True, repr=False)
    claims: tuple[str, ...] = field(default=(), kw_only=True, compare=False, repr=False)

    @property
    def channel(self) -> Channel | None:
        """The mechanism that sees the whole sequence, None of a local one."""
        return None if self.central is None else self.central.channel

    def __str__(self) -> str:
        return f"{self.name}: utility {between(self.lower, self.upper)}, leakage {self.leakage}"


@dataclass(frozen=True, repr=False)
class Skipped(Readable):
    """A strategy that was not computed, and why."""

    name: str
    reason: str

    def __str__(self) -> str:
        return f"{self.name}: skipped, {self.reason}"


class Designs(tuple[Design | Skipped, ...], Tabular):
    """What strategies reach, in the order in which they were asked for."""

    _named, _drawn, _axis = ("strategy",), ("utility", "utility_upper"), "utility"

    def entries(self) -> list[Entry]:
        """Return each strategy's utility bounds and leakage in nats, or why it was skipped."""
        return [_entry(each) for each in self]

    def _finding(self) -> str:
        """Say which strategy has the largest utility."""
        computed = [each for each in self if isinstance(each, Design)]
        if not computed:
            return "No strategy was computed."
        best = max(computed, key=lambda design: design.lower)
        return f"{best.name} has the largest utility, {three(float(best.lower))}."


def _entry(design: Design | Skipped) -> Entry:
    if isinstance(design, Skipped):
        numbers = dict.fromkeys(("utility", "utility_upper", "lower", "upper"))
        return {"strategy": design.name, **numbers, "skipped": design.reason}
    utility = {"utility": design.lower, "utility_upper": design.upper}
    leaks = nats(design.leakage.enclosure())
    return {"strategy": design.name, **utility, **leaks, "skipped": None}


class NotComputed(Exception):  # noqa: N818 - an outcome, not a mistake
    """Why a strategy is not computed."""


def redaction_designs(
    chain: BinaryChain,
    private: int,
    level: LevelLike,
    names: Iterable[str] = NAMES,
    solver: Solver | Literal["both"] = "exact",
) -> Designs:
    """Return what the named strategies reach for one private record within a level, in the given
    order. The published program of "3r-relaxed" is solved exactly, by cvxpy, or by both.

    >>> for design in redaction_designs(BinaryChain("1/4", "1/2", 2), 1, "log(3/2)", ["data-independent", "3r-exact"]):
    ...     print(design.name, design.lower, design.upper)
    data-independent 0 0
    3r-exact 4/15 4/15

    Raises `ModelError` unless the names are of `NAMES`, the chain is stationary and the record is
    one of it.
    """
    chain = check_type(chain, BinaryChain, "chain")
    private = check_type(private, int, "private")
    names = check_type(names, Iterable[str], "names")
    solver = check_type(solver, Solver | Literal["both"], "solver")
    (private,), level = private_records(private, chain.length), Level.coerce(level, "level")
    chain.expect_stationary()
    designs: list[Design | Skipped] = []
    chosen = list(names)
    for name in chosen:
        if not isinstance(name, str) or name not in NAMES:
            raise ModelError(f'expected one of {", ".join(NAMES)}, found "{str(name)[:60]}"', "strategy")
    for name in steps(chosen, "strategies"):
        # what computes a strategy: twice if both solvers are asked for, and there are two
        if name != _TWICE or solver == "exact":
            solvers = [_STRATEGIES[name]]
        else:
            solvers = [_conic] if solver == "cvxpy" else [_STRATEGIES[name], _conic]
        for solve in solvers:
            try:
                designs.append(solve(chain, private, level))
            except NotComputed as reason:
                designs.append(Skipped(name, str(reason)))
        if name == _TWICE and solver == "both":
            designs[-2:] = _compared(*designs[-2:])
    return Designs(designs)


def _compared(first: Design | Skipped, second: Design | Skipped) -> list[Design | Skipped]:
    """Return two designs of one program, each with its solver, the second with its difference."""
    if isinstance(first, Skipped) or isinstance(second, Skipped):
        return [first, second]
    named = replace(first, solver="exact")
    return [named, replace(second, difference=first.lower - second.lower)]


def _data_independent(chain: BinaryChain, private: int, level: Level) -> Design:
    return _reached("data-independent", chain, private, best_window(chain, private, level).mechanism, level)


def _quilt(chain: BinaryChain, private: int, level: Level) -> Design:
    return _reached("quilt", chain, private, quilt(chain, private, level).mechanism, level)


def _relaxed(chain: BinaryChain, private: int, level: Level) -> Design:
    return _three_regions("3r-relaxed", chain, private, level, relaxed_side)


def _conic(chain: BinaryChain, private: int, level: Level) -> Design:
    medium = max(side.size for side in sides(chain, private, *equal_budgets(chain, private, level)))
    if medium > MOST_MEDIUM:
        raise NotComputed(f"cvxpy solves at most {MOST_MEDIUM} records of a medium region")
    try:
        design = _three_regions(_TWICE, chain, private, level, conic_side)
    except SolverError as error:
        raise NotComputed(str(error)) from None
    return replace(design, solver="cvxpy")


def _constant(chain: BinaryChain, private: int, level: Level) -> Design:
    if chain.length > _MOST_CONSTANT:
        raise NotComputed(f"exact constraints are searched for at most {_MOST_CONSTANT} records")
    return _three_regions("3r-constant", chain, private, level, constant_side)


def _exact(chain: BinaryChain, private: int, level: Level) -> Design:
    if chain.length > _MOST_EXACT:
        raise NotComputed(f"exact constraints are searched for at most {_MOST_EXACT} records")
    medium = max(side.size for side in sides(chain, private, *equal_budgets(chain, private, level)))
    if medium > _MOST_MEDIUM:
        raise NotComputed(f"exact constraints are solved for at most {_MOST_MEDIUM} records of a medium region")
    return _three_regions("3r-exact", chain, private, level, exact_side)


def _split(chain: BinaryChain, private: int, level: Level) -> Design:
    if chain.length > _MOST_SPLIT:
        raise NotComputed(f"splits are searched for at most {_MOST_SPLIT} records")
    best = best_split(chain, private, level)
    lower, upper = best.lower / chain.length, best.upper / chain.length
    return _with_leakage("3r-split", chain, private, best.mechanism, level, lower, upper)


def _local(chain: BinaryChain, private: int, level: Level) -> Design:
    if chain.length > _MOST_LOCAL:
        raise NotComputed(f"local mechanisms are searched for at most {_MOST_LOCAL} records")
    best = local_optimum(chain, private, level)
    lower, upper = best.lower / chain.length, best.upper / chain.length
    return _with_leakage("local-optimal", chain, private, best.mechanism, level, lower, upper)


def _central(chain: BinaryChain, private: int, level: Level) -> Design:
    if chain.length > MOST_RECORDS:
        raise NotComputed(f"the linear program, with 2^n rows, is solved for at most {MOST_RECORDS} records")
    try:
        best = central_optimum(chain, private, level)
    except (NotConfirmedError, ModelError) as error:
        raise NotComputed(str(error)) from None
    bounds, claims = (best.lower, best.upper), _RESTS_ON["central-lp"]
    return Design("central-lp", *bounds, None, best.leakage, central=best, claims=claims)


_STRATEGIES: dict[str, Callable[[BinaryChain, int, Level], Design]] = dict(
    zip(NAMES, (_data_independent, _quilt, _relaxed, _constant, _exact, _split, _local, _central))
)


def equal_budgets(chain: BinaryChain, private: int, level: Level) -> tuple[Budget, Budget]:
    """Return both sides' budgets: epsilon / 2 each, or all of it at an end of the chain."""
    part = Fraction(1) if private in (1, chain.length) else Fraction(1, 2)
    return Budget(level, part), Budget(level, part)


def _three_regions(
    name: str, chain: BinaryChain, private: int, level: Level, solve: Callable[[DesignSide], SideDesign]
) -> Design:
    """Solve both sides, the second one again only if it differs, and put them together."""
    left, right = sides(chain, private, *equal_budgets(chain, private, level))
    first = solve(left)
    second = first if right == left else solve(right)
    mechanism = _put_together(chain, private, (left, first), (right, second))
    weight = max(chain.stationary_law)
    saved = first.total + second.total - first.least - second.least
    lower = mechanism.utility(chain)
    return _with_leakage(name, chain, private, mechanism, level, lower, lower + weight * saved / chain.length)


def _put_together(
    chain: BinaryChain, private: int, left: tuple[DesignSide, SideDesign], right: tuple[DesignSide, SideDesign]
) -> LocalRedaction:
    """Return the 3R mechanism of two designed sides."""
    q = {private - left[0].first - k: value for k, value in enumerate(left[1].q)}
    q |= {private + right[0].first + k: value for k, value in enumerate(right[1].q)}
    return three_regions(chain, private, left[0].budget, right[0].budget, q)


def _reached(name: str, chain: BinaryChain, private: int, mechanism: LocalRedaction, level: Level) -> Design:
    utility = mechanism.utility(chain)
    return _with_leakage(name, chain, private, mechanism, level, utility, utility)


def _with_leakage(
    name: str,
    chain: BinaryChain,
    private: int,
    mechanism: LocalRedaction,
    level: Level,
    lower: Fraction,
    upper: Fraction,
) -> Design:
    """Recompute the leakage; a design that exceeds its level is a bug, never an answer."""
    audit: RedactionLeakage = redaction_leakage(chain, mechanism, private)
    worst = audit.leakage.lower
    if worst is None or level.compare(worst) > 0:
        raise AssertionError(f"the design {name} leaks more than the level")
    claims = united(_RESTS_ON[name], AUDIT_RESTS_ON)
    return Design(name, lower, upper, mechanism, audit.leakage, worst=audit, claims=claims)


# A deterministic pattern leaks what its nearest released records show, at distances l and r from p.
# With pointwise influences i0, i1 of the common and the rare value (i0 <= i1), a pair leaks
#
#     i1(l) + i1(r)                                 for lam >= 0, or l + r even,
#     max(i0(l) + i1(r), i1(l) + i0(r))             for lam < 0 and l + r odd.
#
# Floats discard what is clearly too much or too little, exact comparisons decide the rest.
_CLOSE = 1e-9  # influences as floats are precise to 1e-11 of their size


@dataclass(frozen=True)
class Window:
    """The nearest released distances left and right of p; one more than the side has records
    where nothing is released.
    """

    left: int
    right: int
    mechanism: LocalRedaction


def best_window(chain: BinaryChain, private: int, level: Level) -> Window:
    """Return the data-independent mechanism with deterministic redactions that releases the most
    within a level.

    Nothing more is learnt beyond the nearest released records, so the best pattern for (l, r)
    releases everything else, and only pairs are searched. At even distances, and at all for lam >
    0, the common value speaks for X_p = common, at odd ones for lam < 0 against it.

    Of several the one that releases most on the left.

    >>> window = best_window(BinaryChain("1/4", "1/2", 6), 3, Level.log(2))
    >>> window.left, window.right, window.mechanism.released
    (2, 2, (1, 5, 6))
    """
    left, right = private, chain.length - private + 1
    search = _WidestWindow(chain, level)
    best = left, right
    for near in range(1, left + 1):
        most = min(right, sum(best) - near - 1)  # shorter windows only
        far = search.first_right(near if near < left else None, right, most)
        if far is not None:
            best = near, far
    released = [t for t in range(1, chain.length + 1) if t <= private - best[0] or t >= private + best[1]]
    return Window(*best, LocalRedaction.releasing(released, chain.length))


class _WidestWindow:
    """Influences as floats, and exact decisions where those are close."""

    def __init__(self, chain: BinaryChain, level: Level) -> None:
        self.chain, self.level = chain, level
        self.budget = float(level.enclosure().upper)
        self.common = chain.common_value
        self._known: dict[tuple[int, int], float] = {}

    def first_right(self, left: int | None, end: int, most: int) -> int | None:
        """Return the least right distance up to `most` that keeps the level beside `left`;
        `end` and None release nothing.
        """
        # a distance below which i1 of the right record alone, beside the least of the left one,
        # is too much.
        # Every pair leaks at least i0(l) + i1(r), for lam >= 0 i1(l) + i1(r), and i1 decreases.
        value = self.common if self.chain.eigenvalue < 0 else 1 - self.common
        spent = self._nats(value, left) if left is not None else 0.0
        below, low = 0, end
        while low - below > 1:
            middle = (below + low) // 2
            beyond = spent + self._nats(1 - self.common, middle) > self.budget * (1 + _CLOSE) + _CLOSE
            below, low = (middle, low) if beyond else (below, middle)
        for right in count(low):
            if right > most:
                return None
            if self.keeps(left, right if right < end else None):
                return right
        raise AssertionError("counting does not end")

    def keeps(self, left: int | None, right: int | None) -> bool:
        """Decide whether releasing at these distances, and beyond, keeps the level."""
        rare = 1 - self.common
        if left is None or right is None:
            alone = [(rare, distance) for distance in (left, right) if distance is not None]
            return self._within(alone)
        # massny2025.x-dim-leakage
        if self.chain.eigenvalue >= 0 or (left + right) % 2 == 0:
            return self._within([(rare, left), (rare, right)])
        return self._within([(rare, left), (self.common, right)]) and self._within([(self.common, left), (rare, right)])

    def _within(self, places: list[tuple[int, int]]) -> bool:
        total = sum(self._nats(*place) for place in places)
        margin = _CLOSE * (1 + self.budget)
        if abs(total - self.budget) > margin:
            return total < self.budget
        return not places or self.chain.compare_influences(self.level, *places) <= 0

    def _nats(self, value: int, distance: int) -> float:
        """Return a pointwise influence in nats, up to rounding."""
        if (value, distance) not in self._known:
            lam, odds = self.chain.eigenvalue, self.chain.alpha / self.chain.beta
            decay = float(lam) ** distance
            above = float(odds if value == 0 else 1 / odds) * decay
            self._known[value, distance] = abs(log1p(above) - log1p(-decay))
        return self._known[value, distance]
