"""Several releases at once, and what they spend together: Points.v."""

from collections.abc import Sequence
from itertools import product
from math import prod

from pufferproof.claims.language.statements.rationals import Fraction
from pufferproof.claims.vocabulary.entries.foundations.promise import CHANNEL, Rows
from pufferproof.claims.vocabulary.terms import Log, entry

ONE = Fraction(1)


def _at_once(Ms: Sequence[Rows]) -> list[list[Fraction]]:
    """Return the joint law: its outputs are all lists of outputs, one for each mechanism."""
    outputs = [*product(range(len(Ms[0][0])), repeat=len(Ms))]
    return [[prod((M[x][w] for M, w in zip(Ms, ws)), start=ONE) for ws in outputs] for x in range(len(Ms[0]))]


AT_ONCE = entry(
    "all at once",
    takes=(f"'K -> {CHANNEL}",),
    gives="'D -> list 'W -> R",
    words="the joint release of all [0]_k",
    tex=r"\textstyle\bigotimes_k {[0]}_k",
    coq="(Means.releases (List.map [0] Sums.all))",
    value=_at_once,
    precedence=0,
    meaning="A joint release has independent randomness and shows the outputs of all.",
)
LEVELS_OF_ALL = entry(
    "sum of the levels of all",
    takes=("'K -> level",),
    gives="level",
    words="sum_k [0]_k",
    tex=r"\textstyle\sum_k {[0]}_k",
    coq="(Σ k_, [0] k_)",
    value=lambda levels: Log(prod((each.of for each in levels), start=ONE)),
    precedence=0,
)
LEVEL_MINUS = entry(
    "difference of levels",
    takes=("level", "level"),
    gives="level",
    words="[0] - [1]",
    tex="[0] - [1]",
    coq="[0] - [1]",
    value=lambda a, b: Log(a.of / b.of),
    precedence=50,
    infix="left",
)
