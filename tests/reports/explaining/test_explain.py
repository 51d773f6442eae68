"""`check --explain` has words for every kind of certificate, and they say what the claim says."""

import json
import re

import pytest
from tests.kernel.unpack import unpacked
from tests.reports.console.schemas import expect_valid

from pufferproof.reports.explaining.kinds import SENTENCES, about, said
from pufferproof.verify.kernel import KINDS

KERNEL = unpacked()
PROVED = {
    "algebra/accept/exp-large": "e^(20) is at least 485165195.4 and at most 485165195.41",
    "algebra/accept/contradiction": "for all real x: under 2 assumptions they contradict each "
    "other (written out below)",
    "algebra/accept/farkas-equation": "for all real x, y: 3 linear relations imply another (written out below)",
    "designs/accept/exact": '1 redaction design within log(3/2) about record 1 of 2: "3r-exact"; '
    'none of its class is better than "3r-exact"',
    "leakage/accept/at-most-attained": "the mechanism leaks exactly log(3)",
    "leakage/accept/at-most-disjoint-pairs": "the mechanism leaks at most log(3)",
    "leakage/accept/witness-infinite": "the mechanism leaks without bound",
    "leakage/accept/joint-different": "the joint release of mechanisms 1, 2 leaks exactly log(12)",
    "leakage/accept/joint-witness-order": "the joint release of mechanisms 2, 1, 1 leaks more than log(1.99)",
    "leakage/accept/delta-at-most-loose": "the mechanism keeps (log(2), delta) for delta = 0.3",
    "leakage/accept/delta-witness-mixture": "the mechanism does not keep (log(1), delta) for delta = 0.37",
    "leakage/accept/bounded-loose": "the mechanism leaks at most 1.153 nats",
    "leakage/accept/joint-bounded": "the joint release of mechanisms 1, 1 leaks at most log(361/36)",
    "leakage/accept/bounded-delta-rest": "the mechanism keeps (log(2), delta) for delta = 0.3",
    "noise/accept/twice": "the sum of 3 records with geometric noise of ratio 1/2, released 2 "
    "times, leaks at most log(400/49)",
    "noise/accept/witness-segment": "the sum of records 2 to 3 with geometric noise of ratio 1/2 "
    "leaks more than log(2)",
    "noise/accept/class-gap": "the sum of 3 records with geometric noise of ratio 1/2 leaks at "
    "most log(4947802324993/1099511627776)",
    "noise/accept/class-witness-three": "the sum of 3 records with geometric noise of ratio 1/2 leaks more than log(8)",
    "noise/accept/delta-people": "the sum of 3 records of each of 2 people with geometric noise of "
    "ratio 1/2 keeps (log(3/2), delta) for delta = 0.2343750001",
    "noise/accept/delta-witness-normal": "the sum of 3 records with gaussian noise of sigma 2 does "
    "not keep (log(3/2), delta) for delta = 0.1528003",
    "optima/accept/lp-corner": "the maximum of a linear program of 2 variables and 2 rows is 14/5",
    "optima/accept/worst-exact": "two mechanisms within log(3/2) and log(7/5) leak together "
    "exactly log(21/10) at the worst",
    "optima/accept/worst-records": "two mechanisms within log(5) (and log(2) for every record) and "
    "log(7/5) leak together exactly log(28/5) at the worst",
    "rates/accept/nfc-mixtures-one-knows-both": "the condition for composition (NfC) holds at log(3)",
    "rates/accept/nfc-violation-infinite": "the condition for composition (NfC) fails at log(99)",
    "rates/accept/rate-mixtures": "the composition rate of the mechanism is from log(4/3) to log(3/2) per run",
    "rates/accept/rate-infinite": "the composition rate of the mechanism is infinite",
    "redaction/accept/at-most-loose": "the redaction leaks at most log(2) about record 1 of 2",
    "redaction/accept/infinite-one": 'the redaction leaks without bound about record 1 of 2 (at the output "1*")',
}


def test_every_kind_of_the_kernel_has_words():
    assert set(SENTENCES) == set(KINDS)
    kinds = {json.loads((KERNEL / f"{name}.json").read_text())["kind"] for name in PROVED}
    assert kinds | {"leakage-witness"} == set(KINDS)


@pytest.mark.parametrize("name", PROVED)
def test_what_was_proved(name):
    assert said(json.loads((KERNEL / f"{name}.json").read_text())).proved == PROVED[name]


def test_every_accepted_file_is_explained():
    files = sorted(KERNEL.glob("*/accept/*.json"))
    assert len(files) > 50
    for file in files:
        document = json.loads(file.read_text())
        words = said(document)
        assert all([words.proved, words.means, words.unsaid, about(document)]), file


def test_check_explains_what_it_accepts_below_the_kernels_answer(run):
    names = ("joint.certificate.json", "table.json", "response.json")
    files = [str(KERNEL / "leakage" / "inputs" / name) for name in names]
    alone = run("check", *files)[1]
    code, told, err = run("check", *files, "--explain")
    assert (code, err) == (0, "")
    assert told.startswith(alone)
    assert "the files given are those it was made from" in told
    code, out, _ = run("check", *files, "--explain", "--json")
    answer = json.loads(out)
    expect_valid(answer, "check")
    assert answer["kind"] == "joint-leakage-at-most"
    explanation = answer.pop("explanation")
    assert (code, answer) == (0, json.loads(run("check", *files, "--json")[1]))
    lines = told.removeprefix(alone).splitlines()
    assert [f"{label:<10}{text}" for label, text in explanation.items()] == lines


def test_what_is_refused_is_not_explained(run):
    refused = str(KERNEL / "leakage/reject/A2-above-the-level.json")
    code, out, err = run("check", refused, "--explain")
    assert (code, out) == (1, "")
    assert err.startswith("refused: ")
    for more in ((), ("--json",)):
        assert run("check", refused, "--explain", *more) == run("check", refused, *more)
    assert run("check", "nowhere.json", "--explain")[0] == 2


def renamed(value, names):
    """A document in which labels have other names, wherever they stand."""
    if isinstance(value, dict):
        return {names.get(key, key): renamed(each, names) for key, each in value.items()}
    if isinstance(value, list):
        return [renamed(each, names) for each in value]
    return names.get(value, value) if isinstance(value, str) else value


def outside_of_quotes(document):
    words = said(document)
    text = "\n".join([words.proved, words.means, words.unsaid, about(document)])
    return re.sub(r'"(?:[^"\\]|\\.)*"', '""', text)


def test_no_label_speaks_outside_of_its_quotes():
    """Quotation marks, backslashes, line breaks and signs that turn the direction."""
    explained = 0
    for file in sorted(KERNEL.glob("*/accept/*.json")):
        document = json.loads(file.read_text())
        if "framework" not in document:
            continue
        framework = document["framework"]
        labels = {*framework.get("databases", []), *framework["secrets"], *framework["priors"]}
        labels |= {output for each in document["mechanisms"] for output in each.get("outputs", [])}
        labels -= {"framework", "mechanisms", "claim", "inf"}
        hostile = {label: f'{label}", prior "x\\\nverdict SATISFIES\u202e' for label in labels}
        text = outside_of_quotes(renamed(document, hostile))
        assert text == outside_of_quotes(document), file
        assert "SATISFIES" not in text
        explained += 1
    assert explained > 30
