"""GK16: what a level per record tells about a record, by the influence matrix of all records.

Laws of bits, and the worst mechanism of a level: its columns have u_x <= R u_y for tables that
differ in one record, a cone whose rays have u_x = R^h(x) with integers h(x), neighbours at most 1
apart.
"""

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from itertools import permutations, product
from typing import NamedTuple

from pufferproof.claims.language import Edit, Proof, proved
from pufferproof.claims.registry import Check, claim
from pufferproof.models.noise.inferential import InfluenceMatrix
from pufferproof.models.numbers.enclosures import log_bounds
from pufferproof.models.priors.records import Records
from pufferproof.models.priors.tables import Table

NOTATION = {
    "gamma_ij": "half the largest change of log P(x_i | all other records) when x_j alone changes",
    "Gamma": "the matrix of all gamma_ij, 0 for i = j",
    "phi_ij": "the entries of (I - Gamma)^-1",
    "R": "e to the level of a mechanism for every record",
    "S_i": "the sum of phi_ij over j",
}
_UNSAID = (
    "Gamma and S_i are made of logarithms, and programs of statements have rational numbers; the "
    "family that is gone through is the statement for few bits."
)
_LEVELS = (Fraction(3, 2), Fraction(4))
_BITS, _ALMOST = 60, Fraction(99, 100)
_CHECKED = "laws of two bits with weights 1 to 5 and of three with weights 1 and 2, R = 3/2 and 4"


class Bits(NamedTuple):
    """A law of bits by integer weights, the last bit changing fastest, and R."""

    weights: tuple[int, ...]
    level: Fraction

    @property
    def bits(self) -> int:
        """The number of bits."""
        return len(self.weights).bit_length() - 1


@claim(
    "influence.gk16",
    where="GK16, the result on weakly correlated records",
    statement="If every table is possible and the spectral norm of Gamma is below 1, then whatever "
    "has the level log R for every record tells at most 2 S_i log R about record i.",
    kind="theorem",
    unsaid=_UNSAID,
)
def gk16(check: Check) -> None:
    """Check it for few bits, by the worst mechanism; refute it where tables are impossible."""
    alone = Edit("few bits", holds=lambda each: _within(each, lambda low: Fraction(1)))
    proved(check, "few bits", _CHECKED, _few_bits, the_level_alone=alone)
    with check.reading("impossible tables left out", "one instance") as argument:
        _three_equal(argument)


@claim(
    "influence.gk16-once",
    where="GK16, the result on weakly correlated records",
    statement="If every table is possible and the spectral norm of Gamma is below 1, then whatever "
    "has the level log R for every record tells at most S_i log R about record i: half of what "
    "GK16 says.",
    kind="conjecture",
    unsaid=_UNSAID,
)
def gk16_once(check: Check) -> None:
    """Check it for few bits; independent ones attain it."""
    nearly = Edit("half of the bound", holds=lambda each: _within(each, lambda low: low * _ALMOST))
    proved(check, "few bits", _CHECKED, _once, a_hundredth_less=nearly)


def _once(proof: Proof) -> None:
    proof.exhaust(
        "half of the bound",
        "The worst mechanism is a ray of the cone of its columns; the norm and S_i are enclosed, "
        "from below where they bound, and a bound that is met is compared as a ratio",
        _laws(),
        lambda each: _within(each, lambda low: low),
        "log(worst ratio) <= S_i log(R)",
    )


def _few_bits(proof: Proof) -> None:
    proof.exhaust(
        "few bits",
        "The worst mechanism is a ray of the cone of its columns; the norm and S_i are enclosed, "
        "from below where they bound",
        _laws(),
        lambda each: _within(each, lambda low: 2 * low),
        "log(worst ratio) <= 2 S_i log(R)",
    )


def _laws() -> Iterator[Bits]:
    """List the laws whose influence matrix has a norm below 1."""
    for weights in [*product(range(1, 6), repeat=4), *product((1, 2), repeat=8)]:
        if _matrix(weights).norm[1] < 1:
            yield from (Bits(weights, level) for level in _LEVELS)


