"""Leakages of listed mechanisms, alone and together, against their definitions."""

import math
from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations, product
from random import Random
from typing import Any

from tests.brute import definitions as brute
from tests.brute.nfc import joint_ratio, law, rows_of
from tests.soak.drawing import EXTREMES, RATIOS, Passed, binary, channel, framework, records
from tests.verify.leakage.mixtures.test_parts import delta_of_all, largest_of_all
from tests.verify.leakage.test_ratio import mixture_ratio

from pufferproof import Level, audit, compose, leakage_table, renyi_divergence, repeat, smallest_delta
from pufferproof.verify.certificates.writing import Inputs, audit_certificate, certified_text
from pufferproof.verify.leakage.mixtures import as_leakage, compare, mixture_delta, mixture_leakage
from pufferproof.verify.leakage.ratio import (
    LargestRatio,
    Leakage,
    Scope,
    Witness,
    is_small,
    largest_of_few,
    largest_of_many,
    leakage,
    scope,
)
from pufferproof.verify.leakage.runs.repeated import repeated_leakage

Both = tuple[object, object]


def leakages(draw: Random) -> Both:
    """The leakage and its first witness."""
    space = framework(draw) if draw.random() < 0.7 else records(draw)
    mechanism = channel(draw, space, 7)
    if draw.random() < 0.1:
        mechanism = binary(mechanism)
    found, at = leakage(space, mechanism)
    return (found.ratio, (at.prior, at.pair, at.output)), brute.leakage(space, mechanism)


def both_searches(draw: Random) -> Both:
    """The leakage by integers and by the filter in floats, which take turns by size."""
    space = framework(draw)
    weights = EXTREMES if draw.random() < 0.1 else None
    mechanism = channel(draw, space, 7, weights).aligned(space.databases, space.support)
    many = largest_of_many(space, mechanism)
    if not is_small(space, mechanism):
        best, _ = brute.leakage(space, mechanism)
        return (Fraction(many[1], many[2]) if many[2] else None), best
    few = largest_of_few(space, mechanism)
    return (few[0], few[1] * many[2]), (many[0], many[1] * few[2])


def scopes(draw: Random) -> Both:
    """How many inequalities there are, how many pairs were left out, and which under all priors."""
    space = framework(draw, 5, draw.choice(("list", "list", "convex")))
    outputs = draw.randint(1, 4)
    found = scope(space, outputs)
    possible = {
        (prior, pair): all(space.mass(prior, secret) for secret in pair)
        for prior in space.priors
        for pair in space.pairs
    }
    excluded = sum(not each for each in possible.values())
    groups = [(prior,) for prior in space.priors]
    if space.closure == "convex":  # a mixture of two priors has what either has
        groups += combinations(space.priors, 2)
    checked = [
        (group, pair)
        for group in groups
        for pair in space.pairs
        if all(any(space.mass(prior, secret) for prior in group) for secret in pair)
    ]
    ever = {pair for _, pair in checked}
    never = tuple(pair for pair in space.pairs if pair not in ever)
    orders = 1 if space.one_sided else 2
    return found, Scope(len(checked) * orders * outputs, excluded, never)


def tables(draw: Random) -> Both:
    """Every ratio of the table of leakages."""
    space = framework(draw)
    mechanism = channel(draw, space)
    listed = [(row.prior, row.pair, row.output, row.ratio) for row in leakage_table(space, mechanism)]
    by_definition = []
    for prior in space.priors:
        theta = brute.probabilities(space, prior)
        for pair, output, above, below in brute.ratios(space, mechanism, theta):
            ratio = above / below if below else None
            by_definition.append((prior, pair, output, ratio))
    return sorted(listed, key=str), sorted(by_definition, key=str)


def deltas(draw: Random) -> Both:
    """The smallest delta of one run or a few: its parts, and where it is reached first."""
    space, count = framework(draw), draw.choice((1, 1, 1, 2, 3))
    mechanism = channel(draw, space, 6 if count == 1 else 3)
    level = draw.choice((*map(Level.log, RATIOS), Level("0.3"), Level("40")))
    if draw.random() < 0.3:  # that of some output, which is then no more likely
        best, _ = brute.leakage(space, mechanism)
        level = level if best is None else Level.log(max(best, Fraction(1)))
    found = smallest_delta(space, mechanism, level, runs=count)
    *expected, where = brute.first_delta(space, repeat(mechanism, count), level)
    said = [found.alpha, found.beta, found.prior, found.pair]
    if count == 1:
        return (said, found.outputs), (expected, where)
    return (said, bool(found.outputs)), (expected, bool(where))  # said in words


def moments(draw: Random) -> Both:
    """Renyi moments of integer orders."""
    space, order = framework(draw), draw.choice((2, 2, 3, 5))
    mechanism = channel(draw, space, 5)
    found = renyi_divergence(space, mechanism, order)
    return (None if found.infinite else found.moment), brute.renyi_moment(space, mechanism, order)


