"""Flips of every record of a chain of two values, as the public code of "Optimal Local Bayesian
Differential Privacy over Markov Chains" computes them.

We have the code, not the paper: whether that leaves out chains whose values alternate we do not
know.
"""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from math import ceil, inf, prod, sqrt
from typing import NamedTuple

from pufferproof.claims.language import Edit, Proof, proved
from pufferproof.claims.registry import Check, claim
from pufferproof.models.channel import Channel
from pufferproof.models.framework import Framework
from pufferproof.models.priors.markov import MarkovChain
from pufferproof.models.priors.records import Records
from pufferproof.models.priors.tables import Table
from pufferproof.models.sequences.local import LocalMechanism
from pufferproof.verify.audit import audit

NOTATION = {
    "q, r": "the probability that the chain moves from 0, and from 1",
    "E": "e^epsilon",
    "x, y": "the probability that a record 0 is flipped, and a record 1",
}
_UNSAID = (
    "The flips are roots and quotients of roots, and programs of statements have rational numbers; "
    "the family that is gone through has them rounded up."
)
_MICRO = 10**6
Point = tuple[float, float]
Line = tuple[Point, Point]


class Chain(NamedTuple):
    """The chances to move from 0 and from 1, and E."""

    q: Fraction
    r: Fraction
    odds: int


def flips(q: Fraction | float, r: Fraction | float, odds: float) -> Point:
    """Return the flips of 0 and 1 that the code finds, as floats (min_exp_noise of lstm_attack.py,
    github.com/AdityaSaraf/correlated_data_privacy_attack): where two segments meet each other or
    the lines x = 1/2 and y = 1/2, the point that flips least.
    """
    a, b = _side(float(q), float(r), odds), _side(float(r), float(q), odds)
    first = (1 - a, 0.5), (0.5, 1 / (4 * a))
    second = (1 / (4 * b), 0.5), (0.5, 1 - b)
    steep, flat = sorted((first, second), key=lambda line: -abs(_slope(line)))
    top = _meeting(steep, ((0, 0.5), (0.5, 0.5)))
    right = _meeting(flat, ((0.5, 0), (0.5, 0.5)))
    points = [point for point in (_meeting(first, second), top, right) if point is not None]
    return min(points, key=lambda point: point[0] * float(r) + point[1] * float(q))


def _side(q: float, r: float, odds: float) -> float:
    gap, rest = q - odds * r, odds * (1 - q) * (1 - r)
    root = abs(gap) * sqrt(gap**2 + 4 * rest)
    whole = gap**2 + 2 * rest
    return (whole + (root if odds >= q / r else -root)) / (4 * (1 - q) ** 2 * odds)


def _slope(line: Line) -> float:
    (a, b), (c, d) = line
    return inf if a == c else (d - b) / (c - a)


def _meeting(one: Line, other: Line) -> Point | None:
    """Return the point of two segments that meet, or None if they do not."""
    (a, b), (c, d) = one
    (e, f), (g, h) = other
    cross = (c - a) * (h - f) - (d - b) * (g - e)
    if not cross:
        return None
    s = ((e - a) * (h - f) - (f - b) * (g - e)) / cross
    t = ((e - a) * (d - b) - (f - b) * (c - a)) / cross
    return (a + s * (c - a), b + s * (d - b)) if 0 <= s <= 1 and 0 <= t <= 1 else None


def rounded_up(q: Fraction, r: Fraction, odds: float) -> tuple[Fraction, Fraction]:
    """Return the flips, rounded up to 10^-6."""
    x, y = (Fraction(ceil(each * _MICRO), _MICRO) for each in flips(q, r, odds))
    return x, y


