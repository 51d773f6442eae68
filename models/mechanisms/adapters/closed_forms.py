"""The output laws of known mechanisms, up to a factor that is the same for all outputs of a row.

Each returns output -> weight, an exponential sum in a decay q = e^(-epsilon / Delta); the
probability of an output is its weight over the sum of all.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import lru_cache

from pufferproof.models.errors import ModelError, TooLargeError
from pufferproof.models.noise.tables.powers import Law, total_of
from pufferproof.models.noise.tables.selections import weights_of
from pufferproof.models.numbers.exponential_sums import ONE, ExponentialSum, Power, added
from pufferproof.models.numbers.proportions import common_step

SumsByOutput = dict[str, ExponentialSum]
MOST_OUTPUTS = 10_000
_FEW = 7  # candidates of permute-and-flip whose weights are written out
_MOST_STEPS = 500_000  # of coefficients of polynomials on a grid of utilities
_MOST_TERMS = 20_000  # of products of totals


def constant(value: Fraction | int) -> ExponentialSum:
    """Return a rational number as a sum."""
    return ExponentialSum([(value, ONE)])


def power(decay: Power, exponent: Fraction | int) -> ExponentialSum:
    """Return q^exponent."""
    return ExponentialSum([(1, decay.to(Fraction(exponent)))])


def mixed(rows: Sequence[tuple[Fraction, SumsByOutput]]) -> SumsByOutput:
    """Return a mixture of rows: the sum of share times weight over the total of its row, all times
    the product of the different totals.

    >>> half = {"a": constant(1), "b": constant(1)}
    >>> row = mixed([(Fraction(1, 3), half), (Fraction(2, 3), {"b": constant(5)})])
    >>> row["a"].rational / (row["a"] + row["b"]).rational
    Fraction(1, 6)
    """
    if len(rows) == 1:
        return rows[0][1]
    by_total: dict[ExponentialSum, SumsByOutput] = {}
    for share, row in rows:
        whole = total_of(row)
        if whole.rational is not None:
            share, whole = share / whole.rational, constant(1)
        kept = by_total.setdefault(whole, {})
        for name, weight in row.items():
            kept[name] = kept.get(name, constant(0)) + weight.scaled(share)
    certain = by_total.keys() == {constant(1)} and sum(share for share, _ in rows) == 1
    mixture: SumsByOutput = Law() if certain else {}
    for whole, row in by_total.items():
        others = [each for each in by_total if each != whole]
        for name, weight in row.items():
            mixture[name] = mixture.get(name, constant(0)) + product_of([weight, *others])
    return mixture


def product_of(factors: Sequence[ExponentialSum]) -> ExponentialSum:
    """Return the product of some sums. Raises `TooLargeError` where it is long."""
    value = constant(1)
    for factor in factors:
        if len(value.terms) * len(factor.terms) > _MOST_TERMS:
            raise TooLargeError(
                f"a mixture with more than {_MOST_TERMS} terms: expected fewer outcomes of draws", "mechanism"
            )
        value = value * factor
    return value


def flipped(values: Sequence[str], value: str, decay: Power) -> SumsByOutput:
    """Randomised response: q for every other value.

    >>> row = flipped("01", "0", Power.of(Fraction(3), Fraction(-1)))
    >>> row["0"].rational, row["1"].rational
    (Fraction(1, 1), Fraction(1, 3))
    """
    return {each: power(decay, 0 if each == value else 1) for each in values}


def clamped_geometric(value: int, decay: Power, least: int, most: int) -> SumsByOutput:
    """min(max(value + Z, least), most) with P(Z = z) = (1 - q) / (1 + q) q^|z|, times 1 + q.

    Source: Ghosh, Roughgarden and Sundararajan 2009.

    >>> row = clamped_geometric(0, Power.of(Fraction(3), Fraction(-1)), 0, 1)
    >>> row["0"].rational, row["1"].rational
    (Fraction(1, 1), Fraction(1, 3))
    """
    outputs = _range(least, most)
    at_least = [_tail(decay, output - value) for output in outputs]
    ends = [*at_least[1:], constant(0)]
    whole = constant(1) + power(decay, 1)
    above = [whole, *at_least[1:]]
    return {str(output): here - then for output, here, then in zip(outputs, above, ends)}


def folded_geometric(value: int, decay: Power, twice_least: int, twice_most: int) -> SumsByOutput:
    """The same noise, reflected at both bounds until it is between them, up to a factor.

    With N = 2 (most - least) the output y stands for all integers that are y or 2 least - y modulo
    N, and sum of q^|z| over z = c mod N is (q^c + q^(N - c)) / (1 - q^N) for 0 < c < N, and (1 +
    q^N) / (1 - q^N) for c = 0. Bounds are given doubled: they may be half-integers.
    """
    period = twice_most - twice_least
    if period <= 0:
        raise ModelError("expected a lower bound below the upper one", "upper")
    outputs = _range(-(-twice_least // 2), twice_most // 2)
    row = {}
    for output in outputs:
        classes = {(output - value) % period, (twice_least - output - value) % period}
        row[str(output)] = added(power(decay, each) + power(decay, period - each) for each in sorted(classes))
    return row


def exponential(
    utilities: Mapping[str, Fraction], decay: Power, measure: Mapping[str, Fraction] | None = None
) -> SumsByOutput:
    """The exponential mechanism: measure(r) q^(max - u(r)).

    Source: McSherry and Talwar 2007.
    """
    best = max(utilities.values())
    return {
        name: power(decay, best - utility).scaled(Fraction(1) if measure is None else measure[name])
        for name, utility in utilities.items()
    }


def permute_and_flip(utilities: Mapping[str, Fraction], decay: Power) -> SumsByOutput:
    """Permute-and-flip: p_r times the integral over t from 0 to 1 of prod (1 - t p_j) over j other
    than r, with p_j = q^(max - u(j)).

    In a random order r comes at a uniform time t, and each other j came before and was accepted
    with probability t p_j. Also noisy max with exponential noise (Ding, Kifer, Saghaian, Steinke,
    Wang, Xiao and Zhang 2021). Source: McKenna and Sheldon 2020.

    >>> half = Power.of(Fraction(2), Fraction(-1))
    >>> row = permute_and_flip({"a": Fraction(1), "b": Fraction(0)}, half)
    >>> row["a"].rational, row["b"].rational
    (Fraction(3, 4), Fraction(1, 4))

    Of many candidates the integrals are factors that are not written out
    (`pufferproof.models.noise.tables.selections`).
    """
    return Law(_permute_and_flip(tuple(utilities.items()), decay))


@lru_cache(maxsize=256)
def _permute_and_flip(
    utilities: tuple[tuple[str, Fraction], ...], decay: Power
) -> tuple[tuple[str, ExponentialSum], ...]:
    best = max(utility for _, utility in utilities)
    step = common_step(best - utility for _, utility in utilities) or Fraction(1)
    losses = [int((best - utility) / step) for _, utility in utilities]
    unit = decay.to(step)
    known = weights_of(losses, unit, written=_is_short(losses, unit))
    return tuple((name, known[loss]) for (name, _), loss in zip(utilities, losses))


def _is_short(losses: Sequence[int], unit: Power) -> bool:
    """Whether weights are written out: of few candidates, and where powers could be rational."""
    short = not unit.nats and len(losses) ** 2 * sum(losses) <= _MOST_STEPS
    return len(losses) <= _FEW or short


def _tail(decay: Power, m: int) -> ExponentialSum:
    """Return (1 + q) P(Z >= m): q^m, or 1 + q - q^(1-m)."""
    if m > 0:
        return power(decay, m)
    return constant(1) + power(decay, 1) - power(decay, 1 - m)


def _range(least: int, most: int) -> range:
    if most < least:
        raise ModelError(f"expected an upper bound of at least {least}, found {most}", "upper")
    if most - least >= MOST_OUTPUTS:
        size = most - least + 1
        raise TooLargeError(f"expected at most {MOST_OUTPUTS} outputs, found {size}", "upper")
    return range(least, most + 1)
