"""Where two releases leak more than twice what one leaks: the printed numbers, theorem III.4, and
the exact region of (p, q).

S and D are the largest ratios of one and of two releases, c = e. With A(x) = 1 + (c-1) x and B(x) =
1 + (c^2-1) x they are c A(p)/A(q) and c^2 B(p)/B(q) where p(1-p) >= q(1-q), the other case being
the same at (1-q, 1-p). Source: song2017, appendix A-B.
"""

from itertools import product

from pufferproof.claims.language import Proof, proved
from pufferproof.claims.papers.song2017.statements import printed as said_printed
from pufferproof.claims.papers.song2017.statements import twice as said_twice
from pufferproof.claims.papers.song2017.two_releases import statement as two_releases
from pufferproof.claims.papers.song2017.two_releases.said import MORE
from pufferproof.claims.registry import Check, claim

NOTATION = two_releases.NOTATION
SECRETS = "every node secret, more than twice already for the first"


@claim(
    "song2017.III4-numbers",
    where="Appendix A-B",
    statement="p=0.9, q=0.01: (max{S,1/S})^2 = e^2 max{5.3132, 6.2672}; max{D,1/D} >= e^2 "
    "max{4.4695, 6.3448}; so when "
    'M is eps-"differentially private", (M,M) cannot be 2 eps-"differentially private".',
    kind="example",
    repair="song2017.III4-witness",
    says={
        "to four decimals": said_printed.NUMBERS,
        "the conclusion, for the secrets X_1 = 0 and X_1 = 1": said_twice.FIRST_RECORD,
    },
)
def numbers(check: Check) -> None:
    """Enclose the four numbers; for differential privacy, the word of the print, the conclusion
    is false.

    To four decimals. (first value of S)^2: differs from 5.3132 by at most half a unit of the last
    digit; x = 1. (second value of S)^2: differs from 6.2672 by at most half a unit of the last
    digit; x = 1. First value of D: differs from 4.4695 by at most half a unit of the last digit; x
    = 1. Second value of D: differs from 6.3448 by at most half a unit of the last digit; x = 1.

    The conclusion, for the secrets X_1 = 0 and X_1 = 1. Suprema: the largest S or 1/S, D or 1/D is
    one of two values each [song2017.III4-maxima]. Level of one: the second value of S is the
    larger: the level is its logarithm. Level of two: D(2,2) exceeds its square.

    Engines prove its formulas [lemma.III4-value-1], [lemma.III4-value-2], [lemma.III4-value-3],
    [lemma.III4-value-4], [lemma.III4-level-one], [lemma.III4-level-two].
    """
    check.tried("to four decimals")
    name = "the conclusion, for the secrets X_1 = 0 and X_1 = 1"
    check.tried(name)
    name = "the conclusion, for differential privacy, its word"
    proved(check, name, "one counterexample", _private)


def _private(proof: Proof) -> None:
    proof.counterexample(
        "eps = 1",
        "F = X_1 + X_2 changes by at most 1 if one record changes, and the scale is 1. So M is "
        "1-DP, and (M,M) is 2-DP because the densities of two outputs multiply",
        {"eps": 1, "F": "X_1 + X_2", "scale": 1, "largest change of F": 1},
        lambda: max(abs(sum(first) - sum(second)) for first, second in _neighbours()) == 1,
    )


def _neighbours() -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Pairs of two bits that differ in one record."""
    databases = list(product((0, 1), repeat=2))
    return [(a, b) for a in databases for b in databases if sum(m != k for m, k in zip(a, b)) == 1]


@claim(
    "song2017.III4-witness",
    where="Appendix A-B",
    statement="T=2, P(X_2=1|X_1=1)=p, P(X_2=1|X_1=0)=q, Q={(X_1=0,X_1=1)}, M = X_1+X_2+Lap(1): M "
    "is log max{S,1/S}-Pufferfish, two releases are log max{D,1/D}-Pufferfish, with the "
    "printed S and D, and (max S)^2 < max D for some p, q.",
    kind="example",
    says={
        "Q as printed": said_twice.WITNESS,
        "every node secret, X_1 stationary": said_twice.WITNESS_STATIONARY,
    },
)
def witness(check: Check) -> None:
    """Prove the likelihoods and the inequality, and that the law of X_1 does not matter for
    these secrets.

    Q as printed. One release: P(X_2|X_1) does not depend on r = P(X_1=1). Two releases: independent
    given X_1, X_2: products with those of the other output. Suprema: the largest S or 1/S, D or 1/D
    is one of two values each [song2017.III4-maxima]. Level of one: the second value of S is the
    larger: the level is its logarithm. Level of two: D(2,2) exceeds its square.

    Every node secret, X_1 stationary. The chain read backwards: P(X_1=1|X_2=1) and P(X_1=1|X_2=0);
    F is symmetric, so that secrets of X_2 have the same ratios. From "One release" to "Level of
    two": as above.

    An engine proves its formula [lemma.III4-two-releases].
    """


@claim("song2017.thm-III4", where="Theorem III.4", says={SECRETS: MORE})
def theorem(check: Check) -> None:
    """Take stationary bits with p = 1/2 and q = (c-1)/(c+1)^3, c being e to one over the scale.

    One release: S(2) = c (c+1) / (2 (1 + (c-1) q)) is the largest S or 1/S. Its square is below
    D(2,2). Any level above 0 is log S(2) for some scale.
    """
    check.stated(SECRETS)
