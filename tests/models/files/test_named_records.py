"""Records with names and values of their own, in files and in Python: as with numbers and one
alphabet, and what is unknown is named.
"""

import gzip
import json
from fractions import Fraction
from itertools import product
from math import exp, log
from pathlib import Path

import pgmpy
import pytest

from pufferproof import BayesianNetwork, Framework, Noise, RecordQuery, Records, audit, compose
from pufferproof.models.errors import ModelError
from pufferproof.models.files.frameworks import read_framework
from pufferproof.models.files.mechanisms import read_mechanism
from pufferproof.models.mechanisms.adapters.entry import as_prior
from pufferproof.models.priors.markov import MarkovChain

SHIPPED = Path(pgmpy.__file__).parent / "utils" / "example_models"
OWN = {"smoke": ["yes", "no"], "age": ["young", "old"], "lung": ["no", "yes"]}
TABLES = {
    "parents": {"smoke": ["age"], "age": [], "lung": ["smoke", "age"]},
    "cpt": {
        "age": {"": ["1/3", "2/3"]},
        "smoke": {"young": ["1/2", "1/2"], "old": ["1/5", "4/5"]},
        "lung": {
            "yes,young": ["9/10", "1/10"],
            "yes,old": ["3/5", "2/5"],
            "no,young": ["1", "0"],
            "no,old": ["7/8", "1/8"],
        },
    },
}
NUMBERED = {
    "parents": {"1": ["2"], "2": [], "3": ["1", "2"]},
    "cpt": {{"smoke": "1", "age": "2", "lung": "3"}[k]: row for k, row in TABLES["cpt"].items()},
}
ILL = {"ill": {"record": "lung", "value": "yes"}, "well": {"record": "lung", "value": "no"}}


@pytest.fixture
def answer(tmp_path):
    def of(records, priors, query, secrets=ILL, normalize=False, pairs=("ill", "well")):
        document = {
            "format": "pufferproof-framework/1",
            "records": records,
            "secrets": secrets,
            "pairs": [list(pairs)],
            "priors": priors,
        }
        (tmp_path / "framework.json").write_text(json.dumps(document))
        noisy = {"format": "pufferproof-mechanism/1", "query": query, "noise": {"laplace": {"scale": "1"}}}
        (tmp_path / "query.json").write_text(json.dumps(noisy))
        framework = read_framework(tmp_path / "framework.json", normalize)
        return audit(framework, read_mechanism(tmp_path / "query.json", framework))

    return of


def nats(found):
    return log(found.leakage.lower), log(found.leakage.upper)


def brute(counted, chosen):
    """The largest ratio over outputs at all values of the count, by enumeration."""
    from math import exp

    laws = {"yes": {}, "no": {}}
    for smoke, age, lung in product(*OWN.values()):
        row = dict(zip(OWN["smoke"], TABLES["cpt"]["smoke"][age]))
        last = dict(zip(OWN["lung"], TABLES["cpt"]["lung"][f"{smoke},{age}"]))
        p = eval(TABLES["cpt"]["age"][""][age == "old"]) * eval(row[smoke]) * eval(last[lung])
        values = {"smoke": smoke, "age": age, "lung": lung}
        count = sum(values[name] == counted for name in chosen)
        laws[lung][count] = laws[lung].get(count, 0) + p
    ratios = []
    for w in range(4):
        f = {v: sum(p * exp(-abs(w - c)) for c, p in law.items()) / sum(law.values()) for v, law in laws.items()}
        ratios += [log(f["yes"] / f["no"]), log(f["no"] / f["yes"])]
    return max(ratios)


