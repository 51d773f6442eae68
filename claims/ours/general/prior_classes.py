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

import sympy

from pufferproof.claims.ours.general.definition import keeps_each
from pufferproof.claims.ours.general.group_privacy import neighbour_ratio, pair_ratio
from pufferproof.claims.registry import Check, claim
from pufferproof.models.channel import Channel
from pufferproof.models.framework import Framework
from pufferproof.models.priors.laws import Product, Records, Table
from pufferproof.verify.proof.argument import Argument

ALL_SIZES = "all numbers of records, finite alphabets and outputs"
R, A, B, W, a, b, m, w = sympy.symbols("R A B W a b m w")
Rows = Mapping[str, Fraction]


@claim(
    "general.product-priors",
    where="general laws",
    statement="If Theta is the set of all product priors and the secrets are the values of "
    "records, a mechanism is epsilon-Pufferfish iff it is per-record epsilon-differentially "
    "private.",
)
def product_priors(check: Check) -> None:
    """Prove both directions, also when only priors of full support are in Theta."""
    for name, limit in [("all product priors", False), ("product priors of full support", True)]:
        with check.reading(name, ALL_SIZES) as argument:
            _product_equivalence(argument, limit)
        if limit:
            check.near_miss(
                f"{name}: priors too far from a point",
                partial(_product_equivalence, limit=True, far=True),
            )
        else:
            check.near_miss(
                f"{name}: a smaller level", partial(_product_equivalence, limit=False, smaller=True)
            )
            check.near_miss(
                f"{name}: dependent records",
                partial(_product_equivalence, limit=False, dependent=True),
            )


def _product_equivalence(
    argument: Argument,
    limit: bool,
    smaller: bool = False,
    dependent: bool = False,
    far: bool = False,
) -> None:
    t, u, j, k, S = sympy.symbols("t u j k S")
    ratio, level = (S, [S >= 1, S < R]) if smaller else (R, [R >= 1])
    argument.inequality(
        "the rest does not depend on the record",
        "j = P(z and record i = v) = t k by independence, t = theta_i(v) > 0 and k = "
        "theta_rest(z): the weight w of z given v, which is w t = j, is k, and so is its weight u "
        "given v'",
        sympy.Eq(w, k),
        [sympy.Eq(j, t * k), sympy.Eq(w * t, j), t > 0, k >= 0],
    )
    other = [u >= 0] if dependent else [sympy.Eq(u, k), sympy.Eq(w, k)]
    argument.induction(
        "differential privacy is enough",
        "A = P(y | record i = v) and B the same with v' are sums over the values z of the other "
        "records of w P(y | v, z) and u P(y | v', z), with u = w the weight of z: the databases "
        "(v, z) and (v', z) differ in one record",
        base=(w * a <= ratio * u * b, [a <= R * b, a >= 0, b >= 0, w >= 0, *other, *level]),
        step=(
            A + w * a <= ratio * (B + u * b),
            [A <= R * B, a <= R * b, a >= 0, b >= 0, w >= 0, *other, *level],
        ),
    )
    if limit:
        _nearly_a_point(
            argument, "a prior under which the other records are nearly certain to be z", far
        )
    else:
        _a_point(argument, "theta_rest the product of point masses at z, theta_i even on v and v'")


def _a_point(argument: Argument, prior: str) -> None:
    argument.induction(
        "it is necessary: a prior that knows the rest",
        f"Take {prior}. P(y | secret) = sum of weight times entry: the wanted database has weight "
        f"1, A = a, and databases of "
        "weight w = 0 add nothing. So the promise for this prior is a <= R b for two given "
        "databases",
        base=(sympy.Eq(A, a), [sympy.Eq(A, w * a), sympy.Eq(w, 1)]),
        step=(sympy.Eq(A + w * m, a), [sympy.Eq(A, a), sympy.Eq(w, 0)]),
    )


def _nearly_a_point(argument: Argument, prior: str, far: bool = False) -> None:
    d, g, p = sympy.symbols("d g p")
    argument.cite(
        "priors of full support near a point",
        "If each of n records has a given value with probability at least 1 - d/n, a product prior "
        "gives the given values together at least 1 - d; other priors give a database any weight "
        "below 1 anyway",
        "lemma.bernoulli",
    )
    argument.induction(
        "the other databases matter little",
        f"Take {prior}: given the secret, one database with entry a has weight w >= 1 - d, and the "
        f"others have W = 1 - w and "
        "entries m in [0, 1]: A, the sum over the others so far, of weight p, lies between 0 and p",
        base=((A >= 0) & (p >= A), [sympy.Eq(A, 0), sympy.Eq(p, 0)]),
        step=((A + w * m >= 0) & (A + w * m <= p + w), [A >= 0, p >= A, w >= 0, m >= 0, m <= 1]),
    )
    argument.inequality(
        "it is necessary: a violation shows for such a prior",
        "If two databases have g = a - R b > 0 let d = g/(2 (R + 1)) > 0. Whatever the others add, "
        "the promise A <= R B fails: A >= W a and B <= w b + (1 - w), with weights W and w of at "
        "least 1 - d",
        (A > R * B) & (d > 0),
        [
            *[
                a - R * b > 0,
                sympy.Eq(g, a - R * b),
                sympy.Eq((1 if far else 2) * d * (R + 1), (2 if far else 1) * g),
                R >= 1,
                a <= 1,
                b >= 0,
                b <= 1,
            ],
            *[1 - d <= W, W <= 1, w >= 1 - d, w <= 1, W * a <= A, w * b + (1 - w) >= B],
        ],
    )


