"""The audit under classes of chains: of some chains of each class, and a bound of all."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from math import comb
from typing import TYPE_CHECKING, Any

from pufferproof.models.channel import Channel
from pufferproof.models.errors import ModelError
from pufferproof.models.framework import Framework
from pufferproof.models.interface.kinds import Number
from pufferproof.models.noise.records import NoisyQueries, Query, RecordQuery
from pufferproof.models.numbers.grammar import probability
from pufferproof.models.numbers.level import Level
from pufferproof.models.sequences.local import LocalMechanism
from pufferproof.verify.audit.answer import Audit
from pufferproof.verify.audit.forms import Mechanism, form_of, suited
from pufferproof.verify.audit.levels import against, audit_form, delta_audit, listed_outputs
from pufferproof.verify.audit.ratios import listed_ratio
from pufferproof.verify.decision import Decision
from pufferproof.verify.engines import ask

if TYPE_CHECKING:
    from pufferproof.models.priors.markov import MarkovChain
    from pufferproof.verify.noise.classes.ends import ClassRatio

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
        members = _with_member(_few_beside(members, form), *corner[1])
    known = audit_form(members, suited(members, mechanism), level)
    listed = known.mechanism if isinstance(known.mechanism, Channel) else None
    leaked = known.largest.leakage.lower
    trees = class_trees(framework.alone, listed or form, leaked, level, question.effort, corner)
    if trees is not None and trees.member is not None:
        members = _with_member(members, *trees.member)
        known = audit_form(members, suited(members, mechanism), level)
    largest = class_bounds(framework.alone, form, known.largest, listed, level, members, trees)
    return replace(against(members, known.mechanism, level, largest), of=framework)


def _few_beside(members: Framework, mechanism: NoisyQueries) -> Framework:
    """Return as many of the chains of classes as can be audited beside a better one in seconds."""
    records, histograms = members.expect_records(), 1
    for query in mechanism.queries:
        dimension = query.dimension if isinstance(query, RecordQuery) else 1
        parts = max(2, dimension)
        histograms *= comb(records.count + parts - 1, parts - 1)
    work = histograms**2 * max(1, len(members.pairs))
    kept = islice(members.priors.items(), max(1, _MOST_BESIDE // work))
    return members.with_priors(dict(kept))


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
    from pufferproof.verify.noise.classes.worst import named

    if not members.fits(chain):
        return members
    return members.with_priors({**members.priors, members.member(name, named(chain)): chain})


def _delta_of_classes(
    framework: Framework, mechanism: Mechanism | Sequence[Query], level: Level | None, delta: Number, effort: int
) -> Audit:
    """Return the audit of a delta over classes: of some chains, and a bound of all."""
    from pufferproof.verify.noise.integrals.delta.classes import class_delta, searched_delta

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
