"""Small frameworks and mechanisms drawn at random, and differential privacy on them from its
definition.
"""

from fractions import Fraction

from pufferproof import Channel, Framework, Table


def likelihood_ratio(channel, x, z):
    """Largest P(y | x) / P(y | z), infinity if only x allows y."""
    worst = Fraction(0)
    for y in channel.outputs:
        a, b = channel.probability(x, y), channel.probability(z, y)
        if a and not b:
            return float("inf")
        worst = max(worst, a / b) if b else worst
    return worst


def distance(x, z):
    return sum(a != b for a, b in zip(x, z))


def level(channel, neighbours):
    pairs = [(x, z) for x in channel.databases for z in channel.databases if x != z and neighbours(x, z)]
    return max([Fraction(1), *(likelihood_ratio(channel, x, z) for x, z in pairs)])


def random_channel(rng, databases, outputs="uv", zeros=True):
    rows = {}
    for x in databases:
        numbers = [rng.randint(0 if zeros else 1, 4) for _ in outputs]
        numbers[rng.randrange(len(outputs))] += 1
        rows[x] = [Fraction(number, sum(numbers)) for number in numbers]
    return Channel.of(rows, list(outputs))


def random_framework(rng):
    size = rng.randint(3, 5)
    labels = "abcde"[:size]
    cut = rng.randint(1, size - 1)
    priors = {}
    for name in ("theta", "eta")[: rng.randint(1, 2)]:
        weights = [rng.randint(0, 3) for _ in labels]
        weights[0], weights[-1] = weights[0] + 1, weights[-1] + 1
        priors[name] = Table({x: Fraction(w, sum(weights)) for x, w in zip(labels, weights)})
    return Framework(labels, {"s": labels[:cut], "t": labels[cut:]}, [("s", "t")], priors)
