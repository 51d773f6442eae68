"""Section 2, problem setting: which rows and blocks a window holds, and for how many steps a row is
present.

Windows have n rows in B = 1/c blocks of cn rows, both whole numbers; window i holds rows (i-1)cn +
1 to (i-1)cn + n. Proofs are identities and inequalities between the ends of ranges of rows or
blocks. Source: "Composition Theorem for streaming CW-privacy", Section 2.
"""

from collections.abc import Iterator
from typing import Any

import sympy
from sympy import And, Eq, Equivalent, Max, Min

from pufferproof.claims.registry import Check, claim
from pufferproof.verify.proof.argument import Argument

NOTATION = {
    "c": "the fraction of a window that each step replaces; cn is a number of rows",
    "n": "the number of rows of a window",
    "cn": "the number of rows that each step replaces",
}
t, i, j, blocks = sympy.symbols("t i j B", real=True)
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
)
def stream_layout(check: Check) -> None:
    with check.reading("as printed", EVERY) as argument:
        prove_layout(argument)
    check.near_miss(
        "as printed: one block more in X", lambda argument: prove_layout(argument, windows="t + 1")
    )
    check.near_miss(
        "as printed: X_{i down} compared with X_{i up}",
        lambda argument: prove_layout(argument, following="i"),
    )


def prove_layout(argument: Argument, windows: str = "t", following: str = "i + 1") -> None:
    """Compare first and last rows of ranges, as written: window i holds rows (i-1)cn + 1 to
    (i-1)cn + n.
    """

    def first(window: str) -> str:
        return f"({window} - 1)*c*n + 1"

    def last(window: str) -> str:
        return f"({window} - 1)*c*n + n"

    argument.identity("first window", "X_1 starts at row 1.", first("1"), "1")
    argument.identity(
        "rows of a window", "A window has n rows.", f"({last('i')}) - ({first('i')}) + 1", "n"
    )
    argument.identity(
        "rows of X",
        "X begins with the first row of X_1 and ends with the last of X_t: n + cn(t-1) rows.",
        f"({last('t')}) - ({first('1')}) + 1",
        f"n + c*n*({windows} - 1)",
    )
    argument.identity(
        "blocks and rows",
        "Block k of X_i starts where block i + k - 1 of the stream does, k = 1 .. 1/c.",
        f"{first('i')} + (k - 1)*c*n",
        "(i + k - 2)*c*n + 1",
    )
    argument.identity(
        "last block",
        "Block 1/c of X_i ends with X_i.",
        f"{first('i')} + (1/c)*(c*n) - 1",
        last("i"),
    )
    argument.identity(
        "what is replaced",
        "The rows of X_i before X_{i+1} are its first cn, a fraction c.",
        f"({first('(i + 1)')}) - ({first('i')})",
        "c*n",
    )
    argument.identity(
        "rows of X_{i down}", "Blocks 2 .. 1/c are the last (1-c)n rows.", "n - c*n", "(1 - c)*n"
    )
    argument.identity(
        "the same first row",
        "X_{i down} and X_{i+1 up} start at one row.",
        f"{first('i')} + c*n",
        first(f"({following})"),
    )
    argument.identity(
        "the same last row",
        "X_{i down} and X_{i+1 up} end at one row.",
        last("i"),
        f"{last(f'({following})')} - c*n",
    )


@claim(
    "streaming_cw.x-whole-blocks",
    where="beside Section 2, problem setting",
    statement="If only cn is a whole number, the n rows of a window are whole blocks of cn rows.",
    kind="remark",
)
def whole_blocks(check: Check) -> None:
    with check.reading("cn a whole number, 1/c any") as argument:
        found = argument.exhaust(
            "smallest failure",
            "Windows of n <= 6 rows of which cn are replaced, small ones first.",
            ((size, replaced) for size in range(1, 7) for replaced in range(1, size + 1)),
            lambda pair: pair[0] % pair[1] == 0,
        )
        if found is not None:
            size, replaced = found
            argument.counterexample(
                "no whole number of blocks",
                f"A window of n = {size} rows, of which cn = {replaced} are replaced, is not made "
                f"of blocks of {replaced} "
                "rows.",
                {"n": size, "cn": replaced},
                lambda: all(count * replaced != size for count in range(size + 1)),
            )


