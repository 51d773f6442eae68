"""Where the largest ratio of likelihoods is, and two bounds of it, for noise whose density decays
exponentially.

    N(w) = sum_v p_v t^|w-v|,  D(w) = sum_v q_v t^|w-v|,  0 < t < 1

A is the sum of p_v t^(-v) over the values v <= w, B that of p_v t^v over the others, C and D the
same with q_v; z = t^w, x = z^2.
"""

import sympy
from sympy import Abs, Eq, Rational

from pufferproof.claims.registry import Check, claim
from pufferproof.verify.proof.argument import Argument

A, B, C, D, m, p, q, T, t, x, z = sympy.symbols("A B C D m p q T t x z")
f, h, w, b, a, k = sympy.symbols("f h w b a k")
low, high = sympy.symbols("x0 x1")
ALL = "all laws of the query with finitely many values, all 0 < t < 1"
ONE, MANY, INTEGER = (
    "one coordinate",
    "several coordinates, also of several releases",
    "integer outputs",
)


@claim(
    "noise.attained",
    where="Noise on queries",
    statement="Laplace noise on a query with finitely many values: the largest ratio of "
    "likelihoods is attained where every coordinate of the output is a value that this "
    "coordinate of the query takes under s or s'. Independent releases are one vector; "
    "geometric noise on integers is no exception.",
    kind="theorem",
)
def attained(check: Check) -> None:
    """Prove it: between neighbouring values the ratio is (A x + B)/(C x + D), beyond them it is
    constant.
    """
    for name in (ONE, MANY, INTEGER):
        with check.reading(name, ALL) as argument:
            _form(argument, name)
            _at_an_end(argument)
    for name in (ONE, MANY, INTEGER):
        check.near_miss(f"{name}: at the smallest or largest value", _extremes_only)


def _form(argument: Argument, name: str) -> None:
    if name == MANY:
        argument.inequality(
            "coordinate after coordinate",
            "With the others fixed, p_v t_1^|w_1-v_1| t_2^|w_2-v_2| .. is t_1^|w_1-v_1| with the "
            "weight p_v t_2^|w_2-v_2| .. in the place of p_v; so each coordinate is moved in turn "
            "to one of its values without lowering the ratio: a <= b and b <= k give a <= k",
            a <= k,
            [a <= b, b <= k],
        )
    if name == INTEGER:
        argument.inequality(
            "the ends are outputs",
            "Values are integers, so the largest ratio m over real outputs is the ratio k at an "
            "integer output: no ratio a at an integer exceeds it",
            a <= k,
            [Eq(k, m), a <= m],
        )
    argument.identity(
        "one more value below",
        "A value v <= w adds p_v t^(w-v) = p T z to N, T = t^(-v): A grows by p T",
        A * z + B / z + p * T * z,
        (A + p * T) * z + B / z,
    )
    argument.identity(
        "one more value above",
        "A value v > w adds p_v t^(v-w) = p T / z to N, T = t^v: B grows by p T",
        A * z + B / z + p * T / z,
        A * z + (B + p * T) / z,
    )
    argument.identity(
        "the ratio",
        "N/D between two neighbouring values, where A to D do not change",
        (A * z + B / z) / (C * z + D / z),
        (A * z**2 + B) / (C * z**2 + D),
    )
    argument.identity(
        "above the values",
        "There B = D = 0, and the ratio does not depend on w",
        "(A*z)/(C*z)",
        "A/C",
    )
    argument.identity(
        "below the values",
        "There A = C = 0, and the ratio does not depend on w",
        "(B/z)/(D/z)",
        "B/D",
    )


def _at_an_end(argument: Argument) -> None:
    argument.inequality(
        "largest at an end",
        "a = A - m C and b = B - m D: N <= m D is a x + b <= 0, and holds in between if at both "
        "ends",
        a * x + b <= 0,
        [a * low + b <= 0, a * high + b <= 0, low <= x, x <= high],
    )


