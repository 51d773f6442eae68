"""A program while it runs: its draws from elsewhere, and what it changes that the next call sees.

An exact law is that of a function of draws from `rng`. Draws of `random`, `secrets` and NumPy's
global state become draws from `rng`, or are refused by name as clocks, `id` and `hash` are:
`elsewhere` says which. A call that changes its argument, or what the program keeps between calls,
is refused: the next call would have another law. `law` itself runs some paths twice.
"""

import ctypes
import dis
import gc
import importlib
import inspect
import os
import re
import signal
import sys
import threading
from _thread import get_ident
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import date
from time import thread_time
from types import FrameType, ModuleType
from typing import Any

import numpy as np

from pufferproof.models.files.programs import Program
from pufferproof.verify.programs import paths
from pufferproof.verify.programs.paths import of_program
from pufferproof.verify.programs.watching.elsewhere import ADVICE, Elsewhere, importing, is_systems
from pufferproof.verify.programs.watching.orders import asks_identity, keeps_type, key_of, order
from pufferproof.verify.programs.watching.reach import Reach, is_library
from pufferproof.verify.programs.watching.state import Kept, frozen
from pufferproof.verify.programs.watching.translated import translated

_COLLECTED = 64  # calls, after which their memory is collected
_TICKS = 5  # looks at the clock within the time that a call may take
_PROFILED = 8  # calls of each database in which every call of a C function is seen,
_PROFILED_ALL = 512  # as long as these are so many of all; else the first of each
_WORDS = 625  # of the state of a Mersenne twister, with the place of the next one
_SIZES = [size for size in range(2, 480, 16) for _ in range(50)]
_ADDRESS = re.compile(" at 0x[0-9a-fA-F]{6,}")
ONE = threading.RLock()  # threads see each other's modules
_DATES = frozenset(["now", "utcnow", "today"])
_OF_THIS = frozenset(["id", "hash"])  # of objects of this process
_TABLES = frozenset(["pandas", "scipy", "sklearn"])
_CALLS = ("PRECALL", "CALL", "CACHE")
_IMPORTED = frozenset(["resource", "sqlite3", "ssl", "uuid"])
_REDIRECTED: tuple[str, ...] = ("random", "secrets", "numpy.random", "os", "time", "threading", "_thread")
_REDIRECTED += tuple(_IMPORTED)


@contextmanager
def watched(program: Program) -> Iterator["Watch"]:
    """Return a program as it is called for its law; meanwhile draws from elsewhere are others."""
    with ONE, importable(), _uncollected():
        reach = Reach(program.function)
        named = {name for code, _ in reach.codes for name in code.co_names}
        for module in _IMPORTED & named:  # which a call imports itself, and whose functions are replaced
            with suppress(ImportError):  # not on every system
                importlib.import_module(module)
        with translated(reach):
            watch = Watch(program, reach)
            changed = _redirected(watch.elsewhere, reach)
            try:
                watch.kept = Kept(reach)
                with _timed(watch), outside(watch.refuse):
                    yield watch
            finally:
                for owner, name, known in changed:
                    setattr(owner, name, known)


@contextmanager
def _uncollected() -> Iterator[None]:
    """Let memory be collected between calls alone: what others call then is not of the program."""
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.enable()


@contextmanager
def importable() -> Iterator[None]:
    """Let calls import modules from the working directory, from which the program comes."""
    here = os.getcwd()
    added = here not in sys.path
    if added:
        sys.path.insert(0, here)
    try:
        yield
    finally:
        if added and here in sys.path:
            sys.path.remove(here)


@contextmanager
def _timed(watch: "Watch") -> Iterator[None]:
    """Let a call end that comes to no draw for long, where signals can."""
    main = threading.current_thread() is threading.main_thread()
    if not main or not hasattr(signal, "SIGVTALRM"):
        yield
        return
    before = signal.signal(signal.SIGVTALRM, lambda _, frame: watch.tick(frame))
    signal.setitimer(signal.ITIMER_VIRTUAL, paths.SECONDS / _TICKS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, signal.SIG_DFL if before is None else before)


