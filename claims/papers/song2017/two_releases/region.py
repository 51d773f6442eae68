"""Where two releases leak more than twice what one leaks: the printed numbers, theorem III.4, and
the exact region of (p, q).

S and D are the largest ratios of one and of two releases, c = e. With A(x) = 1 + (c-1) x and B(x) =
1 + (c^2-1) x they are c A(p)/A(q) and c^2 B(p)/B(q) where p(1-p) >= q(1-q), the other case being
the same at (1-q, 1-p). Source: song2017, appendix A-B.
"""

from itertools import product

import sympy
from sympy import And, Eq, Equivalent, Ge, Gt, Or

from pufferproof.claims.language import Edit, Proof, at_least, letter, letters, proved
from pufferproof.claims.papers.song2017.statements import printed as said_printed
from pufferproof.claims.papers.song2017.statements import twice as said_twice
from pufferproof.claims.papers.song2017.two_releases import statement as two_releases
from pufferproof.claims.papers.song2017.two_releases.statement import (
    CHANCES,
    D_FIRST,
    D_SECOND,
    EVERY,
    FIRST,
    SECOND,
    c,
    o_0,
    o_1,
    o_2,
    p,
    q,
    s_0,
    s_1,
    s_2,
)
from pufferproof.claims.registry import Check, claim

x = letter("x", "log c, one over the scale of the noise")
r = letter("r", "P(X_1=1)")
ones = letter("ones", "P(X_2=1)")
back_p, back_q = letters("back_p back_q", "P(X_1=1|X_2=1), P(X_1=1|X_2=0)")
line = letter("line", "(p-q)(1-p-q-(c^2-1)pq)")
R_1, R_2 = letters("R_1 R_2", "e to the level of the first, of the second release", at_least(1))
one, one_ = letters("one one_", "densities of the first output under neighbours", at_least(0))
two, two_ = letters("two two_", "densities of the second output under neighbours", at_least(0))

NOTATION = two_releases.NOTATION
E = sympy.exp(x)
POINT = (sympy.Rational(9, 10), sympy.Rational(1, 100))
PRINTED = {
    "(first value of S)^2": ((FIRST / c) ** 2, "5.3132"),
    "(second value of S)^2": ((SECOND / c) ** 2, "6.2672"),
    "first value of D": (D_FIRST / c**2, "4.4695"),
    "second value of D": (D_SECOND / c**2, "6.3448"),
}
HALF_UNIT = sympy.Rational(1, 20000)


def at_noise(expression: sympy.Expr, point: tuple[sympy.Expr, sympy.Expr] = POINT) -> sympy.Expr:
    """A rational function of p, q and c as a function of x, c = e^x; x = 1 is the printed noise."""
    return expression.subs({p: point[0], q: point[1]}).subs(c, E)


@claim(
    "song2017.III4-numbers",
    where="Appendix A-B",
    statement="p=0.9, q=0.01: (max{S,1/S})^2 = e^2 max{5.3132, 6.2672}; max{D,1/D} >= e^2 "
    "max{4.4695, 6.3448}; so when "
    'M is eps-"differentially private", (M,M) cannot be 2 eps-"differentially private".',
    kind="example",
    repair="song2017.III4-witness",
    says={
        "to four decimals": said_printed.NUMBERS,
        "the conclusion, for the secrets X_1 = 0 and X_1 = 1": said_twice.FIRST_RECORD,
    },
)
def numbers(check: Check) -> None:
    """Enclose the four numbers; for differential privacy, the word of the print, the conclusion
    is false.
    """
    changed = [Edit(name, instead=_close(name, 2 * HALF_UNIT)) for name in PRINTED]
    proved(
        check,
        "to four decimals",
        "p = 9/10, q = 1/100",
        _numbers,
        the_last_digit_changed=changed,
    )
    name = "the conclusion, for the secrets X_1 = 0 and X_1 = 1"
    proved(check, name, "p = 9/10, q = 1/100", _conclusion, q_one_twentieth=ONE_TWENTIETH)
    name = "the conclusion, for differential privacy, its word"
    proved(check, name, "one counterexample", _private)


