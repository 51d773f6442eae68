"""What commands say of an audit, alone or of a joint release: the verdict, the number behind it,
and where to look.
"""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import groupby
from typing import TYPE_CHECKING, cast

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
    from pufferproof.verify.leakage.ratio import EnclosedRatio, LargestRatio
    from pufferproof.verify.noise.accounts.accountant import Account
    from pufferproof.verify.noise.ratio.bounds import NoiseBounds
    from pufferproof.verify.noise.ratio.partial import PartialRatio
    from pufferproof.verify.sequences.leakage import LocalLeakage
    from pufferproof.verify.sequences.words import ParametricRatio, WordRatio

# What there is to say of a largest ratio depends on what was audited: listed outputs, sequences too long to list, or
# queries with noise, exactly or by bounds.

_RUNS = 4  # of equal symbols that are shown on either side of the private record
_SHORT = 60  # characters of an output that is shown in full
_SOME = 8  # outputs of releases that are shown
_FEW_DIGITS = 6  # of a probability that is irrational
_DIGITS = 15  # of a count of inequalities that is shown in full
KINDS = {  # of largest ratios, by where their classes stand: no room is imported for what it did not find
    "noise.ratio.listed:NoiseLeakage": "noise",
    "noise.normal.lines:GaussianLeakage": "gaussian",
    "noise.ratio.bounds:NoiseBounds": "bounds",
    "leakage.ratio:EnclosedRatio": "enclosed",
    "sequences.leakage:LocalLeakage": "local",
    "sequences.words:WordRatio": "word",
    "sequences.words:ParametricRatio": "parametric",
    "noise.ratio.partial:EnclosedTableRatio": "table",
    "noise.ratio.partial:PartialRatio": "partial",
    "audit.answer:ProcessedRatio": "processed",
}
_ALONG_A_LINE = ("noise", "gaussian", "enclosed", "table", "partial")


def _kind_of(largest: "LargestRatio") -> str:
    """Return the kind of the nearest class that has one, else that of listed outputs."""
    homes = (f"{kind.__module__}:{kind.__qualname__}" for kind in type(largest).__mro__)
    names = (home.removeprefix("pufferproof.verify.") for home in homes)
    return next((KINDS[name] for name in names if name in KINDS), "listed")


def witness_lines(largest: "LargestRatio", audit: "Audit") -> list[str]:
    """Say where the leakage is reached: of listed outputs with both probabilities."""
    kind, witness = _kind_of(largest), largest.witness
    if kind == "processed":
        before = cast("ProcessedRatio", largest).before
        known = f"before    {leakage_text(before.leakage)}, and then a function that may hide all of it"
        return [known, *witness_lines(before.largest, before)]
    if kind == "local":
        where = f'witness   prior "{audit.witness.prior}", {output_text(audit)}'
        return [where, *_times_lines(cast("LocalLeakage", largest))]
    if kind == "bounds":
        upper = f"at most   {_upper_text(cast('NoiseBounds', largest), audit)}"
        if largest.leakage.lower == 1 != largest.leakage.upper:
            return [upper, "at least  no output was found that leaks"]
        where = f'at least  at output {label_text(witness.output)}, prior "{witness.prior}"'
        return [upper, where, *_likelier_lines(largest)]
    if kind in _ALONG_A_LINE or (kind == "listed" and isinstance(audit.mechanism, PowerTable | PartialTable)):
        where = f'witness   output {label_text(witness.output)}, prior "{witness.prior}"'
        return [where, *(_program_lines(audit) or _likelier_lines(largest))]
    if kind in ("word", "parametric"):
        words = cast("WordRatio", largest)
        left, right = words.sides
        where = f"{word_text(words, audit)}, {prior_text(witness.prior)}"
    else:
        witness = audit.witness
        left, right = probabilities(audit.framework, audit.channel, witness)
        where = f'output "{witness.output}", {prior_text(witness.prior)}'
    above, below = witness.pair
    lines = [
        f"witness   {where}",
        f'          P(output | "{above}") = {brief_chance(left)} against P(output | "{below}") = {brief_chance(right)}',
    ]
    if kind == "parametric":
        parametric = cast("ParametricRatio", largest)
        lines[0] = f"witness   {parametric.where}: {where}"
        return [*lines, *([f"          undecided: {parametric.reason}"] if parametric.reason else [])]
    if kind != "word" and not isinstance(witness.prior, str):
        lines.append(f"          ratio there {brief(left / right) if right else 'infinite'}")
    return lines


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


def joint_lines(largest: "LargestRatio", together: "Composition") -> list[str]:
    """Say at which outputs of all releases the joint leakage is reached, and what they tell."""
    kind, witness, (above, below) = _kind_of(largest), largest.witness, largest.witness.pair
    if kind in ("local", "word", "parametric", "bounds"):
        return witness_lines(largest, together.joint)
    if kind in _ALONG_A_LINE:
        some = [f"({output})" if "," in output else output for output in together.outputs[:_SOME]]
        more = len(together.outputs) - len(some)
        shown = ", ".join([*some, *([f"and {more} more"] if more else [])])
        return [f'witness   outputs {shown}, prior "{witness.prior}"', *_likelier_lines(largest)]
    left, right = probabilities(together.joint.framework, together.joint.channel, witness)
    where = f"witness   outputs {_sequence_text(together.outputs)}, {prior_text(witness.prior)}"
    if not right:
        return [where, f'          possible under "{above}", impossible under "{below}"']
    times = f"{brief(left / right)} times as likely"
    return [where, f'          {times} under "{above}" as under "{below}"']


