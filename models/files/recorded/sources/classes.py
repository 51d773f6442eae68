"""Classes of numbers: between limits, or of about equal size.

With limits a < b the classes are named "below a", "a to b" and "from b": a number equal to a limit
is above it. N classes of about equal size have the limits

    x_(floor(j n / N)),  j = 1 .. N - 1,

of the n numbers x_0 <= x_1 <= .., so that at most j n / N numbers are below the j-th.
"""

import re
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise

from pufferproof.models.errors import ModelError
from pufferproof.models.files.recorded.labels import label_of, number_of
from pufferproof.models.numbers.intervals import nearest
from pufferproof.models.numbers.text import percent, shown, text_of

MAX_CLASSES = 256
_FEWEST = 2
_ONE_OR_TWO = re.compile(r"-?[0-9]+,[0-9]+")


@dataclass(frozen=True)
class Classes:
    """Limits between classes in ascending order, or `count` classes of about equal size, which get
    their limits from the numbers; `numbered` classes are named 0, 1, ..

    >>> Classes.of("0.5,2").names
    ('below 0.5', '0.5 to 2', 'from 2')
    >>> Classes.of(2).among({"1": 4, "7": 4}, {"1": Fraction(1), "7": Fraction(7)}).names
    ('below 7', 'from 7')
    """

    limits: tuple[Fraction, ...] = ()
    count: int | None = None
    numbered: bool = False

    @classmethod
    def of(cls, given: object, decimal: str = ".") -> "Classes":
        """Read a number of classes, or limits between them: a text, an integer, or a sequence.

        Raises `ModelError` unless there are 2 to 256 classes, and limits ascend; and for a text
        such as "0,5" beside decimal commas, which may be one limit or two.
        """
        try:
            if isinstance(given, str) and decimal == "," and _ONE_OR_TWO.fullmatch(given.strip()):
                one, two = given.strip().split(",")
                raise ModelError(
                    f"{shown(given)} may be one limit or two beside decimal commas: write "
                    f"{one}.{two}, or {one}.0,{two}.0"
                )
            return cls._of(given)
        except ModelError as error:
            raise error.within("classes") from None

    @classmethod
    def _of(cls, given: object) -> "Classes":
        text = given.strip() if isinstance(given, str) else ""
        if text.isascii() and text.isdigit() and len(text) < 10:
            given = int(text)
        if isinstance(given, int) and not isinstance(given, bool):
            if not _FEWEST <= given <= MAX_CLASSES:
                raise ModelError(
                    f"expected {_FEWEST} to {MAX_CLASSES} classes, found {given} (one limit has a point, {given}.0)"
                )
            return cls(count=given)
        if text:
            given = [part.strip() for part in text.split(",")]
        if not isinstance(given, Sequence) or isinstance(given, str | bytes):
            raise ModelError(f"expected a number of classes, or limits such as 0.5,2, found {shown(given)}")
        limits = tuple(number_of(label_of(each)) for each in given)
        if not 1 <= len(limits) < MAX_CLASSES or any(a >= b for a, b in pairwise(limits)):
            raise ModelError(f"expected 1 to {MAX_CLASSES - 1} limits in ascending order, found {shown(given)}")
        return cls(limits)

    def among(self, counted: Mapping[str, int], numbers: Mapping[str, Fraction]) -> "Classes":
        """Return the classes with their limits, given how often each label occurs, and the number
        that it is.

        Raises `ModelError` if equal numbers leave a class empty.
        """
        if self.count is None:
            return self
        # floats tell most numbers apart
        known = ((numbers[label], n) for label, n in counted.items())
        ordered = sorted((nearest(number), number, n) for number, n in known)
        total, seen = sum(counted.values()), 0
        targets = [j * total // self.count for j in range(1, self.count)]
        limits: list[Fraction] = []
        for _, number, n in ordered:
            seen += n
            while len(limits) < len(targets) and targets[len(limits)] < seen:
                limits.append(number)
        if any(a >= b for a, b in pairwise([ordered[0][1], *limits])):
            _, often, n = max(ordered, key=lambda each: each[2])
            raise ModelError(
                f"expected numbers that make {self.count} classes of about equal size, found "
                f"{limit_text(often)} in {percent(Fraction(1000 * n // total, 1000))} of {total} "
                "rows: give limits, such as --classes 0.5,2",
                "classes",
            )
        return replace(self, limits=tuple(limits))

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the classes, in order."""
        if self.numbered:
            return tuple(map(str, range(len(self.limits) + 1)))
        texts = [limit_text(limit) for limit in self.limits]
        middle = [f"{a} to {b}" for a, b in pairwise(texts)]
        return (f"below {texts[0]}", *middle, f"from {texts[-1]}")

    def by_label(self, numbers: Mapping[str, Fraction]) -> dict[str, str]:
        """Return the name of the class of every label, given the number that it is."""
        names, limits = self.names, self.limits
        return {label: names[bisect_right(limits, number)] for label, number in numbers.items()}


def limit_text(limit: Fraction) -> str:
    """Write a number as a decimal if it is one, and else as a fraction.

    >>> limit_text(Fraction(-5, 4)), limit_text(Fraction(1, 3)), limit_text(Fraction(2))
    ('-1.25', '1/3', '2')
    """
    rest, places = limit.denominator, 0
    while rest % 10 == 0 or rest % 5 == 0 or rest % 2 == 0:
        rest //= next(p for p in (10, 5, 2) if rest % p == 0)
        places += 1
    if rest != 1 or not places:
        return text_of(limit)
    digits = text_of(abs(limit) * 10**places).rjust(places + 1, "0")
    decimals = digits[-places:].rstrip("0")
    return f"{'-' if limit < 0 else ''}{digits[:-places]}.{decimals}"
