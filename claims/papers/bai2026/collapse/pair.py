"""Section 4, Example 1: the database beside a decoy of the other secret, drawn from the one prior.

p = theta(D1 | s1) and q = theta(D2 | s2) for databases of positive probability. Revealing times
rest on `waiting.py`.
"""

from sympy import Eq, Equivalent, Ne

from pufferproof.claims.language import Edit, Proof, above, at_least, letter, letters, proved
from pufferproof.claims.papers.bai2026.collapse.waiting import TWO_KINDS
from pufferproof.claims.papers.bai2026.statements import collapse
from pufferproof.claims.registry import Check, claim

SCOPE = "every prior on finitely many databases, at least two for each secret"
p = letter("p", "theta(D1 | s1)", above(0))
q = letter("q", "theta(D2 | s2) of a decoy D2, positive")
a, b, r = letters(
    "a b r", "probabilities of D1 and of D2 under other laws, or of the pair (D1, D2)", above(0)
)
m = letter("m", "the probability of the pair (D1, D2) on a database")
weight = letter("weight", "the probability of another database given its secret")
S, T = letters("S T", "P((D1, D2) | s1) and P((D1, D2) | s2), over the first databases")
e, f = letters("e f", "the numbers of two decoys")
y = letter("y", "the number of a database that allows both outputs")
most = letter("most", "at least every q; in the end the largest probability given a secret")
inverse = letter("inverse", "1/(1 - q)")
A = letter("A", "a sum over the first decoys: of q/(1 - q), or of q^2")
W = letter("W", "the sum of q over the first decoys")
excess = letter("excess", "a sum of terms that are not negative")
term = letter("term", "the next of these terms", at_least(0))
n = letter("n", "the number of decoys, the databases D with q_D > 0", at_least(2))
k = letter("k", "how many decoys were summed")
odds = letter("odds", "q/(1 - q)")
NOTATION = {
    "M*": "the mechanism of Example 1, whose outputs are pairs (D1, D2) of a database of s1 and "
    "one of s2",
    "s2": "the second secret, not s1",
    "theta": "the one prior, under which each secret has at least two databases of positive "
    "probability",
    "q_D": "q_D = theta(D | s2), the probability of the decoy D, for the databases D of s2 that "
    "are possible",
}
KINDS = (
    "decoys are drawn independently from theta(. | s2), which at least two databases share: 0 < "
    "q_D < 1"
)
POSSIBLE = ["the input has positive probability; the run that reveals is counted"]


@claim(
    "bai2026.ex1-mech",
    where="Section 4, Example 1",
    statement="Let s2 = not s1, Theta = {theta}, and let each of s1, s2 have at least two "
    "databases of positive probability. If s1 is true of D: draw D' from theta(. | s2), output "
    "(D, D'). If s2 is: draw D' from theta(. | s1), output (D', D).",
    kind="algorithm",
)
def ex1_mech(check: Check) -> None:
    """`models.mechanisms.collapse.pair_collapse`; nothing to decide."""
    with check.reading("as printed") as proof:
        proof.definition("the mechanism", "P((D1, D2) | D1) = q = theta(D2 | s2)", Eq(m, q))


@claim(
    "bai2026.ex1-zero",
    where="Section 4, Example 1",
    statement="P(s_i | M*(Data) = w, theta) = P(s_i | theta) for i = 1, 2 and every output w of "
    "positive probability; given s1, and given s2, the output (D1, D2) of M* has the "
    "probability theta(D1 | s1) theta(D2 | s2).",
    says=collapse.NOTHING_TOLD,
)
def ex1_zero(check: Check) -> None:
    """Only one database of each secret can give an output (D1, D2), and the two likelihoods are
    equal.
    """
    proved(
        check,
        "as printed",
        SCOPE,
        _zero,
        decoys_of_another_law=Edit("given s1: base", without=Eq(m, q), given=Eq(m, r)),
        judged_by_another_prior=[
            Edit("given s1: base", without=Eq(S, p * m), given=Eq(S, a * m)),
            Edit("given s2: base", without=Eq(T, q * m), given=Eq(T, b * m)),
        ],
    )


