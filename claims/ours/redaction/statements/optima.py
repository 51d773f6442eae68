"""Statements on what local mechanisms release at most: two records, an end, gaps to DIMs."""

from collections.abc import Mapping, Sequence
from functools import cache
from itertools import product

from pufferproof.claims.language.instances.chains import Path
from pufferproof.claims.language.instances.frameworks import Rows
from pufferproof.claims.language.instances.laws import ALMOST, HALF, ONE, ZERO, at_most, subsets
from pufferproof.claims.language.instances.redaction import (
    CHANCES,
    HIDDEN,
    ORDERED,
    SHOWN,
    Bits,
    Output,
    bits,
    is_ordered,
    leakage,
    local,
    outputs,
    pointwise,
    reached,
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


def at_the_end(draws: Draws, signs: str = "---+") -> Instance:
    """A stationary chain of one to four bits, mostly a <= b, most often with one sign of the
    eigenvalue, a local mechanism that redacts X_1, and a level that it keeps, often its least.
    """
    of, n = bits(draws, signs), 1 + draws.below(4)
    rows = local(draws, n, [1])
    least = leakage(stationary(of, n), rows, [1]) or ONE
    return {"of": of, "rows": rows, "R": least * draws.among([ONE, ONE, F(5, 4), F(3)])}


WINNER = [HIDDEN, [F(3, 8), ONE], [F(1, 7), ONE]]
"""At a = 1/12, b = 2/3 and e^eps = 9/5 it shows more than every 3R mechanism."""


def _three_is_best(of: Bits, rows: Rows, R: F, strictly: bool = False) -> bool:
    found, shown = best_three(of, len(rows), R), shows(of, rows)
    return found is None or (found > shown if strictly else found >= shown)


ONE_SIDED_NEGATIVE = Statement(
    family=at_the_end,
    edges=[{"of": (F(1, 12), F(2, 3)), "rows": WINNER, "R": F(9, 5)}],
    given={ORDERED: is_ordered, NEGATIVE: lambda of, rows, R: sum(of) > 1},
    holds=lambda of, rows, R, strictly_more=False: (
        (_three_is_best(of, rows, R) and best_three(of, len(rows), R) is not None)
        and (not strictly_more or (_three_is_best(of, rows, R, strictly=True)))
    ),
    too_strong={"strictly more": {"strictly_more": True}},
    too_weak=[ORDERED, NEGATIVE],
)


def one_or_two(draws: Draws) -> Instance:
    """A stationary chain of one or two bits, or one time in eight three, mostly a <= b, any
    eigenvalue other than 0, a local mechanism that redacts X_1, and its least level or more.
    """
    drawn = at_the_end(draws, "+-")
    n = draws.among([2, 1, 2, 2, 2, 2, 2, 3])
    rows = [*drawn["rows"], HIDDEN, HIDDEN][:n]
    least = leakage(stationary(drawn["of"], n), rows, [1]) or ONE
    return drawn | {"rows": rows, "R": least * draws.among([ONE, ONE, F(5, 4)])}


SHORT = "n <= 2"
COUPLED_TWO = Statement(
    family=one_or_two,
    edges=[{"of": (F(1, 12), F(2, 3)), "rows": WINNER, "R": F(9, 5)}],
    given={ORDERED: is_ordered, SHORT: lambda of, rows, R: len(rows) <= 2},
    holds=_three_is_best,
    too_strong={"strictly": {"strictly": True}},
    too_weak=[ORDERED, SHORT],
)


def medium(of: Bits, n: int, R: F) -> int:
    """Return |M| for a private X_1 with the whole budget."""
    return regions(of, n, 1, R, R).count("M")


def _loss(of: Bits, rows: Rows, R: F, share: F = ONE) -> bool:
    """Whether rows show at most |M| b/(a+b) more than a 3R mechanism, the best one, or that with
    q = 1 where M has several records.
    """
    n, (a, b) = len(rows), of
    best = best_three(of, n, R)
    if best is None:
        split = regions(of, n, 1, R, R)
        full = three_regions(split, dict.fromkeys(range(1, n + 1), ONE))
        if not private(of, R, full):
            return False
        best = shows(of, full)
    return shows(of, rows) - best <= share * medium(of, n, R) * b / (a + b)


def _rare(k: int, K: int) -> tuple[Bits, F]:
    """The chain b = 1/2, a = 1/(2 (4K)^m), and e^i1(m), m = k + 1."""
    of = F(1, 2 * (4 * K) ** (k + 1)), HALF
    return of, pointwise(of, k + 1, 1) or ONE


def often_positive(draws: Draws) -> Instance:
    """A stationary chain of one to four bits, mostly a <= b, most often with a positive eigenvalue,
    a local mechanism that redacts X_1, and a level that it keeps, often its least, or e^eps = 1.
    """
    drawn = at_the_end(draws, "+++-")
    return drawn | {"R": drawn["R"] if draws.below(8) < 7 else ONE}


RARE, LARGE = _rare(1, 100)
KEEPS = "the mechanism keeps eps"
COUPLING_LOSS = Statement(
    family=often_positive,
    edges=[{"of": RARE, "rows": [HIDDEN, [F(1, 100), ONE], [F(1, 100), ONE]], "R": LARGE}],
    given={
        ORDERED: is_ordered,
        POSITIVE: lambda of, rows, R: sum(of) < 1,
        KEEPS: lambda of, rows, R: private(of, R, rows),
    },
    holds=_loss,
    too_strong={
        "9/10 of it": {"share": F(9, 10)},
        "nothing": {"share": ZERO},
    },
    too_weak=[ORDERED, KEEPS],
)


def sizes(draws: Draws) -> Instance:
    """|M| = k of 1 or 2, K from 2 to 1,000, and probabilities q for 3R mechanisms, often 1."""
    k = 1 + draws.below(2)
    q = {t: draws.among([ONE, HALF, F(9, 10), F(1, 8)]) for t in range(2, k + 2)}
    return {"k": k, "K": draws.among([2, 3, 5, 10, 100, 1000]), "q": q}


def _as_close(k: int, K: int, q: Mapping[int, F], lacking: int = 3) -> bool:
    """Whether at e^i1(k + 1) a mechanism of n = k + 2 records shows k - 3 (k + 1)/K more than 3R,
    which has |M| = k and only q = 1.
    """
    (of, R), n = _rare(k, K), k + 2
    split = regions(of, n, 1, R, R)
    rows = [HIDDEN, *([F(1, K), ONE] for _ in range(k + 1))]
    forced = private(of, R, three_regions(split, q)) == (set(q.values()) == {ONE})
    gain = shows(of, rows) - 1
    return (
        split == "L" + k * "M" + "S"
        and forced
        and private(of, R, rows)
        and gain >= k - F(lacking * (k + 1), K)
    )


COUPLING_SHARP = Statement(
    family=sizes,
    holds=_as_close,
    too_strong={"a difference of k": {"lacking": 0}},
)


@cache
def _best_dim(of: Bits, n: int, p: int, R: F) -> int:
    """The most records that can be shown whatever their values."""
    sets = subsets(t for t in range(1, n + 1) if t != p)
    for shown in reversed(sets):  # the largest ones first
        if private(of, R, [SHOWN if t in shown else HIDDEN for t in range(1, n + 1)], p):
            return len(shown)
    return 0


def anywhere(draws: Draws) -> Instance:
    """A stationary chain of one to four bits, mostly a <= b, any eigenvalue, a private record, a
    local mechanism that redacts it and often shows only zeros, and x, the square root of a level
    that it keeps.
    """
    of, n = bits(draws), 1 + draws.below(4)
    p = 1 + draws.below(n)
    rows = local(draws, n, [p])
    if draws.whether():
        rows = [HIDDEN if t == p else [draws.among(CHANCES[2:]), ONE] for t in range(1, n + 1)]
    least = leakage(stationary(of, n), rows, [p]) or ONE
    x = F(101, 100)
    while x**2 < least:
        x *= F(5, 4)
    return {"of": of, "p": p, "rows": rows, "x": x}


ZEROS = {
    "of": (F(1, 1000), HALF),
    "p": 2,
    "rows": [[F(1, 8), ONE], HIDDEN, [F(1, 8), ONE]],
    "x": F(20),
}


def _window(of: Bits, p: int, n: int, x: F) -> tuple[list[list[F]], int]:
    """The DIM that redacts up to D*(eps/2) - 1 records on either side, and this number."""
    radius = reached(of, 1, x) - 1
    return [HIDDEN if abs(t - p) <= radius else SHOWN for t in range(1, n + 1)], radius


def _bounded(of: Bits, p: int, rows: Rows, x: F, share: int = 2) -> bool:
    """Whether rows show at most `share` (D*(eps/2) - 1) more than the best DIM, and than a 3R
    mechanism with equal budgets: that window.
    """
    n = len(rows)
    window, radius = _window(of, p, n, x)
    split = regions(of, n, p, x, x)
    of_family = three_regions(split, dict.fromkeys(range(1, n + 1), ONE))
    return (
        private(of, x**2, window, p)
        and window == of_family
        and shows(of, rows) - min(shows(of, window), F(_best_dim(of, n, p, x**2))) <= share * radius
    )


GAP_BOUNDED = Statement(
    family=anywhere,
    given={ORDERED: is_ordered},
    edges=[ZEROS],
    holds=_bounded,
    too_strong={
        "D*(eps/2) - 1": {"share": 1},
        "nothing": {"share": 0},
    },
    too_weak=[ORDERED],
)


def formed(draws: Draws) -> Instance:
    """A stationary chain of one to five bits, mostly a <= b, often with few ones, a mechanism about
    X_1 that is (1,1), then (q_t, 1) up to a distance c and (0,0) from there on; its least level.
    """
    of, n = bits(draws, "+"), 1 + draws.below(5)
    if draws.whether():
        of = of[0] / draws.among([1, 16, 10**4]), of[1]
    first = 1 + draws.below(n)
    c = first + draws.below(n + 1 - first)
    rows = [HIDDEN for _ in range(n)]
    for distance in range(first, n):
        q = draws.among([F(1, 50), F(1, 8), HALF, ONE])
        rows[distance] = [q, ONE] if distance < c else SHOWN
    return {"of": of, "rows": rows, "c": c, "R": leakage(stationary(of, n), rows, [1]) or ONE}


def _soon(of: Bits, rows: Rows, c: int, R: F, share: F = ONE) -> bool:
    """Whether c <= D1 + (b/a) (D1 - D0), and one more record shown at the far end leaks nothing."""
    (a, b), D0, D1 = of, reached(of, 0, R), reached(of, 1, R)
    grows = c == len(rows) or private(of, R, [*rows, SHOWN])
    return c <= D1 + share * b / a * (D1 - D0) and grows


WORTH, SOME = "it shows at least as much as the best DIM", "eps > 0"
GAP_CONSTANT = Statement(
    family=formed,
    given={
        ORDERED: is_ordered,
        SOME: lambda of, rows, c, R: R > 1,
        WORTH: lambda of, rows, c, R: shows(of, rows) >= _best_dim(of, len(rows), 1, R),
    },
    holds=_soon,
    too_strong={"c <= D1": {"share": ZERO}},
    too_weak=[ORDERED, WORTH],
)


def _gain(of: Bits, R: F) -> F:
    return (best_three(of, 2, R) or ZERO) - _best_dim(of, 2, 1, R)


def _when(of: Bits, R: F, row: Sequence[F], strictly: bool = False) -> bool:
    low, high = near(of)
    alone = private(of, R, [row]) == ([*row] == HIDDEN)
    return alone and (_gain(of, R) > 0) == (low < R < high if strictly else low <= R < high)


WHEN = Statement(
    family=two_bits,
    given={ORDERED: is_ordered},
    holds=_when,
    too_strong={
        "i0(1) < eps": {"strictly": True},
    },
)


def _how_much(of: Bits, R: F, row: Sequence[F], most: F = ONE) -> bool:
    """Whether the gain is below b/(a+b) < 1, near to it just below i1(1), and near to 1 for small
    a.
    """
    (a, b), (low, high) = of, near(of)
    close = low + (high - low) * (1 - F(1, 10**9))
    rare = b / 10**6, b
    top = near(rare)[1] * (1 - F(1, 10**6))
    return (
        _gain(of, R) < most * b / (a + b)
        and (a == b or sum(of) == 1 or _gain(of, close) > ALMOST * b / (a + b))
        and (b / 10**6 + b >= 1 or _gain(rare, top) > ALMOST)
    )


HOW_MUCH = Statement(
    family=two_bits,
    given={ORDERED: is_ordered},
    holds=_how_much,
    too_strong={"below 9/10 of it": {"most": F(9, 10)}},
    too_weak=[ORDERED],
)


def rare_ones(draws: Draws) -> Instance:
    """Two to four records, a private one, and K from 4 to 1,000."""
    n = 2 + draws.below(3)
    return {"n": n, "p": 1 + draws.below(n), "K": draws.among([4, 5, 10, 100, 1000])}


def _nearly_all(n: int, p: int, K: int, lacking: int = 3) -> bool:
    """Whether with few ones a 3R mechanism of equal budgets shows n - 1 - 3 (n - 1)/K records
    where no DIM shows one.
    """
    m = n - 1
    of, R = (F(1, 4 * K ** (2 * m) * 4**m), HALF), F(K) ** (2 * m)
    rows = [HIDDEN if t == p else [F(1, K), ONE] for t in range(1, n + 1)]
    law, budget = stationary(of, n), F(K) ** m
    kept = all(
        at_most(leakage(law, rows, [p], side), budget)
        for side in (range(1, p), range(p + 1, n + 1))
    )
    return (
        regions(of, n, p, budget, budget) == "M" * (p - 1) + "L" + "M" * (n - p)
        and kept
        and private(of, R, rows, p)
        and _best_dim(of, n, p, R) == 0
        and shows(of, rows) >= m - F(lacking * m, K)
    )


LARGEST_GAIN = Statement(
    family=rare_ones,
    holds=_nearly_all,
    too_strong={"all n - 1": {"lacking": 0}},
)


def _beyond_dim(of: Bits, p: int, rows: Rows, x: F) -> F:
    R = leakage(stationary(of, len(rows)), rows, [p]) or ONE
    return shows(of, rows) - _best_dim(of, len(rows), p, R)


TWO_OR_MORE = "n >= 2"
NEVER_ALL = Statement(
    family=anywhere,
    given={TWO_OR_MORE: lambda of, p, rows, x: len(rows) >= 2},
    holds=lambda of, p, rows, x, at_most_=False: (
        (_beyond_dim(of, p, rows, x) < len(rows) - 1)
        and (not at_most_ or (_beyond_dim(of, p, rows, x) <= len(rows) - 2))
    ),
    too_strong={"n - 2 at most": {"at_most_": True}},
    too_weak=[TWO_OR_MORE],
)
