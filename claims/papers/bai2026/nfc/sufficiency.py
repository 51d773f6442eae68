"""What the necessary and the sufficient conditions of bai2026 amount to, separately and together.

NfC constraints beside Pufferfish do not give linear composition: they bound the leakage per run in
the long run, and a finite number of runs may leak more, up to a constant. Per-entry differential
privacy with a point of the influence curve does give it. Source: bai2026, abstract and Sections 1,
5, 6.2 and 8.
"""

from fractions import Fraction
from itertools import product

import sympy
from sympy import Eq

from pufferproof.claims.papers.bai2026.composition.coupling import products_keep_constraints
from pufferproof.claims.papers.bai2026.nfc.instances import (
    LEVEL,
    channel_of,
    greatest_ratio,
    one_pair,
    pairs_of_columns,
    satisfies,
)
from pufferproof.claims.papers.bai2026.nfc.statement import (
    counts_are_integers,
    first_alternative,
    no_database_left,
    prove_weights_exist,
)
from pufferproof.claims.registry import Check, claim
from pufferproof.verify.proof.argument import Argument

NECESSARY = "necessary: NfC, runs repeated, possible databases"
SUFFICIENT = "sufficient: per-entry DP with a point of an a(b) curve, U all tables"
HALVES = {"b": Fraction(1, 2), "c": Fraction(1, 2)}
NOTATION = {
    "N": "a number of runs",
    "C": "a constant, the same for all numbers of runs",
    "M_i": "a mechanism of the list",
}


@claim(
    "bai2026.necsuff",
    where="abstract, Sections 1 and 8",
    statement="Necessary and sufficient conditions for linear composition of Pufferfish mechanisms "
    "are proved; for each dataset one or more NfC constraints must be added to Pufferfish, "
    "otherwise linear composition fails.",
    kind="claim",
    repair="bai2026.necsuff-repaired",
)
def necsuff(check: Check) -> None:
    """Refute that NfC characterises composition, and that it always adds something; prove both
    conditions by themselves.
    """
    with check.reading(
        "NfC and Pufferfish iff linear composition", "one counterexample"
    ) as argument:
        _not_sufficient(argument)
    with check.reading(
        "constraints besides Pufferfish are always needed", "one counterexample"
    ) as argument:
        _nothing_added(argument)
    with check.reading(
        "sufficient: per-entry DP with a point of an a(b) curve, U any set", "one counterexample"
    ) as argument:
        _missing_tables(argument)
    with check.reading(NECESSARY, "all finite sizes") as argument:
        prove_weights_exist(argument)
    check.near_miss(
        f"{NECESSARY}: impossible databases",
        lambda argument: no_database_left(argument, impossible=True),
    )
    with check.reading(SUFFICIENT, "all finite sizes, any number of mechanisms") as argument:
        _sufficient(argument)
    check.near_miss(
        f"{SUFFICIENT}: the largest b", lambda argument: _exponents(argument, largest=True)
    )
    check.near_miss(
        f"{SUFFICIENT}: the leakage of D_L left out",
        lambda argument: _averaged(argument, dropped=True),
    )


def _not_sufficient(argument: Argument) -> None:
    found = argument.exhaust(
        "smallest failure",
        "s = {a}, t = {b, c}, epsilon = log 2, weights (1/2, 1/2) for a, two mechanisms with two "
        "outputs each and probabilities in multiples of 1/N, N from 2 on, law given t in quarters: "
        "all keep Pufferfish and the constraints of a, b and c. With one database for each secret "
        "Pufferfish is a bound on rows, and composes",
        pairs_of_columns(9),
        lambda columns: not columns.fails(),
    )
    if found is None:
        return
    framework, channels = found.framework, found.channels
    joint = channels[0].beside(*channels[1:])

    def violated() -> bool:
        ratios = [greatest_ratio(framework, channel) for channel in channels]
        kept = all(ratio is not None and ratio <= LEVEL for ratio in ratios)
        constrained = all(
            satisfies(channel, "a", HALVES, LEVEL)
            and all(satisfies(channel, x, {"a": Fraction(1)}, LEVEL) for x in "bc")
            for channel in channels
        )
        ratio = greatest_ratio(framework, joint)
        return kept and constrained and ratio is not None and ratio > LEVEL**2

    argument.counterexample(
        "two mechanisms that keep all constraints and leak more than twice epsilon",
        "Let s1 = {a} and s2 = {b, c}. Both mechanisms keep the level log 2 and satisfy NfC "
        "constraints at log 2, with the weights (1/2, 1/2) for a and one-hot ones for b and c. But "
        "together they exceed 2 log 2 at the output (u, u): the geometric mean of the constraint "
        "weighs b and c evenly and the prior does not. So NfC and Pufferfish do not give linear "
        "composition",
        {
            "first mechanism": channels[0],
            "second mechanism": channels[1],
            "weights for a": HALVES,
            "e^epsilon of each": LEVEL,
            "ratio of the joint release": greatest_ratio(framework, joint),
            "framework": framework,
            "mechanism": joint,
            "epsilon": "log(4)",
        },
        violated,
    )


