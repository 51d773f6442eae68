"""Section 2, problem setting: which rows and blocks a window holds, and for how many steps a row is
present.

Windows have n rows in B = 1/c blocks of cn rows, both whole numbers; window i holds rows (i-1)cn +
1 to (i-1)cn + n. Proofs are identities and inequalities between the ends of ranges of rows or
blocks. Source: "Composition Theorem for streaming CW-privacy", Section 2.
"""

from collections.abc import Iterator

from sympy import And, Eq, Equivalent, Max, Min

from pufferproof.claims.language import Edit, Proof, at_least, edited, letter, proved
from pufferproof.claims.papers.streaming_cw.streams.statements.layout import (
    INSIDE,
    LAYOUT,
    PRESENCE,
    TWO_SIDED,
)
from pufferproof.claims.registry import Check, claim

NOTATION = {
    "c": "the fraction of a window that each step replaces; cn is a number of rows",
    "n": "the number of rows of a window",
    "cn": "the number of rows that each step replaces",
}
t = letter("t", "the number of steps", real=True)
i = letter("i", "the number of a window", real=True)
j = letter("j", "the number of a block of the stream", real=True)
blocks = letter("B", "1/c, the number of blocks of a window", at_least(1), real=True)
WHOLE = "1/c and cn are whole numbers"
EVERY = "all c, n, t with 1/c and cn whole"


@claim(
    "streaming_cw.stream-layout",
    where="Section 2, problem setting and notations",
    statement="X_i consists of rows (i-1)cn + 1 to (i-1)cn + n, that is 1/c blocks of cn rows; "
    "each step replaces the oldest fraction c; X has n + cn(t-1) rows; X_{i down}, the last "
    "(1-c)n rows of X_i, is X_{i+1 up}.",
    kind="definition",
    assumes=[WHOLE],
    says=LAYOUT,
)
def stream_layout(check: Check) -> None:
    proved(
        check,
        "as printed",
        EVERY,
        _layout,
        one_block_more_in_X=Edit("rows of X", instead="n + c*n*(t + 1 - 1)"),
    )
    other_end = [
        Edit("the same first row", instead=first("i")),
        Edit("the same last row", instead=f"{last('i')} - c*n"),
    ]
    check.near_miss("as printed: X_{i down} compared with X_{i up}", edited(_layout, *other_end))


def first(window: str) -> str:
    """Return the first row of a window, as text.

    >>> first("i")
    '(i - 1)*c*n + 1'
    """
    return f"({window} - 1)*c*n + 1"


def last(window: str) -> str:
    """Return the last row of a window, as text."""
    return f"({window} - 1)*c*n + n"


def _layout(proof: Proof) -> None:
    proof.identity("first window", "X_1 starts at row 1.", first("1"), "1")
    proof.identity(
        "rows of a window", "A window has n rows.", f"({last('i')}) - ({first('i')}) + 1", "n"
    )
    proof.identity(
        "rows of X",
        "X begins with the first row of X_1 and ends with the last of X_t: n + cn(t-1) rows.",
        f"({last('t')}) - ({first('1')}) + 1",
        "n + c*n*(t - 1)",
    )
    _blocks_of_a_window(proof)
    _following_window(proof)


def _blocks_of_a_window(proof: Proof) -> None:
    proof.identity(
        "blocks and rows",
        "Block k of X_i starts where block i + k - 1 of the stream does, k = 1 .. 1/c.",
        f"{first('i')} + (k - 1)*c*n",
        "(i + k - 2)*c*n + 1",
    )
    proof.identity(
        "last block",
        "Block 1/c of X_i ends with X_i.",
        f"{first('i')} + (1/c)*(c*n) - 1",
        last("i"),
    )
    proof.identity(
        "what is replaced",
        "The rows of X_i before X_{i+1} are its first cn, a fraction c.",
        f"({first('(i + 1)')}) - ({first('i')})",
        "c*n",
    )


def _following_window(proof: Proof) -> None:
    proof.identity(
        "rows of X_{i down}", "Blocks 2 .. 1/c are the last (1-c)n rows.", "n - c*n", "(1 - c)*n"
    )
    proof.identity(
        "the same first row",
        "X_{i down} and X_{i+1 up} start at one row.",
        f"{first('i')} + c*n",
        first("(i + 1)"),
    )
    proof.identity(
        "the same last row",
        "X_{i down} and X_{i+1 up} end at one row.",
        last("i"),
        f"{last('(i + 1)')} - c*n",
    )


@claim(
    "streaming_cw.x-whole-blocks",
    where="beside Section 2, problem setting",
    statement="If only cn is a whole number, the n rows of a window are whole blocks of cn rows.",
    kind="remark",
)
def whole_blocks(check: Check) -> None:
    with check.reading("cn a whole number, 1/c any") as proof:
        found = proof.exhaust(
            "smallest failure",
            "Windows of n <= 6 rows of which cn are replaced, small ones first.",
            ((size, replaced) for size in range(1, 7) for replaced in range(1, size + 1)),
            lambda pair: pair[0] % pair[1] == 0,
        )
        if found is not None:
            size, replaced = found
            proof.counterexample(
                "no whole number of blocks",
                f"A window of n = {size} rows, of which cn = {replaced} are replaced, is not made "
                f"of blocks of {replaced} "
                "rows.",
                {"n": size, "cn": replaced},
                lambda: all(count * replaced != size for count in range(size + 1)),
                " and ".join(f"{count} * cn != n" for count in range(size + 1)),
            )


