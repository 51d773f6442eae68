"""The rate at which leakage grows with the number of releases: the value of a matrix game between
outputs and databases.

For one mechanism with columns v_w, an ordered pair with laws mu, nu and x in supp mu: rows are the
outputs w with v_w[x] > 0, columns the y in supp nu with v_w[y] > 0 for all these w, entries g_wy =
log(v_w[x] / v_w[y]). V_x is the value of the game, alpha and beta optimal weights of rows and
columns. Logarithms are letters here: the proofs hold for real numbers.
"""

import sympy
from sympy import Eq

from pufferproof.claims.registry import Check, claim
from pufferproof.verify.proof.argument import Argument

ALL_SIZES = "all finite sizes, real weights"
U, u, G, g, F, E, b, N, M, m, C, p, q, L, c, d = sympy.symbols("U u G g F E b N M m C p q L c d")
V, W, e, k, A, B, s, t, r = sympy.symbols("V W e k A B s t r")


@claim(
    "worst.game-value",
    where="Rate",
    statement="Every matrix game with finitely many rows w and columns y, at least one of each, "
    "and real entries g_wy has a value V: there are weights beta >= 0 of columns, of sum 1, "
    "with sum_y beta_y g_wy <= V for all w, and for every V' < V weights alpha >= 0 of rows, "
    "of sum 1, with sum_w alpha_w g_wy > V' for all y.",
    kind="lemma",
)
def game_value(check: Check) -> None:
    """Prove it from the theorem of the alternative, by shifting the entries."""
    name = "value"
    with check.reading(name, ALL_SIZES) as argument:
        _value(argument)
    check.near_miss(
        f"{name}: rows that reach more than V", lambda argument: _crossed(argument, above=True)
    )


def _value(argument: Argument) -> None:
    argument.cite(
        "either or",
        "For every real V', with the entries g - V': either column weights keep every row at most "
        "V', or row weights, scaled to sum 1, keep every column above V'",
        "bai2026.x-alternative",
    )
    argument.induction(
        "shifted entries",
        "A, B and s are the sums of beta g, beta (g - W) and beta over the first columns: A = B + "
        "W s, and s = 1 at the end",
        base=(Eq(b * g, b * (g - W) + W * b), [b >= 0]),
        step=(Eq(A + b * g, B + b * (g - W) + W * (s + b)), [Eq(A, B + W * s), b >= 0]),
    )
    _crossed(argument)
    argument.inequality(
        "the infimum is attained",
        "V is the infimum of the V' that columns can keep, not below the smallest entry. Weights "
        "for V + e differ from a limit point of theirs, a law, by at most d C in a row: r <= A + d "
        "C, A <= V + e. If r > V some have e + d C = (r - V)/2",
        r <= V,
        [r <= A + C * d, A <= V + e, Eq(2 * (e + C * d), r - V), e >= 0, d >= 0, C >= 0],
    )


def _crossed(argument: Argument, above: bool = False) -> None:
    argument.inequality(
        "both at once: columns first",
        "T = sum alpha_w beta_y g_wy: by columns first it is at most W, by rows first above V'; "
        "here A = T, s = 1 the sum of weights, t = V': t < W for every W that columns can keep and "
        "t that rows can exceed",
        t > W if above else t < W,
        [A <= W * s, A > t * s, Eq(s, 1)],
    )


@claim(
    "worst.rate-upper",
    where="Rate",
    statement="If for every (mu, nu) and x in supp mu some weights beta on supp nu satisfy v_w[x] "
    "<= e^V prod_y v_w[y]^beta_y for all outputs w of a mechanism, its k-fold leakage is at "
    "most k V + log(1/b), b the smallest positive entry of the nu; b is at least the smallest "
    "positive prior probability.",
)
def rate_upper(check: Check) -> None:
    """Prove the bound from the inequality of means, the same for joint releases of several such
    mechanisms.
    """
    name = "upper bound"
    with check.reading(name, f"{ALL_SIZES}, any number of runs") as argument:
        _upper(argument)
    check.near_miss(f"{name}: without log(1/b)", lambda argument: _averaged(argument, free=True))
    check.near_miss(f"{name}: k - 1 runs counted", lambda argument: _products(argument, fewer=True))


