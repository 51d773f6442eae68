"""Progress on standard error: only on a terminal, only for work over a second, gone when done."""

import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console

_PATIENCE_SECONDS = 1.0


@contextmanager
def working(text: str) -> Iterator[Callable[[str], None]]:
    """Show a spinner with `text` on standard error while the body runs, once it has run for a
    second.

    Yields a function that replaces the text; it does nothing where no spinner is shown.
    """
    if sys.stderr is None or not sys.stderr.isatty():
        yield lambda text: None
        return

    spinner = Console(stderr=True).status(text)
    timer = threading.Timer(_PATIENCE_SECONDS, spinner.start)
    timer.daemon = True
    timer.start()
    try:
        yield spinner.update
    finally:
        timer.cancel()
        timer.join()
        spinner.stop()
