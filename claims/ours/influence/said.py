"""What two records of a chain tell of one between them, said once: from a given law of the first
record, from any, and one record later.
"""

from pufferproof.claims.language.statements.draws import Draws
from pufferproof.claims.language.statements.rationals import Fraction
from pufferproof.claims.language.statements.statement import Instance
from pufferproof.claims.vocabulary.entries.chains.powers import (
    FROM_ANY,
    LAW_AT,
    PAIR_WITHIN,
    POWER,
)
from pufferproof.claims.vocabulary.entries.composition.columns import KERNEL
from pufferproof.claims.vocabulary.entries.foundations.logic import (
    IFF,
    IMPLIES,
    NATURAL_PLUS,
    NEXT,
    NOTHING,
    every,
    total,
)
from pufferproof.claims.vocabulary.entries.foundations.promise import LAW
from pufferproof.claims.vocabulary.families import rarely
from pufferproof.claims.vocabulary.probes.chains import powers
from pufferproof.claims.vocabulary.probes.chains.powers import A, P, a, b, k, m, ratio, v, w
from pufferproof.claims.vocabulary.proposition import Proposition
from pufferproof.claims.vocabulary.sorts import member
from pufferproof.claims.vocabulary.terms import letter

F = Fraction
x, y, z, u = (letter(name, member("A")) for name in "xyzu")
BEFORE = NATURAL_PLUS(k, a)
WITHIN = PAIR_WITHIN(ratio, m, P, k, a, b, v, w, A)
WITHIN_FROM_ANY = FROM_ANY(ratio, P, k, a, b, v, w, A)


def from_a_law(draws: Draws) -> Instance:
    """Two or three values, a first law and steps with zeros, up to four records, and R, often the
    least that the pair tells, or close to it; weights that are no laws now and then.
    """
    found = dict(powers.chain(draws, 16))
    if rarely(draws):
        found["m"] = [F(-1), F(2), *[F(0)] * (found["A"] - 2)]
    if rarely(draws):
        found["P"][draws.below(found["A"])][0] += F(1, 2)
    return powers.told(draws, found, WITHIN)


def from_any_law(draws: Draws) -> Instance:
    """Two or three values, steps with zeros, up to nine records, and R, often the least that the
    pair tells from any law, or close to it; rows with another sum now and then.
    """
    found = dict(powers.chain(draws, 27))
    if draws.below(4):
        found |= {"k": draws.below(4), "a": 1 + draws.below(2), "b": 1 + draws.below(2)}
    if rarely(draws):
        found["P"][draws.below(found["A"])][0] += F(1, 2)
    return powers.told(draws, found, WITHIN_FROM_ANY)


FARTHER = "true and weaker: a record that is farther away tells no more"
HALF, ONE_STEP = F(1, 2), {"k": 1, "a": 1, "b": 1, "v": 1, "w": 0}
NEVER: Instance = {**ONE_STEP, "A": 2, "P": [[F(1), F(0)]] * 2, "ratio": HALF}
"""A value that is not possible, so that nothing is compared."""
LEFT: Instance = {
    **{**ONE_STEP, "A": 3, "ratio": F(1)},
    "P": [[HALF, HALF, F(0)], [HALF, HALF, F(0)], [F(1, 4), F(3, 4), F(0)]],
}
"""A value that is possible for X_0 alone."""
SIGNED: Instance = {
    **{"A": 2, "P": [[F(-1), F(2)], [F(0), F(1)]], "ratio": F(1)},
    **{"k": 0, "a": 1, "b": 0, "v": 0, "w": 1},
}
"""Steps with a negative entry, by which a value is possible from the second record on."""
GIVEN_LAW = Proposition(
    "chains.Influences.given_law",
    "A",
    [ratio, m, P, k, a, b, v, w],
    [LAW(m), KERNEL(P)],
    IFF(
        WITHIN,
        every(
            x,
            every(
                y,
                IMPLIES(
                    NOTHING() < LAW_AT(k, m, P, x),
                    POWER(a, P, x, v) * LAW_AT(BEFORE, m, P, w) * POWER(b, P, v, y)
                    <= ratio * (POWER(a, P, x, w) * LAW_AT(BEFORE, m, P, v) * POWER(b, P, w, y)),
                ),
                A,
            ),
            A,
        ),
    ),
    from_a_law,
    decidable="A",
)
ANY_LAW = Proposition(
    "chains.Influences.any_law",
    "A",
    [ratio, P, k, a, b, v, w],
    [KERNEL(P)],
    IFF(
        WITHIN_FROM_ANY,
        every(
            x,
            every(
                z,
                every(
                    y,
                    IMPLIES(
                        NOTHING() < total(u, POWER(k, P, u, x), A),
                        POWER(a, P, x, v) * POWER(BEFORE, P, z, w) * POWER(b, P, v, y)
                        <= ratio * (POWER(a, P, x, w) * POWER(BEFORE, P, z, v) * POWER(b, P, w, y)),
                    ),
                    A,
                ),
                A,
            ),
            A,
        ),
    ),
    from_any_law,
    [LEFT, {**LEFT, "k": 0}],
    decidable="A",
)
NO_RISE = Proposition(
    "chains.Influences.no_rise",
    "A",
    [ratio, P, k, a, b, v, w],
    [KERNEL(P), WITHIN_FROM_ANY],
    FROM_ANY(ratio, P, NEXT(k), a, b, v, w, A),
    from_any_law,
    [NEVER, {**NEVER, "v": 0, "w": 1}, SIGNED],
    "A",
    survivors={
        "conclusion, k + 1 for k [next]": "true and weaker: it is the statement, used twice",
        "conclusion, a + 1 for a [a pair tells at most from any law]": FARTHER,
        "conclusion, b + 1 for b [a pair tells at most from any law]": FARTHER,
    },
)
