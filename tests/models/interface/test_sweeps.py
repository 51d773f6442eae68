"""Sweeps against plain repetition; whatever happens to a unit loses no other, and is said."""

import hashlib
import json
import multiprocessing
import os
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests import TEXTS, examples
from tests.models.interface import work

from pufferproof.models.errors import ModelError, SweepError
from pufferproof.models.interface.readable import seal, user_key
from pufferproof.models.interface.sweeps import portions, running, units
from pufferproof.models.interface.sweeps import units as versions
from pufferproof.models.interface.sweeps.executors import InProcess, Processes
from pufferproof.models.interface.sweeps.opening import Sharing, begun, opened
from pufferproof.models.interface.sweeps.running import Failure, Sweep
from pufferproof.models.interface.sweeps.store import _FORMAT, _MARK, _TABLES, Store
from pufferproof.models.interface.sweeps.units import Unit, json_of

ROOT = Path(__file__).parents[3]


@pytest.fixture(scope="module")
def processes():
    executor = Processes(2)
    yield executor
    executor.close()


def kinds(found):
    return {place: each.kind for place, each in found.items() if isinstance(each, Failure)}


def test_no_thread_is_left_where_processes_were_ended():
    """One would be woken at the end of the program, by a pipe that it may close just then."""
    before = set(threading.enumerate())
    executor = Processes(2)
    futures = [executor.submit([Unit.of(work.shared, number)], None) for number in range(2)]
    ((kind, text, _),) = futures[0].result()
    assert (kind, json.loads(text)) == (units.DONE, work.shared(0))
    executor.stop(futures[1])
    executor.close()
    left = set(threading.enumerate()) - before
    assert [each.name for each in left if "QueueFeeder" not in each.name] == []


@pytest.fixture
def children():
    """The processes that were started in this test."""
    before = multiprocessing.active_children()
    return lambda: [each for each in multiprocessing.active_children() if each not in before]


def test_a_process_that_begins_before_its_units_are_known_carries_them_out(children):
    before = set(threading.enumerate())
    with begun(Sharing(jobs=1), work.__name__) as sharing:
        (process,) = children()
        with opened(sharing, apart=True) as sweep:
            assert sweep.answers([Unit.of(work.shared, 3)]) == [work.shared(3)]
            assert children() == [process]
        with opened(sharing, apart=True) as sweep:  # another process, as the first has ended
            assert sweep.answers([Unit.of(work.shared, 2)]) == [work.shared(2)]
    left = set(threading.enumerate()) - before
    assert [each.name for each in left if "QueueFeeder" not in each.name] == []
    assert children() == []


@pytest.mark.parametrize("module", [work.__name__, "no.such.module"])
def test_a_process_that_gets_no_units_ends(children, module):
    with begun(Sharing(jobs=1), module) as sharing:
        (process,) = children()
        with begun(sharing, module) as same:
            assert same is sharing
    process.join(60)
    assert not process.is_alive()


def test_units_are_carried_out_where_what_was_begun_for_them_fails():
    with begun(Sharing(jobs=1), "no.such.module") as sharing, opened(sharing, apart=True) as sweep:
        assert sweep.answers([Unit.of(work.shared, 3)]) == [work.shared(3)]


def test_workers_of_a_scheduler_are_not_begun():
    sharing = Sharing(scheduler="tcp://127.0.0.1:1")
    with begun(sharing, work.__name__) as same:
        assert same is sharing


def test_answers_are_those_of_plain_repetition_wherever_they_are_computed(processes, tmp_path):
    asked = [Unit.of(work.shared, number) for number in range(20)]
    plain = [work.shared(number) for number in range(20)]
    store = Store(str(tmp_path / "kept"))
    for sweep in (Sweep(InProcess()), Sweep(processes), Sweep(processes, store), Sweep(store=store)):
        assert sweep.answers(asked) == plain
    assert len(store) == 20
    assert Sweep().answers([]) == []


def test_the_same_work_has_the_same_name_and_other_work_another(monkeypatch):
    named = {Unit.of(work.square, 2).name, Unit.of(work.square, 2).name}
    others = {Unit.of(work.square, 3).name, Unit.of(work.refuses, 2).name, *named}
    assert (len(named), len(others)) == (1, 3)
    monkeypatch.setattr(units, "version_of", lambda module: "other sources")
    assert Unit.of(work.square, 2).name not in others


