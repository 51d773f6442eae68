"""Max-influence: when it is 0, that it can be computed exactly, and that it grows with the set
(lemma A.1).

For values v, w of X_i, a and b are P(x_A|X_i=v) and P(x_A|X_i=w); R = e^e. Source: song2017,
section II-D and appendix A-C.
"""

from collections.abc import Iterator
from fractions import Fraction
from functools import partial

import sympy
from sympy import Eq

from pufferproof.claims.language import proved
from pufferproof.claims.papers.song2017.mechanism.eigengap import (
    reversed_product,
    term,
    three_nodes,
)
from pufferproof.claims.papers.song2017.setting.chains import Chain, chain, chains, influence
from pufferproof.claims.papers.wang2016.chains.instances import eigenvalues, settled
from pufferproof.claims.registry import Check, claim
from pufferproof.models.influence.chain import ChainInfluence
from pufferproof.models.priors.laws import MarkovChain
from pufferproof.models.sequences.chain import ChainLaws
from pufferproof.verify.proof.argument import Argument

R, S, A, B, a, b, p, q, m, n = sympy.symbols("R S A B a b p q m n")
ALL = "all finite networks and sets of nodes, any Theta"


@claim(
    "song2017.maxinf-zero",
    where="After Definition II.2",
    statement="e(X_A|X_i) = 0 when X_i and X_A are independent; larger e means stronger "
    "correlation.",
    kind="remark",
)
def zero(check: Check) -> None:
    """Prove both directions; "stronger" holds of what is computed from X_A, and not of the
    correlation coefficient.
    """
    proved(check, "independent implies 0", ALL, _zero, dependent=partial(_zero, dependent=True))
    proved(
        check, "0 implies independent", ALL, _converse, e_up_to_log_2=partial(_converse, level=2)
    )
    name = (
        "larger e, stronger: if X_B depends on X_i through X_A alone then e(X_B|X_i) <= e(X_A|X_i)"
    )
    proved(
        check,
        name,
        ALL,
        _processed,
        strictly_smaller=partial(_processed, strict=True),
        X_B_that_sees_X_i=partial(_processed, direct=True),
    )
    with check.reading(
        "larger e, stronger: e is larger where the correlation coefficient is",
        "one counterexample, two bits",
    ) as it:
        rare, even = ("99/100 1/100", "9/10 1/10"), ("2/3 1/3", "1/3 2/3")
        it.counterexample(
            "a rare value",
            "X_1 is a fair bit. If X_2 = 1 has the chances 1/100 and 1/10 given X_1 = 0 and X_1 = "
            "1 the influence of X_2 is log 10; if it has the chances 1/3 and 2/3 the influence is "
            "only log 2, and yet the correlation of X_1 and X_2 is stronger: its square is 1/9 in "
            "place of 81/2079",
            {
                "P(X_1)": "1/2 1/2",
                "P(X_2|X_1), e = log 10": "; ".join(rare),
                "P(X_2|X_1), e = log 2": "; ".join(even),
            },
            lambda: (
                _two_bits(*rare) == (Fraction(10), Fraction(81, 2079))
                and _two_bits(*even) == (Fraction(2), Fraction(1, 9))
            ),
        )


def _two_bits(*rows: str) -> tuple[Fraction | None, Fraction]:
    """Return e^e(X_2|X_1) and the squared correlation coefficient of a fair bit and the next
    one.
    """
    of = chain("1/2 1/2", ";".join(rows), 2)
    law = of.law()
    ones = law["01"] + law["11"]
    return influence(of, 1, [2]), (law["11"] - ones / 2) ** 2 / (ones * (1 - ones) / 4)


def _zero(argument: Argument, dependent: bool = False) -> None:
    """p = P(X_A=x_A), m and n = P(X_i=v), P(X_i=w), A and B the joint chances."""
    product = [] if dependent else [Eq(A, p * m), Eq(B, p * n)]
    argument.inequality(
        "equal laws",
        "a = A/m and b = B/n are P(x_A|X_i=v) and P(x_A|X_i=w) for possible v and w: every ratio "
        "is 1",
        Eq(a, b),
        [*product, Eq(a * m, A), Eq(b * n, B), m > 0, n > 0, p > 0],
    )


def _converse(argument: Argument, level: int = 1) -> None:
    argument.inequality(
        "both orders",
        "a <= R b and b <= R a for all x_A and possible v, w",
        Eq(a, b),
        [a <= R * b, b <= R * a, Eq(R, level), a >= 0, b >= 0],
    )
    argument.induction(
        "equal laws are the law of X_A",
        "A is the sum of m(v) P(x_A|v) over the first v, B that of m(v), a the common value",
        base=(Eq(A, B * a), [Eq(A, m * a), Eq(B, m)]),
        step=(Eq(A + m * a, (B + m) * a), [Eq(A, B * a)]),
    )


