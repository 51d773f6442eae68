"""The leakage of a joint release: several mechanisms, each run a number of times with fresh
randomness.

Unlike differential privacy, Pufferfish privacy does not compose: the joint leakage can exceed the
sum of the single ones, up to infinity (collapse). A joint release of mechanisms of one kind is a
mechanism of that kind, which is audited as any other. Equal runs of a channel are merged into
multisets of outputs, which changes no likelihood ratio; many runs of one are not written out at all
(`leakage.runs`). Against classes of chains single and joint leakages are bounded.
"""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from math import factorial, prod
from typing import Any, overload

from pufferproof.models.channel import Channel
from pufferproof.models.errors import ModelError
from pufferproof.models.files.mechanisms import WrittenOut
from pufferproof.models.framework import Framework
from pufferproof.models.interface.kinds import check_type
from pufferproof.models.interface.readable import Bar, Readable, bars, listed
from pufferproof.models.interface.tabular import Entry, Tabular, nats
from pufferproof.models.mechanisms.releases import repeat, shared
from pufferproof.models.noise.records import NoisyQueries
from pufferproof.models.noise.tables.partial import PartialTable
from pufferproof.models.noise.tables.powers import PowerTable
from pufferproof.models.numbers.level import Level
from pufferproof.models.numbers.text import JsonObject
from pufferproof.models.priors.continuous.points import PointFramework
from pufferproof.models.priors.definitions.definition import Neighbours
from pufferproof.models.sequences.local import MAX_SYMBOLS, LocalMechanism
from pufferproof.models.sequences.parametric import ParametricMechanism
from pufferproof.verify.audit.answer import (
    AnyFramework,
    AnyMechanism,
    Audit,
    Form,
    Mechanism,
    NormalFramework,
    NormalQuery,
    compare_draws,
    form_of,
    parametric_alone,
    written_out,
)
from pufferproof.verify.audit.decide import (
    audit,
    audit_form,
    framework_first,
    largest_ratio,
    lawful,
    of_one_kind,
    programs_of,
    sources,
)
from pufferproof.verify.decision import Decision, bases, united
from pufferproof.verify.leakage.ratio import LargestRatio, Witness, prior_text, scope
from pufferproof.verify.leakage.runs.repeated import RESTS_ON as RUNS_REST_ON
from pufferproof.verify.leakage.runs.repeated import multisets_of, repeated_leakage
from pufferproof.verify.losses.composition import SampledComposition, compose_sampled, is_sampled
from pufferproof.verify.noise.normal.audit import PointComposition, compose_points
from pufferproof.verify.noise.ratio.bounds import NoiseBounds

RESTS_ON = ("worst.columns",)
_MANY = 1_000_000  # numbers of a joint release, times runs: more are not written out
_ADDED = {Decision.HOLDS: "at most", Decision.FAILS: "more than", Decision.UNDECIDED: "too close to tell from"}
_MOST_RUNS = {LocalMechanism: MAX_SYMBOLS, NoisyQueries: 64, PartialTable: 64, PowerTable: 64}