def test_a_version_follows_every_source_of_the_floor_and_below(tmp_path, monkeypatch):
    for floor in versions.FLOORS:
        (tmp_path / floor / "room").mkdir(parents=True)
        (tmp_path / floor / "room" / "file.py").write_text('x = "data.json"\n')
        (tmp_path / floor / "room" / "data.json").write_text("1\n")
        (tmp_path / floor / "room" / "written.json").write_text("1\n")
    monkeypatch.setattr(versions, "HOME", tmp_path)

    def now(floor):
        versions.version_of.cache_clear()
        versions._sources.cache_clear()
        return versions.version_of(f"pufferproof.{floor}.room.file")

    before = {floor: now(floor) for floor in versions.FLOORS}
    (tmp_path / "lp" / "room" / "file.py").write_text("x = 2\n")
    changed = {floor for floor in versions.FLOORS if now(floor) != before[floor]}
    assert changed == {"lp", "counterexamples", "claims", "reports", "examples"}
    before = {floor: now(floor) for floor in versions.FLOORS}
    (tmp_path / "claims" / "room" / "written.json").write_text("2\n")
    assert {floor: now(floor) for floor in versions.FLOORS} == before
    (tmp_path / "claims" / "room" / "data.json").write_text("2\n")
    assert {floor for floor in versions.FLOORS if now(floor) != before[floor]} == {"claims", "reports", "examples"}
    versions.version_of.cache_clear()
    versions._sources.cache_clear()


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
    | TEXTS,
    lambda inner: st.lists(inner) | st.dictionaries(TEXTS, inner),
    max_leaves=5,
)  # fmt: skip


@examples(40)
@given(JSON)
def test_what_json_gives_back_is_written(value):
    assert units.json.loads(json_of(value)) == value


@pytest.mark.parametrize("value", [(1,), {1: 2}, float("nan"), b"x", {1, 2}, object(), 1j])
def test_what_json_does_not_give_back_is_refused(value):
    with pytest.raises(ModelError, match="expected strings, numbers"):
        Unit.of(work.square, value)


def test_a_function_that_a_worker_does_not_find_is_refused():
    def inner() -> int:
        return 1

    for function in (inner, lambda: 1, work.says_nothing):
        with pytest.raises(ModelError, match="expected a function"):
            Unit.of(function)


def test_whatever_goes_wrong_is_said_and_the_others_are_kept(processes, tmp_path, monkeypatch):
    """Errors, wrong types, a turn for ever, and a wait that no exception reaches."""
    store = Store(str(tmp_path / "kept"))
    wrong = [work.refuses, work.says_a_text, work.says_nan, work.says_a_tuple]
    asked = [Unit.of(each, 7) for each in [*wrong, work.square, work.turns_for_ever]]
    asked.append(Unit(asked[4].function, "[8]", "other sources"))
    sweep = Sweep(processes, store, limit=1)
    found = dict(sweep.outcomes(asked))
    monkeypatch.setattr(running, "_GRACE", 0.1)  # waited for in full where nothing else ends it
    sweep.limit = 0.1
    found[7] = dict(sweep.outcomes([Unit.of(work.sleeps, 7)]))[0]
    expected = [units.RAISED, *[units.WRONG] * 3, None, units.HUNG, units.OTHER, units.HUNG]
    assert [kinds(found).get(place) for place in range(8)] == expected
    assert found[4] == 49
    assert found[0].said == "ValueError: no 7"
    assert "valid integer, found str" in found[1].said
    assert "was killed" in found[7].said
    assert "was killed" not in found[5].said
    assert (len(store), len(store.failures())) == (1, 7)
    with pytest.raises(SweepError, match=r"1 of 2 units failed, .*no 7; .* --resume .*kept"):
        sweep.answers([asked[4], asked[0]])


def test_without_a_process_of_its_own_a_unit_that_turns_for_ever_is_left():
    found = dict(Sweep(limit=0.05).outcomes([Unit.of(work.turns_for_ever, 1)]))
    assert kinds(found) == {0: units.HUNG}


@pytest.mark.parametrize(("times", "answer"), [(2, 3), (3, None)])
def test_a_unit_whose_process_is_killed_is_tried_again(processes, tmp_path, times, answer):
    asked = [Unit.of(work.dies, str(tmp_path), times), *[Unit.of(work.square, n) for n in range(5)]]
    found = dict(Sweep(processes).outcomes(asked))
    assert [found[place] for place in range(1, 6)] == [0, 1, 4, 9, 16]
    assert found[0] == answer if answer else kinds(found) == {0: units.DIED}


