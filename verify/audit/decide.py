"""The audit of any mechanism against any framework: leakage, witness, verdict.

A level is decided by exact arithmetic, and by enclosures that are refined until they decide; what
no refinement decides is undecided. Without a level there is a leakage and no verdict.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial, singledispatch
from itertools import islice
from math import comb
from typing import TYPE_CHECKING, Any, overload

from pufferproof.models.channel import Channel
from pufferproof.models.errors import ModelError
from pufferproof.models.files.programs import Program, is_code
from pufferproof.models.files.reading import Loaded
from pufferproof.models.framework import Framework
from pufferproof.models.interface.kinds import Number, check_type, value_of
from pufferproof.models.mechanisms.library import MEANT, LibraryMechanism, by_rounding
from pufferproof.models.mechanisms.releases import PostProcessed
from pufferproof.models.noise.records import NoisyQueries, Query, RecordQuery, on_neighbours
from pufferproof.models.noise.tables.partial import PartialTable
from pufferproof.models.noise.tables.powers import PowerTable
from pufferproof.models.numbers.grammar import probability
from pufferproof.models.numbers.level import Level, LevelLike
from pufferproof.models.numbers.text import brief
from pufferproof.models.priors.continuous.points import PointFramework
from pufferproof.models.sequences.hidden_mechanism import HiddenMarkovMechanism
from pufferproof.models.sequences.local import LocalMechanism
from pufferproof.models.sequences.parametric import ParametricMechanism
from pufferproof.verify.audit.answer import (
    AnyDelta,
    AnyFramework,
    AnyMechanism,
    Audit,
    Form,
    Mechanism,
    NormalFramework,
    NormalQuery,
    PairAudit,
    compare_draws,
    form_of,
    parametric_alone,
    suited,
)
from pufferproof.verify.decision import Decision
from pufferproof.verify.engines import ask
from pufferproof.verify.leakage.ratio import LargestRatio, leakage, scope

if TYPE_CHECKING:
    from collections.abc import Callable

    from pufferproof.models.priors.markov import MarkovChain
    from pufferproof.verify.leakage.delta import Delta
    from pufferproof.verify.leakage.mixtures import MixtureDelta
    from pufferproof.verify.noise.classes.ends import ClassRatio
    from pufferproof.verify.noise.normal.audit import PointAudit
    from pufferproof.verify.programs.mechanism import ProgramMechanism

# The largest likelihood ratio of a mechanism, by the algorithm for its kind.
#
# | mechanism | leakage by |
# |---|---|
# | `Channel`, and what is written out as one | `leakage.ratio`; mixtures: `leakage.mixtures` |
# | `LocalMechanism` on sequences that are not listed | `sequences.leakage` |
# | `HiddenMarkovMechanism`, whose words are not listed | `sequences.words` |
# | `ParametricMechanism`, for all values of its parameters | `sequences.parameters` |
# | `PowerTable`, listed outputs of irrational probabilities | `noise.ratio.partial` |
# | `PartialTable`, the law of a program of which paths are left | `noise.ratio.partial` |
# | queries with noise, one or several together, or of many people | `noise.largest` |
# | linear queries of normal records | `noise.normal.audit` |
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
def _largest_ratio_of_local_mechanism(
    mechanism: LocalMechanism, framework: Framework, level: Level | None
) -> LargestRatio:
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


_MECHANISM = Mechanism | Sequence[Query]  # the kind of an argument, made once
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
        # audit of a delta over classes: of some chains, and a bound of all
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


def _alone(form: object) -> Any:
    return form.alone if isinstance(form, NoisyQueries) else form


# What was given, files, programs and objects of other libraries, as objects to audit.


def framework_first(framework: object, mechanism: object) -> tuple[Any, Any]:
    """Return both as they are, or were read. Raises `ModelError` for the other order."""
    first, second = value_of(framework), value_of(mechanism)
    spaces = Framework, PointFramework
    if isinstance(second, spaces) and not isinstance(first, spaces):
        raise ModelError("expected the framework first and the mechanism second, found the other order", "framework")
    return first, second


def lawful(framework: object, mechanism: object, effort: int = 1) -> Any:
    """Return a mechanism with its law on the databases of a framework if it is a program or a
    function, and else as it is. Raises `ModelError` unless it has one.
    """
    if not is_code(value_of(mechanism)):
        return mechanism
    from pufferproof.verify.programs.mechanism import lawful as with_law

    return with_law(framework, mechanism, effort)


def law_alone(program: Program) -> "ProgramMechanism":
    """Return a program of one record as a mechanism given record by record."""
    from pufferproof.verify.programs.mechanism import law_alone as alone

    return alone(program)


def programs_of(mechanisms: Sequence[object]) -> "tuple[ProgramMechanism, ...]":
    """Return the programs among mechanisms, each once."""
    derived = [getattr(each, "derived", None) for each in mechanisms]
    return tuple(dict.fromkeys(each for each in derived if each is not None))


def of_one_kind(mechanisms: Sequence[Any]) -> list[Any]:
    """Return mechanisms, programs that are noise on a query with their outputs listed if others
    have no noise. Raises `ModelError` if a program has no such list.
    """
    noisy = [isinstance(value_of(each), Query | NoisyQueries) for each in mechanisms]
    if all(noisy):
        return list(mechanisms)
    derived = [getattr(each, "derived", None) for each in mechanisms]
    return [
        program.listed if noise and program is not None else given
        for given, program, noise in zip(mechanisms, derived, noisy)
    ]


def as_read(loaded: Loaded[Any]) -> Any:
    """Return the mechanism of a file: of a program with the paths behind its law."""
    return getattr(loaded, "derived", None) or loaded.value


def libraries(mechanisms: Sequence[object]) -> list[LibraryMechanism]:
    """Return the mechanisms of other libraries' objects among mechanisms, also those of files."""
    found = [getattr(each, "library", each) for each in mechanisms]
    return [each for each in found if isinstance(each, LibraryMechanism)]


