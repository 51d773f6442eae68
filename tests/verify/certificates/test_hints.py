"""Hints for Coq: sums of logarithms, designs, and slopes along a chain."""

import json
from decimal import Decimal, localcontext
from fractions import Fraction
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests import examples, seeds
from tests.brute.redaction import largest_ratio, likelihoods
from tests.kernel.cases import accepted

from pufferproof.lp.redaction.regions import sides
from pufferproof.lp.redaction.strategies import equal_budgets
from pufferproof.models.errors import CertificateError
from pufferproof.models.numbers.level import Level
from pufferproof.models.sequences.binary import BinaryChain
from pufferproof.models.sequences.redaction import LocalRedaction
from pufferproof.verify.certificates.export.chains import ANY, ConeWalk, Redaction, largest, least, steps_of
from pufferproof.verify.certificates.export.designs import Central, ThreeR
from pufferproof.verify.certificates.export.levels import LogarithmSum, enclosed, hints
from pufferproof.verify.certificates.export.mathematics import looked
from pufferproof.verify.certificates.export.writing import exported
from pufferproof.verify.certificates.redaction import chain_json, runs_json
from pufferproof.verify.kernel.rates import logarithm

# Hints for sums of logarithms: they enclose, they agree with powers, and what is too close is
# refused.


BITS = 256


def test_an_enclosure_holds_the_kernels_logarithm():
    for precision in [40, 80]:
        for q in [2, 3, 4, 7, 1000, 2**61 - 1, 10**40]:
            found = enclosed([q], precision)
            (low, high), (least, most) = found.table[q], logarithm(q, BITS)
            assert low << BITS < least * found.scale
            assert most * found.scale < high << BITS
            assert high - low < 8


terms = st.lists(st.tuples(st.integers(-6, 6), st.integers(1, 30)), min_size=1, max_size=5)


@examples(200)
@given(terms, st.booleans())
def test_a_table_says_no_more_than_powers(parts, strict):
    above = below = 1
    for n, q in parts:
        above, below = above * q ** max(n, 0), below * q ** max(-n, 0)
    true = above < below or (above == below and not strict)
    one, found = LogarithmSum(parts, Fraction(0), strict), enclosed(range(2, 31), 40)
    if above != below:  # products this short are told apart
        assert one.by_table(found.scale, found.table) == true
    elif any(n and q > 1 for n, q in parts):
        assert not one.by_table(found.scale, found.table)


def test_equal_powers_are_compared_as_powers_however_long():
    tie = LogarithmSum([(1200, 2), (-600, 4)], Fraction(0), strict=False)
    found = hints([tie])
    assert tie.bits() < found.limit
    assert not found.table


def test_a_level_too_close_to_the_mean_is_not_exported():
    data = json.loads(accepted("rates", "nfc-violation-nats").read_bytes())
    with localcontext() as context:
        context.prec = 90
        close = (Decimal(4) / 3).ln() / 2
        data["claim"]["levels"] = [{"nats": str(close - Decimal("1e-80"))}]
    with pytest.raises(CertificateError, match="too close to their bounds"):
        exported(json.dumps(data).encode(), "close")


def test_bounds_of_exponentials_are_found_on_both_sides():
    e = Fraction("2.718281828")
    assert looked(Fraction(1), e, above=True).coq().startswith("(Looked 1 1 ")
    assert looked(Fraction(-1), 1 / e, above=False).halvings > 0
    with pytest.raises(CertificateError, match="too close"):
        looked(Fraction(1), e, above=False)


# Hints for Coq about designs: regions, and below which probability a side tells too much, against
# enumeration and against the library that makes the designs.


CHAINS = [
    *(("1/10", "1/2", 9, 4, "2"), ("1/2", "1/10", 6, 1, "3/2"), ("1/4", "1/2", 3, 2, "9/4")),
    *(("1/2", "3/4", 3, 1, "5/4"), ("4/5", "9/10", 5, 1, "3/2"), ("1/20", "1/5", 8, 8, "2")),
    ("1/4", "3/4", 3, 2, "1"),
]


def three_r(alpha, beta, length, private, level, least="0"):
    chain = {"alpha": alpha, "beta": beta, "length": length, "initial": "stationary"}
    entry = {"name": "3r-constant", "proof": {"left": least, "right": least}}
    return ThreeR(steps_of(chain, private), length, {"log": level}, entry)


def test_regions_are_those_of_the_library():
    for case in CHAINS:
        alpha, beta, length, private, level = case
        chain = BinaryChain(alpha, beta, length)
        known = sides(chain, private, *equal_budgets(chain, private, Level.log(level)))
        for side, other, n in zip(three_r(*case).sides, known, (private - 1, length - private)):
            first, small = min(other.first, n + 1), min(other.small, n + 1)
            assert (side.near, side.near + side.medium) == (first - 1, small - 1)
            assert side.near + side.medium + side.beyond == n


@pytest.mark.parametrize(
    ("case", "least"), [(("1/2", "1/10", 6, 1, "3/2"), "45/59"), (("1/4", "1/2", 2, 1, "3/2"), "1/5")]
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


# Slopes along a chain, as they are hinted to Coq, against full enumeration.


STEPS = [Fraction(k, 10) for k in range(1, 10)] + [Fraction(1, 97)]
CHANCES = [Fraction(0), Fraction(1, 3), Fraction(100, 101), Fraction(1), Fraction(1)]
FIRST = ["stationary", ("1/3", "2/3"), (1, 0)]


def instance(seed):
    """A chain, a mechanism and its private record, hidden four times out of five."""
    random = Random(seed)
    length = random.randint(1, 4)
    private = random.randint(1, length)
    first = random.choice(FIRST) if private > 1 else "stationary"
    rows = [[random.choice(CHANCES), random.choice(CHANCES)] for _ in range(length)]
    if random.randint(0, 4):
        rows[private - 1] = [Fraction(1), Fraction(1)]
    chain = BinaryChain(random.choice(STEPS), random.choice(STEPS), length, first)
    return chain, LocalRedaction(rows), private


@seeds(40)
def test_slopes_are_those_of_full_enumeration(seed):
    chain, mechanism, private = instance(seed)
    found = Redaction(chain_json(chain), private, runs_json(mechanism.rows))
    every, worst = [ANY] * chain.length, found.worst()
    table = likelihoods(chain, mechanism, private)
    leakage = largest_ratio(table)
    for bits in (0, 16):
        walk = ConeWalk(found.steps, bits)
        prior = walk.prior(found.rows)
        above = largest(walk.cone(found.rows, every, strict=False), prior)
        below = least(walk.cone(found.rows, worst, strict=True), prior)
        if bits == 0 or leakage is None:
            assert above == below == leakage
        else:
            assert below is not None
            assert above is not None
            assert below <= leakage <= above


def test_the_slope_of_every_output_is_that_of_full_enumeration():
    for seed in range(10):
        chain, mechanism, private = instance(seed)
        found = Redaction(chain_json(chain), private, runs_json(mechanism.rows))
        walk = ConeWalk(found.steps, 0)
        prior = walk.prior(found.rows)
        for output, (zero, one) in likelihoods(chain, mechanism, private).items():
            if zero or one:
                ratio = max(zero, one) / min(zero, one) if zero and one else None
                assert least(walk.cone(found.rows, output, strict=True), prior) == ratio
