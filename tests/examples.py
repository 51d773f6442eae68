"""How many examples Hypothesis draws for a test: an eighth of what the test says, and under
`make soak` a hundred times as many, other ones each time.
"""

import os

from hypothesis import settings

TIMES = int(os.environ.get("PUFFERPROOF_SOAK", "1"))
DEFAULT = 100


def drawn(count: int) -> int:
    """How many are drawn where a test says `count`."""
    return count * TIMES if TIMES > 1 else max(count // 8, 5)


def examples(count: int) -> settings:
    """Settings of a test that says how many examples it is worth."""
    return settings(max_examples=drawn(count))
