"""Objects of other libraries: whether every call draws fresh noise, as far as the object shows it; versions that draw
wrongly; and objects of PyDP and Tumult Core.

An object is read by its class and its parameters. So its class must be the one of its library, with
the methods that it has there, and what it draws from must be known: randomness of the operating
system, or NumPy's global generator. Draws of any other generator can be repeated: an audit of one
release notes it, several releases refuse it. What an object does not show is assumed.
"""

import inspect
import random
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import isqrt
from numbers import Number
from types import FunctionType, MethodType
from typing import cast

from pufferproof.models.errors import ModelError
from pufferproof.models.interface.kinds import check_type
from pufferproof.models.mechanisms.adapters.kernels import Additive, Drawn, Kernel, Together, noisy_records
from pufferproof.models.mechanisms.adapters.parameters import Parameters
from pufferproof.models.mechanisms.library import unsupported, version_of
from pufferproof.models.noise.additive import Noise
from pufferproof.models.noise.records import RecordQuery, windows_of
from pufferproof.models.numbers.text import shown, text_of
from pufferproof.models.priors.records import Records, preview

_LOOKED_INTO = ("diffprivlib", "scipy", "opendp")  # whose classes and methods are Python's
_GENERATOR = "rng"  # of an object of diffprivlib, as `_rng`
_STATES = ("random_state", "seed")
_DEEP, _MANY = 5, 2_000  # levels and values that are looked into
_TEXTS = (str, bytes, int, float, complex, type(None))


def expect_known_class(source: object) -> None:
    """Raise `ModelError` unless the law of an object is that of its class: the class is the one
    that its library has under this name, no method was replaced, in the class or on the object, and
    numbers are those of Python or NumPy.
    """
    kind = type(source)
    library = kind.__module__.partition(".")[0]
    held = vars(source) if hasattr(source, "__dict__") else {}
    for name, value in held.items():
        bound = isinstance(value, MethodType) and value.__self__ is source
        if callable(value) and callable(getattr(kind, name, None)) and not bound:
            raise _replaced(kind, name, "object")
    if library not in _LOOKED_INTO:
        return
    if getattr(sys.modules.get(kind.__module__), kind.__name__, None) is not kind:
        raise ModelError(f"cannot read {kind.__name__}: {kind.__module__} has another class of this name", "mechanism")
    for name, value in held.items():
        home = type(value).__module__.partition(".")[0]
        if isinstance(value, Number | str) and home not in ("builtins", "numpy", library):
            raise ModelError(
                f"expected a number of Python or NumPy, found {shown(value)} of the class "
                f"{type(value).__name__}, which may compute otherwise",
                name,
            )
    for each in kind.__mro__:
        if each.__module__.partition(".")[0] == library:
            _expect_own_methods(each)


def _expect_own_methods(kind: type) -> None:
    """Raise `ModelError` if a method of a class comes from elsewhere than its library."""
    library = kind.__module__.partition(".")[0]
    for name, value in vars(kind).items():
        plain = getattr(value, "__func__", value)  # of a static method or a method of the class
        plain = plain.fget if isinstance(plain, property) else plain
        special = name.startswith("__") and not isinstance(plain, FunctionType)
        if special or isinstance(plain, type) or not callable(plain):
            continue
        homes = [str(getattr(each, "__module__", None) or "") for each in (plain, inspect.unwrap(plain))]
        if {home.partition(".")[0] for home in homes} != {library}:
            raise _replaced(kind, name, "class")


def _replaced(kind: type, name: str, where: str) -> ModelError:
    return ModelError(
        f"cannot read {kind.__name__} whose method {name} was replaced on the {where}: its law is "
        "no longer that of its library",
        "mechanism",
    )


def repeatable(source: object) -> tuple[str, object] | None:
    """Return the attribute of an object whose draws can be repeated, a seed or a generator, and its
    value; None if it has none. Raises `ModelError` for a generator whose law is not known.
    """
    return next(_generators(source, "", _DEEP, set()), None)


def expect_fresh(source: object) -> None:
    """Raise `ModelError` if the draws of an object can be repeated."""
    if (found := repeatable(source)) is not None:
        raise ModelError(
            f"{found[0]}: expected noise without a seed or a generator of its own, found "
            f"{shown(found[1])}: draws that can be repeated are not fresh noise for every release",
            "mechanism",
        )


