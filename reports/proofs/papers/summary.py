"""What the page of a paper says first: what can be used as printed, what needs which hypothesis,
what breaks a guarantee; and its errors by root cause, worst first.
"""

import re
from collections.abc import Sequence

from pufferproof.reports.proofs.papers.grades import (
    BOUNDARY,
    ERRORS,
    FALSE,
    GRADES,
    HYPOTHESIS,
    SLIP,
)
from pufferproof.reports.proofs.sentences import View
from pufferproof.verify.proof.argument import HOLDS

_HOLDING = {*(each.value for each in HOLDS), "DEPENDS"}
_RELIED_ON = re.compile("theorem|lemma|proposition|corollary|algorithm")
_COUNTED = {  # of one, of several
    FALSE: ("false as meant", "false as meant"),
    HYPOTHESIS: ("needs a hypothesis", "need a hypothesis"),
    BOUNDARY: ("boundary case, a remark and no error", "boundary cases, remarks and no errors"),
    SLIP: ("slip, a misprint and no error", "slips, misprints and no errors"),
}


def opening(printed: Sequence[View]) -> dict[str, object]:
    """Return what the three sentences name, of the printed claims of a paper.

    `usable` are theorems, lemmas and algorithms that hold as the authors would read them, `others`
    counts what holds
    besides; `corrected` holds when a misprint is corrected; `needing` holds with more hypotheses;
    `breaking` is false as meant, and a guarantee that rests on it breaks.
    """
    holding = [each for each in printed if each["verdict"] in _HOLDING]
    usable = list(filter(is_relied_on, holding))
    return {
        "usable": usable,
        "others": len(holding) - len(usable),
        "corrected": [each for each in printed if each["grade"] == SLIP and is_relied_on(each)],
        "needing": [each for each in printed if each["grade"] == HYPOTHESIS],
        "breaking": [each for each in printed if each["grade"] == FALSE and is_relied_on(each)],
    }


def called(identifier: str, where: str) -> str:
    """Return a short name of a claim for a sentence: its place in the paper where that is one.

    >>> called("paper.thm", "Theorem 2"), called("paper.remark", "II-D")
    ('Theorem 2', 'paper.remark (II-D)')
    """
    if re.search(r"(?i)theorem|lemma|proposition|corollary|algorithm|equation", where):
        return where
    return f"{identifier} ({where})" if where else identifier


def is_relied_on(view: View) -> bool:
    """Whether a claim is one that readers rest a guarantee on: no step of a proof is.

    >>> is_relied_on({"kind": "lemma"}), is_relied_on({"kind": "lemma (proof step)"})
    (True, False)
    """
    kind = view["kind"]
    return _RELIED_ON.search(kind) is not None and "proof step" not in kind


def graded(printed: Sequence[View]) -> dict[str, object]:
    """Return the errors of a paper by root cause, its boundary cases and its slips."""
    of_grade = {grade: [each for each in printed if each["grade"] == grade] for grade in GRADES}
    return {
        "causes": by_cause([each for each in printed if each["grade"] in ERRORS]),
        "remarks": of_grade[BOUNDARY],
        "misprints": of_grade[SLIP],
        "grades": [
            (len(each), _COUNTED[grade][len(each) > 1]) for grade, each in of_grade.items() if each
        ],
    }


def by_cause(errors: Sequence[View]) -> list[tuple[str, list[View]]]:
    """Group errors that share a root cause: first the group whose worst error is the worst, of
    equals the largest. What has no cause is a group of its own.
    """
    groups: dict[tuple[str, str], list[View]] = {}
    for each in sorted(errors, key=_badness):
        groups.setdefault((each["cause"], "" if each["cause"] else each["id"]), []).append(each)
    ordered = sorted(groups.items(), key=lambda item: (_badness(item[1][0]), -len(item[1])))
    return [(cause, group) for (cause, _), group in ordered]


def _badness(view: View) -> tuple[int, bool]:
    """False as meant before what needs a hypothesis, theorems before remarks."""
    return GRADES.index(view["grade"]), not is_relied_on(view)
