"""Linear algebra on one thread, and on as many as before afterwards."""

import sys

import numpy as np
import pytest

from pufferproof.models.interface.steps import _libraries, one_thread, threads


@pytest.mark.skipif(sys.platform != "linux", reason="libraries are found on Linux")
def test_threads_are_one_meanwhile_and_as_many_as_before_after():
    matrix = np.arange(10000.0).reshape(100, 100)
    product, before = matrix @ matrix, threads()
    for _, put in _libraries():
        put(2)
    changed = threads()
    with one_thread():
        assert threads() == [1] * len(before)
        assert (matrix @ matrix == product).all()
    assert threads() == changed
    for (_, put), count in zip(_libraries(), before):
        put(count)
    assert threads() == before


def test_threads_are_set_back_after_an_error():
    before = threads()

    def fails():
        with one_thread():
            raise ValueError("stop")

    with pytest.raises(ValueError, match="stop"):
        fails()
    assert threads() == before
