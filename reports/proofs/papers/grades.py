"""How bad it is that a printed claim is false: false as meant, needs a hypothesis, boundary case,
slip.

A grade is computed. A *slip* is a formula that one exchange of signs turns into that of its repair,
unless it breaks a theorem, or what its document calls a misprint, with a reason.
A *boundary case* is false only at degenerate instances, as far as a trial without them can tell. A
claim *needs a hypothesis* if the formula of its repair has the same conclusion and more hypotheses.
The repair must hold. Whatever is none of these is *false as meant*. Boundary cases and slips are no
errors.
"""

import re
from collections.abc import Sequence

from pufferproof.claims.language.printed import BREAKS
from pufferproof.claims.run import Result
from pufferproof.models.numbers.text import JsonObject
from pufferproof.reports.proofs.sentences import View
from pufferproof.verify.proof.argument import HOLDS

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
