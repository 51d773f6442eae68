"""Plans of Polars, `make_private_lazyframe`: noisy counts and sums of data frames.

On a frame, a measurement of OpenDP returns the plan that draws: the caller's plan, with the noise,
its distribution and scale, where it is added. This plan is read, and without its noise Polars
itself computes the numbers that noise is added to.

| plan | read as |
|---|---|
| `select` of counts and sums | their noise, released together |
| `select` or `agg` of `dp.mean` | the noisy sum and the noisy length, as an upper bound |
| `group_by` of keys that are public (`invariant="keys"`, `with_keys`) | noise for every key |
| `group_by` with a threshold, and one count | what every key shows; a count above it is shown |

Rows may be filtered, and columns computed, row by row. What is drawn or shuffled before the noise,
and anything else, is refused by name.
"""

from collections.abc import Mapping
from fractions import Fraction
from functools import partial
from typing import Any

from pufferproof.models.errors import ModelError
from pufferproof.models.mechanisms.adapters.kernels import Additive, Law, Together
from pufferproof.models.mechanisms.adapters.library import unsupported
from pufferproof.models.mechanisms.adapters.opendp.calls import Reader, integers_of
from pufferproof.models.mechanisms.adapters.opendp.plans.steps import (
    CALL,
    Node,
    Noisy,
    Plan,
    frame_of,
    read_plan,
    refused,
    source_of,
    tree_of,
    without_noise,
)
from pufferproof.models.mechanisms.adapters.parameters import Parameters
from pufferproof.models.noise.additive import Noise

Rows = Mapping[tuple[Any, ...], tuple[Any, ...]]  # key -> numbers


def _private(measurement: Any, given: Mapping[str, Any], parameters: Parameters) -> Law:
    source = frame_of(type(given["lazyframe"]), source_of(tree_of(given["lazyframe"])))
    plan = read_plan(_drawing(measurement, source))
    if plan.threshold is not None and len(plan.noisy) > 1:
        raise refused("a threshold and several noisy numbers of a key")
    numbers = _Numbers(measurement, source, plan)
    laws, processed = [], plan.processed
    for place, noisy in enumerate(plan.noisy):
        name = "scale" if len(plan.noisy) == 1 else f"scale[{place}]"
        noise, within = _noise(name, noisy, numbers.types[place], parameters)
        if within is not None and within[0] == 0 and noise.sigma2 is not None:
            within = None
            if plan.threshold is None:
                parameters.note("noisy counts below 0 are shown as 0")
                processed = True
        least = None if plan.threshold is None else Fraction(plan.threshold + 1)
        laws.append(Additive(noise, within, partial(numbers.at, place), threshold=least))
    return Together(tuple(laws), processed)


class _Numbers:
    """What a plan adds noise to, on a data frame: a number, or one for every key."""

    def __init__(self, measurement: Any, source: Any, plan: Plan) -> None:
        self._measurement, self._plan = measurement, plan
        self._kind, self._schema = type(source), source.collect_schema()
        width = len(plan.keys or ())
        types = frame_of(self._kind, without_noise(plan)).collect_schema().dtypes()
        self.types = [str(each) for each in types[width:]]
        self._known: dict[int, tuple[object, Rows]] = {}
        self._keys: list[tuple[Any, ...]] | None = None

    def at(self, place: int, argument: Any) -> object:
        """Return the number at a place of the plan, a list in the order of the keys, or a dict of
        them if there is a threshold.
        """
        if id(argument) not in self._known:
            self._known[id(argument)] = argument, self._on(argument)
        rows = self._known[id(argument)][1]
        if self._plan.threshold is not None:
            return {key[0] if len(key) == 1 else key: row[place] for key, row in rows.items()}
        keys = sorted(rows, key=str)
        if self._keys not in (None, keys):
            raise ModelError(
                "has other keys than another database, which the plan takes as public: expected "
                "the same keys, or a plan with a threshold"
            )
        self._keys = keys
        numbers = [rows[key][place] for key in keys]
        return numbers[0] if self._plan.keys is None else numbers

    def _on(self, argument: Any) -> Rows:
        frame = argument.lazy() if hasattr(argument, "lazy") else argument
        if not isinstance(frame, self._kind) or frame.collect_schema() != self._schema:
            columns = ", ".join(f"{name} {kind}" for name, kind in self._schema.items())
            raise ModelError(f"expected a data frame of Polars of {columns}")
        own = read_plan(_drawing(self._measurement, frame.collect().lazy()))
        if [each.added for each in own.noisy] != [each.added for each in self._plan.noisy]:
            raise ModelError("gets other noise than other frames, which is not read")
        collected = frame_of(self._kind, without_noise(own)).collect()
        width = len(own.keys or ())
        rows = {row[:width]: row[width:] for row in collected.rows()}
        if any(isinstance(part, float) for key in rows for part in key):
            raise ModelError("groups by floats, which is not read: expected integers, or texts")
        if own.public is None:
            return rows
        public = frame_of(self._kind, own.public).collect().select(own.keys).rows()
        if len(set(public)) < len(public):
            raise refused("keys of with_keys that are listed twice")
        return {key: rows.get(key, (0,) * len(own.noisy)) for key in public}


def _noise(
    name: str, noisy: Noisy, kind: str, parameters: Parameters
) -> tuple[Noise, tuple[Fraction, Fraction] | None]:
    """Return the noise, and the integers of its type, at whose ends sums stay."""
    if not noisy.integers and kind == "Float64":
        if noisy.distribution == "Laplace":
            return parameters.scale(name, noisy.scale, "laplace"), None
        return Noise.gaussian(_positive(name, noisy, parameters)), None
    if not noisy.integers or not kind.startswith(("Int", "UInt")):
        raise unsupported(f"noise on {kind}", ["noise on integers or Float64"], "mechanism")
    within = integers_of(kind.replace("UInt", "u").replace("Int", "i"))
    if noisy.distribution == "Laplace":
        return parameters.scale(name, noisy.scale, "discrete_laplace"), within
    return Noise.discrete_gaussian(_positive(name, noisy, parameters) ** 2), within


def _positive(name: str, noisy: Noisy, parameters: Parameters) -> Fraction:
    scale = parameters.number(name, noisy.scale)
    if scale <= 0:
        raise ModelError(f"expected a scale above 0, found {noisy.scale}", name)
    return scale


def _drawing(measurement: Any, frame: Any) -> Node:
    """Return the plan that draws, on a frame."""
    try:
        drawing = measurement(frame).lazy()
    except Exception as error:  # of the library, of several kinds
        reason = " ".join(str(error).split())[:160]
        if "honest-but-curious" in reason:
            raise ModelError(
                f"the plan of {CALL} is not shown: expected "
                'enable_features("honest-but-curious"), with which OpenDP shows it',
                "mechanism",
            ) from None
        raise refused(f"what the library does not take or show ({reason})") from None
    return tree_of(drawing)


READERS: dict[str, Reader] = {"make_private_lazyframe": _private}
