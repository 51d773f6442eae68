"""Do the bets of a run again: python3 -I -S check.py      (Python 3.11 or later, nothing else)

The coins are made again from their secret and a hash of the bets: bets that were changed have other
coins. Every draw must have the secret that its coin shows. What was seen of the event is counted
again. Then the bets are made, in fractions that are rounded against them. They are accepted if they
have made 1 / risk of 1. You trust Python, that nobody knew the coins during the run, and that
draws.jsonl has the outputs.
"""

import hashlib
import json
import os
import sys
from bisect import bisect_right
from fractions import Fraction
from math import ceil, factorial, floor, inf, isqrt
from typing import Any

_PI = 31415926535897932384626433832795028841971  # its first digits
_ROOTS = [Fraction(isqrt(2 * (_PI + k) * 10**40) + k, 10**40) for k in (0, 1)]  # of 2 pi
_TINY, _ONE = Fraction(1, 10**32), 1 << 256  # Phi(-12) < _TINY
Known = dict[str, Any]


class Refused(Exception):  # noqa: N818
    """The evidence is not what it says; the text is the reason."""


def expect(fact: bool, reason: str) -> None:
    """Refuse unless a fact holds."""
    if not fact:
        raise Refused(reason)


def exponential(x: Fraction) -> tuple[Fraction, Fraction]:
    """Enclose e^x: a Taylor sum of |x| / 2^n < 1, squared n times."""
    n = ceil(abs(x)).bit_length()
    terms = [Fraction(1)]
    for k in range(1, 70):
        terms.append(terms[-1] * abs(x) / 2**n / k)
    low, high = sum(terms, Fraction(0)), sum(terms, 2 * terms[-1])
    for _ in range(n):
        low = Fraction(floor(low**2 * _ONE), _ONE)
        high = Fraction(ceil(high**2 * _ONE), _ONE)
    return (low, high) if x >= 0 else (1 / high, 1 / low)


def normal(x: Fraction, above: bool) -> Fraction:
    """Bound Phi(x) from above or below: its series alternates, and falls once 2 k > x^2."""
    if x > 12:
        return Fraction(1) if above else 1 - _TINY
    if x < -12:
        return _TINY if above else Fraction(0)
    x = Fraction(ceil(x * 2**100) if above else floor(x * 2**100), 2**100)
    term, total, k = x, Fraction(0), 0
    while abs(term) > _TINY**2 or 2 * k <= x * x:
        total += term / (2 * k + 1)
        k += 1
        term *= -x * x / (2 * k)
    total += abs(term) if above else -abs(term)
    return Fraction(1, 2) + (max if above else min)(total / root for root in _ROOTS)


def tangent(said: Known, place: list[Fraction]) -> tuple[Fraction, Fraction]:
    """Return R and d with P(E | s) <= R P(E | s') + d for every event E, if the value is true."""
    value = Fraction(said["value"])
    if said["kind"] == "delta":
        level = said["level"]
        ratio = level.get("ratio")
        return Fraction(ratio) if ratio else exponential(Fraction(level["nats"]))[1], value
    if said["kind"] == "gdp":
        low, high = exponential(place[0])
        if not value:
            return high, max(Fraction(0), 1 - high)
        x = place[0] / value
        below = normal(-value / 2 - x, above=False)
        return high, max(Fraction(0), normal(value / 2 - x, above=True) - low * below)
    alpha, u, v = place  # zcdp: e^(alpha (alpha - 1) rho) >= p^alpha q^(1 - alpha) + ..
    order = int(16 * alpha)
    expect(order == 16 * alpha and alpha > 1 and u > v > 0, "a place is none")
    r, s = u ** (order - 16), v ** (order - 16)
    scale = alpha * (r - s)
    slack = exponential(alpha * (alpha - 1) * value)[1] - alpha * s + (alpha - 1) * v**order
    rate = (alpha - 1) * (u**order - v**order) / scale
    return rate, min(Fraction(1), slack / scale)  # p - R q is never more than 1


