"""How many independent runs it takes to see two different kinds of result: the law behind the
revealing times of Section 4.

Each run is of kind D with probability q_D > 0; N is the first run of another kind than the first
run. The kinds are the decoys of Example 1, the types of Example 2, the two outputs that a database
has in Example 3.
"""

from sympy import Eq

from pufferproof.claims.language import Edit, Proof, above, letter, letters, proved
from pufferproof.claims.papers.bai2026.statements import collapse
from pufferproof.claims.registry import Check, claim

SCOPE = "any finite number of kinds, at least two"
q = letter("q", "q_D, the probability that a run is of the kind D")
v = letter("v", "q^k, the probability that the first k runs are of the kind D")
turn = letter("turn", "the probability that the first k runs are of the kind D and the next is not")
k = letter("k", "a number of runs")
s = letter("s", "the sum of j q^(j-1) (1 - q) over j = 2 .. k, for one kind")
total = letter("total", "the sum over the first kinds of the expectations that k tends to")
Q, B = letters("Q B", "the sums of q and of q/(1 - q) over the first kinds")
d = letter("d", "1/q - 1", above(0))
power = letter("power", "(1 + d)^k = 1/q^k")
e = letter("e", "any bound of the remainder", above(0))
rest = letter("rest", "the remainder v (k + 1 - k q)")
TWO_KINDS = "runs are independent and of kind D with probability q_D, 0 < q_D < 1, sum_D q_D = 1"
"""What the law of the revealing time assumes."""
NOTATION = {
    "D": "a kind of result of a run, one of finitely many",
    "q_D": "the probability that a run is of kind D",
    "N": "the number of the first run whose kind is not that of the first run",
    "E N": "the expectation of N",
}


@claim(
    "bai2026.x-two-kinds",
    where="Section 4 (a question of ours: the exact law of the revealing time)",
    statement="Let N be the number of the first run whose kind differs from that of the first run. "
    "Then P(N = k) = sum_D q_D^(k-1) (1 - q_D) for every k >= 2, and E N = 1 + sum_D q_D / (1 "
    "- q_D), which is finite.",
    assumes=[TWO_KINDS],
    says={"the law": collapse.TWO_KINDS_LAW, "the expectation": collapse.TWO_KINDS_MEAN},
)
def two_kinds(check: Check) -> None:
    """The law term by term; the expectation by closed partial sums and a remainder that tends
    to 0.
    """
    late = Edit("the first k runs are all of one kind: base", put={v * (1 - q): q * v * (1 - q)})
    proved(check, "the law", SCOPE, _law, a_run_too_late=late)
    proved(
        check,
        "the expectation",
        SCOPE,
        _expectation,
        the_first_run_not_counted=[
            Edit("over all kinds: base", without=Eq(Q, q), given=Eq(Q, 0)),
            Edit("over all kinds: step", put={Q: Q - q}),
        ],
        one_kind_only=Edit("over all kinds", without=q < 1, given=q <= 1),
    )


def _law(proof: Proof) -> None:
    proof.induction(
        "the first k runs are all of one kind",
        "By independence v = q^k is the probability that the first k runs are of the kind with "
        "probability q, and turn the probability that they are and the next is not: turn = v (1 - "
        "q). One more run of that kind multiplies both by q",
        base=(Eq(turn, v * (1 - q)), [Eq(v, q), Eq(turn, q * (1 - q)), q > 0, q < 1]),
        step=(Eq(turn * q, v * q * (1 - q)), [Eq(turn, v * (1 - q)), q > 0, q < 1]),
    )
    proof.cite(
        "over all kinds",
        "The events for different kinds of the first run exclude each other: P(N = k) is the sum "
        "of their probabilities",
        "lemma.finite-sums",
    )


def _expectation(proof: Proof) -> None:
    closed = Eq(s * (1 - q), q * (2 - q) - v * (k + 1 - k * q))
    longer = (s + (k + 1) * v * (1 - q)) * (1 - q)
    proof.induction(
        "closed partial sums",
        "s is the sum of j q^(j-1) (1 - q) over j = 2 .. k, for one kind, and v = q^k: s (1 - q) = "
        "q (2 - q) - v (k + 1 - k q)",
        base=(closed, [Eq(s, 0), Eq(k, 1), Eq(v, q)]),
        step=(Eq(longer, q * (2 - q) - v * q * (k + 2 - (k + 1) * q)), [closed]),
    )
    _remainder(proof)
    limit = q * (2 - q) / (1 - q)
    proof.induction(
        "over all kinds",
        "So the sum over all k >= 2 is q (2 - q)/(1 - q) for each kind. total is the sum of these "
        "numbers over the first kinds, Q of q and B of q/(1 - q): total = Q + B; in the end Q = 1. "
        "The limit of finitely many sums is the sum of their limits",
        base=(Eq(total, Q + B), [Eq(total, limit), Eq(Q, q), Eq(B, q / (1 - q)), q > 0, q < 1]),
        step=(Eq(total + limit, (Q + q) + (B + q / (1 - q))), [Eq(total, Q + B), q > 0, q < 1]),
    )


def _remainder(proof: Proof) -> None:
    """Prove that v (k + 1 - k q) tends to 0, with q = 1/(1 + d)."""
    square = 1 + k * d + k * (k - 1) * d**2 / 2
    proof.induction(
        "powers grow faster than squares",
        "With d = 1/q - 1 > 0, power = (1 + d)^k is at least 1 + k d + k (k-1)/2 d^2",
        base=(power >= square, [Eq(power, 1 + d), Eq(k, 1)]),
        step=(power * (1 + d) >= square.subs(k, k + 1), [power >= square, k >= 1]),
    )
    proof.inequality(
        "far enough",
        "For any e > 0 let k - 1 be at least 2 (1 + d)/(e d^2)",
        (e * power >= 1 + k * d) & (k - 1 >= 2 * (1 + d) / (e * d**2)),
        [power >= square, k >= 1, (k - 1) * e * d**2 >= 2 * (1 + d)],
    )
    proof.inequality(
        "the remainder",
        "v = q^k = 1/power and q = 1/(1 + d), so that the remainder v (k + 1 - k q) = v (1 + k "
        "d/(1 + d)) is at most v (1 + k d), hence e",
        (rest <= e) & (rest >= 0),
        [
            Eq(v * power, 1),
            Eq(q * (1 + d), 1),
            Eq(rest, v * (k + 1 - k * q)),
            e * power >= 1 + k * d,
            power > 0,
            k >= 1,
        ],
    )
