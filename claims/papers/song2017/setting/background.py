"""What the paper recalls of composition: differential privacy composes, Pufferfish need not.

R_k = e^eps_k; likelihoods of one output of each mechanism. Source: song2017, sections I and II-D.
"""

from functools import partial

import sympy
from sympy import And, Eq, Or

from pufferproof.claims.language import proved
from pufferproof.claims.registry import Check, claim
from pufferproof.verify.proof.argument import Argument

A, B, M, R, S, V, p, q, s, t, u, v, x, y = sympy.symbols("A B M R S V p q s t u v x y")
HALF = sympy.Rational(1, 2)


@claim(
    "song2017.bg-dp",
    where="II-D",
    statement="K mechanisms with eps_k-DP: parallel composition gives max_k eps_k, sequential "
    "composition sum_k eps_k.",
    kind="remark",
    assumes=["each mechanism uses coins of its own"],
)
def privacy(check: Check) -> None:
    """Prove both on product domains; data sets that are split by their values would be another
    matter.
    """
    proved(
        check,
        "parallel, on disjoint sets of records",
        "all product domains, neighbours differ in one record",
        _parallel,
        a_record_in_two_sets=partial(_parallel, shared=True),
        a_record_that_changes_its_set=partial(_parallel, shared=True),
    )
    proved(
        check,
        "sequential",
        "all domains and K",
        _sequential,
        common_coins=partial(_sequential, common=True),
    )


def _parallel(argument: Argument, shared: bool = False) -> None:
    """u, v likelihoods of a first output under neighbours, x, y those of the product of the
    others.
    """
    changes = (
        [u <= R * v, x <= S * y]
        if shared
        else [Or(And(u <= R * v, Eq(x, y)), And(Eq(u, v), x <= S * y))]
    )
    argument.inequality(
        "one factor changes",
        "the record belongs to one set; M >= R, S, the maximum so far of the others is S",
        u * x <= M * v * y,
        [*changes, M >= R, M >= S, R >= 1, S >= 1, u >= 0, v >= 0, x >= 0, y >= 0],
    )


def _sequential(argument: Argument, common: bool = False) -> None:
    """A, B joint likelihoods of the first outputs, M the product of their R_k; u, v belong to
    the next, p, q to both.
    """
    joint = [p <= u, q <= v] if common else [Eq(p, A * u), Eq(q, B * v)]
    argument.induction(
        "one more mechanism",
        "independent coins multiply: p = A u and q = B v",
        base=(A <= M * B, [Eq(A, 1), Eq(B, 1), Eq(M, 1)]),
        step=(
            p <= M * R * q,
            [
                A <= M * B,
                u <= R * v,
                *joint,
                *[each >= 0 for each in (A, B, u, v, p, q)],
                M >= 1,
                R >= 1,
            ],
        ),
    )


@claim(
    "song2017.x-bg-dp-split",
    where="II-D, asked beyond it",
    statement="K >= 2 data sets, to which records are dealt out by their values; neighbours "
    "replace one record. If each M_k has the level eps_k >= 0 for a record that enters its "
    "data set, leaves it or is replaced in it, and coins of its own, then all outputs together "
    "have the sum of the two largest levels, not the maximum: that sum is attained for any "
    "levels.",
    kind="lemma",
)
def split(check: Check) -> None:
    """Prove it: a record that is replaced may leave one data set and enter another."""
    proved(
        check,
        "the bound",
        "all domains, K >= 2 and splits by value",
        _split,
        one_level_only=partial(_split, largest=True),
        a_record_replaced_at_the_price_of_two=partial(_split, twice=True),
    )
    proved(
        check,
        "attained",
        "one record, two data sets, flags for an empty one; R, S >= 1",
        _flags,
        more_than_the_sum=partial(_flags, more=True),
    )


def _split(argument: Argument, largest: bool = False, twice: bool = False) -> None:
    """u, v and x, y: likelihoods of the outputs of two data sets with the levels R, S; p is
    common to the others.
    """
    two = And(u <= R * v, x <= S * y)
    one = And(u <= (R * R if twice else R) * v, Eq(x, y))
    argument.inequality(
        "one or two factors change",
        "the record leaves one set and enters the other one, or is replaced in one; A >= B are the "
        "two largest of K >= 2 levels",
        p * u * x <= (A if largest else A * B) * p * v * y,
        [
            Or(two, one),
            Or(And(A >= R, B >= S), And(A >= S, B >= R)),
            A >= B,
            B >= 1,
            R >= 1,
            S >= 1,
            *[each >= 0 for each in (p, u, v, x, y)],
        ],
    )


def _flags(argument: Argument, more: bool = False) -> None:
    """The flag of either data set goes up with chance R/(R+1), or S/(S+1), if the record is in
    it, else 1/(R+1), 1/(S+1).
    """
    argument.inequality(
        "levels",
        "both outcomes of one flag: u, v its chances to be up",
        And(u <= R * v, 1 - v <= R * (1 - u)),
        [Eq(u * (R + 1), R), Eq(v * (R + 1), 1), R >= 1],
    )
    argument.inequality(
        "first up, second down",
        "u (1 - y) with the record in the first, v (1 - x) with it in the second",
        Eq(u * (1 - y), R * S * v * (1 - x)) if not more else u * (1 - y) > R * S * v * (1 - x),
        [
            Eq(u * (R + 1), R),
            Eq(v * (R + 1), 1),
            Eq(x * (S + 1), S),
            Eq(y * (S + 1), 1),
            R >= 1,
            S >= 1,
        ],
    )


@claim(
    "song2017.bg-nonlinear",
    where="Introduction, II-D",
    statement="Pufferfish does not always compose linearly.",
    kind="remark",
)
def nonlinear(check: Check) -> None:
    """Prove it by a one-time pad, and for Markov chains by theorem III.4."""
    proved(
        check,
        "some framework",
        "two independent bits s and r, r fair; M_1 shows r, M_2 shows s xor r; 0 + 0 and infinite",
        _pad,
        an_independent_third_bit=partial(_pad, fresh=True),
    )
    proved(
        check,
        "a Markov chain, every node secret",
        "the two-release counterexample",
        _chain,
        one_release=partial(_chain, single=True),
    )


def _pad(argument: Argument, fresh: bool = False) -> None:
    argument.inequality(
        "each alone",
        "u, v = P(r=0|s=0), P(r=0|s=1); x, y = P(s xor r=0|s)",
        And(Eq(u, v), Eq(x, y)),
        [Eq(u, HALF), Eq(v, HALF), Eq(x, u), Eq(y, 1 - v)],
    )
    argument.inequality(
        "both",
        "P(0,0|s=0) = P(r=0) and P(0,0|s=1) = P(r=0, r=1) = 0: no level R bounds the ratio",
        p > R * q,
        [Eq(p, HALF * (HALF if fresh else 1)), Eq(q, HALF * HALF if fresh else 0), R >= 1],
    )


def _chain(argument: Argument, single: bool = False) -> None:
    argument.cite(
        "witness",
        "M_A and M_B keep eps, and one ratio M of both is above S^2, S = e^eps",
        "song2017.thm-III4",
    )
    argument.inequality(
        "more than the sum",
        "of the levels log R and log V that M_A and M_B keep, R = V = S",
        M > R * V,
        [Eq(R, S), Eq(V, S), S >= 1, M <= S if single else M > S**2],
    )
