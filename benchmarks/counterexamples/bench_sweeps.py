"""Sweeps: what the store adds, what a unit costs on workers of a
scheduler, and two workers against one.
"""

import os
import socket
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from statistics import median

import pytest
from benchmarks.instances import same, waits

from pufferproof import ModelError
from pufferproof.counterexamples.exploration.family import Family, read_family
from pufferproof.counterexamples.exploration.instances import found_of
from pufferproof.models.interface.sweeps.cluster import Cluster
from pufferproof.models.interface.sweeps.running import Sweep
from pufferproof.models.interface.sweeps.store import Store
from pufferproof.models.interface.sweeps.units import Unit

ROOT = Path(__file__).parents[2]
TWICE = "at least 1.8 x"
CHAINS = ROOT / "examples" / "families" / "chains.toml"


def test_the_store(benchmark, tmp_path):
    """A family of 108 frameworks, five units, with answers kept, against without."""
    family = read_family(str(CHAINS))
    members = range(len(family))
    found_of(Sweep(), family, members)
    times: list[list[float]] = [[], []]
    for place in range(7):  # by turns, in seconds of this process: other load counts for neither
        for kept, known in zip((None, Store(str(tmp_path / f"{place}"))), times):
            start = time.process_time()
            found_of(Sweep(store=kept), family, members)
            known.append(time.process_time() - start)
    plain, seconds = map(median, times)
    benchmark.pedantic(lambda: None, rounds=1)
    benchmark.extra_info["seconds"], added = seconds, seconds / plain - 1
    benchmark.extra_info["what"] = "`explore`, 108 chains, every answer kept in a new store"
    benchmark.extra_info["compared"] = f"without a store, {1000 * plain:.2f} ms"
    benchmark.extra_info["ratio"] = f"{100 * added:.1f} % more time"
    benchmark.extra_info["target"] = "at most 5 %"


@pytest.fixture
def workers(tmp_path):
    """Starts a scheduler with as many workers as asked for, and ends them; yields what carries out
    units there, and what tells the processor seconds of the scheduler and of all workers.
    """
    psutil, processes = pytest.importorskip("psutil"), []
    paths = {"PYTHONPATH": os.pathsep.join(map(str, [ROOT, *sys.path]))}

    def start(*words):
        command = [sys.executable, "-m", "dask", *words]
        silent = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        processes.append(subprocess.Popen(command, cwd=tmp_path, env=os.environ | paths, **silent))
        return psutil.Process(processes[-1].pid)

    def cluster(number):
        with socket.socket() as found:
            found.bind(("127.0.0.1", 0))
            port = found.getsockname()[1]
        address, flags = f"tcp://127.0.0.1:{port}", ("--no-dashboard", "--no-nanny")
        known = [start("scheduler", "--host", "127.0.0.1", "--port", str(port), flags[0])]
        known += [start("worker", address, "--nthreads", "1", *flags) for _ in range(number)]
        for _ in range(200):
            try:
                executor = Cluster(address)
                break
            except ModelError:
                time.sleep(0.1)
        while len(executor.threads) < number:
            time.sleep(0.1)
        Sweep(executor).answers([Unit.of(waits, -place, 0.05) for place in range(8 * number)])
        spent = lambda: [sum(each.cpu_times()[:2]) for each in known]  # noqa: E731
        return executor, lambda: (sum(spent()[:1]), sum(spent()[1:]))

    yield cluster
    for process in processes:
        process.kill()
        process.wait()


@dataclass(frozen=True)
class Spent:
    """Seconds of a sweep for each unit: by the clock, and of the processor in this process, of the
    scheduler and of all workers.
    """

    clock: float
    client: float
    scheduler: float
    workers: float

    @classmethod
    def of(cls, cluster, units, most=100):
        """Carry out units that no worker has seen."""
        executor, spent = cluster
        before, client, clock = spent(), time.process_time(), time.perf_counter()
        Sweep(executor, most=most).answers(units)
        clock, client = time.perf_counter() - clock, time.process_time() - client
        others = (now - then for now, then in zip(spent(), before))
        return cls(*(each / len(units) for each in (clock, client, *others)))


def said(benchmark, what, seconds, compared, ratio, target):
    """Say a row that was measured here."""
    benchmark.pedantic(lambda: None, rounds=1)
    benchmark.extra_info |= {"what": what, "seconds": seconds, "compared": compared}
    benchmark.extra_info |= {"ratio": ratio, "target": target}


@pytest.mark.parametrize(
    ("most", "number", "what", "target"),
    [
        (100, 5000, "trivial units, as many together as there is time for", "at most 0.6 ms"),
        (1, 500, "trivial units, each a bundle of its own", ""),
    ],
    ids=["together", "alone"],
)
def test_client(benchmark, workers, most, number, what, target):
    """What a unit costs the process that asks for it."""
    pytest.importorskip("distributed")
    units = [Unit.of(same, place) for place in range(number)]
    spent = Spent.of(workers(1), units, most)
    what = f"the command, for each of {number:,} {what}, one worker of a dask scheduler"
    ratio = f"{spent.client / spent.scheduler:.1f} x the time"
    said(benchmark, what, spent.client, f"scheduler, {_ms(spent.scheduler)}", ratio, target)


def test_two_workers_that_wait(benchmark, workers):
    pytest.importorskip("distributed")
    one, two = (240 * Spent.of(workers(number), thirty()).clock for number in (1, 2))
    what = "240 units that wait 30 ms, by the clock, two workers of a dask scheduler"
    said(benchmark, what, two, f"one worker, {one:.2f} s", f"{one / two:.2f} x faster", TWICE)


def test_what_two_workers_add(benchmark, workers):
    """On two cores, two workers need (w + c) / 2 for what one needs w for: c, the processor time of
    all but the unit, is what keeps them from half. Units that wait have none of their own, and are
    on time whatever else the machine does.
    """
    pytest.importorskip("distributed")
    spent = Spent.of(workers(2), thirty())
    more = spent.client + spent.scheduler + spent.workers
    what = "all but the unit, for each of 240 units of 30 ms, two workers of a dask scheduler"
    ratio = f"two cores {2 * 0.03 / (0.03 + more):.2f} x one"
    said(benchmark, what, more, "the unit, 30.00 ms", ratio, TWICE)


def thirty():
    return [Unit.of(waits, place, 0.03) for place in range(240)]


def _ms(seconds):
    return f"{1000 * seconds:.2f} ms"


def seconds_of(executor):
    """Time chains of several levels, on workers that have begun with others."""
    document = read_family(str(CHAINS)).document
    family = Family(document | {"per_record_dp": ["0.3", "0.4", "0.6"]})
    members = [number for n in range(4) for number in range(n, len(family), 4)]
    begun = Family(document)
    found_of(Sweep(executor), begun, range(len(begun)))
    start = time.perf_counter()
    found_of(Sweep(executor), family, members)
    return time.perf_counter() - start


def test_two_workers(benchmark, workers):
    pytest.importorskip("distributed")
    one, two = (seconds_of(workers(number)[0]) for number in (1, 2))
    what = "`explore`, 162 chains, two workers of a dask scheduler"
    ratio = f"{one / two:.2f} x faster"
    said(benchmark, what, two, f"one worker, {one:.2f} s", ratio, "at least 1.7 x")
