"""Rational bounds of the probabilities of a mechanism, for certificates that a level is kept.

    low <= P(w | x) <= high    for every database x and output w

Bounds are what a checker without real numbers can read of an irrational law. What a table has not
listed is one more output, from 0 on; it may stand for several. Nothing computes a leakage from
bounds: see `pufferproof.verify.certificates.bounding`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from flint import ctx

from pufferproof.models.errors import ModelError
from pufferproof.models.noise.tables.partial import PartialTable
from pufferproof.models.numbers.enclosures import dyadic
from pufferproof.models.numbers.exponential_sums import ExponentialSum, Quotient
from pufferproof.models.numbers.text import text_of

Ends = tuple[Fraction, Fraction]
_NOTHING, _WHOLE = Fraction(0), Fraction(1)


@dataclass(frozen=True)
class BoundsTable:
    """Bounds of every probability, in the order of the outputs."""

    outputs: tuple[str, ...]
    rows: Mapping[str, tuple[Ends, ...]] = field(repr=False)

    @classmethod
    def of(cls, table: PartialTable, databases: Sequence[str], bits: int) -> "BoundsTable":
        """Return bounds of the law of a table, of so many bits; rational probabilities are exact.

        Raises `ModelError` if outputs have numbers that are drawn: an interval of numbers has no
        bound of its ratios.
        """
        if table.densities:
            raise ModelError("some outputs are numbers that are drawn, with a density", "mechanism")
        indices = [table.databases.index(label) for label in databases]
        partly = any(table.left[row].terms for row in indices)
        with ctx.workprec(bits):
            rows = {}
            for label, row in zip(databases, indices):
                # what is left may belong to any output that is possible
                total, left = table.total(row), table.left[row]
                nobody: frozenset[str] = frozenset()
                ends = [
                    _ends(mass, ExponentialSum([]) if label in table.impossible.get(w, nobody) else left, total)
                    for w, mass in zip(table.outputs, table.entries[row])
                ]
                rows[label] = (*ends, *[_ends(ExponentialSum([]), left, total)] * partly)
        rest = "other outputs"
        while rest in table.outputs:
            rest += " "
        return cls(table.outputs + (rest,) * partly, rows)

    def as_json(self) -> dict[str, object]:
        """Return outputs and bounds as mechanism files and certificates have them."""
        bounds = {label: [[text_of(low), text_of(high)] for low, high in row] for label, row in self.rows.items()}
        return {"outputs": list(self.outputs), "bounds": bounds}


def _ends(mass: ExponentialSum, left: ExponentialSum, total: ExponentialSum) -> Ends:
    """Return bounds of what is between mass / total and (mass + left) / total."""
    exact = Quotient(mass, total).rational if not left.terms else None
    if exact is not None:
        return exact, exact
    low = dyadic((mass.ball() / total.ball()).lower()) if mass.terms else _NOTHING
    high = dyadic(((mass + left).ball() / total.ball()).upper())
    return max(low, _NOTHING), min(high, _WHOLE)
