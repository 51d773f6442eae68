"""Shrinking: the exact minimum by an explicit order, against exhaustive enumeration of tiny
mechanisms.
"""

import time
from fractions import Fraction
from itertools import product

import pytest
from tests.brute.frameworks import bits, one_pair, singletons, two_priors
from tests.brute.smallest import one_pair_frameworks, smallest_framework

from pufferproof import Channel, Framework, Table, audit
from pufferproof.counterexamples.collapse.above import search_leakage_above
from pufferproof.counterexamples.collapse.search import Collapse, NotFound, search_collapse, verify_collapse
from pufferproof.counterexamples.collapse.threshold import search_threshold
from pufferproof.counterexamples.shrink import STAGES, farey, shrink_collapse
from pufferproof.lp.cones.columns import Columns
from pufferproof.verify.audit.composition import compose


def size_of(collapse):
    """Return (releases, outputs in total, different rows, largest denominator, sum of numerators
    and denominators).

    A mechanism that is released several times counts once; rows of databases outside every law do
    not count.
    """
    channels = list(dict.fromkeys(collapse.mechanisms))
    places = [(channel, output) for channel in channels for output in channel.outputs]
    labels = Columns(collapse.framework).labels
    rows = [[channel.probability(label, output) for channel, output in places] for label in labels]
    entries = [entry for row in rows for entry in row]
    largest = max(entry.denominator for entry in entries)
    total = sum(entry.numerator + entry.denominator for entry in entries)
    return collapse.runs, len(rows[0]), len(set(map(tuple, rows))), largest, total


def brute_smallest(framework, ratio, largest):
    """Return the smallest size of two outputs that collapse in two runs, over denominators up
    to `largest`.
    """
    sizes = []
    for first in product(farey(largest), repeat=len(framework.databases)):
        channel = Channel.of({x: [p, 1 - p] for x, p in zip(framework.databases, first)}, ["u", "v"])
        alone = audit(framework, channel).leakage.ratio
        if alone is not None and alone <= ratio and compose(framework, [channel], 2).joint.leakage.infinite:
            entries = [e for p in first for e in (p, 1 - p)]
            total = sum(e.numerator + e.denominator for e in entries)
            sizes.append((2, 2, len(set(first)), max(e.denominator for e in entries), total))
    return min(sizes, default=None)


def weighted(first, second):
    """One pair, the databases of each secret with the given weights."""
    labels = "abcdef"[: len(first) + len(second)]
    weights = [*first, *second]
    prior = Table({x: Fraction(w, sum(weights)) for x, w in zip(labels, weights)})
    held = {"s": list(labels[: len(first)]), "t": list(labels[len(first) :])}
    return Framework(list(labels), held, [("s", "t")], {"theta": prior})


@pytest.mark.parametrize(
    ("framework", "ratio", "largest"),
    [
        (one_pair("a", "bc"), "1", 3),
        (one_pair("a", "bc"), "3/2", 3),
        (one_pair("ab", "cd"), "1", 2),
        (weighted([1], [1, 2]), "1", 4),
        (weighted([1], [2, 3]), "1", 5),
        (weighted([1], [1, 3]), "2", 4),
        (two_priors("1/3", "1/2"), "3/2", 4),
    ],
)
def test_shrinking_returns_the_minimum_of_exhaustive_enumeration(framework, ratio, largest):
    found = search_collapse(framework, [f"log({ratio})"])
    shrunk = shrink_collapse(found, seconds=None)
    assert shrunk.proved == STAGES
    size = size_of(shrunk.collapse)
    assert size <= size_of(found)
    smallest = brute_smallest(framework, Fraction(ratio), largest)
    assert size[3] <= largest
    assert size == smallest


def test_three_outputs_where_two_do_not_do():
    framework = two_priors("1/5", "4/5")
    shrunk = shrink_collapse(search_collapse(framework, ["log(2)"]), seconds=None)
    assert shrunk.proved == STAGES
    assert size_of(shrunk.collapse) == (2, 3, 3, 5, 34)
    assert brute_smallest(framework, Fraction(2), 5) is None


