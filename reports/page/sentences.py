"""What the report's page says in sentences: where a leakage is reached, what an adversary learns
there, and how much was compared.

The sentences are the same for everything that is audited, alone or as a joint release. Listed
outputs come with both probabilities, and sequences that are too long to list with their ratio; of
queries with noise it is said under which secret the output is likelier.
"""

from fractions import Fraction
from functools import singledispatch

from pufferproof.models.numbers.text import at_most, brief_chance, capital, full_stop
from pufferproof.reports.auditing.words import count_text, output_text, shared_sentences, word_text
from pufferproof.reports.composition.any_form import AnyComposition, released
from pufferproof.reports.console.labels import label_text
from pufferproof.reports.console.words import counted, leakage_text, never_checked, prior_text, three_nats, times_text
from pufferproof.verify.audit import Audit
from pufferproof.verify.audit.composition import Composition
from pufferproof.verify.leakage.ratio import EnclosedRatio, LargestRatio, Leakage
from pufferproof.verify.leakage.table import probabilities
from pufferproof.verify.noise.normal.lines import GaussianLeakage
from pufferproof.verify.noise.ratio.bounds import NoiseBounds
from pufferproof.verify.noise.ratio.listed import NoiseLeakage
from pufferproof.verify.sequences.leakage import LocalLeakage
from pufferproof.verify.sequences.words import WordRatio

_LARGEST = 10**9  # of a factor that is written out
_NOTHING = "No output distinguishes the secrets."


def witness_sentences(audit: Audit, event: str = "") -> list[str]:
    """Say where the leakage is reached, and what an adversary learns there.

    `event` says what is seen where that is not the output of one release.
    """
    seen = event or _event(audit.largest, audit)
    return _learnt(audit.largest, audit, f"Under the {prior_text(audit.witness.prior)}, {seen}")


def joint_sentences(together: AnyComposition) -> list[str]:
    """Say where the leakage of a joint release is reached, or what bounds it."""
    releases = released(together)
    return [*witness_sentences(releases.joint, _joint_event(releases)), *shared_sentences(releases.shared)]


def joint_phrase(together: AnyComposition) -> str:
    """Say the leakage of a joint release in one phrase."""
    return leakage_text(released(together).joint.leakage)


def odds_phrase(leakage: Leakage) -> str:
    """Say what odds are multiplied by at most, and how many nats that is, with three digits."""
    if leakage.infinite or leakage.ratio is None or leakage.ratio > _LARGEST:
        return three_nats(leakage)
    if leakage.ratio == 1:
        return f"1 ({leakage_text(leakage)})"
    return f"{at_most(leakage.ratio)} ({three_nats(leakage)})"


def scope_sentences(audit: Audit) -> list[str]:
    """Say how much was compared, over how many priors, and what was left out."""
    framework = audit.framework
    divided = [f'The rows of prior "{name}" were divided by their sums.' for name in framework.normalized]
    scope = audit.scope
    combinations = counted(scope.excluded, "combination")
    were = "was" if scope.excluded == 1 else "were"
    why = "because a secret has probability 0 there"
    said = f"{combinations} of prior and pair {were} left out {why}."
    left_out = [*([said] if scope.excluded else []), *(capital(full_stop(said)) for said in never_checked(scope))]
    return [_compared(audit.largest, audit), *left_out, *divided]


def joint_scope(together: AnyComposition) -> list[str]:
    """Say the same of a joint release."""
    return scope_sentences(released(together).joint)


@singledispatch
def _event(largest: LargestRatio, audit: Audit) -> str:
    """Say what is seen at the witness: an output, or where outputs go."""
    return f'output "{audit.witness.output}"'


@_event.register
def _event_of_local_leakage(largest: LocalLeakage, audit: Audit) -> str:
    return output_text(audit)


@_event.register
def _event_of_word_ratio(largest: WordRatio, audit: Audit) -> str:
    where = f"{largest.where}, " if largest.where else ""
    return f"{where}{word_text(largest, audit)}"


@_event.register(NoiseLeakage)
@_event.register(GaussianLeakage)
@_event.register(NoiseBounds)
@_event.register(EnclosedRatio)
def _event_of_largest_ratio(largest: LargestRatio, audit: Audit) -> str:
    goes = "as outputs go to" if audit.leakage.infinite else "output"
    return f"{goes} {label_text(audit.witness.output)}"


def _joint_event(together: Composition) -> str:
    """Say what is seen of all releases; sequences have the symbols of all of them side by side."""
    if isinstance(together.joint.largest, LocalLeakage | WordRatio):
        return ""
    if together.joint.is_listed:
        shown = " and ".join(f'"{output}"' for output in together.outputs)
        return f"seeing {shown} together"
    shown = " and ".join(f"({output})" if "," in output else output for output in together.outputs)
    infinite = together.joint.leakage.infinite
    return f"as outputs go to {shown}" if infinite else f"seeing {shown} together"


