"""Exact laws of the outputs of a mechanism that runs on sliding windows of i.i.d. blocks, by
enumeration.

The stream is b_1, b_2, ..., i.i.d. with law p; window i is X_i = (b_i, .., b_{i+B-1}), b_i the
oldest block; the mechanism M draws fresh coins at each step. P^0(y_1..y_t | z) is the law of
(M(X_1), .., M(X_t)) and P^1 that of (M(alt(X_1)), .., M(alt(X_t))), both given X_{t down} =
(b_{t+1}, .., b_{t+B-1}) = z. The paper does not say how alt(X_1), .., alt(X_t) are drawn together;
three readings are `each_window`, `whole_stream` and `common_coin`. Source: streaming_cw, section 2.
Nothing here is fast: it enumerates every sequence of t + B - 1 blocks, which is the definition.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import prod

Window = tuple[int, ...]
Row = tuple[Fraction, ...]
Kernel = Mapping[Window, Row]
Scrubbed = Sequence[tuple[Fraction, tuple[Window, ...]]]
Law = dict[tuple[int, ...], Fraction]


@dataclass(frozen=True)
class Scrub:
    """How the alternatives of all windows are drawn together; `table` is what a counterexample
    shows.

    `draw(sequence, width)` lists (probability, (alt(X_1), .., alt(X_t))) for a sequence of blocks.
    """

    kind: str
    table: Mapping[str, object]
    draw: Callable[[Window, int], Scrubbed]


@dataclass(frozen=True)
class Stream:
    """t steps of a mechanism on windows of B blocks with law p, with a scrub, and possibly a secret
    that is given.

    Args:
        law: p, exact.
        width: B >= 1.
        mechanism: a row for every window.
        steps: t >= 1.
        given: None, or a predicate of the block sequence on which everything is conditioned
            (priv = v).
    """

    law: Row
    width: int
    mechanism: Kernel
    scrub: Scrub
    steps: int
    given: Callable[[Window], bool] | None = None

    @property
    def outputs(self) -> range:
        """The outcomes 0, .., m - 1."""
        return range(len(next(iter(self.mechanism.values()))))

    @property
    def aux_values(self) -> list[Window]:
        """Every value z of B - 1 blocks that has positive probability."""
        support = [block for block, mass in enumerate(self.law) if mass]
        return list(product(support, repeat=self.width - 1))


def windows(sequence: Window, width: int) -> tuple[Window, ...]:
    """Return the windows of a sequence of blocks, the earliest first.

    >>> windows((0, 1, 1), 2)
    ((0, 1), (1, 1))
    """
    return tuple(sequence[i : i + width] for i in range(len(sequence) - width + 1))


def each_window(table: Mapping[Window, Mapping[Window, Fraction]]) -> Scrub:
    """ALT w: given the stream, each alt(X_i) is drawn on its own, from X_i only."""

    def draw(sequence: Window, width: int) -> Scrubbed:
        choices = [list(table[window].items()) for window in windows(sequence, width)]
        return [
            (prod((p for _, p in pick), start=Fraction(1)), tuple(w for w, _ in pick))
            for pick in product(*choices)
        ]

    return Scrub("each window on its own", {"alt": table}, draw)


def whole_stream(name: str, scrub: Callable[[Window], Sequence[tuple[Fraction, Window]]]) -> Scrub:
    """ALT s: the stream is scrubbed once, and alt(X_i) is window i of the scrubbed stream."""

    def draw(sequence: Window, width: int) -> Scrubbed:
        return [(mass, windows(scrubbed, width)) for mass, scrubbed in scrub(sequence)]

    return Scrub("the stream once", {"scrub of the stream": name}, draw)


def common_coin(coin: Row, name: str, scrub: Callable[[Window, int], Window]) -> Scrub:
    """ALT c: one coin r is drawn for all windows, and alt(X_i) = g(X_i, r)."""

    def draw(sequence: Window, width: int) -> Scrubbed:
        found = windows(sequence, width)
        return [(mass, tuple(scrub(w, r) for w in found)) for r, mass in enumerate(coin) if mass]

    return Scrub("one common coin", {"coin": coin, "alt(X, r)": name}, draw)


def block_scrub(table: Sequence[Row]) -> Callable[[Window], list[tuple[Fraction, Window]]]:
    """Return the scrub of a stream that redraws every block on its own: b' has law table[b]."""

    def scrub(sequence: Window) -> list[tuple[Fraction, Window]]:
        choices = [
            [(mass, value) for value, mass in enumerate(table[block]) if mass] for block in sequence
        ]
        return [
            (prod((p for p, _ in pick), start=Fraction(1)), tuple(b for _, b in pick))
            for pick in product(*choices)
        ]

    return scrub


