"""Section 4, Example 2: fair bits, all of them secret."""

from collections.abc import Callable
from functools import cache, reduce
from itertools import product
from operator import xor

from pufferproof.claims.language.instances.frameworks import (
    Table,
    output_law,
)
from pufferproof.claims.language.instances.laws import HALF, ZERO
from pufferproof.claims.language.statements import Draws, Fraction, Instance, Statement
from pufferproof.claims.vocabulary.entries.composition.collapses import (
    expected_runs,
    shown,
)

F = Fraction


def differences(x: Table) -> Table:
    """Return the output of type A."""
    return tuple(each ^ x[0] for each in x[1:])


def parity(x: Table) -> int:
    """Return the output of type B: of all bits for odd n, else of all but the first."""
    return reduce(xor, x if len(x) % 2 else x[1:])


@cache
def databases(n: int) -> list[Table]:
    """List all databases of n bits."""
    return list(product(range(2), repeat=n))


@cache
def bits_mechanism(n: int) -> tuple[list[Table], list[list[F]]]:
    """Return the outputs of the mechanism of Example 2, tuples of type A and then 0 and 1, and its
    rows.
    """
    outputs = [*databases(n - 1), (0,), (1,)]
    kinds = len(outputs) - 2
    found = []
    for x in databases(n):
        row = [HALF * (w < kinds and y == differences(x)) for w, y in enumerate(outputs)]
        row[kinds + parity(x)] = HALF
        found.append(row)
    return outputs, found


def some_bits(draws: Draws) -> Instance:
    """One to five bits, a database x, and a bit i of it, counted from 0, with a value j."""
    n = draws.among([3, 4, 2, 5, 3, 4, 1])
    x = tuple(draws.below(2) for _ in range(n))
    return {"x": x, "i": draws.below(n), "j": draws.below(2)}


def _outputs_tell(x: Table, i: int, j: int, even: int = 0) -> bool:
    """Whether A's entries have the printed exclusive or, and A and B belong to x alone."""
    claimed = reduce(xor, x[1:] if len(x) % 2 != even else x, 0)
    alike = [
        y for y in databases(len(x)) if (differences(y), parity(y)) == (differences(x), parity(x))
    ]
    return reduce(xor, differences(x), 0) == claimed and alike == [x]


THREE = "n >= 3"
BITS_TOGETHER = Statement(
    family=some_bits,
    given={THREE: lambda x, i, j: len(x) >= 3},
    holds=_outputs_tell,
    too_strong={"the two parities exchanged": {"even": 1}},
)


def tossed_bits(draws: Draws) -> Instance:
    """One to five independent bits, a database x, and a bit i of it, counted from 0, with a value
    j; every bit is 1 with one probability, mostly 1/2.
    """
    return some_bits(draws) | {"one": draws.rate([HALF, HALF, HALF, HALF, F(1, 3)])}


FAIR = "the bits are fair"
_FAIR_BITS: dict[str, Callable[..., bool]] = {
    THREE: lambda x, **_: len(x) >= 3,
    FAIR: lambda one, **_: one == HALF,
}


@cache
def _given_bit(n: int, i: int, j: int, one: F) -> list[F]:
    """P(w | s_j^(i)) for all outputs."""
    _, M = bits_mechanism(n)
    secret = frozenset(number for number, y in enumerate(databases(n)) if y[i] == j)
    prior = [one ** sum(y) * (1 - one) ** (n - sum(y)) for y in databases(n)]
    return output_law(prior, M, secret) or []


@cache
def _nothing_told(n: int, i: int, j: int, one: F) -> bool:
    """Whether P(s_j^(i) | w) is P(s_j^(i)) for all possible outputs, by Bayes' rule."""
    chance = one if j else 1 - one
    both = zip(_given_bit(n, i, j, one), _given_bit(n, i, 1 - j, one))
    joint = [(chance * p, (1 - chance) * q) for p, q in both]
    return all(a / (a + b) == chance for a, b in joint if a + b)


@cache
def _equal_bits(n: int, i: int) -> bool:
    """Whether no output changes the probability that x_i is x_1."""
    _, M = bits_mechanism(n)
    for w in range(len(M[0])):
        column = [row[w] for row in M]
        equal = sum((p for p, y in zip(column, databases(n)) if y[0] == y[i]), ZERO)
        if 2 * equal != sum(column):
            return False
    return True


BITS_ZERO = Statement(
    family=tossed_bits,
    given=_FAIR_BITS,
    holds=lambda x, i, j, one, two_bits_equal=False: (
        (_nothing_told(len(x), i, j, one))
        and (not two_bits_equal or (i == 0 or _equal_bits(len(x), i)))
    ),
    too_strong={"that two bits are equal keeps its probability too": {"two_bits_equal": True}},
    too_weak=[THREE, FAIR],
)


B_QUARTER = Statement(
    family=tossed_bits,
    given=_FAIR_BITS,
    holds=lambda x, i, j, one, each_output_alike=False: (
        (_given_bit(len(x), i, j, one)[-2:] == [F(1, 4)] * 2)
        and (not each_output_alike or (len(set(_given_bit(len(x), i, j, one))) == 1))
    ),
    too_strong={"each output alike": {"each_output_alike": True}},
    too_weak=[THREE, FAIR],
)


def _matching(x: Table, i: int, j: int) -> list[F]:
    """(1/2) P(D = the dataset matching y and the secret | the secret), for all y of type A."""
    n = len(x)
    chances = []
    for y in databases(n - 1):
        fitting = [z for z in databases(n) if differences(z) == y and z[i] == j]
        chances.append(HALF * F(len(fitting), 2 ** (n - 1)))
    return chances


def _likelihoods(x: Table, i: int, j: int, one: F, power: int = 0) -> bool:
    law = _given_bit(len(x), i, j, one)
    expected = F(1, 2 ** (len(x) - power))
    return (
        law[-2:] == [F(1, 4)] * 2
        and law[:-2] == _matching(x, i, j)
        and all(p == expected for p in law[:-2])
    )


BITS_LIKELIHOODS = Statement(
    family=tossed_bits,
    given=_FAIR_BITS,
    holds=_likelihoods,
    too_strong={"2^(-n+1)": {"power": 1}},
    too_weak=[THREE, FAIR],
)


@cache
def _bits_time(x: Table) -> F | None:
    _, M = bits_mechanism(len(x))
    everything = frozenset(range(len(M)))
    place = databases(len(x)).index(x)
    return expected_runs(M, place, everything, shown(place))


BITS_RUNS = Statement(
    family=some_bits,
    given={THREE: lambda x, i, j: len(x) >= 3},
    holds=lambda x, i, j, number=3: _bits_time(x) == number,
    too_strong={"2 runs": {"number": 2}},
    too_weak=[THREE],
)
