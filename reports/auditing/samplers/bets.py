"""Make the bets of a run again: python3 -I -S check.py      (Python 3.11 or later, nothing else)

You trust Python, that nobody knew the coins during the run, and that draws.jsonl has its outputs.
Decimals have 200 digits, and their exp, ln and sums round correctly: all errors are below TINY.
"""

import hashlib
import json
import os
import sys
from bisect import bisect_right
from decimal import MAX_EMAX, MIN_EMIN, ROUND_FLOOR, Context, Decimal, setcontext
from fractions import Fraction
from functools import reduce
from math import comb, inf
from operator import add
from pathlib import Path
from typing import Any

DIGITS = Context(prec=200, Emax=MAX_EMAX, Emin=MIN_EMIN)
TINY = Fraction(1, 10**60)
ROOT = Decimal("2.506628274631000502415765284811045253006986740609938316629923576342293655")  # of 2 pi
NAMES = {"leakage": "leakage at least {:f} nats", "delta": "delta at least {:f}"}
NAMES |= {"zcdp": "rho at least {:f}", "gdp": "mu at least {:f}"}
NUMBERS: Any = {"output": float, "largest": max, "smallest": min, "sum": lambda y: reduce(add, y)}
NUMBERS["place of the largest"] = lambda y: y.index(max(y)) + 1


def expect(fact: bool, reason: str) -> None:
    """Refuse unless a fact holds."""
    if not fact:
        raise ValueError(reason)


def decimal(x: Fraction) -> Decimal:
    """Return a fraction to 200 digits."""
    return Decimal(x.numerator) / x.denominator


def above(level: Any) -> Fraction:
    """Return e to the power of a level, or slightly more."""
    if "ratio" in level:
        return Fraction(level["ratio"])
    return Fraction(decimal(Fraction(level["nats"])).exp()) * (1 + TINY)


def normal(x: Fraction) -> Fraction:
    """Return Phi(x): its series alternates, and falls once 2 k > x^2."""
    start = term = total = decimal(max(Fraction(-20), min(x, Fraction(20))))
    k = 0
    while abs(term) > Decimal("1e-99") or 2 * k <= start * start:
        k += 1
        term *= -start * start / (2 * k)
        total += term / (2 * k + 1)
    return Fraction(1, 2) + Fraction(total / ROOT)


def tangent(asked: Any, value: Fraction, place: list[Fraction]) -> tuple[Fraction, Fraction]:
    """Return R and d with P(E | s) <= R P(E | s') + d for every event E, if the value is true."""
    if asked["kind"] == "delta":
        return above(asked["level"]), value
    if asked["kind"] == "gdp":
        rate, x = above({"nats": place[0]}), place[0] / value
        slack = normal(value / 2 - x) - rate * normal(-value / 2 - x) + 4 * TINY * (1 + rate)
        return rate, max(Fraction(0), slack)
    # e^(a (a - 1) rho) >= p^a q^(1 - a) + .. without E: convex, so at least its tangents
    a, u, v = place
    n, power = int(16 * a), a * (a - 1) * value
    expect(n == 16 * a > 16 and u > v > 0, "a place is none")
    scale, (r, s) = a * (u ** (n - 16) - v ** (n - 16)), (v ** (n - 16), v**n)
    slack = (above({"nats": min(power, Fraction(600))}) - a * r + (a - 1) * s) / scale
    return (a - 1) * (u**n - s) / scale, slack if power < 600 else Fraction(1)


def wealth(fixed: Any, event: int, value: Fraction, counts: list[int]) -> Fraction:
    """Return what the bets have made of 1 by calls with E of s, without, with E of s', without."""
    made = parts = Fraction(0)
    for bet in fixed["bets"][event] if fixed["bets"] else ():
        part, x, y = (Fraction(bet[name]) for name in ("part", "stake", "tilt"))
        rate, d = tangent(fixed["asked"], value, list(map(Fraction, bet["place"])))
        # on average 1 + x (P(E | s) - rate P(E | s') - d), which is at most 1
        factors = [1 + x * (2 - d) + y, 1 - x * d + y, 1 - x * (2 * rate + d) - y, 1 - x * d - y]
        expect(part > 0 and x > 0, "a bet has no part or no stake")
        if min(factors) > 0:
            logs = [n * decimal(factor).ln() for n, factor in zip(counts, factors)]
            made += part * Fraction(sum(logs, Decimal(0)).exp())
        parts += part
    expect(parts <= 1, "bets have more than 1 together")
    if fixed["asked"]["kind"] != "leakage":
        return made
    # the mean of (q / rho)^a ((1 - q) / (1 - rho))^b over q >= rho = R / (1 + R), where q is half
    # Beta(1, 1) and half Beta(A, B): a sum of a + A terms
    (a, _, b, _), r, total = counts, decimal(value), Decimal(0)
    for first, second in ([1, 1], fixed["expected"][event]):
        expect(first >= 1 and second >= 1, "a prior has no positive integers")
        term = Decimal(first * comb(first + second - 1, first)).ln() + (first - 1) * r.ln()
        term = (term - (first + second - 1) * (1 + r).ln()).exp() / (b + second)
        for k in range(1, a + first + 1):
            total += term
            term *= (a + first - k) / ((b + second + k) * r)
    return Fraction(total) / 2


