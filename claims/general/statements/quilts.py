"""Renyi divergences through hidden records; rankings; chains."""

from collections.abc import Iterator, Sequence
from itertools import pairwise, permutations, product
from typing import Any

from pufferproof.claims.language.instances.frameworks import Prior, Rows, Table, output_law, rows
from pufferproof.claims.language.instances.laws import ALMOST, ONE, ZERO, renyi
from pufferproof.claims.language.statements import Draws, Fraction, Instance, Statement

F = Fraction
TWO = F(2)
Everything = Sequence[Table]


def _changed(everything: Everything, H: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Pairs of tables that agree outside H."""
    for (i, x), (k, y) in product(enumerate(everything), repeat=2):
        if all(a == b for j, (a, b) in enumerate(zip(x, y)) if j not in H):
            yield i, k


def _hidden(draws: Draws, count: int) -> Instance:
    """Draw so many bits, a law of them, sets s and s' of tables, and a set H of records."""
    tables = list(product(range(2), repeat=count))
    prior = draws.law(len(tables), 2)
    i = draws.below(count)
    s = frozenset(n for n, x in enumerate(tables) if x[i] == 0)
    t = frozenset(range(len(tables))) - s if draws.below(4) else frozenset(draws.several(sorted(s)))
    H = draws.several(range(count))
    return {"tables": tables, "prior": prior, "s": s, "t": t, "H": H}


def _shown(tables: Sequence[Table], prior: Prior, s: Any, H: Sequence[int]) -> dict[Table, F]:
    law: dict[Table, F] = {}
    total = sum((prior[n] for n in s), ZERO)
    for n in s:
        key = tuple(v for j, v in enumerate(tables[n]) if j not in H)
        law[key] = law.get(key, ZERO) + (prior[n] / total if total else ZERO)
    return law


def divergences(draws: Draws) -> Instance:
    """Two bits, seldom three, often tied, in two sets s, s'; a set H of records, a mechanism,
    mostly without zeros, and alpha = 2 or 3.
    """
    drawn = _hidden(draws, 2 + (draws.below(6) == 5))
    some = [draws.positive_law(2, 3) for _ in range(2)]
    M = [draws.among(some) for _ in drawn["tables"]]
    M = rows(draws, len(M), 2) if draws.below(6) == 5 else M
    return drawn | {"M": M, "alpha": 2 + draws.below(2)}


def _renyi(instance: Any, shown: bool = True, factor: F = ONE) -> bool:
    alpha, M = instance["alpha"], instance["M"]
    both = [(M[i], M[k]) for i, k in _changed(instance["tables"], instance["H"])]
    worst = [renyi(p, q, alpha) for p, q in both]
    p, q = (output_law(instance["prior"], M, instance[each]) for each in "st")
    laws = [
        _shown(instance["tables"], instance["prior"], instance[each], instance["H"])
        for each in "st"
    ]
    keys = sorted({*laws[0], *laws[1]})
    first, second = ([law.get(key, ZERO) for key in keys] for law in laws)
    rest = renyi(first, second, alpha)
    if p is None or q is None or None in worst or rest is None:
        return True
    found = renyi(p, q, alpha)
    most = max(each for each in worst if each is not None)
    return found is not None and found <= factor * most * (rest if shown else ONE)


RENYI = Statement(
    family=divergences,
    holds=lambda shown=True, factor=ONE, **instance: _renyi(instance, shown=shown, factor=factor),
    too_strong={
        "without the divergence of what is shown": {"shown": False},
        "99/100 of the sum": {"factor": ALMOST},
    },
)


def scores(draws: Draws) -> Instance:
    """Two to four candidates with scores of 0 to 3 on two tables, at most Delta = 1 or 2 apart; the
    second ones often all at least the first, or all at most; e^c = 2 or 3/2 and K ranks.
    """
    size, Delta = 2 + draws.below(3), 1 + draws.below(2)
    u = [draws.below(4) for _ in range(size)]
    way = draws.below(3)
    moves = [
        draws.below(Delta + 1) * (1 if way == 0 or (way == 2 and draws.whether()) else -1)
        for _ in range(size)
    ]
    return {
        "u": u,
        "v": [a + move for a, move in zip(u, moves)],
        "Delta": Delta,
        "base": draws.among([F(2), F(3, 2)]),
        "K": 1 + draws.below(size),
    }


def _ranking(u: Sequence[int], base: F, ranks: Sequence[int]) -> F:
    """The probability of a ranking by draws without replacement."""
    left, chance = list(range(len(u))), ONE
    for r in ranks:
        chance *= base ** u[r] / sum((base ** u[other] for other in left), ZERO)
        left.remove(r)
    return chance


def _ranked(u: Sequence[int], v: Sequence[int], Delta: int, base: F, K: int, times: int) -> bool:
    bound = base ** (times * K * Delta)
    for ranks in permutations(range(len(u)), K):
        p, q = _ranking(u, base, ranks), _ranking(v, base, ranks)
        if p > bound * q or q > bound * p:
            return False
    return True


PEELING = Statement(
    family=scores,
    holds=lambda times=2, **instance: _ranked(times=times, **instance),
    too_strong={"half of the level": {"times": 1}},
)
ONE_WAY = "no score falls, or none rises"
PEELING_ONE_WAY = Statement(
    family=scores,
    given={
        ONE_WAY: lambda u, v, **_: (
            all(a <= b for a, b in zip(u, v)) or all(a >= b for a, b in zip(u, v))
        )
    },
    holds=lambda times=1, **instance: _ranked(times=times, **instance),
    too_strong={"level 0": {"times": 0}},
    too_weak=[ONE_WAY],
)


def noisy_scores(draws: Draws) -> Instance:
    """One to four candidates with e^(c u) from 1 to 4, ties often, and K ranks; all rankings; noise
    of its own for each candidate, or in one of eight draws the same for all.

    In v = exp(-e^(-x)), which rises with x, a score of e^(c u) = rate with its noise is at most x
    with probability v^rate, a polynomial, so that integrals over scores are fractions.
    """
    size = 1 + draws.below(4)
    rates = [1 + draws.below(4) for _ in range(size)]
    return {"rates": rates, "K": 1 + draws.below(size), "own": draws.below(8) < 7}


def _ordered(rates: Sequence[int], ranks: Sequence[int]) -> F:
    """The same where all scores have one noise: 1 for the order of the rates, without ties."""
    rest = [rate for r, rate in enumerate(rates) if r not in ranks]
    chosen = [rates[r] for r in ranks]
    return F(all(a > b for a, b in pairwise(chosen)) and chosen[-1] > max(rest, default=0))


def _integral(rates: Sequence[int], ranks: Sequence[int]) -> F:
    """The integral over v_1 > v_2 > .. of the densities at the scores of ranks, times the
    probability that all other scores are below the last one.
    """
    exponent = sum(rate for r, rate in enumerate(rates) if r not in ranks)
    factor = ONE
    for r in reversed(ranks):
        # the density of a score is rate v^(rate - 1); what is below it is factor v^exponent
        exponent += rates[r]
        factor *= F(rates[r], exponent)
    return factor


def _as_drawn(
    rates: Sequence[int], K: int, own: bool, left: bool = True, largest: bool = True
) -> bool:
    """Whether every ranking has the probability of draws without replacement, and no ties are left
    out.
    """
    total = ZERO
    for ranks in permutations(range(len(rates)), K):
        rest, chance = sum(rates), ONE
        for r in ranks if largest else ranks[::-1]:
            chance *= F(rates[r], rest)
            rest -= rates[r] if left else 0
        found = _integral(rates, ranks) if own else _ordered(rates, ranks)
        if chance != found:
            return False
        total += found
    return total == 1


INDEPENDENT_NOISE = "the noise is independent"
GUMBEL = Statement(
    family=noisy_scores,
    given={INDEPENDENT_NOISE: lambda own, **_: bool(own)},
    holds=_as_drawn,
    too_strong={
        "draws with replacement": {"left": False},
        "the last rank drawn first": {"largest": False},
    },
    too_weak=[INDEPENDENT_NOISE],
)


def chains(draws: Draws) -> Instance:
    """A chain of two states, or of three whose rows are rotations of one law, nearly even at
    times, so that pi is even and it need not be reversible; t from 1 to 6 with D < 1, else 6 or
    more; a law of X_1, often pi. D enters by its square, which is rational.
    """
    if draws.whether():
        a, b = (
            draws.rate([F(n, 8) for n in range(1, 8)]),
            draws.rate([F(n, 8) for n in range(1, 8)]),
        )
        step, pi = [[1 - a, a], [b, 1 - b]], [b / (a + b), a / (a + b)]
        square = (1 - a - b) ** 2
    else:
        n = 3 + draws.below(10)
        x, y, z = draws.among([draws.positive_law(3, 3), [F(n + k, 3 * n) for k in (1, 0, -1)]])
        step, pi = [[x, y, z], [z, x, y], [y, z, x]], [F(1, 3)] * 3
        square = x * x + y * y + z * z - x * y - y * z - z * x
    t = 1 + draws.below(6)
    while square**t >= min(pi) ** 2:
        t += 1
    start = pi if draws.whether() else draws.positive_law(len(pi))
    return {"step": step, "pi": pi, "start": start, "t": t, "square": square**t / min(pi) ** 2}


def _after(step: Rows, law: Sequence[F], t: int) -> list[F]:
    for _ in range(t):
        law = [sum((p * row[y] for p, row in zip(law, step)), ZERO) for y in range(len(law))]
    return list(law)


def _rows_after(step: Rows, t: int) -> list[list[F]]:
    size = len(step)
    return [_after(step, [F(x == y) for y in range(size)], t) for x in range(size)]


def _backward(step: Rows, start: Prior, t: int) -> list[list[F]]:
    """P(X_1 = x | X_{1+t} = v) for every v."""
    ahead, law = _rows_after(step, t), _after(step, start, t)
    return [[p * row[v] / law[v] for p, row in zip(start, ahead)] for v in range(len(law))]


def _within_b(laws: Rows, square: F, part: F = TWO) -> bool:
    """p <= B q with B = (1 + D sqrt(2 - D^2))/(1 - D^2), compared by squares; with another number
    instead of the 2 if asked.
    """
    for p, q in product(laws, repeat=2):
        for a, b in zip(p, q):
            left = a * (1 - square) - b
            if left > 0 and left**2 > b**2 * square * (part - square):
                return False
    return True


def _within_c(laws: Rows, square: F) -> bool:
    """p <= C q with C = 1/(1 - D)^2, compared by squares."""
    for p, q in product(laws, repeat=2):
        for a, b in zip(p, q):
            left = a * (1 + square) - b
            if left > 0 and left**2 > 4 * a**2 * square:
                return False
    return True


def _spectral_forward(step: Rows, t: int, square: F, **_: object) -> bool:
    return _within_b(_rows_after(step, t), square)


def _spectral_backward(
    step: Rows, pi: Prior, start: Prior, t: int, square: F, part: F = ONE
) -> bool:
    laws = _backward(step, start, t)
    return _within_c(laws, part * square) and (start != pi or _within_b(laws, part * square))


FORWARD = Statement(
    family=chains,
    computed=["square"],
    holds=_spectral_forward,
    too_strong={
        "with D/2": lambda square, **_: {"square": square / 4},
        "with D at t + 1": lambda pi, square, **_: {"square": min(square, ONE) ** 2 * min(pi) ** 2},
    },
)
BACKWARD = Statement(
    family=chains,
    computed=["square"],
    holds=_spectral_backward,
    too_strong={"with D/4": {"part": F(1, 16)}},
)


def distances(draws: Draws) -> Instance:
    """D from 0 to 63/64."""
    return {"D": F(draws.below(64), 64)}


def _published(D: F, more: int = 2) -> bool:
    """Whether 1 + D sqrt(2 - D^2) <= (1 + D)^2, which is B times 1 - D^2, by squares of sqrt(2 -
    D^2) <= more + D, and C is at most its bound.
    """
    return (D == 0 or 2 - D**2 <= (more + D) ** 2) and 1 / (1 - D) ** 2 <= ((1 + D) / (1 - D)) ** 2


PUBLISHED = Statement(
    family=distances,
    holds=_published,
    too_strong={"1 + D sqrt(2 - D^2) <= 1 + D + D^2": {"more": 1}},
)
