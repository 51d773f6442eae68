"""Certificates of laws that are irrational or listed in part: the kernel accepts a table that leaks
no more at the witness than the truth does.
"""

from fractions import Fraction

import pytest
from hypothesis import given
from tests import examples
from tests.verify.noise.ratio.shaped.test_partial import DATABASES, FRAMEWORK, LEVELS, ROWS, cut, whole

from pufferproof import Channel, Framework, Table, audit, compose
from pufferproof.models.errors import CertificateError
from pufferproof.models.noise.tables.partial import PartialTable
from pufferproof.models.noise.tables.powers import PowerTable
from pufferproof.verify.certificates.bounding import (
    bounded_event,
    bounding_certificate,
    bounding_table,
    is_bounded,
    joint_bounding_certificate,
)
from pufferproof.verify.certificates.writing import Inputs, certified_text


def accepted(answer, true: Channel) -> None:
    """The kernel accepts the certificate, and the table is on the sides of the truth that count."""
    certificate = bounding_certificate(answer, Inputs())
    assert certified_text(certificate)
    table, (first, second) = bounding_table(answer), bounded_event(answer).pair
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


def kept(answer, true: Channel) -> None:
    """The kernel accepts the certificate, whose bounds hold the truth; a tie of what is left is
    refused by name.
    """
    tied = answer.delta is not None and answer.delta.bounds()[1] == answer.delta_bound
    if isinstance(answer.mechanism, PartialTable) and tied:
        return
    assert certified_text(bounding_certificate(answer, Inputs()))
    bounds = bounding_table(answer)
    for label, row in bounds.rows.items():
        listed = zip(bounds.outputs, row)
        inside = {w: ends for w, ends in listed if w in true.outputs}
        assert all(low <= true.probability(label, w) <= high for w, (low, high) in inside.items())
        if isinstance(answer.mechanism, PowerTable):
            assert all(low == high for low, high in row)


@given(ROWS, LEVELS)
@examples(60)
def test_what_is_decided_is_certified_and_nothing_else(rows, level):
    true = whole(rows)
    for table in (cut(rows), PowerTable.of_channel(true)):
        for bound in (None, Fraction(1, 10), Fraction(0)):
            answer = audit(FRAMEWORK, table, level, bound)
            if answer.verdict.value == "VIOLATES":
                accepted(answer, true)
            elif answer.verdict.value == "SATISFIES":
                kept(answer, true)
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
    table, (first, second) = bounding_table(answer), bounded_event(answer).pair
    assert table.outputs == ("number at some values", "other outputs")
    # the event is y < c or y > c, c where the ratio is e^(3/2): 3/4 from the middle
    near, far = 0.0, 0.0
    for secret in (first, second):
        (share,) = {table.probability(DATABASES[x], table.outputs[0]) for x in FRAMEWORK.secrets[secret]}
        near, far = far, float(share)
    assert near == pytest.approx(0.75 * (1 - 0.5 * 2.718281828459045**-0.75), abs=1e-9)
    assert far == pytest.approx(0.75 * 0.5 * 2.718281828459045**-2.25, abs=1e-9)


def noisy(database, rng):
    """Whether the records with noise exceed 1: the ratio is e^1 where both are below, or above."""
    return sum(map(int, database)) + rng.laplace() > 1


FIRST = Framework(DATABASES, {"s": ["00"], "t": ["01"]}, [("s", "t")], {"p": Table({"00": "1/2", "01": "1/2"})})

TWO = Inputs(None, (None, None))


@pytest.mark.parametrize("bound", [None, "1/5"])
def test_a_kept_level_of_an_irrational_law_is_certified(bound):
    answer = audit(FRAMEWORK, noisy, "3/2", bound)
    assert answer.verdict.value == "SATISFIES"
    assert is_bounded(answer)
    certificate = bounding_certificate(answer, Inputs())
    assert certified_text(certificate)
    certificate["claim"]["level"] = {"nats": "0.1"}  # which it does not keep
    with pytest.raises(CertificateError, match="exceeded"):
        certified_text(certificate)


def test_a_level_that_is_reached_exactly_is_refused_by_name_and_a_larger_one_is_not():
    answer = audit(FIRST, noisy, "1")  # P(Z > 1) = 1/2e, P(1 + Z > 1) = 1/2
    assert answer.verdict.value == "SATISFIES"
    with pytest.raises(CertificateError, match=r"reach the level exactly.*--epsilon 1\.\d+") as told:
        bounding_certificate(answer, Inputs())
    larger = str(told.value).rpartition("--epsilon ")[2].rstrip(")")
    assert 1 < float(larger) < 1.00001
    assert bounding_certificate(audit(FIRST, noisy, larger), Inputs())
    certificate = bounding_certificate(audit(FIRST, noisy), Inputs())  # of the leakage
    assert 1 < Fraction(certificate["claim"]["level"]["nats"]) < Fraction("1.00001")


def test_releases_with_irrational_laws_are_certified_together():
    first = ("00", "01")
    coin = Channel.of({x: {x[1]: "2/3", "?": "1/3"} for x in first})
    fair = Channel.of({x: {"h": "1/2", "t": "1/2"} for x in first})
    certificate, bounds = joint_bounding_certificate(compose(FIRST, [noisy, fair], 2), TWO)
    assert certified_text(certificate)
    assert certificate["claim"]["releases"] == [0, 0, 1, 1]
    assert 2 < Fraction(certificate["claim"]["level"]["nats"]) < Fraction("2.00001")
    assert [low == high for low, high in bounds[1].rows["00"]] == [True, True]
    with pytest.raises(CertificateError, match="infinite"):
        joint_bounding_certificate(compose(FIRST, [noisy, coin]), TWO)