class Watch:
    """A program that is watched: call it with a database and a stand-in of a generator."""

    kept: Kept

    def __init__(self, program: Program, reach: Reach) -> None:
        self.program = program
        # why it has no law whatever is drawn, and where: if names are looked up in a call, most of
        # what may be reached is not called
        orders = order(reach)
        self._if_called = orders if reach.unclear else {}
        first = None if reach.unclear else next(iter(orders.values()), None)
        self._refused = first or keeps_type(reach)
        self.at_once = asks_identity(reach)  # whether its discrete draws are known at once
        self.elsewhere = Elsewhere()
        self._calls: Counter[str] = Counter()
        self._last: str | None = None
        self._count = 0
        self._ticked: object = None  # the generator of the call that ran at the last tick
        self._since = 0.0  # the time of this thread when a tick found that call first
        self._global = _global_state()

    def tick(self, frame: FrameType | None) -> None:
        """Refuse a call that takes too long, other than to import what it needs. The time of other
        threads does not count.
        """
        now, rng = thread_time(), self.elsewhere.rng
        if rng is not self._ticked or importing(frame):
            self._ticked, self._since = rng, now
        # one tick asks for the next: however slow the process is, they do not pile up
        signal.setitimer(signal.ITIMER_VIRTUAL, paths.SECONDS / _TICKS)
        if rng is not None and now - self._since > paths.SECONDS:
            rng._run.late()

    def refuse(self, why: str) -> None:
        """End the call that runs, if one does."""
        if self.elsewhere.rng is not None:
            self.elsewhere.rng._run.refuse(why)

    def __call__(self, database: str, rng: Any) -> object:
        run = rng._run
        if self._refused is not None:
            run.refuse(*self._refused)
        argument = self.program.argument(database)
        # NumPy's global state, and how many modules there are: an import may have drawn
        state, modules = self._global(), len(sys.modules)
        label = getattr(database, "label", database)  # of a `Reading`, which notes what is asked
        self._count += 1
        if self._count % _COLLECTED == 0:
            gc.collect(1)  # what is kept of earlier calls is not looked at again
        self.kept.clear(run.again and label == self._last)
        self._last = label
        # what takes the places in memory that objects of the last run had: an address is another one now
        small = [kind() for kind in (object, _Slotted) for _ in range(50)] if run.again else []
        large = list(map(bytes, _SIZES)) if run.again else []
        often = _PROFILED if self._count <= _PROFILED_ALL else 1
        closely = bool(self._if_called) or self._calls[label] < often
        output = self._run(argument, rng, closely)
        del small, large
        self._calls[label] += 1
        if run.dead is None:
            run.ended = True
            if (why := _unfit(output)) is not None:
                run.refuse(why)
            if self._global() != state and len(sys.modules) == modules:
                run.refuse("it draws from numpy.random's global state: draw from rng")
            if (change := self.kept.change()) is not None:
                run.refuse(change)
            self._expect_same(argument, database, run)
        return output

    def _expect_same(self, argument: object, database: str, run: Any) -> None:
        plain = self.program.form == "text" and self.program.handed is None
        if not plain and frozen(argument) != frozen(self.program.argument(database)):
            run.refuse("it changes its argument, which the next call gets: change a copy of it")

    def _run(self, argument: object, rng: object, closely: bool) -> object:
        profiled = sys.getprofile()
        self.elsewhere.rng = rng
        try:
            if closely:
                sys.setprofile(self._seen)
            return self.program.applied(argument, rng)
        finally:
            self.elsewhere.rng = None
            if sys.getprofile() is not profiled:
                if profiled is None or callable(profiled):
                    sys.setprofile(profiled)
                else:  # an object of `cProfile`
                    sys.setprofile(None)
                    profiled.enable()

    def _seen(self, frame: FrameType, event: str, function: Any) -> None:
        """Look at a call: of code that is refused if it is called, and of a function that is
        written in C, under whatever name.
        """
        rng = self.elsewhere.rng
        if rng is None or rng._run.dead is not None:
            return
        rng._run.calls += of_program(frame)
        if event == "call" and (found := self._if_called.get(key_of(frame.f_code))) is not None:
            rng._run.refuse(*found)
        if event != "c_call":
            return
        name = self.elsewhere.name_of(function)
        owner = getattr(function, "__self__", None)
        if isinstance(owner, type) and issubclass(owner, date):
            name = f"datetime.{function.__name__}" * (function.__name__ in _DATES)
        if getattr(owner, "__name__", "") == "builtins" and function.__name__ in _OF_THIS:
            name = function.__name__ * _shows_process(frame)
        elsewhere = name and self.elsewhere.is_clock(name) and not of_program(frame)
        if name and not elsewhere and not importing(frame):
            self.elsewhere.refuse(name)


def _global_state() -> Callable[[], object]:
    """Return how NumPy's global state is read: where it stands in memory, which takes a hundredth
    of the time.
    """
    drawn: Any = np.random
    bits = drawn.get_bit_generator()
    if not isinstance(bits, np.random.MT19937):
        return lambda: str(bits.state)
    words = (ctypes.c_uint32 * _WORDS).from_address(bits.ctypes.state_address)
    return lambda: bytes(words)


def _shows_process(frame: FrameType) -> bool:
    """Whether `id` or `hash` that is called may show in an output: not where the value is not used,
    as in asking whether something can be hashed at all, nor in packages that only find values by it
    again.
    """
    package = str(frame.f_globals.get("__name__", "")).partition(".")[0]
    if not of_program(frame) or frame.f_code.co_name == "__hash__" or package in _TABLES:
        return False
    steps = (s.opname for s in dis.get_instructions(frame.f_code) if s.offset >= frame.f_lasti)
    return next((name for name in steps if name not in _CALLS), "") != "POP_TOP"


