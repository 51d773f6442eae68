"""Files of formulas: which number is asked of every member of a family, which formula is tried, and
how one is looked for.

    format = "pufferproof-formula/1"
    of = "joint"
    where = ["R <= 3/2"]
    says = "joint <= R**4"

Without `says` a closed form is fitted.
"""

from typing import Annotated, Literal

from pydantic import Field, StrictInt, StrictStr

from pufferproof.counterexamples.exploration.conjectures.quantities import Quantity, QuantityName
from pufferproof.counterexamples.exploration.conjectures.relations import Relation
from pufferproof.models.errors import ModelError
from pufferproof.models.files.reading import read_shape
from pufferproof.models.files.shapes import Shape

FORMAT = "pufferproof-formula/1"


class FormulaFile(Shape):
    """A question about a family: the quantity `of` its members, with `runs`, `at` and `budgets`,
    and the members `where` relations hold.

    `says` is the relation that is tried; left out, one is fitted, of polynomials up to `degree`,
    up to `algebraic` in the value, in so many `pieces`. `fresh` members are not in the family file.
    """

    format: Literal["pufferproof-formula/1"]
    of: QuantityName = "worst"
    runs: Annotated[StrictInt, Field(ge=1, le=64)] = 2
    at: StrictStr = "1"
    budgets: Annotated[list[StrictStr], Field(default_factory=list)]
    where: Annotated[list[StrictStr], Field(default_factory=list)]
    says: StrictStr | None = None
    degree: Annotated[StrictInt, Field(ge=0, le=12)] = 4
    algebraic: Annotated[StrictInt, Field(ge=1, le=2)] = 2
    pieces: Annotated[StrictInt, Field(ge=1, le=2)] = 1
    fresh: Annotated[StrictInt, Field(ge=1, le=100_000)] = 50

    @property
    def quantity(self) -> Quantity:
        """What is asked of every member. Raises `ModelError`."""
        return Quantity(self.of, len(self.budgets) or self.runs, self.at, self.budgets)

    @property
    def hypotheses(self) -> tuple[Relation, ...]:
        """The relations of `where`. Raises `ModelError`."""
        return tuple(_relation("where", text) for text in self.where)

    @property
    def relation(self) -> Relation | None:
        """The relation that is tried, or None if one is fitted. Raises `ModelError`."""
        return None if self.says is None else _relation("says", self.says, self.of)


def read_formula(path: str) -> FormulaFile:
    """Read a question about a family from JSON or TOML. Raises `ModelError`."""
    return read_shape(path, FormulaFile)


def _relation(key: str, text: str, quantity: str | None = None) -> Relation:
    try:
        return Relation.of(text, quantity)
    except ModelError as error:
        raise error.within(key) from None
