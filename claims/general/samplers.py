"""Lower bounds of the leakage of samplers with a memory, by bets on fair coins.

Before every call a coin chooses the secret. A history of calls has a weight, its probability, and a
value W. It stops when W reaches 1/r, and `recorded` follows what has stopped. Sources: Ville
(1939), Waudby-Smith and Ramdas (2024).
"""

from sympy import Eq

from pufferproof.claims.general.recorded import r, stopping, value
from pufferproof.claims.general.statements import samplers
from pufferproof.claims.language import (
    Edit,
    Proof,
    above,
    at_least,
    between,
    letter,
    letters,
    proved,
)
from pufferproof.claims.registry import Check, claim

R = letter("R", "the largest ratio of P(E | s) to P(E | s') at a call", above(0))
q = letter("q", "the probability of s that is bet on", between(0, 1))
x, y = letters("x y", "P(E | s) and P(E | s') at a call, after some history", between(0, 1))
before, later = letters("before later", "the mean of the first bets, before and after a call")
u, v = letters("u v", "the next bet, before and after a call")
a, b = letters("a b", "how often the coin showed s and s' at calls with E", at_least(0))
t = letter("t", "a number", between(0, 1))
top = letter("top", "a/(a+b)", between(0, 1))
g = letter("g", "(q/rho)^a ((1-q)/(1-rho))^b of the next bet")
w = letter("w", "the part of the stake that is bet on the next q", at_least(0))
W, total = letters("W total", "the sums of w g and of w over the first bets")
c = letter("c", "q^a (1-q)^b", at_least(0))
at_sigma, at_rho = letters("at_sigma at_rho", "sigma^a (1-sigma)^b and rho^a (1-rho)^b", above(0))
more = letter("more", "what bets from sigma to rho add", at_least(0))
NOTATION = {
    "E": "an event of outputs, fixed before the calls",
    "rho": "R/(1+R), or a number below 1",
    "sigma": "a positive number",
    "a, b": "how often the coin showed s and s' at the calls so far in which E happened",
    "r": "the probability that is allowed, 0 < r < 1",
    "q": "a probability of s that is bet on",
    "W": "the wealth: what a stake of 1 has become",
}


@claim(
    "general.coin-bets",
    where="confidence",
    statement="A fair coin that does not depend on what happened before shows s or s' at every "
    "call of a sampler, and P(E | s) <= R P(E | s') at every call, whatever happened before it. "
    "Let W(a, b) be the mean of (q/rho)^a ((1-q)/(1-rho))^b over a law of q >= rho that does not "
    "depend on the coins. Then P(W >= 1/r at some time) <= r.",
    says=samplers.COIN_BETS,
)
def coin_bets(check: Check) -> None:
    """Follow what has stopped and what has not; no bet gains on average."""
    proved(
        check,
        "as stated",
        "all samplers, all numbers of calls",
        _coin_bets,
        half_the_risk=Edit("risk", put={r: r / 2}),
        a_ratio_above_R=Edit("one bet", without=x <= R * y),
        bets_on_less=Edit("one bet", without=q * (1 + R) >= R),
        stopping_at_smaller_values=Edit("a history that stops", without=value * r >= 1),
    )


def _coin_bets(proof: Proof) -> None:
    gain = q * (1 + R) - R
    proof.inequality(
        "one bet",
        "A call has E and s with probability x/2, E and s' with probability y/2, and else no bet "
        "changes. q/rho = q (1 + R)/R, (1-q)/(1-rho) = (1 - q)(1 + R): the mean factor",
        1 - (x + y) / 2 + x / 2 * (q * (1 + R) / R) + y / 2 * ((1 - q) * (1 + R)) <= 1,
        [x <= R * y, q * (1 + R) >= R],
    )
    proof.identity(
        "what is won and lost",
        "q/rho - 1 and 1 - (1-q)/(1-rho) are gain/R and gain, with gain = q (1 + R) - R",
        gain / R,
        q * (1 + R) / R - 1,
    )
    proof.summed(
        "the mean of the bets",
        "The mean over q grows by no more than each of them does on average; the law of q does "
        "not depend on the coins, so that all are multiplied by one weight",
        so_far=later <= before,
        adding={later: v, before: u},
        given=[v <= u],
    )
    stopping(proof)


@claim(
    "general.coin-bound",
    where="confidence",
    statement="Let W_rho(a, b) be the mean of (q/rho)^a ((1-q)/(1-rho))^b over a law of q in "
    "[0, 1], where bets with q < rho are left out. If W_rho(a, b) > 1 then W_sigma(a, b) >= "
    "W_rho(a, b) for 0 < sigma <= rho < 1.",
    says=samplers.COIN_BOUND,
)
def coin_bound(check: Check) -> None:
    """A wealth above 1 needs a bet that wins, so that rho is below a/(a+b): there every bet wins
    more against smaller numbers.
    """
    proved(
        check,
        "as stated",
        "all laws of q, all counts",
        _coin_bound,
        beyond_the_top=Edit("rising", without=t <= top),
        of_larger_numbers=Edit("a bet against less", without=at_sigma <= at_rho),
    )


def _coin_bound(proof: Proof) -> None:
    proof.summed(
        "a bet that wins",
        "Bets that all have g <= 1 make at most the part of the stake that is bet, which is at "
        "most 1: so W > 1 needs some q >= rho with q^a (1-q)^b > rho^a (1-rho)^b",
        so_far=W <= total,
        adding={W: w * g, total: w},
        given=[g <= 1],
    )
    proof.inequality(
        "falling",
        "t^a (1-t)^b has the derivative t^(a-1) (1-t)^(b-1) (a (1-t) - b t), not positive from "
        "a/(a+b) on: with rho there, no q >= rho would win",
        a * (1 - t) - b * t <= 0,
        [Eq(top * (a + b), a), t >= top],
    )
    proof.inequality(
        "rising",
        "So rho is below a/(a+b), where it does not fall: sigma^a (1-sigma)^b <= rho^a (1-rho)^b",
        a * (1 - t) - b * t >= 0,
        [Eq(top * (a + b), a), t <= top],
    )
    proof.inequality(
        "a bet against less",
        "against sigma each bet has become no less than against rho",
        c / at_rho <= c / at_sigma,
        [at_sigma <= at_rho],
    )
    proof.summed(
        "all of them",
        "and bets from sigma to rho are made against sigma alone, and are not negative",
        so_far=before <= later,
        adding={before: u, later: v + more},
        given=[u <= v],
    )
