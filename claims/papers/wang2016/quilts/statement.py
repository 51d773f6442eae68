"""The Markov quilt mechanism on Bayesian networks: its algorithm, its theorem, and the steps of the
printed proof.

Domains are finite. Source: wang2016, section 4.2 and appendix A.2.
"""

from fractions import Fraction

import sympy
from sympy import Abs, And, Eq, Or, Rational

from pufferproof.claims.language import (
    PRINTED,
    Edit,
    Proof,
    at_least,
    edited,
    letter,
    letters,
    proved,
)
from pufferproof.claims.papers.wang2016.quilts import statements as said_quilts
from pufferproof.claims.registry import Check, claim

n = letter("n", "card(X_N), the nodes in X_N; or how many of the nodes so far are")
sigma = letter("sigma", "the scale of the noise")
eps = letter("epsilon", "the level")
delta = letter("delta", "a bound of the influence")
influence = letter("influence", "e(X_Q|X_i)")
room = letter("room", "eps - e(X_Q|X_i)")
margin = letter("margin", "eps - delta")
score = letter("score", "the least score of X_i")

t, u = letters("t u", "values of F given z, a and given z, b; before and after nodes change")
u_next = letter("u_next", "the value of F after the next node has changed")
move = letter("move", "by how much F changes with the next node")
near, fixed = letters("near fixed", "1 for a node of X_N, and for one of X_R u X_Q; else 0")
changes = letter("changes", "1 for a node whose value changes, else 0")
w = letter("w", "an output, or one coordinate of it")
dist_t, dist_u, dist_r = letters(
    "dist_t dist_u dist_r", "L1 distances of F before and after, before and now, now and after"
)
moved = letter("moved", "the L1 distance of two values of F, or its first coordinates")
exponent = letter("exponent", "the sum of |w_j-u_j| - |w_j-t_j| over the first coordinates j")

E = letter("E", "e^(e(X_Q|X_i))", at_least(1))
R = letter("R", "e^(eps - e(X_Q|X_i))", at_least(1))
p, q = letters("p q", "the chances of z = x_{R u Q} given X_i = a, X_i = b", at_least(0))
f, h = letters("f h", "the densities of w given z and X_i = a, X_i = b", at_least(0))
A, B, C = letters("A B C", "sums of p f, q h, q f over the first z")
D = letter("D", "A/B, the right side of (6)")
weight = letter("weight", "the chance of x_N given z and X_i = a")
f_x, h_x = letters("f_x h_x", "the densities of w given x_N, z and X_i = a, or X_i = b")
mean, weights = letters("mean weights", "sums of weight f_x, and of weight, over the first x_N")
seven_a, seven_b = letters("seven_a seven_b", "the integrals of (7), above and below")
out_a, out_b = letters("out_a out_b", "the densities of w given X_i = a, X_i = b")

chance_a, chance_b = letters("chance_a chance_b", "P(X_i=a), P(X_i=b)")
z_a, z_b = letters("z_a z_b", "P(z, X_i=a), P(z, X_i=b)")
q_a, q_b = letters("q_a q_b", "P(x_Q, X_i=a), P(x_Q, X_i=b)")
g, g_b = letters("g g_b", "P(x_R|x_Q), and a chance of x_R that depends on X_i")
density = letter("density", "the density of w, z and X_i = a")
densities = letter("densities", "the sum of these over the first z")
w_1, w_2 = letters("w_1 w_2", "the weights of two outcomes")
f_1, f_2 = letters("f_1 f_2", "densities at two outcomes given X_i = a")
h_1, h_2 = letters("h_1 h_2", "densities at two outcomes given X_i = b")
NETWORKS = "every network, class, quilt and 1-Lipschitz F; finite domains; e(X_Q|X_i) finite"

LIPSCHITZ, BELOW = "F is 1-Lipschitz", "delta < eps"
RELEASED = "sigma_max is finite: otherwise nothing is released"


@claim(
    "wang2016.single-node",
    where="section 4.2",
    statement="If X_Q is a quilt of X_i with nearby set X_N and e(X_Q|X_i) <= delta, then F plus "
    "Laplace noise of scale card(X_N)/(eps-delta) is eps-Pufferfish for the value of X_i.",
    kind="theorem (informal)",
    assumes=[LIPSCHITZ, BELOW],
    says=said_quilts.SINGLE_NODE,
)
def single_node(check: Check) -> None:
    """The proof of theorem 4.4 for one node."""
    nine_tenths = Edit(
        "densities at w", without=sigma * room >= n, given=sigma * room >= Rational(9, 10) * n
    )
    larger = Edit("the scale", without=influence <= delta, given=influence >= delta)
    proved(check, PRINTED, NETWORKS, _node)
    check.near_miss(f"{PRINTED}: X_i left out of X_N", edited(_node, LEFT_OUT))
    check.near_miss(f"{PRINTED}: nine tenths of the noise", edited(_node, nine_tenths))
    check.near_miss(f"{PRINTED}: a larger influence", edited(_node, larger))


