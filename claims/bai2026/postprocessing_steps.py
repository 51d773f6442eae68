"""The steps of the printed proof that weights with two nonzero entries break post-processing: step 3 is the wrong one.

w is +1 at the database on the left of a constraint and -beta at the others. Steps 1 and 2 hold for epsilon > 0. Step 3 applies
sum >= 2 sqrt(product) under the factors w_i, of which all but one are negative: the inequality goes the other way.
Source: bai2026, proof of Theorem 5.2.
"""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

import sympy
from sympy import Eq

from pufferproof.claims.bai2026.nfc_instances import satisfies
from pufferproof.claims.registry import Check, claim
from pufferproof.models.channel import Channel, post_process
from pufferproof.verify.proof import Argument

HALVES = {"b": Fraction(1, 2), "c": Fraction(1, 2)}
LEVEL = Fraction(2)
SHIFTS = "the entries of w sum to 0, so constants may be added"
FIRST = "step 1, epsilon > 0"
SECOND = "step 2, epsilon > 0"
LAST = "the last line of (3) is epsilon"
REVERSED = "(3) with the inequality reversed"
Column = tuple[int, ...]


@claim(
    "bai2026.ppi-steps",
    where="proof of Theorem 5.2",
    statement="Step 1: constant negative vectors are strictly feasible, and there are v*, v' tight for w^(1), slack for the "
    "others, with different differences. Step 2: for large c, v* - c, log(1/2 - e^(v* - c)), v' - c, log(1/2 - e^(v' - c)) "
    "define a feasible mechanism, tight at 0 and 2. Step 3: merging 0 and 2 gives (3) sum_i w_i log(x_i + y_i) >= "
    "sum_i w_i log(2 sqrt(x_i y_i)) = epsilon, strict unless x_i = y_i, so output 1 violates.",
    kind="proof steps",
    repair="bai2026.ppi-steps-repaired",
)
def ppi_steps(check: Check) -> None:
    """Refute step 3 on the construction itself, and steps 1 and 2 for epsilon = 0; prove the rest."""
    with check.reading("(3)", "one counterexample") as argument:
        _construction(argument, "(3)")
    with check.reading("output 1 violates its constraint", "one counterexample") as argument:
        _construction(argument, "output 1")
    with check.reading("step 1, epsilon = 0", "one counterexample") as argument:
        _constants_are_tight(argument)
    with check.reading("step 2, epsilon = 0", "one counterexample, every c") as argument:
        _complement_fails(argument)
    _proved_steps(check)


@claim(
    "bai2026.ppi-steps-repaired",
    where="proof of Theorem 5.2, repaired",
    statement="For epsilon > 0 steps 1 and 2 give a feasible mechanism that is tight at 0 and 2, and then sum_i w_i "
    "log(x_i + y_i) <= sum_i w_i log(2 sqrt(x_i y_i)) = epsilon: the merged output satisfies the constraint.",
    kind="repair of bai2026.ppi-steps",
)
def ppi_steps_repaired(check: Check) -> None:
    """Prove the steps that hold, and step 3 in the other direction."""
    _proved_steps(check)


def _proved_steps(check: Check) -> None:
    with check.reading(SHIFTS, "all finite sizes") as argument:
        _shifts(argument)
    check.near_miss(f"{SHIFTS}: weights summing to 2", lambda argument: _shifts(argument, heavy=True))
    with check.reading(FIRST, "all finite sizes") as argument:
        _tight_points(argument)
    check.near_miss(f"{FIRST}: epsilon = 0", lambda argument: _tight_points(argument, zero=True))
    with check.reading(SECOND, "all finite sizes") as argument:
        _mechanism(argument)
    check.near_miss(f"{SECOND}: epsilon = 0", lambda argument: _mechanism(argument, zero=True))
    with check.reading(LAST, "all finite sizes") as argument:
        _last_line(argument)
    check.near_miss(f"{LAST}: one tight output", lambda argument: _last_line(argument, slack=True))
    with check.reading(REVERSED, "all finite sizes") as argument:
        _reversed(argument)
    check.near_miss(f"{REVERSED}: weights of the other sign", lambda argument: _reversed(argument, printed=True))


