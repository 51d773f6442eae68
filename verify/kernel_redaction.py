"""Check a certificate about redaction on a binary Markov chain, trusting this file, `kernel.py`
beside it, and the interpreter.

A certificate carries a chain, one private record, a redaction mechanism, and how much its outputs
say about that record; see `CERTIFICATES.md`. Numbers and files are read by `kernel.py`. The leakage
is derived again in one pass over the records, with integers that are exact or rounded outward.
There is no search and no solver. Designs are checked by `kernel_designs.py`.

    python verify/kernel_redaction.py [--json] [--work N] CERTIFICATE [FRAMEWORK MECHANISM]

Exit codes: 0 accepted; 1 refused; 2 no answer (misuse, too much work, a statement that cannot be
written): see `kernel.py`. Notation: the slope of an output is P(output | 0) : P(output | 1), given
the value of one record, as two integers u : v up to a factor; 1 : 0 is infinite. r_t(x) is the
probability of redacting record t when its value is x.
"""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations, repeat
from pathlib import Path
from typing import Any

MAX_RECORDS = 1_000_000
MIN_PRECISION, MAX_PRECISION = 16, 1_000_000  # bits that rounded slopes keep

Slope = tuple[int, int]
Both = tuple[Slope, Slope]  # the least and the largest slope of some outputs, or bounds of these
Row = tuple[int, int, int]  # a unit, and r(0), r(1) as multiples of 1 / unit
REDACTED: Row = (1, 1, 1)


def load_kernel() -> Any:
    """Return `kernel.py` from the folder of this file, as a module of its own."""
    spec = importlib.util.spec_from_file_location(
        "kernel_beside_redaction", Path(__file__).with_name("kernel.py")
    )
    module = importlib.util.module_from_spec(spec)  # type: ignore[arg-type]
    sys.modules[module.__name__] = module  # dataclasses look their module up
    spec.loader.exec_module(module)  # type: ignore[union-attr]
    return module


kernel = load_kernel()
Refused, NotJSON, require, show = kernel.Refused, kernel.NotJSON, kernel.require, kernel.show
MAX_WORK, WORK, spend, size = kernel.MAX_WORK, kernel.WORK, kernel.spend, kernel.size


def check(
    certificate: str, framework: str | None = None, mechanisms: Sequence[str] = (), work: int = 0
) -> Any:
    """Check a certificate, and the files it was made from if given. Raises `Refused`, `NotJSON`
    or `OSError`.
    """
    WORK.begin(work or MAX_WORK)
    top = kernel.read_file(certificate, None, "certificate")
    part = top.fields("format kind chain private redaction precision inputs claim")
    kind = part["kind"].one_of([*RULES])
    chain, inputs = (
        Chain(part["chain"], part["private"]),
        part["inputs"].fields("framework mechanism"),
    )
    rows, hashes = (
        profile(part["redaction"], chain.length),
        [inputs[key].digest() for key in ("framework", "mechanism")],
    )
    paths = [framework or "", *mechanisms] if framework is not None or mechanisms else []
    require(len(paths) in (0, 2), "expected a framework file and a mechanism file")
    files = [*map(kernel.read_file, paths, hashes, ("framework", "mechanism"))]
    names = (
        f", where 0 and 1 are {show(compare_files(chain, rows, *files))} in this order"
        if files
        else ""
    )
    outcome = (
        leakage(
            chain,
            rows,
            Arithmetic(part["precision"]),
            part["claim"].fields("relation level output"),
        )
        + names
    )
    return kernel.Accepted(kind, outcome, chain.length, "matched" if files else "not given")


