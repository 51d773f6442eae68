"""Many items in portions that end by time, so that a kill loses little of slow work, and quick work
needs few units.

A portion is a unit that answers the first of its items, one at least. What it leaves is halved and
handed out again. Which portions there are depends on time, the answers do not; a sweep that goes on
with a store begins with the same portions, and finds what each has left.
"""

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

from pufferproof.models.errors import ModelError, SweepError
from pufferproof.models.interface.sweeps.limits import first_of
from pufferproof.models.interface.sweeps.running import Failure, Sweep
from pufferproof.models.interface.sweeps.units import Unit

Item = TypeVar("Item")
Answer = TypeVar("Answer")

SECONDS = 1.0  # after which a portion takes no further item
MOST = 25  # items of a portion
LEAST = 32  # portions, if there are as many items: so that few workers have about as much to do


def begun(work: Callable[[Item], Answer], items: Sequence[Item]) -> list[Answer]:
    """Return the answers of the first items: of all, or of those that time is enough for.

    >>> begun(abs, [-1, 2])
    [1, 2]
    """
    return [work(item) for item in first_of(items, SECONDS)]


def in_portions(sweep: Sweep, items: Sequence[Item], unit_of: Callable[[list[Item]], Unit]) -> list[Any]:
    """Return the answers of items, in their order; `unit_of` makes a portion of some of them.

    Raises `SweepError` if there are failures, when all else is done and kept.
    """
    handed = _Handed(items, unit_of)
    for place, outcome in sweep.outcomes(handed.units(), len(items), _size):
        handed.take(place, outcome)
    if handed.failures:
        raise SweepError(sweep.failed(handed.failures, len(handed.spans)))
    return [handed.found[place] for place in range(len(items))]


def _size(outcome: Any) -> int:
    return 1 if isinstance(outcome, Failure) else len(outcome)


class _Handed:
    """Portions that are handed out one after another, and what came of them."""

    def __init__(self, items: Sequence[Item], unit_of: Callable[[list[Item]], Unit]) -> None:
        self.items: Sequence[object] = items
        self.unit_of: Callable[[list[Any]], Unit] = unit_of
        self.found: dict[int, Any] = {}
        self.failures: list[Failure] = []
        self.spans: dict[int, range] = {}  # by the place of a unit
        size, each = len(items), min(MOST, -(-len(items) // LEAST)) or 1
        self.waiting = deque(range(at, min(at + each, size)) for at in range(0, size, each))
        self.running = 0

    def units(self) -> Iterator[Unit | None]:
        """Yield portions, None while those under way may leave something."""
        place = 0
        while self.waiting or self.running:
            if self.waiting:
                self.spans[place] = span = self.waiting.popleft()
                self.running += 1
                yield self.unit_of([self.items[number] for number in span])
            else:
                yield None
            place += 1

    def take(self, place: int, outcome: Any) -> None:
        """Take what became of a portion, and hand out what it has left."""
        span = self.spans[place]
        self.running -= 1
        if isinstance(outcome, Failure):
            self.failures.append(outcome)
            return
        if not 1 <= len(outcome) <= len(span):
            raise ModelError(f"expected 1 to {len(span)} answers of a portion")
        self.found |= dict(zip(span, outcome))
        rest = span[len(outcome) :]
        half = (len(rest) + 1) // 2
        self.waiting.extend(part for part in (rest[:half], rest[half:]) if part)
