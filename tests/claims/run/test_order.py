"""Claims are examined by processes that die and workers of a scheduler too."""

import pytest

from pufferproof.claims import registry
from pufferproof.claims.registry import load_claims
from pufferproof.claims.run import run_claims
from pufferproof.models.errors import ModelError
from pufferproof.models.interface.sweeps.opening import Sharing
from pufferproof.reports.console.options import Share
from pufferproof.reports.proofs.prove import Show, Try, Write, prove

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
        ["OPEN", None],
    ]


def test_workers_of_a_scheduler_find_what_processes_find(fresh):
    distributed = pytest.importorskip("distributed")
    claims = [load_claims()[name] for name in ("lemma.am-gm", "general.group-privacy")]
    options = {"n_workers": 1, "threads_per_worker": 2, "processes": False, "dashboard_address": ""}
    with distributed.LocalCluster(protocol="tcp://", host="127.0.0.1", **options) as cluster:
        shared = Sharing(scheduler=cluster.scheduler_address)
        elsewhere = run_claims(claims, sharing=shared, timeout=20, use_cache=False)
    here = run_claims(claims, sharing=Sharing(jobs=1), timeout=20, use_cache=False)
    assert without_times(elsewhere) == without_times(here)


def test_files_of_claims_stay_on_this_machine():
    with pytest.raises(ModelError, match="workers elsewhere have no such file"):
        prove(
            tried=Try(claims=["mine.py"]),
            show=Show(),
            write=Write(),
            share=Share(scheduler="tcp://127.0.0.1:1"),
        )
