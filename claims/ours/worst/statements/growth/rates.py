"""The rate of the k-fold leakage: probabilities are powers of 2, so that values are fractions.

A ratio is compared with 2 to a fraction by powers of both. The limit itself cannot be run:
instances check the bound for up to three runs, and the ratio in the proportions of alpha.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations_with_replacement, product
from math import lcm
from typing import Any

from pufferproof.claims.language.instances.frameworks import Row, Rows
from pufferproof.claims.language.instances.laws import ONE, ZERO, at_most
from pufferproof.claims.language.statements import Draws, Fraction, Instance, Statement
from pufferproof.claims.ours.worst.statements.collapse import support
from pufferproof.claims.ours.worst.statements.cones import Pair, pairs, ratio, times
from pufferproof.claims.ours.worst.statements.growth.games import (
    Exponents,
    exponents,
    finite,
    game,
    mechanism,
    value,
)

F = Fraction


def repeated(draws: Draws) -> Instance:
    """Two or three databases, one or two pairs of laws with zeros, a mechanism with three outputs
    of probabilities 0, 1/4, 1/2 or 1, one to three runs, a level from -1 to 2 in halves.
    """
    size = 2 + draws.below(2)
    return {
        "T": pairs(draws, size),
        "rows": exponents(draws, size),
        "k": 1 + draws.below(3),
        "epsilon": F(draws.below(7) - 2, 2),
    }


def games(T: Sequence[Pair], rows: Exponents) -> Iterator[tuple[Pair, int, Any, list[int]]]:
    """Yield every pair, x in supp mu, the entries of its game and the columns that remain."""
    for mu, nu in T:
        places = support(nu)
        for x in support(mu):
            G = game(rows, x, places)
            yield (mu, nu), x, G, finite(G)


def fold(T: Sequence[Pair], rows: Rows, k: int) -> F | None:
    """Return e to the k-fold leakage, at least 1, or None if it is infinite."""
    best: F | None = ONE
    for some in combinations_with_replacement(list(zip(*rows)), k):
        here = ratio(T, times(*some))
        if here is None or best is None:
            return None
        best = max(best, here)
    return best


def counts(draws: Draws) -> Instance:
    """Two or three databases, two laws with zeros, a mechanism with two or three outputs, x in supp
    mu, and how often each output is shown, three times at most in all.
    """
    size = 2 + draws.below(2)
    mu, nu = draws.law(size, 3), draws.law(size, 3)
    rows = draws.rows(size, 2 + draws.below(2), 3)
    shown = [draws.below(len(rows[0])) for _ in range(1 + draws.below(3))]
    x = draws.among([x for x, p in enumerate(mu) if p])
    return {"mu": mu, "nu": nu, "M": rows, "x": x, "shown": shown}


def _counted(
    mu: Row, nu: Row, M: Rows, x: int, shown: Sequence[int], weight: F | None = None
) -> bool:
    columns = list(zip(*M))
    U = times(*(columns[w] for w in shown))
    least = [U[x] / U[y] for y, p in enumerate(nu) if p and U[y]]
    found = fold([(mu, nu)], M, len(shown))
    return found is None or (bool(least) and found >= min(least) * (weight or mu[x]))


SHOWN = "every output that is counted has v_w[x] > 0"
RATE_LOWER = Statement(
    family=counts,
    given={SHOWN: lambda M, x, shown, **_: all(M[x][w] for w in shown)},
    holds=_counted,
    too_strong={"without log mu_x": {"weight": ONE}},
)


def within(number: F, exponent: F, factor: F) -> bool:
    """Whether a number is at most 2^exponent times a factor."""
    q = exponent.denominator
    return bool(number**q <= F(2) ** exponent.numerator * factor**q)


def beyond(number: F, exponent: F) -> bool:
    """Whether a number is at least 2^exponent."""
    return bool(number**exponent.denominator >= F(2) ** exponent.numerator)


def _best(T: Sequence[Pair], rows: Exponents) -> tuple[F, Pair, int, Any, list[F]] | None:
    """The largest value with its pair, its x, its game and alpha; None if some game has no column
    or no value was found.
    """
    best = None
    for pair, x, G, remain in games(T, rows):
        found = value([[row[y] for y in remain] for row in G]) if remain else None
        if found is None:
            return None
        if best is None or found[0] > best[0]:
            best = (found[0], pair, x, G, found[1])
    return best


def _b(T: Sequence[Pair]) -> F:
    return F(min(p for _, nu in T for p in nu if p))


def in_proportion(
    rows: Exponents, x: int, G: Sequence[Sequence[int]], alpha: Row, times_: int
) -> list[int]:
    """Return outputs in the proportions of alpha, and one that excludes each other column."""
    shown = [w for w, e in enumerate(rows[x]) if e is not None]
    whole = lcm(*(a.denominator for a in alpha))
    counted = [w for w, a in zip(shown, alpha) for _ in range(int(a * whole) * times_)]
    spare = [
        next(w for w, row in zip(shown, G) if row[y] is None)
        for y in range(len(G[0]))
        if y not in finite(G)
    ]
    return [*counted, *spare]


def reaches(T: Sequence[Pair], rows: Exponents, V: F, best: Any) -> bool:
    """Whether the ratio at these outputs is at least 2^(k V) times what does not grow: mu_x, and
    the quotient of the spare outputs, for k runs in the proportions and twice as many.
    """
    _, (mu, nu), x, G, alpha = best
    columns = list(zip(*mechanism(rows)))
    for many in (1, 2):
        outputs = in_proportion(rows, x, G, alpha, many)
        spare = len(in_proportion(rows, x, G, alpha, 0))
        k = len(outputs) - spare
        found = ratio([(mu, nu)], times(*(columns[w] for w in outputs)))
        rest = times([ONE] * len(mu), *(columns[w] for w in outputs[k:]))
        loss = rest[x] / max([rest[y] for y in support(nu) if rest[y]], default=ONE)
        if found is not None and not beyond(found / (mu[x] * loss), k * V):
            return False
    return True


def _limit(
    T: Sequence[Pair], rows: Exponents, k: int, bound: bool = True, more: F = ZERO, **_: object
) -> bool:
    best = _best(T, rows)
    if best is None:
        return False
    found = fold(T, mechanism(rows), k)
    upper = found is not None and within(found, k * best[0], 1 / _b(T) if bound else ONE)
    return upper and reaches(T, rows, best[0] + more, best)


def _all_columns(T: Sequence[Pair], rows: Exponents, **_: object) -> bool:
    return all(remain for *_rest, remain in games(T, rows))


COLUMN, NO_COLUMN = "every game has a column", "some game has no column"
LIMIT = Statement(
    family=repeated,
    given={COLUMN: _all_columns},
    holds=_limit,
    too_strong={"without log(1/b)": {"bound": False}, "a limit 1/4 larger": {"more": F(1, 4)}},
    too_weak=[COLUMN],
)


def _infinite(T: Sequence[Pair], rows: Exponents, fewer: int = 0, **_: object) -> bool:
    most = max(len(support(nu)) for _, nu in T)
    return fold(T, mechanism(rows), max(1, most - fewer)) is None


COLLAPSE = Statement(
    family=repeated,
    given={NO_COLUMN: lambda **instance: not _all_columns(**instance)},
    holds=_infinite,
    too_strong={"in one run less": {"fewer": 1}},
    too_weak=[NO_COLUMN],
)


def _nfc(T: Sequence[Pair], rows: Exponents, epsilon: F) -> bool:
    """Whether every x has weights with log v_w[x] <= epsilon + the mean of log v_w[y]: those that
    are optimal in its game if any.
    """
    for _pair, _x, G, remain in games(T, rows):
        found = value([[row[y] for y in remain] for row in G]) if remain else None
        if found is None:
            return False
        beta = found[2]
        paid = [sum((b * row[y] for b, y in zip(beta, remain)), ZERO) for row in G]
        if max(paid) > epsilon:
            return False
    return True


def _rate_at_most(T: Sequence[Pair], rows: Exponents, epsilon: F, k: int, bound: F | None) -> bool:
    """Whether k runs lose at most k epsilon and a constant: NfC gives the bound, and without it the
    ratio in the proportions of alpha grows faster.
    """
    if _nfc(T, rows, epsilon):
        found = fold(T, mechanism(rows), k)
        return found is not None and within(found, k * epsilon, bound or 1 / _b(T))
    best = _best(T, rows)
    if best is None:
        return _infinite(T, rows)
    return best[0] > epsilon and reaches(T, rows, best[0], best)


NFC_IS_RATE = Statement(
    family=repeated,
    holds=lambda T, rows, k, epsilon, bound=None: _rate_at_most(T, rows, epsilon, k, bound),
    too_strong={"every k-fold leakage at most k epsilon": {"bound": ONE}},
)


def two_priors(draws: Draws) -> Instance:
    """Two or three databases, the secret s of one or two of them and its complement, two priors
    with zeros, which often exclude a secret, a mechanism as above without zeros, one or two runs,
    and the share of one prior in a mixture.
    """
    size = 2 + draws.below(2)
    cut = 1 + draws.below(size - 1)
    return {
        "priors": [draws.law(size, 2), draws.law(size, 2)],
        "s": frozenset(range(cut)),
        "rows": [draws.among([[1, 2, 2], [2, 1, 2], [2, 2, 1]]) for _ in range(size)],
        "k": 1 + draws.below(2),
        "share": draws.rate([F(n, 4) for n in range(1, 4)]),
    }


def _law(prior: Row, s: Any, inside: bool) -> list[F] | None:
    """The law given s, or given that it is false, or None if that is impossible."""
    kept = [p if (x in s) == inside else ZERO for x, p in enumerate(prior)]
    total = sum(kept)
    return [p / total for p in kept] if total else None


def _counting(priors: Rows, s: frozenset[int]) -> list[tuple[int, int, Pair]]:
    """The games that count: (k, k), and (k, l) where k excludes s' or l excludes s."""
    found: list[tuple[int, int, Pair]] = []
    for (i, k), (j, other) in product(enumerate(priors), repeat=2):
        mu, nu = _law(k, s, True), _law(other, s, False)
        if mu and nu and (i == j or not _law(k, s, False) or not _law(other, s, True)):
            found.append((i, j, (mu, nu)))
    return found


