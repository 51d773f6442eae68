"""Chosen records of a network, shown or randomised by name: as enumeration has it."""

import gzip
import json
from fractions import Fraction
from itertools import product
from math import log, prod
from pathlib import Path

import pgmpy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pufferproof import BayesianNetwork, Framework, Records, audit
from pufferproof.models.errors import ModelError
from pufferproof.models.files.frameworks import read_framework
from pufferproof.models.files.mechanisms import read_mechanism
from pufferproof.models.priors.networks.formats import network_in
from pufferproof.models.sequences.local import randomising, showing
from pufferproof.verify.sequences.leakage import network_leakage

SHIPPED = Path(pgmpy.__file__).parent / "utils" / "example_models"
COIN = [["3/4", "1/4"], ["1/4", "3/4"]]


def of_network(name, secret, values):
    prior = network_in((SHIPPED / f"{name}.bif.gz").read_bytes()).divided()
    secrets = {"s": (secret, values[0]), "t": (secret, values[1])}
    return Framework(prior.records, secrets, "disjoint", {"net": prior})


@pytest.mark.parametrize(
    ("name", "secret", "values", "shown", "nats"),
    [
        ("asia", "bronc", ("yes", "no"), "dysp", 1.814680394),
        ("asia", "lung", ("yes", "no"), "xray", 3.850496477),
        ("earthquake", "Alarm", ("True", "False"), "JohnCalls", log(18)),
    ],
)
def test_one_node_of_a_shipped_network_is_shown(name, secret, values, shown, nats):
    framework = of_network(name, secret, values)
    found = network_leakage(framework, showing(framework.records, [shown]))
    assert log(found.leakage.lower) == pytest.approx(nats, abs=1e-9)
    assert found.witness.output.startswith(f"{shown}=")
    assert network_leakage(framework, showing(framework.records, [secret])).leakage.infinite


@st.composite
def cases(draw):
    """Three records with values of their own, any tables, and rows that randomise some of them."""
    values = [("a", "b"), ("b", "c", "a"), ("d", "b")]
    names, parents, cpt = ("x", "y", "z"), {1: [], 2: [1], 3: [1, 2]}, {}
    for record, above in parents.items():
        size = len(values[record - 1])
        row = st.lists(st.integers(0, 4), min_size=size, max_size=size).filter(any)
        cpt[record] = {
            "".join(key): [Fraction(n, sum(drawn)) for n in drawn]
            for key in product(*(values[each - 1] for each in above))
            for drawn in [draw(row)]
        }
    records = Records.named(dict(zip(names, values)))
    chosen = draw(st.lists(st.sampled_from(names), min_size=1, max_size=2, unique=True))
    rows = {}
    for name in chosen:
        size = len(values[names.index(name)])
        weights = [draw(st.lists(st.integers(1, 4), min_size=size, max_size=size)) for _ in range(size)]
        rows[name] = [[Fraction(w, sum(row)) for w in row] for row in weights]
    return records, BayesianNetwork(parents, cpt), rows


@settings(max_examples=40, deadline=None)
@given(cases())
def test_randomised_records_leak_as_enumerated(case):
    records, network, rows = case
    secrets = {value: ("y", value) for value in ("a", "b", "c")}
    framework = Framework(records, secrets, "disjoint", {"net": network})
    laws = {}
    for x, y, z in product(*records.values):
        keys = {1: "", 2: x, 3: x + y}
        table = {record: dict(row) for record, row in enumerate(network.cpt, 1)}
        p = prod(
            table[record][keys[record]][records.own(record).index(value)] for record, value in zip((1, 2, 3), (x, y, z))
        )
        value = dict(zip(records.names, (x, y, z)))
        own = {name: records.own(records.number(name)) for name in rows}
        for output in product(*own.values()):
            q = prod(
                rows[name][own[name].index(value[name])][own[name].index(shown)] for name, shown in zip(rows, output)
            )
            laws.setdefault(y, {}).setdefault(output, Fraction(0))
            laws[y][output] += p * q
    sums = {y: sum(law.values()) for y, law in laws.items()}
    possible = [y for y in laws if sums[y]]
    if len(possible) < 2:
        with pytest.raises(ModelError, match="nothing to check"):
            network_leakage(framework, randomising(records, rows))
        return
    largest = max(
        laws[s][o] / sums[s] / (laws[t][o] / sums[t]) for s, t in product(possible, repeat=2) for o in laws[s]
    )
    assert network_leakage(framework, randomising(records, rows)).leakage.lower == largest


def test_files_show_and_randomise_by_name(tmp_path):
    (tmp_path / "asia.bif").write_bytes(gzip.decompress((SHIPPED / "asia.bif.gz").read_bytes()))
    document = {
        "format": "pufferproof-framework/1",
        "records": {"from": "asia.bif"},
        "secrets": {v: {"record": "lung", "value": v} for v in ("yes", "no")},
        "pairs": "disjoint",
        "priors": {"net": {"bayes_net": {"bif": "asia.bif"}}},
    }
    (tmp_path / "framework.json").write_text(json.dumps(document))
    framework = read_framework(tmp_path / "framework.json")

    def answer(**form):
        path = tmp_path / "mechanism.json"
        path.write_text(json.dumps({"format": "pufferproof-mechanism/1", **form}))
        return audit(framework, read_mechanism(path, framework)).leakage.lower

    assert answer(show=["xray"]) == answer(show=[7]) == Fraction(117541, 2500)
    assert answer(local={"xray": COIN}) == Fraction(180041, 65000)
    same = answer(local={"xray": COIN}, outputs=["seen", "unseen"])
    assert same == Fraction(180041, 65000)
    for form, message in (
        ({"show": ["x-ray"]}, 'show: unknown record "x-ray", did you mean "xray"'),
        ({"show": []}, "show: expected at least one record"),
        ({"show": [9]}, "show: expected a record from 1 to 8, found 9"),
        ({"show": ["xray", 7]}, 'show: "xray" occurs twice'),
        ({"show": ["xray"], "outputs": ["yes"]}, 'leave out "outputs"'),
        ({"local": {"xray": COIN[:1]}}, "local.xray: expected 2 rows, one per value, found 1"),
        ({"local": {"xray": [["1"], ["1"]]}}, r"local.xray\[0\]: expected 2 entries"),
        ({"local": {"xray": [["1/2", "1/4"], ["0", "1"]]}}, "sums to 3/4"),
        ({"local": {"xray": COIN}, "outputs": ["*", "u"]}, "stands for records that are not shown"),
    ):
        with pytest.raises(ModelError, match=message):
            answer(**form)
