"""All registered claims, cold and from the cache, with peak memory, and the report of two
hundred of them.
"""

import json
import os
import resource
import subprocess
import sys
from pathlib import Path

import pytest

from pufferproof.claims.registry import load_claims
from pufferproof.claims.run import run_claims
from pufferproof.reports.proofs.site import write_proof_report
from pufferproof.verify.proof.argument import DEFAULT_TIMEOUT

COMMAND = [str(Path(sys.executable).parent / "pufferproof"), "prove", "--json"]


@pytest.fixture(scope="module")
def environment(tmp_path_factory):
    return {**os.environ, "XDG_CACHE_HOME": str(tmp_path_factory.mktemp("cache"))}


def test_all_claims_cold(benchmark, environment):
    def run() -> str:
        how = {"env": environment, "check": True, "capture_output": True, "text": True}
        return subprocess.run(COMMAND, **how).stdout

    found = benchmark.pedantic(run, rounds=1)
    benchmark.extra_info["claims"] = len(json.loads(found)["claims"])
    benchmark.extra_info["peak_mb"] = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024


def test_all_claims_cached(benchmark, environment):
    run = lambda: subprocess.run(COMMAND, env=environment, check=True, capture_output=True)  # noqa: E731
    benchmark.pedantic(run, rounds=3)


def test_all_claims_with_pages(benchmark, environment, tmp_path):
    command = [*COMMAND, "--out", str(tmp_path / "out")]
    run = lambda: subprocess.run(command, env=environment, check=True, capture_output=True)  # noqa: E731
    benchmark.pedantic(run, rounds=3, warmup_rounds=1)
    benchmark.extra_info |= {"what": "`prove` with its pages, cached", "target": "under 3 s"}


def test_report_of_two_hundred_claims(benchmark, environment, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", environment["XDG_CACHE_HOME"])
    results = run_claims([*load_claims().values()][:200], timeout=DEFAULT_TIMEOUT)
    benchmark.pedantic(write_proof_report, (results, tmp_path / "out"), rounds=1)
