"""Max-influence: when it is 0, that it can be computed exactly, and that it grows with the set
(lemma A.1).

Source: song2017, section II-D and appendix A-C.
"""

from collections.abc import Iterator
from fractions import Fraction

from pufferproof.claims.language import Proof, at_least, letters, proved
from pufferproof.claims.language.formulas import formula
from pufferproof.claims.language.instances.matrices import eigenvalues, settled
from pufferproof.claims.papers.song2017.mechanism.eigengap import (
    reversed_product,
    term,
    three_nodes,
)
from pufferproof.claims.papers.song2017.mechanism.said import LARGER_SET
from pufferproof.claims.papers.song2017.setting.chains import Chain, chain, chains, influence
from pufferproof.claims.papers.song2017.statements import influence as said_influence
from pufferproof.claims.registry import Check, claim
from pufferproof.models.priors.markov import MarkovChain
from pufferproof.models.sequences.chain import Along
from pufferproof.verify.influence.chain import ChainInfluence

p, q = letters("p q", "P(x_B|x_A,X_i=v), P(x_B|x_A,X_i=w)", at_least(0))


@claim(
    "song2017.maxinf-zero",
    where="After Definition II.2",
    statement="e(X_A|X_i) = 0 when X_i and X_A are independent; larger e means stronger "
    "correlation.",
    kind="remark",
    says={
        "independent implies 0": formula("r*p_a/p_a = r*p_b/p_b"),
        "0 implies independent": said_influence.ZERO_IS_INDEPENDENT,
        (
            "larger e, stronger: if X_B depends on X_i through X_A alone then "
            "e(X_B|X_i) <= e(X_A|X_i)"
        ): said_influence.PROCESSED,
    },
)
def zero(check: Check) -> None:
    """Prove both directions; "stronger" holds of what is computed from X_A, and not of the
    correlation coefficient.

    Independent implies 0. P(X_A=x,X_i=a) is r p_a, so that every ratio is 1, of logarithm 0.

    0 implies independent. Both orders: a <= R b and b <= R a for all x_A and possible v, w. Equal
    laws are the law of X_A: a is the common value of P(x_A|X_i=v).

    Larger e, stronger: if X_B depends on X_i through X_A alone then e(X_B|X_i) <= e(X_A|X_i). One
    more value of X_A: R is finite; P(x_B|x_A,X_i=v) is the same for all v.
    """
    check.formula("independent implies 0")
    check.tried("0 implies independent")
    check.tried(
        "larger e, stronger: if X_B depends on X_i through X_A alone then e(X_B|X_i) <= e(X_A|X_i)"
    )
    proved(
        check,
        "larger e, stronger: e is larger where the correlation coefficient is",
        "one counterexample, two bits",
        _correlated,
    )


def _correlated(proof: Proof) -> None:
    rare, even = ("99/100 1/100", "9/10 1/10"), ("2/3 1/3", "1/3 2/3")
    proof.counterexample(
        "a rare value",
        "X_1 is a fair bit. If X_2 = 1 has the chances 1/100 and 1/10 given X_1 = 0 and X_1 = "
        "1 the influence of X_2 is log 10; if it has the chances 1/3 and 2/3 the influence is "
        "only log 2, and yet the correlation of X_1 and X_2 is stronger: its square is 1/9 instead "
        "of 81/2079",
        {
            "P(X_1)": "1/2 1/2",
            "P(X_2|X_1), e = log 10": "; ".join(rare),
            "P(X_2|X_1), e = log 2": "; ".join(even),
        },
        lambda: (
            _two_bits(*rare) == (Fraction(10), Fraction(81, 2079))
            and _two_bits(*even) == (Fraction(2), Fraction(1, 9))
        ),
        "largest_ratio(P_X_2_X_1_e_log_10) > largest_ratio(P_X_2_X_1_e_log_2) and "
        f"{_correlation('P_X_2_X_1_e_log_10')} < {_correlation('P_X_2_X_1_e_log_2')}",
    )


def _two_bits(*rows: str) -> tuple[Fraction | None, Fraction]:
    """Return e^e(X_2|X_1) and the squared correlation coefficient of a fair bit and the next
    one.
    """
    of = chain("1/2 1/2", ";".join(rows), 2)
    law = of.law()
    ones = law["01"] + law["11"]
    return influence(of, 1, [2]), (law["11"] - ones / 2) ** 2 / (ones * (1 - ones) / 4)


