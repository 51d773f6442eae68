"""Classes of Markov chains, queries of tables with Laplace noise, and quilts: TableQuilts.v.

A release is a query with the level and the scale of its noise. Its values are multiples of 1/parts,
and rho is e^(-1 / (parts b)) of the scale b: then densities at values of the query are powers of
rho, and by them every output is decided (Breakpoints.v).
"""

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import pairwise, product
from math import lcm, prod
from typing import Any, NamedTuple

from pufferproof.claims.language.statements.rationals import Fraction
from pufferproof.claims.vocabulary.entries.foundations.logic import ZERO
from pufferproof.claims.vocabulary.entries.foundations.promise import Law, Rows
from pufferproof.claims.vocabulary.sorts import both, listed, natural, rational, row, rows
from pufferproof.claims.vocabulary.terms import Log, Sort, entry
from pufferproof.models.errors import SolverError

CHAIN_IN_COQ = "({} -> R) * (nat -> {} -> {} -> R)"
TABLE_OF = "Chain.vec 'A 'n"
RELEASE_OF = f"(({TABLE_OF} -> R) * level) * scale"
Table = tuple[int, ...]


class ChainOf(NamedTuple):
    """A chain: its first law and its steps; the last step goes on."""

    first: Sequence[Fraction]
    steps: Sequence[Rows]


class Release(NamedTuple):
    """A query of tables by numerators over `parts`, its level by e^level, and rho of its noise."""

    parts: int
    numerators: Sequence[int]
    ratio: Fraction
    rho: Fraction


def _class(of: str, words: str, raw: str, read: str, show: Any) -> Sort:
    return Sort(f"({CHAIN_IN_COQ.format(of, of, of)}) -> Prop", words, raw, read, show)


def _weights(law: Law) -> str:
    whole = lcm(*(each.denominator for each in law))
    return listed(natural)([int(each * whole) for each in law])


def chains(of: str) -> Sort:
    """A class of chains. Coq reads natural weights, so that at a table each is one."""
    show = listed(both(_weights, listed(listed(_weights))))
    words = f"a set of chains on {of}, each with first weights and a step after every X_k"
    return _class(of, words, "list Chains.raw_chain", "Chains.class_read {}", show)


def loose_chains(of: str) -> Sort:
    """First weights and steps that may be no laws."""
    raw = "list (list Q * list (list (list Q)))"
    show = listed(both(row, listed(rows)))
    return _class(of, "a set of weights and steps", raw, "Chains.loose_read {}", show)


def _release(found: Release) -> str:
    values = "[" + "; ".join(f"({each})%Z" for each in found.numerators) + "]"
    return f"(({found.parts}%positive, {values}), ({rational(found.ratio)}, {rational(found.rho)}))"


def release(of: str, number: str) -> Sort:
    """A query of tables with a level and a scale of noise."""
    return Sort(
        f"((Chain.vec {of} {number} -> R) * level) * scale",
        f"a query F_r of tables of {number} members of {of}, with a level eps_r and a scale sigma_r",
        "Chains.raw_release",
        "Chains.release_read {}",
        _release,
    )


def releases(of: str, number: str) -> Sort:
    """A list of queries, each with a level and a scale of noise."""
    return Sort(
        f"list (((Chain.vec {of} {number} -> R) * level) * scale)",
        f"a list of queries F_r of tables of {number} members of {of}, each with a level eps_r and a scale sigma_r",
        "list Chains.raw_release",
        "map Chains.release_read {}",
        listed(_release),
    )


@cache
def tables_of(size: int, number: int) -> tuple[Table, ...]:
    """Return the tables of so many records, in order."""
    return tuple(product(range(size), repeat=number))


def law_of_chain(chain: ChainOf, number: int) -> list[Fraction]:
    """Return the law of the first records of a chain."""
    found = []
    for table in tables_of(len(chain.first), number):
        chances = [chain.first[table[0]]] if table else []
        for k, (x, y) in enumerate(pairwise(table)):
            chances.append(chain.steps[min(k, len(chain.steps) - 1)][x][y])
        found.append(prod(chances, start=Fraction(1)))
    return found


def _lawful(chains: Sequence[ChainOf]) -> Iterator[bool]:
    for first, steps in chains:
        for each in (first, *(each for step in steps for each in step)):
            yield min(each) >= 0
            yield sum(each) == 1


