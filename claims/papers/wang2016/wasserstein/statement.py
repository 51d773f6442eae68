"""The Wasserstein mechanism: the distance, the algorithm, and why it keeps its promise.

Letters: W the distance, e = epsilon, w an output, t and s values that the coupling puts together, c
= gamma(t, s) its mass; A and B the densities of the output under the two secrets without their
common constant. k and l are exp(-e |w - t|/W) and exp(-e |w - s|/W). Source: wang2016, section 3
and appendix A.1.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product

import sympy
from sympy import Abs, And, Eq, Min, Or, Rational

from pufferproof.claims.language import PRINTED
from pufferproof.claims.registry import Check, claim
from pufferproof.models.noise.distance import line_distance, vector_distance
from pufferproof.verify.proof.argument import Argument

W, e, w, t, s, c, A, B, C, k, l, R, a, m, y, r = sympy.symbols("W e w t s c A B C k l R a m y r")
p, q, u = sympy.symbols("p q u")
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
    "W": "W_inf, or the largest one over pairs of secrets and priors",
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
    with check.reading(PRINTED) as argument:
        argument.definition(
            "finite laws",
            "the infimum is over a polytope, and the maximum one of finitely many distances",
        )
    with check.reading("other laws: essential supremum") as argument:
        argument.definition(
            "essential supremum", "pairs outside a set of gamma-mass 0; for finite laws the same"
        )
    with check.reading("other laws: literal") as argument:
        argument.definition(
            "gamma(x, y) != 0",
            "pairs of positive gamma-mass; if there is none the maximum is over nothing: 0",
        )


@claim(
    "wang2016.x-winf-quantiles",
    where="Definition 3.1, beyond",
    statement="For finite laws on the line the coupling that matches quantiles attains W_inf.",
    kind="lemma",
)
def quantiles(check: Check) -> None:
    """Quantiles against the least threshold at which a coupling exists."""
    name = "on the line"
    with check.reading(
        name, "all pairs of laws on {0, 1, 3, 4} with denominators up to 4"
    ) as argument:
        _quantiles(argument, 0)
    check.near_miss(
        f"{name}: the distance of means instead", lambda argument: _quantiles(argument, 1)
    )


def _laws(denominator: int) -> Iterator[Law]:
    for parts in product(range(denominator + 1), repeat=4):
        if sum(parts) == denominator:
            yield {v: Fraction(x, denominator) for v, x in zip((0, 1, 3, 4), parts) if x}


def _quantiles(argument: Argument, means: int) -> None:
    found = [law for denominator in (2, 3, 4) for law in _laws(denominator)]
    family = [(mu, nu) for index, mu in enumerate(found) for nu in found[: index + 1]]

    def faster(mu: Law, nu: Law) -> Fraction:
        return abs(_mean(mu) - _mean(nu)) if means else line_distance(mu, nu)

    argument.exhaust(
        "quantiles and couplings",
        "the least threshold at which a coupling exists, by maximum flow",
        family,
        lambda pair: faster(*pair) == vector_distance(_vectors(pair[0]), _vectors(pair[1])),
    )


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
    with check.reading(PRINTED) as argument:
        argument.definition(
            "scale",
            "Lap(W/epsilon); W = 0 means that the laws agree: no noise; W infinite: no output",
        )
        argument.definition(
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
)
def coupling(check: Check) -> None:
    """The marginals of a coupling, whose mass outside the band is 0; W is at least the distance
    of this pair.
    """
    with check.reading(PRINTED, LAWS) as argument:
        _coupling(argument)
    check.near_miss(
        f"{PRINTED}: a band narrower than the distance",
        lambda argument: _coupling(argument, narrow=True),
    )


def _coupling(argument: Argument, narrow: bool = False) -> None:
    argument.induction(
        "there are couplings",
        "The values of both secrets taken independently are one: p = P(F=t|s_i), A sums p q over "
        "the first s, q = P(F=s|s_j), and B sums these q: in the end B = 1 and A = p, and so for "
        "the other marginal",
        base=(Eq(A, p * B), [Eq(A, p * q), Eq(B, q)]),
        step=(Eq(A + p * q, p * (B + q)), [Eq(A, p * B)]),
    )
    argument.induction(
        "and a best one",
        "Each coupling has one of finitely many distances |t - s| as its largest. m is the least "
        "of the first of those that occur, attained by a coupling (m = l), u the next",
        base=(And(m <= y, Eq(m, l)), [Eq(m, y), Eq(l, y)]),
        step=(
            And(Min(m, u) <= y, Min(m, u) <= u, Or(Eq(Min(m, u), l), Eq(Min(m, u), u))),
            [m <= y, Eq(m, l)],
        ),
    )
    band = [Abs(t - s) <= r, r <= W] if not narrow else [Abs(t - s) <= r, W < r]
    argument.inequality(
        "all mass is in the band",
        "r is the distance of this pair, W the largest one: c != 0 only if |t - s| <= r <= W",
        And(t - W <= s, s <= t + W),
        band,
    )
    argument.induction(
        "the marginals",
        "a and A are the sums of the mass c over all s so far, and over those in the band. The "
        "next s is in the band, and adds u = c to A, or outside, where c = 0: a is P(F=t|s_i) in "
        "the end, and so is A",
        base=(Eq(a, A), [Eq(a, 0), Eq(A, 0)]),
        step=(Eq(a + c, A + u), [Eq(a, A), Or(Eq(u, c), And(Eq(u, 0), Eq(c, 0)))]),
    )
    argument.induction(
        "numerator and denominator",
        "the sum over t of P(F=t|s_i) k is the double sum of c k: one more t adds a k and A k",
        base=(Eq(B, C), [Eq(B, a * k), Eq(C, A * k), Eq(a, A)]),
        step=(Eq(B + a * k, C + A * k), [Eq(B, C), Eq(a, A)]),
    )


@claim(
    "wang2016.A1-bound",
    where="Appendix A.1",
    statement="As |s-t| <= W, the numerator is at most e^eps times itself with t replaced by s in "
    "the exponent; the last quotient times e^eps is then at most e^eps; the lower bound is "
    "analogous.",
    kind="lemma (proof step)",
)
def bound(check: Check) -> None:
    """The exponents differ by at most epsilon; sums with the same weights keep that."""
    with check.reading(PRINTED, LAWS) as argument:
        prove_bound(argument)
    check.near_miss(
        f"{PRINTED}: nine tenths of epsilon",
        lambda argument: prove_bound(argument, Rational(9, 10)),
    )


def prove_bound(argument: Argument, share: Rational | int = 1) -> None:
    """Both bounds, term by term and for the sums."""
    argument.inequality(
        "exponents",
        "e^(-e|w-t|/W) against e^(-e|w-s|/W): the exponents differ by at most e = epsilon, either "
        "way",
        And(
            e * (Abs(w - s) - Abs(w - t)) <= share * e * W,
            e * (Abs(w - t) - Abs(w - s)) <= share * e * W,
        ),
        [Abs(s - t) <= W, e > 0, W > 0],
    )
    argument.induction(
        "sums over the coupling",
        "A and B are the sums of c k and of c l over the same pairs (t, s); k <= R l and l <= R k",
        base=(And(c * k <= R * c * l, c * l <= R * c * k), [c >= 0, k <= R * l, l <= R * k]),
        step=(
            And(A + c * k <= R * (B + c * l), B + c * l <= R * (A + c * k)),
            [A <= R * B, B <= R * A, c >= 0, k <= R * l, l <= R * k],
        ),
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
)
def theorem(check: Check) -> None:
    """Put the steps together; W = 0 apart; laws with infinitely many values by couplings a little
    worse than the infimum.

    The printed maximum over pairs with gamma(x, y) != 0 says nothing where no pair has mass.
    """
    name = "queries with finitely many values"
    with check.reading(
        name, "every framework, every F with finitely many values, every output"
    ) as argument:
        _theorem(argument)
    check.near_miss(
        f"{name}: scale 9 W/(10 epsilon)", lambda argument: _theorem(argument, Rational(9, 10))
    )
    with check.reading(ESSENTIAL, _MEASURES) as argument:
        _essential(argument)
    check.near_miss(
        f"{ESSENTIAL}: scale 9 W/(10 epsilon)",
        lambda argument: _essential(argument, Rational(9, 10)),
    )
    with check.reading(
        "any query, W_inf literal: pairs of positive mass, a maximum over no pair is 0", "one F"
    ) as argument:
        _literal(argument)


@claim(
    "wang2016.x-thm-3.2-essential",
    where="Theorem 3.2, repaired",
    statement="With the essential supremum for the maximum in W_inf, which is the same for queries "
    "with finitely many values, the Wasserstein mechanism is epsilon-Pufferfish in "
    "(S,Q,Theta), for any framework and real-valued F with W < infinity.",
    kind="repair of wang2016.thm-3.2",
)
def theorem_repaired(check: Check) -> None:
    """By couplings a little worse than the infimum, and by distribution functions where W = 0."""
    with check.reading("as stated", _MEASURES) as argument:
        _essential(argument)
    check.near_miss(
        "as stated: scale 9 W/(10 epsilon)", lambda argument: _essential(argument, Rational(9, 10))
    )


def _literal(argument: Argument) -> None:
    """F is uniform on [0, 1] given s, on [2, 3] given s'."""
    argument.inequality(
        "no pair has mass",
        "c = gamma(x, y) is at most the mass of [x, x + r] given s, so at most r, for every r > 0: "
        "for r = c/2 too",
        Eq(c, 0),
        [c >= 0, c <= r, Eq(2 * r, c)],
    )
    argument.counterexample(
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


def _theorem(argument: Argument, share: Rational | int = 1) -> None:
    argument.cite(
        "the quotient",
        "of two sums over a coupling within W",
        "wang2016.A1-coupling",
        met={FINITE: "F has finitely many values in this reading"},
    )
    argument.cite("its bounds", "between e^-eps and e^eps", "wang2016.A1-bound")
    argument.inequality(
        "the scale",
        "r = W/eps makes the exponents differ by at most eps",
        Abs(w - s) - Abs(w - t) <= e * r,
        [Abs(s - t) <= W, Eq(e * r, share * W), e > 0, W > 0],
    )
    argument.inequality(
        "W = 0",
        "no noise: a coupling with |s - t| <= 0 has t = s, so both laws are the same and the ratio "
        "is 1",
        Eq(s, t),
        [Abs(s - t) <= W, Eq(W, 0)],
    )


def _essential(argument: Argument, share: Rational | int = 1) -> None:
    argument.assume(
        "order of integrals",
        "If k <= R l everywhere, so are their integrals under a coupling",
        "measure theory",
    )
    argument.inequality(
        "a coupling within W + y",
        "For every y > 0 there is one: with scale r = W/eps exponents differ by at most e (1 + "
        "y/W)",
        Abs(w - s) - Abs(w - t) <= (W + y) * e * r / W,
        [Abs(s - t) <= W + y, Eq(e * r, share * W), e > 0, W > 0, y >= 0],
    )
    argument.inequality(
        "y as small as one likes",
        "Suppose the logarithm C of the ratio, times W, exceeded e W. With m = (C - e W)/(2 e) it "
        "would be at most e (W + y) for some y < m, which it is not",
        e * (W + y) < C,
        [C > e * W, Eq(2 * e * m, C - e * W), e > 0, W > 0, y > 0, y < m],
    )
    argument.inequality(
        "W = 0: distribution functions",
        "a coupling within y > 0 has s <= m + y where t <= m: P(F<=m|s_i) <= P(F<=m+y|s_j)",
        s <= m + y,
        [Abs(s - t) <= y, t <= m, y > 0],
    )
    argument.assume(
        "distribution functions",
        "are continuous from the right and tell the law: with y to 0 in both orders both laws are "
        "the same, and so are the outputs without noise",
        "measure theory",
    )
