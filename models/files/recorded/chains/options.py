"""How a chain is fitted to recorded data, and what its framework protects."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from pufferproof.models.errors import ModelError
from pufferproof.models.files.recorded.boxes.box import Stopping
from pufferproof.models.files.recorded.labels import label_of
from pufferproof.models.files.recorded.sources.classes import Classes
from pufferproof.models.numbers.grammar import confidence_of
from pufferproof.models.numbers.text import shown
from pufferproof.models.priors.markov import non_negative
from pufferproof.models.priors.records import MAX_PEOPLE

Thin = Literal["pooled", "out"]
_WAYS = ("pooled", "each", "box")


@dataclass(frozen=True)
class Options:
    """How a chain is fitted, and what its framework protects."""

    order: int = 1
    smoothing: Fraction = Fraction(0)
    confidence: Fraction | None = None
    initial: str | None = None
    length: int | None = None
    private: tuple[int, ...] | None = None
    people: int = 1
    absorbing: tuple[str, ...] = ()
    stopping: Stopping = "fixed"
    kinds: str | int = "pooled"
    never: tuple[tuple[str, str], ...] = ()
    thin: Thin = "pooled"

    @classmethod
    def of(
        cls,
        order: int,
        smoothing: object,
        confidence: object,
        initial: str | None,
        length: int | None,
        private: int | Sequence[int] | None,
        people: int = 1,
        absorbing: Sequence[object] = (),
        stopping: str | None = None,
        kinds: object = "pooled",
        never: Sequence[Sequence[object]] = (),
        thin: str | None = None,
    ) -> "Options":
        """Read options. Raises `ModelError`, naming one, unless they fit together."""
        if order < 1:
            raise ModelError(f"expected at least 1, found {shown(order)}", "order")
        share = None if confidence is None else confidence_of(confidence)
        if share is not None and order > 1:
            raise ModelError(f"a box is of chains of the first order: expected order 1, found {order}", "confidence")
        if stopping is not None and share is None:
            raise ModelError("needs confidence", "stopping")
        if stopping not in (None, "fixed", "any"):
            raise ModelError(f'expected "fixed" or "any", found {shown(stopping)}', "stopping")
        way = kinds_of(kinds)
        if way != "pooled":
            _expect_kinds(way, order, share, stopping, people)
        if thin is not None and way not in ("each", "box"):
            raise ModelError("needs kinds each or box", "thin")
        if thin not in (None, "pooled", "out"):
            raise ModelError(f'expected "pooled" or "out", found {shown(thin)}', "thin")
        few: Thin = "out" if thin == "out" else "pooled"
        boxed = share is not None or way == "box"
        last = _absorbing(absorbing, order)
        _expect_initial(initial, boxed, bool(last))
        if length is not None and length < 1:
            raise ModelError(f"expected at least 1 record, found {length}", "length")
        if not 1 <= people <= MAX_PEOPLE:
            raise ModelError(f"expected 1 to {MAX_PEOPLE}, found {shown(people)}", "people")
        some = (private,) if isinstance(private, int) else private
        added = non_negative(smoothing, "smoothing")
        chosen = None if some is None else tuple(some)
        ended: Stopping = "any" if stopping == "any" else "fixed"
        steps = _never(never, order)
        return cls(order, added, share, initial, length, chosen, people, last, ended, way, steps, few)

    @property
    def boxed(self) -> bool:
        """Whether the framework has a box of chains."""
        return self.confidence is not None or self.kinds == "box"


def _absorbing(given: Sequence[object], order: int) -> tuple[str, ...]:
    """Read absorbing values. Raises `ModelError` above the first order."""
    try:
        last = tuple(dict.fromkeys(map(label_of, given)))
    except ModelError as error:
        raise error.within("absorbing") from None
    if last and order > 1:
        raise ModelError(f"needs order 1, found order {order}", "absorbing")
    return last


def _never(given: Sequence[Sequence[object]], order: int) -> tuple[tuple[str, str], ...]:
    """Read steps that never occur. Raises `ModelError` above the first order."""
    steps = []
    for step in given:
        if isinstance(step, str) or len(step) != 2:
            found = ", ".join(map(shown, step)) or "none"
            raise ModelError(f"expected two values, FROM and TO, found {found}", "never")
        try:
            left, right = map(label_of, step)
        except ModelError as error:
            raise error.within("never") from None
        steps.append((left, right))
    if steps and order > 1:
        raise ModelError(f"needs order 1, found order {order}", "never")
    return tuple(dict.fromkeys(steps))


def _expect_initial(initial: str | None, boxed: bool, absorbing: bool) -> None:
    """Raise `ModelError` unless a box, or a chain, may begin so."""
    allowed = ("any", "stationary") if boxed else ("stationary", "counted")
    if initial is not None and initial not in allowed:
        beside = "in a box" if boxed else "without confidence"
        raise ModelError(f'expected "{allowed[0]}" or "{allowed[1]}" {beside}, found {shown(initial)}', "initial")
    if absorbing and initial == "stationary":
        raise ModelError(
            f'expected "{"any" if boxed else "counted"}" beside absorbing values: in the long run nothing else is left',
            "initial",
        )


def _expect_kinds(way: str | int, order: int, share: Fraction | None, stopping: str | None, people: int) -> None:
    """Raise `ModelError` where kinds of groups do not go with other options."""
    if way == "box" and order > 1:
        raise ModelError(f"a box needs chains of order 1, found order {order}", "kinds")
    if way != "box" and share is not None:
        raise ModelError("a box of each kind is not supported: expected kinds pooled or box", "confidence")
    if stopping == "fixed":
        raise ModelError("a box around groups holds whenever recordings ended", "stopping")
    if people > 1:
        raise ModelError(
            "leave people out with kinds: records of independent other people can only hide more", "people"
        )


def kinds_of(given: object) -> str | int:
    """Read the option `kinds`: "pooled", "each", "box", or how many.

    >>> kinds_of("each"), kinds_of("3"), kinds_of(3)
    ('each', 3, 3)

    Raises `ModelError` for anything else.
    """
    if given in _WAYS:
        return str(given)
    text = str(given) if isinstance(given, int | str) and not isinstance(given, bool) else ""
    if not (text.isascii() and text.isdigit() and len(text) < 7 and int(text) >= 1):
        raise ModelError(f'expected "pooled", "each", "box", or a number of kinds, found {shown(given)}', "kinds")
    return int(text)


def expect_fixed(classes: Classes | None, confidence: Fraction | None) -> None:
    """Raise `ModelError` for a box beside classes whose limits come from the same data."""
    if confidence is not None and classes is not None and classes.count is not None:
        raise ModelError(
            "limits that are quantiles of the same data void the confidence: expected limits that "
            "were fixed beforehand, such as --classes 0.5,2",
            "classes",
        )
