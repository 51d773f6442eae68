"""What the proof-check report shows of a claim: plain results as badges, trust, formulas and links,
for the templates.

Nothing is decided here. A verdict is shown together with the weakest thing it rests on.
"""

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from functools import partial
from itertools import groupby

from pufferproof.claims.language.linked.program import DEFINED
from pufferproof.claims.language.printed import symbols_of
from pufferproof.claims.language.wording import quoted
from pufferproof.claims.run import Result
from pufferproof.claims.run.spare import why
from pufferproof.models.numbers.text import JsonObject, capital, full_stop
from pufferproof.reports.proofs.counterexamples.again import formula_of
from pufferproof.reports.proofs.counterexamples.shown import counterexample_view, value_text
from pufferproof.reports.proofs.papers.grades import BROKEN, breaks_of, grade_of, hypotheses_of
from pufferproof.reports.proofs.papers.shown import formula_view
from pufferproof.reports.proofs.papers.titles import name_of
from pufferproof.reports.proofs.record import recorded
from pufferproof.reports.proofs.sentences import (
    View,
    formula_markup,
    is_made,
    refuted_words,
    scope_of,
    verdict_sentence,
)
from pufferproof.verify.proof.argument import HOLDS, ClaimVerdict

# What refutes a claim: the counterexamples of its readings, each once.


def counterexamples(result: Result, readings: Sequence[View]) -> list[View]:
    """Return the counterexamples of a claim's false readings, each with the names of the readings
    that it refutes; a finding that says the same again is left out.
    """
    found: dict[str, View] = {}
    for reading, view in zip(result["readings"], readings, strict=True):
        if reading["verdict"] != "REFUTED" or not view["counterexample"]:
            continue
        key = json.dumps([reading["counterexample"], view["finding"]], sort_keys=True)
        if key in found:
            found[key]["names"].append(view["name"])
            continue
        is_new = view["finding"] not in [each["finding"] for each in found.values()]
        found[key] = {
            "names": [view["name"]],
            "finding": view["finding"],
            "is_new": is_new,
            "shown": view["counterexample"],
        }
    return list(found.values())


def false_at(result: Result) -> str:
    """Return the values at which a formula of an open claim is false, "" without any."""
    if result["verdict"] != "OPEN":
        return ""
    steps = [step for reading in result["readings"] for step in reading["steps"]]
    failed = (step["evidence"] for step in steps if not step["ok"] and step["refuted"])
    values: JsonObject = next(filter(None, failed), {})
    return ", ".join(f"{name} = {value_text(value)}" for name, value in sorted(values.items()))


VERDICTS = tuple(verdict.value for verdict in ClaimVerdict)
MARKS = {
    "PROVED": "✓",
    "DERIVED": "∴",
    "CHECKED": "☑",
    "TRIED": "≈",
    "REFUTED": "✗",
    "DEPENDS": "◐",
    "OPEN": "○",
    "DEFINITION": "≔",
    "ERROR": "⚠",
}
_HOLDS = tuple(verdict.value for verdict in HOLDS)
_ONE = {verdict: verdict.lower() for verdict in VERDICTS} | {"DEFINITION": "a definition"}
STEP_KINDS = {
    "identity": "identity",
    "inequality": "inequality",
    "enclosure": "enclosure",
    "case_split": "case split",
    "exhaust": "exhaustion",
    "counterexample": "counterexample",
    "definition": "definition",
}
_MARKS_OF_STEPS = {  # what was done, where it was done
    "definition": ("≔", "defined"),
    "exhaust": ("☑", "evaluated"),
    "counterexample": ("✗", "evaluated"),
}
_BASES = (  # from the weakest on: what a proof rests on, in the words of its badge
    ("OTHER", "other", "see trust"),
    ("Z3", "solver", "by Z3 alone"),
    ("CVC5", "solver", "by cvc5 alone"),
    ("SOLVERS", "solvers", "by Z3 and cvc5"),
    ("INTERVAL", "interval", "by interval arithmetic"),
    ("EXACT", "exact", "in exact arithmetic"),
    ("KERNEL", "kernel", "by the kernel"),
    ("COQ", "coq", "by Coq"),
)
_LONGEST = 120  # letters of an instance
_SAID_BY_TRUST = "z3: unsat, cvc5: unsat; "
_NOT_EMPTY = "assumptions hold at "
_NAMED = re.compile(r"(COQ)\((.*)\)", re.DOTALL)
_SAFE = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._-]{0,120}")


