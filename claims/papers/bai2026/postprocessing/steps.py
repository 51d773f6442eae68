"""The steps of the printed proof that weights with two nonzero entries break post-processing: step
3 is the wrong one.

w is +1 at the database on the left of a constraint and -beta at the others. Steps 1 and 2 hold for
epsilon > 0. Step 3 applies sum >= 2 sqrt(product) under the factors w_i, of which all but one are
negative: the inequality goes the other way. Source: bai2026, proof of Theorem 5.2.
"""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

import sympy
from sympy import Eq

from pufferproof.claims.papers.bai2026.nfc.instances import satisfies
from pufferproof.claims.registry import Check, claim
from pufferproof.models.channel import Channel, post_process
from pufferproof.verify.proof.argument import Argument

HALVES = {"b": Fraction(1, 2), "c": Fraction(1, 2)}
LEVEL = Fraction(2)
SHIFTS = "the entries of w sum to 0, so constants may be added"
FIRST = "step 1, epsilon > 0"
SECOND = "step 2, epsilon > 0"
LAST = "the last line of (3) is epsilon"
REVERSED = "(3) with the inequality reversed"
Column = tuple[int, ...]
NOTATION = {
    "w^(1)": "the constraint whose weights have two nonzero entries, as a vector with one entry "
    "for each database: 1 at the database on its left, -beta_l at D_l, 0 elsewhere; w^(j) "
    "another constraint of the set",
    "w_i": "the entry of w^(1) at the i-th database",
    "v*": "a vector of logarithms of likelihoods, one for each database, as is v'; it is feasible "
    "if its product with each w^(j) is at most epsilon, tight for w^(1) if the product with "
    "w^(1) is epsilon",
    "v": "v', a second such vector; v'_g is its entry at the database with the number g",
    "c": "a number",
    "g1, g2": "the numbers of two databases",
    "x_i, y_i": "x_i = P(i, 0)/P(t1, 0) and y_i = P(i, 2)/P(t1, 2), where P(i, o) is the "
    "probability of the output o of the mechanism of step 2 on the i-th database, and t1 the "
    "number of the database on the left of w^(1)",
    "A": "the processing of step 3, with P as for x_i: it maps 0 to 1 with probability r/P(t1, 0), "
    "2 to 1 with probability r/P(t1, 2), where r > 0 is at most both of P(t1, 0) and P(t1, 2), "
    "and everything else to 0",
}


@claim(
    "bai2026.ppi-steps",
    where="proof of Theorem 5.2",
    statement="Step 1: constant negative vectors have products less than epsilon with all w^(j), "
    "and there are v* and v' with product epsilon with w^(1), less with the others, and v*_g1 "
    "- v'_g1 != v*_g2 - v'_g2 for some g1, g2 with nonzero entries of w^(1). Step 2: for large "
    "c the vectors v* - c, log(1/2 - e^(v* - c)), v' - c, log(1/2 - e^(v' - c)) are feasible, "
    "and are the outputs 0, 1, 2, 3 of a mechanism that is tight at 0 and 2. Step 3: after A "
    "it satisfies (3) sum_i w_i log(x_i + y_i) >= sum_i w_i log(2 sqrt(x_i y_i)) = epsilon, "
    "strict unless x_i = y_i wherever w_i is not 0, so that output 1 violates its constraint.",
    kind="proof steps",
    repair="bai2026.ppi-steps-repaired",
)
def ppi_steps(check: Check) -> None:
    """Refute step 3 on the construction itself, and steps 1 and 2 for epsilon = 0; prove the
    rest.
    """
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
    statement="Let epsilon > 0 and let w^(1) be non-redundant with two or more nonzero weights. "
    "Constant negative vectors have products less than epsilon with all w^(j), and there are "
    "v* and v' with product epsilon with w^(1), less with the others, and v*_g1 - v'_g1 != "
    "v*_g2 - v'_g2 for some g1, g2 with nonzero entries of w^(1). For large c the vectors v* - "
    "c, log(1/2 - e^(v* - c)), v' - c, log(1/2 - e^(v' - c)) are feasible, and are the outputs "
    "0, 1, 2, 3 of a mechanism that is tight at 0 and 2. Then sum_i w_i log(x_i + y_i) <= "
    "sum_i w_i log(2 sqrt(x_i y_i)) = epsilon: the output 1 after A satisfies its constraint.",
    kind="repair of bai2026.ppi-steps",
)
def ppi_steps_repaired(check: Check) -> None:
    """Prove the steps that hold, and step 3 in the other direction."""
    _proved_steps(check)


def _proved_steps(check: Check) -> None:
    with check.reading(SHIFTS, "all finite sizes") as argument:
        _shifts(argument)
    check.near_miss(
        f"{SHIFTS}: weights summing to 2", lambda argument: _shifts(argument, heavy=True)
    )
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
    check.near_miss(
        f"{REVERSED}: weights of the other sign", lambda argument: _reversed(argument, printed=True)
    )


