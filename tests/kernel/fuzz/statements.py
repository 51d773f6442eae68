"""Whether the statement of an accepted certificate is true: what the slow kernel says, and where it
has no definition what the judge of the family says, from the certificate alone.

`holds` raises `Unjudged` where that would take long, and says that a statement is false by `False`.
"""

import json
from collections.abc import Callable
from fractions import Fraction
from itertools import product
from math import prod
from typing import Any

from tests.kernel.algebra.truth import still_true as true_algebra
from tests.kernel.bench import kinds
from tests.kernel.designs.truth import is_true as true_designs
from tests.kernel.optima.truth import true_bound, true_program
from tests.kernel.rates.truth import still_true as true_rates
from tests.kernel.slow.judging import judged
from tests.kernel.slow.numbers import Unjudged as Unjudged

LONG = 60  # digits of a number that judges of optima and of chains take


def number(text: Any) -> Fraction:
    assert not isinstance(text, bool)
    return Fraction(str(text))


def holds(data: bytes) -> bool:
    """Say whether the statement of a file is true."""
    certificate = json.loads(data, parse_float=str)
    numbers = filter(numeric, texts(certificate))
    found, judge = judged(certificate), JUDGES.get(kinds()[certificate["kind"]])
    if found is None and judge and not any(len(x) > LONG or "e" in x.lower() for x in numbers):
        found = judge(certificate)
    if found is None:
        raise Unjudged
    return found


def texts(value: Any):
    if isinstance(value, dict | list):
        for entry in value.values() if isinstance(value, dict) else value:
            yield from texts(entry)
    else:
        yield str(value)


def numeric(text: str) -> bool:
    return text[:1] in "-0123456789" and text[-1:].isdigit()


def algebra(certificate: Any) -> bool:
    if certificate["kind"] == "polynomial-inequality":
        return polynomials(certificate)
    return true_algebra(certificate["kind"], certificate["claim"], ("claim", "none"))


def polynomials(certificate: Any) -> bool:
    """The conclusion holds at every point of a grid at which the assumptions do."""
    claim = certificate["claim"]
    values = [Fraction(n, 2) for n in (-6, -3, -2, -1, 0, 1, 2, 3, 4, 7)]
    if len(claim["variables"]) > 3:
        raise Unjudged
    for point in product(values, repeat=len(claim["variables"])):
        if all(at_point(each, point) for each in claim["assumptions"]) and not (
            claim["conclusion"] and at_point(claim["conclusion"], point)
        ):
            return False
    return True


def at_point(relation: Any, point: tuple[Fraction, ...]) -> bool:
    value = sum(number(c) * prod(x ** int(n) for x, n in zip(point, powers)) for c, powers in relation["polynomial"])
    sign = (value > 0) - (value < 0)
    return sign in {">=": (0, 1), ">": (1,), "=": (0,), "!=": (-1, 1)}[relation["relation"]]


def optima(certificate: Any) -> bool:
    claim = certificate["claim"]
    if certificate["kind"] == "lp-optimum":
        return true_program(claim)
    stated = [claim["level"], *claim["budgets"], *claim["per_record"]]
    if any(each is not None and "log" not in each for each in stated):
        raise Unjudged
    return true_bound(certificate)


def designs(certificate: Any) -> bool:
    if int(certificate["chain"]["length"]) > 4:  # sequences are enumerated
        raise Unjudged
    return true_designs(certificate, {})


JUDGES: dict[str, Callable[[Any], bool]] = {  # where the slow kernel tells nothing
    "rates": lambda each: true_rates(each, ()),
    "optima": optima,
    "algebra": algebra,
    "designs": designs,
}
