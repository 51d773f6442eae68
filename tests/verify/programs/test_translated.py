"""Functions of Python that are written in C, as programs use them on draws."""

import math
from collections import Counter
from math import log

import numpy as np
import pytest
from scipy.stats import chi2
from tests.verify.programs.sampled import exact, label

from pufferproof import as_mechanism


def as_float(database, rng):
    x = float(database.count("1") + rng.laplace())
    return isinstance(x, float) and x > 1.0


def exponential(database, rng):
    return -log(rng.random()) * 2.0 > 1, -math.log(1 - rng.random()) > 0.5


def laplace(database, rng):
    u = rng.random() - 0.5
    side = 1 if u > 0 else -1
    return -2 * side * math.log(1 - 2 * math.fabs(u)) > 1.5


def arrays(database, rng):
    x = (np.array([float(bit) for bit in database]) + rng.laplace(size=2)).astype(float)
    kinds = np.zeros(2, dtype=float).dtype == np.array([1]).astype(float).dtype
    return int(np.argmax(x)), kinds, float(rng.integers(2)), math.isnan(x[0])


def kinds(database, rng):
    known = isinstance(1, int | float), isinstance("a", float), {float: 1}[float]
    return known, float("1.5"), float.fromhex("0x1p0"), math.fsum([0.1] * 10), rng.random() < 0.5


@pytest.mark.parametrize("program", [as_float, exponential, laplace, arrays, kinds])
def test_laws_agree_with_samples(program):
    # fails with probability 1e-6 for each program whose law is right; the seed is fixed
    expected, runs = exact(as_mechanism(program, ["01"]).law, "01"), 4000
    rng = np.random.default_rng(3)
    drawn = Counter(str(label(program("01", rng))) for _ in range(runs))
    assert drawn.keys() <= expected.keys()
    statistic = sum((drawn[y] - runs * p) ** 2 / (runs * p) for y, p in expected.items())
    assert chi2.sf(statistic, max(len(expected) - 1, 1)) > 1e-6


def test_everything_is_as_it_was_afterwards():
    known = dict(vars(math))
    as_mechanism(exponential, ["0"])
    assert dict(vars(math)) == known
    assert "float" not in globals()
    assert log is known["log"]


def test_a_module_that_asks_what_is_float_finds_it_itself(tmp_path, monkeypatch):
    lines = (
        "def asks(database, rng):\n    return type(1.5) is float, isinstance(rng.random(), float)\n"
    )
    (tmp_path / "asking_code.py").write_text(lines)
    monkeypatch.syspath_prepend(tmp_path)
    import asking_code

    assert as_mechanism(asking_code.asks, ["0"]).value.outputs == ("(True,True)",)


def is_true(database, rng):
    return (rng.random() < 0.75) is True


def is_not_one_of_a_list(database, rng):
    known = [True]
    return (rng.binomial(1, 0.25) == 1) is not known[0]


def matches(database, rng):
    match rng.random() < 0.75:
        case True:
            return True
    return False


def of_numpy(database, rng):  # an integer of NumPy: its comparison is no bool
    return (rng.integers(2) == 1) is True or rng.random() < 0.75


def of_type(database, rng):
    truth, count, number = rng.random() < 0.75, rng.geometric(0.5), rng.laplace()
    kinds = type(truth) is bool and type(count) is int and type(number) in (int, float)
    return kinds and {float: True}[type(number)] and str is str and isinstance(int, type) and truth


@pytest.mark.parametrize("program", [is_true, is_not_one_of_a_list, matches, of_numpy, of_type])
def test_draws_are_what_they_stand_for(program):
    law = as_mechanism(program, ["0"]).law
    drawn = np.random.default_rng(1)
    share = sum(bool(program("0", drawn)) for _ in range(4000)) / 4000
    assert share == pytest.approx(0.75, abs=0.03)
    assert exact(law, "0")["True"] == 0.75
