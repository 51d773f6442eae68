"""Evidence of an estimate: a zip with every draw and coin that was bet on, the bets, and a program.

`python3 -I -S check.py` in it makes the bets again. The program is `bets`, and it has accepted the
files before they are written.
"""

import hashlib
import json
import subprocess
import sys
import tempfile
from decimal import localcontext
from pathlib import Path

from pufferproof.models.errors import ModelError
from pufferproof.models.framework import Framework
from pufferproof.models.numbers.text import JsonObject, text_of
from pufferproof.reports.auditing.samplers import bets
from pufferproof.reports.console.outputs import zip_of
from pufferproof.verify.simulation.estimation.bets import level_json
from pufferproof.verify.simulation.estimation.choosing import Record, fixed_json
from pufferproof.verify.simulation.estimation.state import Estimate

_SECONDS = 600
_ACCEPTED = "accepted: "
_README = """\
What a sampler released shows:

{says}

draws.jsonl has every call that was bet on, in order: its coin (1 is the first of
the pair), the database, and the output. evidence.json has the events and the
bets. They were fixed before the first of these calls, from the calls in
selection.jsonl: their databases and outputs.

Run python3 -I -S check.py here (Python 3.11 or later, nothing else). It makes
the coins again from their secret and a hash of all that was fixed, so that other
bets have other coins. It counts the event again, and makes the bets again. It
prints "accepted" or what is wrong. It cannot see whether the outputs are those of
your system, nor whether other runs were made and left out: draw some yourself.
"""


def bets_zipped(made: Estimate, record: Record, framework: Framework) -> bytes:
    """Return the zip of an estimate. Raises `ModelError` if nothing was shown, if calls were lost,
    or unless the program in it accepts it.
    """
    if made.witness is None or made.chosen is None:
        raise ModelError("nothing was shown, so that there is no evidence", "--evidence")
    if made.lost or made.stopped == "interrupted":
        raise ModelError("the run was interrupted, expected one that ended", "--evidence")
    claimed = level_json(made.level) if made.claim is None else {"value": text_of(made.claim.value)}
    known = {
        "format": "pufferproof-bets/1",
        "fixed": fixed_json(made.chosen, made.confidence, made.claim, record.fixed(framework, made.witness.pair)),
        "secret": made.coins[-1][1],
        "event": made.witness.evidence.event,
        "value": text_of(made.ratio if made.claim is None else made.value),
        "claimed": claimed,
        "best": sum(made.witness.evidence.calls),
    }
    with localcontext(bets.DIGITS):
        readme = _README.format(says=bets.sentence(known))
    held = {
        "README.txt": readme.encode(),
        "check.py": Path(bets.__file__).read_bytes(),
        "draws.jsonl": record.draws(made.witness.event),
    }
    known["files"] = {name: hashlib.sha256(each).hexdigest() for name, each in held.items()}
    held |= record.files | {"evidence.json": (json.dumps(known, indent=1) + "\n").encode()}
    with tempfile.TemporaryDirectory() as place:
        for file, content in held.items():
            Path(place, file).write_bytes(content)
        said = _said(place)
    if not said.startswith(_ACCEPTED):
        raise ModelError(f"the program in the zip did not accept it: {said}")
    return zip_of(held)


def checked_bets(path: str, longest: int) -> JsonObject | None:
    """Return what the program here says of a zip or a folder with bets, or None if it has no bets,
    or is refused as it is. Raises `ModelError` for what is no zip, or too long.
    """
    from pufferproof.reports.explaining.folder import Refused
    from pufferproof.reports.explaining.pack import opened

    try:
        with opened(path, longest) as place:
            if not Path(place, "evidence.json").is_file():
                return None
            said, program = _said(place), Path(place, "check.py")
            same = program.is_file() and program.read_bytes() == Path(bets.__file__).read_bytes()
    except (Refused, OSError):
        return None  # whoever checks certificates says why
    accepted = said.startswith(_ACCEPTED)
    text = said.split(": ", 1)[-1]
    return {
        "accepted": accepted,
        "reason": None if accepted else text,
        "shows": text if accepted else None,
        "same_program": same,
    }


def _said(folder: str) -> str:
    """Return what the program prints of a folder, on a bare interpreter."""
    words = [sys.executable, "-I", "-S", bets.__file__, folder]
    try:
        done = subprocess.run(words, capture_output=True, text=True, timeout=_SECONDS, check=False, cwd=folder)
    except subprocess.TimeoutExpired:
        return f"refused: the bets take over {_SECONDS} seconds"
    lines = (done.stdout or done.stderr).strip().splitlines()
    return lines[-1] if lines else "refused: the program ended without an answer"
