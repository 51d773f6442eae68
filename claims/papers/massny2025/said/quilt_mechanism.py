"""The Markov quilt mechanism as redaction, said once: appendix C."""

from pufferproof.claims.language.statements.draws import Draws
from pufferproof.claims.language.statements.rationals import Fraction
from pufferproof.claims.language.statements.statement import Instance
from pufferproof.claims.vocabulary.entries.foundations.logic import NATURAL_LESS, NATURAL_PLUS
from pufferproof.claims.vocabulary.entries.records import compared, redaction
from pufferproof.claims.vocabulary.entries.records.stationary import LEAKS, ORDERED, i1
from pufferproof.claims.vocabulary.families import CLOSE, rarely
from pufferproof.claims.vocabulary.probes.records.redaction import De, Dh
from pufferproof.claims.vocabulary.probes.records.stationary import (
    NO_CHAINS,
    STEPS,
    a,
    b,
    n,
    p,
    ratio,
)
from pufferproof.claims.vocabulary.proposition import Proposition

F = Fraction
AT = (a, b, ratio, De, Dh, n, p)
MQ = compared.MQ(*AT)
OF_MQ = redaction.DIM_SHARE(MQ, n)
SLOW = [(F(1, 10), F(1, 10)), (F(1, 20), F(1, 10)), (F(1, 5), F(1, 5)), (F(1, 10), F(1, 5))]


def first(of: Instance, times: int, longest: int) -> int:
    """Return the least distance at which a power of the influence of 1 is at most R."""
    fits = (D for D in range(1, longest + 1) if i1(of["a"], of["b"], D) ** times <= of["ratio"])
    return next(fits, longest + 1)