@claim(
    "streaming_cw.row-presence",
    where="Section 2, problem setting",
    statement="A given row is present for 1/c time steps in total.",
    kind="remark",
    assumes=[WHOLE],
    repair="streaming_cw.row-presence-repaired",
)
def row_presence(check: Check) -> None:
    with check.reading("every row of X") as argument:
        _refute_presence(argument)
    name, existing = "rows of blocks 1/c to t, away from the ends", [i >= 1, i <= t]
    with check.reading(name, EVERY) as argument:
        prove_presence(argument, existing, [j >= blocks, j <= t])
    check.near_miss(
        f"{name}: from block 1/c - 1 on",
        lambda a: prove_presence(a, existing, [j >= blocks - 1, j <= t]),
    )
    check.near_miss(
        f"{name}: up to block t + 1",
        lambda a: prove_presence(a, existing, [j >= blocks, j <= t + 1]),
    )
    name = "two-sided infinite stream"
    with check.reading(name, EVERY) as argument:
        prove_presence(argument, [], [])
    check.near_miss(f"{name}: a stream that starts", lambda a: prove_presence(a, [i >= 1], []))


def _refute_presence(argument: Argument) -> None:
    def family() -> Iterator[tuple[int, int]]:
        for count in range(1, 7):
            for steps in range(1, 11):
                yield count, steps

    found = argument.exhaust(
        "smallest failure",
        "1/c <= 6 blocks of one row and t <= 10 windows, small numbers first; every row of X.",
        family(),
        lambda pair: all(steps == pair[0] for steps in presence(*pair)),
    )
    if found is not None:
        argument.counterexample(
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
        )


def presence(count: int, steps: int) -> list[int]:
    """Return for every row of X (blocks of one row) the number of windows that hold it.

    >>> presence(2, 3)
    [1, 2, 2, 1]
    """
    windows = [range(step, step + count) for step in range(1, steps + 1)]
    return [sum(row in window for window in windows) for row in range(1, steps + count)]


def prove_presence(argument: Argument, existing: list[Any], place: list[Any]) -> None:
    """Window i holds block j iff i <= j <= i + B - 1; if all these windows exist, they are B in
    number.
    """
    argument.inequality(
        "which windows",
        "The windows that hold block j are those from j - B + 1 to j.",
        Equivalent(And(*existing, i <= j, j <= i + blocks - 1), And(i >= j - blocks + 1, i <= j)),
        [blocks >= 1, *place],
    )
    argument.identity("how many", "They are B = 1/c in number.", "j - (j - B + 1) + 1", "B")


@claim(
    "streaming_cw.row-presence-repaired",
    where="Section 2, problem setting, repaired",
    statement="With t steps, a row of block j of the stream, 1 <= j <= t + 1/c - 1, is present for "
    "min(j, t, 1/c, t + 1/c - j) time steps; that is 1/c iff 1/c <= j <= t.",
    kind="remark",
    assumes=[WHOLE],
)
def row_presence_repaired(check: Check) -> None:
    with check.reading("as repaired", EVERY) as argument:
        prove_presence_count(argument, Min(j, t, blocks, t + blocks - j))
    check.near_miss(
        "as repaired: the end of the stream forgotten",
        lambda a: prove_presence_count(a, Min(j, t, blocks)),
    )


def prove_presence_count(argument: Argument, count: Any) -> None:
    """Window i in 1 .. t holds block j iff max(1, j - B + 1) <= i <= min(j, t)."""
    stream = [blocks >= 1, t >= 1, j >= 1, j <= t + blocks - 1]
    low, high = Max(1, j - blocks + 1), Min(j, t)
    argument.inequality(
        "which windows",
        "The windows that hold block j run from max(1, j - B + 1) to min(j, t).",
        Equivalent(And(i >= 1, i <= t, i <= j, j <= i + blocks - 1), And(i >= low, i <= high)),
        stream,
    )
    argument.inequality(
        "how many", "They are min(j, t, B, t + B - j) in number.", Eq(high - low + 1, count), stream
    )
    argument.inequality(
        "when there are 1/c",
        "The number is B iff B <= j <= t.",
        Equivalent(Eq(count, blocks), And(j >= blocks, j <= t)),
        stream,
    )
