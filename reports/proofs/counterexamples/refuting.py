"""What refutes a claim: the counterexamples of its readings, each once."""

import json
from collections.abc import Sequence

from pufferproof.claims.run import Result
from pufferproof.models.numbers.text import JsonObject
from pufferproof.reports.proofs.counterexamples.shown import value_text
from pufferproof.reports.proofs.sentences import View


def counterexamples(result: Result, readings: Sequence[View]) -> list[View]:
    """Return the counterexamples of a claim's false readings, each with the names of the readings
    that it refutes; a finding that says the same again is left out.
    """
    found: dict[str, View] = {}
    for reading, view in zip(result["readings"], readings, strict=True):
        if reading["verdict"] != "REFUTED" or not view["counterexample"]:
            continue
        key = json.dumps([reading["counterexample"], view["finding"]], sort_keys=True)
        if key in found:
            found[key]["names"].append(view["name"])
            continue
        is_new = view["finding"] not in [each["finding"] for each in found.values()]
        found[key] = {
            "names": [view["name"]],
            "finding": view["finding"],
            "is_new": is_new,
            "shown": view["counterexample"],
        }
    return list(found.values())


def false_at(result: Result) -> str:
    """Return the values at which a formula of an open claim is false, "" without any."""
    if result["verdict"] != "OPEN":
        return ""
    steps = [step for reading in result["readings"] for step in reading["steps"]]
    failed = (step["evidence"] for step in steps if not step["ok"] and step["refuted"])
    values: JsonObject = next(filter(None, failed), {})
    return ", ".join(f"{name} = {value_text(value)}" for name, value in sorted(values.items()))