@dataclass(frozen=True, repr=False)
class Composition(Readable, Tabular):
    """Single and joint leakage of mechanisms released together, each `runs` times.

    `outputs` is the joint witness: the outputs of every release, the runs of the first mechanism
    first.

    >>> from pufferproof import Channel, Framework, Table
    >>> framework = Framework(
    ...     ["a", "b"], {"s": ["a"], "t": ["b"]}, [("s", "t")], {"theta": Table({"a": "1/2", "b": "1/2"})}
    ... )
    >>> twice = compose(framework, [Channel.of({"a": ["3/4", "1/4"], "b": ["1/4", "3/4"]}, ["u", "v"])], runs=2)
    >>> twice.joint.leakage.ratio, twice.outputs, twice.additive
    (Fraction(9, 1), ('u', 'u'), <Decision.HOLDS: True>)
    """

    _named = ("release",)

    mechanisms: tuple[Form, ...] = field(repr=False)
    runs: int
    single: tuple[Audit, ...]
    joint: Audit
    outputs: tuple[str, ...] = field(repr=False)
    source: str = ""

    @property
    def releases(self) -> tuple[int, ...]:
        """The mechanism of every release, by position in `mechanisms`."""
        return tuple(index for index in range(len(self.mechanisms)) for _ in range(self.runs))

    @property
    def shared(self) -> str | None:
        """What all releases share; None of a single one."""
        return shared(len(self.releases), self.joint.framework)

    @cached_property
    def additive(self) -> Decision:
        """Whether the joint leakage is at most the sum of the leakages of its releases:
        undecided where these are too close to tell. Of one release both are the same.
        """
        if len(self.releases) == 1:
            return Decision.HOLDS
        return self.joint.largest.additive([each.largest for each in self.single], self.runs)

    def keeps(self, level: Level) -> Decision:
        """Return whether the joint leakage is at most a level, looking more closely where it is too
        close to tell.
        """
        joint, sign = self.joint, self.joint.largest.compare(level)
        if sign is None and not isinstance(joint.largest, NoiseBounds):
            if joint.of is not None:  # some chains of a class are not the class
                again = audit(joint.of, joint.mechanism, level)
                return Decision.at_most(again.largest.compare(level))
            sign = largest_ratio(joint.mechanism, joint.framework, level).compare(level)
        return Decision.at_most(sign)

    @property
    def channels(self) -> tuple[Channel, ...]:
        """The mechanisms. Raises `ModelError` unless their outputs are listed."""
        return tuple(each.channel for each in self.single)

    def as_json(self) -> JsonObject:
        """Return the composition object of the file formats."""
        joint = self.joint.as_json()
        place = {key: value for key, value in joint["witness"].items() if key != "output"}
        return {
            "single": [each.leakage.as_json() for each in self.single],
            "joint": joint["leakage"],
            "additive": self.additive.value,
            "runs": self.runs,
            "shared": self.shared,
            "witness": {**place, "outputs": list(self.outputs)},
            **{key: joint[key] for key in ("excluded", "never_checked", "checked", "trust")},
            "rests_on": bases(self.rests_on),
        }

    @property
    def rests_on(self) -> tuple[str, ...]:
        """The claims that the leakages rest on, of all releases together first."""
        return united(self.joint.rests_on, *(each.rests_on for each in self.single))

    def entries(self) -> list[Entry]:
        """Return a row for every mechanism alone, and one for all together."""
        alone = [
            {"release": str(place), "runs": 1} | nats(each.leakage.enclosure())
            for place, each in enumerate(self.single, 1)
        ]
        together = nats(self.joint.leakage.enclosure())
        return [*alone, {"release": "together", "runs": self.runs} | together]

    def _picture(self) -> str:
        """Draw what every mechanism leaks alone, and all together."""
        alone = [Bar(f"mechanism {place}", each.leakage.enclosure()) for place, each in enumerate(self.single, 1)]
        return bars([*alone, Bar("all together", self.joint.leakage.enclosure())])

    def __str__(self) -> str:
        added = _ADDED[self.additive]
        releases, (above, below) = len(self.releases), self.joint.witness.pair
        alone = listed([str(each.leakage) for each in self.single], quote=False)
        times = f", each {self.runs} times" if self.runs > 1 else ""
        common = self.shared and f"shared: {self.shared}"
        source = "".join(f"; {each}" for each in (common, self.source) if each)
        return (
            f"joint leakage {self.joint.leakage} of {releases} release{'s' * (releases > 1)}, "
            f"{added} the sum of the single ones ({alone}{times}); at outputs "
            f"{listed(self.outputs)} for {above!r} against {below!r}, "
            f"{prior_text(self.joint.witness.prior)}{source}"
        )


@overload
def compose(framework: AnyFramework, mechanisms: Sequence[AnyMechanism], runs: int = 1) -> Composition: ...


@overload
def compose(framework: NormalFramework, mechanisms: Sequence[NormalQuery], runs: int = 1) -> PointComposition: ...


@overload
def compose(framework: str | Neighbours, mechanisms: Sequence[object], runs: int = 1) -> SampledComposition: ...


