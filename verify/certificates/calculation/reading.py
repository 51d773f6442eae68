"""Reading a formula and the values that it names.

    FORMULA     COMPARISON [and FORMULA]
    COMPARISON  NUMBER (< | <= | = | != | > | >=) NUMBER, as many as one likes in a chain
    NUMBER      fractions, names, + - * / ^, and words such as sum(ROW) or entry(TABLE, 0, 1)

A value is named by its key in the evidence, with `_` for whatever is no letter or digit: `e_eps`
for "e^eps". Rows are lists of numbers, tables lists of rows; a mapping is read as its values, and
"1/2 1/2; 0 1" as a table.
"""

import ast
import re
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from pufferproof.models.errors import CertificateError

Row = tuple[Fraction, ...]
Table = tuple[Row, ...]
Value = Fraction | Row | Table
_NUMBER = re.compile(r"-?[0-9]+(?:/[0-9]+)?")
_LISTED = re.compile(r"[-0-9/]+(?:;? +[-0-9/]+)+")
COMPARED: dict[type[ast.cmpop], str] = {
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Eq: "=",
    ast.NotEq: "!=",
    ast.Gt: ">",
    ast.GtE: ">=",
}
LONGEST = 4000


def comparisons(formula: str) -> list[tuple[ast.expr, str, ast.expr]]:
    """Return the comparisons of a formula, all of which are claimed.

    >>> [(ast.unparse(left), sign) for left, sign, _ in comparisons("x < 1/2 <= y and y = z^2")]
    [('x', '<'), ('1 / 2', '<='), ('y', '=')]
    """
    if len(formula) > LONGEST:
        raise CertificateError(f"expected a formula of at most {LONGEST} characters")
    python = re.sub(r"(?<![<>!=])=(?!=)", "==", formula.replace("^", "**"))
    try:
        body = ast.parse(" ".join(python.split()), mode="eval").body
    except SyntaxError:
        raise CertificateError(f"expected a formula, found {formula!r}") from None
    parts = body.values if isinstance(body, ast.BoolOp) and isinstance(body.op, ast.And) else [body]
    found = []
    for part in parts:
        if not isinstance(part, ast.Compare) or not all(type(op) in COMPARED for op in part.ops):
            raise CertificateError(f"expected a comparison, found {ast.unparse(part)!r}")
        sides = [part.left, *part.comparators]
        signs = [COMPARED[type(op)] for op in part.ops]
        found += [*zip(sides, signs, sides[1:])]
    return found


def name_of(key: str) -> str:
    """Return the name by which a formula calls a value of the evidence.

    >>> name_of("e^eps"), name_of("law of X_1")
    ('e_eps', 'law_of_X_1')
    """
    return re.sub(r"[^0-9A-Za-z]+", "_", key).strip("_")


def named(evidence: Mapping[Any, Any]) -> dict[str, Value]:
    """Return the numbers, rows and tables of evidence by their names; whatever is none is left
    out, and so is a name that two of them share.
    """
    found: dict[str, Value] = {}
    shared = set()
    for key, value in evidence.items():
        name, read = name_of(str(key)), value_of(value)
        if read is not None and name.isidentifier():
            shared |= {name} & found.keys()
            found[name] = read
    return {name: value for name, value in found.items() if name not in shared}


def value_of(value: object) -> Value | None:
    """Read a number, a row or a table, of Python or of plain data; None if it is none."""
    if isinstance(value, str) and _LISTED.fullmatch(value):
        value = [row.split() for row in value.split(";")] if ";" in value else value.split()
    if isinstance(value, Mapping):
        value = [*value.values()]
    if not isinstance(value, list | tuple):
        return _number(value)
    parts = [value_of(each) for each in value]
    numbers = tuple(part for part in parts if isinstance(part, Fraction))
    if parts and len(numbers) == len(parts):
        return numbers
    rows = tuple(each for each in value if (row := value_of(each)) is not None and is_row(row))
    read = tuple(_row(row) for row in rows)
    return read if parts and len(read) == len(parts) else None


def is_row(value: Value) -> bool:
    """Whether a value is a row."""
    return isinstance(value, tuple) and isinstance(value[0], Fraction)


def _row(value: Any) -> Row:
    numbers = map(_number, value.values() if isinstance(value, Mapping) else value)
    return tuple(number for number in numbers if number is not None)


def _number(value: object) -> Fraction | None:
    text = str(value)
    return Fraction(text) if _NUMBER.fullmatch(text) and not isinstance(value, bool) else None
