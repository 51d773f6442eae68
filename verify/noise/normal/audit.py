"""The audit of linear queries of normal records: leakage, delta or divergence, verdict.

What `audit` answers where records have no box, at every door: `points` has the closed forms between
values, `windows` and `between` those between windows.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property

from pufferproof.models.errors import ModelError
from pufferproof.models.interface.kinds import Number, check_type
from pufferproof.models.interface.readable import Readable, between
from pufferproof.models.mechanisms.releases import shared
from pufferproof.models.noise.additive import LinearQuery, Noise
from pufferproof.models.numbers.enclosures import Enclosure, enclose
from pufferproof.models.numbers.grammar import probability
from pufferproof.models.numbers.level import Level, LevelLike
from pufferproof.models.numbers.text import JsonObject, brief, text_of
from pufferproof.models.priors.continuous.points import PointFramework
from pufferproof.verify.decision import Decision, Verdict, bases, cited
from pufferproof.verify.leakage.ratio import Scope, Witness
from pufferproof.verify.leakage.renyi import order_of
from pufferproof.verify.noise.normal.between import delta_of
from pufferproof.verify.noise.normal.points import LawShift, PointDelta, PointLeakage, farthest, shifts
from pufferproof.verify.noise.normal.windows import leakage_of

RESTS_ON = (
    "normal.laplace-values",
    "normal.laplace-windows",
    "normal.gaussian-values",
    "normal.gaussian-windows",
    "normal.gaussian-unbounded",
)
_VALUES, _WINDOWS = "normal.laplace-values", "normal.laplace-windows"
_SHIFTED, _RISING = "normal.gaussian-values", "normal.gaussian-windows"
_UNBOUNDED = "normal.gaussian-unbounded"


def point_claims(noises: Sequence[Noise], pointwise: bool, delta: bool) -> tuple[str, ...]:
    """Return the claims that answers about normal records rest on, with secrets `pointwise` or
    windows, and of a `delta` or not: none about noise of both kinds.
    """
    if all(noise.decay is not None for noise in noises):
        return (_VALUES if pointwise else _WINDOWS,)
    if any(noise.variance is None for noise in noises):
        return ()
    if pointwise:
        return (_SHIFTED,)
    return (_SHIFTED, *((_RISING,) if delta else ()), _UNBOUNDED)


@dataclass(frozen=True)
class PointQuestion:
    """The level that is decided, with a delta or a Renyi order if there is one; `option` stands
    before the name of either in an error.
    """

    level: Level | None = None
    delta: Fraction | None = None
    order: Fraction | None = None
    option: str = ""


@dataclass(frozen=True, repr=False)
class PointAudit(Readable):
    """The audit of linear queries of normal records that are released together.

    >>> from pufferproof.models.noise.additive import Noise
    >>> from pufferproof.models.priors.continuous.normal import Normal
    >>> framework = PointFramework(
    ...     2, {"s": (1, 0), "t": (1, 1)}, [("t", "s")], {"p": Normal(0, [[1, "1/2"], ["1/2", 1]])}
    ... )
    >>> print(audit_points(framework, LinearQuery.named("sum", Noise.laplace(3), 2), "0.5"))
    SATISFIES 0.5; leakage 0.5 nats, at output 'inf' for 't' against 's', prior 'p'
    """

    found: Sequence[LawShift] = field(repr=False)
    question: PointQuestion

    @classmethod
    def of(
        cls, framework: PointFramework, queries: Sequence[LinearQuery], question: PointQuestion, runs: int = 1
    ) -> "PointAudit":
        """Audit queries together, each released `runs` times."""
        return cls(shifts(framework, queries, runs), question)

    @property
    def level(self) -> Level | None:
        """The level that was asked for."""
        return self.question.level

    @cached_property
    def leakage(self) -> PointLeakage:
        """The largest leakage over priors and pairs."""
        return leakage_of(self.found)

    @property
    def witness(self) -> Witness:
        """Where outputs go as the ratio rises to its supremum."""
        shift = self.leakage.shift
        return Witness(shift.prior, shift.pair, shift.output)

    @property
    def shared(self) -> str | None:
        """What queries that were audited together share; None of a single one."""
        shift = self.leakage.shift
        return shared(len(shift.queries) * shift.runs)

    @property
    def scope(self) -> Scope:
        """How many ordered pairs of laws were compared."""
        return Scope(2 * len(self.found), 0, ())

    @cached_property
    def delta(self) -> PointDelta | None:
        """The smallest delta at the level, where one is asked for."""
        question = self.question
        if question.delta is None or question.level is None:
            return None
        try:
            return delta_of(self.found, question.level)
        except ModelError as error:
            raise error.within(f"{question.option}delta") from None

    @cached_property
    def renyi(self) -> Fraction | None:
        """The Renyi divergence in nats, where an order is asked for."""
        question = self.question
        if question.order is None:
            return None
        if not self.pointwise:
            raise ModelError(
                f'needs secrets "at" numbers: between windows, expected {question.option}delta, or none',
                f"{question.option}renyi",
            )
        try:
            return question.order * (farthest(self.found).squared or Fraction(0)) / 2
        except ModelError as error:
            raise error.within(f"{question.option}renyi") from None

    @cached_property
    def kept(self) -> Decision | None:
        """Whether the level is kept, or None if none was asked for."""
        question = self.question
        if question.level is None:
            return None
        if self.delta is not None and question.delta is not None:
            return Decision.at_most(self.delta.compare(question.delta))
        if self.renyi is not None:
            return Decision.at_most(-compared_nats(question.level, self.renyi))
        return Decision.at_most(self.leakage.compare(question.level))

    @property
    def verdict(self) -> Verdict | None:
        """The word for it."""
        return None if self.kept is None else Verdict.of(self.kept)

    @property
    def trust(self) -> tuple[str, ...]:
        """What the answer rests on."""
        level, leakage = self.question.level, self.leakage
        enclosed = not leakage.rational or (self.delta is not None and any(leakage.shift.slopes))
        if enclosed and not self.pointwise:
            return ("INTERVAL", *self._claims)
        exact = level is None or (level.nats is not None and leakage.rational)
        return ("EXACT", *(() if exact and self.delta is None else ("INTERVAL",)), *self._claims)

    @property
    def _claims(self) -> tuple[str, ...]:
        """The claims that it rests on, and PROSE for noise of both kinds."""
        return cited(self.rests_on) or ("PROSE",)

    @property
    def rests_on(self) -> tuple[str, ...]:
        """The claims that the answer rests on, by their ids."""
        return point_claims(self.leakage.shift.noises, self.pointwise, self.delta is not None)

    @property
    def pointwise(self) -> bool:
        """Whether secrets are values, not windows."""
        return all(shift.pointwise for shift in self.found)

    def as_json(self) -> JsonObject:
        """Return the audit object of the file formats (without `inputs`, which a reader of
        files adds).
        """
        answer: JsonObject = {
            "verdict": None if self.verdict is None else self.verdict.value,
            "leakage": self.leakage.as_json(),
            "witness": self.witness.as_json(),
            "excluded": 0,
            "never_checked": [],
            "checked": self.scope.checked,
            "trust": list(self.trust),
            "rests_on": bases(self.rests_on),
        }
        if self.delta is not None:
            answer["delta"] = self.delta.as_json()
        if self.renyi is not None and self.question.order is not None:
            answer["renyi"] = self._renyi_json(self.question.order, self.renyi)
        return answer

    def _renyi_json(self, order: Fraction, nats: Fraction) -> dict[str, object]:
        shift = farthest(self.found)
        return {
            "alpha": text_of(order),
            "moment": None if nats else "1",
            "epsilon": nats_of(nats).as_json(),
            "witness": {"prior": shift.prior, "pair": list(shift.pair)},
        }

    def __str__(self) -> str:
        asked = self.question
        bound = "" if asked.delta is None else f", delta {brief(asked.delta)}"
        order = "" if asked.order is None else f" at order {brief(asked.order)}"
        said = [] if self.verdict is None else [f"{self.verdict.value} {self.level}{bound}{order}"]
        if self.delta is not None:
            said.append(f"smallest delta {between(*self.delta.bounds())}")
        if self.renyi is not None:
            said.append(f"Renyi divergence {brief(self.renyi)} nats")
        said.append(f"leakage {self.leakage}, {self.witness}")
        return "; ".join([*said, *([] if self.shared is None else [self.shared])])


def audit_points(
    framework: PointFramework,
    mechanism: LinearQuery | Sequence[LinearQuery],
    epsilon: LevelLike | None = None,
    delta: Number | None = None,
    renyi: Number | None = None,
) -> PointAudit:
    """Audit linear queries, as `pufferproof.audit` does, at once in all that is asked for.

    Raises `ModelError` as it does, and where noise is not of the kind that is asked about.
    """
    framework = check_type(framework, PointFramework, "framework")
    mechanism = check_type(mechanism, LinearQuery | Sequence[LinearQuery], "mechanism")
    if delta is not None and renyi is not None:
        raise ModelError("expected a delta or an order, found both", "renyi")
    if delta is not None and epsilon is None:
        raise ModelError("a delta needs a level; give epsilon as well", "delta")
    question = PointQuestion(
        None if epsilon is None else Level.coerce(epsilon, "epsilon"),
        None if delta is None else probability(delta, "delta"),
        None if renyi is None else order_of(renyi),
    )
    queries = [mechanism] if isinstance(mechanism, LinearQuery) else list(mechanism)
    answer = PointAudit.of(framework, expected(framework, queries, "mechanism"), question)
    _ = answer.kept, answer.renyi
    return answer


def expected(framework: PointFramework, queries: Sequence[LinearQuery], argument: str) -> Sequence[LinearQuery]:
    """Return queries. Raises `ModelError` unless there are some, with a weight for every record."""
    if not queries:
        raise ModelError("expected at least one mechanism, found none", argument)
    for query in queries:
        for row in query.rows:
            if len(row) != framework.count:
                raise ModelError(f"expected {framework.count} weights, one per record, found {len(row)}", argument)
    return queries


def nats_of(value: Fraction) -> Enclosure:
    """Return a rational number of nats as an enclosure."""
    return enclose(value, value)


def compared_nats(level: Level, nats: Fraction) -> int:
    """Return the sign of epsilon minus a rational number of nats, exactly."""
    if level.nats is not None:
        return (level.nats > nats) - (level.nats < nats)
    if not nats:
        return int((level.ratio or Fraction(1)) > 1)
    return Level.of_nats(nats).compare(level.ratio or Fraction(1))
