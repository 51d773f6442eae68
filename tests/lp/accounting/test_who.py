"""The person at risk: what releases tell about every recorded group under its own chain, against an
enumeration of each group's recordings, and the verdict that counts them.
"""

import csv
import json
from collections import Counter
from fractions import Fraction
from itertools import pairwise, product
from math import exp, log
from pathlib import Path
from random import Random
from typing import Any

import pytest

import pufferproof as pp
from pufferproof.lp.accounting.releases.plan import read_plan
from pufferproof.lp.accounting.releases.schedule import schedule
from pufferproof.lp.assertions import assert_release
from pufferproof.models.numbers.grammar import exact

PLAN = """format = "pufferproof-release/1"
{budget}
[data]
csv = "d.csv"
column = "v"
group = "who"
{more}
length = {length}
[[release]]
query = {{ count = "b" }}
noise = {{ {noise} }}
records = {{ first = 1, every = {every}, times = {times} }}
"""


def drawn(chances: list[tuple[float, float]], length: int, seed: int) -> dict[str, str]:
    """Draw recordings of people who go from a to b and from b to a with these probabilities."""
    random, people = Random(seed), {}
    for k, (up, down) in enumerate(chances):
        value, word = random.random() < up / (up + down), ""
        for _ in range(length):
            word += "ab"[value]
            value ^= random.random() < (down if value else up)
        people[f"p{k}"] = word
    return people


def written(folder: Path, people: dict[str, str], **options: object) -> Path:
    with (folder / "d.csv").open("w", newline="", encoding="utf-8") as file:
        rows = csv.writer(file)
        rows.writerow(["who", "v"])
        rows.writerows([name, value] for name, word in people.items() for value in word)
    fields: dict[str, object] = {"budget": 'budget = "1"', "more": "", "length": 6, "every": 3}
    fields |= {"times": 2, "noise": 'discrete_laplace = { scale = "3" }'} | options
    (folder / "plan.toml").write_text(PLAN.format(**fields), encoding="utf-8")
    return folder / "plan.toml"


def enumerated(word: str, scale: float, length: int = 6, every: int = 3) -> float | None:
    """Return the leakage under the chain of one recording, by a list of all sequences, of counts of
    b in windows with two-sided geometric noise; None if a row, or a secret's law, is unknown.
    """
    steps = Counter(pairwise(word))
    if not all(steps[x, "a"] + steps[x, "b"] for x in "ab"):
        return None
    chance = {(x, y): steps[x, y] / (steps[x, "a"] + steps[x, "b"]) for x, y in product("ab", "ab")}
    up, down = chance["a", "b"], chance["b", "a"]
    if not up or not down:
        return None
    start, laws = {"a": down / (up + down), "b": up / (up + down)}, Counter[tuple[str, str]]()
    paths = ["".join(path) for path in product("ab", repeat=length)]
    for path in paths:
        p = start[path[0]]
        for step in pairwise(path):
            p *= chance[step]
        laws[path, ""] = p  # type: ignore[assignment]
    windows = [slice(first, first + every) for first in range(0, length, every)]
    counts = {path: tuple(path[window].count("b") for window in windows) for path in paths}
    largest = 0.0
    for t in range(length):
        given = []
        for value in "ab":
            own = [path for path in paths if path[t] == value and laws[path, ""]]
            whole = sum(laws[path, ""] for path in own)
            given.append([(counts[path], laws[path, ""] / whole) for path in own])
        if not all(given):
            continue
        for output in product(range(every + 1), repeat=len(windows)):
            far = [sum(p * exp(-sum(map(abs, map(int.__sub__, output, c))) / scale) for c, p in law) for law in given]
            largest = max(largest, abs(log(far[0] / far[1])))
    return largest


UNLIKE = [(0.5, 0.5), (0.04, 0.05), (0.9, 0.8), (0.3, 0.2), (0.45, 0.5), (0.55, 0.5)]


def test_every_person_leaks_what_an_enumeration_of_the_recording_says(tmp_path: Path) -> None:
    people = drawn(UNLIKE, 60, 3) | {"one": "b", "never": "a" * 40, "once": "a" * 20 + "b"}
    found = schedule(read_plan(written(tmp_path, people, budget='budget = "0.9"')).value).who
    assert found is not None
    expected = {name: enumerated(word, 3) for name, word in people.items()}
    assert set(found.without) == {name for name, leaks in expected.items() if leaks is None}
    assert (found.groups, found.differ) == (len(people), True)
    leakages = {name: leaks for name, leaks in expected.items() if leaks is not None}
    assert found.worst == max(leakages, key=lambda name: leakages[name])
    for name, leaks in leakages.items():
        ends = found.leakages[name].enclosure()
        assert float(ends.lower) - 1e-9 <= leaks <= float(ends.upper) + 1e-9
    assert found.over == sum(leaks > 0.9 for leaks in leakages.values()) > 0
    assert found.least is not None
    low, high = (float(exact(end)) for end in (found.least.lower, found.least.upper))
    at = [max(enumerated(people[name], 3 * f) or 0 for name in leakages) for f in (low, high)]
    assert at[1] <= 0.9 + 1e-9
    assert at[0] >= 0.9 - 1e-9


