"""Programs with infinitely many or very many paths: a search ends soon, and counts what is left."""

import math
from fractions import Fraction
from math import comb
from time import thread_time

import pytest

import pufferproof as pp
from pufferproof.models.numbers.exponential_sums import ONE, ExponentialSum
from pufferproof.verify.programs import law as search
from pufferproof.verify.programs.law import law_of

LITTLE = Fraction(1, 2**30)


def law(program, databases=("0", "1")):
    return law_of(program, list(databases))


def poisson(database, rng):
    return int(database.count("1") + rng.poisson(2.5))


def geometric(database, rng):
    return rng.geometric(Fraction(1, 4))


def negative_binomial(database, rng):
    return rng.negative_binomial(3, 0.5)


def two_rounded(database, rng):
    a, b = rng.laplace(), rng.laplace()
    return round(a), round(b)


def clipped_text(database, rng):
    x = round(database.count("1") + rng.laplace(), 1)
    return f"{max(0.0, min(3.0, x)):.1f}"


def approx(mass):
    return float(mass.ball().mid())


@pytest.mark.parametrize(
    ("program", "masses"),
    [
        (poisson, {str(k + 1): math.exp(-2.5) * 2.5**k / math.factorial(k) for k in (0, 1, 5, 12)}),
        (geometric, {str(k): 0.25 * 0.75 ** (k - 1) for k in (1, 2, 40)}),
        (negative_binomial, {str(k): comb(k + 2, 2) / 2 ** (k + 3) for k in (0, 1, 7, 30)}),
        (
            two_rounded,
            {
                "(0,0)": (1 - math.exp(-0.5)) ** 2,
                "(-2,1)": (math.exp(-1.5) - math.exp(-2.5)) * (math.exp(-0.5) - math.exp(-1.5)) / 4,
            },
        ),
        (clipped_text, {"0.0": math.exp(-0.95) / 2, "3.0": math.exp(-1.95) / 2}),
    ],
    ids=lambda each: getattr(each, "__name__", ""),
)
def test_outputs_without_end_are_listed_until_little_is_left(program, masses):
    found = law(program)
    for output, mass in masses.items():
        assert math.isclose(approx(found.masses["1"][output]), mass, rel_tol=1e-9)
    assert all(approx(each) < LITTLE for each in found.left.values())


def test_a_draw_of_many_values_is_listed_whole():
    found = law(lambda database, rng: rng.binomial(1000, 0.5))
    assert found.whole
    assert found.masses["0"]["500"].rational == Fraction(comb(1000, 500), 2**1000)


def test_long_fractions_end_a_search():
    found = law(lambda database, rng: rng.geometric(0.01))
    assert found.masses["0"]["2"].rational == Fraction(0.01) * (1 - Fraction(0.01))
    assert LITTLE < approx(found.left["0"]) < 1e-3


def fair_coin(database, rng):
    while True:
        first, second = rng.random() < 0.25, rng.random() < 0.25
        if first and not second:
            return "first"
        if second and not first:
            return "second"


def test_a_count_ends_a_search_and_what_is_left_is_said():
    found = law_of(fair_coin, ["0"], paths=400)
    mass = sum(found.masses["0"].values(), ExponentialSum([]))
    assert found.left["0"] == ExponentialSum([(1, ONE)]) - mass
    assert 0.001 < approx(found.left["0"]) < 0.2
    assert math.isclose(approx(found.masses["0"]["first"]), 0.5, abs_tol=0.1)


def many_sums(database, rng):
    """Its integrals take far longer than its choices."""
    total, k = rng.laplace() + rng.laplace() / 3, 0
    while rng.laplace() + rng.laplace() > total:
        k += 1
    return k


@pytest.mark.parametrize("program", [fair_coin, many_sums])
def test_a_search_ends_at_the_same_path_on_a_machine_of_any_speed(program, monkeypatch):
    """Clocks that jump, stand still or are slow change nothing while the program computes little:
    what ends a search is counted, and all databases share it.
    """
    monkeypatch.setattr(search, "_CHOICES", 5)
    monkeypatch.setattr(search, "MOST_PATHS", 200)
    found, clocks = [], [lambda: 0.0, thread_time, iter(range(10**9)).__next__]
    for clock in clocks:
        monkeypatch.setattr(search, "thread_time", lambda clock=clock: clock() / 100)
        found.append(law_of(program, ["0", "1"], paths=200))
    told = [(each.masses, each.left, each.stopped) for each in found]
    assert all(each == told[0] for each in told)
    assert found[0].stopped == "work"
    assert not found[0].whole


def test_a_law_that_a_clock_ended_says_so_and_is_not_compared_with_another(monkeypatch):
    monkeypatch.setattr(search, "_SECONDS", 0.01)
    assert law(fair_coin, ["0"]).stopped == "a clock"
    made = pp.as_mechanism(fair_coin, ["0"])  # not refused, as two laws are
    assert not made.law.whole
    assert made.trust.endswith("left, stopped by a clock, as the program itself computes for long)")


def test_more_runs_have_more_choices():
    few, many = (law_of(fair_coin, ["0"], paths=n) for n in (100, 800))
    assert approx(many.left["0"]) < approx(few.left["0"])


@pytest.mark.parametrize("n", [2.5, 0, -1])
def test_successes_are_a_positive_integer(n):
    with pytest.raises(search.ProgramError, match=r"not an integer|n <= 0"):
        law(lambda database, rng: rng.negative_binomial(n, 0.5))


def test_a_rounded_draw_that_was_compared_is_listed_in_what_is_left_of_it():
    def program(database, rng):
        x = rng.laplace()
        if x > 0.25 and not abs(x) > 1.75:
            return math.floor(2 * x)
        return "other"

    found = law(program)
    expected = {0: (0.25, 0.5), 1: (0.5, 1), 2: (1, 1.5), 3: (1.5, 1.75)}
    for k, (low, high) in expected.items():
        mass = approx(found.masses["0"][str(k)])
        assert math.isclose(mass, (math.exp(-low) - math.exp(-high)) / 2, rel_tol=1e-9)
    assert found.whole


def test_two_roundings_of_one_draw_agree():
    def program(database, rng):
        x = rng.laplace()
        return math.floor(-x) == -math.ceil(x), round(x) - math.floor(x)

    found = law(program)
    assert set(found.outputs) == {"(True,0)", "(True,1)"}
    whole = sum(math.exp(-k) - math.exp(-k - 0.5) for k in range(40)) / 2
    whole += sum(math.exp(-k - 0.5) - math.exp(-k - 1) for k in range(40)) / 2
    assert math.isclose(approx(found.masses["0"]["(True,0)"]), whole, rel_tol=1e-6)
