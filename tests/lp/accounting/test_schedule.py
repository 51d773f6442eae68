"""Plans of releases over time: what all releases leak, which tells most, and the least noise."""

import os
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from random import Random

import pytest

from pufferproof import Framework, IntervalChain, MarkovChain, ModelError, Noise, RecordQuery, Records, audit
from pufferproof.lp.accounting.releases.least import _costly, least_of
from pufferproof.lp.accounting.releases.plan import Plan, read_plan
from pufferproof.lp.accounting.releases.schedule import schedule
from pufferproof.lp.assertions import assert_release
from pufferproof.models.numbers.level import Level
from pufferproof.reports.correlation.release.command import read_point_plan

FRAMEWORK = """{"format": "pufferproof-framework/1",
 "records": {"count": 12, "alphabet": ["0", "1"]},
 "secrets": {"off": {"record": 5, "value": "0"}, "on": {"record": 5, "value": "1"}},
 "pairs": [["on", "off"]],
 "priors": {"t": {"markov": {"initial": "stationary",
  "transition": [["3/4", "1/4"], ["1/2", "1/2"]]}}}}"""
HEAD = 'format = "pufferproof-release/1"\nframework = "f.json"\n'
WEEKS = """[[release]]
query = "sum"
noise = { laplace = { scale = "1" } }
records = { first = 1, every = 4, times = 3 }
"""


def written(folder: Path, plan: str) -> Path:
    (folder / "f.json").write_text(FRAMEWORK, encoding="utf-8")
    (folder / "plan.toml").write_text(plan, encoding="utf-8")
    return folder / "plan.toml"


def framework(count: int, record: int) -> Framework:
    chain = MarkovChain("stationary", [["3/4", "1/4"], ["1/2", "1/2"]])
    secrets = {"off": (record, "0"), "on": (record, "1")}
    return Framework.of_records(Records(count, ("0", "1")), secrets, "disjoint", {"t": chain})


def test_the_least_factor_keeps_the_budget_and_no_less_does(tmp_path: Path) -> None:
    found = schedule(read_plan(written(tmp_path, HEAD + 'budget = "0.5"\n' + WEEKS)).value)
    assert found.least is not None
    lower, upper = (Fraction(end) for end in (found.least.lower, found.least.upper))
    assert upper <= lower * (1 + Fraction(1, 10**9))
    for factor, kept in ((upper, True), (lower, False)):
        records = found.plan.framework.expect_records()
        scaled = [RecordQuery("sum", Noise.laplace(factor), records, query.segment) for query in found.plan.releases]
        assert bool(audit(found.plan.framework, scaled, "0.5").kept) is kept


def test_what_is_left_and_spent_is_the_budget(tmp_path: Path) -> None:
    found = schedule(read_plan(written(tmp_path, HEAD + 'budget = "log(40)"\n' + WEEKS)).value)
    assert found.left is not None
    assert found.left.lower is not None
    assert found.joint.leakage.lower is not None
    product = found.left.lower * found.joint.leakage.lower
    assert abs(product - 40) < Fraction(1, 10**9)
    assert schedule(Plan(found.plan.framework, found.plan.groups)).left is None


@pytest.mark.parametrize("budget", ["2", "1e-9", "800", "100000"])
def test_a_budget_that_no_factor_meets_is_no_error(budget: str) -> None:
    space = framework(12, 12)
    records = space.expect_records()
    group = tuple(RecordQuery("sum", Noise.laplace(1), records, ends) for ends in ((1, 4), (5, 8)))
    level = Level.of_nats(Fraction(budget))
    found = schedule(Plan(space, (group,), level))
    assert found.joint.verdict is not None
    assert (found.joint.verdict.value == "SATISFIES") is (budget != "1e-9")


