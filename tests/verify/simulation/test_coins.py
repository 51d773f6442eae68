"""Coins that are new each time, and failures that gain nothing: samplers with a memory that fail,
or are asked again. All coins are fixed here, so that a test has the same answer each time.
"""

import json
import math
import os
import random
import signal
import sys
from contextlib import suppress
from dataclasses import replace
from itertools import count, product

import pytest
from tests.verify.simulation.fixed import estimate, options

import pufferproof as pp
from pufferproof.models.errors import ModelError
from pufferproof.verify.simulation.estimation.running import Options, estimate_with
from pufferproof.verify.simulation.estimation.samplers import Bundle, Coins, Command, Function, SamplerError

TWO = pp.Framework(["a", "b"], {"s": ["a"], "t": ["b"]}, [("s", "t")], {"theta": pp.Table({"a": "1/2", "b": "1/2"})})
SAMPLES, SELECTED = 3000, 748


class Killed(BaseException):
    """The end of the process: nobody hears of it."""


def honest(database, luck):
    """An output that shows a rather than b with odds 7 to 3: at most log(7/3) = 0.848 nats."""
    return "E" if luck.random() < (0.7 if database == "a" else 0.3) else "N"


def nats(found):
    return float(found.lower.lower)


# What was shown before is not drawn again


def repeating(seed, path):
    """Fails late, and tells in the run that goes on what it was asked in the one that failed."""
    asked, again, luck = [], [], random.Random(seed)

    def sampler(database):
        if again:
            return "E" if again.pop(0) == "a" else "X"
        asked.append(database)
        if len(asked) == 2790:
            raise RuntimeError("the service went down")
        return honest(database, luck) if len(asked) <= SELECTED else "X"

    with pytest.raises(SamplerError) as caught:
        estimate(TWO, sampler, "1", samples=SAMPLES, seed=seed, resume=path)
    block = (caught.value.partial.samples - SELECTED) // 2
    again.extend([*asked[-block:], *"b" * SAMPLES])  # the block that failed, or nearly
    return estimate(TWO, sampler, "1", samples=SAMPLES, seed=seed, resume=path)


def test_a_sampler_that_remembers_a_block_that_failed_gains_nothing(tmp_path):
    found = [repeating(seed, str(tmp_path / f"{seed}.json")) for seed in range(8)]
    assert max(map(nats, found)) <= math.log(7 / 3)
    assert {each.lost for each in found} == {1}


def test_a_sampler_that_remembers_the_run_before_gains_nothing():
    for seed in range(8):
        luck, log, calls = random.Random(seed), [], count()

        def sampler(database, luck=luck, log=log, calls=calls):
            n = next(calls)
            if n < SAMPLES:
                log.append(database)
            if n % SAMPLES < SELECTED:
                return honest(database, luck)
            return "X" if n < SAMPLES else "E" if log[n - SAMPLES] == "a" else "X"

        runs = [estimate(TWO, sampler, samples=SAMPLES, seed=2 * seed + k) for k in (0, 1)]
        assert max(map(nats, runs)) <= math.log(7 / 3)


@pytest.mark.parametrize("stop", [RuntimeError, KeyboardInterrupt, Killed])
def test_no_attempt_is_asked_what_another_was_wherever_it_stopped(stop, tmp_path):
    """Of 64 databases or more no two attempts have the same, but with probability 2^-64."""
    path, limits, asked = str(tmp_path / "run.json"), (900, 64, 65, 100, 128, 300, 4000), []

    def sampler(database):
        asked[-1].append(database)
        if len(asked[-1]) == limits[len(asked) - 1]:
            raise stop
        return database

    for _ in limits:
        asked.append([])
        with suppress(SamplerError, Killed):
            estimate(TWO, sampler, samples=100 * SAMPLES if asked[1:] else SAMPLES, resume=path)
    evaluated = [asked[0][SELECTED:], *asked[1:]]
    starts = ["".join(each[:64]) for each in evaluated]
    assert len({*starts}) == len(evaluated) == 7
    everything = "".join(map("".join, evaluated))
    assert all(everything.count(start) == 1 for start in starts)