def file_name(identifier: str) -> str:
    """Return a file name for a claim: its id, or where that is no plain name a safe part of it and
    a hash.

    >>> file_name("paper.thm1"), file_name("../<script>")
    ('paper.thm1', '____script_-40b70f97ea')
    """
    if _SAFE.fullmatch(identifier):
        return identifier
    digest = hashlib.sha256(identifier.encode("utf-8", "surrogatepass")).hexdigest()[:10]
    return re.sub(r"[^A-Za-z0-9_]", "_", identifier)[:80] + f"-{digest}"


def archive_name(paper: str) -> str:
    """Return where a report has the queries, certificates and whole results of a paper's claims."""
    return f"files/{file_name(paper)}.tar.xz"


def claim_views(results: Sequence[Result]) -> list[View]:
    """Return what pages show of claims, in the order given; they link to their repairs."""
    by_id = {result["id"]: result for result in results}
    views = [_claim(result, by_id) for result in results]
    for view, before, after in zip(views, [None, *views], [*views[1:], None]):
        view["previous"], view["next"] = (
            None if each is None else _link(each["id"], by_id) for each in (before, after)
        )
    return views


def paste_place(lines: Sequence[str]) -> str:
    """Say where lines of a counterexample go: they may be a reading, or replace the call that opens
    one.
    """
    if lines and lines[0].startswith("reading "):
        return "into the claim, as the reading"
    opens = any(line.startswith("with ") for line in lines)
    return "instead of the call that opens the reading" if opens else "into the reading"


def _claim(result: Result, by_id: Mapping[str, Result]) -> View:
    refuted = result["verdict"] == "REFUTED" and result["readings"]
    # a refutation rests on its own reading alone
    about = result["readings"][0] if refuted else result
    keys = ("id", "paper", "kind", "verdict", "refuted_by", "error", "printed")
    where = result["where"] or result["id"]
    return {
        **{key: result[key] for key in keys},
        "where": quoted(result["where"]),
        "named": quoted(f"{where} ({result['kind']})" if result["kind"] else where),
        "statement": prose(result["statement"]),
        "paraphrase": prose(result["paraphrase"] or ""),
        "made": is_made(result),
        "assumes": [prose(assume) for assume in result["assumes"]],
        "notation": [tuple(map(prose, row)) for row in _used(result)],
        **_as_printed(result, by_id),
        "checked": result["checked"],
        "scope": scope_of(about),
        "symbols": {**symbols_of(result["paper"]), **result.get("symbols", {})},
        "first": result["readings"][0]["verdict"] if result["verdict"] == "DEPENDS" else result["verdict"],
        "file": file_name(result["id"]),
        "archive": archive_name(result["paper"]),
        "paper_file": file_name(result["paper"]),
        "badge": badge(result["verdict"], about["trust"], bool(result["error"]), result),
        "trust": trust_items(about["trust"]),
        **_examined(result, by_id),
        "truth": _truth(result, by_id),
        "theorems": [
            {
                **theorem,
                "name": theorem["name"].removeprefix("Pufferproof."),
                "says": sentence(theorem["says"]),
                "differs": sentence(theorem["differs"]),
                "axioms": [axiom.rpartition(".")[2] for axiom in theorem["axioms"]],
            }
            for theorem in result["theorems"]
        ],
        "said": verdict_sentence(result),
        "why": [prose(" ".join(each.split())) for each in result.get("why", "").split("\n\n")]
        if "TRIED" in {reading["verdict"] for reading in result["readings"]}
        else [],
        "source": result.get("source", ""),
    }


