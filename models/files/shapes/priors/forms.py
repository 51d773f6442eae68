"""A prior in one of its forms: a table, or independent records."""

from typing import ClassVar

from pydantic import StrictBool, StrictStr

from pufferproof.models.files.shapes.objects import Number, Row, Shape
from pufferproof.models.priors.laws import Prior as Law
from pufferproof.models.priors.tables import Product, Table

NORMALIZE = "normalize"  # beside the form of a prior


class PriorShape(Shape):
    """A prior, in one of its forms: the one key beside `normalize`, with which every row is divided
    by its sum, exactly, and answers say so.
    """

    by_records: ClassVar[bool] = False  # its laws are known without a list of the databases
    normalize: StrictBool = False

    @classmethod
    def form(cls) -> str:
        """Return the key of this form."""
        return next(name for name in cls.model_fields if name != NORMALIZE)

    def prior(self, normalize: bool) -> Law:
        """Return the prior that is described, its rows divided by their sums or as they are.

        Raises `ModelError` unless it is one prior on databases.
        """
        raise NotImplementedError


class TablePrior(PriorShape):
    """Any law: database -> probability, 0 where left out."""

    table: dict[StrictStr, Number]

    def prior(self, normalize: bool) -> Law:
        return Table(self.table, normalize)


class ProductPrior(PriorShape):
    """Independent records: one probability row per record."""

    by_records = True
    product: list[Row]

    def prior(self, normalize: bool) -> Law:
        return Product(self.product, normalize)
