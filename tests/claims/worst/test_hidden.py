"""Levels of hidden bits that records show, and of forests whose arrows point anywhere: what the
claims state, evaluated by code of its own, against linear programs over all columns.
"""

import random
from fractions import Fraction
from itertools import product

from tests.examples import seeds
from tests.lp.translation.test_networks import drawn, framework, rerooted

from pufferproof import Framework, Records, Table
from pufferproof.lp.translation.levels import RecordLevels
from pufferproof.lp.translation.listed import worst_column

F = Fraction


class Instance:
    """A hidden tree, root first, its records' alphabets and levels."""

    def __init__(self, seed):
        draw = random.Random(seed)
        count = draw.randint(1, 3)
        self.parents = [None, *(draw.randrange(bit) for bit in range(1, count))]
        self.root = law(draw, 2, positive=True)
        self.kernels = [None, *([law(draw, 2), law(draw, 2)] for _ in range(1, count))]
        self.letters = draw.choice([2, 3])
        self.shown = [[law(draw, self.letters), law(draw, self.letters)] for _ in range(count)]
        self.levels = [F(draw.choice([1, 2, 3, 7]), draw.choice([1, 1])) for _ in range(count)]

    def weight(self, bits, values):
        """P(hidden bits, records), from the definition."""
        weight = self.root[bits[0]]
        for bit in range(1, len(bits)):
            weight *= self.kernels[bit][bits[self.parents[bit]]][bits[bit]]
        for bit, value in enumerate(values):
            weight *= self.shown[bit][bits[bit]][value]
        return weight

    def laws(self):
        """The laws of the records given either value of the root's bit."""
        count = len(self.parents)
        found = []
        for root in (1, 0):
            rest = list(product((0, 1), repeat=count - 1))
            found.append(
                {
                    x: sum(self.weight((root, *bits), x) for bits in rest) / self.root[root]
                    for x in product(range(self.letters), repeat=count)
                }
            )
        return found

    def record(self, bit):
        """e and f of a record: the largest quotients over factors 1 and R."""
        rows, ratio = self.shown[bit], self.levels[bit]
        quotients = [
            mean(rows[1], m) / mean(rows[0], m) for m in product((F(1), ratio), repeat=self.letters)
        ]
        return max(quotients), 1 / min(quotients)

    def children(self, bit, ends=(True, True)):
        """The products of s_c and of d_c."""
        up, down = F(1), F(1)
        for child, parent in enumerate(self.parents):
            if parent == bit:
                most, least = self.messages(child, ends)
                (p00, p01), (p10, p11) = self.kernels[child]
                at = [t for t, used in zip((most, 1 / least), ends) if used]
                moved = [(p11 * t + p10) / (p01 * t + p00) for t in at]
                up, down = up * max(moved), down * max(1 / g for g in moved)
        return up, down

    def messages(self, bit=0, ends=(True, True)):
        """S and D of a bit."""
        (e, f), (up, down) = self.record(bit), self.children(bit, ends)
        return e * up, f * down

    def secret(self, v, y):
        """The largest ratio about the root's record, None where a value is impossible."""
        joint = [[self.root[h] * self.shown[0][h][x] for h in (0, 1)] for x in (v, y)]
        if not all(map(sum, joint)):
            return None
        (a0, a1), (b0, b1) = ([p / sum(row) for p in row] for row in joint)
        up, down = self.children(0)
        return self.levels[0] * max((a1 * t + a0) / (b1 * t + b0) for t in (up, 1 / down))

    def framework(self, first, second):
        """A framework in which two laws of the records are what two secrets say."""
        count = len(self.parents)
        records = Records(count + 1, tuple("012"[: self.letters]))
        joint = {"0" + text(x): p / 2 for x, p in second.items() if p}
        joint |= {"1" + text(x): p / 2 for x, p in first.items() if p}
        secrets = {"s": (1, "1"), "t": (1, "0")}
        return Framework(records, secrets, [("s", "t")], {"p": Table(joint)}, one_sided=True)

    def largest(self, first, second):
        """The largest ratio over all columns of the levels, the secret record being of level 1."""
        levels = RecordLevels.of([f"log({ratio})" for ratio in (F(1), *self.levels)])
        return worst_column(self.framework(first, second), levels).ratio


