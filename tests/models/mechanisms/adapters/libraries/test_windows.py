"""Objects whose draws are not fresh, or not those of their class, are refused."""

import functools
import random
import secrets
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import diffprivlib.mechanisms as dl
import numpy as np
import opendp.prelude as dp
import pytest
import scipy.stats

from pufferproof import ModelError, Records, as_mechanism

dp.enable_features("contrib", "honest-but-curious")
RECORDS = Records(4, ("0", "1"))
WINDOWS = [(1, 2), (3, 4)]
Change = Callable[[Any], Any]


class Half(random.SystemRandom):
    """Draws that are always the same."""

    def random(self) -> float:
        return 1 / 2


class HalfOfNumPy(np.random.RandomState):
    def random(self, size=None):
        return 1 / 2


class Slow(float):
    """A number that divides otherwise."""

    def __truediv__(self, other):
        return 99.0


def half_of_the_system() -> random.SystemRandom:
    generator = secrets.SystemRandom()
    generator.random = lambda: 1 / 2  # type: ignore[method-assign]
    return generator


def geometric(**named: object) -> Any:
    return dl.Geometric(epsilon=1, sensitivity=1, **named)


def laplace() -> Any:
    return dl.Laplace(epsilon=1, sensitivity=1)


def with_(source: Any, **named: object) -> Any:
    for name, value in named.items():
        setattr(source, name, value)
    return source


def of_state(source: Any, state: object) -> Any:
    source.dist._random_state = state
    return source


def of_opendp() -> Any:
    return dp.m.make_laplace(dp.atom_domain(T=int), dp.absolute_distance(T=int), 1.0)


REPEATABLE = {
    "random_state": lambda: geometric(random_state=7),
    "a generator as random_state": lambda: geometric(random_state=np.random.RandomState(7)),
    "random_state set afterwards": lambda: with_(laplace(), random_state=3),
    "_rng of random": lambda: with_(geometric(), _rng=random.Random(7)),
    "_rng of NumPy": lambda: with_(laplace(), _rng=np.random.RandomState(7)),
    "_rng a Generator": lambda: with_(geometric(), _rng=np.random.default_rng(7)),
    "rng": lambda: with_(geometric(), rng=random.Random(1)),
    "a bit generator": lambda: with_(geometric(), bits=np.random.PCG64(1)),
    "a generator in a dict": lambda: with_(geometric(), more={"a": [np.random.default_rng(3)]}),
    "another mechanism with a seed": lambda: with_(geometric(), inner=geometric(random_state=1)),
    "a seed": lambda: with_(geometric(), _seed=5),
    "scipy": lambda: with_(scipy.stats.dlaplace(1 / 15), random_state=7),
    "scipy with a Generator": lambda: with_(scipy.stats.laplace(scale=2), random_state=np.random.default_rng(3)),
    "the distribution inside": lambda: of_state(scipy.stats.dlaplace(1), np.random.RandomState(3)),
    "scipy made with a seed": lambda: type(scipy.stats.dlaplace)(name="dlaplace", seed=5)(1 / 2),
}


@pytest.mark.parametrize("name", REPEATABLE)
def test_noise_that_can_be_repeated_is_none_of_several_releases(name):
    noise = REPEATABLE[name]()
    with pytest.raises(ModelError, match=r"expected noise without a seed"):
        as_mechanism(noise, RECORDS, "sum", windows=WINDOWS)
    assert any("repeated" in note for note in as_mechanism(noise, RECORDS, "sum").notes)


