"""CW-privacy (coupled worlds) is differential privacy of two-row mechanisms, the rows conditional
laws of outputs.

(X, Z) has a law D, alt(X) is a scrubbed database, priv(X) a private value. (epsilon,
delta)-CW-privacy with a simulator Sim bounds Pr[M(X) in S | v, z] by R Pr[Sim(alt(X)) in S | v, z]
+ delta, and the same exchanged, for all D in Delta, (priv, alt) in Gamma, S, and (v, z) of positive
probability. The text always has Sim = M. P and Q are the two conditional laws of outputs. Derives
Theorem 3 as repaired and what follows from it; refutes rows without conditions, and other
simulators. Source: "Composition Theorem for streaming CW-privacy", Section 1.2.
"""

from pufferproof.claims.language import Proof
from pufferproof.claims.papers.streaming_cw import said
from pufferproof.claims.papers.streaming_cw.plane.inclusion import refute_single_order
from pufferproof.claims.papers.streaming_cw.plane.intersection import refute_no_larger
from pufferproof.claims.papers.streaming_cw.plane.planar import Point, distributions, listed
from pufferproof.claims.papers.streaming_cw.streams.statements.worlds import (
    CW_INCLUSION,
    CW_ROWS,
    LAWS_OF_ROWS,
    LEAST_DELTA,
    TWO_ROWS,
)
from pufferproof.claims.papers.streaming_cw.streams.worlds import (
    ONE,
    ZERO,
    World,
    compared,
    two_sided,
    world_evidence,
    worlds,
)
from pufferproof.claims.registry import Check, claim

COINS = "the coins of M are independent of X, alt(X) and Z"
SAME = "Sim = M"
POSITIVE = "(v, z) of positive probability: others have no conditional law"
RANGES = ["epsilon >= 0", "0 <= delta <= 1"]

NOTATION = {
    "D": "a law of the database X and the auxiliary information Z",
    "D'": "the law of alt(X)",
    "Z": "the auxiliary information, a random variable beside X",
    "z": "a value of the auxiliary information Z",
    "v": "a value of priv(X)",
    "(v, z)": "values of priv(X) and Z that occur together with positive probability",
    "m": "the number of outcomes",
    "f_D": "the probabilities of the databases under X; f_D M is the law of M(X)",
    "f'_D": "the probabilities of the databases under alt(X)",
    "M'": "a mechanism with two databases, one with the law of M(X) and one with that of M(alt(X))",
    "R(M',.,.)": "the region of the two rows of M'",
    "S": "a set of outcomes",
}


@claim(
    "streaming_cw.thm3",
    where="Theorem 3",
    statement="M is (epsilon, delta, Delta, Gamma)-private iff for all laws D of (X, Z), all "
    "(priv, alt) in Gamma and all S: Pr[M(X) in S | priv, Z] + R Pr[M(alt(X)) in S' | priv, Z] "
    ">= 1 - delta, and the same with R on the first term.",
    assumes=[*RANGES, POSITIVE, COINS],
    repair="streaming_cw.thm3-repaired",
    says={
        "D over Delta, every (v, z) of positive probability, Sim = M": said.WORLDS_BY_INEQUALITIES
    },
)
def thm3(check: Check) -> None:
    """Derived with D over Delta and Sim = M; false for all laws, any Sim, and averages over
    (v, z).
    """
    check.stated("D over Delta, every (v, z) of positive probability, Sim = M")
    with check.reading("D over all laws, as printed; Sim = M") as proof:
        _refute_all_laws(proof)
    with check.reading("D over Delta, any Sim") as proof:
        _refute_any_simulator(proof)
    with check.reading("D over Delta, probabilities averaged over (v, z), Sim = M") as proof:
        refute_unconditional(proof)


def _refute_all_laws(proof: Proof) -> None:
    def elsewhere(world: World) -> list[World]:
        points = distributions(len(world.kernel), 1)
        return [World(world.kernel, point, world.priv, world.alt) for point in points]

    def holds(world: World) -> bool:
        return not world.private(ONE, ZERO) or all(
            other.private(ONE, ZERO) for other in elsewhere(world)
        )

    found = proof.exhaust(
        "smallest failure",
        "Delta = {one point mass}, epsilon = delta = 0, deterministic M, priv and Z constant; "
        "against all point masses, which suffice for all laws, rows being mixtures of rows.",
        worlds(1, secret=False),
        holds,
    )
    if found is not None:
        other = next(world for world in elsewhere(found) if not world.private(ONE, ZERO))
        proof.counterexample(
            "private for Delta, not for all laws",
            f"With two databases and alt as shown, Delta holds only the law ({listed(found.law)}) "
            f"of X, under which M(X) and M(alt(X)) have one law and M is private; under the law "
            f"({listed(other.law)}), which is not in Delta, "
            "they have different laws, and the inequalities fail.",
            world_evidence(found, other_law=other.law, R=ONE, delta=ZERO),
            lambda: found.private(ONE, ZERO) and not other.private(ONE, ZERO),
            " and ".join(
                [*compared(found, True), compared(other, False, law="other_law")[_first(other)]]
            ),
        )


