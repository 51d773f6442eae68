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
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import gcd, prod
from typing import TYPE_CHECKING, Any

from pufferproof.lp.exact.proposals import highs
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

# How both players of many games of log-likelihoods learn to play: optimistic multiplicative weights, which count the
# last payoffs twice, in floats.
#
# Games of few entries play a few rounds, all groups of one shape together. Games of many entries, whose linear
# programs are dear, play on while they could be the largest of their group, or above 0 where levels are subtracted.
# Nothing rests on it: what is learned is a proposal.

ROUNDS = 32
MOST_ROUNDS = 1024
LARGE = 4096  # entries of payoffs of a group that plays on
_LEFT = 4  # games that are as quickly solved
_LEAST, _TINY = -60.0, 2.0**-100  # exponents of weights, and a sum, which half precision holds


def learned(
    games: "Games",
    rows: "NDArray[np.float64]",
    columns: "NDArray[np.float64]",
    possible: "NDArray[np.bool_]",
    allowed: "NDArray[np.bool_]",
) -> "NDArray[np.float64]":
    """Return weights of databases for every group and every game of it.

    Args:
        rows: groups x games x outputs, columns: groups x databases x outputs: log-likelihoods.
        possible: groups x games x outputs, allowed: groups x games x databases: what may be played.
    """
    import numpy as np

    rate = 1 / max(2.0**-20, float(np.abs(games.logs - games.logs.mean(axis=0)).mean()))
    if columns[0].size < LARGE:
        # the mean of the second half of what the column players chose
        outputs, databases = columns.transpose(0, 2, 1), np.zeros(allowed.shape)
        earned, paid = np.zeros(possible.shape), np.zeros(allowed.shape)
        alpha, beta = _shares(earned, possible), _shares(paid, allowed)
        for i in range(ROUNDS):
            gain, saving = rows - beta @ columns, alpha @ outputs
            earned += gain
            paid += saving
            alpha = _shares(rate * (earned + gain), possible)
            beta = _shares(rate * (paid + saving), allowed)
            if 2 * i >= ROUNDS:
                databases += beta
        return np.asarray(databases / np.maximum(databases.sum(axis=2, keepdims=True), 1.0))
    floor = 0.0 if games.levels else -np.inf
    alone = [_GameGroup(rate, *group).learned(floor) for group in zip(rows, columns, possible, allowed)]
    return np.stack(alone)


def _shares(exponents: "NDArray[np.float64]", kept: "NDArray[np.bool_]") -> "NDArray[np.float64]":
    """Return weights like e to the exponents, none where they are not kept."""
    import numpy as np

    exponents = np.where(kept, exponents, -np.inf)
    most = exponents.max(axis=2, keepdims=True)
    weights = np.exp(exponents - np.where(np.isfinite(most), most, 0.0))
    return np.asarray(weights / np.maximum(weights.sum(axis=2, keepdims=True), 2.0**-900))


