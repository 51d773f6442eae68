"""Optima over all mechanisms, against extreme rays by definition and programs over all of them;
mixtures of priors, against hulls of laws.
"""

import math
from fractions import Fraction
from itertools import combinations
from random import Random

import mpmath
from tests.brute.definitions import probabilities
from tests.brute.worst import laws, rays, worst
from tests.lp.rates.test_nfc import rate_by_definition
from tests.lp.redaction.test_central import best_by_definition, redactions
from tests.soak.drawing import RATIOS, STEPS, Passed, channel, framework, records, related
from tests.verify.leakage.mixtures.hulls import both_laws, is_mixture
from tests.verify.leakage.mixtures.quotients import largest_quotient, number, quotient, shares, value_at

from pufferproof import Level, composition_rate
from pufferproof.lp.cones.columns import Columns
from pufferproof.lp.exact.linear import Program, Row
from pufferproof.lp.exact.program import _by_conditions, solve_exact
from pufferproof.lp.exact.weights import sign_of_logs
from pufferproof.lp.levels import RecordLevels
from pufferproof.lp.redaction.central import central_optimum
from pufferproof.lp.translation.listed import worst_column
from pufferproof.lp.translation.translate import worst_case
from pufferproof.lp.worst.at_ratios import worst_at
from pufferproof.models.errors import ModelError
from pufferproof.models.sequences.binary import BinaryChain
from pufferproof.verify.decision import Decision
from pufferproof.verify.leakage.laws import free_mixtures
from pufferproof.verify.leakage.mixtures import MixtureQuotient, rational_bounds, value_of

Both = tuple[object, object]


def together(draw: Random) -> Both:
    """The worst case of mechanisms of given levels together."""
    space = framework(draw, 4, priors=2)
    ratios = [draw.choice(RATIOS) for _ in range(draw.choice((1, 2, 2, 3)))]
    both = laws(space)
    pairs = both[::2] if space.one_sided else both
    # columns of a mechanism sum to 1: where none has more than nu, none has less
    cones = [rays(both if ratio == 1 else pairs, ratio) for ratio in ratios]
    found = worst_at(Columns(space), ratios)
    return (found.exact, found.ratio), (True, worst(pairs, *cones))


def per_record(draw: Random) -> Both:
    """The worst case of levels per record: one pass along the records, and programs."""
    space = records(draw, 3)
    assert space.records is not None
    if len(space.databases) > 9:
        raise Passed  # programs of minutes, which the package solves as well
    levels = RecordLevels.of([Level.log(draw.choice(RATIOS)) for _ in range(space.records.count)])
    try:
        expected = worst_column(space, levels)
    except ModelError:
        raise Passed from None
    found = worst_case(space, levels)
    if found.exact:
        return found.leakage.ratio, expected.ratio
    low, high = found.leakage.bounds()
    return low <= expected.ratio <= high, True


def designs(draw: Random) -> Both:
    """The largest utility of a redaction that sees all records."""
    length = draw.choice((1, 2, 2, 3))
    chain = BinaryChain(draw.choice(STEPS), draw.choice(STEPS), length)
    private, level = draw.randint(1, length), Level.log(draw.choice(RATIOS))
    found = central_optimum(chain, private, level)
    best = best_by_definition(chain, private, level.ratio, redactions)
    return (found.lower, found.upper), (best, best)


def rates(draw: Random) -> Both:
    """The composition rate, which floats enumerate; zero and infinite ones must be so exactly."""
    space = framework(draw, 4)
    mechanism = channel(draw, space, 3)
    numbers = [mechanism.probability(x, y) for x in space.databases for y in mechanism.outputs]
    if any(0 < p < Fraction(1, 1000) for p in numbers):
        raise Passed  # too far apart for games in floats
    if space.one_sided:
        raise Passed
    found, near = composition_rate(space, mechanism), rate_by_definition(space, mechanism)
    if found.infinite or math.isinf(near):
        return found.infinite, math.isinf(near)
    low, high = float(found.lower), float(found.upper)
    return low - 1e-6 <= near <= high + 1e-6, True


