"""Two mechanisms on two segments of a chain as programs: theorem III.1 and its steps.

Laws of all records are written out, influence is a quotient of sums, mechanisms are tables.
"""

from collections.abc import Callable, Mapping, Sequence
from itertools import product
from typing import Any

from pufferproof.claims.language.instances.chains import (
    Path,
    chain,
    given_values,
    influence,
    marginal,
    sequences,
)
from pufferproof.claims.language.instances.frameworks import rows
from pufferproof.claims.language.instances.laws import (
    ALMOST,
    ONE,
    ZERO,
    at_most,
    largest_ratio,
    times,
)
from pufferproof.claims.language.statements import Draws, Fraction, Instance, Statement

F = Fraction
Law = Mapping[Path, F]
Levels = tuple[F | None, F | None]


def split(draws: Draws, law: Law, length: int) -> Instance:
    """Draw two segments of a law, and a mechanism with two outputs on either."""
    T2 = 1 + draws.below(length - 1)
    T3 = T2 + 1 + draws.below(length - T2)
    first, second = list(range(1, T2 + 1)), list(range(T3, length + 1))
    A, B = (
        dict(zip(paths, rows(draws, len(paths), 2)))
        for paths in (sorted(marginal(law, each)) for each in (first, second))
    )
    return {"law": law, "T2": T2, "T3": T3, "first": first, "second": second, "A": A, "B": B}


def two_segments(draws: Draws) -> Instance:
    """Two to four records of a chain of two values, as above, split into X_1..X_T2 and X_T3..X_T
    with a gap that may be empty; mechanisms with two outputs on either, with their least levels for
    the secrets of their own segment, where these are finite.
    """
    start, step = chain(draws, states=2)
    length = 2 + draws.below(3)
    return split(draws, sequences(start, step, length), length)


Table = Mapping[Path, Sequence[F]]
Release = tuple[Table, Sequence[int]]


def _released(law: Law, releases: Sequence[Release]) -> dict[tuple[int, ...], F]:
    """The law of all outputs, each drawn with coins of its own."""
    outputs: dict[tuple[int, ...], F] = {}
    for x, p in law.items():
        drawn: dict[Path, F] = {(): p}
        for table, records in releases:
            row = table[tuple([x[j - 1] for j in records])]
            drawn = {(*w, y): m * q for w, m in drawn.items() for y, q in enumerate(row)}
        for w, m in drawn.items():
            outputs[w] = outputs.get(w, ZERO) + m
    return outputs


def _level(law: Law, secrets: Sequence[int], releases: Sequence[Release]) -> F | None:
    """The largest ratio of an output's probability given two values of a record."""
    masses: dict[tuple[int, int], dict[Path, F]] = {}
    for x, p in law.items():
        outputs = _released({x: p}, releases).items()
        for i in secrets:
            mass = masses.setdefault((i, x[i - 1]), {})
            for w, weight in outputs:
                before = mass.get(w)
                mass[w] = weight if before is None else before + weight
    laws: dict[int, list[Law]] = {i: [] for i in secrets}
    for (i, _), mass in masses.items():
        total = sum(mass.values())
        laws[i].append({w: weight / total for w, weight in mass.items()})
    return _most(ONE, *(largest_ratio(each) for each in laws.values()))


def _least(*bounds: F | None) -> F | None:
    return min((each for each in bounds if each is not None), default=None)


def _most(*bounds: F | None) -> F | None:
    return None if None in bounds else max(each for each in bounds if each is not None)


def _own(instance: Any) -> tuple[Release, Release]:
    return (instance["A"], instance["first"]), (instance["B"], instance["second"])


def _levels(instance: Any) -> Levels:
    """The least e^eps_A and e^eps_B, for secrets of the own segment."""
    A, B = _own(instance)
    return _level(instance["law"], A[1], [A]), _level(instance["law"], B[1], [B])


def _influences(instance: Any) -> Levels:
    """e^e(X_T3|X_T2) and e^e(X_T2|X_T3)."""
    law, T2, T3 = (instance[each] for each in ("law", "T2", "T3"))
    return influence(law, T2, [T3]), influence(law, T3, [T2])


