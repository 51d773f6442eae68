"""Noise of a library's object on one query of several windows of records.

The object must add noise to one number, or to every cell of a histogram, and do nothing else: what
lists outputs, hides or changes numbers, or computes a number of its own is refused by name.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from pufferproof.models.errors import ModelError
from pufferproof.models.interface.kinds import check_type
from pufferproof.models.mechanisms.adapters.kernels import Additive, Drawn, Kernel, Together, noisy_records
from pufferproof.models.noise.records import RecordQuery, windows_of
from pufferproof.models.numbers.text import text_of
from pufferproof.models.priors.records import Records, preview

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
    asked = (RecordQuery(query, noise.noise, records, ends, counted, of) for ends in windows)
    return tuple(noisy_records(noise, each) for each in asked)


def ends_of(windows: Any, records: Records) -> list[Ends]:
    """Return the first and last record of every window: a list of them, or the numbers `first`,
    `length`, `every` and `times` of a plan. Raises `ModelError` unless they are windows.
    """
    if isinstance(windows, Mapping):
        unknown = next((key for key in windows if key not in KEYS), None)
        if unknown is not None:
            raise ModelError(f"expected keys among {preview(KEYS)}, found {unknown!r}", "windows")
        numbers = {key: check_type(each, int, f"windows.{key}") for key, each in windows.items()}
        return list(windows_of(records.count, **numbers))
    listed: Sequence[Ends] = check_type(windows, Sequence[tuple[int, int]], "windows")
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