class Chain:
    """Records 1 .. n with values 0 and 1: P(1 after 0) = alpha, P(0 after 1) = beta, and the
    law of the first one.
    """

    def __init__(self, node: Any, private: Any) -> None:
        part = node.fields("alpha beta length initial")
        self.alpha, self.beta = part["alpha"].number(), part["beta"].number()
        require(
            0 < self.alpha < 1 and 0 < self.beta < 1,
            "chain: alpha and beta are to be above 0 and below 1",
        )
        self.length, self.private = part["length"].whole(), private.whole()
        require(
            1 <= self.private <= self.length, "private: expected a record from 1 to {}", self.length
        )
        require(self.length <= MAX_RECORDS, "too large: over {} records", MAX_RECORDS)
        self.stationary = part["initial"].value == "stationary"
        law = [self.beta, self.alpha] if self.stationary else part["initial"].law(2)
        require(self.private > 1 or all(law), "a value of the private record has probability 0")
        self.initial: Slope = tuple(kernel.scaled(law)[1])

    def turned(self) -> Chain:
        """Return the chain with its values exchanged."""
        other = Chain.__new__(Chain)
        vars(other).update(
            vars(self) | {"alpha": self.beta, "beta": self.alpha, "initial": self.initial[::-1]}
        )
        return other

    @property
    def forth(self) -> tuple[int, int, int, int]:
        """The matrix that takes likelihoods given X_(t+1) to those given X_t, up to a factor."""
        unit, (a, b) = kernel.scaled([self.alpha, self.beta])
        return unit - a, a, b, unit - b

    @property
    def back(self) -> tuple[int, int, int, int]:
        """The matrix that takes joint probabilities with X_t to those with X_(t+1), up to a
        factor.
        """
        stay, leave, enter, remain = self.forth
        return stay, enter, leave, remain

    def name(self) -> str:
        start = "a stationary" if self.stationary else "a"
        steps = f"P(1 after 0) = {show(self.alpha)}, P(0 after 1) = {show(self.beta)}"
        return (
            f"record {self.private} of {start} binary chain of {self.length} records with {steps}"
        )


class Arithmetic:
    """Slopes in integers: exact, or rounded to a number of bits, so that a set of outputs
    becomes larger or smaller.
    """

    def __init__(self, node: Any) -> None:
        self.bits = None if node.value is None else node.whole()
        fine = self.bits is None or MIN_PRECISION <= self.bits <= MAX_PRECISION
        require(
            fine, "precision: expected null, or from {} to {} bits", MIN_PRECISION, MAX_PRECISION
        )

    def moved(self, matrix: tuple[int, int, int, int], both: Both, wide: bool) -> Both:
        """Return the extreme slopes one record nearer to p; the map of slopes falls if the
        determinant is negative.
        """
        a, b, c, d = matrix
        spend(2, (a | b).bit_length(), (c | d).bit_length())
        (u, v), (s, t) = both if a * d >= b * c else both[::-1]
        spend(40)
        spend(2, (u | v | s | t).bit_length(), 2 * (a | b).bit_length())
        least, largest = (a * u + b * v, c * u + d * v), (a * s + b * t, c * s + d * t)
        return self.short(least, not wide), self.short(largest, wide)

    def short(self, slope: Slope, up: bool) -> Slope:
        """Round up or down where both numbers are long; nothing but 0 becomes 0."""
        u, v = slope
        spend(2, u.bit_length() + v.bit_length())
        if u == v:
            return 1, 1
        length = min(n.bit_length() for n in slope if n)
        if self.bits is None or length <= 2 * self.bits:
            return slope
        k = length - self.bits
        return (-(-u >> k), v >> k) if up else (u >> k, -(-v >> k))

    def side(
        self,
        rows: Iterable[Row],
        matrix: Any,
        start: Slope,
        symbols: Iterable[str | None],
        wide: bool,
    ) -> Both:
        """Return the extreme slopes of all outputs of one side, or of one output, farthest
        record first.
        """
        both = start, start
        for row, symbol in zip(rows, symbols):
            spend(2, max(n.bit_length() for slope in both for n in slope), row[0].bit_length())
            both = self.moved(matrix, shown(both, row, symbol), wide)
        return both

    def sides(
        self, chain: Chain, rows: Sequence[Row], output: Sequence[str | None], wide: bool
    ) -> tuple[Both, Both]:
        """Return the extreme slopes, given X_p, of the outputs on the left of p and on the
        right of p.
        """
        p = chain.private
        right = self.side(rows[: p - 1 : -1], chain.forth, (1, 1), output[: p - 1 : -1], wide)
        if chain.stationary:  # and so reversible: pi(0) alpha = pi(1) beta
            return self.side(rows[: p - 1], chain.forth, (1, 1), output, wide), right
        low, high = self.side(rows[: p - 1], chain.back, chain.initial, output, wide)
        least, largest = self.side(
            repeat(REDACTED, p - 1), chain.back, chain.initial, repeat(None), wide
        )  # P(X_p)
        return (over(low, largest), over(high, least)), right

    def total(
        self, chain: Chain, rows: Sequence[Row], output: Sequence[str | None], wide: bool
    ) -> Slope:
        """Return a bound of e^leakage: from above if `wide`, else from below; of one output if
        it is given.
        """
        (low, high), (least, largest) = self.sides(chain, rows, output, wide)
        row, symbol = rows[chain.private - 1], output[chain.private - 1]
        bits = (
            sum(n.bit_length() for slope in (low, high, least, largest) for n in slope)
            + row[0].bit_length()
        )
        spend(4, bits, bits)
        return extreme(shown((times(low, least), times(high, largest)), row, symbol))


