"""Every constructor that is read, against the draws of its library: nothing is found."""

import warnings
from typing import Any

import pytest

import pufferproof as pp
from pufferproof.examples.libraries import constructors

DRAWS = 1500


def rows(library: str) -> list[Any]:
    pytest.importorskip(library, exc_type=ImportError)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return list(constructors.LIBRARIES[library]())


@pytest.mark.parametrize("library", ["opendp", "diffprivlib", "scipy"])
def test_draws_of_what_is_read_agree_with_its_law(library: str) -> None:
    """A wrong alarm has probability 10^-6 for each."""
    compared = 0
    for row in rows(library):
        if row.build is None:
            continue
        try:
            made = row.build()
            read = row.read(made)
        except Exception:  # the page of constructors says why
            continue
        try:
            found = pp.agrees(made, read, draws=DRAWS, seconds=20.0)
        except pp.ModelError as error:
            if "not compared" not in str(error):
                raise
            continue
        assert found.verdict == "nothing found", (row.name, str(found))
        compared += 1
    assert compared >= {"opendp": 16, "diffprivlib": 12, "scipy": 16}[library]


BITS = {"a": 0, "b": 1}


def test_a_library_that_draws_wrongly_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    dl: Any = pytest.importorskip("diffprivlib.mechanisms", exc_type=ImportError)
    right = dl.Laplace.randomise
    noise = dl.Laplace(epsilon=1, sensitivity=1, random_state=3)
    checked = pp.as_mechanism(noise, BITS, check=True)
    assert checked.notes[-1].startswith("nothing found against it in")
    assert checked.value == pp.as_mechanism(noise, BITS).value
    wrong: Any = lambda self, value: value + 5 * (right(self, value) - value)  # noqa: E731
    wrong.__module__ = right.__module__  # a fault of the library itself
    monkeypatch.setattr(dl.Laplace, "randomise", wrong)
    with pytest.raises(pp.ModelError, match=r"does not draw by the law .* disagrees after") as caught:
        pp.as_mechanism(noise, BITS, check=True)
    assert "\n" not in str(caught.value)


def test_the_generator_of_the_caller_stays_where_it_is() -> None:
    dl: Any = pytest.importorskip("diffprivlib.mechanisms", exc_type=ImportError)
    one, other = (dl.Geometric(epsilon=1, random_state=5) for _ in range(2))
    read = pp.as_mechanism(one, BITS)
    found = pp.agrees(one, read, draws=2000)
    assert [one.randomise(0) for _ in range(20)] == [other.randomise(0) for _ in range(20)]
    assert pp.agrees(other, read, draws=2000).draws == found.draws


def test_a_parameter_that_is_off_by_a_twentieth_is_found() -> None:
    dl: Any = pytest.importorskip("diffprivlib.mechanisms", exc_type=ImportError)
    noise = dl.Geometric(epsilon=1, sensitivity=1, random_state=1)
    read = pp.AdditiveNoise(BITS, pp.Noise.discrete_laplace("1.05"))
    assert pp.agrees(noise, read, BITS, draws=60_000, seconds=60.0).verdict == "disagrees"
    coin = dl.Binary(epsilon=1, value0="a", value1="b", random_state=1)
    believed = pp.as_mechanism(dl.Binary(epsilon=1.1, value0="a", value1="b"), {"a": "a"})
    found = pp.agrees(coin, believed.value, {"a": "a"}, draws=60_000, seconds=60.0)
    assert found.verdict == "disagrees"
