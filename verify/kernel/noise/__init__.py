"""What noise on a sum of the records of a Markov chain leaks: one release, or several of it.

Nothing is listed and nothing is searched: the law of the sum is derived from the chain, with
integers that are exact or rounded outward. Notation: F = least + grain n is the query, n a sum of
c(x) over the records; tau the decay of all noise together per step of n; S(w, v) = sum_n P(n | v)
tau^|w - n|.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial

from ..level import Level, Point
from ..reading import Accepted, Node, require, show
from . import cells, classes, counts, delta
from .laws import Laws, Masses, Pairs, corner, decay, falls, live, ordered, place, places, smoothed, smoothed_exactly
from .model import Model, Query, about, named, opened, precision, width_of
from .rounding import Rounded, compared, cut, whole
from .segments import Walk


def check(kind: str, top: Node, paths: Sequence[str]) -> Accepted:
    """Check a certificate, and the files it was made from if given."""
    statement, checked, inputs = RULES[kind](top, paths)
    return Accepted(kind, statement, checked, inputs)


def at_most(top: Node, paths: Sequence[str]) -> tuple[str, int, str]:
    """For all l, r, w, pairs in both orders: S(w, v) <= R S(w, v')."""
    claim, model, inputs = opened(top, "level width bits", paths, Model)
    require(model.noise.precision == 0, "normal noise has no bounded ratio: expected a delta")
    level, width, bits = Level(claim["level"]), width_of(claim["width"]), precision(claim["bits"])
    several, checked = len(model.groups) > 1, 0
    require(not several or width is None, "width: no rule for windows of several segments")
    for point in together(model, bits) if several else alone(model, width, bits):
        require(not level.exceeded(point), "the ratio at an output exceeds {}", level.name)
        checked += 1
    require(checked > 0, "nothing to check")
    seen = "" if width is None else f", by windows of {width - 1} records on either side"
    return f"the leakage of {about(model)} is at most {level.name}{seen}", checked, inputs


def alone(model: Model, width: int | None, bits: int) -> Iterator[Point]:
    """Yield what is compared of one query."""
    points = exactly if model.noise.nats == 0 and width is None else outward
    for prior, record, wanted in places(model):
        found = place(model, prior, record, width, bits)
        pairs = ordered(wanted, live(found))
        for _, laws in found.laws if pairs else ():
            yield from points(model, found.masses, laws, pairs, bits)


def together(model: Model, bits: int) -> Iterator[Point]:
    """Yield what is compared of queries of disjoint segments."""
    walks = {name: Walk(chain, model.groups, bits) for name, chain in model.priors.items()}
    for prior, record, wanted in places(model):
        yield from walks[prior].points(record, wanted)


def exactly(model: Model, masses: Masses, laws: Laws, pairs: Pairs, bits: int) -> Iterator[Point]:
    """Yield S(w, v), P(v), S(w, u), P(u) at every w, of a rational decay and the law of all."""
    known, many = sorted({v for pair in pairs for v in pair}), model.query_.counts
    given, along = [laws[v] for v in known], partial(smoothed_exactly, model.noise.ratio)
    sums = dict(zip(known, counts.spread(given, many, along) if many > 1 else along(given)))
    for v, u in pairs:
        p, q = sum(laws[v]), sum(laws[u])
        yield from (Point(a, p, b, q) for a, b in zip(sums[v], sums[u]))


def outward(model: Model, masses: Masses, laws: Laws, pairs: Pairs, bits: int) -> Iterator[Point]:
    """Yield bounds that make the ratio at every w no smaller: S(w, v) and P(u) from above."""
    known, many = sorted({v for pair in pairs for v in pair}), model.query_.counts
    sides = list[dict[int, Iterable[Rounded]]]()
    for up in (False, True):
        given, tau = [laws[v] for v in known], decay(model.noise, bits, up)
        sums: Iterable[Iterable[Rounded]] = (smoothed(law, tau, bits, up) for law in given)
        sums = counts.smoothed(given, many, tau, bits, up) if many > 1 else sums
        sides.append(dict(zip(known, sums)))
    for v, u in pairs:
        yield from compared(sides[1][v], masses[v][0], sides[0][u], masses[u][1])


def witness(top: Node, paths: Sequence[str]) -> tuple[str, int, str]:
    """N10: at one output, S(w, v) > R S(w, v')."""
    return exceeded(*opened(top, "prior pair output exceeds bits", paths, Model))


def of_member(top: Node, paths: Sequence[str]) -> tuple[str, int, str]:
    """NV2: N10 of a chain that is shown to be of a class."""
    return exceeded(*classes.member(top, paths))


def exceeded(claim: dict[str, Node], model: Model, inputs: str) -> tuple[str, int, str]:
    """Show that the ratio of one output exceeds a level."""
    level, bits = Level(claim["exceeds"]), precision(claim["bits"])
    require(model.noise.precision == 0, "normal noise has no bounded ratio: expected a delta")
    prior, (record, v, u), pair = named(claim, model)
    if len(model.groups) > 1:
        powers = [
            falls(query, [end_of(model, query, node)])
            for (query, _), node in zip(model.groups, outputs_of(claim, model))
        ]
        a, p, b, q = corner(model, prior, (record, v, u), powers, bits)
    else:
        a, p, b, q = at_output(model, prior, (record, v, u), claim["output"], bits)
    require(p[0] > 0 and q[0] > 0, "a secret has probability 0")
    (a_, b_), (p_, q_) = whole(a, b), whole(p, q)
    require(level.exceeded(Point(a_, p_, b_, q_)), "the ratio does not exceed {}", level.name)
    where = f"at the output {show(claim['output'].value)} for {show(pair[0])} against "
    where += f"{show(pair[1])}, prior {show(prior)}"
    return f"the leakage of {about(model)} exceeds {level.name} {where}", 1, inputs


def at_output(
    model: Model, prior: str, place_of: tuple[int, int, int], node: Node, bits: int
) -> tuple[Rounded, Rounded, Rounded, Rounded]:
    """Bound S(w, v), P(v), S(w, v') and P(v') at an output of one query."""
    (record, v, u), query = place_of, model.query_
    nodes = node.entries(query.counts) if query.counts > 1 else [node]
    steps = [(each.number() - query.least) / query.grain for each in nodes]
    top = (1 if query.counts > 1 else max(query.adds)) * query.covered(1, model.count)
    top *= model.people
    known = all(step.denominator == 1 and 0 <= step <= top for step in steps)
    require(known, "output: expected a value of the query, from the least to the largest")
    if all(step in (0, top) for step in steps):
        return corner(model, prior, place_of, [falls(query, [x == 0 for x in steps])], bits)
    require(model.people == 1, "output: expected the least or the largest value of all people")
    _, laws = next(place(model, prior, record, None, bits).laws)
    if query.counts > 1:
        output = [int(step) for step in steps]
        a, b = (counts.at(model.noise, query.counts, laws[x], output, bits, up) for x, up in ((v, False), (u, True)))
    else:
        up, down = (decay(model.noise, bits, way) for way in (True, False))
        a = smoothed(laws[v], down, bits, False)[int(steps[0])]
        b = smoothed(laws[u], up, bits, True)[int(steps[0])]
    return a, cut((sum(laws[v]), 0), bits, True), b, cut((sum(laws[u]), 0), bits, False)


def outputs_of(claim: dict[str, Node], model: Model) -> list[Node]:
    return claim["output"].entries(len(model.groups))


def end_of(model: Model, query: Query, node: Node) -> bool:
    """Say whether an output is the least value of a query; else it is the largest."""
    steps = (node.number() - query.least) / query.grain
    top = max(query.adds) * (query.last - query.first + 1) * model.people
    require(steps in (0, top), "output: expected the least or the largest value of each segment")
    return steps == 0


RULES = {
    "noise-leakage-at-most": at_most,
    "noise-leakage-witness": witness,
    "noise-class-at-most": cells.at_most,
    "noise-class-witness": of_member,
    **delta.RULES,
}
