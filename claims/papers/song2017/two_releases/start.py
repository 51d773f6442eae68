"""The two-release counterexample with both nodes secret: the law of X_1 matters; and a witness
whose numbers are all rational.

P(X_1=1|X_2) takes the part of P(X_2=1|X_1) for secrets of X_2: p' = r p/(r p + (1-r) q), q' = r
(1-p)/(1 - r p - (1-r) q) with r = P(X_1=1). Source: asked beyond song2017, appendix A-B.
"""

from pufferproof.claims.papers.song2017.statements import twice as said_twice
from pufferproof.claims.papers.song2017.two_releases import statement as two_releases
from pufferproof.claims.registry import Check, claim

NOTATION = two_releases.NOTATION


@claim(
    "song2017.x-III4-start",
    where="Appendix A-B, asked beyond it",
    statement="With both nodes secret, p = 0.9 and q = 0.01, two releases leak more than twice "
    "what one leaks if P(X_1=1) = 1/11, and do not if P(X_1=1) = 1/3.",
    kind="theorem",
    says={"P(X_1=1) = 1/11": said_twice.EVERY_RECORD, "P(X_1=1) = 1/3": said_twice.NOT_MORE},
)
def start(check: Check) -> None:
    """Prove both by enclosures: for 1/3 secrets of X_2 raise the level of one release.

    P(X_1=1) = 1/11. The chain read backwards: P(X_1=1|X_2=1) and P(X_1=1|X_2=0); F is symmetric, so
    that secrets of X_2 have the same ratios. More than twice: the same for both nodes. The level of
    one release: is the second value.

    P(X_1=1) = 1/3. Bayes, p': P(X_1=1|X_2) for X_2 = 1, or 0, r = P(X_1=1). Bayes, q': P(X_1=1|X_2)
    for X_2 = 1, or 0, r = P(X_1=1). Suprema: at (p, q) for secrets of X_1, at (p', q') for those of
    X_2 [song2017.III4-maxima]. X_1, first value: twice the level of one release for X_2 is enough.
    X_1, second value: twice the level of one release for X_2 is enough. X_2, first value: twice the
    level of one release for X_2 is enough. X_2, second value: twice the level of one release for
    X_2 is enough.
    """
    check.tried("P(X_1=1) = 1/11")
    name = "P(X_1=1) = 1/3"
    check.tried(name)


@claim(
    "song2017.x-III4-rational",
    where="Theorem III.4, asked beyond it",
    statement="Two bits, P(X_2=1|X_1=1) = 1/2, P(X_2=1|X_1=0) = 1/10, P(X_1=1) = 1/6, M = X_1+X_2 "
    "plus geometric noise of ratio 1/2, clipped to 0, 1, 2: every node secret, one release has "
    "e^eps = 30/11, two have 100/13 > (30/11)^2.",
    kind="theorem",
    says=said_twice.RATIONAL,
)
def rational(check: Check) -> None:
    """Prove it from the closed forms at c = 2: geometric noise has the same ratios at integers.

    Suprema: for any c > 1, at w = 0 and w = 2; outputs beyond have the same ratios
    [song2017.III4-maxima]. The chain read backwards: P(X_1=1|X_2=1) and P(X_1=1|X_2=0); F is
    symmetric, so that secrets of X_2 have the same ratios. Levels: second values, which are the
    larger ones. More than twice: 100/13 > 900/121.
    """
    name, _scope = "as stated", "one instance, 4 databases and 3 outputs"
    check.tried(name)