def closures(draw: Random) -> Both:
    """Whether mixtures of priors are free, and the first two priors and the pair against it, one of
    whose mixtures has laws that are no mixture of those under the priors that allow both secrets.
    """
    space = related(draw, framework(draw, priors=1))
    found = free_mixtures(space)
    assert found is not None
    said = found.free, found.priors, found.pair, "impossible" in str(found.reason)
    for names in combinations(space.priors, 2):
        thetas = [probabilities(space, name) for name in names]
        half = {x: sum(theta[x] for theta in thetas) / 2 for x in space.databases}
        for pair in space.pairs:
            allowed = [both for theta in thetas if (both := both_laws(space, theta, pair))]
            mixed = both_laws(space, half, pair)
            if mixed and not is_mixture(mixed, allowed):
                alone = len(space.priors) == 2 and len(space.pairs) == 1 and not space.one_sided
                free = Decision.FAILS if alone and len(allowed) == 2 else Decision.UNDECIDED
                return said, (free, names, pair, len(allowed) < 2)
    return said, (Decision.HOLDS, None, None, False)


def suprema(draw: Random) -> Both:
    """The supremum of a quotient of forms over two priors, whether it is reached, and whether it is
    beyond a bound, by the zeros of the derivative; and weights where it is.
    """
    above, below = quotient(draw)
    both, (expected, at_rational) = MixtureQuotient(above, below), largest_quotient(above, below)
    found = both.supremum()
    assert found == expected, f"found {found}, expected {expected}"
    said, should = [], []
    if isinstance(found, Fraction):
        at = both.weights_at(found)
        said += [at is not None and shares(at) and value_at(both, at) == found]
        should += [at_rational]
    low, high = (Fraction(999), Fraction(999)) if found is None else rational_bounds(found, Fraction(-1000))
    bound = draw.choice((low, low - Fraction(1, 10 ** draw.randint(1, 30)), high))
    if expected is None or (any(below) and number(expected) > number(bound)):
        should += [(False, True, True)]
        near = both.weights_near(bound)
        above_bound = value_of(above, *near) > bound * value_of(below, *near)
        said += [(both.at_most(bound), shares(near), above_bound)]
    else:
        said, should = [*said, both.at_most(bound)], [*should, True]
    return said, should


def programs(draw: Random) -> Both:
    """The optimum of a linear program, by floats that propose and by conditions."""
    size = draw.randint(1, 3)

    def numbers():
        return {j: Fraction(draw.randint(-4, 4), draw.randint(1, 3)) for j in range(size)}

    constraints = [
        Row(numbers(), draw.choice(("<=", "=", ">=")), Fraction(draw.randint(-6, 6), 2))
        for _ in range(draw.randint(0, 4))
    ]
    free = {j for j in range(size) if draw.random() < 0.3}
    program = Program(numbers(), constraints, size, free)
    one, other = solve_exact(program), _by_conditions(program)
    proofs = one.proves(program), other.proves(program)
    return (one.status, one.value, proofs), (other.status, other.value, (True, True))


def logarithms(draw: Random) -> Both:
    """The sign of a sum of logarithms and a constant, zero among them."""
    terms = [(draw.randint(-6, 6), Fraction(draw.randint(2, 30), draw.randint(1, 9))) for _ in range(3)]
    constant = Fraction(draw.choice((0, 0, 1, -1)), draw.randint(1, 5))
    if draw.random() < 0.5:  # the same again, with the other sign: the sum is 0, or all but 0
        near = Fraction(draw.choice((0, 0, 1, -1)), 10 ** draw.randint(1, 30))
        terms, constant = terms + [(-n, q * (1 + near)) for n, q in terms], constant * abs(near)
    with mpmath.workdps(150):
        total = mpmath.mpf(constant.numerator) / constant.denominator
        total += sum(n * log_of(q) for n, q in terms)
        expected = 0 if abs(total) < mpmath.mpf(10) ** -120 else int(mpmath.sign(total))
    return sign_of_logs(terms, constant), expected


def log_of(q: Fraction):
    return mpmath.log(mpmath.mpf(q.numerator) / q.denominator)
