"""Whether a formula decides anything: a conclusion that is one of its hypotheses does not, nor an
induction that stands still.

A step that says nothing new is refused, since the sentence beside it would carry the argument
alone. Relations are compared up to rearrangement: terms may change sides, both sides may be
multiplied by a number, and a stronger relation of the same terms (a < b, or a = b) gives the weaker
one (a <= b). Nothing is derived from two hypotheses together: that is what engines are for. A
conclusion that says itself that two forms are equivalent, or one implies the other, is refused only
if they are one form.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any

_GIVES = {
    ">": (">", ">=", "!="),
    ">=": (">=",),
    "=": ("=", ">="),
    "!=": ("!=",),
}  # what a relation to 0 gives at once
_Form = tuple[str, Any]  # a relation to 0, and the sum on its left as pairs (term, coefficient)


def nothing_decided(conclusion: Any, assuming: Sequence[Any] = ()) -> str | None:
    """Say why an implication decides nothing, or return None if it decides something."""
    import sympy

    if conclusion is sympy.true:
        return "the conclusion is true as it is written"
    known = _all_known(list(_conjuncts(assuming)))
    if all(_known(part, known) for part in _conjuncts([conclusion])):
        return "the conclusion is one of the hypotheses"
    return None


def does_not_advance(base: Any, conclusion: Any, assuming: Sequence[Any]) -> str | None:
    """Say why the step of an induction does not advance, or return None if it does.

    Terms may change sides, but sums that gain the same term on both sides do advance.
    """
    import sympy

    if conclusion is sympy.true:
        return "the step does not advance: its conclusion is true as it is written"
    hypotheses, parts = list(_conjuncts(assuming)), list(_conjuncts([conclusion]))
    written = {_as_is(each) for each in hypotheses}
    known = _all_known(hypotheses)
    if all(
        _as_is(part) in written or (_known(part, known) and not _cancels(part)) for part in parts
    ):
        return "the step does not advance: its conclusion is one of its hypotheses"
    if {_as_is(part) for part in parts} == {_as_is(part) for part in _conjuncts([base])}:
        return "the step does not advance: its conclusion is that of the base"
    letters = {symbol for part in parts for symbol in part.free_symbols}
    kinds = {kind for part in parts for kind in _kinds(part)}
    if not any(_kinds(each) & kinds and each.free_symbols & letters for each in hypotheses):
        return (
            "the step does not advance: no hypothesis is of the form of its conclusion, so write "
            "it as an inequality"
        )
    return None


def _conjuncts(formulas: Sequence[Any]) -> Iterator[Any]:
    """Yield what formulas say one by one, a negated relation as the opposite one."""
    import sympy

    for formula in formulas:
        if isinstance(formula, sympy.Not):
            yield sympy.Not(formula.args[0])  # of a relation the opposite one
        elif isinstance(formula, sympy.And):
            yield from _conjuncts(formula.args)
        else:
            yield formula


def _all_known(hypotheses: Sequence[Any]) -> set[Any]:
    """Return what hypotheses say: each as it is written, and the relations that it gives at
    once.
    """
    return {*map(_as_is, hypotheses), *(form for each in hypotheses for form in _given(each))}


def _cancels(part: Any) -> bool:
    """Say whether a term stands on both sides of a relation."""
    import sympy

    if not isinstance(part, sympy.core.relational.Relational):
        return False
    left, right = (set(sympy.expand(side).as_coefficients_dict()) for side in (part.lhs, part.rhs))
    return bool(left & right)


def _known(part: Any, known: set[Any]) -> bool:
    """Say whether a formula without "and" is among what is known; an "or" is if one of its
    parts is.
    """
    import sympy

    if part is sympy.true or _as_is(part) in known:
        return True
    if isinstance(part, sympy.Or):
        cases = [each.args for each in known if isinstance(each, sympy.Or)]
        apart = any(all(_among(case, part.args) for case in each) for each in cases)
        return apart or any(_known(each, known) for each in part.args)
    if isinstance(part, sympy.Implies):
        premises = {_as_is(each) for each in _conjuncts(part.args[:1])}
        return all(_known(each, known | premises) for each in _conjuncts(part.args[1:]))
    return _form(part) in known


def _among(case: Any, parts: Sequence[Any]) -> bool:
    """Say whether one case of a hypothesis is one of the cases of a conclusion."""
    known = _all_known(list(_conjuncts([case])))
    return any(all(_known(each, known) for each in _conjuncts([part])) for part in parts)


def _kinds(part: Any) -> set[str]:
    """Return of what sort the relations in a formula are: orders, equations."""
    form = _form(part)
    if form is None:
        return {kind for each in part.args for kind in _kinds(each)}
    return {"order" if form[0] in (">", ">=") else form[0]}


def _as_is(part: Any) -> Any:
    """Return a formula as it is written, whichever way round its relation is."""
    import sympy

    if isinstance(part, sympy.Gt | sympy.Ge):
        return part.reversed
    if isinstance(part, sympy.Eq | sympy.Ne):
        return (type(part).__name__, frozenset([part.lhs, part.rhs]))
    return part


def _given(part: Any) -> Iterator[_Form]:
    """Yield the relations that a hypothesis gives at once."""
    form = _form(part)
    if form is not None:
        relation, terms = form
        for weaker in _GIVES[relation]:
            yield weaker, terms
            if "=" in (relation, weaker) or "!=" in (
                relation,
                weaker,
            ):  # an equation gives both orders
                yield weaker, _negated(terms)


@lru_cache(maxsize=4096)
def _form(part: Any) -> _Form | None:
    """Return a relation as `terms (> | >= | = | !=) 0`, its largest coefficient 1; None for
    other formulas.
    """
    import sympy

    forms = {sympy.Gt: (">", 1), sympy.Lt: (">", -1), sympy.Ge: (">=", 1), sympy.Le: (">=", -1)}
    forms |= {sympy.Eq: ("=", 1), sympy.Ne: ("!=", 1)}
    if type(part) not in forms:
        return None
    relation, sign = forms[type(part)]
    sums = sympy.expand(sign * (part.lhs - part.rhs)).as_coefficients_dict()
    terms = {term: number for term, number in sums.items() if number != 0}
    scale = max((abs(number) for number in terms.values()), default=1)
    return relation, frozenset((term, number / scale) for term, number in terms.items())


def _negated(terms: Any) -> Any:
    return frozenset((term, -number) for term, number in terms)
