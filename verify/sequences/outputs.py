"""Outputs of a local mechanism on a Markov chain: completing one from a few symbols, and its
likelihood ratio, evaluated anew.

The evaluation walks outward from the record, away from where `local_sides` comes from: with M the
product of D_z and steps met so far, P(y | X_p = a) / P(y | X_p = b) lies between the least and the
largest quotient of rows a and b of M, and the walk ends where these agree as far as was asked, or
at the end of the sequence.
"""

from collections.abc import Sequence
from fractions import Fraction

from pufferproof.models.numbers.proportions import Rounding, Vector, integers
from pufferproof.models.sequences.chain import Chain
from pufferproof.models.sequences.local import LocalMechanism, RecordChannel
from pufferproof.verify.sequences.sides import Bounds, Laws

RESTS_ON = ("lemma.mediant",)
_MAX_BITS = 4_000  # of exact integers of an evaluation


def completed(
    chain: Chain,
    mechanism: LocalMechanism,
    private: int,
    pair: tuple[int, int],
    symbols: tuple[Sequence[int], int, Sequence[int]],
    keep: int,
) -> list[int]:
    """Return an output that is possible given X_p = a, with these symbols left of p, at p and right
    of it, nearest first.

    Farther records show what speaks most for a against b; from where nothing changes the ratio any
    more (to 2^-(keep / 2)) a symbol that all values can show, or the first that is possible.
    """
    left, own, right = symbols
    channels = mechanism.records
    output, laws = [own] * mechanism.length, None if chain.rows is not None else Laws(chain)
    sides = zip(_walks(chain, mechanism, private, pair[0]), _ways(mechanism, private), (left, right), (True, False))
    for walk, records, shown, backwards in sides:
        outward = None if laws is None else _Outward(chain, backwards, pair, keep, Rounding(keep))
        for distance, t in enumerate(records):
            channel, symbol = channels[t], shown[distance] if distance < len(shown) else None
            if outward is not None and laws is not None:
                outward.move()
                if symbol is None:
                    symbol = outward.likeliest(channel, laws.law(t + 1, keep)[0] if backwards else None)
            output[t] = walk.step(t, channel, symbol)
            if outward is not None:
                outward.show(channel, output[t])
                outward = None if outward.settled((1 << outward.size) - 1) is not None else outward
    return output


def excluding_record(
    chain: Chain, mechanism: LocalMechanism, private: int, value: int, symbols: Sequence[int]
) -> int | None:
    """Return the nearest record where X_p = value makes an output impossible, or None."""
    channels = mechanism.records
    if not channels[private - 1][value][symbols[private - 1]]:
        return private
    excluding = []
    for walk, records in zip(_walks(chain, mechanism, private, value), _ways(mechanism, private)):
        for t in records:
            if not walk.possible(t, channels[t], symbols[t]):
                excluding.append(t + 1)
                break
            walk.step(t, channels[t], symbols[t])
    return min(excluding, key=lambda record: (abs(record - private), record), default=None)


def _ways(mechanism: LocalMechanism, private: int) -> tuple[range, range]:
    """Return the positions of the records left and right of p, nearest first."""
    return range(private - 2, -1, -1), range(private, mechanism.length)


def _walks(chain: Chain, mechanism: LocalMechanism, private: int, value: int) -> "tuple[_ValueWalk, _ValueWalk]":
    """Return the walks to the left and to the right of X_p = value."""
    allowed = _supports(chain, mechanism, private)
    if chain.rows is not None:
        anything = ((Fraction(1),) * len(mechanism.alphabet),) * len(mechanism.alphabet)
        return _ValueWalk(anything, 1 << value, allowed), _ValueWalk(anything, 1 << value, allowed)
    return _ValueWalk(tuple(zip(*chain.step)), 1 << value, allowed), _ValueWalk(chain.step, 1 << value, None)


