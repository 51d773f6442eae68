"""Programs that are noise on a query: the mechanism is that of the query, and what is no noise of a
number's own is refused by name.
"""

from fractions import Fraction

import numpy as np
import pytest

from pufferproof.models.framework import Framework
from pufferproof.models.noise.additive import AdditiveNoise, Noise
from pufferproof.models.noise.records import NoisyQueries
from pufferproof.models.noise.tables.partial import PartialTable
from pufferproof.models.priors.markov import MarkovChain
from pufferproof.models.priors.records import Records
from pufferproof.verify.audit import audit
from pufferproof.verify.audit.composition import compose
from pufferproof.verify.certificates.noise import noise_certificate
from pufferproof.verify.certificates.writing import Inputs
from pufferproof.verify.programs.law import ProgramError, law_of
from pufferproof.verify.programs.mechanism import as_mechanism

DATABASES = ["00", "01", "10", "11"]
F = Fraction


def ones(database):
    return database.count("1")


def counts(database):
    return np.array([database.count("0"), database.count("1")])


def laplace(scale, factor=1):
    return AdditiveNoise({x: factor * ones(x) for x in DATABASES}, Noise.laplace(scale))


def vectors(noise):
    return AdditiveNoise({x: counts(x).tolist() for x in DATABASES}, noise)


def in_a_loop(database, rng):
    return [int(n) + rng.laplace(0, 2) for n in counts(database)]


def two_scales(database, rng):
    return ones(database) + rng.laplace(scale=3), ones(database) + rng.normal(0, 0.5)


QUERIES = {
    "Laplace": (lambda x, rng: ones(x) + rng.laplace(scale=2), laplace(2)),
    "mean": (lambda x, rng: (ones(x) + rng.laplace(scale=2)) / 4, laplace(F(1, 2), F(1, 4))),
    "turned": (lambda x, rng: 7 - 3 * (ones(x) - rng.laplace()), laplace(3, -3)),
    "two exponentials": (
        lambda x, rng: ones(x) + 2 * rng.exponential(3) - rng.gamma(1, 6),
        laplace(6),
    ),
    "array": (lambda x, rng: counts(x) + rng.laplace(scale=2, size=2), vectors(Noise.laplace(2))),
    "list": (in_a_loop, vectors(Noise.laplace(2))),
    "dict": (
        lambda x, rng: {"zeros": len(x) - ones(x) + rng.normal(0, 2), "n": 2, "ones": [
            rng.normal(ones(x), 2.0)
        ]},
        vectors(Noise.gaussian(2)),
    ),
    "Gaussian": (
        lambda x, rng: ones(x) + rng.standard_normal() * 1.5,
        AdditiveNoise({x: ones(x) for x in DATABASES}, Noise.gaussian("3/2")),
    ),
    "sum of Gaussian draws": (
        lambda x, rng: sum(int(bit) + rng.normal(scale=3) for bit in x) + 4 * rng.normal(0, 0.5)
        + rng.normal(0, 9) + 5 * rng.normal(0, 1),
        None,
    ),
    "sum and mean": (
        lambda x, rng: (lambda s: {"sum": s, "mean": s / 2})(ones(x) + rng.laplace()),
        laplace(1),
    ),
}  # fmt: skip


def test_the_mechanism_is_noise_on_the_query():
    for name in QUERIES:
        program, query = QUERIES[name]
        if query is None:  # 9 + 9 + 4 + 81 + 25 = 128 is no square
            with pytest.raises(ProgramError, match="rational deviation"):
                law_of(program, DATABASES)
            continue
        found = law_of(program, DATABASES).table()
        turned = [number + 7 for vector in query.values.values() for number in vector]
        assert found.noise == query.noise
        values = [number for vector in found.values.values() for number in vector]
        assert values == (turned if name == "turned" else [v - 7 for v in turned])


def test_a_sum_of_gaussian_draws_of_a_rational_deviation():
    def program(database, rng):
        return sum(int(bit) + rng.normal(0, each) for bit, each in zip(database, (3, 4)))

    assert law_of(program, DATABASES).table().noise == Noise.gaussian(5)


def test_numbers_with_noise_of_different_laws_are_queries_released_together():
    found = law_of(two_scales, DATABASES).table()
    assert isinstance(found, NoisyQueries)
    assert [query.noise for query in found.queries] == [Noise.laplace(3), Noise.gaussian("1/2")]