def _processed(argument: Argument, strict: bool = False, direct: bool = False) -> None:
    """R is finite; p = P(x_B|x_A,X_i=v), which is the same for all v, q = P(x_B|x_A,X_i=w)."""
    less = sympy.Lt if strict else sympy.Le
    given = [a <= R * b, a >= 0, b >= 0, p >= 0, q >= 0, R >= 1, *([] if direct else [Eq(p, q)])]
    argument.induction(
        "one more value of X_A",
        "A and B are the sums of P(x_A|X_i=v) p and P(x_A|X_i=w) q over the first x_A: "
        "P(x_B|X_i=v) and P(x_B|X_i=w) in the end",
        base=(less(A, R * B), [Eq(A, a * p), Eq(B, b * q), *given]),
        step=(less(A + a * p, R * (B + b * q)), [less(A, R * B), *given]),
    )


@claim(
    "song2017.maxinf-computable",
    where="Before Lemma II.3",
    statement="On a chain e_theta can be computed exactly from P and q; for irreducible aperiodic "
    "chains it can be bounded by the stationary law and the eigen-gap.",
    kind="remark",
)
def computable(check: Check) -> None:
    """Check an algorithm that never enumerates sequences against enumeration; the bound may be
    finite where e is not.
    """
    name = "computed exactly"
    scope = (
        "k = 2 with denominators to 3, T <= 4, twelve chains of k = 3, T = 3; zeros included, "
        "every record and quilt"
    )
    with check.reading(name, scope) as argument:
        argument.exhaust(
            "powers and marginals against enumeration",
            "every quilt of every record",
            _instances(),
            lambda at: _agrees(at, influence),
        )
    check.near_miss(
        f"{name}: one step more",
        lambda argument: argument.exhaust(
            "distance b + 1", "smallest failure", _instances(), lambda at: _agrees(at, _one_further)
        ),
    )
    with check.reading("bounded as in Lemma II.3", "one counterexample, k = 4") as argument:
        argument.counterexample(
            "a cycle with one short cut",
            "P P* has the eigenvalues 1, 1, 1, 1/4, hence g = 3/4; the threshold is 8/3 log 7 < 6, "
            "the bound at a = b = 6 is finite and the influence infinite, as P^6 has zeros beside "
            "other entries",
            {
                "q = pi": "1/7 2/7 2/7 2/7",
                "P": "0 1 0 0; 0 0 1 0; 0 0 0 1; 1/2 1/2 0 0",
                "T": 13,
                "i": 7,
                "a": 6,
                "b": 6,
            },
            _unbounded,
        )


CYCLE = chain("1/7 2/7 2/7 2/7", "0 1 0 0;0 0 1 0;0 0 0 1;1/2 1/2 0 0", 13)


def _unbounded() -> bool:
    """Whether the influence of records 1 and 13 on record 7 is infinite where the printed bound
    is finite.
    """
    gap = Fraction(3, 4)
    spectrum = eigenvalues(reversed_product(CYCLE.step, CYCLE.start))
    stationary = all(
        sum(p * row[y] for p, row in zip(CYCLE.start, CYCLE.step)) == CYCLE.start[y]
        for y in range(4)
    )
    valid = stationary and settled(CYCLE.step) and spectrum == [(Fraction(1), 3), (1 - gap, 1)]
    return (
        valid and term(6, min(CYCLE.start), gap).is_finite() and three_nodes(CYCLE, 7, 6, 6) is None
    )


Instance = tuple[Chain, int, int | None, int | None]


def _instances() -> Iterator[Instance]:
    halves = (
        chain(start, step, 3)
        for start in ("1 0 0", "1/2 1/2 0", "1/3 1/3 1/3")
        for step in (
            "0 1 0;0 0 1;1 0 0",
            "1/2 1/2 0;0 1/2 1/2;1/2 0 1/2",
            "0 1 0;0 1/2 1/2;1/2 0 1/2",
            "1 0 0;0 1 0;1/2 1/2 0",
        )
    )
    for family in (chains(2, 3, [1, 2, 3]), (of for of in chains(2, 2, [4])), halves):
        for of in family:
            for i in range(1, of.length + 1):
                for left in [None, *range(1, i)]:
                    for right in [None, *range(1, of.length - i + 1)]:
                        yield of, i, left, right


