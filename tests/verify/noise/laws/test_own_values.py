"""Networks whose records have values of their own: everything is as on the network written out over
the whole alphabet, as enumeration has it, and as after any renaming of values.
"""

import gzip
from fractions import Fraction
from itertools import combinations, product
from math import exp, log, prod
from pathlib import Path
from random import Random

import pgmpy
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests import examples

from pufferproof import BayesianNetwork, Framework, Noise, RecordQuery, Records, audit, influence_curve
from pufferproof.models.errors import ModelError, TooLargeError
from pufferproof.models.noise.records import NoisyQueries
from pufferproof.models.priors.networks.formats import read_bif
from pufferproof.verify.influence.network import NetworkQuilts
from pufferproof.verify.noise.accounts.likelihoods import told_of_values
from pufferproof.verify.noise.laws.of_records import sequence_laws
from pufferproof.verify.noise.queries import queries_leakage
from pufferproof.verify.noise.ratio.bounds import noise_bounds
from pufferproof.verify.simulation.draws import WordStream
from pufferproof.verify.simulation.estimation.worlds import Forward, NetworkSequences

LETTERS = ("0", "1", "2", "3")
SHIPPED = Path(pgmpy.__file__).parent / "utils" / "example_models"


@st.composite
def networks(draw, length, letters=LETTERS):
    """Any graph in which parents come first; values that clash between records, in any order."""
    values = [
        tuple(draw(st.lists(st.sampled_from(letters), min_size=1, max_size=3, unique=True))) for _ in range(length)
    ]
    parents, cpt = {}, {}
    for record in range(1, length + 1):
        above = [other for other in range(1, record) if draw(st.booleans())][-2:]
        size = len(values[record - 1])
        row = st.lists(st.integers(0, 3), min_size=size, max_size=size).filter(any)
        parents[record] = above
        cpt[record] = {
            "".join(key): [Fraction(x, sum(drawn)) for x in drawn]
            for key in product(*(values[each - 1] for each in above))
            for drawn in [draw(row)]
        }
    return BayesianNetwork(parents, cpt, values=values)


def enumerated(network):
    """The joint law, by values, from the tables as they were given."""
    tables = [dict(rows) for rows in network.cpt]
    for x in product(*network.values):
        p = Fraction(1)
        for i, above in enumerate(network.parents):
            row = tables[i]["".join(x[a - 1] for a in above)]
            p *= row[network.values[i].index(x[i])]
        yield x, p


def written_out(network, letters=LETTERS):
    """The network over the whole alphabet, other values having probability 0."""
    cpt = {}
    for i, (above, rows) in enumerate(zip(network.parents, network.cpt)):
        known, own = dict(rows), network.values[i]
        cpt[i + 1] = {}
        for key in product(letters, repeat=len(above)):
            row = known.get("".join(key), [1] + [0] * (len(own) - 1))
            held = dict(zip(own, row))
            cpt[i + 1]["".join(key)] = [held.get(letter, 0) for letter in letters]
    return BayesianNetwork(dict(enumerate(network.parents, 1)), cpt)


def framework_of(network, record, letters=LETTERS):
    secrets = {f"x={v}": (record, v) for v in letters}
    records = Records(network.length, letters)
    return Framework(records, secrets, "disjoint", {"net": network})


def counted(network, record, what):
    """The law of a count given every value of a record: value -> number -> probability."""
    found = {}
    for x, p in enumerated(network):
        of = found.setdefault(x[record - 1], {})
        number = sum(each == what for each in x)
        of[number] = of.get(number, 0) + p
    return {v: {n: p / sum(law.values()) for n, p in law.items() if p} for v, law in found.items() if sum(law.values())}


def leaked_approx(laws):
    """The largest log-ratio under Laplace noise of scale 1, over all whole outputs."""
    best = 0.0
    for one, other in combinations(laws.values(), 2):
        for w in range(-1, 8):
            f, g = (sum(float(p) * exp(-abs(n - w)) for n, p in x.items()) for x in (one, other))
            best = max(best, abs(log(f / g)))
    return best


