"""Infinite chains of bits: limits of the messages of the Moebius recursion, as roots of quadratics.

S and D are the messages up and down of the first bit, P the kernel to the next one, all kernels
being equal; R = e^level. With a = P11 and b = P01 the step is S -> R g(S), g(t) = (a t + 1 - a)/(b
t + 1 - b), as long as g does not decrease.

Prior art: the supremum of this recursion for any number of values is in cao2017 and cao2018.
"""

import sympy
from sympy import Eq

from pufferproof.claims.language import Edit, Proof, above, at_least, letter, letters, proved
from pufferproof.claims.ours.worst.records.chains import CHAINS, P00, P01, P10, P11, ROWS
from pufferproof.claims.ours.worst.statements.records import growing as says
from pufferproof.claims.registry import Check, claim

R = letter("R", "e to the level")
S, D = letters("S D", "limits of the messages up and down, or messages of some number of bits")
a, b = letters("a b", "P11, P01", above(0))
t, v = letters("t v", "messages of k and of k + 1 bits, or of fewer and of more")
A = letter("A", "a t + 1 - a", above(0))
B = letter("B", "b t + 1 - b")
C, E = letters("C E", "a S + 1 - a, b S + 1 - b")
d = letter("d", "C B - A E")
w = letter("w", "S - v", at_least(0))
p = letter("p", "P00 = P11 of a symmetric chain")
power = letter("power", "R^k")


@claim(
    "worst.infinite-chain",
    where=CHAINS,
    statement="For the end of a chain of bits with one kernel P, P11 >= P01 and P01, P10 > 0, and "
    "R >= 1, the message up of k bits does not decrease with k and tends to the positive root "
    "S of P01 S^2 + (P00 - R P11) S - R P10 = 0, its distance to S shrinking by the factor "
    "(P11 - P01)/P11 at least; likewise down, with 0 and 1 exchanged. For a symmetric chain "
    "with P00 = P11 = p: (1 - p) S^2 + (1 - R) p S - R (1 - p) = 0, and the largest ratio of "
    "an inner bit tends to R g(S)^2.",
    says=says.LIMIT,
)
def infinite_chain(check: Check) -> None:
    """Prove monotone convergence to the only positive fixed point of S -> R g(S)."""
    name = "limit"
    proved(
        check,
        name,
        "every such kernel, every R >= 1",
        _infinite_chain,
        **{"P11 < P01": Edit("g is increasing", without=a >= b, given=a < b)},
    )


def _infinite_chain(proof: Proof) -> None:
    _fixed_point(proof)
    _convergence(proof)


def _increasing(proof: Proof) -> None:
    proof.inequality(
        "g is increasing",
        "for a = P11 >= b = P01, so that the larger end is t = S; with A, C = a t + 1 - a at t and "
        "S, B, E = b t + 1 - b",
        A * E <= C * B,
        [*_ends_of(t, A, B), *_ends_of(S, C, E), a < 1, b < 1, a >= b, t > 0, S >= t],
        for_any=[A],
    )


def _ends_of(at: sympy.Symbol, above: sympy.Symbol, below: sympy.Symbol) -> list[sympy.Basic]:
    return [Eq(above, a * at + 1 - a), Eq(below, b * at + 1 - b)]


def _form(at: sympy.Expr) -> sympy.Expr:
    return b * at**2 + (1 - b - R * a) * at - R * (1 - a)


def _fixed_point(proof: Proof) -> None:
    _increasing(proof)
    proof.identity(
        "the form q(t) = b t^2 + (1 - b - R a) t - R (1 - a) below a root S",
        "S q(t) - t q(S) is a product: q(S) = 0 gives q(t) < 0 for 0 <= t < S and > 0 for t > S, "
        "so S is the only positive root",
        S * _form(t) - t * _form(S),
        -(S - t) * (b * t * S + R * (1 - a)),
    )
    proof.inequality(
        "there is one, and S >= R",
        "q(R) = R (b - a)(R - 1) <= 0 and q(t) > 0 at b t = R (a + 1)",
        (_form(R) <= 0) & (_form(t) > 0),
        [a < 1, b < 1, a >= b, Eq(b * t, R * (a + 1)), t > 0, R >= 1],
    )


