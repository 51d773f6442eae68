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
    "AdditiveNoise": "models.noise",
    "AllPairs": "models.framework",
    "Audit": "verify.audit",
    "BayesianNetwork": "models.bayesian_network",
    "BinaryChain": "models.binary_chain",
    "CertificateError": "models.errors",
    "Channel": "models.channel",
    "Framework": "models.framework",
    "HiddenMarkovModel": "models.hidden_markov",
    "Level": "models.level",
    "LocalMechanism": "models.local",
    "LocalRedaction": "models.mechanisms.redaction",
    "Loss": "lp.losses",
    "MarkovChain": "models.priors",
    "ModelError": "models.errors",
    "Noise": "models.noise",
    "Observer": "verify.revealing",
    "Product": "models.priors",
    "PufferproofError": "models.errors",
    "RecordQuery": "models.record_query",
    "Records": "models.priors",
    "SequenceFramework": "models.sequences",
    "Table": "models.priors",
    "Verdict": "verify.audit",
    "absolute_error": "lp.losses",
    "adaptive_compose": "models.channel",
    "assert_pufferfish": "verify.audit",
    "audit": "verify.audit",
    "audit_composition": "verify.composition",
    "audit_local": "verify.local_audit",
    "audit_noise": "verify.noise_audit",
    "audit_noise_composition": "verify.noise_composition",
    "check_nfc": "lp.nfc",
    "collapse": "counterexamples.collapse:search_collapse",
    "compose": "models.channel",
    "composition_conditions": "lp.conditions",
    "composition_rate": "lp.nfc",
    "critical_ratio": "lp.critical",
    "error_probability": "lp.losses",
    "joint_redaction_leakage": "verify.joint_redaction_leakage",
    "leakage_table": "verify.table",
    "markov_quilt": "models.mechanisms.markov_quilt",
    "max_influence": "models.influence_refined",
    "mix": "models.channel",
    "most_conservative": "models.mechanisms.redaction",
    "optimal_mechanism": "lp.optimal",
    "optimality_gap": "lp.optimal",
    "post_process": "models.channel",
    "quilt_redaction": "models.mechanisms.redaction:quilt",
    "read_framework": "models.files",
    "read_mechanism": "models.files",
    "redaction_designs": "lp.redaction_strategies",
    "redaction_leakage": "verify.redaction_leakage",
    "redaction_set_designs": "lp.redaction_sets",
    "repeat": "models.channel",
    "repeated_leakage": "verify.repeated",
    "simulate_redaction": "verify.redaction_simulation:simulate",
    "smallest_delta": "verify.delta",
    "squared_error": "lp.losses",
    "three_regions": "models.mechanisms.redaction",
    "wasserstein_mechanism": "models.mechanisms.wasserstein",
    "worst_composition": "lp.worst_composition",
    "worst_partner": "lp.partner",
}

__all__ = [
    "AdditiveNoise", "AllPairs", "Audit", "BayesianNetwork", "BinaryChain", "CertificateError", "Channel",
    "Framework", "HiddenMarkovModel", "Level", "LocalMechanism", "LocalRedaction", "Loss", "MarkovChain",
    "ModelError", "Noise", "Observer", "Product", "PufferproofError", "RecordQuery", "Records", "SequenceFramework",
    "Table", "Verdict", "absolute_error", "adaptive_compose", "assert_pufferfish", "audit", "audit_composition",
    "audit_local", "audit_noise", "audit_noise_composition", "check_nfc", "collapse", "compose",
    "composition_conditions", "composition_rate", "critical_ratio", "error_probability", "joint_redaction_leakage",
    "leakage_table", "markov_quilt", "max_influence", "mix", "most_conservative", "optimal_mechanism",
    "optimality_gap", "post_process", "quilt_redaction", "read_framework", "read_mechanism", "redaction_designs",
    "redaction_leakage", "redaction_set_designs", "repeat", "repeated_leakage", "simulate_redaction",
    "smallest_delta", "squared_error", "three_regions", "wasserstein_mechanism", "worst_composition",
    "worst_partner",
]  # fmt: skip

if TYPE_CHECKING:
    from pufferproof.counterexamples.collapse import search_collapse as collapse
    from pufferproof.lp.conditions import composition_conditions
    from pufferproof.lp.critical import critical_ratio
    from pufferproof.lp.losses import Loss, absolute_error, error_probability, squared_error
    from pufferproof.lp.nfc import check_nfc, composition_rate
    from pufferproof.lp.optimal import optimal_mechanism, optimality_gap
    from pufferproof.lp.partner import worst_partner
    from pufferproof.lp.redaction_sets import redaction_set_designs
    from pufferproof.lp.redaction_strategies import redaction_designs
    from pufferproof.lp.worst_composition import worst_composition
    from pufferproof.models.bayesian_network import BayesianNetwork
    from pufferproof.models.binary_chain import BinaryChain
    from pufferproof.models.channel import Channel, adaptive_compose, compose, mix, post_process, repeat
    from pufferproof.models.errors import CertificateError, ModelError, PufferproofError
    from pufferproof.models.files import read_framework, read_mechanism
    from pufferproof.models.framework import AllPairs, Framework
    from pufferproof.models.hidden_markov import HiddenMarkovModel
    from pufferproof.models.influence_refined import max_influence
    from pufferproof.models.level import Level
    from pufferproof.models.local import LocalMechanism
    from pufferproof.models.mechanisms.markov_quilt import markov_quilt
    from pufferproof.models.mechanisms.redaction import LocalRedaction, most_conservative, three_regions
    from pufferproof.models.mechanisms.redaction import quilt as quilt_redaction
    from pufferproof.models.mechanisms.wasserstein import wasserstein_mechanism
    from pufferproof.models.noise import AdditiveNoise, Noise
    from pufferproof.models.priors import MarkovChain, Product, Records, Table
    from pufferproof.models.record_query import RecordQuery
    from pufferproof.models.sequences import SequenceFramework
    from pufferproof.verify.audit import Audit, Verdict, assert_pufferfish, audit
    from pufferproof.verify.composition import audit_composition
    from pufferproof.verify.delta import smallest_delta
    from pufferproof.verify.joint_redaction_leakage import joint_redaction_leakage
    from pufferproof.verify.local_audit import audit_local
    from pufferproof.verify.noise_audit import audit_noise
    from pufferproof.verify.noise_composition import audit_noise_composition
    from pufferproof.verify.redaction_leakage import redaction_leakage
    from pufferproof.verify.redaction_simulation import simulate as simulate_redaction
    from pufferproof.verify.repeated import repeated_leakage
    from pufferproof.verify.revealing import Observer
    from pufferproof.verify.table import leakage_table


def __getattr__(name: str) -> Any:
    if name in _HOME:
        module, _, attribute = _HOME[name].partition(":")
        return getattr(importlib.import_module(f"pufferproof.{module}"), attribute or name)
    raise AttributeError(f"module 'pufferproof' has no attribute {name!r}")


def __dir__() -> list[str]:
    return list(__all__)
