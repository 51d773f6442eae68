"""A program that is watched: draws from elsewhere have their law or are refused by name, and what a
call leaves behind is seen.
"""

import cProfile
import datetime
import gc
import hashlib
import math
import operator
import os
import random
import resource
import secrets
import signal
import sqlite3
import ssl
import sys
import threading
import time
import types
import uuid
from collections import Counter, deque
from fractions import Fraction
from functools import cache, partial
from itertools import count
from os import urandom
from random import random as drawn

import numpy as np
import pytest
from numpy.random import laplace
from tests.verify.programs.watching import counted_calls

import pufferproof as pp
from pufferproof.models.files.programs import Calls, Program, code_of
from pufferproof.verify.programs import paths
from pufferproof.verify.programs.law import ProgramError
from pufferproof.verify.programs.watching import calls
from pufferproof.verify.programs.watching.reach import Reach
from pufferproof.verify.programs.watching.state import frozen

G, OWN = np.random.default_rng(1), random.Random(1)
LISTED, TABLE, TIMES = [], {}, count()
HALF, QUARTER = Fraction(1, 2), Fraction(1, 4)


def law(program, database="0"):
    made = pp.as_mechanism(program, [database]).value
    if hasattr(made, "probability"):
        return {output: made.probability(database, output) for output in made.outputs}
    return {output: made.probability_approx(database, output) for output in made.outputs}


def shuffled(_, rng):
    letters = list("ab")
    random.shuffle(letters)
    return "".join(letters)


def imported_inside(_, rng):
    from random import randint

    return randint(1, 2)


def selected(query):
    return sqlite3.connect(":memory:").execute(query).fetchone()[0]


FAITHFUL = {
    "random": (lambda _, rng: random.random() < 0.25, {"True": QUARTER, "False": 3 * QUARTER}),
    "imported by name": (lambda _, rng: drawn() < 0.25, {"True": QUARTER, "False": 3 * QUARTER}),
    "imported in the call": (imported_inside, {"1": HALF, "2": HALF}),
    "uniform": (lambda _, rng: random.uniform(1, 3) < 2, {"True": HALF, "False": HALF}),
    "randrange": (lambda _, rng: random.randrange(1, 5, 2), {"1": HALF, "3": HALF}),
    "choices": (lambda _, rng: random.choices("ab", [1, 3])[0], {"a": QUARTER, "b": 3 * QUARTER}),
    "cumulated": (lambda _, rng: random.choices("ab", cum_weights=[1, 4])[0], {"a": QUARTER, "b": 3 * QUARTER}),
    "sample": (lambda _, rng: "".join(random.sample("ab", 2)), {"ab": HALF, "ba": HALF}),
    "shuffle": (shuffled, {"ab": HALF, "ba": HALF}),
    "bits": (lambda _, rng: random.getrandbits(1), {"0": HALF, "1": HALF}),
    "expovariate": (lambda _, rng: random.expovariate(2) > 1, {"True": math.exp(-2), "False": 1 - math.exp(-2)}),
    "urandom": (lambda _, rng: urandom(1)[0] % 2, {"0": HALF, "1": HALF}),
    "system": (lambda _, rng: random.SystemRandom().random() < 0.25, {"True": QUARTER, "False": 3 * QUARTER}),
    "system's range": (lambda _, rng: 1 + random.SystemRandom().randrange(2), {"1": HALF, "2": HALF}),
    "secrets": (lambda _, rng: secrets.randbelow(2), {"0": HALF, "1": HALF}),
    "secrets.choice": (lambda _, rng: secrets.choice("ab"), {"a": HALF, "b": HALF}),
    "numpy": (
        lambda _, rng: np.random.laplace(1, 2) > 1 + 2,
        {"True": math.exp(-1) / 2, "False": 1 - math.exp(-1) / 2},
    ),
    "numpy by name": (lambda _, rng: laplace(size=2)[0] > 0, {"True": HALF, "False": HALF}),
    "legacy": (lambda _, rng: np.random.randint(2) + 0 * np.random.rand(), {"0": HALF, "1": HALF}),
    "default_rng": (lambda _, rng: np.random.default_rng().random() < 0.5, {"True": HALF, "False": HALF}),
    "passed through": (lambda _, rng: np.random.default_rng(rng).random() < 0.5, {"True": HALF, "False": HALF}),
    "with a seed": (lambda _, rng: np.random.default_rng(0).random() < 0.5, {"False": Fraction(1)}),
    "seeded": (lambda _, rng: random.Random(5).random() < 0.5, {"False": Fraction(1)}),
    "betavariate": (lambda _, rng: random.betavariate(2, 1) < 0.5, {"True": QUARTER, "False": 0.75}),
    "triangular": (lambda _, rng: random.triangular(2, 0, 0) < 1, {"True": 0.75, "False": QUARTER}),
    "the system's noise": (lambda _, rng: random.SystemRandom().gauss(1, -2) > 1, {"True": HALF, "False": HALF}),
    "the system's numbers": (
        lambda _, rng: random.SystemRandom().uniform(0, 2) < 0.5,
        {"True": QUARTER, "False": 0.75},
    ),
    "entropy": (lambda _, rng: os.getrandom(1)[0] % 2, {"0": HALF, "1": HALF}),
    "of TLS": (lambda _, rng: ssl.RAND_bytes(1)[0] % 2, {"0": HALF, "1": HALF}),
    "seeded as before": (lambda _, rng: np.random.RandomState(0).rand() < 0.5, {"False": 1}),
    "seeded by a draw": (
        lambda _, rng: np.random.default_rng(rng.integers(2)).random() < 0.55,
        {"False": HALF, "True": HALF},
    ),
    "a time that is given": (
        lambda _, rng: (time.gmtime(5).tm_sec, time.strftime("%S", time.gmtime(7))),
        {"(5,07)": 1},
    ),
    "a date that is given": (lambda _, rng: str(np.datetime64("1970-01-02")), {"1970-01-02": 1}),
    "a file": (lambda _, rng: os.stat(__file__).st_size > 0 and os.path.exists(__file__), {"True": 1}),
    "a database": (lambda _, rng: selected("select abs(-5)"), {"5": 1}),
    "a clock of a library": (lambda _, rng: uuid.UUID(int=5).int + 0 * rng.random(), {"5": 1}),
}


