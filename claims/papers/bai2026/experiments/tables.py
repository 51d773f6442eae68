"""Tables 2 to 5, 7 and 8: whether their numbers can belong to one experiment, cell by cell.

Every reading is a relation that the metrics of one and the same set of rankings have, up to
rounding or, where rankings are drawn again, up to a tenth of a percent.
"""

from collections.abc import Iterator
from fractions import Fraction
from functools import partial
from itertools import pairwise
from typing import NamedTuple

from pufferproof.claims.language import Edit, Proof, proved
from pufferproof.claims.papers.bai2026.experiments.cells import (
    ACCURACY,
    LEVELS,
    MECHANISMS,
    SLIP,
    Cell,
    Entry,
    better,
    cell,
    columns,
    entries,
    printed,
    ranks,
)
from pufferproof.claims.registry import Check, claim

WHERE = "Tables 2 to 5, 7 and 8"
TENTH = Fraction(1, 1000)
"""A tenth of a percent: what numbers of the same law may differ by as they are drawn again."""
COUNTRIES, PARTICIPANTS = 77, 32
PRINTED_NUMBERS = "It compares the numbers of six printed tables; the steps do so for every row"
LEAST_RUNS = {"T2": (COUNTRIES, 125), "T7": (COUNTRIES, 130), "T4": (PARTICIPANTS, 250)}
"""The queries of a table, and the least number of runs that its percentages allow."""


@claim(
    "bai2026.tables",
    where=WHERE,
    statement="Tables 2, 3 (K = 3) and 7, 8 (K = 5) on Foursquare, 4, 5 (K = 3) on Capture24: "
    "Acc@1 .. Acc@K, and HR, NDCG, l1, of four mechanisms at eps = 0.5, 1, 2, 3, 4, 5, means over "
    "all queries of one experiment, with the captions as printed.",
    kind="numeric table",
    repair="bai2026.tables-repaired",
    unsaid=PRINTED_NUMBERS,
)
def tables(check: Check) -> None:
    """Compare cells with cells."""
    _agreements(check)
    with check.reading("no entry gets worse as eps grows", "all entries") as proof:
        _worse(proof)
    with check.reading("captions and numbers as printed", "all captions and numbers") as proof:
        _slips(proof)


@claim(
    "bai2026.tables-repaired",
    where=WHERE,
    statement="With 0989 read as 0.989 and Table 8 as one for K = 5: Acc@1 + .. + Acc@K <= K HR "
    "in all rows; MQM and Group DP-Lap have the same Acc@1 .. Acc@3 in Tables 2 and 7 up to a "
    "tenth of a percent, as has Group DP-Exp for eps = 3, K = 3 and eps = 5, K = 5; all entries "
    "get better with eps, or stay, up to 0.2 percent.",
    kind="repair of bai2026.tables",
    unsaid=PRINTED_NUMBERS,
)
def tables_repaired(check: Check) -> None:
    """The relations that hold."""
    _agreements(check)
    exact = Edit("from one level to the next", holds=partial(_no_worse, slack=Fraction(0)))
    proved(
        check,
        "better with eps up to 0.2 percent",
        "all pairs of levels that follow each other",
        _improves,
        without_any_slack=exact,
    )


@claim(
    "bai2026.x-tables-runs",
    where=f"{WHERE} (a question of ours: over how many runs)",
    statement="If every percentage is a mean over the same number of runs of 77 countries (Tables "
    "2 and 7) or of 32 participants (Table 4), there were at least 125, 130 and 250 runs.",
    kind="numeric table",
    unsaid="It asks of which fractions the percentages of a printed table are roundings; the "
    "steps try all of them",
)
def tables_runs(check: Check) -> None:
    """Look for a number of successes behind every percentage."""
    for table, (queries, least) in LEAST_RUNS.items():
        name = f"at least {least} runs of {queries} queries behind {table}"
        fewer = partial(_fits, table, queries)
        proved(
            check,
            name,
            f"all percentages of {table}",
            partial(_runs, table=table),
            one_run_less=Edit("a number of runs that fits", family=[least - 1], holds=fewer),
            a_hundred_runs=Edit("a number of runs that fits", family=[100], holds=fewer),
        )


def _agreements(check: Check) -> None:
    """What the rankings of one mechanism must have in common."""
    proved(
        check,
        "no more ranks right than hits",
        "all rows of three pairs of tables",
        _hits,
        as_many_hits_as_right_at_rank_1=Edit("sums", holds=_more_hits),
    )
    proved(
        check,
        "what does not depend on K is the same in Tables 2 and 7",
        "MQM, Group DP-Lap; three ranks, six levels",
        _without_ranks,
        ours_exp_too=Edit("in both tables", family=[*_pairs(MECHANISMS[:1])]),
        exactly_the_same=Edit("in both tables", holds=partial(_near, slack=Fraction(0))),
    )
    proved(
        check,
        "equal levels per draw, equal accuracy",
        "Group DP-Exp, eps = 3 for K = 3 against eps = 5 for K = 5",
        _per_draw,
        ours_exp_too=Edit("levels in proportion", family=[*_draws("Ours-Exp")]),
    )


class Row(NamedTuple):
    """A mechanism at one level, in a table of accuracies."""

    table: str
    epsilon: str
    mechanism: str