def _nothing_added(argument: Argument) -> None:
    P, p, Q, q, F, E = sympy.symbols("P p Q q F E")
    multiplied = argument.induction(
        "runs multiply the bound on rows",
        "With one database for each secret Pufferfish says p <= E q for the likelihoods at both; "
        "P, Q and F are the products so far: every list of Pufferfish mechanisms composes "
        "linearly, with no constraint added",
        base=(p <= E * q, [p <= E * q, E >= 1, p >= 0, q >= 0]),
        step=(
            P * p <= F * E * Q * q,
            [P <= F * Q, p <= E * q, F >= 1, E >= 1, P >= 0, p >= 0, Q >= 0, q >= 0],
        ),
    )
    framework = one_pair({"a": Fraction(1)}, {"b": Fraction(1)})
    argument.counterexample(
        "one database for each secret",
        "Let each secret be one database. The only weights there are make the NfC constraint the "
        "Pufferfish inequality itself, and all Pufferfish mechanisms compose linearly: nothing "
        "needs to be added. No smaller framework has two secrets",
        {"framework": framework},
        lambda: multiplied and len(framework.databases) == 2,
    )


def _missing_tables(argument: Argument) -> None:
    framework = one_pair({"00": Fraction(1)}, {"11": Fraction(1)})
    channel = channel_of({"00": [Fraction(1), Fraction(0)], "11": [Fraction(0), Fraction(1)]})
    neighbours = [
        (x, z)
        for x, z in product(framework.databases, repeat=2)
        if sum(a != b for a, b in zip(x, z)) == 1
    ]
    argument.counterexample(
        "two tables that are no neighbours",
        "Let U hold the tables 00 and 11 alone. No two of them differ in one cell, so that every "
        "mechanism is per-entry 0-DP, also the one that tells the table. For b = 2 the set L is "
        "empty and a(2) = 0: the condition eps_DP <= (eps - a)/b holds for every eps > 0, and yet "
        "this mechanism leaks infinitely much",
        {
            "framework": framework,
            "mechanism": channel,
            "b": 2,
            "a(b)": 0,
            "epsilon for one entry": 0,
            "ratio": "inf",
        },
        lambda: not neighbours and greatest_ratio(framework, channel) is None,
    )


def _sufficient(argument: Argument) -> None:
    argument.cite(
        "joint release of per-entry DP mechanisms",
        "For tables that differ in one cell the ratio of joint likelihoods is at most Q = prod "
        "e^(eps_DP,l)",
        "lemma.chain-rule",
    )
    argument.cite(
        "group privacy",
        "U has all tables: two that agree on L are joined by changes of at most b cells, b >= |H|, "
        "the smallest of the b_l; their ratio is at most K = Q^b",
        "general.group-privacy-paths",
    )
    _averaged(argument)
    _exponents(argument)


def _averaged(argument: Argument, dropped: bool = False) -> None:
    S, w, u, W, K, v, T, V, x, y, A, P, Q = sympy.symbols("S w u W K v T V x y A P Q")
    argument.induction(
        "tables given D_L and s_i",
        "u = P(w | D) <= K v for each table D with this D_L, v the likelihood at a table with the "
        "same D_L and s_j; S and W sum weight times u, and the weights given s_i: S <= K v W. So "
        "P(w | s_i, D_L) <= K v",
        base=(w * u <= K * v * w, [u <= K * v, w >= 0]),
        step=(S + w * u <= K * v * (W + w), [S <= K * v * W, u <= K * v, w >= 0]),
    )
    argument.induction(
        "tables given D_L and s_j",
        "Then also with v averaged: T and V sum weight times v, and the weights given s_j; x = P(w "
        "| s_i, D_L): x V <= K T",
        base=(x * w <= K * w * v, [x <= K * v, w >= 0]),
        step=(x * (V + w) <= K * (T + w * v), [x * V <= K * T, x <= K * v, w >= 0]),
    )
    argument.induction(
        "all D_L",
        "A = e^a bounds P(D_L | s_i)/P(D_L | s_j) = u/v; x and y are P(w | ., D_L) given s_i and "
        "s_j. P and Q sum u x and v y",
        base=(
            u * x <= (1 if dropped else A) * K * v * y,
            [u <= A * v, x <= K * y, u >= 0, v >= 0, x >= 0, y >= 0, A >= 1, K >= 1],
        ),
        step=(
            P + u * x <= (1 if dropped else A) * K * (Q + v * y),
            [
                P <= (1 if dropped else A) * K * Q,
                u <= A * v,
                x <= K * y,
                u >= 0,
                v >= 0,
                x >= 0,
                y >= 0,
                A >= 1,
                K >= 1,
            ],
        ),
    )


