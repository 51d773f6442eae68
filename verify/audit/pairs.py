"""The audit of pairs that have levels of their own: each is decided at its level, and all must
hold.

Every pair is a framework of its own, so that whatever decides a level decides these.
"""

from dataclasses import replace
from typing import TYPE_CHECKING

from pufferproof.models.errors import ModelError
from pufferproof.models.framework import Framework
from pufferproof.verify.audit.answer import Audit, PairAudit
from pufferproof.verify.audit.given import lawful
from pufferproof.verify.decision import Decision

if TYPE_CHECKING:
    from collections.abc import Callable

MOST_PAIRS = 2_000


def audit_pairs(
    decide: "Callable[..., Audit]", framework: Framework, mechanism: object, effort: int
) -> Audit:
    """Return the audit of every pair at its own level, and of all of them together.

    Pairs in which a secret is impossible under every prior are left out, and `never_checked`.
    """
    if len(framework.levels) > MOST_PAIRS:
        raise ModelError(
            f"expected at most {MOST_PAIRS} pairs with levels, found {len(framework.levels)}",
            "pairs",
        )
    plain = framework.plain
    mechanism = lawful(plain, mechanism, effort)
    whole = decide(plain, mechanism, effort=effort)
    unchecked = {frozenset(pair) for pair in whole.scope.never_checked}
    found = [
        PairAudit(
            pair, level, decide(plain.with_pairs([pair]), mechanism, epsilon=level, effort=effort)
        )
        for pair, level in framework.levels
        if frozenset(pair) not in unchecked
    ]
    signs = [each.kept for each in found]
    kept = Decision.FAILS if Decision.FAILS in signs else Decision.every(signs)
    return replace(whole, kept=kept, pairs=tuple(found))


def expect_no_level(**asked: object) -> None:
    """Raise `ModelError` for a level, a delta or an order beside levels of pairs."""
    for name, given in asked.items():
        if given is not None:
            raise ModelError(
                "every pair has a level of its own, at which it is decided: expected none", name
            )
