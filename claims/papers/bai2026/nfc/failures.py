"""Where Theorem 5.1 fails: mechanisms released once, or a bounded number of times, and databases of
probability 0.

Each instance is the smallest of its family, listed by size and denominators, except the one for
every bound on the number of runs, which is a family itself. Source: bai2026, Theorem 5.1.
"""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

from sympy import Eq

from pufferproof.claims.language import Proof, above, letter, letters
from pufferproof.claims.papers.bai2026.composition.definition import smallest_split, three_databases
from pufferproof.claims.papers.bai2026.composition.instances import (
    broken_by,
    broken_in_numbers,
    channel_of,
    greatest_ratio,
    one_pair,
    text_of_ratio,
)
from pufferproof.models.channel import Channel
from pufferproof.models.framework import Framework
from pufferproof.models.mechanisms.releases import repeat
from pufferproof.models.priors.tables import Table

rare = letter("rare", "theta(a | s1) = 2^-K", above(0))
P, Q = letters("P Q", "2^k and (3/2)^k for k runs")


def refute_once(proof: Proof) -> None:
    """Refute the theorem for one mechanism released once, with every database possible."""
    proof.exhaust(
        "smallest failure",
        "s1 = {a}, s2 = {b, c}, two outputs, b and c equally likely, denominators 1 and 2, epsilon "
        "= 0. With epsilon = 0 a constraint needs a row of s2 equal to the row of D: weighted "
        "geometric means of rows sum to less than 1 unless the rows agree. Two databases, one for "
        "each secret, cannot fail: Pufferfish is then the constraint",
        three_databases(),
        lambda instance: greatest_ratio(*instance) != 1 or _has_equal_rows(*instance),
    )
    framework, channel = smallest_split()
    proof.counterexample(
        "a fair coin against two certain outputs",
        "Let s1 = {a} and s2 = {b, c}, b and c equally likely, and let the mechanism toss a fair "
        "coin on a, always give u on b and always v on c. One run leaks nothing, and a list of one "
        "mechanism, released once, composes linearly at epsilon = 0. But no weights satisfy the "
        "constraint of a: c never gives u, which forces beta_c = 0, and b never gives v, which "
        "forces beta_b = 0",
        {
            "framework": framework,
            "mechanism": channel,
            "e^epsilon": Fraction(1),
            "D": "a",
            "ratio of one run": text_of_ratio(greatest_ratio(framework, channel)),
            "ratio of two runs": text_of_ratio(greatest_ratio(framework, repeat(channel, 2))),
            "runs that no weights survive": {"u": 1, "v": 1},
        },
        lambda: (
            greatest_ratio(framework, channel) == 1
            and broken_by(channel, "a", ["b", "c"], {"u": 1, "v": 1}, Fraction(1))
        ),
        broken_in_numbers(channel, "a", ["b", "c"], {"u": 1, "v": 1}, Fraction(1)),
    )


def _has_equal_rows(framework: Framework, channel: Channel) -> bool:
    rows = {x: [channel.probability(x, y) for y in channel.outputs] for x in framework.databases}
    first, second = ([framework.databases[x] for x in held] for held in framework.secrets.values())
    return all(any(rows[x] == rows[z] for z in second) for x in first) and all(
        any(rows[x] == rows[z] for z in first) for x in second
    )


def refute_impossible(proof: Proof) -> None:
    """Refute the theorem for a database with the secret that no prior allows."""
    proof.exhaust(
        "smallest failure",
        "s1 = {a, d} with d of probability 0, s2 = {b}, two outputs, certain: one database for "
        "each secret and no more cannot fail unless a secret is impossible. Any number of runs "
        "leaks nothing where a and b have equal rows",
        _with_impossible(),
        lambda instance: not _hidden(*instance) or _has_equal_rows(*instance),
    )
    framework, channel = next(each for each in _with_impossible() if _hidden(*each) and not _has_equal_rows(*each))
    output = next(y for y in channel.outputs if channel.probability("d", y))
    proof.counterexample(
        "a database of probability 0",
        "Let s1 = {a, d}, where d has probability 0, and s2 = {b}. The mechanism gives the same "
        "output on a and b, so that any number of runs leaks nothing, and another output on d, of "
        "which no promise speaks. That output never occurs on b, the only database of s2: the "
        "constraint of d fails for all weights",
        {
            "framework": framework,
            "mechanism": channel,
            "e^epsilon": Fraction(1),
            "D": "d",
            "runs that no weights survive": {output: 1},
        },
        lambda: _hidden(framework, channel) and broken_by(channel, "d", ["b"], {output: 1}, Fraction(1)),
        broken_in_numbers(channel, "d", ["b"], {output: 1}, Fraction(1)),
    )