def _first(world: World) -> int:
    """Return the first output that is not as probable on the scrubbed data."""
    real, scrubbed = world.unconditional()
    return next(y for y, one in enumerate(real) if one != scrubbed[y])


def _refute_any_simulator(proof: Proof) -> None:
    found = proof.exhaust(
        "smallest failure",
        "Point masses, deterministic M, priv and Z constant, epsilon = delta = 0: Sim that always "
        "draws from the law of M(X) makes M private; are the inequalities, which have M, met?",
        worlds(1, secret=False),
        lambda world: world.private(ONE, ZERO),
    )
    if found is not None:
        simulator = found.unconditional()[0]
        proof.counterexample(
            "private with another simulator",
            f"The simulator that always draws from ({listed(simulator)}), the law of M(X), makes M "
            f"private; but M(alt(X)) "
            "has another law, and the inequalities, which have M in the place of Sim, fail.",
            world_evidence(found, Sim=simulator, R=ONE, delta=ZERO),
            lambda: (
                all(two_sided((p, simulator), ONE, ZERO) for p, _ in found.conditional())
                and not found.private(ONE, ZERO)
            ),
            compared(found, False)[_first(found)],
        )


@claim(
    "streaming_cw.thm3-repaired",
    where="Theorem 3, repaired",
    statement="With Sim = M, M is (epsilon, delta, Delta, Gamma)-CW-private iff for all laws D in "
    "Delta, all (priv, alt) in Gamma, all (v, z) of positive probability and all sets S of "
    "outcomes Pr[M(X) in S | priv(X) = v, Z = z] + R Pr[M(alt(X)) in S' | priv(X) = v, Z = z] "
    ">= 1 - delta, and the same with R on the first term.",
    assumes=[*RANGES, SAME, COINS],
    says={"as repaired": said.WORLDS_BY_INEQUALITIES},
)
def thm3_repaired(check: Check) -> None:
    """Prove Theorem 3 with Sim = M, for the laws of Delta and given (v, z)."""


@claim(
    "streaming_cw.cw-rows",
    where="Theorem 3, last line",
    statement="X has law D with pmf f_D, alt(X) has law D' with pmf f'_D; in Theorem 3, M(X) = f_D "
    "M and M(alt(X)) = f'_D M.",
    kind="definition",
    assumes=[SAME, COINS],
    repair="streaming_cw.cw-rows-repaired",
    says={"f_D and f'_D conditional on priv(X) = v, Z = z, where Pr[v, z] > 0": CW_ROWS},
)
def cw_rows(check: Check) -> None:
    """Derived for laws of databases given (v, z), as the displays have it; false without.

    Total probability: Database by database, f(x) = Pr[X = x | v, z]; M's coins are independent, so
    Pr[X = x, M(x) = y, v, z] is a product. The rows sum to 1: height is the sum of M(x, y) over y,
    which is 1: left sums f(x) height and floor sums f(x) >= 0 over the databases so far. The f(x)
    sum to 1, and so does the row f M, whose entries are not negative.
    """
    name = "f_D and f'_D conditional on priv(X) = v, Z = z, where Pr[v, z] > 0"
    check.tried(name)
    with check.reading("f_D and f'_D unconditional") as proof:
        refute_unconditional(proof)


def refute_unconditional(proof: Proof) -> None:
    """Find the smallest M whose unconditional rows are private although M is not, or the
    reverse.
    """

    def holds(world: World) -> bool:
        return two_sided(world.unconditional(), ONE, ZERO) == world.private(ONE, ZERO)

    found = proof.exhaust(
        "smallest failure",
        "epsilon = delta = 0, deterministic M, Z constant: unconditional rows against the "
        "definition.",
        worlds(2, secret=True),
        holds,
    )
    if found is not None:
        value, (real, scrubbed) = next(
            (v, rows) for v, rows in found.given().items() if rows[0] != rows[1]
        )
        output = next(y for y, one in enumerate(real) if one != scrubbed[y])
        proof.counterexample(
            "equal rows, unequal conditional rows",
            f"With two databases and priv and alt as shown, M(X) and M(alt(X)) have the same law "
            f"({listed(found.unconditional()[0])}), but given priv(X) = {value} the laws "
            f"({listed(real)}) and ({listed(scrubbed)}), which differ.",
            world_evidence(
                found,
                unconditional=found.unconditional(),
                conditional=tuple(found.conditional()),
                R=ONE,
                delta=ZERO,
            ),
            lambda: not holds(found),
            " and ".join([*compared(found, True), compared(found, False, value)[output]]),
        )