@pytest.mark.parametrize("name", FAITHFUL)
def test_a_draw_from_elsewhere_has_its_law(name):
    program, expected = FAITHFUL[name]
    state = random.getstate(), str(np.random.get_state())
    found = law(program)
    assert found.keys() == expected.keys()
    for output, probability in expected.items():
        assert found[output] == pytest.approx(probability, abs=1e-15)
    assert (random.getstate(), str(np.random.get_state())) == state


def test_a_clock_of_pandas_is_refused_by_name():
    pandas = pytest.importorskip("pandas")
    for program in (lambda _, rng: pandas.Timestamp.now().hour, lambda _, rng: pandas.to_datetime("today").hour):
        with pytest.raises(ProgramError, match="which is a clock"):
            law(program)
    assert law(lambda _, rng: pandas.Timestamp("1970-01-02").day) == {"2": 1}


def test_an_answer_says_which_generators_have_a_seed():
    def program(_, rng):
        return np.random.default_rng(0).random() < 0.5, random.Random(5).random() < 0.5

    trust = pp.as_mechanism(program, ["0"]).trust
    assert "test_watch.py:" in trust
    assert "numpy.random.default_rng has a seed" in trust
    assert "random.Random has a seed" in trust
    assert "seed" not in pp.as_mechanism(lambda _, rng: random.random() < 0.5, ["0"]).trust


def writes(_, rng):
    global WRITTEN
    WRITTEN = WRITTEN + 1
    return WRITTEN % 20 == 19


WRITTEN = 0


@cache
def kept_draw(_):
    return np.random.laplace()


class Hashed:
    def __hash__(self):
        return hash("a")


COUNTED = (k for k in range(1000))


