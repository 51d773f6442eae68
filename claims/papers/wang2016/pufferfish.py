"""Pufferfish privacy, its Bayes form, and differential privacy as a special case.

Source: wang2016, section 2.3.
"""

from fractions import Fraction
from itertools import product

from pufferproof.claims.general import said as laws
from pufferproof.claims.general.priors.said import PRODUCT_IS_DP
from pufferproof.claims.language import PRINTED
from pufferproof.claims.papers.wang2016.statements import BRINGS_DP
from pufferproof.claims.registry import Check, claim

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
    says={PRINTED: laws.ODDS_IN_BOTH_ORDERS},
)
def eq3(check: Check) -> None:
    """Coq has both bounds, for secrets that may overlap."""


@claim(
    "wang2016.dp-special-case",
    where="section 2.3, end; introduction",
    statement="Differential privacy is the special case S = {person i has value x}, Q = S x S, "
    "Theta = all distributions with independent individuals.",
    kind="remark",
    repair="general.product-priors",
    says={
        "Q = S x S: Pufferfish brings DP": BRINGS_DP,
        "pairs of values of one person": PRODUCT_IS_DP,
    },
)
def dp_special_case(check: Check) -> None:
    """Pairs about two different people cost up to twice epsilon: refuted for Q = S x S, proved
    for pairs of one person.

    Q = S x S: Pufferfish brings DP. A prior that knows the others: The databases D and D' differ in
    the value of person i, x and x'. Give the others their values with probability 1 and person i
    either value with probability 1/2: people are independent. P(w | X_i = x) is a sum over the
    values of the others, the first of them those of D. The promise for this prior: (X_i = x, X_i =
    x') is one of the pairs of S x S, both secrets have probability 1/2, and P(w, X_i = x) = P(w |
    X_i = x)/2. Sets of outcomes: Definition 2.1 asks for sets; a set of one outcome is a set.

    Pairs of values of one person. Single outcomes: epsilon-Pufferfish iff epsilon-DP for each of
    them [general.product-priors]. Sets of outcomes: as above.
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
    name, _scope = (
        "Q = S x S: Pufferfish brings DP",
        "all finite numbers of people, values and outputs",
    )
    check.tried(name)
    check.stated("pairs of values of one person")


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


def _given(chance: str, one: int, zero: int) -> str:
    """Write the mean of two entries of P(u|x1 x2) by the chance of the first."""
    return f"{chance}*item(P_u_x1_x2, {one}) + (1 - {chance})*item(P_u_x1_x2, {zero})"