def _generators(source: object, path: str, deep: int, seen: set[int]) -> Iterator[tuple[str, object]]:
    """Yield seeds and generators inside an object, with the attributes that lead to them."""
    from numpy.random import BitGenerator, Generator, RandomState, SeedSequence

    if id(source) in seen or len(seen) > _MANY:
        return
    seen.add(id(source))
    state = getattr(source, "random_state", None) if not path else None
    for name, value in [("random_state", state), *_parts(source)]:
        inside = f"{path}.{name}" if path else name
        if value is None or isinstance(value, type):
            continue
        last = name.strip("_")
        if (
            isinstance(value, random.Random | Generator | RandomState | BitGenerator | SeedSequence)
            or last == _GENERATOR
        ):
            if not _is_fresh(value, inside):
                yield inside, value
        elif last in _STATES:
            yield inside, value
        elif deep and not isinstance(value, _TEXTS):
            yield from _generators(value, inside, deep - 1, seen)


def _parts(source: object) -> Iterator[tuple[str, object]]:
    """Yield what an object, a dict or a list holds, by name."""
    if isinstance(source, Mapping):
        yield from ((str(name), value) for name, value in list(source.items()))
    elif isinstance(source, list | tuple):
        yield from ((str(place), value) for place, value in enumerate(source))
    elif type(source).__module__.partition(".")[0] in _LOOKED_INTO:
        yield from list(getattr(source, "__dict__", {}).items())


def _is_fresh(value: object, path: str) -> bool:
    """Whether a generator draws from the operating system, or is NumPy's global one. Raises
    `ModelError` unless it is a generator of Python or NumPy as it is there.
    """
    from numpy import random as numpys

    known = (
        *(random.Random, random.SystemRandom, numpys.Generator, numpys.RandomState),
        *(numpys.SeedSequence, *numpys.BitGenerator.__subclasses__()),
    )
    kind = type(value)
    own = {name for name in getattr(value, "__dict__", {}) if callable(getattr(kind, name, None))}
    library = kind.__module__.partition(".")[0]
    if kind not in known or library not in ("random", "numpy") or own:
        raise ModelError(
            f"{path}: expected a generator of random, secrets or numpy, found {shown(value)}: what "
            "it draws is not known",
            "mechanism",
        )
    if kind is random.SystemRandom:
        _expect_own_methods(random.SystemRandom)
        return True
    return value is numpys.mtrand._rand


# Noise of a library's object on one query of several windows of records.
#
# The object must add noise to one number, or to every cell of a histogram, and do nothing else: what lists outputs,
# hides or changes numbers, or computes a number of its own is refused by name.

Ends = tuple[int, int]
KEYS = ("first", "length", "every", "times")


def on_windows(
    law: Kernel | Additive | Drawn | Together,
    records: Records,
    query: str,
    windows: Iterable[Ends | None],
    counted: str | None = None,
    of: tuple[int | str, ...] | None = None,
) -> tuple[RecordQuery, ...]:
    """Return the query of every window with the noise that an object adds; None is a window of all
    records. Raises `ModelError`, naming what else the object does.
    """
    noise = _noise_alone(law, query)
    return tuple(noisy_records(noise, RecordQuery(query, noise.noise, records, ends, counted, of)) for ends in windows)


def ends_of(windows: object, records: Records) -> list[Ends]:
    """Return the first and last record of every window: a list of them, or the numbers `first`,
    `length`, `every` and `times` of a plan. Raises `ModelError` unless they are windows.
    """
    if isinstance(windows, Mapping):
        unknown = next((key for key in windows if key not in KEYS), None)
        if unknown is not None:
            raise ModelError(f"expected keys among {preview(KEYS)}, found {unknown!r}", "windows")
        numbers = {key: check_type(each, int, f"windows.{key}") for key, each in windows.items()}
        return list(windows_of(records.count, **numbers))
    listed = check_type(cast(Sequence[Ends], windows), Sequence[tuple[int, int]], "windows")
    if not listed:
        raise ModelError("expected at least one window, found none", "windows")
    wrong = next((each for each in listed if len(each) != 2), None)
    if wrong is not None:
        raise ModelError(f"expected pairs of a first and a last record, found {wrong}", "windows")
    return [(first, last) for first, last in listed]


