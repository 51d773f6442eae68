"""Claims are examined in order and once, by processes that die and workers of a scheduler too."""

import pytest

from pufferproof.claims import registry
from pufferproof.claims.language.statements import Effort
from pufferproof.claims.registry import load_claims
from pufferproof.claims.run import run_claims
from pufferproof.claims.run.order import Order, citations
from pufferproof.claims.run.workers import examine_one
from pufferproof.models.errors import ModelError
from pufferproof.models.interface.sweeps.opening import Sharing
from pufferproof.reports.proofs.prove import prove

# Claims that are cited are examined before those that cite them, and once.


CLAIMS = """
from pathlib import Path

import sympy

from pufferproof.claims.registry import claim

x = sympy.Symbol("x")
CITED = {"deep": "once.base"}


def square(argument):
    argument.inequality("square", "a square", x**2 >= 0)
    with Path(__file__).with_suffix(".log").open("a") as log:
        log.write("examined\\n")


def by(argument, name):
    argument.cite("before", "it was shown", name)
    argument.inequality("another", "a square", (x - 1) ** 2 >= 0)


@claim("once.by-a-table", where="here", statement="x^2 >= 0", unsaid="test")
def table(check):
    with check.reading("as printed") as argument:
        by(argument, CITED["deep"])
    check.near_miss("x^2 > 0", strict)


@claim("once.by-a-helper", where="here", statement="x^2 >= 0", unsaid="test")
def helper(check):
    with check.reading("as printed") as argument:
        inner(argument)
    check.near_miss("x^2 > 0", strict)


def inner(argument):
    by(argument, "once.by-a-table")


@claim("once.base", where="here", statement="x^2 >= 0", unsaid="test")
def base(check):
    with check.reading("as printed") as argument:
        square(argument)
    check.near_miss("x^2 > 0", strict)


def strict(argument):
    argument.inequality("square", "a square", x**2 > 0)


@claim("once.circle", where="here", statement="x^2 >= 0", unsaid="test")
def circle(check):
    with check.reading("as printed") as argument:
        by(argument, "once.back")


@claim("once.back", where="here", statement="x^2 >= 0", unsaid="test")
def back(check):
    with check.reading("as printed") as argument:
        by(argument, "once.circle")
"""


@pytest.fixture
def file(tmp_path, monkeypatch):
    monkeypatch.setattr(registry, "_CLAIMS", dict(load_claims()))
    monkeypatch.setattr(registry, "_CITED", {})
    path = tmp_path / "once.py"
    path.write_text(CLAIMS)
    return path


def of_file(file):
    return [claim for name, claim in load_claims([file]).items() if name.startswith("once.")]


def in_order(claims):
    order, taken = Order(claims), []
    while order:
        claim = order.following(idle=False) or order.following(idle=True)
        order.finished(claim)
        taken.append(claim.id)
    return taken, order.cites


def test_a_claim_comes_after_those_that_it_cites_by_a_table_or_a_helper(file):
    taken, cites = in_order(of_file(file))
    assert cites["once.by-a-table"] == {"once.base"}
    assert cites["once.by-a-helper"] == {"once.by-a-table"}
    assert taken[:3] == ["once.base", "once.by-a-table", "once.by-a-helper"]


def test_a_circle_is_examined_all_the_same(file):
    taken, cites = in_order(of_file(file))
    assert cites["once.circle"] == {"once.back"}
    assert sorted(taken[3:]) == ["once.back", "once.circle"]


def test_nothing_follows_while_what_it_cites_is_unfinished(file):
    order = Order([each for each in of_file(file) if "by" in each.id or "base" in each.id])
    first = order.following(idle=True)
    assert (first.id, order.following(idle=False)) == ("once.base", None)
    order.finished(first)
    assert order.following(idle=False).id == "once.by-a-table"


def test_all_claims_come_after_those_that_they_cite():
    claims = load_claims()
    taken, cites = in_order(list(claims.values()))
    place = {name: number for number, name in enumerate(taken)}
    assert sorted(taken) == sorted(claims)
    late = {(name, each) for name in taken for each in cites[name] if place[each] > place[name]}
    assert late == set()
    assert citations(claims["general.translate"]) <= claims.keys()


