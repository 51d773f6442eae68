"""What counts of disjoint segments leak together, beside the exact leakage of all outputs."""

import random
from fractions import Fraction

import pytest
from tests import seeds

from pufferproof import Framework, MarkovChain, ModelError, Noise, RecordQuery, Records, audit
from pufferproof.models.noise.records import NoisyQueries
from pufferproof.verify.noise.laws.of_records import segments_of
from pufferproof.verify.noise.queries import queries_leakage
from pufferproof.verify.noise.ratio.blocks.joint import blocks_leakage

NOISES = (Noise.laplace("2"), Noise.laplace("1/2"), Noise.geometric("1/2"))


def law(rng: random.Random) -> list[str]:
    weights = [rng.choice([0, 1, 1, 2, 5]) for _ in range(2)]
    weights[0] += not any(weights)
    return [str(Fraction(each, sum(weights))) for each in weights]


def drawn(rng: random.Random) -> tuple[Framework, list[RecordQuery]]:
    """A framework of up to seven records with some secrets, and queries of disjoint segments."""
    records = Records(rng.randint(2, 7), rng.choice((("0", "1"), ("3", "1"))))
    count = records.count
    chains = {f"p{k}": MarkovChain(law(rng), [law(rng), law(rng)]) for k in range(rng.randint(1, 2))}
    cuts = sorted(rng.sample(range(1, count + 1), count if count < 4 else 4))
    segments = list(zip(cuts[::2], cuts[1::2]))
    if rng.random() < 0.3:
        segments = [(t, t) for t in rng.sample(range(1, count + 1), min(count, 3))]
    secrets, pairs = dict[str, tuple[int, str]](), []
    for record in rng.sample(range(1, count + 1), rng.randint(1, min(count, 3))):
        names = [f"x{record}={value}" for value in records.alphabet]
        secrets |= {name: (record, value) for name, value in zip(names, records.alphabet)}
        pairs.append(tuple(names if rng.random() < 0.5 else reversed(names)))
    queries = []
    for ends in segments:
        noise = rng.choice(NOISES)
        query = rng.choice(["sum", "histogram"] + ["mean"] * (not noise.on_integers))
        queries += [RecordQuery(query, noise, records, ends)] * rng.choice([1, 1, 1, 2])
    return Framework.of_records(records, secrets, pairs, chains), queries[:4]


@seeds(60)
def test_counts_of_disjoint_segments_give_the_exact_leakage(seed: int) -> None:
    framework, queries = drawn(random.Random(seed))
    assert segments_of(framework, queries) is not None
    try:
        exact = queries_leakage(framework, NoisyQueries(tuple(queries)))
    except ModelError:
        with pytest.raises(ModelError, match=r"nothing to check|probability 0"):
            blocks_leakage(framework, queries)
        return
    found = blocks_leakage(framework, queries)
    assert found is not None
    near = 1 + Fraction(1, 10**18)
    lower, upper = found.leakage.lower, found.leakage.upper
    assert lower is not None
    assert upper is not None
    assert exact.leakage.lower is not None
    assert exact.leakage.upper is not None
    assert lower <= exact.leakage.upper * near
    assert exact.leakage.lower <= upper * near
    assert upper <= lower * (1 + Fraction(1, 10**12))
    assert (found.scope.excluded, found.scope.never_checked) == (exact.scope.excluded, exact.scope.never_checked)


def test_a_quarter_of_weeks_is_one_audit_and_the_level_of_all_is_decided() -> None:
    records = Records(4368, ("0", "1"))
    chain = MarkovChain("stationary", [["9/10", "1/10"], ["1/5", "4/5"]])
    secrets = {"a": (2000, "0"), "b": (2000, "1")}
    framework = Framework.of_records(records, secrets, [("a", "b")], {"t": chain})
    weeks = [RecordQuery("sum", Noise.laplace(10), records, (336 * k + 1, 336 * k + 336)) for k in range(13)]
    whole = RecordQuery("sum", Noise.laplace(10), records)
    together, once = audit(framework, weeks, "0.6"), audit(framework, whole)
    assert together.verdict is not None
    assert together.verdict.value == "SATISFIES"
    # at the ends of all outputs both are the same product over records
    assert together.leakage.enclosure().lower[:10] == once.leakage.enclosure().lower[:10]


def test_values_that_are_one_number_tell_nothing() -> None:
    records = Records(90, ("1", "1.0"))
    chain = MarkovChain("stationary", [["3/4", "1/4"], ["1/4", "3/4"]])
    secrets = {"a": (45, "1"), "b": (45, "1.0")}
    framework = Framework.of_records(records, secrets, [("a", "b")], {"t": chain})
    thirds = [RecordQuery("sum", Noise.laplace(1), records, (30 * k + 1, 30 * k + 30)) for k in range(3)]
    found = audit(framework, thirds, "0.1")
    assert found.verdict is not None
    assert found.verdict.value == "SATISFIES"
    assert found.leakage.upper is not None
    assert found.leakage.upper < 1 + Fraction(1, 10**14)


def test_outputs_that_floats_cannot_tell_apart_are_within_the_bounds() -> None:
    """At the second output the ratio is larger by 10^-23 of it than at the first in floats."""
    records = Records(130, ("0", "1"))
    rows = [["9999999997/10000000000", "3/10000000000"], ["9999999995/10000000000", "1/2000000000"]]
    secrets = {"a": (1, "0"), "b": (1, "1")}
    chains = {"t": MarkovChain(["1/2", "1/2"], rows)}
    framework = Framework.of_records(records, secrets, [("a", "b")], chains)
    noise = Noise.laplace("1/log(2)")
    halves = [RecordQuery("sum", noise, records, ends) for ends in ((1, 65), (66, 130))]
    found = blocks_leakage(framework, halves)
    alone = audit(framework, halves[0]).leakage.lower  # the later half tells more, not less
    assert found is not None
    assert found.leakage.upper is not None
    assert alone is not None
    assert alone <= found.leakage.upper
