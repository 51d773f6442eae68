"""Lemma II.3: the bound of max-influence by stationary law and eigen-gap, where it fails and where
it holds.

g leaves out eigenvalues of modulus 1. If P P* has the eigenvalue 1 more than once, which
irreducible aperiodic chains allow from k = 3 on, nothing bounds what these eigenvectors do under P:
the bound fails. If 1 is a simple eigenvalue it holds, for any initial law. Source: song2017, lemma
II.3; Fill, 1991, for the argument.
"""

from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING

import sympy
from sympy import And, Eq

from pufferproof.claims.language import proved
from pufferproof.claims.papers.song2017.setting.chains import Chain, Rows, chain, influence, worst
from pufferproof.claims.papers.wang2016.chains.instances import eigenvalues, power, settled
from pufferproof.claims.registry import Check, claim
from pufferproof.models.influence.bounds import song_bound
from pufferproof.models.influence.chain import ChainInfluence
from pufferproof.models.priors.laws import MarkovChain
from pufferproof.models.sequences.chain import ChainLaws
from pufferproof.verify.proof.argument import Argument

if TYPE_CHECKING:
    from flint import arb

PAIRS = chain("1/9 4/9 4/9", "1/5 4/5 0;0 0 1;1/5 4/5 0", 18)
"""Pairs (X_t, X_(t+1)) of a chain of bits with P = 1/5 4/5; 1 0: the pairs 00, 01, 10."""
DISTANCES = (9, 8)
N, V, W, z, g, m, n, u, v, w, p, q, r, s, d, x, y = sympy.symbols(
    "N V W z g m n u v w p q r s d x y"
)
GAP = "1 is a simple eigenvalue of P P* (then g = 1 - the second largest eigenvalue)"
NOTATION = {"h": "h(d), the term of Lemma II.3 at the distance d", "d": "a distance"}
ASKED = {GAP: "asked for every theta by the statement"}
SIMPLE = (
    "all irreducible chains for which 1 is a simple eigenvalue of P P*, every k, i, a, b above the "
    "threshold"
)


def reversed_product(step: Rows, law: tuple[Fraction, ...]) -> Rows:
    """P P* for a stationary law pi > 0, P*(x,y) = pi(y) P(y,x) / pi(x)."""
    size = range(len(step))
    back = [[law[j] * step[j][i] / law[i] for j in size] for i in size]
    return tuple(
        tuple(sum((step[i][h] * back[h][j] for h in size), Fraction(0)) for j in size) for i in size
    )


def term(distance: int, smallest: Fraction, gap: Fraction) -> "arb":
    """Enclose (pimin + exp(-g a/2)) / (pimin - exp(-g a/2)), infinite (not finite) below the
    threshold.
    """
    from flint import arb, fmpq

    decay = (-arb(fmpq(gap.numerator, gap.denominator)) * distance / 2).exp()
    least = arb(fmpq(smallest.numerator, smallest.denominator))
    return (least + decay) / (least - decay) if least > decay else arb("inf")


def three_nodes(of: Chain, i: int, left: int, right: int) -> Fraction | None:
    """e^e_theta({X_(i-a), X_(i+b)}|X_i) by the joint law of the three nodes."""
    powers = {distance: power(of.step, distance) for distance in (left, right)}
    size = range(of.states)
    laws = []
    for value in size:
        joint = {
            f"{a}{b}": of.start[a] * powers[left][a][value] * powers[right][value][b]
            for a in size
            for b in size
        }
        total = sum(joint.values(), Fraction(0))
        laws.append({key: chance / total for key, chance in joint.items()})
    return worst(laws)


def exceeds(of: Chain, i: int, left: int, right: int, gap: Fraction) -> bool:
    """Say whether the exact influence is above the printed bound, each computed twice; P
    stationary under q.
    """
    laws = ChainLaws(MarkovChain(of.start, of.step), of.length)
    exact = ChainInfluence(laws).of(i, left, right).upper
    published = song_bound(of.step).at(left, right)
    if exact is None or published is None or exact != three_nodes(of, i, left, right):
        return False
    smallest = min(of.start)
    bound = term(left, smallest, gap) ** 2 * term(right, smallest, gap)
    return bool(bound < ball(exact)) and published.upper < exact


