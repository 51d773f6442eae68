"""Section 4: the three mechanisms that collapse, with their revealing times from the definition.

A run of times is followed by its candidates: the databases that allow all outputs so far.
"""

from collections.abc import Callable, Sequence
from functools import reduce
from itertools import product

from pufferproof.claims.language.instances.frameworks import (
    Prior,
    Rows,
    Secret,
    held,
    leakage,
    output_law,
)
from pufferproof.claims.language.instances.laws import ALMOST, ONE, ZERO
from pufferproof.claims.language.statements import Draws, Fraction, Instance, Statement

F = Fraction
Candidates = frozenset[int]
Done = Callable[[Candidates], bool]


def next_candidates(M: Rows, x: int, now: Candidates) -> dict[Candidates, F]:
    """Return with which probability a run on the database x leaves which of the candidates."""
    law: dict[Candidates, F] = {}
    for w, p in enumerate(M[x]):
        if p:
            left = frozenset(y for y in now if M[y][w])
            law[left] = law.get(left, ZERO) + p
    return law


def expected_runs(M: Rows, x: int, now: Candidates, done: Done) -> F | None:
    """Return the expected number of independent runs until `done`, None for infinite.

    Candidates only get fewer, so that each set of them is left once and for all.
    """
    if done(now):
        return ZERO
    following = next_candidates(M, x, now)
    stay = following.pop(now, ZERO)
    if stay == 1:
        return None
    total = ONE
    for left, p in following.items():
        rest = expected_runs(M, x, left, done)
        if rest is None:
            return None
        total += p * rest
    return total / (1 - stay)


def revealed_at(M: Rows, x: int, now: Candidates, done: Done, last: int) -> list[F]:
    """Return the probabilities that run 1, .., last is the first after which `done` is true."""
    law, found = {now: ONE}, []
    for _ in range(last):
        after: dict[Candidates, F] = {}
        for each, p in law.items():
            for left, q in next_candidates(M, x, each).items():
                after[left] = after.get(left, ZERO) + p * q
        found.append(sum((p for left, p in after.items() if done(left)), ZERO))
        law = {left: p for left, p in after.items() if not done(left)}
    return found


def possible(prior: Prior) -> Candidates:
    """Return the databases of positive probability."""
    return frozenset(x for x, p in enumerate(prior) if p)


def shown(x: int) -> Done:
    """Say that x is the only candidate."""
    return lambda left: left == {x}


def kinds(draws: Draws) -> Instance:
    """Two to four kinds of runs with positive probabilities, ties often; or one kind, which is
    certain.
    """
    size = 1 + (draws.below(8) + 2) // 3
    return {"q": draws.positive_law(size, 3), "k": 2 + draws.below(5)}


def kinds_in_short_runs(draws: Draws) -> Instance:
    """Two to four kinds of runs with positive probabilities, or one that is certain; k, 2 to 4."""
    return kinds(draws) | {"k": 2 + draws.below(3)}


def _runs_of(q: Sequence[F], k: int) -> F:
    """P(N = k), by listing all sequences of k runs."""
    found = ZERO
    for kinds_ in product(range(len(q)), repeat=k):
        if kinds_[-1] != kinds_[0] and len(set(kinds_[:-1])) == 1:
            found += reduce(lambda p, kind: p * q[kind], kinds_, ONE)
    return found


TWO_KINDS_LAW = Statement(
    family=kinds_in_short_runs,
    given={"0 < q_D < 1": lambda q, k: all(0 < p < 1 for p in q)},
    holds=lambda q, k, one_run_later=False: (
        _runs_of(q, k) == sum((p ** (k if one_run_later else k - 1) * (1 - p) for p in q), ZERO)
    ),
    too_strong={"one run later": {"one_run_later": True}},
)


def _wait(q: Sequence[F]) -> F | None:
    """E N: the runs until all single kinds are excluded, the database 0 having all of them."""
    size = len(q)
    M = [list(q), *([F(w == kind) for w in range(size)] for kind in range(size))]
    return expected_runs(M, 0, frozenset(range(size + 1)), shown(0))


TWO_KINDS_MEAN = Statement(
    family=kinds,
    given={"0 < q_D < 1": lambda q, k: all(0 < p < 1 for p in q)},
    holds=lambda q, k, first_run_not=False, larger_bound_all=False: (
        (_wait(q) == 1 + sum((p / (1 - p) for p in q), ZERO))
        and (not first_run_not or (_wait(q) == sum((p / (1 - p) for p in q), ZERO)))
        and (not larger_bound_all or (_wait(q) == 1 + 1 / (1 - max(q))))
    ),
    too_strong={
        "the first run not counted": {"first_run_not": True},
        "the larger bound for all kinds": {"larger_bound_all": True},
    },
    always="an equation of rational functions of q",
)


def pairs(draws: Draws) -> Instance:
    """A prior with zeros and ties on two to five databases, s1, its complement s2, the mechanism of
    Example 1, and an input x of positive probability.
    """
    size = draws.among([4, 4, 5, 3, 2])
    s = frozenset(x for x in range(size) if x % 2 == 0)
    if draws.below(4) == 3:
        s = frozenset(draws.several(range(size)))
    t = frozenset(range(size)) - s
    prior = draws.law(size, 3) if draws.whether() else draws.positive_law(size, 3)
    x = draws.among(sorted(possible(prior)))
    return {"prior": prior, "s": s, "t": t, "x": x}


