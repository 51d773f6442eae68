"""Markov chains: the setting, their quilts, the parameters of a class, and the condition of the
influence bounds.

Nodes are integers, so that two different ones are at least 1 apart. Source: wang2016, section 4.3.
"""

from fractions import Fraction
from functools import partial
from itertools import product

import sympy
from sympy import Abs, And, Eq, Ne, Or

from pufferproof.claims.language import PRINTED, Edit, Proof, letter, letters, proved
from pufferproof.claims.papers.song2017.mechanism.quilts import APART
from pufferproof.claims.papers.song2017.statements import quilts as said_quilts
from pufferproof.claims.papers.wang2016.chains import statements as said_chains
from pufferproof.claims.registry import Check, claim
from pufferproof.models.priors.structure import is_irreducible, period

T = letter("T", "the number of records of a chain; after a matrix, its transpose")
i = letter("i", "the index of the private record")
a, b = letters("a b", "the distances of the left and of the right quilt node from X_i")
u, v = letters("u v", "the nodes i - a and i + b, 0 and T + 1 for a side without one")
n, r = letters("n r", "a near node, or any node; a remote node")
p = letter("p", "the chance to stay, P(0,0) = P(1,1)")
x, y = letters("x y", "P^t(0,0), P^t(1,0)")
R = letter("R", "a bound of ratios")
w = letter("w", "an output")
s = letter("s", "the scale of the noise")
L = letter("L", "the logarithm of the ratio of densities at w = 0")
e = letter("e", "epsilon")
numbers, count = letters("numbers count", "1 + 2 + .. and how many numbers this sum has")
C = letter("C", "the number of scores of all nodes")
Matrix = tuple[tuple[Fraction, ...], ...]


@claim(
    "wang2016.setting-chain",
    where="section 4.3",
    statement="X_1 -> ... -> X_T with values in [k]; X_{t+1} is independent of X_tau, tau < t, "
    "given X_t; each theta is a k x k transition matrix P_theta, the same at all times.",
    kind="definition",
)
def setting(check: Check) -> None:
    for name in ("initial law arbitrary", "initial law fixed", "initial law stationary"):
        with check.reading(name) as proof:
            proof.definition("law of X_1", f"{name}; not said in print")


@claim(
    "wang2016.lem-4.5",
    where="Lemma 4.5",
    statement="On every Markov chain X_1..X_T, for 1 <= i <= T and a, b >= 1 with i-a >= 1 and i+b "
    "<= T where they occur: {X_{i-a},X_{i+b}} is a quilt of X_i with N = i-a+1..i+b-1 and the "
    "rest remote; {X_{i+b}} with N = 1..i+b-1; {X_{i-a}} with N = i-a+1..T.",
    kind="lemma",
    says=dict.fromkeys(("both sides", "right side", "left side"), said_quilts.NEARBY),
)
def lemma(check: Check) -> None:
    """The parts, for all integers; a quilt node between X_i and every remote node gives
    independence.
    """
    for name, (left, right) in SIDES.items():
        wider = [
            Edit(step, without=_near(0, 0), given=_near(left, right))
            for step in ("and only one", "no arrow between N and the remote nodes")
        ]
        proved(
            check,
            name,
            "all positive integers a, b, i, every T and every law over the chain",
            partial(_quilt, left=left, right=right),
            N_one_node_larger=wider,
        )


SIDES = {"both sides": (1, 1), "right side": (0, 1), "left side": (1, 0)}


def _near(left: int, right: int) -> sympy.Basic:
    """n is in N, and N has so many nodes more on either side."""
    return And(n >= u + 1 - left, n <= v - 1 + right)


def _quilt(proof: Proof, left: int, right: int) -> None:
    """A quilt with a left or a right node, or both."""
    given = [
        Eq(u, i - a if left else 0),
        Eq(v, i + b if right else T + 1),
        *[a >= 1, b >= 1, i >= 1, i <= T],
        *([i - a >= 1] if left else []),
        *([i + b <= T] if right else []),
    ]
    remote = Or(r <= u - 1, r >= v + 1)
    _parts(proof, given, remote)
    proof.inequality(
        "i and the remote nodes are outside the quilt",
        "X_i is near: it lies between u and v",
        And(u < i, i < v, Ne(r, u), Ne(r, v)),
        [remote, *given],
    )
    proof.inequality(
        "a quilt node between",
        "u or v lies strictly between i and the remote node r, and is a node of the chain",
        Or(And(r < u, u < i, u >= 1), And(r > v, v > i, v <= T)),
        [remote, r >= 1, r <= T, *given],
    )
    proof.cite(
        "independence",
        "so that X_R is independent of X_i given X_Q, whatever the law of X_1",
        "song2017.x-separated",
        met_by={APART: "i and the remote nodes are outside the quilt"},
    )


