"""The Markov quilt mechanism on Bayesian networks: its algorithm, its theorem, and the steps of the printed proof.

Letters: z stands for x_{R u Q}; p and q are its probabilities given X_i = a and given X_i = b, f and h the densities of the
output given z and X_i = a, b; A and B sums of p f and q h; E = e^(e(X_Q|X_i)), R = e^(eps - e(X_Q|X_i)), so that E R = e^eps.
n = card(X_N), s = sigma_max, t and u values of F. Source: wang2016, section 4.2 and appendix A.2.
"""

from fractions import Fraction

import sympy
from sympy import Abs, Eq, Rational

from pufferproof.claims.registry import Check, claim
from pufferproof.claims.wang2016.readings import PRINTED
from pufferproof.verify.proof import Argument

p, q, f, h, A, B, C, D, E, R, n, s, d, w, t, u, m, r = sympy.symbols("p q f h A B C D E R n s d w t u m r")
NETWORKS = "every network, class, quilt and 1-Lipschitz F; finite domains; e(X_Q|X_i) finite"


@claim(
    "wang2016.single-node",
    where="section 4.2",
    statement="If X_Q is a quilt of X_i with nearby set X_N and e(X_Q|X_i) <= delta, then F plus Laplace noise of scale "
    "card(X_N)/(eps-delta) is eps-Pufferfish for the value of X_i.",
    kind="theorem (informal)",
    assumes=["F is 1-Lipschitz", "delta < eps"],
)
def single_node(check: Check) -> None:
    """The proof of theorem 4.4 for one node."""
    with check.reading(PRINTED, NETWORKS) as argument:
        prove_node(argument)
    check.near_miss(f"{PRINTED}: X_i left out of X_N", lambda argument: prove_node(argument, missing=1))
    check.near_miss(
        f"{PRINTED}: nine tenths of the noise", lambda argument: prove_node(argument, share=Rational(9, 10))
    )


def prove_node(argument: Argument, missing: int = 0, share: Rational | int = 1) -> None:
    """Weights change by E at most, densities by R, hence sums by E R."""
    argument.cite("the quotient, and its weights", "p <= E q for every z", "wang2016.A2-eq6")
    _spread(argument, missing, share)
    argument.induction(
        "both together", "p <= E q and f <= R h for each z, so A <= E R B",
        base=(p * f <= E * R * q * h, _TERM), step=(A + p * f <= E * R * (B + q * h), [A <= E * R * B, *_TERM]),
    )  # fmt: skip


_TERM = [p <= E * q, f <= R * h, p >= 0, q >= 0, f >= 0, h >= 0, E >= 1, R >= 1]


def _spread(argument: Argument, missing: int = 0, share: Rational | int = 1) -> None:
    argument.induction(
        "F within X_N", "z is fixed. Changing m nodes of X_N one after another moves F from t to u by at most m",
        base=(Abs(t - u) <= 1 - missing, [Abs(t - u) <= 1]), step=(Abs(t - r) <= m + 1, [Abs(t - u) <= m, Abs(u - r) <= 1]),
    )  # fmt: skip
    argument.inequality(
        "densities at w", "any value of F given z, a against any given z, b: the logarithm (|w-u| - |w-t|)/s is at most d = "
        "eps - e(X_Q|X_i), as s >= n/d",
        Abs(w - u) - Abs(w - t) <= s * d, [Abs(t - u) <= n, s * d >= share * n, d > 0, n >= 1],
    )  # fmt: skip
    argument.induction(
        "densities given z", "A is the sum of p f over the first x_N given z and a, D that of their weights p, h a density for "
        "any x_N given b, f <= R h for every two. With all x_N, D = 1 and A <= R h",
        base=(p * f <= p * R * h, [f <= R * h, p >= 0]),
        step=(A + p * f <= (D + p) * R * h, [A <= D * R * h, f <= R * h, p >= 0]),
    )  # fmt: skip
    argument.cite("the other side", "A <= R h for every x_N given b, so for their mean", "lemma.mediant")


@claim(
    "wang2016.alg-mqm",
    where="section 4.2",
    statement="For every X_i and every quilt of S_{Q,i}: sigma(X_Q) = card(X_N)/(eps - e(X_Q|X_i)) if e(X_Q|X_i) < eps, else "
    "infinity; sigma_i the least, sigma_max the largest sigma_i; output F(D) + sigma_max Lap(1).",
    kind="algorithm",
)
def algorithm(check: Check) -> None:
    with check.reading(PRINTED) as argument:
        argument.definition("influence", "one number for the whole class: the supremum over Theta is inside e(X_Q|X_i)")
        argument.definition(
            "no finite score", "sigma_max is infinite and nothing can be released; the empty quilt prevents it"
        )


