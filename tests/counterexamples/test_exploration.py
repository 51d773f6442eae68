"""Families of frameworks: members against the files written out by hand, what is found of them
against `translate` and the accountant, and the command.
"""

import csv
import json
from contextlib import closing, suppress
from fractions import Fraction
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests import examples
from tests.reports.console.schemas import expect_valid

import pufferproof as pp
from pufferproof.counterexamples.exploration import instances
from pufferproof.counterexamples.exploration.family import Family, evaluated, filled, read_family
from pufferproof.counterexamples.exploration.instances import (
    found_of,
    front_of,
    gap_of,
    is_broken,
    quotient_approx,
    rows_at,
    worst_of,
)
from pufferproof.models.errors import ModelError
from pufferproof.models.interface.sweeps import portions
from pufferproof.models.interface.sweeps.running import Sweep
from pufferproof.models.interface.sweeps.store import Store

CHAINS = Path(__file__).parents[2] / "examples" / "families" / "chains.toml"
TABLE = {
    "format": "pufferproof-family/1",
    "per_record_dp": ["log(2)", "0.5"],
    "parameters": {"w": [1, "3/2"], "b": {"from": 0, "to": 2, "step": 1}},
    "framework": {
        "records": {"count": 2, "alphabet": ["0", "1"]},
        "secrets": {"s": {"record": 1, "value": "0"}, "t": {"record": 1, "value": "1"}},
        "pairs": [["s", "t"]],
        "priors": {"p": {"table": {"00": "= w/(w+4)", "01": "= 1/(w+4)", "10": "= b/(w+4)"} | {"11": "= (3-b)/(w+4)"}}},
    },
}


@pytest.fixture
def run(run, save):
    def called(family, *arguments):
        return run("explore", save("family.json", family), "--jobs", "1", *arguments)

    return called


def explored(family, numbers=None):
    asked = range(len(family)) if numbers is None else numbers
    return found_of(Sweep(), family, asked)


@examples(100)
@given(st.integers(-9, 9), st.fractions(-3, 3, max_denominator=7), st.sampled_from("+-*/%"))
def test_expressions_are_exact(a, b, sign):
    values = {"a": Fraction(a), "b": b}
    text = f"(a {sign} b) * 3 - 0.1"
    try:
        plain = eval(f"(a {sign} b) * 3", {}, values) - Fraction(1, 10)
    except ZeroDivisionError:
        with pytest.raises(ModelError, match="division by zero"):
            evaluated(text, values)
        return
    assert evaluated(text, values) == plain


@pytest.mark.filterwarnings("error")
def test_what_is_no_expression_is_refused():
    for text in [
        *("", "1 +", "a.b", "a()", "__import__('os')", "[1]", "a if a else 1", "c", "'x'", "1 << 9"),
        *(
            "2 ** 65",
            "2 ** a ** a",
            "1 / 0",
            "0x10",
            "True",
            "1" * 300,
            "(2**64)**64 * (2**64)**64",
            "1is 1",
            "1e5and a",
            ".5if a else 1",
            r"'\d'",
        ),
    ]:
        with pytest.raises(ModelError):
            evaluated(text, {"a": Fraction(1, 2)})


def test_members_are_all_combinations_the_last_parameter_and_the_level_fastest():
    family = Family(TABLE)
    found = [family.point(number) for number in range(len(family))]
    w, b = [Fraction(1), Fraction(3, 2)], [Fraction(value) for value in range(3)]
    expected = list(product(w, b, ["log(2)", "0.5"]))
    assert [(*point.values.values(), point.level) for point in found] == expected
    assert family.framework_file(found[-1])["priors"]["p"]["table"]["11"] == "2/11"
    assert filled(["= 1/2", "x", 3], {}) == ["1/2", "x", 3]
    with pytest.raises(ModelError, match=r"^rows\.p\[1\]: expected one of p, found 'q'"):
        filled({"rows": {"p": ["= p", "= 1 - q"]}}, {"p": Fraction(1)})
    assert sorted(family.numbers(5, 3)) == list(family.numbers(5, 3)) != list(family.numbers(5, 4))


