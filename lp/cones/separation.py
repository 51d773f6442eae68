"""Whether a column can be positive at one database and zero at others: a vector of the cone, or an
inequality it must satisfy.

"Is there a u in the cone with u_x > 0 and u_Y = 0" is a linear program. Yes: such a vector. No: a
Farkas certificate, which is the inequality u_x <= sum_{y in Y} kappa_y u_y, implied by the
constraints; for a single y it is an inequality of the kind that differential privacy asks for.
Every inequality is checked from the definition before it is used.
"""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from pufferproof.lp.cones.columns import Cone, Vector, primitive
from pufferproof.lp.exact.linear import Program, Row
from pufferproof.lp.exact.program import solve_exact
from pufferproof.models.errors import SolverError
from pufferproof.models.numbers.text import JsonObject, text_of

RESTS_ON = ("worst.finite-certificates",)
_LARGE = 200  # squared databases for which a program counts as one more
_COUNTED = "which is counted and not timed: a limit of seconds, if set, counts instead"


class Undecided(SolverError):  # noqa: N818 - an outcome, not a mistake
    """A search was stopped by its limit before it decided."""


PROGRAMS = 5_000
"""How many small programs a search solves unless somebody sets a limit of seconds."""

RESOURCES = 10**9
"""How much Z3 computes in a search, in its own unit, of which it does a few millions a second."""


@dataclass
class Limit:
    """What a search may take: seconds of somebody's choice, or else work that is counted, so that
    no answer depends on how busy a machine is.

    Args:
        seconds: for how long; then nothing is counted but what is said.
        programs: how many small programs it may solve, a large one counting as several; `PROGRAMS`
            if both are left out.
        resources: how much Z3 may compute in all, in its own unit.
    """

    seconds: float | None = None
    programs: int | None = None
    resources: int = RESOURCES
    _solved: int = field(default=0, init=False)
    _computed: int = field(default=0, init=False)
    _end: float = field(init=False)

    def __post_init__(self) -> None:
        self._end = float("inf") if self.seconds is None else time.monotonic() + self.seconds
        if self.seconds is None and self.programs is None:
            self.programs = PROGRAMS

    @property
    def left(self) -> float | None:
        """The seconds that are left, None without a limit."""
        return None if self.seconds is None else max(0.0, self._end - time.monotonic())

    @property
    def resources_left(self) -> int | None:
        """How much Z3 may still compute, at least 1, as 0 is no limit to it; None if seconds are
        the limit.
        """
        return None if self.seconds is not None else max(1, self.resources - self._computed)

    @property
    def over(self) -> str | None:
        """What a search has to stop for, or None."""
        if self._end < float("inf") and time.monotonic() > self._end:
            return f"undecided after {self.seconds:g} seconds, the limit that was set"
        if self.programs is not None and self._solved >= self.programs:
            return f"undecided after {self.programs} small linear programs' work, {_COUNTED}"
        if self.seconds is None and self._computed >= self.resources:
            return f"undecided after {self.resources:.0e} units of Z3's work, {_COUNTED}"
        return None

    def check(self, programs: int = 1) -> None:
        """Count what begins, worth so many programs, or raise `Undecided` if a limit is reached."""
        if (why := self.over) is not None:
            raise Undecided(why)
        self._solved += programs

    def spend(self, resources: int) -> None:
        """Count what Z3 has computed."""
        self._computed += resources


@dataclass(frozen=True)
class Implied:
    """u_x <= sum_y kappa_y u_y for every u of a cone, with the multipliers that prove it.

    `multipliers` has one number per inequality and then per equation of the cone: kappa - e_x -
    sum_j multipliers_j row_j >= 0 entry by entry, the multipliers of inequalities being >= 0.
    """

    x: int
    kappa: Mapping[int, Fraction]
    multipliers: tuple[Fraction, ...]

    def proves(self, cone: Cone) -> bool:
        """Check the certificate against the cone, from the definition alone."""
        if any(value < 0 for value in self.multipliers[: len(cone.inequalities)]):
            return False
        slack = [Fraction(self.kappa.get(y, 0)) - (y == self.x) for y in range(cone.dimension)]
        for value, row in zip(self.multipliers, (*cone.inequalities, *cone.equations), strict=True):
            if value:
                slack = [s - value * c for s, c in zip(slack, row)]
        return min(slack) >= 0

    def certificate(self, cone: Cone) -> JsonObject:
        """Return the statement as a "farkas" certificate, u<i> being database i of the cone."""
        size = range(cone.dimension)
        rows = [[[str(-c) for c in row], "0", "<="] for row in cone.inequalities]
        rows += [[[str(-c) for c in row], "0", "="] for row in cone.equations]
        rows += [[[str(-int(i == j)) for j in size], "0", "<="] for i in size]
        goal = [Fraction(i == self.x) - self.kappa.get(i, 0) for i in size]
        sums = [
            -sum(m * row[i] for m, row in zip(self.multipliers, (*cone.inequalities, *cone.equations))) for i in size
        ]
        rest = [h - g for h, g in zip(sums, goal)]
        claim = {
            "variables": [f"u{i}" for i in size],
            "rows": rows,
            "conclusion": {"row": [text_of(g) for g in goal], "bound": "0", "relation": "<="},
            "multipliers": [text_of(Fraction(m)) for m in (*self.multipliers, *rest)],
        }
        return {"format": "pufferproof-certificate/1", "kind": "farkas", "claim": claim}


