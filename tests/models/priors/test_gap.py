"""Classes of chains by their least stationary probability and eigengap: influences and audits
against members drawn from them.
"""

import json
from fractions import Fraction
from itertools import product
from math import inf, log

import numpy as np
import pytest
from tests import seeds
from tests.reports.console.schemas import expect_valid

from pufferproof import Framework, MarkovChain, ModelError, Noise, RecordQuery, Records, audit
from pufferproof.models.files.frameworks import read_framework
from pufferproof.models.priors.chains import GapChains
from pufferproof.verify.influence.box.largest import gap_influence

NEAR = 1e-9


def two_values(random, p, r):
    """A chain of two values in the class: pi and c anywhere, often at an end."""
    pi = random.choice([p, 1 - p, random.uniform(p, 1 - p)])
    least = -min(r, pi / (1 - pi), (1 - pi) / pi)
    c = random.choice([r, least, random.uniform(least, r)])
    return np.array([[1 - pi * (1 - c), pi * (1 - c)], [(1 - pi) * (1 - c), pi + c * (1 - pi)]])


def reversible(random, k, p, r):
    """A reversible chain with pi(x) >= p whose eigenvalues are at most r in size, None if the one
    drawn is none: weights of edges, made lazier or slower until its eigenvalues fit.
    """
    weights = random.exponential(size=(k, k)) * (random.random((k, k)) < 0.8)
    weights = weights + weights.T + np.eye(k) * random.choice([0, 1e-3, 1])
    total = weights.sum(axis=1)
    if not total.all() or total.min() / total.sum() < p:
        return None
    chain, pi = weights / total[:, None], total / total.sum()
    sizes = np.sort(abs(np.linalg.eigvals(chain)))
    if sizes[-2] > r:
        share = r / sizes[-2]  # mixed with independent draws, all eigenvalues shrink by it
        chain = share * chain + (1 - share) * pi
    return chain


def influence(chain, left, right):
    """The largest log-ratio over pairs of values of X_i, of one side or both."""
    pi = np.linalg.matrix_power(chain, 4000)[0]
    tables = []
    if right is not None:
        tables.append(np.linalg.matrix_power(chain, right))
    if left is not None:  # backward: pi(x) P^a(x, v) / pi(v)
        step = np.linalg.matrix_power(chain, left)
        tables.append((pi[:, None] * step / pi).T)
    best = 0.0
    for v in range(len(pi)):
        for w in range(len(pi)):
            nats = 0.0
            for table in tables:
                with np.errstate(all="ignore"):
                    ratios = table[v] / table[w]
                nats += log(np.nanmax(ratios)) if np.nanmax(ratios) < inf else inf
            best = max(best, nats)
    return best


def nats(bound):
    return inf if bound is None else log(bound)


@seeds(60)
def test_influence_of_two_values_is_the_supremum(seed):
    random = np.random.default_rng(seed)
    p, gap = Fraction(int(random.integers(1, 11)), 20), Fraction(int(random.integers(1, 20)), 20)
    chains = GapChains(2, p, gap)
    r = float(chains.memory)
    t = int(random.integers(1, 6))
    known = gap_influence(chains, None, t)
    assert known.lower == known.upper
    drawn = max(influence(two_values(random, float(p), r), None, t) for _ in range(150))
    edge = max(float(p), r / (1 + r))
    turned = -min(r, edge / (1 - edge))
    for pi, c in ((float(p), r), (edge, turned)):
        row = np.array([pi, 1 - pi])
        chain = (1 - c) * np.array([row, row]) + c * np.eye(2)
        drawn = max(drawn, influence(np.maximum(chain, 0), None, t))
    assert drawn <= nats(known.upper) + NEAR
    assert drawn > nats(known.upper) - 1e-6 or nats(known.upper) > 25  # infinite up to rounding


