"""The 3R family and its relaxed bound: random mechanisms by enumeration of all
databases and outputs.

What these claims cite from other files is taken as recorded; `pufferproof prove --check` proves it
again.
"""

from fractions import Fraction
from itertools import product
from math import log, prod
from random import Random

from pufferproof.claims.papers.massny2025.influence.instances import (
    chain,
    chains,
    given,
    leakage,
    local,
    pointwise,
)
from pufferproof.claims.papers.massny2025.influence.three_regions import (
    breakpoints,
    condition,
    delta,
    events,
    leaks,
    medium,
    nearer,
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


def side(count, private, sign):
    return [t for t in range(1, count + 1) if (t - private) * sign >= 0]


def test_conditions_and_bound_decide_each_side():
    seen = 0
    for of, count, private, budgets, letters, q in mechanisms():
        ratios = {}
        for sign, budget in budgets.items():
            records = side(count, private, sign)
            ratios[sign] = exact = leakage(of, count, private, local(profile(letters, q)), records)
            met = all(
                condition(of, private, letters, q, t, shown, x) <= budget
                for t, shown in events(private, letters, q)
                if t in records
                for x in (0, 1)
            )
            assert met == (exact <= budget)
            inside = [t for t in medium(letters) if t in records]
            terms = [
                delta(of, private, letters, t) / prod(q[i] for i in nearer(letters, private, t))
                for t in inside
            ]
            outer = [t for t in records if letters[t - 1] != "L"]
            first = min(outer, key=lambda t: abs(t - private), default=None)
            missing = (
                1
                if first is None
                else pointwise(of, abs(first - private), "MS".index(letters[first - 1]))
            )
            assert missing <= budget
            assert exact <= max([missing, *terms])
            assert all(delta(of, private, letters, t) <= budget for t in inside)
            seen += bool(inside) and max(terms) <= budget
        assert leaks(of, private, letters, q) <= ratios[-1] * ratios[1]
    assert seen > 50


def test_raising_q_keeps_the_budget():
    for of, count, private, budgets, letters, q in mechanisms(4, seed=2):
        for sign, budget in budgets.items():
            records = side(count, private, sign)
            if leakage(of, count, private, local(profile(letters, q)), records) <= budget:
                for t in q:
                    raised = {**q, t: (q[t] + 1) / 2}
                    assert (
                        leakage(of, count, private, local(profile(letters, raised)), records)
                        <= budget
                    )


def test_the_model_of_mechanisms_agrees():
    for of, count, private, budgets, letters, q in mechanisms(3):
        model = BinaryChain(of.a, of.b, count)
        made = three_regions(model, private, Level.log(budgets[-1]), Level.log(budgets[1]), q)
        assert [tuple(row) for row in made.rows] == [tuple(row) for row in profile(letters, q)]
        assert redaction_leakage(model, made, private).leakage.ratio == leaks(
            of, private, letters, q
        )


def test_redactions_and_utility_by_enumeration():
    for of, count, private, _, letters, q in mechanisms(3):
        law = {x: of.weight(x) for value in (0, 1) for x in given(of, count, private, value)}
        mechanism = local(profile(letters, q))
        hidden = sum(
            weight * chance * y.count("*")
            for x, weight in law.items()
            for y, chance in mechanism(x).items()
        )
        share = of.b / (of.a + of.b)
        assert hidden == letters.count("L") + letters.count("M") - share * sum(
            1 - value for value in q.values()
        )


def test_at_most_one_medium_record_for_a_negative_eigenvalue():
    for of in chains(9):
        if of.eigenvalue <= 0:
            for budget in breakpoints(of, 7, 1):
                assert len(medium(regions(of, 7, 1, budget, budget))) <= 1


def hull(limits):
    """Solve the relaxed program: limits are eps - delta_k >= 0; return q from the greatest
    convex minorant.
    """
    values, found, k = [0.0, *limits], [], 0
    while k < len(limits):
        slope, end = min(((values[j] - values[k]) / (j - k), -j) for j in range(k + 1, len(values)))
        found += [slope] * (-end - k)
        k = -end
    return [2.718281828459045**-slope for slope in found]


def test_the_hull_is_optimal():
    draw = Random(5)
    for _ in range(300):
        limits = [draw.random() * draw.choice([0, 1, 3]) for _ in range(draw.randint(1, 6))]
        best = hull(limits)
        logs = [-log(value) for value in best]
        assert all(sum(logs[: k + 1]) <= limit + 1e-9 for k, limit in enumerate(limits))
        for _ in range(20):
            other, left = [], 0.0
            for k in range(len(limits)):
                step = draw.random() * max(0.0, min(limits[k:]) - left)
                other.append(2.718281828459045**-step)
                left += step
            assert sum(best) <= sum(other) + 1e-9


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
