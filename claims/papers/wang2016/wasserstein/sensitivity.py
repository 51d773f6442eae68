"""Whether the Wasserstein mechanism becomes the global sensitivity mechanism for independent
individuals.

F is a table over the values of n people, one of which is "-", absent. The pairs are (X_i = x, X_i =
-). W is the largest infinity-Wasserstein distance over pairs and product laws; it depends on the
laws of the others only. The paper does not say who is a neighbour in GS: readings follow Definition
2.2 (one private value changes, absence being one of the values), presence against absence, or
changes among present values. Source: wang2016, section 3.2, end.
"""

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from itertools import permutations, product

import sympy
from sympy import Abs, And, Eq, Max

from pufferproof.claims.language import Edit, Proof, at_least, letter, letters, proved
from pufferproof.claims.papers.wang2016.wasserstein.statements import (
    BETWEEN,
    PRESENCE_IS_DP,
    SENSITIVITY,
)
from pufferproof.claims.registry import Check, claim
from pufferproof.models.noise.distance import line_distance

W = letter(
    "W", "W_inf, the infinity-Wasserstein distance, or the largest one over pairs and priors"
)
G = letter("G", "GS(F)")
t, s = letters("t s", "the values of F at (x, z) and at (-, z)")
u = letter("u", "the value of F at (x', z)")
r = letter("r", "the largest distance of the coupling so far")
d = letter("d", "how much the probability of z may be below 1")
at_t, at_s = letters("at_t at_s", "the masses of F(x,z) and of F(-,z)")
c = letter("c", "the mass that a coupling puts on both")
R = letter("R", "e^epsilon", at_least(1))
p, q = letters("p q", "the chances of an output for the databases (x, z) and (-, z)")
w = letter("w", "P(z)")
A, B = letters("A B", "the chances of this output given X_i = x, X_i = -, sums over the first z")
ABSENT = "-"
Table = Mapping[str, int]
PRESENCE = "presence against absence, all product laws: W = GS"
PRIVATE = "presence against absence: Pufferfish is DP"
RELEASE = {"a": Fraction(1, 2), ABSENT: Fraction(1, 4), "b": Fraction(1, 8)}
"""P(u | value) of a mechanism with two outputs for one person."""


@claim(
    "wang2016.wass-gs",
    where="section 3.2, end",
    statement="If X = {X_1..X_n} with one value per individual, Theta = all product distributions "
    "and Q = {(X_i is in the dataset with value x, X_i is not in the dataset)}, Pufferfish "
    "reduces to DP and the Wasserstein mechanism to the global sensitivity mechanism.",
    kind="remark",
    repair="wang2016.x-wass-gs-presence",
    says={
        "one private value changes, absence among the values: W <= GS <= 2 W": BETWEEN,
        PRESENCE: SENSITIVITY,
        PRIVATE: PRESENCE_IS_DP,
    },
)
def wass_gs(check: Check) -> None:
    """W may be half of GS when values may change into each other, and is GS when only presence
    changes; so for privacy.
    """
    with check.reading(
        "one private value changes, absence among the values (Definition 2.2): W = GS",
        "one person, two values and absence, integer tables from -1 to 1, smallest first",
    ) as proof:
        _refute(
            proof, lambda table: _distance(table) == _sensitivity(table), "W and GS agree", _HALF
        )
    name = "one private value changes, absence among the values: W <= GS <= 2 W"
    less = sympy.Rational(3, 2) * W
    smaller = Edit("any two values", instead=And(Abs(t - u) <= less, Abs(t - s) <= less))
    scope = "every n, finite domain and F"
    proved(check, name, scope, _between, **{"GS <= 3 W/2": smaller})
    with check.reading(
        "neighbours among present values only: W <= GS", "one person, one or two values, as before"
    ) as proof:
        _refute(
            proof,
            lambda table: _distance(table) <= _sensitivity(table, present=True),
            "W is at most GS",
            _PRESENT,
        )
    proved(check, PRESENCE, scope, _presence, **HALF_KNOWN)
    with check.reading(
        "one private value changes: Pufferfish is DP", "one person, two values and absence"
    ) as proof:
        proof.counterexample(
            "one person",
            "M returns an output u with probability 1/2 on the value a, 1/4 on absence, - , and "
            "1/8 on b. All pairs of Q are about presence, (a, -) and (b, -): M keeps log 2 for "
            "them. The claim is that M is log 2-DP; but a may change into b (Definition 2.2), and "
            "there the ratio is 4: only log 4 is true",
            {
                "P(u|value)": RELEASE,
                "e^epsilon of Pufferfish": _level("a-", "b-"),
                "of DP": _level("a-", "b-", "ab"),
            },
            lambda: _level("a-", "b-") == 2 and _level("a-", "b-", "ab") == 4,
            "largest(P_u_value)/least(P_u_value) > e_epsilon_of_Pufferfish",
        )
    proved(check, PRIVATE, ANY_SETS, _private, at_a_smaller_level=SMALLER_LEVEL)


@claim(
    "wang2016.x-wass-gs-presence",
    where="section 3.2, repaired",
    statement="Let X = {X_1..X_n} have finite domains, each with a symbol for absence, Theta = all "
    "product distributions and Q = {(X_i = x, X_i is absent)}. If neighbours are databases "
    "that differ in the presence of one individual, epsilon-Pufferfish is epsilon-DP, and W = "
    "GS(F) for real-valued F: also if only product laws of full support are allowed.",
    kind="repair of wang2016.wass-gs",
    says={PRESENCE: SENSITIVITY, PRIVATE: PRESENCE_IS_DP},
)
def presence(check: Check) -> None:
    """Couple by the values of the others; and let these be nearly certain."""
    proved(check, PRESENCE, "every n, finite domain and F", _presence, **HALF_KNOWN)
    proved(check, PRIVATE, ANY_SETS, _private, at_a_smaller_level=SMALLER_LEVEL)


