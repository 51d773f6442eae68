"""What a level per record tells about a record of a Markov chain without zeros, whatever its
length and whichever records are known: the bound that the code of arXiv 2506.21308 uses.

Opponents who know no record are those of the frameworks here: three factors are enough for them.
"""

from collections.abc import Sequence
from itertools import product
from typing import Any

from sympy import And

from pufferproof.claims.language import at_least, letter, letters
from pufferproof.claims.language.instances.chains import sequences
from pufferproof.claims.language.instances.frameworks import distance
from pufferproof.claims.language.instances.laws import HALF, ONE, ZERO
from pufferproof.claims.language.linked import Linked
from pufferproof.claims.language.statements import Draws, Fraction, Instance, Statement
from pufferproof.claims.registry import Check, claim

F = Fraction
NOTATION = {
    "R": "e to the level of the mechanism for every record",
    "p, q": "the largest and the least transition probability",
    "X_i": "the record that is secret, whose values a and b are compared",
    "K": "records that the opponent knows, without X_i",
}
Table = tuple[int, ...]

G = letter("G", "the largest quotient of two transition probabilities", at_least(1))
R = letter("R", "e to the level per record", at_least(1))
w = letter("w", "P(x_(i-1), known records before X_i)", at_least(0))
k, o = letters("k o", "P(x_i | x_(i-1)) of both values of X_i", at_least(0))
s, t = letters("s t", "P(x_(i+1) | x_i) of both values of X_i", at_least(0))
r = letter("r", "P(known records after X_(i+1) | x_(i+1))", at_least(0))
f, g = letters(
    "f g", "P(output | x_(i-1), x_i, x_(i+1), known records) of both values of X_i", at_least(0)
)
X, Y = letters("X Y", "P(output, known records after X_i | x_(i-1), x_i) of both values")
S, T = letters("S T", "P(known records after X_i | x_i) of both values")
A, B = letters("A B", "P(output, known records, x_i) of both values")
M, N = letters("M N", "P(known records before X_i, x_i) of both values")


def _chain() -> Linked:
    one = Linked(
        "a record of a chain",
        {"u": "the values of the record before X_i", "v": "the values of the record after X_i"},
        {G: "", R: "", w: "u", k: "u", o: "u", s: "v", t: "v", r: "v", f: "u v", g: "u v"},
        {o: k, t: s, f: g},
    )
    one.given("steps to X_i", And(k <= G * o, o <= G * k))
    one.given("steps from X_i", And(s <= G * t, t <= G * s))
    one.given("the level", f <= R * g)
    one.sum(X, "v", s * r * f)
    one.sum(Y, "v", t * r * g)
    one.sum(S, "v", s * r)
    one.sum(T, "v", t * r)
    one.sum(A, "u", w * k * X)
    one.sum(B, "u", w * o * Y)
    one.sum(M, "u", w * k)
    one.sum(N, "u", w * o)
    after = And(X <= G * R * Y, X >= 0, Y >= 0)
    one.along("outputs after", "v", after, "steps from X_i", "the level")
    one.along("known after", "v", And(T <= G * S, S >= 0, T >= 0), "steps from X_i")
    both = And(A <= G**2 * R * B, A >= 0, B >= 0)
    one.along("outputs", "u", both, "steps to X_i", "outputs after")
    one.along("known before", "u", And(N <= G * M, M >= 0, N >= 0), "steps to X_i")
    told = A * N * T <= G**4 * R * B * M * S
    one.step("all", told, "outputs", "known before", "known after")
    return one.conclude("odds", told, "all")


ODDS = _chain()


def chains(draws: Draws) -> Instance:
    """Two to four records of a chain of two or three values, mostly without zeros; the secret
    record, two of its values, and known records with a row that says what they are; likelihoods of
    an output, the sum or the largest of two that fall by R with the distance from a row, sometimes
    by 2 R; bounds of transitions, mostly their largest and least one.
    """
    values = 2 + draws.below(2)
    count = 2 + draws.below(5 - values)
    step = [draws.positive_law(values, 9) for _ in range(values)]
    if draws.below(8) == 7:
        step = draws.rows(values, values)
    i = 1 + draws.below(count)
    others = [j for j in range(1, count + 1) if j != i]
    every = [p for row in step for p in row]
    ratio = draws.rate([HALF, F(1, 3)])
    return {
        "start": draws.law(values),
        "P": step,
        "T": count,
        "i": i,
        "a": draws.below(values),
        "b": draws.below(values),
        "known": draws.several(others) if draws.whether() else [],
        "row": [draws.below(values) for _ in range(count)],
        "R": 1 / ratio,
        "steep": ratio * (HALF if draws.below(6) == 5 else ONE),
        "centres": [tuple(draws.below(values) for _ in range(count)) for _ in range(2)],
        "largest": draws.whether(),
        "bounds": [min(every), max(every) * (HALF if draws.below(6) == 5 else ONE)],
    }


