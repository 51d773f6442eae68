"""`compose` prints bounds of an accountant and published ones beside the joint leakage."""

import json

import pytest
from tests.reports.console.schemas import expect_valid

from pufferproof import Channel, Framework, Table, compose
from pufferproof.reports.composition.accounting import AccountedComposition
from pufferproof.reports.page.sections import composes

# `compose` on queries with noise: the accountant's bound beside the joint leakage, which is exact
# or between bounds.


SUM = {"format": "pufferproof-mechanism/1", "query": "sum", "noise": {"laplace": {"scale": "20"}}}
STICKY = {"markov": {"initial": "stationary", "transition": [["9/10", "1/10"], ["1/5", "4/5"]]}}


def document(count, record, prior=STICKY):
    secrets = {f"x={value}": {"record": record, "value": value} for value in "01"}
    framework = {"format": "pufferproof-framework/1", "records": {"count": count, "alphabet": ["0", "1"]}}
    return framework | {"secrets": secrets, "pairs": "disjoint", "priors": {"theta": prior}}


@pytest.fixture
def run(run, save):
    def called(framework, *mechanisms, options=("--json",)):
        names = [save(f"m{place}.json", each) for place, each in enumerate(mechanisms)]
        return run("compose", save("f.json", framework), *names, *options)

    return called


def nats(leakage):
    return float(leakage["epsilon"]["lower"])


def answered(run, *arguments):
    code, out, err = run(*arguments)
    answer = json.loads(out)
    expect_valid(answer, "compose")
    return code, answer, err


@pytest.mark.parametrize("record", [1, 20, 40])
def test_the_joint_leakage_is_within_the_account(run, record):
    code, answer, _ = answered(run, document(40, record), SUM | {"segment": [15, 30]}, SUM)
    assert code == 0
    assert nats(answer["joint"]) <= nats(answer["account"]["bound"])
    assert nats(answer["sum"]) == pytest.approx(sum(map(nats, answer["single"])))
    parts = nats(answer["account"]["influence"]) + nats(answer["account"]["spent"])
    assert (answer["account"]["record"], parts) == (record, pytest.approx(nats(answer["account"]["bound"])))


def test_the_page_says_whether_releases_compose():
    prior = Table({"a": "1/2", "b": "1/2"})
    framework = Framework(["a", "b"], {"s": ["a"], "t": ["b"]}, [("s", "t")], {"theta": prior})
    coin = Channel.of({"a": ["3/4", "1/4"], "b": ["1/4", "3/4"]}, ["u", "v"])
    known = compose(framework, [coin])
    assert composes(known) == "COMPOSES"
    assert composes(AccountedComposition(known, "why there is none")) == "COMPOSES"


def test_independent_records_spend_one_record_each(run):
    even = {"product": [["1/2", "1/2"]] * 6}
    code, answer, _ = answered(run, document(6, 2, even), SUM, SUM)
    assert (code, answer["account"]["left"], answer["account"]["right"]) == (0, 1, 1)
    assert nats(answer["account"]["bound"]) == pytest.approx(0.1)
    assert answer["joint"]["epsilon"] == answer["account"]["bound"]["epsilon"]


def test_too_large_without_an_account_is_an_error(run):
    histogram = SUM | {"query": "histogram", "noise": {"gaussian": {"sigma": "2"}}}
    code, out, err = run(document(100_000, 50_000), histogram)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert "expected at most" in err


# `compose` prints published bounds beside the joint leakage, for every kind of mechanism.


HALF = {"laplace": {"scale": "1/log(2)"}}
FIRST, LAST = (SUM | {"segment": span, "noise": HALF} for span in ([1, 2], [5, 6]))
COIN, NOTHING = [["3/4", "1/4"], ["1/4", "3/4"]], [["1/2", "1/2"], ["1/2", "1/2"]]


def local(*records, count=6):
    rows = [COIN if t in records else NOTHING for t in range(1, count + 1)]
    return {"format": "pufferproof-mechanism/1", "outputs": ["u", "v"], "local": rows}


def published(run, *arguments):
    code, out, _ = run(*arguments)
    answer = json.loads(out)
    expect_valid(answer, "compose")
    assert code == 0
    return answer, {each["theorem"]: each for each in answer["published"]}


def test_a_theorem_that_says_nothing_says_what_it_needs(run):
    _, bounds = published(run, document(6, 1), FIRST, LAST | {"segment": [2, 6]})
    assert bounds["III.1"]["bound"] is None
    assert bounds["III.1"]["reason"] == "needs two segments that do not overlap (found 1)"
    _, bounds = published(run, document(6, 1), FIRST, LAST | {"segment": [3, 6]})
    (gap,) = (each for each in bounds["III.3"]["conditions"] if each["says"].startswith("T3"))
    assert gap["met"] is False
    assert (gap["margin"], gap["unit"]) == ("-2", "records")


@pytest.mark.parametrize("count", [4, 40])
def test_mechanisms_record_by_record_look_at_their_segments(run, count):
    places = document(count, 1), local(1, 2, count=count), local(4, count=count)
    _, bounds = published(run, *places)
    assert bounds["III.1"]["applies"]
    assert bounds["III.6"]["applies"] == (count == 4)  # else outputs are not listed
    assert "III.7" not in bounds