class _ValueWalk:
    """Which values are possible, as bits, record by record away from the private one."""

    def __init__(self, step: Sequence[Sequence[Fraction]], values: int, allowed: Sequence[int] | None) -> None:
        self.values, self.allowed = values, allowed
        self._next = [sum(1 << x for x, entry in enumerate(row) if entry) for row in step]
        self._known: dict[tuple[int, int, int, int | None], tuple[int, int]] = {}

    def step(self, t: int, channel: RecordChannel, symbol: int | None) -> int:
        """Move to the record at t, which shows `symbol`, or a symbol chosen and returned."""
        key = (self.values, id(channel), -1 if self.allowed is None else self.allowed[t], symbol)
        if key not in self._known:
            self._known[key] = self._chosen(t, channel, symbol)
        chosen, self.values = self._known[key]
        return chosen

    def possible(self, t: int, channel: RecordChannel, symbol: int) -> bool:
        """Whether the record at position t can show a symbol."""
        return any(row[symbol] for x, row in enumerate(channel) if self._reached(t) >> x & 1)

    def _reached(self, t: int) -> int:
        reached = 0
        for x, following in enumerate(self._next):
            reached |= following if self.values >> x & 1 else 0
        return reached if self.allowed is None else reached & self.allowed[t]

    def _chosen(self, t: int, channel: RecordChannel, symbol: int | None) -> tuple[int, int]:
        reached = self._reached(t)
        shows = [sum(1 << x for x, entry in enumerate(column) if entry) for column in zip(*channel)]
        possible = [z for z in (range(len(shows)) if symbol is None else (symbol,)) if reached & shows[z]]
        if not possible:
            raise AssertionError("an output that was found is possible")
        chosen = next((z for z in possible if shows[z] == (1 << len(channel)) - 1), possible[0])
        return chosen, reached & shows[chosen]


def _supports(chain: Chain, mechanism: LocalMechanism, private: int) -> list[int]:
    """Return the possible values of records 1 .. p, of all if independent, as bits."""
    if chain.rows is not None:
        known = {id(row): sum(1 << x for x, entry in enumerate(row) if entry) for row in chain.rows}
        return [known[id(row)] for row in chain.rows]
    supports = [sum(1 << x for x, entry in enumerate(chain.start) if entry)]
    following = [sum(1 << x for x, entry in enumerate(row) if entry) for row in chain.step]
    images: dict[int, int] = {}
    for _ in range(private - 1):
        now = supports[-1]
        if now not in images:
            images[now] = 0
            for x, reached in enumerate(following):
                images[now] |= reached if now >> x & 1 else 0
        supports.append(images[now])
    return supports


def output_ratio(
    chain: Chain, mechanism: LocalMechanism, private: int, pair: tuple[int, int], symbols: Sequence[int], keep: int
) -> Bounds:
    """Return bounds of P(symbols | X_p = a) / P(symbols | X_p = b), for a, b of positive
    probability; None is infinite.

    Exact while integers are short, else to about 2^-(keep / 2). Raises `ValueError` where a side is
    impossible under both.
    """
    a, b = pair
    own = mechanism.records[private - 1]
    parts: list[Bounds] = [_quotient(own[a][symbols[private - 1]], own[b][symbols[private - 1]])]
    if chain.rows is None:
        laws, (left, right) = Laws(chain), _ways(mechanism, private)
        beyond = 0
        for mask in _supports(chain, mechanism, private):
            beyond |= mask
        ends = ((left, laws.law(1, None)[0], beyond), (right, (1,) * laws.size, (1 << laws.size) - 1))
        for backwards, (records, last, support) in zip((True, False), ends):
            outward = _Outward(chain, backwards, pair, keep, Rounding(None))
            parts.append(_followed(outward, mechanism, symbols, records, last, support))
        if left:
            parts.append(laws.ratio(private, b, a, keep))
    if any(part[0] is None for part in parts):
        return None, None
    lower, upper = Fraction(1), Fraction(1)
    for least, most in parts:
        lower, upper = lower * (least or 0), upper * (most or 0)
    return lower, upper


