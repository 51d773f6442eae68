"""Section 2.1: differential privacy, per entry and for groups, and its known laws.

Ratios are compared as products, R = e^epsilon; p and q are probabilities of one output under two
databases, or secrets.
"""

from fractions import Fraction
from functools import partial

import sympy

from pufferproof.claims.language import proved
from pufferproof.claims.ours.general.group_privacy import neighbour_ratio, pair_ratio
from pufferproof.claims.registry import Check, claim
from pufferproof.models.channel import Channel
from pufferproof.models.framework import Framework
from pufferproof.models.priors.laws import Table
from pufferproof.verify.proof.argument import Argument

ALL_SIZES = "all finite sizes"
R, S, Q, p, q, k = sympy.symbols("R S Q p q k")
NOTATION = {
    "k": "how many entries, which are cells of a table, D and D' differ in",
    "U": "the set of all tables",
}


@claim(
    "bai2026.dp",
    where="Section 2.1",
    statement="epsilon-DP: P(M(D) = w) <= e^epsilon P(M(D') = w) for all D, D' differing in one "
    "person's record and all w.",
    kind="definition",
)
def dp(check: Check) -> None:
    """Nothing to decide; for finite tables it is a finite list of inequalities."""
    with check.reading("as printed") as argument:
        argument.definition(
            "DP", "Neighbours differ in the contents of one record", sympy.Le(p, R * q)
        )


@claim(
    "bai2026.perentry",
    where="Section 2.1",
    statement="Per-entry epsilon-DP: P(M(D) = w) <= e^epsilon P(M(D') = w) for all D, D' differing "
    "in one attribute of one person's record and all w.",
    kind="definition",
)
def perentry(check: Check) -> None:
    """Nothing to decide; for finite tables it is a finite list of inequalities."""
    with check.reading("as printed") as argument:
        argument.definition("per-entry DP", "Neighbours differ in one cell", sympy.Le(p, R * q))


@claim(
    "bai2026.groupdp",
    where="Section 2.1, group DP",
    statement="A per-entry epsilon-DP mechanism has P(M(D) = w) <= e^(k epsilon) P(M(D') = w) "
    "whenever D, D' differ in k entries.",
    kind="lemma",
    repair="bai2026.groupdp-repaired",
)
def groupdp(check: Check) -> None:
    """Nothing printed says that all tables are in U: false without those on the way, proved
    with them.
    """
    with check.reading("U any set of tables", "one counterexample") as argument:
        _no_neighbours(argument)
    proved(
        check,
        "U all tables over a product of cell domains",
        "all finite sizes, all k",
        _all_tables,
        a_table_on_the_way_missing=partial(_all_tables, detour=True),
    )


@claim(
    "bai2026.groupdp-repaired",
    where="Section 2.1, group DP",
    statement="If every table whose cells are taken from two tables of U belongs to U, as when U "
    "has all tables over a product of cell domains, then a per-entry epsilon-DP mechanism on U "
    "has P(M(D) = w) <= e^(k epsilon) P(M(D') = w) for all D, D' in U that differ in k entries "
    "and all outputs w.",
    kind="repair of bai2026.groupdp",
)
def groupdp_repaired(check: Check) -> None:
    """Prove it along the path that copies one cell after the other."""
    proved(
        check,
        "U all tables over a product of cell domains",
        "all finite sizes, all k",
        _all_tables,
        a_table_on_the_way_missing=partial(_all_tables, detour=True),
    )


def _no_neighbours(argument: Argument) -> None:
    rows = {"00": Fraction(1), "11": Fraction(0)}
    half = Fraction(1, 2)
    framework = Framework(
        tuple(rows),
        {"00": ["00"], "11": ["11"]},
        [("00", "11")],
        {"either": Table(dict.fromkeys(rows, half))},
    )
    argument.counterexample(
        "two tables without one between them",
        "Let the set U of all tables be {00, 11}. No two of them differ in one entry: every "
        "mechanism is per-entry 0-DP, also the one that tells the table. But 00 and 11 differ in 2 "
        "entries, and this mechanism gives the output u with probability 1 on one of them and 0 on "
        "the other, which no level bounds. One table, one output or tables of one cell cannot fail",
        {
            "tables of U": list(rows),
            "entries that differ": 2,
            "per-entry epsilon": "log(1)",
            "framework": framework,
            "mechanism": Channel.of({x: [u, 1 - u] for x, u in rows.items()}, ["u", "v"]),
            "epsilon": "log(1)",
        },
        lambda: neighbour_ratio(rows) == 1 and pair_ratio(rows, "00", "11") is None,
    )


