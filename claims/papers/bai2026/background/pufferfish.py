"""Section 2.2: posterior-based privacy, Pufferfish, what it says of odds, post-processing, and that
it does not compose.

Ratios are compared as products, R = e^epsilon. For a pair of secrets, p and q are prior, a and b
joint probabilities with an output.
"""

from fractions import Fraction
from functools import partial

import sympy

from pufferproof.claims.language import proved
from pufferproof.claims.ours.general.definition import keeps, posterior, prior_of
from pufferproof.claims.papers.bai2026.background.statement import ALL_SIZES, processed
from pufferproof.claims.registry import Check, claim
from pufferproof.models.channel import Channel
from pufferproof.models.framework import Framework
from pufferproof.models.priors.laws import Table
from pufferproof.verify.proof.argument import Argument

R, p, q, a, b = sympy.symbols("R p q a b")


@claim(
    "bai2026.posterior",
    where="Section 2.2",
    statement="A posterior-based definition has epsilon >= 0, priors Theta and secrets s_i, and is "
    "met by M with epsilon = 0 if P(s_i | theta) = P(s_i | M(Data) = w, theta) for all i, all "
    "theta in Theta and all w of positive probability.",
    kind="definition",
)
def posterior_based(check: Check) -> None:
    """A requirement on definitions: nothing to decide."""
    with check.reading("as printed") as argument:
        argument.definition(
            "posterior-based", "Posterior equal to prior must count as no leakage", sympy.Eq(a, p)
        )


@claim(
    "bai2026.pufferfish",
    where="Section 2.2",
    statement="epsilon-Pufferfish: P(M(Data) = w | s_i, theta) <= e^epsilon P(M(Data) = w | s_j, "
    "theta) for all (s_i, s_j) in S, theta in Theta giving both positive probability, and w.",
    kind="definition",
)
def pufferfish(check: Check) -> None:
    """Nothing to decide; S is a set of ordered pairs, or closed under swapping."""
    for name in ("S a set of ordered pairs", "S closed under swapping"):
        with check.reading(name) as argument:
            argument.definition(
                "Pufferfish",
                "p and q are the probabilities of w given s_i and s_j",
                sympy.Le(p, R * q),
            )


@claim(
    "bai2026.puffer-odds",
    where="Section 2.2",
    statement="If M is epsilon-Pufferfish then, for every (s_i, s_j) in S, every theta in Theta "
    "that gives both positive probability and every output w that is possible given one of "
    "them, the posterior odds of s_i to s_j lie between e^-epsilon and e^epsilon times the "
    "prior odds; if all these posterior odds are the prior odds there is no leakage (epsilon = "
    "0).",
    kind="remark",
    repair="general.bayes-form",
)
def puffer_odds(check: Check) -> None:
    """False below for ordered pairs listed in one order; proved for S closed under swapping,
    and at epsilon = 0.
    """
    with check.reading("S a set of ordered pairs", "one counterexample") as argument:
        _one_order(argument)
    proved(
        check,
        "S closed under swapping",
        "all finite sizes; any secrets, priors and outputs of positive probability",
        _both_orders,
        from_one_order=partial(_both_orders, one=True),
    )
    proved(
        check,
        "odds that do not change mean epsilon = 0",
        "all finite sizes; either reading of S",
        _unchanged,
        odds_that_fall=partial(_unchanged, changed=True),
    )


def _one_order(argument: Argument) -> None:
    half = Fraction(1, 2)
    framework = Framework(
        ["s", "t"], {"s": ["s"], "t": ["t"]}, [("s", "t")], {"even": Table({"s": half, "t": half})}
    )
    channel = Channel.of({"s": [1, 0], "t": [half, half]}, ["u", "v"])
    theta = prior_of(framework, "even")
    argument.counterexample(
        "an output that rules the first secret out",
        "Let S hold the ordered pair (s, t) alone, and let M always give the output u under s, and "
        "u or v with probability 1/2 each under t. Then P(u | s) = 1 <= 2 P(u | t) and P(v | s) = "
        "0, so that the level log(2) is kept for (s, t). But v rules s out: after it the odds of s "
        "to t are 0, less than 1/2 times the prior odds 1. Audits check both orders",
        {
            "listed order": "(s, t)",
            "e^epsilon": Fraction(2),
            "output": "v",
            "prior odds of s to t": Fraction(1),
            "posterior odds of s to t": Fraction(0),
            "framework": framework,
            "mechanism": channel,
            "epsilon": "log(2)",
        },
        lambda: (
            keeps(framework, channel, theta, Fraction(2), one_sided=True)
            and posterior(framework, channel, theta, "s", "v") == 0
            and posterior(framework, channel, theta, "t", "v") == 1
        ),
    )


