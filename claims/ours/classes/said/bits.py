"""Bits that attract one another, said once: noise on what they count, and columns of levels."""

from pufferproof.claims.language.statements.draws import Draws
from pufferproof.claims.language.statements.rationals import Fraction
from pufferproof.claims.language.statements.statement import Instance
from pufferproof.claims.ours.classes.said import attracting
from pufferproof.claims.ours.classes.said.attracting import f, i, n, t, w
from pufferproof.claims.vocabulary.entries.chains import bits, counts
from pufferproof.claims.vocabulary.entries.foundations.logic import BOTH
from pufferproof.claims.vocabulary.probes.chains import bits as probes
from pufferproof.claims.vocabulary.probes.chains.bits import e, levels, mu, u
from pufferproof.claims.vocabulary.proposition import Proposition
from pufferproof.claims.vocabulary.terms import Term

F = Fraction


def counted(draws: Draws) -> Instance:
    """One to three bits with weights of pairs that attract, or now and then another weight of one
    sequence, counts of which most rise, a decay, an output at, beyond or among the counts, and a
    bit.
    """
    found = dict(attracting.chain(draws))
    return {**found, "mu": probes.weights(draws, found["n"])}


TWO_BITS: Instance = {"n": 2, "i": 0, "mu": [F(100), F(101), F(100), F(100)]}
"""Bits of which a 1 makes the other one a little less likely to be 1."""
ONE_BIT: Instance = {"n": 1, "i": 0, "mu": [F(1), F(1)]}
NETWORK_EXTREMES = Proposition(
    "bits.Supermodular.extremes",
    "",
    [mu, f, t, n, i, w],
    [bits.ATTRACT(mu, n), counts.RISING(f), counts.DECAYS(t)],
    attracting.ends_leak_most(mu),
    counted,
    [
        *({**each, "mu": [F(1)] * 2 ** each["n"]} for each in attracting.EDGES),
        {**TWO_BITS, "f": [[0, 0], [0, 1]], "t": F(1, 2), "w": 0},
    ],
    survivors=attracting.NO_RECORD,
)
NOW, COLUMN = bits.EXCHANGED(e, mu), bits.EXCHANGED(e, u)


def _one(of: Term) -> Term:
    return bits.MEAN_1(NOW, of, n, i)


def _zero(of: Term) -> Term:
    return bits.MEAN_0(NOW, of, n, i)


def exchanged(draws: Draws) -> Instance:
    """One to three bits with weights that attract in exchanged values, or now and then another
    weight of one sequence, levels with a column of them, and a bit.
    """
    found = dict(probes.of_bits(draws))
    turned = bits.EXCHANGED.value(found["some"], found["mu"])
    return {**found, "mu": [turned(x) for x in bits.sequences(found["n"])]}


COLUMNS = Proposition(
    "bits.LevelColumns.columns",
    "",
    [e, mu, levels, u, n, i],
    [bits.ATTRACT(NOW, n), bits.COLUMN(levels, n, u)],
    BOTH(
        _one(COLUMN) * _zero(bits.LEVELS_1(levels)) <= _one(bits.LEVELS_1(levels)) * _zero(COLUMN),
        _zero(COLUMN) * _one(bits.LEVELS_0(levels)) <= _zero(bits.LEVELS_0(levels)) * _one(COLUMN),
    ),
    exchanged,
    [
        {**TWO_BITS, "some": frozenset(), "levels": [F(1), F(2)], "u": [F(2), F(1), F(2), F(1)]},
        {**ONE_BIT, "some": frozenset(), "levels": [F(1)], "u": [F(100), F(101)]},
    ],
    survivors=attracting.NO_RECORD,
)
