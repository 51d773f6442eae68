"""Additive noise on a query with finitely many values: Laplace, geometric, discrete Laplace,
Gaussian and discrete Gaussian.

    M(x) = F(x) + Z,  Z with independent coordinates of one law

Laplace of scale b has density exp(-|z|/b) / 2b, geometric noise of ratio a the probability
(1-a)/(1+a) a^|z| at the integer z, discrete Laplace of scale b is geometric with a = exp(-1/b),
Gaussian of sigma has variance sigma^2, discrete Gaussian is proportional to exp(-z^2 / 2 sigma^2)
on integers. The likelihood of an output w given F = v is, of the first three, a constant times
`decay`^|w - v| in every coordinate. A scale may be `c/log(r)`, which makes decay^c = 1/r rational.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product
from typing import ClassVar, Literal

from pufferproof.models.errors import ModelError
from pufferproof.models.framework import Framework
from pufferproof.models.interface.kinds import check_type, hold
from pufferproof.models.numbers.exponential_sums import Power
from pufferproof.models.numbers.grammar import exact, parse_number
from pufferproof.models.numbers.text import shown, text_of
from pufferproof.models.priors.records import Records, preview

Kind = Literal["laplace", "geometric", "discrete_laplace", "gaussian", "discrete_gaussian"]
Vector = tuple[Fraction, ...]
_SHOWN_VALUES = 16
QUERIES = ("sum", "mean", "histogram")
_LOG_SCALE = re.compile(r"(?P<top>[^l]+)/log\((?P<above>[0-9]+)(?:/(?P<below>[0-9]+))?\)")


@dataclass(frozen=True)
class Noise:
    """One law of noise. `decay` is P(z + 1) / P(z) for z >= 0 as a power, None for Gaussian noise
    of variance `variance`. Discrete Gaussian noise has neither, but `sigma2`.

    Args:
        kind: "laplace" and "discrete_laplace" have a scale, "geometric" a ratio, "gaussian" a
            standard deviation, "discrete_gaussian" the square of sigma.
        parameter: that number, as the function named like the kind takes it.

    >>> factor, rest = Noise("laplace", "1/log(2)").decay.split()
    >>> factor, rest.nats, rest.primes
    (Fraction(1, 2), Fraction(0, 1), ())

    Raises `ModelError` unless the parameter is one of the kind.
    """

    made_by: ClassVar = {"str": 'Noise("laplace", scale) makes one'}

    kind: Kind
    _decay: Power | None
    _variance: Fraction | None
    sigma2: Fraction | None
    text: str = field(compare=False)

    def __init__(self, kind: Kind, parameter: object) -> None:
        kind = check_type(kind, Kind, "kind")
        decay: Power | None = None
        variance: Fraction | None = None
        sigma2: Fraction | None = None
        if kind == "geometric":
            value = _number(parameter, "geometric.ratio")
            if not 0 < value < 1:
                raise ModelError(
                    f"expected a ratio strictly between 0 and 1, found {shown(parameter)}", "geometric.ratio"
                )
            decay = _power(value, Fraction(1), "geometric.ratio")
        elif kind == "gaussian":
            value = _number(parameter, "gaussian.sigma")
            if value <= 0:
                raise ModelError(f"expected a standard deviation above 0, found {shown(parameter)}", "gaussian.sigma")
            variance = value * value
        elif kind == "discrete_gaussian":
            sigma2 = _number(parameter, "discrete_gaussian.sigma2")
            if sigma2 <= 0:
                raise ModelError(f"expected a number above 0, found {shown(parameter)}", "discrete_gaussian.sigma2")
        else:
            decay = _decay(parameter, f"{kind}.scale")
        text = parameter if isinstance(parameter, str) else text_of(exact(parameter))
        hold(self, kind=kind, _decay=decay, _variance=variance, sigma2=sigma2, text=text)

    @property
    def decay(self) -> Power | None:
        """P(z + 1) / P(z) for z >= 0, None for Gaussian noise. Raises `ModelError` of discrete
        Gaussian noise, so that nothing takes it for another.
        """
        self._expect_no_lattice()
        return self._decay

    @property
    def variance(self) -> Fraction | None:
        """The variance of Gaussian noise, None of other noise. Raises `ModelError` of discrete
        Gaussian noise, so that nothing takes it for another.
        """
        self._expect_no_lattice()
        return self._variance

    def _expect_no_lattice(self) -> None:
        if self.sigma2 is not None:
            raise ModelError(
                "discrete Gaussian noise is audited of one mechanism, and composed of several, on "
                "listed priors, with --delta or --renyi: expected other noise for what is asked",
                "noise",
            )

    @classmethod
    def laplace(cls, scale: object) -> "Noise":
        """Return Laplace noise. Raises `ModelError` unless the scale is a positive rational, or
        c/log(r) with c > 0, r > 1.
        """
        return cls("laplace", scale)

    @classmethod
    def discrete_laplace(cls, scale: object) -> "Noise":
        """Return discrete Laplace noise, on the integers, of a scale as `laplace` takes it."""
        return cls("discrete_laplace", scale)

    @classmethod
    def geometric(cls, ratio: object) -> "Noise":
        """Return two-sided geometric noise, on the integers. Raises `ModelError` unless 0 <
        ratio < 1.
        """
        return cls("geometric", ratio)

    @classmethod
    def gaussian(cls, sigma: object) -> "Noise":
        """Return Gaussian noise of standard deviation sigma. Raises `ModelError` unless it is a
        positive rational.
        """
        return cls("gaussian", sigma)

    @classmethod
    def discrete_gaussian(cls, sigma2: object) -> "Noise":
        """Return discrete Gaussian noise, on the integers: P(z) is exp(-z^2 / 2 sigma2) divided by
        the sum of all (Canonne, Kamath and Steinke 2020). Its variance is a little below sigma2.
        Raises `ModelError` unless sigma2 is a positive rational.

        >>> Noise.discrete_gaussian("9/4").sigma2
        Fraction(9, 4)
        """
        return cls("discrete_gaussian", sigma2)

    def times(self, factor: Fraction) -> "Noise":
        """Return the law of this noise times a factor above 0, up to where it lives: of geometric
        noise the discrete Laplace law of that scale.

        >>> Noise.laplace("3/log(2)").times(Fraction(2)), Noise.geometric("1/2").times(Fraction(3))
        (Noise('laplace', '6/log(2)'), Noise('discrete_laplace', '3/log(2)'))
        """
        if self.sigma2 is not None:
            return Noise("discrete_gaussian", factor * factor * self.sigma2)
        if self.kind == "geometric":
            return Noise("discrete_laplace", f"{text_of(factor)}/log({text_of(1 / exact(self.text))})")
        if match := _LOG_SCALE.fullmatch(self.text):
            top = text_of(factor * exact(match["top"] or "1"))
            return Noise(self.kind, top + self.text[self.text.index("/log(") :])
        return Noise(self.kind, factor * exact(self.text))

    @property
    def on_integers(self) -> bool:
        """Whether outputs are integers, so that the query must have integer values."""
        return self.kind in ("geometric", "discrete_laplace", "discrete_gaussian")

    def __repr__(self) -> str:
        return f"Noise({self.kind!r}, {self.text!r})"


@dataclass(frozen=True)
class AdditiveNoise:
    """A query with noise on it: `values` maps every database to a vector, and every coordinate gets
    the same law of noise.

    Args:
        values: database -> value, a number or a sequence of numbers, all of one length.
        noise: the law of the noise of each coordinate.

    >>> AdditiveNoise({"0": 0, "1": "1/2"}, Noise.laplace(2)).values["1"]
    (Fraction(1, 2),)

    Raises `ModelError` unless values are vectors of one length, integers where the noise lives on
    integers.
    """

    taken_by: ClassVar = {"Channel": "audit, assert_pufferfish and compose take queries with noise"}

    values: Mapping[str, Vector]
    noise: Noise

    def __init__(self, values: Mapping[str, object], noise: Noise) -> None:
        values = check_type(values, Mapping[str, object], "values")
        noise = check_type(noise, Noise, "noise")
        chosen: dict[str, Vector] = {}
        for label, value in values.items():
            try:
                vector = value if isinstance(value, Sequence) and not isinstance(value, str) else [value]
                chosen[label] = tuple(map(exact, vector))
                if not chosen[label]:
                    raise ModelError("expected at least one number, found none")
            except ModelError as error:
                raise error.within(f"query.{label}") from None
        if not chosen:
            raise ModelError("expected a value for every database, found none", "query")
        lengths = {label: len(vector) for label, vector in chosen.items()}
        first = next(iter(lengths.values()))
        for label, length in lengths.items():
            if length != first:
                raise ModelError(f'expected {first} numbers as before, found {length} for "{label}"', "query")
            if noise.on_integers and any(number.denominator != 1 for number in chosen[label]):
                fraction = text_of(next(number for number in chosen[label] if number.denominator != 1))
                raise ModelError(f'{noise.kind} noise needs integers, found {fraction} for "{label}"', "query")
        hold(self, values=chosen, noise=noise)

    @classmethod
    def of_records(cls, query: str, records: Records, noise: Noise) -> "AdditiveNoise":
        """Return a built-in query of all records: "sum" or "mean" of values read as numbers, or
        "histogram" of their counts.

        Raises `ModelError` unless the query is one of these, databases can be listed, and values
        are numbers where needed.
        """
        query = check_type(query, str, "query")
        records = check_type(records, Records, "records")
        noise = check_type(noise, Noise, "noise")
        size = len(records.alphabet)
        rows = list(zip(records.labels(), product(range(size), repeat=records.count)))
        if query == "histogram":
            return cls({label: [row.count(value) for value in range(size)] for label, row in rows}, noise)
        weights = value_weights(query, records)
        return cls({label: sum(weights[x] for x in row) for label, row in rows}, noise)

    @property
    def dimension(self) -> int:
        """The number of coordinates of the query."""
        return len(next(iter(self.values.values())))

    def law(self, framework: Framework, prior: str, secret: str) -> dict[Vector, Fraction]:
        """Return the law of F(X) given a secret: value -> probability, positive ones only; empty if
        the secret is impossible.

        Raises `ModelError` unless every database of positive probability has a value.
        """
        law, mass = framework.laws[prior], framework.mass(prior, secret)
        weights: dict[Vector, int] = {}
        for index in framework.secrets[secret]:
            if weight := law.weights[index]:
                label = framework.databases[index]
                if label not in self.values:
                    raise ModelError(f'no value for database "{label}", which is possible under "{prior}"', "query")
                value = self.values[label]
                weights[value] = weights.get(value, 0) + weight
        return {value: Fraction(weight, mass) for value, weight in sorted(weights.items())}

    def __repr__(self) -> str:
        values = f"{len(self.values)} values"
        if len(self.values) <= _SHOWN_VALUES:
            values = repr({label: [text_of(number) for number in vector] for label, vector in self.values.items()})
        return f"AdditiveNoise({values}, {self.noise!r})"


def lattice_of(noises: Sequence[Noise]) -> list[Fraction] | None:
    """Return sigma^2 of each noise if all are discrete Gaussian, None if none is.

    Raises `ModelError` of some beside other noise.
    """
    sigmas = [noise.sigma2 for noise in noises if noise.sigma2 is not None]
    if sigmas and len(sigmas) < len(noises):
        other = next(noise.kind for noise in noises if noise.sigma2 is None)
        raise ModelError(f"discrete Gaussian noise is not audited together with other noise, found {other}", "noise")
    return sigmas or None


def value_weights(query: str, records: Records) -> list[Fraction]:
    """Return what one record of each value adds to "sum" or "mean". Raises `ModelError` unless
    the values are numbers.
    """
    if query not in ("sum", "mean"):
        raise ModelError(f"expected one of {preview(QUERIES)} or a table, found {shown(query)}", "query")
    weights = []
    for value in records.alphabet:
        try:
            weights.append(parse_number(value))
        except ModelError:
            raise ModelError(
                f'"{query}" needs numbers as values, found "{value}" '
                f'("histogram" counts all values, {{"count": "{value}"}} in a file counts one)',
                "records.alphabet",
            ) from None
    return [weight / records.count for weight in weights] if query == "mean" else weights


def _decay(scale: object, where: str) -> Power:
    """Return exp(-1/scale)."""
    if isinstance(scale, str) and (match := _LOG_SCALE.fullmatch(scale)):
        top, above, below = (_number(match[part] or "1", where) for part in ("top", "above", "below"))
        if top <= 0 or not 0 < below < above:
            raise ModelError(f'expected a scale c/log(r) with c > 0 and r > 1, found "{scale[:60]}"', where)
        return _power(above / below, -1 / top, where)
    value = _number(scale, where)
    if value <= 0:
        raise ModelError(f"expected a scale above 0, found {shown(scale)}", where)
    return Power.exp(-1 / value)


def _number(value: object, where: str) -> Fraction:
    try:
        return exact(value)
    except ModelError as error:
        raise error.within(where) from None


def _power(base: Fraction, exponent: Fraction, where: str) -> Power:
    try:
        return Power.of(base, exponent)
    except ModelError as error:
        raise error.within(where) from None


# Linear queries of records that are numbers, with noise on every coordinate: F_k = sum_j A_kj X_j.
#
# The sum, the mean, or any weights; of all records or of a segment. What they leak of normal records is in
# `pufferproof.verify.noise.normal.points`.

MAX_ROWS = 50


@dataclass(frozen=True)
class LinearQuery:
    """Rows of weights, a weight per record, and the noise that every coordinate gets.

    >>> LinearQuery.named("mean", Noise.laplace(1), 4, (2, 3)).rows
    ((Fraction(0, 1), Fraction(1, 2), Fraction(1, 2), Fraction(0, 1)),)

    Raises `ModelError` unless there are 1 to 50 rows of one length, and the noise is on real
    numbers: "laplace" or "gaussian".
    """

    rows: tuple[tuple[Fraction, ...], ...]
    noise: Noise

    def __post_init__(self) -> None:
        if not 1 <= len(self.rows) <= MAX_ROWS:
            raise ModelError(f"expected 1 to {MAX_ROWS} rows of weights, found {len(self.rows)}", "query.weights")
        if self.noise.on_integers:
            raise ModelError(
                f"{self.noise.kind} noise needs integers, and records are real numbers: expected "
                f'"laplace" or "gaussian"',
                "noise",
            )

    @classmethod
    def named(cls, query: str, noise: Noise, count: int, segment: Sequence[int] | None = None) -> "LinearQuery":
        """Return the sum or the mean of records, all of them or those of a segment [first, last].

        Raises `ModelError` unless it is one of these, and the segment lies in the records.
        """
        if query not in ("sum", "mean"):
            raise ModelError(
                f'expected "sum", "mean" or {{"weights": [[..]]}} of records that are numbers, found "{query}"', "query"
            )
        first, last = (1, count) if segment is None else segment
        if not 1 <= first <= last <= count:
            raise ModelError(f"expected 1 <= first <= last <= {count}, found [{first}, {last}]", "segment")
        size = last - first + 1
        weight = Fraction(1, size) if query == "mean" else Fraction(1)
        none = Fraction(0)
        return cls(((none,) * (first - 1) + (weight,) * size + (none,) * (count - last),), noise)

    @classmethod
    def weighted(cls, rows: Sequence[Sequence[Fraction]], noise: Noise, count: int) -> "LinearQuery":
        """Return the query with these weights. Raises `ModelError` unless each row has one for
        every record.
        """
        for index, row in enumerate(rows):
            if len(row) != count:
                raise ModelError(
                    f"expected {count} weights, one per record, found {len(row)}", f"query.weights[{index}]"
                )
        return cls(tuple(map(tuple, rows)), noise)

    @property
    def dimension(self) -> int:
        """How many numbers are released."""
        return len(self.rows)
