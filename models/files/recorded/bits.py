"""What may stand in a cell of recorded data: text, or a number that stands for itself; what is
missing is refused.
"""

import re
from collections.abc import Collection
from decimal import Decimal
from fractions import Fraction
from numbers import Rational
from unicodedata import normalize

from pufferproof.models.errors import ModelError
from pufferproof.models.numbers.grammar import parse_number
from pufferproof.models.numbers.text import shown


class MissingError(ModelError):
    """A value is missing."""


_MISSING = {"NA", "N/A", "n/a", "<NA>", "NaN", "nan", "NaT", "null", "NULL"}
_UNCLEAR = {text.casefold() for text in _MISSING} | {"none"}  # may be a value as well
_ERRORS = frozenset(  # of spreadsheets; #N/A is #NV, #N/D, #N/B and #I/T in other languages
    "#n/a #div/0! #name? #null! #num! #ref! #value! #getting_data #nv #n/d #n/b #i/t".split()  # noqa: SIM905
)
# Other words of Excel and Google Sheets (#SPILL!, #BEZUG!, #¿NOMBRE?), those of LibreOffice, and
# a number for which its column is too narrow
_FAILED = re.compile(r"#[¡¿]?[^\W\d_a-z][^a-z\s]*[!?]|#N/A .*|Err:[0-9]{3}|#{3,}")
_COMMA = re.compile(r"-?[0-9]+,[0-9]+([eE][+-]?[0-9]+)?")
_POINT = re.compile(r"-?[0-9]*\.[0-9.]*(,[0-9]+)?([eE][+-]?[0-9]+)?")
_THOUSANDS = re.compile(r"-?[1-9][0-9]{0,2}\.[0-9]{3}")
_LONGEST = 10_000  # characters
_ABSENT = ("NoneType", "NAType", "NaTType")  # of Python and pandas


def label_of(value: object, kept: Collection[str] = (), na: Collection[str] | None = None) -> str:
    """Return the label that a cell holds. Texts that mean missing are NA, N/A, NaN, NaT and null,
    or those of `na`; an empty cell and a failed formula are missing in any case.

    >>> label_of("rain"), label_of(2), label_of(0.5), label_of(True)
    ('rain', '2', '0.5', 'True')
    >>> label_of("NA", kept=["NA"]), label_of("none", na=["NA"])
    ('NA', 'none')

    Raises `MissingError` where a value is missing, and `ModelError` where it may be ("none", "na",
    without `na`); where it has spaces around it, unless `kept` names it; and where it is infinite,
    or neither text nor a number nor a date.
    """
    if hasattr(value, "item") and getattr(value, "shape", ()) == ():  # NumPy scalars
        value = value.item()
    if type(value).__name__ in _ABSENT or (isinstance(value, float) and value != value):
        raise _missing(value)
    if isinstance(value, str):
        if value not in kept:
            _expect_value(value, na)
        if value not in kept and value != value.strip():
            raise ModelError(f"expected a label without spaces around it, found {shown(value)}")
        if len(value) > _LONGEST:
            raise ModelError(f"expected a label of at most {_LONGEST} characters, found {len(value)}")
        if not value.isprintable():
            raise ModelError(f"expected a label of printable characters, found {shown(value)}")
        return value
    if isinstance(value, float) and value in (float("inf"), float("-inf")):
        raise ModelError(f"expected a label or a finite number, found {value}")
    if isinstance(value, Rational | float) or hasattr(value, "isoformat"):
        return str(value)
    raise ModelError(f"expected text or a number, found {shown(value)}")


def _expect_value(text: str, na: Collection[str] | None) -> None:
    """Raise `ModelError` for a text that means missing, or may."""
    bare = text.strip()
    if not bare or _failed(bare) or (na is not None and bare in na):
        raise _missing(text)
    if na is None and bare in _MISSING:
        raise _missing(text, ' unless --na "" says that it is a value')
    if na is None and bare.casefold() in _UNCLEAR:
        raise ModelError(
            f"expected a value, found {shown(text)}, which may mean that it is missing: "
            f'--na "{bare}" says that it does, --na "" that it is a value'
        )


