"""`compose` with rates, claimed levels, breaking runs and plots: what it prints, writes and
exits with.
"""

import json
from fractions import Fraction
from itertools import product
from math import prod

import pytest
from tests.reports.console.schemas import expect_valid
from tests.reports.test_cli import files, run  # noqa: F401 - fixtures

SPACE = {
    "format": "pufferproof-framework/1",
    "databases": ["a", "b", "c"],
    "secrets": {"s": ["a"], "t": ["b", "c"]},
    "pairs": [["s", "t"]],
    "priors": {"theta": {"table": {"a": "1/2", "b": "1/4", "c": "1/4"}}},
}
FORM = {"format": "pufferproof-mechanism/1"}
MIDDLE = FORM | {"outputs": ["u", "v"], "channel": {"a": ["1/2", "1/2"], "b": ["3/4", "1/4"], "c": ["1/4", "3/4"]}}
RESPONSE = FORM | {"outputs": ["u", "v"], "channel": {"a": ["3/4", "1/4"], "b": ["1/4", "3/4"], "c": ["1/4", "3/4"]}}
APART = FORM | {
    "outputs": ["u", "v", "w"],
    "channel": {"a": ["1/3"] * 3, "b": ["1/2", "1/2", 0], "c": ["1/2", 0, "1/2"]},
}


@pytest.fixture
def compose(run, files):  # noqa: F811
    for name, document in [("three", SPACE), ("middle", MIDDLE), ("response", RESPONSE), ("apart", APART)]:
        (files / f"{name}.json").write_text(json.dumps(document))

    def invoke(*arguments):
        code, out, err = run("compose", "three.json", *arguments)
        if "--json" in arguments and code != 2:
            answer = json.loads(out)
            expect_valid(answer, "compose")
            return code, answer, err
        return code, out, err

    return invoke


def test_a_level_that_is_violated_is_said_first(compose):
    code, out, _ = compose("middle.json", "response.json", "--epsilon", "log(2)", "--epsilon", "log(2)")
    assert code == 1
    assert out.splitlines()[0] == "VIOLATES log(2)  response.json, released once: leakage log(3) ≈ 1.09861228867 nats"
    assert out.splitlines()[1] == "SATISFIES log(2)  middle.json, released once"
    code, answer, _ = compose("middle.json", "response.json", "--epsilon", "log(2)", "--epsilon", "log(2)", "--json")
    assert (code, [each["verdict"] for each in answer["claimed"]]) == (1, ["SATISFIES", "VIOLATES"])


def test_a_level_at_which_any_runs_compose(compose, run, files):  # noqa: F811
    code, answer, _ = compose("middle.json", "--epsilon", "log(3/2)", "--rate-certificate", "n.json", "--json")
    assert (code, answer["nfc"]["answer"], answer["nfc"]["breaking"]) == (0, "HOLDS", None)
    assert json.loads((files / "n.json").read_text())["kind"] == "nfc"
    assert run("check", "n.json", "three.json", "middle.json")[0] == 0
    assert run("check", "n.json", "three.json", "response.json")[0] == 1


def test_a_failure_comes_with_runs_that_show_it(compose, run, files):  # noqa: F811
    evidence = ["--rate-certificate", "n.json", "--breaking-certificate", "b.json"]
    code, answer, _ = compose("middle.json", "--epsilon", "0", *evidence, "--json")
    assert (code, answer["nfc"]["answer"], answer["nfc"]["place"]["database"]) == (1, "FAILS", "a")
    breaking = answer["nfc"]["breaking"]
    assert (breaking["runs"], breaking["minimum"], breaking["leakage"]["ratio"]) == (2, True, "4/3")
    assert json.loads((files / "n.json").read_text())["kind"] == "nfc-violation"
    for name in ("n.json", "b.json"):
        assert run("check", name, "three.json", "middle.json")[0] == 0
    text = compose("middle.json", "--epsilon", "0")[1]
    assert "breaking  2 runs (the fewest): outputs " in text
    assert compose("apart.json", "--epsilon", "5", "--json")[1]["nfc"]["breaking"]["leakage"]["ratio"] == "inf"


def test_the_rate_has_a_certificate(compose, run):  # noqa: F811
    assert compose("response.json", "--rate-certificate", "rate.json")[0] == 0
    code, out, _ = run("check", "rate.json", "three.json", "response.json")
    assert code == 0
    assert "the composition rate of mechanism 1 is at least log(3) and at most log(3)" in out


def test_hundreds_of_runs_and_their_plot(compose, files):  # noqa: F811
    code, answer, _ = compose("response.json", "--runs", "200", "--plot", "p.svg", "--json")
    assert (code, answer["joint"]["ratio"], len(answer["witness"]["outputs"])) == (0, str(3**200), 200)
    drawn = (files / "p.svg").read_text()
    assert "exact leakage of k runs" in drawn
    assert "k times the rate, 1.099" in drawn
    assert compose("apart.json", "middle.json", "--runs", "3", "--plot", "q.svg")[0] == 0
    assert "infinite from 2 runs on" in (files / "q.svg").read_text()


def test_what_is_too_close_to_tell_is_exit_code_3(compose, files):  # noqa: F811
    rows = {"a": ["1/10", "1/10", "4/5"], "b": ["1/40", "1/5", "31/40"], "c": ["3/20", "1/180", "152/180"]}
    (files / "tie.json").write_text(json.dumps(FORM | {"outputs": ["u", "w", "z"], "channel": rows}))
    code, answer, _ = compose("tie.json", "--epsilon", "log(2)", "--json")
    assert (code, answer["nfc"]["answer"], answer["claimed"][0]["verdict"]) == (3, "UNDECIDED", "SATISFIES")
    assert "undecided at log(2): too close to tell" in compose("tie.json", "--epsilon", "log(2)")[1]


