"""A plain object of every constructor of the libraries that are read, and how it is handed over."""

import importlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from math import log
from typing import Any

from pufferproof.models.errors import extras
from pufferproof.verify.losses.composition import compose_sampled
from pufferproof.verify.programs.mechanism import as_mechanism

_WHOLE: Mapping[str, Any] = {"a": 0, "b": 1}
_REAL: Mapping[str, Any] = {"a": 0.0, "b": 1.0}
_KEYS: Mapping[str, Any] = {"a": {"key": 1}, "b": {}}
_LISTS: Mapping[str, Any] = {"a": [0, 1, 2], "b": [1, 0, 2]}
Build = Callable[[], Any]


@dataclass(frozen=True)
class Row:
    """A constructor: how an object of it is built, and read; without `build`, why it is not."""

    name: str
    build: Build | None = None
    read: Callable[[Any], Any] = as_mechanism
    reason: str = "not tried: no arguments are known here"


def _on(inputs: Mapping[str, Any]) -> Callable[[Any], Any]:
    return lambda made: as_mechanism(made, inputs)


def _named(module: str, start: str, end: str = "") -> list[str]:
    """Return the public names of a module that begin and end so."""
    names = dir(importlib.import_module(module))
    return [name for name in names if name.startswith(start) and name.endswith(end)]


def _all(names: list[str], known: Mapping[str, list[Row]]) -> Iterator[Row]:
    """Yield the rows of all names; those that are not known say so."""
    for name in names:
        yield from known.get(name, [Row(name)])


def _opendp() -> Iterator[Row]:
    import opendp.prelude as dp

    dp.enable_features("contrib", "honest-but-curious", "idealized-numerics")
    names = _named("opendp.measurements", "make_") + _named("opendp.combinators", "make_")
    known = {**_measurements(dp), **_combinators(dp)}
    yield from _all(sorted(set(names)), known)
    yield Row("Query of a Context", lambda: _query(dp), _on({"a": [0, 1], "b": [1, 1]}))


def _spaces(dp: Any) -> dict[str, Any]:
    whole = dp.atom_domain(T=int)
    real = dp.atom_domain(T=float, nan=False)
    return {
        "int": (whole, dp.absolute_distance(T=int)),
        "float": (real, dp.absolute_distance(T=float)),
        "scores": (dp.vector_domain(whole), dp.linf_distance(T=int)),
        "keys": (dp.map_domain(dp.atom_domain(T=str), whole), dp.l01inf_distance(dp.absolute_distance(T=int))),
        "list": (dp.vector_domain(whole), dp.symmetric_distance()),
        "keys of normal noise": (
            dp.map_domain(dp.atom_domain(T=str), whole),
            dp.l02inf_distance(dp.absolute_distance(T=int)),
        ),
        "bits": (dp.vector_domain(dp.atom_domain(T=int, bounds=(0, 1)), size=2), dp.symmetric_distance()),
    }


