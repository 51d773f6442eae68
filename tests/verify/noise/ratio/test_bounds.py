"""Bounds of what a noisy query leaks: around the exact leakage where that can be computed, and
in its place where it cannot.
"""

import json
from fractions import Fraction
from itertools import product
from pathlib import Path
from random import Random

import pytest
from tests import seeds
from tests.reports.console.schemas import expect_valid
from tests.verify.noise.laws.test_chain import random_prior, random_query

from pufferproof.models.errors import ModelError, TooLargeError
from pufferproof.models.framework import Framework
from pufferproof.models.noise.additive import Noise
from pufferproof.models.noise.records import NoisyQueries, RecordQuery
from pufferproof.models.numbers.level import Level
from pufferproof.models.priors.markov import MarkovChain
from pufferproof.models.priors.records import Records
from pufferproof.models.sequences.hidden_mechanism import HiddenMarkovModel
from pufferproof.verify.audit import audit
from pufferproof.verify.decision import Decision, Verdict
from pufferproof.verify.leakage.ratio import Leakage
from pufferproof.verify.noise import largest
from pufferproof.verify.noise.accounts.accountant import QUILT_CLAIMS
from pufferproof.verify.noise.ratio import bounds
from pufferproof.verify.noise.ratio.blocks.joint import blocks_leakage
from pufferproof.verify.noise.ratio.bounds import TILT_CLAIMS, WINDOW_CLAIMS, noise_bounds
from pufferproof.verify.proof.formulas import HOLDS, ClaimVerdict

ROOT = Path(__file__).parents[4]
BY_QUILTS = tuple(f"CITED({name})" for name in QUILT_CLAIMS)
BY_TILTS = ("CITED(worst.tilts)",)
STICKY = [["9/10", "1/10"], ["1/5", "4/5"]]


def halved(times):
    assert times.denominator == 1
    return Fraction(1, 2**times.numerator) if times >= 0 else Fraction(2**-times.numerator)


@seeds(80)
def test_bounds_hold_the_exact_leakage(seed):
    random = Random(seed)
    alphabet = random.choice([("0", "1"), ("0", "1"), ("-1", "1/2", "3")])
    records = Records(random.randint(1, 5), alphabet)
    left, right = random.sample(alphabet, 2)
    secrets = {f"{name}{i}": (i, value) for i in {1, records.count} for name, value in (("s", left), ("t", right))}
    priors = {f"p{k}": random_prior(random, len(alphabet), records.count) for k in range(random.randint(1, 2))}
    releases = [random_query(random, records) for _ in range(random.randint(1, 2))]
    framework = Framework.of_records(records, secrets, "disjoint", priors)
    try:
        exact = audit(framework, releases)
    except ModelError as error:
        with pytest.raises(ModelError, match=error.what[:20]):
            noise_bounds(framework, *releases)
        return
    found = noise_bounds(framework, *releases)
    assert found.leakage.lower <= exact.leakage.upper
    assert exact.leakage.lower <= found.leakage.upper
    assert (found.scope.excluded, found.scope.never_checked) == (exact.scope.excluded, exact.scope.never_checked)


@seeds(12)
def test_the_lower_bound_is_the_largest_ratio_at_a_corner(seed):
    """Every sequence listed, noise of decay 1/2, outputs at the ends of all coordinates."""
    random = Random(seed)
    records, size = Records(4, ("0", "1", "2")), 3
    prior = random_prior(random, size, records.count)
    query = RecordQuery(
        random.choice(["sum", "histogram"]), Noise.laplace("1/log(2)"), records, random.choice([None, (2, 3)])
    )
    framework = Framework.of_records(records, {"s": (2, "0"), "t": (2, "2")}, "disjoint", {"theta": prior})
    law = prior.law(records.labels(), records)
    values = dict(query.written_out().values)
    held = {name: [x for x in values if x[1] == digit] for name, digit in (("s", "0"), ("t", "2"))}
    weights = dict(zip(records.labels(), law.weights))
    if not all(sum(weights[x] for x in members) for members in held.values()):
        return
    count = 2 if query.segment else 4
    ends = [(Fraction(0), Fraction(2 * count if query.query == "sum" else count))] * len(values["0000"])
    best = Fraction(1)
    for w in product(*ends):
        one, other = (
            sum(weights[x] * halved(sum(abs(a - b) for a, b in zip(w, values[x]))) for x in members)
            / Fraction(sum(weights[x] for x in members))
            for members in held.values()
        )
        best = max(best, one / other, other / one)
    lower = noise_bounds(framework, query).leakage.lower
    assert best * (1 - Fraction(1, 10**60)) <= lower <= best


