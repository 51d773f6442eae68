"""The proof-check report: what was found of every claim, as a site of plain files that needs
nothing but a browser.

`write_proof_report` fills a folder beside the target and swaps it in at the end. It writes

    index.html                    papers, how many of their claims have which verdict, and all
                                  claims with filters
    papers/<name>.html            a paper: its errors first, then readings that differ, then the
                                  rest, and what is our own
    sections/<name>.html          a document: its letters, claims with verdicts, prose and code
    results.html                  results of our own, which no paper has, and what rests on them
    claims/<id>.html              a claim: what is printed beside what was decided, steps,
                                  counterexample, near misses
    claims/<id>.framework.json, <id>.mechanism.json
                                  a counterexample's files
    files/<paper>.tar.xz          queries, certificates and whole results, for the checker
    kernel/                       beside it (`files/archives.py`)
    report.md  report.json        what was found as text and for programs
    junit.xml                     claims as tests, for a continuous integration
    pages.json                    what each file was made from (`files/kept.py`)

Only `junit.xml` says how long things took: the others have the same bytes for the same results.
"""

import json
import re
from collections.abc import Mapping, Sequence
from functools import partial as later
from pathlib import Path
from xml.etree import ElementTree

from pufferproof import __version__
from pufferproof.claims.language.refuting import AUTHOR
from pufferproof.claims.language.wording import quoted
from pufferproof.claims.run import Result
from pufferproof.reports.console.labels import own_script, rendered, visible
from pufferproof.reports.console.staging import files_in, replacing
from pufferproof.reports.page.evidence import copy_kernel
from pufferproof.reports.proofs.counterexamples.again import STATES, coverage
from pufferproof.reports.proofs.counterexamples.shown import ask_coq
from pufferproof.reports.proofs.files.archives import Kept, archive, mark_of, page_marks, summary_of, timeless
from pufferproof.reports.proofs.pages import MARKS, VERDICTS, archive_name, claim_views, file_name
from pufferproof.reports.proofs.papers.grades import ERRORS, files_by_claim
from pufferproof.reports.proofs.papers.shown import paper_of, said_by_claims
from pufferproof.reports.proofs.papers.titles import by_cause, graded, opening
from pufferproof.reports.proofs.papers.typesetting import typeset
from pufferproof.reports.proofs.sections.found import Page, citations, pages_of, places, setting_of, texts_of
from pufferproof.reports.proofs.sentences import IN_QUOTES, View, scope_of

# The results as JUnit XML, so that a continuous integration shows claims as tests.

_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def junit_xml(results: Sequence[Result]) -> str:
    """Return the test suites, one per paper, one test case per claim."""
    root = ElementTree.Element("testsuites", name="pufferproof prove")
    for paper in dict.fromkeys(result["paper"] for result in results):
        cases = [result for result in results if result["paper"] == paper]
        errors = sum(bool(case["error"]) for case in cases)
        skipped = sum(case["verdict"] == "OPEN" and not case["error"] for case in cases)
        seconds = sum(case["seconds"] for case in cases)
        suite = ElementTree.SubElement(
            root,
            "testsuite",
            {"name": _text(paper)}
            | {
                "tests": str(len(cases)),
                "failures": "0",
                "errors": str(errors),
                "skipped": str(skipped),
                "time": f"{seconds:.3f}",
            },
        )
        for result in cases:
            _case(suite, result)
    ElementTree.indent(root)
    return '<?xml version="1.0" encoding="utf-8"?>\n' + ElementTree.tostring(root, encoding="unicode") + "\n"


def _case(suite: ElementTree.Element, result: Result) -> None:
    name, paper = _text(result["id"]), _text(result["paper"])
    case = ElementTree.SubElement(suite, "testcase", classname=paper, name=name, time=f"{result['seconds']:.3f}")
    properties = ElementTree.SubElement(case, "properties")
    for key in ("verdict", "refuted_by", "trust", "scope", "checked"):
        value = "" if result[key] is None else str(result[key])
        value = ", ".join(result[key]) if key == "trust" else value
        ElementTree.SubElement(properties, "property", name=key, value=_text(value))
    if result["error"]:
        ElementTree.SubElement(case, "error", message=_text(result["error"]), type="engine")
    elif result["verdict"] == "OPEN":
        steps = [step["name"] for reading in result["readings"] for step in reading["steps"] if not step["ok"]]
        undecided = f"OPEN; not discharged: {', '.join(steps)}" if steps else "OPEN"
        ElementTree.SubElement(case, "skipped", message=_text(undecided))
    said = [f"{result['verdict']}  {quoted(result['where'])}"]
    for reading in result["readings"]:
        said.append(f"{reading['verdict']}  {quoted(reading['name'])} {scope_of(reading)}".rstrip())
        said += [
            f"  counterexample: {step['sentence']}"
            for step in reading["steps"]
            if bool(step["kind"] == "counterexample" and step["ok"])
        ]
    ElementTree.SubElement(case, "system-out").text = _text(
        "\n".join([*said, f"repair: {result['repair']}"] if result["repair"] else said)
    )


