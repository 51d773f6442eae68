"""Section 4: the remark on the priors that composition needs, refuted as printed and proved for one
pair of disjoint secrets.

A database of a secret whose conditional probability stays below q < 1 under all priors can be
favoured within the level of one release, and two releases then exceed twice the level. With secrets
that overlap the other secret would be favoured as well, and the statement is false. R = e^epsilon;
a and b are P(y | x) for two databases.
"""

from fractions import Fraction

from sympy import Eq, Rational

from pufferproof.claims.language import Proof, at_least, letter, letters
from pufferproof.claims.papers.bai2026.statements import priors
from pufferproof.claims.registry import Check, claim
from pufferproof.models.framework import Framework
from pufferproof.models.priors.tables import Table

R = letter("R", "e to the level of one release", at_least(1))
a, b = letters("a b", "the likelihoods of the next release on the databases a and b", at_least(0))
P, Q = letters("P Q", "the joint likelihoods of the outputs so far on a and on b")
F = letter("F", "the product of the levels so far")
u, v, w = letters("u v w", "P(y | .) at three databases")
NOTATION = {"A": "a set of databases with the same secret"}


@claim(
    "bai2026.priors-needed",
    where="Section 4, end",
    statement="Composition happens only when, for any set A of databases with the same secret, "
    "Theta has priors giving A arbitrarily low probability and priors giving it arbitrarily "
    "high probability.",
    kind="remark",
    repair="bai2026.priors-needed-repaired",
    says={
        "the same, one pair (s, t) of disjoint secrets, A within s, epsilon > 0, every database "
        "possible under a prior that allows both secrets": priors.PRIORS_NEEDED
    },
)
def priors_needed(check: Check) -> None:
    """False in general, as further pairs or secrets that determine the database do as well;
    proved for one disjoint pair.

    For a database D of s let q < 1 be the supremum of p = theta(D | s) over the priors that allow
    both secrets, q > 0. Let the output u have probability R c (1 + (1-q) h) on D, R c (1 - q h) on
    the rest of s and c elsewhere, where c = (R-1)/(2 R^2) and h = 1 - 1/R^2. Given s its
    probability is R c times h (p - q) + 1 [lemma.priors-needed], given t c: m = P(u | s, theta)/c
    is at most R and at least 1/R, for every p <= q, and for the other output 1 - c m and 1 - c are
    within a factor R. Two runs: P(u, u | s, theta)/(R c)^2 = p (1 + (1-q) h)^2 + (1-p)(1 - q h)^2
    exceeds 1 for a prior with small q - p, while P(u, u | t, theta) = c^2: the order (s, t) exceeds
    2 epsilon, although one run keeps epsilon in both orders. So q = 1. A part A of s with D in it
    has probability at least p, one without D at most 1 - p.
    """
    with check.reading(
        "A a proper part of a secret, probabilities given that secret", "one counterexample"
    ) as proof:
        _three_pairs(proof)
    with check.reading("the same, one pair of secrets, epsilon = 0", "one counterexample") as proof:
        _level_zero(proof)
    with check.reading(
        "the same, one pair, epsilon > 0, composition as no collapse", "one counterexample"
    ) as proof:
        _no_collapse(proof)
    _needed(
        check,
        "the same, one pair (s, t) of disjoint secrets, A within s, epsilon > 0, every database "
        "possible under a prior that allows both secrets",
    )
    with check.reading("any pairs of secrets, any set A", "one counterexample") as proof:
        _two_databases(proof)


@claim(
    "bai2026.priors-needed-repaired",
    where="Section 4, end",
    statement="Let (s, t) be the only pair, s and t disjoint, epsilon > 0, and let every mechanism "
    "that is epsilon-Pufferfish be 2 epsilon-Pufferfish when it is run twice, the pair taken "
    "in the order (s, t) alone or in both orders. Then for each database D of s that is "
    "possible under some theta in Theta with theta(s) > 0 and theta(t) > 0, such priors make "
    "theta(D | s) arbitrarily near 1. So each part A of these databases that is neither empty "
    "nor all of them has such priors that make it nearly sure given s, and such priors that "
    "make it nearly impossible given s. With both orders the same holds for t.",
    kind="repair of bai2026.priors-needed",
    says=priors.PRIORS_NEEDED,
)
def priors_needed_repaired(check: Check) -> None:
    """A database whose probability stays below q < 1 can be favoured within the level; run
    twice, that exceeds 2 epsilon.

    As in bai2026.priors-needed.
    """
    _needed(check, "as stated, for s; for t with both orders the roles are exchanged")


def _needed(check: Check, name: str) -> None:
    check.tried(name)


