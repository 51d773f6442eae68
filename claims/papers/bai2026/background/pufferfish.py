"""Section 2.2: posterior-based privacy, Pufferfish, what it says of odds, post-processing, and that
it does not compose.

Ratios are compared as products, R = e^epsilon. For a pair of secrets, f and g are prior, c and d
joint probabilities with an output.
"""

from fractions import Fraction

from sympy import Eq

from pufferproof.claims.general import said as laws
from pufferproof.claims.general.definition import keeps, posterior, prior_of
from pufferproof.claims.language import Proof, letters
from pufferproof.claims.papers.bai2026.background import said
from pufferproof.claims.papers.bai2026.background.statement import R, one, other
from pufferproof.claims.registry import Check, claim
from pufferproof.models.channel import Channel
from pufferproof.models.framework import Framework
from pufferproof.models.priors.tables import Table

after, before = letters(
    "after before", "probabilities of a secret, given an output and under the prior"
)


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
    with check.reading("as printed") as proof:
        proof.definition(
            "posterior-based",
            "Posterior equal to prior must count as no leakage",
            Eq(after, before),
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
        with check.reading(name) as proof:
            proof.definition(
                "Pufferfish",
                "The probabilities of w given s_i and s_j, one and other",
                one <= R * other,
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
    says={
        "S closed under swapping": laws.ODDS_IN_BOTH_ORDERS,
        "odds that do not change mean epsilon = 0": laws.ODDS_THAT_STAY,
    },
)
def puffer_odds(check: Check) -> None:
    """Proved for S closed under swapping, and at epsilon = 0; false below for ordered pairs listed
    in one order.
    """
    check.stated("S closed under swapping")
    check.stated("odds that do not change mean epsilon = 0")
    with check.reading("S a set of ordered pairs", "one counterexample") as proof:
        _one_order(proof)


def _one_order(proof: Proof) -> None:
    half = Fraction(1, 2)
    framework = Framework(
        ["s", "t"], {"s": ["s"], "t": ["t"]}, [("s", "t")], {"even": Table({"s": half, "t": half})}
    )
    channel = Channel.of({"s": [1, 0], "t": [half, half]}, ["u", "v"])
    theta = prior_of(framework, "even")
    proof.counterexample(
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


@claim(
    "bai2026.puffer-postproc",
    where="Section 2.2",
    statement="If M is epsilon-Pufferfish for Theta and S, so is A o M, for every randomised "
    "processing A.",
    kind="lemma",
    assumes=["the processing uses fresh randomness and does not see the database"],
    says={"S any set of ordered pairs, closed under swapping or not": laws.POST_PROCESSING},
)
def puffer_postproc(check: Check) -> None:
    """Coq pushes the likelihoods given the two secrets of a pair through one kernel."""


@claim(
    "bai2026.puffer-nocompose",
    where="Sections 2.2 and 4",
    statement="Pufferfish does not compose in general: there are mechanisms with zero leakage in "
    "one run and infinite joint leakage in two independent runs.",
    kind="remark",
    says={"there are such mechanisms": said.SOME, "for every prior and pair": said.COLLAPSE},
)
def puffer_nocompose(check: Check) -> None:
    """Coq has one on every set of three databases, and more: one for every prior and pair of
    exclusive secrets of which one has two possible databases.
    """
    check.stated("there are such mechanisms")
    check.stated("for every prior and pair")
