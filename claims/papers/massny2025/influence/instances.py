"""Small chains of bits and local redaction, evaluated exactly from the definitions by enumeration.

A chain has P(0 -> 1) = a, P(1 -> 0) = b and starts from its stationary law. Indices count from 1;
outputs are strings over 0, 1 and *. Ratios are e^influence and e^leakage, None for infinite.
Nothing here uses the closed forms that are examined. Source: massny2025, section II.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import pairwise, product
from math import prod

from pufferproof.claims.language.statements import Fraction
from pufferproof.models.channel import Channel
from pufferproof.models.framework import Framework
from pufferproof.models.priors.tables import Table

Matrix = tuple[tuple[Fraction, Fraction], tuple[Fraction, Fraction]]
Redaction = Sequence[tuple[Fraction, Fraction]]
"""(r_t(0), r_t(1)) for t = 1 .. n: the probability that the value is replaced by *."""
Mechanism = Callable[[str], Mapping[str, Fraction]]
"""The law of the output for each database, a string of bits."""

ZERO, ONE = Fraction(0), Fraction(1)
NEVER, ALWAYS = (ZERO, ZERO), (ONE, ONE)


@dataclass(frozen=True)
class Chain:
    """A stationary chain of bits."""

    a: Fraction
    b: Fraction

    @property
    def eigenvalue(self) -> Fraction:
        """lam = 1 - a - b."""
        return 1 - self.a - self.b

    @cached_property
    def step(self) -> Matrix:
        """The transition matrix; rows are current values."""
        return ((1 - self.a, self.a), (self.b, 1 - self.b))

    def power(self, distance: int) -> Matrix:
        """P^distance by repeated multiplication."""
        return _power(self, distance)

    @cached_property
    def stationary(self) -> tuple[Fraction, Fraction]:
        """The stationary law."""
        return (self.b / (self.a + self.b), self.a / (self.a + self.b))

    def weight(self, bits: str) -> Fraction:
        """P(X = bits)."""
        values = [int(bit) for bit in bits]
        return self.stationary[values[0]] * prod(self.step[x][z] for x, z in pairwise(values))


def chain(a: str, b: str) -> Chain:
    """Return the chain with these transition probabilities, written as fractions."""
    return Chain(Fraction(a), Fraction(b))


def chains(largest: int, *, ordered: bool = True) -> Iterator[Chain]:
    """Yield the chains with denominators up to a bound, smallest first; a <= b unless `ordered`
    is False.
    """
    rationals = sorted({Fraction(i, q) for q in range(2, largest + 1) for i in range(1, q)})
    pairs = [(a, b) for a in rationals for b in rationals if a <= b or not ordered]
    pairs.sort(key=lambda pair: (max(x.denominator for x in pair), pair[0].denominator + pair[1].denominator, pair))
    for a, b in pairs:
        yield Chain(a, b)


def pointwise(of: Chain, distance: int, value: int) -> Fraction:
    """e^i(X_p ~> X_t = value) at distance |p - t| > 0, from a power of the matrix."""
    rows = of.power(distance)
    return max(rows[0][value] / rows[1][value], rows[1][value] / rows[0][value])


@cache
def given(of: Chain, count: int, private: int, value: int) -> dict[str, Fraction]:
    """P(X = x | X_p = value) for every database x with that value."""
    weights = {x: of.weight(x) for x in map("".join, product("01", repeat=count)) if int(x[private - 1]) == value}
    total = sum(weights.values(), Fraction(0))
    return {x: weight / total for x, weight in weights.items()}


def marginal(law: Mapping[str, Fraction], indices: Iterable[int]) -> dict[str, Fraction]:
    """Return the law of the characters at these indices."""
    kept, sums = sorted(indices), dict[str, Fraction]()
    for text, weight in law.items():
        key = "".join(text[index - 1] for index in kept)
        sums[key] = sums.get(key, ZERO) + weight
    return sums


def largest_ratio(left: Mapping[str, Fraction], right: Mapping[str, Fraction]) -> Fraction | None:
    """Return the largest ratio over outcomes and both orders; 0/0 is left out."""
    largest = least = ONE
    for key in left.keys() | right.keys():
        one, other = left.get(key), right.get(key)
        if one and other:
            quotient = one / other
            if quotient > largest:
                largest = quotient
            elif quotient < least:
                least = quotient
        elif one or other:
            return None
    return max(largest, 1 / least)


def set_influence(of: Chain, count: int, private: int, indices: Iterable[int]) -> Fraction | None:
    """e^Inf(X_p ~> X_S)."""
    kept = list(indices)
    return largest_ratio(*(marginal(given(of, count, private, value), kept) for value in (0, 1)))


def local(redaction: Redaction) -> Mechanism:
    """Redact each record by itself, independently of the others given the database."""

    @cache
    def outputs(x: str) -> dict[str, Fraction]:
        law = {"": ONE}
        for bit, probabilities in zip(x, redaction):
            hidden = probabilities[int(bit)]
            marks = [(mark, p) for mark, p in ((bit, 1 - hidden), ("*", hidden)) if p]
            law = {text + mark: weight * chance for text, weight in law.items() for mark, chance in marks}
        return law

    return outputs


def released(count: int, indices: Iterable[int]) -> Redaction:
    """Release these records and redact the others, whatever their values."""
    kept = set(indices)
    return [NEVER if index in kept else ALWAYS for index in range(1, count + 1)]


def output_law(of: Chain, count: int, private: int, value: int, mechanism: Mechanism) -> dict[str, Fraction]:
    """P(Y = y | X_p = value)."""
    law = dict[str, Fraction]()
    for x, weight in given(of, count, private, value).items():
        for y, chance in mechanism(x).items():
            before, term = law.get(y), weight * chance
            law[y] = term if before is None else before + term
    return law


def leakage(
    of: Chain, count: int, private: int, mechanism: Mechanism, indices: Iterable[int] | None = None
) -> Fraction | None:
    """e^Lk(X_p -> Y), or of the outputs at some indices only."""
    laws = [output_law(of, count, private, value, mechanism) for value in (0, 1)]
    if indices is not None:
        kept = list(indices)
        laws = [marginal(law, kept) for law in laws]
    return largest_ratio(*laws)


def audited(of: Chain, count: int, private: Sequence[int], mechanism: Mechanism, epsilon: str) -> dict[str, object]:
    """Return the instance as evidence from which a report writes files to audit; every value of
    X_A, A private, is a secret.
    """
    databases = ["".join(bits) for bits in product("01", repeat=count)]
    secrets = dict[str, list[str]]()
    for x in databases:
        secrets.setdefault(",".join(f"x{t}={x[t - 1]}" for t in private), []).append(x)
    prior = Table({x: of.weight(x) for x in databases})
    rows = {x: mechanism(x) for x in databases}
    outputs = sorted({y for row in rows.values() for y in row})
    channel = Channel.of({x: [row.get(y, Fraction(0)) for y in outputs] for x, row in rows.items()}, outputs)
    framework = Framework(tuple(databases), secrets, "disjoint", {"chain": prior})
    return {
        "a": of.a,
        "b": of.b,
        "private": list(private),
        "framework": framework,
        "mechanism": channel,
        "epsilon": epsilon,
    }


@cache
def _power(of: Chain, distance: int) -> Matrix:
    if not distance:
        return ((Fraction(1), Fraction(0)), (Fraction(0), Fraction(1)))
    return _times(_power(of, distance - 1), of.step)


def _times(left: Matrix, right: Matrix) -> Matrix:
    entries = [[sum((left[i][k] * right[k][j] for k in (0, 1)), Fraction(0)) for j in (0, 1)] for i in (0, 1)]
    return ((entries[0][0], entries[0][1]), (entries[1][0], entries[1][1]))
