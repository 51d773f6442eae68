"""Theorem 5.1: mechanisms that compose linearly satisfy an NfC constraint for every ordered pair
and database.

True with any number of runs of each mechanism and for databases that a prior allows, which the
printed proof uses without saying so; false for a list released once, and for databases of
probability 0. The proof below needs no limit: if no weights exist, the theorem of the alternative
gives numbers of runs whose joint likelihoods are too far apart. Source: bai2026, Theorem 5.1. Zero
likelihoods: a power 0^0 is 1, a power 0^b with b > 0 is 0.
"""

import sympy
from sympy import Eq

from pufferproof.claims.papers.bai2026.composition.definition import ONCE
from pufferproof.claims.papers.bai2026.nfc.failures import (
    refute_bounded,
    refute_impossible,
    refute_once,
    refute_one_vector,
)
from pufferproof.claims.registry import Check, claim
from pufferproof.verify.proof.argument import Argument

ALL_SIZES = "all finite sizes, every epsilon, any priors; likelihoods may be 0"
REPEATED = "any multiset of runs"
POSSIBLE = f"{REPEATED}, D possible given s1 under a prior that allows both secrets"


@claim(
    "bai2026.nfc",
    where="Theorem 5.1",
    statement="Let finitely many mechanisms with finite ranges be epsilon-Pufferfish for Theta and "
    "S, with 0 <= epsilon < infinity, and compose linearly with each other. Then for every "
    "ordered pair (s1, s2) in S and every D with s1 there are weights beta_l >= 0 with sum 1 "
    "over the D_l with s2 such that log M(D)(w) <= epsilon + sum_l beta_l log M(D_l)(w) for "
    "each mechanism M and each output w.",
    assumes=["finitely many databases"],
    repair="bai2026.nfc-repaired",
)
def nfc(check: Check) -> None:
    """Refute it for single releases and for impossible databases; prove it for repeated runs
    and possible ones.
    """
    with check.reading(f"{ONCE}; every D is possible", "one counterexample") as argument:
        refute_once(argument)
    with check.reading(f"{REPEATED}, every D with s1", "one counterexample") as argument:
        refute_impossible(argument)
    with check.reading(
        "any multiset of at most K runs, whatever K", "one counterexample for every K"
    ) as argument:
        refute_bounded(argument)
    with check.reading(POSSIBLE, ALL_SIZES) as argument:
        prove_weights_exist(argument)
    _near_misses(check, POSSIBLE)


@claim(
    "bai2026.nfc-repaired",
    where="Theorem 5.1, repaired",
    statement="Let there be finitely many databases, mechanisms M_i and outputs of each, 0 <= "
    "epsilon < infinity, and for every N >= 1 let every joint release of N independent runs of "
    "these mechanisms, repetitions allowed, be (N epsilon)-Pufferfish for Theta and S. Then "
    "for every ordered pair (s1, s2) in S, every theta in Theta with theta(s1) > 0 and "
    "theta(s2) > 0, and every D with theta(D | s1) > 0 there are weights beta_l >= 0 with sum "
    "1 over the D_l with theta(D_l | s2) > 0, which may depend on (s1, s2), theta and D, such "
    "that M_i(D)(w) <= e^epsilon prod_l M_i(D_l)(w)^beta_l, with 0^0 = 1, for every i and "
    "every output w of M_i.",
    kind="repair of bai2026.nfc",
)
def nfc_repaired(check: Check) -> None:
    """Prove the theorem with runs repeated, possible databases, and weights on databases
    possible under the same prior.
    """
    with check.reading("as repaired", ALL_SIZES) as argument:
        prove_weights_exist(argument)
    _near_misses(check, "as repaired")


@claim(
    "bai2026.x-nfc-one-vector",
    where="beside Theorem 5.1 (a question of ours: whether the weights depend on the database)",
    statement="For every N >= 1 let every joint release of N independent runs of finitely many "
    "mechanisms M_i, repetitions allowed, be (N epsilon)-Pufferfish, and let theta in Theta "
    "give both secrets of an ordered pair (s1, s2) positive probability. Then there are "
    "weights beta_l >= 0 with sum 1 over the D_l with theta(D_l | s2) > 0, the same for all D "
    "with theta(D | s1) > 0, such that M_i(D)(w) <= e^epsilon prod_l M_i(D_l)(w)^beta_l for "
    "all these D, every i and every w.",
    kind="remark",
    repair="bai2026.nfc-repaired",
)
def nfc_one_vector(check: Check) -> None:
    """Refute it by two databases with s1 that look like two different ones with s2."""
    with check.reading("one beta for all D", "one counterexample, any number of runs") as argument:
        refute_one_vector(argument)


def _near_misses(check: Check, name: str) -> None:
    check.near_miss(
        f"{name}: D impossible", lambda argument: no_database_left(argument, impossible=True)
    )
    check.near_miss(
        f"{name}: a level below epsilon", lambda argument: first_alternative(argument, lower=True)
    )
    check.near_miss(
        f"{name}: r runs whatever the prior", lambda argument: violation(argument, few=True)
    )