def _noise_alone(law: Kernel | Additive | Drawn | Together, query: str) -> Additive:
    """Return the noise that an object adds. Raises `ModelError` if it does more."""
    if isinstance(law, Together):
        if law.processed:
            raise _more("changes its outputs by a function that is not known")
        if len(law.laws) > 1:
            raise _more(f"releases {len(law.laws)} numbers")
        return _noise_alone(law.laws[0], query)
    if isinstance(law, Kernel):
        raise _more("chooses one of its outputs and adds no noise")
    if isinstance(law, Drawn):
        raise _more("draws a number near the one that it gets, from a law of its own")
    if law.threshold is not None:
        raise _more(f"hides numbers below {text_of(law.threshold)}")
    if law.shift:
        raise _more(f"adds {text_of(law.shift)} besides the noise")
    if law.read is not None:
        raise _more("computes the number from its argument before it adds noise")
    if law.taken is not None and law.taken.listed and query != "histogram":
        raise ModelError(
            f'takes a list of numbers, where "{query}" is one number: expected noise on a number, or "histogram"',
            "query",
        )
    return law


def _more(what: str) -> ModelError:
    return ModelError(
        f"{what}: expected an object that adds noise to one number, such as make_laplace of OpenDP "
        "on atom_domain; audit takes others, on all records",
        "mechanism",
    )


# Versions of libraries that are known to draw or to claim something wrong, and versions that were tried: one table.
#
# A constructor that draws by another law than its parameters say is refused. A claim that is wrong leaves the law as
# it is: the constructor is read, and the fault is noted in the `source` of answers. Versions newer than those tried
# are read, with a note.

Version = tuple[int, ...]


@dataclass(frozen=True)
class Fault:
    """What is wrong with constructors of a library before a version, or up to now if `fixed` is
    None; with all constructors if none are named.
    """

    library: str
    constructors: tuple[str, ...]
    fixed: Version | None
    what: str
    source: str
    refused: bool


_OPENDP = "github.com/opendp/opendp/issues"
_DIFFPRIVLIB = "github.com/IBM/differential-privacy-library/issues"
_THRESHOLDS = ("make_gaussian_threshold", "make_laplace_threshold", "make_noise_threshold")
FAULTS = [
    Fault("opendp", (), (0, 14, 2), "its samplers of discrete noise divide wrongly", f"{_OPENDP}/2638", refused=True),
    Fault(
        "opendp",
        ("make_randomized_response_bitvec",),
        (0, 15, 0),
        "it never flips the last bit",
        f"{_OPENDP}/2707",
        refused=True,
    ),
    Fault(
        "opendp",
        ("make_report_noisy_max_gumbel",),
        (0, 16, 0),
        "it returns the noisy minimum",
        f"{_OPENDP}/2912",
        refused=True,
    ),
    Fault(
        "opendp",
        _THRESHOLDS,
        None,
        "the delta that it claims leaves out the threshold itself",
        f"{_OPENDP}/2922",
        refused=False,
    ),
    Fault(
        "opendp",
        ("make_randomized_response_bitvec",),
        None,
        "what it claims holds for bit vectors of one length",
        f"{_OPENDP}/2930",
        refused=False,
    ),
    Fault(
        "diffprivlib",
        ("LinearRegression",),
        None,
        "it takes the lower bound of the data for both bounds, so that its noise may be too small",
        f"{_DIFFPRIVLIB}/104, 105, 110",
        refused=True,
    ),
]
TRIED: dict[str, tuple[Version, ...]] = {
    "diffprivlib": ((0, 6, 6),),
    "opendp": ((0, 14, 2), (0, 15, 1), (0, 16, 0)),
    "pipeline_dp": ((0, 3, 1),),
    "pydp": ((1, 1, 5),),
    "snsql": ((1, 0, 10),),
    "tmlt": ((0, 20, 0),),
}


def expect_right(library: str, version: str, constructor: str, parameters: Parameters) -> None:
    """Note what is known of a constructor of a version.

    Raises `ModelError` if the version is not known, or the constructor draws by another law.
    """
    found = re.match(r"\d+(\.\d+)*", version)
    numbers = tuple(int(each) for each in found[0].split(".")) if found else ()
    if not numbers:
        raise ModelError(
            f"{library} of unknown version is not read: expected a package that was installed", "mechanism"
        )
    for fault in FAULTS:
        named = not fault.constructors or constructor in fault.constructors
        if fault.library == library and named and (fault.fixed is None or numbers < fault.fixed):
            if fault.refused:
                instead = (
                    f"expected {fault.library}>={_text(fault.fixed)}"
                    if fault.fixed
                    else "estimate bounds it from its own draws"
                )
                raise ModelError(
                    f"{constructor} of {fault.library} {version} is not read, because {fault.what} "
                    f"({fault.source}): {instead}",
                    "mechanism",
                )
            parameters.note(f"{fault.what}, {fault.source}")
    newest = max(TRIED.get(library, ((),)))
    if newest and numbers > newest:
        parameters.note(f"{library} {version} was not tried, only up to {_text(newest)}: check=True compares its draws")


