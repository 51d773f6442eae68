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
from functools import partial
from itertools import product
from typing import Any

import sympy
from sympy import Eq, Integer

from pufferproof.claims.general.definition import keeps_each
from pufferproof.claims.general.group_privacy import neighbour_ratio, pair_ratio
from pufferproof.claims.general.statements import classes, sequences
from pufferproof.claims.language import (
    Edit,
    Proof,
    above,
    at_least,
    between,
    letter,
    letters,
    proved,
)
from pufferproof.claims.registry import Check, claim
from pufferproof.models.channel import Channel
from pufferproof.models.framework import Framework
from pufferproof.models.priors.records import Records
from pufferproof.models.priors.tables import Product, Table

ALL_SIZES = "all numbers of records, finite alphabets and outputs"
R = letter("R", "e to the level of the promise", at_least(1))
S = letter("S", "e to a smaller level", at_least(1))
a, b = letters("a b", "P(y | x) for two databases", at_least(0))
w = letter("w", "the weight of the next database, or of the values z of the other records, given s")
u = letter("u", "the weight of z given the other value v'")
A, B = letters("A B", "P(y | s) and P(y | s'), or sums over the first databases")
W = letter("W", "the sum of the weights, or the weight of the wanted database")
chance = letter("chance", "theta_i(v), the probability of the value v", above(0))
rest = letter("rest", "theta_rest(z), the probability of the values z of the other records")
joint = letter("joint", "the probability of v and z together")
m = letter("m", "the entry of the next database")
delta = letter("delta", "how far a prior may be from a point")
gap = letter("gap", "a - R b")
mass = letter("mass", "the weight of the databases so far")
t = letter("t", "the probability that a bit is 1", between(0, 1))
bound = letter("bound", "R^k, for databases that differ in k records", at_least(1))
power = letter("power", "R^n, n the number of records")
p, q = letters("p q", "joint probabilities of the outputs so far for two databases", at_least(0))
c, d = letters("c d", "probabilities of the next output for these databases", at_least(0))
Q = letter("Q", "the product of the levels R_k so far")
FAR = Edit(
    "it is necessary: a violation shows for such a prior",
    without=Eq(2 * delta * (R + 1), gap),
    given=Eq(delta * (R + 1), 2 * gap),
)
LEFT_OUT = Edit("one more release", put={R: 1})
Rows = Mapping[str, Fraction]
NEIGHBOURS = "the even prior on two databases that differ in one record only, secrets its values"
TWO = "x and x', which differ in a secret record i, the secrets being its values there"


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
    """Prove both directions, also when only priors of full support are in Theta."""
    enough = "differential privacy is enough"
    proved(
        check,
        "all product priors",
        ALL_SIZES,
        _product_priors,
        a_smaller_level=Edit(enough, put={R: S}, given=S < R),
        dependent_records=Edit(enough, without=[Eq(u, rest), Eq(w, rest)], given=u >= 0),
    )
    proved(
        check,
        "product priors of full support",
        ALL_SIZES,
        _full_product_priors,
        priors_too_far_from_a_point=FAR,
    )


def _product_priors(proof: Proof) -> None:
    _independent(proof)
    _a_point(proof, "theta_rest the product of point masses at z, theta_i even on v and v'")


def _full_product_priors(proof: Proof) -> None:
    _independent(proof)
    _nearly_a_point(proof, "a prior under which the other records are nearly certain to be z")


def _independent(proof: Proof) -> None:
    proof.inequality(
        "the rest does not depend on the record",
        "joint = P(z and record i = v) = chance times rest by independence, chance = theta_i(v) > "
        "0 and rest = theta_rest(z): the weight w of z given v, which is w chance = joint, is "
        "rest, and so is its weight u given v'",
        Eq(w, rest),
        [Eq(joint, chance * rest), Eq(w * chance, joint), rest >= 0],
    )
    weights = [w >= 0, Eq(u, rest), Eq(w, rest)]
    proof.induction(
        "differential privacy is enough",
        "A = P(y | record i = v) and B the same with v' are sums over the values z of the other "
        "records of w P(y | v, z) and u P(y | v', z), with u = w the weight of z: the databases "
        "(v, z) and (v', z) differ in one record",
        base=(w * a <= R * u * b, [a <= R * b, *weights]),
        step=(A + w * a <= R * (B + u * b), [A <= R * B, a <= R * b, *weights]),
    )


