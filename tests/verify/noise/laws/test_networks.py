"""Built-in queries on Bayesian networks: laws by variable elimination are those of listed
databases, and long networks are audited without a list.
"""

import json
from fractions import Fraction
from itertools import product
from random import Random
from unittest.mock import patch

import pytest
from flint import fmpz_poly
from hypothesis import given
from hypothesis import strategies as st
from tests import drawn, examples
from tests.reports.console.schemas import expect_valid

from pufferproof import BayesianNetwork, Framework, Level, MarkovChain, Noise, RecordQuery, Records, audit
from pufferproof.models.errors import ModelError, TooLargeError
from pufferproof.models.noise.records import NoisyQueries
from pufferproof.verify.noise import largest
from pufferproof.verify.noise.laws import of_records as network
from pufferproof.verify.noise.laws.of_framework import table_laws
from pufferproof.verify.noise.laws.of_records import sequence_laws
from pufferproof.verify.noise.queries import queries_leakage
from pufferproof.verify.noise.ratio.bounds import noise_bounds

WEIGHTS = st.integers(0, 3)


def shares(weights):
    return [Fraction(weight, sum(weights)) for weight in weights]


@st.composite
def networks(draw, length, size):
    """Any graph in which parents come first; rows with zeros."""
    parents, cpt = {}, {}
    for record in range(1, length + 1):
        above = [other for other in range(1, record) if draw(st.booleans())][-2:]
        rows = product(range(size), repeat=len(above))
        row = st.lists(WEIGHTS, min_size=size, max_size=size).filter(any).map(shares)
        parents[record] = above
        cpt[record] = {"".join(map(str, key)): draw(row) for key in rows}
    return BayesianNetwork(parents, cpt)


@st.composite
def questions(draw):
    length, size = draw(st.integers(1, 4)), draw(st.integers(2, 3))
    alphabet = tuple("0123"[:size])
    secrets = {f"{i}={v}": (i, v) for i in range(1, length + 1) for v in alphabet}
    priors = {"net": draw(networks(length, size)), "other": draw(networks(length, size))}
    if draw(st.booleans()):
        row = [Fraction(1, size)] * size
        priors["chain"] = MarkovChain(row, [row] * size)
    framework = Framework(Records(length, alphabet), secrets, "disjoint", priors)
    first = draw(st.integers(1, length))
    segment = draw(st.sampled_from([None, (first, length)]))
    queries = draw(st.lists(st.sampled_from(["sum", "mean", "histogram"]), min_size=1, max_size=2))
    return framework, [RecordQuery(query, Noise.laplace(2), framework.records, segment) for query in queries]


@examples(80)
@given(questions())
def test_laws_are_those_of_listed_databases(question):
    """By polynomials, and by their values at a power of 2, whichever is faster."""
    framework, queries = question
    listed = table_laws(framework, [query.written_out() for query in queries])
    for substitutes in (True, False):
        with patch.object(network._Sum, "substitutes", lambda *_, each=substitutes: each):
            along = sequence_laws(framework, queries)
        assert {(p.prior, p.pair): (p.above, p.below) for p in along.pairs} == {
            (p.prior, p.pair): (p.above, p.below) for p in listed.pairs
        }
        assert (along.excluded, along.never) == (listed.excluded, listed.never)


def test_digits_of_a_value_are_the_coefficients():
    """Any polynomial with coefficients below the power of 2, zero and the largest ones too."""
    random = Random(7)
    for _ in range(drawn(400)):
        bits, terms = 64 * random.randint(1, 3), random.randint(0, 6)
        most = 2**bits - 1
        coefficients = [random.choice([0, 1, most, random.randint(0, most)]) for _ in range(terms)]
        value = sum(c << (bits * n) for n, c in enumerate(coefficients))
        assert network._polynomial(value, bits) == fmpz_poly(coefficients)


@examples(80)
@given(questions())
def test_bounds_hold_the_exact_leakage(question):
    """Networks with zeros, independent pieces and one record; segments, and releases together."""
    framework, queries = question
    try:
        exact = queries_leakage(framework, NoisyQueries(tuple(queries)))
    except ModelError as error:
        with pytest.raises(ModelError, match=error.what[:16]):
            noise_bounds(framework, *queries)
        return
    known = noise_bounds(framework, *queries)
    assert known.leakage.lower <= exact.leakage.upper
    assert known.leakage.upper is None or exact.leakage.lower <= known.leakage.upper
    assert (known.scope.excluded, known.scope.never_checked) == (exact.scope.excluded, exact.scope.never_checked)
    for level in map(Level, ("log(3/2)", "log(4)", "0.5", "2")):
        said = known.compare(level)
        assert said is None or (said > 0) == (exact.compare(level) > 0)


