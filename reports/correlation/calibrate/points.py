"""What `calibrate` finds for normal records that are not truncated: the least scale of noise on a
linear query, by the closed forms of `pufferproof.verify.noise.normal.points`; and what all
mechanisms add, side by side.

The laws of the query given two values of a record are shifts of one another by c (u - v), so that
the Wasserstein mechanism adds the least Laplace noise: max |u - v| sum_k |c_k| / epsilon. Between
windows it adds more than the least, which is the root of a leakage that falls in the scale.
"""

import os
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Any

from pufferproof.models.errors import ModelError, SolverError
from pufferproof.models.files.mechanisms import LINEAR, linear_query_of, read_query
from pufferproof.models.files.reading import Loaded, in_file
from pufferproof.models.files.shapes import WeightsShape
from pufferproof.models.files.writing import MECHANISM
from pufferproof.models.noise.additive import LinearQuery, Noise
from pufferproof.models.noise.scale import NO_NOISE, quotient
from pufferproof.models.numbers.enclosures import Enclosure, enclose, exp_bounds
from pufferproof.models.numbers.grammar import exact
from pufferproof.models.numbers.level import Level
from pufferproof.models.numbers.text import JsonObject, text_of
from pufferproof.models.priors.continuous.points import PointFramework
from pufferproof.reports.auditing.any_form import refuse_at_points
from pufferproof.reports.correlation.calibrate.asked import LAPLACE, NORMAL, Asked
from pufferproof.reports.correlation.calibrate.comparison import ComparedScale
from pufferproof.reports.correlation.calibrate.gaussian import ByDelta, ByOrder, Sigma
from pufferproof.reports.correlation.calibrate.task import Calibration
from pufferproof.verify.decision import united
from pufferproof.verify.leakage.ratio import Leakage
from pufferproof.verify.noise.normal.audit import (
    CORRELATIONS_REST_ON,
    Correlated,
    compared_nats,
    delta_of,
    point_claims,
    translated,
    windows_exceed,
)
from pufferproof.verify.noise.normal.audit import TRANSLATION_RESTS_ON as LEVELS_REST_ON
from pufferproof.verify.noise.normal.points import (
    LawShift,
    PointLeakage,
    compare_delta,
    delta_bounds,
    leakage_of,
    shifts,
)
from pufferproof.verify.noise.scale.calibration import Comparisons, Progress, enclosed
from pufferproof.verify.noise.scale.smallest import sigma_of_shift

_LONG = 400  # bits or digits of a number that is written out
_TIGHT = "scale: the least, as a query of normal records is shifted (an argument in words)"
_WINDOWS = "scale: the distance of the laws over epsilon; --tight finds the least (words)"


