"""Calculations: what the numbers of a counterexample come to, in a formula that two programs read.

    FORMULA     COMPARISON [and FORMULA]
    COMPARISON  NUMBER (< | <= | = | != | > | >=) NUMBER, as many as one likes in a chain
    NUMBER      fractions, names, + - * / ^, and words such as sum(ROW) or entry(TABLE, 0, 1)

A value is named by its key in the evidence, with `_` for whatever is no letter or digit: `e_eps`
for "e^eps". Rows are lists of numbers, tables lists of rows; a mapping is read as its values, and
"1/2 1/2; 0 1" as a table.

Every word is defined twice, in exact fractions and in Coq. The file for Coq stands alone. Division by
0 is 0 in Coq, so that the theorem says too that nothing is divided by 0, and that numbers are positive
where words make quotients of them.
"""

import ast
import hashlib
import json
import operator
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import prod
from typing import TypeGuard

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


def named(evidence: Mapping[str, object]) -> dict[str, Value]:
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
    rows = tuple(part for part in parts if part is not None and is_row(part))
    return rows if parts and len(rows) == len(parts) else None


def is_row(value: Value) -> TypeGuard[Row]:
    return isinstance(value, tuple) and isinstance(value[0], Fraction)


def _number(value: object) -> Fraction | None:
    text = str(value)
    return Fraction(text) if _NUMBER.fullmatch(text) and not isinstance(value, bool) else None


# Words --------------------------------------------------------------------------------------------

NUMBER, ROW, TABLE, PLACE = "number", "row", "table", "place"
"""Kinds of values; a place is a number 0, 1, .. that is given as such."""


@dataclass(frozen=True)
class Word:
    """A function: the kinds of what it takes and gives, and its definitions.

    Of a word that is about quotients `positive` says that all numbers it is given must be positive,
    which the file for Coq states too.
    """

    takes: tuple[str, ...]
    gives: str
    means: Callable[..., Value]
    coq: str
    needs: tuple[str, ...] = ()
    positive: bool = False


def dot(left: Row, right: Row) -> Fraction:
    """The sum of the products."""
    return sum((x * y for x, y in zip(left, right)), Fraction(0))


def columns(table: Table) -> Table:
    """The columns as rows."""
    return tuple(zip(*table))


def after(row: Row, table: Table) -> Row:
    """A row times a table: the law after a step."""
    return tuple(dot(row, column) for column in columns(table))


def power(table: Table, count: int) -> Table:
    """A table times itself; for 0 the one that changes nothing."""
    size = range(len(table))
    result: Table = tuple(tuple(Fraction(i == j) for j in size) for i in size)
    for _ in range(count):
        result = times(result, table)
    return result


def times(left: Table, right: Table) -> Table:
    """The product of two tables."""
    return tuple(after(row, right) for row in left)


def both(left: Table, right: Table) -> Table:
    """Two outputs that are independent given the row: all products of their probabilities."""
    return tuple(tuple(x * y for x in one for y in other) for one, other in zip(left, right, strict=True))


def largest_ratio(table: Table) -> Fraction:
    """The largest quotient of two entries of one column: e^max-influence."""
    return max(max(column) / min(column) for column in columns(table))


def backwards(law: Row, table: Table) -> Table:
    """P(X_t = y | X_(t+1) = x), from the law of X_t and P(X_(t+1) = x | X_t = y)."""
    return tuple(
        tuple(p * entry / total for p, entry in zip(law, column))
        for column, total in zip(columns(table), after(law, table))
    )


