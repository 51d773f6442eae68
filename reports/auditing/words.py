"""What commands say of an audit, alone or of a joint release: the verdict, the number behind it,
and where to look.
"""

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from itertools import groupby
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from pufferproof.models.interface.readable import between
from pufferproof.models.noise.tables.partial import PartialTable
from pufferproof.models.noise.tables.powers import PowerTable
from pufferproof.models.numbers.enclosures import enclose
from pufferproof.models.numbers.level import Level
from pufferproof.models.numbers.text import at_most, brief, brief_chance, chance, in_quotes, rounded, text_of
from pufferproof.models.priors.records import preview
from pufferproof.models.sequences.hidden_mechanism import HiddenMarkovMechanism
from pufferproof.models.sequences.local import LocalMechanism
from pufferproof.reports.console.labels import label_text
from pufferproof.reports.console.words import counted, leakage_text, level_nats, prior_text
from pufferproof.verify.decision import Decision
from pufferproof.verify.leakage.ratio import Leakage, probabilities

if TYPE_CHECKING:
    from pufferproof.verify.audit import AnyDelta, Audit
    from pufferproof.verify.audit.answer import ProcessedRatio
    from pufferproof.verify.audit.composition import Composition
    from pufferproof.verify.leakage.laws import Mixtures
    from pufferproof.verify.leakage.ratio import LargestRatio
    from pufferproof.verify.noise.accounts.accountant import Account
    from pufferproof.verify.noise.ratio.bounds import NoiseBounds, TiltedBound
    from pufferproof.verify.noise.ratio.partial import PartialRatio
    from pufferproof.verify.sequences.leakage import LocalLeakage
    from pufferproof.verify.sequences.words import ParametricRatio, WordRatio

# What there is to say of a largest ratio, by its kind: of a witness, of how much was compared and of where a bound
# comes from.
#
# It depends on what was audited: listed outputs, sequences too long to list, or queries with noise, exactly or by
# bounds.

_RUNS = 4  # of equal symbols that are shown on either side of the private record
_SHORT = 60  # characters of an output that is shown in full
_SOME = 8  # outputs of releases that are shown
_FEW_DIGITS = 6  # of a probability that is irrational
_DIGITS = 15  # of a count of inequalities that is shown in full
Said = TypeVar("Said")

# the classes of what only some rooms of `pufferproof.verify` find
_NOISE, _GAUSSIAN = "noise.ratio.listed:NoiseLeakage", "noise.normal.lines:GaussianLeakage"
_BOUNDS, _ENCLOSED = "noise.ratio.bounds:NoiseBounds", "leakage.ratio:EnclosedRatio"
_LOCAL, _WORD = "sequences.leakage:LocalLeakage", "sequences.words:WordRatio"
_PARAMETRIC = "sequences.words:ParametricRatio"
_TABLE, _PARTIAL = "noise.ratio.partial:EnclosedTableRatio", "noise.ratio.partial:PartialRatio"


class ByKind(Generic[Said]):
    """What is said of a largest ratio, by its kind: the version for the nearest class, or that for
    all others. Classes are named by where they stand, so that no room is imported for what it did
    not find.
    """

    def __init__(self, of_others: Callable[..., Said]) -> None:
        self.of_others = of_others
        self.versions: dict[str, Callable[..., Said]] = {}
        self.__doc__ = of_others.__doc__

    def of(self, *kinds: str) -> Callable[[Callable[..., Said]], Callable[..., Said]]:
        """Register a version for some classes."""

        def registered(version: Callable[..., Said]) -> Callable[..., Said]:
            self.versions |= {f"pufferproof.verify.{kind}": version for kind in kinds}
            return version

        return registered

    def __call__(self, largest: "LargestRatio", *others: object) -> Said:
        for kind in type(largest).__mro__:
            version = self.versions.get(f"{kind.__module__}:{kind.__qualname__}")
            if version is not None:
                return version(largest, *others)
        return self.of_others(largest, *others)