@dataclass(frozen=True)
class PointTask:
    """A framework of normal priors, and a linear query of it."""

    loaded: Loaded[PointFramework]
    query: LinearQuery
    asked: str | WeightsShape
    query_file: Loaded[Any] | None = None

    @classmethod
    def read(cls, loaded: Loaded[PointFramework], query: str) -> "PointTask":
        """Read the query: "sum", "mean", or a file. Raises `ModelError` unless it is linear."""
        file = None
        if query not in ("sum", "mean"):
            if not os.path.exists(query):
                raise ModelError(f'expected one of sum, mean, or a file with "weights", found "{query}"', "--query")
            file = read_query(query)
        asked = query if file is None else file.value
        if not isinstance(asked, str | WeightsShape):
            raise ModelError(LINEAR, query)
        with in_file(query if file is not None else loaded.path):
            made = linear_query_of(asked, Noise.laplace(1), loaded.value)
        return cls(loaded, made, asked, file)

    def document(self, scale: Enclosure) -> JsonObject:
        """Return the mechanism file with Laplace noise of the upper end of a scale."""
        rows = [list(map(text_of, row)) for row in self.query.rows]
        query = self.asked if isinstance(self.asked, str) else {"weights": rows}
        noise = {"laplace": {"scale": scale.upper}}
        return {"format": MECHANISM, "query": query, "noise": noise}

    def mechanism(self, scale: Enclosure) -> LinearQuery:
        """Return the query with Laplace noise of the upper end of a scale."""
        return replace(self.query, noise=Noise.laplace(scale.upper))

    @cached_property
    def found(self) -> list[LawShift]:
        """How the laws of the query differ, with Laplace noise of scale 1."""
        return shifts(self.loaded.value, [self.query])

    @property
    def pointwise(self) -> bool:
        """Whether secrets are values, not windows."""
        return all(shift.pointwise for shift in self.found)

    def leakage(self, scale: Enclosure) -> PointLeakage | None:
        """Return what Laplace noise of the upper end of a scale leaks, None without noise."""
        if not exact(scale.upper):
            return None
        return self._noisy(exact(scale.upper))

    def _noisy(self, scale: Fraction) -> PointLeakage:
        return leakage_of([shift.with_noise(Noise.laplace(scale)) for shift in self.found])

    def laplace(self, level: Level) -> Calibration:
        """Calibrate the Wasserstein mechanism. Raises `ModelError` at level 0, unless no noise is
        needed.
        """
        worst = max(self.found, key=lambda shift: shift.distance)
        distance = worst.distance
        details: JsonObject = {"prior": worst.prior, "pair": list(worst.pair)}
        if distance.denominator.bit_length() <= _LONG:
            details["distance"] = text_of(distance)
        if distance and level.ratio == 1:
            raise _no_noise()
        scale = quotient(distance, level) if distance else NO_NOISE
        if scale.text is not None and len(scale.text) > _LONG:
            scale = replace(scale, text=None)
        assumed = ["only the priors listed", _TIGHT if self.pointwise else _WINDOWS]
        return Calibration(scale, assumed, None, details, claims=self.claims(Noise.laplace(1)))

    def bayesian(self, level: Level) -> Calibration:
        """Calibrate by the bound of Bayesian privacy on normal records: the scale is L |u - v|
        (1 + m^2 / (4 (1/rho - m + 2))) / epsilon, where a unit of a record moves the query by at
        most L, and m records depend on the secret one, with correlations of at most rho.

        Claim normal.bdp. Source: the function sum_bdp_gaussian_bound of
        github.com/lange-martin/privacy-utility-bdp, the code of arXiv 2506.21308, which clips.

        Raises `ModelError` unless secrets are values, the m records have one variance, and
        rho < 1 / (m - 2); and at level 0.
        """
        if not self.pointwise:
            raise ModelError('expected secrets "at" numbers: the bound is for values, not windows')
        if level.ratio == 1:
            raise _no_noise()
        framework, products, assumed = self.loaded.value, [], dict[str, None]()
        for shift in self.found:
            try:
                group = Correlated.of(shift.law, shift.record, framework.count)
                products.append(abs(shift.gap) * group.factor)
            except ModelError as error:
                with in_file(self.loaded.path):
                    raise error.within(f"priors.{shift.prior}") from None
            # what is assumed of the group
            size = len(group.members)
            if size == 1:
                dependence = f'record {group.members[0]} under "{shift.prior}" depends on no other'
            else:
                said = f'{size} records under "{shift.prior}" depend on one another'
                dependence = f"{said}, with one variance and correlations of at most {text_of(group.largest)}"
            assumed[dependence] = None
        moved = self.per_unit
        changes = f"the query changes by at most {text_of(moved)} (L1) when one record does by 1"
        scale = quotient(moved * max(products), level)
        claims = united(CORRELATIONS_REST_ON, self.claims(Noise.laplace(1)))
        return Calibration(scale, [*assumed, changes], None, {}, claims=claims)

    @property
    def per_unit(self) -> Fraction:
        """The most that a unit of a record moves the query, in L1."""
        return max(sum(map(abs, column), Fraction(0)) for column in zip(*self.query.rows))

    def claims(self, noise: Noise, delta: bool = False) -> tuple[str, ...]:
        """Return the claims that answers about noise of a kind rest on."""
        return point_claims([noise], self.pointwise, delta)

    def keeps(self, scale: Fraction, level: Level) -> bool | None:
        """Say whether Laplace noise of a scale keeps a level, or None if enclosures do not tell."""
        sign = self._noisy(scale).compare(level) if scale else None
        return None if sign is None else sign <= 0

    def tight(self, level: Level, progress: Progress | None = None) -> Enclosure:
        """Return the least scale of Laplace noise that keeps a level: what noise leaks falls in
        the scale. Raises as `laplace`, and `SolverError` where enclosures do not tell.
        """
        calibration = self.laplace(level)
        start = calibration.scale.upper
        if self.pointwise or not start:
            return calibration.enclosure()

        def exceeds(scale: Fraction) -> bool:
            sign = self._noisy(scale).compare(level)
            if sign is None:
                raise SolverError("enclosures do not tell whether a scale is enough")
            return sign > 0

        return enclose(*enclosed(exceeds, start, Fraction(1), Comparisons(progress)))

    def sigmas(self, kind: ByDelta | ByOrder, progress: Progress | None = None) -> list[Sigma]:
        """Return the least sigma of Gaussian noise, and that of the Wasserstein mechanism, which
        looks at the distance of the laws and not at what the other records hide.
        """
        least = self.sigma(kind, progress)
        if not exact(least.sigma.upper if least.sigma else "0"):
            return [least]
        worst = max(self.found, key=lambda shift: shift.square_distance)
        where: JsonObject = {"prior": worst.prior, "pair": list(worst.pair)}
        if worst.square_distance.denominator.bit_length() <= _LONG:
            where["distance_squared"] = text_of(worst.square_distance)
        sigma = enclose(*sigma_of_shift(worst.square_distance, kind.promise))
        if isinstance(kind, ByDelta) and not self.pointwise:
            measured = self._between(kind, sigma).measured
        else:
            squares = self._squares(exact(sigma.upper))
            measured = _measured(kind, max(square or Fraction(0) for square in squares))
        return [least, Sigma("wasserstein", sigma, measured, where)]

    def sigma(self, kind: ByDelta | ByOrder, progress: Progress | None = None) -> Sigma:
        """Return the least sigma of Gaussian noise that keeps a delta, or a divergence."""
        if not any(slope for shift in self.found for slope in shift.slopes):
            return Sigma("exact", enclose(Fraction(0), Fraction(0)), None, {})
        if kind.level.ratio == 1 and isinstance(kind, ByOrder):
            raise _no_noise()
        if not self.pointwise and isinstance(kind, ByOrder):
            raise ModelError('needs secrets "at" numbers: between windows, expected --delta', "--renyi")
        comparisons = Comparisons(progress)

        def exceeds(sigma: Fraction) -> bool:
            if isinstance(kind, ByDelta) and not self.pointwise:
                variances = [sigma * sigma] * self.query.dimension
                return _told(windows_exceed(self.found, variances, kind.level, kind.delta))
            return any(_exceeds(kind, square) for square in self._squares(sigma))

        comparisons(1.0)
        if not exceeds(Fraction(0)):
            lower = upper = Fraction(0)
        else:
            lower, upper = enclosed(exceeds, Fraction(1), Fraction(1), comparisons)
        sigma = enclose(lower, upper)
        if isinstance(kind, ByDelta) and not self.pointwise:
            return self._between(kind, sigma)
        squares = self._squares(exact(sigma.upper))
        worst = max(range(len(squares)), key=lambda k: squares[k] or Fraction(0))
        shift, square = self.found[worst], squares[worst]
        where = {"prior": shift.prior, "pair": list(shift.pair)}
        measured = None if square is None or not upper else _measured(kind, square)
        return Sigma("exact", sigma, measured, where)

    def _between(self, kind: ByDelta, sigma: Enclosure) -> Sigma:
        """Return a sigma for windows with the delta that its upper end has."""
        if not exact(sigma.upper):
            return Sigma("exact", sigma, None, {})
        noise = Noise.gaussian(sigma.upper)
        delta = delta_of([shift.with_noise(noise) for shift in self.found], kind.level)
        where = {"prior": delta.shift.prior, "pair": list(delta.shift.pair)}
        return Sigma("exact", sigma, enclose(*delta.bounds()), where)

    def _squares(self, sigma: Fraction) -> list[Fraction | None]:
        """Return D^2 of every prior and pair with Gaussian noise of a sigma."""
        variances = [sigma * sigma] * self.query.dimension
        return [shift.squared_with(variances) for shift in self.found]


