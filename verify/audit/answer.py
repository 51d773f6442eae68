"""The answer of an audit: leakage, witness, verdict, and what they rest on."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from itertools import compress
from math import prod
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias

from pufferproof.models.channel import MAX_ENTRIES, Channel
from pufferproof.models.errors import ModelError
from pufferproof.models.files.programs import Program
from pufferproof.models.files.reading import Loaded
from pufferproof.models.framework import Framework
from pufferproof.models.interface.readable import Bar, Readable, bars, between
from pufferproof.models.interface.tabular import Entry, Tabular, nats
from pufferproof.models.listing import Pair
from pufferproof.models.mechanisms.library import LibraryMechanism
from pufferproof.models.mechanisms.releases import PostProcessed, shared
from pufferproof.models.noise.additive import AdditiveNoise, LinearQuery
from pufferproof.models.noise.records import NoisyQueries, Query, RecordQuery
from pufferproof.models.noise.tables.partial import PartialTable
from pufferproof.models.noise.tables.powers import PowerTable
from pufferproof.models.numbers.level import Level
from pufferproof.models.numbers.text import JsonObject, brief
from pufferproof.models.priors.continuous.points import PointFramework
from pufferproof.models.sequences.hidden_mechanism import HiddenMarkovMechanism
from pufferproof.models.sequences.local import LocalMechanism, writable
from pufferproof.models.sequences.parametric import ParametricMechanism
from pufferproof.models.sequences.redaction import LocalRedaction
from pufferproof.verify.decision import Decision, Verdict, bases, united
from pufferproof.verify.leakage.ratio import LargestRatio, Leakage, Scope, Witness, prior_text

if TYPE_CHECKING:
    from pufferproof.verify.leakage.delta import Delta
    from pufferproof.verify.leakage.laws import Mixtures
    from pufferproof.verify.leakage.mixtures import MixtureDelta
    from pufferproof.verify.leakage.renyi import Renyi
    from pufferproof.verify.leakage.runs.parts import BoundedDelta
    from pufferproof.verify.noise.concentrated import Smallest
    from pufferproof.verify.noise.integrals.delta.smallest import NoiseDelta
    from pufferproof.verify.noise.ratio.partial import PartialDelta
    from pufferproof.verify.programs.law import Law, Mass
    from pufferproof.verify.programs.mechanism import ProgramMechanism

# What an audit takes, and the form in which it is audited: a channel, a mechanism given record by record, or queries
# with noise.

Plain = Channel | PowerTable | PartialTable | LocalMechanism | NoisyQueries
Form = Plain | HiddenMarkovMechanism | ParametricMechanism  # of a mechanism that is audited
Mechanism = Form | LocalRedaction | Query
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
            raise ModelError("a mechanism given record by record needs a framework of records", "framework")
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
        "has parameters, and is audited alone at a level: expected its values, as at(...) has them", "mechanism"
    )


def _channel(mechanism: LocalMechanism | HiddenMarkovMechanism) -> Channel:
    try:
        return mechanism.channel()
    except ModelError as error:
        raise error.within("mechanism") from None


_HIDDEN = Fraction(1, 10**9)  # of a number, which printed digits do not show
_CLOSE, _MOST_NATS = 200, 1_000  # bits and size of a level that is exceeded by so little

AnyDelta: TypeAlias = "Delta | BoundedDelta | MixtureDelta | NoiseDelta | PartialDelta"


@dataclass(frozen=True)
class PairAudit:
    """The audit of a pair at a level of its own."""

    pair: Pair
    level: Level
    audit: "Audit" = field(repr=False)

    @property
    def kept(self) -> Decision:
        """Whether the level is kept."""
        return Decision.UNDECIDED if self.audit.kept is None else self.audit.kept

    @property
    def verdict(self) -> Verdict:
        """The word for it."""
        return Verdict.of(self.kept)

    def as_json(self) -> JsonObject:
        """Return the pair, its level, what it leaks, and the verdict."""
        return {
            "pair": list(self.pair),
            "level": str(self.level),
            "leakage": self.audit.leakage.as_json(),
            "verdict": self.verdict.value,
        }


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
    `programs` are those whose laws were audited. `pairs` are the audits of pairs that have levels
    of their own: then `kept` is whether all are kept, and the leakage that of all pairs.
    `smallest` is the smallest rho or mu where it was asked for, and then the decision is about it.

    >>> from pufferproof import Channel, Framework, Table, audit
    >>> framework = Framework(
    ...     ["a", "b"], {"s": ["a"], "t": ["b"]}, [("s", "t")], {"theta": Table({"a": "1/2", "b": "1/2"})}
    ... )
    >>> answer = audit(framework, Channel.of({"a": ["3/4", "1/4"], "b": ["1/4", "3/4"]}, ["u", "v"]))
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
    pairs: tuple[PairAudit, ...] = field(default=(), repr=False)
    smallest: "Smallest | None" = None

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
        if self.pairs:
            return united(*(each.audit.trust for each in self.pairs))
        derived = tuple(each.trust for each in self.programs)
        if self.delta is not None:
            return (*self.delta.trust(self.largest), *derived)
        trust = self.largest.trust(self.level)
        enclosed = self.renyi is not None and not self.renyi.infinite and self.renyi.moment is None
        if self.smallest is not None and self.smallest.ratio is None:
            enclosed = enclosed or not self.smallest.infinite
        interval = ("INTERVAL",) if enclosed and "INTERVAL" not in trust else ()
        return (*trust, *interval, *derived)

    @property
    def rests_on(self) -> tuple[str, ...]:
        """The claims that the answer rests on where no certificate proves it, by their ids; none
        if it is enumerated from the definitions. `prove` says how each of them is shown.
        """
        if self.pairs:
            return united(*(each.audit.rests_on for each in self.pairs))
        if self.delta is not None:
            return self.delta.rests_on(self.largest)
        orders = () if self.renyi is None else self.renyi.claims
        return united(orders, self.largest.rests_on(self.level))

    @cached_property
    def mixtures(self) -> "Mixtures | None":
        """Whether every mechanism that keeps a level for the listed priors keeps it for all their
        mixtures; None of one prior, where mixtures were audited, and of an order.
        """
        from pufferproof.verify.leakage.laws import free_mixtures

        if self.renyi is not None or self.largest.of_classes:
            return None
        return free_mixtures(self.framework)

    @property
    def shared(self) -> str | None:
        """What the releases of a joint mechanism share; None of a single one."""
        parts = getattr(self.mechanism, "parts", None)
        releases = 1 if parts is None else len(parts(self.largest.output))
        return None if releases == 1 else shared(releases, self.framework)

    @property
    def neighbours(self) -> JsonObject | None:
        """The relation between neighbours, how many pairs there are, and what changes in the worst;
        None, where pairs were written.
        """
        relation = self.framework.neighbours
        if relation is None:
            return None
        asked = self.smallest or self.renyi or self.delta
        witness = None if asked is None else asked.as_json().get("witness")
        pair = self.witness.pair if not isinstance(witness, dict) else tuple(witness["pair"])
        changed = self.framework.changed(pair)
        return {**relation.as_json(), "pairs": len(self.framework.pairs), "changed": changed}

    @property
    def excess(self) -> str:
        """By how little a level, or a delta, is exceeded, where printed digits hide it; else
        nothing.
        """
        if self.kept is not Decision.FAILS or self.renyi is not None or self.level is None:
            return ""
        if self.delta is not None:
            found, bound = self.delta.bounds()[0], self.delta_bound or Fraction(0)
            close = 0 < bound < found < bound * (1 + _HIDDEN)
            return f"{float(found / bound - 1):.2g} of delta" if close else ""
        lower, nats = self.leakage.lower, self.level.nats or Fraction(0)
        if lower is None or nats > _MOST_NATS:
            return ""
        at = self.level.bounds(_CLOSE)[1]
        if not at < lower < at * (1 + _HIDDEN):
            return ""
        return f"{float(lower / at - 1):.2g} nats"  # of close ratios, that of the logarithms

    @property
    def is_listed(self) -> bool:
        """Whether databases and outputs are listed."""
        return isinstance(self.mechanism, Channel)

    @property
    def channel(self) -> Channel:
        """The mechanism. Raises `ModelError` unless its outputs are listed."""
        if isinstance(self.mechanism, PowerTable | PartialTable):
            raise ModelError(
                "its probabilities are not rational: --table, --corners, and certificates that a "
                "level holds take rational ones",
                "mechanism",
            )
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
        if self.smallest is not None:
            answer[self.smallest.kind] = self.smallest.as_json()
        if self.pairs:
            answer["pairs"] = [each.as_json() for each in self.pairs]
        if self.excess:
            answer["excess"] = self.excess
        if self.neighbours is not None:
            answer["neighbours"] = self.neighbours
        if self.shared is not None:
            answer["shared"] = self.shared
        if self.source:
            answer["source"] = self.source
        if len(self.programs) == 1:
            answer["program"] = self.programs[0].as_json()
        return answer

    def _picture(self) -> str:
        """Draw the leakage beside the level, or that of every pair if pairs have levels."""
        if self.delta is not None or self.renyi is not None or self.smallest is not None:
            return ""
        if self.pairs:
            return bars([Bar(" / ".join(each.pair), each.audit.leakage.enclosure()) for each in self.pairs])
        level = None if self.level is None else Bar(f"level {self.level}", self.level.enclosure())
        return bars([Bar("leakage", self.leakage.enclosure())], level)

    def entries(self) -> list[Entry]:
        """Return a row for every listed prior, ordered pair and output, with the nats that the
        output tells; the witness alone where outputs are not listed, and over mixtures.
        """
        from pufferproof.verify.leakage.ratio import leakage_table

        if not self.is_listed or self.framework.closure == "convex":
            (above, below), prior = self.witness.pair, prior_text(self.witness.prior)
            place = {"prior": prior.removeprefix("prior "), "above": above, "below": below}
            return [place | {"output": self.witness.output} | nats(self.leakage.enclosure())]
        return [row.entry() for row in leakage_table(self.framework, self.channel)]

    def _bars(self) -> list[tuple[str, float | None, float]]:
        """Draw the outputs under the prior and the pair of the witness only."""
        prior, pair = self.witness.prior, self.witness.pair
        of_witness = [(row["prior"], row["above"], row["below"]) == (prior, *pair) for row in self.entries()]
        bars = super()._bars()
        return list(compress(bars, of_witness)) if any(of_witness) else bars

    @property
    def _asked(self) -> str:
        if self.smallest is not None and self.smallest.claimed is not None:
            return self.smallest.asked
        if not self.pairs:
            return str(self.level)
        return f"the levels of {len(self.pairs)} pairs"

    def __str__(self) -> str:
        bound = "" if self.delta_bound is None else f", delta {brief(self.delta_bound)}"
        order = "" if self.renyi is None else f" at order {brief(self.renyi.order)}"
        by = f" by {self.excess}" if self.excess else ""
        smallest = "" if self.delta is None else f"smallest delta {between(*self.delta.bounds())}; "
        divergence = "" if self.renyi is None else f"{self.renyi}; "
        divergence = f"{self.smallest}; " if self.smallest is not None else divergence
        verdict = "" if self.verdict is None else f"{self.verdict.value} {self._asked}{bound}{order}{by}; {smallest}"
        mixtures = "" if self.mixtures is None else f"; {self.mixtures}"
        derived = "; ".join(str(each) for each in self.programs)
        shared = self.shared and f"shared: {self.shared}"
        source = "".join(f"; {each}" for each in (shared, self.source, derived) if each)
        where = f", {self.largest.where}" if self.largest.where else ""
        changed = "" if self.neighbours is None else f" ({self.neighbours['changed']})"
        return f"{verdict}{divergence}leakage {self.leakage}{where}, {self.witness}{changed}{mixtures}{source}"


# The databases that the witness of a program is about: its own draws are compared with its law there before the
# verdict counts.


def compare_draws(audit: Audit, singles: Mapping[int, Audit] | None = None) -> None:
    """Compare the laws of the programs of an audit with their draws, on the first two databases and
    on those of the witness, that of a program alone if `singles` has one by its identity.

    Raises `ProgramError` if draws disagree.
    """
    for each in audit.programs:
        alone = audit if singles is None else singles.get(id(each))
        if alone is None or each.program.form == "each":  # of which each record has a law
            each.compare()
        else:
            each.compare(databases_of(alone, each.law))


def databases_of(audit: Audit, law: "Law") -> list[str]:
    """Return a database of each secret of the witness that makes its output likeliest; none where
    the law is of records, or the prior is one of a class.
    """
    priors = [name for name, _ in _parts(audit)]
    if any(name not in audit.framework.laws for name in priors):
        return []
    output = label_of(audit, law)
    weights = [given_secret(audit, secret) for secret in audit.witness.pair]
    return [likeliest_of(each, law, output) for each in weights if each.keys() <= law.masses.keys()]


def likeliest_of(weights: Mapping[str, Fraction], law: "Law", output: str) -> str:
    """Return the database that gives an output most of its probability."""
    return max(weights, key=lambda x: float(weights[x]) * approx(law.masses[x].get(output)))


def label_of(audit: Audit, law: "Law") -> str:
    """Return the label of the witness's output: of a number that is drawn without its place."""
    output = audit.witness.output
    if output in law.outputs:
        return output
    if law.noise is not None:  # all paths have one output
        return law.outputs[0]
    every = {path.output for paths in law.paths.values() for path in paths}
    return next((each for each in every if output.startswith(f"{each} at ")), output)


