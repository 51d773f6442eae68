"""What `calibrate` says of one mechanism."""

import re
from fractions import Fraction

from pufferproof.models.numbers.grammar import exact as exact_number
from pufferproof.models.numbers.level import Level
from pufferproof.models.numbers.text import at_least, at_most, brief, rounded
from pufferproof.models.priors.records import Records
from pufferproof.reports.console.words import claims_lines, counted, level_nats
from pufferproof.reports.correlation.calibrate.task import Calibration
from pufferproof.reports.schemas.correlation import Calibrated, CalibratedLevel

_MET = 1 + Fraction(1, 10**5)  # times the lower of two bounds
_DIGITS = 12  # of the numbers of an exact scale that is written beside its decimals


def step_text(step: int, width: float) -> str:
    """Say how far the search for the least scale is: comparisons with the level so far, and the
    relative width left.
    """
    return f"calibrating: step {step}" + (f", remaining width {width:.0e}" if width < 1 else "")


def calibrated_lines(
    level: Level, calibration: Calibration, answer: Calibrated, records: Records | None = None
) -> list[str]:
    """Return the lines that are printed; quilts are of `records`, which may have names."""
    upper, text = calibration.enclosure().upper, calibration.scale.text
    short = text and all(len(digits) <= _DIGITS for digits in re.findall(r"\d+", text))
    exact = f" = {text}" if short and text != rounded(upper) else ""
    lines = [f"scale     {at_most(upper, 12)}{exact}, in units of the query"]
    if calibration.quilt is not None and records is not None:
        lines.append(f"quilt     {_quilt_text(calibration, records)}")
    if calibration.eliminated is not None and records is not None:
        around = calibration.details["around"]
        others = f"those within {records.all_called(around)}" if around else "all others"
        by = f'by elimination of {others}, under "{calibration.details["prior"]}"'
        which = records.called(calibration.eliminated).removeprefix("record ")
        lines.append(f"record    {which}, {by}")
    if answer.distance is not None:
        s, t = answer.pair or ("", "")
        where = f'of "{s}" against "{t}" under "{answer.prior}"'
        lines.append(f"distance  {brief(exact_number(answer.distance))}, {where}")
    if answer.translation is not None:
        lines.append(f"level     {_level_text(answer.translation)}")
    if answer.leakage is not None:
        low, nats = rounded(answer.leakage.epsilon.lower), rounded(answer.leakage.epsilon.upper)
        how = ", between bounds that meet" if answer.between_bounds else ""
        if exact_number(answer.leakage.epsilon.upper) > exact_number(answer.leakage.epsilon.lower) * _MET:
            nats, how = f"between {low} and {at_most(answer.leakage.epsilon.upper, 12)}", ""
        lines.append(f"leakage   {nats} nats, of a level of {level_nats(level)}{how}")
    if answer.tight is not None:  # rounded up, as every scale above the least one keeps the level
        least = at_most(answer.tight.upper, 10)
        if exact_number(answer.tight.upper) > exact_number(answer.tight.lower) * _MET:
            least = f"between {at_least(answer.tight.lower, 5)} and {at_most(least, 5)}"
        lines.append(f"tight     {least}, the least scale that keeps the level")
    if answer.certificate is not None:
        of = "scale" if answer.tight is None else "tight scale"
        lines.append(f"proved    {answer.certificate}: the kernel accepted it, of the {of}")
    if answer.mechanism is not None:
        lines.append(f"written   {answer.mechanism}")
    assumed = [f"assumed   {each}" for each in calibration.assumed]
    return [*lines, *assumed, *claims_lines(answer.rests_on)]


def _level_text(translation: CalibratedLevel) -> str:
    nats = rounded(translation.per_record.lower, 10)
    said = f"{nats} nats for every record, by the {translation.rule} translation"
    if translation.rule == "exact":
        return said
    return f"{said}, {'all' if translation.hidden is None else translation.hidden} hidden"


def _quilt_text(calibration: Calibration, records: Records) -> str:
    quilt, details = calibration.quilt_json or {}, calibration.details
    record = quilt["record"]
    if "nodes" in quilt:
        sides = quilt["nodes"]
    else:
        sides = [] if quilt["left"] is None else [record - quilt["left"]]
        sides += [] if quilt["right"] is None else [record + quilt["right"]]
    shown = records.all_called(sides) if sides else "empty"
    nearby = counted(details["nearby"], "record")
    return f'{records.called(record)}: {shown}, {nearby} nearby, under "{details["prior"]}"'
