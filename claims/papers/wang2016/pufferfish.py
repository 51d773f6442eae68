"""Pufferfish privacy, its Bayes form, and differential privacy as a special case.

Source: wang2016, section 2.3.
"""

from fractions import Fraction
from itertools import product

from sympy import Eq

from pufferproof.claims.general import said as laws
from pufferproof.claims.general.statements.classes import PRODUCT_PRIORS
from pufferproof.claims.language import (
    PRINTED,
    Proof,
    above,
    at_least,
    letter,
    letters,
    proved,
)
from pufferproof.claims.papers.wang2016.statements import (
    BRINGS_DP,
)
from pufferproof.claims.registry import Check, claim

a, b = letters("a b", "P(w, s_i), P(w, s_j)", above(0))
p, q = letters("p q", "P(s_i), P(s_j)", above(0))
r = letter("r", "the quotient of the likelihoods")
R = letter("R", "e^epsilon", at_least(1))
entry, entry_2 = letters("entry entry_2", "the entries for w of M at D and at D'")
given_x, given_x2 = letters("given_x given_x2", "P(w | X_i = x), P(w | X_i = x')")
with_x, with_x2 = letters("with_x with_x2", "P(w, X_i = x), P(w, X_i = x')")
others = letter("others", "the probability of the next values of the others")
returned = letter("returned", "the chance of w for these values")
set_1, set_2 = letters("set_1 set_2", "P(first outcomes of a set) under D and D'")
next_1, next_2 = letters("next_1 next_2", "P(the next outcome) under D and D'")
Prior = tuple[Fraction, ...]
"""P(X_i = 1) of independent bits."""
NOTATION = {
    "S": "the set of secrets",
    "Q": "the set of pairs of secrets, a subset of S x S",
    "D": "the database",
}


@claim(
    "wang2016.def-pufferfish",
    where="Definition 2.3, equation (2)",
    statement="M is epsilon-Pufferfish for (S, Q, Theta) iff e^-epsilon <= "
    "P(M(X)=w|s_i,theta)/P(M(X)=w|s_j,theta) <= e^epsilon for all theta, pairs with "
    "P(s_i|theta), P(s_j|theta) != 0, and all w.",
    kind="definition",
)
def def_pufferfish(check: Check) -> None:
    with check.reading(PRINTED) as proof:
        proof.definition(
            "inequality", "for probabilities of outputs, or densities where M adds continuous noise"
        )
        proof.definition(
            "0/0",
            "an output that is impossible under both secrets is left out; c/0 with c > 0 violates",
        )


@claim(
    "wang2016.eq3",
    where="equation (3)",
    statement="The definition is equivalent to e^-epsilon <= "
    "[P(s_i|M(X)=w,theta)/P(s_j|M(X)=w,theta)] / [P(s_i|theta)/P(s_j|theta)] <= e^epsilon for "
    "the same quantifiers.",
    kind="lemma",
    assumes=["outputs of positive probability or density: on others nothing can be conditioned"],
    says=laws.ODDS_IN_BOTH_ORDERS,
)
def eq3(check: Check) -> None:
    """Coq has both bounds, for secrets that may overlap."""
    check.stated(PRINTED)


@claim(
    "wang2016.dp-special-case",
    where="section 2.3, end; introduction",
    statement="Differential privacy is the special case S = {person i has value x}, Q = S x S, "
    "Theta = all distributions with independent individuals.",
    kind="remark",
    repair="general.product-priors",
    says={
        "Q = S x S: Pufferfish brings DP": BRINGS_DP,
        "pairs of values of one person": PRODUCT_PRIORS,
    },
)
def dp_special_case(check: Check) -> None:
    """Pairs about two different people cost up to twice epsilon: refuted for Q = S x S, proved
    for pairs of one person.
    """
    with check.reading(
        "Q = S x S", "independent bits of two people, both outputs of M, rational laws"
    ) as proof:
        proof.counterexample(
            "two people",
            "M returns u or v, with probabilities that change by at most a factor 2 when one of "
            "two bits does: it is log 2-DP. The claim is that it is then log 2-Pufferfish for all "
            "pairs of S x S. But under independent bits with P(X_1=1) = 1/10 and P(X_2=1) = 9/10 "
            "the pair (X_1=1, X_2=0), about two people, has P(u | X_1=1)/P(u | X_2=0) = 38/11: "
            "given X_1 = 1 both bits are likely to be 1, given X_2 = 0 both to be 0. Two people "
            "cost up to 2 log 2",
            {
                "P(u|x1 x2)": _rows(_ENTRIES),
                "P(X_i=1)": _PRIOR,
                "ratio": _across(_ENTRIES, _PRIOR),
                "e^epsilon": 2,
            },
            lambda: _private(_ENTRIES, 2) and _across(_ENTRIES, _PRIOR) > 2,
            f"{_given('item(P_X_i_1, 1)', 3, 2)} > e_epsilon*({_given('item(P_X_i_1, 0)', 2, 0)})",
        )
    name, scope = (
        "Q = S x S: Pufferfish brings DP",
        "all finite numbers of people, values and outputs",
    )
    proved(check, name, scope, _necessary, and_DP_at_a_smaller_level=_smaller_level)
    name = "pairs of values of one person"
    proved(check, name, scope, _one_person, pairs_of_two_people_as_well=_two_people)


