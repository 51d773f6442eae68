"""Exact pure leakage of a channel: the largest likelihood ratio over priors, ordered pairs and
outputs.

    e^leakage = max over theta, (s, s'), y of P(y | s, theta) / P(y | s', theta),

0/0 being no violation and a/0 with a > 0 infinite. Filtered exact arithmetic, as in computational
geometry: a vectorised float pass with a proven relative error bound keeps the ratios that could be
the largest, exact integers decide among them, ties included. The witness is the first in file
order: priors, then pairs, then as written before swapped, then outputs. Small channels are in
`few`, mixtures of priors in `mixtures`.
"""

import math
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations, product
from math import comb, lcm, prod
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from pufferproof.models.channel import FEW_ENTRIES, Channel, Rows
from pufferproof.models.errors import ModelError, TooLargeError
from pufferproof.models.framework import Framework
from pufferproof.models.interface.kinds import check_type, plain
from pufferproof.models.interface.readable import Readable
from pufferproof.models.interface.tabular import Entry, infinite_if_none, nats
from pufferproof.models.listing import AllPairs, Listing, Pair
from pufferproof.models.numbers.enclosures import INFINITE, Enclosure, enclose, enclose_log, enclose_one_log
from pufferproof.models.numbers.level import Level
from pufferproof.models.numbers.text import JsonObject, at_least, brief, quoted, rounded, shown, text_of
from pufferproof.verify.decision import Decision, Theorems, bases
from pufferproof.verify.leakage.laws import ConditionalLaws, included, ordered_pairs

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# Few ----------------------------------------------------------------------------------------------
#
# Exact pure leakage of small channels by integers alone: where there are few numbers, arrays cost
# more than they save.
#
# The same maximum, ties and witness as `leakage` below, by its definition: over
# priors, pairs in file order, both orders and outputs, the first largest ratio of
#
#     P(y | s, theta) = sum_{x in s} theta(x) n(x, y) / (theta(s) d(x)),
#
# compared by cross products.

MOST_RATIOS = 256  # pairs times outputs times priors


class RatioPlace(NamedTuple):
    """Where a ratio is reached: positions of the prior, the pair and the output; the pair is
    swapped (1) or as written (0).
    """

    prior: int
    pair: int
    swapped: int
    output: int


class FirstLargest(NamedTuple):
    """The first place of the largest ratio, which is above / below."""

    place: RatioPlace
    above: int
    below: int


def is_small(framework: Framework, channel: Channel) -> bool:
    """Say whether a list of priors and a channel of integers are small enough."""
    entries = len(channel.databases) * len(channel.outputs)
    if channel.scales is not None or entries > FEW_ENTRIES:
        return False
    listing = framework.listed
    return len(listing.pairs) * len(listing.laws) * len(channel.outputs) <= MOST_RATIOS


def largest_of_few(framework: Framework, channel: Channel) -> FirstLargest | None:
    """Return the first place of the largest ratio, and the ratio, or None if nothing is positive.

    `channel` has its rows in the order of `framework.databases`.
    """
    listing, both = framework.listed, (0,) if framework.one_sided else (0, 1)
    rows = channel.held if isinstance(channel.held, Rows) else channel.numerators.tolist()
    best: FirstLargest | None = None
    for prior, name in enumerate(listing.laws):
        given = _conditional(listing, name, rows, channel.denominators)
        for index, (left, right) in enumerate(listing.pairs):
            if left not in given or right not in given:
                continue
            for swapped in both:
                above, below = given[right if swapped else left], given[left if swapped else right]
                output = _first_largest(above[0], below[0])
                if output is None:
                    continue
                # P(y | s) / P(y | s'), not reduced
                ratio = above[0][output] * below[1], below[0][output] * above[1]
                # infinite ones are alike
                if best is None or (best.below > 0 and ratio[0] * best.below > best.above * ratio[1]):
                    best = FirstLargest(RatioPlace(prior, index, swapped, output), *ratio)
    return best


IntegerRow = tuple[list[int], int]  # numerators over outputs, and their common denominator


