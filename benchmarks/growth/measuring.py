"""Cost against size: every size in a process of its own, fitted by least squares on logarithms."""

import json
import multiprocessing
import os
import resource
import sys
from dataclasses import dataclass
from math import log
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp
from typing import Any, NamedTuple

import numpy as np
from benchmarks.growth.subjects import Subject
from benchmarks.peers.beside import cpu_seconds

from pufferproof import PufferproofError
from pufferproof.verify.kernel import Refused

SIZES = Path(__file__).with_name("sizes.json")
STOP = 3  # seconds: no size beyond the first that takes longer
NEXT = 10  # seconds: no size that would take longer if time grew as before
SHORT = 0.3  # seconds: below, the middle one of three rounds counts
LEAST = 0.01  # seconds: less, a tick of some clocks, counts at the two largest sizes only
FARTHEST = 100  # times the largest size timed: no estimate lies beyond
BUDGET = 20  # processor seconds of a process, after which it ends


class Point(NamedTuple):
    """A size, processor seconds, and the most MB that the process had."""

    size: int
    seconds: float
    peak: float


@dataclass(frozen=True)
class Curve:
    """What was measured of one subject, and why there are no larger sizes: "slow", "refused", or
    "last" where the subject has none.
    """

    points: tuple[Point, ...]
    end: str

    @property
    def exponent(self) -> float:
        """The slope of log seconds against log size over the larger half of the points, three of
        them at least where there are as many.
        """
        upper = self.points[min(len(self.points) // 2, max(len(self.points) - 3, 0)) :]
        sizes, seconds = ([log(point[k]) for point in upper] for k in (0, 1))
        return float(np.polyfit(sizes, seconds, 1)[0])

    def within(self, seconds: float) -> int | None:
        """Return the largest size within some seconds, two digits of it, by the fitted power from
        the last point on, or None if no size that is there takes as long, or none near.
        """
        size, spent, _ = self.points[-1]
        if self.end != "slow" and spent <= seconds:
            return None
        estimate = int(size * (seconds / spent) ** (1 / self.exponent))
        digits = 10 ** max(len(str(estimate)) - 2, 0)
        return estimate // digits * digits if estimate <= FARTHEST * size else None


def kept() -> dict[str, Curve]:
    """Return the curves of `sizes.json`, by the names of their subjects."""
    found = json.loads(SIZES.read_text(encoding="utf-8")) if SIZES.exists() else {}
    return {
        name: Curve(tuple(Point(*point) for point in curve["points"]), curve["end"]) for name, curve in found.items()
    }


def stored(curves: dict[str, Curve]) -> None:
    """Write the curves, a line for each."""
    lines = []
    for name, curve in curves.items():
        points = [(size, round(seconds, 3), round(peak)) for size, seconds, peak in curve.points]
        lines.append(f'"{name}": {json.dumps({"end": curve.end, "points": points})}')
    SIZES.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


def measured(subject: Subject) -> Curve:
    """Time a subject at one size after the other, until one or the next takes long. The first
    size is that of a run before, which loads what is loaded once.
    """
    points: list[Point] = []
    for size in subject.sizes:
        found = _alone(subject, size)
        if isinstance(found, str):
            if not points or found not in ("refused", "slow"):
                raise RuntimeError(f"{subject.name} of {size}: {found}")
            return Curve(tuple(points), found)
        rounds = [found]
        while found.seconds < SHORT and len(rounds) < 3:
            rounds.append(_alone(subject, size))
        middle = sorted(rounds)[len(rounds) // 2]
        if middle.seconds < LEAST and size * subject.factor**2 <= subject.last:
            continue
        points.append(middle)
        if _slow(points):
            return Curve(tuple(points), "slow")
    return Curve(tuple(points), "last")


def _slow(points: list[Point]) -> bool:
    """Whether the last size takes long, or the next one would at the same factor."""
    last = points[-1].seconds
    factor = last / points[-2].seconds if len(points) > 1 else 1
    return last > STOP or (len(points) > 2 and last * factor > NEXT)


def _alone(subject: Subject, size: int) -> Point | str:
    """Return what a new process measures, which has nothing cached of this size, or why nothing
    was measured.
    """
    fork = multiprocessing.get_context("fork")
    there, here = fork.Pipe(False)
    process = fork.Process(target=_measure, args=(subject, size, here))
    process.start()
    here.close()
    try:
        found = there.recv()
    except EOFError:
        found = "slow"
    process.join()
    return found


def _measure(subject: Subject, size: int, answer: Any) -> None:
    resource.setrlimit(resource.RLIMIT_CPU, (BUDGET, BUDGET))
    os.environ["GROWTH"] = mkdtemp(prefix="growth-")
    sys.stdout = sys.stderr = open(os.devnull, "w")  # noqa: SIM115 - as long as the process
    try:
        subject.work(subject.first)()
        work = subject.work(size)
        start = cpu_seconds()
        work()
        seconds = max(cpu_seconds() - start, 0.001)
        # ru_maxrss counts the parent's
        status = Path("/proc/self/status").read_text(encoding="utf-8")
        answer.send(Point(size, seconds, int(status.partition("VmHWM:")[2].split()[0]) / 1024))
    except (PufferproofError, Refused):
        answer.send("refused")
    except Exception as error:
        answer.send(repr(error))
    finally:
        rmtree(os.environ["GROWTH"])
