"""Section 7.1.3: the mechanisms that are compared, their levels per record, and the noise that the
baseline does without.

Neighbours differ in one record: its label changes, so that one count falls by 1 and one rises by 1.
"""

from sympy import Abs, Eq

from pufferproof.claims.language import Edit, Proof, above, at_least, letter, letters, proved
from pufferproof.claims.papers.bai2026.statements import background, mechanisms
from pufferproof.claims.registry import Check, claim

ALL = "every number of records, labels and ranks"
K = letter("K", "the number of ranks", at_least(1))
m = letter("m", "the number of labels", at_least(1))
T = letter("T", "the number of records of a person", at_least(1))
eps = letter("eps", "the level of Pufferfish privacy", above(0))
level = letter("level", "eps_DP, the level per record", above(0))
c = letter("c", "the factor of scores in exponents")
Delta = letter("Delta", "what a score may change by")
before, after = letters("before after", "the counts of the label that a record leaves", at_least(0))
old, new = letters("old new", "the counts of the label that it takes", at_least(0))
spent = letter("spent", "the level of the first queries")
scale = letter("scale", "the scale of Laplace noise", above(0))
wide = letter("wide", "the scale of the noise of one of m queries", above(0))
distance = letter("distance", "by how much all counts change together, in l1", at_least(0))
queries = letter("queries", "how many of the m queries were asked", at_least(0))
NOTATION = {
    "u(D, r)": "the score of the label r on the database D: how often it occurs",
    "T": T.meaning,
}


@claim(
    "bai2026.topk",
    where="Section 7.1.3",
    statement="Ours-Exp: K exponential draws without replacement, eps_DP/K each, round k gives "
    "rank k; scores are counts. MQM: noisy counts of m categories, the budget split evenly over "
    "the m queries, sorted. Group DP (exponential, Laplace): all points fully correlated. Each "
    "keeps its level.",
    kind="algorithm",
    says={
        "Ours-Exp keeps eps_DP per record": mechanisms.PEELING,
        "Ours-Exp in one shot: Gumbel noise of scale 2 K/eps_DP": mechanisms.ONE_SHOT,
        "MQM: m noisy counts keep eps_DP per record": mechanisms.COUNTS,
        "Group DP: eps/T per record keeps eps": background.GROUP_DP,
    },
)
def topk(check: Check) -> None:
    """Prove the level of each mechanism, and the law of the one-shot form."""
    proved(
        check,
        "Ours-Exp keeps eps_DP per record",
        ALL,
        _peeling,
        a_whole_eps_for_each_draw=Edit(
            "its factor", without=Eq(2 * K * Delta * c, level), given=Eq(2 * Delta * c, level)
        ),
    )
    proved(
        check,
        "Ours-Exp in one shot: Gumbel noise of scale 2 K/eps_DP",
        ALL,
        _one_shot,
        scale_2_over_eps_dp=Edit("the scale", instead=Eq(c * 2, level)),
    )
    proved(
        check,
        "MQM: m noisy counts keep eps_DP per record",
        ALL,
        _split,
        noise_of_one_query=Edit(
            "query by query: step", without=Eq(wide * level, m), given=Eq(wide * level, 1)
        ),
    )
    proved(
        check,
        "Group DP: eps/T per record keeps eps",
        ALL,
        _group,
        one_record_less=Edit(
            "all records", without=Eq(level * T, eps), given=Eq(level * (T - 1), eps)
        ),
    )


def _changed(proof: Proof) -> None:
    proof.inequality(
        "scores",
        "the record leaves one label and takes another; no other count changes",
        (Abs(after - before) <= 1) & (Abs(new - old) <= 1),
        [Eq(after, before - 1) & Eq(new, old + 1)],
    )


def _peeling(proof: Proof) -> None:
    _changed(proof)
    proof.cite(
        "draws",
        "K draws with the factor c in exponents are (2 K Delta c)-differentially private",
        "general.peeling",
    )
    proof.inequality(
        "its factor",
        "each draw has the level eps_DP/K: c = eps_DP/(2 K Delta), with Delta = 1",
        Eq(2 * K * c, level),
        [Eq(2 * K * Delta * c, level), Eq(Delta, 1)],
    )


def _one_shot(proof: Proof) -> None:
    proof.cite(
        "one noise for all",
        "the K largest of c u(D, r) plus noise have the law of draws",
        "general.gumbel-top-k",
    )
    proof.inequality(
        "the scale",
        "the K largest of u(D, r) plus noise of the scale 1/c, which is 2 K/eps_DP",
        Eq(1 / c, 2 * K / level),
        [Eq(2 * K * c, level), c > 0],
    )


def _split(proof: Proof) -> None:
    _changed(proof)
    proof.induction(
        "query by query",
        "Laplace noise of scale m/eps_DP on a count that changes by at most 1 has the level "
        "1/scale = eps_DP/m; levels of queries add up",
        base=(Eq(spent * m, level), [Eq(spent * wide, 1), Eq(wide * level, m)]),
        step=(
            Eq((spent + 1 / wide) * m, (queries + 1) * level),
            [Eq(spent * m, queries * level), Eq(wide * level, m)],
        ),
    )
    proof.inequality(
        "all queries",
        "sorting is post-processing",
        Eq(spent, level),
        [Eq(spent * m, queries * level), Eq(queries, m)],
    )


def _group(proof: Proof) -> None:
    proof.cite(
        "records that depend in any way",
        "databases of the same length differ in at most T records of a person: a level per "
        "record multiplies along the path that changes one after the other",
        "general.group-privacy-paths",
    )
    proof.inequality(
        "all records",
        "at most T of them change",
        queries * level <= eps,
        [Eq(level * T, eps), queries <= T],
    )


@claim(
    "bai2026.x-topk-vector",
    where="Section 7.1.3 (a question of ours: what the split costs)",
    statement="Laplace noise of scale 2/eps_DP on all m counts at once keeps eps_DP per record: "
    "one record changes all counts together by at most 2 in l1. This is m/2 times less noise than "
    "the m queries have, 39 times for 78 labels; and it does not depend on K.",
    kind="lemma",
    says=mechanisms.VECTOR,
)
def topk_vector(check: Check) -> None:
    """Two counts change by one each."""
    proved(
        check,
        "as stated",
        ALL,
        _vector,
        scale_1_over_eps_dp=Edit(
            "its level", without=Eq(scale * level, 2), given=Eq(scale * level, 1)
        ),
    )


def _vector(proof: Proof) -> None:
    proof.inequality(
        "all counts",
        "two of them change",
        Eq(Abs(after - before) + Abs(new - old), 2),
        [Eq(after, before - 1) & Eq(new, old + 1)],
    )
    proof.inequality(
        "its level",
        "the density of all noise changes by a factor of at most e^(distance/scale)",
        distance / scale <= level,
        [distance <= 2, Eq(scale * level, 2)],
    )
    proof.inequality(
        "against the split",
        "m queries of level eps_DP/m have the scale m/eps_DP",
        Eq(2 * wide, m * scale),
        [Eq(wide * level, m), Eq(scale * level, 2)],
    )
