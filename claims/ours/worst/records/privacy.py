"""Differential privacy alone, and on top of Pufferfish: families closed under powers, rays of the
cube, and finite leakage.

Per-record differential privacy bounds u_x <= S u_y for databases that differ in one record, metric
privacy u_x <= R^d(x, y) u_y. For real exponents the letters a, c, r are logarithms of positive
entries and levels.
"""

from fractions import Fraction

from pufferproof.claims.language import (
    Proof,
    at_least,
    letter,
    letters,
    proved,
)
from pufferproof.claims.ours.worst.statements.records import privacy as says
from pufferproof.claims.registry import Check, claim
from pufferproof.models.channel import Channel
from pufferproof.models.framework import Framework
from pufferproof.models.priors.records import Records
from pufferproof.models.priors.tables import Table

r, q = letters("r q", "the logarithms of the level so far and of the next one", at_least(0))
k = letter("k", "an integer")


@claim(
    "worst.power-closed",
    where="With differential privacy on top: power-closed families",
    statement="For the columns u_x <= R^d(x, y) u_y (d on some pairs: per-record or group "
    "differential privacy, metric privacy), and for NfC columns u_D <= R prod_l u_l^beta_Dl, "
    "the largest joint ratio of mechanisms of levels R_1 .. R_K is the largest <mu, u>/<nu, u> "
    "over the family of level R_1 .. R_K: it depends on the product only.",
    assumes=[
        "no further constraint: not Pufferfish on top; d > 0 and symmetric",
        "for NfC some R_k > 1: at level 1 vectors of the family, such as 0 at D and 1 at l, need "
        "not be columns",
    ],
    says={"metric privacy": says.METRIC, "NfC": says.NFC},
)
def power_closed(check: Check) -> None:
    """Prove that products and fractional powers stay in the families, and that their columns
    occur.

    Metric privacy. Products: a and c are log u_x and log u_y for the product so far, of level r =
    log R: a - c <= d r; b, e for the next, level q. Powers: u^t, t >= 0, has level t r: t a - t c
    <= d t r. Entries that are 0: u_x <= R^d u_y = 0 forces u_x = 0: zeros have zeros as neighbours
    in every factor, and 0^t = 0 for t > 0; for t = 0 the constant column 1 is taken. Shares of the
    level: r = log(R_1 .. R_K) > 0 and t_k = log(R_k)/r: T, the sum of the first t_k, is log_sum/r
    with log_sum the sum of their logarithms; so it is 1 at the end, and the product of the u^t_k,
    of levels R_k, is u. R_k = 1 among others: has the share 0 and the constant column 1. No level
    at all: If r = 0 all R_k are 1: u and constant columns, of entries v = 1, have the product u.
    Columns occur, R > 1: m = R^d > 1: 1 - t u keeps the level for small t > 0, as in the cone of
    Pufferfish columns. Columns occur, R = 1: Both orders make u_x = u_y, and the same for 1 - t u.

    NfC. Products: a <= r + c with a = log u_D and c = sum_l beta_l log u_l for the product so far;
    b <= q + e for the next. Powers: t a <= t r + t c. The mean of powers and of products: sum_l
    beta_l (g_l + h_l) = sum beta log_g + sum beta log_h: sum_both, sum_g, sum_h the sums so far of
    beta (log_g + log_h), beta log_g, beta log_h. Shares of the level: r = log(R_1 .. R_K) > 0 and
    t_k = log(R_k)/r: T, the sum of the first t_k, is log_sum/r with log_sum the sum of their
    logarithms; so it is 1 at the end, and the product of the u^t_k, of levels R_k, is u. R_k = 1
    among others: has the share 0 and the constant column 1. Columns occur, R > 1: v is the largest
    u_l, and t v <= 1 - 1/R: the 1 - t u_l are at least 1 - t v >= 1/R, so their geometric mean G is
    at least 1 - t v too: 1 - t u_D <= 1 <= R G. Means of constants: geometric means are homogeneous
    and superadditive, so monotone [bai2026.x-cone]. Entries that are 0: u_l = 0 with beta_l > 0
    makes the mean G 0 and forces u_D = 0, in products and in powers with t > 0 too.
    """
    name = "metric privacy"
    check.tried(name)
    name = "NfC"
    check.tried(name)


