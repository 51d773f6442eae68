"""The best delta of several releases within pure budgets: columns refined to rays, programs, and
what adaptivity adds.

For an order (mu, nu) and a ratio E >= 1 the joint release has delta = sum over its outputs of
max(0, <mu, w> - E <nu, w>), w the column of the output. Splitting an output into several, which
keeps the sum of columns, never lowers it.
"""

from fractions import Fraction

import sympy
from sympy import Eq

from pufferproof.claims.registry import Check, claim
from pufferproof.models.channel import Channel
from pufferproof.models.framework import Framework
from pufferproof.models.priors.laws import Table
from pufferproof.verify.proof.argument import Argument

E, D, M, N, m, n, a, b, c, d, s, t, u, v = sympy.symbols("E D M N m n a b c d s t u v")


@claim(
    "worst.delta-refinement",
    where="(epsilon, delta)",
    statement="Replacing a column of a mechanism of level R by finitely many columns of C_R with "
    "the same sum gives a mechanism of level R, and no joint release has a smaller delta: the "
    "largest delta of K releases is that of mechanisms whose columns are multiples of extreme "
    "rays of the cone of columns that occur, sum_r alpha_r r = 1, alpha >= 0.",
)
def delta_refinement(check: Check) -> None:
    """Prove that the positive part is subadditive and that products distribute over the split."""
    name = "as stated"
    with check.reading(
        name, "all finite sizes, any number of releases, adaptive or not"
    ) as argument:
        _split(argument)
    check.near_miss(
        f"{name}: delta stays the same", lambda argument: _subadditive(argument, equal=True)
    )


def _split(argument: Argument) -> None:
    _subadditive(argument)
    argument.inequality(
        "products with other columns",
        "An output's column u = v + w splits every joint output of it: the entries u z are the sum "
        "of v z and w z (a = z), so the values <mu, .> - E <nu, .> add up",
        Eq(u * a, v * a + c * a),
        [Eq(u, v + c), a >= 0],
    )
    argument.cite(
        "rays", "every column is a finite sum of extreme rays of the cone", "worst.rays-span"
    )
    argument.inequality(
        "equal rays may be merged again",
        "Outputs with columns s r and t r: the positive parts of s x and t x, s, t >= 0, add up to "
        "that of (s + t) x, x = m",
        Eq(sympy.Max(0, s * m) + sympy.Max(0, t * m), sympy.Max(0, (s + t) * m)),
        [s >= 0, t >= 0],
    )


def _subadditive(argument: Argument, equal: bool = False) -> None:
    whole, parts = sympy.Max(0, M + m), sympy.Max(0, M) + sympy.Max(0, m)
    argument.induction(
        "one more part",
        "M is the sum of the values of the first parts, N of their positive parts, m the value of "
        "the next: max(0, M) <= N",
        base=(sympy.Max(0, m) <= N, [Eq(N, sympy.Max(0, m))]),
        step=(sympy.Max(0, M + m) <= N + sympy.Max(0, m), [sympy.Max(0, M) <= N]),
    )
    argument.inequality(
        "two parts", "the whole and its parts", Eq(whole, parts) if equal else (whole <= parts), []
    )


@claim(
    "worst.delta-programs",
    where="(epsilon, delta)",
    statement="For columns that are multiples alpha_r r of rays the delta of independent releases "
    "is linear in the alpha of each release separately (K = 2: bilinear), so a largest one is "
    "at vertices of {alpha >= 0 : sum alpha_r r = 1}. Adaptive: delta = sum_r alpha_r V(mu o "
    "r, nu o r), V the largest delta of the rest, so K layers of linear programs solve it.",
    assumes=["one order (mu, nu); the maximum over orders is taken afterwards"],
)
def delta_programs(check: Check) -> None:
    """Prove both forms, output by output."""
    name = "multilinear"
    with check.reading(name, "all finite sizes, any number of releases") as argument:
        _multilinear(argument)
    check.near_miss(
        f"{name}: the same alpha twice", lambda argument: _multilinear(argument, same=True)
    )
    name = "layers"
    with check.reading(name, "all finite sizes, any number of releases") as argument:
        _layers(argument)
    check.near_miss(
        f"{name}: one mechanism for all first outputs",
        lambda argument: _layers(argument, common=True),
    )


