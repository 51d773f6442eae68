"""What draws are: numbers of NumPy or of Python, zeros with a sign, elements of arrays. Laws agree
with samples of the same function under NumPy's generator.
"""

import math
from decimal import Decimal

import numpy as np
import pytest
from tests.verify.programs.sampled import plausibility

from pufferproof import as_mechanism
from pufferproof.verify.programs.law import ProgramError

KINDS = {}


def kind(program):
    KINDS[program.__name__] = program
    return program


# truths: `~`, `+`, `*`, `&` of numpy.bool are logical


@kind
def not_of_an_element(database, rng):
    n = rng.laplace(size=2)
    return "no" if ~(n[0] > 1) else "yes"


@kind
def not_of_a_known_probability(database, rng):
    p = np.exp(1.0) / (1 + np.exp(1.0))
    return "lie" if ~(rng.random() < p) else "truth"


@kind
def sums_of_truths(database, rng):
    n, x = rng.laplace(size=2), rng.random()
    both = (n[0] > 0) + (n[1] > 0), (n[0] > 0) * (n[1] > 0), (n[0] > 0) & (n[1] > 0)
    return [*map(int, both), int((x < 0.5) + (x < 0.75))]


@kind
def not_of_a_sum(database, rng):
    x = np.sum([int(bit) for bit in database]) + rng.laplace()
    return int(~(x > 1)), int(~(rng.laplace() > 1))


@kind
def not_of_lists_in_numpy(database, rng):
    total = np.sum([rng.laplace() for _ in database])
    first = np.array([rng.laplace() for _ in database])[0]
    return bool(~(total > 1)), bool(~(first > 1))


@kind
def text_of_truths(database, rng):
    n = np.array([1.0]) + rng.laplace(size=1)
    return repr(rng.random() < np.float64(0.5)), repr(rng.random() < 0.5), repr(n[0] > 0)


@kind
def as_python(database, rng):
    n = rng.laplace(size=3)
    truths = float(n[0]) > 0, n.tolist()[1] > 0, n[2].item() > 0
    return [int(truth) + ~truth for truth in truths]


@kind
def logical(database, rng):
    n = rng.laplace(size=2)
    return np.logical_and(n, n > 0).tolist(), bool(np.any(n)), np.logical_not(n).tolist()


@kind
def as_an_index(database, rng):
    letters, n = np.array(["a", "b"]), rng.laplace(size=1)
    listed = ["a", "b"][rng.random() < 0.5], "ab"[rng.integers(0, 2, dtype=bool)]
    return letters[rng.random() < 0.5].tolist(), letters[n[0] > 0].tolist(), listed


@kind
def types_of_integers(database, rng):
    drawn = rng.integers(2, dtype=int), rng.integers(2), np.random.randint(2), rng.choice(2)
    return [type(each).__name__ for each in drawn], np.random.randint(3, size=2).dtype.kind


# kinds of numbers


@kind
def counts_of_numpy(database, rng):
    n = np.sum([int(bit) for bit in database]) + rng.geometric(0.5)
    return int(~(n > 3)), repr(n > 4), isinstance(n, np.integer), repr(np.int64(4) < n)


@kind
def kinds_of_counts(database, rng):
    k, two = rng.poisson(1.0), rng.geometric(0.5) - rng.geometric(0.5)
    found = np.clip(k, 0, 2), np.maximum(k, 1), max(k, 1), two + np.int64(1), two, two + np.pi
    return [type(each).__name__ for each in found], (k != 1) + (k != 0), k == 1.5


@kind
def kinds_of_numbers(database, rng):
    x, n, y = rng.laplace(), rng.laplace(size=2), np.float64(1) + rng.laplace()
    kinds = [isinstance(each, np.floating) for each in (x, n[0], y, float(y), np.round(x))]
    sort = n.dtype.kind, n.dtype == float, np.issubdtype((n + 1).dtype, np.floating)
    return kinds, sort, type(y).__name__, type(x).__name__, hasattr(x, "dtype"), y.dtype.kind


@kind
def arrays_of_lists(database, rng):
    n = np.array([rng.laplace() for _ in range(2)])
    return (type(n).__name__, n.dtype == float, np.asarray(list(n), dtype=float).dtype.kind, np.shape(list(n)), n.ndim)


# zeros


@kind
def times_zero(database, rng):
    x, y = rng.laplace(), rng.laplace()
    return str(x * 0), str(x * -0.0), str(x * 0 + 0), str(x - x), str(-(x - x)), str(x * 0 + y * 0)


@kind
def times_zero_again(database, rng):
    x = rng.laplace(size=2) * np.array([0, 1])
    return str(x[0]), str(-x[0]), str(abs(x[0])), repr(x[0] - 0.0), f"{x[0] * 2:.1f}"


@kind
def rounded_to_zero(database, rng):
    x = rng.uniform(-1, 1)
    return (str(np.trunc(x)), str(np.ceil(x)), str(np.floor(x)), str(np.rint(x / 2)), str(round(x, 0)))


@kind
def rounded_arrays(database, rng):
    x = rng.uniform(-1, 1, size=1)
    return str(np.trunc(x)[0]), str(np.ceil(x)[0]), str(np.clip(np.array([x[0]]), -2, 0)[0] == 0)