def test_a_chain_that_moves_one_way_leaks_most_at_a_corner():
    records = Records(60, ("0", "1"))
    framework = Framework.of_records(
        records, {"zero": (30, "0"), "one": (30, "1")}, "disjoint", {"theta": MarkovChain("stationary", STICKY)}
    )
    query = RecordQuery("sum", Noise.laplace(7), records, (11, 50))
    exact, found = audit(framework, query), noise_bounds(framework, query)
    assert found.leakage.lower <= exact.leakage.upper <= found.leakage.lower * (1 + Fraction(1, 10**15))
    assert found.witness == exact.witness


def test_several_stretches_of_several_releases():
    records = Records(30, ("0", "1"))
    priors = {
        "chain": MarkovChain(["1/3", "2/3"], STICKY),
        "hidden": HiddenMarkovModel("stationary", STICKY, [["3/4", "1/4"], ["0", "1"]]),
    }
    secrets = {f"x{i}={v}": (i, v) for i in (1, 7, 30) for v in "01"}
    framework = Framework.of_records(records, secrets, "disjoint", priors)
    releases = [RecordQuery("sum", Noise.geometric("3/4"), records, each) for each in ((3, 12), (8, 20), (30, 30))]
    exact, found = audit(framework, releases), noise_bounds(framework, *releases)
    assert found.leakage.lower <= exact.leakage.upper <= found.leakage.upper
    alone = {name: Framework.of_records(records, secrets, "disjoint", {name: prior}) for name, prior in priors.items()}
    for framework in alone.values():
        assert noise_bounds(framework, *releases).leakage.lower <= found.leakage.lower


def test_levels_are_decided_by_the_bounds_alone():
    records = Records(100_000, ("0", "1", "2"))
    rows = [["1/2", "1/4", "1/4"], ["1/4", "1/2", "1/4"], ["1/4", "1/4", "1/2"]]
    chain = MarkovChain("stationary", rows)
    framework = Framework.of_records(records, {"zero": (500, "0"), "two": (500, "2")}, "disjoint", {"theta": chain})
    query = RecordQuery("histogram", Noise.laplace(40), records)
    verdicts = [
        Verdict.of(Decision.at_most(noise_bounds(framework, query).compare(Level(level))))
        for level in ("0.05", "0.2", "0.4", "log(1)")
    ]
    assert verdicts == [Verdict.VIOLATES, Verdict.UNDECIDED, Verdict.SATISFIES, Verdict.VIOLATES]
    found = audit(framework, query)
    assert (found.verdict, "100000 records times" in found.largest.reason) == (None, True)
    assert "leakage ≈ 0.083" in str(found)  # by tilts
    trust = [noise_bounds(framework, query).trust(Level(level)) for level in ("0.05", "0.4")]
    assert trust == [("INTERVAL",), ("INTERVAL", *BY_QUILTS)]
    assert found.largest.trust(Level("0.4")) == ("INTERVAL", *BY_TILTS)


@pytest.mark.parametrize("name", [*QUILT_CLAIMS, *WINDOW_CLAIMS, *TILT_CLAIMS])
def test_theorems_that_an_answer_names_are_claims_that_hold(name):
    known = json.loads((ROOT / "claims" / "EXPECTED.json").read_text())
    assert ClaimVerdict(known[name]["verdict"]) in HOLDS


def test_a_ratio_above_the_bound_is_an_error_of_ours(monkeypatch):
    records = Records(5, ("0", "1"))
    framework = Framework.of_records(
        records, {"zero": (3, "0"), "one": (3, "1")}, "disjoint", {"theta": MarkovChain("stationary", STICKY)}
    )
    found = bounds.largest_corner
    far = Leakage(Fraction(10**9), Fraction(10**9))
    monkeypatch.setattr(bounds, "largest_corner", lambda *given: (far, found(*given)[1]))
    with pytest.raises(AssertionError, match="exceeds the accountant's bound"):
        noise_bounds(framework, RecordQuery("sum", Noise.laplace(1), records))


WEATHER = ["drizzle", "fog", "rain", "snow", "sun"]
COUNTS = [[15, 3, 20, 1, 14], [3, 30, 20, 1, 47], [20, 30, 300, 8, 282], [1, 1, 10, 12, 2], [15, 36, 290, 4, 295]]
YEAR = {
    "format": "pufferproof-framework/1",
    "records": {"count": 365, "alphabet": WEATHER},
    "secrets": {each: {"record": 180, "value": each} for each in WEATHER},
    "pairs": "disjoint",
    "priors": {"weather": {"markov": {"initial": "stationary", "transition": COUNTS}, "normalize": True}},
}
HISTOGRAM = {"format": "pufferproof-mechanism/1", "query": "histogram", "noise": {"laplace": {"scale": "67"}}}


