"""The best mechanism within a budget: least expected loss over all mechanisms that keep a
framework's promise, exactly.

Pufferfish inequalities are linear in the probabilities P(w | x), and so is the expected loss, so
the best mechanism with given outputs is a linear program over channels, solved exactly with a dual
certificate. An auditor so sees how far a given mechanism is from the best possible. With `close`
pairs (x, y) the mechanism also keeps u_x <= R u_y, as in differential privacy; on the pairs of a
coupling of the laws of every pair of secrets it then composes exactly linearly
(`lp/conditions/compare.py`). Conditions with geometric means are in `lp/best/composable.py`.
"""

from collections.abc import Collection
from dataclasses import dataclass, field
from fractions import Fraction

from pufferproof.lp.best.program import RESTS_ON as PROGRAM_RESTS_ON
from pufferproof.lp.best.program import Arc, Best, ChannelProgram, Inequality, Loss
from pufferproof.lp.conditions.level import routed
from pufferproof.lp.cones.columns import Columns, columns_rest_on, require_private
from pufferproof.lp.worst.composition import lp_certificate
from pufferproof.models.channel import Channel
from pufferproof.models.errors import CertificateError, ModelError, SolverError
from pufferproof.models.framework import Framework
from pufferproof.models.interface.kinds import check_type
from pufferproof.models.interface.readable import Readable, between
from pufferproof.models.numbers.enclosures import enclose
from pufferproof.models.numbers.level import Level, LevelLike
from pufferproof.models.numbers.text import JsonObject, brief, shown, text_of
from pufferproof.verify.audit import Audit, audit
from pufferproof.verify.decision import Decision, bases, united
from pufferproof.verify.leakage.ratio import most_of

RESTS_ON = ("worst.columns", "worst.coupling", "general.post-processing")
_ACCURACY = 64


@dataclass(frozen=True, repr=False)
class Optimal(Readable):
    """The least expected loss at a level, between `lower` and `upper`, and a mechanism within the
    level whose loss is `upper`.

    With `close` pairs u_x <= e^level u_y for these too. `best` is the program solved at `ratio`.
    `multipliers` of the inequalities at `ratio` (an upper bound of e^level) and the `mixture` of
    priors prove `lower`.
    """

    framework: Framework = field(repr=False)
    level: Level
    per_record: Level | None
    loss: Loss = field(repr=False)
    prior: str | None
    channel: Channel
    lower: Fraction
    upper: Fraction
    ratio: Fraction = field(repr=False)
    multipliers: tuple[Fraction, ...] = field(repr=False)
    mixture: tuple[Fraction, ...] = field(repr=False)
    close: tuple[Arc, ...] = field(default=(), repr=False)
    best: Best | None = field(default=None, repr=False)

    @property
    def trust(self) -> tuple[str, ...]:
        """What the answer rests on."""
        return ("EXACT",) if self.lower == self.upper else ("EXACT", "INTERVAL")

    @property
    def rests_on(self) -> tuple[str, ...]:
        """The claims that the answer rests on, by their ids."""
        return united(RESTS_ON, PROGRAM_RESTS_ON, columns_rest_on(self.framework))

    @property
    def constant(self) -> Fraction | None:
        """With close pairs, what K runs pay once: joint ratio at most constant * e^(K level);
        None if they imply nothing.
        """
        columns = Columns(self.framework)
        place = {x: i for i, x in enumerate(columns.databases)}
        near = {(place[x], place[y]) for x, y in self.close if x in place and y in place}
        constants = [
            routed(laws, [(x, y) for x, y in near if laws.mu[x] and laws.nu[y]]).constant for laws in columns.laws
        ]
        return most_of(constants)

    def as_json(self) -> JsonObject:
        """Return the optimum object of the file formats (without file names and `inputs`)."""
        return {
            "level": str(self.level),
            "per_record_dp": None if self.per_record is None else str(self.per_record),
            "prior": self.prior,
            "loss": loss_json(self.lower, self.upper),
            "leakage": audit(self.framework, self.channel).leakage.as_json(),
            "compose": None if self.constant is None else {"condition": "one-hot", "constant": text_of(self.constant)},
            "trust": list(self.trust),
            "rests_on": bases(self.rests_on),
        }

    def __str__(self) -> str:
        record = "" if self.per_record is None else f" and {self.per_record} per record"
        prior = "the worst prior" if self.prior is None else f"prior {self.prior!r}"
        return (
            f"least expected loss {between(self.lower, self.upper)} within {self.level}{record}, "
            f"{prior}; {self.channel}"
        )


