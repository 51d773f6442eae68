"""Samplers that fail, and runs that are interrupted, kept and resumed."""

import doctest
import json
import math
import os
import re
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from select import select

import numpy as np
import pytest
from tests.reports.console.schemas import expect_valid
from tests.verify.simulation.fixed import estimate

import pufferproof as pp
from pufferproof.models.errors import ModelError
from pufferproof.verify.simulation.estimation.outputs import outputs_of
from pufferproof.verify.simulation.estimation.running import confidence_of
from pufferproof.verify.simulation.estimation.samplers import SamplerError

TWO = pp.Framework(["a", "b"], {"s": ["a"], "t": ["b"]}, [("s", "t")], {"theta": pp.Table({"a": "1/2", "b": "1/2"})})
FILE = {
    "format": "pufferproof-framework/1",
    "databases": ["a", "b"],
    "secrets": {"s": ["a"], "t": ["b"]},
    "pairs": [["s", "t"]],
    "priors": {"theta": {"table": {"a": "1/2", "b": "1/2"}}},
}
GUIDE = Path(__file__).parents[3] / "docs" / "guides" / "estimate.md"
MODULE = """
import json, os, time

def noisy(database, size, rng):
    return (database == "a") + rng.laplace(size=size)

def stuck(database, size, rng):
    if os.path.exists("r.json") and json.load(open("r.json"))["best"]:
        time.sleep(1000)
    return noisy(database, size, rng)

def one(database):
    return database
"""
PROGRAM = """
import os, random, sys
coin = random.Random(int(os.environ["PUFFERPROOF_SEED"]))
for line in sys.stdin:
    told = line.strip()
    print(told if coin.random() < 0.75 else "ab".replace(told, ""))
"""


def noisy(database, size, rng):
    return (database == "a") + rng.laplace(size=size)


def failing_after(calls, what):
    """A sampler that is `noisy` for some calls and then does something else."""
    count = iter(range(10**9))

    def sampler(database, size, rng):
        return noisy(database, size, rng) if next(count) < calls else what(size)

    return sampler


def boom(size):
    raise ValueError("boom")


class Clock:
    """A timer that counts the seconds that samplers say they spend, on a busy machine too."""

    left = 0.0

    def set(self, which, seconds):
        self.left = seconds

    def spend(self, seconds):
        if 0 < self.left <= seconds:
            signal.raise_signal(signal.SIGALRM)
        self.left -= seconds


CLOCK = Clock()


@pytest.fixture
def clock(monkeypatch):
    monkeypatch.setattr(signal, "setitimer", CLOCK.set)
    return CLOCK


def test_a_sampler_that_cannot_be_used_is_told_in_one_line():
    for sampler, message in [
        (boom, 'sampler: database "a": raised ValueError: boom'),
        (lambda x: float("nan"), "NaN"),
        (lambda x, size, rng: np.full(size, np.nan), "NaN"),
        (lambda x, size, rng: 3.5, "expected an array of 1500 outputs (size), found float"),
        (lambda x, size, rng: [1], "expected 1500 outputs (size), found 1"),
        (lambda x, size, rng: "x" * size, "expected an array of 1500 outputs (size), found str"),
        (lambda x: {"a": object()}, "bytes, None, or a list, tuple, array, dict, set or dataclass"),
        (lambda x: [object()], "found object: return what is released of it"),
        (lambda x: {"a": math.nan}, "an output is NaN"),
        (lambda x: {1: 1, "1": 2}, "two keys with one text"),
        (lambda x: 1 if x == "a" else "one", 'database "b": outputs are text, expected numbers'),
        (lambda x, rng: 1 if rng.random() < 0.5 else "one", "outputs are numbers and text"),
        (lambda x: 1j, "found complex"),
        (lambda: 1, "found 0 arguments"),
        (lambda a, b, c, d: 1, "found 4 arguments"),
        (lambda x: sys.exit(3), "raised SystemExit: 3"),
    ]:
        with pytest.raises(SamplerError) as caught:
            estimate(TWO, sampler, samples=24_000, independent_draws=True)
        assert message in str(caught.value)
        assert "\n" not in str(caught.value)


def test_a_sampler_that_fails_at_one_value_of_the_coin_is_told_with_the_database():
    def sampler(database, rng):
        if database == "b":
            raise RuntimeError("no such row")
        return rng.random()

    with pytest.raises(SamplerError, match='database "b": raised RuntimeError: no such row'):
        estimate(TWO, sampler, samples=2000)


