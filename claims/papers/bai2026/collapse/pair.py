"""Section 4, Example 1: the database beside a decoy of the other secret, drawn from the one prior.

p = theta(D1 | s1) and q = theta(D2 | s2) for databases of positive probability. Revealing times
rest on `collapse_waiting.py`.
"""

from functools import partial

import sympy

from pufferproof.claims.language import proved
from pufferproof.claims.papers.bai2026.collapse.waiting import TWO_KINDS
from pufferproof.claims.registry import Check, claim
from pufferproof.verify.proof.argument import Argument

SCOPE = "every prior on finitely many databases, at least two for each secret"
A, W, m, p, q, r, w = sympy.symbols("A W m p q r w")
NOTATION = {
    "M*": "the mechanism of Example 1, whose outputs are pairs (D1, D2) of a database of s1 and "
    "one of s2",
    "s2": "the second secret, not s1",
    "theta": "the one prior, under which each secret has at least two databases of positive "
    "probability",
    "q_D": "q_D = theta(D | s2), the probability of the decoy D, for the databases D of s2 that "
    "are possible",
    "n": "the number of decoys, the databases D with q_D > 0",
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
    with check.reading("as printed") as argument:
        argument.definition(
            "the mechanism", "P((D1, D2) | D1) = q = theta(D2 | s2)", sympy.Eq(r, q)
        )


@claim(
    "bai2026.ex1-zero",
    where="Section 4, Example 1",
    statement="P(s_i | M*(Data) = w, theta) = P(s_i | theta) for i = 1, 2 and every output w of "
    "positive probability; given s1, and given s2, the output (D1, D2) of M* has the "
    "probability theta(D1 | s1) theta(D2 | s2).",
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
        decoys_of_another_law=partial(_zero, other=True),
        judged_by_another_prior=partial(_zero, judged=True),
    )


def _zero(argument: Argument, other: bool = False, judged: bool = False) -> None:
    a, b, S, T = sympy.symbols("a b S T")
    seen_p, seen_q = (a, b) if judged else (p, q)
    positive = [p > 0, q > 0, a > 0, b > 0, r > 0]
    argument.induction(
        "given s1",
        "S = P((D1, D2) | s1) = sum over D of s1 of theta(D | s1) P((D1, D2) | D). D1 has weight p "
        "and draws D2 with probability m = q; any other D, of weight w, shows itself in the first "
        "place: m = 0",
        base=(
            sympy.Eq(S, p * q),
            [sympy.Eq(S, seen_p * m), sympy.Eq(m, r if other else q), *positive],
        ),
        step=(sympy.Eq(S + w * m, p * q), [sympy.Eq(S, p * q), sympy.Eq(m, 0), *positive]),
    )
    argument.induction(
        "given s2",
        "T = P((D1, D2) | s2), likewise: D2 has weight q and draws D1 with probability m = p, "
        "others have m = 0",
        base=(sympy.Eq(T, p * q), [sympy.Eq(T, seen_q * m), sympy.Eq(m, p), *positive]),
        step=(sympy.Eq(T + w * m, p * q), [sympy.Eq(T, p * q), sympy.Eq(m, 0), *positive]),
    )
    argument.cite(
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
        a_smaller_bound=partial(_bounded, saved=True),
        an_average_instead_of_the_largest_probability=partial(_bounded, average=True),
    )
    proved(
        check,
        "the law",
        SCOPE,
        _reveals,
        equal_decoys_reveal=partial(_reveals, equal=True),
    )
    proved(
        check,
        "two runs can reveal",
        SCOPE,
        _two_runs,
        a_single_decoy=partial(_two_runs, single=True),
    )


def _reveals(argument: Argument, equal: bool = False) -> None:
    y, e, f = sympy.symbols("y e f")
    different = [] if equal else [sympy.Ne(e, f)]
    argument.inequality(
        "two decoys reveal the input",
        "Number the databases. Outputs (x, e) and (x, f): a database y of s1 allows them only if y "
        "= x; one of s2 only if y = e and y = f, which is impossible for e other than f",
        ~(sympy.Eq(y, e) & sympy.Eq(y, f)),
        different,
    )
    argument.inequality(
        "equal decoys do not",
        "Outputs (x, e) in every run: the database y = e of s2 allows them as well, since P((x, e) "
        "| e) = theta(x | s1) = p > 0, and it has positive probability",
        p * q > 0,
        [p > 0, q > 0, sympy.Eq(y, e)],
    )
    argument.cite(
        "the first decoy that differs from the first one",
        "Decoys are drawn independently, D with probability q_D: kinds of runs. N, the first run "
        "with another decoy than the first run, has E N = 1 + sum q/(1 - q)",
        "bai2026.x-two-kinds",
        met={TWO_KINDS: KINDS},
    )


def _bounded(argument: Argument, saved: bool = False, average: bool = False) -> None:
    _reveals(argument)
    largest = [m < 1, m > 0] if average else [q <= m, m < 1]
    argument.induction(
        "at most the largest term",
        "E N - 1 = A, the sum of q r with r = 1/(1 - q). W is the sum of q: A (1 - m) <= W for m "
        "at least every q; in the end W = 1, and m may be the larger of the two secrets' largest "
        "probabilities",
        base=(
            A * (1 - m) <= W * (q if saved else 1),
            [sympy.Eq(A, q * r), sympy.Eq(W, q), sympy.Eq(r * (1 - q), 1), q > 0, q < 1, *largest],
        ),
        step=(
            (A + q * r) * (1 - m) <= W + q,
            [A * (1 - m) <= W, sympy.Eq(r * (1 - q), 1), q > 0, q < 1, *largest],
        ),
    )
    argument.inequality(
        "the bound",
        "With W = 1",
        1 + A <= 1 + 1 / (1 - m),
        [A * (1 - m) <= W, sympy.Eq(W, 1), m < 1, m > 0],
    )


def _two_runs(argument: Argument, single: bool = False) -> None:
    _reveals(argument)
    argument.induction(
        "the same decoy twice",
        "A is the sum of q^2 and W the sum of q over the first decoys: A <= m W, m the largest q, "
        "below 1 as there are two",
        base=(A <= m * W, [sympy.Eq(A, q**2), sympy.Eq(W, q), q > 0, q <= m]),
        step=(A + q**2 <= m * (W + q), [A <= m * W, q > 0, q <= m]),
    )
    argument.inequality(
        "revealed at the second run",
        "1 - A > 0",
        1 - A > 0,
        [A <= m * W, sympy.Eq(W, 1), (m <= 1) if single else (m < 1)],
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
)
def ex1_expectation(check: Check) -> None:
    """Exact value, its smallest value for a number of decoys, and the case of equality."""
    proved(
        check,
        "when the bound is attained",
        SCOPE,
        _attained,
        attained_with_a_smaller_probability=partial(_attained, weak=True),
    )
    proved(
        check,
        "at least 1 + n/(n - 1)",
        SCOPE,
        _least,
        a_larger_lower_bound=partial(_least, more=True),
    )


def _attained(argument: Argument, weak: bool = False) -> None:
    _reveals(argument)
    term = q / (1 - m) - q / (1 - q)
    argument.inequality(
        "each term",
        "The bound 1 + 1/(1 - m) exceeds E N by the sum of q/(1 - m) - q/(1 - q) over the decoys, "
        "as the q sum to 1. No term is negative, and a term is 0 iff q = m",
        (term >= 0) & sympy.Equivalent(sympy.Eq(term, 0), (q <= m) if weak else sympy.Eq(q, m)),
        [q > 0, q <= m, m < 1],
    )
    argument.induction(
        "a sum of terms that are not negative",
        "A is the sum of the first terms and w the next: the sum is 0 iff every term is",
        base=(
            sympy.Equivalent(sympy.Eq(A, 0), sympy.Eq(w, 0)) & (A >= 0),
            [sympy.Eq(A, w), w >= 0],
        ),
        step=(
            sympy.Equivalent(sympy.Eq(A + w, 0), sympy.Eq(A, 0) & sympy.Eq(w, 0)) & (A + w >= 0),
            [A >= 0, w >= 0],
        ),
    )


def _least(argument: Argument, more: bool = False) -> None:
    n, k = sympy.symbols("n k")
    _reveals(argument)
    tangent = 1 / (n - 1) + n * (n * q - 1) / (n - 1) ** 2
    below = k / (n - 1) + n * (n * W - k) / (n - 1) ** 2
    argument.inequality(
        "above the tangent",
        "q/(1 - q) lies above its tangent at q = 1/n",
        q / (1 - q) >= tangent,
        [q > 0, q < 1, n >= 2],
    )
    argument.induction(
        "the sum of tangents",
        "A and W are the sums of q/(1 - q) = r and of q over the first k decoys",
        base=(A >= below, [sympy.Eq(A, r), sympy.Eq(W, q), sympy.Eq(k, 1), r >= tangent, n >= 2]),
        step=(
            A + r >= below.subs({W: W + q, k: k + 1}, simultaneous=True),
            [A >= below, r >= tangent, n >= 2],
        ),
    )
    argument.inequality(
        "all decoys",
        "k = n and W = 1",
        A >= (n + 1 if more else n) / (n - 1),
        [A >= below, sympy.Eq(k, n), sympy.Eq(W, 1), n >= 2],
    )
