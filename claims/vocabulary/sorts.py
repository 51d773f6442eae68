"""What letters can be: their types in Coq, their words, and how Coq reads them from tables of
rationals at an instance.
"""

from collections.abc import Callable, Collection, Iterable
from dataclasses import replace
from typing import Any

from pufferproof.claims.vocabulary.terms import Log, Sort

Shown = Callable[[Any], str]


def rational(number: Any) -> str:
    """Write a rational for Coq."""
    return f"({number.numerator}#{number.denominator})"


def level(number: Log) -> str:
    """Write the exponential of a level for Coq."""
    return rational(number.of)


def natural(number: int) -> str:
    """Write a natural number for Coq."""
    return f"{number}%nat"


def listed(show: Shown) -> Shown:
    """Write a list for Coq."""
    return lambda things: "[" + "; ".join(map(show, things)) + "]"


def naturals(numbers: Collection[int]) -> str:
    """Write a set of natural numbers for Coq."""
    return listed(natural)(sorted(numbers))


row: Shown = listed(rational)
rows: Shown = listed(row)


def both(first: Shown, second: Shown) -> Shown:
    """Write a pair for Coq."""
    return lambda pair: f"({first(pair[0])}, {second(pair[1])})"


MATRIX = (
    "Mechanisms are real matrices and priors real functions: they are nonnegative, or laws, only "
    "where this is supposed."
)
TYPE = Sort("Type", "a finite set", "nat", "fin (S {})", lambda size: natural(size - 1))
NUMBER = Sort("R", "a real number", "Q", "Q2R {}", rational)
LEVEL = Sort("level", "a real number", "Q", "ln (Q2R {})", level)
NATURAL = Sort("nat", "a natural number", "nat", "{}", natural)


_PLURAL = {
    "a real number": "real numbers",
    "a natural number": "natural numbers",
    "a positive real number": "positive real numbers",
    "a finite set": "finite sets",
    "a real function on": "real functions on",
    "a subset of": "subsets of",
    "a list of": "lists of",
    "a sequence of": "sequences of",
}


def plural(words: str) -> str | None:
    """Return words of a sort for several letters, or None if they are said one by one."""
    begins = [each for each in _PLURAL if f"{words} ".startswith(f"{each} ")]
    return f"{_PLURAL[begins[0]]}{words[len(begins[0]) :]}" if begins else None


def member(of: str, words: str = "") -> Sort:
    """A member of a finite set."""
    return Sort(of, words or f"a member of {of}", "nat", "fin_of {}", natural)


def weights(of: str, words: str = "a real function on {}") -> Sort:
    """A number for each member of a finite set."""
    return Sort(f"{of} -> R", words.format(of), "list Q", "law_of {}", row)


def table(of: str, to: str, words: str = "a real matrix with rows indexed by {} and columns by {}") -> Sort:
    """A matrix."""
    return Sort(f"{of} -> {to} -> R", words.format(of, to), "list (list Q)", "rows_of {}", rows)


def mechanism(of: str, to: str) -> Sort:
    """A channel, whose rows need not be laws."""
    return replace(table(of, to, "a mechanism from {} to {}"), meaning=MATRIX)


def by_place(by: str, of: str) -> Sort:
    """A member of a finite set for each member of another."""
    return Sort(
        f"{by} -> {of}",
        f"a family of members of {of}, one for each member of {by}",
        "list nat",
        "(fun j => fin_of (nth (rank j) {} O))",
        listed(natural),
    )


def numbers(by: str) -> Sort:
    """A natural number for each member of a finite set."""
    return Sort(
        f"{by} -> nat",
        f"a family of natural numbers, one for each member of {by}",
        "list nat",
        "(fun j => nth (rank j) {} O)",
        listed(natural),
    )


