"""What commands answer to drawn questions, in the few words and numbers that must stay."""

import json
from collections import defaultdict
from collections.abc import Iterator
from contextlib import chdir, nullcontext, redirect_stderr, redirect_stdout
from fractions import Fraction
from io import StringIO
from itertools import count
from pathlib import Path
from typing import Any
from unittest.mock import patch

from tests.same.questions import Question

from pufferproof.reports import cli

WORDS = {  # what stays of a command's JSON beside leakages and enclosures
    *("verdict", "holds", "exact", "reached", "decided", "delta", "ratio"),
    *("additive", "answer", "minimum", "applies", "smallest", "at_most"),  # compose
    *("finite", "finite_for_all_runs", "collapse_number", "certifies"),  # worst
    *("collapses", "attained", "value", "power", "runs"),  # critical, optimal, collapse
    *("found", "fewest", "constant", "composes", "weakest", "weakest_exact"),
    *("expected", "never", "curve", "lower", "upper"),
    *("model", "worst", "over", "of", "unknown", "differ", "overlapping"),  # release
    *("records", "sequences", "states", "counts", "transition", "initial", "degrees", "private"),
    *("statistic", "p_value", "corrected", "about", "never_seen", "gaps", "missing", "limits"),
    *("readings", "series", "mean", "coefficient", "variance", "covariance", "secrets"),  # data
    *("needed", "shares", "stopped", "samples", "seeded", "drift", "lost"),  # stream, estimate
    *("accepted", "kind", "paths"),  # certificates, programs
}
FOUND = ".strategies."  # exact numbers about designs that floats found, which differ by processor
UNJUDGED = ("inputs", "rests_on", "printed", "witness", "coins")
# what depends on which of several best mechanisms a solver finds
CHOSEN = {"optimal": ("leakage",), "partner": ("own", "single"), "collapse": ("joint",)}
MOST_WIDER = 1e-9  # by which an enclosure may be wider than the recorded one
COINS = "pufferproof.verify.simulation.estimation.samplers.token_hex"
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
    """Run the command on its files, which are written to an empty folder, and have the kernel check
    the certificates and the evidence that it leaves there.
    """
    for name, content in asked.files.items():
        text = content if isinstance(content, str) else json.dumps(content)
        (folder / name).write_text(text, encoding="utf-8")
    before = {*folder.rglob("*")}
    code, said = _said(folder, *asked.words)
    if code == 2:
        return {"refused": said}
    unjudged = CHOSEN.get(asked.words[0], ())
    answer = dict(_kept("", {key: each for key, each in said.items() if key not in unjudged}))
    for file in sorted({*folder.rglob("*certificate.json"), *folder.rglob("*.zip")} - before):
        name = file.relative_to(folder).as_posix()
        code, checked = _said(folder, "check", name)
        answer |= {f".{name}": code, **dict(_kept(f".{name}", checked))}
    return answer | {"by": _by(said)}


def _said(folder: Path, *words: str) -> tuple[int, Any]:
    """Run a command in a folder: its exit code, and the JSON that it prints, or its error. Coins of
    samples, which are new in every run, are those of fixed secrets here.
    """
    out, err, runs = StringIO(), StringIO(), count()
    coins = patch(COINS, lambda size: f"{next(runs):0{2 * size}x}")
    secrets = coins if words[0] == "estimate" else nullcontext()
    with chdir(folder), redirect_stdout(out), redirect_stderr(err), secrets:
        code = cli._run([*words, "--json"])
    return code, err.getvalue() if code == 2 else json.loads(out.getvalue())


def _by(said: Any) -> str:
    """The kinds of arithmetic and the claims of the engines that answered, which may change."""
    claims = {each["claim"]: None for each in said.get("rests_on", ())}
    trust = (each.partition("(")[0] for each in said.get("trust", ()))
    return " ".join((*trust, *claims))


def _kept(place: str, found: Any) -> Iterator[tuple[str, Any]]:
    match found:
        case {"ratio": str(ratio), "epsilon": dict()}:
            yield place, ratio
        case {"lower": str(lower), "upper": str(upper), **others}:
            yield place, _ends(_number(lower), _number(upper))
            yield from _kept(place, others)
        case dict():
            for key, value in found.items():
                if key in WORDS and not isinstance(value, dict):
                    yield from _words(f"{place}.{key}", value)
                elif key not in UNJUDGED:
                    yield from _kept(f"{place}.{key}", value)
        case list():
            for number, value in enumerate(found):
                yield from _kept(f"{place}.{number}", value)


def _words(place: str, found: Any) -> Iterator[tuple[str, Any]]:
    """A word or a number, or lists of these."""
    match found:
        case list():
            for number, value in enumerate(found):
                yield from _words(f"{place}.{number}", value)
        case dict():
            yield from _kept(place, found)
        case None:
            pass
        case _:
            yield place, found


def _number(text: str) -> float:
    """A number, a fraction or infinity as a float."""
    return float(text) if text.endswith("inf") else float(Fraction(text))


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
        if place not in ("refused", "by") and not _agree(value, now.get(place), place.startswith(FOUND))
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
    return overlap and low <= high and not high - low > upper - lower + most


def _both(ends: Any) -> tuple[float, float]:
    if isinstance(ends, list):
        return ends[0], ends[1]
    number = _number(ends) if isinstance(ends, str) else float(ends)
    return number, number