def _zero(proof: Proof) -> None:
    proof.induction(
        "given s1",
        "S = P((D1, D2) | s1) = sum over D of s1 of theta(D | s1) P((D1, D2) | D). D1 has weight p "
        "and draws D2 with probability m = q; any other D, with its weight, shows itself in the "
        "first place: m = 0",
        base=(Eq(S, p * q), [Eq(S, p * m), Eq(m, q), q > 0]),
        step=(Eq(S + weight * m, p * q), [Eq(S, p * q), Eq(m, 0), q > 0]),
    )
    proof.induction(
        "given s2",
        "T = P((D1, D2) | s2), likewise: D2 has weight q and draws D1 with probability m = p, "
        "others have m = 0",
        base=(Eq(T, p * q), [Eq(T, q * m), Eq(m, p), q > 0]),
        step=(Eq(T + weight * m, p * q), [Eq(T, p * q), Eq(m, 0), q > 0]),
    )
    proof.cite(
        "posterior equal to prior",
        "Equal likelihoods for two secrets that exclude each other and have total probability 1",
        "general.zero-leakage-partition",
    )


@claim(
    "bai2026.ex1-runs",
    where="Section 4, Example 1",
    statement="The expected number of independent runs of M* until the input is revealed is at "
    "most 1 + 1/(1 - max_D max_i theta(D | s_i)); for an input with s1, P(revealed at run k) = "
    "sum_D q_D^(k-1) (1 - q_D) for every k >= 2, q_D = theta(D | s2); as few as two runs can "
    "reveal.",
    assumes=POSSIBLE,
    says={
        "the bound on the expectation": collapse.RUNS_BOUND,
        "the law": collapse.RUNS_LAW,
        "two runs can reveal": collapse.TWO_RUNS,
    },
)
def ex1_runs(check: Check) -> None:
    """The first decoy that differs from the first one reveals; the expectation is 1 + sum q/(1
    - q), with q = q_D.
    """
    proved(
        check,
        "the bound on the expectation",
        SCOPE,
        _bounded,
        a_smaller_bound=Edit("at most the largest term: base", put={W: W * q}),
        an_average_instead_of_the_largest_probability=Edit(
            "at most the largest term", without=q <= most, given=most > 0
        ),
    )
    proved(
        check,
        "the law",
        SCOPE,
        _reveals,
        equal_decoys_reveal=Edit("two decoys reveal the input", without=Ne(e, f)),
    )
    proved(
        check,
        "two runs can reveal",
        SCOPE,
        _two_runs,
        a_single_decoy=Edit("revealed at the second run", without=most < 1, given=most <= 1),
    )


def _reveals(proof: Proof) -> None:
    proof.inequality(
        "two decoys reveal the input",
        "Number the databases. Outputs (x, e) and (x, f): a database y of s1 allows them only if y "
        "= x; one of s2 only if y = e and y = f, which is impossible for e other than f",
        ~(Eq(y, e) & Eq(y, f)),
        [Ne(e, f)],
    )
    proof.inequality(
        "equal decoys do not",
        "Outputs (x, e) in every run: the database y = e of s2 allows them as well, since P((x, e) "
        "| e) = theta(x | s1) = p > 0, and it has positive probability",
        p * q > 0,
        [q > 0, Eq(y, e)],
    )
    proof.cite(
        "the first decoy that differs from the first one",
        "Decoys are drawn independently, D with probability q_D: kinds of runs. N, the first run "
        "with another decoy than the first run, has E N = 1 + sum q/(1 - q)",
        "bai2026.x-two-kinds",
        met={TWO_KINDS: KINDS},
    )


def _bounded(proof: Proof) -> None:
    _reveals(proof)
    decoy = [Eq(inverse * (1 - q), 1), q > 0, q < 1, q <= most, most < 1]
    proof.induction(
        "at most the largest term",
        "E N - 1 = A, the sum of q/(1 - q), with inverse = 1/(1 - q). W is the sum of q: A (1 - "
        "most) <= W for most at least every q; in the end W = 1, and most may be the larger of the "
        "two secrets' largest probabilities",
        base=(A * (1 - most) <= W, [Eq(A, q * inverse), Eq(W, q), *decoy]),
        step=((A + q * inverse) * (1 - most) <= W + q, [A * (1 - most) <= W, *decoy]),
    )
    proof.inequality(
        "the bound",
        "With W = 1",
        1 + A <= 1 + 1 / (1 - most),
        [A * (1 - most) <= W, Eq(W, 1), most < 1, most > 0],
    )


