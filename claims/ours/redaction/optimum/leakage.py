"""Leakage by messages: extreme likelihood ratios are passed from record to record, for any local
mechanism.

Source of the setting: massny2025, definition 1; the claims are ours.
"""

import sympy
from sympy import And, Eq, Implies

from pufferproof.claims.language import Edit, Proof, above, at_least, below, letter, letters, proved
from pufferproof.claims.ours.redaction.notation import SETTING
from pufferproof.claims.ours.redaction.statements.leakages import (
    EVENTS,
    MESSAGES,
)
from pufferproof.claims.registry import Check, claim

R = letter("R", "e to a level", at_least(1))
a, b = letters("a b", "P(X_(t+1) = 1 | X_t = 0), P(X_(t+1) = 0 | X_t = 1)", above(0), below(1))
f, g = letters("f g", "likelihoods of an output behind a record given its values 0 and 1")
u, v = letters("u v", "those of the output with the least ratio")
x, y = letters("x y", "those of the output with the largest ratio")
F, G = letters("F G", "the images of f, g under one step")
U, V = letters("U V", "the images of u, v")
X, Y = letters("X Y", "the images of x, y")
k, j = letters("k j", "probabilities of a symbol of a record given its values 0 and 1", at_least(0))
own = letter("own", "the ratio of X_p's own symbol", at_least(0))
left, right = letters("left right", "ratios of outputs of the left and of the right side", above(0))
left_most, right_most = letters(
    "left_most right_most", "the largest ratios of the left and of the right side"
)
right_least = letter("right_least", "the least ratio of the right side")
entry1, entry2 = letters("entry1 entry2", "entries of a column for x and for x'", at_least(0))
event1, event2 = letters(
    "event1 event2", "probabilities of an event with its output given X_p = x and X_p = x'"
)
shown = letter("shown", "1 - r(z), the probability that the value z is shown", above(0))
behind, beside = letters(
    "behind beside",
    "probabilities of what lies behind the record, for its value z and for another one",
    above(0),
)
CHAINS = (
    "all chains of bits with probabilities in (0, 1), which may differ from step to step, every n "
    "and p"
)
NOTATION = {
    **SETTING,
    "y_>t": "what the records behind t show, those farther from p",
    "|Y|": "the number of symbols that a record may show",
    "x, x'": "values of X_p",
}


@claim(
    "redaction.messages",
    where="Exact leakage",
    statement="Any local mechanism on a chain of bits with all transition probabilities in (0, 1): "
    "the extreme ratios P(y_>t | X_t=0)/P(y_>t | X_t=1) over outputs y_>t of positive "
    "probability follow from those at t+1, one symbol at a time: they are among the images of "
    "the two extremes. So 2 |Y| candidates per record give the exact leakage, for either sign "
    "of the eigenvalue.",
    says=MESSAGES,
)
def messages(check: Check) -> None:
    """Prove it by the monotone Moebius map of one step, by induction from the end of the chain."""
    name = "every local mechanism"
    proved(
        check,
        name,
        CHAINS,
        _every_mechanism,
        **{
            "order kept for lam < 0 too": Edit(
                "every output lies between the images: step",
                put={REVERSED: KEPT},
            ),
            "largest left with least right ratio": Edit(
                "the leakage",
                put={right_most: right_least},
                given=[right_least <= right_most, right_least > 0],
            ),
        },
    )


def _every_mechanism(proof: Proof) -> None:
    _images(proof)
    _extremes(proof)
    _whole(proof)


def _images(proof: Proof) -> None:
    first = (1 - a) * k * u + a * j * v, b * k * u + (1 - b) * j * v
    second = (1 - a) * k * f + a * j * g, b * k * f + (1 - b) * j * g
    proof.cite(
        "one step",
        "P(y_>t | X_t=z) is the sum over X_t+1 of its probability times that of the symbol there "
        "times the likelihood of the rest",
        "lemma.finite-sums",
    )
    proof.identity(
        "determinant",
        "of the images of two pairs: the sign of lam = 1 - a - b decides whether their order is "
        "kept",
        first[0] * second[1] - first[1] * second[0],
        k * j * (1 - a - b) * (u * g - v * f),
    )


PAIRS = ((F, G, f, g), (U, V, u, v), (X, Y, x, y))
SOME_SYMBOL = k + j > 0
LAM = 1 - a - b
IMAGES = [
    Eq(image0, (1 - a) * k * zero + a * j * one) & Eq(image1, b * k * zero + (1 - b) * j * one)
    for image0, image1, zero, one in PAIRS
]
DETERMINANTS = [
    Eq(U * G - F * V, k * j * LAM * (u * g - f * v)),
    Eq(F * Y - X * G, k * j * LAM * (f * y - x * g)),
]
BETWEEN = [u * g <= f * v, f * y <= x * g]  # u/v <= f/g <= x/y
KEPT, REVERSED = And(U * G <= F * V, F * Y <= X * G), And(X * G <= F * Y, F * V <= U * G)


