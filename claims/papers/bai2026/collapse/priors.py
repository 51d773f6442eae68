"""Section 4: what Pufferfish becomes when Theta is every product prior, or every prior.

Records have values in a finite alphabet; secrets are values of records. R = e^epsilon; a and b are
P(y | x) for two databases.
"""

from fractions import Fraction

from pufferproof.claims.general.definition import keeps_each
from pufferproof.claims.general.group_privacy import neighbour_ratio, pair_ratio
from pufferproof.claims.general.priors.said import (
    AGAINST_OTHERS_IS_DP,
    FULL_SUPPORT_IS_DP,
    PRODUCT_IS_DP,
)
from pufferproof.claims.general.statements import classes
from pufferproof.claims.language import Proof
from pufferproof.claims.papers.bai2026.statements import constraints, priors
from pufferproof.claims.registry import Check, claim
from pufferproof.models.channel import Channel
from pufferproof.models.framework import Framework
from pufferproof.models.priors.records import Records
from pufferproof.models.priors.tables import Table


@claim(
    "bai2026.product-is-dp",
    where="Section 4, multiple priors",
    assumes=["the secrets are the values of records"],
    says={
        "all product distributions": PRODUCT_IS_DP,
        "product distributions of full support": FULL_SUPPORT_IS_DP,
        "all product distributions, a value of a record against all others": AGAINST_OTHERS_IS_DP,
    },
)
def product_is_dp(check: Check) -> None:
    """Coq proves both directions, for all factors or full support, and for "v against not v" as
    pairs. A prior that is even on two tables that differ in one record shows that differential
    privacy is necessary. It is a limit of priors of full support.
    """
    check.stated("all product distributions")
    check.stated("product distributions of full support")
    check.stated("all product distributions, a value of a record against all others")


@claim(
    "bai2026.allpriors-is-dp",
    where="Section 4, end",
    statement="If all possible priors are in Theta, epsilon-Pufferfish becomes epsilon-DP (a "
    "mechanism is the one iff it is the other), and hence composes linearly.",
    kind="remark",
    assumes=[
        "the secrets are the values of records, except in the readings with one pair (s, not s)"
    ],
    repair="general.all-priors",
    says={
        "it brings per-record epsilon-DP": priors.BRINGS_DP,
        "it becomes epsilon-DP for any two databases that differ in a secret": classes.ALL_PRIORS,
        "it composes linearly": priors.ALL_COMPOSES,
        "one pair (s, not s): it bounds databases that differ in "
        "the secret, and composes linearly": priors.SECRET_AGAINST_NOT,
    },
)
def allpriors_is_dp(check: Check) -> None:
    """It becomes more: epsilon bounds any two databases that differ in a secret, not neighbours
    only; and it composes.

    It brings per-record epsilon-DP; it becomes epsilon-DP for any two databases that differ in a
    secret. The promise for all priors is a <= R b for any two databases that differ in a record
    whose values are secrets, and perhaps in others [general.all-priors].

    It composes linearly. As in general.composition-under-large-classes.

    One pair (s, not s): it bounds databases that differ in the secret, and composes linearly. The
    prior that is even on x in s and z outside makes the laws given s and given not s point masses;
    under any prior these are means, which keep the bounds [lemma.mediant], and bounds on pairs of
    databases multiply [lemma.chain-rule].
    """
    with check.reading("it becomes per-record epsilon-DP", "one counterexample") as proof:
        _more_than_dp(proof)
    with check.reading(
        "it becomes per-record epsilon-DP, one pair (s, not s)", "one counterexample"
    ) as proof:
        _less_than_dp(proof)
    for name in (
        "it brings per-record epsilon-DP",
        "it becomes epsilon-DP for any two databases that differ in a secret",
    ):
        check.tried(name)
    check.tried("it composes linearly")
    check.tried(
        "one pair (s, not s): it bounds databases that differ in the secret, and composes linearly"
    )


def _less_than_dp(proof: Proof) -> None:
    rows = {"00": Fraction(3, 4), "01": Fraction(1, 4), "10": Fraction(1, 2), "11": Fraction(1, 2)}
    bits = Records(2, ("0", "1"))
    half = Fraction(1, 2)
    pairs = {f"{x} or {z}": Table({x: half, z: half}) for x in ("00", "01") for z in ("10", "11")}
    promise = Framework.of_records(
        bits, {"s": (1, "0"), "not s": (1, "1")}, [("s", "not s")], pairs
    )
    channel = Channel.of({x: [u, 1 - u] for x, u in rows.items()}, ["u", "v"])
    neighbours = Framework.of_records(
        bits,
        {"x2=0": (2, "0"), "x2=1": (2, "1")},
        [("x2=0", "x2=1")],
        {"00 or 01": Table({"00": half, "01": half})},
    )
    proof.counterexample(
        "two databases with the same secret",
        "Databases are two bits, and s says that the first one is 0. All databases with s are "
        "within a factor 2 of all without, in both orders, hence so are all means of them, and the "
        "mechanism is log(2)-Pufferfish under all priors. But the output u is 3 times as likely on "
        "00 as on 01, which differ in one record: it is not log(2)-DP",
        {
            "epsilon under all priors": "log(2)",
            "ratio of 00 to 01": Fraction(3),
            "framework": neighbours,
            "mechanism": channel,
            "epsilon": "log(2)",
        },
        lambda: (
            keeps_each(promise, channel, Fraction(2))
            and not keeps_each(neighbours, channel, Fraction(2))
        ),
    )


def _more_than_dp(proof: Proof) -> None:
    rows = {"00": Fraction(3, 4), "01": Fraction(1, 2), "10": Fraction(1, 2), "11": Fraction(1, 4)}
    half = Fraction(1, 2)
    secrets = {f"x1={value}": (1, value) for value in "01"}
    alike = {"alike": Table({"00": half, "11": half})}
    framework = Framework.of_records(Records(2, ("0", "1")), secrets, [("x1=0", "x1=1")], alike)
    channel = Channel.of({x: [u, 1 - u] for x, u in rows.items()}, ["u", "v"])
    proof.counterexample(
        "two bits that are always alike",
        "Databases are two bits, and the secrets are the values of the first one. The mechanism is "
        "log(2)-DP. But one of all the priors says that the two bits are equal, and under it the "
        "output u has probability 3/4 if the first bit is 0 and 1/4 if it is 1: the ratio is 3, "
        "and epsilon-Pufferfish asks for more than epsilon-DP. One record cannot fail, nor one "
        "output; no common denominator below 4 does",
        {
            "epsilon of DP": "log(2)",
            "ratio of 00 to 11": Fraction(3),
            "framework": framework,
            "mechanism": channel,
            "epsilon": "log(2)",
        },
        lambda: (
            neighbour_ratio(rows) == 2
            and pair_ratio(rows, "00", "11") == 3
            and not keeps_each(framework, channel, Fraction(2))
        ),
    )


@claim(
    "bai2026.priors-equivalent",
    where="Section 4, last sentence",
    statement="Expanding the set of priors until composition is achieved is equivalent to adding "
    "the NfC constraints and many others.",
    kind="remark",
    assumes=["the set is expanded to all priors"],
    says={"all priors: the constraints with all weights": constraints.ALL_WEIGHTS},
)
def priors_equivalent(check: Check) -> None:
    """All priors ask for the constraints with all weights; the necessary condition asks for some.

    The prior with even weights on two databases asks for the constraint with all weight on one of
    them. If these hold for all databases of a secret, a weighted geometric mean of their
    likelihoods is at least the smallest one, so that all other weights do as well. That the
    constraints beyond the necessary ones are unnecessary is not examined.
    """
