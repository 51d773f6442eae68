"""What records along chains leak and how far they influence each other, against enumeration of all
sequences.
"""

from fractions import Fraction
from random import Random

from tests.brute import influence as brute
from tests.brute.definitions import leakage as brute_leakage
from tests.brute.redaction import largest_ratio, likelihoods, part, utility
from tests.soak.drawing import HIDDEN, Passed, chain, law, records, redaction

from pufferproof import BayesianNetwork, LocalMechanism, MarkovChain, Records, influence_curve
from pufferproof.models.errors import ModelError
from pufferproof.models.sequences.chain import Along
from pufferproof.verify.influence.chain import ChainInfluence
from pufferproof.verify.sequences.leakage import local_leakage
from pufferproof.verify.sequences.redaction.leakage import redaction_leakage

Both = tuple[object, object]


def quilts(draw: Random) -> Both:
    """The influence of every quilt of a record."""
    size = draw.choice((2, 2, 3))
    prior, length = chain(draw, size), draw.randint(1, 5 if size == 2 else 4)
    record = draw.randint(1, length)
    joint = brute.sequence_law(prior.initial_law(), prior.transition, length)
    exact = ChainInfluence(Along(prior, length))
    found, expected = [], []
    for left in (None, *range(1, record)):
        for right in (None, *range(1, length - record + 1)):
            shown = [record - left] if left is not None else []
            shown += [record + right] if right is not None else []
            want = brute.largest(brute.conditional(joint, record, shown))
            found.append(tuple(exact.of(record, left, right)))
            expected.append((want, want))
    return found, expected


def curves(draw: Random) -> Both:
    """The influence curve of all records."""
    space = records(draw)
    (prior,) = space.priors.values()
    assert space.records is not None
    count = space.records.count
    if isinstance(prior, MarkovChain):
        joint = brute.sequence_law(prior.initial_law(), prior.transition, count)
    else:
        joint = independent(prior.rows)
    pairs = [secrets_of(space, pair) for name in space.pairs for pair in (name, name[::-1])]
    curve = influence_curve(space)
    return [tuple(point.ratio) for point in curve], [(each, each) for each in brute.curve([joint], pairs, count)]


def independent(rows):
    """The law of independent records."""
    joint = {(): Fraction(1)}
    for row in rows:
        joint = {(*x, v): p * q for x, p in joint.items() for v, q in enumerate(row) if q}
    return joint


def secrets_of(space, pair):
    places = (each[1:].split("=") for each in pair)
    return tuple(brute.value_at(int(record), int(value)) for record, value in places)


def networks(draw: Random) -> Both:
    """The law of a Bayesian network by elimination."""
    count, size = draw.randint(1, 4), draw.choice((2, 2, 3))
    alphabet, parents, tables = "012"[:size], {}, {}
    for record in range(1, count + 1):
        parents[record] = [other for other in range(1, record) if draw.random() < 0.5]
        keys = [""]
        for _ in parents[record]:
            keys = [key + value for key in keys for value in alphabet]
        tables[record] = {key: law(draw, size) for key in keys}
    network, space = BayesianNetwork(parents, tables), Records(count, tuple(alphabet))
    labels, expected = space.labels(), []
    found = network.law(labels, space)
    for label in labels:
        p = Fraction(1)
        for record, above in parents.items():
            row = tables[record]["".join(label[other - 1] for other in above)]
            p *= row[alphabet.index(label[record - 1])]
        expected.append(p)
    return [Fraction(weight, found.total) for weight in found.weights], expected


def local(draw: Random) -> Both:
    """The leakage of a mechanism of every record alone, without a list of sequences."""
    space = records(draw)
    assert space.records is not None
    count, alphabet = space.records.count, space.records.alphabet
    outputs = "uvw"[: draw.randint(1, 3)]
    if draw.random() < 0.4:
        rows = [[draw.choice(HIDDEN) for _ in alphabet] for _ in range(count)]
        mechanism = LocalMechanism.redacting(alphabet, rows)
    else:
        laws = [[law(draw, len(outputs)) for _ in alphabet] for _ in range(count)]
        mechanism = LocalMechanism.of(alphabet, outputs, laws)
    found = local_leakage(space, mechanism)
    best, _ = brute_leakage(space, mechanism.channel())
    return found.leakage.ratio, best


def redactions(draw: Random) -> Both:
    """The leakage of a redaction, that of both sides, and its utility."""
    binary, profile, private = redaction(draw)
    try:
        found = redaction_leakage(binary, profile, private)
    except ModelError:  # a value of the private record that is impossible
        if 0 in binary.law(private):
            raise Passed from None
        raise
    table = likelihoods(binary, profile, private)
    sides = [part(table, slice(0, private)), part(table, slice(private - 1, None))]
    expected = [largest_ratio(each) for each in (table, *sides)]
    ratios = [each.ratio for each in (found.leakage, found.left, found.right)]
    return (ratios, profile.utility(binary)), (expected, utility(binary, profile))
