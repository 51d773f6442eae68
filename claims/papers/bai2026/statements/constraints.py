"""Section 5: NfC constraints with rational weights, compared as integer powers."""

from collections.abc import Mapping, Sequence
from itertools import product
from math import lcm, prod

from pufferproof.claims.language.instances.frameworks import Rows, keeps, rows
from pufferproof.claims.language.instances.laws import ALMOST, ONE, ZERO, largest_quotient
from pufferproof.claims.language.statements import Draws, Fraction, Instance, Statement
from pufferproof.claims.papers.bai2026.statements.background import positive_rows

F = Fraction
SOME = [ONE, F(2), F(4), F(1, 2), F(1, 4), ZERO, F(3), F(9, 4)]
Weights = Mapping[int, F]
Column = Sequence[F]


def powers(beta: Weights) -> tuple[int, dict[int, int]]:
    """Return N and the k_l with beta_l = k_l/N, of the weights that are not 0."""
    size = lcm(*(weight.denominator for weight in beta.values()))
    return size, {l: int(weight * size) for l, weight in beta.items() if weight}


def satisfied(left: F, column: Column, beta: Weights, E: F) -> bool:
    """Whether left <= E prod_l column_l^beta_l, where 0^0 = 1; in integers, as powers are large."""
    size, exponents = powers(beta)
    found = [(E, size), *((column[l], k) for l, k in exponents.items())]
    each = [(base if k > 0 else 1 / base, abs(k)) for base, k in found]
    above = prod(base.numerator**k for base, k in each)
    below = prod(base.denominator**k for base, k in each)
    return bool(left.numerator**size * below <= above * left.denominator**size)


def constraint(M: Rows, D: int, beta: Weights, E: F) -> bool:
    """Whether the NfC constraint of D holds for all outputs."""
    columns = list(zip(*M))
    return all(satisfied(column[D], column, beta, E) for column in columns)


def weights(draws: Draws, places: Sequence[int]) -> dict[int, F]:
    """Draw weights with sum 1 on some databases, often all on one or even ones."""
    law = draws.law(len(places), 2)
    kind = draws.below(3)
    if kind == 0:
        law = [F(1, len(places))] * len(places)
    elif kind == 1:
        chosen = draws.below(len(places))
        law = [F(each == chosen) for each in range(len(places))]
    return dict(zip(places, law))


def columns(draws: Draws) -> Instance:
    """Two columns u and v of two to four numbers, zeros, ties and multiples often, the first entry
    being that of D; weights on some of the databases, perhaps on D too, with sum 1 or rarely 2; E,
    from 0 to 3, and a factor k. The entry of D is often the largest that the constraint allows.
    """
    size = 2 + draws.below(3)
    places = range(0 if draws.below(8) == 7 else 1, size)
    beta = weights(draws, places)
    E = draws.among([ONE, F(2), F(3, 2), F(3), F(1, 2), ZERO])
    u = [draws.among(SOME) for _ in range(size)]
    v = [draws.among([each, 2 * each, draws.among(SOME)]) for each in u]
    for column in (u, v):
        if draws.whether():
            column[1:] = [column[1]] * (size - 1)
        inside = [column[l] for l, weight in beta.items() if weight]
        column[0] = draws.among([E * min(inside), column[0]])
    twice = 1 + draws.below(16) // 15
    k = draws.among([F(2), ZERO, F(1, 2), F(3)])
    return {"u": u, "v": v, "k": k, "E": E, "beta": {l: twice * b for l, b in beta.items()}}


def two_constraints(draws: Draws) -> Instance:
    """A column of two to four numbers with zeros and ties, the first one that of D*, two lists of
    weights on the others, E, and c between 0 and 1. The entry of D* is often the largest allowed.
    """
    drawn = columns(draws)
    places = range(1, len(drawn["u"]))
    return {
        "u": drawn["u"],
        "E": drawn["E"],
        "beta0": weights(draws, places),
        "beta1": weights(draws, places),
        "c": draws.rate([F(1, 2), F(1, 3), F(3, 4)]),
    }


def _mixed(u: Column, E: F, first: Weights, second: Weights, c: F) -> bool:
    beta = {l: c * second[l] + (1 - c) * first[l] for l in first}
    return satisfied(u[0], u, beta, E)