LEFT_OUT = Edit("one node", without=Eq(near + fixed, 1))


def _node(proof: Proof) -> None:
    """Weights change by E at most, densities by R, hence sums by E R; delta may be any bound of
    the influence.
    """
    proof.cite("the quotient, and its weights", "p <= E q for every z", "wang2016.A2-eq6")
    proof.inequality(
        "the scale",
        "n/(eps - delta) is at least n/(eps - e(X_Q|X_i))",
        And(sigma * room >= n, room > 0),
        [
            Eq(sigma * (eps - delta), n),
            influence <= delta,
            delta < eps,
            Eq(room, eps - influence),
            n >= 1,
        ],
    )
    _spread(proof)
    _both_together(proof)


def _spread(proof: Proof) -> None:
    """From card(X_N) to densities."""
    _one_node(proof)
    proof.induction(
        "F within X_N",
        "The nodes are taken in turn, the first of them with their new values: F has moved from t "
        "to u, n of them are in X_N. The next one moves F by at most near: by card(X_N) at "
        "most in the end",
        base=(Abs(t - u) <= n, [Eq(t, u), Eq(n, 0)]),
        step=(
            Abs(t - u_next) <= n + near,
            [Abs(t - u) <= n, Eq(move, Abs(u - u_next)), move <= near],
        ),
    )
    proof.inequality(
        "densities at w",
        "any value t of F given z, a against any value u given z, b: the logarithm (|w-u| - "
        "|w-t|)/sigma is at most eps - e(X_Q|X_i)",
        Abs(w - u) - Abs(w - t) <= sigma * room,
        [Abs(t - u) <= n, sigma * room >= n, room > 0, n >= 1],
    )
    _given_z(proof)


def _one_node(proof: Proof) -> None:
    proof.inequality(
        "one node",
        "the values z of the nodes of X_R u X_Q are fixed. Every node is in one of both, X_i in "
        "X_N, by Definition 4.3 (a) and (b)",
        move <= near,
        [
            Eq(near + fixed, 1),
            Or(Eq(near, 0), Eq(near, 1)),
            Or(Eq(fixed, 0), Eq(fixed, 1)),
            Or(Eq(fixed, 0), Eq(changes, 0)),
            Or(And(Eq(changes, 1), move <= 1), And(Eq(changes, 0), Eq(move, 0))),
        ],
    )


def _given_z(proof: Proof) -> None:
    proof.summed(
        "densities given z",
        "f_x <= R h_x for every two x_N, given a and given b. With all x_N the weights are 1 and "
        "the mean is at most R h_x",
        so_far=mean <= weights * R * h_x,
        adding={mean: weight * f_x, weights: weight},
        given=[f_x <= R * h_x, weight >= 0],
        for_any=[R],
    )
    proof.cite(
        "the other side",
        "the mean is at most R h_x for every x_N given b, so for their mean",
        "lemma.mediant",
    )


def _both_together(proof: Proof) -> None:
    proof.summed(
        "both together",
        "f and h are these means, for each z and for a and b in both orders: so A <= E R B, E R = "
        "e^eps",
        so_far=A <= E * R * B,
        adding={A: p * f, B: q * h},
        given=[p <= E * q, f <= R * h],
    )


SMALLEST = Edit("all nodes", without=sigma >= score, given=sigma <= score)


@claim(
    "wang2016.alg-mqm",
    where="section 4.2",
    statement="For every X_i and every quilt of S_{Q,i}: sigma(X_Q) = card(X_N)/(eps - e(X_Q|X_i)) "
    "if e(X_Q|X_i) < eps, else infinity; sigma_i the least, sigma_max the largest sigma_i; "
    "output F(D) + sigma_max Lap(1).",
    kind="algorithm",
)
def algorithm(check: Check) -> None:
    with check.reading(PRINTED) as proof:
        proof.definition(
            "influence",
            "one number for the whole class: the supremum over Theta is inside e(X_Q|X_i)",
        )
        proof.definition(
            "no finite score",
            "sigma_max is infinite and nothing can be released; the empty quilt prevents it",
        )


