"""From per-record levels to a promise: records of a set L are conditioned on, all others are hidden
by what the mechanism does to one record.

Tables have all combinations of values of the records. M has the level R_j for record j if P(w | x)
<= R_j P(w | y) for all outputs w and tables x, y that differ in record j alone. H are the hidden
records, L the others; A = e^a bounds P(x_L | s)/P(x_L | s'), the influence of what is shown. It is
paid once, however many releases there are. Sources: song2017 (theorem III.7) for Laplace noise and
quilts of chains, bai2026 (Section 6.2) for one level for all records.
"""

from sympy import Eq

from pufferproof.claims.general.statements import quilts, tables
from pufferproof.claims.language import (
    Edit,
    Proof,
    at_least,
    letter,
    letters,
    proved,
)
from pufferproof.claims.registry import Check, claim

R = letter("R", "R_j, e to the level of the next hidden record", at_least(1))
Q = letter("Q", "the product of the R_j of the records replaced so far", at_least(1))
A = letter("A", "e^a, a bound of P(x_L | s)/P(x_L | s')", at_least(1))
K = letter("K", "e to what hides the records of H: a bound of ratios of tables with the same x_L")
p, r = letters("p r", "P(w | x), and P(w | .) of the next table", at_least(0))
q = letter("q", "P(w | .) of the table so far", at_least(0))
law_s, law_t = letters("law_s law_t", "P(x_L | s) and P(x_L | s')", at_least(0))
given_s = letter("given_s", "P(w | s, x_L), or P(E | s, x_L)", at_least(0))
given_t = letter("given_t", "P(w | s', x_L), or P(E | s', x_L)", at_least(0))
sum_s, sum_t = letters("sum_s sum_t", "the sums of law_s given_s and of law_t given_t so far")
mass = letter("mass", "the sum of law_s so far")
d = letter(
    "d", "what is added to the bound on events by the change of one more record", at_least(0)
)
D = letter("D", "what is added to the bound on events so far", at_least(0))
eps = letter("eps", "the promise of each release by its own account")
a = letter("a", "log A, the influence", at_least(0))
spent = letter("spent", "what a release spends on the hidden records, eps - a")
k = letter("k", "how many releases there are", at_least(1))
account = letter("account", "the account of all releases")

c_i = letter("c_i", "the sum of the P(w | s, x_L) weights, of the next pair of tables", at_least(0))
power_i = letter("power_i", "P(w | x)^m P(w | y)^(n - m), of the next pair of tables", at_least(0))
moment = letter("moment", "sum_w P(w | x)^alpha P(w | y)^(1 - alpha), of the next pair of tables")
weight = letter("weight", "the weight of the next pair of tables", at_least(0))
weights = letter("weights", "the sum of these weights so far")
M = letter("M", "a bound of these moments for tables that agree on L", at_least(1))
total = letter("total", "the sum of weight times moment so far")
V = letter("V", "e^((alpha - 1) D_alpha) of the laws of x_L given s and s'", at_least(0))
v = letter("v", "law_s^alpha law_t^(1 - alpha) of the next x_L", at_least(0))
shown = letter("shown", "the sum of v so far")
inner = letter("inner", "the moment of the outputs given x_L", at_least(0))
joint = letter("joint", "the sum of v times inner so far: the moment of (x_L, w)")

ANY = "all finite sizes; any secrets and priors, any set L"
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
    """Prove it by replacing hidden records one by one, then averaging, given what is shown."""
    proved(
        check,
        "as stated",
        ANY,
        translated,
        a_hidden_record_left_out=Edit("one hidden record at a time: step", put={Q * R * r: Q * r}),
        the_influence_left_out=[
            Edit("all x_L: base", put={A: 1}),
            Edit(
                "all x_L: step",
                put={A: 1},
                without=sum_s <= A * K * sum_t,
                given=sum_s <= K * sum_t,
            ),
        ],
    )


def translated(proof: Proof) -> None:
    """Prove the translation, for a mechanism or a joint release with per-record levels."""
    proof.induction(
        "one hidden record at a time",
        "x and y agree on L. Copy the hidden records of y into x one after the other: all tables "
        "on the way exist. Q is the product of the levels of the records copied so far, p = P(w | "
        "x) and q = P(w | table so far): p <= Q q; the next table, with r = P(w | it), is the same "
        "or differs in one record of level R. So p <= K P(w | y) with K = prod_(j in H) R_j",
        base=(p <= Q * q, [Eq(q, p)]),
        step=(p <= Q * R * r, [p <= Q * q, q <= R * r]),
    )
    proof.cite(
        "tables given x_L",
        "P(w | s, x_L) averages such P(w | x), P(w | s', x_L) such P(w | y): P(w | s, x_L) <= K "
        "P(w | s', x_L)",
        "song2017.x-averages",
    )
    proof.summed(
        "all x_L",
        "law_s <= A law_t, and given_s <= K given_t where both secrets allow x_L; where s' does "
        "not, s does not, and both terms are 0",
        so_far=sum_s <= A * K * sum_t,
        adding={sum_s: law_s * given_s, sum_t: law_t * given_t},
        given=[law_s <= A * law_t, given_s <= K * given_t, K >= 1],
    )


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
    """Prove it: per-record levels multiply, adaptively, and the influence is paid once."""
    proved(
        check,
        "one set H for all releases",
        "all finite sizes, any number of releases, chosen adaptively",
        _account,
        an_influence_for_none=Edit("what it saves", instead=Eq(account, k * spent)),
    )


