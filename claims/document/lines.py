"""The lines of a document: a line that begins 4 columns in goes on with the one above.

A line in column 0 begins a part or a field of a claim, one in column 2 an entry or a field of a
reading. A blank line inside a text begins a paragraph. What stands between fences is left alone.
"""

import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from pufferproof.models.errors import ModelError

SUFFIX = ".claims"
"""The end of the name of a document."""
WIDTH = 140
NAME = r"[A-Za-z_][A-Za-z0-9_]*"
GREEK = (
    *("alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota", "kappa"),
    *("lambda", "mu", "nu", "xi", "pi", "rho", "sigma", "tau", "upsilon", "phi", "chi", "psi"),
    *("omega", "Gamma", "Delta", "Theta", "Lambda", "Xi", "Pi", "Sigma", "Upsilon", "Phi", "Psi"),
    "Omega",
)
"""Letters that are written as words."""
_ONE = rf"(?:{'|'.join(GREEK)}|eps|lam|[A-Za-zΓΔΘΛΞΠΣΥΦΨΩα-ξπ-ωϵϑϕℬ-ℭℰℱℋℐℒℓℳℛ𝒜-𝔷])"
_WHICH = r"_(?:\w+|\{[\w∪,+−-]+\})"
_SYMBOL = re.compile(rf"{_ONE}\d*['′]*⋆?(?:{_WHICH})?['′]*")
SYMBOLS = "x_1, Δ⋆ or pi_min"
"""Letters as pages may show them."""
LETTER = re.compile(r"(.*?)(\d*)(['′⋆]*)(?:_(.*))?$")
"""What a letter is shown with: its name, digits, marks and indices."""
FENCE, CLOSED = "```python", "```"
CONTINUED = "    "
"""How a line begins that goes on with the one above."""


@dataclass(frozen=True)
class Line:
    """A logical line: its column (0 or 2), its text, whose paragraphs are on lines of their own,
    and the number of its first line. `fenced` says that it is what stands between fences, `block`
    that it is the first of a paragraph in column 0.
    """

    column: int
    text: str
    number: int
    fenced: bool = False
    block: bool = False


def wrong(place: str, line: int, said: str) -> ModelError:
    """Return an error about a line of a document."""
    return ModelError(said, f"{place}:{line}")


class Once:
    """What may stand once within something, such as a field of a block, with the line of each."""

    def __init__(self, place: str) -> None:
        self.place, self.lines = place, dict[str, int]()

    def add(self, words: str, line: int) -> None:
        """Note what a line has. Raises `ModelError`, which names both lines, for a second one."""
        if words in self.lines:
            first, last = sorted((self.lines[words], line))
            twice = f"on lines {first} and {last}" if first < last else f"twice on line {line}"
            raise wrong(self.place, line, f"expected {words} once, found it {twice}: keep one")
        self.lines[words] = line


def logical(text: str, place: str) -> list[Line]:
    """Return the logical lines of a document. Raises `ModelError` for a line that begins in no
    column of the form, a tab, a character that nobody sees, and a fence that is not closed.
    """
    _expect_plain(text, place)
    found: list[Line] = []
    physical, number, blank = text.split("\n"), 0, True
    while number < len(physical):
        line = physical[number]
        number += 1
        if line.rstrip() == FENCE and not line.startswith(" "):
            end = _closing(physical, number, place)
            found.append(Line(0, "\n".join(physical[number:end]), number + 1, True, True))
            number, blank = end + 1, True
        elif not line.strip():
            blank = True
        else:
            _take(found, line, number, blank, place)
            blank = False
    return found


def decoded(data: bytes, place: str) -> str:
    """Return the text of a document. Raises `ModelError`, with the line, unless it is UTF-8."""
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        said = f"expected a text in UTF-8, found the byte 0x{data[error.start]:02x}"
        raise wrong(place, line, said) from None


_SEEN = str.maketrans(dict.fromkeys("\n\t", ""))
_UNSEEN = {"\r": "the end of a line of Windows (CRLF)", "\ufeff": "a byte order mark"}


_BLANK = re.compile("[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]")
"""What Python takes for printable, and pages show as nothing."""


def _expect_plain(text: str, place: str) -> None:
    """Raise `ModelError` at a character that nobody sees: a document is what a reader sees."""
    if text.translate(_SEEN).isprintable() and not _BLANK.search(text):
        return
    at, sign = next((k, x) for k, x in enumerate(text) if x not in "\n\t" and (not x.isprintable() or _BLANK.match(x)))
    found = _UNSEEN.get(sign, f"the character U+{ord(sign):04X}, which nobody sees")
    raise wrong(place, text.count("\n", 0, at) + 1, f"expected a plain text, found {found}")


