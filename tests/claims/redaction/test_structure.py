"""Claims on the shape of optimal redaction and on gaps in records: settled, and true of small
instances by enumeration.
"""

from fractions import Fraction
from random import Random

import pytest
from tests.brute.redaction import largest_ratio, likelihoods
from tests.claims.examination import examined
from tests.claims.rules import evidence

from pufferproof.models.sequences.binary import BinaryChain
from pufferproof.models.sequences.redaction import LocalRedaction
from pufferproof.verify.redaction.leakage import redaction_leakage

HIDDEN, SHOWN = (Fraction(1), Fraction(1)), (Fraction(0), Fraction(0))
ENTRIES = [Fraction(0), Fraction(1, 3), Fraction(1, 2), Fraction(1), Fraction(1)]


def leakage(a, b, rows, private):
    return redaction_leakage(
        BinaryChain(a, b, len(rows)), LocalRedaction(rows), private
    ).leakage.ratio


def at_most(left, right):
    return right is None or (left is not None and left <= right)


def released(a, b, rows):
    return sum((b * (1 - zero) + a * (1 - one) for zero, one in rows), Fraction(0)) / (a + b)


def with_three_regions(rows, private, eigenvalue):
    """The mechanism of redaction.three-regions: release from the first record on that the form
    does not allow.
    """
    found = list(rows)
    for side in (range(private - 2, -1, -1), range(private, len(rows))):
        orientation, cut = None, False
        for distance, index in enumerate(side):
            row = found[index]
            if cut or eigenvalue == 0 or 0 in row or max(row) < 1:
                cut = True
            elif row != HIDDEN:
                value = (int(row[0] == 1) + distance * (eigenvalue < 0)) % 2
                orientation = value if orientation is None else orientation
                cut = orientation != value
            found[index] = SHOWN if cut else row
    return found


def random_rows(draw, count, private):
    rows = [(draw.choice(ENTRIES), draw.choice(ENTRIES)) for _ in range(count)]
    for index in range(count):
        if draw.random() < 0.6:
            one = draw.choice(ENTRIES[1:])
            rows[index] = draw.choice([(one, Fraction(1)), (Fraction(1), one)])
    rows[private - 1] = HIDDEN
    return rows


def instances(seed, number, largest=6):
    draw = Random(seed)
    for _ in range(number):
        count = draw.randint(1, largest)
        private = draw.randint(1, count)
        a, b = (Fraction(draw.randint(1, 11), 12) for _ in range(2))
        yield draw, a, b, private, random_rows(draw, count, private)


def test_three_regions_release_more_and_leak_no_more():
    for _, a, b, private, rows in instances(1, 400):
        better = with_three_regions(rows, private, 1 - a - b)
        assert all(new <= old for pairs in zip(better, rows) for new, old in zip(*pairs))
        assert at_most(leakage(a, b, better, private), leakage(a, b, rows, private))


def test_leakage_agrees_with_enumeration_where_regions_are_made():
    for _, a, b, private, rows in instances(2, 12, 4):
        better = with_three_regions(rows, private, 1 - a - b)
        chain = BinaryChain(a, b, len(rows))
        assert largest_ratio(likelihoods(chain, LocalRedaction(better), private)) == leakage(
            a, b, better, private
        )


def test_more_redaction_leaks_no_more():
    for draw, a, b, private, rows in instances(3, 300):
        more = [tuple(r + (1 - r) * draw.choice(ENTRIES[:3]) for r in row) for row in rows]
        assert at_most(leakage(a, b, more, private), leakage(a, b, rows, private))


def test_leakage_is_monotone_in_the_chain_on_either_side_of_lam_0():
    compared = {True: 0, False: 0}
    for draw, a, b, private, rows in instances(4, 500):
        c, d = (Fraction(draw.randint(int(12 * low), 11), 12) for low in (a, b))
        for smaller, near, far in [(c + d <= 1, (c, d), (a, b)), (a + b >= 1, (a, b), (c, d))]:
            if smaller:
                compared[far == (a, b)] += 1
                assert at_most(leakage(*near, rows, private), leakage(*far, rows, private))
    assert min(compared.values()) > 50


