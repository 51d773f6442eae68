"""The proof-check report: what was found of every claim, as a site of plain files that needs
nothing but a browser.

`write_proof_report` fills a folder beside the target and swaps it in at the end. It writes

    index.html                    papers, the errors found in each, and a table of claims with
                                  filters
    claims/<id>.html              a claim: what is printed beside what was decided, steps,
                                  counterexample, near misses
    claims/<id>.<n>-<m>.smt2      the query of a step;
                                  <id>.framework.json, <id>.mechanism.json: a
                                  counterexample's files
    claims/<id>.<n>-<m>.certificate.json
                                  the certificate of a step, for the checker beside it:
    kernel/                       python kernel claims/<id>.<n>-<m>.certificate.json
    report.md  report.json        the same content as text and for programs
    junit.xml                     claims as tests, for a continuous integration
"""

import base64
import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any

from markupsafe import Markup

from pufferproof import __version__
from pufferproof.claims.run import Result
from pufferproof.reports.console.staging import files_in, replacing
from pufferproof.reports.page.evidence import copy_kernel
from pufferproof.reports.page.sections import rendered
from pufferproof.reports.proofs.bibliography import paper_of
from pufferproof.reports.proofs.counterexamples.again import STATES
from pufferproof.reports.proofs.counterexamples.coq import ask_coq
from pufferproof.reports.proofs.counterexamples.coverage import coverage
from pufferproof.reports.proofs.counterexamples.shown import files_of
from pufferproof.reports.proofs.junit import junit_xml
from pufferproof.reports.proofs.pages import MARKS, VERDICTS, claim_views, seconds_text

FORMAT = "pufferproof-proofs/1"
_SHARED = {  # claims of no paper
    "general": "General laws (general)",
    "lemma": "Library of lemmas (lemma)",
    "worst": "Worst cases of composition (worst)",
    "redaction": "Designs of local redaction (redaction)",
    "noise": "Noise on queries (noise)",
    "influence": "Influence along chains (influence)",
}
_WORDS = {
    "PROVED": "proved",
    "DERIVED": "derived",
    "CHECKED": "checked",
    "REFUTED": "refuted",
    "DEPENDS": "depend on the reading",
    "OPEN": "open",
    "DEFINITION": "definitions",
}


def write_proof_report(
    results: Sequence[Result],
    out: Path,
    *,
    catalogue: Mapping[str, Sequence[str]] | None = None,
    partial: bool = False,
    missing: Sequence[str] = (),
    refused: list[str] | None = None,
) -> Path:
    """Write the report of these results into `out` and return its page.

    Args:
        catalogue: the ids of every paper's claims, to show which have no verdict yet.
        partial: the run was interrupted, which the page says;
        missing: the claims that were asked for and have no result because of that (default: those
            of the catalogue).
        refused: where Coq is asked to prove counterexamples again; what it refuses is added.

    Raises `ModelError` unless `out` is new, empty, or a report of ours.
    """
    context = report_context(results, catalogue or {}, partial, missing)
    if refused is not None:
        refused += ask_coq(context["claims"])
    with replacing(out, FORMAT) as staging:
        (staging / "claims").mkdir()
        copy_kernel(staging)
        for view in context["claims"]:
            shown = {"claim": view, "version": __version__, "partial": partial}
            _write(
                staging / "claims" / f"{view['file']}.html", rendered("proofs/claim.html.j2", shown)
            )
            for name, text in _attachments(view):
                _write(staging / "claims" / name, text)
        script = (
            files("pufferproof.reports")
            .joinpath("templates/proofs/filter.js")
            .read_text(encoding="utf-8")
        )
        _write(staging / "index.html", rendered("proofs/index.html.j2", context | _inline(script)))
        _write(staging / "report.md", rendered("proofs/report.md.j2", context))
        _write(staging / "junit.xml", junit_xml(results))
        answer = {
            "format": FORMAT,
            "version": __version__,
            "partial": partial,
            "missing": context["missing"],
            "summary": context["totals"],
            "claims": list(results),
            "files": files_in(staging),
        }
        _write(staging / "report.json", json.dumps(answer, indent=1) + "\n")
    return out / "index.html"