@claim(
    "wang2016.thm-4.4",
    where="Theorem 4.4",
    statement="F 1-Lipschitz, secrets and pairs as in the setting, each theta over a fixed network "
    "G. If each S_{Q,i} is not empty, the Markov quilt mechanism is eps-Pufferfish in "
    "(S,Q,Theta).",
    assumes=[RELEASED],
    says=said_quilts.THEOREM_44,
)
def theorem(check: Check) -> None:
    """For every node the quilt of least score: the scale is enough for it, with delta for its
    influence.
    """
    proved(check, PRINTED, NETWORKS, _theorem)
    name = f"{PRINTED}: the smallest sigma_i instead of the largest"
    check.near_miss(name, edited(_theorem, SMALLEST))


def _theorem(proof: Proof) -> None:
    _largest(proof)
    proof.cite(
        "one node",
        "scale card(X_N)/(eps - delta) is enough for X_i",
        "wang2016.single-node",
        met_by={BELOW: "all nodes"},
        met={LIPSCHITZ: "F is, in Theorem 4.4"},
    )


def _largest(proof: Proof) -> None:
    proof.inequality(
        "all nodes",
        "As sigma_max is finite every node has a quilt of finite score n/(eps - e(X_Q|X_i)). "
        "sigma_max, at least the least one, is n/(eps - delta) for a delta with e(X_Q|X_i) <= "
        "delta < eps",
        And(margin > 0, margin <= room),
        [
            Eq(score * room, n),
            Eq(sigma * margin, n),
            sigma > 0,
            score > 0,
            room > 0,
            n >= 1,
            sigma >= score,
        ],
    )


@claim(
    "wang2016.A2-eq6",
    where="Appendix A.2, equation (6)",
    statement="Let X_Q be a quilt of X_i with finite e(X_Q|X_i). The output ratio is a quotient of "
    "integrals over x = x_{R u Q} of p(w|X_i,x) p(x|X_i), which is 0 where p(x|X_i) = 0, and "
    "p(x|X_i=a)/p(x|X_i=b) <= e^(e(X_Q|X_i)).",
    kind="lemma (proof step)",
    says=said_quilts.EQUATION_6,
)
def eq6(check: Check) -> None:
    """Total probability, and the second condition of a quilt."""
    depends = Edit(
        "weights",
        without=Or(Eq(q_b, 0), Eq(z_b, g * q_b)),
        given=[Or(Eq(q_b, 0), Eq(z_b, g_b * q_b)), g_b >= 0],
    )
    proved(check, PRINTED, NETWORKS, _eq6)
    check.near_miss(f"{PRINTED}: X_R depends on X_i given X_Q", edited(_eq6, depends))


def _eq6(proof: Proof) -> None:
    proof.induction(
        "total probability",
        "sums over the first z. A z with P(z, X_i=a) = 0 has density 0 and adds 0, so that A is "
        "the density of w given X_i = a in the end",
        base=(Eq(A * chance_a, densities), [Eq(A, 0), Eq(densities, 0), chance_a > 0]),
        step=(
            Eq((A + f * p) * chance_a, densities + density),
            [
                Eq(A * chance_a, densities),
                Eq(f * z_a, density),
                Eq(p * chance_a, z_a),
                chance_a > 0,
            ],
        ),
        for_any=[f, p],
    )
    proof.inequality(
        "terms without mass",
        "0 <= density <= f P(z, X_i=a) for every f that bounds the density of the noise",
        And(Eq(density, 0), Eq(p, 0)),
        [Eq(z_a, 0), density >= 0, density <= f * z_a, Eq(p * chance_a, z_a), chance_a > 0],
        for_any=[f, p],
    )
    proof.inequality(
        "weights",
        "Condition 2 of a quilt says that z_a/q_a and z_b/q_b, where they exist, are P(x_R|x_Q); "
        "by the definition of max-influence q_a/chance_a <= E q_b/chance_b. So p <= E q",
        z_a / chance_a <= E * (z_b / chance_b),
        [
            Or(Eq(q_a, 0), Eq(z_a, g * q_a)),
            Or(Eq(q_b, 0), Eq(z_b, g * q_b)),
            *[each >= 0 for each in (z_a, z_b, g)],
            z_a <= q_a,
            z_b <= q_b,
            q_a / chance_a <= E * (q_b / chance_b),
            chance_a > 0,
            chance_b > 0,
        ],
    )


