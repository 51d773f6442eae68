"""A window of records around a private one bounds what a noisy query of a whole sequence leaks.

A query adds up F in the window and R outside it. Given the ends, the records or hidden states right
before and after the window, R is independent of record i and F. So the likelihood of an output is a
sum over the ends and the values of R, of terms that have the same weight given v and given v'.
"""

from pufferproof.claims.ours.noise.linked import windows as says
from pufferproof.claims.registry import Check, claim

NOTATION = {
    "F": "what the records of the window add to the query",
    "R": "what all other records add",
}


@claim("noise.window", where="Noise on queries", kind="theorem", says=says.WINDOW)
def window(check: Check) -> None:
    """Prove it: given the ends and R = r, likelihoods are those within the window, at the output
    less r, times P(R = r|these ends).
    """


@claim("noise.window-delta", where="Noise on queries", kind="theorem", says=says.DELTA)
def window_delta(check: Check) -> None:
    """Prove it: the positive part of a sum is at most the sum of positive parts, each moved by r,
    and the weights of r sum to 1. Outputs that are moved are outputs, so that I[e] is the sum (or
    the integral) over all of them.
    """
