"""Reading and writing the files people write: frameworks and mechanisms, exactly, with errors that
name the place.

JSON is read so that no number passes through a float and no duplicate key is lost; TOML likewise.
Mechanisms may also be CSV (first column the database, one column per output), `.npy` (exact binary
values; a file of labels beside it) or, when the caller trusts it, a Python callable
`module:function`. Every reader returns the SHA-256 of the bytes it read, and the names and hashes
of the files that these name.
"""

import csv
import importlib
import io
import json
import os
import re
import sys
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from pufferproof.models.channel import Channel
from pufferproof.models.errors import DIVIDE, ModelError, PufferproofError, SumError
from pufferproof.models.files.inputs import bytes_inside, bytes_of, digest
from pufferproof.models.files.outputs import write_all_atomically as write_all_atomically
from pufferproof.models.files.outputs import write_atomically as write_atomically
from pufferproof.models.framework import Framework
from pufferproof.models.interface.signatures import checked
from pufferproof.models.numbers.grammar import MAX_DIGITS, int_of, shown, text_of
from pufferproof.models.priors.bayesian_network import BayesianNetwork
from pufferproof.models.priors.bif import MAX_BYTES as MAX_BIF_BYTES
from pufferproof.models.priors.bif import read_bif
from pufferproof.models.priors.box import IntervalChain
from pufferproof.models.priors.laws import MarkovChain, Prior, Product, Records, Table, matrix_of
from pufferproof.models.priors.structure import checked_transition
from pufferproof.models.sequences.hidden_markov import HiddenMarkovModel
from pufferproof.models.sequences.local import LocalMechanism

if TYPE_CHECKING:
    from pydantic import BaseModel, ValidationError

    from pufferproof.models.files import shapes as schema

T = TypeVar("T")
U = TypeVar("U")
_SURROGATE_ESCAPE = re.compile(r"\\u[dD][89a-fA-F]")
Model = TypeVar("Model", bound="BaseModel")


@dataclass(frozen=True)
class Loaded(Generic[T]):
    """A value read from a file, with the file's name and `sha256:<hex>` of its bytes.

    `named` are the contents of further files that were read with it, by the name it has for them;
    `sha256` is then the `digest` of all.
    """

    value: T
    path: str
    sha256: str
    named: Mapping[str, bytes] = field(default_factory=dict, repr=False)

    def holding(self, value: U) -> "Loaded[U]":
        """Return another value read from the same file."""
        return Loaded(value, self.path, self.sha256, self.named)


def hashes(**inputs: Loaded[Any] | Sequence[Loaded[Any]] | None) -> dict[str, Any]:
    """Return `inputs` of an answer: the hash of every file, a list where there are several, and
    `files` that these name.
    """
    found: dict[str, Any] = {}
    named: dict[tuple[str, str], None] = {}
    for key, given in inputs.items():
        every = [given] if isinstance(given, Loaded) else [*(given or ())]
        found[key] = (
            None
            if given is None
            else given.sha256
            if isinstance(given, Loaded)
            else [x.sha256 for x in every]
        )
        named |= dict.fromkeys(
            (name, digest(data)) for each in every for name, data in each.named.items()
        )
    files = [{"name": name, "sha256": sha256} for name, sha256 in named]
    return found | ({"files": files} if files else {})


@checked
def read_framework(path: str | Path, normalize: bool = False) -> Loaded[Framework]:
    """Read a framework from JSON or TOML. Raises `ModelError` naming file, key path, what was
    expected and found.

    With `normalize`, rows of priors that do not sum to 1 are divided by their sums, and the
    framework's `normalized` says so. What is returned has the file's name and hash; its `value` is
    the framework. Either may be passed to `audit` and others.

    >>> from importlib.resources import files
    >>> read_framework(files("pufferproof.examples") / "smart-meter" / "framework.json").value
    Framework(16 databases, 2 secrets, 1 pair, 1 prior)
    """
    from pufferproof.models.files.shapes import FrameworkFile

    loaded = read_loaded(path, FrameworkFile)
    with in_file(path):
        return loaded.holding(framework_of(loaded.value, normalize))


