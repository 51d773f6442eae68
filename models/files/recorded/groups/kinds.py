"""Classes of priors that hold every group: a chain for each, or for each of K kinds of groups.

`sorting` finds the kinds, `around` is the box around the chains of all.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from pufferproof.models.errors import ModelError
from pufferproof.models.files.recorded.chains.counts import Counts, Initial, Recorded
from pufferproof.models.files.recorded.doubts.comparison import Comparison
from pufferproof.models.files.recorded.doubts.saying import likeness
from pufferproof.models.files.recorded.groups.sorting import Cost, sorted_approx
from pufferproof.models.numbers.text import JsonObject, shown
from pufferproof.models.priors.markov import MarkovChain
from pufferproof.models.priors.records import preview
from pufferproof.models.sequences.hidden_markov import HiddenMarkovModel

MOST_PRIORS = 1_000
MOST_COMPARED = 20  # groups of which it is computed what releases tell


@dataclass(frozen=True)
class Kind:
    """Groups that share a chain, by their places: its name, and what was recorded of them."""

    name: str
    groups: tuple[int, ...]
    recorded: Recorded


@dataclass(frozen=True)
class Fitting:
    """How the chains of kinds are fitted."""

    order: int
    smoothing: Fraction
    initial: str
    absorbing: tuple[str, ...]


def groups_of(recorded: Recorded) -> list[Kind]:
    """Return every group by itself, in the order of the data."""
    places: dict[int, list[int]] = {}
    for place in range(len(recorded.sequences)):
        places.setdefault(recorded.reading.group(place), []).append(place)
    names = recorded.reading.names
    return [
        Kind(names[number] if names else str(number + 1), (k,), recorded.only(own))
        for k, (number, own) in enumerate(places.items())
    ]


def kinds(recorded: Recorded, asked: str | int, order: int) -> list[Kind]:
    """Return the groups by kinds: each alone, or sorted into so many.

    Raises `ModelError` unless there are two groups and as many as kinds, and priors are not too
    many.
    """
    groups = groups_of(recorded)
    if len(groups) < 2:
        raise ModelError("expected at least two groups (--group names their column)", "kinds")
    wanted = asked if isinstance(asked, int) else len(groups)
    if wanted > len(groups):
        raise ModelError(f"expected at most the {len(groups)} groups, found {wanted}", "kinds")
    if wanted > MOST_PRIORS:
        raise ModelError(
            f"expected at most {MOST_PRIORS} priors, found {wanted} (--kinds 4 sorts groups into "
            "four kinds, --kinds box is one box around all)",
            "kinds",
        )
    if not isinstance(asked, int):
        return groups
    sequences = [group.recorded.sequences for group in groups]
    members = sorted_approx(sequences, order, len(recorded.states), wanted)
    return [_joined(recorded, groups, own, k) for k, own in enumerate(members, 1)]


def _joined(recorded: Recorded, groups: Sequence[Kind], own: Sequence[int], number: int) -> Kind:
    several = f"{len(own)} groups" if len(own) > 1 else f"group {shown(groups[own[0]].name)}"
    inside = set(own)
    numbers = list(dict.fromkeys(map(recorded.reading.group, range(len(recorded.sequences)))))
    wanted = {numbers[k] for k in inside}
    places = [k for k in range(len(recorded.sequences)) if recorded.reading.group(k) in wanted]
    return Kind(f"kind {number} ({several})", tuple(own), recorded.only(places))


def chains(found: Sequence[Kind], by: Fitting) -> dict[str, MarkovChain | HiddenMarkovModel]:
    """Return the chain of relative frequencies of every kind, by its name.

    Raises `ModelError`, naming the kind, where nothing follows a value.
    """
    initial: Initial = "counted" if by.initial == "counted" else "stationary"
    priors = {}
    for kind in found:
        try:
            counts = counts_of(kind.recorded, by)
            priors[kind.name] = counts.prior(initial, by.smoothing)
        except ModelError as error:
            few = "fewer kinds, or kinds box, take more groups together"
            raise ModelError(f'"{kind.name}": {error.what} ({few})', "kinds") from None
    return priors


def invented(found: Sequence[Kind], by: Fitting) -> list[str]:
    """Return the kinds with a row that comes from smoothing alone."""
    if not by.smoothing:
        return []
    return [kind.name for kind in found if counts_of(kind.recorded, by).unfollowed]


def counts_of(recorded: Recorded, by: Fitting) -> Counts:
    """Return the counts of one kind."""
    return Counts.of(recorded, by.order, by.smoothing > 0, by.absorbing)


def kinds_json(
    found: Sequence[Kind], names: Sequence[str], costs: Sequence[Cost], tests: Sequence[Comparison]
) -> list[JsonObject]:
    """Return kinds with their groups, what each costs, and the p-value of a test inside it."""
    return [
        {
            "name": kind.name,
            "groups": [names[k] for k in kind.groups],
            "records": kind.recorded.records,
            "nats_per_step": f"{cost.per_step:.6g}",
            "p": float(f"{test.p_value:.6g}") if test.degrees else None,
        }
        for kind, cost, test in zip(found, costs, tests)
    ]


def tests_inside(found: Sequence[Kind], order: int) -> list[Comparison]:
    """Compare the groups of every kind with one another; kinds were sorted by the same data."""
    return [
        likeness(kind.recorded.sequences, order, kind.recorded.reading.members or None).comparison
        for kind in found
    ]


def kind_lines(
    found: Sequence[Kind], names: Sequence[str], costs: Sequence[Cost], tests: Sequence[Comparison]
) -> list[str]:
    """Say which groups are of each kind, what it costs, and what a test says inside."""
    lines = []
    for kind, cost, test in zip(found, costs, tests):
        said = f"kind      {kind.name}: {preview([names[k] for k in kind.groups])}"
        if len(kind.groups) > 1:
            said += f"; one chain costs {cost.per_step:.4g} nats per step"
            if test.degrees:
                said += f"; {test.p_text}: {test.against('one chain')}"
        lines.append(said)
    return lines
