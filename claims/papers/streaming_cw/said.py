"""Theorems of the paper, each said once."""

from pufferproof.claims.language.statements.draws import Draws
from pufferproof.claims.language.statements.rationals import Fraction
from pufferproof.claims.language.statements.statement import Instance
from pufferproof.claims.vocabulary.entries.foundations.logic import (
    EXP,
    IFF,
    LENGTH,
    LEVEL_PLUS,
    NEXT,
)
from pufferproof.claims.vocabulary.entries.foundations.promise import NONNEGATIVE
from pufferproof.claims.vocabulary.entries.streams.blocks import (
    APPENDED,
    GIVEN,
    KNOWN,
    LAWS_OF_BLOCKS,
    POSITIVE,
    SPENT,
    STEP,
    WITHIN,
)
from pufferproof.claims.vocabulary.entries.streams.regions import (
    ALTERNATIVES_TOTAL,
    APPROXIMATE,
    BOTH_WAYS,
    COUPLED,
    HULL_ALLOWED,
    INEQUALITIES,
    INEQUALITIES_GIVEN,
    ONE_INEQUALITY,
    POSITIVE_PARTS,
    REGIONS_ALLOWED,
    ROWS_TOTAL,
    SQUARE_ALLOWED,
)
from pufferproof.claims.vocabulary.entries.streams.shifts import (
    LAWS_AT_WINDOWS,
    LEVELS_BEFORE,
    SETS_OF_OUTPUTS,
    SETS_OF_STEP,
    SETS_OF_STEPS,
    SHIFTS_BEFORE,
)
from pufferproof.claims.vocabulary.families import CLOSE
from pufferproof.claims.vocabulary.probes.streams.blocks import EDGES, windows
from pufferproof.claims.vocabulary.probes.streams.regions import tables, two_worlds
from pufferproof.claims.vocabulary.probes.streams.shifts import shifted
from pufferproof.claims.vocabulary.proposition import Proposition
from pufferproof.claims.vocabulary.sorts import (
    LEVEL,
    LEVELS_OF_STEPS,
    NATURAL,
    NUMBER,
    NUMBERS_OF_STEPS,
    laws_in_time,
    levels_in_time,
    mechanism,
    member,
    neighbours,
    sequence,
    windows_in_time,
    worlds,
)
from pufferproof.claims.vocabulary.terms import Log, Term, letter

M, ratio, delta = (
    letter("M", mechanism("D", "W")),
    letter("ratio", NUMBER, "R"),
    letter("delta", NUMBER),
)
N, C = letter("neighbours", neighbours("D"), "N"), letter("worlds", worlds("D"), "C")


LETTERS = [M, ratio, delta, N]
ROWS = [ROWS_TOTAL(M)]
PRIVATE = APPROXIMATE(M, ratio, delta, BOTH_WAYS(N))
PRIVATE_IN_ORDER = APPROXIMATE(M, ratio, delta, N)


OUTSIDE = {
    "D": 1,
    "W": 2,
    "M": [[Fraction(-1, 200), Fraction(201, 200)]],
    "ratio": Fraction(1),
    "delta": Fraction(1),
    "neighbours": [(0, 0)],
}


def steeper(draws: Draws) -> Instance:
    """As for Theorem 1, and a second ratio: the first one, or a little less or more."""
    found = tables(draws)
    off = draws.among([Fraction(0), Fraction(1, 10), Fraction(1), Fraction(-1, 10)])
    return {**found, "larger": found["ratio"] + off}


def shifted_rows(draws: Draws) -> Instance:
    """As for Theorem 1; delta is often the largest shift of a pair, or a little more or less."""
    found = tables(draws)
    sums = [a for a, _ in POSITIVE_PARTS.value(*(found[each.name] for each in LETTERS))]
    if draws.below(5):
        found["delta"] = max(sums, default=Fraction(0)) * draws.among([*CLOSE])
    return found


def _one_output(
    top: int, bottom: Fraction | int, ratio: int, larger: Fraction | int, delta: Fraction | int
) -> Instance:
    """Two databases with one output, in one order."""
    numbers = {"ratio": ratio, "larger": larger, "delta": delta}
    rows = [[Fraction(top)], [Fraction(bottom)]]
    return {
        **{"D": 2, "W": 1, "M": rows, "neighbours": [(0, 1)]},
        **{name: Fraction(number) for name, number in numbers.items()},
    }


def _equivalent(name: str, other: Term, *more: Term) -> Proposition:
    return Proposition(
        f"streams.Regions.{name}",
        "D~ W",
        LETTERS,
        [*ROWS, *more],
        IFF(PRIVATE, other),
        tables,
        edges=[OUTSIDE] if more else [],
    )


