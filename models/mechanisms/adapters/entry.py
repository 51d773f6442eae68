"""Objects of other libraries as mechanisms and priors: one call for each.

Which module reads an object is told by the package its class is from: a subclass written elsewhere
may do something else, and is not read. Arrays of numbers are read as tables.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from pufferproof.models.channel import Channel
from pufferproof.models.errors import ModelError
from pufferproof.models.interface.kinds import check_type, value_of
from pufferproof.models.mechanisms.adapters import diffprivlib, libraries, priors, scipy
from pufferproof.models.mechanisms.adapters.kernels import (
    Additive,
    Drawn,
    Inputs,
    Kernel,
    Law,
    Together,
    in_order,
    named_of,
    narrowed,
    on_databases,
    released,
)
from pufferproof.models.mechanisms.adapters.libraries import Ends, ends_of, expect_fresh, expect_known_class, repeatable
from pufferproof.models.mechanisms.adapters.libraries import on_windows as noise_on_windows
from pufferproof.models.mechanisms.adapters.opendp import measurements
from pufferproof.models.mechanisms.adapters.parameters import Parameters, SumsByOutput
from pufferproof.models.mechanisms.library import (
    REPEATED,
    Bounds,
    Form,
    Given,
    LibraryMechanism,
    Named,
    One,
    source_of,
    unsupported,
)
from pufferproof.models.mechanisms.releases import PostProcessed
from pufferproof.models.noise.records import NoisyQueries
from pufferproof.models.noise.tables.densities import Unbounded, listed, of_densities
from pufferproof.models.numbers.pieces import Piecewise
from pufferproof.models.numbers.text import shown
from pufferproof.models.priors.markov import MarkovChain
from pufferproof.models.priors.records import Records, separator
from pufferproof.models.priors.tables import Table

if TYPE_CHECKING:
    import numpy as np
    import pandas
    from numpy.typing import NDArray

MECHANISMS = [
    "a measurement of opendp",
    "a mechanism of diffprivlib",
    "noise of tmlt.core, pydp, pipeline_dp or snsql",
    "a frozen distribution of scipy.stats",
    "a dict of database -> mechanism or distribution",
    "a table of numpy, scipy or pandas",
]
_PROCESSED = "what is known is the measurement before post-processing, which is an upper bound"
PRIORS = ["a CategoricalHMM of hmmlearn", "a Bayesian network of pgmpy", "a table of pandas"]


def as_mechanism(
    source: object,
    inputs: object = None,
    query: str | None = None,
    exactly: Mapping[str, object] | None = None,
    normalize: bool = False,
    d_in: object = None,
    windows: object = None,
) -> LibraryMechanism:
    """Return the mathematical mechanism of another library's object, for `audit` and `compose`.

    Args:
        source: an OpenDP measurement, a diffprivlib mechanism, or a frozen SciPy distribution, as
            noise; a dict of database -> mechanism or distribution, where every database has its
            own; a matrix or a DataFrame.
        inputs: what the mechanism gets: a dict of database -> argument, or `Records`: then every
            record is handed to it alone, or the query of them. Of a matrix, the databases.
        query: of `Records`: "sum", "mean" or "histogram".
        exactly: parameter -> the number that was meant by a float: `{"epsilon": "log(3)"}`.
        normalize: divide the rows of a table by their sums.
        d_in: the distance between arguments at which an OpenDP measurement is asked for its claim;
            of records that of one record changed, where it is known.
        windows: of `Records`: the first and last record of every window, as a list of pairs, or as
            `{"first": 1, "every": 336, "times": 52}`. The query of each gets noise of its own.

    A float stands for its exact binary value. The result says what is audited: the mathematics, not
    the program that draws floats.

    >>> table = as_mechanism([[0.5, 0.5], [0.25, 0.75]], ["a", "b"])
    >>> table.value.probability("b", "1")
    Fraction(3, 4)

    Raises `ModelError` unless the object is one of these, and suits what it gets.
    """
    query = check_type(query, str | None, "query")
    if windows is not None:
        if normalize or d_in is not None:
            raise ModelError("cannot be combined with normalize or d_in", "windows")
        records = _records_of(inputs)
        if query not in ("sum", "mean", "histogram"):
            raise ModelError(f'expected "sum", "mean" or "histogram" of every window, found {shown(query)}', "query")
        return on_windows(source, records, query, ends_of(windows, records), exactly)
    exactly = check_type(exactly, Mapping[str, object] | None, "exactly")
    normalize = check_type(normalize, bool, "normalize")
    parameters = Parameters(exactly)
    if _library(source) == "opendp":
        source = measurements.resolved(source)
    read = _read(source, cast(Inputs | None, inputs), query, parameters, normalize)
    parameters.expect_all_read()
    name = source_of(next(iter(source.values())) if isinstance(source, Mapping) and source else source)
    if normalize and read.table:
        parameters.note("rows divided by their sums")
    notes = parameters.notes
    form: Form = released(read.forms)
    if read.processed:
        form, notes = PostProcessed(form), (*notes, _PROCESSED)
    claim = None
    if _library(source) == "opendp":
        claim = measurements.claim_of(source, d_in, inputs, query)
    elif d_in is not None:
        raise ModelError(f"needs a measurement of opendp, found {_shown(source)}", "d_in")
    parts = [LibraryMechanism(each, name, parameters.notes) for each in read.forms]
    several = tuple(parts) if len(parts) > 1 else ()
    return LibraryMechanism(
        form, name, notes, read.table, several, Given(inputs, query, read.within, read.named), claim
    )


def on_windows(
    source: object,
    records: Records,
    query: str,
    windows: Iterable[Ends | None],
    exactly: Mapping[str, object] | None = None,
    counted: str | None = None,
    of: tuple[int | str, ...] | None = None,
) -> LibraryMechanism:
    """Return a query of every window with the noise of another library's object: `NoisyQueries`,
    and each alone in `parts`. Raises `ModelError` if the object does more than add noise.
    """
    parameters = Parameters(check_type(exactly, Mapping[str, object] | None, "exactly"))
    if _library(source) == "opendp":
        source = measurements.resolved(source)
    if isinstance(source, Mapping | LibraryMechanism) or _is_matrix(source):
        raise ModelError(f"expected one object that adds noise to a number, found {shown(source)}", "mechanism")
    law = _law(source, parameters, False, False)
    expect_fresh(source)
    queries = noise_on_windows(cast(Law | Drawn, law), records, query, windows, counted, of)
    parameters.expect_all_read()
    name, notes = source_of(source), parameters.notes
    parts = tuple(LibraryMechanism(each, name, notes) for each in queries)
    return LibraryMechanism(NoisyQueries(queries), name, notes, parts=parts)


def _records_of(inputs: object) -> Records:
    given = value_of(inputs)
    records = getattr(given, "records", given)
    if not isinstance(records, Records):
        raise ModelError("windows are of Records, or a framework of records", "inputs")
    return records


def as_prior(source: object, order: Sequence[object] | None = None, normalize: bool = False) -> Any:
    """Return a model of another library as a prior.

    Args:
        source: a fitted `CategoricalHMM` of hmmlearn; a Bayesian network of pgmpy with tables, or a
            linear Gaussian one, whose joint law is a `Normal` for a `PointFramework`; a pandas
            Series of a probability per database, or a square DataFrame of transitions (a stationary
            chain).
        order: of a network: its nodes in the order of the records, by default its own; of a square
            DataFrame: its labels in the order of the alphabet, by default 0, 1, ..
        normalize: divide rows by their sums: floats mostly miss 1 by a rounding.

    >>> import pandas
    >>> as_prior(pandas.Series({"a": 0.25, "b": 0.75}))
    Table({'a': 1/4, 'b': 3/4})

    Raises `ModelError` unless the object is one of these, and its rows are laws.
    """
    order = check_type(order, Sequence[object] | None, "order")
    normalize = check_type(normalize, bool, "normalize")
    library = _library(source)
    square = library == "pandas" and type(source).__name__ == "DataFrame"
    if order is not None and library != "pgmpy" and not square:
        raise ModelError("needs a network of pgmpy or a square DataFrame", "order")
    if library == "hmmlearn":
        return priors.of_hmmlearn(source, normalize)
    if library == "pgmpy":
        return priors.of_pgmpy(source, order, normalize)
    if library == "pandas":
        return prior_of(source, normalize, order)
    raise unsupported(_shown(source), PRIORS, "prior")


@dataclass(frozen=True)
class _Read:
    """The mechanisms that are released together, mostly one, the bounds at which each clamps, and
    how its draws are named; whether it is a table, and whether outputs are changed before they are
    shown.
    """

    forms: Sequence[One]
    within: tuple[Bounds | None, ...] = (None,)
    named: tuple[Named | None, ...] = (None,)
    table: bool = False
    processed: bool = False


def _read(source: object, inputs: Inputs | None, query: str | None, parameters: Parameters, normalize: bool) -> _Read:
    if _library(source) == "pandas" or _is_matrix(source):
        if query is not None:
            raise ModelError("a table has a row for every database, and no query", "query")
        if _library(source) != "pandas":
            return _Read([channel_of_array(cast("NDArray[np.generic]", source), inputs, normalize)], table=True)
        return _Read([channel_of_frame(cast("pandas.DataFrame", source), inputs, normalize)], table=True)
    if isinstance(source, Mapping):
        if inputs is not None or query is not None:
            raise ModelError("every database has its own inputs: leave these out", "inputs")
        return _Read([_own_rows(source, parameters, normalize)])
    law = cast(Law | Drawn, _law(source, parameters, False, normalize))
    laws = [narrowed(each, inputs) for each in (law.laws if isinstance(law, Together) else (law,))]
    within = tuple(each.within if isinstance(each, Additive) else None for each in laws)
    forms = [on_databases(each, inputs, query) for each in laws]
    named = tuple(named_of(each, inputs, query) for each in laws)
    return _Read(forms, within, named, processed=isinstance(law, Together) and law.processed)


def _own_rows(source: Mapping[str, object], parameters: Parameters, normalize: bool) -> One:
    rows: dict[str, SumsByOutput | Piecewise | Unbounded] = {}
    for label, each in source.items():
        try:
            law = _law(each, parameters, True, normalize)
            if not isinstance(law, Kernel | Piecewise | Unbounded):
                raise ModelError("is noise on a number, or several measurements: expected one, with inputs")
            rows[label] = law.row(None) if isinstance(law, Kernel) else law
        except ModelError as error:
            raise error.within(f'mechanism["{label}"]') from None
    densities = [isinstance(row, Piecewise) for row in rows.values()]
    if any(densities):
        if not all(densities):
            raise ModelError("expected densities for all databases, or for none", "mechanism")
        return of_densities(cast(Mapping[str, Piecewise], rows))
    if any(isinstance(row, Unbounded) for row in rows.values()):
        return listed(cast(Mapping[str, Unbounded | SumsByOutput], rows))
    return in_order(cast(Mapping[str, SumsByOutput], rows))


def _law(source: object, parameters: Parameters, alone: bool, normalize: bool) -> Law | Drawn | Piecewise | Unbounded:
    try:
        law = _law_by_library(source, parameters, alone, normalize)
    except AttributeError:
        expect_known_class(source)
        raise
    expect_known_class(source)
    if repeatable(source) is not None:
        parameters.note(REPEATED)
    return law


def _law_by_library(
    source: object, parameters: Parameters, alone: bool, normalize: bool
) -> Law | Drawn | Piecewise | Unbounded:
    library = _library(source)
    if library == "diffprivlib":
        return diffprivlib.law_of(source, parameters)
    if library == libraries.TUMULT:
        return libraries.tumult_noise(source, parameters)
    if library in libraries.PACKAGES:
        return libraries.law_of(source, parameters)
    if library == "opendp":
        return measurements.law_of(source, parameters)
    if library == "scipy":
        return scipy.law_of(source, parameters, alone, normalize)
    if callable(source) or type(source).__name__ == "Generator":
        raise ModelError(
            f"cannot read {_shown(source)}: a function that draws outputs is bounded by estimate", "mechanism"
        )
    raise unsupported(_shown(source), MECHANISMS, "mechanism")


def _library(source: object) -> str:
    """Return the package that the class of an object is from."""
    return type(source).__module__.partition(".")[0]


def _is_matrix(source: object) -> bool:
    return isinstance(source, list) or hasattr(source, "__array__") or hasattr(source, "toarray")


def _shown(source: object) -> str:
    return f"{type(source).__module__}.{type(source).__name__} {shown(source)}"


# Arrays -------------------------------------------------------------------------------------------
#
# Tables of NumPy, SciPy (sparse) and pandas as channels and priors: their numbers, exactly.
#
# A float is its exact binary value, so that rows mostly miss 1 by a rounding: `normalize=True`
# divides them by their sums.

_TABLES = ["DataFrame of a row per database and a column per output"]
_PRIORS = [
    "Series of a probability per database",
    "square DataFrame of transitions, its index and columns the values of a record",
]


def channel_of_frame(frame: "pandas.DataFrame", databases: object, normalize: bool) -> Channel:
    """Return a DataFrame as a channel: its index are the databases, its columns the outputs."""
    if databases is not None:
        raise ModelError("the index has the databases: leave these out", "inputs")
    if type(frame).__name__ != "DataFrame":
        raise unsupported(f"a pandas {type(frame).__name__}", _TABLES, "mechanism")
    return Channel.from_array(list(frame.to_numpy().tolist()), _labels(frame.index), _labels(frame.columns), normalize)


def channel_of_array(array: "NDArray[np.generic]", databases: object, normalize: bool) -> Channel:
    """Return a matrix as a channel; outputs are called "0", "1", ..."""
    if isinstance(databases, Records):
        databases = databases.labels()
    if not isinstance(databases, Sequence) or isinstance(databases, str):
        raise ModelError(
            f"expected the databases of the rows of a matrix, a list of texts or Records, found {shown(databases)}",
            "inputs",
        )
    mask = getattr(array, "mask", None)
    if mask is not None and mask.any():
        raise ModelError("expected an array without masked entries", "mechanism")
    matrix = array.toarray() if hasattr(array, "toarray") else array
    return Channel.from_array(matrix, databases, None, normalize)


def prior_of(table: "pandas.DataFrame", normalize: bool, order: Sequence[object] | None = None) -> Table | MarkovChain:
    """Return a Series as the law of the database, a square DataFrame as a stationary Markov chain,
    whose values are in the order of the alphabet.
    """
    kind = type(table).__name__
    series = kind == "Series" and order is None
    if not series and not (kind == "DataFrame" and _labels(table.index) == _labels(table.columns)):
        raise unsupported(f"a pandas {kind} of shape {shown(table.shape)}", _PRIORS, "prior")
    labels = _labels(table.index)
    if len(set(labels)) < len(labels):
        raise ModelError(f"expected labels that differ as texts, found {shown(labels)}", "prior")
    rows = list(table.to_numpy().tolist())
    if series:
        return Table(dict(zip(labels, rows)), normalize)
    alphabet = [str(place) for place in range(len(labels))] if order is None else list(map(str, order))
    if order is None and labels != alphabet:
        raise ModelError(
            f"expected the labels {shown(labels)} in the order of the alphabet of the records: order=[..]", "order"
        )
    if sorted(alphabet) != sorted(labels):
        raise ModelError(f"expected the labels {shown(labels)}, found {shown(alphabet)}", "order")
    places = [labels.index(label) for label in alphabet]
    return MarkovChain("stationary", [[rows[one][other] for other in places] for one in places], normalize)


def _labels(index: "pandas.Index") -> list[str]:
    """Return labels as texts; those of several levels are joined as values of records are."""
    rows = index.tolist()
    if not any(isinstance(row, tuple) for row in rows):
        return [str(row) for row in rows]
    texts = [[str(value) for value in row] for row in rows]
    between = separator([value for row in texts for value in row])
    return [between.join(row) for row in texts]