@ByKind
def witness_lines(largest: "LargestRatio", audit: "Audit") -> list[str]:
    """Say where the leakage is reached: of listed outputs with both probabilities."""
    if isinstance(audit.mechanism, PowerTable | PartialTable):
        return _witness_lines_of_largest_ratio(largest, audit)
    witness = audit.witness
    left, right = probabilities(audit.framework, audit.channel, witness)
    above, below = witness.pair
    lines = [
        f'witness   output "{witness.output}", {prior_text(witness.prior)}',
        f'          P(output | "{above}") = {brief_chance(left)} against P(output | "{below}") = {brief_chance(right)}',
    ]
    if not isinstance(witness.prior, str):
        lines.append(f"          ratio there {brief(left / right) if right else 'infinite'}")
    return lines


@witness_lines.of(_LOCAL)
def _witness_lines_of_local_leakage(largest: "LocalLeakage", audit: "Audit") -> list[str]:
    where = f'witness   prior "{audit.witness.prior}", {output_text(audit)}'
    return [where, *_times_lines(largest)]


@witness_lines.of(_WORD)
def _witness_lines_of_word_ratio(largest: "WordRatio", audit: "Audit") -> list[str]:
    (above, below), sides = largest.witness.pair, largest.sides
    return [
        f"witness   {word_text(largest, audit)}, {prior_text(largest.witness.prior)}",
        f'          P(output | "{above}") = {brief_chance(sides[0])} against '
        f'P(output | "{below}") = {brief_chance(sides[1])}',
    ]


@witness_lines.of(_PARAMETRIC)
def _witness_lines_of_parametric_ratio(largest: "ParametricRatio", audit: "Audit") -> list[str]:
    (above, below), sides = largest.witness.pair, largest.sides
    prior = prior_text(largest.witness.prior)
    return [
        f"witness   {largest.where}: {word_text(largest, audit)}, {prior}",
        f'          P(output | "{above}") = {brief_chance(sides[0])} against '
        f'P(output | "{below}") = {brief_chance(sides[1])}',
        *([f"          undecided: {largest.reason}"] if largest.reason else []),
    ]


@witness_lines.of(_NOISE, _GAUSSIAN, _ENCLOSED, _TABLE, _PARTIAL)
def _witness_lines_of_largest_ratio(largest: "LargestRatio", audit: "Audit") -> list[str]:
    witness = largest.witness
    where = f'witness   output {label_text(witness.output)}, prior "{witness.prior}"'
    return [where, *(_program_lines(audit) or _likelier_lines(largest))]


@witness_lines.of("audit.answer:ProcessedRatio")
def _witness_lines_of_processed_ratio(largest: "ProcessedRatio", audit: "Audit") -> list[str]:
    before = largest.before
    known = f"before    {leakage_text(before.leakage)}, and then a function that may hide all of it"
    return [known, *witness_lines(before.largest, before)]


def _program_lines(audit: "Audit") -> list[str]:
    """Say how probable the output of the witness is, of a program whose law is irrational."""
    if not audit.programs or not isinstance(audit.mechanism, PowerTable):
        return []
    witness, table = audit.witness, audit.mechanism
    law, labels = audit.framework.laws[str(witness.prior)], audit.framework.databases
    sides = []
    for secret in witness.pair:
        held = [x for x in audit.framework.secrets[secret] if law.weights[x]]
        parts = [law.weights[x] * table.probability_approx(labels[x], witness.output) for x in held]
        share = sum(parts) / sum(law.weights[x] for x in held)
        text = chance(share, _FEW_DIGITS)
        near = text if text.startswith("above") else f"≈ {text}"
        sides.append(near if share else "= 0")
    (above, below), (left, right) = witness.pair, sides
    return [f'          P(output | "{above}") {left} against P(output | "{below}") {right}']


