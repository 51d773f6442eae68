"""CW-privacy (coupled worlds) is differential privacy of two-row mechanisms, the rows conditional laws of outputs.

(X, Z) has a law D, alt(X) is a scrubbed database, priv(X) a private value. (epsilon, delta)-CW-privacy with a simulator Sim
bounds Pr[M(X) in S | v, z] by R Pr[Sim(alt(X)) in S | v, z] + delta, and the same exchanged, for all D in Delta, (priv, alt)
in Gamma, S, and (v, z) of positive probability. The text always has Sim = M. P and Q are the two conditional laws of outputs.
Proves Theorem 3 as repaired and what follows from it; refutes rows without conditions, and other simulators.
Source: "Composition Theorem for streaming CW-privacy", Section 1.2.
"""

from typing import Any

from sympy import And, Eq, Equivalent, Max, Symbol

from pufferproof.claims.registry import Check, claim
from pufferproof.claims.streaming_cw.inclusion import first_inequality, prove_equivalent_to_privacy, refute_single_order
from pufferproof.claims.streaming_cw.intersection import refute_no_larger
from pufferproof.claims.streaming_cw.planar import Point, distributions
from pufferproof.claims.streaming_cw.plane_letters import ALL, FLOOR, HEIGHT, LEFT, TOTAL, UNIT, WEIGHT
from pufferproof.claims.streaming_cw.slopes import prove_slopes_complete
from pufferproof.claims.streaming_cw.worlds import ONE, ZERO, World, two_sided, world_evidence, worlds
from pufferproof.verify.proof import Argument

COINS = "the coins of M are independent of X, alt(X) and Z"
SAME = "Sim = M"
POSITIVE = "(v, z) of positive probability: others have no conditional law"


@claim(
    "streaming_cw.thm3",
    where="Theorem 3",
    statement="M is (epsilon, delta, Delta, Gamma)-private iff for all laws D of (X, Z), all (priv, alt) in Gamma and all S: "
    "Pr[M(X) in S | priv, Z] + R Pr[M(alt(X)) in S' | priv, Z] >= 1 - delta, and the same with R on the first term.",
    assumes=["epsilon >= 0", "0 <= delta <= 1", POSITIVE, COINS],
    repair="streaming_cw.thm3-repaired",
)
def thm3(check: Check) -> None:
    with check.reading("D over all laws, as printed; Sim = M") as argument:
        _refute_all_laws(argument)
    with check.reading("D over Delta, every (v, z) of positive probability, Sim = M", ALL) as argument:
        prove_cw_equivalence(argument)
    check.near_miss("the second inequality dropped", lambda a: prove_cw_equivalence(a, first_inequality()))
    with check.reading("D over Delta, any Sim") as argument:
        _refute_any_simulator(argument)
    with check.reading("D over Delta, probabilities averaged over (v, z), Sim = M") as argument:
        refute_unconditional(argument)


def prove_cw_equivalence(argument: Argument, printed: Any = None) -> None:
    """For each D in Delta, (priv, alt) in Gamma and (v, z) this is Theorem 1 on the two conditional laws."""
    argument.definition(
        "two rows",
        "P = law of M(X), Q = law of M(alt(X)), both given priv(X) = v, Z = z; CW-privacy bounds each by the other.",
    )
    prove_equivalent_to_privacy(argument, printed)


def _refute_all_laws(argument: Argument) -> None:
    def elsewhere(world: World) -> list[World]:
        points = distributions(len(world.kernel), 1)
        return [World(world.kernel, point, world.priv, world.alt) for point in points]

    def holds(world: World) -> bool:
        return not world.private(ONE, ZERO) or all(other.private(ONE, ZERO) for other in elsewhere(world))

    found = argument.exhaust(
        "smallest failure",
        "Delta = {one point mass}, epsilon = delta = 0, deterministic M, priv and Z constant; against all point masses, which "
        "suffice for all laws, rows being mixtures of rows.",
        worlds(1, secret=False),
        holds,
    )
    if found is not None:
        other = next(world for world in elsewhere(found) if not world.private(ONE, ZERO))
        argument.counterexample(
            "private for Delta, not for all laws",
            "M is private for the only law in Delta, and another law violates the inequalities.",
            world_evidence(found, other_law=other.law, R=ONE, delta=ZERO),
            lambda: found.private(ONE, ZERO) and not other.private(ONE, ZERO),
        )


