"""Measurements of OpenDP, from the call that made them.

A measurement hides its parameters behind a function and a privacy map. Since version 0.13 Python
keeps the call that made it, constructor and arguments, and that is what is read; a measurement
that was made in Rust, or came through `make_user_measurement`, cannot be.

| constructor | read as |
|---|---|
| `make_laplace`, `make_geometric`, pure `make_noise` | Laplace noise, discrete on integers |
| `make_gaussian` on floats | Gaussian noise |
| `make_canonical_noise` | its density, where delta > 0 and e^epsilon is rational |
| `make_randomized_response_bool`, `make_randomized_response` | randomised response |
| `make_randomized_response_bitvec` | every bit flipped |
| `make_noisy_max` | permute-and-flip; of concentrated privacy the exponential mechanism |
| `make_noisy_top_k`, `make_private_quantile`, `make_report_noisy_max_gumbel` | see `responses` |
| `make_chain_mt` | the transformation, then the measurement |
| `make_private_lazyframe` | see `plans` |
| combinators | see below |

Versions that draw wrongly are in `libraries`.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from math import inf, nextafter, sqrt
from typing import TYPE_CHECKING, cast

from pufferproof.models.errors import ModelError, TooLargeError
from pufferproof.models.mechanisms.adapters.kernels import Additive, Drawn, Kernel, Law, Together
from pufferproof.models.mechanisms.adapters.libraries import expect_right
from pufferproof.models.mechanisms.adapters.opendp import calls, plans, responses
from pufferproof.models.mechanisms.adapters.opendp.calls import Arguments, Inner, Reader, taken_by
from pufferproof.models.mechanisms.adapters.parameters import Parameters, SumsByOutput, mixed
from pufferproof.models.mechanisms.library import unsupported, version_of
from pufferproof.models.mechanisms.releases import Claim
from pufferproof.models.numbers.grammar import parse_number
from pufferproof.models.numbers.text import shown
from pufferproof.models.priors.records import Records

if TYPE_CHECKING:
    from opendp.context import Query
    from opendp.mod import Measurement, Transformation

# Transformations of OpenDP: what a chain does with an argument before its measurement, with every outcome of the draws
# that some of them make.
#
# A transformation hides its function; Python keeps the call that made it. The functions of the constructors in
# `_FIXED` are functions of their argument alone, and are run. Those in `_DRAWING` shuffle their argument uniformly and
# keep the first places; every outcome is listed with its probability. Anything else is refused, such as a function of
# the user, which may draw.

Outcomes = list[tuple[Fraction, object]]  # probability and value
CALL = "__opendp_dict__"
_MOST_OUTCOMES = 5_000
_LONGEST = 500  # sample of different values
_SAFE = {"Vec<f32>": 2.0**100, "Vec<f64>": 2.0**1000}  # sums of floats that surely do not overflow
_SIZE_LIMIT = 2**20  # of a sum of lists whose size is not known


def steps_of(transformation: "Transformation") -> list["Transformation"]:
    """Return the parts of a chain in the order in which they run: those that may draw, and what is
    between them.

    Raises `ModelError` unless all are read.
    """
    parts: list[Transformation] = []
    for step in _each(transformation):
        if parts and not {_name(parts[-1]), _name(step)} & {*_DRAWING}:
            parts[-1] = parts[-1] >> step
        else:
            parts.append(step)
    return parts


def outcomes(steps: Sequence["Transformation"], argument: object) -> Outcomes:
    """Return what the transformations may make of an argument, each value once."""
    results: Outcomes = [(Fraction(1), argument)]
    for step in steps:
        draw = _DRAWING.get(_name(step), _certain)
        after = [(before * share, value) for before, held in results for share, value in draw(step, held)]
        results = merged(after)
    return results


def drawn(steps: Sequence["Transformation"]) -> str:
    """Return the constructors among some parts that may draw."""
    return ", ".join(name for name in map(_name, steps) if name in _DRAWING)


def _each(transformation: "Transformation") -> Iterator["Transformation"]:
    call = getattr(transformation, CALL, None)
    name = str(call["__function__"]) if isinstance(call, Mapping) else "an unknown constructor"
    if name == "make_chain_tt":
        given = _given(transformation)
        yield from _each(given["transformation0"])
        yield from _each(given["transformation1"])
        return
    if name not in {*_FIXED, *_DRAWING}:
        raise ModelError(
            f"cannot read an OpenDP transformation of {name}, which may draw: expected built-in "
            "transformations; if it never draws, run it yourself, and give its results as the "
            "arguments of the rest",
            "mechanism",
        )
    kind = str(transformation.input_carrier_type)
    if name in ("make_sum", "make_mean") and kind in _SAFE:
        # sums of floats so large that the library shuffles the list first
        domain = _given(transformation)["input_domain"]
        if max(map(abs, domain.element_domain.bounds)) * (domain.size or _SIZE_LIMIT) >= _SAFE[kind]:
            raise ModelError(f"{name} of OpenDP shuffles floats of such bounds: expected smaller bounds", "mechanism")
    yield transformation


def _name(step: "Transformation") -> str:
    return str(getattr(step, CALL)["__function__"])


def _given(step: "Transformation") -> Arguments:
    given: Arguments = getattr(step, CALL)["__kwargs__"]
    return given


def _certain(step: "Transformation", argument: object) -> Outcomes:
    """Run a transformation that does not draw."""
    try:
        return [(Fraction(1), step(argument))]
    except Exception as error:  # of the library, of several kinds
        reason = str(error).strip().partition("\n")[0][:120]
        raise ModelError(f"{_name(step)} of OpenDP does not take {shown(argument)}: {reason}") from None


def merged(found: Outcomes) -> Outcomes:
    """Add the probabilities of equal values: of equal texts, as lists are not hashed."""
    shares: dict[str, tuple[Fraction, object]] = {}
    for share, value in found:
        before, _ = shares.get(repr(value), (Fraction(0), value))
        shares[repr(value)] = before + share, value
    if len(shares) > _MOST_OUTCOMES:
        raise _too_many()
    return list(shares.values())


def _too_many() -> ModelError:
    return TooLargeError(
        f"a transformation of OpenDP that draws has more than {_MOST_OUTCOMES} outcomes: expected shorter lists",
        "mechanism",
    )


def _listed(step: "Transformation", argument: object) -> list[object]:
    values = argument.tolist() if hasattr(argument, "tolist") else argument
    if not isinstance(values, list):
        raise ModelError(f"{_name(step)} of OpenDP takes a list, found {shown(argument)}")
    return values


def _resize(step: "Transformation", argument: object) -> Outcomes:
    """Drawn is the sample of a longer list, unless the input is ordered, and the places of the
    constants in a shorter one, if the output is.
    """
    values, size = _listed(step, argument), _given(step)["size"]
    if len(values) > size and not str(step.input_metric).startswith("InsertDeleteDistance"):
        return samples(values, size)
    if len(values) <= size and str(step.output_metric).startswith("InsertDeleteDistance"):
        return samples([*values, *[_given(step)["constant"]] * (size - len(values))], size)
    return _certain(step, values)


def _ordered_random(step: "Transformation", argument: object) -> Outcomes:
    values = _listed(step, argument)
    return samples(values, len(values))


def _checked_sum(step: "Transformation", argument: object) -> Outcomes:
    """A longer list than its limit is shuffled, and cut."""
    values, limit = _listed(step, argument), _given(step)["size_limit"]
    if len(values) <= limit:
        return _certain(step, values)
    return [(share, value) for share, sample in samples(values, limit) for _, value in _certain(step, sample)]


def _impute_uniform(step: "Transformation", argument: object) -> Outcomes:
    values = _listed(step, argument)
    if any(value is None or value != value for value in values):  # NaN
        raise ModelError(
            "make_impute_uniform_float of OpenDP draws a number instead of NaN, which is not "
            "read: expected lists without NaN, or make_impute_constant",
            "mechanism",
        )
    return _certain(step, values)


def samples(values: list[object], size: int) -> Outcomes:
    """Return the ordered samples of some values, drawn without replacement, equal ones once.

    >>> [(str(share), sample) for share, sample in samples([0, 0, 1], 2)]
    [('1/3', [0, 0]), ('1/3', [0, 1]), ('1/3', [1, 0])]
    """
    left: dict[str, tuple[int, object]] = {}
    for value in values:
        count, _ = left.get(repr(value), (0, value))
        left[repr(value)] = count + 1, value
    if len(left) == 1:
        return [(Fraction(1), values[:size])]
    if size > _LONGEST:
        raise _too_many()
    samples: Outcomes = []
    for sample in _orderedsamples(left, len(values), size):
        samples.append(sample)
        if len(samples) > _MOST_OUTCOMES:
            raise _too_many()
    return samples


def _orderedsamples(
    left: Mapping[str, tuple[int, object]], count: int, size: int
) -> Iterator[tuple[Fraction, list[object]]]:
    if size == 0:
        yield Fraction(1), []
        return
    for key, (times, value) in left.items():
        if times:
            rest = {**left, key: (times - 1, value)}
            for share, sample in _orderedsamples(rest, count - 1, size - 1):
                yield Fraction(times, count) * share, [value, *sample]


_DRAWING: dict[str, Callable[["Transformation", object], Outcomes]] = {
    "make_bounded_float_checked_sum": _checked_sum,
    "make_impute_uniform_float": _impute_uniform,
    "make_ordered_random": _ordered_random,
    "make_resize": _resize,
}
_FIXED = [
    "make_b_ary_tree",
    "make_bounded_float_ordered_sum",
    "make_bounded_int_monotonic_sum",
    "make_bounded_int_ordered_sum",
    "make_bounded_int_split_sum",
    "make_cast",
    "make_cast_default",
    "make_cast_inherent",
    "make_clamp",
    "make_count",
    "make_count_by",
    "make_count_by_categories",
    "make_count_distinct",
    "make_create_dataframe",
    "make_df_cast_default",
    "make_df_is_equal",
    "make_drop_null",
    "make_find",
    "make_find_bin",
    "make_identity",
    "make_impute_constant",
    "make_index",
    "make_is_equal",
    "make_is_null",
    "make_lipschitz_float_mul",
    "make_mean",
    "make_metric_bounded",
    "make_metric_unbounded",
    "make_quantile_score_candidates",
    "make_select_column",
    "make_sized_bounded_float_checked_sum",
    "make_sized_bounded_float_ordered_sum",
    "make_sized_bounded_int_checked_sum",
    "make_sized_bounded_int_monotonic_sum",
    "make_sized_bounded_int_ordered_sum",
    "make_sized_bounded_int_split_sum",
    "make_split_dataframe",
    "make_split_lines",
    "make_split_records",
    "make_subset_by",
    "make_sum",
    "make_sum_of_squared_deviations",
    "make_unordered",
    "make_variance",
]


# What a measurement of OpenDP claims: its map at a distance between arguments.
#
# The distance is given, or that of one record changed, in the measurement's own metric, where the argument is made of
# records.

_MEASURES = {
    "MaxDivergence": "pure",
    "ZeroConcentratedDivergence": "zero-concentrated",
    "Approximate(MaxDivergence)": "approximate",
    "SmoothedMaxDivergence": "approximate",
}
_OF_LISTS = {
    "SymmetricDistance": 2,  # one record is taken out, another one put in
    "InsertDeleteDistance": 2,
    "ChangeOneDistance": 1,
    "HammingDistance": 1,
}
_OF_COUNTS = {"L1Distance": 2.0, "LInfDistance": 1.0, "L2Distance": sqrt(2)}  # one moves


def claim_of(source: object, d_in: object, inputs: object, query: str | None) -> Claim | None:
    """Return the claim at a distance, or if none is given for one record changed; None if that
    distance is not known. Raises `ModelError` if the map does not take a distance that is given.
    """
    measurement = cast("Measurement", source)
    if d_in is not None:
        return _at(measurement, d_in)
    if not isinstance(inputs, Records):
        return None
    try:
        distance = _one_record(measurement, inputs, query)
        return None if distance is None else _at(measurement, distance, "one record changed")
    except ModelError:  # records are no numbers, or the map takes no such distance
        return None


def _at(measurement: "Measurement", d_in: object, changed: str = "") -> Claim:
    measure = str(measurement.output_measure)
    try:
        value = cast(Callable[[object], object], measurement.map)(d_in)
    except Exception as error:  # of the library, of several kinds
        reason = str(error).strip().partition("\n")[0][:120]
        raise ModelError(f"the map of OpenDP does not take {shown(d_in)}: {reason}", "d_in") from None
    return Claim(_MEASURES.get(measure, measure), value, d_in, changed)


def _one_record(measurement: "Measurement", records: Records, query: str | None) -> int | float | None:
    """Return how far apart arguments are if one record is changed; None if that is not known."""
    name, _, kind = str(measurement.input_metric).partition("(")
    if query is None:
        return 1 if name == "DiscreteDistance" else _OF_LISTS.get(name)
    if query == "histogram":
        change: Fraction | float | None = _OF_COUNTS.get(name)
    elif name == "AbsoluteDistance":
        numbers = [parse_number(value) for value in records.alphabet]
        change = (max(numbers) - min(numbers)) / (records.count if query == "mean" else 1)
    else:
        return None
    if change is None:
        return None
    if kind[:1] in ("i", "u") or "=i" in kind or "=u" in kind:
        return int(change) if Fraction(change).denominator == 1 else None
    distance = float(change)
    return nextafter(distance, inf) if Fraction(distance) < Fraction(change) else distance


# Wrappers -----------------------------------------------------------------------------------------
#
# Combinators of OpenDP: measurements inside others.
#
# | constructors | read as |
# |---|---|
# | conversions of measures, such as `make_zCDP_to_approxDP` | the measurement inside |
# | `make_composition`, `make_basic_composition` | all measurements, released together |
# | `make_chain_pm` | the measurement before the function, which is an upper bound |
#
# Conversions change what is claimed, and not what is released. A function of post-processing is a
# closure, and may be anything: it may hide all. What asks on earlier answers, or repeats, is
# refused by name.

CONVERSIONS = (
    "make_approximate",
    "make_fix_delta",
    "make_fixed_approxDP_to_approxDP",
    "make_pureDP_to_zCDP",
    "make_zCDP_to_approxDP",
)
COMPOSITIONS = ("make_basic_composition", "make_composition")
_INTERACTIVE = (
    "which answers questions that are chosen as it goes",
    "every measurement that was asked, for compose, or a ledger of them",
)
_REPEATED = (
    "which runs its measurement a random number of times",
    "a program of (database, rng) that does so; estimate bounds it from its own draws",
)
_USERS = (
    "which is a function of its user",
    "a program of (database, rng) that does the same; estimate bounds it from its own draws",
)
_PLAN = (
    "which is a plan of Polars: its scales are inside the library",
    "a measurement of its noise, such as make_laplace of its scale, with the numbers that the plan "
    "computes as arguments; estimate bounds the plan from its own draws",
)
REFUSED: Mapping[str, tuple[str, str]] = {  # why, and what is read instead
    "make_adaptive_composition": _INTERACTIVE,
    "make_alp_queryable": _INTERACTIVE,
    "make_fully_adaptive_composition": _INTERACTIVE,
    "make_privacy_filter": _INTERACTIVE,
    "make_private_expr": _PLAN,
    "make_select_private_candidate": _REPEATED,
    "make_sequential_composition": _INTERACTIVE,
    "make_user_measurement": _USERS,
}


def converted(measurement: "Measurement", given: Arguments, parameters: Parameters, inner: Inner) -> Law:
    """The law of the measurement inside."""
    return inner(given["measurement"], parameters)


def composed(measurement: "Measurement", given: Arguments, parameters: Parameters, inner: Inner) -> Law:
    """All measurements, each with randomness of its own."""
    found = [inner(each, parameters) for each in given["measurements"]]
    processed = any(isinstance(law, Together) and law.processed for law in found)
    return Together(tuple(each for law in found for each in _laws(law)), processed)


def processed(measurement: "Measurement", given: Arguments, parameters: Parameters, inner: Inner) -> Law:
    """The measurement before a function of its outputs, as a bound."""
    return Together(_laws(inner(given["measurement0"], parameters)), True)


def _laws(law: Law) -> tuple[Kernel | Additive, ...]:
    return law.laws if isinstance(law, Together) else (law,)


# Chains -------------------------------------------------------------------------------------------
#
# What happens to an argument before a measurement of OpenDP: transformations, of which some draw,
# or a sample of a population.

Before = Callable[[object], Outcomes]


def after_transformation(measurement: "Measurement", given: Arguments, parameters: Parameters, inner: Inner) -> Law:
    """The law of `make_chain_mt`: that of the measurement on each outcome of the transformation."""
    steps = steps_of(given["transformation0"])
    law = inner(given["measurement1"], parameters)
    return _after(law, partial(outcomes, steps), drawn(steps), measurement, parameters)


def of_sample(measurement: "Measurement", given: Arguments, parameters: Parameters, inner: Inner) -> Law:
    """The law of `make_population_amplification` on a population: that of the measurement on a
    simple sample, drawn without replacement, in random order.

    The library runs the measurement on a sample that it is given; its map speaks of the population.
    """
    law = inner(given["measurement"], parameters)
    size, population = measurement.input_domain.size, given["population_size"]

    def before(argument: object) -> Outcomes:
        values = argument.tolist() if hasattr(argument, "tolist") else argument
        if not isinstance(values, list) or len(values) != population:
            raise ModelError(
                f"make_population_amplification of OpenDP is read on its population: expected a "
                f"list of {population} records, found {shown(argument)}; its inner measurement "
                "takes a sample"
            )
        return samples(values, size)

    parameters.note(f"on a simple sample of {size} of a population of {population}")
    return _after(law, before, "make_population_amplification", measurement, parameters)


def _after(law: Law, before: Before, drawing: str, measurement: "Measurement", parameters: Parameters) -> Law:
    if isinstance(law, Together):
        if len(law.laws) == 1:
            once = before
        else:

            def once(argument: object) -> Outcomes:
                results = before(argument)
                if len(results) > 1:
                    raise ModelError(
                        f"{drawing} of OpenDP draws once for all measurements of a composition, which is "
                        "not read: expected arguments on which draws change nothing, or a prior on what "
                        "is drawn",
                        "mechanism",
                    )
                return results

        laws = [_alone(each, once, drawing, measurement, parameters) for each in law.laws]
        return replace(law, laws=tuple(laws))
    return _alone(law, before, drawing, measurement, parameters)


def _alone(
    law: Kernel | Additive, before: Before, drawing: str, measurement: "Measurement", parameters: Parameters
) -> Kernel | Additive:
    if isinstance(law, Additive):
        number = law.value
        return replace(law, read=lambda argument: _one(before, drawing, number, argument), taken=taken_by(measurement))
    row = law.row

    def mixture(argument: object) -> SumsByOutput:
        results = before(argument)
        if len(results) > 1:
            parameters.note(f"the draws of {drawing} are part of its law")
        return mixed([(share, row(value)) for share, value in results])

    return Kernel(mixture, law.outputs, taken_by(measurement))


def _one(before: Before, drawing: str, number: Callable[[object], object], argument: object) -> object:
    """Return what noise is added to, if draws do not change it."""
    results = merged([(share, number(value)) for share, value in before(argument)])
    if len(results) > 1:
        some = " or ".join(shown(value) for _, value in results[:2])
        raise ModelError(
            f"{drawing} of OpenDP draws what noise is added to, such as {some}, and mixtures "
            "of noise are not read: expected arguments on which draws change nothing, or a prior "
            "on what is drawn; estimate bounds the chain from its own draws",
            "mechanism",
        )
    return results[0][1]


# Measurements -------------------------------------------------------------------------------------


def law_of(measurement: object, parameters: Parameters) -> Law | Drawn:
    """Return what a measurement does with its argument. Raises `ModelError` unless it was made by a
    constructor that is read, of a version whose samplers are right.
    """
    call = getattr(measurement, CALL, None)
    name = str(call["__function__"]) if isinstance(call, Mapping) else ""
    expect_right("opendp", version_of("opendp"), name or "a measurement", parameters)
    if name in REFUSED:
        why, instead = REFUSED[name]
        raise ModelError(f"cannot read {name} of OpenDP, {why}: expected {instead}", "mechanism")
    if type(measurement).__name__ != "Measurement" or not isinstance(call, Mapping):
        kind = type(measurement).__name__
        raise unsupported(f"an OpenDP {kind} without its constructor", list(READERS), "mechanism")
    if name not in READERS:
        raise unsupported(f"an OpenDP measurement of {name}", list(READERS), "mechanism")
    return READERS[name](cast("Measurement", measurement), call["__kwargs__"], parameters)


def resolved(measurement: object) -> object:
    """Return the measurement of a `Query` of a Context, found as the library finds it, and any
    other object as it is. Raises `ModelError` for a query that is not finished.
    """
    if not type(measurement).__name__.endswith("Query"):
        return measurement
    try:
        return cast("Query", measurement).resolve()
    except Exception as error:  # of the library, of several kinds
        reason = str(error).strip().partition("\n")[0][:120]
        raise ModelError(
            "cannot read an OpenDP Query of a Context whose resolve() gives no measurement "
            f"({reason}): expected a finished query, such as one that ends in .laplace()",
            "mechanism",
        ) from None


def _law_inside(measurement: "Measurement", parameters: Parameters) -> Law:
    law = law_of(measurement, parameters)
    if isinstance(law, Drawn):
        raise ModelError(
            "make_canonical_noise of OpenDP is not read inside another measurement: expected it "
            "alone, with the number that it adds noise to",
            "mechanism",
        )
    return law


READERS: dict[str, Reader] = {
    **calls.READERS,
    **plans.READERS,
    **responses.READERS,
    **responses.SELECTION_READERS,
    **calls.THRESHOLD_READERS,
    "make_chain_mt": partial(after_transformation, inner=_law_inside),
    "make_chain_pm": partial(processed, inner=_law_inside),
    "make_population_amplification": partial(of_sample, inner=_law_inside),
    **{name: partial(composed, inner=_law_inside) for name in COMPOSITIONS},
    **{name: partial(converted, inner=_law_inside) for name in CONVERSIONS},
}
