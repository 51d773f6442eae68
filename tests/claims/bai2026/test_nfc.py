"""Claims on linear composition and NfC constraints: verdicts, near misses, and instances judged
from the definitions.

`nfc_brute` shares no code with the claims. Random instances are a smoke alarm for wrong formal
statements, not evidence.
"""

import random
from fractions import Fraction
from itertools import product
from math import log, prod

import pytest
from tests.brute import definitions as brute
from tests.brute.nfc import constraint_holds, grid, joint_ratio, law, max_min, rows_of
from tests.claims.rules import (
    evidence_of,
    examined_in,
)

from pufferproof.claims.registry import Check

MODULES = (
    "composition.alternative",
    "composition.coupling",
    "composition.definition",
    "composition.means",
)
MODULES += ("nfc.statement", "nfc.steps", "nfc.program", "nfc.sufficiency")
HALF = Fraction(1, 2)


@pytest.fixture(scope="module")
def examined() -> dict[str, Check]:
    return examined_in(*(f"papers.bai2026.{module}" for module in MODULES))


@pytest.mark.claims
def test_one_run_leaks_nothing_and_no_weights_exist(examined: dict[str, Check]) -> None:
    found = evidence_of(examined["nfc"], "each listed mechanism once")
    framework, rows = found["framework"], rows_of(found["mechanism"])
    assert brute.leakage(framework, found["mechanism"])[0] == 1
    assert all(
        sum(framework.laws["theta"].weights) and weight
        for weight in framework.laws["theta"].weights
    )
    assert not any(constraint_holds(rows, "a", beta, Fraction(1)) for beta in grid("bc", 60))
    mu, nu = law(framework, "s"), law(framework, "t")
    assert joint_ratio(mu, nu, [rows]) == 1
    assert joint_ratio(mu, nu, [rows, rows]) is None
    twice = evidence_of(examined["x-compose-readings"], "one mechanism")
    assert brute.leakage(twice["framework"], twice["mechanism"])[0] is None


@pytest.mark.claims
def test_impossible_databases_have_no_constraint_whatever_the_number_of_runs(
    examined: dict[str, Check],
) -> None:
    found = evidence_of(examined["nfc"], "any multiset of runs, every D")
    framework, rows = found["framework"], rows_of(found["mechanism"])
    first, second = law(framework, "s1"), law(framework, "s2")
    assert "d" not in first
    for k in range(1, 5):
        assert joint_ratio(first, second, [rows] * k) == joint_ratio(second, first, [rows] * k) == 1
    assert not constraint_holds(rows, "d", {"b": Fraction(1)}, Fraction(1))
    again = evidence_of(examined["nfc-steps"], "(2), any multiset")
    rows = rows_of(again["mechanism"])
    assert rows["a"] == rows["b"] != rows["d"]
    assert all(min(row) > 0 for row in rows.values())


@pytest.mark.claims
def test_no_bound_on_the_number_of_runs_is_enough(examined: dict[str, Check]) -> None:
    found = evidence_of(examined["nfc"], "any multiset of at most K runs")
    rows, ratio = rows_of(found["mechanism"]), found["e^epsilon"]
    mu, nu = law(found["framework"], "s"), law(found["framework"], "t")
    for k in range(1, found["runs that keep the level"] + 1):
        assert joint_ratio(mu, nu, [rows] * k) <= ratio**k
        assert joint_ratio(nu, mu, [rows] * k) <= ratio**k
    assert not constraint_holds(rows, "a", {"b": Fraction(1)}, ratio)
    assert mu["a"] * 2**30 + 1 - mu["a"] > ratio**30  # thirty runs that give u do show it


@pytest.mark.claims
def test_no_vector_of_weights_serves_two_databases(examined: dict[str, Check]) -> None:
    found = evidence_of(examined["x-nfc-one-vector"], "one beta")
    rows, mu, nu = (
        rows_of(found["mechanism"]),
        law(found["framework"], "s"),
        law(found["framework"], "t"),
    )
    for k in range(1, 5):
        assert joint_ratio(mu, nu, [rows] * k) == joint_ratio(nu, mu, [rows] * k) == 1
    fitting = {
        x: [beta for beta in grid("bc", 12) if constraint_holds(rows, x, beta, Fraction(100))]
        for x in mu
    }
    assert fitting == {"a": [{"b": 1, "c": 0}], "d": [{"b": 0, "c": 1}]}


