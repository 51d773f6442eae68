"""Section 4, Examples 2 and 3: fair bits, all of them secret, and four outputs."""

from collections.abc import Callable, Sequence
from functools import cache, reduce
from itertools import product
from operator import xor

from pufferproof.claims.language.instances.frameworks import (
    Prior,
    Table,
    held,
    keeps,
    leakage,
    output_law,
)
from pufferproof.claims.language.instances.laws import ALMOST, HALF, ONE, ZERO
from pufferproof.claims.language.statements import Draws, Fraction, Instance, Statement
from pufferproof.claims.papers.bai2026.statements.collapse import (
    Candidates,
    expected_runs,
    possible,
    shown,
)

F = Fraction


def differences(x: Table) -> Table:
    """Return the output of type A."""
    return tuple(each ^ x[0] for each in x[1:])


def parity(x: Table) -> int:
    """Return the output of type B: of all bits for odd n, else of all but the first."""
    return reduce(xor, x if len(x) % 2 else x[1:])


@cache
def databases(n: int) -> list[Table]:
    """List all databases of n bits."""
    return list(product(range(2), repeat=n))


@cache
def bits_mechanism(n: int) -> tuple[list[Table], list[list[F]]]:
    """Return the outputs of the mechanism of Example 2, tuples of type A and then 0 and 1, and its
    rows.
    """
    outputs = [*databases(n - 1), (0,), (1,)]
    kinds = len(outputs) - 2
    found = []
    for x in databases(n):
        row = [HALF * (w < kinds and y == differences(x)) for w, y in enumerate(outputs)]
        row[kinds + parity(x)] = HALF
        found.append(row)
    return outputs, found


def some_bits(draws: Draws) -> Instance:
    """One to five bits, a database x, and a bit i of it, counted from 0, with a value j."""
    n = draws.among([3, 4, 2, 5, 3, 4, 1])
    x = tuple(draws.below(2) for _ in range(n))
    return {"x": x, "i": draws.below(n), "j": draws.below(2)}


def _outputs_tell(x: Table, i: int, j: int, even: int = 0) -> bool:
    """Whether A's entries have the printed exclusive or, and A and B belong to x alone."""
    claimed = reduce(xor, x[1:] if len(x) % 2 != even else x, 0)
    alike = [
        y for y in databases(len(x)) if (differences(y), parity(y)) == (differences(x), parity(x))
    ]
    return reduce(xor, differences(x), 0) == claimed and alike == [x]


THREE = "n >= 3"
BITS_TOGETHER = Statement(
    family=some_bits,
    given={THREE: lambda x, i, j: len(x) >= 3},
    holds=_outputs_tell,
    too_strong={"the two parities exchanged": {"even": 1}},
)


def tossed_bits(draws: Draws) -> Instance:
    """One to five independent bits, a database x, and a bit i of it, counted from 0, with a value
    j; every bit is 1 with one probability, mostly 1/2.
    """
    return some_bits(draws) | {"one": draws.rate([HALF, HALF, HALF, HALF, F(1, 3)])}


FAIR = "the bits are fair"
_FAIR_BITS: dict[str, Callable[..., bool]] = {
    THREE: lambda x, **_: len(x) >= 3,
    FAIR: lambda one, **_: one == HALF,
}


@cache
def _given_bit(n: int, i: int, j: int, one: F) -> list[F]:
    """P(w | s_j^(i)) for all outputs."""
    _, M = bits_mechanism(n)
    secret = frozenset(number for number, y in enumerate(databases(n)) if y[i] == j)
    prior = [one ** sum(y) * (1 - one) ** (n - sum(y)) for y in databases(n)]
    return output_law(prior, M, secret) or []


@cache
def _nothing_told(n: int, i: int, j: int, one: F) -> bool:
    """Whether P(s_j^(i) | w) is P(s_j^(i)) for all possible outputs, by Bayes' rule."""
    chance = one if j else 1 - one
    both = zip(_given_bit(n, i, j, one), _given_bit(n, i, 1 - j, one))
    joint = [(chance * p, (1 - chance) * q) for p, q in both]
    return all(a / (a + b) == chance for a, b in joint if a + b)


@cache
def _equal_bits(n: int, i: int) -> bool:
    """Whether no output changes the probability that x_i is x_1."""
    _, M = bits_mechanism(n)
    for w in range(len(M[0])):
        column = [row[w] for row in M]
        equal = sum((p for p, y in zip(column, databases(n)) if y[0] == y[i]), ZERO)
        if 2 * equal != sum(column):
            return False
    return True


BITS_ZERO = Statement(
    family=tossed_bits,
    given=_FAIR_BITS,
    holds=lambda x, i, j, one, two_bits_equal=False: (
        (_nothing_told(len(x), i, j, one))
        and (not two_bits_equal or (i == 0 or _equal_bits(len(x), i)))
    ),
    too_strong={"that two bits are equal keeps its probability too": {"two_bits_equal": True}},
    too_weak=[THREE, FAIR],
)


