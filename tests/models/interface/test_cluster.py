"""Sweeps on a real scheduler with two worker processes, of which one is killed in the middle."""

import json
import os
import pickle
import signal
import socket
import subprocess
import sys
import time
from contextlib import suppress
from functools import partial
from pathlib import Path
from types import SimpleNamespace

import pytest
from tests.models.files.test_reading import FRAMEWORK, MECHANISM
from tests.models.interface import work

from pufferproof.models.errors import ModelError, SweepError
from pufferproof.models.interface.sweeps import answers, cluster, running, units
from pufferproof.models.interface.sweeps.cluster import Cluster
from pufferproof.models.interface.sweeps.executors import InProcess, Processes
from pufferproof.models.interface.sweeps.portions import in_portions
from pufferproof.models.interface.sweeps.running import Failure, Sweep
from pufferproof.models.interface.sweeps.store import Store
from pufferproof.models.interface.sweeps.units import Unit
from pufferproof.reports import cli

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
        processes.append(subprocess.Popen(command, cwd=tmp_path, env=environment, stdout=silent, stderr=silent))
        return processes[-1]

    yield start
    for process in processes:
        process.kill()
        process.wait()


def connected(address):
    for _ in range(3000):
        try:
            return Cluster(address)
        except ModelError:
            time.sleep(0.1)
    raise AssertionError("the scheduler did not start")


def test_workers_that_die_hang_or_answer_wrongly_lose_nothing(started, tmp_path, monkeypatch, capfd):
    pytest.importorskip("distributed")
    address = f"tcp://127.0.0.1:{free_port()}"
    scheduler = started("scheduler", "--host", "127.0.0.1", "--port", address.rpartition(":")[2], "--no-dashboard")
    flags = ("--nthreads", "1", "--no-dashboard", "--local-directory", str(tmp_path))
    (tmp_path / "soon.py").write_text(SOON)
    nannies = (["--no-nanny"], ["--preload-nanny", str(tmp_path / "soon.py")])
    first, _ = (started("worker", address, *flags, *more) for more in nannies)
    executor = connected(address)
    store = Store(str(tmp_path / "kept"))
    sweep = Sweep(executor, store, limit=1)
    while len(executor.threads) < 2:
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
        work.counts_only_what_sleeps(patch, executor)
        many = [Unit.of(work.square, number) for number in range(100)]
        alone = dict(sweep.outcomes([*many, Unit.of(work.sleeps, 1), *many]))
    found[22] = alone.pop(100)
    assert [alone[place] for place in sorted(alone)] == [number**2 for number in range(100)] * 2
    assert [found[number] for number in range(20)] == [number**2 for number in range(20)]
    failed = [each.kind for _, each in sorted(found.items()) if isinstance(each, Failure)]
    assert failed == [units.WRONG, units.HUNG, units.HUNG]
    assert len(store) == 120

    slow = [Unit.of(work.noted, str(tmp_path), number, 0.05) for number in range(30, 90)]
    said = r"scheduler tcp://.* went away; \d+ of 60 done; what is done is kept, --resume"
    sweep.say = lambda text: scheduler.kill() if text.startswith("5 of") else None
    with pytest.raises(SweepError, match=said):
        sweep.answers(slow)
    executor.close()
    assert len(store) >= 125
    assert capfd.readouterr().err == ""
    assert Sweep(store=store).answers(slow[:5]) == [number**2 for number in range(30, 35)]


