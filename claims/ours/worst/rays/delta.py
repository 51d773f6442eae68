"""The best delta of several releases within pure budgets: columns refined to rays, programs, and
what adaptivity adds.

For an order (mu, nu) and a ratio E >= 1 the joint release has delta = sum over its outputs of
max(0, <mu, w> - E <nu, w>), w the column of the output. Splitting an output into several, which
keeps the sum of columns, never lowers it.
"""

import sympy
from sympy import Eq

from pufferproof.claims.language import Edit, Proof, at_least, letter, letters, proved
from pufferproof.claims.ours.worst.statements.delta import releases as says
from pufferproof.claims.registry import Check, claim

v, w = letters("v w", "entries of the two parts of a column")
z = letter("z", "the entry of the other columns", at_least(0))
M, N = letters("M N", "the sums of the values of the first parts, and of their positive parts")
m = letter("m", "the value <mu, .> - E <nu, .> of the next part, or of a joint output")
s, t = letters("s t", "factors, or weights", at_least(0))
alpha = letter("alpha", "the coefficient of a ray, t beta + (1 - t) gamma", at_least(0))
beta, gamma = letters("beta gamma", "coefficients of this ray at the ends of a segment")
others = letter("others", "the factor of the other releases", at_least(0))
c = letter("c", "others times the positive part")
value, end1, end2 = letters("value end1 end2", "a linear function on a segment and at its ends")
rest, V = letters("rest V", "the delta of the rest after an output, and the largest one")
D = letter("D", "the sum of the contributions so far, or 1 - delta")
reached = letter("reached", "the sum of the alpha_r V_r so far")
first, second = letters("first second", "coefficients of a ray at the ends of a segment")
corner1 = letter("corner1", "the entry at (a1, b1) of a table")
corner2 = letter("corner2", "the entry at (a1, b1) of the second table", at_least(0))
c12, c21, c22 = letters("c12 c21 c22", "the other entries of a table")
cell1, cell2 = letters("cell1 cell2", "masses of two cells", at_least(0))
row, column = letters("row column", "1/mu_i, 1/nu_j", at_least(1))
t11, t12, t21, t22 = letters("t11 t12 t21 t22", "masses in the tables that are chosen after a cell")
margin = letter("margin", "the margin of a column")
x, y = letters("x y", "two entries with this margin", at_least(0))
x2, y2 = letters("x2 y2", "the entries of the second row beside them", at_least(0))


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
    """Prove that the positive part is subadditive and that products distribute over the split."""
    name = "as stated"
    proved(
        check,
        name,
        "all finite sizes, any number of releases, adaptive or not",
        _split,
        delta_stays_the_same=Edit(
            "two parts", instead=Eq(sympy.Max(0, M + m), sympy.Max(0, M) + sympy.Max(0, m))
        ),
    )


def _split(proof: Proof) -> None:
    _subadditive(proof)
    proof.identity(
        "products with other columns",
        "An output's column v + w splits every joint output of it: the entries (v + w) z are the "
        "sum of v z and w z, so the values <mu, .> - E <nu, .> add up",
        (v + w) * z,
        v * z + w * z,
    )
    proof.cite(
        "rays", "every column is a finite sum of extreme rays of the cone", "worst.rays-span"
    )
    proof.inequality(
        "equal rays may be merged again",
        "Outputs with columns s r and t r: the positive parts of s x and t x, s, t >= 0, add up to "
        "that of (s + t) x, x = m",
        Eq(sympy.Max(0, s * m) + sympy.Max(0, t * m), sympy.Max(0, (s + t) * m)),
        [],
    )


def _subadditive(proof: Proof) -> None:
    whole, parts = sympy.Max(0, M + m), sympy.Max(0, M) + sympy.Max(0, m)
    proof.induction(
        "one more part",
        "M is the sum of the values of the first parts, N of their positive parts, m the value of "
        "the next: max(0, M) <= N",
        base=(sympy.Max(0, m) <= N, [Eq(N, sympy.Max(0, m))]),
        step=(sympy.Max(0, M + m) <= N + sympy.Max(0, m), [sympy.Max(0, M) <= N]),
    )
    proof.inequality("two parts", "the whole and its parts", whole <= parts, [])


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
    """Prove both forms, output by output."""
    name = "multilinear"
    proved(
        check,
        name,
        "all finite sizes, any number of releases",
        _multilinear,
        the_same_alpha_twice=Edit(
            "linear in one release",
            instead=Eq((t * beta + (1 - t) * gamma) ** 2, t * beta**2 + (1 - t) * gamma**2),
        ),
    )
    name = "layers"
    proved(
        check,
        name,
        "all finite sizes, any number of releases",
        _layers,
        one_mechanism_for_all_first_outputs=Edit(
            "one more first output: step", without=Eq(rest, V), given=rest <= V
        ),
    )


def _multilinear(proof: Proof) -> None:
    proof.inequality(
        "one joint output",
        "alpha = alpha_r and the factor others >= 0 of the others leave the positive part: max(0, "
        "alpha others x) = alpha others max(0, x), x = <mu, r o ..> - E <nu, r o ..> = m",
        Eq(sympy.Max(0, alpha * others * m), alpha * others * sympy.Max(0, m)),
        [],
    )
    proof.identity(
        "linear in one release",
        "alpha = t beta + (1 - t) gamma at a ray: the term with the coefficient c = p max(0, x) of "
        "the others is the mean of two",
        c * (t * beta + (1 - t) * gamma),
        t * (c * beta) + (1 - t) * (c * gamma),
    )
    proof.inequality(
        "at vertices",
        "A linear function on a segment, value = t end1 + (1 - t) end2, is at most the larger end; "
        "a polytope is spanned by its vertices",
        sympy.Or(value <= end1, value <= end2),
        [Eq(value, t * end1 + (1 - t) * end2), t <= 1],
    )