def _as_printed(result: Result, by_id: Mapping[str, Result]) -> View:
    """Return what the paper prints, how bad it is that this is false, and what it lacks."""
    said = result.get("print") or {}
    repair, lacking = _verdict_of_repair(result, by_id), list[View | None]()
    if result["verdict"] in ("REFUTED", "DEPENDS"):
        lacking = [formula_view(each) for each in hypotheses_of(result, repair)]
    return {
        "title": name_of(result),
        "place": said.get("place", ""),
        "formula": formula_view(said.get("formula", ""), said.get("repaired", "")),
        "shows": prose(said.get("shows", "")),
        "ours": sentence(said.get("ours", "")),
        "repaired": formula_view(said.get("repaired", ""), said.get("formula", ""), is_repair=True),
        "cause": said.get("cause", ""),
        "breaks": breaks_of(result),
        "broken": BROKEN.get(said.get("breaks", ""), ""),
        "because": said.get("because", ""),
        "instead": said.get("instead", ""),
        "grade": grade_of(result, repair),
        "lacking": lacking,
    }


def grade(result: Result, by_id: Mapping[str, Result]) -> str | None:
    """Return how bad it is that a printed claim is false, None of any other."""
    return grade_of(result, _verdict_of_repair(result, by_id))


def _verdict_of_repair(result: Result, by_id: Mapping[str, Result]) -> str | None:
    """Return the verdict of a claim's repair, as recorded where it is not in the report."""
    name = result["repair"]
    there = by_id.get(name) if name is None or name in by_id else recorded().get(name)
    return None if there is None else str(there["verdict"])


def _examined(result: Result, by_id: Mapping[str, Result]) -> View:
    """Return what became of the readings of a claim and of its near misses."""
    readings = [_reading(reading, f"{number}", result) for number, reading in enumerate(result["readings"], 1)]
    near = [_reading(reading, f"near-{number}", result) for number, reading in enumerate(result["near_misses"], 1)]
    repairs = [each["id"] for each in by_id.values() if each["repair"] == result["id"]]
    first = next((reading for reading in readings if reading["verdict"] == "REFUTED"), None)
    steps = [step for each in (*readings, *near) for step in each["steps"]]
    return {
        "certificates": [step["certificate_file"] for step in steps if step["certificate_file"]],
        "readings": readings,
        "counterexamples": counterexamples(result, readings),
        "false_at": false_at(result),
        "mixed": len({reading["verdict"] for reading in readings}) > 1,
        "differing": differing(result),
        "unsettled": any(reading["verdict"] == "OPEN" for reading in readings),
        "near_misses": [_apart(each, readings) for each in near],
        "weakness": sentence(result["weakness"] or ""),
        "too_strong": [each["name"] for each in near if each["verdict"] in _HOLDS],
        "repair": None if result["repair"] is None else _link(result["repair"], by_id),
        "repairs": [_link(name, by_id) for name in repairs],
        "finding": "" if first is None else first["finding"],
    }


def _truth(result: Result, by_id: Mapping[str, Result]) -> View | None:
    """Return what replaces a false claim: its repair, or readings that hold, or None."""
    repair = by_id.get(result["repair"] or "")
    if repair is not None:
        word = "True" if repair["verdict"] in _HOLDS else "Proposed"
        return {"word": word, "statement": sentence(repair["statement"]), "claim": _link(repair["id"], by_id)}
    holding = [quoted(reading["name"]) for reading in result["readings"] if reading["verdict"] in _HOLDS]
    return {"word": "True", "claim": None, "readings": holding} if holding else None


def _used(result: Result) -> list[tuple[str, str, str]]:
    """Return the letters that a page needs, each with its meaning and its domain: first those of
    sentences, then of formulas.

    The family's notation is needed where the statement, what it assumes or the name of a reading
    has it, unless a letter of formulas says the same; a letter, where a formula has it, or one of
    these where no notation explains it.
    """
    texts = [  # an object says itself what its letters are, and a formula does not
        result["paraphrase"] or "" if _is_object(result) else result["statement"],
        *(reading["statement"] or "" for reading in result["readings"] if reading["said"] is None),
        *result["assumes"],
        *(reading["name"] for reading in result["readings"]),
    ]
    text, formal, letters = " ".join(texts), _names_in_formulas(result), result.get("letters", {})
    explained = {name for key in result["notation"] for name in [key, *key.split(", ")]}
    needed = {
        name: letter
        for name, letter in letters.items()
        if name in formal or (name not in explained and name not in ("a", "A") and _occurs(name, text))
    }
    notation = [
        (key, meaning, "")
        for key, meaning in result["notation"].items()
        if any(_occurs(name, text) for name in [key, *key.split(", ")])
        and not (key in needed and needed[key]["meaning"] == meaning)
    ]
    return [*notation, *_declared(needed)]


