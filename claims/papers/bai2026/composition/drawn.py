"""How mechanisms and weights of conditions are drawn: tables whose entries are powers of 16 and
weights in quarters, whose geometric means are rational, so that levels are exact and often least.
"""

from pufferproof.claims.language.statements.draws import Draws
from pufferproof.claims.language.statements.rationals import Fraction
from pufferproof.claims.language.statements.statement import Instance
from pufferproof.claims.vocabulary.entries.composition.conditions import Root, geometric
from pufferproof.claims.vocabulary.families import CLOSE, Rows, channel, onehot, rarely, signed, subset, vector
from pufferproof.claims.vocabulary.terms import Log

F = Fraction
POWERS = [F(1), F(1, 16), F(0), F(1, 256), F(16)]


def numbers(draws: Draws) -> Instance:
    """One to four numbers, zeros and ties often, and weights in quarters; both are now and then
    negative, and weights then sum to something else.
    """
    size = 1 + draws.below(4)
    u = [draws.among([*POWERS, F(2)]) for _ in range(size)]
    if draws.below(4) == 3:
        u = [u[0]] * size
    if rarely(draws):
        u = [each or F(-1, 200) for each in u]
    if rarely(draws):
        u[draws.below(size)] -= 20
    return {"D": size, "b": weights(draws, [*range(size)], size), "u": u}


def weights(draws: Draws, places: list[int], size: int) -> list[Fraction]:
    """Weights on some places: all on one, in halves or quarters, even ones, or any."""
    kind = draws.below(6)
    if kind < 2 or not places:
        return onehot(size, draws.among(places or [0]))
    if kind == 5:
        return vector(draws, size)
    found = [F(0)] * size
    for _ in range(4 if kind > 3 else 2):
        found[draws.among(places)] += F(1, 4) if kind > 3 else F(1, 2)
    return found


def table(draws: Draws, databases: int, outputs: int) -> Rows:
    """Powers of 16, zeros and ties often, now and then negative entries."""
    rows = [[draws.among(POWERS) for _ in range(outputs)] for _ in range(databases)]
    if draws.below(4) == 3:
        rows = [[*rows[0]] for _ in rows]
    return signed(draws, rows) if draws.below(4) == 3 else rows


def kernel(draws: Draws, outputs: int, images: int) -> Rows:
    """A processing: often nothing is changed, or all outputs are merged."""
    kind = draws.below(4)
    if kind == 0:
        return [onehot(images, min(w, images - 1)) for w in range(outputs)]
    if kind == 1:
        return [onehot(images, 0) for _ in range(outputs)]
    return signed(draws, [vector(draws, images) for _ in range(outputs)])


def least(M: Rows, beta: list[Fraction], x: int) -> Fraction:
    """Return the least level of the condition of a database, or 2 where it is none or unknown."""
    columns = [[row[w] for row in M] for w in range(len(M[0]))]
    levels = [_quotient(column[x], geometric(beta, column.__getitem__)) for column in columns]
    return max([each for each in levels if each is not None], default=F(2))


def _quotient(number: Fraction, mean: Root) -> Fraction | None:
    """Return a number over a root that is a power of 2 from 2^-16 to 2^16, if it is."""
    power = mean.power
    k = (power.numerator.bit_length() - power.denominator.bit_length()) // mean.degree
    root = F(2) ** k
    return number / root if abs(k) <= 16 and root**mean.degree == power else None


def condition(draws: Draws) -> Instance:
    """2 to 4 databases, 2 outputs, one to three conditions with weights in quarters, of which the
    levels are often the least, and a processing.
    """
    size, count = 2 + draws.below(3), 1 + draws.below(3)
    M = table(draws, size, 2)
    xs = [draws.below(size) for _ in range(count)]
    one_hot = draws.whether()
    beta = [onehot(size, draws.below(size)) if one_hot else weights(draws, [*range(size)], size) for _ in xs]
    if rarely(draws):
        beta[-1] = [F(0)] * size
    E = [least(M, b, x) * draws.among(CLOSE) for b, x in zip(beta, xs)]
    if rarely(draws):
        E = [draws.among([F(-1), F(0), F(1, 2)]) for _ in E]
    K = kernel(draws, 2, 2)
    return {
        "I": count, "D": size, "W": 2, "V": 2, "M": M, "K": K,
        "xs": xs, "betas": beta, "Es": E, "x": xs[0], "beta": beta[0], "E": E[0],
    }  # fmt: skip


