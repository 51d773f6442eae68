"""What the report's page says in sentences: where a leakage is reached, what an adversary learns
there, and how much was compared.

The sentences are the same for everything that is audited, alone or as a joint release. Listed
outputs come with both probabilities, and sequences that are too long to list with their ratio; of
queries with noise it is said under which secret the output is likelier.
"""

from fractions import Fraction

from pufferproof.models.numbers.text import at_most, brief_chance, capital, full_stop
from pufferproof.reports.auditing.words import count_text, output_text, shared_sentences, word_text
from pufferproof.reports.composition.any_form import AnyComposition, released
from pufferproof.reports.console.labels import label_text
from pufferproof.reports.console.words import counted, leakage_text, never_checked, prior_text, three_nats, times_text
from pufferproof.verify.audit import Audit
from pufferproof.verify.leakage.ratio import EnclosedRatio, LargestRatio, Leakage, probabilities
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
    # what is seen of all releases; sequences have the symbols of all of them side by side
    if isinstance(releases.joint.largest, LocalLeakage | WordRatio):
        joint_event = ""
    elif releases.joint.is_listed:
        shown = " and ".join(f'"{output}"' for output in releases.outputs)
        joint_event = f"seeing {shown} together"
    else:
        shown = " and ".join(f"({output})" if "," in output else output for output in releases.outputs)
        infinite = releases.joint.leakage.infinite
        joint_event = f"as outputs go to {shown}" if infinite else f"seeing {shown} together"
    return [*witness_sentences(releases.joint, joint_event), *shared_sentences(releases.shared)]


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


def _event(largest: LargestRatio, audit: Audit) -> str:
    """Say what is seen at the witness: an output, or where outputs go."""
    match largest:
        case LocalLeakage():
            return output_text(audit)
        case WordRatio():
            where = f"{largest.where}, " if largest.where else ""
            return f"{where}{word_text(largest, audit)}"
        case NoiseLeakage() | GaussianLeakage() | NoiseBounds() | EnclosedRatio():
            goes = "as outputs go to" if audit.leakage.infinite else "output"
            return f"{goes} {label_text(audit.witness.output)}"
    return f'output "{audit.witness.output}"'


def _learnt(largest: LargestRatio, audit: Audit, where: str) -> list[str]:
    """Say what an output tells: of listed ones with both exact probabilities and the odds."""
    above, below = audit.witness.pair
    match largest:
        case WordRatio():
            return _told(audit, where, *largest.sides)
        case LocalLeakage() | NoiseLeakage() | GaussianLeakage() | NoiseBounds() | EnclosedRatio():
            if audit.leakage.ratio == 1:
                return [_NOTHING]
            if isinstance(largest, LocalLeakage):
                if not audit.leakage.infinite:
                    return [f"{_times(where, largest.ratio[0] or Fraction(0), above, below)}."]
                said = f'{where} is possible when "{above}" holds and not when "{below}" does'
                return [f"{said}: {largest.reveals} reveals it."]
            if audit.leakage.infinite:
                return [f'{where}, "{above}" becomes more likely than "{below}" without bound.']
            limit = ", in the limit" if "inf" in audit.witness.output else ""
            return [f'{where} is more likely when "{above}" holds than when "{below}" does{limit}.']
    return _told(audit, where, *probabilities(audit.framework, audit.channel, audit.witness))


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


def _times(where: str, ratio: Fraction, above: str, below: str) -> str:
    times = f"{times_text(ratio)} times as likely"
    return f'{where} is {times} when "{above}" holds as when "{below}" does'


def _compared(largest: LargestRatio, audit: Audit) -> str:
    """Say how much was compared."""
    mixtures = " and all their mixtures" * (audit.framework.closure == "convex")
    priors = f"{counted(len(audit.framework.priors), 'prior')}{mixtures}"
    match largest:
        case LocalLeakage():
            said = f"{count_text(audit)} inequalities over {priors} without listing them"
        case WordRatio():
            said = f"all words of {counted(len(largest.word), 'symbol')} over {priors} without listing them"
        case NoiseLeakage():
            said = f"{_inequalities(audit)} over {priors}, at values of the query"
        case EnclosedRatio():
            said = f"{largest.compared}, over {priors}"
        case GaussianLeakage():
            said = f"{counted(audit.scope.checked, 'ordered pair')} of laws over {priors}"
        case NoiseBounds():
            return f"These are bounds because the exact leakage takes too long: {largest.reason}."
        case _:
            said = f"{_inequalities(audit)} over {priors}"
    return f"The audit covers {said}."


def _inequalities(audit: Audit) -> str:
    # of sequences that are not listed the number is too long to write
    return counted(audit.scope.checked, "inequality", "inequalities")
