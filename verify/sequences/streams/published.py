"""What the literature promises for t releases over a sliding window, beside what they leak.

Theorem 4 of "Composition Theorem for streaming CW-privacy" bounds t releases by the slopes and
shifts of one: (eps_max + (t - 1) gamma, t delta_max). It is false as printed, because slopes, gamma
and shifts are taken of P0 against P1 alone, and shifts at the listed slopes; the repair takes both
directions, and one shift that serves any two values of the later blocks. Blocks are independent in
both.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

from pufferproof.models.interface.kinds import Plain, check_type
from pufferproof.models.numbers.grammar import probability
from pufferproof.models.numbers.text import JsonObject
from pufferproof.verify.decision import united
from pufferproof.verify.leakage.delta import Corner, Errors, recipe, turns_of, upper_hull
from pufferproof.verify.leakage.ratio import Leakage
from pufferproof.verify.sequences.streams.passes import BlockStream, Pass, Row, Window, expect_steps, passes

# The least level that follows for t releases at a given shift, if every step may have a share of its own.
#
#     eps(delta_t) + sum over j < t of gamma(delta_j),  sum over j of delta_j = delta
#
# eps and gamma are the least levels at which one release keeps a shift, given the same later blocks or any two values
# of them. Between two corners of the shift as a function of e^level the level is concave in it, so that the sum is
# least where all steps but one are at corners: shares of the first steps are kept in increasing order, those alone
# that no other one betters.

SHARING_RESTS_ON = ("streaming_cw.thm4-repaired",)
MOST_STEPS, MOST_KEPT = 60, 300  # beyond these shares are no longer searched
_ONE = Fraction(1)
Laws = Sequence[tuple[Sequence[Fraction], Sequence[Fraction]]]
Share = tuple[Fraction, Fraction]  # what is spent, and e to the level so far


@dataclass(frozen=True)
class ShiftCurve:
    """The smallest shift at every ratio e^level of at least 1, of the worst of some pairs of laws,
    and its inverse.

    >>> half, whole = Fraction(1, 2), Fraction(1)
    >>> curve = ShiftCurve.of([((whole, Fraction(0)), (half, half))])
    >>> str(curve.ratio(Fraction(1, 4))), [(str(d), str(r)) for d, r in curve.corners()]
    ('3/2', [('0', '2'), ('1/2', '1')])
    """

    hull: tuple[Errors, ...]

    @classmethod
    def of(cls, pairs: Laws) -> "ShiftCurve":
        """Return the curve of pairs of laws, all in one order."""
        return cls(tuple(upper_hull(list(zip(top, bottom)) for top, bottom in pairs)))

    def shift(self, ratio: Fraction) -> Fraction:
        """Return the smallest shift at a ratio."""
        return max(above - ratio * below for below, above in self.hull)

    def ratio(self, shift: Fraction) -> Fraction | None:
        """Return the least ratio that a shift allows, None if there is none."""
        if any(above > shift for below, above in self.hull if not below):
            return None
        known = ((above - shift) / below for below, above in self.hull if below)
        return max(_ONE, *known)

    def corners(self) -> list[Share]:
        """Return the shifts and ratios of all corners and of the ratio 1, the least shift first."""
        ratios = {_ONE, *(turn.ratio for turn in turns_of(list(self.hull)))}
        return sorted((self.shift(ratio), ratio) for ratio in ratios)


def least_ratios(own: ShiftCurve, across: ShiftCurve, shift: Fraction, steps: int) -> Iterator[Fraction | None]:
    """Yield e to the least level at a shift for t = 1 .. `steps`, None for an infinite one; no
    longer than shares are searched.

    >>> half, whole = Fraction(1, 2), Fraction(1)
    >>> curve = ShiftCurve.of([((whole, Fraction(0)), (half, half))])
    >>> [str(each) for each in least_ratios(curve, curve, half, 3)]
    ['1', '2', '4']
    """
    before: list[Share] = []
    now: list[Share] = [(Fraction(0), _ONE)]
    for _ in range(min(steps, MOST_STEPS)):
        yield min(_last(own, across, shift, before, now), default=None)
        before, now = (
            now,
            _undominated(
                (spent + more, level * ratio)
                for spent, level in now
                for more, ratio in across.corners()
                if spent + more <= shift
            ),
        )
        if len(now) > MOST_KEPT:
            return


def _last(
    own: ShiftCurve, across: ShiftCurve, shift: Fraction, before: list[Share], now: list[Share]
) -> Iterator[Fraction]:
    """Yield the levels of all shares: the last step has what is left, or one before has."""
    for spent, level in now:
        if (ratio := own.ratio(shift - spent)) is not None:
            yield level * ratio
    for spent, level in before:
        for more, ratio in own.corners():
            left = shift - spent - more
            if left >= 0 and (growth := across.ratio(left)) is not None:
                yield level * ratio * growth


def _undominated(shares: Iterator[Share]) -> list[Share]:
    """Return the shares that no other one betters in both, by what is spent."""
    kept: list[Share] = []
    for spent, level in sorted(shares):
        if not kept or level < kept[-1][1]:
            kept.append((spent, level))
    return kept


RESTS_ON = ("streaming_cw.thm4-repaired", "streaming_cw.eq2-shift-repaired")
MOST_OUTPUTS = 4_096  # sequences of outputs of which the smallest delta is summed
Pairs = list[tuple[Row, Row]]


@dataclass(frozen=True)
class Promise(Plain):
    """A level and a shift that t releases are said to keep; `needed` is the smallest shift with
    which they keep the level in both directions, None if it was not summed.
    """

    epsilon: Leakage
    delta: Fraction
    needed: Fraction | None

    @property
    def holds(self) -> bool | None:
        """Whether the releases keep it, None if that was not summed."""
        return None if self.needed is None else self.needed <= self.delta


@dataclass(frozen=True)
class OneStep:
    """One release: its laws on the window and on the scrubbed window, for every value of the later
    blocks; of a Markov chain of blocks the first release.
    """

    outputs: tuple[str, ...]
    given: tuple[str, ...]
    laws: tuple[tuple[Row, Row], ...]

    @property
    def largest(self) -> Leakage:
        """The leakage: the largest ratio given the same later blocks, in both directions."""
        return Leakage.of(_ratio(self.both()))

    @property
    def gamma(self) -> Leakage:
        """The largest ratio given any two values of the later blocks, in both directions."""
        return Leakage.of(_ratio(self.across()))

    @property
    def printed_gamma(self) -> Leakage:
        """The largest ratio of windows to scrubbed ones alone, as (3) of the paper has it."""
        return Leakage.of(_ratio(list(product(*zip(*self.laws)))))

    def both(self) -> Pairs:
        """Return the laws given the same later blocks, in both directions."""
        return [*self.laws, *((bottom, top) for top, bottom in self.laws)]

    def across(self) -> Pairs:
        """Return the laws given any two values of the later blocks, in both directions."""
        tops, bottoms = zip(*self.laws)
        return [*product(tops, bottoms), *product(bottoms, tops)]

    def corners(self) -> list[list[Corner]]:
        """Return for every value of the later blocks the finite slopes P0 / P1 of outputs, those of
        at least 1, and the smallest delta there, ascending.
        """
        return [recipe(zip(top, bottom)) for top, bottom in self.laws]

    def gammas(self) -> list[Leakage]:
        """Return for every output the largest ratio of its probabilities given any two values of
        the later blocks, in both directions.
        """
        across = self.across()
        return [
            Leakage.of(_ratio([((top[y],), (bottom[y],)) for top, bottom in across])) for y in range(len(self.outputs))
        ]

    def as_json(self) -> JsonObject:
        """Return the step as JSON."""
        corners = [
            {"given": given, **entry.as_json()} for given, corner in zip(self.given, self.corners()) for entry in corner
        ]
        return {
            "largest": self.largest.as_json(),
            "gamma": self.gamma.as_json(),
            "printed_gamma": self.printed_gamma.as_json(),
            "outputs": [
                {"output": output, "gamma": gamma.as_json()} for output, gamma in zip(self.outputs, self.gammas())
            ],
            "corners": corners,
        }


def one_step(stream: BlockStream) -> OneStep:
    """Return the laws of one output given the later blocks of its window.

    >>> from pufferproof import Channel
    >>> rows = {"00": [1, 0], "01": [1, 0], "10": ["1/2", "1/2"], "11": ["1/2", "1/2"]}
    >>> mechanism = Channel.of(rows, ["u", "v"])
    >>> alone = one_step(BlockStream(["0", "1"], ["1/2", "1/2"], 2, mechanism, [[0, 1], [0, 1]]))
    >>> print(alone.largest)
    log(2) ≈ 0.6931472 nats
    >>> alone.corners()[0]
    [Corner(ratio=Fraction(3, 2), delta=Fraction(0, 1))]
    """
    stream = check_type(stream, BlockStream, "stream")
    worlds = passes(stream)
    outputs = range(len(stream.mechanism.outputs))
    names, laws = [], []
    for given in sorted(worlds[0].ends):
        both = [[world.at(world.after(world.start, y), given) for y in outputs] for world in worlds]
        if total := sum(both[0]):
            names.append(stream.named(given))
            laws.append(tuple(tuple(Fraction(w, total) for w in row) for row in both))
    found = tuple((top, bottom) for top, bottom in laws)
    return OneStep(stream.mechanism.outputs, tuple(names), found)


@dataclass(frozen=True)
class Promised:
    """What Theorem 4 promises of t releases, as printed and as repaired, each None unless it speaks
    of such a stream; `exact` and `best` are the least levels at a given delta: of the releases, and
    that the repair promises, with the shares of the steps searched for if `searched`, else even.
    """

    printed: Promise | None
    repaired: Promise | None
    exact: Leakage | None
    best: Leakage | None
    searched: bool = False

    @property
    def rests_on(self) -> tuple[str, ...]:
        """The claims that the repair, and shares of a delta, rest on."""
        repaired = RESTS_ON if self.repaired else ()
        return united(repaired, SHARING_RESTS_ON if self.searched else ())


def promised(stream: BlockStream, steps: int, delta: object = None) -> list[Promised]:
    """Return what Theorem 4 promises of the first t releases, t = 1 .. steps.

    It speaks of independent blocks; its repair of such as are redrawn at every step anew. As
    printed: eps_max is the largest finite slope of one release, at least 1, delta_max the largest
    shift at such a slope, gamma the largest log-ratio given any two values of the later blocks, all
    of P0 against P1. As repaired: eps and gamma are of finite ratios in both directions, and delta
    is the largest shift at them. A given delta for all releases is shared out among the steps so
    that the level is least, and evenly where shares are too many to search.

    >>> from pufferproof import Channel
    >>> rows = {"00": [1, 0], "01": [1, 0], "10": ["1/2", "1/2"], "11": ["1/2", "1/2"]}
    >>> mechanism = Channel.of(rows, ["u", "v"])
    >>> stream = BlockStream(["0", "1"], ["1/2", "1/2"], 2, mechanism, [[0, 1], [0, 1]])
    >>> first = promised(stream, 1)[0]
    >>> str(first.printed.epsilon.ratio), first.printed.holds, first.repaired.holds
    ('3/2', False, True)

    Source: "Composition Theorem for streaming CW-privacy", Theorem 4.
    """
    stream = check_type(stream, BlockStream, "stream")
    steps = expect_steps(steps)
    alone, found = one_step(stream), []
    allowed = None if delta is None else probability(delta, "delta")
    apart = stream.independent and stream.draws == "each-step"
    shared: list[Fraction | None] = []
    if apart and allowed is not None:
        shared = list(least_ratios(ShiftCurve.of(alone.both()), ShiftCurve.of(alone.across()), allowed, steps))
    for t, pairs in enumerate(_laws(stream, steps), 1):
        printed = _as_printed(alone, t, pairs) if stream.independent else None
        repaired = _as_repaired(alone, t, pairs) if apart else None
        exact = best = None
        if allowed is not None:
            exact = None if pairs is None else Leakage.of(least_slope(pairs, allowed))
            if apart:
                own, any_two = (least_slope(pair, allowed / t) for pair in (alone.both(), alone.across()))
                best = Leakage.of(None if own is None else _level(own, any_two, t))
        if searched := t <= len(shared):
            best = Leakage.of(shared[t - 1])
        found.append(Promised(printed, repaired, exact, best, searched))
    return found


def _as_printed(alone: OneStep, t: int, pairs: Pairs | None) -> Promise:
    corners = [corner for found in alone.corners() for corner in found]
    slope = max((corner.ratio for corner in corners), default=_ONE)
    shifted = max((corner.delta for corner in corners), default=Fraction(0))
    return _promise(_level(slope, alone.printed_gamma.ratio, t), t * shifted, pairs)


def _as_repaired(alone: OneStep, t: int, pairs: Pairs | None) -> Promise:
    both, across = alone.both(), alone.across()
    own, any_two = _finite(both), _finite(across)
    spill = max(shift(both, own), shift(across, any_two))
    return _promise(_level(own, any_two, t), t * spill, pairs)


def _level(slope: Fraction, growth: Fraction | None, t: int) -> Fraction | None:
    """Return e^(eps + (t - 1) gamma), None if it is infinite."""
    if t == 1:
        return slope
    return None if growth is None else slope * growth ** (t - 1)


def _promise(slope: Fraction | None, delta: Fraction, pairs: Pairs | None) -> Promise:
    needed = None if pairs is None else shift(pairs, slope)
    return Promise(Leakage.of(slope), delta, needed)


def shift(pairs: Pairs, slope: Fraction | None) -> Fraction:
    """Return the largest sum of max(0, P(y) - slope Q(y)) over outputs, of some pairs of laws; of
    an infinite slope, None, what P has where Q is zero.
    """
    if slope is None:
        return max(sum((p for p, q in zip(*pair) if not q), Fraction(0)) for pair in pairs)
    return max(sum((max(Fraction(0), p - slope * q) for p, q in zip(*pair)), Fraction(0)) for pair in pairs)


def least_slope(pairs: Pairs, delta: Fraction) -> Fraction | None:
    """Return the least slope, at least 1, at which the shift of all pairs is at most delta; None if
    there is none.

    >>> half, whole = Fraction(1, 2), Fraction(1)
    >>> str(least_slope([((whole, Fraction(0)), (half, half))], Fraction(1, 4)))
    '3/2'
    """
    found = _ONE
    for top, bottom in pairs:
        above = sum((p for p, q in zip(top, bottom) if not q), Fraction(0))
        if above > delta:
            return None
        below = Fraction(0)
        for slope, p, q in sorted(((p / q, p, q) for p, q in zip(top, bottom) if q), reverse=True):
            if above - slope * below > delta:  # the shift is delta between this slope and the last
                break
            above, below = above + p, below + q
        if below:
            found = max(found, (above - delta) / below)
    return found


def _ratio(pairs: Pairs) -> Fraction | None:
    """Return the largest ratio of two laws, None if it is infinite."""
    met = [(p, q) for top, bottom in pairs for p, q in zip(top, bottom) if p]
    return None if any(not q for _, q in met) else max((p / q for p, q in met), default=_ONE)


def _finite(pairs: Pairs) -> Fraction:
    """Return the largest finite ratio, at least 1."""
    return max(_ONE, *(p / q for top, bottom in pairs for p, q in zip(top, bottom) if q))


def _laws(stream: BlockStream, steps: int) -> Iterator[Pairs | None]:
    """Yield the laws of t outputs in both orders, for every value of the later blocks; None for
    more than 4,096 sequences of outputs.
    """
    worlds = passes(stream)
    weights = [[world.start] for world in worlds]
    for _ in range(steps):
        if not 0 < len(weights[0]) * len(stream.mechanism.outputs) <= MOST_OUTPUTS:
            weights = [[], []]
            yield None
            continue
        weights = [
            [world.after(weight, y) for weight in before for y in range(len(world.steps))]
            for world, before in zip(worlds, weights)
        ]
        pairs = [
            tuple(_law(world, weight, given) for world, weight in zip(worlds, weights)) for given in worlds[0].ends
        ]
        yield [(p, q) for pair in pairs if any(pair[0]) for p, q in (pair, pair[::-1])]


def _law(world: Pass, weights: list[tuple[int, ...]], given: Window) -> Row:
    masses = [world.at(weight, given) for weight in weights]
    total = sum(masses)
    return tuple(Fraction(mass, total) for mass in masses) if total else (Fraction(0),)
