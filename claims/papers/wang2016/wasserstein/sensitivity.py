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

from pufferproof.claims.language import Proof
from pufferproof.claims.papers.wang2016.wasserstein.statements import (
    BETWEEN,
    PRESENCE_IS_DP,
    SENSITIVITY,
)
from pufferproof.claims.registry import Check, claim
from pufferproof.models.noise.distance import line_distance

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

    One private value changes, absence among the values: W <= GS <= 2 W. Presence: W is the largest
    |F(x,z) - F(-,z)| [wang2016.x-wass-gs-presence]. G is attained at two values with the others
    fixed, at most the sum of both distances to absence; W at a pair of neighbours.

    Presence against absence, all product laws: W = GS. Couple F(x, z) with F(-, z), z the values of
    the others, which are independent of X_i. Let the others have given values z with probability at
    least 1 - d, d < 1/2 (d = 0 for point masses; with full support each with 1 - d/n
    [lemma.bernoulli]): a coupling puts mass on (F(x,z), F(-,z)), so its largest distance is at
    least |F(x,z) - F(-,z)|.

    Presence against absence: Pufferfish is DP. (x, z) and (-, z) are neighbours in either order,
    P(z) whatever X_i is. Conversely, A >= (1 - d) p and B <= q + d: were p above R q, d = (p - R
    q)/(2 (p + R)) would give A > R B.
    """
    with check.reading(
        "one private value changes, absence among the values (Definition 2.2): W = GS",
        "one person, two values and absence, integer tables from -1 to 1, smallest first",
    ) as proof:
        _refute(
            proof, lambda table: _distance(table) == _sensitivity(table), "W and GS agree", _HALF
        )
    name = "one private value changes, absence among the values: W <= GS <= 2 W"
    check.tried(name)
    with check.reading(
        "neighbours among present values only: W <= GS", "one person, one or two values, as before"
    ) as proof:
        _refute(
            proof,
            lambda table: _distance(table) <= _sensitivity(table, present=True),
            "W is at most GS",
            _PRESENT,
        )
    check.tried(PRESENCE)
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
    check.tried(PRIVATE)


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
    """Couple by the values of the others; and let these be nearly certain.

    As in wang2016.wass-gs.
    """


def _level(*pairs: str) -> Fraction:
    """The largest ratio of both outputs of the release, over pairs of values in both orders."""
    both = [(RELEASE[x], RELEASE[y]) for pair in pairs for x, y in permutations(pair)]
    return max(max(x / y, (1 - x) / (1 - y)) for x, y in both)


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
