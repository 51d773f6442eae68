"""Columns on networks: what a bound of their ratios becomes as one record is eliminated."""

from pufferproof.claims.ours.classes.said import elimination as said
from pufferproof.claims.registry import Check, claim

NOTATION = {
    "h": "a function of records, not negative: a column",
    "u, v": "values of a record x_j",
    "x": "the values of all other records but y",
    "y, a, b": "values of the record that is eliminated",
    "p": "p_u_x_y, the law of y given x_j = u and x",
    "R": "R_u_v, a bound of h at x_j = u against h at x_j = v, all other records the same",
    "C": "C_a_b, a bound of h at y = a against h at y = b, all other records the same",
    "B": "B_u_v, at least every quotient of means of an extreme ray given u and given v",
}


@claim(
    "classes.elimination-rays",
    where="Classes of priors",
    kind="lemma",
    says={
        "any number of values": said.ELIMINATED,
        "a record that y does not depend on": said.BESIDE,
        "extreme rays": said.ONE_SIDED,
    },
)
def elimination_rays(check: Check) -> None:
    """Coq proves that h at v lies in the cone, so that it is a finite sum of extreme rays.

    h at u is at most R_u_v times h at v, for every y. The cone of C is spanned by its extreme rays
    [worst.rays-span], and the mean of each grows by at most B_u_v. If y does not depend on x_j,
    the mean does not grow, and B is 1.

    A member of the cone is an extreme ray exactly if its equations connect all values: otherwise
    the values of one part can grow and shrink a little. With the triangle inequality, equations of
    a and b, and of b and c, give that of a and c. Choose one value of every class of values that
    equations lead from, and none lead to from outside; equations from chosen to other values
    connect all, and some of them are a spanning tree.
    """