class Supports:
    """The zero patterns of one cone's vectors, by exact linear programs, kept."""

    def __init__(self, cone: Cone, limit: Limit | None = None) -> None:
        self.cone = cone
        self.limit = limit or Limit()
        self.programs = 0
        self._vectors: list[tuple[frozenset[int], Vector]] = []
        self._implied: dict[int, list[tuple[frozenset[int], Implied]]] = {}

    def separate(self, x: int, zeros: frozenset[int]) -> Vector | Implied:
        """Return u in the cone, u_x > 0 and u_y = 0 for y in `zeros`, or what forbids it."""
        answer = self.known(x, zeros)
        if answer is not None:
            return answer
        separation = self._by_one_row(x, zeros) or self._solved(x, zeros)
        if isinstance(separation, Implied):
            self._implied.setdefault(x, []).append((frozenset(separation.kappa), separation))
        else:
            self._vectors.append((frozenset(y for y, c in enumerate(separation) if not c), separation))
        return separation

    def learn(self, smaller: "Supports | None", larger: "Supports | None") -> None:
        """Take over vectors of a cone inside this one, and inequalities of one around it."""
        if smaller is not None:
            self._vectors += smaller._vectors
        if larger is not None:
            for x, implied in larger._implied.items():
                self._implied.setdefault(x, []).extend(implied)

    def known(self, x: int, zeros: frozenset[int]) -> Vector | Implied | None:
        """Return the answer of `separate` if earlier programs already give it."""
        for nought, vector in self._vectors:
            if x not in nought and zeros <= nought:
                return vector
        return next((implied for core, implied in self._implied.get(x, ()) if core <= zeros), None)

    def _by_one_row(self, x: int, zeros: frozenset[int]) -> Implied | None:
        """Return the inequality of a single row, if its positive entries are all in `zeros`."""
        count = len(self.cone.inequalities)
        for i, row in enumerate(self._rows):
            for sign in (1, -1) if i >= count else (1,):
                if sign * row[x] < 0 and all(sign * c <= 0 or y in zeros for y, c in enumerate(row)):
                    weight = Fraction(-1, row[x])  # of the sign of the row that is used
                    kappa = {y: weight * c for y, c in enumerate(row) if sign * c > 0}
                    multipliers = [Fraction(0)] * len(self._rows)
                    multipliers[i] = weight
                    implied = Implied(x, kappa, tuple(multipliers))
                    if not implied.proves(self.cone):
                        raise SolverError("an implied inequality failed its own check")
                    return implied
        return None

    def _solved(self, x: int, zeros: frozenset[int]) -> Vector | Implied:
        self.limit.check(1 + self.cone.dimension**2 // _LARGE)
        self.programs += 1
        if x in zeros:
            return Implied(x, {x: Fraction(1)}, (Fraction(0),) * len(self._rows))
        kept = [y for y in range(self.cone.dimension) if y not in zeros]
        place = {y: j for j, y in enumerate(kept)}
        count = len(self.cone.inequalities)
        stated = [
            Row({place[y]: c for y, c in enumerate(row) if c and y in place}, ">=" if i < count else "=")
            for i, row in enumerate(self._rows)
        ]
        program = Program({place[x]: 1}, [*stated, Row({place[x]: 1}, "<=", 1)], len(kept))
        try:
            solved = solve_exact(program, self.limit.left, resources=self.limit.resources_left)
        except SolverError as error:
            raise Undecided(str(error)) from None
        if solved.value:
            values = [Fraction(0)] * self.cone.dimension
            for y, value in zip(kept, solved.x):
                values[y] = value
            return primitive(values)
        return self._inequality(x, zeros, tuple(-value for value in solved.dual[:-1]))

    def _inequality(self, x: int, zeros: frozenset[int], multipliers: tuple[Fraction, ...]) -> Implied:
        """Return the inequality that multipliers of the rows prove."""
        sums = {y: sum((m * row[y] for m, row in zip(multipliers, self._rows) if m), Fraction(0)) for y in zeros}
        implied = Implied(x, {y: total for y, total in sums.items() if total > 0}, multipliers)
        if not implied.proves(self.cone):
            raise SolverError("an implied inequality failed its own check")
        return implied

    def tightest(self, x: int, others: Sequence[int]) -> Implied | None:
        """Return u_x <= kappa (the sum of u_y over `others`) with least kappa, or None."""
        self.limit.check(1 + self.cone.dimension**2 // _LARGE)
        rows = [
            Row({y: c for y, c in enumerate(row) if c}, ">=" if i < len(self.cone.inequalities) else "=")
            for i, row in enumerate(self._rows)
        ]
        bounded = Row(dict.fromkeys(others, 1), "<=", 1)
        solved = solve_exact(
            Program({x: 1}, [*rows, bounded], self.cone.dimension), self.limit.left, resources=self.limit.resources_left
        )
        if solved.value is None:
            return None
        implied = Implied(x, dict.fromkeys(others, solved.value), tuple(-value for value in solved.dual[:-1]))
        if not implied.proves(self.cone):
            raise SolverError("an implied inequality failed its own check")
        return implied

    @property
    def _rows(self) -> tuple[Vector, ...]:
        return (*self.cone.inequalities, *self.cone.equations)