@singledispatch
def _learnt(largest: LargestRatio, audit: Audit, where: str) -> list[str]:
    """Say what a listed output tells, with both exact probabilities and the odds."""
    return _told(audit, where, *probabilities(audit.framework, audit.channel, audit.witness))


@_learnt.register
def _learnt_of_word_ratio(largest: WordRatio, audit: Audit, where: str) -> list[str]:
    return _told(audit, where, *largest.sides)


def _told(audit: Audit, where: str, left: Fraction, right: Fraction) -> list[str]:
    """Say what an output of these probabilities under the two secrets tells."""
    witness, framework = audit.witness, audit.framework
    above, below = witness.pair
    if right == 0:
        likely = f'has probability {brief_chance(left)} when "{above}" holds'
        said = f'{likely} and 0 when "{below}" does'
        return [f'{where} {said}. It rules out "{below}".']
    if left == right:
        said = f'is as likely when "{above}" holds as when "{below}" does ({brief_chance(left)})'
        return [f"{where} {said}. {_NOTHING}"]
    sides = f"({brief_chance(left)} against {brief_chance(right)})"
    times = f"{_times(where, left / right, above, below)} {sides}."
    if not isinstance(witness.prior, str):
        return [times]
    odds = Fraction(framework.mass(witness.prior, above), framework.mass(witness.prior, below))
    before, after = times_text(odds), times_text(odds * left / right)
    return [times, f'It raises the odds of "{above}" against "{below}" from {before} to {after}.']


@_learnt.register
def _learnt_of_local_leakage(largest: LocalLeakage, audit: Audit, where: str) -> list[str]:
    above, below = audit.witness.pair
    if audit.leakage.ratio == 1:
        return [_NOTHING]
    if audit.leakage.infinite:
        said = f'{where} is possible when "{above}" holds and not when "{below}" does'
        return [f"{said}: {largest.reveals} reveals it."]
    return [f"{_times(where, largest.ratio[0] or Fraction(0), above, below)}."]


@_learnt.register(NoiseLeakage)
@_learnt.register(GaussianLeakage)
@_learnt.register(NoiseBounds)
@_learnt.register(EnclosedRatio)
def _learnt_of_largest_ratio(largest: LargestRatio, audit: Audit, where: str) -> list[str]:
    above, below = audit.witness.pair
    if audit.leakage.ratio == 1:
        return [_NOTHING]
    if audit.leakage.infinite:
        return [f'{where}, "{above}" becomes more likely than "{below}" without bound.']
    limit = ", in the limit" if "inf" in audit.witness.output else ""
    return [f'{where} is more likely when "{above}" holds than when "{below}" does{limit}.']


def _times(where: str, ratio: Fraction, above: str, below: str) -> str:
    times = f"{times_text(ratio)} times as likely"
    return f'{where} is {times} when "{above}" holds as when "{below}" does'


@singledispatch
def _compared(largest: LargestRatio, audit: Audit) -> str:
    """Say how much was compared."""
    return f"The audit covers {_inequalities(audit)} over {_priors(audit)}."


@_compared.register
def _compared_of_local_leakage(largest: LocalLeakage, audit: Audit) -> str:
    said = f"{count_text(audit)} inequalities over {_priors(audit)}"
    return f"The audit covers {said} without listing them."


@_compared.register
def _compared_of_word_ratio(largest: WordRatio, audit: Audit) -> str:
    said = f"all words of {counted(len(largest.word), 'symbol')} over {_priors(audit)}"
    return f"The audit covers {said} without listing them."


@_compared.register
def _compared_of_noise_leakage(largest: NoiseLeakage, audit: Audit) -> str:
    return f"The audit covers {_inequalities(audit)} over {_priors(audit)}, at values of the query."


@_compared.register
def _compared_of_enclosed_ratio(largest: EnclosedRatio, audit: Audit) -> str:
    compared = largest.compared
    return f"The audit covers {compared}, over {_priors(audit)}."


@_compared.register
def _compared_of_gaussian_leakage(largest: GaussianLeakage, audit: Audit) -> str:
    laws = f"{counted(audit.scope.checked, 'ordered pair')} of laws"
    return f"The audit covers {laws} over {_priors(audit)}."


@_compared.register
def _compared_of_noise_bounds(largest: NoiseBounds, audit: Audit) -> str:
    return f"These are bounds because the exact leakage takes too long: {largest.reason}."


def _inequalities(audit: Audit) -> str:
    return counted(audit.scope.checked, "inequality", "inequalities")


def _priors(audit: Audit) -> str:
    mixtures = " and all their mixtures" * (audit.framework.closure == "convex")
    return f"{counted(len(audit.framework.priors), 'prior')}{mixtures}"
