"""Redaction on chains of any number of values: leakage and utility by every output of every
sequence, the best blind pattern among all patterns, and least values of the grid.
"""

import json
from fractions import Fraction
from itertools import pairwise, product
from math import lcm, prod
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests import examples
from tests.reports.console.schemas import expect_valid

from pufferproof import (
    Framework,
    Level,
    LocalMechanism,
    MarkovChain,
    ModelError,
    Records,
    alphabet_redactions,
    audit,
    redaction_designs,
)
from pufferproof.models.sequences.binary import BinaryChain

WALK = MarkovChain("stationary", [["1/2", "1/2", 0], ["1/4", "1/2", "1/4"], [0, "1/2", "1/2"]])
TURN = MarkovChain("stationary", [["1/4", "1/2", "1/4"], ["1/8", "1/8", "3/4"], ["1/2", "1/4", "1/4"]])
FOUR = MarkovChain(
    "stationary", [["3/4", "1/4", 0, 0], ["1/4", "1/2", "1/4", 0], [0, "1/4", "1/2", "1/4"], [0, 0, "1/2", "1/2"]]
)
FAIR = MarkovChain("stationary", [["1/3", "1/3", "1/3"]] * 3)
CHAINS = [WALK, TURN, FOUR, FAIR]


def brute(chain, rows, private):
    """The largest ratio of any output about X_p, None for infinite, and the expected share shown:
    by all sequences and outputs of positive probability, in integers over a common denominator.
    """
    every = chain.initial_law(), *chain.transition, *rows
    unit = lcm(*(value.denominator for row in every for value in row))
    law, *others = [[int(value * unit) for value in row] for row in every]
    k, n = len(law), len(rows)
    step, stars = others[:k], others[k:]
    likely, shown = {}, 0
    for values in product(range(k), repeat=n):
        weight = law[values[0]] * prod(step[a][b] for a, b in pairwise(values))
        outputs = [((), weight)] if weight else []
        for row, value in zip(stars, values):
            sides = [side for side in (("*", row[value]), (value, unit - row[value])) if side[1]]
            outputs = [((*output, sign), chance * share) for output, chance in outputs for sign, share in sides]
        for output, chance in outputs:
            cell = likely.setdefault(output, [0] * k)
            cell[values[private - 1]] += chance
            shown += chance * (n - output.count("*"))
    utility, best = Fraction(shown, n * unit ** (2 * n)), Fraction(1)
    for cell in likely.values():
        given_x = [Fraction(value, law[x]) for x, value in enumerate(cell)]
        if not all(given_x):
            return None, utility
        best = max(best, max(given_x) / min(given_x))
    return best, utility


@pytest.mark.parametrize("chain", CHAINS)
@pytest.mark.parametrize(
    ("length", "private", "level"),
    [(1, 1, "0"), (2, 1, "2"), (3, 2, "0"), (3, 2, "log(2)"), (4, 1, "0.3"), (4, 3, "log(2)"), (4, 3, "2")],
)
def test_every_design_is_what_it_says_and_keeps_the_level(chain, length, private, level):
    for design in alphabet_redactions(chain, length, private, level, grid=4):
        assert (design.leakage.ratio, design.utility) == brute(chain, design.rows, private)
        assert Level(level).compare(design.leakage.ratio) <= 0
        assert all(4 * value in range(5) for row in design.rows for value in row)


@pytest.mark.parametrize("chain", [WALK, TURN, FAIR])
@pytest.mark.parametrize(("length", "private", "level"), [(3, 2, "0"), (4, 1, "0.3"), (4, 2, "log(2)"), (4, 1, "1.5")])
def test_no_pattern_that_is_blind_to_values_releases_more(chain, length, private, level):
    best = Fraction(0)
    for pattern in product((0, 1), repeat=length):
        rows = [[Fraction(each)] * 3 for each in pattern]
        ratio, utility = brute(chain, rows, private)
        if ratio is not None and Level(level).compare(ratio) <= 0:
            best = max(best, utility)
    (design,) = alphabet_redactions(chain, length, private, level, ["data-independent"])
    assert design.utility == best


@examples(25)
@given(st.sampled_from(CHAINS), st.sampled_from(["0.2", "0.5", "log(2)", "1"]), st.integers(1, 6))
def test_long_designs_leak_what_an_audit_says(chain, level, private):
    k = len(chain.transition)
    alphabet = "abcd"[:k]
    secrets = {v: (private, v) for v in alphabet}
    framework = Framework.of_records(Records(6, tuple(alphabet)), secrets, "disjoint", {"t": chain})
    for design in alphabet_redactions(chain, 6, private, level, grid=8):
        mechanism = LocalMechanism.redacting(alphabet, design.rows)
        assert audit(framework, mechanism).leakage.ratio == design.leakage.ratio