@dataclass(frozen=True, repr=False)
class Gap(Readable):
    """How far a mechanism is from the best: its expected `loss`, its audit at the level, and bounds
    of the `best` loss.

    A mechanism that violates the level may have a smaller loss than the best within it.
    """

    loss: Fraction
    single: Audit
    best: tuple[Fraction, Fraction]

    @property
    def lower(self) -> Fraction:
        """A lower bound of the loss that could be saved."""
        return self.loss - self.best[1]

    @property
    def upper(self) -> Fraction:
        """An upper bound of the loss that could be saved."""
        return self.loss - self.best[0]

    def as_json(self) -> JsonObject:
        """Return the gap object of the file formats."""
        return {
            "verdict": None if self.single.verdict is None else self.single.verdict.value,
            "leakage": self.single.leakage.as_json(),
            "loss": loss_json(self.loss, self.loss),
            "gap": loss_json(self.lower, self.upper),
        }

    def __str__(self) -> str:
        verdict = "" if self.single.verdict is None else f"{self.single.verdict.value} {self.single.level}; "
        gap = f"{between(self.lower, self.upper)} above the least"
        return f"{verdict}expected loss {between(self.loss, self.loss)}, {gap}; leakage {self.single.leakage}"


def loss_json(lower: Fraction, upper: Fraction) -> dict[str, object]:
    """Return a loss as `{"value", "lower", "upper"}`, `value` exact or null."""
    return {"value": text_of(lower) if lower == upper else None, **enclose(lower, upper).as_json()}


def loss_text(lower: Fraction, upper: Fraction) -> str:
    """Return a loss for a person, both bounds where they differ as they are shown."""
    return brief(lower) if brief(lower) == brief(upper) else f"{brief(lower)} to {brief(upper)}"


