"""Settings of the test suite: deterministic examples, and the brute-force definitions
importable from every test.
"""

import json

import pytest
from hypothesis import HealthCheck, settings

from pufferproof.reports import cli

settings.register_profile(
    "deterministic", derandomize=True, deadline=None, suppress_health_check=list(HealthCheck)
)
settings.load_profile("deterministic")


@pytest.fixture
def save(tmp_path, monkeypatch):
    """Write a file into a folder of its own, where commands then run."""
    monkeypatch.chdir(tmp_path)

    def write(name, content):
        (tmp_path / name).write_text(content if isinstance(content, str) else json.dumps(content))
        return name

    return write


@pytest.fixture
def run(capfd):
    """Run a command; return its exit code and what it printed on both streams."""

    def invoke(*arguments):
        code = cli._run(list(arguments))
        out, err = capfd.readouterr()
        return code, out, err

    return invoke
