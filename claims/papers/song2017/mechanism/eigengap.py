"""Lemma II.3: the bound of max-influence by stationary law and eigen-gap, where it fails and where
it holds.

g leaves out eigenvalues of modulus 1. If P P* has the eigenvalue 1 more than once, which
irreducible aperiodic chains allow from k = 3 on, nothing bounds what these eigenvectors do under P:
the bound fails. If 1 is a simple eigenvalue it holds, for any initial law. Source: song2017, lemma
II.3; Fill, 1991, for the argument.
"""

from fractions import Fraction
from typing import TYPE_CHECKING

import sympy
from sympy import And, Eq

from pufferproof.claims.language import Edit, Proof, at_least, below, letter, letters, proved
from pufferproof.claims.language.instances.matrices import eigenvalues, power, settled
from pufferproof.claims.papers.song2017.setting.chains import Chain, Rows, chain, influence, worst
from pufferproof.claims.papers.song2017.statements import bounds as said_bounds
from pufferproof.claims.papers.song2017.statements import influence as said_influence
from pufferproof.claims.papers.song2017.statements import positions
from pufferproof.claims.registry import Check, claim
from pufferproof.models.influence.bounds import song_bound
from pufferproof.models.influence.chain import ChainInfluence
from pufferproof.models.priors.markov import MarkovChain
from pufferproof.models.sequences.chain import Along

if TYPE_CHECKING:
    from flint import arb

PAIRS = chain("1/9 4/9 4/9", "1/5 4/5 0;0 0 1;1/5 4/5 0", 18)
"""Pairs (X_t, X_(t+1)) of a chain of bits with P = 1/5 4/5; 1 0: the pairs 00, 01, 10."""
DISTANCES = (9, 8)

up, down = letters("up down", "P(0,1), P(1,0)")
g = letter("g", "the eigen-gap, the least 1 - |lam| > 0 over the eigenvalues lam of P P*")
V = letter("V", "|P*^a f|^2")
shrunk = letter("shrunk", "(1-g)^a")
decay = letter("decay", "exp(-g a/2)")
pimin = letter("pimin", "the least probability under pi")
falls, curve = letters("falls curve", "exp(-g), and its second derivative in between")
pi_x, pi_y, pi_z = letters("pi_x pi_y pi_z", "pi(x), pi(y), pi(z)")
ahead, behind = letters("ahead behind", "P^a(x,z), P*^a(z,x)")
step, step_back = letters("step step_back", "P(z,y), P*(y,z)")
off = letter("off", "P^a(x,y)/pi(y) - 1")
r = letter("r", "decay/pimin", at_least(0), below(1))
v_to_y, w_to_y = letters("v_to_y w_to_y", "P^b(v,y), P^b(w,y)")
x_to_v, x_to_w = letters("x_to_v x_to_w", "P^a(x,v), P^a(x,w)")
now_v, now_w = letters("now_v now_w", "P(X_i=v), P(X_i=w)")
pi_v, pi_w = letters("pi_v pi_w", "pi(v), pi(w)")

left_v, left_w = letters("left_v left_w", "chances of the left node given X_i=v, w", at_least(0))
right_v, right_w = letters("right_v right_w", "chances of the right node", at_least(0))
both_v, both_w = letters("both_v both_w", "chances of both nodes given X_i=v, w")
e_left, e_right = letters("e_left e_right", "e to the influence of either node", at_least(1))

a, b = letters("a b", "the distances of the left and of the right node")
i, j = letters("i j", "indices of two records")
i_left, i_right = letters("i_left i_right", "the indices of the nodes of X_i")
j_left, j_right = letters("j_left j_right", "the indices of the nodes of X_j")
i_decay, i_decay_b = letters("i_decay i_decay_b", "exp(-g/2 distance) left and right of X_i")
j_decay, j_decay_b = letters("j_decay j_decay_b", "exp(-g/2 distance) left and right of X_j")
bound_i, bound_j = letters("bound_i bound_j", "e to the estimates for X_i and X_j")

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
    laws = Along(MarkovChain(of.start, of.step), of.length)
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
    says={"k = 2, any q": said_bounds.TWO_VALUES},
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
        a_permutation=Edit("k = 2", without=up + down < 2),
    )


