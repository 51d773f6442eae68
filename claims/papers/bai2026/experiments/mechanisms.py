"""Section 7.1.3: the mechanisms that are compared, their levels per record, and the noise that the
baseline does without.

Neighbours differ in one record: its label changes, so that one count falls by 1 and one rises by 1.
"""

from pufferproof.claims.language import at_least, letter
from pufferproof.claims.papers.bai2026.statements import background, mechanisms
from pufferproof.claims.registry import Check, claim

T = letter("T", "the number of records of a person", at_least(1))
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
    """Prove the level of each mechanism, and the law of the one-shot form.

    Ours-Exp keeps eps_DP per record. The record leaves one label and takes another. K draws with
    the factor c in exponents are (2 K Delta c)-differentially private [general.peeling]: c =
    eps_DP/(2 K), Delta = 1.

    Ours-Exp in one shot: Gumbel noise of scale 2 K/eps_DP. The K largest of c u(D, r) plus noise
    have the law of draws [general.gumbel-top-k]; divide by c.

    MQM: m noisy counts keep eps_DP per record. Laplace noise of scale m/eps_DP on a count that
    changes by at most 1 has the level eps_DP/m; levels of queries add up, and sorting is
    post-processing.

    Group DP: eps/T per record keeps eps. Databases of the same length differ in at most T records
    of a person: a level per record multiplies along the path that changes one after the other
    [general.group-privacy-paths].
    """


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
    """Two counts change by one each.

    All counts: two of them change. Its level: the density of all noise changes by a factor of at
    most e^(distance/scale). Against the split: m queries of level eps_DP/m have the scale m/eps_DP.
    """
