"""Probes of weights of bits that attract one another, and how they and columns are drawn."""

from itertools import pairwise

from pufferproof.claims.language.statements.draws import Draws
from pufferproof.claims.language.statements.rationals import Fraction
from pufferproof.claims.language.statements.statement import Instance
from pufferproof.claims.vocabulary.entries.chains import bits
from pufferproof.claims.vocabulary.entries.chains.counts import Steps
from pufferproof.claims.vocabulary.entries.records.accounts import records
from pufferproof.claims.vocabulary.entries.records.stationary import NUMBERS_IN_TIME
from pufferproof.claims.vocabulary.families import rarely, subset
from pufferproof.claims.vocabulary.probe import Probe
from pufferproof.claims.vocabulary.probes.chains import counts
from pufferproof.claims.vocabulary.probes.chains.counts import P, attracting, i, n, p
from pufferproof.claims.vocabulary.terms import letter

F = Fraction
Function = list[Fraction]
mu = letter("mu", bits.function("a real function m of sequences of bits"), "m")
u, e = letter("u", bits.function()), letter("some", records("a set of bits"), "e")
levels = letter("levels", NUMBERS_IN_TIME, "w")


def weights(draws: Draws, number: int) -> Function:
    """Draw weights of sequences of bits that attract one another: a product of weights of single
    bits and of pairs, now and then with another weight of one sequence.
    """
    steps = [attracting(draws) for _ in range(number)]
    pairs = [(j, k) for k in range(number) for j in range(k)]
    some = [each for each in pairs if each[1] == each[0] + 1 or draws.below(3) == 2]
    single = [[F(1 + draws.below(3)), F(draws.below(4))] for _ in range(number)]
    found = []
    for x in bits.sequences(number):
        value = F(1)
        for k, a in enumerate(x):
            value *= single[k][a]
        for j, k in some:
            value *= steps[k][x[j]][x[k]]
        found.append(value)
    if rarely(draws):
        found[draws.below(len(found))] += draws.among([F(1), F(-1)])
    return found


def column(draws: Draws, number: int, levels: Function) -> Function:
    """Draw a column of levels: the sum or the least of two products of them, now and then with
    another entry, or all 0.
    """
    ends = [[draws.below(2) for _ in range(number)] for _ in range(2)]
    least = draws.below(2) == 1

    def of(x: bits.Bits, end: list[int]) -> Fraction:
        found = F(1)
        for level, a, b in zip(levels, x, end):
            found *= level if a == b else 1
        return found

    both = [[of(x, end) for end in ends] for x in bits.sequences(number)]
    found = [min(each) if least else sum(each, F(0)) for each in both]
    if rarely(draws):
        found[draws.below(len(found))] *= draws.among([F(5, 4), F(2), F(-1)])
    return found


def of_bits(draws: Draws) -> Instance:
    """One to three bits with weights that mostly attract, one of them, levels and a column of them,
    and a set of bits.
    """
    number = 1 + draws.below(3)
    of = [draws.among([F(1), F(3, 2), F(3)]) for _ in range(number)]
    return {
        **{"n": number, "i": draws.below(number) if draws.below(12) else number},
        **{"mu": weights(draws, number), "u": column(draws, number, of)},
        "levels": [each * (F(2, 3) if rarely(draws) else 1) for each in of],
        "some": subset(draws, number),
    }


def chain(draws: Draws) -> Instance:
    """A chain of one to three bits with a function of them."""
    found = dict(counts.chain(draws))
    return {**found, "u": [F(draws.below(4)) for _ in bits.sequences(found["n"])]}


def _backwards(p: Function, P: Steps) -> bits.Function:
    law = bits.chain_law(p, P)
    return lambda x: law(x[::-1])


USING = counts.USING
PROBES = [
    Probe(
        "law of a chain of bits",
        bits.MEAN_1(bits.CHAIN_LAW(p, P), u, n, i),
        "",
        chain,
        {"law of a chain of bits": _backwards},
        USING,
    ),
    Probe(
        "bits attract one another",
        bits.ATTRACT(mu, n),
        "",
        of_bits,
        {"bits attract one another": lambda mu, n: bits.ATTRACT.value(mu, n - 1)},
        USING,
    ),
    Probe(
        "exchanged values",
        bits.MEAN_1(mu, bits.EXCHANGED(e, u), n, i),
        "",
        of_bits,
        {"exchanged values": lambda some, u: u},
        USING,
    ),
    Probe(
        "column of levels",
        bits.COLUMN(levels, n, u),
        "",
        of_bits,
        {"column of levels": lambda w, n, u: [*bits.COLUMN.value(w, n, u)][:-2]},
        USING,
    ),
    *(
        Probe(one.name, one(mu, u, n, i), "", of_bits, {one.name: other.value}, USING)
        for one, other in pairwise((bits.MEAN_0, bits.MEAN_1, bits.MEAN_0))
    ),
    *(
        Probe(one.name, bits.MEAN_1(mu, one(levels), n, i), "", of_bits, {one.name: other.value}, USING)
        for one, other in pairwise((bits.LEVELS_0, bits.LEVELS_1, bits.LEVELS_0))
    ),
]
