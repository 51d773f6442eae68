"""Values of matrix games, and linear programs over logarithms of likelihoods: Values.v, Programs.v.

At an instance of a program likelihoods are powers of 2, or 0, and so is e to the level.
"""

from collections.abc import Iterator, Sequence

from pufferproof.claims.language.instances.rays import rays
from pufferproof.claims.language.statements.rationals import Fraction
from pufferproof.claims.vocabulary.entries.composition.weights import Gaps, exponent, gaps, separated, weighed
from pufferproof.claims.vocabulary.entries.foundations.promise import CHANNEL, SET, Rows, Secret
from pufferproof.claims.vocabulary.terms import Log, entry


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
    takes=("'W -> 'Y -> R", "R", "R"),
    words="the game [0] has a value from [1] to [2]",
    tex=r"[1] \le \mathrm{val}([0]) \le [2]",
    coq="Values.value_between [0] [1] [2]",
    value=_between,
    relation="truth",
    meaning="That a game g has the value V means that some law beta on its columns has sum_y "
    "beta_y g_(w, y) <= V for every row w, and that for every V' < V some law alpha on its rows "
    "has sum_w alpha_w g_(w, y) > V' for every column y.",
)
PROGRAM = ("level", CHANNEL, SET, SET)
INFINITE = (
    "Here ln of a number that is not positive is minus infinity; times 0 it is 0. The largest of "
    "no numbers is minus infinity, and the least is infinity."
)


def each_gap(eps: Log, M: Rows, s: Secret, t: Secret) -> Iterator[Gaps]:
    """Yield the gaps of every database in s below those in t."""
    yield from (gaps(exponent(eps.of), [M], x, sorted(t)) for x in sorted(s))


def _unless_above(eps: Log, M: Rows, s: Secret, t: Secret) -> Iterator[bool]:
    for x, rows in zip(sorted(s), each_gap(eps, M, s, t)):
        yield max(M[x]) <= 0 or not separated(rows)


def _duals(eps: Log, M: Rows, s: Secret, t: Secret) -> Iterator[bool]:
    yield from map(weighed, each_gap(eps, M, s, t))


def _optima(eps: Log, M: Rows, s: Secret, t: Secret) -> Iterator[bool]:
    yield min(map(min, M)) > 0
    yield from _duals(eps, M, s, t)


MEANS_CLOSE = entry(
    "means close",
    takes=PROGRAM,
    words="for every law alpha on outputs, max_(x in [2]) sum_w alpha_w ln [1](x, w) <= [0] + "
    "max_(l in [3]) sum_w alpha_w ln [1](l, w)",
    tex=r"\forall \alpha:\ \max_{x \in [2]} \textstyle\sum_w \alpha_w \ln [1]_{x,w} \le [0] + "
    r"\max_{l \in [3]} \textstyle\sum_w \alpha_w \ln [1]_{l,w}",
    coq="Programs.means_close [0] [1] [2] [3]",
    value=_unless_above,
    relation="truth",
    meaning=INFINITE,
)
PROGRAMS_BELOW = entry(
    "programs below",
    takes=PROGRAM,
    words="for every x in [2], eps0 <= [0] whenever some law alpha on outputs, positive only at w with "
    "[1](x, w) > 0, has sum_w alpha_w ln([1](x, w)/[1](l, w)) >= eps0 for all l in [3]",
    tex=r"\forall x \in [2]:\ \sup \{\epsilon_0 : \exists \alpha\ \forall l \in [3]:\ \textstyle\sum_w "
    r"\alpha_w \ln([1]_{x,w}/[1]_{l,w}) \ge \epsilon_0\} \le [0]",
    coq="Programs.programs_below [0] [1] [2] [3]",
    value=_unless_above,
    relation="truth",
    meaning="Here ln(a/b) is infinity if a > 0 and b is not positive; times 0 it is 0.",
)
DUALS_BELOW = entry(
    "duals below",
    takes=PROGRAM,
    words="for every x in [2] there are a number y <= [0] and a law beta on D, positive only at l in "
    "[3], such that y + sum_l beta_l ln [1](l, w) >= ln [1](x, w) for every output w",
    tex=r"\forall x \in [2]\ \exists y \le [0], \beta\ \forall w:\ y + \textstyle\sum_{l \in [3]} "
    r"\beta_l \ln [1]_{l,w} \ge \ln [1]_{x,w}",
    coq="Programs.duals_below [0] [1] [2] [3]",
    value=_duals,
    relation="truth",
    meaning=INFINITE,
)
OPTIMA_BELOW = entry(
    "optima below",
    takes=PROGRAM,
    words="all entries of [1] are positive, and for every x in [2] there is a number V <= [0] that is "
    "both the largest eps0 for which some law alpha on outputs has "
    "sum_w alpha_w ln([1](x, w)/[1](l, w)) >= eps0 for all l in [3], and the least y for which "
    "some law beta on D, positive only at l in [3], has y + sum_l beta_l ln [1](l, w) >= "
    "ln [1](x, w) for every output w",
    tex=r"[1] > 0 \wedge \forall x \in [2]:\ \max \{\epsilon_0 : \exists \alpha\ \forall l \in [3]:\ "
    r"\textstyle\sum_w \alpha_w \ln([1]_{x,w}/[1]_{l,w}) \ge \epsilon_0\} = \min \{y : \exists "
    r"\beta\ \forall w:\ y + \textstyle\sum_{l \in [3]} \beta_l \ln [1]_{l,w} \ge "
    r"\ln [1]_{x,w}\} \le [0]",
    coq="Programs.optima_below [0] [1] [2] [3]",
    value=_optima,
    relation="truth",
)
SOME_DATABASE = entry(
    "some database",
    takes=(SET,),
    words="[0] is not empty",
    tex=r"[0] \ne \emptyset",
    coq="Programs.some_database [0]",
    value=lambda t: iter((bool(t),)),
    relation="truth",
)