def _take(found: list[Line], line: str, number: int, blank: bool, place: str) -> None:
    """Add a line that is not blank: a new logical one, or more of the last."""
    column = len(line) - len(line.lstrip(" "))
    if "\t" in line or line != line.rstrip():
        raise wrong(place, number, "a line has a tab, or a space at its end: leave it out")
    if column in (0, 2):
        found.append(Line(column, line.strip(), number, block=blank and column == 0))
    elif column != len(CONTINUED) or not found or found[-1].fenced:
        raise wrong(
            place,
            number,
            f"expected a line that begins in column 0 or 2, or 4 columns in to go on with the line "
            f"above, found one {column} columns in",
        )
    else:
        last = found[-1]
        between = "\n\n" if blank else " "
        found[-1] = replace(last, text=last.text + between + line.strip())


def _closing(physical: Sequence[str], start: int, place: str) -> int:
    for number in range(start, len(physical)):
        if physical[number] == CLOSED:
            return number
    raise wrong(place, start, f"expected {CLOSED} on a line of its own to close this fence")


class Reader:
    """The logical lines of a document, read one after the other."""

    def __init__(self, text: str, place: str) -> None:
        self.place = place
        self._lines = logical(text, place)
        self._at = 0

    @property
    def line(self) -> Line | None:
        """The line that is next, None at the end."""
        return self._lines[self._at] if self._at < len(self._lines) else None

    def take(self) -> Line:
        """Return the next line, and go on."""
        line = self._lines[self._at]
        self._at += 1
        return line

    def entries(self) -> Iterator[Line]:
        """Yield the lines in column 2 that follow."""
        while self.line is not None and self.line.column == 2:
            yield self.take()

    def paragraphs(self, stops: Callable[[str], bool], unlike: Callable[[Line], str], most: int = 1_000) -> str:
        """Return the paragraphs in column 0 up to the first that begins with what stops them.
        Raises `ModelError` at a line of which `unlike` says why it is no prose.
        """
        found: list[list[str]] = []
        while (line := self.line) is not None and not line.fenced and line.column == 0:
            if line.block and (stops(line.text) or len(found) == most):
                break
            if said := unlike(line):
                raise self.wrong(line.number, said)
            if line.block or not found:
                found.append([])
            found[-1].append(self.take().text)
        return "\n\n".join(" ".join(each) for each in found)

    def wrong(self, line: int, said: str) -> Exception:
        """Return an error about a line."""
        return wrong(self.place, line, said)


def is_symbol(text: str, in_prose: bool = False) -> bool:
    """Whether pages may show this for a letter: one sign or Greek word with digits, primes, a star
    and an index; of a letter that formulas do not have, also an index above, and a union.

    >>> [is_symbol(each) for each in ("Δ⋆", "pi_min", "X_{R∪Q}", "x + y", "z}^{2", "x^2", "xy")]
    [True, True, True, False, False, False, False]
    """
    parts = text.replace("^", "_").split("∪") if in_prose and "{" not in text else [text]
    return all(map(_SYMBOL.fullmatch, parts))


def look(shown: str) -> str:
    """Return what letters share that pages show alike.

    >>> look("π_1") == look("pi1"), look("eps") == look("ϵ"), look("x_1") == look("x_2")
    (True, True, False)
    """
    names = {x: unicodedata.name(unicodedata.normalize("NFKC", x), "") for x in shown}
    words = {x: name.split()[-1].lower() for x, name in names.items() if "GREEK" in name}
    cased = {x: word.capitalize() if x.isupper() else word for x, word in words.items()}
    text = re.sub(r"[{}]", "", "".join(cased.get(each, each) for each in shown))
    one, digits, marks, index = LETTER.findall(text.replace("lamda", "lambda"))[0]
    one = {"eps": "epsilon", "lam": "lambda"}.get(one, one)
    return f"{one}{marks}_{digits}{index.replace('_', '')}"


def plain(name: str, *ends: str) -> str:
    """Return a name, in quotation marks if it has a sign that would end it."""
    return f'"{name}"' if any(each in name for each in ends) else name


def wrapped(text: str, column: int) -> str:
    """Return a logical line as lines of a document: broken at single spaces, so that joining them
    gives the text again. Paragraphs follow a blank line.
    """
    first, *others = text.split("\n\n")
    return "\n".join([*_broken(first, " " * column, CONTINUED), *_further(others)])


def paragraph(text: str) -> str:
    """Return a paragraph in column 0, and those that go on with it 4 columns in."""
    first, *others = text.split("\n\n")
    return "\n".join([*_broken(first, "", ""), *_further(others)])


def _further(paragraphs: Sequence[str]) -> Iterator[str]:
    for each in paragraphs:
        yield from ("", *_broken(each, CONTINUED, CONTINUED))


_BREAK = re.compile(r"(?<! ) (?! )")


def _broken(text: str, first: str, rest: str) -> list[str]:
    lines, now = [], first
    for number, word in enumerate(_BREAK.split(text)):
        if not number:
            now += word
        elif len(now) + 1 + len(word) > WIDTH:
            lines.append(now)
            now = rest + word
        else:
            now += f" {word}"
    return [*lines, now]
