"""What of local redaction survives larger alphabets, other initial laws, non-reversible chains, and
what breaks.

Influences are e^i: the largest quotient P(X_t = y | X_p = x)/P(X_t = y | X_p = x') over x, x', of a
value y, or of all. Counterexamples are evaluated exactly. Source of the setting: massny2025, for
stationary chains of bits.
"""

from collections.abc import Sequence
from fractions import Fraction
from itertools import product

import sympy

from pufferproof.claims.language import (
    Proof,
    letter,
    proved,
)
from pufferproof.claims.ours.redaction.statements.chains import (
    EVERY_VALUE,
    MAX_INFLUENCE,
    SIDES_AGREE,
    SUBADD,
)
from pufferproof.claims.registry import Check, claim

entry = letter("entry", "the next entry of the old column")
Rows = tuple[tuple[Fraction, ...], ...]
_STATIONARY = " and ".join(f"item(after(law, P), {k}) = item(law, {k})" for k in range(3))


def rows(*lines: str) -> Rows:
    """Read a matrix, one text of fractions per row."""
    return tuple(tuple(Fraction(each) for each in line.split()) for line in lines)


def times(left: Rows, right: Rows) -> Rows:
    """Multiply two matrices."""
    columns = tuple(zip(*right))
    return tuple(
        tuple(sum((f * g for f, g in zip(row, column)), Fraction(0)) for column in columns)
        for row in left
    )


def influence(of: Rows, value: int | None = None) -> Fraction:
    """e^i of a value, or of all, for a matrix of P(X_t = y | X_p = x) > 0."""
    columns: tuple[tuple[Fraction, ...], ...] = tuple(zip(*of))
    return max(
        max(column) / min(column) for y_, column in enumerate(columns) if value in (None, y_)
    )


def both(left: Rows, right: Rows) -> Fraction:
    """e^Inf on a pair of records that are independent given X_p."""
    states = range(len(left))
    return max(
        max(left[i][y_] * right[i][z_] for i in states)
        / min(left[i][y_] * right[i][z_] for i in states)
        for y_, z_ in product(range(len(left[0])), range(len(right[0])))
    )


def backwards(of: Rows, law: Sequence[Fraction]) -> Rows:
    """P(X_t = y | X_(t+1) = x) for X_t of this law."""
    after = times((tuple(law),), of)[0]
    return tuple(
        tuple(law[j] * of[j][i] / after[i] for j in range(len(of))) for i in range(len(of))
    )


DECREASE, LARGEST = "every value", "the max-influence"


@claim(
    "redaction.influence-decreases",
    where="Other chains",
    statement="Over any finite alphabet the max-influence e^Inf of X_(p+D), and of X_(p-D), does "
    "not rise with D = 1, 2, .. on every chain, whatever its transition matrices and the law "
    "of X_1. On a chain with one transition matrix, where every value of X_p is possible, nor "
    "does the influence e^i of any value of X_(p+D); to the left of p the same is true if the "
    "chain is stationary too.",
    says={"every value": EVERY_VALUE, "the max-influence": MAX_INFLUENCE},
)
def influence_decreases(check: Check) -> None:
    """Prove that one more step averages a column of the power of the matrix, and that the
    farther record is a processing.

    Every value. One step: P^(D+1) e_y = P (P^D e_y): each entry of the new column is an average of
    the old one, with the weights of a row of P. Every value of X_p is possible, so that the
    influences at D and at D + 1 are those of all entries [lemma.finite-sums]. Averages lie between
    the bounds: total is the sum of the weights so far, u the weighted sum; entries are in [least,
    largest]. The quotient: x, y are two entries of the new column, largest/least is the old
    influence: all weights sum to 1 in each row. It is infinite for least = 0 < largest; a value
    that is impossible at D, largest = 0, is so at D + 1, and its influence is 1. To the left: u =
    pi(x) P(x, y)/pi(y) does not depend on t for a stationary chain, where every value of every
    record is possible as every value of X_p is: one matrix again. total is the sum of a row, piy =
    pi(y), flow the sum of pi(x) P(x, y).

    The max-influence. Given the nearer record: X_(p+D+1) is independent of X_p, for possible values
    of X_(p+D); to the left it is the same, since a chain read backwards is a chain
    [song2017.x-markov]. Sum over the values of the nearer record: near1, near2 are its
    probabilities given two possible values of X_p, so near1 <= M near2 for its e^Inf = M; onward is
    the probability of a value of the farther record given that of the nearer one, the same for
    both; far1, far2 sum the products so far.
    """
    check.tried(DECREASE)
    check.tried(LARGEST)


