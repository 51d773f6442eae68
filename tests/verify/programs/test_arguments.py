"""Arguments of a program: floats to the functions of NumPy that local-privacy code calls, exact to
draws.
"""

import math
from fractions import Fraction

import numpy as np
import pytest
from tests.verify.programs.sampled import plausibility

from pufferproof import as_mechanism
from pufferproof.models.files.programs import Calls, arguments_of, code_of
from pufferproof.models.numbers.exponential_sums import ExponentialSum, Power
from pufferproof.verify.programs.law import law_of

PROGRAMS = []
LIKELY = 1e-6  # the probability that a right law falls below, for each program; the seed is fixed


def local(program):
    PROGRAMS.append(program)
    return program


@local
def direct_encoding(database, rng, epsilon=1.0):
    p = np.exp(epsilon) / (np.exp(epsilon) + 2)
    if rng.random() < p:
        return database[0]
    return rng.choice([value for value in "012" if value != database[0]])


@local
def unary_encoding(database, rng, epsilon=1.0):
    p = np.exp(epsilon / 2) / (np.exp(epsilon / 2) + 1)
    bits = np.eye(3, dtype=int)[int(database[0])]
    return [int(rng.binomial(1, p if bit else 1 - p)) for bit in bits]


@local
def optimal_unary_encoding(database, rng, epsilon=1.0):
    q = 1 / (math.exp(epsilon) + 1)
    return [rng.random() < (0.5 if str(i) == database[0] else q) for i in range(2)]


@local
def subset(database, rng, epsilon=1.0):
    k = max(1, round(3 / (1 + math.exp(epsilon))))
    weights = np.where(np.arange(3) == int(database[0]), np.exp(epsilon), 1.0)
    return int(rng.choice(3, size=k, replace=False, p=weights / weights.sum())[0])


@local
def report_noisy_max(database, rng, epsilon=1.0):
    scores = np.array([database.count("0"), database.count("1")])
    return int(np.argmax(scores + rng.laplace(scale=2 / epsilon, size=2)))


@local
def exponential(database, rng, epsilon=1.0):
    scores = np.array([database.count(each) for each in "012"])
    weights = np.exp(epsilon * scores / 2)
    return rng.choice(3, p=weights / np.sum(weights))


@local
def gaussian(database, rng, epsilon=1.0, delta=0.01):
    sigma = np.sqrt(2 * np.log(1.25 / delta)) / epsilon
    return database.count("1") + rng.normal(scale=sigma) > 1


@local
def duchi(database, rng, epsilon=1.0):
    mean = 2 * (int(database[0]) / 2) - 1
    bound = (np.e**epsilon + 1) / (np.e**epsilon - 1)
    p = (mean * (math.exp(epsilon) - 1) + math.exp(epsilon) + 1) / (2 * math.exp(epsilon) + 2)
    return bool(rng.random() < min(max(p, 0), 1)) and type(epsilon) in (int, float) and bound > 1


def read(program, *texts):
    return code_of(program, "program", None, Calls(True, arguments=arguments_of(texts)))


@pytest.mark.parametrize("program", PROGRAMS)
def test_local_programs_have_the_law_of_their_draws(program):
    law = as_mechanism(read(program, "epsilon=0.7"), ["0110"]).law
    plain = lambda database, rng: program(database, rng, epsilon=0.7)  # noqa: E731
    assert plausibility(plain, "0110", 1000, law=law) > LIKELY
    assert law.masses == as_mechanism(read(program, "epsilon=7/10"), ["0110"]).law.masses


def test_arguments_are_exact_to_draws():
    def coin(_, rng, p):
        return rng.random() < 1 - 2 * p

    table = as_mechanism(read(coin, "p=0.1"), ["0"]).value
    assert table.probability("0", "True") == Fraction(4, 5)

    def noise(_, rng, epsilon):
        return rng.laplace(scale=1 / epsilon) > 1

    law = as_mechanism(read(noise, "epsilon=0.1"), ["0"]).law
    half = ExponentialSum([(Fraction(1, 2), Power.exp(Fraction(-1, 10)))])
    assert law.masses["0"]["True"] == half

    def scaled(_, rng, p):
        return bool((rng.random(2) * p)[0] < p / 4)

    table = as_mechanism(read(scaled, "p=0.1"), ["0"]).value
    assert table.probability("0", "True") == Fraction(1, 4)


def test_functions_of_an_argument_are_floats():
    def coin(_, rng, p):
        return rng.random() < np.float64(p)

    table = as_mechanism(read(coin, "p=0.1"), ["0"]).value
    assert table.probability("0", "True") == Fraction(0.1)


def test_an_answer_says_where_floats_would_lose_a_draw():
    def far(_, rng):
        x = rng.laplace()
        return (x + 1e17) - 1e17 == 0

    trust = as_mechanism(far, ["0"]).trust
    assert f"test_arguments.py:{far.__code__.co_firstlineno + 2}" in trust
    assert "the law is that of real numbers" in trust
    assert law_of(lambda _, rng: rng.laplace(scale=1e-6) + 2 > 2, ["0"]).remarks == ()
    assert law_of(lambda _, rng: rng.laplace(scale=1e-17) + 2 > 2, ["0"]).remarks
    assert law_of(lambda _, rng: rng.uniform(2**53 - 1, 2**53) > 5, ["0"]).remarks == ()
    assert law_of(lambda _, rng: rng.laplace() < 10**400, ["0"]).remarks