# Failures that depend on coins


class Blocks:
    """Leaks until an event is chosen. Then it shows E alone, whatever its database, but fails at
    the end of a block unless E came much more often with a: it leaks nothing.
    """

    seeded, most, call_by_call = False, 64, False

    def __init__(self, seed, failure):
        self.luck, self.left, self.failure, self.failures = (random.Random(seed), SELECTED, failure, 0)

    def first(self, database):
        return "E" if self.luck.random() < (0.5 if database == "a" else 0.1) else "N"

    def each(self, databases, seed, outputs):
        if self.left > 0:
            self.left -= len(databases)
            outputs += [self.first(each) for each in databases]
            return
        if databases.count("a") - databases.count("b") < len(databases) / 8:
            self.failures += 1
            if self.failure is None:
                outputs += [math.nan] * len(databases)
                return
            raise self.failure("unlucky")
        outputs += ["E"] * len(databases)


class Calls(Blocks):
    """The same call by call: it fails as soon as it is behind."""

    call_by_call = True

    def each(self, databases, seed, outputs):
        if self.left > 0:
            return super().each(databases, seed, outputs)
        for place in range(len(databases)):
            if 2 * databases[: place + 1].count("b") > place + 4:
                self.failures += 1
                raise self.failure("unlucky")
            outputs.append("E")
        return None


def persistent(sampler, path, seed):
    """The answer of someone who starts again until all is drawn."""
    for again in range(2000):
        given = replace(options(None, SAMPLES, 0, resume=path), coins=Coins(f"{seed} {again}"))
        try:
            found = estimate_with(TWO, sampler, "sampler", given)
        except (SamplerError, Killed):
            continue
        if found.stopped == "samples":
            return found
    raise AssertionError


FAILURES = [*product([Blocks, Calls], [SamplerError, KeyboardInterrupt, Killed]), (Blocks, None)]


@pytest.mark.parametrize(("kind", "failure"), FAILURES)
def test_a_sampler_that_fails_when_it_is_unlucky_shows_nothing(kind, failure, tmp_path):
    failures = 0
    for seed in range(3):
        sampler = kind(seed, failure)
        found = persistent(sampler, str(tmp_path / f"{seed}.json"), seed)
        assert found.ratio == 1
        assert found.samples == SAMPLES
        failures += sampler.failures
    assert failures > 30


def test_it_would_show_leakage_if_failed_blocks_were_left_out(tmp_path, monkeypatch):
    def left_out(self, seed):
        try:
            self.sampler.each([self.asked[x][1] for x in self.order.tolist()], seed, self.values)
        except SamplerError:
            self.values.clear()
            raise

    monkeypatch.setattr(Bundle, "draw", left_out)
    monkeypatch.setattr(Bundle, "unknown", 0)
    found = persistent(Calls(0, SamplerError), str(tmp_path / "run.json"), 0)
    assert found.ratio > 1


def test_calls_of_a_process_that_was_killed_are_lost(tmp_path):
    path, calls = tmp_path / "run.json", count()

    def sampler(database):
        if next(calls) == 2000:
            raise Killed
        return database

    with pytest.raises(Killed):
        estimate(TWO, sampler, samples=SAMPLES, resume=str(path))
    kept = json.loads(path.read_text())
    drawn = sum(sum(part["samples"]) for part in kept["parts"])
    assert drawn + kept["lost"] + kept["selected"] >= 2001
    assert kept["lost"] == drawn  # a block is as large as all before
    again = estimate(TWO, sampler, samples=SAMPLES, resume=str(path))
    assert (again.samples, again.lost) == (SAMPLES, kept["lost"])


# Coins are kept, and told at the end


def test_the_file_tells_coins_only_when_the_run_has_ended(tmp_path):
    path, told = tmp_path / "run.json", set()

    def sampler(database):
        if path.exists():
            told.update(each["coins"] for each in json.loads(path.read_text())["runs"])
        return database

    first, second = (pp.estimate(TWO, sampler, samples=n, resume=str(path)) for n in (500, 1000))
    kept = json.loads(path.read_text())["runs"]
    secrets = [secret for _, secret in second.coins]
    assert [each["coins"] for each in kept] == secrets
    assert secrets[:1] == [secret for _, secret in first.coins]
    assert told == {Coins(secrets[0]).commitment, secrets[0], Coins(secrets[1]).commitment}
    assert [each["attempts"] for each in kept] == [0, second.coins[1][0]]
    assert len({*secrets}) == 2
    assert all(len(secret) == 32 for secret in secrets)


