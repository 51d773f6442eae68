"""Section 4: the remark on the priors that composition needs, refuted as printed and proved for one pair of secrets.

A database of a secret whose conditional probability stays below q < 1 under all priors can be favoured within the level of one
release, and two releases then exceed twice the level. R = e^epsilon; a and b are P(y | x) for two databases.
"""

from fractions import Fraction
from functools import partial

import sympy

from pufferproof.claims.bai2026.readings import decide
from pufferproof.claims.registry import Check, claim
from pufferproof.models.framework import Framework
from pufferproof.models.priors import Table
from pufferproof.verify.proof import Argument

R, W, a, b = sympy.symbols("R W a b")


@claim(
    "bai2026.priors-needed",
    where="Section 4, end",
    statement="Composition happens only when, for any set A of databases with the same secret, Theta has priors giving A "
    "arbitrarily low probability and priors giving it arbitrarily high probability.",
    kind="remark",
    repair="bai2026.priors-needed-repaired",
)
def priors_needed(check: Check) -> None:
    """False in general, as further pairs or secrets that determine the database do as well; proved for one pair."""
    with check.reading("any pairs of secrets, any set A", "one counterexample") as argument:
        _two_databases(argument)
    with check.reading(
        "A a proper part of a secret, probabilities given that secret", "one counterexample"
    ) as argument:
        _three_pairs(argument)
    with check.reading("the same, one pair of secrets, epsilon = 0", "one counterexample") as argument:
        _level_zero(argument)
    with check.reading("the same, one pair, epsilon > 0, composition as no collapse", "one counterexample") as argument:
        _no_collapse(argument)
    _needed(check, "the same, one pair, epsilon > 0, every database possible under a prior that allows both secrets")


@claim(
    "bai2026.priors-needed-repaired",
    where="Section 4, end",
    statement="One pair of secrets (s, t), epsilon > 0: if every epsilon-Pufferfish mechanism run twice is 2 "
    "epsilon-Pufferfish, then for each database of s that is possible under some prior giving both secrets positive "
    "probability such priors make its probability given s arbitrarily near 1. So each proper part of these databases has "
    "priors that make it nearly sure, and nearly impossible, given s.",
    kind="repair of bai2026.priors-needed",
    assumes=["P(. | s, theta) ranges over the priors of Theta that give s and t positive probability"],
)
def priors_needed_repaired(check: Check) -> None:
    """A database whose probability stays below q < 1 can be favoured within the level; run twice, that exceeds 2 epsilon."""
    _needed(check, "as stated, for s; for t if both orders count")


def _needed(check: Check, name: str) -> None:
    decide(
        check,
        name,
        "all finite sizes, any set of priors",
        _favoured,
        no_bound_below_one=partial(_favoured, sure=True),
        at_epsilon_zero=partial(_favoured, zero=True),
    )


def _favoured(argument: Argument, sure: bool = False, zero: bool = False) -> None:
    p, q, c, h, m, e = sympy.symbols("p q c h m e")
    levels = [R >= 1 if zero else R > 1, q > 0, q <= 1 if sure else q < 1]
    chosen = [sympy.Eq(2 * R**2 * c, R - 1), sympy.Eq(R**2 * h, R**2 - 1)]
    shown, rest = 1 + (1 - q) * h, 1 - q * h
    near = sympy.Eq(e, 0) if sure or zero else 2 * e < h * (1 - q) * q**2
    argument.inequality(
        "the numbers",
        "Let q be the supremum of p = P(x | s, theta), for a database x of s. Output u has probability R c (1 + (1-q) h) on x, "
        "R c (1 - q h) on the rest of s and c elsewhere, where c = (R-1)/(2 R^2) and h = 1 - 1/R^2. They are probabilities",
        (R * c * shown <= 1) & (R * c * rest >= 0) & (c >= 0) & (c <= 1),
        [*levels, *chosen],
    )
    argument.identity("given s", "P(u | s, theta)/(R c)", p * shown + (1 - p) * rest, 1 + (p - q) * h)
    argument.inequality(
        "the level of u",
        "m = P(u | s, theta)/c is at most R and at least 1/R, for every p <= q",
        (m <= R) & (m * R >= 1),
        [sympy.Eq(m, R * (1 + (p - q) * h)), sympy.Eq(R**2 * h, R**2 - 1), p >= 0, p <= q, *levels],
    )
    argument.inequality(
        "the level of the other output",
        "1 - c m and 1 - c are within a factor R, as c is small",
        (1 - c * m <= R * (1 - c)) & (1 - c <= R * (1 - c * m)),
        [sympy.Eq(2 * R**2 * c, R - 1), m <= R, m * R >= 1, R >= 1 if zero else R > 1],
    )
    argument.inequality(
        "two runs",
        "P(u, u | s, theta)/(R c)^2 = p (1 + (1-q) h)^2 + (1-p)(1 - q h)^2 exceeds 1 for a prior with q - p = e small enough: "
        "p comes as near to the supremum q as one likes. P(u, u | t, theta) = c^2: more than 2 epsilon",
        p * shown**2 + (1 - p) * rest**2 > 1,
        [sympy.Eq(p, q - e), e >= 0, near, p >= 0, *levels[1:], h >= 0 if zero else h > 0, h <= 1],
    )
    argument.inequality(
        "parts of a secret",
        "So q = 1. A part with x in it has probability W >= p, one without x has W <= 1 - p; p comes within e of 1",
        ((W >= p) & (W >= 1 - e)) | ((W <= 1 - p) & (W <= e)),
        [p >= 1 - e, (W >= p) | (W <= 1 - p), e > 0],
    )


