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

import warnings
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from io import BytesIO
from json import dumps, loads
from pickle import Unpickler, UnpicklingError
from typing import TYPE_CHECKING, Any

from pufferproof.models.errors import ModelError
from pufferproof.models.mechanisms.adapters.kernels import Additive, Law, Together
from pufferproof.models.mechanisms.adapters.opendp.calls import Arguments, Reader, integers_of
from pufferproof.models.mechanisms.adapters.parameters import Parameters
from pufferproof.models.mechanisms.library import unsupported
from pufferproof.models.noise.additive import Noise
from pufferproof.models.numbers.text import shown

if TYPE_CHECKING:
    from opendp.mod import Measurement
    from polars import LazyFrame

# Steps --------------------------------------------------------------------------------------------
#
# The steps of a plan of Polars that draws, as Polars writes them in JSON: which noise is added, to
# what. Steps and expressions that are not known are refused by name.

CALL = "make_private_lazyframe of OpenDP"
INSTEAD = (
    "expected counts and sums by select or group_by; of anything else give the noise alone, such "
    "as make_laplace of its scale, with the numbers that the plan computes as arguments, or bound "
    "the plan by estimate, from its own draws"
)
_ROWS = ("Filter", "HStack", "Select")  # steps before the noise, row by row
_PARTS = {  # of an expression: where its own expressions are
    "Agg": ("Sum", "Count"),
    "BinaryExpr": ("left", "right"),
    "Cast": ("expr",),
    "Ternary": ("predicate", "truthy", "falsy"),
}
_FUNCTIONS = ("Abs", "Boolean", "Clip", "FillNull", "Negate", "Repeat")
_LEAVES = ("Column", "Len", "Literal")
Node = Any  # of the JSON of a plan: a dict of one tag -> its fields, or a tag alone


@dataclass(frozen=True)
class Noisy:
    """Noise on a number: the column that shows it, the number's expression, and what is added."""

    column: str
    number: Node
    distribution: str
    scale: float
    integers: bool

    @property
    def added(self) -> tuple[str, float, bool]:
        """The noise."""
        return self.distribution, self.scale, self.integers


@dataclass(frozen=True)
class Plan:
    """What a plan adds noise to, its rows and keys; keys that are public, if they are joined; and
    the number above which a count is shown.
    """

    noisy: tuple[Noisy, ...]
    rows: Node
    keys: tuple[str, ...] | None = None
    public: Node = None
    threshold: int | None = None
    processed: bool = False


def without_noise(plan: Plan) -> Node:
    """Return the plan of the keys, and of the numbers that noise is added to."""
    numbers = [{"Alias": [each.number, f"number {at}"]} for at, each in enumerate(plan.noisy)]
    tag, fields = _tagged(plan.rows)
    return {tag: {**fields, ("aggs" if tag == "GroupBy" else "expr"): numbers}}


def read_plan(plan: Node) -> Plan:
    """Read a plan that draws. Raises `ModelError` for what is not known in it."""
    try:
        tag, fields = _tagged(plan)
        if tag == "HStack" and _tagged(fields["input"])[0] == "Join":
            found = _joined(fields)
        elif tag == "Filter":  # on a noisy count
            released = _released(fields["input"])
            step, predicate = _tagged(fields["predicate"])
            name, compared = released.noisy[0].column, step == "BinaryExpr" and predicate["op"] == "Gt"
            if released.keys is None or not compared or _column(predicate["left"]) != name:
                raise refused("a filter other than the threshold of a noisy count")
            found = Plan(released.noisy, released.rows, released.keys, None, _literal(predicate["right"]))
        else:
            found = _released(plan)
    except (AttributeError, IndexError, KeyError, TypeError, ValueError) as error:
        raise refused(f"steps that this version of Polars writes in another way ({error!r})") from None
    used = len(found.noisy) * (1 if found.public is None else 2)
    if dumps(plan).count('"noise_plugin"') != used:
        raise refused("noise that is added elsewhere than to a count or a sum")
    return found