B_QUARTER = Statement(
    family=tossed_bits,
    given=_FAIR_BITS,
    holds=lambda x, i, j, one, each_output_alike=False: (
        (_given_bit(len(x), i, j, one)[-2:] == [F(1, 4)] * 2)
        and (not each_output_alike or (len(set(_given_bit(len(x), i, j, one))) == 1))
    ),
    too_strong={"each output alike": {"each_output_alike": True}},
    too_weak=[THREE, FAIR],
)


def _matching(x: Table, i: int, j: int) -> list[F]:
    """(1/2) P(D = the dataset matching y and the secret | the secret), for all y of type A."""
    n = len(x)
    chances = []
    for y in databases(n - 1):
        fitting = [z for z in databases(n) if differences(z) == y and z[i] == j]
        chances.append(HALF * F(len(fitting), 2 ** (n - 1)))
    return chances


def _likelihoods(x: Table, i: int, j: int, one: F, power: int = 0) -> bool:
    law = _given_bit(len(x), i, j, one)
    expected = F(1, 2 ** (len(x) - power))
    return (
        law[-2:] == [F(1, 4)] * 2
        and law[:-2] == _matching(x, i, j)
        and all(p == expected for p in law[:-2])
    )


BITS_LIKELIHOODS = Statement(
    family=tossed_bits,
    given=_FAIR_BITS,
    holds=_likelihoods,
    too_strong={"2^(-n+1)": {"power": 1}},
    too_weak=[THREE, FAIR],
)


@cache
def _bits_time(x: Table) -> F | None:
    _, M = bits_mechanism(len(x))
    everything = frozenset(range(len(M)))
    place = databases(len(x)).index(x)
    return expected_runs(M, place, everything, shown(place))


BITS_RUNS = Statement(
    family=some_bits,
    given={THREE: lambda x, i, j: len(x) >= 3},
    holds=lambda x, i, j, number=3: _bits_time(x) == number,
    too_strong={"2 runs": {"number": 2}},
    too_weak=[THREE],
)


