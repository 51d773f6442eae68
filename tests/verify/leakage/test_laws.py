"""Conditional laws agree with their definition, exactly and in floats, however they are summed."""

from fractions import Fraction
from random import Random

from tests import seeds
from tests.brute.definitions import probabilities
from tests.soak.drawing import EXTREMES, WEIGHTS, Passed, binary, channel, framework

from pufferproof import Channel, Framework, Table
from pufferproof.verify.leakage import laws as subject
from pufferproof.verify.leakage.laws import ConditionalLaws


def law(space, mechanism, prior, secret):
    """P(. | secret) by its definition, or None if the secret is impossible."""
    theta = probabilities(space, prior)
    held = [space.databases[x] for x in space.secrets[secret]]
    mass = sum(theta[x] for x in held)
    if not mass:
        return None
    return [sum(theta[x] * mechanism.probability(x, y) for x in held) / mass for y in mechanism.outputs]


def drawn(seed):
    draw = Random(seed)
    while True:
        try:
            space = framework(draw)
            mechanism = channel(draw, space, 4, draw.choice((*WEIGHTS, EXTREMES)))
            return space, binary(mechanism) if draw.random() < 0.3 else mechanism
        except Passed:
            pass


@seeds(80)
def test_laws_of_secrets_are_those_of_the_definition(seed, monkeypatch):
    space, mechanism = drawn(seed)
    monkeypatch.setattr(subject, "_DENSE_ENTRIES", seed % 2 * 10**6)
    for prior in space.priors:
        found = ConditionalLaws(space, mechanism, prior)
        expected = {name: law(space, mechanism, prior, name) for name in space.secrets}
        possible = [name for name, row in expected.items() if row is not None]
        assert found.secrets == possible
        assert [found.row[name] for name in possible] == [*range(len(possible))]
        assert [[*space.secrets][place] for place in found.place] == possible
        for name in possible:
            agrees(found, name, expected[name])


def agrees(found, name, expected):
    """Numbers of one secret, exact and in floats, against its law."""
    numerators, denominator = found.exact_row(name)
    assert [Fraction(number, denominator) for number in numerators] == expected
    outputs = range(len(expected))
    assert [Fraction(*found.exact(name, output)) for output in outputs] == expected
    for each, p in zip(found.probabilities_approx()[found.row[name]].tolist(), expected):
        assert abs(Fraction(each) - p) <= p / 10**15 + Fraction(2) ** -1000
    if found.reliable:
        for each, p in zip(found.floats_approx[found.row[name]].tolist(), expected):
            assert abs(Fraction(each) - p) <= Fraction(found.tolerance) / 2 * p


def of_two(entry, weight=Fraction(1, 2)):
    space = Framework(
        "abc",
        {"s": "a", "t": "bc"},
        [("s", "t")],
        {"p": Table({"a": weight, "b": Fraction(1, 4), "c": Fraction(3, 4) - weight})},
    )
    rows = {"a": [entry, 1 - entry], "b": ["1/2", "1/2"], "c": ["1/2", "1/2"]}
    return ConditionalLaws(space, Channel.of(rows, "uv"), "p")


def test_floats_are_relied_on_only_where_no_product_underflows():
    for entry, weight, reliable in [
        (Fraction(1, 2), Fraction(1, 2), True),
        (Fraction(1, 2**958), Fraction(1, 4), False),
        (Fraction(1, 2**957), Fraction(1, 4), True),
        (Fraction(1, 2), Fraction(1, 2**959), False),
        (Fraction(1, 2), Fraction(1, 2**958), True),
        (Fraction(1, 2), Fraction(1, 2**1200), False),
        (Fraction(0), Fraction(1, 2), True),
        (Fraction(1, 2), Fraction(0), True),
    ]:
        assert of_two(entry, weight).reliable is reliable


def test_the_tolerance_grows_with_the_databases_of_a_secret():
    """Twice what k terms lose, and twice that: k + 8 units of 2^-53 each, and a ratio has two."""
    assert of_two(Fraction(1, 3)).tolerance == (2 + 16) * 2.0**-50