def answered(run, *arguments):
    code, out, err = run(*arguments, "--json")
    answer = json.loads(out)
    expect_valid(answer, arguments[0])
    return code, answer, err


def test_a_year_of_weather_is_audited_by_bounds(save, run):
    """365 days of five weathers: 1.8 10^10 histograms, and an answer all the same."""
    save("f.json", YEAR)
    save("m.json", HISTOGRAM)
    code, answer, err = answered(run, "audit", "f.json", "m.json", "--epsilon", "1")
    assert (code, answer["verdict"], answer["checked"]) == (0, "SATISFIES", None)
    assert answer["trust"] == ["INTERVAL", *BY_TILTS]
    lower, upper = (Fraction(answer["leakage"]["epsilon"][side]) for side in ("lower", "upper"))
    assert 0 < lower < upper < lower * Fraction(103, 100)
    assert answer["leakage"]["ratio"] is None
    assert answer["bound"]["record"] == 180
    assert (answer["tilted"]["record"], answer["window"]) == (180, None)
    assert len(answer["witness"]["output"].split(",")) == 5
    assert "note: the leakage is not computed exactly: 365 records times 17944209936 values of the query" in err
    for level, expected in (("0.2", (0, "SATISFIES")), ("0.087", (3, "UNDECIDED")), ("0.001", (1, "VIOLATES"))):
        code, answer, _ = answered(run, "audit", "f.json", "m.json", "--epsilon", level)
        assert (code, answer["verdict"]) == expected
    code, answer, _ = answered(run, "audit", "f.json", "m.json")
    assert (code, answer["verdict"], answer["leakage"]["ratio"]) == (0, None, None)


def test_what_is_said_of_bounds(save, run):
    save("f.json", YEAR)
    save("m.json", HISTOGRAM)
    out = run("audit", "f.json", "m.json", "--epsilon", "1")[1].splitlines()
    assert out[0] == "SATISFIES 1 nat, by a bound"
    assert out[1].startswith("leakage   between 0.0")
    sides = "itself ≈ 0.0298507462687, those before it ≈ 0.026122573268, those after it ≈ 0.0325"
    assert out[2].startswith(f'at most   record 180, prior "weather": {sides}')
    assert out[3].startswith("at least  at output ")
    assert out[-1].startswith("trust     INTERVAL (intervals with proved ends), rests on ")
    assert all(f"{name} (" in out[-1] for name in TILT_CLAIMS)
    assert run("audit", "f.json", "m.json", "--epsilon", "0.087")[1].startswith(
        "UNDECIDED 0.087 nats, which is between the bounds\n"
    )
    assert run("audit", "f.json", "m.json")[1].startswith("leakage   between 0.0")


def test_claimed_levels_of_noise_are_decided(save, run):
    save("f.json", YEAR)
    save("m.json", HISTOGRAM)
    save("s.json", HISTOGRAM | {"segment": [180, 180]})
    for levels, code, verdicts in (
        (("0.087", "1"), 3, ["UNDECIDED", "SATISFIES"]),
        (("0.087", "0.01"), 1, ["UNDECIDED", "VIOLATES"]),
    ):
        options = [part for level in levels for part in ("--epsilon", level)]
        found, answer, err = answered(run, "compose", "f.json", "m.json", "s.json", *options)
        assert (found, [each["verdict"] for each in answer["claimed"]]) == (code, verdicts)
        assert (answer["nfc"], answer["trust"]) == (None, ["INTERVAL", *BY_TILTS])
        assert "note: no composition rates, and no NfC: outputs are not listed" in err
    code, out, _ = run("compose", "f.json", "m.json", "--epsilon", "1")
    text = out.splitlines()
    assert code == 0
    assert text[0].startswith("SATISFIES 1 nat  m.json, released once: leakage between 0.0")
    assert "nfc       none: outputs are not listed" in text


def test_levels_of_what_is_computed_exactly(save, run):
    save("f.json", YEAR)
    save("s.json", HISTOGRAM | {"segment": [180, 180]})
    assert run("compose", "f.json", "s.json", "--epsilon", "0.01")[0] == 1
    code, answer, _ = answered(run, "compose", "f.json", "s.json", "--epsilon", "0.03")
    assert (code, answer["claimed"], answer["trust"]) == (
        0,
        [{"level": "0.03", "verdict": "SATISFIES"}],
        ["EXACT", "INTERVAL"],
    )