@pytest.mark.parametrize(
    ("counted", "chosen"),
    [("yes", ["smoke", "lung"]), ("yes", ["smoke"]), ("old", ["age"]), ("yes", None), ("no", ["lung", "smoke"])],
)
def test_names_values_and_chosen_records_are_as_enumerated(answer, counted, chosen):
    query = {"count": counted} if chosen is None else {"count": counted, "of": chosen}
    found = nats(answer({"values": OWN}, {"net": {"bayes_net": TABLES}}, query))
    assert found == pytest.approx([brute(counted, chosen or list(OWN))] * 2, abs=1e-12)
    order = ["lung", "smoke", "age"]  # another one: nothing changes
    turned = answer({"names": order, "values": OWN}, {"net": {"bayes_net": TABLES}}, query)
    assert nats(turned) == pytest.approx(found, abs=1e-14)


def test_in_python_it_is_the_same(answer):
    records = Records.named(OWN)
    network = BayesianNetwork(NUMBERED["parents"], NUMBERED["cpt"])
    secrets = {"ill": ("lung", "yes"), "well": ("lung", "no")}
    framework = Framework(records, secrets, [("ill", "well")], {"net": network})
    query = RecordQuery("count", Noise.laplace(1), records, counted="yes", of=("lung", "smoke"))
    assert query.of == (1, 3)
    file = answer({"values": OWN}, {"net": {"bayes_net": TABLES}}, {"count": "yes", "of": [1, 3]})
    assert audit(framework, query).leakage == file.leakage


def shipped(tmp_path, name):
    data = (SHIPPED / f"{name}.bif.gz").read_bytes()
    (tmp_path / f"{name}.bif.gz").write_bytes(data)
    (tmp_path / f"{name}.bif").write_bytes(gzip.decompress(data))


@pytest.mark.parametrize("suffix", ["bif", "bif.gz"])
def test_names_and_values_come_from_the_file_of_a_network(answer, tmp_path, suffix):
    shipped(tmp_path, "asia")
    net = {"net": {"bayes_net": {"bif": f"asia.{suffix}"}}}
    found = answer({"from": f"asia.{suffix}"}, net, {"count": "yes"})
    assert nats(found) == pytest.approx([4.0699345797933988] * 2, abs=1e-12)
    bronc = {"ill": {"record": "bronc", "value": "yes"}, "well": {"record": "bronc", "value": "no"}}
    far = answer({"from": f"asia.{suffix}"}, net, {"count": "yes", "of": ["dysp"]}, bronc)
    assert log(far.leakage.upper) < 1  # one record, at scale 1
    numbered = {k: {"record": 5, "value": v["value"]} for k, v in bronc.items()}
    same = answer({"from": f"asia.{suffix}"}, net, {"count": "yes", "of": [8]}, numbered)
    assert same.leakage == far.leakage


def test_variables_of_a_file_are_found_by_name_in_any_order(answer, tmp_path):
    shipped(tmp_path, "asia")
    net = {"net": {"bayes_net": {"bif": "asia.bif"}}}
    names = ["xray", "dysp", "lung", "either", "bronc", "tub", "smoke", "asia"]
    values = {name: ["no", "yes"] for name in names}
    found = answer({"names": names, "values": values}, net, {"count": "yes"})
    assert nats(found) == pytest.approx([4.0699345797933988] * 2, abs=1e-12)
    renamed = {("x-ray" if name == "xray" else name): row for name, row in values.items()}
    with pytest.raises(ModelError, match='no variable "x-ray", did you mean "xray"'):
        answer({"values": renamed}, net, {"count": "yes"})


