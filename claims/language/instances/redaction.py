"""Stationary chains of bits and local redaction by their definitions: laws are listed, every output
of a mechanism is summed over all sequences.

A chain is a pair a, b of the probabilities of 1 after 0 and of 0 after 1; a mechanism is a list of
rows r_t, the probabilities that each value of record t is replaced by *. Records and distances
count from 1, a ratio stands for e^level, None is infinite. Sums are of integers: probabilities are
multiplied by a common denominator first.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from itertools import permutations
from math import lcm

from pufferproof.claims.language.instances.chains import Path, sequences
from pufferproof.claims.language.instances.frameworks import Rows
from pufferproof.claims.language.instances.laws import HALF, ONE, ZERO, Law, entries
from pufferproof.claims.language.statements.draws import Draws
from pufferproof.claims.language.statements.rationals import Fraction, listed

Bits = tuple[Fraction, Fraction]
Output = tuple[int, ...]
Chances = Sequence[Sequence[tuple[int, int]]]
STAR = -1
HIDDEN, SHOWN = [ONE, ONE], [ZERO, ZERO]
SHARES = [Fraction(each) for each in ("1/2", "1/4", "1/8", "1/3", "2/3", "3/4", "1/16", "7/8")]
PARTS = listed("1 1/2 1/4 1/8 3/4 1/16")
CHANCES = [ONE, ZERO, HALF, Fraction(1, 4), Fraction(3, 4), Fraction(1, 8), ONE]


def bits(draws: Draws, signs: str = "+-+-0", ordered: bool = True) -> Bits:
    """Draw a, b in (0, 1), a = b often, with one of the signs of the eigenvalue 1 - a - b; a <= b
    mostly if `ordered`: a statement that needs it says so.
    """
    sign, b = draws.among(signs), draws.rate(SHARES)
    a = b * draws.among(PARTS)
    if a + b >= 1:
        a, b = a / (2 * (a + b)), b / (2 * (a + b))
    if sign == "-":
        a, b = 1 - b, 1 - a
    if sign == "0":
        a, b = a / (a + b), b / (a + b)
    turned = draws.below(12) == 11 if ordered else draws.whether()
    return (b, a) if turned else (a, b)


ORDERED = "a <= b"


def is_ordered(of: Bits, **_: object) -> bool:
    """Whether 0 is the common value."""
    return of[0] <= of[1]


def stationary(of: Bits, length: int) -> dict[Path, Fraction]:
    """Return the law of the records of a stationary chain of bits."""
    a, b = of
    return sequences([b / (a + b), a / (a + b)], [[1 - a, a], [b, 1 - b]], length)


@cache
def stepped(of: Bits, distance: int) -> tuple[tuple[Fraction, ...], ...]:
    """Return P(X_(t+distance) = y | X_t = x), by multiplication of steps."""
    if not distance:
        return (ONE, ZERO), (ZERO, ONE)
    a, b = of
    rows = stepped(of, distance - 1)
    return tuple((p * (1 - a) + q * b, p * a + q * (1 - b)) for p, q in rows)


@cache
def pointwise(of: Bits, distance: int, value: int) -> Fraction | None:
    """Return e^i of a value at a distance, None for infinite."""
    one, two = (row[value] for row in stepped(of, distance))
    return max(one / two, two / one) if one and two else None


def reached(of: Bits, value: int, level: Fraction, power: int = 1, most: int = 30) -> int:
    """Return the least distance at which the influence of a value, to a power, is at most the
    level; `most` where there is none below it.
    """
    for distance in range(1, most):
        found = pointwise(of, distance, value)
        if found is not None and found**power <= level:
            return distance
    return most


def symbols(draws: Draws) -> list[Fraction]:
    """Draw one row of a mechanism: often (1, 1), (0, 0), equal, or one value only is shown."""
    q, other = draws.among(CHANCES), draws.among(CHANCES)
    return draws.among([HIDDEN, [q, ONE], [ONE, q], [q, q], SHOWN, [q, other]])


def local(draws: Draws, length: int, hidden: Sequence[int] = ()) -> list[list[Fraction]]:
    """Draw a local redaction mechanism; the records `hidden` are always redacted."""
    return [HIDDEN if t in hidden else symbols(draws) for t in range(1, length + 1)]


def outputs(law: Law[Path], rows: Rows, seen: Sequence[int] | None = None) -> dict[Output, int]:
    """Return the law of what the records `seen` show, all of them if left out, up to a factor."""
    records = range(1, len(rows) + 1) if seen is None else seen
    found, base = _outputs(_whole_law(law), _whole_rows(rows), records), _base(rows)
    return {_symbols(y, base, len(records)): p for y, p in found.items()}


def _whole_law(law: Law[Path]) -> dict[Path, int]:
    scale = lcm(*[each.denominator for each in law.values()])
    return {x: p.numerator * (scale // p.denominator) for x, p in law.items()}


def _whole_rows(rows: Rows) -> list[list[tuple[int, int]]]:
    """Return for every record and value the chances of * and of the value, times a number."""
    whole = []
    for row in rows:
        scale = lcm(*[each.denominator for each in row])
        stars = [r.numerator * (scale // r.denominator) for r in row]
        whole.append([(star, scale - star) for star in stars])
    return whole


def _outputs(law: Mapping[Path, int], rows: Chances, seen: Sequence[int]) -> dict[int, int]:
    """Return the law of what records show, an output as a number with one digit a record, the first
    one the lowest and * the largest digit; `_base` is one more than that.

    Each round turns the lowest digit, a value, into a symbol, which becomes the highest digit.
    """
    base = _base(rows)
    star_digit, top = base - 1, base ** max(len(seen) - 1, 0)
    found: dict[int, int] = {}
    places = [(t - 1, base**i) for i, t in enumerate(seen)]
    for path, p in law.items():
        key = sum([path[t] * unit for t, unit in places])
        found[key] = found.get(key, 0) + p
    for t in seen:
        row, before, found = rows[t - 1], found, {}
        for x, p in before.items():
            rest, digit = divmod(x, base)
            star, value = row[digit]
            if star:
                key = rest + star_digit * top
                found[key] = found.get(key, 0) + p * star
            if value:
                found[rest + digit * top] = p * value
    return found


def _base(rows: Sequence[Sequence[object]]) -> int:
    return 1 + max([len(row) for row in rows], default=0)


def _symbols(output: int, base: int, count: int) -> Output:
    """Return the symbols of a number, the lowest digit first."""
    digits = [output // base**i % base for i in range(count)]
    return tuple(STAR if each == base - 1 else each for each in digits)


def quotients(
    law: Law[Path], rows: Rows, private: Sequence[int], seen: Sequence[int] | None = None
) -> dict[tuple[Path, Path], Fraction | None]:
    """Return, for any two values x, x' of the private records, the largest P(y | x) / P(y | x')
    over what the records `seen` show; None for infinite.
    """
    parts: dict[Path, dict[Path, int]] = {}
    values = entries([t - 1 for t in private])
    for x, p in _whole_law(law).items():
        parts.setdefault(values(x), {})[x] = p
    chances, records = _whole_rows(rows), range(1, len(rows) + 1) if seen is None else seen
    laws = {key: _outputs(part, chances, records) for key, part in parts.items()}
    totals = {key: sum(each.values()) for key, each in laws.items()}
    return {(one, two): _largest(laws[one], laws[two], totals[one], totals[two]) for one, two in permutations(laws, 2)}


def _largest(above: Mapping[int, int], below: Mapping[int, int], left: int, right: int) -> Fraction | None:
    high, low = 0, 1
    for y, p in above.items():
        q = below.get(y, 0)
        if not q:
            return None
        if p * low > high * q:
            high, low = p, q
    return Fraction(high * right, low * left)


def leakage(law: Law[Path], rows: Rows, private: Sequence[int], seen: Sequence[int] | None = None) -> Fraction | None:
    """Return e^Lk about the private records: the largest of the quotients, None for infinite."""
    found = [*quotients(law, rows, private, seen).values(), ONE]
    return None if None in found else max(each for each in found if each is not None)


def shows(of: Bits, rows: Rows) -> Fraction:
    """Return the expected number of records of a stationary chain that are shown."""
    a, b = of
    return sum((b * (1 - zero) + a * (1 - one) for zero, one in rows), ZERO) / (a + b)


def regions(of: Bits, length: int, private: int, left: Fraction, right: Fraction) -> str:
    """Return the regions L, M, S of all records for the budgets of both sides, a <= b."""
    return "".join(_region(of, abs(t - private), left if t < private else right) for t in range(1, length + 1))


def _region(of: Bits, distance: int, budget: Fraction) -> str:
    zero, one = (pointwise(of, distance, value) for value in (0, 1))
    if zero is None or zero > budget:
        return "L"
    return "M" if one is None or one > budget else "S"


def three_regions(split: str, q: Mapping[int, Fraction]) -> list[list[Fraction]]:
    """Return the 3R mechanism of regions, with r_t = (q_t, 1) in M."""
    row = {"L": HIDDEN, "S": SHOWN}
    return [row[each] if each in row else [q[t], ONE] for t, each in enumerate(split, 1)]
