"""The accountant of correlated data: never below the exact joint leakage, and what it spends."""

from fractions import Fraction
from random import Random

import pytest
from tests import seeds
from tests.verify.noise.sequences import sequence_noise_leakage

from pufferproof.models.errors import ModelError
from pufferproof.models.framework import Framework
from pufferproof.models.noise.additive import Noise
from pufferproof.models.noise.records import RecordQuery, lipschitz_of_records
from pufferproof.models.numbers.level import Level
from pufferproof.models.priors.markov import MarkovChain
from pufferproof.models.priors.records import Records
from pufferproof.models.priors.tables import Product
from pufferproof.verify.noise.accounts.accountant import quilt_account

STICKY = MarkovChain("stationary", [["3/4", "1/4"], ["1/4", "3/4"]])


def framework_on(records, record, chain=STICKY):
    left, right = records.alphabet[:2]
    return Framework.of_records(records, {"s": (record, left), "t": (record, right)}, [("s", "t")], {"theta": chain})


def random_chain(random, size):
    rows = []
    for _ in range(size + 1):
        weights = [random.randint(0 if random.random() < 0.2 else 1, 5) for _ in range(size)]
        weights[random.randrange(size)] += 1
        rows.append([Fraction(weight, sum(weights)) for weight in weights])
    return MarkovChain(rows[0], rows[1:])


@seeds(30)
def test_never_below_the_exact_joint_leakage(seed):
    random = Random(seed)
    records = Records(random.randint(1, 9), random.choice([("0", "1"), ("0", "2", "-1")]))
    record = random.randint(1, records.count)
    framework = framework_on(records, record, random_chain(random, len(records.alphabet)))
    releases = []
    for _ in range(random.randint(1, 2)):
        first = random.randint(1, records.count)
        noise = random.choice([Noise.laplace(random.randint(1, 5)), Noise.laplace("3/log(2)"), Noise.geometric("2/3")])
        releases.append(RecordQuery("sum", noise, records, (first, random.randint(first, records.count))))
    accounts = quilt_account(framework, releases)
    if not accounts:
        return
    found = sequence_noise_leakage(framework, *releases) if _both_possible(framework) else None
    assert found is None or found.leakage.lower <= accounts[0].bound.upper


def _both_possible(framework):
    try:
        sequence_noise_leakage(framework, RecordQuery("sum", Noise.laplace(1), framework.records))
    except ModelError:
        return False
    return True


def test_one_record_and_no_neighbours():
    """Independent records: the quilt next to X_i is free, and one record is spent per release."""
    records = Records(9, ("0", "1"))
    even = MarkovChain("stationary", [["1/2", "1/2"], ["1/2", "1/2"]])
    releases = [RecordQuery("sum", Noise.laplace(2), records), RecordQuery("sum", Noise.laplace(4), records)]
    (account,) = quilt_account(framework_on(records, 5, even), releases)
    assert (account.left, account.right) == (1, 1)
    assert account.influence.ratio == 1
    exact = sequence_noise_leakage(framework_on(records, 5, even), *releases)
    assert exact.compare(Level.of_nats("3/4".replace("3/4", "0.75"))) <= 0
    assert account.bound.lower < Fraction("2.1170000166126746686") < account.bound.upper + Fraction(1, 10**18)


def test_segments_out_of_reach_cost_little():
    records = Records(200, ("0", "1"))
    far = RecordQuery("sum", Noise.laplace(1), records, (1, 60))
    (account,) = quilt_account(framework_on(records, 150), [far])
    assert account.spent.ratio == 1
    assert account.bound.upper < 1 + Fraction(1, 10**12)
    whole = RecordQuery("sum", Noise.laplace(1), records)
    assert quilt_account(framework_on(records, 150), [whole])[0].bound.lower > 2


def test_the_trivial_quilt_is_there_when_nothing_else_helps():
    """Copies of one bit: any neighbour reveals it, so that only the whole chain as nearby set
    is finite.
    """
    records = Records(5, ("0", "1"))
    copies = MarkovChain(["1/2", "1/2"], [["1", "0"], ["0", "1"]])
    (account,) = quilt_account(framework_on(records, 3, copies), [RecordQuery("sum", Noise.laplace(10), records)])
    assert (account.left, account.right, account.quilt) == (None, None, "{}")
    assert account.bound.lower <= Fraction("1.6487212707001281468") + Fraction(1, 10**15)


def test_how_much_one_record_changes_a_query():
    records = Records(4, ("0", "2", "-1"))
    assert lipschitz_of_records(RecordQuery("sum", Noise.laplace(1), records)) == 3
    assert lipschitz_of_records(RecordQuery("mean", Noise.laplace(1), records, (1, 2))) == Fraction(3, 2)
    assert lipschitz_of_records(RecordQuery("histogram", Noise.laplace(1), records)) == 2
    assert lipschitz_of_records(RecordQuery("histogram", Noise.laplace(1), Records(4, ("x",)))) == 0


@pytest.mark.parametrize("count", [1, 2, 4])
def test_independent_records_spend_themselves_only(count):
    """With rational costs, a geometric noise of ratio 2/3 per release: the bound is 3/2, and is
    the exact leakage.
    """
    records = Records(count, ("0", "1"))
    secrets = {"s": (1, "0"), "t": (1, "1"), "sure": (count, "0")}
    framework = Framework.of_records(records, secrets, [("s", "t")], {"theta": Product([["1/2", "1/2"]] * count)})
    release = RecordQuery("sum", Noise.geometric("2/3"), records, (1, 1))
    last = RecordQuery("sum", Noise.geometric("1/7"), records, (count, count))
    assert all(each.influence.ratio == 1 for each in quilt_account(framework, [release, last]))
    (own,) = (each for each in quilt_account(framework, [release]) if each.record == 1)
    assert own.bound.lower <= Fraction(3, 2) <= own.bound.upper
    assert (own.left, own.right) == (None, 1 if count > 1 else None)
    assert sequence_noise_leakage(framework, release).leakage.ratio == Fraction(3, 2)


def test_bad_input_is_refused():
    records = Records(4, ("0", "1"))
    framework = framework_on(records, 2)
    with pytest.raises(ModelError, match="found gaussian"):
        quilt_account(framework, [RecordQuery("sum", Noise.gaussian(1), records)])
    with pytest.raises(ModelError, match="found one of"):
        quilt_account(framework, [RecordQuery("sum", Noise.laplace(1), Records(5, ("0", "1")))])
