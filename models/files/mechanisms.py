"""Mechanisms from the files that describe them: channels, mechanisms given record by record,
hidden Markov models, and queries with noise.
"""

import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import prod
from pathlib import Path
from typing import TYPE_CHECKING, cast, overload

from pufferproof.models.channel import Channel
from pufferproof.models.errors import ModelError, TooLargeError, within
from pufferproof.models.files.programs import UNTRUSTED, Calls, Program, is_callable, read_code, read_object, rows_of
from pufferproof.models.files.reading import MAX_BYTES, Loaded, bytes_of, digest, document_of, in_file, read_loaded
from pufferproof.models.files.recorded.bits import with_point
from pufferproof.models.framework import Framework
from pufferproof.models.interface.kinds import check_type, value_of
from pufferproof.models.noise.additive import AdditiveNoise, LinearQuery, Noise
from pufferproof.models.noise.records import RecordQuery, on_neighbours
from pufferproof.models.noise.tables.partial import PartialTable
from pufferproof.models.noise.tables.powers import PowerTable
from pufferproof.models.numbers.grammar import exact
from pufferproof.models.numbers.text import JsonObject, quoted, shown
from pufferproof.models.priors.continuous.points import PointFramework
from pufferproof.models.priors.records import Records, preview
from pufferproof.models.sequences.hidden_mechanism import HiddenMarkovMechanism
from pufferproof.models.sequences.local import LocalMechanism, randomising, showing, writable
from pufferproof.models.sequences.parametric import ParametricMechanism

if TYPE_CHECKING:
    from pufferproof.models.files import shapes as schema
    from pufferproof.models.noise.tables.shaped import Shape

    Given = Loaded[schema.MechanismFile] | str

# Mechanisms that are tables elsewhere: CSV (first column the database, one column per output; between semicolons, tabs
# or bars numbers may have decimal commas), `.npy` (exact binary values; a file of labels beside it), and, when the
# caller trusts it, Python: `module:function`, which `programs` reads.

_OTHERS = ";\t|"  # separators, where there is no comma


def from_table(
    path: str, framework: Framework, normalize: bool, databases: str | Path | None, calls: Calls
) -> Loaded[Channel] | Loaded[Program]:
    """Read a file of numbers, or a callable. Raises `ModelError` unless rows are laws, a matrix has
    labels, and a callable is trusted.
    """
    if is_callable(path):
        labels = [framework.databases[index] for index in sorted(framework.support)]
        read = read_object(path, framework.records or labels, calls, normalize)
        if read is not None:
            return read
        code = read_code(path, calls)
        if isinstance(code.value, Program):
            return code.holding(code.value.on(framework.records, framework.sized))
        return code.holding(rows_of(code.value, labels, normalize))
    data = bytes_of(path, MAX_BYTES)
    if path.endswith(".npy"):
        return _from_npy(path, data, databases, normalize)
    return Loaded(csv_channel(data, normalize), path, digest(data))


def csv_channel(data: bytes, normalize: bool) -> Channel:
    """Return the channel of a CSV table. Raises `ModelError` unless every row is a law."""
    try:
        text = data.decode("utf-8-sig")
        rows, commas = _rows(text, ","), False
        for separator in _OTHERS:
            if rows and len(rows[0]) == 1 and separator in rows[0][0]:
                rows, commas = _rows(text, separator), True
    except (UnicodeDecodeError, csv.Error) as error:
        raise ModelError(f"expected CSV in UTF-8: {error}") from None
    if len(rows) < 2:
        raise ModelError(f"expected a header and a row per database, found {len(rows)} lines")
    header, *body = rows
    if len(header) == 1:
        raise ModelError(
            f"expected commas, semicolons, tabs or bars between cells, found the one column {quoted(header[0])}"
        )
    commas = commas and any("," in cell for row in body for cell in row[1:])
    channel: dict[str, list[str]] = {}
    for label, *entries in body:
        if label in channel:
            raise ModelError(f'database "{label}" occurs twice', "channel")
        channel[label] = [with_point(cell) if commas else cell for cell in entries]
    return Channel.of(channel, header[1:], normalize)


