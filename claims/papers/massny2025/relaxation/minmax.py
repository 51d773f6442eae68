"""The two steps from the exact conditions to the relaxed bound, each inequality by itself.

m is the product of q_i over M_t, A runs through its subsets. P, Q, G, H as in the exact conditions.
Source: massny2025, appendix A.
"""

from collections.abc import Iterator
from fractions import Fraction

import sympy
from sympy import And, Eq, Or

from pufferproof.claims.papers.massny2025.family.instances import (
    Values,
    condition,
    events,
    medium,
    small_fractions,
)
from pufferproof.claims.papers.massny2025.influence.instances import Chain, pointwise
from pufferproof.claims.papers.massny2025.relaxation.statement import (
    ALL,
    D,
    G,
    H,
    P,
    Q,
    lam_of_sign,
    m,
    with_medium,
)
from pufferproof.claims.registry import Check, claim
from pufferproof.verify.proof.argument import Argument

W, A, w, v, q, u = sympy.symbols("W A w v q u")
SECOND_5, SECOND_6 = "(5): the second inequality", "(6): the second inequality"
WHOLE_5, WHOLE_6 = (
    "(5): the first term is at most the last",
    "(6): the first term is at most the last",
)
SIGNS = {"lam > 0": 1, "lam < 0": -1}
Instance = tuple[Chain, Fraction, str, tuple[tuple[int, Fraction], ...]]
"""Chain, e^eps, regions with p = 1, and (t, q_t) for t in M."""


def instances(sign: int, largest: int, medium_count: int = 1) -> Iterator[Instance]:
    """One q for all of M, at breakpoints of the regions: n, denominators of chain and q from
    the smallest on.
    """
    for count in (medium_count + 1, medium_count + 2):
        for of in lam_of_sign(sign, largest):
            for budget, split in with_medium(of, count):
                for value in small_fractions(largest):
                    yield of, budget, split, tuple((t, value) for t in medium(split))


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


def between(argument: Argument) -> None:
    """m <= G <= 1, and the extreme products of q over subsets."""
    argument.induction(
        "products of q over subsets of M_t",
        "m is the product over M_t, v that over a subset A: 0 < m <= v <= 1. So the least is m and "
        "the largest, of the empty set, 1",
        base=(And(m > 0, m <= v, v <= 1), [Eq(m, 1), Eq(v, 1)]),
        step=(
            And(m * q > 0, m * q <= v * u, v * u <= 1),
            [m > 0, m <= v, v <= 1, q > 0, q <= 1, Or(Eq(u, q), Eq(u, 1))],
        ),
    )
    argument.induction(
        "G is a mean of them",
        "A is the part of G over the first subsets, W the sum of their probabilities w, 1 over "
        "all: m <= G <= 1, H alike",
        base=(And(m * W <= A, A <= W), [Eq(A, w * v), Eq(W, w), w >= 0, m <= v, v <= 1, m > 0]),
        step=(
            And(m * (W + w) <= A + w * v, A + w * v <= W + w),
            [m * W <= A, A <= W, w >= 0, m <= v, v <= 1, m > 0],
        ),
    )


@claim(
    "massny2025.minmax",
    where="Appendix A",
    statement="LHS of (5) <= i(X_p~>X_{t+}=z) + log(min_A prod_A q / max_A prod_A q) <= max_z "
    "i(X_p~>X_{t+}=z) - sum_{M_t} log q; LHS of (6) <= log(min_A prod_A q / max_A prod_A q) <= "
    "-sum_M log q; A ranges over subsets of M_t (resp. M).",
    kind="lemma",
    repair="massny2025.minmax-repaired",
)
def minmax(check: Check) -> None:
    """Refute both first inequalities, prove the second ones and what they were to show."""
    for number in (5, 6):
        for name, sign in SIGNS.items():
            with check.reading(
                f"({number}): the first inequality, {name}", "one counterexample"
            ) as argument:
                _swapped(argument, number, sign)
    with check.reading(SECOND_5, ALL) as argument:
        _second(argument)
    check.near_miss(
        f"{SECOND_5}: with the quotient squared in place of i",
        lambda argument: _second(argument, False),
    )
    with check.reading(SECOND_6, ALL) as argument:
        _second_six(argument)
    check.near_miss(f"{SECOND_6}: strictly", lambda argument: _second_six(argument, strict=True))
    _whole(check)


