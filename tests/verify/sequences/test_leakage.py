"""Local mechanisms on sequences: equal to the audit of everything written out, enclosed where
long, decided at breakpoints.
"""

import random
from fractions import Fraction
from itertools import product

import pytest
from tests import seeds

from pufferproof import Channel, Framework, Level, MarkovChain, ModelError, Product, Records, Verdict, audit
from pufferproof.models.sequences.binary import BinaryChain
from pufferproof.models.sequences.local import LocalMechanism
from pufferproof.models.sequences.redaction import LocalRedaction
from pufferproof.verify.sequences import leakage as by_pairs
from pufferproof.verify.sequences import sides as directions
from pufferproof.verify.sequences import sides as local_laws
from pufferproof.verify.sequences import sides as local_outputs
from pufferproof.verify.sequences import sides as local_sides
from pufferproof.verify.sequences.leakage import local_leakage
from pufferproof.verify.sequences.redaction.leakage import redaction_leakage

COIN = [["3/4", "1/4"], ["1/4", "3/4"]]


def drawn_law(draw, size, zeros):
    while True:
        weights = [draw.choice([0, 1, 2, 3, 5] if zeros else [1, 2, 3, 5]) for _ in range(size)]
        if sum(weights):
            return [Fraction(weight, sum(weights)) for weight in weights]


def drawn_chain(draw, size, zeros):
    while True:
        rows = [drawn_law(draw, size, zeros) for _ in range(size)]
        try:
            chain = MarkovChain("stationary" if draw.random() < 0.5 else drawn_law(draw, size, zeros), rows)
            chain.initial_law()
        except ModelError:  # several recurrent classes
            continue
        return chain


def drawn_mechanism(draw, alphabet, count, zeros):
    size = len(alphabet)
    if draw.random() < 0.5:
        entries = [Fraction(0), Fraction(1), Fraction(1), Fraction(1, 2), Fraction(1, 3)]
        hidden = [Fraction(1)] * size
        rows = [hidden if draw.random() < 0.2 else draw.choices(entries, k=size) for _ in range(count)]
        return LocalMechanism.redacting(alphabet, rows)
    outputs = "uvw"[: draw.randint(1, 3)]
    records = [[drawn_law(draw, len(outputs), zeros) for _ in range(size)] for _ in range(count)]
    return LocalMechanism.of(alphabet, outputs, records)


def secrets_of(records, count, alphabet):
    return {f"x{t}={value}": (t, value) for t in records for value in alphabet if t <= count}


def frameworks(count, alphabet, records, priors):
    """The same framework on sequences and written out."""
    space, secrets = Records(count, tuple(alphabet)), secrets_of(records, count, alphabet)
    long = Framework.of_records(space, secrets, "disjoint", priors)
    return long, Framework.of_records(space, secrets, list(long.pairs), priors)


def something_to_check(framework):
    return any(
        all(framework.mass(prior, name) for name in pair) for prior in framework.priors for pair in framework.pairs
    )


def likelihoods(framework, channel, witness):
    """P(output | pair[0]) and P(output | pair[1]), from the definition."""
    law, output = framework.laws[witness.prior], channel.outputs.index(witness.output)
    found = []
    for secret in witness.pair:
        held = framework.secrets[secret]
        joint = sum(law.weights[x] * Fraction(channel.numerator(x, output), channel.denominators[x]) for x in held)
        found.append(joint / sum(law.weights[x] for x in held))
    return found


@seeds(240)
def test_it_is_the_audit_of_what_is_written_out(seed):
    draw = random.Random(seed)
    size = draw.choice([2, 2, 2, 3, 3, 4])
    count, zeros, alphabet = (draw.randint(1, {2: 4, 3: 3, 4: 2}[size]), draw.random() < 0.4, "abcd"[:size])
    priors = {
        f"theta{i}": Product([drawn_law(draw, size, zeros) for _ in range(count)])
        if draw.random() < 0.2
        else drawn_chain(draw, size, zeros)
        for i in range(draw.randint(1, 2))
    }
    mechanism = drawn_mechanism(draw, alphabet, count, zeros)
    long, listed = frameworks(count, alphabet, range(1, count + 1), priors)
    channel = mechanism.channel()
    if not something_to_check(listed):
        for nothing in (lambda: audit(listed, channel), lambda: local_leakage(long, mechanism)):
            with pytest.raises(ModelError, match="nothing to check"):
                nothing()
        return
    expected = audit(listed, channel)
    found = local_leakage(long, mechanism)
    assert (found.leakage, found.scope) == (expected.leakage, expected.scope)
    assert (found.witness.prior, found.witness.pair) == (expected.witness.prior, expected.witness.pair)
    above, below = likelihoods(listed, channel, found.witness)
    assert above > 0
    assert (above / below if below else None) == found.leakage.ratio == found.ratio[0] == found.ratio[1]
    assert (found.revealing is None) == (below > 0)