class Shared:
    seen = deque()  # noqa: RUF012

    def __init__(self, rng):
        self.rng = rng

    def release(self, database):
        self.seen.append(database)
        return self.rng.random() < 0.5


class Caller:
    def __init__(self):
        self.calls = Counter()

    def __call__(self, database, rng):
        self.calls[database] += 1
        return rng.random() < 0.5

    def method(self, database, rng):
        return self(database, rng)


def defaulted(_, rng, kept=[]):  # noqa: B006
    kept.append(1)
    return rng.random() < 0.5


def enclosed():
    total = 0

    def program(_, rng):
        nonlocal total
        total += 1
        return rng.random() < 0.5

    return program


REFUSED = {
    "gauss": (lambda _, rng: random.lognormvariate(1, 2) > 0, "calls random.lognormvariate"),
    "seed": (lambda _, rng: random.seed(1), "calls random.seed"),
    "numpy.seed": (lambda _, rng: np.random.seed(1), "calls numpy.random.seed"),
    "urandom": (lambda _, rng: os.urandom(9)[0], r"calls os.urandom\(9\)"),
    "uuid": (lambda _, rng: uuid.uuid4().int % 2, r"calls os.urandom\(16\)"),
    "Random": (lambda _, rng: random.Random().random() > 0.5, "random.Random without a seed"),
    "PCG64": (lambda _, rng: np.random.PCG64().random_raw() % 2, "PCG64 without a seed"),
    "RandomState": (lambda _, rng: np.random.RandomState().rand() > 0, "RandomState without a seed"),
    "time": (lambda _, rng: int(time.time()) % 2, "calls time.time"),
    "time_ns": (lambda _, rng: time.perf_counter_ns() % 2, "calls time.perf_counter_ns"),
    "now": (lambda _, rng: datetime.datetime.now().second % 2, "calls datetime.now"),
    "today": (lambda _, rng: datetime.date.today().day % 2, "calls datetime.today"),
    "gmtime": (lambda _, rng: time.gmtime().tm_sec % 2, "calls time.gmtime"),
    "localtime": (lambda _, rng: time.localtime(None).tm_sec % 2, "calls time.localtime"),
    "ctime": (lambda _, rng: time.ctime()[-1], "calls time.ctime"),
    "asctime": (lambda _, rng: time.asctime()[-1], "calls time.asctime"),
    "strftime": (lambda _, rng: time.strftime("%S"), "calls time.strftime"),
    "clock_gettime": (lambda _, rng: time.clock_gettime(0) > 5, "calls time.clock_gettime"),
    "datetime64": (lambda _, rng: str(np.datetime64("now")), "asks datetime64 for 'now'"),
    "times": (lambda _, rng: os.times().user > 5, "calls os.times"),
    "load": (lambda _, rng: os.getloadavg()[0] > 5, "calls os.getloadavg"),
    "usage": (lambda _, rng: resource.getrusage(0).ru_utime > 5, "calls resource.getrusage"),
    "process": (lambda _, rng: os.getpid() % 2, "calls os.getpid"),
    "system": (lambda _, rng: open("/proc/uptime").read(), "reads /proc/uptime"),  # noqa: SIM115
    "times of the system": (lambda _, rng: os.stat("/proc/self").st_mtime, "stat of /proc/self"),
    "times of a file": (lambda _, rng: os.utime(__file__, (1, 1)), "changes files"),
    "long entropy": (lambda _, rng: os.getrandom(9), r"calls os.getrandom\(9\)"),
    "uuid1": (lambda _, rng: uuid.uuid1().int % 2, "calls uuid.uuid1"),
    "chance of SQLite": (lambda _, rng: selected("select random()") % 2, "random of SQLite"),
    "clock of SQLite": (lambda _, rng: selected("select date('now')"), "calls date of SQLite"),
    "global seed": (lambda _, rng: random.getstate(), "calls random.getstate"),
    "hash": (lambda _, rng: hash("a") % 2, "calls hash"),
    "id": (lambda _, rng: id(rng) % 2, "calls id"),
    "generator of the module": (lambda _, rng: G.random() > 0.5, "draws from G"),
    "random of the module": (lambda _, rng: OWN.random() > 0.5, "draws from OWN"),
    "list": (lambda _, rng: LISTED.append(1) or rng.random() > 0.5, "changes LISTED"),
    "memory": (lambda x, rng: TABLE.setdefault(x, rng.random() > 0.5), "changes TABLE"),
    "draw kept": (lambda x, rng: TABLE.setdefault(x, rng.laplace()) > 0, "changes TABLE"),
    "iterator": (lambda _, rng: next(TIMES) % 20 == 19, "changes TIMES"),
    "global": (writes, "changes WRITTEN"),
    "of another module": (lambda _, rng: counted_calls.bump() % 20 == 19, "changes TOTAL"),
    "in another module": (lambda _, rng: counted_calls.add(counted_calls), "SUM, which the next"),
    "generator": (lambda _, rng: next(COUNTED) % 20 == 19, "changes COUNTED"),
    "cached draw": (lambda x, rng: kept_draw(x) > 1, "cache of kept_draw keeps"),
    "default": (defaulted, "changes a default of defaulted"),
    "closure": (enclosed(), "changes total"),
    "object": (Caller(), "changes an attribute of a Caller"),
    "method": (Caller().method, "changes an attribute of a Caller"),
    "class": (Shared, "changes Shared.seen"),
    "partial": (partial(lambda kept, _, rng: kept.append(1) or rng.random() > 0.5, []), "a partial"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_a_call_that_has_no_law_of_its_own_is_refused_by_name(name):
    program, message = REFUSED[name]
    LISTED.clear()
    TABLE.clear()
    with pytest.raises(ProgramError, match=message) as caught:
        law(program)
    assert "estimate bounds" in str(caught.value)


@pytest.mark.parametrize(
    "program",
    [
        lambda rows, rng: rows.append(1) or rng.random() < 0.5,
        lambda rows, rng: rng.shuffle(rows) or rows[0],
        lambda rows, rng: rows.sort() or rows[0],
    ],
)
def test_a_call_that_changes_its_argument_is_refused(program):
    with pytest.raises(ProgramError, match="changes its argument"):
        pp.as_mechanism(program, {"a": [2, 1], "b": [1, 1]})
    copied = pp.as_mechanism(lambda rows, rng: program(list(rows), rng), {"a": [2, 1]})
    assert copied.value.outputs


def test_a_library_may_be_imported_in_the_call(tmp_path, monkeypatch):
    (tmp_path / "drawing_module.py").write_text(
        "import random, time\nfrom numpy.random import laplace\nFIRST = laplace(), random.random(), time.time()\n"
    )
    monkeypatch.syspath_prepend(tmp_path)

    def program(_, rng):
        import drawing_module

        return len(drawing_module.FIRST) + (rng.random() < 0.5)

    assert law(program) == {"3": HALF, "4": HALF}


def test_whether_something_can_be_hashed_may_be_asked():
    def hashable(value):
        try:
            hash(value)
        except TypeError:
            return False
        return True

    program = lambda x, rng: (hashable(x), hashable([x]), rng.random() < 0.5)  # noqa: E731
    assert law(program) == {"(True,False,True)": HALF, "(True,False,False)": HALF}


def test_tables_of_pandas_have_laws():
    def noisy_mean(database, rng):
        table = pandas.DataFrame({"x": list(map(int, database)), "group": list("abab")})
        mean = table["x"].mean() + table.groupby("group")["x"].sum().max()
        return bool(mean + rng.uniform(-2, 2) > 2)

    pandas = pytest.importorskip("pandas")
    assert law(noisy_mean, "0110") == {"True": Fraction(3, 8), "False": Fraction(5, 8)}


@pytest.mark.parametrize(("database", "share"), [("0", HALF), ("1", 3 * QUARTER)])
def test_distributions_of_scipy_draw_from_the_generator(database, share):
    stats = pytest.importorskip("scipy.stats")
    program = lambda x, rng: stats.uniform.rvs(random_state=rng) < (2 + int(x)) / 4  # noqa: E731
    assert law(program, database)["True"] == share


def test_a_method_that_is_called_by_its_name_is_no_unclear_name():
    ones = operator.methodcaller("count", "1")
    reach = Reach(lambda x, rng: ones(x) + rng.integers(2))
    assert not reach.unclear
    assert law(lambda x, rng: ones(x) + rng.integers(2), "01") == {"1": HALF, "2": HALF}


def test_objects_may_be_hashed():
    assert law(lambda _, rng: len({Hashed(), rng.random() < 0.5})) == {"2": 1}


def test_a_program_may_read_what_nobody_changes():
    weights = {"0": 0.25, "1": np.array([0.75])}
    assert law(lambda x, rng: rng.random() < weights[x])["True"] == QUARTER


def test_a_call_without_end_is_refused(monkeypatch):
    monkeypatch.setattr(paths, "SECONDS", 0.05)

    def caught(_, rng):
        while True:
            try:
                rng = rng
            except Exception:
                rng = None

    with pytest.raises(ProgramError, match="does a loop of it end"):
        law(caught)


def test_a_call_that_waits_is_not_slow_because_another_thread_computes(monkeypatch):
    monkeypatch.setattr(paths, "SECONDS", 0.05)
    other = threading.Thread(target=hashlib.pbkdf2_hmac, args=("sha256", b"", b"", 1_500_000))

    def waits(_, rng):
        time.sleep(0.3)
        return rng.random() < 0.5

    other.start()
    try:
        assert law(waits) == {"True": HALF, "False": HALF}
    finally:
        other.join()


def test_a_tick_is_asked_for_after_the_one_before():
    with calls.watched(Program(lambda _, rng: rng.random(), "program")) as watch:
        watch.tick(None)
        left, again = signal.getitimer(signal.ITIMER_VIRTUAL)
    assert left > 0 == again
    assert signal.getitimer(signal.ITIMER_VIRTUAL) == (0, 0)


def test_memory_is_collected_afterwards_as_before():
    law(lambda _, rng: rng.random() < 0.5)
    assert gc.isenabled()


def test_all_is_as_it_was_after_a_program_fails():
    before = random.random, np.random.laplace, os.urandom, time.time, random.Random.seed, laplace
    with pytest.raises(ProgramError, match="raises KeyError"):
        law(lambda x, rng: {}[x])
    assert before == (random.random, np.random.laplace, os.urandom, time.time, random.Random.seed, laplace)


def test_a_list_that_is_the_argument_is_one_for_all_releases():
    class Taker:
        def __init__(self, rng):
            self.rng = rng

        def release(self, database):
            return database.pop()

    program = code_of(Taker, "Taker", None, Calls(True, "text", {}, 2))
    with pytest.raises(ProgramError, match="changes its argument"):
        pp.as_mechanism(program, {"a": [1, 2]})


def test_draws_that_nobody_watches_show_when_a_program_is_run_again(monkeypatch):
    """A counter in the namespace of a class of Python: each answer is another than the last."""
    kept = types.SimpleNamespace(calls=0)
    monkeypatch.setattr(calls.Kept, "change", lambda self: None)

    def counted(_, rng):
        kept.calls += 1
        return kept.calls % 5 == 4

    with pytest.raises(ProgramError, match="not a function of its draws"):
        law(counted)


def after():
    """A call that a profiler sees."""


def test_a_profiler_goes_on():
    profiler = cProfile.Profile()
    with profiler:
        found = law(lambda x, rng: "yes" if rng.random() < 0.75 else "no")
        after()
    assert found == {"yes": 3 * QUARTER, "no": QUARTER}
    assert after.__code__ in [each.code for each in profiler.getstats()]


def test_the_table_of_modules_is_compared_by_what_has_a_name(monkeypatch):
    """Some modules hold what cannot be looked into."""
    monkeypatch.setitem(sys.modules, "unseen_of_a_test", iter([]))
    before = frozen(sys.modules)
    assert frozen(sys.modules) == before
    monkeypatch.setitem(sys.modules, "other_of_a_test", object())
    assert frozen(sys.modules) != before