def _measurements(dp: Any) -> dict[str, list[Row]]:
    at, make = _spaces(dp), dp.m
    pure, concentrated = dp.max_divergence(), dp.zero_concentrated_divergence()
    whole, real = _on(_WHOLE), _on(_REAL)

    def numbers(name: str, *rest: Any, **given: Any) -> list[Row]:
        build = getattr(make, name)
        return [
            Row(f"{name} on integers", lambda: build(*at["int"], *rest, scale=1.0, **given), whole),
            Row(f"{name} on floats", lambda: build(*at["float"], *rest, scale=1.0, **given), real),
        ]

    def alone(name: str, build: Build, read: Callable[[Any], Any]) -> dict[str, list[Row]]:
        return {name: [Row(name, build, read)]}

    return {
        "make_laplace": numbers("make_laplace"),
        "make_gaussian": numbers("make_gaussian"),
        "make_noise": numbers("make_noise", pure),
        "make_geometric": [
            Row("make_geometric", lambda: make.make_geometric(*at["int"], scale=1.0), whole),
            Row("make_geometric with bounds", lambda: make.make_geometric(*at["int"], scale=1.0, bounds=(0, 5)), whole),
        ],
        **alone(
            "make_canonical_noise",
            lambda: make.make_canonical_noise(*at["float"], d_in=1.0, d_out=(log(3), 1e-6)),
            lambda made: as_mechanism(made, _REAL, exactly={"epsilon": "log(3)"}),
        ),
        **alone(
            "make_laplace_threshold",
            lambda: make.make_laplace_threshold(*at["keys"], scale=1.0, threshold=5),
            _on(_KEYS),
        ),
        **alone(
            "make_gaussian_threshold",
            lambda: make.make_gaussian_threshold(*at["keys of normal noise"], scale=1.0, threshold=5),
            _on(_KEYS),
        ),
        **alone(
            "make_noise_threshold",
            lambda: make.make_noise_threshold(*at["keys"], dp.approximate(pure), scale=1.0, threshold=5),
            _on(_KEYS),
        ),
        **alone(
            "make_alp_queryable",
            lambda: make.make_alp_queryable(
                dp.map_domain(dp.atom_domain(T=str), dp.atom_domain(T=int)),
                dp.l01inf_distance(dp.absolute_distance(T=int)),
                scale=1.0,
                total_limit=10,
                value_limit=5,
            ),
            _on(_KEYS),
        ),
        **alone(
            "make_randomized_response_bool",
            lambda: make.make_randomized_response_bool(prob=0.75),
            _on({"a": False, "b": True}),
        ),
        **alone(
            "make_randomized_response",
            lambda: make.make_randomized_response(["x", "y", "z"], prob=0.75),
            _on({"a": "x", "b": "y"}),
        ),
        **alone(
            "make_randomized_response_bitvec",
            lambda: make.make_randomized_response_bitvec(
                dp.bitvector_domain(max_weight=1), dp.discrete_distance(), f=0.5
            ),
            _on({"a": b"\x01", "b": b"\x02"}),
        ),
        "make_noisy_max": [
            Row(f"make_noisy_max, {name}", partial(make.make_noisy_max, *at["scores"], measure, 1.0), _on(_LISTS))
            for name, measure in (("pure", pure), ("concentrated", concentrated))
        ],
        "make_noisy_top_k": [
            Row(
                f"make_noisy_top_k, {name}", partial(make.make_noisy_top_k, *at["scores"], measure, 2, 1.0), _on(_LISTS)
            )
            for name, measure in (("pure", pure), ("concentrated", concentrated))
        ],
        **alone(
            "make_report_noisy_max_gumbel",
            lambda: make.make_report_noisy_max_gumbel(*at["scores"], scale=1.0),
            _on(_LISTS),
        ),
        **alone(
            "make_private_quantile",
            lambda: make.make_private_quantile(*at["list"], pure, candidates=[0, 1, 2], alpha=0.5, scale=1.0),
            _on(_LISTS),
        ),
        **alone(
            "make_user_measurement",
            lambda: make.make_user_measurement(*at["int"], pure, lambda x: x, lambda d: 1.0),
            whole,
        ),
        "make_private_expr": [Row("make_private_expr", reason="a part of make_private_lazyframe")],
        **alone("make_private_lazyframe", lambda: _polars(dp), _on(_frames())),
        "make_proof_link": [Row("make_proof_link", reason="makes no mechanism")],
    }


def _polars(dp: Any) -> Any:
    """A private count of a data frame."""
    polars = importlib.import_module("polars")

    domain = dp.lazyframe_domain([dp.series_domain("x", dp.atom_domain(T="i32"))])
    plan = polars.LazyFrame(schema={"x": polars.Int32}).select(dp.len())
    return dp.m.make_private_lazyframe(domain, dp.symmetric_distance(), dp.max_divergence(), plan, global_scale=1.0)


def _frames() -> dict[str, Any]:
    try:
        polars = importlib.import_module("polars")
    except ImportError:
        return {}
    kind = {"x": polars.Int32}
    return {name: polars.LazyFrame({"x": x}, kind) for name, x in (("a", [1]), ("b", [1, 2]))}


