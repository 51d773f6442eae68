"""Families of instances: shared randomness keeps laws of parts, and faster sums agree."""

from itertools import permutations, product
from math import prod

import pytest
from tests import seeds

from pufferproof.claims.general.statements import recorded
from pufferproof.claims.language.instances import sums
from pufferproof.claims.language.instances.chains import chain, sequences
from pufferproof.claims.language.instances.frameworks import output_law
from pufferproof.claims.language.instances.redaction import STAR, local
from pufferproof.claims.language.instances.redaction import outputs as redacted
from pufferproof.claims.language.statements import Fraction
from pufferproof.claims.ours.noise.statements.decided import power_of, power_of_e
from pufferproof.claims.papers.streaming_cw.streams.statements import sliding
from pufferproof.claims.papers.wang2016.error_statements import _moments

F = Fraction


@seeds(20)
def test_coins_for_all_steps_keep_the_law_of_each_step(draws):
    drawn = sliding.stream(draws, ["apart", "coin", "one", "blocks"])
    both = [type(drawn)(**{**vars(drawn), "fresh": fresh}) for fresh in (True, False)]
    for k, i in product((0, 1), range(1, drawn.t + 1)):
        one, other = (sliding.one_step(each, k, i) for each in both)
        assert one == other


def by_histories(P, x, counts, left, missed):
    if missed(counts) or not left:
        return F(missed(counts))
    total = F(0)
    for y, p in enumerate(P[x]):
        after = [list(row) for row in counts]
        after[x][y] += 1
        total += p * by_histories(P, y, tuple(map(tuple, after)), left - 1, missed)
    return total


@pytest.mark.parametrize("seed", range(10))
def test_counts_of_recordings_agree_with_histories(draws):
    drawn = recorded.recordings(draws)
    size, r = len(drawn["P"]), drawn["r"]

    def missed(counts):
        return any(
            recorded.outside(k, sum(row) - k, drawn["P"][x][y], r)
            for x, row in enumerate(counts)
            for y, k in enumerate(row)
        )

    steps = min(drawn["steps"], 4)
    found = recorded._ever(drawn["P"], drawn["first"], steps, missed)
    assert found == by_histories(drawn["P"], drawn["first"], ((0,) * size,) * size, steps, missed)


def test_powers_are_right_to_forty_digits():
    little = F(1, 10**40)
    assert abs(power_of(F(9, 4), F(-1, 2)) - F(2, 3)) < little
    assert abs(power_of(F(8), F(2, 3)) - 4) < little
    assert abs(power_of_e(F(1, 2)) ** 2 - power_of_e(F(1))) < little
    assert power_of_e(F(-3)) * power_of_e(F(3)) == 1


def test_moments_of_noise_that_all_coordinates_share_are_larger():
    assert _moments(F(2), 2, own=True) == (4, 24)
    assert _moments(F(2), 2, own=False) == (4, 32)


def output_chances(rows, x, y, seen):
    """P(y | x) by the definition: every record is redacted (-1) or shown by itself."""
    factors = [rows[t - 1][x[t - 1]] for t in seen]
    shown = [r if symbol == STAR else 1 - r for r, symbol in zip(factors, y)]
    possible = all(symbol in (STAR, x[t - 1]) for t, symbol in zip(seen, y))
    return prod(shown, start=F(1)) if possible else F(0)


@seeds(20)
def test_what_redaction_shows_has_the_law_of_its_definition(draws):
    law, rows = sequences(*chain(draws, 2), 3), local(draws, 3)
    seen = draws.among([[1, 2, 3], [3, 1], [2], []])
    found = redacted(law, rows, seen)
    expected = {
        y: sum(p * output_chances(rows, x, y, seen) for x, p in law.items())
        for y in product((STAR, 0, 1), repeat=len(seen))
    }
    total = sum(found.values())
    assert {y: F(p, total) for y, p in found.items()} == {y: p for y, p in expected.items() if p}


@seeds(20)
def test_outputs_given_a_secret_are_those_of_bayes(draws):
    prior, table, secret = draws.law(3), draws.rows(3, 2), frozenset(draws.several(range(3)))
    total = sum(prior[x] for x in secret)
    law = output_law(prior, table, secret)
    joint = [sum(prior[x] * table[x][w] for x in secret) for w in range(2)]
    assert law == ([each / total for each in joint] if total else None)


@seeds(20)
def test_a_step_alone_has_the_law_that_two_steps_have_without_the_other(draws):
    """Where steps see nothing but their windows, streams that agree on one count together."""
    drawn = sliding.stream(draws, ("apart", "coin", "one"), each=True, secret=True)
    for k, i in product((0, 1), range(1, drawn.t + 1)):
        other = 1 + i % drawn.t
        for known in ((), (1,), drawn.down(i)):
            alone = sliding.outputs(drawn, k, (i,), known)
            for z, law in sliding.outputs(drawn, k, (i, other), known).items():
                assert alone[z] == sums.summed(((y,), p) for (y, _), p in law.items())


def test_sums_are_those_of_loops():
    assert sums.summed([("u", 1), ("v", 2), ("u", 3)]) == {"u": 4, "v": 2}
    masses = {"xu": F(1, 2), "zv": F(1, 6), "zu": F(1, 3), "wu": F(0)}
    assert sums.laws_given((tuple(each), p) for each, p in masses.items()) == {
        "x": {"u": 1},
        "z": {"v": F(1, 3), "u": F(2, 3)},
    }
    assert sums.moved([F(1), F(0)], [[F(1, 3), F(2, 3)], [F(1), F(0)]], 2) == [F(7, 9), F(2, 9)]
    pairs = [(F(0), F(0)), (F(1), F(2)), (F(3), F(2))]
    assert sums.largest_of(pairs) == sums.most_of([F(1, 2), F(3, 2)]) == F(3, 2)
    assert sums.largest_of(pairs[:2]) == 1 != sums.largest_of(pairs[:2], F(0)) == F(1, 2)
    assert sums.largest_of([*pairs, (F(1), F(0))]) is sums.most_of([F(2), None]) is None


def test_noisy_scores_rank_as_draws_without_replacement():
    rates = [1, 2, 3]
    for count in range(1, 4):
        orders = list(permutations(range(3), count))
        drawn = [sums.without_replacement(rates, each) for each in orders]
        assert drawn == [sums.ranked_by_noise(rates, each) for each in orders]
        assert sum(drawn) == 1
    assert sums.hockey_stick([F(1, 4), F(3, 4)], [F(1, 2), F(1, 2)], F(1)) == F(1, 4)
