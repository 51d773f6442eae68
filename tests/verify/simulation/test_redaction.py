"""Simulated redaction: the same seed gives the same runs, exact values are covered, and a wrong
mechanism is flagged.

Seeds are fixed: every assertion below is about one run of PCG64, which is the same on every
machine.
"""

import json
from collections import Counter
from fractions import Fraction
from itertools import pairwise, product
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import binom, chi2_contingency
from tests.brute.redaction import likelihoods, output_probability
from tests.reports.console.schemas import expect_valid

from pufferproof.lp.redaction.strategies import redaction_designs
from pufferproof.models.errors import ModelError
from pufferproof.models.files.recorded.doubts.order import first_order_test
from pufferproof.models.files.recorded.fit import StepCounts, read_sequence
from pufferproof.models.numbers.level import Level
from pufferproof.models.sequences.binary import BinaryChain
from pufferproof.models.sequences.redaction import LocalRedaction
from pufferproof.reports import cli
from pufferproof.verify.sequences.redaction.leakage import redaction_leakage
from pufferproof.verify.simulation.draws import (
    WordStream,
    code_of,
    event_of,
    nearest_released,
    sampled_chains,
    sampler_of,
)
from pufferproof.verify.simulation.redaction import (
    _bounds,
    _outputs,
    expected_on_blocks,
    simulate,
    simulate_channel,
    simulate_on_blocks,
)

CHAIN = BinaryChain("1/4", "1/2", 5)
MECHANISM = LocalRedaction([["1/3", "1"], ["1/2", "3/4"], ["1", "1"], ["1/8", "1"], ["0", "0"]])
RAIN = Path(__file__).parents[3] / "examples" / "correlated" / "seattle-weather" / "wet-days.txt"


# Sampling.


@pytest.mark.parametrize("chain", [CHAIN, BinaryChain("2/3", "3/4", 4), BinaryChain("4/5", "1/100", 3)])
@pytest.mark.parametrize("private", [1, 3])
@pytest.mark.parametrize("value", [None, 0, 1])
def test_sampled_chains_have_the_law_of_the_chain(chain, private, value):
    runs = 40_000
    drawn = Counter(map(tuple, sampled_chains(chain, runs, WordStream(5), private, value).tolist()))
    assert value is None or {row[private - 1] for row in drawn} == {value}
    for row in product((0, 1), repeat=chain.length):
        weight = chain.law(1)[row[0]]
        for now, then in pairwise(row):
            weight *= chain.transition[now][then]
        if value is not None:
            weight = weight / chain.law(private)[value] if row[private - 1] == value else Fraction(0)
        assert abs(drawn[row] / runs - float(weight)) < 5 * (float(weight) / runs) ** 0.5 + 1e-9


def test_the_sampler_redacts_with_the_probabilities_of_the_profile():
    runs = 50_000
    for value in (0, 1):
        released = sampler_of(MECHANISM)(np.full((runs, 5), value, dtype=np.int8), WordStream(3)).mean(axis=0)
        for share, row in zip(released, MECHANISM.rows):
            exact = float(1 - row[value])
            assert share == exact if exact in (0, 1) else abs(share - exact) < 0.012


def test_events_are_the_nearest_released_records():
    for letters in product("01*", repeat=5):
        values = np.array([[int(letter) if letter != "*" else 1 for letter in letters]], dtype=np.int8)
        released = np.array([[letter != "*" for letter in letters]])
        (code,) = nearest_released(values, released, 3).tolist()
        shown = [(t, int(letter)) for t, letter in enumerate(letters, 1) if letter != "*"]
        expected = [place for place in shown if place[0] == 3] or [
            *[place for place in shown if place[0] < 3][-1:],
            *[place for place in shown if place[0] > 3][:1],
        ]
        assert event_of(code, 3, 5) == tuple(expected)
        assert code_of(tuple(expected), 3, 5) == code


@pytest.mark.parametrize("private", [1, 3, 5])
def test_all_outputs_of_an_event_have_one_likelihood_ratio(private):
    """What makes counting by events a statement about outputs."""
    ratios = {}
    rows = [list(map(str, row)) for row in MECHANISM.rows]
    rows[private - 1] = ["1", "1"]
    for output, (zero, one) in likelihoods(CHAIN, LocalRedaction(rows), private).items():
        values = np.array([[0 if letter == "*" else int(letter) for letter in output]], dtype=np.int8)
        released = np.array([[letter != "*" for letter in output]])
        if zero or one:
            code = nearest_released(values, released, private).tolist()[0]
            assert ratios.setdefault(code, zero / one) == zero / one


# Estimates.


