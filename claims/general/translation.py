"""From per-record levels to a promise: records of a set L are conditioned on, all others are hidden
by what the mechanism does to one record.

Tables have all combinations of values of the records. M has the level R_j for record j if P(w | x)
<= R_j P(w | y) for all outputs w and tables x, y that differ in record j alone. H are the hidden
records, L the others; A = e^a bounds P(x_L | s)/P(x_L | s'), the influence of what is shown. It is
paid once, however many releases there are. Sources: song2017 (theorem III.7) for Laplace noise and
quilts of chains, bai2026 (Section 6.2) for one level for all records.
"""

from pufferproof.claims.general.statements import quilts, tables
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
    statement="Let tables have all combinations of values of finitely many records, let M have "
    "the level R_j >= 1 for every record j of a set H, and let P(x_L | s) <= A P(x_L | s') for "
    "all values of the records outside H. Then P(w | s) <= A prod_(j in H) R_j P(w | s') for "
    "every output w.",
    kind="theorem",
    says=tables.TRANSLATE,
)
def translate(check: Check) -> None:
    """Prove it by replacing hidden records one by one, then averaging, given what is shown.

    One hidden record at a time: x and y agree on L. Copy the hidden records of y into x one after
    the other: all tables on the way exist. Q is the product of the levels of the records copied so
    far, p = P(w | x) and q = P(w | table so far): p <= Q q; the next table, with r = P(w | it), is
    the same or differs in one record of level R. So p <= K P(w | y) with K = prod_(j in H) R_j.
    Tables given x_L: P(w | s, x_L) averages such P(w | x), P(w | s', x_L) such P(w | y): P(w | s,
    x_L) <= K P(w | s', x_L) [song2017.x-averages]. All x_L: law_s <= A law_t, and given_s <= K
    given_t where both secrets allow x_L; where s' does not, s does not, and both terms are 0.
    """
    check.tried("as stated")


@claim(
    "general.quilt-account",
    where="per-record levels",
    statement="Let mechanisms k = 1 .. K be run one after the other on tables with all "
    "combinations of values, each chosen by the outputs before it, with the level R_kj >= 1 for "
    "record j whatever these were. For every set H of records and A with P(x_L | s) <= A P(x_L | "
    "s'): the joint release has P(w | s) <= A prod_(j in H) prod_k R_kj P(w | s'). So releases "
    "that each have the promise eps = a + spent by the same set H keep k eps - (k - 1) a together.",
    kind="theorem",
    says=quilts.ACCOUNT,
)
def quilt_account(check: Check) -> None:
    """Prove it: per-record levels multiply, adaptively, and the influence is paid once.

    Levels multiply: For tables that differ in record j alone each conditional ratio is at most
    R_kj: the joint release has the level prod_k R_kj for record j [lemma.chain-rule]. Translation:
    of the joint release [general.translate]. What it saves: K releases with eps = a + spent each: a
    + k spent = k eps - (k - 1) a.
    """
    check.tried("one set H for all releases")


@claim(
    "general.quilt-delta",
    where="per-record levels",
    statement="If a mechanism or joint release M has P(E | x) <= K P(E | y) + D for all sets E of "
    "outputs and all tables x, y that agree on L, where K >= 1 and D >= 0, and P(x_L | s) <= A "
    "P(x_L | s') for all x_L, then P(E | s) <= A K P(E | s') + D. If changes of single records "
    "have (R_j, d_j) on tables with all combinations of values, K = prod_(j in H) R_j and D = the "
    "sum of R_1 .. R_(j-1) d_j over the records of H in any order will do.",
    kind="theorem",
    says={"groups of records": quilts.GROUPS, "the promise": quilts.PROMISED},
)
def quilt_delta(check: Check) -> None:
    """Prove it as for pure levels; what is added is averaged, so the influence does not touch
    it.

    Groups of records. One more hidden record: p = P(E | x) <= Q q + D, q = P(E | table so far), and
    q <= R r + d for the next table: p <= Q R r + (D + Q d).

    The promise. Tables given x_L: P(E | x) <= K P(E | y) + D for all x, y that agree on L: the
    largest P(E | x), p, is at most K q + D with q the least P(E | y), and averages lie between. All
    x_L: law_s <= A law_t; mass sums law_s, and is 1 in the end.
    """
    check.tried("groups of records")
    check.tried("the promise")


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
    check.tried("as stated")
