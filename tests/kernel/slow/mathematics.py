"""Pure mathematics and linear programs: counterexamples are looked for, so that mostly only a false
claim is told.
"""

from itertools import product
from math import prod
from typing import Any

from flint import arb, fmpq
from scipy.optimize import linprog
from tests.kernel.slow.numbers import Unjudged, decided, expect, integer, more, number, sign

GRID = [fmpq(n, 2) for n in (-6, -3, -2, -1, 0, 1, 2, 3, 4, 7)]
CLOSE = 1e-6


def polynomials(certificate: Any) -> bool:
    """No point of a grid has all assumptions without the conclusion."""
    claim = certificate["claim"]
    polynomials_ = [*claim["assumptions"], *([claim["conclusion"]] if claim["conclusion"] else [])]
    powers = [integer(n) for each in polynomials_ for _, own in each["polynomial"] for n in own]
    if len(claim["variables"]) > 3 or max(powers, default=0) > 40:
        raise Unjudged
    few = GRID if len(claim["variables"]) < 3 else GRID[1::2]
    for point in product(few, repeat=len(claim["variables"])):
        if all(holds(each, point) for each in claim["assumptions"]) and not (
            claim["conclusion"] and holds(claim["conclusion"], point)
        ):
            return False
    raise Unjudged


def holds(relation: Any, point: tuple[fmpq, ...]) -> bool:
    value = fmpq(0)
    for c, powers in relation["polynomial"]:
        value += number(c) * prod((x ** integer(n) for x, n in zip(point, powers)), start=fmpq(1))
    return sign(value) in {">=": (0, 1), ">": (1,), "=": (0,)}[relation["relation"]]


def enclosure(certificate: Any) -> bool:
    """Bounds of an exponential or of a logarithm."""
    claim = certificate["claim"]
    expect(("exponent" in claim) != ("log_of" in claim))
    given = number(claim["exponent" if "exponent" in claim else "log_of"])
    expect("exponent" in claim or given > 0)
    exact = fmpq(1) if "exponent" in claim and given == 0 else None
    exact = fmpq(0) if "log_of" in claim and given == 1 else exact

    def inside() -> bool | None:
        value = exact
        if value is None:
            value = arb(given).exp() if "exponent" in claim else arb(given).log()
        low, high = claim["lower"], claim["upper"]
        found = [more(sign(number(low) - value))] if low is not None else []
        found += [more(sign(value - number(high)))] if high is not None else []
        return False if True in found else None if None in found else True

    return decided(inside)


def farkas(certificate: Any) -> bool:
    """No point within the rows is outside the conclusion; one is looked for in floats."""
    claim = certificate["claim"]
    rows = [([number(x) for x in a], number(b), relation) for a, b, relation in claim["rows"]]
    goal = claim["conclusion"]
    if not claim["variables"]:
        raise Unjudged
    row = [number(x) for x in goal["row"]] if goal else [fmpq(0)] * len(claim["variables"])
    limits = [(a, b) for a, b, relation in rows if relation != "="]
    equal = [(a, b) for a, b, relation in rows if relation == "="]
    found = linprog([-float(x) for x in row], *floats(limits), *floats(equal), bounds=[(-1e6, 1e6)] * len(row))
    if found.status != 0:
        raise Unjudged
    point = [fmpq(round(float(x) * 2**20), 2**20) for x in found.x]
    signs = [sign(dot(a, point) - b) for a, b, _ in rows]
    kept = {"<=": (-1, 0), "<": (-1,), "=": (0,)}
    if all(s in kept[relation] for s, (_, _, relation) in zip(signs, rows)):
        if not goal:
            return False
        if sign(dot(row, point) - number(goal["bound"])) not in kept[goal["relation"]]:
            return False
    raise Unjudged


def floats(rows: list[tuple[list[fmpq], fmpq]]) -> tuple[Any, Any]:
    if not rows:
        return None, None
    return [[float(x) for x in a] for a, _ in rows], [float(b) for _, b in rows]


def dot(row: list[fmpq], point: list[fmpq]) -> fmpq:
    return sum((a * x for a, x in zip(row, point)), fmpq(0))


def program(certificate: Any) -> bool:
    """The optimum of a linear program, in floats: only what is far from the claim is told."""
    claim, names = certificate["claim"], certificate["claim"]["variables"]
    limits, equal = list[tuple[list[fmpq], fmpq]](), list[tuple[list[fmpq], fmpq]]()
    for each in claim["rows"]:
        row, bound = coefficients(each["coefficients"], names), number(each["bound"])
        turned = each["relation"] == ">="
        to = equal if each["relation"] == "=" else limits
        to.append(([-x for x in row], -bound) if turned else (row, bound))
    goal = coefficients(claim["objective"], names)
    spans = [(None, None) if name in claim["free"] else (0, None) for name in names]
    found = linprog([-float(x) for x in goal], *floats(limits), *floats(equal), bounds=spans)
    if found.status in (2, 3):  # infeasible, unbounded
        return False
    value = float(number(claim["value"]))
    if found.status == 0 and abs(-found.fun - value) > CLOSE * max(1, abs(value)):
        return False
    raise Unjudged


def coefficients(given: Any, names: list[str]) -> list[fmpq]:
    expect(given.keys() <= {*names} and len({*names}) == len(names))
    return [number(given.get(name, 0)) for name in names]