def test_the_same_seed_gives_the_same_simulation():
    found = simulate(CHAIN, MECHANISM, 3, 3_000, 7)
    assert found == simulate(CHAIN, MECHANISM, 3, 3_000, 7)
    assert found != simulate(CHAIN, MECHANISM, 3, 3_000, 8)
    assert found.released == Fraction(2449, 5000)


def test_runs_are_the_same_however_many_are_drawn_at_a_time(monkeypatch):
    """One record after the other is drawn for all runs, so that chunks change the draws, but
    not what they are draws of.
    """
    whole = simulate(CHAIN, MECHANISM, 3, 3_000, 7)
    monkeypatch.setattr("pufferproof.verify.simulation.redaction._CHUNK", 1_000)
    assert abs(simulate(CHAIN, MECHANISM, 3, 3_000, 7).released - whole.released) < Fraction(1, 50)


@pytest.mark.parametrize(("alpha", "private"), [("1/4", 1), ("1/4", 3), ("3/5", 5), ("9/10", 2)])
def test_exact_values_are_covered(alpha, private):
    chain = BinaryChain(alpha, "1/2", 5)
    rows = [*MECHANISM.rows]
    rows[private - 1] = ("1", "1")
    mechanism = LocalRedaction(rows)
    exact = redaction_leakage(chain, mechanism, private)
    for seed in range(8):
        found = simulate(chain, mechanism, private, 4_000, seed)
        assert found.doubts == ()
        low, high = found.utility_approx
        assert low <= mechanism.utility(chain) <= high
        leaks = float(exact.leakage.enclosure().upper)
        assert found.worst.lower_approx <= leaks <= found.worst.upper_approx
        assert found.chosen.lower_approx <= leaks


def test_the_bound_comes_near_the_exact_leakage():
    mechanism = LocalRedaction([["1", "1"], ["0", "0"], ["0", "0"], ["0", "0"], ["0", "0"]])
    found = simulate(CHAIN, mechanism, 1, 200_000, 1)
    assert redaction_leakage(CHAIN, mechanism, 1).leakage.ratio == 2
    assert found.worst.event == found.chosen.event == ((2, 1),)
    assert 0.67 < found.worst.lower_approx < np.log(2) < found.worst.upper_approx < 0.71
    assert 0.66 < found.chosen.lower_approx < np.log(2)


def test_confidence_bounds_are_those_of_clopper_and_pearson():
    for runs, seen in ((10, 3), (50, 0), (50, 50), (200, 7)):
        (low,), (high,) = _bounds([seen], runs, 0.005)
        assert seen == 0 or binom.sf(seen - 1, runs, low) == pytest.approx(0.005)
        assert seen == runs or binom.cdf(seen, runs, high) == pytest.approx(0.005)
        assert (low == 0) == (seen == 0)
        assert (high == 1) == (seen == runs)


@pytest.mark.parametrize(
    ("planted", "doubts"),
    [
        ([["1", "1"], ["0", "0"], ["0", "0"]], {"utility", "leakage of the chosen event"}),
        ([["1", "1"], ["1", "1"], ["0", "0"]], {"utility", "leakage of the worst event"}),
        ([["1", "1"], ["1/3", "1"], ["1", "0"]], {"utility"}),
        ([["1", "1"], ["5/9", "5/9"], ["0", "0"]], {"leakage of the worst event", "leakage of the chosen event"}),
        ([["1/2", "1/2"], ["1/2", "1/2"], ["1/2", "1/2"]], {"leakage of the chosen event"}),
    ],
)
def test_a_mechanism_other_than_the_claimed_one_is_flagged(planted, doubts):
    chain, claimed = (BinaryChain("1/4", "1/2", 3), LocalRedaction([["1", "1"], ["1/3", "1"], ["0", "0"]]))
    found = simulate(chain, claimed, 1, 50_000, 1, sampler=sampler_of(LocalRedaction(planted)))
    assert doubts <= set(found.doubts)
    assert simulate(chain, claimed, 1, 50_000, 1).doubts == ()


def test_a_revealed_record_has_an_infinite_worst_event():
    found = simulate(CHAIN, LocalRedaction([["0", "1"], *[["1", "1"]] * 4]), 1, 1_000, 1)
    assert (found.worst.event, found.worst.seen, found.doubts) == (((1, 0),), (2_000, 0), ())
    assert found.worst.lower_approx > 5
    assert found.worst.upper_approx == float("inf")


def test_nothing_released_is_a_ratio_of_one():
    found = simulate(CHAIN, LocalRedaction([["1", "1"]] * 5), 3, 100, 1)
    assert (found.released, found.worst.event, found.worst.seen, found.doubts) == (0, (), (200, 200), ())


