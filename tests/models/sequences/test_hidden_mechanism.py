"""Hidden Markov mechanisms: words against the sum over all hidden states, joint releases, files,
and what is refused.
"""

import json
from fractions import Fraction
from itertools import pairwise, product
from math import prod
from random import Random

import pytest
from tests import seeds

from pufferproof import Channel, HiddenMarkovMechanism, read_framework, read_mechanism
from pufferproof.models.errors import ModelError, TooLargeError
from pufferproof.models.files.writing import hidden_document

COINS = {
    "initial": {"a": {"h": 1}, "b": {"t": 1}},
    "transition": {},
    "emission": {"h": {"0": "3/4", "1": "1/4"}, "t": {"0": "1/4", "1": "3/4"}},
    "symbols": ["0", "1"],
    "length": 3,
}


def row(random, size):
    weights = [random.choice([0, 1, 3]) for _ in range(size)]
    weights[random.randrange(size)] += 1
    return [Fraction(weight, sum(weights)) for weight in weights]


def drawn(random, databases, length):
    states, symbols = random.randint(1, 3), random.randint(1, 3)
    return HiddenMarkovMechanism(
        {name: row(random, states) for name in databases},
        [row(random, states) for _ in range(states)],
        [row(random, symbols) for _ in range(states)],
        "uvw"[:symbols],
        length,
    )


def brute(mechanism, database, word):
    """The sum over all hidden sequences, from a last state that has not shown anything."""
    start = mechanism.start[mechanism.databases.index(database)]
    if not word:
        return Fraction(1)
    return sum(
        start[path[0]]
        * prod(mechanism.moves[now][then] for now, then in pairwise(path))
        * prod(mechanism.shows[state][symbol] for state, symbol in zip(path, word))
        for path in product(range(len(mechanism.states)), repeat=len(word))
    )


@seeds(12)
def test_words_have_the_probabilities_of_the_definition(seed):
    random = Random(seed)
    mechanism = drawn(random, "ab", seed % 4)
    channel = mechanism.channel()
    for word in product(range(len(mechanism.symbols)), repeat=mechanism.length):
        label = mechanism.label(word)
        for database in "ab":
            expected = brute(mechanism, database, word)
            assert mechanism.probability(database, word) == expected
            listed = channel.probability(database, label) if label in channel.outputs else 0
            assert listed == expected


@pytest.mark.parametrize("seed", range(6))
def test_a_joint_release_is_the_product_of_its_parts(seed):
    random = Random(seed)
    one, other = drawn(random, "ab", 2), drawn(random, "ba", 2)
    together = one.beside(other)
    for word in product(range(len(together.symbols)), repeat=2):
        sides = list(zip(*(divmod(symbol, len(other.symbols)) for symbol in word)))
        labels = (one.label(sides[0]), other.label(sides[1]))
        assert together.parts(word) == labels
        for database in "ab":
            assert together.probability(database, word) == one.probability(database, sides[0]) * other.probability(
                database, sides[1]
            )
    thrice = together.beside(one)
    assert thrice.parts([len(thrice.symbols) - 1] * 2) == (
        *together.parts([len(together.symbols) - 1] * 2),
        one.label([len(one.symbols) - 1] * 2),
    )


def test_what_has_too_many_words_is_not_listed():
    long = HiddenMarkovMechanism(**COINS).of_length(40)
    assert not long.writable
    with pytest.raises(TooLargeError, match="too many"):
        long.channel()


WRONG = {
    "an unknown state": ({"initial": {"a": {"x": 1}}}, 'initial.a: unknown name "x"'),
    "a row that is missing": ({"states": ["h", "t", "u"]}, "emission.u: expected a row"),
    "a row of another length": ({"initial": {"a": [1]}}, "initial.a: expected 2 entries"),
    "a row that is no law": ({"initial": {"a": ["1/2", "1/3"]}}, "initial.a: sums to 5/6, expected 1"),
    "a negative number": ({"initial": {"a": ["3/2", "-1/2"]}}, "initial.a: expected a probability, found -1/2"),
    "a transition from nowhere": ({"transition": {"x": [1, 0]}}, 'transition: unknown name "x"'),
    "no symbols": ({"symbols": []}, "symbols: expected at least one symbol"),
    "symbols that repeat": ({"symbols": ["0", "0"]}, "symbols: a symbol occurs twice"),
    "no databases": ({"initial": {}}, "databases: expected at least one database"),
    "a negative length": ({"length": -1}, "length: expected 0 to 2000, found -1"),
    "a comma in a symbol": (
        {"symbols": ["0,1", "1"], "emission": [[1, 0], [0, 1]], "states": ["h", "t"]},
        "outputs: a symbol may not contain",
    ),
    "text for a row": ({"initial": {"a": "h"}}, "initial.a: expected a list or an object"),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_is_wrong_is_named(name):
    change, message = WRONG[name]
    with pytest.raises(ModelError) as error:
        HiddenMarkovMechanism(**COINS | change)
    assert str(error.value).startswith(message)


def test_other_lengths_and_databases_are_refused_together():
    coins = HiddenMarkovMechanism(**COINS)
    with pytest.raises(ModelError, match="words of one length, found 3 and 2"):
        coins.beside(coins.of_length(2))
    with pytest.raises(ModelError, match="the same databases"):
        coins.beside(HiddenMarkovMechanism(**COINS | {"initial": {"a": [1, 0]}}))
    with pytest.raises(ModelError, match="several together"):
        hidden_document(coins.beside(coins))


FRAMEWORK = {
    "format": "pufferproof-framework/1",
    "databases": ["a", "b"],
    "secrets": {"s": ["a"], "t": ["b"]},
    "pairs": "disjoint",
    "priors": {"theta": {"table": {"a": "1/2", "b": "1/2"}}},
}


def test_a_file_is_read_as_it_was_written(tmp_path):
    (tmp_path / "framework.json").write_text(json.dumps(FRAMEWORK), encoding="utf-8")
    framework = read_framework(tmp_path / "framework.json")
    for length, kind in ((3, Channel), (40, HiddenMarkovMechanism)):
        mechanism = HiddenMarkovMechanism(**COINS).of_length(length)
        document = hidden_document(mechanism)
        assert document["hidden_markov"]["transition"] == {}
        path = tmp_path / f"mechanism-{length}.json"
        path.write_text(json.dumps(document), encoding="utf-8")
        again = read_mechanism(path, framework).value
        assert type(again) is kind
        if kind is HiddenMarkovMechanism:
            assert hidden_document(again) == document
        else:
            assert again.outputs == mechanism.channel().outputs
            assert again.probability("a", "000") == Fraction(27, 64)
