"""The answer of an audit: leakage, witness, verdict, and what they rest on."""

from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from itertools import compress
from typing import TYPE_CHECKING, TypeAlias

from pufferproof.models.channel import Channel
from pufferproof.models.errors import ModelError
from pufferproof.models.framework import Framework
from pufferproof.models.interface.readable import Bar, Readable, bars, between
from pufferproof.models.interface.tabular import Entry, Tabular, nats
from pufferproof.models.listing import Pair
from pufferproof.models.mechanisms.releases import shared
from pufferproof.models.noise.tables.partial import PartialTable
from pufferproof.models.noise.tables.powers import PowerTable
from pufferproof.models.numbers.level import Level
from pufferproof.models.numbers.text import JsonObject, brief
from pufferproof.verify.audit.forms import Form
from pufferproof.verify.decision import Decision, Verdict, bases, united
from pufferproof.verify.leakage.largest import LargestRatio
from pufferproof.verify.leakage.ratio import Leakage, Scope, Witness, prior_text

if TYPE_CHECKING:
    from pufferproof.verify.leakage.closure import Mixtures
    from pufferproof.verify.leakage.delta import Delta
    from pufferproof.verify.leakage.mixtures import MixtureDelta
    from pufferproof.verify.leakage.renyi import Renyi
    from pufferproof.verify.leakage.runs.bounded import BoundedDelta
    from pufferproof.verify.noise.concentrated.smallest import Smallest
    from pufferproof.verify.noise.integrals.delta.smallest import NoiseDelta
    from pufferproof.verify.noise.ratio.partial import PartialDelta
    from pufferproof.verify.programs.mechanism import ProgramMechanism

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
        from pufferproof.verify.leakage.closure import free_mixtures

        if self.renyi is not None or self.largest.of_classes:
            return None
        return free_mixtures(self.framework)

    @property
    def shared(self) -> str | None:
        """What the releases of a joint mechanism share; None of a single one."""
        parts = getattr(self.mechanism, "parts", None)
        return None if parts is None else shared(len(parts(self.largest.output)), self.framework)

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
        from pufferproof.verify.leakage.table import leakage_table

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