def measures(of: str, to: str) -> Sort:
    """A number for each database and set of outputs: at an instance a sum of weights of outputs."""
    return Sort(
        f"{of} -> ({to} -> bool) -> R",
        f"a real function of databases in {of} and sets of outputs in {to}",
        "list (list Q)",
        "measure_of {}",
        rows,
    )


def events(of: str) -> Sort:
    """A set of sets of outputs."""
    return Sort(
        f"({of} -> bool) -> Prop", f"a set of subsets of {of}", "list (list nat)", "sets_of {}", listed(naturals)
    )


def cells(of: str, by: str, to: str) -> Sort:
    """A value for each cell of each table."""
    return Sort(
        f"{by} -> {of} -> {to}",
        f"a function that gives the value in {to} of each cell in {by} of each table in {of}",
        "list (list nat)",
        "(cells_of {})",
        listed(listed(natural)),
    )


def tables(by: str, of: str, to: str) -> Sort:
    """A channel for each member of a finite set."""
    return Sort(
        f"{by} -> {of} -> {to} -> R",
        f"a family of mechanisms from {of} to {to}, one for each member of {by}",
        "list (list (list Q))",
        "(fun j => rows_of (nth (rank j) {} []))",
        listed(rows),
        MATRIX,
    )


def runs(of: str, to: str) -> Sort:
    """A list of channels."""
    return Sort(
        f"list ({of} -> {to} -> R)",
        f"a list of mechanisms from {of} to {to}",
        "list (list (list Q))",
        "map rows_of {}",
        listed(rows),
        MATRIX,
    )


def levelled(of: str, to: str) -> Sort:
    """A list of channels, each with a ratio."""
    return Sort(
        f"list (({of} -> {to} -> R) * R)",
        f"a list of mechanisms M_i from {of} to {to}, each with a real number E_i",
        "list (list (list Q) * Q)",
        "map (fun ME => (rows_of (fst ME), Q2R (snd ME))) {}",
        listed(both(rows, rational)),
        MATRIX,
    )


def secret(of: str) -> Sort:
    """A set of databases."""
    return Sort(f"@Pufferfish.secret {of}", f"a subset of {of}", "list nat", "set_of {}", naturals)


def pairs(of: str) -> Sort:
    """Ordered pairs of secrets."""
    return Sort(
        f"@Pufferfish.secret {of} -> @Pufferfish.secret {of} -> Prop",
        f"a set of ordered pairs of subsets of {of}",
        "list (list nat * list nat)",
        "(fun a b => In (a, b) (map (fun st => (set_of (fst st), set_of (snd st))) {}))",
        listed(both(naturals, naturals)),
    )


def priors(of: str) -> Sort:
    """A set of priors."""
    return Sort(
        f"({of} -> R) -> Prop",
        f"a set of priors on {of}",
        "list (list Q)",
        "(fun p => In p (map law_of {}))",
        rows,
        MATRIX,
    )


NUMBERS = Sort("list R", "a list of real numbers", "list Q", "map Q2R {}", row)


def distances(of: str) -> Sort:
    """A natural number for each two members of a finite set."""
    return Sort(
        f"{of} -> {of} -> nat",
        f"a function that gives a natural number for any two members of {of}",
        "list (list nat)",
        "(fun x y => nth (rank y) (nth (rank x) {} []) O)",
        listed(listed(natural)),
    )


def law_pairs(of: str) -> Sort:
    """A finite list of ordered pairs of laws."""
    return Sort(
        f"list (({of} -> R) * ({of} -> R))",
        f"a list of ordered pairs of real functions on {of}",
        "list (list Q * list Q)",
        "map (fun z => (law_of (fst z), law_of (snd z))) {}",
        listed(both(row, row)),
    )


def sequence(of: str, words: str) -> Sort:
    """A finite sequence."""
    return Sort(f"list {of}", words, "list nat", "map fin_of {}", _in_order)


def _in_order(numbers: Iterable[int]) -> str:
    return listed(natural)(numbers)