def _multilinear(argument: Argument, same: bool = False) -> None:
    p, q, r = sympy.symbols("p q r")
    argument.inequality(
        "one joint output",
        "alpha_r and the others' factor p >= 0 leave the positive part: max(0, a p x) = a p max(0, "
        "x), x = <mu, r o ..> - E <nu, r o ..> = m",
        Eq(sympy.Max(0, a * p * m), a * p * sympy.Max(0, m)),
        [a >= 0, p >= 0],
    )
    argument.inequality(
        "linear in one release",
        "alpha = t beta + (1 - t) gamma at a ray: the term with the coefficient c = p max(0, x) of "
        "the others is the mean of two",
        Eq(
            c * d if not same else d * d,
            t * (c * a if not same else a * a) + (1 - t) * (c * b if not same else b * b),
        ),
        [Eq(d, t * a + (1 - t) * b), t >= 0, t <= 1],
    )
    argument.inequality(
        "at vertices",
        "A linear function M on a segment, M = t p + (1 - t) q, is at most the larger end; a "
        "polytope is spanned by its vertices",
        sympy.Or(r <= p, r <= q),
        [Eq(r, t * p + (1 - t) * q), t >= 0, t <= 1],
    )


def _layers(argument: Argument, common: bool = False) -> None:
    V, W = sympy.symbols("V W")
    argument.inequality(
        "the rest after an output",
        "After the first output r the laws are mu o r and nu o r up to alpha_r: the rest "
        "contributes alpha_r times its delta c <= V there, and a best mechanism after each r "
        "reaches V",
        a * c <= a * V,
        [a >= 0, c <= V],
    )
    argument.induction(
        "one more first output",
        "D sums the contributions and N the alpha_r V_r; each mechanism after r is chosen freely, "
        "so D = N is reached",
        base=(Eq(a * c, a * V), [a >= 0, Eq(c, V)]),
        step=(Eq(D + a * c, N + a * V), [Eq(D, N), a >= 0, (c <= V) if common else Eq(c, V)]),
    )
    argument.inequality(
        "linear in alpha",
        "V_r does not depend on alpha: the first layer maximises sum alpha_r V_r over a polytope",
        Eq((s * a + t * b) * W, s * (a * W) + t * (b * W)),
        [s >= 0, t >= 0],
    )


@claim(
    "worst.delta-adaptive",
    where="(epsilon, delta)",
    statement="For delta adaptivity can be strictly stronger. Databases a1, a2, b1, b2, secrets "
    "{a1, a2} and {b1, b2}, laws (1/4, 3/4) and (1/2, 1/2), two mechanisms of level 0: at "
    "epsilon = 0 independent ones have delta at most 2/3, and choosing the second by the "
    "output of the first reaches 3/4. At level 0 with fewer databases and one pair and prior "
    "there is nothing to choose.",
)
def delta_adaptive(check: Check) -> None:
    """Prove it through couplings: a ray on {a_i, b_j} stands for a cell of a 2 x 2 table with
    the two laws as margins.
    """
    name = "independent: at most 2/3"
    with check.reading(name, "all mechanisms of level 0") as argument:
        _cells(argument)
        _independent(argument)
    check.near_miss(
        f"{name}: at most 13/20", lambda argument: _independent(argument, Fraction(13, 20))
    )
    name = "adaptive: 3/4"
    with check.reading(name, "one adaptive pair") as argument:
        _adaptive(argument)
    check.near_miss(f"{name}: more than 3/4", lambda argument: _adaptive(argument, more=True))
    name = "three databases: no choice"
    with check.reading(name, "one pair, one prior, level 0") as argument:
        _unique(argument)
    check.near_miss(f"{name}: four databases", lambda argument: _unique(argument, four=True))


def tables_framework() -> Framework:
    """Return the framework with laws (1/4, 3/4) on a1, a2 and (1/2, 1/2) on b1, b2."""
    weights = {"a1": "1/8", "a2": "3/8", "b1": "1/4", "b2": "1/4"}
    return Framework(
        list(weights),
        {"a": ["a1", "a2"], "b": ["b1", "b2"]},
        [("a", "b")],
        {"theta": Table(weights)},
    )


