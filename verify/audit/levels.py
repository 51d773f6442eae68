"""The audit of a form under priors that are single laws: of a level, a delta, or an order."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial, singledispatch
from itertools import islice
from math import comb
from typing import TYPE_CHECKING, Any

from pufferproof.models.channel import Channel
from pufferproof.models.errors import ModelError
from pufferproof.models.framework import Framework
from pufferproof.models.interface.kinds import Number
from pufferproof.models.noise.records import NoisyQueries, Query, RecordQuery
from pufferproof.models.noise.tables.partial import PartialTable
from pufferproof.models.noise.tables.powers import PowerTable
from pufferproof.models.numbers.grammar import probability
from pufferproof.models.numbers.level import Level
from pufferproof.models.sequences.hidden_mechanism import HiddenMarkovMechanism
from pufferproof.models.sequences.local import LocalMechanism
from pufferproof.models.sequences.parametric import ParametricMechanism
from pufferproof.verify.audit.answer import AnyDelta, Audit, Form, Mechanism, form_of, parametric_alone, suited
from pufferproof.verify.decision import Decision
from pufferproof.verify.engines import ask
from pufferproof.verify.leakage.ratio import LargestRatio, leakage, scope

if TYPE_CHECKING:
    from pufferproof.models.priors.markov import MarkovChain
    from pufferproof.verify.leakage.delta import Delta
    from pufferproof.verify.leakage.mixtures import MixtureDelta
    from pufferproof.verify.noise.classes.ends import ClassRatio

# The largest likelihood ratio of a mechanism, by the algorithm for its kind.
#
# | mechanism | leakage by | |---|---| | `Channel`, and what is written out as one | `leakage.ratio`; mixtures:
# `leakage.mixtures` | | `LocalMechanism` on sequences that are not listed | `sequences.leakage` | |
# `HiddenMarkovMechanism`, whose words are not listed | `sequences.words` | | `ParametricMechanism`, for all values of
# its parameters | `sequences.parameters` | | `PowerTable`, listed outputs of irrational probabilities |
# `noise.ratio.partial` | | `PartialTable`, the law of a program of which paths are left | `noise.ratio.partial` | |
# queries with noise, one or several together, or of many people | `noise.largest` | | linear queries of normal records
# | `noise.normal.audit` |
#
# A room is imported when a mechanism of its kind is audited, so that a table enters no other.


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
        from pufferproof.verify.sequences.leakage import network_leakage

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
    from pufferproof.verify.sequences.words import parametric_leakage

    if level is None:
        raise ModelError("a mechanism with parameters is decided at a level: expected a level, found none", "epsilon")
    return parametric_leakage(framework, mechanism, level)


@largest_ratio.register
def _largest_ratio_of_power_table(mechanism: PowerTable, framework: Framework, level: Level | None) -> LargestRatio:
    from pufferproof.verify.noise.ratio.partial import table_leakage

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
        from pufferproof.verify.noise.integrals.renyi.largest import table_renyi

        divergence = table_renyi(framework, form, alpha)
    else:
        from pufferproof.verify.leakage.renyi import renyi_divergence

        divergence = renyi_divergence(framework, form, alpha)
    kept = None if level is None else Decision.at_most(divergence.compare(level))
    largest = largest_ratio(form, framework, level)
    return Audit(framework, form, level, largest, kept, renyi=divergence)


def smallest_audit(answer: Audit, zcdp: Claim, gdp: Claim) -> Audit:
    """Return an audit with the smallest rho or mu, compared with a number that was claimed."""
    from pufferproof.verify.noise.concentrated import smallest_mu, smallest_rho

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


# The audit under classes of chains: of some chains of each class, and a bound of all.

_MOST_EFFORT = 10
_MOST_BESIDE = 10_000_000  # square of the values of a query, times pairs and chains


def expect_effort(effort: int, classes: bool, where: str = "effort") -> None:
    """Raise `ModelError` unless an effort is one that there is, and goes with the priors."""
    if not 1 <= effort <= _MOST_EFFORT:
        raise ModelError(f"expected 1 to {_MOST_EFFORT}, found {effort}", where)
    if effort > 1 and not classes:
        raise ModelError("needs classes of chains: these priors are single laws", where)


def class_audit(
    framework: Framework,
    mechanism: Mechanism | Sequence[Query],
    level: Level | None,
    delta: Number | None,
    renyi: Number | None,
    effort: int = 1,
) -> Audit:
    """Return the audit of a framework with classes of chains: of some chains of each, and a bound
    of all. What is answered is about the framework of these chains.
    """
    if renyi is not None:
        raise ModelError("classes of chains are bounded for levels and deltas only", "renyi")
    if delta is not None:
        return _delta_of_classes(framework, mechanism, level, delta, effort)
    question = _ClassQuestion(framework, mechanism, level, effort)
    return ask((_at_ends_of_classes, _by_members), question).expect()


@dataclass(frozen=True)
class _ClassQuestion:
    """What a mechanism leaks under classes of chains."""

    framework: Framework
    mechanism: Mechanism | Sequence[Query]
    level: Level | None
    effort: int


def _at_ends_of_classes(question: _ClassQuestion) -> Audit | None:
    """Audit the worst chains of classes, closer by quilts and branch and bound if they are wide."""
    from pufferproof.verify.noise.classes.ends import at_class_ends

    framework, level, effort = question.framework, question.level, question.effort
    form = form_of(question.mechanism)
    ends = at_class_ends(framework, form, level, partial(listed_ratio, level), effort)
    if ends is None:
        return None
    if ends.wide and framework.priors.keys() == framework.classes.keys():
        ends = _closer(framework, form, ends, level, effort)
    return replace(against(ends.framework, form, level, ends), of=framework)


def _by_members(question: _ClassQuestion) -> Audit:
    """Audit some chains of every class, and bound what all others leak."""
    from pufferproof.verify.noise.classes.bounds import class_bounds, class_corner, class_trees

    framework, mechanism, level = question.framework, question.mechanism, question.level
    form, members = form_of(mechanism), framework.of_members()
    if not isinstance(form, Channel | LocalMechanism | NoisyQueries):
        raise ModelError(
            "classes of chains are bounded for channels of rational probabilities, mechanisms "
            "given record by record, and queries with noise",
            "mechanism",
        )
    if framework.people > 1:
        form = _alone(form)
    corner = class_corner(framework.alone, form)
    if corner is not None and isinstance(form, NoisyQueries):
        # as many of the chains of classes as can be audited beside a better one in seconds
        records, histograms = members.expect_records(), 1
        for query in form.queries:
            dimension = query.dimension if isinstance(query, RecordQuery) else 1
            parts = max(2, dimension)
            histograms *= comb(records.count + parts - 1, parts - 1)
        work = histograms**2 * max(1, len(members.pairs))
        kept = islice(members.priors.items(), max(1, _MOST_BESIDE // work))
        few_beside = members.with_priors(dict(kept))
        members = _with_member(few_beside, *corner[1])
    known = audit_form(members, suited(members, mechanism), level)
    listed = known.mechanism if isinstance(known.mechanism, Channel) else None
    leaked = known.largest.leakage.lower
    trees = class_trees(framework.alone, listed or form, leaked, level, question.effort, corner)
    if trees is not None and trees.member is not None:
        members = _with_member(members, *trees.member)
        known = audit_form(members, suited(members, mechanism), level)
    largest = class_bounds(framework.alone, form, known.largest, listed, level, members, trees)
    return replace(against(members, known.mechanism, level, largest), of=framework)


def _closer(framework: Framework, form: Any, ends: "ClassRatio", level: Level | None, effort: int) -> "ClassRatio":
    """Return closer bounds of classes of two-valued chains, by quilts and boxes."""
    from pufferproof.verify.noise.classes.bounds import class_bounds, class_trees

    leaked = ends.leakage.lower
    trees = class_trees(framework.alone, _alone(form), leaked, level, effort)
    bounds = class_bounds(framework.alone, _alone(form), ends, None, level, trees=trees)
    if trees is not None and trees.member is not None:
        name, chain = trees.member
        members = _with_member(ends.framework, name, chain)
        added = {k: v for k, v in members.priors.items() if k not in ends.framework.priors}
        if added:
            known = listed_ratio(level, members.with_priors(added), form)
            ends = ends.beside(members, known)
    return ends.narrowed(bounds)


def _with_member(members: Framework, name: str, chain: "MarkovChain") -> Framework:
    """Return a framework of chains of classes with one more, if it has one law."""
    from pufferproof.verify.noise.classes.ends import named

    if not members.fits(chain):
        return members
    return members.with_priors({**members.priors, members.member(name, named(chain)): chain})


def _delta_of_classes(
    framework: Framework, mechanism: Mechanism | Sequence[Query], level: Level | None, delta: Number, effort: int
) -> Audit:
    """Return the audit of a delta over classes: of some chains, and a bound of all."""
    from pufferproof.verify.noise.integrals.delta.smallest import class_delta, searched_delta

    if level is None:
        raise ModelError("a delta needs a level; give epsilon as well", "delta")
    bound = probability(delta, "delta")
    pure = class_audit(framework, mechanism, level, None, None, effort)
    form = pure.mechanism
    form = form if isinstance(form, NoisyQueries) else listed_outputs(form, "delta")
    found = searched_delta(framework, form, level)
    chains = framework.of_members().priors if found is None else found.members
    some = framework.with_priors({**pure.framework.priors, **chains})
    known = delta_audit(some, form, level, delta).delta
    assert known is not None
    smallest = class_delta(known, some.priors.get(str(known.prior)), pure.leakage, found, level)
    decided = Decision.at_most(smallest.compare(bound))
    return replace(pure, kept=decided, delta_bound=bound, delta=smallest)


def _alone(form: object) -> Any:
    return form.alone if isinstance(form, NoisyQueries) else form
