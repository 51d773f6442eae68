"""The Wasserstein mechanism: the distance, the algorithm, and why it keeps its promise.

Densities of the output are without their common constant. Source: wang2016, section 3 and appendix
A.1.
"""

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import product

from sympy import Abs, And, Eq, Min, Or, Rational

from pufferproof.claims.language import PRINTED, Edit, Proof, letter, letters, proved
from pufferproof.claims.papers.wang2016.wasserstein.statements import (
    BOUND,
    COUPLING,
    QUANTILES,
    WASSERSTEIN,
)
from pufferproof.claims.registry import Check, claim
from pufferproof.models.noise.distance import line_distance, vector_distance

W = letter("W", "W_inf, or the largest one over pairs of secrets and priors")
eps = letter("epsilon", "the level")
w = letter("w", "an output")
t = letter("t", "a value of F given s_i")
s = letter("s", "a value of F given s_j")
c = letter("c", "gamma(t, s), the mass of this pair")
k, l = letters("k l", "exp(-eps |w - t|/W), exp(-eps |w - s|/W)")
A, B = letters("A B", "sums of c k, c l over the first pairs")
R = letter("R", "e^epsilon")
p, q = letters("p q", "P(F=t|s_i), P(F=s|s_j)")
sum_pq, sum_q = letters("sum_pq sum_q", "sums of p q and of q over the first s")
least, attained = letters("least attained", "the least distance so far, and that of a coupling")
some, following = letters("some following", "any of the largest distances so far, and the next one")
distance = letter("distance", "the largest |t - s| that the coupling of this pair allows")
mass, in_band = letters(
    "mass in_band", "the sums of c over the first s, and over those in the band"
)
added = letter("added", "what the next s adds to the band")
marginals, double = letters("marginals double", "sums over the first t: of P(F=t|s_i) k, of c k")
scale = letter("scale", "the scale of the noise")
slack = letter("slack", "by how much a coupling is worse than the infimum")
C = letter("C", "the logarithm of the ratio, times W")
room = letter("room", "(C - eps W)/(2 eps)")
end = letter("end", "where a distribution function is evaluated")
r = letter("r", "the length of an interval")

LAWS = "every framework and F with finitely many values; 0 < W < infinity"
FINITE = "finitely many values of F, so that gamma* exists and integrals are sums"
Law = dict[int, Fraction]
NOTATION = {
    "mu, nu": "laws on the real line",
    "gamma": "a coupling, a joint law of (X,Y) with marginals mu and nu; gamma(x,y) is the mass of "
    "the pair",
    "gamma*": "a coupling that attains W_inf, of the laws of F(X) given s_i and given s_j",
    "X": "the data; in the definition of distances a variable of law mu",
    "Y": "a variable of law nu",
    "E": "expectation",
    "d": "d(x,y) = |x-y|",
    "p": "the exponent of the Wasserstein distance, at least 1",
    "x": "a value, of law mu",
    "y": "a value, of law nu",
    "s": "a value of F given s_j",
    "t": "a value of F given s_i",
    "D": "the database",
    "W_inf": "the infinity-Wasserstein distance of two laws",
    "W": W.meaning,
    "F": "a real-valued query",
    "S": "the set of secrets",
    "Q": "the set of pairs of secrets",
}


@claim(
    "wang2016.def-winf",
    where="Definition 3.1, equation (4)",
    statement="W_p(mu,nu) = (inf over couplings gamma of E[d(X,Y)^p])^(1/p); W_inf(mu,nu) = inf "
    "over couplings of max{d(x,y) : gamma(x,y) != 0}, d(x,y) = |x-y|.",
    kind="definition",
)
def def_winf(check: Check) -> None:
    with check.reading(PRINTED) as proof:
        proof.definition(
            "finite laws",
            "the infimum is over a polytope, and the maximum one of finitely many distances",
        )
    with check.reading("other laws: essential supremum") as proof:
        proof.definition(
            "essential supremum", "pairs outside a set of gamma-mass 0; for finite laws the same"
        )
    with check.reading("other laws: literal") as proof:
        proof.definition(
            "gamma(x, y) != 0",
            "pairs of positive gamma-mass; if there is none the maximum is over nothing: 0",
        )


