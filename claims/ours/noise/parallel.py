"""Coordinates that are affine functions of one another: what several noisy releases of one query
tell together.

With outputs 0 and n >= 0 of two coordinates that are equal, h(x) = exp(-b|x| - a|n - x|) is the
product of the likelihoods given F = x, and exp(-rho|x - y|), rho = a + b, that of a single release
with output y. Claimed: h is a mixture of these over 0 <= y <= n, with the density 4ab h(y) inside
and the masses 2b h(0) and 2a h(n) at the ends, all divided by 2 rho: the measure (rho^2 h - h'')/(2
rho). Values may be any reals.
"""

from sympy import Abs, Eq, Equivalent

from pufferproof.claims.language import Edit, Proof, above, at_least, letter, letters, proved
from pufferproof.claims.ours.noise.statements import queries as says
from pufferproof.claims.registry import Check, claim

w = letter("w", "the output of coordinate l")
c, r = letters("c r", "real numbers: coordinate l is c + r times coordinate k")
x = letter("x", "the value of coordinate k")
point = letter("point", "(w - c)/r, the output as one of coordinate k")
d = letter("d", "log(1/t_l)", above(0))
a = letter("a", "the rate of the output n, or of coordinate l per unit of coordinate k: d |r|")
b = letter("b", "the rate of the output 0", above(0))
H = letter("H", "h(0) = exp(-a n)", above(0))
X = letter("X", "an exponential at x, as each step says", above(0))
Y, Z = letters("Y Z", "exponentials at x, as each step says")
U, V = letters("U V", "exp(-2 b n) and exp(2 a n)")
T = letter("T", "t_l^|w - c|, the likelihood of a coordinate that is always c")
N, D = letters(
    "N D", "the sums of p_v and q_v times the likelihood of the rest, over the first values v"
)
sum_s, sum_t = letters("sum_s sum_t", "these sums with the factor T")
rest = letter("rest", "p_v times the likelihood of the rest, for the next value")
m = letter("m", "a bound of the ratios of likelihoods")
K = letter("K", "how many releases there are", at_least(1))
scale = letter("scale", "the scale of the noise", above(0))
rate, total = letters("rate total", "1/scale, and the rate of several releases merged")
small = letter("small", "a smaller scale", above(0))
other = letter("other", "the scale of a second release")
ALL = "all laws of the query with finitely many values, all decays in (0, 1)"


@claim(
    "noise.parallel",
    where="Noise on queries",
    statement="If coordinate l of a query is c + r times coordinate k under every secret, then "
    "with exponentially decaying noise (Laplace; geometric, where values are integers) the two "
    "leak exactly as coordinate k alone does with decay t_k t_l^|r|, whatever the others are; "
    "c and r are any reals, r = 0 included.",
    kind="theorem",
    says={"r != 0": says.PARALLEL, "r = 0": says.CONSTANT},
)
def parallel(check: Check) -> None:
    """Prove that two likelihoods are a mixture of single ones, by integrating exponentials; a
    constant coordinate apart.
    """
    alone = [Edit(step, put={2 * (a + b): 2 * b}) for step in ("0 <= x <= n", "x < 0", "x > n")]
    proved(
        check,
        "r != 0",
        ALL,
        _mixture,
        the_decay_of_coordinate_k_alone=[*alone, Edit("reached", put={a + b: b})],
    )
    both = Edit("the ratio", put={N <= m * D: N <= m * T * D})
    proved(check, "r = 0", ALL, _constant, with_the_decay_of_both_coordinates=both)


def _mixture(proof: Proof) -> None:
    proof.inequality(
        "one coordinate for both",
        "t_l^|w - c - r x| with w the output of l is the decay T = t_l^|r| per unit of "
        "|point - x|, point = (w - c)/r: with d = log(1/t_l), a = d |r|",
        Eq(d * Abs(w - c - r * x), a * Abs(point - x)),
        [Eq(r * point, w - c), Eq(a, d * Abs(r)), Abs(r) > 0],
    )
    proof.identity(
        "antiderivatives",
        "E = exp(v y + const) has the derivative v E, so that E/v has E: used with v = 2a, 2b",
        "(2*a)*(X/(2*a)) + (2*b)*(Y/(2*b))",
        "X + Y",
    )
    _densities(proof)
    proof.inequality(
        "weights are positive",
        "X = h(n); n < 0 is the mirror image",
        (4 * a * b * H > 0) & (2 * b * H > 0) & (2 * a * X > 0),
        [a > 0],
    )
    proof.cite(
        "single releases",
        "for every real output y the ratio is at most the largest one, m, which is at a value of "
        "coordinate k, an output of geometric noise too; other coordinates are weights of values",
        "noise.attained",
    )
    proof.theorem(
        "order of integrals",
        "N_y <= m D_y for every y: so are their integrals over y in [0, n] with weights that are "
        "not negative; all are continuous in y",
        "textbook.Integrals.integrals_keep_order",
    )
    proof.identity(
        "reached",
        "n = 0, where both outputs belong to one value, w = c + r k: the exponents b|x| and a|x| "
        "add up to rho|x|",
        b * X + a * X,
        (a + b) * X,
    )


