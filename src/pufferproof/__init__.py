"""pufferproof: does a mechanism keep a Pufferfish (inferential) privacy promise on correlated data?
Exactly, with evidence.

    >>> from pufferproof import Channel, Framework, Table, audit
    >>> framework = Framework(
    ...     ["a", "b"], {"s": ["a"], "t": ["b"]}, [("s", "t")], {"theta": Table({"a": "1/2", "b": "1/2"})}
    ... )
    >>> mechanism = Channel.of({"a": ["3/4", "1/4"], "b": ["1/4", "3/4"]}, outputs=["u", "v"])
    >>> audit(framework, mechanism, epsilon="log(2)").verdict
    <Verdict.VIOLATES: 'VIOLATES'>

Names below are imported when first used, so that importing the package costs next to nothing.
"""

import importlib
import os
import time
from importlib.machinery import PathFinder
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"
BEGUN = time.time()  # before any other module of the package is read

_HOME = {
    "Accountant": "lp.accounting.accountant",
    "AdditiveNoise": "models.noise.additive",
    "AllPairs": "models.listing",
    "Audit": "verify.audit",
    "BayesianNetwork": "models.priors.bayesian_network",
    "BinaryChain": "models.sequences.binary",
    "BlockStream": "verify.sequences.streams.passes",
    "CertificateError": "models.errors",
    "ChangingChain": "models.priors.chains",
    "Channel": "models.channel",
    "Composition": "verify.audit.composition",
    "Definition": "models.priors.definitions.definition",
    "Fit": "models.files.recorded.fit",
    "Framework": "models.framework",
    "HiddenMarkovMechanism": "models.sequences.hidden_mechanism",
    "HiddenMarkovModel": "models.sequences.hidden_mechanism",
    "IntervalChain": "models.priors.chains",
    "Level": "models.numbers.level",
    "LocalMechanism": "models.sequences.local",
    "LocalRedaction": "models.sequences.redaction",
    "Loss": "lp.best.mechanism",
    "MarkovChain": "models.priors.markov",
    "ModelError": "models.errors",
    "Noise": "models.noise.additive",
    "Observer": "verify.leakage.runs.revealing",
    "ParametricMechanism": "models.sequences.parametric",
    "Product": "models.priors.tables",
    "PufferproofError": "models.errors",
    "RecordQuery": "models.noise.records",
    "Records": "models.priors.records",
    "Sample": "models.mechanisms.sampled",
    "SampledQuery": "models.mechanisms.sampled",
    "Table": "models.priors.tables",
    "Verdict": "verify.decision",
    "absolute_error": "lp.best.mechanism",
    "adaptive_compose": "models.mechanisms.releases",
    "agrees": "verify.programs.agreement.agrees",
    "alphabet_redactions": "lp.redaction.alphabets",
    "as_mechanism": "verify.programs.mechanism",
    "as_prior": "models.mechanisms.adapters.entry",
    "assert_composes": "lp.assertions",
    "assert_pufferfish": "lp.assertions",
    "assert_release": "lp.assertions",
    "assert_translates": "lp.assertions",
    "audit": "verify.audit",
    "audit_many": "lp.assertions",
    "check_nfc": "lp.rates.nfc",
    "collapse": "counterexamples.collapse.search:search_collapse",
    "compose": "verify.audit.composition",
    "composition_conditions": "lp.conditions",
    "composition_rate": "lp.rates.nfc",
    "critical_ratio": "lp.cones.separation",
    "error_probability": "lp.best.mechanism",
    "estimate": "verify.simulation.estimation.running",
    "estimate_neighbours": "verify.simulation.search",
    "fit": "models.files.recorded.fit",
    "influence_curve": "verify.influence.curves.framework",
    "largest_level": "lp.translation.translate",
    "leakage_table": "verify.leakage.ratio",
    "markov_quilt": "verify.influence.quilts.exact",
    "markov_quilt_of_class": "verify.influence.quilts.exact",
    "max_influence": "verify.influence.chain",
    "mix": "models.mechanisms.releases",
    "most_conservative": "models.sequences.redaction",
    "optimal_mechanism": "lp.best.mechanism",
    "optimality_gap": "lp.best.mechanism",
    "post_process": "models.mechanisms.releases",
    "published_bounds": "lp.accounting.published.every",
    "quilt_redaction": "models.sequences.redaction:quilt",
    "read_framework": "models.files.frameworks",
    "read_mechanism": "models.files.mechanisms",
    "read_stream": "verify.sequences.streams.passes",
    "redaction_designs": "lp.redaction.strategies",
    "redaction_leakage": "verify.sequences.redaction.leakage",
    "redaction_set_designs": "lp.redaction.sets",
    "release": "lp.accounting.releases.schedule",
    "renyi_divergence": "verify.leakage.renyi",
    "repeat": "models.mechanisms.releases",
    "repeated_leakage": "verify.leakage.runs.repeated",
    "simulate_redaction": "verify.simulation.redaction:simulate",
    "smallest_delta": "verify.leakage.delta",
    "smallest_noise": "verify.noise.scale.smallest",
    "squared_error": "lp.best.mechanism",
    "stream_leakage": "verify.sequences.streams.leakage",
    "three_regions": "models.sequences.redaction",
    "translate": "lp.translation.translate",
    "wasserstein_mechanism": "models.noise.wasserstein",
    "worst_composition": "lp.worst.composition",
    "worst_partner": "lp.worst.partner",
}