def _agrees(at: Instance, judge: object) -> bool:
    of, i, left, right = at
    laws = ChainLaws(MarkovChain(of.start, of.step), of.length)
    nodes = [*([] if left is None else [i - left]), *([] if right is None else [i + right])]
    found = judge(of, i, nodes) if callable(judge) else None
    return bool(ChainInfluence(laws).of(i, left, right).upper == found)


def _one_further(of: Chain, i: int, nodes: list[int]) -> Fraction | None:
    return influence(of, i, [min(node + 1, of.length) if node > i else node for node in nodes])


@claim(
    "song2017.lem-A1",
    where="Lemma A.1",
    statement="In a Bayesian network, X_S inside X_R implies e_Theta(X_S|X_i) <= e_Theta(X_R|X_i), "
    "for any Theta.",
    kind="lemma",
)
def larger_set(check: Check) -> None:
    """Prove it for any joint law: probabilities of X_S are sums of those of X_R."""
    proved(check, "X_i not in X_R", ALL, _larger, smaller_constant=partial(_larger, less=True))
    name = "X_i in X_R"
    proved(check, name, ALL, _inside, impossible_values_counted=partial(_inside, impossible=True))


def _larger(argument: Argument, less: bool = False) -> None:
    bound = R - 1 if less else R
    argument.induction(
        "one more value of the other nodes",
        "A and B are the sums of P(x_S, x_T|v) and P(x_S, x_T|w) over the first x_T; sums "
        "of 0/0 are 0/0, and if R is infinite there is nothing to show",
        base=(a <= bound * b, [a <= R * b, a >= 0, b >= 0, R >= 1]),
        step=(A + a <= bound * (B + b), [A <= R * B, a <= R * b, a >= 0, b >= 0, R >= 1]),
    )
    argument.inequality(
        "suprema",
        "S = e^e_theta(X_S|X_i) is at most R = e^e_theta(X_R|X_i), itself at most "
        "e^e_Theta(X_R|X_i) = q",
        S <= q,
        [S <= R, R <= q],
    )


def _inside(argument: Argument, impossible: bool = False) -> None:
    """Two possible values v and w: e(X_R|X_i) is infinite. Fewer: there is no pair, both sides
    are 0.
    """
    total = [A >= 0] if impossible else [Eq(A * p, p), p > 0]
    argument.inequality(
        "an infinite ratio",
        "A and B are the sums of P(x_R|X_i=v) and P(x_R|X_i=w) over the x_R in which X_i is v: "
        "P(X_i=v|X_i=v) with p = P(X_i=v) > 0, and 0. So for every R some of these x_R has a ratio "
        "above R",
        A > R * B,
        [*total, Eq(B, 0), R >= 1],
    )


@claim(
    "song2017.A1-display",
    where="Proof of Lemma A.1",
    statement="exp(e_theta(X_R|X_i)) = max ratio of P(X_R=x_R|X_i=x_i) to P(X_R=x_R|X_i=x_i'); "
    "e_theta(X_S|X_i,theta) = max ratio of P(X_S=x_S|..) <= exp(e_theta(X_R|X_i)).",
    kind="proof step",
    repair="song2017.A1-display-repaired",
)
def display(check: Check) -> None:
    """The second line lacks an exponential."""
    with check.reading(
        "as printed, e_theta(X_S|X_i) the largest ratio itself", "one counterexample"
    ) as argument:
        of = chain("1/2 1/2", "1/2 1/2;1/2 1/2", 2)
        argument.counterexample(
            "independent records",
            "For independent records the largest ratio is 1 and e_theta(X_S|X_i), its logarithm, "
            "is 0: the second line says that they are equal",
            {
                "q": "1/2 1/2",
                "P": "1/2 1/2; 1/2 1/2",
                "T": 2,
                "i": 1,
                "S": [2],
                "largest ratio": 1,
                "e": 0,
            },
            lambda: influence(of, 1, [2]) == 1,
        )
    proved(
        check,
        "with exp on both sides",
        ALL,
        _display,
        smaller_constant=partial(_display, less=True),
    )


@claim(
    "song2017.A1-display-repaired",
    where="Proof of Lemma A.1, repaired",
    statement="exp(e_theta(X_S|X_i)) = max ratio of P(X_S=x_S|..) <= exp(e_theta(X_R|X_i)).",
    kind="repair of song2017.A1-display",
)
def display_repaired(check: Check) -> None:
    """Prove it as the lemma itself."""
    proved(check, "as stated", ALL, _display, smaller_constant=partial(_display, less=True))


def _display(argument: Argument, less: bool = False) -> None:
    _larger(argument, less)