@witness_lines.of(_BOUNDS)
def _witness_lines_of_noise_bounds(largest: "NoiseBounds", audit: "Audit") -> list[str]:
    witness = largest.witness
    upper = f"at most   {_upper_text(largest, audit)}"
    if largest.leakage.lower == 1 != largest.leakage.upper:
        return [upper, "at least  no output was found that leaks"]
    return [
        upper,
        f'at least  at output {label_text(witness.output)}, prior "{witness.prior}"',
        *_likelier_lines(largest),
    ]


@ByKind
def joint_lines(largest: "LargestRatio", together: "Composition") -> list[str]:
    """Say at which outputs of all releases the joint leakage is reached, and what they tell."""
    witness, (above, below) = largest.witness, largest.witness.pair
    left, right = probabilities(together.joint.framework, together.joint.channel, witness)
    where = f"witness   outputs {_sequence_text(together.outputs)}, {prior_text(witness.prior)}"
    if not right:
        return [where, f'          possible under "{above}", impossible under "{below}"']
    times = f"{brief(left / right)} times as likely"
    return [where, f'          {times} under "{above}" as under "{below}"']


@joint_lines.of(_LOCAL)
def _joint_lines_of_local_leakage(largest: "LocalLeakage", together: "Composition") -> list[str]:
    return witness_lines(largest, together.joint)


@joint_lines.of(_WORD)
def _joint_lines_of_word_ratio(largest: "WordRatio", together: "Composition") -> list[str]:
    return witness_lines(largest, together.joint)


@joint_lines.of(_NOISE, _GAUSSIAN, _ENCLOSED, _TABLE, _PARTIAL)
def _joint_lines_of_largest_ratio(largest: "LargestRatio", together: "Composition") -> list[str]:
    some = [f"({output})" if "," in output else output for output in together.outputs[:_SOME]]
    more = len(together.outputs) - len(some)
    shown = ", ".join([*some, *([f"and {more} more"] if more else [])])
    where = f'witness   outputs {shown}, prior "{largest.witness.prior}"'
    return [where, *_likelier_lines(largest)]


@joint_lines.of(_BOUNDS)
def _joint_lines_of_noise_bounds(largest: "NoiseBounds", together: "Composition") -> list[str]:
    return witness_lines(largest, together.joint)


@ByKind
def checked_lines(largest: "LargestRatio", audit: "Audit") -> list[str]:
    """Say how much was compared, and what was left out."""
    return [f"checked   {audit.scope.checked} inequalities{_left_out(audit)}"]


@checked_lines.of(_ENCLOSED)
def _checked_lines_of_enclosed_ratio(largest: Any, audit: "Audit") -> list[str]:
    return [f"checked   {largest.compared}{_left_out(audit)}"]


@checked_lines.of(_LOCAL)
def _checked_lines_of_local_leakage(largest: "LocalLeakage", audit: "Audit") -> list[str]:
    return [f"checked   {count_text(audit)} inequalities, none listed{_left_out(audit)}"]


@checked_lines.of(_WORD)
def _checked_lines_of_word_ratio(largest: "WordRatio", audit: "Audit") -> list[str]:
    followed = f"{largest.followed} beginnings of words followed"
    count = audit.scope.checked
    shown = str(count) if count < 10**_DIGITS else f"about 2^{count.bit_length() - 1}"
    return [f"checked   {shown} inequalities, none listed: {followed}{_left_out(audit)}"]


@checked_lines.of(_PARAMETRIC)
def _checked_lines_of_parametric_ratio(largest: "ParametricRatio", audit: "Audit") -> list[str]:
    values = "for all values" if largest.kept else "at some values"
    return [f"checked   {audit.scope.checked} inequalities {values}{_left_out(audit)}"]


@checked_lines.of(_NOISE)
def _checked_lines_of_noise_leakage(largest: object, audit: "Audit") -> list[str]:
    at = "" if audit.programs else ", at values of the query"
    checked = f"{audit.scope.checked} inequalities{at}"
    return [f"checked   {checked}{_left_out(audit)}"]


