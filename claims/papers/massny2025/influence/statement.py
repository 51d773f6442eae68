"""The influence of one record on another as a function of their distance: powers of the chain and
closed forms.

e^i_c(D) is the larger of (1 + c lam^D)/(1 - lam^D) and its inverse; influences are compared as such
ratios. Source: massny2025, proposition 1, (13)-(17).
"""

from pufferproof.claims.language import PRINTED
from pufferproof.claims.papers.massny2025.influence import linked
from pufferproof.claims.papers.massny2025.said import curves
from pufferproof.claims.registry import Check, claim


@claim("massny2025.x-powers", where="Appendix F, used silently", kind="lemma", says=linked.POWERS)
def powers(check: Check) -> None:
    """Prove what later steps use of powers of the eigenvalue."""
    check.linked("as stated")


@claim(
    "massny2025.prop1-power",
    where="Appendix F, equations (15) and (16)",
    kind="closed form",
    says=linked.POWER,
)
def prop1_power(check: Check) -> None:
    """Prove the power by induction on the distance."""
    check.linked(PRINTED)


@claim("massny2025.prop1-order", where="Appendix F", kind="lemma", says=curves.IN_ORDER)
def prop1_order(check: Check) -> None:
    """Prove the order of the influences of both values."""
    check.stated(PRINTED)


@claim(
    "massny2025.prop1-closed",
    where="Proposition 1, equations (13), (14), (17)",
    kind="closed form",
    says=curves.CLOSED,
)
def prop1_closed(check: Check) -> None:
    """Prove the closed forms for every sign of the eigenvalue, from powers of the chain."""
    check.stated(PRINTED)