def _conditional(
    listing: Listing, prior: str, rows: Sequence[Sequence[int]], denominators: Sequence[int]
) -> dict[str, IntegerRow]:
    """Return P(. | secret) of the secrets of positive probability."""
    weights, given = listing.laws[prior].weights, {}
    for secret, mass in listing.masses[prior].items():
        if not mass:
            continue
        held = [x for x in listing.secrets[secret] if weights[x]]
        if len(held) == 1:
            given[secret] = list(rows[held[0]]), denominators[held[0]]
            continue
        common = lcm(*[denominators[x] for x in held])
        sums = [0] * len(rows[held[0]])
        for x in held:
            factor = weights[x] * (common // denominators[x])
            sums = [total + factor * number for total, number in zip(sums, rows[x])]
        given[secret] = sums, mass * common
    return given


def _first_largest(above: Sequence[int], below: Sequence[int]) -> int | None:
    """Return the first place of the largest quotient of two rows, None if no numerator is positive.
    The denominators of the rows are the same at every place.
    """
    place, most, least = None, 0, 0
    for output, (number, other) in enumerate(zip(above, below)):
        if number and (place is None or (least and number * least > most * other)):
            place, most, least = output, number, other
    return place


# Ratio --------------------------------------------------------------------------------------------

_CHUNK_ENTRIES = 4_000_000


@dataclass(frozen=True, repr=False)
class Leakage(Readable):
    """A leakage, held as rational bounds of e^leakage: equal when it is rational, `None` both when
    infinite.

    The upper one alone is `None` where no finite bound is known.
    """

    lower: Fraction | None
    upper: Fraction | None

    @classmethod
    def of(cls, ratio: Fraction | None) -> "Leakage":
        """Return the leakage log(ratio), `None` for infinite."""
        return cls(ratio, ratio)

    @property
    def infinite(self) -> bool:
        """Whether some output excludes a secret entirely."""
        return self.lower is None

    @property
    def ratio(self) -> Fraction | None:
        """e^leakage when it is a known rational, else None (infinite or irrational)."""
        return self.lower if self.lower == self.upper else None

    def compare(self, level: Level) -> int | None:
        """Return the sign of the leakage minus epsilon, or None if its bounds do not tell.

        Where only an upper bound is known to be epsilon, it is 0.
        """
        if self.lower is None:
            return 1
        sign: int | None = level.compare(self.lower)
        if sign == 1:
            return 1
        if self.upper is not self.lower:
            sign = None if self.upper is None else level.compare(self.upper)
        return None if sign is None or sign > 0 else sign

    def enclosure(self) -> Enclosure:
        """Return the leakage in nats as an enclosure."""
        if self.lower is None:
            return INFINITE
        if self.lower == self.upper:
            return enclose_one_log(self.lower)
        below = enclose_log(self.lower)
        above = INFINITE if self.upper is None else enclose_log(self.upper)
        return Enclosure(below.lower, above.upper)

    def as_json(self) -> JsonObject:
        """Return the leakage object of the file formats."""
        known = None if self.ratio is None else text_of(self.ratio)
        ratio = "inf" if self.infinite else known
        return {"ratio": ratio, "epsilon": self.enclosure().as_json()}

    def __str__(self) -> str:
        if self.lower is None:
            return "infinite"
        if self.upper is None:
            return f"at least {at_least(self.enclosure().lower, 7)} nats"
        if self.ratio == 1:
            return "0"
        low, high = (rounded(end, 7) for end in (self.enclosure().lower, self.enclosure().upper))
        if self.ratio is not None and "~" not in (ratio := brief(self.ratio)):
            return f"log({ratio}) ≈ {low} nats"
        return f"≈ {low} nats" if low == high else f"between {low} and {high} nats"


@dataclass(frozen=True, repr=False)
class Witness(Readable):
    """Where a ratio is reached: P(output | pair[0]) against P(output | pair[1])."""

    prior: str | tuple[tuple[str, Fraction], ...]
    pair: Pair
    output: str

    def as_json(self) -> JsonObject:
        """Return the file format's witness; a mixture is `{"mixture": {prior: weight}}`."""
        return {"prior": prior_json(self.prior), "pair": list(self.pair), "output": self.output}

    def __str__(self) -> str:
        above, below = self.pair
        return f"at output {shown(self.output)} for {above!r} against {below!r}, {prior_text(self.prior)}"


def prior_json(prior: str | tuple[tuple[str, Fraction], ...]) -> object:
    """Return a prior's name, or a mixture of priors as an object."""
    if isinstance(prior, str):
        return prior
    return {"mixture": {name: text_of(weight) for name, weight in prior}}


def delta_json(
    value: Fraction | None,
    bounds: tuple[Fraction, Fraction],
    prior: str | tuple[tuple[str, Fraction], ...],
    pair: Pair,
    outputs: Sequence[str],
) -> dict[str, object]:
    """Return `{"ratio", "lower", "upper", "witness"}` of a delta: the value if it is a known
    rational, an enclosure, and where it is reached.
    """
    witness = {"prior": prior_json(prior), "pair": list(pair), "outputs": list(outputs)}
    return {"ratio": plain(value), **enclose(*bounds).as_json(), "witness": witness}


def prior_text(prior: str | tuple[tuple[str, Fraction], ...]) -> str:
    """Name a prior, or a mixture of priors with its weights."""
    if isinstance(prior, str):
        return f"prior {prior!r}"
    return "mixture " + " + ".join(f"{brief(weight)} {name!r}" for name, weight in prior)


@dataclass(frozen=True)
class Scope:
    """How many inequalities an answer speaks of, and whose secrets have probability 0."""

    checked: int
    excluded: int
    never_checked: tuple[Pair, ...]


@dataclass(frozen=True)
class _FoundRatio:
    """A ratio above / below, above > 0, at a place that orders as files do: (prior, pair, 0 as
    written or 1 swapped, output). Cross products order infinite ratios, of below = 0, as well.
    """

    place: tuple[int, int, int, int]
    above: int
    below: int

    def beats(self, other: "_FoundRatio | None") -> bool:
        if other is None:
            return True
        mine, theirs = self.above * other.below, other.above * self.below
        return mine > theirs or (mine == theirs and self.place < other.place)

    def ratio_approx(self) -> float:
        """Return the ratio as the nearest float, infinity from 2^1024 on."""
        try:
            return self.above / self.below if self.below else math.inf
        except OverflowError:
            return math.inf


def leakage(framework: Framework, channel: Channel) -> tuple[Leakage, Witness]:
    """Return the exact leakage over the listed priors, and the first witness that reaches it.

    >>> from pufferproof import Channel, Framework, Table
    >>> framework = Framework(
    ...     ["a", "b"], {"s": ["a"], "t": ["b"]}, [("s", "t")], {"theta": Table({"a": "1/2", "b": "1/2"})}
    ... )
    >>> largest, witness = leakage(framework, Channel.of({"a": ["3/4", "1/4"], "b": ["1/3", "2/3"]}, ["u", "v"]))
    >>> largest.ratio, witness.pair, witness.output
    (Fraction(8, 3), ('t', 's'), 'v')

    Raises `ModelError` unless the channel has a row for every database of positive probability, and
    some pair has two secrets of positive probability under some prior.
    """
    listing = framework.listed
    if channel.databases != listing.databases:
        channel = channel.aligned(listing.databases, listing.support)
    found = largest_of_few if is_small(framework, channel) else largest_of_many
    best = found(framework, channel)
    if best is None:
        raise nothing_to_check(framework)
    place = best.place
    pair = listing.pairs[place.pair]
    witness = Witness(
        tuple(listing.laws)[place.prior], (pair[1], pair[0]) if place.swapped else pair, channel.outputs[place.output]
    )
    return Leakage.of(Fraction(best.above, best.below) if best.below else None), witness


def largest_of_many(framework: Framework, channel: Channel) -> FirstLargest | None:
    """Return what `largest_of_few` does, by filtered exact arithmetic."""
    search = _all_pairs if isinstance(framework.pairs, AllPairs) and not framework.one_sided else _listed_pairs
    best: _FoundRatio | None = None
    for index, prior in enumerate(framework.priors):
        for found in search(index, ConditionalLaws(framework, channel, prior), best):
            if found.beats(best):
                best = found
    return None if best is None else FirstLargest(RatioPlace(*best.place), best.above, best.below)


def scope(framework: Framework, outputs: int) -> Scope:
    """Count the inequalities of the definition, and list what has a secret of probability zero.

    Over mixtures of priors one inequality speaks of one prior, or of all mixtures of two, for an
    ordered pair and an output.
    """
    each = outputs if framework.one_sided else 2 * outputs
    if framework.closure == "convex":
        return _mixture_scope(framework, each)
    listing = framework.listed
    pairs, priors = listing.pairs, listing.laws
    if listing.all_positive:
        return Scope(len(pairs) * len(priors) * each, 0, ())
    if isinstance(pairs, AllPairs):
        checked, never = _among_all_pairs(framework)
    else:
        counts = [sum(included(framework, prior, pair) for prior in priors) for pair in pairs]
        checked = sum(counts)
        never = tuple(pair for pair, count in zip(pairs, counts) if not count)
    if not checked:
        raise nothing_to_check(framework)
    return Scope(checked * each, len(pairs) * len(priors) - checked, never)


def _among_all_pairs(framework: Framework) -> tuple[int, tuple[Pair, ...]]:
    """How often a prior allows both secrets of a pair, and the pairs that no prior allows."""
    positive = [{name for name in framework.secrets if framework.mass(prior, name)} for prior in framework.priors]
    checked = sum(comb(len(names), 2) for names in positive)
    if set(framework.secrets) in positive:
        return checked, ()
    return checked, tuple(pair for pair in framework.pairs if not any(names.issuperset(pair) for names in positive))


def _mixture_scope(framework: Framework, each: int) -> Scope:
    names = list(framework.priors)
    chosen = [*((name,) for name in names), *combinations(names, 2)]
    counts = [
        sum(all(any(framework.mass(prior, secret) for prior in priors) for secret in pair) for priors in chosen)
        for pair in framework.pairs
    ]
    excluded = sum(not included(framework, prior, pair) for prior in names for pair in framework.pairs)
    if not any(counts):
        raise nothing_to_check(framework)
    never = tuple(pair for pair, count in zip(framework.pairs, counts) if not count)
    return Scope(sum(counts) * each, excluded, never)


def nothing_to_check(framework: Framework | None = None) -> ModelError:
    """Return the error for a framework in which every pair has a secret of probability zero: it
    names one, if its databases are listed.
    """
    name = "" if framework is None else _never_positive(framework)
    return ModelError(
        f"nothing to check: under every prior, each pair has a secret of probability 0{name}; "
        "expected a pair of positive ones",
        "pairs",
    )


def _never_positive(framework: Framework) -> str:
    """Name a secret that has probability 0 under every prior, if there is one."""
    with suppress(TooLargeError):
        for pair in framework.pairs:
            for secret in pair:
                if not any(framework.mass(prior, secret) for prior in framework.priors):
                    return f", such as {quoted(secret)}"
    return ""


def _listed_pairs(prior: int, laws: ConditionalLaws, best: _FoundRatio | None) -> Iterator[_FoundRatio]:
    """Yield the ratios of one prior that could exceed `best`, for pairs given as a list."""
    framework = laws.framework
    pairs = [(index, pair) for index, pair in enumerate(framework.pairs) if included(framework, laws.prior, pair)]
    if not pairs:
        return
    step = max(1, _CHUNK_ENTRIES // len(laws.channel.outputs))
    for start in range(0, len(pairs), step):
        chunk = pairs[start : start + step]
        for position, swapped, output in _candidates(laws, [pair for _, pair in chunk], best):
            index, pair = chunk[position]
            candidate = _evaluate(laws, (prior, index, swapped, output), (pair[1], pair[0]) if swapped else pair)
            if candidate is not None and candidate.beats(best):
                best = candidate
                yield candidate


def _candidates(laws: ConditionalLaws, pairs: list[Pair], best: _FoundRatio | None) -> Iterator[tuple[int, int, int]]:
    """Yield, in order, (pair, swapped, output) wherever the ratio could be the largest."""
    import numpy as np

    one_sided = laws.framework.one_sided
    if not laws.reliable:
        swaps = (0,) if one_sided else (0, 1)
        yield from product(range(len(pairs)), swaps, range(len(laws.channel.outputs)))
        return
    values = laws.floats_approx
    with np.errstate(divide="ignore", invalid="ignore"):
        ratios = values[[laws.row[left] for left, _ in pairs]] / values[[laws.row[right] for _, right in pairs]]
        # not-a-number is 0/0, which fmax and fmin pass over
        largest = np.fmax.reduce(ratios, axis=None)
        least = np.fmin.reduce(ratios, axis=None)
        top = float(largest) if one_sided else max(float(largest), float(np.reciprocal(least)))
        if best is not None:
            top = max(top, best.ratio_approx())
        floor = top * (1 - 2 * laws.tolerance)
        forward = ratios >= floor
        backward = np.zeros_like(forward) if one_sided else np.reciprocal(ratios) >= floor
    both = np.stack([forward, backward], axis=1)
    yield from ((int(pair), int(swapped), int(output)) for pair, swapped, output in np.argwhere(both))


def _evaluate(laws: ConditionalLaws, place: tuple[int, int, int, int], ordered: Pair) -> _FoundRatio | None:
    above, above_scale = laws.exact(ordered[0], place[3])
    below, below_scale = laws.exact(ordered[1], place[3])
    return _FoundRatio(place, above * below_scale, below * above_scale) if above else None


def _all_pairs(prior: int, laws: ConditionalLaws, best: _FoundRatio | None) -> Iterator[_FoundRatio]:
    """Yield the ratios of one prior that could exceed `best`, for all pairs at once.

    The largest ratio at an output is the largest over the smallest probability in its column: no
    quadratic loop.
    """
    import numpy as np

    if len(laws.secrets) < 2:
        return
    if laws.over_one_denominator is not None:
        yield from _extremes_of_integers(prior, laws, laws.over_one_denominator)
        return
    outputs = len(laws.channel.outputs)
    if not laws.reliable:
        rows = np.arange(len(laws.secrets))
        for output in range(outputs):
            yield from _column(prior, laws, output, rows, rows)
        return
    values = laws.floats_approx
    highest, lowest = values.max(axis=0), values.min(axis=0)
    with np.errstate(divide="ignore", invalid="ignore"):
        ratios = highest / lowest
    top = float(np.fmax.reduce(ratios))
    if best is not None:
        top = max(top, best.ratio_approx())
    for output in np.flatnonzero(ratios >= top * (1 - 2 * laws.tolerance)).tolist():
        column = values[:, output]
        greatest = np.flatnonzero(column >= highest[output] * (1 - 2 * laws.tolerance))
        if lowest[output] == 0:  # infinite: any positive entry will do, and the first in file order is wanted
            greatest = np.flatnonzero(column)
        smallest = np.flatnonzero(column <= lowest[output] * (1 + 2 * laws.tolerance))
        yield from _column(prior, laws, output, greatest, smallest)


def _column(
    prior: int, laws: ConditionalLaws, output: int, greatest: "NDArray[np.int64]", smallest: "NDArray[np.int64]"
) -> Iterator[_FoundRatio]:
    """Yield the first place of the largest ratio at one output, by rows of its extremes."""
    shares = {row: laws.exact(laws.secrets[row], output) for row in {*greatest.tolist(), *smallest.tolist()}}
    unit = lcm(*{below for _, below in shares.values()})
    exact = {row: above * (unit // below) for row, (above, below) in shares.items()}
    most, least = max(exact.values()), min(exact.values())
    if most == 0:
        return
    tops = [row for row, value in exact.items() if (value > 0 if least == 0 else value == most)]
    bottoms = [row for row, value in exact.items() if value == least]
    first = min(tops + bottoms)
    swapped = first not in tops
    partner = min(row for row in (tops if swapped else bottoms) if row != first)
    candidate = _at_rows(laws, prior, (partner, first) if swapped else (first, partner), output)
    if candidate is not None:
        yield candidate


def _extremes_of_integers(prior: int, laws: ConditionalLaws, numerators: "NDArray[np.int64]") -> Iterator[_FoundRatio]:
    """Yield the first place of the largest over the smallest integer of a column; a positive one over
    0 is infinite.
    """
    import numpy as np

    highest, lowest = numerators.max(axis=0), numerators.min(axis=0)
    with np.errstate(divide="ignore", invalid="ignore"):
        ratios = highest / lowest
    # two conversions and a quotient: a relative error of about 3 * 2^-53
    close = np.flatnonzero(ratios >= np.fmax.reduce(ratios) * (1 - 2.0**-50))
    quotients = list(zip(highest[close].tolist(), lowest[close].tolist()))
    if not quotients or quotients[0][1] == 0:
        columns = close
    else:
        top, bottom = max(set(quotients), key=lambda quotient: Fraction(*quotient))
        columns = close[[high * bottom == top * low for high, low in quotients]]
    if not len(columns):
        return
    chosen = numerators[:, columns]
    above = chosen > 0 if lowest[columns[0]] == 0 else chosen == highest[columns]
    tops, bottoms = above.argmax(axis=0), (chosen == lowest[columns]).argmax(axis=0)
    if highest[columns[0]] == lowest[columns[0]]:  # a ratio of 1: all rows are alike
        bottoms = tops + 1
    places = zip(tops.tolist(), bottoms.tolist(), columns.tolist())
    # the order of files: pairs by their first and second secret, as written, then outputs
    top, bottom, output = min(places, key=lambda at: (min(at[:2]), max(at[:2]), at[0] > at[1], at[2]))
    candidate = _at_rows(laws, prior, (top, bottom), output)
    if candidate is not None:
        yield candidate


def _at_rows(laws: ConditionalLaws, prior: int, rows: tuple[int, int], output: int) -> _FoundRatio | None:
    """Return the ratio of one row over another at an output, at its place among all pairs."""
    low, high = sorted(laws.place[row] for row in rows)
    count = len(laws.framework.secrets)
    index = low * (2 * count - low - 1) // 2 + high - low - 1
    ordered = laws.secrets[rows[0]], laws.secrets[rows[1]]
    return _evaluate(laws, (prior, index, int(rows[0] > rows[1]), output), ordered)


# The largest likelihood ratio of a mechanism: one answer, whichever algorithm finds it.
#
#     e^leakage = sup over theta, (s, s'), y of P(y | s, theta) / P(y | s', theta)
#
# Its bounds, where it is reached, how much was compared, and how it stands to a level. Listed channels need no more;
# the other algorithms add what only they have to say.

_SAFE = 2**53  # integers that every reader of JSON keeps


@dataclass(frozen=True)
class LargestRatio:
    """A leakage, the witness that reaches it, and the scope of what was compared; `claims` has what
    the algorithms rest on that found it, nothing if they enumerate what definitions say.

    >>> half = LargestRatio(Leakage.of(Fraction(2)), Witness("theta", ("s", "t"), "u"), Scope(4, 0, ()))
    >>> half.compare(Level("log(2)")), half.compare(Level("0.5")), half.additive([half], runs=2)
    (0, 1, <Decision.HOLDS: True>)
    """

    of_classes: ClassVar[bool] = False  # bounds of all chains of classes
    closest: ClassVar[bool] = True  # no other algorithm is closer

    leakage: Leakage
    witness: Witness
    scope: Scope
    claims: tuple[str, ...] = field(default=(), kw_only=True, repr=False)

    @property
    def output(self) -> Any:
        """The output of the witness, as a joint release takes it apart."""
        return self.witness.output

    @property
    def where(self) -> str:
        """At which values of its parameters a mechanism reaches it, empty where it has none."""
        return ""

    @property
    def closes(self) -> bool:
        """Whether the leakage is exact, or its bounds are as good as one number."""
        return True

    @property
    def theorems(self) -> Theorems:
        """What the upper bound rests on, if no output reaches it."""
        return Theorems()

    def exceeds(self, level: Level | None) -> bool:
        """Whether a level is exceeded, as an output shows that is evaluated."""
        return level is not None and self.compare(level) == 1

    def compare(self, level: Level) -> int | None:
        """Return the sign of the leakage minus epsilon, or None if its bounds do not tell.

        Where only an upper bound is known to be epsilon, it is 0.
        """
        return self.leakage.compare(level)

    def additive(self, single: "Sequence[LargestRatio]", runs: int) -> Decision:
        """Return whether this leakage is at most the sum of others, each counted `runs` times:
        undecided where it is too close to tell. An upper bound None beside a finite lower one is
        unknown.
        """
        alone, joint = [each.leakage for each in single], self.leakage
        least = product_of([each.lower for each in alone], runs)
        if least is None or (joint.upper is not None and joint.upper <= least):
            return Decision.HOLDS
        most = product_of([each.upper for each in alone], runs)
        if most is not None and (joint.lower is None or joint.lower > most):
            return Decision.FAILS
        return Decision.UNDECIDED

    def trust(self, level: Level | None) -> tuple[str, ...]:
        """Return what an answer at a level rests on, with arithmetic if e^epsilon is irrational."""
        exact = level is None or level.ratio is not None
        return ("EXACT",) if exact else ("EXACT", "INTERVAL")

    def rests_on(self, level: Level | None) -> tuple[str, ...]:
        """Return the claims that an answer at a level rests on, by their ids."""
        return self.claims

    def as_json(self, level: Level | None) -> JsonObject:
        """Return the audit object of the file formats without a verdict."""
        scope = self.scope
        return {
            "leakage": self.leakage.as_json(),
            "witness": self.witness.as_json(),
            "excluded": scope.excluded,
            "never_checked": [list(pair) for pair in scope.never_checked],
            "checked": scope.checked if scope.checked <= _SAFE else None,
            "trust": list(self.trust(level)),
            "rests_on": bases(self.rests_on(level)),
        }


@dataclass(frozen=True)
class EnclosedRatio(LargestRatio):
    """A leakage between bounds, of which no output was compared one by one."""

    @property
    def compared(self) -> str:
        """What was compared, in words."""
        raise NotImplementedError

    def as_json(self, level: Level | None) -> JsonObject:
        """Return the audit object of the file formats: `checked` is null."""
        return super().as_json(level) | {"checked": None}


def most_of(ratios: Sequence[Fraction | None]) -> Fraction | None:
    """Return the largest of some ratios, or None, which is infinite, if one is None."""
    known = [ratio for ratio in ratios if ratio is not None]
    return max(known) if len(known) == len(ratios) else None


def least_of(ratios: Sequence[Fraction | None]) -> Fraction | None:
    """Return the least of some ratios, or None if all are infinite."""
    return min((ratio for ratio in ratios if ratio is not None), default=None)


def product_of(ratios: Sequence[Fraction | None], runs: int) -> Fraction | None:
    """Return a product of ratios, each so many times, or None if one is None."""
    known = [ratio for ratio in ratios if ratio is not None]
    return prod(known) ** runs if len(known) == len(ratios) else None


# The leakage of every prior, ordered pair and output, with posterior odds: what each output tells an adversary.

COLUMNS = (
    "prior",
    "pair",
    "output",
    "p_left",
    "p_right",
    "ratio",
    "epsilon_lower",
    "epsilon_upper",
    "prior_odds",
    "posterior_odds",
)


@dataclass(frozen=True, repr=False)
class Row(Readable):
    """One output under one prior and ordered pair (s, s').

    `left` and `right` are P(output | s) and P(output | s'); `prior_odds` P(s) : P(s'),
    `posterior_odds` P(s | output) : P(s' | output). A ratio x/0 with x > 0 is infinite and 0/0 is
    nothing: both are None as a `Fraction`.
    """

    prior: str
    pair: Pair
    output: str
    left: Fraction
    right: Fraction
    prior_odds: Fraction

    @property
    def ratio(self) -> Fraction | None:
        """P(output | s) / P(output | s')."""
        return self.left / self.right if self.right else None

    @property
    def posterior_odds(self) -> Fraction | None:
        """P(s | output) : P(s' | output)."""
        return None if self.ratio is None else self.ratio * self.prior_odds

    def epsilon(self) -> Enclosure | None:
        """Return log(ratio), negative if the output speaks for s', or None if impossible."""
        if self.ratio:
            return enclose_log(self.ratio)
        if self.left == self.right:
            return None
        return Enclosure("inf", "inf") if self.left else Enclosure("-inf", "-inf")

    def entry(self) -> Entry:
        """Return the row as `to_pandas` has it: the nats are those that the output tells."""
        known = self.epsilon()
        ends = {"lower": None, "upper": None} if known is None else nats(known)
        above, below = self.pair
        odds = infinite_if_none(self.posterior_odds) if self.left or self.right else None
        return {
            "prior": self.prior,
            "above": above,
            "below": below,
            "output": self.output,
            "p_above": self.left,
            "p_below": self.right,
            **ends,
            "prior_odds": self.prior_odds,
            "posterior_odds": odds,
        }

    def as_json(self) -> JsonObject:
        """Return the row with exact numbers as text, null if the output is impossible."""
        epsilon = self.epsilon()
        return {
            "prior": self.prior,
            "pair": list(self.pair),
            "output": self.output,
            "p_left": text_of(self.left),
            "p_right": text_of(self.right),
            "ratio": self._quotient(self.ratio),
            "epsilon": None if epsilon is None else epsilon.as_json(),
            "prior_odds": text_of(self.prior_odds),
            "posterior_odds": self._quotient(self.posterior_odds),
        }

    def as_csv(self) -> list[str]:
        """Return the row in the order of `COLUMNS`; empty cells where the output cannot occur."""
        cells = self.as_json()
        epsilon = cells.pop("epsilon") or {"lower": "", "upper": ""}
        # a bar or a backslash inside a name has a backslash in front
        names = [name.replace("\\", "\\\\").replace("|", "\\|") for name in self.pair]
        cells |= {"pair": "|".join(names), "epsilon_lower": epsilon["lower"], "epsilon_upper": epsilon["upper"]}
        return ["" if cells[column] is None else str(cells[column]) for column in COLUMNS]

    def _quotient(self, value: Fraction | None) -> str | None:
        if value is not None:
            return text_of(value)
        return "inf" if self.left else None

    def __str__(self) -> str:
        left, right = (f"P({self.output!r} | {secret!r})" for secret in self.pair)
        unbounded = "infinite" if self.left else "none"
        ratio = unbounded if self.ratio is None else brief(self.ratio)
        return f"{left} = {brief(self.left)} against {right} = {brief(self.right)}, ratio {ratio}, prior {self.prior!r}"


def leakage_table(framework: Framework, channel: Channel) -> Iterator[Row]:
    """Yield a row for every listed prior, ordered pair of positive secrets and output, in file
    order.

    >>> from pufferproof import Channel, Framework, Table
    >>> framework = Framework(
    ...     ["a", "b"], {"s": ["a"], "t": ["b"]}, [("s", "t")], {"theta": Table({"a": "1/2", "b": "1/2"})}
    ... )
    >>> print(next(leakage_table(framework, Channel.of({"a": ["3/4", "1/4"], "b": ["1/4", "3/4"]}, ["u", "v"]))))
    P('u' | 's') = 3/4 against P('u' | 't') = 1/4, ratio 3, prior 'theta'

    Raises `ModelError` unless the channel fits the framework.
    """
    framework = check_type(framework, Framework, "framework")
    channel = check_type(channel, Channel, "channel")
    channel = channel.aligned(framework.databases, framework.support)
    for prior in framework.priors:
        laws = ConditionalLaws(framework, channel, prior)
        for s, t in ordered_pairs(framework, prior):
            odds = Fraction(framework.mass(prior, s), framework.mass(prior, t))
            for output, label in enumerate(channel.outputs):
                left, right = (Fraction(*laws.exact(secret, output)) for secret in (s, t))
                yield Row(prior, (s, t), label, left, right, odds)


def probabilities(framework: Framework, channel: Channel, witness: Witness) -> tuple[Fraction, Fraction]:
    """Return P(output | pair[0]) and P(output | pair[1]) at a witness."""
    weights = {witness.prior: Fraction(1)} if isinstance(witness.prior, str) else dict(witness.prior)
    channel = channel.aligned(framework.databases, framework.support)
    output = channel.outputs.index(witness.output)
    likelihoods = []
    for secret in witness.pair:
        masses = {
            name: w * Fraction(framework.mass(name, secret), framework.laws[name].total) for name, w in weights.items()
        }
        joint = sum(
            mass * Fraction(*ConditionalLaws(framework, channel, name).exact(secret, output))
            for name, mass in masses.items()
            if mass
        )
        likelihoods.append(Fraction(joint) / sum(masses.values()))
    return likelihoods[0], likelihoods[1]