@examples(150)
@given(networks(4), st.integers(1, 4), st.sampled_from(LETTERS))
def test_laws_and_leakages_are_those_of_enumeration(network, record, what):
    framework = framework_of(network, record)
    query = RecordQuery("count", Noise.laplace(1), framework.records, counted=what)
    known, laws = counted(network, record, what), sequence_laws(framework, [query])
    for pair in laws.pairs:
        for name, law in zip(pair.pair, (pair.above, pair.below)):
            assert {number[0]: p for number, p in law.items()} == known[name[-1]]
    assert len(laws.pairs) == len(known) * (len(known) - 1)
    if len(known) < 2:
        with pytest.raises(ModelError, match="nothing to check"):
            noise_bounds(framework, query)
        return
    exact, bounds = (queries_leakage(framework, NoisyQueries((query,))), noise_bounds(framework, query))
    truth = leaked_approx(known)
    assert float(exact.leakage.lower) == pytest.approx(exp(truth), rel=1e-9)
    assert bounds.leakage.lower <= exact.leakage.upper
    assert bounds.leakage.upper is None or bounds.leakage.upper >= exact.leakage.lower


@examples(100)
@given(networks(4), st.sampled_from(["count", "sum", "histogram"]), st.integers(1, 4))
def test_answers_are_those_of_the_network_written_out(network, query, record):
    records, whole = Records(4, LETTERS), written_out(network)
    ours, theirs = framework_of(network, record), framework_of(whole, record)
    assert ours.laws["net"].weights == theirs.laws["net"].weights or ours == theirs
    for each in range(1, 5):
        assert network.marginal(each, records) == whole.marginal(each, records)
    quilts, others = NetworkQuilts(network, records), NetworkQuilts(whole, records)
    for chosen in combinations({1, 2, 3, 4} - {record}, 2):
        assert quilts.influence(record, chosen) == others.influence(record, chosen)
        quilt = quilts.of(record, chosen)
        assert quilt == others.of(record, chosen)
    asked = RecordQuery(query, Noise.geometric("1/2"), records, counted="1" if query == "count" else None)
    try:
        found = noise_bounds(theirs, asked)
    except ModelError:
        return
    told = noise_bounds(ours, asked)
    assert told.leakage.lower <= found.leakage.upper
    assert abs(told.leakage.lower / found.leakage.lower - 1) < Fraction(1, 10**60)
    points = [(p.lower, p.upper, p.hidden) for p in influence_curve(ours)]
    assert points == [(p.lower, p.upper, p.hidden) for p in influence_curve(theirs)]


@examples(60)
@given(networks(4), st.integers(1, 4), st.permutations(range(3)), st.randoms(use_true_random=False))
def test_renaming_values_changes_no_answer(network, record, order, random):
    """But for "0", which is counted, every record has names of its own after it."""
    letters = ("0", *(f"{i}-{v}" for i in range(1, 5) for v in "123"))
    names = [{v: v if v == "0" else f"{i}-{'123'[order[int(v) - 1]]}" for v in LETTERS} for i in range(1, 5)]
    values = [[name[v] for v in own] for name, own in zip(names, network.values)]
    cpt = {
        i: {",".join(names[above - 1][v] for above, v in zip(network.parents[i - 1], key)): row for key, row in rows}
        for i, rows in enumerate(network.cpt, 1)
    }
    renamed = BayesianNetwork(dict(enumerate(network.parents, 1)), cpt, values=values)
    shuffled = random.sample(letters, len(letters))
    own = [names[record - 1][v] for v in LETTERS]
    secrets = {f"x={v}": (record, name) for v, name in zip(LETTERS, own)}
    there = Framework(Records(4, tuple(shuffled)), secrets, "disjoint", {"net": renamed})
    here = framework_of(network, record)
    asked = [RecordQuery("count", Noise.laplace(1), f.records, counted="0") for f in (here, there)]
    try:
        known = queries_leakage(here, NoisyQueries((asked[0],)))
    except ModelError:
        return
    found = queries_leakage(there, NoisyQueries((asked[1],)))
    assert (found.leakage, found.witness) == (known.leakage, known.witness)
    bounds, others = noise_bounds(here, asked[0]), noise_bounds(there, asked[1])
    assert abs(bounds.leakage.lower / others.leakage.lower - 1) < Fraction(1, 10**60)


