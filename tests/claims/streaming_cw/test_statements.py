"""Statements on streams and on CW-privacy, evaluated on random instances from their words alone,
zero probabilities included.

Laws of outputs are sums over all block sequences and over all draws of the scrub; nothing here is
taken from the claims. Each family of instances must also show that a slightly stronger statement is
false, or it would be blind.
"""

import random
from copy import copy
from fractions import Fraction
from itertools import chain, combinations, product
from math import prod

import pytest

F = Fraction
RATIOS = [F(1), F(5, 4), F(3, 2), F(2), F(3)]


def random_law(source, size, zero=0.3):
    """A law with small denominators, an entry 0 with the given chance."""
    while True:
        weights = [0 if source.random() < zero else source.randint(1, 4) for _ in range(size)]
        if sum(weights):
            return tuple(F(weight, sum(weights)) for weight in weights)


def sequences(laws, known=()):
    """Every block sequence with its probability; the last blocks may be known."""
    free = laws[: len(laws) - len(known)]
    for blocks in product(*(range(len(law)) for law in free)):
        chance = prod((law[block] for law, block in zip(free, blocks)), start=F(1))
        if chance:
            yield blocks + tuple(known), chance


class Stream:
    """t windows of B blocks with a law for each position, a mechanism on windows, and a scrub
    of each window on its own.
    """

    def __init__(self, source, steps, width, values=2, outputs=2, zero=0.3):
        self.steps, self.width, self.outputs = steps, width, range(outputs)
        self.laws = [random_law(source, values, zero / 2) for _ in range(steps + width - 1)]
        windows = list(product(range(values), repeat=width))
        self.rows = {window: random_law(source, outputs, zero) for window in windows}
        self.alt = {}
        for window in windows:
            images = source.sample(windows, source.choice([1, 2]))
            self.alt[window] = dict(zip(images, random_law(source, len(images), 0)))

    def known(self, step):
        """The values of positive probability of X_{step down}."""
        return list(
            product(
                *(
                    [b for b, p in enumerate(law) if p]
                    for law in self.laws[step : step + self.width - 1]
                )
            )
        )

    def chance(self, scrubbed, window, y):
        if not scrubbed:
            return self.rows[window][y]
        return sum((p * self.rows[image][y] for image, p in self.alt[window].items()), F(0))

    def joint(self, scrubbed, step, z):
        """P^0(.|z) or P^1(.|z) of the outputs of steps 1 .. step, a law on tuples."""
        law = dict.fromkeys(product(self.outputs, repeat=step), F(0))
        for blocks, weight in sequences(self.laws[: step + self.width - 1], z):
            windows = [blocks[i : i + self.width] for i in range(step)]
            for y in law:
                law[y] += weight * prod(
                    (self.chance(scrubbed, w, out) for w, out in zip(windows, y)), start=F(1)
                )
        return law

    def one(self, scrubbed, step, z):
        """P0(.|z) or P1(.|z) at one step."""
        weights = enumerate(self.laws[step - 1])
        pairs = [(weight, (block, *z)) for block, weight in weights if weight]
        return [
            sum((p * self.chance(scrubbed, window, y) for p, window in pairs), F(0))
            for y in self.outputs
        ]


def shift(top, bottom, ratio):
    """The largest P(S) - R Q(S) over all sets S."""
    return sum((max(F(0), a - ratio * b) for a, b in zip(top, bottom)), F(0))


def streams(seed, count, zeros=(0, 0.3, 0.6)):
    source = random.Random(seed)
    for _ in range(count):
        steps = source.choice([1, 2, 2, 3])
        width = source.choice([1, 2, 2, 3] if steps < 3 else [1, 2])
        outputs = source.choice([2, 3]) if steps < 3 else 2
        yield Stream(
            source,
            steps,
            width,
            source.choice([2, 3]) if steps * width < 4 else 2,
            outputs,
            source.choice(zeros),
        )


def largest_ratio(stream, steps, same):
    """The largest P0(y|z)/P1(y|z') or P1(y|z)/P0(y|z') at these steps, z' = z if `same`; None
    if one is infinite.
    """
    found = [F(1)]
    for step in steps:
        for z, other in product(stream.known(step), repeat=2):
            for k in (False, True):
                for a, b in zip(stream.one(k, step, z), stream.one(not k, step, other)):
                    if (z == other or not same) and a:
                        if not b:
                            return None
                        found.append(a / b)
    return max(found)


def one_step_shift(stream, spread, last):
    """The least delta of the hypotheses of the repaired Theorem 4, both directions."""
    found = [F(0)]
    for step in range(1, stream.steps + 1):
        for z, other in product(stream.known(step), repeat=2):
            for k in (False, True):
                if step < stream.steps:
                    found.append(
                        shift(stream.one(k, step, z), stream.one(not k, step, other), spread)
                    )
                if z == other:
                    found.append(shift(stream.one(k, step, z), stream.one(not k, step, z), last))
    return max(found)


