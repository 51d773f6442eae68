"""Certificates of noise say what the audit found, and the kernel accepts them."""

import json
import random
from fractions import Fraction
from itertools import product

import pytest
from tests import seeds
from tests.kernel.slow.judging import judged

from pufferproof import Framework, MarkovChain, Noise, Records, audit
from pufferproof.models.errors import CertificateError, ModelError
from pufferproof.models.noise.records import RecordQuery
from pufferproof.models.priors.tables import Product
from pufferproof.verify import kernel
from pufferproof.verify.audit import Audit
from pufferproof.verify.certificates.noise import noise_certificate
from pufferproof.verify.certificates.writing import Inputs
from pufferproof.verify.noise.integrals.delta.smallest import NoiseDelta

NOISES = (
    Noise.laplace("2"),
    Noise.laplace("1/3"),
    Noise.laplace("1/log(2)"),
    Noise.geometric("2/3"),
    Noise.discrete_laplace("3/2"),
)
PAIR = [("on", "off")]


def law(rng: random.Random, least: int) -> list[str]:
    weights = [rng.randint(least, 3) for _ in range(2)]
    weights[0] += not any(weights)
    return [str(Fraction(each, sum(weights))) for each in weights]


def drawn(rng: random.Random) -> tuple[Framework, RecordQuery]:
    """A framework of a chain of up to five records, and a query with noise."""
    count, noise = rng.randint(1, 5), rng.choice(NOISES)
    records = Records(count, rng.choice((("0", "1"), ("1", "4"))))
    chains = {f"prior {k}": MarkovChain(law(rng, 1), [law(rng, 0), law(rng, 0)]) for k in range(rng.randint(1, 2))}
    record, ends = rng.randint(1, count), sorted(rng.choices(range(1, count + 1), k=2))
    secrets = {"on": (record, records.alphabet[1]), "off": (record, records.alphabet[0])}
    whole = noise.on_integers or "log" in noise.text  # a third of a step has no rule
    names = ["sum", "histogram"] if whole else ["sum", "mean", "histogram"]
    query = RecordQuery(rng.choice(names), noise, records, rng.choice((None, tuple(ends))))
    return Framework.of_records(records, secrets, PAIR, chains), query


def certified(found: Audit, releases: int = 1) -> dict:
    certificate = noise_certificate(found, Inputs(None, (None,) * releases))
    kernel.check_bytes(json.dumps(certificate).encode())
    return certificate


@seeds(40)
def test_what_an_audit_finds_is_certified(seed: int) -> None:
    rng = random.Random(seed)
    framework, query = drawn(rng)
    try:
        found = audit(framework, query)
    except ModelError:  # under no prior are both values possible
        return
    certificate = certified(found)
    assert certificate["kind"] == "noise-leakage-at-most"
    assert judged(certificate) is not False
    assert found.leakage.lower is not None
    below = found.leakage.lower * Fraction(999, 1000)
    if below >= 1:
        witness = certified(audit(framework, query, f"log({below})"))
        assert witness["kind"] == "noise-leakage-witness"
        assert judged(witness) is not False


def drawn_of_three(rng: random.Random) -> tuple[Framework, RecordQuery]:
    """A chain of three values and up to four records, and its histogram."""
    count = rng.randint(1, 4)
    records, record = Records(count, ("a", "b", "c")), rng.randint(1, count)
    rows = [[rng.randint(0, 2) for _ in range(3)] for _ in range(4)]
    laws = [[str(Fraction(x, sum(row) or 1)) for x in row] for row in rows if any(row)]
    laws += [["1/3", "1/3", "1/3"]] * (4 - len(laws))
    secrets = {value: (record, value) for value in records.alphabet}
    chain = MarkovChain(laws[0], laws[1:])
    noise = rng.choice((Noise.geometric("1/2"), Noise.laplace(2), Noise.laplace("1/3")))
    ends = sorted(rng.choices(range(1, count + 1), k=2))
    query = RecordQuery("histogram", noise, records, rng.choice((None, tuple(ends))))
    return Framework.of_records(records, secrets, "disjoint", {"t": chain}), query