def _a_point(proof: Proof, prior: str) -> None:
    proof.induction(
        "it is necessary: a prior that knows the rest",
        f"Take {prior}. P(y | secret) = sum of weight times entry: the wanted database has weight "
        f"1, A = a, and databases of "
        "weight w = 0 add nothing. So the promise for this prior is a <= R b for two given "
        "databases",
        base=(Eq(A, a), [Eq(A, w * a), Eq(w, 1)]),
        step=(Eq(A + w * m, a), [Eq(A, a), Eq(w, 0)]),
        for_any=[a],
    )


def _nearly_a_point(proof: Proof, prior: str) -> None:
    proof.cite(
        "priors of full support near a point",
        "If each of n records has a given value with probability at least 1 - delta/n, a product "
        "prior gives the given values together at least 1 - delta; other priors give a database "
        "any weight below 1 anyway",
        "lemma.bernoulli",
    )
    proof.induction(
        "the other databases matter little",
        f"Take {prior}: given the secret, one database with entry a has weight w >= 1 - delta, and "
        "the others have W = 1 - w and entries m in [0, 1]: A, the sum over the others so far, of "
        "weight mass, lies between 0 and mass",
        base=((A >= 0) & (mass >= A), [Eq(A, 0), Eq(mass, 0)]),
        step=(
            (A + w * m >= 0) & (A + w * m <= mass + w),
            [A >= 0, mass >= A, w >= 0, m >= 0, m <= 1],
        ),
    )
    proof.inequality(
        "it is necessary: a violation shows for such a prior",
        "If two databases have gap = a - R b > 0 let delta = gap/(2 (R + 1)) > 0. Whatever the "
        "others add, the promise A <= R B fails: A >= W a and B <= w b + (1 - w), with weights W "
        "and w of at least 1 - delta",
        (A > R * B) & (delta > 0),
        [
            a - R * b > 0,
            Eq(gap, a - R * b),
            Eq(2 * delta * (R + 1), gap),
            a <= 1,
            b <= 1,
            1 - delta <= W,
            W <= 1,
            w >= 1 - delta,
            w <= 1,
            W * a <= A,
            w * b + (1 - w) >= B,
        ],
        for_any=[a],
    )


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
    """
    with check.reading(
        "any number of records", "one counterexample; every i.i.d. prior on it"
    ) as proof:
        _iid(proof)
    proved(
        check,
        "one or two records",
        "all finite alphabets and outputs",
        _full_product_priors,
        priors_too_far_from_a_point=FAR,
    )


CUBE = tuple("".join(bits) for bits in product("01", repeat=3))
IID = dict(zip(CUBE, (1, 1, 1, 1, 1, 1, 3, 2)))
"""P(u | x) in quarters."""


def _iid(proof: Proof) -> None:
    kept = True
    for record, value in product(range(3), "01"):
        for output, sign in (("u", 1), ("v", -1)):
            sides = [_given(record, bit, sign) for bit in (value, "1" if value == "0" else "0")]
            kept &= proof.inequality(
                f"x{record + 1} = {value}, output {output}",
                "Each bit is 1 with probability t. Four times P(output | the bit) against twice "
                "that for the other value, for all 0 <= t <= 1 at once",
                sides[0] <= 2 * sides[1],
            )
    rows = {x: Fraction(number, 4) for x, number in IID.items()}
    framework, channel = _single_record(
        3, rows, {"known": Product([["1/2", "1/2"], [0, 1], [1, 0]])}
    )
    proof.counterexample(
        "two bits that differ tell more than an i.i.d. prior can ask",
        "Given one bit the other two are 01 as often as 10: only P(y | v01) + P(y | v10) is "
        "bounded. The steps above show level log(2) under every i.i.d. prior, but 110 against 010 "
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
    """Prove both directions: no prior can hide a database behind others."""
    first = "bounds for all pairs are enough: over the first secret"
    second = "bounds for all pairs are enough: over the second secret"
    proved(
        check,
        "all priors",
        ALL_SIZES,
        _all_priors,
        a_smaller_level=[Edit(step, put={R: S}, given=S < R) for step in (first, second)],
        one_pair_not_bounded=Edit(first, without=a <= R * b),
    )
    proved(
        check,
        "all priors of full support",
        ALL_SIZES,
        _full_priors,
        priors_too_far_from_a_point=FAR,
    )


def _all_priors(proof: Proof) -> None:
    _all_pairs(proof)
    _a_point(proof, f"the even prior on {TWO}")


def _full_priors(proof: Proof) -> None:
    _all_pairs(proof)
    _nearly_a_point(proof, f"a prior of full support, nearly even on {TWO}")


def _all_pairs(proof: Proof) -> None:
    proof.summed(
        "bounds for all pairs are enough: over the first secret",
        "Fix a database of the second secret, with entry b. A is the sum over the first databases "
        "of the first secret of conditional weight w times entry a, W the sum of their weights; in "
        "the end W = 1 and A = P(y | s) <= R b",
        so_far=A <= R * b * W,
        adding={A: w * a, W: w},
        given=[a <= R * b, w >= 0],
    )
    proof.summed(
        "bounds for all pairs are enough: over the second secret",
        "A = P(y | s) <= R b for every database of the second secret, b its entry and w its "
        "weight. B is the sum of w b and W the sum of w; in the end W = 1 and A <= R B, B = P(y | "
        "s')",
        so_far=A * W <= R * B,
        adding={B: w * b, W: w},
        given=[A <= R * b, w >= 0, A >= 0],
    )


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
    """
    with check.reading("both directions", "one counterexample") as proof:
        _per_record_fails(proof)
    proved(
        check,
        "Pufferfish brings differential privacy",
        ALL_SIZES,
        _brings,
        at_a_smaller_level=_brings_less,
    )
    proved(
        check,
        "per-record epsilon gives n epsilon",
        ALL_SIZES,
        _group,
        **{"n - 1 records' worth": Edit("k is at most n: base", put={power: power / R})},
    )


