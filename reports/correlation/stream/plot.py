"""What releases over a sliding window leak, drawn against their number, beside what is promised."""

import math
from collections.abc import Sequence

from pufferproof.models.numbers.text import three
from pufferproof.reports.auditing.plots.marks import Drawn
from pufferproof.reports.console.drawing import AGAINST, FAINT, INK, nats_approx, new_figure, styled
from pufferproof.reports.console.words import counted
from pufferproof.verify.leakage.ratio import Leakage
from pufferproof.verify.sequences.streams.leakage import StreamLeakage
from pufferproof.verify.sequences.streams.published import Promise, Promised

_DOTS = 30  # steps up to which every one has a dot


def stream_plot(found: StreamLeakage, promises: Sequence[Promised]) -> Drawn:
    """Draw the leakage after every step, and the levels that Theorem 4 promises, as printed and as
    repaired.
    """
    from matplotlib.ticker import MaxNLocator

    steps = range(1, len(found.steps) + 1)
    mark = "o" if len(steps) <= _DOTS else ""
    with styled():
        figure, axes = new_figure(3.4)
        printed = [_promised(each.printed) for each in promises]
        repaired = [_promised(each.repaired) for each in promises]
        curves = [
            (printed, f"{mark}--", AGAINST, "Theorem 4 as printed"),
            (repaired, f"{mark}:", FAINT, "Theorem 4 as repaired"),
            ([_nats(each) for each in found.steps], f"{mark}-", INK, "leakage, exact"),
        ]
        for nats, style, colour, label in curves:
            if not all(map(math.isnan, nats)):
                axes.plot(steps, nats, style, color=colour, markersize=3.5, label=label)
        axes.set_ylim(0, None)
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
        axes.set_xlabel("releases")
        axes.set_ylabel("leakage (nats)")
        figure.legend(loc="outside upper left", frameon=False, ncols=3)
    return Drawn(figure, _finding(found, promises))


def _finding(found: StreamLeakage, promises: Sequence[Promised]) -> str:
    """Say what all releases leak, and what is promised of them."""
    leaked = "everything" if found.leakage.infinite else f"{three(nats_approx(found.leakage))} nats"
    said = f"{counted(len(found.steps), 'release')} leak {leaked}"
    promised = _promised(promises[-1].printed) if promises else math.nan
    if math.isnan(promised):
        return f"{said}."
    return f"{said}; Theorem 4 as printed promises {three(promised)} nats."


def _nats(leakage: Leakage) -> float:
    return math.nan if leakage.infinite else nats_approx(leakage)


def _promised(said: Promise | None) -> float:
    return math.nan if said is None else _nats(said.epsilon)
