"""Joint releases and NfC constraints written as slowly and plainly as possible, on rows P(w |
database).
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import product

from pufferproof import Channel, Framework

Rows = Mapping[str, Sequence[Fraction]]


def rows_of(channel: Channel) -> dict[str, list[Fraction]]:
    return {x: [channel.probability(x, w) for w in channel.outputs] for x in channel.databases}


def law(framework: Framework, secret: str, prior: str = "theta") -> dict[str, Fraction]:
    weights = framework.laws[prior].weights
    held = framework.secrets[secret]
    total = sum(weights[i] for i in held)
    return {framework.databases[i]: Fraction(weights[i], total) for i in held if weights[i]}


def joint_ratio(mu: Mapping[str, Fraction], nu: Mapping[str, Fraction], releases: Sequence[Rows]) -> Fraction | None:
    """The largest P(w_1 .. w_k | s) / P(w_1 .. w_k | t) over all sequences of outputs, None for
    infinite.
    """
    best = Fraction(0)
    for outputs in product(*(range(len(next(iter(rows.values())))) for rows in releases)):
        above, below = Fraction(0), Fraction(0)
        for x, p in mu.items():
            for rows, w in zip(releases, outputs):
                p *= rows[x][w]
            above += p
        for x, p in nu.items():
            for rows, w in zip(releases, outputs):
                p *= rows[x][w]
            below += p
        if above and not below:
            return None
        if below:
            best = max(best, above / below)
    return best


def constraint_holds(rows: Rows, database: str, beta: Mapping[str, Fraction], ratio: Fraction) -> bool:
    """M(D)(w)^n <= E^n prod M(D_l)(w)^(n beta_l) for every w, n a common denominator and 0^0 =
    1.
    """
    n = 1
    for weight in beta.values():
        n *= weight.denominator
    for w, left in enumerate(rows[database]):
        right = ratio**n
        for x, weight in beta.items():
            if weight > 0:
                right *= rows[x][w] ** int(weight * n)
        if left**n > right:
            return False
    return True


def grid(labels: Sequence[str], steps: int):
    """All weights on the labels in multiples of 1/steps."""
    for parts in product(range(steps + 1), repeat=len(labels)):
        if sum(parts) == steps:
            yield {x: Fraction(part, steps) for x, part in zip(labels, parts)}
