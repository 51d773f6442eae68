"""Quilts of tables of records, and the noise that hides what is near: QuiltsOfTables.v.

The records of a table are near, in the quilt or remote: 0, 1 or 2 for each, and 2 for all others.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import product

from pufferproof.claims.language.statements.rationals import Fraction
from pufferproof.claims.vocabulary.entries.foundations.promise import Law, Rows, weight
from pufferproof.claims.vocabulary.entries.quilts.chains import (
    CLASS_OF,
    RELEASE_OF,
    TABLE_OF,
    ChainOf,
    Release,
    Table,
    law_of_chain,
    tables_of,
)
from pufferproof.claims.vocabulary.entries.quilts.segments import having
from pufferproof.claims.vocabulary.sorts import both, listed, natural
from pufferproof.claims.vocabulary.terms import Log, Sort, entry

Roles = Sequence[int]
Candidates = Sequence[tuple[int, Roles]]
Pairs = Iterator[tuple[Fraction, Fraction]]
NEAR, QUILT, REMOTE = 0, 1, 2
ROLES_IN_COQ = "nat -> Networks.role"
CANDIDATES = f"list (nat * ({ROLES_IN_COQ}))"
PRIORS = f"({TABLE_OF} -> R) -> Prop"
ROLES = Sort(
    ROLES_IN_COQ,
    "a choice of the records that are near, of those in the quilt and of those that are remote",
    "list nat",
    "Tables.roles_read {}",
    listed(natural),
)
SEARCHED = Sort(
    CANDIDATES,
    "a list of pairs (i, Q) of a record X_i and a choice Q of the records that are near, of those "
    "in the quilt and of those that are remote",
    "list (nat * list nat)",
    "map Tables.candidate_read {}",
    listed(both(natural, listed(natural))),
)


def role(roles: Roles, k: int) -> int:
    """Return whether a record is near, in the quilt or remote."""
    return roles[k] if k < len(roles) else REMOTE


def parts(roles: Roles, which: int, size: int, number: int) -> list[frozenset[int]]:
    """Return the sets of tables that agree in all records of a role."""
    found: dict[Table, set[int]] = {}
    for place, table in enumerate(tables_of(size, number)):
        seen = tuple(a for k, a in enumerate(table) if role(roles, k) == which)
        found.setdefault(seen, set()).add(place)
    return [frozenset(each) for each in found.values()]


def _quilt(roles: Roles, i: int, priors: Sequence[Law], number: int, size: int) -> Iterator[bool]:
    yield role(roles, i) == NEAR
    quilt, remote = (parts(roles, which, size, number) for which in (QUILT, REMOTE))
    for p in priors:
        for x, q in product(range(size), quilt):
            s, all_q = having(i, x, size, number), weight(p, q)
            own = weight(p, s & q)
            for r in remote:
                yield weight(p, s & q & r) * all_q == own * weight(p, q & r)


def _quilts(some: Candidates, priors: Sequence[Law], number: int, size: int) -> Iterator[bool]:
    for i, roles in some:
        yield from _quilt(roles, i, priors, number, size)


def telling(roles: Roles, i: int, p: Law, number: int, size: int) -> Pairs:
    """Yield what the max-influence of a quilt compares."""
    own = [having(i, x, size, number) for x in range(size)]
    for s, t in product(own, repeat=2):
        ps, pt = weight(p, s), weight(p, t)
        yield from ((weight(p, s & q) * pt, ps * weight(p, t & q)) for q in parts(roles, QUILT, size, number))


def _told(roles: Roles, i: int, priors: Sequence[Law], level: Log, number: int, size: int) -> Pairs:
    for p in priors:
        yield from ((a, level.of * b) for a, b in telling(roles, i, p, number, size))


def _apart(roles: Roles, size: int, number: int) -> Iterator[tuple[int, int]]:
    """Yield the pairs of tables that agree in all records that are not near."""
    for one in _agreeing(lambda k: role(roles, k) != NEAR, size, number):
        yield from product(one, repeat=2)


def _agreeing(shown: Callable[[int], bool], size: int, number: int) -> list[list[int]]:
    found: dict[Table, list[int]] = {}
    for place, table in enumerate(tables_of(size, number)):
        found.setdefault(tuple(a for k, a in enumerate(table) if shown(k)), []).append(place)
    return [*found.values()]


def _moves(roles: Roles, release: Release, most: int, size: int, number: int) -> Pairs:
    for x, y in _apart(roles, size, number):
        moved = release.numerators[x] - release.numerators[y]
        yield Fraction(abs(moved), release.parts), Fraction(most)


def _reads(roles: Roles, N: Rows, size: int, number: int) -> Iterator[bool]:
    return (a == b for x, y in _apart(roles, size, number) for a, b in zip(N[x], N[y]))


def room(release: Release, nearby: int) -> Fraction:
    """Return e to what the level leaves for the influence beside a move by so much."""
    return release.ratio * release.rho ** (release.parts * nearby)


def near(roles: Roles, number: int) -> int:
    """Return how many of the records are near."""
    return sum(role(roles, k) == NEAR for k in range(number))


def _score(some: Candidates, release: Release, priors: Sequence[Law], number: int, size: int) -> Iterator[bool]:
    for p in priors:
        for i in range(number):
            yield any(
                all(a <= room(release, near(roles, number)) * b for a, b in telling(roles, i, p, number, size))
                for own, roles in some
                if own == i
            )


def _around(low: int, high: int) -> list[int]:
    near_by = dict.fromkeys(range(low, high), NEAR)
    beside = {high: QUILT} if low <= high else {}
    before = {low - 1: QUILT} if low else {}
    places = {**before, **beside, **near_by}
    return [places.get(k, REMOTE) for k in range(max(places, default=-1) + 1)]


def _joined(roles: Roles, number: int) -> Iterator[bool]:
    return ({role(roles, k - 1), role(roles, k)} != {NEAR, REMOTE} for k in range(1, number))


def _on_chain(roles: Roles, i: int, chains: Sequence[ChainOf], number: int, size: int) -> Iterator[bool]:
    yield from _joined(roles, number)
    laws = [law_of_chain(each, number) for each in chains]
    yield from _quilt(roles, i, laws, number, size)


QUILTS = (
    "That Q is a quilt of X_i under p means that X_i is near and that the remote records are "
    "independent of X_i given those in the quilt."
)
TELLS = (
    "e_p(Q | X_i) is the max-influence of X_i on the records in the quilt, the largest of ln P_p("
    "X_Q = q | X_i = x)/P_p(X_Q = q | X_i = y)."
)
QUILT_OF = entry(
    "quilt of a record",
    takes=(ROLES_IN_COQ, "nat", PRIORS, "nat", "Type"),
    words="[0] is a quilt of X_[1] under every p in [2]",
    tex=r"X_{[0]} \text{ is a quilt of } X_{[1]} \text{ under } [2]",
    coq="QuiltsOfTables.quilt_of (d[4]) (n := [3]) [0] [1] [2]",
    value=_quilt,
    relation="truth",
    meaning=QUILTS,
)
TOLD_BY = entry(
    "told by a quilt",
    takes=(ROLES_IN_COQ, "nat", PRIORS, "level", "nat", "Type"),
    words="e_p([0] | X_[1]) <= [3] for every p in [2]",
    tex=r"e_{[2]}(X_{[0]} | X_{[1]}) \le [3]",
    coq="QuiltsOfTables.told_in_class (d[5]) (n := [4]) [0] [1] [2] [3]",
    value=_told,
    relation="<=",
    meaning=TELLS,
)
MOVES_NEAR = entry(
    "moves by nearby records",
    takes=(ROLES_IN_COQ, RELEASE_OF, "nat", "Type", "nat"),
    words="F_[1] changes by at most [2] if records that are near in [0] change",
    tex=r"[1] \text{ moves by } [2] \text{ with } X_N",
    coq="QuiltsOfTables.moves_near (A := [3]) (n := [4]) [0] (TableQuilts.asked [1]) [2]",
    value=_moves,
    relation="<=",
)
READS_AWAY = entry(
    "reads no nearby record",
    takes=(ROLES_IN_COQ, f"{TABLE_OF} -> 'W -> R", "Type", "nat"),
    words="[1] depends on the records alone that are not near in [0]",
    tex=r"[1] \text{ reads } X_{R \cup Q}",
    coq="QuiltsOfTables.reads_away (A := [2]) (n := [3]) [0] [1]",
    value=_reads,
    relation="truth",
)
HIDES = entry(
    "noise hides",
    takes=(RELEASE_OF, "nat", "level"),
    words="sigma_[0] > 0 and [1]/sigma_[0] + [2] <= eps_[0]",
    tex=r"\sigma_{[0]} > 0,\ [1]/\sigma_{[0]} + [2] \le \varepsilon_{[0]}",
    coq="QuiltsOfTables.hides (TableQuilts.at_level [0]) (TableQuilts.with_noise [0]) [1] [2]",
    value=lambda release, most, level: iter(((level.of, room(release, most)),)),
    relation="<=",
)
QUILTS_OF = entry(
    "quilts that are searched",
    takes=(CANDIDATES, PRIORS, "nat", "Type"),
    words="for every (i, Q) in [0], Q is a quilt of X_i under every p in [1]",
    tex=r"\forall (i, Q) \in [0]:\ X_Q \text{ is a quilt of } X_i",
    coq="QuiltsOfTables.quilts_of (d[3]) (n := [2]) [0] [1]",
    value=_quilts,
    relation="truth",
    meaning=QUILTS,
)
QUILTS_SCORE = entry(
    "scores of quilts",
    takes=(CANDIDATES, RELEASE_OF, PRIORS, "nat", "Type"),
    words="sigma_[1] > 0, and for every p in [2] and each X_i of [3] records some (i, Q) in [0] has "
    "m/sigma_[1] + e_p(Q | X_i) <= eps_[1], that is a score m/(eps_[1] - e_p(Q | X_i)) of at most "
    "sigma_[1], where m is the number of its nearby records",
    tex=r"\max_{\theta \in [2]} \max_{i \le [3]} \min_{(i, Q) \in [0]}"
    r" \frac{\mathrm{card}(X_N)}{\varepsilon_{[1]} - e_\theta(X_Q | X_i)} \le \sigma_{[1]}",
    coq="QuiltsOfTables.quilts_score (d[4]) (n := [3]) [0] [1] [2]",
    value=_score,
    relation="truth",
    meaning=TELLS,
)
AROUND = entry(
    "around a record",
    takes=("nat", "nat"),
    gives=ROLES_IN_COQ,
    words="Q([0], [1])",
    tex="Q([0], [1])",
    coq="QuiltsOfChains.around [0] [1]",
    value=_around,
    meaning="In Q(l, h) the records X_k with l <= k < h are near, X_(l - 1) and X_h are in the "
    "quilt, as far as there are such records, and all others are remote; records are counted from "
    "0.",
)
ON_CHAIN = entry(
    "quilt on a chain",
    takes=(ROLES_IN_COQ, "nat", CLASS_OF, "nat", "Type"),
    words="no arrow X_k -> X_(k + 1) of [3] records joins a near and a remote record of [0], and it is a "
    "quilt of X_[1] under the law of every chain in [2]",
    tex=r"X_{[0]} \text{ is a quilt of } X_{[1]} \text{ in } X_0 \to .. \to X_{[3] - 1}",
    coq="(Networks.quilt_separates QuiltsOfChains.chain_parents [3] [0] /\\ "
    "QuiltsOfTables.quilt_of (d[4]) (n := [3]) [0] [1] (TableQuilts.laws_of [2] [3]))",
    value=_on_chain,
    precedence=0,
    relation="truth",
    meaning=QUILTS,
)
