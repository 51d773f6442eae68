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
    "Observer": "verify.revealing",
    "Product": "models.priors",
    "PufferproofError": "models.errors",
    "Records": "models.priors",
    "Table": "models.priors",
    "Verdict": "verify.audit",
    "adaptive_compose": "models.channel",
    "assert_pufferfish": "verify.audit",
    "audit": "verify.audit",
    "check_nfc": "lp.nfc",
    "collapse": "counterexamples.collapse:search_collapse",
    "compose": "models.channel",
    "composition_conditions": "lp.conditions",
    "composition_rate": "lp.nfc",
    "critical_ratio": "lp.critical",
    "leakage_table": "verify.table",
    "mix": "models.channel",
    "optimal_mechanism": "lp.optimal",
    "post_process": "models.channel",
    "read_framework": "models.files",
    "read_mechanism": "models.files",
    "repeat": "models.channel",
    "repeated_leakage": "verify.repeated",
    "smallest_delta": "verify.delta",
    "worst_composition": "lp.worst_composition",
    "worst_partner": "lp.partner",
}

__all__ = [
    "AllPairs", "Audit", "CertificateError", "Channel", "Framework", "Level", "MarkovChain", "ModelError", "Observer",
    "Product", "PufferproofError", "Records", "Table", "Verdict", "adaptive_compose", "assert_pufferfish", "audit",
    "check_nfc", "collapse", "compose", "composition_conditions", "composition_rate", "critical_ratio",
    "leakage_table", "mix", "optimal_mechanism", "post_process", "read_framework", "read_mechanism", "repeat",
    "repeated_leakage", "smallest_delta", "worst_composition", "worst_partner",
]  # fmt: skip

if TYPE_CHECKING:
    from pufferproof.counterexamples.collapse import search_collapse as collapse
    from pufferproof.lp.conditions import composition_conditions
    from pufferproof.lp.critical import critical_ratio
    from pufferproof.lp.nfc import check_nfc, composition_rate
    from pufferproof.lp.optimal import optimal_mechanism
    from pufferproof.lp.partner import worst_partner
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
    from pufferproof.verify.revealing import Observer
    from pufferproof.verify.table import leakage_table


def __getattr__(name: str) -> Any:
    if name in _HOME:
        module, _, attribute = _HOME[name].partition(":")
        return getattr(importlib.import_module(f"pufferproof.{module}"), attribute or name)
    raise AttributeError(f"module 'pufferproof' has no attribute {name!r}")
