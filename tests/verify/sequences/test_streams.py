"""What releases over a sliding window leak, against every stream of blocks, one by one."""

import random
from fractions import Fraction
from itertools import pairwise, product
from math import prod

import pytest
from tests import seeds

from pufferproof import BlockStream, Channel, MarkovChain, ModelError, audit, stream_leakage
from pufferproof.models.errors import TooLargeError
from pufferproof.verify.sequences.streams.passes import stream_tables
from pufferproof.verify.sequences.streams.published import (
    ShiftCurve,
    least_ratios,
    least_slope,
    one_step,
    promised,
    shift,
)

F = Fraction
PLAIN = Channel.of({"00": ["1/2", "1/2"], "01": [1, 0], "10": ["1/3", "2/3"], "11": ["1/4", "3/4"]}, ["u", "v"])
LAW = ["3/4", "1/4"]
EVEN = [["1/2", "1/2"], ["1/2", "1/2"]]


def law(rng, size, zeros):
    while True:
        parts = [rng.choice([0, 1, 1, 2]) if zeros else rng.randint(1, 4) for _ in range(size)]
        if sum(parts):
            return [F(part, sum(parts)) for part in parts]


def drawn(rng):
    """A small stream, a rule for the law of the next block, and for the rows of windows."""
    size, window, outputs = rng.choice([2, 2, 3]), rng.choice([1, 2, 2, 3]), rng.choice([2, 3])
    zeros = rng.random() < 0.5
    first, steps = law(rng, size, zeros), [law(rng, size, zeros) for _ in range(size)]
    rows = {w: law(rng, outputs, zeros) for w in product(range(size), repeat=window)}
    channel = Channel.of({"".join(map(str, w)): row for w, row in rows.items()}, "abc"[:outputs])
    alt = [law(rng, size, zeros) for _ in range(size)]
    chain = rng.random() < 0.4
    blocks = MarkovChain(first, steps) if chain else first
    draws = rng.choice(["each-step", "once", "common"])
    values = [*map(str, range(size))]
    stream = BlockStream(values, blocks, window, channel, alt, draws)
    return stream, first, steps if chain else [first] * size, rows


def scrubbed(stream, rows, sequence, outputs, seen):
    """The probabilities of outputs on the scrubbed windows of a sequence of blocks. Args: seen:
    those on the windows of every sequence.
    """
    size, width, alt = len(stream.values), stream.window, stream.alt
    if stream.draws == "once":
        found = [F(0)] * len(outputs)
        for new, given in seen.items():
            share = prod(alt[b][n] for b, n in zip(sequence, new))
            if share:
                found = [total + share * each for total, each in zip(found, given)]
        return found
    windows = [sequence[i : i + width] for i in range(len(outputs[0]))]
    if stream.draws == "each-step":
        shown = range(len(stream.mechanism.outputs))
        laws = [[sum(a * rows[(new, *w[1:])][y] for new, a in enumerate(alt[w[0]])) for y in shown] for w in windows]
        return products(laws, outputs)
    ends = sorted({sum(row[: k + 1], F(0)) for row in alt for k in range(size)} - {0})
    found = [F(0)] * len(outputs)
    for low, high in zip([F(0), *ends], ends):
        chosen = [next(k for k in range(size) if sum(row[: k + 1]) >= high) for row in alt]
        given = products([rows[(chosen[w[0]], *w[1:])] for w in windows], outputs)
        found = [total + (high - low) * each for total, each in zip(found, given)]
    return found


def products(laws, outputs):
    return [prod(row[y] for row, y in zip(laws, ys)) for ys in outputs]


def listed(stream, first, after, rows, steps):
    """The two laws of so many outputs for every value of the later blocks."""
    laws = {}
    size, width = len(stream.values), stream.window
    outputs = list(product(range(len(stream.mechanism.outputs)), repeat=steps))
    seen = {
        sequence: products([rows[sequence[i : i + width]] for i in range(steps)], outputs)
        for sequence in product(range(size), repeat=steps + width - 1)
    }
    for sequence, given in seen.items():
        mass = first[sequence[0]] * prod(after[a][b] for a, b in pairwise(sequence))
        if not mass:
            continue
        both = given, scrubbed(stream, rows, sequence, outputs, seen)
        sums = laws.setdefault(sequence[steps:], [[F(0)] * len(outputs) for _ in range(2)])
        for row, more in zip(sums, both):
            row[:] = [total + mass * each for total, each in zip(row, more)]
    return {z: [[p / sum(row) for p in row] for row in both] for z, both in laws.items()}


