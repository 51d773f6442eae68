"""Example 1: two records, the first private, a = 1/4, b = 1/2, eps = 1/2.

Ratios are rational; e^(1/2) is enclosed. Source: massny2025, example 1 and table I.
"""

from pufferproof.claims.language import PRINTED
from pufferproof.claims.papers.massny2025.figures import statements
from pufferproof.claims.registry import Check, claim


@claim(
    "massny2025.ex1-table",
    where="Table I, Example 1",
    statement="For a = 1/4, b = 1/2, n = 2 and p = 1, Pr(X_2=z|X_1=x)/Pr(X_2=z|X_1=1-x) is, by "
    "(x,z): (0,0): 3/2; (0,1): 1/2; (1,0): 2/3; (1,1): 2. So Inf(X_1~>X_2) = log 2, i(X_2=0) = "
    "log(3/2), i(X_2=1) = log 2.",
    kind="numeric table",
    says={PRINTED: statements.TABLE},
)
def ex1_table(check: Check) -> None:
    """Compute the four ratios and the three influences.

    (0, 0): from the rows (1-a, a) and (b, 1-b) of P. (0, 1): from the rows (1-a, a) and (b, 1-b) of
    P. (1, 0): from the rows (1-a, a) and (b, 1-b) of P. (1, 1): from the rows (1-a, a) and (b, 1-b)
    of P. Influences: the larger ratio of each column, u and v, and the larger of both.
    """


@claim(
    "massny2025.ex1-dim",
    where="Example 1",
    statement="For a = 1/4, b = 1/2, n = 2, p = 1 and eps = 1/2: since log 2 > 1/2, any DIM must "
    "redact both records: nu_DIM = 0.",
    kind="example",
    says=statements.ALL_REDACTED,
)
def ex1_dim(check: Check) -> None:
    """Prove it for deterministic and for randomised data-independent mechanisms.

    X_1: is always redacted [massny2025.self-redaction]. X_2: released with positive probability
    leaks at least Inf(X_1~>X_2) [massny2025.cor3]. Inf(X_1~>X_2): is log 2 [massny2025.ex1-table].
    Log 2 > 1/2: so no such release is eps-private. Nothing is released: each record is released
    with probability 1 - r_t, whatever its value.
    """
    for name in ("DIM (i): any r_t(0) = r_t(1)", "DIM (ii): deterministic"):
        check.tried(name)


@claim(
    "massny2025.ex1-q",
    where="Example 1",
    statement="For a = 1/4, b = 1/2, n = 2, p = 1 and eps = 1/2: log(3/2) < 1/2, so X_2=0 need not "
    "always be redacted; q_2 = Pr(Y_2=*|X_2=0) > 0 is needed. Condition: "
    "Pr(Y_2=*|X_1=1)/Pr(Y_2=*|X_1=0) = (q_2 b+1-b)/(a+q_2(1-a)) <= exp(eps). q_2=1/8 is "
    "privacy preserving with nu = (1/2)(1-q_2)Pr(X_2=0) = 7/24 ~ 0.292 > nu_DIM.",
    kind="example",
    says=statements.CHOICE,
)
def ex1_q(check: Check) -> None:
    """Prove each number, that the condition decides privacy, and the least q_2.

    q_2 > 0 is needed: Pr(Y_2=*|X_1=1)/Pr(Y_2=*|X_1=0) at q_2 = 0 is 2 > e^eps.

    q_2 = 1/8 is private, nu = 7/24. The displayed ratio and its inverse are below e^eps; Y_2 = 0
    has (1 - q)(1 - a) over (1 - q) b, 3/2 < e^eps as log(3/2) < 1/2. Pr(X_2=0) = b/(a+b); nu_DIM =
    0.

    The condition decides; least q_2. Privacy is the displayed condition, q_2 >= (1 - b - a E)/(E (1
    - a) - b), which at eps = 1/2 is above 11923/100000 [lemma.ex1-least-q] and below 477/4000 < 1/8
    [lemma.ex1-least-q-above].
    """
    check.tried("q_2 > 0 is needed")
    name = "q_2 = 1/8 is private, nu = 7/24"
    check.tried(name)
    check.tried("the condition decides; least q_2")
