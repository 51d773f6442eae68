"""The worst partner of a mechanism: against extreme rays by brute force, random partners,
closed forms and boundaries.
"""

import json
import random
from fractions import Fraction
from itertools import combinations

import pytest
from tests import seeds
from tests.reports.console.schemas import expect_valid

from pufferproof import Channel, Framework, MarkovChain, Records, Table
from pufferproof.lp.cones.columns import Columns
from pufferproof.lp.worst.partner import worst_partner
from pufferproof.models.errors import ModelError
from pufferproof.models.files.writing import framework_document, mechanism_document
from pufferproof.models.numbers.level import Level
from pufferproof.reports import cli
from pufferproof.verify.audit import audit
from pufferproof.verify.audit.composition import compose

F = Fraction
FAIR = Framework(
    ["00", "01", "10", "11"],
    {"equal": ["00", "11"], "different": ["01", "10"]},
    [("equal", "different")],
    {"theta": Table(dict.fromkeys(["00", "01", "10", "11"], "1/4"))},
)


def two_secrets(weights, split, one_sided=False):
    labels = [str(x) for x in range(len(weights))]
    total = sum(weights)
    theta = Table({x: F(w, total) for x, w in zip(labels, weights)})
    return Framework(
        labels, {"s": labels[:split], "t": labels[split:]}, [("s", "t")], {"theta": theta}, one_sided=one_sided
    )


def random_channel(rng, labels, outputs, zeros=0.2):
    rows = {}
    for x in labels:
        row = [0 if rng.random() < zeros else rng.randint(1, 6) for _ in range(outputs)]
        row[rng.randrange(outputs)] += 1
        rows[x] = [F(v, sum(row)) for v in row]
    return Channel.of(rows, [str(w) for w in range(outputs)])


def eliminated(rows, size):
    """Return a rational matrix in reduced form and its pivot columns."""
    matrix, pivots = [list(map(F, row)) for row in rows], []
    for column in range(size):
        place = next((i for i in range(len(pivots), len(matrix)) if matrix[i][column]), None)
        if place is None:
            continue
        matrix[len(pivots)], matrix[place] = matrix[place], matrix[len(pivots)]
        top = matrix[len(pivots)]
        top[:] = [v / top[column] for v in top]
        for i, row in enumerate(matrix):
            if i != len(pivots) and row[column]:
                row[:] = [a - row[column] * b for a, b in zip(row, top)]
        pivots.append(column)
    return matrix, pivots


def kernel_line(rows, size):
    """The kernel of a rational matrix if it is one line."""
    matrix, pivots = eliminated(rows, size)
    if len(pivots) != size - 1:
        return None
    free = next(c for c in range(size) if c not in pivots)
    ray = [F(0)] * size
    ray[free] = F(1)
    for i, column in enumerate(pivots):
        ray[column] = -matrix[i][free]
    return ray


def rays(cone):
    """Every extreme ray of a cone: the vectors of the cone that dimension - 1 tight rows
    determine.
    """
    size = cone.dimension
    signs = [[int(i == j) for j in range(size)] for i in range(size)]
    found, rank = [], len(eliminated(cone.equations, size)[1])
    for tight in combinations([*cone.inequalities, *signs], size - 1 - rank):
        ray = kernel_line([*cone.equations, *tight], size)
        if ray is not None:
            found += [v for v in (ray, [-c for c in ray]) if cone.holds(v)]
    return found


def worst_by_rays(framework, mechanism, ratio, per_record=None):
    columns = Columns(framework)
    best = F(0)
    for v in rays(columns.cone(ratio, per_record)):
        for output in mechanism.outputs:
            product = [a * b for a, b in zip(columns.column(mechanism, output), v)]
            for laws in columns.laws:
                value = laws.ratio(product)
                if value is None:
                    return None
                best = max(best, value)
    return best


@seeds(12)
def test_the_worst_partner_is_the_worst_extreme_ray(seed):
    rng = random.Random(seed)
    size = rng.choice([3, 4, 5])
    framework = two_secrets([rng.randint(1, 5) for _ in range(size)], rng.randint(1, size - 1))
    mechanism = random_channel(rng, framework.databases, 3)
    if audit(framework, mechanism).leakage.infinite:
        mechanism = random_channel(rng, framework.databases, 3, zeros=0)
    ratio = rng.choice([F(1), F(3, 2), F(2), F(7, 3)])
    found = worst_partner(framework, mechanism, Level.log(ratio))
    assert found.joint.ratio == worst_by_rays(framework, mechanism, ratio)
    assert audit(framework, found.channel, Level.log(ratio)).verdict.value == "SATISFIES"
    assert compose(framework, [mechanism, found.channel]).joint.leakage.ratio == found.joint.ratio


