"""What levels per record allow along chains of any alphabet: exactly, by the signs of one walk, and
two upper bounds that go several records at a time.

A column is a positive function u of the records X_1 .. X_n that a chain has after X_0, of level R
per record. With two values the recursion is exact; with more, one step takes the worst outcome of
every record, although the worlds of two values of X_0 grow alike.
"""

from pufferproof.claims.ours.worst.records.said.tilts import TILTS
from pufferproof.claims.ours.worst.statements.records import growing as says
from pufferproof.claims.registry import Check, claim

WHERE = "With differential privacy on top: chains over any alphabet"


NOTATION = {
    "X_0 .. X_n": "a Markov chain with n >= 1 records after X_0",
    "v, w": "two values of X_0, both possible",
    "u": "a column: a positive function of X_1 .. X_n that changes by a factor of at most R when "
    "one of them does",
    "P^c(v, y)": "P(X_c = y | X_0 = v)",
    "TV": "the total variation distance of two laws, half the sum of |p - q|",
    "D_c": "a number with E[f | X_c = x] <= D_c E[f | X_c = y] for all columns f of X_c .. X_n and "
    "all values x, y",
}


@claim(
    "worst.blocks-upper",
    where=WHERE,
    statement="For every column u and 1 <= c <= n, E[u | X_0 = v]/E[u | X_0 = w] is at most "
    "R^(c-1) times the largest (1 + (D_c - 1) P^c(v, A))/(1 + (D_c - 1) P^c(w, A)) over sets A of "
    "values. For c = 1 this is a step of the recursion; as D_c grows it tends to R^(c-1) times the "
    "influence of X_c.",
    says={"upper bound": says.BLOCKS},
)
def blocks_upper(check: Check) -> None:
    """Make the column least over the hidden records, then take the worst of what is left.

    Hidden records: one of X_1 .. X_(c-1) after the other is set to what makes u least, C = R^(how
    many). The least is a column: of X_c .. X_n: where a shown record differs each value changes by
    at most R, hence so does the lesser of two. Both worlds: E[u | v] <= R^(c-1) E[ubar | v] and E[u
    | w] >= E[ubar | w], ubar the least. The worst sets: E[ubar | X_c = y] = f (1 + (D - 1) h), f
    its least value. p h - ratio q h is at most p - ratio q where that is positive, else at most 0.
    All sets: the largest quotient over sets is at least that of the set with p > ratio q.
    """


@claim(
    "worst.coupling-upper",
    where=WHERE,
    statement="Let 1 = t_0 >= t_1 >= .. >= t_c, 1 <= c <= n, and t_d >= TV(P^d(v, .), P^d(w, .)). "
    "Parts d = 1 .. c have p_d = t_(d-1) - t_d, r_d = R^(d-1), q_d = R^(d-1) D_d, part c + 1 has "
    "p = t_c and r = q = R^(c-1) D_c. For every column u, E[u | X_0 = v]/E[u | X_0 = w] is at "
    "most the largest (sum_(d <= s) p_d r_d + sum_(d > s) p_d r_d q_d)/(sum_(d <= s) p_d + "
    "sum_(d > s) p_d q_d) over the s for which sum_(d <= s) p_d > 0.",
    says={"upper bound": says.COUPLED},
)
def coupling_upper(check: Check) -> None:
    """Cut both worlds into parts that meet at one record each, and weigh the parts.

    At every value of record d - 1 the mass that has met is at most that given v and that given w,
    and so at record d; m = min(x, y) has the sum 1 - TV, at least 1 - t_d: a share of what may meet
    makes the mass that has met 1 - t_d. Paths of a part that meet at record d have the same law
    from there on; given v and given w they differ in d - 1 records at most: a factor R each. What
    has not met differs in records 1 .. c - 1, and in the value of X_c: a factor R^(c-1) D; likewise
    the means of two parts that met at records up to d differ by at most R^(d-1) D. Parts up to s,
    with r_d <= ratio, count at least; parts beyond s, with r_d > ratio, have means of at most q_d
    times the least of those above. As ratio is the largest quotient over s, the sum is at most 0 at
    this s. The quotient at the first part of positive mass is a mean of numbers r_d that are at
    least its own: the parts up to s have positive mass.
    """


@claim("worst.tilts", where=WHERE, says={"records of one side": TILTS})
def tilts(check: Check) -> None:
    """Coq proves it record by record: what follows is positive, the largest of columns is one.

    One record: for the values x_(j+1) .. x_n let M be the largest u(z, ..)/r_j(z) over values z. As
    u(z, ..)/r_j(z) <= r_j(z') u(z', ..), also M <= r_j(z') u(z', ..) for all z', so that u(z, ..)
    is from M/r_j(z) to r_j(z) M. Signs: a(z) u(z, ..) is at most a(z) r_j(z) M where a(z) > 0, and
    at most a(z)/r_j(z) M elsewhere. The rest: M is a function of the later records, and keeps their
    factors as every u(z, ..) does. So sum_z a(z) E[u | X_j = z] is at most sum_y (c P_(j+1))(y) E[M
    | X_(j+1) = y], c being a with its factors; in the end sum_z c_n(z) times a number > 0.
    Attained: with m_j(z) = r_j(z) or 1/r_j(z) by the signs of the walk, all steps are equalities
    for u = m_1 .. m_n, which has these factors. Inside a chain: let record i have the level log R_i
    and the factors R_j^(1/2) for every record j. Given X_i = v, w those before it are a chain too,
    from its reversed steps, and independent of those after it. A column at v is at most R_i times
    that at w, and with one side after the other the ratio is at most R_i times the largest ratio
    of either side; products of factors on both, R_i at v and 1 at w, are columns that reach it.
    """