@claim(
    "wang2016.thm-4.4",
    where="Theorem 4.4",
    statement="F 1-Lipschitz, secrets and pairs as in the setting, each theta over a fixed network G. If each S_{Q,i} is not "
    "empty, the Markov quilt mechanism is eps-Pufferfish in (S,Q,Theta).",
    assumes=["sigma_max is finite: otherwise nothing is released"],
)
def theorem(check: Check) -> None:
    """For every node the quilt of least score; a larger scale leaks less."""
    with check.reading(PRINTED, NETWORKS) as argument:
        _theorem(argument)
    check.near_miss(
        f"{PRINTED}: the smallest sigma_i instead of the largest", lambda argument: _theorem(argument, False)
    )


def _theorem(argument: Argument, largest: bool = True) -> None:
    argument.cite("one node", "scale card(X_N)/(eps - e) is enough for X_i", "wang2016.single-node")
    scale = [s >= r] if largest else [s <= r]
    argument.inequality(
        "all nodes", "r is the best score of X_i, s = sigma_max: what r is enough for, s is",
        s * d >= n, [r * d >= n, d > 0, n >= 1, *scale],
    )  # fmt: skip


@claim(
    "wang2016.A2-eq6",
    where="Appendix A.2, equation (6)",
    statement="The output ratio is a quotient of integrals over x = x_{R u Q} of p(w|X_i,x) p(x|X_i), and "
    "p(x|X_i=a)/p(x|X_i=b) <= e^(e(X_Q|X_i)).",
    kind="lemma (proof step)",
    assumes=["finite domains; x of probability 0 given a is left out of the numerator"],
)
def eq6(check: Check) -> None:
    """Total probability, and the second condition of a quilt."""
    with check.reading(PRINTED, NETWORKS) as argument:
        _eq6(argument)
    check.near_miss(f"{PRINTED}: X_R depends on X_i given X_Q", lambda argument: _eq6(argument, quilt=False))


def _eq6(argument: Argument, quilt: bool = True) -> None:
    argument.induction(
        "total probability", "C is P(w, z, X_i=a)/P(X_i=a) summed over z, A the sum of f p with f = P(w,z,a)/P(z,a) and p = "
        "P(z,a)/P(a): one more z, of P(z,a) = t > 0 and P(w,z,a) = u, adds the same to both",
        base=(Eq(C, A), [Eq(C, u / m), Eq(A, (u / t) * (t / m)), t > 0, m > 0]),
        step=(Eq(C + u / m, A + (u / t) * (t / m)), [Eq(C, A), t > 0, m > 0]),
    )  # fmt: skip
    same = [Eq(t, u)] if quilt else [t >= 0, u >= 0, t <= 1, u <= 1]
    argument.inequality(
        "weights", "P(x_R,x_Q|a) = t p and P(x_R,x_Q|b) = u q with t = P(x_R|x_Q,a), u = P(x_R|x_Q,b), equal for a quilt, "
        "and p <= E q for the probabilities of x_Q, by definition of max-influence",
        t * p <= E * u * q, [p <= E * q, *same, t >= 0, p >= 0, q >= 0, E >= 1],
    )  # fmt: skip


@claim(
    "wang2016.A2-eq7",
    where="Appendix A.2, equation (7)",
    statement="The right side of (6) is at most e^(e(X_Q|X_i)) * [integral of p(F(X)+sigma_max Z=w|X_i=a,X_{RuQ}=x,theta) "
    "dx] / [integral of p(F(X)+sigma_max Z=w|X_i=b,X_{RuQ}=x,theta) dx].",
    kind="lemma (proof step)",
    repair="wang2016.x-A2-eq7-weighted",
)
def eq7(check: Check) -> None:
    """The weights p(x|X_i) cannot be dropped: refuted on two independent nodes."""
    scope = "two independent bits, every 1-Lipschitz table with values 0 and 1, scale 1/log 2, epsilon = log 2"
    with check.reading(PRINTED, scope) as argument:
        found = argument.exhaust("smallest failure", "weights, then tables; w a value of F", _family(), _eq7_holds)
        if found is not None:
            table, weight, output = found
            argument.counterexample(
                "two nodes", "X_1 is private, X_Q = {X_2} independent of it: e = 0, card(X_N) = 1, sigma_max = 1/log 2",
                {"F(00) F(01) F(10) F(11)": list(table), "P(X_2=0)": weight, "w": output,
                 "left side of (7)": _sides(*found)[0], "right side of (7)": _sides(*found)[1]},
                lambda: not _eq7_holds(found),
            )  # fmt: skip


Instance = tuple[tuple[int, int, int, int], Fraction, int]


def _family() -> list[Instance]:
    tables = [(i, j, k, m) for i in (0, 1) for j in (0, 1) for k in (0, 1) for m in (0, 1)]
    weights = sorted((Fraction(i, 8) for i in range(1, 8)), key=lambda x: (x.denominator, x))
    return [(table, weight, output) for weight in weights for table in tables for output in (0, 1)]