def _is_object(result: Result) -> bool:
    """Whether the first reading is an object, which says what its letters are."""
    made = bool(result["readings"]) and result["readings"][0]["said"] is not None
    return made or bool(result["paraphrase"])


def _declared(letters: Mapping[str, Mapping[str, str]]) -> list[tuple[str, str, str]]:
    """Return letters in the order of declaration, one row for each meaning."""
    rows = []
    for meaning, group in groupby(letters.items(), lambda item: item[1]["meaning"]):
        named = dict(group)
        domains = [each["domain"] for each in named.values() if each["domain"]]
        rows.append((", ".join(named), meaning, ", ".join(domains)))
    return rows


def _names_in_formulas(result: Result) -> set[str]:
    arguments = [*result["readings"], *result["near_misses"]]
    steps = [step for argument in arguments for step in argument["steps"]]
    return {name for step in steps for name in re.findall(r"[A-Za-z_]\w*", step["formula"]["text"])}


def _occurs(letter: str, text: str) -> bool:
    """Say whether a letter occurs as such, and not as a part of a word."""
    return re.search(rf"(?<![A-Za-z0-9]){re.escape(letter)}(?![A-Za-z])", text) is not None


def badge(verdict: str, trust: Sequence[str], error: bool = False, refuted: Result | None = None) -> dict[str, str]:
    """Return the words and the style of a verdict: what it is, for a proof the weakest thing it
    rests on, and for a refutation what says so.
    """
    if error:
        return {"mark": MARKS["ERROR"], "word": verdict, "basis": "engine error", "style": "error"}
    shown = {"mark": MARKS.get(verdict, "○"), "word": verdict, "basis": "", "style": verdict.lower()}
    if refuted is not None and refuted["refuted_by"] is not None:
        style = f"{verdict.lower()} by-{refuted['refuted_by']}"
        return shown | {"basis": refuted_words(refuted), "style": style}
    kinds = {_split(item)[0] for item in trust} - {"PROSE"}
    if verdict not in _HOLDS or not kinds:
        return shown
    if {"Z3", "CVC5"} <= kinds:
        kinds = (kinds - {"Z3", "CVC5"}) | {"SOLVERS"}
    weakest, style, words = next(base for base in _BASES if base[0] in kinds)
    if verdict == "CHECKED":
        words = f"finite family, {words}"
    if verdict == "DERIVED" and weakest != "OTHER":
        words = f"formulas {words}"
    return shown | {"basis": words, "style": f"{verdict.lower()} by-{style}"}


def differing(result: Result) -> str:
    """Say in words that readings have different verdicts: that of the first, and how many of the
    others have which; nothing where they agree.

    >>> differing({"readings": [{"verdict": "DERIVED"}, {"verdict": "REFUTED"}, {"verdict": "DERIVED"}]})
    'first reading derived; others: 1 derived, 1 refuted'
    """
    verdicts = [reading["verdict"] for reading in result["readings"]]
    if len(set(verdicts)) < 2:
        return ""
    first, *others = verdicts
    counts = [f"{others.count(each)} {_ONE[each]}" for each in VERDICTS if each in others]
    return f"first reading {_ONE[first]}; others: {', '.join(counts)}"


def trust_items(trust: Sequence[str]) -> list[View]:
    """Return what was trusted, each with its kind in words, and what is named."""
    return [
        {"text": f"{kind.lower()}: " if name else item, "name": name, "item": item}
        for item, (kind, name) in ((item, _split(item)) for item in trust)
    ]


