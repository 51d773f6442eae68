"""The 3R family: its definition, its privacy and its utility.

E is e^eps; a record counts 1 to the redactions in L, a/(a+b) + q b/(a+b) in M and 0 in S. Source:
massny2025, section IV.
"""

import sympy
from sympy import And, Eq, Or

from pufferproof.claims.papers.massny2025.relaxation.statement import ALL
from pufferproof.claims.registry import Check, claim
from pufferproof.verify.proof.argument import Argument

a, b, q, n, K, L, M, S, Q, N, x, y, r, s, E = sympy.symbols("a b q n K L M S Q N x y r s E")
MARGINAL = [a > 0, b > 0]
IN_L, IN_NONE = "t = p in L", "t = p in no region"


@claim(
    "massny2025.family",
    where="Section IV, equations (1) and (2)",
    statement="eps_l, eps_r > 0, eps_l+eps_r <= eps. The set S is the union of S(eps_l)^(l) and "
    "S(eps_r)^(r), likewise M and L. r_t = (1,1) in L, (0,0) in S, (q_t,1) in M with 0<q_t<=1 "
    "such that Lk(X_p->Y^(l)) <= eps_l, Lk(X_p->Y^(r)) <= eps_r.",
    kind="definition",
)
def family(check: Check) -> None:
    """Nothing to decide but what happens to X_p: (1) redacts it, or (2) forces it."""
    with check.reading(IN_L) as argument:
        argument.definition(
            "r_p", "X_p is redacted by (1). L, M, S split the records, by massny2025.regions"
        )
    with check.reading(IN_NONE) as argument:
        argument.definition(
            "r_p", "(1) leaves r_p open; (2) forces r_p = (1,1), by massny2025.self-redaction"
        )


@claim(
    "massny2025.alpha-eq-beta",
    where="Section IV",
    statement="M can be empty, for example when a = b; then 3R cannot improve over DIMs.",
    kind="remark",
)
def alpha_eq_beta(check: Check) -> None:
    """Prove that a = b empties M, and that a 3R mechanism with empty M is itself
    data-independent.
    """
    equal, empty = "a = b: M is empty", "M empty: no 3R mechanism is better than all DIMs"
    with check.reading(equal, "all a = b, every n, p and budget") as argument:
        _equal(argument)
    check.near_miss(f"{equal}: a <= b", lambda argument: _equal(argument, ordered=True))
    with check.reading(empty, ALL) as argument:
        _independent(argument)
    check.near_miss(f"{empty}: M not empty", lambda argument: _independent(argument, medium=True))


def _equal(argument: Argument, ordered: bool = False) -> None:
    u, v, l = sympy.symbols("u v l")
    argument.cite(
        "closed form",
        "i of the values 0, 1 is |log((1 + c l)/(1 - l))|, c = a/b, b/a",
        "massny2025.prop1-closed",
    )
    argument.inequality(
        "the same influence",
        "u, v are (1 + c l)/(1 - l), so E >= u and E < v, or the same for the inverses, never hold",
        Eq(u, v),
        [
            Eq(u * b * (1 - l), b + a * l),
            Eq(v * a * (1 - l), a + b * l),
            a <= b if ordered else Eq(a, b),
            a > 0,
            l < 1,
            l > -1,
        ],
    )
    argument.inequality(
        "M is empty",
        "u <= E < v is impossible",
        Or(u > E, v <= E),
        [v <= u if ordered else Eq(u, v)],
    )


def _independent(argument: Argument, medium: bool = False) -> None:
    values = Or(
        And(Eq(x, 1), Eq(y, 1)),
        And(Eq(x, 0), Eq(y, 0)),
        *([And(Eq(x, q), Eq(y, 1))] if medium else []),
    )
    argument.inequality(
        "each record",
        "r_t = (x, y) is (1,1) in L and (0,0) in S: r_t(0) = r_t(1) in {0,1}, a DIM in both "
        "meanings",
        Eq(x, y),
        [values, q > 0, q <= 1],
    )
    argument.cite(
        "it is eps-private", "so is one of the DIMs it is compared with", "massny2025.thm1-privacy"
    )


@claim(
    "massny2025.thm1-privacy",
    where="Theorem 1",
    statement="For every chosen eps>0 each 3R mechanism is eps-private.",
)
def thm1_privacy(check: Check) -> None:
    """Prove it from the budgets of the sides and their composition."""
    for name in (IN_L, IN_NONE):
        with check.reading(name, ALL) as argument:
            argument.cite(
                "both sides", "Lk <= Lk of the left and of the right side", "massny2025.lr-compose"
            )
            if name == IN_NONE:
                argument.cite("r_p", "must be (1,1), as (2) holds", "massny2025.self-redaction")
            _budget(argument)
        check.near_miss(
            f"{name}: each side at most eps", lambda argument: _budget(argument, whole=True)
        )