class _GameGroup:
    """Games of one group, in half precision: those that still play, and what they have earned."""

    def __init__(
        self,
        rate: float,
        rows: "NDArray[np.float64]",
        columns: "NDArray[np.float64]",
        possible: "NDArray[np.bool_]",
        allowed: "NDArray[np.bool_]",
    ) -> None:
        import numpy as np

        self.rate = np.float32(rate)
        self.columns = columns.astype(np.float32)
        self.outputs = np.ascontiguousarray(self.columns.T)
        self.rows, self.possible, self.allowed = rows.astype(np.float32), possible, allowed
        self.earned, self.paid = np.zeros_like(self.rows), np.zeros(allowed.shape, np.float32)
        self.alpha, self.beta = self._shares()

    def learned(self, floor: float) -> "NDArray[np.float64]":
        """Return the best mean of what each column player chose in twice as many rounds each time,
        while it could be above the floor and above what some row player earns.
        """
        import numpy as np

        best, most = self.beta.astype(np.float64), np.full(len(self.rows), np.inf)
        playing, rounds = np.arange(len(self.rows)), ROUNDS
        while True:
            # the means of what both players choose in so many more rounds
            alphas, betas = np.zeros_like(self.earned), np.zeros_like(self.paid)
            for _ in range(rounds):
                gain, saving = self.rows - self.beta @ self.columns, self.alpha @ self.outputs
                self.earned += gain
                self.paid += saving
                self.alpha, self.beta = self._shares(gain, saving)
                alphas += self.alpha
                betas += self.beta
            alpha, beta = alphas / np.float32(rounds), betas / np.float32(rounds)
            upper = np.where(self.possible, self.rows - beta @ self.columns, -np.inf).max(axis=1)
            earned = (alpha * self.rows).sum(axis=1, keepdims=True) - alpha @ self.outputs
            lower = np.where(self.allowed, earned, np.inf).min(axis=1)
            better = playing[upper < most[playing]]
            best[better], most[playing] = (beta[upper < most[playing]], np.minimum(most[playing], upper))
            floor = max(floor, float(lower.max()))
            on = most[playing] >= floor
            rounds *= 2
            if rounds > MOST_ROUNDS or on.sum() <= _LEFT:
                return best
            for name in ("rows", "possible", "allowed", "earned", "paid", "alpha", "beta"):
                setattr(self, name, getattr(self, name)[on])
            playing = playing[on]

    def _shares(
        self, gain: "NDArray[np.float32] | float" = 0.0, saving: "NDArray[np.float32] | float" = 0.0
    ) -> "tuple[NDArray[np.float32], NDArray[np.float32]]":
        return (
            _weights(self.rate * (self.earned + gain), self.possible),
            _weights(self.rate * (self.paid + saving), self.allowed),
        )


def _weights(exponents: "NDArray[np.float32]", kept: "NDArray[np.bool_]") -> "NDArray[np.float32]":
    """Return weights like e to the exponents, none where they are not kept."""
    import numpy as np

    most = np.maximum.reduce(np.where(kept, exponents, -np.inf), axis=1, keepdims=True)
    apart = exponents - np.where(np.isfinite(most), most, 0)
    weights = np.exp(np.minimum(np.maximum(apart, _LEAST), 0)) * kept
    whole = np.add.reduce(weights, axis=1, keepdims=True)
    return np.asarray(weights / np.maximum(whole, _TINY))


# Upper bounds of many games of log-likelihoods at once, without a linear program each, by what both players learn
# (above).
#
# What they learn is a proposal. It is rounded to weights with the denominators of `UNITS`, exact as floats, and each
# of them gives a bound with the proven error of `Games`: which of them are near the value decides how many programs
# are left to solve, and nothing else.

UNITS = (8, 64, 1024, 1 << 14)  # denominators of weights, coarse ones first: they make certificates short
FEW = 32  # games, below which each of them is solved
MOST = 1 << 22  # entries of payoffs that are looked at together
Key = tuple[int, tuple[int, ...]]  # a database and those it is compared with
Group = tuple[tuple[int, ...], list[int]]  # databases, and those that are compared with them


@dataclass(frozen=True)
class Play:
    """Weights of databases in the units of `UNITS`, a row of `counts` each, and at most how much
    the game is worth by each; infinite where a row is no weights.
    """

    against: tuple[int, ...]
    counts: "NDArray[np.int16]"
    upper: list[float]

    def below(self, floor: float) -> tuple[Fraction, Weights] | None:
        """Return the bound of the first weights that keep the game below `floor`, if any do."""
        for unit, row, upper in zip(UNITS, self.counts, self.upper):
            if upper < floor:
                chosen = [(y, n) for y, n in zip(self.against, row.tolist()) if n]
                places, numerators = zip(*chosen)
                return Fraction(upper), Weights(places, numerators, unit)
        return None