def pair_mechanism(prior: Prior, s: Secret, t: Secret) -> list[list[F]]:
    """Return the mechanism of Example 1: its outputs are all (D1, D2), D1 of s and D2 of t."""
    found = []
    for x in range(len(prior)):
        decoys, row = held(prior, t if x in s else s), []
        for pair in product(sorted(s), sorted(t)):
            own, decoy = pair if x in s else pair[::-1]
            row.append(prior[decoy] / decoys if x == own and decoys else ZERO)
        found.append(row)
    return found


TWO_EACH = "each secret has two databases of positive probability"


def two_each(prior: Prior, s: Secret, t: Secret, **_: object) -> bool:
    """Whether each of two secrets has at least two possible databases."""
    return all(len(possible(prior) & each) >= 2 for each in (s, t))


def _nothing_told(
    prior: Prior, s: Secret, t: Secret, of: Sequence[Secret], even: bool = False
) -> bool:
    """Whether no output changes the probability of certain sets of databases, and given s and t it
    has the product of the probabilities of both databases, or the same for all outputs.
    """
    M, outputs = pair_mechanism(prior, s, t), list(product(sorted(s), sorted(t)))
    laws = [output_law(prior, M, secret) or [] for secret in (s, t)]
    for w, (d1, d2) in enumerate(outputs):
        joint = [p * row[w] for p, row in zip(prior, M)]
        if any(
            sum((joint[x] for x in each), ZERO) != sum(joint) * held(prior, each) for each in of
        ):
            return False
        expected = prior[d1] / held(prior, s) * prior[d2] / held(prior, t)
        if any(law[w] != (F(1, len(M)) if even else expected) for law in laws):
            return False
    return True


NOTHING_TOLD = Statement(
    family=pairs,
    given={TWO_EACH: two_each},
    holds=lambda prior, s, t, x, nor_input=False, even=False: _nothing_told(
        prior, s, t, ([frozenset([x])] if nor_input else [s, t]), even=even
    ),
    too_strong={"nor that of the input": {"nor_input": True}, "all outputs alike": {"even": True}},
)


def _time(prior: Prior, s: Secret, t: Secret, x: int) -> F | None:
    return expected_runs(pair_mechanism(prior, s, t), x, possible(prior), shown(x))


def _times(prior: Prior, s: Secret, t: Secret, x: int, last: int) -> list[F]:
    return revealed_at(pair_mechanism(prior, s, t), x, possible(prior), shown(x), last)


def _decoys(prior: Prior, s: Secret, t: Secret, x: int) -> list[F]:
    """The q_D of the other secret, those that are positive."""
    other = t if x in s else s
    return [prior[y] / held(prior, other) for y in sorted(other) if prior[y]]


def _largest(prior: Prior, s: Secret, t: Secret) -> F:
    return max(max(prior[x] for x in each) / held(prior, each) for each in (s, t))


def _bounded(prior: Prior, s: Secret, t: Secret, x: int, runs: F = ONE) -> bool:
    time = _time(prior, s, t, x)
    return time is not None and time <= runs + 1 / (1 - _largest(prior, s, t))


RUNS_BOUND = Statement(
    family=pairs,
    given={TWO_EACH: two_each},
    holds=_bounded,
    too_strong={"a hundredth less": {"runs": ALMOST}},
)
RUNS_LAW = Statement(
    family=pairs,
    given={TWO_EACH: two_each},
    holds=lambda prior, s, t, x, one_run_later=False: (
        (
            _times(prior, s, t, x, 4)[1:]
            == [
                sum((q ** (k - 1) * (1 - q) for q in _decoys(prior, s, t, x)), ZERO)
                for k in (2, 3, 4)
            ]
        )
        and (
            not one_run_later
            or (
                _times(prior, s, t, x, 3)[2]
                == sum((q * (1 - q) for q in _decoys(prior, s, t, x)), ZERO)
            )
        )
    ),
    too_strong={"one run later": {"one_run_later": True}},
)
TWO_RUNS = Statement(
    family=pairs,
    given={TWO_EACH: two_each},
    holds=lambda prior, s, t, x, surely=False: (
        (_times(prior, s, t, x, 2)[1] > 0) and (not surely or (_times(prior, s, t, x, 2)[1] == 1))
    ),
    too_strong={"surely": {"surely": True}},
    too_weak=[TWO_EACH],
)


def _told_by_two(prior: Prior, s: Secret, t: Secret) -> bool:
    """Whether two runs can have outputs that are possible given one secret and not the other."""
    M = pair_mechanism(prior, s, t)
    of_s, of_t = ([x for x in each if prior[x]] for each in (s, t))
    return any(
        any(M[x][w] and M[x][z] for x in of_s) and not any(M[y][w] and M[y][z] for y in of_t)
        for w, z in product(range(len(M[0])), repeat=2)
    )


def _leaks(prior: Prior, s: Secret, t: Secret) -> F | None:
    return leakage([prior], [(s, t)], pair_mechanism(prior, s, t))


COLLAPSE = Statement(
    family=pairs,
    given={TWO_EACH: two_each},
    holds=lambda prior, s, t, x, infinite_one=False: (
        (_leaks(prior, s, t) == 1 and _told_by_two(prior, s, t))
        and (not infinite_one or (_leaks(prior, s, t) is None))
    ),
    too_strong={"infinite in one": {"infinite_one": True}},
    too_weak=[TWO_EACH],
)
