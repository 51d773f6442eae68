"""Composition of any two mechanisms with a max-divergence of the joint law from the product: theorem III.6 and its steps.

For an output pair, j and k are joint probabilities given s_i and s_j, a, b those of the first, d, g those of the second output.
R, S, T are e^eps_A, e^eps_B and e^E. Source: song2017, theorem III.6 and appendix A-B.
"""

from fractions import Fraction
from functools import partial

import sympy
from sympy import And, Eq, Equivalent

from pufferproof.claims.bai2026.readings import decide
from pufferproof.claims.registry import Check, claim
from pufferproof.verify.proof import Argument

R, S, T, U, j, k, a, b, d, g, n, m = sympy.symbols("R S T U j k a b d g n m")
ALL = "any mechanisms, secrets and priors; outputs of positive probability, the others are left out"
POSITIVE = [each > 0 for each in (j, k, a, b, d, g)]
LEVELS = [R >= 1, S >= 1, T >= 1]
CLOSE = [j <= T * a * d, a * d <= T * j, k <= T * b * g, b * g <= T * k]


@claim(
    "song2017.thm-III6",
    where="Theorem III.6",
    statement="M_A, M_B eps_A- and eps_B-Pufferfish, D_inf between joint and product law given s_i at most E both ways: the "
    "pair is (eps_A+eps_B+2E)-Pufferfish.",
)
def theorem(check: Check) -> None:
    """Prove it for one pair of outputs; one E instead of two would not do."""
    decide(check, "as printed", ALL, _theorem, E_once=partial(_theorem, power=1))


def _theorem(argument: Argument, power: int = 2) -> None:
    argument.inequality("both outputs", "a <= R b, d <= S g; joint and product are within T for either secret",
                        j <= R * S * T**power * k, [a <= R * b, d <= S * g, *CLOSE, *POSITIVE, *LEVELS])  # fmt: skip
    argument.inequality("an output pair that one secret excludes", "supports are the same: j = 0 iff a d = 0, and a, d vanish "
                                                                   "with "
                        "b, g", Eq(j, 0), [Eq(k, 0), j >= 0, a >= 0, b >= 0, d >= 0, g >= 0, j <= T * a * d, b * g <= T * k,
                                           a <= R * b, d <= S * g, *LEVELS])  # fmt: skip


@claim(
    "song2017.III6-steps",
    where="Appendix A-B",
    statement="The hypothesis is e^-E <= P(M_B=w2|M_A=w1,s_i)/P(M_B=w2|s_i) <= e^E; the log of the joint ratio is <= log(first "
    "ratio) + log(second ratio) (e^E/e^-E) <= eps_A+eps_B+2E.",
    kind="proof step",
)
def steps(check: Check) -> None:
    """With the factor inside the logarithm the steps are right, outside they are wrong."""
    decide(check, "last factor inside the log", ALL, _steps, half_of_it=partial(_steps, power=1))
    with check.reading("last factor outside the log", "one counterexample") as argument:
        one, two = Fraction(1), Fraction(2)
        law_i, law_j = joint_law(two), joint_law(1 / two)
        argument.counterexample(
            "outputs that say nothing alone",
            "Two uniform bits, equal with chance 2/3 given s_i and 1/3 given s_j. Both ratios of single outputs are 1: their "
            "logarithms are 0 and a factor outside changes nothing. The joint ratio is 2, its logarithm is above 0",
            {"law given s_i": law_i, "law given s_j": law_j, "joint ratio at 00": law_i["00"] / law_j["00"],
             "single ratios": [one, one]},
            lambda: law_i["00"] == two * law_j["00"] and single(law_i) == single(law_j) == [Fraction(1, 2)] * 4,
        )  # fmt: skip


def joint_law(odds: Fraction) -> dict[str, Fraction]:
    """Two uniform bits with these odds of being equal."""
    equal = odds / (1 + odds) / 2
    return {"00": equal, "01": Fraction(1, 2) - equal, "10": Fraction(1, 2) - equal, "11": equal}


def single(law: dict[str, Fraction]) -> list[Fraction]:
    """P(first = 0), P(first = 1), P(second = 0), P(second = 1)."""
    return [sum((p for y, p in law.items() if y[place] == bit), Fraction(0)) for place in (0, 1) for bit in "01"]


def _steps(argument: Argument, power: int = 2) -> None:
    """n and m are the chances of w2 given w1 and the secret: j = a n, k = b m."""
    argument.inequality("the hypothesis rewritten", "dividing by P(M_A=w1|s_i) = a > 0",
                        Equivalent(And(j <= T * a * d, a * d <= T * j), And(n <= T * d, d <= T * n)),
                        [Eq(j, a * n), *POSITIVE, n > 0, T >= 1])  # fmt: skip
    conditionals = [Eq(j, a * n), Eq(k, b * m), n <= T * d, g <= T * m, n > 0, m > 0]
    argument.inequality("first inequality", "j/k <= (a/b) (d/g) T^2, cross-multiplied", j * b * g <= a * d * T**power * k,
                        [*conditionals, *POSITIVE, *LEVELS])  # fmt: skip
    argument.inequality("second inequality", "U = j/k", U <= R * S * T**2,
                        [U * b * g <= a * d * T**2, a <= R * b, d <= S * g, *POSITIVE, *LEVELS])  # fmt: skip


@claim(
    "song2017.III6-remark",
    where="After Theorem III.6",
    statement="The more independent the two releases, the smaller the divergence and the stronger the guarantee.",
    kind="remark",
)
def remark(check: Check) -> None:
    """Prove that the guarantee falls with E, and that E = 0 means independence given every secret."""
    decide(check, "the guarantee as a function of E", ALL, _monotone, falling=partial(_monotone, wrong=True))
    decide(check, "E = 0 iff the releases are independent given the secret", ALL, _independent,
           one_direction_of_the_divergence=partial(_independent, one=True))  # fmt: skip


def _monotone(argument: Argument, wrong: bool = False) -> None:
    first, second = (U, T) if wrong else (T, U)
    argument.inequality("monotone", "R S T^2", R * S * first**2 <= R * S * second**2, [T <= U, *LEVELS])


def _independent(argument: Argument, one: bool = False) -> None:
    bounds = [j <= T * a * d, *([] if one else [a * d <= T * j])]
    argument.inequality(
        "E = 0 gives a product", "T = 1, each output pair", Eq(j, a * d), [Eq(T, 1), *bounds, *POSITIVE]
    )
    argument.inequality("a product gives E = 0", "j = a d", And(j <= a * d, a * d <= j), [Eq(j, a * d), *POSITIVE])