def largest(laws):
    found = F(1)
    for both in laws.values():
        for top, bottom in (both, both[::-1]):
            for p, q in zip(top, bottom):
                if p and not q:
                    return None
                found = max(found, p / q) if p else found
    return found


@seeds(60)
def test_leakage_is_that_of_all_streams(seed):
    rng = random.Random(seed)
    stream, *known = drawn(rng)
    steps = 2 if stream.draws == "once" or len(stream.values) == 3 else 3
    found = stream_leakage(stream, steps).steps
    for t in range(1, steps + 1):
        expected = largest(listed(stream, *known, t))
        assert found[t - 1].infinite == (expected is None)
        assert found[t - 1].ratio == expected


@seeds(20)
def test_tables_leak_as_much_and_the_witness_reaches_it(seed):
    stream, *_ = drawn(random.Random(seed))
    found = stream_leakage(stream, 2)
    framework, channel = stream_tables(stream, 2)
    assert audit(framework, channel).leakage.ratio == found.leakage.ratio
    later = f" given {found.witness.given}" if found.witness.given else ""
    output = ",".join(found.witness.outputs)
    odds = [channel.probability(f"{world}{later}", output) for world in ("windows", "scrubbed")]
    above, below = odds if found.witness.likelier == "windows" else odds[::-1]
    assert below * (found.leakage.ratio or 0) == (above if below else 0)


@seeds(25)
def test_promises_are_those_of_the_laws_of_one_output(seed):
    rng = random.Random(seed)
    stream, first, after, rows = drawn(rng)
    laws = listed(stream, first, after, rows, 1)
    pairs = [(p, q) for both in laws.values() for p, q in zip(*both)]
    corners = [each for found in one_step(stream).corners() for each in found]
    assert {each.ratio for each in corners} == {p / q for p, q in pairs if q and p >= q}
    for said, t in zip(promised(stream, 2, "1/50"), (1, 2)):
        if not stream.independent:
            assert said.printed is said.repaired is None
            continue
        slope = max([F(1), *(each.ratio for each in corners)])
        assert said.printed.delta == t * max([F(0), *(each.delta for each in corners)])
        ratios = [p / q if q else None for x, _ in laws.values() for _, y in laws.values() for p, q in zip(x, y) if p]
        growth = None if None in ratios else max(F(1), *ratios)
        assert t > 1 or said.printed.epsilon.ratio == slope
        assert t < 2 or said.printed.epsilon.ratio == (growth and slope * growth)
        both = [(p, q) for z in listed(stream, first, after, rows, t).values() for p, q in (z, z[::-1])]
        assert said.printed.needed == shift(both, said.printed.epsilon.ratio)
        if stream.draws == "each-step":
            assert said.repaired.holds
            assert said.best.infinite or shift(both, said.best.ratio) <= F(1, 50)


def test_the_theorem_as_printed_fails_in_one_direction():
    stream = BlockStream("01", LAW, 2, PLAIN, EVEN)
    first = promised(stream, 1)[0]
    assert first.printed.epsilon.ratio == F(13, 10)
    assert not first.printed.holds
    assert first.repaired.holds
    assert first.repaired.epsilon.ratio == 2


def test_the_least_slope_is_where_the_shift_is_the_delta():
    rng = random.Random(1)
    for _ in range(200):
        pairs = [(law(rng, 3, True), law(rng, 3, True)) for _ in range(2)]
        delta = F(rng.randint(0, 8), 8)
        slope = least_slope(pairs, delta)
        if slope is None:
            assert shift(pairs, None) > delta
            continue
        assert shift(pairs, slope) <= delta
        assert slope == 1 or shift(pairs, slope - F(1, 10**9)) > delta


def test_a_common_coin_is_enclosed_where_there_are_too_many_sequences():
    rows = {"00": ["7/8", "1/8"], "01": ["1/2", "1/2"], "10": ["1/3", "2/3"], "11": ["1/8", "7/8"]}
    alt = [["1/2", "1/2"], ["1/3", "2/3"]]
    stream = BlockStream("01", LAW, 2, Channel.of(rows, "ab"), alt, "common")
    found = stream_leakage(stream, 20)
    exact = [each for each in found.steps if each.ratio is not None]
    last = found.leakage
    assert 4 <= len(exact) < 20
    assert last.lower is not None
    assert last.upper is not None
    assert last.lower < last.upper < 20 * last.lower