def sources(*mechanisms: object) -> str:
    """Return what is audited of mechanisms of other libraries, each said once."""
    said = [mechanism.audited for mechanism in libraries(mechanisms)]
    return "; ".join(dict.fromkeys(said))


_MEANT = "a program may take the number that was meant as a Fraction, or from --with NAME=1/10"
_CLOSE, _MOST_NATS = 200, 1_000  # bits and size of a level that floats exceed by a rounding


@overload
def audit(
    framework: AnyFramework,
    mechanism: AnyMechanism | Sequence[Query],
    epsilon: LevelLike | None = None,
    delta: Number | None = None,
    renyi: Number | None = None,
    effort: int = 1,
    *,
    zcdp: Claim = None,
    gdp: Claim = None,
) -> Audit: ...


@overload
def audit(
    framework: NormalFramework,
    mechanism: NormalQuery | Sequence[NormalQuery],
    epsilon: LevelLike | None = None,
    delta: Number | None = None,
    renyi: Number | None = None,
    effort: int = 1,
) -> "PointAudit": ...


def audit(
    framework: object,
    mechanism: object,
    epsilon: LevelLike | None = None,
    delta: Number | None = None,
    renyi: Number | None = None,
    effort: int = 1,
    *,
    zcdp: Claim = None,
    gdp: Claim = None,
) -> "Audit | PointAudit":
    """Audit a mechanism against a framework.

    Args:
        framework: what must be protected, and what an adversary may believe: a `Framework`,
            listed or of long sequences.
        mechanism: a channel with a row for every database of positive probability; a local
            mechanism; a query with noise, or a list of them that are released together; a program:
            a Python function of (database, rng), whose exact law is found.
        epsilon: the level to decide: `"log(3/2)"`, nats as text or a number, or None for the
            leakage alone, and where every pair has a level of its own: `answer.pairs`.
        delta: with `epsilon`, decide (epsilon, delta)-Pufferfish instead: of listed outputs, and
            of queries with noise.
        renyi: an order alpha > 1: the largest Renyi divergence as well, and with `epsilon` decide
            (alpha, epsilon)-Renyi Pufferfish instead: as `delta`.
        zcdp: True for the smallest rho of zero-concentrated differential privacy, or a rho to
            decide, of listed outputs and of noise on queries that a secret determines; alone.
        gdp: the same for the smallest mu of Gaussian differential privacy, noise being Gaussian.
        effort: of boxes of chains, how long bounds may be narrowed, and of programs how many paths
            are run, from 1 to 10: each step doubles the work. More effort moves no bound away from
            the others.

    The leakage of noise on queries of sequences is exact, and else between bounds if that is too
    large to compute: `answer.largest.reason` says why.

    Framework and mechanism may be what `read_framework` and `read_mechanism` return, the mechanism
    what `as_mechanism` makes of another library's object. Of normal records without a box, read
    from files, the answer is a `PointAudit`.

    Raises `ModelError` unless the mechanism fits, there is something to check, delta is in [0, 1],
    and not both a delta and an order are given; `TooLargeError` if there is neither an exact answer
    nor a bound.

    >>> from pufferproof import Channel, Framework, Table
    >>> framework = Framework(
    ...     ["a", "b"], {"s": ["a"], "t": ["b"]}, [("s", "t")], {"theta": Table({"a": "1/2", "b": "1/2"})}
    ... )
    >>> print(audit(framework, Channel.of({"a": ["3/4", "1/4"], "b": ["1/4", "3/4"]}, ["u", "v"]), epsilon="log(3)"))
    SATISFIES log(3); leakage log(3) ≈ 1.098612 nats, at output 'u' for 's' against 't',
    prior 'theta'
    """
    effort = check_type(effort, int, "effort")
    expect_effort(effort, True)
    stated = value_of(framework)
    _expect_alone(zcdp, gdp, epsilon, delta, renyi)
    if isinstance(stated, Framework) and stated.levels:
        claims_of = {"zcdp": zcdp or None, "gdp": gdp or None}
        expect_no_level(epsilon=epsilon, delta=delta, renyi=renyi, **claims_of)
        return audit_pairs(audit, stated, mechanism, effort)
    mechanism = lawful(framework, mechanism, effort)
    space, form = framework_first(framework, mechanism)
    smallest = asked(zcdp) or asked(gdp)
    if smallest and (isinstance(space, PointFramework) or isinstance(form, PostProcessed)):
        raise ModelError(
            "needs listed outputs and noise on queries of databases, found normal records or post-processing",
            "gdp" if asked(gdp) else "zcdp",
        )
    if isinstance(space, PointFramework):
        from pufferproof.verify.noise.normal.audit import audit_points

        expect_effort(effort, False)
        return audit_points(space, form, epsilon, delta, renyi)
    listed = programs_of([mechanism]) and not getattr(space, "classes", ())
    answer = _audit(space, form, epsilon, delta, renyi, 1 if listed else effort)
    if smallest:
        answer = smallest_audit(answer, zcdp, gdp)
    if mechanism is form and isinstance(form, Channel):
        return answer
    given = mechanism if isinstance(mechanism, list | tuple) else [mechanism]
    said = [answer.source, sources(*given), claims(answer, given), _by_rounding(answer, given)]
    source = "; ".join(filter(None, said))
    programs = programs_of(given)
    if source or programs:
        answer = replace(answer, source=source, programs=programs)
    compare_draws(answer)
    return answer