def _swapped(argument: Argument, number: int, sign: int) -> None:
    def worst(
        instance: Instance,
    ) -> tuple[int, tuple[int, int] | None, int, Fraction, Fraction] | None:
        of, _, split, values = instance
        chosen = dict(values)
        for t, shown in events(1, split, chosen):
            least = _product(chosen, t)
            for x in (0, 1):
                left = condition(of, 1, split, chosen, t, shown, x)
                bound = least * (1 if shown is None else pointwise(of, shown[0] - 1, shown[1]))
                if (shown is None) == (number == 6) and left > bound:
                    return t, shown, x, left, bound
        return None

    found = argument.exhaust(
        "smallest failure",
        "p = 1, breakpoints of the regions as budgets, one q for all of M",
        instances(sign, 5),
        lambda instance: worst(instance) is None,
    )
    if found is None:
        return
    failure = worst(found)
    if failure is not None:
        t, shown, x, left, bound = failure
        event = {"t": t, "x": x} | ({} if shown is None else {"t+": shown[0], "z": shown[1]})
        argument.counterexample(
            "the quotient is upside down",
            "p = 1. Claimed: the left side is at most log(min/max) of the products of q over "
            "subsets, plus i for (5). G(x) and G(1-x) are means of these products, so that their "
            "ratio is at most max/min, which is at least 1; min/max is at most 1, and the left "
            "side exceeds it here",
            {**evidence(found), **event, "exp(LHS)": left, "exp of the bound": bound},
            lambda: worst(found) == failure,
        )


def _product(values: Values, t: int) -> Fraction:
    """Return the least product over subsets of M_t for p = 1: over all of M_t."""
    least = Fraction(1)
    for record, value in values.items():
        least *= value if record <= t else 1
    return least


def _second(argument: Argument, right: bool = True) -> None:
    between(argument)
    argument.inequality(
        "the logarithms",
        "v = e^i(X_{t+}=z) is at most the largest, D; min/max = m",
        v * m * m <= D,
        [v <= D, v >= 1, m > 0, m <= 1] if right else [v >= 1, m > 0, m <= 1, D >= 1],
    )


def _second_six(argument: Argument, strict: bool = False) -> None:
    between(argument)
    argument.inequality(
        "the logarithms", "m <= 1/m", m * m < 1 if strict else m * m <= 1, [m > 0, m <= 1]
    )


def _whole(check: Check) -> None:
    with check.reading(WHOLE_5, ALL) as argument:
        between(argument)
        _five(argument)
    check.near_miss(
        f"{WHOLE_5}: the first logarithm alone", lambda argument: _five(argument, alone=True)
    )
    with check.reading(WHOLE_6, ALL) as argument:
        between(argument)
        _six(argument)
    check.near_miss(f"{WHOLE_6}: at most 0", lambda argument: _six(argument, zero=True))


def _five(argument: Argument, alone: bool = False) -> None:
    argument.inequality(
        "the last term",
        "P <= D Q for D = max_z e^i(X_{t+}=z), so P G/(Q H) <= D/m",
        (1 if alone else m) * P * G <= D * Q * H,
        [P <= D * Q, P > 0, Q > 0, G > 0, G <= 1, H >= m, H <= 1, G >= m, m > 0],
    )


def _six(argument: Argument, zero: bool = False) -> None:
    argument.inequality(
        "the last term",
        "G/H <= 1/m",
        (1 if zero else m) * G <= H,
        [G <= 1, G >= m, H >= m, H <= 1, m > 0],
    )


@claim(
    "massny2025.minmax-repaired",
    where="Appendix A, repaired",
    statement="For t in M, x in {0,1} and z as in (5) and (6), m the product of q_i over M_t, G(x) "
    "the sum over subsets A of M_t of prod_{i in A} q_i Pr(X_i=0 for i in A, X_i=1 for the "
    "other i in M_t|X_p=x,X_{t+}=z). (5): log[Pr(X_{t+}=z|X_p=x)/Pr(X_{t+}=z|X_p=1-x)] + "
    "log[G(x)/G(1-x)] <= i(X_p~>X_{t+}=z) + log(max_A prod_A q / min_A prod_A q) = "
    "i(X_p~>X_{t+}=z) - log m <= max_z i(X_p~>X_{t+}=z) - log m. (6), t the last record, G(x) "
    "without the condition on X_{t+}: log[G(x)/G(1-x)] <= log(max_A prod_A q / min_A prod_A q) "
    "= -log m.",
    kind="repair of massny2025.minmax",
)
def minmax_repaired(check: Check) -> None:
    """Prove both chains with the quotient turned over."""
    _whole(check)