def among(unit, before=150, after=50):
    """A unit behind and before quick ones, of which many go together."""
    quick = [Unit.of(work.square, number) for number in range(before + after)]
    return [*quick[:before], unit, *quick[before:]]


@pytest.mark.parametrize("interpreter", ["/bin/false", "/nowhere/python", "/dev/null"])
def test_where_no_process_starts_this_is_said(interpreter, monkeypatch):
    """It is no answer about a unit."""
    monkeypatch.setattr("multiprocessing.spawn._python_exe", os.fsencode(interpreter))
    there = Processes(2)
    try:
        with pytest.raises(ModelError, match="expected to start a process"):
            Sweep(there).answers([Unit.of(work.square, number) for number in range(4)])
    finally:
        there.close()


def test_a_unit_that_dies_takes_no_other_of_its_bundle_with_it(processes, tmp_path):
    found = dict(Sweep(processes).outcomes(among(Unit.of(work.dies, str(tmp_path), 2))))
    assert found.pop(150) == 3
    assert [found[place] for place in sorted(found)] == [number**2 for number in range(200)]


def test_a_unit_that_hangs_takes_no_other_of_its_bundle_with_it(processes, monkeypatch):
    monkeypatch.setattr(running, "_GRACE", 0.1)  # waited for in full where nothing else ends it
    work.counts_only_what_sleeps(monkeypatch, processes)
    found = dict(Sweep(processes, limit=0.5).outcomes(among(Unit.of(work.sleeps, 7))))
    assert kinds({150: found.pop(150)}) == {150: units.HUNG}
    assert [found[place] for place in sorted(found)] == [number**2 for number in range(200)]


def test_what_a_bundle_has_no_time_for_is_carried_out_once(processes, tmp_path):
    slow = [Unit.of(work.noted, str(tmp_path), number, 0.06) for number in range(8)]
    quick = [Unit.of(work.square, number) for number in range(150)]
    plain = [*(n**2 for n in range(150)), *(n**2 for n in range(8)), *(n**2 for n in range(150))]
    assert Sweep(processes).answers([*quick, *slow, *quick]) == plain
    assert {len(note.read_text()) for note in tmp_path.glob("[0-9]*")} == {1}
    call = slow[0].call
    assert len(units.first_carried_out([call] * 3, None, 0.0)) == 1
    assert len(units.first_carried_out([call] * 3, None, 60.0)) == 3


def test_quick_answers_are_kept_many_in_one_transaction(processes, tmp_path, monkeypatch):
    sizes, once = [], Store.keep
    monkeypatch.setattr(Store, "keep", lambda *each: [sizes.append(len(each[1])), once(*each)])
    asked = [Unit.of(work.square, number) for number in range(2000)]
    for executor in (InProcess(), processes):
        store = Store(str(tmp_path / type(executor).__name__))
        assert Sweep(executor, store).answers(asked) == [number**2 for number in range(2000)]
        assert (sum(sizes), len(store)) == (2000, 2000)
        assert len(sizes) < 500
        sizes.clear()


KILLED = """
from pufferproof.models.interface.sweeps.opening import Sharing, opened
from pufferproof.models.interface.sweeps.units import Unit
from tests.models.interface import work
if __name__ == "__main__":
    with opened(Sharing(jobs=2, resume="kept")) as sweep:
        sweep.answers([Unit.of(work.noted, ".", number, 0.1) for number in range(100)])
"""


def test_a_sweep_that_is_killed_goes_on_where_it_stopped(tmp_path, monkeypatch):
    """Its processes end with it, and what was kept is not computed again."""
    monkeypatch.chdir(tmp_path)  # where a unit that is computed again would note it
    environment = os.environ | {"PYTHONPATH": f"{ROOT}:{os.environ.get('PYTHONPATH', '')}"}
    (tmp_path / "sweep.py").write_text(KILLED)
    command, pipe = [sys.executable, "sweep.py"], subprocess.PIPE
    with subprocess.Popen(command, cwd=tmp_path, env=environment, stdout=pipe) as sweep:
        until(lambda: (tmp_path / "4").exists())
        sweep.send_signal(signal.SIGKILL)
        sweep.stdout.read()  # to its end, which comes when all processes have ended
    notes = len([*tmp_path.glob("[0-9]*")])
    with opened(Sharing(jobs=1, resume=str(tmp_path / "kept"))) as again:
        asked = {number: Unit.of(work.noted, ".", number, 0.1) for number in range(100)}
        known = [number for number, unit in asked.items() if again.store.answer(unit) is not None]
        assert again.answers([asked[number] for number in known]) == [n**2 for n in known]
        kept = len(again.store)
    assert 3 <= len(known) == kept <= notes
    assert notes - kept <= 2
    assert len([*tmp_path.glob("[0-9]*")]) == notes
    assert {len(note.read_text()) for note in tmp_path.glob("[0-9]*")} == {1}