def number(feature: Any, y: Any) -> Any:
    """Return the number of an output that an event is about."""
    if isinstance(feature, list):  # a score: of every form the weight of the cell that it is in
        cells = [bisect_right(t["cuts"], number(t, y), key=float) for t in feature]
        return reduce(add, [t["weights"][cell] for t, cell in zip(feature, cells)], 0.0)
    if isinstance(feature, dict):
        x = reduce(add, [y[place - 1] * float(factor) for place, factor in feature["form"]])
    else:
        x = NUMBERS[feature](y) if feature in NUMBERS else y[int(feature.split()[1]) - 1]
    return x if x == x else 0.0


def happened(event: Any, y: Any) -> bool:
    """Whether an output has an event."""
    if "outputs" in event:
        return (y in event["outputs"]) != ("complement" in event)
    x, ends = number(event["number"], y), [list(map(float, each)) for each in event["intervals"]]
    return any(low <= x < high or x == high == inf for low, high in ends)


def sentence(known: Any) -> str:
    """Say what is shown, and whether it violates a level or what was claimed."""
    fixed, value, claimed = known["fixed"], Fraction(known["value"]), known["claimed"]
    kind, level = fixed["asked"]["kind"], fixed["asked"]["level"]
    if kind == "leakage":
        bound, violated = decimal(value).ln(), bool(claimed) and value > above(claimed)
    else:
        bound, violated = decimal(value), value >= Fraction(claimed["value"])
    low = Context(prec=6, rounding=ROUND_FLOOR).plus(bound - decimal(TINY))
    text = NAMES[kind].format(low) + (f" at level {words(level)}" if level else "")
    pair, prior = " and ".join(map(json.dumps, fixed["pair"])), json.dumps(fixed["prior"])
    text += f", between {pair}, prior {prior}, with confidence {Fraction(fixed['confidence'])}"
    return text + (f"; VIOLATES {words(claimed)}" if violated else "")


def words(level: Any) -> str:
    """Return a level or a claimed number in words."""
    ((name, number),) = level.items()
    return f"log({Fraction(number)})" if name == "ratio" else str(Fraction(number))


def answer(folder: str) -> str:
    """Return what is shown. Raises `ValueError` and others unless the files show it."""
    files = {name: Path(folder, name).read_bytes() for name in os.listdir(folder)}
    known = json.loads(files.pop("evidence.json"))
    fixed, event, value = known["fixed"], known["event"], Fraction(known["value"])
    listed = known["files"] | fixed["files"]
    for name in sorted({*files, *listed}):
        same = name in files and hashlib.sha256(files[name]).hexdigest() == listed.get(name)
        expect(same, f"{name!r} was changed, added or removed")
    bets = hashlib.sha256(json.dumps(fixed, sort_keys=True).encode()).hexdigest()
    held, counts, bits = [set(each) for each in fixed["databases"] or ()], [0] * 4, 0
    for place, line in enumerate(files["draws.jsonl"].splitlines()):
        coin, database, output = json.loads(line)
        if place % 512 == 0:  # the coins are bits of hashes
            text = f"{bets}:{known['secret']}:{place // 512}"
            bits = int.from_bytes(hashlib.sha512(text.encode()).digest(), "little")
        why = f"call {place + 1} has another coin: calls or bets were changed"
        expect(coin == bits >> place % 512 & 1, why)
        expect(not held or database in held[1 - coin], f"call {place + 1} has another database")
        if place < known["best"]:  # calls until the bets had made most
            counts[2 * (1 - coin) + (not happened(fixed["events"][event], output))] += 1
    expect(sum(counts) == known["best"], "calls were removed")
    sure, kind = Fraction(fixed["confidence"]), fixed["asked"]["kind"]
    expect(0 < sure < 1 and value > (kind == "leakage"), "nothing is shown")
    made, goal = wealth(fixed, event, value, counts), len(fixed["events"]) / (1 - sure)
    reached = f"the bets have made {float(made):.6g} of 1, at least {float(goal):.6g}"
    expect(made >= goal * (1 + TINY), f"{reached} were needed")
    expect(f"\n{sentence(known)}\n" in files["README.txt"].decode(), "README.txt says otherwise")
    seen = f"seen {counts[0]} of {sum(counts[:2])} and {counts[2]} of {sum(counts[2:])} times"
    return f"{sentence(known)}; {seen}; {reached}"


if __name__ == "__main__":
    setcontext(DIGITS)
    try:
        folder = sys.argv[1] if sys.argv[1:] else os.path.dirname(os.path.abspath(__file__))
        print("accepted:", answer(folder))
    except (ValueError, OSError, LookupError, TypeError, AttributeError, ArithmeticError) as error:
        print("refused:", error if type(error) is ValueError else repr(error))
        sys.exit(1)