@examples(120)
@given(networks(5), st.integers(1, 5), st.integers(1, 400))
def test_what_floats_tell_encloses_the_mean(network, record, steep):
    """Weights to e^-400 and e^400, so that tables underflow, and are then not told."""
    from flint import arb, ctx

    records, first = Records(5, LETTERS), None
    values = [v for v, p in enumerate(network.marginal(record, records)) if p]
    with ctx.workprec(256):
        row = [arb(1), arb(-steep).exp(), arb(steep).exp(), arb(2)]
        told = told_of_values(network, records, record, [row] * 5, values)
        if told is None:
            return
        for v in values:
            pairs = [(x, p) for x, p in enumerated(network) if p and x[record - 1] == LETTERS[v]]
            whole = sum(p for _, p in pairs)
            mean = sum((prod(row[int(each)] for each in x) * _ball(p / whole) for x, p in pairs), arb(0))
            low, high = (_ball(end) for end in told[0][v])
            ends = low / mean, high / mean
            first = first or ends
            assert ends[0] <= first[1]  # one factor for all values
            assert first[0] <= ends[1]
            assert steep > 50 or high / low < 1 + 1e-12


def _ball(value):
    from flint import arb, fmpq

    return arb(fmpq(value.numerator, value.denominator))


@pytest.mark.parametrize("seed", range(3))
def test_draws_have_the_values_of_their_records(seed):
    random = Random(seed)
    values = [("1", "0"), ("3", "2", "1"), ("0",)]
    cpt = {
        1: {"": ["1/4", "3/4"]},
        2: {"1": ["1/2", "1/2", "0"], "0": ["0", "1/4", "3/4"]},
        3: {"".join(key): [1] for key in product("10", "321")},
    }
    network = BayesianNetwork({1: [], 2: [1], 3: [1, 2]}, cpt, values=values)
    drawn = NetworkSequences(Forward(network, Records(3, LETTERS)), 2, 2)
    tally = drawn.draw(4000, WordStream(random.randrange(1000))).tolist()
    known = {x: p for x, p in enumerated(network) if p and x[1] == "2"}
    whole = sum(known.values())
    seen = {tuple(LETTERS[v] for v in each) for each in tally}
    assert seen == set(known)
    for x, p in known.items():
        share = sum(tuple(LETTERS[v] for v in each) == x for each in tally) / 4000
        assert share == pytest.approx(float(p / whole), abs=0.05)


def shipped(name):
    """A network that pgmpy ships, its rows divided by their sums, and the values of its records."""
    network = read_bif(gzip.decompress((SHIPPED / f"{name}.bif.gz").read_bytes()).decode())
    return network.divided()


COUNTS = [
    ("asia", "bronc", "yes", 1.947002135),
    ("cancer", "Cancer", "True", 1.851084509),
    ("survey", "O", "emp", 1.0),
    ("child", "BirthAsphyxia", "yes", 0.961905533),
    ("insurance", "SeniorTrain", "True", 1.499332248),
    ("win95pts", "DeskPrntSpd", "OK", 2.945321820),
    ("hepar2", "proteins", "a10_6", 1.0),
    ("pathfinder", "F1", "Absent", 4.900647210),
    ("munin2", "R_APB_MUSCLE_VOL", "ATROPHIC", 2.559784422),
]


def asked_of(name, record, value):
    network = shipped(name)
    alphabet = tuple(dict.fromkeys(v for values in network.values.values() for v in values))
    at, own = [*network.values].index(record) + 1, network.values[record]
    secrets = {"one": (at, own[0]), "other": (at, own[1])}
    records = Records(len(network.values), alphabet)
    framework = Framework(records, secrets, [("one", "other")], {"net": network})
    return framework, RecordQuery("count", Noise.laplace(1), records, counted=value)


