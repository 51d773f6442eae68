"""Every prior on a grid against an audit of each one."""

import json
from fractions import Fraction
from itertools import product

import jsonschema
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests import examples

import pufferproof as pp
from pufferproof.counterexamples.exploration import priors
from pufferproof.counterexamples.exploration.priors import Found, Priors
from pufferproof.models.errors import ModelError, TooLargeError
from pufferproof.models.interface.sweeps.running import Sweep
from pufferproof.reports.schemas.names import json_schema

LABELS = "abcd"
FILE = {
    "format": "pufferproof-framework/1",
    "databases": ["a", "b", "c"],
    "secrets": {"s": ["a", "b"], "t": ["c"]},
    "pairs": [["s", "t"]],
    "priors": {"any": {"table": {"a": "1/2", "c": "1/2"}}},
}
COIN = {
    "format": "pufferproof-mechanism/1",
    "outputs": ["u", "v"],
    "channel": {"a": ["1/2", "1/2"], "b": ["1/4", "3/4"], "c": ["1/3", "2/3"]},
}


def brute(databases, secrets, pairs, channel, most, level):
    """Count and find by auditing every prior, by its probabilities, once."""
    counts, best, seen = [0, 0, 0, 0], (Fraction(-1), 0), set()
    for number, weights in enumerate(product(range(most + 1), repeat=len(databases))):
        law = tuple(Fraction(weight, sum(weights) or 1) for weight in weights)
        if law in seen or not any(law):
            continue
        seen.add(law)
        counts[0] += 1
        heavy = {s: sum(weights[databases.index(x)] for x in held) for s, held in secrets.items()}
        if not any(heavy[s] and heavy[t] for s, t in pairs):
            continue
        prior = pp.Table(dict(zip(databases, weights)), normalize=True)
        leakage = pp.audit(pp.Framework(databases, secrets, pairs, {"p": prior}), channel).leakage
        ratio = float("inf") if leakage.infinite else leakage.ratio
        counts[1] += 1
        counts[2] += leakage.infinite
        counts[3] += ratio > level
        if ratio > best[0]:
            best = (ratio, number)
    return counts, best


@st.composite
def questions(draw):
    databases = list(LABELS[: draw(st.integers(2, 4))])
    cut = draw(st.integers(1, len(databases) - 1))
    secrets = {"s": databases[:cut], "t": databases[cut:]}
    pairs = [("s", "t")]
    if len(databases) > 2:
        secrets |= {"u": databases[:1], "v": databases[1:2]}
        pairs.append(("u", "v"))
    outputs = draw(st.integers(2, 3))
    rows = {}
    for label in databases:
        numbers = draw(st.lists(st.integers(0, 3), min_size=outputs, max_size=outputs).filter(any))
        rows[label] = [Fraction(number, sum(numbers)) for number in numbers]
    channel = pp.Channel.of(rows, [f"y{place}" for place in range(outputs)])
    return databases, secrets, pairs, channel, draw(st.integers(1, 4 if len(databases) < 4 else 2))


@examples(60)
@given(questions(), st.sampled_from(["1", "3/2", "2"]), st.integers(1, 40), st.integers(1, 90))
def test_every_prior_leaks_what_its_audit_says(question, level, at_once, together):
    databases, secrets, pairs, channel, most = question
    plain = pp.Table({label: Fraction(1, len(databases)) for label in databases})
    framework = pp.Framework(databases, secrets, pairs, {"any": plain})
    asked = Priors(framework, channel, most, pp.Level(f"log({level})"))
    counts, (ratio, number) = brute(databases, secrets, pairs, channel, most, Fraction(level))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(priors, "_AT_ONCE", at_once)
        patch.setattr(priors, "TOGETHER", together)
        found = Found.of(Sweep().answers(list(asked.units())))
    assert [found.priors, found.meant, found.infinite, found.above] == counts
    assert (float("inf") if found.ratio is None else found.ratio, found.number) == (ratio, number)


