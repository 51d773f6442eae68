"""Hints for Coq about designs: regions, and below which probability a side tells too much, against
enumeration and against the library that makes the designs.
"""

import json
from fractions import Fraction

import pytest
from tests.brute.redaction import largest_ratio, likelihoods
from tests.kernel.cases import accepted

from pufferproof.lp.redaction.side import sides
from pufferproof.lp.redaction.strategies import equal_budgets
from pufferproof.models.numbers.level import Level
from pufferproof.models.sequences.binary import BinaryChain
from pufferproof.models.sequences.redaction import LocalRedaction
from pufferproof.verify.certificates.export.chains.central import Central
from pufferproof.verify.certificates.export.chains.redaction import steps_of
from pufferproof.verify.certificates.export.chains.sides import ThreeR

CHAINS = [
    *(("1/10", "1/2", 9, 4, "2"), ("1/2", "1/10", 6, 1, "3/2"), ("1/4", "1/2", 3, 2, "9/4")),
    *(("1/2", "3/4", 3, 1, "5/4"), ("4/5", "9/10", 5, 1, "3/2"), ("1/20", "1/5", 8, 8, "2")),
    ("1/4", "3/4", 3, 2, "1"),
]


def three_r(alpha, beta, length, private, level, least="0"):
    chain = {"alpha": alpha, "beta": beta, "length": length, "initial": "stationary"}
    entry = {"name": "3r-constant", "proof": {"left": least, "right": least}}
    return ThreeR(steps_of(chain, private), length, {"log": level}, entry)


@pytest.mark.parametrize("case", CHAINS)
def test_regions_are_those_of_the_library(case):
    alpha, beta, length, private, level = case
    chain = BinaryChain(alpha, beta, length)
    known = sides(chain, private, *equal_budgets(chain, private, Level.log(level)))
    for side, other, n in zip(three_r(*case).sides, known, (private - 1, length - private)):
        first, small = min(other.first, n + 1), min(other.small, n + 1)
        assert (side.near, side.near + side.medium) == (first - 1, small - 1)
        assert side.near + side.medium + side.beyond == n


@pytest.mark.parametrize(
    ("case", "least"),
    [(("1/2", "1/10", 6, 1, "3/2"), "45/59"), (("1/4", "1/2", 2, 1, "3/2"), "1/5")],
)
def test_below_the_least_probability_a_side_tells_too_much(case, least):
    alpha, beta, length, private, level = case
    side = (found := three_r(*case, least=least)).sides[1]
    assert found.told_of(side, Fraction(level)) is not None
    more = three_r(*case, least=str(Fraction(least) * Fraction(1001, 1000)))
    assert more.told_of(more.sides[1], Fraction(level)) is None

    def told(q):
        medium = [(1, q) if found.common else (q, 1)] * side.medium
        rows = [(1, 1)] * (side.near + 1) + medium + [(0, 0)] * side.beyond
        chain = BinaryChain(alpha, beta, length)
        return largest_ratio(likelihoods(chain, LocalRedaction(rows), private))

    assert told(Fraction(least)) <= Fraction(level) < told(Fraction(least) * Fraction(999, 1000))


@pytest.mark.parametrize("name", ["central", "central-nats", "central-turned"])
def test_tables_leak_what_the_certificate_says(name):
    certificate = json.loads(accepted("designs", name).read_bytes())
    entry, level = certificate["claim"]["designs"][0], certificate["claim"]["level"]
    central = Central(certificate["chain"], certificate["private"], level, entry)
    low, high = map(Fraction, entry["leakage"])
    assert low <= central.worst() <= high