def test_the_same_answers_in_the_same_order_wherever_units_are_carried_out(started, tmp_path):
    """In this process, by processes, by two threads of one worker and by another worker."""
    pytest.importorskip("distributed")
    address = f"tcp://127.0.0.1:{free_port()}"
    started("scheduler", "--host", "127.0.0.1", "--port", address.rpartition(":")[2])
    for threads in ("2", "1"):
        started("worker", address, "--nthreads", threads, "--no-nanny", "--no-dashboard")
    executor = connected(address)
    while len(executor.threads) < 2:
        time.sleep(0.05)
    asked = [Unit.of(work.shared, number) for number in range(400)]
    asked += [Unit.of(each, 7) for each in (work.refuses, work.says_a_text, work.says_nan)]
    asked += [Unit.of(work.noted, str(tmp_path), number, 0.02) for number in range(20)]
    asked.append(Unit.of(work.square, 10**40))
    found, kept = [], []
    for place in (InProcess(), Processes(2), executor):
        store = Store(str(tmp_path / f"{len(found)}.db"))
        outcomes = dict(Sweep(place, store).outcomes(asked))
        portioned = in_portions(Sweep(place), [*range(70)], partial(Unit.of, work.squares))
        found.append([*(f"{outcomes[number]}" for number in range(len(asked))), portioned])
        kept.append((len(store), Sweep(store=store).answers([*asked[:400], *asked[403:]])))
        place.close()
    assert found[0] == found[1] == found[2]
    assert kept[0] == kept[1] == kept[2]
    assert (kept[0][0], kept[0][1][-1]) == (421, 10**80)


def test_a_worker_answers_what_there_is_time_and_room_for(monkeypatch):
    calls = answers.asked([Unit.of(work.shared, 1000).call] * 3)  # of 7,000 bytes each

    def kinds(seconds=60.0):
        return [kind for kind, _, _ in answers.read(answers.carried_out(calls, None, seconds), 3)]

    assert kinds() == [units.DONE] * 3
    assert kinds(0.0) == [units.DONE]
    for most, expected in ((20_000, [units.DONE] * 2), (4000, [units.WRONG])):
        monkeypatch.setattr(answers, "MOST", most)
        assert kinds() == expected


def test_a_scheduler_that_is_not_there_is_said_in_one_line(monkeypatch):
    pytest.importorskip("distributed")
    monkeypatch.setattr(cluster, "_PATIENCE", 0.2)
    for address in (f"tcp://127.0.0.1:{free_port()}", "nonsense://here", "tcp://"):
        with pytest.raises(ModelError, match=r"^--scheduler: no scheduler answers at "):
            Cluster(address)


class Alone:
    """A client of a scheduler whose workers are none, or die with every task."""

    status = "running"

    def __init__(self, workers):
        self.workers = workers

    def ncores(self):
        return self.workers

    def submit(self, *_, **__):
        return Dead()

    def close(self, timeout):
        pass


class Dead:
    status, key = "error", "unit"

    def add_done_callback(self, told):
        told(self)

    def exception(self):
        return "KilledWorker('attempted to run task on 4 different workers, but all died')"


@pytest.fixture
def lonely(monkeypatch):
    """A cluster with this client."""

    def of(workers):
        def client(*_, **__):
            return Alone(workers)

        library = SimpleNamespace(Guard=lambda: SimpleNamespace(refused=None), GuardedClient=client, PLAIN=())
        monkeypatch.setattr(cluster, "_library", lambda: library)
        return Cluster("tcp://here:1")

    return of


def test_a_scheduler_without_workers_is_not_waited_for_for_ever(lonely, monkeypatch):
    there = lonely({})
    assert there.width == 1
    monkeypatch.setattr(cluster, "_LONELY", 0)
    with pytest.raises(SweepError, match="had no worker for 0 seconds; 0 of 1 done"):
        Sweep(there).answers([Unit.of(work.square, 3)])


def test_workers_that_die_with_every_unit_end_the_sweep(lonely):
    many = [Unit.of(work.square, number) for number in range(50)]
    with pytest.raises(SweepError, match=r"die with every unit; . of 50 done"):
        Sweep(lonely({"one": 1})).answers(many)


def test_without_dask_it_is_said_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(ModelError, match=r'pip install "pufferproof\[dask\]"'):
        Cluster("tcp://127.0.0.1:1")


