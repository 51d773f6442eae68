"""Claims on both mechanisms: what they prove and refute holds on small frameworks,
from the definitions.
"""

from fractions import Fraction
from itertools import product
from random import Random

import pytest
from tests.brute.quilts import quilts_of_every_set
from tests.claims.examination import examined

from pufferproof import Framework, Level, Records, Table
from pufferproof.models.influence.network import NetworkQuilts
from pufferproof.models.noise.additive import AdditiveNoise, Noise
from pufferproof.models.noise.distance import line_distance
from pufferproof.models.priors.bayesian_network import BayesianNetwork
from pufferproof.verify.noise.leakage import noise_leakage


@pytest.mark.claims
def test_a_private_mechanism_distinguishes_two_people_by_more_than_its_level():
    """P(u | X_1 = 1) / P(u | X_2 = 0) for the printed pairs, from the joint law."""
    law = {
        (x, y): (Fraction(1, 10) if x else Fraction(9, 10))
        * (Fraction(9, 10) if y else Fraction(1, 10))
        for x, y in product((0, 1), repeat=2)
    }
    entry = {
        (0, 0): Fraction(1, 16),
        (0, 1): Fraction(1, 8),
        (1, 0): Fraction(1, 8),
        (1, 1): Fraction(1, 4),
    }
    given = []
    for event in (lambda z: z[0] == 1, lambda z: z[1] == 0):
        mass = sum(law[z] for z in law if event(z))
        given.append(sum(law[z] * entry[z] for z in law if event(z)) / mass)
    evidence = examined("wang2016.dp-special-case").readings[0].evidence
    assert given[0] / given[1] == evidence["ratio"] == Fraction(38, 11)
    for x, y in product(entry, repeat=2):
        if sum(i != j for i, j in zip(x, y)) == 1:
            assert entry[x] <= 2 * entry[y]
            assert 1 - entry[x] <= 2 * (1 - entry[y])


def test_the_wasserstein_mechanism_keeps_its_level_on_random_frameworks():
    rng = Random(0)
    for _ in range(20):
        labels = "abcdef"
        weights = [rng.randint(0, 3) for _ in labels]
        weights[0], weights[-1] = 1, 2
        prior = {x: Fraction(w, sum(weights)) for x, w in zip(labels, weights)}
        query = {x: rng.randint(0, 5) for x in labels}
        secrets = {"s": list("abc"), "t": list("def")}
        framework = Framework(list(labels), secrets, [("s", "t")], {"theta": Table(prior)})
        laws = []
        for held in secrets.values():
            mass, law = sum(prior[x] for x in held), {}
            for x in held:
                law[query[x]] = law.get(query[x], Fraction(0)) + prior[x] / mass
            laws.append(law)
        distance = line_distance(*laws)
        if distance:
            found = noise_leakage(framework, AdditiveNoise(query, Noise.laplace(2 * distance)))
            assert found.compare(Level.of_nats("1/2")) <= 0


def test_the_quilt_mechanism_keeps_its_level_on_all_networks_of_three_bits():
    rng, level = Random(1), Fraction(4)
    for arrows in product((False, True), repeat=3):
        edges = [edge for edge, taken in zip([(1, 2), (1, 3), (2, 3)], arrows) if taken]
        parents = {str(i): [str(j) for j, k in edges if k == i] for i in (1, 2, 3)}
        cpt = {}
        for node, above in parents.items():
            rows = {}
            for values in product("01", repeat=len(above)):
                p = Fraction(rng.randint(2, 6), 8)
                rows["".join(values)] = [str(p), str(1 - p)]
            cpt[node] = rows
        network, records = BayesianNetwork(parents, cpt), Records(3, ("0", "1"))
        quilts = NetworkQuilts(network, records)
        scores = [_best(quilts, node, level) for node in (1, 2, 3)]
        count, ratio = max(scores, key=lambda score: score[0] / _log(score[1]))
        secrets = {f"x{t}={v}": (t, v) for t in (1, 2, 3) for v in "01"}
        pairs = [(f"x{t}=0", f"x{t}=1") for t in (1, 2, 3)]
        framework = Framework.of_records(records, secrets, pairs, {"theta": network})
        noise = Noise.laplace(f"{count}/log({ratio.numerator}/{ratio.denominator})")
        for query in ("sum", _wave):
            release = (
                AdditiveNoise.of_records("sum", records, noise)
                if query == "sum"
                else AdditiveNoise({x: query(x) for x in records.labels()}, noise)
            )
            assert noise_leakage(framework, release).compare(Level.log(level)) <= 0


def _wave(label):
    """A 1-Lipschitz query that is not a count."""
    return abs(label.count("1") - 1)


def _best(quilts, node, level):
    found = []
    for quilt in quilts_of_every_set(quilts, node):
        influence = quilts.influence(node, quilt.quilt)
        if influence is not None and influence < level:
            found.append((len(quilt.nearby), level / influence))
    return min(found, key=lambda score: score[0] / _log(score[1]))


def _log(ratio):
    from math import log

    return log(ratio)


@pytest.mark.claims
def test_the_weights_of_equation_7_cannot_be_dropped():
    """Both sides of (7) at the counterexample, by integrating over X_2 and by leaving its law
    out.
    """
    evidence = examined("wang2016.A2-eq7").readings[0].evidence
    table, weight, w = evidence["F(00) F(01) F(10) F(11)"], evidence["P(X_2=0)"], evidence["w"]
    density = {
        (x, y): Fraction(1, 2) ** abs(w - table[2 * x + y]) for x, y in product((0, 1), repeat=2)
    }
    law = {0: weight, 1: 1 - weight}
    left = sum(law[y] * density[0, y] for y in law) / sum(law[y] * density[1, y] for y in law)
    right = sum(density[0, y] for y in law) / sum(density[1, y] for y in law)
    assert (left, right) == (evidence["left side of (7)"], evidence["right side of (7)"])
    assert left > right
    for x, y in product(density, repeat=2):
        if sum(i != j for i, j in zip(x, y)) == 1:
            assert abs(table[2 * x[0] + x[1]] - table[2 * y[0] + y[1]]) <= 1


@pytest.mark.claims
def test_the_distance_may_be_half_the_sensitivity():
    evidence = examined("wang2016.wass-gs").readings[0].evidence
    values = list(evidence["F"].values())
    absent = evidence["F"]["-"]
    assert max(abs(value - absent) for value in values) == evidence["W"]
    assert max(values) - min(values) == evidence["GS"] == 2 * evidence["W"]


@pytest.mark.claims
def test_a_release_that_hides_presence_tells_two_present_values_apart():
    found = examined("wang2016.wass-gs")
    readings = {reading.name: reading for reading in found.readings}
    evidence = readings["one private value changes: Pufferfish is DP"].evidence
    outputs = {value: (x, 1 - x) for value, x in evidence["P(u|value)"].items()}
    ratio = {
        x + y: max(s / t for s, t in zip(outputs[x], outputs[y]))
        for x, y in product(outputs, repeat=2)
    }
    assert (
        max(ratio[x] for x in ("a-", "-a", "b-", "-b")) == evidence["e^epsilon of Pufferfish"] == 2
    )
    assert max(ratio.values()) == ratio["ab"] == evidence["of DP"] == 4
    assert readings["presence against absence: Pufferfish is DP"].verdict.value == "TRIED"
