"""The verdict of a claim in one sentence, with what it rests on; and which words near a verdict are
those of the claim file.
"""

from collections.abc import Mapping
from typing import Any

from pufferproof.claims.language.wording import quoted

Result = Mapping[str, Any]
View = dict[str, Any]
"""What a page shows, by the names that its template uses."""
WHOLE = ("PROVED", "DERIVED")
"""Verdicts on words that are made from what was decided."""
REFUTED_BY = {
    "program": "by its program",
    "object": "by its object",
    "formula": "by its formula",
    "audit": "by an audit",
    "author": "by the author's expression",
}
"""What says that a statement is false, in the words of a badge."""
IN_QUOTES = "Words in quotation marks are those of the claim file, which nothing checks."


def verdict_sentence(result: Result) -> str:
    """Say what a verdict means for this claim.

    >>> verdict_sentence({"verdict": "DEFINITION", "readings": [], "theorems": [], "error": None})
    'A definition: there is nothing to decide.'
    """
    return " ".join(each for each in (_said(result), _coq(result["theorems"])) if each)


def refuted_words(result: Result) -> str:
    """Say what refutes a claim or a reading, and of an audit which level it is about; "" if nothing
    does.

    >>> step = {"ok": True, "audited": "VIOLATES log(2), leakage log(3)"}
    >>> refuted_words({"refuted_by": "audit", "steps": [step]})
    'by an audit: VIOLATES log(2), leakage log(3)'
    """
    if result["refuted_by"] is None:
        return ""
    readings = result.get("readings")
    steps = (readings[0] if readings else result).get("steps", [])
    audited = (step["audited"] for step in steps if step["ok"] and step.get("audited"))
    return ": ".join([REFUTED_BY[result["refuted_by"]], *list(audited)[:1]])


def scope_of(result: Result) -> str:
    """Say of what a verdict speaks: of the words of PROVED and DERIVED, of the family of CHECKED,
    else as the file says.
    """
    scope = str(result["scope"])
    return scope if result["verdict"] in (*WHOLE, "CHECKED") else quoted(scope)


def words_of_file(result: Result) -> list[str]:
    """Name the parts of a claim or reading that are words of the claim file, which nothing checks.

    >>> words_of_file({"name": "as stated", "verdict": "TRIED", "statement": None, "scope": ""})
    ['name', 'scope']
    """
    free = ["where", "kind", "name", "assumes", "why", "paraphrase", "unsaid"]
    free += [] if result["verdict"] in (*WHOLE, "CHECKED") else ["scope"]
    readings = result.get("readings")
    free += ["statement"] if readings is not None and not is_made(result) else []
    return [each for each in free if result.get(each) is not None]


def is_made(result: Result) -> bool:
    """Whether the statement of a claim is made from what its first reading decides."""
    readings = result["readings"]
    return bool(readings) and readings[0]["statement"] is not None


def _said(result: Result) -> str:
    verdict = result["verdict"]
    if result["error"]:
        return "Open: examining it ended with an error."
    if verdict == "REFUTED":
        return _REFUTED_BY[result["refuted_by"]]
    if verdict == "DEPENDS":
        undecided = sum(reading["verdict"] == "OPEN" for reading in result["readings"])
        if undecided:
            are = "is open" if undecided == 1 else "are open"
            return f"The first reading holds, some others are false, and {undecided} {are}."
        return "The first reading holds; every reading is settled, and some others are false."
    if verdict == "DEFINITION":
        return "A definition: there is nothing to decide."
    if verdict == "OPEN":
        return _open([reading["verdict"] for reading in result["readings"]])
    if verdict == "PROVED" and all(reading.get("said") for reading in result["readings"]):
        return f"{_BY_COQ}{_tried(result['readings'])}"
    return f"{_HOLDS[verdict]}{_tried(result['readings'])}"


_AS_STATED = "False as stated, at one exact instance that was evaluated from the definitions."
_REFUTED_BY = {
    "object": _AS_STATED,
    "formula": _AS_STATED,
    "program": "False at one exact instance by its program. Nothing checks that the words of the "
    "statement say what the program does.",
    "audit": "False by an audit: the mechanism of one exact instance breaks the promise at its "
    "level. Nothing checks that the words of the statement make this promise.",
    "author": "False by the author's expression, which was evaluated exactly at one instance. "
    "Nothing compares this expression with the words of the statement.",
}


def _open(verdicts: list[str]) -> str:
    """Say what is open: all of a claim, or readings beside a first one that holds.

    >>> _open(["TRIED", "OPEN", "OPEN"])
    'The first reading holds (TRIED). Undecided in 2 other readings.'
    """
    others = verdicts[1:].count("OPEN")
    if not others or verdicts[0] not in _HOLDS:
        return "Open: nothing here decides it."
    counted = "another reading" if others == 1 else f"{others} other readings"
    return f"The first reading holds ({verdicts[0]}). Undecided in {counted}."


_BY_COQ = (
    "Proved: Coq proved exactly the proposition that is made from the same object as the words, "
    "the formula and the program."
)
_HOLDS = {
    "PROVED": "Proved: the statement is one formula, and the whole of it was settled: by exact "
    "or interval arithmetic, or by a certificate that the kernel accepted.",
    "DERIVED": "Derived: engines discharged every fact of a linked argument, from which the "
    "words are made, and a second reader checked its links.",
    "CHECKED": "Checked: true of every member of a finite family, each evaluated exactly; nothing is said beyond it.",
    "TRIED": "Tried: the statement runs as a program, and nothing checks that its words say the "
    "same; the argument is prose.",
}


def _tried(readings: list[Result]) -> str:
    """Say on how many instances the statement held, and for how many readings it does not run."""
    holding = [reading for reading in readings if reading["verdict"] in _HOLDS]
    trials = [each["trial"] for each in holding if each["trial"]]
    met = [trial["met"] for trial in trials]
    if not met:
        return " The statement was not tried on instances."
    here = "" if len(holding) == 1 else f", for {len(met)} of {len(holding)} readings that hold"
    hard = [each["trial"]["hard_met"] for each in holding if each["trial"] and not each["linked"]]
    # linked ones are not drawn apart
    and_hard = f" and {min(hard):,} hard ones" if hard and min(hard) else ""
    return (
        f" The statement held at each of {min(met):,} instances{and_hard} on which it was "
        f"tried{here}, and slightly stronger ones failed there."
    )


def _coq(theorems: list[Result]) -> str:
    """Say that Coq checked theorems beside the claim."""
    if not theorems:
        return ""
    counted = "a theorem" if len(theorems) == 1 else f"{len(theorems)} theorems"
    return f"Coq checked {counted} beside it."