def one_hot(draws: Draws) -> Instance:
    """As for the condition of a database, with all weight on one database, or not, and a level
    that is often the least for it.
    """
    found = condition(draws)
    z = draws.below(found["D"])
    beta = found["beta"] if rarely(draws) else onehot(found["D"], z)
    E = least(found["M"], onehot(found["D"], z), found["x"]) * draws.among(CLOSE)
    return {**found, "z": z, "beta": beta, "E": E}


def columns(draws: Draws) -> Instance:
    """Two columns, that are often equal, weights in quarters, a level that is often the least, and
    a factor.
    """
    size = 2 + draws.below(2)
    rows = table(draws, size, 2)
    if draws.whether():
        rows = [[row[0]] * 2 for row in rows]
    x, beta = draws.below(size), weights(draws, [*range(size)], size)
    E = draws.among([F(-1), F(0)]) if rarely(draws) else least(rows, beta, x) * draws.among(CLOSE)
    u, v = ([row[place] for row in rows] for place in range(2))
    k = draws.among([F(2), F(0), F(1, 2), F(-1)])
    return {"D": size, "beta": beta, "E": E, "u": u, "v": v, "k": k, "x": x}


def pair(draws: Draws) -> Instance:
    """2 to 4 databases, a prior and two secrets, weights that often carry one law to the other, one
    or two mechanisms with levels that are often the least, and a processing for each.
    """
    size, count = 2 + draws.below(3), 1 + draws.below(2)
    p, s, t = vector(draws, size), subset(draws, size) | {0}, subset(draws, size) | {size - 1}
    if rarely(draws):
        p[0] -= F(1, 2)
    kind = draws.below(8)
    beta = [_inside(p, t)] * size
    if kind < 3:
        s, t = frozenset({0}), frozenset({size - 1})
        beta = [onehot(size, size - 1)] * size
    elif kind == 3:
        beta = [onehot(size, draws.below(size)) for _ in range(size)]
    elif kind == 4:
        beta = [weights(draws, sorted(t), size) for _ in range(size)]
    Ms = [_mechanism(draws, size) for _ in range(count)]
    possible = [x for x in sorted(s) if p[x] > 0]
    levels = [max([least(M, beta[x], x) for x in possible], default=F(2)) for M in Ms]
    E = max(levels) * draws.among(CLOSE)
    used = [p[l] for row in beta for l, each in enumerate(row) if each > 0 and l in t and p[l] > 0]
    C = max([sum(p[l] for l in t) / each for each in used], default=F(1)) * draws.among(CLOSE)
    return {
        "D": size, "W": 2, "V": 2, "p": p, "s": s, "t": t, "beta": beta,
        "levelled": [(M, level * draws.among(CLOSE)) for M, level in zip(Ms, levels)],
        "Ms": Ms, "Ks": [kernel(draws, 2, 2) for _ in range(count - rarely(draws))],
        "eps": Log(E if E > 0 else F(1)), "C": -C if rarely(draws) else C,
        "ws": [draws.below(2) for _ in range(3 - count if rarely(draws) else count)],
    }  # fmt: skip


def _inside(p: list[Fraction], t: frozenset[int]) -> list[Fraction]:
    total = sum(p[x] for x in t)
    return [p[x] / total if x in t and total else F(0) for x in range(len(p))]


def _mechanism(draws: Draws, size: int) -> Rows:
    return table(draws, size, 2) if draws.whether() else signed(draws, channel(draws, size, 2))


