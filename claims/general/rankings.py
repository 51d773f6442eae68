"""Rankings by draws without replacement: their level, and their law as the largest noisy scores.

Peeling draws K of m candidates one after the other, each from those that are left, with
probabilities proportional to weights B^u(D, r). A weight is also the rate of an exponential time;
the one-shot form takes the K least of m independent times.
"""

from pufferproof.claims.general.statements import quilts
from pufferproof.claims.registry import Check, claim

NOTATION = {
    "u(D, r)": "the score of the candidate r on the database D",
    "K": "how many candidates are ranked",
    "Delta": "a bound of |u(D, r) - u(D', r)| for neighbours D, D' and every r",
    "r_1 .. r_K": "a ranking, the first one first",
    "c": "the factor of scores in exponents",
}


@claim(
    "general.peeling",
    where="general laws",
    statement="Draw r_1 .. r_K without replacement, r_k with probability e^(c u(D, r_k)) / "
    "sum of e^(c u(D, r)) over the r that are left. The ranking is (2 K Delta c)-differentially "
    "private: a level epsilon is kept with c = epsilon/(2 K Delta). Where no score falls, or none "
    "rises, from D to D', it is (K Delta c)-differentially private for them.",
    says={"any neighbours": quilts.PEELING, "scores that move one way": quilts.PEELING_ONE_WAY},
)
def peeling(check: Check) -> None:
    """Bound the ratio of one draw, and multiply.

    Any neighbours. Denominators: every weight changes by at most B = e^(c Delta), hence so does
    their sum. One draw: w/W <= B^2 x/X for the sums W, X over all candidates that are left. One
    more draw: given the same draws before, the same candidates are left on both; C is the power of
    the bound of one draw.

    Scores that move one way. Denominators, scores that do not fall: W <= X <= B W, as each weight
    does so. One draw, scores that do not fall: w/W <= B x/X and x/X <= B w/W. One more draw: as
    above.
    """


@claim(
    "general.gumbel-top-k",
    where="general laws",
    statement="Add independent noise G_r with P(G_r <= x) = exp(-e^(-x)) to the numbers c u(D, r), "
    "and rank the K largest sums, r_1 the largest. Almost surely no two are equal, and "
    "P(r_1 .. r_K) is the product over k of e^(c u(D, r_k)) / sum of e^(c u(D, r)) over all r not "
    "among r_1 .. r_(k-1): the law of draws without replacement.",
    says=quilts.GUMBEL,
)
def gumbel(check: Check) -> None:
    """Turn noise into exponential times, and integrate from the last rank to the first.

    Times: T_r = exp(-(c u(D, r) + G_r)) exceeds t iff G_r < g = log(1/t) - c u(D, r), so e^g =
    (1/t) (1/rate). This has probability exp(-e^-g), and e^-g = t rate: an exponential time of the
    rate e^(c u(D, r)). The largest sum is the least time. Later than s: all candidates ranked below
    are later than s with probability exp(-rest s), as times are independent; one more rank is later
    than t, and before them, with probability F times the integral over s > t of rate exp(-rate s)
    exp(-rest s), whose antiderivative is -rate/(rate + rest) exp(-(rate + rest) s). Rank by rank:
    P(t < T_(r_k) < .. < T_(r_K) < all others) = F exp(-left t): F = 1 for no rank, and each rank,
    from the last to the first, multiplies F by rate/left, left = rate + rest. G is the probability
    that peeling draws r_k .. r_K when it has drawn r_1 .. r_(k-1).
    """
