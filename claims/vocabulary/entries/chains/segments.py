"""Queries on segments of chains with a gap, and quilts inside a segment (GapSegments.v)."""

from collections.abc import Iterator

from pufferproof.claims.language.statements.rationals import Fraction
from pufferproof.claims.vocabulary.entries.chains.gaps import Pairs
from pufferproof.claims.vocabulary.entries.chains.mechanisms import MEANING, SCORE, TEX, needed
from pufferproof.claims.vocabulary.entries.quilts.chains import RELEASE_OF, Release, tables_of
from pufferproof.claims.vocabulary.terms import Log, entry


def _reads(run: Release, first: int, last: int, size: int, number: int) -> Iterator[bool]:
    seen: dict[object, int] = {}
    for table, value in zip(tables_of(size, number), run.numerators):
        yield seen.setdefault(table[first : last + 1], value) == value


def _inside(run: Release, low: Fraction, r: Fraction, n: int, first: int, last: int) -> Pairs:
    yield (
        min(
            (
                needed(run, low, r, n, j, [(lo, hi)])
                for j in range(last + 1)
                for lo in range(first + 1, j + 1)
                for hi in range(j + 1, min(last + 1, n))
            ),
            default=run.ratio + 1,
        ),
        run.ratio,
    )


QUERY_READS = entry(
    "a query reads a segment",
    takes=(RELEASE_OF, "nat", "nat", "Type", "nat"),
    words="F_[0] depends on the records X_[1] .. X_[2] alone",
    tex=r"F_{[0]} \text{ reads } X_{[1]} .. X_{[2]}",
    coq="Parallel.looks_at (ParallelSegments.segment (A := [3]) (n := [4]) [1] [2]) (TableQuilts.asked [0])",
    value=_reads,
    relation="truth",
)
SCORED_INSIDE = entry(
    "a quilt inside a segment scores",
    takes=(RELEASE_OF, "R", "R", "nat", "nat", "nat"),
    words=f"some X_i among [3] records has a quilt of two records among X_[4] .. X_[5] {SCORE}",
    tex=rf"\min_{{i, |Q| = 2, Q \subseteq \{{X_{{[4]}} .. X_{{[5]}}\}}}}{TEX}",
    coq="GapSegments.segment_score [1] [2] [3] (TableQuilts.at_level [0]) (TableQuilts.with_noise [0]) [4] [5]",
    value=_inside,
    relation="<=",
    meaning=MEANING,
)
LARGER_LEVEL = entry(
    "larger of two levels",
    takes=("level", "level"),
    gives="level",
    words="max{[0], [1]}",
    tex=r"\max\{[0], [1]\}",
    coq="Rmax [0] [1]",
    value=lambda a, b: Log(max(a.of, b.of)),
)
