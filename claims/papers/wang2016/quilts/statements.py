"""The Markov quilt mechanism on networks as programs: quilts by listing every labelling, the noise
that they allow, and the steps of theorem 4.4.

Noise is as in `song2017/statements/noise.py`: rho = e^(1/sigma) is a fraction, and the level is
that at which the scale is 1/log(rho).
"""

from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any

from pufferproof.claims.language.instances.chains import Path, given_values, influence, marginal
from pufferproof.claims.language.instances.frameworks import rows
from pufferproof.claims.language.instances.laws import (
    ALMOST,
    ONE,
    ZERO,
    at_most,
    largest_ratio,
    subsets,
)
from pufferproof.claims.language.statements import Draws, Fraction, Instance, Statement
from pufferproof.claims.papers.song2017.statements.noise import (
    FAIR_BIT,
    LIPSCHITZ,
    ONE_FUNCTION,
    SCALES,
    STEEP,
    Run,
    density,
    jointly,
    outputs,
    query,
)
from pufferproof.claims.papers.song2017.statements.quilts import blind

F = Fraction
Law = Mapping[Path, F]
Arrows = tuple[tuple[int, int], ...]
Quilt = tuple[tuple[int, ...], tuple[int, ...]]
"""Q and N."""
NETWORKS: list[Arrows] = [
    (),
    ((1, 2),),
    ((1, 2), (2, 3)),
    ((1, 2), (1, 3)),
    ((1, 3), (2, 3)),
    ((1, 2), (2, 3), (1, 3)),
]


def _network_law(draws: Draws, arrows: Arrows, size: int) -> dict[Path, F]:
    """Draw the law of bits, each by its parents."""
    law: dict[Path, F] = {(): ONE}
    for node in range(1, size + 1):
        parents = [tail for tail, head in arrows if head == node]
        values = list(product((0, 1), repeat=len(parents)))
        table = dict(zip(values, rows(draws, len(values), 2)))
        law = {
            (*x, bit): p * table[tuple(x[k - 1] for k in parents)][bit]
            for x, p in law.items()
            for bit in (0, 1)
        }
    return {x: p for x, p in law.items() if p}


