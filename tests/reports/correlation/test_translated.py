"""The command `calibrate` by translation: scales against independent computations, the exponential
mechanism as a file, all mechanisms side by side, and bad input.
"""

import itertools
import json
import math
import random
from fractions import Fraction
from operator import ne

import pytest
from tests.reports.console.schemas import expect_valid

from pufferproof.lp.levels import RecordLevels
from pufferproof.lp.translation.translate import worst_case
from pufferproof.models.files.frameworks import read_framework
from pufferproof.models.files.mechanisms import read_mechanism
from pufferproof.models.numbers.grammar import exact
from pufferproof.models.numbers.level import Level
from pufferproof.verify.audit import audit
from pufferproof.verify.influence.curves.framework import influence_curve
from pufferproof.verify.influence.curves.point import best, exceeds, printed

STICKY = [["9/10", "1/10"], ["1/10", "9/10"]]
ALTERNATING = [["1/5", "4/5"], ["7/10", "3/10"]]
SLOW = [["99/100", "1/100"], ["1/50", "49/50"]]
LAPLACE, EXPONENTIAL = "pufferfish-laplace", "pufferfish-exponential"


def document(count=5, record=3, transition=STICKY, **more):
    values = [str(value) for value in range(len(transition))]
    return {
        "format": "pufferproof-framework/1",
        "records": {"count": count, "alphabet": values},
        "secrets": {f"x{record}={value}": {"record": record, "value": value} for value in values},
        "pairs": "disjoint",
        "priors": {"theta": {"markov": {"initial": "stationary", "transition": transition}}},
    } | more


@pytest.fixture
def run(run, save):
    def called(what, *options, epsilon="1"):
        return run("calibrate", save("framework.json", what), "--epsilon", epsilon, *options)

    return called


@pytest.fixture
def answer(run):
    def called(*given, **more):
        code, out, err = run(*given, "--json", **more)
        assert code == 0, err
        found = json.loads(out)
        expect_valid(found, "calibrate")
        return found

    return called


def laplace(rule, *more, query="sum"):
    return ["--mechanism", LAPLACE, "--translation", rule, "--query", query, *more]


WEAK = [["3/5", "2/5"], ["2/5", "3/5"]]


def test_gk16_says_its_condition(answer, run):
    weak = document(7, 4, priors={"mood": {"markov": {"initial": "stationary", "transition": WEAK}}})
    known = {row["mechanism"]: row for row in compared(answer, weak)}
    assert known["gk16"]["scale"]["upper"].startswith("3.84699")
    assert float(known["gk16"]["leakage"]["epsilon"]["upper"]) < 1
    assert known["gk16"]["assumed"][0].endswith('under "mood": 0.448551, below 1')
    _, out, _ = run(weak, "--compare", "--query", "sum")
    assert "assumed   gk16: spectral norm of the influence matrix" in out


def test_gk16_does_not_apply_to_close_records(answer):
    strong = {row["mechanism"]: row for row in compared(answer, document(100, 50))}
    assert strong["gk16"]["scale"] is None
    assert "has spectral norm 3.71176" in strong["gk16"]["reason"]


def test_gk16_costs_twice_for_independent_records(answer):
    even = document(4, 1, priors={"even": {"product": [["1/2", "1/2"]] * 4}})
    assert answer(even, "--mechanism", "gk16", "--query", "sum")["exact"] == "2"


SUM = ["--query", "sum"]
BDP = ["--mechanism", "bdp-markov", *SUM]


