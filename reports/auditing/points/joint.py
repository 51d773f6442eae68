"""What `compose` says of normal records that are not truncated, as an object and as lines.

This file also says what `audit` says of normal records that are not truncated, as an object and as
lines.
"""

from fractions import Fraction

from pufferproof.models.files.reading import hashes
from pufferproof.models.numbers.enclosures import enclose
from pufferproof.models.numbers.grammar import exact as exact_number
from pufferproof.models.numbers.level import Level
from pufferproof.models.numbers.text import JsonObject, brief, outward, rounded, text_of
from pufferproof.reports.auditing.any_form import PointFiles
from pufferproof.reports.auditing.words import shared_lines
from pufferproof.reports.console.words import counted, level_nats, trust_line
from pufferproof.reports.schemas.audit import Audit as AuditAnswer
from pufferproof.reports.schemas.composition import Compose
from pufferproof.reports.schemas.values import bases
from pufferproof.verify.decision import Decision, Verdict
from pufferproof.verify.noise.normal.audit import PointAudit, PointComposition, PointQuestion, nats_of
from pufferproof.verify.noise.normal.points import PointDelta, PointLeakage, farthest

_ADDITIVE = {
    Decision.HOLDS: "the joint leakage is at most the sum of the single ones",
    Decision.FAILS: "the joint leakage exceeds the sum of the single ones: these releases do not compose",
    Decision.UNDECIDED: "not told: the joint leakage and the sum of the single ones are too close",
}


def decisions(composition: PointComposition) -> list[Decision | None]:
    """Return what was decided, or None if nothing was asked."""
    return [*(each.kept for each in composition.single), composition.joint.kept]


def composition_answer(composition: PointComposition, files: PointFiles) -> Compose:
    """Return what is printed with `--json`."""
    inputs = hashes(framework=files.framework, mechanisms=files.mechanisms)
    fields: JsonObject = composition.as_json() | {"rate": None, "inputs": inputs}
    if composition.levels:
        fields["claimed"] = [
            {"level": str(level), "verdict": _word(each)} for level, each in zip(composition.levels, composition.single)
        ]
    if composition.together.level is not None:
        fields["together"] = {"level": str(composition.together.level), "verdict": _word(composition.joint)}
    if composition.joint.delta is not None:
        fields["together"]["delta"] = composition.joint.delta.as_json()
    return Compose.model_validate(fields)


def _word(audit: PointAudit) -> str | None:
    return None if audit.kept is None else Verdict.of(audit.kept).value


def composition_lines(composition: PointComposition, files: PointFiles) -> list[str]:
    """Return what is printed on a terminal."""
    paths = [mechanism.path for mechanism in files.mechanisms]
    pairs = counted(composition.joint.scope.checked, "ordered pair")
    asked, delta = composition.together, composition.joint.delta
    together = []
    if asked.level is not None:
        bound = "" if asked.delta is None else f", delta {text_of(asked.delta)}"
        together.append(f"{_word(composition.joint)} {level_nats(asked.level)}{bound}  all releases together")
        together += [] if delta is None else [delta_words(delta)]
    if asked.level is not None and delta is not None and composition.joint.pointwise:
        # distances do not add up: what the sum of those of single releases would be
        squares = (max(shift.squared or Fraction(0) for shift in single.found) for single in composition.single)
        added = composition.runs * sum(squares, Fraction(0))
        together.append(
            f"distance  D^2 = {float(delta.squared):.6g} of all releases, which share their records; those of "
            f"single ones add up to {float(added):.6g}"
        )
    return [
        *together,
        *(
            f"{_word(each)} {level_nats(level)}  {path}, released once"
            for level, each, path in zip(composition.levels, composition.single, paths)
        ),
        *(f"single    {leakage_words(each.leakage)}  {p}" for each, p in zip(composition.single, paths)),
        f"joint     {leakage_words(composition.leakage)}  ({counted(len(composition.outputs), 'release')})",
        *witness_words(composition.leakage, None),
        f"additive  {_ADDITIVE[composition.additive]}",
        *shared_lines(composition.shared),
        f"checked   {pairs} of laws, in closed form",
        trust_line(composition.trust, rests_on=bases(composition.rests_on)),
    ]


