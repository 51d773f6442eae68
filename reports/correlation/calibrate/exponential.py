"""What `calibrate` finds for the exponential mechanism: how sharply it may choose, and the
mechanism itself where databases can be listed.

    P(r | D) proportional to exp(u(D, r) / scale),    scale = 2 Delta / epsilon_DP
"""

import os
from dataclasses import dataclass
from fractions import Fraction

from pufferproof.models.channel import Channel
from pufferproof.models.errors import ModelError
from pufferproof.models.files.queries import read_utility
from pufferproof.models.files.reading import Loaded, in_file
from pufferproof.models.mechanisms.exponential import Utility
from pufferproof.models.numbers.text import JsonObject, text_of
from pufferproof.reports.correlation.calibrate.answer import Calibration
from pufferproof.reports.correlation.calibrate.task import Task
from pufferproof.reports.correlation.calibrate.translated import Translation, per_record
from pufferproof.verify.leakage.ratio import Leakage, leakage

HISTOGRAM = "histogram"


@dataclass(frozen=True)
class Chooser:
    """A utility, the file that it is from, and the mechanism at a level, or why there is none."""

    utility: Utility
    file: Loaded[dict[str, JsonObject]] | None
    channel: Channel | None = None
    reason: str | None = None

    def leakage(self, task: Task) -> tuple[Leakage | None, str | None]:
        """Return the exact leakage of the mechanism, or why it is not computed."""
        if self.channel is None:
            return None, self.reason
        return leakage(task.framework, self.channel)[0], None


def read_chooser(task: Task, name: str) -> Chooser:
    """Return the utility by its name, or from a file."""
    if name == HISTOGRAM:
        return Chooser(Utility.histogram(task.records), None)
    if not os.path.exists(name):
        raise ModelError(f'expected {HISTOGRAM}, or a file, found "{name}"', "--utility")
    file = read_utility(name)
    with in_file(name):
        return Chooser(Utility.of(file.value, task.records), file)


def exponential(
    task: Task, translation: Translation, chooser: Chooser
) -> tuple[Calibration, Chooser]:
    """Calibrate the exponential mechanism, and make it where databases can be listed."""
    moved = chooser.utility.sensitivity
    if not moved:
        raise ModelError("expected a utility that depends on the records", "--utility")
    made = per_record(task, translation, 2 * moved)
    known: JsonObject = {"sensitivity": text_of(moved), "translation": made.told}
    changes = f"a utility changes by at most {text_of(moved)} when one record does"
    told = [*made.assumed, changes]
    calibration = Calibration(made.scale, told, None, known, made.notes, claims=made.claims)
    try:
        level = 2 * moved / (made.scale.upper or Fraction(1))
        channel, _ = chooser.utility.mechanism(level)
    except ModelError as error:
        return calibration, Chooser(chooser.utility, chooser.file, None, error.what)
    return calibration, Chooser(chooser.utility, chooser.file, channel)