@claim(
    "wang2016.A2-eq7",
    where="Appendix A.2, equation (7)",
    statement="The right side of (6) is at most e^(e(X_Q|X_i)) * [integral of p(F(X)+sigma_max "
    "Z=w|X_i=a,X_{RuQ}=x,theta) dx] / [integral of p(F(X)+sigma_max Z=w|X_i=b,X_{RuQ}=x,theta) "
    "dx].",
    kind="lemma (proof step)",
    repair="wang2016.x-A2-eq7-weighted",
)
def eq7(check: Check) -> None:
    """The weights p(x|X_i) cannot be dropped: refuted on two independent nodes."""
    scope = (
        "two independent bits, every 1-Lipschitz table with values 0 and 1, scale 1/log 2, epsilon "
        "= log 2"
    )
    with check.reading(PRINTED, scope) as proof:
        found = proof.exhaust(
            "smallest failure", "weights, then tables; w a value of F", _family(), _eq7_holds
        )
        if found is not None:
            table, weight, output = found
            proof.counterexample(
                "two nodes",
                "X_1 is private and X_2 is independent of it, so that X_Q = {X_2} is a quilt with "
                "e = 0 and card(X_N) = 1: sigma_max = 1/log 2 for eps = log 2. Equation (7) leaves "
                "the weights P(X_2=x) out of both integrals of (6). The claim is that this can "
                "only make the quotient larger. It is smaller here, where the likely value of X_2 "
                "is the one at which the ratio is largest; with the weights of X_i = b in both "
                "integrals (7) is true",
                {
                    "F(00) F(01) F(10) F(11)": list(table),
                    "P(X_2=0)": weight,
                    "w": output,
                    "left side of (7)": _sides(*found)[0],
                    "right side of (7)": _sides(*found)[1],
                },
                lambda: not _eq7_holds(found),
            )


Instance = tuple[tuple[int, int, int, int], Fraction, int]


def _family() -> list[Instance]:
    tables = [(i, j, k, m) for i in (0, 1) for j in (0, 1) for k in (0, 1) for m in (0, 1)]
    weights = sorted((Fraction(i, 8) for i in range(1, 8)), key=lambda x: (x.denominator, x))
    return [(table, weight, output) for weight in weights for table in tables for output in (0, 1)]


def _sides(
    table: tuple[int, int, int, int], weight: Fraction, output: int
) -> tuple[Fraction, Fraction]:
    """Both sides of (7), X_1 = 0 against 1, e^(-|z|/scale) = 2^-|z|."""
    density = [Fraction(1, 2 ** abs(output - value)) for value in table]
    left = (weight * density[0] + (1 - weight) * density[1]) / (
        weight * density[2] + (1 - weight) * density[3]
    )
    return left, (density[0] + density[1]) / (density[2] + density[3])


def _eq7_holds(instance: Instance) -> bool:
    left, right = _sides(*instance)
    return left <= right


@claim(
    "wang2016.x-A2-eq7-weighted",
    where="Appendix A.2, equation (7) repaired",
    statement="Let X_Q be a quilt of X_i with finite e(X_Q|X_i). The right side of (6) is at most "
    "e^(e(X_Q|X_i)) times the same quotient with the weights p(x|X_i=b) in both integrals, "
    "hence at most e^(e(X_Q|X_i)) times the largest quotient p(w|X_i=a,x)/p(w|X_i=b,x) over x.",
    kind="repair of wang2016.A2-eq7",
    says=said_quilts.WEIGHTED,
)
def weighted(check: Check) -> None:
    """Only the weights of the numerator are replaced."""
    proved(
        check,
        "as stated",
        NETWORKS,
        _weighted,
        without_weights=_without_weights,
        without_the_influence=Edit("the numerator", put={E: 1}),
    )


def _weighted(proof: Proof) -> None:
    proof.cite("weights", "p <= E q", "wang2016.A2-eq6")
    proof.summed(
        "the numerator",
        "A and C are the sums of p f and of q f",
        so_far=A <= E * C,
        adding={A: p * f, C: q * f},
        given=[p <= E * q],
    )
    proof.summed(
        "the largest quotient",
        "C and B are the sums of q f and q h, f <= R h for each x",
        so_far=C <= R * B,
        adding={C: q * f, B: q * h},
        given=[f <= R * h],
    )
    proof.inequality(
        "both quotients",
        "D = A/B is the right side of (6): at most E C/B, and at most E R",
        And(D <= E * C / B, D <= E * R),
        [Eq(D * B, A), A <= E * C, C <= R * B, B > 0],
    )


def _without_weights(proof: Proof) -> None:
    """Equation (7) for two outcomes, whose weights are the same given a and given b."""
    proof.inequality(
        "two outcomes, no influence",
        "without weights the quotient would be (f_1 + f_2)/(h_1 + h_2)",
        (w_1 * f_1 + w_2 * f_2) / (w_1 * h_1 + w_2 * h_2) <= (f_1 + f_2) / (h_1 + h_2),
        [Eq(w_1 + w_2, 1), *[each > 0 for each in (w_1, w_2, f_1, f_2, h_1, h_2)]],
    )


