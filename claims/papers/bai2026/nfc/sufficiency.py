"""What the necessary and the sufficient conditions of bai2026 amount to, separately and together.

NfC constraints beside Pufferfish do not give linear composition: they bound the leakage per run in
the long run, and a finite number of runs may leak more, up to a constant. Per-entry differential
privacy with a point of the influence curve does give it. Source: bai2026, abstract and Sections 1,
5, 6.2 and 8.
"""

from fractions import Fraction
from itertools import product

from pufferproof.claims.language import Proof, at_least, letter, letters
from pufferproof.claims.papers.bai2026.composition import said
from pufferproof.claims.papers.bai2026.composition.instances import (
    LEVEL,
    channel_of,
    greatest_ratio,
    one_pair,
    pairs_of_columns,
    satisfies,
)
from pufferproof.claims.papers.bai2026.influence.points import said as points
from pufferproof.claims.papers.bai2026.nfc.said import NFC
from pufferproof.claims.registry import Check, claim
from pufferproof.models.channel import Channel
from pufferproof.models.framework import Framework

ratio = letter("ratio", "E_i, e to the level of a constraint")
levels = letter("levels", "the product of the E_i of the runs so far")
P, Q = letters(
    "P Q", "joint likelihoods of the outputs so far, given s_i and given s_j", at_least(0)
)
p, q = letters("p q", "likelihoods of the next output, given s_i and given s_j", at_least(0))
value = letter("value", "a_l of the next mechanism, or that of the smallest b_l")

NECESSARY = "necessary: NfC, runs repeated, possible databases"
SUFFICIENT = "sufficient: per-entry DP with a point of an a(b) curve, U all tables"
HALVES = {"b": Fraction(1, 2), "c": Fraction(1, 2)}
NOTATION = {"M_i": "a mechanism of the list"}


@claim(
    "bai2026.necsuff",
    where="abstract, Sections 1 and 8",
    statement="Necessary and sufficient conditions for linear composition of Pufferfish mechanisms "
    "are proved; for each dataset one or more NfC constraints must be added to Pufferfish, "
    "otherwise linear composition fails.",
    kind="claim",
    repair="bai2026.necsuff-repaired",
    says={NECESSARY: NFC, SUFFICIENT: points.SUFFICIENT},
)
def necsuff(check: Check) -> None:
    """Prove both conditions by themselves; refute that NfC characterises composition, and that it
    always adds something.
    """
    check.stated(NECESSARY)
    check.stated(SUFFICIENT)
    with check.reading("NfC and Pufferfish iff linear composition", "one counterexample") as proof:
        _not_sufficient(proof)
    with check.reading(
        "constraints besides Pufferfish are always needed", "one counterexample"
    ) as proof:
        _nothing_added(proof)
    with check.reading(
        "sufficient: per-entry DP with a point of an a(b) curve, U any set", "one counterexample"
    ) as proof:
        _missing_tables(proof)


def _not_sufficient(proof: Proof) -> None:
    found = proof.exhaust(
        "smallest failure",
        "s = {a}, t = {b, c}, epsilon = log 2, weights (1/2, 1/2) for a, two mechanisms with two "
        "outputs each and probabilities in multiples of 1/N, N from 2 on, law given t in quarters: "
        "all keep Pufferfish and the constraints of a, b and c. With one database for each secret "
        "Pufferfish is a bound on rows, and composes",
        pairs_of_columns(9),
        lambda columns: not columns.fails(),
    )
    if found is None:
        return
    framework, channels = found.framework, found.channels
    joint = channels[0].beside(*channels[1:])
    largest_ratio = greatest_ratio(framework, joint)
    proof.counterexample(
        "two mechanisms that keep all constraints and leak more than twice epsilon",
        "Let s1 = {a} and s2 = {b, c}. Both mechanisms keep the level log 2 and satisfy NfC "
        "constraints at log 2, with the weights (1/2, 1/2) for a and one-hot ones for b and c. But "
        "together they exceed 2 log 2 at the output (u, u): the geometric mean of the constraint "
        "weighs b and c evenly and the prior does not. So NfC and Pufferfish do not give linear "
        "composition",
        {
            "first mechanism": channels[0],
            "second mechanism": channels[1],
            "weights for a": HALVES,
            "e^epsilon of each": LEVEL,
            "ratio of the joint release": largest_ratio,
            "framework": framework,
            "mechanism": joint,
            "epsilon": "log(4)",
        },
        lambda: (
            all(_allowed(framework, channel) for channel in channels)
            and largest_ratio is not None
            and largest_ratio > LEVEL**2
        ),
    )


def _allowed(framework: Framework, channel: Channel) -> bool:
    """Say whether a mechanism keeps the level and satisfies the constraints of a, b and c."""
    value = greatest_ratio(framework, channel)
    return (
        value is not None
        and value <= LEVEL
        and satisfies(channel, "a", HALVES, LEVEL)
        and all(satisfies(channel, x, {"a": Fraction(1)}, LEVEL) for x in "bc")
    )


def _nothing_added(proof: Proof) -> None:
    multiplied = proof.inequality(
        "runs multiply the bound on rows",
        "With one database for each secret Pufferfish says p <= ratio q for the likelihoods at "
        "both; P, Q and levels are the products so far: every list of Pufferfish mechanisms "
        "composes linearly, with no constraint added",
        P * p <= levels * ratio * Q * q,
        [P <= levels * Q, p <= ratio * q, levels >= 1, ratio >= 1],
    )
    framework = one_pair({"a": Fraction(1)}, {"b": Fraction(1)})
    proof.counterexample(
        "one database for each secret",
        "Let each secret be one database. The only weights there are make the NfC constraint the "
        "Pufferfish inequality itself, and all Pufferfish mechanisms compose linearly: nothing "
        "needs to be added. No smaller framework has two secrets",
        {"framework": framework},
        lambda: multiplied and len(framework.databases) == 2,
    )


def _missing_tables(proof: Proof) -> None:
    framework = one_pair({"00": Fraction(1)}, {"11": Fraction(1)})
    channel = channel_of({"00": [Fraction(1), Fraction(0)], "11": [Fraction(0), Fraction(1)]})
    neighbours = [
        (x, z)
        for x, z in product(framework.databases, repeat=2)
        if sum(a != b for a, b in zip(x, z)) == 1
    ]
    proof.counterexample(
        "two tables that are no neighbours",
        "Let U hold the tables 00 and 11 alone. No two of them differ in one cell, so that every "
        "mechanism is per-entry 0-DP, also the one that tells the table. For b = 2 the set L is "
        "empty and a(2) = 0: the condition eps_DP <= (eps - a)/b holds for every eps > 0, and yet "
        "this mechanism leaks infinitely much",
        {
            "framework": framework,
            "mechanism": channel,
            "b": 2,
            "a(b)": 0,
            "epsilon for one entry": 0,
            "ratio": "inf",
        },
        lambda: not neighbours and greatest_ratio(framework, channel) is None,
    )


@claim(
    "bai2026.necsuff-repaired",
    where="abstract, Sections 1 and 8, repaired",
    kind="repair of bai2026.necsuff",
    says={
        "constraints bound the leakage per run": said.BOUNDED,
        "a bound on the leakage per run needs constraints": NFC,
    },
)
def necsuff_repaired(check: Check) -> None:
    """NfC is linear composition up to a constant; the first reading says which constant will do."""