def _account(proof: Proof) -> None:
    proof.cite(
        "levels multiply",
        "For tables that differ in record j alone each conditional ratio is at most R_kj: the "
        "joint release has the level prod_k R_kj for record j",
        "lemma.chain-rule",
    )
    proof.cite("translation", "of the joint release", "general.translate")
    proof.inequality(
        "what it saves",
        "K releases with eps = a + spent each: a + k spent = k eps - (k - 1) a",
        Eq(account, k * eps - (k - 1) * a),
        [Eq(eps, a + spent), Eq(account, a + k * spent)],
    )


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
    """
    proved(
        check,
        "groups of records",
        "all finite sizes, any order of H",
        _groups,
        deltas_that_add_up=Edit("one more hidden record: step", instead=p <= Q * R * r + (D + d)),
    )
    proved(
        check,
        "the promise",
        ANY,
        _events,
        a_delta_for_none=Edit("tables given x_L", put={given_s: given_s + D}),
    )


def _groups(proof: Proof) -> None:
    proof.induction(
        "one more hidden record",
        "p = P(E | x) <= Q q + D, q = P(E | table so far), and q <= R r + d for the next table: p "
        "<= Q R r + (D + Q d)",
        base=(p <= Q * q + D, [Eq(p, q)]),
        step=(p <= Q * R * r + (D + Q * d), [p <= Q * q + D, q <= R * r + d]),
    )


def _events(proof: Proof) -> None:
    proof.inequality(
        "tables given x_L",
        "P(E | x) <= K P(E | y) + D for all x, y that agree on L: the largest P(E | x), p, is at "
        "most K q + D with q the least P(E | y), and averages lie between",
        given_s <= K * given_t + D,
        [given_s <= p, given_t >= q, p <= K * q + D, K >= 1],
    )
    proof.summed(
        "all x_L",
        "law_s <= A law_t; mass sums law_s, and is 1 in the end",
        so_far=sum_s <= A * K * sum_t + D * mass,
        adding={sum_s: law_s * given_s, sum_t: law_t * given_t, mass: law_s},
        given=[law_s <= A * law_t, given_s <= K * given_t + D, K >= 1],
    )


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
    """Prove it by joint convexity of p^alpha q^(1 - alpha), which is Hoelder's inequality."""
    proved(
        check,
        "as stated",
        "all finite sizes, all rational alpha > 1; any set L",
        _renyi,
        the_divergence_of_what_is_shown_left_out=Edit("forgetting x_L", put={M * V: M}),
    )


def _renyi(proof: Proof) -> None:
    proof.cite(
        "joint convexity",
        "alpha = m/n: with a_i1 = p_i^alpha q_i^(1 - alpha), a_i2 = q_i and the weights n/m and (m "
        "- n)/m the sums have (sum p_i)^alpha (sum q_i)^(1 - alpha) <= sum_i p_i^alpha q_i^(1 - "
        "alpha). A p_i > 0 with q_i = 0 makes the right side infinite",
        "lemma.hoelder",
    )
    proof.summed(
        "tables given x_L",
        "The outputs given (s, x_L) and (s', x_L) are averages of the P(w | x) and P(w | y) with "
        "the weights of pairs (x, y) of tables with this x_L. Summed over w, joint convexity "
        "bounds their moment, inner, by the average of the moments of pairs, each at most M = "
        "e^((alpha - 1) c)",
        so_far=total <= M * weights,
        adding={total: weight * moment, weights: weight},
        given=[moment <= M],
    )
    proof.summed(
        "all x_L",
        "(x_L, w) has the moment joint = sum of v inner, v = law_s^alpha law_t^(1 - alpha), inner "
        "<= M: at most M shown, shown = e^((alpha - 1) D_alpha) of the laws of x_L",
        so_far=joint <= M * shown,
        adding={joint: v * inner, shown: v},
        given=[inner <= M],
    )
    proof.inequality(
        "forgetting x_L",
        "By joint convexity again the moment of w alone, p, is at most that of (x_L, w): p <= "
        "joint <= M V, and logarithms add",
        p <= M * V,
        [p <= joint, joint <= M * shown, Eq(shown, V)],
    )
