"""How leakage grows with runs: every game is a linear program over outputs, which is solved in
floats, so that what is close to a bound is not judged.
"""

from collections.abc import Iterator
from itertools import permutations, product
from math import inf, log
from typing import Any

import numpy as np
from scipy.optimize import linprog
from tests.kernel.slow.finite import Statement
from tests.kernel.slow.numbers import Level, Unjudged, expect

CLOSE = 1e-6  # of nats
Place = tuple[tuple[str, str], tuple[str, str], str]  # two priors, an ordered pair, a database


def opened(certificate: Any) -> Statement:
    claim, count = certificate["claim"], len(certificate["mechanisms"])
    known = Statement(certificate | {"claim": claim | {"releases": [*range(count)]}})
    expect(count > 0)
    return known


def nats(stated: Any) -> float:
    if stated == "inf":
        return inf
    level = Level(stated)
    return log(float(level.value)) if level.form == "log" else float(level.value)


def games(known: Statement) -> Iterator[tuple[Place, list[str]]]:
    """The databases that are compared with others, and these."""

    def possible(prior: str, secret: str) -> list[str]:
        return [x for x, p in known.priors[prior].items() if p != 0 and x in known.secrets[secret]]

    names = [*known.priors]
    mixed = permutations(names, 2) if known.convex else ()
    for (k, m), (s, t) in product([*zip(names, names), *mixed], known.pairs):
        apart = k == m or not (possible(k, t) and possible(m, s))
        if possible(m, t) and apart:
            for x in possible(k, s):
                yield ((k, m), (s, t), x), possible(m, t)


def value(known: Statement, levels: list[float], x: str, others: list[str]) -> float:
    """The most that a mean over outputs of log P(w | x) / P(w | y) - level has for all others."""
    seen = [(i, w) for i, rows in enumerate(known.rows) for w, p in rows[x].items() if p != 0]
    table = [
        [log(float(known.rows[i][x][w] / known.rows[i][y][w])) - levels[i] for i, w in seen]
        for y in others
        if all(known.rows[i][y][w] != 0 for i, w in seen)  # else an output excludes y
    ]
    if not table:
        return inf
    rows = np.hstack([-np.array(table), np.ones((len(table), 1))])  # v <= the mean
    goal = np.zeros(len(seen) + 1)
    goal[-1] = -1
    spans = [(0, 1)] * len(seen) + [(None, None)]
    sums = np.ones((1, len(seen) + 1))
    sums[0, -1] = 0
    found = linprog(goal, rows, np.zeros(len(table)), sums, [1], spans)
    return float(found.x[-1])


def far(x: float) -> bool:
    """Whether a number is positive; not judged close to 0."""
    if abs(x) < CLOSE:
        raise Unjudged
    return x > 0


def nfc(certificate: Any) -> bool:
    known, claim = opened(certificate), certificate["claim"]
    levels = [*map(nats, claim["levels"])]
    every = [value(known, levels, x, others) for (_, _, x), others in games(known)]
    expect(every and len(levels) == len(known.rows))
    return not far(max(every))


def at_place(known: Statement, claim: Any, levels: list[float]) -> float:
    prior, pair = claim["prior"], tuple(claim["pair"])
    two = tuple(prior) if isinstance(prior, list) else (prior, prior)
    places = dict(games(known))
    expect((two, pair, claim["database"]) in places)
    return value(known, levels, claim["database"], places[two, pair, claim["database"]])


def nfc_violation(certificate: Any) -> bool:
    known, claim = opened(certificate), certificate["claim"]
    expect(len(claim["levels"]) == len(known.rows))
    return far(at_place(known, claim, [*map(nats, claim["levels"])]))


def rate(certificate: Any) -> bool:
    known, claim = opened(certificate), certificate["claim"]
    expect(len(known.rows) == 1)
    most = max(value(known, [0.0], x, others) for (_, _, x), others in games(known))
    low, high = nats(claim["lower"]), nats(claim["upper"])
    if inf in (most, low):
        return most == low or (most == inf == high)
    return not (low > most and far(low - most)) and not (most > high and far(most - high))
