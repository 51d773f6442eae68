"""Rankings by draws without replacement: their level, and their law as the largest noisy scores.

Peeling draws K of m candidates one after the other, each from those that are left, with
probabilities proportional to weights B^u(D, r). A weight is also the rate of an exponential time;
the one-shot form takes the K least of m independent times.
"""

from sympy import Eq, Expr

from pufferproof.claims.general.statements import quilts
from pufferproof.claims.language import (
    Edit,
    Proof,
    above,
    at_least,
    letter,
    letters,
    proved,
)
from pufferproof.claims.registry import Check, claim

B = letter("B", "e to what a score may change by, times its factor in the exponent", at_least(1))
w, x = letters("w x", "weights of the candidate that is drawn, on two neighbours", above(0))
W, X = letters("W X", "sums of the weights of the first candidates that are left", at_least(0))
y, z = letters("y z", "weights of the next candidate that is left", at_least(0))
P, Q = letters("P Q", "probabilities of the first draws, on two neighbours", at_least(0))
p, q = letters("p q", "probabilities of the next draw, given those before", at_least(0))
C = letter("C", "the product of B^2 over the first draws", at_least(1))
rate = letter("rate", "the weight of the candidate of this rank, the rate of its time", above(0))
rest = letter("rest", "the sum of the rates of all candidates ranked below", above(0))
left = letter("left", "the sum of the rates of all candidates that are left", above(0))
whole = letter("whole", "the sum of the rates of all candidates", above(0))
F, G = letters("F G", "the probabilities of the ranks below, in one shot and by peeling", above(0))
f, g = letters("f g", "what the rank above them multiplies these by", above(0))
e, E = letters("e E", "exp(-rate s) and exp(-rest s) at a time s", above(0))
K = "every number of candidates and of ranks, all real scores"
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
    says={
        "any neighbours": quilts.PEELING,
        "scores that move one way": quilts.PEELING_ONE_WAY,
    },
)
def peeling(check: Check) -> None:
    """Bound the ratio of one draw, and multiply."""
    once = Edit("one draw", put={B**2: B})
    proved(check, "any neighbours", K, _any, half_the_level=once)
    falling = Edit("one draw, scores that do not fall", without=w <= x)
    proved(check, "scores that move one way", K, _one_way, some_fall=falling)


def _any(proof: Proof) -> None:
    proof.summed(
        "denominators",
        "every weight changes by at most B = e^(c Delta), hence so does their sum",
        so_far=(W <= B * X) & (X <= B * W),
        adding={W: y, X: z},
        given=[y <= B * z, z <= B * y],
    )
    proof.inequality(
        "one draw",
        "w/W <= B^2 x/X for the sums W, X over all candidates that are left",
        w * X <= B**2 * x * W,
        [w <= B * x, X <= B * W, W > 0, X > 0],
    )
    _product(proof, B**2)


def _one_way(proof: Proof) -> None:
    proof.summed(
        "denominators, scores that do not fall",
        "W <= X <= B W, as each weight does so",
        so_far=(W <= X) & (X <= B * W),
        adding={W: y, X: z},
        given=[y <= z, z <= B * y],
    )
    proof.inequality(
        "one draw, scores that do not fall",
        "w/W <= B x/X and x/X <= B w/W",
        (w * X <= B * x * W) & (x * W <= B * w * X),
        [w <= x, x <= B * w, W <= X, X <= B * W, W > 0],
    )
    _product(proof, B)


def _product(proof: Proof, factor: Expr) -> None:
    proof.induction(
        "one more draw",
        "given the same draws before, the same candidates are left on both; C is the power of "
        "the bound of one draw",
        base=(P <= C * Q, [P <= C * Q]),
        step=(P * p <= C * factor * Q * q, [P <= C * Q, p <= factor * q]),
    )


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
    """Turn noise into exponential times, and integrate from the last rank to the first."""
    proved(
        check,
        "as stated",
        K,
        _gumbel,
        draws_with_replacement=Edit(
            "rank by rank: step", without=Eq(g * left, rate), given=Eq(g * whole, rate)
        ),
        noise_of_twice_the_scale=Edit("times", instead="t*rate**2"),
    )


def _gumbel(proof: Proof) -> None:
    proof.identity(
        "times",
        "T_r = exp(-(c u(D, r) + G_r)) exceeds t iff G_r < g = log(1/t) - c u(D, r), so e^g = "
        "(1/t) (1/rate). This has probability exp(-e^-g), and e^-g = t rate: an exponential time "
        "of the rate e^(c u(D, r)). The largest sum is the least time",
        "1/((1/t)*(1/rate))",
        "t*rate",
    )
    proof.identity(
        "later than s",
        "all candidates ranked below are later than s with probability exp(-rest s), as times "
        "are independent; one more rank is later than t, and before them, with probability F "
        "times the integral over s > t of rate exp(-rate s) exp(-rest s), whose antiderivative "
        "is -rate/(rate + rest) exp(-(rate + rest) s)",
        "(rate + rest)*(rate/(rate + rest))*e*E",
        "rate*e*E",
    )
    proof.induction(
        "rank by rank",
        "P(t < T_(r_k) < .. < T_(r_K) < all others) = F exp(-left t): F = 1 for no rank, and "
        "each rank, from the last to the first, multiplies F by rate/left, left = rate + rest. "
        "G is the probability that peeling draws r_k .. r_K when it has drawn r_1 .. r_(k-1)",
        base=(Eq(F, G), [Eq(F * left, rate), Eq(G * left, rate)]),
        step=(
            Eq(F * f, G * g),
            [Eq(F, G), Eq(f * left, rate), Eq(g * left, rate), left <= whole],
        ),
    )
