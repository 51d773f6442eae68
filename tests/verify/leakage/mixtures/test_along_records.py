"""Whether mixtures of priors along records are free: by odds alone, where databases are many."""

from fractions import Fraction
from random import Random

import pytest
from tests.soak.drawing import Passed, chain, law

from pufferproof import (
    BayesianNetwork,
    Framework,
    HiddenMarkovModel,
    MarkovChain,
    Noise,
    Product,
    RecordQuery,
    Records,
    audit,
)
from pufferproof.verify.decision import Decision
from pufferproof.verify.leakage import laws as closure
from pufferproof.verify.leakage.laws import free_mixtures

F = Fraction


def along(count, record, *priors):
    secrets = {f"x={value}": (record, value) for value in "01"}
    named = {f"p{k}": each for k, each in enumerate(priors)}
    return Framework.of_records(Records(count, ("0", "1")), secrets, "disjoint", named)


def symmetric(stay, start="stationary"):
    return MarkovChain(start, [[stay, 1 - F(stay)], [1 - F(stay), stay]])


@pytest.mark.parametrize("count", [4, 10, 13, 500, 10**6])
def test_chains_whose_records_have_the_same_odds(count):
    """Symmetric chains have even records, however strong their ties."""
    mixtures = free_mixtures(along(count, 3, symmetric("9/10"), symmetric("1/5")))
    assert mixtures.free is Decision.HOLDS
    product = Product([["1/2", "1/2"]] * count) if count < 1_000 else symmetric("1/2")
    assert free_mixtures(along(count, 3, symmetric("9/10"), product)).free is Decision.HOLDS


@pytest.mark.parametrize(
    ("count", "free"), [(4, Decision.FAILS), (12, Decision.FAILS), (13, Decision.UNDECIDED), (500, Decision.UNDECIDED)]
)
def test_chains_whose_records_do_not(count, free):
    start = ["3/4", "1/4"]
    mixtures = free_mixtures(along(count, 2, symmetric("9/10"), symmetric("9/10", start)))
    assert mixtures.free is free
    assert ("too long to compare" in mixtures.reason) == (count > 12)
    first = free_mixtures(along(count, 1, symmetric("9/10"), symmetric("9/10", start)))
    assert first.free is (Decision.HOLDS if count <= 12 else Decision.UNDECIDED)


def sequence(draw, count):
    if draw.random() < 0.5:
        return chain(draw, 2)
    return Product([law(draw, 2) for _ in range(count)])


def test_odds_along_records_are_those_of_all_databases(monkeypatch):
    """Mixtures are free where all odds are the same, whatever the laws."""
    draw, said = Random(5), set()
    for _ in range(60):
        count = draw.randint(1, 4)
        record = draw.randint(1, count)
        try:
            same = chain(draw, 2) if draw.random() < 0.3 else None
            priors = [same or sequence(draw, count) for _ in range(draw.choice((2, 2, 3)))]
        except Passed:
            continue
        space = along(count, record, *priors)
        odds = set()
        for name in space.priors:
            masses = [space.mass(name, secret) for secret in ("x=0", "x=1")]
            odds.add(F(masses[0], sum(masses)))
        with monkeypatch.context() as patch:
            patch.setattr(closure, "_FEW", 0)
            found = free_mixtures(space).free
        assert found is (Decision.HOLDS if len(odds) == 1 else Decision.UNDECIDED)
        said.add(found)
    assert len(said) == 2


def test_records_near_the_first_are_multiplied_out():
    chains = symmetric("9/10", ["3/4", "1/4"]), symmetric("9/10", ["1/4", "3/4"])
    for record, known in ((200, True), (201, False)):
        mixtures = free_mixtures(along(1000, record, *chains))
        assert (mixtures.free, mixtures.pair is not None) == (Decision.UNDECIDED, known)


def test_hidden_states_are_not_looked_through():
    hidden = HiddenMarkovModel(["1/2", "1/2"], [["3/4", "1/4"], ["1/4", "3/4"]], [[1, 0], [0, 1]])
    assert free_mixtures(along(4, 2, hidden, symmetric("3/4"))).free is Decision.HOLDS
    mixtures = free_mixtures(along(40, 2, hidden, symmetric("3/4")))
    assert "so many databases are not compared" in mixtures.reason


def network(count):
    """A chain of ties, each 2/3."""
    parents = {record: [record - 1] if record > 1 else [] for record in range(1, count + 1)}
    first, tie = {"": ["1/2", "1/2"]}, {"0": ["2/3", "1/3"], "1": ["1/3", "2/3"]}
    return BayesianNetwork(parents, {r: tie if above else first for r, above in parents.items()})


def test_networks_of_too_many_databases_are_audited_and_nothing_is_known_of_mixtures():
    for count, free in ((4, Decision.HOLDS), (30, Decision.UNDECIDED)):
        space = along(count, 2, network(count), symmetric("9/10"))
        query = RecordQuery("sum", Noise("laplace", 1), Records(count, ("0", "1")))
        answer = audit(space, query)
        assert answer.mixtures.free is free
        assert ("so many databases" in str(answer)) == (count == 30)
