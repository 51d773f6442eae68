"""The leakage about several private records together, against full enumeration."""

from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests import examples
from tests.brute.redaction import outputs_of, sequence_law

from pufferproof import ModelError
from pufferproof.models.sequences.binary import BinaryChain
from pufferproof.models.sequences.redaction import LocalRedaction
from pufferproof.verify.sequences.redaction.joint import joint_redaction_leakage
from pufferproof.verify.sequences.redaction.leakage import redaction_leakages

STEPS = st.sampled_from([Fraction(k, 10) for k in range(1, 10)])
PROBABILITIES = st.sampled_from([Fraction(k, 4) for k in (0, 0, 1, 2, 3, 4, 4)])


def joint_likelihoods(chain, mechanism, private):
    """P(Y = y | X_A = a) by output and values."""
    law = sequence_law(chain)
    picked = {values: tuple(values[p - 1] for p in private) for values in law}
    mass = {a: sum(law[v] for v in law if picked[v] == a) for a in product((0, 1), repeat=len(private))}
    whole = map("".join, product("01*", repeat=chain.length))
    found = {output: dict.fromkeys(mass, Fraction(0)) for output in whole}
    for values, weight in law.items():
        unit, outputs = outputs_of(mechanism, values)
        share = weight / mass[picked[values]] / unit
        for output, times in outputs:
            found[output][picked[values]] += share * times
    return found


def joint_ratio(table):
    best = Fraction(0)
    for likelihoods in table.values():
        least, most = min(likelihoods.values()), max(likelihoods.values())
        if most and not least:
            return None
        if most:
            best = max(best, most / least)
    return best


@given(
    st.integers(2, 5), STEPS, STEPS, st.sampled_from(["stationary", "stationary", ("1/3", "2/3"), (0, 1)]), st.data()
)
@examples(150)
def test_joint_leakage_is_that_of_full_enumeration(length, alpha, beta, initial, data):
    chain = BinaryChain(alpha, beta, length, initial)
    least = 2 if initial == (0, 1) else 1
    private = sorted(data.draw(st.sets(st.integers(least, length), min_size=1, max_size=3)))
    rows = [[data.draw(PROBABILITIES), data.draw(PROBABILITIES)] for _ in range(length)]
    if data.draw(st.integers(0, 9)):
        for record in private:
            rows[record - 1] = [1, 1]
    mechanism = LocalRedaction(rows)
    found, table = (joint_redaction_leakage(chain, mechanism, private), joint_likelihoods(chain, mechanism, private))
    assert found.leakage.ratio == joint_ratio(table)
    assert found.leakage.infinite == (joint_ratio(table) is None)
    above, below = table[found.output][found.likelier], table[found.output][found.other]
    assert above > 0
    assert found.likelier != found.other
    assert below == 0 if found.leakage.infinite else above / below == found.leakage.ratio


def test_a_release_of_a_private_record_is_infinite():
    found = joint_redaction_leakage(BinaryChain("1/4", "1/2", 3), LocalRedaction([[1, 1], [1, 1], [1, "1/2"]]), [1, 3])
    assert found.leakage.infinite
    assert (found.likelier, found.other, found.output) == ((0, 1), (0, 0), "**1")


@pytest.mark.parametrize(
    ("private", "message"),
    [
        ([1, 4], "private: expected a record from 1 to 3, found 4"),
        ([], "private: expected at least one record, found none"),
        ([1], "private: nothing to check: a value of record 1 has probability 0"),
    ],
)
def test_misuse_is_named(private, message):
    with pytest.raises(ModelError) as error:
        joint_redaction_leakage(BinaryChain("1/4", "1/2", 3, (1, 0)), LocalRedaction([[1, 1]] * 3), private)
    assert str(error.value) == message


def test_records_that_leak_log_2_each_leak_more_together():
    """massny2025, footnote 1, if read as protecting the private records jointly: log(2) each,
    log(11/3) together.
    """
    chain = BinaryChain("1/4", "1/2", 3)
    mechanism = LocalRedaction.releasing([2], 3)
    together = joint_redaction_leakage(chain, mechanism, [1, 3]).leakage.ratio
    apart = [answer.leakage.ratio for answer in redaction_leakages(chain, mechanism, [1, 3])]
    assert (together, apart) == (Fraction(11, 3), [2, 2])
