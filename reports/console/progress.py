"""Progress on standard error: only on a terminal, only for work over a second, gone when done."""

import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from pufferproof.models.interface.steps import watched

if TYPE_CHECKING:
    from rich.progress import Task

_PATIENCE_SECONDS = 1.0


@contextmanager
def working(text: str, seconds: float | None = None) -> Iterator[Callable[[str], None]]:
    """Show a spinner with `text`, how many steps of a loop are done, and the time that has passed
    on standard error while the body runs, once it has run for a second.

    Yields a function that replaces the text; it does nothing if no spinner is shown.

    Args:
        seconds: a limit on the time, of which the share is shown that has passed.
    """
    if sys.stderr is None or not sys.stderr.isatty():
        yield lambda text: None
        return

    from rich.console import Console
    from rich.progress import Progress, ProgressColumn, SpinnerColumn, TextColumn, TimeElapsedColumn
    from rich.text import Text

    class Share(ProgressColumn):
        def render(self, task: "Task") -> Text:
            return Text("" if seconds is None else share_text(task.elapsed or 0.0, seconds))

    description = TextColumn("{task.description}{task.fields[steps]}", markup=False)
    columns = SpinnerColumn(), description, TimeElapsedColumn(), Share()
    shown = Progress(*columns, console=Console(stderr=True), transient=True)
    task = shown.add_task(text, total=None, steps="")
    timer = threading.Timer(_PATIENCE_SECONDS, shown.start)
    timer.daemon = True
    timer.start()
    try:
        with watched(lambda done: shown.update(task, steps=f": {done}")):
            yield lambda said: shown.update(task, description=said, steps="")
    finally:
        timer.cancel()
        timer.join()
        if shown.live.is_started:
            shown.stop()


def share_text(passed: float, seconds: float) -> str:
    """Say which share of a limit on time has passed.

    >>> share_text(20.4, 60)
    '34 % of at most 60 s'
    """
    return f"{min(100, round(100 * passed / seconds))} % of at most {seconds:g} s"