def test_an_event_that_is_never_seen_says_nothing():
    mechanism = LocalRedaction([["1", "1"], *[["1/100", "1"]] * 30, ["0", "0"]])
    found = simulate(BinaryChain("1/100", "4/5", 32), mechanism, 1, 50, 1)
    assert (found.worst.seen, found.doubts) == ((0, 0), ())
    assert (found.worst.lower_approx, found.worst.upper_approx) == (-float("inf"), float("inf"))


@pytest.mark.parametrize("chain", [BinaryChain("1/4", "1/2", 1), BinaryChain("1/3", "2/3", 2)])
def test_short_chains(chain):
    rows = [["1", "1"], ["0", "0"]][: chain.length]
    assert simulate(chain, LocalRedaction(rows), 1, 500, 1).doubts == ()


@pytest.mark.parametrize("runs", [0, -1, 10**10])
def test_runs_have_a_domain(runs):
    with pytest.raises(ModelError, match="runs"):
        simulate(CHAIN, MECHANISM, 3, runs, 1)


# Redaction that sees the whole sequence.


def test_a_channel_is_sampled_with_its_probabilities():
    mechanism = LocalRedaction([["1/3", "1"], ["1", "1"], ["0", "1/7"]])
    runs, channel = 60_000, mechanism.channel()
    rows = {label: row for row, label in enumerate(channel.databases)}
    for label in ("000", "101", "110"):
        values = np.array([[int(symbol) for symbol in label]] * runs, dtype=np.int8)
        drawn = Counter(_outputs(channel, rows, values, WordStream(4)).tolist())
        for code, output in enumerate(channel.outputs):
            exact = float(output_probability(mechanism, tuple(map(int, label)), output))
            assert (drawn[code] == 0) == (exact == 0)
            assert abs(drawn[code] / runs - exact) < 0.012


@pytest.mark.parametrize("level", ["6/5", "2"])
def test_the_best_redaction_of_all_agrees_with_its_samples(level):
    (design,) = redaction_designs(CHAIN, 3, Level.log(level), ["central-lp"])
    for seed in range(3):
        found = simulate_channel(CHAIN, design.channel, 3, 4_000, seed)
        assert found == simulate_channel(CHAIN, design.channel, 3, 4_000, seed)
        assert found.doubts == ()
        assert found.utility_approx[0] <= design.lower <= found.utility_approx[1]
    assert simulate_channel(CHAIN, MECHANISM.channel(), 3, 4_000, 1).doubts == ()


def test_channels_have_a_domain():
    with pytest.raises(ModelError, match="channel: expected databases and outputs of 4 symbols"):
        simulate_channel(BinaryChain("1/4", "1/2", 4), MECHANISM.channel(), 1, 10, 1)
    with pytest.raises(ModelError, match="runs"):
        simulate_channel(CHAIN, MECHANISM.channel(), 1, 0, 1)


# Recorded sequences.


def test_a_sequence_is_read_however_it_is_separated(tmp_path):
    path = tmp_path / "values.csv"
    for text in ("0110", "0,1,1,0\n", "0\n1\n1\n0\n", "# rain\n0 1;1\t0", "01\r\n10"):
        path.write_text(text)
        assert read_sequence(path) == (0, 1, 1, 0)


@pytest.mark.parametrize(
    ("text", "said"), [("", "found none"), ("0\n12\n", "line 2"), ("rain\n0\n", "line 1"), ("0.1", "line 1")]
)
def test_what_is_no_sequence_is_refused_by_line(tmp_path, text, said):
    (tmp_path / "values.csv").write_text(text)
    with pytest.raises(ModelError, match=said):
        read_sequence(tmp_path / "values.csv")


@pytest.mark.parametrize("values", [[0, 0, 0], [0, 1, 0, 1], [1], [0, 0, 1]])
def test_a_sequence_without_all_steps_has_no_chain_inside_the_domain(values):
    with pytest.raises(ModelError, match="to be followed by 0 and by 1"):
        StepCounts.of(values).chain(len(values))


def test_counted_frequencies_maximise_the_likelihood():
    steps = StepCounts.of([0, 0, 1, 0, 1, 1, 1, 0, 0])
    chain = steps.chain(9)

    def likelihood(alpha, beta):
        (stay, leave), (back, remain) = steps.counts
        return (1 - alpha) ** stay * alpha**leave * beta**back * (1 - beta) ** remain

    best = likelihood(chain.alpha, chain.beta)
    shifts = [Fraction(k, 50) for k in (-3, -1, 0, 1, 3)]
    assert all(likelihood(chain.alpha + a, chain.beta + b) <= best for a in shifts for b in shifts)


