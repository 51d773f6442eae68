"""Which vectors are columns of a mechanism within its budget: the cone, and the face of it that
occurs.

A vector u occurs if some positive multiple t u is a column of a mechanism all of whose columns lie
in C_R.
"""

from fractions import Fraction

from pufferproof.claims.language import (
    Proof,
    letters,
    proved,
)
from pufferproof.claims.ours.worst.rays import said
from pufferproof.claims.ours.worst.statements import columns as says
from pufferproof.claims.registry import Check, claim
from pufferproof.models.channel import Channel
from pufferproof.models.framework import Framework
from pufferproof.models.priors.records import Records
from pufferproof.models.priors.tables import Table

p, q = letters("p q", "P(y | s), P(y | s')")
a, b, e = letters(
    "a b e",
    "entries of a column: at the first database of a path, after d steps, and at the next one",
)


@claim(
    "worst.columns",
    where="setting",
    statement="A mechanism is epsilon-Pufferfish iff each of its columns lies in C_R, R = "
    "e^epsilon. The columns of the joint release of independent mechanisms, also of mechanisms "
    "chosen by the outputs before, are entrywise products of columns.",
    kind="lemma",
    says={"the promise": says.PROMISE, "joint releases": says.JOINT},
)
def columns(check: Check) -> None:
    """Prove that the promise speaks of one output at a time, and linearly; products of rows are
    products of columns.

    The promise. P(y | s, theta) is linear in the column: P(y, s) = sum over x in s of theta(x) u_x
    = M theta(s) with M = <mu, u>: weighted sums theta(x) u_x and M sums mu_x u_x over the first x,
    with mu_x theta(s) = theta(x). One output: p = P(y | s) = M and q = P(y | s') = N: the promise
    for y and membership of its column are the same inequality.

    Joint releases. One more release: joint = P(y_1 .. y_k | x), product that of the entries of the
    columns so far, chance the conditional probability of the next output given x and the outputs so
    far, entry that of the column of the mechanism chosen: fresh randomness makes them equal.
    """
    check.tried("the promise")
    check.tried("joint releases")


@claim(
    "worst.lemma0",
    where="Lemma 0",
    statement="If c u is a column of an epsilon-Pufferfish mechanism then c u and 1 - c u are the "
    "columns of one with two outputs. For R = e^epsilon > 1, every u of C_R, not 0, is up to scale "
    "such a column: t u and 1 - t u are for all t > 0 with t R sum_x u_x <= R - 1. For R = 1, T in "
    "both orders and u in C_1 they are for all t > 0 with t sum_x u_x <= 1. For R = 1 and any T, "
    "t u and 1 - t u, t > 0, keep the promise exactly if <mu, u> = <nu, u> for all of T.",
    kind="lemma",
    says={
        "two outputs are enough": said.TWO_OUTPUTS,
        "R > 1": said.LARGER,
        "R = 1, both orders": said.BOTH_ORDERS,
        "R = 1, any list: only equations": said.EQUATIONS,
    },
)
def lemma0(check: Check) -> None:
    """Say which vectors are columns of mechanisms with two outputs."""
    check.stated("two outputs are enough")
    check.stated("R > 1")
    check.stated("R = 1, both orders")
    check.stated("R = 1, any list: only equations")


@claim(
    "worst.zero-databases",
    where="Lemma 0",
    statement="Databases of probability zero under every law of T can be deleted: a vector on the "
    "others lies in the cone iff each of its extensions by entries >= 0 does, with the same "
    "ratios, and a mechanism on the others extends.",
    kind="lemma",
    assumes=["no constraint other than the Pufferfish promise"],
    says=says.ZERO_DATABASES,
)
def zero_databases(check: Check) -> None:
    """Prove that terms of weight zero change no sum.

    A database that no law sees: With mu_x and nu_x both 0, an extension by any entry u >= 0 of x is
    in the cone iff what it extends is, with the same ratios.
    """
    check.tried("Pufferfish alone")


@claim(
    "worst.zero-databases-dp",
    where="Lemma 0, With differential privacy on top",
    statement="With per-record differential privacy on top, databases of probability zero can be "
    "deleted too, keeping the inequalities u_x <= S u_y between the neighbours that are left.",
    repair="worst.zero-databases-dp-repaired",
)
def zero_databases_dp(check: Check) -> None:
    """Refute it: what lies between two possible databases may be impossible, and still binds
    them.
    """
    proved(check, "inequalities between neighbours only", "one counterexample", _unbound)


def _far_apart() -> tuple[Framework, Channel]:
    """Return two perfectly correlated bits, and what is allowed on their two databases if the
    others are forgotten.
    """
    half = Fraction(1, 2)
    secrets: dict[str, tuple[int, str]] = {"x1=0": (1, "0"), "x1=1": (1, "1")}
    priors = {"equal bits": Table({"00": half, "11": half})}
    framework = Framework.of_records(Records(2, ("0", "1")), secrets, [("x1=0", "x1=1")], priors)
    much, little = Fraction(8, 9), Fraction(1, 9)
    return framework, Channel.of({"00": [much, little], "11": [little, much]}, ["w", "v"])


def _unbound(proof: Proof) -> None:
    framework, channel = _far_apart()
    level = Fraction(2)

    def extends() -> bool:
        """Say whether entries of 01 and 10 with ratios at most S between all neighbours exist:
        S^2 bounds the others.
        """
        return all(
            channel.probability("00", y) <= level**2 * channel.probability("11", y)
            for y in ("w", "v")
        )

    def promised() -> bool:
        """Say whether the level is at most log 8: each secret has a single possible database."""
        ends = [[channel.probability(x, y) for x in ("00", "11")] for y in ("w", "v")]
        return all(p <= 8 * q and q <= 8 * p for p, q in ends)

    proof.counterexample(
        "a mechanism that no neighbour sees",
        "00 and 11 are no neighbours, so after deleting 01 and 10 nothing is left of the "
        "constraint S = 2, and at epsilon = log 8 this mechanism is allowed; but none with "
        "per-record level 2 has these rows: whatever the entry b of 01 is, a <= 2 b and b <= 2 e "
        "give a <= 4 e, so that its leakage is at most log 4",
        {
            "framework": framework,
            "mechanism": channel,
            "epsilon": "log(4)",
            "allowed": "log(8)",
            "S": level,
        },
        lambda: promised() and not extends(),
    )


@claim(
    "worst.zero-databases-dp-repaired",
    where="Lemma 0, with differential privacy on top",
    statement="On a product space, u on a subset A of databases extends to all with u_x <= S u_y "
    "for neighbours iff u_x <= S^d(x, y) u_y for all x, y in A, d the number of records in "
    "which they differ; min over y in A of S^d(z, y) u_y extends.",
    kind="repair of worst.zero-databases-dp",
    says=says.ZERO_DATABASES_DP,
)
def zero_databases_dp_repaired(check: Check) -> None:
    """Prove the extension of a function that is Lipschitz in the Hamming distance.

    Along a shortest path: P = S^d and b the entry after d steps: a <= P b; the next neighbour has
    the entry e with b <= S e. The largest extension keeps the level: Let z and z' be neighbours,
    least = min_y S^d(z, y) u_y and beside the same for z', reached at y: beside = Q u_y = Q a. As
    d(z, y) <= d(z', y) + 1, least <= P a with P = S^d(z, y) <= S Q. And agrees on A: At x in A the
    term y = x is u_x = a, every other is P b >= a by the condition: the minimum is a.
    """
    check.tried("Hamming distance")
