"""The worst case of a guarantee per record along a chain of any length, enclosed by a window of
records around the secret. From below: an h that depends on the window only is feasible.

From above: let hbar(w) = E[h(X) | window = w]. Words with the same last records have one law
outside: hbar(w) = E h(w, O) <= E G(h(w', O)) <= G(hbar(w')) by Jensen's inequality. If the last
record differs, hbar of it is a feasible function of the *tail* from there on, given its first record:

    hbar(w, a) <= F_ab(hbar(w, b)),  F_ab(l) = max { E[g | x_1 = a] : E[g | x_1 = b] <= l }.

Lines above F come from small programs (`folded`): the first records of the tail, the last of which
carries the F of what follows.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from itertools import product
from math import exp

from pufferproof.lp.accounts.flips import Flips, Law, Neighbours, Pair, Program
from pufferproof.lp.accounts.guarantees import Guarantee, Line, upward
from pufferproof.models.sequences.chain import Chain

Bounds = tuple[Fraction, Fraction]
Kernel = Sequence[Sequence[Bounds]]  # bounds of P(next = y | x), one row per x
Tail = Mapping[tuple[int, int], Sequence[Line]]  # lines above F_ab
_WORDS = 2_048  # of a window
_SMOOTH_WORDS = 512  # of a window, for a guarantee with tangents without end
_STATES = 3_000  # words of a core times counts of its flanks
_FLANKS = ((1, 8), (0, 16), (2, 5), (1, 10))  # records of the core, and of a flank, on each side
_FOLDS = 16  # steps from a far end
_STEP = 2  # records of a step
_SLOPES = 17
_NEAR = 1e-6  # relative, how closely bounds of tails are sought


@dataclass(frozen=True)
class Steps:
    """Bounds of the steps of a prior along records 1 .. count, in both directions."""

    count: int
    forward: Callable[[int], Kernel]
    backward: Callable[[int], Kernel]
    homogeneous: bool
    reversible: bool
    tails: dict[tuple[int, int], "Tail"] = field(default_factory=dict, compare=False)

    @classmethod
    def of(cls, chain: Chain, count: int) -> "Steps":
        """Return the steps of a Markov chain or of independent records."""
        if chain.rows is not None:
            rows = chain.rows
            laws = cache(lambda record: [[(p, p) for p in rows[record - 1]]] * len(rows[record - 1]))
            return cls(count, lambda record: laws(record + 1), lambda record: laws(record - 1), False, False)
        along = chain.along(count, "exact" if chain.stationary else "enclosed")
        step = [[(p, p) for p in row] for row in chain.step]

        @cache
        def law(record: int) -> list[Bounds]:
            found = along.law(1 if chain.stationary else record)
            return [(p, p) if isinstance(p, Fraction) else (p.lower, p.upper) for p in found]

        @cache
        def backward(record: int) -> Kernel:
            earlier, now = law(record - 1), law(record)
            possible = set(along.possible(record))
            rows = {v: [_over(before, chain.step[x][v], now[v]) for x, before in enumerate(earlier)] for v in possible}
            any_row = next(iter(rows.values()))  # of a value that does not occur, any law will do
            return [rows.get(v, any_row) for v in range(len(chain.step))]

        reversible = chain.stationary and count > 1 and backward(2) == step
        return cls(count, lambda record: step, backward, chain.stationary, reversible)


def _over(before: Bounds, step: Fraction, now: Bounds) -> Bounds:
    """Return bounds of before step / now, now > 0."""
    low, high = before[0] * step / now[1], before[1] * step / now[0] if now[0] else Fraction(1)
    return low, min(high, Fraction(1))


@dataclass
class Windows:
    """Programs for one secret of a chain, `record` = `one` against `other`, whose values enclose
    the worst case ever more closely.
    """

    steps: Steps
    record: int
    one: int
    other: int
    letters: int
    guarantee: Guarantee

    def stages(self) -> Iterator[tuple[Pair | None, Pair | None]]:
        """List programs whose value is reached by a mechanism, and such as no mechanism exceeds,
        from small ones to large ones; both are one if the window is the chain.
        """
        before, after = self.record - 1, self.steps.count - self.record
        reach, most = 1, _SMOOTH_WORDS if self.guarantee.smooth else _WORDS
        while True:
            left, right = min(reach, before), min(reach, after)
            if self.letters ** (left + right + 1) > most:
                break
            exact = (left, right) == (before, after)
            below = self._window(left, right, None)
            yield below, below if exact else self._window(left, right, (self._tail(left, -1), self._tail(right, 1)))
            if exact:
                return
            reach += 1
        for core, flank in _FLANKS:
            states = self.letters ** (2 * core + 1) * (flank + 1) ** 2
            if states <= _STATES and core + flank <= min(before, after):
                yield self._flanked(core, flank), None

    def _window(self, left: int, right: int, tails: "tuple[Tail | Guarantee | None, ...] | None") -> Pair:
        near = Neighbours.of_words(self.letters, left + right + 1)
        p, q = (Law.of(self._bounds(left, right, value)) for value in (self.one, self.other))
        if tails is None:
            program = Program(near.size, [near.within(self.guarantee)])
            return Pair(p, q, program, near, self.guarantee)
        rows = _rows(self.letters, left + right + 1, self.guarantee, (tails[0], tails[1]), self.guarantee)
        return Pair(p, q, Program(near.size, rows), None, self.guarantee)

    def _bounds(self, left: int, right: int, value: int) -> list[Bounds]:
        """Return bounds of the law of the words of the window, from its first record on, given the
        secret: what is before it and what is after it are independent then.
        """
        before = _words([self.steps.backward(self.record - j) for j in range(left)], value, self.letters)
        after = _words([self.steps.forward(self.record + j) for j in range(right)], value, self.letters)
        words = product(range(self.letters), repeat=left + right + 1)
        places = [(_place(word[left::-1], self.letters), _place(word[left:], self.letters)) for word in words]
        return [(before[x][0] * after[y][0], before[x][1] * after[y][1]) for x, y in places]

    def _tail(self, reach: int, side: int, depth: int = _FOLDS) -> "Tail | Guarantee | None":
        """Return lines above F of the records from the last one of a window outward, by side; the
        guarantee for the last record of all, None for a record beyond which nothing is looked at.
        """
        edge = self.record + side * reach
        length = self.steps.count - edge if side > 0 else edge - 1  # records beyond the edge
        if length == 0:
            return self.guarantee
        same, known = self.steps.homogeneous, self.steps.tails
        place = min(length, _FOLDS * _STEP + 1) if same else edge
        key = (place, 0 if self.steps.reversible else side)
        if key not in known:
            if depth == 0:
                return None
            step = min(_STEP, length)
            kernel = self.steps.forward if side > 0 else self.steps.backward
            kernels = [kernel(edge + side * j) for j in range(step)]
            if same and place > _FOLDS * _STEP:
                known[key] = self._endless(kernels)
            else:
                after = self._tail(reach + step, side, depth - 1)
                known[key] = folded(kernels, after, self.guarantee, self._slopes)
        return known[key]

    def _endless(self, kernels: Sequence[Kernel]) -> Tail:
        """Return lines above F of a tail of any length, each step of which has the same law."""
        found = folded(kernels, None, self.guarantee, self._slopes)
        for _ in range(_FOLDS):
            last, found = found, folded(kernels, found, self.guarantee, self._slopes)
            if _settled(last, found):
                break
        return found

    @property
    def _slopes(self) -> list[Fraction]:
        return [Fraction(exp(min(self.guarantee.nats, 40) * j / 2)).limit_denominator(1 << 20) for j in range(_SLOPES)]

    def _flanked(self, core: int, flank: int) -> Pair:
        """Return the program of h that depends on the words of a core, and on how many records of
        the flanks on its left and on its right have the value `one`: each record changes one count
        by at most one.
        """
        import numpy as np

        size, counts = self.letters ** (2 * core + 1), flank + 1
        near = Neighbours.of_words(self.letters, 2 * core + 1)
        states = np.arange(size * counts * counts).reshape(size, counts, counts)
        steps = [(states[:, 1:], states[:, :-1]), (states[:, :, 1:], states[:, :, :-1])]  # of either count, by one
        above = [states[near.above], *(each for step in steps for each in step)]
        below = [states[near.below], *(each for step in steps for each in reversed(step))]
        sides = [np.concatenate([each.ravel() for each in side]).astype(np.int32) for side in (above, below)]
        whole = Neighbours(states.size, sides[0], sides[1])
        first, last = self.record - core, self.record + core
        left = self._counts([self.steps.backward(first - j) for j in range(flank)])
        right = self._counts([self.steps.forward(last + j) for j in range(flank)])
        words = list(product(range(self.letters), repeat=2 * core + 1))
        p, q = (
            Law.of(
                [
                    (low * x[0] * y[0], high * x[1] * y[1])
                    for word, (low, high) in zip(words, self._bounds(core, core, value))
                    for x in left[word[0]]
                    for y in right[word[-1]]
                ]
            )
            for value in (self.one, self.other)
        )
        program = Program(whole.size, [whole.within(self.guarantee)])
        return Pair(p, q, program, whole, self.guarantee)

    def _counts(self, kernels: Sequence[Kernel]) -> list[list[Bounds]]:
        """Return, for every value of the record before, bounds of the law of how many of the next
        records have the value `one`.
        """
        zero = (Fraction(0), Fraction(0))
        known = [[(Fraction(1), Fraction(1))] for _ in range(self.letters)]
        for kernel in reversed(kernels):
            size = len(known[0]) + 1
            found = []
            for row in kernel:
                total = [zero] * size
                for y, (low, high) in enumerate(row):
                    for count, (least, most) in enumerate(known[y]):
                        at = count + (y == self.one)
                        total[at] = (total[at][0] + low * least, total[at][1] + high * most)
                found.append(total)
            known = found
        return known


def _settled(last: Tail, now: Tail) -> bool:
    """Whether a step changed the lines by little."""
    pairs = [(a, b) for key in now for a, b in zip(last[key], now[key])]
    return all(a.intercept - b.intercept <= b.intercept / 10**4 for a, b in pairs)


def _place(word: Sequence[int], letters: int) -> int:
    place = 0
    for letter in word:
        place = place * letters + letter
    return place


def folded(
    kernels: Sequence[Kernel], after: Tail | Guarantee | None, guarantee: Guarantee, slopes: Sequence[Fraction]
) -> Tail:
    """Return lines above F of a tail, from its first records and the F of the last of them.

    Args:
        kernels: from each of the first records to the next, m of them for m + 1 records.
        after: lines above F at the last of these records; the guarantee if the tail ends there,
            None if nothing is known.
        slopes: of the lines, at least 1.
    """
    letters, length = len(kernels[0]), len(kernels) + 1
    program = Program(letters**length, _rows(letters, length, guarantee, (guarantee, after), None))
    laws = [Law.of(_words(kernels, first, letters)) for first in range(letters)]
    found: dict[tuple[int, int], list[Line]] = {}
    for a, b in product(range(letters), repeat=2):
        if a == b:
            continue
        pair = Pair(laws[a], laws[b], program, None, guarantee)
        for slope in slopes:
            bound = pair.delta((slope, slope), _NEAR).upper
            if bound is not None and bound < 1:
                line = Line(upward(slope), upward(bound))
                found.setdefault((a, b), []).append(line)
                found.setdefault((b, a), []).append(line.mirrored())
    return {(a, b): tuple(found.get((a, b), ())) for a, b in product(range(letters), repeat=2) if a != b}


def _words(kernels: Sequence[Kernel], first: int, letters: int) -> list[Bounds]:
    """Return bounds of the law of words that start with a value, in lexicographic order."""
    bounds = [(Fraction(int(x == first)),) * 2 for x in range(letters)]
    for kernel in kernels:
        bounds = [
            (low * least, high * most)
            for place, (low, high) in enumerate(bounds)
            for least, most in kernel[place % letters]
        ]
    return bounds


def _rows(
    letters: int,
    length: int,
    guarantee: Guarantee,
    ends: tuple[Tail | Guarantee | None, Tail | Guarantee | None],
    smooth: Guarantee | None,
) -> list[Flips]:
    """Return the rows of words: lines of G where an inner record differs; where the first or the
    last does, those of its end.
    """
    import numpy as np

    near = Neighbours.of_words(letters, length)
    record = np.repeat(np.arange(length), letters**length * (letters - 1))
    lines = tuple(guarantee.lines)
    found = []
    for place in range(length):
        end = {0: ends[0], length - 1: ends[1]}.get(place, guarantee)
        above, below = near.above[record == place], near.below[record == place]
        if end is None:
            continue
        if not isinstance(end, Mapping):
            found.append(Flips(above, below, lines, smooth))
            continue
        weight = letters ** (length - 1 - place)
        for (a, b), tail in end.items():
            chosen = (above // weight % letters == a) & (below // weight % letters == b)
            if tail:
                found.append(Flips(above[chosen], below[chosen], tuple(tail)))
    return found
