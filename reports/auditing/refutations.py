"""Counterexamples as certificates: what the framework and the mechanism of a refuted reading leak,
for the kernel, and as a file for Coq that proves it again.
"""

import json
from collections.abc import Mapping
from typing import Any

from pufferproof.models.errors import CertificateError
from pufferproof.verify.audit import Audit
from pufferproof.verify.certificates.export.writing import exported
from pufferproof.verify.certificates.writing import Inputs, audit_certificate
from pufferproof.verify.kernel import Refused


def refuting_files(audited: Audit | None, name: str) -> list[dict[str, str]]:
    """Return the certificate of an audit and its file for Coq, by the name of the file and its
    text; nothing where there is no audit, or no rule for it.

    With a level that is violated both say that it is exceeded, else what the leakage is.
    """
    if audited is None:
        return []
    try:
        text = json.dumps(audit_certificate(audited, Inputs()), indent=1) + "\n"
        proof = exported(text.encode(), f"{name}.json")
    except (CertificateError, Refused):
        return []
    return [{"file": f"{name}.json", "text": text}, {"file": f"{name}.v", "text": proof}]


def files_of(view: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return the files of a counterexample as the page shows it."""
    return [(each["file"], each["text"]) for each in view["proved_again"]]
