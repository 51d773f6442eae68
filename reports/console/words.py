"""What the commands print on a terminal: a verdict, the number behind it, and where to look.

This file also has CSV tables.
"""

import re
from collections.abc import Iterable, Sequence
from decimal import Context, Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, Literal

from pufferproof.models.numbers.enclosures import Enclosure
from pufferproof.models.numbers.text import at_least, brief, brief_chance, chance, outward, rounded
from pufferproof.reports.console.labels import one_line
from pufferproof.verify.decision import cited
from pufferproof.verify.leakage.ratio import COLUMNS, Leakage, Row, Scope

if TYPE_CHECKING:
    from rich.table import Table as RichTable

    from pufferproof.reports.schemas.values import Basis as PrintedBasis
    from pufferproof.verify.decision import Basis as DecidedBasis

    Basis = PrintedBasis | DecidedBasis

_RISKY = tuple("=+-@\t\r\n\uff1d\uff0b\uff0d\uff20'")
_NUMBER = re.compile(r"-?([0-9]+(/[0-9]+|(\.[0-9]+)?([eE][+-]?[0-9]+)?)|inf)")
_QUOTED = re.compile(r'[",;\t\r\n]')
_DIGITS = 12
_DECIMAL = re.compile(r"[0-9]+[.][0-9]+(e[+-]?[0-9]+)?")
TABLE_HEADER = [
    "prior",
    "s",
    "s'",
    "output",
    "P(output | s)",
    "P(output | s')",
    "ratio",
    "nats",
    "odds before",
    "odds after",
]


def counted(number: int, noun: str, plural: str | None = None) -> str:
    """Say how many there are: `1 release`, `2 releases`."""
    return f"{number} {noun if number == 1 else plural or noun + 's'}"


def leakage_text(leakage: Leakage) -> str:
    """Say a leakage in one phrase: `log(9/5) ≈ 0.587786664902 nats`, `infinite`, or what is
    known of it.
    """
    if leakage.infinite:
        return "infinite"
    if leakage.ratio == 1:
        return "0 (nothing leaks)"
    nats = nats_text(leakage.enclosure())
    if leakage.ratio is None or (ratio := brief(leakage.ratio)).startswith("~"):  # too long to be shown
        return nats
    return f"log({ratio}) {nats}"


def short_nats(influence: Leakage) -> str:
    """Say a number of nats in a cell of a table: rounded, or by both bounds where they are those
    of a search that ended early.
    """
    ends, ratio = influence.enclosure(), influence.ratio
    if influence.infinite:
        return "infinite"
    if ends.upper == "inf":
        return f"at least {at_least(ends.lower, 9)}"
    lower, upper = rounded(ends.lower, 9), rounded(ends.upper, 9)
    if lower != upper and (Fraction(ends.upper) - Fraction(ends.lower)) * 10**9 > Fraction(ends.upper):
        return f"{lower} to {upper}"
    short = ratio is not None and ratio != 1 and not (text := brief(ratio)).startswith("~")
    return f"{upper}{f' = log({text})' if short else ''}"


def nats_text(ends: Enclosure) -> str:
    """Say a number of nats: rounded where its bounds agree to so many digits, else by both
    bounds, rounded outward.
    """
    low, high = outward(ends.lower, ends.upper)
    if ends.upper == "inf":
        return f"at least {low} nats, no upper bound is known"
    shown = rounded(ends.lower)
    return f"≈ {in_nats(shown)}" if shown == rounded(ends.upper) else f"between {low} and {high} nats"


def in_nats(number: str) -> str:
    """Say a number of nats.

    >>> in_nats("1"), in_nats("0.5")
    ('1 nat', '0.5 nats')
    """
    return f"{number} {'nat' if number == '1' else 'nats'}"


def left_text(left: Leakage) -> str:
    """Say what a budget leaves, rounded down.

    >>> left_text(Leakage.of(Fraction(1))), left_text(Leakage(Fraction(3, 2), Fraction(8, 5)))
    ('0 nats', '0.405465108108 nats')
    """
    return in_nats(at_least(left.enclosure().lower, _DIGITS))


def three_nats(leakage: Leakage, digits: int = 3) -> str:
    """Say a leakage with three digits, or a few more, for a page that has the others elsewhere.

    >>> three_nats(Leakage.of(Fraction(702, 31))), three_nats(Leakage(Fraction(2), Fraction(9, 4)))
    ('3.12 nats', 'between 0.693 and 0.811 nats')
    """
    ends = leakage.enclosure()
    if ends.lower == "inf":
        return "infinite"
    low, high = outward(ends.lower, ends.upper, digits)
    if ends.upper == "inf":
        return f"at least {in_nats(low)}"
    if (short := rounded(ends.lower, digits)) == rounded(ends.upper, digits):
        return in_nats(short)
    return f"between {low} and {high} nats"


