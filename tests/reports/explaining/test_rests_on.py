"""What commands print of the claims that an answer rests on: none that the kernel proved again."""

import json
from pathlib import Path

import pytest

from pufferproof.reports.console.words import trust_line, trust_text
from pufferproof.reports.schemas.values import Basis, bases

ROOT = Path(__file__).parents[3]
COUNT = [
    str(ROOT / f"examples/correlated/chain-count/{x}.json") for x in ("framework", "mechanism")
]
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
    assert bases(CLAIMS) == bases(bases(CLAIMS)[0:0]) + bases(
        [x.model_dump() for x in bases(CLAIMS)]
    )