UNKNOWN = {
    "_rng of a subclass": (lambda: with_(geometric(), _rng=Half()), "_rng: expected a generator"),
    "random_state of a subclass": (lambda: geometric(random_state=Half()), "expected a generator"),
    "a subclass of NumPy's": (lambda: with_(geometric(), _rng=HalfOfNumPy(1)), "expected a gen"),
    "the system's, with a method replaced": (
        lambda: with_(geometric(), _rng=half_of_the_system()),
        "expected a generator",
    ),
    "anything that draws": (
        lambda: with_(geometric(), _rng=SimpleNamespace(random=lambda: 1 / 2)),
        "expected a generator",
    ),
    "a method": (lambda: with_(geometric(), randomise=lambda value: 0), "method randomise was replaced"),
    "a sampler": (lambda: with_(laplace(), _laplace_sampler=lambda *draws: 0), "method _laplace_sampler was replaced"),
    "a method with a cache": (
        lambda: with_(geometric(), randomise=functools.lru_cache(geometric().randomise)),
        "method randomise was replaced",
    ),
    "the method of another object": (
        lambda: with_(geometric(), randomise=geometric().randomise),
        "method randomise was replaced",
    ),
    "rvs": (lambda: with_(scipy.stats.dlaplace(1), rvs=lambda **named: 0), "method rvs was"),
    "a subclass": (
        lambda: type("Geometric", (dl.Geometric,), {"randomise": lambda noise, value: value})(epsilon=1, sensitivity=1),
        "cannot read",
    ),
    "a subclass under the name of the class": (
        lambda: type("Geometric", (dl.Geometric,), {"__module__": dl.Geometric.__module__})(epsilon=1, sensitivity=1),
        "has another class of this name",
    ),
    "a class without parameters": (
        lambda: type("Laplace", (), {"__module__": dl.Laplace.__module__})(),
        "has another class of this name",
    ),
    "a number that divides otherwise": (
        lambda: with_(geometric(), epsilon=Slow(1)),
        "epsilon: expected a number of Python or NumPy",
    ),
    "a scale that was changed": (lambda: with_(geometric(), _scale=-99.0), "_scale"),
    "a level that was changed": (lambda: with_(geometric(), epsilon=0.01), "_scale"),
    "a measurement of its user": (
        lambda: dp.m.make_user_measurement(
            dp.atom_domain(T=int),
            dp.absolute_distance(T=int),
            dp.max_divergence(),
            lambda value: value,
            lambda distance: 1.0,
        ),
        "make_user_measurement",
    ),
    "a transformation of its user": (
        lambda: (
            dp.t.make_user_transformation(
                dp.atom_domain(T=int),
                dp.absolute_distance(T=int),
                dp.atom_domain(T=int),
                dp.absolute_distance(T=int),
                lambda value: value,
                lambda distance: distance,
            )
            >> of_opendp()
        ),
        "make_user_transformation",
    ),
    "a generator": (lambda: (value for value in range(9)), "cannot read"),
    "a function with a cache": (lambda: functools.lru_cache(lambda value: 0), "a function"),
    "a bound method": (lambda: geometric().randomise, "a function"),
}


@pytest.mark.parametrize("name", UNKNOWN)
@pytest.mark.parametrize("windows", [None, WINDOWS])
def test_an_object_whose_law_is_not_that_of_its_class_is_refused(name, windows):
    made, match = UNKNOWN[name]
    with pytest.raises(ModelError, match=match):
        as_mechanism(made(), RECORDS, "sum", windows=windows)


PATCHED = {
    "a method": (dl.Geometric, "randomise", lambda noise, value: value, geometric),
    "one of its base": (dl.base.DPMechanism, "_check_all", lambda noise, value: True, geometric),
    "a partial": (dl.Geometric, "randomise", functools.partial(print), geometric),
    "a property": (dl.Geometric, "epsilon", property(lambda noise: 1), geometric),
    "a static method": (dl.Laplace, "_laplace_sampler", staticmethod(lambda *of: 0), laplace),
    "a call": (dp.Measurement, "__call__", lambda measurement, value: value, of_opendp),
    "the system's generator": (random.SystemRandom, "random", lambda system: 0.5, geometric),
}


@pytest.mark.parametrize("name", PATCHED)
def test_a_method_that_was_replaced_on_a_class_is_refused(name, monkeypatch):
    kind, method, value, make = PATCHED[name]
    noise = make()
    assert as_mechanism(noise, RECORDS, "sum", windows=WINDOWS)
    monkeypatch.setattr(kind, method, value, raising=False)
    with pytest.raises(ModelError, match=f"method {method} was replaced on the class"):
        as_mechanism(noise, RECORDS, "sum", windows=WINDOWS)


@pytest.mark.parametrize(
    "make",
    [
        geometric,
        laplace,
        of_opendp,
        lambda: geometric(random_state=secrets.SystemRandom()),
        lambda: dl.Gaussian(epsilon=1 / 2, delta=0.1, sensitivity=1),
        lambda: dl.GaussianDiscrete(epsilon=1 / 2, delta=0.1, sensitivity=1),
        lambda: scipy.stats.dlaplace(1),
        lambda: scipy.stats.laplace(scale=2),
        lambda: scipy.stats.norm(scale=2),
    ],
)
def test_fresh_noise_is_read(make):
    read = as_mechanism(make(), RECORDS, "sum", windows=WINDOWS)
    assert len(read.value.queries) == 2
    assert not any("repeated" in note for note in read.notes)
