"""The parts that runs are counted with, against plain twins, and their limits at their edges."""

from bisect import bisect_left
from fractions import Fraction
from math import factorial, prod
from random import Random

import pytest
from flint import arb, fmpq
from tests.brute import definitions as brute

from pufferproof import Channel, Framework, Level, Table, repeat, smallest_delta
from pufferproof.models.errors import ModelError, TooLargeError
from pufferproof.verify.leakage.delta import Delta
from pufferproof.verify.leakage.runs import parts, repeated
from pufferproof.verify.leakage.runs import parts as mixed
from pufferproof.verify.leakage.runs.parts import BoundedDelta
from pufferproof.verify.leakage.runs.repeated import Multisets, all_counts, repeated_leakage

F = Fraction
EVEN = {"theta": Table({"a": "1/2", "b": "1/2"})}
COIN = Framework("ab", {"s": "a", "t": "b"}, [("s", "t")], EVEN)
TINY = F(1, 10**30)
ZERO = Level("log(1)")


def rows(*of):
    return Channel.of(dict(zip("ab", of)), "uvwx"[: len(of[0])])


def uniform(labels, pairs=None, priors=1):
    law = Table(dict.fromkeys(labels, F(1, len(labels))))
    laws = {f"p{k}": law for k in range(priors)}
    return Framework(labels, {x: x for x in labels}, pairs or "disjoint", laws)


def test_ratios_that_floats_do_not_tell_apart_are_compared_exactly():
    for more in ["u", "v"]:
        for runs in [1, 2, 3]:
            u, v = (F(1, 4) * (1 + TINY * (more == output)) for output in "uv")
            mechanism = rows([u, v, 1 - u - v], ["1/8", "1/8", "3/4"])
            found, at = repeated_leakage(COIN, mechanism, runs)
            assert found.ratio == (2 * (1 + TINY)) ** runs
            assert at.counts == (runs * (more == "u"), runs * (more == "v"), 0)


@pytest.mark.parametrize("tiny", [F(1, 3), F(1, 10**40), F(1, 10**400)])
def test_logarithms_of_ratios_are_within_their_error(tiny):
    draw, law = Random(str(tiny)), {"p": Table({"a": tiny, "b": F(1, 7), "c": F(6, 7) - tiny})}
    space = Framework("abc", {"s": "a", "t": "bc"}, [("s", "t")], law)
    each = {x: [tiny * draw.randint(1, 9) / 30, F(1, draw.randint(3, 9))] for x in "abc"}
    mechanism = Channel.of({x: [*row, 1 - sum(row)] for x, row in each.items()}, "uvw")
    multisets = Multisets(space, [mechanism])
    counts = all_counts(3, 6)
    for place, ratios in multisets.log_ratios(counts):
        for row, ratio in zip(counts.tolist(), ratios.tolist()):
            exactly = float(arb(fmpq(*multisets.exact(place, row))).log())
            assert abs(exactly - ratio) <= multisets.error(6)


@pytest.mark.parametrize("runs", [1, 20, 1000])
def test_the_error_has_room_for_its_proof_and_not_much_more(runs):
    """Of both sides: of logarithms 2^-50 (1 + |log|) a run, and of sums 2^-53 a term."""
    mechanism = rows(["1/2", F(1, 2**90), F(1, 2) - F(1, 2**90)], ["1/3", "1/3", "1/3"])
    largest = float(arb(2).log()) * 90
    proven = 2 * runs * (2.0**-50 * (1 + largest) + 3 * 2.0**-53 * largest)
    assert proven < Multisets(COIN, [mechanism]).error(runs) < 50 * proven


def test_as_many_runs_as_are_promised():
    silent = rows(["1"], ["1"])
    assert repeated_leakage(COIN, silent, repeated.MAX_RUNS)[0].ratio == 1
    with pytest.raises(ModelError, match="expected at most 100000 runs"):
        repeated_leakage(COIN, silent, repeated.MAX_RUNS + 1)


