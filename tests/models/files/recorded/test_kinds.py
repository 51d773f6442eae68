"""Priors that hold every group: each its own, kinds, and the box around all, by brute force."""

from collections import Counter
from fractions import Fraction
from itertools import pairwise, product
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests import examples

import pufferproof as pp
from pufferproof.lp.accounting.releases.least import who_of
from pufferproof.lp.accounting.releases.plan import read_plan
from pufferproof.lp.accounting.releases.schedule import schedule
from pufferproof.models.files.recorded import groups as saying
from pufferproof.models.files.recorded.boxes import confidence_box
from pufferproof.models.files.recorded.doubts.comparison import likeness
from pufferproof.models.files.recorded.groups import halves, sorted_approx

GROUPS = st.lists(st.text("ab", min_size=1, max_size=30), min_size=2, max_size=5)


def flat(words):
    """Return the values of groups, and the group of each."""
    values = [value for word in words for value in word]
    return values, [f"g{k}" for k, word in enumerate(words) for _ in word]


def drawn(chances, lengths, seed):
    """Draw groups that change their value with these probabilities."""
    random, words = Random(seed), []
    for chance, length in zip(chances, lengths):
        value, word = 0, []
        for _ in range(length):
            value ^= random.random() < chance
            word.append("ab"[value])
        words.append("".join(word))
    return words


def rows_of(words):
    """Return how often values followed one another."""
    steps = [pair for word in words for pair in pairwise(word)]
    return [[steps.count((x, y)) for y in "ab"] for x in "ab"]


def sum_of(found):
    """Return a noisy count."""
    return pp.RecordQuery("count", pp.Noise.laplace(2), found.records, counted="b")


def test_one_prior_for_each_group_leaks_what_the_worst_group_leaks():
    words = drawn([0.1, 0.5, 0.3, 0.8], [60, 60, 40, 50], 1)
    values, groups = flat(words)
    found = pp.fit(values, group=groups, length=6, private=3, kinds="each")
    assert list(found.priors) == ["g0", "g1", "g2", "g3"]
    alone = {f"g{k}": pp.fit([*word], length=6, private=3) for k, word in enumerate(words)}
    for name, own in alone.items():
        assert found.priors[name] == own.prior
    single = {name: pp.audit(own.framework, sum_of(own)) for name, own in alone.items()}
    worst = max(single, key=lambda name: single[name].leakage.upper)
    together = pp.audit(found.framework, sum_of(found))
    assert together.leakage.upper == single[worst].leakage.upper
    assert together.witness.prior == worst


@given(GROUPS)
@examples(60)
def test_the_box_holds_every_group_and_is_the_smallest_that_does(words):
    values, groups = flat(words)
    counts = [rows_of([word]) for word in words]
    known = all(any(any(each[x]) for each in counts) for x in (0, 1))
    if not known or not {"a", "b"} <= set(values):
        with pytest.raises(pp.ModelError):
            pp.fit(values, group=groups, kinds="box")
        return
    box = pp.fit(values, group=groups, kinds="box").box
    for x, y in product((0, 1), repeat=2):
        shares = [Fraction(each[x][y], sum(each[x])) for each in counts if any(each[x])]
        assert (box.lower[x][y], box.upper[x][y]) == (min(shares), max(shares))


def test_the_box_at_a_confidence_shares_the_risk_among_groups():
    words = drawn([0.2, 0.6, 0.4], [80, 50, 1], 2)
    values, groups = flat(words)
    found = pp.fit(values, group=groups, kinds="box", confidence="90%")
    boxes = [confidence_box(rows_of([word]), 1 - Fraction(1, 30)) for word in words]
    for x, y in product((0, 1), repeat=2):
        assert found.box.lower[x][y] == min(each.lower[x][y] for each in boxes)
        assert found.box.upper[x][y] == max(each.upper[x][y] for each in boxes)
    assert found.framework.priors == {"box around 3 groups": found.box}