def home():
    chain = MarkovChain("stationary", [["3/4", "1/4"], ["1/4", "3/4"]])
    secrets = {"no": (1, "0"), "yes": (1, "1")}
    return Framework.of_records(Records(2, ("0", "1")), secrets, [("no", "yes")], {"c": chain})


@pytest.mark.parametrize("name", [name for name in QUERIES if QUERIES[name][1] is not None])
def test_both_doors_have_one_answer(name):
    program, query = QUERIES[name]
    framework = home()
    here, there = audit(framework, program, "2"), audit(framework, query, "2")
    assert (here.leakage, here.verdict) == (there.leakage, there.verdict)
    assert here.trust[-1].startswith("PROGRAM(4 paths, 0 left, ")
    deltas = [audit(framework, each, "1/4", delta="1/10").delta for each in (program, query)]
    assert deltas[0].bounds() == deltas[1].bounds()
    orders = [audit(framework, each, renyi=2).renyi for each in (program, query)]
    assert str(orders[0]) == str(orders[1])
    joint = [compose(framework, [each], 2).joint.leakage for each in (program, query)]
    assert joint[0] == joint[1]


def test_the_density_of_a_number_agrees_with_the_query():
    # a coin that is not looked at leaves one path, a branch on it leaves the same law in two
    def forked(database, rng):
        if rng.random() < 0.5:
            return ones(database) + rng.laplace()
        return rng.laplace(ones(database))

    framework = home()
    assert isinstance(law_of(forked, DATABASES).table(), PartialTable)
    assert audit(framework, forked).leakage.enclosure() == audit(framework, laplace(1)).leakage.enclosure()


def geometric(database, rng, ratio=0.5):
    return ones(database) + rng.geometric(1 - ratio) - rng.geometric(1 - ratio)


def geometric_pair(database, rng):
    pair = [geometric(bit, rng) for bit in database]
    return {"each": pair, "turned": -pair[0]}


def test_differences_of_geometric_draws_are_geometric_noise():
    ratio = Noise.geometric("1/2")
    law = law_of(geometric, DATABASES)
    assert law.table().noise == ratio
    assert law.table().values["11"] == (2,)
    assert sum(map(len, law.paths.values())) == 4
    pair = law_of(geometric_pair, DATABASES).table()
    assert (pair.noise, pair.values["01"]) == (ratio, (0, 1))
    query = AdditiveNoise({x: ones(x) for x in DATABASES}, ratio)
    assert audit(home(), geometric).leakage == audit(home(), query).leakage


LISTED = {
    "clipped": lambda x, rng: max(geometric(x, rng), 0),
    "on one database": lambda x, rng: geometric(x, rng) if x == "00" else 0,
    "or nothing": lambda x, rng: geometric(x, rng) if rng.random() < 0.5 else None,
    "another ratio": lambda x, rng: geometric(x, rng, 0.5 if x == "00" else 0.25),
    "looked at": lambda x, rng: (lambda n: n if n > -40 else -40)(geometric(x, rng)),
}


@pytest.mark.parametrize("name", LISTED)
def test_integers_that_are_no_noise_on_a_query_are_listed(name):
    law = law_of(LISTED[name], DATABASES, paths=60)
    assert law.noise is None
    assert len(law.outputs) > 20
    assert all(float(left.ball()) < 1e-5 for left in law.left.values())


def other_scale(database, rng):
    return counts(database) + rng.laplace(scale=1 + ones(database), size=2)


def one_shared(database, rng):
    first, second = rng.laplace(size=2)
    return ones(database) + first, first + second


def looks(database, rng):
    noisy = counts(database) + rng.laplace(size=2)
    return noisy if noisy[0] > 0 else [0, 0]


def follows_otherwise(database, rng):
    noise = rng.laplace()
    return ones(database) + noise, noise


