"""Why a hypothesis stands that no instance of a trial needs: `claims/catalogue/spare.toml`, by
reasons that claims share. Linked arguments say it themselves (`spare=`).

An instance needs a hypothesis if it alone is false there, and the conclusion too. A hypothesis that
no instance needs may be superfluous, or the family may draw too little: the reason says why it
stays. That a reason is true, only a reader can tell.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from pufferproof.claims.language.linked.program import DEFINED
from pufferproof.claims.run.results import Result
from pufferproof.models.errors import ModelError
from pufferproof.models.files.reading import document_of, in_file
from pufferproof.verify.proof.smt import USUAL_NUMBER

PLACE = Path(__file__).resolve().parents[1] / "catalogue" / "spare.toml"
_MEANING = "Without it the conclusion has no meaning."


def why(claim: str, reading: Result, place: Path = PLACE) -> dict[str, str]:
    """Return the reasons that are given for hypotheses of a reading, by their words."""
    if reading["linked"]:
        return {DEFINED: _MEANING, **reading["said"]["survivors"]}
    return dict(_table(place).get(claim, {}))


def unexplained(results: Sequence[Result], place: Path = PLACE) -> list[str]:
    """Say in one line each which hypotheses no instance needs without a reason, and which have a
    reason though an instance needs them. Trials that failed or of another effort say neither.
    """
    return [line for result in results for line in sorted(_lines(result, place))]


@cache
def _table(place: Path) -> Mapping[str, Mapping[str, str]]:
    found: dict[str, dict[str, str]] = {}
    for reason, by in _read(place).items():
        for claim, hypotheses in by.items():
            known = found.setdefault(claim, {})
            for words in hypotheses:
                if known.setdefault(words, reason) != reason:
                    raise ModelError(f'"{words}" of {claim} has two reasons', str(place))
    return found


def _read(place: Path) -> Mapping[str, Mapping[str, Sequence[str]]]:
    with in_file(place):
        found: Mapping[str, Any] = document_of(place, place.read_bytes())
        lists = [each for by in found.values() if isinstance(by, dict) for each in by.values()]
        if not all(isinstance(each, dict) for each in found.values()) or not all(
            isinstance(each, list) for each in lists
        ):
            raise ModelError("expected for each reason a table of claims, each with a list of words")
    return found


def _lines(result: Result, place: Path) -> Iterator[str]:
    trials = [each["trial"] for each in result["readings"] if each["trial"] is not None]
    if result["error"] or not all(map(_says, trials)):
        return
    spare = set[str]()
    for reading in result["readings"]:
        if reading["trial"] is None or reading["trial"]["failed"] is not None:
            continue
        unneeded, known = {*reading["trial"]["unneeded"]}, why(result["id"], reading, place).keys()
        for words in unneeded - known:
            yield (
                f'{result["id"]}: no instance needs "{words}": draw one that does, drop the '
                f"hypothesis, or say in {_where(reading, place)} why it stays"
            )
        for words in known - unneeded - {DEFINED} if reading["linked"] else ():
            yield _needed(result["id"], words, "spare=")
        if not reading["linked"]:
            spare |= unneeded
    reasons = _table(place).get(result["id"], {}).keys()
    yield from (_needed(result["id"], words, place.name) for words in reasons - spare)


def _says(trial: Result) -> bool:
    """Whether a trial tells which hypotheses are needed, or failed."""
    usual = trial["finished"] and trial["wanted"] == USUAL_NUMBER
    return bool(usual) or trial["failed"] is not None


def _where(reading: Result, place: Path) -> str:
    return "spare=" if reading["linked"] else place.name


def _needed(claim: str, words: str, where: str) -> str:
    return f'{claim}: delete "{words}" in {where}: an instance needs it, or no reading has it'
