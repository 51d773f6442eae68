"""Section 5: constraints and many runs, with likelihoods that are powers of 1/2 or 0.

Then logarithms to the base 2 are integers or infinite, and whether weights on at most two databases
exist is a question of intervals. Joint releases are followed by how often each output occurs.
"""

from collections.abc import Iterator, Sequence
from functools import reduce
from itertools import combinations, combinations_with_replacement, permutations, product, repeat
from math import gcd, prod
from typing import Any

from pufferproof.claims.language.instances.frameworks import (
    Prior,
    Rows,
    Secret,
    held,
    output_law,
    rows,
    secrets,
    side_by_side,
)
from pufferproof.claims.language.instances.laws import ALMOST, HALF, ONE, ZERO, dot
from pufferproof.claims.language.statements import Draws, Fraction, Instance, Statement
from pufferproof.claims.papers.bai2026.statements.background import keeps_order, positive_rows

F = Fraction
Log = int | None
Logs = Sequence[Sequence[Log]]
"""For each database the logarithm of each output to the base 2, None for minus infinity."""
Counts = Sequence[int]
PATTERNS: list[tuple[Log, ...]] = [(-1, -2, -2), (-1, -1, None), (0, None, None)]
ZEROS = list(dict.fromkeys(row for each in PATTERNS for row in permutations(each)))
POSITIVE: list[tuple[Log, ...]] = [
    (-2, -2, -2, -2),
    *dict.fromkeys(permutations((-1, -2, -3, -3))),
]


def log_rows(draws: Draws, size: int, some: Sequence[Sequence[Log]]) -> list[list[Log]]:
    """Draw a mechanism as logarithms, ties often."""
    drawn: list[list[Log]] = []
    while len(drawn) < size:
        row = list(draws.among(some))
        drawn.append(drawn[-1] if drawn and draws.below(3) == 2 else row)
    return drawn


def power(row: Sequence[Log], counts: Counts) -> Log:
    """Return the logarithm of the probability of these outputs in independent runs."""
    used = [(each, n) for each, n in zip(row, counts) if n]
    return (
        None if any(each is None for each, _ in used) else sum((each or 0) * n for each, n in used)
    )


def average(law: dict[int, F], logs: Logs, counts: Counts) -> F:
    """Return the probability of these outputs under a law of the databases."""
    each = ((p, power(logs[D], counts)) for D, p in law.items())
    return sum((p * F(2) ** exponent for p, exponent in each if exponent is not None), ZERO)


def gains(logs: Logs, D: int, others: Sequence[int], e: F) -> list[list[F | None]]:
    """Return log M(D)(w) - log M(D_l)(w) - e for the outputs of D, by outputs and databases; None
    for infinite.
    """
    found: list[list[F | None]] = []
    for w, own in enumerate(logs[D]):
        if own is not None:
            column = [logs[l][w] for l in others]
            found.append([None if each is None else own - each - e for each in column])
    return found


def weight_between(table: Sequence[Sequence[F | None]]) -> tuple[F, F] | None:
    """Return the least and the largest weight of the first of at most two databases, the second
    having the rest, such that no output has a positive weighted gain; None if there is none.
    """
    low, high = (ONE if len(table[0]) == 1 else ZERO), ONE
    for row in table:
        first, second = row[0], row[-1]
        if first is None or second is None:
            high = min(high, ZERO) if first is None else high
            low = max(low, ONE) if second is None else low
            if any(each is not None and each > 0 for each in row):
                return None
            continue
        slope = first - second
        if slope == 0 and second > 0:
            return None
        if slope > 0:
            high = min(high, -second / slope)
        if slope < 0:
            low = max(low, -second / slope)
    return (low, high) if low <= high else None


def _on_three(table: Sequence[Sequence[F | None]]) -> bool:
    """Whether weights on three databases exist, no gain being infinite: at a point where two of
    the lines of outputs and of databases without weight meet.
    """
    rows_ = [[each or ZERO for each in row] for row in table]
    lines = [*rows_, *([F(i == l) for i in range(3)] for l in range(3))]
    for (a, b, c), (x, y, z) in combinations(lines, 2):
        meeting = [b * z - c * y, c * x - a * z, a * y - b * x]
        total = sum(meeting, ZERO)
        beta = [each / total for each in meeting] if total else [-ONE]
        if min(beta) >= 0 and all(dot(row, beta) <= 0 for row in rows_):
            return True
    return False