@claim(
    "song2017.maxinf-computable",
    where="Before Lemma II.3",
    statement="On a chain e_theta can be computed exactly from P and q; for irreducible aperiodic "
    "chains it can be bounded by the stationary law and the eigen-gap.",
    kind="remark",
    says=said_influence.COMPUTED,
)
def computable(check: Check) -> None:
    """Check an algorithm that never enumerates sequences against enumeration; the bound may be
    finite where e is not.
    """
    proved(
        check,
        "computed exactly",
        "k = 2 with denominators to 3, T <= 4, twelve chains of k = 3, T = 3; zeros included, "
        "every record and quilt",
        _computed,
        one_step_more=_one_more,
    )
    proved(check, "bounded as in Lemma II.3", "one counterexample, k = 4", _infinite)


def _computed(proof: Proof) -> None:
    proof.exhaust(
        "powers and marginals against enumeration",
        "every quilt of every record",
        _instances(),
        lambda at: _agrees(at, influence),
    )


def _one_more(proof: Proof) -> None:
    proof.exhaust(
        "distance b + 1", "smallest failure", _instances(), lambda at: _agrees(at, _one_further)
    )


def _infinite(proof: Proof) -> None:
    proof.counterexample(
        "a cycle with one short cut",
        "P P* has the eigenvalues 1, 1, 1, 1/4, hence g = 3/4; the threshold is 8/3 log 7 < 6, "
        "the bound at a = b = 6 is finite and the influence infinite, as P^6 has zeros beside "
        "other entries",
        {
            "q = pi": "1/7 2/7 2/7 2/7",
            "P": "0 1 0 0; 0 0 1 0; 0 0 0 1; 1/2 1/2 0 0",
            **{"T": 13, "i": 7, "a": 6, "b": 6},
        },
        _unbounded,
        _ONE_IS_ZERO,
    )


# P^6 takes one state to itself never, and another one there.
_ONE_IS_ZERO = "entry(power(P, 6), 0, 0) = 0 and entry(power(P, 6), 1, 0) > 0"
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
    laws = Along(MarkovChain(of.start, of.step), of.length)
    nodes = [*([] if left is None else [i - left]), *([] if right is None else [i + right])]
    found = judge(of, i, nodes) if callable(judge) else None
    return bool(ChainInfluence(laws).of(i, left, right).upper == found)


def _one_further(of: Chain, i: int, nodes: list[int]) -> Fraction | None:
    return influence(of, i, [min(node + 1, of.length) if node > i else node for node in nodes])


@claim("song2017.lem-A1", where="Lemma A.1", kind="lemma", says={"as stated": LARGER_SET})
def larger_set(check: Check) -> None:
    """Add up, for any weights of tables, so for the laws of a Bayesian network: probabilities of
    X_S are sums of those of X_R.

    X_i may be among the nodes of X_R: joint probabilities at which its two copies differ are 0. If
    the influence of X_R is infinite there is nothing to show.
    """
    check.stated("as stated")


@claim(
    "song2017.A1-display",
    where="Proof of Lemma A.1",
    statement="exp(e_theta(X_R|X_i)) = max ratio of P(X_R=x_R|X_i=x_i) to P(X_R=x_R|X_i=x_i'); "
    "e_theta(X_S|X_i,theta) = max ratio of P(X_S=x_S|..) <= exp(e_theta(X_R|X_i)).",
    kind="proof step",
    repair="song2017.A1-display-repaired",
    says={"with exp on both sides": LARGER_SET},
)
def display(check: Check) -> None:
    """The second line lacks an exponential.

    As in song2017.lem-A1.
    """
    with check.reading(
        "as printed, e_theta(X_S|X_i) the largest ratio itself", "one counterexample"
    ) as proof:
        of = chain("1/2 1/2", "1/2 1/2;1/2 1/2", 2)
        proof.counterexample(
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
            "largest_ratio(P) != e",
        )
    check.stated("with exp on both sides")


@claim(
    "song2017.A1-display-repaired",
    where="Proof of Lemma A.1, repaired",
    kind="repair of song2017.A1-display",
    says={"as stated": LARGER_SET},
)
def display_repaired(check: Check) -> None:
    """Read the largest ratio as the least bound of all ratios, for one theta or for all."""
    check.stated("as stated")


def _correlation(table: str) -> str:
    """Write the square of the correlation of X_2 with a fair bit X_1, by P(X_2 | X_1)."""
    p, q = (f"entry({table}, {x}, 1)" for x in (0, 1))
    return f"({q} - {p})^2/(({p} + {q})*(2 - {p} - {q}))"
