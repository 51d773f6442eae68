"""What a mechanism of another library is here, and what is said where there is nothing to read."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from pufferproof.models.channel import Channel
from pufferproof.models.errors import ModelError
from pufferproof.models.interface.kinds import StandIn
from pufferproof.models.interface.readable import Readable
from pufferproof.models.mechanisms.releases import Claim, PostProcessed
from pufferproof.models.noise.additive import AdditiveNoise
from pufferproof.models.noise.records import NoisyQueries, RecordQuery
from pufferproof.models.noise.tables.partial import PartialTable
from pufferproof.models.noise.tables.powers import PowerTable
from pufferproof.models.sequences.local import LocalMechanism

ASSUMED = "each call draws fresh noise, the function keeps no state"
REPEATED = "its draws can be repeated: audited as fresh noise at every call"
MEANT = "exactly= takes the number that was meant"
_ROUNDING = Fraction(1, 10**9)  # of floats, and of what a library computes of them
One = Channel | PowerTable | PartialTable | LocalMechanism | AdditiveNoise | RecordQuery
Form = One | NoisyQueries | PostProcessed
Bounds = tuple[Fraction, Fraction]
Named = Callable[[object], Any]  # of a draw: its output
_PACKAGES = {  # of libraries that are imported by another name
    "dp_accounting": "dp-accounting",
    "pipeline_dp": "pipeline-dp",
    "pydp": "python-dp",
    "snsql": "smartnoise-sql",
    "tmlt": "tmlt.core",
}


@dataclass(frozen=True)
class Given:
    """What an object gets, `inputs` and `query`, the bounds at which each of its mechanisms clamps,
    and which output of a table each of its draws is part of, if that is not its text.
    """

    inputs: object
    query: str | None
    within: tuple[Bounds | None, ...]
    named: tuple[Named | None, ...] = (None,)


@dataclass(frozen=True, repr=False)
class LibraryMechanism(StandIn, Readable):
    """The mathematical mechanism of a library's object, on the databases of a framework.

    `value` is the mechanism; functions that take it take this as well. `source` names the object,
    `notes` say how it was read, `audited` what an audit of it speaks of. A `table` is its numbers;
    anything else is a program, of which only the mathematics is audited. `parts` are the mechanisms
    of a composition, as `compose` takes them. `given` is what the object gets, and `claim` what it
    says of itself.
    """

    value: Form
    source: str
    notes: tuple[str, ...] = ()
    table: bool = False
    parts: "tuple[LibraryMechanism, ...]" = field(default=(), compare=False)
    given: Given | None = field(default=None, compare=False)
    claim: Claim | None = field(default=None, compare=False)

    @property
    def audited(self) -> str:
        """What an audit speaks of."""
        how = f" ({'; '.join(self.notes)})" if self.notes else ""
        if self.table:
            return f"audited is the table of {self.source}{how}, its numbers taken exactly"
        return f"audited is the mathematical mechanism of {self.source}{how}, not its floating-point implementation"

    def __str__(self) -> str:
        claim = "" if self.claim is None else f"; {self.claim}"
        return f"{self.value!r}; {self.audited}{claim}"


def by_rounding(found: Fraction, asked: Fraction, unit: str, meant: str = MEANT) -> str:
    """Say by how little a number exceeds what was asked for, as a share, if floats of a library may
    be why; else nothing. `meant` is how the number that was meant is given.

    >>> by_rounding(Fraction(0.1), Fraction("0.1"), "of it").partition(":")[0]
    'exceeded by 5.6e-17 of it'
    >>> by_rounding(Fraction(1, 5), Fraction(1, 10), "of it")
    ''
    """
    if not 0 < asked < found < asked * (1 + _ROUNDING):
        return ""
    return f"exceeded by {float(found / asked - 1):.2g} {unit}: a float stands for its exact binary value, and {meant}"


def source_of(thing: object) -> str:
    """Name what an object is, and the version of its library.

    >>> source_of([[1]])
    'a list'
    """
    library, name = type(thing).__module__.partition(".")[0], type(thing).__name__
    if library == "builtins":
        return f"a {name}"
    if library == "opendp":
        name = _constructors_in(thing)
    if library == "scipy":
        name = getattr(getattr(thing, "dist", thing), "name", None) or name
    return f"{name} of {library} {version_of(library)}".rstrip()


def _constructors_in(measurement: object) -> str:
    """Name an object of OpenDP with those inside: `make_fix_delta(make_gaussian)`."""
    call = getattr(measurement, "__opendp_dict__", None)
    if not isinstance(call, Mapping):
        return type(measurement).__name__
    values = [
        each
        for value in call["__kwargs__"].values()
        for each in (value if isinstance(value, list | tuple) else [value])
    ]
    inside = [_constructors_in(each) for each in values if type(each).__name__ == "Measurement"]
    name = str(call["__function__"])
    return f"{name}({', '.join(inside)})" if inside else name


def version_of(library: str) -> str:
    """Return the version of a package, an empty text if it was not installed as a package."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version(_PACKAGES.get(library, library))
    except PackageNotFoundError:
        return ""


def unsupported(what: str, supported: Sequence[str], where: str) -> ModelError:
    """Return the error for an object that cannot be read, which lists those that can."""
    return ModelError(f"cannot read {what}, expected one of: {', '.join(supported)}", where)
