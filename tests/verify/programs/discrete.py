"""Programs whose draws have listed values, or become so: coins, urns, loops, logarithms."""

import math

import numpy as np

DISCRETE = {}


def discrete(program):
    DISCRETE[program.__name__] = program
    return program


@discrete
def fair_coin_of_two(database, rng):
    while True:
        first, second = rng.random() < 1 / 3, rng.random() < 1 / 3
        if first != second:
            return int(first)


@discrete
def two_dice(database, rng):
    rolls = 0
    while True:
        rolls += 1
        x, y = rng.integers(1, 7), rng.integers(1, 7)
        if x + y > 7:
            return x, y, min(rolls, 3)


@discrete
def sum_of_coins(database, rng):
    return sum(rng.random() < 0.3 for _ in range(20))


@discrete
def partial_sums(database, rng):
    coins = [rng.random() < 0.3 for _ in range(7)]
    total = sum(coins)
    return total >= 3, sum(coins[:2]), coins[0]


@discrete
def parity_then_coin(database, rng):
    bits = [rng.integers(2) for _ in range(6)]
    parity = bits[0]
    for bit in bits[1:]:
        parity = parity ^ bit
    return str(parity), bits[2], bits[0] + bits[1]


@discrete
def compared_twice(database, rng):
    u = rng.random()
    low, high = u < 0.3, u < 0.7
    return low ^ high, u < 0.5


@discrete
def coin_then_sum_with_noise(database, rng):
    u, v = rng.random(), rng.random()
    differ = (u < 0.5) != (v < 0.25)
    if differ:
        return bool(u + v > 1)
    return "same"


@discrete
def noisy_die(database, rng):
    return bool(rng.integers(4) + rng.laplace() > 2.5)


@discrete
def one_of_three(database, rng):
    return "".join(bit if rng.integers(3) else "x" for bit in database)


@discrete
def equal_choices(database, rng):
    return "".join(rng.choice(["a", "b", "a", "c"]) for _ in range(3)) + str(rng.choice([1, 1, 2]))


@discrete
def rows(database, rng):
    return rng.choice(np.array([[1, 2], [3, 4], [1, 2]]))


@discrete
def ways(database, rng):
    return rng.multinomial(3, [0.2, 0.3, 0.5])


@discrete
def arrivals(database, rng):
    return min(rng.poisson(1.5), 4)


@discrete
def good(database, rng):
    return rng.hypergeometric(3, 4, 2), rng.negative_binomial(2, 0.75) > 1


@discrete
def drawers(database, rng):
    return rng.permuted([[1, 2], [1, 1]])


@discrete
def gamma(database, rng):
    return bool(rng.gamma(3, 2.0) > 4), bool(rng.chisquare(4) > rng.standard_exponential())


@discrete
def logarithms(database, rng):
    x, y = -np.log(1 - rng.random()), -2 * np.log(rng.uniform())
    return bool(x > y), bool(x > 1)


@discrete
def laplace_by_inversion(database, rng):
    u = rng.random() - 0.5
    return bool(-2 * np.sign(u) * np.log(1 - 2 * np.abs(u)) > 1)


@discrete
def laplace_by_log1p(database, rng):
    u = rng.uniform(-0.5, 0.5)
    x = np.log1p(2 * u) if u < 0 else -np.log1p(-2 * u)
    return "far" if abs(x) > 2 else x > 0.5


@discrete
def arithmetic(database, rng):
    x, y = rng.integers(1, 4), rng.binomial(2, 0.3)
    return x // 2, x % 2, x / 2, y - x, -x, abs(y - x), x * y, 2**y, divmod(x, 2), x > y, x & 1


@discrete
def in_python(database, rng):
    x = rng.integers(3)
    letters = "abc"[x] * (x + 1)
    return (f"{x}{letters}", {0: "zero"}.get(x, "more"), list(range(x)), x in (1, 2), isinstance(x, np.integer))


@discrete
def arrays(database, rng):
    x = rng.integers(0, 2, size=3)
    return np.bincount(x, minlength=2), x.sum(), np.array([rng.random() < 0.5, True]).any()


@discrete
def clipped_geometric(database, rng):
    return int(np.clip(database.count("1") + rng.geometric(0.4) - rng.geometric(0.4), 0, 3))


@discrete
def geometric_by_hand(database, rng):
    noise = rng.geometric(0.3) - rng.geometric(0.3)
    return min(max(2 - noise, -1), 4), noise > 0


@discrete
def trials(database, rng):
    x, y = rng.geometric(0.5), rng.geometric(0.25)
    return x > 2, y <= 1.5, min(x, 4), 3 - y > 0, x == 1, x != 2.5, bool(y - 1), abs(2 - x) > 0


@discrete
def arrivals_compared(database, rng):
    k = rng.poisson(2.5)
    return "many" if k > 4 else "some" if k >= 2 else k


@discrete
def geometric_and_laplace(database, rng):
    return rng.laplace() + min(rng.geometric(0.5), 3) > 1.5, isinstance(rng.geometric(0.5), int)


@discrete
def sums_of_counts(database, rng):
    x = np.minimum(rng.geometric(0.9) + min(rng.poisson(0.5), 2), 3)
    return int(x), np.maximum(rng.geometric(0.5), 2) > 2, min(rng.geometric(0.9) // 1, 2)


@discrete
def rounded_and_clipped(database, rng):
    x = 2 + rng.laplace()
    return (max(0, round(x)), int(np.clip(round(-x), -3, 0)), min(math.floor(x), 3), -math.ceil(x) > 1)


@discrete
def rounded_twice(database, rng):
    x, y = rng.laplace(), rng.exponential()
    near = round(x)
    return near > 0 or y > x, near == 1, min(abs(near), 2), bool(x > 0.75)


@discrete
def mixed_with_counts(database, rng):
    x, y = min(rng.geometric(0.6), 3), rng.geometric(0.6)
    z, n = np.float64(0.5) - rng.geometric(0.6), rng.integers(1, 3)
    return bool(0.5 * y > 1), bool(z < -0.5), x == n, divmod(min(y, 2), 2), bool(y == rng.laplace())