def _upper(argument: Argument) -> None:
    argument.cite(
        "means are superadditive",
        "the sum G of the means over all outputs is at most the mean 1 of sums",
        "bai2026.x-cone",
    )
    argument.inequality(
        "V is not negative",
        "The entries at x sum to 1 <= E G, E = e^V",
        E >= 1,
        [1 <= E * G, G <= 1, G >= 0, E > 0],
    )
    _products(argument)
    argument.cite(
        "means",
        "the geometric mean G of the U_y is at most their mean C = sum_y beta_y U_y",
        "bai2026.x-am-gm",
    )
    _averaged(argument)
    argument.inequality(
        "conditioning does not shrink probabilities",
        "nu_y = theta(y)/theta(s'), theta(y) = p and theta(s') = q <= 1: a lower bound b of "
        "theta(y) is one of nu_y = m",
        m >= b,
        [Eq(m * q, p), p >= b, b > 0, q > 0, q <= 1],
    )


def _products(argument: Argument, fewer: bool = False) -> None:
    argument.induction(
        "one more run",
        "U and u are the entries at x of the product of columns so far and of the next, G and g "
        "the weighted geometric means over y; means of products are products of means. E = e^V and "
        "F = E^k: U <= F G",
        base=(u <= E * g, [u <= E * g, u >= 0, g >= 0, E >= 1]),
        step=(
            U * u <= F * (1 if fewer else E) * G * g,
            [U <= F * G, u <= E * g, u >= 0, g >= 0, U >= 0, G >= 0, F >= 1, E >= 1],
        ),
    )


def _averaged(argument: Argument, free: bool = False) -> None:
    argument.induction(
        "the mean over y against <nu, U>",
        "C and N are the sums of beta_y U_y and nu_y U_y over the first y in supp nu; the next "
        "have beta_y = c <= 1, nu_y = d >= b and U_y = u: b C <= N. (c <= 1 <= d/b)",
        base=(b * c * u <= d * u, [c >= 0, c <= 1, d >= b, b > 0, u >= 0]),
        step=(b * (C + c * u) <= N + d * u, [b * C <= N, c >= 0, c <= 1, d >= b, b > 0, u >= 0]),
    )
    argument.induction(
        "averaging over x",
        "M and A sum mu_x U_x and mu_x over the first x, each U_x <= F G <= F C: b M <= F N A, "
        "with A = 1 at the end",
        base=(
            (1 if free else b) * m * U <= F * N * m,
            [U <= F * C, b * C <= N, m >= 0, F >= 1, b > 0],
        ),
        step=(
            (1 if free else b) * (M + m * U) <= F * N * (A + m),
            [b * M <= F * N * A, U <= F * C, b * C <= N, m >= 0, F >= 1, b > 0],
        ),
    )


@claim(
    "worst.rate-lower",
    where="Rate",
    statement="If x in supp mu and counts k_w, with sum k, have sum_w k_w log(v_w[x]/v_w[y]) >= k "
    "V for all y in supp nu (v_w[x] > 0, infinite where v_w[y] = 0), then the k-fold leakage "
    "is at least k V + log mu_x.",
)
def rate_lower(check: Check) -> None:
    """Prove it at the joint output that shows each w as often as k_w says."""
    name = "lower bound"
    with check.reading(name, "all finite sizes, any number of runs") as argument:
        _lower(argument)
    check.near_miss(f"{name}: without log mu_x", lambda argument: _lower(argument, free=True))


def _lower(argument: Argument, free: bool = False) -> None:
    argument.induction(
        "averaging over y",
        "U = prod_w v_w[x]^k_w, and F u <= U at every y with F = e^(kV), u the same product at y. "
        "N and s sum nu_y u and nu_y over the first y: F N <= U s, and s = 1 at the end",
        base=(F * d * u <= U * d, [F * u <= U, d >= 0]),
        step=(F * (N + d * u) <= U * (s + d), [F * N <= U * s, F * u <= U, d >= 0]),
    )
    argument.inequality(
        "the ratio",
        "<mu, U> = M is at least m U with m = mu_x: the ratio is at least m F (infinite if N = 0, "
        "as M > 0)",
        M >= (1 if free else m) * F * N,
        [M >= m * U, F * N <= U, m > 0, m <= 1, U > 0, N >= 0, F >= 0],
    )


