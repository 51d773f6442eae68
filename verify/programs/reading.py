"""What a program reads of a database: a program that asks for a count alone has one law for all
databases of this count.

A `Reading` stands for the text of a database and remembers every question about it and the answer.
Two databases on which the questions of all paths have the same answers are likely to have the same
paths. It is no proof, because a program can tell a `Reading` from text: `law` runs every path on
the text of each database. A program that reads the text as a whole (goes through its characters, or
hands it to a function written in C) has a search for each database.
"""

from collections.abc import Iterator
from typing import Any

from pufferproof.verify.programs.drawing.arrays import Symbol

_METHODS = frozenset(name for name in dir(str) if not name.startswith("_"))


class Reading:
    """The text of a database, behind the questions that a program asks.

    >>> reading = Reading("0110")
    >>> reading.count("1"), reading[0], reading.whole
    (2, '0', False)
    >>> reading.agrees("0101"), reading.agrees("1010"), reading.agrees("0111")
    (True, False, False)
    """

    def __init__(self, label: str) -> None:
        self.label = label
        self.whole = False  # whether the text itself was read
        self._answers: dict[Any, Any] = {}

    @property  # type: ignore[misc]
    def __class__(self) -> type:
        """`isinstance(database, str)` holds."""
        return str

    def agrees(self, text: str) -> bool:
        """Whether all questions have the same answers about another text."""
        for (name, given), answer in self._answers.items():
            try:
                other = getattr(text, name)(*(_argument(each) for each in given))
            except Exception:
                return False
            if type(other) is not type(answer) or other != answer:
                return False
        return True

    def _ask(self, name: str, *given: Any) -> Any:
        plain = tuple(each.resolved() if isinstance(each, Symbol) else each for each in given)
        question = name, tuple(map(_question, plain))
        answer = getattr(self.label, name)(*plain)
        try:
            self._answers[question] = answer
        except TypeError:  # an argument that has no hash
            self.whole = True
        return answer

    def _text(self) -> str:
        self.whole = True
        return self.label

    def __len__(self) -> int:
        return int(self._ask("__len__"))

    def __bool__(self) -> bool:
        return len(self) > 0

    def __getitem__(self, place: Any) -> Any:
        return self._ask("__getitem__", place)

    def __contains__(self, part: Any) -> bool:
        return bool(self._ask("__contains__", part))

    def __eq__(self, other: object) -> bool:
        same = other.label if type(other) is Reading else other
        return self is other or self._ask("__eq__", same) is True

    def __hash__(self) -> int:
        return hash(self._text())

    def __iter__(self) -> Iterator[str]:
        return iter(self._text())

    def __str__(self) -> str:
        return self._text()

    def __repr__(self) -> str:
        return repr(self._text())

    def __format__(self, how: str) -> str:
        return format(self._text(), how)

    def __add__(self, other: Any) -> Any:
        return self._text() + other

    def __radd__(self, other: Any) -> Any:
        return other + self._text()

    def __getattr__(self, name: str) -> Any:
        if name not in _METHODS:
            raise AttributeError(f"'str' object has no attribute '{name}'")

        def method(*given: Any, **named: Any) -> Any:
            if named:
                return getattr(self._text(), name)(*given, **named)
            return self._ask(name, *given)

        return method


def _question(given: Any) -> Any:
    """Return an argument in a form that has a hash."""
    if isinstance(given, slice):
        return (slice, given.start, given.stop, given.step)
    return given


def _argument(asked: Any) -> Any:
    if isinstance(asked, tuple) and asked and asked[0] is slice:
        return slice(*asked[1:])
    return asked
