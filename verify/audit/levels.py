"""The audit of a form under priors that are single laws: of a level, a delta, or an order."""

from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING

from pufferproof.models.channel import Channel
from pufferproof.models.errors import ModelError
from pufferproof.models.framework import Framework
from pufferproof.models.interface.kinds import Number
from pufferproof.models.noise.records import NoisyQueries
from pufferproof.models.noise.tables.partial import PartialTable
from pufferproof.models.noise.tables.powers import PowerTable
from pufferproof.models.numbers.grammar import probability
from pufferproof.models.numbers.level import Level
from pufferproof.models.sequences.parametric import ParametricMechanism
from pufferproof.verify.audit.answer import AnyDelta, Audit
from pufferproof.verify.audit.forms import Form, parametric_alone
from pufferproof.verify.audit.ratios import largest_ratio
from pufferproof.verify.decision import Decision
from pufferproof.verify.leakage.largest import LargestRatio

if TYPE_CHECKING:
    from pufferproof.verify.leakage.delta import Delta
    from pufferproof.verify.leakage.mixtures import MixtureDelta


_IRRATIONAL = (
    "needs rational probabilities, found sums of powers of e (a level, a delta and its profile are computed of them)"
)
_IN_PART = (
    "needs outputs that are all listed, found some that are not, or numbers that are "
    "drawn (a delta and its profile are bounded for them)"
)


Claim = Number | bool | None  # a number that is claimed, or True to find the smallest


def audit_form(framework: Framework, form: Form, level: Level | None = None) -> Audit:
    """Audit a mechanism in the form in which it is given."""
    return against(framework, form, level, largest_ratio(form, framework, level))


def against(framework: Framework, form: Form, level: Level | None, largest: LargestRatio) -> Audit:
    """Return the audit of a mechanism whose largest ratio, or bounds of it, are known."""
    kept = None if level is None else Decision.at_most(largest.compare(level))
    return Audit(framework, form, level, largest, kept)


def delta_audit(
    framework: Framework, form: Channel | NoisyQueries | PowerTable | PartialTable, level: Level | None, delta: Number
) -> Audit:
    """Return the audit of a delta at a level."""
    if level is None:
        raise ModelError("a delta needs a level; give epsilon as well", "delta")
    bound = probability(delta, "delta")
    largest = largest_ratio(form, framework, level)
    smallest: AnyDelta
    if isinstance(form, NoisyQueries):
        from pufferproof.verify.noise.integrals.delta.smallest import noise_delta

        smallest = noise_delta(framework, form, level, largest).against(bound)
        sign = smallest.compare(bound)
    elif isinstance(form, PowerTable | PartialTable):
        from pufferproof.verify.noise.ratio.partial import partial_delta

        smallest = partial_delta(framework, form, level)
        sign = smallest.compare(bound)
    else:
        smallest, sign = _approximate(framework, form, level, bound)
    return Audit(framework, form, level, largest, Decision.at_most(sign), bound, smallest)


def _approximate(
    framework: Framework, mechanism: Channel, level: Level, bound: Fraction
) -> "tuple[Delta | MixtureDelta, int | None]":
    """Return the smallest delta at a level and the sign of delta - bound, None if undecided."""
    if framework.closure == "convex":
        from pufferproof.verify.leakage.mixtures import mixture_delta

        return mixture_delta(framework, mechanism, level, bound)
    from pufferproof.verify.leakage.delta import delta_of

    smallest = delta_of(framework, mechanism, level)
    return smallest, smallest.compare(bound)


def renyi_audit(
    framework: Framework, form: Channel | NoisyQueries | PowerTable | PartialTable, level: Level | None, alpha: Number
) -> Audit:
    """Return the audit of an order: of the level if there is one, exactly or by enclosures."""
    if isinstance(form, NoisyQueries):
        from pufferproof.verify.noise.integrals.renyi.largest import noise_renyi

        divergence = noise_renyi(framework, form, alpha)
    elif isinstance(form, PowerTable | PartialTable):
        from pufferproof.verify.noise.integrals.renyi.tables import table_renyi

        divergence = table_renyi(framework, form, alpha)
    else:
        from pufferproof.verify.leakage.renyi import renyi_divergence

        divergence = renyi_divergence(framework, form, alpha)
    kept = None if level is None else Decision.at_most(divergence.compare(level))
    largest = largest_ratio(form, framework, level)
    return Audit(framework, form, level, largest, kept, renyi=divergence)


def smallest_audit(answer: Audit, zcdp: Claim, gdp: Claim) -> Audit:
    """Return an audit with the smallest rho or mu, compared with a number that was claimed."""
    from pufferproof.verify.noise.concentrated.orders import smallest_rho
    from pufferproof.verify.noise.concentrated.trade_off import smallest_mu

    kind, find, claim = ("zcdp", smallest_rho, zcdp) if asked(zcdp) else ("gdp", smallest_mu, gdp)
    if answer.of is not None:
        raise ModelError("needs single laws: classes of chains are bounded only", kind)
    found = find(answer.framework, answer.mechanism)
    if claim is True:
        return replace(answer, smallest=found)
    found = found.against(claim)
    return replace(answer, smallest=found, kept=Decision.at_most(found.sign))


def asked(claim: Claim) -> bool:
    """Whether a smallest number is asked for: by a number, or by True without one."""
    return claim is not None and claim is not False


def listed_outputs(form: Form, argument: str) -> Channel:
    """Return a mechanism whose outputs are listed. Raises `ModelError` of any other."""
    if isinstance(form, Channel):
        return form
    if isinstance(form, PowerTable | PartialTable):
        raise ModelError(_IRRATIONAL if isinstance(form, PowerTable) else _IN_PART, argument)
    if isinstance(form, ParametricMechanism):
        raise parametric_alone()
    raise ModelError("needs mechanisms whose outputs are listed, found queries or sequences that are not", argument)
