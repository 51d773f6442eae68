"""Exact leakage of a local redaction mechanism about one record of a binary Markov chain, in linear
time.

    e^leakage = max over outputs y and x in {0, 1} of P(Y = y | X_p = x) / P(Y = y | X_p = 1 - x).

Given X_p the two sides of p are independent, so that the largest ratio is a product of one-sided
ones, which `pufferproof.verify.sequences.redaction.sides` finds. Exact rationals, or enclosures
where those would grow long. Source of the setting: Massny, Bitar, Ye and El Rouayheb 2025
(massny2025). Nothing is enumerated, and nothing is designed here.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice

from pufferproof.models.errors import ModelError
from pufferproof.models.interface.kinds import check_type
from pufferproof.models.interface.readable import Readable
from pufferproof.models.numbers.proportions import integers
from pufferproof.models.numbers.text import shown
from pufferproof.models.sequences.binary import BinaryChain, Pair, private_records
from pufferproof.models.sequences.redaction import LocalRedaction
from pufferproof.verify.leakage.ratio import Leakage
from pufferproof.verify.sequences.redaction.sides import NOTHING, Reach, SideRatios, SideSweep

RESTS_ON = ("redaction.joint-of-sides", "redaction.messages")


@dataclass(frozen=True, repr=False)
class RedactionLeakage(Readable):
    """What a local redaction mechanism leaks about one record.

    `output` is a sequence over 0, 1 and * at which P(output | X_p = likelier) / P(output | X_p = 1
    - likelier) is the leakage ratio (within the stated bounds where numbers were rounded). `left`
    and `right` are the leakages of the outputs Y_1 .. Y_p and Y_p .. Y_n alone. `revealed` says
    that the private record itself is released with positive probability.
    """

    private: int
    leakage: Leakage
    likelier: int
    output: str
    left: Leakage
    right: Leakage
    revealed: bool

    def __str__(self) -> str:
        given = f"X_{self.private} = {self.likelier} against {1 - self.likelier}"
        return f"leakage {self.leakage} about record {self.private}, at output {shown(self.output)} for {given}"


def redaction_leakage(
    chain: BinaryChain, mechanism: LocalRedaction, private: int, precision: int | None = None
) -> RedactionLeakage:
    """Return the leakage of a local redaction mechanism about X_p, with an output that reaches it.

    Args:
        chain: any binary chain, either sign of its eigenvalue, any initial law.
        mechanism: any profile r_t(x) in [0, 1], one row per record.
        private: p in 1 .. n.
        precision: None for exact rationals; else numbers keep this many bits, at least 64, and the
            leakage ratio is enclosed with a relative width below (n + 2^16) 2^(8 - precision).
            Exact integers beyond 60,000 bits (1,000,000 for at most 2,000 records) are rounded to
            160.

    >>> chain, mechanism = BinaryChain("1/4", "1/2", 2), LocalRedaction([["1", "1"], ["1/8", "1"]])
    >>> largest = redaction_leakage(chain, mechanism, 1)
    >>> largest.leakage.ratio, largest.likelier, largest.output
    (Fraction(18, 11), 1, '**')

    Raises `ModelError` unless sizes fit, p is a record, and both values of X_p have positive
    probability. Source: massny2025, Definition 1; the algorithm answers a question the source
    leaves open.
    """
    chain = check_type(chain, BinaryChain, "chain")
    mechanism = check_type(mechanism, LocalRedaction, "mechanism")
    private = check_type(private, int, "private")
    precision = check_type(precision, int | None, "precision")
    (private,) = private_records(private, chain.length)
    mechanism.fits(chain)
    if 0 in chain.law(private):
        raise ModelError(f"nothing to check: a value of record {private} has probability 0", "private")
    if precision is not None and precision < 64:
        raise ModelError(f"expected at least 64 bits, found {precision}", "precision")
    own = mechanism.rows[private - 1]
    if min(own) < 1:
        value, infinite = 0 if own[0] < 1 else 1, Leakage.of(None)
        output = completed_output(chain, mechanism.rows, {private: str(value)})
        return RedactionLeakage(private, infinite, value, output, infinite, infinite, True)
    left = left_side(chain, mechanism.rows, private, precision)
    right = right_side(chain, mechanism.rows, private, precision)
    zero, one = toward(left, 0).times(toward(right, 0)), toward(left, 1).times(toward(right, 1))
    likelier = 0 if zero.ratio >= one.ratio else 1
    reached = (left.largest, right.largest) if likelier == 0 else (left.smallest, right.smallest)
    output = completed_output(chain, mechanism.rows, released(private, *reached))
    alone = [larger(toward(side, 0), toward(side, 1)) for side in (left, right)]
    return RedactionLeakage(private, larger(zero, one), likelier, output, alone[0], alone[1], False)


def redaction_leakages(
    chain: BinaryChain, mechanism: LocalRedaction, private: Sequence[int], precision: int | None = None
) -> tuple[RedactionLeakage, ...]:
    """Return the leakage about each private record separately, in their order in the chain."""
    return tuple(
        redaction_leakage(chain, mechanism, record, precision) for record in private_records(private, chain.length)
    )


def right_side(chain: BinaryChain, rows: Sequence[Pair], private: int, precision: int | None) -> SideRatios:
    """Return the extreme ratios over Y_(p+1) .. Y_n."""
    if private == chain.length:
        return NOTHING
    step = integers([entry for row in chain.transition for entry in row])
    sweep = SideSweep(step, (1, 1), precision, chain.length - private)
    return sweep.run(step, _sign(chain.eigenvalue), islice(rows, private, None))


def left_side(chain: BinaryChain, rows: Sequence[Pair], private: int, precision: int | None) -> SideRatios:
    """Return the extreme ratios over Y_(p-1) .. Y_1: the law of X_1 .. X_p read backwards, over
    that of X_p.
    """
    if private == 1:
        return NOTHING
    (stay, leave), (back, remain) = chain.transition
    zero, one = chain.law(private)
    first = integers([stay / zero, back / zero, leave / one, remain / one])
    step = integers([stay, back, leave, remain])
    sweep = SideSweep(step, integers(chain.law(1)), precision, private - 1)
    backwards = (rows[index] for index in reversed(range(private - 1)))
    return sweep.run(first, _sign(chain.eigenvalue), backwards)


def _sign(value: Fraction) -> int:
    return (value > 0) - (value < 0)


@dataclass(frozen=True)
class NearRatio:
    """A likelihood ratio known up to a relative error of `slack`."""

    ratio: Fraction
    slack: Fraction = Fraction(0)

    def times(self, other: "NearRatio") -> "NearRatio":
        """Return the product."""
        return NearRatio(self.ratio * other.ratio, self.slack + other.slack + self.slack * other.slack)


def toward(side: SideRatios, value: int) -> NearRatio:
    """Return the largest likelihood ratio of X_p = value over the other value on one side."""
    above, below, _ = side.smallest if value else side.largest
    return NearRatio(Fraction(below, above) if value else Fraction(above, below), side.slacks[value])


def larger(*ratios: NearRatio) -> Leakage:
    """Return the leakage of the largest of some ratios, at least 0."""
    lower = max(ratio.ratio / (1 + ratio.slack) for ratio in ratios)
    upper = max(ratio.ratio * (1 + ratio.slack) for ratio in ratios)
    return Leakage(max(Fraction(1), lower), max(Fraction(1), upper))


def completed_output(chain: BinaryChain, rows: Sequence[Pair], shown: Mapping[int, str]) -> str:
    """Return an output with these symbols at these records, others redacted if possible."""
    return "".join(shown.get(record) or _some_symbol(chain, record, row) for record, row in enumerate(rows, 1))


def released(private: int, left: Reach, right: Reach) -> dict[int, str]:
    """Return the nearest released symbols at which both one-sided ratios are reached."""
    events = [(private - left[2][0], left[2][1])] if left[2] else []
    events += [(private + right[2][0], right[2][1])] if right[2] else []
    return {record: str(value) for record, value in events}


def _some_symbol(chain: BinaryChain, record: int, row: Pair) -> str:
    """Return a symbol that is possible for a record whatever others show: `*` if it can be."""
    if record == 1 and chain.initial != "stationary" and 0 in chain.initial:
        value = 0 if chain.initial[0] else 1
        return "*" if row[value] else str(value)
    return "*" if row[0] or row[1] else "0"
