"""What a report rests on: every statement audited, certified, and asked about to the kernel as a separate process.

The kernel runs on a bare interpreter (`python -I -S`), reads the certificate from the report and the framework and mechanism
from the examples, and compares them. A statement without a certificate rule keeps the trust EXACT and says why.
"""

import importlib.util
import json
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from pufferproof.lp.nfc import composition_rate
from pufferproof.models.errors import CertificateError
from pufferproof.models.files import read_framework, read_mechanism, write_atomically
from pufferproof.models.level import Level
from pufferproof.reports.examples import AuditCase, ComposeCase, Example
from pufferproof.reports.text import table_csv
from pufferproof.verify.audit import Audit, audit
from pufferproof.verify.certificates import Inputs, audit_certificate, composition_certificate
from pufferproof.verify.composition import Composition, audit_composition
from pufferproof.verify.table import Row, leakage_table

MAX_TABLE_ROWS = 100_000  # of a CSV file in the report
SHOWN_ROWS = 200  # of a table in the page


@dataclass(frozen=True)
class Evidence:
    """A certificate in the report and the kernel's answer, or why there is no certificate.

    `certificate` is its path in the report. `said` is what the kernel proved, or its reason to refuse, or the reason why there
    is no certificate. `commands` reproduce the statement and the check from the report's folder.
    """

    certificate: str | None
    accepted: bool
    said: str
    checked: int
    commands: tuple[str, ...]

    @property
    def refused(self) -> bool:
        """Whether there is a certificate and the kernel did not accept it."""
        return self.certificate is not None and not self.accepted

    def as_json(self) -> dict[str, Any]:
        """Return certificate, the kernel's answer (None without a certificate), and the commands."""
        kernel = {"accepted": self.accepted, "said": self.said, "checked": self.checked}
        return {
            "certificate": self.certificate,
            "no_certificate": self.said if self.certificate is None else None,
            "kernel": None if self.certificate is None else kernel,
            "commands": list(self.commands),
        }


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
class ComposeRun:
    """A joint release of an example: what was found, the object `compose --json` prints, and evidence."""

    name: str
    example: Example
    case: ComposeCase
    found: Composition
    answer: dict[str, Any]
    evidence: Evidence


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
    evidence = _evidence(
        lambda: audit_certificate(found, Inputs(space.sha256, (loaded.sha256,))),
        f"certificates/{name}.json", inputs, ["pufferproof", "audit", *inputs, *asked], out,
    )  # fmt: skip
    table, rows = _written_table(found, f"tables/{name}.csv", out)
    return AuditRun(name, example, case, found, _with_trust(answer, evidence), evidence, table, rows)


def run_compose(example: Example, number: int, out: Path) -> ComposeRun:
    """Audit the joint release at position `number` of an example, and write its inputs and certificate below `out`."""
    case = example.composes[number]
    name = f"{example.name}-compose-{number + 1}"
    space = read_framework(example.path(case.framework))
    loaded = [read_mechanism(example.path(file), space.value) for file in case.mechanisms]
    found = audit_composition(space.value, [each.value for each in loaded])
    hashes = tuple(each.sha256 for each in loaded)
    answer = found.as_json() | {"inputs": {"framework": space.sha256, "mechanisms": list(hashes)}}
    answer["rate"] = [composition_rate(space.value, each.value).as_json() for each in loaded]
    inputs = copied_inputs(example, case.files, out)
    evidence = _evidence(
        lambda: composition_certificate(found, Inputs(space.sha256, hashes)),
        f"certificates/{name}.json", inputs, ["pufferproof", "compose", *inputs], out,
    )  # fmt: skip
    return ComposeRun(name, example, case, found, _with_trust(answer, evidence), evidence)


def kernel_file() -> Path:
    """Return where the kernel's one file is."""
    found = importlib.util.find_spec("pufferproof.verify.kernel")
    if found is None or found.origin is None:
        raise CertificateError("the kernel's file verify/kernel.py is not installed")
    return Path(found.origin)


def ask_kernel(certificate: str, inputs: Sequence[str], folder: Path) -> dict[str, Any]:
    """Run the kernel as a process of its own in `folder` and return its answer; a crash is an answer that refuses."""
    command = [sys.executable, "-I", "-S", str(kernel_file().resolve()), "--json", certificate, *inputs]
    done = subprocess.run(command, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, check=False)
    try:
        answer = json.loads(done.stdout)
        accepted = done.returncode == 0 and answer["accepted"] is True and answer["inputs"] == "matched"
        return {
            "accepted": accepted,
            "said": str(answer["statement" if accepted else "reason"]),
            "checked": answer["checked"],
        }
    except (ValueError, KeyError, TypeError):
        last = done.stderr.decode(errors="replace").strip().splitlines()[-1:]
        return {"accepted": False, "said": f"ended with code {done.returncode}: {' '.join(last)}", "checked": 0}


def copied_inputs(example: Example, files: Sequence[str], out: Path) -> list[str]:
    """Copy the files of an example into the report and return their paths there."""
    paths = [f"inputs/{example.name}/{file}" for file in files]
    for path, file in zip(paths, files):
        (out / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(example.path(file), out / path)
    return paths


def _evidence(
    certify: Callable[[], dict[str, Any]], path: str, inputs: Sequence[str], command: Sequence[str], out: Path
) -> Evidence:
    try:
        document = certify()
    except CertificateError as error:
        return Evidence(None, False, str(error), 0, (shlex.join(command),))
    write_atomically(out / path, json.dumps(document, ensure_ascii=False, indent=1) + "\n")
    answer = ask_kernel(path, inputs, out)
    check = ["python3", "-I", "-S", "kernel.py", path, *inputs]
    return Evidence(path, **answer, commands=(shlex.join(command), shlex.join(check)))


def _with_trust(answer: dict[str, Any], evidence: Evidence) -> dict[str, Any]:
    return answer | {"trust": ["KERNEL"], "certificate": evidence.certificate} if evidence.accepted else answer


def _written_table(found: Audit, path: str, out: Path) -> tuple[str | None, tuple[Row, ...]]:
    rows = leakage_table(found.framework, found.channel)
    if found.scope.checked > MAX_TABLE_ROWS:
        return None, tuple(islice(rows, SHOWN_ROWS))
    every = tuple(rows)
    write_atomically(out / path, table_csv(every))
    return path, every[:SHOWN_ROWS]
