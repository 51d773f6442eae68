"""A stream of blocks of which a mechanism sees a sliding window, and its scrubbed twin.

Window i holds blocks i .. i + B - 1. An adversary knows the blocks of the last window but its
oldest one, and asks whether the mechanism ran on the windows X_i or on alt(X_i), in which the
oldest block is redrawn. Source: "Composition Theorem for streaming CW-privacy", Section 2, which
does not say how the alternatives of several windows are drawn together: `draws` does.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Literal

from pufferproof.models.channel import Channel
from pufferproof.models.errors import ModelError, TooLargeError
from pufferproof.models.interface.kinds import check_type, hold
from pufferproof.models.numbers.text import shown
from pufferproof.models.priors.laws import law_of_record, matrix_of, numbers_of
from pufferproof.models.priors.markov import MarkovChain
from pufferproof.models.priors.records import Records, separator

Draws = Literal["each-step", "once", "common"]
Row = tuple[Fraction, ...]
Window = tuple[int, ...]
MOST_STEPS = 10_000


def expect_steps(steps: int) -> int:
    """Return a number of steps that is computed. Raises `TooLargeError` for any other."""
    steps = check_type(steps, int, "steps")
    if not 1 <= steps <= MOST_STEPS:
        raise TooLargeError(f"expected 1 to {MOST_STEPS} steps, found {shown(steps)}", "steps")
    return steps


@dataclass(frozen=True)
class BlockStream:
    """Blocks that are independent with one law, or a Markov chain; a mechanism that runs with fresh
    coins on every window; and a row for every value, from which the oldest block is redrawn.

    Args:
        values: of a block.
        blocks: the law of a block, or a `MarkovChain` of blocks.
        window: the number B >= 1 of blocks of a window.
        mechanism: a channel with a row for every window, labelled like records, oldest first.
        alt: for every value the law of what replaces it.
        draws: "each-step" redraws at every step anew; "once" scrubs the stream once, every block by
            its row, and all windows see that; "common" lets one uniform number choose the quantile
            of the row, in the order of `values`, at every step.

    >>> from pufferproof import Channel
    >>> rows = {"00": [1, 0], "01": [1, 0], "10": ["1/2", "1/2"], "11": ["1/2", "1/2"]}
    >>> mechanism = Channel.of(rows, ["u", "v"])
    >>> BlockStream(["0", "1"], ["1/2", "1/2"], 2, mechanism, [[0, 1], [0, 1]]).window
    2

    Raises `ModelError` unless laws are laws, and rows fit the windows and the values.
    """

    values: tuple[str, ...]
    blocks: Row | MarkovChain
    window: int
    mechanism: Channel
    alt: tuple[Row, ...]
    draws: Draws = "each-step"

    def __init__(
        self,
        values: Sequence[str],
        blocks: Sequence[object] | MarkovChain,
        window: int,
        mechanism: Channel,
        alt: Sequence[Sequence[object]],
        draws: Draws = "each-step",
    ) -> None:
        values = check_type(values, Sequence[str], "values")
        blocks = check_type(blocks, Sequence[object] | MarkovChain, "blocks")
        window = check_type(window, int, "window")
        mechanism = check_type(mechanism, Channel, "mechanism")
        alt = check_type(alt, Sequence[Sequence[object]], "alt")
        draws = check_type(draws, Draws, "draws")
        if window < 1:
            raise ModelError(f"expected at least 1, found {shown(window)}", "window")
        try:
            one, windows = Records(1, tuple(values)), Records(window, tuple(values))
        except ModelError as error:
            raise error.at("blocks.values") from None
        size = len(one.alphabet)
        law = blocks if isinstance(blocks, MarkovChain) else numbers_of(blocks, "blocks.law")
        if isinstance(law, MarkovChain):
            _expect_chain(law, one)
        else:
            law_of_record(law, one, "blocks.law")
        rows = matrix_of(alt, "alt.oldest")
        if len(rows) != size:
            raise ModelError(f"expected {size} rows, one per value, found {len(rows)}", "alt.oldest")
        for place, row in enumerate(rows):
            law_of_record(row, one, f"alt.oldest[{place}]")
        every = frozenset(range(size**window)) if windows.enumerable else frozenset()
        try:
            aligned = mechanism.aligned(windows.labels(), every)
        except ModelError as error:
            raise error.within("mechanism") from None
        hold(self, values=windows.alphabet, blocks=law, window=window)
        hold(self, mechanism=aligned, alt=rows, draws=draws)

    def __repr__(self) -> str:
        kind = "independent" if self.independent else "Markov"
        return (
            f"BlockStream({kind} blocks of {len(self.values)} values, windows of {self.window}, "
            f"{len(self.mechanism.outputs)} outputs, alternatives {self.draws})"
        )

    @property
    def independent(self) -> bool:
        """Whether blocks are independent with one law."""
        return not isinstance(self.blocks, MarkovChain)

    def first(self) -> Row:
        """Return the law of the first block."""
        return self.blocks.initial_law() if isinstance(self.blocks, MarkovChain) else self.blocks

    def after(self, block: int) -> Row:
        """Return the law of the block that follows a block."""
        chain = self.blocks
        return chain.transition[block] if isinstance(chain, MarkovChain) else chain

    def named(self, blocks: Window) -> str:
        """Return the label of some blocks, joined as records are; "" for none."""
        return separator(self.values).join(self.values[block] for block in blocks)

    def rows(self) -> dict[Window, Row]:
        """Return the row of every window."""
        size, channel = len(self.values), self.mechanism
        return {
            window: tuple(Fraction(each, channel.denominators[place]) for each in channel.numerators_of(place))
            for place, window in enumerate(product(range(size), repeat=self.window))
        }

    def quantiles(self) -> list[tuple[Fraction, tuple[int, ...]]]:
        """Return the lengths of the intervals in which a uniform number chooses the same value of
        every row of `alt`, and these values.

        >>> from pufferproof import Channel
        >>> silent = Channel.of({"0": ["1"], "1": ["1"]}, ["u"])
        >>> alt = [["1/2", "1/2"], ["1/4", "3/4"]]
        >>> stream = BlockStream(["0", "1"], ["1/2", "1/2"], 1, silent, alt, "common")
        >>> [(str(length), values) for length, values in stream.quantiles()]
        [('1/4', (0, 0)), ('1/4', (0, 1)), ('1/2', (1, 1))]
        """
        sums = [[sum(row[: k + 1], Fraction(0)) for k in range(len(row))] for row in self.alt]
        found, low = [], Fraction(0)
        for high in sorted({end for row in sums for end in row if end > 0}):
            chosen = (next(k for k, end in enumerate(row) if end >= high) for row in sums)
            found.append((high - low, tuple(chosen)))
            low = high
        return found


def _expect_chain(chain: MarkovChain, one: Records) -> None:
    try:
        chain.parts(one)
    except ModelError as error:
        raise error.within("blocks.markov") from None
