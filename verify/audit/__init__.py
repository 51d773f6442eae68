"""The audit of any mechanism against any framework. Read `decide` first.

`answer` says what is audited, in which form, and what is said. `decide` reads what files, programs and other libraries
give, finds the largest likelihood ratio by the algorithm of a kind, and decides levels, deltas and orders by it.
`composition` audits several releases together.
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
from pufferproof.verify.audit.decide import (
    as_read,
    audit,
    audit_form,
    expect_effort,
    framework_first,
    largest_ratio,
    law_alone,
    lawful,
    listed_ratio,
)

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