@pytest.mark.parametrize(("count", "record"), [(1, 1), (2, 1), (2, 2), (4, 3)])
@pytest.mark.parametrize("values", [2, 3])
def test_the_bound_for_chains_keeps_its_level(answer, count, record, values):
    rng = random.Random(10 * count + values)
    rows = [[rng.randint(2, 4) for _ in range(values)] for _ in range(values)]
    chances = [[Fraction(each, sum(row)) for each in row] for row in rows]
    every = [each for row in chances for each in row]
    lost = 4 * math.log(max(every) / min(every))
    start = ["0"] * (values - 2) + ["1/10", "9/10"]
    chain = {"markov": {"initial": start, "transition": [[str(p) for p in row] for row in chances]}}
    secrets = {f"x={v}": {"record": record, "value": str(v)} for v in range(values)}
    if values == 3 and record == 1:
        del secrets["x=0"]  # never the first
    what = document(count, record, chances, secrets=secrets, priors={"theta": chain})
    for more in (0.01, 1):
        found = answer(what, *BDP, epsilon=f"{lost + more:.6f}")
        wanted = (values - 1) / (float(f"{lost + more:.6f}") - lost)
        assert float(found["scale"]["upper"]) == pytest.approx(wanted, rel=1e-9)
        assert float(found["leakage"]["epsilon"]["upper"]) <= lost + more


def test_the_bound_for_chains_holds_against_any_mechanism():
    # outputs 0 and 1, whose odds move by at most e^e when one record of three changes
    chain = [[Fraction(2, 5), Fraction(3, 5)], [Fraction(1, 2), Fraction(1, 2)]]
    rng = random.Random(7)
    rows = list(itertools.product((0, 1), repeat=3))
    weight = {x: chain[x[0]][x[1]] * chain[x[1]][x[2]] / 2 for x in rows}
    for place, most in ((0, 1), (1, 3), (2, 3)):  # factors of 3/2, as the proof has them
        for _ in range(300):
            chance = {x: Fraction(rng.randint(1, 9), 20) for x in rows}
            steps = [(x, y) for x in rows for y in rows if sum(map(ne, x, y)) == 1]
            per_record = max(chance[x] / chance[y] for x, y in steps)
            laws = [
                sum(weight[x] * chance[x] for x in rows if x[place] == v)
                / sum(weight[x] for x in rows if x[place] == v)
                for v in (0, 1)
            ]
            told = max(laws[0] / laws[1], laws[1] / laws[0])
            assert told <= per_record * Fraction(3, 2) ** most


@pytest.mark.parametrize(
    ("priors", "epsilon", "said"),
    [
        ({"even": {"product": [["1/2", "1/2"]] * 4}}, "9", "expected a Markov chain"),
        ({"t": {"markov": {"initial": "stationary", "transition": STICKY}}}, "8", "8.7889"),
        ({"t": {"markov": {"initial": ["1", "0"], "transition": [["1/2", "1/2"], ["0", "1"]]}}},
         "9", "found a zero"),
    ],
)  # fmt: skip
def test_the_bound_for_chains_says_where_it_does_not_apply(run, priors, epsilon, said):
    code, _, err = run(document(4, 1, priors=priors), *BDP, epsilon=epsilon)
    assert code == 2
    assert said in err


def test_the_bound_for_even_chains_is_noise_for_one_record(answer):
    even = document(4, 1, [["1/2", "1/2"]] * 2)
    assert answer(even, *BDP, epsilon="1/2")["exact"] == "2"


@pytest.mark.parametrize(
    ("prior", "size"),
    [
        ({"product": [["1/2", "1/2"]] * 4}, 1),
        ({"markov": {"initial": "stationary", "transition": STICKY}}, 4),
        ({"table": {"0000": "1/2", "1111": "1/2"}}, 4),
    ],
)
def test_groups_are_what_depends_on_one_another(answer, prior, size):
    found = answer(document(4, 1, priors={"t": prior}), "--mechanism", "bdp-general", *SUM)
    assert found["exact"] == str(size)
    assert float(found["leakage"]["epsilon"]["upper"]) <= 1
    said = f'groups under "t": at most {size} record'
    assert found["assumed"][0].startswith(said)


def test_groups_of_a_network_are_joined_by_arrows_both_ways(answer):
    # 1 and 3 are parents of 2, and 4 is alone: who knows record 2 learns of 1 from 3
    parents = {"1": [], "2": ["1", "3"], "3": [], "4": []}
    coin, rare, often = {"": ["1/2", "1/2"]}, ["9/10", "1/10"], ["1/10", "9/10"]
    either = {"00": rare, "01": often, "10": often, "11": often}
    rows = {"1": coin, "2": either, "3": coin, "4": coin}
    network = {"bayes_net": {"parents": parents, "cpt": rows}}
    two = {"net": network, "free": {"product": [["1/2", "1/2"]] * 4}}
    found = answer(document(4, 1, priors=two), "--mechanism", "bdp-general", *SUM)
    assert found["exact"] == "3"  # the largest of the priors
    assert float(found["leakage"]["epsilon"]["upper"]) <= 1