def played(games: "Games", keys: Sequence[Key]) -> dict[Key, Play]:
    """Return what both players learn in each of these games; nothing where there are few of
    them, which are as quickly solved.
    """
    plays: dict[Key, Play] = {}
    for groups in _groups(games, keys) if len(keys) >= FEW else ():
        # play groups of one shape; axes are groups, games, and databases or outputs
        import numpy as np

        others = np.array([against for against, _ in groups])
        own = np.array([databases for _, databases in groups])
        columns = games.logs[others]
        rows = games.logs[own] - games.shift
        possible = games.positive[own]
        apart = possible.astype(np.float32) @ ~games.positive[others].transpose(0, 2, 1)
        allowed = apart == 0.0
        beta = learned(games, rows, columns, possible, allowed)
        counts = np.stack([_rounded(beta, unit) for unit in UNITS], axis=2)
        units = np.array(UNITS)
        payoffs = rows[:, :, None] - (counts / units[:, None]) @ columns[:, None]
        upper = np.where(possible[:, :, None], payoffs, -np.inf).max(axis=3) + games.error
        weights = (counts.sum(axis=3) == units) & ~(counts * ~allowed[:, :, None]).any(axis=3)
        upper = np.where(weights & (counts >= 0).all(axis=3), upper, np.inf)
        plays |= {
            (x, against): Play(against, counts[g, i], upper[g, i].tolist())
            for g, (against, databases) in enumerate(groups)
            for i, x in enumerate(databases)
        }
    return plays