def ball(value: Fraction) -> "arb":
    """Enclose a rational."""
    from flint import arb, fmpq

    return arb(fmpq(value.numerator, value.denominator))


@claim(
    "song2017.lem-II3",
    where="Lemma II.3, equation (3)",
    statement="Irreducible aperiodic chain, g the eigen-gap of P P* over |lam| < 1, pi > 0, g > 0, "
    "a, b >= 2 log(1/pimin)/g: e_theta({X_(i-a),X_(i+b)}|X_i) <= 2 log[(pimin+exp(-g "
    "a/2))/(pimin-exp(-g a/2))] + log[the same with b].",
    kind="lemma",
    repair="song2017.lem-II3-repaired",
)
def eigengap(check: Check) -> None:
    """Refute it for a stationary chain with three values; two values have a simple eigenvalue
    1, and it holds.
    """
    for name in ("any q", "q = pi"):
        with check.reading(
            name,
            "one counterexample, from chains of pairs of a chain of bits (P P* has eigenvalues 0 "
            "and 1 only)",
        ) as it:
            _degenerate(it)
    proved(
        check,
        "k = 2, any q",
        "all irreducible aperiodic chains with two values",
        _two_values,
        a_permutation=partial(_two_values, permutation=True),
    )


def _degenerate(argument: Argument) -> None:
    left, right = DISTANCES
    product = reversed_product(PAIRS.step, PAIRS.start)
    one = Fraction(1)
    argument.counterexample(
        "pairs of neighbouring bits",
        "On this stationary chain the records 9 before and 8 after X_10 have the influence log "
        "2.38.., and the printed bound is at most log 2.1, although both distances are above the "
        "threshold 2 log 9 < 5. Rows of P are equal or have disjoint supports, so that P P* is a "
        "projection: its eigenvalues are 1, 1, 0 and g is 1, while the eigenvalue -4/5 of P makes "
        "the influence fall slowly",
        {
            "q = pi": "1/9 4/9 4/9",
            "P": "1/5 4/5 0; 0 0 1; 1/5 4/5 0",
            "T": 18,
            "i": 10,
            "a": left,
            "b": right,
            "g": 1,
            "e^influence": three_nodes(PAIRS, 10, left, right),
            "e^bound at most": "21/10",
        },
        lambda: (
            settled(PAIRS.step)
            and eigenvalues(product) == [(one, 2), (Fraction(0), 1)]
            and exceeds(PAIRS, 10, left, right, one)
            and bool(
                term(left, Fraction(1, 9), one) ** 2 * term(right, Fraction(1, 9), one)
                < ball(Fraction(21, 10))
            )
        ),
    )


@claim(
    "song2017.lem-II3-repaired",
    where="Lemma II.3, repaired",
    statement="Irreducible chain with at least two values, 1 a simple eigenvalue of P P*, h(d) = "
    "log[(pimin+exp(-g d/2))/(pimin-exp(-g d/2))]. For any law of X_1, every record i and "
    "distances a, b > 2 log(1/pimin)/g: e_theta({X_(i-a),X_(i+b)}|X_i) <= 2 h(a) + h(b), "
    "e_theta(X_(i-a)|X_i) <= 2 h(a) and e_theta(X_(i+b)|X_i) <= h(b).",
    kind="repair of song2017.lem-II3",
    assumes=[GAP],
)
def eigengap_repaired(check: Check) -> None:
    """Prove it by the norms of P* on functions of mean 0."""
    proved(
        check,
        "any q",
        SIMPLE,
        _bound,
        a_second_eigenvalue_1=partial(_bound, degenerate=True),
        one_term_for_the_left_side=partial(_bound, once=True),
    )


def _two_values(argument: Argument, permutation: bool = False) -> None:
    argument.inequality(
        "k = 2",
        "p = P(0,1), q = P(1,0), both positive, not both 1: P* = P, and P P* = P^2 has the "
        "eigenvalues 1 and (1-p-q)^2 < 1",
        (1 - p - q) ** 2 < 1,
        [p > 0, q > 0, p <= 1, q <= 1, *([] if permutation else [p + q < 2])],
    )
    argument.cite(
        "simple eigenvalue",
        "the bound holds then",
        "song2017.lem-II3-repaired",
        met_by={GAP: "k = 2"},
    )


