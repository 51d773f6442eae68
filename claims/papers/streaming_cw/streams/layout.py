"""Section 2, problem setting: which rows and blocks a window holds, and for how many steps a row is
present.

Windows have n rows in B = 1/c blocks of cn rows, both whole numbers; window i holds rows (i-1)cn +
1 to (i-1)cn + n. Proofs are identities and inequalities between the ends of ranges of rows or
blocks. Source: "Composition Theorem for streaming CW-privacy", Section 2.
"""

from collections.abc import Iterator

from pufferproof.claims.language import Proof
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
WHOLE = "1/c and cn are whole numbers"


@claim(
    "streaming_cw.stream-layout",
    where="Section 2, problem setting and notations",
    statement="X_i consists of rows (i-1)cn + 1 to (i-1)cn + n, that is 1/c blocks of cn rows; "
    "each step replaces the oldest fraction c; X has n + cn(t-1) rows; X_{i down}, the last "
    "(1-c)n rows of X_i, is X_{i+1 up}.",
    kind="definition",
    assumes=[WHOLE],
    says={"as printed": LAYOUT},
)
def stream_layout(check: Check) -> None:
    """First window: X_1 starts at row 1. Rows of a window: A window has n rows. Rows of X: X begins
    with the first row of X_1 and ends with the last of X_t: n + cn(t-1) rows. Blocks and rows:
    Block k of X_i starts where block i + k - 1 of the stream does, k = 1 .. 1/c. Last block: Block
    1/c of X_i ends with X_i. What is replaced: The rows of X_i before X_{i+1} are its first cn, a
    fraction c. Rows of X_{i down}: Blocks 2 .. 1/c are the last (1-c)n rows. The same first row:
    X_{i down} and X_{i+1 up} start at one row. The same last row: X_{i down} and X_{i+1 up} end at
    one row.
    """


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
    """Rows of blocks 1/c to t, away from the ends. Which windows: The windows that hold block j are
    those from j - B + 1 to j, and all of them exist. How many: They are B = 1/c in number.

    Two-sided infinite stream. Which windows: The windows that hold block j are those from j - B + 1
    to j. How many: They are B = 1/c in number.
    """
    check.tried("rows of blocks 1/c to t, away from the ends")
    check.tried("two-sided infinite stream")
    with check.reading("every row of X") as proof:
        _refute_presence(proof)


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


@claim(
    "streaming_cw.row-presence-repaired",
    where="Section 2, problem setting, repaired",
    statement="With t steps, a row of block j of the stream, 1 <= j <= t + 1/c - 1, is present for "
    "min(j, t, 1/c, t + 1/c - j) time steps; that is 1/c iff 1/c <= j <= t.",
    kind="remark",
    assumes=[WHOLE],
    says={"as repaired": PRESENCE},
)
def row_presence_repaired(check: Check) -> None:
    """Which windows: The windows that hold block j run from max(1, j - B + 1) to min(j, t). How
    many: They are min(j, t, B, t + B - j) in number. When there are 1/c: The number is B iff B <= j
    <= t.
    """