def prove_weights_exist(argument: Argument) -> None:
    """Prove by contradiction, with a finite number of runs, that weights exist for a database D
    given s1.
    """
    argument.inequality(
        "outputs that D never gives",
        "Let D be possible given s1. If M(D)(w) = 0 the constraint holds whatever beta is. Let I "
        "be the other outputs, of all mechanisms: not empty, as probabilities sum to 1. Let Y be "
        "the l with theta(D_l | s2) > 0 and Y' those of them that give every w in I. I and Y' "
        "depend on D, and so do the weights",
        sympy.Le(*sympy.symbols("d H")),
        [Eq(sympy.Symbol("d"), 0), sympy.Symbol("H") >= 0],
    )
    no_database_left(argument)
    argument.cite(
        "the alternative",
        "For w in I and l in Y' let g_wl = log M(D)(w) - log M(D_l)(w) - epsilon. Either beta_l >= "
        "0 on Y' with sum 1 have sum_l beta_l g_wl <= 0 for all w in I; or y_w >= 0 have sum_w y_w "
        "g_wl > 0 for all l in Y'",
        "bai2026.x-alternative",
    )
    first_alternative(argument)
    counts_are_integers(argument)
    violation(argument)


def no_database_left(argument: Argument, impossible: bool = False) -> None:
    """Prove that Y' is not empty: one run for every output of I would reveal s1."""
    A, B, F, m, p, n = sympy.symbols("A B F m p n")
    argument.induction(
        "Y' is not empty: probability 0 given s2",
        "Were it empty, release one run for each w in I (of its mechanism) and look at the event "
        "that these outputs occur. Every l in Y excludes one: B, the sum of nu_l times 0, stays 0",
        base=(Eq(n * p, 0), [Eq(p, 0), n >= 0]),
        step=(Eq(B + n * p, 0), [Eq(B, 0), Eq(p, 0), n >= 0]),
    )
    argument.inequality(
        "Y' is not empty: positive probability given s1",
        "D gives the event probability p > 0, and has m = theta(D | s1) > 0: A >= m p, and no "
        "finite F has A <= F B",
        A > F * B,
        [A >= m * p, p > 0, (m >= 0) if impossible else (m > 0), Eq(B, 0), F >= 1],
    )


def first_alternative(argument: Argument, lower: bool = False) -> None:
    T, X, B, b, d, x, e, f = sympy.symbols("T X B b d x e f")
    argument.induction(
        "the first alternative: sums",
        "T, X and B are the sums of beta_l g_wl, of beta_l log M(D_l)(w) and of beta_l; d = log "
        "M(D)(w), x = log M(D_l)(w), e = epsilon: T = B (d - e) - X",
        base=(Eq(b * (d - x - e), b * (d - e) - b * x), []),
        step=(Eq(T + b * (d - x - e), (B + b) * (d - e) - (X + b * x)), [Eq(T, B * (d - e) - X)]),
    )
    level = [f < e] if lower else [Eq(f, e)]
    argument.inequality(
        "the first alternative is the constraint",
        "B = 1 and T <= 0: d <= epsilon + X. Databases outside Y' get weight 0",
        d <= f + X,
        [Eq(T, B * (d - e) - X), Eq(B, 1), T <= 0, e >= 0, f >= 0, *level],
    )


def counts_are_integers(argument: Argument) -> None:
    """Prove that the second alternative also holds with positive integers."""
    S, T, G, c, y, g, a, h, k = sympy.symbols("S T G c y g a h k")
    argument.induction(
        "weights may be moved a little",
        "Replace every y_w by a rational c_w with y_w < c_w <= y_w + h. S, T and G are the sums of "
        "y_w g_wl, c_w g_wl and |g_wl| over the first outputs: T >= S - h G",
        base=(c * g >= y * g - h * a, [c >= y, c <= y + h, a >= g, a >= -g, h > 0]),
        step=(
            T + c * g >= (S + y * g) - h * (G + a),
            [T >= S - h * G, c >= y, c <= y + h, a >= g, a >= -g, h > 0],
        ),
    )
    argument.inequality(
        "and stay strict",
        "h = S/(2 G + 1), the least over l, leaves T > 0. The c_w > 0 are rational: multiplied by "
        "a common denominator they are integers >= 1",
        T * k > 0,
        [T >= S - h * G, Eq(h * (2 * G + 1), S), S > 0, G >= 0, h > 0, k >= 1],
    )


def violation(argument: Argument, few: bool = False) -> None:
    d, x, e, c, D, X, N, s, r, W, V, m, M = sympy.symbols("d x e c D X N s r W V m M")
    argument.induction(
        "numbers of runs",
        "Release c_w runs for every w in I and look at the event that each gives its w. D and X "
        "are the logarithms of its probability at the database D and at l in Y', N the number of "
        "runs: D - X - N epsilon = s_l = sum_w c_w g_wl",
        base=(Eq(c * d - c * x - c * e, c * (d - x - e)), []),
        step=(
            Eq((D + c * d) - (X + c * x) - (N + c) * e, s + c * (d - x - e)),
            [Eq(D - X - N * e, s)],
        ),
    )
    argument.cite(
        "given s2",
        "P(event | s2) averages over Y: it is at most its largest probability, reached in Y', "
        "since c_w >= 1 makes it 0 at the other databases of Y",
        "lemma.mediant",
    )
    argument.inequality(
        "r times as many runs",
        "W = log P(event | s1) >= log theta(D | s1) + r D = m + r D; V = log P(event | s2) <= r M, "
        "where M is the largest X and D - M - N epsilon = s > 0 the smallest s_l. With r s > -m "
        "the joint release of r N runs is not r N epsilon-Pufferfish",
        V + r * N * e < W,
        [W >= m + r * D, r * M >= V, Eq(D - M - N * e, s), s > 0, r >= 1, N >= 1, e >= 0, m <= 0]
        + ([] if few else [r * s > -m]),
    )
