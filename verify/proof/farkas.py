"""What a search for certificates rests on: exact combinations of columns, relations as polynomials,
and the kernel.

An LP solver proposes which columns take part (floats live only there); the multiples are then
solved for exactly. Nothing here is trusted: the kernel checks the certificate. Not finding
one proves nothing.
"""

import json
from collections.abc import Collection, Hashable, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from pufferproof.models.errors import CertificateError, extras
from pufferproof.models.numbers.proportions import proposing
from pufferproof.verify import kernel
from pufferproof.verify.proof.smt import LEAST, PATIENCE, Work

if TYPE_CHECKING:
    from sympy import Basic

FORMAT = "pufferproof-certificate/1"
Polynomial = dict[tuple[int, ...], Fraction]  # coefficients by exponents
Column = Mapping[Hashable, Any]  # rational numbers, of Python or of flint
_ZERO = Fraction(0)

PIVOTS, ENTRIES = 10_000, 100_000
"""How many steps of the simplex method, and entries of columns or products of polynomials, count as
a second of a search, in which its `Work` is counted: no clock decides what is found.
"""


def accepted(certificate: Mapping[str, object]) -> kernel.Accepted:
    """Let the kernel check a certificate of pure mathematics. Raises `CertificateError` if it
    refuses.
    """
    try:
        return kernel.check_bytes(json.dumps(certificate).encode(), 100 * kernel.MAX_WORK)
    except (kernel.Refused, kernel.NotJSON) as refusal:
        raise CertificateError(f"the kernel refused the certificate: {refusal}") from None


def nonnegative_combination(
    columns: Sequence[Column], target: Column, free: Collection[int], costs: Sequence[float], work: Work
) -> list[Fraction] | None:
    """Return exact numbers x, not negative except those in `free`, with sum_j x_j columns_j =
    target; None if not found.
    """
    proposal = _proposed(columns, target, free, costs, work)
    if proposal is None:
        return None
    for threshold in (1e-9, 1e-6):
        support = [j for j, x in enumerate(proposal) if abs(x) > threshold]
        exact = _solved(columns, target, support)
        if exact is not None and all(x >= 0 or j in free for j, x in enumerate(exact)):
            return exact
    return None


def _proposed(
    columns: Sequence[Column], target: Column, free: Collection[int], costs: Sequence[float], work: Work
) -> list[float] | None:
    """Return what a linear program in floats proposes of least cost, None if it has nothing."""
    with extras:
        from scipy.optimize import linprog
        from scipy.sparse import csc_array

    keys: dict[Hashable, int] = {}
    for column in (*columns, target):
        for key in column:
            keys.setdefault(key, len(keys))
    try:
        entries = [(float(n), keys[key], j) for j, column in enumerate(columns) for key, n in column.items() if n != 0]
        right = [float(target.get(key, _ZERO)) for key in keys]
    except OverflowError:  # too large for the LP
        return None
    if not entries:
        return None
    values, heights, places = zip(*entries)
    matrix = csc_array((values, (heights, places)), shape=(len(keys), len(columns)))
    bounds = [(None, None) if j in free else (0, None) for j in range(len(columns))]
    solved = proposing(linprog)(
        costs,
        A_eq=matrix,
        b_eq=right,
        bounds=bounds,
        method="highs-ds",
        options={"maxiter": max(int(PIVOTS * work.left), 1), "time_limit": PATIENCE * max(work.left, LEAST)},
    )
    pivots = PIVOTS if solved is None else int(solved.nit)
    work.spend(pivots / PIVOTS + len(entries) / ENTRIES)
    if solved is None or solved.status != 0:
        return None
    return [float(x) for x in solved.x]


def _solved(columns: Sequence[Column], target: Column, support: Sequence[int]) -> list[Fraction] | None:
    """Solve sum x_j columns_j = target over the rationals with x_j = 0 outside the support."""
    from flint import fmpq, fmpq_mat

    used = [columns[j] for j in support]
    keys = dict.fromkeys(key for column in (*used, target) for key in column)
    flat = [column.get(key, 0) for key in keys for column in (*used, target)]
    width = len(used) + 1
    numbers = [n if isinstance(n, fmpq) else fmpq(n.numerator, n.denominator) for n in flat]
    table, rank = fmpq_mat(len(keys), width, numbers).rref()
    out = [_ZERO] * len(columns)
    for i in range(rank):
        pivot = next(j for j in range(width) if table[i, j] != 0)
        if pivot == width - 1:  # 0 = 1
            return None
        out[support[pivot]] = fraction(table[i, width - 1])
    return out


def fraction(number: Any) -> Fraction:
    """Turn a number of flint or sympy into a fraction."""
    return Fraction(int(number.p), int(number.q))


def names_of(formulas: "Sequence[Basic]") -> list[str]:
    """Return the names of the variables, sorted."""
    return sorted({symbol.name for formula in formulas for symbol in formula.free_symbols})


def standard_forms(formula: "Basic", names: Sequence[str]) -> list[tuple[Polynomial, str]] | None:
    """Return a relation or conjunction as polynomials ">=", ">" or "=" 0, or None."""
    with extras:
        import sympy

    if formula is sympy.true:
        return []
    if isinstance(formula, sympy.And):
        parts = [standard_forms(part, names) for part in formula.args]
        return None if None in parts else [relation for part in parts for relation in part or []]
    if type(formula) not in _SIGNS():
        return None
    sign, turned = _SIGNS()[type(formula)]
    difference = formula.rhs - formula.lhs if turned else formula.lhs - formula.rhs
    symbols = {symbol.name: symbol for symbol in difference.free_symbols}
    generators = [symbols.get(name, sympy.Symbol(name)) for name in names]
    if not names:
        return [({(): fraction(difference)}, sign)] if difference.is_Rational else None
    try:
        terms = sympy.Poly(difference, *generators, domain="QQ").terms()
    except sympy.polys.polyerrors.BasePolynomialError:
        return None
    return [({tuple(map(int, key)): fraction(n) for key, n in terms if n != 0}, sign)]


def _SIGNS() -> "dict[type[Basic], tuple[str, bool]]":  # noqa: N802
    with extras:
        import sympy

    kinds = {sympy.Ge: (">=", False), sympy.Gt: (">", False), sympy.Le: (">=", True), sympy.Lt: (">", True)}
    return {**kinds, sympy.Eq: ("=", False)}
