"""Boxes of chains of any number of values, by branch and bound: no chain leaks more than the bound,
what is leaked below is leaked under a chain, and more effort moves no bound away.
"""

import json
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests import examples
from tests.reports.console.schemas import expect_valid

import pufferproof as pp
from pufferproof.models.noise.records import NoisyQueries
from pufferproof.models.numbers.intervals import Interval
from pufferproof.reports import cli
from pufferproof.verify.noise.classes.rows import bound as rows_bound
from pufferproof.verify.noise.classes.rows.bound import tree_bound
from pufferproof.verify.noise.classes.rows.diagram import faces, halves, tight

CLOSE = 1.0000011
DATABASES = ("00", "01", "10", "11")


def framework(prior, length, states, records=None):
    """Secrets are all values of some records, against one another."""
    space = pp.Records(length, tuple("0123"[:states]))
    wanted = range(1, length + 1) if records is None else records
    secrets = {f"{i}={x}": (i, x) for i in wanted for x in space.alphabet}
    pairs = [(f"{i}={x}", f"{i}={y}") for i in wanted for x, y in product(space.alphabet, repeat=2) if x < y]
    return pp.Framework.of_records(space, secrets, pairs, {"theta": prior})


@st.composite
def laws(draw, states):
    """A row, some entries 0."""
    weights = draw(st.lists(st.integers(0, 6), min_size=states, max_size=states).filter(any))
    return [Fraction(w, sum(weights)) for w in weights]


@st.composite
def boxes(draw, states):
    """Boxes around matrices: with zeros and ones, equal rows, and single matrices."""
    middle = [draw(laws(states)) for _ in range(states)]
    if draw(st.booleans()):
        middle = [middle[0]] * states
    width = draw(st.sampled_from([Fraction(0), Fraction(1, 50), Fraction(1, 10), Fraction(1)]))
    moves = st.sampled_from([Fraction(0), width / 2, width])
    lower = [[max(p - draw(moves), Fraction(0)) for p in row] for row in middle]
    upper = [[min(p + draw(moves), Fraction(1)) for p in row] for row in middle]
    start = draw(st.sampled_from(["any", "stationary", "given"]))
    initial = draw(laws(states)) if start == "given" else start
    return pp.IntervalChain(initial, lower, upper)


@st.composite
def members(draw, box):
    """A chain of a box: rows at vertices and between them."""
    matrix = []
    for low, high in zip(box.lower, box.upper):
        row, rest = list(low), 1 - sum(low)
        for share in (draw(st.sampled_from([Fraction(0), Fraction(1, 2), Fraction(1)])), 1):
            for x in draw(st.permutations(range(box.states))):
                added = min(rest, high[x] - row[x]) * share
                row[x], rest = row[x] + added, rest - added
        matrix.append(row)
    start = draw(laws(box.states)) if box.initial == "any" else box.initial
    return pp.MarkovChain(start, matrix)


def leaked(of, mechanism):
    """What is leaked under priors with laws, or None if there is nothing to check."""
    try:
        return pp.audit(of, mechanism).leakage
    except pp.ModelError:
        return None


@st.composite
def mechanisms(draw, length, states):
    space = pp.Records(length, tuple("0123"[:states]))
    scale = draw(st.sampled_from(["1/2", 1, 3]))
    kind = draw(st.sampled_from(["sum", "histogram", "part", "channel"]))
    if kind == "channel":
        rows = st.lists(st.integers(0, 3), min_size=3, max_size=3).filter(any)
        known = {label: draw(rows) for label in space.labels()}
        table = {x: [Fraction(n, sum(row)) for n in row] for x, row in known.items()}
        return pp.Channel.of(table, ["u", "v", "w"])
    segment = (1, max(1, length - 1)) if kind == "part" else None
    query = "sum" if kind == "part" else kind
    return pp.RecordQuery(query, pp.Noise("laplace", scale), space, segment)


