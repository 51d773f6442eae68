"""`make quick` runs tests for as long as it says, and fails if it ran none; a part of `make test` may have none."""

import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from tests import costs

ROOT = Path(__file__).parents[2]
SCRIPT = """
import sys, time, pytest
from tests.project import quick
quick.SECONDS = float(sys.argv[1])
time.sleep(0.1)  # what comes before collecting has no part in the time
sys.exit(pytest.main(["-q", "-p", "no:cacheprovider", sys.argv[2]], plugins=[quick.InTurns()]))
"""


@pytest.mark.parametrize(("seconds", "fails"), [(-1, True), (60, False)])
def test_it_fails_if_it_ran_no_test(seconds, fails, tmp_path):
    (tmp_path / "test_one.py").write_text("def test_one():\n    assert True\n")
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, str(seconds), str(tmp_path)], cwd=ROOT, capture_output=True, text=True
    )
    assert (done.returncode != 0) == fails, done.stdout + done.stderr
    assert ("1 tests were not run" in done.stdout) == fails


@pytest.mark.parametrize("count", [1, 2, 7, 8, 16, 64])
def test_each_process_of_make_test_has_files(count):
    assert {*costs.parts(count).values()} == {*range(1, count + 1)}


@pytest.mark.parametrize(("status", "said"), [(5, 0), (1, 1), (2, 2), (0, 0)])
def test_a_part_without_tests_does_not_fail(request, status, said):
    ours = next(each for each in request.config.pluginmanager.get_plugins() if hasattr(each, "OfItsPart"))
    session = SimpleNamespace(exitstatus=pytest.ExitCode(status))
    ours.OfItsPart("1/2").pytest_sessionfinish(session)
    assert session.exitstatus == said
