"""Statements on what local mechanisms release at most: two records, an end, gaps to DIMs."""

from collections.abc import Sequence
from functools import cache
from itertools import product

from pufferproof.claims.language.instances.chains import Path
from pufferproof.claims.language.instances.frameworks import Rows
from pufferproof.claims.language.instances.laws import ALMOST, ONE, ZERO, at_most
from pufferproof.claims.language.instances.redaction import (
    HIDDEN,
    ORDERED,
    Bits,
    Output,
    bits,
    is_ordered,
    leakage,
    outputs,
    pointwise,
    regions,
    shows,
    stationary,
    symbols,
    three_regions,
)
from pufferproof.claims.language.statements import Draws, Fraction, Instance, Statement

F = Fraction


def near(of: Bits, distance: int = 1) -> tuple[F, F]:
    """Return e^i0 and e^i1 at a distance."""
    return pointwise(of, distance, 0) or ONE, pointwise(of, distance, 1) or ONE


def level(draws: Draws, of: Bits) -> F:
    """Draw a level at, between, below or above the influences at distance 1."""
    low, high = near(of)
    levels = [low, high, (low + high) / 2, (3 * high + low) / 4, (1 + low) / 2, 2 * high, ONE]
    return draws.among([*levels, max(ONE, high * ALMOST)])


def two_bits(draws: Draws, signs: str = "+-+-0") -> Instance:
    """A stationary chain of two bits, mostly a <= b, any eigenvalue, a level at, between or near
    the influences, and a row for X_2; X_1 is private and redacted.
    """
    of = bits(draws, signs)
    return {"of": of, "R": level(draws, of), "row": symbols(draws)}


def private(of: Bits, R: F, rows: Rows, p: int = 1) -> bool:
    """Whether the leakage about X_p is at most R."""
    return at_most(leakage(stationary(of, len(rows)), rows, [p]), R)


def _closed(of: Bits, R: F, positive: bool) -> F:
    """The closed form; with that of the other sign -1 where it is not defined."""
    (a, b), (low, high) = of, near(of)
    if R < low or R >= high:
        return F(R >= high)
    scale = R * (1 - a) - b if positive else R * b - 1 + a
    return b / (a + b) * (R - 1) / scale if scale > 0 else -ONE


def _best(of: Bits, R: F, row: Sequence[F], positive: bool, share: F = ONE) -> bool:
    """Whether no private row shows more than the closed form, and a 3R mechanism shows that."""
    most, (a, b) = _closed(of, R, positive), of
    if private(of, R, [HIDDEN, row]) and shows(of, [HIDDEN, row]) > share * most:
        return False
    split, q = regions(of, 2, 1, R, R)[1], 1 - most * (a + b) / b
    if split == "M" and not 0 < q <= 1:
        return False
    design = three_regions("L" + split, {2: q})
    return private(of, R, design) and most >= shows(of, design) >= most * share


POSITIVE, NEGATIVE = "lam > 0", "lam < 0"
TWO_POSITIVE = Statement(
    family=two_bits,
    given={ORDERED: is_ordered, POSITIVE: lambda of, R, row: sum(of) < 1},
    holds=lambda of, R, row, share=ONE: _best(of, R, row, positive=True, share=share),
    too_strong={"99/100 of it": {"share": ALMOST}},
    too_weak=[ORDERED, POSITIVE],
)
TWO_NEGATIVE = Statement(
    family=two_bits,
    given={ORDERED: is_ordered, NEGATIVE: lambda of, R, row: sum(of) > 1},
    holds=lambda of, R, row, share=ONE: _best(of, R, row, positive=False, share=share),
    too_strong={"99/100 of it": {"share": ALMOST}},
    too_weak=[ORDERED, NEGATIVE],
)


def _given(law: dict[Path, F], value: int, rows: Rows) -> dict[Output, F]:
    """P(y | X_1 = value)."""
    found = outputs({x: p for x, p in law.items() if x[0] == value}, rows)
    total = sum(found.values())
    return {y: F(weight, total) for y, weight in found.items()}


@cache
def best_three(of: Bits, n: int, R: F) -> F | None:
    """Return what the best 3R mechanism about X_1 shows with the whole budget, or None if M has
    several records: likelihoods are affine in the one q, so each output has a least q.
    """
    split = regions(of, n, 1, R, R)
    medium = [t for t, letter in enumerate(split, 1) if letter == "M"]
    if len(medium) > 1:
        return None
    least, law = ZERO, stationary(of, n)
    zero, one = (
        [_given(law, v, three_regions(split, dict.fromkeys(medium, q))) for v in (0, 1)]
        for q in (ZERO, ONE)
    )
    for y, v in product({*zero[0], *zero[1], *one[0], *one[1]}, (0, 1)):
        low, high = (R * laws[1 - v].get(y, ZERO) - laws[v].get(y, ZERO) for laws in (zero, one))
        if low < 0 <= high:
            least = max(least, low / (low - high))
    rows = three_regions(split, dict.fromkeys(medium, least))
    return shows(of, rows) if private(of, R, rows) else None


def medium(of: Bits, n: int, R: F) -> int:
    """Return |M| for a private X_1 with the whole budget."""
    return regions(of, n, 1, R, R).count("M")