@checked_lines.of(_PARTIAL)
def _checked_lines_of_partial_ratio(largest: "PartialRatio", audit: "Audit") -> list[str]:
    checked = f"checked   {audit.scope.checked} inequalities, of listed outputs{_left_out(audit)}"
    if not largest.left or any(program.law.unread for program in audit.programs):
        # say of which outputs a program's law is known by their form alone
        unread = sorted({output for program in audit.programs for output in program.law.unread})
        says = f"unread    pufferproof compares the form of {preview(unread, 3)}, not the numbers in it"
        unread_lines = [says] if unread else []
        return [checked, *unread_lines]
    left = at_most(enclose(Fraction(0), largest.left).upper, 3)
    where = "of paths that were not run" if audit.programs else "not listed"
    return [checked, f"left      at most {left} of the probability is {where}, so a level is proved only with --delta"]


@checked_lines.of(_GAUSSIAN)
def _checked_lines_of_gaussian_leakage(largest: object, audit: "Audit") -> list[str]:
    pairs = counted(audit.scope.checked, "ordered pair")
    return [f"checked   {pairs} of laws{_left_out(audit)}"]


@checked_lines.of(_BOUNDS)
def _checked_lines_of_noise_bounds(largest: "NoiseBounds", audit: "Audit") -> list[str]:
    return []


def _upper_text(largest: "NoiseBounds", audit: "Audit") -> str:
    """Say where the upper bound comes from: a law, its quilt, or trees of histories."""
    from pufferproof.verify.noise.classes.bounds import ClassBounds
    from pufferproof.verify.noise.ratio.bounds import TiltedBound

    if isinstance(largest, ClassBounds) and largest.by_trees and largest.trees is not None:
        cells = counted(largest.trees.cells, "part")
        looked = f", {cells} of the class looked at" if largest.trees.cells else ""
        return f"by {largest.trees.by}{looked}"
    records, window, account = audit.framework.records, largest.window, largest.account
    names = None if records is None else records.names
    if isinstance(largest.closer, TiltedBound):
        return _tilted_text(largest.closer, names)
    if window is None:
        return "" if account is None else account_text(account)
    first, last = _called(window.first, names), _called(window.last, names)
    near = f"records {window.first} to {window.last}" if names is None else f"{first} to {last}"
    near = near if window.first < window.last else "it alone"
    called = _called(window.record, names)
    if names is not None and (window.first, window.last) == (1, len(names)):
        return f'{called}, prior "{window.prior}", from the distribution of all records'
    return f'{called}, prior "{window.prior}", from the distribution of {near}, whatever the others'


def _called(record: int, names: Sequence[str] | None) -> str:
    return f"record {record}" if names is None else in_quotes(names[record - 1])


def _tilted_text(bound: "TiltedBound", names: Sequence[str] | None) -> str:
    """Say what a record tells of itself, and what those before and after it add."""
    own, before, after = (
        leakage_text(Leakage.of(part.upper)).partition(" nats")[0] for part in (bound.own, bound.before, bound.after)
    )
    place = f'{_called(bound.record, names)}, prior "{bound.prior}"'
    return f"{place}: itself {own}, those before it {before}, those after it {after}"


def account_text(account: "Account") -> str:
    """Say how the bound of a record comes about: its quilt, the influence of that, and what the
    noise spends.
    """
    spent, influence = (leakage_text(each).partition(" nats")[0] for each in (account.spent, account.influence))
    place = f'{account.called}, prior "{account.prior}"'
    if account.eliminated and not account.nodes:
        return f"{place}, by elimination of the others, on which noise spends {spent}"
    if account.eliminated:
        place += f", by elimination within {account.quilt}"
        return f"{place}: influence {influence}, noise spends {spent} there"
    place += f", quilt {account.quilt}"
    return f"{place}: influence {influence}, spent {spent}"