@pytest.mark.parametrize(
    ("what", "message"),
    [
        (boom, "raised ValueError: boom"),
        (lambda size: ["x"] * size, "outputs are numbers and text, expected one kind"),
        (lambda size: np.full(size, np.nan), "NaN"),
        (lambda size: CLOCK.spend(5), "did not end within 0.2 seconds"),
    ],
)
def test_what_was_shown_before_a_failure_is_kept(what, message, tmp_path, clock):
    path = str(tmp_path / "run.json")
    with pytest.raises(SamplerError) as caught:
        estimate(TWO, failing_after(60_000, what), seconds=0.2, resume=path)
    assert message in str(caught.value)
    partial = caught.value.partial
    assert partial.ratio > 1
    kept = json.loads(Path(path).read_text())
    drawn = sum(sum(part["samples"]) for part in kept["parts"])
    assert drawn + kept["lost"] + kept["selected"] == partial.samples < 100_000
    assert kept["lost"] == partial.lost > 0


def test_a_time_limit_is_for_one_call(clock):
    def slow(database):
        clock.spend(0.002)
        return database

    assert estimate(TWO, slow, samples=100, seconds=0.1).samples == 100  # in 0.2 seconds


def test_a_call_that_does_not_end_is_stopped():
    with pytest.raises(SamplerError, match=r"did not end within 0\.2 seconds"):
        estimate(TWO, lambda database: time.sleep(1000), samples=100, seconds=0.2)


def test_none_among_numbers_is_an_output_of_its_own():
    def sometimes(database, size, rng):
        return [None] * size if database == "a" else list(rng.random(size))

    assert estimate(TWO, sometimes, samples=5000).ratio > 100


def test_lists_may_have_other_lengths_on_other_databases():
    found = estimate(TWO, lambda x: (0.5, 1) if x == "a" else (0.5,), samples=5000)
    assert found.ratio > 100


def test_options_out_of_range_are_named():
    for options, message in [
        ({"samples": 0}, "samples: expected from 1"),
        ({"samples": 10}, "samples: expected at least 32, found 10"),
        ({"confidence": "100%"}, "confidence"),
        ({"confidence": "x"}, "confidence"),
        ({"confidence": float("nan")}, "confidence"),
        ({"seed": -1}, "seed"),
        ({"epsilon": "x"}, "epsilon"),
    ]:
        with pytest.raises(ModelError, match=message):
            estimate(TWO, noisy, **options)


def test_confidence_is_read_exactly():
    assert confidence_of("95%") == confidence_of("19/20") == confidence_of("0.95")


# Outputs of other kinds


@dataclass
class Released:
    """Two numbers."""

    b: float
    a: float


def test_equal_outputs_have_one_text_and_named_numbers_are_vectors():
    same = [{"b": 1, "a": {2, 1}}, {"a": {1, 2}, "b": 1}]
    assert outputs_of(same).counts == {"{a: {1, 2}, b: 1}": 2}
    assert outputs_of([b"x", bytearray(b"x")]).counts == {"b'x'": 2}
    assert outputs_of([{}, {"ann": 6.5}]).counts == {"{}": 1, "{ann: 6}": 1}
    rows = outputs_of([Released(1.5, 2.0), Released(3.0, 4.5)])
    assert rows.values.tolist() == [[2.0, 1.5], [4.5, 3.0]]
    assert rows.labelled().counts == {"Released{a: 2, b: 1}": 1, "Released{a: 4, b: 3}": 1}


def test_dicts_whose_keys_differ_are_compared_as_texts():
    def keys(database, rng):
        return {"ann": 6.5} if rng.random() < (0.3 if database == "a" else 0.1) else {}

    found = estimate(TWO, keys, samples=8000, seed=1)
    assert 0.5 < float(found.lower.lower) < math.log(3)


# Resuming


def interrupting_after(calls):
    def stop(size):
        raise KeyboardInterrupt

    return failing_after(calls, stop)


def test_an_interrupted_run_gives_its_bound_and_goes_on(tmp_path):
    """The call that was interrupted is lost, and no other: its output is not known."""
    path = str(tmp_path / "run.json")
    whole = estimate(TWO, noisy, seed=5)
    sampler = interrupting_after(70_000)
    sampler.__qualname__, sampler.__module__ = noisy.__qualname__, noisy.__module__
    stopped = estimate(TWO, sampler, seed=5, resume=path)
    assert stopped.stopped == "interrupted"
    assert 1 < stopped.ratio <= whole.ratio
    assert (stopped.samples, stopped.lost) == (70_001, 1)
    resumed = estimate(TWO, noisy, seed=5, resume=path)
    assert (resumed.samples, resumed.lost) == (whole.samples, 1)
    assert resumed.ratio > stopped.ratio
    assert estimate(TWO, noisy, seed=5, resume=path) == resumed


