"""Local redaction on a binary Markov chain: records are released or replaced by `*`, so that one
record stays private.

Any profile r_t(x) = P(Y_t = * | X_t = x), the 3R family (redact, release by value, release) and the
Markov quilt baseline, with exact rationals. Source: Massny, Bitar, Ye and El Rouayheb, "Between
Close Enough to Reveal and Far Enough to Protect", 2025 (massny2025). What a mechanism leaks is
decided in `pufferproof.verify.sequences.redaction.leakage`; nothing here claims privacy.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import prod
from random import Random
from typing import ClassVar

from pufferproof.models.channel import Channel
from pufferproof.models.errors import ModelError
from pufferproof.models.interface.kinds import Number, check_type, hold
from pufferproof.models.numbers.grammar import probability
from pufferproof.models.numbers.level import Level, LevelLike
from pufferproof.models.numbers.text import shown, text_of
from pufferproof.models.priors.records import Records
from pufferproof.models.sequences.binary import (
    BinaryChain,
    Budget,
    Pair,
    Threshold,
    happens,
    private_records,
    regions,
    threshold_of,
)

RESTS_ON = ("massny2025.thm1-privacy", "massny2025.thm1-utility")
_ONE = Fraction(1)
_REDACTED, _RELEASED = (_ONE, _ONE), (Fraction(0), Fraction(0))
_MAX_CHANNEL_LENGTH = 8
_KNOWN_ROWS = 100_000
_SHOWN_ROWS = 16


@dataclass(frozen=True)
class LocalRedaction:
    """A local redaction mechanism: record t is redacted with probability rows[t-1][x] when its
    value is x, independently.

    >>> mechanism = LocalRedaction([["1", "1"], ["1/8", "1"]])
    >>> mechanism.utility(BinaryChain("1/4", "1/2", 2))
    Fraction(7, 24)

    Raises `ModelError` unless there is a pair of probabilities for every record. Source:
    massny2025, Section II.
    """

    taken_by: ClassVar = {"Channel": "its channel() lists it"}

    rows: tuple[Pair, ...]

    def __init__(self, rows: Iterable[Sequence[Number]]) -> None:
        rows = check_type(rows, Iterable[Sequence[Number]], "rows")
        hold(self, rows=_checked_rows(rows))
        if not self.rows:
            raise ModelError("expected a row for every record, found none", "redaction")

    @classmethod
    def releasing(cls, records: Iterable[int], length: int) -> "LocalRedaction":
        """Return the data-independent mechanism that always releases these records (from 1) and
        no others.
        """
        records = check_type(records, Iterable[int], "records")
        length = check_type(length, int, "length")
        listed = list(records)
        chosen = set(private_records(listed, length)) if listed else set()
        return cls([_RELEASED if t in chosen else _REDACTED for t in range(1, length + 1)])

    @property
    def length(self) -> int:
        """The number of records."""
        return len(self.rows)

    @property
    def released(self) -> tuple[int, ...]:
        """The records that are not always redacted (massny2025, equation 8, on values of
        positive probability).
        """
        return tuple(t for t, row in enumerate(self.rows, 1) if row != _REDACTED)

    def utility(self, chain: BinaryChain) -> Fraction:
        """Return the expected fraction of released records, (1/n) sum_t sum_x P(X_t = x) (1 -
        r_t(x)); massny2025, Def. 2.
        """
        chain = check_type(chain, BinaryChain, "chain")
        self.fits(chain)
        if chain.initial == "stationary":
            every = chain.law(1)
            times = Counter(map(id, self.rows))  # equal rows are mostly one object
            rows = {id(row): row for row in self.rows}
            laws: Iterator[tuple[Pair, Pair, int]] = ((every, rows[key], n) for key, n in times.items())
        else:
            laws = ((chain.law(t), row, 1) for t, row in enumerate(self.rows, 1))
        total = sum((n * (law[0] * (1 - row[0]) + law[1] * (1 - row[1])) for law, row, n in laws), Fraction(0))
        return total / self.length

    def fits(self, chain: BinaryChain) -> None:
        """Raise `ModelError` unless chain and mechanism have the same number of records."""
        chain = check_type(chain, BinaryChain, "chain")
        if self.length != chain.length:
            raise ModelError(f"expected {chain.length} rows, one per record, found {self.length}", "redaction")

    def probability(self, record: int, value: int, output: str) -> Fraction:
        """Return P(Y_t = output | X_t = value), output "0", "1" or "*"."""
        redacted = self.rows[record - 1][value]
        if output == "*":
            return redacted
        return 1 - redacted if output == str(value) else Fraction(0)

    def channel(self) -> Channel:
        """Return the mechanism as a channel from {0,1}^n to {0,1,*}^n, for at most 8 records."""
        if self.length > _MAX_CHANNEL_LENGTH:
            raise ModelError(f"expected at most {_MAX_CHANNEL_LENGTH} records to enumerate, found {self.length}")
        outputs = ["".join(letters) for letters in product("01*", repeat=self.length)]
        rows = {
            label: [
                prod((self.probability(t, int(x), y) for t, (x, y) in enumerate(zip(label, output), 1)), start=_ONE)
                for output in outputs
            ]
            for label in Records(self.length, ("0", "1")).labels()
        }
        return Channel.of(rows, outputs)

    def sample(self, values: Sequence[int], random: Random) -> str:
        """Draw the output for a sequence of values, as text over 0, 1 and *; probabilities are
        exact.
        """
        if len(values) != self.length:
            raise ModelError(f"expected {self.length} values, found {len(values)}", "values")
        return "".join("*" if happens(row[value], random) else str(value) for row, value in zip(self.rows, values))

    def mirrored(self) -> "LocalRedaction":
        """Return the mechanism with the order of the records reversed."""
        return LocalRedaction(self.rows[::-1])

    def as_json(self) -> list[list[str]]:
        """Return the rows as exact text."""
        return [[text_of(zero), text_of(one)] for zero, one in self.rows]

    def __repr__(self) -> str:
        if self.length <= _SHOWN_ROWS:
            return f"LocalRedaction({self.as_json()})"
        return f"LocalRedaction({self.length} records)"


def most_conservative(*mechanisms: LocalRedaction) -> LocalRedaction:
    """Return r_t(x) = max over the mechanisms: what footnote 1 of massny2025 proposes for several
    private records.

    >>> most_conservative(LocalRedaction([["1", "1"], ["1/8", "1"]]), LocalRedaction([["0", "0"], ["1/2", "1/2"]]))
    LocalRedaction([['1', '1'], ['1/2', '1']])

    Raises `ModelError` unless there is a mechanism, and all have the same number of records.
    """
    mechanisms = tuple(check_type(mechanism, LocalRedaction, "mechanisms") for mechanism in mechanisms)
    if len({mechanism.length for mechanism in mechanisms}) != 1:
        raise ModelError("expected mechanisms, all with the same number of records", "redaction")
    return LocalRedaction(
        (max(row[0] for row in rows), max(row[1] for row in rows)) for rows in zip(*(m.rows for m in mechanisms))
    )


def three_regions(
    chain: BinaryChain,
    private: int,
    left: Threshold | LevelLike,
    right: Threshold | LevelLike,
    q: "Number | Mapping[int, Number]",
) -> LocalRedaction:
    """Return the 3R mechanism of budgets (eps_l, eps_r) and q: redact in R_L, release in R_S,
    decide by value in R_M.

    Left of p the regions are those of threshold eps_l, right of it those of eps_r. In R_M the rarer
    value, whose influence is above the budget, is always redacted and the common one with
    probability q_t: r_t = (q_t, 1), or (1, q_t) where the chain is `swapped`. Whether the budgets
    are kept depends on q and is not checked here.

    Args:
        left, right: the budgets, levels as `audit` takes them, or parts of levels (`Budget`); a
            budget of 0 redacts its whole side (unless lam = 0).
        q: one probability for all of R_M, or one for every record of it.

    >>> three_regions(BinaryChain("1/4", "1/2", 2), 1, "0.5", "0.5", "1/8").as_json()
    [['1', '1'], ['1/8', '1']]

    Raises `ModelError` unless the q are probabilities, given for exactly the records of R_M, and
    the chain is stationary. Source: massny2025, Section IV, equations 1 and 2, with alpha <= beta
    and 0 < q_t <= 1; q_t = 0 is let in.
    """
    chain = check_type(chain, BinaryChain, "chain")
    private = check_type(private, int, "private")
    q = check_type(q, Number | Mapping[int, Number], "q")
    medium, small = _sides(chain, private, threshold_of(left, "left"), threshold_of(right, "right"))
    if isinstance(q, Mapping):
        if unknown := sorted(set(q) - set(medium)):
            raise ModelError(f"expected records of the medium region {list(medium)}, found {shown(unknown[0])}", "q")
        if missing := [t for t in medium if t not in q]:
            raise ModelError(f"expected a probability for record {missing[0]} of the medium region, found none", "q")
        chosen = {t: probability(q[t], f"q[{t}]") for t in medium}
    else:
        chosen = dict.fromkeys(medium, probability(q, "q"))
    rows = [_REDACTED] * chain.length
    for t in small:
        rows[t - 1] = _RELEASED
    for t, value in chosen.items():
        rows[t - 1] = (_ONE, value) if chain.swapped else (value, _ONE)
    return LocalRedaction(rows)


def _sides(
    chain: BinaryChain, private: int, left: Threshold, right: Threshold
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the medium and small regions, left of p for one budget, right of it for the other."""
    before, after = regions(chain, private, left), regions(chain, private, right)
    medium = tuple(t for t in before.medium if t < private) + tuple(t for t in after.medium if t > private)
    small = tuple(t for t in before.small if t < private) + tuple(t for t in after.small if t > private)
    return medium, small


