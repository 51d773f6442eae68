"""How many independent runs it takes to see two different kinds of result: the law behind the
revealing times of Section 4.

Each run is of kind D with probability q_D > 0; N is the first run of another kind than the first
run. The kinds are the decoys of Example 1, the types of Example 2, the two outputs that a database
has in Example 3.
"""

from functools import partial

import sympy

from pufferproof.claims.language import proved
from pufferproof.claims.registry import Check, claim
from pufferproof.verify.proof.argument import Argument

SCOPE = "any finite number of kinds, at least two"
d, e, k, q, r, s, v, w = sympy.symbols("d e k q r s v w")
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
)
def two_kinds(check: Check) -> None:
    """The law term by term; the expectation by closed partial sums and a remainder that tends
    to 0.
    """
    proved(check, "the law", SCOPE, _law, a_run_too_late=partial(_law, late=True))
    proved(
        check,
        "the expectation",
        SCOPE,
        _expectation,
        the_first_run_not_counted=partial(_expectation, uncounted=True),
        one_kind_only=partial(_expectation, single=True),
    )


def _law(argument: Argument, late: bool = False) -> None:
    argument.induction(
        "the first k runs are all of one kind",
        "By independence v = q^k is the probability that the first k runs are of the kind with "
        "probability q, and r the probability that they are and the next is not: r = v (1 - q). "
        "One more run of that kind multiplies both by q",
        base=(
            sympy.Eq(r, (q * v if late else v) * (1 - q)),
            [sympy.Eq(v, q), sympy.Eq(r, q * (1 - q)), q > 0, q < 1],
        ),
        step=(sympy.Eq(r * q, v * q * (1 - q)), [sympy.Eq(r, v * (1 - q)), q > 0, q < 1]),
    )
    argument.cite(
        "over all kinds",
        "The events for different kinds of the first run exclude each other: P(N = k) is the sum "
        "of their probabilities",
        "lemma.finite-sums",
    )


def _expectation(argument: Argument, uncounted: bool = False, single: bool = False) -> None:
    A, B = sympy.symbols("A B")
    argument.induction(
        "closed partial sums",
        "s is the sum of j q^(j-1) (1 - q) over j = 2 .. k, for one kind, and v = q^k: s (1 - q) = "
        "q (2 - q) - v (k + 1 - k q)",
        base=(
            sympy.Eq(s * (1 - q), q * (2 - q) - v * (k + 1 - k * q)),
            [sympy.Eq(s, 0), sympy.Eq(k, 1), sympy.Eq(v, q)],
        ),
        step=(
            sympy.Eq(
                (s + (k + 1) * v * (1 - q)) * (1 - q), q * (2 - q) - v * q * (k + 2 - (k + 1) * q)
            ),
            [sympy.Eq(s * (1 - q), q * (2 - q) - v * (k + 1 - k * q))],
        ),
    )
    _remainder(argument)
    below = q <= 1 if single else q < 1
    first = 0 if uncounted else q
    argument.induction(
        "over all kinds",
        "So the sum over all k >= 2 is q (2 - q)/(1 - q) for each kind. A is the sum of these "
        "numbers over the first kinds, s of q and B of q/(1 - q): A = s + B; in the end s = 1. The "
        "limit of finitely many sums is the sum of their limits",
        base=(
            sympy.Eq(A, s + B),
            [
                sympy.Eq(A, q * (2 - q) / (1 - q)),
                sympy.Eq(s, first),
                sympy.Eq(B, q / (1 - q)),
                q > 0,
                below,
            ],
        ),
        step=(
            sympy.Eq(A + q * (2 - q) / (1 - q), (s + first) + (B + q / (1 - q))),
            [sympy.Eq(A, s + B), q > 0, below],
        ),
    )


def _remainder(argument: Argument) -> None:
    """Prove that v (k + 1 - k q) tends to 0, with q = 1/(1 + d)."""
    square = 1 + k * d + k * (k - 1) * d**2 / 2
    argument.induction(
        "powers grow faster than squares",
        "With d = 1/q - 1 > 0, r = (1 + d)^k is at least 1 + k d + k (k-1)/2 d^2",
        base=(r >= square, [sympy.Eq(r, 1 + d), sympy.Eq(k, 1), d > 0]),
        step=(r * (1 + d) >= square.subs(k, k + 1), [r >= square, k >= 1, d > 0]),
    )
    argument.inequality(
        "far enough",
        "For any e > 0 let k - 1 be at least 2 (1 + d)/(e d^2)",
        (e * r >= 1 + k * d) & (k - 1 >= 2 * (1 + d) / (e * d**2)),
        [r >= square, k >= 1, (k - 1) * e * d**2 >= 2 * (1 + d), e > 0, d > 0],
    )
    argument.inequality(
        "the remainder",
        "v = q^k = 1/r and q = 1/(1 + d), so that w = v (k + 1 - k q) = v (1 + k d/(1 + d)) is at "
        "most v (1 + k d), hence e",
        (w <= e) & (w >= 0),
        [
            *[
                sympy.Eq(v * r, 1),
                sympy.Eq(q * (1 + d), 1),
                sympy.Eq(w, v * (k + 1 - k * q)),
                e * r >= 1 + k * d,
            ],
            *[r > 0, k >= 1, e > 0, d > 0],
        ],
    )
