"""What data-independent redaction leaks and shows: corollary 2, and theorem 2 as repaired."""

from pufferproof.claims.language.statements.draws import Draws
from pufferproof.claims.language.statements.rationals import Fraction
from pufferproof.claims.language.statements.statement import Instance
from pufferproof.claims.vocabulary.entries.foundations.logic import IFF, NOTHING, ONE
from pufferproof.claims.vocabulary.entries.records import redaction
from pufferproof.claims.vocabulary.entries.records.stationary import I1, LEAKS, ORDERED, i1
from pufferproof.claims.vocabulary.families import CLOSE
from pufferproof.claims.vocabulary.probes.records.redaction import De, Dh, Dl, Dr, patterns, rho
from pufferproof.claims.vocabulary.probes.records.stationary import (
    STEPS,
    a,
    b,
    least,
    n,
    p,
    ratio,
)
from pufferproof.claims.vocabulary.proposition import Proposition

F = Fraction
REDACTED = redaction.DIM(rho)
LEAK = LEAKS(ratio, a, b, n, p, REDACTED)
SUM = redaction.OF_RADIUS(a, b, n, p, Dl, Dr)


def redactions(draws: Draws) -> Instance:
    """R is often the least level of this mechanism, the bound of its radius, or close to these."""
    found = dict(patterns(draws))
    r = redaction.DIM.value(found["rho"])
    if draws.whether():
        return {**found, "ratio": least(draws, {**found, "r": r})}
    bound = redaction.OF_RADIUS.value(*(found[name] for name in ("a", "b", "n", "p", "Dl", "Dr")))
    return {**found, "ratio": bound * draws.among([*CLOSE])}


redactions.__doc__ = f"{patterns.__doc__} {redactions.__doc__}"
WITH_RADIUS = [ORDERED(a, b), redaction.SHARES(rho), redaction.RADIUS(rho, n, p, Dl, Dr)]
LETTERS = [ratio, a, b, n, p, Dl, Dr, rho]
NEAREST = "influences of the nearest records"
FARTHER = "true and weaker: a record that is farther, or none, leaks less"
POSSIBLE = "superfluous: some output that shows the nearest records has a positive weight anyway"
NEARER = {
    "without: 0 <= rho_k <= 1 for each k": POSSIBLE,
    "hypothesis 2, for some, not for all [shares]": POSSIBLE,
    "hypothesis 4, for some, not for all [radius even or to one side]": "equivalent: it is one "
    "condition",
    **{
        f"conclusion, {words} [{NEAREST}]": FARTHER
        for words in ("p for n", "Dl for n", "Dr for n", "Dl + 1 for Dl", "n for Dl", "p for Dl")
    },
    **{f"conclusion, {words} [{NEAREST}]": FARTHER for words in ("Dr + 1 for Dr", "n for Dr")},
}
FEW = [
    ("p for n", "true and weaker: of a record that is not there nothing is claimed"),
    ("Dl for n", "true and weaker: of a record that is not there nothing is claimed"),
    ("Dr for n", "true and weaker: all records after X_p are replaced then"),
    ("n for p", "true and weaker: of a record that is not there nothing is claimed"),
]
LEAKAGE = Proposition(
    "records.DataIndependent.leakage",
    "",
    LETTERS,
    WITH_RADIUS,
    IFF(LEAK, redaction.EXACTLY(a, b, n, p, Dl, Dr) <= ratio),
    redactions,
)
COR_2 = Proposition(
    "records.DataIndependent.private_only_if",
    "",
    LETTERS,
    [*WITH_RADIUS, redaction.PARITY(p, Dl, Dr), LEAK],
    SUM <= ratio,
    redactions,
    survivors=NEARER,
)
COR_2_CONVERSE = Proposition(
    "records.DataIndependent.private_if",
    "",
    LETTERS,
    [*WITH_RADIUS, SUM <= ratio],
    LEAK,
    redactions,
    survivors={f"conclusion, {words} [leakage of a record at most]": why for words, why in FEW},
)
SHOWN, END = redaction.DIM_SHARE(rho, n), I1(a, b, redaction.AFTER(n, p))
SLOW = [(F(1, 20), F(1, 20)), (F(1, 10), F(1, 10)), (F(1, 20), F(1, 10)), (F(1, 20), F(3, 20))]


