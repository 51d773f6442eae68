"""The largest likelihood ratio of a mechanism, by the algorithm for its kind.

| mechanism | leakage by |
|---|---|
| `Channel`, and what is written out as one | `leakage.ratio`; mixtures: `leakage.mixtures` |
| `LocalMechanism` on sequences that are not listed | `sequences.leakage` |
| `HiddenMarkovMechanism`, whose words are not listed | `sequences.words` |
| `ParametricMechanism`, for all values of its parameters | `sequences.parameters` |
| `PowerTable`, listed outputs of irrational probabilities | `noise.ratio.tables` |
| `PartialTable`, the law of a program of which paths are left | `noise.ratio.partial` |
| queries with noise, one or several together, or of many people | `noise.largest` |
| linear queries of normal records | `noise.normal.audit` |

A room is imported when a mechanism of its kind is audited, so that a table enters no other.
"""

from functools import singledispatch
from typing import Any

from pufferproof.models.channel import Channel
from pufferproof.models.errors import ModelError
from pufferproof.models.framework import Framework
from pufferproof.models.noise.records import NoisyQueries
from pufferproof.models.noise.tables.partial import PartialTable
from pufferproof.models.noise.tables.powers import PowerTable
from pufferproof.models.numbers.level import Level
from pufferproof.models.sequences.hidden_mechanism import HiddenMarkovMechanism
from pufferproof.models.sequences.local import LocalMechanism
from pufferproof.models.sequences.parametric import ParametricMechanism
from pufferproof.verify.audit.forms import Form
from pufferproof.verify.leakage.largest import LargestRatio
from pufferproof.verify.leakage.ratio import leakage, scope


@singledispatch
def largest_ratio(mechanism: object, framework: object, level: Level | None) -> LargestRatio:
    """Return the largest likelihood ratio of a mechanism, by the algorithm for its kind.

    With a level, closely enough to tell it from that, if that can be.
    """
    raise TypeError(f"no algorithm for {type(mechanism).__name__}")


@largest_ratio.register
def _largest_ratio_of_channel(mechanism: Channel, framework: Framework, level: Level | None) -> LargestRatio:
    if framework.closure == "convex":
        from pufferproof.verify.leakage.mixtures import MixtureRatio, as_leakage, mixture_leakage

        supremum, near = mixture_leakage(framework, mechanism, level)
        checked = scope(framework, len(mechanism.outputs))
        return MixtureRatio(as_leakage(supremum), near, checked, supremum)
    return LargestRatio(*leakage(framework, mechanism), scope(framework, len(mechanism.outputs)))


@largest_ratio.register
def _largest_ratio_of_local_mechanism(mechanism: LocalMechanism, framework: Any, level: Level | None) -> LargestRatio:
    if not framework.along_records and framework.by_records and framework.networks:
        from pufferproof.verify.sequences.networks import network_leakage

        return network_leakage(framework, mechanism)
    from pufferproof.verify.sequences.leakage import refined_leakage

    return refined_leakage(framework, mechanism, level)


@largest_ratio.register
def _largest_ratio_of_hidden_markov_mechanism(
    mechanism: HiddenMarkovMechanism, framework: Framework, level: Level | None
) -> LargestRatio:
    from pufferproof.verify.sequences.words import word_leakage

    return word_leakage(framework, mechanism)


@largest_ratio.register
def _largest_ratio_of_parametric_mechanism(
    mechanism: ParametricMechanism, framework: Framework, level: Level | None
) -> LargestRatio:
    from pufferproof.verify.sequences.parameters import parametric_leakage

    if level is None:
        raise ModelError("a mechanism with parameters is decided at a level: expected a level, found none", "epsilon")
    return parametric_leakage(framework, mechanism, level)


@largest_ratio.register
def _largest_ratio_of_power_table(mechanism: PowerTable, framework: Framework, level: Level | None) -> LargestRatio:
    from pufferproof.verify.noise.ratio.tables import table_leakage

    return table_leakage(framework, mechanism)


@largest_ratio.register
def _largest_ratio_of_partial_table(mechanism: PartialTable, framework: Framework, level: Level | None) -> LargestRatio:
    from pufferproof.verify.noise.ratio.partial import partial_leakage

    return partial_leakage(framework, mechanism)


@largest_ratio.register
def _largest_ratio_of_noisy_queries(mechanism: NoisyQueries, framework: Framework, level: Level | None) -> LargestRatio:
    from pufferproof.verify.noise.largest import noisy_ratio

    return noisy_ratio(framework, mechanism, level)


def listed_ratio(level: Level | None, framework: Framework, form: Form) -> LargestRatio:
    """Return the largest ratio of a mechanism under priors that are no classes."""
    return largest_ratio(form, framework, level)