def test_counts_of_a_value_need_no_numbers() -> None:
    records = Records(6, ("idle", "busy"))
    chain = MarkovChain("stationary", [["3/4", "1/4"], ["1/2", "1/2"]])
    secrets = {"off": (2, "idle"), "on": (2, "busy")}
    named = Framework.of_records(records, secrets, "disjoint", {"t": chain})
    query = RecordQuery("count", Noise.laplace(1), records, (1, 6), "busy")
    space = framework(6, 2)
    plain = RecordQuery("sum", Noise.laplace(1), space.expect_records())
    assert audit(named, query).leakage == audit(space, plain).leakage
    with pytest.raises(ModelError, match="expected one of"):
        RecordQuery("count", Noise.laplace(1), records, None, "away")
    with pytest.raises(ModelError, match="beside"):
        RecordQuery("sum", Noise.laplace(1), records, None, "busy")


def test_data_in_classes_make_a_plan(tmp_path: Path) -> None:
    values = [0.1, 0.2, 3.5, 4.0, 0.3, 2.9, 0.1, 5.5] * 6
    lines = "\n".join(f"{value}" for value in values)
    (tmp_path / "load.csv").write_text(f"kw\n{lines}\n", encoding="utf-8")
    data = '[data]\ncsv = "load.csv"\ncolumn = "kw"\ncuts = ["1"]\n'
    window = WEEKS.replace("every = 4, times = 3", "every = 12, times = 4")
    plan = read_plan(written(tmp_path, HEAD.replace('framework = "f.json"\n', data) + window)).value
    assert plan.framework.expect_records().count == 48
    assert len(plan.framework.pairs) == 48
    assert schedule(plan).joint.leakage.lower is not None
    counts = window.replace('query = "sum"', 'query = "histogram"')
    named = data.replace('cuts = ["1"]', 'classes = ["1"]')
    other = read_plan(written(tmp_path, HEAD.replace('framework = "f.json"\n', named) + counts)).value
    assert other.framework.expect_records().alphabet == ("below 1", "from 1")
    assert other.framework.priors["fitted"].transition == plan.framework.priors["fitted"].transition
    (tmp_path / "load.csv").write_text("t;kw\n" + "".join(f"{k};{x}\n".replace(".", ",") for k, x in enumerate(values)))
    more = named + 'time = "t"\nmissing = "split"\nseparator = ";"\ndecimal = ","\n'
    comma = read_plan(written(tmp_path, HEAD.replace('framework = "f.json"\n', more) + counts)).value
    assert comma.framework.priors["fitted"].transition == plan.framework.priors["fitted"].transition
    book = pytest.importorskip("openpyxl").Workbook()
    book.active.append(["other"])
    load = book.create_sheet("load")
    for row in (["kw"], *([value] for value in values)):
        load.append(row)
    book.save(tmp_path / "load.xlsx")
    sheet = named.replace("load.csv", "load.xlsx") + 'sheet = "load"\n'
    office = read_plan(written(tmp_path, HEAD.replace('framework = "f.json"\n', sheet) + counts)).value
    fitted = plan.framework.priors["fitted"].transition
    assert office.framework.priors["fitted"].transition == fitted
    both = data + "classes = 2\n"
    with pytest.raises(ModelError, match="classes: expected either cuts or classes"):
        read_plan(written(tmp_path, HEAD.replace('framework = "f.json"\n', both) + counts))
    (tmp_path / "load.csv").write_text(f"kw\n{lines}\n", encoding="utf-8")
    longer = data + "length = 60\nprivate = [7, 2]\n"
    long = read_plan(written(tmp_path, HEAD.replace('framework = "f.json"\n', longer) + window))
    assert long.value.framework.expect_records().count == 60
    assert {record for record, _ in long.value.framework.places.values()} == {2, 7}
    beyond = HEAD.replace('framework = "f.json"\n', data + "private = [49]\n") + window
    with pytest.raises(ModelError, match="expected records from 1 to 48"):
        read_plan(written(tmp_path, beyond))


