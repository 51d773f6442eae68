"""When joint leakage stays finite for every number of releases: inequalities of
differential-privacy type are implied.

(a) L*_K is finite for all K; (b) it is for K = max |supp nu|; (c) for every (mu, nu) and x in supp
  mu there is y in supp nu with u_x > 0 => u_y > 0 on the cone; (d) for these, u_x <= kappa u_y on
  the cone. The cone is that of columns that occur, the same for each release; with different
  budgets the largest one decides finiteness from above.
"""

from pufferproof.claims.ours.worst.statements import collapse as says
from pufferproof.claims.registry import Check, claim


@claim(
    "worst.finite-equivalences",
    where="Theorem B",
    statement="For mechanisms of one level R >= 1 these are equivalent: (a) L*_K is finite for all "
    "K; (b) L*_K is finite for K = max |supp nu| over (mu, nu) in T; (c) for every (mu, nu) in "
    "T and x in supp mu some y in supp nu has u_y > 0 for all u with u_x > 0 in the cone of "
    "columns that occur; (d) for every (mu, nu) in T and x in supp mu some y in supp nu and "
    "some constant kappa have u_x <= kappa u_y for all u in that cone. In (b) the largest "
    "|supp nu| over the (mu, nu) with supp mu not inside supp nu is enough.",
    says={
        "(b) => (c): what (c) lacks gives a collapse": says.COLLAPSE,
        "(c) => (d): finitely many rays": says.CONSTANTS,
        "(d) => (a): an explicit bound": says.FINITE,
    },
)
def finite_equivalences(check: Check) -> None:
    """Prove (a) => (b) => (c) => (d) => (a).

    (b) => (c): what (c) lacks gives a collapse. If (c) fails at (mu, nu) and x, each y in supp nu
    has a column u(y) with u_x > 0 = u_y: their product, one factor for each y and constant columns
    for further releases, is positive at x and zero at all of supp nu; products of K columns occur
    at a joint output [worst.vertices].

    (c) => (d): finitely many rays. A column is a finite sum of extreme rays, of which there are
    finitely many [worst.rays-span]: kappa is the largest u_x/u_y over extreme rays with u_x > 0,
    where u_y > 0 is known.

    (d) => (a): an explicit bound. A product of K columns has v <= kappa^K p for its entries at x
    and y; nu_y p <= N = <nu, w>, and nu_y >= b, the smallest positive entry of nu: v <= kappa^K
    N/b. Averaged over x, L*_K <= kappa^K/b, kappa the largest for the chosen pairs x, y.
    """
    name = "(b) => (c): what (c) lacks gives a collapse"
    check.tried(name)
    name = "(c) => (d): finitely many rays"
    check.tried(name)
    name = "(d) => (a): an explicit bound"
    check.tried(name)


@claim(
    "worst.finite-certificates",
    where="Theorem B",
    statement="kappa u_y - u_x = sum_i lambda_i (R <nu_i, u> - <mu_i, u>) + <sigma, u> as linear "
    "forms, lambda, sigma >= 0, implies u_x <= kappa u_y on C_R; and if for given x, y no such "
    "combination exists for any kappa, some u in C_R has u_x > 0 = u_y.",
    kind="lemma",
    says={"soundness": says.SOUND, "completeness": says.COMPLETE},
)
def finite_certificates(check: Check) -> None:
    """Prove soundness by adding inequalities; completeness from the theorem of the alternative.

    Soundness. Multiples of inequalities add up to kappa u_y - u_x >= 0.

    Completeness. A column is a finite sum of extreme rays, of which there are finitely many
    [worst.rays-span]: kappa, or any t >= kappa, is the largest u_x/u_y over extreme rays with u_x >
    0. A linear inequality that holds on {u >= 0 : <row_i, u> >= 0} is a combination with weights >=
    0 of them [textbook.Farkas.farkas].
    """
    name = "soundness"
    check.tried(name)
    name = "completeness"
    check.tried(name)
