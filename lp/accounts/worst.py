"""The worst case of a guarantee per record under a framework: the largest delta at a level, the
least level at a delta, over all mechanisms that keep it, all priors, and both orders of all pairs.

Databases that can be listed are one program (`flips`); longer chains are enclosed by windows
around the secret (`windows`).
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from pufferproof.lp.accounts.flips import COARSE, NEAR, Ends, Law, Neighbours, Pair, Program
from pufferproof.lp.accounts.guarantees import BITS, Guarantee
from pufferproof.lp.accounts.windows import Steps, Windows
from pufferproof.lp.cones.columns import Columns
from pufferproof.lp.translation.sets import orders
from pufferproof.models.errors import ModelError
from pufferproof.models.framework import Framework
from pufferproof.models.listing import Pair as Secrets
from pufferproof.models.numbers.level import Level
from pufferproof.models.priors.markov import MarkovChain
from pufferproof.models.priors.tables import Product
from pufferproof.models.sequences.chain import Chain
from pufferproof.models.views import possible_values

MOST = 2**13  # databases of one program
DELTA_WIDTH = Fraction(1, 10**9)  # relative
SMOOTH_WIDTH = Fraction(1, 10**6)  # of a guarantee that is not a list of lines
LEVEL_WIDTH = Fraction(1, 10**6)

_TOGETHER = Fraction(1, 100)  # relative: ends that are worth another look

Ask = Callable[[Pair, Ends, float], Ends]
Stages = Iterator[tuple[Pair | None, Pair | None]]


@dataclass
class Case:
    """One prior and ordered pair of secrets: what is known of its worst case."""

    prior: str
    pair: Secrets
    stages: Stages
    ends: Ends
    done: bool = False

    def refine(self, ask: "Ask") -> None:
        """Ask the next programs: coarsely, and again if that brings the ends together, or if they are
        the last.
        """
        below, above = next(self.stages, (None, None))
        self.done = below is None and above is None
        for near in (COARSE, NEAR):
            lower, upper = self.ends.lower, self.ends.upper
            if below is not None:
                found = ask(below, self.ends, near)
                lower = None if lower is None or found.lower is None else max(lower, found.lower)
                if above is below:
                    upper, self.done = _least(upper, found.upper), True
            if above is not None and above is not below:
                upper = _least(upper, ask(above, self.ends, near).upper)
            self.ends = Ends(lower, upper)
            if not self.done and not self.ends.close(_TOGETHER):
                break


def _least(one: Fraction | None, other: Fraction | None) -> Fraction | None:
    return min((end for end in (one, other) if end is not None), default=None)


@dataclass(frozen=True)
class Worst:
    """The worst case of a guarantee, between both ends, and the prior and pair that it is of."""

    ends: Ends
    prior: str
    pair: Secrets


def worst_delta(framework: Framework, guarantee: Guarantee, level: Level) -> Worst:
    """Return the largest delta at a level, over all mechanisms of a guarantee per record.

    >>> from fractions import Fraction
    >>> from pufferproof import Framework, MarkovChain, Records
    >>> from pufferproof.lp.accounts.guarantees import Points
    >>> chain = MarkovChain("stationary", [["4/5", "1/5"], ["1/5", "4/5"]])
    >>> secrets = {"zero": (5000, "0"), "one": (5000, "1")}
    >>> framework = Framework.of_records(Records(10000, ("0", "1")), secrets, [("zero", "one")], {"theta": chain})
    >>> worst = worst_delta(framework, Points.of([("1/2", "1/100000")]), Level("1.25"))
    >>> round(float(worst.ends.lower), 9), round(float(worst.ends.upper), 9)
    (0.099948938, 0.099948938)

    Raises `ModelError` unless databases are made of records, and priors are a list of chains or
    databases can be listed.
    """
    ratio = level.bounds(BITS)
    width = SMOOTH_WIDTH if guarantee.smooth else DELTA_WIDTH
    return _worst(
        framework, guarantee, lambda pair, _, near: pair.delta(ratio, near), Ends(Fraction(0), Fraction(1)), width
    )


def worst_level(framework: Framework, guarantee: Guarantee, delta: Fraction) -> Worst:
    """Return the least level, as e to it, that all mechanisms of a guarantee per record keep but
    for a probability of `delta`.

    Raises `ModelError` as `worst_delta`.
    """

    width = 10 * LEVEL_WIDTH if guarantee.smooth else LEVEL_WIDTH

    def ask(pair: Pair, known: Ends, near: float) -> Ends:
        start = Fraction(1) if known.lower is None else known.lower
        return pair.level(delta, width / 10, start, near)

    return _worst(framework, guarantee, ask, Ends(Fraction(1), None), width)


def group_privacy(records: int, guarantee: Guarantee, ask: Callable[[Pair], Ends]) -> Ends:
    """Return both ends of what is asked for databases that differ in all records: databases along a
    path, each a neighbour of the next.
    """
    import numpy as np

    steps = np.arange(records, dtype=np.int32)
    near = Neighbours(records + 1, np.concatenate([steps, steps + 1]), np.concatenate([steps + 1, steps]))
    p, q = (_law(records + 1, [place], [1], 1) for place in (0, records))
    program = Program(near.size, [near.within(guarantee)])
    return ask(Pair(p, q, program, near, guarantee))


def _worst(framework: Framework, guarantee: Guarantee, ask: Ask, known: Ends, width: Fraction) -> Worst:
    """Return the worst case of all priors and pairs: the one that may be the largest is asked
    more, until it is known.
    """
    cases = [Case(prior, pair, stages, known) for prior, pair, stages in _stages(framework, guarantee)]
    if not cases:
        raise ModelError("nothing to check: under every prior, each pair has a secret of probability 0", "pairs")
    for case in cases:
        case.refine(ask)
    while True:
        top = max(cases, key=lambda case: _height(case.ends.upper))
        lower = max((case.ends.lower for case in cases), key=_height)
        ends = Ends(lower, top.ends.upper)
        if ends.close(width):
            break
        left = [case for case in cases if not case.done and _height(case.ends.upper) > _height(lower)]
        if top.done or not left:
            break
        top.refine(ask)
    named = max(cases, key=lambda case: (_height(case.ends.lower), _height(case.ends.upper)))
    return Worst(ends, named.prior, named.pair)


def _height(end: Fraction | None) -> tuple[bool, Fraction]:
    """A key that orders ends, None above all."""
    return end is None, Fraction(0) if end is None else end


def _stages(framework: Framework, guarantee: Guarantee) -> Iterator[tuple[str, Secrets, Stages]]:
    """List the priors and ordered pairs of secrets of positive probability, with their programs."""
    records = framework.expect_records()
    if framework.classes:
        raise ModelError("a class of priors: expected a list of priors, such as the corners of a box", "priors")
    if framework.closure != "list":
        raise ModelError('mixtures of priors: expected "closure": "list"', "closure")
    letters = len(records.alphabet)
    if framework.along_records and all(isinstance(prior, MarkovChain | Product) for prior in framework.priors.values()):
        yield from _along(framework, guarantee)
        return
    if not records.enumerable or letters**records.count > MOST:
        raise ModelError(
            f"expected Markov chains or independent records, or at most {MOST} databases, found {records}", "priors"
        )
    yield from _listed(framework, guarantee)


def _along(framework: Framework, guarantee: Guarantee) -> Iterator[tuple[str, Secrets, Stages]]:
    records = framework.expect_records()
    for name, prior in framework.priors.items():
        chain = Chain.of(prior, records)  # type: ignore[arg-type]
        steps = Steps.of(chain, records.count)
        for order in orders(framework):
            if {order.one, order.other} <= possible_values(framework, name, [order.record])[order.record]:
                windows = Windows(steps, order.record, order.one, order.other, len(records.alphabet), guarantee)
                yield name, order.pair, windows.stages()


def _listed(framework: Framework, guarantee: Guarantee) -> Iterator[tuple[str, Secrets, Stages]]:
    records = framework.expect_records()
    columns = Columns(framework)
    near = Neighbours.of_words(len(records.alphabet), records.count)
    for laws in columns.laws:
        p, q = (
            _law(near.size, columns.databases, weights, total)
            for weights, total in ((laws.mu, laws.mu_total), (laws.nu, laws.nu_total))
        )
        program = Program(near.size, [near.within(guarantee)])
        pair = Pair(p, q, program, near, guarantee)
        prior, order = laws.places[0]
        yield prior, order, iter([(pair, pair)])


def _law(size: int, places: Sequence[int], weights: Sequence[int], total: int) -> Law:
    found = [Fraction(0)] * size
    for place, weight in zip(places, weights):
        found[place] = Fraction(weight, total)
    return Law.of([(p, p) for p in found])
