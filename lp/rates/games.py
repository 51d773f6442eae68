"""Matrix games of log-likelihoods: what one database, seen through many outputs, gives away against
a set of others.

For a database x and databases Y the row player picks outputs w, the column player databases y in Y,
and the payoff is log P(w | x) / P(w | y), less the level of w's mechanism where one is given. Its
value is

    max over alpha of min over y of sum_w alpha_w payoff(w, y)
        =  min over beta of max over w of sum_y beta_y payoff(w, y).

HiGHS proposes alpha and beta in floats; they are rounded to rationals that sum to 1 exactly, and
each then gives a rigorous bound: by floats with a proven error where that is enough, else by
enclosures of logarithms in integers.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import gcd, prod
from typing import TYPE_CHECKING, Any

from pufferproof.lp.exact.highs import highs
from pufferproof.lp.exact.weights import SMALL, Weights, rounded_weights
from pufferproof.models.channel import Channel
from pufferproof.models.errors import extras
from pufferproof.models.numbers.enclosures import log_bounds
from pufferproof.models.numbers.level import Level
from pufferproof.models.numbers.proportions import proposing
from pufferproof.verify.leakage.runs.repeated import logs_approx

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

RESTS_ON = ("worst.game-value", "worst.game-zeros")
GAP = Fraction(1, 10**9)  # relative, of bounds of a value
_ZERO = Fraction(0)


@dataclass(frozen=True)
class Game:
    """A game of `database` against others, its value between `lower` and `upper` nats (both None:
    infinite).

    `alpha` (places: outputs) attains at least `lower`; `beta` (places: databases) at most `upper`,
    None when infinite. `exact` is (q, d) when the value is exactly log(q) / d. Where only `upper`
    was asked for, `lower` is None and `alpha` empty.
    """

    database: int
    against: tuple[int, ...]
    lower: Fraction | None
    upper: Fraction | None
    alpha: Weights
    beta: Weights | None
    exact: tuple[Fraction, int] | None = None

    @property
    def infinite(self) -> bool:
        """Whether outputs separate the database from all others."""
        return self.upper is None


class Games:
    """All games of some mechanisms on the same databases, which share linear programs and
    logarithms.

    alpha has weight only where P(w | x) > 0; beta has none on y where P(w | x) > 0 = P(w | y): only
    databases that no output separates from x remain, and the value is infinite iff none does
    (worst.game-zeros).

    Args:
        mechanisms: channels with the same databases in the same order.
        levels: one per mechanism, subtracted from the payoffs of its outputs; none at all is zero
            everywhere.
    """

    def __init__(self, mechanisms: Sequence[Channel], levels: Sequence[Level] = ()) -> None:
        import numpy as np

        self.outputs = [(i, w) for i, mechanism in enumerate(mechanisms) for w in range(len(mechanism.outputs))]
        self.levels = [levels[i] for i, _ in self.outputs] if levels else []
        self.positive = np.hstack([mechanism.positive for mechanism in mechanisms])
        self._positive_everywhere = bool(self.positive.all())
        self._mechanisms = mechanisms
        size = len(mechanisms[0].databases)
        self._numerators = [[mechanism.numerators_of(x) for mechanism in mechanisms] for x in range(size)]
        self.logs = np.hstack([logs_approx(mechanism) for mechanism in mechanisms])
        self.shift = np.array([float(level.enclosure().upper) for level in self.levels] or [0.0] * len(self.outputs))
        largest = 1 + float(np.abs(self.logs).max()) + float(self.shift.max())
        # entries are within 2^-50 of their size; sums of n terms by weights that sum to 1 within (n
        # + 3) 2^-53 of the largest
        self.error = math.ldexp((max(self.logs.shape) + 32) * largest, -51)
        self._rows = [self._row_key(x) for x in range(size)]
        self._models: dict[tuple[int, ...], Any] = {}
        self._solved: dict[tuple[int, tuple[int, ...]], Game] = {}

    def ratio(self, x: int, y: int, w: int) -> Fraction:
        """Return P(w | x) / P(w | y) exactly, P(w | y) > 0."""
        i, place = self.outputs[w]
        denominators = self._mechanisms[i].denominators
        return Fraction(
            self._numerators[x][i][place] * denominators[y], self._numerators[y][i][place] * denominators[x]
        )

    def payoff(self, x: int, y: int, w: int, accuracy: int) -> tuple[Fraction, Fraction]:
        """Return rational bounds of a finite payoff, of relative width about 2^-accuracy."""
        ratio, extra = self.ratio(x, y, w), _ZERO
        if self.levels:
            ratio, extra = ratio / (self.levels[w].ratio or 1), self.levels[w].nats or _ZERO
        low, high = (_ZERO, _ZERO) if ratio == 1 else log_bounds(ratio, accuracy)
        return low - extra, high - extra

    def solve(self, database: int, against: tuple[int, ...]) -> Game:
        """Return the game of a database against others, with bounds that floats prove;
        `pufferproof.lp.rates.sharpen` narrows them.
        """
        key = (database, against)
        if key not in self._solved:
            self._solved[key] = self._solve(database, against)
        return self._solved[key]

    def bounded(self, database: int, against: tuple[int, ...], floor: Fraction) -> Game:
        """Return what `solve` does, or the game with its upper bound alone if below `floor`."""
        known = self._solved.get((database, against))
        game = known or self._solve(database, against, floor)
        if game.lower is not None or game.infinite:
            self._solved[database, against] = game
        return game

    def remaining(self, database: int, against: Sequence[int]) -> list[int]:
        """Return the databases that no output separates from `database`."""
        import numpy as np

        if self._positive_everywhere:
            return list(against)
        own = self.positive[database]
        whole: list[bool] = np.asarray(self.positive[list(against)][:, own].all(axis=1)).tolist()
        return [y for y, kept in zip(against, whole) if kept]

    def _solve(self, x: int, against: tuple[int, ...], floor: Fraction | None = None) -> Game:
        allowed = self.remaining(x, against)
        if not allowed:
            return Game(x, against, None, None, self._separating(x, against), None)
        equal = next((y for y in allowed if self._rows[y] == self._rows[x]), None)
        if equal is not None and not self.levels:  # alpha = the row of x: relative entropies are not negative
            return Game(x, against, _ZERO, _ZERO, self._own_row(x), Weights.at(equal), (Fraction(1), 1))
        if len(allowed) == 1:
            payoffs = (self.logs[x] - self.logs[allowed[0]] - self.shift)[self.positive[x]]
            best = int(self.positive[x].nonzero()[0][int(payoffs.argmax())])
            alpha, beta = Weights.at(best), Weights.at(allowed[0])
        else:
            values, duals = self._proposed(x, against, allowed)
            beta = self._best(x, rounded_weights(values, against, allowed[0]))
            if floor is not None and (upper := Fraction(self._most(x, beta))) < floor:
                return Game(x, against, None, upper, Weights((), (), 1), beta)
            outputs = tuple(range(len(self.outputs)))
            alpha = self._best(x, rounded_weights(duals, outputs, int(self.positive[x].argmax())), allowed)
        alpha = self.with_separated(x, against, alpha)
        lower, upper = Fraction(self._least(x, against, alpha)), Fraction(self._most(x, beta))
        return Game(x, against, lower if self.levels else max(lower, _ZERO), upper, alpha, beta)

    def _best(self, x: int, proposals: list[Weights], allowed: Sequence[int] = ()) -> Weights:
        """Return the proposal with the best bound, and small denominators if they cost nothing."""
        if len(proposals) == 1:
            return proposals[0]
        bounds = [-self._least(x, allowed, one) if allowed else self._most(x, one) for one in proposals]
        best = min(bounds)
        return next(one for one, bound in zip(proposals, bounds) if bound <= best + self.error)

    def _most(self, x: int, beta: Weights) -> float:
        """Return a float that is at least max over w of sum_y beta_y payoff(w, y)."""
        import numpy as np

        own = self.positive[x]
        weights = np.array([n / beta.denominator for n in beta.numerators])
        payoffs = self.logs[x] - self.shift - weights @ self.logs[list(beta.places)]
        return float(payoffs[own].max()) + self.error

    def _least(self, x: int, against: Sequence[int], alpha: Weights) -> float:
        """Return a float that is at most min over y of sum_w alpha_w payoff(w, y)."""
        import numpy as np

        places = list(alpha.places)
        weights = np.array([n / alpha.denominator for n in alpha.numerators])
        others = list(against)
        payoffs = (self.logs[x, places] - self.shift[places] - self.logs[others][:, places]) @ weights
        if self._positive_everywhere:
            return float(payoffs.min()) - self.error
        finite = self.positive[others][:, places].all(axis=1)
        return float(payoffs[finite].min()) - self.error if finite.any() else math.inf

    def _proposed(
        self, x: int, against: tuple[int, ...], allowed: Sequence[int]
    ) -> "tuple[NDArray[np.float64], NDArray[np.float64]]":
        """Return weights in floats, or zeros if HiGHS breaks; their bound is computed exactly."""
        import numpy as np

        proposal = proposing(self._linear_program)(x, against, allowed)
        return proposal or (np.zeros(len(against)), np.zeros(len(self.outputs)))

    def _linear_program(
        self, x: int, against: tuple[int, ...], allowed: Sequence[int]
    ) -> "tuple[NDArray[np.float64], NDArray[np.float64]]":
        """Minimise v over beta: sum_y beta_y log P(w|y) + v >= log P(w|x) - level."""
        import numpy as np

        if against not in self._models:
            self._models[against] = linear_program(self.logs[list(against)].T)
        model, size = self._models[against], len(self.outputs)
        rows = np.arange(size, dtype=np.int32)
        below = np.where(self.positive[x], self.logs[x] - self.shift, -np.inf)
        model.changeRowsBounds(size, rows, below, np.full(size, np.inf))
        if not self._positive_everywhere:
            most = np.where(np.isin(against, allowed), np.inf, 0.0)
            columns = np.arange(len(against), dtype=np.int32)
            model.changeColsBounds(len(against), columns, np.zeros(len(against)), most)
        model.run()
        solution = model.getSolution()
        values, duals = np.array(solution.col_value)[:-1], np.array(solution.row_dual)[:-1]
        if self._positive_everywhere:
            return values, duals
        return np.where(np.isin(against, allowed), values, 0.0), np.where(self.positive[x], duals, 0.0)

    def _separating(self, x: int, apart: Sequence[int]) -> Weights:
        """Return equal weights on few outputs, possible at x, that separate it from every y."""
        left, chosen = set(apart), list[int]()
        own = self.positive[x].nonzero()[0].tolist()
        while left:
            best = max(own, key=lambda w: sum(not self.positive[y, w] for y in left))
            chosen.append(best)
            left = {y for y in left if self.positive[y, best]}
        return Weights(tuple(sorted(chosen)), (1,) * len(chosen), len(chosen))

    def with_separated(self, x: int, against: Sequence[int], alpha: Weights) -> Weights:
        """Give a small weight to outputs that separate x where alpha alone earns too little."""
        kept = set(self.remaining(x, against))
        apart = [y for y in against if y not in kept and self.positive[y, list(alpha.places)].all()]
        if not apart:
            return alpha
        goal = self._least(x, sorted(kept), alpha)
        poor = [y for y in apart if self._least(x, [y], alpha) < goal]
        if not poor:
            return alpha
        share = Fraction(max(min(abs(goal), 1.0), 2.0**-100)) * Fraction(1, 1 << 44) / int(1 + abs(self.logs).max())
        share = Fraction(1, 1 << int(1 / share).bit_length())
        more = self._separating(x, poor).fractions()
        mixed = {w: weight * (1 - share) for w, weight in alpha.fractions().items()}
        for w, weight in more.items():
            mixed[w] = mixed.get(w, _ZERO) + share * weight
        return Weights.of(mixed)

    def _own_row(self, x: int) -> Weights:
        count = len(self._mechanisms)
        row = {
            w: Fraction(self._numerators[x][i][place], self._mechanisms[i].denominators[x] * count)
            for w, (i, place) in enumerate(self.outputs)
            if self._numerators[x][i][place]
        }
        return Weights.of(row)

    def _row_key(self, x: int) -> tuple[int, ...]:
        key: list[int] = []
        for mechanism, numerators in zip(self._mechanisms, self._numerators[x]):
            common = gcd(mechanism.denominators[x], *numerators)
            key += [mechanism.denominators[x] // common, *(n // common for n in numerators)]
        return tuple(key)

    def exact(self, game: Game) -> Game | None:
        """Return the game with its exact value if powers of both likelihood ratios agree."""
        small = game.beta is not None and max(game.alpha.denominator, game.beta.denominator) <= SMALL
        if self.levels or game.beta is None or not small or game.lower is None or game.lower + GAP < (game.upper or 0):
            return None
        x, alpha, beta = game.database, game.alpha, game.beta
        above = max(
            prod(self.ratio(x, y, w) ** n for y, n in zip(beta.places, beta.numerators))
            for w in self.positive[x].nonzero()[0].tolist()
        )
        finite = [y for y in game.against if self.positive[y, list(alpha.places)].all()]
        below = min(prod(self.ratio(x, y, w) ** n for w, n in zip(alpha.places, alpha.numerators)) for y in finite)
        if above**alpha.denominator != below**beta.denominator or above < 1:
            return None
        low, high = (_ZERO, _ZERO) if above == 1 else log_bounds(Fraction(above), 72)
        d = beta.denominator
        return replace(game, lower=low / d, upper=high / d, exact=(Fraction(above), d))


def linear_program(columns: "NDArray[np.float64]") -> Any:
    """Return the program: minimise v over beta >= 0 of sum 1, with columns * beta + v >= bounds
    that are yet to be set.
    """
    with extras:
        import highspy
    import numpy as np

    rows, size = columns.shape
    table = np.ones((rows + 1, size + 1))
    table[:rows, :size] = columns
    table[rows, size] = 0.0
    kept = table.T != 0.0
    program = highspy.HighsLp()
    program.num_col_, program.num_row_ = size + 1, rows + 1
    program.col_cost_ = np.append(np.zeros(size), 1.0)
    program.col_lower_ = np.append(np.zeros(size), -np.inf)
    program.col_upper_ = np.full(size + 1, np.inf)
    program.row_lower_ = np.append(np.zeros(rows), 1.0)
    program.row_upper_ = np.append(np.full(rows, np.inf), 1.0)
    program.a_matrix_.format_ = highspy.MatrixFormat.kColwise
    program.a_matrix_.start_ = np.append(0, np.cumsum(kept.sum(axis=1))).astype(np.int32)
    program.a_matrix_.index_ = np.nonzero(kept)[1].astype(np.int32)
    program.a_matrix_.value_ = table.T[kept]
    options = {"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10}
    model = highs(presolve="off", solver="simplex", **options)
    model.passModel(program)
    return model
