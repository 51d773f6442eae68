"""The slow kernel beside the fast one, in every test: what is accepted has to be true."""

from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any

LONGEST = 4_000  # bytes of a certificate that is judged each time
KNOWN: dict[bytes, bool | None] = {}  # what the slow kernel said


def beside(judge: Callable[[str, bytes, Sequence[str]], Any]) -> Callable[..., Any]:
    """Return the kernel's judgement, which fails where it accepts what is false."""

    @wraps(judge)
    def both(path: str, data: bytes, paths: Sequence[str]) -> Any:
        accepted = judge(path, data, paths)
        if len(data) <= LONGEST and data not in KNOWN:
            from tests.kernel.slow.judging import of_file  # where there is something to judge

            KNOWN[data] = of_file(data)
        if KNOWN.get(data) is False:
            raise AssertionError(f"the kernel accepts what the slow kernel finds false: {data!r}")
        return accepted

    return both