def _expect_alone(zcdp: Claim, gdp: Claim, *others: object) -> None:
    """Raise `ModelError` where more than one thing is asked for."""
    if asked(zcdp) and asked(gdp):
        raise ModelError("expected this or zcdp, found both", "gdp")
    if (asked(zcdp) or asked(gdp)) and any(each is not None for each in others):
        raise ModelError("goes alone, without epsilon, delta and renyi", "zcdp" if asked(zcdp) else "gdp")


def _by_rounding(answer: Audit, given: Sequence[object]) -> str:
    """Say by how little a level is exceeded, if floats that a library holds may be why."""
    held = any(not each.table for each in libraries(given))
    programs = programs_of(given)
    meant = _MEANT if programs else MEANT
    if not (held or programs) or answer.kept is not Decision.FAILS or answer.level is None:
        return ""
    if answer.delta is not None:
        found, asked = answer.delta.bounds()[0], answer.delta_bound or Fraction(0)
        return by_rounding(found, asked, "of delta", meant)
    lower, large = answer.leakage.lower, (answer.level.nats or 0) > _MOST_NATS
    if answer.renyi is not None or lower is None or large:
        return ""
    # of ratios close to 1 the difference is that of their logarithms
    return by_rounding(lower, answer.level.bounds(_CLOSE)[1], "nats", meant)


