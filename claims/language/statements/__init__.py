"""Statements that run: what a claim says, as a program over finite instances.

    says = Statement(
        family=two_laws,
        given={"p(x) <= R q(x) for every x": lambda p, q, R: all(p[x] <= R * q[x] for x in p)},
        holds=lambda p, q, R, less=0: all(
            mass(p, A) <= (R - less) * mass(q, A) for A in subsets(p)
        ),
        too_strong={"by R - 1/100": {"less": Fraction(1, 100)}},
        too_weak=["p(x) <= R q(x) for every x"],
    )

An instance is a dictionary; family, hypotheses and conclusion take its entries by name. They use
definitions and brute force (`claims/language/instances/`), never what proves claims. `draws.py`
says how instances are drawn and made smaller, `broken.py` how they are broken, `statement.py` what
a statement is, `trial.py` runs it, with the numbers of `rationals.py`; `reading.py` finds what
ignores its instance.
"""

from pufferproof.claims.language.statements.draws import Draws
from pufferproof.claims.language.statements.rationals import Fraction
from pufferproof.claims.language.statements.statement import Instance, Statement
from pufferproof.claims.language.statements.trial import Trial, tried
from pufferproof.verify.proof.smt import USUAL, Effort

__all__ = ["USUAL", "Draws", "Effort", "Fraction", "Instance", "Statement", "Trial", "tried"]
