"""The rate at which leakage grows with the number of releases: the value of a matrix game between
outputs and databases.

For one mechanism with columns v_w, an ordered pair with laws mu, nu and x in supp mu: rows are the
outputs w with v_w[x] > 0, columns the y in supp nu with v_w[y] > 0 for all these w, entries g_wy =
log(v_w[x] / v_w[y]). V_x is the value of the game, alpha and beta optimal weights of rows and
columns. Logarithms are letters here: the proofs hold for real numbers.
"""

from sympy import Eq

from pufferproof.claims.language import (
    ALL_SIZES,
    Edit,
    Proof,
    above,
    at_least,
    at_most,
    edited,
    letter,
    letters,
    proved,
)
from pufferproof.claims.ours.worst.statements.growth import games, nfc
from pufferproof.claims.ours.worst.statements.growth import rates as says
from pufferproof.claims.registry import Check, claim

REAL_WEIGHTS = f"{ALL_SIZES}, real weights"
V = letter("V", "the value of a game")
W = letter("W", "a number that column weights can keep, or row weights exceed")
entry = letter("entry", "an entry of the game")
beta = letter("beta", "the weight of the next column", at_least(0))
A, B = letters("A B", "the sums of beta entry and of beta (entry - W)")
s = letter("s", "the sum of weights so far")
t = letter("t", "a number that row weights can exceed")
row = letter("row", "a row, or the sum of beta g")
C = letter("C", "a bound of the sum of the entries |g_wy|")
d = letter("d", "the distance of two laws of weights", at_least(0))
e = letter("e", "a slack", at_least(0))
E = letter("E", "e^V", at_least(1))
F = letter("F", "e^(kV)")
U, u = letters("U u", "entries at x, or at y, of the product or sum so far and of the next column")
G, g = letters("G g", "weighted geometric means over y of these columns", at_least(0))
b = letter("b", "the smallest positive entry of the laws nu", above(0))
theta = letter("theta", "theta(y)")
secret = letter("secret", "theta(s')", above(0), at_most(1))
nu = letter("nu", "nu_y")
m = letter("m", "mu_x", at_least(0))
M, N = letters("M N", "sums of mu_x U_x and of nu_y U_y so far")
mean = letter("mean", "the sum of beta_y U_y so far")
mass = letter("mass", "the sum of mu_x so far")
exact, rational = letters(
    "exact rational", "what alpha and rational weights near it give every column"
)
k = letter("k", "a number of runs", above(0))
spare_runs = letter("spare_runs", "how many runs exclude databases", at_least(0))
loss = letter("loss", "a constant that does not grow with k", at_least(0))
leakage = letter("leakage", "the leakage of k runs")
multiple = letter("multiple", "the multiple of the denominator below k", at_least(0))
rest = letter("rest", "k - multiple", at_least(0))
denominator = letter("denominator", "the common denominator of the weights", at_least(0))
c = letter("c", "a constant")
at_y, next_y = letters(
    "at_y next_y", "entries at one of the y of the product so far and of the next column"
)
L = letter("L", "a finite ratio", at_least(1))
factor = letter("factor", "a factor of a ray", above(0))
ray_x, ray_y = letters("ray_x ray_y", "entries of a ray at x and y", above(0))
mean_sum = letter("mean_sum", "the weighted geometric mean of the new sum")
epsilon = letter("epsilon", "the level")
log_x, log_y = letters("log_x log_y", "log v_w[x], and the mean of log v_w[y]")


@claim(
    "worst.game-value",
    where="Rate",
    statement="Every matrix game with finitely many rows w and columns y, at least one of each, "
    "and real entries g_wy has a value V: there are weights beta >= 0 of columns, of sum 1, "
    "with sum_y beta_y g_wy <= V for all w, and for every V' < V weights alpha >= 0 of rows, "
    "of sum 1, with sum_w alpha_w g_wy > V' for all y.",
    kind="lemma",
    says=games.GAME_VALUE,
)
def game_value(check: Check) -> None:
    """Prove it from the theorem of the alternative, by shifting the entries."""
    name = "value"
    proved(
        check,
        name,
        REAL_WEIGHTS,
        _value,
        rows_that_reach_more_than_V=Edit("both at once: columns first", instead=t > W),
    )


