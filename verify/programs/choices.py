"""The choices of a path: forks, the steps that answer them, and the branches that are left.

A branch that is left for later is its last step, which knows the step before it.
"""

import os
import sys
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from heapq import heappop, heappush
from itertools import count
from pathlib import PurePath
from types import FrameType
from typing import Any

from pufferproof import models
from pufferproof.verify.programs.drawing.draws import ControlError

_VERIFY = str(PurePath(__file__).parents[1])
_MODELS = str(PurePath(models.__file__).parent)
_LONG = 200  # characters of what an error says
_STANDARD = str(PurePath(os.__file__).parent)


class RefusedError(ControlError):
    """The law of a program has no exact form here, or it is no function of its draws."""

    def __init__(self, why: str, where: str) -> None:
        super().__init__(why)
        self.why, self.where = why, where


class AtOnceError(ControlError):
    """A run uses a truth as an index, which arrays and lists take differently: all truths are to be
    known at once.
    """


class LateError(RefusedError):
    """A run takes too long."""


class StoppedError(ControlError):
    """A run has made so many choices that others come first."""


@dataclass(eq=False, slots=True)
class Fork:
    """A choice: what was asked (equal when it is replayed), where, and how probable the answers are
    (floats: an order of search).
    """

    asked: Hashable
    where: str
    words: Callable[[int], str]
    weights: Sequence[Any]
    shares: Sequence[float]
    effect: Any = None  # what the answers do, for who asked

    @property
    def open(self) -> bool:
        """Whether more than one answer is possible."""
        return sum(map(bool, self.weights)) > 1


@dataclass(eq=False, slots=True)
class Step:
    """An answer to a choice, after those before it."""

    fork: Fork
    answer: int
    before: "Step | None"
    priority: float
    depth: int


Branch = tuple[float, int, "Step | None"]


@dataclass(frozen=True, slots=True)
class Choice:
    """One choice of a path in words: where in the program, what was asked, what the answer was."""

    where: str
    question: str


@dataclass(eq=False)
class Frontier:
    """The branches that are left for later, most probable first."""

    waiting: list[Branch] = field(default_factory=list)
    _order: Iterator[int] = field(default_factory=count)

    def add(self, step: Step | None, priority: float) -> None:
        """Leave a branch for later."""
        heappush(self.waiting, (-priority, next(self._order), step))

    def take(self) -> Step | None:
        """Return the most probable branch."""
        return heappop(self.waiting)[2]


def steps(last: Step | None) -> list[Step]:
    """Return the steps up to one, in their order."""
    found = []
    while last is not None:
        found.append(last)
        last = last.before
    return found[::-1]


def choices(last: Step | None) -> list[Choice]:
    """Return the choices of a path in words, without those that had one answer."""
    return [Choice(step.fork.where, step.fork.words(step.answer)) for step in steps(last) if step.fork.open]


def place() -> str:
    """Return file and line of the program that runs: the innermost frame that is neither of
    this package nor of a library, or of an installed package if the program itself is one.
    """
    found = ""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        file = frame.f_code.co_filename
        if of_program(frame) and not _generated(frame):
            here = f"{_name(file)}:{frame.f_lineno}"
            if not _installed(file):
                return here
            found = found or here
        elif found and file.startswith(_VERIFY):
            break  # which called the program
        frame = frame.f_back
    return found


def place_of(error: BaseException) -> str:
    """Return file and line of the program from which an error comes."""
    found, written, trace = "", False, error.__traceback__
    while trace is not None:
        file = trace.tb_frame.f_code.co_filename
        if of_program(trace.tb_frame) and not (written and _installed(file)):
            found, written = f"{_name(file)}:{trace.tb_lineno}", not _installed(file)
        trace = trace.tb_next
    return found


def words_of(error: BaseException) -> str:
    """Return the kind of an error, and what it says, if that is not too long."""
    name = type(error).__name__
    try:
        text = str(error)
    except Exception:  # of an error that somebody wrote
        return name
    text = text if len(text) <= _LONG else f"{text[:_LONG]}.."
    return f"{name}: {text}" if text else name


def of_program(frame: FrameType) -> bool:
    """Whether a frame is of the program: neither of this package nor of a library."""
    return _own(frame.f_code.co_filename)


def _generated(frame: FrameType) -> bool:
    """Whether a frame is of a method that the standard library wrote for a class, in no file."""
    code, module = frame.f_code, str(frame.f_globals.get("__name__"))
    written = code.co_name.startswith("__") or module.startswith("namedtuple_")
    return code.co_filename == "<string>" and written


@cache
def _name(file: str) -> str:
    return PurePath(file).name


@cache
def _installed(file: str) -> bool:
    return "site-packages" in PurePath(file).parts


@cache
def _own(name: str) -> bool:
    if name.startswith(("<frozen", _VERIFY, _MODELS)):
        return False
    if name.startswith(_STANDARD) and "site-packages" not in name:
        return False
    return "numpy" not in PurePath(name).parts