@pytest.mark.parametrize(
    ("records", "message"),
    [
        ({"names": ["smoke", "lungs"], "values": OWN}, 'record "lungs", did you mean "lung"'),
        ({"names": ["smoke", "lung"], "values": OWN}, 'unknown record "age"'),
        ({"names": ["smoke", "smoke"], "alphabet": ["a", "b"]}, 'record "smoke" occurs twice'),
        ({"count": 2, "values": OWN}, "expected 2 names, one for every record, found 3"),
        ({"values": OWN | {"lung": []}}, 'values of "lung": expected at least one value'),
        ({"values": OWN | {"lung": ["a", "a"]}}, 'values of "lung": value "a" occurs twice'),
        ({"values": OWN, "alphabet": ["yes", "no"]}, 'leave out "alphabet"'),
        ({"from": "asia.bif", "count": 8}, 'leave out "count"'),
        ({"from": "missing.bif"}, "records.from: missing.bif: cannot be read"),
        ({"alphabet": ["yes", "no"]}, 'missing key "count"'),
    ],
)  # fmt: skip
def test_records_that_do_not_fit_are_refused(answer, records, message):
    with pytest.raises(ModelError, match=message):
        answer(records, {"net": {"bayes_net": TABLES}}, {"count": "yes"})


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"secrets": {**ILL, "ill": {"record": "lungs", "value": "yes"}}},
         'secrets.ill.record: unknown record "lungs", did you mean "lung"'),
        ({"secrets": {**ILL, "ill": {"record": "lung", "value": "yess"}}},
         'expected one of "no", "yes" of "lung", found "yess", did you mean "yes"'),
        ({"secrets": {**ILL, "ill": {"record": "lung", "value": "old"}}}, 'of "lung", found "old"'),
        ({"query": {"count": "yes", "of": ["smoker"]}}, 'of: unknown record "smoker", did'),
        ({"query": {"count": "old", "of": ["smoke", "lung"]}}, 'no chosen record has value .old'),
        ({"query": {"count": "yes", "of": ["lung", "lung"]}}, '"lung" occurs twice'),
        ({"query": {"count": "yes", "of": [4]}}, "expected a record from 1 to 3, found 4"),
        ({"query": {"count": "yes", "of": []}}, "at least one record"),
        ({"query": {"count": "yess"}}, 'found .yess., did you mean "yes"'),
        ({"priors": {"net": {"product": [["1/4"] * 4] * 3}}},
         "records have values of their own: expected a \"bayes_net\" prior"),
        ({"priors": {"net": {"bayes_net": TABLES | {"parents": {"lung": ["smok"]}}}}},
         'parents.lung: unknown record "smok", did you mean "smoke"'),
    ],
)  # fmt: skip
def test_unknown_names_and_values_are_named(answer, change, message):
    given = {"priors": {"net": {"bayes_net": TABLES}}, "query": {"count": "yes"}, "secrets": ILL}
    given |= change
    with pytest.raises(ModelError, match=message):
        answer({"values": OWN}, given["priors"], given["query"], given["secrets"])


def test_names_go_with_one_alphabet_and_any_prior():
    records = Records(3, ("0", "1"), names=("mon", "tue", "wed"))
    chain = {"c": MarkovChain("stationary", [["3/4", "1/4"], ["1/5", "4/5"]])}
    framework = Framework(records, {"s": ("tue", "0"), "t": ("tue", "1")}, "disjoint", chain)
    for of in (("mon", "tue"), ("mon", "wed"), ("wed", "tue", "mon")):
        query = RecordQuery("count", Noise.laplace(1), records, counted="1", of=of)
        listed = audit(framework, query.written_out()).leakage
        assert nats(audit(framework, query)) == pytest.approx((log(listed.lower), log(listed.upper)))


def test_chosen_records_apart_are_refused_where_engines_know_segments_only():
    records = Records(200, ("0", "1", "2"), names=tuple(f"d{t}" for t in range(200)))
    rows = [["1/2", "1/4", "1/4"], ["1/4", "1/2", "1/4"], ["1/4", "1/4", "1/2"]]
    secrets = {"s": ("d100", "0"), "t": ("d100", "2")}
    framework = Framework(records, secrets, "disjoint", {"c": MarkovChain("stationary", rows)})
    query = RecordQuery("count", Noise.laplace(1), records, counted="0", of=("d3", "d101"))
    with pytest.raises(ModelError, match="records that do not follow one another"):
        _ = query.ends
    assert audit(framework, query).leakage.upper > 1


