"""The closed forms of the printed counterexample with two records as programs.

c stands for e, a square of a fraction, so that densities are fractions at outputs in halves. S and
D are quotients of densities of the chain and the noise at outputs from -1 to 3.
"""

from collections.abc import Sequence
from functools import cache
from itertools import pairwise, product

from pufferproof.claims.language.instances.laws import ONE, ZERO
from pufferproof.claims.language.statements import Draws, Fraction, Instance, Statement
from pufferproof.claims.language.statements.rationals import listed
from pufferproof.claims.papers.song2017.statements.bounds import exp_minus

F = Fraction
CHANCES = listed("0 1 1/2 9/10 1/100 1/10 1/3 3/4")
ROOTS = [F(3, 2), F(2), F(5, 4), F(33, 20)]
PRINTED = (F(9, 10), F(1, 100))
MIDDLE, HIGHEST = 2, 4
"""w = 1 and w = 2 in halves."""
HALVES = range(-2, 7)


def chances(draws: Draws) -> Instance:
    """p and q from 0 to 1, often 0, 1 or equal, or 9/10 and 1/100, and t, e^(1/2) in the formulas,
    from 5/4 to 2.
    """
    p, q = draws.among(CHANCES), draws.among(CHANCES[::-1])
    if draws.below(4) == 3:
        p, q = PRINTED
    return {"p": p, "q": q, "t": draws.among(ROOTS)}


def _s(t: F, halves: int) -> F:
    """2 s(w), w in halves."""
    return t ** -abs(halves)


def _given(p: F, q: F, t: F, value: int, outputs: Sequence[int]) -> F:
    """The density of some outputs given X_1."""
    one = p if value else q
    total = ZERO
    for x, chance in ((1, one), (0, 1 - one)):
        for w in outputs:
            chance *= _s(t, w - 2 * (value + x))
        total += chance
    return total


def _ratio(p: F, q: F, t: F, *outputs: int) -> F:
    """S(w), D(w,w') by the definition."""
    return _given(p, q, t, 1, outputs) / _given(p, q, t, 0, outputs)


def _larger(x: F) -> F:
    return max(x, 1 / x)


def _diagonal(p: F, q: F, t: F, w: int) -> F:
    """The closed form of D(w); s at the doubled arguments."""
    s = [_s(t, 2 * (w - each)) for each in (4, 2, 0)]
    return (s[0] * p + s[1] * (1 - p)) / (s[1] * q + s[2] * (1 - q))


@cache
def most(p: F, q: F, t: F, number: int) -> F:
    """The largest S or 1/S, D or 1/D over all outputs."""
    return max(_larger(_ratio(p, q, t, *w)) for w in product(HALVES, repeat=number))


def _diagonal_has_it(p: F, q: F, t: F) -> bool:
    values = [_larger(_diagonal(p, q, t, w)) for w in HALVES]
    closed = all(_ratio(p, q, t, w, w) == _diagonal(p, q, t, w) for w in HALVES)
    return closed and max(values) == most(p, q, t, 2)


DIAGONAL_LARGEST = Statement(
    family=chances,
    holds=lambda p, q, t, at_every=False, every_has_maximum=False: (
        _diagonal_has_it(p, q, t)
        and (
            not at_every
            or (all(_diagonal(p, q, t, w) == _larger(_diagonal(p, q, t, w)) for w in HALVES))
        )
        and (
            not every_has_maximum
            or (all(_larger(_diagonal(p, q, t, w)) == most(p, q, t, 2) for w in HALVES))
        )
    ),
    too_strong={
        "D(w) at every w": {"at_every": True},
        "every w has the maximum": {"every_has_maximum": True},
    },
)