def chains(draws: Draws, longest: int) -> Instance:
    """Draw a chain with a place p, more often in the first half, and a level R."""
    steps = draws.among(NO_CHAINS if rarely(draws) else [*STEPS, *SLOW])
    length = 1 + draws.below(longest)
    private = draws.below(length if draws.below(4) == 3 else (length + 1) // 2)
    near, far = (i1(*steps, 1 + draws.below(4)) for _ in range(2))
    level = draws.among([near, near * near, near * far, F(501, 500), F(2), F(4)])
    level = max(level * draws.among([*CLOSE]), i1(*steps, longest) ** 2)
    return {"a": steps[0], "b": steps[1], "n": length, "p": private, "ratio": level}


def _quilts(draws: Draws, longest: int) -> Instance:
    found = chains(draws, longest)
    for name, times in (("De", 1), ("Dh", 2)):
        found[name] = max(first(found, times, longest) + draws.among([0] * 14 + [1, -1, 3, -3]), 0)
    return found


def short(draws: Draws) -> Instance:
    """A chain with a <= b, fast or slow, seldom none, of one to five records, with p more often in
    the first half; R is an influence, a product of two, or close to one or to 1; De and Dh are
    nearly always the least distances for R and for half of it.
    """
    return _quilts(draws, 5)


def long(draws: Draws) -> Instance:
    """The same with one to twelve records."""
    return _quilts(draws, 12)


FIRSTS = [redaction.FIRST(a, b, ratio, De), redaction.FIRST_OF_HALF(a, b, ratio, Dh)]
PLACED = [ORDERED(a, b), NATURAL_LESS(p, n), *FIRSTS]
IN_HALF = [ORDERED(a, b), NATURAL_LESS(NATURAL_PLUS(p, p), n), *FIRSTS]
LETTERS = [ratio, a, b, n, p, De, Dh]
CHANCES, LOWER_BOUND = (
    "chances of the Markov quilt mechanism",
    "lower bound of the Markov quilt mechanism",
)
NOT_THERE = "of a record that is not there nothing is claimed"
BOTH_WAYS = "true and weaker: it is private whichever of the two windows it takes"
WIDER = "true and weaker: a wider window leaks less"
NEXT_TO = "true and weaker: the window hides the next record as well"
IN_CHANCES = {
    **{f"{x} for {y}": BOTH_WAYS for x in ("R", "a", "b") for y in ("R", "a", "b") if x != y},
    **dict.fromkeys(("De + 1 for De", "Dh for De", "Dh + 1 for Dh", "n + 1 for n"), WIDER),
    **dict.fromkeys(("n for De", "n for Dh", "p for Dh", "p + 1 for p"), WIDER),
}
PRIVATE = Proposition(
    "records.QuiltRedaction.quilt_private",
    "",
    LETTERS,
    PLACED,
    LEAKS(ratio, a, b, n, p, redaction.DIM(MQ)),
    short,
    survivors={
        "without: p < n": f"superfluous: {NOT_THERE}",
        "hypothesis 2, <= for < [less, of natural numbers]": f"superfluous: {NOT_THERE}",
        "conclusion, p for n [leakage of a record at most]": f"true and weaker: {NOT_THERE}",
        "conclusion, n for p [leakage of a record at most]": f"true and weaker: {NOT_THERE}",
        "conclusion, p + 1 for p [leakage of a record at most]": NEXT_TO,
        **{f"conclusion, {words} [{CHANCES}]": why for words, why in IN_CHANCES.items()},
    },
)
SAME = "superfluous: the bound and the mechanism have the same De"
NO_LEVEL = "true and weaker: no influence is below a level below 1, and the bound is 0"
LESS = "true and weaker: the bound is lower"
ZERO = "true and weaker: the bound is 0, or that of fewer records"
STILL = "true and weaker: the window has no more records than the bound says"
IN_BOUND = {
    **dict.fromkeys(("a for R", "b for R"), NO_LEVEL),
    **dict.fromkeys(("De + 1 for De", "n for De", "Dh for De", "Dh + 1 for Dh"), LESS),
    **dict.fromkeys(("n for Dh", "p for Dh", "p + 1 for p"), LESS),
    **dict.fromkeys(("p for n", "De for n", "n for p"), ZERO),
}
NO_CHAIN = {
    "a": F(2, 5),
    "b": F(6, 5),
    "n": 5,
    "p": 2,
    "ratio": F(169, 16),
    "De": 1,
    "Dh": 1,
}
"""A step above 1: influences do not fall."""
OTHER_HALF = {**NO_CHAIN, "a": F(1, 5), "b": F(1, 5), "ratio": F(4), "Dh": 2}
"""The least distance for half of the level is 3."""
NO_STEP = {**NO_CHAIN, "a": F(1, 5), "b": F(1, 4), "n": 12, "p": 4, "De": 3, "Dh": 4}
NO_STEP["ratio"] = F(6279770025, 4173676816)
LOWER = Proposition(
    "records.QuiltRedaction.quilt_at_least",
    "",
    LETTERS,
    IN_HALF,
    compared.LOWER(*AT) <= OF_MQ,
    long,
    edges=[NO_CHAIN, OTHER_HALF, NO_STEP],
    survivors={
        "without: p + p < n": "superfluous: beyond the middle the chain cuts off more",
        "hypothesis 2, <= for < [less, of natural numbers]": "superfluous: the same for n = 2 p",
        "without: De is the least D >= 1 with e^i1(D) <= R": SAME,
        "hypothesis 3, for some, not for all [least distance for a level]": SAME,
        **{f"conclusion, {words} [{LOWER_BOUND}]": why for words, why in IN_BOUND.items()},
        **{
            f"conclusion, {words} [{CHANCES}]": STILL
            for words in ("De for Dh", "n + 1 for n", "p for n", "De for n", "Dh for n")
        },
        "conclusion, n + 1 for n [share that a data-independent mechanism shows]": "true and "
        "weaker: the record that is added is shown",
    },
)
CLOSER = "true and weaker: a bound that is lower by at most a record is as close"
PRINTED = "bound of data-independent mechanisms, as printed"
NEAR = Proposition(
    "records.QuiltRedaction.quilt_near_bound",
    "",
    LETTERS,
    IN_HALF,
    compared.UP_TO_TWO(compared.UPPER(*AT), OF_MQ, n),
    long,
    survivors={
        "hypothesis 2, <= for < [less, of natural numbers]": "superfluous: the same for n = 2 p",
        **{
            f"conclusion, {words} [{PRINTED}]": CLOSER
            for words in ("De + 1 for De", "Dh + 1 for Dh", "p + 1 for p")
        },
        f"conclusion, n + 1 for n [{CHANCES}]": "true and weaker: at levels at which the windows "
        "differ they have as many records, up to what the bound says",
    },
)