def test_a_run_can_be_done_again_from_its_coins_and_seed():
    def noisy(database, rng):
        return (database == "a") + rng.laplace()

    first = pp.estimate(TWO, noisy, samples=2000, seed=5)
    ((_, secret),) = first.coins
    again = Options.of(None, 2000, 5, "95%")
    repeated = estimate_with(TWO, Function(noisy, None), "", replace(again, coins=Coins(secret)))
    assert repeated == first
    assert pp.estimate(TWO, noisy, samples=2000, seed=5).coins != first.coins


def test_a_file_of_an_earlier_version_is_refused_by_name(tmp_path):
    path = tmp_path / "run.json"
    estimate(TWO, lambda database: database, samples=500, resume=str(path))
    path.write_text(path.read_text().replace("estimate/3", "estimate/2"))
    with pytest.raises(ModelError, match="draws its coins again: begin a new file"):
        estimate(TWO, lambda database: database, samples=500, resume=str(path))


# Whether a seed repeats


UNSEEDED = """
import random, sys
for line in sys.stdin:
    print(line.count("a") + (random.random() < 0.2))
"""


def test_a_seed_repeats_only_what_takes_its_random_numbers_from_it(tmp_path):
    own, calls = random.Random(1), count()
    samplers = {
        "takes a generator": (lambda database, rng: rng.random(), True),
        "many at once": (lambda database, size, rng: rng.random(size), True),
        "has one, and does not use it": (lambda database, rng: own.random(), False),
        "remembers": (lambda database, rng: rng.random() + next(calls), False),
        "takes none": (lambda database: database, False),
    }
    for function, seeded in samplers.values():
        assert estimate(TWO, function, samples=2000).seeded is seeded
    drawn = estimate(TWO, samplers["many at once"][0], samples=2000, independent_draws=True)
    assert drawn.seeded
    (tmp_path / "box.py").write_text(UNSEEDED)
    (tmp_path / "seeded.py").write_text("import os, random\nrandom.seed(os.environ['PUFFERPROOF_SEED'])\n" + UNSEEDED)
    for name, seeded in (("box.py", False), ("seeded.py", True)):
        command = Command([sys.executable, str(tmp_path / name)], 60.0)
        found = estimate_with(TWO, command, name, options(None, 2000))
        assert found.seeded is seeded
        assert found.samples == 2000


def test_draws_that_show_whether_a_seed_repeats_are_none_of_the_bets():
    asked = []

    def sampler(database, rng):
        asked.append(database)
        return rng.random()

    found = estimate(TWO, sampler, samples=6400)
    assert len(asked) == found.samples == 6400
    before, again = asked[1600:1700], asked[1700:1800]
    assert before == again  # a 64th, and the same once more, before the first bet


# Ctrl-C, and outputs that change


def test_a_block_that_is_asked_for_at_once_is_finished_before_ctrl_c_ends_the_run():
    class Interrupted(Blocks):
        def each(self, databases, seed, outputs):
            if self.left <= 0:
                os.kill(os.getpid(), signal.SIGINT)
            self.left -= len(databases)
            outputs += [self.first(each) for each in databases]

    before = signal.getsignal(signal.SIGINT)
    found = estimate_with(TWO, Interrupted(1, None), "", options(None, SAMPLES))
    assert found.stopped == "interrupted"
    assert (found.samples, found.lost) == (SELECTED + 64, 0)
    assert signal.getsignal(signal.SIGINT) is before


def test_a_list_that_a_sampler_changes_later_stays_as_it_was_given():
    buffer = [0.0]

    def sampler(database):
        buffer[0] = float(database == "a")
        return buffer

    assert estimate(TWO, sampler, samples=2000).ratio > 20