def test_the_verdict_is_undecided_where_unlike_people_leak_more_than_the_model(tmp_path: Path, run: Any) -> None:
    path = str(written(tmp_path, drawn(UNLIKE, 60, 3), budget='budget = "0.9"'))
    code, out, _ = run("release", path)
    answer = pp.release(path)
    assert answer.joint.verdict is not None
    assert (answer.joint.verdict.value, code) == ("SATISFIES", 3)
    who = answer.who
    assert who is not None
    head = f"UNDECIDED: the model keeps 0.9 nats, {who.over} of 6 people "
    assert out.startswith(head)
    assert str(answer).startswith(head.replace("0.9 nats", "0.9"))
    code, out, _ = run("release", path, "--json")
    told = json.loads(out)
    assert (code, told["verdict"], told["model"]) == (3, "UNDECIDED", "SATISFIES")
    assert (told["who"]["worst"], told["who"]["of"]) == ("p1", 6)
    assert told["left"] is None
    with pytest.warns(UserWarning, match="groups are not alike"), pytest.raises(AssertionError, match="for all 6"):
        assert_release(path)
    code, out, _ = run("release", path, "--accept-doubt")
    assert (code, out.splitlines()[0][:9]) == (0, "SATISFIES")
    assert "the verdict is that of the model alone (--accept-doubt)" in out
    with pytest.warns(UserWarning, match="groups are not alike"):
        assert_release(path, accept_doubt=True)
    assert who.least is not None
    for factor, verdict in ((who.least.upper, "SATISFIES"), (who.least.lower, "UNDECIDED")):
        noise = f'discrete_laplace = {{ scale = "{3 * exact(factor)}" }}'
        again = written(tmp_path, drawn(UNLIKE, 60, 3), budget='budget = "0.9"', noise=noise)
        assert schedule(read_plan(again).value).verdict.value == verdict


def test_a_number_of_kinds_hides_nobody(tmp_path: Path) -> None:
    people = drawn(UNLIKE, 60, 3)
    for more in ("", "kinds = 2", "kinds = 3", 'confidence = "50%"\nstopping = "any"'):
        path = written(tmp_path, people, more=more, budget='budget = "1.2"')
        answer = schedule(read_plan(path).value)
        assert answer.who is not None
        assert (answer.who.worst, answer.who.over) == ("p1", 1)
        model = answer.joint.verdict
        assert model is not None
        assert answer.verdict.value == ("UNDECIDED" if model.value == "SATISFIES" else model.value)
    each = schedule(read_plan(written(tmp_path, people, more='kinds = "each"')).value)
    assert each.who is not None
    assert each.joint.leakage.enclosure() == each.who.leakages[each.who.worst].enclosure()


@pytest.mark.parametrize("seed", [0, 2, 3, 5])
def test_people_who_are_alike_change_no_verdict(tmp_path: Path, seed: int) -> None:
    people = drawn([(0.3, 0.3)] * 12, 40, seed)
    free = schedule(read_plan(written(tmp_path, people, budget="")).value)
    assert free.who is not None
    assert (free.who.differ, free.who.over, free.who.least) == (False, None, None)
    level = free.joint.leakage.enclosure().upper
    answer = schedule(read_plan(written(tmp_path, people, budget=f'budget = "{level}"')).value)
    assert answer.who is not None
    assert answer.who.over
    assert answer.verdict is answer.joint.verdict
    assert not answer.contrary


def test_one_odd_person_among_many_is_evidence(tmp_path: Path) -> None:
    """All together hide one: nothing is found against the sum over all, and only its own records
    say that somebody differs.
    """
    people = drawn([(0.5, 0.5)] * 120, 200, 1) | {"odd": drawn([(0.22, 0.22)], 200, 7)["p0"]}
    answer = schedule(read_plan(written(tmp_path, people)).value)
    assert answer.who is not None
    tests = answer.plan.data[1].family.tests
    assert tests["groups"].judged > 0.01 > tests["odd"].judged
    assert (answer.who.differ, answer.who.worst) == (True, "odd")
    [doubt] = [each for each in answer.plan.doubts if each.about == "groups"]
    assert 'group "odd" is farthest' in str(doubt)


