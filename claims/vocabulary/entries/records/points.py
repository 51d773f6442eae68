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
    (f"'K -> {CHANNEL}",),
    "'D -> list 'W -> R",
    "the joint release of all [0]_k",
    r"\textstyle\bigotimes_k {[0]}_k",
    "(Means.releases (List.map [0] Sums.all))",
    _at_once,
    precedence=0,
    meaning="A joint release has independent randomness and shows the outputs of all.",
)
LEVELS_OF_ALL = entry(
    "sum of the levels of all",
    ("'K -> level",),
    "level",
    "sum_k [0]_k",
    r"\textstyle\sum_k {[0]}_k",
    "(Σ k_, [0] k_)",
    lambda levels: Log(prod((each.of for each in levels), start=ONE)),
    precedence=0,
)
LEVEL_MINUS = entry(
    "difference of levels",
    ("level", "level"),
    "level",
    "[0] - [1]",
    "[0] - [1]",
    "[0] - [1]",
    lambda a, b: Log(a.of / b.of),
    precedence=50,
    infix="left",
)
