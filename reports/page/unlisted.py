"""What the report's page says where outputs are not listed: sequences too long to list, and
queries with noise.
"""

from fractions import Fraction

from pufferproof.models.numbers.grammar import brief
from pufferproof.reports.auditing.any_form import leakage_phrase
from pufferproof.reports.auditing.words import count_text, output_text
from pufferproof.reports.composition.accounts import AccountedComposition
from pufferproof.reports.composition.any_form import AnyComposition
from pufferproof.reports.console.labels import label_text
from pufferproof.reports.console.words import counted, leakage_text, never_checked_lines
from pufferproof.verify.audit import Audit
from pufferproof.verify.composition import Composition
from pufferproof.verify.leakage.ratio import Leakage
from pufferproof.verify.noise.bounds import NoiseBounds
from pufferproof.verify.noise.gaussian.lines import GaussianLeakage
from pufferproof.verify.sequences.leakage import LocalLeakage

NOT_COMPUTED = "not computed, too large"


def unlisted_witness(audit: Audit, outputs: str = "") -> list[str]:
    """Say where a leakage is reached, at the outputs named, and what an adversary learns there."""
    above, below = audit.witness.pair
    largest = audit.largest
    if not isinstance(largest, LocalLeakage):
        where = (
            f"Output {outputs or label_text(audit.witness.output)}, under the prior "
            f'"{audit.witness.prior}",'
        )
        if audit.leakage.ratio == 1:
            return ["No output tells secrets apart."]
        if audit.leakage.infinite:
            return [
                f'As outputs go to {outputs or audit.witness.output}, "{above}" becomes likelier '
                f'than "{below}" without bound.'
            ]
        limit = ", in the limit" if "inf" in audit.witness.output else ""
        return [f'{where} is likelier when "{above}" holds than when "{below}" does{limit}.']
    shown = outputs or output_text(audit)
    where = f'{shown[0].upper() + shown[1:]}, under the prior "{audit.witness.prior}",'
    if audit.leakage.infinite:
        return [
            f'{where} is possible when "{above}" holds and not when "{below}" does: record '
            f"{largest.revealing} reveals it."
        ]
    if audit.leakage.ratio == 1:
        return ["No output tells secrets apart."]
    times = brief(largest.ratio[0] or Fraction(0))
    return [f'{where} is {times} times as likely when "{above}" holds as when "{below}" does.']


def unlisted_scope(audit: Audit) -> list[str]:
    """Say how much was checked, and what was left out."""
    if isinstance(audit.largest, NoiseBounds):
        said = [f"Bounds, as the exact leakage is too large to compute: {audit.largest.reason}."]
    elif isinstance(audit.largest, LocalLeakage):
        said = [f"{count_text(audit)} inequalities, none of them listed."]
    elif isinstance(audit.largest, GaussianLeakage):
        said = [f"{counted(audit.scope.checked, 'ordered pair')} of laws."]
    else:
        said = [f"{audit.scope.checked} inequalities, at values of the query."]
    if audit.scope.excluded:
        said.append(
            f"{counted(audit.scope.excluded, 'combination')} of prior and pair left out: a secret "
            f"has probability 0 there."
        )
    return said + never_checked_lines(audit)


def joint_phrase(together: AnyComposition) -> str:
    """Say the leakage of a joint release in one phrase."""
    if not isinstance(together, AccountedComposition):
        return leakage_phrase(together.joint)
    if together.exactly is not None:
        return leakage_phrase(together.exactly.joint)
    return NOT_COMPUTED + (
        ""
        if isinstance(together.account, str)
        else f": at most {leakage_text(together.account.bound)}"
    )


def single_phrase(leakage: Leakage | None) -> str:
    """Say the leakage of one release in one phrase."""
    return NOT_COMPUTED if leakage is None else leakage_text(leakage)


def joint_witness(together: AnyComposition) -> list[str]:
    """Say where the leakage of a joint release is reached, or what bounds it."""
    if isinstance(together, Composition):
        return unlisted_witness(together.joint)
    if together.exactly is not None:
        outputs = " and ".join(
            f"({output})" if "," in output else output for output in together.exactly.outputs
        )
        return unlisted_witness(together.exactly.joint, outputs)
    return [
        f"The joint leakage is not computed: {together.too_large}. The bound is that of one Markov "
        f"quilt per record."
    ]


def joint_scope(together: AnyComposition) -> list[str]:
    """Say how much was checked of a joint release."""
    if isinstance(together, Composition):
        return unlisted_scope(together.joint)
    return [] if together.exactly is None else unlisted_scope(together.exactly.joint)
