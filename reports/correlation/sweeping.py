"""How commands that go through many units begin: they open a sweep, and say how far it is."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from pufferproof.models.interface.sweeps.opening import Sharing, opened
from pufferproof.reports.console.streams import working

if TYPE_CHECKING:
    from pufferproof.models.interface.sweeps.running import Sweep


@contextmanager
def sweeping(doing: str, units: str, sharing: Sharing) -> "Iterator[Sweep]":
    """Yield a sweep, and end what it has started; meanwhile say what is being done, and how many
    of its `units` are.
    """
    with working(doing) as say, opened(sharing, lambda text: say(f"{units}: {text}")) as sweep:
        yield sweep
