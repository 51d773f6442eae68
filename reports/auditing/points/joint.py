"""What `compose` says of normal records that are not truncated, as an object and as lines."""

from fractions import Fraction

from pufferproof.models.files.reading import hashes
from pufferproof.models.numbers.text import JsonObject, text_of
from pufferproof.reports.auditing.points.answer import delta_words, leakage_words, witness_words
from pufferproof.reports.auditing.points.reading import PointFiles
from pufferproof.reports.auditing.words import shared_lines
from pufferproof.reports.console.words import counted, level_nats, trust_line
from pufferproof.reports.schemas.composition import Compose
from pufferproof.reports.schemas.values import bases
from pufferproof.verify.decision import Decision, Verdict
from pufferproof.verify.noise.normal.audit import PointAudit
from pufferproof.verify.noise.normal.composition import PointComposition

_ADDITIVE = {
    Decision.HOLDS: "the joint leakage is at most the sum of the single ones",
    Decision.FAILS: "the joint leakage exceeds the sum of the single ones: these releases do not "
    "compose",
    Decision.UNDECIDED: "not told: the joint leakage and the sum of the single ones are too close",
}


def decisions(found: PointComposition) -> list[Decision | None]:
    """Return what was decided, or None if nothing was asked."""
    return [*(each.kept for each in found.single), found.joint.kept]


def composition_answer(found: PointComposition, files: PointFiles) -> Compose:
    """Return what is printed with `--json`."""
    inputs = hashes(framework=files.framework, mechanisms=files.mechanisms)
    known: JsonObject = found.as_json() | {"rate": None, "inputs": inputs}
    if found.levels:
        known["claimed"] = [
            {"level": str(level), "verdict": _word(each)}
            for level, each in zip(found.levels, found.single)
        ]
    if found.together.level is not None:
        known["together"] = {"level": str(found.together.level), "verdict": _word(found.joint)}
    if found.joint.delta is not None:
        known["together"]["delta"] = found.joint.delta.as_json()
    return Compose.model_validate(known)


def _word(audit: PointAudit) -> str | None:
    return None if audit.kept is None else Verdict.of(audit.kept).value


def composition_lines(found: PointComposition, files: PointFiles) -> list[str]:
    """Return what is printed on a terminal."""
    paths = [each.path for each in files.mechanisms]
    pairs = counted(found.joint.scope.checked, "ordered pair")
    return [
        *_together_lines(found),
        *(
            f"{_word(each)} {level_nats(level)}  {path}, released once"
            for level, each, path in zip(found.levels, found.single, paths)
        ),
        *(f"single    {leakage_words(each.leakage)}  {p}" for each, p in zip(found.single, paths)),
        f"joint     {leakage_words(found.leakage)}  ({counted(len(found.outputs), 'release')})",
        *witness_words(found.leakage, None),
        f"additive  {_ADDITIVE[found.additive]}",
        *shared_lines(found.shared),
        f"checked   {pairs} of laws, in closed form",
        trust_line(found.trust, rests_on=bases(found.rests_on)),
    ]


def _together_lines(found: PointComposition) -> list[str]:
    asked, delta = found.together, found.joint.delta
    if asked.level is None:
        return []
    bound = "" if asked.delta is None else f", delta {text_of(asked.delta)}"
    head = f"{_word(found.joint)} {level_nats(asked.level)}{bound}  all releases together"
    if delta is None:
        return [head]
    return [head, delta_words(delta), *([_distance(found)] if found.joint.pointwise else [])]


def _distance(composition: PointComposition) -> str:
    """Say that distances do not add up: what the sum of those of single releases would be."""
    joint = composition.joint.delta
    singles = [each.found for each in composition.single]
    added = composition.runs * sum(
        (max(shift.squared or Fraction(0) for shift in found) for found in singles), Fraction(0)
    )
    square = Fraction(0) if joint is None else joint.squared
    return (
        f"distance  D^2 = {float(square):.6g} of all releases, which share their records; those of "
        f"single ones add up to {float(added):.6g}"
    )
