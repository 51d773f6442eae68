"""Closure of Pufferfish mechanisms: randomised post-processing, mixing mechanisms by a coin,
limits.

For one prior, pair and order, a mechanism enters only through its output laws a = P(. | s) and b =
P(. | s'), and these are linear in the channel. Sources: kifer2014pufferfish (section 5: the axioms
of transformation invariance and convexity).
"""

from sympy import Eq, Max

from pufferproof.claims.general import said
from pufferproof.claims.general.statements import sequences
from pufferproof.claims.language import (
    ALL_SIZES,
    Edit,
    Proof,
    at_least,
    between,
    letter,
    letters,
    proved,
)
from pufferproof.claims.registry import Check, claim

R = letter("R", "e to the level", at_least(1))
smaller = letter("smaller", "e to a smaller level", at_least(1))
a, b = letters("a b", "P(y | s) and P(y | s') of one mechanism", at_least(0))
A, B = letters("A B", "sums of terms with a and with b over the first outputs or mechanisms")
w = letter("w", "the weight of the next mechanism, given s", at_least(0))
v = letter("v", "the weight of the next mechanism, given s'")
largest, T = letters(
    "largest T", "the largest e^epsilon_i so far, and that of the next mechanism", at_least(1)
)
one, other = letters("one other", "entries of two channels at the next database")
sum_one, sum_other = letters("sum_one sum_other", "the sums of weight times these entries so far")
weight = letter("weight", "the weight of the next database", at_least(0))
total = letter("total", "the sum of the weights so far")
e = letter("e", "how far two channels, or two levels, may be apart")
c = letter("c", "P(y | s) of a channel near the limit")
d = letter("d", "P(y | s') of a channel near the limit", between(0, 1))
level = letter("level", "e to the level of this channel")
g = letter("g", "a - R b")


@claim(
    "general.post-processing",
    where="general laws",
    statement="If M is epsilon-Pufferfish for (S, Q, Theta) and K is a stochastic matrix from "
    "outputs to new outputs, then the mechanism that runs M and passes its output through K is "
    "epsilon-Pufferfish for (S, Q, Theta).",
    assumes=[
        "finitely many databases and outputs; K uses fresh randomness and does not see the database"
    ],
    says=said.POST_PROCESSING,
)
def post_processing(check: Check) -> None:
    """Coq pushes the sums over databases through K."""
    check.stated("randomised processing")


@claim(
    "general.mixture-of-mechanisms",
    where="general laws",
    statement="If M_1 .. M_n are epsilon-Pufferfish for (S, Q, Theta), then the mechanism that "
    "throws a coin independent of the database and runs the M_i it shows is epsilon-Pufferfish "
    "for (S, Q, Theta), whether or not it publishes the coin.",
    assumes=["the weights of the coin do not depend on the database"],
    says={
        "hidden coin": said.HIDDEN_COIN,
        "published coin": said.PUBLISHED_COIN,
        "levels that differ, hidden coin: the largest one holds": sequences.LARGEST_LEVEL,
    },
)
def mixture_of_mechanisms(check: Check) -> None:
    """Prove convexity, for a hidden and for a published coin, with the largest level if the
    levels differ.
    """
    check.stated("hidden coin")
    check.stated("published coin")
    proved(
        check,
        "levels that differ, hidden coin: the largest one holds",
        ALL_SIZES,
        _largest_level,
        the_last_level=Edit("one more mechanism: step", put={Max(largest, T): T}),
    )


def _largest_level(proof: Proof) -> None:
    proof.cite(
        "the law given a secret is the mixture of laws", "As for equal levels", "lemma.finite-sums"
    )
    proof.induction(
        "one more mechanism",
        "largest is the largest e^epsilon_i so far, T that of the next mechanism: A <= largest B "
        "and a <= T b",
        base=(w * a <= T * w * b, [a <= T * b]),
        step=(
            A + w * a <= Max(largest, T) * (B + w * b),
            [A <= largest * B, a <= T * b, A >= 0, B >= 0],
        ),
    )


@claim(
    "general.limits-of-mechanisms",
    where="general laws",
    statement="If channels M_1, M_2, ... on the same databases and outputs converge entrywise to M "
    "and each M_k is epsilon-Pufferfish for (S, Q, Theta), so is M; the same if M_k is "
    "epsilon_k-Pufferfish and epsilon_k tends to epsilon.",
    says={"one level": sequences.LIMIT, "levels that converge": sequences.LIMIT_OF_LEVELS},
)
def limits_of_mechanisms(check: Check) -> None:
    """Prove that the promise is a closed condition: near a violation there are only violations."""
    strict = Edit("violations are stable", put={e > 0: e >= 0}, without=a > R * b, given=a >= R * b)
    proved(check, "one level", ALL_SIZES, _one_level, a_strict_promise_kept_strictly=strict)
    proved(check, "levels that converge", ALL_SIZES, _levels_converge, a_strict_promise=strict)


def _one_level(proof: Proof) -> None:
    _averages_are_near(proof)
    _violations_are_stable(proof, [Eq(level, R)])


def _levels_converge(proof: Proof) -> None:
    _averages_are_near(proof)
    _violations_are_stable(proof, [R + e >= level, level + e >= R, level >= 1, b <= 1])


def _averages_are_near(proof: Proof) -> None:
    proof.induction(
        "output laws are no further apart than channels",
        "P(y | s) averages entries of column y. If all entries of two channels differ by at most "
        "e, then their sums of weight times entry over the first databases, of a total weight, "
        "differ by at most e times it",
        base=(
            (sum_one - sum_other <= e * total) & (sum_other - sum_one <= e * total),
            [Eq(sum_one, 0), Eq(sum_other, 0), Eq(total, 0), e >= 0],
        ),
        step=(
            (sum_one + weight * one - sum_other - weight * other <= e * (total + weight))
            & (sum_other + weight * other - sum_one - weight * one <= e * (total + weight)),
            [
                sum_one - sum_other <= e * total,
                sum_other - sum_one <= e * total,
                one - other <= e,
                other - one <= e,
                total >= 0,
                e >= 0,
            ],
        ),
    )


def _violations_are_stable(proof: Proof, near: list[object]) -> None:
    """Prove that violations are stable, for channels whose level is near as given."""
    proof.inequality(
        "violations are stable",
        "If the limit has a = P(y|s) > R b, b = P(y|s') then every channel with entries, and a "
        "level, within e of the limit violates its own level, where e = (a - R b)/(2 (R + 3)) > 0; "
        "but the M_k come that near",
        (c > level * d) & (e > 0),
        [
            a > R * b,
            Eq(g, a - R * b),
            Eq(2 * e * (R + 3), g),
            a <= 1,
            a - c <= e,
            c - a <= e,
            b - d <= e,
            d - b <= e,
            *near,
        ],
        for_any=[a],
    )