def test_what_is_found_of_a_member_is_what_translate_finds():
    family = read_family(str(CHAINS))
    rows = explored(family, range(0, 108, 13))
    for row in rows:
        point = family.point(row["number"])
        n, stay, come = point.values.values()
        chain = pp.MarkovChain("stationary", [[1 - come, come], [1 - stay, stay]])
        secrets = {"zero": (int(n + 1) // 2, "0"), "one": (int(n + 1) // 2, "1")}
        records = pp.Records(int(n), ("0", "1"))
        framework = pp.Framework.of_records(records, secrets, "disjoint", {"chain": chain})
        worst = pp.translate(framework, [point.level])
        assert row["worst"]["epsilon"] == worst.leakage.enclosure().as_json()
        assert row["exact"]
        assert row["parameters"] == {"n": f"{n}", "stay": f"{stay}", "come": f"{come}"}
        gap = float(row["published"]["epsilon"]["upper"]) / float(row["worst"]["epsilon"]["upper"])
        assert quotient_approx(row, "published") == pytest.approx(gap)
        assert gap >= 1 - 1e-15
        assert not is_broken(row, "published")


FLIP = [["= p", "= 1 - p"], ["= 1 - p", "= p"]]
KINDS = {
    "product": {"product": [["= p", "= 1 - p"]] * 3},
    "chain": {"markov": {"initial": "stationary", "transition": FLIP}},
    "hidden chain": {
        "hidden_markov": {"initial": "stationary", "transition": FLIP, "emission": [["3/4", "1/4"], ["1/4", "3/4"]]}
    },
    "network": {
        "bayes_net": {
            "parents": {"1": [], "2": ["1"], "3": ["1", "2"]},
            "cpt": {
                "1": {"": ["= p", "= 1 - p"]},
                "2": {"0": FLIP[0], "1": FLIP[1]},
                "3": {"00": FLIP[0], "01": FLIP[1], "10": FLIP[1], "11": FLIP[0]},
            },
        }
    },
    "table": {"table": {f"{n:03b}": "= p/4" if n % 2 else "= (1 - p)/4" for n in range(8)}},
    "box": {
        "markov": {
            "initial": "stationary",
            "transition_lower": [["= p", "= p"], ["= p", "= p"]],
            "transition_upper": [["= 1 - p", "= 1 - p"], ["= 1 - p", "= 1 - p"]],
        }
    },
}


def test_families_of_every_kind_are_explored():
    for kind in KINDS:
        records = TABLE["framework"]["records"] | {"count": 3}
        framework = TABLE["framework"] | {"records": records, "priors": {"x": KINDS[kind]}}
        family = Family(TABLE | {"parameters": {"p": ["1/4", "1/3"]}, "framework": framework})
        rows = explored(family)
        assert [each["error"] for each in rows] == [None] * 4
        for each in rows:
            assert each["exact"]
            assert not any(is_broken(each, bound) for bound in ("quilt", "published"))
            assert Fraction(each["published"]["epsilon"]["upper"]) <= 3 * Fraction("0.6931471805599454")


def row(worst, published, **more):
    return {
        "number": 0,
        "parameters": {"p": "1/2"},
        "level": "1",
        "exact": True,
        "error": None,
        "worst": {"epsilon": {"lower": worst, "upper": worst}},
        "published": {"epsilon": {"lower": published, "upper": published}},
    } | more


def test_a_bound_below_the_truth_is_seen_and_what_is_not_known_is_not_compared():
    assert is_broken(row("1.0000000000000001", "1"), "published")
    assert is_broken(row("inf", "7"), "published")
    assert not is_broken(row("1", "1"), "published")
    assert not is_broken(row("1", "inf"), "published")
    assert not is_broken(row("2", "1", exact=False), "published")
    unknown = [row("inf", "inf"), row("0", "1"), row("1", "inf"), row("1", "2", exact=False)]
    assert gap_of(unknown, "published") is None
    assert worst_of(unknown, "published", 3) == []
    gap = gap_of([row("1", "3"), row("2", "2"), *unknown], "published")
    assert (gap.members, gap.least, gap.mean, gap.largest) == (2, 1.0, 2.0, 3.0)


def test_a_front_has_the_levels_that_no_other_one_beats():
    rows = [
        row("0.5", "1", level="1"),
        row("0.7", "2", level="1"),
        row("0.3", "2.5", level="0.5"),
        row("0.2", "1.5", level="0.25"),
        row("0.1", "inf", level="0.125"),
        row("0", "0", level="0"),
    ]
    assert [(each.level, each.noise, each.promise) for each in front_of(rows, "worst")] == [
        ("1", 1.0, "0.7"),
        ("0.5", 2.0, "0.3"),
        ("0.25", 4.0, "0.2"),
        ("0.125", 8.0, "0.1"),
    ]
    assert [each.level for each in front_of(rows, "published")] == ["1", "0.25"]
    for choice in front_of(rows, "published"):  # by definition: none has less of both
        least = [float(each["published"]["epsilon"]["upper"]) for each in rows if each["level"] == choice.level]
        assert max(least) == float(choice.promise)


def test_the_simplest_of_those_nearly_as_far_stands_behind_the_farthest():
    rows = [
        row("1", "3", number=0, parameters={"p": "17/40"}),
        row("1", "2.99", number=1, parameters={"p": "1/2"}),
        row("1", "2", number=2, parameters={"p": "1"}),
    ]
    assert [each["number"] for each in worst_of(rows, "published", 1)] == [0, 1]
    assert [each["number"] for each in worst_of(rows, "published", 2)] == [0, 1]


def test_the_command_writes_a_table_a_plot_and_frameworks(run):
    code, out, err = run(TABLE, "--json", "--out", "found", "--resume", "kept")
    answer = json.loads(out)
    expect_valid(answer, "explore")
    assert (code, err, answer["members"], answer["explored"]) == (0, "", 12, 12)
    with open("found/members.csv", newline="") as file:
        table = list(csv.DictReader(file))
    assert len(table) == 12
    worst = answer["farthest"]["published"][0]
    again = pp.translate(pp.read_framework("found/published-1.json").value, [worst["level"]])
    assert worst["worst"]["epsilon"] == again.leakage.enclosure().as_json()
    same = next(each for each in table if each["number"] == str(worst["number"]))
    assert same["worst_upper"] == worst["worst"]["epsilon"]["upper"]
    drawn = [Path(f"found/{name}.svg").read_text() for name in ("gaps", "front")]
    assert all("<svg" in each and "stroke-width: 4" in each for each in drawn)  # below an equal one
    assert run(TABLE, "--json", "--out", "found", "--resume", "kept")[1] == out


def test_farthest_members_are_shrunk_beyond_the_grid(run):
    stay = {"parameters": {"stay": ["2/3", "17/20", "131/150"]}, "per_record_dp": ["log(2)"]}
    transition = [["= stay", "= 1 - stay"], ["= 1 - stay", "= stay"]]
    chain = TABLE["framework"] | {"priors": {"p": {"markov": {"initial": "stationary", "transition": transition}}}}
    family = TABLE | stay | {"framework": chain}
    plain = json.loads(run(family, "--json")[1])["farthest"]["published"]
    code, out, err = run(family, "--json", "--shrink", "300", "--out", "found")
    answer = json.loads(out)
    expect_valid(answer, "explore")
    assert (code, err) == (0, "")
    *listed, last = answer["farthest"]["published"]
    assert listed == plain
    assert last["number"] is None
    largest = quotient_approx(listed[0], "published")
    assert quotient_approx(last, "published") >= 0.99 * largest
    found, before = Fraction(last["parameters"]["stay"]), listed[-1]["parameters"]["stay"]
    sizes = [each.numerator + each.denominator for each in (found, Fraction(before))]
    assert sizes[0] < sizes[1]
    simpler = {Fraction(n - d, d) for n in range(2, sizes[0]) for d in range(1, n)}
    inside = [[{"stay": str(each)}, "log(2)"] for each in simpler if 2 <= 3 * each <= 2.62]
    assert all(quotient_approx(each, "published") < 0.99 * largest
               for each in rows_at(family, inside))  # fmt: skip
    assert Path(f"found/published-{len(listed) + 1}.json").exists()


def test_the_command_says_what_is_enclosed_or_missing_and_why(run):
    rows = [["= 1/2 - w", "1/4", "1/4"], ["1/8", "= 1/2 - w", "= 3/8 - w"], ["0", "1/2", "1/2"]]
    upper = [["= 1/2 + w", "1/4", "1/4"], ["1/8", "= 1/2 + w", "= 3/8 + w"], ["0", "1/2", "1/2"]]
    box = {"initial": "any", "transition_lower": rows, "transition_upper": upper}
    framework = TABLE["framework"] | {
        "records": {"count": "= n", "alphabet": ["0", "1", "2"]},
        "priors": {"x": {"markov": box}},
    }
    changed = {"parameters": {"n": [2, 3], "w": ["1/8"]}, "per_record_dp": ["log(2)"]}
    code, out, err = run(TABLE | changed | {"framework": framework}, "--json", "--out", "found")
    answer = json.loads(out)
    expect_valid(answer, "explore")
    assert (code, err, answer["exact"], answer["errors"]) == (0, "", 1, 0)
    assert 1 < answer["widest"] < 1.2
    assert answer["missing"]["quilt"]["members"] == 2
    with open("found/members.csv", newline="") as file:
        enclosed = list(csv.DictReader(file))[1]
    assert enclosed["exact"] == "no"
    assert Fraction(enclosed["worst_lower"]) < Fraction(enclosed["worst_upper"])
    quotient = Fraction(enclosed["worst_upper"]) / Fraction(enclosed["worst_lower"])
    assert answer["widest"] == pytest.approx(float(quotient))


def test_the_command_says_which_members_have_no_answer(run):
    more = TABLE | {"parameters": {"w": [1], "b": [0, 5]}}
    code, out, _ = run(more)
    assert (code, out.splitlines()[0]) == (0, "4 members of 4, with an exact worst case 2")
    assert "without an answer 2, the first: priors.p" in out
    code, out, err = run(more | {"parameters": {"w": [1], "b": [5]}})
    assert (code, out, err.count("\n")) == (2, "", 1)


@pytest.mark.parametrize(
    "change",
    [
        {"parameters": {"not a name": [1]}},
        {"parameters": {"ᵖ": [1], "p": [2]}},  # Python reads both as p
        {"parameters": {"w": [], "b": [1]}},
        {"parameters": {key: {"from": 0, "to": 1, "step": "1/99999"} for key in "abwx"}},
        {"parameters": {"w": ["x"]}},
        {"parameters": {"w": {"from": 1, "to": 0, "step": 1}}},
        {"parameters": {"w": {"from": 0, "to": 1, "step": 0}}},
        {"parameters": {"w": {"from": 0, "to": 1, "step": "1e-9"}}},
        {"per_record_dp": []},
        {"per_record_dp": ["-1"]},
        {"per_record_dp": None},
        {"per_record_dp": None, "budgets": ["log(2)"]},
        {"framework": 3},
        {"more": 3},
        {"format": "pufferproof-framework/1"},
    ],
)
def test_files_that_are_no_family_are_refused_in_one_line(run, change):
    code, out, err = run(TABLE | change)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert err.startswith("pufferproof: family.json: ")


def test_more_members_than_are_gone_through_are_drawn_or_refused(run):
    wide = TABLE | {"parameters": {"w": [1], "b": [1]} | {key: [*range(300)] for key in "cde"}}
    code, out, err = run(wide)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert "54,000,000: expected fewer values, or a smaller number with --draw" in err
    assert run(wide, "--draw", "2")[0] == 0


def test_numbers_of_any_length_come_through(run):
    given = {"w": [1], "b": [1], "long": ["1" * 5000, 1]}
    long = {"parameters": given, "per_record_dp": ["log(2)", "1e400"]}
    code, out, err = run(TABLE | long, "--shrink", "1", "--out", "found")
    assert (code, err) == (0, "")
    assert "no worst case 2, the first: expected at most 100000 nats here" in out


def test_a_search_that_is_killed_keeps_every_member_that_was_slow(run, monkeypatch, tmp_path):
    """A portion ends by time; where it ends changes no byte of the answer."""
    plain = run(TABLE, "--json", "--shrink", "3")[1]
    monkeypatch.setattr(portions, "SECONDS", 0.0)
    assert run(TABLE, "--json", "--shrink", "3")[1] == plain
    computed, stopped, once = [], 3, instances._row

    def row(family, point):
        if len(computed) == stopped:
            raise KeyboardInterrupt
        computed.append(point.number)
        return once(family, point)

    monkeypatch.setattr(instances, "_row", row)
    with suppress(KeyboardInterrupt):
        run(TABLE, "--json", "--resume", "kept")
    with closing(Store(str(tmp_path / "kept"))) as kept:
        assert len(kept) == stopped
    stopped = -1
    assert run(TABLE, "--json", "--resume", "kept")[0] == 0
    assert len(computed) == len({*computed})  # none twice
    monkeypatch.setattr(instances, "_row", once)
    assert run(TABLE, "--json", "--resume", "kept")[1] == run(TABLE, "--json")[1]
