"""Ledgers: what was released comes back, another framework is refused, and nothing is lost."""

import json
import os
import threading
from importlib.resources import files

import pytest

from pufferproof import (
    AdditiveNoise,
    Channel,
    Framework,
    LocalMechanism,
    MarkovChain,
    ModelError,
    Noise,
    Product,
    RecordQuery,
    Records,
    Table,
    read_framework,
    read_mechanism,
)
from pufferproof.lp.accounting.accountant import Accountant

CHAIN = MarkovChain("stationary", [["9/10", "1/10"], ["1/10", "9/10"]])
RECORDS = Records(6, ("0", "1"))
SECRETS = {value: (3, value) for value in "01"}


@pytest.fixture
def space():
    return Framework.of_records(RECORDS, SECRETS, "disjoint", {"theta": CHAIN})


@pytest.fixture
def path(tmp_path):
    return tmp_path / "day.json"


def spent(space):
    account = Accountant(space).spend("0.1", records=(1, 3), runs=2, name="ä").spend("log(3/2)")
    account.spend(["0.1", "0.1", "0.125", "0", "0.1", "0.1"])
    account.spend(RecordQuery("sum", Noise("laplace", "3/log(2)"), RECORDS, (2, 4)))
    account.spend(RecordQuery("histogram", Noise("geometric", "1/2"), RECORDS))
    return account


def same(one, other):
    assert [str(bound) for bound in one.bounds()] == [str(bound) for bound in other.bounds()]
    assert one.levels == other.levels
    assert [(each.name, each.runs) for each in one.releases] == [(each.name, each.runs) for each in other.releases]


@pytest.mark.parametrize(
    "mechanism",
    [
        LocalMechanism("01", "uv", [[["2/3", "1/3"], ["1/3", "2/3"]]] * 6),
        LocalMechanism.redacting("01", [["1/2", "1"], [1, 1], [1, 1]] * 2),
        Channel.of({x: ["1/3", "2/3"] if x[0] == "0" else ["1/2", "1/2"] for x in RECORDS.labels()}, "uv"),
        RecordQuery("mean", Noise("gaussian", "3/2"), RECORDS),
        RecordQuery("sum", Noise("discrete_laplace", 2), RECORDS, (1, 2)),
    ],
)
def test_every_kind_of_mechanism_comes_back(space, path, mechanism):
    account = Accountant(space).spend(mechanism, runs=2, name="m")
    account.save(path)
    again = Accountant.load(path, space)
    same(account, again)
    assert again.epsilon() == account.epsilon()
    assert again.releases[0].mechanism == account.releases[0].mechanism


def test_tables_and_queries_together_come_back(path):
    prior = {"theta": Table({"00": "1/2", "11": "1/2"})}
    secrets = {value: (1, value) for value in "01"}
    space = Framework.of_records(Records(2, ("0", "1")), secrets, "disjoint", prior)
    table = {"00": ["0", "1/2"], "01": [1, 1], "10": [0, 0], "11": [2, 1]}
    one = AdditiveNoise(table, Noise("laplace", 2))
    two = AdditiveNoise({x: x.count("1") for x in table}, Noise("laplace", 3))
    account = Accountant(space).spend([one, two])
    account.save(path)
    again = Accountant.load(path, space)
    assert again.levels == account.levels
    assert again.epsilon() == account.epsilon()
    assert len(again.releases) == 2
    account.spend("0.5").save(path)
    assert len(Accountant.load(path, space).releases) == 3


def test_releases_of_somebody_else_are_not_lost(space, path):
    mine = spent(space)
    mine.save(path)
    Accountant.load(path, space).spend("0.25").save(path)
    before = path.read_bytes()
    with pytest.raises(ModelError, match="other releases"):
        mine.spend("0.5").save(path)
    assert path.read_bytes() == before


def test_an_equal_release_of_somebody_else_is_another_one(space, path):
    mine, other = (Accountant(space).spend("0.1") for _ in range(2))
    other.save(path)
    with pytest.raises(ModelError, match="other releases"):
        mine.save(path)
    other.spend("0.1").save(path)
    late = Accountant.load(path, space).spend("0.2")
    Accountant.load(path, space).spend("0.2").save(path)
    with pytest.raises(ModelError, match="other releases"):
        late.save(path)
    with pytest.raises(ModelError, match="other releases"):
        other.spend("0.2").save(path)
    assert len(Accountant.load(path, space).releases) == 3


def test_accounts_that_race_lose_no_release(space, path):
    Accountant(space).spend("0.1").save(path)
    entered = []

    def enter(number):
        while True:
            try:
                Accountant.load(path, space).spend("0.1", name=f"{number}").save(path)
                return entered.append(number)
            except ModelError:
                continue

    threads = [threading.Thread(target=enter, args=(number,)) for number in range(6)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    names = [each.name for each in Accountant.load(path, space).releases]
    assert sorted(names[1:]) == sorted(map(str, entered))


def test_an_interruption_leaves_the_ledger_as_it_was(space, path, monkeypatch):
    spent(space).save(path)
    before = path.read_bytes()

    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "replace", interrupted)
    with pytest.raises(KeyboardInterrupt):
        Accountant.load(path, space).spend("1").save(path)
    assert path.read_bytes() == before
    assert [each.name for each in path.parent.iterdir()] == ["day.json"]


