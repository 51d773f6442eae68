"""The audit of any mechanism against any framework: leakage, witness, verdict.

A level is decided by exact arithmetic, and by enclosures that are refined until they decide; what
no refinement decides is undecided. Without a level there is a leakage and no verdict.
"""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
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
from pufferproof.models.numbers.level import Level, LevelLike
from pufferproof.models.numbers.text import brief
from pufferproof.models.priors.continuous.points import PointFramework
from pufferproof.verify.audit.answer import (
    AnyFramework,
    AnyMechanism,
    Audit,
    Mechanism,
    NormalFramework,
    NormalQuery,
    PairAudit,
    compare_draws,
    suited,
)
from pufferproof.verify.audit.levels import (
    Claim,
    asked,
    audit_form,
    class_audit,
    delta_audit,
    expect_effort,
    listed_outputs,
    renyi_audit,
    smallest_audit,
)
from pufferproof.verify.decision import Decision

if TYPE_CHECKING:
    from collections.abc import Callable

    from pufferproof.verify.noise.normal.audit import PointAudit
    from pufferproof.verify.programs.mechanism import ProgramMechanism

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
    mechanism = check_type(mechanism, Mechanism | Sequence[Query], "mechanism")
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
