"""Narrow bounds of a matrix game of log-likelihoods: payoffs enclosed in integers, the optimal
basis solved for exactly.

The float linear program is solved again for this game alone, scaled by its own payoffs, so that
rows that are nearly equal do not drown. Its basis names the outputs and databases that matter; on
these the two linear systems are solved in rationals, and the weights, rounded to multiples of the
unit of payoffs, give bounds by interval arithmetic on integers. Bounds are sound whatever the
solver says; they may stay wide, which is then said by the interval.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from pufferproof.lp.exact.weights import Weights
from pufferproof.lp.rates.games import GAP, Game, Games, linear_program
from pufferproof.models.errors import extras
from pufferproof.models.numbers.proportions import proposing

RESTS_ON = ("worst.game-value",)
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
