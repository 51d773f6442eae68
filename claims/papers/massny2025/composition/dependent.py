"""What is left if coordinates are redacted locally but not independently: most lower bounds and the
composition fail.

The printed definition only asks that Pr(Y_t = y | X = x) depends on x_t. Joint patterns may then
depend on X_p. A mechanism here is a law of the set of released records for each database. Source:
massny2025, section II.
"""

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from itertools import product

from pufferproof.claims.language import Proof, proved
from pufferproof.claims.papers.massny2025.composition import statements
from pufferproof.claims.papers.massny2025.influence.in_numbers import step
from pufferproof.claims.papers.massny2025.influence.instances import (
    Chain,
    Mechanism,
    audited,
    chain,
    is_local,
    largest_ratio,
    leakage,
    set_influence,
)
from pufferproof.claims.papers.massny2025.lower.statement import (
    THIRD,
)
from pufferproof.claims.registry import Check, claim

HALF = Fraction(1, 2)
COIN = chain("1/2", "1/2")
EXACT = "one counterexample"
SELF, SINGLE = "X_p released has infinite leakage", "Lemma 1 for one record"


def joint_ratio(
    of: Chain, count: int, secret: Iterable[int], mechanism: Mechanism
) -> Fraction | None:
    """Return the largest ratio of output probabilities over pairs of values of X_A."""
    kept, weights, laws = list(secret), dict[str, Fraction](), dict[str, dict[str, Fraction]]()
    for x in map("".join, product("01", repeat=count)):
        key, weight = "".join(x[t - 1] for t in kept), of.weight(x)
        weights[key] = weights.get(key, Fraction(0)) + weight
        law = laws.setdefault(key, {})
        for y, chance in mechanism(x).items():
            law[y] = law.get(y, Fraction(0)) + weight * chance
    scaled = [{y: value / weights[key] for y, value in law.items()} for key, law in laws.items()]
    ratios = [largest_ratio(left, right) for left in scaled for right in scaled]
    return None if None in ratios else max(ratio for ratio in ratios if ratio is not None)


def jointly(shown: Callable[[str], Mapping[tuple[int, ...], Fraction]]) -> Mechanism:
    """Return the mechanism that draws the set of released records from a law that may depend on
    the database.
    """

    def outputs(x: str) -> dict[str, Fraction]:
        law = dict[str, Fraction]()
        for kept, chance in shown(x).items():
            if chance:
                y = "".join(bit if t in kept else "*" for t, bit in enumerate(x, 1))
                law[y] = law.get(y, Fraction(0)) + chance
        return law

    return outputs


def parity(x: str) -> Mapping[tuple[int, ...], Fraction]:
    """Release both outer records or none if x_2 = 0, exactly one of them if x_2 = 1."""
    return {(1, 3): HALF, (): HALF} if x[1] == "0" else {(1,): HALF, (3,): HALF}


def hiding(x: str) -> Mapping[tuple[int, ...], Fraction]:
    """Release both outer records seldom when both agree with x_2, often when both disagree;
    each with probability 1/2.
    """
    both = Fraction(1, 8) if x[0] == x[1] else HALF
    if x[0] != x[2]:
        both = Fraction(0)
    return {(1, 3): both, (1,): HALF - both, (3,): HALF - both, (): both}


def exclusive(_: str) -> Mapping[tuple[int, ...], Fraction]:
    """Release one outer record or the other, whatever the values."""
    return {(1,): HALF, (3,): HALF}


@claim(
    "massny2025.x-dependent-redactions",
    where="Sections II, IV-A and appendix E, the weaker definition of a local mechanism",
    statement="Composition over the two sides, Lemma 1 and Corollary 3 hold if of the law of Y "
    "given X only Pr(Y_t=y|X=x) = Pr(Y_t=y|X_t=x_t) is asked.",
    kind="statements under the second reading of massny2025.mech",
    repair="massny2025.x-dependent-redactions-repaired",
)
def dependent(check: Check) -> None:
    """Refute each of the three by three records with p = 2."""
    for name, proof in (
        ("lr-compose", _both_sides),
        ("Lemma 1", _hidden),
        ("Corollary 3", _never_both),
    ):
        proved(check, name, EXACT, proof)