def _bound(argument: Argument, degenerate: bool = False, once: bool = False) -> None:
    argument.assume(
        "spectral theorem",
        "P P* is self-adjoint for <f,h> = sum_x pi(x) f(x) h(x) and <f, P P* f> = |P* f|^2 >= "
        "0, so that it has an orthonormal basis of eigenvectors, the constant 1 among them",
        "fill1991, section 2",
    )
    _norms(argument, degenerate)
    _entries(argument)
    _ratios(argument, once)


def _norms(argument: Argument, degenerate: bool) -> None:
    """f = sum_j c_j u_j without the constant: V = |P* f|^2 = sum lam_j c_j^2 and N = |f|^2 =
    sum c_j^2, s = 1 - g.
    """
    below = [z <= 1] if degenerate else [z <= s]
    argument.induction(
        "one step",
        "z = lam_j <= 1 - g as 1 is a simple eigenvalue, w = c_j",
        base=(V <= s * N, [Eq(V, z * w**2), Eq(N, w**2), *below]),
        step=(V + z * w**2 <= s * (N + w**2), [V <= s * N, *below, s >= 0, s <= 1]),
    )
    argument.induction(
        "a steps",
        "P* keeps the mean 0. V is the squared norm after a steps, u = (1-g)^a",
        base=(V <= u * N, [Eq(V, N), Eq(u, 1)]),
        step=(W <= s * u * N, [V <= u * N, W <= s * V, s >= 0, s <= 1]),
    )
    argument.identity(
        "the start",
        "f = 1_x/pi(x) - 1, p = pi(x): |f|^2 = 1/p - 1",
        p * (1 / p - 1) ** 2 + (1 - p),
        1 / p - 1,
    )


def _entries(argument: Argument) -> None:
    argument.cite("sums", "a step of P*^a is a sum of products", "lemma.finite-sums")
    argument.induction(
        "the reversed chain",
        "p, q, r = pi(x), pi(y), pi(z); u, v the entries P^a(x,z), P*^a(z,x), w and d the steps "
        "P(z,y), P*(y,z): each term of pi(x) P^(a+1)(x,y) = pi(y) P*^(a+1)(y,x)",
        base=(Eq(p * u, q * v), [Eq(v * q, p * u)]),
        step=(Eq(p * u * w, q * d * v), [Eq(p * u, r * v), Eq(r * w, q * d)]),
    )
    argument.inequality(
        "one entry",
        "x = P^a(x,y)/pi(y) - 1 is P*^a f at y: q x^2 <= |P*^a f|^2 <= u/p, and p, q >= m = pimin",
        x**2 * m**2 <= u,
        [q * x**2 <= V, V * p <= u, p >= m, q >= m, m > 0, V >= 0, u >= 0],
    )
    argument.enclosure(
        "exp(-g) is convex",
        "its second derivative; at 0 its value is 1, its slope -1",
        sympy.exp(-g),
        g,
        0,
        1,
    )
    argument.inequality(
        "1 - g <= exp(-g)",
        "Taylor at 0: z = exp(-g), w the second derivative in between",
        z >= 1 - g,
        [Eq(z, 1 - g + w * g**2 / 2), w > 0, g >= 0, g <= 1],
    )


def _ratios(argument: Argument, once: bool) -> None:
    """d = exp(-g a/2) < m above the threshold: |x| <= d/m =: r < 1."""
    argument.inequality(
        "the threshold",
        "x^2 m^2 <= (1-g)^a <= exp(-g a) = d^2",
        And(x <= d / m, x >= -d / m, d / m < 1),
        [x**2 * m**2 <= u, u <= d**2, d > 0, d < m],
    )
    argument.inequality(
        "forward",
        "u, v = P^b(v,y), P^b(w,y), both between p (1-r) and p (1+r), p = pi(y)",
        u * (1 - r) <= v * (1 + r),
        [u <= p * (1 + r), v >= p * (1 - r), p > 0, r >= 0, r < 1],
    )
    argument.cite(
        "averages",
        "P(X_i=v) is an average of P^a(x,v) over the law of X_(i-a), whatever q is: between p "
        "(1-r) and p (1+r)",
        "song2017.x-averages",
    )
    bound = (1 + r) / (1 - r) if once else ((1 + r) / (1 - r)) ** 2
    argument.inequality(
        "backward",
        "Bayes: u m' / (v w'), u, v = P^a(x,v), P^a(x,w) and y, w = P(X_i=w), P(X_i=v); p, q = "
        "pi(v), pi(w)",
        u * y <= bound * v * w,
        [
            u <= p * (1 + r),
            v >= q * (1 - r),
            y <= q * (1 + r),
            w >= p * (1 - r),
            p > 0,
            q > 0,
            r >= 0,
            r < 1,
            u >= 0,
            y >= 0,
        ],
    )
    argument.cite(
        "both sides", "multiply, as they are independent given X_i", "song2017.x-two-sides"
    )
    argument.identity("as printed", "r = d/m", "(1 + d/m)/(1 - d/m)", "(m + d)/(m - d)")


