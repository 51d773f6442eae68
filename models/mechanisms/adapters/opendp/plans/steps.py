"""The steps of a plan of Polars that draws, as Polars writes them in JSON: which noise is added, to
what. Steps and expressions that are not known are refused by name.
"""

import warnings
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from io import BytesIO
from json import dumps, loads
from pickle import Unpickler, UnpicklingError
from typing import Any

from pufferproof.models.errors import ModelError
from pufferproof.models.numbers.text import shown

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
        found = _read(plan)
    except (AttributeError, IndexError, KeyError, TypeError, ValueError) as error:
        raise refused(
            f"steps that this version of Polars writes in another way ({error!r})"
        ) from None
    used = len(found.noisy) * (1 if found.public is None else 2)
    if dumps(plan).count('"noise_plugin"') != used:
        raise refused("noise that is added elsewhere than to a count or a sum")
    return found


def _read(plan: Node) -> Plan:
    tag, fields = _tagged(plan)
    if tag == "HStack" and _tagged(fields["input"])[0] == "Join":
        return _joined(fields)
    return _above(fields) if tag == "Filter" else _released(plan)


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


def _above(fields: Mapping[str, Any]) -> Plan:
    """Read a filter on a noisy count."""
    found = _released(fields["input"])
    tag, predicate = _tagged(fields["predicate"])
    name, compared = found.noisy[0].column, tag == "BinaryExpr" and predicate["op"] == "Gt"
    if found.keys is None or not compared or _column(predicate["left"]) != name:
        raise refused("a filter other than the threshold of a noisy count")
    return Plan(found.noisy, found.rows, found.keys, None, _literal(predicate["right"]))


def _joined(fields: Mapping[str, Any]) -> Plan:
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

    def find_class(self, module: str, name: str) -> Any:
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


def _inside(tag: str, fields: Any) -> Iterator[Node]:
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


def _tagged(node: Node) -> tuple[str, Any]:
    """Return the tag of a node, and its fields."""
    if isinstance(node, str):
        return node, {}
    if not isinstance(node, dict) or len(node) != 1:
        raise refused(f"{shown(node)}")
    ((tag, fields),) = node.items()
    return tag, fields


def tree_of(frame: Any) -> Node:
    """Return the plan of a frame. Raises `ModelError` for one that Polars cannot write."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # JSON is of one version of Polars
            return loads(frame.serialize(format="json"))
    except Exception as error:  # of Polars, of several kinds
        raise refused(
            f"what Polars does not write ({' '.join(str(error).split())[:160]})"
        ) from None


def frame_of(kind: Any, plan: Node) -> Any:
    """Return the frame of a plan, of the class that all frames have."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return kind.deserialize(BytesIO(dumps(plan).encode()), format="json")


def refused(what: str) -> ModelError:
    """Return the error for what is not read."""
    return ModelError(f"cannot read {CALL} with {what}: {INSTEAD}", "mechanism")
