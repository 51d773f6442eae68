"""Chains that change with time: laws, files, and answers equal to those of the written-out law."""

from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests import examples

from pufferproof import ChangingChain, Framework, ModelError, Noise, RecordQuery, Records, Table, audit
from pufferproof.models.files.frameworks import read_framework

WEIGHTS = st.lists(st.integers(0, 3), min_size=2, max_size=2).filter(any)


def share(weights):
    return [Fraction(weight, sum(weights)) for weight in weights]


@st.composite
def chains(draw, length=4):
    rows = WEIGHTS.map(share)
    start = draw(rows)
    return start, [[draw(rows), draw(rows)] for _ in range(length - 1)]


@examples(60)
@given(chains())
def test_law_is_the_product_of_the_steps(chain):
    start, steps = chain
    records = Records(4, ("0", "1"))
    law = ChangingChain(start, steps).law(records.labels(), records)
    for x, weight in zip(product((0, 1), repeat=4), law.weights):
        p = start[x[0]]
        for step, here, there in zip(steps, x, x[1:]):
            p *= step[here][there]
        assert Fraction(weight, law.total) == p


@examples(40)
@given(chains())
def test_audit_is_that_of_the_written_law(chain):
    records = Records(4, ("0", "1"))
    secrets = {f"x{i}={v}": (i, v) for i in (1, 3) for v in "01"}
    prior = ChangingChain(*chain)
    law = prior.law(records.labels(), records)
    table = Table({x: Fraction(w, law.total) for x, w in zip(records.labels(), law.weights)})
    query = RecordQuery("sum", Noise.laplace(2), records)
    try:
        expected = audit(Framework(records, secrets, "disjoint", {"p": table}), query)
    except ModelError:
        with pytest.raises(ModelError):
            audit(Framework(records, secrets, "disjoint", {"p": prior}), query)
        return
    found = audit(Framework(records, secrets, "disjoint", {"p": prior}), query)
    assert (found.leakage, found.witness) == (expected.leakage, expected.witness)


def framework(markov, count=3):
    return {
        "format": "pufferproof-framework/1",
        "records": {"count": count, "alphabet": ["0", "1"]},
        "secrets": {"x1=0": {"record": 1, "value": "0"}, "x1=1": {"record": 1, "value": "1"}},
        "pairs": "disjoint",
        "priors": {"p": {"markov": markov}},
    }


STEP = [["1/2", "1/2"], ["1/4", "3/4"]]


@pytest.mark.parametrize(
    ("markov", "said"),
    [
        ({"initial": "stationary", "transitions": [STEP] * 2}, "has no stationary law"),
        ({"initial": "any", "transitions": [STEP] * 2}, 'found "any"'),
        ({"initial": ["1/2", "1/2"], "transitions": [STEP]}, "expected 2 matrices"),
        ({"initial": ["1/2", "1/3"], "transitions": [STEP] * 2}, "priors.p: initial: sums to 5/6"),
        ({"initial": ["1/2", "1/2"], "transitions": [STEP, STEP[:1]]}, r"transitions\[1\]: expected 2 rows"),
        (
            {"initial": ["1/2", "1/2"], "transitions": [STEP, [["1/2", "1/3"], ["0", "1"]]]},
            r"transitions\[1\]\[0\]: sums to 5/6",
        ),
        (
            {"initial": ["1/2", "1/2"], "transitions": [STEP] * 2, "transition": STEP},
            'expected "transition" or "transitions", found both',
        ),
    ],
)
def test_what_is_no_chain_is_refused(save, markov, said):
    with pytest.raises(ModelError, match=said):
        read_framework(save("f.json", framework(markov)))


def test_commands_take_the_file(run, save):
    files = (
        save("f.json", framework({"initial": ["1/2", "1/2"], "transitions": [STEP] * 2})),
        save("m.json", {"format": "pufferproof-mechanism/1", "query": "sum", "noise": {"laplace": {"scale": "2"}}}),
    )
    assert run("audit", *files, "--epsilon", "2")[0] == 0
    assert run("calibrate", files[0], "--mechanism", "markov-quilt", "--query", "sum",
               "--epsilon", "2")[0] == 0  # fmt: skip
    assert run("translate", files[0], "--per-record-dp", "0.5")[0] == 0
    assert run("influence", files[0])[0] == 0