@pytest.mark.claims
def test_constraints_and_pufferfish_do_not_give_composition(examined: dict[str, Check]) -> None:
    found = evidence_of(examined["necsuff"], "NfC and Pufferfish")
    framework = found["framework"]
    releases = [rows_of(found["first mechanism"]), rows_of(found["second mechanism"])]
    mu, nu = law(framework, "s"), law(framework, "t")
    for rows in releases:
        assert joint_ratio(mu, nu, [rows]) <= 2
        assert joint_ratio(nu, mu, [rows]) <= 2
        assert constraint_holds(rows, "a", {"b": HALF, "c": HALF}, Fraction(2))
        assert all(constraint_holds(rows, x, {"a": Fraction(1)}, Fraction(2)) for x in "bc")
    assert joint_ratio(mu, nu, releases) == found["ratio of the joint release"] > 4
    assert brute.leakage(framework, found["mechanism"])[0] > 4
    assert joint_ratio(mu, nu, releases * 2) <= 2**4 / min(
        nu.values()
    )  # the repair: a constant, whatever the runs


def _instance(rng: random.Random, zeros: bool):
    """Random laws on a, d | b, c and a mechanism with three outputs."""
    mu, nu = (
        {x: Fraction(n, m + n) for x, n in [(pair[0], m), (pair[1], n)]}
        for pair, m, n in _weights(rng)
    )
    mu = {"a": 1 - mu["d"], "d": mu["d"]}
    nu = {"b": 1 - nu["c"], "c": nu["c"]}
    rows = {}
    for x in "adbc":
        parts = [rng.randint(0 if zeros else 1, 4) for _ in range(3)]
        parts[0] += not sum(parts)
        rows[x] = [Fraction(part, sum(parts)) for part in parts]
    return mu, nu, rows


def _weights(rng: random.Random):
    return [
        ("ad", rng.randint(1, 4), rng.randint(1, 4)),
        ("bc", rng.randint(1, 4), rng.randint(1, 4)),
    ]


def test_constraints_bound_every_number_of_runs_up_to_the_constant() -> None:
    rng, seen = random.Random(1), 0
    for _ in range(300):
        mu, nu, rows = _instance(rng, zeros=True)
        ratio = Fraction(rng.randint(2, 8), 2)
        if all(any(constraint_holds(rows, x, beta, ratio) for beta in grid("bc", 6)) for x in mu):
            seen += 1
            for k in (1, 2, 3):
                found = joint_ratio(mu, nu, [rows] * k)
                assert found is not None
                assert found <= ratio**k / min(nu.values())
    assert seen > 60


def test_without_weights_some_number_of_runs_breaks_the_level() -> None:
    """Contraposition on two outputs: where no weights exist, runs in a suitable proportion
    exceed the level.
    """
    rng, seen = random.Random(2), 0
    for _ in range(60):
        parts = {x: rng.randint(1, 5) for x in "abc"}
        rows = {x: [Fraction(n, 6), 1 - Fraction(n, 6)] for x, n in parts.items()}
        nu = {"b": Fraction(1, 3), "c": Fraction(2, 3)}
        ratio = Fraction(rng.randint(20, 30), 20)
        logs = [[log(rows["a"][w] / rows[x][w] / ratio) for x in "bc"] for w in (0, 1)]
        best = max(
            (min(t / 40 * logs[0][j] + (1 - t / 40) * logs[1][j] for j in (0, 1)), t)
            for t in range(41)
        )
        if best[0] < 0.05:  # a game value near or below 0 asks for too many runs
            continue
        seen += 1
        counts = (best[1] * 10, (40 - best[1]) * 10)
        above = rows["a"][0] ** counts[0] * rows["a"][1] ** counts[1]
        below = sum(p * rows[x][0] ** counts[0] * rows[x][1] ** counts[1] for x, p in nu.items())
        assert above > ratio**400 * below
        assert not any(constraint_holds(rows, "a", beta, ratio) for beta in grid("bc", 12))
    assert seen > 10