_NONE = {
    "markov-quilt": "correlated normal records can change the odds without bound",
    "gk16": "it needs a finite influence, as markov-quilt does",
    "bdp-general": "normal records have no bounds, so no query has a finite sensitivity",
    "bdp-markov": "it needs transition probabilities, which normal records do not have",
    "group-dp": "normal records have no bounds, so no query has a finite sensitivity",
}


def compared_at_points(task: PointTask, level: Level, progress: Progress | None = None) -> list[ComparedScale]:
    """Return an entry for every mechanism, and at the end the least scale that keeps the level.

    Raises `ModelError` at level 0, unless no noise is needed.
    """
    least = task.laplace(level)
    every = [(Fraction(1), Fraction(1))] * task.loaded.value.count
    reached = max(shift.distance for shift in translated(task.loaded.value, every))
    translated_scale = quotient((reached * task.per_unit), level)
    try:
        bayesian = _row(task, NORMAL, None, task.bayesian(level))
    except ModelError as error:
        bayesian = ComparedScale(NORMAL, None, None, reason=error.what)
    rows = [
        _row(task, "wasserstein", None, least),
        _row(task, LAPLACE, "exact", Calibration(translated_scale, [], claims=LEVELS_REST_ON)),
        bayesian,
        *(ComparedScale(name, None, None, reason=reason) for name, reason in _NONE.items()),
    ]
    tight = task.tight(level, progress)
    found = ComparedScale("tight", None, tight, None, _leakage(task.leakage(tight)))
    return [*rows, replace(found, claims=least.claims)]


