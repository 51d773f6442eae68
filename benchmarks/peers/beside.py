"""A row of the table of peers: both are given the same inputs, and their answers are compared."""

import resource
import subprocess
import time
from collections.abc import Callable
from importlib.metadata import version
from shutil import which
from statistics import median
from typing import Any


def cpu_seconds() -> float:
    """Return the processor seconds of this process and of those that it waited for: what else the
    machine does counts for neither side.
    """
    others = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + others.ru_utime + others.ru_stime


def timed(work: Callable[[], Any], rounds: int = 1) -> tuple[float, Any]:
    """Return the median time of some work, and what it returned at last."""
    times = []
    for _ in range(rounds):
        start = cpu_seconds()
        found = work()
        times.append(cpu_seconds() - start)
    return median(times), found


def packaged(name: str) -> str:
    """Return a package of the registry with its version."""
    return f"{name} {version(name)}"


def of_the_system(name: str) -> str:
    """Return the version of a package of Debian, nothing where there is no dpkg."""
    command = ["dpkg-query", "-W", "-f", "${Version}", name]
    return subprocess.run(command, capture_output=True, text=True).stdout if which(command[0]) else ""


def beside(benchmark: Any, what: str, peer: str, seconds: float, answers: str) -> None:
    """Say what was computed, by which peer in which version, in what time, and how far the answers
    agree: who is right where they do not.
    """
    benchmark.extra_info |= {"peer": peer, "asked": what, "peer_seconds": seconds, "answers": answers}
