"""The largest Renyi divergence of tables of exponential sums, for an order alpha > 1: enclosed; of
tables of which something is left, from below.

    e^((alpha - 1) epsilon) = max over theta, (s, s') of  sum over y of p^alpha q^(1 - alpha),

with p, q the probabilities of y given two secrets. If p, q are what is listed, and l_q is left of
the second, then

    sum over listed y of p^alpha (q + l_q)^(1 - alpha)

is at most that, since p^alpha q^(1 - alpha) rises in p and falls in q. There is no upper bound:
outputs that are not listed may be possible given one secret alone.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from flint import ctx

from pufferproof.models.errors import ModelError, TooLargeError
from pufferproof.models.framework import Framework
from pufferproof.models.interface.kinds import Number
from pufferproof.models.listing import Pair
from pufferproof.models.noise.tables.normal import NormalTable
from pufferproof.models.noise.tables.partial import PartialTable
from pufferproof.models.noise.tables.powers import PowerTable
from pufferproof.models.numbers.enclosures import Enclosure, dyadic
from pufferproof.models.numbers.exponential_sums import ExponentialSum
from pufferproof.models.numbers.level import Level
from pufferproof.models.numbers.text import at_least
from pufferproof.verify.leakage.laws import ordered_pairs
from pufferproof.verify.leakage.renyi import Bounds, Moment, Renyi, largest_of, moment_sum, order_of
from pufferproof.verify.noise.integrals.renyi.several import Integral
from pufferproof.verify.noise.ratio.partial import Mixtures
from pufferproof.verify.noise.ratio.tables import TableLaws

Terms = Callable[[], list[tuple[Any, Any]]]  # balls of p and q at the working precision


@dataclass(frozen=True, repr=False)
class RenyiAtLeast(Renyi):
    """A Renyi divergence that is known from below."""

    def enclosure(self) -> Enclosure:
        """Return the lower bound in nats, and no upper one."""
        return Enclosure(super().enclosure().lower, "inf")

    @property
    def moment(self) -> None:
        """None: only a bound of it is known."""
        return

    def compare(self, level: Level) -> int | None:
        """Return 1 if the divergence is more than a level, None if that is not known."""
        return 1 if super().compare(level) == 1 else None

    def text(self) -> str:
        """Write the bound for a person."""
        if self.infinite:
            return "infinite"
        return f"at least {at_least(self.enclosure().lower, 7)} nats, no upper bound is known"


def table_renyi(framework: Framework, table: PowerTable | PartialTable, alpha: Number) -> Renyi:
    """Return the largest Renyi divergence of order alpha of a table, over listed priors and ordered
    pairs; a lower bound of it if something of the table is left.

    Raises `ModelError` for outputs with numbers that are drawn, unless every possible database has
    a row, priors are a list, and there is something to check.
    """
    order = order_of(alpha)
    if isinstance(table, PowerTable):
        return largest_of(order, list(_of_table(framework, table, order)))
    if isinstance(table, NormalTable) and not table.rounded:
        raise ModelError(
            "needs Gaussian noise that is rounded, found a number that is clamped, hidden, or "
            "has a sigma of its own for every database (a delta is decided for it)",
            "renyi",
        )
    if table.densities:
        raise ModelError(
            "needs listed outputs and noise on a query, found numbers that are drawn on some "
            "paths alone (a delta is decided for them)",
            "renyi",
        )
    some = any(rest.terms for rest in table.left)
    moments = list(_of_partial(Mixtures(framework, table), order))
    return largest_of(order, moments, RenyiAtLeast if some else Renyi)


def _of_table(framework: Framework, table: PowerTable, order: Fraction) -> Iterator[Moment]:
    laws, outputs = TableLaws(framework, table), range(len(table.outputs))
    for prior in framework.priors:
        for pair in ordered_pairs(framework, prior):
            above = [y for y in outputs if laws.possible(prior, pair[0], y)]

            def balls(prior: str = prior, pair: Pair = pair, above: Sequence[int] = above) -> list[tuple[Any, Any]]:
                laws.forget()  # what was enclosed less closely
                return [(laws.ball(prior, pair[0], y), laws.ball(prior, pair[1], y)) for y in above]

            infinite = any(not laws.possible(prior, pair[1], y) for y in above)
            yield _moment(order, prior, pair, balls, infinite, alike(laws, prior, pair))


def alike(laws: TableLaws, prior: str, pair: Pair) -> bool:
    """Whether two laws are the same by their forms; False if these are too long."""
    outputs = range(len(laws.table.outputs))
    if any(not laws.ball(prior, pair[0], y).overlaps(laws.ball(prior, pair[1], y)) for y in outputs):
        return False
    with suppress(TooLargeError):
        return all(first == second for first, second in (laws.exact(prior, pair, y) for y in outputs))
    return False


def _of_partial(laws: Mixtures, order: Fraction) -> Iterator[Moment]:
    for prior, pair in laws.pairs():
        *above, _ = laws.given(prior, pair[0])
        *below, left = laws.given(prior, pair[1])
        never = [laws.impossible(prior, pair[1], output) for output in laws.table.outputs]
        rows = zip(above, below, never)
        both = [(p, ExponentialSum([]) if no else q + left) for p, q, no in rows if p.terms]

        def balls(both: Sequence[tuple[ExponentialSum, ExponentialSum]] = both) -> list[tuple[Any, Any]]:
            whole = laws.whole.ball()
            return [(p.ball() / whole, q.ball() / whole) for p, q in both]

        infinite = any(not q.terms for _, q in both)
        yield _moment(order, prior, pair, balls, infinite, above == below and not left.terms)


def _moment(order: Fraction, prior: str, pair: Pair, balls: Terms, infinite: bool, alike: bool) -> Moment:
    if infinite:
        return Moment(order, prior, pair, ((Fraction(1), Fraction(0)),))

    def enclosing(bits: int) -> Bounds:
        with ctx.workprec(bits):
            total = moment_sum(((p, p / q) for p, q in balls()), order)
            return max(dyadic(total.lower()), Fraction(0)), dyadic(total.upper())

    nats = Fraction(0) if alike else None
    return Integral(order, prior, pair, enclosing=enclosing, nats=nats)