def _both_sides(proof: Proof) -> None:
    mechanism = jointly(parity)
    proof.counterexample(
        "the number of releases tells X_2",
        "n = 3, p = 2, independent fair bits, each outer record released with probability 1/2 "
        "whatever its value: both or none if X_2 = 0, exactly one if X_2 = 1. Claimed: Lk is "
        "at most the sum over the sides. Each side alone leaks 0, and both together reveal X_2",
        {
            **audited(COIN, 3, (2,), mechanism, "log(1)"),
            "e^Lk of one side": Fraction(1),
            "e^Lk": "inf",
        },
        lambda: (
            is_local(3, mechanism)
            and [leakage(COIN, 3, 2, mechanism, side) for side in ((1, 2), (2, 3))] == [1, 1]
            and leakage(COIN, 3, 2, mechanism) is None
        ),
    )


def _hidden(proof: Proof) -> None:
    hidden = jointly(hiding)
    proof.counterexample(
        "releases that hide what they show",
        "a = b = 1/3, n = 3, p = 2: each outer record is released with probability 1/2, both "
        "seldom if both agree with X_2. Claimed: Lk >= i(X_2~>X_Q=00) = log 4 for Q = {1, 3}, "
        "as Y_Q = 00 is possible. But the leakage is log(5/2)",
        {**_shown(hiding), "e^Lk": Fraction(5, 2), "e^i(X_Q=00)": Fraction(4)},
        lambda: (
            is_local(3, hidden)
            and leakage(THIRD, 3, 2, hidden) == Fraction(5, 2)
            and set_influence(THIRD, 3, 2, [1, 3]) == 4
            and any(y == "0*0" for y in hidden("000"))
        ),
        f"ratio_of_column(both({step(1)}, {step(1)}), 0) > e_Lk",
    )


def _never_both(proof: Proof) -> None:
    alone = jointly(exclusive)
    proof.counterexample(
        "never both",
        "a = b = 1/3, n = 3, p = 2: record 1 or record 3 is released, each with probability "
        "1/2 whatever the values, never both. Claimed: Lk = Inf(X_2~>X_{1,3}) = log 4, as both "
        "are in R_rel. But one record at a time leaks log 2",
        {**_shown(exclusive), "e^Lk": Fraction(2), "e^Inf(X_2~>X_13)": Fraction(4)},
        lambda: (
            is_local(3, alone)
            and leakage(THIRD, 3, 2, alone) == 2
            and set_influence(THIRD, 3, 2, [1, 3]) == 4
        ),
        f"largest_ratio(both({step(1)}, {step(1)})) > e_Lk",
    )


def _shown(shown: Callable[[str], Mapping[tuple[int, ...], Fraction]]) -> dict[str, object]:
    """Return the instance as evidence: the law of the released records for the three kinds of
    databases.
    """
    kinds = {"000 or 111": "000", "010 or 101": "010", "others": "001"}
    releases = {
        kind: {str(list(kept)): each for kept, each in shown(x).items() if each}
        for kind, x in kinds.items()
    }
    return {"a": THIRD.a, "b": THIRD.b, "n": 3, "p": 2, "released records": releases}


@claim(
    "massny2025.x-dependent-redactions-repaired",
    where="Appendix E, the weaker definition of a local mechanism",
    statement="If of the law of Y given X only Pr(Y_t=y|X=x) = Pr(Y_t=y|X_t=x_t) is asked: Lk is "
    "infinite unless X_p is always redacted, and Lk >= i(X_p~>X_t=x) for every single value x "
    "in supp(Y_t).",
    kind="repair of massny2025.x-dependent-redactions",
    says=statements.DEPENDENT,
)
def dependent_repaired(check: Check) -> None:
    """Prove what concerns one coordinate at a time: its law is all that these arguments use.

    X_p released has infinite leakage. Y_p alone: A bound R for Y is one for Y_p, which is a
    function of Y [lemma.data-processing]. No bound holds: U = Pr(Y_p=x|X_p=x) = 1 - r_p(x) > 0 and
    V = Pr(Y_p=x|X_p=1-x) = 0, as Y_p is X_p or *.

    Lemma 1 for one record. The mechanism is a constant factor: Y_Q = x_Q needs X_Q = x_Q, and has
    then the probability k = prod over Q of (1 - r_t(x_t)), whatever the other records. So
    Pr(Y_Q=x_Q|X_p=v) = k Pr(X_Q=x_Q|X_p=v): the factor leaves the sum over databases
    [lemma.finite-sums]. It is positive: f = 1 - r_t(x_t) > 0 for t in Q, as x_Q is in supp(Y_Q); k
    = 1 for no records. Y_Q alone: A bound R for Y is one for Y_Q, which is a function of Y
    [lemma.data-processing]. The factor cancels: U and V are the probabilities of X_Q = x_Q given
    X_p = x and 1 - x, in either order.
    """
    check.tried(SELF)
    check.tried(SINGLE)
