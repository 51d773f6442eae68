"""Logic and arithmetic: quantifiers over finite sets and lists, sums, comparisons, levels."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from pufferproof.claims.language.statements.rationals import Fraction
from pufferproof.claims.vocabulary.kinds import Kind
from pufferproof.claims.vocabulary.terms import Log, Term, entry
from pufferproof.models.errors import SolverError

ZERO = Fraction(0)


def quotient(x: Fraction, y: Fraction) -> Fraction:
    """Divide as Coq does: by 0 gives 0."""
    return x / y if y else ZERO


def _pair(left: object, right: object) -> Iterator[tuple[Any, Any]]:
    yield left, right


def _relation(name: str, sign: str, tex: str, of: str = "R", coq: str = "", **more: object) -> Any:
    texts = (f"[0] {sign} [1]", f"[0] {tex} [1]", coq or f"[0] {sign} [1]")
    more = {"precedence": 70, "infix": "none", **more}
    return entry(name, (of, of), "Prop", *texts, _pair, relation=sign, **more)


AT_MOST = _relation("at most", "<=", r"\le")
LESS = _relation("less", "<", "<")
EQUAL = _relation("equal", "=", "=")
NATURAL_LESS = _relation("less, of natural numbers", "<", "<", "nat", "([0] < [1])%nat", precedence=0)
NATURAL_EQUAL = _relation("equal, of natural numbers", "=", "=", "nat", "([0] = [1])%nat", precedence=0)
NOTHING = entry("0", (), "R", "0", "0", "0", lambda: ZERO, precedence=0)
ONE = entry("1", (), "R", "1", "1", "1", lambda: Fraction(1), precedence=0)
TIMES = entry(
    "times", ("R", "R"), "R", "[0] [1]", r"[0]\, [1]", "[0] * [1]", lambda a, b: a * b, precedence=40, infix="left"
)
PLUS = entry(
    "plus", ("R", "R"), "R", "[0] + [1]", "[0] + [1]", "[0] + [1]", lambda a, b: a + b, precedence=50, infix="left"
)
LARGER = entry("larger of two", ("R", "R"), "R", "max{[0], [1]}", r"\max\{[0], [1]\}", "Rmax [0] [1]", max)
FIRST = entry("0, of natural numbers", (), "nat", "0", "0", "O", lambda: 0, precedence=0)
NEXT = entry("next", ("nat",), "nat", "[0] + 1", "[0] + 1", "S [0]", lambda number: number + 1)
NATURAL_PLUS = entry(
    "plus, of natural numbers",
    ("nat", "nat"),
    "nat",
    "[0] + [1]",
    "[0] + [1]",
    "([0] + [1])%nat",
    lambda m, n: m + n,
    precedence=0,
)
BOTH = entry(
    "and",
    ("Prop", "Prop"),
    "Prop",
    "[0] and [1]",
    r"[0] \wedge [1]",
    r"[0] /\ [1]",
    lambda a, b: iter((a, b)),
    precedence=80,
    relation="truth",
    infix="right",
)
EITHER = entry(
    "or",
    ("Prop", "Prop"),
    "Prop",
    "[0] or [1]",
    r"[0] \vee [1]",
    r"[0] \/ [1]",
    lambda a, b: iter((a or b,)),
    precedence=85,
    relation="truth",
    infix="right",
)
IFF = entry(
    "if and only if",
    ("Prop", "Prop"),
    "Prop",
    "[0] if and only if [1]",
    r"[0] \Leftrightarrow [1]",
    "[0] <-> [1]",
    lambda a, b: iter((a == b,)),
    precedence=95,
    relation="truth",
    infix="none",
)
IMPLIES = entry(
    "implies",
    ("Prop", "Prop"),
    "Prop",
    "if [0], then [1]",
    r"[0] \Rightarrow [1]",
    "[0] -> [1]",
    lambda a, b: iter((not a or b,)),
    precedence=99,
    relation="truth",
    infix="right",
)
NOT = entry(
    "not",
    ("Prop",),
    "Prop",
    "it is not the case that [0]",
    r"\neg ([0])",
    "~ [0]",
    lambda a: iter((not a,)),
    precedence=75,
    relation="truth",
)
EXP = entry("exp", ("level",), "R", "e^([0])", "e^{[0]}", "exp [0]", lambda a: a.of)
LN = entry(
    "ln", ("R",), "level", "ln [0]", r"\ln [0]", "ln [0]", lambda a: Log(a if a > 0 else Fraction(1))
)  # as in Coq, ln of what is not positive is 0
LEVEL_PLUS = entry(
    "sum of levels",
    ("level", "level"),
    "level",
    "[0] + [1]",
    "[0] + [1]",
    "[0] + [1]",
    lambda a, b: a + b,
    precedence=50,
    infix="left",
)
LEVEL_TIMES = entry(
    "multiple of a level",
    ("nat", "level"),
    "level",
    "[0] [1]",
    r"[0]\, [1]",
    "INR ([0]) * [1]",
    lambda number, a: number * a,
    precedence=40,
    infix="none",
)
LENGTH = entry("length", ("list 'a",), "nat", "|[0]|", "|[0]|", "(List.length [0])", len, precedence=0)
ROW = entry("value at", ("'a -> 'b", "'a"), "'b", "[0]_[1]", "{[0]}_{[1]}", "[0] [1]", lambda f, x: f[x])


def _each_of(size: int, holds: Callable[[int], bool]) -> Iterator[bool]:
    return (holds(x) for x in range(size))


EVERY = entry(
    "for all",
    ("Type", "'a -> Prop"),
    "Prop",
    "for every [b1] in [0], [1]",
    r"\forall [b1] \in [0]:\ [1]",
    "forall [b1] : [t1], [1]",
    _each_of,
    precedence=200,
    relation="truth",
)
EACH = entry(
    "for each of a list",
    ("list 'a", "'a -> Prop"),
    "Prop",
    "for every [b1] in [0], [1]",
    r"\forall [b1] \in [0]:\ [1]",
    "forall [b1] : [t1], List.In [b1] [0] -> [1]",
    lambda things, holds: (holds(x) for x in things),
    precedence=200,
    relation="truth",
)
SUM = entry(
    "sum",
    ("Type", "'a -> R"),
    "R",
    "sum_[b1] [1]",
    r"\textstyle\sum_{[b1]} [1]",
    "Σ [b1], [1]",
    lambda size, term: sum((term(x) for x in range(size)), ZERO),
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
