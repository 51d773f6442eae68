"""Which tests are slow: ``make test`` leaves them to ``make slow``, and both run in CI.

    pytest --durations=0 --durations-min=0.01 ... | python -m tests.costs

reads what pytest says of durations, and writes `slow.txt`: a line for each test function of which a
case takes more than `MOST` seconds, setup included, or a file if all of its functions do. What
holds the doors stays in `make test`, whatever it costs: `KEPT`. What this leaves in the files of
`make test` is `seconds.json`, by which its processes divide the files: each collects its part alone.

What a slow test computes and keeps is dear to the next test that needs it once that test is listed:
give durations of `make test` alone too, and add what they name.
"""

import json
import re
import sys
from collections import defaultdict
from functools import cache
from pathlib import Path

HERE = Path(__file__).parent
SLOW = HERE / "slow.txt"
SECONDS = HERE / "seconds.json"
LEAST = 1.0  # seconds that are written for a file
USUAL = 0.3  # of a file that is not written
MOST = 0.25  # seconds of a case
KEPT = ("tests/same/", "tests/kernel/test_corpora.py", "tests/project/documents/", "tests/project/test_readme.py")
LINE = re.compile(r"\s*([\d.]+)s (?:call|setup|teardown)\s+(\S+?::\S+?)(?:\[.*)?$")


@cache
def listed() -> frozenset[str]:
    """The files, and the functions as FILE::NAME, that are slow."""
    lines = SLOW.read_text(encoding="utf-8").splitlines()
    return frozenset(line for line in lines if line and not line.startswith("#"))


def is_slow(nodeid: str) -> bool:
    """Whether a case belongs to `make slow`.

    >>> is_slow("tests/same/test_recorded.py::test_answers_are_as_good_as_recorded[audit]")
    False
    """
    function = nodeid.partition("[")[0]
    return function in listed() or function.partition("::")[0] in listed()


def slow_of(durations: str, functions: dict[str, set[str]]) -> list[str]:
    """Return the lines of `slow.txt`.

    Args:
        durations: what pytest printed.
        functions: the test functions of each file.

    >>> slow_of(
    ...     "0.30s call     tests/costs.py::test_b[0]",
    ...     {"tests/costs.py": {"tests/costs.py::test_b", "tests/costs.py::test_c"}},
    ... )
    ['tests/costs.py::test_b']
    """
    most = defaultdict[str, float](float)
    for line in durations.splitlines():
        if (found := LINE.match(line)) and not found[2].startswith(KEPT):
            most[found[2]] = max(most[found[2]], float(found[1]))
    slow = {name for name, seconds in most.items() if seconds > MOST}
    whole = {file for file, names in functions.items() if names and names <= slow}
    return sorted(whole | {name for name in slow if name.partition("::")[0] not in whole})


def room(path: str) -> str:
    """Return what is one entry of `seconds.json`: a file of tests, or the doctests of a floor.

    >>> room("src/pufferproof/models/channel.py"), room("tests/project/test_house.py")
    ('src/pufferproof/models', 'tests/project/test_house.py')
    """
    return "/".join(path.split("/")[:3]) if path.startswith("src/") else path


@cache
def parts(count: int) -> dict[str, int]:
    """Return the part of each room, from 1 on: rooms in their order, cut where the seconds of those left are."""
    seconds = json.loads(SECONDS.read_text(encoding="utf-8"))
    rooms = {file.relative_to(HERE.parent).as_posix() for file in HERE.rglob("test_*.py")} | {*seconds}
    costs = {name: seconds.get(name, USUAL) for name in sorted(rooms - listed())}
    left, before, part, found = sum(costs.values()), 0.0, 1, dict[str, int]()
    for name, cost in costs.items():
        if before and part < count and before + cost / 2 > left / (count - part + 1):
            left, before, part = left - before, 0.0, part + 1
        found[name] = part
        before += cost
    return found


def in_part(path: str, part: str) -> bool:
    """Whether a file is collected by a part such as "1/2"; what is in no room is in the first.

    >>> [in_part("tests/costs.py", part) for part in ("1/2", "2/2")]
    [True, False]
    """
    number, count = map(int, part.split("/"))
    return parts(count).get(room(path), 1) == number


def seconds_of(durations: str, slow: set[str]) -> dict[str, float]:
    """Return the seconds that each room takes in ``make test``.

    >>> seconds_of("1.50s call tests/costs.py::test_a[0]", set())
    {'tests/costs.py': 1.5}
    >>> seconds_of("1.50s call tests/costs.py::test_a[0]", {"tests/costs.py::test_a"})
    {}
    """
    found = defaultdict[str, float](float)
    for line in durations.splitlines():
        if (took := LINE.match(line)) and not {took[2], took[2].partition("::")[0]} & slow:
            found[room(took[2].partition("::")[0])] += float(took[1])
    return {name: round(seconds, 1) for name, seconds in sorted(found.items()) if seconds >= LEAST}


def functions() -> dict[str, set[str]]:
    """Return the test functions of each file."""
    texts = {
        file.relative_to(HERE.parent).as_posix(): file.read_text(encoding="utf-8") for file in HERE.rglob("test_*.py")
    }
    return {
        path: {f"{path}::{name}" for name in re.findall(r"(?m)^def (test_\w+)", text)} for path, text in texts.items()
    }


if __name__ == "__main__":
    head = "# Tests of which a case takes more than a quarter of a second: written by `python -m tests.costs`.\n"
    durations = sys.stdin.read()
    slow = slow_of(durations, functions())
    SLOW.write_text(head + "\n".join(slow) + "\n", encoding="utf-8")
    SECONDS.write_text(json.dumps(seconds_of(durations, {*slow}), indent=1) + "\n", encoding="utf-8")
