"""What may stand in a cell of recorded data: text, or a number that stands for itself; what is
missing is refused.
"""

from collections.abc import Collection
from numbers import Rational

from pufferproof.models.errors import ModelError
from pufferproof.models.numbers.grammar import parse_number
from pufferproof.models.numbers.text import shown

_MISSING = {"", "na", "n/a", "<na>", "nan", "nat", "null", "none"}
_LONGEST = 10_000  # characters
_ABSENT = ("NoneType", "NAType", "NaTType")  # of Python and pandas


def label_of(value: object, kept: Collection[str] = ()) -> str:
    """Return the label that a cell holds.

    >>> label_of("rain"), label_of(2), label_of(0.5), label_of(True)
    ('rain', '2', '0.5', 'True')
    >>> label_of("NA", kept=["NA"])
    'NA'

    Raises `ModelError` where a value is missing (empty, NA, NaN, null, None) or has spaces around
    it, unless `kept` names it, is infinite, or neither text nor a number nor a date.
    """
    if hasattr(value, "item") and getattr(value, "shape", ()) == ():  # NumPy scalars
        value = value.item()
    if type(value).__name__ in _ABSENT or (isinstance(value, float) and value != value):
        raise _missing(value)
    if isinstance(value, str):
        if value not in kept and value.strip().casefold() in _MISSING:
            raise _missing(value)
        if value not in kept and value != value.strip():
            raise ModelError(f"expected a label without spaces around it, found {shown(value)}")
        if len(value) > _LONGEST:
            raise ModelError(
                f"expected a label of at most {_LONGEST} characters, found {len(value)}"
            )
        if not value.isprintable():
            raise ModelError(f"expected a label of printable characters, found {shown(value)}")
        return value
    if isinstance(value, float) and value in (float("inf"), float("-inf")):
        raise ModelError(f"expected a label or a finite number, found {value}")
    if isinstance(value, Rational | float) or hasattr(value, "isoformat"):
        return str(value)
    raise ModelError(f"expected text or a number, found {shown(value)}")


def in_order(labels: Collection[str]) -> tuple[str, ...]:
    """Return labels each once, in order: numbers by what they are, else by their text.

    >>> in_order(["10", "9", "9"]), in_order(["b", "10", "9"])
    (('9', '10'), ('10', '9', 'b'))
    """
    try:
        return tuple(sorted(set(labels), key=lambda label: (parse_number(label), label)))
    except ModelError:
        return tuple(sorted(set(labels)))


def _missing(value: object) -> ModelError:
    return ModelError(f"expected a value, found {shown(value)}, which is missing")
