"""Several releases of one query with noise that decays exponentially are made from a single one.

phi(n) is the product of a_j^|w_j - n| over the releases, a that of the decays a_j. For integers the
weights are

    m(x) = ((1 + a^2) phi(x) - a phi(x + 1) - a phi(x - 1)) / (1 - a^2),

for real numbers the density (rho^2 phi - phi'')/(2 rho) with rho = log(1/a), and masses at the w_j.
"""

from sympy import Abs, And, Eq

from pufferproof.claims.language import Edit, Proof, above, at_least, below, letter, letters, proved
from pufferproof.claims.ours.noise.statements import mixtures as says
from pufferproof.claims.registry import Check, claim

a = letter("a", "the product of the decays", above(0), below(1))
w, n = letters("w n", "an output, and a value of the query")
low = letter("low", "the product of the first decays", above(0))
S, T = letters("S T", "phi(n + 1)/phi(n) and phi(n)/phi(n - 1) for the first releases", above(0))
c = letter("c", "the decay of the next release", above(0))
f, g = letters("f g", "these quotients for the next release", above(0))
s, inverse = letters("s inverse", "phi(n + 1)/phi(n) and phi(n - 1)/phi(n)", above(0))
before, here, after = letters("before here after", "phi(n - 1), phi(n) and phi(n + 1)")
total = letter("total", "(1 - a^2) times the sum of m(x) a^(n - 1 - x) over x < n")
rho = letter("rho", "log(1/a)", above(0))
phi, rise, bend = letters("phi rise bend", "phi, phi' and phi'' at x")
E = letter("E", "e^(rho (x - n)), or e^(-rho (x - n)) for x > n")
slope = letter("slope", "the slope of log phi, for the first releases")
rate, steep = letters("rate steep", "log(1/a_j) of a release, and their sum so far", above(0))
excess, most = letters(
    "excess most", "the sums so far over x of m(x) (N(x) - R D(x)), and of its positive part"
)
gap, part = letters("gap part", "N(x) - R D(x), the single release, and its positive part")
weight = letter("weight", "the probability of the outputs of k releases, given x", at_least(0))
all_of, single = letters(
    "all_of single", "the sums over outputs so far: of weight times part, and of the weights"
)
left, right = letters("left right", "the integrals up to n, and from n on")
fallen = letter("fallen", "phi' right after an output")
mass = letter("mass", "the sum of m(x) over all outputs of the releases, for one x", above(0))
scale = letter("scale", "the product of (1 - a_j)/(1 + a_j)", above(0))
every, kernel = letters("every kernel", "the sums of phi over outputs, and of a^|x - n| over n")
ORDERED = [c <= f, f <= g, g * c <= 1]
INTEGER, REAL, DELTA = "integer outputs", "real outputs", "deltas"
ALL = "any number of releases, all decays in (0, 1)"


@claim(
    "noise.mixture",
    where="Noise on queries",
    statement="Let a be the product of the decays a_1, .., a_k in (0, 1). For all outputs w_1, .., "
    "w_k the product phi(n) of a_j^|w_j - n| is a mixture of a^|x - n| over numbers x with weights "
    "that are not negative: over integers if the outputs are integers, else over real numbers. The "
    "weights move with the outputs. So k releases of one query with such noise (geometric; "
    "Laplace) are made from a single one with the decay a, without the data: for every R the sum "
    "over all outputs of max(0, N - R D) is at most that of the single release.",
    kind="lemma",
    says={INTEGER: says.INTEGERS, REAL: says.REALS, DELTA: says.DELTAS},
)
def mixture(check: Check) -> None:
    """Prove it: invert the kernel a^|x - n|; log phi is concave and nowhere steeper than it."""
    proved(
        check,
        INTEGER,
        ALL,
        _integers,
        a_larger_decay=Edit("weights are not negative", without=a <= s),
        noise_that_falls_faster=Edit("slopes multiply", without=c <= f),
        noise_that_is_not_log_concave=Edit("weights are not negative", without=s * inverse <= 1),
    )
    steeper = Edit("between the outputs", without=Abs(slope) <= rho)
    proved(check, REAL, ALL, _reals, a_larger_decay=steeper)
    half = Edit("all x", put={weight * part: weight * part / 2})
    proved(check, DELTA, ALL, _deltas, half_of_a_part=half)


def _integers(proof: Proof) -> None:
    proof.inequality(
        "one release",
        "|w - n| is convex in n and changes by at most 1 with n: the quotients f and g of "
        "c^|w - n| have c <= f <= g <= 1/c",
        And(
            Abs(w - n) - Abs(w - n + 1) <= Abs(w - n - 1) - Abs(w - n),
            Abs(w - n - 1) - Abs(w - n) <= 1,
            Abs(w - n + 1) - Abs(w - n) <= 1,
        ),
    )
    proof.induction(
        "slopes multiply",
        "The quotients S and T of phi are the products of f and g over releases, low that of c, "
        "which is a in the end: log phi is concave, and nowhere steeper than a^|x - n|",
        base=(And(low <= S, S <= T, T * low <= 1), [Eq(low, c), Eq(S, f), Eq(T, g), *ORDERED]),
        step=(
            And(low * c <= S * f, S * f <= T * g, T * g * low * c <= 1),
            [And(low <= S, S <= T, T * low <= 1), *ORDERED],
        ),
    )
    proof.inequality(
        "weights are not negative",
        "s = phi(n + 1)/phi(n), and phi(n - 1)/phi(n) is at most 1/s: both are at least a, and "
        "(1 - a^2) m(n) = phi(n) (1 + a^2 - a s - a inverse)",
        a * s + a * inverse <= 1 + a**2,
        [a <= s, a <= inverse, s * inverse <= 1],
    )
    _inverse(proof)