def given_secret(audit: Audit, secret: str) -> dict[str, Fraction]:
    """Return the law of the databases given a secret, under the prior, or the mixture of priors, of
    the witness.
    """
    found: dict[str, Fraction] = {}
    for name, share in _parts(audit):
        law = audit.framework.laws[name]
        for index in audit.framework.secrets[secret]:
            if weight := law.weights[index]:
                label = audit.framework.databases[index]
                found[label] = found.get(label, Fraction(0)) + share * Fraction(weight, law.total)
    total = sum(found.values())
    return {label: weight / total for label, weight in found.items()}


def _parts(audit: Audit) -> tuple[tuple[str, Fraction], ...]:
    prior = audit.witness.prior
    return prior if isinstance(prior, tuple) else ((str(prior), Fraction(1)),)


def approx(mass: "Mass | None") -> float:
    """Return a probability in floats."""
    return 0.0 if mass is None else float(mass.ball())


# The audit of a mechanism whose outputs an unknown function changes before they are shown.
#
# No function of the outputs adds to a leakage, a delta or a divergence, and it may take all of it away: what the
# mechanism before it keeps is kept, and nothing is ever violated.

RESTS_ON = ("general.post-processing",)


@dataclass(frozen=True)
class ProcessedRatio(LargestRatio):
    """Bounds of what a function of the outputs tells: nothing, and what `before` tells without it.

    The witness is that of the mechanism before the function.
    """

    closest: ClassVar[bool] = False

    before: Audit = field(repr=False)

    @property
    def where(self) -> str:
        """What the bounds are."""
        return f"at most {self.before.leakage} before post-processing"

    @property
    def closes(self) -> bool:
        """False: nothing is known of the function."""
        return False

    def compare(self, level: Level) -> int | None:
        """Return the sign of the upper bound minus epsilon, None if it is above: a function may
        hide all of it.
        """
        sign = self.before.largest.compare(level)
        return None if sign is None or sign > 0 else sign

    def trust(self, level: Level | None) -> tuple[str, ...]:
        """Return what the audit before the function rests on; that a function adds nothing to a
        delta or a divergence is an argument in words.
        """
        before = self.before
        in_words = before.delta is not None or before.renyi is not None
        return united(before.trust, ("PROSE",) if in_words else ())

    def rests_on(self, level: Level | None) -> tuple[str, ...]:
        """Return the claims that the bound rests on."""
        return united(self.before.rests_on, RESTS_ON)

    def as_json(self, level: Level | None) -> JsonObject:
        """Return the audit object of the file formats, with the audit before the function."""
        return super().as_json(level) | {"before": self.before.as_json()}