REFUSED = {
    "scale": (other_scale, "on some databases"),
    "shared": (one_shared, "share a draw"),
    "the same noise twice": (follows_otherwise, "share a draw"),
    "branches": (looks, "every run goes the same way"),
    "Gaussian branches": (
        lambda x, rng: rng.normal(ones(x)) if rng.random() < 0.5 else 0,
        "every run goes the same way",
    ),
    "uniform": (lambda x, rng: counts(x) + rng.random(2), "neither Laplace nor Gaussian"),
    "both": (lambda x, rng: rng.laplace() + rng.normal(), "neither Laplace nor Gaussian"),
    "product": (lambda x, rng: ones(x) * rng.normal() * rng.normal(), "multiplies two draws"),
    "NaN": (lambda x, rng: rng.normal(scale=float("nan")), "a draw and nan"),
    "a drawn scale": (lambda x, rng: rng.normal(scale=rng.exponential()), "a scale is a draw"),
    "negative": (lambda x, rng: rng.normal(scale=-1), "raises ValueError: scale < 0"),
    "array": (lambda x, rng: rng.standard_normal(out=np.zeros(2)), "standard_normal with out"),
}


def test_what_is_no_noise_on_a_query_is_refused_by_name():
    for name in REFUSED:
        program, words = REFUSED[name]
        with pytest.raises(ProgramError, match=words):
            law_of(program, DATABASES, name="module:program")


def test_noise_of_scale_0_is_none():
    table = law_of(lambda x, rng: ones(x) + rng.normal(scale=0), DATABASES).table()
    assert table.probability("01", "1") == 1


def test_another_scale_of_one_number_goes_by_its_density():
    def program(database, rng):
        return rng.laplace(scale=1 + ones(database))

    assert isinstance(law_of(program, DATABASES).table(), PartialTable)


def test_as_mechanism_has_the_noise():
    found = as_mechanism(lambda x, rng: counts(x) + rng.laplace(size=2), DATABASES).value
    assert isinstance(found, AdditiveNoise)
    assert found.dimension == 2


BUILT_IN = {
    "sum": (lambda x, rng: x.count("1") + rng.laplace(), ("sum", None, None)),
    "mean": (lambda x, rng: x.count("1") / 4 + rng.laplace(), ("mean", None, None)),
    "histogram": (
        lambda x, rng: [x.count("0") + rng.laplace(), x.count("1") + rng.laplace()],
        ("histogram", None, None),
    ),
    "a segment": (lambda x, rng: x[1:3].count("1") + rng.normal(), ("sum", (2, 3), None)),
    "zeros": (lambda x, rng: x.count("0") + rng.laplace(), ("count", None, "0")),
    "one record": (lambda x, rng: int(x[3]) + rng.laplace(), ("sum", (4, 4), None)),
}
OTHERS = {
    "weights": lambda x, rng: 2 * int(x[0]) + int(x[1]) + rng.laplace(),
    "two apart": lambda x, rng: int(x[0]) + int(x[2]) + rng.laplace(),
    "shifted": lambda x, rng: x.count("1") + 1 + rng.laplace(),
    "the other order": lambda x, rng: [x.count(v) + rng.laplace() for v in "10"],
    "at least two": lambda x, rng: (x.count("1") > 1) + rng.laplace(),
    "constant": lambda x, rng: rng.laplace(),
}


def of_four():
    chain = MarkovChain("stationary", [["3/4", "1/4"], ["1/4", "3/4"]])
    secrets = {"no": (2, "0"), "yes": (2, "1")}
    return Framework.of_records(Records(4, ("0", "1")), secrets, [("no", "yes")], {"c": chain})


@pytest.mark.parametrize("name", BUILT_IN)
def test_built_in_queries_are_known_as_such(name):
    program, asked = BUILT_IN[name]
    (query,) = audit(of_four(), program).mechanism.queries
    assert (query.query, query.segment, query.counted) == asked
    table = as_mechanism(program, of_four()).value
    assert query.written_out().values == table.values
    answers = audit(of_four(), program, "1", delta="1/8"), audit(of_four(), table, "1", delta="1/8")
    assert answers[0].leakage == answers[1].leakage
    assert answers[0].kept == answers[1].kept
    if query.dimension == 1:  # the kernel has checked what it returns
        assert noise_certificate(answers[0], Inputs())["kind"].startswith("noise-delta")


@pytest.mark.parametrize("name", OTHERS)
def test_other_queries_stay_tables(name):
    (query,) = audit(of_four(), OTHERS[name]).mechanism.queries
    assert isinstance(query, AdditiveNoise)
