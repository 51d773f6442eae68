"""The Bayes form of Pufferfish: posterior odds against prior odds, which orders of pairs it needs,
and zero leakage.

a = P(y and s), b = P(y and s'), p = P(s) > 0, q = P(s') > 0 under one prior theta, so that P(y | s)
= a/p, P(s | y)/P(s' | y) = a/b and the prior odds are p/q. Sources: kifer2014pufferfish (section
3.1, the posterior odds of the definition).
"""

from fractions import Fraction
from itertools import product

import sympy

from pufferproof.claims.ours.general.definition import (
    keeps,
    output_law,
    posterior,
    prior_of,
    ratios,
)
from pufferproof.claims.registry import Check, claim
from pufferproof.models.channel import Channel
from pufferproof.models.framework import Framework
from pufferproof.models.priors.laws import Table
from pufferproof.verify.proof.argument import Argument

ONE_PRIOR = "every prior, pair and output; all finite sizes"
R, a, b, p, q = sympy.symbols("R a b p q")
POSITIVE = [p > 0, q > 0, R >= 1]


@claim(
    "general.bayes-form",
    where="general laws",
    statement="M is epsilon-Pufferfish, with every pair taken in both orders, iff for every prior, "
    "pair (s, s') and output y, either y excludes both secrets or neither, and then e^-epsilon "
    "<= [P(s|y)/P(s'|y)] / [P(s)/P(s')] <= e^epsilon.",
    assumes=["secrets of positive prior probability"],
)
def bayes_form(check: Check) -> None:
    """Prove that bounds on likelihoods in both orders are bounds on the change of odds on both
    sides.
    """
    with check.reading("both orders, both bounds", ONE_PRIOR) as argument:
        _both_bounds(argument)
    check.near_miss(
        "both orders, both bounds: a smaller level",
        lambda argument: _both_bounds(argument, smaller=True),
    )
    check.near_miss(
        "both orders, both bounds: from one order",
        lambda argument: _both_bounds(argument, one=True),
    )
    with check.reading("one order, one bound", ONE_PRIOR) as argument:
        _one_bound(argument)
    check.near_miss(
        "one order, one bound: the other bound", lambda argument: _one_bound(argument, other=True)
    )


def _both_bounds(argument: Argument, smaller: bool = False, one: bool = False) -> None:
    S = sympy.Symbol("S")
    level, extra = (S, [S >= 1, S < R]) if smaller else (R, [])
    argument.identity(
        "the change of odds is the likelihood ratio",
        "Bayes' rule, with h = P(y) > 0: posterior odds by prior odds are the ratio of the "
        "likelihoods",
        "((a/h)/(b/h))/(p/q)",
        "(a/p)/(b/q)",
    )
    likelihoods = [a * q <= R * b * p] if one else [a * q <= R * b * p, b * p <= R * a * q]
    argument.inequality(
        "from likelihoods to odds",
        "P(y|s) <= R P(y|s') and the other order, multiplied by p q, bound the quotient of the "
        "odds a/b and p/q on both sides",
        ((a / b) / (p / q) <= level) & (1 <= level * (a / b) / (p / q)),
        [*likelihoods, a > 0, b > 0, *POSITIVE, *extra],
    )
    argument.inequality(
        "from odds to likelihoods",
        "1/R <= (a/b)/(p/q) <= R gives both orders",
        (a / p <= level * b / q) & (b / q <= level * a / p),
        [(a / b) / (p / q) <= R, R * (a / b) / (p / q) >= 1, a > 0, b > 0, *POSITIVE, *extra],
    )
    argument.inequality(
        "outputs that exclude a secret",
        "Both orders force a = 0 iff b = 0",
        sympy.Eq(a, 0) & sympy.Eq(b, 0),
        [*likelihoods, a >= 0, b >= 0, sympy.Eq(a * b, 0), *POSITIVE],
    )
    argument.inequality(
        "outputs that exclude both",
        "Both likelihoods are 0 and keep every level",
        a * q <= R * b * p,
        [sympy.Eq(a, 0), sympy.Eq(b, 0), *POSITIVE],
    )


def _one_bound(argument: Argument, other: bool = False) -> None:
    bound = b * p <= R * a * q if other else a * q <= R * b * p
    argument.inequality(
        "the order (s, s') gives the upper bound on the odds of s to s'",
        "P(y|s) <= R P(y|s') multiplied by p q, and (a/b)/(p/q) <= R multiplied by b p, are one "
        "inequality",
        sympy.Equivalent(a / p <= R * (b / q), bound),
        [a > 0, b > 0, *POSITIVE],
    )
    argument.inequality(
        "the order (s', s) gives the lower bound",
        "b/q <= R a/p and 1/R <= (a/b)/(p/q) are one inequality",
        sympy.Equivalent(b / q <= R * (a / p), b * p <= R * a * q),
        [a > 0, b > 0, *POSITIVE],
    )


