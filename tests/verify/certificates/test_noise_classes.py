"""Certificates of noise under classes of chains: written by what audits find, and never of what is
false.
"""

import json
import random
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests import examples, seeds
from tests.kernel.slow.judging import judged

from pufferproof import (
    Audit,
    CertificateError,
    Framework,
    IntervalChain,
    MarkovChain,
    Noise,
    Records,
    audit,
    read_framework,
)
from pufferproof.models.noise.records import RecordQuery
from pufferproof.models.priors.chains import GapChains
from pufferproof.verify import kernel
from pufferproof.verify.certificates.noise import noise_certificate
from pufferproof.verify.certificates.writing import Inputs
from pufferproof.verify.decision import Decision

NOISES = (Noise.laplace("2"), Noise.laplace("1/2"), Noise.geometric("1/2"))
PAIR = [("on", "off")]


def span(draw: random.Random, most: Fraction) -> tuple[Fraction, Fraction]:
    low, high = sorted(draw.randint(0, 12) * most / 12 for _ in range(2))
    return low, high


def box(draw: random.Random) -> IntervalChain | GapChains | MarkovChain:
    """A class of chains of two values, now and then with zeros, or one chain."""
    kind = draw.choice(("any", "stationary", "given", "gap", "one"))
    if kind == "gap":
        return GapChains(2, Fraction(draw.randint(1, 8), 16), Fraction(draw.randint(1, 8), 8))
    most = draw.choice((Fraction(1, 2), Fraction(1, 2), Fraction(1, 4), Fraction(1)))
    (a, a_high), (b, b_high) = span(draw, most), span(draw, most)
    if kind == "stationary":
        a, b = max(a, Fraction(1, 20)), max(b, Fraction(1, 20))
        a_high, b_high = max(a, a_high), max(b, b_high)
    share = Fraction(draw.randint(0, 4), 4)
    first = [1 - share, share] if kind in ("given", "one") else kind
    if kind == "one":
        return MarkovChain(first, [[1 - a, a], [b, 1 - b]])
    low, high = [[1 - a_high, a], [b, 1 - b_high]], [[1 - a, a_high], [b_high, 1 - b]]
    return IntervalChain(first, low, high)


def question(draw: random.Random, priors: int) -> tuple[Framework, RecordQuery]:
    records = Records(draw.randint(1, 4), ("0", "1"))
    record = draw.randint(1, records.count)
    ends = sorted(draw.choices(range(1, records.count + 1), k=2))
    classes = {f"class {k}": box(draw) for k in range(priors)}
    classes["box"] = IntervalChain("any", [["1/2", "1/4"], ["1/8", "3/4"]], [["3/4", "1/2"], ["1/4", "7/8"]])
    secrets = {"on": (record, "1"), "off": (record, "0")}
    query = draw.choice(("sum", "histogram"))
    segment = draw.choice((None, tuple(ends)))
    return Framework.of_records(records, secrets, PAIR, classes), RecordQuery(
        query, draw.choice(NOISES), records, segment
    )


def certified(found: Audit) -> dict:
    certificate = noise_certificate(found, Inputs(None, (None,)))
    kernel.check_bytes(json.dumps(certificate).encode())
    return certificate


@seeds(25)
def test_what_an_audit_finds_of_classes_is_certified(seed: int) -> None:
    draw = random.Random(seed)
    framework, query = question(draw, draw.randint(0, 1))
    found = audit(framework, query)
    upper = found.leakage.upper
    assert upper is not None
    above = audit(framework, query, f"log({(upper + Fraction(1, 1000)).limit_denominator(10**6)})")
    assert above.kept is Decision.HOLDS
    try:
        certificate = certified(above)
    except CertificateError as error:
        if "a + b > 1" in str(error):  # which the rule bounds by one record alone
            return
        raise
    assert certificate["kind"] == "noise-class-at-most"
    assert [*certificate["framework"]["priors"]] == [*framework.priors]
    assert judged(certificate) is not False
    below = (found.leakage.lower or Fraction(1)) * Fraction(999, 1000)
    if below >= 1:
        witness = certified(audit(framework, query, f"log({below})"))
        assert witness["kind"] == "noise-class-witness"
        assert judged(witness) is not False


