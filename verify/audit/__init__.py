"""The audit of any mechanism against any framework. Read `decide` first, then `ratios`.

`forms` says what is audited and in which form, `given` reads what files, programs and other
libraries give. `ratios` finds the largest likelihood ratio by the algorithm of a kind; `levels` and
`classes` decide levels, deltas and orders by it, and `answer` is what is said. `composition`
audits several releases together.
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