@claim(
    "wang2016.x-winf-quantiles",
    where="Definition 3.1, beyond",
    statement="For finite laws on the line the coupling that matches quantiles attains W_inf.",
    kind="lemma",
    says=QUANTILES,
)
def quantiles(check: Check) -> None:
    """Quantiles against the least threshold at which a coupling exists."""
    means = Edit("quantiles and couplings", holds=_least_coupling(_means))
    proved(
        check,
        "on the line",
        "all pairs of laws on {0, 1, 3, 4} with denominators up to 4",
        _quantiles,
        the_distance_of_means_instead=means,
    )


def _laws(denominator: int) -> Iterator[Law]:
    for parts in product(range(denominator + 1), repeat=4):
        if sum(parts) == denominator:
            yield {v: Fraction(x, denominator) for v, x in zip((0, 1, 3, 4), parts) if x}


def _quantiles(proof: Proof) -> None:
    laws = [law for denominator in (2, 3, 4) for law in _laws(denominator)]
    proof.exhaust(
        "quantiles and couplings",
        "the least threshold at which a coupling exists, by maximum flow",
        [(mu, nu) for index, mu in enumerate(laws) for nu in laws[: index + 1]],
        _least_coupling(line_distance),
    )


def _least_coupling(distance: Callable[[Law, Law], Fraction]) -> Callable[[tuple[Law, Law]], bool]:
    """Return whether a distance is the least threshold at which a coupling exists."""
    return lambda pair: distance(*pair) == vector_distance(_vectors(pair[0]), _vectors(pair[1]))


def _means(mu: Law, nu: Law) -> Fraction:
    return abs(_mean(mu) - _mean(nu))


def _mean(law: Law) -> Fraction:
    return sum((value * probability for value, probability in law.items()), Fraction(0))


def _vectors(law: Law) -> dict[Sequence[int], Fraction]:
    return {(value,): probability for value, probability in law.items()}


@claim(
    "wang2016.alg-wasserstein",
    where="section 3.1",
    statement="W = sup over pairs of Q and theta in Theta, with both secrets possible, of W_inf of "
    "the laws of F(X) given the two secrets; output F(D) + Lap(W/epsilon).",
    kind="algorithm",
)
def alg_wasserstein(check: Check) -> None:
    with check.reading(PRINTED) as proof:
        proof.definition(
            "scale",
            "Lap(W/epsilon); W = 0 means that the laws agree: no noise; W infinite: no output",
        )
        proof.definition(
            "empty supremum",
            "with no pair possible under any theta there is nothing to protect: W = 0",
        )


@claim(
    "wang2016.A1-coupling",
    where="Appendix A.1, equation (5)",
    statement="With gamma* a coupling attaining W_inf, and W > 0: P(F=t|s_i) = integral over s in "
    "[t-W,t+W] of gamma*(t,s), P(F=s|s_j) likewise, so the output ratio is the quotient of the "
    "two double integrals with e^(-eps|w-t|/W) and e^(-eps|w-s|/W).",
    kind="lemma (proof step)",
    assumes=[FINITE],
    says=COUPLING,
)
def coupling(check: Check) -> None:
    """The marginals of a coupling, whose mass outside the band is 0; W is at least the distance
    of this pair.
    """
    narrow = Edit("all mass is in the band", without=distance <= W, given=W < distance)
    proved(check, PRINTED, LAWS, _coupling, a_band_narrower_than_the_distance=narrow)


def _coupling(proof: Proof) -> None:
    _best(proof)
    proof.inequality(
        "all mass is in the band",
        "W is the largest distance: c != 0 only if |t - s| <= distance <= W",
        And(t - W <= s, s <= t + W),
        [Abs(t - s) <= distance, distance <= W],
    )
    proof.induction(
        "the marginals",
        "The next s is in the band, and adds c to it, or outside, where c = 0: both sums are "
        "P(F=t|s_i) in the end",
        base=(Eq(mass, in_band), [Eq(mass, 0), Eq(in_band, 0)]),
        step=(
            Eq(mass + c, in_band + added),
            [Eq(mass, in_band), Or(Eq(added, c), And(Eq(added, 0), Eq(c, 0)))],
        ),
    )
    proof.summed(
        "numerator and denominator",
        "the sum over t of P(F=t|s_i) k is the double sum of c k",
        so_far=Eq(marginals, double),
        adding={marginals: mass * k, double: in_band * k},
        given=[Eq(mass, in_band)],
    )


