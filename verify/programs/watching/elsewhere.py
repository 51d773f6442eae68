"""Draws from elsewhere than `rng`: those of `random`, `secrets`, `os.urandom` and NumPy's global
state. Where their law is that of a draw from `rng`, they become one: `signatures` has their
parameters. All others, and clocks, are refused by name. A generator with a seed draws as it does,
which an answer remarks.
"""

import _thread
import os
import random
import re
import secrets
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from functools import partial
from itertools import accumulate, pairwise
from operator import index
from types import FrameType
from typing import Any

import numpy as np

from pufferproof.verify.programs.drawing.arrays import Operand, Symbol
from pufferproof.verify.programs.drawing.generator import BITS, Generator
from pufferproof.verify.programs.drawing.signatures import RANDOM, RANDOM_STATE, Row
from pufferproof.verify.programs.paths import of_program

Handler = Callable[..., Operand]
_COUNTERS = ("time", "monotonic", "perf_counter", "process_time", "thread_time", "clock_gettime")
_CLOCKS = (  # and what else tells of the process: the module, the function
    *(("time", name + end) for name in _COUNTERS for end in ("", "_ns")),
    *(("time", name) for name in ("localtime", "gmtime", "asctime", "ctime", "strftime")),
    *(("os", name) for name in ("times", "getloadavg", "getpid", "getppid")),
    *(("threading", name) for name in ("get_ident", "get_native_id")),
    *(("uuid", name) for name in ("uuid1", "uuid6", "uuid7")),
    ("resource", "getrusage"),
)
_TIME_GIVEN = {"localtime": 0, "gmtime": 0, "asctime": 0, "ctime": 0, "strftime": 1}  # its place
_BYTES = (("os", "urandom"), ("os", "getrandom"), ("ssl", "RAND_bytes"))
_SEEDED = ("PCG64", "PCG64DXSM", "MT19937", "Philox", "SFC64", "SeedSequence", "RandomState")
_OTHER_NAMES = {"ranf": "random_sample", "sample": "random_sample"}
_SYSTEM = ("/dev/", "/proc/", "/sys/")
_SQLITE_FUNCTION = 31  # the code of a call of a function
_CHANCE = re.compile("random|date|time|julianday|unixepoch|strftime|current_")
ADVICE = "draw from rng, which an exact law is of"


