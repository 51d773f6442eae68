"""What a redaction mechanism on a binary Markov chain says about one record.

It is derived again in one pass over the records, with integers that are exact or rounded outward;
there is no search and no solver. Designs are checked by `designs`.
Notation: the slope of an output is P(output | 0) : P(output | 1), given the value of one record,
as two integers u : v up to a factor; 1 : 0 is infinite. r_t(x) is the probability of redacting
record t when its value is x.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations, repeat
from typing import NamedTuple

from ..files import input_file
from ..level import Level, Point
from ..reading import Accepted, Node, Refused, require, scaled, show, size, spend

MAX_RECORDS = 1_000_000
MIN_PRECISION, MAX_PRECISION = 16, 1_000_000  # bits that rounded slopes keep

Slope = tuple[int, int]
Both = tuple[Slope, Slope]  # the least and the largest slope of some outputs, or bounds of these
Row = tuple[int, int, int]  # a unit, and r(0), r(1) as multiples of 1 / unit
REDACTED: Row = (1, 1, 1)


class Matrix(NamedTuple):
    """The map u : v to a u + b v : c u + d v of slopes, up to a factor."""

    a: int
    b: int
    c: int
    d: int


def check(kind: str, top: Node, paths: Sequence[str]) -> Accepted:
    """Check a certificate, and the files it was made from if given."""
    part = top.fields("format kind chain private redaction precision inputs claim")
    chain = Chain(part["chain"], part["private"])
    inputs = part["inputs"].fields("framework mechanism")
    rows = profile(part["redaction"], chain.length)
    hashes = [inputs[key].digest() for key in ("framework", "mechanism")]
    require(len(paths) in (0, 2), "expected a framework file and a mechanism file")
    files = [*map(input_file, paths, hashes, ("framework", "mechanism"))]
    names = ""
    if files:
        values = compare_framework(chain, files[0])
        compare_mechanism(rows, values, files[1])
        names = f", where 0 and 1 are {show(values)} in this order"
    claim = part["claim"].fields("relation level output")
    outcome = leakage(chain, rows, Arithmetic(part["precision"]), claim) + names
    return Accepted(kind, outcome, chain.length, "matched" if files else "not given")


class Chain:
    """Records 1 .. n with values 0 and 1.

    P(1 after 0) = alpha, P(0 after 1) = beta; the first record has a law up to a factor.
    """

    def __init__(self, node: Node, private: Node) -> None:
        part = node.fields("alpha beta length initial")
        self.alpha, self.beta = part["alpha"].number(), part["beta"].number()
        inside = 0 < self.alpha < 1 and 0 < self.beta < 1
        require(inside, "chain: alpha and beta are to be above 0 and below 1")
        self.length, self.private = part["length"].whole(), private.whole()
        known = 1 <= self.private <= self.length
        require(known, "private: expected a record from 1 to {}", self.length)
        require(self.length <= MAX_RECORDS, "too large: over {} records", MAX_RECORDS)
        self.stationary = part["initial"].value == "stationary"
        law = [self.beta, self.alpha] if self.stationary else part["initial"].law(2)
        possible = self.private > 1 or all(law)
        require(possible, "a value of the private record has probability 0")
        _, (zero, one) = scaled(law)
        self.initial: Slope = zero, one

    def turned(self) -> Chain:
        """Return the chain with its values exchanged."""
        other = Chain.__new__(Chain)
        turned = {"alpha": self.beta, "beta": self.alpha, "initial": self.initial[::-1]}
        vars(other).update(vars(self) | turned)
        return other

    @property
    def forth(self) -> Matrix:
        """Takes likelihoods given X_(t+1) to those given X_t."""
        unit, (a, b) = scaled([self.alpha, self.beta])
        return Matrix(unit - a, a, b, unit - b)

    @property
    def back(self) -> Matrix:
        """Takes joint probabilities with X_t to those with X_(t+1)."""
        stay, leave, enter, remain = self.forth
        return Matrix(stay, enter, leave, remain)

    def name(self) -> str:
        start = "a stationary" if self.stationary else "a"
        steps = f"P(1 after 0) = {show(self.alpha)}, P(0 after 1) = {show(self.beta)}"
        chain = f"{start} binary chain of {self.length} records with {steps}"
        return f"record {self.private} of {chain}"


class Arithmetic:
    """Slopes in integers: exact, or rounded to bits, so that a set of outputs grows or shrinks."""

    def __init__(self, node: Node) -> None:
        self.bits = None if node.value is None else node.whole()
        known = self.bits is None or MIN_PRECISION <= self.bits <= MAX_PRECISION
        text = "precision: expected null, or from {} to {} bits"
        require(known, text, MIN_PRECISION, MAX_PRECISION)

    def moved(self, matrix: Matrix, both: Both, wide: bool) -> Both:
        """Return the extreme slopes one record nearer to p.

        The map of slopes falls if the determinant is negative.
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
        self, rows: Iterable[Row], matrix: Matrix, start: Slope, symbols: Iterable[str | None], wide: bool
    ) -> Both:
        """Return the extreme slopes of the outputs of one side, or of one, the farthest first."""
        both = start, start
        for row, symbol in zip(rows, symbols):
            long = max(n.bit_length() for slope in both for n in slope)
            spend(2, long, row[0].bit_length())
            both = self.moved(matrix, shown(both, row, symbol), wide)
        return both

    def sides(self, chain: Chain, rows: Sequence[Row], output: Sequence[str | None], wide: bool) -> tuple[Both, Both]:
        """Return the extreme slopes, given X_p, of the outputs left of p and right of p."""
        p = chain.private
        right = self.side(rows[: p - 1 : -1], chain.forth, (1, 1), output[: p - 1 : -1], wide)
        if chain.stationary:  # and so reversible: pi(0) alpha = pi(1) beta
            return self.side(rows[: p - 1], chain.forth, (1, 1), output, wide), right
        low, high = self.side(rows[: p - 1], chain.back, chain.initial, output, wide)
        hidden = repeat(REDACTED, p - 1)
        least, largest = self.side(hidden, chain.back, chain.initial, repeat(None), wide)  # P(X_p)
        return (over(low, largest), over(high, least)), right

    def total(self, chain: Chain, rows: Sequence[Row], output: Sequence[str | None], wide: bool) -> Slope:
        """Return a bound of e^leakage, or of the ratio of one output: from above if `wide`."""
        (low, high), (least, largest) = self.sides(chain, rows, output, wide)
        row, symbol = rows[chain.private - 1], output[chain.private - 1]
        bits = sum(n.bit_length() for slope in (low, high, least, largest) for n in slope)
        spend(4, *[bits + row[0].bit_length()] * 2)
        return extreme(shown((times(low, least), times(high, largest)), row, symbol))


