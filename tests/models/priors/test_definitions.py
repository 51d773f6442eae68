"""Definitions of privacy as frameworks: their leakage against the definitions themselves, and no
law of an infinite class above those that are listed.
"""

import json
from fractions import Fraction
from itertools import chain, combinations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests import examples
from tests.brute.definitions import leakage

from pufferproof import Channel, Definition, Framework, MarkovChain, ModelError, Product, Records, Table, read_framework
from pufferproof.models.files.writing import definition_document

BITS, TRITS = Records(3, ("0", "1")), Records(2, ("a", "b", "c"))
STICKY = MarkovChain("stationary", [["3/4", "1/4"], ["1/3", "2/3"]])
STEPS = [["1/2", "1/2", 0], ["1/3", "1/3", "1/3"], [0, "1/4", "3/4"]]
MOVES = MarkovChain(["1/2", "1/2", 0], STEPS)
BLOCKS = [[[1, 2], [3]], [[1, 2, 3]], [[1], [3, 2]], [[1], [2], [3]]]


@st.composite
def channels(draw, records):
    """Two outputs, with probabilities of quarters, zeros among them."""
    rows = {}
    for label in records.labels():
        first = Fraction(draw(st.integers(0, 4)), 4)
        rows[label] = [first, 1 - first]
    return Channel.of(rows, ["u", "v"])


@st.composite
def laws(draw, records):
    """A law on all tables, some of probability 0."""
    weights = [draw(st.integers(0, 3)) for _ in records.labels()]
    weights[draw(st.integers(0, len(weights) - 1))] += 1
    return Table(dict(zip(records.labels(), weights)), normalize=True)


def leaks(definition, channel):
    """The largest ratio of the framework, infinity as "inf"."""
    ratio, _ = leakage(Framework.of_definition(definition), channel)
    return "inf" if ratio is None else max(ratio, Fraction(1))


def largest(pairs):
    """The largest ratio of pairs (a, b) in either order, 0/0 being none."""
    found = Fraction(1)
    for one, other in pairs:
        for a, b in ((one, other), (other, one)):
            if a and not b:
                return "inf"
            found = max(found, a / b) if b else found
    return found


def of_tables(channel, pairs):
    """The largest ratio of a channel at these pairs of tables."""
    return largest((channel.probability(x, w), channel.probability(y, w)) for x, y in pairs for w in channel.outputs)


def differ(x, y):
    return [i for i, (a, b) in enumerate(zip(x, y)) if a != b]


def law(prior, records):
    labels, found = records.labels(), prior.law(records.labels(), records)
    return {x: Fraction(w, found.total) for x, w in zip(labels, found.weights)}


def posterior(channel, weights, given, w):
    """P(w | the values of some records), or None if that has probability 0."""
    held = [x for x in weights if all(x[i] == value for i, value in given.items())]
    mass = sum(weights[x] for x in held)
    return sum(weights[x] * channel.probability(x, w) for x in held) / mass if mass else None


def of_law(channel, weights, edges, places, known=lambda i: [{}]):
    """The largest ratio of P(w | x_i = a, x_K) and P(w | x_i = b, x_K)."""
    pairs = [
        (posterior(channel, weights, {**k, i: a}, w), posterior(channel, weights, {**k, i: b}, w))
        for i in places
        for k in known(i)
        for a, b in edges
        for w in channel.outputs
    ]
    return largest((a, b) for a, b in pairs if a is not None and b is not None)


@examples(40)
@given(channels(BITS))
def test_differential_privacy_compares_tables_that_differ_in_one_record(channel):
    pairs = [(x, y) for x, y in combinations(BITS.labels(), 2) if len(differ(x, y)) == 1]
    definition = Definition.differential_privacy(BITS)
    assert leaks(definition, channel) == of_tables(channel, pairs)


@examples(40)
@given(channels(BITS), st.lists(st.integers(0, 4), min_size=3, max_size=3))
def test_no_law_with_independent_records_leaks_more_than_those_listed(channel, weights):
    rows = [[Fraction(each, 4), 1 - Fraction(each, 4)] for each in weights]
    found = leaks(Definition.differential_privacy(BITS), channel)
    other = of_law(channel, law(Product(rows), BITS), [("0", "1")], range(3))
    assert found == "inf" or (other != "inf" and other <= found)


