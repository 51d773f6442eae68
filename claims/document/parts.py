"""What a document has: a title, prose, and parts in an order that matters, as in a Python file."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Text:
    """A text of a document and the line on which it begins; ends of lines stand for themselves."""

    text: str
    line: int


@dataclass(frozen=True)
class Use:
    """`use PLACE: NAME, NAME as OTHER`: names of another document or module."""

    place: str
    names: tuple[tuple[str, str], ...]
    line: int


@dataclass(frozen=True)
class LetterLine:
    """Letters of one meaning and one domain: the names in formulas, as pages show them, the
    domain as relations to numbers, and whether they are known to be real.
    """

    names: tuple[tuple[str, str], ...]
    domain: tuple[tuple[str, str], ...]
    meaning: str
    real: bool
    line: int


@dataclass(frozen=True)
class Letters:
    """`letters:`, with what each stands for."""

    entries: tuple[LetterLine, ...]
    line: int


@dataclass(frozen=True)
class Table:
    """`notation:`, `symbols:`, `paper:` or `printed:`: texts by names, for readers."""

    name: str
    entries: tuple[tuple[str, str], ...]
    line: int


@dataclass(frozen=True)
class Let:
    """`let NAME = EXPRESSION`, in Python, with what it is."""

    names: str
    value: Text
    said: str
    line: int


@dataclass(frozen=True)
class SortLine:
    """Letters of statement objects and what they are: of each its name, what readers see, and the
    name that it has in the document.
    """

    names: tuple[tuple[str, str, str], ...]
    sort: Text
    line: int


@dataclass(frozen=True)
class Sorts:
    """`sorts:`, with letters of statement objects."""

    entries: tuple[SortLine, ...]
    line: int


@dataclass(frozen=True)
class StatementPart:
    """`statement NAME: CONSTANT | SETS`, a statement object: texts by field, and near misses that
    no instance shows to be false, with their reasons.
    """

    name: str
    constant: str
    sets: str
    fields: tuple[tuple[str, Text], ...]
    survives: tuple[tuple[str, Text], ...]
    line: int

    def texts(self, key: str) -> list[Text]:
        """Return the texts of a field."""
        return [text for name, text in self.fields if name == key]


@dataclass(frozen=True)
class Code:
    """A fence of Python, as it stands."""

    source: str
    line: int


@dataclass(frozen=True)
class Define:
    """`define NAME(ARGUMENTS) = EXPRESSION`: a function that is one formula, with what it returns,
    and what its `where:` lines name before; `cached` if it is computed once for equal arguments.
    """

    name: str
    arguments: str
    value: Text
    said: str
    where: tuple[Text, ...]
    cached: bool
    line: int


@dataclass(frozen=True)
class Hypothesis:
    """`hypothesis NAME: WORDS :: EXPRESSION`, of programs."""

    name: str
    words: str
    value: Text
    line: int


@dataclass(frozen=True)
class Family:
    """`family NAME: WORDS`: how instances are drawn, and their entries."""

    name: str
    said: str
    drawn: tuple[Text, ...]
    entries: Text
    line: int


@dataclass(frozen=True)
class Program:
    """`program NAME over FAMILY`: a statement that runs, as fields in their order, each with its
    key, the words or parameters behind it, and its text.
    """

    name: str
    arguments: str
    family: Text
    fields: tuple[tuple[str, str, Text], ...]
    line: int


@dataclass(frozen=True)
class Linking:
    """A line of a linked argument: a definition, whose name is the letter, or a fact.

    `kind` is the method of `Linked` that it is. `text` is the formula, term or lemma, `over` the
    index or the letter that a rule names, `start` that of a recursion, `put` what is put for the
    letters of a lemma or moves, `by` the facts that are used, `meaning` what a letter stands for.
    """

    kind: str
    name: str
    text: str
    line: int
    over: str = ""
    start: str = ""
    put: tuple[tuple[str, str], ...] = ()
    by: tuple[str, ...] = ()
    meaning: str = ""


@dataclass(frozen=True)
class Argument:
    """`linked NAME: ABOUT`: a linked argument. The letters that are `given` have their indices
    where other letters have the name that pages show.
    """

    name: str
    about: str
    indices: tuple[tuple[str, str], ...]
    given: tuple[LetterLine, ...]
    near: tuple[tuple[str, Text], ...]
    spare: tuple[tuple[str, str], ...]
    lines: tuple[Linking, ...]
    why: str
    line: int


@dataclass(frozen=True)
class Step:
    """A step of a reading: its kind, its name, its sentence, and texts by key."""

    kind: str
    name: str
    sentence: str
    given: Mapping[str, Text]
    line: int


@dataclass(frozen=True)
class Reading:
    """One way to read a statement: its name, its scope, the object or program that says it, and
    what settles it. A reading without steps rests on what says it.
    """

    name: str
    line: int
    scope: str = ""
    says: Text | None = None
    steps: tuple[Step, ...] = ()
    through: Text | None = None
    near: tuple[tuple[str, Text], ...] = ()


@dataclass(frozen=True)
class ClaimPart:
    """`## ID | PLACE | KIND`: a published statement."""

    id: str
    where: str
    kind: str
    statement: str
    line: int
    given: Text | None = None
    then: Text | None = None
    prints: Mapping[str, str] = field(default_factory=dict)
    assumes: tuple[str, ...] = ()
    repair: str = ""
    unsaid: tuple[tuple[str, Text], ...] = ()
    why: str = ""
    readings: tuple[Reading, ...] = ()


Block = Define | Hypothesis | Family | Program
Part = Use | Letters | Table | Let | Sorts | StatementPart | Code | Argument | ClaimPart | Block


@dataclass(frozen=True)
class Document:
    """A section: its title, what it is about, and its parts."""

    title: str
    prose: str
    parts: tuple[Part, ...]

    @property
    def claims(self) -> Iterator[ClaimPart]:
        """The claims, in order."""
        yield from (each for each in self.parts if isinstance(each, ClaimPart))