@kind
def clipped_to_zero(database, rng):
    x = rng.uniform(-1, 0)
    return str(np.clip(np.array([x]), 0, 1)[0]), str(np.clip([x], 0, 1)[0]), str(np.clip(x, 0, 1))


@kind
def signs(database, rng):
    x, n = rng.laplace(), rng.laplace(size=2)
    return (str(np.sign(n)), math.copysign(1, x), np.copysign(2, n).tolist(), np.signbit(x) == (x < 0))


# arrays that are written to


@kind
def best_two(database, rng):
    s = np.array([int(bit) for bit in database]) + rng.exponential(size=4)
    first = np.argmax(s)
    s[first] = -np.inf
    return int(first), int(s.argmax()), bool(s.max() > 1)


@kind
def written_to(database, rng):
    n = rng.laplace(size=3)
    n[0] += 1
    n[n < 0] = 0
    n[1:] -= np.array([1, 2])
    return (n > 0).tolist(), str(n[0] * 0), int(np.argsort(n)[0])


@kind
def nothing_left(database, rng):
    n = rng.laplace(size=2)
    n[n > 0], n[n < 0] = 1, -1
    clipped = np.clip(rng.laplace(size=2), 0, None)
    whole = rng.uniform(-2, 2, size=1).astype(int)
    return str(n), repr(n[:1]), repr(clipped[clipped == 0]), n[:1].tobytes(), repr(whole)


@kind
def nan_in_it(database, rng):
    n = rng.laplace(size=3)
    n[1] = np.nan if rng.random() < 0.5 else 5
    return int(np.argmax(n)), np.isnan(n).tolist(), int(np.argmin(-n))


@kind
def rows(database, rng):
    n = rng.exponential(size=(2, 3))
    return n.argmax(axis=1).tolist(), n[:, :2].argmin(axis=0).tolist()


@kind
def integers_in_arrays(database, rng):
    coins = rng.binomial(1, np.where(np.array([1, 0]) == 1, 0.75, 0.25))
    return ("".join(map(str, coins)), str(rng.integers(2, size=1)), repr(rng.geometric(0.9, 1)[0] > 1))


@kind
def quantiles(database, rng):
    x = np.array([0.0, 1.0, 1.0]) + rng.laplace(scale=0.5, size=3)
    return bool(np.percentile(x, 50) > 0.5), bool(np.quantile(x, 0.25) > 0)


# inverse transforms


@kind
def laplace_by_numpy(database, rng):
    u = rng.random() - 0.5
    x = -2 * np.sign(u) * np.log(1 - 2 * abs(u))
    return bool(x > 1), bool(x > -1)


@kind
def laplace_by_abs_first(database, rng):
    u = rng.uniform(-0.5, 0.5)
    return -math.log(1 - 2 * abs(u)) * (1 if u > 0 else -1) > 1


@kind
def laplace_by_copysign(database, rng):
    u = rng.random(size=2) - 0.5
    x = -np.copysign(1, u) * np.log1p(-2 * np.abs(u))
    return (x > 1).tolist()


@kind
def compared_with_decimals(database, rng):
    x = rng.random()
    return x < Decimal("0.75"), x == Decimal("0.5"), x < Decimal("Infinity")


# sizes: on which side of an interval a draw is, is asked only if the program looks again


@kind
def outside(database, rng):
    x, y = rng.laplace(), rng.laplace()
    if abs(x) > 1:
        return bool(x > y), bool(abs(x - 1) > 2)
    return "in", bool(math.fabs(x) > 0.5), bool(-abs(x) > -0.25)


@kind
def sizes_of_shifted(database, rng):
    x = rng.exponential()
    return abs(x - 1) < 0.5, abs(x - 1) < 1.5, abs(x - 1) > 1, abs(x - 0.2) >= 0


@kind
def sizes_in_arrays(database, rng):
    n = np.abs(rng.laplace(size=2))
    return (n > 1).tolist(), n.dtype.kind, bool(n.max() > 2), repr(n[0] > -1)


@kind
def looked_at_later(database, rng):
    x, u = rng.laplace(size=2), rng.random() - 0.5
    far = bool(abs(x[0]) > 1)
    if far and rng.random() < 0.5:
        return int(np.argmax(x))
    return far, bool(u > 0) if abs(u) > 0.25 else -math.log(1 - 4 * abs(u)) > 1


def truncated(database, rng):
    while True:
        x = rng.laplace()
        if abs(x) < 1:
            return bool(x > 0.5)


def test_a_truncated_draw_is_rejected_in_one_way():
    law = as_mechanism(truncated, ["0"]).law
    share = (math.exp(-0.5) - math.exp(-1)) / (2 * (1 - math.exp(-1)))
    assert float(law.masses["0"]["True"].ball()) == pytest.approx(share, abs=1e-8)
    assert len(law.paths["0"]) < 1000


@pytest.mark.parametrize("name", KINDS)
def test_laws_agree_with_samples(name):
    # fails with probability 1e-6 for each program whose law is right; the seed is fixed
    law = as_mechanism(KINDS[name], ["0110"]).law
    assert plausibility(KINDS[name], "0110", law=law) > 1e-6


def in_place(database, rng):
    x = np.zeros(2)
    x += rng.laplace(size=2)
    return x[0] > 0


def test_arrays_of_numbers_do_not_take_draws():
    with pytest.raises(ProgramError, match=r"write x = x \+ draws"):
        as_mechanism(in_place, ["0"])