def ratio_of(
    q: Fraction, r: Fraction, count: int, chances: tuple[Fraction, Fraction]
) -> Fraction | None:
    """Return e to what flips of every record of a stationary chain tell about the middle one."""
    chain = MarkovChain("stationary", [[1 - q, q], [r, 1 - r]])
    secrets = {f"x={value}": ((count + 1) // 2, value) for value in "01"}
    records = Records(count, ("0", "1"))
    framework = Framework.of_records(records, secrets, "disjoint", {"chain": chain})
    x, y = chances
    flipped = LocalMechanism(("0", "1"), ("0", "1"), [[[1 - x, x], [y, 1 - y]]] * count)
    return audit(framework, flipped).leakage.upper


@claim(
    "influence.bdp-flips",
    where='the code of "Optimal Local Bayesian Differential Privacy over Markov Chains"',
    statement="Let every record of a stationary chain of the values 0 and 1 be flipped, 0 with "
    "probability x and 1 with y, which the code computes of q, r and epsilon. Then all that is "
    "released tells at most epsilon about a record.",
    kind="theorem",
    unsaid=_UNSAID,
)
def bdp_flips(check: Check) -> None:
    """Check it where values stay, q + r <= 1, for a record in the middle of few; refute it where
    they alternate.

    There the formula, which expects that neighbours speak for the value, flips less than would be
    enough for a record alone.
    """
    less = Edit("few records", holds=lambda each: _keeps(each, Fraction(99, 100)))
    scope = "seven chains with q + r <= 1, 1 to 9 records, epsilon = log 2 and log 4"
    proved(check, "values stay", scope, _stay, a_hundredth_less=less)
    with check.reading("values alternate", "one instance") as argument:
        _alternate(argument)


def _stay(proof: Proof) -> None:
    proof.exhaust(
        "few records",
        "The flips are rounded up to 10^-6, the leakage is exact, and the middle record is secret",
        _chains(),
        lambda each: _keeps(each, Fraction(1)),
        "ratio <= E",
    )


def _chains() -> Iterator[tuple[Chain, int]]:
    tenths = (2, 2), (4, 1), (3, 5), (1, 1), (5, 5), (1, 7), (4, 6)
    for (q, r), odds, count in product(tenths, (2, 4), (1, 2, 3, 5, 9)):
        yield Chain(Fraction(q, 10), Fraction(r, 10), odds), count


def _keeps(each: tuple[Chain, int], factor: Fraction) -> bool:
    chain, count = each
    x, y = rounded_up(*chain)
    ratio = ratio_of(chain.q, chain.r, count, (factor * x, factor * y))
    return ratio is not None and ratio <= chain.odds


def _alternate(proof: Proof) -> None:
    """Two records that move with 7/9: the flips are 1/9."""
    move, flip = Fraction(7, 9), Fraction(1, 9)
    bits = ["".join(each) for each in product("01", repeat=2)]
    prior = {x: (1 - move if x[0] == x[1] else move) / 2 for x in bits}
    rows = {
        x: [prod(1 - flip if a == b else flip for a, b in zip(x, y)) for y in bits] for x in bits
    }
    first = {v: [x for x in bits if x[0] == v] for v in "01"}
    framework = Framework(
        bits,
        {f"x1={v}": first[v] for v in "01"},
        [("x1=0", "x1=1")],
        {"chain": Table(prior)},
    )
    channel = Channel.of(rows, bits)
    told = {v: sum(prior[x] * channel.probability(x, "01") for x in first[v]) * 2 for v in "01"}
    ratio = told["0"] / told["1"]
    proof.counterexample(
        "two records that move with 7/9",
        "At epsilon = log 2 both flips are 1/9: the sides are 4 by the formula, and the segments "
        "from (-3, 1/2) to (1/2, 1/16) and from (1/16, 1/2) to (1/2, -3) meet at (1/9, 1/9). The "
        "report of one record alone has the odds 8, for every number of records, and with that of "
        "its neighbour it is 464/23. One record is the fewest",
        {
            "flip": flip,
            "of one record alone": (1 - flip) / flip,
            "ratio": ratio,
            "promised": Fraction(2),
            "framework": framework,
            "mechanism": channel,
            "epsilon": "log(2)",
        },
        lambda: _is_side(move, 2, Fraction(4)) and _meets(flip, Fraction(4)) and ratio > 2,
    )


def _is_side(move: Fraction, odds: int, side: Fraction) -> bool:
    """Whether (whole + root)/(4 (1 - q)^2 E) is the side for q = r, whose root is rational."""
    gap, rest = move - odds * move, odds * (1 - move) ** 2
    root = side * 4 * (1 - move) ** 2 * odds - gap**2 - 2 * rest
    return root > 0 and root**2 == gap**2 * (gap**2 + 4 * rest)


def _meets(flip: Fraction, side: Fraction) -> bool:
    """Whether (flip, flip) is on the first segment, and so by q = r on the second."""
    left, half, low = 1 - side, Fraction(1, 2), 1 / (4 * side)
    return left <= flip <= half and (flip - half) * (half - left) == (low - half) * (flip - left)