def _two_runs(proof: Proof) -> None:
    _reveals(proof)
    proof.induction(
        "the same decoy twice",
        "A is the sum of q^2 and W the sum of q over the first decoys: A <= most W, most the "
        "largest q, below 1 as there are two",
        base=(A <= most * W, [Eq(A, q**2), Eq(W, q), q > 0, q <= most]),
        step=(A + q**2 <= most * (W + q), [A <= most * W, q > 0, q <= most]),
    )
    proof.inequality(
        "revealed at the second run", "1 - A > 0", 1 - A > 0, [A <= most * W, Eq(W, 1), most < 1]
    )


@claim(
    "bai2026.x-ex1-expectation",
    where="Section 4, Example 1 (a question of ours: when the bound is attained)",
    statement="For the mechanism of Example 1 and every input with s1 the expected number of "
    "independent runs until the input is revealed is 1 + sum_D q_D/(1 - q_D), q_D = theta(D | "
    "s2). It is at least 1 + n/(n - 1), and it equals the printed bound 1 + 1/(1 - m), m = "
    "max_D max_i theta(D | s_i), iff every q_D > 0 is m. For an input with s2 the same holds "
    "with s1 and s2 exchanged.",
    assumes=POSSIBLE,
    says={
        "when the bound is attained": collapse.RUNS_ATTAINED,
        "at least 1 + n/(n - 1)": collapse.RUNS_AT_LEAST,
    },
)
def ex1_expectation(check: Check) -> None:
    """Exact value, its smallest value for a number of decoys, and the case of equality."""
    proved(
        check,
        "when the bound is attained",
        SCOPE,
        _attained,
        attained_with_a_smaller_probability=Edit("each term", put={Eq(q, most): q <= most}),
    )
    proved(
        check,
        "at least 1 + n/(n - 1)",
        SCOPE,
        _least,
        a_larger_lower_bound=Edit("all decoys", put={n / (n - 1): (n + 1) / (n - 1)}),
    )


def _attained(proof: Proof) -> None:
    _reveals(proof)
    difference = q / (1 - most) - q / (1 - q)
    proof.inequality(
        "each term",
        "The bound 1 + 1/(1 - most) exceeds E N by the sum of q/(1 - most) - q/(1 - q) over the "
        "decoys, as the q sum to 1. No term is negative, and a term is 0 iff q = most",
        (difference >= 0) & Equivalent(Eq(difference, 0), Eq(q, most)),
        [q > 0, q <= most, most < 1],
    )
    proof.induction(
        "a sum of terms that are not negative",
        "excess is the sum of the first terms: with the next it is 0 iff every term is",
        base=(Equivalent(Eq(excess, 0), Eq(term, 0)) & (excess >= 0), [Eq(excess, term)]),
        step=(
            Equivalent(Eq(excess + term, 0), Eq(excess, 0) & Eq(term, 0)) & (excess + term >= 0),
            [excess >= 0],
        ),
    )


def _least(proof: Proof) -> None:
    _reveals(proof)
    tangent = 1 / (n - 1) + n * (n * q - 1) / (n - 1) ** 2
    below = k / (n - 1) + n * (n * W - k) / (n - 1) ** 2
    proof.inequality(
        "above the tangent",
        "q/(1 - q) lies above its tangent at q = 1/n",
        q / (1 - q) >= tangent,
        [q > 0, q < 1],
    )
    proof.induction(
        "the sum of tangents",
        "A and W are the sums of q/(1 - q) = odds and of q over the first k decoys",
        base=(A >= below, [Eq(A, odds), Eq(W, q), Eq(k, 1), odds >= tangent]),
        step=(
            A + odds >= below.subs({W: W + q, k: k + 1}, simultaneous=True),
            [A >= below, odds >= tangent],
        ),
    )
    proof.inequality(
        "all decoys", "k = n and W = 1", A >= n / (n - 1), [A >= below, Eq(k, n), Eq(W, 1)]
    )