HOSTILE = """
import json, pathlib, pickle
from pufferproof.models.interface.sweeps import answers
from pufferproof.models.interface.sweeps.units import packages

HERE = pathlib.Path(PLACE)
CODE = f"import os; open({str(HERE)!r} + '/ran.' + str(os.getpid()), 'w').close()"


class Boom(Exception):
    def __reduce__(self):
        return exec, (CODE,)


def raised():
    raise Boom


def published():
    from distributed import get_worker
    get_worker().log_event("print", {"args": ("VIOLATES",), "sep": " ", "end": ""})
    get_worker().log_event("warn", {key: pickle.dumps(Boom()) for key in ("message", "category")})
    return b"[]"


def answer(kind="done", text="[]", seconds=0.0, **changes):
    usual = {"format": answers.FORMAT, "packages": packages(), "said": [[kind, text, seconds]]}
    return json.dumps(usual | changes).encode()


MODES = {
    "an object that runs code": Boom,
    "objects that run code in a list": lambda: [Boom()],
    "an exception that runs code": raised,
    "events that print and warn": published,
    "a text": lambda: "[]",
    "a triple": lambda: ("done", "[]", 0.0),
    "no texts": lambda: b"\\xff\\xfe",
    "no JSON": lambda: b"{",
    "deep JSON": lambda: b"[" * 3900,
    "a list": lambda: b"[]",
    "another format": lambda: answer(format="pufferproof-answers/0"),
    "other keys": lambda: answer(more=1),
    "other types": lambda: answer(said="[]"),
    "a text for seconds": lambda: answer(seconds="0"),
    "no outcome": lambda: answer(said=[]),
    "more than was asked": lambda: answer(said=[["done", "[]", 0.0]] * 2),
    "a list too short": lambda: answer(said=[["done", "[]"]]),
    "no number": lambda: answer(seconds=float("nan")),
    "an unknown outcome": lambda: answer(kind="proved"),
    "another version": lambda: answer(
        kind="met a worker with other sources",
        packages=packages().replace("pufferproof ", "pufferproof 9"),
    ),
    "other sources": lambda: answer(kind="met a worker with other sources"),
    "another kind of answer": lambda: answer(text="7"),
    "too much": lambda: answer(text="[" + " " * 5000 + "]"),
}


def carried_out(calls, limit, seconds):
    return MODES[(HERE / "mode").read_text()]()


carried_out.__module__ = answers.__name__
carried_out.__qualname__ = "carried_out"
answers.carried_out = carried_out
"""
SAID = {
    "an object that runs code": "expected bytes of JSON",
    "objects that run code in a list": "expected bytes of JSON",
    "an exception that runs code": "a worker could not begin a unit",
    "events that print and warn": "expected the format pufferproof-answers/1",
    "a text": "expected bytes of JSON, found 'str'",
    "a triple": "expected bytes of JSON, found 'tuple'",
    "no texts": "expected JSON in UTF-8",
    "no JSON": "expected JSON in UTF-8",
    "deep JSON": "expected JSON in UTF-8",
    "a list": "expected the format pufferproof-answers/1",
    "another format": "expected the format pufferproof-answers/1",
    "other keys": "expected the keys",
    "other types": "expected the keys",
    "a text for seconds": "expected an outcome, its text and seconds",
    "no outcome": "expected 1 to 1 outcomes, found 0",
    "more than was asked": "expected 1 to 1 outcomes, found 2",
    "a list too short": "expected an outcome, its text and seconds",
    "no number": "expected an outcome, its text and seconds",
    "an unknown outcome": "expected an outcome, its text and seconds, found",
    "another version": "it has pufferproof '90.1.0', here 0.1.0",
    "other sources": "it has other sources of pufferproof",
    "another kind of answer": "should be a valid list, found int",
    "too much": "expected at most 4000 bytes",
}


