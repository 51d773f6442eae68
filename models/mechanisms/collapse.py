"""The published collapse mechanisms: little or no leakage in one run, everything after a few.

Source: Bai, He, Gu, Kifer and Maeng, "Composition for Pufferfish Privacy", 2026, Section 4,
Examples 1 to 3.
"""

import json
from collections.abc import Collection
from fractions import Fraction
from itertools import product

from pufferproof.models.channel import Channel
from pufferproof.models.errors import ModelError
from pufferproof.models.framework import Framework


def pair_collapse(framework: Framework) -> Channel:
    """Return the mechanism of Example 1, for one prior theta and one pair of complementary secrets
    s1, s2.

    On a database D with s1, draw D' ~ theta(. | s2) and output (D, D'); on D with s2, draw D' ~
    theta(. | s1) and output (D', D). Either way the output has law theta(D1 | s1) theta(D2 | s2):
    zero leakage. Two runs with different D' reveal D.

    Args:
        framework: one prior, one pair of secrets that together hold all databases of positive
            probability, at least two each.

    Returns: a channel on the databases of positive probability, with outputs "D1|D2", or JSON lists
    where "|" inside labels makes two alike.

    >>> from pufferproof import Framework, Table
    >>> theta = Table({label: "1/4" for label in "abcd"})
    >>> framework = Framework("abcd", {"s": ["a", "b"], "t": ["c", "d"]}, [("s", "t")], {"theta": theta})
    >>> pair_collapse(framework).probability("a", "a|d")
    Fraction(1, 2)

    Raises `ModelError` unless the framework is of that kind.
    """
    _expect(len(framework.priors) == 1, "one prior", len(framework.priors), "priors")
    first, second = _one_pair(framework)
    (name,) = framework.priors
    law, labels = framework.laws[name], framework.databases
    _complementary(framework)
    # outputs (D1, D2), no two alike
    both = list(product(*(sorted(set(framework.secrets[s]) & framework.support) for s in (first, second))))
    plain = [f"{labels[x]}|{labels[y]}" for x, y in both]
    alike = len(set(plain)) < len(plain)
    shown = {(x, y): json.dumps([labels[x], labels[y]]) if alike else label for (x, y), label in zip(both, plain)}
    for secret in (first, second):
        size = len(set(framework.secrets[secret]) & framework.support)
        _expect(size >= 2, "at least two databases of positive probability", size, f"secrets.{secret}")
    rows: dict[str, dict[str, Fraction]] = {}
    for secret, other in ((first, second), (second, first)):
        mass = framework.mass(name, other)
        for x in sorted(set(framework.secrets[secret]) & framework.support):
            drawn = [(y, Fraction(law.weights[y], mass)) for y in framework.secrets[other] if law.weights[y]]
            rows[labels[x]] = {shown[(x, y) if secret == first else (y, x)]: chance for y, chance in drawn}
    return Channel.of({labels[x]: rows[labels[x]] for x in sorted(framework.support)})


def bits_collapse(framework: Framework) -> Channel:
    """Return the mechanism of Example 2, for n >= 3 independent fair bits, each of which is secret.

    With probability 1/2 each: (A) the n - 1 bits x_2 + x_1, .., x_n + x_1 (mod 2), or (B) one
    parity, of x_1 .. x_n if n is odd and of x_2 .. x_n if n is even. Both are independent of every
    single bit: zero leakage. An A and a B together give x_1, hence all bits.

    Args:
        framework: n >= 3 records with two values, a uniform prior, secrets that each fix one
            record.

    Returns: a channel with outputs "A" followed by n - 1 bits and "B" followed by one, a bit being
    0 for the first value.

    >>> from pufferproof import Framework, Product, Records
    >>> secrets = {f"x{i}={v}": (i, v) for i in (1, 2, 3) for v in "01"}
    >>> pairs = [(f"x{i}=0", f"x{i}=1") for i in (1, 2, 3)]
    >>> fair = Product([["1/2", "1/2"]] * 3)
    >>> framework = Framework.of_records(Records(3, ("0", "1")), secrets, pairs, {"fair": fair})
    >>> bits_collapse(framework).probability("100", "A11")
    Fraction(1, 2)

    Raises `ModelError` unless the framework is of that kind.
    """
    records = framework.records
    if records is None:
        raise ModelError("expected databases made of records, found databases without", "records")
    _expect(len(records.alphabet) == 2, "two values", len(records.alphabet), "records.alphabet")
    _expect(records.count >= 3, "at least 3 records", records.count, "records.count")
    for name, law in framework.laws.items():
        _expect(len(set(law.weights)) == 1, "fair bits", "unequal probabilities", f"priors.{name}")
    single = {records.holding(t + 1, value) for t in range(records.count) for value in records.alphabet}
    for name, secret in framework.secrets.items():
        _expect(secret in single, "a secret that fixes one record", f"{len(secret)} databases", f"secrets.{name}")
    rows = {}
    for x, label in enumerate(framework.databases):
        bits = [x >> (records.count - 1 - t) & 1 for t in range(records.count)]
        differences = "A" + "".join(str(bit ^ bits[0]) for bit in bits[1:])
        parity = f"B{sum(bits if records.count % 2 else bits[1:]) % 2}"
        rows[label] = {differences: Fraction(1, 2), parity: Fraction(1, 2)}
    return Channel.of(rows, sorted({output for row in rows.values() for output in row}))