def _degenerate(proof: Proof) -> None:
    left, right = DISTANCES
    product = reversed_product(PAIRS.step, PAIRS.start)
    one = Fraction(1)
    proof.counterexample(
        "pairs of neighbouring bits",
        "On this stationary chain the records 9 before and 8 after X_10 have the influence log "
        "2.38.., and the printed bound is at most log 2.1, although both distances are above the "
        "threshold 2 log 9 < 5. Rows of P are equal or have disjoint supports, so that P P* is a "
        "projection: its eigenvalues are 1, 1, 0 and g is 1, while the eigenvalue -4/5 of P makes "
        "the influence fall slowly",
        {
            "q = pi": "1/9 4/9 4/9",
            "P": "1/5 4/5 0; 0 0 1; 1/5 4/5 0",
            **{"T": 18, "i": 10, "a": left, "b": right, "g": 1},
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
        f"largest_ratio(both(backwards(q_pi, power(P, {left})), power(P, {right}))) > 21/10",
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
    says=said_bounds.SPECTRAL,
)
def eigengap_repaired(check: Check) -> None:
    """Prove it by the norms of P* on functions of mean 0."""
    once = x_to_v * now_w <= (1 + r) / (1 - r) * x_to_w * now_v
    proved(
        check,
        "any q",
        SIMPLE,
        _bound,
        one_term_for_the_left_side=Edit("backward", instead=once),
    )


def _two_values(proof: Proof) -> None:
    proof.inequality(
        "k = 2",
        "P(0,1) and P(1,0) are both positive, not both 1: P* = P, and P P* = P^2 has the "
        "eigenvalues 1 and (1 - up - down)^2 < 1",
        (1 - up - down) ** 2 < 1,
        [up > 0, down > 0, up <= 1, down <= 1, up + down < 2],
    )
    proof.cite(
        "simple eigenvalue",
        "the bound holds then",
        "song2017.lem-II3-repaired",
        met_by={GAP: "k = 2"},
    )


def _bound(proof: Proof) -> None:
    _norms(proof)
    _reversed(proof)
    _entries(proof)
    _ratios(proof)


def _norms(proof: Proof) -> None:
    proof.theorem(
        "a steps",
        "f has mean 0: |P*^a f|^2 <= (1 - g)^a |f|^2, as 1 is a simple eigenvalue of P P* and "
        "1 - g bounds the others",
        "textbook.Eigenvalues.contraction",
    )
    proof.identity(
        "the start",
        "f = 1_x/pi(x) - 1: |f|^2 = 1/pi(x) - 1",
        pi_x * (1 / pi_x - 1) ** 2 + (1 - pi_x),
        1 / pi_x - 1,
    )


def _reversed(proof: Proof) -> None:
    proof.cite("sums", "a step of P*^a is a sum of products", "lemma.finite-sums")
    proof.induction(
        "the reversed chain",
        "each term of pi(x) P^(a+1)(x,y) = pi(y) P*^(a+1)(y,x)",
        base=(Eq(pi_x * ahead, pi_y * behind), [Eq(behind * pi_y, pi_x * ahead)]),
        step=(
            Eq(pi_x * ahead * step, pi_y * step_back * behind),
            [Eq(pi_x * ahead, pi_z * behind), Eq(pi_z * step, pi_y * step_back)],
        ),
    )


def _entries(proof: Proof) -> None:
    proof.inequality(
        "one entry",
        "P^a(x,y)/pi(y) - 1 is P*^a f at y: pi(y) off^2 <= |P*^a f|^2 <= (1-g)^a/pi(x)",
        off**2 * pimin**2 <= shrunk,
        [
            pi_y * off**2 <= V,
            V * pi_x <= shrunk,
            pi_x >= pimin,
            pi_y >= pimin,
            pimin > 0,
            V >= 0,
            shrunk >= 0,
        ],
    )
    proof.enclosure(
        "exp(-g) is convex",
        "its second derivative; at 0 its value is 1, its slope -1",
        sympy.exp(-g),
        g,
        0,
        1,
    )
    proof.inequality(
        "1 - g <= exp(-g)",
        "Taylor at 0",
        falls >= 1 - g,
        [Eq(falls, 1 - g + curve * g**2 / 2), curve > 0, g >= 0, g <= 1],
    )


def _ratios(proof: Proof) -> None:
    _forward(proof)
    proof.cite(
        "averages",
        "P(X_i=v) is an average of P^a(x,v) over the law of X_(i-a), whatever q is: between "
        "pi(v) (1-r) and pi(v) (1+r)",
        "song2017.x-averages",
    )
    proof.inequality(
        "backward",
        "Bayes: P^a(x,v) P(X_i=w) / (P^a(x,w) P(X_i=v)), each between pi (1-r) and pi (1+r)",
        x_to_v * now_w <= ((1 + r) / (1 - r)) ** 2 * x_to_w * now_v,
        [
            x_to_v <= pi_v * (1 + r),
            x_to_w >= pi_w * (1 - r),
            now_w <= pi_w * (1 + r),
            now_v >= pi_v * (1 - r),
            pi_v > 0,
            pi_w > 0,
            x_to_v >= 0,
            now_w >= 0,
        ],
    )
    proof.cite("both sides", "multiply, as they are independent given X_i", "song2017.x-two-sides")
    proof.identity("as printed", "r = d/m", "(1 + d/m)/(1 - d/m)", "(m + d)/(m - d)")


def _forward(proof: Proof) -> None:
    """decay < pimin above the threshold: |off| <= decay/pimin = r < 1."""
    proof.inequality(
        "the threshold",
        "off^2 pimin^2 <= (1-g)^a <= exp(-g a)",
        And(off <= decay / pimin, off >= -decay / pimin, decay / pimin < 1),
        [off**2 * pimin**2 <= shrunk, shrunk <= decay**2, decay > 0, decay < pimin],
    )
    proof.inequality(
        "forward",
        "both entries are between pi(y) (1-r) and pi(y) (1+r)",
        v_to_y * (1 - r) <= w_to_y * (1 + r),
        [v_to_y <= pi_y * (1 + r), w_to_y >= pi_y * (1 - r), pi_y > 0],
    )


@claim(
    "song2017.x-two-sides",
    where="Appendix A-B, used in equation (26)",
    statement="On every chain, for 1 <= i-a < i < i+b <= T: e_theta({X_(i-a),X_(i+b)}|X_i) <= "
    "e_theta(X_(i-a)|X_i) + e_theta(X_(i+b)|X_i).",
    kind="lemma",
    says=said_influence.TWO_SIDES,
)
def two_sides(check: Check) -> None:
    """Prove it by independence of the sides given X_i; if a term on the right is infinite there
    is nothing to show.
    """
    one = Edit("products of ratios", instead=both_v <= e_left * both_w)
    proved(check, "as stated", "all finite chains, zeros included", _sides, one_factor_only=one)


def _sides(proof: Proof) -> None:
    proof.cite(
        "independent given X_i",
        "the chances of both nodes are products",
        "song2017.x-markov",
    )
    proof.inequality(
        "products of ratios",
        "each factor is within its influence",
        both_v <= e_left * e_right * both_w,
        [
            Eq(both_v, left_v * right_v),
            Eq(both_w, left_w * right_w),
            left_v <= e_left * left_w,
            right_v <= e_right * right_w,
        ],
    )


@claim(
    "song2017.III3-positionfree",
    where="Appendix A-A",
    statement="With Lemma II.3 as the estimate, e_theta({X_(i-a),X_(i+a)}|X_i) = "
    "e_theta({X_(j-a),X_(j+a)}|X_j) for any i and j: it depends only on the distances to the "
    "quilt.",
    kind="remark",
    says={
        "right node X_(i+a)": positions.SAME_DISTANCES,
        "right node X_(i+b)": positions.TWO_DISTANCES,
    },
)
def position_free(check: Check) -> None:
    """Prove it of the formula; the exact influence depends on the position."""
    farther = Edit("the same distances", without=Eq(j_right, j + b), given=Eq(j_right, j + b + 1))
    for name, right in (("right node X_(i+a)", "a"), ("right node X_(i+b)", "b")):
        proved(
            check,
            name,
            f"all i, j with both nodes, distances a and {right}",
            _formula,
            a_right_node_one_step_farther=farther,
            the_exact_influence=_exact,
        )


def _exact(proof: Proof) -> None:
    proof.exhaust(
        "i = 2 and j = 3",
        "T = 4, a = b = 1, q = 1 0",
        [chain("1 0", "1/2 1/2;1/4 3/4", 4)],
        lambda of: influence(of, 2, [1, 3]) == influence(of, 3, [2, 4]),
    )


def _formula(proof: Proof) -> None:
    proof.inequality(
        "the same distances",
        "of the nodes of X_i and of X_j",
        And(Eq(i - i_left, j - j_left), Eq(i_right - i, j_right - j)),
        [Eq(i_left, i - a), Eq(i_right, i + b), Eq(j_left, j - a), Eq(j_right, j + b)],
    )
    proof.inequality(
        "the same estimate",
        "equal at equal distances. pimin is above exp(-g/2 distance), or both estimates are "
        "infinite",
        Eq(bound_i, bound_j),
        [
            Eq(bound_i, _estimate(i_decay, i_decay_b)),
            Eq(bound_j, _estimate(j_decay, j_decay_b)),
            Eq(i_decay, j_decay),
            Eq(i_decay_b, j_decay_b),
            pimin > i_decay,
            pimin > i_decay_b,
            i_decay > 0,
            i_decay_b > 0,
        ],
    )


def _estimate(left: sympy.Expr, right: sympy.Expr) -> sympy.Expr:
    """e to the bound of Lemma II.3, from exp(-g/2 distance) of both nodes."""
    return ((pimin + left) / (pimin - left)) ** 2 * (pimin + right) / (pimin - right)
