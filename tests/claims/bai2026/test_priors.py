"""Section 4 of "Composition for Pufferfish Privacy" on sets of priors: verdicts, and leakages
from the definition.
"""

import random
from fractions import Fraction
from itertools import combinations, product
from math import prod

import pytest
from tests.brute import definitions as brute
from tests.brute.families import distance, level, likelihood_ratio, random_channel
from tests.claims.examination import examined
from tests.claims.rules import (
    evidence,
)

from pufferproof import Channel, Framework, Records, Table
from pufferproof.claims.papers.bai2026.collapse.related import (
    partitions,
    query_law,
    representatives,
    worst_ratio,
)
from pufferproof.claims.registry import Check
from pufferproof.verify.proof.argument import ClaimVerdict

HALF = Fraction(1, 2)
CUBE = list(product((0, 1), repeat=3))


def of_paper(name: str) -> Check:
    return examined(f"bai2026.{name}")


@pytest.mark.claims
def test_what_other_papers_show_is_not_decided_here():
    check = of_paper("related")
    assert check.verdict is ClaimVerdict.OPEN
    assert [each.obstacle is None for each in check.readings] == [True, True, True, False, False]
    assert {step.kind for each in check.readings[3:] for step in each.steps} == {"assume"}
    assert {miss.name.rpartition(": ")[0] for miss in check.near_misses} == {
        each.name for each in check.readings[:3]
    }
    assert all(any(step.refuted for step in miss.steps) for miss in check.near_misses)


# Large sets of priors


def values(records):
    return {f"x{t + 1}={v}": (t + 1, v) for t in range(records.count) for v in records.alphabet}


def one_record(x, z):
    return distance(x, z) == 1


@pytest.mark.parametrize(("count", "alphabet"), [(2, "01"), (3, "01"), (2, "012")])
def test_under_product_priors_the_leakage_is_that_of_differential_privacy(count, alphabet):
    """Vertices: the other records known, one even on two values; and products with any weights
    do not exceed them.
    """
    rng = random.Random(7)
    records = Records(count, tuple(alphabet))
    labels = records.labels()
    pairs = [
        (f"x{t + 1}={v}", f"x{t + 1}={w}")
        for t in range(count)
        for v, w in combinations(alphabet, 2)
    ]
    vertices = {
        f"{x}{z}": Table({x: HALF, z: HALF}) for x, z in combinations(labels, 2) if one_record(x, z)
    }
    for _ in range(4):
        channel = random_channel(rng, labels, zeros=False)
        known = Framework.of_records(records, values(records), pairs, vertices)
        dp = level(channel, one_record)
        assert brute.leakage(known, channel)[0] == dp
        rows = [[rng.randint(1, 4) for _ in alphabet] for _ in range(count)]
        weights = dict.fromkeys(labels, 1)
        for x in labels:
            for t, v in enumerate(x):
                weights[x] *= rows[t][alphabet.index(v)]
        total = sum(weights.values())
        other = {"other": Table({x: Fraction(w, total) for x, w in weights.items()})}
        assert (
            brute.leakage(Framework.of_records(records, values(records), pairs, other), channel)[0]
            <= dp
        )
        against = {
            f"not x{t + 1}={v}": [x for x in labels if x[t] != v]
            for t in range(count)
            for v in alphabet
        }
        opposite = [(f"x{t + 1}={v}", f"not x{t + 1}={v}") for t in range(count) for v in alphabet]
        for priors in (vertices, other):
            found = brute.leakage(
                Framework.of_records(records, {**values(records), **against}, opposite, priors),
                channel,
            )[0]
            assert found <= dp
            assert priors is other or found == dp


