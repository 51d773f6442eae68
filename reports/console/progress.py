"""Progress on standard error: only on a terminal, only for work over a second, gone when done."""

import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

_PATIENCE_SECONDS = 1.0


@contextmanager
def working(text: str) -> Iterator[Callable[[str], None]]:
    """Show a spinner with `text` and the time that has passed on standard error while the body
    runs, once it has run for a second.

    Yields a function that replaces the text; it does nothing where no spinner is shown.
    """
    if sys.stderr is None or not sys.stderr.isatty():
        yield lambda text: None
        return

    from rich.console import Console
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    columns = SpinnerColumn(), TextColumn("{task.description}", markup=False), TimeElapsedColumn()
    shown = Progress(*columns, console=Console(stderr=True), transient=True)
    task = shown.add_task(text, total=None)
    timer = threading.Timer(_PATIENCE_SECONDS, shown.start)
    timer.daemon = True
    timer.start()
    try:
        yield lambda said: shown.update(task, description=said)
    finally:
        timer.cancel()
        timer.join()
        if shown.live.is_started:
            shown.stop()