@claim(
    "streaming_cw.cw-rows-repaired",
    where="Theorem 3, last line, repaired",
    statement="With f_D = Pr[X = . | v, z] and f'_D = Pr[alt(X) = . | v, z] the laws of M(X) and "
    "M(alt(X)) given priv(X) = v and Z = z, which Theorem 3 is about, are f_D M and f'_D M.",
    kind="lemma",
    assumes=[SAME, COINS, POSITIVE],
    says={"as repaired": CW_ROWS},
)
def cw_rows_repaired(check: Check) -> None:
    """Prove that f M, f the law of the databases given (v, z), is the law of the outputs.

    As in streaming_cw.cw-rows.
    """


@claim(
    "streaming_cw.cw-two-row-mechanism",
    where="after Theorem 3",
    statement="The 2 x m matrix M' with rows f_D M and f'_D M can be seen as a DP version of M, "
    "read as: M' is differentially private iff M is CW-private.",
    kind="remark",
    assumes=[*RANGES, SAME, COINS],
    repair="streaming_cw.cw-two-row-mechanism-repaired",
    says={"one M' per (D, priv, alt, v, z), its rows neighbours in both orders": TWO_ROWS},
)
def cw_two_row_mechanism(check: Check) -> None:
    """Derived for one M' per (v, z) and both orders of its rows; false for the other readings.

    Rows: The rows of M' are the laws of M(X) and M(alt(X)) given (v, z)
    [streaming_cw.cw-rows-repaired]. Privacy gives the inequalities: p = Pr[M(X) in S | v, z] and
    p_rest = Pr[M(X) in S' | v, z], which sum to 1; q and q_rest are those of M(alt(X)). CW-privacy
    bounds each of the two laws by the other, for each D in Delta, (priv, alt) in Gamma, (v, z) and
    S: the bound of P(S') by Q(S') gives the first inequality at S, and that of Q(S) by P(S) the
    second. The inequalities give privacy: As S runs through all sets so does S', and the
    inequalities at both bound P(S) by R Q(S) + delta and Q(S) by R P(S) + delta.
    """
    name = "one M' per (D, priv, alt, v, z), its rows neighbours in both orders"
    check.tried(name)
    with check.reading("one M' per D, rows unconditional") as proof:
        refute_unconditional(proof)
    with check.reading("one M' per (D, priv, alt), rows unconditional") as proof:
        refute_unconditional(proof)
    with check.reading(
        "one M' per (D, priv, alt, v, z), its rows neighbours in one order"
    ) as proof:
        refute_single_order(proof)


@claim(
    "streaming_cw.cw-two-row-mechanism-repaired",
    where="after Theorem 3, repaired",
    statement="M is (epsilon, delta, Delta, Gamma)-CW-private iff for all laws D in Delta, all "
    "(priv, alt) in Gamma and all (v, z) of positive probability the mechanism M' with the two "
    "rows Pr[X = . | v, z] M and Pr[alt(X) = . | v, z] M, neighbours in both orders, is "
    "(epsilon, delta)-differentially private.",
    kind="remark",
    assumes=[*RANGES, SAME, COINS],
    says={"as repaired": TWO_ROWS},
)
def cw_two_row_mechanism_repaired(check: Check) -> None:
    """Prove that M is CW-private iff the mechanisms of its conditional laws are private.

    As in streaming_cw.cw-two-row-mechanism.
    """


