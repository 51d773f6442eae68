"""A window of records around a private one bounds what a noisy query of a whole sequence leaks.

Given l and r, the records or hidden states right before and after the window, what the others add
is independent of the window. So the likelihood of an output is a sum over l, r and what the others
add, of terms that have the same weight given v and given v'.
"""

from sympy import Eq

from pufferproof.claims.language import Edit, Proof, at_least, letter, letters, proved
from pufferproof.claims.ours.noise.statements import windows as says
from pufferproof.claims.registry import Check, claim

given_all = letter(
    "given_all", "P(R = rho | l, r, F = n, v): what the others add, given all of the window"
)
outside = letter("outside", "P(R = rho | l, r)", at_least(0))
inside = letter("inside", "P(l, r, F = n | v)")
joint = letter("joint", "P(l, r, F = n, R = rho | v)")
NOTATION = {
    "F": "what the records of the window add to the query",
    "R": "what all other records add",
    "n": "a value of F",
    "f(w | v)": "the density of an output given that record i has the value v",
}
density = letter("density", "h(w - rho - n), the density of the noise")
total = letter("total", "the sum of joint density over the first values n")
N = letter("N", "the sum of P(l, r, F = n | v) h(u - n) over the first values n, u = w - rho")
D = letter("D", "the same sum given v'")
m = letter("m", "a bound of the ratios of these sums")
gap, part = letters("gap part", "N - K D at l, r and u, and its positive part")
excess, most = letters("excess most", "the sums so far over l, r, rho of outside times these")
all_of, weights = letters("all_of weights", "sums so far over rho: of outside times moved, outside")
moved = letter("moved", "the sum over w of part at u = w - rho, the same for every rho")
above_w, below_w = letters("above_w below_w", "the parts of f(w | v) and f(w | v') at l, r and rho")


@claim(
    "noise.window",
    where="Noise on queries",
    statement="A query of a sequence adds up F in a window around record i and R outside it, l and "
    "r are the records, or the hidden states, right before and after the window, and given l and "
    "r, R is independent of X_i and F. With noise of any kind of density h: if sum_n P(l, r, F = "
    "n | v) h(u - n) <= m sum_n P(l, r, F = n | v') h(u - n) for all l, r and u, then f(w | v) <= "
    "m f(w | v') for every output w, whatever the law of R.",
    kind="theorem",
    says=says.WINDOW,
)
def window(check: Check) -> None:
    """Prove it: both likelihoods are sums over l, r and the values of R, with the same weights."""
    proved(
        check,
        "as stated",
        "all laws of F and R with finitely many values, all densities, one coordinate or several",
        _window,
        half_of_m=Edit("one value of the rest", put={m * below_w: m * below_w / 2}),
        a_rest_that_knows_the_record=Edit("one more value of F", without=Eq(given_all, outside)),
    )


def _window(proof: Proof) -> None:
    _parts(proof)
    proof.inequality(
        "one value of the rest",
        "the assumption at u = w - rho; P(R = rho | l, r) is the same given v and given v'",
        above_w <= m * below_w,
        [Eq(above_w, outside * N), Eq(below_w, outside * D), N <= m * D],
    )
    proof.cite(
        "all values",
        "f(w | v) and f(w | v') are the sums of these parts over l, r and rho",
        "lemma.mediant",
    )


def _parts(proof: Proof) -> None:
    proof.summed(
        "one more value of F",
        "joint = given_all inside by definition, and given_all = outside as R is independent of "
        "X_i and F given l and r: the part of f(w | v) at l, r and rho is outside N",
        so_far=Eq(total, outside * N),
        adding={total: joint * density, N: inside * density},
        given=[Eq(joint, given_all * inside), Eq(given_all, outside)],
    )


@claim(
    "noise.window-delta",
    where="Noise on queries",
    statement="A query, a window and l, r as in noise.window, with noise of any kind of density h. "
    "For every K >= 0 the integral (sum) over outputs of the positive part of f(w | v) - K f(w | "
    "v') is at most the sum over l and r of the integral over u of the positive part of sum_n "
    "(P(l, r, F = n | v) - K P(l, r, F = n | v')) h(u - n), whatever the law of R.",
    kind="theorem",
    says=says.WINDOW_DELTA,
)
def window_delta(check: Check) -> None:
    """Prove it: the positive part of a sum is at most the sum of positive parts, each moved."""
    proved(
        check,
        "as stated",
        "all laws of F and R with finitely many values, all densities, one coordinate or several",
        _window_delta,
        half_of_it=Edit("positive parts", put={outside * part: outside * part / 2}),
        a_rest_that_knows_the_record=Edit("one more value of F", without=Eq(given_all, outside)),
    )


def _window_delta(proof: Proof) -> None:
    _parts(proof)
    proof.summed(
        "positive parts",
        "f(w | v) - K f(w | v') is the sum over l, r and rho of outside times gap at u = w - rho",
        so_far=excess <= most,
        adding={excess: outside * gap, most: outside * part},
        given=[gap <= part],
    )
    proof.summed(
        "never negative",
        "so that this bounds the positive part",
        so_far=0 <= most,
        adding={most: outside * part},
        given=[0 <= part],
    )
    proof.induction(
        "all outputs",
        "of one value of l and r: outside adds up to 1 over rho, and moved is left",
        base=(Eq(all_of, weights * moved), [Eq(all_of, outside * moved), Eq(weights, outside)]),
        step=(
            Eq(all_of + outside * moved, moved * (weights + outside)),
            [Eq(all_of, weights * moved)],
        ),
    )