def _moves(found: Release) -> Iterator[tuple[Fraction, Fraction]]:
    size, number = _shape(found)
    where = {table: place for place, table in enumerate(tables_of(size, number))}
    for table, place in where.items():
        for k in range(number):
            for x in range(size):
                other = where[(*table[:k], x, *table[k + 1 :])]
                moved = found.numerators[place] - found.numerators[other]
                yield Fraction(abs(moved), found.parts), Fraction(1)


def _shape(found: Release) -> tuple[int, int]:
    """Return the set's size, 2 or 3, and the number of records of its tables."""
    for size in (2, 3):
        for number in range(len(found.numerators)):
            if size**number == len(found.numerators):
                return size, number
    raise SolverError("expected a query of tables over two or three values")


def _scores(found: Release, chains: Sequence[ChainOf], number: int, size: int) -> Iterator[tuple[Fraction, Fraction]]:
    for chain in chains:
        law = law_of_chain(chain, number)
        for i in range(number):
            needed = [
                told / found.rho ** (found.parts * (hi - lo))
                for lo in range(i + 1)
                for hi in range(i + 1, number + 1)
                if (told := influence(law, tables_of(size, number), i, lo, hi)) is not None
            ]
            yield min(needed, default=found.ratio + 1), found.ratio


def influence(law: Law, tables: Sequence[Table], i: int, lo: int, hi: int) -> Fraction | None:
    """Return e to the max-influence of X_i on the records before lo and at hi; None if infinite.

    It is the least bound of all ratios, multiplied out; weights may be negative.
    """
    columns: dict[Any, dict[int, Fraction]] = {}
    total: dict[int, Fraction] = {}
    for weight, table in zip(law, tables):
        quilt, x = (table[lo - 1] if lo else None, table[hi] if hi < len(table) else None), table[i]
        columns.setdefault(quilt, {})[x] = columns.get(quilt, {}).get(x, ZERO) + weight
        total[x] = total.get(x, ZERO) + weight
    least, most = ZERO, None
    for column in columns.values():
        for x, y in product(total, repeat=2):
            left = column.get(x, ZERO) * total[y]
            right = total[x] * column.get(y, ZERO)
            if right > 0:
                least = max(least, left / right)
            elif right < 0:
                most = left / right if most is None else min(most, left / right)
            elif left > 0:
                return None
    return least if most is None or (most > 0 and least <= most) else None


def _noisy(found: Release) -> list[list[Fraction]]:
    values = sorted(set(found.numerators))
    powers = [found.rho**k for k in range(values[-1] - values[0] + 1)]
    return [[powers[abs(at - each)] for at in values] for each in found.numerators]


def _releases(some: Sequence[Release]) -> object:
    each = [_noisy(found) for found in some]
    return [
        [prod(chances, start=Fraction(1)) for chances in product(*(rows[x] for rows in each))]
        for x in range(len(some[0].numerators))
    ]


def values_of(number: int, size: int) -> list[tuple[frozenset[int], frozenset[int]]]:
    """Return all pairs of secrets about the value of one record."""
    tables = tables_of(size, number)
    return [
        (_with(tables, i, x), _with(tables, i, y)) for i in range(number) for x, y in product(range(size), repeat=2)
    ]


def _with(tables: Sequence[Table], i: int, x: int) -> frozenset[int]:
    return frozenset(place for place, table in enumerate(tables) if table[i] == x)


