"""What recorded numbers say against the AR(1) that is fitted to them.

The AR(1) is fitted again by least squares, x_t = r x_(t-1) + e_t about the common mean, and its
residuals e are judged:

    order    the sum of r_k^2 over their autocorrelations at lags 1 to 3
    season   the largest |r_k| sqrt(n - k) over lags k from 4 to a third of the longest series
    trend    the squared correlation of residuals with the time since the series began
    groups   log of the residual squares, with one mean over with a mean for every group
    shape    Jarque and Bera's statistic of normality

P-values come from series that are drawn from the fitted law and fitted anew, with a fixed seed;
they are corrected for their number (`comparison.holm`). Of more than 20,000 readings the beginnings
of the longest series are tested.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pufferproof.models.files.recorded.doubts.comparison import (
    DRAWS,
    FEWER_DRAWS,
    WEAK,
    About,
    Doubt,
    against,
    holm,
    longest,
    share_approx,
)

if TYPE_CHECKING:
    import numpy as np

_MOST_READINGS = 20_000
_MOST_DRAWN = 2_000_000  # readings of all draws
_FEWEST = 12  # readings
_NEAR = 3  # lags of the test of the order
_UNIT, _ERRORS = 0.9, 2  # a coefficient so near to 1, in standard errors, may be 1


@dataclass(frozen=True)
class _Residuals:
    """Residuals of several readings (columns are draws): the series of each, the time since it
    began, and the reading and the one before, about the mean.
    """

    values: "np.ndarray"
    series: "np.ndarray"
    time: "np.ndarray"
    before: "np.ndarray"
    after: "np.ndarray"
    group: "np.ndarray"

    def correlation(self, lag: int) -> "np.ndarray":
        """Return the autocorrelation of residuals at a lag, times the root of their number."""
        import numpy as np

        same = self.series[lag:] == self.series[:-lag]
        products = self.values[lag:][same] * self.values[:-lag][same]
        size = len(self.values)
        count = max(1, len(products))
        result: np.ndarray = products.sum(0) / (self.values**2).sum(0) * size / np.sqrt(count)
        return result

    @property
    def seasons(self) -> "np.ndarray":
        """The size of the autocorrelation of the longest series at every lag above three."""
        import numpy as np

        names, counts = np.unique(self.series, return_counts=True)
        own = self.values[self.series == names[counts.argmax()]]
        size = len(own)
        power = np.abs(np.fft.rfft(own, 2 * size, axis=0)) ** 2
        sums = np.fft.irfft(power, axis=0)[: size // 3 + 1]
        lags = np.arange(len(sums))[:, None]
        scaled: np.ndarray = np.abs(sums) / sums[0] * size / np.sqrt(size - lags)
        return scaled[_NEAR + 1 :]

    @property
    def groups(self) -> "np.ndarray":
        import numpy as np

        order = np.argsort(self.group, kind="stable")
        starts = np.flatnonzero(np.diff(self.group[order], prepend=-1))
        sizes = np.diff(starts, append=len(order))
        inner = []
        for array in (self.before, self.after):
            means = np.add.reduceat(array[order], starts, axis=0) / sizes[:, None]
            inner.append(array[order] - np.repeat(means, sizes, axis=0))
        before, after = inner
        slope = (before * after).sum(0) / (before**2).sum(0)
        found: np.ndarray = np.log((self.values**2).sum(0) / ((after - slope * before) ** 2).sum(0))
        return found


@dataclass(frozen=True)
class _Law:
    """Where series begin among all readings, the group of each, and the coefficient."""

    lengths: Sequence[int]
    members: Sequence[int]
    coefficient: float

    def drawn(self, draws: int) -> "np.ndarray":
        """Return series of mean 0 and variance 1, one after the other, a column for every draw."""
        import numpy as np

        rho = self.coefficient
        found = np.random.default_rng(0).standard_normal((sum(self.lengths), draws))
        place = 0
        for length in self.lengths:
            for t in range(place + 1, place + length):
                found[t] = rho * found[t - 1] + (1 - rho * rho) ** 0.5 * found[t]
            place += length
        return found

    def residuals(self, readings: "np.ndarray") -> _Residuals:
        """Return the residuals of readings, a column for every draw."""
        import numpy as np

        series = np.repeat(np.arange(len(self.lengths)), self.lengths)
        time = np.concatenate([np.arange(length) for length in self.lengths])
        later = np.flatnonzero(time)
        off = readings - readings.mean(0)
        before, after = off[later - 1], off[later]
        slope = (before * after).sum(0) / (before**2).sum(0)
        values = after - slope * before
        values = values - values.mean(0)
        group = np.asarray(self.members)[series[later]]
        return _Residuals(values, series[later], time[later], before, after, group)


def doubts_of_readings(
    series: Sequence[Sequence[float]], coefficient: float, members: Sequence[int] = ()
) -> list[Doubt]:
    """Return what speaks against an AR(1) with this coefficient; `members` has the number of the
    group of every series, by default each is one.
    """
    import numpy as np

    own = members or range(len(series))
    given = [(values, group) for values, group in zip(series, own) if len(values) > 1]
    if sum(len(values) for values, _ in given) > _MOST_READINGS:
        some = longest([values for values, _ in given], _MOST_READINGS)
        wanted = {id(values) for values in some}
        given = [(values, group) for values, group in given if id(values) in wanted] or [(some[0], 0)]
    count = sum(len(values) for values, _ in given)
    if count < _FEWEST:
        return []
    law = _Law([len(values) for values, _ in given], [group for _, group in given], coefficient)
    readings = np.concatenate([np.asarray(values, dtype=float) for values, _ in given])
    scaled = (readings - readings.mean()) / readings.std()
    draws = max(FEWER_DRAWS, min(DRAWS, _MOST_DRAWN // count))
    residuals = law.residuals(np.column_stack([scaled, law.drawn(draws)]))
    if not (residuals.values[:, 0] ** 2).sum() > 1e-12 * count:
        return []
    return [*_tested(residuals, len(set(law.members)), draws), *_near_one(coefficient, count)]


def _near_one(coefficient: float, count: int) -> list[Doubt]:
    """Return a doubt if the coefficient may be 1: then there is no stationary law."""
    error = ((1 - coefficient**2) / count) ** 0.5
    if coefficient < _UNIT or coefficient + _ERRORS * error < 1:
        return []
    says = (
        f"the coefficient {coefficient:.4g} is so near to 1 that readings may wander without a "
        "mean, and the variance of the law may be any (fit the changes between readings)"
    )
    return [Doubt("trend", says)]


def _tested(residuals: _Residuals, groups: int, draws: int) -> list[Doubt]:
    import numpy as np

    off = residuals.time - residuals.time.mean()
    second, third, fourth = ((residuals.values**k).mean(0) for k in (2, 3, 4))
    near = [residuals.correlation(lag) for lag in range(1, _NEAR + 1)]
    statistics: dict[About, np.ndarray] = {
        "order": np.square(near).sum(0),
        "trend": (off @ residuals.values) ** 2 / (residuals.values**2).sum(0),
        "shape": third**2 / second**3 + (fourth / second**2 - 3) ** 2 / 4,  # Jarque and Bera
    }
    seasons = residuals.seasons
    lag = 0
    if len(seasons) and float(seasons[:, 0].max()) > max(abs(float(each[0])) for each in near):  # else its echo
        statistics["season"] = seasons.max(0)
        lag = int(seasons[:, 0].argmax()) + _NEAR + 1
    if groups > 1:
        statistics["groups"] = residuals.groups
    p_values = {name: share_approx(float(values[0]), values[1:].tolist()) for name, values in statistics.items()}
    corrected = holm(p_values)
    model_and_what: Mapping[About, tuple[str, str]] = {
        "order": (
            "an AR(1)",
            "what comes next depends on more than the last reading, so the law may leak far less "
            "than the readings (write a normal law with a covariance)",
        ),
        "season": (
            "an AR(1)",
            f"readings depend on those {lag} before, as in a season (take the season off, or write "
            "a normal law with a covariance)",
        ),
        "trend": ("one mean at all times", "readings rise or fall (take the trend off)"),
        "groups": (
            "one mean for all groups",
            f"the {groups} groups have means of their own (take these off, or fit groups one by one)",
        ),
        "shape": (
            "normal innovations",
            "large changes are more frequent or less, or one side outweighs the other (take "
            "logarithms, or fit a chain to classes)",
        ),
    }
    doubts = []
    for name, (model, what) in model_and_what.items():
        if name in p_values and corrected[name] < WEAK:
            says = f"p = {p_values[name]:.3g} ({draws} draws): {against(corrected[name], model)}: {what}"
            doubts.append(Doubt(name, says, p_values[name], corrected[name]))
    return doubts