def level_nats(level: object) -> str:
    """Say a level with its unit: `0.5 nats`; `log(2)`, which is in nats, as it is.

    >>> level_nats("0.5"), level_nats("1"), level_nats("log(2)")
    ('0.5 nats', '1 nat', 'log(2)')
    """
    text = str(level)
    return in_nats(text) if text.replace(".", "", 1).replace("/", "", 1).isdigit() else text


_RESTS_ON = {
    "EXACT": "exact rational arithmetic",
    "KERNEL": "proved again by the kernel",
    "INTERVAL": "intervals with proved ends",
    "PROSE": "an argument in words",
    "Z3": "the solver Z3",
    "CVC5": "the solver cvc5",
}
_PROGRAM = "the program draws from rng alone, ends, and its draws decide its output"


_CLAIMS_REST_ON = {
    "SYMPY": "an identity, expanded by sympy",
    "AUTHOR": "an expression of the author: nothing compares it with the statement",
    "CITED": "the claim that is named",
    "COQ": "proved by Coq: the statement, from the axioms named, or a theorem that a step uses",
}


def trust_line(trust: Sequence[str], of_leakage: Sequence[str] = (), rests_on: "Sequence[Basis] | None" = None) -> str:
    """Say what an answer rests on, each word of the files explained; and what its leakage rests
    on, if only the verdict is certified. Claims come last, with their recorded verdicts.

    >>> trust_line(["EXACT", "INTERVAL"])
    'trust     EXACT (exact rational arithmetic), INTERVAL (intervals with proved ends)'
    >>> trust_line(["KERNEL"], ["Z3"])
    'trust     verdict KERNEL (proved again by the kernel); leakage Z3 (the solver Z3)'
    """
    claims = claims_text(rests_on)
    if of_leakage:
        verdict, leakage = (_words(each, rests_on) for each in (trust, of_leakage))
        return f"trust     verdict {verdict}; leakage {leakage}{claims}"
    return f"trust     {_words(trust, rests_on)}{claims}"


def trust_text(trust: Sequence[str], rests_on: "Sequence[Basis]") -> str:
    """Say what an answer rests on in the words of the files, for a page."""
    named = set(cited(each.claim for each in rests_on))
    return ", ".join(word for word in trust if word not in named) + claims_text(rests_on)


def claims_text(rests_on: "Sequence[Basis] | None") -> str:
    """Name claims with their verdicts, as the end of a sentence about trust.

    >>> claims_text(None), claims_text([])
    ('', '')
    """
    if not rests_on:
        return ""
    return f", rests on {', '.join(f'{each.claim} ({each.verdict})' for each in rests_on)}"


def claims_lines(rests_on: "Sequence[Basis] | None") -> list[str]:
    """Name claims with their verdicts in a line of its own, or in none if there is no claim.

    >>> from pufferproof.verify.decision import Basis
    >>> claims_lines([Basis(claim="noise.law", verdict="TRIED")])
    ['rests on  noise.law (TRIED)']
    """
    return [f"rests on  {claims_text(rests_on).removeprefix(', rests on ')}"] if rests_on else []


def _words(trust: Sequence[str], rests_on: "Sequence[Basis] | None") -> str:
    """Explain words of trust; a claim that is cited is named once."""
    named = set(cited(each.claim for each in rests_on or ()))
    return ", ".join(_rests_on(word) for word in trust if word not in named)


def trusted_words(words: Iterable[str]) -> list[str]:
    """Explain the words that claims rest on, in lines of their own.

    >>> trusted_words(["Z3", "CITED(song2017.lemma-4.8)"])
    ['Z3         the solver Z3', 'CITED      the claim that is named']
    """
    kinds = {word.partition("(")[0] for word in words}
    words_of = _RESTS_ON | _CLAIMS_REST_ON
    return [f"{kind:<10} {words_of[kind]}" for kind in words_of if kind in kinds]


def _rests_on(word: str) -> str:
    if word.startswith("SAMPLING("):
        return f"{word} (samples, wrong with this probability at most)"
    if word.startswith("CITED("):
        return f"{word} (a theorem, `prove` says how it is proved)"
    if word.startswith("PROGRAM("):
        return f"{word} ({_PROGRAM})"
    if word.startswith("UNREAD("):
        return f"{word} (the kernel takes it as the certificate has it written out)"
    return f"{word} ({_RESTS_ON[word]})" if word in _RESTS_ON else word