def _shifts(argument: Argument, heavy: bool = False) -> None:
    B, b, W, S, T, c, v = sympy.symbols("B b W S T c v")
    argument.induction(
        "the entries",
        "W sums the entries of w, 1 at the left database and then -beta; B the beta: W = 1 - B, "
        "and B = 1 at the end",
        base=(Eq(W, 1 - B), [Eq(W, 1), Eq(B, 0)]),
        step=(Eq(W - b, 1 - (B + b)), [Eq(W, 1 - B)]),
    )
    argument.induction(
        "a constant added to v",
        "S and T are the products of w with v and with v - c so far, W the sum of the entries so "
        "far, b the next entry",
        base=(Eq(b * (v - c), b * v - c * b), []),
        step=(Eq(T + b * (v - c), (S + b * v) - c * (W + b)), [Eq(T, S - c * W)]),
    )
    argument.inequality(
        "no change",
        "With W = 1 - B = 0",
        Eq(S, T),
        [Eq(T, S - c * W), Eq(W, 1 - B), Eq(B, 2 if heavy else 1)],
    )


def _tight_points(argument: Argument, zero: bool = False) -> None:
    e, k, P, p, v, d, g, G, s, m, x, y, z, o, b, f = sympy.symbols(
        "e k P p v d g G s m x y z o b f"
    )
    level = [Eq(e, 0)] if zero else [e > 0]
    argument.inequality(
        "constant vectors",
        "have product 0 with every w: strictly below epsilon",
        p < e,
        [Eq(p, 0), *level],
    )
    argument.inequality(
        "a tight point",
        "As w^(1) is not redundant, some v (positive likelihoods: mix a constant into one with "
        "zeros) has P = v.w^(1) > epsilon and p = v.w^(i) <= epsilon for i >= 2. The point k v - "
        "(1 - k) with k = epsilon/P has product epsilon with w^(1), less than epsilon with the "
        "others, and negative entries",
        (k > 0) & (k < 1) & (k * p < e) & (k * v - (1 - k) < 0),
        [Eq(k * P, e), P > e, p <= e, v <= 0, *level],
    )
    argument.inequality(
        "a direction in which w^(1) is tight",
        "w^(1) has the entries 1 at the left database, -b at g1 and -f at g2, b, f > 0. The vector "
        "h is b at the left database, 1 at g1 and 0 elsewhere, also at g2: P = h.w^(1) = 0",
        Eq(P, 0),
        [Eq(P, x - b * y - f * z - o), Eq(x, b), Eq(y, 1), Eq(z, 0), Eq(o, 0), b > 0, f > 0],
    )
    argument.inequality(
        "a small step keeps the rest",
        "g is an entry of h or a product h.w^(i), at most G in size, s > 0 the least slack: with d "
        "(G + 1) = s, d > 0 and d g < s",
        (d > 0) & (d * g < s),
        [Eq(d * (G + 1), s), s > 0, g <= G, -g <= G],
    )
    argument.inequality(
        "linearly independent",
        "v* and v' = v* + d h: v' = m v* would give m = 1 at g2, where v* = y < 0 and h = 0, and d "
        "= 0 at g1",
        ~(Eq(v + d, m * v) & Eq(y, m * y)),
        [d > 0, y < 0, v < 0],
    )
    argument.inequality(
        "different differences",
        "v* has the entries v at g1 and y at g2; v' = v* + d h has the entries x and z there",
        sympy.Ne(v - x, y - z),
        [Eq(x, v + d), Eq(z, y), d > 0, v < 0, y < 0],
    )


def _mechanism(argument: Argument, zero: bool = False) -> None:
    X, b, x, m, B, E, q, p, G, d = sympy.symbols("X b x m B E q p G d")
    argument.induction(
        "a geometric mean is at least the smallest",
        "X and B sum beta log u and beta, m is the least log u: X >= m B",
        base=(b * x >= m * b, [x >= m, b >= 0]),
        step=(X + b * x >= m * (B + b), [X >= m * B, x >= m, b >= 0]),
    )
    argument.inequality(
        "the complements are feasible",
        "For large c all entries of e^(v - c) are at most q with 2 E q <= E - 1. At the left "
        "database 1/2 - p <= 1/2, the mean G of the others is at least 1/2 - q: so 1/2 - p <= E G",
        sympy.Rational(1, 2) - p <= E * G,
        [
            p >= 0,
            p <= q,
            G >= sympy.Rational(1, 2) - q,
            Eq(E, 1) if zero else (2 * E * q <= E - 1),
            E >= 1,
            q > 0,
        ]
        + ([4 * q <= 1] if zero else []),
    )
    argument.identity(
        "a mechanism",
        "The four outputs, e^(v* - c) = p, 1/2 - p, e^(v' - c) = r and 1/2 - r, have total "
        "probability 1 on each database",
        "p + (1/2 - p) + r + (1/2 - r)",
        "1",
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
        "S, T and Q sum w log x, w log y and w log(2 sqrt(x y)), W the entries of w, L = log 2; x "
        "and y now are the logarithms",
        base=(Eq(w * (L + (x + y) / 2), L * w + (w * x + w * y) / 2), []),
        step=(
            Eq(Q + w * (L + (x + y) / 2), L * (W + w) + ((S + w * x) + (T + w * y)) / 2),
            [Eq(Q, L * W + (S + T) / 2)],
        ),
    )
    argument.inequality(
        "both outputs are tight",
        "W = 0 and S = T = epsilon, as dividing by the entry at the left database adds a constant "
        "to the logarithms",
        Eq(Q, e),
        [Eq(Q, L * W + (S + T) / 2), Eq(W, 0), Eq(S, e), (T <= e) if slack else Eq(T, e)],
    )


