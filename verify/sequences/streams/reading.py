"""Reading streams from files."""

from dataclasses import dataclass
from pathlib import Path

from pufferproof.models.channel import Channel
from pufferproof.models.errors import ModelError
from pufferproof.models.files.reading import Loaded, in_file, read_loaded
from pufferproof.models.files.shapes.streams import StreamFile
from pufferproof.models.priors.markov import MarkovChain
from pufferproof.verify.sequences.streams.blocks import BlockStream, expect_steps


@dataclass(frozen=True)
class AskedStream:
    """A stream, and for how many steps it is asked."""

    stream: BlockStream
    steps: int


def read_stream(path: str | Path) -> Loaded[AskedStream]:
    """Read a stream and its number of steps from a JSON or TOML file.

    >>> asked = read_stream("examples/streams/biased.json").value
    >>> asked.stream.window, asked.steps
    (2, 4)

    Raises `ModelError` naming the file, the key, what was expected and found.
    """
    loaded = read_loaded(path, StreamFile)
    shape = loaded.value
    with in_file(path):
        chain = shape.blocks.markov
        try:
            blocks = None if chain is None else MarkovChain(chain.initial, chain.transition)
        except ModelError as error:
            raise error.within("blocks.markov") from None
        try:
            mechanism = Channel.of(shape.mechanism.channel, shape.mechanism.outputs)
        except ModelError as error:
            raise error.within("mechanism") from None
        stream = BlockStream(
            shape.blocks.values,
            blocks or shape.blocks.law or (),
            shape.window,
            mechanism,
            shape.alt.oldest,
            shape.draws,
        )
        return loaded.holding(AskedStream(stream, expect_steps(shape.steps)))