@checked
def read_mechanism(
    path: str | Path,
    framework: Framework | Loaded[Framework],
    normalize: bool = False,
    databases: str | Path | None = None,
    trust_code: bool = False,
) -> Loaded[Channel]:
    """Read a mechanism for a framework: JSON, TOML, CSV, `.npy` with a file of labels, or
    `module:function`.

    A mechanism on sequences given record by record is written out. `normalize` divides every row by
    its sum. `trust_code` permits a callable, which runs the code of its module.

    >>> from importlib.resources import files
    >>> meter = files("pufferproof.examples") / "smart-meter"
    >>> framework = read_framework(meter / "framework.json")
    >>> read_mechanism(meter / "mechanism-response.json", framework).value
    Channel(16 databases, 16 outputs)

    Raises `ModelError` as `read_framework` does, unless there is a row for every database of
    positive probability, and unless a mechanism given record by record is short enough to write
    out.
    """
    space = framework.value if isinstance(framework, Loaded) else framework
    with in_file(path):
        loaded = _mechanism(str(path), space, normalize, databases, trust_code)
        loaded.value.aligned(space.databases, space.support)
        return loaded


def read_shape(path: str | Path, model: type[Model]) -> Model:
    """Read a JSON or TOML file into a pydantic model, with errors as `read_framework` has them."""
    return read_loaded(path, model).value


def read_loaded(path: str | Path, model: type[Model]) -> Loaded[Model]:
    """Read a JSON or TOML file into a pydantic model, with the files it names, and keep its
    hash.
    """
    with in_file(path):
        data = bytes_of(path)
        shape = _validated(model, _document(path, data))
        named = _networks_read(shape, Path(path).parent)
        return Loaded(shape, str(path), digest(data, *named.values()), named)


def _networks_read(shape: Any, folder: Path) -> dict[str, bytes]:
    """Read the BIF files that the priors of a framework name, all in its folder, into these
    priors; return them by name.
    """
    named: dict[str, bytes] = {}
    for name, prior in getattr(shape, "priors", {}).items():
        network = getattr(prior, "bayes_net", None)
        if network is not None and network.bif is not None:
            try:
                named[network.bif] = bytes_inside(folder, network.bif, MAX_BIF_BYTES)
            except ModelError as error:
                raise error.within(f"priors.{name}: {shown(network.bif)[1:-1]}") from None
            network.hold(named[network.bif])
    return named


def framework_document(framework: Framework) -> dict[str, Any]:
    """Return the JSON document of a framework, with every prior written out as a table."""
    return {
        "format": "pufferproof-framework/1",
        "databases": list(framework.databases),
        "secrets": {
            name: [framework.databases[x] for x in held] for name, held in framework.secrets.items()
        },
        "pairs": [list(pair) for pair in framework.pairs],
        "priors": {name: {"table": law_table(framework, name)} for name in framework.priors},
        "closure": framework.closure,
    }


def law_table(framework: Framework, prior: str) -> dict[str, str]:
    """Return the probability of every database in a prior's support, as exact text."""
    law = framework.laws[prior]
    return {
        framework.databases[x]: text_of(Fraction(law.weights[x], law.total)) for x in law.support
    }


def mechanism_document(channel: Channel) -> dict[str, Any]:
    """Return the JSON document of a channel."""
    return {
        "format": "pufferproof-mechanism/1",
        "outputs": list(channel.outputs),
        "channel": channel_table(channel),
    }


def mechanism_file(channel: Channel) -> tuple[bytes, str]:
    """Return the bytes of a channel's mechanism file and their `sha256:<hex>`, for certificates
    that speak of it.
    """
    data = (json.dumps(mechanism_document(channel), ensure_ascii=False, indent=1) + "\n").encode()
    return data, digest(data)


def channel_table(channel: Channel) -> dict[str, list[str]]:
    """Return the rows of a channel as exact text."""
    return dict(channel_rows(channel))


def channel_rows(channel: Channel) -> Iterator[tuple[str, list[str]]]:
    """Yield every database with its row as exact text."""
    for row, label in enumerate(channel.databases):
        denominator = channel.denominators[row]
        yield (
            label,
            [text_of(Fraction(number, denominator)) for number in channel.numerators_of(row)],
        )


class in_file:  # noqa: N801 - reads as a statement
    """Put the file's name in front of every error raised inside."""

    def __init__(self, path: str | Path) -> None:
        self.path = str(path)

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, SumError) and error.where.startswith("priors."):
            error = error.asking(DIVIDE, '"normalize": true in the prior')
        if isinstance(error, PufferproofError):
            raise error.within(self.path) from None


