"""Formulas that arguments in prose rest on, each a statement of its own that an engine decides.

The docstrings of claims name them. They are algebra that is long or not obvious, about all real
numbers that meet the hypotheses in the formula; what it has to do with laws and mechanisms is said
by the claims.
"""

import sys
from types import FunctionType

from pufferproof.claims.language.formulas import formula
from pufferproof.claims.registry import Check, claim


def lemma(identifier: str, serves: str, says: str, why: str, given: str = "") -> None:
    """Register a formula, the claim whose argument names it, and why the formula holds. The claim
    stands in the file and on the line of the call.
    """
    call = sys._getframe(1)
    code = _formula_alone.__code__.replace(
        co_filename=call.f_code.co_filename,
        co_firstlineno=call.f_lineno,
        co_qualname=f"{identifier}, line {call.f_lineno}",
    )
    examined = FunctionType(code, call.f_globals)
    examined.__doc__ = why
    statement = formula(says, given)
    claim(identifier, where=f"library, for {serves}", statement=statement, kind="lemma")(examined)


def _formula_alone(check: Check) -> None:
    """Open no reading: the claim is its formula (`Check.run`)."""