def _refute_any_simulator(argument: Argument) -> None:
    found = argument.exhaust(
        "smallest failure",
        "Point masses, deterministic M, priv and Z constant, epsilon = delta = 0: Sim that always draws from the law of M(X) "
        "makes M private; are the inequalities, which have M, met?",
        worlds(1, secret=False),
        lambda world: world.private(ONE, ZERO),
    )
    if found is not None:
        simulator = found.unconditional()[0]
        argument.counterexample(
            "private with another simulator",
            "Sim, the same row for every database, has exactly the law of M(X); M(alt(X)) has another.",
            world_evidence(found, Sim=simulator, R=ONE, delta=ZERO),
            lambda: (
                all(two_sided((p, simulator), ONE, ZERO) for p, _ in found.conditional())
                and not found.private(ONE, ZERO)
            ),
        )


@claim(
    "streaming_cw.thm3-repaired",
    where="Theorem 3, repaired",
    statement="With Sim = M, M is (epsilon, delta, Delta, Gamma)-CW-private iff both inequalities hold for all D in Delta, all "
    "(priv, alt) in Gamma, all S and all (v, z) of positive probability.",
    assumes=["epsilon >= 0", "0 <= delta <= 1", SAME, COINS],
)
def thm3_repaired(check: Check) -> None:
    with check.reading("as repaired", ALL) as argument:
        prove_cw_equivalence(argument)
    check.near_miss("the second inequality dropped", lambda a: prove_cw_equivalence(a, first_inequality()))


@claim(
    "streaming_cw.cw-rows",
    where="Theorem 3, last line",
    statement="X has law D with pmf f_D, alt(X) has law D' with pmf f'_D; in Theorem 3, M(X) = f_D M and M(alt(X)) = f'_D M.",
    kind="definition",
    assumes=[SAME, COINS],
    repair="streaming_cw.cw-rows-repaired",
)
def cw_rows(check: Check) -> None:
    with check.reading("f_D and f'_D unconditional") as argument:
        refute_unconditional(argument)
    with check.reading("f_D and f'_D conditional on priv(X) = v, Z = z", ALL) as argument:
        argument.cite("rows", "These are the rows.", "streaming_cw.cw-rows-repaired")
        argument.cite("both sides of Theorem 3", "They decide privacy.", "streaming_cw.thm3-repaired")
    check.near_miss("weights not divided by Pr[v, z]", lambda a: prove_total_probability(a, conditional=False))


def refute_unconditional(argument: Argument) -> None:
    """Find the smallest M whose unconditional rows are private although M is not, or the reverse."""

    def holds(world: World) -> bool:
        return two_sided(world.unconditional(), ONE, ZERO) == world.private(ONE, ZERO)

    found = argument.exhaust(
        "smallest failure",
        "epsilon = delta = 0, deterministic M, Z constant: unconditional rows against the definition.",
        worlds(2, secret=True),
        holds,
    )
    if found is not None:
        argument.counterexample(
            "equal rows, unequal conditional rows",
            "f_D M = f'_D M, while M(X) and M(alt(X)) differ given priv(X).",
            world_evidence(
                found, unconditional=found.unconditional(), conditional=tuple(found.conditional()), R=ONE, delta=ZERO
            ),
            lambda: not holds(found),
        )