@seeds(20)
def test_histograms_of_three_values_are_certified(seed: int) -> None:
    rng = random.Random(seed)
    framework, query = drawn_of_three(rng)
    try:
        found = audit(framework, query)
    except ModelError:  # at most one value is possible
        return
    releases = 1 + seed % 2
    if releases == 2:
        found = audit(framework, [query, query])
    assert judged(certified(found, releases)) is not False
    if found.leakage.infinite or found.leakage.lower is None:
        return
    below = found.leakage.lower * Fraction(999, 1000)
    if below >= 1:
        asked = query if releases == 1 else [query, query]
        witness = certified(audit(framework, asked, f"log({below})"), releases)
        assert witness["kind"] == "noise-leakage-witness"
        assert judged(witness) is not False
    with pytest.raises(CertificateError, match="a histogram of several"):
        certified(audit(framework, query, "0.1", delta="1"))


NEARLY = "1.44269504088896340735992468100189213742664595415298593413544940693"  # 1 / log 2
POWERS = (
    Noise.geometric("1/2"),
    Noise.geometric("1/4"),
    Noise.discrete_laplace("1/log(2)"),
    Noise.laplace("1/log(4)"),
    Noise.laplace(NEARLY),
)


@pytest.mark.parametrize("noise", POWERS, ids=lambda noise: noise.text[:24])
@pytest.mark.parametrize("people", [1, 2])
def test_histograms_whose_decay_is_a_power_of_two_are_certified(noise: Noise, people: int) -> None:
    """With windows and without, at few bits and at many; nothing just below the leakage is."""
    records = Records(2, ("0", "1", "2"), people)
    secrets = {"on": (1, "1"), "off": (1, "0")}
    rows = [["1/2", "1/4", "1/4"]] * 3
    chain = MarkovChain("stationary", rows)
    framework = Framework.of_records(records, secrets, PAIR, {"week": chain})
    query = RecordQuery("histogram", noise, records)
    certificate = certified(audit(framework, query))
    assert judged(certificate) is True
    truth = Fraction(16 if noise.text in ("1/4", "1/log(4)") else 4)
    for width, bits in product((None, 1, 2, 3), (32, 256, 1024)):
        claim = {"width": width, "bits": bits}
        certificate["claim"] = claim | {"level": {"log": str(truth + Fraction(1, 10**6))}}
        kernel.check_bytes(json.dumps(certificate).encode())
        for less in (truth - Fraction(1, 10**6), truth / 2, Fraction(1)):
            certificate["claim"] = claim | {"level": {"log": str(less)}}
            with pytest.raises(kernel.Refused, match="exceeds"):
                kernel.check_bytes(json.dumps(certificate).encode())


def test_windows_bound_long_histograms() -> None:
    records = Records(336, ("a", "b", "c"))
    rows = [["4/5", "1/10", "1/10"], ["1/5", "7/10", "1/10"], ["1/10", "1/10", "4/5"]]
    secrets = {value: (168, value) for value in records.alphabet}
    chain = {"t": MarkovChain("stationary", rows)}
    framework = Framework.of_records(records, secrets, "disjoint", chain)
    query = RecordQuery("histogram", Noise.laplace(20), records)
    kept = certified(audit(framework, query, "2"))
    assert kept["claim"]["width"] is not None
    broken = certified(audit(framework, query, "0.5"))
    assert broken["kind"] == "noise-leakage-witness"


