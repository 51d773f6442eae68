"""The Bayes form of Pufferfish: posterior odds against prior odds, which orders of pairs it needs,
and zero leakage.

a = P(y and s), b = P(y and s'), p = P(s) > 0, q = P(s') > 0 under one prior theta, so that P(y | s)
= a/p, P(s | y)/P(s' | y) = a/b and the prior odds are p/q. Sources: kifer2014pufferfish (section
3.1, the posterior odds of the definition).
"""

from fractions import Fraction
from itertools import product

from pufferproof.claims.general import said
from pufferproof.claims.general.definition import keeps, posterior, prior_of, ratios
from pufferproof.claims.general.statements import privacy
from pufferproof.claims.general.statements.one_order import ONE_ORDER
from pufferproof.claims.language import Proof, at_least, letters
from pufferproof.claims.registry import Check, claim
from pufferproof.models.channel import Channel
from pufferproof.models.framework import Framework
from pufferproof.models.priors.tables import Table

u, v = letters("u v", "P(y | s) and P(y | s') of the next output", at_least(0))


@claim(
    "general.bayes-form",
    where="general laws",
    statement="M is epsilon-Pufferfish, with every pair taken in both orders, iff for every prior, "
    "pair (s, s') and output y, either y excludes both secrets or neither, and then e^-epsilon "
    "<= [P(s|y)/P(s'|y)] / [P(s)/P(s')] <= e^epsilon.",
    assumes=["secrets of positive prior probability"],
    says={
        "both orders, both bounds": said.ODDS_IN_BOTH_ORDERS,
        "one order, one bound": said.ODDS_FORM,
    },
)
def bayes_form(check: Check) -> None:
    """Coq multiplies the bounds on likelihoods by the probabilities of the secrets."""


@claim(
    "general.bayes-form-one-order",
    where="general laws",
    statement="If P(y | s, theta) <= e^epsilon P(y | s', theta) for every listed ordered pair (s, "
    "s'), prior and output, then e^-epsilon <= [P(s|y)/P(s'|y)] / [P(s)/P(s')] <= e^epsilon "
    "for every listed pair.",
    repair="general.bayes-form",
    says={"epsilon = 0": ONE_ORDER},
)
def bayes_form_one_order(check: Check) -> None:
    """Refute the lower bound for lists that are not closed under swapping; at epsilon = 0 one
    order is enough.

    One more output: sum_s and sum_t are the sums of P(y|s) and P(y|s') over outputs, the first of
    them y, with g = P(y|s) and h = P(y|s'): sum_t - sum_s is at least h - g, as every other output
    has u <= v. Both sum to 1: Over all outputs both sums are 1, so g <= h is an equality, for
    whatever output is put first.
    """
    with check.reading("a list of ordered pairs", "one counterexample") as proof:
        _one_order_fails(proof)
    check.linked("epsilon = 0")


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


def _rows_and_levels() -> list[tuple[tuple[Fraction, Fraction], Fraction]]:
    """List P(u | s), P(u | t) and e^epsilon, by their denominators."""
    return [
        ((Fraction(i, n), Fraction(j, n)), Fraction(high, low))
        for n, low in product(range(1, 3), range(1, 3))
        for high in range(low, 2 * low + 1)
        for i, j in product(range(n + 1), repeat=2)
    ]


def _one_order_fails(proof: Proof) -> None:
    family = _rows_and_levels()
    proof.exhaust(
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
        each.pair: each.output
        for each in ratios(framework, channel, theta)
        if each.first > found[1] * each.second
    }
    proof.counterexample(
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
    "general.zero-leakage-partition",
    where="general laws",
    statement="If, under every prior, the secrets of positive probability are disjoint, have total "
    "probability 1 and are connected by pairs of such secrets, a mechanism is 0-Pufferfish iff "
    "P(s | y, theta) = P(s | theta) for every prior theta, every secret s of positive "
    "probability under theta and every output y of positive probability under theta.",
    kind="theorem",
    says={"secrets that cover everything": privacy.ZERO_LEAKAGE},
)
def zero_leakage_partition(check: Check) -> None:
    """Prove both directions when pairs connect secrets that cover everything; two complementary
    secrets are one case.

    At epsilon = 0 a pair has equal likelihoods P(y|s) = P(y|s'), in both orders, and so has every
    path of pairs: c. The secrets have total probability 1, so P(y) = c and P(s | y) = P(s).
    Conversely P(s|y) = P(s) and P(s'|y) = P(s') give equal likelihoods; outputs of probability 0
    have both 0.
    """
