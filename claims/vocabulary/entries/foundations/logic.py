"""Logic and arithmetic: quantifiers over finite sets and lists, sums, comparisons, levels."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from pufferproof.claims.language.statements.rationals import Fraction
from pufferproof.claims.vocabulary.kinds import Kind
from pufferproof.claims.vocabulary.terms import Entry, Log, Term, entry
from pufferproof.models.errors import SolverError

ZERO = Fraction(0)


def quotient(x: Fraction, y: Fraction) -> Fraction:
    """Divide as Coq does: by 0 gives 0."""
    return x / y if y else ZERO


def _pair(left: object, right: object) -> Iterator[tuple[Any, Any]]:
    yield left, right


def _relation(
    name: str, sign: str, tex: str, of: str = "R", coq: str = "", precedence: int = 70, infix: str = "none"
) -> Entry:
    return entry(
        name,
        takes=(of, of),
        gives="Prop",
        words=f"[0] {sign} [1]",
        tex=f"[0] {tex} [1]",
        coq=coq or f"[0] {sign} [1]",
        value=_pair,
        precedence=precedence,
        relation=sign,
        infix=infix,
    )


AT_MOST = _relation("at most", "<=", r"\le")
LESS = _relation("less", "<", "<")
EQUAL = _relation("equal", "=", "=")
NATURAL_LESS = _relation("less, of natural numbers", "<", "<", "nat", "([0] < [1])%nat", precedence=0)
NATURAL_EQUAL = _relation("equal, of natural numbers", "=", "=", "nat", "([0] = [1])%nat", precedence=0)
NOTHING = entry("0", takes=(), gives="R", words="0", tex="0", coq="0", value=lambda: ZERO, precedence=0)
ONE = entry("1", takes=(), gives="R", words="1", tex="1", coq="1", value=lambda: Fraction(1), precedence=0)
TIMES = entry(
    "times",
    takes=("R", "R"),
    gives="R",
    words="[0] [1]",
    tex=r"[0]\, [1]",
    coq="[0] * [1]",
    value=lambda a, b: a * b,
    precedence=40,
    infix="left",
)
PLUS = entry(
    "plus",
    takes=("R", "R"),
    gives="R",
    words="[0] + [1]",
    tex="[0] + [1]",
    coq="[0] + [1]",
    value=lambda a, b: a + b,
    precedence=50,
    infix="left",
)
LARGER = entry(
    "larger of two",
    takes=("R", "R"),
    gives="R",
    words="max{[0], [1]}",
    tex=r"\max\{[0], [1]\}",
    coq="Rmax [0] [1]",
    value=max,
)
FIRST = entry(
    "0, of natural numbers", takes=(), gives="nat", words="0", tex="0", coq="O", value=lambda: 0, precedence=0
)
NEXT = entry(
    "next", takes=("nat",), gives="nat", words="[0] + 1", tex="[0] + 1", coq="S [0]", value=lambda number: number + 1
)
NATURAL_PLUS = entry(
    "plus, of natural numbers",
    takes=("nat", "nat"),
    gives="nat",
    words="[0] + [1]",
    tex="[0] + [1]",
    coq="([0] + [1])%nat",
    value=lambda m, n: m + n,
    precedence=0,
)
BOTH = entry(
    "and",
    takes=("Prop", "Prop"),
    words="[0] and [1]",
    tex=r"[0] \wedge [1]",
    coq=r"[0] /\ [1]",
    value=lambda a, b: iter((a, b)),
    precedence=80,
    relation="truth",
    infix="right",
)
EITHER = entry(
    "or",
    takes=("Prop", "Prop"),
    words="[0] or [1]",
    tex=r"[0] \vee [1]",
    coq=r"[0] \/ [1]",
    value=lambda a, b: iter((a or b,)),
    precedence=85,
    relation="truth",
    infix="right",
)
IFF = entry(
    "if and only if",
    takes=("Prop", "Prop"),
    words="[0] if and only if [1]",
    tex=r"[0] \Leftrightarrow [1]",
    coq="[0] <-> [1]",
    value=lambda a, b: iter((a == b,)),
    precedence=95,
    relation="truth",
    infix="none",
)
IMPLIES = entry(
    "implies",
    takes=("Prop", "Prop"),
    words="if [0], then [1]",
    tex=r"[0] \Rightarrow [1]",
    coq="[0] -> [1]",
    value=lambda a, b: iter((not a or b,)),
    precedence=99,
    relation="truth",
    infix="right",
)
NOT = entry(
    "not",
    takes=("Prop",),
    words="it is not the case that [0]",
    tex=r"\neg ([0])",
    coq="~ [0]",
    value=lambda a: iter((not a,)),
    precedence=75,
    relation="truth",
)
EXP = entry("exp", takes=("level",), gives="R", words="e^([0])", tex="e^{[0]}", coq="exp [0]", value=lambda a: a.of)
LN = entry(
    "ln",
    takes=("R",),
    gives="level",
    words="ln [0]",
    tex=r"\ln [0]",
    coq="ln [0]",
    value=lambda a: Log(a if a > 0 else Fraction(1)),
)  # as in Coq, ln of what is not positive is 0
LEVEL_PLUS = entry(
    "sum of levels",
    takes=("level", "level"),
    gives="level",
    words="[0] + [1]",
    tex="[0] + [1]",
    coq="[0] + [1]",
    value=lambda a, b: a + b,
    precedence=50,
    infix="left",
)
LEVEL_TIMES = entry(
    "multiple of a level",
    takes=("nat", "level"),
    gives="level",
    words="[0] [1]",
    tex=r"[0]\, [1]",
    coq="INR ([0]) * [1]",
    value=lambda number, a: number * a,
    precedence=40,
    infix="none",
)
LENGTH = entry(
    "length",
    takes=("list 'a",),
    gives="nat",
    words="|[0]|",
    tex="|[0]|",
    coq="(List.length [0])",
    value=len,
    precedence=0,
)
ROW = entry(
    "value at",
    takes=("'a -> 'b", "'a"),
    gives="'b",
    words="[0]_[1]",
    tex="{[0]}_{[1]}",
    coq="[0] [1]",
    value=lambda f, x: f[x],
)


def _each_of(size: int, holds: Callable[[int], bool]) -> Iterator[bool]:
    return (holds(x) for x in range(size))


EVERY = entry(
    "for all",
    takes=("Type", "'a -> Prop"),
    words="for every [b1] in [0], [1]",
    tex=r"\forall [b1] \in [0]:\ [1]",
    coq="forall [b1] : [t1], [1]",
    value=_each_of,
    precedence=200,
    relation="truth",
)
EACH = entry(
    "for each of a list",
    takes=("list 'a", "'a -> Prop"),
    words="for every [b1] in [0], [1]",
    tex=r"\forall [b1] \in [0]:\ [1]",
    coq="forall [b1] : [t1], List.In [b1] [0] -> [1]",
    value=lambda things, holds: (holds(x) for x in things),
    precedence=200,
    relation="truth",
)
SUM = entry(
    "sum",
    takes=("Type", "'a -> R"),
    gives="R",
    words="sum_[b1] [1]",
    tex=r"\textstyle\sum_{[b1]} [1]",
    coq="Σ [b1], [1]",
    value=lambda size, term: sum((term(x) for x in range(size)), ZERO),
    precedence=60,
)


def every(bound: Term, body: Term, over: Term) -> Term:
    """Return that something holds for every member of a finite set."""
    return EVERY(over, _over(bound, body, over))


def each(bound: Term, body: Term, of: Term) -> Term:
    """Return that something holds for each member of a list."""
    return EACH(of, body.under(bound))


def total(bound: Term, body: Term, over: Term) -> Term:
    """Return the sum over a finite set."""
    return SUM(over, _over(bound, body, over))


def at(function: Term, *arguments: Term) -> Term:
    """Return the value of a function at arguments, one after the other."""
    for argument in arguments:
        function = ROW(function, argument)
    return function


def _over(bound: Term, body: Term, over: Term) -> Term:
    if bound.kind != Kind(over.name):
        raise SolverError(f'expected a letter for a member of {over.name}, found "{bound.name}"')
    return body.under(bound)


def pairs_of(values: Sequence[Any]) -> Iterator[tuple[Any, Any]]:
    """Yield (0, value) of each: that none is negative."""
    return ((ZERO, value) for value in values)