@dataclass(frozen=True)
class Quilt:
    """What the Markov quilt mechanism does: the window [p - left, p + right] that it redacts, and
    why.

    The window stays inside 1 .. n: two-sided, epsilon is at least i1(p - 1), so that D*(eps) < p,
    and t_p >= 0 gives 2 D*(eps/2) <= p + D*(eps) < 2 p.


    `branch` is "one-sided" (everything on the shorter side of p is redacted) or "two-sided".
    `mirrored` says that p was beyond the middle and the algorithm ran on the reversed chain; the
    window is that of the chain as given.
    """

    branch: str
    left: int
    right: int
    mirrored: bool
    mechanism: LocalRedaction


def quilt(chain: BinaryChain, private: int, level: LevelLike) -> Quilt:
    """Return the Markov quilt redaction mechanism: redact a window around p that depends on
    epsilon, n and p alone.

    With D*(eps) the least distance of max-influence at most eps and t_p = p + D*(eps) - 2
    D*(eps/2): if p = 1, or eps < i1(n+1-p) + i1(p-1), or t_p < 0, the window reaches p - 1 to the
    left and min(D*(eps), n - p) to the right; otherwise D*(eps/2) to either side. Distances are
    those of the unbounded chain.

    >>> design = quilt(BinaryChain("1/4", "1/2", 6), 1, "log(2)")
    >>> design.branch, design.left, design.right, design.mechanism.released
    ('one-sided', 0, 1, (3, 4, 5, 6))

    Raises `ModelError` unless the chain is stationary and 1 <= p <= n. Source: massny2025,
    Algorithm 1, exactly as printed (the window is one record wider on each side than D* asks for).
    The print wants p <= n/2; beyond the middle the chain is mirrored, and the middle of an odd
    chain is taken as it is. It wants eps > 0; at 0, where D* does not exist unless lam = 0,
    everything is redacted.
    """
    chain = check_type(chain, BinaryChain, "chain")
    private = check_type(private, int, "private")
    (private,) = private_records(private, chain.length)
    chain.expect_stationary()
    position = min(private, chain.length + 1 - private)
    privacy = Level.coerce(level, "level")
    # the branch of Algorithm 1, and the radii to the shorter and longer side of p
    rare, length = 1 - chain.common_value, chain.length
    whole = chain.first_distance(rare, privacy, length)  # beyond n only its being beyond n matters
    half = chain.first_distance(rare, Budget(privacy, Fraction(1, 2)), length)
    ends = ((rare, length + 1 - position), (rare, position - 1))
    if position == 1 or chain.compare_influences(privacy, *ends) > 0 or position + whole - 2 * half < 0:
        branch, near, far = "one-sided", position - 1, min(whole, length - position)
    else:
        branch, near, far = "two-sided", half, half
    mirrored = position != private
    left, right = (far, near) if mirrored else (near, far)
    rows = [_REDACTED if private - left <= t <= private + right else _RELEASED for t in range(1, chain.length + 1)]
    return Quilt(branch, left, right, mirrored, LocalRedaction(rows))


def _checked_rows(rows: Iterable[Sequence[Number]]) -> tuple[Pair, ...]:
    """Return the rows as exact numbers, one object for equal rows."""
    seen: dict[int, tuple[object, Pair]] = {}  # by identity: hashing rationals is slow; keeping the row keeps its id
    known: dict[Pair, Pair] = {}
    rows_read = []
    for record, row in enumerate(rows, 1):
        if id(row) in seen:
            rows_read.append(seen[id(row)][1])
            continue
        where = f"redaction[{record}]"
        if isinstance(row, str) or not isinstance(row, Iterable) or len(key := tuple(row)) != 2:
            raise ModelError(f"expected 2 probabilities, one per value, found {shown(row)}", where)
        zero, one = (probability(entry, where) for entry in key)
        checked = known.setdefault((zero, one), (zero, one)) if len(known) < _KNOWN_ROWS else (zero, one)
        if len(seen) < _KNOWN_ROWS:
            seen[id(row)] = row, checked
        rows_read.append(checked)
    return tuple(rows_read)
