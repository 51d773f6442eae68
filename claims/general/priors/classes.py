"""What Pufferfish amounts to for record values as secrets, when Theta is every product prior, every
i.i.d. prior, every prior.

Records 1 .. n have values in a finite alphabet, which may contain "absent". The secrets are s(i,
v): record i has value v; the pairs are all s(i, v), s(i, w) with v != w; a secret of probability 0
under a prior leaves the prior out. "Per-record" differential privacy means P(y | x) <= R P(y | x')
for x, x' that differ in one record's value, R = e^epsilon. Sources: kifer2014pufferfish (section 6:
differential privacy as an instance), dwork2006calibrating.
"""

from pufferproof.claims.general.priors.said import PRODUCT_IS_DP
from pufferproof.claims.general.statements import classes, sequences
from pufferproof.claims.registry import Check, claim


@claim(
    "general.product-priors",
    where="general laws",
    says={
        "all product priors": PRODUCT_IS_DP,
        "product priors of full support": sequences.FULL_PRODUCTS,
    },
)
def product_priors(check: Check) -> None:
    """Prove both directions, also when only priors of full support are in Theta.

    All product priors. Differential privacy is enough: P(y | record i = v) averages P(y | v, z)
    over the values z of the other records, with weights that do not depend on v, and (v, z) and
    (v', z) differ in one record. It is necessary: take theta_rest the product of point masses at z,
    theta_i even on v and v': the promise for this prior is a <= R b for two given databases.

    Product priors of full support. Enough: as above. If each of n records has a given value with
    probability at least 1 - delta/n, a product prior gives the given values together at least 1 -
    delta [lemma.bernoulli]. It is necessary: if two databases have gap = a - R b > 0 let delta =
    gap/(2 (R + 1)): whatever the others add, A >= W a and B <= w b + (1 - w), with weights W and w
    of at least 1 - delta, break the promise.
    """


@claim(
    "general.all-priors",
    where="general laws",
    statement="If Theta is the set of all priors, a mechanism is epsilon-Pufferfish for the values "
    "of records iff P(y | x) <= e^epsilon P(y | x') for ALL databases x, x' that differ in a "
    "record whose values are secrets: with every record secret, for any two databases whatever.",
    says={"all priors": classes.ALL_PRIORS, "all priors of full support": sequences.FULL_PRIORS},
)
def all_priors(check: Check) -> None:
    """Prove both directions: no prior can hide a database behind others.

    All priors. Bounds for all pairs are enough, since both sides average them. It is necessary: the
    even prior on x and x', which differ in a secret record i, makes the promise a <= R b.

    All priors of full support. Likewise, with a prior of full support that is nearly even on x and
    x': given the secret, one database has weight at least 1 - delta, as in general.product-priors
    [lemma.bernoulli].
    """


@claim(
    "general.composition-under-large-classes",
    where="general laws",
    statement="If Theta is the set of all product priors, or of all priors, and the secrets are "
    "the values of records, releases by mechanisms that are epsilon_k-Pufferfish, with fresh "
    "randomness and possibly chosen by the outputs before, are together (sum "
    "epsilon_k)-Pufferfish.",
    says={"all product priors": sequences.COMPOSE_PRODUCTS, "all priors": sequences.COMPOSE_ALL},
)
def composition(check: Check) -> None:
    """Prove linear composition through the bounds on pairs of databases to which the promise
    amounts.

    All product priors. Each release bounds the ratios of the pairs of databases by R_k
    [general.product-priors], whichever mechanism the outputs chose: bounds multiply, and the joint
    release is a mechanism with this bound on the same pairs.

    All priors. Likewise [general.all-priors].
    """
    for name, _law in [
        ("all product priors", "general.product-priors"),
        ("all priors", "general.all-priors"),
    ]:
        check.tried(name)
