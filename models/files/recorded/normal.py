"""Normal laws fitted to recorded numbers by maximum likelihood, and their frameworks.

    AR(1):       X_t - m = r (X_(t-1) - m) + e_t, stationary, the same law in every series
    covariance:  independent series of n readings, mean and covariance of every reading

Given r the likelihood of an AR(1) is largest at m and v in closed form, and its slope in r has the
sign of a polynomial, whose root is bisected with exact signs from the best point of a grid. The
covariance is the mean of (x - m)(x - m)'. Written are r to 9 decimals, m and v to 12 digits.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Context, Decimal
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from math import atanh, exp, log, sqrt, tanh
from pathlib import Path
from typing import Literal

from pufferproof.models.errors import ModelError
from pufferproof.models.files.reading import Loaded, digest, in_file
from pufferproof.models.files.recorded.doubts.comparison import Doubt
from pufferproof.models.files.recorded.doubts.readings import doubts_of_readings
from pufferproof.models.files.recorded.sources.gathering import UNREAD, Asked, Reading
from pufferproof.models.files.recorded.sources.opening import rows_of
from pufferproof.models.interface.outputs import write_atomically
from pufferproof.models.interface.readable import Readable
from pufferproof.models.numbers.enclosures import least
from pufferproof.models.numbers.text import JsonObject, brief, text_of
from pufferproof.models.priors.continuous.normal import MAX_WRITTEN, Normal
from pufferproof.models.priors.continuous.points import MAX_RECORDS, PointFramework

Kind = Literal["ar1", "covariance"]
Series = Sequence[Sequence[Fraction]]
KINDS: tuple[Kind, ...] = ("ar1", "covariance")
PRIOR = "fitted"
_FEWEST, _GRID, _MOST_SECRETS = 3, 200, 1_000
_LARGEST = 10**100
_UNITS = 10**9  # coefficients are multiples of 1 / _UNITS
_END = Fraction(_UNITS - 1, _UNITS)


@dataclass(frozen=True)
class Numbers:
    """Series of numbers, and what the times of the readings say against them."""

    series: tuple[tuple[Fraction, ...], ...]
    doubts: tuple[Doubt, ...] = ()
    reading: Reading = UNREAD


def read_numbers(path: str | Path, asked: Asked, kind: Kind = "ar1") -> Loaded[Numbers]:
    """Read a column of numbers, by the groups of another one if asked for.

    Raises `ModelError` naming the line where something is missing, or no finite number; and for a
    covariance if anything is missing, as later readings would take the place of earlier ones.
    """
    with in_file(path):
        rows = rows_of(path, asked)
        gathering, judged = rows.gathered(numeric=True)
        parts = gathering.sequences(judged.breaks)
        series = gathering.numbers([part.labels for part in parts])
        if kind == "covariance" and (gathering.absent or any(judged.breaks.values())):
            raise ModelError(
                'a covariance needs every reading of every series, found gaps: "ar1" can be split '
                "there, or leave out the series that have them",
                "gaussian",
            )
        later = frozenset(place for place, part in enumerate(parts) if not part.begins)
        members = tuple(part.group for part in parts)
        reading = Reading(rows.told, rows.notes, judged.timing, None, gathering.absent, later, members)
        return Loaded(Numbers(series, judged.doubts, reading), str(path), digest(rows.data))


@dataclass(frozen=True)
class Secrets:
    """What a framework of numbers protects: that a private record has one of the values, or lies
    in one of the windows.
    """

    values: tuple[Fraction, ...] = ()
    windows: tuple[tuple[Fraction, Fraction], ...] = ()
    private: tuple[int, ...] | None = None
    length: int | None = None

    def named(self, count: int) -> dict[str, tuple[int, Fraction] | tuple[int, Fraction, Fraction]]:
        """Return the secrets of so many records. Raises `ModelError` unless two or more are of one
        kind.
        """
        if bool(self.values) == bool(self.windows):
            raise ModelError("expected --at several times, or --between several times", "at")
        private = range(1, count + 1) if self.private is None else self.private
        size = len(private) * max(len(self.values), len(self.windows))
        if size > _MOST_SECRETS:
            raise ModelError(
                f"expected records whose secrets are at most {_MOST_SECRETS}, found {size} secrets", "private"
            )
        secrets: JsonObject = {}
        for t in private:
            secrets |= {f"x{t}={text_of(v)}": (t, v) for v in self.values}
            secrets |= {f"x{t} in {text_of(a)}..{text_of(b)}": (t, a, b) for a, b in self.windows}
        return secrets


@dataclass(frozen=True, repr=False)
class NormalFit(Readable):
    """A normal law fitted to series of numbers, and the framework that it is a prior of.

    >>> series = [[Fraction(x) for x in (3, 2, 4, 5, 4, 2, 1, 2)]]
    >>> found = NormalFit(series, "ar1", Secrets((Fraction(1), Fraction(3)), private=(2,)))
    >>> f"{float(found.prior.coefficient):.4f} {float(found.prior.variance):.4f}"
    '0.4405 1.5414'

    Raises `ModelError` unless the likelihood has a maximum.
    """

    series: Series
    kind: Kind
    secrets: Secrets
    members: tuple[int, ...] = ()  # the number of the group of every series

    def __post_init__(self) -> None:
        for value in (x for each in self.series for x in each):
            if max(abs(value.numerator), value.denominator) > _LARGEST:
                raise ModelError(f"expected at most 100 digits, found {brief(value)}", "gaussian")
        _ = self.prior, self.framework

    @cached_property
    def readings(self) -> int:
        """How many readings there are."""
        return sum(map(len, self.series))

    @cached_property
    def prior(self) -> Normal:
        """The law."""
        if self.kind == "ar1":
            return _autoregression(self.series)
        count = len(self.series[0])
        if len(self.series) < 2:
            raise ModelError(
                'expected 2 or more series (--group NAME), found 1: of one series, "ar1" is fitted', "gaussian"
            )
        if any(len(each) != count for each in self.series):
            lengths = sorted(set(map(len, self.series)))
            some = ", ".join(map(str, lengths[:4])) + (", .." if len(lengths) > 4 else "")
            raise ModelError(f"expected series of one length, found {some}", "gaussian")
        if count > MAX_WRITTEN:
            raise ModelError(f"expected at most {MAX_WRITTEN} readings, found {count}", "gaussian")
        means = [sum(column) / Fraction(len(self.series)) for column in zip(*self.series)]
        off = [[x - m for x, m in zip(each, means)] for each in self.series]
        rows = [[sum(each[j] * each[k] for each in off) / len(self.series) for k in range(count)] for j in range(count)]
        for j, row in enumerate(rows):
            if not row[j]:
                raise ModelError(
                    f"expected readings that vary, found {brief(means[j])} as reading {j + 1} of every series",
                    "gaussian",
                )
        return Normal(means, rows)

    @property
    def length(self) -> int:
        """How many records the framework has: as many as the longest series, unless said."""
        longest = max(map(len, self.series))
        length = self.secrets.length
        if length is None or (self.kind == "ar1" and 1 <= length <= MAX_RECORDS):
            return longest if length is None else length
        most = MAX_RECORDS if self.kind == "ar1" else longest
        raise ModelError(f"expected 1 to {most}, found {length}", "length")

    @cached_property
    def framework(self) -> PointFramework:
        """The framework: every two secrets about one record that exclude one another."""
        if self.kind == "covariance" and self.secrets.length not in (None, self.length):
            raise ModelError(f"expected {self.length}, as the series have", "length")
        named = self.secrets.named(self.length)
        return PointFramework(self.length, named, "disjoint", {PRIOR: self.prior})

    @cached_property
    def errors(self) -> dict[str, float] | None:
        """Standard errors of an AR(1) in long series, by Fisher's information; None of a
        covariance.
        """
        if self.kind != "ar1":
            return None
        rho, spread = float(self.prior.coefficient or 0), float(self.prior.variance or 0)
        noise = spread * (1 - rho * rho)
        return {
            "mean": sqrt(noise / self.readings) / (1 - rho),
            "coefficient": sqrt((1 - rho * rho) / self.readings),
            "variance": spread * sqrt(2 * (1 + rho * rho) / (1 - rho * rho) / self.readings),
        }

    @cached_property
    def doubts(self) -> list[Doubt]:
        """What the readings say against an AR(1); nothing tests a covariance."""
        if self.kind != "ar1":
            return []
        scale = max(abs(x) for each in self.series for x in each) or Fraction(1)
        series = [[float(x / scale) for x in each] for each in self.series]
        return doubts_of_readings(series, float(self.prior.coefficient or 0), self.members)

    @cached_property
    def normality(self) -> tuple[float, float] | None:
        """The statistic of Jarque and Bera for the innovations of an AR(1), and its p-value in long
        series; None of a covariance.
        """
        if self.kind != "ar1":
            return None
        rho, mean = float(self.prior.coefficient or 0), float(self.prior.mean_of(1))
        residuals: list[float] = []
        for each in self.series:
            off = [float(x) - mean for x in each]
            residuals.append(off[0] * sqrt(1 - rho * rho))
            residuals += [y - rho * x for x, y in pairwise(off)]
        middle = sum(residuals) / len(residuals)
        second, third, fourth = (sum((x - middle) ** k for x in residuals) / len(residuals) for k in (2, 3, 4))
        skewness, excess = third / second**1.5, fourth / second**2 - 3
        statistic = len(residuals) / 6 * (skewness**2 + excess**2 / 4)
        return statistic, exp(-statistic / 2)

    def document(self) -> JsonObject:
        """Return the framework as JSON."""
        secrets = {
            name: {"record": secret.record}
            | (
                {"between": list(map(text_of, secret.window))}
                if self.secrets.windows
                else {"at": text_of(secret.window[0])}
            )
            for name, secret in self.framework.secrets.items()
        }
        return {
            "format": "pufferproof-framework/1",
            "records": {"count": self.length},
            "secrets": secrets,
            "pairs": "disjoint",
            "priors": {PRIOR: {"gaussian": law_json(self.prior)}},
        }

    def text(self) -> str:
        """Return the framework file."""
        return json.dumps(self.document(), indent=1) + "\n"

    def save(self, path: str | Path) -> None:
        """Write the framework file, as the command does."""
        write_atomically(path, self.text())

    def __str__(self) -> str:
        several = "1 series" if len(self.series) == 1 else f"{len(self.series)} series"
        what = "AR(1)" if self.kind == "ar1" else "normal law"
        return f"{what} from {self.readings} readings in {several}"


def law_json(law: Normal) -> dict[str, object]:
    """Return a normal law as a framework file has it."""
    mean: object = [*map(text_of, law.mean)] if isinstance(law.mean, tuple) else text_of(law.mean)
    if law.covariance is not None:
        rows = [[text_of(entry) for entry in row] for row in law.covariance]
        return {"mean": mean, "covariance": rows}
    ends = {"coefficient": text_of(law.coefficient or Fraction(0))}
    return {"mean": mean, "ar1": ends | {"variance": text_of(law.variance or Fraction(0))}}


def _autoregression(series: Series) -> Normal:
    """Return the AR(1) of the largest likelihood. Raises `ModelError` where there is none."""
    count = sum(map(len, series))
    if count < _FEWEST:
        raise ModelError(f"expected {_FEWEST} or more readings, found {count}", "gaussian")
    if len({x for each in series for x in each}) == 1:
        raise ModelError(f"expected readings that vary, found {brief(series[0][0])} alone", "gaussian")
    sums = _Sums.of(series)
    if not sums.steps:
        raise ModelError("expected a series of 2 or more readings, found none", "gaussian")
    for end, said in ((1, "every series is constant"), (-1, "readings alternate")):
        if not sums.squares(Fraction(end)):
            raise ModelError(f"the likelihood has no maximum: {said}", "gaussian")
    rho = sums.largest()
    spread = sums.squares(rho) / (count * (1 - rho * rho))
    return Normal(_rounded(sums.mean(rho)), coefficient=rho, variance=_rounded(spread))


def _rounded(value: Fraction) -> Fraction:
    """Round to 12 digits."""
    digits = Context(prec=12, Emin=-999_999, Emax=999_999)
    return Fraction(digits.divide(Decimal(value.numerator), Decimal(value.denominator)))


@dataclass(frozen=True)
class _Sums:
    """Sums over first readings, and over steps from a reading `x` to the next one `y`."""

    series: int
    steps: int
    first: Fraction
    first_square: Fraction
    x: Fraction
    y: Fraction
    xx: Fraction
    xy: Fraction
    yy: Fraction

    @classmethod
    def of(cls, series: Series) -> "_Sums":
        starts = [each[0] for each in series]
        pairs = [pair for each in series for pair in pairwise(each)]
        return cls(
            len(series),
            len(pairs),
            sum(starts, Fraction(0)),
            sum((x * x for x in starts), Fraction(0)),
            sum((x for x, _ in pairs), Fraction(0)),
            sum((y for _, y in pairs), Fraction(0)),
            sum((x * x for x, _ in pairs), Fraction(0)),
            sum((x * y for x, y in pairs), Fraction(0)),
            sum((y * y for _, y in pairs), Fraction(0)),
        )

    def mean(self, rho: Fraction) -> Fraction:
        """Return the best mean given the coefficient."""
        weight = self.series * (1 + rho) + self.steps * (1 - rho)
        return ((1 + rho) * self.first + self.y - rho * self.x) / weight

    def squares(self, rho: Fraction) -> Fraction:
        """Return S = (1 - r^2) sum (x_1 - m)^2 + sum (y - m - r (x - m))^2 at the best mean."""
        m, near = self.mean(rho), 1 - rho
        starts = self.first_square - 2 * m * self.first + self.series * m * m
        steps = self.yy - 2 * rho * self.xy + rho * rho * self.xx
        steps += self.steps * near * near * m * m - 2 * m * near * (self.y - rho * self.x)
        return (1 - rho * rho) * starts + steps

    def slope(self, rho: Fraction) -> Fraction:
        """Return what has the sign of the slope of the log-likelihood
        -N/2 log S + G/2 log(1 - r^2), N readings in G series.
        """
        m, near = self.mean(rho), 1 - rho
        starts = self.first_square - 2 * m * self.first + self.series * m * m
        steps = -2 * self.xy + 2 * rho * self.xx - 2 * self.steps * near * m * m
        steps += 2 * m * (self.y - rho * self.x + near * self.x)
        change, count = steps - 2 * rho * starts, self.series + self.steps
        return -(count * change * (1 - rho * rho) + 2 * self.series * rho * self.squares(rho))

    def largest(self) -> Fraction:
        """Return the coefficient of the largest likelihood, to 9 decimals."""
        far = atanh(float(_END))
        inner = [Fraction(f"{tanh(far * k / _GRID):.9f}") for k in range(1 - _GRID, _GRID)]
        grid = [-_END, *inner, _END]
        count = self.series + self.steps
        likelihoods = []  # but for a constant, about
        for rho in grid:
            above, below = self.squares(rho).as_integer_ratio()
            likelihoods.append(-count / 2 * (log(above) - log(below)) + self.series / 2 * log(1 - rho * rho))
        best = likelihoods.index(max(likelihoods))
        around = grid[max(best - 1, 0)], grid[min(best + 1, len(grid) - 1)]
        low, high = (int(place * _UNITS) for place in around)
        falls = least(lambda place: self.slope(Fraction(place, _UNITS)) <= 0, (low, high))
        return Fraction(falls[0], _UNITS)
