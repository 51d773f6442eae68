"""Classes of priors that hold every group: a chain for each, or for each of K kinds of groups.

`sorting` finds the kinds, `around` is the box around the chains of all.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from pufferproof.models.errors import ModelError
from pufferproof.models.files.recorded.chains.counts import Counts, Initial, Recorded
from pufferproof.models.files.recorded.groups.sorting import sorted_approx
from pufferproof.models.numbers.text import shown
from pufferproof.models.priors.markov import MarkovChain
from pufferproof.models.sequences.hidden_markov import HiddenMarkovModel

MOST_PRIORS = 1_000
_NEXT = (
    "or take rows from other groups: --kinds box, which has only rows that were seen, or --kinds 2 "
    "or another small number"
)


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
    never: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class GroupChains:
    """Chains of groups by name, the groups `without` one, how many groups there are, and whether
    `every` one is among these, or only those at the first places.
    """

    chains: Mapping[str, MarkovChain | HiddenMarkovModel]
    without: tuple[str, ...]
    groups: int
    every: bool


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
            raise ModelError(f'"{kind.name}": {error.what}; {_NEXT}', "kinds") from None
    return priors


def own_chain(group: Kind, by: Fitting) -> dict[str, MarkovChain | HiddenMarkovModel]:
    """Return the chain of a group by its name, nothing if it has none."""
    try:
        return chains([group], by)
    except ModelError:
        return {}


def chains_of(groups: Sequence[Kind], places: Sequence[int], by: Fitting, most: int) -> GroupChains:
    """Return the chains of at most so many groups, those at these places first; groups at none have
    no chain, nor have those of which a row comes from smoothing alone.
    """
    found: dict[str, MarkovChain | HiddenMarkovModel] = {}
    without: list[str] = []
    for place in places:
        if len(found) == most:
            return GroupChains(found, tuple(without), len(groups), every=False)
        chain = own_chain(groups[place], by)
        if chain and not invented([groups[place]], by):
            found |= chain
        else:
            without.append(groups[place].name)
    left = set(range(len(groups))) - set(places)
    without += [groups[place].name for place in sorted(left)]
    return GroupChains(found, tuple(without), len(groups), every=True)


def invented(found: Sequence[Kind], by: Fitting) -> list[str]:
    """Return the kinds with a row that comes from smoothing alone."""
    if not by.smoothing:
        return []
    return [kind.name for kind in found if counts_of(kind.recorded, by).unfollowed]


def counts_of(recorded: Recorded, by: Fitting) -> Counts:
    """Return the counts of one kind."""
    return Counts.of(recorded, by.order, by.smoothing > 0, by.absorbing, by.never)
