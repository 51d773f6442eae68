"""Statements on rows, blocks and windows, by letting a window slide."""

from pufferproof.claims.language.statements import Draws, Statement

WHOLE = "1/c and cn are whole numbers"


def windows(draws: Draws) -> dict[str, int]:
    """A window of n <= 6 rows of which cn are replaced at each of t <= 5 steps, mostly a divisor
    of n; a step i and a block j of the stream, near its ends too.
    """
    cn, blocks = 1 + draws.below(2), 1 + draws.below(4)
    n = cn * blocks if draws.below(6) else 1 + draws.below(6)
    t = 1 + draws.below(5)
    j = 1 + draws.below(t + blocks - 1)
    return {"n": n, "cn": min(cn, n), "t": t, "i": 1 + draws.below(t), "j": j}


def _slide(n: int, cn: int, steps: int) -> list[list[int]]:
    """The rows of each window: the oldest cn leave, and the next cn of the stream come."""
    found = [list(range(1, n + 1))]
    while len(found) < steps:
        newest = found[-1][-1]
        found.append([*found[-1][cn:], *range(newest + 1, newest + cn + 1)])
    return found


def _blocks(n: int, cn: int, i: int) -> list[int]:
    """The rows of blocks i, .., i + 1/c - 1, with block k in rows (k-1)cn + 1 to k cn."""
    return [row for k in range(i, i + n // cn) for row in range((k - 1) * cn + 1, k * cn + 1)]


def _layout(n: int, cn: int, t: int, i: int, j: int, more: int = 0, up: bool = False) -> bool:
    seen = _slide(n, cn, t + 1)
    here, following = seen[i - 1], seen[i]
    down, next_up = here[cn:], (here if up else following)[: n - cn]
    rows = {row for each in seen[:t] for row in each}
    return (
        here == list(range((i - 1) * cn + 1, (i - 1) * cn + n + 1)) == _blocks(n, cn, i)
        and [row for row in here if row not in following] == here[:cn]
        and rows == set(range(1, n + cn * (t - 1 + more) + 1))
        and down == next_up
    )


LAYOUT = Statement(
    family=windows,
    given={WHOLE: lambda n, cn, **_: n % cn == 0},
    holds=_layout,
    too_strong={"one block more in X": {"more": 1}, "X_{i down} = X_{i up}": {"up": True}},
    too_weak=[WHOLE],
)


def _present(n: int, cn: int, t: int, j: int) -> set[int]:
    """In how many of t windows the rows of block j are."""
    seen = _slide(n, cn, t)
    return {sum(row in each for each in seen) for row in range((j - 1) * cn + 1, j * cn + 1)}


FROM, UP_TO = "1/c <= j", "j <= t"
INSIDE = Statement(
    family=windows,
    given={
        WHOLE: lambda n, cn, **_: n % cn == 0,
        FROM: lambda n, cn, t, i, j: j * cn >= n,
        UP_TO: lambda n, cn, t, i, j: j <= t,
    },
    holds=lambda n, cn, t, i, j, more=0: _present(n, cn, t, j) == {n // cn + more},
    too_strong={"in a window more": {"more": 1}},
    too_weak=[FROM, UP_TO],
)
TWO_SIDED = Statement(
    family=windows,
    given={WHOLE: lambda n, cn, **_: n % cn == 0},
    holds=lambda n, cn, t, i, j, stream_starts_at=False: (
        _present(n, cn, t + 20, (j if stream_starts_at else j + 10)) == {n // cn}
    ),
    too_strong={"a stream that starts at window 1": {"stream_starts_at": True}},
)


def _counted(n: int, cn: int, t: int, i: int, j: int) -> bool:
    blocks = n // cn
    if j > t + blocks - 1:
        return True
    count = min(j, t, blocks, t + blocks - j)
    return _present(n, cn, t, j) == {count} and (count == blocks) == (blocks <= j <= t)


PRESENCE = Statement(
    family=windows,
    given={WHOLE: lambda n, cn, **_: n % cn == 0},
    holds=lambda n, cn, t, i, j, end_stream_forgotten=False, its_start_forgotten=False: (
        _counted(n, cn, t, i, j)
        and (not end_stream_forgotten or (_present(n, cn, t, j) == {min(j, t, n // cn)}))
        and (
            not its_start_forgotten or (_present(n, cn, t, j) == {min(t, n // cn, t + n // cn - j)})
        )
    ),
    too_strong={
        "the end of the stream forgotten": {"end_stream_forgotten": True},
        "its start forgotten": {"its_start_forgotten": True},
    },
)