@pytest.mark.parametrize("limit", ["MAX_COUNTS", "MAX_ENTRIES"])
def test_limits_of_counts_are_reached_and_not_passed(limit, monkeypatch):
    """Five runs of three outputs have 21 sets of counts: of three databases, of three outputs."""
    space = Framework("abc", {"s": "ab", "t": "c"}, [("s", "t")], uniform("abc").priors)
    monkeypatch.setattr(repeated, limit, 21 * 3)
    rows = {"a": ["1/2", "1/4", "1/4"], "b": ["1/4", "1/2", "1/4"], "c": ["1/4", "1/2", "1/4"]}
    mechanism = Channel.of(rows, "uvw")
    assert repeated_leakage(space, mechanism, 5)[0].ratio == F(2**5 + 1, 2)
    for runs in (6, 8):
        with pytest.raises(ModelError, match="expected at most 5 runs"):
            repeated_leakage(space, mechanism, runs)


def test_limits_of_lines_are_reached_and_not_passed(monkeypatch):
    """Three ratios without a common base: 4 lines of three runs, of numbers of a word or none."""
    mechanism = rows(["1/2", "1/3", "1/6"], ["1/4", "1/3", "5/12"])
    monkeypatch.setattr(parts, "_MOST_WORK", 4 * 160)
    assert isinstance(smallest_delta(COIN, mechanism, "1", runs=3), Delta)
    for runs in (4, 1000):
        assert isinstance(smallest_delta(COIN, mechanism, "1", runs=runs), BoundedDelta)


def test_limits_of_counts_of_mixtures_are_reached_and_not_passed(monkeypatch):
    """Two rows of three outputs for one secret and one for the other: 10 sets of counts, times 3
    rows, times 3 runs.
    """
    space = Framework("abc", {"s": "ab", "t": "c"}, [("s", "t")], uniform("abc").priors)
    several = {"a": ["1/2", "1/3", "1/6"], "b": ["1/4", "1/3", "5/12"], "c": [F(1, 3)] * 3}
    mechanism = Channel.of(several, "uvw")
    monkeypatch.setattr(parts, "_MOST_WORK", 4 * (5000 + 3 * 160) + 3 * 3 * 160 + 10 * 3 * 3)
    smallest_delta(space, mechanism, "1", runs=3)
    for runs in (4, 1000):
        with pytest.raises(TooLargeError, match=f"at most 3 runs, found {runs}"):
            smallest_delta(space, mechanism, "1", runs=runs)


@pytest.mark.parametrize("tiny", [1, 10**30, 10**400])
def test_delta_of_runs_of_mixtures_is_that_of_all_sequences(tiny):
    """Zeros, ties at the level, proportional columns, and numbers that floats do not hold."""
    draw = Random(tiny)
    for _ in range(80):
        secrets = {"s": "ab", "t": draw.choice(["cd", "c"])}
        law = Table({x: F(draw.randint(1, 3), 1) for x in "abcd"}, normalize=True)
        space = Framework("abcd", secrets, [("s", "t")], {"p": law})
        outputs, runs = draw.randint(1, 4), draw.randint(2, 4)
        entries = (0, 1, 1, 2, F(3, tiny), 4)
        drawn = {x: [draw.choice(entries) for _ in range(outputs)] + [1] for x in "abcd"}
        if draw.random() < 0.3:
            drawn = {x: [*row, 2 * row[0]] for x, row in drawn.items()}
        names = [str(i) for i in range(len(drawn["a"]))]
        mechanism = Channel.of(drawn, names, normalize=True)
        ratio = brute.leakage(space, repeat(mechanism, runs))[0]
        ties = [Level.log(ratio)] if ratio else []
        level = draw.choice([ZERO, Level("log(2)"), Level("0.3"), Level("1" + "0" * 400), *ties])
        expected = brute.first_delta(space, repeat(mechanism, runs), level)
        found = smallest_delta(space, mechanism, level, runs=runs)
        assert (found.alpha, found.beta, found.prior, found.pair) == expected[:4]


def multinomial(counts):
    return factorial(sum(counts)) // prod(map(factorial, counts))