def report_context(
    results: Sequence[Result],
    catalogue: Mapping[str, Sequence[str]],
    partial: bool,
    missing: Sequence[str],
) -> dict[str, Any]:
    """Return what the templates show: claims, papers with their counts, and what has no verdict."""
    views = claim_views(results)
    reported = {view["id"] for view in views}
    names = sorted(
        dict.fromkeys(view["paper"] for view in views),
        key=lambda name: (name not in catalogue, name in _SHARED),
    )
    sections = [
        _paper(name, [view for view in views if view["paper"] == name], catalogue.get(name, ()))
        for name in names
    ]
    absent = [each for each in missing if each not in reported]
    if partial and not absent:
        absent = [each for ids in catalogue.values() for each in ids if each not in reported]
    return {
        "version": __version__,
        "claims": views,
        "papers": sections,
        "errors": sum(len(section["errors"]) for section in sections),
        "others": [
            {"name": name, "ids": ids} for name, ids in catalogue.items() if name not in names
        ],
        "verdicts": VERDICTS,
        "words": _WORDS,
        "marks": MARKS,
        "totals": _counts(views),
        "certificates": sum(map(_certificates, views)),
        "refuted": coverage(results),
        "states": STATES,
        "seconds": seconds_text(sum(result["seconds"] for result in results)),
        "partial": partial,
        "missing": absent,
    }


def _certificates(view: dict[str, Any]) -> int:
    """Count the certificates of a claim and of its near misses."""
    readings = [*view["readings"], *view["near_misses"]]
    steps = [step for reading in readings for step in reading["steps"]]
    return sum(step["certificate"] is not None for step in steps)


def _paper(name: str, views: Sequence[dict[str, Any]], catalogue: Sequence[str]) -> dict[str, Any]:
    """Return a paper's claims in the catalogue's order, then the others; its errors, counts,
    and ids without a verdict.
    """
    place = {identifier: number for number, identifier in enumerate(catalogue)}
    ordered = sorted(views, key=lambda view: place.get(view["id"], len(place)))
    reported = {view["id"] for view in views}
    refuted = [view for view in ordered if view["verdict"] == "REFUTED"]
    paper = paper_of(name)
    return {
        "name": name,
        "title": paper.title if paper else _SHARED.get(name, name) or "(no paper)",
        "paper": paper,
        "claims": ordered,
        "errors": [view for view in refuted if view["printed"]],
        "questions": [view for view in refuted if not view["printed"]],
        "elsewhere": [
            view
            for view in ordered
            if view["verdict"] != "REFUTED" and view["finding"] and view["printed"]
        ],
        "counts": _counts(ordered),
        "catalogue": len(catalogue),
        "without": [identifier for identifier in catalogue if identifier not in reported],
        "covered": sum(identifier in reported for identifier in catalogue),
    }


def _counts(views: Sequence[Mapping[str, Any]]) -> dict[str, int]:
    verdicts = [view["verdict"] for view in views]
    counted = {verdict: verdicts.count(verdict) for verdict in VERDICTS}
    assumed = sum(bool(view["assumed"]) for view in views)
    errors, cached = (
        sum(bool(view["error"]) for view in views),
        sum(view["cached"] for view in views),
    )
    return counted | {"claims": len(views), "assumed": assumed, "errors": errors, "cached": cached}


def _attachments(view: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield the files beside a claim's page: documents of its counterexamples, queries,
    certificates.
    """
    for reading in [*view["readings"], *view["near_misses"]]:
        for document in (reading["counterexample"] or {"documents": ()})["documents"]:
            yield document["file"], json.dumps(document["content"], indent=1) + "\n"
        if reading["counterexample"]:
            yield from files_of(reading["counterexample"])
        for step in reading["steps"]:
            if step["query"] is not None:
                yield step["query_file"], step["query"]
            if step["certificate"] is not None:
                yield step["certificate_file"], json.dumps(step["certificate"]) + "\n"


def _inline(script: str) -> dict[str, Any]:
    """Return our own script for the page, with the hash by which the page's policy lets it run,
    and nothing else.
    """
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    return {"script": Markup(script), "script_hash": f"sha256-{digest}"}


def _write(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8", errors="replace", newline="\n")