def _query(dp: Any) -> Any:
    context = dp.Context.compositor(
        data=[0, 1],
        privacy_unit=dp.unit_of(contributions=2),
        privacy_loss=dp.loss_of(epsilon=1.0),
        split_evenly_over=1,
        domain=dp.vector_domain(dp.atom_domain(T=int, bounds=(0, 1)), size=2),
    )
    return context.query().sum().laplace()


def _combinators(dp: Any) -> dict[str, list[Row]]:
    at, make, whole, real = _spaces(dp), dp.c, _on(_WHOLE), _on(_REAL)
    pure = dp.max_divergence()

    def noise() -> Any:
        return dp.m.make_laplace(*at["int"], scale=1.0)

    def normal() -> Any:
        return dp.m.make_gaussian(*at["float"], scale=1.0)

    def total() -> Any:
        return at["bits"] >> dp.t.then_sum() >> dp.m.then_laplace(scale=1.0)

    def both(name: str) -> list[Row]:
        if not hasattr(make, name):
            return []
        return [Row(name, lambda: getattr(make, name)([noise(), noise()]), whole)]

    def row(name: str, build: Build, read: Callable[[Any], Any] = whole) -> dict[str, list[Row]]:
        return {name: [Row(name, build, read)]}

    def interactive(name: str, what: str = "asks adaptively: a ledger takes what was asked") -> Any:
        return {name: [Row(name, reason=what)]}

    return {
        "make_composition": both("make_composition"),
        **interactive("make_basic_composition", "the older name of make_composition"),
        **interactive("make_sequential_composition", "the older name of make_adaptive_composition"),
        **row("make_chain_mt", total, _on({"a": [0, 1], "b": [1, 1]})),
        **row("make_chain_pm", lambda: noise() >> (lambda x: max(x, 0))),
        "make_chain_tt": [Row("make_chain_tt", reason="a transformation: part of make_chain_mt")],
        **row("make_pureDP_to_zCDP", lambda: make.make_pureDP_to_zCDP(noise())),
        **row("make_approximate", lambda: make.make_approximate(noise())),
        **row("make_zCDP_to_approxDP", lambda: make.make_zCDP_to_approxDP(normal()), real),
        **row("make_fix_delta", lambda: make.make_fix_delta(make.make_zCDP_to_approxDP(normal()), 1e-6), real),
        **row(
            "make_fixed_approxDP_to_approxDP",
            lambda: make.make_fixed_approxDP_to_approxDP(
                make.make_fix_delta(make.make_zCDP_to_approxDP(normal()), 1e-6)
            ),
            real,
        ),
        **row(
            "make_population_amplification",
            lambda: make.make_population_amplification(total(), 3),
            _on({"a": [0, 1, 1], "b": [1, 1, 1]}),
        ),
        **row(
            "make_select_private_candidate",
            lambda: make.make_select_private_candidate(
                dp.m.make_user_measurement(*at["float"], pure, lambda x: (x, 0), lambda d: 1.0, TO="(f64,i32)"),
                stop_probability=0.1,
                threshold=0.0,
            ),
            real,
        ),
        **row(
            "make_adaptive_composition", lambda: make.make_adaptive_composition(*at["int"], pure, d_in=1, d_mids=[1.0])
        ),
        **row("make_fully_adaptive_composition", lambda: make.make_fully_adaptive_composition(*at["int"], pure)),
        **row(
            "make_privacy_filter",
            lambda: make.make_privacy_filter(make.make_fully_adaptive_composition(*at["int"], pure), d_in=1, d_out=1.0),
        ),
    }


