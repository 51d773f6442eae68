"""What Pufferfish amounts to for record values as secrets, when Theta is every product prior, every
i.i.d. prior, every prior.

Records 1 .. n have values in a finite alphabet, which may contain "absent". The secrets are s(i,
v): record i has value v; the pairs are all s(i, v), s(i, w) with v != w; a secret of probability 0
under a prior leaves the prior out. "Per-record" differential privacy means P(y | x) <= R P(y | x')
for x, x' that differ in one record's value, R = e^epsilon. Sources: kifer2014pufferfish (section 6:
differential privacy as an instance), dwork2006calibrating.
"""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import product
from typing import Any

import sympy
from sympy import Integer

from pufferproof.claims.general.definition import keeps_each
from pufferproof.claims.general.group_privacy import neighbour_ratio, pair_ratio
from pufferproof.claims.general.statements import classes, sequences
from pufferproof.claims.language import (
    Proof,
    at_least,
    between,
    letter,
    letters,
)
from pufferproof.claims.registry import Check, claim
from pufferproof.models.channel import Channel
from pufferproof.models.framework import Framework
from pufferproof.models.priors.records import Records
from pufferproof.models.priors.tables import Product, Table

t = letter("t", "the probability that a bit is 1", between(0, 1))
p, q = letters("p q", "joint probabilities of the outputs so far for two databases", at_least(0))
Rows = Mapping[str, Fraction]


@claim(
    "general.product-priors",
    where="general laws",
    statement="If Theta is the set of all product priors and the secrets are the values of "
    "records, a mechanism is epsilon-Pufferfish iff it is per-record epsilon-differentially "
    "private.",
    says={
        "all product priors": classes.PRODUCT_PRIORS,
        "product priors of full support": sequences.FULL_PRODUCTS,
    },
)
def product_priors(check: Check) -> None:
    """Prove both directions, also when only priors of full support are in Theta.

    All product priors. The rest does not depend on the record: joint = P(z and record i = v) =
    chance times rest by independence, chance = theta_i(v) > 0 and rest = theta_rest(z): the weight
    w of z given v, which is w chance = joint, is rest, and so is its weight u given v'.
    Differential privacy is enough: A = P(y | record i = v) and B the same with v' are sums over the
    values z of the other records of w P(y | v, z) and u P(y | v', z), with u = w the weight of z:
    the databases (v, z) and (v', z) differ in one record. It is necessary: a prior that knows the
    rest: Take theta_rest the product of point masses at z, theta_i even on v and v'. P(y | secret)
    = sum of weight times entry: the wanted database has weight 1, A = a, and databases of weight w
    = 0 add nothing. So the promise for this prior is a <= R b for two given databases.

    Product priors of full support. The rest does not depend on the record: joint = P(z and record i
    = v) = chance times rest by independence, chance = theta_i(v) > 0 and rest = theta_rest(z): the
    weight w of z given v, which is w chance = joint, is rest, and so is its weight u given v'.
    Differential privacy is enough: A = P(y | record i = v) and B the same with v' are sums over the
    values z of the other records of w P(y | v, z) and u P(y | v', z), with u = w the weight of z:
    the databases (v, z) and (v', z) differ in one record. Priors of full support near a point: If
    each of n records has a given value with probability at least 1 - delta/n, a product prior gives
    the given values together at least 1 - delta; other priors give a database any weight below 1
    anyway [lemma.bernoulli]. The other databases matter little: Take a prior under which the other
    records are nearly certain to be z: given the secret, one database with entry a has weight w >=
    1 - delta, and the others have W = 1 - w and entries m in [0, 1]: A, the sum over the others so
    far, of weight mass, lies between 0 and mass. It is necessary: a violation shows for such a
    prior: If two databases have gap = a - R b > 0 let delta = gap/(2 (R + 1)) > 0. Whatever the
    others add, the promise A <= R B fails: A >= W a and B <= w b + (1 - w), with weights W and w of
    at least 1 - delta.
    """
    check.tried("all product priors")
    check.tried("product priors of full support")


@claim(
    "general.iid-priors",
    where="general laws",
    statement="If Theta is the set of all priors under which the records are independent with one "
    "common law, a mechanism is epsilon-Pufferfish for the values of records iff it is "
    "per-record epsilon-differentially private.",
    repair="general.product-priors",
    says={"one or two records": sequences.IID},
)
def iid_priors(check: Check) -> None:
    """Refute that Pufferfish under i.i.d. priors brings differential privacy, with three bits.

    With two records the other record alone can be nearly certain of any value z; with three the
    others tend to (z, z) only.

    As in general.product-priors.
    """
    with check.reading(
        "any number of records", "one counterexample; every i.i.d. prior on it"
    ) as proof:
        _iid(proof)
    check.tried("one or two records")


CUBE = tuple("".join(bits) for bits in product("01", repeat=3))
IID = dict(zip(CUBE, (1, 1, 1, 1, 1, 1, 3, 2)))
"""P(u | x) in quarters."""


