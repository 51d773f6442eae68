"""What levels per record allow along chains of any alphabet: two upper bounds that go several
records at a time, where the recursion of `worst.moebius-upper` goes one.

A column is a positive function u of the records X_1 .. X_n that a chain has after X_0, of level R
per record. With two values the recursion is exact; with more, one step takes the worst outcome of
every record, although the worlds of two values of X_0 grow alike.
"""

from sympy import Eq, Max, Min

from pufferproof.claims.language import (
    Edit,
    Proof,
    above,
    at_least,
    between,
    letter,
    letters,
    proved,
)
from pufferproof.claims.ours.worst.statements.records import growing as says
from pufferproof.claims.registry import Check, claim

WHERE = "With differential privacy on top: chains over any alphabet"
SCOPE = "every finite chain and alphabet, every R >= 1"
R = letter("R", "e to the level per record", at_least(1))
C = letter("C", "R to the power of the records that were changed", at_least(1))
u, other = letters("u other", "values of a column, at databases that differ in a shown record")
least = letter("least", "the value of u once one record more makes it least")
low = letter("low", "the least value of the column over the hidden records", above(0))
low_other = letter("low_other", "the same where a shown record differs", above(0))
p, q = letters(
    "p q", "probabilities of a value, given v and given w, or p given another", at_least(0)
)
h = letter("h", "where f is between its least value, 0, and D times it, 1", between(0, 1))
S, T = letters("S T", "the sums of p h and q h over the first values", at_least(0))
A, B = letters("A B", "the sums of p and q over those of them with p > ratio q", at_least(0))
k, l = letters("k l", "p and q where p > ratio q, else both 0", at_least(0))
excess = letter("excess", "D - 1", at_least(0))
ratio = letter("ratio", "the bound", at_least(1))
N, M = letters("N M", "E[u | v] and E[u | w]", above(0))
inner, outer = letters("inner outer", "E[ubar | v] and E[ubar | w]", above(0))

x, y = letters("x y", "masses of a value at a record given v and given w", at_least(0))
a = letter("a", "the mass of this value that has met before, and moved on", at_least(0))
m = letter("m", "the mass that may have met: the lesser of x and y", at_least(0))
part = letter("part", "the mass that has met: (1 - share) a + share m")
share = letter("share", "the same number for all values", between(0, 1))
met, may, now = letters("met may now", "the sums of a, m and part over all values")
t = letter("t", "t_d, at least the distance of both laws", between(0, 1))
earlier = letter("earlier", "t_(d-1)", between(0, 1))
surplus = letter("surplus", "the excess of x over y: x - y, or 0")
X, over = letters("X over", "the sums of x and of its excess over y", at_least(0))
moved = letter("moved", "the sum of what has met at the values before, times p", at_least(0))
world = letter("world", "the mass of a value before, given v; or given w", at_least(0))
beyond, weight = letters(
    "beyond weight", "the sums of mass r_d q_d and mass q_d over later parts", at_least(0)
)
mass = letter("mass", "the mass of a part", at_least(0))
factor = letter("factor", "r_d, what a part may differ by", at_least(1))
mean = letter("mean", "the mean of u on a part given w", above(0))
smallest = letter("smallest", "the least mean on the parts with r_d <= ratio", above(0))
most = letter("most", "q_d, what the mean of a part may exceed that by", at_least(1))
head, tail = letters("head tail", "the sums of mass (r_d - ratio) mean up to s, and beyond s")
first, last = letters("first last", "the sums of mass (r_d - ratio) up to s, and of it times q_d")
D = letter("D", "a bound of what record c and those beyond it tell", at_least(1))

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
    says=says.BLOCKS,
)
def blocks_upper(check: Check) -> None:
    """Make the column least over the hidden records, then take the worst of what is left."""
    proved(
        check,
        "upper bound",
        SCOPE,
        _blocks,
        one_hidden_record_less=Edit("hidden records: step", put={C * R * low: C * low}),
        a_set_that_is_not_the_worst=Edit(
            "all sets", without=1 + excess * A <= ratio * (1 + excess * B)
        ),
    )


def _blocks(proof: Proof) -> None:
    proof.induction(
        "hidden records",
        "one of X_1 .. X_(c-1) after the other is set to what makes u least, C = R^(how many)",
        base=(u <= R * low, [u <= R * low]),
        step=(u <= C * R * low, [u <= C * least, least <= R * low]),
    )
    proof.inequality(
        "the least is a column",
        "of X_c .. X_n: where a shown record differs each value changes by at most R, hence so "
        "does the lesser of two",
        Min(u, low) <= R * Min(other, low_other),
        [u <= R * other, low <= R * low_other, u > 0, other > 0],
    )
    proof.inequality(
        "both worlds",
        "E[u | v] <= R^(c-1) E[ubar | v] and E[u | w] >= E[ubar | w], ubar the least",
        N <= C * ratio * M,
        [N <= C * inner, inner <= ratio * outer, outer <= M],
    )
    worst_sets(proof)