def _text(value: str) -> str:
    """Return text without what XML cannot hold or what hides text."""
    return _NOT_XML.sub("\ufffd", visible(value))


FORMAT = "pufferproof-proofs/1"
_OPTIONAL = re.compile(r"</(?:li|dt|dd|td|th|tr|thead|tbody)>|</p>(?=\s*<(?:p|/article|/section)\b)|\n(?=\n)")
_CODE = re.compile(r"(<pre[ >].*?</pre>)", re.DOTALL)  # whose empty lines stay
_MOST_ERRORS = 10  # that the first page shows
_SHARED = {  # claims of no paper
    "general": "General laws (general)",
    "lemma": "Library of lemmas (lemma)",
    "worst": "Worst cases of composition (worst)",
    "redaction": "Designs of local redaction (redaction)",
    "noise": "Noise on queries (noise)",
    "normal": "Normal records (normal)",
    "influence": "Influence along chains (influence)",
    "classes": "Classes of priors (classes)",
}
_WORDS = {
    "PROVED": "proved",
    "DERIVED": "derived",
    "TRIED": "tried",
    "CHECKED": "checked",
    "REFUTED": "refuted",
    "DEPENDS": "depend on the reading",
    "OPEN": "open",
    "DEFINITION": "definitions",
}
_SHOWN: View = {
    "version": __version__,
    "verdicts": VERDICTS,
    "words": _WORDS,
    "marks": MARKS,
    "in_quotes": IN_QUOTES,
    "states": STATES,
}


def write_proof_report(
    results: Sequence[Result],
    out: Path,
    *,
    catalogue: Mapping[str, Sequence[str]] | None = None,
    partial: bool = False,
    missing: Sequence[str] = (),
    refused: list[str] | None = None,
    home: str | None = None,
    extra: Sequence[str] = (),
) -> Path:
    """Write the report of these results into `out` and return its page.

    Args:
        catalogue: the ids of every paper's claims, to show which have no verdict yet.
        partial: the run was interrupted, which the page says;
        missing: the claims that were asked for and have no result because of that (default: those
            of the catalogue).
        refused: where Coq is asked to prove counterexamples again; what it refuses is added.
        home: the address of a start page, for a link to it.
        extra: files and folders of claims that are not of this package.

    Raises `ModelError` unless `out` is new, empty, or a report of ours.
    """
    plain = [timeless(result) for result in results]
    about = {result["paper"]: said_by_claims(result["paper"]) for result in plain}
    pages = pages_of(plain, extra)
    kept, asked = Kept(out, FORMAT), (catalogue, partial, list(missing), home)
    mark = mark_of(plain, about, *asked, texts_of(pages))
    if refused is None and kept.is_complete(mark):
        return out / "index.html"
    context = report_context(plain, catalogue or {}, partial, missing, pages) | {"home": home}
    if refused is not None:
        refused += ask_coq(context["claims"])
        kept, mark = Kept(None, FORMAT), ""  # what Coq says is no part of the results
    with replacing(out, FORMAT) as staging:
        copy_kernel(staging)
        _write_pages(staging, kept, plain, context)
        _write_papers(staging, kept, plain, context)
        _write_sections(staging, kept, plain, context, pages)
        # an archive per paper of what engines were asked and what they said
        views = context["claims"]
        for paper in dict.fromkeys(result["paper"] for result in plain):
            chosen = [(a, b) for a, b in zip(plain, views, strict=True) if a["paper"] == paper]
            kept.put(staging, archive_name(paper), mark_of([result for result, _ in chosen]), later(archive, chosen))
        _write(staging / "style.css", rendered("style.css", {}) + rendered("proofs/page.css", {}))
        _write(staging / "index.html", _page("index", context | own_script()))
        if context["results"]:
            _write(staging / "results.html", _page("results", context))
        _write(staging / "report.md", rendered("proofs/report.md.j2", context))
        _write(staging / "junit.xml", junit_xml(results))
        kept.finish(staging, mark)
        answer = {
            "format": FORMAT,
            "version": __version__,
            "partial": context["partial"],
            "missing": context["missing"],
            "summary": context["totals"],
            "papers": [_brief(paper) for paper in context["papers"]],
            "claims": [
                summary_of(result) | {"grade": view["grade"]}
                for result, view in zip(plain, context["claims"], strict=True)
            ],
        } | {"files": files_in(staging)}
        _write(staging / "report.json", json.dumps(answer, separators=(",", ":")) + "\n")
    return out / "index.html"


