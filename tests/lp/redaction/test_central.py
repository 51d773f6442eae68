"""Central optima against the programs over all mechanisms, known forms, and chains of every
sign.
"""

from fractions import Fraction
from itertools import product

import pytest
from tests.brute.redaction import likelihoods, sequence_law

from pufferproof.lp.exact.linear import Program, Row
from pufferproof.lp.exact.program import solve_exact
from pufferproof.lp.redaction import central as pairing_simplex
from pufferproof.lp.redaction.central import MOST_RECORDS, Pairing, central_optimum, solve_pairing
from pufferproof.models.errors import ModelError, SolverError
from pufferproof.models.framework import Framework
from pufferproof.models.numbers.level import Level
from pufferproof.models.sequences.binary import BinaryChain
from pufferproof.verify.audit import audit

CHAINS = {
    "positive": ("1/4", "1/2"),
    "strong": ("1/100", "1/2"),
    "zero": ("1/3", "2/3"),
    "negative": ("2/3", "3/4"),
    "tie": ("1/5", "1/5"),
    "swapped": ("1/2", "1/20"),
}
LEVELS = ["0", "log(11/10)", "log(3/2)", "log(2)", "log(7)"]


def best_by_definition(chain, private, ratio, outputs):
    """The program over P(y | x) for all outputs that `outputs` allows for x, from Definitions 1
    and 2.
    """
    law = sequence_law(chain)
    mass = [sum(weight for x, weight in law.items() if x[private - 1] == z) for z in (0, 1)]
    columns = [(x, y) for x in law for y in outputs(x)]
    rows = {x: Row({j: 1 for j, (other, _) in enumerate(columns) if other == x}, "=", 1) for x in law}
    forms = {}
    for j, (x, y) in enumerate(columns):
        forms.setdefault(y, ({}, {}))[x[private - 1]][j] = law[x] / mass[x[private - 1]]
    limits = [
        Row({**over, **{j: -ratio * value for j, value in under.items()}}, "<=", 0)
        for zero, one in forms.values()
        for over, under in ((zero, one), (one, zero))
        if over
    ]
    gains = {
        j: law[x] * Fraction(sum(str(a) == b for a, b in zip(x, y)), chain.length) for j, (x, y) in enumerate(columns)
    }
    return solve_exact(Program(gains, [*rows.values(), *limits], len(columns))).value


def redactions(x):
    return ["".join(y) for y in product(*((str(value), "*") for value in x))]


@pytest.mark.parametrize("sign", CHAINS)
def test_optima_are_those_of_the_programs_over_all_mechanisms(sign):
    for n in (1, 2, 3):
        chain = BinaryChain(*CHAINS[sign], n)
        for private, epsilon in product(range(1, n + 1), LEVELS):
            level = Level.parse(epsilon)
            central = central_optimum(chain, private, level)
            assert central.lower == central.upper == best_by_definition(chain, private, level.ratio, redactions)


