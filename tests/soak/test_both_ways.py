"""The soak tells what disagrees, and goes on where it stopped."""

import json
import multiprocessing
import tomllib
from concurrent.futures import ProcessPoolExecutor
from fractions import Fraction
from functools import partial
from pathlib import Path

import pytest
from tests.soak import __main__ as soak
from tests.soak import judging, mutants, units
from tests.soak.drawing import Passed

from pufferproof.models.interface.sweeps.opening import Sharing
from pufferproof.models.interface.sweeps.units import Unit


@pytest.mark.parametrize("quantity", units.NAMED)
def test_two_computations_of_every_quantity_agree(quantity):
    said = [units.disagreement(quantity, f"{quantity} test {number}") for number in range(4)]
    assert "" in said
    assert {*said} <= {"", None}


def wrong(draw):
    return draw.random() < 0.5, False


def breaks(draw):
    raise ZeroDivisionError


def passes(draw):
    raise Passed


@pytest.fixture
def named(monkeypatch):
    """Quantities of which one is computed wrong, one fails and one has no instances."""
    for each in (wrong, breaks, passes):
        monkeypatch.setitem(units.NAMED, each.__name__, each)
        monkeypatch.setitem(units.QUANTITIES, each, 20 * soak.EACH)


def test_what_disagrees_fails_or_is_no_instance_is_told(named):
    found = units.instances("wrong", "0", 0, 40, units.judges())
    assert found["agree"] + len(found["wrong"]) == 40
    assert 5 < found["agree"] < 35
    first = found["wrong"][0]
    words, said = first.split(": ", 1)
    assert (said, units.disagreement("wrong", words)) == ("found True, expected False",) * 2
    assert "ZeroDivisionError" in units.instances("breaks", "0", 0, 1, units.judges())["wrong"][0]
    none = {"agree": 0, "passed": 3, "wrong": []}
    assert units.instances("passes", "0", 7, 3, units.judges()) == none


def test_what_was_compared_is_kept_and_other_tests_are_another_soak(named, tmp_path, capsys, monkeypatch):
    sharing = Sharing(jobs=1, resume=str(tmp_path / "kept"))
    assert soak.soaked(["wrong", "levels"], "0", Fraction(1, 100), sharing) == 1
    first = capsys.readouterr().out
    assert "DISAGREE wrong 0 " in first
    monkeypatch.setitem(units.NAMED, "wrong", breaks)
    monkeypatch.setitem(units.NAMED, "levels", breaks)
    assert soak.soaked(["wrong", "levels"], "0", Fraction(1, 100), sharing) == 1
    assert capsys.readouterr().out == first
    unit = Unit.of(units.instances, "levels", "0", 0, 1, "other tests")
    with pytest.raises(ValueError, match="the tests of this machine"):
        units.instances("levels", "0", 0, 1, "other tests")
    assert unit.name != Unit.of(units.instances, "levels", "0", 0, 1, units.judges()).name


def test_nothing_compared_is_no_agreement(named, capsys):
    assert soak.soaked(["passes"], "0", Fraction(1, 100), Sharing(jobs=1)) == 1
    assert soak.soaked(["levels"], "0", Fraction(1, 1000), Sharing(jobs=1)) == 0
    assert "together" in capsys.readouterr().out


def test_units_cover_all_instances_once():
    cover = {}
    for unit in soak.units_of([*units.NAMED], "0", Fraction(1, 3)):
        name, _, first, count, _ = json.loads(unit.arguments)
        cover.setdefault(name, []).extend(range(first, first + count))
    assert all(numbers == [*range(len(numbers))] for numbers in cover.values())
    assert sum(map(len, cover.values())) > 30_000
    assert sum(units.QUANTITIES.values()) > 110_000


def test_one_instance_is_compared_again(capsys):
    assert soak.main(["--again", "levels", "0", "1"]) == 0
    assert capsys.readouterr().out == "\n"
    with pytest.raises(SystemExit):
        soak.main(["nothing"])


def judge_few():
    """What is noticed of one mutant of the search of few in `ratio.py`, and of the file itself."""
    path = (mutants.ROOT / "leakage" / "ratio.py").resolve()
    judges = [judging.measured(each, path) for each in judging.of_quantity("both_searches", 40)]
    loaded = judging.loaded_from(path)
    same = compile(path.read_text(encoding="utf-8"), str(path), "exec")
    found = next(each for each in mutants.mutants(path) if each.text.endswith("number * least <= most * other"))
    put = [partial(judging.put_on, loaded, code) for code in (found.compiled(), same)]
    noticed = [judging.first_to_notice(judges, found.lines, each) for each in put]
    return [each is not None for each in noticed]


def test_a_mutant_is_noticed_and_the_code_as_it_is_is_not():
    # in a process without other threads: a watched copy of one with several may never end
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as alone:
        assert alone.submit(judge_few).result(timeout=600) == [True, False]


def test_what_is_explained_is_a_mutant_of_today_and_tests_of_targets_exist():
    named = [name for names in mutants.TESTS.values() for name in names]
    here = Path(__file__).parents[1] / "verify"
    assert [name for name in named if not (here / f"{name}.py").is_file()] == []
    table = tomllib.loads(mutants.EXPLAINED.read_text(encoding="utf-8"))
    assert {*table} <= {*mutants.TARGETS}
    for target in table:
        path = mutants.ROOT / f"{target}.py"
        every = [(each.function, each.text) for each in mutants.mutants(path)]
        assert {*mutants.explained(target)} <= {*every}
        assert len({*every}) == len(every) > 10