def _groups(games: "Games", keys: Sequence[Key]) -> Iterator[list[Group]]:
    """Yield groups of databases compared with the same others, equal shapes together."""
    outputs = games.logs.shape[1]
    by_against: dict[tuple[int, ...], list[int]] = {}
    for x, against in keys:
        by_against.setdefault(against, []).append(x)
    by_shape: dict[tuple[int, int], list[Group]] = {}
    for against, own in by_against.items():
        rows = max(1, MOST // (len(UNITS) * (len(against) + outputs)))
        for start in range(0, len(own), rows):
            part = own[start : start + rows]
            by_shape.setdefault((len(against), len(part)), []).append((against, part))
    for (columns, rows), groups in by_shape.items():
        entries = columns * outputs + len(UNITS) * rows * (columns + outputs)
        size = max(1, MOST // entries)
        yield from (groups[start : start + size] for start in range(0, len(groups), size))


def _rounded(beta: "NDArray[np.float64]", unit: int) -> "NDArray[np.int16]":
    """Return weights as multiples of 1 / unit that sum to 1, by largest remainders."""
    import numpy as np

    counts = np.floor(beta * unit)
    missing = unit - counts.sum(axis=2, keepdims=True)
    order = (counts - beta * unit).argsort(axis=2, kind="stable").argsort(axis=2, kind="stable")
    return np.asarray(counts + (order < missing)).astype(np.int16)


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
        `pufferproof.lp.rates.games` narrows them.
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
            count = len(self._mechanisms)
            row = {
                w: Fraction(self._numerators[x][i][place], self._mechanisms[i].denominators[x] * count)
                for w, (i, place) in enumerate(self.outputs)
                if self._numerators[x][i][place]
            }
            return Game(x, against, _ZERO, _ZERO, Weights.of(row), Weights.at(equal), (Fraction(1), 1))
        if len(allowed) == 1:
            payoffs = (self.logs[x] - self.logs[allowed[0]] - self.shift)[self.positive[x]]
            best = int(self.positive[x].nonzero()[0][int(payoffs.argmax())])
            alpha, beta = Weights.at(best), Weights.at(allowed[0])
        else:
            # weights in floats, or zeros if HiGHS breaks; their bound is computed exactly
            import numpy as np

            proposal = proposing(self._linear_program)(x, against, allowed)
            values, duals = proposal or (np.zeros(len(against)), np.zeros(len(self.outputs)))
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


# Narrow bounds of a matrix game of log-likelihoods: payoffs enclosed in integers, the optimal basis solved for
# exactly.
#
# The float linear program is solved again for this game alone, scaled by its own payoffs, so that rows that are nearly
# equal do not drown. Its basis names the outputs and databases that matter; on these the two linear systems are solved
# in rationals, and the weights, rounded to multiples of the unit of payoffs, give bounds by interval arithmetic on
# integers. Bounds are sound whatever the solver says; they may stay wide, which is then said by the interval.

_BITS = 200  # relative precision of a payoff
_SPREAD = 64  # log2 of largest over smallest payoff, beyond which precision follows
_FAR = 10**14  # payoffs are cut off at so many scales, for the float program alone
_SIMPLE = 10_000  # largest denominator of a weight that is tried first


@dataclass(frozen=True)
class _Payoffs:
    """Integer bounds of payoffs times `unit`: a row per output, a column per database."""

    rows: tuple[int, ...]
    columns: tuple[int, ...]
    lower: list[list[int]]
    upper: list[list[int]]
    unit: int


def sharpen(games: Games, game: Game) -> Game:
    """Return the game with bounds at most `GAP` apart relative to the value where that is possible,
    and exact if it is.
    """
    if game.exact is not None:
        return game
    exact = games.exact(game)
    if exact is not None or game.lower is None or game.upper is None:
        return game if exact is None else exact
    close = game.lower > 0 and game.upper - game.lower <= GAP * game.lower
    return game if close else _narrowed(games, game)


def _narrowed(games: Games, game: Game) -> Game:
    """Return the game with the best bounds found: never wider than before, and sound."""
    payoffs = _payoffs(games, game)
    best = game
    for scale in _scales(payoffs):
        betas, alphas = proposing(_proposals)(payoffs, scale) or ([], [])
        for beta in betas:
            most = _most(payoffs, beta)
            if best.upper is None or most < best.upper:
                best = replace(best, upper=most, beta=beta)
        for alpha in alphas:
            full = games.with_separated(game.database, game.against, alpha)
            least = _least(games, game, payoffs, full)
            if best.lower is None or least > best.lower:
                best = replace(best, lower=least, alpha=full)
        if best.lower is not None and best.upper is not None and best.upper - best.lower <= best.lower / 2**40:
            break
    return best


def _payoffs(games: Games, game: Game) -> _Payoffs:
    rows = tuple(games.positive[game.database].nonzero()[0].tolist())
    columns = tuple(games.remaining(game.database, game.against))
    bounds = [[games.payoff(game.database, y, w, _BITS) for y in columns] for w in rows]
    sizes = [abs(low) for row in bounds for low, _ in row if low] or [Fraction(1)]
    finer = _bits_below(min(sizes) / max(sizes))
    if finer > _SPREAD:  # large payoffs may cancel down to the size of the smallest
        bounds = [[games.payoff(game.database, y, w, _BITS + finer) for y in columns] for w in rows]
    unit = 1 << (_BITS + max(0, _bits_below(min(sizes))))
    lower = [[low.numerator * unit // low.denominator for low, _ in row] for row in bounds]
    upper = [[-(-high.numerator * unit // high.denominator) for _, high in row] for row in bounds]
    return _Payoffs(rows, columns, lower, upper, unit)


def _bits_below(number: Fraction) -> int:
    """Return roughly -log2 of a positive number."""
    return number.denominator.bit_length() - number.numerator.bit_length()


def _scales(payoffs: _Payoffs) -> list[int]:
    """Return what to divide payoffs by: the largest, and the best single bound if far smaller."""
    largest = max(abs(entry) for row in payoffs.upper for entry in row) or 1
    single = min(max(row[j] for row in payoffs.upper) for j in range(len(payoffs.columns)))
    return [largest, single] if 0 < single < largest // 1000 else [largest]


def _proposals(payoffs: _Payoffs, scale: int) -> tuple[list[Weights], list[Weights]]:
    """Return exact weights of databases and outputs at the optimal basis, or none if singular."""
    with extras:
        import highspy
    import numpy as np

    most = _FAR * scale
    table = np.array([[-min(max(entry, -most), most) / scale for entry in row] for row in payoffs.upper])
    model = linear_program(table)
    count = len(payoffs.rows)
    model.changeRowsBounds(count, np.arange(count, dtype=np.int32), np.zeros(count), np.full(count, np.inf))
    model.run()
    basis = model.getBasis()
    if not basis.valid:
        return [], []
    basic = highspy.HighsBasisStatus.kBasic
    rows = [i for i, status in enumerate(basis.row_status[:-1]) if status != basic]
    columns = [j for j, status in enumerate(basis.col_status[:-1]) if status == basic]
    if len(rows) != len(columns):
        return [], []
    square = [[payoffs.upper[i][j] for j in columns] for i in rows]
    beta = _equalized(square, payoffs.unit, [payoffs.columns[j] for j in columns])
    alpha = _equalized([list(column) for column in zip(*square)], payoffs.unit, [payoffs.rows[i] for i in rows])
    return beta, alpha


def _equalized(square: list[list[int]], unit: int, places: Sequence[int]) -> list[Weights]:
    """Solve square * weights = v (1, .., 1), sum of weights = 1, and round; none if singular."""
    from flint import fmpq, fmpq_mat

    size = len(square)
    entries: list[Any] = []
    for row in square:
        entries += [*(fmpq(entry, unit) for entry in row), fmpq(-1)]
    entries += [fmpq(1)] * size + [fmpq(0)]
    target = fmpq_mat(size + 1, 1, [fmpq(0)] * size + [fmpq(1)])
    try:
        solved = fmpq_mat(size + 1, size + 1, entries).solve(target)
    except ZeroDivisionError:
        return []
    values = [Fraction(int(solved[i, 0].p), int(solved[i, 0].q)) for i in range(size)]
    numerators = {place: round(value * unit) for place, value in zip(places, values) if value > Fraction(1, unit)}
    if not numerators:
        return []
    near = {place: value.limit_denominator(_SIMPLE) for place, value in zip(places, values)}
    simple = [Weights.of(near)] if sum(near.values()) == 1 and min(near.values()) > 0 else []
    numerators[max(numerators, key=lambda place: numerators[place])] += unit - sum(numerators.values())
    if min(numerators.values()) <= 0:
        return simple
    return [*simple, Weights(tuple(numerators), tuple(numerators.values()), unit)]


def _most(payoffs: _Payoffs, beta: Weights) -> Fraction:
    """Return a rational that is at least max over w of sum_y beta_y payoff(w, y)."""
    place = {y: j for j, y in enumerate(payoffs.columns)}
    chosen = [(place[y], n) for y, n in zip(beta.places, beta.numerators)]
    return Fraction(max(sum(n * row[j] for j, n in chosen) for row in payoffs.upper), payoffs.unit * beta.denominator)


def _least(games: Games, game: Game, payoffs: _Payoffs, alpha: Weights) -> Fraction:
    """Return a rational that is at most min over y of sum_w alpha_w payoff(w, y)."""
    place = {w: i for i, w in enumerate(payoffs.rows)}
    chosen = [(place[w], n) for w, n in zip(alpha.places, alpha.numerators)]
    sums = [sum(n * payoffs.lower[i][j] for i, n in chosen) for j in range(len(payoffs.columns))]
    least = Fraction(min(sums), payoffs.unit * alpha.denominator)
    for y in game.against:
        if y not in payoffs.columns and games.positive[y, list(alpha.places)].all():
            parts = (n * games.payoff(game.database, y, w, _BITS)[0] for w, n in zip(alpha.places, alpha.numerators))
            least = min(least, sum(parts, Fraction(0)) / alpha.denominator)
    return least