def test_each_claim_is_examined_once_and_a_circle_is_open(file):
    results = run_claims(
        of_file(file), extra=[str(file)], sharing=Sharing(jobs=2), timeout=20, use_cache=False
    )
    verdicts = {result["id"]: (result["verdict"], result["error"]) for result in results}
    assert verdicts == {
        "once.by-a-table": ("DERIVED", None),
        "once.by-a-helper": ("DERIVED", None),
        "once.base": ("DERIVED", None),
        "once.circle": ("OPEN", None),
        "once.back": ("OPEN", None),
    }
    assert file.with_suffix(".log").read_text() == "examined\n"


# Claims examined as units of a sweep: by processes that die, and by workers of a scheduler.


SWEPT = """
import os

import sympy

from pufferproof.claims.registry import claim

x = sympy.Symbol("x")


@claim("dies.at-once", where="here", statement="x^2 >= 0", unsaid="test")
def dies(check):
    os._exit(3)


@claim("dies.not", where="here", statement="x^2 >= 0", unsaid="test")
def stays(check):
    with check.reading("as printed") as argument:
        argument.inequality("square", "a square", x**2 >= 0)
    check.near_miss("x^2 > 0", strict)


def strict(argument):
    argument.inequality("square", "a square", x**2 > 0)
"""
TOLD = ("verdict", "error")


@pytest.fixture
def fresh(monkeypatch):
    monkeypatch.setattr(registry, "_CLAIMS", dict(load_claims()))
    monkeypatch.setattr(registry, "_CITED", {})


def without(result, *keys):
    if isinstance(result, dict):
        kept = {key: each for key, each in result.items() if key not in keys}
        return {key: without(each, *keys) for key, each in kept.items()}
    return [without(each, *keys) for each in result] if isinstance(result, list) else result


def without_times(result):
    return without(result, "seconds")


def test_a_claim_whose_processes_die_is_open_and_others_are_examined(fresh, tmp_path):
    (file := tmp_path / "dies.py").write_text(SWEPT)
    claims = [each for name, each in load_claims([file]).items() if name.startswith("dies.")]
    results = run_claims(claims, extra=[str(file)], timeout=20, use_cache=False)
    assert [[result[each] for each in TOLD] for result in results] == [
        ["OPEN", "it lost its worker: 3 times"],
        ["DERIVED", None],
    ]


def test_workers_of_a_scheduler_find_what_processes_find(fresh):
    distributed = pytest.importorskip("distributed")
    claims = [load_claims()[name] for name in ("lemma.am-gm", "lemma.bernoulli")]
    options = {"n_workers": 1, "threads_per_worker": 2, "processes": False, "dashboard_address": ""}
    with distributed.LocalCluster(protocol="tcp://", host="127.0.0.1", **options) as cluster:
        shared = Sharing(scheduler=cluster.scheduler_address)
        elsewhere = run_claims(claims, sharing=shared, timeout=20, use_cache=False)
    here = run_claims(claims, sharing=Sharing(jobs=1), timeout=20, use_cache=False)
    assert without_times(elsewhere) == without_times(here)
    assert elsewhere[0]["trust"][0] == "CITED(lemma.bernoulli)"


def test_what_is_not_typeset_is_the_same_without_mathml(fresh):
    few = Effort(20, "few")
    plain, typeset = (
        examine_one("lemma.mediant", {}, 20.0, few, {}, each) for each in (False, True)
    )
    formulas = [
        [step["formula"] for each in result["readings"] for step in each["steps"]]
        for result, _ in (plain, typeset)
    ]
    assert all(each["mathml"] is None for each in formulas[0])
    assert all(each["mathml"].startswith("<mrow>") for each in formulas[1])
    assert [each["text"] for each in formulas[0]] == [each["text"] for each in formulas[1]]
    assert without(plain[0], "mathml", "seconds") == without(typeset[0], "mathml", "seconds")
    assert plain[1] == typeset[1]


def test_files_of_claims_stay_on_this_machine():
    with pytest.raises(ModelError, match="workers elsewhere have no such file"):
        prove(claims=["mine.py"], scheduler="tcp://127.0.0.1:1")