def _parts(proof: Proof, given: list[sympy.Basic], remote: sympy.Basic) -> None:
    nodes = [n >= 1, n <= T, r >= 1, r <= T]
    apart = [Or(n <= end - 1, Eq(n, end), n >= end + 1) for end in (u, v)]  # n is an integer
    proof.case_split(
        "every node has a part",
        "near, remote on the left, remote on the right, or in the quilt",
        [And(n >= u + 1, n <= v - 1), n <= u - 1, n >= v + 1, Eq(n, u), Eq(n, v)],
        [*apart, *given, n >= 1, n <= T],
    )
    proof.inequality(
        "and only one",
        "n is a near node, r a remote one: neither is in the quilt, and they are different",
        And(Ne(n, u), Ne(n, v), Ne(r, u), Ne(r, v), Ne(n, r)),
        [_near(0, 0), remote, *nodes, *given],
    )
    proof.inequality(
        "no arrow between N and the remote nodes",
        "arrows join neighbours n, n + 1",
        Abs(n - r) >= 2,
        [_near(0, 0), remote, *nodes, *given],
    )


@claim(
    "wang2016.def-pi-g",
    where="section 4.3",
    statement="pi_Theta is the least pi_theta(x) over all values x and theta in Theta; g_Theta is "
    "the least over theta of min{1-|lam| : P_theta x = lam x for a vector x that is not 0, lam "
    "< 1}.",
    kind="definition",
)
def parameters(check: Check) -> None:
    for name, text in (
        (
            "real eigenvalues below 1",
            "non-real eigenvalues are not compared with 1, and do not count",
        ),
        ("all eigenvalues other than 1", "non-real eigenvalues count with their absolute values"),
    ):
        with check.reading(name) as proof:
            proof.definition(
                "lam < 1",
                f"{text}; reversible chains have real eigenvalues only: the readings agree there",
            )
            proof.definition("lam = -1", "a chain of period 2 has g = 0")
            proof.definition(
                "one state", "no eigenvalue below 1: the minimum over nothing is infinite"
            )


@claim(
    "wang2016.cond-4.6",
    where="Condition 4.6 and the remarks after it",
    statement="Every P_theta is irreducible, aperiodic (hence has a unique stationary law) and "
    "reversible, pi_Theta > 0, g_Theta > 0. Without a stationary law (every finite chain has "
    "one: read, without a law that it tends to from every start) the influence of the start "
    "may not decay, and O(T) noise may be needed.",
    kind="condition and remarks",
    says={
        "records that are all equal: the start is never forgotten": said_chains.ALL_EQUAL,
        "records that alternate: the start is never forgotten": said_chains.ALTERNATING,
        "records that are all equal: the sum needs scale T/eps": said_chains.SCALE,
    },
    unsaid={
        "irreducible and aperiodic chains have one stationary law": "The step lists the matrices "
        "that the reading speaks of, and solves for their stationary laws."
    },
)
def condition(check: Check) -> None:
    """What the condition implies, and two chains without it."""
    with check.reading("the condition") as proof:
        proof.definition(
            "infinite classes",
            "pi_Theta and g_Theta are infima, which may be 0 though each theta has positive ones",
        )
    proved(
        check,
        "irreducible and aperiodic chains have one stationary law",
        "all matrices of 2 and 3 states with entries in halves and thirds",
        _stationary,
        reducible_ones_too=Edit("stationary laws", holds=lambda rows: _null(rows) == 1),
    )
    for name, stay in (("records that are all equal", 1), ("records that alternate", 0)):
        quarter = Edit("entries of P^t", without=Eq(p, stay), given=Eq(p, sympy.Rational(3, 4)))
        proved(
            check,
            f"{name}: the start is never forgotten",
            "two states, every distance",
            partial(_never_forgotten, stay=stay),
            **{"change 1/4": quarter},
        )
    proved(
        check,
        "records that are all equal: the sum needs scale T/eps",
        "every T and epsilon, Laplace noise of scale s on the sum",
        _linear,
        twice_that_is_needed=Edit("a level of eps needs T/eps", put={T: 2 * T}),
    )


def _stationary(proof: Proof) -> None:
    proof.exhaust(
        "stationary laws", "P^T - 1 has a null space of dimension 1", _matrices(), _one_law
    )


def _matrices() -> list[Matrix]:
    found: list[Matrix] = []
    for states, parts in ((2, 2), (2, 3), (3, 2), (3, 3)):
        rows = [
            tuple(Fraction(v, parts) for v in w)
            for w in product(range(parts + 1), repeat=states)
            if sum(w) == parts
        ]
        found += product(rows, repeat=states)
    return found


def _null(rows: Matrix) -> int:
    from flint import fmpq, fmpq_mat

    entries = [[v - (1 if j == k else 0) for k, v in enumerate(row)] for j, row in enumerate(rows)]
    return len(rows) - int(
        fmpq_mat([[fmpq(v.numerator, v.denominator) for v in row] for row in entries]).rank()
    )