def test_a_network_too_large_for_the_exact_law_has_bounds(monkeypatch):
    """At a limit that refuses a tree of 60, one of whose records repels its parent: both ends hold
    what is exact without the limit.
    """
    row = {"0": ["9/10", "1/10"], "1": ["2/5", "3/5"]}
    parents = {i: [i // 2] if i > 1 else [] for i in range(1, 61)}
    cpt = {i: row if above else {"": ["1/2", "1/2"]} for i, above in parents.items()}
    cpt[60] = {"0": row["1"], "1": row["0"]}
    records = Records(60, ("0", "1"))
    secrets = {f"x{i}={v}": (i, v) for i in (1, 30) for v in "01"}
    framework = Framework(records, secrets, "disjoint", {"tree": BayesianNetwork(parents, cpt)})
    count = RecordQuery("sum", Noise.laplace(5), records)
    exact = audit(framework, count).leakage
    monkeypatch.setattr("pufferproof.verify.noise.laws.of_records.MAX_WORK", 1_000)
    closer = audit(framework, count).leakage  # by laws in floats
    assert closer.lower <= exact.upper
    assert exact.lower <= closer.upper <= closer.lower * (1 + Fraction(1, 10**10))
    monkeypatch.setattr(largest, "whole_law", lambda framework, queries: None)
    monkeypatch.setattr(largest, "halves_law", lambda framework, queries: None)
    bounded = audit(framework, count, "0.1")
    low, high = bounded.leakage.lower, bounded.leakage.upper
    assert "60 records times 61 values" in bounded.largest.reason
    assert bounded.verdict.value == "VIOLATES"
    assert low <= exact.upper
    assert exact.lower <= high
    middle = Level.log(((low + high) / 2).limit_denominator(100))
    assert audit(framework, count, middle).verdict.value == "UNDECIDED"
    assert audit(framework, count, Level.log(high + 1)).verdict.value == "SATISFIES"
    assert bounded.largest.account.eliminated
    with pytest.raises(TooLargeError):
        audit(framework, RecordQuery("sum", Noise.gaussian(5), records))


def test_the_command_takes_a_long_network(run, save, monkeypatch):
    length = 60
    rows = {"0": ["9/10", "1/10"], "1": ["1/10", "9/10"]}
    repelled = {"0": rows["1"], "1": rows["0"]}
    tables = {str(i): rows for i in range(2, length)}
    framework = {
        "format": "pufferproof-framework/1",
        "records": {"count": length, "alphabet": ["0", "1"]},
        "secrets": {f"x30={v}": {"record": 30, "value": v} for v in "01"},
        "pairs": "disjoint",
        "priors": {
            "tree": {
                "bayes_net": {
                    "parents": {str(i): [str(i // 2)] if i > 1 else [] for i in range(1, length + 1)},
                    "cpt": {"1": {"": ["1/2", "1/2"]}, **tables, str(length): repelled},
                }
            }
        },
    }
    mechanism = {"format": "pufferproof-mechanism/1", "query": "sum", "noise": {"laplace": {"scale": "5"}}}
    files = save("f.json", framework), save("m.json", mechanism)
    code, out, err = run("audit", *files, "--epsilon", "log(1000)")
    assert (code, err) == (0, "")
    assert out.startswith("SATISFIES log(1000)")
    code, out, err = run("compose", *files, files[1])
    assert code == 0
    monkeypatch.setattr("pufferproof.verify.noise.laws.of_records.MAX_WORK", 1_000)
    code, out, err = run("audit", *files, "--epsilon", "log(2)", "--json")
    answer = json.loads(out)
    expect_valid(answer, "audit")
    assert (code, err.count("not computed exactly")) == (1, 1)
    assert (answer["bound"], answer["window"]["last"]) == (None, length)
    monkeypatch.setattr(largest, "whole_law", lambda framework, queries: None)
    monkeypatch.setattr(largest, "halves_law", lambda framework, queries: None)
    code, out, err = run("audit", *files, "--epsilon", "log(2)", "--json")
    answer = json.loads(out)
    expect_valid(answer, "audit")
    assert answer["bound"]["eliminated"]


@examples(40)
@given(networks(4, 2), st.integers(1, 4))
def test_the_ends_of_a_query_in_floats_are_those_of_exact_tables(network, record):
    records = Records(4, ("0", "1"))
    secrets = {f"x={v}": (record, v) for v in "01"}
    framework = Framework(records, secrets, "disjoint", {"net": network})
    query = RecordQuery("sum", Noise.laplace(2), records)
    try:
        exact = noise_bounds(framework, query)
    except ModelError:
        return
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("pufferproof.verify.noise.accounts.likelihoods._MOST_ENTRIES", 1)
        told = noise_bounds(framework, query)
    assert told.leakage.lower <= exact.leakage.lower * (1 + Fraction(1, 10**30))
    assert exact.leakage.lower / told.leakage.lower < 1 + Fraction(1, 10**12)