def _value(proof: Proof) -> None:
    proof.cite(
        "either or",
        "For every real V', with the entries g - V': either column weights keep every row at most "
        "V', or row weights, scaled to sum 1, keep every column above V'",
        "bai2026.x-alternative",
    )
    proof.induction(
        "shifted entries",
        "A, B and s are the sums of beta entry, beta (entry - W) and beta over the first columns: "
        "A = B + W s, and s = 1 at the end",
        base=(Eq(beta * entry, beta * (entry - W) + W * beta), []),
        step=(
            Eq(A + beta * entry, B + beta * (entry - W) + W * (s + beta)),
            [Eq(A, B + W * s)],
        ),
    )
    _crossed(proof)
    proof.inequality(
        "the infimum is attained",
        "V is the infimum of the V' that columns can keep, not below the smallest entry. Weights "
        "for V + e differ from a limit point of theirs, a law, by at most d C in a row: row <= A "
        "+ d C, A <= V + e. If row > V some have e + d C = (row - V)/2",
        row <= V,
        [row <= A + C * d, A <= V + e, Eq(2 * (e + C * d), row - V), C >= 0],
    )


def _crossed(proof: Proof) -> None:
    proof.inequality(
        "both at once: columns first",
        "T = sum alpha_w beta_y g_wy: by columns first it is at most W, by rows first above V'; "
        "here A = T, s = 1 the sum of weights, t = V': t < W for every W that columns can keep and "
        "t that rows can exceed",
        t < W,
        [A <= W * s, A > t * s, Eq(s, 1)],
    )


@claim(
    "worst.rate-upper",
    where="Rate",
    statement="If for every (mu, nu) and x in supp mu some weights beta on supp nu satisfy v_w[x] "
    "<= e^V prod_y v_w[y]^beta_y for all outputs w of a mechanism, its k-fold leakage is at "
    "most k V + log(1/b), b the smallest positive entry of the nu; b is at least the smallest "
    "positive prior probability.",
    says=nfc.RATE_UPPER,
)
def rate_upper(check: Check) -> None:
    """Prove the bound from the inequality of means, the same for joint releases of several such
    mechanisms.
    """
    name = "upper bound"
    proved(
        check,
        name,
        f"{REAL_WEIGHTS}, any number of runs",
        _upper,
        **{
            "without log(1/b)": [
                Edit("averaging over x: base", put={b * m * U: m * U}),
                Edit("averaging over x: step", put={b * (M + m * U): M + m * U}),
            ],
            "k - 1 runs counted": [Edit("one more run: step", put={F * E * G * g: F * G * g})],
        },
    )


def _upper(proof: Proof) -> None:
    proof.cite(
        "means are superadditive",
        "the sum G of the means over all outputs is at most the mean 1 of sums",
        "bai2026.x-cone",
    )
    proof.inequality(
        "V is not negative",
        "The entries at x sum to 1 <= E G, E = e^V",
        E >= 1,
        [1 <= E * G, G <= 1, E > 0],
        for_any=[E],
    )
    _products(proof)
    proof.cite(
        "means",
        "the geometric mean G of the U_y is at most their mean C = sum_y beta_y U_y",
        "bai2026.x-am-gm",
    )
    _averaged(proof)
    proof.inequality(
        "conditioning does not shrink probabilities",
        "nu_y = theta(y)/theta(s'), theta(y) = theta and theta(s') = secret <= 1: a lower bound b "
        "of theta(y) is one of nu_y = nu",
        nu >= b,
        [Eq(nu * secret, theta), theta >= b],
    )


def _products(proof: Proof) -> None:
    proof.induction(
        "one more run",
        "U and u are the entries at x of the product of columns so far and of the next, G and g "
        "the weighted geometric means over y; means of products are products of means. E = e^V and "
        "F = E^k: U <= F G",
        base=(u <= E * g, [u <= E * g, u >= 0]),
        step=(
            U * u <= F * E * G * g,
            [U <= F * G, u <= E * g, u >= 0, U >= 0, F >= 1],
        ),
    )


def _averaged(proof: Proof) -> None:
    proof.summed(
        "the mean over y against <nu, U>",
        "mean and N are the sums of beta_y U_y and nu_y U_y over the first y in supp nu; the next "
        "have beta_y = beta <= 1, nu_y = nu >= b and U_y = u: b mean <= N. (beta <= 1 <= nu/b)",
        so_far=b * mean <= N,
        adding={N: nu * u, mean: beta * u},
        given=[beta <= 1, nu >= b, u >= 0],
    )
    proof.summed(
        "averaging over x",
        "M and mass sum mu_x U_x and mu_x over the first x, each U_x <= F G <= F mean: b M <= F N "
        "mass, with mass = 1 at the end",
        so_far=b * M <= F * N * mass,
        adding={M: U * m, mass: m},
        given=[U <= F * mean, b * mean <= N, F >= 1],
    )


@claim(
    "worst.rate-lower",
    where="Rate",
    statement="If x in supp mu and counts k_w, with sum k, have sum_w k_w log(v_w[x]/v_w[y]) >= k "
    "V for all y in supp nu (v_w[x] > 0, infinite where v_w[y] = 0), then the k-fold leakage "
    "is at least k V + log mu_x.",
    says=nfc.RATE_LOWER,
)
def rate_lower(check: Check) -> None:
    """Prove it at the joint output that shows each w as often as k_w says."""
    name = "lower bound"
    proved(check, name, "all finite sizes, any number of runs", _lower)
    check.near_miss(
        f"{name}: without log mu_x", edited(_lower, Edit("the ratio", put={m * F * N: F * N}))
    )