@claim(
    "general.bayes-form-one-order",
    where="general laws",
    statement="If P(y | s, theta) <= e^epsilon P(y | s', theta) for every listed ordered pair (s, "
    "s'), prior and output, then e^-epsilon <= [P(s|y)/P(s'|y)] / [P(s)/P(s')] <= e^epsilon "
    "for every listed pair.",
    repair="general.bayes-form",
)
def bayes_form_one_order(check: Check) -> None:
    """Refute the lower bound for lists that are not closed under swapping; at epsilon = 0 one
    order is enough.
    """
    with check.reading("a list of ordered pairs", "one counterexample") as argument:
        _one_order_fails(argument)
    name = "epsilon = 0"
    with check.reading(name, "all finite sizes") as argument:
        _one_order_at_zero(argument)
    check.near_miss(
        f"{name}: any epsilon", lambda argument: _one_order_at_zero(argument, any_level=True)
    )


def _one_order_at_zero(argument: Argument, any_level: bool = False) -> None:
    A, B, g, h = sympy.symbols("A B g h")
    ratio = R if any_level else sympy.Integer(1)
    argument.induction(
        "one more output",
        "A and B are the sums of P(y|s) and P(y|s') over outputs, the first of them y, with g = "
        "P(y|s) and h = P(y|s'): B - A is at least h - g, as every other output has a <= b",
        base=(h - g <= B - A, [sympy.Eq(A, g), sympy.Eq(B, h), R >= 1]),
        step=((B + b) - (A + a) >= h - g, [h - g <= B - A, a <= ratio * b, a >= 0, b >= 0, R >= 1]),
    )
    argument.inequality(
        "both sum to 1",
        "Over all outputs A = B = 1, so g <= h is an equality, for whatever output is put first",
        sympy.Eq(g, h),
        [h - g <= B - A, sympy.Eq(A, 1), sympy.Eq(B, 1), g <= h],
    )


def _two_secrets(rows: tuple[Fraction, Fraction]) -> tuple[Framework, Channel]:
    half = Fraction(1, 2)
    framework = Framework(
        ["s", "t"], {"s": ["s"], "t": ["t"]}, [("s", "t")], {"even": Table({"s": half, "t": half})}
    )
    return framework, Channel.of({x: [u, 1 - u] for x, u in zip("st", rows)}, ["u", "v"])


def _bounds_hold(rows: tuple[Fraction, Fraction], ratio: Fraction) -> bool:
    """Say whether the order (s, t) at `ratio` brings the other order, hence the lower bound on
    the odds of s to t.
    """
    framework, channel = _two_secrets(rows)
    theta = prior_of(framework, "even")
    return not keeps(framework, channel, theta, ratio, one_sided=True) or keeps(
        framework, channel, theta, ratio
    )


def _one_order_fails(argument: Argument) -> None:
    family = [
        ((Fraction(i, n), Fraction(j, n)), Fraction(above, below))
        for n, below in product(range(1, 3), range(1, 3))
        for above in range(below, 2 * below + 1)
        for i, j in product(range(n + 1), repeat=2)
    ]
    argument.exhaust(
        "two secrets, two outputs",
        "Fewer databases or outputs leave nothing to compare. Probabilities in multiples of 1/n, "
        "e^epsilon in multiples of 1/m, at most 2, by n, then m: the first failure has the "
        "smallest denominators",
        family,
        lambda instance: _bounds_hold(*instance),
    )
    found = next(instance for instance in family if not _bounds_hold(*instance))
    framework, channel = _two_secrets(found[0])
    theta = prior_of(framework, "even")
    orders = {
        pair: y
        for pair, y, above, below in ratios(framework, channel, theta)
        if above > found[1] * below
    }
    argument.counterexample(
        "an output that only the second secret allows",
        "The list has (s, t) only, and P(y|s) <= e^epsilon P(y|t) for both outputs; but one output "
        "rules s out: its posterior odds of s to t are 0, less than e^-epsilon times the prior "
        "odds. Audits check both orders, and find it",
        {
            "listed order": "(s, t)",
            "e^epsilon": found[1],
            "prior odds of s to t": Fraction(1),
            "output": orders.get(("t", "s"), ""),
            "posterior odds of s to t": Fraction(0),
            "framework": framework,
            "mechanism": channel,
            "epsilon": f"log({found[1]})",
        },
        lambda: (
            keeps(framework, channel, theta, found[1], one_sided=True)
            and posterior(framework, channel, theta, "s", orders["t", "s"]) == 0
            and posterior(framework, channel, theta, "t", orders["t", "s"]) == 1
        ),
    )


