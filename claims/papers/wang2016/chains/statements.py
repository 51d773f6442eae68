"""Reversible chains as programs: spectra that are fractions, the bounds of Lemma A.1 and what
follows from them for influence.

A chain is built from its spectrum: products u_i(x) u_i(y) are fractions where u_i is not. Square
roots are compared by squares; e^-x lies between two fractions, and a statement counts as false only
where that is certain.
"""

from collections.abc import Sequence
from functools import cache, lru_cache
from itertools import product

from pufferproof.claims.language.instances.laws import ONE, ZERO
from pufferproof.claims.language.statements import Draws, Fraction, Instance, Statement
from pufferproof.claims.papers.song2017.statements.bounds import exp_minus
from pufferproof.claims.papers.song2017.statements.influence import by_powers, powers
from pufferproof.claims.papers.song2017.statements.noise import leak

F = Fraction
Matrix = tuple[tuple[F, ...], ...]
Mode = tuple[F, tuple[tuple[F, ...], ...]]
"""An eigenvalue lam_i and the products u_i(x) u_i(y)."""


def _dot(u: Sequence[F], v: Sequence[F], pi: Sequence[F]) -> F:
    return sum([m * x * y for m, x, y in zip(pi, u, v)], ZERO)


def _without(v: Sequence[F], u: Sequence[F], pi: Sequence[F]) -> list[F]:
    """v without its part along u."""
    share = _dot(u, v, pi) / _dot(u, u, pi)
    return [y - share * x for x, y in zip(u, v)]


def _modes(draws: Draws, pi: Sequence[F]) -> list[tuple[tuple[F, ...], ...]]:
    """Draw an orthonormal basis in the product of pi, without the constant, as products."""
    size = range(len(pi))
    drawn = tuple(tuple(draws.below(3) + (x == n) for x in size) for n in size[1:])
    return _orthonormal(tuple(pi), drawn)


@lru_cache(maxsize=1000)
def _orthonormal(
    pi: tuple[F, ...], drawn: tuple[tuple[int, ...], ...]
) -> list[tuple[tuple[F, ...], ...]]:
    size, basis = range(len(pi)), [[ONE] * len(pi)]
    for each in drawn:
        v = [*map(F, each)]
        for u in basis:
            v = _without(v, u, pi)
        if any(v):
            basis.append(v)
        else:
            basis.append(_completed(basis, pi))
    found = []
    for v in basis[1:]:
        norm = _dot(v, v, pi)
        found.append(tuple(tuple(v[x] * v[y] / norm for y in size) for x in size))
    return found


def _completed(basis: Sequence[Sequence[F]], pi: Sequence[F]) -> list[F]:
    """The first unit vector that is not in the span, made orthogonal."""
    size = range(len(pi))
    for z in size:
        v = [F(x == z) for x in size]
        for u in basis:
            v = _without(v, u, pi)
        if any(v):
            return v
    return [ONE] * len(pi)


def _built(pi: Sequence[F], modes: Sequence[Mode]) -> Matrix:
    size = range(len(pi))
    return tuple(
        tuple([pi[y] * sum([lam * u[x][y] for lam, u in modes], ONE) for y in size]) for x in size
    )


def spectra(draws: Draws) -> Instance:
    """A reversible chain of one to three values, without zeros in its stationary law, whose
    eigenvalues other than 1 are chosen (negative, 0 or equal ones often) and halved until no entry
    of P is negative; t from 0 to 5.
    """
    return _spectrum(draws, [2, 3, 2, 1][draws.below(4)])


def _spectrum(draws: Draws, size: int) -> Instance:
    pi = draws.positive_law(size)
    lams = [F(1, 2), F(-1, 2), ZERO, F(3, 4), F(1, 4), F(-1, 4), F(9, 10)]
    modes = [(draws.among(lams), each) for each in _modes(draws, pi)]
    while min(map(min, P := _built(pi, modes))) < 0:
        modes = [(lam / 2, u) for lam, u in modes]
    return {"pi": tuple(pi), "modes": modes, "P": P, "t": draws.below(6)}


