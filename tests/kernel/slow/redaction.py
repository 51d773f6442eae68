"""What a redaction of a short binary chain says about one record, by enumeration."""

from itertools import pairwise, product
from math import prod
from typing import Any

from flint import fmpq
from tests.kernel.slow.numbers import Level, Unjudged, decided, expect, integer, law, number

RECORDS = 6  # of a chain whose sequences and outputs are enumerated
Pair = tuple[fmpq, fmpq]  # of an output, given 0 and given 1


def sequences(chain: Any) -> dict[str, fmpq]:
    """The law of all sequences of values."""
    alpha, beta, length = number(chain["alpha"]), number(chain["beta"]), integer(chain["length"])
    if length > RECORDS:
        raise Unjudged
    expect(0 < alpha < 1 and 0 < beta < 1 and length > 0)
    steps = {"00": 1 - alpha, "01": alpha, "10": beta, "11": 1 - beta}
    one = alpha / (alpha + beta)
    stays = chain["initial"] == "stationary"
    start = [1 - one, one] if stays else law(chain["initial"], 2)
    words = ("".join(each) for each in product("01", repeat=length))
    return {
        x: start[int(x[0])] * prod((steps[a + b] for a, b in pairwise(x)), start=fmpq(1))
        for x in words
    }


def likelihoods(certificate: Any) -> dict[str, Pair]:
    """P(output | 0) and P(output | 1) of the private record, for all outputs."""
    weights, private = sequences(certificate["chain"]), integer(certificate["private"])
    rows = [
        (number(zero), number(one))
        for count, zero, one in certificate["redaction"]
        for _ in range(integer(count))
    ]
    length = len(next(iter(weights)))
    expect(len(rows) == length >= private > 0)
    expect(all(0 <= r <= 1 for row in rows for r in row))
    masses = [sum((p for x, p in weights.items() if x[private - 1] == v), fmpq(0)) for v in "01"]
    expect(min(masses) > 0)
    found: dict[str, list[fmpq]] = {}
    for x, p in weights.items():
        hidden = [row[int(value)] for row, value in zip(rows, x)]
        for stars in product((True, False), repeat=length):
            shown = prod((r if star else 1 - r for r, star in zip(hidden, stars)), start=fmpq(1))
            if shown != 0:
                name = "".join("*" if star else value for value, star in zip(x, stars))
                value = int(x[private - 1])
                found.setdefault(name, [fmpq(0), fmpq(0)])[value] += p * shown / masses[value]
    return {name: (a, b) for name, (a, b) in found.items() if a != 0 or b != 0}


def leakage(certificate: Any) -> bool:
    """The leakage, or the ratio of one output, stands in a relation to a level."""
    claim, every = certificate["claim"], likelihoods(certificate)
    relation, output = claim["relation"], claim["output"]
    expect(relation in ("<=", "=", ">=", ">") and (output is None or output in every))
    expect(output is None or relation != "<=")
    asked = [every[output]] if output is not None else [*every.values()]
    if claim["level"] == "inf":
        expect(relation in ("=", ">="))
        return any(a == 0 or b == 0 for a, b in asked)
    level = Level(claim["level"])

    def signs(pairs: list[Pair]) -> int | None:
        """The sign of the largest ratio, either way round, less R."""
        found = [level.sign(x, y) for a, b in pairs for x, y in ((a, b), (b, a))]
        return 1 if 1 in found else None if None in found else max(found)

    def holds() -> bool | None:
        most, shown = signs([*every.values()]), signs(asked)
        if None in (most, shown):
            return None
        above = {"<=": True, "=": shown >= 0, ">=": shown >= 0, ">": shown > 0}[relation]
        return above and (relation in (">=", ">") or most <= 0)

    return decided(holds)