WORDS: dict[str, Word] = {
    "sum": Word(
        (ROW,), NUMBER, lambda row: sum(row, Fraction(0)), "Definition sum (v : list Q) : Q := fold_right Qplus 0 v."
    ),
    "product": Word((ROW,), NUMBER, prod, "Definition product (v : list Q) : Q := fold_right Qmult 1 v."),
    "largest": Word(
        (ROW,),
        NUMBER,
        max,
        "Definition greater (x y : Q) : Q := if Qle_bool x y then y else x.\n"
        "Definition largest (v : list Q) : Q := fold_right greater (hd 0 v) v.",
    ),
    "least": Word(
        (ROW,),
        NUMBER,
        min,
        "Definition smaller (x y : Q) : Q := if Qle_bool x y then x else y.\n"
        "Definition least (v : list Q) : Q := fold_right smaller (hd 0 v) v.",
    ),
    "dot": Word(
        (ROW, ROW),
        NUMBER,
        dot,
        "Fixpoint dot (v w : list Q) : Q := match v, w with\n"
        "  | x :: v, y :: w => Qred (x * y + dot v w) | _, _ => 0 end.",
    ),
    "column": Word(
        (TABLE, PLACE),
        ROW,
        lambda table, j: columns(table)[j],
        "Definition column (M : list (list Q)) (j : nat) : list Q := map (fun v => nth j v 0) M.",
    ),
    "row": Word(
        (TABLE, PLACE),
        ROW,
        lambda table, i: table[i],
        "Definition row (M : list (list Q)) (i : nat) : list Q := nth i M [].",
    ),
    "item": Word(
        (ROW, PLACE), NUMBER, lambda row, i: row[i], "Definition item (v : list Q) (i : nat) : Q := nth i v 0."
    ),
    "entry": Word(
        (TABLE, PLACE, PLACE),
        NUMBER,
        lambda table, i, j: table[i][j],
        "Definition entry (M : list (list Q)) (i j : nat) : Q := nth j (nth i M []) 0.",
    ),
    "pointwise": Word(
        (ROW, ROW),
        ROW,
        lambda left, right: tuple(x * y for x, y in zip(left, right, strict=True)),
        "Definition pointwise (v w : list Q) : list Q :=\n  map (fun xy => Qred (fst xy * snd xy)) (combine v w).",
    ),
    "columns": Word(
        (TABLE,),
        TABLE,
        columns,
        "Definition columns (M : list (list Q)) : list (list Q) :=\n  map (column M) (seq 0 (length (hd [] M))).",
        ("column",),
    ),
    "after": Word(
        (ROW, TABLE),
        ROW,
        after,
        "Definition after (v : list Q) (M : list (list Q)) : list Q := map (dot v) (columns M).",
        ("dot", "columns"),
    ),
    "times": Word(
        (TABLE, TABLE),
        TABLE,
        times,
        "Definition times (M N : list (list Q)) : list (list Q) := map (fun v => after v N) M.",
        ("after",),
    ),
    "power": Word(
        (TABLE, PLACE),
        TABLE,
        power,
        "Definition one (k : nat) : list (list Q) :=\n"
        "  map (fun i => map (fun j => if Nat.eqb i j then 1 else 0) (seq 0 k)) (seq 0 k).\n"
        "Fixpoint power (M : list (list Q)) (t : nat) : list (list Q) := match t with\n"
        "  | O => one (length M) | S t => times (power M t) M end.",
        ("times",),
    ),
    "both": Word(
        (TABLE, TABLE),
        TABLE,
        both,
        "Definition products (v w : list Q) : list Q :=\n"
        "  flat_map (fun x => map (fun y => Qred (x * y)) w) v.\n"
        "Definition both (M N : list (list Q)) : list (list Q) :=\n"
        "  map (fun vw => products (fst vw) (snd vw)) (combine M N).",
    ),
    "largest_ratio": Word(
        (TABLE,),
        NUMBER,
        largest_ratio,
        "Definition largest_ratio (M : list (list Q)) : Q :=\n"
        "  largest (map (fun v => largest v / least v) (columns M)).",
        ("largest", "least", "columns"),
        positive=True,
    ),
    "ratio_of_column": Word(
        (TABLE, PLACE),
        NUMBER,
        lambda table, j: max(columns(table)[j]) / min(columns(table)[j]),
        "Definition ratio_of_column (M : list (list Q)) (j : nat) : Q :=\n  largest (column M j) / least (column M j).",
        ("largest", "least", "column"),
        positive=True,
    ),
    "backwards": Word(
        (ROW, TABLE),
        TABLE,
        backwards,
        "Definition backwards (v : list Q) (M : list (list Q)) : list (list Q) :=\n"
        "  map (fun ct => map (fun px => fst px * snd px / snd ct) (combine v (fst ct)))\n"
        "    (combine (columns M) (after v M)).",
        ("columns", "after"),
        positive=True,
    ),
    "rows": Word(
        (TABLE, PLACE),
        TABLE,
        lambda table, count: table[:count],
        "Definition rows (M : list (list Q)) (k : nat) : list (list Q) := firstn k M.",
    ),
    "bits": Word(
        (NUMBER, NUMBER),
        TABLE,
        lambda a, b: ((1 - a, a), (b, 1 - b)),
        "Definition bits (a b : Q) : list (list Q) := [[1 - a; a]; [b; 1 - b]].",
    ),
    "excess": Word(
        (ROW, ROW, NUMBER),
        NUMBER,
        lambda left, right, ratio: sum(
            (max(Fraction(0), x - ratio * y) for x, y in zip(left, right, strict=True)), Fraction(0)
        ),
        "Fixpoint excess (v w : list Q) (r : Q) : Q := match v, w with\n"
        "  | x :: v, y :: w =>\n"
        "    Qred ((if Qle_bool (x - r * y) 0 then 0 else x - r * y) + excess v w r)\n"
        "  | _, _ => 0 end.",
    ),
}
POSITIVE = (
    "Definition all_positive (M : list (list Q)) : bool :=\n  forallb (forallb (fun x => negb (Qle_bool x 0))) M."
)