def _together(instance: Any, *segments: str) -> F | None:
    """The least level of both releases for secrets of the segments."""
    records = [i for each in segments for i in instance[each]]
    return _level(instance["law"], records, _own(instance))


def _bound(levels: Levels, to_a: F | None, to_b: F | None) -> F | None:
    """e^E with the influences that stand beside eps_A and eps_B."""
    both = times(*levels)
    return _most(_least(both, times(levels[0], to_a)), _least(both, times(levels[1], to_b)))


def _segments(instance: object, exchanged: bool = False, factor: F = ONE) -> bool:
    forward, backward = _influences(instance)
    if exchanged:
        forward, backward = backward, forward
    bound = times(factor, _bound(_levels(instance), forward, backward))
    return at_most(_together(instance, "first", "second"), bound)


_PAIRS = list(product(range(2), repeat=2))
START_MATTERS = {
    "law": sequences([F(3, 4), F(1, 4)], [[F(1, 2), F(1, 2)], [F(1, 4), F(3, 4)]], 4),
    "T2": 2,
    "T3": 3,
    "first": [1, 2],
    "second": [3, 4],
    "A": {x: [F(19, 20), F(1, 20)] if x[1] else [F(1, 20), F(19, 20)] for x in _PAIRS},
    "B": {x: [F(19, 20), F(1, 20)] if x[0] else [F(1, 5), F(4, 5)] for x in _PAIRS},
}
"""Not stationary, so that X_2 tells more of X_3 than X_3 of X_2."""


def _kernel_within(instance: Any, factor: F = ONE) -> bool:
    law, T2, T3 = (instance[each] for each in ("law", "T2", "T3"))
    B, b, forward = _own(instance)[1], _levels(instance)[1], _influences(instance)[0]
    of_T2 = largest_ratio(_released(each, [B]) for each in given_values(law, T2).values())
    of_T3 = largest_ratio(_released(each, [B]) for each in given_values(law, T3).values())
    return at_most(of_T2, times(factor, _least(forward, b))) and at_most(of_T3, b)


def _kernel_separated(instance: Any) -> bool:
    """Whether M_B and X_T2 are independent given X_T3."""
    law, T2, T3 = (instance[each] for each in ("law", "T2", "T3"))
    B = _own(instance)[1]
    return all(
        _released(given_both, [B]) == _released(of_T3, [B])
        for of_T3 in given_values(law, T3).values()
        for given_both in given_values(of_T3, T2).values()
    )


KERNEL = Statement(
    family=two_segments,
    holds=lambda other=False, other_=False, **instance: (
        (_kernel_within(instance) and _kernel_separated(instance))
        and (not other or (_kernel_within(instance, ALMOST)))
        and (
            not other_
            or (
                at_most(
                    largest_ratio(
                        _released(each, [_own(instance)[1]])
                        for each in given_values(instance["law"], instance["T2"]).values()
                    ),
                    _influences(instance)[1],
                )
            )
        )
    ),
    too_strong={"99/100 of it": {"other": True}, "by e(X_T2|X_T3)": {"other_": True}},
)


def _secrets(instance: object, own: int, factor: F = ONE) -> bool:
    """For secrets of A, own = 0, or of B, own = 1."""
    level, kernel = _levels(instance)[own], _influences(instance)[own]
    bound = _least(times(level, kernel), times(*_levels(instance)))
    return at_most(_together(instance, ("first", "second")[own]), times(factor, bound))


def _secrets_of(own: int) -> Statement:
    return Statement(
        family=two_segments,
        holds=lambda factor=ONE, **instance: _secrets(instance, own, factor=factor),
        too_strong={"99/100 of it": {"factor": ALMOST}},
    )


SECRETS_A, SECRETS_B = _secrets_of(0), _secrets_of(1)