def _document(path: str | Path, data: bytes) -> Any:
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ModelError(
            f"expected UTF-8 text, found byte {data[error.start]:#04x} at position {error.start}"
        ) from None
    try:
        if str(path).endswith(".toml"):
            return tomllib.loads(text, parse_float=str)
        return parse_json(text)
    except tomllib.TOMLDecodeError as error:
        raise ModelError(f"expected TOML: {error}") from None
    except json.JSONDecodeError as error:
        raise ModelError(
            f"expected JSON: {error.msg} at line {error.lineno} column {error.colno}"
        ) from None
    except RecursionError:
        raise ModelError("nested too deeply") from None
    except ValueError as error:
        raise ModelError(str(error)) from None


def parse_json(text: str) -> Any:
    """Parse JSON without floats: decimals stay text, NaN and infinities and duplicate keys are
    refused.
    """
    document = json.loads(
        text,
        parse_float=str,
        parse_int=_integer,
        parse_constant=_refuse_constant,
        object_pairs_hook=_refuse_duplicates,
    )
    if _SURROGATE_ESCAPE.search(text):
        try:
            json.dumps(document, ensure_ascii=False).encode()
        except UnicodeEncodeError:
            raise ModelError(
                "expected text that can be written in UTF-8, found half of a surrogate pair"
            ) from None
    return document


def _integer(digits: str) -> int:
    if len(digits) > MAX_DIGITS:
        raise ModelError(f"a number has at most {MAX_DIGITS} digits, found {len(digits)}")
    return -int_of(digits[1:]) if digits.startswith("-") else int_of(digits)


def _refuse_constant(name: str) -> Any:
    raise ModelError(f"expected a finite number, found {name}")


def _refuse_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise ModelError(f'key "{key}" occurs twice in one object')
        found[key] = value
    return found


def _validated(model: type[Model], document: Any) -> Model:
    from pydantic import ValidationError

    try:
        return model.model_validate(document)
    except ValidationError as error:
        raise _explained(error) from None


def _explained(error: "ValidationError") -> ModelError:
    """Turn the first complaint of pydantic into one line: where, what was expected, what was
    found.
    """
    first = error.errors(include_url=False)[0]
    place = [part for part in first["loc"] if not str(part).startswith("@")]
    found = shown(first.get("input"))
    if first["type"] == "missing":
        what = f'missing key "{place.pop()}"'
    elif first["type"] == "extra_forbidden":
        what = f'unknown key "{place.pop()}"'
    elif first["type"] in ("number", "shape"):
        what = first["msg"]
    elif first["type"] == "literal_error":
        what = f"expected {first.get('ctx', {}).get('expected')}, found {found}"
    else:
        what = f"{first['msg'].replace('Input should be', 'expected')}, found {found}"
    return ModelError(what, _path(place))


def _path(place: list[str | int]) -> str:
    text = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in place)
    return text.removeprefix(".")


def framework_of(shape: "schema.FrameworkFile", normalize: bool = False) -> Framework:
    priors = {name: prior_of(name, prior, normalize) for name, prior in shape.priors.items()}
    pairs: Any = (
        shape.pairs
        if isinstance(shape.pairs, str)
        else [(left, right) for left, right in shape.pairs]
    )
    if shape.records is not None:
        records = Records(shape.records.count, tuple(shape.records.alphabet))
        secrets = {
            name: held if isinstance(held, list) else (held.record, held.value)
            for name, held in shape.secrets.items()
        }
        return Framework.of_records(records, secrets, pairs, priors, shape.closure)
    held_by = {}
    for name, held in shape.secrets.items():
        if not isinstance(held, list):
            raise ModelError(
                'a secret of a record needs "records" in place of "databases"', f"secrets.{name}"
            )
        held_by[name] = held
    return Framework(shape.databases or [], held_by, pairs, priors, shape.closure)


def local_of(shape: "schema.MechanismFile", records: Records, normalize: bool) -> LocalMechanism:
    """Make a mechanism that is given record by record."""
    if shape.redaction is not None:
        found = LocalMechanism.redacting(records.alphabet, shape.redaction)
        if shape.outputs is not None and tuple(shape.outputs) != found.outputs:
            raise ModelError(
                f"expected {list(found.outputs)}, found {shown(shape.outputs)}", "outputs"
            )
    else:
        found = LocalMechanism.of(
            records.alphabet, shape.outputs or [], shape.local or [], normalize
        )
    found.fits(records)
    return found


def channel_of(shape: "schema.MechanismFile", normalize: bool) -> Channel:
    return Channel.of(shape.channel or {}, shape.outputs, normalize)


