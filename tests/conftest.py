"""Settings of the test suite: deterministic examples but under `make soak`, the slow kernel beside
the fast one, and how commands are run.
"""

import gc
import json
import os
import shlex
import sys
from importlib.machinery import PathFinder
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # a second thread of NumPy only waits

import pytest
from _pytest.doctest import DoctestItem, DoctestModule
from hypothesis import HealthCheck, settings
from hypothesis.internal.constants_ast import constants_from_module


class AsItIs:
    """Finds modules of the package: pytest, which rewrites what has a plugin of its own, would
    compile each of them a second time, in every worker.
    """

    @staticmethod
    def find_spec(name, path=None, target=None):
        ours = name.partition(".")[0] == "pufferproof"
        return PathFinder.find_spec(name, path, target) if ours else None


sys.meta_path.insert(0, AsItIs)

# Bytecode is kept: without it each of hundreds of processes compiles the package anew.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False
gc.disable()  # until all is collected: next to nothing of it is garbage, and none is looked for


class DoctestsWhereWritten:
    """Leaves modules without an example out of the search for doctests, which imports each module
    and reads all of its docstrings, in every worker.
    """

    @staticmethod
    @pytest.hookimpl(wrapper=True)
    def pytest_collect_file(file_path):
        collected = yield
        if not collected or b">>> " in file_path.read_bytes():
            return collected
        return [each for each in collected if not isinstance(each, DoctestModule)]


class OfItsPart:
    """Leaves out files of other parts: of doctests too, which hooks of this file do not reach."""

    def __init__(self, part: str):
        self.part = part

    def pytest_ignore_collect(self, collection_path):
        if collection_path.suffix != ".py" or not collection_path.is_relative_to(ROOT):
            return None
        return not costs.in_part(collection_path.relative_to(ROOT).as_posix(), self.part) or None

    @staticmethod
    def pytest_sessionfinish(session):
        if session.exitstatus == pytest.ExitCode.NO_TESTS_COLLECTED:
            session.exitstatus = pytest.ExitCode.OK  # those of this part are all of other marks


class FromBothEnds:
    """Lets every second worker read the files of each folder from the last one on: workers of a
    fresh checkout then compile half of them each, and find the rest compiled; so with constants
    of the sources, which Hypothesis tries. What was collected is in one order again afterwards.
    """

    def __init__(self, worker: str):
        self.backwards = int(worker.removeprefix("gw")) % 2

    @pytest.hookimpl(wrapper=True)
    def pytest_make_collect_report(self, collector):
        report = yield
        if self.backwards and isinstance(collector, pytest.Directory):
            report.result.reverse()
        return report

    def pytest_collection_modifyitems(self, items):
        items.sort(key=lambda item: (item.path, isinstance(item, DoctestItem)))
        if self.backwards:
            for name, module in reversed(list(sys.modules.items())):
                if name.partition(".")[0] in ("pufferproof", "tests"):
                    constants_from_module(module)


from pufferproof.verify import kernel  # noqa: E402
from tests import DEFAULT, TIMES, costs, drawn  # noqa: E402
from tests.kernel.slow.beside import beside  # noqa: E402

ROOT = Path(__file__).parents[1]

kernel.judged = beside(kernel.judged)

settings.register_profile(
    "suite", derandomize=TIMES == 1, max_examples=drawn(DEFAULT), deadline=None, suppress_health_check=list(HealthCheck)
)
settings.load_profile("suite")


def pytest_configure(config):
    config.pluginmanager.register(DoctestsWhereWritten)
    if part := config.getoption("--part"):
        config.pluginmanager.register(OfItsPart(part))
    if hasattr(config, "workerinput"):
        config.pluginmanager.register(FromBothEnds(config.workerinput["workerid"]))


def pytest_addoption(parser):
    parser.addoption(
        "--part", metavar="NUMBER/COUNT", help="collect this part of the files alone, by tests/seconds.json"
    )


def pytest_ignore_collect(collection_path, config):
    """Leave out files of which all tests are slow where these are not asked for."""
    if "not slow" not in config.option.markexpr or not collection_path.is_relative_to(ROOT):
        return None
    return collection_path.relative_to(ROOT).as_posix() in costs.listed() or None


def pytest_collection_modifyitems(items):
    for item in items:
        if costs.is_slow(item.nodeid):
            item.add_marker(pytest.mark.slow)


def pytest_collection_finish():
    """What was imported and collected stays: no search for garbage goes through it again, and what
    tests make is searched less often. Claims of a test rest on what it writes, not on whichever
    modules of tests were collected with it.
    """
    if cache := sys.modules.get("pufferproof.claims.run.cache"):
        homes = (*cache._homes(), f"{Path(__file__).parent}{os.sep}")
        cache._homes = lambda: homes
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop():
    gc.enable()


@pytest.fixture
def save(tmp_path, monkeypatch):
    """Write a file into a folder of its own, where commands then run."""
    monkeypatch.chdir(tmp_path)

    def write(name, content):
        (tmp_path / name).write_text(content if isinstance(content, str) else json.dumps(content))
        return name

    return write


@pytest.fixture(autouse=True)
def _claims_of_users():
    """Take the claims that a test registered out again: other tests see none of them."""
    registry = sys.modules.get("pufferproof.claims.registry")
    before = set(registry._CLAIMS) if registry else set()
    yield
    if registry := sys.modules.get("pufferproof.claims.registry"):
        for name in set(registry._CLAIMS) - before:
            if not registry._CLAIMS[name].own:
                del registry._CLAIMS[name]


@pytest.fixture
def run(capfd):
    """Run a command, given by its words or as one text; return its exit code and what it printed on
    both streams.
    """
    from pufferproof.reports import cli  # and Typer, which most tests do without

    def invoke(*arguments):
        words = shlex.split(arguments[0]) if len(arguments) == 1 else map(str, arguments)
        code = cli._run([*words])
        out, err = capfd.readouterr()
        return code, out, err

    return invoke