@examples(40)
@given(st.data())
def test_no_chain_of_a_box_leaks_more_than_the_bound(data):
    states = data.draw(st.sampled_from([2, 3, 3, 4]))
    length = data.draw(st.integers(1, 4 if states < 4 else 3))
    box, mechanism = data.draw(boxes(states)), data.draw(mechanisms(length, states))
    of = framework(box, length, states)
    form = mechanism if isinstance(mechanism, pp.Channel) else NoisyQueries((mechanism,))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rows_bound, "WORK", 2_000_000)
        found = tree_bound(of, form, Fraction(1))
    for _ in range(8):
        member = data.draw(members(box))
        known = leaked(framework(member, length, states), mechanism)
        if known is not None and found.upper is not None:
            assert known.lower is not None
            assert known.lower <= found.upper
    if found.member is not None:
        chain = found.member[1]
        assert box.holds(chain.transition)
        known = leaked(framework(chain, length, states), mechanism)
        if known is not None and found.upper is not None:
            assert known.lower <= found.upper


THREE = (
    [["1/2", "1/5", "1/5"], ["1/5", "1/2", "1/5"], ["1/5", "1/5", "1/2"]],
    [["3/5", "3/10", "3/10"], ["3/10", "3/5", "3/10"], ["3/10", "3/10", "3/5"]],
)


ONE = {"transition": [["1/3", "1/3", "1/3"]] * 3}


@pytest.mark.parametrize(("start", "length"), [("stationary", 3), ("any", 3), (["1/3", "1/3", "1/3"], 5)])
def test_boxes_of_three_values_are_bounded_to_a_millionth(start, length):
    of = framework(pp.IntervalChain(start, *THREE), length, 3)
    answer = pp.audit(of, pp.RecordQuery("sum", pp.Noise("laplace", 3), of.records))
    low, high = answer.leakage.lower, answer.leakage.upper
    assert low <= high <= low * Fraction(CLOSE)
    chain = answer.framework.priors[answer.witness.prior]
    alone = framework(chain, length, 3)
    assert pp.audit(alone, answer.mechanism).leakage.lower == low


def test_a_level_stops_the_search():
    of = framework(pp.IntervalChain("any", *THREE), 5, 3, [3])
    query = pp.RecordQuery("sum", pp.Noise("laplace", 1), of.records)
    for level, verdict in (("3", "VIOLATES"), ("4", "SATISFIES")):
        answer = pp.audit(of, query, level)
        assert answer.verdict.value == verdict
        assert answer.largest.trees.cells < 5_000


def test_the_own_level_of_a_table_is_decided_exactly():
    box = pp.IntervalChain("any", [[0, 0]] * 2, [[1, 1]] * 2)
    of = framework(box, 2, 2, [2])
    table = pp.Channel.of({x: {"w": 1 + 3 * (x == "11"), "v": 15 - 3 * (x == "11")} for x in DATABASES}, normalize=True)
    assert pp.audit(of, table, "log(4)").verdict.value == "SATISFIES"
    assert pp.audit(of, table, "log(399/100)").verdict.value == "VIOLATES"
    silent = pp.Channel.of({x: {"w": "1/2", "v": "1/2"} for x in DATABASES})
    assert pp.audit(of, silent, "0").verdict.value == "SATISFIES"


def test_an_effort_goes_with_classes_and_has_limits():
    of = framework(pp.MarkovChain("stationary", [["1/3"] * 3] * 3), 2, 3)
    query = pp.RecordQuery("sum", pp.Noise("laplace", 1), of.records)
    with pytest.raises(pp.ModelError, match="effort: needs classes of chains"):
        pp.audit(of, query, effort=2)
    with pytest.raises(pp.ModelError, match="effort: expected 1 to 10, found 0"):
        pp.audit(of, query, effort=0)