def shown(both: Both, row: Row, symbol: str | None) -> Both:
    """Return the extreme slopes after one more record, whose output is any or `symbol`."""
    least, largest = both
    return possible(least, row, "1*0", symbol), possible(largest, row, "0*1", symbol)


def possible(slope: Slope, row: Row, order: str, symbol: str | None) -> Slope:
    """Return the slope of the first of these outputs of one record that is possible.

    The slope given is that of what lies beyond.
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


def exceeds(level: Level, ratio: Slope) -> bool:
    """Decide ratio > e^level."""
    return level.exceeded(Point(ratio[0], 1, ratio[1], 1))


def reaches(level: Level, ratio: Slope) -> bool:
    """Decide ratio >= e^level, which is rational or transcendental."""
    spend(1, ratio[0].bit_length() + ratio[1].bit_length(), 2 * size(level.value))
    if level.form == "nats" and level.value != 0:
        return exceeds(level, ratio)
    num, den = (level.value or Fraction(1)).as_integer_ratio()
    return ratio[0] * den >= num * ratio[1]


def compare_framework(chain: Chain, file: Node) -> list[str]:
    """Refuse unless the file is about this chain and record; return what it calls 0 and 1."""
    top = file.fields("format records secrets pairs priors", "closure")
    names = alphabet(chain, top["records"], file.where)
    compare_pairs(chain, top, names, file.where)
    compare_prior(chain, [*top["priors"].children().values()], file.where)
    if "closure" in top:
        top["closure"].one_of(["list", "convex"])  # of one prior they are the same
    return names


def alphabet(chain: Chain, node: Node, where: str) -> list[str]:
    """Return the two values of a record, the outputs with which can be told apart."""
    records = node.fields("count alphabet")
    names = records["alphabet"].labels()
    require(len(names) == 2, "{}: expected two values, found {}", where, names)
    single = [*map(len, names)] == [1, 1]
    apart = "*" not in names and (single or "," not in "".join(names))
    require(apart, "{}: outputs with the values {} could not be told apart", where, names)
    same = records["count"].whole() == chain.length
    require(same, "{}: expected {} records", where, chain.length)
    return names


def compare_pairs(chain: Chain, top: dict[str, Node], names: list[str], where: str) -> None:
    """Refuse unless secrets are values of the private record, and each pair is of both."""
    values = {}
    for name, node in top["secrets"].children().items():
        part = node.fields("record value")
        same = part["record"].whole() == chain.private
        require(same, "{}: expected record {}", node.where, chain.private)
        values[name] = part["value"].one_of(names)
    spend(2 * len(values) ** 2 + 2 * len(names))
    pairs: list[tuple[str, ...]]
    if top["pairs"].value == "disjoint":
        pairs = [pair for pair in combinations(values, 2) if values[pair[0]] != values[pair[1]]]
    else:
        pairs = [tuple(node.labels()) for node in top["pairs"].entries()]
    known = all(len(pair) == 2 and {*pair} <= {*values} for pair in pairs)
    both = known and all({*names} == {values[x] for x in pair} for pair in pairs)
    text = "{}: expected pairs of both values of record {}"
    require(both and pairs, text, where, chain.private)


def compare_prior(chain: Chain, priors: list[Node], where: str) -> None:
    """Refuse unless the one prior is the chain."""
    require(len(priors) == 1, "{}: expected one prior, found {}", where, len(priors))
    prior, where = priors[0].fields("markov")["markov"], priors[0].where
    part = prior.fields("initial transition")
    moves = [node.law(2) for node in part["transition"].entries()]
    same = moves == [[1 - chain.alpha, chain.alpha], [chain.beta, 1 - chain.beta]]
    require(same, "{}: the transition probabilities differ from the certificate's", where)
    stationary, law = part["initial"].value == "stationary", [chain.beta, chain.alpha]
    start = law if stationary else part["initial"].law(2)
    same = start[0] * chain.initial[1] == start[1] * chain.initial[0]
    require(same, "{}: the initial law differs from the certificate's", where)


def compare_mechanism(rows: list[Row], names: list[str], file: Node) -> None:
    """Refuse unless the file has the same probabilities, and outputs of these names."""
    form, where, outputs = file.fields("format redaction", "outputs"), file.where, [*names, "*"]
    same = "outputs" not in form or form["outputs"].labels() == outputs
    require(same, "{}: expected the outputs {}", where, outputs)
    nodes = [node.entries() for node in form["redaction"].entries()]
    whole = all(len(pair) == 2 for pair in nodes)
    require(whole, "{}: expected two numbers for every record", where)
    theirs = [row_of(zero.number(), one.number()) for zero, one in nodes]
    require(theirs == rows, "{}: the probabilities differ from the certificate's", where)


def row_of(zero: Fraction, one: Fraction) -> Row:
    unit, (a, b) = scaled([zero, one])
    inside = 0 <= a <= unit and 0 <= b <= unit
    require(inside, "redaction: {} and {} are not both probabilities", zero, one)
    return unit, a, b


def runs(node: Node, width: int, length: int) -> Iterator[tuple[int, list[Fraction]]]:
    """Read a list of [count, numbers], for so many equal entries each, and so many in all."""
    left = length
    for entry in node.entries():
        parts = entry.entries()
        known = len(parts) == 1 + width
        require(known, "{}: expected a count and {} numbers", entry.where, width)
        count = parts[0].whole()
        left -= count
        room = count > 0 and left >= 0
        require(room, "{}: expected {} entries in all", entry.where, length)
        yield count, [number.number() for number in parts[1:]]
    require(left == 0, "{}: expected {} entries in all, {} are missing", node.where, length, left)


def profile(node: Node, length: int) -> list[Row]:
    """Read the probabilities of redacting each of so many records."""
    pairs = ((count, row_of(zero, one)) for count, (zero, one) in runs(node, 2, length))
    return [row for count, row in pairs for _ in range(count)]


def leakage(chain: Chain, rows: list[Row], numbers: Arithmetic, part: dict[str, Node]) -> str:
    """Rule redaction-leakage: the leakage, or that of one output, is below or above a level."""
    relation, infinite = (part["relation"].one_of(["<=", "=", ">=", ">"]), part["level"].value == "inf")
    level = None if infinite else Level(part["level"])
    text = None if part["output"].value is None else part["output"].of(str)
    reason = "level: every leakage is at most, and none more than, infinite"
    require(relation in ("=", ">=") or not infinite, reason)
    require(relation != "<=" or text is None, "output: one output proves no upper bound")
    none: list[str | None] = [None] * chain.length
    output = none if text is None else [*text]
    known = len(output) == chain.length and {*output} <= {None, *"01*"}
    require(known, "output: expected {} of 0, 1, *", chain.length)
    if relation in ("<=", "="):
        above = numbers.total(chain, rows, none, True)
        within = level is None or not exceeds(level, above)
        require(within, "the leakage may be more than {}", level and level.name)
    if relation != "<=":
        proved = below(numbers.total(chain, rows, output, False), relation, level)
        name = level.name if level else "infinite"
        require(proved, "the leakage is not shown to be {} {}", relation, name)
    bound = level.name if level else "infinity"
    words = {"<=": "at most", "=": "equal to", ">=": "at least", ">": "more than"}[relation]
    at = "" if text is None else f", at the output {show(text)}"
    return f"the leakage of the redaction mechanism about {chain.name()} is {words} {bound}{at}"


def below(ratio: Slope, relation: str, level: Level | None) -> bool:
    """Decide whether a bound from below shows a relation to a level, None if that is infinite."""
    if level is None:
        return ratio[1] == 0
    return exceeds(level, ratio) if relation == ">" else reaches(level, ratio)


RULES = ("redaction-leakage",)