def sequence_chain(chain, count, alphabet):
    secrets = secrets_of([1], count, alphabet)
    return Framework.of_records(Records(count, tuple(alphabet)), secrets, "disjoint", {"theta": chain}).chains["theta"]


@seeds(12)
def test_laws_that_are_enclosed_are_within_their_bound(seed):
    for keep in [24, 64, 128]:
        draw = random.Random(seed)
        size = draw.choice([2, 3, 4])
        laws = local_laws.Laws(sequence_chain(drawn_chain(draw, size, seed % 2), 500, "abcd"[:size]))
        for record in (1, 2, 3, 17, 300, 500):
            exact, none = laws.law(record, None)
            found, slack = laws.law(record, keep)
            assert none == 0 <= slack < Fraction(500 * size, 2 ** (keep - 4))
            positive = [x for x in range(size) if exact[x]]
            assert positive == [x for x in range(size) if found[x]] == list(laws.support(record))
            for a, b in product(positive, repeat=2):
                true = Fraction(exact[a], exact[b])
                assert true <= Fraction(found[a], found[b]) * (1 + slack)


def long_case(seed, size, count):
    draw = random.Random(seed)
    alphabet, zeros = "abcd"[:size], draw.random() < 0.3
    chain, private = drawn_chain(draw, size, zeros), draw.randint(1, count)
    while sum(map(bool, local_laws.Laws(sequence_chain(chain, count, alphabet)).law(private, None)[0])) < 2:
        chain = drawn_chain(draw, size, zeros)
    if draw.random() < 0.5:
        hidden, entries = ([Fraction(1)] * size, [Fraction(1), Fraction(1), Fraction(1, 2), Fraction(1, 3)])
        rows = [
            hidden if t == private or draw.random() < 0.3 else draw.choices(entries, k=size)
            for t in range(1, count + 1)
        ]
        mechanism = LocalMechanism.redacting(alphabet, rows)
    else:
        kinds = [[drawn_law(draw, 2, False) for _ in range(size)] for _ in range(3)]
        mechanism = LocalMechanism.of(alphabet, "uv", [draw.choice(kinds) for _ in range(count)])
    secrets = secrets_of([private], count, alphabet)
    return Framework.of_records(Records(count, tuple(alphabet)), secrets, "disjoint", {"theta": chain}), mechanism


def enclosed(monkeypatch):
    """Round and look through windows wherever numbers are longer than a few bits."""
    for module, name in [
        (local_sides, "_MAX_BITS"),
        (local_sides, "_MAX_BITS_MANY"),
        (local_outputs, "_MAX_BITS"),
        (local_laws, "MAX_BITS"),
    ]:
        monkeypatch.setattr(module, name, 10)
    monkeypatch.setattr(local_sides, "_FIRST_WINDOW", 4)
    monkeypatch.setattr(by_pairs, "_binary", lambda *_: False)


@pytest.mark.parametrize(("size", "count", "seed"), [(2, 120, s) for s in range(20)] + [(3, 14, s) for s in range(12)])
def test_enclosures_hold_what_is_exact(monkeypatch, size, count, seed):
    framework, mechanism = long_case(seed, size, count)
    exact = local_leakage(framework, mechanism).leakage
    enclosed(monkeypatch)
    bounds = local_leakage(framework, mechanism).leakage
    assert exact.ratio is not None or exact.infinite
    if exact.infinite:
        assert bounds.infinite
    else:
        assert bounds.lower <= exact.ratio <= bounds.upper <= bounds.lower * (1 + Fraction(1, 2**60))


@seeds(12)
def test_cones_agree_with_the_nearest_released_records(monkeypatch, seed):
    draw = random.Random(seed)
    alpha, beta = (Fraction(draw.randint(1, 9), 10) for _ in range(2))
    count, private = 30, draw.choice([1, 2, 15, 29, 30])
    rows = [
        [draw.choice([0, 1, 1, Fraction(1, 3)]) for _ in "01"] if t != private else [1, 1] for t in range(1, count + 1)
    ]
    chain = BinaryChain(alpha, beta, count)
    expected = redaction_leakage(chain, LocalRedaction(rows), private).leakage
    framework = Framework.of_records(
        Records(count, ("0", "1")), secrets_of([private], count, "01"), "disjoint", {"chain": chain.prior()}
    )
    mechanism = LocalMechanism.redacting("01", rows)
    assert local_leakage(framework, mechanism).leakage == expected
    monkeypatch.setattr(by_pairs, "_binary", lambda *_: False)
    assert local_leakage(framework, mechanism).leakage == expected