def test_three_fair_bits_collapse_with_two_outputs_in_two_runs_without_leaking_anything_alone():
    """If x1 = 0 say whether x2 = x3, else toss a coin: both answers can only be seen when x1 =
    1.
    """
    shrunk = shrink_collapse(search_collapse(bits(3), ["log(1)"]), seconds=None)
    assert shrunk.proved == STAGES
    assert size_of(shrunk.collapse)[:4] == (2, 2, 3, 2)
    found = shrunk.collapse.mechanisms[0]
    assert audit(bits(3), found).leakage.ratio == 1


def test_shrinking_is_idempotent_and_deterministic():
    found = search_collapse(weighted([1], [1, 2]), ["log(1)"])
    once = shrink_collapse(found, seconds=None).collapse
    assert shrink_collapse(once, seconds=None).collapse == once
    assert (
        shrink_collapse(
            search_collapse(weighted([1], [1, 2]), ["log(1)"], engine="z3"), seconds=None
        ).collapse.mechanisms
        == once.mechanisms
    )


def test_mixed_budgets_shrink_to_two_mechanisms_of_two_outputs():
    framework = bits(2)
    shrunk = shrink_collapse(search_collapse(framework, ["log(1)", "log(2)"]), seconds=None)
    assert size_of(shrunk.collapse)[:2] == (2, 4)
    verify_collapse(shrunk.collapse)


def test_a_given_mechanism_keeps_its_place():
    framework = one_pair("a", "bc")
    given = Channel.of({"a": ["1/2", "1/2"], "b": ["1", "0"], "c": ["0", "1"]}, ["u", "v"])
    shrunk = shrink_collapse(search_collapse(framework, ["log(1)"], given), seconds=None)
    assert shrunk.collapse.given == given
    assert compose(framework, shrunk.collapse.releases).joint.leakage.infinite
    assert size_of(shrunk.collapse) == (2, 2, 3, 2, 12)


def test_a_busy_machine_gives_the_same_answers(monkeypatch):
    """Where somebody else has the processor, a clock seems to run 1,000 times as fast."""

    def answers():
        found = search_collapse(bits(2), ["log(2)"], engine="z3")
        small = shrink_collapse(search_collapse(one_pair("a", "bc"), ["log(1)"]))
        above = search_leakage_above(bits(2), ["log(2)"], "log(3)", runs_limit=3)
        threshold = search_threshold(two_priors("1/3", "1/2"), 2)
        return found, small.collapse, small.proved, above, threshold

    idle, clock = answers(), time.monotonic
    monkeypatch.setattr(time, "monotonic", lambda: 1000 * clock())
    assert answers() == idle


def test_without_time_nothing_is_proved():
    found = search_collapse(one_pair("a", "bc"), ["log(1)"])
    shrunk = shrink_collapse(found, seconds=0.0)
    assert shrunk.collapse == found
    assert shrunk.proved == ()


def test_minima_within_decimal_budgets_are_not_called_proved():
    shrunk = shrink_collapse(search_collapse(one_pair("a", "bc"), ["0.5"]), seconds=None)
    assert shrunk.proved == ()
    verify_collapse(shrunk.collapse)


def test_the_smallest_framework_of_one_pair_has_three_databases():
    framework, found = smallest_framework(one_pair_frameworks(4, weights=2), ["log(1)"])
    assert framework.databases == ("a", "b", "c")
    assert framework.secrets["s"] == (0,)
    assert isinstance(found, Collapse)


def test_not_found_says_what_was_searched():
    nothing = smallest_framework(one_pair_frameworks(2, weights=3), ["log(5)"])
    assert isinstance(nothing, NotFound)
    assert nothing.searched == "9 frameworks, none with a collapse within log(5): all decided"
    family = [singletons("ab"), bits(3)]
    stopped = smallest_framework(family, ["log(2)"], seconds=0.0)
    assert isinstance(stopped, NotFound)
    assert "undecided" in stopped.searched