@pytest.mark.claims
def test_all_priors_ask_for_more_than_differential_privacy():
    found = evidence(of_paper("allpriors-is-dp"))
    channel = found["mechanism"]
    assert level(channel, one_record) == 2
    assert brute.leakage(found["framework"], channel)[0] == found["ratio of 00 to 11"] == 3
    for denominator in (2, 3):  # no counterexample has a smaller common denominator
        for numbers in product(range(denominator + 1), repeat=4):
            rows = {
                x: Fraction(number, denominator)
                for x, number in zip(("00", "01", "10", "11"), numbers)
            }
            smaller = Channel.of({x: [u, 1 - u] for x, u in rows.items()}, ["u", "v"])
            assert max(
                likelihood_ratio(smaller, "00", "11"), likelihood_ratio(smaller, "11", "00")
            ) <= level(smaller, one_record)


@pytest.mark.claims
def test_one_pair_under_all_priors_leaves_databases_with_one_secret_apart():
    found = evidence(of_paper("allpriors-is-dp"), 1)
    channel = found["mechanism"]
    crossing = [(x, z) for x, z in product(channel.databases, repeat=2) if x[0] != z[0]]
    assert max(likelihood_ratio(channel, x, z) for x, z in crossing) == 2
    assert (
        level(channel, one_record)
        == found["ratio of 00 to 01"]
        == 3
        == brute.leakage(found["framework"], channel)[0]
    )
    rng = random.Random(10)
    for _ in range(40):
        weights = [rng.randint(1, 9) for _ in channel.databases]
        theta = Table({x: Fraction(w, sum(weights)) for x, w in zip(channel.databases, weights)})
        secrets = {"s": ["00", "01"], "not s": ["10", "11"]}
        assert (
            brute.leakage(
                Framework(channel.databases, secrets, [("s", "not s")], {"any": theta}), channel
            )[0]
            <= 2
        )


# Which priors composition needs


@pytest.mark.claims
def test_frameworks_that_compose_without_extreme_priors():
    rng = random.Random(8)
    plain, pairs = (evidence(of_paper("priors-needed"), reading)["framework"] for reading in (4, 0))
    for framework in (plain, pairs):
        for _ in range(40):
            mechanisms = [random_channel(rng, framework.databases) for _ in range(2)]
            single = [brute.leakage(framework, mechanism)[0] for mechanism in mechanisms]
            joint = brute.leakage(framework, mechanisms[0].beside(*mechanisms[1:]))[0]
            if brute.INFINITE not in single:
                assert joint is not brute.INFINITE
                assert joint <= single[0] * single[1]
    given = brute.probabilities(pairs, "even")
    assert given["a"] / (given["a"] + given["b"]) == HALF


@pytest.mark.claims
def test_at_epsilon_zero_two_priors_can_silence_every_mechanism():
    framework = evidence(of_paper("priors-needed"), 1)["framework"]
    for numbers in product(range(5), repeat=3):
        rows = {
            x: [Fraction(number, 4), 1 - Fraction(number, 4)]
            for x, number in zip(framework.databases, numbers)
        }
        silent = brute.leakage(framework, Channel.of(rows, ["u", "v"]))[0] == 1
        assert silent == (len(set(numbers)) == 1)


@pytest.mark.claims
def test_two_priors_can_forbid_collapse_below_a_level():
    found = evidence(of_paper("priors-needed"), 2)
    framework, ratio = found["framework"], found["e^epsilon"]
    kept = 0
    for numbers in product(range(13), repeat=3):
        rows = {
            x: [Fraction(number, 12), 1 - Fraction(number, 12)]
            for x, number in zip(framework.databases, numbers)
        }
        mechanism = Channel.of(rows, ["u", "v"])
        single = brute.leakage(framework, mechanism)[0]
        if single is not brute.INFINITE and 1 < single <= ratio:
            kept += 1
            for x, z in product("ab", "t"):
                assert likelihood_ratio(mechanism, x, z) <= Fraction(17, 10)
                assert likelihood_ratio(mechanism, z, x) <= Fraction(20, 7)
    assert kept > 20
    rows = {
        x: [u, 1 - u] for x, u in zip("abt", (Fraction(0), Fraction(3, 4), Fraction(3, 8)))
    }  # above the threshold
    free = Channel.of(rows, ["u", "v"])
    assert brute.leakage(framework, free)[0] is not brute.INFINITE


