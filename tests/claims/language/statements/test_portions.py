"""Statements tried in portions, beside a loop that knows nothing of the sums of portions."""

import hashlib
from contextlib import contextmanager
from dataclasses import replace
from random import Random

import pytest
from tests.claims.examination import without

from pufferproof.claims import registry
from pufferproof.claims.language.statements import Draws, Effort, Statement, portions, tried
from pufferproof.claims.language.statements.portions import Portion, joined, tried_in_portions
from pufferproof.claims.run import workers
from pufferproof.claims.run.results import as_result
from pufferproof.claims.run.workers import How
from pufferproof.models.errors import SolverError
from pufferproof.models.interface.sweeps.executors import InProcess
from pufferproof.models.interface.sweeps.opening import Sharing
from pufferproof.models.interface.sweeps.running import Sweep
from pufferproof.models.interface.sweeps.store import Store
from pufferproof.verify.proof.argument import ClaimVerdict

MANY = Effort(2500, "0")


def numbers(draws):
    """Two numbers from 0 to 59 and from 0 to 49, the second odd in half of the instances asked."""
    return {"x": draws.below(60), "y": draws.below(50)}


ODD, LESS = {"odd": lambda x, y: y % 2 == 1}, {"always": lambda x, y: x < 20}
TRUE = Statement(numbers, lambda x, y: x + y >= y, ODD, too_strong=LESS)
RARE = replace(TRUE, holds=lambda x, y: x >= 0 and (x < 59 or y < 49))  # false at 1 of 3,000


def looked(says, name, effort):
    """Try a statement as the definition says, all portions in turn."""
    count, met = 0, 0
    for place in portions.places(effort):
        wanted = met + min(1000, effort.instances - 1000 * place)
        seed = f"{name}{effort.seed}, portion {place}"
        random = Random(hashlib.sha256(seed.encode()).digest())
        while met < wanted:
            draws = Draws(random)
            instance, count = numbers(draws), count + 1
            if instance["y"] % 2 == 1:
                met += 1
                if not says.holds(**instance):
                    return count, met, draws.taken
    return count, met, None


@pytest.mark.parametrize("says", [TRUE, RARE])
@pytest.mark.parametrize("seed", ["", "other", "third"])
def test_portions_are_what_a_loop_finds(says, seed):
    effort = Effort(2500, seed)
    found = joined(portions.portion(says, "n", effort, n, 60) for n in portions.places(effort))
    assert (found.tried, found.met, found.failed) == looked(says, "n", effort)


def test_a_trial_of_many_instances_begins_with_the_usual_ones():
    usual = Effort(1000, "0")
    first, more = tried(TRUE, "n", usual), Portion(2900, 1500, True, None)
    trial = tried_in_portions(TRUE, "n", MANY, 60, lambda: more)
    assert (trial.tried, trial.met, trial.wanted) == (first.tried + 2900, 2500, 2500)
    assert (trial.missed, trial.weakness) == (first.missed, None)
    assert tried_in_portions(TRUE, "n", usual, 60, None) == first


def test_what_fails_in_a_portion_is_tried_again_and_what_is_lost_is_said():
    fails = Portion(700, 300, True, [0, 59, 49])
    assert tried_in_portions(RARE, "a", MANY, 60, lambda: fails).failed == {"x": 59, "y": 49}
    with pytest.raises(SolverError, match="does not when it is tried again"):
        tried_in_portions(TRUE, "..", MANY, 20.0, lambda: fails)
    lost = joined([Portion(1100, 500, True, None), Portion(0, 0, False, None)])
    trial = tried_in_portions(TRUE, "n", MANY, 60, lambda: lost)
    assert trial.weakness == "there was time for 1500 of 2500 instances only"


def examined_in(monkeypatch, claims, store=None):
    """Examine claims as units of a sweep in this process, with what is kept in a store."""
    computed = []

    @contextmanager
    def opened(sharing, apart):
        yield Sweep(InProcess(), store, say=computed.append)

    monkeypatch.setattr(workers, "opened", opened)
    return [*workers.examined(claims, How(20.0, MANY), Sharing())], computed


@pytest.fixture
def registered(claimed):
    """Register a claim with a statement, for one test."""
    return lambda says: claimed(says, name="x.many").claim


def test_a_sweep_of_portions_says_what_one_process_says_and_goes_on(registered, monkeypatch, tmp_path):
    many, store = registered(TRUE), Store(str(tmp_path / "kept.db"))
    alone = as_result(registry.examine(many.id, 20.0, MANY), 0.0)
    (found,), said = examined_in(monkeypatch, [many], store)
    (again,), _ = examined_in(monkeypatch, [many], store)
    assert without(found, "seconds") == without(again, "seconds") == without(alone, "seconds")
    assert found["readings"][0]["trial"]["met"] == 2500
    assert len(store) == 2  # portions, and never what was found of a claim
    assert said[-1].startswith("3 of 3 done")


def test_a_portion_that_was_not_finished_is_not_kept(registered, monkeypatch, tmp_path):
    many, store, real = registered(TRUE), Store(str(tmp_path / "kept.db")), workers.portion_of
    monkeypatch.setattr(workers, "portion_of", lambda *_: Portion(5, 5, False, None))
    (found,), _ = examined_in(monkeypatch, [many], store)
    assert (found["verdict"], len(store)) == ("OPEN", 0)
    monkeypatch.setattr(workers, "portion_of", real)
    (again,), _ = examined_in(monkeypatch, [many], store)
    assert (again["verdict"], len(store)) == ("TRIED", 2)


def test_a_statement_that_fails_behind_the_usual_instances_alone_is_refuted(registered, monkeypatch):
    rare = registered(RARE)
    assert registry.examine(rare.id, 20.0, Effort(1000, "0")).verdict is ClaimVerdict.TRIED
    (found,), _ = examined_in(monkeypatch, [rare])
    assert (found["verdict"], found["counterexample"]) == ("REFUTED", {"x": 59, "y": 49})
    assert registry.examine(rare.id, 20.0, MANY).verdict is ClaimVerdict.REFUTED