@pytest.mark.parametrize(("length", "private"), [(5, 1), (5, 3), (6, 2)])
@pytest.mark.parametrize("level", ["0.3", "log(2)", "1.5"])
def test_with_two_values_it_is_what_redact_finds(length, private, level):
    binary = BinaryChain("1/10", "2/5", length)
    known = {
        each.name: each
        for each in redaction_designs(binary, private, level, ["data-independent", "3r-constant", "local-optimal"])
    }
    blind, constant, values = alphabet_redactions(binary.chain, length, private, level, grid=32)
    assert blind.utility == known["data-independent"].lower
    if private == 1:  # with two sides it is their joint leakage that is kept here
        assert constant.utility <= known["3r-constant"].upper
    assert known["3r-constant"].lower - constant.utility <= Fraction(1, 32)
    assert max(blind.utility, constant.utility) <= values.utility <= known["local-optimal"].upper


def test_the_constant_is_the_least_of_the_grid():
    """Every smaller q leaks more than the level, by all sequences."""
    (design,) = alphabet_redactions(WALK, 4, 1, "log(2)", ["3r-constant"], grid=16)
    q = max(value for row in design.rows[1:] for value in row if value < 1)
    assert q == Fraction(3, 4)
    for j in range(int(16 * q)):
        rows = [[Fraction(j, 16) if v == q else v for v in row] for row in design.rows]
        ratio, _ = brute(WALK, rows, 1)
        assert ratio is None or ratio > 2


def test_three_regions_release_more_than_any_blind_pattern():
    blind, constant, values = alphabet_redactions(WALK, 7, 1, "log(2)")
    assert (blind.utility, constant.utility) == (Fraction(4, 7), Fraction(17, 28))
    assert [list(map(str, row)) for row in constant.rows[:4]] == [
        ["1", "1", "1"],
        ["1", "3/4", "1"],
        ["1", "3/4", "1"],
        ["0", "0", "0"],
    ]
    assert values.utility >= constant.utility


def test_what_is_no_task_is_one_line():
    for arguments, said in [
        ((MarkovChain([1, 0], [["1/2", "1/2"], ["1/2", "1/2"]]), 3, 1, "1"), "stationary law"),
        ((MarkovChain([1, 0], [[1, 0], [0, 1]]), 3, 1, "1"), "every value to be possible"),
        ((WALK, 41, 1, "1"), "length: expected from 1 to 40 records, found 41"),
        ((WALK, 3, 4, "1"), "private: expected from 1 to 3, found 4"),
        ((WALK, 3, 1, "1", ["quilt"]), "names: expected data-independent"),
        ((WALK, 3, 1, "1", ["3r-values"], 0), "grid: expected from 1 to 256, found 0"),
        ((WALK, 3, 1, "x"), "epsilon"),
    ]:
        with pytest.raises(ModelError, match=said.replace("(", r"\(")):
            alphabet_redactions(*arguments)


PLACES = """format = "pufferproof-framework/1"
pairs = [["a", "b"]]
secrets = {a = {record = 1, value = "0"}, b = {record = 1, value = "2"}}
records = {count = 7, alphabet = ["0", "1", "2"]}
[priors.walk.markov]
initial = "stationary"
transition = [["1/2", "1/2", "0"], ["1/4", "1/2", "1/4"], ["0", "1/2", "1/2"]]
"""
ASKED = ("redact", "--chain", "places.toml", "--private", "1", "--epsilon", "log(2)")


def test_the_command_says_what_the_function_does(save, run):
    Path("places.toml").write_text(PLACES, encoding="utf-8")
    code, out, _ = run(*ASKED, "--json")
    answer = json.loads(out)
    expect_valid(answer, "redact")
    found = alphabet_redactions(WALK, 7, 1, "log(2)")
    assert code == 0
    assert [each["utility"] for each in answer["strategies"]] == [str(d.utility) for d in found]
    assert answer["strategies"][1]["r"][1] == ["1", "3/4", "1"]
    code, out, _ = run(*ASKED)
    assert "3r-constant       0.607142857" in out
    assert run(*ASKED, "--strategy", "3r-values")[1].count("3r-") == 2


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--alpha", "1/2"), "--alpha: cannot be combined with --chain"),
        (("--solver", "both"), "--solver: cannot be combined with --chain"),
        (("--private", "2"), "--private: expected one record with --chain, found 2"),
        (("--strategy", "quilt"), "--strategy: expected data-independent, 3r-constant"),
    ],
)
def test_options_for_two_values_are_refused(save, run, options, said):
    Path("places.toml").write_text(PLACES, encoding="utf-8")
    code, out, err = run(*ASKED, *options)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert said in err