def any_chain(draws: Draws) -> Instance:
    """A reversible chain of one to three values, without zeros in its stationary law, whose
    eigenvalues other than 1 are chosen (negative, 0 or equal ones often) and halved until no entry
    of P is negative; or, one time in four, a chain of three values that is not reversible and has a
    uniform stationary law; t from 0 to 5.
    """
    drawn = spectra(draws)
    if draws.below(4) == 3:
        p, q = draws.rate([F(n, 8) for n in range(1, 4)]), F(draws.below(4), 8)
        row = (1 - p - q, p, q)
        P = tuple(tuple(row[(y - x) % 3] for y in range(3)) for x in range(3))
        drawn |= {"pi": (F(1, 3),) * 3, "P": P, "modes": []}
    return drawn


def _stationary(pi: Sequence[F], P: Matrix) -> bool:
    size = range(len(pi))
    return all(sum(pi[x] * P[x][y] for x in size) == pi[y] for y in size)


def _reversible(pi: Sequence[F], P: Matrix, **_: object) -> bool:
    size = range(len(pi))
    return all(pi[x] * P[x][y] == pi[y] * P[y][x] for x, y in product(size, repeat=2))


def _symmetric(pi: Sequence[F], P: Matrix, modes: Sequence[Mode], t: int) -> bool:
    """A(x,y)^2 is A(y,x)^2, both are not negative; P u_i = lam_i u_i, and the u_i are orthonormal
    (times u_i(z) and u_j(z'), at all z, z').
    """
    size = range(len(pi))
    entries = all(
        pi[x] / pi[y] * P[x][y] ** 2 == pi[y] / pi[x] * P[y][x] ** 2
        for x, y in product(size, repeat=2)
    )
    vectors = all(
        sum(P[x][y] * u[y][z] for y in size) == lam * u[x][z]
        for lam, u in modes
        for x, z in product(size, repeat=2)
    )
    orthonormal = all(
        sum(pi[x] * u[x][z] * v[x][y] for x in size) == (u[z][y] if i == j else 0)
        for (i, (_, u)), (j, (_, v)) in product(enumerate(modes), repeat=2)
        for z, y in product(size, repeat=2)
    )
    return _stationary(pi, P) and entries and vectors and orthonormal


REVERSIBLE = "P is reversible"
SYMMETRIC = Statement(
    family=any_chain,
    given={REVERSIBLE: _reversible},
    holds=lambda pi, P, modes, t, itself_symmetric=False: (
        _symmetric(pi, P, modes, t)
        and (
            not itself_symmetric
            or (all(P[x][y] == P[y][x] for x, y in product(range(len(pi)), repeat=2)))
        )
    ),
    too_strong={"P itself is symmetric": {"itself_symmetric": True}},
    too_weak=[REVERSIBLE],
)


def _expanded(pi: Sequence[F], P: Matrix, modes: Sequence[Mode], t: int, shift: int = 0) -> bool:
    """P^t(x,y) = pi(y) (1 + sum_{i>=2} u_i(x) lam_i^t u_i(y)), at every x and y."""
    size, found = range(len(pi)), powers(P, t)
    return all(
        found[x][y] == pi[y] * (1 + sum((lam ** (t + shift) * u[x][y] for lam, u in modes), ZERO))
        for x, y in product(size, repeat=2)
    )


_ONE_MORE = {"one step more": {"shift": 1}}
POWER = Statement(family=spectra, holds=_expanded, too_strong=_ONE_MORE)


def largest(modes: Sequence[Mode]) -> F:
    """|lam_*|, 0 for one state."""
    return max((abs(lam) for lam, _ in modes), default=ZERO)


