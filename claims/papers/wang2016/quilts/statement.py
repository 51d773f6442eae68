"""The Markov quilt mechanism on Bayesian networks: its algorithm, its theorem, and the steps of the
printed proof.

Letters: z stands for x_{R u Q}; p and q are its probabilities given X_i = a and given X_i = b, f
and h the densities of the output given z and X_i = a, b; A and B sums of p f and q h; E =
e^(e(X_Q|X_i)), R = e^(eps - e(X_Q|X_i)), so that E R = e^eps. n = card(X_N), s = sigma_max, t and u
values of F. Domains are finite. Source: wang2016, section 4.2 and appendix A.2.
"""

from fractions import Fraction

import sympy
from sympy import Abs, And, Eq, Or, Rational

from pufferproof.claims.language import PRINTED
from pufferproof.claims.registry import Check, claim
from pufferproof.verify.proof.argument import Argument

p, q, f, h, A, B, C, D, E, R, n, s, d, w, t, u, m, r = sympy.symbols(
    "p q f h A B C D E R n s d w t u m r"
)
g, j, k, l, v, x, y = sympy.symbols("g j k l v x y")
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
)
def single_node(check: Check) -> None:
    """The proof of theorem 4.4 for one node."""
    with check.reading(PRINTED, NETWORKS) as argument:
        prove_node(argument)
    check.near_miss(
        f"{PRINTED}: X_i left out of X_N", lambda argument: prove_node(argument, left_out=True)
    )
    check.near_miss(
        f"{PRINTED}: nine tenths of the noise",
        lambda argument: prove_node(argument, share=Rational(9, 10)),
    )
    check.near_miss(
        f"{PRINTED}: a larger influence", lambda argument: prove_node(argument, below=True)
    )


def prove_node(
    argument: Argument, left_out: bool = False, share: Rational | int = 1, below: bool = False
) -> None:
    """Weights change by E at most, densities by R, hence sums by E R; delta may be any bound of
    the influence.
    """
    argument.cite("the quotient, and its weights", "p <= E q for every z", "wang2016.A2-eq6")
    argument.inequality(
        "the scale",
        "e(X_Q|X_i) = r is at most delta = m, eps = y: s = n/(eps - delta) is at least n/d, d = "
        "eps - e(X_Q|X_i)",
        And(s * d >= n, d > 0),
        [Eq(s * (y - m), n), r >= m if below else r <= m, m < y, Eq(d, y - r), n >= 1],
    )
    _spread(argument, left_out, share)
    _both_together(argument)


_TERM = [p <= E * q, f <= R * h, p >= 0, q >= 0, f >= 0, h >= 0, E >= 1, R >= 1]


def _spread(argument: Argument, left_out: bool = False, share: Rational | int = 1) -> None:
    """From card(X_N) to densities."""
    _one_node(argument, left_out)
    argument.induction(
        "F within X_N",
        "The nodes are taken in turn, the first of them with their new values: F has moved from t "
        "to u, n of them are in X_N. The next one moves F by v = |u - r| <= k: by card(X_N) at "
        "most in the end",
        base=(Abs(t - u) <= n, [Eq(t, u), Eq(n, 0)]),
        step=(Abs(t - r) <= n + k, [Abs(t - u) <= n, Eq(v, Abs(u - r)), v <= k]),
    )
    argument.inequality(
        "densities at w",
        "any value t of F given z, a against any value u given z, b: the logarithm (|w-u| - "
        "|w-t|)/s is at most d = eps - e(X_Q|X_i), as s >= n/d, n = card(X_N)",
        Abs(w - u) - Abs(w - t) <= s * d,
        [Abs(t - u) <= n, s * d >= share * n, d > 0, n >= 1],
    )
    _given_z(argument)