def reversible(draws: Draws) -> Instance:
    """Two segments as above, on up to four records of a reversible chain of two values or three of
    one of three: weights w(x,y) = w(y,x), zeros often, P(x,y) = w(x,y)/w(x). X_1 has the law
    w(x)/w, or, one time in four, another one.
    """
    size = 2 + draws.below(3) // 2
    weights = [[ZERO] * size for _ in range(size)]
    for x, y in product(range(size), repeat=2):
        if x <= y:
            weights[x][y] = weights[y][x] = F(draws.below(4) + (x == y == 0))
    kept = [x for x in range(size) if any(weights[x])]
    total = [sum(weights[x], ZERO) for x in kept]
    step = [[weights[x][y] / m for y in kept] for x, m in zip(kept, total)]
    pi = [m / sum(total) for m in total]
    start = pi if draws.below(4) < 3 else draws.law(len(kept))
    length = 2 + draws.below(3 if size == 2 else 2)
    drawn = split(draws, sequences(start, step, length), length)
    return drawn | {"P": step, "stationary": start == pi}


CYCLE = [[F(n, 6) for n in row] for row in ((1, 2, 3), (2, 3, 1), (1, 3, 2))]
_FLAG_A = [[F(29, 30), F(1, 30)], [F(1, 30), F(29, 30)], [F(1, 30), F(29, 30)]]
_FLAG_B = [[F(1, 25), F(24, 25)], [F(1, 25), F(24, 25)], [F(4, 5), F(1, 5)]]
NOT_REVERSIBLE = {
    "law": sequences([F(9, 37), F(17, 37), F(11, 37)], CYCLE, 4),
    "P": CYCLE,
    "stationary": True,
    "T2": 2,
    "T3": 3,
    "first": [1, 2],
    "second": [3, 4],
    "A": {x: _FLAG_A[x[1]] for x in product(range(3), repeat=2)},
    "B": {x: _FLAG_B[x[0]] for x in product(range(3), repeat=2)},
}
"""A stationary chain of three values in which X_2 tells more of X_3 than X_3 of X_2."""


def _is_reversible(P: Sequence[Sequence[F]], **_: object) -> bool:
    """Whether every cycle of three values is as likely backwards."""
    cycles = product(range(len(P)), repeat=3)
    return all(P[x][y] * P[y][z] * P[z][x] == P[x][z] * P[z][y] * P[y][x] for x, y, z in cycles)


STATIONARY, BALANCED = "the law of X_1 is stationary", "P is reversible"
REVERSIBLE = Statement(
    family=reversible,
    edges=[
        START_MATTERS | {"P": [[F(1, 2)] * 2, [F(1, 4), F(3, 4)]], "stationary": False},
        NOT_REVERSIBLE,
    ],
    given={STATIONARY: lambda stationary, **_: bool(stationary), BALANCED: _is_reversible},
    holds=lambda factor=ONE, **instance: _segments(instance, exchanged=True, factor=factor),
    too_strong={"99/100 of the bound": {"factor": ALMOST}},
    too_weak=[STATIONARY, BALANCED],
)


def _equal_levels(instance: object, factor: F = ONE) -> bool:
    level = _most(*_levels(instance))
    forward, backward = _influences(instance)
    bound = times(factor, _bound((level, level), backward, forward))
    return at_most(_together(instance, "first", "second"), bound)


EQUAL_LEVELS = Statement(
    family=two_segments,
    edges=[START_MATTERS],
    holds=lambda factor=ONE, **instance: _equal_levels(instance, factor=factor),
    too_strong={"99/100 of the bound": {"factor": ALMOST}},
)


def _corrected(instance: Any, correction: Callable[..., F | None]) -> bool:
    bound = times(_most(*_levels(instance)), correction(*_influences(instance)))
    return at_most(_together(instance, "first", "second"), bound)


CORRECTION = Statement(
    family=two_segments,
    edges=[START_MATTERS],
    holds=lambda correction=_most, **instance: _corrected(instance, correction),
    too_strong={
        "the smaller influence": {"correction": _least},
        "none": {"correction": lambda F, G: ONE},
    },
)