def _reversed(argument: Argument, printed: bool = False) -> None:
    x, y, g, S, Q, b, s, q, L, X, Y, l, r, e = sympy.symbols("x y g S Q b s q L X Y l r e")
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
        "There x = y = 1, and w is 1: the left side X of (3) adds l = log(1 + 1) and the right "
        "side Y = epsilon adds r = log(2 sqrt(1)), both log 2 = L. So X <= epsilon, with equality "
        "only if S = Q",
        (X <= e) & (Eq(S, Q) | (X < e)),
        [Eq(X, l + S), Eq(Y, r + Q), Eq(l, L), Eq(r, L), Eq(Y, e), S <= Q],
    )


def _tight_pairs(largest: int) -> Iterator[tuple[int, Column, Column]]:
    """List pairs of tight columns in multiples of 1/size, at most 1/2, that are not
    proportional.
    """
    for size in range(2, largest + 1, 2):
        entries = range(1, size // 2)
        tight = [
            each
            for each in product(entries, repeat=3)
            if each[0] ** 2 == LEVEL**2 * each[1] * each[2]
        ]
        for i, first in enumerate(tight):
            yield from (
                (size, first, second)
                for second in tight[:i]
                if first[1] * second[0] != second[1] * first[0]
            )


def construction(size: int, first: Column, second: Column) -> tuple[Channel, Channel]:
    """Return the mechanism of step 2 and the processing of step 3, with the largest r."""
    half = Fraction(1, 2)
    columns = [[Fraction(n, size) for n in column] for column in (first, second)]
    rows = {
        x: [columns[0][i], half - columns[0][i], columns[1][i], half - columns[1][i]]
        for i, x in enumerate("abc")
    }
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
        "Take one constraint at e^epsilon = 2, of the database a with the weights 1/2 on b and on "
        "c, and the mechanism and the processing of steps 2 and 3 with the smallest denominator. "
        "The right side of (3) is epsilon = log 2, as printed, but the left side is less: the "
        "entries of w at b and c are negative, which turns the inequality of means round. So "
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
        mechanism.probability("a", w) ** 2
        == LEVEL**2 * mechanism.probability("b", w) * mechanism.probability("c", w)
        for w in "02"
    )
    return tight and satisfies(mechanism, "a", HALVES, LEVEL)


def _constants_are_tight(argument: Argument) -> None:
    w = (Fraction(1), Fraction(-1, 2), Fraction(-1, 2))
    argument.counterexample(
        "constants at epsilon = 0",
        "Let epsilon = 0. The product of a constant vector with w is 0, as the entries of w sum to "
        "0, and that is not less than epsilon",
        {"w": list(w), "v": [-1, -1, -1], "epsilon": 0},
        lambda: sum(-each for each in w) >= 0,
    )


def _complement_fails(argument: Argument) -> None:
    p, q, r = sympy.symbols("p q r")
    half = sympy.Rational(1, 2)
    always = argument.inequality(
        "for every c",
        "At epsilon = 0 let p, q and r, at most 1/2, be the probabilities of an output on a, b and "
        "c that is tight for the weights (1/2, 1/2), p^2 = q r, with q and r different. Then its "
        "complement violates the constraint: no c is large enough",
        (half - p) ** 2 > (half - q) * (half - r),
        [
            Eq(p**2, q * r),
            sympy.Ne(q, r),
            p >= 0,
            q >= 0,
            r >= 0,
            2 * p <= 1,
            2 * q <= 1,
            2 * r <= 1,
        ],
    )
    column = [Fraction(2, 16), Fraction(1, 16), Fraction(4, 16)]
    rest = [Fraction(1, 2) - p for p in column]
    argument.counterexample(
        "a tight output at epsilon = 0 and its complement",
        "Let epsilon = 0 and let output 0 have the probabilities 1/8, 1/16 and 1/4 on a, b and c, "
        "which is tight for the weights 1/2 on b and on c. Output 1 then has 3/8, 7/16 and 1/4, "
        "and (3/8)^2 > (7/16)(1/4): it violates the constraint, and so it does for every c, as the "
        "outputs that are tight and not constant have such complements",
        {"output 0": column, "output 1": rest, "weights": HALVES, "e^epsilon": 1},
        lambda: (
            always and column[0] ** 2 == column[1] * column[2] and rest[0] ** 2 > rest[1] * rest[2]
        ),
    )