def _one_law(rows: Matrix) -> bool:
    return not is_irreducible(rows) or period(rows) != 1 or _null(rows) == 1


def _never_forgotten(proof: Proof, stay: int) -> None:
    proof.induction(
        "entries of P^t",
        "the chances of 0 t records later. Their sum is 1 and their product 0",
        base=(And(Eq(x + y, 1), Eq(x * y, 0)), [Eq(x, p), Eq(y, 1 - p), Eq(p, stay)]),
        step=(
            And(
                Eq((p * x + (1 - p) * y) + ((1 - p) * x + p * y), 1),
                Eq((p * x + (1 - p) * y) * ((1 - p) * x + p * y), 0),
            ),
            [Eq(x + y, 1), Eq(x * y, 0), Eq(p, stay)],
        ),
    )
    proof.inequality(
        "the influence is infinite",
        "one of them is 0 and the other 1, at every distance: no R bounds both ratios of the "
        "chances of 0 given the two values of the start",
        Or(x > R * y, y > R * x),
        [Eq(x + y, 1), Eq(x * y, 0)],
    )


def _linear(proof: Proof) -> None:
    proof.inequality(
        "exponents at w = 0",
        "the sum is 0 or T, and |w - T| - |w - 0| = T there",
        Eq(L * s, T),
        [Eq(w, 0), Eq(L * s, Abs(w - T) - Abs(w)), T >= 1],
    )
    proof.inequality(
        "a level of eps needs T/eps",
        "L is at most epsilon only if s >= T/epsilon",
        s * e >= T,
        [Eq(L * s, T), L <= e, s > 0, e > 0, T >= 1],
    )


@claim(
    "wang2016.SQi",
    where="section 4.3, equation (8)",
    statement="S_{Q,i} = {{X_{i-a},X_{i+b}}, {X_{i-a}}, {X_{i+b}}, {} : a in {log(1/pi)/g .. i-1}, "
    "b in {log(1/pi)/g .. T-i}} is the set of quilts of X_i that is searched.",
    kind="definition",
)
def quilts(check: Check) -> None:
    for name in (
        "lower end rounded up",
        "next integer strictly above",
        "literal: the real number log(1/pi)/g and steps of 1",
    ):
        with check.reading(name) as proof:
            proof.definition(
                "distances", f"{name}; an integer a has exp(-g a) <= pi, and < pi if strictly above"
            )
    for name, text in (
        (
            "each form when its own index exists",
            "the empty quilt is always there, so S_{Q,i} is not empty",
        ),
        (
            "literal pairs (a, b)",
            "at ends and in short chains there is no pair, S_{Q,i} is empty and the mechanism "
            "undefined",
        ),
    ):
        with check.reading(name) as proof:
            proof.definition("forms", text)


@claim(
    "wang2016.complexity",
    where="introduction, section 4.3, appendix B.2",
    statement="With g and pi known a score costs O(1) and the mechanism O(T^3), counted in scores; "
    "the optimised version O(T^2) in some good cases, those in which one node is searched.",
    kind="remark",
    says=said_chains.COMPLEXITY,
)
def complexity(check: Check) -> None:
    """i (T+1-i) candidates at node i, imaginary ends included."""
    square = Edit("cubic", instead=And(6 * C >= T**3, C <= T**2))
    proved(check, PRINTED, "every T", _count, **{"O(T^2) always, with constant 1": square})


def _count(proof: Proof) -> None:
    proof.induction(
        "1 + .. + n",
        "",
        base=(Eq(2 * numbers, count * (count + 1)), [Eq(numbers, 1), Eq(count, 1)]),
        step=(
            Eq(2 * (numbers + count + 1), (count + 1) * (count + 2)),
            [Eq(2 * numbers, count * (count + 1))],
        ),
    )
    proof.induction(
        "scores of all nodes",
        "the sum of i (T+1-i); for T + 1 every term grows by i, and the last is T + 1: by 1 + .. + "
        "(T+1)",
        base=(Eq(6 * C, T * (T + 1) * (T + 2)), [Eq(C, 1), Eq(T, 1)]),
        step=(
            Eq(6 * (C + numbers), (T + 1) * (T + 2) * (T + 3)),
            [Eq(6 * C, T * (T + 1) * (T + 2)), Eq(2 * numbers, (T + 1) * (T + 2))],
        ),
    )
    proof.inequality(
        "cubic",
        "between T^3/6 and T^3",
        And(6 * C >= T**3, C <= T**3),
        [Eq(6 * C, T * (T + 1) * (T + 2)), T >= 1],
    )
    proof.inequality("one node", "at most T^2 scores", i * (T + 1 - i) <= T**2, [i >= 1, i <= T])