def _both_orders(argument: Argument, one: bool = False) -> None:
    argument.cite(
        "Bayes",
        "Bounds in both orders are bounds on the change of odds on both sides, and an output "
        "excludes both secrets or neither",
        "general.bayes-form",
        met={
            "secrets of positive prior probability": "the definition asks for priors that give "
            "both positive probability"
        },
    )
    likelihoods = [a * q <= R * b * p] if one else [a * q <= R * b * p, b * p <= R * a * q]
    argument.inequality(
        "both bounds on the odds",
        "a/b are the posterior, p/q the prior odds; likelihoods are a/p and b/q times P(y)",
        ((a / b) / (p / q) <= R) & ((a / b) / (p / q) >= 1 / R),
        [*likelihoods, a > 0, b > 0, p > 0, q > 0, R >= 1],
    )


def _unchanged(argument: Argument, changed: bool = False) -> None:
    argument.inequality(
        "equal odds are equal likelihoods",
        "a/b = p/q for an output that allows both secrets gives a/p = b/q",
        sympy.Eq(a / p, b / q),
        [
            (a / b <= R * p / q) if changed else sympy.Eq(a / b, p / q),
            a > 0,
            b > 0,
            p > 0,
            q > 0,
            R >= 1,
        ],
    )
    argument.inequality(
        "outputs that exclude a secret",
        "Odds a to b equal to p to q, written a q = b p: if one of a, b is 0 so is the other, and "
        "0 <= 0 holds",
        sympy.Eq(a, 0) & sympy.Eq(b, 0),
        [sympy.Eq(a * q, b * p), sympy.Eq(a * b, 0), a >= 0, b >= 0, p > 0, q > 0],
    )


@claim(
    "bai2026.puffer-postproc",
    where="Section 2.2",
    statement="If M is epsilon-Pufferfish for Theta and S, so is A o M, for every randomised "
    "processing A.",
    kind="lemma",
    assumes=["the processing uses fresh randomness and does not see the database"],
)
def puffer_postproc(check: Check) -> None:
    """The likelihoods given the two secrets of a pair are pushed through one kernel, in one
    order or in both.
    """
    for name in ("S a set of ordered pairs", "S closed under swapping"):
        proved(
            check,
            name,
            ALL_SIZES,
            _processed,
            a_smaller_level=partial(_processed, smaller=True),
            a_processing_that_sees_the_database=partial(_processed, sees=True),
        )


def _processed(argument: Argument, smaller: bool = False, sees: bool = False) -> None:
    argument.cite(
        "likelihoods given a secret",
        "P(z | s, theta) = sum_D theta(D | s) sum_y K(z|y) P(y | D) = sum_y K(z|y) P(y | s, "
        "theta), exchanging the sums",
        "lemma.finite-sums",
    )
    processed(argument, "given the two secrets under a prior", smaller, sees)


@claim(
    "bai2026.puffer-nocompose",
    where="Sections 2.2 and 4",
    statement="Pufferfish does not compose in general: there are mechanisms with zero leakage in "
    "one run and infinite joint leakage in two independent runs.",
    kind="remark",
)
def puffer_nocompose(check: Check) -> None:
    """Example 1 shows it: for every prior of its kind the joint leakage of two runs is infinite."""
    proved(
        check,
        "zero leakage in one run, infinite in two",
        "every prior and pair of complementary secrets with two databases each",
        _collapse,
        two_decoys_that_are_the_same=partial(_collapse, same=True),
    )


def _collapse(argument: Argument, same: bool = False) -> None:
    e, f, y, z = sympy.symbols("e f y z")
    argument.cite(
        "one run", "The mechanism of Example 1 leaks nothing in one run", "bai2026.ex1-zero"
    )
    changed = [sympy.Eq(e, f)] if same else [sympy.Ne(e, f)]
    argument.inequality(
        "no database of s2 allows both outputs",
        "Number the databases. Two runs gave (x, e) and (x, f) with e and f of s2. A database of "
        "s2 that allows an output stands in its second place: y = e and y = f",
        ~(sympy.Eq(y, e) & sympy.Eq(y, f)),
        changed,
    )
    argument.inequality(
        "infinite joint leakage",
        "Given s1, x has probability a > 0 and the decoys p > 0 and q > 0, as s2 has two databases "
        "e and f of positive probability: the two outputs have probability a p q. Given s2 it is z "
        "= 0: no level R holds",
        a * p * q > R * z,
        [a > 0, p > 0, q > 0, sympy.Eq(z, 0), R >= 1],
    )
