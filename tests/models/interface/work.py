"""What units of the tests do."""

import os
import signal
import time
from pathlib import Path
from typing import Any

from pufferproof.models.interface.sweeps.portions import begun


def square(number: int) -> int:
    return number * number


def squares(numbers: list[int]) -> list[int]:
    return begun(square, numbers)


def refuses_three(numbers: list[int]) -> list[int]:
    return begun(lambda number: refuses(3) if number == 3 else number, numbers)


def says_no_squares(numbers: list[int]) -> list[int]:
    return []


def noted(folder: str, number: int, seconds: float) -> int:
    """Square a number slowly, with a note that it was done once more."""
    time.sleep(seconds)
    with open(Path(folder) / f"{number}", "a") as note:
        note.write("x")
    return number * number


def shared(number: int) -> list[dict[str, Any]]:
    return [{"number": number, "half": number / 2, "text": "ü" * number, "none": None}]


def says_a_text(number: int) -> int:
    return f"{number}"  # type: ignore[return-value]


def says_nan(number: int) -> float:
    return number * float("nan")


def says_a_tuple(number: int) -> Any:
    return (number,)


def refuses(number: int) -> int:
    raise ValueError(f"no {number}")


def turns_for_ever(number: int) -> int:
    while True:
        number += 1


def sleeps(number: int) -> int:
    """Wait in one call of C, which no exception reaches."""
    time.sleep(1000)
    return number


def counts_only_what_sleeps(monkeypatch, executor):
    """Count the time of bundles with such a unit alone: the start of a process may take any."""
    submit, running, slow = executor.submit, executor.running, set()

    def submitted(units, limit):
        future = submit(units, limit)
        if any(each.function == f"{__name__}:sleeps" for each in units):
            slow.add(future)
        return future

    monkeypatch.setattr(executor, "submit", submitted)
    monkeypatch.setattr(executor, "running", lambda: slow.intersection(running()))


def dies(folder: str, times: int) -> int:
    """Kill the process, the first so many times; answer how often it was tried."""
    note = Path(folder) / "deaths"
    before = len(note.read_text()) if note.exists() else 0
    note.write_text("x" * (before + 1))
    if before < times:
        os.kill(os.getpid(), signal.SIGKILL)
    return before + 1


def says_nothing(number):
    return number
