"""What `data --each` answers: what a mechanism leaks about every group, such as a home, under a chain
of its own. The questions are those of `verify/audit/each.py`, shared by a sweep.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Annotated, ClassVar, NoReturn

import typer

from pufferproof.models.errors import ModelError
from pufferproof.models.files.mechanisms import record_query_of
from pufferproof.models.files.reading import Loaded, hashes, in_file, read_loaded
from pufferproof.models.files.recorded.chains import Options, Recorded, reading_json, rows_json
from pufferproof.models.files.recorded.doubts.comparison import FEW, Doubt
from pufferproof.models.files.recorded.fit import private_of
from pufferproof.models.files.recorded.groups import Fitting, OwnChain, own_chains
from pufferproof.models.files.recorded.sources.gathering import Asked
from pufferproof.models.files.recorded.table import read_column
from pufferproof.models.files.shapes import MechanismFile
from pufferproof.models.interface.sweeps.opening import ALONE, Sharing
from pufferproof.models.numbers.enclosures import Enclosure
from pufferproof.models.numbers.level import Level
from pufferproof.models.numbers.text import JsonObject, in_quotes
from pufferproof.models.priors.records import Records, preview
from pufferproof.reports.console.options import ShareItems
from pufferproof.reports.console.outputs import write_outputs
from pufferproof.reports.console.telling import exit_code, tell
from pufferproof.reports.console.words import claims_lines, counted, csv_text, leakage_text, level_nats, nats_text
from pufferproof.reports.correlation.fit.numbers import read_lines, refuse
from pufferproof.reports.correlation.sweeping import sweeping
from pufferproof.reports.schemas.fit import EachFit
from pufferproof.verify.audit.each import Chains, Found, Question, order_statistic
from pufferproof.verify.decision import Decision, Verdict, united

_WORST, _NAMED = 5, 20  # groups that leak most, and groups without an answer that are named
_SHARES = {"0": "least", "1/4": "1/4", "1/2": "median", "3/4": "3/4", "9/10": "90%", "99/100": "99%", "1": "largest"}
_HEADER = ("group", "lower", "upper", "verdict", "by", "why")


@dataclass(frozen=True)
class Each:
    """Options that ask about every group."""

    title: ClassVar[str] = "Each group"

    each: Annotated[
        str | None,
        typer.Option(
            "--each",
            metavar="MECHANISM",
            help="query with noise that is audited under a chain of every group's own; --out is then a table (CSV)",
        ),
    ] = None
    exact: Annotated[
        bool, typer.Option("--exact", help="with --each, audit every chain exactly, which takes some 20 times longer")
    ] = False

    def needing(self, share: ShareItems) -> JsonObject:
        """Return the options that need `--each`."""
        if self.each is not None:
            return {}
        known = {"jobs": share.jobs, "scheduler": share.scheduler, "resume": share.resume}
        return {"exact": self.exact, **known, "trust-store": share.trusting, "unit-seconds": share.seconds}

    def tell(
        self,
        data: str,
        asked: Asked,
        options: Options,
        level: Level | None,
        sharing: Sharing,
        files: tuple[str | None, str | None],
        as_json: bool,
    ) -> NoReturn:
        """Ask about all groups, write the first of the files, a table, and tell the answer."""
        out, plot = files
        kinds, boxed = options.kinds != "pooled", options.confidence is not None
        others = {"order": options.order != 1, "smoothing": options.smoothing != 0, "confidence": boxed, "kinds": kinds}
        refuse(others | {"people": options.people != 1, "plot": plot is not None}, "data without --each")
        if asked.group is None:
            raise ModelError("needs --group NAME, the column that names the groups", "--each")
        mechanism = read_loaded(str(self.each), MechanismFile)
        with in_file(data):
            loaded = read_column(data, replace(asked, missing="split"))
        whole = asked.missing == "refuse"
        question = self._question(loaded.value, options, mechanism, level)
        initial = options.initial or ("counted" if options.absorbing else "stationary")
        by = Fitting(1, Fraction(0), initial, options.absorbing, options.never)
        groups = own_chains(loaded.value, by, whole)
        chains = Counter(group.chain for group in groups if group.chain is not None)
        with sweeping("auditing groups", "chains", ALONE if sharing == Sharing() else sharing) as sweep:
            asking = Chains(question, sweep, chains)
            asking.ask(_WORST)
        answer = Answer(groups, asking)
        written = {} if out is None else {out: csv_text(_HEADER, answer.table()).encode()}
        write_outputs(written, out, inputs=[data, str(self.each)])
        fields = {
            "group": asked.group,
            "mechanism": str(self.each),
            "table": out,
            "records": loaded.value.records,
            "states": list(loaded.value.states),
            **answer.as_json(),
            **reading_json(loaded.value.reading),
            "doubts": [doubt.as_json() for doubt in (*loaded.value.doubts, *answer.doubts())],
            "assumed": _assumed(options, initial, loaded.value, whole),
            "inputs": hashes(data=loaded, mechanism=mechanism),
        }
        told = EachFit.model_validate(fields)
        lines = [*answer.verdict_lines(), *read_lines(loaded.value.reading), *answer.lines()]
        lines += [f"doubt     {doubt.says}" for doubt in told.doubts]
        lines += [f"assumed   {each}" for each in told.assumed]
        lines += [f"table     {out}: a row for each group"] if out else []
        notes = [f"note: {each}" for each in loaded.value.reading.notes]
        tell(told, [*lines, *claims_lines(told.rests_on)], notes, as_json, code=exit_code(answer.kept))

    def _question(
        self, recorded: Recorded, options: Options, mechanism: Loaded[MechanismFile], level: Level | None
    ) -> Question:
        longest = max(map(len, recorded.sequences))
        records = Records(longest if options.length is None else options.length, recorded.states)
        private = private_of(options, records.count)
        with in_file(mechanism.path):
            query = record_query_of(mechanism.value, records)
            return Question(query, private, level, self.exact)


def _assumed(options: Options, initial: str, recorded: Recorded, whole: bool) -> list[str]:
    said = [f"the records of every group are a chain of order 1 of its own, whose first record is {initial}"]
    said.append("the estimated chain of a group is its true one")
    if options.absorbing:
        said.append(f"nothing else follows {preview(options.absorbing)}, as was declared")
    if options.never:
        steps = [f'"{left}" to "{right}"' for left, right in options.never]
        said.append(f"steps that never occur, as was declared: {', '.join(steps)}")
    if recorded.reading.later and not whole:
        said.append("whether a value is missing does not depend on what it would have been")
    return said


@dataclass(frozen=True)
class Answer:
    """The groups, and what is known of their chains."""

    groups: Sequence[OwnChain]
    asking: Chains

    @cached_property
    def known(self) -> list[Found]:
        """What is known of every group."""
        return [
            Found(None, Decision.UNDECIDED, why=group.why) if group.chain is None else self.asking.found[group.chain]
            for group in self.groups
        ]

    @cached_property
    def order(self) -> list[int]:
        """The places of groups with an answer, the largest leakage first."""
        answered = [place for place, each in enumerate(self.known) if each.leakage is not None]
        ends = {place: self.known[place].ends for place in answered}
        return sorted(answered, key=lambda place: (-ends[place][0], -ends[place][1], place))

    @property
    def level(self) -> Level | None:
        """The level that is decided."""
        return self.asking.question.level

    @property
    def kept(self) -> Decision | None:
        """Whether all groups keep the level; None without one."""
        if self.level is None:
            return None
        return Decision.every(Decision.UNDECIDED if each.kept is None else each.kept for each in self.known)

    @property
    def counts(self) -> dict[str, int | None]:
        """How many groups keep the level, do not, and are not known to."""
        found = Counter(each.kept for each in self.known)
        numbers = found[Decision.HOLDS], found[Decision.FAILS], found[Decision.UNDECIDED]
        return {name: None if self.level is None else n for name, n in zip(("kept", "over", "unknown"), numbers)}

    @cached_property
    def quantiles(self) -> dict[str, Enclosure]:
        """The order statistics of what is leaked about groups with an answer, by their shares."""
        ends = [self.known[place].ends for place in self.order]
        return {share: order_statistic(ends, Fraction(share)) for share in _SHARES if ends}

    @property
    def claims(self) -> tuple[str, ...]:
        """The claims that the answers rest on."""
        return united(*(found.claims for found in self.asking.found.values()))

    def as_json(self) -> JsonObject:
        """Return what the file formats say of groups."""
        question, kept = self.asking.question, self.kept
        return {
            "length": question.records.count,
            "private": list(question.private),
            "groups": len(self.groups),
            "answered": len(self.order),
            "distinct": len(self.asking.groups),
            "questions": len(self.asking.asked),
            "epsilon": None if self.level is None else str(self.level),
            "verdict": None if kept is None else Verdict.of(kept).value,
            **self.counts,
            "quantiles": [{"share": share, "epsilon": ends.as_json()} for share, ends in self.quantiles.items()],
            "worst": [self.groups[place].name for place in self.order[:_WORST]],
            "each": [self._group_json(*each) for each in zip(self.groups, self.known)],
            "trust": list(united(*(found.trust for found in self.asking.found.values()))),
            "rests_on": self.claims,
        }

    def _group_json(self, group: OwnChain, found: Found) -> JsonObject:
        return {
            "group": group.name,
            "transition": None if group.chain is None else rows_json(group.chain.transition),
            "leakage": None if found.leakage is None else found.leakage.as_json(),
            "verdict": self._verdict(found),
            "by": found.by,
            "excluded": found.excluded,
            "why": found.why or None,
        }

    def _verdict(self, found: Found) -> str | None:
        return None if self.level is None or found.kept is None else Verdict.of(found.kept).value

    def table(self) -> Iterator[tuple[str, ...]]:
        """Yield a row for every group: its bounds in nats, the verdict, and why it has no answer."""
        for group, found in zip(self.groups, self.known):
            ends = ("", "")
            if found.leakage is not None:
                known = found.leakage.enclosure()
                ends = known.lower, known.upper
            yield group.name, *ends, self._verdict(found) or "", found.by or "", found.why

    def doubts(self) -> list[Doubt]:
        """Return the doubt about chains that are estimated from few departures."""
        few = [group.name for group in self.groups if group.chain is not None and group.fewest < FEW]
        if not few:
            return []
        has = "has" if len(few) == 1 else "have"
        says = (
            f"{len(few)} of {len(self.groups)} groups {has} left some value fewer than {FEW} times, "
            f"{preview(few)}: their true chains may be far from those estimated, and leak more"
        )
        return [Doubt("rows", says)]

    def lines(self) -> Iterator[str]:
        """Say the distribution, the worst groups, and which groups have no answer and why."""
        groups, chains = len(self.groups), self.asking.groups
        alike = f"{counted(len(chains), 'different chain')}, {counted(len(self.asking.asked), 'question')}"
        yield f"groups    {groups}, of which {len(self.order)} have an answer: {alike}"
        if self.order:
            label = "leakage   "
            for share, ends in self.quantiles.items():
                yield f"{label}{_SHARES[share]:<9}{_nats(ends)}"
                label = " " * 10
        label = "worst     "
        for place in self.order[:_WORST]:
            leakage = self.known[place].leakage
            said = "" if self.level is None else f", {self._verdict(self.known[place])}"
            yield f"{label}{in_quotes(self.groups[place].name)}: {leakage_text(leakage)}{said}" if leakage else ""
            label = " " * 10
        if some := [group.name for group, found in zip(self.groups, self.known) if found.excluded]:
            has = "has" if len(some) == 1 else "have"
            yield f"excluded  {counted(len(some), 'group')} {has} secrets of probability 0: {preview(some)}"
        missing = [(group.name, found.why) for group, found in zip(self.groups, self.known) if found.leakage is None]
        label = "no answer "
        for name, why in missing[:_NAMED]:
            yield f"{label}{in_quotes(name)}: {why}"
            label = " " * 10
        if len(missing) > _NAMED:
            yield f"{label}and {len(missing) - _NAMED} more (--json and --out name all of them)"

    def verdict_lines(self) -> Iterator[str]:
        """Say the verdict, and how many groups it is about."""
        if self.kept is None:
            return
        kept, over, unknown = (number or 0 for number in self.counts.values())
        yield f"{Verdict.of(self.kept).value} {level_nats(self.level)}"
        said = [f"{kept} of {counted(len(self.groups), 'group')} keep the level"]
        said += [f"{counted(over, 'does', 'do')} not"] * bool(over)
        said += [f"{counted(unknown, 'is', 'are')} not known to"] * bool(unknown)
        yield f"kept      {', '.join(said)}"


def _nats(ends: Enclosure) -> str:
    return "infinite" if ends.lower == "inf" else nats_text(ends)