@pytest.mark.parametrize("nats", [None, "1", "0.003"])
def test_where_a_product_of_ratios_passes_a_level(nats):
    """By logarithms and by powers, with ties: against every product."""
    draw = Random(str(nats))
    for _ in range(40):
        runs, base = draw.randint(1, 5), F(draw.randint(2, 5), draw.randint(1, 4)) + 1
        exponents = [0, *sorted(draw.sample(range(1, 6), draw.randint(1, 3)))]
        ratios = [F(1, draw.randint(1, 5)) * base**e for e in exponents[:1]]
        ratios = [ratios[0] * base**e for e in exponents]
        tie = prod(draw.choices(ratios, k=runs))
        level = Level(nats) if nats else Level.log(max(tie, F(1)))
        firsts = [
            parts._first_by_logs(ratios, level, runs),
            parts._first_by_powers(ratios, base, exponents, level, runs),
        ]
        for *others, left in all_counts(len(ratios) - 1, runs).tolist():
            known = prod(map(pow, ratios[1:-1], others), start=F(1))
            above = [level.compare(known * ratios[0] ** (left - n) * ratios[-1] ** n) > 0 for n in range(left + 1)]
            for first in firsts:
                assert min(max(first(others), 0), left + 1) == bisect_left(above, True)


def test_ten_thousand_runs_of_three_ratios_have_the_mass_of_both_sides():
    """Of (s, t) and (t, s) the sequences beyond 1 and those below it, without a tie, are all."""
    mechanism = rows(["51/137", "49/137", "37/137"], ["49/141", "51/141", "41/141"])
    there = parts.CountedRuns(COIN, mechanism, "theta", 3000).positive_parts(("s", "t"), ZERO)
    back = parts.CountedRuns(COIN, mechanism, "theta", 3000).positive_parts(("t", "s"), ZERO)
    assert [there[0] + back[1], there[1] + back[0]] == [1, 1]


def test_powers_up_to_a_value_are_counted_and_not_beyond_the_limits(monkeypatch):
    for value, base, power in ((1, 2, 0), (2, 2, 1), (7, 2, 2), (8, 2, 3), (F(9, 4), F(3, 2), 2)):
        assert parts._power(F(value), F(base)) == power
    monkeypatch.setattr(parts, "_MOST_POWER", 3)
    assert [parts._power(F(value), F(2)) for value in (8, 15, 16)] == [3, 3, None]
    monkeypatch.setattr(parts, "_MOST_DIGITS", 3)
    assert [parts._power(F(value), F(2)) for value in (7, 8)] == [2, None]
    assert [parts._power(F(3), F(value, 5)) for value in (7, 8)] == [3, None]


def test_ways_by_powers_and_by_lines_agree(monkeypatch):
    """Of ratios that are powers of 2, some infinite, with ties at the level."""
    draw, taken = Random(6), []
    for name in ("_by_powers", "_powers_of"):
        way = getattr(parts.CountedRuns, name)
        noted = lambda *each, name=name, way=way: taken.append(name) or way(*each)  # noqa: E731
        monkeypatch.setattr(parts.CountedRuns, name, noted)
    drawn = [[8, 4, 2, 1, 1], [1, 2, 2, 4, 8]], [[8, 4, 2, 1, 0], [1, 2, 2, 4, 8]]
    for _ in range(12):
        rows = [draw.sample(row, 5) for row in drawn[draw.randint(0, 1)]]
        mechanism = Channel.of(dict(zip("ab", rows)), "uvwxy", normalize=True)
        runs, level = draw.randint(2, 3), Level.log(draw.choice((1, 2, 4)))
        expected = brute.first_delta(COIN, repeat(mechanism, runs), level)
        for most in (10**6, 0):
            monkeypatch.setattr(parts, "_MOST_POWERS", most)
            found = smallest_delta(COIN, mechanism, level, runs=runs)
            assert (found.alpha, found.beta) == expected[:2]
    assert set(taken) == {"_by_powers", "_powers_of"}


def test_columns_that_are_proportional_are_one():
    assert mixed.merged([{(1, 2, 3, 0): 1}, {(2, 4, 0, 0): 5, (0, 0, 6, 0): 1}]) == [[(3, 3)], [(6, 0), (0, 6)]]


def test_one_place_alone_is_left_of_those_that_are_infinite():
    mechanism = rows(["1/2", "1/2", 0], ["1/2", 0, "1/2"])
    multisets = Multisets(COIN, [mechanism])
    assert len(repeated._candidates(multisets, [all_counts(3, 4)], 4)) == 1
