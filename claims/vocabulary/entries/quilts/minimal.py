"""Minimal quilts of a record of a Markov chain: MinimalQuilts.v.

On every chain, the remote records are independent of X_i given the quilt if and only if a record of
the quilt stands strictly between X_i and each of them, or records have one value only.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import product

from pufferproof.claims.vocabulary.entries.quilts.chains import CLASS_OF, ChainOf, law_of_chain
from pufferproof.claims.vocabulary.entries.quilts.shown import Records
from pufferproof.claims.vocabulary.entries.quilts.tables import NEAR, QUILT, QUILT_OF, REMOTE, Roles
from pufferproof.claims.vocabulary.entries.records.accounts import RECORDS_IN_COQ
from pufferproof.claims.vocabulary.terms import entry


def _between(roles: Roles, i: int, k: int) -> bool:
    return any(roles[s] == QUILT for s in range(min(i, k) + 1, max(i, k)))


def _quilt(roles: Roles, i: int, size: int) -> bool:
    remote = [k for k, each in enumerate(roles) if each == REMOTE]
    return roles[i] == NEAR and (size == 1 or all(_between(roles, i, k) for k in remote))


def _piece(roles: Roles, i: int) -> bool:
    return all((each == NEAR) == (each != QUILT and not _between(roles, i, k)) for k, each in enumerate(roles))


def _least(good: Callable[[Roles], bool], some: Records, number: int) -> bool:
    """Whether a good choice with these records in the quilt has the fewest for what is near."""
    sizes: dict[Roles, int] = {}
    every = [*filter(good, product((NEAR, QUILT, REMOTE), repeat=number))]
    for roles in every:
        near = tuple(each == NEAR for each in roles)
        sizes[near] = min(sizes.get(near, number), roles.count(QUILT))
    return any(
        roles.count(QUILT) == sizes[tuple(each == NEAR for each in roles)]
        and all((each == QUILT) == (k in some) for k, each in enumerate(roles))
        for roles in every
    )


def _minimal(some: Records, i: int, number: int, size: int) -> Iterator[bool]:
    yield i < number and _least(lambda roles: _quilt(roles, i, size), some, number)


def _minimal_piece(some: Records, i: int, chains: Sequence[ChainOf], number: int, size: int) -> Iterator[bool]:
    laws = [law_of_chain(each, number) for each in chains]

    def good(roles: Roles) -> bool:
        return _piece(roles, i) and all(QUILT_OF.value(roles, i, laws, number, size))

    yield i < number and _least(good, some, number)


def _one_a_side(some: Records, i: int, number: int) -> Iterator[bool]:
    own = [k for k in some if k < number]
    yield i not in own and sum(k < i for k in own) <= 1 and sum(k > i for k in own) <= 1


TWO = entry(
    "at least two members",
    takes=("Type",),
    words="[0] has at least two members",
    tex=r"|[0]| \ge 2",
    coq="exists x_ y_ : [0], x_ <> y_",
    value=lambda size: iter((size >= 2,)),
    precedence=200,
    relation="truth",
)
LEAST = (
    "Such a set is a minimal quilt if no other one with the same near records, for any choice of "
    "the remote ones, has fewer records."
)
MINIMAL = entry(
    "minimal quilt",
    takes=(RECORDS_IN_COQ, "nat", "nat", "Type"),
    words="[0] is a minimal quilt of X_[1] on every chain of [2] records in [3]",
    tex=r"X_{[0]} \text{ is a minimal quilt of } X_{[1]}",
    coq="MinimalQuilts.minimal_quilt (d[3]) [2] [1] [0]",
    value=_minimal,
    relation="truth",
    meaning="A set of records is a quilt of X_i on every chain if every other record can be called "
    "near or remote, X_i near, so that under every Markov chain with one law of steps the remote "
    f"records are independent of X_i given those in the set. {LEAST}",
)
MINIMAL_PIECE = entry(
    "minimal quilt around a piece",
    takes=(RECORDS_IN_COQ, "nat", CLASS_OF, "nat", "Type"),
    words="[0] is a minimal quilt of X_[1] under the laws that the chains in [2] give to [3] records",
    tex=r"X_{[0]} \text{ is a minimal quilt of } X_{[1]} \text{ under } [2]",
    coq="MinimalQuilts.minimal_piece (d[4]) [3] [1] [2] [0]",
    value=_minimal_piece,
    relation="truth",
    meaning="A set of records is a quilt of X_i under some laws if X_i is not in it, and the "
    "records that it separates from X_i are independent of X_i given those in the set; all others "
    "are near. A record separates another one from X_i if it stands strictly between them. "
    f"{LEAST}",
)
ONE_A_SIDE = entry(
    "at most one record on each side",
    takes=(RECORDS_IN_COQ, "nat", "nat"),
    words="of the first [2] records the X_k with k in [0] are X_([1] - a) and X_([1] + b), or one of "
    "these, or none, for some a and b > 0",
    tex=r"X_{[0]} \in \{\{X_{[1] - a}, X_{[1] + b}\}, \{X_{[1] - a}\}, \{X_{[1] + b}\}, \emptyset\}",
    coq="MinimalQuilts.one_a_side [2] [1] [0]",
    value=_one_a_side,
    relation="truth",
    meaning="Records are counted from 0.",
)
