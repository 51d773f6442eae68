"""What the page of a paper says first: what can be used as printed, what needs which hypothesis,
what breaks a guarantee; and its errors by what they break, one entry for each root cause.
"""

import re
from collections.abc import Sequence
from itertools import groupby

from pufferproof.claims.language.wording import quoted
from pufferproof.models.numbers.text import capital
from pufferproof.reports.proofs.papers.grades import (
    BOUNDARY,
    ERRORS,
    FALSE,
    GRADES,
    HYPOTHESIS,
    SLIP,
    TITLES,
    is_relied_on,
    rank,
)
from pufferproof.reports.proofs.sentences import Result, View
from pufferproof.verify.proof.argument import HOLDS

# Names of claims as a referee writes them: "Theorem 2", "Lemma 1, equation (7)", or a place.

_NUMBER = r"\(?[A-Z]?[.\w]*\d[\w.()]*"
_NAMED = r"(?:theorem|lemma|proposition|corollary|algorithm|claim|definition|assumption|equation)"
_FIRST = re.compile(rf"(?i)({_NAMED}|figure|footnote|table|condition|remark)s? {_NUMBER}")
_SECOND = re.compile(rf"(?i)((?:section|appendix) [\w.-]+), ({_NAMED}s? {_NUMBER}.*)")
_BEHIND = re.compile(rf"(?i)({_NAMED}s? {_NUMBER}), ((?:section|appendix) [\w.-]+)")
_OTHER = {"definition": ("definition", "assumption"), "assumption": ("assumption",)}


def title_of(where: str, place: str, kind: str) -> str:
    """Return the name of a printed claim: its number in the paper, else its place there.

    >>> title_of("Theorem 2", "Section III, Theorem 2, its display", "theorem")
    'Theorem 2'
    >>> title_of("Appendix B, Algorithm 1", "Appendix B, Algorithm 1, lines 1 to 11", "algorithm")
    'Algorithm 1 (Appendix B)'
    >>> title_of("Theorem 4", "Section 2, proof of Theorem 4, last line; Section 1", "proof step")
    'Section 2, proof of Theorem 4, last line'
    """
    spelled = re.sub(r"\beq\. ", "equation ", where)
    if "proof" not in kind and "remark" not in kind:
        for form, shown in ((_SECOND, r"\2 (\1)"), (_BEHIND, r"\1 (\2)"), (_FIRST, None)):
            if (match := form.match(spelled)) and _is_of(kind, match[0]):
                name = spelled if shown is None else match.expand(shown)
                return capital(f"{name}{_which(spelled, place)}").replace("appendix", "Appendix")
    elif (match := _FIRST.fullmatch(spelled)) and kind == "remark":
        return capital(spelled)
    return place.partition(";")[0] or spelled


def name_of(result: Result) -> str:
    """Return the name of a claim: of a printed one its number or place in the paper; of another
    what its file calls it, in quotation marks, or its id.

    >>> name_of({"id": "mine.lem1", "where": "Lemma 1", "kind": "lemma", "print": None})
    '“Lemma 1”'
    """
    printed = result.get("print") or {}
    if printed:
        return title_of(result["where"], printed["place"], result["kind"])
    return quoted(result["where"]) or str(result["id"])


def is_numbered(title: str) -> bool:
    """Whether a name is a number of the paper, and no place.

    >>> is_numbered("Theorem 2"), is_numbered("“Lemma 1”"), is_numbered("Section 4, last sentence")
    (True, True, False)
    """
    return _FIRST.match(title.removeprefix("“")) is not None


def _which(where: str, place: str) -> str:
    """Return which sentence or half of what is named is the claim, if that is said."""
    which = r"(?:first|second|third|last) (?:sentence|half)"
    match = re.search(rf"{re.escape(where)}, ({which})(?![\w ])", place)
    return "" if match is None else f" ({match[1]})"


def _is_of(kind: str, named: str) -> bool:
    """Whether what is named is the claim itself: a definition that stands in a theorem is not."""
    words = _OTHER.get(kind)
    return words is None or any(word in named.lower() for word in words)


_HOLDING = {*(each.value for each in HOLDS), "DEPENDS"}
_COUNTED = {  # of one, of several
    FALSE: ("statement is false as meant", "statements are false as meant"),
    HYPOTHESIS: ("needs a hypothesis", "need a hypothesis"),
    BOUNDARY: ("is a boundary case", "are boundary cases"),
    SLIP: ("is a misprint", "are misprints"),
}


def opening(printed: Sequence[View]) -> dict[str, object]:
    """Return what the three sentences name, of the printed claims of a paper.

    `argued` are the numbered theorems, lemmas and algorithms that are proved or derived in the
    reading that the authors would sign; `tried` are those that held wherever they were tried;
    `others` counts what else holds. `corrected` holds if a misprint is corrected, `needing` with
    more hypotheses, and `breaking` is false as meant.
    """
    holding = [each for each in printed if each["verdict"] in _HOLDING]
    usable = [each for each in holding if is_relied_on(each) and is_numbered(each["title"])]
    argued = [each for each in usable if each["first"] in ("PROVED", "DERIVED")]
    return {
        "argued": argued,
        "tried": [each for each in usable if each not in argued],
        "others": len(holding) - len(usable),
        "corrected": [each for each in printed if each["grade"] == SLIP and is_relied_on(each)],
        "needing": [each for each in printed if each["grade"] == HYPOTHESIS],
        "breaking": sorted(filter(_breaks, printed), key=rank),
    }


def _breaks(view: View) -> bool:
    """Whether readers rely on a false claim, or the guarantee of a theorem does."""
    return view["grade"] == FALSE and (is_relied_on(view) or view["breaks"] == "guarantee")


def graded(printed: Sequence[View]) -> dict[str, object]:
    """Return the errors of a paper by what they break and by root cause, its boundary cases and its
    slips.
    """
    of_grade = {grade: [each for each in printed if each["grade"] == grade] for grade in GRADES}
    causes = by_cause([each for each in printed if each["grade"] in ERRORS])
    return {
        "causes": causes,
        "broken": [
            (TITLES[breaks], list(entries))
            for breaks, entries in groupby(causes, key=lambda entry: entry[1][0]["breaks"])
        ],
        "remarks": of_grade[BOUNDARY],
        "misprints": of_grade[SLIP],
        "grades": [(len(each), _COUNTED[grade][len(each) > 1]) for grade, each in of_grade.items() if each],
    }


def by_cause(errors: Sequence[View]) -> list[tuple[str, list[View]]]:
    """Group errors that share a root cause: first the group whose worst error breaks most, of
    equals the worst grade, then the largest group. What has no cause is a group of its own.
    """
    groups: dict[tuple[str, str], list[View]] = {}
    for error in sorted(errors, key=_badness):
        groups.setdefault((error["cause"], "" if error["cause"] else error["id"]), []).append(error)
    ordered = sorted(groups.items(), key=lambda item: (_badness(item[1][0]), -len(item[1])))
    return [(cause, group) for (cause, _), group in ordered]


def _badness(view: View) -> tuple[int, int, bool]:
    """What breaks comes first; of equals false as meant before what needs a hypothesis, and what
    readers rely on before the rest.
    """
    return rank(view), GRADES.index(view["grade"]), not is_relied_on(view)