def _inverse(proof: Proof) -> None:
    """Prove that the weights of integers give phi."""
    proof.induction(
        "from the left",
        "Where all outputs are above n, phi(n - 1) = a phi(n) and m(n) = 0; total is phi(n - 1) "
        "- a phi(n), and for n + 1 it is a total + (1 - a^2) m(n)",
        base=(Eq(total, before - a * here), [Eq(total, 0), Eq(before, a * here)]),
        step=(
            Eq(a * total + (1 + a**2) * here - a * after - a * before, here - a * after),
            [Eq(total, before - a * here)],
        ),
    )
    proof.identity(
        "both sides",
        "From the right likewise, so that (1 - a^2) times the sum of m(x) a^|x - n| is phi(n) - a "
        "phi(n + 1) up to n, and phi(n) - a phi(n - 1) from n on, less the term of n",
        (here - a * after) + (here - a * before) - ((1 + a**2) * here - a * after - a * before),
        (1 - a**2) * here,
    )


def _reals(proof: Proof) -> None:
    proof.induction(
        "the slope of log phi",
        "is the sum of log(1/a_j) over outputs above x less that over outputs below: it is at most "
        "steep, which is rho in the end",
        base=(Abs(slope) <= steep, [Eq(Abs(slope), rate), Eq(steep, rate)]),
        step=(
            And(Abs(slope + rate) <= steep + rate, Abs(slope - rate) <= steep + rate),
            [Abs(slope) <= steep],
        ),
    )
    proof.inequality(
        "between the outputs",
        "phi'' = slope^2 phi there, and the density is not negative",
        rho**2 * phi - slope**2 * phi >= 0,
        [Abs(slope) <= rho, phi > 0],
    )
    proof.inequality(
        "at an output",
        "phi' falls by 2 log(1/a_j) phi there, from rise to fallen: the mass is that over 2 rho",
        (rise - fallen) / (2 * rho) > 0,
        [Eq(rise - fallen, 2 * rate * phi), phi > 0],
    )
    _antiderivatives(proof)


def _antiderivatives(proof: Proof) -> None:
    """Prove that density and masses give phi."""
    proof.identity(
        "before n",
        "E = e^(rho (x - n)) has the derivative rho E: E (rho phi - phi') has the derivative "
        "E (rho^2 phi - phi''), and rises by E times the fall of phi' at an output; below all "
        "outputs, where phi' = rho phi, it is 0",
        rho * E * (rho * phi - rise) + E * (rho * rise - bend),
        E * (rho**2 * phi - bend),
    )
    proof.identity(
        "after n",
        "E = e^(-rho (x - n)) has the derivative -rho E: -E (rho phi + phi') has the derivative "
        "E (rho^2 phi - phi''), and rises by E times the fall of phi' at an output; "
        "above all outputs it is 0",
        rho * E * (rho * phi + rise) - E * (rho * rise + bend),
        E * (rho**2 * phi - bend),
    )
    proof.inequality(
        "both sides",
        "At n, where E = 1: from the left the integral of density and masses is left, and likewise "
        "from the right",
        Eq(left + right, phi),
        [Eq(2 * rho * left, rho * phi - rise), Eq(2 * rho * right, rho * phi + rise)],
    )


def _deltas(proof: Proof) -> None:
    proof.identity(
        "one kernel",
        "The sum of a^|x - n| over x is 1 + 2 a + 2 a^2 + ..",
        "1 + 2*a/(1 - a)",
        "(1 + a)/(1 - a)",
    )
    proof.inequality(
        "a channel",
        "scale is the product of (1 - a_j)/(1 + a_j): times phi, all outputs add up to 1. Outputs "
        "that are moved together move their weights, so mass, the sum of m(x) over all outputs, "
        "does not depend on x: weight = m(x) scale (1 + a)/(1 - a) adds up to 1 for each x",
        Eq(mass * scale * (1 + a), 1 - a),
        [Eq(scale * every, 1), Eq(every, mass * kernel), Eq(kernel * (1 - a), 1 + a)],
    )
    proof.summed(
        "all x",
        "N - R D of k releases at their outputs is the sum of weight times gap, by the mixture",
        so_far=excess <= most,
        adding={excess: weight * gap, most: weight * part},
        given=[gap <= part],
    )
    proof.summed(
        "never negative",
        "so that this bounds max(0, N - R D)",
        so_far=0 <= most,
        adding={most: weight * part},
        given=[0 <= part],
    )
    proof.induction(
        "all outputs",
        "of k releases, for one x: the weights add up to 1, and part is left. Laplace noise "
        "likewise, with integrals",
        base=(Eq(all_of, single * part), [Eq(all_of, weight * part), Eq(single, weight)]),
        step=(
            Eq(all_of + weight * part, part * (single + weight)),
            [Eq(all_of, single * part)],
        ),
    )
