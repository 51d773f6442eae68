"""Draws from elsewhere than `rng`: those of `random`, `secrets`, `os.urandom` and NumPy's global
state. Where their law is that of a draw from `rng`, they become one; all others, and clocks, are
refused by name.
"""

import _thread
import os
import random
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from types import FrameType
from typing import Any

import numpy as np

from pufferproof.verify.programs.choices import of_program

Handler = Callable[..., Any]
_BITS = 12  # of an integer that is drawn: more are too many branches
_CLOCKS = ("time", "monotonic", "perf_counter", "process_time", "thread_time")
_SEEDED = ("PCG64", "PCG64DXSM", "MT19937", "Philox", "SFC64", "SeedSequence", "RandomState")
_OTHER_NAMES = {"ranf": "random", "sample": "random", "random_sample": "random"}
_STATE = ("seed", "getstate", "setstate", "get_state", "set_state")
_ADVICE = "draw from rng, which an exact law is of"


class Elsewhere:
    """What is put in the place of draws from elsewhere while a program runs.

    `rng` is the generator of the call that runs, None between calls: then everything is as it was.
    """

    def __init__(self) -> None:
        self.rng: Any = None
        self._seed = random.Random.seed
        self._seeded_rng = np.random.default_rng
        self.instead: dict[int, tuple[Any, Any]] = {}  # by the identity of what it replaces
        for owner, handlers in (
            ("random", self._of_random()),
            ("secrets", self._of_secrets()),
            ("numpy.random", self._of_numpy()),
        ):
            module = sys.modules[owner]
            for name, handler in handlers.items():
                self._replace(getattr(module, name, None), f"{owner}.{name}", handler)
        self._replace(os.urandom, "os.urandom", self._bytes)
        for name in (each + end for each in _CLOCKS for end in ("", "_ns")):
            self._replace(getattr(time, name, None), f"time.{name}", None, clock=True)
        for name in ("start_new_thread", "start_joinable_thread"):
            self._replace(getattr(_thread, name, None), name, self._thread)
        for name in _SEEDED:
            known = getattr(np.random, name)
            self.instead[id(known)] = known, _seeded(known, self)

    def refuse(self, name: str) -> Any:
        """End the run: a call has no exact law here."""
        return self.rng._run.refuse(f"it calls {name}: {_ADVICE}")

    def name_of(self, function: Any) -> str | None:
        """Return the name of a draw from elsewhere or of a clock, None of anything else."""
        known, instead = self.instead.get(id(function), (None, None))
        return None if known is not function else instead.__name__

    def methods(self) -> list[tuple[Any, str, Any]]:
        """Return what methods of classes of `random` are, while a program runs."""
        system = random.SystemRandom
        instead: dict[str, Handler] = {
            "random": lambda: self.rng.random(),
            "getrandbits": self._bits,
            "_randbelow": self._below,
            "randbytes": self._bytes,
        }
        return [
            (random.Random, "seed", lambda *given, **named: self.seed(*given, **named)),
            *(
                (system, name, self._method(vars(system)[name], one))
                for name, one in instead.items()
            ),
        ]

    def _method(self, known: Any, instead: Handler) -> Any:
        def method(system: Any, *given: Any) -> Any:
            return known(system, *given) if self.rng is None else instead(*given)

        return method

    def seed(self, generator: random.Random, *given: Any, **named: Any) -> None:
        """Seed a generator of `random`. One that is made in a call without a seed is refused."""
        called = self.rng is not None and not importing(sys._getframe(1))
        if called and not _given(given, named):
            self.refuse("random.Random without a seed")
        self._seed(generator, *given, **named)

    def _replace(self, known: Any, name: str, handler: Handler | None, clock: bool = False) -> None:
        def instead(*given: Any, **named: Any) -> Any:
            frame = sys._getframe(1)
            if self.rng is None or (clock and not of_program(frame)) or importing(frame):
                return known(*given, **named)
            return self.refuse(name) if handler is None else handler(*given, **named)

        instead.__name__ = name
        if known is not None:
            self.instead[id(known)] = known, instead

    def _thread(self, *_: Any, **__: Any) -> Any:
        return self.rng._run.refuse("it starts a thread: draw in one thread, whose order is known")

    # the standard library

    def _of_random(self) -> Mapping[str, Handler | None]:
        drawn = random._inst
        every = [name for name in dir(random) if _owner(getattr(random, name)) is drawn]
        faithful: dict[str, Handler | None] = {
            "random": lambda: self.rng.random(),
            "uniform": lambda a, b: self.rng.between(a, b),
            "expovariate": self._expovariate,
            "gauss": lambda mu=0.0, sigma=1.0: self.rng.normal(mu, sigma),
            "normalvariate": lambda mu=0.0, sigma=1.0: self.rng.normal(mu, sigma),
            "gammavariate": lambda alpha, beta: self.rng.gamma(alpha, beta),
            "randint": lambda a, b: self._below(b - a + 1) + a,
            "randrange": lambda *ends: self._one_of(range(*ends)),
            "getrandbits": self._bits,
            "randbytes": self._bytes,
            "choice": self._one_of,
            "choices": self._choices,
            "sample": self._sample,
            "shuffle": lambda x: self.rng.shuffle(x),
        }
        return {name: faithful.get(name) for name in every}

    def _of_secrets(self) -> Mapping[str, Handler | None]:
        others = dict.fromkeys(("token_hex", "token_urlsafe"))
        return {
            "randbelow": self._below,
            "randbits": self._bits,
            "choice": self._one_of,
            "token_bytes": lambda nbytes=32: self._bytes(nbytes),
            **others,
        }

    def _below(self, count: int) -> int:
        return int(self.rng.integers(count))

    def _one_of(self, values: Sequence[Any]) -> Any:
        if not len(values):
            raise IndexError("Cannot choose from an empty sequence")
        return values[self._below(len(values))]

    def _bits(self, count: int) -> int:
        return self._below(1 << count) if count <= _BITS else self.refuse(f"getrandbits({count})")

    def _bytes(self, count: int) -> bytes:
        if 8 * count > _BITS:
            self.refuse(f"os.urandom({count})")
        return bytes(self._below(256) for _ in range(count))

    def _expovariate(self, lambd: Any = 1.0) -> Any:
        rate = Fraction(lambd)
        drawn = self.rng.exponential(abs(1 / rate))
        return drawn if rate > 0 else -drawn

    def _choices(
        self, population: Sequence[Any], weights: Any = None, *, cum_weights: Any = None, k: int = 1
    ) -> list[Any]:
        if cum_weights is not None:
            ends = [Fraction(each) for each in cum_weights]
            weights = [b - a for a, b in zip([Fraction(0), *ends], ends)]
        if weights is None:
            return [self._one_of(population) for _ in range(k)]
        parts = [Fraction(each) for each in weights]
        shares = [each / sum(parts) for each in parts]
        return [population[int(self.rng.choice(len(parts), p=shares))] for _ in range(k)]

    def _sample(self, population: Sequence[Any], k: int, *, counts: Any = None) -> list[Any]:
        pool = list(population)
        if counts is not None:
            pool = [each for each, count in zip(pool, counts) for _ in range(count)]
        return [pool[int(i)] for i in self.rng.choice(len(pool), size=k, replace=False)]

    # NumPy

    def _of_numpy(self) -> Mapping[str, Handler | None]:
        drawn = np.random.mtrand._rand
        every = [name for name in dir(np.random) if _owner(getattr(np.random, name)) is drawn]
        faithful: dict[str, Handler | None] = {
            name: self._by_name(_OTHER_NAMES.get(name, name)) for name in every
        }
        special: dict[str, Handler | None] = {
            "rand": lambda *shape: self.rng.random(shape or None),
            "randn": lambda *shape: self.rng.standard_normal(shape or None),
            "randint": lambda *ends, **named: self.rng.integers(*ends, **{"dtype": int, **named}),
            "bytes": self._bytes,
            "uniform": lambda *given, **named: self.rng.between(*given, **named),
            "default_rng": self._default_rng,
            **dict.fromkeys(("random_integers", *_STATE)),
        }
        return {**faithful, **{name: special[name] for name in special if hasattr(np.random, name)}}

    def _by_name(self, name: str) -> Handler:
        return lambda *given, **named: getattr(self.rng, name)(*given, **named)

    def _default_rng(self, seed: Any = None) -> Any:
        if seed is None or seed is self.rng:
            return self.rng
        return self._seeded_rng(seed)


def importing(frame: FrameType | None) -> bool:
    """Whether a module is being imported, which is no part of a call."""
    while frame is not None and "importlib._bootstrap" not in frame.f_code.co_filename:
        frame = frame.f_back
    return frame is not None


def _given(given: Sequence[Any], named: Mapping[str, Any]) -> bool:
    return any(each is not None for each in (*given, *named.values()))


def _owner(method: Any) -> Any:
    return getattr(method, "__self__", None)


class _Seeded(type):
    """The class of what stands for a class of NumPy whose objects need a seed."""

    known: Any
    elsewhere: Elsewhere

    def __call__(cls, *given: Any, **named: Any) -> Any:
        called = cls.elsewhere.rng is not None and not importing(sys._getframe(1))
        if called and not _given(given, named):
            cls.elsewhere.refuse(f"numpy.random.{cls.__name__} without a seed")
        return cls.known(*given, **named)

    def __instancecheck__(cls, instance: Any) -> bool:
        return isinstance(instance, cls.known)

    def __subclasscheck__(cls, other: type) -> bool:
        return issubclass(other, cls.known)


def _seeded(known: Any, elsewhere: Elsewhere) -> Any:
    return _Seeded(known.__name__, (), {"known": known, "elsewhere": elsewhere})
