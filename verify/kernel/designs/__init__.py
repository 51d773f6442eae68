"""Redaction designs: what mechanisms leak and release, and what none of their class releases.

Leakages, utilities and bounds are derived again from a stationary binary chain, with integers that
are exact or rounded outward; there is no search and no solver. `three_r` has the classes whose
mechanisms follow regions. Notation: that of `redaction`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from itertools import islice, pairwise, product
from math import prod
from typing import NamedTuple

from ..level import Level
from ..reading import Accepted, Node, Refused, require, scaled, show, size
from .redaction import Arithmetic, Chain, Row, Slope, exceeds, extreme, profile, reaches, times
from .three_r import NOTHING, Design, added, spend_product

MAX_CENTRAL, MAX_DESIGNS = 10, 20  # records of a chain that is enumerated; designs


def check(kind: str, top: Node, paths: Sequence[str]) -> Accepted:
    """Check a certificate, which is given alone."""
    part = top.fields("format kind chain private claim")
    require(not paths, "the kind {} speaks of no files, but some are given", kind)
    chain = Chain(part["chain"], part["private"])
    require(chain.stationary, "initial: designs are of stationary chains")
    claim = part["claim"].fields("level designs")
    level, nodes = Level(claim["level"]), claim["designs"].entries()
    require(0 < len(nodes) <= MAX_DESIGNS, "designs: expected from 1 to {}", MAX_DESIGNS)
    outcomes = "; ".join([design(chain, level, node) for node in nodes])
    statement = f"about {chain.name()}, within {level.name}: {outcomes}"
    return Accepted(kind, statement, len(nodes) * chain.length)


class Measured(NamedTuple):
    """A mechanism, bounds of e^leakage from below and above, and its utility."""

    rows: list[Row]
    below: Slope
    above: Slope
    utility: Fraction


def design(chain: Chain, level: Level, node: Node) -> str:
    """Check what one mechanism leaks and releases, and what none of its class can exceed."""
    part = node.fields("name precision redaction leakage utility proof")
    numbers = Arithmetic(part["precision"])
    name, utility = part["name"].one_of([*CLASSES]), part["utility"].fields("lower upper")
    given = (central if name == "central-lp" else local)(chain, numbers, part["redaction"])
    require(not exceeds(level, given.above), "{} may leak more than {}", name, level.name)
    leaks = between(name, given, part["leakage"])
    released, proof = given.utility, part["proof"]
    require(released == utility["lower"].number(), "{}: the utility is {}", name, released)
    text = f"the mechanism given as {name} has leakage {leaks} and utility {show(released)}"
    if utility["upper"].value is None:
        require(proof.value is None, "{}: a proof of nothing", proof.where)
        return f"{text}, not claimed to be the best"
    most, (rule, words) = utility["upper"].number(), CLASSES[name]
    if rule is None:
        raise Refused(f"{show(name)}: there is no rule for an upper bound")
    require(released <= most, "{}: the upper bound is below the utility", name)
    rule(Design(chain, given.rows, numbers, level, most * chain.length, proof))
    return f"{text}, and no {words} has more than {show(most)}"


def between(name: str, given: Measured, node: Node) -> str:
    """Check the stated bounds of e^leakage, and put them in words."""
    bounds = [entry.number() for entry in node.entries()]
    require(len(bounds) == 2, "{}: expected two bounds of e^leakage", node.where)
    (a, b), (c, d) = given.below, given.above
    low, high = (bound.as_integer_ratio() for bound in bounds)
    enclosed = a * low[1] >= low[0] * b and c * high[1] <= high[0] * d
    require(enclosed, "{}: e^leakage is not shown to be from {} to {}", name, *bounds)
    return " to ".join(f"log({show(bound)})" for bound in dict.fromkeys(bounds))


def local(chain: Chain, numbers: Arithmetic, node: Node) -> Measured:
    """Measure a mechanism that redacts each record by its own value."""
    rows, none = profile(node, chain.length), [None] * chain.length
    below, above = (numbers.total(chain, rows, none, wide) for wide in (False, True))
    return Measured(rows, below, above, expected(chain, rows))


def expected(chain: Chain, rows: list[Row]) -> Fraction:
    """Return the expected fraction of released records of a stationary chain."""
    counts: dict[Row, int] = {}
    for row in rows:
        counts[row] = counts.get(row, 0) + 1
    for row in counts:
        spend_product(size(chain.alpha) + size(chain.beta) + 2 * row[0].bit_length())
    alpha, beta = chain.alpha, chain.beta
    parts = ((Fraction(n, row[0]), beta * row[1] + alpha * row[2]) for row, n in counts.items())
    return 1 - added([a * b for a, b in parts]) / (alpha + beta) / chain.length


def windows(design: Design) -> None:
    """Class data-independent: windows that redact fewer records leak more than the level."""
    text = "data-independent: {}"
    require(design.proof.value is None, text.format("the proof needs no numbers"))
    same = all(zero == one for _, zero, one in design.rows)
    require(same, text.format("some r_t(0) is not r_t(1)"))
    p, n = design.chain.private, design.chain.length
    sums = n - int(design.most)  # of the nearest released distances, if more are released
    slopes = [(NOTHING, NOTHING), *islice(design.values(), max(0, min(sums, n) - 1))]
    for left in range(max(1, sums - (n - p + 1)), min(p, sums - 1) + 1):
        pairs = product(slopes[left % p], slopes[(sums - left) % (n - p + 1)])
        bounds = (extreme((times(a[1], b[1]), times(a[0], b[0]))) for a, b in pairs)
        leaks = any(exceeds(design.level, bound) for bound in bounds)
        require(leaks, "data-independent: distances {} and {} may do", left, sums - left)


def anything(design: Design) -> None:
    """Class of all redactions of a short chain: prices that pay for what sequences share."""
    part = design.proof.fields("ratio prices")
    e, n, p = part["ratio"].number(), design.given.length, design.given.private
    law, start = sequences(design.given), design.given.initial
    mass = [Fraction(k, sum(start)) for k in start]
    require(reaches(design.level, e.as_integer_ratio()), "ratio: {} is below e^level", e)
    prices = {x: node.number() for x, node in part["prices"].children().items()}
    require({*prices} == {*law}, "prices: expected one for every sequence of {} values", n)
    zeros, ones = ([x for x in prices if x[p - 1] == value] for value in "01")
    text = "prices: those of {} and {} do not pay for {} shared records"
    for x, z in product(zeros, ones):
        s, t = prices[x], prices[z]
        spend_product(size(s) + size(t) + size(e) + size(mass[0]) + size(mass[1]))
        shared = sum(map(str.__eq__, x, z))
        first = e * s + t >= shared * (mass[0] * e + mass[1])
        pays = first and s + e * t >= shared * (mass[0] + mass[1] * e)
        require(pays, text, x, z, shared)
    total = added((weight / mass[int(x[p - 1])] * prices[x] for x, weight in law.items()))
    require(total <= design.most, "up to {} released records are not excluded", total)


def sequences(chain: Chain) -> dict[str, Fraction]:
    """Return the law of all sequences of values of a chain that is short enough to enumerate."""
    few = chain.length <= MAX_CENTRAL
    require(few, "too large: a chain of over {} records is not enumerated", MAX_CENTRAL)
    spend_product((size(chain.alpha) + size(chain.beta)) << chain.length)
    alpha, beta = chain.alpha, chain.beta
    steps = {"00": 1 - alpha, "01": alpha, "10": beta, "11": 1 - beta}
    start = [Fraction(n, sum(chain.initial)) for n in chain.initial]
    words = ("".join(values) for values in product("01", repeat=chain.length))
    return {x: prod((steps[a + b] for a, b in pairwise(x)), start=start[int(x[0])]) for x in words}


def central(chain: Chain, _: Arithmetic, node: Node) -> Measured:
    """Measure a mechanism that sees all records, {sequence: {output: probability}}."""
    law, rows, released = sequences(chain), node.children(), Fraction(0)
    require({*rows} == {*law}, "{}: expected all sequences of {} values", node.where, chain.length)
    likelihoods: dict[str, list[Fraction]] = {}
    for x, row in rows.items():
        outputs, z = row.children(), int(x[chain.private - 1])
        weights = Node([*row.of(dict).values()], row.where).law()
        for y, weight in zip(outputs, weights):
            follows = all(symbol in ("*", value) for symbol, value in zip(y, x))
            require(len(y) == len(x) and follows, "{}: {} shows something else", row.where, y)
            pair = likelihoods.setdefault(y, [Fraction(0), Fraction(0)])
            pair[z] = added((pair[z], law[x] * weight / chain.initial[z]))
            released = added((released, law[x] * weight * (len(y) - y.count("*"))))
    worst = worst_of(likelihoods.values())
    return Measured([], worst, worst, released / chain.length)


def worst_of(likelihoods: Iterable[list[Fraction]]) -> Slope:
    """Return the largest ratio, either way round, of the likelihoods of an output."""
    worst: Slope = (1, 1)
    for pair in likelihoods:
        u, v = scaled(pair)[1]
        ratio = extreme(((u, v), (u, v))) if u or v else worst
        worst = ratio if ratio[0] * worst[1] > worst[0] * ratio[1] else worst
    return worst


ANY = "redaction mechanism, even one that sees all records,"
CLASSES: dict[str, tuple[Callable[[Design], None] | None, str]] = {
    "data-independent": (windows, "mechanism that redacts each record whatever its value"),
    "quilt": (None, ""),
    "3r-relaxed": (Design.relaxed, "3R mechanism of equal budgets within the published constraints"),
    "3r-constant": (Design.constant, "3R mechanism with one q on each side, both within equal budgets,"),
    "3r-exact": (Design.exact, "3R mechanism with both sides within equal budgets"),
    "3r-split": (None, ""),
    "local-optimal": (anything, ANY),
    "central-lp": (anything, ANY),
}
RULES = ("redaction-designs",)
