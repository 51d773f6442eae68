"""What a report audits: mechanisms of examples alone, released together, and released again and again, with evidence each.

An `AuditRun` or `ComposeRun` holds what was found, the object that the command line prints for the same files, and the
kernel's answer. A `RateRun` adds how a mechanism's leakage grows with the number of runs: its composition rate with evidence,
exact leakages of up to `CURVE_RUNS` runs, and, where finitely many runs leak everything, how soon they do.
"""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from pufferproof.lp.certificates import rate_certificate
from pufferproof.lp.nfc import Rate, composition_rate
from pufferproof.models.channel import Channel
from pufferproof.models.errors import ModelError
from pufferproof.models.files import Loaded, read_framework, read_mechanism, write_atomically
from pufferproof.models.framework import Framework
from pufferproof.models.level import Level
from pufferproof.reports.compose import rates_affordable
from pufferproof.reports.evidence import Evidence, copied_inputs, evidenced
from pufferproof.reports.examples import AuditCase, ComposeCase, Example
from pufferproof.reports.rate_plot import RateCurve, rate_curve
from pufferproof.reports.text import table_csv
from pufferproof.verify.audit import Audit, audit
from pufferproof.verify.certificates import Inputs, audit_certificate, composition_certificate
from pufferproof.verify.composition import Composition, audit_composition
from pufferproof.verify.revealing import Observer, RevealingRow
from pufferproof.verify.table import Row, leakage_table

MAX_TABLE_ROWS = 100_000  # of a CSV file in the report
SHOWN_ROWS = 200  # of a table in the page
CURVE_RUNS = 20


@dataclass(frozen=True)
class AuditRun:
    """An audit of an example: what was found, the object `audit --json` prints, evidence, and the start of its table.

    `table` is the CSV file in the report, None when the table has over `MAX_TABLE_ROWS` rows.
    """

    name: str
    example: Example
    case: AuditCase
    found: Audit
    answer: dict[str, Any]
    evidence: Evidence
    table: str | None
    rows: tuple[Row, ...]


@dataclass(frozen=True)
class RateRun:
    """A mechanism released again and again: its rate, evidence, and the leakages of some numbers of runs.

    `revealing` is how soon secrets are certain, where the rate is infinite and that is not too much to follow.
    """

    mechanism: str
    rate: Rate
    evidence: Evidence
    curve: RateCurve
    revealing: tuple[RevealingRow, ...]

    def as_json(self) -> dict[str, Any]:
        """Return mechanism, rate, leakages by number of runs, what is revealed when, and evidence."""
        curve = [{"runs": k, "leakage": each.as_json()} for k, each in zip(self.curve.runs, self.curve.leakages)]
        revealing = [row.as_json() for row in self.revealing] or None
        shown = {"mechanism": self.mechanism, "rate": self.rate.as_json(), "curve": curve, "reveal": revealing}
        return shown | self.evidence.as_json()


@dataclass(frozen=True)
class ComposeRun:
    """A joint release of an example: what was found, the object `compose --json` prints, evidence, and rates.

    `rates` has an entry for every different mechanism, none when there are too many games to solve.
    """

    name: str
    example: Example
    case: ComposeCase
    found: Composition
    answer: dict[str, Any]
    evidence: Evidence
    rates: tuple[RateRun, ...]


Known = dict[tuple[str, str, str], RateRun]  # by example, framework and mechanism


def run_audit(example: Example, number: int, out: Path) -> AuditRun:
    """Audit the case at position `number` of an example, and write its inputs, certificate and table below `out`."""
    case = example.audits[number]
    name = f"{example.name}-{number + 1}"
    space = read_framework(example.path(case.framework))
    loaded = read_mechanism(example.path(case.mechanism), space.value)
    level = None if case.epsilon is None else Level.parse(case.epsilon)
    found = audit(space.value, loaded.value, level)
    answer = found.as_json() | {"inputs": {"framework": space.sha256, "mechanism": loaded.sha256}}
    inputs = copied_inputs(example, case.files, out)
    asked = [] if case.epsilon is None else ["--epsilon", case.epsilon]
    evidence = evidenced(
        lambda: audit_certificate(found, Inputs(space.sha256, (loaded.sha256,))),
        f"certificates/{name}.json", inputs, ["pufferproof", "audit", *inputs, *asked], out,
    )  # fmt: skip
    table, rows = _written_table(found, f"tables/{name}.csv", out)
    return AuditRun(name, example, case, found, _with_trust(answer, evidence), evidence, table, rows)


