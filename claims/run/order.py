"""The order in which claims are examined: those that are cited come first.

What a claim cites is known only once it has run. Ids that stand in its function, and in functions
and tables of the claims that it names, are close enough: a citation that is missed costs time, as
the cited claim is examined there too, and one too many changes the order only.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import CodeType, FunctionType, ModuleType
from typing import Any

from pufferproof.claims.registry import Claim, load_claims


class Order:
    """Claims that wait to be examined; true while there are any.

    `cites` has the ids that each may cite.
    """

    def __init__(self, claims: Sequence[Claim]) -> None:
        self.cites = {claim.id: citations(claim) for claim in claims}
        self._waiting = {claim.id: claim for claim in claims}
        self._unfinished = set(self._waiting)

    def __bool__(self) -> bool:
        return bool(self._waiting)

    def following(self, idle: bool) -> Claim | None:
        """Take the first claim that cites none that is unfinished; if nothing runs, any, as
        citations may go in circles.
        """
        for name in self._waiting:
            if not self.cites[name] & self._unfinished - {name}:
                return self._waiting.pop(name)
        return self._waiting.pop(next(iter(self._waiting))) if idle and self._waiting else None

    def finished(self, claim: Claim) -> None:
        """Say that a claim has been examined."""
        self._unfinished.discard(claim.id)


def citations(claim: Claim) -> frozenset[str]:
    """Return the ids of claims that stand in a claim's function or in what it names."""
    found, seen, pending = set[str](), set[int](), [claim.function]
    while pending:
        each = pending.pop()
        if id(each) not in seen:
            seen.add(id(each))
            for code in _codes(each.__code__):
                found |= set(_texts(code.co_consts))
                named = list(_named(code, each.__globals__))
                found |= set(_texts(named))
                pending += [f for f in named if _is_of_claims(f)]
    return frozenset(found & load_claims().keys() - {claim.id})


def _codes(code: CodeType) -> Iterator[CodeType]:
    """Yield the code of a function and of those inside it."""
    yield code
    for each in code.co_consts:
        if isinstance(each, CodeType):
            yield from _codes(each)


def _named(code: CodeType, names: Mapping[str, object]) -> Iterator[Any]:
    """Yield the globals that code names, and what it may take from those that are modules."""
    for name in code.co_names:
        value = names.get(name)
        if isinstance(value, ModuleType):
            yield from (getattr(value, inner, None) for inner in code.co_names)
        else:
            yield value


def _is_of_claims(value: object) -> bool:
    return isinstance(value, FunctionType) and "claims" in value.__module__


def _texts(values: Iterable[object]) -> Iterator[str]:
    """Yield texts, also inside tuples, lists and tables."""
    for value in values:
        if isinstance(value, str):
            yield value
        elif isinstance(value, Mapping):
            yield from _texts([*value, *value.values()])
        elif isinstance(value, list | tuple | set | frozenset):
            yield from _texts(value)