def _layers(proof: Proof) -> None:
    proof.inequality(
        "the rest after an output",
        "After the first output r the laws are mu o r and nu o r up to alpha_r: the rest "
        "contributes alpha_r times its delta rest <= V there, and a best mechanism after each r "
        "reaches V",
        alpha * rest <= alpha * V,
        [rest <= V],
    )
    proof.summed(
        "one more first output",
        "D sums the contributions and reached the alpha_r V_r; each mechanism after r is chosen "
        "freely, so D = reached",
        so_far=Eq(D, reached),
        adding={D: alpha * rest, reached: V * alpha},
        given=[Eq(rest, V)],
    )
    proof.inequality(
        "linear in alpha",
        "V_r does not depend on alpha: the first layer maximises sum alpha_r V_r over a polytope",
        Eq((s * first + t * second) * V, s * (first * V) + t * (second * V)),
        [],
    )


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
    """
    name = "independent: at most 2/3"
    proved(
        check,
        name,
        "all mechanisms of level 0",
        _two_thirds,
        **{
            "at most 13/20": Edit(
                "every pair of tables",
                put={sympy.Rational(2, 3): sympy.Rational(13, 20)},
            )
        },
    )
    name = "adaptive: 3/4"
    proved(
        check,
        name,
        "one adaptive pair",
        _adaptive,
        **{
            "more than 3/4": Edit(
                "the second table chosen by the cell of the first",
                instead=1 - D > sympy.Rational(3, 4),
            )
        },
    )
    name = "three databases: no choice"
    proved(
        check,
        name,
        "one pair, one prior, level 0",
        _unique,
        four_databases=Edit("one possible database for a secret", without=[Eq(x2, 0), Eq(y2, 0)]),
    )


def _two_thirds(proof: Proof) -> None:
    _cells(proof)
    _independent(proof)


def _cells(proof: Proof) -> None:
    proof.cite(
        "rays",
        "for level 0 they are e_(a_i)/mu_i + e_(b_j)/nu_j up to scale",
        "worst.one-pair-rays",
    )
    proof.cite(
        "refinement", "alpha_(ij) = V_ij with margins mu, nu: tables", "worst.delta-refinement"
    )
    proof.inequality(
        "tables",
        "sum of V_ij r_ij = 1 says that row i sums to mu_i, column j to nu_j: one parameter "
        "corner1 = V_11 in [0, 1/4]",
        Eq(c12, sympy.Rational(1, 4) - corner1)
        & Eq(c21, sympy.Rational(1, 2) - corner1)
        & Eq(c22, sympy.Rational(1, 4) + corner1),
        [
            Eq(corner1 + c12, sympy.Rational(1, 4)),
            Eq(corner1 + c21, sympy.Rational(1, 2)),
            Eq(c21 + c22, sympy.Rational(3, 4)),
        ],
    )
    joint_output(proof)


def joint_output(proof: Proof) -> None:
    """What a joint output of two tables of level 0 adds to delta at E = 1: U V is lost over the
    larger of both margins.
    """
    proof.inequality(
        "the joint output (ij, kl)",
        "Its column is U V times the product of two rays, of value U V/mu_i if the cells share "
        "only the row i, U V (1/mu_i - 1/nu_j) if they are equal, and not positive otherwise. "
        "Summed over the cells of row i, of V-mass mu_i: cell1 = U, cell2 = V, row = 1/mu_i, "
        "column = 1/nu_j. At E = 1 both orders have the same delta",
        Eq(
            cell1 * (1 - cell2 * row) + cell1 * cell2 * sympy.Max(0, row - column),
            cell1 * (1 - cell2 * sympy.Min(row, column)),
        ),
        [],
    )


def _table(corner: sympy.Basic) -> tuple[sympy.Basic, ...]:
    quarter = sympy.Rational(1, 4)
    return corner, quarter - corner, 2 * quarter - corner, quarter + corner


WEIGHTS = (2, 2, sympy.Rational(4, 3), sympy.Rational(4, 3))


def _independent(proof: Proof) -> None:
    loss = sum(w * x * y for w, x, y in zip(WEIGHTS, _table(corner1), _table(corner2)))
    proof.inequality(
        "every pair of tables",
        "delta = 1 - sum of U V min(1/mu_i, 1/nu_j), the minima being 2, 2, 4/3, 4/3 for the cells "
        "11, 12, 21, 22",
        1 - D <= sympy.Rational(2, 3),
        [Eq(D, loss), corner1 >= 0, 4 * corner1 <= 1, 4 * corner2 <= 1],
    )


def _adaptive(proof: Proof) -> None:
    zero, quarter = _table(sympy.Integer(0)), _table(sympy.Rational(1, 4))
    second = [zero[0], quarter[1], quarter[2], zero[3]]
    table = (t11, t12, t21, t22)
    proof.inequality(
        "the second table chosen by the cell of the first",
        "First s = 0; then t = 1/4 after the cells 12 and 21, t = 0 after 22: delta = 1 - sum of U "
        "V min(1/mu_i, 1/nu_j)",
        Eq(1 - D, sympy.Rational(3, 4)),
        [
            Eq(D, sum(w * x * y for w, x, y in zip(WEIGHTS, zero, table))),
            *(Eq(entry, value) for entry, value in zip(table, second)),
        ],
    )


def _unique(proof: Proof) -> None:
    proof.inequality(
        "one possible database for a secret",
        "Given a secret with a single database the table has one row, and every V_1j = nu_j: x "
        "and y are two such entries with this margin (with two rows it is x + x2)",
        Eq(x, y),
        [Eq(x + x2, margin), Eq(y + y2, margin), Eq(x2, 0), Eq(y2, 0)],
    )