def _budget(argument: Argument, whole: bool = False) -> None:
    argument.inequality(
        "the budget",
        "x, y are Lk of the sides, r, s the budgets eps_l, eps_r, N is Lk of Y, E is eps",
        N <= E,
        [N <= x + y, x <= r, y <= s, *([r <= E, s <= E] if whole else [r + s <= E]), r > 0, s > 0],
    )


COUNT = "both forms"


@claim(
    "massny2025.redaction-count",
    where="Section IV-A",
    statement="For a 3R mechanism, p counted in L: E[#redacted] = |L| + |M| a/(a+b) + (b/(a+b)) "
    "sum_{t in M} q_t = |L|+|M| - (b/(a+b)) sum_{t in M}(1-q_t).",
    kind="closed form",
)
def redaction_count(check: Check) -> None:
    """Prove it by adding one record at a time."""
    with check.reading(COUNT, ALL) as argument:
        prove_count(argument)
    check.near_miss(
        f"{COUNT}: value 0 redacted in M", lambda argument: prove_count(argument, swapped=True)
    )


def prove_count(argument: Argument, swapped: bool = False) -> None:
    """K is the expected number of redacted records so far, L, M, S count records, Q sums q_t."""
    argument.cite(
        "marginals", "Pr(X_t=0) = b/(a+b), Pr(X_t=1) = a/(a+b) for every t", "massny2025.chain"
    )
    argument.cite("expectation", "of a sum is the sum of the expectations", "lemma.finite-sums")
    medium = (b + a * q) if swapped else (a + b * q)
    total = Eq((a + b) * K, (a + b) * L + M * a + b * Q)
    k, m, h, z = sympy.symbols("k m h z")
    argument.induction(
        "one more record",
        "k, h, m, z are the additions to K, L, M and Q",
        base=(total, [Eq(K, 0), Eq(L, 0), Eq(M, 0), Eq(Q, 0), *MARGINAL]),
        step=(
            Eq((a + b) * (K + k), (a + b) * (L + h) + (M + m) * a + b * (Q + z)),
            [
                total,
                *MARGINAL,
                q > 0,
                q <= 1,
                Or(
                    And(Eq(k, 1), Eq(h, 1), Eq(m, 0), Eq(z, 0)),
                    And(Eq((a + b) * k, medium), Eq(h, 0), Eq(m, 1), Eq(z, q)),
                    And(Eq(k, 0), Eq(h, 0), Eq(m, 0), Eq(z, 0)),
                ),
            ],
        ),
    )
    argument.identity(
        "the second form",
        "sum of 1 - q_t is M - Q",
        L + M * a / (a + b) + b / (a + b) * Q,
        L + M - b / (a + b) * (M - Q),
    )


@claim(
    "massny2025.thm1-utility",
    where="Theorem 1, equation (3)",
    statement="nu_3R = (1/n)[ |S| + (b/(a+b)) sum_{t in M}(1-q_t) ]; at least this is achieved "
    "with S = S(eps/2), M = M(eps/2), eps_l = eps_r = eps/2 and some 0<q_t<=1.",
)
def thm1_utility(check: Check) -> None:
    """Prove the formula, and that some q is feasible in every case."""
    formula, exists = (
        "equation (3), every budget and q",
        "some q with S(eps/2), M(eps/2) is eps-private",
    )
    with check.reading(formula, ALL) as argument:
        _formula(argument)
    check.near_miss(f"{formula}: weight a/(a+b)", lambda argument: _formula(argument, a))
    with check.reading(exists, ALL) as argument:
        _formula(argument)
        _exists(argument)
    check.near_miss(f"{exists}: budgets eps", lambda argument: _exists(argument, 1))
    check.near_miss(f"{exists}: weight a/(a+b)", lambda argument: _formula(argument, a))


def _formula(argument: Argument, weight: sympy.Symbol = b) -> None:
    argument.cite("redactions", "their expected number K", "massny2025.redaction-count")
    argument.inequality(
        "the rest is released",
        "n = |L| + |M| + |S|, nu = (n - K)/n with (a + b) K = (a + b)(L + M) - b (M - Q); N = n nu",
        Eq((a + b) * N, (a + b) * S + weight * (M - Q)),
        [
            Eq(n, L + M + S),
            Eq((a + b) * K, (a + b) * (L + M) - b * (M - Q)),
            Eq(N, n - K),
            *MARGINAL,
        ],
    )


def _exists(argument: Argument, part: int = 2) -> None:
    argument.cite("q_t = 1", "meets the constraints of both sides", "massny2025.delta-le-eps")
    argument.cite("private", "a q that does keeps eps_l + eps_r", "massny2025.two-sided")
    argument.inequality(
        "budgets", "E is eps", r + s <= E, [Eq(part * r, E), Eq(part * s, E), E > 0]
    )
