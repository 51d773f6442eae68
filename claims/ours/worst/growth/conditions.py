"""Conditions on single mechanisms that bound joint releases: NfC sets are convex cones, coupling
weights compose exactly.

For one prior and ordered pair with laws mu, nu: weights beta_D on supp nu for each D in supp mu; a
column u satisfies them at level R if u_D <= R prod_l u_l^(beta_Dl), with 0^0 = 1.
"""

from pufferproof.claims.ours.worst.statements.growth import nfc as says
from pufferproof.claims.registry import Check, claim


@claim(
    "worst.nfc-cone",
    where="Conditions that compose",
    statement="{u >= 0 : u_D <= R prod_l u_l^(beta_l)}, weights beta_l >= 0 with sum 1, is a "
    "convex cone. So a mechanism whose columns satisfy NfC constraints still does after any "
    "post-processing, with the same weights and levels.",
    says=says.NFC_CONE,
)
def nfc_cone(check: Check) -> None:
    """Prove it from superadditivity and homogeneity of weighted geometric means.

    A convex cone: sums and multiples of columns that satisfy a constraint satisfy it
    [bai2026.x-cone]. One more old output: The column of a new output is a sum of columns times
    weight = K(z | w) >= 0: U and u the entries at D so far and of the next column, G and g their
    means; the mean J of the sums is at least G + weight g. Two supports: Where beta_l > 0 and u_l =
    0 the mean G is 0 and so is u_D.
    """
    name = "closed under post-processing"
    check.tried(name)


@claim(
    "worst.nfc-constant",
    where="Conditions that compose",
    statement="If mechanisms 1 .. K satisfy NfC for (mu, nu) at levels R_1 .. R_K with the same "
    "weights beta (a row-stochastic matrix from supp mu to supp nu), then joint ratios are at "
    "most R_1 .. R_K max_l (mu beta)_l/nu_l, for every K.",
    says=says.NFC_CONSTANT,
)
def nfc_constant(check: Check) -> None:
    """Prove it by the inequality of means, averaged with mu.

    One more release: U <= S G at D for the product so far, S the product of levels; u <= R g for
    the next column. Means multiply. Means: G <= A = sum_l beta_Dl U_l [bai2026.x-am-gm]. Averaging
    over D: M = sum of mu_D U_D and C = sum of mu_D A_D over the first D: M <= S C. Averaging over
    l: C = sum of b U_l with b = (mu beta)_l <= k n, n = nu_l, and N = sum of n U_l over the first
    l: C <= k N. The joint ratio: M <= S C <= S k N. Order of summation: C = sum_D mu_D sum_l
    beta_Dl U_l = sum_l (mu beta)_l U_l [lemma.finite-sums].
    """
    name = "upper bound"
    check.tried(name)


@claim(
    "worst.coupling",
    where="Conditions that compose",
    statement="If mu beta = nu the constant is 1: releases whose columns satisfy NfC for (mu, nu) "
    "with these weights at levels R_1 .. R_K have joint ratio at most R_1 .. R_K, also after "
    "post-processing each.",
    says={"constant 1": says.COUPLING, "the constant is 1 only for couplings": says.ONLY_COUPLINGS},
)
def coupling(check: Check) -> None:
    """Prove it as the case of constant 1, and by the claim beside the paper.

    Constant 1. The general bound: at most R_1 .. R_K times the largest (mu beta)_l/nu_l
    [worst.nfc-constant]. (mu beta)_l = nu_l: the quotient b/n = k is 1. Post-processing: keeps the
    constraints [worst.nfc-cone]. Proved directly too: for one prior and pair [bai2026.x-coupling].

    The constant is 1 only for couplings. Two laws, one below the other: mu beta and nu are laws: if
    b <= n for each l (constant at most 1) then the rests rest_b <= rest_n too, and b + rest_b = 1 =
    n + rest_n gives b = n.
    """
    name = "constant 1"
    check.tried(name)
    name = "the constant is 1 only for couplings"
    check.tried(name)