def _constrained(logs: Logs, D: int, others: Sequence[int], e: F, most: int | None = None) -> bool:
    """Whether D has weights, on at most so many of the others."""
    if most is not None and most < len(others):
        return any(_constrained(logs, D, some, e) for some in combinations(others, most))
    table = gains(logs, D, others, e)
    return _on_three(table) if len(others) == 3 else weight_between(table) is not None


def _ratios(first: Sequence[F], second: Sequence[F]) -> Iterator[tuple[int, int]]:
    """Yield how often two outputs are taken: where a sum of gains vanishes, and between."""
    places = [(abs(b), abs(a)) for a, b in zip(first, second) if a * b < 0]
    places += [(ONE, ZERO), (ZERO, ONE)]
    for (a, b), (c, d) in combinations_with_replacement(places, 2):
        m, n = a + c, b + d
        scale = m.denominator * n.denominator
        m, n = m * scale, n * scale
        common = gcd(int(m), int(n))
        yield int(m) // common, int(n) // common


def candidates(table: Sequence[Sequence[F | None]]) -> Iterator[list[int]]:
    """Yield how often to take each output: single ones, and pairs as above."""
    size = len(table)
    for i in range(size):
        yield [int(i == w) for w in range(size)]
    for i, j in combinations(range(size), 2):
        both = [(a, b) for a, b in zip(table[i], table[j]) if a is not None and b is not None]
        for m, n in dict.fromkeys(_ratios([a for a, _ in both], [b for _, b in both])):
            yield [m * (w == i) + n * (w == j) for w in range(size)]


