"""From per-record levels to a promise: records of a set L are conditioned on, all others are hidden
by what the mechanism does to one record.

Tables have all combinations of values of the records. M has the level R_j for record j if P(w | x)
<= R_j P(w | y) for all outputs w and tables x, y that differ in record j alone. H are the hidden
records, L the others; A = e^a bounds P(x_L | s)/P(x_L | s'), the influence of what is shown. It is
paid once, however many releases there are. Sources: song2017 (theorem III.7) for Laplace noise and
quilts of chains, bai2026 (Section 6.2) for one level for all records.
"""

from pufferproof.claims.general import said
from pufferproof.claims.general.statements import deltas, quilts
from pufferproof.claims.registry import Check, claim

NOTATION = {
    "R_j": "e to the level of a mechanism for record j",
    "H, L": "a set of records, which the mechanism hides, and all others",
    "x, y": "tables",
    "x_L": "the values of the records of L",
    "s, s'": "two secrets, in this order, of positive probability under the prior",
    "w": "an output",
    "A": "a bound of P(x_L | s)/P(x_L | s') over all x_L: e to the influence",
    "M": "a mechanism, or the joint release of several",
    "E": "a set of outputs",
    "D_alpha": "the Renyi divergence of order alpha > 1, (alpha - 1)^-1 log sum p^alpha q^(1 - "
    "alpha)",
    "a": "log A, the influence",
    "d": "d_j is what changes of record j add to the bound on events",
}


@claim(
    "general.translate",
    where="per-record levels",
    kind="theorem",
    says={"one release, or several one after the other": said.ACCOUNT},
)
def translate(check: Check) -> None:
    """Replace hidden records one by one, and average, given what is shown.

    Tables have all combinations of values, so that all tables on the way exist.
    """
    check.stated("one release, or several one after the other")


@claim(
    "general.quilt-account",
    where="per-record levels",
    kind="theorem",
    says={"one set H for all releases": said.ACCOUNT},
)
def quilt_account(check: Check) -> None:
    """Levels of records multiply, also where the outputs before chose them, and what other records
    tell is paid once: whoever stops spending at a budget keeps it. With E = e^a and K releases that
    keep e^(eps_k) each, eps_k = a + spent_k, this is the level sum_k eps_k - (K - 1) a.
    """
    check.stated("one set H for all releases")


@claim(
    "general.quilt-delta",
    where="per-record levels",
    kind="theorem",
    says={"groups of records": deltas.GROUPS, "the promise": deltas.PROMISED},
)
def quilt_delta(check: Check) -> None:
    """Prove it as for pure levels; what is added is averaged, so the influence does not touch
    it.
    """


@claim(
    "general.quilt-renyi",
    where="per-record levels",
    statement="Let alpha > 1 be rational. If a mechanism or joint release M with finitely many "
    "outputs has D_alpha(M(x), M(y)) <= c, a number c, for all tables x, y that agree on L, then "
    "the Renyi divergence of its output given s from that given s' is at most c plus D_alpha of "
    "the law of x_L given s from that given s'.",
    kind="theorem",
    says=quilts.RENYI,
)
def quilt_renyi(check: Check) -> None:
    """Prove it by joint convexity of p^alpha q^(1 - alpha), which is Hoelder's inequality.

    Joint convexity: alpha = m/n: with a_i1 = p_i^alpha q_i^(1 - alpha), a_i2 = q_i and the weights
    n/m and (m - n)/m the sums have (sum p_i)^alpha (sum q_i)^(1 - alpha) <= sum_i p_i^alpha q_i^(1
    - alpha). A p_i > 0 with q_i = 0 makes the right side infinite [lemma.hoelder]. Tables given
    x_L: The outputs given (s, x_L) and (s', x_L) are averages of the P(w | x) and P(w | y) with the
    weights of pairs (x, y) of tables with this x_L. Summed over w, joint convexity bounds their
    moment, inner, by the average of the moments of pairs, each at most M = e^((alpha - 1) c). All
    x_L: (x_L, w) has the moment joint = sum of v inner, v = law_s^alpha law_t^(1 - alpha), inner <=
    M: at most M shown, shown = e^((alpha - 1) D_alpha) of the laws of x_L. Forgetting x_L: By joint
    convexity again the moment of w alone, p, is at most that of (x_L, w): p <= joint <= M V, and
    logarithms add.
    """
