"""The largest ratio of words of a hidden Markov mechanism against all words one by one, and the
published case studies.
"""

from fractions import Fraction
from itertools import product
from random import Random

import pytest
from tests import seeds
from tests.brute import definitions as brute

from pufferproof import Framework, HiddenMarkovMechanism, Table, audit, compose
from pufferproof.examples.builders.hidden import FAMILY, above_threshold, above_threshold_study, examples
from pufferproof.models.errors import ModelError, TooLargeError
from pufferproof.verify.decision import Decision
from pufferproof.verify.sequences import words
from pufferproof.verify.sequences.words import word_leakage

COUNTS = {label: label.count("1") for label in FAMILY.labels()}
STUDY = above_threshold_study()


def row(random, size, zeros=2):
    weights = [random.choice([0] * zeros + [1, 2, 3]) for _ in range(size)]
    weights[random.randrange(size)] += 1
    return [Fraction(weight, sum(weights)) for weight in weights]


def question(seed):
    random = Random(seed)
    states, symbols, length = random.randint(1, 4), random.randint(1, 3), random.randint(0, 4)
    databases = [f"x{index}" for index in range(random.randint(2, 4))]
    half = len(databases) // 2
    framework = Framework(
        databases,
        {"s": databases[:half], "t": databases[half:]},
        [("s", "t")],
        {name: Table(dict(zip(databases, row(random, len(databases), 1)))) for name in "pq"},
    )
    mechanism = HiddenMarkovMechanism(
        {name: row(random, states) for name in databases},
        [row(random, states) for _ in range(states)],
        [row(random, symbols, seed % 3) for _ in range(states)],
        "uvw"[:symbols],
        length,
    )
    return framework, mechanism


def positive(framework):
    return any(framework.mass(prior, "s") and framework.mass(prior, "t") for prior in framework.priors)


@seeds(120)
def test_the_search_finds_what_all_words_one_by_one_have(seed):
    framework, mechanism = question(seed)
    if not positive(framework):
        with pytest.raises(ModelError, match="nothing to check"):
            word_leakage(framework, mechanism)
        return
    largest = word_leakage(framework, mechanism)
    ratio, (prior, pair, output) = brute.leakage(framework, mechanism.channel())
    assert largest.leakage.ratio == ratio
    assert largest.leakage.infinite == (ratio is None)
    witness = largest.witness
    assert (witness.prior, witness.pair, witness.output) == (prior, pair, output)


def test_shorter_words_never_have_a_larger_ratio():
    for seed in range(20):
        framework, mechanism = question(seed)
        if positive(framework) and mechanism.length:
            ratios = [
                word_leakage(framework, mechanism.of_length(length)).leakage.ratio
                for length in range(mechanism.length + 1)
            ]
            known = [ratio for ratio in ratios if ratio is not None]
            assert known == sorted(known)
            assert ratios[: len(known)] == known


PAIR = Framework(["a", "b"], {"s": ["a"], "t": ["b"]}, [("s", "t")], {"theta": Table({"a": "1/3", "b": "2/3"})})


def two(first, second, moves, shows, length):
    return HiddenMarkovMechanism({"a": first, "b": second}, moves, shows, "uv", length)


def hard(length):
    """Two chains whose beginnings are hardly ever proportional."""
    moves = [["1/2", "1/3", "1/6"], ["1/5", "2/5", "2/5"], ["1/7", "2/7", "4/7"]]
    shows = [["1/2", "1/2"], ["1/3", "2/3"], ["3/5", "2/5"]]
    return two(["1/2", "1/4", "1/4"], ["1/3", "1/3", "1/3"], moves, shows, length)


def test_what_is_not_followed_to_the_end_is_enclosed():
    exact = word_leakage(PAIR, hard(9)).leakage.ratio
    enclosed = word_leakage(PAIR, hard(9), most=4).leakage
    assert enclosed.lower <= exact <= enclosed.upper
    assert enclosed.lower < enclosed.upper
    assert word_leakage(PAIR, hard(9)).followed < 2**10


def test_what_is_not_known_to_be_finite_is_refused(monkeypatch):
    late = two([1, 0], [0, 1], [["1/2", "1/2"], [0, 1]], [["1/3", "2/3"], ["1/2", "1/2"]], 9)
    assert not word_leakage(PAIR, late).leakage.infinite
    monkeypatch.setattr(words, "MOST", 1)
    with pytest.raises(TooLargeError, match="whether the leakage is finite"):
        word_leakage(PAIR, late)


def test_mixtures_of_priors_need_words_that_are_listed():
    convex = Framework(
        ["a", "b"],
        {"s": ["a"], "t": ["b"]},
        [("s", "t")],
        {"p": Table({"a": "1/3", "b": "2/3"}), "q": Table({"a": "1/2", "b": "1/2"})},
        "convex",
    )
    assert audit(convex, hard(3)).leakage.ratio == audit(PAIR, hard(3)).leakage.ratio
    with pytest.raises(ModelError, match="mixtures of priors"):
        audit(convex, hard(40))


def test_a_database_without_a_first_state_is_named():
    alone = HiddenMarkovMechanism({"a": [1, 0]}, {}, [[1, 0], [0, 1]], "uv", 30)
    with pytest.raises(ModelError, match='no row for database "b"'):
        word_leakage(PAIR, alone)
    other = HiddenMarkovMechanism({name: [1, 0] for name in "abc"}, {}, [[1, 0], [0, 1]], "uv", 30)
    with pytest.raises(ModelError, match='unknown database "c"'):
        word_leakage(PAIR, other)


def test_joint_releases_of_long_words_stay_models():
    coins = two([1, 0], [0, 1], {}, [["3/4", "1/4"], ["1/4", "3/4"]], 30)
    twice = compose(PAIR, [coins], runs=2)
    assert twice.joint.leakage.ratio == 3**60
    assert twice.outputs == ("u" * 30, "u" * 30)
    assert twice.additive is Decision.HOLDS
    with pytest.raises(ModelError, match="too many"):
        compose(PAIR, [coins, hard(2).channel()])


def test_above_threshold_with_finite_noise_has_ratio_2_to_the_number_of_queries():
    for length in range(11):
        mechanism = above_threshold(length, COUNTS)
        private = STUDY.frameworks["framework-dp.json"]
        assert word_leakage(private, mechanism).leakage.ratio == 2**length
        contagious = STUDY.frameworks["framework-contagious.json"]
        expected = Fraction(4**length + 5**length, 1 + 2**length)
        assert word_leakage(contagious, mechanism).leakage.ratio == expected


def test_above_threshold_is_the_algorithm_run_answer_by_answer():
    noisy = {0: (4, 1, 1), 1: (2, 2, 2), 2: (1, 1, 4)}  # of 6
    mechanism = above_threshold(3, COUNTS)
    for label, count in COUNTS.items():
        law = dict.fromkeys(("---", "--+", "-+.", "+.."), Fraction(0))
        for threshold, *answers in product(range(3), repeat=4):
            p = Fraction(noisy[1][threshold], 6)
            for answer in answers:
                p *= Fraction(noisy[count][answer], 6)
            word = ""
            for answer in answers:
                word += "." if "+" in word else "+" if answer >= threshold else "-"
            law[word] += p
        channel = mechanism.channel()
        assert {word: channel.probability(label, word) for word in law} == law


def test_the_search_agrees_with_every_published_case():
    for example in examples():
        for entry in example.audits:
            framework = example.frameworks[entry.framework]
            mechanism = example.mechanisms[entry.mechanism]
            assert word_leakage(framework, mechanism).leakage == audit(framework, mechanism).leakage