def _best(proof: Proof) -> None:
    proof.induction(
        "there are couplings",
        "The values of both secrets taken independently are one: in the end sum_q = 1 and sum_pq = "
        "p, and so for the other marginal",
        base=(Eq(sum_pq, p * sum_q), [Eq(sum_pq, p * q), Eq(sum_q, q)]),
        step=(Eq(sum_pq + p * q, p * (sum_q + q)), [Eq(sum_pq, p * sum_q)]),
    )
    smaller = Min(least, following)
    proof.induction(
        "and a best one",
        "Each coupling has one of finitely many distances |t - s| as its largest",
        base=(And(least <= some, Eq(least, attained)), [Eq(least, some), Eq(attained, some)]),
        step=(
            And(
                smaller <= some,
                smaller <= following,
                Or(Eq(smaller, attained), Eq(smaller, following)),
            ),
            [least <= some, Eq(least, attained)],
        ),
    )


@claim(
    "wang2016.A1-bound",
    where="Appendix A.1",
    statement="As |s-t| <= W, the numerator is at most e^eps times itself with t replaced by s in "
    "the exponent; the last quotient times e^eps is then at most e^eps; the lower bound is "
    "analogous.",
    kind="lemma (proof step)",
    says=BOUND,
)
def bound(check: Check) -> None:
    """The exponents differ by at most epsilon; sums with the same weights keep that."""
    nine_tenths = And(
        eps * (Abs(w - s) - Abs(w - t)) <= Rational(9, 10) * eps * W,
        eps * (Abs(w - t) - Abs(w - s)) <= Rational(9, 10) * eps * W,
    )
    proved(
        check,
        PRINTED,
        LAWS,
        _bound,
        nine_tenths_of_epsilon=Edit("exponents", instead=nine_tenths),
    )


def _bound(proof: Proof) -> None:
    """Both bounds, term by term and for the sums."""
    proof.inequality(
        "exponents",
        "e^(-eps|w-t|/W) against e^(-eps|w-s|/W): the exponents differ by at most eps, either way",
        And(eps * (Abs(w - s) - Abs(w - t)) <= eps * W, eps * (Abs(w - t) - Abs(w - s)) <= eps * W),
        [Abs(s - t) <= W, eps > 0, W > 0],
    )
    proof.summed(
        "sums over the coupling",
        "the sums of c k and of c l over the same pairs (t, s); k <= R l and l <= R k",
        so_far=And(A <= R * B, B <= R * A),
        adding={A: c * k, B: c * l},
        given=[c >= 0, k <= R * l, l <= R * k],
    )


ESSENTIAL = "any query, W_inf the essential supremum"
_MEASURES = (
    "every framework, every real-valued F, 0 <= W < infinity; integrals keep the order of what is "
    "integrated"
)
Interval = tuple[int, int]
_GIVEN: tuple[Interval, Interval] = ((0, 1), (2, 3))


@claim(
    "wang2016.thm-3.2",
    where="Theorem 3.2",
    statement="The Wasserstein mechanism is epsilon-Pufferfish in (S,Q,Theta), for any framework "
    "and any F.",
    assumes=["W finite: otherwise there is no output"],
    repair="wang2016.x-thm-3.2-essential",
    says={
        "queries with finitely many values": WASSERSTEIN,
    },
    unsaid={
        "any query, W_inf the essential supremum": "It speaks of queries with infinitely many "
        "values; for finitely many it is the first reading.",
    },
)
def theorem(check: Check) -> None:
    """Put the steps together; W = 0 apart; laws with infinitely many values by couplings a little
    worse than the infimum.

    The printed maximum over pairs with gamma(x, y) != 0 says nothing where no pair has mass.
    """
    name = "queries with finitely many values"
    scope = "every framework, every F with finitely many values, every output"
    proved(check, name, scope, _theorem, **{TENTH: Edit("the scale", **LESS_NOISE)})
    proved(check, ESSENTIAL, _MEASURES, _essential, **{TENTH: TENTH_MISSING})
    name = "any query, W_inf literal: pairs of positive mass, a maximum over no pair is 0"
    proved(check, name, "one F", _literal)


TENTH = "scale 9 W/(10 epsilon)"


LESS_NOISE = {"without": Eq(eps * scale, W), "given": Eq(eps * scale, Rational(9, 10) * W)}