@claim(
    "general.iid-priors",
    where="general laws",
    statement="If Theta is the set of all priors under which the records are independent with one "
    "common law, a mechanism is epsilon-Pufferfish for the values of records iff it is "
    "per-record epsilon-differentially private.",
    repair="general.product-priors",
)
def iid_priors(check: Check) -> None:
    """Refute that Pufferfish under i.i.d. priors brings differential privacy, with three bits.

    With two records the other record alone can be nearly certain of any value z; with three the
    others tend to (z, z) only.
    """
    with check.reading(
        "any number of records", "one counterexample; every i.i.d. prior on it"
    ) as argument:
        _iid(argument)
    name = "one or two records"
    with check.reading(name, "all finite alphabets and outputs") as argument:
        _product_equivalence(argument, limit=True)
    check.near_miss(
        f"{name}: priors too far from a point", partial(_product_equivalence, limit=True, far=True)
    )


CUBE = tuple("".join(bits) for bits in product("01", repeat=3))
IID = dict(zip(CUBE, (1, 1, 1, 1, 1, 1, 3, 2)))
"""P(u | x) in quarters."""


def _iid(argument: Argument) -> None:
    t = sympy.Symbol("t")
    kept = True
    for record, value in product(range(3), "01"):
        for output, sign in (("u", 1), ("v", -1)):
            sides = [_given(record, bit, sign, t) for bit in (value, "1" if value == "0" else "0")]
            kept &= argument.inequality(
                f"x{record + 1} = {value}, output {output}",
                "Each bit is 1 with probability t. Four times P(output | the bit) against twice "
                "that for the other value, for all 0 <= t <= 1 at once",
                sides[0] <= 2 * sides[1],
                [t >= 0, t <= 1],
            )
    rows = {x: Fraction(number, 4) for x, number in IID.items()}
    framework, channel = _single_record(
        3, rows, {"known": Product([["1/2", "1/2"], [0, 1], [1, 0]])}
    )
    argument.counterexample(
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


def _given(record: int, value: str, sign: int, t: sympy.Symbol) -> sympy.Expr:
    """Return four times P(u | bit of the record = value), or of v, when every bit is 1 with
    probability t.
    """
    total = sympy.Integer(0)
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
)
def all_priors(check: Check) -> None:
    """Prove both directions: no prior can hide a database behind others."""
    for name, limit in [("all priors", False), ("all priors of full support", True)]:
        with check.reading(name, ALL_SIZES) as argument:
            _all_equivalence(argument, limit)
        if limit:
            check.near_miss(
                f"{name}: priors too far from a point",
                partial(_all_equivalence, limit=True, far=True),
            )
        else:
            check.near_miss(
                f"{name}: a smaller level", partial(_all_equivalence, limit=False, smaller=True)
            )
            check.near_miss(
                f"{name}: one pair not bounded", partial(_all_equivalence, limit=False, free=True)
            )


def _all_equivalence(
    argument: Argument, limit: bool, smaller: bool = False, free: bool = False, far: bool = False
) -> None:
    c, S = sympy.symbols("c S")
    ratio, level = (S, [S >= 1, S < R]) if smaller else (R, [R >= 1])
    bound = [] if free else [a <= R * b]
    argument.induction(
        "bounds for all pairs are enough: over the first secret",
        "Fix a database of the second secret, with entry b. A is the sum over the first databases "
        "of the first secret of conditional weight w times entry a, W the sum of their weights; in "
        "the end W = 1 and A = P(y | s) <= R b",
        base=(w * a <= ratio * b * w, [*bound, w >= 0, a >= 0, b >= 0, *level]),
        step=(
            A + w * a <= ratio * b * (W + w),
            [R * b * W >= A, *bound, w >= 0, a >= 0, b >= 0, *level],
        ),
    )
    argument.induction(
        "bounds for all pairs are enough: over the second secret",
        "c = P(y | s) <= R b for every database of the second secret, b its entry and w its "
        "weight. B is the sum of w b and W the sum of w; in the end W = 1 and c <= R B, B = P(y | "
        "s')",
        base=(c * w <= ratio * w * b, [c <= R * b, w >= 0, b >= 0, c >= 0, *level]),
        step=(
            c * (W + w) <= ratio * (B + w * b),
            [c * W <= R * B, c <= R * b, w >= 0, b >= 0, c >= 0, *level],
        ),
    )
    pair = "x and x', which differ in a secret record i, the secrets being its values there"
    if limit:
        _nearly_a_point(argument, f"a prior of full support, nearly even on {pair}", far)
    else:
        _a_point(argument, f"the even prior on {pair}")


