"""Where the largest ratio of likelihoods is, and two bounds of it, for noise whose density decays
exponentially.

    N(w) = sum_v p_v t^|w-v|,  D(w) = sum_v q_v t^|w-v|,  0 < t < 1

A is the sum of p_v t^(-v) over the values v <= w, B that of p_v t^v over the others, C and D the
same with q_v; z = t^w, x = z^2.
"""

from pufferproof.claims.ours.noise.linked.law import CONSTANTS, LAW, SPREAD
from pufferproof.claims.ours.noise.statements import queries as says
from pufferproof.claims.registry import Check, claim

ONE, MANY, INTEGER = (
    "one coordinate",
    "several coordinates, also of several releases",
    "integer outputs",
)
FARTHEST, REACHED = "no value farther than G", "two constants at distance G"


@claim(
    "noise.attained",
    where="Noise on queries",
    statement="Laplace noise on a query with finitely many values: the largest ratio of "
    "likelihoods is attained where every coordinate of the output is a value that this "
    "coordinate of the query takes under s or s'. Independent releases are one vector; "
    "geometric noise on integers is no exception.",
    kind="theorem",
    says={
        "one coordinate": says.ONE_COORDINATE,
        "several coordinates, also of several releases": says.SEVERAL,
        "integer outputs": says.INTEGERS,
    },
)
def attained(check: Check) -> None:
    """Prove it: between neighbouring values the ratio is (A x + B)/(C x + D), beyond them it is
    constant.

    One coordinate. With T^x for the output between two neighbouring values, N = A x + B and D = C x
    + D' up to a factor, where a value below adds to A or C and a value above to B or D'. Above all
    values B = D' = 0, below them A = C = 0: there the ratio does not depend on w. N <= m D is
    linear in x, and holds in between if at both ends.

    Several coordinates, also of several releases. With the others fixed, p_v t_1^|w_1-v_1|
    t_2^|w_2-v_2| .. is t_1^|w_1-v_1| with the weight p_v t_2^|w_2-v_2| .. in place of p_v; so each
    coordinate is moved in turn to one of its values without lowering the ratio.

    Integer outputs. Values are integers, so the largest ratio over real outputs is reached at an
    integer output.
    """
    for name in (ONE, MANY, INTEGER):
        check.tried(name)


@claim(
    "noise.discrete",
    where="Noise on queries",
    statement="On a query with integer values, geometric noise of ratio a leaks exactly as Laplace "
    "noise of scale 1/log(1/a), and discrete Laplace noise of scale b as Laplace noise of "
    "scale b.",
    kind="theorem",
    says=says.DISCRETE,
)
def discrete(check: Check) -> None:
    """Prove it: the same likelihoods, up to constants, at the outputs where the largest ratio
    is.

    At values of the query: which are integers, both have their largest ratio [noise.attained].
    Constants cancel: 1/(2b) for Laplace, (1-a)/(1+a) for geometric noise, and a = e^(-1/b) is the
    decay of both: the values 0 and 1, at the output 0.
    """
    check.tried("as stated")


@claim("noise.law", where="Noise on queries", kind="lemma", says=LAW)
def law(check: Check) -> None:
    """Prove it term by term."""
    check.linked("as stated")


@claim(
    "noise.spread",
    where="Noise on queries",
    statement="Laplace noise leaks at most G/b if no value of F given s is farther than G (in L1) "
    "from one given s'; exactly G/b if F is constant given either secret, at distance G.",
    kind="theorem",
    says={FARTHEST: SPREAD, REACHED: CONSTANTS},
)
def spread(check: Check) -> None:
    """Prove the bound by the triangle inequality, and that two constants reach it at the output f,
    the only value given s.
    """
    check.linked(FARTHEST)
    check.linked(REACHED)