def _two_databases(argument: Argument) -> None:
    half = Fraction(1, 2)
    framework = Framework("ab", {"s": "a", "t": "b"}, [("s", "t")], {"even": Table({"a": half, "b": half})})
    argument.cite(
        "it composes",
        "The promise bounds P(y | a)/P(y | b) in both orders, and such bounds multiply",
        "lemma.chain-rule",
    )
    argument.counterexample(
        "each secret one database",
        "Each secret determines the database, so that every law given a secret is a point mass. The only prior gives A = {a} "
        "probability 1/2",
        {"A": ["a"], "P(A)": half, "framework": framework},
        lambda: (
            len(framework.priors) == 1
            and _point_masses(framework, ["s", "t"])
            and framework.laws["even"].weights == (1, 1)
        ),
    )


def _point_masses(framework: Framework, secrets: list[str]) -> bool:
    return all(
        sum(1 for x in framework.secrets[secret] if law.weights[x]) == 1
        for secret in secrets
        for law in framework.laws.values()
    )


def _three_pairs(argument: Argument) -> None:
    third = Fraction(1, 3)
    secrets = {"a": "a", "b": "b", "c": "c", "a or b": "ab"}
    pairs = [("a", "c"), ("b", "c"), ("a or b", "c")]
    framework = Framework("abc", secrets, pairs, {"even": Table(dict.fromkeys("abc", third))})
    c = sympy.Symbol("c")
    argument.inequality(
        "the third pair asks for nothing new",
        "a, b and c are P(y | .). The pairs of single databases bound a/c and b/c, hence the mean of a and b over c",
        ((a + b) / 2 <= R * c) & (c <= R * (a + b) / 2),
        [a <= R * c, c <= R * a, b <= R * c, c <= R * b, R >= 1, a >= 0, b >= 0, c >= 0],
    )
    argument.cite("it composes", "Bounds on ratios of databases multiply, at every level", "lemma.chain-rule")
    argument.counterexample(
        "three databases, three pairs",
        'Given the secret "a or b" A = {a} has probability 1/2 under the only prior. Two databases have no proper part',
        {"A": ["a"], "P(A | a or b)": Fraction(1, 2), "framework": framework},
        lambda: (
            len(framework.priors) == 1
            and _point_masses(framework, ["a", "b", "c"])
            and framework.laws["even"].weights == (1, 1, 1)
        ),
    )


def _two_priors() -> Framework:
    tables = {"low": {"a": "1/6", "b": "1/3", "t": "1/2"}, "high": {"a": "1/3", "b": "1/6", "t": "1/2"}}
    return Framework("abt", {"s": "ab", "t": "t"}, [("s", "t")], {name: Table(row) for name, row in tables.items()})


def _third_or_two_thirds(framework: Framework) -> bool:
    weights = [law.weights for law in framework.laws.values()]
    return [Fraction(row[0], row[0] + row[1]) for row in weights] == [Fraction(1, 3), Fraction(2, 3)]


def _no_collapse(argument: Argument) -> None:
    u, v, t = sympy.symbols("u v t")
    means = (u / 3 + 2 * v / 3, 2 * u / 3 + v / 3)
    level = sympy.Rational(5, 4)
    for name, low, high in (("u", u, t), ("v", v, t)):
        argument.farkas(
            f"bounds on {name}",
            "u, v and t are P(y | .) at the three databases. Both priors at epsilon = log(5/4) leave both ratios between 7/20 "
            "and 17/10: k releases together have at most the k-th powers, and never infinite leakage",
            low <= sympy.Rational(17, 10) * high,
            [relation for mean in means for relation in (mean <= level * t, t <= level * mean)],
        )
        argument.farkas(
            f"bounds below on {name}",
            "The other side",
            low >= sympy.Rational(7, 20) * high,
            [relation for mean in means for relation in (mean <= level * t, t <= level * mean)],
        )
    argument.cite("any number of releases", "Bounds on ratios of databases multiply", "lemma.chain-rule")
    argument.counterexample(
        "two priors that forbid collapse",
        "Given s, A = {a} has probability 1/3 or 2/3, never near 0 or 1",
        {
            "A": ["a"],
            "P(A | s)": [Fraction(1, 3), Fraction(2, 3)],
            "e^epsilon": Fraction(5, 4),
            "framework": _two_priors(),
        },
        lambda: _third_or_two_thirds(_two_priors()) and all(step.ok for step in argument.steps),
    )


def _level_zero(argument: Argument) -> None:
    u, v, t = sympy.symbols("u v t")
    framework = _two_priors()
    silent = argument.inequality(
        "only constants have no leakage",
        "u, v and t are P(y | .) at the three databases; at epsilon = 0 both priors ask for equal likelihoods",
        sympy.Eq(u, t) & sympy.Eq(v, t),
        [sympy.Eq(u / 3 + 2 * v / 3, t), sympy.Eq(2 * u / 3 + v / 3, t)],
    )
    argument.counterexample(
        "two priors that silence every mechanism",
        "Such mechanisms show nothing, alone or together. Given s, A = {a} has probability 1/3 or 2/3",
        {"A": ["a"], "P(A | s)": [Fraction(1, 3), Fraction(2, 3)], "framework": framework},
        lambda: silent and _third_or_two_thirds(framework),
    )