EXPANSION = Statement(
    family=spectra,
    holds=lambda pi, P, modes, t, shift=0: (
        _expanded(pi, P, modes, t, shift)
        and largest(modes) < 1
        and all(abs(lam) <= largest(modes) for lam, _ in modes)
    ),
    too_strong=_ONE_MORE,
)


def _off(pi: Sequence[F], P: Matrix, t: int) -> dict[tuple[int, int], F]:
    """|P^t(x,y)/pi(y) - 1|."""
    size, found = range(len(pi)), powers(P, t)
    return {(x, y): abs(found[x][y] / pi[y] - 1) for x, y in product(size, repeat=2)}


def _cauchy(pi: Sequence[F], P: Matrix, modes: Sequence[Mode], t: int, shift: int = 0) -> bool:
    star = largest(modes)
    for (x, y), off in _off(pi, P, t).items():
        terms = sum((abs(lam) ** (t + shift) * abs(u[x][y]) for lam, u in modes), ZERO)
        squares = [sum((u[z][z] for _, u in modes), ZERO) for z in (x, y)]
        if off > terms or terms**2 > star ** (2 * t) * squares[0] * squares[1]:
            return False
    return True


CAUCHY = Statement(family=spectra, holds=_cauchy, too_strong={"one step more": {"shift": 1}})


def _signed(modes: Sequence[Mode]) -> F:
    """lam_*, the positive one of two with one absolute value; 0 for one state."""
    return max((lam for lam, _ in modes), key=lambda lam: (abs(lam), lam), default=ZERO)


def _final(
    pi: Sequence[F], P: Matrix, modes: Sequence[Mode], t: int, power: int = 1, signed: bool = False
) -> bool:
    """Both inequalities, and those on the sums of squares; `power` is that of pi in the first."""
    star = _signed(modes) if signed else largest(modes)
    if star**t < 0:
        return False
    high = exp_minus((1 - star) * t)[1]
    for (x, y), off in _off(pi, P, t).items():
        squares = 1 + sum((u[x][x] for _, u in modes), ZERO)
        middle = star ** (2 * t) / (pi[x] * pi[y]) ** power
        if squares - 1 > squares or squares > 1 / pi[x] or off**2 > middle:
            return False
        if middle > (high / min(pi)) ** 2:
            return False
    return True


NOT_NEGATIVE = "lam_* >= 0"
_HALF = {"lam_*^t alone": {"power": 0}}
FINAL = Statement(family=spectra, holds=_final, too_strong=_HALF)
FINAL_NOT_NEGATIVE = Statement(
    family=spectra,
    given={NOT_NEGATIVE: lambda pi, P, modes, t: _signed(modes) >= 0},
    holds=lambda power=1, **chain: _final(**chain, power=power, signed=True),
    too_strong=_HALF,
    too_weak=[NOT_NEGATIVE],
)


_BITS = list(product((0, 1), repeat=4))
WINDOW: Matrix = tuple(tuple(F(old[1:] == new[:-1], 2) for new in _BITS) for old in _BITS)
"""The last four of a sequence of fair bits: all eigenvalues but one are 0, bits stay four steps."""
UNIFORM = (F(1, 16),) * 16


def classes(draws: Draws) -> Instance:
    """A class of one or two reversible chains of two or three values, without zeros in their
    stationary laws, with chosen eigenvalues (negative, 0 or equal ones often), any laws of X_1
    (stationary ones often), j from 1 to 3, and t and s at, above or, one time in three, below the
    threshold log(1/pi)/g, also far below it.
    """
    first = spectra(draws)
    while len(first["pi"]) < 2:
        first = spectra(Draws(None, [0, draws.below(2), 1, 1, 1]))
    chains = [first, *([spectra(draws)] if draws.below(4) == 3 else [])]
    chains = [each for each in chains if len(each["pi"]) > 1]
    class_ = tuple(
        (
            each["pi"] if draws.whether() else tuple(draws.law(len(each["pi"]))),
            each["pi"],
            each["P"],
        )
        for each in chains
    )
    pi = min(min(each["pi"]) for each in chains)
    g = 1 - max(largest(each["modes"]) for each in chains)
    threshold = next((t for t in range(1, 40) if exp_minus(g * t)[1] < pi), 40)
    distances = [threshold, threshold + 1, threshold, threshold, max(1, threshold - 1), 1]
    t, s = draws.among(distances), draws.among(distances)
    return {"theta": class_, "pi": pi, "g": g, "j": 1 + draws.below(3), "t": t, "s": s}