def _exponents(argument: Argument, largest: bool = False) -> None:
    b, S, T, d, e, a, c, M, N = sympy.symbols("b S T d e a c M N")
    chosen = [b >= c] if largest else [b <= c]
    argument.induction(
        "exponents",
        "S sums the eps_DP,l, T the eps_l - a_l; the next mechanism has d = eps_DP,l, e = eps_l, c "
        "= b_l >= b and c d <= e - a: b S <= T",
        base=(b * d <= e - a, [c * d <= e - a, d >= 0, b > 0, c > 0, *chosen]),
        step=(
            b * (S + d) <= T + (e - a),
            [b * S <= T, c * d <= e - a, d >= 0, b > 0, c > 0, *chosen],
        ),
    )
    argument.induction(
        "curve values",
        "Values of the curve are at least 0, as both laws of D_L sum to 1: the largest so far, M, "
        "is at most their sum N",
        base=(sympy.Le(M, N), [Eq(M, a), Eq(N, a), a >= 0]),
        step=((M <= N + a) & (a <= N + a), [M <= N, M >= 0, a >= 0]),
    )
    argument.inequality(
        "the joint level",
        "a + b S <= max a_l + sum eps_l - sum a_l <= sum eps_l, where a is the value at the "
        "smallest b and e = sum eps_l",
        a + b * S <= e,
        [b * S <= T, Eq(T, e - N), a <= M, M <= N],
    )


@claim(
    "bai2026.necsuff-repaired",
    where="abstract, Sections 1 and 8, repaired",
    statement="Let there be finitely many databases, mechanisms M_i and outputs of each, and let a "
    "prior theta give both secrets of an ordered pair (s1, s2) positive probability. For every "
    "D with theta(D | s1) > 0 there are weights beta_l >= 0 with sum 1 over the D_l with "
    "theta(D_l | s2) > 0, such that M_i(D)(w) <= e^epsilon prod_l M_i(D_l)(w)^beta_l, with 0^0 "
    "= 1, for every i and w, iff for some constant C every joint release of N >= 1 independent "
    "runs of these mechanisms, repetitions allowed, has P(w | s1, theta) <= e^(N epsilon + C) "
    "P(w | s2, theta) for all w. Then C = -log of the smallest positive theta(D_l | s2) will "
    "do.",
    kind="repair of bai2026.necsuff",
)
def necsuff_repaired(check: Check) -> None:
    """Prove that NfC is linear composition up to a constant, in both directions."""
    name = "constraints bound the leakage per run"
    with check.reading(name, "all finite sizes, any number of runs") as argument:
        products_keep_constraints(argument)
        _up_to_a_constant(argument)
    check.near_miss(
        f"{name}: no constant", lambda argument: _up_to_a_constant(argument, without=True)
    )
    name = "a bound on the leakage per run needs constraints"
    with check.reading(name, "all finite sizes") as argument:
        no_database_left(argument)
        argument.cite(
            "the alternative",
            "Either weights on the databases possible given s2 that give all outputs of D have "
            "sum_l beta_l g_wl <= 0 for all w, g_wl = log M(D)(w) - log M(D_l)(w) - epsilon; or "
            "y_w >= 0 have sum_w y_w g_wl > 0 for all l",
            "bai2026.x-alternative",
        )
        first_alternative(argument)
        counts_are_integers(argument)
        _many_runs(argument)
    check.near_miss(
        f"{name}: r runs whatever the constant", lambda argument: _many_runs(argument, few=True)
    )


def _up_to_a_constant(argument: Argument, without: bool = False) -> None:
    X, b, x, B, M, A, V, m, n, F, N = sympy.symbols("X b x B M A V m n F N")
    argument.induction(
        "a geometric mean is at most the largest",
        "X and B sum beta_l log u_l and beta_l over the databases so far, M = max log u_l: X <= M "
        "B. With B = 1 the mean is at most the largest likelihood V (0 if some u_l with beta_l > 0 "
        "is 0)",
        base=(b * x <= M * b, [x <= M, b >= 0]),
        step=(X + b * x <= M * (B + b), [X <= M * B, x <= M, b >= 0]),
    )
    argument.cite(
        "given s1",
        "A = P(w | s1) averages the u_D, each at most F G with G <= V: A <= F V",
        "lemma.mediant",
    )
    argument.inequality(
        "the joint release",
        "N = P(w | s2) >= n V with n = min theta(D_l | s2) > 0 and m = 1/n = e^C: A <= F m N",
        A <= F * (1 if without else m) * N,
        [A <= F * V, N >= n * V, Eq(m * n, 1), n > 0, n <= 1, V >= 0, F >= 1],
    )


def _many_runs(argument: Argument, few: bool = False) -> None:
    W, m, r, D, M, V, N, e, s, C = sympy.symbols("W m r D M V N e s C")
    argument.cite("given s2", "P(event | s2) is at most the largest likelihood", "lemma.mediant")
    argument.inequality(
        "r times as many runs",
        "W = log P(event | s1) >= m + r D, m = log theta(D | s1); V = log P(event | s2) <= r M; D "
        "- M - N epsilon = s > 0. With r s > C - m the joint release of r N runs breaks the bound "
        "with constant C",
        V + r * N * e + C < W,
        [W >= m + r * D, r * M >= V, Eq(D - M - N * e, s), s > 0, r >= 1, N >= 1, e >= 0, m <= 0]
        + ([C >= 0] if few else [r * s > C - m]),
    )