def _released(plan: Node) -> Plan:
    tag, fields = _tagged(plan)
    keys = None
    if tag == "GroupBy":
        keys = tuple(_column(each) for each in fields["keys"])
        options = fields.get("options") or {}
        if any(options.values()) or fields.get("predicates") or fields.get("apply"):
            raise refused("options of group_by")
    elif tag != "Select":
        raise refused(f"the step {tag}")
    _expect_rows(fields["input"])
    noisy, processed = [], False
    for each in fields["aggs" if tag == "GroupBy" else "expr"]:
        inner = _unnamed(each)
        if _tagged(inner)[0] == "BinaryExpr" and _tagged(inner)[1]["op"] == "TrueDivide":
            both = _tagged(inner)[1]
            noisy += [_noisy(both["left"]), _noisy(both["right"])]
            processed = True
        else:
            noisy.append(_noisy(each))
    return Plan(tuple(noisy), plan, keys, processed=processed)


def _joined(fields: Mapping[str, Node]) -> Plan:
    """Read a join with public keys, in which keys that are missing get the noise of 0."""
    join = _tagged(fields["input"])[1]
    left, right = join["input_left"], join["input_right"]
    grouped, public = (left, right) if _tagged(left)[0] == "GroupBy" else (right, left)
    found = _released(grouped)
    on = [tuple(map(_column, join[side])) for side in ("left_on", "right_on")]
    if on != [found.keys, found.keys] or found.processed or join.get("predicates"):
        raise refused("a join other than that of with_keys")
    _expect_rows(public)
    if len(fields["exprs"]) != len(found.noisy):
        raise refused("a join other than that of with_keys")
    for noisy, each in zip(found.noisy, fields["exprs"]):
        tag, filled = _tagged(_unnamed(each))
        if tag != "Function" or filled["function"] != "FillNull":
            raise refused("a join other than that of with_keys")
        other = _noisy(filled["input"][1])
        tag, repeated = _tagged(_unnamed(other.number))
        zero = tag == "Function" and repeated["function"] == "Repeat"
        if _column(filled["input"][0]) != noisy.column or other.added != noisy.added:
            raise refused("a join that adds other noise to missing keys")
        if not zero or _literal(repeated["input"][0]) != 0:
            raise refused("a join that fills missing keys with other numbers than 0")
    return Plan(found.noisy, grouped, found.keys, public)


def _noisy(expression: Node) -> Noisy:
    """Read an expression that is noise on a number."""
    tag, fields = _tagged(_unnamed(expression))
    plugin = fields["function"] if tag == "Function" else None
    plugin = plugin.get("FfiPlugin") if isinstance(plugin, dict) else None
    if plugin is None or plugin["symbol"] != "noise_plugin":
        raise refused(f"{tag} of what is noisy, or without noise")
    (number,) = fields["input"]
    _expect_known(number)
    try:
        held = _Plain(BytesIO(bytes(plugin["kwargs"]))).load()
    except (EOFError, UnpicklingError):
        raise refused(f"the noise {shown(plugin)}") from None
    distribution, scale = held["distribution"], float(held["scale"])
    integers = {"Integer": True, "Float": False}[held["support"]]
    if distribution not in ("Laplace", "Gaussian"):
        raise refused(f"noise of {shown(distribution)}")
    return Noisy(_named(expression), number, distribution, scale, integers)


class _Plain(Unpickler):
    """Reads dicts, texts and numbers, and nothing that runs."""

    def find_class(self, module: str, name: str) -> object:
        raise UnpicklingError(f"{module}.{name}")


def _expect_rows(node: Node) -> None:
    """Refuse steps before the noise that are not row by row."""
    tag, fields = _tagged(node)
    if tag == "IR":
        _expect_rows(fields["dsl"])
    elif tag in _ROWS:
        one = [fields["predicate"]] if tag == "Filter" else fields.get("exprs") or fields["expr"]
        for each in one:
            _expect_known(each)
        _expect_rows(fields["input"])
    elif tag != "DataFrameScan":
        raise refused(f"the step {tag} before the noise")


def _expect_known(expression: Node) -> None:
    """Refuse expressions that may draw, or shuffle."""
    tag, fields = _tagged(expression)
    if tag in _LEAVES:
        return
    if tag == "Function":
        function = fields["function"]
        name = function if isinstance(function, str) else next(iter(function))
        if name not in _FUNCTIONS:
            raise refused(f"the function {name}")
    elif tag not in ("Alias", *_PARTS):
        raise refused(f"the expression {tag}")
    for each in _inside(tag, fields):
        _expect_known(each)


