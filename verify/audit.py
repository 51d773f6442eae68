"""The audit of any mechanism against any framework: leakage, witness, verdict.

| mechanism | leakage by |
|---|---|
| `Channel`, and what is written out as one | `leakage.ratio`; mixtures: `leakage.mixtures` |
| `LocalMechanism` on sequences that are not listed | `sequences.leakage` |
| `HiddenMarkovMechanism`, whose words are not listed | `sequences.words` |
| `ParametricMechanism`, for all values of its parameters | `sequences.parameters` |
| `PowerTable`, listed outputs of irrational probabilities | `noise.tables` |
| `PartialTable`, the law of a program of which paths are left | `noise.ratio.partial` |
| queries with noise, one or several together, or of many people | `noise.largest` |
| linear queries of normal records | `noise.gaussian.audit` |

A room is imported when a mechanism of its kind is audited, so that a table enters no other.

A level is decided by exact arithmetic, and by enclosures that are refined until they decide; what
no refinement decides is undecided. Without a level there is a leakage and no verdict.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property, partial, singledispatch
from itertools import compress
from math import prod
from typing import TYPE_CHECKING, Any, TypeAlias, overload

from pufferproof.models.channel import MAX_ENTRIES, Channel
from pufferproof.models.errors import ModelError
from pufferproof.models.files.programs.program import Program
from pufferproof.models.files.programs.signatures import is_code
from pufferproof.models.files.reading import Loaded
from pufferproof.models.framework import Framework
from pufferproof.models.interface.arguments import Number
from pufferproof.models.interface.kinds import check_type, value_of
from pufferproof.models.interface.readable import Readable, between
from pufferproof.models.interface.tabular import Entry, Tabular, nats
from pufferproof.models.mechanisms.adapters.library import MEANT, LibraryMechanism, by_rounding
from pufferproof.models.mechanisms.releases import shared
from pufferproof.models.noise.additive import AdditiveNoise
from pufferproof.models.noise.linear import LinearQuery
from pufferproof.models.noise.partial_table import PartialTable
from pufferproof.models.noise.power_table import PowerTable
from pufferproof.models.noise.queries import NoisyQueries, Query
from pufferproof.models.noise.records import RecordQuery
from pufferproof.models.numbers.grammar import probability
from pufferproof.models.numbers.level import Level, LevelLike
from pufferproof.models.numbers.text import JsonObject, brief
from pufferproof.models.priors.continuous.points import PointFramework
from pufferproof.models.sequences.hidden_mechanism import HiddenMarkovMechanism
from pufferproof.models.sequences.local import LocalMechanism, writable
from pufferproof.models.sequences.parametric import ParametricMechanism
from pufferproof.models.sequences.redaction import LocalRedaction
from pufferproof.verify.decision import Decision, Verdict, bases, united
from pufferproof.verify.engines import ask
from pufferproof.verify.leakage.largest import LargestRatio
from pufferproof.verify.leakage.ratio import Leakage, Scope, Witness, leakage, prior_text, scope

if TYPE_CHECKING:
    from pufferproof.models.priors.markov import MarkovChain
    from pufferproof.verify.leakage.closure import Mixtures
    from pufferproof.verify.leakage.delta import Delta
    from pufferproof.verify.leakage.mixtures import MixtureDelta
    from pufferproof.verify.leakage.renyi import Renyi
    from pufferproof.verify.leakage.runs.bounded import BoundedDelta
    from pufferproof.verify.noise.classes.ends import ClassRatio
    from pufferproof.verify.noise.integrals.delta.smallest import NoiseDelta
    from pufferproof.verify.noise.normal.audit import PointAudit
    from pufferproof.verify.noise.ratio.partial import PartialDelta
    from pufferproof.verify.programs.mechanism import ProgramMechanism

_MOST_EFFORT = 10
_MEANT = "a program may take the number that was meant as a Fraction, or from --with NAME=1/10"
_CLOSE, _MOST_NATS = 200, 1_000  # bits and size of a level that floats exceed by a rounding
Plain = Channel | PowerTable | PartialTable | LocalMechanism | NoisyQueries
Form = Plain | HiddenMarkovMechanism | ParametricMechanism  # of a mechanism that is audited
Mechanism = Form | LocalRedaction | Query
AnyDelta: TypeAlias = "Delta | BoundedDelta | MixtureDelta | NoiseDelta | PartialDelta"
AnyFramework = Framework | Loaded[Framework]
NormalFramework = PointFramework | Loaded[PointFramework]
NormalQuery = LinearQuery | Loaded[LinearQuery]
AnyMechanism = (
    Mechanism
    | Loaded[Channel]
    | Loaded[LocalMechanism]
    | Loaded[HiddenMarkovMechanism | ParametricMechanism]
    | Loaded[AdditiveNoise]
    | Loaded[RecordQuery]
    | LibraryMechanism
    | Program
    | Loaded[Program]
    | Callable[..., Any]
)


@dataclass(frozen=True, repr=False)
class Audit(Readable, Tabular):
    """The outcome of an audit.

    `largest` is the largest likelihood ratio: its leakage, exact or enclosed, and the witness that
    reaches or approaches it. `mechanism` is what was audited: a channel, a local mechanism, or
    queries with noise. `kept` is whether it keeps the level, None when no level was asked for.
    `delta` is set when a delta was asked for, and then the decision is about (epsilon, delta);
    `renyi` when an order was, and then it is about (alpha, epsilon)-Renyi Pufferfish privacy.
    `source` says of a mechanism of another library what was audited. `of` is the framework that was
    asked about if it has classes of chains: `framework` has some chains in their place.
    `programs` are those whose laws were audited.

    >>> from pufferproof import Channel, Framework, Table
    >>> framework = Framework(
    ...     ["a", "b"],
    ...     {"s": ["a"], "t": ["b"]},
    ...     [("s", "t")],
    ...     {"theta": Table({"a": "1/2", "b": "1/2"})},
    ... )
    >>> answer = audit(
    ...     framework, Channel.of({"a": ["3/4", "1/4"], "b": ["1/4", "3/4"]}, ["u", "v"])
    ... )
    >>> answer.leakage.ratio, answer.witness.output, answer.verdict
    (Fraction(3, 1), 'u', None)
    """

    _named = ("output",)

    framework: Framework = field(repr=False)
    mechanism: Form = field(repr=False)
    level: Level | None
    largest: LargestRatio
    kept: Decision | None
    delta_bound: Fraction | None = None
    delta: "AnyDelta | None" = None
    renyi: "Renyi | None" = None
    source: str = ""
    of: Framework | None = field(default=None, repr=False)
    programs: "tuple[ProgramMechanism, ...]" = field(default=(), repr=False)

    @property
    def verdict(self) -> Verdict | None:
        """The word for it."""
        return None if self.kept is None else Verdict.of(self.kept)

    @property
    def leakage(self) -> Leakage:
        """The leakage, exact or enclosed."""
        return self.largest.leakage

    @property
    def witness(self) -> Witness:
        """Where it is reached, or approached."""
        return self.largest.witness

    @property
    def scope(self) -> Scope:
        """How much was compared, and what was left out."""
        return self.largest.scope

    @property
    def trust(self) -> tuple[str, ...]:
        """What the verdict rests on: exact arithmetic, and interval arithmetic where a number
        is enclosed.
        """
        derived = tuple(each.trust for each in self.programs)
        if self.delta is not None:
            return (*self.delta.trust(self.largest), *derived)
        trust = self.largest.trust(self.level)
        enclosed = self.renyi is not None and not self.renyi.infinite and self.renyi.moment is None
        interval = ("INTERVAL",) if enclosed and "INTERVAL" not in trust else ()
        return (*trust, *interval, *derived)

    @property
    def rests_on(self) -> tuple[str, ...]:
        """The claims that the answer rests on where no certificate proves it, by their ids; none
        if it is enumerated from the definitions. `prove` says how each of them is shown.
        """
        if self.delta is not None:
            return self.delta.rests_on(self.largest)
        orders = () if self.renyi is None else self.renyi.claims
        return united(orders, self.largest.rests_on(self.level))

    @cached_property
    def mixtures(self) -> "Mixtures | None":
        """Whether every mechanism that keeps a level for the listed priors keeps it for all their
        mixtures; None of one prior, where mixtures were audited, and of an order.
        """
        from pufferproof.verify.leakage.closure import free_mixtures

        if self.renyi is not None or self.largest.of_classes:
            return None
        return free_mixtures(self.framework)

    @property
    def shared(self) -> str | None:
        """What the releases of a joint mechanism share; None of a single one."""
        parts = getattr(self.mechanism, "parts", None)
        return None if parts is None else shared(len(parts(self.largest.output)))

    @property
    def is_listed(self) -> bool:
        """Whether databases and outputs are listed."""
        return isinstance(self.mechanism, Channel)

    @property
    def channel(self) -> Channel:
        """The mechanism. Raises `ModelError` unless its outputs are listed."""
        if isinstance(self.mechanism, PowerTable | PartialTable):
            raise ModelError("expected rational probabilities, found others", "mechanism")
        if not isinstance(self.mechanism, Channel):
            raise ModelError("expected listed outputs, found queries or sequences", "mechanism")
        return self.mechanism

    def as_json(self) -> JsonObject:
        """Return the audit object of the file formats (without `inputs`, which a reader of
        files adds).
        """
        verdict = None if self.verdict is None else self.verdict.value
        answer = {"verdict": verdict, **self.largest.as_json(self.level)}
        answer |= {"trust": list(self.trust), "rests_on": bases(self.rests_on)}
        if self.delta is not None:
            answer["delta"] = self.delta.as_json()
        if self.renyi is not None:
            answer["renyi"] = self.renyi.as_json()
        if self.shared is not None:
            answer["shared"] = self.shared
        if self.source:
            answer["source"] = self.source
        if len(self.programs) == 1:
            answer["program"] = self.programs[0].as_json()
        return answer

    def entries(self) -> list[Entry]:
        """Return a row for every listed prior, ordered pair and output, with the nats that the
        output tells; the witness alone where outputs are not listed, and over mixtures.
        """
        from pufferproof.verify.leakage.table import leakage_table

        if not self.is_listed or self.framework.closure == "convex":
            (above, below), prior = self.witness.pair, prior_text(self.witness.prior)
            place = {"prior": prior.removeprefix("prior "), "above": above, "below": below}
            return [place | {"output": self.witness.output} | nats(self.leakage.enclosure())]
        return [row.entry() for row in leakage_table(self.framework, self.channel)]

    def _bars(self) -> list[tuple[str, float | None, float]]:
        """Draw the outputs under the prior and the pair of the witness only."""
        prior, pair = self.witness.prior, self.witness.pair
        of_witness = [
            (row["prior"], row["above"], row["below"]) == (prior, *pair) for row in self.entries()
        ]
        bars = super()._bars()
        return list(compress(bars, of_witness)) if any(of_witness) else bars

    def __str__(self) -> str:
        bound = "" if self.delta_bound is None else f", delta {brief(self.delta_bound)}"
        order = "" if self.renyi is None else f" at order {brief(self.renyi.order)}"
        smallest = "" if self.delta is None else f"smallest delta {between(*self.delta.bounds())}; "
        divergence = "" if self.renyi is None else f"{self.renyi}; "
        verdict = (
            ""
            if self.verdict is None
            else f"{self.verdict.value} {self.level}{bound}{order}; {smallest}"
        )
        mixtures = "" if self.mixtures is None else f"; {self.mixtures}"
        derived = "; ".join(str(each) for each in self.programs)
        source = "".join(f"; {each}" for each in (self.shared, self.source, derived) if each)
        where = f", {self.largest.where}" if self.largest.where else ""
        return (
            f"{verdict}{divergence}leakage {self.leakage}{where}, {self.witness}{mixtures}{source}"
        )


@overload
def audit(
    framework: AnyFramework,
    mechanism: AnyMechanism | Sequence[Query],
    epsilon: LevelLike | None = None,
    delta: Number | None = None,
    renyi: Number | None = None,
    effort: int = 1,
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
) -> "Audit | PointAudit":
    """Audit a mechanism against a framework.

    Args:
        framework: what must be protected, and what an adversary may believe: a `Framework`,
            listed or of long sequences.
        mechanism: a channel with a row for every database of positive probability; a local
            mechanism; a query with noise, or a list of them that are released together; a program:
            a Python function of (database, rng), whose exact law is found.
        epsilon: the level to decide: `"log(3/2)"`, nats as text or a number, or None for the
            leakage alone.
        delta: with `epsilon`, decide (epsilon, delta)-Pufferfish instead: of listed outputs, and
            of queries with noise.
        renyi: an order alpha > 1: the largest Renyi divergence as well, and with `epsilon` decide
            (alpha, epsilon)-Renyi Pufferfish instead: as `delta`.
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
    ...     ["a", "b"],
    ...     {"s": ["a"], "t": ["b"]},
    ...     [("s", "t")],
    ...     {"theta": Table({"a": "1/2", "b": "1/2"})},
    ... )
    >>> print(
    ...     audit(
    ...         framework,
    ...         Channel.of({"a": ["3/4", "1/4"], "b": ["1/4", "3/4"]}, ["u", "v"]),
    ...         epsilon="log(3)",
    ...     )
    ... )
    SATISFIES log(3); leakage log(3) ≈ 1.098612 nats, at output 'u' for 's' against 't',
    prior 'theta'
    """
    effort = check_type(effort, int, "effort")
    expect_effort(effort, True)
    mechanism = lawful(framework, mechanism, effort)
    space, form = framework_first(framework, mechanism)
    if isinstance(space, PointFramework):
        from pufferproof.verify.noise.normal.audit import audit_points

        expect_effort(effort, False)
        return audit_points(space, form, epsilon, delta, renyi)
    listed = programs_of([mechanism]) and not getattr(space, "classes", ())
    answer = _audit(space, form, epsilon, delta, renyi, 1 if listed else effort)
    if mechanism is form and isinstance(form, Channel):
        return answer
    given = mechanism if isinstance(mechanism, list | tuple) else [mechanism]
    source = "; ".join(filter(None, [sources(*given), _by_rounding(answer, given)]))
    programs = programs_of(given)
    return replace(answer, source=source, programs=programs) if source or programs else answer


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


def as_read(loaded: Loaded[Any]) -> Any:
    """Return the mechanism of a file: of a program with the paths behind its law."""
    return getattr(loaded, "derived", None) or loaded.value


def _by_rounding(answer: Audit, given: Sequence[object]) -> str:
    """Say by how little a level is exceeded, if floats that a library holds may be why."""
    held = any(isinstance(each, LibraryMechanism) and not each.table for each in given)
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


def sources(*mechanisms: object) -> str:
    """Return what is audited of mechanisms of other libraries, each said once."""
    said = [
        mechanism.audited for mechanism in mechanisms if isinstance(mechanism, LibraryMechanism)
    ]
    return "; ".join(dict.fromkeys(said))


def _audit(
    framework: Framework,
    mechanism: Mechanism | Sequence[Query],
    epsilon: LevelLike | None,
    delta: Number | None,
    renyi: Number | None,
    effort: int = 1,
) -> Audit:
    framework = check_type(framework, Framework, "framework")
    mechanism = check_type(mechanism, Mechanism | Sequence[Query], "mechanism")
    level = None if epsilon is None else Level.coerce(epsilon, "epsilon")
    expect_effort(effort, bool(framework.classes))
    if framework.classes:
        return _of_classes(framework, mechanism, level, delta, renyi, effort)
    form = suited(framework, mechanism)
    pure = delta is None and renyi is None
    if framework.closure == "convex" and not pure and not isinstance(form, Channel):
        raise ModelError(
            'noise is audited over "closure": "convex" for pure levels only: expected "list"',
            "closure",
        )
    if delta is not None and renyi is not None:
        raise ModelError("expected a delta or an order, found both", "renyi")
    if delta is not None:
        if isinstance(form, NoisyQueries | PowerTable | PartialTable):
            return _delta(framework, form, level, delta)
        return _delta(framework, _listed(form, "delta"), level, delta)
    if renyi is not None:
        known = form if isinstance(form, NoisyQueries) else _listed(form, "renyi")
        return _renyi(framework, known, level, renyi)
    return audit_form(framework, form, level)


def expect_effort(effort: int, classes: bool, where: str = "effort") -> None:
    """Raise `ModelError` unless an effort is one that there is, and goes with the priors."""
    if not 1 <= effort <= _MOST_EFFORT:
        raise ModelError(f"expected 1 to {_MOST_EFFORT}, found {effort}", where)
    if effort > 1 and not classes:
        raise ModelError("goes with classes of chains: these priors are single laws", where)


def _of_classes(
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
    return replace(_against(ends.framework, form, level, ends), of=framework)


def _by_members(question: _ClassQuestion) -> Audit:
    """Audit some chains of every class, and bound what all others leak."""
    from pufferproof.verify.noise.classes.bounds import class_bounds, class_trees

    framework, mechanism, level = question.framework, question.mechanism, question.level
    form, members = form_of(mechanism), framework.of_members()
    if not isinstance(form, Channel | LocalMechanism | NoisyQueries):
        raise ModelError(
            "classes of chains are bounded for channels of rational probabilities, mechanisms "
            "given record by record, and queries with noise",
            "mechanism",
        )
    known = audit(members, mechanism, level)
    listed = known.mechanism if isinstance(known.mechanism, Channel) else None
    if framework.people > 1:
        form = _alone(form)
    leaked = known.largest.leakage.lower
    trees = class_trees(framework.alone, listed or form, leaked, level, question.effort)
    if trees is not None and trees.member is not None:
        members = _with_member(members, *trees.member)
        known = audit(members, mechanism, level)
    largest = class_bounds(framework.alone, form, known.largest, listed, level, members, trees)
    return replace(_against(members, known.mechanism, level, largest), of=framework)


def _closer(
    framework: Framework, form: Any, ends: "ClassRatio", level: Level | None, effort: int
) -> "ClassRatio":
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
    framework: Framework,
    mechanism: Mechanism | Sequence[Query],
    level: Level | None,
    delta: Number,
    effort: int,
) -> Audit:
    """Return the audit of a delta over classes: of some chains, and a bound of all."""
    from pufferproof.verify.noise.integrals.delta.classes import class_delta, searched_delta

    if level is None:
        raise ModelError("a delta needs a level; give epsilon as well", "delta")
    bound = probability(delta, "delta")
    pure = _of_classes(framework, mechanism, level, None, None, effort)
    form = pure.mechanism
    form = form if isinstance(form, NoisyQueries) else _listed(form, "delta")
    found = searched_delta(framework, form, level)
    chains = framework.of_members().priors if found is None else found.members
    some = framework.with_priors({**pure.framework.priors, **chains})
    known = _delta(some, form, level, delta).delta
    assert known is not None
    smallest = class_delta(known, some.priors.get(str(known.prior)), pure.leakage, found, level)
    decided = Decision.at_most(smallest.compare(bound))
    return replace(pure, kept=decided, delta_bound=bound, delta=smallest)


def _alone(form: object) -> Any:
    return form.alone if isinstance(form, NoisyQueries) else form


def listed_ratio(level: Level | None, framework: Framework, form: Form) -> LargestRatio:
    """Return the largest ratio of a mechanism under priors that are no classes."""
    return largest_ratio(form, framework, level)


def _listed(form: Form, argument: str) -> Channel:
    """Return a mechanism whose outputs are listed. Raises `ModelError` of any other."""
    if isinstance(form, Channel):
        return form
    if isinstance(form, PowerTable | PartialTable):
        raise ModelError("goes with rational probabilities, found others", argument)
    if isinstance(form, ParametricMechanism):
        raise parametric_alone()
    raise ModelError(
        "goes with mechanisms whose outputs are listed, found queries or sequences that are not",
        argument,
    )


def _renyi(
    framework: Framework, form: Channel | NoisyQueries, level: Level | None, alpha: Number
) -> Audit:
    """Return the audit of an order: of the level if there is one, exactly or by enclosures."""
    if isinstance(form, NoisyQueries):
        from pufferproof.verify.noise.integrals.renyi.largest import noise_renyi

        divergence = noise_renyi(framework, form, alpha)
    else:
        from pufferproof.verify.leakage.renyi import renyi_divergence

        divergence = renyi_divergence(framework, form, alpha)
    kept = None if level is None else Decision.at_most(divergence.compare(level))
    largest = largest_ratio(form, framework, level)
    return Audit(framework, form, level, largest, kept, renyi=divergence)


def _delta(
    framework: Framework,
    form: Channel | NoisyQueries | PowerTable | PartialTable,
    level: Level | None,
    delta: Number,
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
        from pufferproof.verify.noise.ratio.partial import as_partial, partial_delta

        table = as_partial(form) if isinstance(form, PowerTable) else form
        smallest = partial_delta(framework, table, level)
        sign = smallest.compare(bound)
    else:
        smallest, sign = _approximate(framework, form, level, bound)
    return Audit(framework, form, level, largest, Decision.at_most(sign), bound, smallest)


def audit_form(framework: Framework, form: Form, level: Level | None = None) -> Audit:
    """Audit a mechanism in the form in which it is given."""
    return _against(framework, form, level, largest_ratio(form, framework, level))


def _against(framework: Framework, form: Form, level: Level | None, largest: LargestRatio) -> Audit:
    """Return the audit of a mechanism whose largest ratio, or bounds of it, are known."""
    kept = None if level is None else Decision.at_most(largest.compare(level))
    return Audit(framework, form, level, largest, kept)


@singledispatch
def largest_ratio(mechanism: object, framework: object, level: Level | None) -> LargestRatio:
    """Return the largest likelihood ratio of a mechanism, by the algorithm for its kind.

    With a level, closely enough to tell it from that, if that can be.
    """
    raise TypeError(f"no algorithm for {type(mechanism).__name__}")


@largest_ratio.register
def _largest_ratio_of_channel(
    mechanism: Channel, framework: Framework, level: Level | None
) -> LargestRatio:
    if framework.closure == "convex":
        from pufferproof.verify.leakage.mixtures import MixtureRatio, as_leakage, mixture_leakage

        supremum, near = mixture_leakage(framework, mechanism, level)
        checked = scope(framework, len(mechanism.outputs))
        return MixtureRatio(as_leakage(supremum), near, checked, supremum)
    return LargestRatio(*leakage(framework, mechanism), scope(framework, len(mechanism.outputs)))


@largest_ratio.register
def _largest_ratio_of_local_mechanism(
    mechanism: LocalMechanism, framework: Any, level: Level | None
) -> LargestRatio:
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
        raise ModelError(
            "a mechanism with parameters is decided at a level: expected a level, found none",
            "epsilon",
        )
    return parametric_leakage(framework, mechanism, level)


@largest_ratio.register
def _largest_ratio_of_power_table(
    mechanism: PowerTable, framework: Framework, level: Level | None
) -> LargestRatio:
    from pufferproof.verify.noise.ratio.tables import table_leakage

    return table_leakage(framework, mechanism)


@largest_ratio.register
def _largest_ratio_of_partial_table(
    mechanism: PartialTable, framework: Framework, level: Level | None
) -> LargestRatio:
    from pufferproof.verify.noise.ratio.partial import partial_leakage

    return partial_leakage(framework, mechanism)


@largest_ratio.register
def _largest_ratio_of_noisy_queries(
    mechanism: NoisyQueries, framework: Framework, level: Level | None
) -> LargestRatio:
    from pufferproof.verify.noise.largest import noisy_ratio

    return noisy_ratio(framework, mechanism, level)


def framework_first(framework: object, mechanism: object) -> tuple[Any, Any]:
    """Return both as they are, or were read. Raises `ModelError` for the other order."""
    first, second = value_of(framework), value_of(mechanism)
    spaces = Framework, PointFramework
    if isinstance(second, spaces) and not isinstance(first, spaces):
        raise ModelError(
            "expected the framework first and the mechanism second, found the other order",
            "framework",
        )
    return first, second


def suited(framework: Framework, mechanism: Mechanism | Sequence[Query]) -> Form:
    """Return a mechanism in the form in which it is audited against a framework.

    Raises `ModelError` unless they go together.
    """
    if isinstance(mechanism, Channel):
        return mechanism
    (form,) = written_out(framework, [form_of(mechanism)])
    return form


def form_of(mechanism: Mechanism | Sequence[Query]) -> Form:
    """Return what a mechanism is: a channel, a local mechanism, or queries with noise."""
    if isinstance(mechanism, Channel):
        return mechanism
    if isinstance(mechanism, Query):
        return NoisyQueries((mechanism,))
    if isinstance(mechanism, LocalRedaction):
        return LocalMechanism.redacting(("0", "1"), mechanism.rows)
    return mechanism if isinstance(mechanism, Form) else NoisyQueries(tuple(mechanism))


def plain(form: Form) -> Plain:
    """Return a form with a hidden Markov mechanism written out. Raises `TooLargeError` where it has
    too many words, `ModelError` where it has parameters.
    """
    if isinstance(form, ParametricMechanism):
        raise parametric_alone()
    return _channel(form) if isinstance(form, HiddenMarkovMechanism) else form


def written_out(framework: Framework, forms: Sequence[Form], runs: int = 1) -> list[Form]:
    """Return forms with local mechanisms written out as channels: where all are local and short
    enough, each released `runs` times, where some are not local, and where there are no chains.
    Hidden Markov mechanisms are written out where all can be, or others are beside them.

    Raises `ModelError` unless local mechanisms fit the records.
    """
    if all(isinstance(form, Channel) for form in forms):
        return list(forms)
    forms = _with_words(framework, forms, runs)
    local = {id(form): form for form in forms if isinstance(form, LocalMechanism)}
    for mechanism in local.values():
        if framework.records is None:
            raise ModelError(
                "a mechanism given record by record needs a framework of records", "framework"
            )
        mechanism.fits(framework.records)
    every = [form for form in forms if isinstance(form, LocalMechanism)]
    if len(every) == len(forms) and framework.by_records and not writable(every, runs):
        return list(forms)
    channels = {key: _channel(mechanism) for key, mechanism in local.items()}
    return [channels.get(id(form), form) for form in forms]


def _with_words(framework: Framework, forms: Sequence[Form], runs: int) -> Sequence[Form]:
    """Return forms with hidden Markov mechanisms written out, unless there are only such with too
    many words, alone or together.
    """
    if len(forms) > 1 and any(isinstance(form, ParametricMechanism) for form in forms):
        raise parametric_alone()
    hidden = {id(form): form for form in forms if isinstance(form, HiddenMarkovMechanism)}
    if not hidden:
        return forms
    alone = all(isinstance(form, HiddenMarkovMechanism) for form in forms)
    if alone and not all(form.writable for form in hidden.values()):
        return forms
    channels = {key: _channel(mechanism) for key, mechanism in hidden.items()}
    if alone and len(forms) > 1:
        outputs = prod(len(channels[id(form)].outputs) ** runs for form in forms)
        if outputs * len(framework.databases) > MAX_ENTRIES:
            return forms
    return [channels.get(id(form), form) for form in forms]


def parametric_alone() -> ModelError:
    """Return the error for a mechanism with parameters where one mechanism is needed."""
    return ModelError(
        "has parameters, and is audited alone at a level: expected its values, as at(...) has them",
        "mechanism",
    )


def _channel(mechanism: LocalMechanism | HiddenMarkovMechanism) -> Channel:
    try:
        return mechanism.channel()
    except ModelError as error:
        raise error.within("mechanism") from None


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