def test_a_run_goes_on_for_more_samples(tmp_path):
    path = str(tmp_path / "run.json")
    first = estimate(TWO, noisy, samples=20_000, resume=path)
    assert first.samples == 20_000
    more = estimate(TWO, noisy, samples=100_000, resume=path)
    assert more.samples == 100_000
    assert more.ratio > first.ratio


@pytest.mark.parametrize(
    "options",
    [{"seed": 5}, {"confidence": "90%"}, {"independent_draws": True}, {"sampler": lambda x, size, rng: [1] * size}],
)
def test_a_run_is_not_resumed_as_another(options, tmp_path):
    path = str(tmp_path / "run.json")
    estimate(TWO, noisy, samples=1000, resume=path)
    with pytest.raises(ModelError, match="is about another run"):
        estimate(**({"framework": TWO, "sampler": noisy, "samples": 1000, "resume": path} | options))


@pytest.mark.parametrize(
    "damage",
    [
        lambda kept: kept | {"parts": [{"samples": [5, 5], "seen": [[6], [0]]}]},
        lambda kept: kept | {"parts": []},
        lambda kept: kept | {"expected": [[0, 1]]},
        lambda kept: kept | {"expected": []},
        lambda kept: kept | {"best": {"event": 0, "seen": [10**6, 0], "samples": [10**6, 1]}},
        lambda kept: kept | {"events": "x"},
        lambda kept: {key: value for key, value in kept.items() if key != "pair"},
        lambda kept: kept | {"best": {"event": 7}},
        lambda kept: [],
        lambda kept: kept | {"selected": None},
    ],
)
def test_a_damaged_file_is_refused(damage, tmp_path):
    path = tmp_path / "run.json"
    estimate(TWO, noisy, samples=1000, resume=str(path))
    path.write_text(json.dumps(damage(json.loads(path.read_text()))))
    for trusting in (False, True):
        with pytest.raises(ModelError, match=r"run\.json"):
            estimate(TWO, noisy, samples=1000, resume=str(path), trust_store=trusting)


def test_a_run_with_a_learned_score_is_resumed(tmp_path):
    def bits(database, size, rng):
        even = np.where(np.arange(16) < 4, 0.75 if database == "a" else 0.25, 0.5)
        return (rng.random((size, 16)) < even).astype(int)

    path = str(tmp_path / "run.json")
    first = estimate(TWO, bits, samples=4000, resume=path, independent_draws=True)
    assert re.search("the (score|sum) of", str(first))
    assert estimate(TWO, bits, samples=4000, resume=path, independent_draws=True) == first


def test_a_run_with_other_counts_is_refused_unless_it_is_trusted(tmp_path, monkeypatch):
    path = tmp_path / "run.json"
    estimate(TWO, noisy, samples=1000, resume=str(path))
    kept = json.loads(path.read_text())
    best = {"event": 0, "seen": [300, 1], "samples": [330, 330]}
    parts = [{"samples": [400, 350], "seen": [[390] * len(kept["events"]), [1] * len(kept["events"])]}]
    path.write_text(json.dumps(kept | {"parts": parts, "best": best}))
    with pytest.raises(ModelError, match="is not sealed by you"):
        estimate(TWO, noisy, samples=1000, resume=str(path))
    assert estimate(TWO, noisy, samples=1000, resume=str(path), trust_store=True).ratio > 20
    path.unlink()
    estimate(TWO, noisy, samples=1000, resume=str(path))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "another"))
    with pytest.raises(ModelError, match="is not sealed by you"):
        estimate(TWO, noisy, samples=1000, resume=str(path))
    with pytest.raises(ModelError, match="--trust-store: needs --resume"):
        estimate(TWO, noisy, samples=1000, trust_store=True)


# The command


@pytest.fixture
def folder(save, tmp_path):
    save("f.json", FILE)
    save("sampled_module.py", MODULE)
    save("program.py", PROGRAM)
    save("text.py", "print('x')\n")
    return tmp_path