def test_order_statistic_is_that_of_two_contingency_tables():
    values = read_sequence(RAIN)
    triples = Counter(zip(values, values[1:], values[2:]))
    tables = [[[triples[x, y, z] for z in (0, 1)] for x in (0, 1)] for y in (0, 1)]
    expected = sum(chi2_contingency(table, correction=False).statistic for table in tables)
    found = first_order_test(values)
    assert float(found.statistic) == pytest.approx(expected)
    assert (found.degrees, found.p_value < 1e-8) == (2, True)


def test_order_test_accepts_chains_and_refuses_what_is_none():
    rows = sampled_chains(BinaryChain("1/4", "1/2", 1_000), 200, WordStream(1)).tolist()
    rejected = sum(first_order_test(row).p_value < 0.05 for row in rows)
    assert 2 <= rejected <= 20  # 10 expected
    assert first_order_test([0, 0, 1, 1] * 50).p_value < 1e-6  # two steps back decide
    assert first_order_test([0, 1]).degrees == 0


def test_expected_release_of_blocks_is_counted_exactly():
    blocks = [(0, 1, 1, 0, 0), (1, 1, 0, 0, 1)]
    expected = sum(1 - MECHANISM.rows[t][x] for block in blocks for t, x in enumerate(block)) / 10
    assert expected_on_blocks(MECHANISM, blocks) == expected
    drawn = [float(simulate_on_blocks(CHAIN, MECHANISM, 3, blocks * 500, seed).released) for seed in range(3)]
    assert all(abs(share - float(expected)) < 0.02 for share in drawn)


def test_blocks_of_the_chain_agree_with_it():
    values = sampled_chains(CHAIN, 4_000, WordStream(11)).tolist()
    found = simulate_on_blocks(CHAIN, MECHANISM, 3, values, 2)
    assert (found.doubts, found.runs) == ((), 4_000)
    opposite = [[1 - x for x in row] for row in values]
    assert simulate_on_blocks(CHAIN, MECHANISM, 3, opposite, 2).doubts


# The command.


def run(capsys, *options):
    code = cli._run(["redact", *options, "--epsilon", "log(2)"])
    out, err = capsys.readouterr()
    return code, out, err


def test_simulations_in_the_json(capsys):
    options = (
        "--alpha",
        "1/4",
        "--beta",
        "1/2",
        "--length",
        "4",
        "--private",
        "2",
        "--simulate",
        "2000",
        "--seed",
        "9",
    )
    code, out, _ = run(capsys, *options, "--json")
    found = json.loads(out)
    expect_valid(found, "redact")
    assert code == 0
    by_name = {each["name"]: each for each in found["strategies"]}
    assert by_name["3r-exact"]["simulation"]["consistent"] is True
    assert by_name["3r-exact"]["simulation"]["trust"] == "SAMPLING(1/100)"
    assert by_name["central-lp"]["simulation"]["consistent"] is True
    assert run(capsys, *options, "--json")[1] == out
    text = run(capsys, *options)[1]
    assert "simulated 2000 runs, seed 9" in text
    assert "SATISFIES" not in text


def test_a_recorded_sequence_in_blocks(capsys):
    options = ("--sequence", str(RAIN), "--length", "5", "--private", "3", "--strategy", "data-independent")
    found = json.loads(run(capsys, *options, "--json")[1])
    expect_valid(found, "redact")
    assert (found["sequence"]["alpha"], found["sequence"]["beta"]) == ("68/279", "204/623")
    assert (found["sequence"]["records"], found["sequence"]["blocks"]) == (1461, 292)
    (design,) = found["strategies"]
    assert Fraction(design["realised"]["expected"]) == Fraction(design["realised"]["released"]) == Fraction(1, 5)
    text = run(capsys, *options)[1]
    assert "strong evidence against order 1" in text
    assert "is assumed" in text


def test_a_whole_sequence_is_one_run(capsys):
    options = ("--sequence", str(RAIN), "--private", "700", "--strategy", "3r-constant")
    found = json.loads(run(capsys, *options, "--json")[1])
    expect_valid(found, "redact")
    assert found["strategies"][0]["realised"]["estimate"] is None
    assert len(found["strategies"][0]["r"]) == 1461


@pytest.mark.parametrize(
    ("options", "said"),
    [(("--length", "1462"), "--length: expected from 1 to 1461"), (("--length", "5", "--private", "6"), "--private")],
)
def test_bad_sequence_options_are_one_line(capsys, options, said):
    code, out, err = run(capsys, "--sequence", str(RAIN), "--private", "1", *options)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert said in err
