"""The letter to the authors of a paper, in Markdown: what holds, what does not and how bad that is,
each cause once, with its place, its formula, the counterexample, the repair and how to check it.
What breaks a guarantee comes first, misprints last.
"""

import shlex
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from pufferproof.claims.registry import load_claims
from pufferproof.claims.run import Result
from pufferproof.models.errors import ModelError
from pufferproof.reports.page.sections import rendered
from pufferproof.reports.proofs.pages import claim_views
from pufferproof.reports.proofs.papers.bibliography import paper_of
from pufferproof.reports.proofs.papers.grades import BOUNDARY, SLIP
from pufferproof.reports.proofs.papers.summary import by_cause, graded, opening
from pufferproof.reports.proofs.sentences import View
from pufferproof.verify.proof.argument import HOLDS

_TITLES = (
    (BOUNDARY, "Remarks: false at degenerate instances only"),
    (SLIP, "Misprints: a small correction of the formula makes these true"),
)
_HOLDING = {*(each.value for each in HOLDS), "DEPENDS"}


def letter_to(
    paper: str,
    catalogue: Mapping[str, Sequence[str]],
    extra: Sequence[str],
    run: Callable[[list[str]], list[Result]],
) -> str:
    """Return the letter to the authors of a paper, after running its claims and their repairs.

    Raises `ModelError` for a paper that no claim is about.
    """
    claims = [each for each in load_claims(extra).values() if each.paper == paper]
    about = paper_of(paper) if claims else None
    if about is None:
        known = sorted({each.paper for each in load_claims(extra).values()})
        papers = ", ".join(name for name in known if paper_of(name) is not None)
        raise ModelError(f'no claim is of a paper "{paper}": expected one of {papers}', "--letter")
    repairs = {each.repair for each in claims if each.repair is not None}
    ids = {each.id for each in claims}
    results = run([*(each.id for each in claims), *sorted(repairs - ids)])
    place = {name: number for number, name in enumerate(catalogue.get(paper, ()))}
    views = sorted(
        (each for each in claim_views(results) if each["id"] in ids and each["printed"]),
        key=lambda view: place.get(view["id"], len(place)),
    )
    files = "".join(f" --claims {shlex.quote(str(each))}" for each in extra)
    return rendered("proofs/letter.md.j2", _said(about, views) | {"files": files})


def _said(about: object, views: Sequence[View]) -> dict[str, object]:
    """Return what the template shows of claims."""
    said = graded(views)
    broken: Any = said["broken"]
    sections = [
        *((title, [_entry(cause, group) for cause, group in entries]) for title, entries in broken),
        *(
            (title, [_entry(cause, group) for cause, group in by_cause(_of(views, grade))])
            for grade, title in _TITLES
        ),
    ]
    return {
        "paper": about,
        "printed": len(views),
        "opening": opening(views),
        "grades": said["grades"],
        "sections": [(title, entries) for title, entries in sections if entries],
        "holding": [each for each in views if each["verdict"] in _HOLDING],
        "open": [each for each in views if each["verdict"] == "OPEN"],
    }


def _of(views: Sequence[View], grade: str) -> list[View]:
    return [each for each in views if each["grade"] == grade]


def _entry(cause: str, claims: Sequence[View]) -> dict[str, object]:
    """Return what one cause makes false: the worst claim in full, the others in short."""
    worst, *others = claims
    return {"cause": cause, "claim": _false(worst), "others": others}


def _false(view: View) -> dict[str, object]:
    """Return a false claim with the counterexample to its first reading that is false."""
    shown = [
        each for each in view["readings"] if each["verdict"] == "REFUTED" and each["counterexample"]
    ]
    return {**view, "reading": shown[0] if shown else None, "refuted": len(shown)}
