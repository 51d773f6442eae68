"""Mechanisms within budgets for classes of Markov chains: looked for at some chains, and proved for
all.

Whoever keeps a budget for a class keeps it for chains of it. So mechanisms are looked for that keep
it for some chains, at corners and in the middle, and then audited against the whole class. If that
does not prove the budget, a smaller one is tried. What is proved leaks under the class at least
what it leaks under one of its chains.

That there is no collapse carries over to the class where every chain of it has the possible
databases of one of these.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import prod

from pufferproof.models.channel import Channel
from pufferproof.models.framework import Framework
from pufferproof.models.listing import Pair
from pufferproof.models.numbers.level import Level
from pufferproof.verify.audit import audit
from pufferproof.verify.decision import Decision

SHARES = (Fraction(1), Fraction(31, 32), Fraction(7, 8), Fraction(1, 2))
_BLENDS = (Fraction(1, 16), Fraction(1, 4))
_CHAINS = 8
UNPROVED = "which was not proved for all chains"


def members_of(framework: Framework) -> Framework:
    """Return the framework of some chains of every class: corners, and one for every set of values
    with which a chain of the class can begin. Raises `ModelError` for a class that is no box.
    """
    _ = framework.boxes
    return framework.of_members(_CHAINS, supports=True)


def is_covered(framework: Framework) -> bool:
    """Whether every chain of the classes has the possible databases of one of `members_of`: a class
    whose chains have several stationary laws has no such chain.
    """
    members = members_of(framework).priors
    return all(
        box.one_support and all(framework.member(name, at) in members for at in box.supports())
        for name, box in framework.boxes.items()
    )


def keep(framework: Framework, mechanisms: Sequence[Channel], budgets: Sequence[Level]) -> bool:
    """Whether every mechanism is proved to keep its budget for all chains of the classes."""
    asked = {(id(one), str(level)): (one, level) for one, level in zip(mechanisms, budgets)}
    return all(audit(framework, *each).kept is Decision.HOLDS for each in asked.values())


def smaller(budgets: Sequence[Level]) -> Iterator[tuple[Level, ...]]:
    """Yield the budgets, and then smaller ones: shares of e^epsilon - 1."""
    for share in SHARES if any(_ratio(level) > 1 for level in budgets) else SHARES[:1]:
        if share == 1:
            yield tuple(budgets)
        else:
            yield tuple(Level.log(1 + (_ratio(level) - 1) * share) for level in budgets)


def thinned(mechanism: Channel, budget: Level) -> Channel:
    """Return a mechanism whose output "v" is so likely that it keeps the budget whatever the prior:
    the others are said less often.

    >>> channel = Channel.of({"a": {"w": 1}, "b": {"v": 1}})
    >>> thinned(channel, Level("log(2)")).probability("a", "w")
    Fraction(1, 2)
    """
    if "v" not in mechanism.outputs:
        return mechanism
    most = 1 - min(mechanism.probability(x, "v") for x in mechanism.databases)
    seldom = 1 - 1 / _ratio(budget)
    if not seldom or most <= seldom:
        return mechanism
    rows = {}
    for x in mechanism.databases:
        rows[x] = {y: seldom / most * mechanism.probability(x, y) for y in mechanism.outputs}
        rows[x]["v"] += 1 - seldom / most
    return Channel.of(rows)


def blended(mechanism: Channel, budget: Level, per_record: Level | None = None) -> Iterator[Channel]:
    """Yield mechanisms that say "w" more and more evenly, the last one keeping the budget whatever
    the prior: for budget 0 a fair coin. All keep the level per record that the mechanism keeps.
    """
    # outputs "v" are at most that much likelier on one database than on another
    ratio = min(map(_ratio, [budget] if per_record is None else [budget, per_record]))
    seldom = 1 - 1 / ratio
    if not seldom:
        yield Channel.of({x: {"w": Fraction(1, 2), "v": Fraction(1, 2)} for x in mechanism.databases})
        return
    most = max(mechanism.probability(x, "w") for x in mechanism.databases)
    for even in (*(share for share in _BLENDS if share < 1 / ratio), 1 / ratio):
        rows = {}
        for x in mechanism.databases:
            says = seldom * (even + (1 - even) * mechanism.probability(x, "w") / most)
            rows[x] = {"w": says, "v": 1 - says}
        yield Channel.of(rows)


def reached(members: Framework, mechanisms: Sequence[Channel]) -> tuple[Fraction | None, str, Pair]:
    """Return how much likelier all outputs "w" are at most given one secret than given another,
    None for infinitely, and where.
    """
    said = [[mechanism.probability(x, "w") for x in members.databases] for mechanism in mechanisms]
    column = [Fraction(prod(together)) for together in zip(*said)]
    best: tuple[bool, Fraction, str, Pair] | None = None
    for name, law in members.laws.items():
        for stated in members.pairs:
            for pair in members.orders(stated):
                masses = [members.mass(name, secret) for secret in pair]
                if not all(masses):
                    continue
                above, below = (
                    sum((law.weights[x] * column[x] for x in members.secrets[secret]), Fraction(0)) / mass
                    for secret, mass in zip(pair, masses)
                )
                times = above / below if below else Fraction(0)
                reached_by = (not below and bool(above), times)
                if best is None or reached_by > best[:2]:
                    best = (*reached_by, name, pair)
    if best is None:
        raise AssertionError("a framework with nothing to check was taken")
    return (None if best[0] else best[1]), best[2], best[3]


def _ratio(level: Level) -> Fraction:
    return level.bounds()[0]