def shown(both: Both, row: Row, symbol: str | None) -> Both:
    """Return the extreme slopes after one more record, whose output is any or `symbol`, from
    those of what lies beyond.
    """
    least, largest = (
        possible(slope, row, order, symbol) for slope, order in zip(both, ("1*0", "0*1"))
    )
    return least, largest


def possible(slope: Slope, row: Row, order: str, symbol: str | None) -> Slope:
    """Return the slope of the first of these outputs of one record that is possible, before a
    slope of what lies beyond.
    """
    (u, v), (unit, zero, one) = slope, row
    slopes = {"0": (u * (unit - zero), 0), "1": (0, v * (unit - one)), "*": (u * zero, v * one)}
    for name in order:
        if any(slopes[name]) and symbol in (None, name):
            u, v = slopes[name]
            return (u, v) if u and v else (int(u > 0), int(v > 0))
    raise Refused("the output is impossible")


def times(one: Slope, other: Slope) -> Slope:
    return one[0] * other[0], one[1] * other[1]


def over(one: Slope, other: Slope) -> Slope:
    return one[0] * other[1], one[1] * other[0]


def extreme(both: Both) -> Slope:
    """Return the largest ratio, either way round, of slopes between these two."""
    (u, v), (s, t) = both
    return (s, t) if s * u >= t * v else (v, u)


def exceeds(level: Any, ratio: Slope) -> bool:
    """Decide ratio > e^level."""
    return bool(level.exceeded((ratio[0], 1, ratio[1], 1)))


def reaches(level: Any, ratio: Slope) -> bool:
    """Decide ratio >= e^level, which is rational or transcendental."""
    spend(1, ratio[0].bit_length() + ratio[1].bit_length(), 2 * size(level.value))
    rational = level.value if level.form == "log" else Fraction(1) if level.value == 0 else None
    return (
        exceeds(level, ratio)
        if rational is None
        else ratio[0] * rational.denominator >= rational.numerator * ratio[1]
    )


def compare_files(chain: Chain, rows: list[Row], framework: Any, mechanism: Any) -> list[str]:
    """Refuse unless both files speak of this chain, this record and these probabilities; return
    what they call 0 and 1.
    """
    top = framework.fields("format records secrets pairs priors", "closure")
    records = top["records"].fields("count alphabet")
    alphabet: list[str] = records["alphabet"].labels()
    require(len(alphabet) == 2, "{}: expected two values, found {}", framework.where, alphabet)
    fine = "*" not in alphabet and ([*map(len, alphabet)] == [1, 1] or "," not in "".join(alphabet))
    require(
        fine, "{}: outputs with the values {} could not be told apart", framework.where, alphabet
    )
    require(
        records["count"].whole() == chain.length,
        "{}: expected {} records",
        framework.where,
        chain.length,
    )
    values = {}
    for name, node in top["secrets"].children().items():
        part = node.fields("record value")
        require(
            part["record"].whole() == chain.private,
            "{}: expected record {}",
            node.where,
            chain.private,
        )
        values[name] = part["value"].one_of(alphabet)
    every = top["pairs"].value == "disjoint"
    spend(2 * len(values) ** 2 + 2 * len(alphabet))
    named = (
        [*combinations(values, 2)]
        if every
        else [tuple(node.labels()) for node in top["pairs"].entries()]
    )
    pairs = [names for names in named if not every or values[names[0]] != values[names[1]]]
    fine = all(
        len(names) == 2 and {*names} <= {*values} and {*alphabet} == {values[x] for x in names}
        for names in pairs
    )
    require(
        fine and pairs,
        "{}: expected pairs of both values of record {}",
        framework.where,
        chain.private,
    )
    priors = [*top["priors"].children().values()]
    require(len(priors) == 1, "{}: expected one prior, found {}", framework.where, len(priors))
    prior = priors[0].fields("markov")["markov"].fields("initial transition")
    moves = [node.law(2) for node in prior["transition"].entries()]
    fine = moves == [[1 - chain.alpha, chain.alpha], [chain.beta, 1 - chain.beta]]
    require(fine, "{}: the transition probabilities differ from the certificate's", priors[0].where)
    start = (
        [chain.beta, chain.alpha]
        if prior["initial"].value == "stationary"
        else prior["initial"].law(2)
    )
    fine = start[0] * chain.initial[1] == start[1] * chain.initial[0]
    require(fine, "{}: the initial law differs from the certificate's", priors[0].where)
    if "closure" in top:
        top["closure"].one_of(["list", "convex"])  # of one prior they are the same
    form = mechanism.fields("format redaction", "outputs")
    fine = "outputs" not in form or form["outputs"].labels() == [*alphabet, "*"]
    require(fine, "{}: expected the outputs {}", mechanism.where, [*alphabet, "*"])
    nodes = [node.entries() for node in form["redaction"].entries()]
    require(
        all(len(pair) == 2 for pair in nodes),
        "{}: expected two numbers for every record",
        mechanism.where,
    )
    found = [row_of(zero.number(), one.number()) for zero, one in nodes]
    require(found == rows, "{}: the probabilities differ from the certificate's", mechanism.where)
    return alphabet


