"""Transformations of OpenDP: what a chain does with an argument before its measurement, with every
outcome of the draws that some of them make.

A transformation hides its function; Python keeps the call that made it. The functions of the
constructors in `_FIXED` are functions of their argument alone, and are run. Those in `_DRAWING`
shuffle their argument uniformly and keep the first places; every outcome is listed with its
probability. Anything else is refused, such as a function of the user, which may draw.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from pufferproof.models.errors import ModelError, TooLargeError
from pufferproof.models.numbers.text import shown

Outcomes = list[tuple[Fraction, Any]]  # probability and value
CALL = "__opendp_dict__"
_MOST_OUTCOMES = 5_000
_LONGEST = 500  # sample of different values
_SAFE = {"Vec<f32>": 2.0**100, "Vec<f64>": 2.0**1000}  # sums of floats that surely do not overflow
_SIZE_LIMIT = 2**20  # of a sum of lists whose size is not known


def steps_of(transformation: object) -> list[Any]:
    """Return the parts of a chain in the order in which they run: those that may draw, and what is
    between them.

    Raises `ModelError` unless all are read.
    """
    parts: list[Any] = []
    for step in _each(transformation):
        if parts and not {_name(parts[-1]), _name(step)} & {*_DRAWING}:
            parts[-1] = parts[-1] >> step
        else:
            parts.append(step)
    return parts


def outcomes(steps: Sequence[Any], argument: object) -> Outcomes:
    """Return what the transformations may make of an argument, each value once."""
    results: Outcomes = [(Fraction(1), argument)]
    for step in steps:
        draw = _DRAWING.get(_name(step), _certain)
        after = [(before * share, value) for before, held in results for share, value in draw(step, held)]
        results = merged(after)
    return results


def drawn(steps: Sequence[Any]) -> str:
    """Return the constructors among some parts that may draw."""
    return ", ".join(name for name in map(_name, steps) if name in _DRAWING)


def _each(transformation: object) -> Iterator[Any]:
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
    if name in ("make_sum", "make_mean"):
        _expect_safe(name, transformation)
    yield transformation


def _name(step: object) -> str:
    return str(getattr(step, CALL)["__function__"])


def _given(step: object) -> Mapping[str, Any]:
    given: Mapping[str, Any] = getattr(step, CALL)["__kwargs__"]
    return given


def _certain(step: Any, argument: Any) -> Outcomes:
    """Run a transformation that does not draw."""
    try:
        return [(Fraction(1), step(argument))]
    except Exception as error:  # of the library, of several kinds
        reason = str(error).strip().partition("\n")[0][:120]
        raise ModelError(f"{_name(step)} of OpenDP does not take {shown(argument)}: {reason}") from None


def merged(found: Outcomes) -> Outcomes:
    """Add the probabilities of equal values: of equal texts, as lists are not hashed."""
    shares: dict[str, tuple[Fraction, Any]] = {}
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


def _expect_safe(name: str, step: Any) -> None:
    """Refuse sums of floats so large that the library shuffles the list first."""
    kind, domain = str(step.input_carrier_type), _given(step)["input_domain"]
    if kind not in _SAFE:
        return
    largest = max(map(abs, domain.element_domain.bounds))
    if largest * (domain.size or _SIZE_LIMIT) >= _SAFE[kind]:
        raise ModelError(f"{name} of OpenDP shuffles floats of such bounds: expected smaller bounds", "mechanism")


def _listed(step: object, argument: object) -> list[Any]:
    values = argument.tolist() if hasattr(argument, "tolist") else argument
    if not isinstance(values, list):
        raise ModelError(f"{_name(step)} of OpenDP takes a list, found {shown(argument)}")
    return values


def _resize(step: Any, argument: object) -> Outcomes:
    """Drawn is the sample of a longer list, unless the input is ordered, and the places of the
    constants in a shorter one, if the output is.
    """
    values, size = _listed(step, argument), _given(step)["size"]
    if len(values) > size and not _ordered(step.input_metric):
        return samples(values, size)
    if len(values) <= size and _ordered(step.output_metric):
        return samples([*values, *[_given(step)["constant"]] * (size - len(values))], size)
    return _certain(step, values)


def _ordered(metric: object) -> bool:
    return str(metric).startswith("InsertDeleteDistance")


def _ordered_random(step: object, argument: object) -> Outcomes:
    values = _listed(step, argument)
    return samples(values, len(values))


def _checked_sum(step: object, argument: object) -> Outcomes:
    """A longer list than its limit is shuffled, and cut."""
    values, limit = _listed(step, argument), _given(step)["size_limit"]
    if len(values) <= limit:
        return _certain(step, values)
    return [(share, value) for share, sample in samples(values, limit) for _, value in _certain(step, sample)]


def _impute_uniform(step: object, argument: object) -> Outcomes:
    values = _listed(step, argument)
    if any(value is None or value != value for value in values):  # NaN
        raise ModelError(
            "make_impute_uniform_float of OpenDP draws a number instead of NaN, which is not "
            "read: expected lists without NaN, or make_impute_constant",
            "mechanism",
        )
    return _certain(step, values)


def samples(values: list[Any], size: int) -> Outcomes:
    """Return the ordered samples of some values, drawn without replacement, equal ones once.

    >>> [(str(share), sample) for share, sample in samples([0, 0, 1], 2)]
    [('1/3', [0, 0]), ('1/3', [0, 1]), ('1/3', [1, 0])]
    """
    left: dict[str, tuple[int, Any]] = {}
    for value in values:
        count, _ = left.get(repr(value), (0, value))
        left[repr(value)] = count + 1, value
    if len(left) == 1:
        return [(Fraction(1), values[:size])]
    if size > _LONGEST:
        raise _too_many()
    samples = []
    for sample in _orderedsamples(left, len(values), size):
        samples.append(sample)
        if len(samples) > _MOST_OUTCOMES:
            raise _too_many()
    return samples


def _orderedsamples(left: Mapping[str, tuple[int, Any]], count: int, size: int) -> Iterator[tuple[Fraction, list[Any]]]:
    if size == 0:
        yield Fraction(1), []
        return
    for key, (times, value) in left.items():
        if times:
            rest = {**left, key: (times - 1, value)}
            for share, sample in _orderedsamples(rest, count - 1, size - 1):
                yield Fraction(times, count) * share, [value, *sample]


_DRAWING: dict[str, Callable[[Any, Any], Outcomes]] = {
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