class Elsewhere:
    """What is put in the place of draws from elsewhere while a program runs.

    `rng` is the generator of the call that runs, None between calls: then everything is as it was.
    """

    def __init__(self) -> None:
        self.rng: Any = None
        self.standard = StandardDraws(lambda: self.rng)
        self._seed = random.Random.seed
        self._seeded_rng = np.random.default_rng
        self.instead: dict[int, tuple[object, Operand]] = {}  # by the identity of what it replaces
        drawn: Any = np.random.mtrand._rand
        self._of_module(RANDOM, random._inst, "random")
        self._of_module(RANDOM_STATE, drawn, "numpy.random")
        self._replace(secrets.randbits, "secrets.randbits", self._handler(RANDOM["getrandbits"]))
        self._replace(np.random.default_rng, "numpy.random.default_rng", self._default_rng)
        for module, name in _BYTES:
            function = getattr(sys.modules.get(module), name, None)
            self._replace(function, f"{module}.{name}", self._bytes(f"{module}.{name}"))
        for module, name in _CLOCKS:
            function = getattr(sys.modules.get(module), name, None)
            self._replace(function, f"{module}.{name}", None, clock=True)
        connect = getattr(sys.modules.get("sqlite3"), "connect", None)
        for known, handler in (
            *((each, self._stat(each)) for each in (os.stat, os.lstat)),
            (connect, self._connected(connect)),
        ):
            self._replace(known, "", handler)  # which calls what it replaces
        thread = "it starts a thread: draw in one thread, whose order is known"
        for name in ("start_new_thread", "start_joinable_thread"):
            self._replace(getattr(_thread, name, None), name, lambda *_, **__: self.rng._run.refuse(thread))
        for name in _SEEDED:
            known = getattr(np.random, name)
            self.instead[id(known)] = known, _Seeded(known.__name__, (), {"known": known, "elsewhere": self})

    def refuse(self, name: str) -> object:
        """End the run: a call has no exact law here."""
        return self.rng._run.refuse(f"it calls {name}: {ADVICE}")

    def name_of(self, function: object) -> str | None:
        """Return the name of a draw from elsewhere or of a clock, None of anything else."""
        known, instead = self.instead.get(id(function), (None, None))
        return None if known is not function else instead.__name__

    def is_clock(self, name: str) -> bool:
        """Whether a name is one of a clock, which libraries may ask."""
        return tuple(name.rsplit(".", 1)) in _CLOCKS

    def methods(self) -> list[tuple[object, str, object]]:
        """Return what methods of classes of `random` are, while a program runs."""
        system: Any = random.SystemRandom
        names = [name for name in (*RANDOM, "_randbelow") if name in vars(StandardDraws)]
        owners = {name: next((each for each in system.__mro__ if name in vars(each)), None) for name in names}
        return [
            (random.Random, "seed", lambda *given, **named: self.seed(*given, **named)),
            *(
                (owner, name, self._method(vars(owner)[name], name))
                for name, owner in owners.items()
                if owner is not None
            ),
        ]

    def _method(self, known: Handler, name: str) -> Handler:
        """Return a method that draws from `rng` if its generator is that of the system."""

        def method(generator: object, *given: object, **named: object) -> object:
            if self.rng is None or not isinstance(generator, random.SystemRandom):
                return known(generator, *given, **named)
            if name not in RANDOM:
                return getattr(self.standard, name)(*given, **named)
            return self._handler(RANDOM[name])(*given, **named)

        return method

    def seed(self, generator: random.Random, *given: Operand, **named: Operand) -> None:
        """Seed a generator of `random`. One that is made in a call without a seed is refused."""
        called = self.rng is not None and not importing(sys._getframe(1))
        if called and not _given(given, named):
            self.refuse("random.Random without a seed")
        if called:
            self.seeded("random.Random", partial(self._seed, generator), given, named)
        else:
            self._seed(generator, *given, **named)

    def _replace(self, known: Operand, name: str, handler: Handler | None, clock: bool = False) -> None:
        """Replace a function; that of a clock is refused where the program itself asks it."""
        place = _TIME_GIVEN.get(name.removeprefix("time."), sys.maxsize)

        def instead(*given: object, **named: object) -> object:
            frame = sys._getframe(1)
            plain = clock and (not of_program(frame) or _given(given[place:], {}))
            if self.rng is None or plain or importing(frame):
                return known(*given, **named)
            return self.refuse(name) if handler is None else handler(*given, **named)

        instead.__name__ = name
        if known is not None:
            self.instead[id(known)] = known, instead

    # draws that have a law

    def _of_module(self, rows: Mapping[str, Row], drawn: object, prefix: str) -> None:
        """Replace the functions of a module that are methods of its own generator."""
        module = sys.modules[prefix]
        for name, known in list(vars(module).items()):
            other = _OTHER_NAMES.get(name, name) if rows is RANDOM_STATE else name
            row = rows.get(other)
            if row is not None or getattr(known, "__self__", None) is drawn:
                handler = self._handler(row) if row is not None and row.lawful else None
                self._replace(known, f"{prefix}.{name}", handler)

    def _handler(self, row: Row) -> Handler:

        def handler(*given: object, **named: object) -> object:
            call = row.bound(given, named, self.rng._run.refuse)
            legacy = row is RANDOM_STATE.get(row.name)
            draws = LegacyDraws(self.rng) if legacy else self.standard
            return getattr(draws, row.name)(*call.args, **call.kwargs)

        return handler

    def _bytes(self, name: str) -> Handler:
        """Return what draws in the place of a function of a number of bytes."""

        def handler(count: int, *_: object) -> object:
            if 8 * count > BITS:
                self.refuse(f"{name}({count})")
            return self.rng.bytes(count)

        return handler

    def _stat(self, known: Handler) -> Handler:
        """Return what asks for the size and the times of a file."""

        def handler(path: Operand, *given: object, **named: object) -> object:
            if not isinstance(path, int) and is_systems(os.fsdecode(path)):
                self.refuse(f"{known.__name__} of {os.fsdecode(path)}")
            return known(path, *given, **named)

        return handler

    def _connected(self, known: Operand) -> Handler:
        """Return what opens a database of SQLite, whose functions may be those of a clock."""

        def ask(action: int, _: str | None, function: str | None, *__: str | None) -> int:
            if action != _SQLITE_FUNCTION or self.rng is None or not _CHANCE.match(function or ""):
                return 0
            with suppress(BaseException):  # SQLite does not pass it on, but the run is over
                self.refuse(f"{function} of SQLite")
            return 1

        def handler(*given: object, **named: object) -> object:
            connection = known(*given, **named)
            connection.set_authorizer(ask)
            return connection

        return handler

    def _default_rng(self, seed: object = None) -> object:
        if seed is None or seed is self.rng:
            return self.rng
        return self.seeded("numpy.random.default_rng", self._seeded_rng, (seed,), {})

    def seeded(self, name: str, known: Handler, given: Sequence[object], named: Mapping[str, object]) -> Operand:
        """Return a generator with a seed, from which its draws follow."""
        rng, self.rng = self.rng, None  # NumPy asks for entropy that it does not use
        try:
            made = known(*map(_seed, given), **{key: _seed(one) for key, one in named.items()})
        finally:
            self.rng = rng
        self.rng._run.remark(f"{name} has a seed, from which its draws follow")
        return made


