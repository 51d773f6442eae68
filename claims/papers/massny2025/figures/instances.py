"""The chain of figures 3 and 4, n = 10 and p = 1: utilities at rational budgets in nats, with
certified bounds.

Every output of a 3R mechanism with one q for all of M is an event (the nearest released record and
its value, or none) whose two likelihoods are polynomials in q with rational coefficients. e^eps is
enclosed; a comparison left undecided raises. Source: massny2025, section V, definitions 1 and 2.
"""

from collections.abc import Callable, Iterator, Sequence
from math import comb

from pufferproof.claims.language.statements import Fraction
from pufferproof.claims.papers.massny2025.influence.instances import Chain, chain, pointwise
from pufferproof.models.errors import SolverError
from pufferproof.models.numbers.enclosures import exp_bounds

FIGURES = chain("1/100", "4/5")
COUNT = 10
_ACCURACY, _WIDTH = 96, Fraction(1, 1 << 40)
Polynomial = tuple[Fraction, ...]
"""Coefficients of 1, q, q^2, ..."""
Interval = tuple[Fraction, Fraction]
ZERO, ONE = Fraction(0), Fraction(1)


def below(ratio: Fraction, epsilon: Fraction) -> bool:
    """Say whether ratio <= e^epsilon."""
    low, high = exp_bounds(epsilon, _ACCURACY)
    if low < ratio < high:
        raise SolverError("expected a ratio outside the enclosure of e^eps")
    return ratio <= low


def split(epsilon: Fraction, of: Chain = FIGURES, count: int = COUNT) -> str:
    """Return the regions at distances 0 .. n - 1."""
    letters = ["L"]
    for distance in range(1, count):
        value0, value1 = (below(pointwise(of, distance, value), epsilon) for value in (0, 1))
        letters.append(_region(value0, value1))
    return "".join(letters)


def _region(value0: bool, value1: bool) -> str:
    """Return the region of a record by whether its influences are at most the budget."""
    if value1:
        return "S"
    return "M" if value0 else "L"


def first_safe(epsilon: Fraction) -> int:
    """Return D*(eps): the least distance of max-influence at most eps, for budgets at which it
    is below 1000.
    """
    return next(d for d in range(1, 1000) if below(pointwise(FIGURES, d, 1), epsilon))


def bound(epsilon: Fraction) -> Fraction:
    """Return the bound of theorem 2 for p = 1: 0 below Inf(X_1~>X_n), else 1 - D*/n."""
    return ONE - Fraction(first_safe(epsilon), COUNT) if below(pointwise(FIGURES, COUNT - 1, 1), epsilon) else ZERO


def events(letters: str, of: Chain = FIGURES) -> Iterator[tuple[str, Polynomial, Polynomial]]:
    """Yield each event with its likelihoods given X_1 = 0 and 1, without the factors that both
    have in common.
    """
    rows: list[list[Polynomial]] = [[(ONE,), ()], [(), (ONE,)]]
    for distance in range(1, len(letters)):
        rows = [[_added(*(_scaled(row[x], of.step[x][z]) for x in (0, 1))) for z in (0, 1)] for row in rows]
        if letters[distance] == "S":
            yield f"0 at {distance}", rows[0][0], rows[1][0]
            yield f"1 at {distance}", rows[0][1], rows[1][1]
            return
        if letters[distance] == "M":
            yield f"0 at {distance}", rows[0][0], rows[1][0]
            rows = [[(ZERO, *row[0]), row[1]] for row in rows]
    yield "nothing", _added(*rows[0]), _added(*rows[1])


def least_constant(letters: str, epsilon: Fraction) -> Interval:
    """Return (low, high): q = high is private, q = low is not, or low = 0; that all q above
    high are is checked, too.
    """
    lower, upper = exp_bounds(epsilon, _ACCURACY)
    pairs = [pair for _, zero, one in events(letters) for pair in ((zero, one), (one, zero))]
    for over, under in pairs:
        if not never_rises(over, under) and not (
            never_rises(under, over) and value_at(over, ONE) <= lower * value_at(under, ONE)
        ):
            raise SolverError("expected ratios that fall with q, or rise to at most e^eps")
    private = _private(pairs, lower, upper)
    return (ZERO, ZERO) if private(ZERO) else _least(private)