CLASS_OF = f"({CHAIN_IN_COQ.format(*['{0}'] * 3)}) -> Prop".replace("{0}", "'A")
DENSITY = "Of a release with noise, P_p(M = w | s) is a density."
CHAINS = entry(
    "chains only",
    takes=(CLASS_OF,),
    words="the first weights and the rows of the steps of every chain in [0] are laws",
    tex=r"[0] \text{ are Markov chains}",
    coq="TableQuilts.chains_only [0]",
    value=_lawful,
    relation="truth",
)
MOVES = entry(
    "1-Lipschitz",
    takes=(RELEASE_OF,),
    words="F_[0] changes by at most 1 if one record changes",
    tex=r"[0] \text{ is 1-Lipschitz}",
    coq="TableQuilts.lipschitz_table (TableQuilts.asked [0])",
    value=_moves,
    relation="<=",
)
SCORES = entry(
    "scores",
    takes=(RELEASE_OF, CLASS_OF, "nat", "Type"),
    words="for every chain in [1] and each X_i of its first [2] records some quilt has a max-influence "
    "of at most e < eps_[0] and a score m/(eps_[0] - e) <= sigma_[0], where m is the number of its "
    "nearby records",
    tex=r"\max_{\theta \in [1]} \max_{i \le [2]} \min_{Q :\, e_\theta < \varepsilon}"
    r" \frac{\mathrm{card}(X_N)}{\varepsilon_{[0]} - e_\theta(X_Q | X_i)} \le \sigma_{[0]}",
    coq="forall c_ i_, [1] c_ -> (i_ < [2])%nat -> TableQuilts.score_at_most (d[3]) "
    "(TableQuilts.at_level [0]) (TableQuilts.with_noise [0]) (TableQuilts.law_of_chain c_ [2]) i_",
    value=_scores,
    precedence=200,
    relation="<=",
    meaning="A quilt of X_i has X_(i-a) and X_(i+b), one of them, or no record; the records from "
    "the one to the other, or to the end of the table, are near. Its max-influence is the largest "
    "of ln P(X_Q = q | X_i = x)/P(X_Q = q | X_i = y).",
)
NOISY = entry(
    "query with noise",
    takes=(RELEASE_OF,),
    gives=f"{TABLE_OF} -> R -> R",
    words="F_[0] with Laplace noise of scale sigma_[0]",
    tex=r"(F + \mathrm{Lap}(\sigma))_{[0]}",
    coq="(fun v_ => Laplace.laplace (TableQuilts.with_noise [0]) (TableQuilts.asked [0] v_))",
    value=_noisy,
    precedence=0,
    meaning=DENSITY,
)
RELEASES = entry(
    "queries with noise",
    takes=(f"list ({RELEASE_OF})",),
    gives=f"{TABLE_OF} -> list R -> R",
    words="the release of all F_r in [0], each with independent Laplace noise of scale sigma_r,",
    tex=r"(F_k + \mathrm{Lap}(\sigma_k))_{k \in [0]}",
    coq="TableQuilts.noisy_releases [0]",
    value=_releases,
    meaning=DENSITY,
)
VALUES = entry(
    "values of one record",
    takes=("nat", "Type"),
    gives="Pufferfish.secret (Chain.vec [1] [0]) -> Pufferfish.secret (Chain.vec [1] [0]) -> Prop",
    words="all pairs (X_j = x, X_j = y) with j among [0] records and x, y in [1]",
    tex=r"\{(X_i = x, X_i = y)\}",
    coq="TableQuilts.two_values (d[1]) [0]",
    value=values_of,
)
LAWS = entry(
    "laws of chains",
    takes=(CLASS_OF, "nat", "Type"),
    gives="(Chain.vec [2] [1] -> R) -> Prop",
    words="the laws of the first [1] records of the chains in [0]",
    tex=r"\{\theta(X_1 .. X_{[1]}): \theta \in [0]\}",
    coq="TableQuilts.laws_of [0] [1]",
    value=lambda chains, number, size: [law_of_chain(each, number) for each in chains],
)
LEVEL_OF = entry(
    "level of",
    takes=(RELEASE_OF,),
    gives="level",
    words="eps_[0]",
    tex=r"\varepsilon_{[0]}",
    coq="TableQuilts.at_level [0]",
    value=lambda found: Log(found.ratio),
)
LEVELS_OF = entry(
    "sum of the levels of",
    takes=(f"list ({RELEASE_OF})",),
    gives="level",
    words="sum_r eps_r",
    tex=r"\textstyle\sum_{k \in [0]} \varepsilon_k",
    coq="Sums.sum [0] TableQuilts.at_level",
    value=lambda some: Log(prod((found.ratio for found in some), start=Fraction(1))),
)
LEVEL_AT_MOST = entry(
    "at most, of levels",
    takes=("level", "level"),
    words="[0] <= [1]",
    tex=r"[0] \le [1]",
    coq="[0] <= [1]",
    value=lambda a, b: iter(((a.of, b.of),)),
    precedence=70,
    relation="<=",
    infix="none",
)