def _shifts(argument: Argument, heavy: bool = False) -> None:
    B, b, W, S, T, c, v = sympy.symbols("B b W S T c v")
    argument.induction(
        "the entries",
        "W sums the entries of w, 1 at the left database and then -beta; B the beta: W = 1 - B, and B = 1 at the end",
        base=(Eq(W, 1 - B), [Eq(W, 1), Eq(B, 0)]),
        step=(Eq(W - b, 1 - (B + b)), [Eq(W, 1 - B)]),
    )
    argument.induction(
        "a constant added to v",
        "S and T are the products of w with v and with v - c so far, W the sum of the entries so far, b the next entry",
        base=(Eq(b * (v - c), b * v - c * b), []),
        step=(Eq(T + b * (v - c), (S + b * v) - c * (W + b)), [Eq(T, S - c * W)]),
    )
    argument.inequality(
        "no change", "With W = 1 - B = 0", Eq(S, T), [Eq(T, S - c * W), Eq(W, 1 - B), Eq(B, 2 if heavy else 1)]
    )


def _tight_points(argument: Argument, zero: bool = False) -> None:
    e, k, P, p, v, d, g, G, s, m, y, b, f = sympy.symbols("e k P p v d g G s m y b f")
    level = [Eq(e, 0)] if zero else [e > 0]
    argument.inequality(
        "constant vectors", "have product 0 with every w: strictly below epsilon", p < e, [Eq(p, 0), *level]
    )
    argument.inequality(
        "a tight point",
        "As w^(1) is not redundant, some v (positive likelihoods: mix a constant into one with zeros) has P = v.w^(1) > "
        "epsilon and p = v.w^(i) <= epsilon for i >= 2. The point k v - (1 - k) with k = epsilon/P has product epsilon "
        "with w^(1), less than epsilon with the others, and negative entries",
        (k > 0) & (k < 1) & (k * p < e) & (k * v - (1 - k) < 0),
        [Eq(k * P, e), P > e, p <= e, v <= 0, *level],
    )
    argument.identity(
        "a direction in which w^(1) is tight",
        "h is 1 at g1, 0 at g2 and beta_g1 at the left database, where beta_g1, beta_g2 > 0: h.w^(1) = beta_g1 - beta_g1 1 "
        "- beta_g2 0",
        b * 1 - b * 1 - f * 0,
        0,
    )
    argument.inequality(
        "a small step keeps the rest",
        "g is an entry of h or a product h.w^(i), at most G in size, s > 0 the least slack: with d (G + 1) = s, d > 0 and "
        "d g < s",
        (d > 0) & (d * g < s),
        [Eq(d * (G + 1), s), s > 0, g <= G, -g <= G],
    )
    argument.inequality(
        "linearly independent",
        "v* and v' = v* + d h: v' = m v* would give m = 1 at g2, where v* = y < 0 and h = 0, and d = 0 at g1",
        ~(Eq(v + d, m * v) & Eq(y, m * y)),
        [d > 0, y < 0, v < 0],
    )
    argument.inequality(
        "different differences", "v' - v* is d at g1 and 0 at g2", sympy.Ne(v + d - v, y - y), [d > 0, y < 0, v < 0]
    )