def test_primal_and_dual_programs_agree_exactly_on_powers_of_two() -> None:
    rng = random.Random(3)
    for _ in range(120):
        outputs, databases = rng.randint(1, 3), rng.randint(1, 3)
        matrix = [[Fraction(rng.randint(-3, 3)) for _ in range(databases)] for _ in range(outputs)]
        transposed = [[-matrix[i][j] for i in range(outputs)] for j in range(databases)]
        assert max_min(matrix) == -max_min(transposed)


@pytest.mark.claims
def test_the_primal_need_not_attain_its_value_with_a_zero(examined: dict[str, Check]) -> None:
    rows = rows_of(evidence_of(examined["x-lp-attained"], "as printed")["mechanism"])
    a, b, c = (rows[x] for x in "abc")
    assert b[0] == 0 < a[0]  # b counts only at alpha = (0, 1)
    assert a[1] / c[1] == 2 > a[1] / b[1]
    assert a[0] / c[0] == Fraction(1, 2)  # so the value at (t, 1 - t) is (1 - 2 t) log 2
    assert all(constraint_holds(rows, "a", {"c": Fraction(1)}, Fraction(2)) for _ in [0])
    assert not any(constraint_holds(rows, "a", beta, Fraction(199, 100)) for beta in grid("bc", 20))


@pytest.mark.claims
def test_the_right_side_of_2_jumps(examined: dict[str, Check]) -> None:
    rows = rows_of(evidence_of(examined["nfc-steps"], "(2) is continuous")["mechanism"])
    values = [
        rows["a"][0] ** m * rows["a"][1] ** n / max(rows[x][0] ** m * rows[x][1] ** n for x in "bc")
        for m, n in [(1, 0), (1, 1), (1, 30), (0, 1)]
    ]
    assert values == [1, 1, 1, HALF]
    for k in range(1, 4):  # the mechanism composes at log 2
        assert joint_ratio({"a": Fraction(1)}, {"b": HALF, "c": HALF}, [rows] * k) <= 2**k
        assert joint_ratio({"b": HALF, "c": HALF}, {"a": Fraction(1)}, [rows] * k) <= 2**k


def test_norms_approach_the_largest_item_that_has_weight() -> None:
    weights, items = (
        [Fraction(1, 4), Fraction(3, 4), Fraction(0)],
        [Fraction(2, 3), Fraction(1, 2), Fraction(1)],
    )
    for p in (10, 100, 1000):
        norm = sum(w * x**p for w, x in zip(weights, items))
        assert Fraction(1, 4) * Fraction(2, 3) ** p <= norm <= Fraction(2, 3) ** p


def test_couplings_compose_exactly() -> None:
    rng, seen = random.Random(4), 0
    for _ in range(200):
        mu, _, rows = _instance(rng, zeros=True)
        kernel = {x: rng.choice(list(grid("bc", 4))) for x in mu}
        nu = {z: sum(p * kernel[x][z] for x, p in mu.items()) for z in "bc"}
        ratio = Fraction(rng.randint(2, 10), 2)
        if all(constraint_holds(rows, x, kernel[x], ratio) for x in mu):
            seen += 1
            for k in (1, 2, 3):
                found = joint_ratio(mu, nu, [rows] * k)
                assert found is not None
                assert found <= ratio**k
    assert seen > 20


def test_couplings_compose_different_mechanisms_and_survive_processing() -> None:
    """Each mechanism has a level of its own, the product of which bounds the joint release; so
    after processing.
    """
    rng, seen = random.Random(5), 0
    for _ in range(400):
        mu, _, first = _instance(rng, zeros=True)
        second = _instance(rng, zeros=True)[2]
        kernel = {x: rng.choice(list(grid("bc", 4))) for x in mu}
        nu = {z: sum(p * kernel[x][z] for x, p in mu.items()) for z in "bc"}
        levels = [Fraction(rng.randint(2, 10), 2) for _ in "12"]
        if all(
            constraint_holds(rows, x, kernel[x], level)
            for rows, level in zip((first, second), levels)
            for x in mu
        ):
            seen += 1
            merged = {x: [row[0] + row[1] / 2, row[1] / 2 + row[2]] for x, row in second.items()}
            for releases, bound in [
                ([first, second], levels[0] * levels[1]),
                ([first, merged, second], levels[0] * levels[1] ** 2),
            ]:
                found = joint_ratio(mu, nu, releases)
                assert found is not None
                assert found <= bound
    assert seen > 15


