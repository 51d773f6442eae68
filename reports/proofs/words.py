"""What `prove` prints on a terminal: every verdict with its trust, or how many there are of
each.
"""

from collections import Counter
from collections.abc import Sequence

from pufferproof.claims.language.refuting import AUDIT, AUTHOR
from pufferproof.claims.language.wording import quoted
from pufferproof.claims.registry import paper_given
from pufferproof.claims.run import Result
from pufferproof.models.numbers.text import JsonObject
from pufferproof.reports.console.streams import paragraph
from pufferproof.reports.console.words import trusted_words
from pufferproof.reports.proofs.counterexamples.again import counted, coverage
from pufferproof.reports.proofs.pages import VERDICTS, badge, differing, paste_place
from pufferproof.reports.proofs.papers.shown import paper_of
from pufferproof.reports.proofs.sentences import REFUTED_BY, WHOLE, refuted_words
from pufferproof.verify.proof.argument import HOLDS

_HOLDING = [each.value for each in HOLDS]
_WORDS = {
    "REFUTED": "false at one exact instance",
    "DEPENDS": "the first reading holds, others are false",
    "OPEN": "nothing decided",
    "DEFINITION": "nothing to decide",
}

_NAMES = "( )        what the author says that letters stand for; nothing checks these names"


def lines(results: Sequence[Result]) -> list[str]:
    """Render results for a terminal: one line per claim, its readings where they differ from
    the headline.
    """
    shown = []
    for result in results:
        trust = ", ".join(result["trust"]) or "nothing trusted"
        shown.append(
            f"{result['verdict']:<10} {result['id']}  "
            f"({trust}){_by_whom(result)}{'  cached' if result['cached'] else ''}"
        )
        if result["error"]:
            shown.append(f"           error: {result['error']}")
        if result["verdict"] == "OPEN" and result["weakness"]:
            shown.append(f"           not enough: {result['weakness']}")
        if result["verdict"] == "OPEN":
            failed = [*_false_at(result), *_not_discharged(result)]
            shown += [f"           {line}" for line in failed[:1]]
        shown += [f"           {line}" for line in _to_paste(result)]
        if differs := differing(result):
            shown.append(f"           {differs}")
        shown += _readings(result, bool(differs))
    explained = trusted_words(word for result in results for word in result["trust"])
    if any(_named(reading) for result in results for reading in result["readings"]):
        explained.append(_NAMES)
    if any("“" in line for line in shown):
        explained.append("“ ”        words of the claim file, which nothing checks")
    return [*shown, *(["", *explained] if explained else []), *_cached(results)]


def _readings(result: Result, differ: bool) -> list[str]:
    """Return the words that PROVED, DERIVED and REFUTED stand on, and the family of CHECKED, under
    the names of readings if there are several; and that a sentence of the file is not among them.
    """
    shown = []
    for reading in result["readings"]:
        if differ or (len(result["readings"]) > 1 and reading["statement"]):
            name = f"{quoted(reading['name'])}{_by_whom(reading)}"
            shown.append(f"           {reading['verdict']:<10} {name}")
        indent = " " * (13 if shown else 11)
        if reading["verdict"] == "CHECKED":
            shown += paragraph(indent, reading["scope"], 100)
        if _has_words(reading):
            false = "False: " if reading["verdict"] == "REFUTED" else ""
            shown += paragraph(indent, false + " ".join(reading["statement"].split()), 100)
    if result["paraphrase"]:
        shown.append("           The sentence in the file is a paraphrase, not checked.")
    return shown


def _has_words(reading: JsonObject) -> bool:
    """Whether a verdict stands on words that are made from what was decided."""
    return bool(reading["statement"]) and reading["verdict"] in (*WHOLE, "REFUTED")


def _named(reading: JsonObject) -> bool:
    """Whether the words that a verdict stands on have names of letters in them."""
    return _has_words(reading) and bool(reading["linked"])


def given_papers(results: Sequence[Result]) -> list[str]:
    """Name the papers that the files of claims describe themselves."""
    names = dict.fromkeys(result["paper"] for result in results if paper_given(result["paper"]))
    papers = [paper for name in names if (paper := paper_of(name)) is not None]
    return [f"{each.key}: {', '.join(filter(None, (each.title, each.citation, each.place)))}" for each in papers]