def short_numbers(text: str) -> str:
    """Round every decimal of a text to 12 digits, where it has more.

    >>> short_numbers("below 0.14704234844490524, or 1e-300")
    'below 0.147042348445, or 1e-300'
    """
    return _DECIMAL.sub(lambda found: _shorter(found[0]), text)


def _shorter(number: str) -> str:
    digits = sum(each.isdigit() for each in number.split("e")[0])
    return f"{float(number):.12g}" if digits > _DIGITS else number


def prior_text(prior: str | tuple[tuple[str, Fraction], ...]) -> str:
    """Name a prior, or a mixture of priors with its weights."""
    if isinstance(prior, str):
        return f'prior "{prior}"'
    return "mixture " + " + ".join(f'{brief(weight)} "{name}"' for name, weight in prior)


def times_text(value: Fraction) -> str:
    """Write a ratio exactly and as a decimal: `1401/509 ≈ 2.75`, `1/2 = 0.5`, integers alone,
    long ones rounded only.
    """
    shown = brief(value)
    if value.denominator == 1 or shown.startswith("~"):
        return shown
    rounded = Context(prec=3).divide(Decimal(value.numerator), Decimal(value.denominator)).normalize()
    return f"{shown} {'=' if Fraction(rounded) == value else '≈'} {rounded:f}"


def chance_text(share: Fraction) -> str:
    """Write a probability as `times_text` does; one below 1 is never written as 1.

    >>> chance_text(Fraction(1, 2)), chance_text(Fraction(9_999, 10_000))
    ('1/2 = 0.5', '0.9999')
    >>> chance_text(1 - Fraction(1, 10**30))
    'above 0.999999'
    """
    text = times_text(share)
    return chance(share) if share < 1 and text.endswith(("~1", " ≈ 1")) else text


def never_checked_lines(scope: Scope) -> list[str]:
    """Warn of pairs that no prior gives positive probability to."""
    return [f"warning: {pair}" for pair in never_checked(scope)]


def never_checked(scope: Scope) -> list[str]:
    """Say of every pair that was not checked why it was not."""
    return [
        f'pair "{left}", "{right}" was never checked: under every prior one of them has probability 0'
        for left, right in scope.never_checked
    ]


def table_csv(rows: Iterable[Row]) -> str:
    """Render the leakage table as CSV with a header."""
    return csv_text(COLUMNS, (row.as_csv() for row in rows))


def table_view(rows: Iterable[Row]) -> "RichTable":
    """Render the leakage table for a terminal."""
    return rich_table(TABLE_HEADER, [row_cells(row) for row in rows], left=4)


def row_cells(row: Row) -> list[str]:
    """Return the cells of one row of the leakage table, for a person."""
    epsilon = row.epsilon()
    return [
        row.prior,
        *row.pair,
        row.output,
        brief_chance(row.left),
        brief_chance(row.right),
        _maybe(row.ratio, row.left),
        ("" if epsilon is None else rounded(epsilon.lower, 11)),
        brief(row.prior_odds),
        _maybe(row.posterior_odds, row.left),
    ]


def rich_table(header: list[str], rows: Iterable[list[str]], left: int, title: str | None = None) -> "RichTable":
    """Make a terminal table whose first `left` columns are left-aligned text and the others
    numbers.
    """
    from rich.markup import escape
    from rich.table import Table as RichTable

    view = RichTable(title=title)
    for index, name in enumerate(header):
        justify: Literal["left", "right"] = "left" if index < left else "right"
        view.add_column(escape(name), justify=justify, overflow="fold")
    for row in rows:
        view.add_row(*(escape(one_line(cell)) for cell in row))
    return view


def _maybe(value: Fraction | None, left: Fraction) -> str:
    if value is not None:
        return brief(value)
    return "inf" if left else ""


def csv_text(header: Sequence[str], rows: Iterable[Iterable[object]]) -> str:
    """Return a table as CSV, with a comma between cells and a line feed after each row."""
    return "".join(",".join(map(_field, row)) + "\n" for row in (header, *rows))


def cell_text(cell: object) -> str:
    """Return what a cell holds, so that no spreadsheet runs it; numbers stay numbers, `-1/2` and
    `-inf` too.

    >>> cell_text("=1+1"), cell_text("-1"), cell_text("-a"), cell_text("'a"), cell_text("a")
    ("'=1+1", '-1', "'-a", "''a", 'a')
    """
    text = str(cell)
    return f"'{text}" if text.startswith(_RISKY) and not _NUMBER.fullmatch(text) else text


def _field(cell: object) -> str:
    text = cell_text(cell)
    inside = text.replace('"', '""')
    return f'"{inside}"' if _QUOTED.search(text) else text