LAWLESS = {
    "D": 3, "W": 2, "V": 2, "p": [F(1, 4), F(1, 4), F(1, 2)], "s": frozenset({0, 1}),
    "t": frozenset({2}), "beta": [[F(0), F(0), F(2)], [F(0)] * 3, [F(0), F(0), F(1)]],
    "levelled": [([[F(1, 4), F(0)], [F(1), F(0)], [F(1, 2), F(0)]], F(1))],
    "Ms": [[[F(1, 4), F(0)], [F(1), F(0)], [F(1, 2), F(0)]]], "Ks": [[[F(1), F(0)], [F(0), F(1)]]],
    "eps": Log(F(1)), "C": F(1), "ws": [0],
}  # fmt: skip
"""Weights that carry one law to the other and are no laws."""
MERGED = {
    "I": 2, "D": 3, "W": 2, "V": 2, "M": [[F(0), F(0)], [F(1), F(0)], [F(0), F(1)]],
    "K": [[F(1), F(0)], [F(1), F(0)]], "xs": [0, 1],
    "betas": [[F(0), F(1, 2), F(1, 2)], [F(0), F(1), F(0)]], "Es": [F(-1), F(1)],
    "x": 0, "beta": [F(0), F(1, 2), F(1, 2)], "E": F(-1),
}  # fmt: skip
"""Two outputs merged, with a level below 0 and a mean that becomes positive."""
SIGNED_PRIOR = LAWLESS | {
    "p": [F(1), F(-1, 2), F(1, 2)], "beta": [onehot(3, 2)] * 3,
    "levelled": [([[F(1, 2), F(0)], [F(0), F(0)], [F(1, 2), F(0)]], F(1))],
    "Ms": [[[F(1, 2), F(0)], [F(0), F(0)], [F(1, 2), F(0)]]],
}  # fmt: skip
"""A prior with an entry below 0, and the sum 1."""
ALWAYS = [[F(1), F(1)]] * 3
BELOW_ZERO = LAWLESS | {
    "p": [F(1, 2), F(1, 4), F(1, 4)], "s": frozenset({0}), "t": frozenset({1, 2}),
    "beta": [[F(0), F(1, 2), F(1, 2)]] * 3, "Ks": [[[F(1), F(0)], [F(0), F(1)]]] * 2,
    "levelled": [([[F(0), F(0)], [F(1), F(0)], [F(0), F(1)]], F(-1)), (ALWAYS, F(1))],
    "ws": [0, 0],
}  # fmt: skip
"""A level below 0, of a mechanism whose means are 0."""
TOO_FEW = LAWLESS | {
    "p": [F(1, 2), F(0), F(1, 2)], "beta": [onehot(3, 2)] * 3, "ws": [0],
    "levelled": [(ALWAYS, F(1)), ([[F(0), F(0)]] * 3, F(0))],
}  # fmt: skip
"""Two mechanisms, and a processing for one of them alone."""
PAIRS = [LAWLESS, SIGNED_PRIOR, BELOW_ZERO, TOO_FEW]
TWO_COLUMNS = {
    "D": 3, "beta": [F(0), F(1, 2), F(1, 2)], "E": F(-1), "k": F(1), "x": 0,
    "u": [F(0), F(1), F(0)], "v": [F(0), F(0), F(1)],
}  # fmt: skip
"""Two columns whose means are 0, at a level below 0, and that of their sum is not."""
ALMOST = TWO_COLUMNS | {
    "D": 2, "beta": [F(0), F(1)], "E": F(1), "u": [F(1), F(1)], "v": [F(0), F(-1, 200)],
}  # fmt: skip
COLUMNS = [TWO_COLUMNS, ALMOST, ALMOST | {"u": ALMOST["v"], "v": ALMOST["u"]}]
"""And columns of which one has an entry just below 0."""
ONE_HOTS = [
    {
        "D": 2, "W": 1, "M": [[F(1, 2)], [F(1)]], "x": 0, "z": 1, "beta": [F(1), F(1)],
        "E": F(1, 2),
    },
]  # fmt: skip
"""Two databases with all weight each."""