def _one_node(argument: Argument, left_out: bool = False) -> None:
    argument.inequality(
        "one node",
        "k = 1 for the nodes of X_N, else 0; x = 1 for those of X_R u X_Q, whose values z are "
        "fixed; l = 1 for those whose value changes; v is the change of F. Every node is in one of "
        "both, X_i in X_N, by Definition 4.3 (a) and (b)",
        v <= k,
        [
            *([] if left_out else [Eq(k + x, 1)]),
            Or(Eq(k, 0), Eq(k, 1)),
            Or(Eq(x, 0), Eq(x, 1)),
            Or(Eq(x, 0), Eq(l, 0)),
            Or(And(Eq(l, 1), v <= 1), And(Eq(l, 0), Eq(v, 0))),
        ],
    )


def _given_z(argument: Argument) -> None:
    argument.induction(
        "densities given z",
        "A is the sum of p f over the first x_N given z and a, D that of their weights p, h a "
        "density for any x_N given b, f <= R h for every two. With all x_N, D = 1 and A <= R h",
        base=(p * f <= p * R * h, [f <= R * h, p >= 0]),
        step=(A + p * f <= (D + p) * R * h, [A <= D * R * h, f <= R * h, p >= 0]),
    )
    argument.cite(
        "the other side", "A <= R h for every x_N given b, so for their mean", "lemma.mediant"
    )


def _both_together(argument: Argument) -> None:
    argument.induction(
        "both together",
        "f and h are these means, f <= R h, and p <= E q, for each z and for a and b in both "
        "orders: so A <= E R B, E R = e^eps",
        base=(p * f <= E * R * q * h, _TERM),
        step=(A + p * f <= E * R * (B + q * h), [A <= E * R * B, *_TERM]),
    )


@claim(
    "wang2016.alg-mqm",
    where="section 4.2",
    statement="For every X_i and every quilt of S_{Q,i}: sigma(X_Q) = card(X_N)/(eps - e(X_Q|X_i)) "
    "if e(X_Q|X_i) < eps, else infinity; sigma_i the least, sigma_max the largest sigma_i; "
    "output F(D) + sigma_max Lap(1).",
    kind="algorithm",
)
def algorithm(check: Check) -> None:
    with check.reading(PRINTED) as argument:
        argument.definition(
            "influence",
            "one number for the whole class: the supremum over Theta is inside e(X_Q|X_i)",
        )
        argument.definition(
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
)
def theorem(check: Check) -> None:
    """For every node the quilt of least score: the scale is enough for it, with delta for its
    influence.
    """
    with check.reading(PRINTED, NETWORKS) as argument:
        _theorem(argument)
    check.near_miss(
        f"{PRINTED}: the smallest sigma_i instead of the largest",
        lambda argument: _theorem(argument, False),
    )


def _theorem(argument: Argument, largest: bool = True) -> None:
    _largest(argument, largest)
    argument.cite(
        "one node",
        "scale card(X_N)/(eps - delta) is enough for X_i",
        "wang2016.single-node",
        met_by={BELOW: "all nodes"},
        met={LIPSCHITZ: "F is, in Theorem 4.4"},
    )


def _largest(argument: Argument, largest: bool = True) -> None:
    scale = [s >= r] if largest else [s <= r]
    argument.inequality(
        "all nodes",
        "As sigma_max is finite every node has a quilt of finite score: for the least one r = n/d "
        "with d = eps - e(X_Q|X_i) > 0. s = sigma_max >= r is n/(eps - delta) for a delta with "
        "e(X_Q|X_i) <= delta < eps, v = eps - delta",
        And(v > 0, v <= d),
        [Eq(r * d, n), Eq(s * v, n), s > 0, r > 0, d > 0, n >= 1, *scale],
    )


@claim(
    "wang2016.A2-eq6",
    where="Appendix A.2, equation (6)",
    statement="Let X_Q be a quilt of X_i with finite e(X_Q|X_i). The output ratio is a quotient of "
    "integrals over x = x_{R u Q} of p(w|X_i,x) p(x|X_i), which is 0 where p(x|X_i) = 0, and "
    "p(x|X_i=a)/p(x|X_i=b) <= e^(e(X_Q|X_i)).",
    kind="lemma (proof step)",
)
def eq6(check: Check) -> None:
    """Total probability, and the second condition of a quilt."""
    with check.reading(PRINTED, NETWORKS) as argument:
        _eq6(argument)
    check.near_miss(
        f"{PRINTED}: X_R depends on X_i given X_Q", lambda argument: _eq6(argument, quilt=False)
    )


