"""Sources of chance that a seed determines: a generator of NumPy, and those of `random`, `secrets`,
`os.urandom` and NumPy's global state.

Evidence packs this file, so that others repeat the draws: it needs Python and NumPy alone.
"""

import os
import random
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from io import StringIO
from typing import Any

import numpy as np

_NAMES = ("urandom", "_urandom")  # of os.urandom in modules that import it


class Chance:
    """Sources of chance of one seed: `rng`, and all others while the body of `own` runs.

    >>> def draws():
    ...     chance = Chance([0, 7])
    ...     with chance.own():
    ...         return chance.rng.random(), np.random.random(), random.random(), os.urandom(2)
    >>> draws() == draws()
    True
    """

    def __init__(self, seed: Sequence[int]) -> None:
        self.rng = np.random.default_rng([*seed, 0])
        self._bits = np.random.MT19937([*seed, 1])
        self._bytes = np.random.default_rng([*seed, 2])
        self._random = random.Random(repr([*seed])).getstate()
        self._modules, self._places = 0, list[tuple[Any, str]]()  # which have os.urandom

    @contextmanager
    def own(self) -> Iterator[None]:
        """Let all draws of this thread be of this seed, and nothing be printed. Afterwards all is
        as it was; the next body goes on with the draws that follow.
        """
        bits, state = np.random.get_bit_generator(), np.random.get_state(legacy=False)
        others, replaced = random.getstate(), self._replaced()
        try:
            np.random.set_bit_generator(self._bits)
            random.setstate(self._random)
            with redirect_stdout(StringIO()), redirect_stderr(StringIO()):
                yield
        finally:
            self._random = random.getstate()
            random.setstate(others)
            np.random.set_bit_generator(bits)
            np.random.set_state(state)
            for module, name, known in replaced:
                setattr(module, name, known)

    def _replaced(self) -> list[tuple[Any, str, Any]]:
        """Put bytes of this seed in the place of `os.urandom`, and return what was there."""
        known, thread, generator = os.urandom, threading.get_ident(), self._bytes

        def urandom(count: int) -> bytes:
            own = threading.get_ident() == thread  # others may draw secrets
            return generator.bytes(count) if own else known(count)

        if len(sys.modules) != self._modules:
            self._modules, self._places = (
                len(sys.modules),
                [
                    (module, name)
                    for module in list(sys.modules.values())
                    for name in _NAMES
                    if getattr(module, "__dict__", {}).get(name) is known
                ],
            )
        replaced = [(*each, known) for each in self._places]
        for module, name, _ in replaced:
            setattr(module, name, urandom)
        return replaced
