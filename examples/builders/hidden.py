"""Mechanisms as hidden Markov models: the case studies of Liu, Wang and Zhang, "Verifying
Pufferfish privacy in hidden Markov models" (VMCAI 2022), as differential privacy and under
correlated priors.

Two people are ill (1) or not (0); counts lie in {0, 1, 2}, and noise is that of the truncated
1/2-geometric mechanism, which clamps a noisy count to this range.
"""

from collections.abc import Mapping
from fractions import Fraction
from itertools import product

from pufferproof.examples.builders.shapes import (
    Audited,
    Example,
    every_database_secret,
    every_sequence_secret,
    record_secret,
    table_of,
)
from pufferproof.examples.programs import noisy_max as programs
from pufferproof.models.channel import Channel
from pufferproof.models.framework import Framework
from pufferproof.models.priors.laws import Prior
from pufferproof.models.priors.records import Records
from pufferproof.models.priors.tables import Product, Table
from pufferproof.models.sequences.hidden_mechanism import HiddenMarkovMechanism

SOURCE = "Liu, Wang and Zhang, Verifying Pufferfish privacy in hidden Markov models, VMCAI 2022"
FAMILY = Records(2, ("0", "1"))
COUNTS = (0, 1, 2)
BEFORE = "."  # what is shown before the answer, and once there is nothing more to say
BELOW, ABOVE = "-", "+"
NOISY = programs.CLAMPED
Laws = Mapping[str, Mapping[str, Fraction]]


def examples() -> list[Example]:
    """Return the examples of this file, in order."""
    return [geometric(), exponential(), noisy_max(), above_threshold_study()]


def released(databases: Mapping[str, str], answers: Laws) -> HiddenMarkovMechanism:
    """Return the model that starts in the state of the database, and moves to its answer.

    `databases` -> states, `answers` of every state -> the law of what is shown next.
    """
    shown = list(dict.fromkeys(answer for law in answers.values() for answer in law))
    emission = {state: {BEFORE: Fraction(1)} for state in answers}
    emission |= {f"={answer}": {answer: Fraction(1)} for answer in shown}
    return HiddenMarkovMechanism(
        {database: {state: 1} for database, state in databases.items()},
        {state: {f"={answer}": p for answer, p in law.items() if p} for state, law in answers.items()},
        emission,
        [BEFORE, *shown],
        length=2,
    )


def family_counts() -> dict[str, str]:
    """Return the state of every family: how many are ill."""
    return {label: f"count {label.count('1')}" for label in FAMILY.labels()}


def geometric() -> Example:
    """The noisy count of a family."""
    answers = {f"count {count}": {str(seen): NOISY[count][seen] for seen in COUNTS} for count in COUNTS}
    contagious, independent, dependent = _family_frameworks()
    mechanism = "mechanism.json"
    return Example(
        "hidden-geometric",
        "The truncated geometric mechanism as a hidden Markov model",
        "a noisy count as a model of two steps: tight as differential privacy, the square of the "
        "level where illness is contagious, and more than the level where it depends a little",
        {
            "framework-dp.json": every_sequence_secret(FAMILY),
            "framework-contagious.json": contagious,
            "framework-independent.json": independent,
            "framework-dependent.json": dependent,
        },
        {mechanism: released(family_counts(), answers)},
        [
            Audited(
                "framework-dp.json",
                mechanism,
                "as differential privacy the mechanism is tight",
                epsilon="log(2)",
                claimed="log(2)",
                source=SOURCE,
            ),
            _audited(
                "framework-contagious.json",
                "log(2)",
                "if both are ill or neither is, an output multiplies the odds by up to "
                "{ratio}, so the leakage is twice the level",
            ),
            _audited(
                "framework-independent.json",
                "log(2)",
                "if illnesses are independent, an output multiplies the odds by up to {ratio} and the level holds",
            ),
            _audited(
                "framework-dependent.json",
                "log(2)",
                "if the counts 0, 1, 2 have probabilities 1/2, 1/4, 1/4, which independent "
                "illnesses cannot give, an output multiplies the odds by up to {ratio}",
            ),
        ],
    )