def test_kinds_are_the_groups_that_are_alike():
    words = drawn([0.05, 0.5] * 10, [200] * 20, 3)
    values, groups = flat(words)
    found = pp.fit(values, group=groups, length=6, private=3, kinds=2)
    assert sorted(sorted(kind.groups) for kind in found.kinds) == [[*range(0, 20, 2)], [*range(1, 20, 2)]]
    assert set(found.priors) == {"kind 1 (10 groups)", "kind 2 (10 groups)"}
    for kind in found.kinds:
        rows = rows_of([words[k] for k in kind.groups])
        expected = [[Fraction(n, sum(row)) for n in row] for row in rows]
        assert [list(row) for row in found.priors[kind.name].transition] == expected
    again = pp.fit(values, group=groups, length=6, private=3, kinds="2")
    assert again.framework.priors == found.framework.priors
    (doubt,) = [doubt for doubt in found.as_json()["doubts"] if doubt["about"] == "groups"]
    assert "nothing found against 2 kinds as first halves sort them" in doubt["says"]
    assert doubt["p"] > 0.05
    inside = sum(sum(cost.by_group) for cost in found.inside)
    assert inside < sum(found.cost.by_group) / 5


def test_kinds_are_found_in_short_recordings_with_several_beginnings():
    for seed in range(20):
        words = drawn([0.05, 0.5] * 6, [50] * 12, seed)
        steps = [[["ab".index(value) for value in word]] for word in words]
        assert sorted(map(len, sorted_approx(steps, 1, 2, 2)))[0] >= 4


def test_too_few_kinds_are_found_by_the_halves_and_enough_are_not_held_against_the_data():
    ps = {1: [], 2: [], 4: []}
    for seed, (wanted, found) in product(range(20), ps.items()):
        words = drawn([0.1, 0.3, 0.5, 0.7][:wanted] * 3, [120] * 3 * wanted, seed)
        values, groups = flat(words)
        fitted = pp.fit(values, group=groups, length=5)
        found.append(halves(fitted.groups, 2, 1))
    assert sum(p < 0.01 for p in ps[1]) <= 2
    assert sum(p < 0.01 for p in ps[2]) <= 2
    assert sum(p < 0.01 for p in ps[4]) >= 15