@cache
def delta(pi: F, g: F, t: int) -> tuple[F, F]:
    """Numbers that Delta_t lies between."""
    low, high = exp_minus(g * t)
    return low / pi, high / pi


def ratio(pi: F, g: F, t: int) -> F:
    """(1 + Delta_t)/(1 - Delta_t), from above."""
    high = delta(pi, g, t)[1]
    return (1 + high) / (1 - high)


FAR = "t > log(1/pi)/g"


def _far(pi: F, g: F, t: int, **_: object) -> bool:
    return delta(pi, g, t)[1] < 1


def _both_far(pi: F, g: F, t: int, s: int, **_: object) -> bool:
    return delta(pi, g, t)[1] < 1 and delta(pi, g, s)[1] < 1


Theta = Sequence[tuple[Sequence[F], Sequence[F], Matrix]]
BALANCED = "every chain of the class is reversible"


def _balanced(theta: Theta, **_: object) -> bool:
    return all(_reversible(law, P) for _, law, P in theta)


ALONE = ((UNIFORM, UNIFORM, WINDOW),)
IRREVERSIBLE = {"theta": ALONE, "pi": F(1, 16), "g": ONE, "j": 1, "t": 3, "s": 3}


def _within(found: F | None, bound: F) -> bool:
    return found is not None and found <= bound


def _laws(q: Sequence[F], P: Matrix, n: int) -> list[F]:
    """The law of X_n."""
    found = powers(P, n - 1)
    return [sum((q[z] * found[z][x] for z in range(len(P))), ZERO) for x in range(len(P))]


def _bayes(theta: Theta, pi: F, g: F, j: int, t: int) -> bool:
    """The backward ratio by Bayes, and both bounds of Pr(X_(j+t)=x)."""
    for q, law, P in theta:
        steps, then, now = powers(P, t), _laws(q, P, j + t), _laws(q, P, j)
        off = max(_off(law, P, t).values())
        for x, y in product(range(len(P)), repeat=2):
            if off > delta(pi, g, t)[1] or not then[x]:
                return False
            chances = [row[x] for row in steps]
            if not (1 - off) * law[x] <= min(chances) <= then[x] <= max(chances):
                return False
            if max(chances) > (1 + off) * law[x]:
                return False
            for z in range(len(P)):
                back = [now[y] * steps[y][each] / then[each] for each in (x, z)]
                if back[0] * steps[y][z] * then[x] != back[1] * steps[y][x] * then[z]:
                    return False
    return True


BAYES = Statement(
    family=classes,
    computed=["pi", "g"],
    edges=[IRREVERSIBLE],
    given={FAR: _far, BALANCED: _balanced},
    holds=lambda theta, pi, g, j, t, s, has_its_stationary=False: (
        (_bayes(theta, pi, g, j, t))
        and (
            not has_its_stationary or (all(_laws(q, P, j + t) == list(law) for q, law, P in theta))
        )
    ),
    too_strong={"X_(j+t) has its stationary law": {"has_its_stationary": True}},
    too_weak=[BALANCED],
)


BOTH_FAR = "a, b > log(1/pi)/g"