def test_a_plan_that_cannot_be_is_refused(tmp_path: Path) -> None:
    for plan, message in [
        ('format = "pufferproof-release/1"\n' + WEEKS, 'either "framework" or "data"'),
        (HEAD + WEEKS.replace("times = 3", "times = 4"), "ends at record 16"),
        (HEAD + WEEKS.replace("every = 4", "every = 0"), "at least 1"),
        (HEAD + WEEKS.replace("first = 1", "first = 0"), "at least 1"),
        (HEAD + WEEKS.replace('"sum"', '{ count = "2" }'), '"2" is no value of the records'),
        (HEAD + WEEKS.replace('"sum"', '"median"'), "query"),
        (HEAD + 'budget = "-1"\n' + WEEKS, "budget"),
        (HEAD, "release"),
        (HEAD + "seed = 1\n" + WEEKS, "seed"),
    ]:
        with pytest.raises(ModelError, match=message):
            read_plan(written(tmp_path, plan))


@pytest.mark.parametrize("kind", ["framework", "data"])
@pytest.mark.parametrize("name", ["../other/f", "/dev/zero", "link", "pipe", "folder", "", "up/f"])
def test_a_plan_names_files_of_its_own_folder_alone(tmp_path: Path, name: str, kind: str) -> None:
    """Evidence is packed with them."""
    home, other = tmp_path / "home", tmp_path / "other"
    for folder in (home, other, home / "folder"):
        folder.mkdir()
    (other / "f").write_text(FRAMEWORK if kind == "framework" else "wet\n0\n1\n0\n1\n")
    (home / "link").symlink_to("../other/f")
    (home / "up").symlink_to("../other")
    os.mkfifo(home / "pipe")  # opening it would wait for a writer
    data = f'[data]\ncsv = "{name}"\ncolumn = "wet"\nlength = 4\n'
    head = HEAD.replace("f.json", name)
    if kind == "data":
        head = HEAD.replace('framework = "f.json"\n', data)
    plan = written(home, head + WEEKS)
    for read in (read_plan, read_point_plan) if kind == "framework" else (read_plan,):
        with pytest.raises(ModelError) as error:
            read(str(plan))
        key = "framework" if kind == "framework" else "data.csv"
        assert str(error.value).startswith(f"{plan}: {key}: ")


def test_a_plan_that_asks_for_fresh_samples_is_refused_by_name(tmp_path: Path) -> None:
    for plan in [
        HEAD + 'sample = "fresh"\n' + WEEKS,
        HEAD + "fresh = true\n" + WEEKS,
        HEAD + 'Sampling = { poisson = "1/10" }\n' + WEEKS,
        HEAD + 'database = "fresh"\n' + WEEKS,
        HEAD + WEEKS + "resample = 1\n",
        HEAD + WEEKS.replace("times = 3", 'times = 3, sample = "fresh"'),
        HEAD.replace('framework = "f.json"', '[data]\ncsv = "d.csv"\nredraw = true') + WEEKS,
    ]:
        with pytest.raises(ModelError, match="asks for a fresh sample for every release") as caught:
            read_plan(written(tmp_path, plan))
        assert "is drawn once" in str(caught.value)
        assert "\n" not in str(caught.value)


def test_a_budget_of_0_is_never_kept_by_noise(tmp_path: Path) -> None:
    found = schedule(read_plan(written(tmp_path, HEAD + 'budget = "0"\n' + WEEKS)).value)
    assert found.joint.verdict is not None
    assert found.joint.verdict.value == "VIOLATES"
    assert found.least is None
    assert found.left is None