def _failed(bare: str) -> bool:
    return bare.casefold() in _ERRORS or _FAILED.fullmatch(bare) is not None


def may_be_missing(cell: object, na: Collection[str] | None = None) -> bool:
    """Return whether a cell is empty, or means missing or may: a dash, a failed formula, `none`, a
    text of `na`.

    >>> [cell for cell in ("", None, " - ", ".", "NA", "#REF!", "-1", "x") if may_be_missing(cell)]
    ['', None, ' - ', '.', 'NA', '#REF!']
    """
    if hasattr(cell, "item") and getattr(cell, "shape", ()) == ():  # NumPy scalars
        cell = cell.item()
    if not isinstance(cell, str):
        absent = isinstance(cell, float | Decimal) and cell != cell
        return absent or type(cell).__name__ in _ABSENT
    bare = cell.strip()
    plain = bare.casefold()
    return not any(map(str.isalnum, bare)) or plain in _UNCLEAR or _failed(bare) or (na is not None and bare in na)


def name_of(cell: object) -> str:
    """Return the label that a cell holds, and the text of one that holds none."""
    if isinstance(cell, str):
        return cell
    try:
        return label_of(cell)
    except ModelError:
        return str(cell)


def number_of(label: str, decimal: str = ".") -> Fraction:
    """Return the number that a label is, with this decimal mark.

    >>> number_of("0.98"), number_of("0,98", ",")
    (Fraction(49, 50), Fraction(49, 50))

    Raises `ModelError` unless it is one.
    """
    if decimal == ",":
        label = with_point(label)
    try:
        return parse_number(label)
    except ModelError as error:
        hint = " (--decimal , reads decimal commas)" if _COMMA.fullmatch(label) else ""
        raise ModelError(error.what + hint) from None


def with_point(label: str) -> str:
    """Return a number that has a decimal comma with a point, and any other label as it is.

    >>> with_point("-0,98"), with_point("a,b")
    ('-0.98', 'a,b')

    Raises `ModelError` for a number with a point, which may separate thousands.
    """
    if _COMMA.fullmatch(label):
        return label.replace(",", ".")
    if _POINT.fullmatch(label):
        raise ModelError(f"expected a number with a decimal comma and nothing between thousands, found {shown(label)}")
    return label


def in_order(labels: Collection[str]) -> tuple[str, ...]:
    """Return labels each once, in order: numbers by what they are, else by their text.

    >>> in_order(["10", "9", "9"]), in_order(["b", "10", "9"])
    (('9', '10'), ('10', '9', 'b'))
    """
    try:
        return tuple(sorted(set(labels), key=lambda label: (parse_number(label), label)))
    except ModelError:
        return tuple(sorted(set(labels)))


def alike(labels: Collection[str]) -> list[str]:
    """Return the first labels that are the same number, or the same but for their case, spaces and
    how letters are composed; none if all differ.

    >>> alike(["no", "Yes", "yes"]), alike(["1", "1.0", "2"]), alike(["a", "b"])
    (['Yes', 'yes'], ['1', '1.0'], [])
    """
    found: dict[object, list[str]] = {}
    for label in labels:
        try:
            key: object = parse_number(label)
        except ModelError:
            key = " ".join(normalize("NFKC", label).casefold().split())
        found.setdefault(key, []).append(label)
    return next((same for same in found.values() if len(same) > 1), [])


def grouped(labels: Collection[str]) -> str | None:
    """Return a number whose points may stand between thousands, as all do in these numbers, some of
    which have none and are below 1000; None if there is none.

    >>> grouped(["998", "1.234"]), grouped(["998", "1.2"]), grouped(["0.998", "1.234"])
    ('1.234', None, None)
    """
    pointed = [label for label in labels if "." in label]
    whole = [label for label in labels if "." not in label]
    alike = all(_THOUSANDS.fullmatch(label) for label in pointed)
    short = all(len(label.lstrip("-")) < 4 for label in whole)
    return pointed[0] if pointed and whole and alike and short else None


def _missing(value: object, unless: str = "") -> MissingError:
    return MissingError(f"expected a value, found {shown(value)}, which is missing{unless}")
