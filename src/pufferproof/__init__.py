"""pufferproof: does a mechanism keep a Pufferfish (inferential) privacy promise on correlated data? Exactly, with evidence.

    >>> from pufferproof import Channel, Framework, Table, audit
    >>> framework = Framework(["a", "b"], {"s": ["a"], "t": ["b"]}, [("s", "t")], {"theta": Table({"a": "1/2", "b": "1/2"})})
    >>> mechanism = Channel.of({"a": ["3/4", "1/4"], "b": ["1/4", "3/4"]}, outputs=["u", "v"])
    >>> audit(framework, mechanism, epsilon="log(2)").verdict
    <Verdict.VIOLATES: 'VIOLATES'>

Names below are imported when first used, so that importing the package costs next to nothing.
"""

import importlib
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

_HOME = {
    "AllPairs": "models.framework",
    "Audit": "verify.audit",
    "CertificateError": "models.errors",
    "Channel": "models.channel",
    "Framework": "models.framework",
    "Level": "models.level",
    "MarkovChain": "models.priors",
    "ModelError": "models.errors",
    "Product": "models.priors",
    "PufferproofError": "models.errors",
    "Records": "models.priors",
    "Table": "models.priors",
    "Verdict": "verify.audit",
    "adaptive_compose": "models.channel",
    "assert_pufferfish": "verify.audit",
    "audit": "verify.audit",
    "check_nfc": "lp.nfc",
    "compose": "models.channel",
    "composition_rate": "lp.nfc",
    "leakage_table": "verify.table",
    "mix": "models.channel",
    "post_process": "models.channel",
    "read_framework": "models.files",
    "read_mechanism": "models.files",
    "repeat": "models.channel",
    "repeated_leakage": "verify.repeated",
    "smallest_delta": "verify.delta",
    "worst_composition": "lp.worst_composition",
}

__all__ = [
    "AllPairs", "Audit", "CertificateError", "Channel", "Framework", "Level", "MarkovChain", "ModelError", "Product",
    "PufferproofError", "Records", "Table", "Verdict", "adaptive_compose", "assert_pufferfish", "audit", "check_nfc",
    "compose", "composition_rate", "leakage_table", "mix", "post_process", "read_framework", "read_mechanism", "repeat",
    "repeated_leakage", "smallest_delta", "worst_composition",
]  # fmt: skip

if TYPE_CHECKING:
    from pufferproof.lp.nfc import check_nfc, composition_rate
    from pufferproof.lp.worst_composition import worst_composition
    from pufferproof.models.channel import Channel, adaptive_compose, compose, mix, post_process, repeat
    from pufferproof.models.errors import CertificateError, ModelError, PufferproofError
    from pufferproof.models.files import read_framework, read_mechanism
    from pufferproof.models.framework import AllPairs, Framework
    from pufferproof.models.level import Level
    from pufferproof.models.priors import MarkovChain, Product, Records, Table
    from pufferproof.verify.audit import Audit, Verdict, assert_pufferfish, audit
    from pufferproof.verify.delta import smallest_delta
    from pufferproof.verify.repeated import repeated_leakage
    from pufferproof.verify.table import leakage_table


def __getattr__(name: str) -> Any:
    if name in _HOME:
        return getattr(importlib.import_module(f"pufferproof.{_HOME[name]}"), name)
    raise AttributeError(f"module 'pufferproof' has no attribute {name!r}")