def test_halves_have_every_step_once():
    seen = []

    def spy(sequences, order, members):
        seen.append(sequences)
        return likeness(sequences, order, members)

    values, groups = flat(["aababbbab", "abbabaaba", "abababbbaab"])
    fitted = pp.fit(values, group=groups, length=5)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(saying, "likeness", spy)
        halves(fitted.groups, 1, 1)
    ((*seconds,),) = seen
    wholes = fitted.recorded.sequences
    firsts = [values[: len(values) // 2] for values in wholes]
    steps = [Counter(pairwise(values)) for values in (*firsts, *seconds)]
    assert sum(steps, Counter()) == Counter(step for each in wholes for step in pairwise(each))


def test_one_kind_has_the_doubt_of_the_pooled_chain():
    values, groups = flat(drawn([0.05, 0.5] * 3, [100] * 6, 1))
    one, pooled = (pp.fit(values, group=groups, kinds=k, length=5) for k in (1, "pooled"))
    assert one.doubts == pooled.doubts
    assert [doubt.about for doubt in one.doubts] == ["groups"]


def test_a_box_around_estimates_says_so():
    values, groups = flat([*drawn([0.3, 0.6], [200, 200], 1), *drawn([0.5], [20], 2), "aaaa"])
    found = pp.fit(values, group=groups, kinds="box", length=5)
    assert "which is around estimates alone" in found.assumed[1]
    (doubt,) = [str(doubt) for doubt in found.doubts if doubt.about == "groups"]
    assert "of 4, 1 has no step from some value, whose row is of other groups" in doubt
    assert "1 has fewer than 20 steps from some value" in doubt
    assert '("g3", "g2")' in doubt
    sure = pp.fit(values, group=groups, kinds="box", length=5, confidence="90%")
    assert not [each for each in sure.assumed if "estimates" in each]
    assert not [doubt for doubt in sure.doubts if doubt.about == "groups"]


def test_as_many_kinds_as_groups_are_the_groups():
    words = drawn([0.1, 0.5, 0.3], [60, 60, 40], 4)
    values, groups = flat(words)
    each = pp.fit(values, group=groups, kinds="each", length=5)
    three = pp.fit(values, group=groups, kinds=3, length=5)
    assert set(three.priors.values()) == set(each.priors.values())
    assert [kind["nats_per_step"] for kind in three.as_json()["kinds"]["kinds"]] == ["0"] * 3
    one = pp.fit(values, group=groups, kinds=1, length=5)
    pooled = pp.fit(values, group=groups, length=5)
    assert list(one.priors.values()) == [pooled.prior]


def test_gaps_belong_to_their_group():
    values = [*"aabbab", None, *"bbaab", *"abababbaa"]
    groups = ["g"] * 12 + ["h"] * 9
    found = pp.fit(values, group=groups, missing="split", kinds="each", length=4)
    rows = rows_of(["aabbab", "bbaab"])
    expected = [[Fraction(n, sum(row)) for n in row] for row in rows]
    assert [list(row) for row in found.priors["g"].transition] == expected


@pytest.mark.parametrize(
    ("words", "options", "says"),
    [
        (["aabba"], {"kinds": "each"}, "at least two groups"),
        (["aabba"], {"kinds": "box"}, "at least two groups"),
        (["aabba", "abab"], {"kinds": 3}, "at most the 2 groups, found 3"),
        (["aabba", "abab"], {"kinds": 0}, "a number of kinds"),
        (["aabba", "abab"], {"kinds": "some"}, "a number of kinds"),
        (["ab", "ab"], {"kinds": "each"}, 'nothing follows "b".*--smoothing 1.*--kinds box'),
        (["aabba", "abab"], {"kinds": 2, "thin": "out"}, "needs kinds each or box"),
        (["aabba", "abab"], {"kinds": "each", "thin": "some"}, '"pooled" or "out"'),
        (["aabba", "aaba", "aca"], {"kinds": 2}, "nothing follows .*--smoothing 1.*--kinds box"),
        (["aabba"] * 1001, {"kinds": "each"}, "at most 1000 priors, found 1001 .*--kinds 4"),
        (["aabba", "abab"], {"kinds": "each", "people": 2}, "can only hide more"),
        (["aabba", "abab"], {"kinds": 2, "confidence": "90%"}, "pooled or box"),
        (["aabba", "abab"], {"kinds": "box", "order": 2}, "order 1"),
        (["ab", "ab"], {"kinds": "box"}, 'nothing follows "b" in any group'),
    ],
)
def test_what_does_not_go_is_refused_by_name(words, options, says):
    values, groups = flat(words)
    with pytest.raises(pp.ModelError, match=says):
        pp.fit(values, group=groups, **options)


def test_groups_without_a_row_are_pooled_or_left_out_by_name():
    words = [*drawn([0.3, 0.6], [60, 60], 1), "aaaa", "b"]
    values, groups = flat(words)
    pooled = pp.fit(values, group=groups, length=3)
    each = pp.fit(values, group=groups, kinds="each", length=3)
    name = "all groups, for 2 with too few records"
    assert [*each.priors] == ["g0", "g1", name]
    assert each.priors[name] == pooled.prior
    out = pp.fit(values, group=groups, kinds="each", length=3, thin="out")
    assert [*out.priors] == ["g0", "g1"]
    for found, way in ((each, "pooled"), (out, "out")):
        assert found.as_json()["kinds"]["thin"] == {"way": way, "groups": ["g2", "g3"]}
        (doubt,) = [str(doubt) for doubt in found.doubts]
        assert '2 of 4 groups have too few records for a chain of their own, "g2", "g3"' in doubt
    around = pp.fit(values, group=groups, kinds="box", length=3, thin="out")
    some = flat(words[:2])
    assert around.box == pp.fit(some[0], group=some[1], kinds="box", length=3).box
    two = pp.fit(values, group=groups, kinds=2, length=3)
    assert not [doubt for doubt in two.doubts if "too few records" in str(doubt)]


def test_rows_that_smoothing_invents_are_a_doubt():
    values, groups = flat(["aabbaab", "abacacacab"])
    found = pp.fit(values, group=groups, kinds="each", smoothing="1/2")
    (doubt,) = [doubt for doubt in found.doubts if doubt.about == "smoothing"]
    assert '1 of 2 priors, "g0"' in str(doubt)


PLAN = """format = "pufferproof-release/1"
[data]
csv = "d.csv"
column = "v"
group = "g"
length = 8
private = [4]
{}
[[release]]
query = {{count = "b"}}
noise = {{ laplace = {{ scale = "3" }} }}
"""


def test_a_release_names_the_group_that_leaks_most(tmp_path):
    words = drawn([0.05, 0.5] * 5, [200] * 10, 5)
    values, groups = flat(words)
    lines = [f"{group},{value}" for group, value in zip(groups, values)]
    (tmp_path / "d.csv").write_text("\n".join(["g,v", *lines]) + "\n")
    (tmp_path / "plan.toml").write_text(PLAN.format(""))
    answer = schedule(read_plan(tmp_path / "plan.toml").value)
    fits = [pp.fit([*word], length=8, private=4) for word in words]
    leakages = [pp.audit(each.framework, sum_3(each)).leakage for each in fits]
    place = max(range(10), key=lambda k: leakages[k].upper)
    assert answer.who.worst == f"g{place}"
    assert answer.who.leakages[f"g{place}"] == leakages[place]
    (tmp_path / "plan.toml").write_text(PLAN.format('kinds = "each"'))
    each = schedule(read_plan(tmp_path / "plan.toml").value)
    assert each.joint.leakage.upper == leakages[place].upper
    assert not [d for d in each.plan.doubts if d.about == "groups"]


def test_a_release_looks_at_every_group_where_this_is_little_work(tmp_path):
    words = [*drawn([0.05, 0.5] * 20, [200] * 40, 6), "aaaaaa"]
    values, groups = flat(words)
    lines = [f"{group},{value}" for group, value in zip(groups, values)]
    (tmp_path / "d.csv").write_text("\n".join(["g,v", *lines]) + "\n")
    (tmp_path / "plan.toml").write_text(PLAN.format(""))
    plan = read_plan(tmp_path / "plan.toml").value
    assert plan.most_compared == 1000
    who = who_of(plan)
    assert (len(who.leakages), who.without, who.groups) == (40, ("g40",), 41)
    (tmp_path / "plan.toml").write_text(PLAN.format("").replace("length = 8", "length = 1500"))
    plan = read_plan(tmp_path / "plan.toml").value
    assert plan.most_compared == 20
    chains = plan.data[1].of_groups(20)
    assert (len(chains.chains), chains.every) == (20, False)


def sum_3(found):
    """Return the count of the plan."""
    return pp.RecordQuery("count", pp.Noise.laplace(3), found.records, counted="b")


def test_groups_without_a_value_are_noted():
    values, groups = [*"abaab", None, None, *"babba"], [*"xxxxx", *"yy", *"zzzzz"]
    found = pp.fit(values, group=groups, missing="split", kinds="each", length=2)
    assert list(found.priors) == ["x", "z"]
    assert found.recorded.reading.notes == ('groups without a value, of which no prior is: "y"',)
    assert pp.fit(values[:5], group=groups[:5]).recorded.reading.notes == ()
