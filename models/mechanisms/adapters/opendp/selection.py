"""Selections of OpenDP: the noisy maximum of scores, the largest few, and quantiles.

`make_noisy_top_k` peels: it selects among all, then among the rest. A private quantile is the noisy
maximum of the negative scores of its candidates, at a scale that is multiplied by the denominator
of `alpha`, as scores are integers.

`make_report_noisy_max_gumbel`, from version 0.16 on, is `make_noisy_max` of pure differential
privacy, and draws no Gumbel noise.
"""

from collections import Counter
from collections.abc import Callable, Mapping
from fractions import Fraction
from math import perm
from struct import pack, unpack
from typing import Any

from pufferproof.models.errors import ModelError, TooLargeError
from pufferproof.models.mechanisms.adapters.closed_forms import (
    MOST_OUTPUTS,
    SumsByOutput,
    constant,
    exponential,
    permute_and_flip,
    product_of,
    total,
)
from pufferproof.models.mechanisms.adapters.kernels import Kernel
from pufferproof.models.mechanisms.adapters.opendp.calls import Reader, is_pure, taken_by
from pufferproof.models.mechanisms.adapters.parameters import Parameters, finite
from pufferproof.models.numbers.exponential_sums import ONE, ExponentialSum, Power
from pufferproof.models.numbers.text import shown

Weigh = Callable[[Mapping[str, Fraction], Power], SumsByOutput]


def _noisy_max(measurement: object, given: Mapping[str, object], parameters: Parameters) -> Kernel:
    decay = _decay(given, parameters)
    weigh, signed = _weigh(measurement), _signed(measurement, bool(given.get("negate")))
    return Kernel(lambda scores: weigh(signed(scores), decay), taken=taken_by(measurement))


def _gumbel(measurement: object, given: Mapping[str, object], parameters: Parameters) -> Kernel:
    negated = {**given, "negate": given.get("optimize") == "min"}
    return _noisy_max(measurement, negated, parameters)


def _top_k(measurement: object, given: Mapping[str, Any], parameters: Parameters) -> Kernel:
    k, decay = int(given["k"]), _decay(given, parameters)
    weigh, signed = _weigh(measurement), _signed(measurement, bool(given.get("negate")))
    return Kernel(
        lambda scores: peeled(signed(scores), k, weigh, decay), None, taken_by(measurement)
    )


def _quantile(measurement: object, given: Mapping[str, Any], parameters: Parameters) -> Kernel:
    import opendp.prelude as dp

    candidates = sorted(given["candidates"])
    domain, metric = given["input_domain"], given["input_metric"]
    scores = dp.t.make_quantile_score_candidates(domain, metric, candidates, given["alpha"])
    decay = _decay(given, parameters)
    if len(candidates) > 1:
        # of one record below a candidate, and of one above it
        below, above = scores([candidates[0]])[1], scores([candidates[1]])[0]
        denominator = below + above
        held = Fraction(float(given["scale"]) * float(denominator))
        drawn = Fraction(float(given["scale"])) / held
        exactly = Fraction(1, denominator)
        decay = decay.to(drawn if _decay(given, Parameters()) == decay else exactly)
    weigh = _weigh(measurement)

    def row(records: Any) -> SumsByOutput:
        try:
            found = scores(records)
        except Exception as error:  # of the library, of several kinds
            reason = str(error).strip().partition("\n")[0][:120]
            raise ModelError(
                f"make_private_quantile of OpenDP does not take {shown(records)}: {reason}"
            ) from None
        named = zip(map(str, candidates), found, strict=True)
        return weigh({name: Fraction(-score) for name, score in named}, decay)

    return Kernel(row, tuple(map(str, candidates)), taken_by(measurement))


def peeled(scores: Mapping[str, Fraction], k: int, weigh: Weigh, decay: Power) -> SumsByOutput:
    """Return the law of k selections without replacement, of lists in their order.

    P(r_1, .., r_k) is the product over i of the probability of r_i among those that are left.

    >>> scores = {"0": Fraction(0), "1": Fraction(1)}
    >>> row = peeled(scores, 2, permute_and_flip, Power.of(Fraction(2), Fraction(-1)))
    >>> {output: str(weight.rational) for output, weight in row.items()}
    {'[0, 1]': '1/4', '[1, 0]': '3/4'}
    """
    k = min(k, len(scores))
    if (size := perm(len(scores), k)) > MOST_OUTPUTS:
        raise TooLargeError(
            f"{size} lists of {k} out of {len(scores)} candidates: expected at most {MOST_OUTPUTS}",
            "k",
        )
    # of every beginning its weight, and the totals it is divided by, of the stages after the first
    begun: dict[tuple[str, ...], tuple[ExponentialSum, tuple[ExponentialSum, ...]]] = {
        (): (constant(1), ())
    }
    for stage in range(k):
        longer = {}
        for chosen, (weight, totals) in begun.items():
            left = {name: score for name, score in scores.items() if name not in chosen}
            row = weigh(left, decay)
            whole = total(list(row.values()))
            scale = Fraction(1)
            if whole.rational is not None:
                scale = 1 / whole.rational
            elif stage:
                totals = (*totals, whole)
            for name, each in row.items():
                longer[*chosen, name] = (weight * each.scaled(scale), totals)
        begun = longer
    every: Counter[ExponentialSum] = Counter()
    for _, totals in begun.values():
        every |= Counter(totals)  # a common denominator
    common: dict[tuple[ExponentialSum, ...], ExponentialSum] = {}
    listed: SumsByOutput = {}
    for chosen, (weight, totals) in begun.items():
        if totals not in common:
            common[totals] = product_of(list((every - Counter(totals)).elements()))
        listed[f"[{', '.join(chosen)}]"] = weight * common[totals]
    return listed


def _weigh(measurement: object) -> Weigh:
    return permute_and_flip if is_pure(measurement) else exponential


def _decay(given: Mapping[str, object], parameters: Parameters) -> Power:
    return parameters.scale("scale", given["scale"], "laplace").decay or ONE


def _signed(measurement: Any, negate: bool) -> Callable[[Any], Mapping[str, Fraction]]:
    """Return how scores are read: a list of one per candidate, as numbers of the library's type."""
    single = str(measurement.input_carrier_type) == "Vec<f32>"

    def read(scores: Any) -> Mapping[str, Fraction]:
        values = scores.tolist() if hasattr(scores, "tolist") else scores
        if not isinstance(values, list | tuple) or not values:
            raise ModelError(f"expected a list of a score per candidate, found {shown(scores)}")
        found = {str(place): finite(f"[{place}]", value) for place, value in enumerate(values)}
        if single:
            found = {place: _nearest_single(value) for place, value in found.items()}
        return {place: -value if negate else value for place, value in found.items()}

    return read


def _nearest_single(value: Fraction) -> Fraction:
    try:
        return Fraction(unpack("f", pack("f", float(value)))[0])
    except OverflowError:
        raise ModelError(f"expected a number of type f32, found {shown(value)}") from None


READERS: dict[str, Reader] = {
    "make_noisy_max": _noisy_max,
    "make_noisy_top_k": _top_k,
    "make_private_quantile": _quantile,
    "make_report_noisy_max_gumbel": _gumbel,
}