def _diffprivlib() -> Iterator[Row]:
    import diffprivlib.mechanisms as dl
    import numpy as np

    noise = {"epsilon": 0.9, "sensitivity": 1}
    between = {"lower": 0, "upper": 3}
    shares = {"epsilon": 0.9, "delta": 1e-6, "sensitivity": 1}
    scores = {"epsilon": 1.0, "sensitivity": 1, "utility": [0, 1]}
    utilities = [["x", "y", 1.0]]
    given: dict[str, tuple[dict[str, Any], Mapping[str, Any] | None]] = {
        "Binary": ({"epsilon": 1.0, "value0": "0", "value1": "1"}, {"a": "0", "b": "1"}),
        "Bingham": ({"epsilon": 1.0}, {"a": np.eye(2)}),
        "Exponential": (scores, None),
        "ExponentialCategorical": ({"epsilon": 1.0, "utility_list": utilities}, {"a": "x", "b": "y"}),
        "ExponentialHierarchical": ({"epsilon": 1.0, "hierarchy": ["x", "y"]}, {"a": "x", "b": "y"}),
        "Gaussian": (shares, _REAL),
        "GaussianAnalytic": (shares, _REAL),
        "GaussianDiscrete": (shares, _WHOLE),
        "Geometric": (noise, _WHOLE),
        "GeometricFolded": ({**noise, **between}, _WHOLE),
        "GeometricTruncated": ({**noise, **between}, _WHOLE),
        "Laplace": (noise, _REAL),
        "LaplaceBoundedDomain": ({**noise, **between}, _REAL),
        "LaplaceBoundedNoise": ({**noise, "delta": 0.1}, _REAL),
        "LaplaceFolded": ({**noise, **between}, _REAL),
        "LaplaceTruncated": ({**noise, **between}, _REAL),
        "PermuteAndFlip": (scores, None),
        "Snapping": ({**noise, **between}, _REAL),
        "Staircase": (noise, _REAL),
        "Uniform": ({"delta": 0.1, "sensitivity": 1}, _REAL),
        "Vector": ({"epsilon": 1.0, "function_sensitivity": 1, "dimension": 2}, None),
    }
    kinds = [
        name
        for name in _named("diffprivlib.mechanisms", "")
        if isinstance(getattr(dl, name), type) and name not in ("DPMachine", "DPMechanism", "TruncationAndFoldingMixin")
    ]
    for name in kinds:
        if name not in given:
            yield Row(name)
            continue
        yield _of_diffprivlib(getattr(dl, name), *given[name])


def _of_diffprivlib(kind: Any, given: dict[str, Any], inputs: Mapping[str, Any] | None) -> Row:
    if inputs is None:
        return Row(kind.__name__, lambda: {name: kind(**given) for name in "ab"})
    return Row(kind.__name__, lambda: kind(**given), _on(inputs))


def _same(law: Any, given: tuple[Any, ...]) -> dict[str, Any]:
    return dict.fromkeys("ab", law(*given))


def _scipy() -> Iterator[Row]:
    with extras:
        from scipy import stats

    shapes: dict[str, tuple[Any, ...]] = {
        "bernoulli": (0.5,),
        "betabinom": (5, 1, 2),
        "betanbinom": (5, 1, 2),
        "binom": (5, 0.5),
        "boltzmann": (1.0, 5),
        "dlaplace": (1.0,),
        "geom": (0.5,),
        "hypergeom": (9, 4, 3),
        "logser": (0.5,),
        "nbinom": (3, 0.5),
        "nchypergeom_fisher": (9, 4, 3, 2.0),
        "nchypergeom_wallenius": (9, 4, 3, 2.0),
        "nhypergeom": (9, 4, 3),
        "planck": (1.0,),
        "poisson": (2.0,),
        "poisson_binom": ([0.5, 0.25],),
        "randint": (0, 5),
        "skellam": (2.0, 2.0),
        "t": (3.0,),
        "yulesimon": (3.0,),
        "zipf": (3.0,),
        "zipfian": (2.0, 5),
    }
    names = [name for name in dir(stats) if isinstance(getattr(stats, name), stats.rv_discrete)] + [
        "cauchy",
        "expon",
        "laplace",
        "logistic",
        "norm",
        "t",
        "uniform",
    ]
    for name in names:
        given = shapes.get(name, ())
        law = getattr(stats, name)
        yield Row(f"{name}, noise", partial(law, *given), _on(_WHOLE))
        if isinstance(law, stats.rv_discrete):
            yield Row(f"{name}, output", partial(_same, law, given))
    values = [0, 1], [0.5, 0.5]
    yield Row("rv_discrete, noise", lambda: stats.rv_discrete(values=values), _on(_WHOLE))


def _composed(relation: str, event: Any) -> Any:
    return compose_sampled(relation, [event])