ANY_SETS = "every n, finite domains and sets of outputs, every epsilon"


HALF_KNOWN = {
    "laws that know the rest with probability 1/2 only": Edit(
        "W is at least |f - h|", without=2 * d < 1, given=2 * d <= 1
    )
}


TOO_MUCH = [p > R * q, Eq(2 * d * (p + R), p - R * q)]


SMALLER_LEVEL = Edit(
    "Pufferfish brings DP", without=TOO_MUCH, given=[R > 1, 2 * p > (R + 1) * q, Eq(d, 0)]
)


def _level(*pairs: str) -> Fraction:
    """The largest ratio of both outputs of the release, over pairs of values in both orders."""
    both = [(RELEASE[x], RELEASE[y]) for pair in pairs for x, y in permutations(pair)]
    return max(max(x / y, (1 - x) / (1 - y)) for x, y in both)


def _private(proof: Proof) -> None:
    proof.summed(
        "DP brings Pufferfish",
        "sums over the values z of the others, P(z) whatever X_i is; (x, z) and (-, z) are "
        "neighbours in either order",
        so_far=A <= R * B,
        adding={A: w * p, B: w * q},
        given=[p <= R * q, w >= 0],
    )
    proof.inequality(
        "Pufferfish brings DP",
        "the others are z with probability at least 1 - d, for any d in (0, 1) if laws have full "
        "support: A >= (1 - d) p and B <= q + d. Were p above R q, d = (p - R q)/(2 (p + R)) would "
        "give A > R B",
        A > R * B,
        [A >= (1 - d) * p, B <= q + d, B >= 0, p <= 1, q >= 0, *TOO_MUCH],
    )


def _tables() -> Iterator[Table]:
    for values in ("-a", "-ab"):
        for found in product((0, 1, -1), repeat=len(values)):
            yield dict(zip(values, found))


def _distance(table: Table) -> Fraction:
    """W for one person: laws given a value are points."""
    return max(line_distance({found: 1}, {table[ABSENT]: 1}) for found in table.values())


def _sensitivity(table: Table, present: bool = False) -> int:
    found = [value for label, value in table.items() if not present or label != ABSENT]
    return max(found) - min(found)


_HALF = (
    "One person has the value a or b or is absent, -. The pairs of Q are (a, -) and (b, -), and F "
    "is a distance of 1 away from F(-) at both values, but in different directions: W = 1. The "
    "claim is that W is the global sensitivity of Definition 2.2, where a may change into b: that "
    "is 2"
)
_PRESENT = (
    "One person has the value a or is absent, -, and F differs there: W = 1. If only present "
    "values change into each other, there is nothing that a can change into and GS = 0, while W "
    "hides the presence as well: it is larger than GS"
)


def _refute(proof: Proof, holds: Callable[[Table], bool], sentence: str, explained: str) -> None:
    found = proof.exhaust("smallest failure", sentence, _tables(), holds)
    if found is not None:
        proof.counterexample(
            "one person",
            explained,
            {
                "F": dict(found),
                "W": _distance(found),
                "GS": _sensitivity(found),
                "GS of present values": _sensitivity(found, present=True),
            },
            lambda: not holds(found),
            "largest(F) - least(F) = GS > W" if _sensitivity(found) > _distance(found) else "",
        )


def _between(proof: Proof) -> None:
    proof.cite("presence", "W is the largest |F(x,z) - F(-,z)|", "wang2016.x-wass-gs-presence")
    proof.inequality(
        "any two values",
        "the others are fixed: G is attained at t, u or t, s, and is at least the difference at "
        "which W is attained",
        And(Abs(t - u) <= 2 * W, Abs(t - s) <= 2 * W),
        [Abs(t - s) <= W, Abs(u - s) <= W],
    )
    proof.inequality(
        "W <= GS",
        "W is attained at a pair of neighbours",
        W <= G,
        [Eq(W, Abs(t - s)), Abs(t - s) <= G],
    )


def _presence(proof: Proof) -> None:
    proof.induction(
        "W is at most GS",
        "Couple F(x, z) with F(-, z), z the values of the others, which are independent of X_i: "
        "the largest distance over the z so far",
        base=(r <= G, [Eq(r, Abs(t - s)), Abs(t - s) <= G]),
        step=(Max(r, Abs(t - s)) <= G, [r <= G, Abs(t - s) <= G]),
    )
    proof.inequality(
        "W is at least |f - h|",
        "Let the others have given values z with probability at least 1 - d, d < 1/2 (d = 0 for "
        "point masses). A coupling puts at least at_t - (1 - at_s) on (f, h), f = F(x,z) and h = "
        "F(-,z): its largest distance is at least |f - h|, whichever neighbours attain GS",
        c > 0,
        [
            c >= at_t - (1 - at_s),
            at_t >= 1 - d,
            at_s >= 1 - d,
            at_t <= 1,
            at_s <= 1,
            d >= 0,
            2 * d < 1,
        ],
    )
    proof.cite(
        "laws of full support",
        "n records are given values together with probability 1 - d if each is with 1 - d/n",
        "lemma.bernoulli",
    )