def run_compose(example: Example, number: int, out: Path, known: Known) -> ComposeRun:
    """Audit the joint release at position `number` of an example, and write its inputs and certificates below `out`.

    Rates that are `known` from earlier joint releases of the example are taken from there, others are added.
    """
    case = example.composes[number]
    name = f"{example.name}-compose-{number + 1}"
    space = read_framework(example.path(case.framework))
    loaded = [read_mechanism(example.path(file), space.value) for file in case.mechanisms]
    found = audit_composition(space.value, [each.value for each in loaded])
    hashes = tuple(each.sha256 for each in loaded)
    answer = found.as_json() | {"inputs": {"framework": space.sha256, "mechanisms": list(hashes)}}
    inputs = copied_inputs(example, case.files, out)
    rates = _rates(example, case, space, loaded, out, known)
    answer["rate"] = [rates[file].rate.as_json() for file in case.mechanisms] if rates else None
    evidence = evidenced(
        lambda: composition_certificate(found, Inputs(space.sha256, hashes)),
        f"certificates/{name}.json", inputs, ["pufferproof", "compose", *inputs], out,
    )  # fmt: skip
    return ComposeRun(name, example, case, found, _with_trust(answer, evidence), evidence, tuple(rates.values()))


def _rates(
    example: Example,
    case: ComposeCase,
    space: Loaded[Framework],
    loaded: Sequence[Loaded[Channel]],
    out: Path,
    known: Known,
) -> dict[str, RateRun]:
    """Return the rates of the different mechanisms of a joint release, by file; none when there are too many games."""
    if not rates_affordable(space.value):
        return {}
    rates = {}
    for file, mechanism in zip(case.mechanisms, loaded):
        key = example.name, case.framework, file
        if key not in known:
            number = 1 + sum(name == example.name for name, _, _ in known)
            inputs = copied_inputs(example, (case.framework, file), out)
            known[key] = _rate(f"{example.name}-rate-{number}", file, space, mechanism, inputs, out)
        rates[file] = known[key]
    return rates


def _rate(
    name: str, file: str, space: Loaded[Framework], mechanism: Loaded[Channel], inputs: Sequence[str], out: Path
) -> RateRun:
    rate = composition_rate(space.value, mechanism.value)
    path = f"certificates/{name}.json"
    command = ["pufferproof", "compose", *inputs, "--rate-certificate", os.path.basename(path)]
    hashes = Inputs(space.sha256, (mechanism.sha256,))
    evidence = evidenced(lambda: rate_certificate(rate, hashes), path, inputs, command, out)
    revealing = _revealing(space.value, mechanism.value) if rate.infinite else ()
    return RateRun(file, rate, evidence, rate_curve(space.value, rate, CURVE_RUNS), revealing)


def _revealing(framework: Framework, mechanism: Channel) -> tuple[RevealingRow, ...]:
    try:
        return tuple(Observer(framework, mechanism).rows(CURVE_RUNS))
    except ModelError:  # too much to follow: the report then shows leakages only
        return ()


def _with_trust(answer: dict[str, Any], evidence: Evidence) -> dict[str, Any]:
    return answer | {"trust": ["KERNEL"], "certificate": evidence.certificate} if evidence.accepted else answer


def _written_table(found: Audit, path: str, out: Path) -> tuple[str | None, tuple[Row, ...]]:
    rows = leakage_table(found.framework, found.channel)
    if found.scope.checked > MAX_TABLE_ROWS:
        return None, tuple(islice(rows, SHOWN_ROWS))
    every = tuple(rows)
    write_atomically(out / path, table_csv(every))
    return path, every[:SHOWN_ROWS]
