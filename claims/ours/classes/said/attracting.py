"""Noise that decays on what a chain of attracting bits counts, said once."""

from pufferproof.claims.language.statements.draws import Draws
from pufferproof.claims.language.statements.rationals import Fraction
from pufferproof.claims.language.statements.statement import Instance
from pufferproof.claims.vocabulary.entries.chains import counts
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
OF = (p, P, f, t, n, i)


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


def _density(value: int) -> Term:
    return counts.DENSITIES[value](*OF, w)


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


OF_I = "true and weaker: no record i is among i records, and the left side is 0"
OF_N = "true and weaker: no record n is among n records, and the left side is 0"
SMALL = "true and weaker: a density without the constant of its noise is at most 1"
AT_ONE = _density(1) * counts.UP[0](*OF), counts.UP[1](*OF) * _density(0)
AT_ZERO = _density(0) * counts.DOWN[1](*OF), counts.DOWN[0](*OF) * _density(1)
EXTREMES = Proposition(
    "chains.Attracting.extremes",
    "",
    [p, P, f, t, n, i, w],
    [counts.ATTRACTING(p, P), counts.RISING(f), counts.DECAYS(t)],
    _both(
        AT_ONE[0] <= AT_ONE[1],
        AT_ZERO[0] <= AT_ZERO[1],
        IMPLIES(counts.NONE_ABOVE(f, n, w), AT_ONE[0].equals(AT_ONE[1])),
        IMPLIES(counts.NONE_BELOW(f, n, w), AT_ZERO[0].equals(AT_ZERO[1])),
    ),
    chain,
    [
        _edge([[101, 100]], 100),  # a count that falls by less than 1/100
        _edge([[0, 1], [1, 0]], 0),  # one count rises, another one falls
        _edge([[0, 101]], 100),  # an output just below the largest count
        _edge([[100, 200]], 101),  # and just above the least one
    ],
    survivors={
        **{
            f"conclusion, {one} for {other} [{entry}]{place}": why
            for one, other, why in (("i", "n", OF_I), ("n", "i", OF_N))
            for entry, place in (
                ("density with bit 1", ""),
                ("mean of the inverse power with bit 0", ""),
                ("density with bit 0", " (2)"),
                ("mean of the power with bit 1", ""),
            )
        },
        "conclusion, without P(w, X_i = 0)": SMALL,
        "conclusion, without P(w, X_i = 1) (2)": SMALL,
    },
)
