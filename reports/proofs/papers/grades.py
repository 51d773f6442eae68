"""How bad it is that a printed claim is false: false as meant, needs a hypothesis, boundary case,
slip.

A grade is computed. A *slip* is a formula that one exchange of signs turns into that of its repair,
unless it breaks a theorem, or what its document calls a misprint, with a reason.
A *boundary case* is false only at degenerate instances, as far as a trial without them can tell. A
claim *needs a hypothesis* if the formula of its repair has the same conclusion and more hypotheses.
The repair must hold. Whatever is none of these is *false as meant*. Boundary cases and slips are no
errors.
"""

import ast
import re
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pufferproof
from pufferproof.claims.language.printed import BREAKS
from pufferproof.claims.registry import Claim, load_claims
from pufferproof.claims.run import Result
from pufferproof.models.numbers.text import JsonObject
from pufferproof.reports.console.streams import paragraph
from pufferproof.reports.proofs.sentences import View
from pufferproof.verify.proof.argument import HOLDS

# How much of what matters is proved: the headline statements of the papers, and the claims that production code rests
# on, by verdict.
#
# A headline statement is a claim that a paper prints as a theorem, a lemma, a proposition or a corollary, by `kind` in
# the registry. Production code rests on the claims that the constant `RESTS_ON` of a file names; how many files name a
# claim says how much depends on it. Both sets are computed, and nobody keeps a list.

HEADLINE_KINDS = ("theorem", "lemma", "proposition", "corollary")
PRODUCTION = ("models", "verify", "lp", "counterexamples")
MUCH_USED = 3  # files
IN_PART = "PROVED in part"
_HOLDING_OF_COUNTING = [each.value for each in HOLDS]
_ORDER = ("PROVED", IN_PART, *_HOLDING_OF_COUNTING[1:], "OPEN", "REFUTED", "DEFINITION")
_WIDTH = 100

Row = Mapping[str, Any]
Record = Mapping[str, Row]
"""The verdict of each claim, and of its readings, by id: `record.verdicts`, `EXPECTED.json`."""


def rests_on(source: str) -> list[str]:
    """Return the claims that the constant `RESTS_ON` of a source names.

    >>> rests_on('RESTS_ON = ("worst.vertices",)')
    ['worst.vertices']
    """
    constant = re.search(r"^RESTS_ON = (\((?:[^()]*)\))$", source, flags=re.MULTILINE)
    return list(ast.literal_eval(constant[1])) if constant else []


@cache
def files_by_claim() -> Mapping[str, Sequence[str]]:
    """Return the files of production code that name a claim, by each claim that one names."""
    home, found = Path(pufferproof.__path__[-1]), dict[str, list[str]]()
    for file in (file for floor in PRODUCTION for file in sorted((home / floor).rglob("*.py"))):
        for claim in rests_on(file.read_text(encoding="utf-8")):
            found.setdefault(claim, []).append(file.relative_to(home).as_posix())
    return found


def is_headline(claim: Claim) -> bool:
    """Whether a paper prints a claim of this package as a theorem, or as what is one by another
    name.
    """
    return claim.own and claim.printed and claim.kind in HEADLINE_KINDS


def standing(identifier: str, record: Record) -> str:
    """Return the verdict of what is true of a claim: PROVED if every reading that holds is PROVED,
    "PROVED in part" if some are, else the weakest verdict of those; or its own if none holds.
    """
    found = record[identifier]
    holding = [each for each in found["readings"] if each in _HOLDING_OF_COUNTING]
    if found["verdict"] not in (*_HOLDING_OF_COUNTING, "DEPENDS") or not holding:
        return str(found["verdict"])
    weakest = max(holding, key=_HOLDING_OF_COUNTING.index)
    return IN_PART if "PROVED" in holding and weakest != "PROVED" else weakest


def headlines(record: Record) -> list[Row]:
    """Return the headline statements among the claims of a record, each with the verdict of its
    true form: the claim itself, or its repair if the print is false, or true in some readings only
    and the repair rests on more.
    """
    rows: list[Row] = []
    for claim in load_claims().values():
        if claim.id not in record or not is_headline(claim):
            continue
        form = _true_form(claim, record)
        rows.append({"id": claim.id, "form": form, "repaired": form != claim.id} | {"standing": standing(form, record)})
    return rows


def _true_form(claim: Claim, record: Record) -> str:
    """Return the claim itself or one of its repairs: the first that is not false, or where the
    first reading holds and others do not, what rests on most.
    """
    repair, verdict = claim.repair, record[claim.id]["verdict"]
    if verdict not in ("REFUTED", "DEPENDS") or repair is None or repair not in record:
        return claim.id
    other = _true_form(load_claims()[repair], record)
    if verdict == "REFUTED":
        return other
    return min(claim.id, other, key=lambda form: _ORDER.index(standing(form, record)))