def _rows(text: str, separator: str) -> list[list[str]]:
    lines = io.StringIO(text, newline="")
    return [row for row in csv.reader(lines, delimiter=separator, strict=True) if row]


def _from_npy(path: str, data: bytes, databases: str | Path | None, normalize: bool) -> Loaded[Channel]:
    import numpy as np

    if databases is None:
        raise ModelError("a .npy matrix has no labels: expected --databases FILE with one label per row")
    try:
        from numpy.lib import format as npy

        file = io.BytesIO(data)
        first = npy.read_magic(file) == (1, 0)
        read_header = npy.read_array_header_1_0 if first else npy.read_array_header_2_0
        shape, _, dtype = read_header(file)
        stated, found = prod(shape) * dtype.itemsize, len(data) - file.tell()
        if stated != found and not dtype.hasobject:
            raise ModelError(
                f"expected {stated} bytes of numbers, as the header states for {shown(list(shape))}, found {found}"
            )
        matrix = np.load(io.BytesIO(data), allow_pickle=False)
    except ModelError:
        raise
    except Exception:  # a damaged header makes NumPy raise whatever its parser meets
        raise ModelError(
            "expected a NumPy matrix of numbers, found another or a damaged file; write it again with numpy.save"
        ) from None
    if not isinstance(matrix, np.ndarray) or matrix.dtype.kind not in "fiu":
        raise ModelError(f"expected a matrix of numbers, found {getattr(matrix, 'dtype', type(matrix).__name__)}")
    with in_file(databases):
        listed = bytes_of(databases, MAX_BYTES)
        text = listed.decode("utf-8-sig", errors="replace")
        if text.lstrip().startswith("["):
            labels = document_of(databases, text.encode())
            if not isinstance(labels, list) or not all(isinstance(label, str) for label in labels):
                raise ModelError("expected a list of labels")
        else:
            labels = text.splitlines()
    sha256 = digest(data, listed)
    del data, file
    channel = Channel.from_array(matrix, labels, normalize=normalize)
    return Loaded(channel, path, sha256, {str(databases): listed})


Shaped = Channel | PowerTable | PartialTable
AnyRead = (
    Loaded[Channel]
    | Loaded[Program]
    | Loaded[LocalMechanism]
    | Loaded[HiddenMarkovMechanism | ParametricMechanism]
    | Loaded[AdditiveNoise]
    | Loaded[RecordQuery]
    | Loaded[Shaped]
)
WEIGHTS_OF_NUMBERS = (
    '"weights" need "gaussian" priors, whose records are numbers: expected "sum", "mean", '
    '"histogram", {"count": VALUE}, or a value for every database'
)
LINEAR = (
    'records of a "gaussian" prior are numbers: expected "query" that is "sum", "mean" or '
    '{"weights": [[..]]}, with "noise"'
)


@dataclass(frozen=True)
class WrittenOut(Loaded[Channel]):
    """A channel that was read from a file which gives it record by record, as `local`: a joint
    release of several can be too long to write out.
    """

    local: LocalMechanism | None = None


@overload
def read_mechanism(
    path: str | Path,
    framework: Framework | Loaded[Framework],
    normalize: bool = False,
    databases: str | Path | None = None,
    trust_code: bool = False,
) -> AnyRead: ...


@overload
def read_mechanism(
    path: str | Path,
    framework: PointFramework | Loaded[PointFramework],
    normalize: bool = False,
    databases: str | Path | None = None,
    trust_code: bool = False,
) -> Loaded[LinearQuery]: ...


