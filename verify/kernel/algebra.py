"""Pure mathematics: polynomial inequalities, consequences of linear ones, bounds of exponentials.

A certificate carries one statement about all real numbers and what is needed to derive it; it
speaks of no framework, and was made from no files.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from fractions import Fraction
from operator import add
from typing import TypeVar

from .level import MAX_PRECISION, enclosure
from .reading import Accepted, Node, Refused, cost, require, spend

MAX_POWER, MAX_SHOWN = 100, 20  # of one assumption in a term; parts of a sum or list in words
NAME = re.compile(r"[A-Za-z_]\w{0,49}", re.ASCII)
ALONE = "usage: kernel [--json] [--work N] CERTIFICATE, which was made from no files"

K = TypeVar("K", bound=Hashable)
Polynomial = dict[tuple[int, ...], Fraction]  # its coefficients by exponents
Row = dict[int, Fraction]  # its numbers by the place of the variable, the bound last


def check(kind: str, top: Node, paths: Sequence[str]) -> Accepted:
    """Check a certificate of one of `RULES`, which is given alone."""
    if paths:
        raise OSError(ALONE)
    statement, checked = RULES[kind](top.fields("format kind claim")["claim"])
    require(checked > 0, "nothing was checked")
    return Accepted(kind, statement, checked)


def polynomial_inequality(claim: Node) -> tuple[str, int]:
    """The conclusion is a sum of terms whose signs are known wherever the assumptions hold."""
    part = claim.fields("variables assumptions conclusion proof")
    names = variables(part["variables"])
    assumptions = [compared(node, len(names)) for node in part["assumptions"].entries()]
    goal, relation, proved = Polynomial(), ">", None  # 0 > 0: the assumptions contradict each other
    if part["conclusion"].value is not None:
        goal, relation = compared(part["conclusion"], len(names))
        proved = f"{monomials(goal, names)} {relation} 0"
    terms = [term(node, assumptions, len(names)) for node in part["proof"].entries()]
    signs = {sign for _, sign in terms}
    strict = relation != ">" or ">" in signs
    require(strict, "the conclusion is strict, but no term is strictly positive")
    vanishes = relation != "=" or signs <= {"="}
    require(vanishes, "the conclusion is an equation, but not every term vanishes")
    rest = total([(Fraction(-1), goal), *((Fraction(1), value) for value, _ in terms)])
    text = "the proof does not add up to the conclusion, but to that and {}"
    require(not rest, text, monomials(rest, names))
    given = [f"{monomials(value, names)} {sign} 0" for value, sign in assumptions]
    return sentence(names, given, proved), len(terms)


def compared(node: Node, width: int) -> tuple[Polynomial, str]:
    """Read a polynomial of so many variables, and its relation to 0."""
    part = node.fields("polynomial relation")
    return polynomial(part["polynomial"], width), part["relation"].one_of([">=", ">", "="])


def polynomial(node: Node, width: int) -> Polynomial:
    """Read a list of [coefficient, exponents], the exponents different and one per variable."""
    parts = [entry.entries(2) for entry in node.entries()]
    keys = [tuple(e.whole() for e in exponents.entries(width)) for _, exponents in parts]
    require(len({*keys}) == len(keys), "{}: a monomial occurs twice", node.where)
    return {key: coefficient.number() for key, (coefficient, _) in zip(keys, parts)}


def term(node: Node, assumptions: list[tuple[Polynomial, str]], width: int) -> tuple[Polynomial, str]:
    """Return a term of the proof, and its sign ">=", ">" or "=" where the assumptions hold."""
    free = "multiplier" in node.of(dict)
    part = node.fields("multiplier powers" if free else "coefficient powers square")
    powers = [entry.whole() for entry in part["powers"].entries(len(assumptions))]
    low = all(power <= MAX_POWER for power in powers)
    require(low, "{}: a power is over {}", node.where, MAX_POWER)
    used = {sign for (_, sign), power in zip(assumptions, powers) if power > 0}
    spend(1 + 3 * width)
    if free:
        text = '{}: a multiplier needs an assumption with the relation "="'
        require("=" in used, text, node.where)
        value, sign = polynomial(part["multiplier"], width), "="
    else:
        coefficient, sign = part["coefficient"].number(), ">" if used <= {">"} else ">="
        require(coefficient > 0, "{}: the coefficient is not positive", node.where)
        value = {(0,) * width: coefficient}
        if part["square"].value is not None:
            root, sign = polynomial(part["square"], width), ">="
            value = times(times(value, root), root)
    for (base, _), power in zip(assumptions, powers):
        for _ in range(power):
            value = times(value, base)
    return value, sign


def farkas(claim: Node) -> tuple[str, int]:
    """The rows, multiplied and added up, are the conclusion or stronger."""
    part = claim.fields("variables rows conclusion multipliers")
    names = variables(part["variables"])
    rows = [bounded(node.entries(3), len(names)) for node in part["rows"].entries()]
    goal, relation, proved = Row(), "<", None  # 0 < 0: the rows contradict each other
    if part["conclusion"].value is not None:
        stated = part["conclusion"].fields("row bound relation")
        goal, relation = bounded([stated[k] for k in ("row", "bound", "relation")], len(names))
        require(relation != "=", "no rule for a conclusion that is an equation")
        proved = linear(goal, relation, names)
    factors = [entry.number() for entry in part["multipliers"].entries(len(rows))]
    signs = [sign for _, sign in rows]
    wrong = [i for i, (y, sign) in enumerate(zip(factors, signs)) if y < 0 and sign != "="]
    require(not wrong, "the multipliers {} of inequalities are negative", wrong)
    rest = total([(Fraction(-1), goal), *((y, row) for y, (row, _) in zip(factors, rows))])
    excess = rest.pop(len(names), Fraction(0))  # the bound of the sum less that of the conclusion
    text = "the rows do not add up to the conclusion, but to that and {}"
    require(not rest, text, combination(rest, names))
    strict = any(y > 0 and sign == "<" for y, sign in zip(factors, signs))
    enough = excess < 0 or (excess == 0 and (relation == "<=" or strict))
    text = "the bound of the sum of the rows is too large by {}, or not strict"
    require(enough, text, plain(excess))
    given = [linear(row, sign, names) for row, sign in rows]
    return sentence(names, given, proved), sum(y != 0 for y in factors)


def bounded(part: list[Node], width: int) -> tuple[Row, str]:
    """Read a row of so many numbers with its bound, and how it is related to that."""
    numbers = enumerate([*part[0].entries(width), part[1]])
    return {j: node.number() for j, node in numbers}, part[2].one_of(["<=", "<", "="])


def exp_enclosure(claim: Node) -> tuple[str, int]:
    """The lower bound is at most, and the upper bound at least, e^q or log r."""
    log = "log_of" in claim.of(dict)
    part = claim.fields(f"{'log_of' if log else 'exponent'} lower upper")
    value, proved = part["log_of" if log else "exponent"].number(), list[str]()
    name = f"{'log' if log else 'e^'}({plain(value)})"
    positive = value > 0 or not log
    require(positive, "only a positive number has a logarithm, not {}", plain(value))
    for side, sign, relation in (("lower", 1, ">="), ("upper", -1, "<=")):
        if part[side].value is not None:
            limit = part[side].number()
            above = -compare(limit, value) if log else compare(value, limit)
            proved.append(f"{name} {relation} {plain(limit)}")
            require(above * sign >= 0, "it is false that {}", proved[-1])
    return " and ".join(proved), len(proved)


RULES: dict[str, Callable[[Node], tuple[str, int]]] = {
    "polynomial-inequality": polynomial_inequality,
    "farkas": farkas,
    "exp-enclosure": exp_enclosure,
}


def times(one: Polynomial, two: Polynomial) -> Polynomial:
    """Multiply two polynomials."""
    width = len(next(iter(two), ()))
    spend(64 + len(one) * len(two) * (1 + 3 * width))
    return total((a, {tuple(map(add, k, other)): b for other, b in two.items()}) for k, a in one.items())


def total(sums: Iterable[tuple[Fraction, Mapping[K, Fraction]]]) -> dict[K, Fraction]:
    """Multiply sums by numbers and add them up, without the parts that are 0."""
    out = dict[K, Fraction]()
    for factor, one in sums:
        for key, n in one.items():
            spend(8)
            spend(1, cost(factor), cost(n))
            old, more = out.get(key, Fraction(0)), factor * n
            spend(1, cost(old), cost(more))
            out[key] = old + more
    return {key: n for key, n in out.items() if n != 0}


def compare(q: Fraction, r: Fraction) -> int:
    """Return the sign of e^q - r, which is 0 only for q = 0, as e^q is irrational for others."""
    if q == 0 or r <= 0:
        return (r < 1) - (r > 1)
    if q < 0:
        return -compare(-q, 1 / r)
    if q >= r.numerator.bit_length():  # then e^q > 2^q > r
        return 1
    for low, high, unit in (enclosure(q, 1 << k) for k in range(6, MAX_PRECISION + 1)):
        spend(2, high.bit_length(), 2 * cost(r))
        signs = [x * r.denominator > r.numerator * unit for x in (low, high)]
        if signs[0] == signs[1]:
            return 1 if signs[0] else -1
    text = f"comparing with e^({plain(q)}) needs more than 2^{MAX_PRECISION} bits"
    raise Refused(f"undecided: {text}")


def variables(node: Node) -> list[str]:
    names = [entry.of(str) for entry in node.entries()]
    known = len({*names}) == len(names) and all(map(NAME.fullmatch, names))
    text = "{}: expected different names of letters, digits and _, found {}"
    require(known, text, node.where, names)
    return names


def sentence(names: list[str], given: list[str], proved: str | None) -> str:
    """Say what was proved; `proved` is None when the assumptions contradict each other."""
    start, when = f"for all real {cut(names, ', ')}: " * (len(names) > 0), cut(given, " and ")
    if proved is None:
        return f"{start}never {when}"
    return f"{start}if {when} then {proved}" if given else f"{start}{proved}"


def monomials(one: Polynomial, names: list[str]) -> str:
    """Write a polynomial as text."""

    def word(key: tuple[int, ...]) -> str:
        powers = [f"{name}^{e}" if e > 1 else name for name, e in zip(names, key) if e > 0]
        return " ".join([plain(one[key]), *powers])

    return words([*one], word)


def linear(row: Row, relation: str, names: list[str]) -> str:
    """Write a row with its bound as text."""
    left = {j: n for j, n in row.items() if j != len(names)}
    return f"{combination(left, names)} {relation} {plain(row[len(names)])}"


def combination(row: Row, names: list[str]) -> str:
    return words([*row], lambda j: f"{plain(row[j])} {names[j]}")


def words(keys: list[K], word: Callable[[K], str]) -> str:
    shown = [word(key) for key in keys[:MAX_SHOWN]]
    return cut(shown + [""] * len(keys[MAX_SHOWN:]), " + ") or "0"


def cut(shown: list[str], joint: str) -> str:
    more = [f"... {len(shown) - MAX_SHOWN} more"] * (len(shown) > MAX_SHOWN)
    return joint.join([*shown[:MAX_SHOWN], *more])


def plain(number: Fraction) -> str:
    if cost(number) >> 6 >= 20:
        return "(a long number)"
    return f"({number})" if number < 0 else str(number)
