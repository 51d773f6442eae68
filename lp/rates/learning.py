"""How both players of many games of log-likelihoods learn to play: optimistic multiplicative
weights, which count the last payoffs twice, in floats.

Games of few entries play a few rounds, all groups of one shape together. Games of many entries,
whose linear programs are dear, play on while they could be the largest of their group, or above 0
where levels are subtracted. Nothing rests on it: what is learned is a proposal.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from pufferproof.lp.rates.games import Games

RESTS_ON = ("worst.game-value",)
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
        return _few_rounds(rate, rows, columns, possible, allowed)
    floor = 0.0 if games.levels else -np.inf
    alone = [_GameGroup(rate, *group).learned(floor) for group in zip(rows, columns, possible, allowed)]
    return np.stack(alone)


def _few_rounds(
    rate: float,
    rows: "NDArray[np.float64]",
    columns: "NDArray[np.float64]",
    possible: "NDArray[np.bool_]",
    allowed: "NDArray[np.bool_]",
) -> "NDArray[np.float64]":
    """Return the mean of the second half of what the column players chose."""
    import numpy as np

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
            alpha, beta = self._played(rounds)
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

    def _played(self, rounds: int) -> "tuple[NDArray[np.float32], NDArray[np.float32]]":
        """Return the means of what both players choose in so many more rounds."""
        import numpy as np

        alphas, betas = np.zeros_like(self.earned), np.zeros_like(self.paid)
        for _ in range(rounds):
            gain, saving = self.rows - self.beta @ self.columns, self.alpha @ self.outputs
            self.earned += gain
            self.paid += saving
            self.alpha, self.beta = self._shares(gain, saving)
            alphas += self.alpha
            betas += self.beta
        return alphas / np.float32(rounds), betas / np.float32(rounds)

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
