"""Networks whose rows lie between bounds: audits enclose members that are drawn and climbed to."""

import json
from fractions import Fraction
from itertools import product
from math import exp, log

import numpy as np
import pytest
from tests import seeds
from tests.reports.console.schemas import expect_valid

from pufferproof import Framework, ModelError, Noise, RecordQuery, Records, audit
from pufferproof.models.files.frameworks import read_framework
from pufferproof.models.priors.networks.contacts import IntervalNetwork
from pufferproof.verify.noise.classes.networks import network_ratio

NEAR = 1e-9


class Instance:
    """A random graph of bits, bounds of P(1 | parents) with zeros, ones and equal ends."""

    def __init__(self, seed):
        random = np.random.default_rng(seed)
        self.count = int(random.integers(2, 6))
        order = [int(x) for x in random.permutation(self.count)]
        self.parents = {}
        for place, record in enumerate(order):
            chosen = [other for other in order[:place] if random.random() < 0.6][:3]
            self.parents[record] = chosen
        self.low, self.high = {}, {}
        for record, above in self.parents.items():
            for key in product((0, 1), repeat=len(above)):
                ends = sorted(Fraction(int(x), 12) for x in random.integers(0, 13, size=2))
                self.low[record, key], self.high[record, key] = ends
        self.record = int(random.integers(self.count))
        self.scale = int(random.integers(1, 4))

    def network(self):
        names = {record: str(record + 1) for record in range(self.count)}

        def rows(bounds, other):
            return {
                names[i]: {
                    "".join(map(str, key)): [1 - other[i, key], bounds[i, key]]
                    for key in product((0, 1), repeat=len(above))
                }
                for i, above in self.parents.items()
            }

        parents = {names[i]: [names[j] for j in above] for i, above in self.parents.items()}
        lower, upper = rows(self.low, self.high), rows(self.high, self.low)
        return IntervalNetwork(parents, lower, upper)

    def likelihoods(self, column, chosen):
        """E[column | X_i = 0] and given 1, or None if one is impossible."""
        totals, masses = [0.0, 0.0], [0.0, 0.0]
        for x in product((0, 1), repeat=self.count):
            p = 1.0
            for record, above in self.parents.items():
                one = chosen[record, tuple(x[j] for j in above)]
                p *= one if x[record] else 1 - one
            totals[x[self.record]] += p * column[x]
            masses[x[self.record]] += p
        return None if min(masses) <= 0 else [t / m for t, m in zip(totals, masses)]

    def leaked(self, column, chosen):
        found = self.likelihoods(column, chosen)
        return 0.0 if found is None else abs(log(found[1] / found[0]))

    def drawn(self, random):
        return {
            key: float(random.choice([self.low[key], self.high[key]]))
            if random.random() < 0.7
            else float(random.uniform(float(self.low[key]), float(self.high[key])))
            for key in self.low
        }

    def climbed(self, column, random):
        """A member to which rows were moved one by one, to either end, while that helps."""
        chosen = self.drawn(random)
        best, known = self.leaked(column, chosen), -1.0
        while best > known + 1e-12:
            known = best
            for key in self.low:
                for end in (self.low[key], self.high[key]):
                    other = chosen | {key: float(end)}
                    if (value := self.leaked(column, other)) > best:
                        best, chosen = value, other
        return best


@seeds(60)
def test_no_member_and_no_column_exceeds_the_bound(seed):
    """Columns whose entries differ by at most e^level of a record in each coordinate."""
    instance, random = Instance(seed), np.random.default_rng([seed, 1])
    levels = [Fraction(int(x), 4) for x in random.integers(4, 17, size=instance.count)]
    records = Records(instance.count, ("0", "1"))
    bound = network_ratio(instance.network(), records, instance.record + 1, levels)
    for _ in range(8):
        signs = random.choice([-1, 1], size=instance.count)
        column = {
            x: float(np.prod([float(r) ** (s * v) for r, s, v in zip(levels, signs, x)]))
            for x in product((0, 1), repeat=instance.count)
        }
        assert instance.climbed(column, random) <= log(bound) + NEAR


