"""Curves of delta and of the errors of tests, against all sets of outputs."""

import json
from fractions import Fraction
from itertools import chain, combinations, pairwise, product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests import examples
from tests.reports.console.schemas import expect_valid

from pufferproof import Channel, Framework, ModelError, Table, smallest_delta
from pufferproof.verify.leakage.delta import Region, advantage, corners_of, trade_off

# Corners of the smallest delta as a function of e^epsilon, against all events one by one.


NUMBERS = st.lists(st.integers(0, 4), min_size=3, max_size=3).filter(any)


def share(weights):
    return [Fraction(weight, sum(weights)) for weight in weights]


@st.composite
def instances(draw):
    """Two priors, in one of which a secret may be impossible; ties, zeros and equal rows."""
    rows = {x: share(draw(NUMBERS)) for x in "abc"}
    secrets = draw(st.sampled_from([{"s": "a", "t": "b"}, {"s": "ab", "t": "c"}]))
    priors = [share(draw(NUMBERS)) for _ in range(2)]
    return rows, {name: list(held) for name, held in secrets.items()}, priors


def lines(rows, secrets, priors):
    """P(E | one) and P(E | other) of every event, prior and order."""
    for prior in priors:
        weights = dict(zip("abc", prior))
        mass = {name: sum(weights[x] for x in held) for name, held in secrets.items()}
        if not all(mass.values()):
            continue
        law = {
            name: [sum(weights[x] * rows[x][y] for x in held) / mass[name] for y in range(3)]
            for name, held in secrets.items()
        }
        for event in chain.from_iterable(combinations(range(3), k) for k in range(4)):
            one, other = (sum(law[name][y] for y in event) for name in "st")
            yield one, other
            yield other, one


@examples(200)
@given(instances())
def test_corners_are_where_the_slope_changes(instance):
    rows, secrets, priors = instance
    table = {f"p{k}": Table(dict(zip("abc", prior))) for k, prior in enumerate(priors)}
    framework = Framework(list("abc"), secrets, [("s", "t")], table)
    every = set(lines(*instance))
    if not every:
        with pytest.raises(ModelError):
            corners_of(framework, Channel.of(rows, "xyz"))
        return

    def delta(ratio):
        return max(one - ratio * other for one, other in every)

    crossings = {(a - c) / (b - d) for a, b in every for c, d in every if b != d and (a - c) / (b - d) >= 1}
    tiny = Fraction(1, 10**9)
    expected = [(r, delta(r)) for r in sorted(crossings) if delta(r + tiny) - delta(r) != delta(r) - delta(r - tiny)]
    found = corners_of(framework, Channel.of(rows, "xyz"))
    assert [(corner.ratio, corner.delta) for corner in found] == expected


@examples(200)
@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=1, max_size=5))
def test_a_region_is_the_hull_of_all_events_and_lies_above_its_tangents(weights):
    tops, bottoms = zip(*weights)
    if not (sum(tops) and sum(bottoms)):
        return
    laws = tuple(zip(share(tops), share(bottoms)))
    region = Region("p", ("s", "t"), laws)
    events = [
        (sum(laws[y][0] for y in event), 1 - sum(laws[y][1] for y in event))
        for k in range(len(laws) + 1)
        for event in combinations(range(len(laws)), k)
    ]
    vertices = region.vertices()
    assert set(vertices) <= set(events)
    assert len(set(vertices)) == len(vertices)
    for (a, b), (c, d) in zip(vertices, [*vertices[1:], vertices[0]]):
        sides = [(c - a) * (y - b) - (d - b) * (x - a) for x, y in events]
        assert min(sides) >= 0  # every event is to the left of every edge
    for turn in region.corners:
        below = [a + turn.ratio * b - (1 - turn.delta) for a, b in events]
        assert min(below) == 0
    known = {p / q for p, q in laws if q and p >= q}
    assert [turn.ratio for turn in region.corners] == sorted(known)


FRAMEWORK = {
    "format": "pufferproof-framework/1",
    "databases": ["a", "b"],
    "secrets": {"s": ["a"], "t": ["b"]},
    "pairs": [["s", "t"]],
    "priors": {"p": {"table": {"a": "1/2", "b": "1/2"}}},
}
RESPONSE = {
    "format": "pufferproof-mechanism/1",
    "outputs": ["u", "v"],
    "channel": {"a": ["3/4", "1/4"], "b": ["1/4", "3/4"]},
}


