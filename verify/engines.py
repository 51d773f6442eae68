"""Tables of engines: algorithms for one question, of which the first that decides it answers.

An engine answers a question, or says that it is none of its kind, or why it is too large for it.
Which are asked, and in which order, is a tuple in the file of the question: `noise.largest` has the
longest.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from pufferproof.models.errors import TooLargeError

Question = TypeVar("Question")
Answer = TypeVar("Answer")
Engine = Callable[[Question], Answer | None]


@dataclass(frozen=True)
class Asked(Generic[Answer]):
    """What a table of engines says: the best answer or None, and why engines refused, by name."""

    answer: Answer | None
    refused: dict[str, TooLargeError]

    def expect(self) -> Answer:
        """Return the answer. Raises the `TooLargeError` of the last engine that refused."""
        if self.answer is None:
            none = TooLargeError("expected a question of another kind")
            raise [none, *self.refused.values()][-1]
        return self.answer


def ask(
    engines: Sequence[Engine[Question, Answer]],
    question: Question,
    settles: Callable[[Answer], bool] = lambda answer: True,
    upper: Callable[[Answer], Any] = lambda answer: 0,
) -> Asked[Answer]:
    """Ask engines in their order until an answer settles the question; else return the best.

    An engine returns an answer, or None if the question is none of its kind. An engine that finds a
    question too large raises `TooLargeError` from wherever it finds that, which is kept as the
    reason of a refusal. A new engine enters a table if it decides more, bounds closer or is faster
    than the table in `tests/same`, and says so in its head.

    Args:
        engines: functions of the question, each named as it is called in `Asked.refused`.
        settles: whether no other answer is needed; the first answer is enough by default.
        upper: the least is the best answer, of equal ones the first.

    >>> def halves(number: int) -> int | None:
    ...     return None if number % 2 else number // 2
    >>> def small(number: int) -> int:
    ...     if number > 9:
    ...         raise TooLargeError("expected at most 9")
    ...     return number
    >>> ask((halves, small), 8).expect(), ask((halves, small), 7).expect()
    (4, 7)
    >>> ask((halves, small), 11)
    Asked(answer=None, refused={'small': TooLargeError('expected at most 9')})
    """
    best: Answer | None = None
    refused: dict[str, TooLargeError] = {}
    for engine in engines:
        try:
            answer = engine(question)
        except TooLargeError as error:
            refused[engine.__name__] = error.with_traceback(None)
            continue
        if answer is None:
            continue
        if settles(answer):
            return Asked(answer, refused)
        if best is None or upper(answer) < upper(best):
            best = answer
    return Asked(best, refused)