def _brings(proof: Proof) -> None:
    _a_point(proof, NEIGHBOURS)
    proof.cite(
        "the equivalence",
        "Two databases that differ in one record differ in a secret record",
        "general.all-priors",
    )


def _brings_less(proof: Proof) -> None:
    _a_point(proof, NEIGHBOURS)
    proof.inequality("smaller", "the promise at R is one at S < R", a <= S * b, [a <= R * b, S < R])


def _group(proof: Proof) -> None:
    proof.cite(
        "group privacy",
        "Per-record level R gives R^k for databases that differ in k records: all databases are in "
        "the domain, so that the distance inside it is k",
        "general.group-privacy-paths",
    )
    proof.induction(
        "k is at most n",
        "power = R^n is at least bound = R^k, k <= n: by induction on n - k, each further factor R "
        "is at least 1; n = k is the base",
        base=(bound <= power, [Eq(bound, power), R >= 1]),
        step=(bound <= power * R, [bound <= power, power >= 1]),
    )
    proof.cite(
        "all pairs",
        "A bound for any two databases is epsilon-Pufferfish under all priors",
        "general.all-priors",
    )


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
    """
    for name, law in [
        ("all product priors", "general.product-priors"),
        ("all priors", "general.all-priors"),
    ]:
        proved(
            check,
            name,
            f"{ALL_SIZES}, any number of releases",
            partial(compose_by_pairs, law=law),
            the_last_level_left_out=LEFT_OUT,
        )


def compose_by_pairs(proof: Proof, law: str) -> None:
    """Prove linear composition for a class of priors whose promise is a bound on pairs of
    databases, by the given law.
    """
    proof.cite(
        "from the promise to pairs of databases",
        "Each release bounds the ratios of these pairs by R_k",
        law,
    )
    proof.induction(
        "one more release",
        "p and q are the joint probabilities of the outputs so far for two such databases, p <= Q "
        "q with Q the product of the R_k; the next mechanism, whichever the outputs chose, has "
        "probabilities c <= R d",
        base=(p <= R * q, [p <= R * q]),
        step=(p * c <= Q * R * q * d, [p <= Q * q, c <= R * d, Q >= 1]),
    )
    proof.cite(
        "back from pairs of databases",
        "The joint release is a mechanism with this bound on the same pairs",
        law,
    )