def _odds(priors: Rows, s: frozenset[int]) -> F:
    odds = []
    for prior in priors:
        inside = sum((prior[x] for x in s), ZERO)
        if 0 < inside < 1:
            odds.append(inside / (1 - inside))
    return max(odds) / min(odds) if odds else ONE


def _mixed(priors: Any, share: F) -> list[F]:
    return [share * a + (1 - share) * b for a, b in zip(*priors)]


def _mixtures(
    priors: Rows,
    s: frozenset[int],
    rows: Sequence[Sequence[int]],
    k: int,
    share: F,
    constant: bool = True,
) -> bool:
    """Whether the mixture is within the bound, with the constant or without it."""
    counting = _counting(priors, s)
    best = _best([pair for *_, pair in counting], rows)
    mixture = _mixed(priors, share)
    mu, nu = _law(mixture, s, True), _law(mixture, s, False)
    if best is None or mu is None or nu is None:
        return True
    found = fold([(mu, nu)], mechanism(rows), k)
    factor = (_odds(priors, s) if constant else ONE) / _b([pair for *_, pair in counting])
    return found is not None and within(found, k * best[0], factor)


BOTH = "the mixture allows both secrets"


def _allows(priors: object, s: object, share: F, **_: object) -> bool:
    mixture = _mixed(priors, share)
    return _law(mixture, s, True) is not None and _law(mixture, s, False) is not None