@claim(
    "streaming_cw.row-presence",
    where="Section 2, problem setting",
    statement="A given row is present for 1/c time steps in total.",
    kind="remark",
    assumes=[WHOLE],
    repair="streaming_cw.row-presence-repaired",
    says={
        "rows of blocks 1/c to t, away from the ends": INSIDE,
        "two-sided infinite stream": TWO_SIDED,
    },
)
def row_presence(check: Check) -> None:
    proved(
        check,
        "rows of blocks 1/c to t, away from the ends",
        EVERY,
        _presence_away_from_the_ends,
        **{
            "from block 1/c - 1 on": Edit(
                "which windows", without=j >= blocks, given=j >= blocks - 1
            ),
            "up to block t + 1": Edit("which windows", without=j <= t, given=j <= t + 1),
        },
    )
    starting = Equivalent(And(i >= 1, HOLDS), RUN)
    proved(
        check,
        "two-sided infinite stream",
        EVERY,
        _presence_in_an_infinite_stream,
        a_stream_that_starts=Edit("which windows", instead=starting),
    )
    with check.reading("every row of X") as proof:
        _refute_presence(proof)


HOLDS = And(i <= j, j <= i + blocks - 1)  # window i holds block j
RUN = And(i >= j - blocks + 1, i <= j)


def _refute_presence(proof: Proof) -> None:
    def family() -> Iterator[tuple[int, int]]:
        for count in range(1, 7):
            for steps in range(1, 11):
                yield count, steps

    found = proof.exhaust(
        "smallest failure",
        "1/c <= 6 blocks of one row and t <= 10 windows, small numbers first; every row of X.",
        family(),
        lambda pair: all(steps == pair[0] for steps in presence(*pair)),
    )
    if found is not None:
        proof.counterexample(
            "a row near an end",
            f"With 1/c = {found[0]} blocks of one row in a window and t = {found[1]}, the rows of "
            f"X are present for {', '.join(map(str, presence(*found)))} steps each: a row near an "
            f"end is present for fewer than 1/c.",
            {
                "blocks per window": found[0],
                "t": found[1],
                "steps of each row": tuple(presence(*found)),
            },
            lambda: any(steps != found[0] for steps in presence(*found)),
            "least(steps_of_each_row) < blocks_per_window",
        )


def presence(count: int, steps: int) -> list[int]:
    """Return for every row of X (blocks of one row) the number of windows that hold it.

    >>> presence(2, 3)
    [1, 2, 2, 1]
    """
    windows = [range(step, step + count) for step in range(1, steps + 1)]
    return [sum(row in window for window in windows) for row in range(1, steps + count)]


def _presence_away_from_the_ends(proof: Proof) -> None:
    proof.inequality(
        "which windows",
        "The windows that hold block j are those from j - B + 1 to j, and all of them exist.",
        Equivalent(And(i >= 1, i <= t, HOLDS), RUN),
        [j >= blocks, j <= t],
    )
    _count(proof)


def _presence_in_an_infinite_stream(proof: Proof) -> None:
    proof.inequality(
        "which windows",
        "The windows that hold block j are those from j - B + 1 to j.",
        Equivalent(HOLDS, RUN),
    )
    _count(proof)


def _count(proof: Proof) -> None:
    proof.identity("how many", "They are B = 1/c in number.", "j - (j - B + 1) + 1", "B")


@claim(
    "streaming_cw.row-presence-repaired",
    where="Section 2, problem setting, repaired",
    statement="With t steps, a row of block j of the stream, 1 <= j <= t + 1/c - 1, is present for "
    "min(j, t, 1/c, t + 1/c - j) time steps; that is 1/c iff 1/c <= j <= t.",
    kind="remark",
    assumes=[WHOLE],
    says=PRESENCE,
)
def row_presence_repaired(check: Check) -> None:
    forgotten = Min(j, t, blocks)
    proved(
        check,
        "as repaired",
        EVERY,
        _presence_count,
        the_end_of_the_stream_forgotten=[
            Edit("how many", put={COUNT: forgotten}),
            Edit("when there are 1/c", put={COUNT: forgotten}),
        ],
    )


COUNT = Min(j, t, blocks, t + blocks - j)


def _presence_count(proof: Proof) -> None:
    """Window i in 1 .. t holds block j iff max(1, j - B + 1) <= i <= min(j, t)."""
    stream = [t >= 1, j >= 1, j <= t + blocks - 1]
    low, high = Max(1, j - blocks + 1), Min(j, t)
    proof.inequality(
        "which windows",
        "The windows that hold block j run from max(1, j - B + 1) to min(j, t).",
        Equivalent(And(i >= 1, i <= t, HOLDS), And(i >= low, i <= high)),
        stream,
    )
    proof.inequality(
        "how many", "They are min(j, t, B, t + B - j) in number.", Eq(high - low + 1, COUNT), stream
    )
    proof.inequality(
        "when there are 1/c",
        "The number is B iff B <= j <= t.",
        Equivalent(Eq(COUNT, blocks), And(j >= blocks, j <= t)),
        stream,
    )