@pytest.mark.parametrize("people", [1, 40])
@pytest.mark.parametrize(
    ("noise", "alphabet"), [(Noise.laplace(2), "01"), (Noise.geometric("1/2"), "01"), (Noise.laplace(2), "012")]
)
def test_the_least_factor_of_an_audit_keeps_its_level_and_less_does_not(
    noise: Noise, alphabet: str, people: int
) -> None:
    size = len(alphabet)
    rows = [["4/5" if i == j else f"1/{5 * (size - 1)}" for j in range(size)] for i in range(size)]
    records = Records(12, tuple(alphabet), people)
    secrets = {f"x={v}": (6, v) for v in alphabet[:2]}
    chain = {"theta": MarkovChain("stationary", rows)}
    framework = Framework.of_records(records, secrets, "disjoint", chain)
    query = RecordQuery("sum", noise, records)
    found = least_of(audit(framework, query, "0.3"))
    if people > 1 and size > 2:
        return
    assert found is not None
    for factor, verdict in ((found.upper, "SATISFIES"), (found.lower, "VIOLATES")):
        scaled = replace(query, noise=noise.times(Fraction(factor)))
        assert audit(framework, scaled, "0.3").verdict.value == verdict


def test_a_factor_that_takes_long_to_find_is_left_out() -> None:
    """Segments that are alike count once; what is left out says nothing."""
    chain = {"theta": MarkovChain("stationary", [["3/4", "1/4"], ["1/4", "3/4"]])}
    for count, length, costly in ((1_000, 1_000, False), (20_000, 20_000, True), (20_000, 9, False)):
        records = Records(count, ("0", "1"))
        secrets = {f"x{t}={v}": (t, v) for t in (2, 5) for v in "01"}
        framework = Framework.of_records(records, secrets, "disjoint", chain)
        ends = [(first, first + length - 1) for first in range(1, count - length + 2, length)]
        queries = [RecordQuery("sum", Noise.laplace(1), records, each) for each in ends]
        assert _costly(framework, queries) == costly


def test_what_keeps_its_level_or_has_none_needs_no_factor() -> None:
    records = Records(3, ("0", "1"))
    chain = {"theta": MarkovChain("stationary", [["3/4", "1/4"], ["1/4", "3/4"]])}
    secrets = {"a": (2, "0"), "b": (2, "1")}
    framework = Framework.of_records(records, secrets, "disjoint", chain)
    normal = RecordQuery("sum", Noise.gaussian(2), records)
    assert least_of(audit(framework, normal, "1")) is None
    low, high = [["4/5", "0"], ["0", "4/5"]], [["1", "1/5"], ["1/5", "1"]]
    places = {"off": (2, "0"), "on": (2, "1")}
    box = {"t": IntervalChain("any", low, high)}
    classes = Framework.of_records(Records(6, ("0", "1")), places, "disjoint", box)
    broken = audit(classes, RecordQuery("sum", Noise.laplace(1), classes.expect_records()), "0.1")
    assert broken.verdict is not None
    assert broken.verdict.value == "VIOLATES"
    factor = least_of(broken)
    assert factor is not None
    for scale, verdict in ((factor.upper, "SATISFIES"), (factor.lower, "VIOLATES")):
        query = RecordQuery("sum", Noise.laplace(scale), classes.expect_records())
        again = audit(classes, query, "0.1").verdict
        assert again is not None
        assert again.value == verdict
    assert least_of(audit(framework, RecordQuery("sum", Noise.laplace(2), records))) is None


def homes(count: int, length: int) -> str:
    """Return recordings: every second home changes its value with 0.02, the others with 0.5."""
    random, lines = Random(1), ["home,active"]
    for home in range(count):
        value = 0
        for _ in range(length):
            value ^= random.random() < (0.02 if home % 2 else 0.5)
            lines.append(f"{home},{value}")
    return "\n".join(lines) + "\n"


POOLED = (
    'format = "pufferproof-release/1"\nbudget = "1"\n[data]\ncsv = "homes.csv"\ncolumn = "active"\n'
    'group = "home"\nlength = 12\nprivate = [5]\n'
)