def prose(text: str) -> str:
    """Write relations in a sentence as mathematics does.

    >>> prose("P(y) <= e^epsilon Q(y), a => b")
    'P(y) ≤ e^epsilon Q(y), a => b'
    """
    return text.replace("<=", "≤").replace(">=", "≥").replace("!=", "≠")


def sentence(text: str) -> str:
    """Write a remark as a sentence, which ends with a full stop."""
    return full_stop(prose(text))


def _split(item: str) -> tuple[str, str]:
    """Return the kind of a trust, and the axioms or the theorem that is named."""
    if match := _NAMED.fullmatch(item):
        return match[1], match[2]
    return (item if item in ("Z3", "CVC5", "INTERVAL", "EXACT", "KERNEL", "PROSE") else "OTHER"), ""


def _link(identifier: str, by_id: Mapping[str, Result]) -> View:
    """Return a claim to point at: its file where it is in this report, and its verdict."""
    there = by_id.get(identifier)
    if there is None:
        return {"id": identifier, "title": identifier, "file": None, "verdict": None, "badge": None}
    shown = badge(there["verdict"], there["trust"], bool(there["error"]), there)
    return {
        "id": identifier,
        "title": name_of(there),
        "file": file_name(identifier),
        "verdict": there["verdict"],
        "badge": shown,
    }


def _reading(reading: Result, prefix: str, result: Result) -> View:
    steps = [_step(step, f"{prefix}-{number}") for number, step in enumerate(reading["steps"], 1)]
    _mark_searches(steps)
    refuted = next((step for step in reading["steps"] if step["kind"] == "counterexample" and step["ok"]), None)
    # a reason as a sentence that begins with a capital letter
    reason = sentence(capital(reading["unsaid"] or ""))
    if refuted is not None:
        finding = sentence(refuted["sentence"] or refuted["name"])
    else:
        finding = ""
    return {
        **{key: reading[key] for key in ("verdict", "refuted_by", "checked")},
        "name": quoted(prose(reading["name"])),
        "scope": scope_of(reading),
        "anchor": f"reading-{prefix}",
        "badge": badge(reading["verdict"], reading["trust"], refuted=reading),
        "trust": trust_items(reading["trust"]),
        "outcome": "",  # of a near miss
        "steps": steps,
        "failed": [step["name"] for step in steps if not step["ok"] and not step["found"]],
        "finding": finding,
        "trial": None if reading["trial"] is None else _trial(reading, result["id"]),
        "unsaid": reason,
        "paste": reading.get("paste", []),
        "paste_place": paste_place(reading.get("paste", [])),
        "said": _as_object(reading.get("said"), reading.get("statement") or ""),
        "counterexample": counterexample_view(
            reading["counterexample"], file_name(result["id"]), prefix, formula_of(reading)
        ),
    }


def _as_object(said: Result | None, statement: str) -> Result | None:
    """Return the statement of a reading that is an object, with a function that typesets it."""
    if said is None:
        return None
    theorem = said["theorem"]
    # the parts of a linked argument, with functions that typeset their formulas
    listed = said.get("listed")
    if listed is None:
        parts = None
    else:
        parts = {
            "letters": [(formula_view(tex), kind, prose(means)) for tex, kind, means in listed["letters"]],
            "definitions": [(formula_view(tex), prose(means)) for tex, means in listed["definitions"]],
            "facts": [(quoted(name), prose(how), formula_view(tex)) for name, how, tex in listed["facts"]],
        }
    return {
        **said,
        "words": prose(statement),
        "listed": parts,
        "lets": prose(said["lets"]),
        "given": [(prose(words), formula_view(tex)) for words, tex in said["given"]],
        "then": (prose(said["then"][0]), formula_view(said["then"][1])),
        "meanings": [prose(meaning) for meaning in said["meanings"]],
        "theorem": None
        if theorem is None
        else {**theorem, "axioms": [axiom.rpartition(".")[2] for axiom in theorem["axioms"]]},
    }