def _sides(table: tuple[int, int, int, int], weight: Fraction, output: int) -> tuple[Fraction, Fraction]:
    """Both sides of (7), X_1 = 0 against 1, e^(-|z|/scale) = 2^-|z|."""
    density = [Fraction(1, 2 ** abs(output - value)) for value in table]
    left = (weight * density[0] + (1 - weight) * density[1]) / (weight * density[2] + (1 - weight) * density[3])
    return left, (density[0] + density[1]) / (density[2] + density[3])


def _eq7_holds(instance: Instance) -> bool:
    left, right = _sides(*instance)
    return left <= right


@claim(
    "wang2016.x-A2-eq7-weighted",
    where="Appendix A.2, equation (7) repaired",
    statement="The right side of (6) is at most e^(e(X_Q|X_i)) times the same quotient with the weights p(x|X_i=b) in both "
    "integrals, hence at most e^(e(X_Q|X_i)) times the largest quotient over x.",
    kind="repair of wang2016.A2-eq7",
)
def weighted(check: Check) -> None:
    """Only the weights of the numerator are replaced."""
    with check.reading("as stated", NETWORKS) as argument:
        _weighted(argument)
    check.near_miss("as stated: without weights", lambda argument: _weighted(argument, dropped=True))


def _weighted(argument: Argument, dropped: bool = False) -> None:
    weight = 1 if dropped else q
    argument.cite("weights", "p <= E q", "wang2016.A2-eq6")
    argument.induction(
        "the numerator", "A and C are the sums of p f and of q f",
        base=(p * f <= E * weight * f, _TERM), step=(A + p * f <= E * (C + weight * f), [A <= E * C, *_TERM]),
    )  # fmt: skip
    argument.induction(
        "the largest quotient", "C and B are the sums of q f and q h, f <= R h for each x", base=(q * f <= R * q * h, _TERM),
        step=(C + q * f <= R * (B + q * h), [C <= R * B, *_TERM]),
    )  # fmt: skip


@claim(
    "wang2016.A2-lipschitz",
    where="Appendix A.2",
    statement="For fixed x_{RuQ}, F varies by at most card(X_N); with sigma_max >= card(X_N)/(eps-e(X_Q|X_i)) the ratio of "
    "densities given a and given b is at most e^(eps-e(X_Q|X_i)) for every x. With (7) the final ratio is <= e^eps.",
    kind="lemma (proof step)",
)
def per_outcome(check: Check) -> None:
    """One change at a time; with either form of (7) the rest follows."""
    with check.reading(PRINTED, NETWORKS) as argument:
        _per_outcome(argument)
    check.near_miss(f"{PRINTED}: with a quilt node counted out", lambda argument: _per_outcome(argument, 1))


def _per_outcome(argument: Argument, missing: int = 0) -> None:
    _spread(argument, missing)
    argument.induction(
        "integrals without weights", "A and B are the integrals of (7), f <= R h for each x", base=(f <= R * h, _TERM),
        step=(A + f <= R * (B + h), [A <= R * B, *_TERM]),
    )  # fmt: skip
    argument.inequality(
        "with (7), if it holds", "C/D <= E A/B and A <= R B give C <= E R D", C <= E * R * D,
        [C * B <= E * A * D, A <= R * B, B > 0, D > 0, E >= 1, R >= 1],
    )  # fmt: skip
    argument.cite("with (7) repaired", "the same bound", "wang2016.x-A2-eq7-weighted")


@claim(
    "wang2016.vector",
    where="section 4.3, end",
    statement="If vector-valued F is 1-Lipschitz in L1, adding sigma_max Lap(1) to each coordinate is eps-Pufferfish.",
    kind="theorem (cited)",
)
def vector(check: Check) -> None:
    """The exponents add up over coordinates to the L1 distance; the rest of the proof is that for numbers."""
    with check.reading(PRINTED, NETWORKS.replace("F;", "F with any number of coordinates;")) as argument:
        _vector(argument)
    check.near_miss(f"{PRINTED}: 1-Lipschitz in every coordinate", lambda argument: _vector(argument, sup=True))


def _vector(argument: Argument, sup: bool = False) -> None:
    together = sympy.Max(D, Abs(t - u)) if sup else D + Abs(t - u)
    argument.induction(
        "exponents of all coordinates", "C is the sum of |w_j-u_j| - |w_j-t_j| and D that of |t_j-u_j| over the first "
        "coordinates",
        base=(C <= D, [Eq(C, Abs(w - u) - Abs(w - t)), Eq(D, Abs(t - u))]),
        step=(C + Abs(w - u) - Abs(w - t) <= together, [C <= D, D >= 0]),
    )  # fmt: skip
    argument.inequality(
        "the scale", "D <= n by changing one node at a time", C <= s * d, [C <= D, D <= n, s * d >= n, d > 0]
    )
    argument.cite("the rest", "with these densities in place of those of numbers", "wang2016.thm-4.4")
