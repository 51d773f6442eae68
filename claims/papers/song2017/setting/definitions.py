"""Definitions and algorithms of the paper: nothing to decide, but what each is read as, and where
the print is silent.

Source: song2017, sections II and III.
"""

from pufferproof.claims.registry import Check, claim

PRINTED = "as printed"
SILENT = (
    "0/0 is left out, c/0 with c > 0 is infinite, values with P(X_i=a) = 0 are left out, a "
    "supremum over nothing is 0"
)

Entry = tuple[str, str, dict[str, str]]
DEFINITIONS: dict[str, Entry] = {
    "def-pufferfish": (
        "Definition II.1",
        "eps-Pufferfish in (S,Q,Theta): for all theta, all (s_i,s_j) in Q possible under theta and "
        "all w, e^-eps <= P(M(X)=w|s_i,theta)/P(M(X)=w|s_j,theta) <= e^eps.",
        {
            PRINTED: "both bounds: the order of a pair does not matter; outputs impossible under "
            "both are left out"
        },
    ),
    "framework": (
        "II-B, II-C",
        "S = {X_i=a}, Q = all pairs of different values of one record, Theta a set of (q,P); X^I, "
        "S^I, Q^I keep indices in I.",
        {
            PRINTED: "one P for all steps, q any law; secrets of a segment are judged under the "
            "law of the whole chain"
        },
    ),
    "def-maxinf": (
        "Definition II.2",
        "e_Theta(X_A|X_i) = sup over theta, a, b, x_A of log P(X_A=x_A|X_i=a)/P(X_A=x_A|X_i=b).",
        {PRINTED: f"a = b is allowed, so that e >= 0. {SILENT}"},
    ),
    "def-quilt": (
        "Definition II.4",
        "X_Q is a Markov quilt of X_i iff deleting it leaves X_N (with X_i) and X_R, and "
        "P(X_R|X_Q,X_i=a) = P(X_R|X_Q) for all values; minimal: no quilt with the same X_N has "
        "fewer nodes.",
        {
            "any labelling N/Q/R with i in N": "pieces may be cut; the graph plays no part in "
            "condition (1)",
            "N and R unions of the pieces left": "deleting Q breaks the path into pieces",
            "N the single piece that holds i": "what all uses in the paper have",
            "(2) for the one theta": "zeros and independence of this chain may make more sets "
            "quilts",
            "(2) for all theta in Theta": "the same for a class; one quilt set for all of them",
            "(2) for every chain": "a matter of the path alone: nodes of Q lie between i and all "
            "of R",
        },
    ),
    "alg-MQM": (
        "Algorithm 1",
        "For every theta, i and quilt in S_Q,i: score card(X_N)/(eps - e_theta(X_Q|X_i)) if "
        "e_theta < eps, else infinity; sigma = max over theta and i of the least score; return "
        "F(D) + sigma Z, Z ~ Lap(1).",
        {
            "S_Q,i has the empty quilt": "a score is at most T/eps, so that sigma is finite",
            "S_Q,i literally over pairs (a, b)": "nothing for i = 1 and i = T: no score, sigma "
            "infinite, nothing is released",
        },
    ),
    "alg-MQMExact": (
        "II-D",
        "Algorithm 1 with e_theta computed from Definition II.2.",
        {PRINTED: "e_theta may be infinite; then the score is infinite too"},
    ),
    "alg-MQMApprox": (
        "II-D",
        "Algorithm 1 with e_theta replaced by the bound of Lemma II.3.",
        {
            "one-sided quilts by the matching term, the empty one 0": "2 log(..a..) for {X_(i-a)}, "
            "log(..b..) for {X_(i+b)}",
            "below the threshold the bound is infinite": "the same, where a term's distance is too "
            "short for the lemma",
            "other quilts skipped": "records within the threshold of an end have no quilt: nothing "
            "is released",
        },
    ),
    "setup-parallel": (
        "III-A",
        "1 <= T1 < T2 < T3 < T4 <= T; M_A sees X_T1..X_T2 and is eps_A-Pufferfish for its secrets, "
        "M_B sees X_T3..X_T4 and is eps_B-Pufferfish for its own; (M_A, M_B) is released.",
        {PRINTED: "coins of M_A and M_B are independent of each other and of X"},
    ),
    "def-III2": (
        "Definition III.2",
        "X_Q is active for X_i and theta iff it has the least score over S_Q,i.",
        {"any minimiser": "several quilts may be active", "a fixed one": "the first in some order"},
    ),
    "def-III5": (
        "Definition III.5",
        "D_inf(p||q) = sup over the support of p of log p(x)/q(x), for p, q of the same support.",
        {PRINTED: "without the same support it would be infinite, or say nothing where p vanishes"},
    ),
}


def _define(name: str, where: str, statement: str, readings: dict[str, str]) -> None:
    @claim(f"song2017.{name}", where=where, statement=statement, kind="definition")
    def define(check: Check) -> None:
        for reading, sentence in readings.items():
            with check.reading(reading) as proof:
                proof.definition("definition", sentence)


for _name, (_where, _statement, _readings) in DEFINITIONS.items():
    _define(_name, _where, _statement, _readings)