def _apart(near: View, readings: Sequence[View]) -> View:
    """Return a near miss whose steps are those that no reading has, and what became of it."""
    proof = {_said_by(step) for reading in readings for step in reading["steps"]}
    is_false = any(step["refuted"] for step in near["steps"])
    otherwise = "FALSE" if is_false else "NOT FOUND FALSE"
    return {
        **near,
        "outcome": "TRUE" if near["verdict"] in _HOLDS else otherwise,
        "steps": [step for step in near["steps"] if _said_by(step) not in proof],
    }


def _said_by(step: View) -> tuple[object, ...]:
    """What a step says, and what came of it."""
    return tuple(step[key] for key in ("name", "kind", "sentence", "text", "ok", "detail"))


def _trial(reading: Result, claim: str) -> View:
    """Return what a page says of the instances that a statement was tried on."""
    trial, linked, reasons = reading["trial"], reading["linked"], why(claim, reading)
    shown = _values if linked else dict
    # on how many instances, and how many hard ones, the statement was tried
    said = "of which meet the hypotheses"
    usual = f"{trial['tried']:,} instances, {trial['met']:,} {said}"
    if not trial["hard_tried"]:
        counted = usual if linked else f"{usual}, and on no hard ones"
    else:
        counted = f"{usual}, and on {trial['hard_tried']:,} hard ones, {trial['hard_met']:,} {said}"
    return {
        "counts": counted,
        "fails": trial["failed"] is not None,
        "drawn": sentence(trial["drawn"]),
        "unneeded": [
            (prose(each), sentence(reasons.get(each, "")))
            for each in trial["unneeded"]
            if not (linked and each == DEFINED)
        ],
        "missed": [
            (prose(words), None if each is None else _instance(shown(each))) for words, each in trial["missed"].items()
        ],
    }


def _values(instance: JsonObject) -> JsonObject:
    """Return the numbers of a linked statement by its letters with the values of their indices,
    and how many values each index has.
    """
    values_of: JsonObject = {}
    for letter, values in instance.items():
        if letter == "sizes":
            values_of |= {f"values of {index}": size for index, size in values.items()}
        else:
            places = {"" if place == "()" else f"[{place}]": value for place, value in values.items()}
            values_of |= {f"{letter}{place}": each for place, each in places.items()}
    return values_of


def _instance(values: JsonObject) -> str:
    """Write an instance in a line; a long one is cut."""
    shown = ", ".join(f"{key} = {value_text(value)}" for key, value in values.items())
    return shown if len(shown) <= _LONGEST else f"{shown[:_LONGEST]}… (whole in the archive)"


def _mark_searches(steps: Sequence[dict[str, object]]) -> None:
    """Mark searches that found what a later step evaluates: these are no steps that failed."""
    for number, step in enumerate(steps, 1):
        evaluated = any(each["kind"] == "counterexample" and each["ok"] for each in steps[number:])
        step["found"] = step["fails"] and evaluated


def _step(step: Result, number: str) -> View:
    formula = step["formula"]
    said = step["detail"].removeprefix(_SAID_BY_TRUST)
    if not said or (step["ok"] and said.startswith(_NOT_EMPTY)):
        detail = ""
    else:
        detail = f"Engine said: {said}"
    return {
        **{key: step[key] for key in ("name", "kind", "ok", "checked", "refuted")},
        "detail": detail,
        "sentence": prose(step["sentence"]),
        "fails": step["kind"] == "exhaust"
        and not step["ok"]
        and step["checked"] > 0
        and "timeout" not in step["detail"],
        "words": STEP_KINDS.get(step["kind"], step["kind"]),
        "mark": _MARKS_OF_STEPS.get(step["kind"], ("✓", "formula discharged")),
        "anchor": f"step-{number}",
        "math": partial(formula_markup, formula["mathml"], formula["text"]),
        "text": formula["text"],
        "shown": bool(formula["text"]),
        "trust": trust_items(step["trust"]),
        "query_file": None if step["query"] is None else f"{number}.smt2",
        "certificate_file": None if step["certificate"] is None else f"{number}.certificate.json",
        "evidence": None if step["kind"] == "counterexample" else counterexample_view(step["evidence"], None, number),
    }
