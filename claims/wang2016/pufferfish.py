"""Pufferfish privacy, its Bayes form, and differential privacy as a special case.

Letters: a = P(w, s), b = P(w, s'), p = P(s), q = P(s'), R = e^epsilon. Source: wang2016, section 2.3.
"""

from fractions import Fraction
from itertools import product

import sympy

from pufferproof.claims.registry import Check, claim
from pufferproof.claims.wang2016.readings import PRINTED
from pufferproof.verify.proof import Argument

Prior = tuple[Fraction, ...]
"""P(X_i = 1) of independent bits."""


@claim(
    "wang2016.def-pufferfish",
    where="Definition 2.3, equation (2)",
    statement="M is epsilon-Pufferfish for (S, Q, Theta) iff e^-epsilon <= P(M(X)=w|s_i,theta)/P(M(X)=w|s_j,theta) <= "
    "e^epsilon for all theta, pairs with P(s_i|theta), P(s_j|theta) != 0, and all w.",
    kind="definition",
)
def def_pufferfish(check: Check) -> None:
    with check.reading(PRINTED) as argument:
        argument.definition("inequality", "for probabilities of outputs, or densities where M adds continuous noise")
        argument.definition(
            "0/0", "an output that is impossible under both secrets is left out; c/0 with c > 0 violates"
        )


@claim(
    "wang2016.eq3",
    where="equation (3)",
    statement="The definition is equivalent to e^-epsilon <= [P(s_i|M(X)=w,theta)/P(s_j|M(X)=w,theta)] / "
    "[P(s_i|theta)/P(s_j|theta)] <= e^epsilon for the same quantifiers.",
    kind="lemma",
    assumes=["outputs of positive probability or density: on others nothing can be conditioned"],
)
def eq3(check: Check) -> None:
    """Bayes' rule, whether or not the secrets are disjoint."""
    with check.reading(PRINTED, "all frameworks; secrets may overlap; every w") as argument:
        _bayes(argument)
    check.near_miss(f"{PRINTED}: posterior odds alone", lambda argument: _bayes(argument, prior=False))


def _bayes(argument: Argument, prior: bool = True) -> None:
    a, b, p, q, m = sympy.symbols("a b p q m")
    odds = p / q if prior else sympy.Integer(1)
    argument.identity(
        "one and the same quotient", "m = P(M(X)=w) or its density, a and b its parts with s_i and with s_j: nothing is said "
        "of a + b, so the secrets may overlap",
        ((a / m) / (b / m)) / odds, (a / p) / (b / q),
    )  # fmt: skip
    argument.cite("outputs that exclude a secret", "in both forms they violate, or are left out", "general.bayes-form")


@claim(
    "wang2016.dp-special-case",
    where="section 2.3, end; introduction",
    statement="Differential privacy is the special case S = {person i has value x}, Q = S x S, Theta = all distributions with "
    "independent individuals.",
    kind="remark",
    repair="general.product-priors",
)
def dp_special_case(check: Check) -> None:
    """Pairs about two different people cost up to twice epsilon: refuted for Q = S x S, proved for pairs of one person."""
    with check.reading("Q = S x S", "independent bits of two people, both outputs of M, rational laws") as argument:
        argument.counterexample(
            "two people", "M keeps log 2 for changes of one bit. Under independent bits with P(X_1=1) = 1/10, P(X_2=1) = 9/10 "
            "it has P(u | X_1=1)/P(u | X_2=0) above 2",
            {"P(u|x1 x2)": _rows(_ENTRIES), "P(X_i=1)": _PRIOR, "ratio": _across(_ENTRIES, _PRIOR), "e^epsilon": 2},
            lambda: _private(_ENTRIES, 2) and _across(_ENTRIES, _PRIOR) > 2,
        )  # fmt: skip
    pufferfish = "Q = S x S: Pufferfish brings DP"
    with check.reading(pufferfish, "all finite sizes") as argument:
        argument.cite("fewer pairs", "pairs of values of one person are among S x S", "general.product-priors")
    check.near_miss(f"{pufferfish}: and DP at a smaller level", _smaller_level)
    one = "pairs of values of one person"
    with check.reading(one, "all finite sizes") as argument:
        argument.cite("equivalence", "epsilon-Pufferfish iff epsilon-DP", "general.product-priors")
    check.near_miss(f"{one}: pairs of two people as well", lambda argument: argument.exhaust(
        "two bits", "entries with ratios up to 2, priors with tenths, smallest first", _instances(), _keeps_across
    ))  # fmt: skip


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
        "two bits", "M of the counterexample keeps log 4 for all pairs of S x S; DP at log(19/10)?", [_ENTRIES],
        lambda entries: max(entries) > 4 * min(entries) or _private(entries, Fraction(19, 10)),
    )  # fmt: skip