def t_step_shift(stream, ratio):
    """The largest P^0(S|z) - R P^1(S|z), or the same exchanged, over all S and z."""
    laws = [
        [stream.joint(k, stream.steps, z).values() for k in (False, True)]
        for z in stream.known(stream.steps)
    ]
    return max(shift(pair[k], pair[1 - k], ratio) for pair in laws for k in (0, 1))


def test_theorem_4_repaired_on_streams_with_zeros_in_both_directions():
    source = random.Random(4)
    tight = fewer_shifts = fewer_gammas = 0
    for stream in streams(1, 240):
        exact = (
            largest_ratio(stream, range(1, stream.steps), same=False),
            largest_ratio(stream, [stream.steps], same=True),
        )
        spread, last = (
            source.choice([ratio, *RATIOS]) if ratio else source.choice(RATIOS) for ratio in exact
        )
        delta = one_step_shift(stream, spread, last)
        reached, bound = (
            t_step_shift(stream, last * spread ** (stream.steps - 1)),
            stream.steps * delta,
        )
        assert reached <= bound
        tight += delta > 0 and reached == bound
        fewer_shifts += reached > bound - delta
        fewer_gammas += (
            stream.steps > 1 and t_step_shift(stream, last * spread ** (stream.steps - 2)) > bound
        )
    assert min(tight, fewer_shifts, fewer_gammas) >= 5


def positive_streams(seed, count):
    """Streams in which every window makes every outcome possible: Assumption 1 holds with all
    outcomes in W.
    """
    yield from streams(seed, count, zeros=(0,))


def growth(stream, step, y):
    """The least e^gamma(y) at a step."""
    tops = [stream.one(False, step, z)[y] for z in stream.known(step)]
    return max(tops) / min(stream.one(True, step, z)[y] for z in stream.known(step))


def test_lemmas_1_and_2_repaired_and_the_largest_slope():
    loose = 0
    for stream in positive_streams(2, 80):
        t = stream.steps
        gammas = [[growth(stream, step, y) for y in stream.outputs] for step in range(1, t + 1)]
        spread = max(chain([F(1)], *gammas[: t - 1]))
        for z, other in product(stream.known(t), repeat=2):
            top, bottom = stream.joint(False, t, z), stream.joint(True, t, other)
            slopes = [a / b for a, b in zip(stream.one(False, t, z), stream.one(True, t, z))]
            for y, chance in top.items():
                factors = [gammas[step][out] for step, out in enumerate(y)]
                assert chance <= prod(factors, start=F(1)) * bottom[y]
                loose += chance > prod(factors[1:], start=F(1)) * bottom[y]
                if z == other:
                    assert chance <= prod(factors[:-1], start=F(1)) * slopes[y[-1]] * bottom[y]
                    assert chance <= max(slopes) * spread ** (t - 1) * bottom[y]
    assert loose


def test_two_steps_in_the_other_direction_without_a_condition_on_signs():
    """P^1(S|z) <= e^(eps_max + gamma) P^0(S|z) + 2 delta_max for t = 2, where delta_max is the
    shift at the smallest slope.
    """
    seen = blind = 0
    for stream in positive_streams(3, 250):
        if stream.steps != 2:
            continue
        pairs = [
            (stream.one(False, i, z), stream.one(True, i, z))
            for i in (1, 2)
            for z in stream.known(i)
        ]
        slopes = [[a / b for a, b in zip(*pair)] for pair in pairs]
        delta = max(shift(*pair, min(each)) for pair, each in zip(pairs, slopes))
        gamma = max(growth(stream, step, y) for step in (1, 2) for y in stream.outputs)
        level = max(map(max, slopes)) * gamma
        for z in stream.known(2):
            top, bottom = stream.joint(False, 2, z).values(), stream.joint(True, 2, z).values()
            assert shift(bottom, top, level) <= 2 * delta
            blind += shift(bottom, top, level) > 0
            seen += 1
    assert seen > 100
    assert blind


def block_scrubbed(stream, table, z, real):
    """P^0(.|z), or P^1(.|z) when each block is scrubbed on its own, once for the whole stream."""
    law = dict.fromkeys(product(stream.outputs, repeat=stream.steps), F(0))
    for blocks, weight in sequences(stream.laws, z):
        draws = (
            [(blocks, F(1))]
            if real
            else list(sequences([table[i][block] for i, block in enumerate(blocks)]))
        )
        for seen, share in draws:
            rows = [stream.rows[seen[i : i + stream.width]] for i in range(stream.steps)]
            for y in law:
                law[y] += weight * share * prod((row[out] for row, out in zip(rows, y)), start=F(1))
    return law