def neighbours(of: str) -> Sort:
    """Ordered pairs of databases."""
    return Sort(
        f"{of} -> {of} -> Prop",
        f"a set of ordered pairs of members of {of}",
        "list (nat * nat)",
        "(fun a b => In (a, b) (map (fun st => (fin_of (fst st), fin_of (snd st))) {}))",
        listed(both(natural, natural)),
    )


def worlds(of: str) -> Sort:
    """Triples of a law, an alternative and an event."""
    return Sort(
        f"({of} -> R) -> ({of} -> {of} -> R) -> @Pufferfish.secret {of} -> Prop",
        f"a set of triples (p, alt, s) of a real function p on {of}, the weights of X, a real "
        f"matrix alt whose row x has the weights of alt(x), and a subset s of {of}",
        "list (list Q * list (list Q) * list nat)",
        "(fun p a s => In (p, a, s) (map (fun z => (law_of (fst (fst z)), rows_of (snd (fst z)), set_of (snd z))) {}))",
        listed(lambda world: f"({row(world[0])}, {rows(world[1])}, {naturals(world[2])})"),
    )


def laws_in_time(of: str) -> Sort:
    """A law for each block of a stream; the last one goes on."""
    return Sort(
        f"nat -> {of} -> R",
        f"a sequence of real functions on {of}, one for each block of a stream",
        "list (list Q)",
        "(fun j => law_of (late [] {} j))",
        rows,
    )


def windows_in_time(of: str, to: str) -> Sort:
    """A mechanism on windows for each step; the last one goes on."""
    return Sort(
        f"nat -> list {of} -> {to} -> R",
        f"a sequence of mechanisms from windows of blocks in {of} to {to}, one for each step",
        "list (list (list Q))",
        "(fun k l => law_of (nth (code l) (late [] {} k) []))",
        listed(rows),
        MATRIX,
    )


def levels_in_time(to: str) -> Sort:
    """A level for each step and output; the last ones go on."""
    return Sort(
        f"nat -> {to} -> level",
        f"a real function of steps and outputs in {to}",
        "list (list Q)",
        "(fun k y => ln (law_of (late [] {} k) y))",
        listed(listed(level)),
    )


LEVELS_OF_STEPS = Sort(
    "nat -> level",
    "a sequence of real numbers, one for each step",
    "list Q",
    "(fun k => ln (Q2R (late 1%Q {} k)))",
    listed(level),
)
NUMBERS_OF_STEPS = Sort(
    "nat -> R", "a sequence of real numbers, one for each step", "list Q", "(fun k => Q2R (late 0%Q {} k))", row
)
TABLE = "Chain.vec A n"


def chances_in_time(of: str) -> Sort:
    """A chance for each record and value; those of the last record go on."""
    return Sort(
        f"nat -> {of} -> R",
        f"a sequence of real functions on {of}, one for each record",
        "list (list Q)",
        "(fun k => law_of (late [] {} k))",
        rows,
    )


def _value(value: int | None) -> str:
    return "None" if value is None else f"Some {natural(value)}"


VALUES = Sort(
    "Chain.vec (option A) n",
    "a choice of values in A for some of n records",
    "list (option nat)",
    "vec_of None _ (map (option_map fin_of) {})",
    listed(_value),
)
PAIRS_OF_TABLES = Sort(
    f"@Pufferfish.secret ({TABLE}) -> @Pufferfish.secret ({TABLE}) -> Prop",
    "a set of ordered pairs of sets of tables X of n records with values in A",
    "list (list nat * list nat)",
    "(fun a b => In (a, b) (map (fun st => (set_of_tables (fst st), set_of_tables (snd st))) {}))",
    listed(both(naturals, naturals)),
)
PRIORS_OF_TABLES = Sort(
    f"({TABLE} -> R) -> Prop",
    "a set of priors on tables of n records with values in A",
    "list (list Q)",
    "(fun p => In p (map law_of_tables {}))",
    rows,
    MATRIX,
)
