"""How the outputs of a stream come about, as products of matrices: one pass over blocks.

A state holds the blocks of the last window but its oldest, and what the scrub has drawn that later
windows see. With integer matrices T(y), the weight of t outputs that end in state s is
(start T(y_1) .. T(y_t))_s, and dividing by the denominators gives P(y_1 .. y_t, s).
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import lcm, prod
from typing import Any

from pufferproof.models.errors import TooLargeError
from pufferproof.verify.sequences.streams.blocks import BlockStream, Row, Window

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
        for blocks, chance in self._first_blocks():
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
                    yield (self._kept((*blocks, block)), self.held(held)), chance * share, law

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

    def _first_blocks(self) -> Iterator[tuple[Window, Fraction]]:
        """Yield the first B - 1 blocks, with their probabilities."""
        stream = self.stream
        for blocks in product(range(len(stream.values)), repeat=stream.window - 1):
            laws = [stream.first(), *map(stream.after, blocks)]
            yield blocks, prod((law[b] for law, b in zip(laws, blocks)), start=Fraction(1))

    def _kept(self, blocks: Window) -> Window:
        return blocks[len(blocks) - min(self.memory, len(blocks)) :]


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