def exponential() -> Example:
    """The exponential mechanism on two votes: a candidate with u votes in proportion to 2^u."""
    answers = {}
    for count in COUNTS:
        weights = {"a": Fraction(2) ** (2 - count), "b": Fraction(2) ** count}
        total = sum(weights.values())
        answers[f"count {count}"] = {name: weight / total for name, weight in weights.items()}
    contagious, independent, _ = _family_frameworks()
    return Example(
        "hidden-exponential",
        "The exponential mechanism as a hidden Markov model",
        "the choice of a candidate by two votes: below the level of the theorem, which voters who always agree reach",
        {
            "framework-dp.json": every_sequence_secret(FAMILY),
            "framework-contagious.json": contagious,
            "framework-independent.json": independent,
        },
        {"mechanism.json": released(family_counts(), answers)},
        [
            Audited(
                "framework-dp.json",
                "mechanism.json",
                "as differential privacy an output multiplies the odds by up to {ratio}; the theorem allows 4",
                epsilon="log(4)",
                claimed="log(4)",
                source="McSherry and Talwar, Mechanism design via differential privacy, FOCS 2007",
            ),
            _audited(
                "framework-contagious.json",
                "log(5/2)",
                "if voters always agree, an output multiplies the odds by up to {ratio}",
            ),
            _audited(
                "framework-independent.json",
                "log(5/2)",
                "if voters are independent, an output multiplies the odds by up to {ratio}",
            ),
        ],
    )


def noisy_max() -> Example:
    """Which of three counts is the largest, after noise; the noisy maximum itself is a wrong
    variant.
    """
    triples = ["".join(map(str, each)) for each in product(COUNTS, repeat=3)]
    queries = every_database_secret(triples, one_query_by_one)
    index = _laws(table_of(programs.with_clamped_noise, triples))
    value = _laws(table_of(programs.value_with_clamped_noise, triples))
    clinic = _clinic()
    states = {label: _clinic_state(label) for label in clinic.databases}
    same = dict(zip(triples, triples))
    return Example(
        "hidden-noisy-max",
        "Noisy max as a hidden Markov model",
        "the index of the largest of three noisy counts, the first of equal ones, and the largest "
        "count itself: neighbours in one count, and a clinic where one illness is contagious",
        {
            "framework-dp.json": queries,
            "framework-any.json": every_database_secret(triples, _by_one_everywhere),
            "framework-clinic.json": clinic,
        },
        {
            "mechanism.json": released(same, index),
            "mechanism-value.json": released(same, value),
            "mechanism-clinic.json": released(states, index),
        },
        [
            _audited(
                "framework-dp.json",
                "log(2)",
                "if one count changes by 1, an output multiplies the odds by up to {ratio}",
            ),
            _audited(
                "framework-any.json",
                "log(4)",
                "if every count may change by 1, all answers leak together and multiply the odds by up to {ratio}",
            ),
            Audited(
                "framework-any.json",
                "mechanism-value.json",
                "the maximum itself moves with all three counts and multiplies the odds by up to {ratio}",
                epsilon="log(4)",
            ),
            Audited(
                "framework-clinic.json",
                "mechanism-clinic.json",
                "the index multiplies the odds of the third illness by up to {about} if the second one is contagious",
                epsilon="log(2)",
            ),
        ],
    )


def above_threshold(length: int, states: Mapping[str, int]) -> HiddenMarkovMechanism:
    """Return above-threshold with noise of finite range: is a noisy count at least the noisy
    threshold, `length` times, until the first yes.

    `states` has the count of every database, which all queries ask for. The threshold 1 and every
    answer go through the truncated 1/2-geometric mechanism. Both stay in {0, 1, 2}, so that no
    shift of the threshold can stand for a shift of the answers.
    """
    initial: dict[str, dict[str, Fraction]] = {}
    transition: dict[str, dict[str, Fraction]] = {}
    for count, threshold in product(COUNTS, repeat=2):
        transition[f"{count}<{threshold}"] = _answered(count, threshold)
        transition[f"{count}>={threshold}"] = {"done": Fraction(1)}
    for database, count in states.items():
        initial[database] = {
            state: NOISY[1][threshold] * p for threshold in COUNTS for state, p in _answered(count, threshold).items()
        }
    emission = {state: {BELOW if "<" in state else ABOVE: 1} for state in transition}
    return HiddenMarkovMechanism(initial, transition, emission | {"done": {BEFORE: 1}}, [BELOW, ABOVE, BEFORE], length)


