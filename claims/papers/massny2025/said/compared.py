"""3R mechanisms against the Markov quilt mechanism and all data-independent ones, said once:
corollary 1.
"""

from pufferproof.claims.language.statements.rationals import Fraction
from pufferproof.claims.language.statements.statement import Instance
from pufferproof.claims.papers.massny2025.said.data_independent import BEYOND_0, LEAK, redactions
from pufferproof.claims.papers.massny2025.said.quilt_mechanism import (
    CHANCES,
    FIRSTS,
    LETTERS,
    OF_MQ,
    PLACED,
    long,
)
from pufferproof.claims.vocabulary.entries.foundations.logic import (
    NATURAL_LESS,
    NATURAL_PLUS,
    ONE,
)
from pufferproof.claims.vocabulary.entries.records import compared, redaction
from pufferproof.claims.vocabulary.entries.records.stationary import ORDERED, i1
from pufferproof.claims.vocabulary.probes.records.redaction import De, rho
from pufferproof.claims.vocabulary.probes.records.stationary import a, b, n, p, ratio
from pufferproof.claims.vocabulary.proposition import Proposition

F = Fraction
AT = (a, b, ratio, n, p)
ADDED = "true and weaker: the record that is added is shown"
EITHER_WINDOW = "true and weaker: whichever of the two windows it takes"
WIDER = "true and weaker: a wider window shows less"
NEXT_TO = "true and weaker: the window of the next record is no narrower"
IN_CHANCES = {
    **{f"{x} for {y}": EITHER_WINDOW for x in ("R", "a", "b") for y in ("a", "b") if x != y},
    **dict.fromkeys(("a for R", "b for R"), EITHER_WINDOW),
    **dict.fromkeys(("De + 1 for De", "n for De", "Dh for De", "Dh + 1 for Dh"), WIDER),
    **dict.fromkeys(("n for Dh", "p for Dh", "n + 1 for n"), WIDER),
    "p + 1 for p": NEXT_TO,
}
OF_QUILT = {f"conclusion, {words} [{CHANCES}]": why for words, why in IN_CHANCES.items()}
SLOW = {
    "a": F(1, 20),
    "b": F(1, 20),
    "n": 14,
    "p": 7,
    "De": 1,
    "Dh": 4,
    "ratio": i1(F(1, 20), F(1, 20), 4) ** 2,
}
"""Two records at the distance 4 tell no more than one at the distance 1."""
BETTER = Proposition(
    "records.QuiltRedaction.better_than_quilt",
    "",
    LETTERS,
    [ORDERED(a, b), NATURAL_LESS(NATURAL_PLUS(p, De), n), *FIRSTS],
    compared.SOME_3R(*AT, compared.ONE_MORE(OF_MQ, n)),
    long,
    survivors={
        **OF_QUILT,
        "conclusion, n + 1 for n [some 3R mechanism shows a share]": ADDED,
        "conclusion, n + 1 for n [share with one record more]": "true and weaker: 1/(n + 1) < 1/n",
    },
)
AS_GOOD = Proposition(
    "records.QuiltRedaction.as_good_as_quilt",
    "",
    LETTERS,
    [*PLACED, ONE() < ratio],
    compared.SOME_POSITIVE_3R(*AT, OF_MQ),
    long,
    edges=[SLOW, {**SLOW, "p": 14}],
    survivors={
        **OF_QUILT,
        "conclusion, n + 1 for n [some 3R mechanism with positive budgets shows a share]": ADDED,
    },
)
OF_DIM = redaction.DIM_SHARE(rho, n)
PRIVATE = [ORDERED(a, b), redaction.SHARES(rho), NATURAL_LESS(p, n), LEAK]
LETTERS_OF_DIM = [ratio, a, b, n, p, rho]


def _uneven(a: Fraction, b: Fraction) -> Instance:
    """Records at the distances 1 and 2 of X_2 are shown, at the level that they leak."""
    rho = [F(0), F(1), F(1), F(0)]
    ratio = redaction.EXACTLY.value(a, b, 6, 2, 1, 0)
    return {"a": a, "b": b, "n": 6, "p": 2, "rho": rho, "ratio": ratio}


TURNS = _uneven(F(1, 2), F(2, 3))
"""lam < 0, and 3R mechanisms pay the sum of the influences, which is more than the leakage."""
BEYOND = {**TURNS, "p": 6}
DIM_EDGES = [TURNS, _uneven(F(3, 10), F(71, 100)), BEYOND, BEYOND_0]
AS_GOOD_AS_DIM = Proposition(
    "records.DataIndependent.as_good_as_dim",
    "",
    LETTERS_OF_DIM,
    [*PRIVATE, a + b <= ONE()],
    compared.SOME_3R(*AT, OF_DIM),
    redactions,
    edges=[*DIM_EDGES, {**BEYOND, "a": F(1, 3), "b": F(1, 3)}],
)
NEARLY_AS_GOOD = Proposition(
    "records.DataIndependent.nearly_as_good_as_dim",
    "",
    LETTERS_OF_DIM,
    PRIVATE,
    compared.SOME_3R(*AT, compared.ONE_LESS(OF_DIM, n)),
    redactions,
    edges=DIM_EDGES,
    survivors={
        "conclusion, n + 1 for n [some 3R mechanism shows a share]": ADDED,
        "conclusion, p for n [share with one record less]": "true and weaker: p < n, and for p = 0 "
        "some 3R mechanism is as good",
    },
)
