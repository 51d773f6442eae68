"""Whether a family could draw an instance that somebody gives.

Nothing says what a family draws but its draws. So an instance is compared with many of them: the
kind of every part, its numbers, lengths, sums and steps, and what two or three of these always have
in common. An instance that has what no draw has is taken for one that the family does not draw.
That may be wrong of a rare one: it then refutes nothing.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass
from fractions import Fraction as Slow
from functools import reduce
from itertools import combinations, pairwise, permutations
from math import gcd, lcm
from operator import add, mul, sub
from random import Random
from typing import Any

from pufferproof.claims.language.statements.draws import Draws
from pufferproof.claims.language.statements.rationals import Fraction
from pufferproof.claims.language.statements.statement import Instance, Statement

DRAWN = 200
"""How many instances are drawn of each kind: usual ones, hard ones, and ends of what is chosen."""
CHOICES = 400
"""How many choices of an instance are the first or the last of what may be chosen."""
OFTEN = 10
"""Numbers that are drawn so often on average are all that are drawn there."""
MOST = 40
"""Of how many features, and numbers that are entries, relations are looked for."""
_LARGE = 10**9


@dataclass
class _Looks:
    """What an instance looks like: by the places of parts their kinds, the numbers, and things that
    are compared whole; `features` has numbers that are made of these.
    """

    kinds: dict[str, set[str]] = field(default_factory=dict)
    numbers: dict[str, list[Any]] = field(default_factory=dict)
    others: dict[str, list[Any]] = field(default_factory=dict)
    features: dict[str, list[Any]] = field(default_factory=dict)

    def single(self) -> dict[str, Any]:
        """The features that are one number, or several equal ones."""
        every = {**self.numbers, **self.features}
        ends = {name: values[0] for name, values in every.items() if min(values) == max(values)}
        return dict([*ends.items()][:MOST])


def outside(statement: Statement, instance: Mapping[str, Any]) -> str:
    """Say why the family of a statement draws no such instance, or "".

    >>> def few(draws):
    ...     "Even numbers from 0 to 6, and a law."
    ...     return {"n": 2 * draws.below(4), "p": draws.law(2)}
    >>> even = Statement(few, lambda n, p: True, too_strong={"": lambda n, p: False})
    >>> outside(even, {"n": 4, "p": [Fraction(1, 2), Fraction(1, 2)]})
    ''
    >>> outside(even, {"n": 4, "p": [Fraction(1, 2), Fraction(1, 4)]})
    'the family draws no such instance: the sum of p is 3/4, and always 1 where it draws'
    >>> outside(even, {"n": 3, "p": [Fraction(1, 2), Fraction(1, 2)]})
    'the family draws no such instance: n is 3, which is not among what it draws from 0 to 6'
    """
    drawn = [*_drawn(statement)]
    if any(_same(instance, each) for each in drawn):
        return ""
    if statement.computed:
        found = f"it computes {', '.join(statement.computed)} from other entries"
    else:
        found = _difference(_looks(instance), [_looks(each) for each in drawn])
    return found and f"the family draws no such instance: {found}"


def _drawn(statement: Statement) -> Iterator[Instance]:
    """Yield usual and hard instances, and those of which choices are the first or the last."""
    random = Random(0)
    for is_hard in (False, True):
        yield from (statement.family(Draws(random, hard=is_hard)) for _ in range(DRAWN))
        for _ in range(DRAWN // 2):
            ends = [random.choice((0, _LARGE)) for _ in range(CHOICES)]
            yield statement.family(Draws(None, [int(is_hard), *ends]))


def _same(one: object, other: object) -> bool:
    try:
        return bool(one == other)
    except Exception:  # what things of a program do when they are compared
        return False


def _looks(instance: Mapping[str, Any]) -> _Looks:
    looks = _Looks()
    for name, value in instance.items():
        _look(str(name), value, looks)
    return looks


def _look(place: str, value: object, looks: _Looks) -> None:
    """Note what stands at a place, and within."""
    looks.kinds.setdefault(place, set()).add(_kind(value))
    if _is_number(value):
        looks.numbers.setdefault(place, []).append(value)
        return
    if isinstance(value, list | tuple | Mapping):
        parts = [*value.values()] if isinstance(value, Mapping) else [*value]
        _note(looks, f"the length of {place}", [len(parts)])
        if parts and all(map(_is_number, parts)):
            _note(looks, f"the sum of {place}", [reduce(add, parts)])
            _note(looks, f"a step of {place}", [b - a for a, b in pairwise(parts)])
            _note(looks, f"the repeats in {place}", [len(parts) - len({*parts})])
        named = isinstance(value, Mapping) and all(isinstance(key, str) for key in value)
        for key, part in zip(value, parts):
            _look(f"{place}[{key if named else ''}]", part, looks)
    elif is_dataclass(value) and not isinstance(value, type):
        for each in fields(value):
            if each.init:
                _look(f"{place}.{each.name}", getattr(value, each.name), looks)
    else:
        looks.others.setdefault(place, []).append(value)


def _note(looks: _Looks, name: str, values: Sequence[Any]) -> None:
    if values:
        looks.features.setdefault(name, []).extend(values)


def _is_number(value: object) -> bool:
    return isinstance(value, int | Fraction | Slow) and not isinstance(value, bool)


def _kind(value: object) -> str:
    """The kind of a thing; 2/1 is the whole number 2, and a list may be a tuple."""
    if _is_number(value):
        return "a whole number" if value.denominator == 1 else "a fraction"  # type: ignore[attr-defined]
    kinds = {bool: "True or False", str: "a text", list: "a list", tuple: "a list"}
    return kinds.get(type(value), f"a {type(value).__name__}")


def _difference(given: _Looks, drawn: Sequence[_Looks]) -> str:
    """Say what no draw has that is given, or ""."""
    return (
        _of_kinds(given, drawn)
        or _of_others(given, drawn)
        or _of_numbers(given, drawn)
        or _of_relations(given.single(), [each.single() for each in drawn])
    )


def _of_kinds(given: _Looks, drawn: Sequence[_Looks]) -> str:
    for place, kinds in given.kinds.items():
        usual = set[str]().union(*(each.kinds.get(place, ()) for each in drawn))
        if not usual and place.endswith("]"):
            return f"{place} is none of its parts"
        if strange := kinds - usual:
            return f"{place} is {min(strange)}, and what it draws there {' or '.join(sorted(usual))}"
    always = set.intersection(*({*each.kinds} for each in drawn))
    return f"{min(lacks)} is missing" if (lacks := always - given.kinds.keys()) else ""


def _of_others(given: _Looks, drawn: Sequence[_Looks]) -> str:
    for place, values in given.others.items():
        usual = [value for each in drawn for value in each.others.get(place, ())]
        for value in values:
            if not any(value is each or _same(value, each) for each in usual):
                return f"{place} is {value!s:.60}, which it does not draw there"
    return ""


def _of_numbers(given: _Looks, drawn: Sequence[_Looks]) -> str:
    """Compare numbers, and then features, with all that are drawn at their place."""
    for kind in ("features", "numbers"):
        for place, values in getattr(given, kind).items():
            usual = [value for each in drawn for value in getattr(each, kind).get(place, ())]
            if strange := [value for value in values if not _fits(value, usual)]:
                ends = {min(usual, default=0), max(usual, default=0)}
                if len(ends) == 1:
                    return f"{place} is {strange[0]}, and always {min(ends)} where it draws"
                return f"{place} is {strange[0]}, which is not among what it draws from {min(ends)} to {max(ends)}"
    return ""


def _fits(value: Any, usual: Sequence[Any]) -> bool:
    """Whether a number is among those that are drawn, or between them and in steps like theirs."""
    different = {*usual}
    if value in different:
        return True
    if not different or len(usual) >= OFTEN * len(different):
        return False
    first, last = min(different), max(different)
    if not first <= value <= last:
        return False
    whole = lcm(*(each.denominator for each in different), value.denominator)
    steps = gcd(*(int((each - first) * whole) for each in different))
    return int((value - first) * whole) % steps == 0


_TWO: Mapping[str, Callable[[Any, Any], Any]] = {"sum": add, "difference": sub, "product": mul}


def _of_relations(given: Mapping[str, Any], drawn: Sequence[Mapping[str, Any]]) -> str:
    """Compare what two or three features of a draw always have in common."""
    names = [name for name in given if all(name in each for each in drawn)]
    rows = [[each[name] for each in drawn] for name in names]
    columns = dict(zip(names, rows))
    vary = [name for name in names if len({*columns[name]}) > 1]
    for one, two in combinations(vary, 2):
        pairs = {*zip(columns[one], columns[two])}
        here = given[one], given[two]
        for words, combine in _TWO.items():
            results = {combine(*each) for each in pairs}
            if len(results) == 1 and combine(*here) not in results:
                return f"the {words} of {one} and {two} is always {min(results)} where it draws"
        signs = {(a > b) - (a < b) for a, b in pairs}
        if (here[0] > here[1]) - (here[0] < here[1]) not in signs:
            return f"{one} is {here[0]} and {two} {here[1]}, in an order that it does not draw"
    for one, two, three in permutations(vary[: MOST // 4], 3):
        triples = {*zip(columns[one], columns[two], columns[three])}
        for words, combine in _TWO.items():
            if all(combine(a, b) == c for a, b, c in triples) and (combine(given[one], given[two]) != given[three]):
                return f"{three} is always the {words} of {one} and {two} where it draws"
        if (
            len(totals := {a + b + c for a, b, c in triples}) == 1
            and given[one] + given[two] + given[three] not in totals
        ):
            return f"the sum of {one}, {two} and {three} is always {min(totals)} where it draws"
    return ""
