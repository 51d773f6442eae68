"""The 3R family: random mechanisms as the library makes them, and a better q than any constant."""

from fractions import Fraction
from itertools import product
from random import Random

from pufferproof.claims.papers.massny2025.influence.instances import (
    chain,
)
from pufferproof.claims.papers.massny2025.influence.three_regions import (
    breakpoints,
    leaks,
    medium,
    profile,
    regions,
    relaxed,
)
from pufferproof.claims.papers.massny2025.relaxation.constant import bounds, pair
from pufferproof.models.numbers.level import Level
from pufferproof.models.sequences.binary import BinaryChain
from pufferproof.models.sequences.redaction import three_regions
from pufferproof.verify.redaction.leakage import redaction_leakage

CHAINS = [
    chain("1/4", "1/2"),
    chain("1/10", "3/10"),
    chain("1/100", "4/5"),
    chain("1/2", "2/3"),
    chain("3/5", "4/5"),
    chain("1/3", "2/3"),
    chain("1/3", "1/3"),
]


F = Fraction


def mechanisms(largest=4, seed=1):
    """Yield (chain, n, p, budgets, regions, q) for every p, budgets at and between breakpoints,
    q with small denominators.
    """
    draw = Random(seed)
    for of, count in product(CHAINS, range(1, largest + 1)):
        for private in range(1, count + 1):
            marks = breakpoints(of, count, private) or [F(2)]
            marks += [mark * F(101, 100) for mark in marks]
            for left in marks:
                right = draw.choice(marks)
                letters = regions(of, count, private, left, right)
                q = {
                    t: draw.choice([F(1, 10), F(1, 3), F(1, 2), F(4, 5), F(99, 100), F(1)])
                    for t in medium(letters)
                }
                yield of, count, private, {-1: left, 1: right}, letters, q


def test_the_model_of_mechanisms_agrees():
    for of, count, private, budgets, letters, q in mechanisms(3):
        model = BinaryChain(of.a, of.b, count)
        made = three_regions(model, private, Level.log(budgets[-1]), Level.log(budgets[1]), q)
        assert [tuple(row) for row in made.rows] == [tuple(row) for row in profile(letters, q)]
        assert redaction_leakage(model, made, private).leakage.ratio == leaks(
            of, private, letters, q
        )


def test_a_smaller_sum_than_any_constant():
    of, budget = chain("1/10", "2/7"), F(63, 20)
    letters = regions(of, 3, 1, budget, budget)
    first, second = pair((of, budget, letters))
    assert letters == "LMM"
    assert relaxed(of, 1, letters, {2: first, 3: second}) == budget
    assert leaks(of, 1, letters, {2: first, 3: second}) <= budget
    least = bounds((of, budget, letters))[0]
    assert relaxed(of, 1, letters, {2: least, 3: least}) == budget
    assert relaxed(of, 1, letters, {2: least * F(999, 1000), 3: least * F(999, 1000)}) > budget
    assert first + second < 2 * least
