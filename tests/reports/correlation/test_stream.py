"""The command `stream`: its answer, the files that it writes, and its errors."""

import json
from pathlib import Path

import pytest
from tests.reports.console.schemas import expect_valid

from pufferproof import audit, read_framework, read_mechanism, read_stream
from pufferproof.verify import kernel

EXAMPLES = Path(__file__).parents[3] / "examples" / "streams"
BIASED = json.loads((EXAMPLES / "biased.json").read_text(encoding="utf-8"))


@pytest.fixture
def run(run, save):
    def called(shape, *options):
        return run("stream", save("s.json", shape), *options)

    return called


def test_the_answer_has_every_step_beside_the_published_bound(run):
    code, out, _ = run(BIASED, "--json", "--delta", "1/100")
    answer = json.loads(out)
    expect_valid(answer, "stream")
    assert code == 0
    assert [each["leakage"]["ratio"] for each in answer["steps"]] == ["2", "17/3", "289/18", "4913/108"]
    assert answer["leakage"] == answer["steps"][-1]["leakage"]
    assert answer["one_step"]["gamma"]["ratio"] == "28/9"
    assert answer["one_step"]["corners"] == [
        {"given": "0", "ratio": "11/10", "delta": "0"},
        {"given": "1", "ratio": "13/10", "delta": "0"},
    ]
    second = answer["steps"][1]
    assert second["theorem4"]["epsilon"]["ratio"] == "507/200"
    assert second["repaired"]["epsilon"]["ratio"] == "56/9"
    assert second["theorem4"]["needed"] != "0"
    assert second["repaired"]["needed"] == "0"
    assert second["at_delta"]["exact"]["ratio"] is not None
    assert second["at_delta"]["shares"] == "searched"
    gammas = [each["gamma"]["ratio"] for each in answer["one_step"]["outputs"]]
    assert gammas == ["39/20", "28/9"]


def test_the_releases_written_out_are_what_the_other_commands_read(run, tmp_path):
    code, out, _ = run(BIASED, "--out", "made", "--certificate", "c.json", "--plot", "p.svg")
    assert code == 0
    assert out.startswith("leakage   log(4913/108) ≈ 3.81750880504 nats  (4 releases)")
    framework = read_framework("made/framework.json")
    found = audit(framework, read_mechanism("made/mechanism.json", framework))
    assert str(found.leakage.ratio) == "4913/108"
    kernel.check_bytes((tmp_path / "c.json").read_bytes())
    stated = json.loads((tmp_path / "c.json").read_text(encoding="utf-8"))["inputs"]
    assert stated["framework"] == framework.sha256
    assert b"4 releases leak" in (tmp_path / "p.svg").read_bytes()


def test_chains_of_blocks_and_single_blocks_are_read(run):
    chain = {"initial": "stationary", "transition": [["3/4", "1/4"], ["1/2", "1/2"]]}
    markov = BIASED | {"blocks": {"values": ["0", "1"], "markov": chain}}
    code, out, said = run(markov, "--json")
    assert code == 0
    assert json.loads(out)["steps"][0]["theorem4"] is None
    assert "Theorem 4 is about independent blocks" in said
    rows = {"0": ["1/2", "1/2"], "1": ["1/4", "3/4"]}
    alone = BIASED | {"window": 1, "mechanism": {"outputs": ["u", "v"], "channel": rows}}
    code, out, _ = run(alone)
    assert code == 0
    assert " given " not in out
    code, out, said = run(BIASED | {"draws": "once"}, "--json")
    assert json.loads(out)["steps"][0]["repaired"] is None
    assert 'the repair of Theorem 4 speaks of "each-step"' in said


UNSUMMED = {"initial": ["1/2", "1/2"], "transition": [["1/2", "1/3"], ["1", "0"]]}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"window": None}, 's.json: missing key "window"'),
        ({"steps": 0}, "s.json: steps"),
        ({"steps": 10**12}, "s.json: steps: expected 1 to 10000 steps"),
        ({"blocks": {"values": ["0", "0"], "law": ["1/2", "1/2"]}}, "s.json: blocks.values: "),
        ({"blocks": {"values": ["0", "1"], "markov": UNSUMMED}}, "blocks.markov: transition[0]: "),
        ({"draws": "twice"}, "s.json: draws"),
        ({"blocks": {"values": ["0", "1"]}}, 'expected either "law" or "markov"'),
        ({"blocks": {"values": ["0", "1"], "law": ["1/2", "1/4"]}}, "blocks.law: sums to 3/4"),
        ({"alt": {"oldest": [["1/2", "1/2"]]}}, "s.json: alt.oldest: expected 2 rows"),
        ({"alt": {"oldest": [["1", "0", "0"]] * 2}}, "alt.oldest[0]: expected 2 entries"),
        ({"window": 3}, 's.json: mechanism: channel: unknown database "00"'),
        ({"mechanism": {"outputs": ["u"], "channel": {"00": ["1/2"]}}}, "s.json: mechanism"),
    ],
)
def test_bad_files_are_refused_in_one_line(run, change, message):
    shape = {key: value for key, value in (BIASED | change).items() if value is not None}
    code, out, said = run(shape, "--out", "made", "--json")
    assert (code, out) == (2, "")
    assert message in said
    assert len(said.splitlines()) == 1
    assert not Path("made").exists()


def test_too_many_outputs_are_not_written_out(run):
    code, _, said = run(BIASED | {"steps": 60}, "--out", "made")
    assert code == 2
    assert "expected at most" in said
    assert run(BIASED | {"steps": 60})[0] == 0


def test_the_examples_are_read():
    assert [read_stream(EXAMPLES / f"{name}.json").value.steps for name in ("meter", "biased")] == [52, 4]