@claim(
    "redaction.influence-decreases-possible",
    where="Other chains",
    statement="On a chain with one transition matrix the influence e^i of every value of X_(p+D) "
    "does not rise with D, whatever the law of X_1.",
    repair="redaction.influence-decreases",
)
def influence_decreases_possible(check: Check) -> None:
    """Refute it where one of three values of X_p is impossible: the influence is over the
    possible ones.
    """

    proved(check, "an impossible value of X_1", "one counterexample", _influence_decreases_possible)


def _influence_decreases_possible(proof: Proof) -> None:
    step = rows("1/4 1/4 1/2", "1/4 1/2 1/4", "1/2 1/4 1/4")

    def possible(of: Rows) -> Rows:
        """The rows of the two values that X_1 takes."""
        return of[:2]

    proof.counterexample(
        "two of three values are possible",
        "p = 1, X_1 is 0 or 1 with probability 1/2 each and never 2. X_2 = 0 has probability "
        "1/4 given either value: e^i of the value 0 is 1 at D = 1. X_3 = 0 has 3/8 given X_1 = "
        "0 and 5/16 given X_1 = 1: e^i is 6/5 at D = 2. The claimed decrease is false; it is "
        "true where X_1 can take all three values",
        {"P": step, "law of X_1": (Fraction(1, 2), Fraction(1, 2), Fraction(0))},
        lambda: (
            influence(possible(step), 0) == 1
            and influence(possible(times(step, step)), 0) == Fraction(6, 5)
        ),
        "ratio_of_column(rows(P, 2), 0) < ratio_of_column(rows(power(P, 2), 2), 0)",
    )


@claim(
    "redaction.influence-decreases-always",
    where="Other chains",
    statement="The influence e^i of the value 0 of X_(p+D) does not rise with D on any chain of "
    "bits, whatever its transition matrices.",
    repair="redaction.influence-decreases",
)
def influence_decreases_always(check: Check) -> None:
    """Refute it with a second step that nearly exchanges the values."""
    proved(check, "two different steps", "one counterexample", _influence_decreases_always)


def _influence_decreases_always(proof: Proof) -> None:
    first, second = rows("3/4 1/4", "1/2 1/2"), rows("1/8 7/8", "7/8 1/8")
    proof.counterexample(
        "the value changes its meaning",
        "P_1 is the step from X_p to X_(p+1), P_2 the one to X_(p+2). The value 0 has "
        "probability 3/4 or 1/2 at p + 1, so e^i is 3/2; at p + 2 it has 5/16 or 1/2, so e^i "
        "is 8/5. The claimed decrease is false; it is true of the max-influence, 2 at p + 1 "
        "and 8/5 at p + 2, and of every value if all steps are equal",
        {"P_1": first, "P_2": second},
        lambda: influence(first, 0) < influence(times(first, second), 0),
        "ratio_of_column(P_1, 0) < ratio_of_column(times(P_1, P_2), 0)",
    )


SAME = "reversible chains"


