"""The recorded verdicts of all claims, `claims/EXPECTED.json`, and how results differ from them."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pufferproof.claims.registry import load_claims
from pufferproof.claims.run import Result
from pufferproof.models.files.outputs import write_atomically

RECORD = Path(__file__).resolve().parents[2] / "claims" / "EXPECTED.json"
CATALOGUE = RECORD.parent / "catalogue"


def verdicts(results: Sequence[Result]) -> dict[str, Any]:
    """Return what is recorded of results: the verdict of every claim and of its readings."""
    return {
        result["id"]: {
            "verdict": result["verdict"],
            "readings": {reading["name"]: reading["verdict"] for reading in result["readings"]},
        }
        for result in results
    }


def recorded() -> dict[str, Any]:
    """Read the recorded verdicts."""
    return dict(json.loads(RECORD.read_text(encoding="utf-8"))) if RECORD.exists() else {}


def record(results: Sequence[Result]) -> None:
    """Write the verdicts of these results into the record, keeping those of other claims that
    still exist.
    """
    known = load_claims()
    kept = {
        name: entry for name, entry in {**recorded(), **verdicts(results)}.items() if name in known
    }
    write_atomically(
        RECORD, json.dumps(dict(sorted(kept.items())), indent=1, ensure_ascii=False) + "\n"
    )


def differences(results: Sequence[Result]) -> list[str]:
    """Say in one line each how results differ from the recorded verdicts, and which claims
    could not be examined.
    """
    known = recorded()
    lines = [
        f"{result['id']}: not examined: {result['error']}" for result in results if result["error"]
    ]
    for name, entry in verdicts(results).items():
        expected = known.get(name)
        if expected is None:
            lines.append(f"{name}: {entry['verdict']}, not recorded")
        elif expected["verdict"] != entry["verdict"]:
            lines.append(f"{name}: {entry['verdict']}, recorded {expected['verdict']}")
        elif expected != entry:
            lines.append(f"{name}: {_changed_readings(expected['readings'], entry['readings'])}")
    return lines


def catalogue() -> dict[str, list[str]]:
    """Return the ids of every catalogue of claims, by paper."""
    return {
        path.stem: path.read_text(encoding="utf-8").split()
        for path in sorted(CATALOGUE.glob("*.txt"))
    }


def _changed_readings(expected: Mapping[str, str], readings: Mapping[str, str]) -> str:
    names = sorted({*expected, *readings})
    changed = [
        f'"{name}" {readings.get(name)}, recorded {expected.get(name)}'
        for name in names
        if expected.get(name) != readings.get(name)
    ]
    return "; ".join(changed)
