"""Redaction that sees all records at once: its optimum for two records, under perfect privacy, and
what locality costs.

A central redaction mechanism chooses the set of released records given the whole sequence. Expected
numbers of released records throughout; P = [[1-a, a], [b, 1-b]], lam = 1-a-b, R = e^eps, pi0 =
b/(a+b), pi1 = a/(a+b). Source of the setting: massny2025, which considers local mechanisms.
"""

from pufferproof.claims.ours.redaction.statements.central import CENTRAL_OWN
from pufferproof.claims.registry import Check, claim


@claim(
    "redaction.central-own",
    where="Central redaction",
    statement="A mechanism of finite leakage about X_p never releases X_p: local or central, for "
    "every law of the records under which X_p has at least two possible values.",
    kind="lemma",
    says=CENTRAL_OWN,
)
def central_own(check: Check) -> None:
    """Prove that an output that shows X_p = x has probability 0 given another value of X_p.

    Its outputs: u, v are the probabilities of an output that shows X_p = x, given X_p = x and given
    another possible value of X_p. R is the ratio of the leakage, which compares every two possible
    values.
    """
    name = "as stated"
    check.tried(name)