def _extremes_only(argument: Argument) -> None:
    argument.inequality(
        "the values 0, 1, 2",
        "F is 1 given s, and 0 or 2 with probability 1/2 each given s': the ratio is 2 t/(1 + "
        "t^2) at 0 and "
        "2, and 1/t at 1",
        1 <= m * t,
        [2 * t <= m * (1 + t**2), t > 0, t < 1],
    )


@claim(
    "noise.discrete",
    where="Noise on queries",
    statement="On a query with integer values, geometric noise of ratio a leaks exactly as Laplace "
    "noise of scale 1/log(1/a), and discrete Laplace noise of scale b as Laplace noise of "
    "scale b.",
    kind="theorem",
)
def discrete(check: Check) -> None:
    """Prove it: the same likelihoods, up to constants, at the outputs where the largest ratio
    is.
    """
    with check.reading("as stated", "all laws on integers, all 0 < a < 1, all b > 0") as argument:
        _discrete(argument)
    check.near_miss("as stated: half the scale", lambda argument: _discrete(argument, 2))


def _discrete(argument: Argument, power: int = 1) -> None:
    argument.cite(
        "at values of the query",
        "which are integers, both have their largest ratio",
        "noise.attained",
    )
    argument.identity(
        "constants cancel",
        "1/(2b) for Laplace, (1-a)/(1+a) for geometric noise, and a = e^(-1/b) is the decay of "
        "both: the values "
        "0 and 1, at the output 0",
        f"(p + q*a**{power})/(q + p*a**{power})",
        "((1 - a)/(1 + a)*(p + q*a))/((1 - a)/(1 + a)*(q + p*a))",
    )


@claim(
    "noise.law",
    where="Noise on queries",
    statement="Noise of any kind: if p_v <= m q_v for all v then N(w) <= m D(w) for all w. Noise "
    "leaks at most what the value of the query would.",
    kind="lemma",
)
def law(check: Check) -> None:
    """Prove it term by term."""
    with check.reading(
        "as stated", "all laws of noise that have densities or are discrete, all dimensions"
    ) as argument:
        _law(argument)
    check.near_miss("as stated: half as much", lambda argument: _law(argument, Rational(1, 2)))


def _law(argument: Argument, share: Rational | int = 1) -> None:
    argument.inequality(
        "one value",
        "k is the density of the noise at w - v",
        p * k <= share * m * q * k,
        [p <= m * q, k >= 0, q >= 0],
    )
    argument.cite("all values", "N and D are the sums of these", "lemma.mediant")


@claim(
    "noise.spread",
    where="Noise on queries",
    statement="Laplace noise leaks at most G/b if no value of F given s is farther than G (in L1) "
    "from one given s'; exactly G/b if F is constant given either secret, at distance G.",
    kind="theorem",
)
def spread(check: Check) -> None:
    """Prove the bound by the triangle inequality, and that two constants reach it."""
    with check.reading("as stated", "all laws, all b > 0, all dimensions") as argument:
        _spread(argument)
    check.near_miss("as stated: nine tenths", lambda argument: _spread(argument, Rational(9, 10)))


def _spread(argument: Argument, share: Rational | int = 1) -> None:
    d, e, g, r = sympy.symbols("d e g r")
    argument.inequality(
        "one pair of values",
        "log(t^|w-f| / t^|w-h|) = (|w-h| - |w-f|)/b, f given s and h given s'",
        Abs(w - h) - Abs(w - f) <= share * g,
        [Abs(f - h) <= g],
    )
    argument.induction(
        "one more coordinate",
        "d is |w-h| - |w-f| summed over the first coordinates, e the sum of |f-h|",
        base=(d <= e, [d <= r, r <= e]),
        step=(d + Abs(w - h) - Abs(w - f) <= e + Abs(f - h), [d <= e]),
    )
    argument.cite(
        "all pairs",
        "N is the sum of p_v q_v' t^|w-v| over pairs of values, as the q_v' sum to 1",
        "lemma.finite-sums",
    )
    argument.cite("sums", "the bound on every pair is one on the sums", "lemma.mediant")
    argument.inequality(
        "reached",
        "at w = f, the only value given s, h being the only one given s'",
        Eq(Abs(w - h) - Abs(w - f), g),
        [Eq(w, f), Eq(Abs(f - h), g)],
    )