def test_groups_need_secrets_of_single_records(run):
    lists = {"even": ["00", "11"], "odd": ["01", "10"]}
    what = document(2, 1, secrets=lists, priors={"t": {"product": [["1/2", "1/2"]] * 2}})
    code, _, err = run(what, "--mechanism", "bdp-general", *SUM)
    assert code == 2
    assert "single records" in err


def compared(answer, what, query="sum", **more):
    return answer(what, "--compare", "--query", query, **more)["comparison"]


@pytest.mark.parametrize("count", [1, 4])
@pytest.mark.parametrize("epsilon", ["0.2", "1", "log(9)"])
def test_scales_by_the_curve(answer, tmp_path, count, epsilon):
    found = {rule: answer(document(count, 1), *laplace(rule), epsilon=epsilon) for rule in ("published", "best")}
    level = float(Level(epsilon).enclosure().lower)
    curve = influence_curve(read_framework(tmp_path / "framework.json").value)
    single = []
    for point in curve:
        a = math.inf if point.upper is None else math.log(point.upper)
        single.append((level - a) / point.b if a < level else None)
    least = min(level / count if each is None else each for each in single)
    most = max(each for each in single if each is not None)
    for rule, expected in (("published", least), ("best", most)):
        assert float(found[rule]["scale"]["upper"]) == pytest.approx(1 / expected)
        assert float(found[rule]["translation"]["per_record"]["lower"]) == pytest.approx(expected)


@pytest.mark.parametrize("epsilon", ["0.05", "1", "4", "log(3)"])
@pytest.mark.parametrize("transition", [STICKY, ALTERNATING, SLOW], ids=str)
def test_points_that_are_not_computed_change_nothing(run, answer, tmp_path, transition, epsilon):
    found = answer(document(60, 20, transition), *laplace("published"), epsilon=epsilon)
    curve = influence_curve(read_framework(tmp_path / "framework.json").value)
    level = Level(epsilon)
    whole, least = printed(curve, level, 60), best(curve, level)
    assert found["scale"] == whole.scale.enclosure().as_json()
    assert found["exact"] == whole.scale.text
    assert found["translation"]["hidden"] == (whole.point and whole.point.b)
    assert found["translation"]["points"] == list(range(61))
    _, _, err = run(document(60, 20, transition), *laplace("published"), epsilon=epsilon)
    noisy = exceeds(whole.scale, least.scale)
    assert (f"b = {least.point.b} alone" in err) == noisy


@pytest.mark.parametrize("rule", ["published", "best", "exact"])
@pytest.mark.parametrize("query", ["sum", "histogram", "mean"])
def test_every_rule_keeps_the_level_in_the_worst_case(answer, tmp_path, rule, query):
    found = answer(document(4, 2), *laplace(rule, query=query), epsilon="1.5")
    scale, moved = exact(found["scale"]["upper"]), exact(found["lipschitz"])
    assert moved == {"sum": 1, "histogram": 2, "mean": Fraction(1, 4)}[query]
    framework = read_framework(tmp_path / "framework.json").value
    level = Level.of_nats(moved / scale)
    worst = worst_case(framework, RecordLevels.uniform(4, [level])).leakage
    assert Level("1.5").compare(worst.upper) <= 0
    if rule == "exact":
        assert math.log(worst.upper) > 1.5 - 1e-8
    assert float(found["leakage"]["epsilon"]["upper"]) <= 1.5


def test_points_that_reach_the_level_leave_no_scale_and_the_exact_one_is_named(run):
    code, out, err = run(document(100, 50), *laplace("best", "--points", "1,2"))
    assert (code, out) == (2, "")
    assert "no level per record keeps it, however much noise" in err
    assert "--translation exact has 0.11573" in err


