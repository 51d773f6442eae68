"""What Pufferfish amounts to for record values as secrets, when Theta is every product prior, every
i.i.d. prior, every prior.

Records 1 .. n have values in a finite alphabet, which may contain "absent". The secrets are s(i,
v): record i has value v; the pairs are all s(i, v), s(i, w) with v != w; a secret of probability 0
under a prior leaves the prior out. "Per-record" differential privacy means P(y | x) <= R P(y | x')
for x, x' that differ in one record's value, R = e^epsilon. Sources: kifer2014pufferfish (section 6:
differential privacy as an instance), dwork2006calibrating.
"""

from pufferproof.claims.general.statements import classes, sequences
from pufferproof.claims.registry import Check, claim


@claim(
    "general.product-priors",
    where="general laws",
    statement="If Theta is the set of all product priors and the secrets are the values of "
    "records, a mechanism is epsilon-Pufferfish iff it is per-record epsilon-differentially "
    "private.",
    says={
        "all product priors": classes.PRODUCT_PRIORS,
        "product priors of full support": sequences.FULL_PRODUCTS,
    },
)
def product_priors(check: Check) -> None:
    """Prove both directions, also when only priors of full support are in Theta.

    All product priors. The rest does not depend on the record: joint = P(z and record i = v) =
    chance times rest by independence, chance = theta_i(v) > 0 and rest = theta_rest(z): the weight
    w of z given v, which is w chance = joint, is rest, and so is its weight u given v'.
    Differential privacy is enough: A = P(y | record i = v) and B the same with v' are sums over the
    values z of the other records of w P(y | v, z) and u P(y | v', z), with u = w the weight of z:
    the databases (v, z) and (v', z) differ in one record. It is necessary: a prior that knows the
    rest: Take theta_rest the product of point masses at z, theta_i even on v and v'. P(y | secret)
    = sum of weight times entry: the wanted database has weight 1, A = a, and databases of weight w
    = 0 add nothing. So the promise for this prior is a <= R b for two given databases.

    Product priors of full support. From "The rest does not depend on the record" to "Differential
    privacy is enough": as above. Priors of full support near a point: If each of n records has a
    given value with probability at least 1 - delta/n, a product prior gives the given values
    together at least 1 - delta; other priors give a database any weight below 1 anyway
    [lemma.bernoulli]. The other databases matter little: Take a prior under which the other records
    are nearly certain to be z: given the secret, one database with entry a has weight w >= 1 -
    delta, and the others have W = 1 - w and entries m in [0, 1]: A, the sum over the others so far,
    of weight mass, lies between 0 and mass. It is necessary: a violation shows for such a prior: If
    two databases have gap = a - R b > 0 let delta = gap/(2 (R + 1)) > 0. Whatever the others add,
    the promise A <= R B fails: A >= W a and B <= w b + (1 - w), with weights W and w of at least 1
    - delta.
    """
    check.tried("all product priors")
    check.tried("product priors of full support")


@claim(
    "general.all-priors",
    where="general laws",
    statement="If Theta is the set of all priors, a mechanism is epsilon-Pufferfish for the values "
    "of records iff P(y | x) <= e^epsilon P(y | x') for ALL databases x, x' that differ in a "
    "record whose values are secrets: with every record secret, for any two databases whatever.",
    says={
        "all priors": classes.ALL_PRIORS,
        "all priors of full support": sequences.FULL_PRIORS,
    },
)
def all_priors(check: Check) -> None:
    """Prove both directions: no prior can hide a database behind others.

    All priors. Bounds for all pairs are enough: over the first secret: Fix a database of the second
    secret, with entry b. A is the sum over the first databases of the first secret of conditional
    weight w times entry a, W the sum of their weights; in the end W = 1 and A = P(y | s) <= R b.
    Bounds for all pairs are enough: over the second secret: A = P(y | s) <= R b for every database
    of the second secret, b its entry and w its weight. B is the sum of w b and W the sum of w; in
    the end W = 1 and A <= R B, B = P(y | s'). It is necessary: a prior that knows the rest: Take
    the even prior on x and x', which differ in a secret record i, the secrets being its values
    there. P(y | secret) = sum of weight times entry: the wanted database has weight 1, A = a, and
    databases of weight w = 0 add nothing. So the promise for this prior is a <= R b for two given
    databases.

    All priors of full support. From "Bounds for all pairs are enough" to "B is the sum": as above.
    Priors of full support near a point: If each of n records has a given value with probability at
    least 1 - delta/n, a product prior gives the given values together at least 1 - delta; other
    priors give a database any weight below 1 anyway [lemma.bernoulli]. The other databases matter
    little: Take a prior of full support, nearly even on x and x', which differ in a secret record
    i, the secrets being its values there: given the secret, one database with entry a has weight w
    >= 1 - delta, and the others have W = 1 - w and entries m in [0, 1]: A, the sum over the others
    so far, of weight mass, lies between 0 and mass. It is necessary: a violation shows for such a
    prior: If two databases have gap = a - R b > 0 let delta = gap/(2 (R + 1)) > 0. Whatever the
    others add, the promise A <= R B fails: A >= W a and B <= w b + (1 - w), with weights W and w of
    at least 1 - delta.
    """
    check.tried("all priors")
    check.tried("all priors of full support")


@claim(
    "general.composition-under-large-classes",
    where="general laws",
    statement="If Theta is the set of all product priors, or of all priors, and the secrets are "
    "the values of records, releases by mechanisms that are epsilon_k-Pufferfish, with fresh "
    "randomness and possibly chosen by the outputs before, are together (sum "
    "epsilon_k)-Pufferfish.",
    says={
        "all product priors": sequences.COMPOSE_PRODUCTS,
        "all priors": sequences.COMPOSE_ALL,
    },
)
def composition(check: Check) -> None:
    """Prove linear composition through the bounds on pairs of databases to which the promise
    amounts.

    All product priors. From the promise to pairs of databases: Each release bounds the ratios of
    these pairs by R_k [general.product-priors]. One more release: p and q are the joint
    probabilities of the outputs so far for two such databases, p <= Q q with Q the product of the
    R_k; the next mechanism, whichever the outputs chose, has probabilities c <= R d. Back from
    pairs of databases: The joint release is a mechanism with this bound on the same pairs
    [general.product-priors].

    All priors. From the promise to pairs of databases: Each release bounds the ratios of these
    pairs by R_k [general.all-priors]. One more release: as above. Back from pairs of databases: The
    joint release is a mechanism with this bound on the same pairs [general.all-priors].
    """
    for name, _law in [
        ("all product priors", "general.product-priors"),
        ("all priors", "general.all-priors"),
    ]:
        check.tried(name)