def _densities(proof: Proof) -> None:
    """Prove that h is the mixture of exp(-rho|x - y|), for x in each part of the line."""
    rho = a + b
    proof.identity(
        "0 <= x <= n",
        "In units of H, X = exp((a-b)x) = h(x)/H, Y = exp(-rho x), Z = exp(rho x - 2 b n) = "
        "exp(-rho(n-x)) h(n)/H: exp(-rho|x-y|) h(y)/H has the integrals (X - Y)/(2a) up to x and "
        "(X - Z)/(2b) from x on",
        4 * a * b * ((X - Y) / (2 * a) + (X - Z) / (2 * b)) + 2 * b * Y + 2 * a * Z,
        2 * rho * X,
    )
    proof.identity(
        "x < 0",
        "X = exp(rho x) = h(x)/H and U = exp(-2 b n): the integral is X (1 - U)/(2b), the ends "
        "have X and X U",
        4 * a * b * X * (1 - U) / (2 * b) + 2 * b * X + 2 * a * X * U,
        2 * rho * X,
    )
    proof.identity(
        "x > n",
        "Y = exp(-rho x) and V = exp(2 a n), h(x)/H = Y V: the integral is Y (V - 1)/(2a), the "
        "ends have Y and Y V",
        4 * a * b * Y * (V - 1) / (2 * a) + 2 * b * Y + 2 * a * Y * V,
        2 * rho * Y * V,
    )


def _constant(proof: Proof) -> None:
    """Coordinate l is c: its likelihood T = t_l^|w-c| is the same for every value, and t_l^0 =
    1.
    """
    proof.induction(
        "a common factor",
        "N and D are the sums of p_v X_v under s and under s' so far, X_v the likelihood of the "
        "rest: with T, the ratio is the same; sum_s and sum_t are the sums with T",
        base=(Eq(sum_s, T * N), [Eq(sum_s, rest * T), Eq(N, rest)]),
        step=(Eq(sum_s + rest * T, T * (N + rest)), [Eq(sum_s, T * N)]),
    )
    proof.inequality(
        "the ratio",
        "for every output, so also the largest one",
        Equivalent(sum_s <= m * sum_t, N <= m * D),
        [Eq(sum_s, T * N), Eq(sum_t, T * D), T > 0, D > 0],
    )


@claim(
    "noise.runs",
    where="Noise on queries",
    statement="K independent releases of one query with Laplace noise of scale b leak exactly as "
    "one release of scale b/K; a histogram of two values with scale b leaks as the count of "
    "one of them with scale b/2.",
    kind="corollary",
    says={"K releases": says.RUNS, "a histogram of two values": says.HISTOGRAM},
)
def runs(check: Check) -> None:
    """Prove it by merging coordinate after coordinate: rates 1/b add."""
    squared = Edit(
        "rates add: step",
        put={K + 1: (K + 1) ** 2},
        without=Eq(total * scale, K),
        given=Eq(total * scale, K**2),
    )
    proved(check, "K releases", ALL, _runs, **{"rates as K^2": squared})
    count = Edit("the rate", instead=Eq(total * scale, 1))
    proved(check, "a histogram of two values", ALL, _histogram, the_scale_of_the_count=count)


def _runs(proof: Proof) -> None:
    proof.cite(
        "two coordinates", "equal ones: c = 0, r = 1, and the decays multiply", "noise.parallel"
    )
    proof.induction(
        "rates add",
        "total = K/scale is the rate of K releases merged, one more has rate 1/scale",
        base=(Eq(rate, total), [Eq(rate * scale, 1), Eq(total * scale, 1)]),
        step=(Eq((total + rate) * scale, K + 1), [Eq(total * scale, K), Eq(rate * scale, 1)]),
    )


def _histogram(proof: Proof) -> None:
    proof.cite("two counts", "n - k and k: c = n, r = -1", "noise.parallel")
    proof.inequality(
        "the rate",
        "1/scale + |-1|/scale",
        Eq(total * scale, 2),
        [Eq(total, rate + rate), Eq(rate * scale, 1)],
    )


@claim(
    "noise.monotone",
    where="Noise on queries",
    statement="The leakage of Laplace noise never grows with its scale, nor that of geometric "
    "noise with its ratio.",
    kind="corollary",
    says=says.MONOTONE,
)
def monotone(check: Check) -> None:
    """Prove it: a smaller scale is a second release of the same query, and dropping a release
    leaks no more.
    """
    both = Edit("a second release", without=small < scale)
    proved(check, "as stated", ALL, _monotone, in_both_directions=both)


def _monotone(proof: Proof) -> None:
    proof.inequality(
        "a second release",
        "small < scale: noise of the small scale has the rate 1/small = 1/scale + 1/other for "
        "another scale, other > 0",
        other > 0,
        [small < scale, Eq(other * (scale - small), small * scale)],
    )
    proof.identity(
        "its rate",
        "1/scale + 1/other with other = small scale/(scale - small)",
        1 / scale + (scale - small) / (small * scale),
        1 / small,
    )
    proof.cite(
        "together",
        "releases of the scales scale and other leak as one of the small scale",
        "noise.parallel",
    )
    proof.cite(
        "dropping one",
        "the likelihood of the first output alone is the sum, or a limit of sums, of joint ones",
        "lemma.mediant",
    )
