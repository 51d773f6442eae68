"""What is said on a terminal, and on pages, of recorded people: about whom most is told under a
chain of their own, how many do not keep a level, and which noise keeps it for all.
"""

from itertools import chain, repeat

from pufferproof.lp.accounting.releases.least import Who, nats_text
from pufferproof.models.numbers.enclosures import Enclosure
from pufferproof.models.numbers.level import Level
from pufferproof.models.numbers.text import at_most, in_quotes
from pufferproof.reports.console.words import level_nats

_NAMED = 4  # groups that are not counted


def contrary_text(who: Who, many: str) -> str:
    """Say that the model keeps a budget, and who does not."""
    return f"UNDECIDED: the model keeps {level_nats(who.budget)}, {who.over_text(many)}"


def people_lines(who: Who | None, many: str, accepted: bool) -> list[str]:
    """Say `who_texts` on lines of a terminal."""
    labels = chain(["people    "], repeat(" " * 10))
    return [label + text for label, text in zip(labels, who_texts(who, many, accepted))]


def who_texts(who: Who | None, many: str, accepted: bool) -> list[str]:
    """Say about whom most is told, which noise keeps the budget for all, who is not counted, and
    whether the verdict stands all the same, `accepted`.
    """
    if who is None:
        return []
    number, name = len(who.leakages), in_quotes(who.worst)
    texts = [f"{name} leaks most under a chain of its own: {nats_text(who.leakages[who.worst])}, of {number} {many}"]
    if who.over:
        alike = "" if who.differ else "; no evidence that they differ, so the verdict stands"
        texts.append(f"{who.short_text(many)} keep {level_nats(who.budget)}{alike}")
    if who.least is not None:
        least = at_most(who.least.upper, 9)
        said = f"multiply all scales by {least} to keep the budget for all {number}"
        kept = f"all scales multiplied by {least} would still keep the budget for all {number}"
        texts.append(said if who.over else kept)
    texts += _uncounted(who, many)
    unseen = who.groups - number - len(who.without)
    if unseen:
        texts.append(
            f"not looked at: {unseen} of {who.groups} {many}, whom one chain fits better and whose "
            "values depend less on the last ones"
        )
    if accepted:
        texts.append("the verdict is that of the model alone (--accept-doubt)")
    return texts


def lines_at_scale(who: Who, scale: Enclosure, level: Level) -> list[str]:
    """Say about whom most is told at a scale, and which scale is enough for all."""
    number = len(who.leakages)
    said = f"{in_quotes(who.worst)} leaks most under a chain of its own, at scale "
    said += f"{at_most(scale.upper, 5)}: {nats_text(who.leakages[who.worst])}, of {number} people"
    lines = [f"people    {said}"]
    if who.over:
        lines.append(f"          {who.short_text()} keep {level_nats(level)}")
    if who.least is not None:
        least = at_most(who.least_scale(scale).upper, 10)
        lines.append(f"          scale {least} keeps {level_nats(level)} for all {number}")
    lines += [f"          {text}" for text in _uncounted(who, "people")]
    return lines


def _uncounted(who: Who, many: str) -> list[str]:
    """Say who has too few records."""
    if not who.without:
        return []
    more, has = len(who.without) - _NAMED, "has" if len(who.without) == 1 else "have"
    names = ", ".join(map(in_quotes, who.without[:_NAMED])) + (f" and {more} more" * (more > 0))
    of = f"{len(who.without)} of {who.groups} {many}"
    return [
        f"not counted: {of} {has} no chain with an answer, as records are few or a value is never "
        f"left or never comes back: {names}"
    ]