def worst_sets(proof: Proof) -> None:
    """Show that a law given v and one given w are told apart best by a set of values."""
    chosen = (Eq(k, p) & Eq(l, q) & (p > ratio * q)) | (Eq(k, 0) & Eq(l, 0) & (p <= ratio * q))
    proof.summed(
        "the worst sets",
        "E[ubar | X_c = y] = f (1 + (D - 1) h), f its least value. p h - ratio q h is at most p - "
        "ratio q where that is positive, else at most 0",
        so_far=S - ratio * T <= A - ratio * B,
        adding={S: p * h, T: q * h, A: k, B: l},
        given=[chosen],
    )
    proof.inequality(
        "all sets",
        "the largest quotient over sets is at least that of the set with p > ratio q",
        1 + excess * S <= ratio * (1 + excess * T),
        [S - ratio * T <= A - ratio * B, 1 + excess * A <= ratio * (1 + excess * B)],
    )


@claim(
    "worst.coupling-upper",
    where=WHERE,
    statement="Let 1 = t_0 >= t_1 >= .. >= t_c, 1 <= c <= n, and t_d >= TV(P^d(v, .), P^d(w, .)). "
    "Parts d = 1 .. c have p_d = t_(d-1) - t_d, r_d = R^(d-1), q_d = R^(d-1) D_d, part c + 1 has "
    "p = t_c and r = q = R^(c-1) D_c. For every column u, E[u | X_0 = v]/E[u | X_0 = w] is at "
    "most the largest (sum_(d <= s) p_d r_d + sum_(d > s) p_d r_d q_d)/(sum_(d <= s) p_d + "
    "sum_(d > s) p_d q_d) over the s for which sum_(d <= s) p_d > 0.",
    says=says.COUPLED,
)
def coupling_upper(check: Check) -> None:
    """Cut both worlds into parts that meet at one record each, and weigh the parts."""
    proved(
        check,
        "upper bound",
        SCOPE,
        _coupled,
        distances_that_are_too_small=Edit("how much may meet", without=earlier >= t, given=t <= 1),
        parts_all_of_one_mean=Edit("parts beyond s: step", without=mean <= most * smallest),
        one_record_less=Edit("what a part differs by: step", put={C * R * low: C * low}),
    )


def _coupled(proof: Proof) -> None:
    _meetings(proof)
    proof.induction(
        "what a part differs by",
        "paths of a part that meet at record d have the same law from there on; given v and given "
        "w they differ in d - 1 records at most: a factor R each",
        base=(u <= R * low, [u <= R * low]),
        step=(u <= C * R * low, [u <= C * least, least <= R * low]),
    )
    proof.inequality(
        "what has not met",
        "differs in records 1 .. c - 1, and in the value of X_c: a factor R^(c-1) D; likewise the "
        "means of two parts that met at records up to d differ by at most R^(d-1) D",
        N <= C * D * M,
        [N <= C * inner, inner <= D * outer, outer <= M],
    )
    _weighed(proof)


def _meetings(proof: Proof) -> None:
    proof.summed(
        "what has met stays met",
        "at every value of record d - 1 the mass that has met is at most that given v: moved on "
        "to record d, it is at most the mass x given v, and likewise y given w",
        so_far=moved <= x,
        adding={moved: part * p, x: world * p},
        given=[part <= world],
    )
    proof.summed(
        "what may meet",
        "m = min(x, y) has the sum 1 - TV, as x is 1 in all, and its excess over y is TV in all",
        so_far=Eq(may, X - over),
        adding={may: m, X: x, over: surplus},
        given=[Eq(m, Min(x, y)), Eq(surplus, Max(x - y, 0))],
    )
    proof.inequality(
        "how much may meet",
        "met = 1 - t_(d-1), may = 1 - TV: for a share of what may meet, now = 1 - t_d",
        (now >= met) & (now <= may) & (share * (may - met) <= may - met),
        [
            Eq(met, 1 - earlier),
            Eq(now, met + share * (may - met)),
            may >= 1 - t,
            Eq(now, 1 - t),
            earlier >= t,
        ],
    )
    proof.inequality(
        "between both",
        "at every value: no less than what has met, no more than either world has",
        (part >= a) & (part <= x) & (part <= y),
        [Eq(part, a + share * (m - a)), a <= m, m <= x, m <= y],
    )


def _weighed(proof: Proof) -> None:
    proof.summed(
        "parts up to s",
        "with r_d <= ratio",
        so_far=head <= smallest * first,
        adding={head: mass * (factor - ratio) * mean, first: mass * (factor - ratio)},
        given=[factor <= ratio, mean >= smallest],
    )
    proof.summed(
        "parts beyond s",
        "with r_d > ratio: they met later, or never, so that their means are at most q_d times "
        "the least of those above",
        so_far=tail <= smallest * last,
        adding={tail: mass * (factor - ratio) * mean, last: mass * (factor - ratio) * most},
        given=[factor >= ratio, mean <= most * smallest],
    )
    proof.inequality(
        "both kinds",
        "ratio is the largest quotient over s: first + last <= 0 at this s. So E[u | v] - ratio "
        "E[u | w] <= head + tail <= 0",
        N <= ratio * M,
        [
            N - ratio * M <= head + tail,
            head <= smallest * first,
            tail <= smallest * last,
            first + last <= 0,
        ],
    )
    proof.inequality(
        "some part is up to s",
        "the quotient at the first part of positive mass is a mean of numbers r_d that are at "
        "least its own: ratio is no less, so the parts up to s have positive mass",
        factor <= ratio,
        [
            mass * factor + beyond <= ratio * (mass + weight),
            beyond >= factor * weight,
            mass > 0,
        ],
    )
