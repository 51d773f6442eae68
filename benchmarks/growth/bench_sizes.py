"""How the cost of each computation grows with its sizes: a row per curve, and `sizes.svg`.

Every subject is timed at sizes that double or more; exponents are fitted to the three largest.
What depends on 2^bits is fitted against the number of databases. Nothing here asserts a time.
"""

from fractions import Fraction
from random import Random

import pytest
from benchmarks.growth.curves import draw, measured
from benchmarks.instances import all_pairs, bit_chain, halves, random_channel, two_secrets, uncached

from pufferproof import (
    BinaryChain,
    Channel,
    Framework,
    Level,
    MarkovChain,
    Noise,
    RecordQuery,
    Records,
    Table,
    audit,
    markov_quilt,
    redaction_designs,
    repeated_leakage,
    smallest_delta,
    worst_composition,
)
from pufferproof.models.influence.curves.chains import chain_points
from pufferproof.models.influence.curves.orders import Order, Start
from pufferproof.verify.certificates.writing import Inputs, audit_certificate, certified_text
from pufferproof.verify.leakage.ratio import leakage
from pufferproof.verify.leakage.runs.repeated import all_counts

TWO = [["9/10", "1/10"], ["1/5", "4/5"]]
LEVEL = Level.parse("0.9")


def random_rows(states):
    random, rows = Random(states), []
    for _ in range(states):
        weights = [random.randint(1, 100) for _ in range(states)]
        rows.append([Fraction(weight, sum(weights)) for weight in weights])
    return rows


def rectangle(databases, outputs):
    """Return a channel of random integers, and secrets that are halves of the databases."""
    random = Random(databases * outputs)
    rows = [[random.randint(1, 999) for _ in range(outputs)] for _ in range(databases)]
    labels, names = (
        [f"{kind}{k}" for k in range(n)] for kind, n in zip("dy", (databases, outputs))
    )
    channel = Channel.of_integers(labels, names, rows, [sum(row) for row in rows])
    return halves(channel), channel


def audits():
    made = {}

    def of(databases, outputs):
        size = databases, outputs
        if size not in made:
            made[size] = rectangle(*size)
        framework, channel = made[size]
        fresh = uncached(channel)
        return lambda: leakage(framework, fresh)

    sizes = [64, 128, 256, 512, 1024]
    yield measured("n = m", "n", sizes[:-1], lambda n: of(n, n), 9)
    yield measured("n, 64 outputs", "n", sizes, lambda n: of(n, 64), 9)
    yield measured("m, 64 databases", "m", sizes, lambda m: of(64, m), 9)


def certificates():
    def halved(size):
        channel = random_channel(size)
        found = audit(halves(channel), channel)
        return lambda: certified_text(audit_certificate(found, Inputs()))

    def every(size):
        channel = random_channel(size)
        found = audit(all_pairs(channel), channel)
        return lambda: certified_text(audit_certificate(found, Inputs()))

    sizes = [32, 64, 128, 256]
    yield measured("32 pairs of halves", "n = m", sizes, halved)
    yield measured("all pairs", "n = m", [*sizes, 512], every)


def worst_cases():
    def pair(count):
        framework = two_secrets(count)
        return lambda: worst_composition(framework, ["log(2)"] * 2)

    def bits(count):
        framework = bit_chain(count.bit_length() - 1, Fraction(3, 4))
        return lambda: worst_composition(framework, ["log(2)"] * 2, Level.log(Fraction(3, 2)))

    sizes = [128, 256, 512, 1024]
    yield measured("one pair, one prior", "databases", sizes, pair)
    yield measured("bits, with per-record DP", "databases", [2, 4, 8, 16], bits, 1)