TENTH_MISSING = Edit("a coupling within W + y", **LESS_NOISE)


@claim(
    "wang2016.x-thm-3.2-essential",
    where="Theorem 3.2, repaired",
    statement="With the essential supremum for the maximum in W_inf, which is the same for queries "
    "with finitely many values, the Wasserstein mechanism is epsilon-Pufferfish in "
    "(S,Q,Theta), for any framework and real-valued F with W < infinity.",
    kind="repair of wang2016.thm-3.2",
    says=WASSERSTEIN,
)
def theorem_repaired(check: Check) -> None:
    """By couplings a little worse than the infimum, and by distribution functions where W = 0."""
    proved(check, "as stated", _MEASURES, _essential, **{TENTH: TENTH_MISSING})


def _literal(proof: Proof) -> None:
    """F is uniform on [0, 1] given s, on [2, 3] given s'."""
    proof.inequality(
        "no pair has mass",
        "gamma(x, y) is at most the mass of [x, x + r] given s, so at most r, for every r > 0: "
        "for r = gamma(x, y)/2 too",
        Eq(c, 0),
        [c >= 0, c <= r, Eq(2 * r, c)],
    )
    proof.counterexample(
        "two intervals",
        "no coupling has a pair of positive mass, so that W = 0: F is released without noise, and "
        "tells which secret it is",
        {
            "F given s": "uniform on [0, 1]",
            "F given s'": "uniform on [2, 3]",
            "W": 0,
            "P(F in [0, 1])": [_mass(given, (0, 1)) for given in _GIVEN],
        },
        lambda: (
            not any(_mass(given, (v, v)) for given in _GIVEN for v in range(4))
            and [_mass(given, (0, 1)) for given in _GIVEN] == [1, 0]
        ),
    )


def _mass(law: Interval, event: Interval) -> Fraction:
    """The mass of an interval under the uniform law on another."""
    return Fraction(max(0, min(law[1], event[1]) - max(law[0], event[0])), law[1] - law[0])


def _theorem(proof: Proof) -> None:
    proof.cite(
        "the quotient",
        "of two sums over a coupling within W",
        "wang2016.A1-coupling",
        met={FINITE: "F has finitely many values in this reading"},
    )
    proof.cite("its bounds", "between e^-eps and e^eps", "wang2016.A1-bound")
    proof.inequality(
        "the scale",
        "W/eps makes the exponents differ by at most eps",
        Abs(w - s) - Abs(w - t) <= eps * scale,
        [Abs(s - t) <= W, Eq(eps * scale, W), eps > 0, W > 0],
    )
    proof.inequality(
        "W = 0",
        "no noise: a coupling with |s - t| <= 0 has t = s, so both laws are the same and the ratio "
        "is 1",
        Eq(s, t),
        [Abs(s - t) <= W, Eq(W, 0)],
    )


def _essential(proof: Proof) -> None:
    proof.assume(
        "order of integrals",
        "If k <= R l everywhere, so are their integrals under a coupling",
        "measure theory",
    )
    proof.inequality(
        "a coupling within W + y",
        "For every y = slack > 0 there is one: with scale W/eps exponents differ by at most "
        "eps (1 + y/W)",
        Abs(w - s) - Abs(w - t) <= (W + slack) * eps * scale / W,
        [Abs(s - t) <= W + slack, Eq(eps * scale, W), eps > 0, W > 0, slack >= 0],
    )
    proof.inequality(
        "y as small as one likes",
        "Suppose the logarithm of the ratio, times W, exceeded eps W. It would be at "
        "most eps (W + slack) for some slack < room, which it is not",
        eps * (W + slack) < C,
        [C > eps * W, Eq(2 * eps * room, C - eps * W), eps > 0, W > 0, slack > 0, slack < room],
    )
    _no_distance(proof)


def _no_distance(proof: Proof) -> None:
    proof.inequality(
        "W = 0: distribution functions",
        "a coupling within slack > 0 has s <= end + slack where t <= end: P(F<=end|s_i) <= "
        "P(F<=end+slack|s_j)",
        s <= end + slack,
        [Abs(s - t) <= slack, t <= end, slack > 0],
    )
    proof.assume(
        "distribution functions",
        "are continuous from the right and tell the law: with slack to 0 in both orders both laws "
        "are the same, and so are the outputs without noise",
        "measure theory",
    )
