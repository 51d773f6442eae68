"""What plots of listed outputs and of noise share: a plot with its finding, and marks of the level
asked for.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pufferproof.models.numbers.level import Level
from pufferproof.models.numbers.text import chance
from pufferproof.reports.console.drawing import AGAINST, FAINT, rendered
from pufferproof.reports.console.labels import label_text
from pufferproof.reports.console.words import level_nats
from pufferproof.verify.audit import Audit

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


@dataclass(frozen=True)
class Drawn:
    """A plot, and what it shows in a sentence."""

    figure: "Figure"
    finding: str


def picture_file(path: str | None, drawn: Callable[[], Drawn]) -> dict[str, bytes]:
    """Return the file of a plot that was asked for, with its finding for those who do not see it;
    nothing where none was.
    """
    if path is None:
        return {}
    picture = drawn()
    return {path: rendered(picture.figure, path, picture.finding)}


def loss_finding(audit: Audit, beyond: float) -> str:
    """Say how likely the loss exceeds the level given the first secret of the witness."""
    level = "0" if audit.level is None else label_text(level_nats(audit.level), 28)
    left = label_text(audit.witness.pair[0], 28)
    return f'The privacy loss exceeds {level} with probability {chance(beyond)} given "{left}".'


def errors_finding(audit: Audit, errors: float) -> str:
    """Say how the best test of the witness's secrets compares with guessing."""
    left, right = (label_text(secret, 28) for secret in audit.witness.pair)
    said = f"its two errors sum to {chance(errors)}, those of guessing to 1"
    return f'The best test of "{left}" against "{right}": {said}.'


def mark_level(axes: "Axes", audit: Audit, edge: float) -> None:
    """Draw the level asked for at its place among losses, where that is within an edge."""
    asked = None if audit.level is None else float(audit.level.enclosure().upper)
    if asked is not None and asked <= edge:
        axes.axvline(asked, color=FAINT, linestyle=":", label=f"level {level_text(audit)}")


def mark_promised(axes: "Axes", audit: Audit) -> None:
    """Draw the errors that a level, with a delta or not, promises at least."""
    factor = math.exp(-capped(float((audit.level or Level("0")).enclosure().upper)))
    delta = float(audit.delta_bound or 0)
    places = [index / 200 for index in range(201)]
    least = [max(0.0, 1 - delta - x / factor, factor * (1 - delta - x)) for x in places]
    said = "" if audit.delta_bound is None else f", delta {chance(delta, 4)}"
    axes.plot(
        places, least, color=AGAINST, linestyle="--", label=f"promised: {level_text(audit)}{said}"
    )


def level_text(audit: Audit) -> str:
    """Write the level asked for, not too long."""
    return label_text(str(audit.level), 28)


def capped(nats: float) -> float:
    """Return nats whose exponential is a float."""
    return max(-700.0, min(700.0, nats))