def test_bad_streams_are_refused():
    for change, message in [
        ({"draws": "twice"}, 'draws: expected "each-step", "once" or "common"'),
        ({"window": 0}, "window: expected at least 1, found 0"),
        ({"blocks": ["1/2", "1/4"]}, "blocks.law: sums to 3/4, expected 1"),
        ({"blocks": ["1"]}, "blocks.law: expected 2 entries, one per value, found 1"),
        ({"alt": [["1", "0"]]}, "alt.oldest: expected 2 rows, one per value, found 1"),
        ({"alt": [["1", "0"], ["1", "1"]]}, r"alt.oldest\[1\]: sums to 2, expected 1"),
        ({"window": 3}, "mechanism: channel: unknown database"),
        ({"values": ["0", "0"]}, "blocks.values: values repeat"),
    ]:
        known = {"values": "01", "blocks": LAW, "window": 2, "mechanism": PLAIN, "alt": EVEN}
        with pytest.raises(ModelError, match=message):
            BlockStream(**(known | change))


def test_too_much_is_refused_by_name():
    stream = BlockStream("01", LAW, 2, PLAIN, EVEN)
    with pytest.raises(TooLargeError, match="steps: expected 1 to 10000 steps, found 0"):
        stream_leakage(stream, 0)
    with pytest.raises(ModelError, match="entries"):
        stream_tables(stream, 100)
    wide = Channel.of({"".join(w): [1] for w in product("01", repeat=7)}, "a")
    with pytest.raises(TooLargeError, match="window: 4096 states"):
        stream_leakage(BlockStream("01", LAW, 7, wide, EVEN, "once"), 2)


def curves(rng):
    """The curves of one release of a random stream, and a shift."""
    while True:
        stream, *_ = drawn(rng)
        alone = one_step(stream)
        if alone.laws:
            own, across = ShiftCurve.of(alone.both()), ShiftCurve.of(alone.across())
            return alone, own, across, F(rng.choice([0, 1, 2, 5, 10, 20, 40]), 40)


@seeds(40)
def test_no_shares_of_a_shift_promise_a_lower_level(seed):
    rng = random.Random(seed)
    alone, own, across, delta = curves(rng)
    assert own.ratio(delta) == least_slope(alone.both(), delta)
    assert across.ratio(delta) == least_slope(alone.across(), delta)
    found = list(least_ratios(own, across, delta, 4))
    for t in range(1, len(found) + 1):
        splits = [[F(1, t)] * t]
        for _ in range(60):
            parts = [F(rng.choice([0, 0, 1, 2, 3, 7])) for _ in range(t)]
            splits += [[part / sum(parts) for part in parts]] if any(parts) else []
        corners = [share for share, _ in across.corners() if share <= delta]
        for chosen in product(corners, repeat=t - 1):  # all but the last at corners
            if delta and sum(chosen) <= delta:
                splits.append([*(each / delta for each in chosen), 1 - sum(chosen) / delta])
        for split in splits:
            ratios = [across.ratio(share * delta) for share in split[:-1]]
            ratios.append(own.ratio(split[-1] * delta))
            if None not in ratios:
                assert found[t - 1] is not None
                assert found[t - 1] <= prod(ratios)


def test_mixtures_are_dropped_where_sequences_cannot_be_compared():
    rows = {"00": ["7/8", "1/8"], "01": ["1/2", "1/2"], "10": ["1/2", "1/2"], "11": ["1/8", "7/8"]}
    stream = BlockStream("01", LAW, 2, Channel.of(rows, "ab"), [LAW, LAW], "once")
    few, many = stream_leakage(stream, 4), stream_leakage(stream, 60)
    assert many.steps[:4] == few.steps
    assert many.leakage.ratio is not None


def test_a_thousand_steps_grow_by_what_one_adds():
    stream = BlockStream("01", LAW, 2, PLAIN, EVEN)
    steps = stream_leakage(stream, 1000).steps
    assert steps[999].ratio / steps[998].ratio == steps[3].ratio / steps[2].ratio == F(17, 6)


def test_a_shift_is_best_spent_at_corners():
    """One outcome rules the scrubbed world out with probability 1/10: all of a shift of 1/10 is
    needed at one step, and halves of it are worth nothing.
    """
    laws = [((F(1, 10), F(9, 10)), (F(0), F(1)))]
    curve = ShiftCurve.of([*laws, *((q, p) for p, q in laws)])
    assert curve.ratio(F(1, 20)) is None
    assert list(least_ratios(curve, curve, F(1, 10), 2))[1] is None
    assert list(least_ratios(curve, curve, F(1, 5), 2))[1] == 1
