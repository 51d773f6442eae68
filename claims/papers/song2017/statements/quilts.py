"""Markov quilts as programs: separation on a path, conditional laws from sums."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import product
from typing import Any

from pufferproof.claims.language.instances.chains import Path, chain, marginal, sequences
from pufferproof.claims.language.instances.laws import ZERO
from pufferproof.claims.language.statements import Draws, Fraction, Instance, Statement

F = Fraction
Law = Mapping[Path, F]
Nodes = frozenset[int]
Sides = tuple[int | None, int | None]
VISIBLE = [[F(2, 3), F(1, 3)], [F(1, 3), F(2, 3)]]
"""Every record tells of every other one, past any that is not between them."""


def short(draws: Draws, longest: int = 4) -> Instance:
    """Draw the law of a short chain and a record of it."""
    start, step = chain(draws, states=2 + draws.below(8) // 7)
    length = 1 + draws.below(longest if len(start) == 2 else 3)
    return {"law": sequences(start, step, length), "T": length, "i": 1 + draws.below(length)}


def between(k: int, s: int, i: int) -> bool:
    """Whether s lies strictly between k and i."""
    return min(k, i) < s < max(k, i)


def apart(i: int, Q: Collection[int], R: Iterable[int]) -> bool:
    """Whether every node of R has one of Q strictly between it and i."""
    return all(any(between(k, s, i) for s in Q) for k in R)


def blind(law: Law, i: int, Q: Collection[int], R: Collection[int]) -> bool:
    """Whether P(X_R=x_R|X_Q=x_Q,X_i=a) = P(X_R=x_R|X_Q=x_Q), wherever X_Q=x_Q and X_i=a are
    possible together.
    """
    q, r = sorted(Q), sorted(R)
    with_i = marginal(law, [i, *q, *r])
    laws = marginal(law, [i, *q]), marginal(law, [*q, *r]), marginal(law, q)
    shown = {each[len(q) :] for each in laws[1]}
    for iq, p in laws[0].items():
        for x in shown:
            both = laws[1].get((*iq[1:], *x), ZERO)
            if with_i.get((*iq, *x), ZERO) * laws[2][iq[1:]] != both * p:
                return False
    return True


def labelled(draws: Draws) -> Instance:
    """The law of one to four records of a chain, a record i, and every other record in Q, in R or
    in neither; R has i at times. Two thirds of the records of R that Q does not separate from i are
    left out of it.
    """
    drawn = short(draws)
    i, places = drawn["i"], {k: draws.below(3) for k in range(1, drawn["T"] + 1)}
    Q = frozenset(k for k, place in places.items() if place == 0 and k != i)
    R = frozenset(
        k
        for k, place in places.items()
        if place == 2 and k not in Q and (apart(i, Q, [k]) or draws.below(3) == 2)
    )
    return {"law": drawn["law"], "i": i, "Q": Q, "R": R}


SEPARATED = "every node of R has a node of Q strictly between it and i"
SEPARATED_NODES = Statement(
    family=labelled,
    given={SEPARATED: lambda law, i, Q, R: apart(i, Q, R)},
    holds=lambda law, i, Q, R, without=False: blind(law, i, (() if without else Q), R),
    too_strong={"and without X_Q": {"without": True}},
    too_weak=[SEPARATED],
)


def visible(draws: Draws) -> Instance:
    """One to four records of the chain P = 2/3 1/3; 1/3 2/3 from any law without zeros, a record i,
    and every record but i in Q, in R or in neither; i is in R or not.
    """
    length = 1 + draws.below(4)
    i, places = 1 + draws.below(length), [draws.below(3) for _ in range(length)]
    return {
        "law": sequences(draws.positive_law(2), VISIBLE, length),
        "i": i,
        "Q": frozenset(k for k, place in enumerate(places, 1) if place == 0 and k != i),
        "R": frozenset(k for k, place in enumerate(places, 1) if place == 2),
    }


UNSEPARATED = "some node of R has no node of Q strictly between it and i"
UNSEPARATED_NODE = Statement(
    family=visible,
    given={UNSEPARATED: lambda law, i, Q, R: not apart(i, Q, R)},
    holds=lambda law, i, Q, R, whatever_told=False: (
        not blind(law, i, (Q | {i} if whatever_told else Q), R)
    ),
    too_strong={"whatever is told of X_i": {"whatever_told": True}},
    too_weak=[UNSEPARATED],
)


def piece(T: int, i: int, Q: Collection[int]) -> Nodes:
    """The records that a path which avoids Q joins to i."""
    return frozenset(
        k for k in range(1, T + 1) if not any(s in Q for s in range(min(i, k), max(i, k) + 1))
    )


def sides(T: int, i: int) -> list[Sides]:
    """The distances (a, b) of the printed forms whose own indices exist; None for no node."""
    return list(product([None, *range(1, i)], [None, *range(1, T - i + 1)]))


def nodes(i: int, a: int | None, b: int | None) -> Nodes:
    """X_Q of the distances a and b."""
    return frozenset([*([] if a is None else [i - a]), *([] if b is None else [i + b])])


def one_quilt(draws: Draws) -> Instance:
    """The law of one to four records of a chain, a record i and the distances of a quilt, None for
    a node that it does not have.
    """
    drawn = short(draws)
    return drawn | {"quilt": draws.among(sides(drawn["T"], drawn["i"]))}


def near(T: int, i: int, a: int | None, b: int | None) -> Nodes:
    """X_N of a quilt, as the text lists it."""
    return frozenset(range(1 if a is None else i - a + 1, T + 1 if b is None else i + b))


def _lists_near(law: Law, T: int, i: int, quilt: Sides, N: Nodes) -> bool:
    Q = nodes(i, *quilt)
    R = frozenset(range(1, T + 1)) - N - Q
    return N == piece(T, i, Q) and blind(law, i, Q, R) and (bool(Q) or not R)


NEARBY = Statement(
    family=one_quilt,
    holds=lambda law, T, i, quilt, with_left_node=False, one_record_less=False: (
        (_lists_near(law, T, i, quilt, near(T, i, *quilt)))
        and (
            not with_left_node
            or (_lists_near(law, T, i, quilt, near(T, i, quilt[0] and quilt[0] + 1, quilt[1])))
        )
        and (
            not one_record_less
            or (_lists_near(law, T, i, quilt, near(T, i, quilt[0], quilt[1] and quilt[1] - 1)))
        )
    ),
    too_strong={
        "with the left node": {"with_left_node": True},
        "one record less on the right": {"one_record_less": True},
    },
)


def several_quilts(draws: Draws) -> Instance:
    """The law of one to four records of a chain, a record i and one to three quilts of it, two- or
    one-sided or empty, that may be equal.
    """
    drawn = short(draws)
    forms = sides(drawn["T"], drawn["i"])
    return drawn | {"quilts": [draws.among(forms) for _ in range(1 + draws.below(3))]}


def joined(quilts: Sequence[Sides], least: Any = min) -> Sides:
    """The distances of the nodes of the joint quilt: the least, or the largest."""
    lefts = [a for a, _ in quilts if a is not None]
    rights = [b for _, b in quilts if b is not None]
    return least(lefts, default=None), least(rights, default=None)


def joint_quilt(law: Law, T: int, i: int, quilts: Sequence[Sides], least: object = min) -> bool:
    """Whether the joint quilt has the nearby set N, the intersection, and the remote set RuQ minus
    Q, RuQ the union of all other records.
    """
    nearby = [piece(T, i, nodes(i, *each)) for each in quilts]
    N = frozenset.intersection(*nearby)
    RuQ = frozenset(k for k in range(1, T + 1) if any(k not in each for each in nearby))
    Q = nodes(i, *joined(quilts, least))
    return i in N and Q <= RuQ and piece(T, i, Q) == N and blind(law, i, Q, RuQ - Q)


JOINT_QUILT = Statement(
    family=several_quilts, holds=joint_quilt, too_strong={"the farthest nodes": {"least": max}}
)