def test_a_database_that_is_never_nearly_sure_breaks_two_runs():
    rng = random.Random(9)
    for _ in range(25):
        ratio = 1 + Fraction(rng.randint(1, 12), rng.randint(1, 6))
        priors, tops = {}, []
        for name in ("theta", "eta"):
            weights = [rng.randint(1, 5) for _ in "abct"]
            priors[name] = Table({x: Fraction(w, sum(weights)) for x, w in zip("abct", weights)})
            tops.append(Fraction(weights[0], sum(weights[:3])))
        framework = Framework("abct", {"s": "abc", "t": "t"}, [("s", "t")], priors)
        q, h, c = max(tops), 1 - 1 / ratio**2, (ratio - 1) / (2 * ratio**2)
        rest = ratio * c * (1 - q * h)
        shown = {"a": ratio * c * (1 + (1 - q) * h), "b": rest, "c": rest, "t": c}
        mechanism = Channel.of({x: [u, 1 - u] for x, u in shown.items()}, ["u", "v"])
        assert brute.leakage(framework, mechanism)[0] <= ratio
        assert brute.leakage(framework, mechanism.beside(mechanism))[0] > ratio**2


def given(theta, secret):
    total = sum(theta[x] for x in secret)
    return {x: theta[x] / total for x in secret if theta[x]} if total else {}


def largest(priors, pairs, rows, runs):
    """The largest P(w | s, theta) / P(w | t, theta) over priors, ordered pairs, sequences of
    outputs; secrets may overlap.
    """
    best = Fraction(0)
    for theta, (s, t) in product(priors, pairs):
        first, second = given(theta, s), given(theta, t)
        for outputs in product(*[range(len(rows["a"]))] * runs) if first and second else ():
            above, below = (
                sum(p * prod(rows[x][y] for y in outputs) for x, p in law.items())
                for law in (first, second)
            )
            if above and not below:
                return float("inf")
            best = max(best, above / below) if below else best
    return best


@pytest.mark.parametrize("both", [False, True])
def test_the_repaired_statement_on_random_disjoint_secrets(both):
    """Some databases impossible or outside both secrets, some priors without a secret: a
    database below 1 breaks two runs.
    """
    rng, seen = random.Random(14), 0
    for _ in range(60):
        ratio = 1 + Fraction(rng.randint(1, 9), rng.randint(1, 6))
        s, t = rng.choice([("ab", "cd"), ("abc", "d"), ("a", "bcd"), ("abd", "c")])
        weights = [[rng.choice([0, 1, 1, 2, 5]) for _ in "abcde"] for _ in range(rng.randint(1, 3))]
        priors = [
            {x: Fraction(w, sum(row)) for x, w in zip("abcde", row)} for row in weights if sum(row)
        ]
        laws = [given(theta, s) for theta in priors if given(theta, s) and given(theta, t)]
        pairs = [(s, t), (t, s)] if both else [(s, t)]
        for x in s:
            top = max((law.get(x, Fraction(0)) for law in laws), default=Fraction(0))
            if 0 < top < 1:
                seen += 1
                h, c = 1 - 1 / ratio**2, (ratio - 1) / (2 * ratio**2)
                shown = {
                    z: ratio * c * (1 + ((z == x) - top) * h) if z in s else c for z in "abcde"
                }
                rows = {z: [u, 1 - u] for z, u in shown.items()}
                assert largest(priors, pairs, rows, 1) <= ratio
                assert largest(priors, [(s, t)], rows, 2) > ratio**2
    assert seen > 30


