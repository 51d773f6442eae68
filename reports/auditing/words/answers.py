"""What commands say of an audit, alone or of a joint release: the verdict, the number behind it,
and where to look.
"""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from pufferproof.models.interface.readable import between
from pufferproof.models.numbers.level import Level
from pufferproof.models.numbers.text import brief, rounded, text_of
from pufferproof.reports.auditing.words.kinds import checked_lines, how_text, joint_lines, witness_lines
from pufferproof.reports.console.words import counted, leakage_text, level_nats
from pufferproof.verify.decision import Decision

if TYPE_CHECKING:
    from pufferproof.verify.audit import AnyDelta, Audit
    from pufferproof.verify.audit.composition import Composition
    from pufferproof.verify.leakage.laws import Mixtures


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
