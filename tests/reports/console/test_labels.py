"""What is printed says what it is: labels, units, where and what it means; a level as it was
typed; one format of numbers.
"""

from fractions import Fraction
from itertools import product
from random import Random

import pytest
from tests import seeds
from tests.verify.noise.laws.test_chain import random_row

from pufferproof.models.framework import Framework
from pufferproof.models.numbers.enclosures import Enclosure, enclose_log
from pufferproof.models.numbers.text import outward, rounded
from pufferproof.models.priors.markov import MarkovChain
from pufferproof.models.priors.records import Records
from pufferproof.reports.console.telling import annotation
from pufferproof.reports.console.words import leakage_text, nats_text
from pufferproof.reports.correlation.influence.answer import chain_place, listed_place
from pufferproof.verify.influence.chain import max_influence
from pufferproof.verify.influence.network import Conditionals
from pufferproof.verify.leakage.ratio import Leakage

FRAMEWORK = {
    "format": "pufferproof-framework/1",
    "records": {"count": 3, "alphabet": ["0", "1"]},
    "secrets": {f"x{t}={v}": {"record": t, "value": v} for t in (1, 2, 3) for v in "01"},
    "pairs": [[f"x{t}=0", f"x{t}=1"] for t in (1, 2, 3)],
    "priors": {"theta": {"markov": {"initial": "stationary", "transition": [["9/10", "1/10"], ["1/5", "4/5"]]}}},
}
COIN = [["3/4", "1/4"], ["1/4", "3/4"]]
RESPONSE = {"format": "pufferproof-mechanism/1", "outputs": ["0", "1"], "local": [COIN] * 3}
TABLES = {
    "format": "pufferproof-framework/1",
    "databases": ["a", "b"],
    "secrets": {"s": ["a"], "t": ["b"]},
    "pairs": [["s", "t"]],
    "priors": {"theta": {"table": {"a": "1/2", "b": "1/2"}}},
}


def test_numbers_are_rounded_without_zeros_and_bounds_outward():
    assert [rounded(text) for text in ("0.49999999999999999", "0.50000000000000001", "100", "1e-40")] == [
        "0.5",
        "0.5",
        "100",
        "1E-40",
    ]
    assert outward("0.33333333333333333", "0.33333333333333334") == ("0.333333333333", "0.333333333334")
    assert nats_text(Enclosure("0.49999999999999999", "0.50000000000000001")) == "≈ 0.5 nats"
    assert nats_text(Enclosure("0.4999", "0.5001")) == "between 0.4999 and 0.5001 nats"
    assert nats_text(Enclosure("0.4999", "inf")) == "at least 0.4999 nats, no upper bound is known"
    assert leakage_text(Leakage.of(Fraction(10**40 + 1, 10**40))) == "≈ 1E-40 nats"
    assert leakage_text(Leakage.of(Fraction(3))) == f"log(3) ≈ {rounded(enclose_log(Fraction(3)).lower)} nats"


@pytest.mark.parametrize("level", ["0.5", "0.1", "2", "log(2)"])
def test_a_budget_is_printed_as_it_was_typed(save, run, level):
    save("f.json", TABLES)
    out = run("worst", "f.json", "--budget", level)[1].splitlines()
    nats = "log(2) ≈ 0.69314718056" if level == "log(2)" else f"≈ {level}"
    shown = level if level == "log(2)" else f"{level} nats"
    assert out[0] == f"budgets   {shown}"
    assert out[1] == f"worst     {nats} nats  (1 release; by a closed form)"
    save(
        "m.json",
        {
            "format": "pufferproof-mechanism/1",
            "outputs": ["u", "v"],
            "channel": {"a": ["1/2", "1/2"], "b": ["1/4", "3/4"]},
        },
    )
    out = run("partner", "f.json", "m.json", "--budget", level, "--out", "p.json")[1]
    assert out.startswith(f"budget    within {shown}\n")
    assert f"single    {nats} nats  p.json" in out


