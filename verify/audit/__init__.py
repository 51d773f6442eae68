"""The audit of any mechanism against any framework. Read `decide` first, then `levels`.

`answer` says what is audited, in which form, and what is said; `decide` reads what files, programs and other libraries
give. `levels` finds the largest likelihood ratio by the algorithm of a kind, and decides levels, deltas and orders by
it. `composition` audits several releases together.
"""

from pufferproof.verify.audit.answer import (
    AnyDelta,
    AnyFramework,
    AnyMechanism,
    Audit,
    Form,
    Mechanism,
    NormalFramework,
    NormalQuery,
    Plain,
    form_of,
    plain,
)
from pufferproof.verify.audit.decide import as_read, audit, framework_first, law_alone, lawful
from pufferproof.verify.audit.levels import audit_form, expect_effort, largest_ratio, listed_ratio

__all__ = [
    "AnyDelta",
    "AnyFramework",
    "AnyMechanism",
    "Audit",
    "Form",
    "Mechanism",
    "NormalFramework",
    "NormalQuery",
    "Plain",
    "as_read",
    "audit",
    "audit_form",
    "expect_effort",
    "form_of",
    "framework_first",
    "largest_ratio",
    "law_alone",
    "lawful",
    "listed_ratio",
    "plain",
]