def test_pairs_that_bounds_leave_out_are_said(save, run):
    never = YEAR | {"priors": {"weather": {"product": [[1, 0, 0, 0, 1]] * 365, "normalize": True}}}
    save("f.json", never)
    save("m.json", HISTOGRAM)
    for command in ("audit", "compose"):
        code, answer, err = answered(run, command, "f.json", "m.json")
        assert (code, answer["excluded"], len(answer["never_checked"])) == (0, 9, 9)
        assert 'warning: pair "drizzle", "fog" was never checked' in err


def test_hidden_chains_have_the_bound_without_a_quilt(save, run):
    model = {
        "hidden_markov": {"initial": [1, 1], "transition": [[3, 1], [1, 3]], "emission": COUNTS[:2]},
        "normalize": True,
    }
    save("f.json", YEAR | {"priors": {"weather": model}})
    save("m.json", HISTOGRAM | {"noise": {"laplace": {"scale": "730"}}})
    code, answer, _ = answered(run, "audit", "f.json", "m.json", "--epsilon", "1")
    assert (code, answer["verdict"], answer["bound"]["left"], answer["bound"]["right"]) == (0, "SATISFIES", None, None)
    # and the level, 1, is met exactly
    assert answer["bound"]["bound"]["epsilon"]["upper"].startswith("1.000000000000000")
    assert answer["window"]["record"] == 180
    assert answer["window"]["bound"]["epsilon"]["upper"] == answer["leakage"]["epsilon"]["upper"]
    assert Fraction(answer["leakage"]["epsilon"]["upper"]) < Fraction(1, 5)


def test_the_standard_calibration_of_independent_records_is_met_exactly(save, run):
    """Noise of scale 2 / epsilon, or 2 / log(r), on a histogram: the bound is the level itself."""
    save("f.json", YEAR | {"priors": {"weather": {"product": [[1, 2, 3, 4, 5]] * 365, "normalize": True}}})
    for scale, levels in (("2", ("1", "0.9999999999999999999999")), ("2/log(3)", ("log(3)", "log(299/100)"))):
        save("m.json", HISTOGRAM | {"noise": {"laplace": {"scale": scale}}})
        assert [run("audit", "f.json", "m.json", "--epsilon", level)[0] for level in levels] == [0, 1]


def test_what_has_no_bounds_is_an_error(save, run):
    save("f.json", YEAR)
    save("m.json", HISTOGRAM | {"noise": {"gaussian": {"sigma": "67"}}})
    code, out, err = run("audit", "f.json", "m.json")
    assert (code, out, "365 records times 17944209936 values" in err) == (2, "", True)
    many = {f"{t}{v}": {"record": t, "value": v} for t in range(1, 366) for v in WEATHER} | {
        "again": {"record": 1, "value": "sun"}
    }
    save("f.json", YEAR | {"secrets": many, "priors": {**YEAR["priors"], "other": YEAR["priors"]["weather"]}})
    save("m.json", HISTOGRAM)
    code, _, err = run("audit", "f.json", "m.json")
    assert (code, "expected at most 2000 secrets, times priors, to bound" in err) == (2, True)
    coin = [["1/2", "1/2"], ["1/2", "1/2"]]
    long = Framework.of_records(
        Records(10**6, ("0", "1")),
        {"a": (1, "0"), "b": (1, "1")},
        "disjoint",
        {"t": HiddenMarkovModel("stationary", STICKY, coin)},
    )
    with pytest.raises(TooLargeError):
        audit(long, RecordQuery("sum", Noise.gaussian(5), long.records))


@pytest.mark.parametrize("noise", [Noise.laplace(7), Noise.laplace("1/3"), Noise.geometric("9/10")], ids=str)
@pytest.mark.parametrize("records", [2500, 3001])
def test_bounds_that_close_agree_with_the_law_of_all_counts(records, noise):
    space = Records(records, ("0", "1"))
    places = {"u": (records // 3, "0"), "v": (records // 3, "1")}
    framework = Framework.of_records(space, places, [("u", "v")], {"p": MarkovChain("stationary", STICKY)})
    asked = largest.NoiseQuestion(framework, NoisyQueries((RecordQuery("sum", noise, space),)), None)
    bounds = largest.bounds_that_close(asked)
    blocks = blocks_leakage(framework, asked.bounded)
    assert bounds.reason == "bounds that agree to thirteen digits are found sooner"
    assert asked.settles(bounds)
    assert max(bounds.leakage.lower, blocks.leakage.lower) <= min(bounds.leakage.upper, blocks.leakage.upper)
    assert audit(framework, asked.mechanism).leakage == bounds.leakage
