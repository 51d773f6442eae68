"""Chains of bits of which each attracts the next, what bits count together, and noise that decays
on it: Attracting.v and Supermodular.v.

Records are counted from 0. At an instance what records count are integers, so that powers of the
decay are rational; as in Coq, a power of a number that is not positive is 1.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import product

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
    "a sequence of real matrices with rows and columns 0 and 1, one for the step after each record X_k",
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


def _power(t: Fraction, number: int) -> Fraction:
    return t**number if t > 0 else ONE


def _attracting(initial: Sequence[Fraction], T: Steps) -> Iterator[bool]:
    for law in (initial, *(each for step in T for each in step)):
        yield min(law) >= 0 and sum(law) == 1
    for step in T:
        yield step[0][1] <= step[1][1]


COUNT = (
    "Q is the sum of f_k(X_k) over all bits X_k. Noise that decays by t has a density at x "
    "proportional to t^|x|, of real numbers or of integers, so that t^|w - Q| is the density at w "
    "of Q plus noise, up to a constant."
)
ATTRACTING = entry(
    "bits attract",
    takes=(INITIAL, STEPS),
    words="[0] and all rows of every step in [1] are laws, and P_k(0, 1) <= P_k(1, 1) for every step P_k in [1]",
    tex=r"[0], [1]_k(x) \text{ are laws},\ [1]_k(0, 1) \le [1]_k(1, 1)",
    coq="Attracting.attracting [0] [1]",
    value=_attracting,
    relation="truth",
)
DECAYS = entry(
    "decay",
    takes=(DECAY_OF,),
    words="0 < [0] < 1",
    tex="0 < [0] < 1",
    coq="0 < [0] < 1",
    value=lambda t: iter((t > 0, t < 1)),
    precedence=70,
    relation="truth",
)
RISING = entry(
    "counts rise",
    takes=(COUNTS,),
    words="[0]_k(0) <= [0]_k(1) for every k",
    tex=r"[0]_k(0) \le [0]_k(1)",
    coq="Supermodular.rising [0]",
    value=lambda f: ((Fraction(low), Fraction(high)) for low, high in f),
    relation="<=",
)
NONE_ABOVE = entry(
    "no count above",
    takes=(COUNTS, "nat", "R"),
    words="no value of Q is above [2]",
    tex=r"Q \le [2]",
    coq="Supermodular.none_above [0] [1] [2]",
    value=lambda f, n, w: ((Fraction(each), Fraction(w)) for each in values(f, n)),
    relation="<=",
)
NONE_BELOW = entry(
    "no count below",
    takes=(COUNTS, "nat", "R"),
    words="no value of Q is below [2]",
    tex=r"[2] \le Q",
    coq="Supermodular.none_below [0] [1] [2]",
    value=lambda f, n, w: ((Fraction(w), Fraction(each)) for each in values(f, n)),
    relation="<=",
)


def _powered(name: str, words: str, tex: str, coq: str, of: Callable[..., int], *more: str) -> Entry:
    """Return a power of the decay of what a sequence of bits counts."""

    def found(f: Counts, t: Fraction, *at: int) -> Callable[[Bits], Fraction]:
        return lambda bits: _power(t, of(counted(f, bits), *at))

    takes = COUNTS, DECAY_OF, *more
    return entry(name, takes=takes, gives="list bool -> R", words=words, tex=tex, coq=coq, value=found, meaning=COUNT)


NOISE = _powered(
    "decayed noise",
    "[1]^|[2] - Q|",
    "[1]^{|[2] - Q|}",
    "Supermodular.noise [0] [1] [2]",
    lambda count, w: abs(w - count),
    "R",
)
UP = _powered("inverse power of a count", "[1]^-Q", "[1]^{-Q}", "Supermodular.up [0] [1]", lambda count: -count)
DOWN = _powered("power of a count", "[1]^Q", "[1]^{Q}", "Supermodular.down [0] [1]", lambda count: count)
