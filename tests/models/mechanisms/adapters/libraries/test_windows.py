"""Objects whose draws are not fresh, or not those of their class, are refused."""

import diffprivlib.mechanisms as dl
import pytest
import scipy.stats

from pufferproof import ModelError, Records, as_mechanism

RECORDS = Records(4, ("0", "1"))


def seeded_scipy() -> object:
    noise = scipy.stats.dlaplace(1 / 15)
    noise.random_state = 7
    return noise


@pytest.mark.parametrize(
    "noise", [dl.Geometric(epsilon=1, sensitivity=1, random_state=7), seeded_scipy()]
)
def test_noise_that_can_be_repeated_is_none_of_several_releases(noise):
    with pytest.raises(ModelError, match=r"^mechanism: random_state: expected none"):
        as_mechanism(noise, RECORDS, "sum", windows=[(1, 2), (3, 4)])
    assert any("repeated" in note for note in as_mechanism(noise, RECORDS, "sum").notes)


@pytest.mark.parametrize(
    ("noise", "name"),
    [
        (dl.Geometric(epsilon=1, sensitivity=1), "randomise"),
        (dl.Laplace(epsilon=1, sensitivity=1), "_laplace_sampler"),
        (scipy.stats.dlaplace(1), "rvs"),
    ],
)
def test_a_method_that_was_replaced_on_an_object_is_refused(noise, name):
    setattr(noise, name, lambda *values, **others: 0)
    with pytest.raises(ModelError, match=f"method {name} was replaced"):
        as_mechanism(noise, RECORDS, "sum")
