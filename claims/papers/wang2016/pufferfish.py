"""Pufferfish privacy, its Bayes form, and differential privacy as a special case.

Letters: a = P(w, s), b = P(w, s'), p = P(s), q = P(s'), R = e^epsilon. Source: wang2016, section
2.3.
"""

from fractions import Fraction
from itertools import product

import sympy

from pufferproof.claims.language import PRINTED
from pufferproof.claims.registry import Check, claim
from pufferproof.verify.proof.argument import Argument

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
    with check.reading(PRINTED) as argument:
        argument.definition(
            "inequality", "for probabilities of outputs, or densities where M adds continuous noise"
        )
        argument.definition(
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
)
def eq3(check: Check) -> None:
    """Bayes' rule, whether or not the secrets are disjoint."""
    with check.reading(PRINTED, "all frameworks; secrets may overlap; every w") as argument:
        _bayes(argument)
    check.near_miss(
        f"{PRINTED}: posterior odds alone", lambda argument: _bayes(argument, prior=False)
    )


def _bayes(argument: Argument, prior: bool = True) -> None:
    a, b, p, q, r, R = sympy.symbols("a b p q r R")
    argument.identity(
        "Bayes' rule",
        "m = P(M(X)=w) or its density, a and b its parts with s_i and with s_j, p and q the "
        "probabilities of the secrets. The quotient of posterior odds a/m : b/m and prior odds p : "
        "q is that of the likelihoods a/p and b/q. Nothing is said of a + b, so the secrets may "
        "overlap",
        "((a/m)/(b/m))/(p/q)" if prior else "(a/m)/(b/m)",
        "(a/p)/(b/q)",
    )
    argument.inequality(
        "both bounds",
        "r is this quotient, R = e^epsilon: 1/R <= r <= R says of the likelihoods what Definition "
        "2.3 does, and the other way round",
        sympy.Equivalent(
            sympy.And(r <= R, R * r >= 1), sympy.And(a / p <= R * (b / q), b / q <= R * (a / p))
        ),
        [sympy.Eq(r * (b * p), a * q), a > 0, b > 0, p > 0, q > 0, R >= 1],
    )
    argument.cite(
        "outputs that exclude a secret",
        "if one of a and b is 0 the output violates both forms; if both are, it is left out "
        "of both",
        "general.bayes-form",
        met={
            "secrets of positive prior probability": "Definition 2.3 asks it of both secrets of a "
            "pair"
        },
    )


@claim(
    "wang2016.dp-special-case",
    where="section 2.3, end; introduction",
    statement="Differential privacy is the special case S = {person i has value x}, Q = S x S, "
    "Theta = all distributions with independent individuals.",
    kind="remark",
    repair="general.product-priors",
)
def dp_special_case(check: Check) -> None:
    """Pairs about two different people cost up to twice epsilon: refuted for Q = S x S, proved
    for pairs of one person.
    """
    with check.reading(
        "Q = S x S", "independent bits of two people, both outputs of M, rational laws"
    ) as argument:
        argument.counterexample(
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
        )
    pufferfish = "Q = S x S: Pufferfish brings DP"
    with check.reading(pufferfish, "all finite numbers of people, values and outputs") as argument:
        _necessary(argument)
        _sets_of_outcomes(argument)
    check.near_miss(f"{pufferfish}: and DP at a smaller level", _smaller_level)
    one = "pairs of values of one person"
    with check.reading(one, "all finite numbers of people, values and outputs") as argument:
        argument.cite(
            "single outcomes",
            "epsilon-Pufferfish iff epsilon-DP for each of them",
            "general.product-priors",
        )
        _sets_of_outcomes(argument)
    check.near_miss(
        f"{one}: pairs of two people as well",
        lambda argument: argument.exhaust(
            "two bits",
            "entries with ratios up to 2, priors with tenths, smallest first",
            _instances(),
            _keeps_across,
        ),
    )


def _necessary(argument: Argument) -> None:
    """A is P(w | X_i = x) and B is P(w | X_i = x'), for a prior that knows all others; a and b
    are entries of M.
    """
    A, B, a, b, k, m, v, R = sympy.symbols("A B a b k m v R")
    argument.induction(
        "a prior that knows the others",
        "The databases D and D' differ in the value of person i, x and x'. Give the others their "
        "values with probability 1 and person i either value with probability 1/2: people are "
        "independent. A sums v k over the values of the others, the first of them those of D, v "
        "their probability and k that M returns w; a is k at D",
        base=(sympy.Eq(A, a), [sympy.Eq(A, v * a), sympy.Eq(v, 1)]),
        step=(sympy.Eq(A + v * k, a), [sympy.Eq(A, a), sympy.Eq(v, 0)]),
    )
    argument.inequality(
        "the promise for this prior",
        "(X_i = x, X_i = x') is one of the pairs of S x S, both secrets have probability 1/2, "
        "and P(w | X_i = x) = A = m/(1/2), m = P(w, X_i = x) = A/2: a <= R b, R = e^epsilon",
        a <= R * b,
        [
            sympy.Eq(A, a),
            sympy.Eq(B, b),
            sympy.Eq(2 * m, A),
            sympy.Eq(2 * k, B),
            2 * m <= R * (2 * k),
            R >= 1,
        ],
    )


def _sets_of_outcomes(argument: Argument) -> None:
    A, B, a, b, R = sympy.symbols("A B a b R")
    argument.induction(
        "sets of outcomes",
        "Definition 2.1 asks for sets: A and B are the probabilities of the first outcomes of a "
        "set under D and D', a and b those of the next one; a set of one outcome is a set",
        base=(A <= R * B, [sympy.Eq(A, a), sympy.Eq(B, b), a <= R * b, R >= 1]),
        step=(A + a <= R * (B + b), [A <= R * B, a <= R * b, R >= 1]),
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


def _instances() -> list[tuple[Prior, Prior]]:
    tenths = [Fraction(i, 10) for i in (1, 5, 9)]
    return [(_ENTRIES, prior) for prior in product(tenths, repeat=2)]


def _keeps_across(instance: tuple[Prior, Prior]) -> bool:
    return not _private(instance[0], 2) or _across(*instance) <= 2


def _smaller_level(argument: Argument) -> None:
    argument.exhaust(
        "two bits",
        "M of the counterexample keeps log 4 for all pairs of S x S; DP at log(19/10)?",
        [_ENTRIES],
        lambda entries: max(entries) > 4 * min(entries) or _private(entries, Fraction(19, 10)),
    )