def _write_pages(staging: Path, kept: Kept, results: Sequence[Result], context: View) -> None:
    """Write a page per claim, with the documents of its counterexamples."""
    marks = page_marks(results)
    for view in context["claims"]:
        shown = {"claim": view, "version": __version__, "partial": context["partial"]}
        symbols = view["symbols"]
        mark = mark_of(marks[view["id"]], context["partial"], symbols, view["section"])
        page, make = f"claims/{view['file']}.html", later(_page, "claim", shown, symbols)
        kept.put(staging, page, mark, make)
        # the documents of the counterexamples of a claim lie beside its page
        for reading in [*view["readings"], *view["near_misses"]]:
            for document in (reading["counterexample"] or {"documents": ()})["documents"]:
                text = json.dumps(document["content"], indent=1) + "\n"
                kept.put(staging, f"claims/{document['file']}", mark, later(str, text))


def _write_papers(staging: Path, kept: Kept, results: Sequence[Result], context: View) -> None:
    """Write a page per paper, its errors first."""
    marks = page_marks(results)
    common = {key: context[key] for key in ("version", "partial", "verdicts", "words", "marks")}
    for paper in context["papers"]:
        shown = {"paper": paper, **common, **own_script()}
        own = [marks[view["id"]] for view in paper["claims"]]
        views = paper["claims"]
        about, symbols = str(paper["paper"]), {name: text for view in views for name, text in view["symbols"].items()}
        among = paper["catalogue"], paper["without"], context["partial"], paper["sections"]
        mark = mark_of(own, about, *among, symbols)
        make = later(_page, "paper", shown, symbols)
        kept.put(staging, f"papers/{paper['file']}.html", mark, make)


def _write_sections(staging: Path, kept: Kept, results: Sequence[Result], context: View, pages: Sequence[Page]) -> None:
    """Write a page per document."""
    marks = page_marks(results)
    files = {view["id"]: f"../claims/{view['file']}.html" for view in context["claims"]}
    files |= {each["name"]: f"../papers/{each['file']}.html" for each in context["papers"]}
    for page, section in zip(pages, context["sections"], strict=True):
        common = {"version": __version__, "partial": context["partial"]}
        linked = {each[0]: files[each[0]] for each in citations(page.text) if each[0] in files}
        own = [marks.get(part["id"], "") for part in section["parts"] if part["kind"] == "claim"]
        more = [sorted(linked.items()), context["partial"], section["symbols"]]
        mark = mark_of(page.text, page.place, own, *more)
        shown = {"section": section, **common, **setting_of(linked, section["symbols"])}
        make = later(_page, "sections/page", shown, section["symbols"])
        kept.put(staging, f"sections/{page.name}.html", mark, make)


def _brief(paper: View) -> View:
    """Return what programs are told of a paper, or of a family of claims of no paper."""
    about = paper["paper"]
    return {
        "name": paper["name"],
        "title": paper["title"],
        "citation": about.citation if about else None,
        "page": f"papers/{paper['file']}.html",
        "claims": len(paper["claims"]),
        "errors": len(paper["errors"]) if paper["catalogue"] or about else None,
    }


def report_context(
    results: Sequence[Result],
    catalogue: Mapping[str, Sequence[str]],
    partial: bool,
    missing: Sequence[str],
    pages: Sequence[Page] = (),
) -> View:
    """Return what the templates show: claims, papers with their counts, documents, and what has no
    verdict.
    """
    views = claim_views(results)
    documents = _with_sections(results, views, pages)
    reported = {view["id"] for view in views}
    names = sorted(
        dict.fromkeys(view["paper"] for view in views), key=lambda name: (name not in catalogue, name in _SHARED)
    )
    sections = [
        _paper(name, [view for view in views if view["paper"] == name], catalogue.get(name, ())) for name in names
    ]
    causes = by_cause([view for section in sections for view in section["errors"]])
    worst = [(group[0], paper_of(group[0]["paper"])) for _, group in causes[:_MOST_ERRORS]]
    absent = [each for each in missing if each not in reported]
    if partial and not absent:
        listed = (identifier for ids in catalogue.values() for identifier in ids)
        absent = [identifier for identifier in listed if identifier not in reported]
    return {
        **_SHOWN,
        "claims": views,
        "papers": sections,
        "sections": documents,
        "worst": [(view, paper.citation if paper else "") for view, paper in worst],
        "causes": len(causes),
        "catalogued": any(section["catalogue"] or section["paper"] for section in sections),
        "errors": sum(len(section["errors"]) for section in sections),
        "remarks": sum(len(section["remarks"]) for section in sections),
        "misprints": sum(len(section["misprints"]) for section in sections),
        "others": [{"name": name, "ids": ids} for name, ids in catalogue.items() if name not in names],
        "results": _results(views),
        "totals": _counts(views),
        "certificates": sum(map(_certificates, results)),
        "refuted": coverage(results),
        "partial": partial,
        "missing": absent,
    }


