"""`data --each`: every group is answered as the audit of its own framework file, and none is left out."""

import csv
import json
import random
import signal
import sqlite3
from decimal import Decimal
from fractions import Fraction
from math import ceil

import pytest
from tests.reports.console.schemas import expect_valid

from pufferproof.models.interface.sweeps.executors import InProcess
from pufferproof.reports.console.words import cell_text

COUNT = {"format": "pufferproof-mechanism/1", "query": "sum", "noise": {"laplace": {"scale": "2"}}}
ODD = ['a, "b" =1+1', "=2", "Zoë / 7", "x; y", "'q'", "h.0"]


@pytest.fixture
def run(run, save):
    save("count.json", COUNT)
    return run


def walk(draw, a, b, length):
    value, values = 0, []
    for _ in range(length):
        values.append(value)
        value = int(draw.random() < (a if value == 0 else 1 - b))
    return values


def homes(number, length=40, seed=1, names=None):
    draw = random.Random(seed)
    names = names or [f"h{k}" for k in range(number)]
    return {name: walk(draw, draw.uniform(0.1, 0.4), draw.uniform(0.1, 0.5), length) for name in names}


def table(path, groups):
    with open(path, "w", newline="", encoding="utf-8") as file:
        rows = csv.writer(file)
        rows.writerow(["home", "t", "on"])
        for name, values in groups.items():
            rows.writerows([name, t, "" if value is None else value] for t, value in enumerate(values))


ASK = "data homes.csv --column on --group home --time t --each count.json --json --private 2,5 --length 6"


def bounds(leakage):
    return [Decimal(leakage["epsilon"][end]) for end in ("lower", "upper")]


def answer(run, more=""):
    code, out, err = run(f"{ASK} {more}")
    found = json.loads(out)
    expect_valid(found, "fit")
    return code, found, err


def alone(run, save, home, found, level=""):
    """The audit of a framework file of one home."""
    rows, values = home["transition"], found["states"]
    framework = {
        "format": "pufferproof-framework/1",
        "records": {"count": found["length"], "alphabet": values},
        "secrets": {f"x{t}={v}": {"record": t, "value": v} for t in found["private"] for v in values},
        "pairs": "disjoint",
        "priors": {"own": {"markov": {"initial": "stationary", "transition": rows}}},
    }
    return json.loads(run(f"audit {save('own.json', framework)} count.json --json {level}")[1])


@pytest.mark.parametrize("number", [1, 2, 30])
@pytest.mark.parametrize("level", ["", "--epsilon 0.8"])
@pytest.mark.parametrize("exact", ["", "--exact"])
def test_every_home_is_answered_as_by_an_audit_of_its_own(run, save, tmp_path, number, level, exact):
    table("homes.csv", homes(number))
    code, found, _ = answer(run, f"{level} {exact}")
    verdicts, leakages = [], []
    assert [home["group"] for home in found["each"]] == [f"h{k}" for k in range(number)]
    for home in found["each"]:
        own = alone(run, save, home, found, level)
        assert home["verdict"] == own.get("verdict")
        (low, high), (least, most) = (bounds(each["leakage"]) for each in (home, own))
        assert low <= most
        assert least <= high
        if exact:
            assert home["leakage"] == own["leakage"]
        verdicts.append(home["verdict"])
        leakages.append((least, most))
    for quantile in found["quantiles"]:
        place = max(ceil(Fraction(quantile["share"]) * number), 1) - 1
        assert Decimal(quantile["epsilon"]["lower"]) <= sorted(most for _, most in leakages)[place]
        assert Decimal(quantile["epsilon"]["upper"]) >= sorted(least for least, _ in leakages)[place]
    worst = sorted(range(number), key=lambda k: (-leakages[k][0], k))[:5]
    assert found["worst"] == [f"h{k}" for k in worst]
    if level:
        assert found["kept"] == verdicts.count("SATISFIES")
        assert code == (1 if "VIOLATES" in verdicts else 0)
        assert found["verdict"] == ("VIOLATES" if "VIOLATES" in verdicts else "SATISFIES")
    else:
        assert code == 0
        assert found["verdict"] is None


def test_equal_homes_are_asked_once(run):
    one = homes(1)["h0"]
    table("homes.csv", dict.fromkeys("abc", one))
    _, found, _ = answer(run, "--epsilon 5")
    assert (found["distinct"], found["questions"], found["kept"]) == (1, 1, 3)
    assert len({json.dumps(home["leakage"]) for home in found["each"]}) == 1
    assert found["worst"] == ["a", "b", "c"]


