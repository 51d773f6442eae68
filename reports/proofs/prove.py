"""The `prove` command: choose claims, run them with progress, compare with the recorded
verdicts, write the report.
"""

import json
import sys
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

import pufferproof.claims as claims_of_the_package
from pufferproof.claims.registry import Claim, load_claims
from pufferproof.claims.run import Result, run_claims
from pufferproof.models.errors import ModelError
from pufferproof.models.files.outputs import write_atomically
from pufferproof.reports.proofs.pages import differing

RECORD = Path(__file__).resolve().parents[2] / "claims" / "EXPECTED.json"
CATALOGUE = RECORD.parent / "catalogue"


def chosen_claims(patterns: Sequence[str], extra: Sequence[str]) -> list[Claim]:
    """Return the claims whose id matches a pattern: a shell pattern, or a prefix that ends at a dot
    or the id.

    Without a pattern: those of the extra files if there are any, else all. Raises `ModelError` for
    a pattern without a match.
    """
    claims = load_claims(extra)
    if extra and not patterns:
        ours = f"{claims_of_the_package.__name__}."
        claims = {
            name: each
            for name, each in claims.items()
            if not each.function.__module__.startswith(ours)
        }
    for pattern in patterns:
        if not any(_matches(name, pattern) for name in claims):
            raise ModelError(
                f'no claim matches "{pattern}", expected a prefix or a pattern such as "lemma" or '
                f'"*.thm*"'
            )
    return [
        claim
        for name, claim in claims.items()
        if not patterns or any(_matches(name, each) for each in patterns)
    ]


def prove(
    claims: Sequence[Claim],
    *,
    extra: Sequence[str],
    jobs: int | None,
    timeout: float,
    use_cache: bool,
    warn: Callable[[str], None] = lambda line: None,
) -> tuple[list[Result], bool]:
    """Run claims with a progress bar on standard error; return the results and whether the run was
    interrupted.

    `warn` is called, at most once, if results could not be kept for the next run.
    """
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    finished: list[Result] = []
    columns = (
        TextColumn("proving"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("{task.description}"),
    )
    with Progress(
        *columns, console=Console(stderr=True), transient=True, disable=not sys.stderr.isatty()
    ) as progress:
        task = progress.add_task("", total=len(claims))

        def done(result: Result) -> None:
            finished.append(result)
            progress.update(task, advance=1, description=result["id"])

        try:
            results = run_claims(
                claims,
                extra=extra,
                jobs=jobs,
                timeout=timeout,
                use_cache=use_cache,
                done=done,
                warn=warn,
            )
        except KeyboardInterrupt:
            return finished, True
    return results, False


def summary(result: Result) -> dict[str, Any]:
    """Return the part of a result that `prove --json` prints."""
    readings = [
        {key: reading[key] for key in ("name", "verdict", "trust", "scope", "counterexample")}
        for reading in result["readings"]
    ]
    kept = (
        "id",
        "verdict",
        "trust",
        "scope",
        "checked",
        "counterexample",
        "repair",
        "assumes",
        "carried",
        "cached",
        "error",
    )
    return {**{key: result[key] for key in kept}, "readings": readings}


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
    for name, found in verdicts(results).items():
        expected = known.get(name)
        if expected is None:
            lines.append(f"{name}: {found['verdict']}, not recorded")
        elif expected["verdict"] != found["verdict"]:
            lines.append(f"{name}: {found['verdict']}, recorded {expected['verdict']}")
        elif expected != found:
            lines.append(f"{name}: {_changed_readings(expected['readings'], found['readings'])}")
    return lines


def catalogue() -> dict[str, list[str]]:
    """Return the ids of every catalogue of claims, by paper."""
    return {
        path.stem: path.read_text(encoding="utf-8").split()
        for path in sorted(CATALOGUE.glob("*.txt"))
    }


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


def _matches(name: str, pattern: str) -> bool:
    return (
        name == pattern
        or name.startswith(pattern.removesuffix(".") + ".")
        or fnmatchcase(name, pattern)
    )


def _changed_readings(expected: Mapping[str, str], found: Mapping[str, str]) -> str:
    names = sorted({*expected, *found})
    changed = [
        f'"{name}" {found.get(name)}, recorded {expected.get(name)}'
        for name in names
        if expected.get(name) != found.get(name)
    ]
    return "; ".join(changed)
