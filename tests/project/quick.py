"""Half a minute of the tests that a change touches: ``make quick``.

    python -m tests.project.quick [REVISION]

What differs from REVISION (where this branch left main), committed or not, is a change. In this
order: doctests of modules that changed, test files that changed, those that import what changed,
themselves or by a helper, and those of its rooms. Files take turns, so that all have begun when the
time is over. What was not run then, and tests further away, are for `make test`. It fails if no
test was run.
"""

import ast
import subprocess
import sys
import time
from collections.abc import Iterator
from itertools import chain, zip_longest
from pathlib import Path

import pytest

import pufferproof

ROOT = Path(__file__).parents[2]
SECONDS = 27  # to run: what collecting takes comes before
MARKED = "not claims and not coq and not pages"


def output_of(*git: str) -> list[str]:
    answer = subprocess.run(["git", *git], cwd=ROOT, capture_output=True, text=True)
    if answer.returncode:
        sys.exit(f"make quick: {answer.stderr.splitlines()[0]}: name another one as SINCE=REVISION")
    return answer.stdout.split()


def trunk() -> str:
    """The branch main, as it is here or, in a clone of another branch, at its origin."""
    known = output_of("branch", "--all", "--format=%(refname:short)")
    return next((name for name in ("main", "origin/main") if name in known), "main")


def files_changed(revision: str) -> list[str]:
    """Files in Python that are there and differ from the revision, or are new."""
    known = output_of("diff", "--name-only", "--merge-base", revision)
    new = output_of("ls-files", "--others", "--exclude-standard")
    return [path for path in known + new if path.endswith(".py") and (ROOT / path).is_file()]


def module(path: str) -> str:
    """The name under which tests import a file."""
    name = path.removeprefix("src/").removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    return name if path.startswith(("src/", "tests/")) else f"pufferproof.{name}"


def imported(text: str) -> Iterator[str]:
    """Modules that a text names in its imports, and the homes of public names."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            yield from (each.name for each in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield str(node.module)
            yield from (f"{node.module}.{each.name}" for each in node.names)
            if node.module == "pufferproof":
                homes = [pufferproof._HOME.get(each.name) for each in node.names]
                yield from (f"pufferproof.{home}" for home in homes if home)


def touching(changed: list[str], texts: dict[str, str]) -> list[str]:
    """The files that test what changed, the closest first.

    >>> texts = {
    ...     "tests/verify/test_engines.py": "from pufferproof import audit",
    ...     "tests/brute/definitions.py": "from pufferproof.verify.audit import Audit",
    ...     "tests/lp/test_many.py": "from tests.brute import definitions",
    ...     "tests/verify/test_decision.py": "from pufferproof.verify import decision",
    ... }
    >>> touching(["verify/audit/answer.py"], texts)  # its package has its names
    ['tests/verify/test_engines.py', 'tests/lp/test_many.py']
    >>> touching(["verify/engines.py"], texts)  # those of the room come last
    ['tests/verify/test_decision.py', 'tests/verify/test_engines.py']
    >>> touching(["tests/brute/definitions.py", "benchmarks/table.py"], texts)
    ['tests/lp/test_many.py']
    """
    names = {path: {*imported(text)} for path, text in texts.items()}
    modules = {module(path) for path in changed}
    modules |= {each.rpartition(".")[0] for each in modules if each.startswith("pufferproof.")}
    while more := {module(path) for path in names if names[path] & modules} - modules:
        helpers = {each for each in more if not each.rpartition(".")[2].startswith("test_")}
        if not helpers:
            break
        modules |= helpers
    importing = [path for path in names if names[path] & modules]
    rooms = {str(Path("tests", path).parent) for path in changed}
    near = [path for path in names if str(Path(path).parent) in rooms]
    ordered = dict.fromkeys(chain(changed, importing, near))
    return [path for path in ordered if path in texts and Path(path).name.startswith("test_")]


class InTurns:
    """Has the files take turns, and ends when the time is over."""

    def __init__(self) -> None:
        self.left = self.run = 0
        self.end = 0.0

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        files: dict[Path, list[pytest.Item]] = {}
        for item in items:
            files.setdefault(item.path, []).append(item)
        items[:] = [item for turn in zip_longest(*files.values()) for item in turn if item]

    def pytest_collection_finish(self) -> None:
        self.end = time.monotonic() + SECONDS

    def pytest_runtest_protocol(self, item: pytest.Item) -> bool | None:
        over = time.monotonic() > self.end
        self.left += over
        self.run += not over
        return over or None

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        if not self.run and session.exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.NO_TESTS_COLLECTED

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        if self.left:
            terminalreporter.write_line(f"{self.left} tests were not run: `make test` runs them")


def main(revision: str) -> int:
    changed = files_changed(revision)
    paths = [*(ROOT / "tests").rglob("*.py")]
    texts = {str(path.relative_to(ROOT)): path.read_text() for path in sorted(paths)}
    modules = [path for path in changed if not path.startswith("tests/")]
    doctests = [path if path.startswith("src/") else f"src/pufferproof/{path}" for path in modules]
    shown = [path for path in doctests if ">>> " in (ROOT / path).read_text()]
    tests = [path for path in shown if (ROOT / path).is_file()] + touching(changed, texts)
    if not tests:
        print(f"no test belongs to what differs from {revision}")
        return 0
    return pytest.main(["-q", "-m", MARKED, *tests], plugins=[InTurns()])


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:] or [trunk()]))
