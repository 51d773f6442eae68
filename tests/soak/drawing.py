"""Instances for two computations that must agree: drawn at random, many of them guided to where
rules change: zeros, ties, equal rows, one and two records or databases, secrets that no law allows,
both orders and one, certain starts.

A drawing raises `Passed` where what came out is no instance: it is counted, and compared with
nothing.
"""

from fractions import Fraction
from itertools import combinations
from random import Random
from typing import Any

from pufferproof import Channel, Framework, MarkovChain, Product, Records, Table
from pufferproof.models.errors import ModelError
from pufferproof.models.sequences.binary import BinaryChain
from pufferproof.models.sequences.redaction import LocalRedaction

WEIGHTS = ([1, 2, 3, 5], [0, 0, 1, 1, 2], [0, 1], [1], [1, 10**6, 10**12 + 1])
EXTREMES = [0, 1, 2, 10**330, 10**340]  # of which floats have no ratio
RATIOS = tuple(Fraction(*each) for each in ((1, 1), (1, 1), (2, 1), (3, 2), (7, 3), (10, 1)))
STEPS = (*(Fraction(k, 10) for k in range(1, 10)), Fraction(1, 97), Fraction(96, 97))
HIDDEN = (*(Fraction(k, 4) for k in (0, 0, 1, 2, 3, 4, 4)), Fraction(100, 101))


class Passed(Exception):  # noqa: N818
    """What was drawn is no instance."""


def law(draw: Random, size: int, weights: list[int] | None = None) -> list[Fraction]:
    """Probabilities, at least one of them positive."""
    chosen = draw.choice(WEIGHTS) if weights is None else weights
    numbers = [draw.choice(chosen) for _ in range(size)]
    if not any(numbers):
        numbers[draw.randrange(size)] = 1
    return [Fraction(number, sum(numbers)) for number in numbers]


def rows(draw: Random, count: int, size: int, weights: list[int] | None = None) -> list[list[Fraction]]:
    """Laws of one family of weights; some rows are the row before, so that ratios tie."""
    weights = weights or draw.choice(WEIGHTS)
    found = [law(draw, size, weights)]
    while len(found) < count:
        found.append(list(found[-1]) if draw.random() < 0.2 else law(draw, size, weights))
    return found


def secrets(draw: Random, labels: str) -> tuple[dict[str, list[str]], list[tuple[str, str]]]:
    """One to three pairs of disjoint secrets: complementary, or with databases of neither."""
    held: dict[str, list[str]] = {}
    pairs = []
    for k in range(draw.choice((1, 1, 2, 3))):
        sides = [draw.choice((0, 1, 2, 1, 2)) for _ in labels]
        sides[draw.randrange(len(labels))] = 1
        if 2 not in sides:
            sides[sides.index(1) - 1] = 2
        if 1 in sides:
            held[f"s{k}"], held[f"t{k}"] = ([x for x, side in zip(labels, sides) if side == which] for which in (1, 2))
            pairs.append((f"s{k}", f"t{k}"))
    if not pairs:
        raise Passed
    return held, pairs


def parts(draw: Random, labels: str) -> dict[str, list[str]]:
    """Two secrets or more that have no database in common: all pairs of them."""
    count = draw.randint(2, len(labels))
    chosen = draw.sample(labels, len(labels))
    sides = [*range(count), *(draw.randint(0, count) for _ in labels[count:])]
    return {f"r{k}": [x for x, side in zip(chosen, sides) if side == k] for k in range(count)}


def framework(draw: Random, largest: int = 5, closure: str = "list", priors: int = 3) -> Framework:
    """Two databases or a few more, with one prior or some."""
    labels = "abcdefgh"[: draw.randint(2, largest)]
    held, pairs = secrets(draw, labels)
    stated: Any = pairs
    if draw.random() < 0.25:
        held, stated = parts(draw, labels), "disjoint"
    laws = {
        f"p{k}": Table({x: p for x, p in zip(labels, law(draw, len(labels))) if p})
        for k in range(draw.randint(1, priors))
    }
    sides = draw.random() < 0.25
    return checked(Framework(list(labels), held, stated, laws, closure, one_sided=sides))


