"""What the page of a paper says first: what can be used as printed, what needs which hypothesis,
what breaks a guarantee; and its errors by what they break, one entry for each root cause.
"""

from collections.abc import Sequence
from itertools import groupby

from pufferproof.reports.proofs.papers.bibliography import is_numbered
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
from pufferproof.reports.proofs.sentences import View
from pufferproof.verify.proof.argument import HOLDS

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