def _two_databases(proof: Proof) -> None:
    half = Fraction(1, 2)
    framework = Framework(
        "ab", {"s": "a", "t": "b"}, [("s", "t")], {"even": Table({"a": half, "b": half})}
    )
    composes = proof.inequality(
        "all mechanisms compose",
        "P and Q are the joint likelihoods of the outputs so far on a and on b, F the product of "
        "the levels: P <= F Q and Q <= F P. The next release has likelihoods a <= R b and b <= R a",
        (P * a <= F * R * Q * b) & (Q * b <= F * R * P * a),
        [P <= F * Q, Q <= F * P, a <= R * b, b <= R * a, P >= 0, Q >= 0, F >= 1],
    )
    proof.counterexample(
        "each secret one database",
        "Let the database be a or b, each with probability 1/2 under the only prior, and let s = "
        "{a} and t = {b}. The promise bounds the ratio of the likelihoods on a and b in both "
        "orders, such bounds multiply, and so all mechanisms compose linearly. But the only prior "
        "gives A = {a} the probability 1/2, which is neither arbitrarily low nor arbitrarily high",
        {"A": ["a"], "P(A)": half, "framework": framework},
        lambda: (
            composes
            and len(framework.priors) == 1
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


def _three_pairs(proof: Proof) -> None:
    third = Fraction(1, 3)
    secrets = {"a": "a", "b": "b", "c": "c", "a or b": "ab"}
    pairs = [("a", "c"), ("b", "c"), ("a or b", "c")]
    framework = Framework("abc", secrets, pairs, {"even": Table(dict.fromkeys("abc", third))})
    bounded = proof.inequality(
        "the third pair asks for nothing new",
        "u, v and w are P(y | .) at a, b and c, also of several releases together, whose bounds on "
        "ratios of databases multiply. The pairs of single databases bound u/w and v/w, hence the "
        "mean of u and v over w",
        ((u + v) / 2 <= R * w) & (w <= R * (u + v) / 2),
        [u <= R * w, w <= R * u, v <= R * w, w <= R * v, u >= 0, v >= 0, w >= 0],
    )
    proof.counterexample(
        "three databases, three pairs",
        'Let a, b and c be equally likely under the only prior, and let a, b, and "a or b" be '
        "paired with c. The third pair "
        "asks for nothing beyond the first two, so that all mechanisms compose linearly. But A = "
        "{a} has probability 1/2 given "
        '"a or b". Secrets of one database have no proper part',
        {"A": ["a"], "P(A | a or b)": Fraction(1, 2), "framework": framework},
        lambda: (
            bounded
            and len(framework.priors) == 1
            and _point_masses(framework, ["a", "b", "c"])
            and framework.laws["even"].weights == (1, 1, 1)
        ),
    )


def _two_priors() -> Framework:
    tables = {
        "low": {"a": "1/6", "b": "1/3", "t": "1/2"},
        "high": {"a": "1/3", "b": "1/6", "t": "1/2"},
    }
    return Framework(
        "abt",
        {"s": "ab", "t": "t"},
        [("s", "t")],
        {name: Table(row) for name, row in tables.items()},
    )


def _third_or_two_thirds(framework: Framework) -> bool:
    weights = [law.weights for law in framework.laws.values()]
    return [Fraction(row[0], row[0] + row[1]) for row in weights] == [
        Fraction(1, 3),
        Fraction(2, 3),
    ]


def _no_collapse(proof: Proof) -> None:
    means = (u / 3 + 2 * v / 3, 2 * u / 3 + v / 3)
    level = Rational(5, 4)
    low, high = Rational(7, 20), Rational(17, 10)
    bounded = proof.inequality(
        "bounds on ratios",
        "u, v and w are P(y | .) at the three databases. Both priors at epsilon = log(5/4) "
        "leave both ratios between 7/20 and 17/10: k releases together have at most the k-th "
        "powers, and never infinite leakage",
        (u <= high * w) & (u >= low * w) & (v <= high * w) & (v >= low * w),
        [relation for mean in means for relation in (mean <= level * w, w <= level * mean)],
    )
    proof.counterexample(
        "two priors that forbid collapse",
        "At epsilon = log(5/4) no number of releases of any mechanisms leaks infinitely much, as "
        "the ratios of all databases are bounded, and bounds on ratios multiply. But given "
        "s = {a, b} the set A = {a} has probability 1/3 or 2/3 under the two priors, never near 0 "
        "or 1",
        {
            "A": ["a"],
            "P(A | s)": [Fraction(1, 3), Fraction(2, 3)],
            "e^epsilon": Fraction(5, 4),
            "framework": _two_priors(),
        },
        lambda: bounded and _third_or_two_thirds(_two_priors()),
    )


def _level_zero(proof: Proof) -> None:
    framework = _two_priors()
    silent = proof.inequality(
        "only constants have no leakage",
        "u, v and w are P(y | .) at the three databases; at epsilon = 0 both priors ask for equal "
        "likelihoods",
        Eq(u, w) & Eq(v, w),
        [Eq(u / 3 + 2 * v / 3, w), Eq(2 * u / 3 + v / 3, w)],
    )
    proof.counterexample(
        "two priors that silence every mechanism",
        "At epsilon = 0 only mechanisms that show nothing keep the promise under both priors, and "
        "they compose. But given s = {a, b} the set A = {a} has probability 1/3 or 2/3, never near "
        "0 or 1",
        {"A": ["a"], "P(A | s)": [Fraction(1, 3), Fraction(2, 3)], "framework": framework},
        lambda: silent and _third_or_two_thirds(framework),
    )