@claim(
    "redaction.sides-agree",
    where="Other chains",
    statement="On every stationary reversible chain, of any finite alphabet, both sides of p have "
    "the same transition law: P(X_(p-D)=y|X_p=x) = P(X_(p+D)=y|X_p=x) for all D, all y and all "
    "possible x. Every stationary chain of bits is reversible.",
    kind="repair of redaction.sides-always-agree",
    says=SIDES_AGREE,
)
def sides_agree(check: Check) -> None:
    """Prove it from detailed balance, which two states force.

    Detailed balance: pix = pi(x) > 0, piy = pi(y), forth = P(x, y), back = P(y, x), reverse = P(X_t
    = y | X_(t+1) = x) = piy back/pix: one step back is one step on, so D steps are. Two states: the
    law (pix, piy) is kept by [[1-forth, forth], [back, 1-back]], and 0 is possible; reverse = P(X_t
    = 1 | X_(t+1) = 0) = piy back/pix. Exchange the values for 1.
    """
    check.tried(SAME)


@claim(
    "redaction.sides-always-agree",
    where="Other chains",
    statement="Max-influence at equal distances is the same on both sides of p, on every chain "
    "with one transition matrix that is stationary or has two states.",
    repair="redaction.sides-agree",
)
def sides_always_agree(check: Check) -> None:
    """Refute both: three states in stationarity, two states from another initial law."""
    proved(check, "stationary, three states", "one counterexample", _sides_always_agree)
    proved(check, "two states, not stationary", "one counterexample", _sides_always_agree_1)


def _sides_always_agree(proof: Proof) -> None:
    step, law = (
        rows("1/4 1/4 1/2", "1/4 1/4 1/2", "1/4 1/2 1/4"),
        (Fraction(1, 4), Fraction(7, 20), Fraction(2, 5)),
    )
    proof.counterexample(
        "not reversible",
        "Stationary with three states, the least number. At distance 1 e^Inf is 2 on the right "
        "of p and 16/7 on its left, so the sides differ; they agree on reversible chains",
        {"P": step, "law": law},
        lambda: (
            times((law,), step)[0] == law and influence(step) != influence(backwards(step, law))
        ),
        f"{_STATIONARY} and largest_ratio(P) != largest_ratio(backwards(law, P))",
    )


def _sides_always_agree_1(proof: Proof) -> None:
    bits, start = rows("3/4 1/4", "1/4 3/4"), (Fraction(3, 4), Fraction(1, 4))
    proof.counterexample(
        "another initial law",
        "n = 3, p = 2, X_1 = 0 with probability 3/4 and not 1/2: e^Inf is 3 on the right of p "
        "and 5 on its left, so the sides differ; they agree if a chain of bits is stationary",
        {"P": bits, "law of X_1": start},
        lambda: influence(bits) == 3 and influence(backwards(bits, start)) == 5,
        "largest_ratio(P) != largest_ratio(backwards(law_of_X_1, P))",
    )


ADD = "at most the sum"


@claim(
    "redaction.influences-subadd",
    where="Other chains",
    statement="On every chain, of any finite alphabet, Inf(X_p ~> X_l, X_r) <= Inf(X_p ~> X_l) + "
    "Inf(X_p ~> X_r) for all records l < p < r.",
    kind="repair of redaction.influences-add",
    says=SUBADD,
)
def influences_subadd(check: Check) -> None:
    """Prove that likelihoods of independent records multiply.

    Given X_p: both records are independent [song2017.x-markov]. One pair of values: left1, left2
    are the likelihoods of the left value given two possible values of X_p, right1, right2 of the
    right one, pair of both given the first; M, N are e^Inf of either record, where they are finite.
    """
    check.tried(ADD)


@claim(
    "redaction.influences-add",
    where="Other chains",
    statement="Inf(X_p ~> X_l, X_r) = Inf(X_p ~> X_l) + Inf(X_p ~> X_r) for all records l < p < r, "
    "as for bits and lam >= 0, on every stationary chain over a finite alphabet that is "
    "reversible with positive eigenvalues; and on every stationary chain where l and r are at "
    "the same distance from p.",
    repair="redaction.influences-subadd",
)
def influences_add(check: Check) -> None:
    """Refute both with three values: the two sides tell different pairs of values of X_p apart."""
    proved(check, "reversible, eigenvalues 1, 7/20, 1/4", "one counterexample", _influences_add)
    proved(check, "equal distances", "one counterexample", _influences_add_1)