@seeds(60)
def test_a_delta_is_certified_from_both_sides(seed: int) -> None:
    rng = random.Random(seed)
    framework, query = drawn(rng)
    if seed % 2:
        noise = Noise.gaussian(rng.choice(("1/2", "2", "5")))
        query = RecordQuery(query.query, noise, query.records, query.segment)
    level = rng.choice(("log(1)", "log(4/3)", "0.3"))
    try:
        found = audit(framework, query, level, delta="1/2").delta
    except ModelError:  # under no prior are both values possible
        return
    assert isinstance(found, NoiseDelta)
    low, high = found.bounds()
    if high < Fraction(1, 10**9):
        return
    if query.query == "histogram" and query.noise.decay is not None:
        high = Fraction(1)  # two numbers are bounded by one that tells more
    loose = Fraction(1, 10**9)
    above = audit(framework, query, level, delta=str(min(Fraction(1), high * (1 + loose))))
    certificate = certified(above)
    assert certificate["kind"] == "noise-delta-at-most"
    assert judged(certificate) is not False
    certificate["claim"]["delta"] = str(low * (1 - Fraction(1, 1000)))
    with pytest.raises(kernel.Refused):
        kernel.check_bytes(json.dumps(certificate).encode())
    below = audit(framework, query, level, delta=str(low * (1 - Fraction(1, 10**9))))
    if query.query == "histogram" and query.noise.decay is not None:
        with pytest.raises(CertificateError, match="several numbers"):
            certified(below)
        return
    witness = certified(below)
    assert witness["kind"] == "noise-delta-witness"
    assert judged(witness) is not False
    witness["claim"]["delta"] = str(high * (1 + Fraction(1, 1000)))
    with pytest.raises(kernel.Refused):
        kernel.check_bytes(json.dumps(witness).encode())


@seeds(25)
def test_a_window_bounds_a_delta_from_above(seed: int) -> None:
    rng = random.Random(seed)
    framework, query = drawn(rng)
    if framework.expect_records().count < 3 or query.query == "histogram":
        return
    try:
        found = audit(framework, query, "0.3", delta="1")
    except ModelError:
        return
    certificate = certified(found)
    for width in (1, 2, 3):
        for delta in ("1", "1/2", "1/4", "1/8", "1/32", "1/128"):
            certificate["claim"] |= {"width": width, "delta": delta}
            try:
                kernel.check_bytes(json.dumps(certificate).encode())
            except kernel.Refused:
                break
            assert judged(certificate) is not False


def of(query: str, noise: Noise, count: int = 4, **more: object) -> tuple[Framework, RecordQuery]:
    records = Records(count, ("0", "1"))
    chain = MarkovChain("stationary", [["3/4", "1/4"], ["1/2", "1/2"]])
    secrets = {"on": (count // 2, "1"), "off": (count // 2, "0")}
    framework = Framework.of_records(records, secrets, PAIR, {"week": chain})
    return framework, RecordQuery(query, noise, records, **more)  # type: ignore[arg-type]


@pytest.mark.parametrize(("count", "width"), [(500, None), (700, 64), (10**6, 64)])
def test_long_sequences_are_certified_by_windows(count: int, width: int | None) -> None:
    from pufferproof.verify.audit import audit

    framework, query = of("sum", Noise.laplace(3), count)
    certificate = certified(audit(framework, query, "1"))
    assert certificate["claim"]["width"] == width
    witness = certified(audit(framework, query, "0.1"))
    assert witness["claim"]["output"] == str(count)


def test_what_has_no_rule_is_refused_with_the_reason() -> None:
    framework, query = of("sum", Noise.laplace(2))
    rows = [["1/2", "1/2"]] * 4
    alone = Framework.of_records(
        framework.expect_records(), {"on": (2, "1"), "off": (2, "0")}, PAIR, {"free": Product(rows)}
    )
    segment = of("sum", Noise.laplace(2), segment=(1, 2))[1]
    cases = {
        "found independent records: prior 'free'": audit(alone, query),
        "rule for the delta of normal noise": audit(*of("sum", Noise.gaussian(3)), "1"),
        "releases of one query": audit(framework, [query, segment]),
        "noise of one kind": audit(framework, [query, of("sum", Noise.geometric("1/2"))[1]]),
        "levels and deltas of noise, not orders": audit(framework, query, renyi=2),
    }
    for reason, found in cases.items():
        with pytest.raises(CertificateError, match=reason):
            noise_certificate(found, Inputs())
