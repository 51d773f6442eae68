"""What `prove` prints on a terminal: every verdict with its trust, or how many there are of
each.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from pufferproof.claims.run import Result
from pufferproof.reports.proofs.pages import differing


def lines(results: Sequence[Result]) -> list[str]:
    """Render results for a terminal: one line per claim, its readings where they differ from
    the headline.
    """
    shown = []
    for result in results:
        trust = ", ".join(result["trust"]) or "nothing trusted"
        shown.append(
            f"{result['verdict']:<10} {result['id']}  "
            f"({trust}){'  cached' if result['cached'] else ''}"
        )
        if result["error"]:
            shown.append(f"           error: {result['error']}")
        if result["verdict"] == "OPEN" and result["weakness"]:
            shown.append(f"           not enough: {result['weakness']}")
        if result["verdict"] == "OPEN":
            shown += [f"           {line}" for line in _false_at(result)[:1]]
        if differs := differing(result):
            shown.append(f"           {differs}")
            shown += [
                f"           {reading['verdict']:<10} {reading['name']}"
                for reading in result["readings"]
            ]
    return [*shown, *_cached(results)]


def tally(results: Sequence[Result]) -> list[str]:
    """Count verdicts, paper by paper, and what was cached."""
    shown = []
    for paper in dict.fromkeys(result["paper"] for result in results):
        counts = Counter(result["verdict"] for result in results if result["paper"] == paper)
        shown.append(
            f"{paper}: "
            + ", ".join(f"{count} {verdict}" for verdict, count in sorted(counts.items()))
        )
    return [*shown, *_cached(results)]


def _cached(results: Sequence[Result]) -> list[str]:
    cached = sum(result["cached"] for result in results)
    return [f"cached: {cached} of {len(results)} claims"] if cached else []


def _false_at(result: Result) -> list[str]:
    """Say at which values an inequality that was not discharged is false, as the solver's model
    has it.
    """
    steps = [(reading, step) for reading in result["readings"] for step in reading["steps"]]
    return [
        f'false in "{reading["name"]}", step "{step["name"]}": {values_text(step["evidence"])}'
        for reading, step in steps
        if not step["ok"] and step["refuted"] and step["evidence"]
    ]


def values_text(values: Mapping[str, Any]) -> str:
    """Write values by name on one line; None is irrational."""
    return ", ".join(
        f"{name} = {'irrational' if value is None else value}"
        for name, value in sorted(values.items())
    )
