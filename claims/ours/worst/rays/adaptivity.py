"""How much adaptivity adds to delta: two databases for each of two secrets, two mechanisms of level
0. `pufferproof explore --formula` tried the factor 4/3 first.

As in `worst.delta-adaptive` a column is on one database of each secret, and mechanisms are tables
with the two laws as margins.
"""

from pufferproof.claims.ours.worst.statements.delta import adaptivity as says
from pufferproof.claims.registry import Check, claim

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
    """Choose the second table after each cell of the first, and compare with two fixed pairs.

    Adaptive. Rays: for level 0 they are e_(a_i)/mu_i + e_(b_j)/nu_j up to scale
    [worst.one-pair-rays]. Refinement: mechanisms are tables with margins mu, nu
    [worst.delta-refinement]. Layers: after each output the second is chosen freely
    [worst.delta-programs]. Tables: row i sums to mu_i and column j to nu_j: one number t from 0 to
    p. The joint output (ij, kl): Its column is U V times the product of two rays, of value U V/mu_i
    if the cells share only the row i, U V (1/mu_i - 1/nu_j) if they are equal, and not positive
    otherwise. Summed over the cells of row i, of V-mass mu_i: cell1 = U, cell2 = V, row = 1/mu_i,
    column = 1/nu_j. At E = 1 both orders have the same delta. The larger margin: min(1/mu_i,
    1/nu_j) is 1/q at 11, 1/(1 - q) at 12, 1/(1 - p) at 21 and 22. After each cell: the loss after a
    cell is its mass in the first table, times its mass in the table chosen then, over the larger
    margin, 1 - p at 21 and 22. That has the corner t after 21, t2 after 22, and what is lost after
    11 and 12 is rest/(1 - p), 0 for the corners 0 and p. So the loss is least for t = p and t2 = 0.
    The first table: what is least after each cell is least at s = 0.

    At most 4/3. From "Rays" to "The larger margin": as above. Two pairs of tables: independent
    releases have at least 1 - same and 1 - other; with adaptive ones 1 - lost. Equal at p = q =
    1/4: adaptive releases have 1 - 1/3 = 2/3; independent ones lose at least 1/2.
    """
    check.tried("adaptive")
    check.tried("at most 4/3")
