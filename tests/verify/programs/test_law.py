"""Exact laws of programs: sums to 1, values known in closed form, enumeration, quadrature, and
samples of the same function under NumPy's generator.
"""

import copy
import re
import sys
from fractions import Fraction
from itertools import permutations, product
from math import exp, inf, log

import numpy as np
import pytest
from scipy.integrate import quad
from tests.verify.programs.discrete import DISCRETE
from tests.verify.programs.sampled import enumerated, exact, plausibility
from tests.verify.programs.written import IDIOMS, noisy_max, sparse_vector

from pufferproof.models.channel import Channel
from pufferproof.models.numbers.exponential_sums import ExponentialSum, Power
from pufferproof.verify.programs.law import law_of

ONE = ExponentialSum([(1, Power())])


def leakage(law, first, second):
    """The largest |log ratio| of masses, in floats."""
    p, q = exact(law, first), exact(law, second)
    if p.keys() != q.keys():
        return inf
    return max(abs(log(p[output] / q[output])) for output in p)


@pytest.mark.parametrize(
    ("variant", "first", "second", "epsilon"),
    [
        (1, "111000", "000111", 0.733137),
        (4, "100", "011", 1.032568),
        (5, "110", "001", inf),
        (6, "100", "011", 1.077164),
        (6, "1100", "0011", 1.529539),
        (6, "11000", "00111", 1.900288),
        (6, "111000", "000111", 2.349116),
    ],
)
def test_leakage_of_published_sparse_vectors(variant, first, second, epsilon):
    law = law_of(sparse_vector(variant), [first, second])
    assert leakage(law, first, second) == pytest.approx(epsilon, abs=1e-6)
    assert law.whole


def test_sparse_vector_is_its_integral_over_the_threshold():
    below = law_of(sparse_vector(1), ["101"]).masses["101"]["__T"]

    def under(x, scale):
        return exp(x / scale) / 2 if x < 0 else 1 - exp(-x / scale) / 2

    def at(rho):
        stays = under(rho - 1, 4) * under(rho, 4)
        return exp(-abs(rho) / 2) / 4 * stays * (1 - under(rho - 1, 4))

    parts = [quad(at, a, b, epsabs=1e-13)[0] for a, b in ((-80, 0), (0, 1), (1, 80))]
    assert float(below.ball()) == pytest.approx(sum(parts), abs=1e-10)


def test_noisy_max_of_two_laplace_draws_has_a_closed_form():
    # X - Y of density (1 + |z|) e^-|z| / 4 is above 1 with probability 3/4 e^-1
    law = law_of(noisy_max("laplace", 1), ["01"])
    expected = ExponentialSum([(Fraction(3, 4), Power.exp(Fraction(-1)))])
    assert law.masses["01"]["0"] == expected
    assert law.masses["01"]["1"] == ONE - expected


@pytest.mark.parametrize("scores", ["01", "0201", "112"])
def test_noisy_max_with_exponential_noise_is_permute_and_flip(scores):
    law = law_of(noisy_max("exponential", 2), [scores])
    most = max(map(int, scores))
    orders = list(permutations(range(len(scores))))
    expected = [ExponentialSum([]) for _ in scores]
    for order in orders:
        stays = ONE.scaled(Fraction(1, len(orders)))
        for i in order:
            accept = ExponentialSum([(1, Power.exp(Fraction(int(scores[i]) - most, 2)))])
            expected[i] += stays * accept
            stays *= ONE - accept
    assert [law.masses[scores][str(i)] for i in range(len(scores))] == expected


def test_masses_sum_to_exactly_one():
    law = law_of(sparse_vector(6), ["0101"])
    total = ExponentialSum([])
    for mass in law.masses["0101"].values():
        total += mass
    assert total == ONE
    paths = [path.probability for path in law.paths["0101"]]
    assert sum(paths, ExponentialSum([])) == ONE


def respond(database, rng):
    shown = [bit if rng.choice([1, 0], p=[0.75, 0.25]) else rng.integers(0, 2) for bit in database]
    return "".join(map(str, shown))


