"""Sweeps on a real scheduler with two worker processes, of which one is killed in the middle."""

import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest
from tests.models.interface import work

from pufferproof.models.errors import ModelError, SweepError
from pufferproof.models.interface.sweeps import cluster, running, units
from pufferproof.models.interface.sweeps.cluster import Cluster
from pufferproof.models.interface.sweeps.running import Failure, Sweep
from pufferproof.models.interface.sweeps.store import Store
from pufferproof.models.interface.sweeps.units import Unit

ROOT = Path(__file__).parents[3]
SOON = """
from distributed import Nanny

Nanny.kill.__defaults__ = (1, *Nanny.kill.__defaults__[1:])
"""  # a worker that is in one call of C does not end in the five seconds that it has, either


def free_port():
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


@pytest.fixture
def started(tmp_path):
    """Starts processes of dask, and ends them."""
    processes = []

    def start(*words):
        paths = f"{ROOT}:{os.environ.get('PYTHONPATH', '')}"
        environment = os.environ | {"PYTHONPATH": paths, "PYTHONDONTWRITEBYTECODE": "1"}
        command = [sys.executable, "-m", "dask", *words]
        silent = subprocess.DEVNULL
        processes.append(
            subprocess.Popen(command, cwd=tmp_path, env=environment, stdout=silent, stderr=silent)
        )
        return processes[-1]

    yield start
    for process in processes:
        process.kill()
        process.wait()


def connected(address):
    for _ in range(100):
        try:
            return Cluster(address)
        except ModelError:
            time.sleep(0.1)
    raise AssertionError("the scheduler did not start")


def test_workers_that_die_hang_or_answer_wrongly_lose_nothing(
    started, tmp_path, monkeypatch, capfd
):
    pytest.importorskip("distributed")
    address = f"tcp://127.0.0.1:{free_port()}"
    scheduler = started(
        "scheduler", "--host", "127.0.0.1", "--port", address.rpartition(":")[2], "--no-dashboard"
    )
    flags = ("--nthreads", "1", "--no-dashboard", "--local-directory", str(tmp_path))
    (tmp_path / "soon.py").write_text(SOON)
    nannies = (["--no-nanny"], ["--preload-nanny", str(tmp_path / "soon.py")])
    first, _ = (started("worker", address, *flags, *more) for more in nannies)
    executor = connected(address)
    store = Store(str(tmp_path / "kept"))
    sweep = Sweep(executor, store, limit=0.5)
    while executor.width < 2:
        time.sleep(0.05)
    asked = [Unit.of(work.noted, str(tmp_path), number, 0.05) for number in range(20)]
    asked += [Unit.of(work.says_a_text, 1), Unit.of(work.turns_for_ever, 1)]
    found = {}
    for place, outcome in sweep.outcomes(asked):
        found[place] = outcome
        if len(found) == 3:
            first.send_signal(signal.SIGKILL)
    with monkeypatch.context() as patch:
        patch.setattr(running, "_GRACE", 0.1)  # waited for in full where nothing else ends it
        found[22] = dict(sweep.outcomes([Unit.of(work.sleeps, 1)]))[0]
    assert [found[number] for number in range(20)] == [number**2 for number in range(20)]
    failed = [each.kind for _, each in sorted(found.items()) if isinstance(each, Failure)]
    assert failed == [units.WRONG, units.HUNG, units.HUNG]
    assert len(store) == 20

    slow = [Unit.of(work.noted, str(tmp_path), number, 0.05) for number in range(30, 90)]
    said = r"scheduler tcp://.* went away; \d+ of 60 done; what is done is kept, --resume"
    sweep.say = lambda text: scheduler.kill() if text.startswith("5 of") else None
    with pytest.raises(SweepError, match=said):
        sweep.answers(slow)
    executor.close()
    assert len(store) >= 25
    assert capfd.readouterr().err == ""
    assert Sweep(store=store).answers(slow[:5]) == [number**2 for number in range(30, 35)]


def test_a_scheduler_that_is_not_there_is_said_in_one_line(monkeypatch):
    pytest.importorskip("distributed")
    monkeypatch.setattr(cluster, "_PATIENCE", 0.2)
    for address in (f"tcp://127.0.0.1:{free_port()}", "nonsense://here", "tcp://"):
        with pytest.raises(ModelError, match=r"^--scheduler: no scheduler answers at "):
            Cluster(address)


def test_without_dask_it_is_said_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(ModelError, match=r'pip install "pufferproof\[dask\]"'):
        Cluster("tcp://127.0.0.1:1")
