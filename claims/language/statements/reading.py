"""Whether a predicate reads anything of an instance: it is asked about one whose entries cannot be
used at all.

A conclusion that is True whatever it is given says nothing of any instance, and no number of
instances shows it. Every use of an entry ends the question: comparison, arithmetic, truth,
iteration, indexing, a call, an attribute, hashing. Handing it on is no use, nor is `is`.
"""

from collections.abc import Callable, Collection, Mapping
from contextlib import suppress

KINDS = (int, float, complex, str, tuple, list, dict, set, frozenset, type(lambda: 0))
KEPT = {"class", "new", "init", "getattribute", "init_subclass", "subclasshook", "del", "dict"}


class Used(BaseException):
    """Something was done with an entry; nothing that catches an `Exception` catches it."""


class _Entry:
    """An entry that cannot be used."""


def _use(*_: object, **__: object) -> object:
    raise Used


def _special() -> set[str]:
    """The names of the methods behind operators and functions of Python."""
    names = {name for kind in KINDS for name in dir(kind) if name.startswith("__")}
    return {"__getattr__", "__complex__", *names} - {f"__{name}__" for name in KEPT}


for _name in sorted(_special()):
    if callable(getattr(_Entry, _name, _use)):
        setattr(_Entry, _name, _use)


def reads(
    predicate: Callable[..., object], instance: Mapping[str, object], entries: Collection[str] | None = None
) -> bool:
    """Return whether a predicate uses any of some entries of an instance, all if left out. One that
    returns an entry, or arguments by their names, or fails, uses it.
    """
    withheld = {name: _Entry() for name in (instance if entries is None else entries)}
    with suppress(Used, Exception):
        value = predicate(**{**instance, **withheld})
        return isinstance(value, _Entry | dict)
    return True
