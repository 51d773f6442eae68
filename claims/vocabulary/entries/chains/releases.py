"""Two releases that tell more than twice what one of them tells: TwoReleases.v.

A chain and a scale are looked for by halving, and what the releases keep is computed from the
definitions: at values of the sum, beside them and between them.
"""

from collections.abc import Iterator
from functools import cache

from pufferproof.claims.language.statements.rationals import Fraction
from pufferproof.claims.vocabulary.entries.foundations.promise import KEEPS, Rows, Secret
from pufferproof.claims.vocabulary.entries.noise.queries import released
from pufferproof.claims.vocabulary.terms import Log, entry

ONE = Fraction(1)
ONES = [0, 1, 1, 2]
"""X_1 + X_2 on the databases 00, 01, 10 and 11."""
VALUES: list[tuple[Secret, Secret]] = [(frozenset({2, 3}), frozenset({0, 1})), (frozenset({1, 3}), frozenset({0, 2}))]
"""X_1 = 1 and X_1 = 0, and the same of X_2."""
HALVINGS = 40


def at_rest(a: Fraction, b: Fraction) -> list[Fraction]:
    """Return the stationary law of two bits that change from 0 to 1 and from 1 to 0 with a, b."""
    return [each / (a + b) for each in (b * (1 - a), b * a, a * b, a * (1 - b))]


def _least(M: Rows, number: int, law: list[Fraction]) -> Fraction:
    """Return the least number that a release keeps for both values of the first records."""
    pairs = [order for s, t in VALUES[:number] for order in ((s, t), (t, s))]
    found: Fraction = max(left / right for left, right in KEEPS.value(ONE, M, pairs, [law]))
    return found


@cache
def kept(E: Fraction) -> Fraction | None:
    """Return the least number that one release keeps, at most E, where two releases do not keep
    E^2; None if halving finds no such chain with a scale b, known by r = e^(-1 / (2 b)).

    One release tells more than E if r is too small, and two tell no more than E^2 if r is too
    large.
    """
    low, high = Fraction(0), ONE
    for _ in range(HALVINGS):
        r = (low + high) / 2
        c = 1 / r**2
        law = at_rest((c - 1) / (c + 1) ** 3, ONE / 2)
        one = _least(released([(ONES, r)]), 2, law)
        if one > E:
            low = r
        elif _least(released([(ONES, r)] * 2), 1, law) <= E**2:
            high = r
        else:
            return one
    return None


def _more(eps: Log) -> Iterator[tuple[Fraction, Fraction]]:
    one = kept(eps.of)
    yield eps.of + 1 if one is None else one, eps.of


MORE_THAN_TWICE = entry(
    "two releases tell more than twice",
    takes=("level",),
    words="there are a stationary Markov chain X_1, X_2 of bits with four positive transition "
    "probabilities and a scale b > 0 such that X_1 + X_2 with Laplace noise of scale b keeps "
    "e^([0]) for both values of every record, and two independent releases of it do not keep "
    "e^(2 [0]), not even for both values of X_1",
    tex=r"\exists X, b:\ M = X_1 + X_2 + \mathrm{Lap}(b) \text{ keeps } e^{[0]},\ "
    r"(M_A, M_B) \sim (M, M) \text{ does not keep } e^{2 [0]}",
    coq="TwoReleases.tells_more_than_twice [0]",
    value=_more,
    relation="<=",
    meaning="That a release keeps a number R for both values of a record means that its density "
    "given either value is at most R times its density given the other one, at every output.",
)