def table_mechanism(corner: Fraction) -> Channel:
    """Return the mechanism of level 0 whose outputs are the cells of the table with `corner` at
    (a1, b1).
    """
    cells = {
        "11": corner,
        "12": Fraction(1, 4) - corner,
        "21": Fraction(1, 2) - corner,
        "22": Fraction(1, 4) + corner,
    }
    laws = {"a1": Fraction(1, 4), "a2": Fraction(3, 4), "b1": Fraction(1, 2), "b2": Fraction(1, 2)}
    rows = {
        label: {
            cell: (p / law if cell[label[0] == "b"] == label[1] else Fraction(0))
            for cell, p in cells.items()
        }
        for label, law in laws.items()
    }
    return Channel.of(rows, list(cells))


def _cells(argument: Argument) -> None:
    argument.cite(
        "rays",
        "for level 0 they are e_(a_i)/mu_i + e_(b_j)/nu_j up to scale",
        "worst.one-pair-rays",
    )
    argument.cite(
        "refinement", "alpha_(ij) = V_ij with margins mu, nu: tables", "worst.delta-refinement"
    )
    argument.inequality(
        "tables",
        "sum of V_ij r_ij = 1 says that row i sums to mu_i, column j to nu_j: one parameter s = "
        "V_11 in [0, 1/4]",
        Eq(a, sympy.Rational(1, 4) - s)
        & Eq(b, sympy.Rational(1, 2) - s)
        & Eq(c, sympy.Rational(1, 4) + s),
        [
            Eq(s + a, sympy.Rational(1, 4)),
            Eq(s + b, sympy.Rational(1, 2)),
            Eq(b + c, sympy.Rational(3, 4)),
        ],
    )
    argument.inequality(
        "the joint output (ij, kl)",
        "Its column is U V times the product of two rays, of value U V/mu_i if the cells share "
        "only the row i, U V (1/mu_i - 1/nu_j) if they are equal, and not positive otherwise. "
        "Summed over the cells of row i, of V-mass mu_i: u = U, v = V, m = 1/mu_i, n = 1/nu_j. At "
        "E = 1 both orders have the same delta",
        Eq(u * (1 - v * m) + u * v * sympy.Max(0, m - n), u * (1 - v * sympy.Min(m, n))),
        [u >= 0, v >= 0, m >= 1, n >= 1],
    )


def _table(corner: sympy.Basic) -> tuple[sympy.Basic, ...]:
    quarter = sympy.Rational(1, 4)
    return corner, quarter - corner, 2 * quarter - corner, quarter + corner


WEIGHTS = (2, 2, sympy.Rational(4, 3), sympy.Rational(4, 3))


def _independent(argument: Argument, bound: Fraction = Fraction(2, 3)) -> None:
    loss = sum(w * x * y for w, x, y in zip(WEIGHTS, _table(s), _table(t)))
    argument.inequality(
        "every pair of tables",
        "delta = 1 - sum of U V min(1/mu_i, 1/nu_j), the minima being 2, 2, 4/3, 4/3 for the cells "
        "11, 12, 21, 22",
        1 - D <= sympy.Rational(bound.numerator, bound.denominator),
        [Eq(D, loss), s >= 0, t >= 0, 4 * s <= 1, 4 * t <= 1],
    )


def _adaptive(argument: Argument, more: bool = False) -> None:
    zero, quarter = _table(sympy.Integer(0)), _table(sympy.Rational(1, 4))
    second = [zero[0], quarter[1], quarter[2], zero[3]]
    letters = (u, v, a, b)
    argument.inequality(
        "the second table chosen by the cell of the first",
        "First s = 0; then t = 1/4 after the cells 12 and 21, t = 0 after 22: delta = 1 - sum of U "
        "V min(1/mu_i, 1/nu_j)",
        (1 - D > sympy.Rational(3, 4)) if more else Eq(1 - D, sympy.Rational(3, 4)),
        [
            Eq(D, sum(w * x * y for w, x, y in zip(WEIGHTS, zero, letters))),
            *(Eq(letter, value) for letter, value in zip(letters, second)),
        ],
    )


def _unique(argument: Argument, four: bool = False) -> None:
    p, x, y = sympy.symbols("p x y")
    argument.inequality(
        "one possible database for a secret",
        "Given a secret with a single database the table has one row, and every V_1j = nu_j: x and "
        "y are two such entries with the margin p (with two rows the margin is x + a)",
        Eq(x, y),
        [
            Eq(x + a, p),
            Eq(y + b, p),
            a >= 0,
            b >= 0,
            x >= 0,
            y >= 0,
            *([] if four else [Eq(a, 0), Eq(b, 0)]),
        ],
    )
