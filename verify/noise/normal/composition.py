"""The joint leakage of several linear queries of the same normal records, each with noise of its
own.

They are one query with all coordinates: leakages of Laplace noise add up pair by pair between
values. Distances of Gaussian noise do not, as releases share their records.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

from pufferproof.models.errors import ModelError
from pufferproof.models.interface.kinds import check_type
from pufferproof.models.interface.readable import Readable, listed
from pufferproof.models.mechanisms.releases import shared
from pufferproof.models.noise.additive import LinearQuery
from pufferproof.models.numbers.grammar import exact
from pufferproof.models.numbers.level import Level
from pufferproof.models.numbers.text import JsonObject
from pufferproof.models.priors.continuous.points import PointFramework
from pufferproof.verify.decision import Decision, bases, united
from pufferproof.verify.noise.normal.audit import PointAudit, PointQuestion, expected
from pufferproof.verify.noise.normal.points import PointLeakage

_ADDED = {Decision.HOLDS: "at most", Decision.FAILS: "more than", Decision.UNDECIDED: "too close to tell from"}


@dataclass(frozen=True, repr=False)
class PointComposition(Readable):
    """Joint releases: every mechanism `runs` times, the levels claimed for the mechanisms, if any,
    and what is asked of all together.

    >>> from pufferproof.models.noise.additive import Noise
    >>> from pufferproof.models.priors.continuous.normal import Normal
    >>> framework = PointFramework(
    ...     2, {"s": (1, 0), "t": (1, 1)}, [("t", "s")], {"p": Normal(0, [[1, "1/2"], ["1/2", 1]])}
    ... )
    >>> print(compose_points(framework, [LinearQuery.named("sum", Noise.laplace(3), 2)], runs=2))
    joint leakage 1 nats of 2 releases, at most the sum of the single ones (0.5 nats); at outputs
    'inf', 'inf' for 't' against 's', prior 'p'; shared: the database, drawn once from the prior
    (including any sampling)
    """

    framework: PointFramework = field(repr=False)
    mechanisms: tuple[LinearQuery, ...]
    runs: int
    levels: Sequence[Level] = ()
    together: PointQuestion = field(default_factory=PointQuestion)

    @cached_property
    def joint(self) -> PointAudit:
        """All releases, at the level asked for."""
        return PointAudit.of(self.framework, self.mechanisms, self.together, self.runs)

    @cached_property
    def single(self) -> tuple[PointAudit, ...]:
        """Every mechanism released once, at the level claimed for it."""
        asked: Sequence[Level | None] = self.levels or [None] * len(self.mechanisms)
        return tuple(
            PointAudit.of(self.framework, [release], PointQuestion(level))
            for release, level in zip(self.mechanisms, asked)
        )

    @property
    def leakage(self) -> PointLeakage:
        """The joint leakage."""
        return self.joint.leakage

    @property
    def trust(self) -> tuple[str, ...]:
        """What the answer rests on."""
        every = [*self.single, self.joint]
        return tuple(dict.fromkeys(word for audit in every for word in audit.trust))

    @property
    def rests_on(self) -> tuple[str, ...]:
        """The claims that the answer rests on, by their ids."""
        return united(self.joint.rests_on, *(audit.rests_on for audit in self.single))

    @cached_property
    def additive(self) -> Decision:
        """Whether the joint leakage is at most the sum of the single ones, undecided where
        enclosures do not tell. Between values both are equal, or infinite; between windows they
        need not be.
        """
        if len(self.mechanisms) * self.runs == 1 or self.leakage.infinite or self.joint.pointwise:
            return Decision.HOLDS
        joint = self.leakage.enclosure()
        singles = [audit.leakage.enclosure() for audit in self.single]
        if exact(joint.upper) <= self.runs * sum(exact(one.lower) for one in singles):
            return Decision.HOLDS
        most = self.runs * sum(exact(one.upper) for one in singles)
        return Decision.FAILS if exact(joint.lower) > most else Decision.UNDECIDED

    @property
    def outputs(self) -> tuple[str, ...]:
        """Where the outputs of every release go, mechanism by mechanism in its runs."""
        numbers, outputs = self.leakage.shift.output.split(","), []
        for release in self.mechanisms:
            outputs += [",".join(numbers[: release.dimension])] * self.runs
            numbers = numbers[release.dimension :]
        return tuple(outputs)

    @property
    def shared(self) -> str | None:
        """What all releases share; None of a single one."""
        return shared(len(self.mechanisms) * self.runs)

    def keeps(self, level: Level) -> Decision:
        """Return whether the joint leakage is at most a level."""
        return Decision.at_most(self.leakage.compare(level))

    def as_json(self) -> JsonObject:
        """Return the composition object of the file formats."""
        witness = self.joint.witness
        return {
            "single": [audit.leakage.as_json() for audit in self.single],
            "joint": self.leakage.as_json(),
            "additive": self.additive.value,
            "runs": self.runs,
            "shared": self.shared,
            "witness": {"prior": witness.prior, "pair": list(witness.pair), "outputs": list(self.outputs)},
            "excluded": 0,
            "never_checked": [],
            "checked": self.joint.scope.checked,
            "trust": list(self.trust),
            "rests_on": bases(self.rests_on),
        }

    def __str__(self) -> str:
        alone = listed([str(audit.leakage) for audit in self.single], quote=False)
        (above, below), releases = self.joint.witness.pair, len(self.outputs)
        common = f"; shared: {self.shared}" if self.shared else ""
        return (
            f"joint leakage {self.leakage} of {releases} release{'s' * (releases > 1)}, "
            f"{_ADDED[self.additive]} the sum of the single ones ({alone}); at outputs "
            f"{listed(self.outputs)} for {above!r} against {below!r}, "
            f"prior {self.joint.witness.prior!r}{common}"
        )


def compose_points(framework: PointFramework, mechanisms: Sequence[LinearQuery], runs: int = 1) -> PointComposition:
    """Return the joint release of linear queries, each run `runs` times, as `pufferproof.compose`
    does.
    """
    framework = check_type(framework, PointFramework, "framework")
    mechanisms = check_type(mechanisms, Sequence[LinearQuery], "mechanisms")
    runs = check_type(runs, int, "runs")
    if runs < 1:
        raise ModelError(f"expected at least one run, found {runs}", "runs")
    return PointComposition(framework, tuple(expected(framework, mechanisms, "mechanisms")), runs)
