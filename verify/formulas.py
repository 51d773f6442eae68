"""What a formula may be made of, so that the letters an engine decides are the letters a person wrote.

sympy simplifies while an expression is built, using what it assumes of symbols: `Symbol("x", positive=True) > 0` is True before
any engine sees it. So symbols carry no assumptions (hypotheses are written down), one name is one symbol, floats are refused.
What sympy still does by itself, such as cancelling x / x, no later check can see: denominators belong in the assumptions.
"""

from typing import Any

from pufferproof.models.errors import SolverError

_PLAIN = frozenset({("commutative", True), ("real", True)})


def admit(*formulas: Any) -> None:
    """Raise `SolverError` unless symbols are plain (or real), names are unique, and every number is exact."""
    import sympy

    by_name: dict[str, Any] = {}
    for formula in formulas:
        for symbol in getattr(formula, "free_symbols", ()):
            if not set(symbol._assumptions_orig) <= {"commutative", "real"} or isinstance(symbol, sympy.Dummy):
                raise SolverError(
                    f'expected plain symbols, found "{symbol}" with assumptions of its own: write them as hypotheses'
                )
            if by_name.setdefault(symbol.name, symbol) != symbol:
                raise SolverError(f'expected one symbol for one name, found two called "{symbol}"')
        if formula is not True and formula is not False and formula.atoms(sympy.Float):
            raise SolverError(f"expected exact numbers, found a float in {formula}")


def denominators(*formulas: Any) -> list[Any]:
    """Return the expressions that are divided by, without the constants."""
    import sympy

    found = dict.fromkeys(
        power.base
        for formula in formulas
        for power in sympy.preorder_traversal(formula)
        if isinstance(power, sympy.Pow) and power.exp.is_number and power.exp.is_negative and power.base.free_symbols
    )
    return list(found)
