"""What single rules say and compute: levels, logarithms, long numbers, deep trees, input files."""

import json
import math
import tracemalloc
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from tests.kernel.bench import Loaded, read
from tests.kernel.cases import accepted, given, good

from pufferproof.models.numbers.enclosures import log_bounds


@pytest.fixture
def kernel() -> Loaded:
    return Loaded()


def written(folder: Path, certificate: Any) -> str:
    path = folder / "certificate.json"
    path.write_text(json.dumps(certificate), encoding="utf-8")
    return str(path)


def test_a_number_longer_than_python_converts_is_exact(kernel: Loaded, tmp_path: Path) -> None:
    base, digits = read(accepted("leakage", "at-most-attained")), "3" * 49_000
    base["claim"]["level"]["log"] = f"{digits}/{'1' * 49_000}"
    assert kernel.check(written(tmp_path, base)).checked == 4
    base["claim"]["level"]["log"] = f"{digits[:-1]}4/{'1' * 49_000}"
    with pytest.raises(kernel.Refused, match="not attained"):
        kernel.check(written(tmp_path, base))
    base["claim"] = {"level": {"log": digits[:-1] + "2/" + "1" * 49_000}, "attained": None}
    with pytest.raises(kernel.Refused, match="exceeded"):
        kernel.check(written(tmp_path, base))


@pytest.mark.parametrize(
    ("level", "said"),
    [
        ({"nats": "0." + "0" * 98 + "3e99"}, "at most nats(3)"),
        ({"log": "2." + "0" * 97 + "e2"}, "at most log(200)"),
        ({"log": "2" + "1" * 300}, "at most log(2111"),
        ({"nats": "1" * 5000}, "at most nats(a very long number)"),
    ],
)
def test_the_statement_shows_the_level_that_was_decided_and_never_a_prefix_of_it(
    kernel: Loaded, tmp_path: Path, level: dict[str, str], said: str
) -> None:
    certificate = read(good("leakage"))
    certificate["claim"] = {"level": level, "attained": None}
    assert said in kernel.check(written(tmp_path, certificate)).statement


def test_hostile_polynomials_are_refused_in_bounded_work(kernel: Loaded, tmp_path: Path) -> None:
    long = [["1" * 20_000 + "/" + "7" * 19_999, [i]] for i in range(50)]
    many = [[i + 1, [i]] for i in range(1000)]
    for polynomial in (long, many):
        power = {"coefficient": 1, "powers": [100], "square": None}
        given = [{"polynomial": polynomial, "relation": ">="}]
        claim = {"variables": ["x"], "assumptions": given, "conclusion": None, "proof": [power]}
        base = {"format": "pufferproof-certificate/1", "kind": "polynomial-inequality"}
        with pytest.raises(kernel.Refused, match="too large"):
            kernel.check(written(tmp_path, base | {"claim": claim}), work=10_000_000_000)


def test_enclosures_of_logarithms_are_sound_and_tight(kernel: Loaded) -> None:
    logarithm = kernel["rates"].logarithm
    for n in [*range(2, 300), 3 * 2**80, 3 * 2**80 - 1, 2**200, 2**200 - 1, 10**60 + 7]:
        for bits in (64, 256):
            low, high = logarithm(n, bits)
            lower, upper = log_bounds(Fraction(n), bits + 40)
            assert Fraction(low, 1 << bits) <= lower
            assert upper <= Fraction(high, 1 << bits)
            assert high - low <= 3, n
    assert logarithm(1, 64)[0] <= 0 <= logarithm(1, 64)[1] <= 1


def test_signs_of_sums_agree_with_products_of_powers(kernel: Loaded) -> None:
    rates = kernel["rates"]
    for a in range(1, 12):
        for b in range(1, 12):
            terms = [(2, Fraction(a)), (-3, Fraction(b))]
            expected = (a**2 > b**3) - (a**2 < b**3)
            assert rates.sign_of(terms, Fraction(0)) == expected
            rates.MAX_POWER = 0
            if expected:
                assert rates.sign_of(terms, Fraction(0)) == expected
            rates.MAX_POWER = 1 << 17
            nats = Fraction(round(1000 * (2 * math.log(a) - 3 * math.log(b))), 1000)
            assert rates.sign_of(terms, -nats - Fraction(1, 300)) == -1


def test_a_deep_tree_takes_no_copies_of_the_rows(kernel: Loaded, tmp_path: Path) -> None:
    certificate = read(accepted("optima", "worst"))
    certificate["claim"]["rows"][0] += [{"database": "a"}] * 5000
    peaks, law = [], certificate["claim"]["laws"][0]
    kernel["files"].MAX_BYTES = 1_000_000  # else what a file is read into hides everything
    for depth in (1, 400):
        law["tree"] = leaf = {"multipliers": []}
        cut = {"release": 0, "above": "a", "below": "b", "factor": "1"}
        for _ in range(depth):
            law["tree"] = {"split": cut, "above": leaf, "below": law["tree"]}
        path = written(tmp_path, certificate)
        tracemalloc.start()
        with pytest.raises(kernel.Refused, match="negative entries"):
            kernel.check(path)
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] < 1.5 * peaks[0]


def with_its_files(kernel: Loaded, family: str, name: str) -> str:
    certificate, *files = map(str, given(family, name))
    found = kernel.check(certificate, files[0], files[1:])
    assert found.inputs == "matched"
    return str(found.statement)


def test_with_files_the_statement_says_what_they_call_0_and_1(kernel: Loaded) -> None:
    said = ', at the output "**", where 0 and 1 are {} in this order'
    for name, values in (("matched", '["a", "b"]'), ("values-named-otherwise", '["1", "0"]')):
        assert with_its_files(kernel, "redaction", name).endswith(said.format(values))


def test_the_statement_says_when_rows_were_divided(kernel: Loaded) -> None:
    assert with_its_files(kernel, "rates", "divided").endswith("; rows of mechanism 1 divided by their sums")