def read_mechanism(
    path: str | Path,
    framework: object,
    normalize: bool = False,
    databases: str | Path | None = None,
    trust_code: bool = False,
) -> AnyRead | Loaded[LinearQuery]:
    """Read a mechanism for a framework: JSON, TOML, CSV, `.npy` with a file of labels, or
    `module:function`.

    A mechanism on sequences given record by record, or a hidden Markov model, is written out where
    it is short enough, and stays as it is where not; a query with noise becomes a `RecordQuery`
    along records, and else a table of values. `normalize` divides every row by its sum.
    `trust_code` permits a callable, which runs the code of its module: a function of the database
    gives its row, and what draws from `rng` becomes a `Program`, which `audit` takes.

    >>> from importlib.resources import files
    >>> from pufferproof import read_framework
    >>> meter = files("pufferproof.examples") / "correlated" / "smart-meter"
    >>> framework = read_framework(meter / "framework.json")
    >>> read_mechanism(meter / "mechanism-response.json", framework).value
    Channel(16 databases, 16 outputs)

    Raises `ModelError` as `read_framework` does, and unless the mechanism fits the framework, with
    a row or a value for every database of positive probability.
    """
    stated = value_of(framework)
    path = check_type(path, str | Path, "path")
    if isinstance(stated, PointFramework):
        return linear_of(given_in(path), stated)
    space = cast(Framework, check_type(stated, Framework, "framework"))
    normalize = check_type(normalize, bool, "normalize")
    databases = check_type(databases, str | Path | None, "databases")
    calls = Calls(check_type(trust_code, bool, "trust_code"))
    given = given_in(path)
    if not isinstance(given, str) and given.value.query is not None:
        return noisy_from(given, space)
    space = space.of_laws()
    if not isinstance(given, str) and given.value.hidden_markov is not None:
        model = hidden_from(given, normalize)
        if not model.value.writable:
            return model
        return channel_from(given, space, normalize, databases, calls)
    if not isinstance(given, str) and given.value.channel is None and space.records is not None:
        with in_file(path):
            mechanism = local_of(given.value, space.records, normalize)
            if not writable([mechanism]):
                return given.holding(mechanism)
        written = cast("Loaded[Channel]", channel_from(given, space, normalize))
        return WrittenOut(written.value, given.path, given.sha256, given.named, mechanism)
    return channel_from(given, space, normalize, databases, calls)


def noisy_from(
    given: "Loaded[schema.MechanismFile]", framework: Framework
) -> Loaded[AdditiveNoise] | Loaded[RecordQuery] | Loaded[Shaped]:
    """Return the query with noise that a file describes: of records where it is built in and the
    framework goes along them, else a table of values; a table of probabilities where the noisy
    number is rounded, clamped or hidden, or databases have noise of their own.
    """
    with in_file(given.path):
        expect_no_sample(given.value)
        if is_shaped(given.value):
            return given.holding(shaped_of(given.value, framework))
        if given.value.builtin and framework.neighbours is not None:
            query = record_query_of(given.value, framework.sized or framework.records)
            if framework.too_many is not None:
                return given.holding(query)
            return given.holding(on_neighbours(framework, query)[1])
        if given.value.builtin:
            alone = framework.alone
            if (alone.of_members() if alone.classes else alone).by_records:
                return given.holding(record_query_of(given.value, framework.records))
        return given.holding(table_of(given.value, framework))


def expect_no_sample(shape: "schema.MechanismFile") -> None:
    """Raise `ModelError` for a query of a fresh sample."""
    if shape.sample is not None:
        raise ModelError(
            "every run draws a sample of its own: `compose --runs K --epsilon E --delta P` takes "
            'it, with "neighbours" in the framework; a sample that a prior draws is drawn once',
            "sample",
        )


def given_in(path: str | Path) -> "Given":
    """Read a mechanism file of our own format; a table elsewhere is only named."""
    from pufferproof.models.files.shapes import MechanismFile

    table = str(path).endswith((".npy", ".csv")) or is_callable(str(path))
    return str(path) if table else read_loaded(path, MechanismFile)


