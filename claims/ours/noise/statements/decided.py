"""Normal forms of likelihoods under noise that decays exponentially, against their values to forty
digits: e to a power by its series, roots by whole numbers.
"""

from collections.abc import Mapping
from functools import cache
from math import factorial
from typing import Any

from sympy import factorint, integer_nthroot

from pufferproof.claims.language.instances.laws import ONE, ZERO
from pufferproof.claims.language.statements import Draws, Fraction, Instance, Statement

F = Fraction
DIGITS = 10**60
SMALL = F(1, 10**40)
Form = Mapping[Any, F]
SOME = [ZERO, ONE, F(2), F(1, 2), F(3, 2)]


@cache
def power_of_e(q: F) -> F:
    """Return e^q to fifty digits: the first eighty terms of the series of e^|q|."""
    series = sum((abs(q) ** n / factorial(n) for n in range(80)), ZERO)
    rounded = F(int(series * DIGITS), DIGITS)
    return rounded if q >= 0 else 1 / rounded


@cache
def power_of(r: F, q: F) -> F:
    """Return r^q to fifty digits, by a root of a whole number."""
    raised = r**q.numerator
    scaled = raised.numerator * DIGITS**q.denominator // raised.denominator
    return F(int(integer_nthroot(scaled, q.denominator)[0]), DIGITS)


def _likelihood(drawn: Any, at: F, scale: F) -> list[tuple[F, F]]:
    """The terms p e^-q of the likelihood at a value, as pairs (p, -q), scale being k where decay is
    r^(-1/k) for each unit.
    """
    return [(p, -abs(v - at) / scale) for v, p in zip(*drawn) if p]


def _drawn(draws: Draws) -> Instance:
    size = 1 + draws.below(3)
    values = [draws.among(SOME) for _ in range(size)]
    p = draws.law(size)
    shift = draws.among([ZERO, ZERO, ONE, F(1, 2)])
    moved = [v + shift for v in values] if draws.below(3) else [draws.among(SOME) for _ in values]
    return {
        "first": (values, p),
        "second": (moved, p if draws.below(3) else draws.law(size)),
        "at": draws.among([ZERO, ONE, F(-1), F(3)]),
    }


def rational_scales(draws: Draws) -> Instance:
    """Two laws of up to three rational values of a query, the second often the first one shifted; a
    value w; a rational scale; epsilon as a rational, or as the log of one.
    """
    return _drawn(draws) | {
        "scale": draws.among([ONE, F(1, 2), F(2), F(3, 2)]),
        "epsilon": draws.among([ZERO, ONE, F(1, 2), F(2), F(2, 3)]),
        "factor": draws.among([ONE, ONE, F(2), F(3, 2)]),
    }


def _added(terms: Any) -> Form:
    """Coefficients by exponents, 0 left out."""
    found: dict[Any, F] = {}
    for c, key in terms:
        found[key] = found.get(key, ZERO) + c
    return {key: c for key, c in found.items() if c}


def _sides(first: object, second: object, at: F, scale: F, epsilon: F, factor: F) -> Any:
    """The terms of a likelihood, and those of e^epsilon times the other one."""
    raised = [(factor * c, q + epsilon) for c, q in _likelihood(second, at, scale)]
    return _likelihood(first, at, scale), raised


def _decides(same: str = "", **instance: Any) -> bool:
    """Whether both sides are equal, to forty digits, iff the normal forms agree."""
    sides = _sides(**instance)
    one, two = (sum((c * power_of_e(q) for c, q in each), ZERO) for each in sides)
    forms = [_added(each) for each in sides]
    agree = forms[0] == forms[1]
    if same == "exponents":
        agree = forms[0].keys() == forms[1].keys()
    if same == "terms":
        agree = sorted(sides[0]) == sorted(sides[1])
    return bool((abs(one - two) < SMALL) == agree)


RATIONAL = Statement(
    family=rational_scales,
    given={
        "the scale is at least 1/2, so that forty digits tell": lambda scale, **_: scale >= F(1, 2)
    },
    holds=lambda same="", **instance: _decides(**instance, same=same),
    too_strong={
        "iff the exponents agree": {"same": "exponents"},
        "iff the terms agree, not added up": {"same": "terms"},
    },
    always="the normal form decides equality for all rational terms",
)


def logarithmic_scales(draws: Draws) -> Instance:
    """Two laws of up to three rational values of a query, as above, made whole at times; a value w;
    noise of scale k/log(r), k from 1 to 4, r from 3/2 to 8, squares and cubes among them; e^epsilon
    as a rational.
    """
    return _drawn(draws) | {
        "k": 1 + draws.below(4),
        "r": draws.among([F(2), F(4), F(8), F(3, 2), F(9, 4), F(6)]),
        "times": draws.among([1, 1, 2, 4]),
        "factor": draws.among([ONE, F(2), F(3, 2), F(4), F(1, 2)]),
    }


def _root_form(r: F, terms: Any) -> Form:
    """Coefficients by the parts below 1 of the exponents of primes; whole parts are multiplied
    into the coefficients.
    """
    primes = {int(p): n for p, n in factorint(r.numerator).items()}
    primes |= {int(p): -n for p, n in factorint(r.denominator).items()}
    reduced = []
    for c, q in terms:
        key = []
        for p in sorted(primes):
            whole = (q * primes[p]).numerator // (q * primes[p]).denominator
            c, part = c * F(p) ** whole, q * primes[p] - whole
            key.append(part)
        reduced.append((c, tuple(key)))
    return _added(reduced)


def _by_roots(
    first: tuple[list[F], ...],
    second: tuple[list[F], ...],
    at: F,
    k: int,
    r: F,
    times: int,
    factor: F,
    same: str = "",
) -> bool:
    """Whether both sides are equal, to forty digits, iff the normal forms agree; and likelihoods
    are rational where k divides all differences of values.
    """
    laws = [([times * v for v in values], p) for values, p in (first, second)]
    sides = [_likelihood(each, times * at, F(k)) for each in laws]
    sides[1] = [(factor * c, q) for c, q in sides[1]]
    one, two = (sum((c * power_of(r, q) for c, q in each), ZERO) for each in sides)
    forms = [_root_form(r, each) for each in sides]
    agree = sides[0] == sides[1] if same == "terms" else forms[0] == forms[1]
    divides = all((times * (v - at) / k).denominator == 1 for v in first[0] + second[0])
    rational = all(not any(key) for each in forms for key in each)
    if same == "rational":
        return rational
    return bool((abs(one - two) < SMALL) == agree and (rational or not divides))


LOGARITHM = Statement(
    family=logarithmic_scales,
    holds=lambda same="", **instance: _by_roots(**instance, same=same),
    too_strong={
        "iff the terms agree, not reduced": {"same": "terms"},
        "rational for every k": {"same": "rational"},
    },
    always="the normal form decides equality for all rational terms",
)