def output_text(audit: "Audit") -> str:
    """Show the output of a witness on a sequence in full or, if that is long, as runs of equal
    symbols around the private record.
    """
    mechanism, largest = _along(audit)
    symbols = largest.symbols
    if largest.names is not None:
        return f"output {largest.witness.output}"
    label = mechanism.label(symbols) if len(symbols) <= _SHORT else None
    if label is not None and len(label) <= _SHORT:
        return f'output "{label}"'
    runs: list[str] = []
    start, own = 1, 0
    for symbol, group in groupby(symbols):
        end = start + sum(1 for _ in group) - 1
        own = len(runs) if start <= largest.record <= end else own
        place = f"record {start}" if start == end else f"records {start}-{end}"
        runs.append(f'{place} "{label_text(mechanism.outputs[symbol])}"')
        start = end + 1
    first, last = max(0, own - _RUNS), min(len(runs), own + _RUNS + 1)
    return ", ".join(["..."] * (first > 0) + runs[first:last] + ["..."] * (last < len(runs)))


def word_text(largest: "WordRatio", audit: "Audit") -> str:
    """Write the word of a witness, a symbol several times running as `"y" 3 times`."""
    label = largest.witness.output
    if len(label) <= _SHORT or not isinstance(audit.mechanism, HiddenMarkovMechanism):
        return f'output "{label}"'
    runs = _sequence_text(audit.mechanism.symbols[symbol] for symbol in largest.word).split(", ")
    kept = runs if len(runs) <= 2 * _RUNS else [*runs[:_RUNS], "...", *runs[-_RUNS:]]
    return f"output {', '.join(kept)}"


def count_text(audit: "Audit") -> str:
    """Say how many inequalities there are, as a power where that is a long number."""
    mechanism, _ = _along(audit)
    if audit.scope.checked < 10**_DIGITS:
        return str(audit.scope.checked)
    outputs, length = len(mechanism.outputs), mechanism.length
    return f"{audit.scope.checked // outputs**length} x {outputs}^{length}"


def _along(audit: "Audit") -> "tuple[LocalMechanism, LocalLeakage]":
    from pufferproof.verify.sequences.leakage import LocalLeakage

    if not isinstance(audit.mechanism, LocalMechanism) or not isinstance(audit.largest, LocalLeakage):
        raise TypeError("expected an audit on sequences that are not listed")
    return audit.mechanism, audit.largest


@ByKind
def how_text(largest: "LargestRatio", audit: "Audit") -> str:
    """Say how a level is decided: nothing if by the leakage itself."""
    return ""


@how_text.of(_BOUNDS)
def _how_by_bounds(largest: "NoiseBounds", audit: "Audit") -> str:
    undecided = audit.kept is Decision.UNDECIDED
    return "which is between the bounds" if undecided else "by a bound"


@ByKind
def bounds_lines(largest: "LargestRatio") -> list[str]:
    """Return the note on why a leakage is not computed exactly, none if it is."""
    return []


@bounds_lines.of(_BOUNDS)
def _bounds_lines_of_noise_bounds(largest: "NoiseBounds") -> list[str]:
    return [f"note: the leakage is not computed exactly: {largest.reason}"]


def _times_lines(largest: "LocalLeakage") -> list[str]:
    """Say how much likelier a witness's output is, or which record rules it out."""
    above, below = largest.witness.pair
    if largest.leakage.infinite:
        revealing = f"{largest.reveals} reveals it"
        return [f'          possible under "{above}", impossible under "{below}": {revealing}']
    times = brief(largest.ratio[0] or Fraction(0))
    return [f'          {times} times as likely under "{above}" as under "{below}"']