def compose(
    framework: object, mechanisms: object, runs: int = 1
) -> Composition | PointComposition | SampledComposition:
    """Audit the independent joint release of mechanisms, each run `runs` times.

    >>> from pufferproof import Channel, Framework, Table
    >>> prior = Table({"00": "1/4", "01": "1/4", "10": "1/4", "11": "1/4"})
    >>> framework = Framework(
    ...     ["00", "01", "10", "11"], {"s": ["00", "11"], "t": ["01", "10"]}, [("s", "t")], {"theta": prior}
    ... )
    >>> bits = [Channel.of({x: {x[i]: 1} for x in framework.databases}) for i in (0, 1)]
    >>> together = compose(framework, bits)
    >>> ([str(single.leakage.ratio) for single in together.single], together.joint.leakage.infinite, together.additive)
    (['1', '1'], True, <Decision.FAILS: False>)

    Noise on queries of sequences is between bounds where an exact leakage is too large to compute:

    >>> from pufferproof import MarkovChain, RecordQuery, Records
    >>> from pufferproof.models.noise.additive import Noise
    >>> records = Records(10**6, ("0", "1"))
    >>> chain = MarkovChain("stationary", [["9/10", "1/10"], ["1/5", "4/5"]])
    >>> secrets = {"zero": (5000, "0"), "one": (5000, "1")}
    >>> framework = Framework.of_records(records, secrets, "disjoint", {"theta": chain})
    >>> twice = compose(framework, [RecordQuery("sum", Noise.laplace(10), records)], runs=2)
    >>> twice.joint.leakage.enclosure().lower, twice.joint.leakage.enclosure().upper
    ('1.1817142373065621', '1.1817142373065622')

    Frameworks and mechanisms are those of `audit`; all mechanisms have noise, or none. In place of
    a framework "add-remove" or "substitute" says how neighbours differ, in one record: then
    mechanisms are queries of fresh samples (`SampledQuery`), or events of dp_accounting.

    >>> from pufferproof import Sample, SampledQuery
    >>> query = RecordQuery("sum", Noise.gaussian(1), Records(100, ("0", "1")))
    >>> steps = compose("add-remove", [SampledQuery(query, Sample(poisson="1/10"))], runs=64)
    >>> [round(float(end), 3) for end in steps.delta(1)]
    [0.125, 0.125]

    Raises `ModelError` unless the mechanisms fit, `TooLargeError` unless the joint release is small
    enough, or bounded.
    """
    if isinstance(framework, str | Neighbours) or is_sampled(mechanisms):
        every = mechanisms if isinstance(mechanisms, list | tuple) else [mechanisms]
        return compose_sampled(framework, every, check_type(runs, int, "runs"))
    if isinstance(mechanisms, list | tuple):
        laws = {id(each): lawful(framework, each) for each in mechanisms}
        listed = of_one_kind(list(laws.values()))
        laws = dict(zip(laws, listed))
        mechanisms = [laws[id(each)] for each in mechanisms]
    space, given = framework_first(framework, mechanisms)
    if isinstance(space, PointFramework):
        return compose_points(space, given, runs)
    local, every = given, given if isinstance(given, list | tuple) else ()
    if every and getattr(space, "along_records", False):
        # record by record where files give them so: that they are short enough alone to be written out does not make
        # their joint release so
        local = [mechanism.local if isinstance(mechanism, WrittenOut) else mechanism for mechanism in given]
    together = _composition(space, local, runs)
    programs = programs_of(every)
    joint = replace(together.joint, programs=programs)
    derived = [getattr(each, "derived", None) for each in every]
    compare_draws(joint, {id(each): own for each, own in zip(derived, together.single)})
    return replace(together, joint=joint, source=sources(*every))


def _composition(framework: Framework, mechanisms: Sequence[Mechanism], runs: int) -> Composition:
    framework = check_type(framework, Framework, "framework")
    mechanisms = check_type(mechanisms, Sequence[Mechanism], "mechanisms")
    runs = check_type(runs, int, "runs")
    distinct = {id(mechanism): form_of(mechanism) for mechanism in mechanisms}
    given = [distinct[id(mechanism)] for mechanism in mechanisms]
    known = framework.of_members() if framework.classes else framework
    forms = written_out(known, given, runs) if given else given
    _expect_one_kind(forms, runs)
    if framework.classes:
        return _released(forms, runs, _together(known, forms, runs), partial(audit, framework))
    only = forms[0]
    if (
        len(forms) == 1
        and isinstance(only, Channel)
        and framework.closure == "list"
        # the joint release is long to write out, by multisets and databases
        and runs * multisets_of(len(only.outputs), runs) * len(only.databases) > _MANY
    ):
        return _counted(framework, only, runs)
    together = _together(framework, forms, runs)
    return _released(forms, runs, together, partial(audit_form, framework))