@seeds(60)
def test_no_reversible_chain_exceeds_the_bounds(seed):
    random = np.random.default_rng([seed, 1])
    k = int(random.integers(2, 5))
    p, r = (Fraction(1, int(random.integers(2 * k, 8 * k))), Fraction(int(random.integers(0, 20)), 20))
    chains = GapChains(k, p, 1 - r)
    for _ in range(100):
        chain = reversible(random, k, float(p), float(r))
        if chain is None:
            continue
        left, right = (int(each) for each in random.integers(1, 9, size=2))
        for sides in ((None, right), (left, None), (left, right)):
            found = influence(chain, *sides)
            assert found <= nats(gap_influence(chains, *sides).upper) + 1e-7


def framework(chains, length, record, priors=None):
    secrets = {f"x{record}={v}": (record, v) for v in "01"}
    records = Records(length, ("0", "1"))
    return Framework(records, secrets, "disjoint", priors or {"class": chains})


@seeds(16)
def test_audits_enclose_members_that_are_drawn(seed):
    random = np.random.default_rng([seed, 2])
    p, gap = Fraction(int(random.integers(1, 11)), 20), Fraction(int(random.integers(1, 20)), 20)
    chains, length = GapChains(2, p, gap), int(random.integers(2, 7))
    record = int(random.integers(1, length + 1))
    noise = Noise.laplace(Fraction(int(random.integers(1, 8)), 2))
    query = RecordQuery("sum", noise, Records(length, ("0", "1")))
    found = audit(framework(chains, length, record), query)
    low, high = log(found.leakage.lower), log(found.leakage.upper)
    assert high - low <= 2e-6
    for _ in range(12):
        rows = two_values(random, float(p), float(chains.memory))
        a, b = (Fraction(str(round(x, 6))) for x in (rows[0, 1], rows[1, 0]))
        if not (0 < a < 1 and 0 < b < 1):
            continue
        chain = MarkovChain("stationary", [[1 - a, a], [b, 1 - b]])
        if not chains.holds(chain):
            continue
        one = audit(framework(chains, length, record, {"chain": chain}), query).leakage
        assert log(one.lower) <= high + NEAR
    member = found.largest.member
    assert chains.holds(member)
    one = audit(framework(chains, length, record, {"chain": member}), query).leakage
    assert log(one.upper) == pytest.approx(low, abs=1e-9)


@pytest.mark.parametrize("gap", ["1", "99/100", "9/10"])
def test_classes_in_which_pi_hardly_matters_are_closed_too(gap):
    """Bounds of intervals of pi are not close there without slopes."""
    chains, length = GapChains(2, "1/5", gap), 5
    query = RecordQuery("sum", Noise.laplace(5), Records(length, ("0", "1")))
    found = audit(framework(chains, length, 3), query).leakage
    assert log(found.upper) - log(found.lower) < 1.1e-6
    assert found.lower > 1.22


CLASS = {"initial": "stationary", "pi_min": "1/20", "eigengap": "1/10"}


def file(markov, values="01", count=40):
    return {
        "format": "pufferproof-framework/1",
        "records": {"count": count, "alphabet": list(values)},
        "secrets": {f"x20={v}": {"record": 20, "value": v} for v in "01"},
        "pairs": "disjoint",
        "priors": {"class": {"markov": markov}},
    }


SUM = {"format": "pufferproof-mechanism/1", "query": "sum", "noise": {"laplace": {"scale": "5"}}}


@pytest.mark.parametrize(
    ("markov", "values", "said"),
    [
        (CLASS | {"pi_min": "3/5"}, "01", "at most 1/2"),
        (CLASS | {"pi_min": "2/5", "reversible": True}, "012", "at most 1/3"),
        (CLASS | {"pi_min": "0"}, "01", "above 0"),
        (CLASS | {"eigengap": "11/10"}, "01", "no eigenvalue is larger"),
        (CLASS | {"eigengap": "0"}, "01", "above 0 and at most 1"),
        (CLASS | {"initial": "any"}, "01", 'expected "initial": "stationary"'),
        (CLASS, "012", 'expected "reversible": true'),
        ({"initial": "stationary", "pi_min": "1/4"}, "01", 'found no "eigengap"'),
        (CLASS | {"transition": [["1/2", "1/2"], ["1/2", "1/2"]]}, "01", 'expected "transition" or "eigengap"'),
    ],
)
def test_classes_that_have_no_chain_are_refused(save, markov, values, said):
    with pytest.raises(ModelError, match=said):
        read_framework(save("f.json", file(markov, values)))


