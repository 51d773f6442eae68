"""Recordings from known laws: chains as `fit` assumes them, and kinds that break one assumption."""

import datetime as dt
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

Recording = tuple[list[int], dict[str, Any]]  # values, and arguments of `fit`
START = dt.datetime(2025, 1, 1)


def walk(rows: Sequence[Sequence[float]], length: int, random: Random, first: int) -> list[int]:
    """Return a path of a chain."""
    values = [first]
    while len(values) < length:
        values.append(random.choices(range(len(rows)), rows[values[-1]])[0])
    return values


def two(up: float, down: float) -> list[list[float]]:
    """Return the rows of a chain of 0 and 1."""
    return [[1 - up, up], [down, 1 - down]]


def hours(count: int) -> list[str]:
    """Return times, an hour apart."""
    return [(START + dt.timedelta(hours=k)).isoformat(" ") for k in range(count)]


def true_chain(seed: int) -> Recording:
    """Return what a chain makes: 2 to 5 values, 1 to 40 groups, 20 to 1,500 records each."""
    random = Random(seed)
    size, groups = random.choice([2, 2, 2, 3, 4, 5]), random.choice([1, 1, 1, 2, 5, 20, 40])
    length = random.choice([20, 60, 200, 500, 1500])
    length = min(length, 200) if groups > 5 else length
    rows = []
    for x in range(size):
        weights = [random.gammavariate(1, 1) + 0.05 for _ in range(size)]
        weights[x] += random.choice([0, 0, size, 4 * size])
        rows.append([weight / sum(weights) for weight in weights])
    same = random.random() < 0.3  # all begin alike
    values: list[int] = []
    for _ in range(groups):
        values += walk(rows, length, random, 0 if same else random.randrange(size))
    if groups > 1:
        return values, {"group": [g for g in range(groups) for _ in range(length)]}
    return values, {"time": hours(length)} if random.random() < 0.4 else {}


def _grouped(recordings: Sequence[Sequence[int]]) -> Recording:
    values = [x for recording in recordings for x in recording]
    return values, {"group": [g for g, each in enumerate(recordings) for _ in each]}


def _moved(chance: Callable[[int, int], float], length: int, random: Random) -> list[int]:
    values = [0]
    while len(values) < length:
        x, t = values[-1], len(values) - 1
        values.append(x ^ (random.random() < chance(x, t)))
    return values


def day(random: Random) -> Recording:
    """Day and night, of 60 days."""

    def chance(x: int, t: int) -> float:
        return (0.4, 0.05)[x] if 8 <= t % 24 < 20 else (0.02, 0.5)[x]

    return _moved(chance, 24 * 60, random), {}


def night(random: Random) -> Recording:
    """Nothing changes at night, everything by day: a month of hours, with times."""
    values = _moved(lambda x, t: 0.5 if 8 <= t % 24 < 20 else 0.02, 24 * 30, random)
    return values, {"time": hours(len(values))}


def weekend(random: Random) -> Recording:
    """Independent days, and other weekends."""
    return [int(random.random() < (0.8 if t % 7 > 4 else 0.2)) for t in range(365)], {}


def seventeen(random: Random) -> Recording:
    """A period that nobody would guess."""
    return [int(random.random() < (0.8 if t % 17 < 6 else 0.2)) for t in range(1200)], {}


def drift(random: Random) -> Recording:
    """Changes become rare."""
    return _moved(lambda x, t: 0.5 - 0.48 * t / 1500, 1500, random), {}


def stopped(random: Random) -> Recording:
    """Each person is recorded until the third 1."""
    recordings = []
    for _ in range(80):
        values = [0]
        while sum(values) < 3:
            values.append(int(random.random() < (0.1, 0.6)[values[-1]]))
        recordings.append(values)
    return _grouped(recordings)


def closed(random: Random) -> Recording:
    """An event log: 200 cases end with "closed" (2), which seldom occurs before."""
    recordings = []
    for _ in range(200):
        values = [0]
        while values[-1] != 2 or (len(values) < 8 and random.random() < 0.05):
            values.append(random.choices(range(3), [(1, 5, 1), (2, 3, 2), (3, 1, 0)][values[-1]])[0])
        recordings.append(values)
    return _grouped(recordings)


def copies(random: Random) -> Recording:
    """Ten members of a household, with 2 % of differences."""
    base = walk(two(0.1, 0.2), 150, random, 0)
    return _grouped([[x ^ (random.random() < 0.02) for x in base] for _ in range(10)])


def pair(random: Random) -> Recording:
    """Two of thirty people are nearly the same."""
    given = [walk(two(0.1, 0.2), 150, random, 0) for _ in range(30)]
    given[7] = [x ^ (random.random() < 0.02) for x in given[3]]
    return _grouped(given)


def together(random: Random) -> Recording:
    """Forty people who follow a common weather a little."""
    sky = walk(two(0.3, 0.3), 100, random, 0)
    return _grouped([_moved(lambda x, t: 0.3 if x != sky[t] else 0.15, 100, random) for _ in range(40)])


MISFITS = {
    "season": (day, night, weekend, seventeen),
    "trend": (drift,),
    "ends": (stopped, closed),
    "copies": (copies, pair, together),
}