def text(values):
    return "".join(map(str, values))


def mean(row, factors):
    return sum((p * m for p, m in zip(row, factors)), F(0))


def law(draw, size, positive=False):
    weights = [draw.choice([0, 0, 1, 2, 3]) + positive for _ in range(size)]
    weights = weights if sum(weights) else [1] + [0] * (size - 1)
    return [F(weight, sum(weights)) for weight in weights]


@seeds(40)
def test_what_hidden_bits_tell_is_the_largest_ratio_over_all_columns(seed):
    found = Instance(seed)
    first, second = found.laws()
    up, down = found.messages()
    assert found.largest(first, second) == up
    assert found.largest(second, first) == down


@seeds(40)
def test_what_is_told_of_the_record_of_the_root(seed):
    """The record itself is among those that change: its column has the level R_root there."""
    found = Instance(seed)
    count = len(found.parents)
    every = list(product((0, 1), repeat=count))
    joint = {
        x: sum(found.weight(bits, x) for bits in every)
        for x in product(range(found.letters), repeat=count)
    }
    levels = RecordLevels.of([f"log({ratio})" for ratio in found.levels])
    records = Records(count, tuple("012"[: found.letters]))
    prior = Table({text(x): p for x, p in joint.items() if p})
    for v, y in [(0, 1), (1, 0)]:
        stated = found.secret(v, y)
        if stated is not None:
            secrets = {"s": (1, str(v)), "t": (1, str(y))}
            space = Framework(records, secrets, [("s", "t")], {"p": prior}, one_sided=True)
            assert worst_column(space, levels).ratio == stated


def test_near_misses_of_the_statement_fail_somewhere():
    """One end only, and the level itself in place of what the record shows."""
    one_end = shown_itself = 0
    for seed in range(40):
        found = Instance(seed)
        up, _ = found.messages()
        one_end += found.messages(ends=(True, False))[0] != up
        own = found.levels[0] * found.children(0)[0]
        shown_itself += own != up
    assert one_end
    assert shown_itself


@seeds(30)
def test_a_forest_seen_from_a_record_is_a_tree(seed):
    """worst.record-levels-network, with the recursion walked by hand from the record."""
    draw = random.Random(seed)
    count = draw.randint(1, 5)
    shape = [None, *(draw.choice([None, *range(1, i)]) for i in range(2, count + 1))]
    network = drawn(draw, rerooted(shape, draw))
    record = draw.randint(1, count)
    ratios = [F(draw.choice([1, 2, 5])) for _ in range(count)]
    joint = {x: weight(network, x) for x in product((0, 1), repeat=count)}
    chance = [sum(p for x, p in joint.items() if x[record - 1] == v) for v in (0, 1)]
    if not all(chance):
        return
    up, down = seen(network, joint, record, None, ratios)
    levels = RecordLevels.of([f"log({ratio})" for ratio in ratios])
    assert worst_column(framework(network, [record]), levels).ratio == max(up, down)


def weight(network, values):
    found = F(1)
    for i, above in enumerate(network.parents, 1):
        rows = dict(network.cpt[i - 1])
        found *= rows["".join(str(values[parent - 1]) for parent in above)][values[i - 1]]
    return found


def seen(network, joint, record, came_from, ratios):
    """S and D of a record for what lies away from `came_from`."""
    up = down = ratios[record - 1]
    near = {*network.parents[record - 1]}
    near |= {i for i, above in enumerate(network.parents, 1) if record in above}
    for other in near - {came_from}:
        most, least = seen(network, joint, other, record, ratios)
        (p00, p01), (p10, p11) = (conditional(joint, record, v, other) for v in (0, 1))
        moved = [(p11 * t + p10) / (p01 * t + p00) for t in (most, 1 / least)]
        up, down = up * max(moved), down * max(1 / g for g in moved)
    return up, down


def conditional(joint, record, value, other):
    """P(other | record = value), any law where that is impossible."""
    both = [
        sum(p for x, p in joint.items() if x[record - 1] == value and x[other - 1] == z)
        for z in (0, 1)
    ]
    return [p / sum(both) for p in both] if sum(both) else [F(1, 2), F(1, 2)]