@examples(40)
@given(channels(BITS), st.sampled_from(BLOCKS))
def test_dependent_records_compare_tables_that_differ_within_one_block(channel, blocks):
    pairs = [
        (x, y)
        for x, y in combinations(BITS.labels(), 2)
        if any({*differ(x, y)} <= {i - 1 for i in block} for block in blocks)
    ]
    assert leaks(Definition.dependent(BITS, blocks), channel) == of_tables(channel, pairs)


@examples(40)
@given(channels(BITS), laws(Records(2, ("0", "1"))), st.integers(0, 4))
def test_no_law_with_independent_blocks_leaks_more_than_those_listed(channel, block, last):
    alone = {"0": Fraction(last, 4), "1": 1 - Fraction(last, 4)}
    weights = {x: law(block, Records(2, ("0", "1")))[x[:2]] * alone[x[2]] for x in BITS.labels()}
    found = leaks(Definition.dependent(BITS, [[1, 2], [3]]), channel)
    other = of_law(channel, weights, [("0", "1")], range(3))
    assert found == "inf" or (other != "inf" and other <= found)


def neighbours(tables, edges):
    """Definition 4.1 of He, Machanavajjhala and Ding, in either order."""
    joined = {*edges, *((b, a) for a, b in edges)}

    def secrets(x, y):
        return {(i, x[i], y[i]) for i in differ(x, y) if (x[i], y[i]) in joined}

    def changes(x, y):
        return {(i, x[i]) for i in differ(x, y)} | {(i, y[i]) for i in differ(x, y)}

    for x, y in product(tables, repeat=2):
        if secrets(x, y) and not any(
            secrets(x, z) < secrets(x, y) or (secrets(x, z) == secrets(x, y) and changes(x, z) < changes(x, y))
            for z in tables
            if secrets(x, z)
        ):
            yield x, y


LINE = [("a", "b"), ("b", "c")]


@examples(60)
@given(channels(TRITS), st.sets(st.sampled_from(TRITS.labels()), min_size=2), st.booleans())
def test_blowfish_compares_its_neighbours(channel, allowed, line):
    edges = LINE if line else None
    pairs = list(neighbours(sorted(allowed), edges or list(combinations("abc", 2))))
    if not pairs:
        with pytest.raises(ModelError, match="nothing is secret"):
            Definition.blowfish(TRITS, edges, sorted(allowed))
        return
    definition = Definition.blowfish(TRITS, edges, sorted(allowed))
    assert leaks(definition, channel) == of_tables(channel, pairs)


@pytest.mark.parametrize("edges", [None, LINE, [("c", "a")]])
def test_without_constraints_neighbours_differ_in_one_record(edges):
    every = Definition.blowfish(TRITS, edges, TRITS.labels())
    assert {frozenset(name.split(" or ")) for name in every.priors} == {
        frozenset(name.split(" or ")) for name in Definition.blowfish(TRITS, edges).priors
    }


@examples(40)
@given(channels(BITS), laws(BITS))
def test_one_law_is_that_of_noiseless_and_inferential_privacy(channel, prior):
    expected = of_law(channel, law(prior, BITS), [("0", "1")], range(3))
    for make in (Definition.noiseless, Definition.inferential):
        assert asked(make(BITS, {"theta": prior}), channel) == expected


def asked(definition, channel):
    """The largest ratio, 1 where the law leaves nothing to ask."""
    try:
        return leaks(definition, channel)
    except ModelError:
        return Fraction(1)


@examples(40)
@given(channels(Records(2, ("0", "1", "3"))))
def test_places_within_a_radius_are_compared_at_one_time(channel):
    records = Records(2, ("0", "1", "3"))
    for radius, edges in ((1, [("0", "1")]), ("2", [("0", "1"), ("1", "3")])):
        definition = Definition.conditional_inference(records, {"theta": MOVES}, radius)
        expected = of_law(channel, law(MOVES, records), edges, range(2))
        assert leaks(definition, channel) == expected


@examples(40)
@given(channels(BITS), laws(BITS), st.integers(1, 3))
def test_partial_knowledge_has_the_record_independent_of_the_rest(channel, prior, record):
    weights, place = law(prior, BITS), record - 1
    rest = [x[:place] + x[record:] for x in BITS.labels()]
    others = {y: sum(w for x, w in weights.items() if x[:place] + x[record:] == y) for y in rest}
    values = {v: sum(w for x, w in weights.items() if x[place] == v) for v in "01"}
    pairs = [
        [sum(p * channel.probability(y[:place] + v + y[place:], w) for y, p in others.items()) for v in "01"]
        for w in channel.outputs
    ]
    expected = largest(pairs) if all(values.values()) else Fraction(1)
    definition = Definition.partial_knowledge(BITS, {"theta": prior}, record)
    assert asked(definition, channel) == expected


