"""Functions of Python that are written in C, as programs use them on draws."""

import builtins
import importlib
import math
from collections import Counter
from fractions import Fraction
from math import log

import numpy as np
import pytest
from scipy.stats import chi2
from tests.verify.programs.sampled import exact, label

from pufferproof import as_mechanism
from pufferproof.verify.programs.law import ProgramError


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
    lines = "def asks(database, rng):\n    return type(1.5) is float, isinstance(rng.random(), float)\n"
    (tmp_path / "asking_code.py").write_text(lines)
    monkeypatch.syspath_prepend(tmp_path)
    import asking_code

    assert as_mechanism(asking_code.asks, ["0"]).value.outputs == ("(True,True)",)


def of_other_modules(tmp_path, monkeypatch, name, **lines):
    """Write modules that import each other, and return a function of the first."""
    for module, text in lines.items():
        (tmp_path / f"{module}.py").write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    return getattr(importlib.import_module(next(iter(lines))), name)


def asks_by_default(_, rng, kind=type):
    return kind(rng.integers(2)) is np.int64


def asks_by_keyword(_, rng, *, kind=type):
    return kind(rng.random()) is float


def asks_builtins(_, rng):
    return builtins.type(rng.integers(2)) is np.int64


def asks_in_a_closure():
    kind = type
    return lambda _, rng: kind(rng.integers(2)) is np.int64


OF_TYPE = [asks_by_default, asks_by_keyword, asks_builtins, asks_in_a_closure()]


@pytest.mark.parametrize("program", OF_TYPE)
def test_type_that_is_kept_is_refused_with_its_line(program):
    with pytest.raises(ProgramError, match=r"test_translated.py:\d+: it keeps the function type"):
        as_mechanism(program, ["0"])


COINS = "def coins(database, rng):\n    return sum(rng.random() < 0.5 for _ in range(12)) > 6\n"
ASKING = {
    "unrelated": "def other(x):\n    return x is COINS\n",
    "is None": "def coins(database, rng, limit=None):\n    if limit is None:\n        limit = 6\n"
    "    return sum(rng.random() < 0.5 for _ in range(12)) > limit\n",
    "a name of a module": "import json\nHERE = object()\n\ndef other():\n    return HERE is HERE\n",
}


@pytest.mark.parametrize("name", ASKING)
def test_what_a_program_does_not_call_makes_no_more_paths(name, tmp_path, monkeypatch):
    lines = {f"coins_{len(name)}": COINS + ASKING[name]}
    program = of_other_modules(tmp_path, monkeypatch, "coins", **lines)
    assert as_mechanism(program, ["0"]).paths == 2


OF_HELPERS = {
    "is of a helper": (
        "from helper_1 import lies\ndef f(database, rng):\n    return lies(rng.random() < 0.75)\n",
        "def lies(x):\n    return x is True\n",
    ),
    "type of a helper": (
        "import helper_2\ndef f(database, rng):\n    return helper_2.small(rng.random() * 4) and rng.random() < 2\n",
        "def small(x):\n    return type(x) in (int, float) and float(x) < 3.0\n",
    ),
    "operator": ("import operator\ndef f(database, rng):\n    return operator.is_(rng.random() < 0.75, True)\n", ""),
    "type under another name": (
        "kind, number = type, int\ndef f(database, rng):\n"
        "    return kind(rng.random()) == float and kind(rng.geometric(0.5)) is number"
        " and rng.random() < 0.75\n",
        "",
    ),
    "class": (
        "def f(database, rng):\n    x = rng.random()\n"
        "    return x.__class__ is float and (x < 0.75).__class__ is bool and x < 0.75\n",
        "",
    ),
    "method": (
        "from helper_6 import Judge\nJUDGES = {'one': Judge()}\ndef f(database, rng):\n"
        "    return JUDGES['one'].lies(rng.random() < 0.75)\n",
        "class Judge:\n    def lies(self, x):\n        return x is True\n",
    ),
    "imported in the call": (
        "def f(database, rng):\n    from helper_7 import lies\n    return lies(rng.random() < 0.75)\n",
        "def lies(x):\n    return x is True\n",
    ),
    "by name": (
        "import helper_8\ndef f(database, rng):\n"
        "    return getattr(helper_8, 'lies'[: 4 * len(database)])(rng.random() < 0.75)\n",
        "def lies(x):\n    return x is True\n",
    ),
    "decorated": (
        "import functools\ndef checked(f):\n    @functools.wraps(f)\n"
        "    def inner(database, rng):\n        return f(database, rng) is True\n"
        "    return inner\n@checked\ndef f(database, rng):\n    return rng.random() < 0.75\n",
        "",
    ),
    "of a class": (
        "def f(database, rng):\n    x = rng.random()\n    match x:\n        case float(y):\n"
        "            return y < 0.75\n    return None\n",
        "",
    ),
}


@pytest.mark.parametrize("name", OF_HELPERS)
def test_code_of_other_modules_is_looked_at(name, tmp_path, monkeypatch):
    place = 1 + [*OF_HELPERS].index(name)
    first, second = OF_HELPERS[name]
    lines = {f"program_{place}": first, f"helper_{place}": second}
    law = as_mechanism(of_other_modules(tmp_path, monkeypatch, "f", **lines), ["0"]).value
    assert law.probability("0", "True") == Fraction(3, 4)


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