@claim(
    "general.zero-leakage-posterior",
    where="general laws",
    statement="A mechanism is 0-Pufferfish iff P(s | y, theta) = P(s | theta) for every secret s "
    "of a pair, every prior theta and every output y of positive probability.",
    repair="general.zero-leakage-partition",
)
def zero_leakage_posterior(check: Check) -> None:
    """Refute it for pairs that leave databases out; prove the direction that always holds."""
    with check.reading("any secrets and pairs", "one counterexample") as argument:
        _left_out(argument)
    name = "posterior equal to prior suffices"
    with check.reading(name, ONE_PRIOR) as argument:
        _suffices(argument)
    check.near_miss(
        f"{name}: for one of the two secrets", lambda argument: _suffices(argument, one=True)
    )


def _suffices(argument: Argument, one: bool = False) -> None:
    c = sympy.Symbol("c")
    argument.inequality(
        "equal likelihoods",
        "c = P(y) > 0 and P(s|y) = a/c = p, P(s'|y) = b/c = q give a/p = b/q; outputs of "
        "probability 0 have a = b = 0",
        sympy.Eq(a * q, b * p),
        [
            sympy.Eq(a, p * c),
            *([] if one else [sympy.Eq(b, q * c)]),
            c > 0,
            p > 0,
            q > 0,
            a >= 0,
            b >= 0,
        ],
    )


@claim(
    "general.zero-leakage-partition",
    where="general laws",
    statement="If, under every prior, the secrets of positive probability are disjoint, have total "
    "probability 1 and are connected by pairs of such secrets, a mechanism is 0-Pufferfish iff "
    "P(s | y, theta) = P(s | theta) for every prior theta, every secret s of positive "
    "probability under theta and every output y of positive probability under theta.",
    kind="repair of general.zero-leakage-posterior",
)
def zero_leakage_partition(check: Check) -> None:
    """Prove both directions when pairs connect secrets that cover everything; two complementary
    secrets are one case.
    """
    name = "secrets that cover everything"
    with check.reading(name, "all finite sizes") as argument:
        _partition(argument)
    check.near_miss(
        f"{name}: some probability left out", lambda argument: _partition(argument, covered=False)
    )


def _partition(argument: Argument, covered: bool = True) -> None:
    c, A, P, l = sympy.symbols("c A P l")
    argument.induction(
        "one likelihood for all secrets",
        "At epsilon = 0 a pair has equal likelihoods P(y|s) = P(y|s'), in both orders; along a "
        "path of pairs c stays the same",
        base=(sympy.Eq(l, c), [l <= c, c <= l]),
        step=(sympy.Eq(a, c), [sympy.Eq(l, c), l <= a, a <= l]),
    )
    argument.induction(
        "the probability of the output",
        "A = P(y and one of the first secrets) = c P with P their total probability: the next has "
        "probability p, likelihood c",
        base=(sympy.Eq(A, c * P), [sympy.Eq(A, c * p), sympy.Eq(P, p)]),
        step=(sympy.Eq(A + c * p, c * (P + p)), [sympy.Eq(A, c * P)]),
    )
    covers = [sympy.Eq(P, 1), sympy.Eq(q, 0)] if covered else [P <= 1, q >= 0, q <= 1 - P]
    argument.inequality(
        "the posterior is the prior",
        "b = P(y) is A + q, q the probability of y with no secret: the secrets have probability P "
        "= 1, so q = 0 and b = c. With l = P(s | y): l b = p c, hence l = p",
        sympy.Eq(l, p),
        [
            sympy.Eq(b, A + q),
            sympy.Eq(A, c * P),
            *covers,
            b > 0,
            sympy.Eq(l * b, p * c),
            p > 0,
            p <= P,
        ],
    )
    _suffices(argument)


def _left_out_instance(first: Fraction, other: Fraction) -> tuple[Framework, Channel]:
    third = Fraction(1, 3)
    framework = Framework(
        ["s", "t", "other"],
        {"s": ["s"], "t": ["t"]},
        [("s", "t")],
        {"even": Table(dict.fromkeys(["s", "t", "other"], third))},
    )
    rows = {"s": [first, 1 - first], "t": [first, 1 - first], "other": [other, 1 - other]}
    return framework, Channel.of(rows, ["u", "v"])


def _left_out(argument: Argument) -> None:
    zero, one = Fraction(0), Fraction(1)
    framework, channel = _left_out_instance(one, zero)
    theta = prior_of(framework, "even")
    argument.counterexample(
        "a database outside both secrets",
        "The output tells whether the database is the third one; the secrets have the same "
        "likelihoods. Two databases, one for each secret, cover everything and cannot fail; one "
        "output tells nothing; probabilities are 0 and 1, the prior even",
        {
            "output": "u",
            "prior of s": Fraction(1, 3),
            "posterior of s": Fraction(1, 2),
            "framework": framework,
            "mechanism": channel,
            "epsilon": "log(1)",
        },
        lambda: (
            output_law(framework, channel, theta, "s") == output_law(framework, channel, theta, "t")
            and posterior(framework, channel, theta, "s", "u") == Fraction(1, 2)
            and theta["s"] == Fraction(1, 3)
        ),
    )
