"""Classes of priors that hold every group: a chain for each, for each of K kinds of groups, or the
smallest box around the chains of all.

Groups are sorted into kinds by likelihood. With n_g(c, y) steps of group g from context c to y, and
a(c, y) = (N(c, y) + 1/2) / (N(c) + s/2) in a kind with N steps and s values, every group goes to
the kind with the largest sum of n_g log a, until none moves; a new kind begins with the group that
loses most, K - 1 times. Only the sorting uses floats, and may miss the best one: what follows is
exact for the kinds that were found.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from pufferproof.models.errors import ModelError
from pufferproof.models.files.recorded.boxes.box import Start, confidence_box
from pufferproof.models.files.recorded.counts import Counts, Initial, Recorded
from pufferproof.models.files.recorded.doubts.comparison import Comparison
from pufferproof.models.files.recorded.doubts.saying import likeness
from pufferproof.models.numbers.text import JsonObject, shown
from pufferproof.models.priors.chains.box import IntervalChain
from pufferproof.models.priors.markov import MarkovChain
from pufferproof.models.priors.records import preview
from pufferproof.models.sequences.hidden_markov import HiddenMarkovModel

if TYPE_CHECKING:
    import numpy as np

MOST_PRIORS = 1_000
MOST_COMPARED = 20  # groups of which it is computed what releases tell
_MOST_CELLS = 50_000_000  # of groups, contexts and values
_ROUNDS = 500
_GAIN = 1e-9  # nats that make a group move
_WAYS = ("pooled", "each", "box")


def kinds_of(given: object) -> str | int:
    """Read the option `kinds`: "pooled", "each", "box", or how many.

    >>> kinds_of("each"), kinds_of("3"), kinds_of(3)
    ('each', 3, 3)

    Raises `ModelError` for anything else.
    """
    if given in _WAYS:
        return str(given)
    text = str(given) if isinstance(given, int | str) and not isinstance(given, bool) else ""
    if not (text.isascii() and text.isdigit() and len(text) < 7 and int(text) >= 1):
        raise ModelError(
            f'expected "pooled", "each", "box", or a number of kinds, found {shown(given)}', "kinds"
        )
    return int(text)


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
    tables = _tables([group.recorded for group in groups], order)
    members = _sorted_approx(tables, wanted)
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
            counts = _counts(kind.recorded, by)
            priors[kind.name] = counts.prior(initial, by.smoothing)
        except ModelError as error:
            few = "fewer kinds, or kinds box, take more groups together"
            raise ModelError(f'"{kind.name}": {error.what} ({few})', "kinds") from None
    return priors


def invented(found: Sequence[Kind], by: Fitting) -> list[str]:
    """Return the kinds with a row that comes from smoothing alone."""
    if not by.smoothing:
        return []
    return [kind.name for kind in found if _counts(kind.recorded, by).unfollowed]


def _counts(recorded: Recorded, by: Fitting) -> Counts:
    return Counts.of(recorded, by.order, by.smoothing > 0, by.absorbing)


def box_around(groups: Sequence[Kind], by: Fitting, confidence: Fraction | None) -> IntervalChain:
    """Return the smallest box that holds the estimated rows of every group; or, with a confidence,
    lasting boxes of all groups, each with its part of the risk, so that all hold at once.

    Without one, rows that a group has not left say nothing. Raises `ModelError` if no group has
    left a value.
    """
    if len(groups) > MOST_PRIORS and confidence is not None:
        raise ModelError(
            f"expected at most {MOST_PRIORS} groups beside a confidence, found {len(groups)}",
            "kinds",
        )
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
                f'nothing follows "{name}" in any group: expected a next value, --absorbing or '
                "--confidence",
                "kinds",
            )
    return IntervalChain(start, lower, upper)


def _steps(recorded: Recorded, by: Fitting) -> Counts:
    """Return the counts of a group, none if it has one value alone."""
    if max(map(len, recorded.sequences)) > 1:
        return _counts(recorded, by)
    size = len(recorded.states)
    contexts, rows = tuple((x,) for x in range(size)), ((0,) * size,) * size
    last = frozenset(map(recorded.states.index, by.absorbing))
    return Counts(recorded.states, 1, contexts, rows, (0,) * size, last)


def _bounds(
    counts: Counts, by: Fitting, confidence: Fraction | None, groups: int, start: Start
) -> list[tuple[Sequence[Fraction], Sequence[Fraction]]]:
    """Return the lower and upper ends of every row: empty where nothing is known."""
    if confidence is not None:
        share = 1 - (1 - confidence) / groups
        box = confidence_box(counts.rows, share, start, counts.absorbing)
        return list(zip(box.lower, box.upper))
    left = [any(row) or x in counts.absorbing for x, row in enumerate(counts.rows)]
    rows = counts.estimates(by.smoothing)
    return [(row, row) if row and seen else ((), ()) for row, seen in zip(rows, left)]


@dataclass(frozen=True)
class Cost:
    """What one chain for several groups loses: nats of log-likelihood against a chain for each,
    `by_group`, with how many steps each has. Rounded.
    """

    by_group: tuple[float, ...]
    steps: tuple[int, ...]

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


def cost_approx(groups: Sequence[Kind], order: int) -> Cost:
    """Return what the chain of all these groups loses against a chain for each."""
    import numpy as np

    tables = _tables([group.recorded for group in groups], order)
    own = (_log(tables) * tables).sum((1, 2))
    shared = (_log(tables.sum(0)[None]) * tables).sum((1, 2))
    steps = tables.sum((1, 2)).astype(int)
    lost = np.maximum(own - shared, 0)
    return Cost(tuple(map(float, lost)), tuple(map(int, steps)))


def _log(tables: "np.ndarray") -> "np.ndarray":
    """Return log of relative frequencies, 0 where nothing was counted."""
    import numpy as np

    shares = tables / np.maximum(tables.sum(2, keepdims=True), 1)
    return np.log(np.where(shares > 0, shares, 1))


def _tables(recorded: Sequence[Recorded], order: int) -> "np.ndarray":
    """Return how often values followed contexts: groups x contexts x values."""
    import numpy as np

    steps = [
        Counter(
            step
            for values in each.sequences
            for step in zip(*(values[start:] for start in range(order + 1)))
        )
        for each in recorded
    ]
    contexts = sorted({step[:-1] for counted in steps for step in counted})
    places = {context: place for place, context in enumerate(contexts)}
    size = len(recorded[0].states)
    if len(recorded) * len(contexts) * size > _MOST_CELLS:
        raise ModelError(
            f"{len(recorded)} groups times {len(contexts)} contexts times {size} values are too "
            f"many to compare, expected at most {_MOST_CELLS}: --classes makes fewer values",
            "kinds",
        )
    tables = np.zeros((len(recorded), len(contexts), size))
    for group, counted in enumerate(steps):
        for step, count in counted.items():
            tables[group, places[step[:-1]], step[-1]] = count
    return tables


def _sorted_approx(tables: "np.ndarray", wanted: int) -> list[list[int]]:
    """Return the groups of every kind, the largest first."""
    import numpy as np

    own = (_log(tables) * tables).sum((1, 2))
    place = np.zeros(len(tables), dtype=int)
    for count in range(1, wanted):
        sizes = np.bincount(place, minlength=count)
        lost = own - _fits(tables, place, count)[np.arange(len(tables)), place]
        lost[sizes[place] == 1] = -1
        place[int(np.argmax(np.round(lost, 9)))] = count
        place = _settled(tables, place, count + 1)
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