def influences():
    def of(states, rows, start, length):
        chain, record = Start(MarkovChain(start, rows)), length // 2
        asked = [Order(("v", "w"), record, 0, 1), Order(("w", "v"), record, 1, 0)]
        return lambda: chain_points([chain], length, asked, 20)

    fair = ["1/2", "1/2"]
    lengths = [10**3, 10**4, 10**5, 10**6]
    yield measured("T, from a given law", "T", lengths, lambda T: of(2, TWO, fair, T))
    states = [5, 10, 20, 40]
    yield measured(
        "states, T = 1,000", "states", states, lambda k: of(k, random_rows(k), "stationary", 1000)
    )


def quilts():
    def of(rows, start, length):
        return lambda: markov_quilt(MarkovChain(start, rows), length, Level.of_nats(1))

    lengths = [10**3, 10**4, 10**5, 10**6]
    yield measured("T, stationary", "T", lengths, lambda T: of(TWO, "stationary", T))
    yield measured("T, from a given law", "T", lengths, lambda T: of(TWO, ["1/2", "1/2"], T))
    states = [5, 10, 20, 40]
    yield measured(
        "states, T = 1,000", "states", states, lambda k: of(random_rows(k), "stationary", 1000)
    )


def runs():
    priors = {"theta": Table({"a": "1/2", "b": "1/2"})}
    framework = Framework("ab", {"s": "a", "t": "b"}, [("s", "t")], priors)
    rows = {2: [[51, 49], [49, 51]], 3: [[6, 4, 2], [3, 4, 5]], 4: [[6, 4, 2, 3], [3, 4, 5, 2]]}

    def channel(outputs):
        return Channel.of(dict(zip("ab", rows[outputs])), "uvwx"[:outputs], normalize=True)

    def of(outputs, k):
        all_counts.cache_clear()
        mechanism = channel(outputs)
        return lambda: repeated_leakage(framework, mechanism, k)

    yield measured("leakage, 3 outputs", "runs k", [200, 400, 800, 1600], lambda k: of(3, k), 7)
    yield measured("leakage, 4 outputs", "runs k", [25, 50, 100, 200], lambda k: of(4, k), 7)
    delta = lambda k: lambda: smallest_delta(framework, channel(2), "0.1", runs=k)  # noqa: E731
    yield measured("delta, 2 outputs", "runs k", [500, 1000, 2000, 4000], delta)


def redactions():
    def of(strategy, records):
        chain = BinaryChain(Fraction(1, 100 * records), Fraction(10, records), records)
        return lambda: redaction_designs(chain, 1, LEVEL, [strategy])

    sizes = [250, 500, 1000, 2000]
    for strategy, most in (("3r-relaxed", 4), ("3r-exact", 4), ("local-optimal", 3)):
        yield measured(strategy, "records", sizes[:most], lambda n, of=of, s=strategy: of(s, n))


def noises():
    def of(decide, length):
        records = Records(length, ("0", "1"))
        secrets = {value: (length // 2, value) for value in "01"}
        chain = MarkovChain("stationary", TWO)
        framework = Framework.of_records(records, secrets, [("0", "1")], {"theta": chain})
        query = RecordQuery("sum", Noise.laplace(10), records)
        return lambda: decide(framework, query, 1)

    yield measured("exact", "T", [250, 500, 1000, 2000], lambda T: of(audit, T))
    wide = [10**4, 10**5, 10**6]
    yield measured("by a window", "T", wide, lambda T: of(audit, T))


SUBJECTS = {
    "audit of n x m": audits,
    "certificate": certificates,
    "worst case": worst_cases,
    "influence curve": influences,
    "best quilts": quilts,
    "independent runs": runs,
    "redaction design": redactions,
    "noise on a sum": noises,
}


@pytest.fixture(scope="module")
def panels():
    return {}


@pytest.mark.parametrize("subject", SUBJECTS)
def test_growth(benchmark, panels, subject):
    panels[subject] = benchmark.pedantic(lambda: list(SUBJECTS[subject]()), rounds=1)
    benchmark.extra_info["growth"] = [{"of": subject, **each.row} for each in panels[subject]]


def test_figure(benchmark, panels):
    if len(panels) < len(SUBJECTS):
        pytest.skip("only where every subject was measured")
    benchmark.pedantic(draw, (panels,), rounds=1)
