"""Outputs that another library's object draws, many at a time, and the labels that they have.

OpenDP draws from the operating system and takes no seed; a composition of a measurement with itself
returns many of its outputs in one call. An object of diffprivlib is copied with its generator, so
that the generator of the caller stays where it is. SciPy gets a generator of its own.
"""

import importlib
from collections.abc import Callable, Collection, Iterator, Sequence
from copy import deepcopy
from fractions import Fraction
from typing import Any

from pufferproof.models.channel import joined
from pufferproof.models.errors import ModelError
from pufferproof.models.numbers.text import shown, text_of
from pufferproof.models.priors.records import separator

Draws = Callable[[int], list[Any]]
NOTHING = object()  # the argument of an object that holds its own
_TOGETHER = 100  # outputs of a composition


class Sampling:
    """Draws that are independent of each other: one generator, or copy, for all databases."""

    def __init__(self) -> None:
        import numpy as np

        self.generator = np.random.default_rng(0)
        self._copies: dict[int, tuple[Any, Any]] = {}

    def draws_of(self, source: Any, argument: object) -> Draws:
        """Return the function count -> outputs of an object on an argument.

        Raises `ModelError` unless it is of a library whose objects draw.
        """
        library = type(source).__module__.partition(".")[0]
        if library not in _DRAWN:
            raise ModelError(
                f"has no draws to compare, found {shown(source)}: expected an object of {', '.join(_DRAWN)}",
                "mechanism",
            )
        return _DRAWN[library](self, source, argument)

    def copy_of(self, source: Any) -> Any:
        """Return the one copy of an object, or the object if its generator has no state."""
        if id(source) not in self._copies:
            try:
                copy = deepcopy(source)
            except NotImplementedError:  # a generator of the operating system
                copy = source
            self._copies[id(source)] = source, copy
        return self._copies[id(source)][1]


def takes_list(source: object) -> bool:
    """Whether an object takes a list of records."""
    return str(getattr(source, "input_carrier_type", "")).startswith("Vec<")


def handed(source: object, value: str | Fraction) -> object:
    """Return the text of a record, or a number, as the object takes it."""
    kind = str(getattr(source, "input_carrier_type", ""))
    kind = kind.removeprefix("Vec<").removesuffix(">")
    if kind == "bool":
        return str(value) in ("1", "True")
    if kind in ("", "String"):
        return value if isinstance(value, str) else _plain(value)
    number = Fraction(value)
    return float(number) if kind.startswith("f") else number.numerator


def _plain(value: Fraction) -> int | float:
    return value.numerator if value.denominator == 1 else float(value)


def expect_no_dict(output: object) -> None:
    """Raise `ModelError` for an output that is a dict, which has no label."""
    if isinstance(output, dict):
        raise ModelError(
            "draws that are dicts of keys are compared with what as_mechanism read of their own object alone", "reading"
        )


def label_of(output: object, known: Collection[str]) -> str:
    """Return the label of an output: that of the law if one of its texts is a label there.

    >>> label_of(True, {"0", "1"}), label_of(2.0, {"2"}), label_of(["a", 1], {"a,1"})
    ('1', '2', 'a,1')
    """
    expect_no_dict(output)
    return next((text for text in _texts(output) if text in known), str(output))


def _texts(output: object) -> Iterator[str]:
    if hasattr(output, "tolist"):
        output = output.tolist()
    if isinstance(output, bool):
        yield str(int(output))
    if isinstance(output, float) and output == output and abs(output) != float("inf"):
        yield text_of(Fraction(output))
    if isinstance(output, bytes):
        yield output.hex()
    if isinstance(output, list | tuple):
        parts = [next(_texts(each)) for each in output]
        yield separator(parts).join(parts)
        yield joined([tuple(parts)])[0]
    yield str(output)


def _of_opendp(sampling: Sampling, measurement: Any, argument: Any) -> Draws:
    together: Any = None
    combinators = importlib.import_module("opendp.combinators")
    if hasattr(combinators, "make_composition"):
        try:
            together = combinators.make_composition([measurement] * _TOGETHER)
            together(argument)
        except Exception:  # of several kinds: no composition of its privacy measure
            together = None

    def draw(count: int) -> list[Any]:
        found: list[Any] = []
        while together is not None and count - len(found) >= _TOGETHER:
            found += together(argument)
        return found + [measurement(argument) for _ in range(count - len(found))]

    return draw


def _of_diffprivlib(sampling: Sampling, mechanism: object, argument: object) -> Draws:
    own = sampling.copy_of(mechanism)
    given: Sequence[Any] = () if argument is NOTHING else (argument,)
    return lambda count: [own.randomise(*given) for _ in range(count)]


def _of_tumult(sampling: Sampling, measurement: Any, argument: Any) -> Draws:
    whole = type(measurement).__name__ in ("AddDiscreteGaussianNoise", "AddGeometricNoise")
    value = int(argument) if whole else float(argument)
    return lambda count: [measurement(value) for _ in range(count)]


def _of_google(sampling: Sampling, mechanism: Any, argument: Any) -> Draws:
    value = float(argument)  # noise on integers is rounded
    return lambda count: [mechanism.add_noise(value) for _ in range(count)]


def _of_smartnoise(sampling: Sampling, mechanism: Any, argument: Any) -> Draws:
    return lambda count: list(mechanism.release([argument] * count))


def _of_scipy(sampling: Sampling, distribution: Any, argument: Any) -> Draws:
    start = 0 if argument is NOTHING else argument

    def draw(count: int) -> list[Any]:
        values: Any = start + distribution.rvs(size=count, random_state=sampling.generator)
        return list(values.tolist())

    return draw


_DRAWN: dict[str, Callable[[Sampling, Any, Any], Draws]] = {
    "diffprivlib": _of_diffprivlib,
    "opendp": _of_opendp,
    "pipeline_dp": _of_google,
    "pydp": _of_google,
    "scipy": _of_scipy,
    "snsql": _of_smartnoise,
    "tmlt": _of_tumult,
}
