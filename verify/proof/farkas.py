"""Search for Farkas certificates: multiples of linear inequalities that add up to another one, or
to a contradiction.

An LP solver proposes which inequalities take part (floats live only there); the multiples are then
solved for exactly. Nothing here is trusted: the kernel checks the certificate. Not finding
one proves nothing.
"""

import json
from collections.abc import Collection, Hashable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from pufferproof.models.errors import CertificateError, SolverError
from pufferproof.models.numbers.proposals import proposing
from pufferproof.models.numbers.text import text_of
from pufferproof.verify import kernel
from pufferproof.verify.proof.time_limit import LEAST, PATIENCE

FORMAT = "pufferproof-certificate/1"
Polynomial = dict[tuple[int, ...], Fraction]  # coefficients by exponents
Column = Mapping[Hashable, Any]  # rational numbers, of Python or of flint
Inequality = tuple[list[Fraction], Fraction, str]  # coefficients, bound, and the relation
_ZERO, _ONE = Fraction(0), Fraction(1)

PIVOTS = 10_000
"""How many steps of the simplex method count as a second: its own clock is one on the wall."""


def search_farkas(
    conclusion: Any, assuming: Sequence[Any], seconds: float = 5.0
) -> dict[str, Any] | None:
    """Search for multiples of linear assumptions that add up to a linear conclusion; None if none
    was found.

    >>> import sympy
    >>> x, y = sympy.symbols("x y")
    >>> search_farkas(x + y < 3, [x <= 1, y < 2])["claim"]["multipliers"]
    ['1', '1']

    Args:
        conclusion: a sympy relation (`<=`, `<`, `>=`, `>`), or `sympy.false`: the assumptions never
            hold together.
        assuming: sympy relations, also equations, and conjunctions of them.

    Raises `SolverError` unless all are linear with rational coefficients.
    """
    import sympy

    names = names_of([conclusion, *assuming])
    rows = _rows(assuming, names)
    never = [([_ZERO] * len(names), _ZERO, "<")]
    goal = never if conclusion is sympy.false else _rows([conclusion], names)
    if len(goal) != 1 or goal[0][2] == "=":
        raise SolverError(f"expected a conclusion that is one inequality, found {conclusion}")
    coefficients, bound, relation = goal[0]
    width = len(names)
    # y A = c and y b + slack = d; for "<" a copy of every strict row and of the slack is counted:
    # counted + rest = 1
    columns: list[dict[Hashable, Fraction]] = [{**dict(enumerate(a)), width: b} for a, b, _ in rows]
    columns.append({width: _ONE})
    free = {i for i, row in enumerate(rows) if row[2] == "="}
    copied = [i for i, row in enumerate(rows) if row[2] == "<"] + [len(rows)]
    columns += [{**columns[i], "counted": _ONE} for i in copied] + [{"counted": _ONE}]
    target: dict[Hashable, Fraction] = {
        **dict(enumerate(coefficients)),
        width: bound,
        "counted": _ONE,
    }
    costs = [0.0] * (len(columns) - 1) + [1.0]
    multipliers = nonnegative_combination(columns, target, free, costs, seconds)
    if multipliers is None or (relation == "<" and multipliers[-1] == 1):
        return None
    for i, copy in zip(copied, multipliers[len(rows) + 1 :]):
        multipliers[i] += copy
    stated = None if conclusion is sympy.false else goal[0]
    return _certificate(names, rows, stated, multipliers[: len(rows)])


def _certificate(
    names: list[str],
    rows: Sequence[Inequality],
    conclusion: Inequality | None,
    multipliers: Sequence[Fraction],
) -> dict[str, Any]:
    """Write that rows times multipliers add up to the conclusion; None: to what never holds."""
    stated = None
    if conclusion is not None:
        coefficients, bound, relation = conclusion
        row = [text_of(c) for c in coefficients]
        stated = {"row": row, "bound": text_of(bound), "relation": relation}
    claim = {
        "variables": names,
        "rows": [[[text_of(c) for c in a], text_of(b), sign] for a, b, sign in rows],
        "conclusion": stated,
        "multipliers": [text_of(y) for y in multipliers],
    }
    return {"format": FORMAT, "kind": "farkas", "claim": claim}


