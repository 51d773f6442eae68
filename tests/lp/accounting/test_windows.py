"""Plans that release tables and programs of windows: what they leak together is what the same
mechanisms leak that are written out for all databases.
"""

import json
import sys
from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from pufferproof import Channel, Framework, MarkovChain, ModelError, Records, audit, compose
from pufferproof.lp.accounting.releases.plan import WindowMechanism, read_plan
from pufferproof.lp.accounting.releases.schedule import Schedule, schedule
from pufferproof.lp.assertions import assert_release
from pufferproof.models.files.programs import Calls
from pufferproof.models.sequences.local import LocalMechanism

HEAD = 'format = "pufferproof-release/1"\nframework = "f.json"\n'
STEP = [["3/4", "1/4"], ["1/2", "1/2"]]
PROGRAMS = """
def parity(window, rng):
    even = window.count("1") % 2 == 0
    return "even" if even == (rng.random() < 0.75) else "odd"

def mostly(window, rng):
    return window.count("1") + rng.laplace() > 1.5

def first(window, rng):
    count = 0
    while rng.random() < 0.5:
        count += 1
    return count + int(window[0])

def count(window, rng):
    return window.count("1") + rng.laplace()

def response(record, rng):
    return record if rng.random() < 0.75 else "x"

def rows(window):
    return {window: 1}

def broken(window, rng):
    raise ValueError(window)
"""
Plans = Callable[..., str]
CALLS = Calls(trusted=True)
EACH = Calls(trusted=True, records="each")


def framework(count: int, record: int) -> Framework:
    chain = MarkovChain("stationary", STEP)
    secrets = {"off": (record, "0"), "on": (record, "1")}
    return Framework.of_records(Records(count, ("0", "1")), secrets, "disjoint", {"t": chain})