def _followed(
    outward: "_Outward", mechanism: LocalMechanism, symbols: Sequence[int], records: range, last: Vector, support: int
) -> Bounds:
    """Return the ratio of one side, given its end and the values possible on it."""
    channels = mechanism.records
    for t in records:
        outward.move()
        outward.show(channels[t], symbols[t])
        ratio = outward.settled(support)
        if ratio is not None:
            return ratio
    return outward.total(last) if records else (Fraction(1), Fraction(1))


class _Outward:
    """P(y | X_p = a) and P(y | X_p = b) on one side, walking away from p: rows a and b of the
    product of steps and D_z.

    On the left entry x is P(y, X_p = a | X_t = x), on the right P(y, X_t = x | X_p = a), both up to
    a common factor.
    """

    def __init__(self, chain: Chain, backwards: bool, pair: tuple[int, int], keep: int, rounding: Rounding) -> None:
        step = chain.step if backwards else tuple(zip(*chain.step))
        self.size, self.keep = len(step), keep
        flat = integers([entry for row in step for entry in row])
        self._matrix = [flat[i * self.size : (i + 1) * self.size] for i in range(self.size)]
        self._rows = [[int(x == value) for x in range(self.size)] for value in pair]
        self._rounding = rounding
        self._weights: dict[tuple[int, int], Vector] = {}

    def move(self) -> None:
        """Go on to the next record."""
        self._rows = [[sum(map(int.__mul__, row, vector)) for row in self._matrix] for vector in self._rows]

    def show(self, channel: RecordChannel, symbol: int) -> None:
        """Take in what the record shows."""
        key = (id(channel), symbol)
        if key not in self._weights:
            self._weights[key] = integers([row[symbol] for row in channel])
        weights, size = self._weights[key], self.size
        both = self._rounding([weight * entry for vector in self._rows for weight, entry in zip(weights, vector)])
        self._rounding.steps += 1
        self._rows = [list(both[:size]), list(both[size:])]
        if self._rounding.keep is None and max(map(int.bit_length, both)) > _MAX_BITS:
            self._rounding = Rounding(self.keep)

    def likeliest(self, channel: RecordChannel, law: Vector | None) -> int:
        """Return the symbol that speaks most for a, what follows summed over."""
        totals = []
        for symbol in range(len(channel[0])):
            weights = integers([row[symbol] for row in channel]) if any(row[symbol] for row in channel) else (0,)
            weights = tuple(map(int.__mul__, weights, law)) if law is not None else weights
            totals.append([sum(map(int.__mul__, weights, vector)) for vector in self._rows])
        best = -1
        for symbol, (a, b) in enumerate(totals):
            if a and (best < 0 or a * totals[best][1] > b * totals[best][0]):
                best = symbol
        return best

    def settled(self, support: int) -> Bounds | None:
        """Return bounds of the ratio when it no longer matters, to 2^-(keep / 2), what follows;
        None while it does.
        """
        columns = [(a, b) for x, (a, b) in enumerate(zip(*self._rows)) if support >> x & 1 and (a or b)]
        if not columns:
            raise ValueError("an output that is impossible under both values has no ratio")
        if any(b == 0 for _, b in columns):
            return (None, None) if all(b == 0 for _, b in columns) else None
        a, b = columns[0]
        if any(abs(c * b - a * d) << (self.keep // 2) > a * d for c, d in columns):
            return None
        values = [Fraction(c, d) for c, d in columns]
        return _widened((min(values), max(values)), self._rounding.slack)

    def total(self, last: Vector) -> Bounds:
        """Return the ratio at the end of the sequence."""
        above, below = (Fraction(sum(map(int.__mul__, last, vector))) for vector in self._rows)
        return _widened(_quotient(above, below), self._rounding.slack)


def _quotient(above: Fraction, below: Fraction) -> Bounds:
    if not above and not below:
        raise ValueError("an output that is impossible under both values has no ratio")
    value = above / below if below else None
    return value, value


def _widened(bounds: Bounds, slack: Fraction) -> Bounds:
    lower, upper = bounds
    return (None, None) if lower is None or upper is None else (lower / (1 + slack), upper * (1 + slack))
