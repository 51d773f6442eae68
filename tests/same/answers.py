"""What commands answer to drawn questions, in the few words and numbers that must stay."""

import json
from collections import defaultdict
from collections.abc import Iterator
from contextlib import chdir, redirect_stderr, redirect_stdout
from fractions import Fraction
from io import StringIO
from pathlib import Path
from typing import Any

from tests.same.questions import Question

from pufferproof.reports import cli

WORDS = ("verdict", "holds", "exact", "reached")
FOUND = ".strategies."  # exact numbers about designs that floats found, which differ by processor
UNJUDGED = ("inputs", "rests_on", "printed")
MOST_WIDER = 1e-9  # by which an enclosure may be wider than the recorded one
RECORDED = Path(__file__).with_name("recorded.jsonl")
Answer = dict[str, Any]  # by places in the JSON: a word, an exact number, or the ends of one


def recorded() -> dict[str, list[tuple[int, Answer]]]:
    """The recorded answers of each kind, with the numbers of their questions."""
    found: dict[str, list[tuple[int, Answer]]] = defaultdict(list)
    if RECORDED.exists():
        for line in RECORDED.read_text(encoding="utf-8").splitlines():
            kind, number, answer = json.loads(line)
            found[kind].append((number, answer))
    return found


def answered(asked: Question, folder: Path) -> Answer:
    """Run the command on its files, which are written to a folder."""
    for name, content in asked.files.items():
        (folder / name).write_text(json.dumps(content))
    out, err = StringIO(), StringIO()
    with chdir(folder), redirect_stdout(out), redirect_stderr(err):
        code = cli._run([*asked.words, "--json"])
    if code == 2:
        return {"refused": True}
    said = json.loads(out.getvalue())
    return dict(_kept("", said)) | {"by": _by(said)}


def _by(said: Any) -> str:
    """The kinds of arithmetic and the claims of the engines that answered, which may change."""
    claims = {each["claim"]: None for each in said.get("rests_on", ())}
    return " ".join((*said.get("trust", ()), *claims))


def _kept(place: str, found: Any) -> Iterator[tuple[str, Any]]:
    match found:
        case {"ratio": str(ratio), "epsilon": dict()}:
            yield place, ratio
        case {"lower": str(lower), "upper": str(upper)}:
            yield place, _ends(float(lower), float(upper))
        case dict():
            for key, value in found.items():
                if key in WORDS and value is not None and not isinstance(value, dict | list):
                    yield f"{place}.{key}", value
                elif key not in UNJUDGED:
                    yield from _kept(f"{place}.{key}", value)
        case list():
            for number, value in enumerate(found):
                yield from _kept(f"{place}.{number}", value)


def _ends(lower: float, upper: float) -> float | list[float]:
    """Both ends to twelve digits, one number where these are equal."""
    ends = [float(f"{each:.12g}") for each in (lower, upper)]
    return ends[0] if ends[0] == ends[1] else ends


def worse(recorded: Answer, now: Answer) -> list[str]:
    """Say in which places an answer says less than the recorded one, or another thing."""
    if "refused" in now:
        return [] if "refused" in recorded else ["refused, not answered"]
    return [
        f"{place.lstrip('.')}: {now.get(place)}, recorded {value}"
        for place, value in recorded.items()
        if place not in ("refused", "by")
        and not _agree(value, now.get(place), place.startswith(FOUND))
    ]


def _agree(recorded: Any, now: Any, found: bool) -> bool:
    """An exact number stays unless floats found its design, a verdict is reached, and ends that
    overlap are as close as before.
    """
    if recorded == now or recorded == "UNDECIDED":
        return True
    if isinstance(recorded, bool if found else str | bool) or now is None or isinstance(now, bool):
        return False
    (lower, upper), (low, high) = _both(recorded), _both(now)
    most = MOST_WIDER * max(1, abs(lower))
    overlap = low <= upper + most and lower <= high + most
    return overlap and not high - low > upper - lower + most


def _both(ends: Any) -> tuple[float, float]:
    if isinstance(ends, list):
        return ends[0], ends[1]
    number = float(Fraction(ends)) if isinstance(ends, str) and ends != "inf" else float(ends)
    return number, number