@pytest.mark.claims
@pytest.mark.parametrize("reading", [0, 1])
def test_secrets_that_overlap_compose_without_extreme_priors(reading):
    found = evidence(of_paper("x-priors-overlap"), reading)
    priors, pairs = [found["prior"]], [("ab", "abc"), ("abc", "ab")][: 1 + reading]
    assert given(priors[0], "ab") == {"a": HALF, "b": HALF}
    level = [2, 1][reading]
    rng = random.Random(15)
    extreme = [
        Channel.of({x: [u, 1 - u] for x, u in zip("abc", row)}, ["u", "v"])
        for row in product((0, 1), repeat=3)
    ]
    for channel in [*extreme, *(random_channel(rng, "abc", "uvw") for _ in range(20))]:
        rows = {x: [channel.probability(x, y) for y in channel.outputs] for x in "abc"}
        for runs in (1, 2, 3):
            assert largest(priors, pairs, rows, runs) <= level
    tight = {"a": [HALF, HALF], "b": [Fraction(1), Fraction(0)], "c": [Fraction(0), Fraction(1)]}
    assert reading or largest(priors, pairs, tight, 1) > 1


@pytest.mark.claims
def test_a_database_that_no_prior_allows_needs_no_priors():
    """Why the proved reading asks for possible databases: b is impossible, and every mechanism
    composes.
    """
    rng = random.Random(12)
    framework = Framework(
        "abt", {"s": "ab", "t": "t"}, [("s", "t")], {"theta": Table({"a": HALF, "t": HALF})}
    )
    assert "every database possible" in of_paper("priors-needed").readings[3].name
    for _ in range(40):
        mechanisms = [random_channel(rng, framework.databases) for _ in range(2)]
        single = [brute.leakage(framework, mechanism)[0] for mechanism in mechanisms]
        if brute.INFINITE not in single:
            assert (
                brute.leakage(framework, mechanisms[0].beside(*mechanisms[1:]))[0]
                <= single[0] * single[1]
            )


# Noiseless privacy


def joint_ratio(queries, kept, count):
    """Largest ratio of answers given the first bit, over all data of every query, listed as one
    atom each.
    """
    given = {0: {}, 1: {}}
    for data in product(product((0, 1), repeat=count), repeat=len(queries)):
        if all(each[k] == data[0][k] for each in data for k in kept):
            answers = tuple(query(each) for query, each in zip(queries, data))
            given[data[0][0]][answers] = given[data[0][0]].get(answers, 0) + 1
    if set(given[0]) != set(given[1]):
        return float("inf")
    return max(max(Fraction(a, given[1][y]), Fraction(given[1][y], a)) for y, a in given[0].items())


def test_queries_compose_when_all_but_the_secret_bit_is_drawn_anew_and_not_when_one_more_is_kept():
    queries = [
        lambda x: x[1],
        lambda x: x[0] ^ x[1],
        lambda x: x[0] & x[1],
        lambda x: x[0] | x[2],
        lambda x: x[0] ^ x[1] ^ x[2],
    ]
    for first, second in product(queries, repeat=2):
        singles = [joint_ratio([query], (0,), 3) for query in (first, second)]
        assert joint_ratio([first, second], (0,), 3) <= singles[0] * singles[1]
    assert [joint_ratio([query], (0, 1), 3) for query in queries[:2]] == [1, 1]
    assert joint_ratio(queries[:2], (0, 1), 3) == float("inf")


@pytest.mark.parametrize("kept", [(0,), (0, 1)])
def test_queries_with_equal_counts_have_equal_joint_ratios(kept):
    rng = random.Random(13)
    queries = list(partitions(8))
    assert len(queries) == len(set(queries)) == 4140  # the Bell number of 8
    counted = {}
    for query in queries:
        lists = [
            tuple(
                sum(
                    1
                    for x, data in enumerate(CUBE)
                    if query[x] == y and all(data[k] == v for k, v in zip(kept, fixed))
                )
                for fixed in product((0, 1), repeat=len(kept))
            )
            for y in set(query)
        ]
        counted.setdefault(tuple(sorted(lists)), []).append(query)
    chosen = representatives(queries, 3, kept)
    assert {next(key for key, held in counted.items() if query in held) for query in chosen} == set(
        counted
    )
    assert len(chosen) == len(counted)
    classes = list(counted.values())
    for _ in range(30):
        drawn = [rng.choice(classes) for _ in range(2)]
        ratios = {
            worst_ratio(query_law([rng.choice(each) for each in drawn], 3, kept)) for _ in range(3)
        }
        assert len(ratios) == 1
