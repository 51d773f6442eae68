"""Noise that decays on what a chain of attracting bits counts, said once."""

from pufferproof.claims.language.statements.draws import Draws
from pufferproof.claims.language.statements.rationals import Fraction
from pufferproof.claims.language.statements.statement import Instance
from pufferproof.claims.vocabulary.entries.chains import bits, counts
from pufferproof.claims.vocabulary.entries.foundations.logic import BOTH, IMPLIES
from pufferproof.claims.vocabulary.entries.noise.queries import AN_INTEGER
from pufferproof.claims.vocabulary.families import rarely
from pufferproof.claims.vocabulary.probes.chains.counts import attracting
from pufferproof.claims.vocabulary.proposition import Proposition
from pufferproof.claims.vocabulary.sorts import NATURAL
from pufferproof.claims.vocabulary.terms import Term, letter

F = Fraction
p, P = letter("p", counts.FIRST_BIT), letter("T", counts.STEPS_OF_BITS, "P")
f, t, w = letter("f", counts.COUNTS_OF_BITS), letter("t", counts.DECAY), letter("w", AN_INTEGER)
n, i = letter("n", NATURAL), letter("i", NATURAL)


def chain(draws: Draws) -> Instance:
    """One to three bits, steps of which most attract, some of them certain, counts of which most
    rise, from -1 to 2, a decay, an output at or beyond the counts or among them, and a record.
    """
    number = 1 + draws.below(3)
    first = [*draws.law(2)]
    if rarely(draws):
        first = draws.among([[F(3, 2), F(-1, 2)], [F(-1, 2), F(3, 2)], [F(1), F(1)]])
    steps = [attracting(draws) for _ in range(1 + draws.below(2))]
    counted = [_pair(draws) for _ in range(1 + draws.below(number))]
    values = counts.values(counted, number)
    return {
        "p": first,
        "T": steps,
        "f": counted,
        "t": draws.among([F(2), F(1), F(0)] if rarely(draws) else [F(1, 2), F(1, 3), F(9, 10)]),
        "n": number,
        "i": draws.below(number),
        "w": draws.among([min(values), max(values)]) + draws.below(3) - 1,
    }


def _pair(draws: Draws) -> list[int]:
    pair = [draws.below(3) - 1, draws.below(4) - 1]
    return sorted(pair) if draws.below(6) else pair


def _both(*terms: Term) -> Term:
    found = terms[-1]
    for each in reversed(terms[:-1]):
        found = BOTH(each, found)
    return found


def _edge(f: list[list[int]], w: int) -> Instance:
    """Return fair bits, the last of which is the secret."""
    fair = [F(1, 2), F(1, 2)]
    found = {"p": fair, "T": [[fair, fair]], "f": f, "t": F(1, 2), "w": w}
    return {**found, "n": len(f), "i": len(f) - 1}


EDGES = [
    _edge([[101, 100]], 100),  # a count that falls by less than 1/100
    _edge([[0, 1], [1, 0]], 0),  # one count rises, another one falls
    _edge([[0, 101]], 100),  # an output just below the largest count
    _edge([[100, 200]], 101),  # and just above the least one
]


OF_I = "true and weaker: no record i is among i records, and the left side is 0"
OF_N = "true and weaker: no record n is among n records, and the left side is 0"
SMALL = "true and weaker: t^|w - Q| is at most 1, and (p, P) is a law"


NO_RECORD = {
    f"conclusion, {one} for {other} [mean with bit {bit}]{place}": why
    for one, other, why in (("i", "n", OF_I), ("n", "i", OF_N))
    for bit, place in ((1, ""), (0, ""), (0, " (3)"), (1, " (3)"))
}
"""Near misses of two products in both orders, of bits that there are not."""


def ends_leak_most(mu: Term) -> Term:
    """Return that of noise on what bits with these weights count the outputs beyond all values leak
    most.
    """
    noise, up, down = counts.NOISE(f, t, w), counts.UP(f, t), counts.DOWN(f, t)

    def one(u: Term) -> Term:
        return bits.MEAN_1(mu, u, n, i)

    def zero(u: Term) -> Term:
        return bits.MEAN_0(mu, u, n, i)

    at_one = one(noise) * zero(up), one(up) * zero(noise)
    at_zero = zero(noise) * one(down), zero(down) * one(noise)
    return _both(
        at_one[0] <= at_one[1],
        at_zero[0] <= at_zero[1],
        IMPLIES(counts.NONE_ABOVE(f, n, w), at_one[0].equals(at_one[1])),
        IMPLIES(counts.NONE_BELOW(f, n, w), at_zero[0].equals(at_zero[1])),
    )


EXTREMES = Proposition(
    "bits.Attracting.extremes",
    "",
    [p, P, f, t, n, i, w],
    [counts.ATTRACTING(p, P), counts.RISING(f), counts.DECAYS(t)],
    ends_leak_most(bits.CHAIN_LAW(p, P)),
    chain,
    EDGES,
    survivors={
        **NO_RECORD,
        "conclusion, without E_(p, P)(t^|w - Q|; X_i = 0)": SMALL,
        "conclusion, without E_(p, P)(t^|w - Q|; X_i = 1) (2)": SMALL,
    },
)
CHAIN_ATTRACTS = Proposition(
    "bits.Attracting.chain_attracts",
    "",
    [p, P, n],
    [counts.ATTRACTING(p, P)],
    bits.ATTRACT(bits.CHAIN_LAW(p, P), n),
    chain,
    survivors={
        "conclusion, n + 1 for n [bits attract one another]": "equivalent: it is the statement of "
        "one more bit",
    },
)