def law_of_outputs(
    stream: Stream, scrubbed: bool, known: Mapping[int, int], steps: Sequence[int] | None = None
) -> Law | None:
    """Return the law of the outputs at `steps` (default all) given blocks at positions 1, 2, ...;
    None if they cannot occur.

    scrubbed = False gives M(X_i), True gives M(alt(X_i)).
    """
    chosen = range(1, stream.steps + 1) if steps is None else steps
    total, law = Fraction(0), {y: Fraction(0) for y in product(stream.outputs, repeat=len(chosen))}
    for mass, found in weighted_windows(stream, scrubbed, known):
        total += mass
        rows = [stream.mechanism[found[i - 1]] for i in chosen]
        for y in law:
            law[y] += mass * prod((row[out] for row, out in zip(rows, y)), start=Fraction(1))
    return {y: mass / total for y, mass in law.items()} if total else None


def given_rest(stream: Stream, step: int, z: Window) -> dict[int, int]:
    """Return X_{step down} = z as values at block positions."""
    return {step + 1 + offset: value for offset, value in enumerate(z)}


def joint(stream: Stream, scrubbed: bool, z: Window) -> Law:
    """Return P^0(. | z) or P^1(. | z), the law of all t outputs given X_{t down} = z."""
    return law_of_outputs(stream, scrubbed, given_rest(stream, stream.steps, z)) or {}


def one_step(stream: Stream, scrubbed: bool, z: Window, step: int | None = None) -> Row:
    """Return P0(. | z) or P1(. | z) at one step (default the last): the law of one output given
    X_{step down} = z.
    """
    step = stream.steps if step is None else step
    law = law_of_outputs(stream, scrubbed, given_rest(stream, step, z), [step]) or {}
    return tuple(law.get((y,), Fraction(0)) for y in stream.outputs)


def growth(stream: Stream, y: int, step: int, floor: Fraction = Fraction(0)) -> Fraction | None:
    """Return e^gamma(y): the largest P0(y|z)/P1(y|z') over z, z', or `floor` if that is larger;
    None if unbounded.

    Assumption 3 asks for gamma > 0, so any value above 1 that is a bound will do; `floor` is one
    such choice.
    """
    tops = [one_step(stream, False, z, step)[y] for z in stream.aux_values]
    bottoms = [one_step(stream, True, z, step)[y] for z in stream.aux_values]
    if not any(tops):
        return floor
    return max(floor, max(tops) / min(bottoms)) if all(bottoms) else None


def slopes(
    top: Mapping[tuple[int, ...], Fraction], bottom: Mapping[tuple[int, ...], Fraction]
) -> list[Fraction]:
    """Return the finite likelihood ratios top(y)/bottom(y), ascending, each once."""
    return sorted({top[y] / bottom[y] for y in top if bottom[y]})


def hockey_stick(top: Sequence[Fraction], bottom: Sequence[Fraction], ratio: Fraction) -> Fraction:
    """Return H_R(P||Q) = sum_y max(0, P(y) - R Q(y)), the largest P(S) - R Q(S) over all sets S.

    >>> hockey_stick(
    ...     [Fraction(3, 4), Fraction(1, 4)], [Fraction(1, 2), Fraction(1, 2)], Fraction(1)
    ... )
    Fraction(1, 4)
    """
    return sum((max(Fraction(0), a - ratio * b) for a, b in zip(top, bottom)), start=Fraction(0))