@claim(
    "general.all-priors-per-record",
    where="general laws",
    statement="If Theta is the set of all priors, a mechanism is epsilon-Pufferfish for the values "
    "of records iff it is per-record epsilon-differentially private.",
    repair="general.all-priors",
)
def all_priors_per_record(check: Check) -> None:
    """Refute that differential privacy is enough from two records on; prove that it is
    necessary, and enough for one.
    """
    with check.reading("both directions", "one counterexample") as argument:
        _per_record_fails(argument)
    name = "Pufferfish brings differential privacy"
    with check.reading(name, ALL_SIZES) as argument:
        _a_point(
            argument,
            "the even prior on two databases that differ in one record only, secrets its values",
        )
        argument.cite(
            "the equivalence",
            "Two databases that differ in one record differ in a secret record",
            "general.all-priors",
        )
    check.near_miss(f"{name}: at a smaller level", _brings_less)
    name = "per-record epsilon gives n epsilon"
    with check.reading(name, ALL_SIZES) as argument:
        _group(argument)
    check.near_miss(f"{name}: n - 1 records' worth", lambda argument: _group(argument, saved=True))


def _brings_less(argument: Argument) -> None:
    S = sympy.Symbol("S")
    _a_point(
        argument,
        "the even prior on two databases that differ in one record only, secrets its values",
    )
    argument.inequality(
        "smaller",
        "the promise at R is one at S < R",
        a <= S * b,
        [a <= R * b, S < R, S >= 1, b >= 0],
    )


def _group(argument: Argument, saved: bool = False) -> None:
    Q = sympy.Symbol("Q")
    argument.cite(
        "group privacy",
        "Per-record level R gives R^k for databases that differ in k records: all databases are in "
        "the domain, so that the distance inside it is k",
        "general.group-privacy-paths",
    )
    argument.induction(
        "k is at most n",
        "Q = R^n bounds R^k, k <= n: by induction on n - k, each further factor R is at least 1; n "
        "= k is the base",
        base=(m <= Q / (R if saved else 1), [sympy.Eq(m, Q), R >= 1, m >= 1]),
        step=(m <= Q * R, [m <= Q, R >= 1, Q >= 1, m >= 1]),
    )
    argument.cite(
        "all pairs",
        "A bound for any two databases is epsilon-Pufferfish under all priors",
        "general.all-priors",
    )


def _per_record_fails(argument: Argument) -> None:
    argument.exhaust(
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
    argument.counterexample(
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
)
def composition(check: Check) -> None:
    """Prove linear composition through the bounds on pairs of databases to which the promise
    amounts.
    """
    for name, law in [
        ("all product priors", "general.product-priors"),
        ("all priors", "general.all-priors"),
    ]:
        with check.reading(name, f"{ALL_SIZES}, any number of releases") as argument:
            compose_by_pairs(argument, law)
        check.near_miss(
            f"{name}: the last level left out", partial(compose_by_pairs, law=law, saved=True)
        )


def compose_by_pairs(argument: Argument, law: str, saved: bool = False) -> None:
    """Prove linear composition for a class of priors whose promise is a bound on pairs of
    databases, by the given law.
    """
    p, q, c, d, Q = sympy.symbols("p q c d Q")
    argument.cite(
        "from the promise to pairs of databases",
        "Each release bounds the ratios of these pairs by R_k",
        law,
    )
    argument.induction(
        "one more release",
        "p and q are the joint probabilities of the outputs so far for two such databases, p <= Q "
        "q with Q the product of the R_k; the next mechanism, whichever the outputs chose, has "
        "probabilities c <= R d",
        base=(p <= (1 if saved else R) * q, [p <= R * q, p >= 0, q >= 0, R >= 1]),
        step=(
            p * c <= (Q if saved else Q * R) * q * d,
            [p <= Q * q, c <= R * d, p >= 0, q >= 0, c >= 0, d >= 0, Q >= 1, R >= 1],
        ),
    )
    argument.cite(
        "back from pairs of databases",
        "The joint release is a mechanism with this bound on the same pairs",
        law,
    )