def test_the_command_shows_them(run, save):
    files = save("f.json", FRAMEWORK), save("m.json", RESPONSE)
    code, out, _ = run("audit", *files, "--corners", "--json")
    answer = json.loads(out)
    expect_valid(answer, "audit")
    assert (code, answer["corners"]) == (0, [{"ratio": "3", "delta": "0"}])
    assert "corners   delta 0 at e^epsilon = 3" in run("audit", *files, "--corners")[1]
    region = answer["regions"][0]
    assert region["pair"] == ["s", "t"]
    assert region["corners"] == [{"ratio": "3", "delta": "0"}]
    assert region["vertices"] == [["0", "1"], ["1/4", "1/4"], ["1", "0"], ["3/4", "3/4"]]
    noise = {"query": {"a": "0", "b": "1"}, "noise": {"laplace": {"scale": "1"}}}
    noisy = save("n.json", {"format": "pufferproof-mechanism/1", **noise})
    code, _, err = run("audit", files[0], noisy, "--corners")
    assert (code, "--corners" in err) == (2, True)


# The least errors of tests: no set of outputs does better, and deltas follow from them.


F = Fraction
WEIGHTS = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=2, max_size=6).filter(
    lambda weights: all(map(sum, zip(*weights)))
)


def laws_of(weights):
    totals = [sum(column) for column in zip(*weights)]
    return [tuple(Fraction(w, t) for w, t in zip(each, totals)) for each in weights]


def sums_of(laws):
    """The errors of a test that says s on a set of outputs, of all sets."""
    for chosen in product((0, 1), repeat=len(laws)):
        p, q = (sum(w for w, taken in zip(law, chosen) if taken) for law in zip(*laws))
        yield F(q), 1 - F(p)


@examples(100)
@given(WEIGHTS)
def test_no_set_of_outputs_errs_less_and_corners_are_sets(weights):
    laws = laws_of(weights)
    corners = trade_off(laws)
    sets = list(sums_of(laws))
    assert set(corners) <= set(sets)
    assert corners[0][0] == 0 == corners[-1][1]
    for (x, y), (z, w) in pairwise(corners):
        assert x < z
        assert y > w
        assert all((w - y) * (a - x) <= (b - y) * (z - x) for a, b in sets)  # none below the line
    assert advantage(corners) == max(1 - a - b for a, b in sets)


@examples(60)
@given(WEIGHTS, st.sampled_from(["log(1)", "log(3/2)", "log(4)"]))
def test_deltas_are_read_off_the_corners(weights, level):
    laws = laws_of(weights)
    framework = Framework("ab", {"s": ["a"], "t": ["b"]}, [("s", "t")], {"theta": Table({"a": "1/2", "b": "1/2"})})
    rows = {name: [law[k] for law in laws] for k, name in enumerate("ab")}
    channel = Channel.of(rows, [str(k) for k in range(len(laws))])
    found = smallest_delta(framework, channel, level)
    turned = [(q, p) for p, q in laws]
    ratio = Fraction(level[4:-1])
    best = max(1 - second - ratio * first for side in (laws, turned) for first, second in trade_off(side))
    assert found.value == max(best, 0)


def test_corners_of_all_small_laws_are_those_that_a_line_alone_reaches():
    """Of three outputs of weights up to 2: from (0, .) to (., 0), what minimises error I plus a
    multiple of error II, of the slopes between ratios of the outputs and beyond them.
    """
    for flat in product(range(3), repeat=6):
        weights = [flat[:2], flat[2:4], flat[4:]]
        if not all(map(sum, zip(*weights))):
            continue
        laws = laws_of(weights)
        sets = list(sums_of(laws))
        ratios = sorted({F(0), *(q / p for p, q in laws if p), F(100)})
        slopes = [(low + high) / 2 for low, high in pairwise(ratios)]
        least = [min((x + slope * y, x, y) for x, y in sets) for slope in (*slopes, F(200))]
        expected = {(x, y) for _, x, y in least}
        assert trade_off(laws) == sorted(expected)