def _mechanism(argument: Argument, zero: bool = False) -> None:
    X, b, x, m, B, E, q, p, r, G, d = sympy.symbols("X b x m B E q p r G d")
    argument.induction(
        "a geometric mean is at least the smallest",
        "X and B sum beta log u and beta, m is the least log u: X >= m B",
        base=(b * x >= m * b, [x >= m, b >= 0]),
        step=(X + b * x >= m * (B + b), [X >= m * B, x >= m, b >= 0]),
    )
    argument.inequality(
        "the complements are feasible",
        "For large c all entries of e^(v - c) are at most q with 2 E q <= E - 1. At the left database 1/2 - p <= 1/2, the "
        "mean G of the others is at least 1/2 - q: so 1/2 - p <= E G",
        sympy.Rational(1, 2) - p <= E * G,
        [p >= 0, p <= q, G >= sympy.Rational(1, 2) - q, Eq(E, 1) if zero else (2 * E * q <= E - 1), E >= 1, q > 0]
        + ([4 * q <= 1] if zero else []),
    )
    argument.identity(
        "a mechanism",
        "The four outputs have total probability 1",
        p + (sympy.Rational(1, 2) - p) + r + (sympy.Rational(1, 2) - r),
        1,
    )
    argument.inequality(
        "probabilities are positive",
        "p > 0, and p <= q with 2 E q <= E - 1 leaves 1/2 - p > 0",
        (sympy.Rational(1, 2) - p > 0) & (d > 0),
        [Eq(d, p), p > 0, p <= q, 2 * E * q <= E - 1, E >= 1],
    )


def _last_line(argument: Argument, slack: bool = False) -> None:
    S, T, Q, L, w, x, y, e, W = sympy.symbols("S T Q L w x y e W")
    argument.induction(
        "a square root halves the logarithm",
        "S, T and Q sum w log x, w log y and w log(2 sqrt(x y)), W the entries of w, L = log 2; x and y now are the "
        "logarithms",
        base=(Eq(w * (L + (x + y) / 2), L * w + (w * x + w * y) / 2), []),
        step=(
            Eq(Q + w * (L + (x + y) / 2), L * (W + w) + ((S + w * x) + (T + w * y)) / 2),
            [Eq(Q, L * W + (S + T) / 2)],
        ),
    )
    argument.inequality(
        "both outputs are tight",
        "W = 0 and S = T = epsilon, as dividing by the entry at the left database adds a constant to the logarithms",
        Eq(Q, e),
        [Eq(Q, L * W + (S + T) / 2), Eq(W, 0), Eq(S, e), (T <= e) if slack else Eq(T, e)],
    )


def _reversed(argument: Argument, printed: bool = False) -> None:
    x, y, g, S, Q, b, s, q, L = sympy.symbols("x y g S Q b s q L")
    argument.inequality(
        "two numbers",
        "g = 2 sqrt(x y) is at most x + y; so are the logarithms, q <= s",
        g <= x + y,
        [Eq(g**2, 4 * x * y), g >= 0, x >= 0, y >= 0],
    )
    argument.induction(
        "the databases on the right",
        "Their entries of w are -b, b >= 0. S and Q sum -b s and -b q: S <= Q",
        base=(-b * s <= -b * q, [q <= s, (b <= 0) if printed else (b >= 0)]),
        step=(S - b * s <= Q - b * q, [S <= Q, q <= s, (b <= 0) if printed else (b >= 0)]),
    )
    argument.inequality(
        "the left database",
        "There x = y = 1 and both sides have log 2 = L: (3) holds with <=, and equality only if S = Q",
        L + S <= L + Q,
        [S <= Q],
    )