def test_nothing_that_a_worker_sends_runs_in_the_command(started, tmp_path, monkeypatch, capfd):
    """Whatever it is, the command ends with one line."""
    pytest.importorskip("distributed")
    address = f"tcp://127.0.0.1:{free_port()}"
    port = address.rpartition(":")[2]
    started("scheduler", "--host", "127.0.0.1", "--port", port, "--no-dashboard")
    (tmp_path / "evil.py").write_text(HOSTILE.replace("PLACE", repr(str(tmp_path))))
    flags = ("--nthreads", "1", "--no-dashboard", "--local-directory", str(tmp_path), "--no-nanny")
    started("worker", address, *flags, "--preload", str(tmp_path / "evil.py"))
    connected(address).close()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(answers, "MOST", 4000)
    (tmp_path / "f.json").write_text(json.dumps(FRAMEWORK))
    (tmp_path / "m.json").write_text(json.dumps(MECHANISM))
    (tmp_path / "l.txt").write_text("f.json m.json")
    for number, (mode, words) in enumerate(SAID.items(), 2):
        (tmp_path / "mode").write_text(mode)
        asked = ["--epsilon", f"log({number})", "--scheduler", address]
        code = cli._run(["audit-list", "l.txt", *asked])
        out, err = capfd.readouterr()
        assert (code, out, err.count("\n")) == (2, "", 1), (mode, err)
        assert words in err, (mode, err)
    assert not (tmp_path / f"ran.{os.getpid()}").exists()


SCHEDULER = """
from distributed.protocol.serialize import ToPickle


class Boom:
    def __reduce__(self):
        return exec, ("import os; open('PLACE/ran.' + str(os.getpid()), 'w').close()",)


def dask_setup(scheduler):
    scheduler.handlers["WHAT"] = lambda **options: ToPickle(Boom())
"""


@pytest.mark.parametrize("what", ["identity", "ncores"])
def test_nothing_that_a_scheduler_sends_runs_in_the_command(started, tmp_path, monkeypatch, capfd, what):
    pytest.importorskip("distributed")
    address = f"tcp://127.0.0.1:{free_port()}"
    evil = SCHEDULER.replace("WHAT", what).replace("PLACE", str(tmp_path))
    (tmp_path / "evil.py").write_text(evil)
    port = ("--host", "127.0.0.1", "--port", address.rpartition(":")[2], "--no-dashboard")
    started("scheduler", *port, "--preload", str(tmp_path / "evil.py"))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "f.json").write_text(json.dumps(FRAMEWORK))
    (tmp_path / "m.json").write_text(json.dumps(MECHANISM))
    (tmp_path / "l.txt").write_text("f.json m.json")
    for _ in range(100):
        code = cli._run(["audit-list", "l.txt", "--scheduler", address])
        out, err = capfd.readouterr()
        if "no scheduler answers" not in err:
            break
        time.sleep(0.1)
    assert (code, out, err.count("\n")) == (2, "", 1), err
    assert "sent an object that would call 'builtins.exec' here: refused" in err
    assert not (tmp_path / f"ran.{os.getpid()}").exists()


NOTES: list[int] = []


class Noted:
    """Leaves a note where it is unpickled."""

    def __reduce__(self):
        return noted, (1,)


def noted(number):
    NOTES.append(number)


@pytest.mark.filterwarnings("ignore")
def test_no_pickle_that_dask_reads_looks_up_a_name():
    """Each of these runs code without a guard."""
    pytest.importorskip("distributed")
    from distributed import client, core, protocol
    from distributed.protocol.serialize import Serialize, ToPickle

    from pufferproof.models.interface.sweeps.guarded import Guard

    data = pickle.dumps(Noted())
    pickled = protocol.dumps({"x": ToPickle(Noted())})
    serialized = protocol.dumps({"x": Serialize(Noted())}, serializers=["pickle"])
    ways = [
        lambda: protocol.loads(pickled),
        lambda: protocol.loads(pickled, deserialize=False),
        lambda: protocol.loads(serialized),
        lambda: core.clean_exception(data),
        lambda: client._handle_warn((0, {"message": data})),
        lambda: client.loads(data),
    ]
    for way in ways:
        NOTES.clear()
        with suppress(Exception):
            way()
        assert NOTES == [1]
        guard = Guard()
        guard.watch()
        with suppress(Exception):
            way()
        guard.close()
        assert guard.refused is not None
        assert NOTES == [1]
        guard = Guard()
        guard.watch()
        pickle.loads(data)  # which is not dask's
        guard.close()
        assert NOTES == [1, 1]
        assert guard.refused is None
