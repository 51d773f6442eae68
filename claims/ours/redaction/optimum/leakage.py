"""Leakage by messages: extreme likelihood ratios are passed from record to record, for any local
mechanism.

Letters: (f, g) is the likelihood of what later records show given X_t = 0 and 1; (u, v) and (x, y)
the pairs with the least and the largest ratio; (k, j) the probabilities of a symbol given the
values 0 and 1 of one record. Source of the setting: massny2025, definition 1; the claims are ours.
"""

from functools import partial

import sympy
from sympy import And, Eq, Implies

from pufferproof.claims.ours.redaction.notation import SETTING
from pufferproof.claims.registry import Check, claim
from pufferproof.verify.proof.argument import Argument

a, b, e, f, g, h, j, k, s, t, u, v, x, y, z = sympy.symbols("a b e f g h j k s t u v x y z")
F, G, R, U, V, X, Y = sympy.symbols("F G R U V X Y")
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
)
def messages(check: Check) -> None:
    """Prove it by the monotone Moebius map of one step, by induction from the end of the chain."""
    name = "every local mechanism"
    with check.reading(name, CHAINS) as argument:
        _images(argument)
        _extremes(argument)
        _whole(argument)
    check.near_miss(f"{name}: order kept for lam < 0 too", partial(_extremes, kept=True))
    check.near_miss(f"{name}: largest left with least right ratio", partial(_whole, mixed=True))


def _images(argument: Argument) -> None:
    first = (1 - a) * k * u + a * j * v, b * k * u + (1 - b) * j * v
    second = (1 - a) * k * f + a * j * g, b * k * f + (1 - b) * j * g
    argument.cite(
        "one step",
        "P(y_>t | X_t=z) is the sum over X_t+1 of its probability times that of the symbol there "
        "times the likelihood of the rest",
        "lemma.finite-sums",
    )
    argument.identity(
        "determinant",
        "of the images of two pairs: the sign of lam = 1 - a - b decides whether their order is "
        "kept",
        first[0] * second[1] - first[1] * second[0],
        k * j * (1 - a - b) * (u * g - v * f),
    )


_STEP = [a > 0, a < 1, b > 0, b < 1, k >= 0, j >= 0, k + j > 0]


def _extremes(argument: Argument, kept: bool = False) -> None:
    """(F, G), (U, V), (X, Y) are the images of (f, g), (u, v), (x, y)."""
    images = [
        Eq(left, (1 - a) * k * first + a * j * second)
        & Eq(right, b * k * first + (1 - b) * j * second)
        for left, right, first, second in ((F, G, f, g), (U, V, u, v), (X, Y, x, y))
    ]
    up, down, lam = (
        And(U * G <= F * V, F * Y <= X * G),
        And(X * G <= F * Y, F * V <= U * G),
        1 - a - b,
    )
    determinants = [
        Eq(U * G - F * V, k * j * lam * (u * g - f * v)),
        Eq(F * Y - X * G, k * j * lam * (f * y - x * g)),
    ]
    argument.induction(
        "every output lies between the images",
        "base: behind the last record the pair is (1, 1). Step: u/v <= f/g <= x/y at t+1, all "
        "positive; then the same at t, in the same order for lam >= 0 and reversed for lam <= 0; "
        "all stay positive",
        base=(
            And(u * g <= f * v, f * y <= x * g, f > 0),
            [Eq(each, 1) for each in (f, g, u, v, x, y)],
        ),
        step=(
            And(
                Implies(lam >= 0, up),
                Implies(lam <= 0, up if kept else down),
                *(each > 0 for each in (F, G, U, V, X, Y)),
            ),
            [
                *images,
                *determinants,
                *_STEP,
                u * g <= f * v,
                f * y <= x * g,
                *(each > 0 for each in (f, g, u, v, x, y)),
            ],
        ),
    )
    argument.inequality(
        "over all symbols",
        "s <= f/g <= t for the images of one symbol, s' <= s and t <= t' for the extremes over "
        "symbols",
        And(U * g <= f * V, f * Y <= X * g),
        [
            u * g <= f * v,
            f * y <= x * g,
            U * v <= u * V,
            x * Y <= X * y,
            *(each > 0 for each in (f, g, u, v, x, y, U, V, X, Y)),
        ],
    )


def _whole(argument: Argument, mixed: bool = False) -> None:
    argument.cite(
        "both sides of p",
        "are independent given X_p, and each coordinate is processed by itself",
        "lemma.finite-sums",
    )
    argument.inequality(
        "attained",
        "the extremes belong to outputs (u, v), and the symbol before them gives an output of "
        "positive probability, as the image is positive",
        And((1 - a) * k * u + a * j * v > 0, b * k * u + (1 - b) * j * v > 0),
        [*_STEP, u > 0, v > 0],
    )
    argument.inequality(
        "the leakage",
        "k/j is the ratio of X_p's own symbol, s <= U and t <= V the ratios of the sides with the "
        "largest ones U, V: the whole ratio is at most their product, which is attained. Toward "
        "X_p = 1 the same with inverses",
        k * s * t <= (k * U * z if mixed else k * U * V),
        [k >= 0, s > 0, t > 0, s <= U, t <= V, *([z <= V, z > 0] if mixed else [])],
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
)
def events(check: Check) -> None:
    """Prove that what lies behind a released record is a common factor."""
    name = "as stated"
    with check.reading(name, "every finite alphabet, every chain, n and p") as argument:
        argument.cite(
            "total probability",
            "P(y, X_d = z | X_p = x) with everything nearer redacted is the entry F of M_d diag(r) "
            "P: a sum over the value w at the record before",
            "lemma.finite-sums",
        )
        _behind(argument)
    check.near_miss(f"{name}: a record shown with two values", partial(_behind, other=True))


def _behind(argument: Argument, other: bool = False) -> None:
    argument.inequality(
        "behind a released record",
        "Given X_d = z what lies behind does not depend on X_p: its probability h > 0, times 1 - "
        "r(z) = e > 0, is a common factor of f, g, the entries of column z for x and x': F = f e h "
        "and G = g e h have their ratio, 0 and infinity included, and keep the same levels R",
        And(
            Eq(F * g, G * f),
            sympy.Equivalent(F <= R * G, f <= R * g),
            sympy.Equivalent(G <= R * F, g <= R * f),
        ),
        [
            Eq(F, f * e * h),
            Eq(G, g * e * (v if other else h)),
            f >= 0,
            g >= 0,
            f + g > 0,
            e > 0,
            h > 0,
            v > 0,
            R >= 1,
        ],
    )
