"""What a doubt about a fitted chain says, and what to do about it."""

from collections.abc import Sequence

from pufferproof.models.files.recorded.doubts.comparison import Comparison, Doubt
from pufferproof.models.files.recorded.doubts.groups import Likeness
from pufferproof.models.priors.records import preview


def doubts_of_order(test: Comparison, order: int) -> list[Doubt]:
    """Return a doubt if data speak against the order of a chain."""
    if not test.doubtful:
        return []
    says = (
        f"{test.p_text}: {test.against(f'order {order}')}: what follows depends on more than the "
        f"last {'value' if order == 1 else f'{order} values'} (fit order {order + 1})"
    )
    return [Doubt("order", says, test.p_value)]


def doubts_of_groups(found: Likeness | None, groups: Sequence[str]) -> list[Doubt]:
    """Return a doubt if groups are not alike."""
    if found is None or not found.comparison.doubtful:
        return []
    test = found.comparison
    name = preview([groups[found.farthest]])
    says = (
        f"{test.p_text}: {test.against('one chain for all groups')}: the {len(groups)} groups are "
        f"not alike, and perhaps none follows this chain; group {name} is farthest from it (fit "
        "each kind of group alone, and give the framework one prior for each kind)"
    )
    return [Doubt("groups", says, test.p_value)]


def doubts_of_smoothing(unfollowed: Sequence[str]) -> list[Doubt]:
    """Return a doubt if some rows of a chain come from smoothing alone."""
    if not unfollowed:
        return []
    rows = "their rows are" if len(unfollowed) > 1 else "its row is"
    says = (
        f"nothing follows {preview(list(unfollowed))} in the data: {rows} invented by smoothing, "
        "with every next value equally likely (if nothing can follow, as after a death, use "
        "--absorbing, or absorbing in a plan or in Python)"
    )
    return [Doubt("smoothing", says)]