class LegacyDraws:
    """The methods of `numpy.random.RandomState` as draws from `rng`, where they are others."""

    def __init__(self, rng: Generator) -> None:
        self._rng = rng

    def __getattr__(self, name: str) -> Operand:
        return getattr(self._rng, name)

    def rand(self, *shape: int) -> Operand:
        return self._rng.random(tuple(map(index, shape)) or None)

    def randn(self, *shape: int) -> Operand:
        return self._rng.standard_normal(tuple(map(index, shape)) or None)

    def random_sample(self, size: object = None) -> Operand:
        return self._rng.random(size)

    def randint(self, low: object, high: object = None, size: object = None, dtype: object = int) -> Operand:
        return self._rng.integers(low, high, size, dtype)

    def uniform(self, low: object = 0.0, high: object = 1.0, size: object = None) -> Operand:
        """Draw numbers between two others, the larger of which may be the first."""
        return self._rng.between(low, high, size)

    def choice(self, a: Operand, size: object = None, replace: Operand = True, p: Operand = None) -> Operand:
        """Draw from a list without axes."""
        if np.ndim(a) > 1:
            raise ValueError("a must be 1-dimensional")
        return self._rng.choice(a, size, replace, p)

    def hypergeometric(self, ngood: object, nbad: object, nsample: Operand, size: object = None) -> Operand:
        """Draw how many of a sample are good, which is not empty."""
        if np.any(np.less(nsample, 1)):
            raise ValueError("nsample < 1 or nsample is NaN")
        return self._rng.hypergeometric(ngood, nbad, nsample, size)

    def negative_binomial(self, n: object, p: Operand, size: object = None) -> Operand:
        """Draw the number of failures before n successes, which are possible."""
        if np.any(np.less_equal(p, 0)):
            self._rng._run.refuse("it calls numpy.random.negative_binomial with p = 0")
        return self._rng.negative_binomial(n, p, size)


def is_systems(file: str) -> bool:
    """Whether a file is one of the system, which changes by itself."""
    path = os.path.abspath(file)
    return path.startswith(_SYSTEM) and path != os.devnull


def importing(frame: FrameType | None) -> bool:
    """Whether a module is being imported, which is no part of a call."""
    while frame is not None and "importlib._bootstrap" not in frame.f_code.co_filename:
        frame = frame.f_back
    return frame is not None


def _given(given: Sequence[object], named: Mapping[str, object]) -> bool:
    return any(each is not None for each in (*given, *named.values()))


def _seed(value: object) -> object:
    """Return a seed as a number, which a draw becomes."""
    if isinstance(value, list | tuple):
        return type(value)(map(_seed, value))
    return value.resolved() if isinstance(value, Symbol) else value


class _Seeded(type):
    """The class of what stands for a class of NumPy whose objects need a seed."""

    known: type
    elsewhere: Elsewhere

    def __call__(cls, *given: object, **named: object) -> object:
        called = cls.elsewhere.rng is not None and not importing(sys._getframe(1))
        if not called:
            return cls.known(*given, **named)
        name = f"numpy.random.{cls.__name__}"
        if not _given(given, named):
            cls.elsewhere.refuse(f"{name} without a seed")
        return cls.elsewhere.seeded(name, cls.known, given, named)

    def __instancecheck__(cls, instance: object) -> bool:
        return isinstance(instance, cls.known)

    def __subclasscheck__(cls, other: type) -> bool:
        return issubclass(other, cls.known)


# Standard -----------------------------------------------------------------------------------------
#
# The methods of Python's `random` as draws from `rng`. Where Python's own code draws nothing but
# integers and numbers between 0 and 1 it runs as it is; the others have a law of their own here.


