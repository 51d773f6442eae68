"""Section 4, Example 3: four outputs under many priors; the level of one run, and two different
outputs that reveal the secret.

u = P(U_T | s1, theta) lies in [LT, UT], f = P(U_F | not s1, theta) in [LF, UF], all strictly
between 0 and 1. Given s1 the outputs 1a2a and 1a2b have probability u/2 each, 1b2a and 1b2b (1 -
u)/2; given not s1 1a2a and 1b2a have f/2, the others (1 - f)/2.
"""

from collections.abc import Iterator
from fractions import Fraction

from pufferproof.claims.general.definition import keeps, prior_of
from pufferproof.claims.language import Proof
from pufferproof.claims.papers.bai2026.collapse import said
from pufferproof.claims.registry import Check, claim
from pufferproof.models.channel import Channel
from pufferproof.models.framework import Framework
from pufferproof.models.mechanisms.collapse import four_outputs_collapse
from pufferproof.models.priors.tables import Table

NOTATION = {
    "M*": "the mechanism of Example 3, with the outputs 1a2a, 1b2a, 1a2b and 1b2b",
    "s1": "the secret; the one pair is s1 and its negation, not s1",
    "U_T, U_F": "a set of databases for which s1 is true, and one of databases for which it is "
    "false",
    "LT, UT": "bounds of P(U_T | s1, theta) from below and above, for all theta in Theta "
    "that allow s1",
    "LF, UF": "bounds of P(U_F | not s1, theta) from below and above, for all theta in Theta "
    "that allow not s1",
}


@claim(
    "bai2026.ex3-mech",
    where="Section 4, Example 3",
    statement="One pair (s1, not s1); s1 is true on U_T and false on U_F. M* gives, with "
    "probability 1/2 each: 1a2a or 1a2b for D in U_T, 1b2a or 1b2b for other D with s1, 1a2a "
    "or 1b2a for D in U_F, 1a2b or 1b2b for other D without s1.",
    kind="algorithm",
)
def ex3_mech(check: Check) -> None:
    """`models.mechanisms.collapse.four_outputs_collapse`; nothing to decide."""
    with check.reading("as printed") as proof:
        proof.definition(
            "the mechanism",
            "Each database has two outputs, one for each side of a fair coin",
            "P(w | D) = 1/2 for both outputs w of D",
        )


@claim(
    "bai2026.ex3-ratios",
    where="Section 4, Example 3, proof",
    statement="Under every theta in Theta that allows both secrets P(output of M* | s1, "
    "theta)/P(output of M* | not s1, theta) lies in: 1a2a [LT/UF, UT/LF]; 1b2a [(1-UT)/UF, "
    "(1-LT)/LF]; 1a2b [LT/(1-LF), UT/(1-UF)]; 1b2b [(1-UT)/(1-LF), (1-LT)/(1-UF)].",
    kind="proof step",
    says={"as printed": said.FOUR_RATIOS},
)
def ex3_ratios(check: Check) -> None:
    """Coq proves it with the quotients multiplied out: each is half of a probability over half of
    another one, each in its interval.
    """
    check.stated("as printed")


@claim(
    "bai2026.ex3-eps",
    where="Section 4, Example 3",
    statement="M* is epsilon-Pufferfish with epsilon the maximum of log|UT/LF|, log|LT/UF|, "
    "log|(1-UT)/UF|, log|(1-LT)/LF|, log|LT/(1-LF)|, log|UT/(1-UF)|, log|(1-UT)/(1-LF)|, "
    "log|(1-LT)/(1-UF)|.",
    repair="bai2026.ex3-eps-repaired",
    says={"only the pair (s1, not s1)": said.FOUR_ONE_ORDER},
)
def ex3_eps(check: Check) -> None:
    """The bars stand inside the logarithm: wrong for not s1 over s1, right for the other order.

    One of the ends UT/LF and (1-LT)/(1-UF) is at least 1, so that R = e^epsilon >= 1. For each of
    the four outputs R is at least two of the eight numbers; probabilities doubled.
    """
    with check.reading("both orders", "one counterexample, the smallest denominators") as proof:
        _other_order(proof)
    check.stated("only the pair (s1, not s1)")