def prove_total_probability(argument: Argument, conditional: bool = True) -> None:
    """The law of M(X) given (v, z) is f M, f(x) = Pr[X = x | v, z]; in the same way for alt(X).

    Pr[v, z] times the sum of f(x) M(x, y) is the sum of Pr[X = x, v, z] M(x, y).
    """
    share, entry, row = Symbol("f_x", real=True), Symbol("M_xy", real=True), Symbol("fM_y", real=True)
    known = [TOTAL > 0, TOTAL <= 1, entry >= 0, entry <= 1, WEIGHT >= 0, WEIGHT <= TOTAL]
    argument.induction(
        "total probability",
        "Database by database, f(x) = Pr[X = x | v, z]; M's coins are independent, so Pr[X = x, M(x) = y, v, z] is a product",
        (Eq(TOTAL * row, LEFT), [Eq(row, 0), Eq(LEFT, 0), TOTAL > 0, TOTAL <= 1]),
        (
            Eq(TOTAL * (row + share * entry), LEFT + WEIGHT * entry),
            [Eq(TOTAL * row, LEFT), Eq(share * TOTAL if conditional else share, WEIGHT), *known],
        ),
    )
    argument.induction(
        "the rows sum to 1",
        "The sum over y of f(x) M(x, y) is f(x), and the f(x) sum to 1",
        (Eq(LEFT, FLOOR), [Eq(LEFT, 0), Eq(FLOOR, 0)]),
        (Eq(LEFT + share * HEIGHT, FLOOR + share), [Eq(LEFT, FLOOR), Eq(HEIGHT, 1), share >= 0]),
    )


@claim(
    "streaming_cw.cw-rows-repaired",
    where="Theorem 3, last line, repaired",
    statement="With f_D = Pr[X = . | v, z] and f'_D = Pr[alt(X) = . | v, z] the laws in Theorem 3 are f_D M and f'_D M.",
    kind="lemma",
    assumes=[SAME, COINS, POSITIVE],
)
def cw_rows_repaired(check: Check) -> None:
    with check.reading("as repaired", ALL) as argument:
        prove_total_probability(argument)
    check.near_miss("weights not divided by Pr[v, z]", lambda a: prove_total_probability(a, conditional=False))


@claim(
    "streaming_cw.cw-two-row-mechanism",
    where="after Theorem 3",
    statement="The 2 x m matrix M' with rows f_D M and f'_D M, seen as a DP mechanism, stands for M: M' is differentially "
    "private iff M is CW-private.",
    kind="remark",
    assumes=[SAME, COINS],
    repair="streaming_cw.cw-two-row-mechanism-repaired",
)
def cw_two_row_mechanism(check: Check) -> None:
    with check.reading("one M' per D, rows unconditional") as argument:
        refute_unconditional(argument)
    with check.reading("one M' per (D, priv, alt), rows unconditional") as argument:
        refute_unconditional(argument)
    with check.reading("one M' per (D, priv, alt, v, z), its rows neighbours in one order") as argument:
        refute_single_order(argument)
    with check.reading("one M' per (D, priv, alt, v, z), its rows neighbours in both orders", ALL) as argument:
        prove_two_rows(argument)
    check.near_miss("one of the inequalities", lambda a: prove_two_rows(a, first_inequality()))


def prove_two_rows(argument: Argument, printed: Any = None) -> None:
    """DP of M' in both orders is, set by set, the two bounds of CW-privacy with Sim = M at (D, priv, alt, v, z)."""
    argument.cite("rows", "The rows of M' are the laws in Theorem 3.", "streaming_cw.cw-rows-repaired")
    prove_cw_equivalence(argument, printed)


@claim(
    "streaming_cw.cw-two-row-mechanism-repaired",
    where="after Theorem 3, repaired",
    statement="M is CW-private iff for all D in Delta, (priv, alt) in Gamma and (v, z) of positive probability the one with "
    "rows Pr[X = . | v, z] M and Pr[alt(X) = . | v, z] M, neighbours in both orders, is private.",
    kind="remark",
    assumes=[SAME, COINS],
)
def cw_two_row_mechanism_repaired(check: Check) -> None:
    with check.reading("as repaired", ALL) as argument:
        prove_two_rows(argument)
    check.near_miss("one of the inequalities", lambda a: prove_two_rows(a, first_inequality()))