@pytest.mark.parametrize("sign", CHAINS)
def test_mechanisms_reach_the_optimum_and_keep_the_level(sign):
    for n, epsilon in ((1, "1"), (2, "0.4"), (4, "log(3/2)"), (3, "0"), (3, "0.3"), (3, "40")):
        chain, level = BinaryChain(*CHAINS[sign], n), Level.parse(epsilon)
        for private in {1, (n + 1) // 2}:
            found = central_optimum(chain, private, level)
            audited = audit(Framework.of_binary(chain, private), found.channel, level)
            assert audited.verdict.value == "SATISFIES"
            assert audited.leakage.ratio == found.leakage.ratio
            assert found.utility == found.lower <= found.upper
            assert found.upper - found.lower <= Fraction(1, 10**9) * found.lower
            assert found.lower == found.upper or level.ratio is None
            for x in found.channel.databases:
                for y in found.channel.outputs:
                    if found.channel.probability(x, y):
                        assert all(symbol in ("*", value) for value, symbol in zip(x, y))
                        assert y[private - 1] == "*"


@pytest.mark.parametrize("sign", CHAINS)
def test_prices_prove_the_optimum(sign):
    chain, ratio = BinaryChain(*CHAINS[sign], 5), Fraction(5, 4)
    for private in (1, 3):
        found = central_optimum(chain, private, Level.log(ratio))
        m, law = chain.law(private), sequence_law(chain)
        assert found.solution.proves(found.program)
        total = Fraction(0)
        for x, price in found.prices.items():
            total += law[tuple(map(int, x))] / m[int(x[private - 1])] * price
        assert total == found.upper
        for x, y in product(found.prices, repeat=2):
            if x[private - 1] == "0" and y[private - 1] == "1":
                agree = sum(map(str.__eq__, x, y))
                assert ratio * found.prices[x] + found.prices[y] >= (m[0] * ratio + m[1]) * Fraction(agree, 5)
                assert found.prices[x] + ratio * found.prices[y] >= (m[0] + m[1] * ratio) * Fraction(agree, 5)


@pytest.mark.parametrize("sign", CHAINS)
def test_optimum_without_leakage_has_a_closed_form(sign):
    for n in range(1, 6):
        chain = BinaryChain(*CHAINS[sign], n)
        for private in range(1, n + 1):
            wanted = sum(1 - abs(chain.eigenvalue) ** abs(t - private) for t in range(1, n + 1)) / n
            found = central_optimum(chain, private, Level.parse("0"))
            assert found.lower == found.upper == wanted
            assert found.leakage.ratio == 1


def test_full_release_starts_exactly_at_the_influence_of_the_neighbours():
    chain = BinaryChain("1/4", "1/2", 4)
    most = max(
        max(pair) / min(pair)
        for y, pair in likelihoods_of_all_but(chain, 2).items()
        if y[1] == "*" and "*" not in y[2:]
    )
    at, below = (central_optimum(chain, 2, Level.log(ratio)) for ratio in (most, most - Fraction(1, 10**6)))
    assert at.lower == Fraction(3, 4)
    assert below.upper < Fraction(3, 4)
    assert at.leakage.ratio == most


def likelihoods_of_all_but(chain, private):
    from pufferproof.models.sequences.redaction import LocalRedaction

    others = [t for t in range(1, chain.length + 1) if t != private]
    found = likelihoods(chain, LocalRedaction.releasing(others, chain.length), private)
    return {y: pair for y, pair in found.items() if any(pair)}


def test_any_law_of_the_first_record():
    chain = BinaryChain("1/4", "1/2", 3, ["1/10", "9/10"])
    found = central_optimum(chain, 2, Level.log(2))
    assert found.upper == best_by_definition(chain, 2, 2, redactions)
    assert audit(Framework.of_binary(chain, 2), found.channel).leakage.ratio == found.leakage.ratio
    fixed = BinaryChain("1/4", "1/2", 3, [1, 0])
    found = central_optimum(fixed, 2, Level.log(2))
    assert found.utility == found.upper
    assert audit(Framework.of_binary(fixed, 2), found.channel).leakage.ratio == found.leakage.ratio
    with pytest.raises(ModelError, match="nothing to check"):
        central_optimum(fixed, 1, Level.log(2))


def test_too_many_records():
    with pytest.raises(ModelError, match=f"expected at most {MOST_RECORDS} records"):
        central_optimum(BinaryChain("1/4", "1/2", MOST_RECORDS + 1), 1, Level.log(2))
    with pytest.raises(ModelError, match="expected a record from 1 to 2"):
        central_optimum(BinaryChain("1/4", "1/2", 2), 3, Level.log(2))


def test_pairing_from_any_start_has_the_same_value():
    chain = BinaryChain("1/7", "2/5", 4)
    pairing = central_optimum(chain, 2, Level.log("4/3")).above.pairing
    best = solve_pairing(pairing)
    for start in ([0], [-1 - row for row in range(2 * pairing.size)], list(range(2 * pairing.size))):
        assert solve_pairing(pairing, start).value == best.value
    assert solve_pairing(pairing, best.basis).basis == best.basis
    with pytest.raises(SolverError, match="same sum"):
        solve_pairing(Pairing(pairing.zero, tuple(2 * x for x in pairing.one), pairing.gains, pairing.ratio))


@pytest.mark.parametrize("ratio", ["1", "4/3", "7"])
def test_the_first_variable_that_improves_leads_to_the_same_optimum(monkeypatch, ratio):
    chain = BinaryChain("1/7", "2/5", 4)
    pairing = central_optimum(chain, 2, Level.log(ratio)).above.pairing
    best = solve_pairing(pairing)
    monkeypatch.setattr(pairing_simplex, "_PATIENCE", -1)
    found = solve_pairing(pairing, [-1 - row for row in range(2 * pairing.size)])
    assert found.value == best.value
    assert found.solution.proves(pairing.program)


def test_without_floats_the_optimum_is_the_same(monkeypatch):
    pairing = central_optimum(BinaryChain("1/7", "2/5", 4), 3, Level.log("4/3")).above.pairing
    best = solve_pairing(pairing)
    monkeypatch.setattr(pairing_simplex._Simplex, "_guess", lambda self, prices: None)
    assert solve_pairing(pairing, [0]).value == best.value