def urn(database, rng):
    drawn, balls = "", list(database)
    while balls and len(drawn) < 3:
        drawn += balls.pop(rng.integers(0, len(balls)))
        if drawn[-1] == "1" and rng.integers(0, 3) == 0:
            return drawn + "!"
    return drawn


@pytest.mark.parametrize(("program", "draws", "values"), [(respond, 4, 2), (urn, 6, 3)])
def test_discrete_programs_are_enumerated(program, draws, values):
    for bits in product("01", repeat=values if program is urn else 2):
        database = "".join(bits)
        found = law_of(program, [database]).masses[database]
        law = {output: mass.rational for output, mass in found.items()}
        assert law == enumerated(program, database, draws, values)


def test_rational_laws_are_channels():
    law = law_of(respond, ["0", "1"])
    assert isinstance(law.table(), Channel)
    assert law.table().probability("0", "0") == Fraction(7, 8)


@pytest.mark.parametrize("name", [*IDIOMS, *DISCRETE])
def test_laws_agree_with_samples(name):
    # fails with probability 1e-6 for each program whose law is right; the seed is fixed
    with np.errstate(all="ignore"):
        assert plausibility({**IDIOMS, **DISCRETE}[name], "0110") > 1e-6


def test_comparisons_of_ties_agree():
    def strict(database, rng):
        return rng.laplace() > int(database)

    def wide(database, rng):
        return rng.laplace() >= int(database)

    assert law_of(strict, ["1"]).masses == law_of(wide, ["1"]).masses


def test_what_is_left_of_an_endless_loop_is_counted():
    def trials(database, rng):
        failures = 0
        while rng.random() < 0.5:
            failures += 1
        return failures

    law = law_of(trials, ["0"], paths=10)
    assert law.masses["0"]["3"].rational == Fraction(1, 16)
    assert law.left["0"] == ONE - sum(law.masses["0"].values(), ExponentialSum([]))
    assert law.left["0"].rational <= Fraction(1, 2**9)
    assert not law.whole


def test_paths_say_where_the_program_chose():
    def report(database, rng):
        if rng.random() < 0.75:
            return database
        return "x"

    path = law_of(report, ["0"]).paths["0"][0]
    assert path.output == "0"
    assert path.probability.rational == Fraction(3, 4)
    (choice,) = path.choices
    assert choice.where.startswith("test_law.py:")
    assert choice.question == "uniform < 3/4"


def test_programs_that_read_a_count_run_once_for_each():
    calls = []

    def above(database, rng):
        calls.append(1)
        return database.count("1") + rng.laplace() > 3

    databases = ["".join(bits) for bits in product("01", repeat=8)]
    law = law_of(above, databases)
    assert law.masses["00001111"] == law.masses["11110000"] != law.masses["00000111"]
    assert len(calls) < 2 * len(databases) + 9 * 8  # two paths of each, and more for each count
    alone = law_of(above, ["10101010"])
    assert alone.masses["10101010"] == law.masses["10101010"]


def tells_apart(database, rng):
    return database.count("1") if rng.random() < 0.5 else "ab"[int(database[0])]


def goes_through(database, rng):
    return sum(map(int, database)) + rng.integers(2)


def reads_in_c(database, rng):
    return int(database, 2) % 3 if rng.random() < 0.5 else len(database)


def refused_in_c(database, rng):
    if rng.random() < 0.75:
        return "likely"
    try:
        return len(re.findall("1", database))
    except TypeError:
        return 0


def asks_the_type(database, rng):
    return int(database) if rng.random() < 0.25 and type(database) is str else "likely"


def asks_the_size(database, rng):
    likely = rng.random() < 0.75 or sys.getsizeof(database) != sys.getsizeof("000")
    return "likely" if likely else database


def copies(database, rng):
    return "likely" if rng.random() < 0.75 else copy.copy(database) is database and database[:]


def another_probability(database, rng):
    known = int(database, 2) if type(database) is str else 0
    return rng.random() < (known + 1) / 16


def another_scale(database, rng):
    known = int(database, 2) if type(database) is str else 0
    return rng.laplace(scale=known + 1)


def another_place(database, rng):
    known = int(database, 2) if type(database) is str else 0
    return np.argmax([rng.laplace(scale=known + 1), rng.laplace(), 1])