def assumption1(stream: Stream) -> bool:
    """Return whether some W has P0(y|z), P1(y|z) > 0 for all z, y in W, and both 0 for all z, y
    outside, at every step.
    """
    rows = [
        one_step(stream, scrubbed, z, step)
        for step in range(1, stream.steps + 1)
        for z in stream.aux_values
        for scrubbed in (False, True)
    ]
    return all(len({bool(row[y]) for row in rows}) == 1 for y in stream.outputs)


def slopes_all_one(stream: Stream) -> bool:
    """Return whether P0(y|z) = P1(y|z) for all y, z at every step: what eq. (1) for every
    outcome comes to.
    """
    steps = range(1, stream.steps + 1)
    return all(
        one_step(stream, False, z, step) == one_step(stream, True, z, step)
        for z in stream.aux_values
        for step in steps
    )


def kernel(law: Row, width: int, row: Callable[[Window], Row]) -> dict[Window, Row]:
    """Tabulate a mechanism on every window."""
    return {window: row(window) for window in product(range(len(law)), repeat=width)}


def point(value: int, outcomes: int = 2) -> Row:
    """Return the law that puts all its mass on one outcome."""
    return tuple(Fraction(int(y == value)) for y in range(outcomes))


def show(stream: Stream, **more: object) -> dict[str, object]:
    """Return a stream as the evidence of a counterexample: exact values that a separate program
    can evaluate again.
    """
    shown: dict[str, object] = {
        "block law": stream.law,
        "blocks per window": stream.width,
        "steps": stream.steps,
        "mechanism": dict(stream.mechanism),
        "alternatives": stream.scrub.kind,
        **stream.scrub.table,
    }
    sequences = list(product(range(len(stream.law)), repeat=stream.steps + stream.width - 1))
    if "alt" not in stream.scrub.table:
        draws = {sequence: stream.scrub.draw(sequence, stream.width) for sequence in sequences}
        shown["windows after the scrub, by block sequence"] = draws
    if stream.given is not None:
        shown["block sequences that the secret leaves"] = tuple(filter(stream.given, sequences))
    return {**shown, **more}


HALF = (Fraction(1, 2), Fraction(1, 2))


def replace_oldest(value: int | None = None) -> Callable[[Window], Window]:
    """Return the map of windows that sets the oldest block to a value, or flips it (a bit) if
    there is none.
    """
    return lambda window: (1 - window[0] if value is None else value, *window[1:])


def surely(law: Row, width: int, alt: Callable[[Window], Window]) -> Scrub:
    """ALT w without randomness: alt(X_i) is a function of X_i."""
    return each_window({w: {alt(w): Fraction(1)} for w in product(range(len(law)), repeat=width)})


def pair_stream(top: Row, bottom: Row, steps: int = 1) -> Stream:
    """Return a stream of constant blocks with P0(.|z) = top and P1(.|z) = bottom: M sees the
    oldest block, alt changes it.
    """
    law = (Fraction(1), Fraction(0))
    rows = kernel(law, 2, lambda window: bottom if window[0] else top)
    return Stream(law, 2, rows, surely(law, 2, replace_oldest(1)), steps)


def lean_stream(steps: int = 1) -> Stream:
    """M tells of the oldest bit only that it is 1, half of the time; alt sets it to 1: P0 =
    (3/4, 1/4), P1 = (1/2, 1/2).
    """
    rows = kernel(HALF, 2, lambda window: HALF if window[0] else point(0))
    return Stream(HALF, 2, rows, surely(HALF, 2, replace_oldest(1)), steps)


def flip_stream(rows: Mapping[Window, Row], steps: int) -> Stream:
    """Uniform bits, alt flips the oldest bit: P0 = P1 whatever the mechanism, so every slope in
    eq. (1) is 1.
    """
    return Stream(HALF, 2, rows, surely(HALF, 2, replace_oldest()), steps)


def oldest(width: int = 2, flipped: Fraction = Fraction(0)) -> dict[Window, Row]:
    """Return the mechanism on bits that outputs the oldest one, flipped with a probability."""
    return kernel(
        HALF, width, lambda window: (flipped, 1 - flipped) if window[0] else (1 - flipped, flipped)
    )


