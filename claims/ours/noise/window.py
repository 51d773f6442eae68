"""A window of records around a private one bounds what a noisy query of a whole sequence leaks.

Given l and r, the records or hidden states right before and after the window, what the others add
is independent of the window. So the likelihood of an output is a sum over l, r and what the others
add, of terms that have the same weight given v and given v'.
"""

from pufferproof.claims.ours.noise.statements import windows as says
from pufferproof.claims.registry import Check, claim

NOTATION = {
    "F": "what the records of the window add to the query",
    "R": "what all other records add",
    "n": "a value of F",
    "f(w | v)": "the density of an output given that record i has the value v",
}


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
    """Prove it: both likelihoods are sums over l, r and the values of R, with the same weights.

    One more value of F: joint = given_all inside by definition, and given_all = outside as R is
    independent of X_i and F given l and r: the part of f(w | v) at l, r and rho is outside N. One
    value of the rest: the assumption at u = w - rho; P(R = rho | l, r) is the same given v and
    given v'. All values: f(w | v) and f(w | v') are the sums of these parts over l, r and rho
    [lemma.mediant].
    """
    check.tried("as stated")


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
    """Prove it: the positive part of a sum is at most the sum of positive parts, each moved.

    One more value of F: joint = given_all inside by definition, and given_all = outside as R is
    independent of X_i and F given l and r: the part of f(w | v) at l, r and rho is outside N.
    Positive parts: f(w | v) - K f(w | v') is the sum over l, r and rho of outside times gap at u =
    w - rho. Never negative: so that this bounds the positive part. All outputs: of one value of l
    and r: outside adds up to 1 over rho, and moved is left.
    """
    check.tried("as stated")