def _influences_add(proof: Proof) -> None:
    step = rows("1/2 1/4 1/4", "1/4 1/2 1/4", "1/5 1/5 3/5")
    proof.counterexample(
        "distances 1 and 2",
        "n = 4, p = 2, l = 1, r = 4: e^Inf is 725/216 for both records together, while the "
        "product of the two is 92/27, which is larger: no equality, the two records tell "
        "different pairs of values apart. At most the sum is true",
        {"P": step},
        lambda: (
            _reversible(step)
            and both(step, times(step, step)) < influence(step) * influence(times(step, step))
        ),
        "largest_ratio(both(P, power(P, 2))) < largest_ratio(P) * largest_ratio(power(P, 2))",
    )


def _influences_add_1(proof: Proof) -> None:
    turning, law = (
        rows("1/4 1/4 1/2", "1/4 1/2 1/4", "1/4 1/2 1/4"),
        (Fraction(1, 4), Fraction(7, 16), Fraction(5, 16)),
    )
    proof.counterexample(
        "distance 1, not reversible",
        "n = 3, p = 2: e^Inf is 7/2 for X_1 and X_3 together, while the product of the two is "
        "28/5, which is larger: no equality. At most the sum is true",
        {"P": turning, "law": law},
        lambda: (
            times((law,), turning)[0] == law
            and both(backwards(turning, law), turning)
            < influence(turning) * influence(backwards(turning, law))
        ),
        f"{_STATIONARY} and largest_ratio(both(backwards(law, P), P)) < "
        "largest_ratio(P) * largest_ratio(backwards(law, P))",
    )


def _reversible(of: Rows) -> bool:
    law = (Fraction(4, 13), Fraction(4, 13), Fraction(5, 13))
    return all(law[i] * of[i][j] == law[j] * of[j][i] for i in range(3) for j in range(3))


@claim(
    "redaction.convex-alphabets",
    where="Other chains",
    statement="Max-influence is a convex sequence in D = 1, 2, .., as for bits and lam >= 0, on "
    "every stationary chain over a finite alphabet with positive eigenvalues: e(D) e(D+2) >= "
    "e(D+1)^2 with e = e^Inf.",
    repair="massny2025.prop1-convex-repaired",
)
def convex_alphabets(check: Check) -> None:
    """Refute it with three values; the chain is not reversible."""

    proved(check, "three values", "one counterexample", _convex_alphabets)


def _convex_alphabets(proof: Proof) -> None:
    step = tuple(tuple(entry / 40 for entry in row) for row in rows("1 38 1", "1 35 4", "18 3 19"))
    polynomial = sympy.Matrix(
        3, 3, lambda i, j: sympy.Rational(step[i][j].numerator, step[i][j].denominator)
    ).charpoly()

    def concave() -> bool:
        """Say whether e(1) e(3) < e(2)^2, with three different positive eigenvalues."""
        second = times(step, step)
        first, third = influence(step), influence(times(second, step))
        positive = sympy.Poly(polynomial.as_expr(), polynomial.gens[0]).count_roots(
            sympy.Rational(1, 100), 1
        )
        return first * third < influence(second) ** 2 and positive == 3

    proof.counterexample(
        "D = 1",
        "The eigenvalues are positive and different; e^Inf is 19 at D = 1, about 6.37 at 2 and "
        "about 1.82 at 3, and 19 times 1.82 is less than the square of 6.37: the sequence is "
        "not convex there. With two states and lam >= 0 it is",
        {"P": step},
        concave,
        "largest_ratio(P) * largest_ratio(power(P, 3)) < largest_ratio(power(P, 2))^2",
    )