def _row(task: PointTask, name: str, option: str | None, calibration: Calibration) -> ComparedScale:
    scale, assumed = calibration.scale, tuple(calibration.assumed)
    ends = scale.enclosure()
    leakage = _leakage(task.leakage(ends))
    return ComparedScale(name, option, ends, scale.text, leakage, None, assumed, calibration.claims)


def _leakage(found: PointLeakage | None) -> Leakage | None:
    """Return a finite leakage by bounds of e to it, None without noise."""
    if found is None:
        return None
    if found.ratio is not None:
        return Leakage.of(found.ratio)
    ends = found.enclosure()
    lower, upper = (exp_bounds(exact(end), 80) for end in (ends.lower, ends.upper))
    return Leakage(max(lower[0], Fraction(1)), upper[1])


def _no_noise() -> ModelError:
    return ModelError("expected a level above 0: at level 0 no finite noise is enough", "--epsilon")


def _exceeds(kind: ByDelta | ByOrder, square: Fraction | None) -> bool:
    """Say whether normal laws D apart break the promise, or raise `SolverError`."""
    if square is None:
        return True
    if isinstance(kind, ByOrder):
        return compared_nats(kind.level, kind.order * square / 2) < 0
    sign = compare_delta(square, kind.level, kind.delta)
    return _told(None if sign is None else sign > 0)


def _told(exceeds: bool | None) -> bool:
    """Return what enclosures tell. Raises `SolverError` unless they do."""
    if exceeds is None:
        raise SolverError("enclosures do not tell whether a sigma is enough")
    return exceeds


def _measured(kind: ByDelta | ByOrder, square: Fraction) -> Enclosure:
    """Return the delta, or the divergence in nats, of normal laws D apart."""
    if isinstance(kind, ByDelta):
        return enclose(*delta_bounds(square, kind.level))
    nats = kind.order * square / 2
    return enclose(nats, nats)


def expect_of_points(asked: Asked, all_records: bool) -> None:
    """Raise `ModelError` for what is asked of listed records only."""
    refuse_at_points({"--plot": asked.plot, "--certificate": asked.certificate, "--all-records": all_records})
    if asked.mechanism not in (None, "wasserstein", NORMAL):
        raise ModelError(
            f"expected wasserstein, which adds the least noise to normal records, or {NORMAL}, "
            f'found "{asked.mechanism}"',
            "--mechanism",
        )
    if asked.noise == "laplace":
        raise ModelError(
            "expected gaussian: Laplace noise on normal records has a closed form without --delta and --renyi only",
            "--noise",
        )
