"""Which code a piece of work rests on, as one hash: the sources of its floor and of those below,
with the files of data that they name, and the versions of the packages that decide or draw.

A function of another package rests on its own file, and on all of this package.
"""

import hashlib
import os
import platform
import sys
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

HOME = Path(__file__).parents[3]  # where the floors are, as folders or as links
FLOORS = ("models", "verify", "lp", "counterexamples", "claims", "reports", "examples")
_PACKAGES = (
    "clarabel",
    "cvc5",
    "cvxpy",
    "highspy",
    "mpmath",
    "networkx",
    "numpy",
    "pplpy",
    "pufferproof",
    "python-flint",
    "quicktions",
    "scipy",
    "sympy",
    "z3-solver",
)


@cache
def version_of(module: str) -> str:
    """Return the hash of what a module may run, as it is in this process.

    >>> version_of("pufferproof.models.channel") == version_of("pufferproof.models.framework")
    True
    >>> version_of("pufferproof.models.channel") == version_of("pufferproof.verify.audit")
    False
    >>> version_of("pufferproof.reports.cli") == version_of("pufferproof.examples.reproduce")
    False
    """
    package, _, floor = module.partition(".")
    floor = floor.partition(".")[0]
    ours = package == "pufferproof" and floor in FLOORS
    below = FLOORS[: FLOORS.index(floor) + 1] if ours else FLOORS
    digest = hashlib.sha256(packages().encode())
    for each in below:
        digest.update(_sources(each))
    if not ours:
        digest.update(_own_source(module))
    return digest.hexdigest()


@cache
def packages() -> str:
    """Return the versions of Python and of the packages that decide or draw; a package that is
    optional may be absent.
    """
    python = f"{platform.python_implementation()} {platform.python_version()}"
    return " ".join([python, *(f"{name} {_version(name)}" for name in _PACKAGES)])


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "absent"


@cache
def _sources(floor: str) -> bytes:
    """Return the hash of all sources of a floor and of what they name, with their places."""
    digest, home = hashlib.sha256(), HOME / floor
    sources, data = list[tuple[str, ...]](), dict[tuple[str, ...], list[str]]()
    for folder, _, names in os.walk(home):
        inner = Path(folder).relative_to(home).parts
        sources += [(*inner, name) for name in names if name.endswith((".py", ".claims"))]
        data[inner] = sorted(name for name in names if name.endswith(".json"))
    for *place, name in sorted(sources):
        text = home.joinpath(*place, name).read_bytes()
        named = (each for each in data[tuple(place)] if f'"{each}"'.encode() in text)
        files = {name: text} | {each: home.joinpath(*place, each).read_bytes() for each in named}
        for each, content in files.items():
            path = "/".join([floor, *place, each])
            digest.update(f"{path} {len(content)}\n".encode() + content)
    return digest.digest()


def _own_source(module: str) -> bytes:
    file = getattr(sys.modules.get(module), "__file__", None)
    return b"" if file is None else Path(file).read_bytes()
