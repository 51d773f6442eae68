"""Opening a sweep: where its units are carried out, and where answers are kept.

What carries out units is imported when a sweep is opened: commands that could share their work name
`Sharing`, and mostly share nothing.
"""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from pufferproof.models.errors import ModelError
from pufferproof.models.interface.outputs import cleaned_up

if TYPE_CHECKING:
    from pufferproof.models.interface.sweeps.executors import Executor, Processes
    from pufferproof.models.interface.sweeps.running import Sweep


@dataclass(frozen=True)
class Sharing:
    """How the units of a sweep are shared, as commands ask for it.

    Args:
        jobs: processes of this machine, by default as many as there are processors; 1 is this one.
        scheduler: the address of a dask scheduler, whose workers take the units instead.
        resume: the file that keeps answers; those that are there are not computed again.
        seconds: how long one unit may take.
        trusting: whether answers in the file count that this user has not sealed.
        note: is told, after a sweep, how many answers were read from the file.
        processes: those that were begun before the sweep is opened (`begun`).

    Raises `ModelError` if no file is named that could be trusted.
    """

    jobs: int | None = None
    scheduler: str | None = None
    resume: str | None = None
    seconds: float | None = None
    trusting: bool = False
    note: Callable[[str], None] = field(default=lambda line: None, compare=False)
    processes: "Processes | None" = field(default=None, compare=False)

    def __post_init__(self) -> None:
        if self.trusting and self.resume is None:
            raise ModelError("needs --resume STORE", "--trust-store")


ALONE = Sharing(jobs=1)


@contextmanager
def begun(sharing: Sharing, module: str) -> Iterator[Sharing]:
    """Yield the same with a process that imports a module already, while it is still being found
    out which units it will get, and end it at the end. Workers of a scheduler are there already.
    """
    if sharing.scheduler is not None or sharing.processes is not None:
        yield sharing
        return
    from pufferproof.models.interface.sweeps.executors import Processes

    with cleaned_up(), closing(Processes(sharing.jobs)) as processes:
        processes.begin(module)
        yield replace(sharing, processes=processes)


@contextmanager
def opened(sharing: Sharing, say: Callable[[str], None] = lambda text: None, apart: bool = False) -> "Iterator[Sweep]":
    """Yield a sweep, and end at the end whatever it has started; `apart` from this process even
    where one process is asked for.

    Raises `ModelError` where both processes and a scheduler are asked for, no scheduler answers, or
    the file keeps something else.
    """
    from pufferproof.models.interface.sweeps.running import Sweep

    with cleaned_up(), ExitStack() as stack:
        store = None
        if sharing.resume is not None:
            from pufferproof.models.interface.sweeps.store import Store  # SQLite, which few sweeps need

            store = stack.enter_context(closing(Store(sharing.resume, sharing.trusting)))
        executor = stack.enter_context(closing(_executor(sharing, apart)))
        yield (sweep := Sweep(executor, store, sharing.seconds, say))
    for line in sweep.notes:
        sharing.note(line)


def _executor(sharing: Sharing, apart: bool) -> "Executor":
    if sharing.processes is not None:
        return sharing.processes
    if sharing.scheduler is None:
        from pufferproof.models.interface.sweeps.executors import InProcess, Processes

        return InProcess() if sharing.jobs == 1 and not apart else Processes(sharing.jobs)
    if sharing.jobs is not None:
        raise ModelError("the scheduler has its own workers: leave out this option", "--jobs")
    from pufferproof.models.interface.sweeps.cluster import Cluster

    return Cluster(sharing.scheduler)