def test_smoothing_changes_no_person(tmp_path: Path) -> None:
    people = drawn(UNLIKE, 60, 3)
    plain = schedule(read_plan(written(tmp_path, people)).value).who
    smooth = schedule(read_plan(written(tmp_path, people, more='smoothing = "100"')).value).who
    assert plain is not None
    assert smooth is not None
    assert smooth.leakages == plain.leakages


@pytest.mark.parametrize("more", ["", "kinds = 2", 'kinds = "each"', 'kinds = "each"\nthin = "out"'])
def test_people_of_whom_nothing_is_known_leave_the_verdict_open(tmp_path: Path, more: str) -> None:
    """Who leaves a value once and for all has a chain without an answer, and many records."""
    once = {f"once{k}": "a" * (20 + k) + "b" * 60 for k in range(5)}
    people = drawn([(0.4, 0.4)] * 8, 80, 1) | once
    answer = schedule(read_plan(written(tmp_path, people, budget='budget = "3"', more=more)).value)
    assert answer.who is not None
    assert (answer.who.over, answer.who.unknown) == (0, 5)
    assert set(answer.who.without) == set(once)
    assert answer.joint.verdict is not None
    assert (answer.joint.verdict.value, answer.verdict.value) == ("SATISFIES", "UNDECIDED")
    assert "5 of 13 people are not known to" in str(answer)
    short = drawn([(0.4, 0.4)] * 8, 80, 1) | {"few": "aab"}
    answer = schedule(read_plan(written(tmp_path, short, budget='budget = "3"', more=more)).value)
    assert answer.who is not None
    assert (answer.who.unknown, answer.verdict) == (0, answer.joint.verdict)


def test_people_who_were_not_looked_at_leave_the_verdict_open(tmp_path: Path) -> None:
    """Windows that overlap take long: those are looked at who are farthest from all, and those
    whose values depend most on the last ones, who leak most.
    """
    people = drawn([(0.97, 0.97)] * 12 + [(0.25, 0.25)] * 40, 60, 1)
    options = {"every": 2, "times": 2, "budget": 'budget = "2"'}
    path = written(tmp_path, people, **options)
    path.write_text(path.read_text(encoding="utf-8").replace("every = 2", "length = 3, every = 2"))
    answer = schedule(read_plan(path).value)
    assert answer.who is not None
    assert answer.plan.overlapping
    assert (len(answer.who.leakages), answer.who.unknown) == (20, 32)
    assert answer.verdict is not answer.joint.verdict
    assert {name for name in answer.who.leakages if int(name[1:]) >= 12}


def test_who_leaks_exactly_the_budget_keeps_it(tmp_path: Path) -> None:
    people = drawn(UNLIKE, 60, 3)
    noise = 'laplace = { scale = "1/log(2)" }'
    free = schedule(read_plan(written(tmp_path, people, budget="", noise=noise)).value).who
    assert free is not None
    ratio = free.leakages[free.worst].ratio
    assert ratio is not None
    for budget, over in ((ratio, 0), (ratio - Fraction(1, 10**40), 1)):
        said = f'budget = "log({budget})"'
        found = schedule(read_plan(written(tmp_path, people, budget=said, noise=noise)).value)
        assert found.who is not None
        assert (found.who.over, found.contrary) == (over, bool(over))


def test_one_group_is_nobody_beside_others(tmp_path: Path) -> None:
    answer = schedule(read_plan(written(tmp_path, drawn([(0.3, 0.4)], 60, 1))).value)
    assert answer.who is None
    assert answer.as_json()["model"] is None


def test_groups_of_equal_chains_are_asked_once_and_the_first_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Any
) -> None:
    from pufferproof.lp.accounting.releases import least as groups

    asked: list[object] = []
    whole = groups._Questions._enclosed
    monkeypatch.setattr(groups._Questions, "_enclosed", lambda self, prior: asked.append(prior) or whole(self, prior))
    one, two = drawn(UNLIKE[:2], 60, 3).values()
    people = {"x": one, "y": two, "z": one, 'odd "name", é <b>': two}
    said: list[str] = []
    found = schedule(read_plan(written(tmp_path, people)).value, said.append).who
    assert found is not None
    assert len(asked) == 2
    assert (found.worst, len(found.leakages)) == ("y", 4)
    assert "computing what is told about groups: 3 of 4" in said
    again = {'odd "name", é <b>': two, "x": one}
    _, out, _ = run("release", str(written(tmp_path, again, budget='budget = "0.3"')))
    assert '"odd \\"name\\", é <b>" leaks most' in out


