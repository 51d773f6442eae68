"""Certificates of laws that are irrational or listed in part: the kernel accepts a table that leaks
no more at the witness than the truth does.
"""

from fractions import Fraction

import pytest
from hypothesis import given
from tests import examples
from tests.verify.noise.ratio.shaped.test_partial import (
    DATABASES,
    FRAMEWORK,
    LEVELS,
    ROWS,
    cut,
    whole,
)

from pufferproof import Channel, audit
from pufferproof.models.errors import CertificateError
from pufferproof.models.noise.tables.powers import PowerTable
from pufferproof.verify.certificates.bounding import (
    bounding_certificate,
    bounding_pair,
    bounding_table,
)
from pufferproof.verify.certificates.writing import Inputs, certified_text


def accepted(answer, true: Channel) -> None:
    """The kernel accepts the certificate, and the table is on the sides of the truth that count."""
    certificate = bounding_certificate(answer, Inputs())
    assert certified_text(certificate)
    table, (first, second) = bounding_table(answer), bounding_pair(answer)
    events = certificate["claim"].get("outputs") or [certificate["claim"]["output"]]
    assert events == [table.outputs[0]]
    counted = answer.delta.outputs if answer.delta else (answer.witness.output,)
    if answer.delta and (answer.delta.prior, answer.delta.pair) != ("theta", (first, second)):
        return
    for secret, above in ((first, False), (second, True)):
        for index in FRAMEWORK.secrets[secret]:
            label = DATABASES[index]
            share = sum((true.probability(label, y) for y in counted), Fraction(0))
            bound = table.probability(label, table.outputs[0])
            assert bound >= share if above else bound <= share


@given(ROWS, LEVELS)
@examples(60)
def test_what_is_violated_is_certified_and_nothing_else(rows, level):
    true = whole(rows)
    for table in (cut(rows), PowerTable.of_channel(true)):
        for bound in (None, Fraction(1, 10), Fraction(0)):
            answer = audit(FRAMEWORK, table, level, bound)
            if answer.verdict.value == "VIOLATES":
                accepted(answer, true)
            else:
                with pytest.raises(CertificateError, match="only that a level"):
                    bounding_certificate(answer, Inputs())


def test_infinite_leakage_is_certified_without_a_level():
    rows = [[1, 0, 0, 1, 0], [1, 0, 0, 1, 0], [0, 1, 0, 1, 0], [0, 1, 0, 1, 0]]
    answer = audit(FRAMEWORK, PowerTable.of_channel(whole(rows)))
    certificate = bounding_certificate(answer, Inputs())
    assert certificate["claim"]["exceeds"] == "inf"
    assert certified_text(certificate)
    with pytest.raises(CertificateError, match="only that a level"):
        bounding_certificate(audit(FRAMEWORK, cut(rows[:2] * 2)), Inputs())


@pytest.mark.parametrize("bound", [None, "1/5"])
def test_numbers_that_are_drawn_are_certified_by_intervals(bound):
    def perhaps(database, rng):
        if rng.random() < 0.25:
            return None
        return 3 * int(database[0]) + rng.laplace()

    answer = audit(FRAMEWORK, perhaps, "3/2", bound)
    assert answer.verdict.value == "VIOLATES"
    certificate = bounding_certificate(answer, Inputs())
    assert certified_text(certificate)
    table, (first, second) = bounding_table(answer), bounding_pair(answer)
    assert table.outputs == ("number at some values", "other outputs")
    # the event is y < c or y > c, c where the ratio is e^(3/2): 3/4 from the middle
    near, far = 0.0, 0.0
    for secret in (first, second):
        (share,) = {
            table.probability(DATABASES[x], table.outputs[0]) for x in FRAMEWORK.secrets[secret]
        }
        near, far = far, float(share)
    assert near == pytest.approx(0.75 * (1 - 0.5 * 2.718281828459045**-0.75), abs=1e-9)
    assert far == pytest.approx(0.75 * 0.5 * 2.718281828459045**-2.25, abs=1e-9)
