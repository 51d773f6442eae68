"""Pages of documents for the documentation, which `make docs` has this file write: `python -m
pufferproof.reports.proofs.sections.site DIR`.

Verdicts are the recorded ones (`claims/EXPECTED.json`); no claim is examined. DIR gets a file of
JSON for each document, with its title and the pieces of its page.
"""

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path

from pufferproof.claims.document.lines import SUFFIX
from pufferproof.claims.language import wording
from pufferproof.claims.registry import STATED, Claim, load_claims, object_of
from pufferproof.claims.run import Result
from pufferproof.claims.run.results import failed, step_result
from pufferproof.models.numbers.text import JsonObject
from pufferproof.reports.console.labels import markdown, rendered
from pufferproof.reports.proofs.pages import claim_views
from pufferproof.reports.proofs.papers.typesetting import plain
from pufferproof.reports.proofs.record import judges, recorded
from pufferproof.reports.proofs.running import written
from pufferproof.reports.proofs.sections.found import page_of, places, setting_of
from pufferproof.reports.proofs.sentences import IN_QUOTES, View
from pufferproof.verify.proof.argument import Step

_NO_READING: Result = {
    **{"trust": [], "scope": "", "scope_given": "", "checked": 0, "obstacle": None},
    "only_tried": False,
    **{"linked": False, "steps": [], "trial": None, "unsaid": None, "counterexample": None},
    **{"argument": None, "paste": []},
}


def recorded_result(claim: Claim, recorded: JsonObject, names: Sequence[str]) -> Result:
    """Return what is recorded of a claim as a result: its verdict, its readings, which a document
    names, with theirs, and what says them.
    """
    of_each = zip(names, recorded["readings"], judges(recorded), strict=True)
    readings = [
        {**_NO_READING, "name": name, "verdict": verdict, "refuted_by": judge} | _said(claim, name, not number)
        for number, (name, verdict, judge) in enumerate(of_each)
    ]
    words = readings[0]["statement"] if readings else None
    shown = {"statement": words or claim.statement, "verdict": recorded["verdict"], "error": None}
    if recorded["verdict"] == "REFUTED":
        shown["refuted_by"] = readings[0]["refuted_by"]
    mine = claim.statement if words and claim.statement != words else None
    more = {"readings": readings, "paraphrase": mine or None}
    return {**failed(claim.id, ""), **shown, **more, **written(claim)}


def _said(claim: Claim, name: str, is_first: bool) -> JsonObject:
    """Return the object that says a reading, and the words that are made from it."""
    formula, steps = claim.formula_of(name), list[Result]()
    statement = claim.says.get(name, claim.says.get("") if is_first else None)
    said = None if statement is None else object_of(statement)
    words = None if said is None else said.words
    if formula is not None:
        words = wording.formula(formula)
        steps = [step_result(Step("the formula", "formula", "", formula, True, (), 0.0))]
    return {"said": None if said is None else asdict(said), "statement": words, "steps": steps}


def pages() -> Iterator[View]:
    """Yield the page of every document that has claims, and how many have which verdict."""
    claims = {name: claim for name, claim in load_claims().items() if claim.own}
    places_of = {written(claim)["source"].rpartition(":")[0] for claim in claims.values()}
    found = [page_of(place) for place in sorted(places_of) if place.endswith(SUFFIX)]
    names = {
        part.id: [each.name for each in part.readings] or [STATED] for page in found for part in page.document.claims
    }
    results = [recorded_result(claims[name], entry, names[name]) for name, entry in recorded().items()]
    views = claim_views(results)
    sections = [page.view(results, views) for page in found]
    standing = places(sections)
    linked = {name: f"{at['file']}.html#{at['anchor']}" for name, at in standing.items()}
    for section in sections:
        verdicts = [part["claim"]["verdict"] for part in section["parts"] if part.get("claim")]
        yield {
            "name": section["file"],
            "title": markdown(plain(section["title"], section["symbols"])),
            "paper": section["papers"][0],
            "place": section["place"],
            "verdicts": {each: verdicts.count(each) for each in sorted({*verdicts})},
            "pieces": [*_pieces(section, linked)],
        }


def _pieces(section: View, linked: Mapping[str, str]) -> Iterator[View]:
    """Yield what stands under the title of a page and under that of each claim."""
    title, anchor, prose, parts = "", "", section["prose"], list[View]()
    for part in [*section["parts"], None]:
        if part is None or part["kind"] == "claim":
            setting = setting_of(linked, section["symbols"]) | {"in_quotes": IN_QUOTES}
            shown = {"prose": prose, "parts": parts, **setting}
            yield {"title": title, "anchor": anchor, "html": rendered("proofs/sections/piece.html.j2", shown)}
            prose, parts = [], []
        if part is not None:
            parts.append(part)
        if part is not None and part["kind"] == "claim":
            title = markdown(plain(part["title"], section["symbols"]))
            anchor = part["anchor"]


def main(folder: str) -> None:
    """Write the pages into a folder, and nothing else there."""
    out = Path(folder)
    out.mkdir(parents=True, exist_ok=True)
    for before in out.glob("*.json"):
        before.unlink()
    for page in pages():
        text = json.dumps(page, ensure_ascii=False)
        (out / f"{page['name']}.json").write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main(sys.argv[1])