def joint(draw: Random) -> Both:
    """The leakage of releases together."""
    space = framework(draw, 4)
    mechanisms = [channel(draw, space, 3) for _ in range(draw.randint(1, 3))]
    return compose(space, mechanisms).joint.leakage.ratio, joint_by_definition(space, mechanisms)


def sums(draw: Random) -> Both:
    """Whether a leakage is at most the sum of others: whatever each is between its bounds."""
    single, count = [between(draw, RATIOS) for _ in range(draw.randint(1, 3))], draw.randint(1, 3)
    totals = {math.prod(each) ** count for each in product(*map(ends, single))}
    joint = between(draw, [*RATIOS, *sorted(totals - {math.inf}) * 2])
    said = {value <= total for value, total in product(ends(joint), totals)}
    at, none = Witness("p", ("s", "t"), "u"), Scope(1, 0, ())
    first, *others = (LargestRatio(each, at, none) for each in (joint, *single))
    return first.additive(others, count).value, said.pop() if len(said) == 1 else None


def between(draw: Random, ratios: Sequence[Fraction]) -> Leakage:
    """A leakage that is infinite, known, or known between bounds, of which there may be one."""
    if draw.random() < 0.1:
        return Leakage.of(None)
    lower, upper = sorted(draw.choices(ratios, k=2))
    return Leakage(lower, draw.choice((lower, upper, upper, None)))


def ends(found: Leakage) -> list[Any]:
    """The least and the largest that e^leakage may be."""
    return [math.inf if each is None else each for each in (found.lower, found.upper)]


def runs(draw: Random) -> Both:
    """The leakage of several runs by counting outputs, and the first counts that reach it."""
    space, count = framework(draw, 4), draw.randint(1, 4)
    mechanism = channel(draw, space, 3)
    found, at = repeated_leakage(space, mechanism, count)
    each = zip(mechanism.outputs, at.counts)
    sequence = ",".join(output for output, times in each for _ in range(times))
    expected = brute.leakage(space, repeat(mechanism, count))
    return (found.ratio, (at.prior, at.pair, sequence)), expected


def joint_by_definition(space, mechanisms):
    best, releases = Fraction(0), [rows_of(each) for each in mechanisms]
    for prior, pair in product(space.priors, space.pairs):
        if all(space.mass(prior, secret) for secret in pair):
            laws = [law(space, secret, prior) for secret in pair]
            for mu, nu in [laws] if space.one_sided else [laws, laws[::-1]]:
                ratio = joint_ratio(mu, nu, releases)
                if ratio is None:
                    return None
                best = max(best, ratio)
    return best


def mixed(draw: Random) -> Both:
    """The suprema of the leakage and of delta over mixtures, of all two priors and all sets of
    outputs; no mixture on a grid leaks more, and the witness comes near.
    """
    space, ratio = framework(draw, 4, "convex", 5), draw.choice(RATIOS)
    mechanism = channel(draw, space, 3)
    supremum, at = mixture_leakage(space, mechanism)
    delta, _ = mixture_delta(space, mechanism, Level.log(ratio), Fraction(1, 10))
    said = supremum, at.pair, at.output, delta.low
    expected = (*largest_of_all(space, mechanism), delta_of_all(space, mechanism, ratio))
    reached = mixture_ratio(space, mechanism, at)
    if supremum is None:
        return (said, reached is None or reached > 2**40), (expected, True)
    bounds = as_leakage(supremum)
    near = bounds.lower * (1 - Fraction(1, 2**39)) <= reached <= bounds.upper
    few = len(space.priors) < 4
    grid = list(brute.mixture_ratios(space, mechanism, 5)) if few else []
    above = [each for each in grid if each is None or exceeds_bound(supremum, each)]
    return (said, near, above), (expected, True, [])


def exceeds_bound(supremum, ratio: Fraction) -> bool:
    return ratio >= 1 and compare(supremum, Level.log(ratio)) < 0


def certified(draw: Random) -> Both:
    """The verdict at a level by the definition, and the certificate, which the kernel accepts."""
    space, ratio = framework(draw, 4), draw.choice(RATIOS)
    mechanism = channel(draw, space, 3)
    if space.one_sided:
        raise Passed  # the format always checks both orders
    best, _ = brute.leakage(space, mechanism)
    if best is not None and draw.random() < 0.3:
        ratio = max(best, Fraction(1))
    found = audit(space, mechanism, Level.log(ratio))
    text = certified_text(audit_certificate(found, Inputs()))
    expected = "SATISFIES" if best is not None and best <= ratio else "VIOLATES"
    return (found.verdict.value, bool(text)), (expected, True)
