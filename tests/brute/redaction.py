"""Local redaction on a binary chain by the definitions: enumerate {0,1}^n and {0,1,*}^n."""

from fractions import Fraction
from itertools import pairwise, product

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
                (chain.alpha if then else 1 - chain.alpha)
                if now == 0
                else (1 - chain.beta if then else chain.beta)
            )
        law[values] = weight
    return law


def output_probability(mechanism: LocalRedaction, values: tuple[int, ...], output: str) -> Fraction:
    if any(symbol not in ("*", str(value)) for value, symbol in zip(values, output)):
        return Fraction(0)
    result = Fraction(1)
    for row, value, symbol in zip(mechanism.rows, values, output):
        result *= row[value] if symbol == "*" else 1 - row[value]
    return result


def likelihoods(chain: BinaryChain, mechanism: LocalRedaction, private: int) -> Likelihoods:
    """P(Y = y | X_p = 0) and P(Y = y | X_p = 1) for every y."""
    law = sequence_law(chain)
    mass = [
        sum(weight for values, weight in law.items() if values[private - 1] == x) for x in (0, 1)
    ]
    found = {}
    for letters in product("01*", repeat=chain.length):
        output = "".join(letters)
        sums = [Fraction(0), Fraction(0)]
        for values, weight in law.items():
            if chance := output_probability(mechanism, values, output):
                sums[values[private - 1]] += weight * chance
        found[output] = (sums[0] / mass[0], sums[1] / mass[1])
    return found


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
        for letters in product("01*", repeat=chain.length):
            output = "".join(letters)
            kept = sum(str(value) == symbol for value, symbol in zip(values, output))
            total += weight * output_probability(mechanism, values, output) * kept
    return total / chain.length
