"""Lemmas of the exponential function, each a theorem that Coq checked, word for word."""

from sympy import Eq

from pufferproof.claims.language.letters import Letter
from pufferproof.claims.language.linked.argument import Lemma, exp

X, Y, Z = (Letter(name, "any number", real=True) for name in "xyz")
GROWS = Lemma("exp grows", {"sum": X <= Y + Z}, exp(X) <= exp(Y) * exp(Z), "textbook.ExpLaws.grows")
POSITIVE = Lemma("exp is positive", {}, exp(X) > 0, "textbook.ExpLaws.positive")
ADDS = Lemma(
    "exp adds",
    {"sum": Eq(X, Y + Z, evaluate=False)},
    Eq(exp(X), exp(Y) * exp(Z), evaluate=False),
    "textbook.ExpLaws.adds",
)
TANGENT = Lemma("exp is above its tangent", {}, exp(X) >= 1 + X, "textbook.ExpLaws.tangent")
