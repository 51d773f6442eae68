"""What workers elsewhere answer: bytes of JSON, with the versions they have. Whatever else comes is
refused, and so is a worker with another version of this package or of those that compute.
"""

import json
import math
from collections.abc import Sequence

from pufferproof.models.errors import ModelError
from pufferproof.models.interface.sweeps.units import DONE, HUNG, OTHER, RAISED, WRONG, Call, Said, first_of, packages
from pufferproof.models.interface.sweeps.units import carried_out as carried_out_here
from pufferproof.models.numbers.text import JsonObject, shown

FORMAT = "pufferproof-answers/1"
MOST = 64 * 2**20  # bytes
_KEYS = {"format": str, "packages": str, "said": list}
_KINDS = (DONE, RAISED, HUNG, WRONG, OTHER)


def asked(calls: Sequence[Call]) -> bytes:
    """Write what a worker is asked to carry out."""
    return json.dumps(calls).encode()


def carried_out(calls: bytes, limit: float | None, seconds: float) -> bytes:
    """Carry out the first of some units in a worker, for as long as there is time and room, and
    return what became of them as bytes of JSON.
    """
    said, room = list[Said](), MOST - len(_written([]))
    for function, arguments, version in first_of(json.loads(calls), seconds):
        each = carried_out_here(function, arguments, version, limit)
        size = len(json.dumps(each)) + 2
        if size > room and said:  # it is asked for again, as the first
            break
        said.append(each if size <= room else (WRONG, f"over {MOST} bytes", 0.0))
        room -= size
    return _written(said)


def _written(said: Sequence[Said]) -> bytes:
    return json.dumps({"format": FORMAT, "packages": packages(), "said": said}).encode()


def read(data: object, most: int) -> list[Said]:
    """Read what a worker answers of so many units, of the first at least. Raises `ModelError` for
    anything that `carried_out` does not return, and for a worker with other versions, which it
    names.
    """
    answer = _object(data)
    if not 1 <= len(answer["said"]) <= most:
        raise _refused(f"expected 1 to {most} outcomes, found {len(answer['said'])}")
    said = [_outcome(each) for each in answer["said"]]
    if any(kind == OTHER for kind, _, _ in said):
        raise _refused(f"{_differences(answer['packages'])}: give all the same")
    return said


def _outcome(said: object) -> Said:
    match said:
        case [str(kind), str(text), float(seconds)] if kind in _KINDS and math.isfinite(seconds):
            return kind, text, seconds
    raise _refused(f"expected an outcome, its text and seconds, found {shown(said)}")


def _object(data: object) -> JsonObject:
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