def _iid(proof: Proof) -> None:
    bounds = []
    for record, value in product(range(3), "01"):
        for sign in (1, -1):
            sides = [_given(record, bit, sign) for bit in (value, "1" if value == "0" else "0")]
            bounds.append(sides[0] <= 2 * sides[1])
    kept = proof.inequality(
        "every i.i.d. prior",
        "Each bit is 1 with probability t. Four times P(output | a bit) against twice that for "
        "the other value of the bit, of each bit, for all 0 <= t <= 1 at once",
        sympy.And(*bounds),
    )
    rows = {x: Fraction(number, 4) for x, number in IID.items()}
    framework, channel = _single_record(
        3, rows, {"known": Product([["1/2", "1/2"], [0, 1], [1, 0]])}
    )
    proof.counterexample(
        "two bits that differ tell more than an i.i.d. prior can ask",
        "Given one bit the other two are 01 as often as 10: only P(y | v01) + P(y | v10) is "
        "bounded. So the level is log(2) under every i.i.d. prior, but 110 against 010 "
        "has ratio 3. A product prior shows it.",
        {
            "P(u | x) in quarters": dict(IID),
            "level under every i.i.d. prior": "log(2)",
            "ratio of 110 to 010": Fraction(3),
            "framework": framework,
            "mechanism": channel,
            "epsilon": "log(2)",
        },
        lambda: (
            kept
            and rows["110"] > 2 * rows["010"]
            and not keeps_each(framework, channel, Fraction(2))
        ),
    )


def _given(record: int, value: str, sign: int) -> Any:
    """Return four times P(u | bit of the record = value), or of v, when every bit is 1 with
    probability t.
    """
    total = Integer(0)
    for x, number in IID.items():
        if x[record] == value:
            ones = (x[:record] + x[record + 1 :]).count("1")
            total += t**ones * (1 - t) ** (2 - ones) * (number if sign > 0 else 4 - number)
    return sympy.expand(total)


def _single_record(
    count: int, rows: Rows, priors: Mapping[str, Product | Table]
) -> tuple[Framework, Channel]:
    secrets = {f"x1={value}": (1, value) for value in "01"}
    framework = Framework.of_records(
        Records(count, ("0", "1")), secrets, [("x1=0", "x1=1")], priors
    )
    return framework, Channel.of({x: [p, 1 - p] for x, p in rows.items()}, ["u", "v"])


@claim(
    "general.all-priors",
    where="general laws",
    statement="If Theta is the set of all priors, a mechanism is epsilon-Pufferfish for the values "
    "of records iff P(y | x) <= e^epsilon P(y | x') for ALL databases x, x' that differ in a "
    "record whose values are secrets: with every record secret, for any two databases whatever.",
    says={
        "all priors": classes.ALL_PRIORS,
        "all priors of full support": sequences.FULL_PRIORS,
    },
)
def all_priors(check: Check) -> None:
    """Prove both directions: no prior can hide a database behind others.

    All priors. Bounds for all pairs are enough: over the first secret: Fix a database of the second
    secret, with entry b. A is the sum over the first databases of the first secret of conditional
    weight w times entry a, W the sum of their weights; in the end W = 1 and A = P(y | s) <= R b.
    Bounds for all pairs are enough: over the second secret: A = P(y | s) <= R b for every database
    of the second secret, b its entry and w its weight. B is the sum of w b and W the sum of w; in
    the end W = 1 and A <= R B, B = P(y | s'). It is necessary: a prior that knows the rest: Take
    the even prior on x and x', which differ in a secret record i, the secrets being its values
    there. P(y | secret) = sum of weight times entry: the wanted database has weight 1, A = a, and
    databases of weight w = 0 add nothing. So the promise for this prior is a <= R b for two given
    databases.

    All priors of full support. Bounds for all pairs are enough: over the first secret: Fix a
    database of the second secret, with entry b. A is the sum over the first databases of the first
    secret of conditional weight w times entry a, W the sum of their weights; in the end W = 1 and A
    = P(y | s) <= R b. Bounds for all pairs are enough: over the second secret: A = P(y | s) <= R b
    for every database of the second secret, b its entry and w its weight. B is the sum of w b and W
    the sum of w; in the end W = 1 and A <= R B, B = P(y | s'). Priors of full support near a point:
    If each of n records has a given value with probability at least 1 - delta/n, a product prior
    gives the given values together at least 1 - delta; other priors give a database any weight
    below 1 anyway [lemma.bernoulli]. The other databases matter little: Take a prior of full
    support, nearly even on x and x', which differ in a secret record i, the secrets being its
    values there: given the secret, one database with entry a has weight w >= 1 - delta, and the
    others have W = 1 - w and entries m in [0, 1]: A, the sum over the others so far, of weight
    mass, lies between 0 and mass. It is necessary: a violation shows for such a prior: If two
    databases have gap = a - R b > 0 let delta = gap/(2 (R + 1)) > 0. Whatever the others add, the
    promise A <= R B fails: A >= W a and B <= w b + (1 - w), with weights W and w of at least 1 -
    delta.
    """
    check.tried("all priors")
    check.tried("all priors of full support")


