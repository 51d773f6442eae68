"""Where the largest ratio of likelihoods is, and two bounds of it, for noise whose density decays
exponentially.

    N(w) = sum_v p_v t^|w-v|,  D(w) = sum_v q_v t^|w-v|,  0 < t < 1

A is the sum of p_v t^(-v) over the values v <= w, B that of p_v t^v over the others, C and D the
same with q_v; z = t^w, x = z^2.
"""

from pufferproof.claims.ours.noise.statements import queries as says
from pufferproof.claims.ours.noise.statements.law import CONSTANTS, LAW, SPREAD
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

    One coordinate. One more value below: A value v <= w adds p_v t^(w-v) = p T z to N, T = t^(-v):
    A grows by p T. One more value above: A value v > w adds p_v t^(v-w) = p T / z to N, T = t^v: B
    grows by p T. The ratio: N/D between two neighbouring values, where A to D do not change. Above
    the values: There B = D = 0, and the ratio does not depend on w. Below the values: There A = C =
    0, and the ratio does not depend on w. Largest at an end: slope = A - m C and offset = B - m D:
    N <= m D is slope x + offset <= 0, and holds in between if at both ends.

    Several coordinates, also of several releases. Coordinate after coordinate: With the others
    fixed, p_v t_1^|w_1-v_1| t_2^|w_2-v_2| .. is t_1^|w_1-v_1| with the weight p_v t_2^|w_2-v_2| ..
    in the place of p_v; so each coordinate is moved in turn to one of its values without lowering
    the ratio: start <= moved and moved <= ended. From "One more value below" to "Largest at an
    end": as above.

    Integer outputs. The ends are outputs: Values are integers, so the largest ratio m over real
    outputs is the largest at an integer output: no ratio at an integer exceeds it. From "One more
    value below" to "Largest at an end": as above.
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
