"""Influence curves of truncated Gaussian priors: seven records, the printed box, several lengths.

Each row has what the widest interval of the curve is, relative to its value. Nothing here asserts a
time.
"""

import math

import pytest

from pufferproof.models.priors.continuous.normal import TruncatedGaussian
from pufferproof.models.priors.continuous.points import GaussianFramework
from pufferproof.verify.influence.gaussian.definition import gaussian_curve


@pytest.mark.parametrize("length", [1, 5])
def test_curve_of_seven_records(benchmark, length):
    prior = TruncatedGaussian([-5, 5], length=length)
    secrets = {"high": (4, "4.9", 5), "low": (4, -5, "-4.9")}
    framework = GaussianFramework(7, secrets, [("high", "low")], {"smooth": prior})
    found = benchmark.pedantic(gaussian_curve, (framework,), rounds=1)
    wide = max((p.upper - p.lower) / p.upper for p in found.points if 0 < p.upper < math.inf)
    benchmark.extra_info |= {
        "what": f"influence curve of 7 records, truncated Gaussian, length {length}, widths up to {wide:.0e} of it",
        "target": "under 60 s, 6 digits",
    }
