"""Which vectors are columns of a mechanism within its budget: the cone, and the face of it that
occurs.

A vector u occurs if some positive multiple t u is a column of a mechanism all of whose columns lie
in C_R.
"""

from pufferproof.claims.ours.worst.rays.said import columns as said
from pufferproof.claims.ours.worst.statements import columns as says
from pufferproof.claims.registry import Check, claim


@claim(
    "worst.columns",
    where="setting",
    kind="lemma",
    says={"the promise": said.PROMISE, "joint releases": said.JOINT},
)
def columns(check: Check) -> None:
    """The promise speaks of one output at a time, and linearly: a mechanism keeps it iff each of
    its columns lies in C_R. With one more release the column is multiplied by that of the next
    mechanism, so that columns of joint releases are products, whatever chose the mechanisms.
    """


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


@claim(
    "worst.zero-databases",
    where="Lemma 0",
    statement="Databases of probability zero under every law of T can be deleted: a vector on the "
    "others lies in the cone iff each of its extensions by entries >= 0 does, with the same "
    "ratios, and a mechanism on the others extends.",
    kind="lemma",
    assumes=["no constraint other than the Pufferfish promise"],
    says={"Pufferfish alone": says.ZERO_DATABASES},
)
def zero_databases(check: Check) -> None:
    """Prove that terms of weight zero change no sum.

    A database that no law sees: With mu_x and nu_x both 0, an extension by any entry u >= 0 of x is
    in the cone iff what it extends is, with the same ratios.
    """


@claim(
    "worst.zero-databases-dp-repaired",
    where="Lemma 0, with differential privacy on top",
    statement="On a product space, u on a subset A of databases extends to all with u_x <= S u_y "
    "for neighbours iff u_x <= S^d(x, y) u_y for all x, y in A, d the number of records in "
    "which they differ; min over y in A of S^d(z, y) u_y extends.",
    kind="theorem",
    says={"Hamming distance": says.ZERO_DATABASES_DP},
)
def zero_databases_dp_repaired(check: Check) -> None:
    """Prove the extension of a function that is Lipschitz in the Hamming distance.

    Along a shortest path: P = S^d and b the entry after d steps: a <= P b; the next neighbour has
    the entry e with b <= S e. The largest extension keeps the level: Let z and z' be neighbours,
    least = min_y S^d(z, y) u_y and beside the same for z', reached at y: beside = Q u_y = Q a. As
    d(z, y) <= d(z', y) + 1, least <= P a with P = S^d(z, y) <= S Q. And agrees on A: At x in A the
    term y = x is u_x = a, every other is P b >= a by the condition: the minimum is a.
    """