def sticky(count, private, mechanism, stay="3/4", initial="stationary"):
    chain = MarkovChain(initial, [[stay, 1 - Fraction(stay)], [1 - Fraction(stay), stay]])
    secrets = secrets_of([private], count, "01")
    return Framework.of_records(Records(count, ("0", "1")), secrets, "disjoint", {"theta": chain}), mechanism


def redacted_within(count, private, distance):
    rows = [[1, 1] if abs(t - private) <= distance else [0, 0] for t in range(1, count + 1)]
    return LocalMechanism.redacting("01", rows)


def test_a_hundred_thousand_records_by_hand():
    framework, mechanism = sticky(10**5, 5 * 10**4, redacted_within(10**5, 5 * 10**4, 1))
    # 1/2 (1 + 1/4) against 1/2 (1 - 1/4), on either side
    found = audit(framework, mechanism, "log(25/9)")
    assert (found.leakage.ratio, found.verdict, found.trust) == (Fraction(25, 9), Verdict.SATISFIES, ("EXACT",))
    assert found.as_json()["checked"] is None
    framework, mechanism = sticky(999, 500, redacted_within(999, 500, 1))
    below = Level.log(Fraction(25, 9) - Fraction(1, 10**9))
    assert audit(framework, mechanism, below).verdict is Verdict.VIOLATES


def test_records_that_reveal_are_named():
    rows = [[1, 1]] * 50
    framework, _ = sticky(50, 20, None, "3/4")
    for record in (20, 24, 3):
        shown = [list(row) for row in rows]
        shown[record - 1] = [0, 0]
        # turns round
        chain = MarkovChain(["1/3", "1/3", "1/3"], [["0", "1", "0"], ["0", "0", "1"], ["1", "0", "0"]])
        space = Framework.of_records(
            Records(50, ("a", "b", "c")), secrets_of([20], 50, "abc"), "disjoint", {"t": chain}
        )
        found = local_leakage(space, LocalMechanism.redacting("abc", [[*row, row[0]] for row in shown]))
        assert (found.leakage.infinite, found.revealing, found.ratio) == (True, record, (None, None))
    assert not local_leakage(framework, LocalMechanism.redacting("01", rows)).leakage.infinite


def test_priors_that_exclude_a_value_are_counted():
    never = MarkovChain(["1", "0"], [["1", "0"], ["1/2", "1/2"]])
    mixed = MarkovChain("stationary", COIN)
    space, secrets = Records(2_000, ("0", "1")), secrets_of([9], 2_000, "01")
    mechanism = LocalMechanism.of("01", "01", [COIN] * 2_000)
    both = local_leakage(Framework.of_records(space, secrets, "disjoint", {"never": never, "mixed": mixed}), mechanism)
    assert (both.scope.excluded, both.scope.never_checked, both.witness.prior) == (1, (), "mixed")
    with pytest.raises(ModelError, match="nothing to check"):
        local_leakage(Framework.of_records(space, secrets, "disjoint", {"never": never}), mechanism)


def test_more_priors_pairs_or_records_never_leak_less():
    draw = random.Random(5)
    mechanism = LocalMechanism.of("abc", "uv", [[drawn_law(draw, 2, False) for _ in "abc"] for _ in range(9)])
    priors = {f"t{i}": drawn_chain(draw, 3, False) for i in range(2)}
    least = Fraction(1)
    for records in ([4], [4, 5], range(1, 10)):
        space = Framework.of_records(Records(9, tuple("abc")), secrets_of(records, 9, "abc"), "disjoint", priors)
        found = local_leakage(space, mechanism).leakage.ratio
        assert found >= least
        least = found


def test_too_many_directions_are_refused(monkeypatch):
    monkeypatch.setattr(directions, "MAX_DIRECTIONS", 3)
    monkeypatch.setattr(directions, "_MAX_EXACT", 3)
    draw = random.Random(1)
    mechanism = LocalMechanism.of("abcd", "uvw", [[drawn_law(draw, 3, False) for _ in "abcd"] for _ in range(6)])
    chain = drawn_chain(draw, 4, False)
    space = Framework.of_records(Records(6, tuple("abcd")), secrets_of([1], 6, "abcd"), "disjoint", {"t": chain})
    with pytest.raises(ModelError, match="over 3 extreme directions"):
        local_leakage(space, mechanism)


