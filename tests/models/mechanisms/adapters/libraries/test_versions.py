"""Versions of libraries that draw or claim something wrong, and versions that were not tried."""

from types import SimpleNamespace
from typing import Any

import pytest

import pufferproof as pp
from pufferproof.models.mechanisms.adapters.libraries import FAULTS, TRIED, expect_right
from pufferproof.models.mechanisms.adapters.parameters import Parameters

RESPONSE = "make_randomized_response_bitvec"
THRESHOLD = "make_laplace_threshold"


@pytest.mark.parametrize(
    ("library", "version", "constructor", "message"),
    [
        ("opendp", "0.14.1", "make_laplace", r"divide wrongly .*2638.*expected opendp>=0\.14\.2"),
        ("opendp", "0.13", "make_laplace", "divide wrongly"),
        ("opendp", "0.14.2", RESPONSE, r"never flips the last bit .*expected opendp>=0\.15\.0"),
        ("opendp", "0.15.1", "make_report_noisy_max_gumbel", "returns the noisy minimum"),
        ("diffprivlib", "0.6.6", "LinearRegression", "lower bound .*estimate bounds it"),
        ("opendp", "", "make_laplace", "opendp of unknown version"),
        ("opendp", "main", "make_laplace", "opendp of unknown version"),
    ],
)
def test_what_draws_wrongly_is_refused(library: str, version: str, constructor: str, message: str) -> None:
    with pytest.raises(pp.ModelError, match=message) as caught:
        expect_right(library, version, constructor, Parameters())
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("version", "constructor", "noted"),
    [
        ("0.14.2", "make_laplace", []),
        ("0.16.0", RESPONSE, ["bit vectors of one length"]),
        ("0.16.0", THRESHOLD, ["leaves out the threshold"]),
        ("0.16.0", "make_report_noisy_max_gumbel", []),
        ("0.16.1", "make_laplace", ["0.16.1 was not tried"]),
        ("1.0", THRESHOLD, ["leaves out the threshold", "1.0 was not tried"]),
        ("0.16.0.dev20260101001", "make_laplace", []),
    ],
)
def test_what_else_is_known_is_noted(version: str, constructor: str, noted: list[str]) -> None:
    parameters = Parameters()
    expect_right("opendp", version, constructor, parameters)
    assert len(parameters.notes) == len(noted)
    assert all(text in note for text, note in zip(noted, parameters.notes))


def test_faults_have_a_source_and_an_end_that_was_tried() -> None:
    for fault in FAULTS:
        assert fault.source.startswith("github.com/")
        assert fault.library in TRIED
        assert fault.fixed is None or fault.fixed <= max(TRIED[fault.library])


def test_models_of_diffprivlib_are_refused_with_what_is_known() -> None:
    kind: Any = type("LinearRegression", (SimpleNamespace,), {"__module__": "diffprivlib.models"})
    pytest.importorskip("diffprivlib", exc_type=ImportError)
    with pytest.raises(pp.ModelError, match="may be too small"):
        pp.as_mechanism(kind(), {"x": 0})
