"""Markov chains: the setting, their quilts, the parameters of a class, and the condition of the
influence bounds.

Nodes are integers, so that two different ones are at least 1 apart. Source: wang2016, section 4.3.
"""

from fractions import Fraction
from itertools import product

from pufferproof.claims.language import PRINTED, Edit, Proof, letter, letters, proved
from pufferproof.claims.papers.wang2016 import said
from pufferproof.claims.papers.wang2016.chains import statements as said_chains
from pufferproof.claims.registry import Check, claim
from pufferproof.models.priors.structure import is_irreducible, period

u, v = letters("u v", "the nodes i - a and i + b, 0 and T + 1 for a side without one")
w = letter("w", "an output")
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
    kind="lemma",
    says={"both sides, or one": said.ON_CHAINS},
)
def lemma(check: Check) -> None:
    """The three sentences are one: {X_(i-a), X_(i+b)} has l = i - a + 1 and h = i + b, and where a
    side has no node l = 0 or h is the number of records. Every node has one part, and a quilt node
    lies between X_i and each remote node, so that X_R is independent of X_i given X_Q
    [song2017.x-separated].
    """
    check.stated("both sides, or one")


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
    """What the condition implies, and two chains without it.

    Records that are all equal: the start is never forgotten; records that alternate: the start is
    never forgotten. Entries of P^t: the chances of 0 t records later. Their sum is 1 and their
    product 0. The influence is infinite: one of them is 0 and the other 1, at every distance: no R
    bounds both ratios of the chances of 0 given the two values of the start.

    Records that are all equal: the sum needs scale T/eps. Exponents at w = 0: the sum is 0 or T,
    and |w - T| - |w - 0| = T there. A level of eps needs T/eps: L is at most epsilon only if s >=
    T/epsilon.
    """
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
    for name, _stay in (("records that are all equal", 1), ("records that alternate", 0)):
        check.tried(f"{name}: the start is never forgotten")
    check.tried("records that are all equal: the sum needs scale T/eps")


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
    says={PRINTED: said_chains.COMPLEXITY},
)
def complexity(check: Check) -> None:
    """i (T+1-i) candidates at node i, imaginary ends included.

    1 + .. + n: . Scores of all nodes: the sum of i (T+1-i); for T + 1 every term grows by i, and
    the last is T + 1: by 1 + .. + (T+1). Cubic: between T^3/6 and T^3. One node: at most T^2
    scores.
    """