def _hits(proof: Proof) -> None:
    rows = [
        Row(table, epsilon, mechanism)
        for table in ACCURACY
        for epsilon in LEVELS
        for mechanism in MECHANISMS
    ]
    proof.exhaust("sums", "a rank that is right is a hit", rows, _no_more_right)


def _right(row: Row) -> list[Cell]:
    return [cell(Entry(*row, column)) for column in columns(row.table)]


def _hit_rate(row: Row) -> Cell:
    return cell(Entry(ACCURACY[row.table], row.epsilon, row.mechanism, "HR"))


def _no_more_right(row: Row) -> bool:
    return sum(each.low for each in _right(row)) <= ranks(row.table) * _hit_rate(row).high


def _more_hits(row: Row) -> bool:
    return _right(row)[0].low <= _hit_rate(row).high


class Pair(NamedTuple):
    """Two cells that estimate one number."""

    one: Entry
    other: Entry


def _pairs(mechanisms: tuple[str, ...]) -> Iterator[Pair]:
    for mechanism in mechanisms:
        for epsilon in LEVELS:
            for column in columns("T2"):
                yield Pair(*(Entry(table, epsilon, mechanism, column) for table in ("T2", "T7")))


def _near(pair: Pair, slack: Fraction = TENTH) -> bool:
    one, other = cell(pair.one), cell(pair.other)
    return abs(one.value - other.value) <= slack


def _without_ranks(proof: Proof) -> None:
    proof.exhaust(
        "in both tables",
        "noise of m counts, and so the ranking of their largest, does not depend on K",
        _pairs(("MQM", "Group DP-Lap")),
        _near,
    )


def _draws(mechanism: str) -> Iterator[Pair]:
    for column in columns("T2"):
        yield Pair(Entry("T2", "3", mechanism, column), Entry("T7", "5", mechanism, column))


def _per_draw(proof: Proof) -> None:
    proof.exhaust(
        "levels in proportion",
        "eps_DP = eps/T for group privacy: 3/(3 T) = 5/(5 T) for each draw",
        _draws("Group DP-Exp"),
        _near,
    )
    proof.exhaust(
        "levels that grow faster",
        "eps_DP = max_b (eps - a(b))/b has eps_DP/eps growing with eps: for Ours-Exp K = 5 is no "
        "worse",
        _draws("Ours-Exp"),
        lambda pair: cell(pair.one).value <= cell(pair.other).value + TENTH,
    )


class Step(NamedTuple):
    """A cell and the one at the next level."""

    entry: Entry
    following: str


def _steps() -> Iterator[Step]:
    following = dict(pairwise(LEVELS))
    for entry in entries():
        if entry.epsilon in following:
            yield Step(entry, following[entry.epsilon])


def _no_worse(step: Step, slack: Fraction = Fraction(1, 500)) -> bool:
    entry = step.entry
    now, later = cell(entry), cell(entry._replace(epsilon=step.following))
    if entry.column == "L1":
        return later.low <= now.high
    return later.high >= now.low - slack


def _improves(proof: Proof) -> None:
    proof.exhaust("from one level to the next", "as rounded numbers may", _steps(), _no_worse)


def _worse(proof: Proof) -> None:
    exactly = partial(_no_worse, slack=Fraction(0))
    found = proof.exhaust("one level and the next", "as rounded numbers may", _steps(), exactly)
    if found is not None:
        entry, later = found.entry, found.entry._replace(epsilon=found.following)
        proof.counterexample(
            "an entry that falls",
            "More budget cannot make this mechanism worse at finding the third activity, but the "
            "printed accuracy falls: as the only one of all, and below what rounding explains",
            {
                "table": entry.table,
                "mechanism": entry.mechanism,
                "column": entry.column,
                f"eps = {entry.epsilon}": cell(entry).text,
                f"eps = {later.epsilon}": cell(later).text,
            },
            lambda: not exactly(found) and not better(cell(later), cell(entry), entry.column),
        )


def _fits(table: str, queries: int, runs: int) -> bool:
    return all(cell(entry).is_mean_of(queries * runs) for entry in entries(table))


def _runs(proof: Proof, table: str) -> None:
    queries, least = LEAST_RUNS[table]
    fits = partial(_fits, table, queries)
    proof.exhaust(
        "fewer runs",
        f"some percentage is no number of successes in {queries} times so many",
        range(1, least),
        lambda runs: not fits(runs),
    )
    proof.exhaust("a number of runs that fits", "all percentages at once", [least], fits)


def _slips(proof: Proof) -> None:
    slip = Entry("T5", "5", "Ours-Exp", "NDCG")
    one, other = (Entry(table, "0.5", "MQM", "HR") for table in ("T3", "T8"))
    proof.counterexample(
        "a point and a caption",
        "An NDCG is at most 1; this one is printed without its point. And the caption of Table 8 "
        "says Top-3, as that of Table 3 does, but MQM does not depend on K and has another hit "
        "rate there: the table is that of K = 5, as the text of appendix D.3 says",
        {
            "NDCG of Table 5": cell(slip).text,
            "captions": [printed()[each.table]["caption"] for each in (one, other)],
            "HR of MQM at eps = 0.5": [cell(each).text for each in (one, other)],
        },
        lambda: (
            int(cell(slip).text) > 1
            and cell(slip).text == SLIP
            and printed()["T8"]["caption"] == printed()["T3"]["caption"]
            and not _near(Pair(one, other))
        ),
    )
