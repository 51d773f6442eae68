"""Check a certificate of pure mathematics, trusting nothing but this file and the Python
interpreter.

A certificate carries one statement about all real numbers (a polynomial inequality under
assumptions, a consequence of linear inequalities, or bounds of an exponential or a logarithm) and
what is needed to derive it; see `CERTIFICATES.md`. How files and numbers are read repeats
`kernel.py`, deliberately: each checker is one file that can be judged alone.

    python verify/kernel_algebra.py [--json] [--work N] CERTIFICATE

Exit codes: 0 accepted; 1 refused; 2 no answer: misuse (wrong usage, an unreadable file, a
certificate that is not JSON), more work or memory than there is, or an acceptance that cannot be
written.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import cache
from math import isqrt
from operator import add
from typing import Any

MAX_WORK, MAX_BYTES = (
    4_000_000_000_000,
    16_000_000,
)  # bit operations; bytes of a file, more if more work is allowed
MAX_DIGITS, MAX_PRECISION = 100_000, 17  # characters of a number; log2 of the bits of e^q
MAX_POWER, MAX_SHOWN = (
    100,
    20,
)  # power of one assumption in a term; parts of a sum and sums of a list put in words
NUMBER = re.compile(r"-?\d+(/\d+|(\.\d+)?([eE][+-]?\d{1,4})?)", re.ASCII)
NAME = re.compile(r"[A-Za-z_]\w{0,49}", re.ASCII)

Sum = dict[
    Any, Fraction
]  # a polynomial: its coefficients by exponents; a row: its numbers by place, the bound last


class Refused(Exception):  # noqa: N818
    """The certificate does not prove its claim; the text is the reason, on one line."""


class TooLarge(Refused):
    """Not decided: more work is needed than is allowed."""


class NotJSON(ValueError):  # noqa: N818
    """The certificate is not a JSON text in UTF-8."""


class Numeral(str):
    """The text of a JSON number, so that it is never rounded and never taken for a label."""

    __slots__ = ()


@dataclass(frozen=True)
class Accepted:
    """What was proved, from how many facts; there are no input files, so `inputs` is always
    "not given".
    """

    kind: str
    statement: str
    checked: int
    inputs: str = "not given"


def check(certificate: str, work: int = 0) -> Accepted:
    """Check a certificate file. Raises `Refused`, `NotJSON` or `OSError`."""
    with open(certificate, "rb") as file:  # in pieces: never room for more than there is
        pieces = zip(range(1 + longest(work) // 2**20), iter(lambda: file.read(2**20), b""))
        return check_bytes(b"".join(piece for _, piece in pieces), work)


def longest(work: int) -> int:
    return MAX_BYTES * max(1, work // MAX_WORK)


def check_bytes(data: bytes, work: int = 0) -> Accepted:
    """Check the content of a certificate file. Raises `Refused` or `NotJSON`."""
    exact = Arithmetic(work or MAX_WORK)
    fine = len(data) <= longest(work)
    require(
        fine,
        "over {} bytes: no more are read with --work {}",
        longest(work),
        exact.limit,
        fault=TooLarge,
    )
    exact.spend(1, 32 * len(data))
    exact.spend(16 * sum(map(data.count, b",[{")))  # as many as there are values
    try:
        read: Any = dict.fromkeys(
            ("parse_int", "parse_float", "parse_constant"), Numeral
        )  # nothing takes a NaN
        node = Node(
            json.loads(data.decode("utf-8-sig"), object_pairs_hook=unique, **read), "certificate"
        )
    except RecursionError as error:
        raise Refused("cannot be parsed: nested too deeply") from error
    except ValueError as error:
        raise NotJSON(f"cannot be parsed: {error}") from error
    part = node.fields("format kind claim")
    part["format"].one_of(["pufferproof-certificate/1"])
    kind = part["kind"].one_of([*RULES])
    statement, checked = RULES[kind](part["claim"], exact)
    require(checked > 0, "nothing was checked")
    return Accepted(kind, statement, checked)


def polynomial_inequality(claim: Node, exact: Arithmetic) -> tuple[str, int]:
    """The conclusion is a sum of terms whose signs are known wherever the assumptions hold."""
    part = claim.fields("variables assumptions conclusion proof")
    names = variables(part["variables"])
    assumptions = [
        polynomial_relation(node, len(names), exact) for node in part["assumptions"].entries()
    ]
    goal, relation, proved = Sum(), ">", None  # 0 > 0: the assumptions contradict each other
    if part["conclusion"].value is not None:
        goal, relation = polynomial_relation(part["conclusion"], len(names), exact)
        proved = f"{words(goal, names)} {relation} 0"
    terms = [term(node, assumptions, len(names), exact) for node in part["proof"].entries()]
    signs = {sign for _, sign in terms}
    require(
        relation != ">" or ">" in signs,
        "the conclusion is strict, but no term is strictly positive",
    )
    require(
        relation != "=" or signs <= {"="},
        "the conclusion is an equation, but not every term vanishes",
    )
    rest = exact.total([(Fraction(-1), goal), *((Fraction(1), value) for value, _ in terms)])
    require(
        not rest,
        "the proof does not add up to the conclusion, but to that and {}",
        words(rest, names),
    )
    return sentence(
        names, [f"{words(value, names)} {sign} 0" for value, sign in assumptions], proved
    ), len(terms)


def polynomial_relation(node: Node, width: int, exact: Arithmetic) -> tuple[Sum, str]:
    part = node.fields("polynomial relation")
    return polynomial(part["polynomial"], width, exact), part["relation"].one_of([">=", ">", "="])


def polynomial(node: Node, width: int, exact: Arithmetic) -> Sum:
    """Read a list of [coefficient, exponents], the exponents different and one for each of
    `width` variables.
    """
    parts = [entry.entries(2) for entry in node.entries()]
    keys = [tuple(e.whole() for e in exponents.entries(width)) for _, exponents in parts]
    require(len({*keys}) == len(keys), "{}: a monomial occurs twice", node.where)
    return {key: exact.number(coefficient) for key, (coefficient, _) in zip(keys, parts)}


def term(
    node: Node, assumptions: list[tuple[Sum, str]], width: int, exact: Arithmetic
) -> tuple[Sum, str]:
    """Return a term of the proof, and its sign ">=", ">" or "=" wherever the assumptions hold."""
    free = "multiplier" in node.of(dict)
    part = node.fields("multiplier powers" if free else "coefficient powers square")
    powers = [entry.whole() for entry in part["powers"].entries(len(assumptions))]
    require(
        all(power <= MAX_POWER for power in powers), "{}: a power is over {}", node.where, MAX_POWER
    )
    used = {sign for (_, sign), power in zip(assumptions, powers) if power > 0}
    exact.spend(1 + 3 * width)
    if free:
        require(
            "=" in used, '{}: a multiplier needs an assumption with the relation "="', node.where
        )
        value, sign = polynomial(part["multiplier"], width, exact), "="
    else:
        value, sign = (
            {(0,) * width: exact.number(part["coefficient"])},
            ">" if used <= {">"} else ">=",
        )
        require(min(value.values()) > 0, "{}: the coefficient is not positive", node.where)
        if part["square"].value is not None:
            root, sign = polynomial(part["square"], width, exact), ">="
            value = exact.times(exact.times(value, root), root)
    for base in (base for (base, _), power in zip(assumptions, powers) for _ in range(power)):
        value = exact.times(value, base)
    return value, sign


def farkas(claim: Node, exact: Arithmetic) -> tuple[str, int]:
    """The rows, multiplied and added up, are the conclusion or stronger."""
    part = claim.fields("variables rows conclusion multipliers")
    names = variables(part["variables"])
    rows = [linear_relation(node.entries(3), len(names), exact) for node in part["rows"].entries()]
    goal, relation, proved = Sum(), "<", None  # 0 < 0: the rows contradict each other
    if part["conclusion"].value is not None:
        stated = [*part["conclusion"].fields("row bound relation").values()]
        goal, relation = linear_relation(stated, len(names), exact)
        require(relation != "=", "no rule for a conclusion that is an equation")
        proved = f"{words(goal, names)} {relation} {plain(goal[len(names)])}"
    factors = [exact.number(entry) for entry in part["multipliers"].entries(len(rows))]
    wrong = [i for i, (y, (_, sign)) in enumerate(zip(factors, rows)) if y < 0 and sign != "="]
    require(not wrong, "the multipliers {} of inequalities are negative", wrong)
    rest = exact.total([(Fraction(-1), goal), *((y, row) for y, (row, _) in zip(factors, rows))])
    excess = rest.pop(len(names), Fraction(0))  # the bound of the sum, less that of the conclusion
    require(
        not rest, "the rows do not add up to the conclusion, but to that and {}", words(rest, names)
    )
    strict = any(y > 0 and sign == "<" for y, (_, sign) in zip(factors, rows))
    enough = excess < 0 or (excess == 0 and (relation == "<=" or strict))
    require(
        enough, "the bound of the sum of the rows is too large by {}, or not strict", plain(excess)
    )
    given = [f"{words(row, names)} {sign} {plain(row[len(names)])}" for row, sign in rows]
    return sentence(names, given, proved), sum(y != 0 for y in factors)


def linear_relation(part: list[Node], width: int, exact: Arithmetic) -> tuple[Sum, str]:
    numbers = enumerate([*part[0].entries(width), part[1]])
    return {j: exact.number(node) for j, node in numbers}, part[2].one_of(["<=", "<", "="])


def exp_enclosure(claim: Node, exact: Arithmetic) -> tuple[str, int]:
    """The lower bound is at most, and the upper bound at least, e^q or log r."""
    log = "log_of" in claim.of(dict)
    part = claim.fields(f"{'log_of' if log else 'exponent'} lower upper")
    value, proved = exact.number(part["log_of" if log else "exponent"]), []
    require(value > 0 or not log, "only a positive number has a logarithm, not {}", plain(value))
    for side, sign, relation in (("lower", 1, ">="), ("upper", -1, "<=")):
        if part[side].value is not None:
            limit = exact.number(part[side])
            found = (
                -compare_exponential(limit, value, exact)
                if log
                else compare_exponential(value, limit, exact)
            )
            proved.append(f"{'log' if log else 'e^'}({plain(value)}) {relation} {plain(limit)}")
            require(found * sign >= 0, "it is false that {}", proved[-1])
    return " and ".join(proved), len(proved)


RULES = {
    "polynomial-inequality": polynomial_inequality,
    "farkas": farkas,
    "exp-enclosure": exp_enclosure,
}


class Arithmetic:
    """Exact arithmetic, whose bit operations are counted before they are done: time and memory
    are in proportion to them.
    """

    def __init__(self, limit: int) -> None:
        self.done, self.limit = 0, limit
        enclosure.cache_clear()  # what a check counts does not depend on those before it

    def spend(self, times: int, a: int = 0, b: int = 0) -> None:
        """Count products, quotients, common factors or comparisons of numbers of a and b bits,
        256 bits more for each.
        """
        self.done += times * (a + 256) * (b + 256)
        fine = self.done <= self.limit
        require(
            fine,
            "too large: over {} bit operations, more than --work {}",
            self.done,
            self.limit,
            fault=TooLarge,
        )

    def number(self, node: Node) -> Fraction:
        text = str(node.value)[-7:].lower()
        exponent = text.partition("e")[2].lstrip("+-")
        bits = (
            4 * (len(str(node.value)[:MAX_DIGITS]) + int(exponent if exponent.isdecimal() else 0))
            + 1500
        )
        self.spend(1, bits, bits)
        return node.number()

    def times(self, one: Sum, two: Sum) -> Sum:
        """Multiply two polynomials."""
        width = len(next(iter(two), ()))
        self.spend(64 + len(one) * len(two) * (1 + 3 * width))
        return self.total(
            (a, {tuple(map(add, key, other)): b for other, b in two.items()})
            for key, a in one.items()
        )

    def total(self, sums: Iterable[tuple[Fraction, Sum]]) -> Sum:
        """Multiply sums by numbers and add them up, without the parts that are 0."""
        out = Sum()
        for factor, one in sums:
            for key, n in one.items():
                self.spend(8)
                self.spend(1, size(factor), size(n))
                old, more = out.get(key, Fraction(0)), factor * n
                self.spend(1, size(old), size(more))
                out[key] = old + more
        return {key: n for key, n in out.items() if n != 0}


def size(number: Fraction) -> int:
    """Return the bits of a fraction, with those that it costs more than an integer."""
    return 768 + number.numerator.bit_length() + number.denominator.bit_length()


def compare_exponential(q: Fraction, r: Fraction, exact: Arithmetic) -> int:
    """Return the sign of e^q - r. For rational q other than 0, e^q is irrational, so the sign
    is 0 only for e^0 - 1.
    """
    if q == 0 or r <= 0:
        return (r < 1) - (r > 1)
    if q < 0:
        return -compare_exponential(-q, 1 / r, exact)
    if q >= r.numerator.bit_length():  # then e^q > 2^q > r
        return 1
    for low, high, unit in (enclosure(q, 1 << k, exact) for k in range(6, MAX_PRECISION + 1)):
        exact.spend(2, high.bit_length(), 2 * size(r))
        signs = [x * r.denominator > r.numerator * unit for x in (low, high)]
        if signs[0] == signs[1]:
            return 1 if signs[0] else -1
    raise Refused(
        f"undecided: comparing with e^({plain(q)}) needs more than 2^{MAX_PRECISION} bits"
    )


@cache
def enclosure(q: Fraction, bits: int, exact: Arithmetic) -> tuple[int, int, int]:
    """Return low, high, unit with low <= unit e^q <= high, of relative width about 2^-bits, for
    q > 0.
    """
    halvings = int(q).bit_length() + isqrt(bits) + 2  # the series is summed at q / 2^halvings < 1/4
    work = bits + 2 * halvings + 16
    exact.spend(1, work + size(q), work + size(q))
    exact.spend(
        2 * isqrt(bits) + 8 * halvings, work, 32 * isqrt(work)
    )  # long products, by Karatsuba's method
    n, x = 0, (q.numerator << work) // (q.denominator << halvings)
    low = high = term_low = term_high = 1 << work
    while term_high > 1:
        n += 1
        term_low = (term_low * x >> work) // n
        term_high = -((-term_high * (x + 1) >> work) // n)
        low, high = low + term_low, high + term_high
    high += 1  # the rest of the series is less than its last term, which is at most 1
    for _ in range(halvings):
        low, high = low * low >> work, -(-high * high >> work)
    return low, high, 1 << work


def variables(node: Node) -> list[str]:
    names = [entry.of(str) for entry in node.entries()]
    fine = len({*names}) == len(names) and all(map(NAME.fullmatch, names))
    require(
        fine, "{}: expected different names of letters, digits and _, found {}", node.where, names
    )
    return names


def sentence(names: list[str], given: list[str], proved: str | None) -> str:
    """Say what was proved in words; `proved` is None when the assumptions contradict each other."""
    start, when = f"for all real {cut(names, ', ')}: " * (len(names) > 0), cut(given, " and ")
    return start + (
        f"never {when}" if proved is None else f"if {when} then {proved}" if given else proved
    )


def words(one: Sum, names: list[str]) -> str:
    """Write a polynomial, or the left side of a row, as text."""
    keys = [key for key in one if key != len(names)]
    shown = []
    for key in keys[:MAX_SHOWN]:
        powers = zip(names, key) if isinstance(key, tuple) else [(names[key], 1)]
        shown.append(
            " ".join(
                [
                    plain(one[key]),
                    *(f"{name}^{e}" if e > 1 else name for name, e in powers if e > 0),
                ]
            )
        )
    return cut(shown + [""] * len(keys[MAX_SHOWN:]), " + ") or "0"


def cut(shown: list[str], joint: str) -> str:
    return joint.join(
        [*shown[:MAX_SHOWN], *[f"... {len(shown) - MAX_SHOWN} more"][: len(shown[MAX_SHOWN:])]]
    )


def plain(number: Fraction) -> str:
    return (
        (f"({number})" if number < 0 else str(number))
        if size(number) >> 6 < 20
        else "(a long number)"
    )


def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    require(
        len(dict(pairs)) == len(pairs), "a key occurs twice among {}", [key for key, _ in pairs]
    )
    return dict(pairs)


@dataclass(slots=True)
class Node:  # a value in a file, and where it stands, for the refusals
    value: Any
    where: str

    def of(self, kind: type) -> Any:
        """Return the value, which must be of exactly this type: a number is no string, and true
        no number.
        """
        require(
            type(self.value) is kind,
            "{}: expected {}, not {}",
            self.where,
            kind.__name__,
            str(type(self.value)),
        )
        return self.value

    def fields(self, keys: str) -> dict[str, Node]:
        """Return the entries of an object that has exactly these keys, in this order."""
        fine = {*self.of(dict)} == {*keys.split()}
        require(fine, "{}: expected the keys {}, found {}", self.where, keys, sorted(self.value))
        return {key: Node(self.value[key], f"{self.where}.{key}") for key in keys.split()}

    def entries(self, count: int | None = None) -> list[Node]:
        fine = count in (None, len(self.of(list)))
        require(fine, "{}: expected {} entries, found {}", self.where, count, len(self.value))
        return [Node(value, f"{self.where}[{i}]") for i, value in enumerate(self.value)]

    def one_of(self, known: Sequence[str]) -> Any:
        require(
            self.of(str) in known, "{}: expected one of {}, found {}", self.where, known, self.value
        )
        return self.value

    def whole(self) -> int:
        require(
            re.fullmatch("[0-9]{1,9}", self.of(Numeral)),
            "{}: {} is not of 1 to 9 digits",
            self.where,
            self.value,
        )
        return int(self.value)

    def number(self) -> Fraction:
        """Read a number of the grammar. Decimal reads texts of any length, which int does not."""
        text = self.value if isinstance(self.value, str) and len(self.value) <= MAX_DIGITS else ""
        above, _, below = text.partition("/")
        fine = NUMBER.fullmatch(text) and (not below or Decimal(below) > 0)
        require(
            fine,
            "{}: expected a number of at most {} characters, found {}",
            self.where,
            MAX_DIGITS,
            text,
        )
        return Fraction(Decimal(above)) / int(Decimal(below)) if below else Fraction(Decimal(above))


def require(condition: object, reason: str, *values: Any, fault: type[Refused] = Refused) -> None:
    if not condition:
        raise fault(reason.format(*map(show, values)))


def show(value: Any) -> str:
    try:
        return json.dumps(value)[:200]
    except ValueError:  # more digits than Python prints
        return "a very long number"


def say(stream: str, text: str) -> bool:
    """Write a line, and say whether it was written: the stream may be closed, which is None, or
    full.
    """
    try:
        getattr(sys, stream).write(text + "\n")
        getattr(sys, stream).flush()
    except (AttributeError, OSError, ValueError):
        setattr(sys, stream, None)  # or the interpreter would write it again at its end
        return False
    return True


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; the result is the exit code."""
    words, work, verdict = [*(sys.argv[1:] if argv is None else argv)], str(MAX_WORK), "accepted"
    answer: dict[str, Any] = {
        "accepted": False,
        "kind": None,
        "statement": None,
        "checked": 0,
        "inputs": "not given",
    }
    answer["reason"], as_json = None, "--json" in words
    try:
        if "--work" in words[:-1]:
            work = words.pop(words.index("--work") + 1)
            words.remove("--work")
        paths = [word for word in words if word != "--json"]
        if (
            len(paths) != 1
            or paths[0].startswith("-")
            or not re.fullmatch("[1-9][0-9]{0,30}", work)
        ):
            raise OSError(
                "usage: kernel_algebra.py [--json] [--work N] CERTIFICATE, which was made from no "
                "files"
            )
        answer |= vars(check(paths[0], int(work))) | {"accepted": True}
    except MemoryError:
        verdict, answer["reason"] = "no answer", "not enough memory"
    except Exception as error:  # one of the kernel's own, too: it accepts nothing
        verdict = (
            "no answer"
            if isinstance(error, TooLarge)
            else "refused"
            if isinstance(error, Refused)
            else "misuse"
        )
        answer["reason"] = (
            str(error) if isinstance(error, Refused | OSError | NotJSON) else repr(error)
        )
    if verdict != "accepted":
        say("stderr", f"{verdict}: {answer['reason']}")
    code = {"accepted": 0, "refused": 1}.get(verdict, 2)
    text = f"accepted: {answer['statement']}\n{answer['checked']} checked, no input files"
    if (code == 0 or (code == 1 and as_json)) and not say(
        "stdout", json.dumps(answer) if as_json else text
    ):
        say("stderr", "no answer: it cannot be written to standard output")
        return 2
    return code


if __name__ == "__main__":
    sys.exit(main())
