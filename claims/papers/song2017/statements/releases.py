"""Composition without chains as programs: differential privacy, a one-time pad, and any two
releases whose joint law is near the product of their laws.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise, product

from pufferproof.claims.language.instances.frameworks import (
    Prior,
    Rows,
    Secret,
    distance,
    framework,
    held,
    leakage,
    output_law,
    rows,
    side_by_side,
)
from pufferproof.claims.language.instances.laws import (
    ALMOST,
    ONE,
    ZERO,
    at_most,
    largest_quotient,
    times,
)
from pufferproof.claims.language.statements import Draws, Fraction, Instance, Statement

F = Fraction
Database = tuple[int, ...]
Release = Mapping[Database, Sequence[F]]


def several_mechanisms(draws: Draws) -> Instance:
    """Two or three bits, one to three mechanisms with two outputs that each reads a set of records
    (sets are disjoint, or, one time in four, may overlap) with zeros and rows that repeat, and
    coins of their own or, one time in four, one coin for all.
    """
    T, K = 2 + draws.below(2), 1 + draws.below(3)
    databases = list(product((0, 1), repeat=T))
    places, overlap = [draws.below(K) for _ in range(T)], draws.below(4) == 3
    releases = []
    for k in range(K):
        read = [t for t in range(T) if places[t] == k or (overlap and draws.whether())]
        seen = list(product((0, 1), repeat=len(read)))
        table = dict(zip(seen, rows(draws, len(seen), 2)))
        releases.append({x: table[tuple(x[t] for t in read)] for x in databases})
    return {"releases": releases, "one_coin": draws.below(4) == 3}


def _neighbours(databases: Sequence[Database]) -> Iterator[tuple[Database, Database]]:
    return ((x, y) for x, y in product(databases, repeat=2) if distance(x, y) == 1)


def _level(release: Release) -> F | None:
    """e to the level under differential privacy."""
    return largest_quotient((release[x], release[y]) for x, y in _neighbours(list(release)))


def _joint(releases: Sequence[Release], one_coin: bool) -> Release:
    """All outputs, drawn independently, or by one coin: outputs are 0 below their chance of 0."""
    if not one_coin:
        found: Release = {x: [ONE] for x in releases[0]}
        for each in releases:
            found = {x: [p * q for p in row for q in each[x]] for x, row in found.items()}
        return found
    joint = {}
    for x in releases[0]:
        cuts = [each[x][0] for each in releases]
        ends = [ZERO, *sorted(cuts), ONE]
        chances = dict.fromkeys(product((0, 1), repeat=len(releases)), ZERO)
        for low, high in pairwise(ends):
            chances[tuple(int(low >= cut) for cut in cuts)] += high - low
        joint[x] = [*chances.values()]
    return joint


def _reads(release: Release) -> set[int]:
    return {
        next(t for t, (a, b) in enumerate(zip(x, y)) if a != b)
        for x, y in _neighbours(list(release))
        if release[x] != release[y]
    }


def _disjoint(releases: Sequence[Release], **_: object) -> bool:
    read = [t for each in releases for t in _reads(each)]
    return len(read) == len(set(read))


def _largest(releases: Sequence[Release]) -> F | None:
    levels = [_level(each) for each in releases]
    return None if None in levels else max(each for each in levels if each is not None)


def _all(releases: Sequence[Release]) -> F | None:
    return times(*(_level(each) for each in releases))


DISJOINT = "the sets of records are disjoint"
OWN_COINS = "each mechanism uses coins of its own"
PARALLEL = Statement(
    family=several_mechanisms,
    given={DISJOINT: _disjoint, OWN_COINS: lambda releases, one_coin: not one_coin},
    holds=lambda releases, one_coin, factor=ONE: at_most(
        _level(_joint(releases, one_coin)), times(factor, _largest(releases))
    ),
    too_strong={"99/100 of it": {"factor": ALMOST}},
    too_weak=[DISJOINT],
)
SEQUENTIAL = Statement(
    family=several_mechanisms,
    given={OWN_COINS: lambda releases, one_coin: not one_coin},
    holds=lambda releases, one_coin, factor=ONE: at_most(
        _level(_joint(releases, one_coin)), times(factor, _all(releases))
    ),
    too_strong={"99/100 of it": {"factor": ALMOST}},
    too_weak=[OWN_COINS],
)


def levels(draws: Draws) -> Instance:
    """Two or three levels as R_k = e^eps_k from 1 to 4, ties often."""
    number = 2 + draws.below(2)
    return {"R": [draws.among([ONE, F(2), F(3, 2), F(4)]) for _ in range(number)]}


def one_time_pad(draws: Draws) -> Instance:
    """A bit s with P(s=1) above 0 and below 1, and a bit r with P(r=1) = 1/2 or another number,
    independent of it; M_1 shows r and M_2 shows s xor r, or, one time in four, a third fair bit.
    """
    s = draws.rate([F(1, 2), F(1, 3), F(9, 10)])
    r = draws.among([F(1, 2), F(1, 2), F(1, 3), F(1)])
    return {"s": s, "r": r, "third": draws.below(4) == 3}


def _pad(s: F, r: F, third: bool) -> tuple[F | None, ...]:
    """The levels of M_1, of M_2 and of both for the secrets s = 0 and s = 1."""
    databases = list(product((0, 1), repeat=3))
    prior = [(s if x else 1 - s) * (r if y else 1 - r) * F(1, 2) for x, y, _ in databases]
    shown = [[y for _, y, _ in databases], [z if third else x ^ y for x, y, z in databases]]
    first, second = ([[F(bit == w) for w in (0, 1)] for bit in bits] for bits in shown)
    pair = (frozenset(range(4)), frozenset(range(4, 8)))
    mechanisms = (first, second, side_by_side(first, second))
    return tuple(leakage([prior], [pair], each) for each in mechanisms)


FAIR, PAD = "r is fair", "M_2 shows s xor r"
ONE_TIME_PAD = Statement(
    family=one_time_pad,
    given={FAIR: lambda s, r, third: r == F(1, 2), PAD: lambda s, r, third: not third},
    holds=lambda s, r, third: _pad(s, r, third) == (ONE, ONE, None),
    too_weak=[FAIR, PAD],
)


def two_releases(draws: Draws) -> Instance:
    """Up to four databases, two secrets that may overlap or be impossible, one or two priors with
    zeros, and a joint law of two outputs of two values for every database: a product, the same
    output twice, or any law.
    """
    drawn = framework(draws, mechanisms=0)
    size = len(drawn["priors"][0])
    same = rows(draws, size, 2)
    other = rows(draws, size, 2)
    kind = draws.below(3)
    joint: Rows = side_by_side(same, other)
    if kind == 1:
        joint = [[p, ZERO, ZERO, q] for p, q in same]
    if kind == 2:
        joint = rows(draws, size, 4)
    return {"priors": drawn["priors"], "s": drawn["s"], "t": drawn["t"], "joint": joint}


def _marginals(joint: Rows) -> tuple[Rows, Rows]:
    return [[a + b, c + d] for a, b, c, d in joint], [[a + c, b + d] for a, b, c, d in joint]


def _apart(prior: Prior, joint: Rows, secret: Secret) -> F | None:
    """e to the larger of both max-divergences between the joint law and the product, given a
    secret, or None if supports differ.
    """
    both = output_law(prior, joint, secret) or []
    laws = [output_law(prior, each, secret) or [] for each in _marginals(joint)]
    apart = [p * q for p, q in product(*laws)]
    return largest_quotient([(both, apart), (apart, both)])


def _divergence(priors: Sequence[Prior], s: Secret, t: Secret, joint: Rows) -> F | None:
    found = [_apart(prior, joint, each) for prior in priors for each in (s, t)]
    return None if None in found else max(each for each in found if each is not None)


def _steps(priors: Sequence[Prior], s: Secret, t: Secret, joint: Rows, power: int = 2) -> bool:
    """The hypothesis on conditional chances, and both inequalities, at possible outputs."""
    T = _divergence(priors, s, t, joint) or ONE
    for prior, (x, y) in product(priors, ((s, t), (t, s))):
        one, two = (output_law(prior, joint, each) for each in (x, y))
        if one is None or two is None:
            continue
        firsts, seconds = (
            [output_law(prior, each, z) or [] for z in (x, y)] for each in _marginals(joint)
        )
        for n, (w1, w2) in enumerate(product(range(2), repeat=2)):
            if not (one[n] and two[n]):
                continue
            apart = one[n] / firsts[0][w1] / seconds[0][w2]
            ratios = firsts[0][w1] / firsts[1][w1] * seconds[0][w2] / seconds[1][w2]
            R = [leakage([prior], [(x, y)], each) for each in _marginals(joint)]
            bound = ratios * T**power
            if not 1 / T <= apart <= T or not one[n] / two[n] <= bound:
                return False
            if not at_most(bound, times(*R, T**power)):
                return False
    return True


FINITE = "the divergences are finite"


def _finite(priors: Sequence[Prior], s: Secret, t: Secret, joint: Rows) -> bool:
    return _divergence(priors, s, t, joint) is not None


INSIDE = Statement(
    family=two_releases,
    given={FINITE: _finite},
    holds=_steps,
    too_strong={"e^E once": {"power": 1}},
    too_weak=[FINITE],
)


def _independent(priors: Sequence[Prior], joint: Rows, *secrets: Secret) -> bool:
    for prior, each in product(priors, secrets):
        laws = [output_law(prior, one, each) or [] for one in _marginals(joint)]
        if held(prior, each) and output_law(prior, joint, each) != [
            p * q for p, q in product(*laws)
        ]:
            return False
    return True


NO_DIVERGENCE = Statement(
    family=two_releases,
    holds=lambda priors, s, t, joint, given_first_secret=False: (
        (_divergence(priors, s, t, joint) == 1)
        == (
            _independent(priors, joint, s)
            if given_first_secret
            else _independent(priors, joint, s, t)
        )
    ),
    too_strong={"given the first secret alone": {"given_first_secret": True}},
)


def a_joint_law(draws: Draws) -> Instance:
    """A joint law of two outputs of two or three values, zeros often, and two parts of the product
    of its marginals from 0 to 1, the smaller one first; one time in four the larger one.
    """
    size = 2 + draws.below(2)
    law = draws.law(2 * size)
    parts = sorted(F(draws.below(5), 4) for _ in range(2))
    if draws.below(4) == 3:
        parts.reverse()
    joint = [law[:size], law[size:]]
    return {"joint": joint, "part": parts[0], "larger": parts[1]}


def _mixed(joint: Rows, part: F) -> tuple[Rows, Rows]:
    """A mixture with the product of the marginals, and that product."""
    first = [sum(row, ZERO) for row in joint]
    second = [sum(column, ZERO) for column in zip(*joint)]
    apart = [[p * q for q in second] for p in first]
    mixed = [[(1 - part) * p + part * q for p, q in zip(*each)] for each in zip(joint, apart)]
    return mixed, apart


def _mixture_divergence(joint: Rows, part: F) -> F | None:
    mixed, apart = _mixed(joint, part)
    return largest_quotient([*zip(mixed, apart), *zip(apart, mixed)])


LARGER = "the second part is at least the first"


def _falls(joint: Rows, part: F, larger: F) -> bool:
    kept = [_mixed(_mixed(joint, each)[0], ONE)[0] for each in (part, larger)]
    return kept[0] == kept[1] and at_most(
        _mixture_divergence(joint, larger), _mixture_divergence(joint, part)
    )


MIXTURES = Statement(
    family=a_joint_law,
    given={LARGER: lambda joint, part, larger: part <= larger},
    holds=lambda joint, part, larger, strictly=False: (
        _falls(joint, part, larger)
        and (
            not strictly
            or (
                part == larger
                or _mixture_divergence(joint, larger) != _mixture_divergence(joint, part)
            )
        )
    ),
    too_strong={"strictly": {"strictly": True}},
    too_weak=[LARGER],
)