def four_outputs_collapse(framework: Framework, true_core: Collection[str], false_core: Collection[str]) -> Channel:
    """Return the mechanism of Example 3, for one pair of complementary secrets s1, s2 and any
    number of priors.

    Each database has two outputs, with probability 1/2 each: "1a2a" or "1a2b" in U_T, "1b2a" or
    "1b2b" in the rest of s1, "1a2a" or "1b2a" in U_F, "1a2b" or "1b2b" in the rest of s2. With u =
    P(U_T | s1) and f = P(U_F | s2) strictly between 0 and 1 the leakage is finite; two different
    outputs belong to one kind of database and reveal the secret.

    Args:
        framework: one pair (s1, s2) of secrets that together hold all databases of positive
            probability.
        true_core: U_T, databases in s1.
        false_core: U_F, databases in s2.

    Returns: a channel on the databases of positive probability.

    >>> from pufferproof import Framework, Table
    >>> theta = Table({label: "1/4" for label in "abcd"})
    >>> framework = Framework("abcd", {"s": ["a", "b"], "t": ["c", "d"]}, [("s", "t")], {"theta": theta})
    >>> four_outputs_collapse(framework, {"a"}, {"c"}).probability("b", "1b2b")
    Fraction(1, 2)

    Raises `ModelError` unless the framework is of that kind and, under every prior, U_T and U_F
    have a probability strictly between 0 and 1 given their secret.
    """
    first, second = _one_pair(framework)
    _complementary(framework)
    pairs_of_outputs = {}
    for secret, core, inside, outside in (
        (first, true_core, ("1a2a", "1a2b"), ("1b2a", "1b2b")),
        (second, false_core, ("1a2a", "1b2a"), ("1a2b", "1b2b")),
    ):
        labels = {framework.databases[x]: x for x in framework.secrets[secret]}
        for label in core:
            _expect(label in labels, f'databases of the secret "{secret}"', f'"{label}"', "core")
        for name, law in framework.laws.items():
            mass, whole = law.mass(labels[label] for label in set(core)), framework.mass(name, secret)
            expected = f'a probability strictly between 0 and 1 given "{secret}"'
            _expect(0 < mass < whole, expected, f"weight {mass} of {whole}", f"priors.{name}")
        for x in framework.secrets[secret]:
            pairs_of_outputs[x] = inside if framework.databases[x] in core else outside
    rows = {
        framework.databases[x]: dict.fromkeys(pairs_of_outputs[x], Fraction(1, 2)) for x in sorted(framework.support)
    }
    return Channel.of(rows, ["1a2a", "1a2b", "1b2a", "1b2b"])


def _one_pair(framework: Framework) -> tuple[str, str]:
    _expect(len(framework.pairs) == 1, "one pair of secrets", len(framework.pairs), "pairs")
    return framework.pairs[0]


def _complementary(framework: Framework) -> None:
    covered = {x for secret in _one_pair(framework) for x in framework.secrets[secret]}
    left = [framework.databases[x] for x in sorted(framework.support - covered)]
    _expect(not left, "a pair that holds every database of positive probability", f"{left} in neither secret", "pairs")


def _expect(holds: bool, expected: str, found: object, where: str) -> None:
    if not holds:
        raise ModelError(f"expected {expected}, found {found}", where)