# Values -------------------------------------------------------------------------------------------

HOLDS: dict[str, Callable[[Fraction, Fraction], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    "=": operator.eq,
    "!=": operator.ne,
    ">": operator.gt,
    ">=": operator.ge,
}
OPERATIONS: dict[type[ast.operator], Callable[[Fraction, Fraction], Fraction]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}
MOST = 64  # the largest power


def holds(formula: str, values: Mapping[str, Value]) -> bool:
    """Whether a formula is true of these values.

    Raises `CertificateError` if it is none, or names what is not there.

    >>> holds(
    ...     "largest_ratio(power(P, 2)) < largest_ratio(P)",
    ...     {"P": ((Fraction(3, 4), Fraction(1, 4)), (Fraction(1, 4), Fraction(3, 4)))},
    ... )
    True
    """
    truths = [  # of every comparison, so that all of the formula is read
        HOLDS[sign](evaluated(left, values), evaluated(right, values)) for left, sign, right in comparisons(formula)
    ]
    return all(truths)


def evaluated(expression: ast.expr, values: Mapping[str, Value]) -> Fraction:
    """Return the number that an expression is."""
    number = _value(expression, values)
    if not isinstance(number, Fraction):
        raise CertificateError(f"expected a number, found {ast.unparse(expression)!r}")
    return number


def _value(expression: ast.expr, values: Mapping[str, Value]) -> Value:
    if isinstance(expression, ast.Constant) and type(expression.value) is int:
        return Fraction(expression.value)
    if isinstance(expression, ast.Name):
        return known(expression, values)
    if isinstance(expression, ast.UnaryOp) and isinstance(expression.op, ast.USub):
        return -evaluated(expression.operand, values)
    if isinstance(expression, ast.BinOp):
        return _combined(expression, values)
    word = word_of(expression)
    given: list[Value | int] = []
    for argument, kind in zip(arguments(expression, word), word.takes):
        if kind == PLACE:
            given.append(place(argument, values))
            continue
        value = _value(argument, values)
        if kind_of(value) != kind:
            raise CertificateError(f"expected a {kind}, found {ast.unparse(argument)!r}")
        given.append(value)
    try:
        result: Value = word.means(*given)
    except (ZeroDivisionError, IndexError, ValueError, TypeError) as error:
        raise CertificateError(f"{ast.unparse(expression)}: {error}") from None
    return result


def _combined(expression: ast.BinOp, values: Mapping[str, Value]) -> Fraction:
    left = evaluated(expression.left, values)
    if isinstance(expression.op, ast.Pow):
        return Fraction(left ** place(expression.right, values))
    operation = OPERATIONS.get(type(expression.op))
    if operation is None:
        raise CertificateError(f"expected + - * / ^, found {ast.unparse(expression)!r}")
    right = evaluated(expression.right, values)
    if right == 0 and isinstance(expression.op, ast.Div):
        raise CertificateError(f"division by 0 in {ast.unparse(expression)!r}")
    return operation(left, right)


def known(expression: ast.Name, values: Mapping[str, Value]) -> Value:
    if expression.id not in values:
        raise CertificateError(f"{expression.id!r} is no value of the counterexample")
    return values[expression.id]


def place(expression: ast.expr, values: Mapping[str, Value]) -> int:
    """Return a place or an exponent, a small number that is not negative."""
    number = evaluated(expression, values)
    if number.denominator != 1 or not 0 <= number <= MOST:
        raise CertificateError(f"expected 0, 1, .., {MOST}, found {ast.unparse(expression)!r}")
    return int(number)


def word_of(expression: ast.expr) -> Word:
    """Return the word that is called."""
    called = expression.func if isinstance(expression, ast.Call) else None
    if not isinstance(called, ast.Name) or called.id not in WORDS:
        raise CertificateError(f"expected one of {', '.join(WORDS)}, found {ast.unparse(expression)!r}")
    return WORDS[called.id]


def arguments(expression: ast.expr, word: Word) -> Sequence[ast.expr]:
    """Return what a word is given."""
    given = expression.args if isinstance(expression, ast.Call) and not expression.keywords else []
    if len(given) != len(word.takes):
        raise CertificateError(f"expected {len(word.takes)} arguments, found {ast.unparse(expression)!r}")
    return given


def kind_of(value: Value) -> str:
    """Return whether a value is a number, a row or a table."""
    if isinstance(value, Fraction):
        return NUMBER
    return ROW if is_row(value) else TABLE


# Files for Coq ------------------------------------------------------------------------------------

SIGNS = {"<": "<", "<=": "<=", "=": "==", ">": "<", ">=": "<="}
HEAD = """From Coq Require Import List QArith.
Import ListNotations.
Open Scope Q_scope."""
PROOF = "all: vm_compute; first [reflexivity | discriminate | intro; discriminate]."


def calculated(formula: str, values: Mapping[str, Value], name: str) -> str:
    """Return the file for Coq of a formula that is true of the values.

    Raises `CertificateError` if it is false, or no formula.
    """
    if not holds(formula, values):
        raise CertificateError(f"the formula is false: {formula}")
    file = _FileNeeds(values)
    claimed = [file.comparison(*comparison) for comparison in comparisons(formula)]
    parts = [*dict.fromkeys([*file.guards, *claimed])]
    text = json.dumps([formula, {name: _plain(value) for name, value in sorted(values.items())}])
    kinds = {NUMBER: "Q", ROW: "list Q", TABLE: "list (list Q)"}
    theorem = " /\\\n  ".join(parts)
    holes = "_"
    for _ in parts[1:]:
        holes = f"(conj _ {holes})"
    return "\n".join(
        [
            f"(* {name}: {formula.replace('(*', '( *').replace('*)', '* )')}",
            f"   sha256:{hashlib.sha256(text.encode()).hexdigest()} *)",
            HEAD,
            "",
            *(f"{word}\n" for word in file.words()),
            *(
                f"Definition the_{used} : {kinds[kind_of(values[used])]} := {_written(values[used])}.\n"
                for used in file.names
            ),
            f"Theorem statement :\n  {theorem}.",
            f"Proof. refine {holes}.",
            f"  {PROOF}",
            "Qed.",
            "Print Assumptions statement.",
            "",
        ]
    )


def _plain(value: Value) -> object:
    return str(value) if isinstance(value, Fraction) else [_plain(each) for each in value]


def _coq_number(value: Fraction) -> str:
    top = str(value.numerator) if value >= 0 else f"({value.numerator})"
    return f"({top} # {value.denominator})"


def _written(value: Value) -> str:
    if isinstance(value, Fraction):
        return _coq_number(value)
    return f"[{'; '.join(_written(each) for each in value)}]"


class _FileNeeds:
    """What a file needs: the names and words that occur, and what must not be 0."""

    def __init__(self, values: Mapping[str, Value]) -> None:
        self.values = values
        self.names: dict[str, None] = {}
        self.used: dict[str, None] = {}
        self.guards: list[str] = []

    def comparison(self, left: ast.expr, sign: str, right: ast.expr) -> str:
        one, other = self.text(left), self.text(right)
        if sign == "!=":
            return f"~ {one} == {other}"
        if sign in (">", ">="):
            one, other = other, one
        return f"{one} {SIGNS[sign]} {other}"

    def text(self, expression: ast.expr) -> str:
        if isinstance(expression, ast.Constant):
            return _coq_number(evaluated(expression, self.values))
        if isinstance(expression, ast.Name):
            known(expression, self.values)
            self.names[expression.id] = None
            return f"the_{expression.id}"
        if isinstance(expression, ast.UnaryOp):
            return f"(- {self.text(expression.operand)})"
        if isinstance(expression, ast.BinOp):
            return self.combined(expression)
        return self.called(expression)

    def combined(self, expression: ast.BinOp) -> str:
        left = self.text(expression.left)
        if isinstance(expression.op, ast.Pow):
            return f"({left} ^ {place(expression.right, self.values)})"
        if isinstance(expression.left, ast.Constant) and isinstance(expression.right, ast.Constant):
            return _coq_number(evaluated(expression, self.values))
        right = self.text(expression.right)
        sign = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/"}[type(expression.op)]
        if sign == "/" and not isinstance(expression.right, ast.Constant):
            self.guards.append(f"~ {right} == 0")
        return f"({left} {sign} {right})"

    def called(self, expression: ast.expr) -> str:
        word = word_of(expression)
        name = next(name for name, each in WORDS.items() if each is word)
        given = [
            f"{place(argument, self.values)}%nat" if kind == PLACE else self.text(argument)
            for argument, kind in zip(arguments(expression, word), word.takes)
        ]
        self.used[name] = None
        if word.positive:
            tables = [f"[{text}]" if kind == "row" else text for text, kind in zip(given, word.takes) if kind != PLACE]
            self.guards += [f"all_positive {text} = true" for text in tables]
        return f"({name} {' '.join(given)})"

    def words(self) -> list[str]:
        """Return the definitions that are needed, each after those it needs."""
        ordered: dict[str, None] = {}

        def add(name: str) -> None:
            for each in WORDS[name].needs:
                add(each)
            ordered[name] = None

        for name in self.used:
            add(name)
        shown = [WORDS[name].coq for name in ordered]
        return [*shown, POSITIVE] if any("all_positive" in guard for guard in self.guards) else shown