def related(draw: Random, space: Framework) -> Framework:
    """The framework with one prior more, or two, that often share odds or laws with the first."""
    (first,) = space.priors
    law_of = space.laws[first]
    laws = [{x: Fraction(w, law_of.total) for x, w in zip(space.databases, law_of.weights)}]
    pair = draw.choice(list(space.pairs))
    held = {name: [space.databases[x] for x in members] for name, members in space.secrets.items()}
    for _ in range(draw.choice((1, 1, 2))):
        new = dict(laws[0])
        sides = [held[secret] for secret in pair]
        for members in (*sides, [x for x in new if x not in sides[0] + sides[1]]):
            times, others = draw.choice((0, 1, 1, 2)), draw.random() < 0.7
            for x in members:
                new[x] = Fraction(draw.choice((0, 1, 2, 3)), 3) if others else times * new[x]
        if any(new.values()):
            laws.append({x: p / sum(new.values()) for x, p in new.items()})
    if len(laws) == 1:
        raise Passed
    priors = {f"p{k}": Table({x: p for x, p in each.items() if p}) for k, each in enumerate(laws)}
    stated = space.pairs if draw.random() < 0.5 else [pair]
    return Framework(list(space.databases), held, list(stated), priors, one_sided=space.one_sided)


def checked(space: Framework) -> Framework:
    """The framework, unless no pair of secrets is possible under any prior."""
    for prior in space.priors:
        for pair in space.pairs:
            if all(space.mass(prior, secret) for secret in pair):
                return space
    raise Passed


def channel(draw: Random, space: Framework, most: int = 4, weights: list[int] | None = None) -> Channel:
    """A mechanism of all databases of a framework."""
    outputs = [f"y{k}" for k in range(draw.randint(1, most))]
    laws = rows(draw, len(space.databases), len(outputs), weights)
    return Channel.of(dict(zip(space.databases, laws)), outputs)


def binary(mechanism: Channel) -> Channel:
    """The mechanism with binary floats for entries, divided by their sums."""
    floats = [[float(mechanism.probability(x, y)) for y in mechanism.outputs] for x in mechanism.databases]
    return Channel.from_array(floats, mechanism.databases, mechanism.outputs, normalize=True)


def chain(draw: Random, size: int) -> MarkovChain:
    """A chain with a start of its own, or its stationary law where it has one."""
    steps = rows(draw, size, size)
    if draw.random() < 0.4:
        stationary = MarkovChain("stationary", steps)
        try:
            stationary.initial_law()
        except ModelError:  # several recurrent classes
            raise Passed from None
        return stationary
    return MarkovChain(law(draw, size), steps)


def records(draw: Random, longest: int = 4) -> Framework:
    """Records on a chain or independent, every value of every record secret."""
    size = draw.choice((2, 2, 3))
    count = draw.randint(1, longest if size == 2 else min(longest, 3))
    alphabet = tuple("012"[:size])
    prior = Product([law(draw, size) for _ in range(count)]) if draw.random() < 0.3 else chain(draw, size)
    held = {f"x{t}={v}": (t, v) for t in range(1, count + 1) for v in alphabet}
    pairs = [(f"x{t}={v}", f"x{t}={w}") for t in range(1, count + 1) for v, w in combinations(alphabet, 2)]
    return checked(Framework.of_records(Records(count, alphabet), held, pairs, {"p": prior}))


def redaction(draw: Random, longest: int = 5) -> tuple[BinaryChain, LocalRedaction, int]:
    """A binary chain, either sign of its eigenvalue or zero, a redaction, and a private record."""
    length = draw.randint(1, longest)
    private = draw.randint(1, length)
    alpha = draw.choice(STEPS)
    beta = draw.choice((*STEPS, 1 - alpha, 1 - alpha, 1 - alpha, alpha))
    start: Any = "stationary"
    if private > 1 and draw.random() < 0.4:
        start = draw.choice((("1/3", "2/3"), (1, 0), (0, 1)))
    hidden = [[draw.choice(HIDDEN), draw.choice(HIDDEN)] for _ in range(length)]
    if draw.random() < 0.9:
        hidden[private - 1] = [Fraction(1), Fraction(1)]
    return BinaryChain(alpha, beta, length, start), LocalRedaction(hidden), private