def _eq6(argument: Argument, quilt: bool = True) -> None:
    argument.induction(
        "total probability",
        "C sums the densities u of w and z together with X_i = a over the first z, A sums f p, "
        "with f = u/t and p = t/m, t = P(z, X_i=a), m = P(X_i=a). A z with t = 0 has u = 0 and "
        "adds 0, so that A = C/m: the density of w given X_i = a",
        base=(Eq(A * m, C), [Eq(A, 0), Eq(C, 0), m > 0]),
        step=(Eq((A + f * p) * m, C + u), [Eq(A * m, C), Eq(f * t, u), Eq(p * m, t), m > 0]),
    )
    argument.inequality(
        "terms without mass",
        "0 <= u <= f t for every f that bounds the density of the noise: t = 0 gives u = 0, p = 0",
        And(Eq(u, 0), Eq(p, 0)),
        [Eq(t, 0), u >= 0, u <= f * t, Eq(p * m, t), m > 0],
    )
    other = g if quilt else v
    argument.inequality(
        "weights",
        "l and k are P(x_Q,X_i=a) and P(x_Q,X_i=b), t and u the same with x_R too, m and n are "
        "P(X_i=a) and P(X_i=b). Condition 2 of a quilt says that t/l and u/k, where they exist, "
        "are g = P(x_R|x_Q); by the definition of max-influence l/m <= E k/n. So p <= E q for p = "
        "t/m and q = u/n",
        t / m <= E * (u / n),
        [
            Or(Eq(l, 0), Eq(t, g * l)),
            Or(Eq(k, 0), Eq(u, other * k)),
            t >= 0,
            u >= 0,
            t <= l,
            u <= k,
            g >= 0,
            other >= 0,
            l / m <= E * (k / n),
            m > 0,
            n > 0,
            E >= 1,
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
    with check.reading(PRINTED, scope) as argument:
        found = argument.exhaust(
            "smallest failure", "weights, then tables; w a value of F", _family(), _eq7_holds
        )
        if found is not None:
            table, weight, output = found
            argument.counterexample(
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
)
def weighted(check: Check) -> None:
    """Only the weights of the numerator are replaced."""
    with check.reading("as stated", NETWORKS) as argument:
        _weighted(argument)
    check.near_miss("as stated: without weights", _without_weights)
    check.near_miss(
        "as stated: without the influence", lambda argument: _weighted(argument, alone=True)
    )


def _weighted(argument: Argument, alone: bool = False) -> None:
    level = 1 if alone else E
    argument.cite("weights", "p <= E q", "wang2016.A2-eq6")
    argument.induction(
        "the numerator",
        "A and C are the sums of p f and of q f",
        base=(p * f <= level * q * f, _TERM),
        step=(A + p * f <= level * (C + q * f), [A <= level * C, *_TERM]),
    )
    argument.induction(
        "the largest quotient",
        "C and B are the sums of q f and q h, f <= R h for each x",
        base=(q * f <= R * q * h, _TERM),
        step=(C + q * f <= R * (B + q * h), [C <= R * B, *_TERM]),
    )
    argument.inequality(
        "both quotients",
        "D = A/B is the right side of (6): at most E C/B, and at most E R",
        And(D <= E * C / B, D <= E * R),
        [Eq(D * B, A), A <= E * C, C <= R * B, B > 0, E >= 1, R >= 1],
    )


def _without_weights(argument: Argument) -> None:
    """Equation (7) for two outcomes: p and q are the weights of both given either value, f, g
    and h, k the densities.
    """
    argument.inequality(
        "two outcomes, no influence",
        "without weights the quotient would be (f + g)/(h + k)",
        (p * f + q * g) / (p * h + q * k) <= (f + g) / (h + k),
        [p > 0, q > 0, Eq(p + q, 1), f > 0, g > 0, h > 0, k > 0],
    )


@claim(
    "wang2016.A2-lipschitz",
    where="Appendix A.2",
    statement="For fixed x_{RuQ}, F varies by at most card(X_N); with e(X_Q|X_i) < eps and "
    "sigma_max >= card(X_N)/(eps-e(X_Q|X_i)) the ratio of densities given a and given b is at "
    "most e^(eps-e(X_Q|X_i)) for every x. With (7) the final ratio is <= e^eps.",
    kind="lemma (proof step)",
)
def per_outcome(check: Check) -> None:
    """One change at a time; with either form of (7) the rest follows."""
    with check.reading(PRINTED, NETWORKS) as argument:
        _per_outcome(argument)
    check.near_miss(
        f"{PRINTED}: with a node of X_N counted out",
        lambda argument: _per_outcome(argument, left_out=True),
    )


def _per_outcome(argument: Argument, left_out: bool = False) -> None:
    _spread(argument, left_out)
    argument.induction(
        "integrals without weights",
        "A and B are the integrals of (7), f <= R h for each x",
        base=(f <= R * h, _TERM),
        step=(A + f <= R * (B + h), [A <= R * B, *_TERM]),
    )
    argument.inequality(
        "with (7), if it holds",
        "C/D <= E A/B and A <= R B give C <= E R D",
        C <= E * R * D,
        [C * B <= E * A * D, A <= R * B, B > 0, D > 0, E >= 1, R >= 1],
    )
    argument.cite("with (7) repaired", "the same bound", "wang2016.x-A2-eq7-weighted")


@claim(
    "wang2016.vector",
    where="section 4.3, end",
    statement="If vector-valued F is 1-Lipschitz in L1, adding sigma_max Lap(1) to each coordinate "
    "is eps-Pufferfish.",
    kind="theorem (cited)",
    assumes=[RELEASED],
)
def vector(check: Check) -> None:
    """The exponents add up over coordinates to the L1 distance; the rest of the proof is that
    for numbers.
    """
    with check.reading(
        PRINTED, NETWORKS.replace("F;", "F with any number of coordinates;")
    ) as argument:
        _vector(argument)
    check.near_miss(
        f"{PRINTED}: 1-Lipschitz in every coordinate", lambda argument: _vector(argument, sup=True)
    )
    check.near_miss(
        f"{PRINTED}: the smallest sigma_i", lambda argument: _vector(argument, largest=False)
    )


def _vector(argument: Argument, sup: bool = False, largest: bool = True) -> None:
    together = sympy.Max(D, Abs(t - u)) if sup else D + Abs(t - u)
    argument.cite("the quotient, and its weights", "p <= E q for every z", "wang2016.A2-eq6")
    _largest(argument, largest)
    argument.induction(
        "L1 distances",
        "A, B and C sum |t_j-r_j|, |t_j-u_j| and |u_j-r_j| over the first coordinates",
        base=(A <= B + C, [Eq(A, 0), Eq(B, 0), Eq(C, 0)]),
        step=(A + Abs(t - r) <= (B + Abs(t - u)) + (C + Abs(u - r)), [A <= B + C]),
    )
    _one_node(argument)
    argument.induction(
        "F within X_N",
        "The nodes are taken in turn, n of the first ones are in X_N and F has moved by D = B in "
        "L1. The next one moves it by v = C <= k: by card(X_N) at most in the end",
        base=(D <= n, [Eq(D, 0), Eq(n, 0)]),
        step=(A <= n + k, [A <= B + C, Eq(B, D), D <= n, Eq(C, v), v <= k]),
    )
    argument.induction(
        "exponents of all coordinates",
        "C is the sum of |w_j-u_j| - |w_j-t_j| and D that of |t_j-u_j| over the first coordinates",
        base=(C <= D, [Eq(C, Abs(w - u) - Abs(w - t)), Eq(D, Abs(t - u))]),
        step=(C + Abs(w - u) - Abs(w - t) <= together, [C <= D, D >= 0]),
    )
    argument.inequality(
        "densities at w",
        "C/s is the logarithm of the ratio: at most d, d >= n/s",
        C <= s * d,
        [C <= D, D <= n, s * v <= s * d, Eq(s * v, n), s > 0, d > 0],
    )
    _given_z(argument)
    _both_together(argument)
