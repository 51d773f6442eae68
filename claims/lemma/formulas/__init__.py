"""Formulas that arguments in prose rest on, each a statement of its own that an engine decides.

The docstrings of claims name them. They are algebra that is long or not obvious, about all real
numbers that meet the hypotheses in the formula; what it has to do with laws and mechanisms is said
by the claims.
"""

from collections.abc import Callable

from pufferproof.claims.language.formulas import formula
from pufferproof.claims.registry import Check, claim

Examined = Callable[[Check], None]


def lemma(
    identifier: str, serves: str, says: str, given: str = ""
) -> Callable[[Examined], Examined]:
    """Register a formula, and the claim whose argument names it."""
    return claim(
        identifier, where=f"library, for {serves}", statement=formula(says, given), kind="lemma"
    )