def _with_impossible() -> Iterator[tuple[Framework, Channel]]:
    """List two possible databases and one that is not, with certain outputs."""
    half = Fraction(1, 2)
    framework = Framework(
        ("a", "d", "b"), {"s1": ["a", "d"], "s2": ["b"]}, [("s1", "s2")], {"theta": Table({"a": half, "b": half})}
    )
    for row in product((1, 0), repeat=3):
        yield framework, channel_of({x: [Fraction(p), Fraction(1 - p)] for x, p in zip("adb", row)})


def _hidden(framework: Framework, channel: Channel) -> bool:
    """Say whether all possible databases have the same row, so that no number of runs leaks
    anything.
    """
    rows = [
        tuple(channel.probability(framework.databases[x], y) for y in channel.outputs)
        for x in sorted(framework.support)
    ]
    return len(set(rows)) == 1


def refute_bounded(proof: Proof) -> None:
    """Refute the theorem for any bound K on the number of runs, by a database that is possible
    but unlikely.
    """
    kept = _level_kept(proof)
    runs, ratio = 10, Fraction(3, 2)
    chance, half = Fraction(1, 2**runs), Fraction(1, 2)
    framework = one_pair({"a": chance, "d": 1 - chance}, {"b": Fraction(1)})
    channel = channel_of({"a": [Fraction(1), Fraction(0)], "d": [half, half], "b": [half, half]})

    def composes() -> bool:
        values = [greatest_ratio(framework, repeat(channel, k)) for k in range(1, runs + 1)]
        return all(value is not None and value <= ratio**k for k, value in enumerate(values, 1))

    proof.counterexample(
        "an unlikely database, K = 10",
        "Let s1 = {a, d}, where a has the probability 2^-10 given s1, and s2 = {b}. The mechanism "
        "always gives u on a and tosses a fair coin on d and b. Up to ten runs keep the level "
        "log(3/2) per run, as a is too unlikely; but M(a)(u) = 1 is more than (3/2) M(b)(u) = 3/4, "
        "and b is the only database of s2",
        {
            "framework": framework,
            "mechanism": channel,
            "e^epsilon": ratio,
            "D": "a",
            "runs that keep the level": runs,
            "runs that no weights survive": {"u": 1},
        },
        lambda: kept and composes() and broken_by(channel, "a", ["b"], {"u": 1}, ratio),
        broken_in_numbers(channel, "a", ["b"], {"u": 1}, ratio),
    )


def _level_kept(proof: Proof) -> bool:
    """Prove that up to K runs keep the level log(3/2) per run, whatever K >= 2 is."""
    return proof.inequality(
        "k = 1 .. K runs keep the level (3/2)^k",
        "s1 = {a, d}, s2 = {b}, rare = theta(a | s1) = 2^-K, P = 2^k and Q = (3/2)^k, which is at "
        "least 9/4 from k = 2 on. Rows: u always at a, a fair coin at d and b. For k outputs u the "
        "ratio is rare 2^k + 1 - rare, at most Q as rare 2^k <= 1; for all others 1 - rare; in the "
        "other order 1/(1 - rare) <= Q at most",
        (rare * P + 1 - rare <= Q) & (Q * (1 - rare) >= 1),
        [rare * P <= 1, 4 * rare <= 1, (4 * Q >= 9) & (P >= 1) | Eq(2 * Q, 3) & Eq(P, 2)],
    )