@cache
def _matrix(weights: tuple[int, ...]) -> InfluenceMatrix:
    records = Records(len(weights).bit_length() - 1, ("0", "1"))
    total = sum(weights)
    prior = Table({x: Fraction(w, total) for x, w in zip(records.labels(), weights)})
    return InfluenceMatrix.of(prior, records)


def _within(each: Bits, exponent: Callable[[Fraction], Fraction]) -> bool:
    """Say whether log(worst) <= exponent(S_i) log R is certain for every record."""
    matrix, level = _matrix(each.weights), log_bounds(each.level, _BITS)[0]
    for record in range(1, each.bits + 1):
        alone = not matrix.lower[record - 1]  # no influence on it: S_i = 1
        low = Fraction(1) if alone else matrix.largest_sum([record])[0]
        worst = worst_ratio(each, record)
        bound = exponent(low)
        met = bound == 1 and worst <= each.level  # decided without logarithms
        if not met and worst > 1 and log_bounds(worst, _BITS)[1] > bound * level:
            return False
    return True


def worst_ratio(each: Bits, record: int) -> Fraction:
    """Return the largest P(w | x_i) / P(w | x'_i) over all mechanisms of a level per record: the
    same for weights in which bits are flipped or the other records are in another order.
    """
    alike = min(tuple(each.weights[x] for x in xs) for xs in _symmetries(each.bits, record))
    return _worst_of_first(Bits(alike, each.level))


@cache
def _symmetries(count: int, record: int) -> tuple[tuple[int, ...], ...]:
    """List which table stands for which one, by its number, if a record becomes the first."""
    others = [each for each in range(1, count + 1) if each != record]
    tables = [*product((0, 1), repeat=count)]
    places = {x: place for place, x in enumerate(tables)}
    return tuple(
        tuple(
            places[tuple(x[order.index(k)] ^ flips[k - 1] for k in range(1, count + 1))]
            for x in tables
        )
        for order in ((record, *some) for some in permutations(others))
        for flips in product((0, 1), repeat=count)
    )


@cache
def _worst_of_first(each: Bits) -> Fraction:
    size, block = len(each.weights), 1 << (each.bits - 1)
    p, q = each.level.numerator, each.level.denominator
    powers = [p**h * q ** (each.bits - h) for h in range(each.bits + 1)]  # R^h q^n
    sides = [[x for x in range(size) if bool(x & block) is bit] for bit in (True, False)]
    masses = [sum(each.weights[x] for x in side) for side in sides]
    above, below = 1, 1
    for heights in _heights(each.bits):
        one, zero = (sum(each.weights[x] * powers[heights[x]] for x in side) for side in sides)
        one, zero = one * masses[1], zero * masses[0]
        one, zero = max(one, zero), min(one, zero)
        if one * below > above * zero:
            above, below = one, zero
    return Fraction(above, below)


@cache
def _heights(count: int) -> tuple[tuple[int, ...], ...]:
    """Return all integer functions of bits with neighbours at most 1 apart and the least one 0."""
    return tuple(
        heights
        for heights in product(range(count + 1), repeat=1 << count)
        if not min(heights)
        and all(
            abs(heights[x] - heights[x ^ (1 << bit)]) <= 1
            for x in range(1 << count)
            for bit in range(count)
        )
    )


def _three_equal(proof: Proof) -> None:
    """Three equal bits have no two rows to compare: Gamma = 0."""
    rows = {f"{x:03b}": Fraction(2 ** bin(x).count("1"), 16) for x in range(8)}
    channel = {x: {"1": p, "0": 1 - p} for x, p in rows.items()}
    proof.counterexample(
        "three equal records",
        "Each of 000 and 111 has probability 1/2. No two possible tables differ in one record, so "
        "that Gamma = 0 and S_i = 1; the level is log 2 for every record, and 4 = 2^2 is promised. "
        "Two equal records meet it: 2^2",
        {
            "P(1 | x)": rows,
            "ratio": rows["111"] / rows["000"],
            "promised": Fraction(4),
            "mechanism": channel,
        },
        lambda: (
            all(
                max(a / b for a, b in zip(channel[x].values(), channel[y].values())) <= 2
                for x in rows
                for y in rows
                if sum(p != q for p, q in zip(x, y)) == 1
            )
            and rows["111"] / rows["000"] > 4
        ),
    )
