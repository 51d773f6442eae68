"""The least scale between bounds is the one that exact leakages have."""

from fractions import Fraction

import pytest

from pufferproof import Framework, Level, MarkovChain, ModelError, Noise, RecordQuery, Records
from pufferproof.verify.leakage.ratio import Leakage
from pufferproof.verify.noise.records import window
from pufferproof.verify.noise.records.laws import sequence_laws
from pufferproof.verify.noise.scale import between
from pufferproof.verify.noise.scale.between import leakage_between, scale_between
from pufferproof.verify.noise.scale.calibration import leakage_at, smallest_scale

STEP = [["3/4", "1/4"], ["1/3", "2/3"]]


def question(query, count=60, transition=STEP):
    records = Records(count, ("0", "1"))
    secrets = {v: (count // 2, v) for v in "01"}
    chain = MarkovChain("stationary", transition)
    framework = Framework.of_records(records, secrets, [("0", "1")], {"theta": chain})
    return framework, RecordQuery(query, Noise.laplace(1), records)


@pytest.mark.parametrize(
    ("query", "level"), [("sum", "0.5"), ("mean", "log(2)"), ("histogram", "1")]
)
def test_the_least_scale_is_that_of_exact_leakages(query, level):
    framework, noisy = question(query)
    start, told = Fraction(1), []
    low, high = scale_between(
        framework, noisy, Level(level), start, lambda step, width: told.append((step, width))
    )
    laws = sequence_laws(framework, [noisy])
    below, above = smallest_scale(laws, Level(level), start)
    assert low <= above
    assert below <= high
    assert high - low < low / 10**9
    assert [step for step, _ in told] == [*range(1, len(told) + 1)]
    found, exactly = leakage_between(framework, noisy, high), leakage_at(laws, high)
    assert found.lower <= exactly.upper
    assert exactly.lower <= found.upper


def test_ends_are_close_where_bounds_meet_at_the_last_margin_alone(monkeypatch):
    framework, noisy = question("sum", 2)
    bounds = between._bounds
    said = iter([Leakage.of(None)] * (len(between._MARGINS) - 1))
    monkeypatch.setattr(between, "_bounds", lambda *given: next(said, None) or bounds(*given))
    low, high = scale_between(framework, noisy, Level("1"))
    assert next(said, None) is None
    assert high - low < low / 10**9


def test_what_has_no_least_scale_between_bounds():
    framework, noisy = question("sum")
    with pytest.raises(ModelError, match="expected a level above 0"):
        scale_between(framework, noisy, Level("log(1)"))
    still, counted = question("sum", 2)
    assert leakage_between(still, counted, Fraction(1)) is not None
    narrow = question("sum", 60, [["99/100", "1/100"], ["1/100", "99/100"]])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(window, "_WIDEST", 2)
        assert leakage_between(*narrow, Fraction(20)) is None
        with pytest.raises(ModelError, match="bounds of the leakage are too far apart"):
            scale_between(*narrow, Level("1"))