def bits(count, per_bit="3/4"):
    secrets = {f"x{i}={v}": (i, v) for i in range(1, count + 1) for v in "01"}
    stay = F(per_bit)
    chain = MarkovChain("stationary", [[stay, 1 - stay], [1 - stay, stay]])
    pairs = [(f"x{i}=0", f"x{i}=1") for i in range(1, count + 1)]
    return Framework.of_records(Records(count, ("0", "1")), secrets, pairs, {"chain": chain})


def test_with_differential_privacy_per_record_it_is_the_worst_ray_of_the_smaller_cone():
    framework = bits(2)
    mechanism = random_channel(random.Random(3), framework.databases, 3, zeros=0)
    for ratio, record in [(F(2), F(3, 2)), (F(3, 2), F(2)), (F(1), F(2)), (F(2), F(1))]:
        found = worst_partner(framework, mechanism, Level.log(ratio), Level.log(record))
        assert found.joint.ratio == worst_by_rays(framework, mechanism, ratio, record)
        for output in found.channel.outputs:
            for x in framework.databases:
                for y in framework.databases:
                    if sum(a != b for a, b in zip(x, y)) == 1:
                        least = record * found.channel.probability(y, output)
                        assert found.channel.probability(x, output) <= least


def test_no_random_partner_within_the_budget_leaks_more():
    rng = random.Random(11)
    framework = bits(2)
    mechanism = random_channel(rng, framework.databases, 2, zeros=0)
    worst = worst_partner(framework, mechanism, Level.log(2))
    tried = 0
    while tried < 60:
        other = random_channel(rng, framework.databases, 2, zeros=0.3)
        if audit(framework, other, "log(2)").verdict.value == "SATISFIES":
            tried += 1
            joint = compose(framework, [mechanism, other]).joint.leakage
            assert worst.joint.infinite or joint.ratio <= worst.joint.ratio


def test_bounds_prove_that_no_partner_is_worse_and_tampered_ones_do_not():
    framework = bits(2)
    mechanism = random_channel(random.Random(5), framework.databases, 3, zeros=0)
    found = worst_partner(framework, mechanism, Level.log("3/2"), Level.log(2))
    columns = Columns(framework)
    assert max(bound.ratio for bound in found.bounds) == found.joint.ratio
    assert {(bound.output, bound.law) for bound in found.bounds} == {(w, k) for w in "012" for k in range(4)}
    for bound in found.bounds:
        assert bound.proves(columns, found.cone, mechanism)
        smaller = type(bound)(bound.output, bound.law, bound.ratio * F(999, 1000), bound.multipliers)
        assert not smaller.proves(columns, found.cone, mechanism)
        assert not type(bound)(bound.output, bound.law, bound.ratio, bound.multipliers[1:]).proves(
            columns, found.cone, mechanism
        )


@pytest.mark.parametrize("budget", ["0", "log(2)", "0.5"])
def test_a_secret_bit_hidden_in_a_parity_collapses_even_at_budget_zero(budget):
    first = Channel.of({x: {x[0]: 1} for x in FAIR.databases})
    found = worst_partner(FAIR, first, Level.parse(budget))
    assert (found.single.leakage.ratio, found.joint.infinite, found.decided) == (1, True, True)
    assert audit(FAIR, found.channel, budget).verdict.value == "SATISFIES"


def test_a_mechanism_that_leaks_everything_needs_no_partner():
    tell = Channel.of({x: {str(x[0] == x[1]): 1} for x in FAIR.databases})
    found = worst_partner(FAIR, tell, Level.log(1))
    assert found.single.leakage.infinite
    assert found.joint.infinite
    assert found.channel.outputs == ("w",)


@pytest.mark.parametrize("nats", ["1e-30", "1e-3", "20"])
def test_tiny_and_large_budgets_are_enclosed(nats):
    framework = two_secrets([1, 2], 1)
    mechanism = Channel.of({"0": ["3/4", "1/4"], "1": ["1/4", "3/4"]}, ["u", "v"])
    found = worst_partner(framework, mechanism, Level.parse(nats))
    assert Level.parse(nats).compare(found.joint.lower / 3) <= 0 < Level.parse(nats).compare(found.joint.upper / 3)