def prior_of(name: str, shape: Any, normalize: bool = False) -> Prior:
    """Return a prior. Its rows are divided by their sums where the file asks for it; with
    `normalize`, if they need it.
    """
    try:
        return _divided_as_asked(partial(_prior, shape), shape.normalize, normalize)
    except ModelError as error:
        raise error.within(f"priors.{name}") from None


def _divided_as_asked(make: Callable[[bool], T], always: bool, if_needed: bool) -> T:
    """Return what is made with or without dividing rows by their sums; `if_needed`, without
    where both are equal.
    """
    if always or not if_needed:
        return make(always)
    divided = make(True)
    try:
        whole = make(False)
    except SumError:
        return divided
    return whole if whole == divided else divided


def _prior(shape: Any, normalize: bool) -> Prior:
    if hasattr(shape, "table"):
        return Table(shape.table, normalize)
    if hasattr(shape, "product"):
        return Product(shape.product, normalize)
    if hasattr(shape, "bayes_net"):
        return _network_of(shape.bayes_net, normalize)
    if hasattr(shape, "hidden_markov"):
        model = shape.hidden_markov
        return HiddenMarkovModel(model.initial, model.transition, model.emission, normalize)
    if not shape.markov.one_chain:
        what = (
            "a box of priors"
            if shape.markov.transition is None
            else 'the class of all initial laws ("any")'
        )
        raise ModelError(f"not supported: {what} is only for influence and calibrate")
    return MarkovChain(shape.markov.initial, shape.markov.transition, normalize)


def _network_of(shape: "schema.BayesNetShape", normalize: bool) -> Prior:
    if shape.bif is None:
        return BayesianNetwork(shape.parents or {}, shape.cpt or {}, normalize)
    with in_file(shape.bif):
        try:
            network = read_bif(shape.content.decode("utf-8-sig"))
            return network.divided() if normalize else network
        except UnicodeDecodeError as error:
            raise ModelError(
                f"expected UTF-8 text: {error.reason} at position {error.start}"
            ) from None


def class_of(name: str, shape: Any, normalize: bool = False) -> Prior | IntervalChain:
    """Return a prior, or a class of Markov chains, rows divided by their sums as `prior_of` does.

    Bounds of transitions are no rows, and are never divided. Raises `ModelError` unless what is
    described is well formed.
    """
    if not hasattr(shape, "markov") or shape.markov.one_chain:
        return prior_of(name, shape, normalize)
    try:
        if (
            shape.normalize
            and shape.markov.transition is None
            and isinstance(shape.markov.initial, str)
        ):
            raise ModelError(
                "nothing to divide: bounds of transitions are no rows that sum to 1", "normalize"
            )
        return _divided_as_asked(partial(_class, shape.markov), shape.normalize, normalize)
    except ModelError as error:
        raise error.within(f"priors.{name}") from None


def _class(chains: "schema.MarkovShape", normalize: bool) -> IntervalChain:
    if chains.transition is None:
        lower, upper = chains.transition_lower or [], chains.transition_upper or []
        return IntervalChain(chains.initial, lower, upper, normalize)
    transition = checked_transition(matrix_of(chains.transition, "transition", normalize))
    return IntervalChain(chains.initial, transition, transition, normalize)


def _mechanism(
    path: str, framework: Framework, normalize: bool, databases: str | Path | None, trust_code: bool
) -> Loaded[Channel]:
    if databases is not None and not path.endswith(".npy"):
        raise ModelError("a file of database labels goes with a .npy matrix only")
    if _is_callable(path):
        return _from_callable(path, framework, normalize, trust_code)
    data = bytes_of(path)
    if path.endswith(".npy"):
        return _from_npy(path, data, databases, normalize)
    if path.endswith(".csv"):
        channel = _from_csv(data, normalize)
    else:
        from pufferproof.models.files.shapes import MechanismFile

        shape = _validated(MechanismFile, _document(path, data))
        channel = (
            channel_of(shape, normalize)
            if shape.channel is not None
            else _expanded(shape, framework, normalize)
        )
    return Loaded(channel, path, digest(data))


def _expanded(shape: "schema.MechanismFile", framework: Framework, normalize: bool) -> Channel:
    """Write out a mechanism that is given record by record."""
    if shape.query is not None:
        raise ModelError(
            "a query with noise has no list of outputs, which is needed here; audit and compose "
            "take it",
            "query",
        )
    if framework.records is None:
        raise ModelError(
            'a mechanism given record by record needs a framework with "records" in place of '
            '"databases"'
        )
    return local_of(shape, framework.records, normalize).channel()