def _extremes(proof: Proof) -> None:
    pairs = [each > 0 for each in (f, g, u, v, x, y)]
    images = [each > 0 for each in (F, G, U, V, X, Y)]
    proof.induction(
        "every output lies between the images",
        "base: behind the last record the pair is (1, 1). Step: u/v <= f/g <= x/y at t+1, all "
        "positive; then the same at t, in the same order for lam >= 0 and reversed for lam <= 0; "
        "all stay positive",
        base=(And(*BETWEEN, f > 0), [Eq(each, 1) for each in (f, g, u, v, x, y)]),
        step=(
            And(Implies(LAM >= 0, KEPT), Implies(LAM <= 0, REVERSED), *images),
            [*IMAGES, *DETERMINANTS, SOME_SYMBOL, *BETWEEN, *pairs, a > 0],
        ),
    )
    proof.inequality(
        "over all symbols",
        "s <= f/g <= t for the images of one symbol, s' <= s and t <= t' for the extremes over "
        "symbols",
        And(U * g <= f * V, f * Y <= X * g),
        [*BETWEEN, U * v <= u * V, x * Y <= X * y, *pairs, *images[2:]],
    )


def _whole(proof: Proof) -> None:
    proof.cite(
        "both sides of p",
        "are independent given X_p, and each coordinate is processed by itself",
        "lemma.finite-sums",
    )
    proof.inequality(
        "attained",
        "the extremes belong to outputs (u, v), and the symbol before them gives an output of "
        "positive probability, as the image is positive",
        And((1 - a) * k * u + a * j * v > 0, b * k * u + (1 - b) * j * v > 0),
        [SOME_SYMBOL, u > 0, v > 0],
    )
    proof.inequality(
        "the leakage",
        "own/j is the ratio of X_p's own symbol, left <= left_most and right <= right_most the "
        "ratios of the sides with the largest ones left_most, right_most: the whole ratio is at "
        "most their product, which is attained. Toward X_p = 1 the same with inverses",
        own * left * right <= own * left_most * right_most,
        [left <= left_most, right <= right_most],
    )


@claim(
    "redaction.events",
    where="Exact leakage",
    statement="A local redaction mechanism on a stationary chain over any finite alphabet, X_p "
    "redacted, P the matrix of one step away from p (left of p that of the reversed chain), "
    "r_d(z) the probability that the value z is redacted at distance d: on each side the "
    "ratios of P(y|X_p=x) and P(y|X_p=x') over the outputs y that occur are those of the "
    "events (d, z) - the nearest released record is at distance d and has the value z - and of "
    "the event that nothing is released. The probabilities of (d, z) are column z of M_d times "
    "1 - r_d(z), where M_1 = P and M_(d+1) = M_d diag(r_d) P; that of nothing is M_m r_m, m "
    "the distance of the last record.",
    kind="lemma",
    says=EVENTS,
)
def events(check: Check) -> None:
    """Prove that what lies behind a released record is a common factor."""
    name = "as stated"
    proved(
        check,
        name,
        "every finite alphabet, every chain, n and p",
        _nearest,
        a_record_shown_with_two_values=Edit(
            "behind a released record",
            without=Eq(event2, entry2 * shown * behind),
            given=Eq(event2, entry2 * shown * beside),
        ),
    )


def _nearest(proof: Proof) -> None:
    proof.cite(
        "total probability",
        "P(y, X_d = z | X_p = x) with everything nearer redacted is the entry F of M_d diag(r) "
        "P: a sum over the value w at the record before",
        "lemma.finite-sums",
    )
    _behind(proof)


def _behind(proof: Proof) -> None:
    proof.inequality(
        "behind a released record",
        "Given X_d = z what lies behind does not depend on X_p: its probability behind > 0, times "
        "1 - r(z) = shown > 0, is a common factor of entry1, entry2, the entries of column z for "
        "x and x': event1 = entry1 shown behind and event2 = entry2 shown behind have their "
        "ratio, 0 and infinity included, and keep the same levels R",
        And(
            Eq(event1 * entry2, event2 * entry1),
            sympy.Equivalent(event1 <= R * event2, entry1 <= R * entry2),
            sympy.Equivalent(event2 <= R * event1, entry2 <= R * entry1),
        ),
        [
            Eq(event1, entry1 * shown * behind),
            Eq(event2, entry2 * shown * behind),
            entry1 + entry2 > 0,
        ],
    )
