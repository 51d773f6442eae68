"""Claims are examined by processes that die and workers of a scheduler too."""

import pytest
from tests.claims.examination import without

from pufferproof.claims import registry
from pufferproof.claims.registry import load_claims
from pufferproof.claims.run import run_claims
from pufferproof.models.errors import ModelError
from pufferproof.models.interface.sweeps.opening import Sharing
from pufferproof.reports.console.options import Share
from pufferproof.reports.proofs.prove import Show, Try, Write, prove

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


@pytest.fixture
def fresh(monkeypatch):
    monkeypatch.setattr(registry, "_CLAIMS", dict(load_claims()))


def test_a_claim_whose_processes_die_is_open_and_others_are_examined(fresh, tmp_path):
    (file := tmp_path / "dies.py").write_text(SWEPT)
    loaded = load_claims([file], trust_code=True).items()
    claims = [each for name, each in loaded if name.startswith("dies.")]
    results = run_claims(claims, extra=[str(file)], trust_code=True, timeout=20, use_cache=False)
    assert [[result["verdict"], result["error"]] for result in results] == [
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
    assert without(elsewhere, "seconds") == without(here, "seconds")


def test_files_of_claims_stay_on_this_machine():
    share = Share(scheduler="tcp://127.0.0.1:1")
    with pytest.raises(ModelError, match="workers elsewhere have no such file"):
        prove(tried=Try(claims=["mine.py"]), show=Show(), write=Write(), share=share)
