"""A walk along records that takes the same step again and again, until it stops changing.

A step depends on what is known before it, on the weight of a record, and, of alternating chains, on
whether the record is odd. Where records have one weight and the same was known 12 steps before, the
next steps are those 12 again, to the last bit.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

State = TypeVar("State")
PERIOD = 12  # floats that settle repeat themselves after 1, 2, 3 or 4 steps


def walked(
    records: Sequence[int],
    weights: Sequence[object],
    state: State,
    move: Callable[[int, State], State],
    same: Callable[[State], bytes],
    settled: Callable[[Sequence[int], Sequence[State]], Sequence[State] | None],
) -> Iterator[State]:
    """Yield the first state, and that after every step.

    Args:
        records: of the steps, consecutive.
        weights: of the steps.
        move: returns the state after the step of a record.
        same: returns what decides, with the weight and whether the record is odd, about the next
            step, but for what `settled` bounds.
        settled: returns 12 states that hold instead of the last 12, and of all that repeat them;
            None if these are to be taken as they are.

    >>> list(walked(range(5), "aaaaa", 64, lambda record, x: x // 2, lambda x: b"", lambda *_: None))
    [64, 32, 16, 8, 4, 2]
    """
    yield state
    place, before, cycle = 0, b"", list[State]()
    while place < len(records):
        if place and weights[place] != weights[place - 1]:
            before, cycle = b"", []
        if len(cycle) == PERIOD:
            now = same(state)
            if now == before:
                done = records[place - PERIOD : place]
                cycle = list(settled(done, cycle) or cycle)
                first = place
                while place < len(records) and weights[place] == weights[first]:
                    state = cycle[(place - first) % PERIOD]
                    yield state
                    place += 1
                before, cycle = b"", []
                continue
            before, cycle = now, []
        state = move(records[place], state)
        cycle.append(state)
        yield state
        place += 1