def _all_tables(argument: Argument, detour: bool = False) -> None:
    l, k, m, d = sympy.symbols("l k m d")
    argument.cite(
        "along a path",
        "P(y | D) <= R^l P(y | D') if l changes of one entry lead from D to D' inside U",
        "general.group-privacy-paths",
    )
    differs = (m >= 1) & (m <= 2) if detour else sympy.Eq(m, 1)
    argument.induction(
        "as many changes as entries that differ",
        "Copy the cells of D' into D one after the other; the tables on the way have cells of D "
        "and D', hence are in U. After n cells l changes were made and k of these cells differ: l "
        "= k. The next cell is the same (d = 0) and nothing is done, or differs (d = 1) and m = 1 "
        "change is made",
        base=(sympy.Eq(l, k), [sympy.Eq(l, 0), sympy.Eq(k, 0)]),
        step=(
            sympy.Eq(l + d * m, k + d),
            [sympy.Eq(l, k), sympy.Eq(d, 0) | sympy.Eq(d, 1), differs, k >= 0],
        ),
    )


@claim(
    "bai2026.dp-laws",
    where="Section 2.1",
    statement="DP is invariant under post-processing: if M is epsilon-DP, so is A o M; and "
    "eps_i-DP mechanisms M_i, finitely many, run together are (sum_i eps_i)-DP.",
    kind="lemma",
    assumes=["each mechanism, and the processing, uses fresh randomness"],
)
def dp_laws(check: Check) -> None:
    """Both laws, from the lemmas on processing and on ratios of joint probabilities."""
    proved(
        check,
        "post-processing, deterministic or randomised",
        ALL_SIZES,
        processed,
        a_smaller_level=partial(processed, smaller=True),
        a_processing_that_sees_the_database=partial(processed, sees=True),
    )
    for name, adaptive in (("run together", False), ("each chosen by the outputs before", True)):
        proved(
            check,
            f"composition, {name}",
            "all finite sizes, any number of mechanisms",
            partial(_composed, adaptive=adaptive),
            the_last_level_left_out=partial(_composed, adaptive=adaptive, dropped=True),
            randomness_used_twice=partial(_composed, adaptive=adaptive, shared=True),
        )


def processed(
    argument: Argument,
    given: str = "on two neighbouring databases",
    smaller: bool = False,
    sees: bool = False,
) -> None:
    """Prove that a processed output keeps the level, for likelihoods of two kinds: on two
    databases, or given two secrets.
    """
    a, b, l = sympy.symbols("a b l")
    level, extra = (S, [S >= 1, S < R]) if smaller else (R, [R >= 1])
    kernel = [k >= 0, l >= 0] if sees else [k >= 0, sympy.Eq(l, k)]
    argument.induction(
        "one more old output",
        "a and b are the sums of K(z|y) p(y) and K(z|y) q(y) over the first old outputs y, with p "
        "and q their likelihoods "
        f"{given} and K(z|y) the probability that y becomes z. For the next output p <= R q, and k "
        f"= K(z|y) is the same number "
        "l for both likelihoods, as the processing sees nothing but y. Over all y, a <= R b for "
        "the new output z",
        base=(
            a <= level * b,
            [sympy.Eq(a, k * p), sympy.Eq(b, l * q), p <= R * q, p >= 0, q >= 0, *kernel, *extra],
        ),
        step=(
            a + k * p <= level * (b + l * q),
            [a <= level * b, p <= R * q, p >= 0, q >= 0, *kernel, *extra],
        ),
    )


def _composed(
    argument: Argument, adaptive: bool, dropped: bool = False, shared: bool = False
) -> None:
    c, d, u, v = sympy.symbols("c d u v")
    chosen = "chosen by the outputs before" if adaptive else "the same whatever came before"
    argument.cite(
        "ratios multiply", "Bounds R_k on conditional probabilities multiply", "lemma.chain-rule"
    )
    fresh = [u <= p, u <= c, v <= q, v <= d, u >= 0, v >= 0]
    independent = fresh if shared else [sympy.Eq(u, p * c), sympy.Eq(v, q * d)]
    argument.induction(
        "one more mechanism",
        "p <= Q q are the joint probabilities of the outputs so far under neighbouring databases, "
        "Q the product of the "
        f"e^eps_i; the next mechanism, {chosen}, has c <= R d given these outputs, and u = p c, v "
        f"= q d are the next joint "
        "probabilities",
        base=(p <= Q * q, [sympy.Eq(p, 1), sympy.Eq(q, 1), sympy.Eq(Q, 1)]),
        step=(
            u <= (Q if dropped else Q * R) * v,
            [p <= Q * q, c <= R * d, *independent, p >= 0, q >= 0, c >= 0, d >= 0, Q >= 1, R >= 1],
        ),
    )