@claim(
    "wang2016.A2-lipschitz",
    where="Appendix A.2",
    statement="For fixed x_{RuQ}, F varies by at most card(X_N); with e(X_Q|X_i) < eps and "
    "sigma_max >= card(X_N)/(eps-e(X_Q|X_i)) the ratio of densities given a and given b is at "
    "most e^(eps-e(X_Q|X_i)) for every x. With (7) the final ratio is <= e^eps.",
    kind="lemma (proof step)",
    says=said_quilts.LIPSCHITZ_STEPS,
)
def per_outcome(check: Check) -> None:
    """One change at a time; with either form of (7) the rest follows."""
    proved(check, PRINTED, NETWORKS, _per_outcome)
    name = f"{PRINTED}: with a node of X_N counted out"
    check.near_miss(name, edited(_per_outcome, LEFT_OUT))


def _per_outcome(proof: Proof) -> None:
    _spread(proof)
    proof.summed(
        "integrals without weights",
        "of (7), f <= R h for each x",
        so_far=seven_a <= R * seven_b,
        adding={seven_a: f, seven_b: h},
        given=[f <= R * h],
    )
    proof.inequality(
        "with (7), if it holds",
        "out_a/out_b <= E seven_a/seven_b",
        out_a <= E * R * out_b,
        [
            out_a * seven_b <= E * seven_a * out_b,
            seven_a <= R * seven_b,
            seven_b > 0,
            out_b > 0,
        ],
    )
    proof.cite("with (7) repaired", "the same bound", "wang2016.x-A2-eq7-weighted")


@claim(
    "wang2016.vector",
    where="section 4.3, end",
    statement="If vector-valued F is 1-Lipschitz in L1, adding sigma_max Lap(1) to each coordinate "
    "is eps-Pufferfish.",
    kind="theorem (cited)",
    assumes=[RELEASED],
    says=said_quilts.VECTOR,
)
def vector(check: Check) -> None:
    """The exponents add up over coordinates to the L1 distance; the rest of the proof is that
    for numbers.
    """
    largest_coordinate = Edit(
        "exponents of all coordinates: step",
        instead=exponent + Abs(w - u) - Abs(w - t) <= sympy.Max(moved, Abs(t - u)),
        given=moved >= 0,
    )
    proved(
        check,
        PRINTED,
        NETWORKS.replace("F;", "F with any number of coordinates;"),
        _vector,
        **{"1-Lipschitz in every coordinate": largest_coordinate},
    )
    check.near_miss(f"{PRINTED}: the smallest sigma_i", edited(_vector, SMALLEST))


def _vector(proof: Proof) -> None:
    proof.cite("the quotient, and its weights", "p <= E q for every z", "wang2016.A2-eq6")
    _largest(proof)
    _distances(proof)
    proof.summed(
        "exponents of all coordinates",
        "sums of |w_j-u_j| - |w_j-t_j| and of |t_j-u_j| over the first coordinates",
        so_far=exponent <= moved,
        adding={exponent: Abs(w - u) - Abs(w - t), moved: Abs(t - u)},
    )
    proof.inequality(
        "densities at w",
        "exponent/sigma is the logarithm of the ratio: at most room >= n/sigma",
        exponent <= sigma * room,
        [
            exponent <= moved,
            moved <= n,
            sigma * margin <= sigma * room,
            Eq(sigma * margin, n),
            sigma > 0,
            room > 0,
        ],
    )
    _given_z(proof)
    _both_together(proof)


def _distances(proof: Proof) -> None:
    proof.induction(
        "L1 distances",
        "sums of |t_j-r_j|, |t_j-u_j| and |u_j-r_j| over the first coordinates",
        base=(dist_t <= dist_u + dist_r, [Eq(dist_t, 0), Eq(dist_u, 0), Eq(dist_r, 0)]),
        step=(
            dist_t + Abs(t - u_next) <= (dist_u + Abs(t - u)) + (dist_r + Abs(u - u_next)),
            [dist_t <= dist_u + dist_r],
        ),
    )
    _one_node(proof)
    proof.induction(
        "F within X_N",
        "The nodes are taken in turn, n of the first ones are in X_N and F has moved by dist_u in "
        "L1. The next one moves it by at most near: by card(X_N) at most in the end",
        base=(moved <= n, [Eq(moved, 0), Eq(n, 0)]),
        step=(
            dist_t <= n + near,
            [
                dist_t <= dist_u + dist_r,
                Eq(dist_u, moved),
                moved <= n,
                Eq(dist_r, move),
                move <= near,
            ],
        ),
    )