@cache
def _never_falls(p: F, q: F, t: F, strictly: bool = False) -> bool:
    one = [_ratio(p, q, t, w) for w in HALVES]
    both = {w: _ratio(p, q, t, *w) for w in product(HALVES, repeat=2)}
    rising = all(x < y or (x == y and not strictly) for x, y in pairwise(one))
    in_each = all(
        both[w, v] <= both[w + 1, v] and both[v, w] <= both[v, w + 1]
        for w, v in product(list(HALVES)[:-1], HALVES)
    )
    ends = (one[2], one[2 + HIGHEST]), (both[0, 0], both[HIGHEST, HIGHEST])
    return (
        rising
        and in_each
        and all(x == ends[0][0] for x in one[:3])
        and all(x == ends[0][1] for x in one[2 + HIGHEST :])
        and ends[1] == (min(both.values()), max(both.values()))
    )


def _at_the_ends(p: F, q: F, t: F, highest: int = HIGHEST) -> bool:
    return all(
        most(p, q, t, number)
        == max(1 / _ratio(p, q, t, *[0] * number), _ratio(p, q, t, *[highest] * number))
        for number in (1, 2)
    )


CORNERS = Statement(
    family=chances,
    holds=lambda p, q, t, rises=False, largest_at=False: (
        (_never_falls(p, q, t) and _at_the_ends(p, q, t))
        and (not rises or (_never_falls(p, q, t, True)))
        and (not largest_at or (_at_the_ends(p, q, t, MIDDLE)))
    ),
    too_strong={"it rises": {"rises": True}, "largest at w = 1": {"largest_at": True}},
)


def first(p: F, q: F, c: F) -> F:
    """The first printed value for S; for D at the square of c."""
    return c * (q + c * (1 - q)) / (p + c * (1 - p))


def second(p: F, q: F, c: F) -> F:
    """The second one."""
    return c * (c * p + 1 - p) / (c * q + 1 - q)


MAXIMA = Statement(
    family=chances,
    holds=lambda p, q, t, second_ones=False, without_factor=False: (
        (
            most(p, q, t, 1) in (first(p, q, t**2), second(p, q, t**2))
            and max(_larger(_diagonal(p, q, t, w)) for w in HALVES)
            in (first(p, q, t**4), second(p, q, t**4))
        )
        and (not second_ones or (most(p, q, t, 1) == second(p, q, t**2)))
        and (
            not without_factor
            or (most(p, q, t, 1) in (first(p, q, t**2) / t**2, second(p, q, t**2) / t**2))
        )
    ),
    too_strong={
        "the second ones": {"second_ones": True},
        "without the factor e": {"without_factor": True},
    },
)


def _side(x: F, c: F) -> F:
    """One side of first > second, cross-multiplied: a function of q, and the same one of p."""
    return (x + c * (1 - x)) * (c * x + 1 - x)


def _quadratic(p: F, c: F, ends: F = ONE) -> bool:
    """Whether it is symmetric about the half of `ends`, and its third differences are 0."""
    y = [_side(p + n, c) for n in range(4)]
    return _side(p, c) == _side(ends - p, c) and y[3] - 3 * y[2] + 3 * y[1] - y[0] == 0


def _sides_compare(p: F, q: F, c: F) -> bool:
    return (first(p, q, c) > second(p, q, c)) == (_side(q, c) > _side(p, c))


QUADRATIC = Statement(
    family=chances,
    holds=lambda p, q, t, first_ones_wherever=False: (
        (
            first(p, q, t**2) > second(p, q, t**2)
            or (p >= q if first_ones_wherever else first(p, q, t**4) <= second(p, q, t**4))
        )
        and all(_sides_compare(p, q, c) and _quadratic(p, c) for c in (t**2, t**4))
    ),
    too_strong={"the first ones wherever p < q": {"first_ones_wherever": True}},
)


def _case(p: F, q: F, t: F, w: int, power: int = 2) -> F:
    """The printed closed form at w in halves, e = t^2; e^(2-2w) is t^(4-2w)."""
    c = t**2
    if w <= 0:
        return (p + c * (1 - p)) / (c * q + c**2 * (1 - q))
    if w <= MIDDLE:
        return (p + c * (1 - p)) / (c * q + t ** (power * (2 - w)) * (1 - q))
    if w <= HIGHEST:
        return (t ** (power * (w - 2)) * p + c * (1 - p)) / (c * q + 1 - q)
    return (c**2 * p + c * (1 - p)) / (c * q + 1 - q)


