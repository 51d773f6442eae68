"""One framework, two views: databases that are listed, and chains along records that are not."""

import json
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests import examples

from pufferproof import (
    AdditiveNoise,
    Channel,
    Framework,
    HiddenMarkovModel,
    LocalMechanism,
    MarkovChain,
    ModelError,
    Product,
    RecordQuery,
    Records,
    Table,
    audit,
    read_framework,
    read_mechanism,
)
from pufferproof.models.errors import TooLargeError
from pufferproof.models.listing import AllPairs
from pufferproof.models.priors.laws import Law

STEP = [["9/10", "1/10"], ["1/5", "4/5"]]
CHAIN = MarkovChain("stationary", STEP)
SECRETS = {"zero": (2, "0"), "one": (2, "1")}
SHORT, LONG = Records(3, ("0", "1")), Records(1000, ("0", "1"))


def framework(records=SHORT, secrets=SECRETS, pairs="disjoint", priors=None, **more):
    return Framework.of_records(records, secrets, pairs, priors or {"theta": CHAIN}, **more)


def test_the_pairs_of_both_views_are_the_same():
    secrets = {f"x{t}={v}": (t, v) for t in (1, 2) for v in "012"}
    priors = {"theta": Product([["1/3"] * 3] * 2)}
    records = Records(2, ("0", "1", "2"))
    along = framework(records, secrets, "disjoint", priors)
    listed = framework(records, secrets, "disjoint", priors, closure="convex")
    assert along.along_records
    assert not listed.along_records
    assert tuple(along.pairs) == tuple(listed.pairs) == tuple(along.listed.pairs)
    one_record = {name: place for name, place in secrets.items() if place[0] == 1}
    assert framework(records, one_record, "disjoint", priors).pairs == AllPairs(tuple(one_record))


def test_long_sequences_are_never_listed():
    long = framework(LONG)
    assert repr(long) == "Framework(1000 records, 2 secrets, 1 pair, 1 prior)"
    assert long == framework(LONG) != framework(Records(999, ("0", "1")))
    for view in ("listed", "databases", "secrets", "laws", "support", "members"):
        with pytest.raises(TooLargeError, match=r"2\^1000 databases"):
            getattr(long, view)


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"priors": {"theta": CHAIN, "t": Table({"000": 1})}}, "priors.t: a table lists databases"),
        ({"closure": "convex"}, "closure: mixtures of priors need"),
        ({"one_sided": True}, "pairs: pairs of one order need databases that are listed"),
        ({"secrets": {"zero": (2, "0"), "one": ["010", "111"]}}, "secrets.one: a list of databases"),
    ],
)
def test_what_has_no_chains_is_listed_and_says_why(more, message):
    listed = framework(**more)
    assert len(listed.databases) == 8
    assert not listed.along_records
    with pytest.raises(ModelError) as error:
        _ = listed.chains
    assert str(error.value).startswith(message)
    with pytest.raises(TooLargeError, match="databases: expected at most"):
        framework(LONG, **more)


def test_listed_databases_have_no_chains():
    listed = Framework(["a", "b"], {"s": ["a"], "t": ["b"]}, "disjoint", {"theta": Table({"a": "1/2", "b": "1/2"})})
    for view in ("chains", "places"):
        with pytest.raises(ModelError, match="framework of records"):
            getattr(listed, view)


@pytest.mark.parametrize("prior", [CHAIN, HiddenMarkovModel("stationary", STEP, STEP)])
def test_a_framework_cannot_be_changed(prior):
    made = framework(priors={"theta": prior})
    for name in ("databases", "secrets", "priors", "records", "closure", "laws"):
        with pytest.raises(AttributeError):
            setattr(made, name, None)


def test_files_of_every_kind_are_read(tmp_path):
    def saved(name, document):
        (tmp_path / name).write_text(json.dumps(document))
        return tmp_path / name

    head = {"format": "pufferproof-mechanism/1"}
    described = {
        "format": "pufferproof-framework/1",
        "records": {"count": 1000, "alphabet": ["0", "1"]},
        "secrets": {name: {"record": t, "value": v} for name, (t, v) in SECRETS.items()},
        "pairs": "disjoint",
        "priors": {"theta": {"markov": {"initial": "stationary", "transition": STEP}}},
    }
    long = read_framework(saved("long.json", described))
    short = read_framework(saved("short.json", described | {"records": {"count": 3, "alphabet": ["0", "1"]}}))
    noisy = saved("n.json", head | {"query": "sum", "noise": {"laplace": {"scale": 9}}})
    table = {"".join((a, b, c)): int(a) for a in "01" for b in "01" for c in "01"}
    kinds = [
        (long, saved("l.json", head | {"redaction": [["1/2", "1"]] * 1000}), LocalMechanism),
        (short, saved("s.json", head | {"redaction": [["1/2", "1"]] * 3}), Channel),
        (long, noisy, RecordQuery),
        (short, noisy, RecordQuery),
        (short, saved("t.json", head | {"query": table, "noise": {"laplace": {"scale": 1}}}), AdditiveNoise),
    ]
    for space, path, kind in kinds:
        mechanism = read_mechanism(path, space)
        assert type(mechanism.value) is kind
        assert audit(space, mechanism).witness.prior == "theta"


@examples(200)
@given(st.lists(st.fractions(-1, 1, max_denominator=6), max_size=5), st.booleans())
def test_a_law_is_what_sums_to_one_and_is_nowhere_negative(values, closed):
    """By fractions, one by one."""
    values += [1 - sum(values)] * closed
    negative = [place for place, value in enumerate(values, 1) if value < 0]
    if negative or sum(values) != 1:
        said = f"at position {negative[0]}$" if negative else "sums to .*, expected 1"
        with pytest.raises(ModelError, match=said):
            Law.of(values)
    else:
        law = Law.of(values)
        assert [Fraction(weight, law.total) for weight in law.weights] == values
        assert sum(law.weights) == law.total


@given(data=st.data())
@examples(200)
def test_databases_in_any_order_have_the_law_and_the_members_of_the_definition(data):
    """In the order of the list they are taken as they stand, in another one looked up."""
    labels = [f"x{k}" for k in range(data.draw(st.integers(2, 6)))]
    order = data.draw(st.permutations(labels))
    start = data.draw(st.integers(0, len(labels) - 1))
    held = data.draw(st.sampled_from([labels[start:], order[start:], labels[:start] or labels]))
    weights = [data.draw(st.integers(1, 4)) for _ in labels]
    given_law = {x: Fraction(n, sum(weights)) for x, n in zip(order, weights)}
    secrets = {"s": held, "t": ["z"]}
    framework = Framework([*labels, "z"], secrets, [("s", "t")], {"p": Table(given_law)})
    law = framework.laws["p"]
    assert [Fraction(w, law.total) for w in law.weights] == [*map(given_law.get, labels), 0]
    assert framework.secrets["s"] == tuple(sorted(map(labels.index, held)))


@pytest.mark.parametrize(
    ("held", "said"),
    [
        (["a", "b", "a"], 'database "a" occurs twice'),
        (["a", "z"], 'unknown database "z"'),
        (["b", "c", "z"], 'unknown database "z"'),
    ],
)
def test_databases_that_follow_each_other_are_read_as_carefully_as_others(held, said):
    with pytest.raises(ModelError, match=said):
        Framework("abc", {"s": held, "t": ["c"]}, [("s", "t")], {"p": Table({"a": 1})})
    with pytest.raises(ModelError, match='unknown database "z"'):
        Framework("abc", {"s": "a", "t": "b"}, [("s", "t")], {"p": Table({"a": 1, "z": 0})})