@pytest.mark.parametrize("more", ["", 'confidence = "90%"\nstopping = "any"\n'])
def test_homes_that_are_not_alike_are_a_doubt_of_the_release(tmp_path: Path, more: str) -> None:
    (tmp_path / "homes.csv").write_text(homes(10, 200), encoding="utf-8")
    path = written(tmp_path, POOLED + more + WEEKS)
    found = schedule(read_plan(path).value)
    doubt, *others = found.as_json()["doubts"]
    assert doubt["about"] == "groups"
    assert doubt["p"] < 0.001
    assert "makes priors that hold every group" in doubt["says"]
    assert not others
    assert found.who is not None
    assert len(found.who.leakages) + len(found.who.without) == 10
    assert found.who.unknown == len(found.who.without) == 1
    assert doubt["says"] in str(found)
    with pytest.warns(UserWarning, match="evidence against one chain for all groups"):
        assert_release(path, "9", accept_doubt=True)


def test_homes_that_are_not_alike_leave_no_box_of_one_chain(tmp_path: Path) -> None:
    (tmp_path / "homes.csv").write_text(homes(10, 200), encoding="utf-8")
    confidence = 'confidence = "90%"\n'
    with pytest.raises(ModelError, match=r"recordings are not alike: .*kinds box"):
        read_plan(written(tmp_path, POOLED + confidence + WEEKS))
    around = read_plan(written(tmp_path, POOLED + confidence + 'kinds = "box"\n' + WEEKS)).value
    assert list(around.framework.priors) == ["box around 10 groups"]


def test_data_of_a_plan_have_times_and_absorbing_values(tmp_path: Path) -> None:
    rows = "\n".join(f"{day},{'ok' if day % 5 else 'ill'},{day // 6}" for day in range(18))
    (tmp_path / "homes.csv").write_text(f"t,active,home\n{rows}\n17.5,dead,2\n", encoding="utf-8")
    count = WEEKS.replace('"sum"', '{ count = "ill" }')
    with pytest.raises(ModelError, match=r"line 20: .* step of 1/2: expected steps of 1"):
        read_plan(written(tmp_path, POOLED + 'time = "t"\nabsorbing = ["dead"]\n' + count))
    (tmp_path / "homes.csv").write_text(f"t,active,home\n{rows}\n18,dead,2\n", encoding="utf-8")
    with pytest.raises(ModelError, match='nothing follows "dead"'):
        read_plan(written(tmp_path, POOLED + count))
    known = read_plan(written(tmp_path, POOLED + 'time = "t"\nabsorbing = ["dead"]\n' + count))
    (prior,) = known.value.framework.priors.values()
    assert isinstance(prior, MarkovChain)
    assert prior.transition[0] == (1, 0, 0)
    smooth = read_plan(written(tmp_path, POOLED + 'smoothing = "1/2"\n' + count)).value
    assert [doubt.about for doubt in smooth.doubts] == ["rows", "smoothing"]
    for wrong in ('absorbing = "dead"\n', 'absorbing = ["x"]\n', 'time = "no"\n', "time = 1\n"):
        with pytest.raises(ModelError, match=r"absorbing|time|no"):
            read_plan(written(tmp_path, POOLED + wrong + count))


def test_a_schedule_says_what_its_releases_share(tmp_path: Path) -> None:
    found = schedule(read_plan(written(tmp_path, HEAD + WEEKS)).value)
    assert found.shared is not None
    assert found.as_json()["shared"] == found.shared
    assert found.shared in str(found)
    one = WEEKS.replace("every = 4, times = 3", "length = 4")
    alone = schedule(read_plan(written(tmp_path, HEAD + one)).value)
    assert alone.shared is None
    assert alone.as_json()["shared"] is None


def test_overlapping_windows_are_allowed_and_said(tmp_path: Path) -> None:
    plan = HEAD + WEEKS.replace("every = 4, times = 3", "length = 4, every = 3, times = 2")
    known = read_plan(written(tmp_path, plan)).value
    assert known.overlapping
    assert schedule(known).as_json()["overlapping"] is True