def channel_from(
    given: "Given",
    framework: Framework,
    normalize: bool = False,
    databases: str | Path | None = None,
    calls: Calls = UNTRUSTED,
) -> Loaded[Channel] | Loaded[Program] | Loaded[Shaped]:
    """Return the channel that a file describes, what is given record by record written out; of
    code that draws, the program.

    Raises `ModelError` as `read_mechanism` does.
    """
    path = given if isinstance(given, str) else given.path
    with in_file(path):
        if databases is not None and not path.endswith(".npy"):
            raise ModelError("a file of database labels needs a .npy matrix")
        if isinstance(given, str):
            loaded = from_table(path, framework, normalize, databases, calls)
        elif is_shaped(given.value):
            return given.holding(shaped_of(given.value, framework))
        elif given.value.channel is not None:
            loaded = given.holding(channel_of(given.value, normalize))
        elif given.value.query is not None:
            raise ModelError(
                "a query with noise has no list of outputs, which is needed here; audit, compose and reveal take it",
                "query",
            )
        elif given.value.hidden_markov is not None:
            mechanism = hidden_of(given.value, normalize)
            if isinstance(mechanism, ParametricMechanism):
                raise ModelError("has parameters, and is audited alone at a level", "hidden_markov")
            loaded = given.holding(mechanism.channel())
        elif framework.records is None:
            raise ModelError(
                'a mechanism given record by record needs a framework with "records" instead of "databases"'
            )
        else:
            loaded = given.holding(local_of(given.value, framework.records, normalize).channel())
        if isinstance(loaded.value, Channel):
            loaded.value.aligned(framework.databases, framework.support)
        return loaded


def hidden_from(
    given: "Loaded[schema.MechanismFile]", normalize: bool, length: int | None = None
) -> Loaded[HiddenMarkovMechanism | ParametricMechanism]:
    """Return the hidden Markov mechanism that a file describes, with words of another length if
    one is given.
    """
    with in_file(given.path):
        mechanism = hidden_of(given.value, normalize)
        return given.holding(mechanism if length is None else mechanism.of_length(length))


def hidden_of(shape: "schema.MechanismFile", normalize: bool) -> HiddenMarkovMechanism | ParametricMechanism:
    """Make a hidden Markov mechanism, with parameters or without."""
    model = shape.hidden_markov
    if model is None:
        raise ModelError("expected a hidden Markov model, found none", "hidden_markov")
    if model.parameters is not None:
        if normalize:
            raise ModelError("rows with parameters are not divided by their sums", "parameters")
        return ParametricMechanism(
            model.initial,
            model.transition,
            model.emission,
            shape.outputs or [],
            model.length,
            model.parameters,
            model.states,
        )
    return HiddenMarkovMechanism(
        model.initial, model.transition, model.emission, shape.outputs or [], model.length, model.states, normalize
    )


def channel_of(shape: "schema.MechanismFile", normalize: bool) -> Channel:
    return Channel.of(shape.channel or {}, shape.outputs, normalize)


def local_of(shape: "schema.MechanismFile", records: Records, normalize: bool) -> LocalMechanism:
    """Make a mechanism that is given record by record, or of chosen records."""
    if shape.show is not None:
        return showing(records, shape.show)
    if isinstance(shape.local, Mapping):
        return randomising(records, shape.local, shape.outputs, normalize)
    if shape.redaction is not None:
        mechanism = LocalMechanism.redacting(records.alphabet, shape.redaction)
        if shape.outputs is not None and tuple(shape.outputs) != mechanism.outputs:
            raise ModelError(f"expected {preview(mechanism.outputs)}, found {preview(shape.outputs)}", "outputs")
    else:
        mechanism = LocalMechanism.of(records.alphabet, shape.outputs or [], shape.local or [], normalize)
    mechanism.fits(records)
    return mechanism


def noise_of(shape: "schema.NoiseShape | Mapping[str, schema.NoiseShape]") -> Noise:
    """Return the law of noise that a file describes. Raises `ModelError`, naming the key,
    unless it is one.
    """
    if isinstance(shape, Mapping):
        raise ModelError("noise of its own for every database is audited alone: expected one law of noise", "noise")
    with within("noise"):
        if shape.laplace is not None:
            return Noise.laplace(shape.laplace.scale)
        if shape.discrete_laplace is not None:
            return Noise.discrete_laplace(shape.discrete_laplace.scale)
        if shape.geometric is not None:
            return Noise.geometric(shape.geometric.ratio)
        if shape.gaussian is not None:
            return Noise.gaussian(shape.gaussian.sigma)
        if shape.discrete_gaussian is not None:
            return _discrete_gaussian(shape.discrete_gaussian)
    raise ModelError("expected a law, found none", "noise")


