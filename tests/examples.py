"""How many examples Hypothesis draws for a test: as many as the test says, and under `make soak` a
hundred times as many, other ones each time.
"""

import os

from hypothesis import settings

TIMES = int(os.environ.get("PUFFERPROOF_SOAK", "1"))
DEFAULT = 100


def examples(count: int) -> settings:
    """Settings of a test that draws `count` examples, times the factor of `make soak`."""
    return settings(max_examples=count * TIMES)