def _bounded(draws: Draws, found: Instance) -> Instance:
    """De and Dh are most often the least distances for R and for half of it."""
    for name, times in (("De", 1), ("Dh", 2)):
        fits = (D for D in range(1, 9) if i1(found["a"], found["b"], D) ** times <= found["ratio"])
        found[name] = next(fits, 9) + draws.among([0] * 12 + [1, -1, 3])
    if not draws.below(12):
        found["rho"][draws.below(found["n"])] = draws.among([F(-1, 2), F(3, 2)])
    return found


def _places(draws: Draws) -> Instance:
    of = draws.among([*STEPS, *SLOW, *SLOW])
    private = draws.among([0, 0, 1, 1, 2, 3])
    length = 2 * (private + 1) + draws.below(3) - (draws.below(10) == 9)
    return {"a": of[0], "b": of[1], "n": length, "p": private}


def hiding(draws: Draws) -> Instance:
    """A chain with a <= b of one to ten records, p mostly in the first half of them, R mostly
    below e^i1(n-p-1), and nearly always all records replaced, or one of them at times shown.
    """
    found = _places(draws)
    end = i1(found["a"], found["b"], max(found["n"] - found["p"] - 1, 1))
    rho = [F(1)] * found["n"] + [F(0)]
    if draws.below(4) == 3:
        rho[draws.below(found["n"])] = draws.rate([F(0), F(1, 2)])
    level = 1 + (end - 1) * draws.rate([F(1, 2), F(3, 4), F(99, 100), F(99, 100), F(1)])
    return _bounded(draws, {**found, "rho": rho, "ratio": level})


NEAR = [*CLOSE, F(2, 3)]


def one_sided(draws: Draws) -> Instance:
    """A chain with a <= b of one to ten records, p mostly in the first half of them, and records
    shown from a distance on that R allows: right of p, or on both sides of p.
    """
    found = _places(draws)
    n, p = found["n"], found["p"]
    last = max(n - p - 1, 1)
    right = 1 + draws.below(last + 1)
    left = draws.among([p + 1, p + 1, 1 + draws.below(p + 1)])
    radius = (n, p, left - 1, right - 1)
    exact = redaction.EXACTLY.value(found["a"], found["b"], *radius)
    rho = [F(0) if k <= p - left or k >= p + right else F(1) for k in range(n)]
    return _bounded(draws, {**found, "rho": rho, "ratio": exact * draws.among(NEAR)})


def two_sided(draws: Draws) -> Instance:
    """A chain with a <= b of one to ten records, p mostly in the first half of them, and records
    shown on both sides of p, or on the right, from distances on that R allows.
    """
    return one_sided(draws)