def _audit(
    framework: Framework,
    mechanism: Mechanism | PostProcessed | Sequence[Query],
    epsilon: LevelLike | None,
    delta: Number | None,
    renyi: Number | None,
    effort: int = 1,
) -> Audit:
    if isinstance(mechanism, PostProcessed):
        from pufferproof.verify.audit.answer import processed

        before = _audit(framework, mechanism.before, epsilon, delta, renyi, effort)
        return processed(mechanism, before)
    framework = check_type(framework, Framework, "framework")
    mechanism = check_type(mechanism, _MECHANISM, "mechanism")
    level = None if epsilon is None else Level.coerce(epsilon, "epsilon")
    expect_effort(effort, bool(framework.classes))
    if framework.classes:
        return class_audit(framework, mechanism, level, delta, renyi, effort)
    if framework.neighbours is not None and isinstance(mechanism, RecordQuery):
        framework, mechanism = on_neighbours(framework, mechanism)
    elif framework.sized is not None and isinstance(mechanism, list | tuple):
        mechanism = [
            on_neighbours(framework, each)[1] if isinstance(each, RecordQuery) and framework.too_many is None else each
            for each in mechanism
        ]
    form = suited(framework, mechanism)
    pure = delta is None and renyi is None
    if framework.closure == "convex" and not pure and not isinstance(form, Channel):
        raise ModelError('noise is audited over "closure": "convex" for pure levels only: expected "list"', "closure")
    if delta is not None and renyi is not None:
        raise ModelError("expected a delta or an order, found both", "renyi")
    if delta is not None:
        if isinstance(form, NoisyQueries | PowerTable | PartialTable):
            return delta_audit(framework, form, level, delta)
        return delta_audit(framework, listed_outputs(form, "delta"), level, delta)
    if renyi is not None:
        if isinstance(form, NoisyQueries | PowerTable | PartialTable):
            return renyi_audit(framework, form, level, renyi)
        return renyi_audit(framework, listed_outputs(form, "renyi"), level, renyi)
    return audit_form(framework, form, level)


# Claimed ------------------------------------------------------------------------------------------
#
# What objects of libraries claim, beside what their mechanisms leak.
#
# A claim is about arguments at a distance, in the library's own measure of privacy; an answer is
# about the pairs and priors of a framework. They stand side by side: neither decides the other.


def claims(answer: Audit, mechanisms: Sequence[object]) -> str:
    """Say what every mechanism claims; of one alone what it leaks, or which question was asked if
    the claim is about another.
    """
    found = [each.claim for each in libraries(mechanisms) if each.claim is not None]
    said = list(dict.fromkeys(each.at(answer.delta_bound) for each in found))
    if len(mechanisms) == len(found) == 1:
        said = [said[0] + _beside(found[0].measure, answer)]
    return "; ".join(said)


def _beside(measure: str, answer: Audit) -> str:
    if answer.smallest is not None:
        letter, name = answer.smallest.names
        same = (measure, letter) == ("zero-concentrated", "rho")
        return "" if same else f", asked was the {letter} of {name}"
    if answer.renyi is not None:
        return f", asked was a Renyi divergence of order {brief(answer.renyi.order)}"
    if answer.delta_bound is not None:
        return "" if measure == "approximate" else ", asked was a level with a delta"
    return f", leaks {answer.leakage}" if measure == "pure" else ", asked was a pure level"


# Pairs --------------------------------------------------------------------------------------------
#
# The audit of pairs that have levels of their own: each is decided at its level, and all must
# hold.
#
# Every pair is a framework of its own, so that whatever decides a level decides these.

MOST_PAIRS = 2_000


def audit_pairs(decide: "Callable[..., Audit]", framework: Framework, mechanism: object, effort: int) -> Audit:
    """Return the audit of every pair at its own level, and of all of them together.

    Pairs in which a secret is impossible under every prior are left out, and `never_checked`.
    """
    if len(framework.levels) > MOST_PAIRS:
        raise ModelError(f"expected at most {MOST_PAIRS} pairs with levels, found {len(framework.levels)}", "pairs")
    plain = framework.plain
    mechanism = lawful(plain, mechanism, effort)
    whole = decide(plain, mechanism, effort=effort)
    unchecked = {frozenset(pair) for pair in whole.scope.never_checked}
    found = [
        PairAudit(pair, level, decide(plain.with_pairs([pair]), mechanism, epsilon=level, effort=effort))
        for pair, level in framework.levels
        if frozenset(pair) not in unchecked
    ]
    signs = [each.kept for each in found]
    kept = Decision.FAILS if Decision.FAILS in signs else Decision.every(signs)
    return replace(whole, kept=kept, pairs=tuple(found))


def expect_no_level(**asked: object) -> None:
    """Raise `ModelError` for a level, a delta or an order beside levels of pairs."""
    for name, given in asked.items():
        if given is not None:
            raise ModelError("every pair has a level of its own, at which it is decided: expected none", name)