def _unfit(output: object) -> str | None:
    if inspect.iscoroutine(output):
        output.close()
        return "it is an async function, which has not run yet: call asyncio.run in a function"
    if inspect.isgenerator(output):
        return "its output is a generator, which draws later: return a list of its items"
    if _has_address(output):
        return "its output has the address of an object: return what is in it"
    return None


def _has_address(output: Any) -> bool:
    """Whether an output has the text of an object that says where it is."""
    if type(output) in (list, tuple):
        return any(map(_has_address, output))
    return type(output) is str and _ADDRESS.search(output) is not None


class _Slotted:
    __slots__ = ("one", "two")


def _redirected(elsewhere: Elsewhere, reach: Reach) -> list[tuple[object, str, object]]:
    """Put draws from `rng` in the place of those from elsewhere, wherever a module has them, and
    return what was there.
    """
    changed: list[tuple[object, str, object]] = []
    for owner, name, instead in elsewhere.methods():
        changed.append((owner, name, vars(owner)[name]))
        setattr(owner, name, instead)
    named = [sys.modules[name] for name in reach.modules if name in sys.modules]
    modules = [  # those that draw, and those of programs
        module
        for name, module in list(sys.modules.items())
        if isinstance(module, ModuleType) and (name in _REDIRECTED or not is_library(module))
    ]
    for module in (*modules, *filter(is_library, named)):
        for name, value in list(vars(module).items()):
            known = elsewhere.instead.get(id(value))
            if known is not None and known[0] is value:
                changed.append((module, name, value))
                setattr(module, name, known[1])
    return changed


# Outside ------------------------------------------------------------------------------------------
#
# What a program does outside of Python while it runs: it writes files, sets variables of the
# environment, starts processes, or asks the network. The next call may see it, or its order is not
# one of draws; so each of these is refused by name.
#
# Python tells of them (`sys.addaudithook`) whatever the names are under which a program calls
# them. Files may be read.

_WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_TRUNC
_KEPT = "keep what the next call needs in an object that is made for every run (module:Class)"
_FILES, _PROCESS = f"changes files: {_KEPT}", "starts a process: compute in the call itself"
_NET = "uses the network: read what it needs before, from a file"
_EVENTS = {
    **dict.fromkeys(["os.putenv", "os.unsetenv"], f"sets a variable of the environment: {_KEPT}"),
    "os.chdir": f"changes the working directory: {_KEPT}",
    **dict.fromkeys(
        (f"os.{name}" for name in ["remove", "rename", "mkdir", "rmdir", "truncate", "link", "symlink"]), _FILES
    ),
    **dict.fromkeys((f"os.{name}" for name in ["utime", "chmod", "chown", "setxattr"]), _FILES),
    **dict.fromkeys((f"os.{name}" for name in ["system", "fork", "forkpty", "exec", "spawn", "posix_spawn"]), _PROCESS),
    "subprocess.Popen": _PROCESS,
    **dict.fromkeys((f"socket.{name}" for name in ["connect", "bind", "sendto", "getaddrinfo", "gethostbyname"]), _NET),
    **dict.fromkeys(["ctypes.dlopen", "ctypes.dlsym"], "calls a library through ctypes"),
}
Refuse = Callable[[str], object]
_active: list[tuple[int, Refuse]] = []  # the thread that is watched, and who refuses
_hooked = threading.Event()


@contextmanager
def outside(refuse: Refuse) -> Iterator[None]:
    """Tell of what is done outside of Python, for a while."""
    if not _hooked.is_set():
        _hooked.set()
        sys.addaudithook(_heard)
    _active.append((get_ident(), refuse))
    try:
        yield
    finally:
        _active.pop()


def _heard(event: str, given: tuple[Any, ...]) -> None:
    if not _active or _active[-1][0] != get_ident():
        return
    words = _EVENTS.get(event) or _opens(event, given)
    if words and not importing(sys._getframe(1)):
        _active[-1][1](f"it {words}")


def _opens(event: str, given: tuple[Any, ...]) -> str | None:
    """Return in words how a file or a table is opened, or None if it is read alone."""
    if event == "sqlite3.connect" and given[0] != ":memory:":
        return f"opens the database {os.fsdecode(given[0])!r}: {_KEPT}"
    if event != "open" or isinstance(given[0], int) or given[0] is None:
        return None
    path, mode, flags = given
    file = os.fsdecode(path)
    if is_systems(file):
        return f"reads {file}: {ADVICE}"
    writes = bool((flags or 0) & _WRITES) or not set("wax+").isdisjoint(mode or "")
    return f"writes {os.path.basename(file)!r}: {_KEPT}" if writes and file != os.devnull else None