def test_an_influence_has_a_label_a_unit_a_place_and_a_meaning(save, run):
    save("f.json", FRAMEWORK)
    quilt = run("influence", "f.json", "--record", "2", "--left", "1", "--right", "1")
    *lines, basis = quilt[1].splitlines()
    assert basis.startswith("rests on  ")
    assert "influence.any-start (PROVED)" in basis
    assert lines == [
        "influence log(64) ≈ 4.15888308336 nats",
        "quilt     record 2: records 1 and 3",
        'attained  prior "theta", record 1 is "1", record 3 is "1": 64 times as likely if record 2 is "1" as if "0"',
        "means     what these records show multiplies the odds between two values of record 2 by at most 64",
    ]
    lines = run("influence", "f.json", "--right", "1")[1].splitlines()
    assert lines[1] == "quilt     any record: 1 after"
    assert lines[3].endswith("the odds between two values of a record by at most 8")
    save(
        "f.json",
        FRAMEWORK
        | {"priors": {"theta": {"markov": {"initial": ["1/2", "1/2"], "transition": [[1, 0], ["1/2", "1/2"]]}}}},
    )
    quilt = run("influence", "f.json", "--record", "1", "--right", "1")
    assert quilt[1].splitlines()[:-1] == [
        "influence infinite",
        "quilt     record 1: record 2",
        'attained  prior "theta", record 2 is "1": possible if record 1 is "1", impossible if "0"',
        "means     what these records show may rule out a value of record 1",
    ]
    save("f.json", FRAMEWORK | {"priors": {"theta": {"product": [["1/2", "1/2"]] * 3}}})
    lines = run("influence", "f.json", "--record", "1", "--right", "1")[1].splitlines()
    assert lines[0] == "influence 0 (nothing leaks)"
    assert len(lines) == 3


@seeds(25)
def test_a_place_reaches_the_influence_that_was_found(seed):
    random = Random(seed)
    size, count = random.randint(2, 3), random.randint(3, 5)
    records = Records(count, ("a", "b", "c")[:size])
    step = [random_row(random, size) for _ in range(size)]
    chain = MarkovChain(random_row(random, size), step)
    record = random.choice([None, random.randint(2, count - 1)])
    quilt = random.choice([(1, 1), (1, None), (None, 1)])
    if record is not None and len([p for p in _marginal(chain, records, record) if p]) < 2:
        return
    bounds = max_influence(chain, count, record, *quilt)
    found = Leakage(bounds.lower, bounds.upper)
    place = chain_place({"theta": chain}, records, record, quilt, found)
    if found.ratio == 1:
        return
    framework = Framework.of_records(records, {"s": (1, "a"), "t": (1, "b")}, "disjoint", {"theta": chain})
    _reached(framework, place, found)
    places = [record] if record is not None else range(1 + (quilt[0] or 0), count - (quilt[1] or 0) + 1)
    _reached(framework, listed_place(framework, places, quilt, found), found)


def _marginal(chain, records, record):
    law = chain.law(records.labels(), records)
    size = len(records.alphabet)
    found = [0] * size
    for values, weight in zip(product(range(size), repeat=records.count), law.weights):
        found[values[record - 1]] += weight
    return found


def _reached(framework, place, found):
    conditionals = Conditionals(framework, "theta")
    shown = [other for other, _ in place.outcome]
    outcome = tuple(value for _, value in place.outcome)
    above, below = (conditionals.given_value(place.record, value, shown) for value in (place.likelier, place.other))
    assert place.ratio == found.ratio
    assert above[outcome] > 0
    assert (above[outcome] / below[outcome] if outcome in below else None) == found.ratio


def test_an_annotation_shows_no_sign_of_a_name_that_does_not_show():
    said = annotation("a\x1b[2J\u202e\n::error::b.json", ["SATISFIES \x1b", "\u202e"], 0)
    assert said.replace("\n", "").isprintable()
    assert said.startswith("::notice file=a\ufffd[2J\ufffd%0A%3A%3Aerror%3A%3Ab.json,title=")
