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

    Adaptive. For level 0 the rays are e_(a_i)/mu_i + e_(b_j)/nu_j up to scale
    [worst.one-pair-rays], mechanisms are tables with margins mu, nu [worst.delta-refinement], given
    by one number t from 0 to p, and after each output the second is chosen freely
    [worst.delta-programs]. The joint output (ij, kl) has a column of value U V/mu_i if the cells
    share only the row i, U V (1/mu_i - 1/nu_j) if they are equal, and not positive otherwise. At E
    = 1 both orders have the same delta. min(1/mu_i, 1/nu_j) is 1/q at 11, 1/(1 - q) at 12, 1/(1 -
    p) at 21 and 22: the loss after a cell is its mass in the first table, times its mass in the
    table chosen then, over the larger margin. It is least for the corner t = p after 21, t2 = 0
    after 22, and nothing is lost after 11 and 12; over the first table it is least at s = 0.

    At most 4/3. Independent releases are two pairs of tables: compare the losses; at p = q = 1/4
    adaptive releases have 2/3, independent ones lose at least 1/2.
    """