@claim(
    "general.all-priors-per-record",
    where="general laws",
    statement="If Theta is the set of all priors, a mechanism is epsilon-Pufferfish for the values "
    "of records iff it is per-record epsilon-differentially private.",
    repair="general.all-priors",
    says={
        "Pufferfish brings differential privacy": sequences.BRINGS,
        "per-record epsilon gives n epsilon": sequences.N_LEVELS,
    },
)
def all_priors_per_record(check: Check) -> None:
    """Refute that differential privacy is enough from two records on; prove that it is
    necessary, and enough for one.

    Pufferfish brings differential privacy. It is necessary: a prior that knows the rest: Take the
    even prior on two databases that differ in one record only, secrets its values. P(y | secret) =
    sum of weight times entry: the wanted database has weight 1, A = a, and databases of weight w =
    0 add nothing. So the promise for this prior is a <= R b for two given databases. The
    equivalence: Two databases that differ in one record differ in a secret record
    [general.all-priors].

    Per-record epsilon gives n epsilon. Group privacy: Per-record level R gives R^k for databases
    that differ in k records: all databases are in the domain, so that the distance inside it is k
    [general.group-privacy-paths]. K is at most n: power = R^n is at least bound = R^k, k <= n: by
    induction on n - k, each further factor R is at least 1; n = k is the base. All pairs: A bound
    for any two databases is epsilon-Pufferfish under all priors [general.all-priors].
    """
    with check.reading("both directions", "one counterexample") as proof:
        _per_record_fails(proof)
    check.tried("Pufferfish brings differential privacy")
    check.tried("per-record epsilon gives n epsilon")


def _per_record_fails(proof: Proof) -> None:
    proof.exhaust(
        "two bits, two outputs",
        "One record, one value or one output cannot fail. Probabilities of u in multiples of 1/N, "
        "N = 2, 3, 4; the level is the one of differential privacy; the prior is even on 00 and "
        "11, the secret the first bit",
        _bit_pairs(4),
        _bounded,
    )
    rows = next(rows for rows in _bit_pairs(4) if not _bounded(rows))
    half = Fraction(1, 2)
    framework, channel = _single_record(2, rows, {"alike": Table({"00": half, "11": half})})
    level = neighbour_ratio(rows) or Fraction(1)
    proof.counterexample(
        "two records that are always alike",
        "The mechanism is differentially private at this level, but who knows that both bits are "
        "the same learns more",
        {
            "level of differential privacy": f"log({level})",
            "ratio of 00 to 11": pair_ratio(rows, "00", "11") or "inf",
            "framework": framework,
            "mechanism": channel,
            "epsilon": f"log({level})",
        },
        lambda: neighbour_ratio(rows) == level and not keeps_each(framework, channel, level),
    )


def _bounded(rows: Rows) -> bool:
    level, ratio = neighbour_ratio(rows), pair_ratio(rows, "00", "11")
    return level is None or (ratio is not None and ratio <= level)


def _bit_pairs(largest: int) -> Iterator[Rows]:
    for denominator in range(2, largest + 1):
        for numerators in product(range(denominator, -1, -1), repeat=4):
            yield {
                x: Fraction(number, denominator)
                for x, number in zip(("00", "01", "10", "11"), numerators)
            }


@claim(
    "general.composition-under-large-classes",
    where="general laws",
    statement="If Theta is the set of all product priors, or of all priors, and the secrets are "
    "the values of records, releases by mechanisms that are epsilon_k-Pufferfish, with fresh "
    "randomness and possibly chosen by the outputs before, are together (sum "
    "epsilon_k)-Pufferfish.",
    says={
        "all product priors": sequences.COMPOSE_PRODUCTS,
        "all priors": sequences.COMPOSE_ALL,
    },
)
def composition(check: Check) -> None:
    """Prove linear composition through the bounds on pairs of databases to which the promise
    amounts.

    All product priors. From the promise to pairs of databases: Each release bounds the ratios of
    these pairs by R_k [general.product-priors]. One more release: p and q are the joint
    probabilities of the outputs so far for two such databases, p <= Q q with Q the product of the
    R_k; the next mechanism, whichever the outputs chose, has probabilities c <= R d. Back from
    pairs of databases: The joint release is a mechanism with this bound on the same pairs
    [general.product-priors].

    All priors. From the promise to pairs of databases: Each release bounds the ratios of these
    pairs by R_k [general.all-priors]. One more release: p and q are the joint probabilities of the
    outputs so far for two such databases, p <= Q q with Q the product of the R_k; the next
    mechanism, whichever the outputs chose, has probabilities c <= R d. Back from pairs of
    databases: The joint release is a mechanism with this bound on the same pairs
    [general.all-priors].
    """
    for name, _law in [
        ("all product priors", "general.product-priors"),
        ("all priors", "general.all-priors"),
    ]:
        check.tried(name)