def test_a_home_whose_steps_are_certain_is_asked_by_itself(run, save):
    table("homes.csv", {"flip": [0, 1] * 10, **homes(1)})
    _, found, _ = answer(run, "--epsilon 0.8")
    flip = found["each"][0]
    assert flip["transition"] == [["0", "1"], ["1", "0"]]
    own = alone(run, save, flip, found, "--epsilon 0.8")
    assert flip["verdict"] == own["verdict"]
    assert Decimal(flip["leakage"]["epsilon"]["upper"]) >= Decimal(own["leakage"]["epsilon"]["lower"])


@pytest.mark.parametrize("level", ["", "--epsilon 100"])
def test_homes_without_a_chain_are_named_and_never_kept(run, level):
    groups = homes(2)
    groups |= {"still": [0] * 9, "one": [1], "hole": [0, 1, None, 1, 0, 0], "void": [None], "ends": [1, 1, 0, 0, 0]}
    table("homes.csv", groups)
    code, found, _ = answer(run, level)
    why = {home["group"]: home["why"] for home in found["each"]}
    assert why == {
        "h0": None,
        "h1": None,
        "still": 'nothing follows "1" in what was recorded',
        "one": "expected a sequence of more than 1 values, found at most 1",
        "hole": "a value is missing, or its times have a gap",
        "void": "all its values are missing",
        "ends": why["ends"],
    }
    assert why["ends"].startswith("nothing to check")
    assert (found["groups"], found["answered"]) == (7, 2)
    for home in found["each"][2:]:
        assert home["leakage"] is None
        assert home["verdict"] == ("UNDECIDED" if level else None)
    if level:
        assert (code, found["verdict"], found["kept"], found["unknown"]) == (3, "UNDECIDED", 2, 5)
        code, out, _ = run(f"{ASK} {level}".replace(" --json", ""))
        assert out.startswith("UNDECIDED 100 nats\nkept      2 of 7 groups keep the level, 5 are not known to\n")
        assert all(f'"{name}": ' in out for name in ("still", "one", "hole", "void", "ends"))


def test_a_gap_in_times_leaves_a_home_out_unless_it_is_split_there(run, tmp_path):
    table("homes.csv", homes(3))
    lines = (tmp_path / "homes.csv").read_text().splitlines(keepends=True)
    (tmp_path / "homes.csv").write_text("".join(line for line in lines if not line.startswith("h1,7,")))
    _, found, _ = answer(run)
    assert [home["why"] for home in found["each"]] == [None, "a value is missing, or its times have a gap", None]
    _, found, _ = answer(run, "--missing split")
    assert [home["why"] for home in found["each"]] == [None] * 3
    assert "whether a value is missing does not depend on what it would have been" in found["assumed"]


