"""Local redaction on a binary chain by the definitions: enumerate {0,1}^n and {0,1,*}^n."""

from fractions import Fraction
from itertools import pairwise, product
from math import lcm, prod

from pufferproof.models.sequences.binary import BinaryChain
from pufferproof.models.sequences.redaction import LocalRedaction

INFINITE = None
Likelihoods = dict[str, tuple[Fraction, Fraction]]


def sequence_law(chain: BinaryChain) -> dict[tuple[int, ...], Fraction]:
    law = {}
    for values in product((0, 1), repeat=chain.length):
        weight = chain.law(1)[values[0]]
        for now, then in pairwise(values):
            weight *= (
                (chain.alpha if then else 1 - chain.alpha) if now == 0 else (1 - chain.beta if then else chain.beta)
            )
        law[values] = weight
    return law


def output_probability(mechanism: LocalRedaction, values: tuple[int, ...], output: str) -> Fraction:
    unit, outputs = outputs_of(mechanism, values)
    return Fraction(dict(outputs).get(output, 0), unit)


def outputs_of(mechanism: LocalRedaction, values: tuple[int, ...]) -> tuple[int, list[tuple[str, int]]]:
    """A unit, and every output of positive probability with its probability over that unit."""
    unit = lcm(*(r.denominator for row in mechanism.rows for r in row))
    choices = []
    for row, value in zip(mechanism.rows, values):
        hidden = row[value].numerator * (unit // row[value].denominator)
        both = ("*", hidden), (str(value), unit - hidden)
        choices.append([(symbol, share) for symbol, share in both if share])
    found = []
    for chosen in product(*choices):
        symbols, shares = zip(*chosen)
        found.append(("".join(symbols), prod(shares)))
    return unit ** len(values), found


def likelihoods(chain: BinaryChain, mechanism: LocalRedaction, private: int) -> Likelihoods:
    """P(Y = y | X_p = 0) and P(Y = y | X_p = 1) for every y."""
    law = sequence_law(chain)
    whole = lcm(*(weight.denominator for weight in law.values()))
    sums = {"".join(letters): [0, 0] for letters in product("01*", repeat=chain.length)}
    mass, unit = [0, 0], 1
    for values, weight in law.items():
        times = weight.numerator * (whole // weight.denominator)
        unit, outputs = outputs_of(mechanism, values)
        mass[values[private - 1]] += times
        for output, share in outputs:
            sums[output][values[private - 1]] += times * share
    return {
        output: (Fraction(zero, mass[0] * unit), Fraction(one, mass[1] * unit)) for output, (zero, one) in sums.items()
    }


def part(found: Likelihoods, records: slice) -> Likelihoods:
    """The likelihoods of a part of the output alone."""
    sums: Likelihoods = {}
    for output, (zero, one) in found.items():
        old = sums.get(output[records], (Fraction(0), Fraction(0)))
        sums[output[records]] = (old[0] + zero, old[1] + one)
    return sums


def largest_ratio(found: Likelihoods) -> Fraction | None:
    """The largest ratio of the two likelihoods, either way round, or INFINITE."""
    best = Fraction(0)
    for zero, one in found.values():
        if (zero == 0) != (one == 0):
            return INFINITE
        if zero:
            best = max(best, zero / one, one / zero)
    return best


def pointwise_influence(chain: BinaryChain, private: int, record: int, value: int) -> Fraction:
    law = sequence_law(chain)
    sums = [
        sum(w for v, w in law.items() if v[private - 1] == x and v[record - 1] == value)
        / sum(w for v, w in law.items() if v[private - 1] == x)
        for x in (0, 1)
    ]
    return max(sums[0] / sums[1], sums[1] / sums[0])


def utility(chain: BinaryChain, mechanism: LocalRedaction) -> Fraction:
    """Expected fraction of positions where the output equals the record."""
    total = Fraction(0)
    for values, weight in sequence_law(chain).items():
        unit, outputs = outputs_of(mechanism, values)
        kept = sum(share * sum(y == str(x) for x, y in zip(values, output)) for output, share in outputs)
        total += weight * Fraction(kept, unit)
    return total / chain.length