@examples(30)
@given(channels(BITS), laws(BITS))
def test_bayesian_privacy_holds_whatever_else_is_known(channel, prior):
    weights = law(prior, BITS)

    def known(i):
        others = [j for j in range(3) if j != i]
        chosen = chain.from_iterable(combinations(others, size) for size in range(3))
        return [dict(zip(k, at)) for k in chosen for at in product("01", repeat=len(k))]

    expected = of_law(channel, weights, [("0", "1")], range(3), known)
    assert asked(Definition.bayesian(BITS, {"theta": prior}), channel) == expected


@examples(30)
@given(channels(Records(2, ("0", "1", "_"))), laws(Records(2, ("0", "1"))))
def test_distribution_privacy_compares_a_value_with_its_absence(channel, prior):
    records = Records(2, ("0", "1"))
    weights, pairs = law(prior, records), []
    for i, value, w in product(range(2), "01", channel.outputs):
        held = {x: p for x, p in weights.items() if x[i] == value and p}
        if held:
            mass = sum(held.values())
            there = sum(p * channel.probability(x, w) for x, p in held.items()) / mass
            without = {x: x[:i] + "_" + x[i + 1 :] for x in held}
            gone = sum(p * channel.probability(without[x], w) for x, p in held.items()) / mass
            pairs.append((there, gone))
    assert leaks(Definition.distribution(records, {"theta": prior}), channel) == largest(pairs)


def test_a_file_of_a_definition_reads_back(tmp_path):
    secrets = {"s": (1, "0"), "t": ["011", "111"]}
    made = [
        Definition.differential_privacy(TRITS),
        Definition.bayesian(BITS, {"theta": STICKY}),
        Definition.pufferfish(BITS, secrets, [("s", "t")], {"theta": Table({"000": 1})}),
    ]
    for definition in made[:2]:
        path = tmp_path / "f.json"
        path.write_text(json.dumps(definition_document(definition)))
        read, framework = read_framework(path).value, Framework.of_definition(definition)
        assert (read.secrets, read.pairs, read.laws) == (framework.secrets, framework.pairs, framework.laws)
    assert definition_document(made[2])["secrets"]["t"] == ["011", "111"]


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: Definition.differential_privacy(Records(2, ("0",))), "nothing is secret"),
        (lambda: Definition.differential_privacy(Records(40, ("0", "1"))), "expected at most"),
        (lambda: Definition.differential_privacy(Records(16, ("0", "1"))), "take fewer records"),
        (lambda: Definition.dependent(BITS, [[1, 2]]), "blocks: expected every record"),
        (lambda: Definition.dependent(BITS, [[1, 2], [2, 3]]), "blocks: expected every record"),
        (lambda: Definition.noiseless(BITS, {}), "expected at least one prior, found none"),
        (lambda: Definition.inferential(BITS, {}), "expected at least one prior"),
        (lambda: Definition.blowfish(BITS, [("0", "2")]), "edges: expected one of"),
        (lambda: Definition.blowfish(BITS, [("0", "0")]), "edges: expected two values"),
        (lambda: Definition.blowfish(BITS, []), "edges: expected at least one edge"),
        (lambda: Definition.blowfish(BITS, None, ["0"]), "allowed: unknown table"),
        (lambda: Definition.blowfish(BITS, None, ["000"]), "nothing is secret"),
        (lambda: Definition.conditional_inference(BITS, {"t": STICKY}, 0), "radius above 0"),
        (lambda: Definition.conditional_inference(BITS, {"t": STICKY}, "1/2"), "this near"),
        (lambda: Definition.conditional_inference(TRITS, {"t": MOVES}, 1), 'place "a"'),
        (lambda: Definition.partial_knowledge(BITS, {"t": STICKY}, 4), "record: expected a record"),
        (lambda: Definition.bayesian(BITS, {"t": MOVES}), "priors.t"),
        (lambda: Definition.distribution(Records(2, ("_", "1")), {"t": STICKY}), "stands for an absent record"),
    ],
)
def test_bad_parameters_are_one_line(make, said):
    with pytest.raises(ModelError, match=said) as error:
        make()
    assert "\n" not in str(error.value)
