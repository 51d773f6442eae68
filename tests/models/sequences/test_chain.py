"""Powers, marginals and kernels of Markov chains in three arithmetics, and what transition
matrices are.
"""

from fractions import Fraction
from random import Random

import pytest
from tests.brute import influence as brute

from pufferproof.models.errors import ModelError
from pufferproof.models.priors.markov import (
    MarkovChain,
    expect_structure,
    is_irreducible,
    is_reversible,
    period,
    stationary_law,
    time_reversal,
)
from pufferproof.models.sequences.arithmetic import relative_error
from pufferproof.models.sequences.binary import BinaryChain
from pufferproof.models.sequences.chain import MAX_LENGTH, Along


def rows(text):
    return [[Fraction(entry) for entry in row.split()] for row in text.split(",")]


def random_row(random, size, entries=(0, 0, 1, 1, 2, 5)):
    while True:
        row = [random.choice(entries) for _ in range(size)]
        if sum(row):
            return [Fraction(entry, sum(row)) for entry in row]


def random_chain(random, sizes=(1, 2, 2, 3, 3), entries=(0, 0, 1, 1, 2, 5)):
    size = random.choice(sizes)
    return random_row(random, size, entries), [random_row(random, size, entries) for _ in range(size)]


LAZY = rows("3/4 1/4, 1/2 1/2")
CYCLE = rows("0 1 0, 0 0 1, 1 0 0")
ABSORBING = rows("1 0, 1/3 2/3")
CIRCULATING = rows("1/3 2/3 0, 0 1/3 2/3, 2/3 0 1/3")


def test_laws_and_kernels_agree_with_enumeration():
    random = Random(3)
    for _ in range(40):
        start, transition = random_chain(random)
        laws, law = (Along(MarkovChain(start, transition), 4), brute.sequence_law(start, transition, 4))
        for record in range(1, 5):
            for other in range(1, 5):
                kernel = brute.conditional(law, record, [other])
                assert laws.possible(record) == sorted(kernel)
                table = laws.power(other - record) if other >= record else laws.backward(record, record - other)
                for v, row in kernel.items():
                    assert list(table[v]) == [row.get((x,), 0) for x in range(len(start))]


def test_enclosures_and_floats_hold_the_exact_numbers():
    random = Random(4)
    for _ in range(20):
        start, transition = random_chain(random)
        chain = MarkovChain(start, transition)
        exact, enclosed, floats = (Along(chain, 50, name) for name in ("exact", "enclosed", "float"))
        for distance in (0, 1, 2, 7, 40):
            error = relative_error(floats.roundings(distance))
            for true, bounds, near in zip(exact.power(distance), enclosed.power(distance), floats.power(distance)):
                assert all(
                    low <= value <= high and (high == 0) == (value == 0) for value, (low, high) in zip(true, bounds)
                )
                assert all(abs(Fraction(float(x)) - value) <= error * value for value, x in zip(true, near))
        for true, (low, high) in zip(exact.law(33), enclosed.law(33)):
            assert low <= true <= high
        for v, row in exact.backward(9, 4).items():
            assert all(low <= value <= high for value, (low, high) in zip(row, enclosed.backward(9, 4)[v]))


def test_roundings_of_a_power_do_not_depend_on_the_way_it_is_multiplied():
    chain, size = MarkovChain("stationary", LAZY), 2
    by_steps = Along(chain, 200, "float")
    for distance in range(1, 101):
        by_steps.power(distance)
    assert by_steps.roundings(100) == Along(chain, 200, "float").roundings(100) == 100 + 99 * size


def test_powers_of_two_states_have_their_closed_form():
    chain = BinaryChain("1/10", "1/5", 100)
    laws = Along(chain.prior(), 100)
    assert laws.power(37) == chain.power(37)
    assert laws.law(80) == chain.stationary_law


def test_a_million_records():
    chain = MarkovChain(["1", "0", "0"], rows("9/10 1/10 0, 0 1/2 1/2, 1/7 0 6/7"))
    enclosed = Along(chain, MAX_LENGTH, "enclosed")
    for (low, high), true in zip(enclosed.law(MAX_LENGTH), stationary_law(chain.transition)):
        assert low <= true <= high
        assert high - low < Fraction(1, 10**25)
    with pytest.raises(ModelError, match="too long"):
        Along(MarkovChain([1] + [0] * 39, _uniform(40)), 10**6, "exact").power(999_999)


