"""What `prove` prints."""

from typing import Annotated, Literal

from pydantic import Field

from pufferproof.models.numbers.text import JsonObject
from pufferproof.reports.schemas.values import ClaimVerdict, Output

Evidence = Annotated[JsonObject | None, Field(description="exact values by name; frameworks and mechanisms as files")]


WordsOfFile = Annotated[
    list[str], Field(description="which of these are words of the claim file, which nothing checks")
]


RefutedBy = Annotated[
    Literal["program", "object", "formula", "audit", "author"] | None,
    Field(
        description="what says that it is false: its own statement as a program, an object or a "
        "formula, an audit of the counterexample, or an expression of its author, which nothing "
        "compares with the statement; null unless it is REFUTED"
    ),
]


class TriedHard(Output):
    """How many hard instances a statement was tried on: from the library of hard edges, or with
    numbers near an end.
    """

    tried: Annotated[int, Field(ge=0)]
    met: Annotated[int, Field(ge=0)]


class Tried(Output):
    """How many instances the statement of a reading was tried on: drawn, and such that its
    hypotheses hold. The hard ones are counted apart.
    """

    wanted: Annotated[int, Field(ge=1, description="at how many its hypotheses had to hold")]
    tried: Annotated[int, Field(ge=0)]
    met: Annotated[int, Field(ge=0)]
    hard: TriedHard


class ProvedReading(Output):
    """What was found of one reading of a claim; `trial` is null where its statement does not
    run.
    """

    name: str
    statement: Annotated[
        str | None, Field(description="its words, made from what is decided; null if nobody makes any")
    ]
    verdict: ClaimVerdict
    refuted_by: RefutedBy
    trust: list[str]
    scope: str
    counterexample: Evidence
    trial: Tried | None
    unsaid: Annotated[str | None, Field(description="why the statement does not run")]
    words_of_file: WordsOfFile


class Printed(Output):
    """What a paper prints of a claim: its place, and its formula in LaTeX or what it shows."""

    place: str
    ours: Annotated[str, Field(description="what our words fix, widen or leave out")]
    formula: str
    shows: str
    repaired: Annotated[str, Field(description="the formula of its repair")]
    cause: Annotated[str, Field(description="what is wrong in a false claim, in one sentence")]
    breaks: Annotated[
        Literal["guarantee", "theorem", "step", "remark", "display", "slip", ""],
        Field(description='what a false claim breaks; "" if its kind says it'),
    ]
    because: Annotated[str, Field(description="why it breaks this")]
    instead: Annotated[str, Field(description="that the repair of a claim is another theorem")]


class ProvedClaim(Output):
    """What was found of a claim; `counterexample` is one to its first reading."""

    id: str
    statement: Annotated[
        str,
        Field(
            description="what it says: words made from the object or the formula of its first "
            "reading, else a sentence of its file"
        ),
    ]
    paraphrase: Annotated[
        str | None, Field(description="the sentence that its file gives beside an object; not checked")
    ]
    verdict: ClaimVerdict
    refuted_by: RefutedBy
    trust: list[str]
    scope: str
    words_of_file: WordsOfFile
    checked: Annotated[int, Field(ge=0)]
    counterexample: Evidence
    repair: str | None
    assumes: list[str]
    cached: Annotated[bool, Field(description="what engines said is of an earlier run")]
    error: Annotated[str | None, Field(description="why the claim could not be examined")]
    readings: list[ProvedReading]
    theorems: Annotated[list[str], Field(description="what Coq checked beside the claim")]
    print: Printed | None
    grade: Annotated[
        Literal["false as meant", "needs a hypothesis", "boundary case", "slip"] | None,
        Field(description="how bad it is that a printed claim is false; the last two are no errors"),
    ]


Standing = Annotated[
    str,
    Field(
        description="the weakest verdict of the readings that hold, `PROVED in part` if only some "
        "are PROVED; the verdict of the claim if none holds"
    ),
]


class Headline(Output):
    """A claim that a paper prints as a theorem, lemma, proposition or corollary."""

    id: str
    form: Annotated[str, Field(description="the claim that is true of it: itself, or its repair")]
    repaired: Annotated[bool, Field(description="whether it is counted as repaired")]
    standing: Standing


class NamedByCode(Output):
    """A claim that production code names in RESTS_ON."""

    id: str
    files: Annotated[int, Field(ge=1, description="how many files name it")]
    standing: Standing


class Prove(Output):
    """What `pufferproof prove --json` prints."""

    claims: list[ProvedClaim]
    headlines: Annotated[list[Headline] | None, Field(description="with --trust: the headlines of the papers")] = None
    named_by_code: Annotated[
        list[NamedByCode] | None, Field(description="with --trust: claims that production code names, most used first")
    ] = None