def until(happened, seconds=600):
    end = time.monotonic() + seconds
    while not happened():
        assert time.monotonic() < end
        time.sleep(0.02)


def test_a_file_that_is_no_store_is_refused(tmp_path):
    (tmp_path / "text").write_text("no database, and long enough to have a head of its own " * 9)
    with sqlite3.connect(tmp_path / "other") as other:
        other.execute("CREATE TABLE answers (name TEXT)")
    for name in ("text", "other", "nowhere/kept"):
        with pytest.raises(ModelError, match="^.*" + name + ": expected a"):
            Store(str(tmp_path / name))


ENDLESS = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT "
COLUMNS = "'f' AS function, 'a' AS arguments, 'v' AS version, {} AS answer, 1.0 AS seconds, "
COLUMNS += "'d' AS digest, 's' AS seal"
HOSTILE = {
    "an endless view": f"DROP TABLE answers; CREATE VIEW answers AS {ENDLESS} x AS name, {COLUMNS.format(1)} FROM c",
    "a large view": "DROP TABLE answers; CREATE VIEW answers AS SELECT 'n' AS name, "
    f"{COLUMNS.format('hex(zeroblob(450000000))')}",
    "a trigger": "CREATE TRIGGER t AFTER INSERT ON answers BEGIN INSERT INTO failures "
    f"{ENDLESS} x, '', '', '', '' FROM c; END",
    "an index": "CREATE INDEX i ON answers(function)",
    "a further table": "CREATE TABLE others (name)",
    "a computed column": "ALTER TABLE answers ADD COLUMN x AS (hex(zeroblob(100)))",
    "a large answer": "INSERT INTO answers VALUES ('n', 'f', 'a', 'v', zeroblob(150000000), 1, 'd', 's')",
}


def store_with(path, statements):
    with closing(sqlite3.connect(path)) as file:
        file.executescript(f"{_TABLES}{statements};")
        file.execute(f"PRAGMA application_id = {_MARK}")
        file.execute(f"PRAGMA user_version = {_FORMAT}")
        file.commit()


@pytest.mark.parametrize("name", HOSTILE)
def test_a_store_that_is_more_than_its_tables_is_refused_before_it_is_read(tmp_path, name):
    path = tmp_path / "store"
    store_with(path, HOSTILE[name])
    started = time.process_time()
    with pytest.raises(ModelError, match=r"expected the tables of a store alone|too big"):
        Store(str(path))
    assert time.process_time() - started < 5


def test_pages_that_stand_in_many_places_are_damage(tmp_path):
    """Each level of such pages multiplies the rows: a file of 100 kB would have no end."""
    path = tmp_path / "store"
    row = ENDLESS + "x, 'f', 'a', 'v', printf('%.*c', 200, 'x'), 1, 'd', 's' FROM c LIMIT 5000"
    store_with(path, f"INSERT INTO answers {row}")
    data = bytearray(path.read_bytes())
    size = int.from_bytes(data[16:18], "big")
    page = next(start for start in range(size, len(data), size) if data[start] == 5)  # of a tree
    places = range(page + 12, page + 12 + 2 * int.from_bytes(data[page + 3 : page + 5], "big"), 2)
    cells = [page + int.from_bytes(data[each : each + 2], "big") for each in places]
    for cell in cells[1:]:
        data[cell : cell + 4] = data[cells[0] : cells[0] + 4]
    path.write_bytes(data)
    with pytest.raises(ModelError, match="found damaged pages"):
        Store(str(path))


def test_an_answer_of_a_wrong_kind_in_a_store_is_computed_again(tmp_path):
    store = Store(str(tmp_path / "kept"))
    unit = Unit.of(work.square, 3)
    for text in ('"9"', "9.5", "[", ""):
        store.keep([(unit, text, 0.0)])
        assert Sweep(store=store).answers([unit]) == [9]
        assert store.answer(unit) == "9"