def test_faces_and_halves_lose_no_row():
    rng = np.random.default_rng(3)
    for _ in range(200):
        cells = tight(Interval(*np.sort(rng.dirichlet(np.ones(3), size=(2, 4)), axis=0)))
        low, high = cells.low, cells.high
        row = low + (high - low) * ((1 - low.sum(-1)) / (high - low).sum(-1))[:, None]
        at = np.zeros(1, dtype=int), rng.integers(3, size=1)
        parts = halves(low[None], high[None], *at)
        assert any((side[0] <= row + 1e-12).all() and (row <= side[1] + 1e-12).all() for side in zip(*parts))
        slope = rng.standard_normal((1, 4, 3, 1))
        less, more, _ = faces(low[None], high[None], slope, slope)
        order = np.argsort(-slope[0, :, :, 0], axis=1)
        best = low.copy()
        for x in range(4):
            rest = 1 - low[x].sum()
            for y in order[x]:
                added = min(rest, high[x, y] - low[x, y])
                best[x, y], rest = best[x, y] + added, rest - added
        assert (less[0] <= best + 1e-12).all()
        assert (best <= more[0] + 1e-12).all()


def test_the_command_takes_an_effort(tmp_path, capsys):
    space = {"count": 3, "alphabet": ["0", "1", "2"]}
    secrets = {x: {"record": 2, "value": x} for x in "012"}
    box = {"initial": "any", "transition_lower": THREE[0], "transition_upper": THREE[1]}
    files = {
        "box.json": {"priors": {"theta": {"markov": box}}},
        "one.json": {"priors": {"theta": {"markov": {"initial": "stationary"} | ONE}}},
    }
    for name, priors in files.items():
        known = {"format": "pufferproof-framework/1", "records": space, "pairs": "disjoint"}
        (tmp_path / name).write_text(json.dumps(known | {"secrets": secrets} | priors))
    query = {"format": "pufferproof-mechanism/1", "query": "sum"}
    (tmp_path / "sum.json").write_text(json.dumps(query | {"noise": {"laplace": {"scale": "2"}}}))

    def said(name, *options):
        paths = [str(tmp_path / name), str(tmp_path / "sum.json")]
        with pytest.raises(SystemExit) as ended:
            cli.main(["audit", *paths, "--json", *options])
        return ended.value.code, capsys.readouterr()

    code, answer = said("box.json", "--effort", "2")
    assert code == 0
    known = json.loads(answer.out)
    expect_valid(known, "audit")
    ends = [float(known["leakage"]["epsilon"][end]) for end in ("lower", "upper")]
    assert ends[0] <= ends[1] <= ends[0] + 1e-6
    assert "member" in known["witness"]
    for name, effort, message in [
        ("box.json", "11", "--effort: expected 1 to 10, found 11"),
        ("one.json", "2", "--effort: needs classes of chains"),
    ]:
        code, answer = said(name, "--effort", effort)
        assert code == 2
        assert message in answer.out + answer.err


@pytest.mark.parametrize(
    ("scale", "lower", "upper"),
    [
        ("1/2", [["1/2", "0"], ["1/2", "1/4"]], [["1", "1/2"], ["3/4", "1/2"]]),
        (3, [["1/2", "0"], ["1/20", "0"]], [["1", "1/2"], ["1", "19/20"]]),
    ],
)
def test_chains_near_zero_come_close_to_the_bound(scale, lower, upper):
    of = framework(pp.IntervalChain("any", lower, upper), 2, 2, [2])
    answer = pp.audit(of, pp.RecordQuery("sum", pp.Noise("laplace", scale), of.records))
    low, high = answer.leakage.lower, answer.leakage.upper
    assert low <= high <= low * (1 + Fraction(4, 10**6))
    chain = answer.framework.priors[answer.witness.prior]
    assert of.priors["theta"].holds(chain.transition)
    assert pp.audit(framework(chain, 2, 2, [2]), answer.mechanism).leakage.lower >= low