def test_names_with_odd_characters_come_back_as_they_were(run, tmp_path):
    table("homes.csv", homes(6, names=ODD))
    _, found, _ = answer(run, "--out table.csv")
    assert [home["group"] for home in found["each"]] == ODD
    with open(tmp_path / "table.csv", newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert [row["group"] for row in rows] == [cell_text(name) for name in ODD]
    assert rows[1]["group"] == "'=2"  # which no spreadsheet runs
    ends = [(home["leakage"]["epsilon"]["lower"], home["leakage"]["epsilon"]["upper"]) for home in found["each"]]
    assert [(row["lower"], row["upper"]) for row in rows] == ends


def test_an_interrupted_run_goes_on_where_it_stopped(run, monkeypatch, tmp_path):
    table("homes.csv", homes(30))
    _, whole, _ = answer(run, "--epsilon 0.8")
    begin, begun = InProcess.submit, []

    def submit(self, units, limit):
        begun.extend(units)
        if len(begun) > 12:
            signal.raise_signal(signal.SIGINT)
        return begin(self, units, limit)

    with monkeypatch.context() as patch:
        patch.setattr(InProcess, "submit", submit)
        code, out, _ = run(f"{ASK} --epsilon 0.8 --jobs 1 --resume kept.store")
    assert code == 130
    assert out == ""
    with sqlite3.connect(tmp_path / "kept.store") as store:
        (kept,) = store.execute("SELECT count(*) FROM answers").fetchone()
    assert 0 < kept <= 12
    _, found, err = answer(run, "--epsilon 0.8 --jobs 1 --resume kept.store")
    assert found == whole
    assert err == f"pufferproof: note: {kept} of {whole['questions']} answers were read from kept.store\n"
    _, found, err = answer(run, "--epsilon 0.8 --jobs 2 --resume kept.store")
    assert found == whole
    assert f"{whole['questions']} of {whole['questions']} answers were read" in err


@pytest.mark.parametrize("change", ["home", "mechanism", "level", "private"])
def test_what_has_changed_since_is_asked_again(run, save, change):
    groups = homes(10)
    table("homes.csv", groups)
    _, before, _ = answer(run, "--epsilon 0.8 --jobs 1 --resume kept.store")
    more = "--epsilon 0.8"
    if change == "home":
        table("homes.csv", groups | {"h3": homes(1, seed=9)["h0"]})
    elif change == "mechanism":
        save("count.json", COUNT | {"noise": {"laplace": {"scale": "3"}}})
    else:
        more = "--epsilon 0.7" if change == "level" else "--epsilon 0.8 --private 4"
    _, fresh, _ = answer(run, more)
    _, found, err = answer(run, f"{more} --jobs 1 --resume kept.store")
    assert found == fresh != before
    assert ("answers were read" in err) is (change == "home")


def test_an_edited_store_is_refused(run, tmp_path):
    table("homes.csv", homes(3))
    answer(run, "--epsilon 0.1 --jobs 1 --resume kept.store")
    with sqlite3.connect(tmp_path / "kept.store") as store:
        store.execute("UPDATE answers SET answer = replace(answer, 'FAILS', 'HOLDS')")
    code, found, _ = answer(run, "--epsilon 0.1 --jobs 1 --resume kept.store")
    assert (code, found["kept"]) == (1, 0)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("data homes.csv --column on --each count.json", "--each: needs --group NAME"),
        ("data homes.csv --column on --group home --exact", "--exact: needs --each MECHANISM"),
        ("data homes.csv --column on --group home --jobs 2", "--jobs: needs --each MECHANISM"),
        ("data homes.csv --column on --group home --resume x", "--resume: needs --each MECHANISM"),
        (f"{ASK} --order 2", "--order: needs data without --each"),
        (f"{ASK} --smoothing 1", "--smoothing: needs data without --each"),
        (f"{ASK} --confidence 95%", "--confidence: needs data without --each"),
        (f"{ASK} --kinds each", "--kinds: needs data without --each"),
        (f"{ASK} --people 2", "--people: needs data without --each"),
        (f"{ASK} --gaussian ar1", "--each: needs chains, not --gaussian"),
        (f"{ASK} --private 9", "private"),
        (ASK.replace("--private 2,5 --length 6", "--length 10001"), "--private: expected the private records"),
        (f"{ASK} --initial any", "--initial: "),
        (ASK.replace("count.json", "gone.json"), "gone.json: cannot be read"),
        (ASK.replace("count.json", "table.json"), 'table.json: query: expected "sum", "mean" or "histogram"'),
        (f"{ASK} --out homes.csv", "homes.csv"),
        (f"{ASK} --jobs 1 --scheduler tcp://127.0.0.1:1", "--jobs"),
    ],
)
def test_what_does_not_go_together_is_refused(run, save, words, message):
    table("homes.csv", homes(2))
    save("table.json", COUNT | {"query": {"a": "0", "b": "1"}, "noise": {"laplace": {"scale": "1"}}})
    code, out, err = run(words)
    assert (code, out) == (2, "")
    assert message in err
    assert len(err.splitlines()) == 1


def test_counted_beginnings_and_declared_steps_are_those_of_every_home(run, save):
    """An absorbing value makes chains of which no box is made, and secrets of probability 0."""
    draw = random.Random(3)
    groups = {f"h{k}": [0] * draw.randint(2, 9) + [1] * 9 for k in range(6)}
    table("homes.csv", groups)
    _, found, _ = answer(run, "--absorbing 1 --epsilon 2")
    assert found["answered"] == 6
    assert all(home["by"] == "chain" for home in found["each"])
    assert 'nothing else follows "1", as was declared' in found["assumed"]


def test_what_takes_too_long_is_named_and_never_kept(run):
    table("homes.csv", homes(2, length=300))
    code, found, _ = answer(run, "--epsilon 9 --length 300 --private 150 --exact --jobs 1 --unit-seconds 0.001")
    assert code == 3
    assert found["answered"] == 0
    assert found["quantiles"] == found["worst"] == []
    assert [home["why"] for home in found["each"]] == ["took too long: it is over its limit of 0.001 s"] * 2
