"""Normal laws that are not truncated: covariances by one pass are those of the matrix, and what is
no law is refused.
"""

import math
from fractions import Fraction
from random import Random

import numpy as np
import pytest
from tests import seeds

from pufferproof.models.errors import ModelError
from pufferproof.models.priors.continuous.network import normal_of_kernel
from pufferproof.models.priors.continuous.normal import Normal
from pufferproof.models.priors.continuous.points import PointFramework

PRIOR = Normal(coefficient="1/2", variance=1)


def drawn(random, count):
    return [Fraction(random.randint(-6, 6), random.randint(1, 4)) for _ in range(count)]


@seeds(60)
def test_one_pass_over_an_autoregression_is_the_sum_over_its_matrix(seed):
    random = Random(seed)
    count = random.randint(1, 7)
    rho, variance = Fraction(random.randint(-9, 9), 10), Fraction(random.randint(1, 9), 4)
    law = Normal(coefficient=rho, variance=variance)
    rows = [[variance * rho ** abs(j - k) for k in range(count)] for j in range(count)]
    written = Normal(0, rows)
    a, b, record = drawn(random, count), drawn(random, count), random.randint(1, count)
    for each in (law, written):
        assert each.with_record(a, record) == sum(w * row[record - 1] for w, row in zip(a, rows))
        assert each.between(a, b) == sum(a[j] * rows[j][k] * b[k] for j in range(count) for k in range(count))
        assert each.covariance_of(record, 1) == rows[record - 1][0]


@seeds(150)
def test_a_matrix_is_taken_exactly_where_it_is_positive_semidefinite(seed):
    random = Random(seed)
    count, rank = random.randint(1, 5), random.randint(1, 5)
    roots = [[random.randint(-3, 3) for _ in range(rank)] for _ in range(count)]
    gram = [[sum(x * y for x, y in zip(a, b)) for b in roots] for a in roots]
    Normal(0, gram)
    place, less = random.randrange(count), random.choice([0, 1, 5])
    gram[place][place] -= less
    least = np.linalg.eigvalsh(np.array(gram, dtype=float))[0]
    if least < -1e-6:
        with pytest.raises(ModelError, match="positive semidefinite"):
            Normal(0, gram)
    elif least > 1e-6:
        Normal(0, gram)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"covariance": [[1, 2], [3, 1]]}, "expected a symmetric matrix, found 3 and 2"),
        ({"covariance": [[1, 2]]}, "expected 1 entries, found 2"),
        ({"covariance": []}, "expected 1 to 200 rows, found 0"),
        ({"coefficient": 1, "variance": 1}, "expected a coefficient between -1 and 1, found 1"),
        ({"coefficient": "-5/4", "variance": 1}, "expected a coefficient between -1 and 1"),
        ({"coefficient": 0, "variance": 0}, "expected a variance above 0, found 0"),
        ({"coefficient": 0}, 'expected "coefficient" and "variance" together'),
        ({}, 'expected either "covariance" or "ar1"'),
    ],
)
def test_what_is_no_law_is_refused(arguments, said):
    with pytest.raises(ModelError) as error:
        Normal(**arguments)
    assert said in str(error.value)


@pytest.mark.parametrize(
    ("count", "secrets", "pairs", "priors", "said"),
    [
        (3, {"s": (4, 0)}, "disjoint", {"p": PRIOR}, "expected a record from 1 to 3, found 4"),
        (3, {"s": (1, 0), "t": (2, 0)}, [("s", "t")], {"p": PRIOR}, "found records 1 and 2"),
        (3, {"s": (1, 0), "t": (1, 0)}, [("s", "t")], {"p": PRIOR}, "two different values"),
        (3, {"s": (1, 0), "t": (1, 0)}, "disjoint", {"p": PRIOR}, "found none"),
        (3, {"s": (1, 0)}, [("s", "t")], {"p": PRIOR}, 'unknown secret "t"'),
        (0, {}, "disjoint", {"p": PRIOR}, "expected 1 to 100000 records"),
        (3, {}, "disjoint", {}, "expected at least one prior"),
        (3, {}, "disjoint", {"p": Normal([1, 2], coefficient=0, variance=1)}, "expected 3 numbers"),
        (3, {}, "disjoint", {"p": Normal(0, [[1]])}, "expected 3 rows"),
        (2, {"s": (1, 0), "t": (1, 1)}, "disjoint", {"p": Normal(0, [[0, 0], [0, 1]])}, "found variance 0 of record 1"),
    ],
)
def test_what_is_no_framework_is_refused(count, secrets, pairs, priors, said):
    with pytest.raises(ModelError) as error:
        PointFramework(count, secrets, pairs, priors)
    assert said in str(error.value)


def test_mixtures_are_refused():
    with pytest.raises(ModelError, match="a mixture of normal laws is not a normal law"):
        PointFramework(1, {"s": (1, 0), "t": (1, 1)}, "disjoint", {"p": PRIOR}, "convex")


@pytest.mark.parametrize("length", ["1/2", "2", "7"])
def test_kernels_by_name_are_their_exponentials(length):
    ell = float(Fraction(length))
    for count in (1, 2, 6):
        smooth = normal_of_kernel("squared_exponential", length, count)
        rough = normal_of_kernel("exponential", length, count)
        for j in range(1, count + 1):
            for k in range(1, count + 1):
                d = abs(j - k)
                expected = math.exp(-d * d / ell), math.exp(-d / ell)
                found = smooth.covariance_of(j, k), rough.covariance_of(j, k)
                assert [*map(float, found)] == pytest.approx(expected, rel=1e-12)


def test_records_that_decide_one_another_need_more_decimals_or_are_refused():
    law = normal_of_kernel("squared_exponential", 10**6, 16)
    assert len(str(law.covariance[0][1].denominator)) > 61
    with pytest.raises(ModelError, match="240 decimals tell the records apart"):
        normal_of_kernel("squared_exponential", 10**12, 30)
    with pytest.raises(ModelError, match="at most 60 records"):
        normal_of_kernel("squared_exponential", 1, 61)
    for kind in ("squared_exponential", "exponential"):
        with pytest.raises(ModelError, match="a length above 0"):
            normal_of_kernel(kind, 0, 2)
    assert normal_of_kernel("exponential", "1/1000", 10**5).coefficient == 0


def test_a_record_that_varies_with_others_and_not_alone_is_no_law():
    with pytest.raises(ModelError, match="record 1 has a negative variance"):
        Normal(0, [[0, 1], [1, 1]])
    Normal(0, [[0, 0], [0, 1]])