def _tight_pairs(largest: int) -> Iterator[tuple[int, Column, Column]]:
    """List pairs of tight columns in multiples of 1/size, at most 1/2, that are not proportional."""
    for size in range(2, largest + 1, 2):
        entries = range(1, size // 2)
        tight = [each for each in product(entries, repeat=3) if each[0] ** 2 == LEVEL**2 * each[1] * each[2]]
        for i, first in enumerate(tight):
            yield from ((size, first, second) for second in tight[:i] if first[1] * second[0] != second[1] * first[0])


def construction(size: int, first: Column, second: Column) -> tuple[Channel, Channel]:
    """Return the mechanism of step 2 and the processing of step 3, with the largest r."""
    half = Fraction(1, 2)
    columns = [[Fraction(n, size) for n in column] for column in (first, second)]
    rows = {x: [columns[0][i], half - columns[0][i], columns[1][i], half - columns[1][i]] for i, x in enumerate("abc")}
    mechanism = Channel.of(rows, ["0", "1", "2", "3"])
    r = min(columns[0][0], columns[1][0])
    to_one = {"0": r / columns[0][0], "1": Fraction(0), "2": r / columns[1][0], "3": Fraction(0)}
    return mechanism, Channel.of({y: [1 - p, p] for y, p in to_one.items()}, ["0", "1"])


def _construction(argument: Argument, what: str) -> None:
    size, first, second = next(_tight_pairs(40))
    mechanism, processing = construction(size, first, second)
    x, y = ([Fraction(n, column[0]) for n in column] for column in (first, second))
    merged = post_process(mechanism, processing)
    # e^(2 left side) and e^(2 right side) of (3); w = (1, -1/2, -1/2)
    left = (x[0] + y[0]) ** 2 / ((x[1] + y[1]) * (x[2] + y[2]))
    right = LEVEL**2
    argument.counterexample(
        "the construction with the smallest denominator",
        "D = a, weights (1/2, 1/2) on b and c, e^epsilon = 2: the right side of (3) is log 2, the left side is less; "
        "output 1 of A o M satisfies its constraint with room to spare",
        {
            "D": "a",
            "weights": HALVES,
            "e^epsilon": LEVEL,
            "mechanism of step 2": mechanism,
            "processing": processing,
            "x": x,
            "y": y,
            "e^(2 left side of (3))": left,
            "e^(2 right side of (3))": right,
        },
        lambda: (
            _tight_and_feasible(mechanism)
            and ((left < right) if what == "(3)" else satisfies(merged, "a", HALVES, LEVEL))
        ),
    )


def _tight_and_feasible(mechanism: Channel) -> bool:
    """Say whether all four outputs satisfy the constraint, 0 and 2 with equality."""
    tight = all(
        mechanism.probability("a", w) ** 2 == LEVEL**2 * mechanism.probability("b", w) * mechanism.probability("c", w)
        for w in "02"
    )
    return tight and satisfies(mechanism, "a", HALVES, LEVEL)


def _constants_are_tight(argument: Argument) -> None:
    w = (Fraction(1), Fraction(-1, 2), Fraction(-1, 2))
    argument.counterexample(
        "constants at epsilon = 0",
        "The product of a constant vector with w is 0, which is not less than epsilon = 0",
        {"w": list(w), "v": [-1, -1, -1], "epsilon": 0},
        lambda: sum(-each for each in w) >= 0,
    )


def _complement_fails(argument: Argument) -> None:
    t = sympy.Symbol("t")
    half = sympy.Rational(1, 2)
    always = argument.inequality(
        "for every c",
        "(p_a, p_b, p_c) = (2 t, t, 4 t) with t = e^-c is tight for weights (1/2, 1/2), e^epsilon = 1. Its complement has "
        "(1/2 - p_a)^2 - (1/2 - p_b)(1/2 - p_c) = t/2 > 0: no c is large enough",
        (half - 2 * t) ** 2 > (half - t) * (half - 4 * t),
        [t > 0, 8 * t < 1],
    )
    column = [Fraction(2, 16), Fraction(1, 16), Fraction(4, 16)]
    rest = [Fraction(1, 2) - p for p in column]
    argument.counterexample(
        "a tight output at epsilon = 0 and its complement",
        "At t = 1/16: the complement violates the constraint",
        {"output 0": column, "output 1": rest, "weights": HALVES, "e^epsilon": 1},
        lambda: always and column[0] ** 2 == column[1] * column[2] and rest[0] ** 2 > rest[1] * rest[2],
    )
