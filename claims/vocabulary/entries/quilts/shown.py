"""What is shown of tables of records: sets of records as quilts, and the records that are not near:
QuiltsOfTables.v.
"""

from collections.abc import Collection, Iterator

from pufferproof.claims.language.statements.rationals import Fraction
from pufferproof.claims.vocabulary.entries.foundations.promise import Rows
from pufferproof.claims.vocabulary.entries.quilts.chains import tables_of
from pufferproof.claims.vocabulary.entries.quilts.tables import NEAR, QUILT, REMOTE, ROLES_IN_COQ, Roles, near, role
from pufferproof.claims.vocabulary.entries.records.accounts import RECORDS_IN_COQ
from pufferproof.claims.vocabulary.terms import entry

Records = Collection[int]


def _as_quilt(some: Records) -> list[int]:
    return [QUILT if k in some else REMOTE for k in range(max(some, default=-1) + 1)]


def _subset(some: Records, of: Records) -> Iterator[bool]:
    return (k in of for k in some)


def _away(roles: Roles, number: int, size: int) -> Rows:
    every = tables_of(size, number)
    seen = [tuple(a for k, a in enumerate(table) if role(roles, k) != NEAR) for table in every]
    return [[Fraction(own == other) for other in seen] for own in seen]


SUBSET = entry(
    "subset of records",
    takes=(RECORDS_IN_COQ, RECORDS_IN_COQ),
    words="[0] is a subset of [1]",
    tex=r"[0] \subseteq [1]",
    coq="QuiltsOfTables.subset [0] [1]",
    value=_subset,
    relation="truth",
)
SET_AS_QUILT = entry(
    "set of records",
    takes=(RECORDS_IN_COQ,),
    gives=ROLES_IN_COQ,
    words="[0]",
    tex="[0]",
    coq="(QuiltsOfTables.set_of_records [0])",
    value=_as_quilt,
    meaning="A set of records stands for the choice that has these records in the quilt and no record near.",
)
NEARBY = entry(
    "nearby records",
    takes=(ROLES_IN_COQ, "nat"),
    gives="nat",
    words="m([0])",
    tex=r"\mathrm{card}(X_N)",
    coq="(QuiltsOfTables.nearby (n := [1]) [0])",
    value=near,
    meaning="m(Q) is the number of records that are near in Q, and m(Q)/(eps - e) its score, which "
    "is at most sigma if and only if m(Q)/sigma + e <= eps, where e < eps and sigma > 0.",
)
AWAY = entry(
    "records that are not near",
    takes=(ROLES_IN_COQ, "nat", "Type"),
    gives="Chain.vec [2] [1] -> Chain.vec [2] [1] -> R",
    words="away([0])",
    tex=r"X_{R \cup Q}",
    coq="QuiltsOfTables.shows_away (d[2]) (n := [1]) [0]",
    value=_away,
    meaning="away(Q) is the release of all records that are not near in Q, of those in the quilt "
    "and of the remote ones.",
)