def test_rates_of_too_many_games_are_left_out_and_that_is_said(compose, monkeypatch):
    from pufferproof.reports.composition import rates

    monkeypatch.setattr(rates, "_MOST_GAMES", 2)
    code, answer, err = compose("middle.json", "--json")
    assert (code, answer["rate"]) == (0, None)
    assert "no composition rates: more than 2 games" in err
    for option in (["--rate-certificate", "c.json"], ["--runs", "2", "--plot", "p.svg"]):
        assert compose("middle.json", *option)[0] == 2


def test_mixtures_of_priors_have_rates_too(compose, files):  # noqa: F811
    mixed = SPACE | {"closure": "convex", "priors": {"left": {"table": {"a": 1}}, "last": {"table": {"c": 1}}}}
    (files / "three.json").write_text(json.dumps(mixed))
    code, answer, _ = compose("middle.json", "--runs", "3", "--plot", "p.png", "--epsilon", "log(6/5)", "--json")
    assert (code, answer["nfc"]["place"]["prior"], answer["nfc"]["breaking"]) == (1, ["left", "last"], None)
    assert "no number of runs was found" in compose("middle.json", "--epsilon", "log(6/5)")[1]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["middle.json", "--epsilon", "0", "--epsilon", "0"],
            "--epsilon: expected one level per mechanism (1), found 2",
        ),
        (["middle.json", "--epsilon", "x"], "--epsilon: expected a level"),
        (["middle.json", "middle.json", "--rate-certificate", "c.json"], "--rate-certificate: expected one mechanism"),
        (["middle.json", "--breaking-certificate", "c.json"], "--breaking-certificate: needs --epsilon"),
        (["response.json", "--epsilon", "log(3)", "--breaking-certificate", "c.json"], "nothing to certify"),
        (["middle.json", "--plot", "p.svg"], "--plot: a plot needs --runs of at least 2"),
        (["middle.json", "--runs", "2", "--plot", "three.json"], "expected a plot file"),
        (["middle.json", "--runs", "2", "--plot", "c.svg", "--certificate", "c.svg"], "choose another file"),
    ],
)
def test_misuse_writes_nothing(compose, files, arguments, message):  # noqa: F811
    before = sorted(path.name for path in files.iterdir())
    code, out, err = compose(*arguments)
    assert (code, out, len(err.splitlines())) == (2, "", 1)
    assert message in err
    assert sorted(path.name for path in files.iterdir()) == before


def joint_delta(channels, ratio):
    """Return the smallest delta of a joint release under SPACE by its definition."""
    prior = {"a": Fraction(1, 2), "b": Fraction(1, 4), "c": Fraction(1, 4)}

    def law(members):
        total, seen = sum(prior[x] for x in members), {}
        for outputs in product(*(range(len(each["outputs"])) for each in channels)):
            chances = (
                prior[x] * prod(Fraction(c["channel"][x][w]) for c, w in zip(channels, outputs)) for x in members
            )
            seen[outputs] = sum(chances) / total
        return seen

    one, two = law(["a"]), law(["b", "c"])
    return max(
        sum(max(Fraction(0), above[w] - ratio * below[w]) for w in above) for above, below in ((one, two), (two, one))
    )


@pytest.mark.parametrize(
    ("names", "runs"),
    [
        (["response", "middle"], 1),
        (["response"], 1),
        (["response"], 3),
        (["apart", "response"], 2),
        (["middle", "middle"], 2),
    ],
)
def test_all_releases_together_are_decided_at_a_level_and_a_delta(compose, names, runs):
    forms = {"response": RESPONSE, "middle": MIDDLE, "apart": APART}
    known = joint_delta([forms[name] for name in names for _ in range(runs)], Fraction(2))
    asked = [*(f"{name}.json" for name in names), "--runs", str(runs), "--json"]
    for bound, expected, code in [(known, "SATISFIES", 0), (known - Fraction(1, 10**30), "VIOLATES", 1)]:
        if bound < 0:
            continue
        level = ["--together", "log(2)", "--delta", str(bound)]
        found, answer, _ = compose(*asked, *level)
        assert (found, answer["together"]["verdict"]) == (code, expected)
        assert Fraction(answer["together"]["delta"]["ratio"]) == known
    found, answer, _ = compose(*asked, "--together", "log(2)")
    kept = answer["joint"]["ratio"] not in (None, "inf") and Fraction(answer["joint"]["ratio"]) <= 2
    assert (found, answer["together"]) == (
        0 if kept else 1,
        {"level": "log(2)", "verdict": "SATISFIES" if kept else "VIOLATES"},
    )
    if kept or answer["joint"]["ratio"] == "inf":
        return
    exactly = f"log({answer['joint']['ratio']})"
    assert compose(*asked, "--together", exactly)[1]["together"]["verdict"] == "SATISFIES"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--delta", "1/10"], "--delta: needs --together as well"),
        (["--together", "x"], "--together: expected a level"),
        (["--together", "1", "--delta", "2"], "--delta: expected a probability, found 2"),
        (["--together", "1", "--delta", "x"], "--delta: expected"),
        (["--together", "1", "--ledger", "l.json"], "--together: cannot be combined with --ledger"),
    ],
)
def test_questions_about_all_releases_that_cannot_be_asked(compose, files, options, message):  # noqa: F811
    code, _, err = compose("response.json", *options)
    assert code == 2
    assert message in err
    assert not (files / "l.json").exists()


def test_a_ledger_of_several_releases_says_what_they_share(compose):
    first = compose("response.json", "--ledger", "l.json", "--json")[1]
    again = compose("response.json", "--ledger", "l.json", "--json")[1]
    assert first["shared"] is None
    assert again["shared"].startswith("the database")
