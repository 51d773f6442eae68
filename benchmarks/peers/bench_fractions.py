"""Small questions from Python beside a loop over fractions, and the fractions that claims compute
with beside those of the standard library. Nothing here asserts a time.
"""

import fractions
from fractions import Fraction
from platform import python_version
from random import Random

import pytest
import quicktions
from benchmarks.peers.beside import beside, timed

from pufferproof import Channel, Framework, Table, audit

QUESTIONS = 2_000
PYTHON = f"fractions of Python {python_version()}"


def texts(k):
    return {"a": [f"{k + 1}/20002", f"{20001 - k}/20002"], "b": ["1/2", "1/2"]}


def rationals(k):
    return {label: list(map(Fraction, row)) for label, row in texts(k).items()}


def integers(k):
    return {"a": [k + 1, 20001 - k], "b": [1, 1]}


def asked(rows, normalize):
    """Build a framework and a channel, and audit."""
    prior = Table({"a": "1/2", "b": "1/2"})
    framework = Framework(["a", "b"], {"s": ["a"], "t": ["b"]}, [("s", "t")], {"theta": prior})
    channel = Channel.of(rows, ["x", "y"], normalize=normalize)
    return audit(framework, channel, "log(2)").leakage.ratio


def looped(rows):
    """The same by the definition: the largest ratio of two rows."""
    first, second = ([Fraction(each) / sum(map(Fraction, row)) for each in row] for row in rows)
    return max(max(a / b, b / a) for a, b in zip(first, second))


@pytest.mark.parametrize("kind", [texts, rationals, integers], ids=lambda kind: kind.__name__)
def test_small_audits_beside_fractions(benchmark, kind):
    questions = [kind(k) for k in range(QUESTIONS)]
    every = lambda: [asked(rows, kind is integers) for rows in questions]  # noqa: E731
    found = benchmark.pedantic(every, rounds=5, warmup_rounds=1)
    seconds, others = timed(lambda: [looped(rows.values()) for rows in questions], 5)
    assert found == others
    what = f"{QUESTIONS:,} audits of 2 x 2 {kind.__name__}, framework and channel built"
    beside(benchmark, what, f"a loop, {PYTHON}", seconds, "equal as fractions")


def computed(kind, pairs):
    """The sum of products, bounded so that numbers stay short."""
    total = kind(0)
    for top, bottom in pairs:
        total = (total + kind(top, bottom)) * kind(bottom, top + bottom) % 1
        total = kind(total.numerator % 10**9, total.denominator % 10**9 + 1)
    return total


def test_fractions_beside_the_standard_library(benchmark):
    random = Random(1)
    pairs = [(random.randint(1, 999), random.randint(1, 999)) for _ in range(20_000)]
    found = benchmark.pedantic(computed, (quicktions.Fraction, pairs), rounds=5, warmup_rounds=1)
    seconds, other = timed(lambda: computed(fractions.Fraction, pairs), 3)
    assert (found.numerator, found.denominator) == (other.numerator, other.denominator)
    what = "100,000 operations on short fractions, by quicktions"
    beside(benchmark, what, PYTHON, seconds, "equal")