def networks(draws: Draws) -> Instance:
    """A class of one or two laws of one to three bits on a network (without arrows, an arrow, a
    chain, a fork, a collider, all arrows; zeros and rows that repeat), a node i, a 1-Lipschitz
    function with integers for values and rho.
    """
    size = [3, 3, 2, 1][draws.below(4)]
    arrows = tuple(each for each in NETWORKS[draws.below(len(NETWORKS))] if max(each) <= size)
    laws = [_network_law(draws, arrows, size) for _ in range(1 + draws.below(4) // 3)]
    read = draws.several(range(1, size + 1)) or list(range(1, size + 1))
    return {
        "arrows": arrows,
        "laws": laws,
        "n": size,
        "i": 1 + draws.below(size),
        "F": query(draws, 2, size, read),
        "rho": draws.among(SCALES),
    }


def quilts(arrows: Arrows, laws: Sequence[Law], n: int, i: int) -> list[Quilt]:
    """Every quilt of X_i: no arrow joins N and R, and X_R is independent of X_i given X_Q under all
    priors.
    """
    others, found = [k for k in range(1, n + 1) if k != i], []
    for Q in subsets(others):
        for R in subsets(k for k in others if k not in Q):
            N = tuple(k for k in range(1, n + 1) if k not in Q and k not in R)
            cut = not any((a in N and b in R) or (a in R and b in N) for a, b in arrows)
            if cut and all(blind(law, i, Q, R) for law in laws):
                found.append((Q, N))
    return found


def _worst(laws: Sequence[Law], i: int, Q: Sequence[int]) -> F | None:
    """e^e(X_Q|X_i), over all priors."""
    found = [influence(law, i, Q) for law in laws]
    return None if None in found else max(each for each in found if each is not None)


TOO_STEEP = {"arrows": (), "laws": [FAIR_BIT], "n": 1, "i": 1, "F": STEEP, "rho": F(2)}


def one_quilt(draws: Draws) -> Instance:
    """A class of one or two laws of one to three bits on a network (without arrows, an arrow, a
    chain, a fork, a collider, all arrows; zeros and rows that repeat), a node i, a 1-Lipschitz
    function with integers for values and rho; one of the quilts of X_i whose influence is finite, D
    = e^delta at least that, or, one time in six, half of it, and e^eps = rho^card(X_N) D.
    """
    drawn = networks(draws)
    at = (drawn["arrows"], drawn["laws"], drawn["n"], drawn["i"])
    finite = [
        (Q, N, e) for Q, N in quilts(*at) if (e := _worst(drawn["laws"], drawn["i"], Q)) is not None
    ]
    Q, N, e = draws.among(finite[::-1])
    D = e * draws.among([ONE, ONE, ONE, F(3, 2), F(2), F(1, 2)])
    return {**drawn, "Q": Q, "N": N, "e": e, "R": drawn["rho"] ** len(N) * D}


TOO_STEEP_QUILT = TOO_STEEP | {"Q": (), "N": (1,), "e": ONE, "R": F(2)}


def _rest(n: int, N: Sequence[int]) -> list[int]:
    return [k for k in range(1, n + 1) if k not in N]


def _parts(law: Law, rest: Sequence[int]) -> dict[Path, dict[Path, F]]:
    """A law by the values of some nodes, not normalised."""
    found: dict[Path, dict[Path, F]] = {}
    for x, p in law.items():
        found.setdefault(tuple(x[k - 1] for k in rest), {})[x] = p
    return found


def _equation_6(instance: Mapping[str, Any], factor: F = ONE) -> bool:
    """The density of w given X_i = a is the sum over x of p(w|a,x) p(x|a), and p(x|a) is at most
    e^(e(X_Q|X_i)) p(x|b).
    """
    n, i, N, table, rho = (instance[each] for each in ("n", "i", "N", "F", "rho"))
    for law in instance["laws"]:
        laws = list(given_values(law, i).values())
        chances = [marginal(each, _rest(n, N)) for each in laws]
        if not at_most(largest_ratio(chances), factor * instance["e"]):
            return False
        for each, w in product(laws, outputs([table])):
            terms = ZERO
            for part in _parts(each, _rest(n, N)).values():
                p = sum(part.values(), ZERO)
                terms += p * density({x: m / p for x, m in part.items()}, [(table, rho)], w)
            if terms != density(each, [(table, rho)], w):
                return False
    return True


EQUATION_6 = Statement(
    family=one_quilt,
    holds=lambda factor=ONE, **instance: _equation_6(instance, factor=factor),
    too_strong={"99/100 of it": {"factor": ALMOST}},
)


def _conditional(law: Law, rest: Sequence[int], run: Run, w: Path) -> dict[Path, tuple[F, F]]:
    """For every x the chance p(x|X_i) and the density p(w|X_i,x)."""
    found = {}
    for key, part in _parts(law, rest).items():
        p = sum(part.values(), ZERO)
        found[key] = p, density({x: m / p for x, m in part.items()}, [run], w)
    return found


def _weighted(instance: Mapping[str, Any], weights: bool = True, factor: F = ONE) -> bool:
    """The ratio is at most e^e times the quotient with the weights p(x|X_i=b) in both sums, and
    that at most the largest quotient of densities. (The supports are the same, as e is finite.)
    """
    n, i, N, e = (instance[each] for each in ("n", "i", "N", "e"))
    run = instance["F"], instance["rho"]
    for law in instance["laws"]:
        laws = list(given_values(law, i).values())
        for one, two in product(laws, repeat=2):
            for w in outputs([run[0]]):
                up, down = (_conditional(each, _rest(n, N), run, w) for each in (one, two))
                same = sum((down[x][0] * up[x][1] for x in down), ZERO)
                below = sum((p * d for p, d in down.values()), ZERO)
                whole = sum((p * d for p, d in up.values()), ZERO)
                most = max(up[x][1] / down[x][1] for x in down)
                bound = factor * (e if weights else ONE)
                if whole > bound * same or same > most * below:
                    return False
    return True


WEIGHTED = Statement(
    family=one_quilt,
    holds=lambda factor=ONE, weights=True, **instance: _weighted(
        instance, factor=factor, weights=weights
    ),
    too_strong={"99/100 of it": {"factor": ALMOST}, "without e^e": {"weights": False}},
)


def _lipschitz_steps(instance: Mapping[str, Any], factor: F = ONE) -> bool:
    """F varies by at most card(X_N) for fixed x; densities given x are within rho^card(X_N), and
    with the weights within e^eps.
    """
    n, i, N, e, table, rho = (instance[each] for each in ("n", "i", "N", "e", "F", "rho"))
    varies = max(
        abs(table[x] - table[y])
        for x, y in product(table, repeat=2)
        if all(k in N for k in range(1, n + 1) if x[k - 1] != y[k - 1])
    )
    if varies > len(N):
        return False
    for law in instance["laws"]:
        laws = list(given_values(law, i).values())
        for one, two in product(laws, repeat=2):
            for w in outputs([table]):
                up, down = (_conditional(each, _rest(n, N), (table, rho), w) for each in (one, two))
                if any(up[x][1] > factor * rho ** len(N) * down[x][1] for x in down):
                    return False
        if not at_most(jointly(law, i, (table, rho), _rest(n, N)), rho ** len(N) * e):
            return False
    return True


LIPSCHITZ_STEPS = Statement(
    family=one_quilt,
    edges=[TOO_STEEP_QUILT],
    given=ONE_FUNCTION,
    holds=lambda factor=ONE, **instance: _lipschitz_steps(instance, factor=factor),
    too_strong={"99/100 of it": {"factor": ALMOST}},
    too_weak=[LIPSCHITZ],
)
