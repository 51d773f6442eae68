"""The exact leakage of t releases over a sliding window, for every t, by one pass over blocks.

e^leakage at t is the largest P0(y_1 .. y_t | z) / P1(y_1 .. y_t | z) or its inverse over outputs
and later blocks z of positive probability. Every sequence of outputs has two vectors of weights,
one of each world, over the states. A sequence is dropped as soon as another one is as good in every
state: with v0 <= c w0 and v1 >= c w1 for some c, whatever follows, the ratio of v is at most that
of w. Few sequences remain, and what remains is exact.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from pufferproof.models.interface.kinds import Plain, check_type
from pufferproof.models.interface.readable import Readable
from pufferproof.models.interface.steps import steps
from pufferproof.models.numbers.text import JsonObject
from pufferproof.verify.decision import united
from pufferproof.verify.leakage.largest import least_of
from pufferproof.verify.leakage.ratio import Leakage
from pufferproof.verify.sequences.streams.blocks import BlockStream, expect_steps
from pufferproof.verify.sequences.streams.passes import Pass, passes
from pufferproof.verify.sequences.streams.pruning import RESTS_ON as PRUNING_RESTS_ON
from pufferproof.verify.sequences.streams.pruning import Sequence, extreme, most_promising, undominated

RESTS_ON = ("streaming_cw.x-dominated",)
MOST_KEPT = 120  # sequences of outputs of which none is dominated
_BEAM = 16  # sequences that are kept where there are too many
_MANY = 8  # sequences from which on mixtures are looked for, which takes longer


@dataclass(frozen=True)
class StreamWitness(Plain):
    """Where the leakage is reached: outputs that are likelier on the windows, or on the scrubbed
    ones, given the later blocks.
    """

    outputs: tuple[str, ...]
    given: str
    likelier: str


@dataclass(frozen=True, repr=False)
class StreamLeakage(Readable):
    """The leakage of the first t releases for t = 1, 2, .., and where the last one is reached."""

    stream: BlockStream
    steps: tuple[Leakage, ...]
    witness: StreamWitness

    @property
    def leakage(self) -> Leakage:
        """The leakage of all releases."""
        return self.steps[-1]

    @property
    def rests_on(self) -> tuple[str, ...]:
        """The claims that the leakages rest on."""
        return united(RESTS_ON, PRUNING_RESTS_ON)

    def as_json(self) -> JsonObject:
        """Return the leakages and the witness as JSON."""
        steps = [{"t": t, "leakage": step.as_json()} for t, step in enumerate(self.steps, 1)]
        return {"steps": steps, "witness": self.witness.as_json()}

    def __str__(self) -> str:
        return f"{len(self.steps)} releases: {self.leakage}"


def stream_leakage(stream: BlockStream, steps: int) -> StreamLeakage:
    """Return what the first t releases leak together, for t = 1 .. steps.

    P0 and P1 are the laws of M(X_1), .., M(X_t) and of M(alt(X_1)), .., M(alt(X_t)) given the
    blocks of window t but its oldest; the leakage is the largest log-ratio in either direction.

    >>> from pufferproof import Channel
    >>> rows = {"00": [1, 0], "01": [1, 0], "10": ["1/2", "1/2"], "11": ["1/2", "1/2"]}
    >>> mechanism = Channel.of(rows, ["u", "v"])
    >>> stream = BlockStream(["0", "1"], ["1/2", "1/2"], 2, mechanism, [[0, 1], [0, 1]])
    >>> [str(each.ratio) for each in stream_leakage(stream, 2).steps]
    ['2', '4']

    Where too many sequences of outputs cannot be compared, as with a common coin, the leakage is
    enclosed: by the most promising ones, and by bounds. Raises `TooLargeError` where a window has
    too many states.

    Source: the setting of "Composition Theorem for streaming CW-privacy", Section 2.
    """
    stream = check_type(stream, BlockStream, "stream")
    steps = expect_steps(steps)
    worlds = passes(stream)
    most = [_LargestByStep(*worlds, steps), _LargestByStep(*worlds[::-1], steps)]
    found, last = [], None
    for t, (up, down) in enumerate(zip(*most), 1):
        last = max((up, "windows"), (down, "scrubbed"), key=lambda each: each[0])
        upper = last[0].ratio
        if not all(each.exact for each in most):
            upper = _above(stream, steps)[t - 1] if upper is not None else None
        found.append(Leakage(last[0].ratio, upper))
    assert last is not None
    best, likelier = last
    witness = StreamWitness(
        tuple(stream.mechanism.outputs[output] for output in best.outputs()), stream.named(best.given), likelier
    )
    return StreamLeakage(stream, tuple(found), witness)


@lru_cache(maxsize=4)
def _above(stream: BlockStream, steps: int) -> list[Fraction | None]:
    """Return upper bounds of e^leakage for alternatives with a common coin, or None if none is
    known: the scrubbed law is the mean of those of each interval of the coin.

    So P1/P0 is at most the mean of their largest ratios, and P0/P1 at most that of any one interval
    over its length. Of other alternatives no bound is known here.
    """
    if stream.draws != "common":
        return [None] * steps
    found, shares = [], []
    for share, chosen in stream.quantiles():
        surely = [[int(block == new) for block in range(len(chosen))] for new in chosen]
        alone = BlockStream(stream.values, stream.blocks, stream.window, stream.mechanism, surely)
        worlds = passes(alone)
        most = [_LargestByStep(*worlds, steps), _LargestByStep(*worlds[::-1], steps)]
        found.append([[each.ratio for each in way] for way in most])
        if not all(each.exact for each in most):
            return [None] * steps
        shares.append(share)
    return [
        _larger(
            least_of([_times(alone[0][t], 1 / share) for share, alone in zip(shares, found)]),
            _sum([_times(alone[1][t], share) for share, alone in zip(shares, found)]),
        )
        for t in range(steps)
    ]


def _times(ratio: Fraction | None, factor: Fraction) -> Fraction | None:
    return None if ratio is None else ratio * factor


def _sum(ratios: list[Fraction | None]) -> Fraction | None:
    known = [ratio for ratio in ratios if ratio is not None]
    return sum(known, Fraction(0)) if len(known) == len(ratios) else None


def _larger(one: Fraction | None, other: Fraction | None) -> Fraction | None:
    return None if one is None or other is None else max(one, other)


@dataclass(frozen=True)
class _BestStep:
    """The largest ratio at some step, as two integers, and where it is reached."""

    above: int
    below: int
    given: tuple[int, ...]
    sequence: Sequence

    def __gt__(self, other: "_BestStep") -> bool:
        return self.above * other.below > other.above * self.below

    @property
    def ratio(self) -> Fraction | None:
        """The ratio, None if it is infinite."""
        return Fraction(self.above, self.below) if self.below else None

    def outputs(self) -> tuple[int, ...]:
        """The outputs that have this ratio."""
        return self.sequence.outputs()


class _LargestByStep:
    """The largest ratio of the weights of one world to those of the other after every step.

    `exact` turns false where too many sequences of outputs cannot be compared: from there on the
    most promising ones are kept alone, and ratios are lower bounds.
    """

    def __init__(self, top: Pass, bottom: Pass, steps: int) -> None:
        self.top, self.bottom, self.steps = top, bottom, steps
        self.exact = True

    def __iter__(self) -> Iterator[_BestStep]:
        kept, many = [Sequence(self.top.start, self.bottom.start)], _MANY
        for _ in steps(range(self.steps), "releases"):
            kept = undominated([each for old in kept for each in self._longer(old)])
            if self.exact and len(kept) > many:
                kept = extreme(kept)
                many = max(_MANY, 3 * len(kept))
            if len(kept) > (MOST_KEPT if self.exact else _BEAM):
                self.exact = False
                kept = most_promising(kept, _BEAM)
            yield _largest(self.top, self.bottom, kept)

    def _longer(self, old: Sequence) -> Iterator[Sequence]:
        """Yield the sequences with one more output that are possible in the world on top."""
        for output in range(len(self.top.steps)):
            top = self.top.after(old.top, output)
            if any(top):
                yield Sequence(top, self.bottom.after(old.bottom, output), output, old)


def _largest(top: Pass, bottom: Pass, kept: list[Sequence]) -> _BestStep:
    """Return the largest ratio over sequences and later blocks, the first of several."""
    found: _BestStep | None = None
    for each in kept:
        for given in top.ends:
            above, below = top.at(each.top, given), bottom.at(each.bottom, given)
            if above:
                ratio = _BestStep(above, below, given, each)
                found = ratio if found is None or ratio > found else found
    assert found is not None
    return found
