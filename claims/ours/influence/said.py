"""What the record before another one and the one after it tell of it, or one of them alone, said
once: from a given law of the first record, from any, and one record later.
"""

from collections.abc import Mapping

from pufferproof.claims.language.statements.draws import Draws
from pufferproof.claims.language.statements.rationals import Fraction
from pufferproof.claims.language.statements.statement import Instance
from pufferproof.claims.vocabulary.entries.chains.powers import (
    FROM_ANY,
    IF_SHOWN,
    LAW_AT,
    POWER,
    SIDES_WITHIN,
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
from pufferproof.claims.vocabulary.probes.chains.powers import A, P, a, b, c, k, m, ratio, v, w
from pufferproof.claims.vocabulary.proposition import Proposition
from pufferproof.claims.vocabulary.sorts import member
from pufferproof.claims.vocabulary.terms import Entry, Term, letter

F = Fraction
x, y, z, u = (letter(name, member("A")) for name in "xyzu")
BEFORE = NATURAL_PLUS(k, a)
WITHIN = SIDES_WITHIN(ratio, m, P, k, a, b, c, v, w, A)
WITHIN_FROM_ANY = FROM_ANY(ratio, P, k, a, b, c, v, w, A)


def from_a_law(draws: Draws) -> Instance:
    """Two or three values, a first law and steps with zeros, up to four records, none, one or two
    of them at a distance, and R, often the least that these tell, or close to it; weights that are
    no laws now and then.
    """
    found = dict(powers.chain(draws, 16))
    if rarely(draws):
        found["m"] = [F(-1), F(2), *[F(0)] * (found["A"] - 2)]
    if rarely(draws):
        found["P"][draws.below(found["A"])][0] += F(1, 2)
    return powers.told(draws, found, WITHIN)


def from_any_law(draws: Draws) -> Instance:
    """Two or three values, steps with zeros, up to ten records, none, one or two of them at a
    distance, and R, often the least that these tell from any law, or close to it; rows with another
    sum now and then.
    """
    found = dict(powers.chain(draws, 27))
    if draws.below(4):
        found |= {"k": draws.below(4), "a": draws.below(3), "b": draws.below(3)}
    if rarely(draws):
        found["P"][draws.below(found["A"])][0] += F(1, 2)
    return powers.told(draws, found, WITHIN_FROM_ANY)


HALF, ONE_STEP = F(1, 2), {"k": 1, "a": 1, "b": 1, "c": 0, "v": 1, "w": 0}
LEFT: Instance = {
    **{**ONE_STEP, "A": 3, "ratio": F(1)},
    "P": [[HALF, HALF, F(0)], [HALF, HALF, F(0)], [F(1, 4), F(3, 4), F(0)]],
}
"""A value that is possible for X_0 alone."""
SIGNED: Instance = {
    **{"A": 2, "P": [[F(-1), F(2)], [F(0), F(1)]], "ratio": F(1)},
    **{"k": 0, "a": 1, "b": 0, "c": 1, "v": 0, "w": 1},
}
"""Steps with a negative entry, by which a value is possible from the second record on."""


def _known(entry: Entry) -> dict[str, str]:
    """Return why near misses about what follows the records that are shown are true."""
    reason = "equivalent: what follows the records that are shown does not count"
    return {
        f"conclusion, {other} for c [{entry.name}]": reason for other in ("c + 1", "k", "a", "b")
    }


AT_ZERO = {
    "conclusion, b + 1 for b [factor of a record]": "equivalent: for b = 0 it is P^0(v, y) for 1, "
    "which is largest at y = v, where it is 1"
}


def _at_sides(middle: Mapping[Term, Term]) -> tuple[Term, Term]:
    """Return the products of the factors of both records at v and at w; `middle` has the chances of
    v and w for X_i.
    """
    one, other = (
        IF_SHOWN(a, POWER(a, P, x, value) * middle[against]) * IF_SHOWN(b, POWER(b, P, value, y))
        for value, against in ((v, w), (w, v))
    )
    return one, ratio * other


FROM_LAW = _at_sides({u: LAW_AT(BEFORE, m, P, u) for u in (v, w)})
FROM_START = _at_sides({u: POWER(BEFORE, P, z, u) for u in (v, w)})
GIVEN_LAW = Proposition(
    "chains.Influences.given_law",
    "A",
    [ratio, m, P, k, a, b, c, v, w],
    [
        *(LAW(m), KERNEL(P)),
        *(NOTHING() < LAW_AT(BEFORE, m, P, u) for u in (v, w)),
    ],
    IFF(
        WITHIN,
        every(
            x,
            every(
                y,
                IMPLIES(NOTHING() < LAW_AT(k, m, P, x), FROM_LAW[0] <= FROM_LAW[1]),
                A,
            ),
            A,
        ),
    ),
    from_a_law,
    decidable="A",
    survivors={**_known(SIDES_WITHIN), **AT_ZERO},
)
ANY_LAW = Proposition(
    "chains.Influences.any_law",
    "A",
    [ratio, P, k, a, b, c, v, w],
    [
        KERNEL(P),
        *(NOTHING() < total(u, POWER(BEFORE, P, u, value), A) for value in (v, w)),
    ],
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
                        FROM_START[0] <= FROM_START[1],
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
    survivors={**_known(FROM_ANY), **AT_ZERO},
)
NO_RISE = Proposition(
    "chains.Influences.no_rise",
    "A",
    [ratio, P, k, a, b, c, v, w],
    [KERNEL(P), FROM_ANY(ratio, P, k, a, b, NEXT(c), v, w, A)],
    FROM_ANY(ratio, P, NEXT(k), a, b, c, v, w, A),
    from_any_law,
    [SIGNED],
    "A",
    survivors={
        **_known(FROM_ANY),
        "conclusion, k + 1 for k [next]": "true and weaker: it is the statement, used twice",
    },
)
