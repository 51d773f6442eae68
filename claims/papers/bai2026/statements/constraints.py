"""Section 5: NfC constraints with rational weights, compared as integer powers."""

from collections.abc import Mapping, Sequence
from math import lcm, prod
from typing import Any

from pufferproof.claims.language.instances.frameworks import Rows, processed, rows, side_by_side
from pufferproof.claims.language.instances.laws import ALMOST, ONE, ZERO
from pufferproof.claims.language.statements import Draws, Fraction, Statement
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
    """Whether left <= E prod_l column_l^beta_l, where 0^0 = 1."""
    size, exponents = powers(beta)
    right = E**size * prod((column[l] ** k for l, k in exponents.items()), start=ONE)
    return left**size <= right


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


def numbers(draws: Draws) -> dict[str, Any]:
    """One to three numbers from 0 to 4, zeros and ties often, and weights with sum 1, or in one
    case of eight with sum 2.
    """
    size = 1 + draws.below(3)
    x = [draws.among(SOME) for _ in range(size)]
    if draws.below(4) == 3:
        x = [x[0]] * size
    beta = weights(draws, range(size))
    twice = 1 + draws.below(8) // 7
    return {"x": x, "beta": {l: twice * weight for l, weight in beta.items()}}


def _means(x: Column, beta: Weights, factor: F = ONE) -> bool:
    mean = sum((weight * x[l] for l, weight in beta.items()), ZERO)
    size, exponents = powers(beta)
    return prod((x[l] ** k for l, k in exponents.items()), start=ONE) <= (factor * mean) ** size


SUM = "the weights have sum 1"


def _sums(beta: Weights, **_: Any) -> bool:
    return sum(beta.values()) == 1


MEANS = Statement(
    family=numbers,
    given={SUM: _sums},
    holds=_means,
    too_strong={"99/100 of the mean": lambda x, beta: _means(x, beta, ALMOST)},
    too_weak=[SUM],
)


def columns(draws: Draws) -> dict[str, Any]:
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


def _in_cone(u: Column, v: Column, k: F, E: F, beta: Weights) -> bool:
    return all(satisfied(column[0], column, beta, E) for column in (u, v))


def _cone(u: Column, v: Column, k: F, E: F, beta: Weights, factor: F = ONE) -> bool:
    both, multiple = [a + b for a, b in zip(u, v)], [k * a for a in u]
    return all(satisfied(each[0], each, beta, factor * E) for each in (both, multiple))


INSIDE = "u and v are in the set"
CONE = Statement(
    family=columns,
    given={INSIDE: _in_cone, SUM: _sums},
    holds=_cone,
    too_strong={"99/100 of E": lambda **each: _cone(**each, factor=ALMOST)},
    too_weak=[INSIDE, SUM],
)