def _released(forms: Sequence[Form], runs: int, together: Form, audited: Callable[[Form], Audit]) -> Composition:
    """Return what releases leak, alone and together."""
    joint = audited(together)
    single = {id(form): audited(form) for form in forms}
    release: Any = joint.mechanism
    outputs = release.parts(joint.largest.output)
    return Composition(tuple(forms), runs, tuple(single[id(form)] for form in forms), joint, outputs)


def _expect_one_kind(forms: Sequence[Form], runs: int) -> None:
    if not forms:
        raise ModelError("expected at least one mechanism, found none", "mechanisms")
    if any(isinstance(form, ParametricMechanism) for form in forms):
        raise parametric_alone()
    if len({isinstance(form, NoisyQueries) for form in forms}) > 1:
        raise ModelError("expected all with noise or none, found both", "mechanisms")
    most = _MOST_RUNS.get(type(forms[0]))
    if most is not None and not 1 <= runs <= most:
        raise ModelError(f"expected 1 to {most} runs, found {runs}", "runs")
    if runs < 1:
        raise ModelError(f"expected at least one run, found {runs}", "runs")


def _together(framework: Framework, forms: Sequence[Form], runs: int) -> Form:
    """Return the joint release, a mechanism of the same kind."""
    releases: list[Any]
    if all(isinstance(form, Channel) for form in forms):
        channels = [form for form in forms if isinstance(form, Channel)]
        aligned = [channel.aligned(framework.databases, framework.support) for channel in channels]
        releases = [repeat(each, runs) for each in aligned]
    elif any(isinstance(form, PartialTable) for form in forms):
        releases = [_as_partial(form) for form in forms for _ in range(runs)]
    elif any(isinstance(form, PowerTable) for form in forms):
        releases = [_as_table(form) for form in forms for _ in range(runs)]
    else:
        releases = [form for form in forms for _ in range(runs)]
    joint: Form = releases[0].beside(*releases[1:])
    return joint


def _as_table(form: Form) -> PowerTable:
    if isinstance(form, PowerTable):
        return form
    if isinstance(form, Channel):
        return PowerTable.of_channel(form)
    raise ModelError("expected mechanisms whose outputs are all listed", "mechanisms")


def _as_partial(form: Form) -> PartialTable:
    from pufferproof.verify.noise.ratio.partial import as_partial

    if isinstance(form, PartialTable):
        return form
    if isinstance(form, PowerTable | Channel):
        return as_partial(form)
    raise ModelError("expected mechanisms whose outputs are all listed", "mechanisms")


def _counted(framework: Framework, mechanism: Channel, runs: int) -> Composition:
    """Audit runs by counting outputs, with the joint audit's channel for its witness."""
    leakage, where = repeated_leakage(framework, mechanism, runs)
    outputs = tuple(output for output, times in zip(mechanism.outputs, where.counts) for _ in range(times))
    aligned = mechanism.aligned(framework.databases, framework.support)
    orders = factorial(runs) // prod(factorial(times) for times in where.counts)
    numerators = [
        orders * prod(n**times for n, times in zip(aligned.numerators_of(x), where.counts))
        for x in range(len(aligned.databases))
    ]
    totals = [denominator**runs for denominator in aligned.denominators]
    name = json.dumps(outputs)
    rows = [[number, total - number] for number, total in zip(numerators, totals)]
    joint = Channel.of_integers(aligned.databases, (name, "any other"), rows, totals)
    compared = scope(framework, multisets_of(len(mechanism.outputs), runs))
    witness = Witness(where.prior, where.pair, name)
    largest = LargestRatio(leakage, witness, compared, claims=RUNS_REST_ON)
    together = Audit(framework, joint, None, largest, None)
    return Composition((mechanism,), runs, (audit_form(framework, aligned),), together, outputs)