@claim(
    "bai2026.ex3-eps-repaired",
    where="Section 4, Example 3",
    statement="With both orders of the pair s1, not s1, M* is epsilon-Pufferfish for the maximum "
    "epsilon of |log(UT/LF)|, |log(LT/UF)|, |log((1-UT)/UF)|, |log((1-LT)/LF)|, "
    "|log(LT/(1-LF))|, |log(UT/(1-UF))|, |log((1-UT)/(1-LF))|, |log((1-LT)/(1-UF))|; and for "
    "no smaller one if for each of the four choices a = LT, UT and b = LF, UF some prior in "
    "Theta has P(U_T | s1, theta) = a and P(U_F | not s1, theta) = b.",
    kind="repair of bai2026.ex3-eps",
    says={"both orders": said.FOUR_KEEPS, "attained": said.FOUR_ATTAINED},
)
def ex3_eps_repaired(check: Check) -> None:
    """Coq proves both: with the bars outside R is at least every ratio and its inverse, and a level
    that holds at the corners is.
    """
    check.stated("both orders")
    check.stated("attained")


def printed_level(at_u: Fraction, at_f: Fraction) -> Fraction:
    """Return the printed e^epsilon for LT = UT = u and LF = UF = f."""
    ends = [a / b for a in (at_u, 1 - at_u) for b in (at_f, 1 - at_f)]
    return max(ends)


def _instance(at_u: Fraction, at_f: Fraction) -> tuple[Framework, Channel]:
    theta = Table({"T": at_u / 2, "t": (1 - at_u) / 2, "F": at_f / 2, "f": (1 - at_f) / 2})
    framework = Framework(
        ["T", "t", "F", "f"],
        {"s1": ["T", "t"], "not s1": ["F", "f"]},
        [("s1", "not s1")],
        {"theta": theta},
    )
    return framework, four_outputs_collapse(framework, {"T"}, {"F"})


def _kept(chances: tuple[Fraction, Fraction]) -> bool:
    framework, mechanism = _instance(*chances)
    return keeps(framework, mechanism, prior_of(framework, "theta"), printed_level(*chances))


def _grid() -> Iterator[tuple[Fraction, Fraction]]:
    """List (u, f) by the sum of their denominators, up to 4."""
    values = [
        Fraction(a, b) for b in range(2, 5) for a in range(1, b) if Fraction(a, b).denominator == b
    ]
    pairs = [(at_u, at_f) for at_u in values for at_f in values]
    yield from sorted(pairs, key=lambda each: (each[0].denominator + each[1].denominator, each))


def _other_order(proof: Proof) -> None:
    proof.exhaust(
        "one prior, four databases",
        "Fewer databases leave no u or f strictly between 0 and 1. LT = UT = u and LF = UF = f, by "
        "the sum of their denominators",
        _grid(),
        _kept,
    )
    at_u, at_f = next(chances for chances in _grid() if not _kept(chances))
    framework, mechanism = _instance(at_u, at_f)
    level = printed_level(at_u, at_f)
    proof.counterexample(
        "not s1 over s1",
        f"Let LT = UT = {at_u} and LF = UF = {at_f}. The largest of the printed quotients, which "
        f"all have a probability given s1 above, is {level}; but the output 1a2a is {at_f / at_u} "
        f"times as likely given not s1 as given s1. So it is for "
        "the intervals of the text, [.35, .65] and [.4, .6]: e^epsilon = 13/8 is printed, and "
        "UF/LT = 12/7",
        {
            "u": at_u,
            "f": at_f,
            "printed e^epsilon": level,
            "P(1a2a | not s1)/P(1a2a | s1)": at_f / at_u,
            "framework": framework,
            "mechanism": mechanism,
            "epsilon": f"log({level})",
        },
        lambda: (
            keeps(framework, mechanism, prior_of(framework, "theta"), level, one_sided=True)
            and not keeps(framework, mechanism, prior_of(framework, "theta"), level)
        ),
    )


@claim(
    "bai2026.ex3-runs",
    where="Section 4, Example 3",
    statement="One run of M* is epsilon-Pufferfish for some finite epsilon, with both orders; two "
    "different outputs reveal whether s1 is true; the expected number of independent runs "
    "until then is 3.",
    assumes=["the run that reveals is counted"],
    says={
        "3 runs on average until the secret is told": said.FOUR_TOLD,
        "one run keeps a finite level": said.FOUR_FINITE,
    },
)
def ex3_runs(check: Check) -> None:
    """Coq proves both: each kind of database has two outputs, which no database of the other secret
    has both, and one output of it has some. So two different outputs tell the secret. A level is
    1/LT + 1/(1-UT) + 1/LF + 1/(1-UF), for bounds that are neither 0 nor 1.
    """
    check.stated("3 runs on average until the secret is told")
    check.stated("one run keeps a finite level")