def _lower(proof: Proof) -> None:
    proof.summed(
        "averaging over y",
        "U = prod_w v_w[x]^k_w, and F u <= U at every y with F = e^(kV), u the same product at y. "
        "N and s sum nu_y u and nu_y over the first y: F N <= U s, and s = 1 at the end",
        so_far=F * N <= U * s,
        adding={s: nu, N: nu * u},
        given=[F * u <= U, nu >= 0],
    )
    proof.inequality(
        "the ratio",
        "<mu, U> = M is at least m U with m = mu_x: the ratio is at least m F (infinite if N = 0, "
        "as M > 0)",
        M >= m * F * N,
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
    says={"limit": says.LIMIT, "no column left: a collapse": says.COLLAPSE},
)
def rate(check: Check) -> None:
    """Prove both bounds, with outputs that make excluded databases impossible used once."""
    name = "limit"
    proved(
        check,
        name,
        f"{REAL_WEIGHTS}, any number of runs",
        _limit,
        reached_from_below_without_the_spare_runs=[
            Edit(
                "spare runs that exclude databases",
                without=e * k >= loss + spare_runs * W,
                given=e * k >= 0,
            ),
            Edit("between multiples", without=e * k >= denominator * W, given=e * k >= 0),
        ],
    )
    name = "no column left: a collapse"
    proved(
        check,
        name,
        "all finite sizes",
        _no_column,
        a_column_left=Edit(
            "one output for each database: base", without=Eq(next_y, 0), given=next_y >= 0
        ),
    )


def _limit(proof: Proof) -> None:
    proof.cite(
        "beta",
        "the value V_x has weights beta with log v_w[x] <= V_x + sum beta log v_w[y] for the "
        "outputs with v_w[x] > 0; for the others the bound is 0 <= ..",
        "worst.game-value",
    )
    proof.cite("at most", "k V + log(1/b) with V the largest value", "worst.rate-upper")
    proof.cite("at least", "from counts, as follows", "worst.rate-lower")
    _approached(proof)


def _approached(proof: Proof) -> None:
    proof.inequality(
        "rational weights",
        "alpha with sum_w alpha_w g_wy > V' for all y; rational weights within d of alpha, with C "
        ">= sum_w |g_wy| for every y, lose at most d C: still above V' once d C is below the slack "
        "e",
        rational > W,
        [exact >= W + e, rational >= exact - d * C, d * C < e],
        for_any=[e],
    )
    proof.inequality(
        "spare runs that exclude databases",
        "Each y in supp nu without a column has an output w with v_w[x] > 0 = v_w[y]: one run "
        "each, spare_runs runs in all (no more than |supp nu|), multiplies the quotient at the "
        "other y by at least e^(-c). With k runs by counts the exponent is at least k V' - c - "
        "log(1/mu_x) =: k V' - loss in spare_runs + k runs, V' >= 0, and (k V' - "
        "loss)/(spare_runs + k) >= V' - e for large k: when e k >= loss + spare_runs V'",
        k * W - loss >= (W - e) * (spare_runs + k),
        [e * k >= loss + spare_runs * W, W >= 0, e > 0],
    )
    _any_number(proof)


def _any_number(proof: Proof) -> None:
    proof.inequality(
        "between multiples",
        "Counts by rational weights need k to be a multiple of their denominator D: k = j D + "
        "rest, rest < D. Dropping rest runs is post-processing and does not raise leakage, so "
        "that leakage >= j D (V' - e) with leakage that of k runs, V' - e >= 0: leakage/k >= V' - "
        "2 e once e k >= D V'",
        leakage >= k * (W - 2 * e),
        [
            leakage >= multiple * (W - e),
            Eq(k, multiple + rest),
            rest <= denominator,
            e * k >= denominator * W,
            e > 0,
            W >= e,
        ],
    )
    proof.inequality(
        "V >= 0",
        "Leakage is not negative and at most k V + c for every k: V <= -e < 0 fails once k e > c",
        V > -e,
        [k * V + c >= 0, k * e > c, e > 0],
    )


def _no_column(proof: Proof) -> None:
    proof.induction(
        "one output for each database",
        "Every y in supp nu has an output w with v_w[x] > 0 = v_w[y]: U and at_y are the entries "
        "at x and at one of the y so far of their product, u > 0 and next_y those of the next",
        base=((u > 0) & Eq(next_y, 0), [u > 0, Eq(next_y, 0)]),
        step=((U * u > 0) & Eq(at_y * next_y, 0), [U > 0, Eq(at_y, 0), u > 0, next_y >= 0]),
    )
    proof.inequality(
        "infinite",
        "<mu, U> >= mu_x U > 0 and <nu, U> = 0",
        M > L * N,
        [M >= m * U, m > 0, U > 0, Eq(N, 0)],
    )