FIRST, SECOND = "the constraint with beta^(0)", "the constraint with beta^(1)"
_ZEROTH = {FIRST: lambda u, E, beta0, beta1, c: satisfied(u[0], u, beta0, E)}
_NEXT = {SECOND: lambda u, E, beta0, beta1, c: satisfied(u[0], u, beta1, E)}
REDUNDANT_PRINTED = Statement(
    family=two_constraints,
    given=_ZEROTH | _NEXT,
    holds=lambda u, E, beta0, beta1, c, factor=ONE: _mixed(u, factor * E, beta1, beta1, c),
    too_strong={"99/100 of E": {"factor": ALMOST}},
    too_weak=[SECOND],
)
REDUNDANT = Statement(
    family=two_constraints,
    given=_ZEROTH | _NEXT,
    holds=lambda u, E, beta0, beta1, c, factor=ONE: _mixed(u, factor * E, beta0, beta1, c),
    too_strong={"99/100 of E": {"factor": ALMOST}},
    too_weak=[FIRST, SECOND],
)


def _enough(M: Rows, constraints: Sequence[tuple[int, Weights]]) -> F:
    """A number E >= 1 with which all constraints hold, the least one where entries are equal; 2
    where none is.
    """
    quotients = [ONE]
    for D, beta in constraints:
        for column in zip(*M):
            least = min(column[l] for l, weight in beta.items() if weight)
            quotients.append(column[D] / least if least else F(2))
    return max(quotients)


def constrained(draws: Draws) -> Instance:
    """Three or four databases, a mechanism with two or three outputs, zeros at times, one or two
    NfC constraints of databases by others, one-hot ones often, E, that is mostly large enough, and
    a stochastic matrix K.
    """
    size = 3 + draws.below(2)
    M = positive_rows(draws, size, 2 + draws.below(2))
    constraints = []
    for _ in range(1 + draws.below(2)):
        D = draws.below(size)
        constraints.append((D, weights(draws, [l for l in range(size) if l != D])))
    E = _enough(M, constraints) * draws.among([ONE, ONE, F(3, 4), F(3, 2)])
    K = rows(draws, len(M[0]), 1 + draws.below(3))
    return {"M": M, "constraints": constraints, "E": E, "K": K}


def two_secrets(draws: Draws) -> Instance:
    """Two to four databases, split in two secrets; a mechanism with two or three outputs; R, often
    the largest ratio of two rows of different secrets; a prior; and weights on the databases of
    each secret.
    """
    size = 2 + draws.below(3)
    cut = 1 + draws.below(size - 1)
    sides = range(cut), range(cut, size)
    M = rows(draws, size, 2 + draws.below(2))
    exact = largest_quotient((M[x], M[y]) for x, y in product(range(size), repeat=2) if x != y)
    R = draws.among([exact or F(2), F(3, 2), F(2), ONE])
    betas = [weights(draws, side) for side in sides]
    return {"M": M, "cut": cut, "R": R, "prior": draws.law(size), "betas": betas}


def _promised(M: Rows, cut: int, R: F, prior: Sequence[F]) -> bool:
    """Whether M keeps R under a prior and under all priors with even weights on two databases."""
    size = len(M)
    s, t = frozenset(range(cut)), frozenset(range(cut, size))
    evenly = [[F(z in each, 2) for z in range(size)] for each in product(s, t)]
    return keeps([prior, *evenly], [(s, t)], M, R)


def _constrained(M: Rows, cut: int, R: F, betas: Sequence[Weights], alone: bool) -> bool:
    """Whether all databases satisfy the constraints with the weights given, and those with all
    weight on one database.
    """
    sides = range(cut), range(cut, len(M))
    for (own, other), beta in zip((sides, sides[::-1]), betas[::-1]):
        chosen = [beta, *([] if alone else [{y: ONE} for y in other])]
        if not all(constraint(M, D, each, R) for D in own for each in chosen):
            return False
    return True


ALL_WEIGHTS = Statement(
    family=two_secrets,
    holds=lambda M, cut, R, prior, betas, alone=False: (
        _promised(M, cut, R, prior) == _constrained(M, cut, R, betas, alone)
    ),
    too_strong={"with the weights given alone": {"alone": True}},
)
