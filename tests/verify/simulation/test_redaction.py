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

import pytest
from scipy.stats import binom, chi2_contingency
from tests.reports.console.schemas import expect_valid

from pufferproof.models.errors import ModelError
from pufferproof.models.files.recorded.bits import StepCounts, read_sequence
from pufferproof.models.files.recorded.doubts.order import first_order_test
from pufferproof.models.sequences.binary import BinaryChain
from pufferproof.models.sequences.redaction import LocalRedaction
from pufferproof.reports import cli
from pufferproof.verify.sequences.redaction.leakage import redaction_leakage
from pufferproof.verify.simulation.central import simulate_channel
from pufferproof.verify.simulation.draws import (
    WordStream,
    sampled_chains,
    sampler_of,
)
from pufferproof.verify.simulation.redaction import (
    _bounds,
    expected_on_blocks,
    simulate,
    simulate_on_blocks,
)

CHAIN = BinaryChain("1/4", "1/2", 5)
MECHANISM = LocalRedaction([["1/3", "1"], ["1/2", "3/4"], ["1", "1"], ["1/8", "1"], ["0", "0"]])
RAIN = Path(__file__).parents[3] / "examples" / "correlated" / "seattle-weather" / "wet-days.txt"


# Sampling.


@pytest.mark.parametrize(
    "chain", [CHAIN, BinaryChain("2/3", "3/4", 4), BinaryChain("4/5", "1/100", 3)]
)
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
            weight = (
                weight / chain.law(private)[value] if row[private - 1] == value else Fraction(0)
            )
        assert abs(drawn[row] / runs - float(weight)) < 5 * (float(weight) / runs) ** 0.5 + 1e-9


# Estimates.


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
        (
            [["1", "1"], ["5/9", "5/9"], ["0", "0"]],
            {"leakage of the worst event", "leakage of the chosen event"},
        ),
        ([["1/2", "1/2"], ["1/2", "1/2"], ["1/2", "1/2"]], {"leakage of the chosen event"}),
    ],
)
def test_a_mechanism_other_than_the_claimed_one_is_flagged(planted, doubts):
    chain, claimed = (
        BinaryChain("1/4", "1/2", 3),
        LocalRedaction([["1", "1"], ["1/3", "1"], ["0", "0"]]),
    )
    found = simulate(chain, claimed, 1, 50_000, 1, sampler=sampler_of(LocalRedaction(planted)))
    assert doubts <= set(found.doubts)
    assert simulate(chain, claimed, 1, 50_000, 1).doubts == ()


def test_a_revealed_record_has_an_infinite_worst_event():
    found = simulate(CHAIN, LocalRedaction([["0", "1"], *[["1", "1"]] * 4]), 1, 1_000, 1)
    assert (found.worst.event, found.worst.seen, found.doubts) == (((1, 0),), (2_000, 0), ())
    assert found.worst.lower_approx > 5
    assert found.worst.upper_approx == float("inf")


def test_an_event_that_is_never_seen_says_nothing():
    mechanism = LocalRedaction([["1", "1"], *[["1/100", "1"]] * 30, ["0", "0"]])
    found = simulate(BinaryChain("1/100", "4/5", 32), mechanism, 1, 50, 1)
    assert (found.worst.seen, found.doubts) == ((0, 0), ())
    assert (found.worst.lower_approx, found.worst.upper_approx) == (-float("inf"), float("inf"))


@pytest.mark.parametrize("runs", [0, -1, 10**10])
def test_runs_have_a_domain(runs):
    with pytest.raises(ModelError, match="runs"):
        simulate(CHAIN, MECHANISM, 3, runs, 1)


# Redaction that sees the whole sequence.


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
    ("text", "said"),
    [("", "found none"), ("0\n12\n", "line 2"), ("rain\n0\n", "line 1"), ("0.1", "line 1")],
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
    drawn = [
        float(simulate_on_blocks(CHAIN, MECHANISM, 3, blocks * 500, seed).released)
        for seed in range(3)
    ]
    assert all(abs(share - float(expected)) < 0.02 for share in drawn)


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


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--length", "1462"), "--length: expected from 1 to 1461"),
        (("--length", "5", "--private", "6"), "--private"),
    ],
)
def test_bad_sequence_options_are_one_line(capsys, options, said):
    code, out, err = run(capsys, "--sequence", str(RAIN), "--private", "1", *options)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert said in err