def one_sided(draw, count, eigenvalue):
    """A mechanism about the first record: redact, release one value sometimes, release."""
    first, last, value = draw.randint(2, count), draw.randint(2, count + 1), draw.choice([0, 0, 1])
    rows = [HIDDEN] * (first - 1)
    for record in range(first, count + 1):
        shown = (value + (record - first) * (eigenvalue < 0)) % 2
        q = draw.choice([Fraction(1, 8), Fraction(1, 2), Fraction(1)])
        rows.append(
            SHOWN if record >= last else (q, Fraction(1)) if shown == 0 else (Fraction(1), q)
        )
    return rows


def test_no_one_sided_mechanism_gains_more_than_the_medium_region():
    draw, close = Random(5), 0
    for _ in range(1500):
        a, b = sorted(Fraction(draw.randint(1, 15), 16) for _ in range(2))
        if a + b == 1:
            continue
        count = draw.randint(2, 5)
        rows = one_sided(draw, count, 1 - a - b)
        level, chain = leakage(a, b, rows, 1), BinaryChain(a, b, count)
        first, second = (
            next((d for d in range(1, count) if chain.influence(value, d) <= level), count)
            for value in (0, 1)
        )
        gain = released(a, b, rows) - (count - second)
        assert gain <= (second - first) * b / (a + b)
        close += gain == (second - first) * b / (a + b)
    assert close  # also where nothing can be gained


@pytest.mark.claims
def test_where_the_published_coupling_fails_the_winner_is_private_by_enumeration():
    for reading, private in [(0, 1), (1, 2), (2, 2)]:
        found = evidence(examined("redaction.published-coupling"), reading)
        chain, mechanism = BinaryChain(found["a"], found["b"], 3), LocalRedaction(found["r"])
        assert largest_ratio(likelihoods(chain, mechanism, private)) <= found["R"]
        assert mechanism.utility(chain) * 3 == found["expected"] > found["3R, at most"]


@pytest.mark.parametrize(
    ("a", "b"), [("1/4", "1/2"), ("1/5", "2/5"), ("1/2", "3/4"), ("2/3", "4/5")]
)
def test_the_best_mechanism_for_two_records_by_trying_all_sixteenths(a, b):
    a, b = Fraction(a), Fraction(b)
    scale = (1 - a, b) if a + b < 1 else (b, 1 - a)
    chain = BinaryChain(a, b, 2)
    sixteenths = [Fraction(k, 16) for k in range(17)]
    for zero in sixteenths:
        for one in sixteenths:
            rows = [HIDDEN, (zero, one)]
            level = leakage(a, b, rows, 1)
            if chain.influence(0, 1) <= level < chain.influence(1, 1):
                assert released(a, b, rows) <= b * (level - 1) / (
                    (a + b) * (level * scale[0] - scale[1])
                )
                q = rows[1][0]
                assert one == 1
                assert q == 1 or released(a, b, rows) > 0


@pytest.mark.parametrize("private", [1, 2, 3])
def test_nearly_all_records_where_no_window_releases_one(private):
    count, large = 3, 8
    a, b = Fraction(1, 4 * large ** (2 * (count - 1)) * 4 ** (count - 1)), Fraction(1, 2)
    level = Fraction(large ** (2 * (count - 1)))
    rows = [
        HIDDEN if t == private else (Fraction(1, large), Fraction(1)) for t in range(1, count + 1)
    ]
    assert leakage(a, b, rows, private) <= level
    assert BinaryChain(a, b, count).influence(1, count - 1) > level
    assert released(a, b, rows) > (count - 1) * (1 - Fraction(3, large))
