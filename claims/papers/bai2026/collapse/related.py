"""Section 3: composition of noiseless privacy, whose only randomness is the prior, and a remark on
axioms of composition.

A query is a function of the data. Between two queries the records outside a set K are drawn anew,
given those in K. The parts that speak of other papers are open: nothing in this one decides them.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache, lru_cache, partial
from itertools import product

from pufferproof.claims.language import Proof, letters, proved
from pufferproof.claims.papers.bai2026.statements import priors
from pufferproof.claims.registry import Check, claim

u, v = letters("u v", "the joint probabilities with the next answer")
y, z = letters("y z", "the signs that are the answers: of the exclusive or s t, and of r")

Bits = tuple[int, ...]
Query = tuple[int, ...]
"""The answer at every database, in lexicographic order."""


@claim(
    "bai2026.related",
    where="Section 3",
    statement="Noiseless privacy was shown to compose with large parts of the data resampled "
    "between queries; pure epsilon-DP violates the composition axioms of Blanc et al., "
    "posterior-based definitions almost always their symmetry axioms.",
    kind="remark",
    says={
        "noiseless: all records but the secret one resampled": priors.RESAMPLED,
        "noiseless: one record kept besides "
        "the secret one, queries that do not compose": priors.ONE_KEPT,
        "noiseless: fair bits, the first one secret, exhaustively": priors.RESAMPLED_FAIR,
    },
)
def related(check: Check) -> None:
    """Resampling all but the secret record is enough, and one record kept besides is too much;
    the rest is other papers'.

    Noiseless: all records but the secret one resampled. The other records are drawn anew given the
    secret one, so that levels multiply.

    Noiseless: one record kept besides the secret one, queries that do not compose. s is the secret
    bit and t the bit kept, as signs; the queries are t and y = s t. Each answer alone has
    probability 1/2 for either s. Together y t = s: the other value of s is excluded.

    Not decided: the axioms of Blanc et al. are stated in their paper only, and "almost always" has
    no printed meaning.
    """
    check.tried("noiseless: all records but the secret one resampled")
    check.tried("noiseless: one record kept besides the secret one, queries that do not compose")
    proved(
        check,
        "noiseless: fair bits, the first one secret, exhaustively",
        "2 and 3 bits: all pairs of queries",
        _searched,
        the_second_bit_kept=partial(_searched, kept=(0, 1)),
    )
    for name in (
        "pure epsilon-DP violates the composition axioms of Blanc et al.",
        "posterior-based definitions almost always violate their symmetry axioms",
    ):
        with check.reading(name, "not decided"):
            pass


def _searched(proof: Proof, kept: tuple[int, ...] = (0,)) -> None:
    for count in (2, 3):
        queries = list(partitions(2**count))
        alike = representatives(queries, count, kept)
        proof.exhaust(
            f"{count} bits, {len(queries)} queries",
            f"All queries up to the names of answers, {len(queries)} of them, have {len(alike)} "
            f"lists of counts: how many "
            "databases with given bits kept have each answer. Joint probabilities depend on "
            "nothing else. Every ordered pair, one query for each list: joint probabilities given "
            "the first bit by counting pairs of databases that agree on the bits kept; the joint "
            "ratio against the product of the single ones",
            product(alike, repeat=2),
            partial(_composes, count=count, kept=kept),
        )


def partitions(size: int) -> Iterator[Query]:
    """List the functions on `size` databases up to the names of answers, numbered by first
    appearance.
    """
    if size == 0:
        yield ()
        return
    for answers in partitions(size - 1):
        yield from ((*answers, answer) for answer in range(max(answers, default=-1) + 2))


def representatives(queries: Sequence[Query], count: int, kept: tuple[int, ...]) -> list[Query]:
    """Return the first query for each list, over the answers, of how many databases with given
    bits kept have the answer.
    """
    cells = [tuple(data[k] for k in kept) for data in product(range(2), repeat=count)]
    found: dict[tuple[tuple[Bits, ...], ...], Query] = {}
    for query in queries:
        columns = [
            tuple(sorted(cell for cell, a in zip(cells, query) if a == answer))
            for answer in set(query)
        ]
        found.setdefault(tuple(sorted(columns)), query)
    return list(found.values())


def _composes(pair: tuple[Query, Query], count: int, kept: tuple[int, ...]) -> bool:
    first, second = (_alone(query, count, kept) for query in pair)
    joint = worst_ratio(query_law(pair, count, kept))
    return first is None or second is None or (joint is not None and joint <= first * second)


@lru_cache(maxsize=5000)
def _alone(query: Query, count: int, kept: tuple[int, ...]) -> Fraction | None:
    """Return the ratio of one query, which is paired with all."""
    return worst_ratio(query_law([query], count, kept))


def query_law(
    queries: Sequence[Query], count: int, kept: tuple[int, ...]
) -> tuple[Counter[Bits], Counter[Bits]]:
    """Count, for each value of the first bit, the answers over all data of all queries that
    agree on the bits kept.
    """
    laws: tuple[Counter[Bits], Counter[Bits]] = (Counter(), Counter())
    for fixed, possible in _agreeing(count, kept):
        drawn = ([query[index] for index in possible] for query in queries)
        laws[fixed[0]].update(product(*drawn))
    return laws


@cache
def _agreeing(count: int, kept: tuple[int, ...]) -> list[tuple[Bits, list[int]]]:
    """Return the databases that agree on the bits kept, for all their values."""
    databases = list(enumerate(product(range(2), repeat=count)))
    return [
        (values, [n for n, data in databases if all(data[k] == v for k, v in zip(kept, values))])
        for values in product(range(2), repeat=len(kept))
    ]


def worst_ratio(laws: Sequence[dict[Bits, int]]) -> Fraction | None:
    """Return the largest ratio of two laws of equal total, in either order; None if infinite."""
    zero, one = laws
    if set(zero) != set(one):
        return None
    return max(Fraction(max(zero[y], one[y]), min(zero[y], one[y])) for y in zero)
