"""Hard edges: what false statements pass without them, and that families leave them to `Draws`."""

from dataclasses import replace
from fractions import Fraction
from itertools import chain, product
from random import Random

import pytest
from tests.claims.language.statements.false_statements import FALSE

from pufferproof.claims.language.statements import Draws, Effort, Statement, hard, sources, tried
from pufferproof.models.errors import SolverError

F = Fraction
SIZES = range(1, 10)


@pytest.mark.parametrize("size", SIZES)
def test_hard_laws_are_laws_and_hard_kernels_are_stochastic(size):
    for law in (*hard.laws(size), *(row for n in SIZES for row in chain(*hard.kernels(n, size)))):
        assert (len(law), sum(law)) == (size, 1)
        assert min(law) >= 0
    assert all(len(rows) == number for number in SIZES for rows in hard.kernels(number, size))


def test_among_hard_laws_of_three_bits_one_is_independent_in_pairs_alone():
    tables = list(product((0, 1), repeat=3))

    def chance(law, *records):
        return sum(p for p, x in zip(law, tables) if all(x[i] for i in records))

    some = [(), (0,), (1,), (2,), (0, 1), (0, 2), (1, 2)]
    found = [law for law in hard.laws(8) if all(chance(law, *x) == F(1, 2 ** len(x)) for x in some)]
    alone = [law for law in found if chance(law, 0, 1, 2) != F(1, 8)]
    assert len(alone) == 4  # even and odd, both with noise too


def test_three_runs_show_what_two_do_not():
    prior, (s, t), (rows,) = hard.releases()[-1]

    def law(secret, runs):
        weights = [prior[x] * rows[x][0] ** runs for x in secret]
        return sum(weights, F(0)) / sum(prior[x] for x in secret)

    assert [law(s, runs) == law(t, runs) for runs in (1, 2, 3)] == [True, True, False]


def test_parts_are_paths_on_which_only_neighbours_differ_in_one_record():
    tables = list(product((0, 1), repeat=3))
    longest = hard.parts(tables)[2]
    assert len(longest) == 5
    assert [sum(a != b for a, b in zip(longest[0], each)) for each in longest] == [0, 1, 2, 3, 2]
    assert hard.parts([]) == [[]]
    assert hard.parts([1, 2, 3])[:2] == [[1], [3]]


def drawn(draws):
    """A law on four values and a kernel of two rows."""
    return {"p": draws.law(4), "K": draws.rows(2, 2)}


@pytest.mark.parametrize("are_hard", [True, False])
def test_draws_that_are_replayed_give_the_same_instance(are_hard):
    for seed in range(100):
        draws = Draws(Random(seed), hard=are_hard)
        instance = drawn(draws)
        again = Draws(None, draws.taken)
        assert (drawn(again), again.hard) == (instance, are_hard)


def tables_of_two(draws):
    """A law of two bits."""
    return {"p": draws.law(4)}


@pytest.mark.parametrize("seed", "abcdef")
def test_a_hard_instance_at_which_a_statement_fails_is_made_small(seed):
    def holds(p, f=1):
        return min(p) == 0 or max(p) < F(9, 10) * f

    spread, rest = Statement(tables_of_two, holds, too_strong={"1/2": {"f": F(1, 2)}}), F(1, 300)
    assert tried(spread, seed).failed == {"p": [F(99, 100), rest, rest, rest]}


def halves(draws):
    """A probability p that is 1/2 or 1/3, and its square."""
    p = draws.among([F(1, 2), F(1, 3), F(2, 3)])
    return {"p": p, "square": p**2}


def below(p, square, f=1):
    return f * square <= p**2 + p / 9


def squares(given=None, **options):
    return Statement(halves, below, given or {}, too_strong={"twice": {"f": 2}}, **options)


def test_a_number_that_the_family_computes_is_said_or_marked():
    assert tried(squares(), "seed").weakness.startswith("tried only within the family: the stateme")
    said = {"square = p^2": lambda p, square: square == p**2}
    for each in (squares(said), squares(computed=["square", "p"])):
        trial = tried(each, "seed")
        assert (trial.failed, trial.weakness) == (None, None)
    with pytest.raises(SolverError, match=r"computed=.*p, square.*\"q\""):
        tried(squares(computed=["q"]), "seed")


def test_half_of_the_instances_are_hard_ones_if_the_library_knows_any():
    laws = Statement(drawn, holds=lambda p, K, f=1: max(p) * f <= 1, too_strong={"twice": {"f": 2}})
    trial = tried(laws, "seed", Effort(300))
    assert (trial.met, trial.hard_met, trial.weakness) == (150, 150, None)


def test_where_hard_instances_are_no_instances_usual_ones_make_up_for_them():
    given, strong = {"n is 0": lambda n, p: n == 0}, {"less": {"f": 0}}
    even = Statement(usual_only, lambda n, p, f=1: n < f, given, too_strong=strong)
    trial = tried(even, "seed", Effort(300))
    assert (trial.met, trial.hard_met, trial.weakness) == (300, 0, None)
    assert trial.hard_tried == sources.HARD_EACH * 150


def usual_only(draws):
    """A law, and a number that is 1 in hard instances."""
    return {"p": draws.law(2), "n": int(draws.hard)}


def test_false_statements_are_refuted_or_open_and_most_are_refuted():
    trials = [tried(statement, f"f: {words}") for words, statement in FALSE.items()]
    left = [each for each in trials if each.failed is None]
    assert (len(trials), len(left)) == (13, 2)
    assert all("tried only within the family" in each.weakness for each in left)


def test_hypotheses_that_no_instance_needs_are_named():
    given = {"n <= 2": lambda p, n: n <= 2, "p <= 1": lambda p, n: p <= 1}
    strong = {"3 for 1": {"f": 3}}
    says = Statement(rates_and_counts, lambda p, n, f=1: f * p**2 <= p, given, too_strong=strong)
    assert tried(says, "seed").unneeded == ["n <= 2"]
    del given["n <= 2"]
    assert tried(replace(says, given=given, too_weak=["p <= 1"]), "seed").unneeded == []


def rates_and_counts(draws):
    """A number p, above 1 at times, and a number n from 1 to 3."""
    return {"p": draws.among([F(1, 3), F(1, 2), F(5, 4)]), "n": 1 + draws.below(3)}