def two_constraints(draws: Draws) -> dict[str, Any]:
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
        "c": draws.among([F(1, 2), F(1, 3), F(3, 4)]),
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
    holds=lambda u, E, beta0, beta1, c: _mixed(u, E, beta1, beta1, c),
    too_strong={
        "99/100 of E": lambda u, E, beta0, beta1, c: _mixed(u, ALMOST * E, beta1, beta1, c)
    },
    too_weak=[SECOND],
)
REDUNDANT = Statement(
    family=two_constraints,
    given=_ZEROTH | _NEXT,
    holds=lambda u, E, beta0, beta1, c: _mixed(u, E, beta0, beta1, c),
    too_strong={
        "99/100 of E": lambda u, E, beta0, beta1, c: _mixed(u, ALMOST * E, beta0, beta1, c)
    },
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


def constrained(draws: Draws) -> dict[str, Any]:
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


def one_hot_constraints(draws: Draws) -> dict[str, Any]:
    """Three or four databases, a mechanism with two or three outputs, zeros at times, one or two
    NfC constraints of databases by others, all with one-hot weights, E, that is mostly large
    enough, and a stochastic matrix K.
    """
    drawn = constrained(draws)
    size = len(drawn["M"])
    constraints = []
    for D, _ in drawn["constraints"]:
        l = draws.among([l for l in range(size) if l != D])
        constraints.append((D, {l: ONE}))
    E = _enough(drawn["M"], constraints) * draws.among([ONE, ONE, F(3, 4), F(3, 2)])
    return drawn | {"constraints": constraints, "E": E}


def _all_hold(M: Rows, constraints: Any, E: F, **_: Any) -> bool:
    return all(constraint(M, D, beta, E) for D, beta in constraints)


SATISFIES = "M satisfies the constraints"
_ALMOST_ALL = {
    "99/100 of e^epsilon": lambda M, constraints, E, K: _all_hold(
        processed(M, K), constraints, ALMOST * E
    )
}
INVARIANT_ONE_HOT = Statement(
    family=one_hot_constraints,
    given={SATISFIES: _all_hold},
    holds=lambda M, constraints, E, K: _all_hold(processed(M, K), constraints, E),
    too_strong=_ALMOST_ALL,
    too_weak=[SATISFIES],
)
INVARIANT = Statement(
    family=constrained,
    given={SATISFIES: _all_hold},
    holds=lambda M, constraints, E, K: _all_hold(processed(M, K), constraints, E),
    too_strong=_ALMOST_ALL,
    too_weak=[SATISFIES],
)


def _dp(M: Rows, D: int, l: int, E: F) -> bool:
    return all(p <= E * q for p, q in zip(M[D], M[l]))


def _same_as_dp(M: Rows, constraints: Any, E: F, K: Rows, factor: F = ONE, shift: int = 0) -> bool:
    """Whether all one-hot constraints hold iff the inequalities of differential privacy do."""
    for D, beta in constraints:
        (l,) = beta
        other = (l + shift) % len(M)
        if constraint(M, D, beta, E) != _dp(M, D, other, factor * E):
            return False
    return True


ONE_HOT_IS_DP = Statement(
    family=one_hot_constraints,
    holds=_same_as_dp,
    too_strong={
        "99/100 of e^epsilon": lambda **each: _same_as_dp(**each, factor=ALMOST),
        "another database": lambda **each: _same_as_dp(**each, shift=1),
    },
)


def couplings(draws: Draws) -> dict[str, Any]:
    """A joint law of one or two databases of s and one or two of t, disjoint, or of two databases
    that both secrets allow with one law; one or two mechanisms with two outputs, zeros at times,
    their E_i, mostly large enough, how often each is run, and matrices A_i. In one case of four the
    weights are drawn anew, so that they are no coupling.
    """
    left, right = 1 + draws.below(2), 1 + draws.below(2)
    joint = [[F(1 + draws.below(3)) for _ in range(right)] for _ in range(left)]
    places = list(range(left, left + right))
    if draws.below(4) == 3:
        odd, even = F(draws.below(3)), F(1 + draws.below(2))
        joint, places, left = [[even, odd], [odd, 3 - even]], [0, 1], 2
    total = sum(map(sum, joint))
    mu = {D: sum(row) / total for D, row in enumerate(joint)}
    nu = {l: sum(row[n] for row in joint) / total for n, l in enumerate(places)}
    beta = {D: {l: p / sum(row) for l, p in zip(places, row)} for D, row in enumerate(joint)}
    if draws.below(4) == 3:
        beta = {D: weights(draws, places) for D in beta}
    size = max([left, *(l + 1 for l in places)])
    mechanisms = [positive_rows(draws, size, 2) for _ in range(1 + draws.below(2))]
    levels = [_enough(M, list(beta.items())) * draws.among([ONE, ONE, F(7, 8)]) for M in mechanisms]
    return {
        "mu": mu,
        "nu": nu,
        "beta": beta,
        "mechanisms": mechanisms,
        "levels": [max(ONE, each) for each in levels],
        "runs": [1 + draws.below(2) // len(mechanisms) for _ in mechanisms],
        "A": [rows(draws, 2, 2) for _ in mechanisms],
    }


def _joint_kept(mu: Weights, nu: Weights, mechanisms: Any, levels: Any, runs: Any) -> bool:
    joint: Rows = [[ONE] for _ in mechanisms[0]]
    bound = ONE
    for M, E, count in zip(mechanisms, levels, runs):
        for _ in range(count):
            joint, bound = side_by_side(joint, M), bound * E
    given_s, given_t = (
        [sum((p * joint[x][w] for x, p in law.items()), ZERO) for w in range(len(joint[0]))]
        for law in (mu, nu)
    )
    return all(p <= bound * q for p, q in zip(given_s, given_t))


def _coupled(mu: Weights, nu: Weights, beta: Any, **_: Any) -> bool:
    return all(sum(mu[D] * beta[D][l] for D in mu) == q for l, q in nu.items())


def _each_constrained(beta: Any, mechanisms: Any, levels: Any, **_: Any) -> bool:
    return all(
        constraint(M, D, weights_, E)
        for M, E in zip(mechanisms, levels)
        for D, weights_ in beta.items()
    )


def _composes(
    mu: Weights,
    nu: Weights,
    beta: Any,
    mechanisms: Any,
    levels: Any,
    runs: Any,
    A: Any,
    factor: F = ONE,
) -> bool:
    levels = [factor * each for each in levels]
    return _joint_kept(mu, nu, mechanisms, levels, runs)


def _processed(
    mu: Weights,
    nu: Weights,
    beta: Any,
    mechanisms: Any,
    levels: Any,
    runs: Any,
    A: Any,
    factor: F = ONE,
) -> bool:
    after = [processed(M, kernel) for M, kernel in zip(mechanisms, A)]
    levels = [factor * each for each in levels]
    constraints = _each_constrained(beta=beta, mechanisms=after, levels=levels)
    return constraints and _joint_kept(mu, nu, after, levels, runs)


COUPLED = "the weights carry the law given s to the law given t"
CONSTRAINED = "every mechanism satisfies the constraints at its E_i"
COUPLING = Statement(
    family=couplings,
    given={COUPLED: _coupled, CONSTRAINED: _each_constrained},
    holds=_composes,
    too_strong={"99/100 of each E_i": lambda **each: _composes(**each, factor=ALMOST)},
    too_weak=[COUPLED, CONSTRAINED],
)
COUPLING_PROCESSED = Statement(
    family=couplings,
    given={COUPLED: _coupled, CONSTRAINED: _each_constrained},
    holds=_processed,
    too_strong={"99/100 of each E_i": lambda **each: _processed(**each, factor=ALMOST)},
    too_weak=[COUPLED, CONSTRAINED],
)
