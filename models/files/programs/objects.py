"""Objects of other libraries from their module: `module:name`, once it is trusted.

What `as_mechanism` returned is taken as it is. Any other object is read on the records of the
framework, or given the label of every database as its argument.
"""

import inspect
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from pufferproof.models.errors import ModelError
from pufferproof.models.files.programs.calling import Calls
from pufferproof.models.files.programs.importing import is_callable, is_object, named_of
from pufferproof.models.files.reading import Loaded, in_file
from pufferproof.models.numbers.text import shown
from pufferproof.models.priors.records import Records

if TYPE_CHECKING:
    from pufferproof.models.mechanisms.library import LibraryMechanism

_LABELS = "its argument is the label of the database"


@dataclass(frozen=True)
class LibraryFile(Loaded[Any]):
    """The mechanism of a library's object that is named by its module, and how it was read."""

    library: "LibraryMechanism | None" = None


def read_object(path: str, space: Records | list[str], calls: Calls, normalize: bool = False) -> LibraryFile | None:
    """Read a mechanism `module:name` on records or databases, or None if it is no object of a
    library. Raises `ModelError` unless code is trusted, and the object is read.
    """
    if not is_callable(path) or not calls.trusted:
        return None
    with in_file(path):
        found = named_of(path, calls)
        given: Any = found.value
        if not is_object(given):
            return None
        read = _read(given, space, normalize)
    return LibraryFile(read.value, found.path, found.sha256, found.named, read)


def _read(given: object, space: Records | list[str], normalize: bool) -> "LibraryMechanism":
    from pufferproof.models.mechanisms.adapters.entry import as_mechanism
    from pufferproof.models.mechanisms.library import LibraryMechanism

    if isinstance(given, LibraryMechanism):
        return given
    if isinstance(given, Mapping) or type(given).__module__.partition(".")[0] == "pandas":
        return as_mechanism(given, normalize=normalize)
    if isinstance(space, Records):
        try:
            return as_mechanism(given, space, normalize=normalize)
        except ModelError as error:
            if error.where != "query":
                raise
            raise ModelError(
                'is noise on a number: expected a name for as_mechanism(object, records, "sum") in the module'
            ) from None
    if hasattr(given, "__array__") or isinstance(given, list):
        return as_mechanism(given, space, normalize=normalize)
    read = as_mechanism(given, {label: label for label in space}, normalize=normalize)
    return replace(read, notes=(*read.notes, _LABELS))


def made_by(path: str, calls: Calls) -> Loaded[Any]:
    """Return the object `module:name` of a library, or what a function `module:name` without
    arguments returns. Raises `ModelError` unless code is trusted, and there is such a name.
    """
    if not is_callable(path):
        raise ModelError(f"expected module:name, found {shown(path)}")
    found = named_of(path, calls)
    if not inspect.isfunction(found.value) and not isinstance(found.value, partial):
        return found
    try:
        inspect.signature(found.value).bind()
    except TypeError as error:
        raise ModelError(f"expected an object, or a function without arguments that returns one: {error}") from None
    try:
        return found.holding(found.value())
    except (Exception, SystemExit) as error:
        raise ModelError(f"raised {type(error).__name__}: {error}") from error