@claim(
    "streaming_cw.cw-everything-follows",
    where="end of Section 1.2",
    statement="CW-privacy has privacy regions too, and everything else of Section 1.1 follows: "
    "inclusion, tangents, recipe.",
    kind="remark",
    assumes=[*RANGES, SAME, COINS, POSITIVE],
    repair="streaming_cw.cw-everything-follows-repaired",
    says={
        "the inclusion test, one M' per (D, priv, alt, v, z)": CW_INCLUSION,
        "tangents, recipe in both orders and intersection, as repaired": LAWS_OF_ROWS,
    },
)
def cw_everything_follows(check: Check) -> None:
    """Derived for the repaired statements of Section 1.1; false for those that are false there.

    The inclusion test, one M' per (D, priv, alt, v, z). Rows: The rows of M' are the laws of M(X)
    and M(alt(X)) given (v, z) [streaming_cw.cw-rows-repaired]. Half-planes: A half-plane contains a
    region iff it contains the generating points (P(S), Q(S')), which belong to it; the region of M'
    is the hull of the points (p, q_rest) of all sets S [streaming_cw.x-mixtures]. Privacy gives the
    inequalities: p = Pr[M(X) in S | v, z] and p_rest = Pr[M(X) in S' | v, z], which sum to 1; q and
    q_rest are those of M(alt(X)). CW-privacy bounds each of the two laws by the other, for each D
    in Delta, (priv, alt) in Gamma, (v, z) and S: the bound of P(S') by Q(S') gives the first
    inequality at S, and that of Q(S) by P(S) the second. The inequalities give privacy: As S runs
    through all sets so does S', and the inequalities at both bound P(S) by R Q(S) + delta and Q(S)
    by R P(S) + delta.

    Tangents, recipe in both orders and intersection, as repaired. Total probability: Database by
    database, f(x) = Pr[X = x | v, z]; M's coins are independent, so Pr[X = x, M(x) = y, v, z] is a
    product. The rows sum to 1: height is the sum of M(x, y) over y, which is 1: left sums f(x)
    height and floor sums f(x) >= 0 over the databases so far. The f(x) sum to 1, and so does the
    row f M, whose entries are not negative. M' stands for M: M is private iff all M' are, in both
    orders [streaming_cw.cw-two-row-mechanism-repaired]. Tangent-gives-pair: It holds for any two
    rows, so for those of M' as x and x' [streaming_cw.tangent-gives-pair-repaired].
    Region-is-intersection: It holds for any two rows, so for those of M' as x and x'
    [streaming_cw.region-is-intersection-repaired]. Slopes-complete: It holds for any two rows, so
    for those of M' as x and x' [streaming_cw.slopes-complete-repaired].
    """
    with check.reading(
        "all statements of Section 1.1 as printed, one M' per (D, priv, alt, v, z)"
    ) as proof:
        corner: Point = (ONE, ONE)
        refute_no_larger(
            proof,
            corner,
            "X = x surely and alt(X) = x' surely give M' the rows P = M(x) and Q = M(x'). ",
        )
    with check.reading("the inclusion test, one M' per D, rows unconditional") as proof:
        refute_unconditional(proof)
    name = "the inclusion test, one M' per (D, priv, alt, v, z)"
    check.tried(name)
    check.tried("tangents, recipe in both orders and intersection, as repaired")


@claim(
    "streaming_cw.cw-everything-follows-repaired",
    where="end of Section 1.2, repaired",
    statement="M is (epsilon, delta, Delta, Gamma)-CW-private iff every region R(M',.,.) lies in "
    "R(epsilon, delta), where there is one mechanism M' with two rows, the laws of M(X) and "
    "M(alt(X)) given (v, z), for each D in Delta, (priv, alt) in Gamma and (v, z) of positive "
    "probability. For a given epsilon the least delta is the supremum of H_R of the two rows, "
    "in both orders, over all M'. What holds of tangents, recipe and intersection for two rows "
    "(tangent-gives-pair-repaired, slopes-complete-repaired, region-is-intersection-repaired) "
    "holds for those of every M'.",
    kind="remark",
    assumes=[*RANGES, SAME, COINS, POSITIVE],
    says={"inclusion test": CW_INCLUSION, "the least delta": LEAST_DELTA, "the rest": LAWS_OF_ROWS},
)
def cw_everything_follows_repaired(check: Check) -> None:
    """Prove the inclusion test and the least delta, and cite the rest for the rows of every M'.

    Inclusion test; the rest. As in streaming_cw.cw-everything-follows.

    The least delta. Shift: H, the sum of max(0, P(y) - R Q(y)) over all outcomes, is the largest
    P(S) - R Q(S) over all sets S, and some S has it; the two rows of an M', in one of the two
    orders, are in the place of P0 and P1 [streaming_cw.eq2-shift-repaired]. The supremum is enough:
    p = P(S), q = Q(S) of one member: p - R q <= H <= s <= delta. Less is not enough: If delta < s,
    some member has H > delta, as s is the supremum; at the set with p - R q = H its bound fails.
    """