def power(base: Fraction, n: int) -> tuple[int, int]:
    """Return a mantissa and an exponent of 2 of at most base^n."""
    made, square = (1, 0), cut(floor(base * _ONE), -256)
    while n:
        made = cut(made[0] * square[0], made[1] + square[1]) if n & 1 else made
        square, n = cut(square[0] ** 2, 2 * square[1]), n >> 1
    return made


def cut(mantissa: int, exponent: int) -> tuple[int, int]:
    """Round a number down to 256 bits."""
    more = max(0, mantissa.bit_length() - 256)
    return mantissa >> more, exponent + more


def wealth(said: Known, counts: list[int]) -> Fraction:
    """Return at most what the bets have made of 1."""
    if said["kind"] == "leakage":
        prior = said["chosen"]["expected"][said["event"]]
        return wealth_on_coins(Fraction(said["value"]), counts[0], counts[2], prior)
    total = parts = Fraction(0)
    for bet in said["chosen"]["bets"][said["event"]]:
        part, x, y = (Fraction(bet[name]) for name in ("part", "stake", "tilt"))
        rate, slack = tangent(said, list(map(Fraction, bet["place"])))
        spent, parts = 1 - x * slack, parts + part
        # on average 1 + x (P(E | s) - rate P(E | s') - slack), which is at most 1
        factors = spent + 2 * x + y, spent + y, spent - 2 * x * rate - y, spent - y
        expect(part > 0 and x > 0, "a bet has no part or no stake")
        made = cut(floor(part * _ONE), -256)
        if min(factors) > 0:
            for factor, count in zip(factors, counts):
                more = power(factor, count)
                made = cut(made[0] * more[0], made[1] + more[1])
            total += Fraction(made[0]) * Fraction(2) ** made[1]
    expect(parts <= 1, "bets have more than 1 together")
    return total


def wealth_on_coins(ratio: Fraction, a: int, b: int, prior: list[int]) -> Fraction:
    """Return at most the mean of (q / rho)^a ((1 - q) / (1 - rho))^b over q >= rho, where q is half
    Beta(1, 1) and half Beta(A, B), and rho = R / (1 + R): a sum of a + A terms.
    """
    total, one = Fraction(0), 1 << 8192
    for first, second in {(1, 1), (prior[0], prior[1])}:
        expect(first >= 1 and second >= 1, "a prior has no positive integers")
        ways = Fraction(factorial(first + second - 1), factorial(first - 1) * factorial(second - 1))
        begin = ways * ratio ** (first - 1) / (1 + ratio) ** (first + second - 1) / (b + second)
        term, made = floor(begin * one), 0
        for k in range(1, a + first + 1):
            made += term
            term *= (a + first - k) * ratio.denominator
            term //= (b + second + k) * ratio.numerator
        total += Fraction(made, one)
    return total / len({(1, 1), (prior[0], prior[1])})


def happened(event: Known, output: Any) -> bool:
    """Whether an event came."""
    if "outputs" in event:
        return (output in event["outputs"]) != ("complement" in event)
    value = number(event["number"], output)
    ends = [(float(low), float(high)) for low, high in event["intervals"]]
    return any(low <= value < high or value == high == inf for low, high in ends)


def number(feature: Any, output: Any) -> Any:
    """Return the number of an output that an event is about."""
    if feature == "output":
        return float(output)
    if isinstance(feature, list):
        score = 0.0
        for table in feature:
            cell = bisect_right(list(map(float, table["cuts"])), number(table, output))
            score += table["weights"][cell]
        return score
    if feature in ("largest", "smallest"):
        return max(output) if feature == "largest" else min(output)
    if feature == "place of the largest":
        return output.index(max(output)) + 1
    if feature == "sum":
        terms = [(place, 1.0) for place in range(1, len(output) + 1)]
    elif isinstance(feature, str):
        terms = [(int(feature.split()[1]), 1.0)]
    else:
        form = [[feature["coordinate"], 1]] if "coordinate" in feature else feature["form"]
        terms = [(place, float(factor)) for place, factor in form]
    total = output[terms[0][0] - 1] * terms[0][1]
    for place, factor in terms[1:]:
        total += output[place - 1] * factor
    return total if total == total else 0.0