def _likelier_lines(largest: "LargestRatio") -> list[str]:
    """Say under which secret the witness is likelier, and whether it is reached."""
    above, below = largest.witness.pair
    known = largest.leakage
    if known.ratio == 1 or (known.lower == 1 and known.upper is None):
        return []
    if largest.leakage.infinite and "inf" not in largest.witness.output:
        return [f'          possible under "{above}", but not under "{below}"']
    if largest.leakage.infinite:
        likelier = f'"{above}" becomes likelier than "{below}" without bound'
        return [f"          as outputs go there, {likelier}"]
    limit = ", in the limit" if "inf" in largest.witness.output else ""
    return [f'          likelier under "{above}" than under "{below}"{limit}']


def _left_out(audit: "Audit") -> str:
    excluded = audit.scope.excluded
    return f" ({excluded} prior-pair combinations left out: a secret of probability 0)" if excluded else ""


def _sequence_text(outputs: Iterable[str]) -> str:
    """List outputs, the same one several times running as `"y" 3 times`."""
    runs = [(output, len(list(group))) for output, group in groupby(outputs)]
    return ", ".join(f'"{output}"' + (f" {times} times" if times > 1 else "") for output, times in runs)


_SOME_PAIRS = 20  # pairs with levels of their own that are shown


def audit_lines(audit: "Audit") -> list[str]:
    """Render an audit for a terminal, the verdict first."""
    return [
        *_verdict_lines(audit),
        f"leakage   {leakage_text(audit.leakage)}",
        *witness_lines(audit.largest, audit),
        *_neighbour_lines(audit),
        *_delta_lines(audit),
        *_renyi_lines(audit),
        *_smallest_lines(audit),
        *checked_lines(audit.largest, audit),
        *_source_lines(audit),
        *_mixtures_lines(audit.mixtures),
    ]


def _smallest_lines(audit: "Audit") -> list[str]:
    """Say the smallest rho or mu, and for which pair."""
    found = audit.smallest
    if found is None:
        return []
    symbol, name = found.names
    above, below = found.pair
    return [
        f"{name:<10}{symbol} {found.text()}, the smallest",
        f'          "{above}" against "{below}" under "{found.prior}"',
    ]


def _neighbour_lines(audit: "Audit") -> list[str]:
    """Say what changes in the worst pair of neighbours, and of how many it is the worst."""
    known, relation = audit.neighbours, audit.framework.neighbours
    if known is None:
        return []
    pairs = counted(int(known["pairs"]), "pair")
    return [f"changed   {known['changed']} ({relation}: worst of {pairs}, both orders)"]


def _source_lines(audit: "Audit") -> list[str]:
    """Say what was audited of an object of another library, or how floats round."""
    if not audit.source:
        said = (
            f"rounding  exceeded by {audit.excess}: a float stands for its exact binary value; "
            f'text such as "1/10" is exact'
        )
        return [said] if audit.excess else []
    return [f"{'rounding' if audit.programs else 'source':10}{audit.source}"]


def _mixtures_lines(mixtures: "Mixtures | None") -> list[str]:
    """Say what the audit of the listed priors says about their mixtures."""
    if mixtures is None:
        return []
    if mixtures.free is Decision.HOLDS:
        return ["mixtures  a level kept for these priors is kept for all their mixtures"]
    said = "not covered" if mixtures.free is Decision.FAILS else "not known to be covered"
    where = ""
    if mixtures.priors is not None and mixtures.pair is not None:
        (one, other), (above, below) = mixtures.priors, mixtures.pair
        where = f', "{above}" against "{below}" under "{one}" and "{other}"'
    return [f'mixtures  {said}; "closure": "convex" audits them', f"          {mixtures.reason}{where}"]


def composition_lines(together: "Composition", names: Iterable[str], bounds: Sequence[str] = ()) -> list[str]:
    """Render a joint release for a terminal, with what is known of it beside its leakage."""
    joint = together.joint
    count = counted(len(together.releases), "release")
    return [
        *(f"single    {leakage_text(single.leakage)}  {name}" for single, name in zip(together.single, names)),
        f"joint     {leakage_text(joint.leakage)}  ({count})",
        *joint_lines(joint.largest, together),
        additive_line(together.additive, known=joint.leakage.upper is not None),
        *shared_lines(together.shared),
        *bounds,
        *checked_lines(joint.largest, joint),
    ]


