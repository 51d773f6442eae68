"""NfC constraints under post-processing, from the definitions, with random channels."""

import random
from fractions import Fraction
from itertools import product

import pytest
from tests.brute.nfc import constraint_holds, joint_ratio, law, rows_of
from tests.claims.examination import evidence, examined

pytestmark = pytest.mark.claims
HALF = Fraction(1, 2)
EVEN = {"b": HALF, "c": HALF}


def processed(rows, kernel):
    """P(z | x) = sum_w K(z | w) P(w | x)."""
    columns = list(zip(*kernel))
    return {x: [sum(p * k for p, k in zip(row, z)) for z in columns] for x, row in rows.items()}


def channels(rng: random.Random, outputs: int):
    """Every deterministic merging into two outputs, then random channels, some with zeros."""
    for choice in product((0, 1), repeat=outputs):
        yield [[Fraction(z == chosen) for z in (0, 1)] for chosen in choice]
    for _ in range(6):
        shares = [Fraction(rng.randint(0, 6), 6) for _ in range(outputs)]
        yield [[share, 1 - share] for share in shares]


def test_the_counterexample_to_the_converse_is_a_set_the_theorem_speaks_of():
    for reading in examined("bai2026.ppi-onlyif").readings:
        found = reading.evidence
        beta, ratio = found["weights"], found["e^epsilon"]
        assert sum(weight > 0 for weight in beta.values()) == 2
        assert sum(beta.values()) == 1
        for does, word in ((True, "satisfies"), (False, "violates")):
            rows = rows_of(found[f"a mechanism that {word} it"])
            assert constraint_holds(rows, "a", beta, ratio) is does


def test_step_3_fails_on_the_printed_construction():
    found = evidence("bai2026.ppi-steps", "(3)")
    rows, kernel = rows_of(found["mechanism of step 2"]), rows_of(found["processing"])
    for w in (0, 2):  # tight
        assert rows["a"][w] ** 2 == 4 * rows["b"][w] * rows["c"][w]
    assert constraint_holds(rows, "a", EVEN, Fraction(2))
    assert all(rows[x][0] + rows[x][1] == rows[x][2] + rows[x][3] == HALF for x in "abc")
    r = min(rows["a"][0], rows["a"][2])
    assert [rows["a"][w] * kernel[str(w)][1] for w in (0, 2)] == [r, r]
    assert kernel["1"][1] == kernel["3"][1] == 0
    new = processed(rows, [kernel[w] for w in "0123"])
    assert new["a"][1] ** 2 < 4 * new["b"][1] * new["c"][1]
    x, y = ([rows[d][w] / rows["a"][w] for d in "abc"] for w in (0, 2))
    left = (x[0] + y[0]) ** 2 / ((x[1] + y[1]) * (x[2] + y[2]))
    squared = (4 * x[0] * y[0]) ** 2 / (16 * x[1] * x[2] * y[1] * y[2])  # e^(4 right side of (3))
    assert left == found["e^(2 left side of (3))"] < 4
    assert squared == 16


def test_step_2_fails_at_epsilon_0_for_every_constant():
    found = evidence("bai2026.ppi-steps", "step 2, epsilon = 0")
    a, b, c = found["output 0"]
    assert a * a == b * c
    for scale in (1, 2, 10, 10**6):
        assert (HALF - a / scale) ** 2 > (HALF - b / scale) * (HALF - c / scale)


@pytest.mark.parametrize("name", ["for each D, at the", "for at least", "for each D, at some"])
def test_families_compose_survive_processing_and_break_the_inequalities(name):
    found = evidence("bai2026.ppi-implication", name)
    rows, ratio = rows_of(found["mechanism"]), found["e^epsilon"]
    mu, nu = law(found["framework"], "s"), law(found["framework"], "t")
    rng = random.Random(3)
    members = [rows, *(processed(rows, kernel) for kernel in channels(rng, len(rows["a"])))]
    for member in members:
        for x, beta in found["weights"].items():
            assert constraint_holds(member, x, beta, ratio)
    for releases in [[rows], [rows, rows], [rows, members[3], rows], [members[-1], rows]]:
        for one, other in ((mu, nu), (nu, mu)):
            assert joint_ratio(one, other, releases) <= ratio ** len(releases)
    level = Fraction(100) if "some" in name else ratio
    pairs = [(found["D"], z) for z in nu] if "D" in found else [*product(mu, nu), *product(nu, mu)]
    assert all(any(p > level * q for p, q in zip(rows[x], rows[z])) for x, z in pairs)
