"""The two steps from the exact conditions to the relaxed bound, each inequality by itself.

Letters as in the exact conditions. Source: massny2025, appendix A.
"""

from collections.abc import Iterator
from fractions import Fraction
from functools import partial
from typing import NamedTuple

from pufferproof.claims.language import Proof, proved
from pufferproof.claims.papers.massny2025.influence.instances import Chain, pointwise
from pufferproof.claims.papers.massny2025.influence.three_regions import (
    Values,
    condition,
    events,
    medium,
    small_fractions,
)
from pufferproof.claims.papers.massny2025.relaxation import output_statements
from pufferproof.claims.papers.massny2025.relaxation.statement import lam_of_sign, with_medium
from pufferproof.claims.papers.massny2025.said import relaxed as said
from pufferproof.claims.registry import Check, claim

SECOND_5, SECOND_6 = "(5): the second inequality", "(6): the second inequality"
WHOLE_5, WHOLE_6 = (
    "(5): the first term is at most the last",
    "(6): the first term is at most the last",
)
SIGNS = {"lam > 0": 1, "lam < 0": -1}


class Instance(NamedTuple):
    """A chain, e^eps, the regions with p = 1, and (t, q_t) for t in M."""

    of: Chain
    budget: Fraction
    split: str
    values: tuple[tuple[int, Fraction], ...]


class Failure(NamedTuple):
    """Where a bound is exceeded: t, the record and value shown at t+, X_p = x, and both sides."""

    t: int
    shown: tuple[int, int] | None
    x: int
    left: Fraction
    bound: Fraction


def instances(sign: int, largest: int, medium_count: int = 1) -> Iterator[Instance]:
    """One q for all of M, at breakpoints of the regions: n, denominators of chain and q from
    the smallest on.
    """
    for count in (medium_count + 1, medium_count + 2):
        for of in lam_of_sign(sign, largest):
            for budget, split in with_medium(of, count):
                for value in small_fractions(largest):
                    yield Instance(of, budget, split, tuple((t, value) for t in medium(split)))


def evidence(instance: Instance) -> dict[str, object]:
    """Return the parameters of an instance by name."""
    of, budget, split, values = instance
    return {
        "a": of.a,
        "b": of.b,
        "lam": of.eigenvalue,
        "n": len(split),
        "p": 1,
        "e^eps_r": budget,
        "regions": split,
        **{f"q_{t}": value for t, value in values},
    }


@claim(
    "massny2025.minmax",
    where="Appendix A",
    statement="LHS of (5) <= i(X_p~>X_{t+}=z) + log(min_A prod_A q / max_A prod_A q) <= max_z "
    "i(X_p~>X_{t+}=z) - sum_{M_t} log q; LHS of (6) <= log(min_A prod_A q / max_A prod_A q) <= "
    "-sum_M log q; A ranges over subsets of M_t (resp. M).",
    kind="lemma",
    repair="massny2025.minmax-repaired",
    says={**output_statements.MINMAX, WHOLE_5: said.BOUND_OF_5, WHOLE_6: said.BOUND_OF_6},
)
def minmax(check: Check) -> None:
    """Refute both first inequalities, prove the second ones and what they were to show.

    (5): the second inequality. The products of q over subsets of M_t lie between that over all of
    M_t, m, and that of the empty set, 1; G and H are means of them: m <= G, H <= 1. e^i(X_{t+}=z)
    is at most the largest, D.

    (6): the second inequality. m <= 1/m.

    Both first terms are at most the last ones, as the repair says.
    """
    for number in (5, 6):
        for name, sign in SIGNS.items():
            refuted = partial(_swapped, number=number, sign=sign)
            proved(
                check, f"({number}): the first inequality, {name}", "one counterexample", refuted
            )
    check.tried(SECOND_5)
    check.tried(SECOND_6)
    _whole(check)


def _worst(instance: Instance, number: int) -> Failure | None:
    """Return where the first inequality of (5) or (6) fails."""
    of, _, split, values = instance
    probabilities = dict(values)
    for t, shown in events(1, split, probabilities):
        least = _product(probabilities, t)
        for x in (0, 1):
            left = condition(of, 1, split, probabilities, t, shown, x)
            bound = least * (1 if shown is None else pointwise(of, shown[0] - 1, shown[1]))
            if (shown is None) == (number == 6) and left > bound:
                return Failure(t, shown, x, left, bound)
    return None


# M = {2}: Y_2 = * is a value 1, or a value 0 with probability q_2; in (5) X_3 = 0 is shown as well.
_UPSIDE_DOWN = {
    5: "(a*b + q_2*(1 - a)^2)/((1 - b)*b + q_2*b*(1 - a)) = exp_LHS > "
    "q_2*ratio_of_column(power(bits(a, b), 2), 0)",
    6: "(a + q_2*(1 - a))/(1 - b + q_2*b) = exp_LHS > q_2",
}


def _swapped(proof: Proof, number: int, sign: int) -> None:
    found = proof.exhaust(
        "smallest failure",
        "p = 1, breakpoints of the regions as budgets, one q for all of M",
        instances(sign, 5),
        lambda instance: _worst(instance, number) is None,
    )
    if found is None or (failure := _worst(found, number)) is None:
        return
    t, shown, x, left, bound = failure
    event = {"t": t, "x": x} | ({} if shown is None else {"t+": shown[0], "z": shown[1]})
    proof.counterexample(
        "the quotient is upside down",
        "Take p = 1. The paper claims that the left side is at most log(min/max) of the products "
        "of q over subsets, plus i for (5). G(x) and G(1-x) are means of these products, so that "
        "their ratio is at most max/min, which is at least 1. But min/max is at most 1, and here "
        "the left side exceeds its logarithm",
        {**evidence(found), **event, "exp(LHS)": left, "exp of the bound": bound},
        lambda: _worst(found, number) == failure,
        _UPSIDE_DOWN[number],
    )


def _product(values: Values, t: int) -> Fraction:
    """Return the least product over subsets of M_t for p = 1: over all of M_t."""
    least = Fraction(1)
    for record, value in values.items():
        least *= value if record <= t else 1
    return least


def _whole(check: Check) -> None:
    check.stated(WHOLE_5)
    check.stated(WHOLE_6)


@claim(
    "massny2025.minmax-repaired",
    where="Appendix A, repaired",
    kind="repair of massny2025.minmax",
    says={WHOLE_5: said.BOUND_OF_5, WHOLE_6: said.BOUND_OF_6},
)
def minmax_repaired(check: Check) -> None:
    """Prove both chains with the quotient turned over.

    Means of products of q over subsets of M_t lie between that over all of M_t and 1.
    """
    _whole(check)