def of_code(record: Record) -> list[Row]:
    """Return the claims of a record that production code names, the most used first."""
    used = sorted(files_by_claim().items(), key=lambda each: (-len(each[1]), each[0]))
    return [
        {"id": name, "files": len(files), "standing": standing(name, record)} for name, files in used if name in record
    ]


def counted_lines(record: Record) -> list[str]:
    """Render both counts for a terminal, with the claims of each verdict."""
    printed, code = headlines(record), of_code(record)
    much = [row for row in code if row["files"] >= MUCH_USED]
    files = f"files of production code name, of {len(code)}, with the number of files"
    return [
        *_by_standing("headline statements of the papers, as printed or as repaired", printed),
        *_by_standing(f"claims that {MUCH_USED} or more {files}", much),
        *_by_standing(f"claims that fewer {files}", code[len(much) :]),
    ]


def _by_standing(title: str, rows: Sequence[Row]) -> list[str]:
    """Render one count: a line for each verdict, and the claims that have it below."""
    shown = [f"{title}: {len(rows)}"] if rows else []
    for each in _ORDER:
        mine = [
            (f"{row['id']}:{row['files']}" if "files" in row else str(row["form"]))
            for row in rows
            if row["standing"] == each
        ]
        if mine:
            shown += [f"  {each:<14} {len(mine):>5}", *paragraph(" " * 6, ", ".join(mine), _WIDTH)]
    return shown


TITLES = {
    "guarantee": "What a theorem promises is false",
    "theorem": "Theorems, lemmas and algorithms that are false as printed",
    "step": "Steps of proofs",
    "remark": "Remarks in the text",
    "display": "Displays beside a proof",
}
BROKEN = {
    "guarantee": "a guarantee",
    "theorem": "a theorem",
    "step": "a step of a proof",
    "remark": "a remark",
    "display": "a display beside a proof",
    "slip": "nothing else: it is a misprint",
}
_RELIED_ON = re.compile("theorem|lemma|proposition|corollary|algorithm")
_OF_A_PROOF = re.compile("proof steps?|closed form")
FALSE, HYPOTHESIS = "false as meant", "needs a hypothesis"
BOUNDARY, SLIP = "boundary case", "slip"
GRADES = (FALSE, HYPOTHESIS, BOUNDARY, SLIP)
ERRORS = (FALSE, HYPOTHESIS)
_HOLDING = {*(each.value for each in HOLDS), "DEPENDS"}
_TOKEN = re.compile(r"\\text\{[^{}]*\}|[A-Za-z]_\d|\\[A-Za-z]+|\\.|\d+|\S")
_BLANK = re.compile(r"\\(?:left|right|[bB]igg?[lrm]?|quad|qquad|displaystyle|[,;:! ])(?![A-Za-z])")
_SAME = {r"\leq": r"\le", r"\geq": r"\ge", r"\land": r"\wedge", r"\Rightarrow": r"\implies"}
_EXCHANGED = ({r"\min", r"\max"}, {r"\inf", r"\sup"}, {"+", "-"}, {"<", r"\le"}, {">", r"\ge"})
_GREEK = (
    r"\\(?:var)?(?:alpha|beta|gamma|delta|epsilon|theta|kappa|lambda|mu|nu|pi|rho|sigma|tau|phi|psi"
    r"|omega|Theta|Delta|Lambda|Sigma|Phi|Omega)"
)
_LETTER = re.compile(rf"[A-Za-z](?:_\d)?|{_GREEK}")
_IF = re.compile(r"\\text\{\s*(?:if|for|where|when|provided)\s*\}")


def grade_of(result: Result, repair: str | None) -> str | None:
    """Return the grade of a printed claim that is false, None of any other.

    Args:
        repair: the verdict of the claim's repair, None if there is none.
    """
    if result["verdict"] != "REFUTED" or not result["printed"]:
        return None
    refuted = [reading for reading in result["readings"] if reading["verdict"] == "REFUTED"]
    if refuted and all(map(_only_degenerate, refuted)):
        return BOUNDARY
    breaks = breaks_of(result)
    if breaks == "slip":
        return SLIP
    formula, repaired = _formulas(result)
    if not (formula and repaired) or repair not in _HOLDING:
        return FALSE
    if breaks not in ("guarantee", "theorem") and is_one_exchange(formula, repaired):
        return SLIP
    return HYPOTHESIS if added(formula, repaired) else FALSE


def hypotheses_of(result: Result, repair: str | None) -> list[str]:
    """Return the hypotheses, in LaTeX, that a printed claim lacks and its repair has, where it
    holds with them and no other change.
    """
    formula, repaired = _formulas(result)
    is_repaired = result["printed"] and formula and repaired and repair in _HOLDING
    return added(formula, repaired) if is_repaired else []


def _formulas(result: Result) -> tuple[str, str]:
    printed: JsonObject = result.get("print") or {}
    return printed.get("formula", ""), printed.get("repaired", "")


