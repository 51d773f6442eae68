"""Several pairs or priors: when releases within their budgets leak everything, and when added
secrets prevent it.

Each statement is about explicit cones: that two or more columns have a product that is positive
somewhere in supp mu and vanishes on supp nu, or that inequalities u_x <= kappa u_y hold on the
cone, which bound joint leakage for every number of releases.
"""

from pufferproof.claims.ours.worst.statements import secrets as says
from pufferproof.claims.registry import Check, claim


@claim(
    "worst.universal-collapse",
    where="Several pairs or priors",
    statement="If every law nu of T gives every database probability at most 1 - 1/R, then L*_K "
    "for K mechanisms of level R is infinite for K = |supp nu|, for each (mu, nu) with supp mu "
    "not inside supp nu. R > 1 is implied.",
    says=says.UNIVERSAL,
)
def universal_collapse(check: Check) -> None:
    """Prove that the columns 1 - e_y are allowed, and that their product excludes supp nu.

    R > 1: A law has a positive probability n, n <= 1 - 1/R: R n <= R - 1. The column 1 - e_y lies
    in C_R: <mu, 1 - e_y> = 1 - m <= R (1 - n) = R <nu, 1 - e_y>, as 2 R n <= 2 R - 2, m = mu_y, n =
    nu_y. It occurs: as R > 1 [worst.lemma0]. The product over y in supp nu: outside is the product
    so far at a database outside supp nu, earlier at one of the y so far, following at the next y:
    the next column has entries 1, 1 and 0 there, called next_outside, next_earlier and next_y.
    Infinite: It is 1 at some x in supp mu outside supp nu and 0 on supp nu: M >= mu_x = m > 0 = N.
    """
    name = "as stated"
    check.tried(name)


@claim(
    "worst.phase-transition",
    where="Several pairs or priors: phase transitions",
    statement="X in {a, b1, b2}, secrets X = a and X in {b1, b2}, priors with 0 < P(X = a) < 1 and "
    "P(X = b1 | X not a) = p for p in a finite or infinite set with smallest element p1 and "
    "largest p2 > p1: some number of releases of level R >= 1 collapses iff R^2 >= max((1 - "
    "p1)/(1 - p2), p2/p1), quotients with denominator 0 being infinite; then two releases do.",
    says={"collapse above": says.ABOVE_THRESHOLD, "finite below": says.BELOW_THRESHOLD},
)
def phase_transition(check: Check) -> None:
    """Prove it through the columns that vanish at one b: averages are monotone in p, so that p1
    and p2 decide.

    Collapse above. A column on a and b1: (1, u, 0) with u = 1/(R t), t > 0 the smallest average
    weight of b1: 1/R <= q u <= R for every q in between, as the largest weight is at most R^2 times
    the smallest. A column on a and b2: (1, 0, u) with u = 1/(R t), t > 0 the smallest average
    weight of b2: 1/R <= q u <= R for every q in between, as the largest weight is at most R^2 times
    the smallest. They occur: R > 1, because R^2 >= p2/p1 > 1 [worst.lemma0]. The product: (1, u, 0)
    o (1, 0, v) = (1, 0, 0): M = 1 given a, N = 0 otherwise.

    Finite below. No column (u > 0 at a, 0 at b2) if R^2 p1 < p2: The promise at p1: at_a <= R p1
    at_b, at p2 in the other order: p2 at_b <= R at_a. No column (u > 0 at a, 0 at b1) if R^2 (1 -
    p2) < 1 - p1: likewise. A column with 0 at a is 0 at both b: 0 < p1 or 0 < p2, and p1 < 1: q
    at_b1 + (1 - q) at_b2 <= R at_a = 0 for both q, so no product misses a and meets a b that is
    possible. Below one threshold u_a > 0 implies u_b2 > 0, or u_b1 > 0: Either is an implication on
    the cone for the order (a, not a), if that database is possible: for the prior p2 = 1 the law of
    not a is b1 alone, but then 1 - p2 = 0 and u_a > 0 implies u_b1 > 0; likewise p1 = 0. With
    infinitely many priors too such a b keeps a probability of at least 1 - p2, or p1, or 1/2 if
    this is 0, as then both are implied [worst.finite-equivalences].
    """
    check.tried("collapse above")
    check.tried("finite below")


@claim(
    "worst.smaller-budgets",
    where="Several pairs or priors: phase transitions",
    statement="Smaller budgets can remove collapse: for some framework two releases of level R "
    "leak everything, and any number of releases of a smaller level above 0 has finite joint "
    "leakage.",
    says=says.SMALLER_BUDGETS,
)
def smaller_budgets(check: Check) -> None:
    """Prove it with p1 = 1/3, p2 = 2/3: the threshold is R^2 = 2.

    Thresholds: collapse iff R^2 >= max((1 - p1)/(1 - p2), p2/p1) [worst.phase-transition]. Above: R
    = 3/2: 9/4 >= 2. Below: R = 4/3: 16/9 < 2.
    """
    name = "R = 3/2 and R = 4/3"
    check.tried(name)


@claim(
    "worst.singletons",
    where="Several pairs or priors: singletons",
    statement="Let a prior pi give at least two databases positive probability, and let each "
    "secret {X = x}, x one of them, be paired with its complement, in both orders. Then u_y <= "
    "R (1 - pi_x)/pi_y u_x for all u in C_R and all such x, y, and joint leakage is finite for "
    "every number of releases; also with further pairs, and further priors on these databases.",
    says=says.SINGLETONS,
)
def singletons(check: Check) -> None:
    """Prove that the promise for a singleton bounds every other entry by its own.

    One term of the complement: ux = u_x, uy = u_y, pix = pi_x, piy = pi_y: <nu, u> = (piy uy +
    rest)/(1 - pix) <= R ux, rest not negative. Finite: inequalities u_y <= kappa u_x for all x, y
    bound every ratio [worst.finite-equivalences].
    """
    name = "as stated"
    check.tried(name)


@claim(
    "worst.adding-secrets",
    where="Several pairs or priors: singletons",
    statement="Adding secrets can restore composability: X = {a, b1, b2} with positive "
    "probabilities and the secrets {a} and its complement collapses at every level, and with "
    "the secrets {b1}, {b2} and their complements added it does at none.",
    says=says.ADDING,
)
def adding_secrets(check: Check) -> None:
    """Prove it by the dichotomy and the bound for singletons.

    Without: one pair, and not a is possible in two databases [worst.dichotomy]. Without: two
    releases at level 0: p, q > 0 are the probabilities of b1 and b2 given not a. Columns (1, u1, 0)
    and (1, 0, v2) of a, b1, b2 with p u1 = q v2 = 1 have the mean 1 under both secrets, and their
    product is 1 at a and has the mean 0 given not a. With: every database is a secret
    [worst.singletons]. With: no output excludes a database: All entries of a column are within
    factors of each other, so all are positive or none is, and so in products.
    """
    check.tried("as stated")
