"""The words of formulas: what each takes and gives, in exact fractions and in Coq.

Both definitions of a word are meant to be read side by side; tests compare them on tables.
"""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from math import prod
from typing import Any

from .reading import Row, Table

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
    means: Callable[..., Any]
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
