"""Whether a certificate of rates with a changed number is true, by a computation in floats."""

import math
from fractions import Fraction
from typing import Any

from tests.kernel.changes import Change


def holds(change: Change) -> bool:
    return still_true(change.certificate, change.place)


def still_true(certificate: Any, place: tuple[Any, ...]) -> bool:
    """Say, by a computation of its own in floats, whether a changed claim is true with some
    room to spare.
    """
    kind, claim = certificate["kind"], certificate["claim"]
    channels = [
        {x: [float(Fraction(str(n))) for n in row] for x, row in m["channel"].items()}
        for m in certificate["mechanisms"]
    ]

    def level(value: Any) -> float:
        if value == "inf":
            return math.inf
        return math.log(Fraction(str(value["log"]))) if "log" in value else float(Fraction(str(value["nats"])))

    levels = [level(claim["upper"])] if kind == "rate" else [level(value) for value in claim["levels"]]
    for entry in claim.get("betas", []):
        for bound, rows in zip(levels, channels):
            for w, p in enumerate(rows[entry["database"]]):
                means = sum(float(Fraction(str(n))) * math.log(rows[y][w]) for y, n in entry["beta"].items() if p)
                if p and math.log(p) > bound + means + 1e-12:
                    return False
    if kind == "nfc":
        return True
    x, others = claim["database"], certificate["framework"]["secrets"][claim["pair"][1]]
    bounds = [level(claim["lower"])] if kind == "rate" else levels
    for y in others:
        total = 0.0
        for bound, part, rows, m in zip(bounds, claim["alpha"], channels, certificate["mechanisms"]):
            for output, n in part.items():
                w = m["outputs"].index(output)
                ratio = math.log(rows[x][w] / rows[y][w]) if rows[y][w] else math.inf
                total += float(Fraction(str(n))) * (ratio - bound)
        if total < -1e-12:
            return False
    return True
