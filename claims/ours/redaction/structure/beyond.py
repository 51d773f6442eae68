"""Local redaction on an uncertain chain: what it leaks over a box of transition probabilities, for
either eigenvalue.

P = [[1-a, a], [b, 1-b]], lam = 1-a-b. The mechanism r is fixed; (c, d) is a second chain with c >=
a and d >= b. A slope is a ratio P(y|X_t=0)/P(y|X_t=1) of likelihoods of outputs beyond t, written
(u, v) for (c, d) and (x, y) for (a, b). Source of the setting: massny2025, where a and b are known.
"""

from functools import partial

import sympy
from sympy import Eq, Or

from pufferproof.claims.registry import Check, claim
from pufferproof.verify.proof.argument import Argument

a, b, c, d, m, q, u, v, w, x, y = sympy.symbols("a b c d m q u v w x y")
A, B, C, D, E, F = sympy.symbols("A B C D E F")
NOTATION = {
    "a1": "the least a of the box, above 0",
    "a2": "the largest a of the box, below 1",
    "b1": "the least b of the box, above 0",
    "b2": "the largest b of the box, below 1",
}
BOTH = [a > 0, b > 0, c >= a, d >= b, c < 1, d < 1]
SIGNS = {"lam >= 0": c + d <= 1, "lam <= 0": a + b >= 1}
CORNERS = "over a box"


@claim(
    "redaction.box",
    where="Uncertain chains",
    statement="For every local mechanism the leakage about X_p does not rise with a, nor with b, "
    "where a + b <= 1, and does not fall with a, nor with b, where a + b >= 1; the same holds "
    "for every pointwise influence i0(D), i1(D). So over a box of chains, a from the interval "
    "of a1 to a2 and b from that of b1 to b2, each of them is largest at (a, b) = (a1, b1) or "
    "at (a2, b2).",
)
def box(check: Check) -> None:
    """Prove by induction over the distance that the extreme slopes of a side move towards 1, or
    away from it.
    """
    for name in SIGNS:
        with check.reading(
            name, f"all a <= c and b <= d in (0, 1) with {name} for both chains, every n, p and r"
        ) as argument:
            _sides(argument, name)
        check.near_miss(f"{name}: chains of any sign", partial(_step, name=name, every=True))
    with check.reading(CORNERS, "all boxes in (0, 1) x (0, 1)") as argument:
        for name in SIGNS:
            _step(argument, name)
        _record(argument)
        _corners(argument)
    check.near_miss(f"{CORNERS}: the lower corner", partial(_corners, lower=True))


def _sides(argument: Argument, name: str) -> None:
    argument.cite(
        "slopes", "the largest and the smallest follow record by record", "redaction.messages"
    )
    argument.cite("both sides", "have the same transition law", "massny2025.reversible")
    _record(argument)
    _step(argument, name)
    argument.cite(
        "two sides",
        "e^Lk is the larger product of extreme slopes of both sides",
        "redaction.joint-of-sides",
    )
    argument.inequality(
        "products",
        "u, v are the two extreme slopes for the chain that leaks less (inverted for the "
        "smallest), x, y for the other one",
        u * v <= x * y,
        [u <= x, v <= y, u >= 1, v >= 1],
    )
    argument.cite(
        "X_p",
        "is released by neither, or the leakage is infinite for both",
        "massny2025.self-redaction",
    )


def _record(argument: Argument) -> None:
    argument.inequality(
        "a record",
        "The largest slope with record t is that of (1, 0) if r_t(0) < 1, else that of (u, q v), q "
        "= r_t(1), for the largest (u, v) beyond: the order of the two chains is kept, and slopes "
        "that are at least 1 are. The smallest: exchange 0 and 1. A pointwise influence is a slope "
        "that starts from (1, 0) or (0, 1), q = 1 from there on",
        (u * q * y <= x * q * v) & (u >= q * v) & (x >= q * y),
        [u * y <= x * v, u >= v, x >= y, v >= 0, y >= 0, q >= 0, q <= 1],
    )


def _step(argument: Argument, name: str, every: bool = False) -> None:
    """Discharge a step of both chains from slopes (u, v), (x, y) >= 1, the largest; the
    smallest: exchange a and b, c and d.
    """
    positive = name == "lam >= 0"
    other, mixed, own = (
        ((1 - c) * u + c * v, d * u + (1 - d) * v),
        ((1 - a) * u + a * v, b * u + (1 - b) * v),
        ((1 - a) * x + a * y, b * x + (1 - b) * y),
    )
    argument.inequality(
        f"the other chain, {name}",
        "from the same slope (u, v) >= 1 the step of (c, d) leads no higher than that of (a, b)",
        other[0] * mixed[1] <= mixed[0] * other[1],
        [*BOTH, u >= v, v >= 0],
    )
    argument.identity(
        f"the same chain, {name}",
        "the determinant of two slopes is multiplied by lam",
        mixed[0] * own[1] - own[0] * mixed[1],
        (1 - a - b) * (u * y - x * v),
    )
    argument.inequality(
        f"a step, {name}",
        "m, w are 1 - a - b and u y - x v: (u, v) is nearer to 1 than (x, y) where lam >= 0, "
        "farther where lam <= 0; A/B, C/D, E/F are the slopes after the step of (c, d) from (u, "
        "v), of (a, b) from (u, v) and of (a, b) from (x, y)",
        A * F <= E * B,
        [
            A * D <= C * B,
            Eq(C * F - E * D, m * w),
            A >= 0,
            B > 0,
            C >= 0,
            D > 0,
            E >= 0,
            F > 0,
            *([] if every else [m >= 0, w <= 0] if positive else [m <= 0, w >= 0]),
        ],
    )
    argument.inequality(
        f"the side of 1, {name}",
        "slopes stay on the same side of 1 for lam >= 0 and change it for lam <= 0",
        (other[0] >= other[1]) if positive else (other[0] <= other[1]),
        [*BOTH, SIGNS[name] if not every else c > 0, u >= v, v >= 0],
    )


def _corners(argument: Argument, lower: bool = False) -> None:
    argument.inequality(
        "two corners",
        "(x, y) in the box, E its leakage, A and B those of (a1, b1) = (a, b) and (a2, b2) = (c, "
        "d): if x + y <= 1 then a + b <= 1 and E <= A, else c + d >= 1 and E <= B",
        (E <= A) if lower else Or(E <= A, E <= B),
        [
            a <= x,
            b <= y,
            x <= c,
            y <= d,
            sympy.Implies((x + y <= 1) & (a + b <= 1), E <= A),
            sympy.Implies((x + y >= 1) & (c + d >= 1), E <= B),
        ],
    )
