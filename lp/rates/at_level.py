"""Whether the value of a matrix game of log-likelihoods, levels subtracted, is at most 0: bounds
first, then exact signs.

A single database that keeps the levels is tried first, as in differential privacy, with ties
decided exactly. Where the bounds of the optimal weights leave 0 between them, the sign of every sum
is decided by powers of integers or by enclosures: a tie with rational weights is found, one with
irrational weights cannot be, and is undecided.
"""

from collections.abc import Sequence
from fractions import Fraction

from pufferproof.lp.exact.logarithms import sign_of_logs
from pufferproof.lp.exact.weights import Weights
from pufferproof.lp.rates.games import Game, Games
from pufferproof.lp.rates.play import Play
from pufferproof.lp.rates.sharpen import sharpen
from pufferproof.verify.decision import Decision

RESTS_ON = ("worst.nfc-is-rate", "worst.game-value")


def decided(games: Games, x: int, against: tuple[int, ...], play: Play | None = None) -> tuple[Decision, Game]:
    """Decide whether the value of a game, levels subtracted, is at most 0: bounds first, then
    exact signs. What its players learned, if they did, spares a linear program.
    """
    if (beta := _single(games, x, against)) is not None:
        return Decision.HOLDS, Game(x, against, None, None, Weights.at(0), beta)
    if play is not None and (below := play.below(0.0)) is not None:
        return Decision.HOLDS, Game(x, against, None, below[0], Weights.at(0), below[1])
    game = games.solve(x, against)
    for _ in range(2):
        if game.lower is None or game.lower > 0:
            return Decision.FAILS, game
        if game.upper is not None and game.upper <= 0:
            return Decision.HOLDS, game
        if game.beta is not None and _keeps(games, x, game.beta):
            return Decision.HOLDS, game
        if _exceeds(games, x, against, game.alpha):
            return Decision.FAILS, game
        game = sharpen(games, game)
    return Decision.UNDECIDED, game


def _single(games: Games, x: int, against: Sequence[int]) -> Weights | None:
    """Return all weight on one database that keeps the levels, if there is one."""
    import numpy as np

    allowed = games.remaining(x, against)
    if not allowed:
        return None
    own = games.positive[x]
    most = (games.logs[x] - games.shift - games.logs[allowed])[:, own].max(axis=1)
    for j in np.argsort(most, kind="stable").tolist():
        if most[j] > games.error:
            break
        if most[j] < -games.error or _keeps(games, x, Weights.at(allowed[j])):
            return Weights.at(allowed[j])
    return None


def _keeps(games: Games, x: int, beta: Weights) -> bool:
    """Say whether it is certain that sum_y beta_y payoff(w, y) <= 0 for every output."""
    for w in games.positive[x].nonzero()[0].tolist():
        terms = [(n, games.ratio(x, y, w)) for y, n in zip(beta.places, beta.numerators)]
        sign = _sign(games, terms, {w: beta.denominator})
        if sign is None or sign > 0:
            return False
    return True


def _exceeds(games: Games, x: int, against: Sequence[int], alpha: Weights) -> bool:
    """Say whether it is certain that sum_w alpha_w payoff(w, y) > 0 for every database."""
    times = dict(zip(alpha.places, alpha.numerators))
    for y in against:
        if games.positive[y, list(times)].all():
            terms = [(n, games.ratio(x, y, w)) for w, n in times.items()]
            if _sign(games, terms, times) != 1:
                return False
    return True


def _sign(games: Games, terms: list[tuple[int, Fraction]], times: dict[int, int]) -> int | None:
    """Return the sign of the terms less `times` the levels of outputs."""
    ratios = [(-n, games.levels[w].ratio or Fraction(1)) for w, n in times.items()]
    nats = sum((n * (games.levels[w].nats or Fraction(0)) for w, n in times.items()), Fraction(0))
    return sign_of_logs([*terms, *ratios], -nats)