@seeds(40)
def test_audits_enclose_members(seed):
    instance, random = Instance([seed, 2]), np.random.default_rng([seed, 3])
    records = Records(instance.count, ("0", "1"))
    secrets = {f"s{v}": (instance.record + 1, v) for v in "01"}
    query = RecordQuery("sum", Noise.laplace(instance.scale), records)
    try:
        framework = Framework(records, secrets, "disjoint", {"class": instance.network()})
        found = audit(framework, query)
    except ModelError:  # one value of the record is impossible
        return
    high = log(found.leakage.upper)
    for w in range(instance.count + 1):
        column = {x: exp(-abs(w - sum(x)) / instance.scale) for x in product((0, 1), repeat=instance.count)}
        assert instance.climbed(column, random) <= high + NEAR
    member = found.largest.member
    alone = audit(Framework(records, secrets, "disjoint", {"one": member}), query).leakage
    assert alone.lower >= found.leakage.lower * (1 - Fraction(1, 10**12))
    for rows, table in zip(instance.network().rows, member.cpt):
        for key, row in table:
            low, high_ = rows[key]
            assert all(a <= p <= b for a, p, b in zip(low, row, high_))


class Chains:
    """A box of two-valued chains that change with time, from a law or any."""

    def __init__(self, seed):
        random = np.random.default_rng(seed)
        self.count, self.record = int(random.integers(1, 7)), None
        self.record = int(random.integers(self.count))
        top = int(random.choice([10, 20]))
        self.ends = [sorted(int(x) for x in random.integers(0, top + 1, size=2)) for _ in "ab"]
        self.start = None if random.random() < 0.5 else int(random.integers(0, 21))
        self.scale = int(random.integers(1, 4))

    def file(self, kind):
        (al, ah), (bl, bh) = ([Fraction(x, 20) for x in ends] for ends in self.ends)
        start = "any"
        if self.start is not None:
            start = [str(Fraction(20 - self.start, 20)), str(Fraction(self.start, 20))]
        rows = {"transition_lower": [[1 - ah, al], [bl, 1 - bh]], "transition_upper": [[1 - al, ah], [bh, 1 - bl]]}
        shown = {name: [list(map(str, row)) for row in each] for name, each in rows.items()}
        return {
            "format": "pufferproof-framework/1",
            "records": {"count": self.count, "alphabet": ["0", "1"]},
            "secrets": {f"s{v}": {"record": self.record + 1, "value": v} for v in "01"},
            "pairs": "disjoint",
            "priors": {"class": {"markov": {"initial": start, "class": kind, **shown}}},
        }

    def leaked(self, w, random, by_history):
        """What an output leaks under a chain that is drawn: rows by step, or by all that was."""
        (al, ah), (bl, bh) = self.ends
        drawn = {}

        def one(past):
            if not past:
                known = self.start is None
                low, high = (0, 20) if known else (self.start, self.start)
            else:
                low, high = (20 - bh, 20 - bl) if past[-1] else (al, ah)
            key = past if by_history else (len(past), past[-1:])
            if key not in drawn:
                ends = [low, high] * 2 + [(low + high) / 2, random.uniform(low, high)]
                drawn[key] = float(random.choice(ends)) / 20
            return drawn[key]

        totals, masses = [0.0, 0.0], [0.0, 0.0]
        for x in product((0, 1), repeat=self.count):
            p = 1.0
            for t, value in enumerate(x):
                p *= one(x[:t]) if value else 1 - one(x[:t])
            totals[x[self.record]] += p * exp(-abs(w - sum(x)) / self.scale)
            masses[x[self.record]] += p
        if min(masses) <= 1e-12:
            return 0.0
        return abs(log(totals[1] / masses[1] * masses[0] / totals[0]))


@pytest.mark.parametrize("kind", ["time-varying", "history"])
@seeds(40)
def test_chains_that_change_with_time_are_enclosed(save, seed, kind):
    chains, random = Chains([seed, 5]), np.random.default_rng([seed, 6])
    framework = read_framework(save("f.json", chains.file(kind))).value
    query = RecordQuery("sum", Noise.laplace(chains.scale), framework.records)
    try:
        found = audit(framework, query)
    except ModelError:  # one value of the record is impossible
        return
    high = log(found.leakage.upper)
    for _ in range(60):
        w = int(random.integers(chains.count + 1))
        assert chains.leaked(w, random, kind == "history") <= high + NEAR


def test_a_secret_first_record_is_known_exactly_under_chains_that_change(save):
    """The future alone: all rows change least, and so in one chain of one matrix."""
    chains = Chains(0)
    chains.count, chains.record, chains.start, chains.scale = 6, 0, 10, 5
    chains.ends = [[2, 6], [1, 8]]
    framework = read_framework(save("f.json", chains.file("time-varying"))).value
    query = RecordQuery("sum", Noise.laplace(5), framework.records)
    found = audit(framework, query).leakage
    assert log(found.upper) == pytest.approx(log(found.lower), abs=1e-9)


