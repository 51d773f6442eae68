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
from tests.soak.drawing import RATIOS, STEPS, Passed, channel, framework, records

from pufferproof import Framework, Level, Table, composition_rate
from pufferproof.lp.cones.columns import Columns
from pufferproof.lp.exact.linear import Program, Row
from pufferproof.lp.exact.logarithms import sign_of_logs
from pufferproof.lp.exact.program import _by_conditions, solve_exact
from pufferproof.lp.redaction.central.optimum import central_optimum
from pufferproof.lp.translation.levels import RecordLevels
from pufferproof.lp.translation.listed import worst_column
from pufferproof.lp.translation.translate import worst_case
from pufferproof.lp.worst.at_ratios import worst_at
from pufferproof.models.errors import ModelError
from pufferproof.models.sequences.binary import BinaryChain
from pufferproof.verify.decision import Decision
from pufferproof.verify.leakage.closure import free_mixtures

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


def related(draw: Random, space: Framework) -> Framework:
    """The framework with one prior more, or two, that often share odds or laws with the first."""
    (first,) = space.priors
    laws = [probabilities(space, first)]
    pair = draw.choice(list(space.pairs))
    held = {name: [space.databases[x] for x in members] for name, members in space.secrets.items()}
    for _ in range(draw.choice((1, 1, 2))):
        new = dict(laws[0])
        sides = [held[secret] for secret in pair]
        for members in (*sides, [x for x in new if x not in sides[0] + sides[1]]):
            times, others = draw.choice((0, 1, 1, 2)), draw.random() < 0.7
            for x in members:
                new[x] = Fraction(draw.choice((0, 1, 2, 3)), 3) if others else times * new[x]
        if any(new.values()):
            laws.append({x: p / sum(new.values()) for x, p in new.items()})
    if len(laws) == 1:
        raise Passed
    priors = {f"p{k}": Table({x: p for x, p in each.items() if p}) for k, each in enumerate(laws)}
    stated = space.pairs if draw.random() < 0.5 else [pair]
    return Framework(list(space.databases), held, list(stated), priors, one_sided=space.one_sided)


def both_laws(space, theta, pair):
    """The probabilities of all databases given one secret, and given the other."""
    held = [[space.databases[x] for x in space.secrets[name]] for name in pair]
    masses = [sum(theta[x] for x in members) for members in held]
    if not all(masses):
        return None
    return [
        theta[x] / mass if x in members else Fraction(0)
        for members, mass in zip(held, masses)
        for x in space.databases
    ]


def is_mixture(point, corners) -> bool:
    """Whether a point lies between two, or is the only one there is."""
    if not corners:
        return False
    ends = list(zip(point, corners[0], corners[-1]))
    shares = {(p - b) / (a - b) for p, a, b in ends if a != b}
    return len(shares) < 2 and all(p == a for p, a, b in ends if a == b)


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
    terms = [
        (draw.randint(-6, 6), Fraction(draw.randint(2, 30), draw.randint(1, 9))) for _ in range(3)
    ]
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