def _is_callable(path: str) -> bool:
    module, colon, function = path.partition(":")
    return (
        bool(colon)
        and function.isidentifier()
        and all(part.isidentifier() for part in module.split("."))
    )


def _from_csv(data: bytes, normalize: bool) -> Channel:
    try:
        rows = [
            row
            for row in csv.reader(io.StringIO(data.decode("utf-8-sig"), newline=""), strict=True)
            if row
        ]
    except (UnicodeDecodeError, csv.Error) as error:
        raise ModelError(f"expected CSV in UTF-8: {error}") from None
    if len(rows) < 2:
        raise ModelError(f"expected a header and a row per database, found {len(rows)} lines")
    header, *body = rows
    channel: dict[str, list[str]] = {}
    for label, *entries in body:
        if label in channel:
            raise ModelError(f'database "{label}" occurs twice', "channel")
        channel[label] = entries
    return Channel.of(channel, header[1:], normalize)


def _from_npy(
    path: str, data: bytes, databases: str | Path | None, normalize: bool
) -> Loaded[Channel]:
    import numpy as np

    if databases is None:
        raise ModelError(
            "a .npy matrix has no labels: expected --databases FILE with one label per row"
        )
    try:
        matrix = np.load(io.BytesIO(data), allow_pickle=False)
    except Exception as error:  # a damaged header makes NumPy raise whatever its parser meets
        raise ModelError(
            f"expected a NumPy matrix: {(str(error) or type(error).__name__).splitlines()[0]}"
        ) from None
    if not isinstance(matrix, np.ndarray) or matrix.dtype.kind not in "fiu":
        raise ModelError(
            f"expected a matrix of numbers, found {getattr(matrix, 'dtype', type(matrix).__name__)}"
        )
    with in_file(databases):
        listed = bytes_of(databases)
        labels = _labels(databases, listed)
    sha256 = digest(data, listed)
    del data
    channel = Channel.from_array(matrix, labels, normalize=normalize)
    return Loaded(channel, path, sha256, {str(databases): listed})


def _labels(path: str | Path, data: bytes) -> list[str]:
    """Read database labels: a JSON list, or one label per line."""
    text = data.decode("utf-8-sig", errors="replace")
    if text.lstrip().startswith("["):
        labels = _document(path, text.encode())
        if not isinstance(labels, list) or not all(isinstance(label, str) for label in labels):
            raise ModelError("expected a list of labels")
        return labels
    return text.splitlines()


def _from_callable(
    path: str, framework: Framework, normalize: bool, trust_code: bool
) -> Loaded[Channel]:
    if not trust_code:
        raise ModelError("a Python callable runs code: pass --trust-code to permit it")
    module_name, _, name = path.partition(":")
    function = _imported(module_name, name)
    source = getattr(sys.modules[module_name], "__file__", None)
    if source is None:
        raise ModelError("expected a module that is a file, found one that is built in")
    rows: dict[str, Mapping[str, Any]] = {}
    for index in sorted(framework.support):
        label = framework.databases[index]
        try:
            row = function(label)
        except (Exception, SystemExit) as error:
            raise ModelError(
                f"raised {type(error).__name__}: {error}", f'database "{label}"'
            ) from error
        if not isinstance(row, Mapping) or not all(isinstance(output, str) for output in row):
            raise ModelError(
                f"expected a dict of output -> probability, found {type(row).__name__}",
                f'database "{label}"',
            )
        rows[label] = row
    code = bytes_of(source)
    return Loaded(Channel.of(rows, None, normalize), path, digest(code), {_from_here(source): code})


def _from_here(path: str) -> str:
    """Return a path relative to the working directory, if it is inside it."""
    return os.path.relpath(path) if Path(path).is_relative_to(os.getcwd()) else path


def _imported(module_name: str, name: str) -> Callable[[str], Any]:
    sys.path.insert(0, os.getcwd())
    try:
        function = getattr(importlib.import_module(module_name), name)
    except (Exception, SystemExit) as error:
        raise ModelError(f"cannot be imported: {type(error).__name__}: {error}") from error
    finally:
        sys.path.remove(os.getcwd())
    if not callable(function):
        raise ModelError("expected a function of a database label")
    return function  # type: ignore[no-any-return]