@pytest.fixture
def plan(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Plans:
    """Write a plan beside programs and a framework of some records."""
    (tmp_path / "windows_of_tests.py").write_text(PROGRAMS, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    sys.modules.pop("windows_of_tests", None)

    def write(releases: str, count: int = 4, record: int = 2) -> str:
        described = {
            "format": "pufferproof-framework/1",
            "records": {"count": count, "alphabet": ["0", "1"]},
            "secrets": {"off": {"record": record, "value": "0"}, "on": {"record": record, "value": "1"}},
            "pairs": "disjoint",
            "priors": {"t": {"markov": {"initial": "stationary", "transition": STEP}}},
        }
        (tmp_path / "f.json").write_text(json.dumps(described), encoding="utf-8")
        text = releases.replace("code:", "windows_of_tests:")
        (tmp_path / "plan.toml").write_text(HEAD + text, encoding="utf-8")
        return "plan.toml"

    return write


def of(path: str, calls: Calls = CALLS) -> Schedule:
    return schedule(read_plan(path, calls).value)


def one(mechanism: str, records: str = "") -> str:
    return f'[[release]]\nmechanism = "{mechanism}"\n{records and f"records = {records}"}\n'


def parity(labels: list[str], first: int, last: int) -> Channel:
    rows = {}
    for label in labels:
        even = label[first - 1 : last].count("1") % 2 == 0
        rows[label] = {"even": "3/4" if even else "1/4", "odd": "1/4" if even else "3/4"}
    return Channel.of(rows, ["even", "odd"])


LABELS = ["".join(values) for values in product("01", repeat=4)]


def test_a_program_leaks_what_the_table_does_that_is_written_by_hand(plan: Plans) -> None:
    space = framework(4, 2)
    for length, every, times in ((2, 2, 2), (3, 1, 2), (1, 1, 4), (4, 1, 1)):
        windows = f"{{ length = {length}, every = {every}, times = {times} }}"
        found = of(plan(one("code:parity", windows)))
        ends = [(1 + k * every, k * every + length) for k in range(times)]
        by_hand = compose(space, [parity(LABELS, *each) for each in ends])
        assert found.joint.leakage == by_hand.joint.leakage
        assert list(found.single) == [each.leakage for each in by_hand.single]
        table = {
            "".join(x): ["3/4", "1/4"] if x.count("1") % 2 == 0 else ["1/4", "3/4"]
            for x in product("01", repeat=length)
        }
        document = {"format": "pufferproof-mechanism/1", "outputs": ["even", "odd"]}
        Path("t.json").write_text(json.dumps({**document, "channel": table}))
        same = of(plan(one("t.json", windows)))
        assert same.joint.leakage == found.joint.leakage
        assert same.single == found.single
        assert found.joint.programs
        assert not same.joint.programs


def test_irrational_laws_and_paths_left_are_composed(plan: Plans) -> None:
    space = framework(4, 2)

    def mostly(ends: tuple[int, int]) -> Callable[..., object]:
        def on_all(database: str, rng: Any) -> object:
            return database[ends[0] - 1 : ends[1]].count("1") + rng.laplace() > 1.5

        return on_all

    found = of(plan(one("code:mostly", "{ length = 3, every = 1, times = 2 }")))
    by_hand = compose(space, [mostly((1, 3)), mostly((2, 4))])
    assert found.joint.leakage == by_hand.joint.leakage
    assert [str(each) for each in found.single] == [str(each.leakage) for each in by_hand.single]


def test_programs_that_add_noise_are_released_as_queries_with_noise_are(plan: Plans) -> None:
    windows = "{ length = 2, times = 2 }"
    found = of(plan(one("code:count", windows)))
    text = '[[release]]\nquery = "sum"\nnoise = { laplace = { scale = "1" } }\n'
    query = of(plan(f"{text}records = {windows}\n"))
    assert str(found.joint.leakage) == str(query.joint.leakage)
    assert [str(each) for each in found.single] == [str(each) for each in query.single]
    mixed = of(plan(one("code:count", windows.replace("2 }", "1 }")) + one("code:first")))
    assert len(mixed.joint.programs) == 2
    assert mixed.joint.leakage.upper is None  # paths of the other are left


def test_records_are_released_one_by_one_along_sequences_of_any_length(plan: Plans) -> None:
    coin, silent = [["3/4", "0", "1/4", "0"], ["0", "3/4", "1/4", "0"]], [["0", "0", "0", "1"]] * 2
    names = ("0", "1", "x", "-")
    alike = [coin if 20 <= t <= 29 or 40 <= t <= 49 else silent for t in range(1, 101)]
    by_hand = audit(framework(100, 35), LocalMechanism(("0", "1"), names, alike))
    windows = "{ first = 20, length = 10, every = 20, times = 2 }"
    found = of(plan('budget = "log(2)"\n' + one("code:response", windows), 100, 35), EACH)
    assert found.joint.leakage == by_hand.leakage
    singles = "{ first = 20, times = 10, length = 1 }", "{ first = 40, times = 10, length = 1 }"
    apart = of(plan("".join(one("code:response", each) for each in singles), 100, 35))
    assert apart.joint.leakage == by_hand.leakage
    assert len(apart.single) == 20


def test_windows_that_overlap_show_a_record_twice(plan: Plans) -> None:
    windows = "{ first = 1, length = 30, every = 20, times = 2 }"
    found = of(plan(one("code:response", windows), 50, 25), EACH)
    coin = LocalMechanism("01", "01x", [[["3/4", "0", "1/4"], ["0", "3/4", "1/4"]]] * 30)
    releases = [WindowMechanism("coin", coin, Records(50, ("0", "1")), ends) for ends in ((1, 30), (21, 50))]
    space = framework(50, 25)
    by_hand = compose(space, [each.over(space) for each in releases])
    assert found.joint.leakage == by_hand.joint.leakage
    assert found.as_json()["overlapping"] is True


def test_a_budget_is_decided_and_no_factor_is_sought(plan: Plans) -> None:
    windows = one("code:parity", "{ length = 2, times = 2 }")
    leakage = of(plan(windows)).joint.leakage.ratio
    kept = of(plan(f'budget = "log({leakage})"\n' + windows))
    broken = of(plan('budget = "0.01"\n' + windows))
    assert (str(kept.joint.verdict), str(broken.joint.verdict)) == ("Verdict.SATISFIES", "Verdict.VIOLATES")
    assert kept.least is broken.least is None
    assert kept.left is not None
    assert kept.left.ratio == 1
    assert_release("plan.toml", "3", trust_code=True)
    with pytest.raises(AssertionError, match="VIOLATES"):
        assert_release("plan.toml", trust_code=True)
    with pytest.raises(ModelError, match="--trust-code"):
        assert_release("plan.toml")


@pytest.mark.parametrize(
    ("releases", "count", "message"),
    [
        (one("code:parity", "{ length = 2, every = 2, times = 50 }"), 100, "one record"),
        (one("code:broken"), 4, "ValueError"),
        (one("code:absent"), 4, "absent"),
        (one("absent.json"), 4, "cannot be read"),
        (one("../f.json"), 4, "inside the folder"),
        (one("f.json"), 4, "is a framework"),
        (one("t.csv"), 4, "cannot be read"),
        (one("code:parity", "{ times = 2 }"), 4, "ends at record 8"),
        (one("code:parity") + 'query = "sum"\n', 4, "either"),
        ('[[release]]\nquery = "sum"\n', 4, "go together"),
        ("[[release]]\n", 4, "either"),
        (one("code:parity") + "noise = { laplace = { scale = 1 } }\n", 4, "go together"),
        (one("code:parity") + '[[release]]\nquery = "sum"\nnoise = { laplace = { scale = 1 } }', 4, "found both"),
    ],
)
def test_what_cannot_be_released_is_refused_by_name(plan: Plans, releases: str, count: int, message: str) -> None:
    with pytest.raises(ModelError, match=message):
        of(plan(releases, count))


def test_a_table_has_a_row_for_every_possible_window(plan: Plans) -> None:
    document = {"format": "pufferproof-mechanism/1", "outputs": ["u"]}
    for channel, message in (
        ({"00": [1], "01": [1], "10": [1]}, 'no row for the window "11"'),
        ({"00": [1], "01": [1], "10": [1], "11": [1], "2": [1]}, 'unknown window "2"'),
    ):
        Path("t.json").write_text(json.dumps({**document, "channel": channel}))
        with pytest.raises(ModelError, match=message):
            of(plan(one("t.json", "{ length = 2 }")))
