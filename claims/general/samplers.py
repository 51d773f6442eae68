"""Lower bounds of the leakage of samplers with a memory, by bets on fair coins.

Before every call a coin chooses the secret. A history of calls has a weight, its probability, and a
value W. It stops when W reaches 1/r, and `recorded` follows what has stopped. Sources: Ville
(1939), Waudby-Smith and Ramdas (2024).
"""

from pufferproof.claims.general.statements import samplers
from pufferproof.claims.language.formulas import formula
from pufferproof.claims.registry import Check, claim

NOTATION = {
    "E": "an event of outputs, fixed before the calls",
    "rho": "R/(1+R), or a number below 1",
    "sigma": "a positive number",
    "a, b": "how often the coin showed s and s' at the calls so far in which E happened",
    "r": "the probability that is allowed, 0 < r < 1",
    "q": "a probability of s that is bet on",
    "W": "the wealth: what a stake of 1 has become",
    "R, d": "numbers with P(E | s) <= R P(E | s') + d at a call; d is 0 if it is not named",
    "p": "P(E | s), and q = P(E | s') beside it",
    "x, y": "the stake and the tilt of a bet",
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
    """Follow what has stopped and what has not; no bet gains on average.

    One bet: A call has E and s with probability x/2, E and s' with probability y/2, and else no bet
    changes. q/rho = q (1 + R)/R, (1-q)/(1-rho) = (1 - q)(1 + R): the mean factor. What is won and
    lost: q/rho - 1 and 1 - (1-q)/(1-rho) are gain/R and gain, with gain = q (1 + R) - R. The mean
    of the bets: The mean over q grows by no more than each of them does on average; the law of q
    does not depend on the coins, so that all are multiplied by one weight. From "A history that
    stops" to "Risk": as in general.lasting-interval.
    """


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

    A bet that wins: Bets that all have g <= 1 make at most the part of the stake that is bet, which
    is at most 1: so W > 1 needs some q >= rho with q^a (1-q)^b > rho^a (1-rho)^b. Falling: t^a
    (1-t)^b has the derivative t^(a-1) (1-t)^(b-1) (a (1-t) - b t), not positive from a/(a+b) on:
    with rho there, no q >= rho would win. Rising: So rho is below a/(a+b), where it does not fall:
    sigma^a (1-sigma)^b <= rho^a (1-rho)^b. A bet against less: against sigma each bet has become no
    less than against rho. All of them: and bets from sigma to rho are made against sigma alone, and
    are not negative.
    """


@claim(
    "general.additive-bet",
    where="confidence",
    statement=formula(
        "(p*(1 + x*(2 - d) + y) + (1 - p)*(1 - x*d + y) + q*(1 - x*(2*R + d) - y) "
        "+ (1 - q)*(1 - x*d - y))/2 <= 1",
        given="x >= 0, p <= R*q + d",
    ),
)
def additive_bet(check: Check) -> None:
    """The mean of a bet's factor over a fair coin and the event is 1 + x (p - R q - d)."""


@claim(
    "general.additive-bets",
    where="confidence",
    statement="A fair coin that does not depend on what happened before shows s or s' at every "
    "call of a sampler, and P(E | s) <= R P(E | s') + d at every call, whatever happened before "
    "it. Bets have parts of a stake of at most 1 together. A call multiplies a bet, after s with "
    "E, s without, s' with E, s' without, by 1 + x (2 - d) + y, 1 - x d + y, 1 - x (2 R + d) - y, "
    "1 - x d - y, which are not below 0, where x >= 0 and y are its own and do not depend on the "
    "coins. Then P(W >= 1/r at some time) <= r.",
    says=samplers.ADDITIVE_BETS,
)
def additive_bets(check: Check) -> None:
    """Follow what has stopped and what has not; no bet gains on average [general.additive-bet].

    The mean of a factor, whatever happened before, is at most 1. So the mean over histories of what
    all bets have made is at most 1, also if it is kept as it is from the first time at which it is
    1/r or more. It is not negative. So it is 1/r or more with probability at most r. Bets may be
    against several pairs R, d that hold together: each has its own mean of at most 1.
    """