@claim(
    "worst.rate",
    where="Rate",
    statement="For one mechanism, lim (1/k) (k-fold leakage) is the largest value V_x over (mu, "
    "nu) in T and x in supp mu, if every such game has a column; otherwise some k-fold leakage "
    "is infinite. The k-fold leakage is at most k times the limit plus log(1/b). Counts of "
    "outputs in proportions near weights alpha of rows that are optimal in the largest game "
    "reach it.",
)
def rate(check: Check) -> None:
    """Prove both bounds, with outputs that make excluded databases impossible used once."""
    name = "limit"
    with check.reading(name, f"{ALL_SIZES}, any number of runs") as argument:
        argument.cite(
            "beta",
            "the value V_x has weights beta with log v_w[x] <= V_x + sum beta log v_w[y] for the "
            "outputs with v_w[x] > 0; for the others the bound is 0 <= ..",
            "worst.game-value",
        )
        argument.cite("at most", "k V + log(1/b) with V the largest value", "worst.rate-upper")
        argument.cite("at least", "from counts, as follows", "worst.rate-lower")
        _approached(argument)
    check.near_miss(
        f"{name}: reached from below without the spare runs",
        lambda argument: _approached(argument, spare=0),
    )
    name = "no column left: a collapse"
    with check.reading(name, "all finite sizes") as argument:
        _no_column(argument)
    check.near_miss(f"{name}: a column left", lambda argument: _no_column(argument, left=True))


def _approached(argument: Argument, spare: int = 1) -> None:
    argument.inequality(
        "rational weights",
        "alpha with sum_w alpha_w g_wy > V' for all y; rational weights within d of alpha, with C "
        ">= sum_w |g_wy| for every y, lose at most d C: still above V' once d C is below the slack "
        "e",
        B > W,
        [A >= W + e, B >= A - d * C, d * C < e, d >= 0],
    )
    argument.inequality(
        "spare runs that exclude databases",
        "Each y in supp nu without a column has an output w with v_w[x] > 0 = v_w[y]: one run "
        "each, t runs in all (no more than |supp nu|), multiplies the quotient at the other y by "
        "at least e^(-c). With k runs by counts the exponent is at least k V' - c - log(1/mu_x) =: "
        "k V' - d in t + k runs, V' >= 0, and (k V' - d)/(t + k) >= V' - e for large k: when e k "
        ">= d + t V'",
        k * W - d >= (W - e) * (t + k),
        [e * k >= spare * (d + t * W), k > 0, W >= 0, e > 0, t >= 0, d >= 0],
    )
    argument.inequality(
        "between multiples",
        "Counts by rational weights need k to be a multiple of their denominator D: k = j D + r, r "
        "< D. Dropping r runs is post-processing and does not raise leakage, so that p >= j D (V' "
        "- e) with p that of k runs, V' - e >= 0: p/k >= V' - 2 e once e k >= D V'",
        p >= k * (W - 2 * e),
        [
            p >= m * (W - e),
            Eq(k, m + r),
            r <= d,
            e * k >= spare * d * W,
            *[m >= 0, r >= 0, d >= 0, k > 0, e > 0, W >= e],
        ],
    )
    argument.inequality(
        "V >= 0",
        "Leakage is not negative and at most k V + c for every k: V <= -e < 0 fails once k e > c",
        V > -e,
        [k * V + c >= 0, k * e > c, k > 0, e > 0],
    )


def _no_column(argument: Argument, left: bool = False) -> None:
    argument.induction(
        "one output for each database",
        "Every y in supp nu has an output w with v_w[x] > 0 = v_w[y]: U and G are the entries at x "
        "and at one of the y so far of their product, u > 0 and g those of the next",
        base=((u > 0) & Eq(g, 0), [u > 0, (g >= 0) if left else Eq(g, 0)]),
        step=((U * u > 0) & Eq(G * g, 0), [U > 0, Eq(G, 0), u > 0, g >= 0]),
    )
    argument.inequality(
        "infinite",
        "<mu, U> >= mu_x U > 0 and <nu, U> = 0",
        M > L * N,
        [M >= m * U, m > 0, U > 0, Eq(N, 0), L >= 1],
    )