def _inside(tag: str, fields: Node) -> Iterator[Node]:
    if tag == "Alias":
        yield fields[0]
    elif tag == "Function":
        yield from fields["input"]
    elif tag == "Agg":
        (name, inner), *_ = fields.items()
        if name not in _PARTS["Agg"]:
            raise refused(f"the aggregate {name}")
        if name == "Count":  # with whether it counts nulls
            inner = inner[0] if isinstance(inner, list) else inner["input"]
        yield inner
    else:
        yield from (fields[each] for each in _PARTS[tag])


def _named(expression: Node) -> str:
    """Return the name of the column of an expression, that of its first column if it has none."""
    tag, fields = _tagged(expression)
    if tag == "Alias":
        return str(fields[1])
    if tag == "Column":
        return str(fields)
    if tag == "Len":
        return "len"
    return next((_named(each) for each in _inside(tag, fields)), "") if fields else ""


def _unnamed(expression: Node) -> Node:
    while _tagged(expression)[0] == "Alias":
        expression = _tagged(expression)[1][0]
    return expression


def _column(expression: Node) -> str:
    tag, fields = _tagged(expression)
    if tag != "Column":
        raise refused(f"{tag} instead of a column")
    return str(fields)


def _literal(expression: Node) -> int:
    """Return a literal that is an integer."""
    tag, held = _tagged(expression)
    while tag == "Literal" and isinstance(held, dict):
        (held,) = held.values()
    if tag != "Literal" or not isinstance(held, int):
        raise refused(f"{shown(expression)} instead of an integer")
    return held


def source_of(node: Node) -> Node:
    """Return the frame that a plan begins with."""
    tag, fields = _tagged(node)
    if tag == "DataFrameScan":
        return node
    if tag == "IR":
        return source_of(fields["dsl"])
    if tag == "Join":
        sides = fields["input_left"], fields["input_right"]
        return source_of(next((each for each in sides if "GroupBy" in dumps(each)), sides[0]))
    if not isinstance(fields, dict) or "input" not in fields:
        raise refused(f"the step {tag}")
    return source_of(fields["input"])


def _tagged(node: Node) -> tuple[str, Node]:
    """Return the tag of a node, and its fields."""
    if isinstance(node, str):
        return node, {}
    if not isinstance(node, dict) or len(node) != 1:
        raise refused(f"{shown(node)}")
    ((tag, fields),) = node.items()
    return tag, fields


def tree_of(frame: "LazyFrame") -> Node:
    """Return the plan of a frame. Raises `ModelError` for one that Polars cannot write."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # JSON is of one version of Polars
            return loads(frame.serialize(format="json"))
    except Exception as error:  # of Polars, of several kinds
        raise refused(f"what Polars does not write ({' '.join(str(error).split())[:160]})") from None


def frame_of(kind: "type[LazyFrame]", plan: Node) -> "LazyFrame":
    """Return the frame of a plan, of the class that all frames have."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return kind.deserialize(BytesIO(dumps(plan).encode()), format="json")


def refused(what: str) -> ModelError:
    """Return the error for what is not read."""
    return ModelError(f"cannot read {CALL} with {what}: {INSTEAD}", "mechanism")


# Private ------------------------------------------------------------------------------------------

Rows = Mapping[tuple[object, ...], tuple[object, ...]]  # key -> numbers


def _private(measurement: "Measurement", given: Arguments, parameters: Parameters) -> Law:
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

    def __init__(self, measurement: "Measurement", source: "LazyFrame", plan: Plan) -> None:
        self._measurement, self._plan = measurement, plan
        self._kind, self._schema = type(source), source.collect_schema()
        width = len(plan.keys or ())
        types = frame_of(self._kind, without_noise(plan)).collect_schema().dtypes()
        self.types = [str(each) for each in types[width:]]
        self._known: dict[int, tuple[object, Rows]] = {}
        self._keys: list[tuple[object, ...]] | None = None

    def at(self, place: int, argument: object) -> object:
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

    def _on(self, argument: object) -> Rows:
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


def _drawing(measurement: "Measurement", frame: "LazyFrame") -> Node:
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
