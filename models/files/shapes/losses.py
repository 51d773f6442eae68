"""The files of an optimal mechanism: what outputs cost, and kernels that make it compose."""

from typing import Annotated, Literal

from pydantic import Field, StrictStr

from pufferproof.models.files.shapes.objects import Number, Row, Shape


class LossFile(Shape):
    """A loss: for every database what each output costs; smaller is better, negative numbers
    are gains.
    """

    format: Literal["pufferproof-loss/1"]
    outputs: list[StrictStr]
    loss: dict[StrictStr, Row]


class KernelShape(Shape):
    """A kernel from the law of the database given `pair[0]` to that given `pair[1]`, under
    `prior`: rows that sum to 1.
    """

    prior: StrictStr
    pair: Annotated[list[StrictStr], Field(min_length=2, max_length=2)]
    beta: dict[StrictStr, dict[StrictStr, Number]]


class KernelsFile(Shape):
    """Kernels for a composing condition, one for every prior and ordered pair of secrets."""

    format: Literal["pufferproof-kernels/1"]
    kernels: list[KernelShape]