def _text(version: Version) -> str:
    return ".".join(map(str, version))


# Objects of libraries that hold the scale of the noise that they add to a float: PyDP (Google), PipelineDP and
# SmartNoise SQL.
#
# | class | read as |
# |---|---|
# | `LaplaceMechanism`, `GaussianMechanism` of pydp | noise of `diversity`, of deviation `std` |
# | `LaplaceMechanism`, `GaussianMechanism` of pipeline_dp | of `noise_parameter`, of `std` |
# | `Laplace`, `Gaussian` of snsql | of `scale` |

_HELD = {
    ("pydp", "LaplaceMechanism"): "diversity",
    ("pydp", "GaussianMechanism"): "std",
    ("pipeline_dp", "LaplaceMechanism"): "noise_parameter",
    ("pipeline_dp", "GaussianMechanism"): "std",
    ("snsql", "Laplace"): "scale",
    ("snsql", "Gaussian"): "scale",
}
PACKAGES = tuple(dict.fromkeys(package for package, _ in _HELD))


def law_of(mechanism: object, parameters: Parameters) -> Additive:
    """Return the noise that an object adds to a number. Raises `ModelError` unless it is of a class
    that is read.
    """
    package, name = type(mechanism).__module__.partition(".")[0], type(mechanism).__name__
    if (package, name) not in _HELD:
        known = [each for library, each in _HELD if library == package]
        raise unsupported(f"{package} {name}", known, "mechanism")
    expect_right(package, version_of(package), name, parameters)
    if package == "snsql":  # its noise is OpenDP's
        expect_right("opendp", version_of("opendp"), name, parameters)
    held = _HELD[package, name]
    value = getattr(mechanism, held)
    if "Laplace" in name:
        return Additive(parameters.scale(held, value, "laplace"))
    sigma = parameters.number(held, value)
    if sigma <= 0:
        raise ModelError(f"expected a deviation above 0, found {value}", held)
    return Additive(Noise.gaussian(sigma))


# Noise of Tumult Core, from the parameters that its measurements hold.
#
# | class | read as |
# |---|---|
# | `AddLaplaceNoise` | Laplace noise of `scale` |
# | `AddGeometricNoise` | discrete Laplace noise of scale `alpha` |
# | `AddGaussianNoise` | Gaussian noise of variance `sigma_squared`, if that is a square |
# | `AddDiscreteGaussianNoise` | discrete Gaussian noise of that parameter |
#
# Its numbers are exact, but what it draws with is the next float above, which is read.

TUMULT = "tmlt"
_MODULE = "tmlt.core.measurements.noise_mechanisms"


def tumult_noise(measurement: object, parameters: Parameters) -> Additive:
    """Return the noise that a measurement adds to a number. Raises `ModelError` unless it is of a
    class that is read.
    """
    kind = type(measurement)
    if kind.__module__ != _MODULE or kind.__name__ not in _READ:
        raise unsupported(f"a Tumult Core {kind.__name__}", list(_READ), "mechanism")
    expect_right(TUMULT, version_of(TUMULT), kind.__name__, parameters)
    name, law = _READ[kind.__name__]
    held = float(getattr(measurement, name).to_float(round_up=True))  # with which it is drawn
    if not 0 < held < float("inf"):
        raise ModelError(f"expected a finite number above 0, found {held}", name)
    if law in ("laplace", "discrete_laplace"):
        return Additive(parameters.scale(name, held, law))
    variance = parameters.number(name, held)
    if law == "discrete_gaussian":
        return Additive(Noise.discrete_gaussian(variance))
    sigma = Fraction(isqrt(variance.numerator), isqrt(variance.denominator))
    if sigma**2 != variance:
        raise ModelError(
            f"Gaussian noise is read if its deviation is rational: expected the square of a "
            f"number, found {shown(held)}",
            name,
        )
    return Additive(Noise.gaussian(sigma))


_READ = {  # the parameter, and the law
    "AddDiscreteGaussianNoise": ("sigma_squared", "discrete_gaussian"),
    "AddGaussianNoise": ("sigma_squared", "gaussian"),
    "AddGeometricNoise": ("alpha", "discrete_laplace"),
    "AddLaplaceNoise": ("scale", "laplace"),
}
