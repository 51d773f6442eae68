"""The file of releases over a sliding window of a stream."""

from typing import Annotated, Literal

from pydantic import Discriminator, Field, StrictInt, StrictStr, Tag, model_validator

from pufferproof.models.files.shapes.objects import Row, Shape, list_or_other, wrong


class BlockChainShape(Shape):
    """A Markov chain of blocks: the law of the first one, or "stationary", and the transitions."""

    initial: Annotated[
        Annotated[Literal["stationary"], Tag("@other")] | Annotated[Row, Tag("@list")], Discriminator(list_or_other)
    ]
    transition: list[Row]


class BlockLawShape(Shape):
    """Blocks of a stream over `values`: independent with one `law`, or a `markov` chain."""

    values: Annotated[list[StrictStr], Field(min_length=1)]
    law: Row | None = None
    markov: BlockChainShape | None = None

    @model_validator(mode="after")
    def _law_or_chain(self) -> "BlockLawShape":
        if (self.law is None) == (self.markov is None):
            raise wrong('expected either "law" or "markov"')
        return self


class WindowMechanismShape(Shape):
    """A row of probabilities for every window, labelled like records, the oldest block first."""

    outputs: list[StrictStr]
    channel: dict[StrictStr, Row]


class ScrubShape(Shape):
    """For every value the law of what replaces the oldest block of a window."""

    oldest: list[Row]


class StreamFile(Shape):
    """Releases over a sliding window of a stream: the blocks, how many a window holds, a mechanism
    that runs on every window, what replaces the oldest block, how that is drawn, and how many steps
    there are.
    """

    format: Literal["pufferproof-stream/1"]
    blocks: BlockLawShape
    window: Annotated[StrictInt, Field(ge=1)]
    mechanism: WindowMechanismShape
    alt: ScrubShape
    draws: Literal["each-step", "once", "common"] = "each-step"
    steps: Annotated[StrictInt, Field(ge=1)]