@claim(
    "worst.dp-rays-colourings",
    where="With differential privacy on top: rays",
    statement="For R > 1 the extreme rays of {u : u_x <= R u_y for databases of {0,1}^n that "
    "differ in one bit} are u = R^f with integer f and |f(x) - f(y)| = 1 for neighbours; there "
    "are as many as proper 3-colourings of the cube divided by 3.",
    assumes=["n >= 1; at R = 1 the constant vector is the only ray"],
    says={"the rays": says.RAYS, "the number": says.NUMBER},
)
def dp_rays(check: Check) -> None:
    """Prove that tight edges connect the cube, that parity makes all of them tight, and that
    colourings lift.

    The rays. One direction can be tight: u_x = R u_y and u_y = R u_x with R > 1 would make both 0;
    a column with a 0 is 0 everywhere, as neighbours are. Connected tight edges: extreme: If u = v +
    w in the cone and an edge is tight at u it is at v and w: values along a path of tight edges fix
    v up to scale. Otherwise not extreme: If the tight edges leave a set A and its complement
    unconnected, multiply u on A by 1 + t and by 1 - t: edges inside stay as they are, those between
    are slack, R v - u = slack > 0, and stay so for small t; u is half the sum of two others. F is
    an integer with the parity of the number of ones: Along tight edges f changes by s1 = 1 or -1
    and the number of ones by s2 = 1 or -1: their difference gap, even so far (gap = 2 k), changes
    by 0 or 2 in size. Every edge is tight: Neighbours differ by one in the number of ones, so
    change = f(x) - f(y) = 2 k + 1 for an integer k (k >= 0 or k <= -1), and |change| <= 1.

    The number. Steps around a square sum to 0: s1 + s2 - s3 - s4 is a multiple of 3, of size at
    most 4, and even: k = -1, 0 or 1. From the n-cube to the (n + 1)-cube: A colouring is a set of
    steps s1 = 1, -1 mod 3 along edges, and f adds them up. On both halves it lifts, to f and g;
    shift g so that it fits at one x: then it does at each neighbour y, where h = f(y), e2 = g(y),
    as steps around the square sum to 0; so everywhere, the half being connected. Base: one edge.
    Three colourings for each f up to constants: f is determined up to a constant; adding c changes
    the colouring by c mod 3, and u = R^f by a factor: colourings with colour 0 at 0..0 are the rays
    with f = 0 there; conversely steps of 1 change the colour.
    """
    name = "the rays"
    check.tried(name)
    name = "the number"
    check.tried(name)


@claim(
    "worst.budgets-add-with-dp",
    where="With differential privacy on top: Pufferfish and DP together",
    statement="Mechanisms that are epsilon_k-Pufferfish and have per-record differential privacy "
    "compose linearly: the joint release is (sum epsilon_k)-Pufferfish.",
    repair="worst.pufferfish-and-dp",
)
def budgets_add(check: Check) -> None:
    """Refute it by one record of three values, at epsilon = 0 and per-record level log 2."""
    proved(check, "as stated", "one counterexample", _do_not_add)


def one_record() -> tuple[Framework, Channel]:
    """Return one record with values 0, 1, 2, secrets {0} and {1, 2}, and a zero-leakage
    mechanism of per-record level 2.
    """
    prior = Table({"0": Fraction(1, 2), "1": Fraction(1, 4), "2": Fraction(1, 4)})
    framework = Framework.of_records(
        Records(1, ("0", "1", "2")), {"s": ["0"], "t": ["1", "2"]}, [("s", "t")], {"theta": prior}
    )
    rows: dict[str, list[Fraction]] = {
        label: [Fraction(k, 6), Fraction(6 - k, 6)] for label, k in (("0", 3), ("1", 2), ("2", 4))
    }
    return framework, Channel.of(rows, ["u", "v"])


def _do_not_add(proof: Proof) -> None:
    framework, channel = one_record()
    joint = channel.beside(channel)

    def law(mechanism: Channel, output: str) -> tuple[Fraction, Fraction]:
        entries = [mechanism.probability(label, output) for label in "012"]
        return entries[0], (entries[1] + entries[2]) / 2

    def violated() -> bool:
        single = all(
            law(channel, output)[0] == law(channel, output)[1] for output in channel.outputs
        )
        entries = [
            [channel.probability(label, output) for label in "012"] for output in channel.outputs
        ]
        private = all(p <= 2 * q for column in entries for p in column for q in column)
        return (
            single
            and private
            and any(p != q for p, q in (law(joint, output) for output in joint.outputs))
        )

    proof.counterexample(
        "two releases of level 0",
        "Each has level 0 and per-record level log 2; together they have level log(9/8): (u, v) "
        "has 3 x 3 = 9 against 8, the mean of 2 x 4 and 4 x 2. For disjoint secrets three "
        "databases are the fewest, as with one for each levels add",
        {
            "framework": framework,
            "mechanism": joint,
            "epsilon": "log(1)",
            "each mechanism": channel,
            "S": Fraction(2),
        },
        violated,
    )


@claim(
    "worst.pufferfish-and-dp",
    where="With differential privacy on top: Pufferfish and DP together",
    statement="On a product space of n records, mechanisms that are epsilon-Pufferfish and have "
    "per-record level log S have columns in a polyhedral cone with u_x <= S^n u_y for all x, "
    "y: L*_K is attained at extreme rays and finite for every K.",
    says=says.ON_TOP,
)
def pufferfish_and_dp(check: Check) -> None:
    """Prove the implied inequalities along a path of records; the rest is as without
    differential privacy.

    One record at a time: P = S^k, u_x <= P v for the database with k records replaced by those of
    y; the next one has the entry w with v <= S w. Finite: inequalities u_x <= kappa u_y bound joint
    leakage for every K [worst.finite-equivalences]. Attained: the proof uses only that the cone is
    polyhedral and that columns occur [worst.vertices]. Columns occur: For S > 1 a small multiple
    leaves room in u_x <= S u_y too; for S = 1 both orders are equations. If R = 1 < S, both orders
    of the secrets are equations, which t u and 1 - t u satisfy.
    """
    name = "as stated"
    check.tried(name)