def counted(said: Known, lines: list[str]) -> list[int]:
    """Return how often s came with the event, s without, s' with, s' without, of the calls until
    the bets were best. Refuses draws that are not those of the coins.
    """
    counts, best, shown = [0] * 4, sum(said["calls"]), dict[int, list[int]]()
    event = said["chosen"]["events"][said["event"]]
    for place, line in enumerate(lines, 1):
        index, block, side, database, output = json.loads(line)
        expect(index == place, f"draw {place} is draw {index}")
        known = said["databases"]
        expect(known is None or database in known[side], f"draw {place} has another database")
        shown.setdefault(block, []).append(side)
        if place <= best:
            counts[2 * side + (not happened(event, output))] += 1
    expect(
        list(shown) == sorted(shown) and best <= len(lines) == said["draws"], "draws are missing"
    )
    bets = hashlib.sha256(json.dumps(said["chosen"], sort_keys=True).encode()).hexdigest()
    for block, sides in shown.items():
        source = f"{bets}:{said['secret']}:1,{block}".encode()
        drawn = hashlib.shake_256(source).digest(-(-len(sides) // 8))
        coins = [1 - (drawn[k // 8] >> 7 - k % 8 & 1) for k in range(len(sides))]
        same = sides == coins if said["ordered"] else sum(sides) == sum(coins)
        expect(same, f"block {block} has other secrets than its coins, or the bets were changed")
    return counts


def read(folder: str, name: str) -> bytes:
    """Return a file."""
    with open(os.path.join(folder, name), "rb") as file:
        return file.read()


def answer(folder: str) -> str:
    """Return what is shown. Refuses evidence that does not show it."""
    files = {each: read(folder, each) for each in os.listdir(folder) if each != "__pycache__"}
    said = json.loads(files["evidence.json"])
    for name, known in said["files"].items():
        found = hashlib.sha256(files[name]).hexdigest()
        expect(found == known, f"{name} was changed")
    counts = counted(said, files["draws.jsonl"].decode().splitlines())
    seen = [counts[0], counts[2]], [counts[0] + counts[1], counts[2] + counts[3]]
    expect(
        seen == (said["seen"], said["calls"]), f"the event was seen {seen[0]} times of {seen[1]}"
    )
    chosen = said["chosen"]
    asked = {"kind": said["kind"], "level": said["level"] if said["kind"] == "delta" else None}
    expect(chosen["asked"] == asked, "the bets are against something else")
    goal = len(chosen["events"]) / (1 - Fraction(chosen["confidence"]))
    made, value = wealth(said, counts), Fraction(said["value"])
    expect(made >= goal, f"the bets have made {float(made):.6g}, not {float(goal):.6g}")
    text = f"{said['says']}: bets made {float(made):.6g} of 1, at least {float(goal):.6g}"
    if said["violates"] and said["kind"] == "leakage":
        level = said["level"]
        least = (
            Fraction(level["ratio"])
            if "ratio" in level
            else exponential(Fraction(level["nats"]))[1]
        )
        expect(value > least, "the level is not violated")
    elif said["violates"]:
        expect(value >= Fraction(said["claimed"]), "what is claimed is not violated")
    return text


def main() -> int:
    """Check the folder of this program."""
    try:
        print(f"accepted: {answer(os.path.dirname(os.path.abspath(__file__)))}")
    except (Refused, OSError, ValueError, LookupError, TypeError, ArithmeticError) as refusal:
        print(f"refused: {refusal}")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
