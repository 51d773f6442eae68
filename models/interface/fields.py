"""Fields of frozen dataclasses whose constructors read what callers write."""

from typing import Any


def hold(instance: Any, **fields: Any) -> None:
    """Set the fields of a frozen dataclass that is being made; nothing else ever does.

    >>> from dataclasses import dataclass
    >>> @dataclass(frozen=True, init=False)
    ... class Half:
    ...     value: float
    ...
    ...     def __init__(self, whole: float) -> None:
    ...         hold(self, value=whole / 2)
    >>> Half(3)
    Half(value=1.5)
    """
    for name, value in fields.items():
        object.__setattr__(instance, name, value)