def test_commands_take_the_class_or_refuse_it_by_name(run, save, tmp_path):
    files = save("f.json", file(CLASS)), save("m.json", SUM)
    code, out, _ = run("audit", *files, "--epsilon", "1", "--json")
    answer = json.loads(out)
    expect_valid(answer, "audit")
    assert (code, answer["verdict"]) == (1, "VIOLATES")
    rows = [[Fraction(x) for x in row] for row in answer["witness"]["member"]["transition"]]
    assert GapChains(2, "1/20", "1/10").holds(MarkovChain("stationary", rows))
    assert run("audit", *files, "--epsilon", "8")[0] == 0
    assert run("compose", *files, "--runs", "2")[0] == 0
    code, out, _ = run("influence", files[0], "--right", "15", "--json")
    assert code == 0
    assert json.loads(out)["influence"]["ratio"] is None or json.loads(out)["arithmetic"]
    quilts = ("calibrate", files[0], "--query", "sum", "--epsilon", "5")
    for more in (["markov-quilt"], ["markov-quilt-approx", "--bound", "wang2016"]):
        assert run(*quilts, "--mechanism", *more)[0] == 0
    assert "wang2016 only" in run(*quilts, "--mechanism", "markov-quilt-approx")[2]
    first = {f"x1={v}": {"record": 1, "value": v} for v in "01"}
    short = {"secrets": first, "records": {"count": 3, "alphabet": ["0", "1"]}}
    small, folder = save("small.json", file(CLASS) | short), str(tmp_path / "out")
    channel = {"".join(x): ["1/2", "1/2"] for x in product("01", repeat=3)}
    coin = {"format": "pufferproof-mechanism/1", "outputs": ["u", "v"], "channel": channel}
    for refused in (
        ("translate", files[0], "--per-record-dp", "1"),
        ("worst", small, "--budget", "1"),
        ("collapse", small, "--out", folder),
        ("partner", small, save("coin.json", coin), "--budget", "1", "--out", folder),
    ):
        code, _, err = run(*refused)
        assert (code, "a class by pi_min and eigengap" in err) == (2, True)


@pytest.mark.parametrize("values", ["01", "012"])
def test_a_scale_names_no_claim_about_boxes(run, save, values):
    markov = CLASS | {"pi_min": "1/4", "eigengap": "1/2", "reversible": True}
    command = ("calibrate", save("f.json", file(markov, values)), "--query", "sum")
    code, out, _ = run(*command, "--epsilon", "5", "--mechanism", "markov-quilt", "--json")
    claims = {each["claim"] for each in json.loads(out)["rests_on"]}
    assert code == 0
    assert {"influence.gap", "wang2016.thm-4.4"} <= claims
    assert not claims & {"influence.two-states", "influence.any-start"}


def test_more_values_have_bounds(run, save):
    markov = CLASS | {"pi_min": "1/4", "eigengap": "1/2", "reversible": True}
    files = save("f.json", file(markov, "012")), save("m.json", SUM)
    code, out, _ = run("audit", *files, "--epsilon", "0.01", "--json")
    answer = json.loads(out)
    expect_valid(answer, "audit")
    assert (code, answer["verdict"]) == (1, "VIOLATES")
    low, high = (float(answer["leakage"]["epsilon"][end]) for end in ("lower", "upper"))
    assert low < high < inf


def test_members_reach_the_lower_bound_for_more_values():
    chains = GapChains(3, "1/20", "1/4")
    known = gap_influence(chains, 3, 5)
    members = [np.array(each.transition, dtype=float) for each in chains.members().values()]
    assert max(influence(each, 3, 5) for each in members) == pytest.approx(log(known.lower))
