"""The relaxed program of the 3R family on a real chain: its optimum takes at most two values.

Medium records of one side are numbered 1 .. N away from p, D is the distance of the first; f_k =
eps - delta_k in nats is the height of constraint k, with delta_k = i0(D+k) for k < N; f_0 = eps -
i0(D) >= 0. Source of the program: massny2025, appendix A.
"""

from sympy import And, Eq, Equivalent, Or

from pufferproof.claims.language import Edit, Proof, at_least, edited, letter, letters, proved
from pufferproof.claims.ours.redaction.notation import FAMILY, NUMBERED, SETTING
from pufferproof.claims.ours.redaction.statements.programs import (
    CONSTANT_EMPTY,
    RELAXED_CONSTANT,
    TWO_VALUES,
)
from pufferproof.claims.registry import Check, claim

N = letter("N", "|M|", at_least(2))
f = letter("f", "f_0, the height before the first record")
height, earlier, following = letters(
    "height earlier following", "f_k, an earlier height f_i, and f_(k+1)"
)
s, r = letters("s r", "the increments behind k and behind k+1")
h = letter("h", "the first increment")
k, i = letters("k i", "indices of records", at_least(1))
F, G = letters("F G", "the heights at N - 1 and at N")
x = letter("x", "the height at i")
slope, last = letters("slope last", "the exponents f_(N-1)/(N-1) and f_N - f_(N-1)")
E = letter("E", "the budget")
y = letter("y", "i0 of the last record")
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
    says=TWO_VALUES,
)
def relaxed_two_values(check: Check) -> None:
    """Prove it from the convexity of i0."""
    name = "as stated"
    proved(check, name, PROGRAM, _two_values)
    check.near_miss(
        f"{name}: f_0 < 0",
        edited(_two_values, Edit("mean slopes do not rise", without=f >= 0, given=f < 0)),
    )
    check.near_miss(
        f"{name}: the last but one always minimal",
        edited(
            _two_values,
            Edit("the first step", instead=And(F * i <= x * (N - 1), F * N < G * (N - 1))),
        ),
    )


def _two_values(proof: Proof) -> None:
    proof.cite(
        "convex",
        "i0, hence the heights f_0 .. f_(N-1) are concave",
        "massny2025.prop1-convex-repaired",
    )
    proof.cite(
        "M",
        "begins where i0(D) <= eps: f_0 >= 0; t+ of the record k < N is at distance D + k, in M",
        "massny2025.x-regions-intervals",
    )
    _mean_slopes(proof)
    _hull(proof)


def _mean_slopes(proof: Proof) -> None:
    """f = f_0, F = f_k, s and r the increments behind k and behind k+1, h the first one."""
    start = [f >= 0]
    proof.induction(
        "increments",
        "k s <= f_k - f_0 for the increment s behind k: it is at most each before it",
        base=(s <= height - f, [Eq(height, f + h), s <= h]),
        step=((k + 1) * r <= height + s - f, [k * s <= height - f, r <= s]),
    )
    proof.inequality(
        "mean slopes do not rise",
        "f_(k+1)/(k+1) <= f_k/k",
        k * (height + s) <= (k + 1) * height,
        [k * s <= height - f, *start],
    )
    proof.induction(
        "the last is the least",
        "height/k <= earlier/i for all i <= k < N, multiplied out; following is the next height",
        base=(height * i <= earlier * k, [Eq(height, earlier), Eq(i, k)]),
        step=(
            following * i <= earlier * (k + 1),
            [height * i <= earlier * k, k * following <= (k + 1) * height, i >= 1],
        ),
        for_any=[i],
    )


def _hull(proof: Proof) -> None:
    """F, G are the heights at N - 1 and N; i < N - 1 has the height x."""
    proof.cite(
        "the solution",
        "from k on take the largest minimiser of the slope",
        "massny2025.x-relaxed-optimum",
    )
    proof.inequality(
        "the first step",
        "the largest minimiser of f_i/i is N or N - 1",
        And(
            F * i <= x * (N - 1), Or(F * N < G * (N - 1), And(G * (N - 1) <= F * N, G * i <= x * N))
        ),
        [F * i <= x * (N - 1), i < N - 1],
    )
    proof.inequality(
        "the second value",
        "q_N = e^-last with last = f_N - f_(N-1) is smaller than the others e^-slope with slope = "
        "f_(N-1)/(N-1); the exponents add up to f_N",
        And(last > slope, Eq((N - 1) * slope + last, G)),
        [Eq(last, G - F), Eq(slope * (N - 1), F), F * N < G * (N - 1)],
    )


@claim(
    "redaction.relaxed-constant",
    where="Relaxed design",
    statement="a <= b, lam > 0, N = |M| >= 2 on a side of budget > 0: a constant q is optimal in "
    "the published program iff (N-1)(budget - delta_N) <= N (budget - delta_(N-1)), a single "
    "comparison. Where S is empty: iff budget >= N i0(D), D the distance of the last record of "
    "that side.",
    kind="closed form",
    says={
        "a single comparison": RELAXED_CONSTANT,
        "S empty": CONSTANT_EMPTY,
    },
)
def relaxed_constant(check: Check) -> None:
    """Prove it from the mean slopes."""
    first = Edit(
        "all comparisons",
        instead=Equivalent((G * i <= x * N) & (G * (N - 1) <= F * N), G <= x * N),
    )
    against = {"against the first slope instead": first}
    proved(check, "a single comparison", PROGRAM, _constant, **against)
    once = Edit("at the end of the chain", instead=Equivalent(G * (N - 1) <= F * N, E >= y))
    proved(check, "S empty", PROGRAM, _constant_to_the_end, **against, **{"eps >= i0(L)": once})


def _constant(proof: Proof) -> None:
    proof.cite("the slopes", "f_k/k does not rise before N", "redaction.relaxed-two-values")
    proof.cite("iff", "the last of all mean slopes is least", "massny2025.qconst-observed-repaired")
    _single(proof)


def _constant_to_the_end(proof: Proof) -> None:
    _constant(proof)
    _end(proof)


def _single(proof: Proof) -> None:
    """G, F, x are the heights at N, N - 1 and i < N - 1."""
    proof.inequality(
        "all comparisons",
        "G/N <= x/i for i < N and G/N <= F/(N-1) together are the last alone",
        Equivalent((G * i <= x * N) & (G * (N - 1) <= F * N), G * (N - 1) <= F * N),
        [F * i <= x * (N - 1), i < N - 1],
    )


def _end(proof: Proof) -> None:
    proof.inequality(
        "at the end of the chain",
        "delta_N = 0, delta_(N-1) = y = i0(L), L = D + N - 1",
        Equivalent(G * (N - 1) <= F * N, E >= N * y),
        [Eq(G, E), Eq(F, E - y)],
    )