def _private(
    pairs: Sequence[tuple[Polynomial, Polynomial]], lower: Fraction, upper: Fraction
) -> Callable[[Fraction], bool]:
    def private(q: Fraction) -> bool:
        if all(value_at(over, q) <= lower * value_at(under, q) for over, under in pairs):
            return True
        if any(value_at(over, q) > upper * value_at(under, q) for over, under in pairs):
            return False
        raise SolverError("expected a ratio outside the enclosure of e^eps")

    return private


def relaxed_constant(letters: str, epsilon: Fraction) -> Interval:
    """Enclose q = max exp(-(eps - delta_i)/|M_i|); (1, 1) if M is empty."""
    lower, upper = exp_bounds(epsilon, _ACCURACY)
    limits = list(enumerate(deltas(letters), 1))

    def feasible(q: Fraction) -> bool:
        if all(delta <= lower * q**k for k, delta in limits):
            return True
        if any(delta > upper * q**k for k, delta in limits):
            return False
        raise SolverError("expected a product outside the enclosure of e^eps")

    return _least(feasible) if limits else (ONE, ONE)


def deltas(letters: str, of: Chain = FIGURES) -> list[Fraction]:
    """Return e^delta_t for the records of M."""
    ratios = []
    for distance, letter in enumerate(letters):
        if letter == "M":
            last = distance + 1 == len(letters)
            ratios.append(ONE if last else pointwise(of, distance + 1, "MS".index(letters[distance + 1])))
    return ratios


def utility(letters: str, q: Fraction, of: Chain = FIGURES) -> Fraction:
    """Return nu by definition 2: a record of S counts 1, one of M Pr(X_t=0)(1 - q)."""
    return (letters.count("S") + letters.count("M") * of.b / (of.a + of.b) * (1 - q)) / len(letters)


def _least(holds: Callable[[Fraction], bool]) -> Interval:
    low, high = ZERO, ONE
    while high - low > _WIDTH:
        middle = (low + high) / 2
        low, high = (low, middle) if holds(middle) else (middle, high)
    if not holds(high):
        raise SolverError("expected q = 1 to be feasible")
    return low, high


def never_rises(over: Polynomial, under: Polynomial) -> bool:
    """Say whether all Bernstein coefficients of (over)' under - over (under)' on [0, 1] are at
    most 0.
    """
    slope = _added(_product(_derivative(over), under), _scaled(_product(over, _derivative(under)), -ONE))
    degree = len(slope) - 1
    return all(
        sum(comb(k, i) * slope[i] / Fraction(comb(degree, i)) for i in range(k + 1)) <= 0 for k in range(degree + 1)
    )


def value_at(polynomial: Polynomial, q: Fraction) -> Fraction:
    """Evaluate a polynomial."""
    total = ZERO
    for coefficient in reversed(polynomial):
        total = total * q + coefficient
    return total


def _added(one: Polynomial, two: Polynomial) -> Polynomial:
    size = max(len(one), len(two))
    first, second = (list(each) + [ZERO] * (size - len(each)) for each in (one, two))
    return tuple(x + y for x, y in zip(first, second))


def _scaled(polynomial: Polynomial, factor: Fraction) -> Polynomial:
    return tuple(factor * coefficient for coefficient in polynomial)


def _product(one: Polynomial, two: Polynomial) -> Polynomial:
    product = [ZERO] * max(len(one) + len(two) - 1, 0)
    for i, x in enumerate(one):
        for j, y in enumerate(two):
            product[i + j] += x * y
    return tuple(product)


def _derivative(polynomial: Polynomial) -> Polynomial:
    return tuple(k * coefficient for k, coefficient in enumerate(polynomial) if k)
