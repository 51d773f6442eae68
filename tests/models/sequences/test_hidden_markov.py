"""Hidden Markov models: likelihoods and laws against the sum over all hidden sequences;
emissions as mechanisms.
"""

from fractions import Fraction
from itertools import pairwise, product
from random import Random

import pytest
from tests import seeds

from pufferproof import audit
from pufferproof.models.errors import ModelError
from pufferproof.models.framework import Framework
from pufferproof.models.priors.records import Records
from pufferproof.models.sequences.hidden_mechanism import HiddenMarkovModel


def row(random, size):
    weights = [random.choice([0, 1, 3]) for _ in range(size)]
    weights[random.randrange(size)] += 1
    return [Fraction(weight, sum(weights)) for weight in weights]


def brute(model, word):
    start, moves = model.hidden.initial_law(), model.hidden.transition
    total = Fraction(0)
    for states in product(range(len(moves)), repeat=len(word)):
        p = start[states[0]]
        for now, then in pairwise(states):
            p *= moves[now][then]
        for state, symbol in zip(states, word):
            p *= model.emission[state][symbol]
        total += p
    return total


@seeds(20)
def test_likelihoods_sum_over_hidden_sequences(seed):
    random = Random(seed)
    hidden, symbols, length = random.randint(1, 3), random.randint(1, 3), random.randint(1, 4)
    model = HiddenMarkovModel(
        row(random, hidden), [row(random, hidden) for _ in range(hidden)], [row(random, symbols) for _ in range(hidden)]
    )
    records = Records(length, ("a", "b", "c")[:symbols])
    law = model.law(records.labels(), records)
    for word, weight in zip(product(range(symbols), repeat=length), law.weights):
        assert Fraction(weight, law.total) == model.likelihood(word) == brute(model, word)
    assert sum(law.weights) == law.total


def test_hidden_states_as_secrets():
    """What a word of observations says about the second hidden state, in both ways of asking."""
    model = HiddenMarkovModel(["1/2", "1/2"], [["3/4", "1/4"], ["1/4", "3/4"]], [["2/3", "1/3"], ["1/3", "2/3"]])
    records, mechanism = model.mechanism(3, ("u", "v"))
    framework = Framework.of_records(records, {"s": (2, "h1"), "t": (2, "h2")}, [("s", "t")], {"theta": model.hidden})
    found = audit(framework, mechanism.channel())
    start, moves, shows = model.hidden.initial_law(), model.hidden.transition, model.emission
    ratios = []
    for word in product((0, 1), repeat=3):
        seen = []
        for middle in (0, 1):
            left = sum(start[h] * shows[h][word[0]] * moves[h][middle] for h in (0, 1))
            right = sum(moves[middle][h] * shows[h][word[2]] for h in (0, 1))
            mass = sum(start[h] * moves[h][middle] for h in (0, 1))
            seen.append(left * shows[middle][word[1]] * right / mass)
        ratios += [seen[0] / seen[1], seen[1] / seen[0]]
    assert found.leakage.ratio == max(ratios)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((["1"], [], [["1"]]), "transition: expected at least one hidden state"),
        ((["1"], [["1"]], []), "emission: expected 1 rows, one per hidden state, found 0"),
        ((["1", "0"], [["1", "0"], ["0", "1"]], [["1", "0"], ["1"]]), "emission: expected rows of one length"),
        ((["1"], [["1"]], [["1/2", "1/4"]]), "emission[0]: sums to 3/4"),
        ((["1"], [["1/2"]], [["1"]]), "transition[0]: sums to 1/2"),
        ((["1"], [["1"]], ["10"]), "emission[0]: expected a sequence of values, found '10'"),
    ],
)
def test_bad_models_are_refused(arguments, message):
    with pytest.raises(ModelError) as error:
        HiddenMarkovModel(*arguments)
    assert str(error.value).startswith(message)


def test_what_does_not_fit_is_refused():
    model = HiddenMarkovModel(["1"], [["1"]], [["1/2", "1/2"]])
    records = Records(2, ("0", "1", "2"))
    with pytest.raises(ModelError, match="expected 3 symbols, one per value, found 2"):
        model.law(records.labels(), records)
    with pytest.raises(ModelError, match="needs databases made of records"):
        model.law(("a",), None)
    with pytest.raises(ModelError, match="from 0 to 1"):
        model.likelihood([2])
    with pytest.raises(ModelError, match="expected 2 symbols, found 1"):
        model.mechanism(2, ("u",))
