"""Levels per record, deltas and Renyi divergences through hidden records; rankings; chains."""

from collections.abc import Iterator, Sequence
from itertools import pairwise, permutations, product
from typing import Any

from pufferproof.claims.general.statements import tables
from pufferproof.claims.language.instances.frameworks import (
    Prior,
    Rows,
    Table,
    output_law,
    rows,
    side_by_side,
)
from pufferproof.claims.language.instances.laws import ALMOST, ONE, ZERO, renyi, subsets
from pufferproof.claims.language.statements import Draws, Fraction, Instance, Statement

F = Fraction
TWO = F(2)
Everything = Sequence[Table]


def adaptive(draws: Draws) -> Instance:
    """Two bits, often tied, in two sets s, s'; a set H of records; a mechanism, another one for
    each of its two outputs, and at times a third one, the same whatever was seen, with least levels
    R_kj for every record, and A, the least with P(x_L | s) <= A P(x_L | s'), or half more; where a
    least level is infinite, 2.
    """
    drawn = tables.hidden(draws, 2)
    size = len(drawn["tables"])
    positive = [draws.positive_law(2, 3) for _ in range(2)]
    some = [[draws.among(positive) for _ in range(size)] for _ in range(3)]
    count = range(len(drawn["tables"][0]))
    each = [[tables.record_level(drawn["tables"], M, j) or F(2) for j in count] for M in some]
    levels = [each[0], [max(pair) for pair in zip(*each[1:])]]
    joint = [
        [p * q for w, p in enumerate(row) for q in some[1 + w][x]] for x, row in enumerate(some[0])
    ]
    if draws.below(3) == 2:
        levels, joint = [*levels, each[0]], side_by_side(joint, some[0])
    return drawn | {"mechanisms": some, "levels": levels, "joint": joint}


def with_deltas(draws: Draws) -> Instance:
    """Two bits, seldom three, and a mechanism with two outputs; R_j from 1 to 2 and the least d_j
    for every record; a set H of records in some order.
    """
    count = 2 + (draws.below(6) == 5)
    everything = list(product(range(2), repeat=count))
    M = rows(draws, len(everything), 2)
    R = [draws.among([ONE, F(3, 2), F(2)]) for _ in range(count)]
    order = draws.among(list(permutations(range(count))))
    H = order[: 1 + draws.below(count)]
    d = [_delta(everything, M, [j], R[j]) for j in range(count)]
    return {"tables": everything, "M": M, "R": R, "d": d, "H": H}


def _changed(everything: Everything, H: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Pairs of tables that agree outside H."""
    for (i, x), (k, y) in product(enumerate(everything), repeat=2):
        if all(a == b for j, (a, b) in enumerate(zip(x, y)) if j not in H):
            yield i, k


def _delta(everything: Everything, M: Rows, H: Sequence[int], K: F) -> F:
    """The least D with P(E | x) <= K P(E | y) + D for these tables and all sets E of outputs."""
    pairs = {(tuple(M[i]), tuple(M[k])) for i, k in _changed(everything, H)}
    return max(
        sum((p[w] - K * q[w] for w in E), ZERO) for p, q in pairs for E in subsets(range(len(M[0])))
    )


def _group(tables: list[Table], M: Rows, R: Prior, d: Prior, H: Table, added: bool = False) -> bool:
    K, D = ONE, ZERO
    for j in H:
        D += (ONE if added else K) * d[j]
        K *= R[j]
    return _delta(tables, M, H, K) <= D


TWO_CHANGES: Instance = {
    "tables": list(product(range(2), repeat=2)),
    "M": [[F(n, 4), 1 - F(n, 4)] for n in (0, 1, 1, 3)],
    "R": [F(2), F(2)],
    "d": [F(1, 4), F(1, 4)],
    "H": (0, 1),
}
"""The second delta is multiplied by the first level: 00 and 11 need the delta 3/4 at level 4."""
APART: Instance = {
    "tables": [(0, 0), (1, 1)],
    "M": [[ONE, ZERO], [ZERO, ONE]],
    "R": [ONE, ONE],
    "d": [ZERO, ZERO],
    "H": (0, 1),
}
GROUPS = Statement(
    family=with_deltas,
    edges=[TWO_CHANGES, APART],
    given={tables.EVERY_TABLE: tables.all_tables},
    holds=_group,
    too_strong={
        "deltas that add up": {"added": True},
    },
    too_weak=[tables.EVERY_TABLE],
)


def promised(draws: Draws) -> Instance:
    """Two bits, seldom three, often tied, in two sets s, s'; a set H of records and A as for levels
    per record; a mechanism, K from 1 to 3 and D, the least delta at K for tables that agree outside
    H, or at times half of it.
    """
    drawn = tables.hidden(draws, 2 + (draws.below(6) == 5))
    M, K = rows(draws, len(drawn["tables"]), 2), draws.among([ONE, F(3, 2), F(3)])
    D = _delta(drawn["tables"], M, drawn["H"], K)
    return drawn | {"M": M, "K": K, "D": D / (2 if draws.below(6) == 5 else 1)}


def _events(instance: Any, factor: F = ONE, added: bool = True) -> bool:
    A, D = factor * instance["A"], instance["D"] * added
    p, q = (output_law(instance["prior"], instance["M"], instance[each]) for each in "st")
    if p is None or q is None:
        return True
    return all(
        sum((p[w] for w in E), ZERO) <= A * instance["K"] * sum((q[w] for w in E), ZERO) + D
        for E in subsets(range(len(p)))
    )


PROMISE = "P(E | x) <= K P(E | y) + D for all tables that agree on L"
PROMISED = Statement(
    family=promised,
    given={
        tables.SHOWN: lambda **instance: tables.is_shown(instance),
        PROMISE: lambda **instance: (
            _delta(instance["tables"], instance["M"], instance["H"], instance["K"]) <= instance["D"]
        ),
    },
    holds=lambda factor=ONE, added=True, **instance: _events(instance, factor, added),
    too_strong={
        "without D": {"added": False},
        "99/100 of A": {"factor": ALMOST},
    },
    too_weak=[tables.SHOWN, PROMISE],
)


def divergences(draws: Draws) -> Instance:
    """Two bits, seldom three, often tied, in two sets s, s'; a set H of records, a mechanism,
    mostly without zeros, and alpha = 2 or 3.
    """
    drawn = tables.hidden(draws, 2 + (draws.below(6) == 5))
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
        tables.shown(instance["tables"], instance["prior"], instance[each], instance["H"])
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
    in place of the 2 if asked.
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
    too_strong={
        "with D/4": {"part": F(1, 16)},
    },
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
    too_strong={
        "1 + D sqrt(2 - D^2) <= 1 + D + D^2": {"more": 1},
    },
)