def _dp_accounting() -> Iterator[Row]:
    da = importlib.import_module("dp_accounting")

    normal = da.GaussianDpEvent(1.0)
    known: dict[str, Build] = {
        "ComposedDpEvent": lambda: da.ComposedDpEvent([normal, normal]),
        "GaussianDpEvent": lambda: normal,
        "LaplaceDpEvent": lambda: da.LaplaceDpEvent(1.0),
        "NoOpDpEvent": da.NoOpDpEvent,
        "NonPrivateDpEvent": da.NonPrivateDpEvent,
        "PoissonSampledDpEvent": lambda: da.PoissonSampledDpEvent(0.1, normal),
        "RandomizedResponseDpEvent": lambda: da.RandomizedResponseDpEvent(0.5, 4),
        "SampledWithReplacementDpEvent": lambda: da.SampledWithReplacementDpEvent(100, 10, normal),
        "SampledWithoutReplacementDpEvent": lambda: da.SampledWithoutReplacementDpEvent(100, 10, normal),
        "SelfComposedDpEvent": lambda: da.SelfComposedDpEvent(normal, 3),
        "SingleEpochTreeAggregationDpEvent": lambda: da.SingleEpochTreeAggregationDpEvent(1.0, [3]),
        "TruncatedSubsampledGaussianDpEvent": lambda: da.TruncatedSubsampledGaussianDpEvent(100, 0.1, 20, 1.0),
        "UnsupportedDpEvent": da.UnsupportedDpEvent,
        "ZCDpEvent": lambda: da.ZCDpEvent(0.5),
    }
    for name in _named("dp_accounting", "", "DpEvent"):
        if name == "DpEvent":
            continue
        relation = "substitute" if name.startswith(("SampledW", "RandomizedR")) else "add-remove"
        yield Row(name, known.get(name), partial(_composed, relation))


def _tumult() -> Iterator[Row]:
    noise = importlib.import_module("tmlt.core.measurements.noise_mechanisms")
    domain = importlib.import_module("tmlt.core.domains.numpy_domains").NumpyFloatDomain()
    yield Row("AddLaplaceNoise", lambda: noise.AddLaplaceNoise(domain, "3/2"), _on(_REAL))
    yield Row("AddGeometricNoise", lambda: noise.AddGeometricNoise(3), _on(_WHOLE))
    yield Row("AddGaussianNoise", lambda: noise.AddGaussianNoise(domain, "9/4"), _on(_REAL))
    yield Row("AddDiscreteGaussianNoise", lambda: noise.AddDiscreteGaussianNoise(4), _on(_WHOLE))


def _pydp() -> Iterator[Row]:
    own = importlib.import_module("pydp.algorithms.numerical_mechanisms")
    yield Row("LaplaceMechanism", lambda: own.LaplaceMechanism(1.0, 1.0), _on(_REAL))
    yield Row("GaussianMechanism", lambda: own.GaussianMechanism(1.0, 1e-5, 1.0), _on(_REAL))


def _pipeline_dp() -> Iterator[Row]:
    own = importlib.import_module("pipeline_dp.dp_computations")
    laplace, normal = own.LaplaceMechanism, own.GaussianMechanism
    yield Row("LaplaceMechanism", lambda: laplace.create_from_epsilon(1.0, 1.0), _on(_REAL))
    yield Row("GaussianMechanism", lambda: normal.create_from_std_deviation(2.0, 1.0), _on(_REAL))


def _smartnoise() -> Iterator[Row]:
    own = importlib.import_module("snsql.sql._mechanisms")
    bounds = {"upper": 1, "lower": 0, "max_contrib": 1}
    yield Row("Laplace", lambda: own.Laplace(1.0, **bounds), _on(_REAL))
    yield Row("Gaussian", lambda: own.Gaussian(1.0, delta=1e-5, **bounds), _on(_REAL))


LIBRARIES: dict[str, Callable[[], Iterator[Row]]] = {
    "opendp": _opendp,
    "diffprivlib": _diffprivlib,
    "scipy": _scipy,
    "dp_accounting": _dp_accounting,
    "tmlt": _tumult,
    "pydp": _pydp,
    "pipeline_dp": _pipeline_dp,
    "snsql": _smartnoise,
}
