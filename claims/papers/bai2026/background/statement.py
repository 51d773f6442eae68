"""Section 2.1: differential privacy, per entry and for groups, and its known laws.

Ratios are compared as products, R = e^epsilon; p and q are probabilities of one output under two
databases, or secrets.
"""

from fractions import Fraction

from pufferproof.claims.general.group_privacy import neighbour_ratio, pair_ratio
from pufferproof.claims.language import Proof, at_least, letter, letters
from pufferproof.claims.papers.bai2026.background import said
from pufferproof.claims.papers.bai2026.statements import background
from pufferproof.claims.registry import Check, claim
from pufferproof.models.channel import Channel
from pufferproof.models.framework import Framework
from pufferproof.models.priors.tables import Table

R = letter("R", "e to the level of a mechanism", at_least(1))
one, other = letters("one other", "likelihoods of an output, on two databases or given two secrets")
u, v = letters("u v", "the next joint likelihoods")
group = letter("group", "e^(k epsilon), for a group of k entries", at_least(1))
NOTATION = {
    "k": "how many entries, which are cells of a table, D and D' differ in",
    "U": "the set of all tables",
}


@claim(
    "bai2026.dp",
    where="Section 2.1",
    statement="epsilon-DP: P(M(D) = w) <= e^epsilon P(M(D') = w) for all D, D' differing in one "
    "person's record and all w.",
    kind="definition",
)
def dp(check: Check) -> None:
    """Nothing to decide; for finite tables it is a finite list of inequalities."""
    with check.reading("as printed") as proof:
        proof.definition("DP", "Neighbours differ in the contents of one record", one <= R * other)


@claim(
    "bai2026.perentry",
    where="Section 2.1",
    statement="Per-entry epsilon-DP: P(M(D) = w) <= e^epsilon P(M(D') = w) for all D, D' differing "
    "in one attribute of one person's record and all w.",
    kind="definition",
)
def perentry(check: Check) -> None:
    """Nothing to decide; for finite tables it is a finite list of inequalities."""
    with check.reading("as printed") as proof:
        proof.definition("per-entry DP", "Neighbours differ in one cell", one <= R * other)


@claim(
    "bai2026.groupdp",
    where="Section 2.1, Definition (Group DP)",
    statement="Group DP: a per-entry epsilon-DP mechanism has P(M(D) = w) <= e^(k epsilon) P(M(D') "
    "= w) for all D, D' that differ in k entries and all w.",
    kind="definition",
)
def groupdp(check: Check) -> None:
    """Printed as a definition: nothing to decide. Whether per-entry DP gives it is a claim of its
    own.
    """
    with check.reading("as printed") as proof:
        proof.definition(
            "group DP",
            "Databases differ in k cells. bai2026.x-groupdp decides whether per-entry DP gives it",
            one <= group * other,
        )


@claim(
    "bai2026.x-groupdp",
    where="beside the definition of group DP (a remark of ours: what per-entry DP gives)",
    statement="A per-entry epsilon-DP mechanism has P(M(D) = w) <= e^(k epsilon) P(M(D') = w) "
    "whenever D, D' differ in k entries.",
    kind="lemma",
    repair="bai2026.groupdp-repaired",
    says={"U all tables over a product of cell domains": background.GROUP_DP},
)
def x_groupdp(check: Check) -> None:
    """Prove it for all tables; boundary case: false where tables on the way are not in U.

    Along a path: P(y | D) <= R^l P(y | D') if l changes of one entry lead from D to D' inside U
    [general.group-privacy-paths]. As many changes as entries that differ: Copy the cells of D' into
    D one after the other; the tables on the way have cells of D and D', hence are in U. After n
    cells as many changes were made as cells differ. The next cell is the same (differs = 0) and
    nothing is done, or it differs (differs = 1) and m = 1 change is made.
    """
    check.tried("U all tables over a product of cell domains")
    with check.reading("U any set of tables", "one counterexample") as proof:
        _no_neighbours(proof)


@claim(
    "bai2026.groupdp-repaired",
    where="Section 2.1, group DP",
    statement="If every table whose cells are taken from two tables of U belongs to U, as when U "
    "has all tables over a product of cell domains, then a per-entry epsilon-DP mechanism on U "
    "has P(M(D) = w) <= e^(k epsilon) P(M(D') = w) for all D, D' in U that differ in k entries "
    "and all outputs w.",
    kind="repair of bai2026.x-groupdp",
    says={"U all tables over a product of cell domains": background.GROUP_DP_REPAIRED},
)
def groupdp_repaired(check: Check) -> None:
    """Prove it along the path that copies one cell after the other.

    As in bai2026.x-groupdp.
    """


def _no_neighbours(proof: Proof) -> None:
    rows = {"00": Fraction(1), "11": Fraction(0)}
    half = Fraction(1, 2)
    framework = Framework(
        tuple(rows),
        {"00": ["00"], "11": ["11"]},
        [("00", "11")],
        {"either": Table(dict.fromkeys(rows, half))},
    )
    proof.counterexample(
        "two tables without one between them",
        "Let the set U of all tables be {00, 11}. No two of them differ in one entry: every "
        "mechanism is per-entry 0-DP, also the one that tells the table. But 00 and 11 differ in 2 "
        "entries, and this mechanism gives the output u with probability 1 on one of them and 0 on "
        "the other, which no level bounds. One table, one output or tables of one cell cannot fail",
        {
            "tables of U": list(rows),
            "entries that differ": 2,
            "per-entry epsilon": "log(1)",
            "framework": framework,
            "mechanism": Channel.of({x: [u, 1 - u] for x, u in rows.items()}, ["u", "v"]),
            "epsilon": "log(1)",
        },
        lambda: neighbour_ratio(rows) == 1 and pair_ratio(rows, "00", "11") is None,
    )


@claim(
    "bai2026.dp-laws",
    where="Section 2.1",
    statement="DP is invariant under post-processing: if M is epsilon-DP, so is A o M; and "
    "eps_i-DP mechanisms M_i, finitely many, run together are (sum_i eps_i)-DP.",
    kind="lemma",
    assumes=["each mechanism, and the processing, uses fresh randomness"],
    says={
        "post-processing, deterministic or randomised": said.DP_PROCESSED,
        "composition, run together": said.DP_TOGETHER,
        "composition, the second chosen by the output of the first": said.DP_CHOSEN,
    },
)
def dp_laws(check: Check) -> None:
    """Coq proves both laws for any relation of neighbours, records or cells.

    More than two that are chosen one after another follow by repetition: the outputs so far are one
    output.
    """
    check.stated("post-processing, deterministic or randomised")
    check.stated("composition, run together")
    check.stated("composition, the second chosen by the output of the first")