if TYPE_CHECKING:
    from pufferproof.counterexamples.collapse.search import search_collapse as collapse
    from pufferproof.lp.accounting.accountant import Accountant
    from pufferproof.lp.accounting.published.every import published_bounds
    from pufferproof.lp.accounting.releases.schedule import release
    from pufferproof.lp.assertions import (
        assert_composes,
        assert_pufferfish,
        assert_release,
        assert_translates,
        audit_many,
    )
    from pufferproof.lp.best.mechanism import (
        Loss,
        absolute_error,
        error_probability,
        optimal_mechanism,
        optimality_gap,
        squared_error,
    )
    from pufferproof.lp.conditions import composition_conditions
    from pufferproof.lp.cones.separation import critical_ratio
    from pufferproof.lp.rates.nfc import check_nfc, composition_rate
    from pufferproof.lp.redaction.alphabets import alphabet_redactions
    from pufferproof.lp.redaction.sets import redaction_set_designs
    from pufferproof.lp.redaction.strategies import redaction_designs
    from pufferproof.lp.translation.translate import largest_level, translate
    from pufferproof.lp.worst.composition import worst_composition
    from pufferproof.lp.worst.partner import worst_partner
    from pufferproof.models.channel import Channel
    from pufferproof.models.errors import CertificateError, ModelError, PufferproofError
    from pufferproof.models.files.frameworks import read_framework
    from pufferproof.models.files.mechanisms import read_mechanism
    from pufferproof.models.files.recorded.fit import Fit, fit
    from pufferproof.models.framework import Framework
    from pufferproof.models.listing import AllPairs
    from pufferproof.models.mechanisms.adapters.entry import as_prior
    from pufferproof.models.mechanisms.releases import adaptive_compose, mix, post_process, repeat
    from pufferproof.models.mechanisms.sampled import Sample, SampledQuery
    from pufferproof.models.noise.additive import AdditiveNoise, Noise
    from pufferproof.models.noise.records import RecordQuery
    from pufferproof.models.noise.wasserstein import wasserstein_mechanism
    from pufferproof.models.numbers.level import Level
    from pufferproof.models.priors.bayesian_network import BayesianNetwork
    from pufferproof.models.priors.chains import ChangingChain, IntervalChain
    from pufferproof.models.priors.definitions.definition import Definition
    from pufferproof.models.priors.markov import MarkovChain
    from pufferproof.models.priors.records import Records
    from pufferproof.models.priors.tables import Product, Table
    from pufferproof.models.sequences.binary import BinaryChain
    from pufferproof.models.sequences.hidden_mechanism import HiddenMarkovMechanism, HiddenMarkovModel
    from pufferproof.models.sequences.local import LocalMechanism
    from pufferproof.models.sequences.parametric import ParametricMechanism
    from pufferproof.models.sequences.redaction import LocalRedaction, most_conservative, three_regions
    from pufferproof.models.sequences.redaction import quilt as quilt_redaction
    from pufferproof.verify.audit import Audit, audit
    from pufferproof.verify.audit.composition import Composition, compose
    from pufferproof.verify.decision import Verdict
    from pufferproof.verify.influence.chain import max_influence
    from pufferproof.verify.influence.curves.framework import influence_curve
    from pufferproof.verify.influence.quilts.exact import markov_quilt, markov_quilt_of_class
    from pufferproof.verify.leakage.delta import smallest_delta
    from pufferproof.verify.leakage.ratio import leakage_table
    from pufferproof.verify.leakage.renyi import renyi_divergence
    from pufferproof.verify.leakage.runs.repeated import repeated_leakage
    from pufferproof.verify.leakage.runs.revealing import Observer
    from pufferproof.verify.noise.scale.smallest import smallest_noise
    from pufferproof.verify.programs.agreement.agrees import agrees
    from pufferproof.verify.programs.mechanism import as_mechanism
    from pufferproof.verify.sequences.redaction.leakage import redaction_leakage
    from pufferproof.verify.sequences.streams.leakage import stream_leakage
    from pufferproof.verify.sequences.streams.passes import BlockStream, read_stream
    from pufferproof.verify.simulation.estimation.running import estimate
    from pufferproof.verify.simulation.redaction import simulate as simulate_redaction
    from pufferproof.verify.simulation.search import estimate_neighbours

    __all__ = [
        "Accountant",
        "AdditiveNoise",
        "AllPairs",
        "Audit",
        "BayesianNetwork",
        "BinaryChain",
        "BlockStream",
        "CertificateError",
        "ChangingChain",
        "Channel",
        "Composition",
        "Definition",
        "Fit",
        "Framework",
        "HiddenMarkovMechanism",
        "HiddenMarkovModel",
        "IntervalChain",
        "Level",
        "LocalMechanism",
        "LocalRedaction",
        "Loss",
        "MarkovChain",
        "ModelError",
        "Noise",
        "Observer",
        "ParametricMechanism",
        "Product",
        "PufferproofError",
        "RecordQuery",
        "Records",
        "Sample",
        "SampledQuery",
        "Table",
        "Verdict",
        "absolute_error",
        "adaptive_compose",
        "agrees",
        "alphabet_redactions",
        "as_mechanism",
        "as_prior",
        "assert_composes",
        "assert_pufferfish",
        "assert_release",
        "assert_translates",
        "audit",
        "audit_many",
        "check_nfc",
        "collapse",
        "compose",
        "composition_conditions",
        "composition_rate",
        "critical_ratio",
        "error_probability",
        "estimate",
        "estimate_neighbours",
        "fit",
        "influence_curve",
        "largest_level",
        "leakage_table",
        "markov_quilt",
        "markov_quilt_of_class",
        "max_influence",
        "mix",
        "most_conservative",
        "optimal_mechanism",
        "optimality_gap",
        "post_process",
        "published_bounds",
        "quilt_redaction",
        "read_framework",
        "read_mechanism",
        "read_stream",
        "redaction_designs",
        "redaction_leakage",
        "redaction_set_designs",
        "release",
        "renyi_divergence",
        "repeat",
        "repeated_leakage",
        "simulate_redaction",
        "smallest_delta",
        "smallest_noise",
        "squared_error",
        "stream_leakage",
        "three_regions",
        "translate",
        "wasserstein_mechanism",
        "worst_composition",
        "worst_partner",
    ]


def _stands(module: str) -> bool:
    """Whether a module of the package is there, as subjects can be taken away; none is imported."""
    *folders, name = module.split(".")
    places = [os.path.join(place, *folders) for place in __path__]
    return PathFinder.find_spec(name, places) is not None


def __getattr__(name: str) -> Any:
    if name == "__all__":
        return [each for each, home in _HOME.items() if _stands(home.partition(":")[0])]
    if name in _HOME:
        module, _, attribute = _HOME[name].partition(":")
        from pufferproof.models.errors import extras

        with extras:
            return getattr(importlib.import_module(f"pufferproof.{module}"), attribute or name)
    from pufferproof.models.numbers.text import did_you_mean

    hint = "" if name.startswith("_") else did_you_mean(name, __dir__())
    raise AttributeError(f"module 'pufferproof' has no attribute {name!r}{hint}")


def __dir__() -> list[str]:
    return list(__getattr__("__all__"))


if not os.path.isdir(os.path.join(__path__[0], "models")):
    # A checkout without symbolic links, as an sdist is and as Windows makes: floors are beside src.
    __path__.append(os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__)))))
