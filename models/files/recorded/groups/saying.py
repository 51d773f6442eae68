"""What is said of kinds of groups: what they cost, and what speaks against them.

Kinds are sorted by the data that their chains are of, so that their groups look more alike than
they are. The test of K kinds sorts groups by the first halves of their recordings and compares
those of each kind by the second halves, which are independent of the first given the values where
they begin. Its p-value is K' times the least of the K' kinds that can be compared, at most 1.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from pufferproof.models.files.recorded.doubts.comparison import WEAK, Doubt, against
from pufferproof.models.files.recorded.doubts.saying import HOLD_ALL, likeness
from pufferproof.models.files.recorded.groups.kinds import Kind
from pufferproof.models.files.recorded.groups.sorting import Cost, sorted_approx
from pufferproof.models.numbers.text import JsonObject
from pufferproof.models.priors.records import preview


@dataclass(frozen=True)
class Halves:
    """The p-value of kinds that were sorted by first halves and compared by second halves, None
    where these are too short; and by how many kinds it was multiplied.
    """

    p_value: float | None
    compared: int


def halves(groups: Sequence[Kind], wanted: int, order: int) -> Halves:
    """Test whether so many kinds are enough for these groups."""
    size = len(groups[0].recorded.states)
    given = [group.recorded.sequences for group in groups]
    first = [[values[: len(values) // 2] for values in own] for own in given]
    second = [[values[max(len(values) // 2 - order, 0) :] for values in own] for own in given]
    tests = []
    for kind in sorted_approx(first, order, size, wanted):
        sequences = [values for k in kind for values in second[k]]
        members = [k for k in kind for _ in second[k]]
        tests.append(likeness(sequences, order, members).comparison)
    found = [test.p_value for test in tests if test.degrees]
    return Halves(min(1, len(found) * min(found)) if found else None, len(found))


def doubts_of_kinds(kinds: Sequence[Kind], tested: Halves) -> list[Doubt]:
    """Return the doubt that comes with kinds that have several groups."""
    groups = sum(len(kind.groups) for kind in kinds)
    if groups == len(kinds):
        return []
    model = f"{len(kinds)} kinds"
    tried = f"{model} as first halves sort them"
    said = "recordings are too short to test this"
    if tested.p_value is not None:
        said = (
            "sorted by the first halves of recordings and tested on the second halves, "
            f"p = {tested.p_value:.3g}: {against(tested.p_value, tried)}"
        )
        if tested.p_value >= WEAK:
            said += ", which says little where recordings are short"
    says = (
        f"{groups} groups were sorted into {model} by the same data that their chains are of, and "
        f"a group may differ from the chain of its kind and leak more ({HOLD_ALL}); {said}"
    )
    return [Doubt("groups", says, tested.p_value)]


def doubts_of_thin(names: Sequence[str], groups: int, out: bool) -> list[Doubt]:
    """Return a doubt if some groups have no chain of their own: they are left out, or the chain of
    all groups together stands for them.
    """
    if not names:
        return []
    has = "has" if len(names) == 1 else "have"
    done = "no prior is of them" if out else "the chain of all groups together stands for them"
    other = "thin pooled lets the chain of all groups stand for them" if out else "thin out leaves them out"
    says = (
        f"{len(names)} of {groups} groups {has} too few records for a chain of their own, "
        f"{preview(names)}: {done} ({other})"
    )
    return [Doubt("groups", says)]


def doubts_of_invented(names: Sequence[str], kinds: int) -> list[Doubt]:
    """Return a doubt if some priors of groups have rows from smoothing alone."""
    if not names:
        return []
    says = (
        f"some value is followed by nothing in {len(names)} of {kinds} priors, {preview(names)}: "
        "smoothing invents these rows (fewer kinds or box take them from other groups)"
    )
    return [Doubt("smoothing", says)]


def kinds_json(found: Sequence[Kind], names: Sequence[str], costs: Sequence[Cost]) -> list[JsonObject]:
    """Return kinds with their groups, and what each costs."""
    return [
        {
            "name": kind.name,
            "groups": [names[k] for k in kind.groups],
            "records": kind.recorded.records,
            "nats_per_step": f"{cost.per_step:.6g}",
        }
        for kind, cost in zip(found, costs)
    ]


def kind_lines(found: Sequence[Kind], names: Sequence[str], costs: Sequence[Cost]) -> list[str]:
    """Say which groups are of each kind, and what it costs."""
    lines = []
    for kind, cost in zip(found, costs):
        said = f"kind      {kind.name}: {preview([names[k] for k in kind.groups])}"
        if len(kind.groups) > 1:
            said += f"; one chain costs {cost.per_step:.4g} nats per step"
        lines.append(said)
    return lines