def _discrete_gaussian(shape: "schema.LatticeShape") -> Noise:
    if (shape.sigma is None) == (shape.sigma2 is None):
        raise ModelError('expected "sigma2" or "sigma", one of them', "discrete_gaussian")
    if shape.sigma2 is not None:
        return Noise.discrete_gaussian(shape.sigma2)
    with within("discrete_gaussian.sigma"):
        sigma = exact(shape.sigma)
    if sigma <= 0:
        raise ModelError(f"expected a number above 0, found {sigma}", "discrete_gaussian.sigma")
    return Noise.discrete_gaussian(sigma * sigma)


def record_query_of(shape: "schema.MechanismFile", records: Records | None) -> RecordQuery:
    """Return the built-in query of a file. Raises `ModelError` unless it fits the records."""
    from pufferproof.models.files.shapes import CountShape

    expect_plain(shape)
    if not isinstance(shape.query, str | CountShape) or shape.noise is None:
        raise ModelError('expected "sum", "mean" or "histogram" with noise', "query")
    counted, of = None, None
    if isinstance(shape.query, CountShape):
        counted, of = shape.query.count, shape.query.of
    name = "count" if isinstance(shape.query, CountShape) else shape.query
    if records is None:
        raise ModelError(f'"{name}" needs a framework with "records" instead of "databases"', "query")
    segment = None if shape.segment is None else (shape.segment[0], shape.segment[1])
    chosen = None if of is None else tuple(of)
    return RecordQuery(name, noise_of(shape.noise), records, segment, counted, chosen)


def linear_of(given: "Given", framework: PointFramework) -> Loaded[LinearQuery]:
    """Return the linear query of records that are numbers which a file describes.

    Raises `ModelError` unless it is the sum, the mean or weights of `count` records, with noise on
    real numbers.
    """
    if isinstance(given, str):
        raise ModelError(LINEAR, given)
    with in_file(given.path):
        shape = given.value
        expect_no_sample(shape)
        expect_plain(shape)
        if shape.noise is None:
            raise ModelError(LINEAR)
        noise = noise_of(shape.noise)
        return given.holding(linear_query_of(shape.query, noise, framework, shape.segment))


def linear_query_of(
    asked: object, noise: Noise, framework: PointFramework, segment: Sequence[int] | None = None
) -> LinearQuery:
    """Return the linear query that a file asks for. Raises `ModelError` unless it is one."""
    from pufferproof.models.files.shapes import WeightsShape

    if isinstance(asked, WeightsShape):
        rows = []
        for index, row in enumerate(asked.weights):
            if isinstance(row, dict):  # weights by name, of the others 0
                records = Records(framework.count, ("number",), names=framework.names)
                named = {records.number(name, f"query.weights[{index}]"): weight for name, weight in row.items()}
                row = [named.get(record, Fraction(0)) for record in range(1, framework.count + 1)]
            rows.append(row)
        return LinearQuery.weighted(rows, noise, framework.count)
    if isinstance(asked, str):
        return LinearQuery.named(asked, noise, framework.count, segment)
    raise ModelError(LINEAR, "query")


def table_of(shape: "schema.MechanismFile", framework: Framework) -> AdditiveNoise:
    """Return the query of a file with a value for every database. Raises `ModelError` unless it
    fits the framework.
    """
    expect_plain(shape)
    if shape.builtin:
        return record_query_of(shape, framework.records).written_out()
    if shape.query is not None and not isinstance(shape.query, dict):
        raise ModelError(WEIGHTS_OF_NUMBERS, "query.weights")
    if shape.noise is None:
        raise ModelError("expected a law of noise, found none", "noise")
    mechanism = AdditiveNoise(shape.query or {}, noise_of(shape.noise))
    databases = set(framework.databases)
    for label in mechanism.values:
        if label not in databases:
            raise ModelError(f'unknown database "{label}", expected one of {preview(framework.databases)}', "query")
    for index in sorted(framework.support):
        if framework.databases[index] not in mechanism.values:
            raise ModelError(
                f'no value for database "{framework.databases[index]}", which has positive probability', "query"
            )
    return mechanism