def _convergence(proof: Proof) -> None:
    letters = [B >= 1, C > 0, E >= 1, S > 0]
    proof.induction(
        "below the fixed point",
        "t is the message of k bits, t = R <= S for one, v = R g(t) = R A/B that of k + 1; S = R "
        "g(S) = R C/E: v <= S",
        base=(t <= S, [Eq(t, R), S >= R]),
        step=(v <= S, [Eq(v * B, R * A), Eq(S * E, R * C), A * E <= C * B, R >= 1, *letters]),
    )
    proof.inequality(
        "increasing",
        "q(t) = t B - R A <= 0 below S: t <= v",
        t <= v,
        [Eq(v * B, R * A), t * B - R * A <= 0, *letters],
    )
    proof.identity(
        "C B - A E",
        "is (a - b)(S - t)",
        (a * S + 1 - a) * (b * t + 1 - b) - (a * t + 1 - a) * (b * S + 1 - b),
        (a - b) * (S - t),
    )
    proof.inequality(
        "the distance, exactly",
        "v B = R A, S E = R C: (S - v) B C = S (C B - A E) = S (a - b)(S - t) = S d",
        Eq((S - v) * B * C, S * d),
        [Eq(v * B, R * A), Eq(S * E, R * C), Eq(d, C * B - A * E), R >= 1, *letters],
    )
    proof.inequality(
        "it shrinks by the factor (a - b)/a at least",
        "B >= 1, as t >= 1, and C >= a S: a (S - v) <= d = (a - b)(S - t)",
        a * w <= d,
        [Eq(w * B * C, S * d), B >= 1, C >= a * S, S > 0],
    )
    _inner(proof)


def _inner(proof: Proof) -> None:
    proof.identity(
        "the symmetric chain",
        "a = p, b = 1 - p",
        _form(S).subs({a: p, b: 1 - p}),
        (1 - p) * S**2 + (1 - R) * p * S - R * (1 - p),
    )
    proof.cite(
        "an inner bit",
        "both sides are infinite chains; a stationary chain of two values is its own reverse",
        "worst.chain-interior",
    )


@claim(
    "worst.infinite-chain-alternating",
    where=CHAINS,
    statement="For P11 < P01, not both P00 = P11 = 0, and R >= 1, the messages of k bits from the "
    "end of a chain with one kernel P do not decrease with k and tend to limits S, D, and S is "
    "the positive root of (P11 + R P00) P01 S^2 + (P10 P01 + R P00^2 - R P11^2 - R^2 P10 P01) "
    "S - R P10 (P11 + R P00) = 0. For P00 = P11 = 0 they are R^k.",
    says={"limit": says.ALTERNATING, "P00 = P11 = 0": says.FLIPS},
)
def infinite_chain_alternating(check: Check) -> None:
    """Prove that both messages increase and are bounded, and eliminate one from the two
    equations of their limits.
    """
    name = "limit"
    proved(
        check,
        name,
        "every such kernel, every R >= 1",
        _infinite_chain_alternating,
        **{
            "a linear equation": Edit(
                "two messages, one quadratic",
                instead=(P11 + R * P00) * P01 * S**2
                + (P10 * P01 + R * P00**2 - R * P11**2 - R**2 * P10 * P01) * S
                + -R * P10 * (P11 + R * P00)
                - (P11 + R * P00) * P01 * S**2,
            ),
            "bounded for P00 = P11 = 0 too": Edit(
                "they are bounded", without=sympy.Or(P00 > 0, P11 > 0)
            ),
        },
    )
    name = "P00 = P11 = 0"
    proved(
        check,
        name,
        "every R >= 1",
        _flips,
        no_growth=Edit("a chain that flips every bit: step", put={R * power: power}),
    )


