"""What commands print of the claims that an answer rests on: none that the kernel proved again."""

import json
import shutil
from pathlib import Path

import pytest
import typer
from tests.project.outside.commands import FILES, WITH_JSON, WITHOUT_JSON

from pufferproof.reports.auditing.schema import SCHEMAS, json_schema
from pufferproof.reports.cli import app
from pufferproof.reports.console.words import trust_line, trust_text
from pufferproof.reports.schemas.values import Basis, Output, bases
from pufferproof.verify.decision import recorded_verdict

ROOT = Path(__file__).parents[3]
COUNT = [str(ROOT / f"examples/correlated/chain-count/{x}.json") for x in ("framework", "mechanism")]
CLAIMS = ["song2017.x-markov", "noise.attained", "noise.decided"]


@pytest.fixture
def answer(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def answered(*arguments):
        _, out, _ = run(*arguments, "--json")
        return json.loads(out)

    return answered


def claims(told):
    return [each["claim"] for each in told["rests_on"]]


def test_text_and_json_name_the_same_claims_with_their_recorded_verdicts(run, answer):
    told = answer("audit", *COUNT, "--epsilon", "1")
    assert sorted(claims(told)) == sorted(CLAIMS)
    _, out, _ = run("audit", *COUNT, "--epsilon", "1")
    shown = ", ".join(f"{each['claim']} ({each['verdict']})" for each in told["rests_on"])
    assert out.splitlines()[-1].endswith(f", rests on {shown}")


def test_what_the_kernel_proved_rests_on_no_claim(run, answer):
    exact = answer("audit", *COUNT, "--certificate", "exact.json")
    assert exact["trust"] == ["KERNEL"]
    assert exact["rests_on"] == []
    assert answer("compose", *COUNT, "--runs", "2", "--certificate", "j.json")["rests_on"] == []
    _, out, _ = run("audit", *COUNT, "--certificate", "again.json")
    assert "rests on" not in out


def test_a_leakage_beside_a_certified_verdict_keeps_its_claims(run, answer):
    told = answer("audit", *COUNT, "--epsilon", "1", "--certificate", "level.json")
    assert told["trust"] == ["KERNEL"]
    assert told["leakage_trust"] == ["EXACT", "INTERVAL"]
    assert sorted(claims(told)) == sorted(CLAIMS)


def test_a_verdict_that_the_certificate_does_not_state_keeps_its_claims(answer):
    asked = "compose", *COUNT, "--runs", "2", "--certificate", "c.json", "--together", "1"
    told = answer(*asked)
    assert told["trust"][0] == "KERNEL"
    assert len(told["trust"]) > 1
    assert set(CLAIMS) <= set(claims(told))


def test_a_listed_channel_rests_on_nothing(run, answer):
    folder = ROOT / "examples" / "textbook" / "geometric"
    files = [str(folder / "framework.json"), str(folder / "mechanism.json")]
    assert answer("audit", *files)["rests_on"] == []
    _, out, _ = run("audit", *files)
    assert "rests on" not in out


def test_a_claim_that_is_cited_is_named_once():
    found = [Basis(claim="noise.window", verdict="TRIED")]
    said = "INTERVAL, rests on noise.window (TRIED)"
    assert trust_text(["INTERVAL", "CITED(noise.window)"], found) == said
    line = trust_line(["INTERVAL", "CITED(noise.window)", "CITED(noise.law)"], (), found)
    assert line.count("noise.window") == 1
    assert "CITED(noise.law)" in line


def test_objects_and_ids_are_the_same_bases():
    assert bases(CLAIMS) == bases(bases(CLAIMS)[0:0]) + bases([x.model_dump() for x in bases(CLAIMS)])


QUILTS = {"influence.any-start", "wang2016.lem-4.5", "song2017.x-markov"}
COLUMNS = {"worst.columns", "worst.zero-databases"}
RESTS_ON = {  # of every command that answers a question: some claims of the engines it uses
    "audit": set(),
    "estimate": {"general.coin-bets", "general.coin-bound"},
    "compose": {"worst.rate", "worst.game-value"},
    "reveal": set(),
    "partner": {"worst.linear-fractional", "worst.lemma0", *COLUMNS},
    "worst": {"worst.dichotomy", *COLUMNS},
    "optimal": {"worst.coupling", *COLUMNS},
    "conditions": {"worst.nfc-cone", "worst.coupling-level", "worst.game-value", *COLUMNS},
    "collapse": set(),
    "critical": {"worst.supports", "worst.finite-certificates", *COLUMNS},
    "redact": {"redaction.exact-shape", "redaction.one-constraint", "redaction.events"},
    "influence": QUILTS,
    "calibrate": {"song2017.mqm-private-repaired", "influence.boxes", "noise.attained", *QUILTS},
    "release": {"noise.attained", "noise.blocks"},
    "stream": {"streaming_cw.x-dominated", "streaming_cw.thm4-repaired"},
    "translate": {"worst.power-closed", "general.translate"},
    "fit": set(),
}
NO_QUESTION = {
    "check": "the kernel decides",
    "prove": "claims themselves, each with what it rests on",
    "ledger": "audits side by side",
    "explore": "bounds side by side",
    "reproduce": "figures, each beside the claims about it",
}
MORE = {  # other ways to an answer of these commands
    "collapse --engine rays": ("worst.rays-span", "worst.columns"),
    "collapse --engine z3": ("worst.supports", "worst.columns"),
    "influence --curve": ("influence.blocks",),
    "calibrate --tight": ("noise.monotone", "noise.decided"),
    "fit --confidence 95%": ("general.fixed-length",),
    "fit --confidence 95% --stopping any": ("general.confidence-box",),
    "redact --strategy central-lp": ("redaction.central-own",),
    "estimate --epsilon 0 --delta 0": ("general.additive-bet", "general.additive-bets"),
}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    shutil.copytree(ROOT / "examples", tmp_path / "examples")  # a plan reads no link out of it
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")


def rests_on(told):
    """The claims that an answer names: of redactions those of each strategy."""
    parts = told.get("strategies", [told])
    return [basis for part in parts for basis in part["rests_on"]]


def test_every_command_is_in_a_table():
    known = {*typer.main.get_command(app).commands}
    assert {*RESTS_ON} | {*NO_QUESTION} | {*WITHOUT_JSON} == known == {*WITH_JSON, *WITHOUT_JSON}
    assert not {*RESTS_ON} & {*NO_QUESTION}


@pytest.mark.parametrize("command", RESTS_ON)
@pytest.mark.usefixtures("folder")
def test_every_answer_names_the_claims_of_its_engines(run, command):
    words = [command, *WITH_JSON[command], *(["--replace"] if "--out" in WITH_JSON[command] else [])]
    _, out, err = run(*words, "--json")
    found = rests_on(json.loads(out))
    assert RESTS_ON[command] <= {each["claim"] for each in found}, err
    assert bool(found) == bool(RESTS_ON[command])
    assert all(each["verdict"] == recorded_verdict(each["claim"]) for each in found)
    _, out, _ = run(*words)
    assert [each for each in found if f"{each['claim']} ({each['verdict']})" not in out] == []
    assert ("rests on" in out) == bool(found)


@pytest.mark.parametrize("command", MORE)
@pytest.mark.usefixtures("folder")
def test_other_ways_to_an_answer_name_their_own(run, command):
    name, *options = command.split()
    given = {
        "collapse": ["examples/textbook/geometric/framework-records.json", "--out", "none"],
        "influence": ["examples/calibrations/chains/07-records-1-of-10-move.json"],
        "redact": [each for each in WITH_JSON["redact"] if each not in ("--strategy", "3r-exact")],
    }
    _, out, err = run(name, *given.get(name, WITH_JSON[name]), *options, "--json")
    assert {*MORE[command]} <= {each["claim"] for each in rests_on(json.loads(out))}, err


def test_fresh_samples_rest_on_the_theorems_of_privacy_losses(run, answer):
    people = {"records": {"count": 20, "alphabet": ["0", "1"]}, "neighbours": "add-remove"}
    step = {"query": "sum", "noise": {"laplace": {"scale": "1"}}, "sample": {"poisson": "1/10"}}
    for name, form in (("framework", people), ("mechanism", step)):
        text = json.dumps({"format": f"pufferproof-{name}/1", **form})
        Path(f"{name}.json").write_text(text, encoding="utf-8")
    asked = "compose", "framework.json", "mechanism.json", "--runs", "3", "--epsilon", "1"
    told = answer(*asked)
    losses = {f"general.losses-{each}" for each in ("of-samples", "of-steps", "on-a-grid")}
    assert {*claims(told)} == losses
    _, out, _ = run(*asked)
    assert all(f"{each} (TRIED)" in out for each in losses)


def every(kind):
    return [kind, *(each for below in kind.__subclasses__() for each in every(below))]


def test_every_answer_with_trust_has_room_for_claims():
    for name in SCHEMAS:
        json_schema(name)
    answers = [
        each for each in every(Output) if "trust" in each.model_fields and not each.__module__.endswith(".proofs")
    ]
    words = str, str | None
    lists = [each for each in answers if each.model_fields["trust"].annotation not in words]
    assert [each for each in lists if "rests_on" not in each.model_fields] == []
    assert len(lists) > 10


def test_that_fewer_releases_do_not_collapse_rests_on_claims(answer):
    framework = str(ROOT / "examples/limits/collapse-four-outputs/framework.json")
    two = answer("collapse", framework, "--out", "two", "--budget", "log(2)")
    assert (two["runs"], two["trust"], two["rests_on"]) == (2, ["KERNEL"], [])
