"""The tests, in folders named after what they test, and how many examples each of them draws.

A package, so that `tests` is this folder: libraries may install one of that name. A test draws an
eighth of what it says where Hypothesis draws, a quarter where each is a seed, a test of its own;
under `make soak` a hundred and ten times as many.
"""

import os

import pytest
from hypothesis import settings
from hypothesis import strategies as st

# of characters that are written in a way of their own somewhere; Hypothesis takes a second to list
# all there are
TEXTS = st.text("aZ0 ,;=+-@'\"\\/\n\r\t\x00\x7f\u00e9\u2028\ud7ff\uffff\U0001f600")
TIMES = int(os.environ.get("PUFFERPROOF_SOAK", "1"))
DEFAULT = 100


def drawn(count: int) -> int:
    """How many are drawn where a test says `count`."""
    return count * TIMES if TIMES > 1 else max(count // 8, 3)


def examples(count: int) -> settings:
    """Settings of a test that says how many examples it is worth."""
    return settings(max_examples=drawn(count))


def seeds(count: int):
    """Run a test once for each of some seeds, of which it says how many it is worth."""
    some = range(10 * count if TIMES > 1 else max(count // 4, 5))

    def marked(test):
        return pytest.mark.seeds(pytest.mark.parametrize("seed", some)(test))

    return marked