@claim(
    "worst.rate-all",
    where="Rate",
    statement="If L*_K is finite for all K then lim (1/K) log L*_K, for K mechanisms of level R, "
    "is the largest over (mu, nu) and x in supp mu of the value of one matrix game: rows are "
    "the extreme rays r with r_x > 0, columns the y in supp nu that are positive on all of "
    "these, entries log(r_x/r_y).",
)
def rate_all(check: Check) -> None:
    """Prove it as for one mechanism, whose outputs are all extreme rays."""
    name = "limit"
    with check.reading(name, f"{ALL_SIZES}, any number of releases") as argument:
        argument.cite(
            "rays", "L*_K is attained at K rays of one cone, with repetitions", "worst.vertices"
        )
        argument.cite(
            "one mechanism",
            "some mechanism has multiples t_r r of all rays r and one more output; scaling a "
            "column changes no entry of a game",
            "worst.lemma0",
        )
        _scaled(argument)
        argument.cite(
            "its rate", "joint outputs of rays only are as for one mechanism", "worst.rate"
        )
        argument.cite(
            "columns",
            "a game has a column for every x exactly if L*_K is finite for all K",
            "worst.finite-equivalences",
        )
        _rest(argument)
    check.near_miss(
        f"{name}: a column scaled at one database only",
        lambda argument: _scaled(argument, one=True),
    )


def _scaled(argument: Argument, one: bool = False) -> None:
    argument.inequality(
        "entries of the game",
        "The quotient q = r_x/r_y of a ray is that of its multiple by t > 0",
        Eq(t * u, q * (1 if one else t) * g),
        [Eq(u, q * g), t > 0, g > 0, u > 0],
    )


def _rest(argument: Argument) -> None:
    argument.cite(
        "the last output",
        "1 - t (sum of rays) lies in the cone, so it is a sum of rays too",
        "worst.rays-span",
    )
    argument.induction(
        "a sum of rays satisfies what beta says of each",
        "u <= E g for each ray (g the geometric mean), U <= E G for the sum so far, and N >= G + g "
        "is the mean of the new sum",
        base=(u <= E * g, [u <= E * g, u >= 0, g >= 0, E >= 1]),
        step=(U + u <= E * N, [U <= E * G, u <= E * g, N >= G + g, E >= 1, g >= 0, G >= 0]),
    )
    argument.cite("means are superadditive", "N >= G + g", "bai2026.x-cone")


@claim(
    "worst.nfc-is-rate",
    where="Rate",
    statement="A mechanism has rate at most epsilon, that is k-fold leakage at most k epsilon + "
    "o(k), iff for every (mu, nu) and x in supp mu there are weights beta on supp nu with "
    "v_w[x] <= e^epsilon prod_y v_w[y]^beta_y for all outputs w; then the k-fold leakage is at "
    "most k epsilon + log(1/b).",
)
def nfc_is_rate(check: Check) -> None:
    """Prove that asymptotic linear composition is the condition NfC, in both directions."""
    name = "NfC is asymptotic linear composition"
    with check.reading(name, f"{ALL_SIZES}, any number of runs") as argument:
        argument.cite("if", "k epsilon + log(1/b), b fixed", "worst.rate-upper")
        argument.cite(
            "only if", "the rate is the largest V_x <= epsilon, or infinite", "worst.rate"
        )
        argument.cite("weights", "beta of the game keeps every row at most V_x", "worst.game-value")
        _within(argument)
    check.near_miss(f"{name}: with every k-fold leakage at most k epsilon", _linear)


def _within(argument: Argument) -> None:
    argument.inequality(
        "a row of the game is the constraint of an output",
        "A = sum beta_y (log v_w[x] - log v_w[y]) <= V <= e = epsilon, with log v_w[x] = p, q = "
        "sum beta_y log v_w[y] and weights of sum 1: p <= e + q. Outputs with v_w[x] = 0 satisfy "
        "it anyway, and y that some of the others exclude have weight 0",
        p <= e + q,
        [Eq(A, p - q), A <= V, V <= e],
    )


def _linear(argument: Argument) -> None:
    argument.inequality(
        "without the constant",
        "false: k e + c is a bound with the same rate",
        k * e + c <= k * e,
        [c >= 0, k >= 1, e >= 0],
    )