def test_as_prior_has_the_records_of_a_network():
    from pgmpy.readwrite import BIFReader

    model = BIFReader(string=gzip.decompress((SHIPPED / "cancer.bif.gz").read_bytes()).decode())
    prior = as_prior(model.get_model(), normalize=True)
    assert prior.records.names == tuple(prior.values)
    secrets = {"s": ("Cancer", "True"), "t": ("Cancer", "False")}
    framework = Framework(prior.records, secrets, "disjoint", {"net": prior})
    query = RecordQuery("count", Noise.laplace(1), prior.records, counted="True", of=("Cancer",))
    assert log(audit(framework, query).leakage.upper) <= 1 + 1e-9


def test_a_record_without_the_first_letter_has_a_law():
    records = Records.named(OWN)
    network = BayesianNetwork(NUMBERED["parents"], NUMBERED["cpt"])
    law = dict(zip(records.alphabet, network.marginal(2, records)))
    assert [law["young"], law["old"], law["yes"]] == [Fraction(1, 3), Fraction(2, 3), 0]
    with pytest.raises(ModelError, match="expected a record from 1 to 3, found 4"):
        network.marginal(4, records)


def test_chosen_records_and_a_segment_with_the_same_ends_are_two_queries():
    records = Records.named(OWN)
    network = BayesianNetwork(NUMBERED["parents"], NUMBERED["cpt"])
    secrets = {"ill": ("lung", "yes"), "well": ("lung", "no")}
    framework = Framework(records, secrets, [("ill", "well")], {"net": network})
    ends = RecordQuery("count", Noise.laplace(1), records, counted="old", of=(1, 2, 3))
    apart = RecordQuery("count", Noise.laplace(1), records, counted="yes", of=("smoke", "lung"))
    every = RecordQuery("count", Noise.laplace(1), records, counted="yes", of=(3, 1, 2))
    assert every.asked != apart.asked
    assert ends.of is None
    for first, second in ((apart, every), (every, apart), (apart, apart)):
        joint = compose(framework, [first, second]).joint.leakage
        listed = compose(framework, [first.written_out(), second.written_out()]).joint.leakage
        assert log(joint.lower) == pytest.approx(log(listed.lower), abs=1e-12)


@pytest.mark.parametrize("counted", ["yes", "no"])
def test_equal_rows_of_values_in_another_order_are_two_tables(counted):
    rows = {"": [Fraction(9, 10), Fraction(1, 10)]}
    last = {"yes,yes": ["1/2", "1/2"], "yes,no": ["1/3", "2/3"]}
    last |= {"no,yes": ["1/4", "3/4"], "no,no": ["1/5", "4/5"]}
    names = {"first": ["yes", "no"], "second": ["no", "yes"], "third": ["yes", "no"]}
    network = BayesianNetwork({1: [], 2: [], 3: [1, 2]}, {1: rows, 2: rows, 3: last}, values=list(names.values()))
    records = Records.named(names)
    law = network.marginal(2, records)
    assert dict(zip(records.alphabet, law)) == {"no": Fraction(9, 10), "yes": Fraction(1, 10)}
    assert network.marginal(1, records)[0] == Fraction(9, 10)
    secrets = {f"third={v}": (3, v) for v in ("yes", "no")}
    framework = Framework.of_records(records, secrets, "disjoint", {"t": network})
    query = RecordQuery("count", Noise.laplace(1), records, None, counted, ("first", "second"))
    above, below = ({0: 0.0, 1: 0.0, 2: 0.0} for _ in range(2))
    for one, two in product(("yes", "no"), repeat=2):
        p = (0.9 if one == "yes" else 0.1) * (0.9 if two == "no" else 0.1)
        q = float(Fraction(last[f"{one},{two}"][0]))
        above[(one == counted) + (two == counted)] += p * q
        below[(one == counted) + (two == counted)] += p * (1 - q)
    told = [
        sum(p * exp(-abs(n - k)) for n, p in law.items()) / sum(law.values())
        for law in (above, below)
        for k in range(3)
    ]
    largest = max(abs(log(told[k] / told[k + 3])) for k in range(3))
    assert nats(audit(framework, query)) == pytest.approx((largest, largest), abs=1e-12)
