"""Chains of bits of which each attracts the next, what their records count together, and noise that
decays on it: Attracting.v.

Records are counted from 0. At an instance what records count are integers, so that powers of the
decay are rational; as in Coq, a power of a number that is not positive is 1.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise, product

from pufferproof.claims.language.statements.rationals import Fraction
from pufferproof.claims.vocabulary.entries.streams.blocks import late
from pufferproof.claims.vocabulary.sorts import listed, rational, row, rows
from pufferproof.claims.vocabulary.terms import Entry, Sort, entry

ONE, ZERO = Fraction(1), Fraction(0)
Bits = tuple[int, ...]
Steps = Sequence[Sequence[Sequence[Fraction]]]
Counts = Sequence[Sequence[int]]
INITIAL, STEPS, COUNTS = "bool -> R", "nat -> bool -> bool -> R", "nat -> bool -> R"
DECAY_OF = "scale"
DECAY = Sort(DECAY_OF, "a real number", "Q", "Q2R {}", rational)
FIRST_BIT = Sort(INITIAL, "a pair (p(0), p(1)) of real numbers", "list Q", "of_bits {}", row)
STEPS_OF_BITS = Sort(
    STEPS,
    "a sequence of real matrices with rows and columns 0 and 1, one for the step after each "
    "record X_k",
    "list (list (list Q))",
    "Attracted.steps_of {}",
    listed(rows),
)
COUNTS_OF_BITS = Sort(
    COUNTS,
    "a sequence of pairs (f_k(0), f_k(1)) of real numbers, one for each record X_k",
    "list (list Z)",
    "Attracted.counts_of {}",
    listed(listed(lambda number: f"({number})%Z")),
)


def counted(f: Counts, bits: Bits) -> int:
    """Return what the records of a sequence count together."""
    return sum(late(f, k)[x] for k, x in enumerate(bits))


def values(f: Counts, n: int) -> list[int]:
    """Return what sequences of n bits count."""
    return [counted(f, each) for each in product((0, 1), repeat=n)]


def _weight(initial: Sequence[Fraction], T: Steps, bits: Bits) -> Fraction:
    found = initial[bits[0]] if bits else ONE
    for k, (x, y) in enumerate(pairwise(bits)):
        found *= late(T, k)[x][y]
    return found


def _power(t: Fraction, number: int) -> Fraction:
    return t**number if t > 0 else ONE


def _mean(value: int, of: Callable[[int, int], int]) -> Callable[..., Fraction]:
    """Return the sum over sequences with one value of X_i of weights times a power of the decay."""

    def found(
        initial: Sequence[Fraction],
        T: Steps,
        f: Counts,
        t: Fraction,
        n: int,
        i: int,
        w: int = 0,
    ) -> Fraction:
        bits = (each for each in product((0, 1), repeat=n) if i < n and each[i] == value)
        terms = (_weight(initial, T, x) * _power(t, of(w, counted(f, x))) for x in bits)
        return sum(terms, ZERO)

    return found


def _attracting(initial: Sequence[Fraction], T: Steps) -> Iterator[bool]:
    for law in (initial, *(each for step in T for each in step)):
        yield min(law) >= 0 and sum(law) == 1
    for step in T:
        yield step[0][1] <= step[1][1]


COUNT = (
    "X is a chain of n bits X_0, .., X_(n-1), with the law p of X_0 and the step P_k from X_k to "
    "X_(k+1). Q is the sum of f_k(X_k) over all k. Noise that decays by t has a density at x "
    "proportional to t^|x|, of real numbers or of integers; w is Q plus noise."
)
ATTRACTING = entry(
    "bits attract",
    (INITIAL, STEPS),
    "Prop",
    "[0] and all rows of every step in [1] are laws, and P_k(0, 1) <= P_k(1, 1) for every step P_k "
    "in [1]",
    r"[0], [1]_k(x) \text{ are laws},\ [1]_k(0, 1) \le [1]_k(1, 1)",
    "Attracting.attracting [0] [1]",
    _attracting,
    relation="truth",
    meaning=COUNT,
)
DECAYS = entry(
    "decay",
    (DECAY_OF,),
    "Prop",
    "0 < [0] < 1",
    "0 < [0] < 1",
    "0 < [0] < 1",
    lambda t: iter((t > 0, t < 1)),
    70,
    "truth",
)
RISING = entry(
    "counts rise",
    (COUNTS,),
    "Prop",
    "[0]_k(0) <= [0]_k(1) for every k",
    r"[0]_k(0) \le [0]_k(1)",
    "Attracting.rising [0]",
    lambda f: ((Fraction(low), Fraction(high)) for low, high in f),
    relation="<=",
)
NONE_ABOVE = entry(
    "no count above",
    (COUNTS, "nat", "R"),
    "Prop",
    "no value of Q is above [2]",
    r"Q \le [2]",
    "Attracting.none_above [0] [1] [2]",
    lambda f, n, w: ((Fraction(each), Fraction(w)) for each in values(f, n)),
    relation="<=",
)
NONE_BELOW = entry(
    "no count below",
    (COUNTS, "nat", "R"),
    "Prop",
    "no value of Q is below [2]",
    r"[2] \le Q",
    "Attracting.none_below [0] [1] [2]",
    lambda f, n, w: ((Fraction(w), Fraction(each)) for each in values(f, n)),
    relation="<=",
)
TAKES = (INITIAL, STEPS, COUNTS, DECAY_OF, "nat", "nat")


def _of_value(value: int, coq: str) -> dict[str, Entry]:
    """Return the entries of sums over sequences with X_i = value."""
    return {
        "density": entry(
            f"density with bit {value}",
            (*TAKES, "R"),
            "R",
            f"P([6], X_[5] = {value})",
            f"P([6], X_{{[5]}} = {value})",
            f"Attracting.density [0] [1] [2] [3] [4] [5] {coq} [6]",
            _mean(value, lambda w, count: abs(w - count)),
            meaning="P(w, X_i = x) is the density of w together with X_i = x, up to the constant "
            "of the noise.",
        ),
        "up": entry(
            f"mean of the inverse power with bit {value}",
            TAKES,
            "R",
            f"E([3]^-Q; X_[5] = {value})",
            f"E([3]^{{-Q}}; X_{{[5]}} = {value})",
            f"Attracting.mean_up [0] [1] [2] [3] [4] [5] {coq}",
            _mean(value, lambda w, count: -count),
            meaning="E(u; X_i = x) is E(u | X_i = x) P(X_i = x).",
        ),
        "down": entry(
            f"mean of the power with bit {value}",
            TAKES,
            "R",
            f"E([3]^Q; X_[5] = {value})",
            f"E([3]^Q; X_{{[5]}} = {value})",
            f"Attracting.mean_down [0] [1] [2] [3] [4] [5] {coq}",
            _mean(value, lambda w, count: count),
            meaning="E(u; X_i = x) is E(u | X_i = x) P(X_i = x).",
        ),
    }


ZERO_OF, ONE_OF = _of_value(0, "false"), _of_value(1, "true")
DENSITIES = ZERO_OF["density"], ONE_OF["density"]
UP = ZERO_OF["up"], ONE_OF["up"]
DOWN = ZERO_OF["down"], ONE_OF["down"]