SKEWED = {
    "priors": [[F(999, 1000), F(1, 1000)], [F(1, 1000), F(999, 1000)]],
    "s": frozenset([0]),
    "rows": [[1, 2, 2], [1, 2, 2]],
    "k": 1,
    "share": F(1, 2),
}
APART = {
    "priors": [[F(99, 100), ZERO, F(1, 100), ZERO], [ZERO, F(1, 100), ZERO, F(99, 100)]],
    "s": frozenset([0, 1]),
    "rows": [[1, 2, 2], [2, 2, 1], [1, 2, 2], [2, 2, 1]],
    "k": 1,
    "share": F(1, 2),
}
"""Each prior has two databases that the mechanism does not tell apart, the priors' differ."""
MIXTURES_UPPER = Statement(
    family=two_priors,
    edges=[SKEWED, APART],
    given={BOTH: _allows},
    holds=_mixtures,
    too_strong={"without the constant": {"constant": False}},
)


def _share(priors: Rows, s: frozenset[int], i: int, j: int, share: F) -> F:
    """The share of the first prior at which a mixture is nearly as bad as the laws of two."""
    if i == j:
        return ONE - i
    excludes = _law(priors[i], s, False) is None, _law(priors[j], s, True) is None
    small = F(1, 1000)
    of_k = {(True, False): 1 - small, (False, True): small}.get(excludes, share)
    return of_k if i == 0 else 1 - of_k


def _near(
    priors: Rows,
    s: frozenset[int],
    rows: Sequence[Sequence[int]],
    k: int,
    share: F,
    tenths: int = 9,
) -> bool:
    """Whether for each game that counts some mixture has nearly its k-fold ratio, or more."""
    for i, j, pair in _counting(priors, s):
        wanted = fold([pair], mechanism(rows), k)
        mixture = _mixed(priors, _share(priors, s, i, j, share))
        mu, nu = _law(mixture, s, True), _law(mixture, s, False)
        found = fold([(mu, nu)], mechanism(rows), k) if mu and nu else ONE
        if not at_most(None if wanted is None else F(tenths, 10) * wanted, found):
            return False
    return True


MIXTURES_NEAR = Statement(
    family=two_priors,
    given={BOTH: _allows},
    holds=_near,
    too_strong={"more than it": {"tenths": 11}},
)
