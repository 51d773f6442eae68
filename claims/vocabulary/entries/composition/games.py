"""Values of matrix games: Values.v."""

from collections.abc import Iterator, Sequence

from pufferproof.claims.language.instances.rays import rays
from pufferproof.claims.language.statements.rationals import Fraction
from pufferproof.claims.vocabulary.entries.foundations.promise import Rows
from pufferproof.claims.vocabulary.terms import entry


def keeps(g: Sequence[Sequence[Fraction]], V: Fraction) -> bool:
    """Return whether some weights of columns keep every row at most V: whether the cone of the
    rows less V has a ray.
    """
    return bool(rays([[a - V for a in row] for row in g], len(g[0])))


def _between(g: Rows, A: Fraction, B: Fraction) -> Iterator[bool]:
    yield keeps(g, B)
    yield keeps([[-a for a in column] for column in zip(*g)], -A)


VALUE_BETWEEN = entry(
    "value between",
    ("'W -> 'Y -> R", "R", "R"),
    "Prop",
    "the game [0] has a value from [1] to [2]",
    r"[1] \le \mathrm{val}([0]) \le [2]",
    "Values.value_between [0] [1] [2]",
    _between,
    relation="truth",
    meaning="That a game g has the value V means that some law beta on its columns has sum_y "
    "beta_y g_(w, y) <= V for every row w, and that for every V' < V some law alpha on its rows "
    "has sum_w alpha_w g_(w, y) > V' for every column y.",
)
