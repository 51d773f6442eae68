"""Outputs of a local mechanism on a Markov chain: completing one from a few symbols, and its likelihood ratio, evaluated anew.

The evaluation walks outward from the record, away from where `local_sides` comes from: with M the product of D_z and steps
met so far, P(y | X_p = a) / P(y | X_p = b) lies between the least and the largest quotient of rows a and b of M, and the walk
ends where these agree as far as was asked, or at the end of the sequence.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from pufferproof.models.local import LocalMechanism, RecordChannel
from pufferproof.models.sequences import Chain
from pufferproof.verify.local_sides import Rounding, Start, Vector
from pufferproof.verify.redaction_sides import integers

Bounds = tuple[Fraction | None, Fraction | None]  # of a ratio; None is infinite
_MAX_BITS = 30_000  # of exact integers


class Laws:
    """The laws of the records of a Markov chain one by one, X_t having the law start P^(t - 1)."""

    def __init__(self, chain: Chain) -> None:
        self.chain = chain
        self.size = len(chain.start)
        self._start = integers(chain.start)
        self._step = integers([entry for row in chain.step for entry in row])
        self._bits = max(self._step).bit_length() + self.size.bit_length()
        self._known: dict[tuple[int, int | None], tuple[Vector, Fraction]] = {}

    def law(self, record: int, keep: int | None) -> tuple[Vector, Fraction]:
        """Return P(X_t = x) as integers up to a factor, and a bound of their relative error, 0 for keep None."""
        if self.chain.stationary or record == 1:
            return self._start, Fraction(0)
        if (record, keep) not in self._known:
            self._known[record, keep] = self._power(record - 1, Rounding(keep))
        return self._known[record, keep]

    def bits(self, record: int) -> int:
        """Return how long exact integers of a law are, at most."""
        steps = 0 if self.chain.stationary else record - 1
        return steps * self._bits + max(self._start).bit_length()

    def support(self, record: int) -> tuple[int, ...]:
        """Return the values of positive probability."""
        return tuple(x for x, weight in enumerate(self.law(record, 64)[0]) if weight)

    def ratio(self, record: int, a: int, b: int, keep: int) -> Bounds:
        """Return bounds of P(X_t = a) / P(X_t = b), equal where integers stay short."""
        vector, slack = self.law(record, None if self.bits(record) <= _MAX_BITS else keep)
        value = Fraction(vector[a], vector[b])
        return value / (1 + slack), value * (1 + slack)

    def _power(self, exponent: int, rounding: Rounding) -> tuple[Vector, Fraction]:
        """Return start P^exponent by repeated squaring; an error of one rounding is counted wherever it goes on."""
        k, vector, matrix, mine, theirs = self.size, self._start, self._step, 0, 0
        while exponent:
            if exponent & 1:
                columns = [matrix[i::k] for i in range(k)]
                vector = rounding([sum(map(int.__mul__, vector, column)) for column in columns])
                mine += theirs + 1
            rows, columns = [matrix[i * k : i * k + k] for i in range(k)], [matrix[i::k] for i in range(k)]
            matrix = rounding([sum(map(int.__mul__, row, column)) for row in rows for column in columns])
            theirs, exponent = 2 * theirs + 1, exponent >> 1
        rounding.steps = mine
        return vector, rounding.slack


def before(laws: Laws, private: int) -> Start:
    """Return what is known of the records left of X_p, beyond the d nearest: the law of X_(p-d)."""
    return Start(
        lambda window, keep: laws.law(private - window, keep),
        lambda window: laws.bits(private - window),
        lambda window: laws.support(private - window),
        laws.law(1, None)[0] if laws.chain.stationary else None,
    )


def after(size: int) -> Start:
    """Return what is known of the records right of X_p, beyond the d nearest: the vector of all ones."""
    ones = (1,) * size
    return Start(lambda window, keep: (ones, Fraction(0)), lambda window: 1, lambda window: range(size), ones)


def completed(
    chain: Chain, mechanism: LocalMechanism, private: int, value: int, symbols: tuple[Sequence[int], int, Sequence[int]]
) -> list[int]:
    """Return an output that is possible given X_p = value, with these symbols left of p, at p and right of it, nearest first.

    Every other record shows a symbol that all values can show, or the first that is possible.
    """
    left, own, right = symbols
    found = [own] * mechanism.length
    for walk, records, shown in zip(_walks(chain, mechanism, private, value), _ways(mechanism, private), (left, right)):
        for distance, t in enumerate(records):
            found[t] = walk.step(t, mechanism.records[t], shown[distance] if distance < len(shown) else None)
    return found


def excluding_record(
    chain: Chain, mechanism: LocalMechanism, private: int, value: int, symbols: Sequence[int]
) -> int | None:
    """Return the nearest record up to which an output is impossible given X_p = value; None if it is possible."""
    if not mechanism.records[private - 1][value][symbols[private - 1]]:
        return private
    found = []
    for walk, records in zip(_walks(chain, mechanism, private, value), _ways(mechanism, private)):
        for t in records:
            if not walk.possible(t, mechanism.records[t], symbols[t]):
                found.append(t + 1)
                break
            walk.step(t, mechanism.records[t], symbols[t])
    return min(found, key=lambda record: (abs(record - private), record), default=None)


def _ways(mechanism: LocalMechanism, private: int) -> tuple[range, range]:
    """Return the positions of the records left and right of p, nearest first."""
    return range(private - 2, -1, -1), range(private, mechanism.length)


def _walks(chain: Chain, mechanism: LocalMechanism, private: int, value: int) -> "tuple[_Walk, _Walk]":
    """Return the walks to the left and to the right of X_p = value."""
    allowed = _supports(chain, mechanism, private)
    if chain.rows is not None:
        anything = ((Fraction(1),) * len(mechanism.alphabet),) * len(mechanism.alphabet)
        return _Walk(anything, 1 << value, allowed), _Walk(anything, 1 << value, allowed)
    return _Walk(tuple(zip(*chain.step)), 1 << value, allowed), _Walk(chain.step, 1 << value, None)


class _Walk:
    """Which values are possible, as bits, record by record away from the private one."""

    def __init__(self, step: Sequence[Sequence[Fraction]], values: int, allowed: Sequence[int] | None) -> None:
        self.values, self.allowed = values, allowed
        self._next = [sum(1 << x for x, entry in enumerate(row) if entry) for row in step]
        self._known: dict[tuple[int, int, int, int | None], tuple[int, int]] = {}

    def step(self, t: int, channel: RecordChannel, symbol: int | None) -> int:
        """Move to the record at position t, which shows `symbol`, or one that is chosen and returned."""
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
    """Return the values of positive probability of records 1 .. p, of all records where they are independent, as bits."""
    if chain.rows is not None:
        known = {id(row): sum(1 << x for x, entry in enumerate(row) if entry) for row in chain.rows}
        return [known[id(row)] for row in chain.rows]
    found = [sum(1 << x for x, entry in enumerate(chain.start) if entry)]
    following = [sum(1 << x for x, entry in enumerate(row) if entry) for row in chain.step]
    images: dict[int, int] = {}
    for _ in range(private - 1):
        now = found[-1]
        if now not in images:
            images[now] = 0
            for x, reached in enumerate(following):
                images[now] |= reached if now >> x & 1 else 0
        found.append(images[now])
    return found


def output_ratio(
    chain: Chain, mechanism: LocalMechanism, private: int, pair: tuple[int, int], symbols: Sequence[int], keep: int
) -> Bounds:
    """Return bounds of P(symbols | X_p = a) / P(symbols | X_p = b), for a, b of positive probability; None is infinite.

    Exact while integers are short, else to about 2^-(keep / 2). Raises `ValueError` where both are 0.
    """
    a, b = pair
    own = mechanism.records[private - 1]
    parts: list[Bounds] = [_quotient(own[a][symbols[private - 1]], own[b][symbols[private - 1]])]
    if chain.rows is None:
        laws = Laws(chain)
        left, right = (_Shown(mechanism, symbols, way) for way in _ways(mechanism, private))
        size = laws.size
        parts.append(_outward(tuple(zip(*chain.step)), right, pair, (1,) * size, (1 << size) - 1, keep))
        possible = _supports(chain, mechanism, private)
        beyond = possible[0]
        for mask in possible:
            beyond |= mask
        parts.append(_outward(chain.step, left, pair, laws.law(1, None)[0], beyond, keep))
        if left:
            parts.append(laws.ratio(private, b, a, keep))
    lower, upper = Fraction(1), Fraction(1)
    if any(part[0] is None for part in parts):
        return None, None
    for least, most in parts:
        lower, upper = lower * (least or 0), upper * (most or 0)
    return lower, upper


@dataclass(frozen=True)
class _Shown:
    """The channels of some records, with the symbols they show, one by one."""

    mechanism: LocalMechanism
    symbols: Sequence[int]
    records: range

    def __iter__(self) -> Iterator[tuple[RecordChannel, int]]:
        return ((self.mechanism.records[t], self.symbols[t]) for t in self.records)

    def __bool__(self) -> bool:
        return bool(self.records)


def _outward(
    step: Sequence[Sequence[Fraction]],
    shown: _Shown,
    pair: tuple[int, int],
    last: Vector,
    support: int,
    keep: int,
) -> Bounds:
    """Return bounds of the ratio of one side: rows a and b of the product of steps and D_z, record by record."""
    if not shown:
        return Fraction(1), Fraction(1)
    size = len(step)
    flat = integers([entry for row in step for entry in row])
    matrix = [flat[i * size : (i + 1) * size] for i in range(size)]
    above, below = ([int(x == value) for x in range(size)] for value in pair)
    rounding, weights = Rounding(None), dict[tuple[int, int], Vector]()
    for channel, symbol in shown:
        key = (id(channel), symbol)
        if key not in weights:
            weights[key] = integers([row[symbol] for row in channel])
        w = weights[key]
        above = [w[x] * sum(map(int.__mul__, matrix[x], above)) for x in range(size)]
        below = [w[x] * sum(map(int.__mul__, matrix[x], below)) for x in range(size)]
        rounding.steps += 1
        both = rounding([*above, *below])
        above, below = list(both[:size]), list(both[size:])
        if rounding.keep is None and max(map(int.bit_length, both)) > _MAX_BITS:
            rounding = Rounding(keep)
        columns = [(a, b) for x, (a, b) in enumerate(zip(above, below)) if support >> x & 1 and (a or b)]
        if not columns:
            raise ValueError("an output that is impossible under both values has no ratio")
        found = _between(columns, keep // 2)
        if found is not None:
            return _widened(found, rounding.slack)
    total, rest = (sum(map(int.__mul__, last, vector)) for vector in (above, below))
    return _widened(_quotient(Fraction(total), Fraction(rest)), rounding.slack)


def _between(columns: Sequence[tuple[int, int]], bits: int) -> Bounds | None:
    """Return the least and the largest quotient where these agree to so many bits."""
    if any(b == 0 for _, b in columns):
        return (None, None) if columns and all(b == 0 for _, b in columns) else None
    a, b = columns[0]
    if any(abs(c * b - a * d) << bits > a * d for c, d in columns):
        return None
    values = [Fraction(a, b) for a, b in columns]
    return min(values), max(values)


def _quotient(above: Fraction, below: Fraction) -> Bounds:
    if not above and not below:
        raise ValueError("an output that is impossible under both values has no ratio")
    value = above / below if below else None
    return value, value


def _widened(bounds: Bounds, slack: Fraction) -> Bounds:
    lower, upper = bounds
    return (None, None) if lower is None or upper is None else (lower / (1 + slack), upper * (1 + slack))