def _infinite_chain_alternating(proof: Proof) -> None:
    _alternating(proof)
    _eliminated(proof)


FALLING = [*ROWS, P11 < P01, R >= 1]


def _alternating(proof: Proof) -> None:
    proof.inequality(
        "g decreases, so the larger ends are t = 1/D and t = S",
        "g(1/D) = (P11 + P10 D)/(P01 + P00 D) increases with D, and 1/g(S) = (P01 S + P00)/(P11 S "
        "+ P10) with S",
        ((P11 + P10 * t) * (P01 + P00 * v) <= (P11 + P10 * v) * (P01 + P00 * t))
        & ((P01 * t + P00) * (P11 * v + P10) <= (P01 * v + P00) * (P11 * t + P10)),
        [*FALLING, t > 0, v >= t],
    )
    proof.inequality(
        "messages of two bits are not smaller than those of one",
        "S = R and D = R for one bit, R g(1/R) >= R and R/g(R) >= R for two",
        (P11 + P10 * R >= P01 + P00 * R) & (P01 * R + P00 >= P11 * R + P10),
        FALLING,
    )
    proof.inequality(
        "larger messages make larger ones",
        "t = R A/B and v = R C/E are messages made of a smaller and a larger one, whose quotients "
        "compare as A E <= C B: so, by induction, messages do not decrease with the number of bits",
        t <= v,
        [Eq(t * B, R * A), Eq(v * E, R * C), A * E <= C * B, B > 0, E > 0, C > 0, R >= 1],
    )
    _bounded(proof)


def _bounded(proof: Proof) -> None:
    some = [sympy.Or(P00 > 0, P11 > 0)]
    proof.inequality(
        "they are bounded",
        "S (P01 + P00 D) = R (P11 + P10 D) gives P00 S <= R, and D (P11 S + P10) = R (P01 S + P00) "
        "gives P11 D <= R, D and S being messages, of different numbers of bits: one of them is "
        "bounded, then the other by S P01 <= R (1 + D), D P10 <= R (1 + S)",
        sympy.Or((P00 * S <= R) & (P00 > 0), (P11 * D <= R) & (P11 > 0)),
        [
            *FALLING,
            *some,
            S * (P01 + P00 * v) <= R * (P11 + P10 * v),
            D * (P11 * t + P10) <= R * (P01 * t + P00),
            t > 0,
            v > 0,
            S > 0,
            D > 0,
        ],
    )


def _eliminated(proof: Proof) -> None:
    one, two = P11 * S + P10, P01 * S + P00
    square, free = (P11 + R * P00) * P01, -R * P10 * (P11 + R * P00)
    quadratic = square * S**2 + (P10 * P01 + R * P00**2 - R * P11**2 - R**2 * P10 * P01) * S + free
    proof.identity(
        "two messages, one quadratic",
        "S (P01 + P00 D) = R (P11 + P10 D), which the limits satisfy, with D = R (P01 S + "
        "P00)/(P11 S + P10), multiplied out",
        (S * (P01 + P00 * R * two / one) - R * (P11 + P10 * R * two / one)) * one,
        quadratic,
    )
    proof.inequality(
        "one positive root",
        "The first coefficient is positive and the last negative: the roots have a negative "
        "product",
        (square > 0) & (free < 0),
        [*FALLING, sympy.Or(P00 > 0, P11 > 0)],
    )


def _flips(proof: Proof) -> None:
    proof.induction(
        "a chain that flips every bit",
        "g(t) = 1/t: S = R g(1/D) = R D and D = R S of one bit fewer; power = R^k",
        base=(Eq(S, power) & Eq(D, power), [Eq(S, R), Eq(D, R), Eq(power, R)]),
        step=(Eq(t, R * power), [Eq(S, power), Eq(D, power), Eq(t, R * D), R > 1, power >= 1]),
    )
