"""The shape of optimal data-independent patterns: symmetric up to 1, or one side redacted, for lam
>= 0 only.

Letters as in `bound`. Source: massny2025, section III and appendix D.
"""

from pufferproof.claims.language import Proof, proved
from pufferproof.claims.papers.massny2025.bound import statements
from pufferproof.claims.papers.massny2025.bound.patterns import Instance, fewest, instances, optimum
from pufferproof.claims.papers.massny2025.bound.statement import TWO
from pufferproof.claims.registry import Check, claim

SOME = "some optimal pattern, lam >= 0, p <= n/2"
UNEVEN = Instance(TWO.of, 10, 5, TWO.ratio)


@claim(
    "massny2025.thm2-shape",
    where="Section III and appendix D",
    statement="The optimal strategy is either symmetric around p (Dl-1 <= Dr <= Dl+1) or redacts "
    "one side, the shorter one, fully and releases only from the other.",
    kind="remark",
    repair="massny2025.thm2-shape-repaired",
    says={SOME: statements.SHAPE},
)
def thm2_shape(check: Check) -> None:
    """Refute it for lam < 0, and for every optimal pattern; prove it for some optimal pattern if
    lam >= 0.

    M = E F for lam >= 0 [massny2025.x-dim-leakage], I(k) <= R iff k >= De
    [massny2025.dstar-repaired], and closer distances leak less: [lemma.closer-leaks-less] compares
    the numerators of the outer and the inner pair, [lemma.closer-leaks-less-below] the
    denominators. So l + r = 2 k may become k and k, and 2 k - 1 may become k - 1 and k, with as
    many records redacted; if they leave the chain the one-sided pattern with r = De is better: I(l)
    <= R for l <= p - 1 gives De <= n - p, and p - 1 + De <= 2 p - 2. Only the left side released:
    the same distance to the right redacts fewer.
    """
    proved(check, "some optimal pattern, lam < 0", "one counterexample", _uneven)
    proved(check, "every optimal pattern, p <= n/2", "one counterexample", _not_unique)
    _some(check)


def _not_unique(proof: Proof) -> None:
    found = proof.exhaust(
        "smallest failure",
        "by n, p, denominators and level",
        instances(6, 4),
        lambda at: all(shaped(*each) for each in optimum(at)[1]),
    )
    if found is not None:
        proof.counterexample(
            "another pattern",
            "The print says what the optimal strategy looks like. Of the listed patterns, all "
            "private and with the fewest redacted records, one is neither symmetric up to one "
            "record nor without releases on the shorter side: the optimum is not unique",
            {**found.evidence, "l, r": optimum(found)[1]},
            lambda: not all(shaped(*each) for each in optimum(found)[1]),
            fewest(found),
        )


def _uneven(proof: Proof) -> None:
    proof.counterexample(
        "distances 2 and 4",
        "Take a = 4/5, b = 14/15, n = 10 and p = 5. The print says that an optimal pattern is "
        "symmetric up to one record or redacts the shorter side. The only private patterns with "
        "the fewest redacted records release from distances 2 and 4, or 4 and 2, on",
        {**UNEVEN.evidence, "l, r": optimum(UNEVEN)[1]},
        lambda: not any(shaped(*each) for each in optimum(UNEVEN)[1]),
        fewest(UNEVEN),
    )


@claim(
    "massny2025.thm2-shape-repaired",
    where="Section III and appendix D, repaired",
    statement="For lam >= 0, eps > 0 and p <= n/2 some eps-private pattern with the fewest "
    "redacted records is symmetric, Dl-1 <= Dr <= Dl+1, or redacts the left, shorter side "
    "fully.",
    kind="repair of massny2025.thm2-shape",
    says=statements.SHAPE,
)
def thm2_shape_repaired(check: Check) -> None:
    """Prove that two distances may be balanced, unless the one-sided pattern is better.

    As in massny2025.thm2-shape.
    """
    _some(check)


def shaped(left: int | None, right: int | None) -> bool:
    """Say whether a pattern is symmetric up to 1, or releases nothing on the left."""
    return left is None or (right is not None and abs(left - right) <= 1)


def _some(check: Check) -> None:
    check.tried(SOME)