def test_products_that_64_bits_do_not_hold_are_refused():
    half = pp.Table({"a": "1/2", "b": "1/2"})
    framework = pp.Framework(["a", "b"], {"s": ["a"], "t": ["b"]}, [("s", "t")], {"p": half})
    rows = {"a": [Fraction(1, 3**k) for k in (1, 18)], "b": ["1/2", "1/2"]}
    rows["a"].append(1 - sum(rows["a"]))
    rows["b"].append(0)
    with pytest.raises(TooLargeError, match="64-bit"):
        Priors(framework, pp.Channel.of(rows, "uvw"), 3)
    for most in range(1, 2000, 97):  # whatever is accepted fits
        coin = pp.Channel.of({"a": ["1/97", "96/97"], "b": ["1/2", "1/2"]}, "uv")
        try:
            asked = Priors(framework, coin, most)
        except TooLargeError:
            continue
        largest = max(max(row) for row in asked.rows) * (2 * most) ** 2
        assert largest**2 <= np.iinfo(np.int64).max
    with pytest.raises(TooLargeError, match="are gone through"):
        Priors(framework, coin, 10**6)


@pytest.mark.parametrize(
    ("size", "weights", "few"),
    [
        (16, 4, "weights of at most 3 or at most 14 databases"),
        (16, 10**9, "weights of at most 3"),
        (40, 1, "at most 33 databases"),
        (40, 10**9, "fewer databases"),
    ],
)
def test_too_many_priors_are_refused_with_what_is_few_enough(size, weights, few):
    labels = [f"x{n}" for n in range(size)]
    theta = pp.Table({label: Fraction(1, size) for label in labels})
    secrets = {"s": labels[:1], "t": labels[1:]}
    framework = pp.Framework(labels, secrets, [("s", "t")], {"theta": theta})
    channel = pp.Channel.of({label: [1] for label in labels}, ["y"])
    with pytest.raises(TooLargeError) as error:
        Priors(framework, channel, weights)
    assert str(error.value) == (
        f"weights: {weights + 1}^{size} weightings of {size} databases, at most 10,000,000,000 are "
        f"gone through: expected {few}"
    )


def test_a_prior_counts_once():
    """Of two databases and weights up to 2 the priors are 5, and 3 have both databases."""
    half = pp.Table({"a": "1/2", "b": "1/2"})
    framework = pp.Framework(["a", "b"], {"s": ["a"], "t": ["b"]}, [("s", "t")], {"p": half})
    coin = pp.Channel.of({"a": ["1/2", "1/2"], "b": ["1/4", "3/4"]}, "uv")
    asked = Priors(framework, coin, 2, pp.Level("log(3/2)"))
    found = Found.of(Sweep().answers(list(asked.units())))
    assert (found.priors, found.meant, found.infinite, found.above) == (5, 3, 0, 3)
    bars = [bar for unit in Sweep().answers(list(asked.spread_units())) for bar in unit]
    assert sum(number for _, number in bars) == 3


@pytest.fixture
def run(run, save):
    save("f.json", FILE)
    save("m.json", COIN)
    return run


def test_the_command_writes_the_worst_prior_and_audit_agrees(run):
    asked = ("priors", "f.json", "m.json", "--weights", "3", "--jobs", "1")
    code, out, err = run(*asked, "--epsilon", "log(7/5)", "--json", "--out", "worst.json")
    answer = json.loads(out)
    jsonschema.validate(answer, json_schema("priors"))
    assert (code, err, answer["priors"], answer["largest"]["ratio"]) == (1, "", 49, "3/2")
    audited = json.loads(run("audit", "worst.json", "m.json", "--json")[1])
    assert audited["leakage"] == answer["largest"]
    code, out, _ = run(*asked, "--epsilon", "log(3/2)")
    assert (code, "above     0 leak more than log(3/2)" in out) == (0, True)


@pytest.mark.parametrize(
    "arguments", [("--weights", "0"), ("--weights", "2", "--epsilon", "0.5"), ("--weights", "9999")]
)
def test_what_cannot_be_gone_through_is_refused_in_one_line(run, arguments):
    code, out, err = run("priors", "f.json", "m.json", "--jobs", "1", *arguments)
    assert (code, out, err.count("\n")) == (2, "", 1)


def test_where_no_prior_says_anything_there_is_no_answer():
    assert Found.of([[8, 0, 0, 0, 0, 1, 0]]) is None
    half = pp.Table({"a": "1/2", "b": "1/2"})
    framework = pp.Framework(["a", "b"], {"s": ["a"], "t": ["b"]}, [("s", "t")], {"p": half})
    with pytest.raises(ModelError, match="at least 1"):
        Priors(framework, pp.Channel.of({"a": [1], "b": [1]}, "u"), 0)
