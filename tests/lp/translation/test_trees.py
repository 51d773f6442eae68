"""Worst ratios under per-record differential privacy: the recursion, the linear program and all
rays of small cubes agree.
"""

import random
from fractions import Fraction
from itertools import product

import pytest
from tests import seeds
from tests.lp.translation.trees import tree_messages

from pufferproof import Framework, ModelError, Records, Table
from pufferproof.lp.levels import RecordLevels
from pufferproof.lp.translation.listed import worst_column

F = Fraction
KERNELS = [
    [[F(3, 4), F(1, 4)], [F(1, 4), F(3, 4)]],
    [[F(1, 4), F(3, 4)], [F(2, 3), F(1, 3)]],
    [[F(1), F(0)], [F(1, 3), F(2, 3)]],
    [[F(0), F(1)], [F(1), F(0)]],
    [[F(2, 5), F(3, 5)], [F(2, 5), F(3, 5)]],
]


def bits(count, law, record):
    """Return the framework in which one bit of a law on {0,1}^count is secret."""
    secrets = {"zero": (record, "0"), "one": (record, "1")}
    return Framework.of_records(Records(count, ("0", "1")), secrets, [("zero", "one")], {"theta": Table(law)})


def dp_worst_ratio(framework, *ratios):
    """Return the worst column of releases of these levels for every record."""
    count = framework.expect_records().count
    return worst_column(framework, RecordLevels.uniform(count, [f"log({F(r)})" for r in ratios]))


def chain_messages(initial, transitions, position, ratio):
    """Return the messages of a bit of a chain, a root with two branches: the bits before it follow
    the reversed kernels P(X_(j-1) | X_j), any law after an impossible value.
    """
    laws = [[F(p) for p in initial]]
    for step in transitions:
        laws.append([sum(p * F(row[v]) for p, row in zip(laws[-1], step)) for v in (0, 1)])
    before = [
        [
            [laws[j][a] * F(transitions[j][a][b]) / laws[j + 1][b] if laws[j + 1][b] else F(1, 2) for a in (0, 1)]
            for b in (0, 1)
        ]
        for j in range(position - 2, -1, -1)
    ]
    parents, steps = [None], [None]
    for branch in (before, transitions[position - 1 :]):
        for place, kernel in enumerate(branch):
            parents.append(0 if place == 0 else len(parents) - 1)
            steps.append(kernel)
    return tree_messages(parents, steps, ratio)


def tree_law(parents, kernels, root):
    """Return the law of all bits of a tree, from the definition."""
    law = {}
    for values in product((0, 1), repeat=len(parents)):
        weight = root[values[0]]
        for bit in range(1, len(parents)):
            weight *= kernels[bit][values[parents[bit]]][values[bit]]
        law["".join(map(str, values))] = weight
    return {label: weight for label, weight in law.items() if weight}


def cube_columns(count, ratio):
    """List R^f with |f(x) - f(y)| = 1 for neighbours and f(0..0) = 0, by going through the cube."""
    cube = list(product((0, 1), repeat=count))

    def extend(f, rest):
        if not rest:
            yield f
            return
        x, *others = rest
        near = [f[y] for y in f if sum(a != b for a, b in zip(x, y)) == 1]
        for value in (near[0] - 1, near[0] + 1):
            if all(abs(value - other) == 1 for other in near):
                yield from extend({**f, x: value}, others)

    return [{x: ratio**k for x, k in f.items()} for f in extend({cube[0]: 0}, cube[1:])]


def worst_over(columns, law, record):
    ratios = []
    for u in columns:
        sums = [sum(p * u[tuple(map(int, x))] for x, p in law.items() if x[record - 1] == v) for v in "01"]
        masses = [sum(p for x, p in law.items() if x[record - 1] == v) for v in "01"]
        means = [total / mass for total, mass in zip(sums, masses)]
        ratios += [means[0] / means[1], means[1] / means[0]]
    return max(ratios)


@seeds(12)
def test_recursion_linear_program_and_rays_agree_on_random_trees(seed):
    draw = random.Random(seed)
    count, ratio = draw.choice([1, 2, 3, 3]), draw.choice([F(1), F(3, 2), F(2), F(7, 3)])
    parents = [None, *(draw.randrange(bit) for bit in range(1, count))]
    kernels = [None, *(draw.choice(KERNELS) for _ in range(1, count))]
    law = tree_law(parents, kernels, (F(1, 3), F(2, 3)))
    found = tree_messages(parents, kernels, ratio)
    assert dp_worst_ratio(bits(count, law, 1), ratio).ratio == found.ratio
    assert worst_over(cube_columns(count, ratio), law, 1) == found.ratio


def test_one_bit_and_level_zero():
    assert tree_messages([None], [None], 5).ratio == 5
    assert chain_messages(["1/3", "2/3"], [KERNELS[0]] * 3, 2, 1).ratio == 1


def test_a_long_chain_approaches_the_root_of_the_quadratic():
    """p = 3/4, R = 2: S^2/4 - 3 S/4 - 1/2 = 0, S = (3 + sqrt(17))/2."""
    chain = chain_messages(["1/2", "1/2"], [KERNELS[0]] * 60, 1, 2).up
    error = chain**2 / 4 - 3 * chain / 4 - F(1, 2)
    assert -F(1, 10**12) < error < 0
    assert tree_messages([None, *range(300)], [None, *[KERNELS[0]] * 300], 2).up > chain


def test_a_long_chain_with_negative_correlation_approaches_its_root_too():
    """P00 = 1/4, P01 = 3/4, P10 = 2/3, P11 = 1/3, R = 2: the quadratic of
    worst.infinite-chain-alternating.
    """
    up = tree_messages([None, *range(80)], [None, *[KERNELS[1]] * 80], 2).up
    p00, p01, p10, p11, ratio = F(1, 4), F(3, 4), F(2, 3), F(1, 3), 2
    middle = p10 * p01 + ratio * p00**2 - ratio * p11**2 - ratio**2 * p10 * p01
    error = (p11 + ratio * p00) * p01 * up**2 + middle * up - ratio * p10 * (p11 + ratio * p00)
    assert -F(1, 10**12) < error < 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([None, 1], [None, KERNELS[0]], 2), "parents"),
        (([None, 0], [None, [["1/2", "1/3"], ["1/2", "1/2"]]], 2), "sum to 1"),
        (([None], [None], "1/2"), "at least 1"),
        (([], [], 2), "root first"),
    ],
)
def test_misuse_is_refused(arguments, message):
    with pytest.raises(ModelError, match=message):
        tree_messages(*arguments)


def test_frameworks_without_records_are_refused():
    framework = Framework(["a", "b"], {"s": ["a"], "t": ["b"]}, [("s", "t")], {"p": Table({"a": "1/2", "b": "1/2"})})
    with pytest.raises(ModelError, match="records"):
        worst_column(framework, RecordLevels.uniform(1, ["log(2)"]))
    with pytest.raises(ModelError, match="at least one level"):
        RecordLevels.uniform(1, [])