def _exponent(above: Fraction, below: Fraction) -> Fraction | None:
    """log_2(above / below) for powers of two, None for infinity."""
    if not below:
        return None
    ratio = above / below
    return Fraction(ratio.numerator.bit_length() - ratio.denominator.bit_length())


def test_programs_with_zero_likelihoods_have_equal_optimal_values() -> None:
    """Suprema over a grid of positive alpha, infima over a grid of beta: never crossing, and
    near each other.
    """
    rng, seen, steps = random.Random(6), 0, 60
    for _ in range(60):
        given = [Fraction(1, 2 ** rng.randint(0, 3)) for _ in "uv"]
        others = [
            [rng.choice([Fraction(0), *(Fraction(1, 2**n) for n in range(4))]) for _ in "uv"]
            for _ in "bc"
        ]
        game = [[_exponent(p, q) for p, q in zip(given, row)] for row in others]

        def value(alpha: tuple[Fraction, Fraction], row: list[Fraction | None]) -> Fraction | None:
            used = [(a, g) for a, g in zip(alpha, row) if a]
            return (
                None
                if any(g is None for _, g in used)
                else sum((a * g for a, g in used), Fraction(0))
            )

        primal: list[Fraction | None] = []
        for t in range(
            1, steps
        ):  # both outputs have weight: the supremum is reached or approached there
            values = [value((Fraction(t, steps), 1 - Fraction(t, steps)), row) for row in game]
            primal.append(min((v for v in values if v is not None), default=None))
        dual = []
        for beta in grid("bc", steps):
            weights = list(beta.values())
            columns = [[(b, row[i]) for b, row in zip(weights, game) if b] for i in (0, 1)]
            if all(g is not None for column in columns for _, g in column):
                dual.append(max(sum(b * g for b, g in column) for column in columns))
        assert (None in primal) == (not dual)  # infinite together
        if dual:
            seen += 1
            best = max(v for v in primal if v is not None)
            assert best <= min(dual) <= best + Fraction(1, 4)
    assert seen > 30


def test_per_entry_differential_privacy_with_a_curve_composes_linearly() -> None:
    """Tables of two binary cells with a correlated prior; randomised response on both cells, at
    two levels.
    """
    tables = ["".join(cells) for cells in product("01", repeat=2)]
    prior = {x: Fraction(4, 10) if x[0] == x[1] else Fraction(1, 10) for x in tables}
    mu, nu = ({x: p * 2 for x, p in prior.items() if x[0] == value} for value in "01")
    influence = {
        0: None,
        1: Fraction(4),
        2: Fraction(1),
    }  # e^a*(b): hiding only x1 shows x2, whose ratio is 4
    for bits in (mu, nu):
        assert sum(bits.values()) == 1
    assert max(mu["00"] / nu["10"], mu["01"] / nu["11"], nu["11"] / mu["01"]) == influence[1]
    levels = [Fraction(2), Fraction(3)]
    releases = [
        {
            x: [prod((level if x[i] == y[i] else 1) / (level + 1) for i in (0, 1)) for y in tables]
            for x in tables
        }
        for level in levels
    ]
    for b in (
        1,
        2,
    ):  # one point for both mechanisms: e^epsilon_l = A Q_l^b, joint level A (Q_1 Q_2)^b
        bound = influence[b] * (levels[0] * levels[1]) ** b
        for first, second in [(mu, nu), (nu, mu)]:
            assert joint_ratio(first, second, releases) <= bound
            assert all(
                joint_ratio(first, second, [rows]) <= influence[b] * level**b
                for rows, level in zip(releases, levels)
            )
