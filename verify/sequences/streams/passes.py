"""How the outputs of a stream come about, as products of matrices: one pass over blocks.

A state holds the blocks of the last window but its oldest, and what the scrub has drawn that later
windows see. With integer matrices T(y), the weight of t outputs that end in state s is
(start T(y_1) .. T(y_t))_s, and dividing by the denominators gives P(y_1 .. y_t, s).
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import lcm, prod
from pathlib import Path
from typing import Any, Literal

from pufferproof.models.channel import Channel, limit_entries
from pufferproof.models.errors import ModelError, TooLargeError
from pufferproof.models.files.reading import Loaded, in_file, read_loaded
from pufferproof.models.files.shapes.streams import StreamFile
from pufferproof.models.framework import Framework
from pufferproof.models.interface.kinds import check_type, hold
from pufferproof.models.numbers.text import shown
from pufferproof.models.priors.laws import law_of_record, matrix_of, numbers_of
from pufferproof.models.priors.markov import MarkovChain
from pufferproof.models.priors.records import Records, separator
from pufferproof.models.priors.tables import Table

# A stream of blocks of which a mechanism sees a sliding window, and its scrubbed twin.
#
# Window i holds blocks i .. i + B - 1. An adversary knows the blocks of the last window but its oldest one, and asks
# whether the mechanism ran on the windows X_i or on alt(X_i), in which the oldest block is redrawn. Source:
# "Composition Theorem for streaming CW-privacy", Section 2, which does not say how the alternatives of several windows
# are drawn together: `draws` does.

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
            try:
                law.parts(one)
            except ModelError as error:
                raise error.within("blocks.markov") from None
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


MOST_STATES = 1_000
State = tuple[Any, ...]  # blocks; then what the scrub holds
Column = tuple[tuple[int, int], ...]  # from which state, and how much


@dataclass(frozen=True)
class Pass:
    """Integer weights of the outputs of one world: of the start, and for every output of every
    state from which states it is reached.

    `ends` has for every value z of the later blocks the states that end in it; the weights at the
    start are over `scale`, those of a step over `rate`.
    """

    start: tuple[int, ...]
    steps: tuple[tuple[Column, ...], ...]
    ends: dict[Window, tuple[int, ...]]
    scale: int
    rate: int

    def after(self, weights: tuple[int, ...], output: int) -> tuple[int, ...]:
        """Return the weights of the states after one more output."""
        return tuple(sum(weights[source] * much for source, much in column) for column in self.steps[output])

    def at(self, weights: tuple[int, ...], later: Window) -> int:
        """Return the weight of the states that end in given blocks."""
        return sum(weights[state] for state in self.ends[later])


def passes(stream: BlockStream) -> tuple[Pass, Pass]:
    """Return the passes of the outputs on the windows and on the scrubbed windows, with the same
    denominators. Raises `TooLargeError` where a window has too many states.
    """
    several = len(stream.values) ** min(stream.window - 1, 64)
    held = {"each-step": 1, "once": several, "common": len(stream.quantiles())}[stream.draws]
    if several * held > MOST_STATES:
        raise TooLargeError(f"{several * held} states of a window: expected at most {MOST_STATES}", "window")
    worlds = [_Plain(stream), _SCRUBBED[stream.draws](stream)]
    rates = lcm(*(weight.denominator for world in worlds for weight in world.weights()))
    scales = lcm(*(each.denominator for world in worlds for _, each in world.start()))
    return worlds[0].tabulated(scales, rates), worlds[1].tabulated(scales, rates)


class _Plain:
    """The windows themselves. A state is the last blocks, and nothing else."""

    def __init__(self, stream: BlockStream) -> None:
        self.stream, self.kernel = stream, stream.rows()
        self.memory = max(stream.window - 1, 0 if stream.independent else 1)

    def start(self) -> Iterator[tuple[State, Fraction]]:
        """Yield the states before the first window is complete, with their probabilities."""
        stream = self.stream
        for blocks in product(range(len(stream.values)), repeat=stream.window - 1):
            laws = [stream.first(), *map(stream.after, blocks)]
            chance = prod((law[b] for law, b in zip(laws, blocks)), start=Fraction(1))
            for drawn, share in self.drawn_first(blocks):
                yield (blocks, drawn), chance * share

    def drawn_first(self, _blocks: Window) -> Iterable[tuple[object, Fraction]]:
        """Return what the scrub holds of the first blocks, with probabilities."""
        return [((), Fraction(1))]

    def drawn_next(self, drawn: object, _block: int) -> Iterable[tuple[object, Fraction]]:
        """Return what the scrub holds after one more block, with probabilities."""
        return [(drawn, Fraction(1))]

    def row(self, window: Window, _drawn: object) -> Row:
        """Return the law of the output on a window."""
        return self.kernel[window]

    def moves(self, state: State) -> Iterator[tuple[State, Fraction, Row]]:
        """Yield the states that follow, their probabilities, and the law of the output."""
        blocks, drawn = state
        stream, keep = self.stream, self.stream.window - 1
        for block, chance in enumerate(stream.after(blocks[-1]) if blocks else stream.first()):
            for held, share in self.drawn_next(drawn, block):
                if chance * share:
                    window = (*blocks[len(blocks) - keep :], block)
                    law = self.row(window, held)
                    kept = (*blocks, block)[-self.memory :] if self.memory else ()
                    yield (kept, self.held(held)), chance * share, law

    def held(self, drawn: object) -> Any:
        """Return what the scrub still needs after a step."""
        return drawn

    def weights(self) -> Iterator[Fraction]:
        """Yield the weights of all steps."""
        for state in self._states():
            for _, chance, row in self.moves(state):
                yield from (chance * entry for entry in row)

    def tabulated(self, scale: int, rate: int) -> Pass:
        """Return the weights as integers over common denominators."""
        states = self._states()
        place = {state: k for k, state in enumerate(states)}
        columns: list[list[dict[int, int]]] = [[{} for _ in states] for _ in self.stream.mechanism.outputs]
        for state in states:
            for after, chance, row in self.moves(state):
                for output, mass in enumerate(row):
                    column = columns[output][place[after]]
                    much = int(chance * mass * rate)
                    column[place[state]] = column.get(place[state], 0) + much
        first = dict(self.start())
        last = self.stream.window - 1
        ends: dict[Window, tuple[int, ...]] = {}
        for (blocks, _), k in place.items():
            if len(blocks) >= last:
                later = blocks[len(blocks) - last :]
                ends[later] = (*ends.get(later, ()), k)
        return Pass(
            tuple(int(first.get(state, Fraction(0)) * scale) for state in states),
            tuple(tuple(tuple((k, w) for k, w in column.items() if w) for column in by_state) for by_state in columns),
            ends,
            scale,
            rate,
        )

    def _states(self) -> list[State]:
        """Return all states that occur, those of the start first."""
        found = dict.fromkeys(state for state, chance in self.start() if chance)
        queue = [*found]
        for state in queue:
            for after, _, _ in self.moves(state):
                if after not in found:
                    found[after] = None
                    queue.append(after)
        return [*found]


class _EachStep(_Plain):
    """The oldest block is redrawn at every step anew."""

    def row(self, window: Window, _drawn: object) -> Row:
        """Return the mean of the rows of the windows that may be drawn."""
        redrawn = self.stream.alt[window[0]]
        rows = [self.kernel[(block, *window[1:])] for block in range(len(redrawn))]
        columns = zip(*rows)
        return tuple(sum((p * q for p, q in zip(redrawn, column)), Fraction(0)) for column in columns)


class _Once(_Plain):
    """Every block is redrawn once, by its row; what is held are the redrawn blocks."""

    def drawn_first(self, blocks: Window) -> Iterable[tuple[object, Fraction]]:
        """Return the redrawn blocks, with probabilities."""
        alt = self.stream.alt
        for redrawn in product(range(len(alt)), repeat=len(blocks)):
            yield (redrawn, prod((alt[b][new] for b, new in zip(blocks, redrawn)), start=Fraction(1)))

    def drawn_next(self, drawn: Any, block: int) -> Iterable[tuple[object, Fraction]]:
        """Return the redrawn window, with probabilities."""
        return [((*drawn, new), share) for new, share in enumerate(self.stream.alt[block])]

    def row(self, _window: Window, drawn: Any) -> Row:
        """Return the row of the redrawn window."""
        return self.kernel[drawn]

    def held(self, drawn: Any) -> Any:
        """Return the redrawn blocks but the oldest."""
        return drawn[1:]


class _Common(_Plain):
    """One uniform number chooses what replaces the oldest block, at every step."""

    def __init__(self, stream: BlockStream) -> None:
        super().__init__(stream)
        self.intervals = stream.quantiles()

    def drawn_first(self, _blocks: Window) -> Iterable[tuple[object, Fraction]]:
        """Return the intervals of the uniform number, with their lengths."""
        return [(chosen, length) for length, chosen in self.intervals]

    def row(self, window: Window, drawn: Any) -> Row:
        """Return the row of the window whose oldest block is replaced."""
        return self.kernel[(drawn[window[0]], *window[1:])]


_SCRUBBED = {"each-step": _EachStep, "once": _Once, "common": _Common}


# The releases of a stream written out: a framework and a mechanism that every other command takes.


def stream_tables(stream: BlockStream, steps: int) -> tuple[Framework, Channel]:
    """Return a framework whose secrets are the windows and the scrubbed windows, a pair for every
    value z of the later blocks, and the mechanism that shows t outputs: its leakage is theirs.

    >>> from pufferproof import Channel, audit
    >>> rows = {"00": [1, 0], "01": [1, 0], "10": ["1/2", "1/2"], "11": ["1/2", "1/2"]}
    >>> mechanism = Channel.of(rows, ["u", "v"])
    >>> stream = BlockStream(["0", "1"], ["1/2", "1/2"], 2, mechanism, [[0, 1], [0, 1]])
    >>> audit(*stream_tables(stream, 2)).leakage.ratio
    Fraction(4, 1)

    Raises `TooLargeError` where there are too many sequences of outputs to write out.
    """
    stream = check_type(stream, BlockStream, "stream")
    steps = check_type(steps, int, "steps")
    worlds = passes(stream)
    names = stream.mechanism.outputs
    limit_entries(2 * len(worlds[0].ends), len(names) ** min(steps, 64))
    sequences = [("", worlds[0].start, worlds[1].start)]
    for _ in range(steps):
        sequences = [
            (f"{said},{name}", worlds[0].after(top, y), worlds[1].after(bottom, y))
            for said, top, bottom in sequences
            for y, name in enumerate(names)
        ]
    rows: dict[str, list[Fraction]] = {}
    secrets, pairs = {}, []
    for given in sorted(worlds[0].ends):
        masses = [
            [worlds[0].at(top, given) for _, top, _ in sequences],
            [worlds[1].at(bottom, given) for _, _, bottom in sequences],
        ]
        if total := sum(masses[0]):
            later = f" given {stream.named(given)}" if given else ""
            two = (f"windows{later}", f"scrubbed{later}")
            for name, found in zip(two, masses):
                rows[name] = [Fraction(mass, total) for mass in found]
                secrets[name] = [name]
            pairs.append(two)
    even = Table({name: Fraction(1, len(rows)) for name in rows})
    framework = Framework([*rows], secrets, pairs, {"even": even})
    return framework, Channel.of(rows, [said[1:] for said, _, _ in sequences])


# Reading streams from files.


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