@claim(
    "song2017.x-two-sides",
    where="Appendix A-B, used in equation (26)",
    statement="On every chain, for 1 <= i-a < i < i+b <= T: e_theta({X_(i-a),X_(i+b)}|X_i) <= "
    "e_theta(X_(i-a)|X_i) + e_theta(X_(i+b)|X_i).",
    kind="lemma",
)
def two_sides(check: Check) -> None:
    """Prove it by independence of the sides given X_i; if a term on the right is infinite there
    is nothing to show.
    """
    proved(
        check,
        "as stated",
        "all finite chains, zeros included",
        _sides,
        one_factor_only=partial(_sides, one=True),
    )


def _sides(argument: Argument, one: bool = False) -> None:
    argument.cite(
        "independent given X_i",
        "the chances of both nodes are products x p and y q",
        "song2017.x-markov",
    )
    argument.inequality(
        "products of ratios",
        "x and y are the chances of the left node given two values of X_i, p and q those of the "
        "right one, u and v those of both",
        u <= (r if one else r * s) * v,
        [
            Eq(u, x * p),
            Eq(v, y * q),
            x <= r * y,
            p <= s * q,
            x >= 0,
            y >= 0,
            p >= 0,
            q >= 0,
            r >= 1,
            s >= 1,
        ],
    )


@claim(
    "song2017.III3-positionfree",
    where="Appendix A-A",
    statement="With Lemma II.3 as the estimate, e_theta({X_(i-a),X_(i+a)}|X_i) = "
    "e_theta({X_(j-a),X_(j+a)}|X_j) for any i and j: it depends only on the distances to the "
    "quilt.",
    kind="remark",
)
def position_free(check: Check) -> None:
    """Prove it of the formula; the exact influence depends on the position."""
    for name, right in (("right node X_(i+a)", "a"), ("right node X_(i+b)", "b")):
        proved(
            check,
            name,
            f"all i, j with both nodes, distances a and {right}",
            _formula,
            a_right_node_one_step_farther=partial(_formula, farther=True),
        )
        check.near_miss(
            f"{name}: the exact influence",
            lambda argument: argument.exhaust(
                "i = 2 and j = 3",
                "T = 4, a = b = 1, q = 1 0",
                [chain("1 0", "1/2 1/2;1/4 3/4", 4)],
                lambda of: influence(of, 2, [1, 3]) == influence(of, 3, [2, 4]),
            ),
        )


def _formula(argument: Argument, farther: bool = False) -> None:
    """x and y are e to the estimates for X_i and X_j, with nodes at p, q and at r, s."""
    a, b, i, j, h, k = sympy.symbols("a b i j h k")
    argument.inequality(
        "the same distances",
        "the nodes of X_i are p and q, those of X_j are r and s",
        And(Eq(i - p, j - r), Eq(q - i, s - j)),
        [Eq(p, i - a), Eq(q, i + b), Eq(r, j - a), Eq(s, j + (b + 1 if farther else b))],
    )
    argument.inequality(
        "the same estimate",
        "u, v and h, k are exp(-g/2 times a distance) on the left and on the right of X_i, and of "
        "X_j: equal at equal distances. m = pimin is above all of them, or both estimates are "
        "infinite",
        Eq(x, y),
        [
            Eq(x, ((m + u) / (m - u)) ** 2 * (m + v) / (m - v)),
            Eq(y, ((m + h) / (m - h)) ** 2 * (m + k) / (m - k)),
            Eq(u, h),
            Eq(v, k),
            m > u,
            m > v,
            u > 0,
            v > 0,
        ],
    )