def processed(mechanism: PostProcessed, before: Audit) -> Audit:
    """Return what the audit before a function of the outputs says of them.

    >>> from pufferproof import Channel, Framework, Table, audit
    >>> framework = Framework(
    ...     ["a", "b"], {"s": ["a"], "t": ["b"]}, [("s", "t")], {"theta": Table({"a": "1/2", "b": "1/2"})}
    ... )
    >>> coin = Channel.of({"a": ["3/4", "1/4"], "b": ["1/4", "3/4"]}, ["u", "v"])
    >>> [audit(framework, PostProcessed(coin), level).verdict.value for level in ("log(3)", "1")]
    ['SATISFIES', 'UNDECIDED']
    """
    given: Any = mechanism  # what an audit has been of, beside the forms that are decided
    most = before.leakage.upper
    largest = ProcessedRatio(Leakage(Fraction(1), most), before.witness, before.scope, before=before)
    kept = Decision.UNDECIDED if before.kept is Decision.FAILS else before.kept
    said = []  # what is known of a delta, or of a divergence, and in which sense a level is undecided
    if before.delta is not None:
        said.append(f"the smallest delta is {between(*before.delta.bounds())}")
    if before.renyi is not None:
        said.append(str(before.renyi))
    if before.kept is Decision.FAILS:
        said.append("it exceeds what was asked")
    source = f"before post-processing {' and '.join(said)}; what the function hides is not known" if said else ""
    return Audit(before.framework, given, before.level, largest, kept, before.delta_bound, source=source, of=before.of)