def feasible_point(assuming: Sequence[Any], seconds: float = 5.0) -> dict[str, Fraction] | None:
    """Search for exact values that satisfy linear relations, the strict ones strictly; None if none
    were found.

    >>> import sympy
    >>> x = sympy.Symbol("x")
    >>> feasible_point([x > 0, x < 1])
    {'x': Fraction(1, 2)}
    """
    names = names_of(assuming)
    rows = _rows(assuming, names)
    columns: list[dict[Hashable, Fraction]] = [
        {i: a[j] for i, (a, _, _) in enumerate(rows)} for j in range(len(names))
    ]
    columns += [{i: _ONE} if row[2] != "=" else {} for i, row in enumerate(rows)]
    room: dict[Hashable, Fraction] = {i: _ONE for i, row in enumerate(rows) if row[2] == "<"}
    columns += [{**room, "room": _ONE}, {"room": _ONE}]
    target: dict[Hashable, Fraction] = {**{i: b for i, (_, b, _) in enumerate(rows)}, "room": _ONE}
    costs = [0.0] * (len(columns) - 1) + [1.0]
    point = nonnegative_combination(columns, target, range(len(names)), costs, seconds)
    return None if point is None or (room and point[-2] == 0) else dict(zip(names, point))


def accepted(certificate: Mapping[str, Any]) -> kernel.Accepted:
    """Let the kernel check a certificate of pure mathematics. Raises `CertificateError` if it
    refuses.
    """
    try:
        return kernel.check_bytes(json.dumps(certificate).encode(), 100 * kernel.MAX_WORK)
    except (kernel.Refused, kernel.NotJSON) as refusal:
        raise CertificateError(f"the kernel refused the certificate: {refusal}") from None


def nonnegative_combination(
    columns: Sequence[Column],
    target: Column,
    free: Collection[int],
    costs: Sequence[float],
    seconds: float,
) -> list[Fraction] | None:
    """Return exact numbers x, not negative except those in `free`, with sum_j x_j columns_j =
    target; None if not found.
    """
    proposal = _proposed(columns, target, free, costs, seconds)
    if proposal is None:
        return None
    for threshold in (1e-9, 1e-6):
        support = [j for j, x in enumerate(proposal) if abs(x) > threshold]
        exact = _solved(columns, target, support)
        if exact is not None and all(x >= 0 or j in free for j, x in enumerate(exact)):
            return exact
    return None


def _proposed(
    columns: Sequence[Column],
    target: Column,
    free: Collection[int],
    costs: Sequence[float],
    seconds: float,
) -> list[float] | None:
    """Return what a linear program in floats proposes of least cost, None if it has nothing."""
    from scipy.optimize import linprog
    from scipy.sparse import csc_array

    keys: dict[Hashable, int] = {}
    for column in (*columns, target):
        for key in column:
            keys.setdefault(key, len(keys))
    try:
        entries = [
            (float(n), keys[key], j)
            for j, column in enumerate(columns)
            for key, n in column.items()
            if n != 0
        ]
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
        options={
            "maxiter": max(int(PIVOTS * seconds), 1),
            "time_limit": PATIENCE * max(seconds, LEAST),
        },
    )
    if solved is None or solved.status != 0:
        return None
    return [float(x) for x in solved.x]


def _solved(
    columns: Sequence[Column], target: Column, support: Sequence[int]
) -> list[Fraction] | None:
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


def names_of(formulas: Sequence[Any]) -> list[str]:
    """Return the names of the variables, sorted."""
    return sorted({symbol.name for formula in formulas for symbol in formula.free_symbols})


def standard_forms(formula: Any, names: Sequence[str]) -> list[tuple[Polynomial, str]] | None:
    """Return a relation, or a conjunction, as polynomials that are ">=", ">" or "=" 0; None if
    it is no such thing.
    """
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


def _SIGNS() -> dict[Any, tuple[str, bool]]:  # noqa: N802
    import sympy

    kinds = {
        sympy.Ge: (">=", False),
        sympy.Gt: (">", False),
        sympy.Le: (">=", True),
        sympy.Lt: (">", True),
    }
    return {**kinds, sympy.Eq: ("=", False)}


def _rows(formulas: Sequence[Any], names: Sequence[str]) -> list[Inequality]:
    """Return linear relations as coefficients, bound and "<=", "<" or "="."""
    rows = []
    for formula in formulas:
        forms = standard_forms(formula, names)
        if forms is None or any(sum(key) > 1 for polynomial, _ in forms for key in polynomial):
            raise SolverError(
                f"expected linear relations with rational coefficients, found {formula}"
            )
        for polynomial, sign in forms:
            units = [tuple(int(i == j) for i in range(len(names))) for j in range(len(names))]
            constant = polynomial.get((0,) * len(names), _ZERO)
            rows.append(
                ([-polynomial.get(unit, _ZERO) for unit in units], constant, sign.replace(">", "<"))
            )
    return rows
