"""Section 2.1: differential privacy, per entry and for groups, and its known laws.

Ratios are compared as products, R = e^epsilon; p and q are probabilities of one output under two
databases, or secrets.
"""

from fractions import Fraction
from functools import partial

from sympy import Eq

from pufferproof.claims.general.group_privacy import neighbour_ratio, pair_ratio
from pufferproof.claims.language import ALL_SIZES, Edit, Proof, at_least, letter, letters, proved
from pufferproof.claims.papers.bai2026.statements import background
from pufferproof.claims.registry import Check, claim
from pufferproof.models.channel import Channel
from pufferproof.models.framework import Framework
from pufferproof.models.priors.tables import Table

R = letter("R", "e to the level of a mechanism", at_least(1))
T = letter("T", "e to a smaller level", at_least(1))
one, other = letters("one other", "likelihoods of an output, on two databases or given two secrets")
p, q = letters(
    "p q", "likelihoods of the next old output, on two databases or given two secrets", at_least(0)
)
a, b = letters("a b", "likelihoods of the new output z, over the first old outputs")
h = letter("h", "K(z|y), the probability that y becomes z", at_least(0))
l = letter("l", "this probability for the second likelihood")
F = letter("F", "the product of the levels so far")
P, Q = letters("P Q", "joint likelihoods of the outputs so far")
c, d = letters("c d", "likelihoods of the next output, given those so far", at_least(0))
u, v = letters("u v", "the next joint likelihoods")
group = letter("group", "e^(k epsilon), for a group of k entries", at_least(1))
changes = letter("changes", "how many changes of one entry were made")
differing = letter("differing", "how many of the cells so far differ")
differs = letter("differs", "1 if the next cell differs, else 0")
m = letter("m", "how many changes a cell that differs takes")
DETOUR = Edit(
    "as many changes as entries that differ: step", without=Eq(m, 1), given=(m >= 1) & (m <= 2)
)
SMALLER = [
    Edit("one more old output: base", put={R: T}, given=T < R),
    Edit("one more old output: step", put={R: T}, without=a <= R * b, given=[a <= T * b, T < R]),
]
SEES = Edit("one more old output", without=Eq(l, h), given=l >= 0)
SHARED = Edit(
    "one more mechanism: step",
    without=[Eq(u, P * c), Eq(v, Q * d)],
    given=[u <= P, u <= c, v <= Q, v <= d, u >= 0, v >= 0],
)
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
    """Prove it for all tables; boundary case: false where tables on the way are not in U."""
    proved(
        check,
        "U all tables over a product of cell domains",
        "all finite sizes, all k",
        _all_tables,
        a_table_on_the_way_missing=DETOUR,
    )
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
    says=background.GROUP_DP_REPAIRED,
)
def groupdp_repaired(check: Check) -> None:
    """Prove it along the path that copies one cell after the other."""
    proved(
        check,
        "U all tables over a product of cell domains",
        "all finite sizes, all k",
        _all_tables,
        a_table_on_the_way_missing=DETOUR,
    )


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


def _all_tables(proof: Proof) -> None:
    proof.cite(
        "along a path",
        "P(y | D) <= R^l P(y | D') if l changes of one entry lead from D to D' inside U",
        "general.group-privacy-paths",
    )
    proof.induction(
        "as many changes as entries that differ",
        "Copy the cells of D' into D one after the other; the tables on the way have cells of D "
        "and D', hence are in U. After n cells as many changes were made as cells differ. The next "
        "cell is the same (differs = 0) and nothing is done, or it differs (differs = 1) and m = 1 "
        "change is made",
        base=(Eq(changes, differing), [Eq(changes, 0), Eq(differing, 0)]),
        step=(
            Eq(changes + differs * m, differing + differs),
            [Eq(changes, differing), Eq(differs, 0) | Eq(differs, 1), Eq(m, 1), differing >= 0],
        ),
    )


@claim(
    "bai2026.dp-laws",
    where="Section 2.1",
    statement="DP is invariant under post-processing: if M is epsilon-DP, so is A o M; and "
    "eps_i-DP mechanisms M_i, finitely many, run together are (sum_i eps_i)-DP.",
    kind="lemma",
    assumes=["each mechanism, and the processing, uses fresh randomness"],
    says={
        "post-processing, deterministic or randomised": background.DP_PROCESSED,
        "composition, run together": background.DP_TOGETHER,
        "composition, each chosen by the outputs before": background.DP_CHOSEN,
    },
)
def dp_laws(check: Check) -> None:
    """Both laws, from the lemmas on processing and on ratios of joint probabilities."""
    proved(
        check,
        "post-processing, deterministic or randomised",
        ALL_SIZES,
        processed,
        a_smaller_level=SMALLER,
        a_processing_that_sees_the_database=SEES,
    )
    for name, adaptive in (("run together", False), ("each chosen by the outputs before", True)):
        proved(
            check,
            f"composition, {name}",
            "all finite sizes, any number of mechanisms",
            partial(_composed, adaptive=adaptive),
            the_last_level_left_out=Edit("one more mechanism: step", put={R: 1}),
            randomness_used_twice=SHARED,
        )


def processed(proof: Proof, given: str = "on two neighbouring databases") -> None:
    """Prove that a processed output keeps the level, for likelihoods of two kinds: on two
    databases, or given two secrets.
    """
    proof.induction(
        "one more old output",
        "a and b are the sums of K(z|y) p(y) and K(z|y) q(y) over the first old outputs y, with p "
        f"and q their likelihoods {given} and K(z|y) the probability that y becomes z. For the "
        "next output p <= R q, and h = K(z|y) is the same number l for both likelihoods, as the "
        "processing sees nothing but y. Over all y, a <= R b for the new output z",
        base=(a <= R * b, [Eq(a, h * p), Eq(b, l * q), p <= R * q, Eq(l, h)]),
        step=(a + h * p <= R * (b + l * q), [a <= R * b, p <= R * q, Eq(l, h)]),
    )


def _composed(proof: Proof, adaptive: bool) -> None:
    chosen = "chosen by the outputs before" if adaptive else "the same whatever came before"
    proof.cite(
        "ratios multiply", "Bounds R_k on conditional probabilities multiply", "lemma.chain-rule"
    )
    proof.induction(
        "one more mechanism",
        "P <= F Q are the joint probabilities of the outputs so far under neighbouring databases, "
        f"F the product of the e^eps_i; the next mechanism, {chosen}, has c <= R d given these "
        "outputs, and u = P c, v = Q d are the next joint probabilities",
        base=(P <= F * Q, [Eq(P, 1), Eq(Q, 1), Eq(F, 1)]),
        step=(
            u <= F * R * v,
            [P <= F * Q, c <= R * d, Eq(u, P * c), Eq(v, Q * d), P >= 0, Q >= 0, F >= 1],
        ),
    )
