"""What workers elsewhere answer: bytes of JSON, with the versions they have. Whatever else comes is
refused, and so is a worker with another version of this package or of those that compute.
"""

import json
import math
from typing import Any

from pufferproof.models.errors import ModelError
from pufferproof.models.interface.sweeps.units import DIED, DONE, HUNG, OTHER, RAISED, WRONG, Said
from pufferproof.models.interface.sweeps.units import carried_out as carried_out_here
from pufferproof.models.interface.sweeps.versions import packages
from pufferproof.models.numbers.text import shown

FORMAT = "pufferproof-answer/1"
MOST = 64 * 2**20  # bytes
_KEYS = {"format": str, "packages": str, "kind": str, "text": str, "seconds": float}
_KINDS = (DONE, RAISED, HUNG, WRONG, OTHER, DIED)


def carried_out(function: str, arguments: str, version: str, limit: float | None) -> bytes:
    """Carry out a unit in a worker, and return what became of it as bytes of JSON."""
    data = _written(carried_out_here(function, arguments, version, limit))
    return data if len(data) <= MOST else _written((WRONG, f"over {MOST} bytes", 0.0))


def _written(said: Said) -> bytes:
    kind, text, seconds = said
    answer = {"format": FORMAT, "packages": packages(), "kind": kind, "text": text}
    return json.dumps(answer | {"seconds": seconds}).encode()


def read(data: object) -> Said:
    """Read what a worker answers. Raises `ModelError` for anything that `carried_out` does not
    return, and for a worker with other versions, which it names.
    """
    answer = _object(data)
    if answer["kind"] == OTHER:
        raise _refused(f"{_differences(answer['packages'])}: give all the same")
    if answer["kind"] not in _KINDS or not math.isfinite(answer["seconds"]):
        raise _refused(f"unknown outcome {shown(answer['kind'])}")
    return answer["kind"], answer["text"], answer["seconds"]


def _object(data: object) -> dict[str, Any]:
    if not isinstance(data, bytes):
        raise _refused(f"expected bytes of JSON, found {shown(type(data).__name__)}")
    if len(data) > MOST:
        raise _refused(f"expected at most {MOST} bytes, found {len(data)}")
    try:
        answer = json.loads(data.decode())
    except (ValueError, RecursionError) as error:
        raise _refused(f"expected JSON in UTF-8: {shown(str(error))}") from None
    if not isinstance(answer, dict) or answer.get("format") != FORMAT:
        raise _refused(f"expected the format {FORMAT}, found {shown(answer)}")
    if {key: type(value) for key, value in answer.items()} != _KEYS:
        raise _refused(f"expected the keys {', '.join(_KEYS)} and their types")
    return answer


def _differences(theirs: str) -> str:
    """Say which packages of a worker are of other versions than here."""
    ours, found = _versions(packages()), _versions(theirs)
    differing = [
        f"{name} {shown(found.get(name, 'absent'))}, here {ours[name]}"
        for name in ours
        if found.get(name) != ours[name]
    ]
    return f"it has {'; '.join(differing) or 'other sources of pufferproof'}"


def _versions(text: str) -> dict[str, str]:
    words = text.split()
    return dict(zip(words[::2], words[1::2]))


def _refused(why: str) -> ModelError:
    return ModelError(f"the answer of a worker is refused: {why}", "--scheduler")