@pytest.mark.parametrize(("name", "record", "value", "nats"), COUNTS)
def test_counts_of_shipped_networks(name, record, value, nats):
    framework, query = asked_of(name, record, value)
    leaked = queries_leakage(framework, NoisyQueries((query,))).leakage
    assert log(leaked.lower) == pytest.approx(nats, abs=1e-9)


@pytest.mark.parametrize(
    ("name", "record", "value", "nats"),
    [("andes", "GOAL_84", "false", 4.136850217), ("pigs", "p82292291", "0", 3.508456854)],
)
def test_two_ends_of_larger_networks(name, record, value, nats):
    """Their exact laws are too large: two sums of numbers show the lower end, and laws in floats
    that it is the largest ratio.
    """
    framework, query = asked_of(name, record, value)
    ends = noise_bounds(framework, query)
    assert log(ends.leakage.lower) == pytest.approx(nats, abs=1e-9)
    assert ends.leakage.upper > ends.leakage.lower * 2
    found = audit(framework, query)
    assert found.witness == ends.witness
    for one, other in ((found, ends), (found, found), (ends, found)):
        assert one.leakage.lower <= found.leakage.upper
        assert found.leakage.upper < other.leakage.lower * (1 + Fraction(1, 10**10))
    assert found.trust == ("INTERVAL", "CITED(noise.window)")


def test_every_shipped_network_is_read():
    names = sorted(path.name.split(".")[0] for path in SHIPPED.glob("*.bif.gz"))
    large = {"mildew", "diabetes", "munin", "munin3", "munin4", "link"}  # read by `make` alone
    assert len(names) == 24
    for name in set(names) - large:
        network = shipped(name)
        alphabet = tuple(dict.fromkeys(v for values in network.values.values() for v in values))
        records = Records(len(network.values), alphabet)
        network.network(records).expect(records)


def test_a_value_that_a_record_does_not_have_is_left_out():
    network = BayesianNetwork({1: [], 2: [1]}, {1: {"": [1]}, 2: {"a": ["1/2", "1/2"]}}, values=[["a"], ["a", "b"]])
    secrets = {"a": (2, "a"), "b": (2, "b"), "c": (2, "c")}
    framework = Framework(Records(2, ("a", "b", "c")), secrets, "disjoint", {"net": network})
    query = RecordQuery("count", Noise.laplace(1), framework.records, counted="a")
    laws = sequence_laws(framework, [query])
    assert (laws.excluded, laws.never) == (2, (("a", "c"), ("b", "c")))


def test_values_that_do_not_fit_are_refused():
    for values, says in [
        ([["a"]], "expected values of 2 records, found 1"),
        ([["a"], []], "values of record 2: expected different values"),
        ([["a"], ["b", "b"]], "values of record 2: expected different values"),
        ([["a"], ["b", "z"]], 'expected an alphabet with value "z" of record 2'),
        ([["a", "b"], ["b", "c"]], r'cpt\.1\[""\]: expected 2 entries, one per value, found 1'),
        ([["c"], ["b", "c"]], 'cpt.2: expected 1 rows, .* no row "c"'),
        ([["a"], ["b"]], r'cpt\.2\["a"\]: expected 1 entries, one per value, found 2'),
        ([[1], ["b", "c"]], "expected"),
        ("ab", "expected"),
    ]:
        cpt = {1: {"": [1]}, 2: {"a": ["1/2", "1/2"]}}
        with pytest.raises(ModelError, match=says):
            BayesianNetwork({1: [], 2: [1]}, cpt, values=values).expect(Records(2, ("a", "b", "c")))


def test_too_many_floats_are_refused_before_they_are_made():
    clique = {i: list(range(1, i)) for i in range(1, 8)}
    rows = {i: {"".join(k): ["1/2", "1/2"] for k in product("01", repeat=i - 1)} for i in clique}
    network = BayesianNetwork(clique, rows)
    with pytest.raises(TooLargeError, match="entries of tables of floats: expected at most 100"):
        told_of_values(network, Records(7, ("0", "1")), 1, [[1, 2]] * 7, [0, 1], 100)