def log_framework(draws: Draws) -> Instance:
    """One or two databases with s and one or two with t, of which one may belong to both or be
    impossible, a prior, a mechanism with three outputs of probabilities 1, 1/2, 1/4 and 0, or two
    of them, outputs with the same probabilities named once, and epsilon, 0 to 3 times log 2.
    """
    of_s, of_t = 1 + draws.below(3) // 2, 1 + (draws.below(3) + 1) // 2
    size = of_s + of_t
    s, t = frozenset(range(of_s)), frozenset(range(of_s, size))
    if of_t == 1 and draws.below(4) == 3:
        t = t | {0}
    prior = draws.law(size, 3) if draws.below(4) == 3 else draws.positive_law(size, 3)
    parts = [log_rows(draws, size, ZEROS) for _ in range(1 + draws.below(4) // 3)]
    columns = dict.fromkeys(column for part in parts for column in zip(*part))
    logs = [list(row) for row in zip(*columns)]
    return {"prior": prior, "s": s, "t": t, "logs": logs, "e": draws.among([1, 2, 0, 3])}


def _laws(prior: Prior, s: Secret, t: Secret) -> tuple[dict[int, F], dict[int, F]] | None:
    """The laws given s and given t, of the possible databases; None if a secret is impossible."""
    if not (held(prior, s) and held(prior, t)):
        return None
    first, second = (
        {x: prior[x] / held(prior, each) for x in sorted(each) if prior[x]} for each in (s, t)
    )
    return first, second


def _tried_counts(logs: Logs, law: dict[int, F], others: Sequence[int], e: int) -> list[list[int]]:
    """Lists of numbers of runs: of single outputs and of pairs, up to 16 times."""
    found: dict[tuple[int, ...], None] = {}
    for D in law:
        outputs = [w for w, each in enumerate(logs[D]) if each is not None]
        for few in candidates(gains(logs, D, others, F(e))):
            for r in (1, 16):
                counts = [0] * len(logs[D])
                for w, n in zip(outputs, few):
                    counts[w] = r * n
                found[tuple(counts)] = None
    return [list(each) for each in found]


def _compose(prior: Prior, s: Secret, t: Secret, logs: Logs, e: int, C: F = ONE) -> bool:
    """Whether joint releases keep e^(N epsilon) C, of numbers of runs as tried, in one order."""
    laws = _laws(prior, s, t)
    if laws is None:
        return True
    return all(
        average(laws[0], logs, counts)
        <= F(2) ** (e * sum(counts)) * C * average(laws[1], logs, counts)
        for counts in _tried_counts(logs, laws[0], list(laws[1]), e)
    )


def _weights_exist(
    prior: Prior,
    s: Secret,
    t: Secret,
    logs: Logs,
    e: F | int,
    everywhere: bool = False,
    most: int | None = None,
) -> bool:
    laws = _laws(prior, s, t)
    if laws is None:
        return True
    first = list(s) if everywhere else list(laws[0])
    return all(_constrained(logs, D, list(laws[1]), F(e), most) for D in first)


_STRONGER: Instance = {
    "at nine tenths of epsilon": lambda e, **_: {"e": F(9 * e, 10)},
    "for impossible databases": {"everywhere": True},
}
"""The near misses of a condition that joint releases need."""


COMPOSE = "joint releases of any numbers of runs keep the sum of the levels"
THREE_NEEDED: Instance = {
    "prior": [F(1, 4)] * 4,
    "s": frozenset([0]),
    "t": frozenset([1, 2, 3]),
    "logs": [
        (-2, -2, -2, -3, -3),
        *((*(-1 if i == l else -4 for i in range(3)), -2, -3) for l in range(3)),
    ],
    "e": 1,
}
"""A database that needs weights on all three others."""
NFC = Statement(
    family=log_framework,
    edges=[THREE_NEEDED],
    given={COMPOSE: _compose},
    holds=_weights_exist,
    too_strong=_STRONGER | {"weights on at most two databases": {"most": 2}},
    too_weak=[COMPOSE],
)


def log_and_constant(draws: Draws) -> Instance:
    """One or two databases with s and one or two with t, of which one may belong to both or be
    impossible, a prior, a mechanism with three outputs of probabilities 1, 1/2, 1/4 and 0, or two
    of them, outputs with the same probabilities named once, epsilon, 0 to 3 times log 2, and a
    number e^C of 1, 2 or 8 by which joint releases may exceed their levels.
    """
    return log_framework(draws) | {"C": draws.among([F(2), F(8), ONE])}


COMPOSE_C = "joint releases keep the sum of the levels up to a constant"
NEEDED = Statement(
    family=log_and_constant,
    edges=[THREE_NEEDED | {"C": ONE}],
    given={COMPOSE_C: _compose},
    holds=lambda prior, s, t, logs, e, C, at_nine_tenths=False, most=None: _weights_exist(
        prior, s, t, logs, (F(9 * e, 10) if at_nine_tenths else e), most=most
    ),
    too_strong={
        "at nine tenths of epsilon": {"at_nine_tenths": True},
        "weights on at most two databases": {"most": 2},
    },
    too_weak=[COMPOSE_C],
)


def _largest(logs: Logs, databases: Sequence[int], counts: Counts) -> Log:
    found = [each for each in (power(logs[D], counts) for D in databases) if each is not None]
    return max(found, default=None)


def _equation(
    prior: Prior, s: Secret, t: Secret, logs: Logs, e: F | int, everywhere: bool = False
) -> bool:
    """Whether (2) holds for alpha in proportion to the numbers of runs tried."""
    laws = _laws(prior, s, t)
    if laws is None:
        return True
    first = list(s) if everywhere else list(laws[0])
    for counts in _tried_counts(logs, dict.fromkeys(first, ONE), list(laws[1]), int(e)):
        left, right = _largest(logs, first, counts), _largest(logs, list(laws[1]), counts)
        if left is not None and (right is None or left > e * sum(counts) + right):
            return False
    return True


EQUATION = Statement(
    family=log_framework,
    given={COMPOSE: _compose},
    holds=_equation,
    too_strong=_STRONGER,
    too_weak=[COMPOSE],
)


def some_runs(draws: Draws) -> Instance:
    """Two to four databases, a prior with zeros, two secrets, one or two mechanisms with two
    outputs, and R, the least level of one to three runs in the order (s, t), or less, or 2.
    """
    size = 2 + draws.below(3)
    s, t = secrets(draws, size)
    prior = draws.law(size)
    mechanisms = [positive_rows(draws, size, 2) for _ in range(1 + draws.below(4) // 3)]
    found = [ONE]
    for N, joint in _joint_releases(mechanisms, 3 - len(mechanisms) // 2):
        left, right = output_law(prior, joint, s) or [], output_law(prior, joint, t) or []
        for p, q in zip(left, right):
            level = p / q if q else F(2)
            while level > max(found) ** N:
                found.append(max(found) * F(9, 8))
    single = [
        p / q
        for M in mechanisms
        for p, q in zip(output_law(prior, M, s) or [], output_law(prior, M, t) or [])
        if q
    ]
    R = draws.among([max(found), max([ONE, *single]), F(3)])
    return {"prior": prior, "s": s, "t": t, "mechanisms": mechanisms, "R": R}


def _joint_releases(mechanisms: Sequence[Rows], most: int) -> Iterator[tuple[int, Rows]]:
    """Yield up to `most` runs side by side, repetitions allowed, and how many they are."""
    for N in range(1, most + 1):
        for chosen in combinations_with_replacement(mechanisms, N):
            yield N, reduce(side_by_side, chosen)


def _runs_keep(prior: Prior, s: Secret, t: Secret, mechanisms: Any, R: F) -> bool:
    return all(
        keeps_order([prior], s, t, joint, R**N)
        for N, joint in _joint_releases(mechanisms, 3 - len(mechanisms) // 2)
    )


def _counted(prior: Prior, s: Secret, t: Secret, mechanisms: Any, R: F, factor: F = ONE) -> bool:
    """Whether sum_l theta(D_l | s) prod_i v_i[l]^c_i keeps the level for all counts."""
    laws = _laws(prior, s, t)
    if laws is None:
        return True
    columns = [column for M in mechanisms for column in zip(*M)]
    for N in range(1, 4 - len(mechanisms) // 2):
        for outputs in combinations_with_replacement(columns, N):
            left, right = (
                sum(
                    (p * prod((each[D] for each in outputs), start=ONE) for D, p in law.items()),
                    ZERO,
                )
                for law in laws
            )
            if left > factor * R**N * right:
                return False
    return True


RUNS_KEEP = "joint releases of up to three runs keep the sum of their levels"
COUNTS = Statement(
    family=some_runs,
    given={RUNS_KEEP: _runs_keep},
    holds=_counted,
    too_strong={"99/100 of the level": {"factor": ALMOST}},
    too_weak=[RUNS_KEEP],
)


def items(draws: Draws) -> Instance:
    """One to four items from 0 to 3, ties often, and weights with sum 1 and zeros."""
    size = 1 + draws.below(4)
    x = [F(draws.below(7), 2) for _ in range(size)]
    return {"x": x, "W": draws.law(size)}


def _near(x: Sequence[F], W: Sequence[F], allowed: bool = True, p: int = 96) -> bool:
    """Whether the p-norm is within an eighth of the largest item of positive weight, or of any."""
    top = max(each for each, weight in zip(x, W) if weight or not allowed)
    norm = sum((weight * each**p for weight, each in zip(W, x)), ZERO)
    return (top * F(7, 8)) ** p <= norm <= top**p


NORMS = Statement(
    family=items,
    holds=_near,
    too_strong={
        "the largest of all items": {"allowed": False},
        "at p = 4": {"p": 4},
    },
)


def alternatives(draws: Draws) -> Instance:
    """A table g of one to four rows and one or two columns, integers from -2 to 2."""
    columns = 1 + (draws.below(4) + 2) // 3
    values = [F(each) for each in (0, 1, -1, 2, -2)]
    g = [[draws.among(values) for _ in range(columns)] for _ in range(1 + draws.below(4))]
    return {"g": g}


def _some_y(g: Sequence[Sequence[F]], strictly: bool = True) -> bool:
    """Whether some y >= 0 has all sums positive; with two columns two rows are enough."""
    for y in candidates(g):
        sums = [sum((n * row[l] for n, row in zip(y, g)), ZERO) for l in range(len(g[0]))]
        if all(each > 0 or (each == 0 and not strictly) for each in sums):
            return True
    return False


AT_LEAST_ONE = Statement(
    family=alternatives,
    holds=lambda g, ask=("weights", "y"): (
        ("weights" in ask and weight_between(g) is not None) or ("y" in ask and _some_y(g))
    ),
    too_strong={"y exists": {"ask": ("y",)}, "weights exist": {"ask": ("weights",)}},
    always="a theorem of the alternative, of all tables of numbers",
)
NOT_BOTH = Statement(
    family=alternatives,
    holds=lambda g, with_sums_may=False: (
        not (
            weight_between(g) is not None
            and (_some_y(g, strictly=False) if with_sums_may else _some_y(g))
        )
    ),
    too_strong={"with sums that may be 0": {"with_sums_may": True}},
    always="a theorem of the alternative, of all tables of numbers",
)


def _programs(draws: Draws, some: Sequence[Sequence[Log]]) -> Instance:
    of_s, of_t = 1 + draws.below(2), 1 + (draws.below(3) + 1) // 2
    logs = log_rows(draws, of_s + of_t, some)
    eps = F(draws.below(9), 4)
    return {"logs": logs, "s": list(range(of_s)), "t": list(range(of_s, of_s + of_t)), "eps": eps}


def positive_programs(draws: Draws) -> Instance:
    """One or two databases with s1 and one or two with s2, four outputs with the probabilities 1/2,
    1/4, 1/8 and 1/8 in any order, or 1/4 each, and eps, 0 to 2 by quarters, times log 2.
    """
    return _programs(draws, POSITIVE)


def programs_with_zeros(draws: Draws) -> Instance:
    """One or two databases with s1 and one or two with s2, three outputs with the probabilities
    1/2, 1/4 and 1/4, or 1/2, 1/2 and 0, or 1, 0 and 0, in any order, and eps, 0 to 2 by quarters,
    times log 2.
    """
    return _programs(draws, ZEROS)


def _primal(logs: Logs, D: int, others: Sequence[int], low: bool = False) -> F | None:
    """The supremum of eps0 for D, None for infinite: over the sets of outputs with alpha_i > 0, the
    largest minimum over the databases that give them all.
    """
    table = gains(logs, D, others, ZERO)
    best: F | None = min((each for row in table for each in row if each is not None), default=ZERO)
    for size in range(1, len(table) + 1):
        for rows_ in combinations(table, size):
            given = [l for l in range(len(others)) if all(row[l] is not None for row in rows_)]
            if not given:
                return None
            inside = [[row[l] or ZERO for l in given] for row in rows_]
            value = _game(inside)
            best = value if best is None else max(best, value)
    return best


def _game(table: Sequence[Sequence[F]]) -> F:
    """The largest minimum over columns of a mean of rows, with at most two columns."""
    best = max(min(row) for row in table)
    for first, second in combinations(table, 2):
        if len(first) == 2:
            rise, fall = first[0] - first[1], second[1] - second[0]
            if rise * fall > 0:
                share = fall / (rise + fall)
                best = max(best, share * first[0] + (1 - share) * second[0])
    return best


def _dual(logs: Logs, D: int, others: Sequence[int]) -> F | None:
    """The least x of the dual, None for infinite: the outputs' lines in the weight of the first of
    at most two databases have their least maximum at an end or where two of them meet.
    """
    table = gains(logs, D, others, ZERO)
    able = [l for l in range(len(others)) if all(row[l] is not None for row in table)]
    if not able:
        return None
    inside = [[row[l] or ZERO for l in able] for row in table]
    if len(able) == 1:
        return max(row[0] for row in inside)
    places = [ZERO, ONE]
    for (a, b), (c, d) in combinations(inside, 2):
        if (a - b) != (c - d):
            places.append((d - b) / ((a - b) - (c - d)))
    return min(max(z * a + (1 - z) * b for a, b in inside) for z in places if 0 <= z <= 1)


def _second(logs: Logs, s: Sequence[int], t: Sequence[int], eps: F) -> bool:
    """Whether (2) holds for convex alpha: on one or two outputs, and, where likelihoods are 0,
    with a little of each output of a set.
    """
    outputs = range(len(logs[0]))
    zeros = any(None in logs[l] for l in t)
    for D in s:
        table = gains(logs, D, t, eps)
        own = [w for w in outputs if logs[D][w] is not None]
        for few in candidates(table):
            for extra in product(range(2), repeat=len(own) if zeros else 0):
                counts = [0] * len(outputs)
                for w, n, more in zip(own, few, extra or repeat(0)):
                    counts[w] = 1000 * n + more
                left, right = _largest(logs, s, counts), _largest(logs, t, counts)
                if left is not None and (right is None or left - right > eps * sum(counts)):
                    return False
    return True


def _program(logs: Logs, s: Sequence[int], t: Sequence[int], eps: F, level: F = ZERO) -> bool:
    """Whether both optima are equal, and (2) holds iff they are at most eps, for every l*."""
    optima = [_primal(logs, D, t) for D in s]
    if optima != [_dual(logs, D, t) for D in s]:
        return False
    small = all(each is not None and each <= eps + level for each in optima)
    return _second(logs, s, t, eps) == small


PROGRAM, PROGRAM_ZEROS = (
    Statement(
        family=family,
        holds=_program,
        too_strong={"iff they are at most eps and a half": {"level": HALF}},
        always="duality of linear programs, for all logarithms",
    )
    for family in (positive_programs, programs_with_zeros)
)


def supports(draws: Draws) -> Instance:
    """One or two databases with s and one to three with t, disjoint or sharing one, a prior with
    zeros, one or two mechanisms with two outputs and zeros often, and R, from 1 to 4.
    """
    of_s, of_t = 1 + draws.below(2), 1 + draws.below(3)
    size = of_s + of_t
    s, t = frozenset(range(of_s)), frozenset(range(of_s, size))
    if draws.below(4) == 3:
        t = t | {0}
    kind = positive_rows if draws.whether() else rows
    return {
        "prior": draws.law(size, 2) if draws.whether() else draws.positive_law(size, 2),
        "s": s,
        "t": t,
        "mechanisms": [kind(draws, size, 2) for _ in range(1 + draws.below(2))],
        "R": F(draws.among([4, 8, 2, 1])),
    }


def _bounded_by_one(
    prior: Prior,
    s: Secret,
    t: Secret,
    mechanisms: Any,
    R: F,
    level: F | None = None,
    everywhere: bool = False,
) -> bool:
    """Whether each D has a D_l that gives all outputs that D gives, at some finite level or one."""
    laws = _laws(prior, s, t)
    if laws is None:
        return True
    for D in s if everywhere else laws[0]:
        bounds = []
        for l in laws[1]:
            pairs = [(p, q) for M in mechanisms for p, q in zip(M[D], M[l]) if p]
            if all(q and (level is None or p <= level * q) for p, q in pairs):
                bounds.append(l)
        if not bounds:
            return False
    return True


def _short_runs(prior: Prior, s: Secret, t: Secret, mechanisms: Any, R: F) -> bool:
    """Whether joint releases of up to as many runs as t has databases keep the sum of levels, by
    counts of outputs.
    """
    laws = _laws(prior, s, t)
    if laws is None:
        return True
    columns = [column for M in mechanisms for column in zip(*M)]
    for N in range(1, len(t) + 1):
        for outputs in combinations_with_replacement(columns, N):
            left, right = (
                sum(
                    (p * prod((each[D] for each in outputs), start=ONE) for D, p in law.items()),
                    ZERO,
                )
                for law in laws
            )
            if left > R**N * right:
                return False
    return True


SHORT = "joint releases of any numbers of runs keep the sum of the levels"
ONE_DATABASE = Statement(
    family=supports,
    given={SHORT: _short_runs},
    holds=_bounded_by_one,
    too_strong={
        "at the level epsilon": lambda **each: {"level": each["R"]},
        "for impossible databases": {"everywhere": True},
    },
    too_weak=[SHORT],
)