def test_a_stream_scrubbed_once_block_by_block():
    source, seen, loose = random.Random(5), 0, 0
    for stream in streams(6, 90):
        values = range(len(stream.laws[0]))
        table = [[random_law(source, len(values), 0.3) for _ in values] for _ in stream.laws]
        scrubbed = [
            tuple(sum((p * row[new] for p, row in zip(law, rows)), F(0)) for new in values)
            for law, rows in zip(stream.laws, table)
        ]
        clean, factors = copy(stream), []
        clean.laws = scrubbed  # the same mechanism on blocks with the laws of the scrubbed ones
        for step in range(1, stream.steps + 1):
            tops = [stream.one(False, step, z) for z in stream.known(step)]
            bottoms = [clean.one(False, step, z) for z in clean.known(step)]
            pairs = [
                (max(row[y] for row in tops), min(row[y] for row in bottoms))
                for y in stream.outputs
            ]
            factors.append([None if a and not b else a / b if b else F(0) for a, b in pairs])
        for z, other in product(stream.known(stream.steps), repeat=2):
            top, bottom = (
                block_scrubbed(stream, table, each, real)
                for each, real in ((z, True), (other, False))
            )
            for y, chance in top.items():
                found = [factors[step][out] for step, out in enumerate(y)]
                if None not in found:
                    assert chance <= prod(found, start=F(1)) * bottom[y]
                    seen += 1
                    loose += chance > F(9, 10) * prod(found, start=F(1)) * bottom[y]
    assert seen > 200
    assert loose


def test_sums_over_supports_of_the_last_output():
    """The repairs of the steps on V_t and on the smallest shift."""
    smaller = 0
    for stream in streams(7, 80):
        t = stream.steps
        for z in stream.known(t):
            top, bottom = stream.one(False, t, z), stream.one(True, t, z)
            whole = {y for y in stream.outputs if bottom[y]}
            supports = {
                block: {y for y in stream.outputs if stream.chance(True, (block, *z), y)}
                for block, p in enumerate(stream.laws[t - 1])
                if p
            }
            left = sum(
                (
                    stream.laws[t - 1][block] * stream.rows[block, *z][y]
                    for block, each in supports.items()
                    for y in each
                ),
                F(0),
            )
            right = sum((top[y] for y in whole), F(0))
            assert left <= right
            assert left == right or any(each != whole for each in supports.values())
            smaller += left < right
            assert right == 1 - shift(top, bottom, max(top[y] / bottom[y] for y in whole))
    assert smaller


def test_the_product_of_supports_is_in_the_support():
    holes = 0
    for stream in streams(10, 60):
        t = stream.steps
        for z in stream.known(t):
            top, bottom = stream.joint(False, t, z), stream.joint(True, t, z)
            mass, bound = sum((top[y] for y in top if bottom[y]), F(0)), F(0)
            for block, weight in enumerate(stream.laws[t - 1]):
                window = (block, *z)
                if not weight:
                    continue
                past = [stream.joint(k, t - 1, window[:-1]) for k in (False, True)]
                for before, y in product(past[0], stream.outputs):
                    if past[1][before] and stream.chance(True, window, y):
                        assert bottom[*before, y]
                        bound += weight * past[0][before] * stream.chance(False, window, y)
            assert mass >= bound
            holes += mass < 1
    assert holes


# CW-privacy: random laws of (X, Z, alt(X)), with all (v, z) of positive probability.


def subsets(count):
    return list(chain.from_iterable(combinations(range(count), size) for size in range(count + 1)))


def worlds(seed, count):
    """Yield rows M(x), the joint law of (x, z, alt(x)), and priv."""
    source = random.Random(seed)
    for _ in range(count):
        databases, outputs = source.choice([2, 3]), source.choice([2, 3])
        rows = [random_law(source, outputs) for _ in range(databases)]
        places = list(product(range(databases), range(2), range(databases)))
        yield (
            rows,
            dict(zip(places, random_law(source, len(places)))),
            [source.randint(0, 1) for _ in range(databases)],
        )


def conditional_laws(rows, joint, priv):
    """The laws of M(X) and M(alt(X)) given (v, z), for every (v, z) of positive probability."""
    for v, z in product(range(2), range(2)):
        kept = {
            place: p for place, p in joint.items() if p and priv[place[0]] == v and place[1] == z
        }
        total = sum(kept.values())
        if kept:
            yield tuple(
                [
                    sum((p * rows[place[which]][y] for place, p in kept.items()), F(0)) / total
                    for y in range(len(rows[0]))
                ]
                for which in (0, 2)
            )


@pytest.mark.parametrize("seed", [8, 9])
def test_cw_privacy_is_inclusion_of_regions_and_the_largest_shift(seed):
    private = 0
    for rows, joint, priv in worlds(seed, 60):
        pairs = list(conditional_laws(rows, joint, priv))
        events = subsets(len(rows[0]))
        for ratio, delta in product([F(1), F(2), F(4)], [F(0), F(1, 4), F(1, 2)]):
            sets = [
                [(sum(p[y] for y in s), sum(q[y] for y in s)) for s in events] for p, q in pairs
            ]
            defined = all(
                a <= ratio * b + delta and b <= ratio * a + delta for each in sets for a, b in each
            )
            points = [(a, 1 - b) for each in sets for a, b in each]
            inside = all(
                a + ratio * b >= 1 - delta and ratio * a + b >= 1 - delta for a, b in points
            )
            least = max(shift(*pair[::way], ratio) for pair in pairs for way in (1, -1))
            assert defined == inside == (delta >= least)
            private += defined
    assert private
