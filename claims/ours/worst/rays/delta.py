"""The best delta of several releases within pure budgets: columns refined to rays, programs, and
what adaptivity adds.

For an order (mu, nu) and a ratio E >= 1 the joint release has delta = sum over its outputs of
max(0, <mu, w> - E <nu, w>), w the column of the output. Splitting an output into several, which
keeps the sum of columns, never lowers it.
"""

from pufferproof.claims.ours.worst.statements.delta import releases as says
from pufferproof.claims.registry import Check, claim


@claim(
    "worst.delta-refinement",
    where="(epsilon, delta)",
    statement="Replacing a column of a mechanism of level R by finitely many columns of C_R with "
    "the same sum gives a mechanism of level R, and no joint release has a smaller delta: the "
    "largest delta of K releases is that of mechanisms whose columns are multiples of extreme "
    "rays of the cone of columns that occur, sum_r alpha_r r = 1, alpha >= 0.",
    says=says.REFINEMENT,
)
def delta_refinement(check: Check) -> None:
    """Prove that the positive part is subadditive and that products distribute over the split.

    One more part: M is the sum of the values of the first parts, N of their positive parts, m the
    value of the next: max(0, M) <= N. Two parts: the whole and its parts. Products with other
    columns: An output's column v + w splits every joint output of it: the entries (v + w) z are the
    sum of v z and w z, so the values <mu, .> - E <nu, .> add up. Rays: every column is a finite sum
    of extreme rays of the cone [worst.rays-span]. Equal rays may be merged again: Outputs with
    columns s r and t r: the positive parts of s x and t x, s, t >= 0, add up to that of (s + t) x,
    x = m.
    """
    name = "as stated"
    check.tried(name)


@claim(
    "worst.delta-programs",
    where="(epsilon, delta)",
    statement="For columns that are multiples alpha_r r of rays the delta of independent releases "
    "is linear in the alpha of each release separately (K = 2: bilinear), so a largest one is "
    "at vertices of {alpha >= 0 : sum alpha_r r = 1}. Adaptive: delta = sum_r alpha_r V(mu o "
    "r, nu o r), V the largest delta of the rest, so K layers of linear programs solve it.",
    assumes=["one order (mu, nu); the maximum over orders is taken afterwards"],
    says={"multilinear": says.MULTILINEAR, "layers": says.LAYERS},
)
def delta_programs(check: Check) -> None:
    """Prove both forms, output by output.

    Multilinear. At a joint output alpha_r and the factor of the others leave the positive part:
    max(0, alpha others x) = alpha others max(0, x). So delta is linear in each release; a linear
    function on a polytope is largest at a vertex.

    Layers. After the first output r the laws are mu o r and nu o r up to alpha_r: the rest
    contributes alpha_r times its delta, at most V_r there, and a best mechanism after each r
    reaches V_r, which does not depend on alpha.
    """
    name = "multilinear"
    check.tried(name)
    name = "layers"
    check.tried(name)


@claim(
    "worst.delta-adaptive",
    where="(epsilon, delta)",
    statement="For delta adaptivity can be strictly stronger. Databases a1, a2, b1, b2, secrets "
    "{a1, a2} and {b1, b2}, laws (1/4, 3/4) and (1/2, 1/2), two mechanisms of level 0: at "
    "epsilon = 0 independent ones have delta at most 2/3, and choosing the second by the "
    "output of the first reaches 3/4. At level 0 with fewer databases and one pair and prior "
    "there is nothing to choose.",
    says={
        "independent: at most 2/3": says.INDEPENDENT,
        "adaptive: 3/4": says.ADAPTIVE,
        "three databases: no choice": says.NO_CHOICE,
    },
)
def delta_adaptive(check: Check) -> None:
    """Prove it through couplings: a ray on {a_i, b_j} stands for a cell of a 2 x 2 table with
    the two laws as margins.

    Independent: at most 2/3. The tables of worst.delta-two-and-two, p = 1/4 and q = 1/2: delta = 1
    - sum of U V min(1/mu_i, 1/nu_j), the minima being 2, 2, 4/3, 4/3 for the cells 11, 12, 21, 22
    [worst.one-pair-rays], [worst.delta-refinement].

    Adaptive: 3/4. First s = 0; then t = 1/4 after the cells 12 and 21, t = 0 after 22.

    Three databases: no choice. Given a secret with a single database the table has one row, V_1j =
    nu_j.
    """
    name = "independent: at most 2/3"
    check.tried(name)
    name = "adaptive: 3/4"
    check.tried(name)
    name = "three databases: no choice"
    check.tried(name)