@pytest.mark.parametrize(
    ("options", "code", "verdict"),
    [([], 0, None), (["--epsilon", "0.5"], 1, "VIOLATES"), (["--epsilon", "2"], 3, "UNDECIDED")],
)
def test_the_command_answers_as_its_schema_says(run, folder, options, code, verdict):
    words = ["estimate", "f.json", "sampled_module:noisy", "--trust-code", *options]
    found, out, _ = run(*words, "--json")
    answer = json.loads(out)
    expect_valid(answer, "estimate")
    assert (found, answer["verdict"]) == (code, verdict)
    assert run(*words)[0] == code
    again = json.loads(run(*words, "--json")[1])
    assert again["verdict"] == verdict
    assert again["coins"] != answer["coins"]


def test_a_program_reads_databases_and_prints_outputs(run, folder):
    words = [f"{sys.executable} program.py", "--trust-code", "--samples", "20000", "--json"]
    code, out, _ = run("estimate", "f.json", *words)
    answer = json.loads(out)
    assert code == 0
    assert answer["seeded"]
    assert 0.8 < float(answer["lower"]["upper"]) < 1.2  # of log(3); else in one run of 10^9


@pytest.mark.parametrize(
    ("sampler", "message"),
    [
        ("sampled_module:none", "sampled_module:none: cannot be imported"),
        ("false", "ended with exit code 1: without a word (a command reads databases"),
        ("yes", "printed more than 33554432 characters in one call"),
        ("true", "expected 8192 lines, one per database, found 0"),
        (f"{sys.executable} text.py", "expected 8192 lines, one per database, found 1"),
        ("no-such-program-here", "cannot be started"),
        ("text.py", 'start a Python file by "python3 text.py"'),
        ("./text.py 3", 'start a Python file by "python3 ./text.py"'),
        ("sleep 100", "did not end within 0.5 seconds"),
        ('"', "expected a command"),
        ("", "found nothing"),
    ],
)
def test_a_program_that_cannot_be_used_is_told_in_one_line(run, folder, sampler, message):
    words = ["estimate", "f.json", sampler, "--trust-code"]
    code, out, err = run(*words, "--timeout", "0.5" if "0.5" in message else "600")
    assert (code, out) == (2, "")
    assert message in err
    assert len(err.splitlines()) == 1


@pytest.mark.parametrize(("left", "code"), [("sleep 600 > left 2>&1", 0), ("sleep 600 2> left", 2)])
def test_what_a_program_that_has_ended_left_running_is_ended(run, folder, left, code):
    """The second keeps standard output open, where it could print more until the time is up."""
    os.mkfifo(folder / "left")
    (folder / "sampler.sh").write_text(f"{left} &\ncat\n")
    words = ["sh sampler.sh", "--trust-code", "--samples", "200"]
    reader = os.open(folder / "left", os.O_RDONLY | os.O_NONBLOCK)
    try:
        assert run("estimate", "f.json", *words, "--timeout", "1" if code else "60")[0] == code
        assert select([reader], [], [], 60)[0]
        assert os.read(reader, 1) == b""  # nobody has it open for writing
    finally:
        os.close(reader)


def test_code_runs_only_where_it_is_trusted(run, folder):
    for sampler in ("sampled_module:noisy", "touch here"):
        code, out, err = run("estimate", "f.json", sampler)
        assert (code, out) == (2, "")
        assert "--trust-code" in err
    assert not (folder / "here").exists()


def test_audit_of_a_sampler_names_the_command_for_it(run, folder):
    code, _, err = run("audit", "f.json", "sampled_module:one", "--trust-code")
    assert code == 2
    assert "estimate" in err


def test_ctrl_c_ends_the_command_with_the_bound_until_then(folder):
    program = str(Path(sys.executable).parent / "pufferproof")
    words = ["sampled_module:stuck", "--trust-code", "--samples", "10000000"]
    words += ["--timeout", "1000", "--resume", "r.json"]
    process = subprocess.Popen(
        [program, "estimate", "f.json", *words],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    for _ in range(6000):
        kept = folder / "r.json"
        if process.poll() is not None or (kept.exists() and json.loads(kept.read_text())["best"]):
            break
        time.sleep(0.1)
    os.kill(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=600)
    assert process.returncode == 130, err
    assert "leakage   at least" in out
    assert "interrupted" in out


def test_the_guide_keeps_its_word():
    test = doctest.DocTestParser().get_doctest(GUIDE.read_text(), {}, "estimate.md", str(GUIDE), 0)
    assert len(test.examples) > 8
    said = []
    doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE).run(test, out=said.append)
    assert said == []