@pytest.mark.parametrize("change", ["chain", "secrets", "count", "product", "pairs"])
def test_a_ledger_of_another_framework_is_refused(space, path, change):
    spent(space).save(path)
    chain = MarkovChain("stationary", [["8/10", "2/10"], ["1/10", "9/10"]]) if change == "chain" else CHAIN
    prior = Product([["1/2", "1/2"]] * 6) if change == "product" else chain
    secrets = {value: (4, value) for value in "01"} if change == "secrets" else SECRETS
    records = Records(7, ("0", "1")) if change == "count" else RECORDS
    names = {"pairs": {**secrets, "2": (1, "0"), "3": (1, "1")}}.get(change, secrets)
    pairs = [("2", "3")] if change == "pairs" else "disjoint"
    other = Framework.of_records(records, names, pairs, {"theta": prior})
    before = path.read_bytes()
    with pytest.raises(ModelError, match="another framework"):
        Accountant.load(path, other)
    with pytest.raises(ModelError, match="nothing was written"):
        Accountant(other).spend("0.1").save(path)
    assert path.read_bytes() == before


def test_products_of_different_rows_are_different_frameworks():
    secrets = {value: (1, value) for value in "01"}
    one, other = (
        Framework.of_records(Records(2, ("0", "1")), secrets, "disjoint", {"theta": Product(rows)})
        for rows in ([["1/2", "1/2"]] * 2, [["1/2", "1/2"], ["1/3", "2/3"]])
    )
    assert Accountant(one).sha256 != Accountant(other).sha256


def test_a_framework_file_is_known_by_its_hash(path):
    meter = files("pufferproof.examples") / "correlated" / "smart-meter"
    framework = read_framework(meter / "framework.json")
    account = Accountant(framework).spend(read_mechanism(meter / "mechanism-count.json", framework))
    account.save(path)
    assert json.loads(path.read_text())["framework"] == framework.sha256
    assert json.loads(path.read_text())["releases"][0]["name"].endswith("mechanism-count.json")
    same(account, Accountant.load(path, framework))
    with pytest.raises(ModelError, match="another framework"):
        Accountant.load(path, framework.value)


GOOD = {"format": "pufferproof-ledger/1", "framework": "sha256:" + "0" * 64, "releases": []}
SUM = {"format": "pufferproof-mechanism/1", "query": "sum", "noise": {"laplace": {"scale": "2"}}}


def release(**changes):
    entry = {"name": "a", "runs": 1, "mechanism": SUM} | changes
    return {"releases": [{key: value for key, value in entry.items() if value is not None}]}


def test_damaged_ledgers_are_refused(space, path):
    for content, message in [
        ("", "is empty"),
        ("{", "not valid JSON"),
        ("[]", "expected"),
        (b"\xff", "expected UTF-8"),
        ('{"format": 1, "format": 2}', "occurs twice"),
        ({"format": "pufferproof-ledger/2"}, 'format: expected "pufferproof-ledger/1"'),
        ({"framework": "sha256:1"}, "framework"),
        ({"more": 1}, 'unknown key "more"'),
        (release(runs=0), r"releases\[0\].runs"),
        (release(runs="1"), r"releases\[0\].runs"),
        (release(name=None), r'releases\[0\]: missing key "name"'),
        (release(mechanism=None), 'expected either "mechanism" or "levels"'),
        (release(levels=[]), 'expected either "mechanism" or "levels"'),
        (release(mechanism={**SUM, "query": "median"}), r"releases\[0\].mechanism"),
        (release(mechanism={**SUM, "segment": [1, 9]}), r"releases\[0\].*segment"),
        (release(mechanism={**SUM, "noise": {"laplace": {"scale": "-1"}}}), r"releases\[0\].*scale"),
        (release(mechanism=None, levels=[{"records": [1, 9], "level": "1"}]), r"releases\[0\].*records"),
        (release(mechanism=None, levels=[{"records": [1, 2], "level": "log(1/2)"}]), r"releases\[0\]"),
        (release(mechanism=None, levels=[{"records": [1, 2], "level": "-1"}]), r"releases\[0\]"),
    ]:
        known = GOOD | {"framework": Accountant(space).sha256}
        if isinstance(content, dict):
            content = json.dumps(known | content)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        with pytest.raises(ModelError, match=message) as refused:
            Accountant.load(path, space)
        assert str(refused.value).startswith(str(path))
        assert "\n" not in str(refused.value)


def test_what_is_no_file_is_refused(space, tmp_path):
    with pytest.raises(ModelError, match="expected a regular file or none"):
        Accountant.load(tmp_path, space)
    with pytest.raises(ModelError, match="No such file"):
        Accountant.load(tmp_path / "none.json", space)
    with pytest.raises(ModelError, match="cannot be written"):
        Accountant(space).save(tmp_path / "none" / "day.json")
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(ModelError, match="expected a regular file or none"):
        Accountant(space).save(tmp_path / "pipe")