def _only_degenerate(reading: Result) -> bool:
    """Whether a reading is false by its trial alone, at degenerate instances alone."""
    trial, steps = reading["trial"], reading["steps"]
    if trial is None or any(step["kind"] == "counterexample" and step["ok"] for step in steps):
        return False
    return trial["failed"] is not None and (trial.get("regular") or 0) >= trial["wanted"]


def is_one_exchange(formula: str, repaired: str) -> bool:
    r"""Whether one exchange turns a formula into another: of min and max, of inf and sup, of two
    letters, of plus and minus, of < and at most.

    >>> is_one_exchange(r"\min_i a_i < b", r"\max_i a_i < b"), is_one_exchange("a b", "b a")
    (True, True)
    >>> is_one_exchange("a < b + 1", "a < b + 2"), is_one_exchange("a - b", "b + a")
    (False, False)
    """
    one, other = tokens(formula), tokens(repaired)
    differing = [(a, b) for a, b in zip(one, other) if a != b]
    if len(one) != len(other) or len({frozenset(each) for each in differing}) != 1:
        return False
    a, b = differing[0]
    letters = _LETTER.fullmatch(a) is not None and _LETTER.fullmatch(b) is not None
    if not letters and {a, b} not in _EXCHANGED:
        return False
    everywhere = letters and sum(each in (a, b) for each in one) == len(differing)
    return len(differing) == 1 or differing[1:] == [(b, a)] or everywhere


def added(formula: str, repaired: str) -> list[str]:
    r"""Return the hypotheses that a formula gets with the conclusion as it was; nothing if more is
    changed.

    Hypotheses stand before `\implies`, or behind a word such as `\text{ if }`, between commas.

    >>> added("a < b", r"c > 0, d > 0 \implies a < b"), added("a < b", r"a < c \text{ if } c > 0")
    (['c > 0', 'd > 0'], [])
    """
    before, concluded = split(formula)
    after, concludes = split(repaired)
    words_before = {" ".join(tokens(each)) for each in before}
    kept = {" ".join(tokens(each)) for each in after}
    if tokens(concluded) != tokens(concludes) or not words_before <= kept:
        return []
    return [_bare(each) for each in after if " ".join(tokens(each)) not in words_before]


def _bare(part: str) -> str:
    r"""Return a part without the braces that keep its commas together.

    >>> _bare(r"{a, b < c}"), _bare(r"{a} < {b}")
    ('a, b < c', '{a} < {b}')
    """
    inner = part[1:-1]
    depths, depth = [0], 0
    for sign in re.findall(r"\\.|[{}]", inner):
        depth += (sign == "{") - (sign == "}")
        depths.append(depth)
    return inner if part[:1] == "{" and part[-1:] == "}" and min(depths) == 0 else part


def split(formula: str) -> tuple[list[str], str]:
    """Return the hypotheses of a formula in LaTeX, and its conclusion."""
    for sign in (r"\implies", r"\Rightarrow", r"\Longrightarrow"):
        before, operator, after = formula.partition(sign)
        if operator:
            return _parts(before), after
    if match := _IF.search(formula):
        return _parts(formula[match.end() :]), formula[: match.start()].rstrip(" ,;")
    return [], formula


def _parts(text: str) -> list[str]:
    r"""Split at the commas and at the `\land` that stand in no bracket."""
    parts, depth, last = [], 0, 0
    for match in re.finditer(r"\\land(?![A-Za-z])|\\wedge(?![A-Za-z])|\\?[{}]|[()\[\],;]", text):
        sign = match[0]
        depth += (sign[-1] in "([{") - (sign[-1] in ")]}")
        if depth == 0 and (sign[0] in ",;" or sign in (r"\land", r"\wedge")):
            parts.append(text[last : match.start()])
            last = match.end()
    trimmed = (_BLANK.sub(" ", each).strip() for each in [*parts, text[last:]])
    return [each for each in trimmed if each]


def tokens(latex: str) -> Sequence[str]:
    """Return the signs of a formula, without blanks and without the size of brackets."""
    return [_SAME.get(each, each) for each in _TOKEN.findall(_BLANK.sub(" ", latex))]


def breaks_of(result: Result) -> str:
    """Return what breaks if a printed claim is false, as its document says, else by its kind.

    >>> [breaks_of({"kind": kind}) for kind in ("lemma", "lemma (proof step)", "table")]
    ['theorem', 'step', 'remark']
    """
    printed: JsonObject = result.get("print") or {}
    if printed.get("breaks"):
        return str(printed["breaks"])
    if is_relied_on(result):
        return "theorem"
    return "step" if _OF_A_PROOF.search(result["kind"]) else "remark"


def is_relied_on(view: Result) -> bool:
    """Whether a claim is one that readers rest a guarantee on: no step of a proof is.

    >>> is_relied_on({"kind": "lemma"}), is_relied_on({"kind": "lemma (proof step)"})
    (True, False)
    """
    kind = view["kind"]
    return _RELIED_ON.search(kind) is not None and "proof step" not in kind


def rank(view: View) -> int:
    """Return the place of a false claim in the order of what breaks."""
    return BREAKS.index(view["breaks"])
