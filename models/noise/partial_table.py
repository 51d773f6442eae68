"""Mechanisms of which outputs are listed as far as they can be: some of an output is a number with
a density, and of some probability it is not known at which outputs it is.

    P(output y | database x) = entries[x][y] + something in [0, left[x]],
    sum over y of entries[x][y] + left[x] = 1

An output with a number in it is one label; `densities` has, for every database, the density of the
number, whose integral is the entry. A program that draws until something happens is listed in part:
what is left may be at listed outputs or at others. What such a table leaks, and its delta, are in
`pufferproof.verify.noise.ratio.partial`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar, NoReturn

from pufferproof.models.errors import ModelError
from pufferproof.models.numbers.exponential_sums import ExponentialSum

if TYPE_CHECKING:
    from pufferproof.models.numbers.pieces import Piecewise

_PARTIAL = (
    "the program releases numbers that are drawn, or some of its paths were not run: audit alone "
    "takes it, for levels and deltas"
)


@dataclass(frozen=True, eq=False)
class PartialTable:
    """A mechanism whose rows may have a part that is `left`, and outputs with `densities`; entries
    and parts are exponential sums.

    >>> from fractions import Fraction
    >>> from pufferproof.models.numbers.exponential_sums import ONE
    >>> half = ExponentialSum([(Fraction(1, 2), ONE)])
    >>> PartialTable(("0", "1"), ("u",), ((half,), (half,)), (half, half))
    PartialTable(2 databases, 1 outputs, some of it left)
    """

    taken_by: ClassVar = {
        "Channel": "some paths of the program were not run: audit takes it",
        "PowerTable": "some paths of the program were not run: audit takes it",
    }
    unnamed: ClassVar = True

    databases: tuple[str, ...]
    outputs: tuple[str, ...]
    entries: tuple[tuple[ExponentialSum, ...], ...] = field(repr=False)
    left: tuple[ExponentialSum, ...] = field(repr=False)
    densities: Mapping[str, "tuple[Piecewise, ...]"] = field(default_factory=dict, repr=False)
    parts_of: Mapping[str, tuple[str, ...]] = field(default_factory=dict, repr=False)

    def probability_approx(self, database: str, output: str) -> float:
        """Return the listed part of P(output | database) as a float."""
        row = self.databases.index(database)
        return float(self.entries[row][self.outputs.index(output)].ball())

    def beside(self, *_: object) -> NoReturn:
        """Raise `ModelError`: joint releases are listed for whole laws only."""
        raise ModelError(_PARTIAL, "mechanism")

    def parts(self, output: str) -> tuple[str, ...]:
        """Return what every release showed, given an output: there is one release."""
        return self.parts_of.get(output, (output,))

    def __repr__(self) -> str:
        rows, outputs = len(self.databases), len(self.outputs)
        more = [", with numbers"] * bool(self.densities)
        more += [", some of it left"] * any(each.terms for each in self.left)
        return f"PartialTable({rows} databases, {outputs} outputs{''.join(more)})"