def optimal_mechanism(
    framework: Framework,
    level: LevelLike,
    loss: Loss,
    prior: str | None = None,
    per_record: LevelLike | None = None,
    close: Collection[Arc] = (),
) -> Optimal:
    """Find the mechanism within a level whose expected loss is least.

    A budget with irrational e^epsilon is put between two rational ones: the best mechanism at the
    lower keeps the budget, and the dual at the upper bounds all. More outputs than the loss has
    columns never help: merging outputs by the answer given keeps the promise
    (general.post-processing).

    >>> from pufferproof import Framework, Table
    >>> from pufferproof.lp.best.program import error_probability
    >>> framework = Framework(
    ...     ["a", "b"], {"s": ["a"], "t": ["b"]}, [("s", "t")], {"theta": Table({"a": "1/2", "b": "1/2"})}
    ... )
    >>> best = optimal_mechanism(framework, "log(3)", error_probability({"a": "yes", "b": "no"}))
    >>> best.upper, best.channel.probability("a", "yes")
    (Fraction(1, 4), Fraction(3, 4))

    Args:
        framework: without convex closure.
        level: the level it keeps.
        loss: what each output costs; its outputs are the mechanism's.
        prior: minimise the expectation under this prior; None: under the worst of all priors.
        per_record: a level of per-record differential privacy that it keeps as well.
        close: pairs (x, y) of places in `framework.databases` for which u_x <= e^level u_y.

    Raises `ModelError` unless the loss fits and levels are at most 900 nats, and as `Columns` does.
    """
    framework = check_type(framework, Framework, "framework")
    loss = check_type(loss, Loss, "loss")
    prior = check_type(prior, str | None, "prior")
    close = check_type(close, Collection[Arc], "close")
    kept, record = (
        Level.coerce(level, "level"),
        None if per_record is None else Level.coerce(per_record, "per_record"),
    )
    require_private([kept, record], "level")
    size = len(framework.databases)
    for arc in close:
        places = tuple(arc) if isinstance(arc, Collection) else ()
        if len(places) != 2 or not all(isinstance(place, int) and 0 <= place < size for place in places):
            raise ModelError(f"expected pairs of places from 0 to {size - 1}, found {shown(arc)}", "close")
    near = tuple((x, y) for x, y in close)
    program = ChannelProgram(framework, loss, prior)

    def solved(side: int) -> tuple[Fraction, Best]:
        ratio = max(kept.bounds(_ACCURACY)[side], Fraction(1))
        extra = None if record is None else max(record.bounds(_ACCURACY)[side], Fraction(1))
        return ratio, program.solve(linear_inequalities(program, ratio, extra, near))

    ratio, low = solved(0)
    rational = kept.ratio is not None and (record is None or record.ratio is not None)
    ratio, high = (ratio, low) if rational else solved(1)
    if audit(framework, low.channel, kept).kept is not Decision.HOLDS:
        raise SolverError("the optimal mechanism failed its own check")
    return Optimal(
        framework,
        kept,
        record,
        loss,
        prior,
        low.channel,
        high.value,
        low.value,
        ratio,
        high.multipliers,
        high.mixture,
        near,
        high,
    )


def optimality_gap(
    framework: Framework,
    mechanism: Channel,
    level: LevelLike,
    loss: Loss,
    prior: str | None = None,
    per_record: LevelLike | None = None,
) -> Gap:
    """Compare a mechanism's expected loss with the least one at a level.

    >>> from pufferproof import Channel, Framework, Table
    >>> from pufferproof.lp.best.program import error_probability
    >>> framework = Framework(
    ...     ["a", "b"], {"s": ["a"], "t": ["b"]}, [("s", "t")], {"theta": Table({"a": "1/2", "b": "1/2"})}
    ... )
    >>> timid = Channel.of({"a": {"yes": "2/3", "no": "1/3"}, "b": {"yes": "1/3", "no": "2/3"}})
    >>> optimality_gap(framework, timid, "log(3)", error_probability({"a": "yes", "b": "no"})).upper
    Fraction(1, 12)

    Raises `ModelError` as `optimal_mechanism`, and unless the mechanism's outputs are among those
    of the loss.
    """
    loss = check_type(loss, Loss, "loss")
    own = loss.expected(framework, mechanism, prior)
    best = optimal_mechanism(framework, level, loss, prior, per_record)
    return Gap(own, audit(framework, mechanism, level), (best.lower, best.upper))


def optimum_certificate(optimum: Optimal) -> dict[str, object]:
    """Return the certificate that no mechanism has a smaller loss: the optimum of the linear
    program over channels.

    Raises `CertificateError` where levels are irrational and so no single program has the answer.
    """
    if optimum.best is None or optimum.lower != optimum.upper:
        raise CertificateError("the optimum is only enclosed: a level log(N/M) gives a certificate")
    program = ChannelProgram(optimum.framework, optimum.loss, optimum.prior)
    return lp_certificate(optimum.best.program, optimum.best.solution, program.names)


def linear_inequalities(
    program: ChannelProgram, ratio: Fraction, per_record: Fraction | None = None, close: Collection[Arc] = ()
) -> list[Inequality]:
    """Return the Pufferfish inequalities at a ratio, then neighbours, then close pairs."""
    inequalities = [*program.pufferfish(ratio)]
    if per_record is not None:
        inequalities += program.per_record(per_record)
    return [*inequalities, *program.between(ratio, close)]