def test_merging_directions_leaves_a_certified_interval(monkeypatch):
    draw = random.Random(4)
    kinds = [[drawn_law(draw, 2, False) for _ in "abcd"] for _ in range(2)]
    mechanism = LocalMechanism.of("abcd", "uv", [kinds[t % 2] for t in range(9)])
    chain = drawn_chain(draw, 4, False)
    space = Framework.of_records(Records(9, tuple("abcd")), secrets_of([1, 5], 9, "abcd"), "disjoint", {"t": chain})
    exact = local_leakage(space, mechanism).leakage
    assert exact.ratio is not None

    def merged(cones, records, start, pairs, keep):
        return cones._nearly(records, len(records), start, pairs, (keep, 26))

    monkeypatch.setattr(local_sides.Cones, "reaches", merged)
    bounds = local_leakage(space, mechanism).leakage
    assert bounds.lower < exact.ratio < bounds.upper <= bounds.lower * Fraction(101, 100)
    assert bounds.upper > bounds.lower * (1 + Fraction(1, 2**40))  # merged, not merely rounded
    assert audit(space, mechanism, Level.log(exact.ratio)).verdict is Verdict.UNDECIDED
    assert audit(space, mechanism, Level.log(exact.ratio * Fraction(51, 50))).verdict is Verdict.SATISFIES


@pytest.mark.parametrize("seed", range(6))
def test_far_records_that_tell_much_but_seldom_leave_the_witness_where_it_is(monkeypatch, seed):
    """Beyond a window an output follows what speaks most for the likelier value, so that it
    never falls behind.
    """
    draw = random.Random(seed)
    rare = Fraction(1, 2**40)
    kinds = [[[1 - rare, rare], [rare, 1 - rare]], [[1 - rare, rare], [1 - rare**2, rare**2]], COIN]
    mechanism = LocalMechanism.of("01", "uv", [draw.choice(kinds) for _ in range(60)])
    framework, _ = sticky(60, draw.randint(1, 60), mechanism, "999/1000")
    exact = local_leakage(framework, mechanism)
    enclosed(monkeypatch)
    found = local_leakage(framework, mechanism)
    assert found.leakage.lower <= exact.leakage.ratio <= found.leakage.upper
    assert found.ratio[1] >= found.leakage.lower


def test_a_joint_release_is_local_and_written_out_alike():
    draw = random.Random(3)
    first, second = (drawn_mechanism(draw, "ab", 2, True) for _ in range(2))
    long, listed = frameworks(2, "ab", [1, 2], {"t": drawn_chain(draw, 2, False)})
    both = first.beside(second)
    rows = {
        label: {
            f"{y}/{z}": first.channel().probability(label, y) * second.channel().probability(label, z)
            for y in first.channel().outputs
            for z in second.channel().outputs
        }
        for label in listed.databases
    }
    assert local_leakage(long, both).leakage == audit(listed, Channel.of(rows)).leakage


def test_outputs_are_labelled_as_databases_are():
    assert LocalMechanism.redacting(("on", "off"), [["1/2", 1]] * 2).channel().outputs[:4] == (
        "on,on",
        "on,off",
        "on,*",
        "off,on",
    )
    assert LocalMechanism.redacting("01", [["1/2", 1]] * 2).channel() == LocalRedaction([["1/2", 1]] * 2).channel()


def test_randomized_response_on_many_records_is_enclosed_and_decided():
    framework, mechanism = sticky(10**5, 10, LocalMechanism.of("01", "01", [COIN] * 10**5))
    found = audit(framework, mechanism)
    side = Fraction(1) + 1  # slopes solve s = (3 * 3 s + 1) / (3 s + 3), the limit on either side
    for _ in range(60):
        side = (9 * side + 1) / (3 * side + 3)
    limit = 3 * side**2
    assert found.leakage.ratio is None
    assert found.trust == ("EXACT", "INTERVAL")
    assert found.leakage.lower <= found.leakage.upper < limit * (1 + Fraction(1, 10**9))
    assert found.leakage.lower > limit * Fraction(999, 1000)  # 9 records on the left are nearly all
    assert audit(framework, mechanism, Level.log(limit * 2)).verdict is Verdict.SATISFIES
    assert audit(framework, mechanism, "1").verdict is Verdict.VIOLATES
