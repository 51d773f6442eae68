"""How much adaptivity adds to delta: two databases for each of two secrets, two mechanisms of level
0. `pufferproof explore --formula` tried the factor 4/3 first.

As in `worst.delta-adaptive` a column is on one database of each secret, and mechanisms are tables
with the two laws as margins.
"""

from sympy import Eq, Rational

from pufferproof.claims.language import Edit, Proof, at_least, between, letter, proved
from pufferproof.claims.ours.worst.rays.delta import c12, c21, c22, joint_output
from pufferproof.claims.ours.worst.statements.delta import adaptivity as says
from pufferproof.claims.registry import Check, claim

half = Rational(1, 2)
p = letter("p", "the probability of a1 given its secret", between(0, half))
q = letter("q", "the probability of b1 given its secret", between(0, half))
s = letter("s", "the mass of a1, b1 in the first table, at most p", at_least(0))
t = letter("t", "the mass of a1, b1 in a second table, at most p", at_least(0))
t2 = letter("t2", "the mass of a1, b1 in the table chosen after the cell 22", at_least(0))
rest = letter("rest", "1 - p times what is lost after the cells 11 and 12", at_least(0))
loss = letter("loss", "1 - delta of two releases")
lost = letter("lost", "1 - delta of the best adaptive releases")
same = letter("same", "1 - delta of two tables that have no mass on a1, b1")
other = letter("other", "1 - delta of two tables with no mass and mass p on a1, b1")

ORDERED = [p <= q, p > 0]
NOTATION = {"mu, nu": "(p, 1 - p) and (q, 1 - q), the laws given either secret"}


@claim(
    "worst.delta-two-and-two",
    where="(epsilon, delta)",
    statement="Databases a1, a2, b1, b2, secrets {a1, a2} and {b1, b2}, laws (p, 1 - p) and (q, 1 "
    "- q), 0 < p <= q <= 1/2, which is every case up to names; two mechanisms of level 0, and "
    "delta at epsilon = 0. If the second may be chosen by the output of the first, the largest "
    "delta is 1 - (q (q - p) + (1 - p - q)^2)/(1 - p). It is at most 4/3 of the largest delta of "
    "independent ones, and equal to that at p = q = 1/4.",
    says={"adaptive": says.ADAPTIVE, "at most 4/3": says.FACTOR},
)
def delta_two_and_two(check: Check) -> None:
    """Choose the second table after each cell of the first, and compare with two fixed pairs."""
    proved(
        check,
        "adaptive",
        "all mechanisms of level 0",
        _adaptive,
        a_law_above_one_half=Edit("the first table", without=q <= half),
    )
    proved(
        check,
        "at most 4/3",
        "all p and q of the statement",
        _factor,
        at_most_13_tenths=Edit("two pairs of tables", put={Rational(4, 3): Rational(13, 10)}),
    )


def _adaptive(proof: Proof) -> None:
    _tables(proof)
    proof.inequality(
        "after each cell",
        "the loss after a cell is its mass in the first table, times its mass in the table chosen "
        "then, over the larger margin, 1 - p at 21 and 22. That has the corner t after 21, t2 "
        "after 22, and what is lost after 11 and 12 is rest/(1 - p), 0 for the corners 0 and p. So "
        "the loss is least for t = p and t2 = 0",
        loss * (1 - p) >= (q - s) * (q - p) + (1 - p - q + s) * (1 - p - q),
        [
            *ORDERED,
            q <= half,
            s <= p,
            t <= p,
            Eq(loss * (1 - p), rest + (q - s) * (q - t) + (1 - p - q + s) * (1 - p - q + t2)),
        ],
    )
    proof.inequality(
        "the first table",
        "what is least after each cell is least at s = 0",
        lost <= loss,
        [
            *ORDERED,
            q <= half,
            loss * (1 - p) >= (q - s) * (q - p) + (1 - p - q + s) * (1 - p - q),
            Eq(lost * (1 - p), q * (q - p) + (1 - p - q) ** 2),
        ],
    )


def _tables(proof: Proof) -> None:
    proof.cite(
        "rays",
        "for level 0 they are e_(a_i)/mu_i + e_(b_j)/nu_j up to scale",
        "worst.one-pair-rays",
    )
    proof.cite("refinement", "mechanisms are tables with margins mu, nu", "worst.delta-refinement")
    proof.cite("layers", "after each output the second is chosen freely", "worst.delta-programs")
    proof.inequality(
        "tables",
        "row i sums to mu_i and column j to nu_j: one number t from 0 to p",
        Eq(c12, p - t) & Eq(c21, q - t) & Eq(c22, 1 - p - q + t),
        [Eq(t + c12, p), Eq(t + c21, q), Eq(c21 + c22, 1 - p)],
    )
    joint_output(proof)
    proof.inequality(
        "the larger margin",
        "min(1/mu_i, 1/nu_j) is 1/q at 11, 1/(1 - q) at 12, 1/(1 - p) at 21 and 22",
        (p <= 1 - q) & (q <= 1 - p) & (1 - q <= 1 - p),
        [p <= q, q <= half],
    )


def _factor(proof: Proof) -> None:
    _tables(proof)
    proof.inequality(
        "two pairs of tables",
        "independent releases have at least 1 - same and 1 - other; with adaptive ones 1 - lost",
        (1 - lost <= Rational(4, 3) * (1 - same)) | (1 - lost <= Rational(4, 3) * (1 - other)),
        [
            *ORDERED,
            q <= half,
            Eq(lost * (1 - p), q * (q - p) + (1 - p - q) ** 2),
            Eq(
                same * (1 - p) * (1 - q),
                p**2 * (1 - p) + (q**2 + (1 - p - q) ** 2) * (1 - q),
            ),
            Eq(other * (1 - p), q * (q - p) + (1 - p - q) * (1 - q)),
        ],
    )
    quarter = Rational(1, 4)
    weights = [4, Rational(4, 3), Rational(4, 3), Rational(4, 3)]
    first, second = ([x, quarter - x, quarter - x, half + x] for x in (s, t))
    proof.inequality(
        "equal at p = q = 1/4",
        "adaptive releases have 1 - 1/3 = 2/3; independent ones lose at least 1/2",
        (2 * loss >= 1) & Eq(1 - lost, Rational(2, 3)),
        [
            Eq(lost * (1 - quarter), half**2),
            Eq(loss, sum(w * x * y for w, x, y in zip(weights, first, second))),
            4 * s <= 1,
            4 * t <= 1,
        ],
    )