def four_kinds(draws: Draws) -> Instance:
    """Databases in U_T, others with s1, U_F, others without, one or two of each kind; one to four
    priors with P(U_T | s1) = u and P(U_F | not s1) = f, which may be 0 or 1, and a probability of
    s1 that may be 0; often u and f take two values each in all combinations.
    """
    sizes = [1 + draws.below(4) // 3 for _ in range(4)]
    places = [kind for kind, size in enumerate(sizes) for _ in range(size)]
    chances = [F(n, 6) for n in (3, 2, 4, 1, 5)]
    if draws.below(12) == 11:
        chances += [ZERO, ONE]
    us, fs = ([draws.among(chances) for _ in range(2)] for _ in range(2))
    corners = list(product(us, fs))
    if draws.whether():
        corners = draws.several(corners) or corners[:1]
    priors = []
    for u, f in corners:
        first = draws.among([HALF, F(1, 3), ONE, ZERO][: 4 if draws.below(4) == 3 else 2])
        masses = [first * u, first * (1 - u), (1 - first) * f, (1 - first) * (1 - f)]
        priors.append([masses[kind] / sizes[kind] for kind in places])
    return {"places": places, "priors": priors, "us": us, "fs": fs}


def four_outputs(places: Sequence[int]) -> list[list[F]]:
    """Return the mechanism of Example 3: outputs 1a2a, 1a2b, 1b2a, 1b2b."""
    allowed = [(0, 1), (2, 3), (0, 2), (1, 3)]
    return [[HALF * (w in allowed[kind]) for w in range(4)] for kind in places]


def _sides(places: Sequence[int]) -> tuple[Candidates, Candidates]:
    with_s = frozenset(x for x, kind in enumerate(places) if kind < 2)
    return with_s, frozenset(range(len(places))) - with_s


def _ends(us: Sequence[F], fs: Sequence[F]) -> list[tuple[F, F]]:
    """The printed ends for 1a2a, 1a2b, 1b2a, 1b2b."""
    LT, UT, LF, UF = min(us), max(us), min(fs), max(fs)
    return [
        (LT / UF, UT / LF),
        (LT / (1 - LF), UT / (1 - UF)),
        ((1 - UT) / UF, (1 - LT) / LF),
        ((1 - UT) / (1 - LF), (1 - LT) / (1 - UF)),
    ]


def _laws(places: Sequence[int], priors: Sequence[Prior]) -> list[tuple[list[F], list[F]]]:
    """The output laws given s1 and given not s1, under priors that allow both."""
    M, (s, t) = four_outputs(places), _sides(places)
    laws = [(output_law(prior, M, s), output_law(prior, M, t)) for prior in priors]
    return [(p, q) for p, q in laws if p and q]


INSIDE = "0 < LT, UT < 1, 0 < LF, UF < 1"


def _inside(us: Sequence[F], fs: Sequence[F], **_: object) -> bool:
    return all(0 < each < 1 for each in (*us, *fs))


def _within(
    places: Sequence[int],
    priors: Sequence[Prior],
    us: Sequence[F],
    fs: Sequence[F],
    factor: F = ONE,
) -> bool:
    return all(
        low * b <= a <= factor * high * b
        for p, q in _laws(places, priors)
        for (low, high), a, b in zip(_ends(us, fs), p, q)
    )


FOUR_RATIOS = Statement(
    family=four_kinds,
    given={INSIDE: _inside},
    holds=_within,
    too_strong={"99/100 of the upper ends": {"factor": ALMOST}},
)


def _printed(us: Sequence[F], fs: Sequence[F]) -> F:
    return max(end for both in _ends(us, fs) for end in both)


def _one_order(
    places: Sequence[int],
    priors: Sequence[Prior],
    us: Sequence[F],
    fs: Sequence[F],
    factor: F = ONE,
) -> bool:
    R = factor * _printed(us, fs)
    return all(a <= R * b for p, q in _laws(places, priors) for a, b in zip(p, q))


def _kept(places: Sequence[int], priors: Sequence[Prior], R: F) -> bool:
    return keeps(priors, [_sides(places)], four_outputs(places), R)


FOUR_ONE_ORDER = Statement(
    family=four_kinds,
    given={INSIDE: _inside},
    holds=_one_order,
    too_strong={"99/100 of e^epsilon": {"factor": ALMOST}},
)


def _largest(us: Sequence[F], fs: Sequence[F]) -> F:
    ends = [end for both in _ends(us, fs) for end in both]
    return max(max(end, 1 / end) for end in ends)


FOUR_BOTH_ORDERS = Statement(
    family=four_kinds,
    given={INSIDE: _inside},
    holds=lambda places, priors, us, fs, by=_largest: _kept(places, priors, by(us, fs)),
    too_strong={"without the inverses": {"by": _printed}},
)


def _corners(
    places: Sequence[int], priors: Sequence[Prior], us: Sequence[F], fs: Sequence[F]
) -> bool:
    """Whether priors that allow both secrets attain all four corners."""
    s, t = _sides(places)
    attained = set()
    for prior in priors:
        if held(prior, s) and held(prior, t):
            parts = [frozenset(x for x, k in enumerate(places) if k == kind) for kind in (0, 2)]
            attained.add(
                (held(prior, parts[0]) / held(prior, s), held(prior, parts[1]) / held(prior, t))
            )
    return attained >= set(product((min(us), max(us)), (min(fs), max(fs))))


CORNERS = "every corner is attained by a prior that allows both secrets"
FOUR_ATTAINED = Statement(
    family=four_kinds,
    given={INSIDE: _inside, CORNERS: _corners},
    holds=lambda places, priors, us, fs, by=_largest: (
        leakage(priors, [_sides(places)], four_outputs(places)) == by(us, fs)
    ),
    too_strong={"by the printed number": {"by": _printed}},
    too_weak=[CORNERS],
)
FOUR_FINITE = Statement(
    family=four_kinds,
    given={INSIDE: _inside},
    holds=lambda places, priors, us, fs, at_most=False: (
        (leakage(priors, [_sides(places)], four_outputs(places)) is not None)
        and (not at_most or (_kept(places, priors, F(2))))
    ),
    too_strong={"at most 2": {"at_most": True}},
    too_weak=[INSIDE],
)


def _revealed(places: Sequence[int], priors: Sequence[Prior], runs: int = 3) -> bool:
    """Whether any two different outputs of a database reveal the secret, one output does not, and
    the expected number of runs until the secret is known is as said, under every prior that allows
    both secrets.
    """
    M, sides = four_outputs(places), _sides(places)
    for prior in priors:
        now = possible(prior)
        if not all(now & each for each in sides):
            continue
        for x in now:
            own = sides[0] if x in sides[0] else sides[1]
            fitting = [frozenset(y for y in now if M[y][w]) for w, p in enumerate(M[x]) if p]
            if not fitting[0] & fitting[1] <= own or any(each <= own for each in fitting):
                return False
            if expected_runs(M, x, now, lambda left, own=own: left <= own) != runs:  # type: ignore[misc]
                return False
    return True


FOUR_RUNS = Statement(
    family=four_kinds,
    given={INSIDE: _inside},
    holds=lambda places, priors, us, fs, runs=3: _revealed(places, priors, runs=runs),
    too_strong={"in 2 runs": {"runs": 2}},
    too_weak=[INSIDE],
)