def _necessary(proof: Proof) -> None:
    """By a prior that knows all others."""
    proof.induction(
        "a prior that knows the others",
        "The databases D and D' differ in the value of person i, x and x'. Give the others their "
        "values with probability 1 and person i either value with probability 1/2: people are "
        "independent. P(w | X_i = x) is a sum over the values of the others, the first of them "
        "those of D",
        base=(Eq(given_x, entry), [Eq(given_x, others * entry), Eq(others, 1)]),
        step=(
            Eq(given_x + others * returned, entry),
            [Eq(given_x, entry), Eq(others, 0)],
        ),
    )
    proof.inequality(
        "the promise for this prior",
        "(X_i = x, X_i = x') is one of the pairs of S x S, both secrets have probability 1/2, "
        "and P(w, X_i = x) = P(w | X_i = x)/2",
        entry <= R * entry_2,
        [
            Eq(given_x, entry),
            Eq(given_x2, entry_2),
            Eq(2 * with_x, given_x),
            Eq(2 * with_x2, given_x2),
            2 * with_x <= R * (2 * with_x2),
        ],
    )
    _sets_of_outcomes(proof)


def _one_person(proof: Proof) -> None:
    proof.cite(
        "single outcomes",
        "epsilon-Pufferfish iff epsilon-DP for each of them",
        "general.product-priors",
    )
    _sets_of_outcomes(proof)


def _two_people(proof: Proof) -> None:
    tenths = [Fraction(i, 10) for i in (1, 5, 9)]
    proof.exhaust(
        "two bits",
        "entries with ratios up to 2, priors with tenths, smallest first",
        [(_ENTRIES, prior) for prior in product(tenths, repeat=2)],
        _keeps_across,
    )


def _sets_of_outcomes(proof: Proof) -> None:
    proof.summed(
        "sets of outcomes",
        "Definition 2.1 asks for sets; a set of one outcome is a set",
        so_far=set_1 <= R * set_2,
        adding={set_1: next_1, set_2: next_2},
        given=[next_1 <= R * next_2],
    )


_ENTRIES: Prior = (Fraction(1, 16), Fraction(1, 8), Fraction(1, 8), Fraction(1, 4))
_PRIOR: Prior = (Fraction(1, 10), Fraction(9, 10))
_BITS = tuple(product((0, 1), repeat=2))


def _rows(entries: Prior) -> dict[str, Fraction]:
    return {f"{x}{y}": value for (x, y), value in zip(_BITS, entries)}


def _private(entries: Prior, ratio: Fraction | int) -> bool:
    """Whether both outputs change by at most `ratio` with one bit."""
    rows = dict(zip(_BITS, entries))
    near = [(x, y) for x, y in product(_BITS, repeat=2) if sum(i != j for i, j in zip(x, y)) == 1]
    return all(rows[x] <= ratio * rows[y] and 1 - rows[x] <= ratio * (1 - rows[y]) for x, y in near)


def _across(entries: Prior, prior: Prior) -> Fraction:
    """P(u | X_1 = 1) / P(u | X_2 = 0)."""
    rows, (first, second) = dict(zip(_BITS, entries)), prior
    above = (1 - second) * rows[1, 0] + second * rows[1, 1]
    return above / ((1 - first) * rows[0, 0] + first * rows[1, 0])


def _keeps_across(instance: tuple[Prior, Prior]) -> bool:
    return not _private(instance[0], 2) or _across(*instance) <= 2


def _smaller_level(proof: Proof) -> None:
    proof.exhaust(
        "two bits",
        "M of the counterexample keeps log 4 for all pairs of S x S; DP at log(19/10)?",
        [_ENTRIES],
        lambda entries: max(entries) > 4 * min(entries) or _private(entries, Fraction(19, 10)),
    )


def _given(chance: str, one: int, zero: int) -> str:
    """Write the mean of two entries of P(u|x1 x2) by the chance of the first."""
    return f"{chance}*item(P_u_x1_x2, {one}) + (1 - {chance})*item(P_u_x1_x2, {zero})"
