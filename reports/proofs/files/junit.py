"""The results as JUnit XML, so that a continuous integration shows claims as tests.

A verdict is a finding, not a failure: each but OPEN passes and carries its verdict as a property;
OPEN is skipped; an engine that failed is an error.
"""

import re
from collections.abc import Sequence
from xml.etree import ElementTree

from pufferproof.claims.language.wording import quoted
from pufferproof.claims.run import Result
from pufferproof.reports.console.labels import visible
from pufferproof.reports.proofs.sentences import scope_of

_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def junit_xml(results: Sequence[Result]) -> str:
    """Return the test suites, one per paper, one test case per claim."""
    root = ElementTree.Element("testsuites", name="pufferproof prove")
    for paper in dict.fromkeys(result["paper"] for result in results):
        cases = [result for result in results if result["paper"] == paper]
        suite = ElementTree.SubElement(root, "testsuite", {"name": _text(paper)} | _counts(cases))
        for result in cases:
            _case(suite, result)
    ElementTree.indent(root)
    return (
        '<?xml version="1.0" encoding="utf-8"?>\n'
        + ElementTree.tostring(root, encoding="unicode")
        + "\n"
    )


def _counts(cases: Sequence[Result]) -> dict[str, str]:
    errors = sum(bool(case["error"]) for case in cases)
    skipped = sum(case["verdict"] == "OPEN" and not case["error"] for case in cases)
    seconds = sum(case["seconds"] for case in cases)
    return {
        "tests": str(len(cases)),
        "failures": "0",
        "errors": str(errors),
        "skipped": str(skipped),
        "time": f"{seconds:.3f}",
    }


def _case(suite: ElementTree.Element, result: Result) -> None:
    name, paper = _text(result["id"]), _text(result["paper"])
    case = ElementTree.SubElement(
        suite, "testcase", classname=paper, name=name, time=f"{result['seconds']:.3f}"
    )
    properties = ElementTree.SubElement(case, "properties")
    for key in ("verdict", "refuted_by", "trust", "scope", "checked"):
        value = "" if result[key] is None else str(result[key])
        value = ", ".join(result[key]) if key == "trust" else value
        ElementTree.SubElement(properties, "property", name=key, value=_text(value))
    if result["error"]:
        ElementTree.SubElement(case, "error", message=_text(result["error"]), type="engine")
    elif result["verdict"] == "OPEN":
        ElementTree.SubElement(case, "skipped", message=_text(_undecided(result)))
    ElementTree.SubElement(case, "system-out").text = _text("\n".join(_lines(result)))


def _undecided(result: Result) -> str:
    steps = [
        step["name"]
        for reading in result["readings"]
        for step in reading["steps"]
        if not step["ok"]
    ]
    return f"OPEN; not discharged: {', '.join(steps)}" if steps else "OPEN"


def _lines(result: Result) -> list[str]:
    said = [f"{result['verdict']}  {quoted(result['where'])}"]
    for reading in result["readings"]:
        said.append(f"{reading['verdict']}  {quoted(reading['name'])} {scope_of(reading)}".rstrip())
        said += [
            f"  counterexample: {step['sentence']}" for step in reading["steps"] if _refutes(step)
        ]
    return [*said, f"repair: {result['repair']}"] if result["repair"] else said


def _refutes(step: Result) -> bool:
    return bool(step["kind"] == "counterexample" and step["ok"])


def _text(value: str) -> str:
    """Return text without what XML cannot hold or what hides text."""
    return _NOT_XML.sub("\ufffd", visible(value))