def audit_points(files: PointFiles, question: PointQuestion) -> PointAudit:
    """Audit all queries of the files together."""
    return PointAudit.of(files.framework.value, files.queries, question)


def audit_answer(audit: PointAudit, files: PointFiles) -> AuditAnswer:
    """Return what is printed with `--json`."""
    inputs = hashes(framework=files.framework, mechanism=files.mechanisms[0])
    return AuditAnswer.model_validate(audit.as_json() | {"inputs": inputs})


def point_lines(audit: PointAudit) -> list[str]:
    """Return what is printed on a terminal."""
    question, lines = audit.question, list[str]()
    if audit.verdict is not None:
        bound = "" if question.delta is None else f", delta {text_of(question.delta)}"
        order = "" if question.order is None else f" at order {text_of(question.order)}"
        lines.append(f"{audit.verdict.value} {level_nats(question.level)}{bound}{order}")
    lines += [f"leakage   {leakage_words(audit.leakage)}", *witness_words(audit.leakage, audit.level)]
    lines += [] if audit.delta is None else [delta_words(audit.delta)]
    if audit.renyi is not None and question.order is not None:
        shift = farthest(audit.found)
        (above, below), order = shift.pair, text_of(question.order)
        lines.append(f"Renyi     {rounded(nats_of(audit.renyi).upper)} nats, the divergence of order {order}")
        lines.append(f'          "{above}" against "{below}" under "{shift.prior}"')
    return [
        *lines,
        f"checked   {counted(audit.scope.checked, 'ordered pair')} of laws, in closed form",
        trust_line(audit.trust, rests_on=bases(audit.rests_on)),
    ]


def delta_words(delta: PointDelta) -> str:
    """Say what the smallest delta at a level is."""
    ends = enclose(*delta.bounds())
    low, high = outward(ends.lower, ends.upper)
    about = f"≈ {rounded(ends.lower)}"
    shown = about if rounded(ends.lower) == rounded(ends.upper) else f"between {low} and {high}"
    return f"delta     {shown}, the smallest at {level_nats(delta.level)}"


def leakage_words(leakage: PointLeakage) -> str:
    """Say a leakage in a phrase."""
    if leakage.infinite:
        return "infinite"
    ends = leakage.enclosure()
    if ends.upper == "0":
        return "0 (nothing leaks)"
    shown = rounded(ends.upper)
    nats, ratio = leakage.exact or "", "" if leakage.ratio is None else brief(leakage.ratio)
    if nats == shown:
        return f"{shown} nats"
    if nats and (text := brief(exact_number(nats))) == nats:
        return f"{text} {'=' if exact_number(shown) == exact_number(nats) else '≈'} {shown} nats"
    return f"log({ratio}) ≈ {shown} nats" if ratio[:1].isdigit() else f"≈ {shown} nats"


def witness_words(leakage: PointLeakage, level: Level | None) -> list[str]:
    """Say where outputs go as the ratio rises, and of Gaussian noise on one number from where on it
    exceeds the level.
    """
    shift = leakage.shift
    (above, below), output = shift.pair, shift.output
    if leakage.enclosure().upper == "0":
        return []
    where = f'witness   output {output}, prior "{shift.prior}"'
    if not leakage.infinite:
        return [where, f'          likelier under "{above}" than under "{below}", in the limit']
    lines = [where, f'          "{above}" becomes likelier than "{below}" without bound']
    if level is not None and (place := shift.exceeds(level)) is not None:
        side = "above" if output == "inf" else "below"
        unit = Fraction(1, 1000)
        steps = -(-place // unit) if side == "above" else place // unit
        far = f"{float(steps * unit):.3f}"
        times = f"more than e^epsilon times, at outputs {side} {far}"
        lines.append(f"          {times}")
    return lines
