"""Influences of the records at two distances, or of one of them alone: their formula, from a given
law of the first record and from any, and how they change with the distances.
"""

from pufferproof.claims.ours.influence import said
from pufferproof.claims.ours.influence import statements as says
from pufferproof.claims.ours.influence.hidden import said as hidden
from pufferproof.claims.papers.song2017.sides import said as sides
from pufferproof.claims.registry import Check, claim

NOTATION = {
    "T": "how many records the chain has",
    "Q": "a power of the transition matrix P",
    "C": "a set of values",
    "d": "a distance, at least 1",
    "R, B": "bounds of quotients, and of the mass on a set S",
}


@claim(
    "influence.any-start",
    where="influence along chains",
    kind="theorem",
    says={
        "a given law": said.GIVEN_LAW,
        "any law of the first record": said.ANY_LAW,
        "one record later": said.NO_RISE,
    },
)
def any_start(check: Check) -> None:
    """Prove Bayes's formula, that sums over laws are mediants, and that one comes near a mass, for
    quilts with two sides, with one, and with none.

    A given law. Given X_i both records are independent; P(X_(i-a) = x | X_i = v) = P(X_(i-a) = x)
    P^a(x, v)/P(X_i = v): the weight of x cancels. x and y are free, so that the least R is the
    product of the largest ratios. Without a record on the left P(X_i = v) and P(X_i = w) cancel
    too: the ratio on the right is the same from every law.

    Any law of the first record. P(X_i = w)/P(X_i = v) sums m(z) P^i(z, w) above and m(z) P^i(z, v)
    below. Nearly: m with 1 - share at z, and a share of a law under which both values and x occur.

    One record later. The law of X_1 is one of those of X_0.
    """
    check.stated("a given law")
    check.stated("any law of the first record")
    check.stated("one record later")


@claim(
    "influence.boxes",
    where="influence along chains",
    statement="e(a', b') <= e(a, b) on every chain if a <= a' and b <= b', where a missing record "
    "is farther than all others. So no quilt {X_(i-a''), X_(i+b'')} with a <= a'' <= a', b <= b'' "
    "<= b' and e(a'', b'') < epsilon has a score (a'' + b'' - 1)/(epsilon - e(a'', b'')) below "
    "(a + b - 1)/(epsilon - e(a', b')).",
    kind="theorem",
    says=says.BOXES,
)
def boxes(check: Check) -> None:
    """Prove it by data processing, and one quotient.

    What lies between: given X_(i-a) the record X_(i-a') is independent of X_i and of all records
    after X_i, and likewise on the right: (X_(i-a'), X_(i+b')) is made from (X_(i-a), X_(i+b)) by a
    kernel that does not see X_i [song2017.x-markov]. Data processing: a kernel never raises the
    largest ratio, in either order of v and w [lemma.data-processing]. Scores: least/(level - far)
    <= size/(level - between), without denominators.
    """


@claim(
    "influence.far-laws",
    where="influence along chains",
    statement="Let Q be a power of P, C a set of values from which y is reached by Q, and pi > 0 "
    "on C and at y with sum over C of pi(x) Q(x, y) = pi(y). If m is a law of which only values in "
    "C lead to y by Q, (m Q)(y)/pi(y) is an average of m(x)/pi(x) over x in C: it lies between the "
    "least and the largest of them.",
    kind="theorem",
    says=says.FAR_LAWS,
)
def far_laws(check: Check) -> None:
    """Prove it by adding up the values of C.

    At most: moved sums to (m Q)(y), weights to pi(y). At least: the same with the least for the
    largest ratio.
    """


@claim(
    "influence.blocks",
    where="influence along chains",
    kind="theorem",
    says={
        "a block is best": hidden.BEST,
        "a longer block": hidden.LONGER,
        "at most the product": sides.SIDES,
        "the product is reached": hidden.REACHED,
    },
)
def blocks(check: Check) -> None:
    """Coq proves that only the nearest shown records count, and that farther ones tell no more.

    A block is best. Let X_(L-1) and X_(L+b) be the nearest records shown: the others shown are
    beyond them, and independent of X_i given them. The block of hidden records around X_i, made
    longer up to b, is no worse. Which block that is depends on the set alone: one serves all priors
    of a class, chains or independent records, however many. So of all sets of b hidden records some
    block has the least supremum over priors of the largest ratios P(shown | v)/P(shown | w). For a
    point of a curve, a block that keeps R under all priors bounds it from above; and from below, if
    each block tells more than R under some prior, each set does.

    The product. That ratio of a block is left(j) right(k): left(j) the largest ratio of
    X_(i-j-1), 1 if there is none, and right(k) that of X_(i+k+1). Given X_i both are independent,
    and both outcomes are free: at those with the largest ratios no smaller bound holds.
    """
    check.stated("a block is best")
    check.stated("a longer block")
    check.stated("at most the product")
    check.stated("the product is reached")


@claim(
    "influence.contrast",
    where="influence along chains",
    statement="Let P^d(., y) > 0 and R >= P^d(z, y)/P^d(z', y) for all values z, z'. For values v, "
    "w the quotient P^(d+1)(v, y)/P^(d+1)(w, y) is at most the largest (1 + (R - 1) A(S))/(1 + (R "
    "- 1) B(S)) over sets S of values, A(S) at least the mass that the row v of P has on S, B(S) "
    "at most that of the row w. It is at most 1 + (R - 1) D, D the largest A(S) - B(S).",
    kind="lemma",
    says=says.CONTRAST,
)
def contrast(check: Check) -> None:
    """Prove it: a linear function of a column is largest where its entries are least or largest.

    Ends: in units of the least entry of P^d(., y) the column lies between 1 and R = 1 + spread; S
    holds the z with P(v, z) > quotient P(w, z), where `excess` sums the difference, and `rest` sums
    it elsewhere. The best set: excess = P(v, S) - quotient P(w, S), and with the rest 1 - quotient;
    the quotient of both sums makes `reached` 0. Rows forget: (1 + spread A)/(1 + spread B) <= 1 +
    spread (A - B) where A >= B; the empty set has A >= 0 >= B, so that D >= 0.

    An engine proves its formula [lemma.rows-forget].
    """
