"""Evidence of an estimate: a zip with every draw and coin that was bet on, the bets, and a program.

`python3 -I -S check.py` in it makes the bets again. The program is `bets`, and it has accepted the
files before they are written.
"""

import hashlib
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from pufferproof.models.errors import ModelError
from pufferproof.models.framework import Framework
from pufferproof.models.numbers.text import JsonObject, percent, text_of
from pufferproof.reports.auditing.samplers import bets
from pufferproof.reports.console.outputs import zip_of
from pufferproof.verify.decision import Verdict
from pufferproof.verify.simulation.estimation.answer import Estimate, bound_text
from pufferproof.verify.simulation.estimation.bets.additive import ClaimEvidence
from pufferproof.verify.simulation.estimation.bets.claims import level_json
from pufferproof.verify.simulation.estimation.calls import Bundle
from pufferproof.verify.simulation.estimation.events import Event, LabelEvent
from pufferproof.verify.simulation.estimation.outputs import (
    DrawnNumbers,
    Labels,
    Vectors,
    outputs_of,
)
from pufferproof.verify.simulation.estimation.state import fixed_json

_SECONDS = 600
_README = """\
What a sampler released shows this, with confidence {sure}:
{says}.

draws.jsonl has every call that was bet on, in order: its number, its block, the
secret that its coin showed (0 is the first of the pair), the database, and the
output. evidence.json has the events and the bets, which were fixed before the
first of these calls, and what was seen. {selected} draws that chose the events and
the bets are not here: nothing rests on them.

Run python3 -I -S check.py here (Python 3.11 or later, nothing else). It makes
the coins again from their secret and a hash of the bets, so that other bets
have other coins. It counts the event again, and makes the bets again. It prints
"accepted" or what is wrong. It cannot see whether the outputs are those of your
system, nor whether other runs were made and left out: draw some of them yourself.
"""


def bets_zipped(
    made: Estimate, record: Sequence[Bundle], framework: Framework, files: Mapping[str, bytes]
) -> bytes:
    """Return the zip of an estimate. Raises `ModelError` if nothing was shown, if calls were lost,
    or unless the program in it accepts it.
    """
    if made.witness is None or made.chosen is None:
        raise ModelError("nothing was shown, so that there is no evidence", "--evidence")
    if made.lost or made.stopped == "interrupted":
        raise ModelError("the run was interrupted, expected one that ended", "--evidence")
    event = made.witness.event
    draws = "".join(f"{json.dumps(line)}\n" for line in _lines(record, event)).encode()
    held = {"draws.jsonl": draws, "check.py": Path(bets.__file__).read_bytes(), **files}
    readme = _README.format(
        sure=percent(made.confidence), says=_says(made), selected=made.samples - draws.count(b"\n")
    )
    held["README.txt"] = readme.encode()
    document = _document(made, record, framework) | {
        "draws": draws.count(b"\n"),
        "files": {name: hashlib.sha256(each).hexdigest() for name, each in sorted(held.items())},
    }
    held["evidence.json"] = (json.dumps(document, indent=1) + "\n").encode()
    _expect_accepted(held)
    return zip_of(held)


def _says(made: Estimate) -> str:
    """Say what is shown."""
    asked = "" if made.claim is None else f", claimed {made.claim}"
    return f"{bound_text(made)}{asked}; {made.witness}"


def _document(made: Estimate, record: Sequence[Bundle], framework: Framework) -> JsonObject:
    """Return what is shown, and the bets that show it."""
    witness, chosen = made.witness, made.chosen
    if witness is None or chosen is None:
        raise ModelError("nothing was shown", "--evidence")
    evidence = witness.evidence
    known: JsonObject = {"kind": "leakage", "value": text_of(made.ratio), "claimed": None}
    if isinstance(evidence, ClaimEvidence):
        claimed, value = text_of(evidence.claim.value), text_of(made.value)
        known = {"kind": evidence.claim.kind, "value": value, "claimed": claimed}
    return {
        "format": "pufferproof-bets/1",
        "says": _says(made),
        **known,
        "level": level_json(made.level),
        "violates": made.verdict is Verdict.VIOLATES,
        "chosen": fixed_json(chosen, made.confidence, made.claim),
        "event": evidence.event,
        "databases": _databases(framework, witness.pair),
        "seen": list(evidence.seen),
        "calls": list(evidence.calls),
        "secret": made.coins[-1][1],
        "ordered": not any(bundle.grouped for bundle in record),
    }


def _databases(framework: Framework, pair: tuple[str, str]) -> list[list[str]] | None:
    """Return the databases of either secret, None if they are too many to list."""
    if framework.by_records:
        return None
    return [[framework.databases[x] for x in framework.secrets[name]] for name in pair]


def _lines(record: Sequence[Bundle], event: Event) -> Iterator[list[Any]]:
    """Yield every call: its number, its block, the secret of its coin, its database, its output."""
    number = 0
    for block, bundle in enumerate(record, 1):
        for side, label, value in bundle.each():
            number += 1
            yield [number, block, side, label, _shown(value, event)]


def _shown(value: Any, event: Event) -> Any:
    """Return an output as an event sees it: a label, a number, or a list of numbers."""
    outputs = outputs_of([value])
    if isinstance(event, LabelEvent):
        labels = outputs.labelled() if isinstance(outputs, Vectors) else outputs
        return next(iter(labels.counts)) if isinstance(labels, Labels) else None
    if isinstance(outputs, Labels):
        return outputs.vectors().values[0].tolist() if outputs.width else float("-inf")
    if isinstance(outputs, DrawnNumbers):
        return outputs.values[0].item()
    return outputs.values[0].tolist()


def _expect_accepted(files: Mapping[str, bytes]) -> None:
    """Run the program on a bare interpreter. Raises `ModelError` unless it accepts the files."""
    with tempfile.TemporaryDirectory() as place:
        for name, content in files.items():
            Path(place, name).write_bytes(content)
        done = subprocess.run(
            [sys.executable, "-I", "-S", "check.py"],
            cwd=place,
            capture_output=True,
            text=True,
            timeout=_SECONDS,
            check=False,
        )
    if done.returncode:
        said = (done.stdout or done.stderr).strip().splitlines()[-1:]
        raise ModelError(f"the program in the zip did not accept it: {' '.join(said)}")