def _uniform(size):
    return [[Fraction(1, size + 1)] * (size - 1) + [Fraction(2, size + 1)] for _ in range(size)]


def test_floats_refuse_to_underflow():
    tiny = rows(f"1/{2**400} {2**400 - 1}/{2**400}, 1/2 1/2")
    laws = Along(MarkovChain("stationary", tiny), 10, "float")
    assert laws.power(1)[0][0] == 2.0**-400
    with pytest.raises(ModelError, match="too small for floats"):
        Along(MarkovChain("stationary", rows(f"1/{2**501} {2**501 - 1}/{2**501}, 1 0")), 10, "float").power(2)


def test_stationary_is_decided_exactly():
    assert Along(MarkovChain(["2/3", "1/3"], LAZY), 5).stationary
    assert not Along(MarkovChain(["2/3", "1/3"], rows("3/4 1/4, 1/3 2/3")), 5).stationary


@pytest.mark.parametrize(
    ("initial", "transition", "length", "said"),
    [
        ("stationary", rows("1/2 1/3, 1/2 1/2"), 5, r"transition\[0\]: sums to 5/6"),
        ("stationary", [[Fraction(1)], [Fraction(1)]], 5, r"transition\[0\]: expected 2 entries, one per row, found 1"),
        (["1/2", "1/3"], LAZY, 5, "initial: sums to 5/6"),
        (["1"], LAZY, 5, "initial: expected 2 entries"),
        ("stationary", rows("1 0, 0 1"), 5, "one recurrent class"),
        ("stationary", LAZY, 0, "from 1 to 1000000 records, found 0"),
        ("stationary", LAZY, 10**7, "from 1 to 1000000 records"),
    ],
)
def test_what_is_no_chain_is_refused(initial, transition, length, said):
    with pytest.raises(ModelError, match=said):
        _ = Along(MarkovChain(initial, transition), length).initial


def test_stationary_law_of_many_states():
    random = Random(5)
    for size in (1, 2, 8, 9, 12):
        transition = [random_row(random, size, (1, 2, 5)) for _ in range(size)]
        law = stationary_law(transition)
        assert sum(law) == 1
        assert all(sum(law[x] * transition[x][y] for x in range(size)) == law[y] for y in range(size))
    with pytest.raises(ModelError, match="one recurrent class"):
        stationary_law([[Fraction(x == y) for y in range(10)] for x in range(10)])


def test_structure_of_guided_chains():
    assert [is_irreducible(chain) for chain in (LAZY, CYCLE, ABSORBING, CIRCULATING)] == [True, True, False, True]
    assert [period(chain) for chain in (LAZY, CYCLE, CIRCULATING)] == [1, 3, 1]
    assert period(rows("0 1 0 0, 1/2 0 1/2 0, 0 1/2 0 1/2, 0 0 1 0")) == 2
    assert [is_reversible(chain) for chain in (LAZY, CYCLE, CIRCULATING)] == [True, False, False]


def test_time_reversal_reads_the_stationary_chain_backwards():
    for chain in (LAZY, CIRCULATING, rows("1/2 1/4 1/4, 1/3 1/3 1/3, 0 1/5 4/5")):
        laws = Along(MarkovChain("stationary", chain), 5)
        assert [list(row) for row in time_reversal(chain)] == [list(laws.backward(3, 1)[v]) for v in range(len(chain))]
    assert time_reversal(LAZY) == tuple(map(tuple, LAZY))
    with pytest.raises(ModelError, match="probability 0 of state 1"):
        time_reversal(ABSORBING)


@pytest.mark.parametrize(
    ("chain", "needed", "said"),
    [
        (ABSORBING, (), "irreducible chain, but state 1 is never reached from 0"),
        (rows("1/2 1/2, 0 1"), (), "state 0 is never reached from 1"),
        (CYCLE, ("aperiodic",), "found period 3"),
        (CIRCULATING, ("aperiodic", "reversible"), r"reversible chain, but pi\(0\) P\(0, 1\) = 2/9 and .* = 0"),
    ],
)
def test_errors_name_what_fails(chain, needed, said):
    with pytest.raises(ModelError, match=said):
        expect_structure(chain, *needed)