PRIVATE = [ORDERED(a, b), redaction.SHARES(rho), redaction.HALF(p, n), LEAK]
BEYOND = (
    "superfluous: if a chance is below 0 or above 1 some output has a negative weight, and no "
    "level R with 1 < R is kept"
)
ONE_CONDITION = "equivalent: it is one condition"
IN_HALF = {"hypothesis 3, for some, not for all [in the first half]": ONE_CONDITION}
LONGER = "true and weaker: of more records fewer are shown"
SOONER = "true and weaker: De <= Dh"
FLAT = {
    "a": F(9, 20),
    "b": F(9, 20),
    "n": 4,
    "p": 0,
    "ratio": F(10001, 10000),
    "rho": [F(1)],
    "De": 5,
    "Dh": 5,
}
"""A level just below the influence of the last record."""
BEYOND_0 = {
    "a": F(1, 2),
    "b": F(1, 2),
    "n": 2,
    "p": 0,
    "ratio": F(1),
    "rho": [F(1), F(-3)],
    "De": 1,
    "Dh": 1,
}
NO_STEP = {
    "a": F(0),
    "b": F(1, 2),
    "n": 4,
    "p": 1,
    "ratio": F(3, 2),
    "rho": [F(0)],
    "De": 2,
    "Dh": 3,
}
NO_STEP_TAKEN = {**NO_STEP, "ratio": F(5, 4)}
SECOND_HALF = {**NO_STEP_TAKEN, "a": F(1, 3), "b": F(1, 3), "ratio": F(3, 2), "p": 2}
SECOND_HALF["rho"] = [F(0), F(1)]
LAST = {**NO_STEP, "a": F(1, 3), "b": F(1, 3), "ratio": F(14, 13), "p": 3, "De": 3, "Dh": 4}
LAST["rho"] = [F(0), F(1)]
NEXT_TO = {**LAST, "ratio": F(4), "n": 8, "De": 1, "Dh": 1, "rho": [F(0)] * 3 + [F(1), F(0)]}
FEWER = {
    "a": F(3, 5),
    "b": F(99, 100),
    "n": 10,
    "p": 4,
    "ratio": redaction.EXACTLY.value(F(3, 5), F(99, 100), 10, 4, 3, 1),
    "rho": [F(0), *[F(1)] * 5, F(0)],
    "De": 2,
    "Dh": 4,
}
"""The shortest chain in which lam < 0 saves a record."""
EDGES = [FLAT, BEYOND_0, NO_STEP]
NOTHING_SHOWN = Proposition(
    "records.DataIndependent.nothing_shown",
    "",
    [ratio, a, b, n, p, rho],
    [*PRIVATE, ratio < END],
    SHOWN <= NOTHING(),
    hiding,
    edges=[NO_STEP_TAKEN, SECOND_HALF],
    survivors={
        **IN_HALF,
        "without: 0 <= rho_k <= 1 for each k": BEYOND,
        "hypothesis 2, for some, not for all [shares]": BEYOND,
        "conclusion, 99/100 of the right side [at most]": "equivalent: the right side is 0",
        "conclusion, p for n [share that a data-independent mechanism shows]": "true and weaker: "
        "the same of the records before X_p",
    },
)
ONE_SIDE = Proposition(
    "records.DataIndependent.one_side",
    "",
    [ratio, a, b, n, p, De, rho],
    [
        *PRIVATE,
        END <= ratio,
        redaction.BELOW_BOTH(a, b, ratio, n, p),
        redaction.FIRST(a, b, ratio, De),
    ],
    SHOWN <= redaction.ONE_SIDED(De, p, n),
    one_sided,
    edges=EDGES,
    survivors={
        **IN_HALF,
        "hypothesis 6, for some, not for all [level below both ends]": ONE_CONDITION,
        "conclusion, n + 1 for n [bound of one side]": LONGER,
    },
)
LETTERS_OF_TWO = [ratio, a, b, n, p, De, Dh, rho]
FIRSTS = [END <= ratio, redaction.FIRST(a, b, ratio, De), redaction.FIRST_OF_HALF(a, b, ratio, Dh)]
TWO_SIDES = Proposition(
    "records.DataIndependent.two_sides",
    "",
    LETTERS_OF_TWO,
    [*PRIVATE, a + b <= ONE(), *FIRSTS],
    SHOWN <= redaction.TWO_SIDED(De, Dh, p, n),
    two_sided,
    edges=[*EDGES, LAST, NEXT_TO, FEWER],
    survivors={
        **IN_HALF,
        "hypothesis 5, 101/100 of the right side [at most]": "superfluous: so close to lam = 0 "
        "influences are convex for lam < 0 too",
        "conclusion, De for Dh [bound of two sides]": SOONER,
        "conclusion, n + 1 for n [bound of two sides]": LONGER,
    },
)
ANY_TWO_SIDES = Proposition(
    "records.DataIndependent.any_two_sides",
    "",
    LETTERS_OF_TWO,
    [*PRIVATE, *FIRSTS],
    SHOWN <= redaction.ANY_TWO_SIDED(De, Dh, p, n),
    two_sided,
    edges=[*EDGES, LAST, NEXT_TO, FEWER],
    survivors={
        **IN_HALF,
        "conclusion, De for Dh [bound of two sides, any chain]": SOONER,
        "conclusion, n + 1 for n [bound of two sides, any chain]": LONGER,
    },
)