class StandardDraws(random.SystemRandom):
    """A generator of `random` that draws from the generator of the call that runs."""

    def __init__(self, rng: Callable[[], Generator]) -> None:
        super().__init__()
        self._rng = rng

    def random(self) -> Operand:
        return self._rng().random()

    def getrandbits(self, k: int) -> int:
        if k < 0:
            raise ValueError("number of bits must be non-negative")
        if k > BITS:
            self._rng()._run.refuse(f"it calls getrandbits({k}), of which at most {BITS} bits are listed")
        return self._randbelow(1 << k)

    def _randbelow(self, n: int) -> int:
        return int(self._rng().integers(n)) if n else 0

    def randbytes(self, n: int) -> bytes:
        drawn: bytes = self._rng().bytes(n)
        return drawn

    def gauss(self, mu: Operand = 0.0, sigma: Operand = 1.0) -> Operand:
        """Draw mu + sigma Z, where Z is standard normal."""
        return mu + self._rng().standard_normal() * sigma

    normalvariate = gauss

    def expovariate(self, lambd: Operand = 1.0) -> Operand:
        """Draw E / lambda, where E is exponential of scale 1."""
        rate = Fraction(lambd)
        drawn = self._rng().exponential(abs(1 / rate))
        return drawn if rate > 0 else -drawn

    def gammavariate(self, alpha: Operand, beta: Operand) -> Operand:
        """Draw a sum of alpha exponential draws of scale beta."""
        if alpha <= 0.0 or beta <= 0.0:
            raise ValueError("gammavariate: alpha and beta must be > 0.0")
        return self._rng().gamma(alpha, beta)

    def betavariate(self, alpha: Operand, beta: Operand) -> Operand:
        """Draw x of density x^(alpha - 1) (1 - x)^(beta - 1) over B(alpha, beta)."""
        return self._rng().beta(alpha, beta)

    def weibullvariate(self, alpha: Operand, beta: Operand) -> Operand:
        """Draw alpha W, where W is a Weibull draw of shape beta."""
        return self._rng().weibull(beta) * alpha

    def triangular(self, low: Operand = 0.0, high: Operand = 1.0, mode: Operand = None) -> Operand:
        """Draw x of a density that rises from one end to the mode, and falls to the other."""
        if low == high:
            return low
        mode = (Fraction(low) + Fraction(high)) / 2 if mode is None else mode
        if not min(low, high) <= mode <= max(low, high):
            self._rng()._run.refuse("it calls random.triangular with a mode that is not between")
        return self._rng().triangular(min(low, high), mode, max(low, high))

    def binomialvariate(self, n: int = 1, p: Operand = 0.5) -> Operand:
        return self._rng().binomial(index(n), p)

    def choices(
        self, population: Operand, weights: Operand = None, *, cum_weights: Operand = None, k: int = 1
    ) -> list[Operand]:
        """Draw k items with weights, with replacement."""
        if weights is not None and cum_weights is not None:
            raise TypeError("Cannot specify both weights and cumulative weights")
        if weights is not None:
            cum_weights = accumulate(map(Fraction, weights))
        if cum_weights is None:
            if k > 0 and not len(population):
                raise IndexError("Cannot choose from an empty sequence")
            return [population[self._randbelow(len(population))] for _ in range(k)]
        ends = [Fraction(0), *map(Fraction, cum_weights)]
        if len(ends) != len(population) + 1:
            raise ValueError("The number of weights does not match the population")
        if ends[-1] <= 0:
            raise ValueError("Total of weights must be greater than zero")
        shares = [(b - a) / ends[-1] for a, b in pairwise(ends)]
        if min(shares) < 0:
            self._rng()._run.refuse("it calls random.choices with a negative weight")
        return [population[int(self._rng().choice(len(shares), p=shares))] for _ in range(k)]

    def sample(self, population: Sequence[object], k: int, *, counts: Operand = None) -> list[Operand]:
        """Draw k items without replacement, of which there are as many as counted."""
        if not isinstance(population, Sequence):
            raise TypeError("Population must be a sequence.  For dicts or sets, use sorted(d).")
        pool = list(population)
        if counts is not None:
            numbers = list(map(index, counts))
            if len(numbers) != len(pool):
                raise ValueError("The number of counts does not match the population")
            if min(numbers, default=0) < 0:
                self._rng()._run.refuse("it calls random.sample with a negative count")
            if not sum(numbers):
                raise ValueError("Total of counts must be greater than zero")
            pool = [item for item, count in zip(pool, numbers) for _ in range(count)]
        if not 0 <= k <= len(pool):
            raise ValueError("Sample larger than population or is negative")
        return [pool[i] for i in self._rng().choice(len(pool), size=k, replace=False)]