def test_mixtures_of_priors_are_refused():
    theta = {
        "p": Table({"0": "1/4", "1": "1/4", "2": "1/4", "3": "1/4"}),
        "q": Table({"0": "1/8", "1": "1/4", "2": "1/2", "3": "1/8"}),
    }
    framework = Framework(list("0123"), {"s": ["0", "1"], "t": ["2", "3"]}, [("s", "t")], theta, closure="convex")
    with pytest.raises(ModelError, match="no polyhedral cone"):
        worst_partner(framework, Channel.of({x: {"w": 1} for x in "0123"}), Level.log(2))


@pytest.fixture
def run(tmp_path, monkeypatch, capfd):
    monkeypatch.chdir(tmp_path)
    first = Channel.of({x: {x[0]: 1} for x in FAIR.databases})
    noisy = Channel.of({x: ["3/4", "1/4"] if x[0] == "0" else ["1/4", "3/4"] for x in FAIR.databases}, "ab")
    for name, content in [
        ("f.json", framework_document(FAIR)),
        ("m.json", mechanism_document(first)),
        ("n.json", mechanism_document(noisy)),
    ]:
        (tmp_path / name).write_text(json.dumps(content))

    def invoke(*arguments):
        code = cli._run(list(arguments))
        return (code, *capfd.readouterr())

    return invoke


def test_the_command_writes_a_partner_that_audits_as_it_says(run):
    code, out, err = run("partner", "f.json", "n.json", "--budget", "log(2)", "--out", "p.json", "--json")
    answer = json.loads(out)
    expect_valid(answer, "partner")
    assert (code, err, answer["single"]["ratio"], answer["partner"]) == (0, "", "1", "p.json")
    again = json.loads(run("compose", "f.json", "n.json", "p.json", "--json")[1])
    assert again["joint"] == answer["joint"]
    assert again["witness"] == answer["witness"]
    assert json.loads(run("audit", "f.json", "p.json", "--epsilon", "log(2)", "--json")[1])["verdict"] == "SATISFIES"


def test_the_command_certifies_the_joint_leakage(run):
    arguments = ["partner", "f.json", "m.json", "--budget", "0.1", "--out", "p.json", "--certificate", "c.json"]
    code, out, _ = run(*arguments, "--json")
    answer = json.loads(out)
    expect_valid(answer, "partner")
    assert (code, answer["joint"]["ratio"], answer["certificate"]) == (0, "inf", "c.json")
    assert run("check", "c.json", "f.json", "m.json", "p.json")[0] == 0
    assert "together they leak everything" in run(*arguments, "--replace")[1]


def test_a_mechanism_without_rows_for_impossible_databases_is_certified_as_it_is(run, tmp_path):
    framework = Framework(
        ["0", "1", "2"], {"s": ["0"], "t": ["1", "2"]}, [("s", "t")], {"p": Table({"0": "1/3", "1": "2/3"})}
    )
    mechanism = Channel.of({"0": ["3/4", "1/4"], "1": ["1/4", "3/4"]}, ["u", "v"])
    (tmp_path / "f3.json").write_text(json.dumps(framework_document(framework)))
    (tmp_path / "m3.json").write_text(json.dumps(mechanism_document(mechanism)))
    arguments = ["partner", "f3.json", "m3.json", "--budget", "log(2)", "--out", "p.json", "--certificate", "c.json"]
    assert run(*arguments)[0] == 0
    code, out, _ = run("check", "c.json", "f3.json", "m3.json", "p.json")
    assert (code, "is equal to log(6)" in out) == (0, True)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--budget", "log(1/2)", "--out", "p.json"], "--budget"),
        (["--budget", "log(2)", "--out", "m.json"], "m.json: is already read or written by this command"),
        (["--budget", "log(2)", "--per-record-dp", "log(2)", "--out", "p.json"], "expected databases made of records"),
        (["--budget", "log(2)"], "--out"),
        (["--budget", "99999", "--out", "p.json"], "at most 900 nats"),
    ],
)
def test_misuse_is_one_line_and_writes_nothing(run, tmp_path, arguments, message):
    code, out, err = run("partner", "f.json", "m.json", *arguments)
    assert (code, out, len(err.splitlines())) == (2, "", 1)
    assert message in err
    assert not (tmp_path / "p.json").exists()
