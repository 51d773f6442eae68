"""3R mechanisms and the two sides of a record, said once: section IV and theorem 1."""

from pufferproof.claims.language.statements.draws import Draws
from pufferproof.claims.language.statements.rationals import Fraction
from pufferproof.claims.language.statements.statement import Instance
from pufferproof.claims.vocabulary.entries.foundations.logic import NATURAL_LESS, ONE
from pufferproof.claims.vocabulary.entries.records import redaction
from pufferproof.claims.vocabulary.entries.records.stationary import (
    CHANCES,
    INSIDE,
    LEAKS,
    ORDERED,
    SHARE,
)
from pufferproof.claims.vocabulary.families import CLOSE
from pufferproof.claims.vocabulary.probes.records.redaction import E, G, q, three_regions
from pufferproof.claims.vocabulary.probes.records.stationary import (
    a,
    any_steps,
    b,
    chances,
    least,
    n,
    p,
    r,
    ratio,
)
from pufferproof.claims.vocabulary.proposition import Proposition

F = Fraction


def sides(draws: Draws) -> Instance:
    """Steps, one to three records, one of them private and nearly always replaced, and chances;
    E and F are often the least levels of the sides, or close to them.
    """
    length = 1 + draws.below(3)
    private = draws.below(length)
    rows = chances(draws, length, private if draws.below(6) else None)
    if draws.below(4) == 3:
        rows[draws.below(length)][draws.below(2)] = draws.among([F(3, 2), F(-1, 2)])
    found = {**any_steps(draws), "n": length, "p": private + (draws.below(12) == 11), "r": rows}
    return {**found, **_budgets(draws, found, rows)}


def _budgets(draws: Draws, found: Instance, rows: object) -> Instance:
    p = found["p"]
    return {
        name: least(draws, {**found, "r": side.value(p, rows)})
        for name, side in (("El", redaction.UP_TO), ("Er", redaction.FROM_ON))
    }


NOT_THERE = "superfluous: of a record that is not there nothing is claimed"
NOT_NEGATIVE = (
    "superfluous: if two levels hold in both orders no output has a negative weight, unless it "
    "tells nothing"
)
PLACE = {
    "without: p < n": NOT_THERE,
    "hypothesis 2, <= for < [less, of natural numbers]": NOT_THERE,
    **{
        f"conclusion, {words} [leakage of a record at most]": NOT_THERE.replace(
            "superfluous", "true and weaker"
        )
        for words in ("p for n", "n for p")
    },
}
SIGNS = {
    "without: 0 < a < 1 and 0 < b < 1": NOT_NEGATIVE,
    "hypothesis 1, for some, not for all [steps inside]": NOT_NEGATIVE,
}
LOWER = {
    f"conclusion, {step} for {budget} [chances of a 3R mechanism]": "true and weaker: with a "
    "budget below 1 all records of the side are replaced"
    for step in "ab"
    for budget in "EF"
}
BEYOND_1 = {
    "a": F(1, 2),
    "b": F(1, 2),
    "n": 2,
    "p": 1,
    "r": [[F(3, 4), F(3, 2)], [F(1), F(1)]],
    "El": F(1),
    "Er": F(3, 2),
}
COMPOSE = Proposition(
    "records.SidesOfRecord.compose",
    "",
    [E, G, a, b, n, p, r],
    [
        INSIDE(a, b),
        NATURAL_LESS(p, n),
        CHANCES(r),
        LEAKS(E, a, b, n, p, redaction.UP_TO(p, r)),
        LEAKS(G, a, b, n, p, redaction.FROM_ON(p, r)),
    ],
    LEAKS(E * G, a, b, n, p, r),
    sides,
    edges=[BEYOND_1],
    survivors={**PLACE, **SIGNS},
)
OF_3R = redaction.THREE_R(a, b, E, G, q, p)


def mechanisms(draws: Draws) -> Instance:
    """E and F are often the levels that the sides have, or close to them, R is their product, or
    close to it, and q is now and then beyond 1 or below 0.
    """
    found = dict(three_regions(draws))
    if not draws.below(6):
        found["qs"][draws.below(found["n"])] = draws.among([F(3, 2), F(-1, 2)])
    if draws.below(5):
        of = (found[name] for name in ("a", "b", "El", "Er", "qs", "p"))
        found |= _budgets(draws, found, redaction.THREE_R.value(*of))
    return {**found, "ratio": found["El"] * found["Er"] * draws.among([*CLOSE])}


mechanisms.__doc__ = f"{three_regions.__doc__} {mechanisms.__doc__}"
PRIVATE = Proposition(
    "records.SidesOfRecord.three_regions_private",
    "",
    [ratio, E, G, a, b, n, p, q],
    [
        INSIDE(a, b),
        NATURAL_LESS(p, n),
        redaction.SHARES(q),
        LEAKS(E, a, b, n, p, redaction.UP_TO(p, OF_3R)),
        LEAKS(G, a, b, n, p, redaction.FROM_ON(p, OF_3R)),
        E * G <= ratio,
    ],
    LEAKS(ratio, a, b, n, p, OF_3R),
    mechanisms,
    survivors={
        **PLACE,
        **SIGNS,
        **LOWER,
        "without: 0 <= q_k <= 1 for each k": NOT_NEGATIVE,
        "hypothesis 3, for some, not for all [shares]": NOT_NEGATIVE,
    },
)
NO_LAW = {"El": F(2), "Er": F(2), "a": F(-1, 2), "b": F(1, 2), "n": 2, "p": 0, "qs": [F(1)]}
UTILITY = Proposition(
    "records.SidesOfRecord.three_regions_utility",
    "",
    [E, G, a, b, n, p, q],
    [INSIDE(a, b)],
    SHARE(a, b, OF_3R, n).equals(redaction.THREE_R_SHARE(a, b, E, G, q, n, p)),
    mechanisms,
    edges=[NO_LAW],
)


def budgets(draws: Draws) -> Instance:
    """One of the budgets may be a bit below 1, or much."""
    found = dict(three_regions(draws))
    if draws.below(3) == 2:
        found[draws.among(["El", "Er"])] = draws.rate([F(199, 200), F(1, 2)])
    return found


budgets.__doc__ = f"{three_regions.__doc__} {budgets.__doc__}"
FEASIBLE = Proposition(
    "records.SidesOfRecord.three_regions_feasible",
    "",
    [E, G, a, b, n, p],
    [ORDERED(a, b), NATURAL_LESS(p, n), ONE() <= E, ONE() <= G],
    LEAKS(E * G, a, b, n, p, redaction.THREE_R(a, b, E, G, redaction.ALWAYS(), p)),
    budgets,
    edges=[{"a": F(-1, 4), "b": F(1, 2), "n": 2, "p": 0, "El": F(1), "Er": F(2)}],
    survivors={
        **PLACE,
        **LOWER,
        "conclusion, n + 1 for n [leakage of a record at most]": "true and weaker: the same of one "
        "record more",
    },
)
