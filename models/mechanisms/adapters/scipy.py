"""Frozen distributions of SciPy, as output laws or as noise: discrete ones of finite support, those
without end, listed as far as they are likely, Laplace, exponential and uniform ones with their
densities; Laplace, discrete Laplace and normal ones as additive noise.

Probabilities are closed forms in the parameters, which are the exact values of the floats held;
those that SciPy computes in floats are not read.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import accumulate
from math import comb
from operator import mul
from typing import TYPE_CHECKING

from pufferproof.models.errors import ModelError, SumError
from pufferproof.models.mechanisms.adapters.kernels import Additive, Drawn, Kernel
from pufferproof.models.mechanisms.adapters.libraries import expect_known_class
from pufferproof.models.mechanisms.adapters.parameters import (
    Parameters,
    SumsByOutput,
    close,
    constant,
    finite,
    integer,
    power,
)
from pufferproof.models.mechanisms.library import unsupported
from pufferproof.models.noise.additive import Noise
from pufferproof.models.noise.tables.densities import Unbounded, geometric, listed, of_numbers
from pufferproof.models.noise.tables.partial import PartialTable
from pufferproof.models.numbers.exponential_sums import ExponentialSum, Power
from pufferproof.models.numbers.grammar import probability
from pufferproof.models.numbers.pieces import Piecewise, rational
from pufferproof.models.numbers.text import shown, sum_text, text_of
from pufferproof.models.priors.laws import numbers_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from scipy.stats import rv_discrete
    from scipy.stats._distn_infrastructure import rv_frozen

_MOST = 10_000  # values of a distribution
Weights = dict[Fraction, ExponentialSum]


def law_of(
    distribution: object, parameters: Parameters, alone: bool, normalize: bool
) -> Kernel | Additive | Drawn | Piecewise | Unbounded:
    """Return a distribution as the law of the output (`alone`), or as noise on a number.

    Raises `ModelError` unless it is one that is read.
    """
    dist = getattr(distribution, "dist", distribution)
    name, kind = getattr(dist, "name", type(distribution).__name__), type(dist)
    if name in (*_FINITE, *_NOISE, *_DENSITIES, *_ENDLESS) and not hasattr(distribution, "args"):
        raise ModelError(f"expected {name} with its parameters, as {name}(..), found {name} itself", "mechanism")
    if kind.__module__.partition(".")[0] != "scipy":
        name = f"subclass {kind.__name__}"
    expect_known_class(dist)
    if kind.__name__ == "rv_sample":
        weights = _of_sample(distribution, dist, parameters, normalize)
    elif kind.__name__ == f"{name}_gen" and name in _FINITE:
        weights = _of_closed_form(name, distribution, parameters)
    elif kind.__name__ == f"{name}_gen" and name in _NOISE and not alone:
        return _noise(name, distribution, parameters)
    elif kind.__name__ == f"{name}_gen" and name in _DENSITIES:
        return _density(name, distribution, parameters, alone)
    elif kind.__name__ == f"{name}_gen" and name in _ENDLESS:
        return _endless(name, distribution, parameters, alone)
    else:
        known = dict.fromkeys([*_FINITE, *_ENDLESS, *_DENSITIES, *([] if alone else _NOISE)])
        kept = [*known, "rv_discrete(values=..)"]
        role = "the law of an output" if alone else "noise"
        raise unsupported(f"scipy {name} as {role}", kept, "mechanism")

    def row(argument: object) -> SumsByOutput:
        if alone and argument is not None:
            raise ModelError("every database has a distribution: leave these out", "inputs")
        start = Fraction(0) if alone else finite("value", argument)
        return {text_of(start + value): weight for value, weight in weights.items()}

    return Kernel(row)


def _arguments(distribution: "rv_frozen") -> tuple[dict[str, object], object, object]:
    """Return the shape parameters by name, location and scale of a frozen distribution."""
    dist = distribution.dist
    parsed = dist._parse_args(*distribution.args, **distribution.kwds)
    shapes = [each.strip() for each in (dist.shapes or "").split(",") if each.strip()]
    return dict(zip(shapes, parsed[0])), parsed[1], parsed[2] if len(parsed) > 2 else 1


def _of_sample(distribution: "rv_frozen", dist: "rv_discrete", parameters: Parameters, normalize: bool) -> Weights:
    shift = finite("loc", _arguments(distribution)[1]) if hasattr(distribution, "args") else 0
    values = [finite("xk", each) + shift for each in _flat(dist.xk)]
    shares = numbers_of(_flat(dist.pk), "pk", normalize)
    if normalize:
        parameters.note("probabilities divided by their sum")
    if min(shares) < 0:
        raise ModelError(f"expected probabilities, found {shown(_flat(dist.pk))}", "pk")
    if any(not close(q, up_to) for q, up_to in zip(dist.qvals, accumulate(map(float, dist.pk)))):
        raise ModelError("is not what it was made with: it was changed afterwards", "pk")
    if (whole := sum(shares, Fraction(0))) != 1:
        raise SumError(f"sums to {sum_text(whole)}, expected 1", "pk")
    weights: dict[Fraction, Fraction] = {}
    for value, share in zip(values, shares):
        weights[value] = weights.get(value, Fraction(0)) + share
    return {value: constant(share) for value, share in weights.items()}


def _flat(values: "NDArray[np.generic] | Sequence[object]") -> list[object]:
    return list(values.ravel().tolist()) if hasattr(values, "ravel") else list(values)


def _of_closed_form(name: str, distribution: object, parameters: Parameters) -> Weights:
    given, shift, _ = _arguments(distribution)
    start = parameters.number("loc", shift)
    numbers = {key: parameters.number(key, each) for key, each in given.items()}
    weights = {start + value: weight for value, weight in _FINITE[name](numbers)}
    if not weights:
        raise ModelError(f"expected a law, found {name} without values", "mechanism")
    return weights


def _noise(name: str, distribution: object, parameters: Parameters) -> Additive:
    given, shift, scale = _arguments(distribution)
    start = parameters.number("loc", shift)
    if name == "norm":
        noise = Noise.gaussian(parameters.number("scale", scale))
    elif name == "laplace":
        noise = parameters.scale("scale", scale, "laplace")
    else:
        noise = Noise.discrete_laplace(1 / _positive(parameters.number("a", given["a"]), "a"))
    return Additive(noise, shift=start)


def _density(name: str, distribution: object, parameters: Parameters, alone: bool) -> Drawn | Piecewise:
    _, shift, scale = _arguments(distribution)
    start = parameters.number("loc", shift)
    density = _DENSITIES[name](_positive(parameters.number("scale", scale), "scale"))

    def around(value: Fraction) -> Piecewise:
        return density.moved(rational(1), rational(value + start))

    return around(Fraction(0)) if alone else Drawn(lambda values: of_numbers(values, around))


def _endless(name: str, distribution: object, parameters: Parameters, alone: bool) -> Drawn | Unbounded:
    given, shift, _ = _arguments(distribution)
    start = integer("loc", parameters.number("loc", shift))
    numbers = {key: parameters.number(key, given[key]) for key in _ENDLESS[name]}
    for key, number in numbers.items():
        if name != "poisson" or number < 0:
            _positive(number, key)
        if key == "p":
            probability(number, "p")
    law = Unbounded(name, tuple(numbers.values()), start)

    def table(values: Mapping[str, Fraction]) -> PartialTable:
        whole = {label: integer(f'inputs["{label}"]', value) for label, value in values.items()}
        if name == "geom":
            return geometric({x: value + start for x, value in whole.items()}, numbers["p"])
        return listed({label: law.moved(value) for label, value in whole.items()})

    return law if alone else Drawn(table)


def _positive(value: Fraction, name: str) -> Fraction:
    if value <= 0:
        raise ModelError(f"expected a number above 0, found {text_of(value)}", name)
    return value


def _count(numbers: dict[str, Fraction], name: str) -> int:
    value = integer(name, numbers[name])
    if not 0 <= value <= _MOST:
        raise ModelError(f"expected an integer from 0 to {_MOST}, found {value}", name)
    return value


def _rational(pairs: Iterator[tuple[int, Fraction]]) -> Iterator[tuple[int, ExponentialSum]]:
    return ((value, constant(share)) for value, share in pairs if share)


def _binomial(numbers: dict[str, Fraction]) -> Iterator[tuple[int, ExponentialSum]]:
    n = _count(numbers, "n") if "n" in numbers else 1
    p = probability(numbers["p"], "p")
    return _rational((k, comb(n, k) * p**k * (1 - p) ** (n - k)) for k in range(n + 1))


def _uniform(numbers: dict[str, Fraction]) -> Iterator[tuple[int, ExponentialSum]]:
    low, high = integer("low", numbers["low"]), integer("high", numbers["high"])
    if not 0 < high - low <= _MOST:
        raise ModelError(f"expected 1 to {_MOST} values below high", "high")
    return _rational((k, Fraction(1, high - low)) for k in range(low, high))


def _hypergeometric(numbers: dict[str, Fraction]) -> Iterator[tuple[int, ExponentialSum]]:
    whole, good, drawn = (_count(numbers, name) for name in ("M", "n", "N"))
    if good > whole or drawn > whole:
        raise ModelError("expected n and N of at most M", "M")
    return _rational(
        (k, Fraction(comb(good, k) * comb(whole - good, drawn - k), comb(whole, drawn)))
        for k in range(max(0, drawn - (whole - good)), min(good, drawn) + 1)
    )


def _beta_binomial(numbers: dict[str, Fraction]) -> Iterator[tuple[int, ExponentialSum]]:
    n, a, b = _count(numbers, "n"), *(_positive(numbers[name], name) for name in "ab")
    # x (x + 1) .. (x + k - 1) for k = 0 .. n
    up = {x: list(accumulate((x + k for k in range(n)), mul, initial=Fraction(1))) for x in (a, b, a + b)}
    return _rational((k, comb(n, k) * up[a][k] * up[b][n - k] / up[a + b][n]) for k in range(n + 1))


def _boltzmann(numbers: dict[str, Fraction]) -> Iterator[tuple[int, ExponentialSum]]:
    decay = Power.exp(-_positive(numbers["lambda_"], "lambda_"))
    return ((k, power(decay, k)) for k in range(_count(numbers, "N")))


_FINITE: dict[str, Callable[[dict[str, Fraction]], Iterator[tuple[int, ExponentialSum]]]] = {
    "bernoulli": _binomial,
    "betabinom": _beta_binomial,
    "binom": _binomial,
    "boltzmann": _boltzmann,
    "hypergeom": _hypergeometric,
    "randint": _uniform,
}
_NOISE: Sequence[str] = ("laplace", "dlaplace", "norm")
_DENSITIES: dict[str, Callable[[Fraction], Piecewise]] = {
    "expon": lambda scale: Piecewise.gamma(1, scale),
    "laplace": Piecewise.laplace,
    "uniform": lambda scale: Piecewise.uniform(high=scale),
}
_ENDLESS: dict[str, Sequence[str]] = {
    "dlaplace": ("a",),
    "geom": ("p",),
    "nbinom": ("n", "p"),
    "poisson": ("mu",),
    "skellam": ("mu1", "mu2"),
}