def test_one_point_holds_for_all_records(run):
    """a(1) is log(81), that of an inner record, and not log(9), that of an end."""
    options = ["--mechanism", LAPLACE, "--translation", "best", "--points", "1", "--all-records"]
    code, out, err = run(document(20, 1), *options, "--query", "sum", epsilon="3")
    assert (code, out) == (2, "")
    assert "a(1) >= epsilon" in err


def test_no_points_are_refused_as_printed_they_mean_no_noise(run):
    for rule, said in (("published", "(claim bai2026.alg1)"), ("best", "at least one curve point")):
        code, out, err = run(document(), *laplace(rule, "--points", ""))
        assert (code, out) == (2, "")
        assert said in err


def test_endless_chains(answer):
    found = answer(document(), *laplace("exact", "--infinite"))
    expected = 1 / (2 * math.asinh(math.sinh(1 / 2) / 9))
    assert float(found["scale"]["upper"]) == pytest.approx(expected)
    assert found["translation"]["records"] == "infinite"


def test_more_values_are_calibrated_by_walks(answer, run):
    weather = [["3/4", "1/8", "1/8"], ["1/8", "5/8", "1/4"], ["1/4", "1/4", "1/2"]]
    found = answer(document(12, 6, weather), *laplace("exact", query="histogram"))
    assert found["translation"]["attained"] == "randomised response"
    assert "worst case: exact" in " ".join(found["assumed"])
    listed = answer(document(3, 2, weather), *laplace("exact"))
    assert listed["translation"]["attained"] == "linear program"


def test_the_chosen_mechanism_is_the_one_in_the_file(answer, tmp_path):
    found = answer(document(4, 2), "--mechanism", EXPONENTIAL, "--utility", "histogram", "--out", "m.json")
    framework = read_framework(tmp_path / "framework.json").value
    channel = read_mechanism(tmp_path / "m.json", framework).value
    assert audit(framework, channel, "1").leakage.as_json() == found["leakage"]
    assert found["candidates"] == list(channel.outputs) == ["0", "1"]
    odds = channel.probability("0000", "0") / channel.probability("0000", "1")
    scale = exact(found["scale"]["upper"])
    assert math.log(odds) == pytest.approx(4 / float(scale), rel=1e-9)
    assert math.log(odds) <= 4 / float(scale)


def test_utilities_of_a_file(answer, tmp_path):
    labels = ["00", "01", "10", "11"]
    table = {"low": dict.fromkeys(labels, 0), "high": dict(zip(labels, [0, "1/2", "1/2", 1]))}
    (tmp_path / "u.json").write_text(json.dumps(table), encoding="utf-8")
    for name in ("u.json", "v.json"):
        found = answer(document(2, 1), "--mechanism", EXPONENTIAL, "--utility", name, "--translation", "best")
        assert found["sensitivity"] == "1/2"
        assert found["scale"] == {"lower": "2", "upper": "2"}  # b = 2: epsilon / 2 for each record
        (tmp_path / "v.json").write_text(
            json.dumps({"format": "pufferproof-utility/1", "utility": table}), encoding="utf-8"
        )
    assert found["inputs"].keys() == {"framework", "utility"}


def test_long_chains_choose_without_a_file(answer, run):
    what = document(1_000, 500)
    found = answer(what, "--mechanism", EXPONENTIAL, "--utility", "histogram")
    assert (found["leakage"], found["reason"] is None) == (None, False)
    code, out, err = run(what, "--mechanism", EXPONENTIAL, "--utility", "histogram", "--out", "m.json")
    assert (code, out) == (2, "")
    assert "--out: no mechanism file" in err


def test_what_does_not_apply_says_why(answer, run):
    rows = {(row["mechanism"], row["option"]): row for row in compared(answer, document(2_300, 1_150), epsilon="0.5")}
    assert rows[LAPLACE, "published"]["scale"] is not None
    assert rows[LAPLACE, "exact"]["scale"] is not None
    assert "expected at most" in rows["tight", None]["reason"]
    box = {"markov": {"initial": "any", "transition": STICKY}}
    rows = {row["mechanism"]: row for row in compared(answer, document(priors={"any": box}))}
    assert rows["markov-quilt"]["scale"] is not None
    assert "class of priors" in rows["wasserstein"]["reason"]
    _, out, _ = run(document(priors={"any": box}), "--compare", "--query", "sum")
    assert "none            expected one prior, found a class of priors" in out