def _with_sections(results: Sequence[Result], views: Sequence[View], pages: Sequence[Page]) -> list[View]:
    """Return what pages of documents show, and note of each claim where it stands."""
    documents = [page.view(results, views) for page in pages]
    standing = places(documents)
    for view in views:
        view["section"] = standing.get(view["id"])
    return documents


def _results(views: Sequence[View]) -> list[View]:
    """Return the results of no paper that production code rests on, the most used first, each with
    the theorems of Coq that are exactly its readings.
    """
    used = files_by_claim()
    own = [view for view in views if view["paper"] in _SHARED and view["id"] in used]
    return [
        {
            "claim": view,
            "theorems": [
                reading["said"]["theorem"]["name"]
                for reading in view["readings"]
                if reading["said"] and reading["said"]["theorem"]
            ],
            "files": used[view["id"]],
        }
        for view in sorted(own, key=lambda view: (-len(used[view["id"]]), view["id"]))
    ]


def _certificates(result: Result) -> int:
    """Count the certificates of a claim and of its near misses."""
    readings = [*result["readings"], *result["near_misses"]]
    steps = [step for reading in readings for step in reading["steps"]]
    return sum(step["certificate"] is not None for step in steps)


def _paper(name: str, views: Sequence[View], catalogue: Sequence[str]) -> View:
    """Return a paper's claims in order, its errors, counts, and ids without a verdict."""
    place = {identifier: number for number, identifier in enumerate(catalogue)}
    ordered = sorted(views, key=lambda view: place.get(view["id"], len(place)))
    reported = {view["id"] for view in views}
    refuted = [view for view in ordered if view["verdict"] == "REFUTED"]
    paper, printed = paper_of(name), [view for view in ordered if view["printed"]]
    return {
        "name": name,
        "title": paper.title if paper else _SHARED.get(name, name) or "(no paper)",
        "paper": paper,
        "claims": ordered,
        "sections": _sections(ordered),
        "opening": opening(printed) if catalogue or paper else None,
        **graded(printed),
        "errors": [view for view in printed if view["grade"] in ERRORS],
        "questions": [view for view in refuted if not view["printed"]],
        "groups": _groups([view for view in ordered if view["verdict"] != "REFUTED"]),
        "file": file_name(name),
        "archive": archive_name(name),
        "counts": _counts(ordered),
        "catalogue": len(catalogue),
        "without": [identifier for identifier in catalogue if identifier not in reported],
        "covered": sum(identifier in reported for identifier in catalogue),
    }


def _sections(views: Sequence[View]) -> list[tuple[str, str]]:
    """Return the pages of the documents in which claims stand, with their titles."""
    places = [view["section"] for view in views if view["section"]]
    return [*{each["file"]: each["title"] for each in places}.items()]


def _groups(views: Sequence[View]) -> list[tuple[str, str, list[View]]]:
    """Return claims that are not false in reading order, in groups with titles."""
    printed = [view for view in views if view["printed"]]
    return [
        (
            "Readings that differ",
            "The first reading is the one that the authors would sign. Others, such as boundary "
            "cases, are settled otherwise.",
            [view for view in printed if view["mixed"]],
        ),
        ("Claims", "", [view for view in printed if not view["mixed"]]),
        (
            "Of our own",
            "Repairs, lemmas and questions; no paper claims these.",
            [view for view in views if not view["printed"]],
        ),
    ]


def _counts(views: Sequence[View]) -> dict[str, int]:
    verdicts = [view["verdict"] for view in views]
    counted = {verdict: verdicts.count(verdict) for verdict in VERDICTS}
    errors = sum(bool(view["error"]) for view in views)
    by_author = sum(view["refuted_by"] == AUTHOR for view in views)
    return counted | {"claims": len(views), "errors": errors, "by_author": by_author}


def _page(name: str, context: dict[str, object], symbols: Mapping[str, str] | None = None) -> str:
    """Fill the template of a page, without the end tags that HTML does not need and empty lines.
    A thousand pages are a tenth smaller so. `symbols` are the letters of the paper.
    """
    setting = {"typeset": later(typeset, symbols=symbols or {}), "in_quotes": IN_QUOTES}
    whole = rendered(f"proofs/{name}.html.j2", context | setting)
    pieces = _CODE.split(whole)
    return "".join(each if number % 2 else _OPTIONAL.sub("", each) for number, each in enumerate(pieces))


def _write(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8", errors="replace", newline="\n")