def bit_rows(ones: Mapping[tuple[int, int], Fraction]) -> dict[Window, Row]:
    """Return the mechanism with two outcomes whose probability of outcome 1 is given for every
    window of two bits.
    """
    return {window: (1 - one, one) for window, one in ones.items()}


def coin_stream(steps: int, width: int = 2, flipped: Fraction = Fraction(0)) -> Stream:
    """M outputs the oldest of uniform bits; one coin replaces the oldest bit of every window
    (ALT c). P0 = P1 = (1/2, 1/2).
    """
    scrub = common_coin(HALF, "the oldest block of X becomes r", lambda window, r: (r, *window[1:]))
    return Stream(HALF, width, oldest(width, flipped), scrub, steps)


def one_draw_stream(steps: int, width: int = 2, flipped: Fraction = Fraction(0)) -> Stream:
    """M outputs the oldest of uniform bits; the stream is scrubbed once: every block becomes
    the same new bit (ALT s).
    """

    def scrub(sequence: Window) -> list[tuple[Fraction, Window]]:
        return [(Fraction(1, 2), (bit,) * len(sequence)) for bit in (0, 1)]

    name = "every block becomes one and the same new bit, uniform"
    return Stream(HALF, width, oldest(width, flipped), whole_stream(name, scrub), steps)


def xor_stream(steps: int) -> Stream:
    """M outputs the exclusive or of two uniform bits; each 1 of the stream becomes a new
    uniform bit, once (ALT s).
    """
    rows = kernel(HALF, 2, lambda window: point(window[0] ^ window[1]))
    name = "each block on its own: 0 stays, 1 becomes a new uniform bit"
    return Stream(HALF, 2, rows, whole_stream(name, block_scrub([point(0), HALF])), steps)


def fixed_row_stream() -> Stream:
    """Two steps; the stream is scrubbed once, by redrawing block 2, which both windows share
    (ALT s).
    """
    ones = {(0, 0): Fraction(1), (0, 1): Fraction(0), (1, 0): Fraction(0), (1, 1): Fraction(1, 2)}
    rows = bit_rows(ones)

    def scrub(sequence: Window) -> list[tuple[Fraction, Window]]:
        return [(Fraction(1, 2), (sequence[0], bit, *sequence[2:])) for bit in (0, 1)]

    return Stream(HALF, 2, rows, whole_stream("block 2 becomes a new uniform bit", scrub), 2)


def parity_stream(width: int = 2) -> Stream:
    """Two steps, M outputs the oldest of uniform bits, alt redraws it in each window; the sum
    of all is known to be even.
    """
    table = {
        w: {(bit, *w[1:]): Fraction(1, 2) for bit in (0, 1)} for w in product((0, 1), repeat=width)
    }
    scrub = each_window(table)
    return Stream(HALF, width, oldest(width), scrub, 2, lambda sequence: sum(sequence) % 2 == 0)


def labelled(labels: Window) -> dict[Window, Row]:
    """Return the deterministic mechanism on windows of two bits with these outcomes, 00, 01,
    10, 11 in this order.
    """
    size = max(labels) + 1
    return {window: point(label, size) for window, label in zip(product((0, 1), repeat=2), labels)}


def weighted_windows(
    stream: Stream, scrubbed: bool, known: Mapping[int, int]
) -> Iterator[tuple[Fraction, tuple[Window, ...]]]:
    """Yield (probability, windows that M sees) over block sequences that agree with what is
    known, and the scrub's draws.
    """
    length = stream.steps + stream.width - 1
    for sequence in product(range(len(stream.law)), repeat=length):
        if any(sequence[position - 1] != value for position, value in known.items()):
            continue
        if stream.given is not None and not stream.given(sequence):
            continue
        mass = prod((stream.law[block] for block in sequence), start=Fraction(1))
        if not mass:
            continue
        if not scrubbed:
            yield mass, windows(sequence, stream.width)
            continue
        for share, found in stream.scrub.draw(sequence, stream.width):
            yield mass * share, found