def another_kind(database, rng):
    truth = rng.random() < 0.5
    return truth + 0 if type(database) is str and database[0] == "1" else truth


def written(densities):
    return {
        y: [(low, high, piece.terms, piece.unit) for low, high, piece in density.segments]
        for y, density in densities.items()
    }


FALSE_FRIENDS = [refused_in_c, asks_the_type, asks_the_size, copies]
FALSE_FRIENDS += [another_probability, another_scale, another_place, another_kind]


def test_what_a_program_reads_is_not_more_than_it_asks():
    for program in [tells_apart, goes_through, reads_in_c, *FALSE_FRIENDS]:
        databases = ["".join(bits) for bits in product("01", repeat=3)]
        law = law_of(program, databases)
        for database in databases:
            alone = law_of(program, [database])
            assert law.masses[database] == alone.masses[database]
            assert written(law.densities[database]) == written(alone.densities[database])
        assert all(any(y in row for row in law.masses.values()) for y in law.outputs)


def test_zeros_of_two_signs_are_two_values():
    law = law_of(lambda _, rng: str((rng.integers(2) - 1) * 0.0), ["0"])
    half = ExponentialSum([(Fraction(1, 2), Power())])
    assert law.masses["0"] == {"-0.0": half, "0.0": half}


def test_tails_of_geometric_noise_are_closed():
    def clipped(database, rng):
        noise = rng.geometric(0.75) - rng.geometric(0.75)
        return int(np.clip(database.count("1") + noise, 0, 2))

    law = law_of(clipped, ["00", "01"])
    assert law.whole
    # q = 1/4: P(noise <= 0) = 1 - q / (1 + q), P(noise = 1) = (1 - q) / (1 + q) q
    shares = {"0": Fraction(4, 5), "1": Fraction(3, 20), "2": Fraction(1, 20)}
    assert {y: mass.rational for y, mass in law.masses["00"].items()} == shares
    assert leakage(law, "00", "01") == pytest.approx(log(4))


def test_poisson_draws_have_closed_tails():
    law = law_of(lambda _, rng: rng.poisson(2) > 1, ["0"])
    power = Power.exp(Fraction(-2))
    assert law.masses["0"]["False"] == ExponentialSum([(3, power)])  # e^-2 (1 + 2)
    assert law.whole


def test_a_rounded_draw_has_its_law_far_from_its_centre():
    law = law_of(lambda x, rng: round(int(x) + rng.laplace(scale=2)), ["0", "7"])
    for x, at in ((x, int(x) + k) for x in law.databases for k in (-30, -1, 1, 30)):
        steps = abs(at - int(x))
        ends = [(Fraction(sign, 2), Power.exp(Fraction(-2 * steps + sign, 4))) for sign in (1, -1)]
        assert law.masses[x][str(at)] == ExponentialSum(ends)  # e^-a/2 (e^1/4 - e^-1/4) / 2


def test_rounding_that_is_clipped_has_finitely_many_paths():
    law = law_of(lambda x, rng: min(max(round(int(x) + rng.laplace()), 0), 2), ["0"])
    assert law.whole
    below = ExponentialSum([(Fraction(1, 2), Power.exp(Fraction(-1, 2)))])  # P(Z > 1/2)
    assert law.masses["0"]["0"] == ONE - below


PLAIN = """
def truthful(database, rng):
    return (database == "1") == (rng.random() < 0.75)

def small(database, rng):
    return "few" if rng.integers(8) < 3 else "many"
"""


def test_choices_say_what_was_drawn_not_what_the_program_makes_of_it():
    program = {}
    exec(PLAIN, program)  # a module of its own, whose draws become known late
    for database in "01":
        paths = law_of(program["truthful"], [database]).paths[database]
        said = {path.choices[0].question: path.probability.rational for path in paths}
        assert said == {"uniform < 3/4": Fraction(3, 4), "uniform > 3/4": Fraction(1, 4)}
    paths = law_of(program["small"], ["0"]).paths["0"]
    said = [each.choices[0].question for each in paths]
    assert said == ["integers: 3 or 4 or 5 or 6 or ..", "integers: 0 or 1 or 2"]
