"""The worst ratio about the root of a tree of bits, over all mechanisms of given per-record levels.

Level log R_j at record j allows the columns u > 0 with u_x <= R_j u_y for databases that differ in
record j alone. Each bit passes up the largest ratios of E[u | bit = 1] and E[u | bit = 0] in both
orders, and a kernel P between a bit and its child changes a ratio t into g(t) = (P11 t + P10) /
(P01 t + P00). One pass is linear in the number of bits. Along a chain it makes the backward and
forward privacy leakage of cao2017 and cao2018 exact over all mechanisms.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from pufferproof.models.errors import ModelError
from pufferproof.models.numbers.grammar import exact
from pufferproof.models.numbers.text import text_of

Kernel = tuple[tuple[Fraction, Fraction], tuple[Fraction, Fraction]]
_ZERO, _ONE = Fraction(0), Fraction(1)


@dataclass(frozen=True)
class Messages:
    """Largest ratios at a bit: `up` of E[u | bit = 1] to E[u | bit = 0], `down` of the other
    order.
    """

    up: Fraction
    down: Fraction

    @property
    def ratio(self) -> Fraction:
        """The larger of both orders: e^leakage of the worst mechanism about this bit."""
        return max(self.up, self.down)


def tree_messages(
    parents: Sequence[int | None], kernels: Sequence[Any], ratios: Fraction | int | str | Sequence[Any]
) -> Messages:
    """Return the largest ratios at the root of a tree of bits over all columns of level log(R_j) at
    bit j.

    up = R prod_c max(g_c(up_c), g_c(1/down_c)) over the children c of a bit, down likewise with
    1/g_c; a leaf has R in both, R being that of the bit.

    Args:
        parents: one entry per bit, the index of its parent, smaller than its own; None for bit 0,
            the root.
        kernels: one entry per bit, rows P(bit | parent = 0) and P(bit | parent = 1), each the
            probabilities of 0 and 1; the entry of the root is not used.
        ratios: R_j = e^level >= 1 for every bit, or one for all.

    Raises `ModelError` unless parents come first, rows are laws and ratios are at least 1.

    >>> tree_messages([None, 0], [None, [["3/4", "1/4"], ["1/4", "3/4"]]], 2)
    Messages(up=Fraction(14, 5), down=Fraction(14, 5))
    """
    steps = _checked_tree(parents, kernels)
    up = _levels(ratios, len(parents))
    down = list(up)
    for bit in range(len(parents) - 1, 0, -1):
        parent = parents[bit] or 0
        quotients = [_moebius(steps[bit], end) for end in (up[bit], 1 / down[bit])]
        up[parent] *= max(quotients)
        down[parent] *= max(1 / quotient for quotient in quotients)
    return Messages(up[0], down[0])


def _levels(ratios: Any, count: int) -> list[Fraction]:
    several = isinstance(ratios, Sequence) and not isinstance(ratios, str)
    known = [exact(ratio) for ratio in (ratios if several else [ratios] * count)]
    if len(known) != count:
        raise ModelError(f"expected {count} ratios, one per bit, found {len(known)}", "ratios")
    for ratio in known:
        if ratio < 1:
            raise ModelError(f"expected a ratio of at least 1, found {text_of(ratio)}", "ratios")
    return known


def _moebius(kernel: Kernel, t: Fraction) -> Fraction:
    """Return g(t) = (P11 t + P10) / (P01 t + P00), t > 0; both are positive, as rows sum to 1."""
    (p00, p01), (p10, p11) = kernel
    return (p11 * t + p10) / (p01 * t + p00)


def _checked_tree(parents: Sequence[int | None], kernels: Sequence[Any]) -> list[Kernel]:
    if not parents or parents[0] is not None or len(kernels) != len(parents):
        raise ModelError("expected the root first, without a parent, and one kernel per bit", "parents")
    unused: Kernel = ((_ONE, _ZERO), (_ZERO, _ONE))
    steps = [unused]
    for bit, parent in enumerate(parents[1:], start=1):
        if parent is None or not 0 <= parent < bit:
            raise ModelError(f"expected a parent from 0 to {bit - 1}, found {parent}", f"parents[{bit}]")
        steps.append(_kernel(kernels[bit], f"kernels[{bit}]"))
    return steps


def _kernel(rows: Sequence[Any], where: str) -> Kernel:
    if len(rows) != 2:
        raise ModelError(f"expected 2 rows, found {len(rows)}", where)
    return _law(rows[0], where), _law(rows[1], where)


def _law(values: Sequence[Any], where: str) -> tuple[Fraction, Fraction]:
    entries = [exact(value) for value in values]
    if len(entries) != 2 or min(entries) < 0 or sum(entries) != 1:
        raise ModelError(
            f"expected two probabilities that sum to 1, found {', '.join(text_of(entry) for entry in entries)}", where
        )
    return entries[0], entries[1]
