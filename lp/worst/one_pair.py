"""One pair of exclusive secrets under one prior: the worst joint leakage in closed form, for any
number of databases.

Let mu and nu be the laws of the two secrets, with disjoint supports, and K >= 2 releases within
budgets R_1, .., R_K. The largest ratio is infinite where supp nu has two databases, and R_1 .. R_K
/ (min mu)^(K - 1) where it has one; with both orders the latter means one database for each secret,
and the ratio is R_1 .. R_K, as in composition of differential privacy. Columns that reach it are
named.
"""

from collections.abc import Sequence
from fractions import Fraction
from math import prod

from pufferproof.lp.cones.columns import OrderedLaws, Vector, primitive

RESTS_ON = ("worst.dichotomy", "worst.dichotomy-overlap")


def is_one_pair(laws: Sequence[OrderedLaws]) -> bool:
    """Say whether T is one ordered pair of laws with disjoint supports, alone or with its
    reverse.
    """
    first, last = laws[0], laws[-1]
    known = len(laws) == 1 or (len(laws) == 2 and (last.mu, last.nu) == (first.nu, first.mu))
    return known and not any(m and n for m, n in zip(first.mu, first.nu))


def one_pair_worst(
    laws: Sequence[OrderedLaws], ratios: Sequence[Fraction]
) -> tuple[Fraction | None, OrderedLaws, tuple[Vector, ...]]:
    """Return the largest joint ratio (None: infinite), the laws and the columns, one per release,
    that reach it.

    If nu has two databases y, y' in its support, take x in supp mu and columns u on {x, y}, v on
    {x, y'} with <mu, u> = <nu, u> and <mu, v> = <nu, v>: both keep every budget, zero included, in
    both orders, and u o v lives on x alone. Every further release may have the constant column.

    If supp nu = {y}, then <nu, u> = u_y, and a column with u_y = 1 within R keeps <mu, u> <= R.
    With a_k(x) = mu_x (u_k)_x the ratio is sum_x prod_k a_k(x) / mu_x^(K - 1) <= (min mu)^(1 - K)
    prod_k sum_x a_k(x) <= R_1 .. R_K / (min mu)^(K - 1), reached when every a_k lives on a lightest
    x.

    >>> law = OrderedLaws((1, 0, 0), (0, 1, 1), 1, 2, ())
    >>> one_pair_worst([law], [Fraction(1), Fraction(1)])[::2]
    (None, ((1, 2, 0), (1, 0, 2)))

    Args:
        laws: what `is_one_pair` accepts.
        ratios: e^budget of every release, each at least 1.
    """
    splitting = [law for law in laws if sum(map(bool, law.nu)) > 1]
    if len(ratios) > 1 and splitting:
        law = splitting[0]
        x = next(x for x, m in enumerate(law.mu) if m)
        others = [y for y, n in enumerate(law.nu) if n][:2]
        columns = [_balanced(law, x, y, Fraction(1)) for y in others]
        return None, law, (*columns, *[(1,) * len(law.mu)] * (len(ratios) - 2))
    law = laws[0]
    x = min((x for x, m in enumerate(law.mu) if m), key=lambda x: law.mu[x])
    y = next(y for y, n in enumerate(law.nu) if n)
    lightest = Fraction(law.mu[x], law.mu_total)
    # R_1 .. R_K / (min mu)^(K - 1), as above
    ratio = prod(ratios, start=Fraction(1)) / lightest ** (len(ratios) - 1)
    return ratio, law, tuple(_balanced(law, x, y, each) for each in ratios)


def _balanced(law: OrderedLaws, x: int, y: int, ratio: Fraction) -> Vector:
    """Return the column on {x, y} with <mu, u> = ratio <nu, u>."""
    column = [Fraction(0)] * len(law.mu)
    column[x] = ratio * Fraction(law.nu[y], law.nu_total)
    column[y] = Fraction(law.mu[x], law.mu_total)
    return primitive(column)