def above_threshold_study() -> Example:
    """Above-threshold with noise of finite range: no privacy for many queries."""
    counts = {label: label.count("1") for label in FAMILY.labels()}
    contagious, independent, _ = _family_frameworks()
    return Example(
        "above-threshold",
        "Above-threshold with noise of finite range as a hidden Markov model",
        "the noisy threshold is clamped like the answers, and every further query doubles the "
        "ratio: 2^k after k queries, as if all answers were released",
        {
            "framework-dp.json": every_sequence_secret(FAMILY),
            "framework-contagious.json": contagious,
            "framework-independent.json": independent,
        },
        {"mechanism.json": above_threshold(10, counts)},
        [
            _audited(
                "framework-dp.json",
                "log(8)",
                "the answers to ten queries multiply the odds by up to {ratio}, which is 2^10",
            ),
            _audited(
                "framework-contagious.json",
                "log(8)",
                "if both are ill or neither is, the answers multiply the odds by up to "
                "{about}, which is (4^10 + 5^10) / (1 + 2^10)",
            ),
            _audited(
                "framework-independent.json",
                "log(8)",
                "if illnesses are independent, the answers multiply the odds by up to {about}",
            ),
        ],
    )


def one_query_by_one(left: str, right: str) -> bool:
    """Say whether one digit differs, by 1."""
    return sum(abs(int(a) - int(b)) for a, b in zip(left, right)) == 1


def _by_one_everywhere(left: str, right: str) -> bool:
    return all(abs(int(a) - int(b)) <= 1 for a, b in zip(left, right))


def _audited(framework: str, epsilon: str, shows: str) -> Audited:
    return Audited(framework, "mechanism.json", shows, epsilon=epsilon)


def _family_frameworks() -> tuple[Framework, Framework, Framework]:
    """Return what protects the first record: under contagion, independence, and neither."""
    priors: list[dict[str, Prior]] = [
        {"contagious": Table({"00": "1/2", "11": "1/2"})},
        {"independent": Product([["9/10", "1/10"]] * 2)},
        {"dependent": Table({"00": "1/2", "01": "1/8", "10": "1/8", "11": "1/4"})},
    ]
    first, second, third = (record_secret(FAMILY, 1, prior) for prior in priors)
    return first, second, third


def _laws(table: Channel) -> Laws:
    return {x: {y: table.probability(x, y) for y in table.outputs} for x in table.databases}


def _clinic() -> Framework:
    """Return John's and Alice's illnesses: A of each with 1/10, B contagious with 1/5, C of each
    with 1/2. A database has the records of A, of B, and of C, John's first; John's C is secret.
    """
    prior = {}
    for label in Records(5, ("0", "1")).labels():
        p = Fraction(1, 4) * (Fraction(1, 5) if label[2] == "1" else Fraction(4, 5))
        for ill in label[:2]:
            p *= Fraction(1, 10) if ill == "1" else Fraction(9, 10)
        prior[label] = p
    return record_secret(Records(5, ("0", "1")), 4, {"clinic": Table(prior)})


def _clinic_state(label: str) -> str:
    a, b, c = label[:2].count("1"), 2 * int(label[2]), label[3:].count("1")
    return f"{a}{b}{c}"


def _answered(count: int, threshold: int) -> dict[str, Fraction]:
    """Return the law of the next state: below the threshold, or not."""
    below = sum(NOISY[count][:threshold], Fraction(0))
    law = {f"{count}<{threshold}": below, f"{count}>={threshold}": 1 - below}
    return {state: p for state, p in law.items() if p}
