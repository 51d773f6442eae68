"""Classes of Markov chains of two values: members are tried, so that only a false claim is told."""

from copy import deepcopy
from itertools import product
from random import Random
from typing import Any, NamedTuple

import numpy as np
from flint import arb, fmpq
from tests.kernel.slow.numbers import Unjudged, expect, law, number, stationary
from tests.kernel.slow.records import Records, leaks_at_most, shown_by

PARTS = (0, 1, 20, 100, 250, 400, 500, 600, 750, 900, 980, 999, 1000)
SHARES = [fmpq(part, 1000) for part in PARTS]  # of the way from one bound to the other
Matrix = list[list[fmpq]]


def bounds(given: Any, size: int) -> tuple[Matrix, Matrix]:
    """The bounds of a box."""
    names = ["transition"] * 2 if "transition" in given else ["transition_lower", "transition_upper"]
    low, high = ([[number(x) for x in row] for row in given[name]] for name in names)
    expect(len(low) == len(high) == size and all(len(row) == size for row in (*low, *high)))
    expect(all(0 <= x <= y <= 1 for a, b in zip(low, high) for x, y in zip(a, b)))
    expect(all(sum(a, fmpq(0)) <= 1 <= sum(b, fmpq(0)) for a, b in zip(low, high)))
    return low, high


class Member(NamedTuple):
    """A chain: the law of its first record, and P(0, 1) and P(1, 0) for every step."""

    start: Any
    steps: list[tuple[fmpq, fmpq]]

    def prior(self) -> Any:
        first = self.start if isinstance(self.start, str) else [str(x) for x in self.start]
        rows = [[[str(1 - a), str(a)], [str(b), str(1 - b)]] for a, b in self.steps]
        return {"markov": {"initial": first, "transitions": rows}}

    def first(self) -> float:
        """P(X_1 = 1)."""
        a, b = self.steps[0]
        return float(a / (a + b) if self.start == "stationary" else number(self.start[1]))


def members(given: Any, count: int) -> list[Member]:
    """Some chains of a class of two values."""
    size = max(1, count - 1)
    if "eigengap" in given:
        least, most = number(given["pi_min"]), 1 - number(given["eigengap"])
        expect(0 < least <= fmpq(1, 2) and 0 <= most < 1)
        every = product(between(least, 1 - least), between(-most, most))
        both = [(p * (1 - c), (1 - p) * (1 - c)) for p, c in every]
        return [Member("stationary", [(a, b)] * size) for a, b in both if a <= 1 and b <= 1]
    low, high = bounds(given, 2)
    a, b = (between(max(low[x][y], 1 - high[x][x]), min(high[x][y], 1 - low[x][x])) for x, y in ((0, 1), (1, 0)))
    first, every = given["initial"], [*product(a, b)]
    starts = [[1 - s, s] for s in SHARES] if first == "any" else [first]
    if given.get("class") == "time-varying" and count > 2:
        draw = Random(0)
        steps = [draw.choices(every, k=size) for _ in range(1000)]
        return [Member(draw.choice(starts), each) for each in steps]
    if first == "stationary":
        every = [(x, y) for x, y in every if x + y > 0]
    return [Member(start, [each] * size) for start, each in product(starts, every)]


def between(low: fmpq, high: fmpq) -> list[fmpq]:
    return [low] if low == high else [low + (high - low) * share for share in SHARES]


def worst(records: Records, chains: list[Member]) -> list[Member]:
    """The chains under which a pair leaks most, in floats and for one person: one for each pair."""
    every, one = np.array(records.every), [*map(records.released, records.every)]
    shown = np.ones((1, len(one)))
    for axis, noise, column in zip((sorted({*c}) for c in zip(*one)), records.noises, zip(*one)):
        falls = [[float(arb(noise.fall(abs(w - n)))) for n in column] for w in axis]
        shown = (shown[:, None, :] * np.array(falls)[None, :, :]).reshape(-1, len(one))
    first = np.array([each.first() for each in chains])
    steps = np.array([[[float(x) for x in two] for two in each.steps] for each in chains])
    weights = np.where(every[:, :1] == 1, first, 1 - first)  # a row for each sequence
    for t in range(1, records.count):
        leaves = steps[:, t - 1, :].T[every[:, t - 1]]
        weights = weights * np.where((every[:, t - 1] == every[:, t])[:, None], 1 - leaves, leaves)
    found = []
    for s, t in records.pairs:
        (record, v), (_, u) = records.secrets[s], records.secrets[t]
        rows = [every[:, record] == value for value in (v, u)]
        masses = [weights[each].sum(axis=0) for each in rows]
        above, below = (
            shown[:, each] @ weights[each] / np.where(mass > 0, mass, 1) for each, mass in zip(rows, masses)
        )
        ratios = np.where((masses[0] > 0) & (masses[1] > 0), above / np.maximum(below, 1e-300), 0)
        if ratios.max() > 0:
            found.append(chains[int(ratios.max(axis=0).argmax())])
    return found


def class_at_most(certificate: Any) -> bool:
    """No member that is tried exceeds the level. Of a single chain it is judged; else it is not
    told whether no other exceeds it.
    """
    records, single, tried = Records(certificate), True, 0
    expect(len(records.alphabet) == 2)
    for name, prior in records.priors.items():
        chains = members(prior["markov"], records.count)
        single = single and len(chains) == 1
        for chain in worst(records, chains):
            alone = deepcopy(certificate)
            alone["framework"]["priors"] = {name: chain.prior()}
            tried += 1
            if not leaks_at_most(alone):
                return False
    expect(tried)
    if not single:
        raise Unjudged
    return True


def class_more(certificate: Any) -> bool:
    """The chain of a witness is of its class, and exceeds the level."""
    claim, records = certificate["claim"], Records(certificate)
    given, member = records.priors[claim["prior"]]["markov"], claim["member"]
    rows = [law(row, len(records.alphabet)) for row in member["transition"]]
    first = member["initial"]
    start = stationary(rows) if first == "stationary" else law(first, len(rows))
    if given["initial"] == "stationary":
        expect(start == stationary(rows))
    elif given["initial"] != "any":
        expect(start == law(given["initial"], len(rows)))
    if "eigengap" in given:
        expect(len(rows) == 2 and min(start) >= number(given["pi_min"]))
        expect(abs(rows[0][0] + rows[1][1] - 1) <= 1 - number(given["eigengap"]))
    else:
        low, high = bounds(given, len(rows))
        expect(all(x <= y <= z for own in zip(low, rows, high) for x, y, z in zip(*own)))
    return shown_by(records, records.laws({"markov": member}), claim)