def _factors(theta: Theta, pi: F, g: F, j: int, t: int, s: int) -> bool:
    """The ratio of both nodes is the product of both ratios, and the term of a chain is at most
    that of its class.
    """
    for q, law, P in theta:
        size = range(len(P))
        first, last, before = powers(P, t), powers(P, s), _laws(q, P, j)
        now = _laws(q, P, j + t)
        both = {
            (x, z, y): before[x] * first[x][z] * last[z][y] / now[z]
            for x, z, y in product(size, repeat=3)
            if now[z]
        }
        for x, y in product(size, repeat=2):
            for z in size:
                left = sum((both.get((x, z, w), ZERO) for w in size), ZERO)
                right = sum((both.get((w, z, y), ZERO) for w in size), ZERO)
                if now[z] and both[x, z, y] != left * right:
                    return False
        own = max(_off(law, P, t).values())
        if not own <= delta(pi, g, t)[1] or (1 + own) / (1 - own) > ratio(pi, g, t):
            return False
    return True


FACTOR = Statement(
    family=classes,
    computed=["pi", "g"],
    edges=[IRREVERSIBLE],
    given={BOTH_FAR: _both_far, BALANCED: _balanced},
    holds=lambda theta, pi, g, j, t, s, equal_terms=False: (
        _factors(theta, pi, g, j, t, s)
        and (
            not equal_terms
            or (all(delta(pi, g, t)[0] <= max(_off(law, P, t).values()) for _, law, P in theta))
        )
    ),
    too_strong={"equal terms": {"equal_terms": True}},
    too_weak=[BALANCED],
)


def two_values(draws: Draws) -> Instance:
    """A chain of two bits that stays or changes with certainty, or, one time in four, with chance
    1/4, any law of X_1 with both values, and a distance from 1 to 6.
    """
    stay = draws.among([ONE, ZERO, ONE, F(1, 4)])
    return {
        "q": draws.positive_law(2),
        "P": ((stay, 1 - stay), (1 - stay, stay)),
        "t": 1 + draws.below(6),
    }


def _forgotten(stay: F) -> Statement:
    words = "all records are equal" if stay else "records alternate"
    return Statement(
        family=two_values,
        given={words: lambda q, P, t: P[0][0] == stay},
        holds=lambda q, P, t: by_powers(q, P, 1, None, t) is None,
        too_weak=[words],
    )


ALL_EQUAL, ALTERNATING = _forgotten(ONE), _forgotten(ZERO)


def equal_records(draws: Draws) -> Instance:
    """One to five equal bits, either value possible, rho = e^(1/s) for the scale s of Laplace noise
    on their sum, and e^eps, at, above or below rho^T.
    """
    T, rho, r = (
        1 + draws.below(5),
        draws.among([F(2), F(3, 2), F(5)]),
        draws.rate([F(n, 4) for n in range(1, 4)]),
    )
    return {
        "law": {(0,) * T: 1 - r, (1,) * T: r},
        "T": T,
        "rho": rho,
        "R": rho**T * draws.among([ONE, F(2), F(1, 2)]),
    }


def _needs(law: dict[tuple[int, ...], F], T: int, rho: F, R: F, factor: int = 1) -> bool:
    """Whether the level is kept exactly where s >= T/eps, that is rho^T <= e^eps."""
    return (leak(law, 1, [({x: sum(x) for x in law}, rho)]) <= R) == (rho ** (factor * T) <= R)


SCALE = Statement(family=equal_records, holds=_needs, too_strong={"2T/eps": {"factor": 2}})


def lengths(draws: Draws) -> Instance:
    """T from 1 to 30."""
    return {"T": 1 + draws.below(30)}


def _candidates(T: int) -> list[int]:
    """How many quilts of each node there are, imaginary ends included, by counting."""
    return [sum(1 for _ in product(range(i), range(i + 1, T + 2))) for i in range(1, T + 1)]


COMPLEXITY = Statement(
    family=lengths,
    always="the numbers of quilts are polynomials in T",
    holds=lambda T, level=max: (
        T**3 <= 6 * sum(_candidates(T)) <= 6 * T**3 and level(_candidates(T)) <= T**2
    ),
    too_strong={"O(T^2) always, with constant 1": {"level": sum}},
)