@claim(
    "worst.rate-all",
    where="Rate",
    statement="If L*_K is finite for all K then lim (1/K) log L*_K, for K mechanisms of level R, "
    "is the largest over (mu, nu) and x in supp mu of the value of one matrix game: rows are "
    "the extreme rays r with r_x > 0, columns the y in supp nu that are positive on all of "
    "these, entries log(r_x/r_y).",
    says=says.RATE_ALL,
)
def rate_all(check: Check) -> None:
    """Prove it as for one mechanism, whose outputs are all extreme rays."""
    name = "limit"
    proved(
        check,
        name,
        f"{REAL_WEIGHTS}, any number of releases",
        _limit_of_all,
        a_column_scaled_at_one_database_only=Edit(
            "entries of the game", instead=Eq(factor * ray_x / ray_y, ray_x / ray_y)
        ),
    )


def _limit_of_all(proof: Proof) -> None:
    proof.cite("rays", "L*_K is attained at K rays of one cone, with repetitions", "worst.vertices")
    proof.cite(
        "one mechanism",
        "some mechanism has multiples t_r r of all rays r and one more output; scaling a "
        "column changes no entry of a game",
        "worst.lemma0",
    )
    _scaled(proof)
    proof.cite("its rate", "joint outputs of rays only are as for one mechanism", "worst.rate")
    proof.cite(
        "columns",
        "a game has a column for every x exactly if L*_K is finite for all K",
        "worst.finite-equivalences",
    )
    _rest(proof)


def _scaled(proof: Proof) -> None:
    proof.identity(
        "entries of the game",
        "The quotient r_x/r_y of a ray is that of its multiple by factor > 0",
        "(factor*ray_x)/(factor*ray_y)",
        "ray_x/ray_y",
    )


def _rest(proof: Proof) -> None:
    proof.cite(
        "the last output",
        "1 - t (sum of rays) lies in the cone, so it is a sum of rays too",
        "worst.rays-span",
    )
    proof.induction(
        "a sum of rays satisfies what beta says of each",
        "u <= E g for each ray (g the geometric mean), U <= E G for the sum so far, and mean_sum "
        ">= G + g is the mean of the new sum",
        base=(u <= E * g, [u <= E * g, u >= 0]),
        step=(
            U + u <= E * mean_sum,
            [U <= E * G, u <= E * g, mean_sum >= G + g],
        ),
    )
    proof.cite("means are superadditive", "N >= G + g", "bai2026.x-cone")


@claim(
    "worst.nfc-is-rate",
    where="Rate",
    statement="A mechanism has rate at most epsilon, that is k-fold leakage at most k epsilon + "
    "o(k), iff for every (mu, nu) and x in supp mu there are weights beta on supp nu with "
    "v_w[x] <= e^epsilon prod_y v_w[y]^beta_y for all outputs w; then the k-fold leakage is at "
    "most k epsilon + log(1/b).",
    says=says.NFC_IS_RATE,
)
def nfc_is_rate(check: Check) -> None:
    """Prove that asymptotic linear composition is the condition NfC, in both directions."""
    name, scope = "NfC is asymptotic linear composition", f"{REAL_WEIGHTS}, any number of runs"
    linear = {"with every k-fold leakage at most k epsilon": _linear}
    proved(check, name, scope, _asymptotic, **linear)


def _asymptotic(proof: Proof) -> None:
    proof.cite("if", "k epsilon + log(1/b), b fixed", "worst.rate-upper")
    proof.cite("only if", "the rate is the largest V_x <= epsilon, or infinite", "worst.rate")
    proof.cite("weights", "beta of the game keeps every row at most V_x", "worst.game-value")
    _within(proof)


def _within(proof: Proof) -> None:
    proof.inequality(
        "a row of the game is the constraint of an output",
        "row = sum beta_y (log v_w[x] - log v_w[y]) <= V <= epsilon, with log v_w[x] = "
        "log_x, log_y = sum beta_y log v_w[y] and weights of sum 1: log_x <= epsilon + log_y. "
        "Outputs with v_w[x] = 0 satisfy it anyway, and y that some of the others exclude have "
        "weight 0",
        log_x <= epsilon + log_y,
        [Eq(row, log_x - log_y), row <= V, V <= epsilon],
    )


def _linear(proof: Proof) -> None:
    proof.inequality(
        "without the constant",
        "false: k epsilon + c is a bound with the same rate",
        k * epsilon + c <= k * epsilon,
        [c >= 0, k >= 1, epsilon >= 0],
        for_any=[k],
    )