def test_scales_are_drawn(run, tmp_path):
    code, out, _ = run(document(), "--compare", "--query", "sum", "--plot", "s.svg")
    assert (code, out.splitlines()[-2]) == (0, "plot      s.svg")
    drawn = (tmp_path / "s.svg").read_text(encoding="utf-8")
    assert all(name in drawn for name in ("group-dp", "tight", "pufferfish-laplace, exact"))
    assert "noise on sum, framework.json" in drawn
    assert "no scale: gk16" in drawn  # its condition does not hold
    assert "no scale: gk16;" not in drawn


def test_what_is_not_drawn_is_named_below_the_picture(run, tmp_path):
    box = {"markov": {"initial": "any", "transition": STICKY}}
    run(document(priors={"any": box}), "--compare", "--query", "sum", "--plot", "s.svg")
    drawn = (tmp_path / "s.svg").read_text(encoding="utf-8")
    assert "no scale: wasserstein" in drawn
    assert "markov-quilt: " in drawn


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            ["--compare", *laplace("best")],
            "--mechanism: choose only one rule: --compare, --mechanism NAME, --delta P or --renyi",
        ),
        ([], "--query: expected one of sum, mean"),
        (["--compare"], "--query: expected one of sum, mean"),
        (["--mechanism", LAPLACE], "--query: expected one of sum, mean"),
        (laplace("nonsense"), '--translation: expected one of published, best, exact, found "nons'),
        (laplace("exact", "--points", "1"), "--points: the exact translation uses no curve points"),
        (laplace("best", "--points", "x"), '--points: expected numbers of hidden records, found "x'),
        (laplace("best", "--points", "6"), "--points: expected from 0 to 5 hidden records, found 6"),
        (laplace("best", "--infinite"), "--infinite: needs --translation exact"),
        (laplace("best", "--plot", "x.svg"), "--plot: needs a comparison: leave out the rule"),
        (
            ["--compare", "--query", "sum", "--out", "m.json"],
            "--out: needs one mechanism: choose it by --mechanism NAME",
        ),
        (["--compare", "--query", "sum", "--plot", "x.txt"], "x.txt: expected a plot file ending"),
        (["--compare", "--query", "sum", "--tight"], "--tight: needs one mechanism"),
        (
            ["--mechanism", "wasserstein", "--query", "sum", "--translation", "best"],
            "--translation: needs --mechanism pufferfish-laplace or pufferfish-exponential",
        ),
        (["--mechanism", EXPONENTIAL], "--utility: expected histogram, or a file"),
        (
            ["--mechanism", EXPONENTIAL, "--utility", "nowhere.json"],
            '--utility: expected histogram, or a file, found "nowhere.json"',
        ),
        (["--mechanism", EXPONENTIAL, "--utility", "framework.json"], "framework.json: "),
    ],
)
def test_bad_input(run, options, message):
    code, out, err = run(document(), *options)
    assert (code, out) == (2, "")
    assert message in err
    assert err.count("\n") == 1


def test_without_a_rule_all_mechanisms_are_compared(run):
    asked = document(), "--query", "sum", "--json"
    assert run(*asked) == run(*asked, "--compare")


@pytest.mark.parametrize(
    "options",
    [
        *(laplace(rule) for rule in ("published", "best", "exact")),
        ["--mechanism", EXPONENTIAL, "--utility", "histogram"],
        ["--mechanism", "group-dp", "--query", "sum"],
        ["--mechanism", "gk16", "--query", "sum"],
        ["--compare", "--query", "sum"],
    ],
)
def test_levels_that_no_noise_keeps(run, options):
    for epsilon in ("-1", "0", "log(1)", "x"):
        code, out, err = run(document(), *options, epsilon=epsilon)
        assert (code, out) == (2, "")
        assert "expected a level" in err