def shared_lines(shared: str | None) -> list[str]:
    """Say what releases share, if there are several."""
    return [] if shared is None else [f"shared    {shared}"]


def shared_sentences(shared: str | None) -> list[str]:
    """Say the same on a page."""
    return [] if shared is None else [f"All releases share {shared}."]


def additive_line(additive: Decision, known: bool = True) -> str:
    """Say whether releases compose."""
    said = {
        Decision.HOLDS: "the joint leakage is at most the sum of the single ones",
        Decision.FAILS: "the joint leakage exceeds the sum of the single ones: these releases do not compose",
        Decision.UNDECIDED: "the joint leakage is too close to the sum of the single ones to tell",
    }
    if additive is Decision.UNDECIDED and not known:
        return "additive  not known, as no upper bound of the joint leakage is known"
    return f"additive  {said[additive]}"


def _verdict_lines(audit: "Audit") -> list[str]:
    if audit.verdict is None:
        return []
    if audit.pairs:
        return _pair_lines(audit)
    if audit.smallest is not None:
        return [f"{audit.verdict.value} {audit.smallest.asked}"]
    how = how_text(audit.largest, audit) if audit.delta is None else ""
    if not how:
        bound = "" if audit.delta_bound is None else f", delta {text_of(audit.delta_bound)}"
        order = "" if audit.renyi is None else f" at order {text_of(audit.renyi.order)}"
        by = f" by {audit.excess}" if audit.excess else ""
        return [f"{audit.verdict.value} {level_nats(audit.level)}{bound}{order}{by}"]
    return [f"{audit.verdict.value} {level_nats(audit.level)}, {how}"]


def _pair_lines(audit: "Audit") -> list[str]:
    """Say how every pair stands to its own level, those that break it first."""
    word = "UNDECIDED" if audit.verdict is None else audit.verdict.value
    order = {Decision.FAILS: 0, Decision.UNDECIDED: 1, Decision.HOLDS: 2}
    found = sorted(audit.pairs, key=lambda each: order[each.kept])
    some = [each for each in found if each.verdict.value == word]
    lines = [f"{word} the levels of {len(some)} of {counted(len(found), 'pair')}"]
    for k, each in enumerate(found[:_SOME_PAIRS]):
        one, other = each.pair
        lines.append(
            f'{"" if k else "pairs":<10}"{one}" and "{other}": {each.verdict.value} '
            f"{level_nats(each.level)}, leakage {leakage_text(each.audit.leakage)}"
        )
    more = len(found) - _SOME_PAIRS
    return [*lines, *([f"          ... and {more} more (--json has them)"] if more > 0 else [])]


def _delta_lines(audit: "Audit") -> list[str]:
    if audit.delta is None or audit.level is None:
        return []
    return [delta_line(audit.delta, audit.level)]


def delta_line(delta: "AnyDelta", level: Level) -> str:
    """Say what the smallest delta at a level is."""
    lower, upper = delta.bounds()
    if delta.value is not None:
        shown = brief(delta.value)
    elif (upper - lower) * 10**15 <= upper:
        shown = f"≈ {rounded(delta.as_json()['lower'])}"
    else:
        shown = between(lower, upper)
    return f"delta     {shown}, the smallest at {level_nats(level)}"


def _renyi_lines(audit: "Audit") -> list[str]:
    if audit.renyi is None:
        return []
    above, below = audit.renyi.pair
    return [
        f"Renyi     {audit.renyi.text()}, the divergence of order {text_of(audit.renyi.order)}",
        f'          "{above}" against "{below}" under "{audit.renyi.prior}"',
    ]