def test_without_a_level_the_bound_is_close() -> None:
    framework, query = question(random.Random(1), 0)
    found = audit(framework, query)
    level = certified(found)["claim"]["level"]
    assert 0 < Fraction(level["nats"]) - Fraction(found.leakage.enclosure().upper) < 1e-4


@given(st.randoms(use_true_random=False))
@examples(40)
def test_no_tree_of_cells_shows_what_is_false(draw: random.Random) -> None:
    framework, query = question(draw, draw.randint(0, 2))
    found = noise_certificate(audit(framework, query, "log(1000000)"), Inputs(None, (None,)))
    found["claim"]["cells"] = {
        name: tree(draw, "p" if "eigengap" in prior["markov"] else "ab", 4)
        for name, prior in found["framework"]["priors"].items()
    }
    low, high = 0, 16 << 16
    while high - low > 1:
        middle = (low + high) // 2
        found["claim"]["level"] = {"nats": f"{middle}/{1 << 16}"}
        try:
            kernel.check_bytes(json.dumps(found).encode())
        except kernel.Refused:
            low = middle
        else:
            high = middle
    found["claim"]["level"] = {"nats": f"{high}/{1 << 16}"}
    assert judged(found) is not False


def tree(draw: random.Random, names: str, depth: int) -> str:
    if depth == 0 or draw.random() < 0.3:
        return "."
    return draw.choice(names) + tree(draw, names, depth - 1) + tree(draw, names, depth - 1)


@pytest.mark.parametrize("initial", ["any", ["1/3", "2/3"]])
def test_chains_that_change_with_time_are_bounded_in_one_cell(initial, tmp_path: Path) -> None:
    box = {"transition_lower": [["1/2", "1/4"], ["1/8", "3/4"]], "class": "time-varying"}
    box |= {"transition_upper": [["3/4", "1/2"], ["1/4", "7/8"]], "initial": initial}
    described = {
        "format": "pufferproof-framework/1",
        "records": {"count": 4, "alphabet": ["0", "1"]},
        "secrets": {"on": {"record": 2, "value": "1"}, "off": {"record": 2, "value": "0"}},
        "pairs": [PAIR[0]],
        "priors": {"box": {"markov": box}},
    }
    (tmp_path / "f.json").write_text(json.dumps(described))
    framework = read_framework(tmp_path / "f.json")
    query = RecordQuery("sum", Noise.laplace(2), Records(4, ("0", "1")))
    found = audit(framework, query)
    certificate = certified(audit(framework, query, f"log({found.leakage.upper})"))
    assert certificate["framework"]["priors"] == described["priors"]
    assert certificate["claim"]["cells"] == {"box": "."}
    assert judged(certificate) is not False
    paths = [tmp_path / "f.json", tmp_path / "history.json"]
    paths[1].write_text(paths[0].read_text().replace("time-varying", "history"))
    with pytest.raises(CertificateError, match="found other priors"):
        certified(audit(read_framework(paths[1]), query, "9"))


def test_what_has_no_rule_is_said() -> None:
    records = Records(2, ("0", "1", "2"))
    rows = [["1/4", "1/4", "1/4"]] * 3, [["1/2", "1/2", "1/2"]] * 3
    secrets = {"on": (1, "1"), "off": (1, "0")}
    framework = Framework.of_records(records, secrets, PAIR, {"box": IntervalChain("any", *rows)})
    query = RecordQuery("sum", Noise.laplace(2), records)
    with pytest.raises(CertificateError, match="classes of chains of two values"):
        certified(audit(framework, query, "9"))
    witness = certified(audit(framework, query, "0.1"))
    assert witness["kind"] == "noise-class-witness"
    assert judged(witness) is not False
