"""Kinds of groups by likelihood, and what one chain for several groups costs.

With n_g(c, y) steps of group g from context c to y, and a(c, y) = (N(c, y) + 1/2) / (N(c) + s/2) in
a kind with N steps and s values, every group goes to the kind with the largest sum of n_g log a,
until none moves; a new kind begins with a group, K - 1 times: of the ten that lose most, that
with which the sum of all is largest (of fewer, if tables are large). Only the sorting uses floats,
and may miss the best one: what follows is exact for the kinds that were found.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from pufferproof.models.errors import ModelError
from pufferproof.models.files.recorded.boxes import Start, confidence_box
from pufferproof.models.files.recorded.chains import Counts, Initial, Recorded
from pufferproof.models.files.recorded.doubts.comparison import HOLD_ALL, WEAK, Doubt, against, likeness
from pufferproof.models.numbers.text import JsonObject, shown
from pufferproof.models.priors.chains import IntervalChain
from pufferproof.models.priors.markov import MarkovChain
from pufferproof.models.priors.records import preview
from pufferproof.models.sequences.hidden_mechanism import HiddenMarkovModel

if TYPE_CHECKING:
    import numpy as np

_MOST_CELLS = 50_000_000  # of groups, contexts and values
_ROUNDS = 500
_BEGINNINGS = 10  # groups with which a new kind may begin, where
_MOST_TRIED = 20_000_000  # cells and kinds, times beginnings, allow it
_GAIN = 1e-9  # nats that make a group move

Sequences = Sequence[Sequence[int]]  # those of a group


@dataclass(frozen=True)
class Cost:
    """What one chain for several groups loses: nats of log-likelihood against a chain for each,
    `by_group`, with how many steps each has, and the `dependence` of each group's next values on
    the last ones: the largest log-ratio of a(c, y) and a(d, y). Rounded.
    """

    by_group: tuple[float, ...]
    steps: tuple[int, ...]
    dependence: tuple[float, ...] = ()

    @property
    def per_step(self) -> float:
        """The nats that are lost per step of all groups."""
        return sum(self.by_group) / max(1, sum(self.steps))

    @property
    def farthest(self) -> list[tuple[int, float]]:
        """The three groups that lose most."""
        return self.by_distance[:3]

    @property
    def by_distance(self) -> list[tuple[int, float]]:
        """The groups, by their places, with the nats per step that they lose, most first."""
        lost = [(k, nats / n) for k, (nats, n) in enumerate(zip(self.by_group, self.steps)) if n]
        return sorted(lost, key=lambda each: (-round(each[1], 9), each[0]))

    @property
    def by_dependence(self) -> list[int]:
        """The groups with steps, by their places, the most dependent values first."""
        moving = [k for k, count in enumerate(self.steps) if count]
        return sorted(moving, key=lambda k: (-round(self.dependence[k], 9), k))


def cost_approx(groups: "Sequence[Kind]", order: int, size: int) -> Cost:
    """Return what the chain of all these groups, on `size` values, loses against one for each."""
    import numpy as np

    tables = _tables([group.recorded.sequences for group in groups], order, size)
    own = (_log(tables) * tables).sum((1, 2))
    shared = (_log(tables.sum(0)[None]) * tables).sum((1, 2))
    steps = tables.sum((1, 2)).astype(int)
    lost = np.maximum(own - shared, 0)
    logs = np.log(tables + 0.5)
    logs -= np.log((tables + 0.5).sum(2, keepdims=True))
    far = (logs.max(1) - logs.min(1)).max(1)
    return Cost(tuple(map(float, lost)), tuple(map(int, steps)), tuple(map(float, far)))


def _log(tables: "np.ndarray") -> "np.ndarray":
    """Return log of relative frequencies, 0 where nothing was counted."""
    import numpy as np

    shares = tables / np.maximum(tables.sum(2, keepdims=True), 1)
    return np.log(np.where(shares > 0, shares, 1))


def _tables(groups: Sequence[Sequences], order: int, size: int) -> "np.ndarray":
    """Return how often values followed contexts: groups x contexts x values."""
    import numpy as np

    steps = [
        Counter(step for values in sequences for step in zip(*(values[start:] for start in range(order + 1))))
        for sequences in groups
    ]
    contexts = sorted({step[:-1] for counted in steps for step in counted})
    places = {context: place for place, context in enumerate(contexts)}
    if len(groups) * len(contexts) * size > _MOST_CELLS:
        raise ModelError(
            f"{len(groups)} groups times {len(contexts)} contexts times {size} values are too "
            f"many to compare, expected at most {_MOST_CELLS}: --classes makes fewer values",
            "kinds",
        )
    tables = np.zeros((len(groups), len(contexts), size))
    for group, counted in enumerate(steps):
        for step, count in counted.items():
            tables[group, places[step[:-1]], step[-1]] = count
    return tables


def sorted_approx(groups: Sequence[Sequences], order: int, size: int, wanted: int) -> list[list[int]]:
    """Return the groups of so many kinds, by their places, the largest kind first.

    >>> calm, restless = [[0] * 30 + [1] * 30 + [0]], [[0, 1, 1] * 20]
    >>> sorted_approx([calm, restless, calm], 1, 2, 2)
    [[0, 2], [1]]
    """
    import numpy as np

    tables = _tables(groups, order, size)
    own = (_log(tables) * tables).sum((1, 2))
    place, every = np.zeros(len(tables), dtype=int), np.arange(len(tables))
    for count in range(1, wanted):
        sizes = np.bincount(place, minlength=count)
        lost = own - _fits(tables, place, count)[every, place]
        lost[sizes[place] == 1] = -1
        tried = min(_BEGINNINGS, max(1, _MOST_TRIED // (tables.size * count)))
        found: list[tuple[float, np.ndarray]] = []
        for first in np.argsort(-np.round(lost, 9), kind="stable")[:tried]:
            if lost[first] < 0 and found:
                break
            begun = place.copy()
            begun[first] = count
            settled = _settled(tables, begun, count + 1)
            fits = _fits(tables, settled, count + 1)[every, settled]
            found.append((float(fits.sum()), settled))
        place = max(found, key=lambda each: round(each[0], 6))[1]
    members = [np.flatnonzero(place == kind).tolist() for kind in range(wanted)]
    return sorted(members, key=lambda groups: (-len(groups), groups))


def _fits(tables: "np.ndarray", place: "np.ndarray", count: int) -> "np.ndarray":
    """Return the log-likelihood of every group under the smoothed chain of every kind."""
    import numpy as np

    kinds_of_steps = np.stack([tables[place == kind].sum(0) for kind in range(count)]) + 0.5
    logs = np.log(kinds_of_steps / kinds_of_steps.sum(2, keepdims=True))
    fits: np.ndarray = tables.reshape(len(tables), -1) @ logs.reshape(count, -1).T
    return fits


def _settled(tables: "np.ndarray", place: "np.ndarray", count: int) -> "np.ndarray":
    """Move groups to the kinds that fit them best until none moves; no kind gets empty."""
    import numpy as np

    every = np.arange(len(tables))
    for _ in range(_ROUNDS):
        fits = _fits(tables, place, count)
        best = fits.argmax(1)
        better = fits[every, best] > fits[every, place] + _GAIN
        moved = np.where(better, best, place)
        for kind in range(count):
            if not (moved == kind).any():
                own = np.flatnonzero(place == kind)
                moved[own[fits[own, kind].argmax()]] = kind
        if (moved == place).all():
            break
        place = moved
    return place


# Classes of priors that hold every group: a chain for each, or for each of K kinds of groups.

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
    joined = []
    group_of = [recorded.reading.group(place) for place in range(len(recorded.sequences))]
    numbers = list(dict.fromkeys(group_of))
    for k, own in enumerate(sorted_approx(sequences, order, len(recorded.states), wanted), 1):
        several = f"{len(own)} groups" if len(own) > 1 else f"group {shown(groups[own[0]].name)}"
        inside = {numbers[place] for place in own}
        places = [place for place, number in enumerate(group_of) if number in inside]
        joined.append(Kind(f"kind {k} ({several})", tuple(own), recorded.only(places)))
    return joined


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


@dataclass(frozen=True)
class OwnChain:
    """A group with the chain of its own, and how often the value was left that it left least; or
    `why` it has no such chain.
    """

    name: str
    chain: MarkovChain | None = None
    fewest: int = 0
    why: str = ""


def own_chains(recorded: Recorded, by: Fitting, whole: bool) -> list[OwnChain]:
    """Return every group in the order of the data, also one without values; of chains of the first
    order. Groups must be `whole`: one in which something is missing has no chain.
    """
    found = {kind.name: _own(kind, by, whole) for kind in groups_of(recorded)}
    names = recorded.reading.names or tuple(found)
    return [found.get(name, OwnChain(name, why="all its values are missing")) for name in names]


def _own(group: Kind, by: Fitting, whole: bool) -> OwnChain:
    recorded, reading = group.recorded, group.recorded.reading
    if whole and (len(recorded.sequences) > 1 or reading.later or reading.unended):
        return OwnChain(group.name, why="a value is missing, or its times have a gap")
    initial: Initial = "counted" if by.initial == "counted" else "stationary"
    try:
        counts = counts_of(recorded, by)
        chain = counts.prior(initial, by.smoothing)
    except ModelError as error:
        return OwnChain(group.name, why=error.what.partition(":")[0])
    assert isinstance(chain, MarkovChain)
    left = [sum(row) for row, free in zip(counts.rows, counts.free) if len(free) > 1]
    return OwnChain(group.name, chain, min(left, default=0))


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


# What is said of kinds of groups: what they cost, and what speaks against them.
#
# Kinds are sorted by the data that their chains are of, so that their groups look more alike than they are. The test
# of K kinds sorts groups by the first halves of their recordings and compares those of each kind by the second halves,
# which are independent of the first given the values where they begin. Its p-value is K' times the least of the K'
# kinds that can be compared, at most 1.


def halves(groups: Sequence[Kind], wanted: int, order: int) -> float | None:
    """Return the p-value of so many kinds that are sorted by first halves and compared by second
    halves, or None if these are too short.
    """
    size = len(groups[0].recorded.states)
    given = [group.recorded.sequences for group in groups]
    first = [[values[: len(values) // 2] for values in own] for own in given]
    second = [[values[max(len(values) // 2 - order, 0) :] for values in own] for own in given]
    tests = []
    for kind in sorted_approx(first, order, size, wanted):
        sequences = [values for k in kind for values in second[k]]
        members = [k for k in kind for _ in second[k]]
        tests.append(likeness(sequences, order, members).comparison)
    p_values = [test.p_value for test in tests if test.degrees]
    return min(1, len(p_values) * min(p_values)) if p_values else None


def doubts_of_kinds(kinds: Sequence[Kind], p_value: float | None) -> list[Doubt]:
    """Return the doubt that comes with kinds that have several groups; the p-value is of `halves`."""
    groups = sum(len(kind.groups) for kind in kinds)
    if groups == len(kinds):
        return []
    model = f"{len(kinds)} kinds"
    tried = f"{model} as first halves sort them"
    said = "recordings are too short to test this"
    if p_value is not None:
        said = (
            "sorted by the first halves of recordings and tested on the second halves, "
            f"p = {p_value:.3g}: {against(p_value, tried)}"
        )
        if p_value >= WEAK:
            said += ", which says little where recordings are short"
    says = (
        f"{groups} groups were sorted into {model} by the same data that their chains are of, and "
        f"a group may differ from the chain of its kind and leak more ({HOLD_ALL}); {said}"
    )
    return [Doubt("groups", says, p_value)]


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


# The smallest box around the chains of all groups.

_FEW = 20  # steps from a value that say little of what follows it


def box_around(groups: Sequence[Kind], by: Fitting, confidence: Fraction | None) -> IntervalChain:
    """Return the smallest box that holds the estimated rows of every group; or, with a confidence,
    lasting boxes of all groups, each with its part of the risk, so that all hold at once.

    Without one, rows that a group has not left say nothing. Raises `ModelError` if no group has
    left a value.
    """
    if len(groups) > MOST_PRIORS and confidence is not None:
        raise ModelError(f"expected at most {MOST_PRIORS} groups beside a confidence, found {len(groups)}", "kinds")
    size = len(groups[0].recorded.states)
    lower = [[Fraction(2)] * size for _ in range(size)]
    upper = [[Fraction(-1)] * size for _ in range(size)]
    start: Start = "stationary" if by.initial == "stationary" else "any"
    for group in groups:
        if confidence is None and max(map(len, group.recorded.sequences)) < 2:
            continue
        counts = _steps(group.recorded, by)
        for x, (low, high) in enumerate(_bounds(counts, by, confidence, len(groups), start)):
            for y, (least, most) in enumerate(zip(low, high)):
                lower[x][y] = min(lower[x][y], least)
                upper[x][y] = max(upper[x][y], most)
    for x, row in enumerate(upper):
        if row[0] < 0:
            name = groups[0].recorded.states[x]
            raise ModelError(
                f'nothing follows "{name}" in any group: expected a next value, --absorbing or --confidence', "kinds"
            )
    return IntervalChain(start, lower, upper)


def _steps(recorded: Recorded, by: Fitting) -> Counts:
    """Return the counts of a group, none if it has one value alone."""
    if max(map(len, recorded.sequences)) > 1:
        return counts_of(recorded, by)
    size = len(recorded.states)
    contexts, rows = tuple((x,) for x in range(size)), ((0,) * size,) * size
    place = recorded.states.index
    last = frozenset(map(place, by.absorbing))
    never = frozenset((place(left), place(right)) for left, right in by.never)
    return Counts(recorded.states, 1, contexts, rows, (0,) * size, last, never)


def _bounds(
    counts: Counts, by: Fitting, confidence: Fraction | None, groups: int, start: Start
) -> list[tuple[Sequence[Fraction], Sequence[Fraction]]]:
    """Return the lower and upper ends of every row: empty where nothing is known."""
    if confidence is not None:
        box = confidence_box(counts.rows, 1 - (1 - confidence) / groups, start, counts.free)
        return list(zip(box.lower, box.upper))
    left = [any(row) or len(counts.free[x]) == 1 for x, row in enumerate(counts.rows)]
    rows = counts.estimates(by.smoothing)
    return [(row, row) if row and seen else ((), ()) for row, seen in zip(rows, left)]


def doubts_of_estimates(groups: Sequence[Kind], by: Fitting) -> list[Doubt]:
    """Return a doubt if groups of a box without a confidence have left some value seldom or never:
    the box is around estimates, and may not hold their true chains.
    """
    never, seldom = [], []
    for group in groups:
        counts = _steps(group.recorded, by)
        unsure = [row for x, row in enumerate(counts.rows) if len(counts.free[x]) > 1]
        fewest = min(map(sum, unsure), default=_FEW)
        if not fewest:
            never.append(group.name)
        elif fewest < _FEW:
            seldom.append(group.name)
    if not never and not seldom:
        return []
    said = []
    if never:
        has = "has" if len(never) == 1 else "have"
        said.append(f"{len(never)} {has} no step from some value, whose row is of other groups")
    if seldom:
        has = "has" if len(seldom) == 1 else "have"
        said.append(f"{len(seldom)} {has} fewer than {_FEW} steps from some value")
    says = (
        f"the box is around estimates, and may not hold the true chains of groups: of "
        f"{len(groups)}, {' and '.join(said)} ({preview([*never, *seldom])}); confidence 95% makes "
        "a box that holds all true chains"
    )
    return [Doubt("groups", says)]