@claim(
    "streaming_cw.cw-everything-follows",
    where="end of Section 1.2",
    statement="CW-privacy has privacy regions too, and everything else of Section 1.1 follows: inclusion, tangents, recipe.",
    kind="remark",
    assumes=[SAME, COINS, POSITIVE],
    repair="streaming_cw.cw-everything-follows-repaired",
)
def cw_everything_follows(check: Check) -> None:
    with check.reading("all statements of Section 1.1 as printed, one M' per (D, priv, alt, v, z)") as argument:
        corner: Point = (ONE, ONE)
        argument.definition(
            "any two rows are rows of an M'", "X = x surely and alt(X) = x' surely give M' the rows M(x) and M(x')."
        )
        refute_no_larger(argument, corner)
    with check.reading("the inclusion test, one M' per D, rows unconditional") as argument:
        refute_unconditional(argument)
    with check.reading("the inclusion test, one M' per (D, priv, alt, v, z)", ALL) as argument:
        prove_cw_inclusion(argument)
    with check.reading("tangents, recipe in both orders and intersection, as repaired", ALL) as argument:
        prove_repaired_laws(argument)
    check.near_miss("a recipe of one order", lambda a: prove_slopes_complete(a, orders=1))
    check.near_miss("one of the inequalities", lambda a: prove_cw_inclusion(a, first_inequality()))


def prove_cw_inclusion(argument: Argument, printed: Any = None) -> None:
    """M is private iff all M' are, and each M' is iff its region lies in R(epsilon, delta)."""
    prove_two_rows(argument, printed)
    argument.cite("inclusion test", "A law for any two rows.", "streaming_cw.thm2")


def prove_repaired_laws(argument: Argument) -> None:
    """M' is a mechanism with two databases, to which the laws for two arbitrary rows apply."""
    argument.cite("M' stands for M", "M' is private iff M is.", "streaming_cw.cw-two-row-mechanism-repaired")
    for name in ("tangent-gives-pair", "region-is-intersection", "slopes-complete"):
        argument.cite(name, "A law for any two rows.", f"streaming_cw.{name}-repaired")


@claim(
    "streaming_cw.cw-everything-follows-repaired",
    where="end of Section 1.2, repaired",
    statement="M is CW-private iff every region R(M',.,.), one per (D, priv, alt, v, z), lies in R(epsilon, delta); the least "
    "delta is the supremum over these and both orders of H_R; tangents, recipe and intersection hold as repaired.",
    kind="remark",
    assumes=[SAME, COINS, POSITIVE],
)
def cw_everything_follows_repaired(check: Check) -> None:
    with check.reading("inclusion test", ALL) as argument:
        prove_cw_inclusion(argument)
    with check.reading("the least delta", ALL) as argument:
        prove_least_delta(argument)
    with check.reading("the rest", ALL) as argument:
        prove_repaired_laws(argument)
    check.near_miss("the average instead of the largest", lambda a: prove_least_delta(a, largest=False))
    check.near_miss("a recipe of one order", lambda a: prove_slopes_complete(a, orders=1))
    check.near_miss("one of the inequalities", lambda a: prove_cw_inclusion(a, first_inequality()))


def prove_least_delta(argument: Argument, largest: bool = True) -> None:
    """delta is enough for a family iff it is at least every H_R of the family, that is at least their supremum."""
    delta, so_far, new = Symbol("delta", real=True), Symbol("H_so_far", real=True), Symbol("H_new", real=True)
    enough = Max(so_far, new) if largest else (so_far + new) / 2
    argument.induction(
        "the supremum of a family",
        "Enough for the members so far iff at least their supremum; one member more, in either order of its rows",
        (Equivalent(And(delta >= 0, delta >= new), delta >= Max(0, new)), [new >= 0]),
        (Equivalent(And(delta >= so_far, delta >= new), delta >= enough), [so_far >= 0, new >= 0, delta >= 0]),
    )
    p, q = UNIT[0].args[0], UNIT[2].args[0]
    ratio = Symbol("R", real=True)
    argument.inequality(
        "one member",
        "At a set S the bound P(S) <= R Q(S) + delta says delta >= P(S) - R Q(S); H_R is the largest of these.",
        Equivalent(p <= ratio * q + delta, delta >= p - ratio * q),
        [*UNIT, ratio >= 1],
    )