def checked_lines(largest: "LargestRatio", audit: "Audit") -> list[str]:
    """Say how much was compared, and what was left out."""
    kind, count = _kind_of(largest), audit.scope.checked
    if kind == "bounds":
        return []
    more: list[str] = []
    if kind == "enclosed":
        checked = cast("EnclosedRatio", largest).compared
    elif kind == "local":
        checked = f"{count_text(audit)} inequalities, none listed"
    elif kind == "word":
        shown = str(count) if count < 10**_DIGITS else f"about 2^{count.bit_length() - 1}"
        followed = cast("WordRatio", largest).followed
        checked = f"{shown} inequalities, none listed: {followed} beginnings of words followed"
    elif kind == "gaussian":
        checked = f"{counted(count, 'ordered pair')} of laws"
    else:  # a number that is short enough to write
        where = {
            "parametric": " for all values" if getattr(largest, "kept", None) else " at some values",
            "noise": "" if audit.programs else ", at values of the query",
            "partial": ", of listed outputs",
        }
        checked = f"{count} inequalities{where.get(kind, '')}"
    if kind == "partial":
        more = _partial_lines(cast("PartialRatio", largest), audit)
    excluded = audit.scope.excluded
    left_out = f" ({excluded} prior-pair combinations left out: a secret of probability 0)" if excluded else ""
    return [f"checked   {checked}{left_out}", *more]


def _partial_lines(largest: "PartialRatio", audit: "Audit") -> list[str]:
    """Say which part of a law is not listed, or of which outputs the form alone is compared."""
    unread = sorted({output for program in audit.programs for output in program.law.unread})
    if unread:
        return [f"unread    pufferproof compares the form of {preview(unread, 3)}, not the numbers in it"]
    if not largest.left:
        return []
    left = at_most(enclose(Fraction(0), largest.left).upper, 3)
    where = "of paths that were not run" if audit.programs else "not listed"
    return [f"left      at most {left} of the probability is {where}, so a level is proved only with --delta"]


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
        own, before, after = (
            leakage_text(Leakage.of(part.upper)).partition(" nats")[0]
            for part in (largest.closer.own, largest.closer.before, largest.closer.after)
        )
        place = f'{_called(largest.closer.record, names)}, prior "{largest.closer.prior}"'
        return f"{place}: itself {own}, those before it {before}, those after it {after}"
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


def bounds_lines(largest: "LargestRatio") -> list[str]:
    """Return the note on why a leakage is not computed exactly, none if it is."""
    if _kind_of(largest) != "bounds":
        return []
    return [f"note: the leakage is not computed exactly: {cast('NoiseBounds', largest).reason}"]


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


def _sequence_text(outputs: Iterable[str]) -> str:
    """List outputs, the same one several times running as `"y" 3 times`."""
    runs = [(output, len(list(group))) for output, group in groupby(outputs)]
    return ", ".join(f'"{output}"' + (f" {times} times" if times > 1 else "") for output, times in runs)


_SOME_PAIRS = 20  # pairs with levels of their own that are shown


def audit_lines(audit: "Audit") -> list[str]:
    """Render an audit for a terminal, the verdict first."""
    lines = [*_verdict_lines(audit), f"leakage   {leakage_text(audit.leakage)}", *witness_lines(audit.largest, audit)]
    if audit.neighbours is not None:  # what changes in the worst pair, and of how many it is the worst
        pairs = counted(int(audit.neighbours["pairs"]), "pair")
        relation = f"{audit.framework.neighbours}: worst of {pairs}, both orders"
        lines.append(f"changed   {audit.neighbours['changed']} ({relation})")
    if audit.delta is not None and audit.level is not None:
        lines.append(delta_line(audit.delta, audit.level))
    if (renyi := audit.renyi) is not None:
        above, below = renyi.pair
        lines.append(f"Renyi     {renyi.text()}, the divergence of order {text_of(renyi.order)}")
        lines.append(f'          "{above}" against "{below}" under "{renyi.prior}"')
    if (smallest := audit.smallest) is not None:
        (symbol, name), (above, below) = smallest.names, smallest.pair
        lines.append(f"{name:<10}{symbol} {smallest.text()}, the smallest")
        lines.append(f'          "{above}" against "{below}" under "{smallest.prior}"')
    lines += checked_lines(audit.largest, audit)
    if audit.source:  # what was audited of an object of another library, or how floats round
        lines.append(f"{'rounding' if audit.programs else 'source':10}{audit.source}")
    elif audit.excess:
        lines.append(
            f"rounding  exceeded by {audit.excess}: a float stands for its exact binary value; "
            'text such as "1/10" is exact'
        )
    return [*lines, *_mixtures_lines(audit.mixtures)]


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
    if audit.delta is None and _kind_of(audit.largest) == "bounds":
        how = "which is between the bounds" if audit.kept is Decision.UNDECIDED else "by a bound"
        return [f"{audit.verdict.value} {level_nats(audit.level)}, {how}"]
    bound = "" if audit.delta_bound is None else f", delta {text_of(audit.delta_bound)}"
    order = "" if audit.renyi is None else f" at order {text_of(audit.renyi.order)}"
    by = f" by {audit.excess}" if audit.excess else ""
    return [f"{audit.verdict.value} {level_nats(audit.level)}{bound}{order}{by}"]


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