@pytest.mark.parametrize("damaged", ["8", "99", "\x00", b"\xff\xfe"])
def test_an_answer_that_a_disk_has_damaged_is_computed_again(tmp_path, damaged):
    store, unit = Store(str(tmp_path / "kept")), Unit.of(work.square, 3)
    store.keep([(unit, "9", 0.0)])
    with sqlite3.connect(tmp_path / "kept") as other:
        other.execute("UPDATE answers SET answer = CAST(? AS TEXT)", (damaged,))
    assert store.answer(unit) is None
    assert Sweep(store=store).answers([unit]) == [9]
    assert store.answer(unit) == "9"


def forged(path, change):
    """Edit the answers of a store, and make every digest anew."""
    with sqlite3.connect(path) as other:
        for name, answer in other.execute("SELECT name, answer FROM answers").fetchall():
            new = change(answer)
            digest = hashlib.sha256(f"{name}\n{new}".encode()).hexdigest()
            row = (new, digest, name)
            other.execute("UPDATE answers SET answer = ?, digest = ? WHERE name = ?", row)


UNSEALED = r"kept: has an answer that you have not sealed: .*; --trust-store believes it"


@pytest.fixture
def kept(tmp_path, monkeypatch):
    """A store with the square of 3, of a user with a home of their own."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    store = Store(str(tmp_path / "kept"))
    assert Sweep(store=store).answers([Unit.of(work.square, 3)]) == [9]
    store.close()
    return str(tmp_path / "kept")


def test_an_edited_store_is_refused_and_never_believed(kept):
    unit, reading = Unit.of(work.square, 3), Store(kept)
    forged(kept, lambda answer: "8")
    assert reading.answer(unit) is None
    assert Sweep(store=reading).answers([unit]) == [9]
    forged(kept, lambda answer: "8")
    with pytest.raises(ModelError, match=UNSEALED):
        Store(kept)
    for value in (8, b"8", "8"):
        with sqlite3.connect(kept) as other:
            digest = hashlib.sha256(f"{unit.name}\n{value}".encode()).hexdigest()
            other.execute("UPDATE answers SET answer = ?, digest = ?", (value, digest))
        assert reading.answer(unit) is None


def test_a_seal_is_of_one_answer_one_unit_and_one_key(kept):
    unit = Unit.of(work.square, 3)
    key = user_key()
    names = (unit.name, f"answer {unit.name} ", f"answer {Unit.of(work.square, 4).name}")
    seals = [seal(key, name, b"8") for name in names] + [seal(b"", f"answer {unit.name}", b"8")]
    forged(kept, lambda answer: "8")
    for each in (*seals, "", "\u00e9", b"\xff", 8):
        with sqlite3.connect(kept) as other:
            other.execute("UPDATE answers SET seal = ?", (each,))
        with pytest.raises(ModelError, match=UNSEALED):
            Store(kept)


def test_a_store_of_another_user_counts_only_where_it_is_trusted(kept, monkeypatch, tmp_path):
    asked = [Unit.of(work.square, 3), Unit.of(work.square, 4)]
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "other"))
    with pytest.raises(ModelError, match=UNSEALED):
        Store(kept)
    store = Store(kept, trusted=True)
    sweep = Sweep(store=store)
    assert sweep.answers(asked) == [9, 16]
    assert sweep.notes == [f"note: 1 of 2 answers were read from {kept}, which is trusted"]
    store.close()
    with pytest.raises(ModelError, match=UNSEALED):  # trust does not seal what others have kept
        Store(kept)


def test_how_many_answers_were_read_is_said(kept):
    asked = [Unit.of(work.square, number) for number in range(5)]
    for read in (1, 5):
        with opened(Sharing(jobs=1, resume=kept)) as sweep:
            assert sweep.answers(asked) == [number**2 for number in range(5)]
            assert sweep.notes == [f"note: {read} of 5 answers were read from {kept}"]


def test_a_store_without_a_home_has_no_key(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "file"))
    path = str(tmp_path / "kept")
    with pytest.raises(ModelError, match="--resume: expected a folder for the key"):
        Store(path)
    with opened(Sharing(jobs=1, resume=path, trusting=True)) as sweep:
        assert sweep.answers([Unit.of(work.square, 3)]) == [9]
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    with pytest.raises(ModelError, match=UNSEALED):
        Store(path)


@pytest.mark.parametrize("name", ["", ":memory:"])
def test_names_under_which_nothing_would_be_kept_are_refused(name):
    with pytest.raises(ModelError, match=r"^--resume: expected the name of a file, found"):
        Store(name)


def test_trust_goes_with_a_store():
    with pytest.raises(ModelError, match=r"^--trust-store: needs --resume STORE"):
        Sharing(trusting=True)


def test_a_store_of_another_format_is_refused_by_name(tmp_path):
    Store(str(tmp_path / "kept")).close()
    with sqlite3.connect(tmp_path / "kept") as other:
        other.execute("PRAGMA user_version = 1")
    said = r"format 1 of another version, .*: begin a new file"
    with pytest.raises(ModelError, match=said) as refused:
        Store(str(tmp_path / "kept"))
    with sqlite3.connect(tmp_path / "kept", timeout=0) as other:  # it is not locked
        other.execute("BEGIN IMMEDIATE")
    assert refused.tb is not None  # held until here, and with it what was opened


def test_what_a_full_disk_has_kept_is_there_when_it_has_room(tmp_path):
    store, asked = Store(str(tmp_path / "kept")), [Unit.of(work.square, n) for n in range(200)]
    store._file.execute("PRAGMA max_page_count = 22")
    with pytest.raises(ModelError, match="disk is full"):
        Sweep(store=store).answers(asked)
    kept = len(store)
    assert 0 < kept < 200
    store._file.execute("PRAGMA max_page_count = 100000")
    assert Sweep(store=store).answers(asked) == [n * n for n in range(200)]
    assert len(store) == 200


def test_two_sweeps_share_a_store(tmp_path):
    one, other = (Store(str(tmp_path / "kept")) for _ in range(2))
    asked = [Unit.of(work.square, number) for number in range(20)]
    both = zip(Sweep(store=one).outcomes(asked), Sweep(store=other).outcomes(reversed(asked)))
    assert [(at, found) for (at, found), _ in both] == [(n, n * n) for n in range(20)]
    assert len(one) == len(other) == 20


def test_progress_says_what_is_done_the_rate_and_the_time_left():
    said = []
    Sweep(say=said.append).answers([Unit.of(work.square, number) for number in range(3)])
    assert [line.partition(" done")[0] for line in said] == ["1 of 3", "2 of 3", "3 of 3"]
    assert all("a second" in line and "left" in line for line in said)


@pytest.mark.parametrize("seconds", [0.0, 60.0])
def test_portions_have_the_answers_of_plain_repetition(processes, tmp_path, monkeypatch, seconds):
    monkeypatch.setattr(portions, "SECONDS", seconds)  # in this process alone
    store = Store(str(tmp_path / "kept"))
    for size in (0, 1, 2, 32, 33, 60):
        items, plain = [*range(size)], [number**2 for number in range(size)]
        said = []
        for sweep in (Sweep(say=said.append), Sweep(processes), Sweep(store=store)):
            assert portions.in_portions(sweep, items, partial(Unit.of, work.squares)) == plain
        begun = [line for line in said if not line.startswith(f"{size} of {size} done")]
        each = min(portions.MOST, -(-size // portions.LEAST)) or 1
        assert len(said) == (size if seconds == 0 else -(-size // each))
        assert len(begun) == max(0, len(said) - 1)


def test_a_portion_that_fails_or_answers_nothing_is_said():
    with pytest.raises(SweepError, match=r"1 of 30 units failed, .* no 3"):
        portions.in_portions(Sweep(), [*range(60)], partial(Unit.of, work.refuses_three))
    with pytest.raises(ModelError, match="expected 1 to 1 answers of a portion"):
        portions.in_portions(Sweep(), [1, 2], partial(Unit.of, work.says_no_squares))


_PROFILED = """
import sys
from pufferproof.models.interface.sweeps.units import Overdue, within

with within(60):
    pass
try:
    with within(0.01):
        while True:
            pass
except Overdue:
    print("overdue")
sys.setprofile(lambda *_: None)
print((lambda: "profiled")())
"""


def test_a_limit_leaves_nothing_on_which_profiled_calls_wait() -> None:
    script = [sys.executable, "-c", _PROFILED]
    done = subprocess.run(script, capture_output=True, text=True, timeout=60)
    assert done.stdout == "overdue\nprofiled\n"