BY_INEQUALITIES = _equivalent("by_inequalities", INEQUALITIES(M, ratio, delta, N))
BY_INEQUALITIES_BOTH_WAYS = _equivalent(
    "by_inequalities_both_ways", INEQUALITIES(M, ratio, delta, BOTH_WAYS(N))
)
BY_ONE_INEQUALITY = _equivalent("by_one_inequality", ONE_INEQUALITY(M, ratio, delta, BOTH_WAYS(N)))
BY_REGIONS = _equivalent("by_regions", REGIONS_ALLOWED(M, ratio, delta, N))
BY_HULL = _equivalent("by_hull", HULL_ALLOWED(M, ratio, delta, N))
IN_SQUARE = _equivalent("in_square", SQUARE_ALLOWED(M, ratio, delta, N), NONNEGATIVE(M))
PARTS = POSITIVE_PARTS(M, ratio, delta, N)
SETS_WITHIN_PARTS = Proposition(
    "streams.Regions.sets_within_parts", "D~ W", LETTERS, [PARTS], PRIVATE_IN_ORDER, shifted_rows
)
PARTS_WITHIN_SETS = Proposition(
    "streams.Regions.parts_within_sets", "D~ W", LETTERS, [PRIVATE_IN_ORDER], PARTS, shifted_rows
)
larger = letter("larger", NUMBER, "R'")
LARGER_RATIO = Proposition(
    "streams.Regions.larger_ratio",
    "D~ W",
    [M, ratio, larger, delta, N],
    [NONNEGATIVE(M), ratio <= larger, PRIVATE_IN_ORDER],
    APPROXIMATE(M, larger, delta, N),
    steeper,
    [
        _one_output(1, Fraction(-1, 200), 1, 2, Fraction(201, 200)),
        _one_output(1, 1, 1, Fraction(199, 200), 0),
        _one_output(1, Fraction(199, 200), 1, 1, 0),
    ],
    survivors={
        "conclusion, R for R' [approximately private]": "true and weaker: it is the hypothesis"
    },
)
WORLDS_BY_INEQUALITIES = Proposition(
    "streams.Regions.worlds_by_inequalities",
    "D W",
    [M, ratio, delta, C],
    [*ROWS, ALTERNATIVES_TOTAL(C)],
    IFF(COUPLED(M, ratio, delta, C), INEQUALITIES_GIVEN(M, ratio, delta, C)),
    two_worlds,
)

p, B = letter("p", laws_in_time("Block")), letter("B", NATURAL)
K0, K1 = (letter(name, windows_in_time("Block", "W")) for name in ("K0", "K1"))
gamma, eps = letter("gamma", levels_in_time("W")), letter("eps", LEVEL)
ys = letter("ys", sequence("W", "a list of outputs in W"), "y")
y = letter("y", member("W", "an output in W"), "v")
z, other = (letter(name, sequence("Block", "a list of blocks in Block")) for name in ("z", "z'"))
CLOSE_STEPS = [LAWS_OF_BLOCKS(p), POSITIVE(B, K0), POSITIVE(B, K1), WITHIN(p, B, K0, K1, gamma)]
SAME_BLOCKS = "true and weaker: the statement for the same blocks on both sides"
LEMMA_1 = Proposition(
    "streams.Streams.product_of_levels",
    "Block W",
    [p, B, K0, K1, gamma, ys, z, other],
    [*CLOSE_STEPS, KNOWN(p, B, LENGTH(ys), z), KNOWN(p, B, LENGTH(ys), other)],
    GIVEN(p, B, K0, LENGTH(ys), ys, z)
    <= EXP(SPENT(gamma, ys)) * GIVEN(p, B, K1, LENGTH(ys), ys, other),
    windows,
    edges=EDGES,
    survivors={
        "conclusion, z' for z [outputs of a stream]": SAME_BLOCKS,
        "conclusion, z for z' [outputs of a stream]": SAME_BLOCKS,
    },
)


def last_steps(draws: Draws) -> Instance:
    """As for Lemma 1, and eps, often the least level of the last output at the same z."""
    found = windows(draws)
    law, wide, k = found["p"], found["B"], len(found["ys"])
    top, bottom = (
        STEP.value(law, wide, found[name], k, found["y"], found["z"]) for name in ("K0", "K1")
    )
    least = top / bottom if bottom > 0 and top > 0 else Fraction(1, 8)
    return {**found, "eps": Log(least * draws.among([*CLOSE]))}


LAST = NEXT(LENGTH(ys))
LEMMA_2 = Proposition(
    "streams.Streams.last_level",
    "Block W",
    [p, B, K0, K1, gamma, eps, ys, y, z],
    [
        *CLOSE_STEPS,
        KNOWN(p, B, LAST, z),
        STEP(p, B, K0, LENGTH(ys), y, z) <= EXP(eps) * STEP(p, B, K1, LENGTH(ys), y, z),
    ],
    GIVEN(p, B, K0, LAST, APPENDED(ys, y), z)
    <= EXP(LEVEL_PLUS(SPENT(gamma, ys), eps)) * GIVEN(p, B, K1, LAST, APPENDED(ys, y), z),
    last_steps,
    edges=[{**each, "ys": each["ys"][:-1]} for each in EDGES],
)

n, shift = letter("n", NATURAL), letter("delta", NUMBERS_OF_STEPS)
LEVEL_OF = letter("gamma", LEVELS_OF_STEPS)
SAME_MECHANISM = (
    "true and weaker: one mechanism on both sides; the set of all tuples says that shifts make up "
    "for a level below 0"
)
THEOREM_4 = Proposition(
    "streams.Shifts.levels_and_shifts",
    "Block W",
    [p, B, K0, K1, LEVEL_OF, shift, eps, n, z],
    [
        LAWS_OF_BLOCKS(p),
        LAWS_AT_WINDOWS(B, K0),
        LAWS_AT_WINDOWS(B, K1),
        SETS_OF_STEPS(p, B, K0, K1, LEVEL_OF, shift, n),
        KNOWN(p, B, NEXT(n), z),
        SETS_OF_STEP(p, B, K0, K1, n, EXP(eps), shift, z),
    ],
    SETS_OF_OUTPUTS(
        p,
        B,
        K0,
        K1,
        NEXT(n),
        EXP(LEVEL_PLUS(LEVELS_BEFORE(LEVEL_OF, n), eps)),
        SHIFTS_BEFORE(shift, NEXT(n)),
        z,
    ),
    shifted,
    survivors={
        "conclusion, K1 for K0 [sets of outputs within]": SAME_MECHANISM,
        "conclusion, K0 for K1 [sets of outputs within]": SAME_MECHANISM,
    },
)
