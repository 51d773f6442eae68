"""Progress on standard error: only on a terminal, only for work over a second, gone when done."""

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

_PATIENCE_SECONDS = 1.0


@contextmanager
def working(text: str) -> Iterator[None]:
    """Show a spinner with `text` on standard error while the body runs, once it has run for a second."""
    if not sys.stderr.isatty():
        yield
        return
    from rich.console import Console

    spinner = Console(stderr=True).status(text)
    timer = threading.Timer(_PATIENCE_SECONDS, spinner.start)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join()
        spinner.stop()