@pytest.mark.parametrize(
    ("markov", "said"),
    [
        ({"initial": "stationary", "class": "time-varying"}, 'found "stationary"'),
        ({"initial": "any", "class": "sometimes"}, "class"),
    ],
)
def test_words_for_classes_that_are_none_are_refused(save, markov, said):
    document = Chains(1).file("history")
    document["priors"]["class"]["markov"] |= markov
    with pytest.raises(ModelError, match=said):
        read_framework(save("f.json", document))
    document["priors"]["class"]["markov"] = {
        "initial": "any", "class": "history", "transition": [["1/2", "1/2"]] * 2,
    }  # fmt: skip
    with pytest.raises(ModelError, match='expected "transition_lower"'):
        read_framework(save("f.json", document))


COIN = {"": ["1/2", "1/2"]}


@pytest.mark.parametrize(
    ("net", "said"),
    [
        ({"cpt_lower": {"1": COIN}}, "found one alone"),
        ({"cpt_lower": {"1": COIN}, "cpt_upper": {"1": COIN}, "cpt": {"1": COIN}}, "found both"),
        (
            {"cpt_lower": {"1": {"": ["3/4", "1/2"]}}, "cpt_upper": {"1": {"": ["1", "1"]}}},
            "no row within the bounds sums to 1",
        ),
        (
            {"cpt_lower": {"1": {"": ["3/4", "0"]}}, "cpt_upper": {"1": {"": ["1/2", "1"]}}},
            "in order, found 3/4 and 1/2",
        ),
        ({"cpt_lower": {"1": COIN}, "cpt_upper": {"1": {"0": ["1/2", "1/2"]}}}, "same rows"),
        ({"cpt_lower": {"1": COIN}, "cpt_upper": {"1": {"": ["1/2", "1/2", "0"]}}}, "expected 2 bounds"),
        ({"cpt_lower": {"1": COIN}, "cpt_upper": {"2": COIN}}, "the same records"),
    ],
)
def test_bounds_without_a_network_are_refused(save, net, said):
    with pytest.raises(ModelError, match=said):
        read_framework(save("f.json", file(net | {"parents": {"1": []}}, 1)))


def file(net, count):
    return {
        "format": "pufferproof-framework/1",
        "records": {"count": count, "alphabet": ["0", "1"]},
        "secrets": {f"x1={v}": {"record": 1, "value": v} for v in "01"},
        "pairs": "disjoint",
        "priors": {"class": {"bayes_net": net}},
    }


def test_commands_take_the_class_or_refuse_it_by_name(run, save):
    net = {
        "parents": {"1": [], "2": ["1"]},
        "cpt_lower": {"1": {"": ["3/4", "0"]}, "2": {"0": ["1", "0"], "1": ["1/2", "0"]}},
        "cpt_upper": {"1": {"": ["1", "1/4"]}, "2": {"0": ["1", "0"], "1": ["1", "1/2"]}},
    }
    noise = {"laplace": {"scale": "5"}}
    query = {"format": "pufferproof-mechanism/1", "query": "sum", "noise": noise}
    files = save("f.json", file(net, 2)), save("m.json", query)
    code, out, err = run("audit", *files, "--epsilon", "0.35", "--json")
    answer = json.loads(out)
    expect_valid(answer, "audit")
    assert (code, answer["verdict"]) == (0, "SATISFIES")
    assert answer["trust"] == ["INTERVAL", "PROSE"]
    assert answer["witness"]["member"]["parents"] == {"1": [], "2": ["1"]}
    ends = answer["leakage"]["epsilon"]
    assert float(ends["lower"]) == pytest.approx(0.2 + log(0.5 + 0.5 * exp(0.2)))
    assert float(ends["upper"]) == pytest.approx(float(ends["lower"]))  # a root: it is exact
    code, out, _ = run("compose", *files, "--runs", "2", "--json")
    expect_valid(json.loads(out), "compose")
    code, out, _ = run("translate", files[0], "--per-record-dp", "0.2", "--json")
    answer = json.loads(out)
    expect_valid(answer, "translate")
    assert code == 0  # a root, so that both ends meet
    assert float(answer["exact"]["epsilon"]["upper"]) == pytest.approx(float(ends["upper"]))
    scale = "--mechanism", "markov-quilt", "--query", "sum", "--epsilon", ends["upper"]
    code, out, _ = run("calibrate", files[0], *scale, "--json")
    answer = json.loads(out)
    expect_valid(answer, "calibrate")
    assert (code, answer["eliminated"]) == (0, 1)
    assert float(answer["scale"]["upper"]) == pytest.approx(5, rel=1e-6)
    for refused in (("influence", files[0]), ("worst", files[0], "--budget", "1")):
        code, _, err = run(*refused)
        assert (code, "rows lie between bounds" in err) == (2, True)