def _cases(p: F, q: F, t: F, power: int = 2) -> bool:
    return all(_ratio(p, q, t, w) == _case(p, q, t, w, power) for w in HALVES)


def _between(p: F, q: F, t: F) -> bool:
    ends = [_ratio(p, q, t, w) for w in (0, MIDDLE, HIGHEST)]
    return ends[0] <= _ratio(p, q, t, 1) <= ends[1] <= _ratio(p, q, t, 3) <= ends[2]


_OTHER_EXPONENT = {"e^(1-w)": {"power": 1}}
CASES = Statement(
    family=chances,
    holds=_cases,
    too_strong=_OTHER_EXPONENT,
    always="an identity of rational functions of p, q and t",
)
CASES_BETWEEN = Statement(
    family=chances,
    holds=lambda p, q, t, power=2: _cases(p, q, t, power) and _between(p, q, t),
    too_strong=_OTHER_EXPONENT,
)


def _three(p: F, q: F, t: F) -> tuple[F, F, F]:
    c = t**2
    above, below = p + c * (1 - p), c * q + 1 - q
    return above / (c * q + c**2 * (1 - q)), above / below, (c**2 * p + c * (1 - p)) / below


def _ordered(p: F, q: F, t: F, strictly: bool = False) -> bool:
    least, middle, largest = _three(p, q, t)
    return least <= middle <= largest and (not strictly or least < middle < largest)


_STRICTLY = {"strictly": {"strictly": True}}
ORDER = Statement(family=chances, holds=_ordered, too_strong=_STRICTLY)


def _range(p: F, q: F, t: F, strictly: bool = False, no_other: bool = False) -> bool:
    least, middle, largest = _three(p, q, t)
    values = [_ratio(p, q, t, w) for w in HALVES]
    return (
        (min(values), max(values)) == (least, largest)
        and _ratio(p, q, t, MIDDLE) == middle
        and _ordered(p, q, t, strictly)
        and (not no_other or {*values} <= {least, middle, largest})
    )


RANGE = Statement(
    family=chances, holds=_range, too_strong={**_STRICTLY, "no other values": {"no_other": True}}
)


FOUR_DECIMALS = (F("5.3132"), F("6.2672"), F("4.4695"), F("6.3448"))
"""(1/S(0))^2 and S(2)^2, 1/D(0,0) and D(2,2), over e^2."""


def printed_numbers(draws: Draws) -> Instance:
    """One of the four numbers; p = 9/10 and q = 1/100 most often, else any."""
    p, q = PRINTED
    if draws.below(4) == 3:
        p, q = draws.among(CHANCES), draws.among(CHANCES[::-1])
    return {"p": p, "q": q, "number": draws.below(4)}


def _number(p: F, q: F, t: F, number: int) -> F:
    """One of the numbers at t for e^(1/2)."""
    w = [0, HIGHEST][number % 2]
    ratio = _ratio(p, q, t, w) ** 2 if number < 2 else _ratio(p, q, t, w, w)
    return (ratio if w else 1 / ratio) / t**4


@cache
def _rounds(p: F, q: F, number: int, more: F = ZERO) -> bool:
    """Whether both ends of an enclosure of e^(1/2) give the four decimals: p >= q, and the number
    grows with e.
    """
    digits = FOUR_DECIMALS[number] + more
    roots = [1 / each for each in exp_minus(F(1, 2))]
    return all(abs(_number(p, q, t, number) - digits) <= F(1, 20000) for t in roots)


AT_THESE = "p = 9/10 and q = 1/100"
NUMBERS = Statement(
    family=printed_numbers,
    given={AT_THESE: lambda p, q, number: (p, q) == PRINTED},
    holds=lambda p, q, number, more=ZERO: _rounds(p, q, number, more=more),
    too_strong={"the last digit changed": {"more": F(1, 10**4)}},
    too_weak=[AT_THESE],
)