def _sticky(count: int, **more: object) -> Instance:
    """A chain that moves seldom, and a record that is 1 almost always and 0 where told."""
    stay = F(99, 100)
    found: Instance = {
        "start": [F(1, 10**4), 1 - F(1, 10**4)],
        "P": [[stay, 1 - stay], [1 - stay, stay]],
        "T": count,
        "i": 2,
        "a": 0,
        "b": 1,
        "known": [],
        "row": [1] * count,
        "R": F(10**12),
        "steep": F(1, 10**12),
        "centres": [(0,) * count] * 2,
        "largest": True,
        "bounds": [1 - stay, stay],
    }
    return found | more


def _likelihood(x: Table, steep: F, centres: Sequence[Table], largest: bool, **_: object) -> F:
    near, far = sorted((steep ** distance(x, z) for z in centres), reverse=True)
    return near if largest else near + far


def _transitions(P: Sequence[Sequence[F]], bounds: Sequence[F], **_: object) -> bool:
    return bounds[0] > 0 and all(bounds[0] <= p <= bounds[1] for row in P for p in row)


def _level(P: Sequence[object], T: int, R: F, **instance: Any) -> bool:
    """Whether a changed record changes the likelihood by at most R."""
    values = range(len(P))
    of = {x: _likelihood(x, **instance) for x in product(values, repeat=T)}
    return all(
        of[x] <= R * of[(*x[:j], v, *x[j + 1 :])] for x in of for j in range(T) for v in values
    )


def _laws(
    start: Sequence[F],
    P: Sequence[Sequence[F]],
    T: int,
    i: int,
    known: Sequence[int],
    row: Sequence[int],
    values: Sequence[int],
) -> list[dict[Table, F]]:
    """Return the law of all records given the known ones and X_i, for each of its values; empty
    where that is impossible.
    """
    law = sequences(start, P, T)
    fits = {x: p for x, p in law.items() if all(x[j - 1] == row[j - 1] for j in known)}
    parts = [{x: p for x, p in fits.items() if x[i - 1] == value} for value in values]
    totals = [sum(part.values(), ZERO) for part in parts]
    return [{x: p / all_ for x, p in part.items()} for part, all_ in zip(parts, totals)]


def _possible(
    start: Sequence[F],
    P: Sequence[Sequence[F]],
    T: int,
    i: int,
    known: Sequence[int],
    row: Sequence[int],
    a: int,
    b: int,
    **_: object,
) -> bool:
    return all(_laws(start, P, T, i, known, row, (a, b)))


def _told(
    start: Sequence[F], P: Sequence[Sequence[F]], T: int, i: int, known: Sequence[int],
    row: Sequence[int], a: int, b: int, R: F, bounds: Sequence[F],
    unknown: int = 3, some: int = 4, **output: Any,
) -> bool:  # fmt: skip
    """Whether the output is at most R (p/q)^4 times as likely given a as given b, with the power 3
    where nothing is known.
    """
    means = [
        sum((p * _likelihood(x, **output) for x, p in law.items()), ZERO)
        for law in _laws(start, P, T, i, known, row, (a, b))
    ]
    factors = some if known else unknown
    return bool(bounds[0] ** factors * means[0] <= R * bounds[1] ** factors * means[1])


TRANSITIONS = "every transition probability is from q > 0 to p"
LEVEL = "one record changes the likelihood of the output by at most R"
POSSIBLE = "both values of X_i are possible with what is known"
ALONG = Statement(
    family=chains,
    given={POSSIBLE: _possible, TRANSITIONS: _transitions, LEVEL: _level},
    holds=_told,
    edges=[_sticky(3), _sticky(4, known=[4])],
    too_strong={
        "the power 2 where nothing is known": {"unknown": 2},
        "the power 3 in all cases": {"some": 3},
    },
    too_weak=[TRANSITIONS, LEVEL],
)


@claim(
    "influence.bdp-chain",
    where="Bayesian differential privacy, the bound for Markov chains",
    statement="Let X_1, .., X_T be a Markov chain, all its transition probabilities from q > 0 to "
    "p, with any law of X_1. If one record changes the likelihood of an output by at most R, then "
    "the output is at most R (p/q)^4 times as likely given X_i = a and known records K as given "
    "X_i = b and K, and at most R (p/q)^3 times where no record is known.",
    kind="theorem",
    says={"as stated": ALONG, "the neighbours of X_i": ODDS},
)
def bdp_chain(check: Check) -> None:
    """Prove it: given both neighbours of X_i, its value moves the output by R and nothing else.

    Steps: the chance of x_(i-1) given a is P(x_(i-1), known) P(a | x_(i-1)) over the mean M of
    this, and that of x_(i+1) is P(x_(i+1) | a) P(known | x_(i+1)) over S. Each of the two
    transitions changes by p/q at most, and so do M and S, which are means of transitions. Without
    known records after X_i, S = 1: three factors. A neighbour that is known, or missing, has one
    value: fewer factors.
    """