def tally(results: Sequence[Result]) -> list[str]:
    """Count verdicts, paper by paper, and what was cached."""
    shown = []
    for paper in dict.fromkeys(result["paper"] for result in results):
        counts = Counter(
            f"{result['verdict']}{_by_whom(result, (AUTHOR,))}" for result in results if result["paper"] == paper
        )
        shown.append(f"{paper}: " + ", ".join(f"{count} {verdict}" for verdict, count in sorted(counts.items())))
    return [*shown, *_cached(results)]


def _by_whom(result: JsonObject, judges: Sequence[str] = (AUDIT, AUTHOR)) -> str:
    """Say what refutes a claim or a reading, if it is none of its statements."""
    return f" {refuted_words(result)}" if result["refuted_by"] in judges else ""


def trust_table(results: Sequence[Result]) -> list[str]:
    """Say how many claims rest on what: a line for every verdict and what its readings that hold
    trust, then what else ties claims to their words.
    """
    rests = Counter((result["verdict"], _rests_on(result)) for result in results)
    rows = [
        (verdict, count, words)
        for verdict in VERDICTS
        for (found, words), count in sorted(rests.items())
        if found == verdict
    ]
    readings = [reading for result in results for reading in result["readings"]]
    holding = [reading for reading in readings if reading["verdict"] in _HOLDING]
    ran = sum(each["trial"] is not None for each in holding)
    why = sum(each["trial"] is None and each["unsaid"] is not None for each in holding)
    whole = sum(each["trial"] is None and each["statement"] is not None for each in holding)
    more = [
        ("readings", ran, "hold at every instance on which their statement was tried"),
        ("readings", whole, "hold, and are one formula, which needs no instances"),
        ("readings", why, "hold, and say why their statement does not run"),
        ("readings", len(holding) - ran - whole - why, "hold, and neither run nor say why not"),
        ("claims", sum(bool(r["theorems"]) for r in results), "have a theorem of Coq beside them"),
        *_refuted_by(readings),
        *(("readings", count, words) for count, words in counted(coverage(results))),
    ]
    return [f"{name:<10} {count:>5}  {words}" for name, count, words in [*rows, *more]]


def _refuted_by(readings: Sequence[JsonObject]) -> list[tuple[str, int, str]]:
    """Count the refuted readings by what says that they are false."""
    counts = Counter(each["refuted_by"] for each in readings)
    return [("readings", counts[judge], f"refuted {words}") for judge, words in REFUTED_BY.items()]


def _rests_on(result: Result) -> str:
    if result["refuted_by"] is not None:
        return f"{_WORDS['REFUTED']}, {REFUTED_BY[result['refuted_by']]}"
    if result["verdict"] in _HOLDING:
        shown = badge(result["verdict"], result["trust"])
        return shown["basis"] or "nothing"
    return _WORDS[result["verdict"]]


def _cached(results: Sequence[Result]) -> list[str]:
    cached = sum(result["cached"] for result in results)
    return [f"cached: {cached} of {len(results)} claims"] if cached else []


def _to_paste(result: Result) -> list[str]:
    """Offer the lines of a counterexample that a claim of another file does not have yet."""
    readings = [reading for reading in result["readings"] if reading.get("paste")]
    return [
        line
        for reading in readings[:1]
        for line in (f'to paste {paste_place(reading["paste"])} "{reading["name"]}":', *reading["paste"])
    ]


def _false_at(result: Result) -> list[str]:
    """Say at which values an undischarged inequality is false, by the solver's model."""
    steps = [(reading, step) for reading in result["readings"] for step in reading["steps"]]
    return [
        f'false in "{reading["name"]}", step "{step["name"]}": {values_text(step["evidence"])}'
        for reading, step in steps
        if not step["ok"] and step["refuted"] and step["evidence"]
    ]


def _not_discharged(result: Result) -> list[str]:
    """Say which steps failed otherwise: at an instance, or undecided."""
    steps = [(reading, step) for reading in result["readings"] for step in reading["steps"]]
    failed = [(reading, step) for reading, step in steps if not step["ok"]]
    return [
        f'{_FAILED.get(step["kind"], "not discharged")} in "{reading["name"]}", '
        f'step "{step["name"]}"{": " if step["detail"] else ""}{step["detail"]}'
        for reading, step in failed
    ]


_FAILED = {"counterexample": "the instance does not make it false"}


def values_text(values: JsonObject) -> str:
    """Write values by name on one line; None is irrational."""
    return ", ".join(f"{name} = {'irrational' if value is None else value}" for name, value in sorted(values.items()))