def test_evidence_of_contrary_data_certifies_the_model_alone(tmp_path: Path, run: Any) -> None:
    path = str(written(tmp_path, drawn(UNLIKE, 60, 3), budget='budget = "0.9"'))
    for more, badge in (([], "UNDECIDED"), (["--accept-doubt"], "SATISFIES")):
        run("release", path, "--out", str(tmp_path / badge), *more)
        page = (tmp_path / badge / "index.html").read_text(encoding="utf-8")
        assert f'<span class="badge open">○ {badge}' in page
        assert 'class="badge good"' not in page
        text = (tmp_path / badge / "explain.txt").read_text(encoding="utf-8")
        assert "Certificates prove what is said of the model, not of the people recorded." in text
        assert "Under the model, both releases together multiply" in text
        assert 'number of records whose "v" is "b"' in text
        code, *_ = run("check", str(tmp_path / badge))
        assert code == 0


FRAMEWORK = """format = "pufferproof-framework/1"
[data]
csv = "d.csv"
column = "v"
group = "who"
length = 6
"""


def test_audits_and_fits_name_the_same_person_as_a_release(tmp_path: Path, run: Any) -> None:
    people = drawn(UNLIKE, 60, 3)
    options = {"every": 6, "times": 1, "noise": 'laplace = { scale = "3" }'}
    plan = schedule(read_plan(written(tmp_path, people, budget='budget = "0.9"', **options)).value)
    assert plan.who is not None
    mechanism = {"query": {"count": "b"}, "noise": {"laplace": {"scale": "3"}}}
    (tmp_path / "m.json").write_text(json.dumps({"format": "pufferproof-mechanism/1", **mechanism}), encoding="utf-8")
    (tmp_path / "f.toml").write_text(FRAMEWORK, encoding="utf-8")
    files = str(tmp_path / "f.toml"), str(tmp_path / "m.json")
    code, out, _ = run("audit", *files, "--epsilon", "0.9", "--json")
    told = json.loads(out)
    assert (code, told["verdict"], told["model"]) == (3, "UNDECIDED", "SATISFIES")
    assert told["who"] == plan.who.as_json()
    assert run("audit", *files, "--epsilon", "0.9")[1].startswith("UNDECIDED: the model keeps")
    assert run("audit", *files, "--epsilon", "0.9", "--accept-doubt")[0] == 0
    for more in (["--evidence", "e.zip"], ["--delta", "1/9", "--epsilon", "1"]):
        code, out, err = run("audit", *files, *more)
        assert (code, out) == (2, "")
        assert "needs a framework without data" in err
    fitted = pp.fit(tmp_path / "d.csv", "v", group="who", length=6)
    query = pp.RecordQuery("count", pp.Noise.laplace(3), fitted.records, counted="b")
    assert pp.release(fitted, query, "0.9").as_json()["who"] == plan.who.as_json()
    data = "data", str(tmp_path / "d.csv"), "--column", "v", "--group", "who", "--length", "6"
    found = json.loads(run(*data, "--epsilon", "0.9", "--json")[1])["who"]
    assert (found["worst"], found["of"]) == (plan.who.worst, 6)
    scale = exact(found["least"]["scale"]["upper"])
    assert plan.who.least is not None
    assert abs(scale / (3 * exact(plan.who.least.upper)) - 1) < Fraction(1, 10**8)
    again = drawn(UNLIKE, 60, 3)
    at_least = max(enumerated(word, float(scale), every=6) or 0 for word in again.values())
    assert abs(at_least - 0.9) < 1e-7


def test_a_table_is_audited_for_every_person(tmp_path: Path, run: Any) -> None:
    written(tmp_path, drawn(UNLIKE, 60, 3))
    rows = {"".join(x): (["3/4", "1/4"] if x[1] == "a" else ["1/4", "3/4"]) for x in TWO}
    table = {"format": "pufferproof-mechanism/1", "outputs": ["u", "v"], "channel": rows}
    (tmp_path / "m.json").write_text(json.dumps(table), encoding="utf-8")
    framework = FRAMEWORK.replace("length = 6", "length = 2")
    (tmp_path / "f.toml").write_text(framework, encoding="utf-8")
    out = run("audit", str(tmp_path / "f.toml"), str(tmp_path / "m.json"), "--json")[1]
    who = json.loads(out)["who"]
    assert who["leakage"]["ratio"] == "3"
    assert who["of"] == 6


TWO = [*product("ab", repeat=2)]