def _private(proof: Proof) -> None:
    proof.inequality(
        "two releases",
        "densities of two outputs multiply",
        one * two <= R_1 * R_2 * one_ * two_,
        [one <= R_1 * one_, two <= R_2 * two_],
    )
    proof.counterexample(
        "eps = 1",
        "F = X_1 + X_2 changes by at most 1 with one record and the scale is 1: M is 1-DP, "
        "hence (M,M) is 2-DP",
        {"eps": 1, "F": "X_1 + X_2", "scale": 1, "largest change of F": 1},
        lambda: max(abs(sum(first) - sum(second)) for first, second in _neighbours()) == 1,
    )


def _neighbours() -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Pairs of two bits that differ in one record."""
    databases = list(product((0, 1), repeat=2))
    return [(a, b) for a in databases for b in databases if sum(m != k for m, k in zip(a, b)) == 1]


def _numbers(proof: Proof) -> None:
    for name, (_, digits) in PRINTED.items():
        proof.enclosure(
            name,
            f"differs from {digits} by at most half a unit of the last digit; x = 1",
            _close(name),
            x,
            1,
            1,
        )


def _close(name: str, shift: sympy.Expr | int = 0) -> sympy.Expr:
    """Positive if a printed number, moved by a shift, is right to its last digit."""
    expression, digits = PRINTED[name]
    return HALF_UNIT**2 - (at_noise(expression) - (sympy.Rational(digits) + shift)) ** 2


def _conclusion(proof: Proof) -> None:
    proof.cite(
        "suprema",
        "the largest S or 1/S, D or 1/D is one of two values each",
        "song2017.III4-maxima",
    )
    proof.enclosure(
        "level of one",
        "the second value of S is the larger: the level is its logarithm",
        at_noise(SECOND - FIRST),
        x,
        1,
        1,
    )
    proof.enclosure(
        "level of two", "D(2,2) exceeds its square", at_noise(D_SECOND - SECOND**2), x, 1, 1
    )


OTHER_POINT = (POINT[0], sympy.Rational(1, 20))


ONE_TWENTIETH = [
    Edit("level of one", instead=at_noise(SECOND - FIRST, OTHER_POINT)),
    Edit("level of two", instead=at_noise(D_SECOND - SECOND**2, OTHER_POINT)),
]


FAIR_START = Edit(
    "the chain read backwards",
    without=Eq(r, sympy.Rational(1, 11)),
    given=Eq(r, sympy.Rational(1, 2)),
)


@claim(
    "song2017.III4-witness",
    where="Appendix A-B",
    statement="T=2, P(X_2=1|X_1=1)=p, P(X_2=1|X_1=0)=q, Q={(X_1=0,X_1=1)}, M = X_1+X_2+Lap(1): M "
    "is log max{S,1/S}-Pufferfish, two releases are log max{D,1/D}-Pufferfish, with the "
    "printed S and D, and (max S)^2 < max D for some p, q.",
    kind="example",
    says={
        "Q as printed": said_twice.WITNESS,
        "every node secret, X_1 stationary": said_twice.WITNESS_STATIONARY,
    },
)
def witness(check: Check) -> None:
    """Prove the likelihoods and the inequality, and that the law of X_1 does not matter for
    these secrets.
    """
    proved(
        check,
        "Q as printed",
        "p = 9/10, q = 1/100, any law of X_1 with both values",
        _witness,
        q_one_twentieth=ONE_TWENTIETH,
    )
    proved(
        check,
        "every node secret, X_1 stationary",
        "p = 9/10, q = 1/100, P(X_1=1) = 1/11",
        _stationary,
        P_of_X_1_one_half=FAIR_START,
    )


def _witness(proof: Proof) -> None:
    other = (1 - r) * q * s_1 + (1 - r) * (1 - q) * s_0
    proof.identity(
        "one release",
        "P(X_2|X_1) does not depend on r = P(X_1=1)",
        ((r * p * s_2 + r * (1 - p) * s_1) / r) / (other / (1 - r)),
        (s_2 * p + s_1 * (1 - p)) / (s_1 * q + s_0 * (1 - q)),
    )
    other = (1 - r) * q * s_1 * o_1 + (1 - r) * (1 - q) * s_0 * o_0
    proof.identity(
        "two releases",
        "independent given X_1, X_2: products with those of the other output",
        ((r * p * s_2 * o_2 + r * (1 - p) * s_1 * o_1) / r) / (other / (1 - r)),
        (s_2 * o_2 * p + s_1 * o_1 * (1 - p)) / (s_1 * o_1 * q + s_0 * o_0 * (1 - q)),
    )
    _conclusion(proof)


def _stationary(proof: Proof) -> None:
    """Given X_2 the chance of X_1 = 1 is then p or q as well: both records have the same S and
    D.
    """
    both_directions(proof, sympy.Rational(1, 11))
    _witness(proof)


def both_directions(
    proof: Proof, start: sympy.Expr, point: tuple[sympy.Expr, sympy.Expr] = POINT
) -> None:
    """Add the step that X_1 given X_2 has the law of X_2 given X_1, if P(X_1=1) = start."""
    second = r * p + (1 - r) * q  # P(X_2=1)
    proof.inequality(
        "the chain read backwards",
        "P(X_1=1|X_2=1) and P(X_1=1|X_2=0); F is symmetric, so that secrets of X_2 have the same "
        "ratios",
        And(Eq(r * p, p * second), Eq(r * (1 - p), q * (1 - second))),
        [Eq(p, point[0]), Eq(q, point[1]), Eq(r, start)],
    )


@claim(
    "song2017.thm-III4",
    where="Theorem III.4",
    statement="There are a Markov chain X, a function F and mechanisms M_A, M_B, each "
    "eps-Pufferfish in (S,Q,Theta), such that (M_A(X),M_B(X)) is not 2 eps-Pufferfish.",
    says={
        "every node secret (II-A)": said_twice.EVERY_RECORD,
        "Q of the witness": said_twice.FIRST_RECORD,
    },
)
def theorem(check: Check) -> None:
    """Prove it by the printed mechanism, with every node secret if X_1 starts from the
    stationary law.
    """
    proved(
        check,
        "every node secret (II-A)",
        "p = 9/10, q = 1/100, P(X_1=1) = 1/11, e^(2 eps) < joint ratio",
        _stationary,
        P_of_X_1_one_half=FAIR_START,
    )
    proved(
        check,
        "Q of the witness",
        "p = 9/10, q = 1/100",
        _witness,
        q_one_twentieth=ONE_TWENTIETH,
    )


@claim(
    "song2017.x-III4-region",
    where="Appendix A-B, asked beyond it",
    statement="Two releases leak more than twice what one leaks iff (p-q)(1-p-q-(e^2-1)pq) > 0 "
    "where p(1-p) >= q(1-q), or the same at (1-q,1-p) where not. The excess is at most "
    "log((1+e)^2/(4e)), attained at q = 0, p = 1/(1+e).",
    kind="theorem",
    assumes=[
        "both values of X_1 are possible (else, as for p = 1 > q under the stationary law, no pair "
        "of secrets is)"
    ],
    says={"the region": said_twice.REGION, "the excess": said_twice.EXCESS},
)
def region(check: Check) -> None:
    """Prove the region, which the stationary start has for all nodes too, and the largest
    excess.
    """
    without = Edit("the difference", instead=(c - 1) ** 2 * (p - q) * (1 - p - q))
    proved(
        check,
        "the region",
        f"{EVERY}; secrets of X_1, or of both nodes of a stationary chain",
        _region,
        without_the_product=without,
    )
    smaller = Edit(
        "and at least 4c/(1+c)^2", instead=Ge((1 + c) ** 2 * SINGLE_P**2, 5 * c * DOUBLE_P)
    )
    proved(check, "the excess", EVERY, _excess, a_smaller_one=smaller)


SINGLE_P, DOUBLE_P = 1 + (c - 1) * p, 1 + (c**2 - 1) * p  # A(p), B(p)


SINGLE_Q, DOUBLE_Q = 1 + (c - 1) * q, 1 + (c**2 - 1) * q  # A(q), B(q)


def _region(proof: Proof) -> None:
    proof.cite("suprema", "max{S,1/S} and max{D,1/D}", "song2017.III4-maxima")
    proof.cite(
        "which value",
        "the second ones are the larger iff p(1-p) >= q(1-q)",
        "song2017.III4-quadratic",
    )
    _both_nodes(proof)
    proof.identity(
        "the difference",
        "B(p) A(q)^2 - A(p)^2 B(q)",
        DOUBLE_P * SINGLE_Q**2 - SINGLE_P**2 * DOUBLE_Q,
        (c - 1) ** 2 * (p - q) * (1 - p - q - (c**2 - 1) * p * q),
    )
    proof.inequality(
        "its sign",
        "D > S^2 cross-multiplied",
        Equivalent(Gt((c - 1) ** 2 * line, 0), Gt(line, 0)),
    )
    _other_case(proof)


def _both_nodes(proof: Proof) -> None:
    proof.inequality(
        "both nodes, stationary start",
        "P(X_1=1) and P(X_2=1) are the same: P(X_1=1|X_2=1) is p and P(X_1=1|X_2=0) is q, so that "
        "secrets of X_2 have the same ratios",
        And(Eq(back_p, p), Eq(back_q, q)),
        [
            Eq(ones, r * p + (1 - r) * q),
            Eq(ones, r),
            Eq(back_p * ones, r * p),
            Eq(back_q * (1 - ones), r * (1 - p)),
            r > 0,
            r < 1,
        ],
    )


def _other_case(proof: Proof) -> None:
    proof.identity(
        "the other case, one release",
        "the first value is the second one at (1-q, 1-p)",
        "c*(c*(1 - q) + 1 - (1 - q))/(c*(1 - p) + 1 - (1 - p))",
        str(FIRST),
    )
    proof.identity(
        "the other case, two releases",
        "as well",
        "c**2*(c**2*(1 - q) + 1 - (1 - q))/(c**2*(1 - p) + 1 - (1 - p))",
        str(D_FIRST),
    )


def _excess(proof: Proof) -> None:
    """D/S^2 = h(q)/h(p), h(x) = A(x)^2/B(x)."""
    proof.inequality(
        "h is at most 1", "A^2 = B - (c-1)^2 x (1-x)", SINGLE_P**2 <= DOUBLE_P, CHANCES
    )
    proof.inequality(
        "and at least 4c/(1+c)^2",
        "(1+c)^2 A^2 - 4 c B is the square of (c^2-1) x - (c-1)",
        Ge((1 + c) ** 2 * SINGLE_P**2, 4 * c * DOUBLE_P),
        CHANCES,
    )
    proof.identity(
        "attained",
        "at x = 0 and at x = 1/(1+c)",
        ((1 + (c - 1) / (1 + c)) ** 2) * (1 + c) ** 2,
        4 * c * (1 + (c**2 - 1) / (1 + c)),
    )
    proof.inequality(
        "in the region of the second values",
        "q = 0, p = 1/(1+c)",
        And(p * (1 - p) >= q * (1 - q), Or(p < 1, p < 0)),
        [Eq(q, 0), Eq(p * (1 + c), 1)],
    )