def is_shaped(shape: "schema.MechanismFile") -> bool:
    """Whether a noisy number is rounded, clamped or hidden, or databases have their own noise."""
    rounds = shape.round is not None and shape.round is not False
    if shape.noise is None or isinstance(shape.noise, Mapping):
        return shape.noise is not None
    on_integers = shape.noise.gaussian is None and shape.noise.laplace is None
    if on_integers and shape.round in (True, 1):  # integers are rounded already
        rounds = False
    return rounds or shape.clamp is not None or shape.threshold is not None


def expect_plain(shape: "schema.MechanismFile") -> None:
    """Raise `ModelError` unless noise is added and nothing else is done."""
    if is_shaped(shape):
        raise ModelError(
            "noise that is rounded, clamped or hidden, or of every database its own, is audited "
            "and composed on listed databases: leave out what is done with the noisy number",
            "noise",
        )


def shaped_of(shape: "schema.MechanismFile", framework: Framework) -> Shaped:
    """Return the table of a noisy number that is rounded, clamped or hidden, or has noise of its
    own for every database. Raises `ModelError` unless the file fits the framework.
    """
    expect_no_sample(shape)
    if shape.noise is None:
        raise ModelError("expected a law of noise, found none", "noise")
    each = shape.noise if isinstance(shape.noise, Mapping) else {}
    one = next(iter(each.values()), None) if each else shape.noise
    query, hidden = shape.query, set[str]()
    if isinstance(query, dict):
        hidden = {label for label, value in query.items() if value is None}
        query = {label: Fraction(0) if label in hidden else value for label, value in query.items()}
    done = {"round": None, "clamp": None, "threshold": None, "noise": one, "query": query}
    try:
        values = table_of(shape.model_copy(update=done), framework).values
    except TooLargeError:
        raise TooLargeError(
            "noise that is rounded, clamped, hidden or of its own for every database needs "
            "databases that can be listed: expected fewer records, or plain noise",
            "noise",
        ) from None
    if any(len(value) != 1 for value in values.values()):
        raise ModelError("expected a query of one number where noise is shaped", "query")
    noises = {}
    for label in values:
        if each and label not in each:
            raise ModelError(f'no noise for database "{label}"', "noise")
        noises[label] = noise_of(each[label] if each else shape.noise)
    if unknown := next((label for label in each if label not in values), None):
        raise ModelError(f'unknown database "{unknown}", or one without a value', "noise")
    numbers = {label: None if label in hidden else value for label, (value,) in values.items()}
    from pufferproof.models.noise.tables.shaped import shaped

    return shaped(numbers, noises, _shape(shape))


def _shape(given: "schema.MechanismFile") -> "Shape":
    from pufferproof.models.noise.tables.shaped import Shape

    grid = {True: 1, False: None}[given.round] if isinstance(given.round, bool) else given.round
    bounds = None
    if given.clamp is not None:
        low, high = (_number(bound, "clamp") for bound in given.clamp)
        bounds = low, high
    return Shape(
        None if grid is None else _number(grid, "round"),
        bounds,
        None if given.threshold is None else _number(given.threshold, "threshold"),
    )


def _number(given: object, where: str) -> Fraction:
    with within(where):
        return exact(given)


# Queries and utilities: what `calibrate` adds noise to, or chooses by.
#
# A query file is a mechanism file with "query" (its noise is not read), an object with "query" alone, or the table
# itself: database -> number, or a list of numbers. A name ("sum", "mean", "histogram") may stand for a table, and
# {"count": v} for how many records have the value v. A utility file has "utility", or is the table itself: candidate
# -> database -> number.


def read_query(path: str | Path) -> "Loaded[str | JsonObject | schema.CountShape | schema.WeightsShape]":
    """Read a built-in query's name, a table, the value that is counted, or weights.

    Raises `ModelError` naming file and place unless the file is a query.
    """
    from pufferproof.models.files.shapes.mechanisms import QueryFile

    loaded = read_loaded(path, QueryFile)
    return loaded.holding(loaded.value.query)


def read_utility(path: str | Path) -> Loaded[dict[str, JsonObject]]:
    """Read the utilities of candidates. Raises `ModelError` naming file and place unless the file
    has them.
    """
    from pufferproof.models.files.shapes.mechanisms import UtilityFile

    loaded = read_loaded(path, UtilityFile)
    return loaded.holding(loaded.value.utility)