def row_of(zero: Fraction, one: Fraction) -> Row:
    unit, (a, b) = kernel.scaled([zero, one])
    require(
        0 <= a <= unit and 0 <= b <= unit,
        "redaction: {} and {} are not both probabilities",
        zero,
        one,
    )
    return unit, a, b


def runs(node: Any, width: int, length: int) -> Iterator[tuple[int, list[Fraction]]]:
    """Read a list of [count, numbers], each of which stands for so many equal entries, of this
    length in all.
    """
    left = length
    for entry in node.entries():
        parts = entry.entries()
        require(len(parts) == 1 + width, "{}: expected a count and {} numbers", entry.where, width)
        count = parts[0].whole()
        left -= count
        require(count > 0 and left >= 0, "{}: expected {} entries in all", entry.where, length)
        yield count, [number.number() for number in parts[1:]]
    require(left == 0, "{}: expected {} entries in all, {} are missing", node.where, length, left)


def profile(node: Any, length: int) -> list[Row]:
    return [row for count, pair in runs(node, 2, length) for row in [row_of(*pair)] * count]


def leakage(chain: Chain, rows: list[Row], numbers: Arithmetic, part: dict[str, Any]) -> str:
    """Rule redaction-leakage: the exact leakage, or that of one output, is below or above a
    level.
    """
    relation, infinite = (
        part["relation"].one_of(["<=", "=", ">=", ">"]),
        part["level"].value == "inf",
    )
    level = None if infinite else kernel.Level(part["level"])
    text = part["output"].value
    require(
        relation in ("=", ">=") or not infinite,
        "level: every leakage is at most, and none more than, infinite",
    )
    require(relation != "<=" or text is None, "output: one output proves no upper bound")
    output = [None] * chain.length if text is None else [*part["output"].of(str)]
    require(
        len(output) == chain.length and {*output} <= {None, *"01*"},
        "output: expected {} of 0, 1, *",
        chain.length,
    )
    if relation in ("<=", "="):
        above = numbers.total(chain, rows, [None] * chain.length, True)
        require(
            infinite or not exceeds(level, above),
            "the leakage may be more than {}",
            level and level.name,
        )
    if relation != "<=":
        below = numbers.total(chain, rows, output, False)
        fine = (
            below[1] == 0
            if infinite
            else exceeds(level, below)
            if relation == ">"
            else reaches(level, below)
        )
        require(
            fine,
            "the leakage is not shown to be {} {}",
            relation,
            level.name if level else "infinite",
        )
    words = {"<=": "at most", "=": "equal to", ">=": "at least", ">": "more than"}[relation]
    bound = level.name if level else "infinity"
    at = f", at the output {show(text)}" if text is not None else ""
    return f"the leakage of the redaction mechanism about {chain.name()} is {words} {bound}{at}"


RULES = {"redaction-leakage"}


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; the result is the exit code."""
    code: int = kernel.main(
        argv, check, "kernel_redaction.py [--json] [--work N] CERTIFICATE [FRAMEWORK MECHANISM]"
    )
    return code


if __name__ == "__main__":
    sys.exit(main())
