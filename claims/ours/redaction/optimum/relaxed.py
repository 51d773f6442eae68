"""The relaxed program of the 3R family on a real chain: its optimum takes at most two values.

Medium records of one side are numbered 1 .. N away from p, D is the distance of the first; f_k =
eps - delta_k in nats, the height of constraint k, with delta_k = i0(D+k) for k < N; f_0 = eps -
i0(D) >= 0. Source of the program: massny2025, appendix A.
"""

from functools import partial

import sympy
from sympy import And, Eq, Equivalent, Or

from pufferproof.claims.ours.redaction.notation import FAMILY, NUMBERED, SETTING
from pufferproof.claims.registry import Check, claim
from pufferproof.verify.proof.argument import Argument

E, F, G, N, Q, S, T = sympy.symbols("E F G N Q S T")
d, f, g, h, i, k, q, r, s, w, x, y, z = sympy.symbols("d f g h i k q r s w x y z")
PROGRAM = "all a <= b with a + b < 1, every n, p and budget > 0, each side with |M| >= 2"
NOTATION = {
    **SETTING,
    **FAMILY,
    **NUMBERED,
    "f": "f_k = budget - delta_k, the height of constraint k",
}


@claim(
    "redaction.relaxed-two-values",
    where="Relaxed design",
    statement="a <= b, lam > 0, N = |M| >= 2 on a side of budget > 0: the mean slopes f_k/k, f_k = "
    "budget - delta_k, do not rise for k = 1 .. N-1. So the optimal q of the published program "
    "is q_1 = .. = q_N = e^-(f_N/N) if f_N/N <= f_(N-1)/(N-1), else q_1 = .. = q_(N-1) = "
    "e^-(f_(N-1)/(N-1)) > q_N = e^-(f_N - f_(N-1)).",
    kind="closed form",
)
def relaxed_two_values(check: Check) -> None:
    """Prove it from the convexity of i0."""
    name = "as stated"
    with check.reading(name, PROGRAM) as argument:
        argument.cite(
            "convex",
            "i0, hence the heights f_0 .. f_(N-1) are concave",
            "massny2025.prop1-convex-repaired",
        )
        argument.cite(
            "M",
            "begins where i0(D) <= eps: f_0 >= 0; t+ of the record k < N is at distance D + k, in "
            "M",
            "massny2025.x-regions-intervals",
        )
        _mean_slopes(argument)
        _hull(argument)
    check.near_miss(f"{name}: f_0 < 0", partial(_mean_slopes, below=True))
    check.near_miss(f"{name}: the last but one always minimal", partial(_hull, never=True))


def _mean_slopes(argument: Argument, below: bool = False) -> None:
    """f = f_0, F = f_k, s and r the increments behind k and behind k+1, h the first one."""
    start = [f < 0] if below else [f >= 0]
    argument.induction(
        "increments",
        "k s <= f_k - f_0 for the increment s behind k: it is at most each before it",
        base=(s <= F - f, [Eq(F, f + h), s <= h]),
        step=((k + 1) * r <= F + s - f, [k * s <= F - f, r <= s, k >= 1]),
    )
    argument.inequality(
        "mean slopes do not rise",
        "f_(k+1)/(k+1) <= f_k/k",
        k * (F + s) <= (k + 1) * F,
        [k * s <= F - f, k >= 1, *start],
    )
    argument.induction(
        "the last is the least",
        "F/k <= G/i for all i <= k < N, multiplied out; x is the next height",
        base=(F * i <= G * k, [Eq(F, G), Eq(i, k), k >= 1]),
        step=(x * i <= G * (k + 1), [F * i <= G * k, k * x <= (k + 1) * F, k >= 1, i >= 1]),
    )


def _hull(argument: Argument, never: bool = False) -> None:
    """F, G are the heights at N - 1 and N; i < N - 1 has the height x."""
    if not never:
        argument.cite(
            "the solution",
            "from k on take the largest minimiser of the slope",
            "massny2025.x-relaxed-optimum",
        )
    argument.inequality(
        "the first step",
        "the largest minimiser of f_i/i is N or N - 1",
        And(
            F * i <= x * (N - 1),
            Or(F * N < G * (N - 1), And(G * (N - 1) <= F * N, G * i <= x * N))
            if not never
            else F * N < G * (N - 1),
        ),
        [F * i <= x * (N - 1), N >= 2, i >= 1, i < N - 1],
    )
    argument.inequality(
        "the second value",
        "q_N = e^-y with y = f_N - f_(N-1) is smaller than the others e^-x with x = f_(N-1)/(N-1); "
        "the exponents add up to f_N",
        And(y > x, Eq((N - 1) * x + y, G)),
        [Eq(y, G - F), Eq(x * (N - 1), F), F * N < G * (N - 1), N >= 2],
    )


@claim(
    "redaction.relaxed-constant",
    where="Relaxed design",
    statement="a <= b, lam > 0, N = |M| >= 2 on a side of budget > 0: a constant q is optimal in "
    "the published program iff (N-1)(budget - delta_N) <= N (budget - delta_(N-1)), a single "
    "comparison. Where S is empty: iff budget >= N i0(D), D the distance of the last record of "
    "that side.",
    kind="closed form",
)
def relaxed_constant(check: Check) -> None:
    """Prove it from the mean slopes."""
    name, end = "a single comparison", "S empty"
    for which in (name, end):
        with check.reading(which, PROGRAM) as argument:
            argument.cite(
                "the slopes", "f_k/k does not rise before N", "redaction.relaxed-two-values"
            )
            argument.cite(
                "iff", "the last of all mean slopes is least", "massny2025.qconst-observed-repaired"
            )
            _single(argument)
            if which == end:
                _end(argument)
        check.near_miss(f"{which}: against the first slope instead", partial(_single, first=True))
    check.near_miss(f"{end}: eps >= i0(L)", partial(_end, once=True))


def _single(argument: Argument, first: bool = False) -> None:
    """G, F, x are the heights at N, N - 1 and i < N - 1."""
    compared = G <= x * N if first else G * (N - 1) <= F * N
    argument.inequality(
        "all comparisons",
        "G/N <= x/i for i < N and G/N <= F/(N-1) together are the last alone",
        Equivalent(And(G * i <= x * N, G * (N - 1) <= F * N), compared),
        [F * i <= x * (N - 1), N >= 2, i >= 1, i < N - 1],
    )


def _end(argument: Argument, once: bool = False) -> None:
    argument.inequality(
        "at the end of the chain",
        "delta_N = 0, delta_(N-1) = y = i0(L), L = D + N - 1",
        Equivalent(G * (N - 1) <= F * N, E >= (y if once else N * y)),
        [Eq(G, E), Eq(F, E - y), N >= 2],
    )
