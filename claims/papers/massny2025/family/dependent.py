"""3R mechanisms whose redactions are local but not independent: the weaker reading of a local
mechanism.

Only Pr(Y_t = y | X = x) is asked to depend on x_t alone. Two releases may then be tied to each
other in a way that tells X_p. Source: massny2025, section II (the definition of a local mechanism)
and theorem 1, equation (4).
"""

from collections.abc import Mapping
from fractions import Fraction
from itertools import product

from pufferproof.claims.language import Proof, proved
from pufferproof.claims.papers.massny2025.composition.dependent import jointly
from pufferproof.claims.papers.massny2025.influence.instances import (
    Chain,
    Mechanism,
    audited,
    chain,
    leakage,
)
from pufferproof.claims.papers.massny2025.influence.three_regions import (
    medium,
    profile,
    regions,
    relaxed,
)
from pufferproof.claims.registry import Check, claim

HALF, BUDGET = Fraction(1, 2), Fraction(3, 2)
TWO_SIDES, ONE_SIDE = chain("1/4", "1/2"), chain("1/10", "2/7")
LARGE = Fraction(63, 20)


def tied(private: int, records: tuple[int, int], chance: Fraction) -> Mechanism:
    """Release zeros of two records, each with this chance: both or none if X_p = 0, never both
    if X_p = 1.
    """

    def shown(x: str) -> Mapping[tuple[int, ...], Fraction]:
        zeros = tuple(t for t in records if x[t - 1] == "0")
        if len(zeros) < 2 or x[private - 1] == "1":
            single: dict[tuple[int, ...], Fraction] = {(t,): chance for t in zeros}
            return {**single, (): 1 - chance * len(zeros)}
        return {zeros: chance, (): 1 - chance}

    return jointly(shown)


def same_records(letters: str, q: Fraction, mechanism: Mechanism) -> bool:
    """Say whether each Y_t alone has the law of the 3R mechanism with this q, for every
    database.
    """
    rows = profile(letters, dict.fromkeys(medium(letters), q))
    return all(
        sum((chance for y, chance in mechanism(x).items() if y[t] == "*"), Fraction(0))
        == rows[t][int(x[t])]
        for x in map("".join, product("01", repeat=len(letters)))
        for t in range(len(letters))
    )


def keeps(
    of: Chain, private: int, mechanism: Mechanism, records: tuple[int, ...], budget: Fraction
) -> bool:
    """Say whether the outputs at these records leak at most the budget."""
    ratio = leakage(of, 3, private, mechanism, records)
    return ratio is not None and ratio <= budget


@claim(
    "massny2025.x-dependent-3r",
    where="Theorem 1 and equation (4), the weaker definition of a local mechanism",
    statement="Theorem 1, and privacy under the constraints of (4), hold if only Pr(Y_t=y|X=x) = "
    "Pr(Y_t=y|X_t=x_t) is asked.",
    kind="statements under the second reading of massny2025.mech",
    repair="massny2025.thm1-privacy",
)
def dependent_three_regions(check: Check) -> None:
    """Refute both by three records."""
    proved(check, "Theorem 1", "one counterexample", _both_sides)
    proved(check, "the constraints of (4), p = 1", "one counterexample", _one_side)


def _both_sides(proof: Proof) -> None:
    split, mechanism = regions(TWO_SIDES, 3, 2, BUDGET, BUDGET), tied(2, (1, 3), HALF)
    proof.counterexample(
        "both zeros shown only if X_2 = 0",
        "a = 1/4, b = 1/2, n = 3, p = 2, M = {1, 3}, q = 1/2, eps_l = eps_r = log(3/2). "
        "Claimed: a 3R mechanism is eps-private. Zeros of records 1 and 3 are shown with "
        "probability 1/2 each, both or none if X_2 = 0, never both if X_2 = 1: each side keeps "
        "its budget, as (2) asks, but the output 0*0 reveals X_2",
        {
            **audited(TWO_SIDES, 3, (2,), mechanism, "log(9/4)"),
            "regions": split,
            "q": HALF,
            "e^Lk": "inf",
        },
        lambda: (
            split == "MLM"
            and same_records(split, HALF, mechanism)
            and all(keeps(TWO_SIDES, 2, mechanism, side, BUDGET) for side in ((1, 2), (2, 3)))
            and leakage(TWO_SIDES, 3, 2, mechanism) is None
        ),
    )


def _one_side(proof: Proof) -> None:
    split, q = regions(ONE_SIDE, 3, 1, LARGE, LARGE), Fraction(3, 4)
    pair, bound = tied(1, (2, 3), 1 - q), relaxed(ONE_SIDE, 1, split, {2: q, 3: q})
    proof.counterexample(
        "both zeros shown only if X_1 = 0",
        "a = 1/10, b = 2/7, n = 3, p = 1, M = {2, 3}, e^eps = 63/20. Claimed: the constraints "
        "of (4), which q = 3/4 meets, give privacy. Zeros of records 2 and 3 are shown with "
        "probability 1/4 each, both or none if X_1 = 0, never both if X_1 = 1: the output *00 "
        "reveals X_1",
        {
            **audited(ONE_SIDE, 3, (1,), pair, "log(63/20)"),
            "regions": split,
            "q": q,
            "exp of (4)": bound,
            "e^Lk": "inf",
        },
        lambda: (
            split == "LMM"
            and same_records(split, q, pair)
            and bound is not None
            and bound <= LARGE
            and leakage(ONE_SIDE, 3, 1, pair) is None
        ),
    )
