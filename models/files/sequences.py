"""Reading a framework and mechanisms that are too long to list: sequences, and mechanisms given
record by record.

What is short enough to list is left to `files`, which writes such mechanisms out as channels.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from math import comb, prod
from pathlib import Path
from typing import TYPE_CHECKING

from pufferproof.models.channel import MAX_ENTRIES
from pufferproof.models.errors import ModelError
from pufferproof.models.files.frameworks import sequences_of
from pufferproof.models.files.inputs import bytes_of
from pufferproof.models.files.mechanisms import local_of
from pufferproof.models.files.reading import Loaded, in_file, read_loaded
from pufferproof.models.priors.laws import Records
from pufferproof.models.sequences.framework import SequenceFramework
from pufferproof.models.sequences.local import (
    MAX_EXPANDED,
    MAX_SYMBOLS,
    LocalMechanism,
    spread,
    symbols_together,
)

if TYPE_CHECKING:
    pass

_MAX_COUNTED = 20_000_000  # databases times sets of counts of the outputs of runs of one mechanism
_FORMS = re.compile(rb"\b(local|redaction)\b")


@dataclass(frozen=True)
class Sequences:
    """A framework on sequences and mechanisms for it, one or more, none of which is listed."""

    framework: Loaded[SequenceFramework]
    mechanisms: tuple[Loaded[LocalMechanism], ...]


def read_sequences(
    framework: str | Path,
    mechanisms: Sequence[str | Path],
    normalize: bool = False,
    runs: int = 1,
    short: bool = False,
) -> Sequences | None:
    """Read a framework and mechanisms given record by record, unless they are short enough to list:
    then return None.

    The joint release counts, of each mechanism `runs` times; with `short`, short ones are read as
    well. None also where some mechanism has another form: `read_framework` and `read_mechanism` say
    what is wrong, if anything. With `normalize`, rows of mechanisms and of priors that need it are
    divided by their sums. Raises `ModelError` as they do, and unless secrets speak of single
    records and priors are Markov chains or products.
    """
    if not mechanisms or not all(mentions(path, _FORMS) for path in mechanisms):
        return None
    from pufferproof.models.files.shapes import FrameworkFile, MechanismFile

    described = read_loaded(framework, FrameworkFile)
    given = [read_loaded(path, MechanismFile) for path in mechanisms]
    if described.value.records is None or any(each.value.channel is not None for each in given):
        return None
    with in_file(framework):
        records = Records(described.value.records.count, tuple(described.value.records.alphabet))
    found = []
    for path, each in zip(mechanisms, given):
        with in_file(path):
            found.append(each.holding(local_of(each.value, records, normalize)))
    if not short and records.enumerable and _short([each.value for each in found], runs):
        return None
    with in_file(framework):
        space = sequences_of(described.value, records, normalize)
        space.expect_markov()
        return Sequences(described.holding(space), tuple(found))


def mentions(path: str | Path, forms: re.Pattern[bytes]) -> bool:
    """Whether a mechanism file may be of a form, by the words in it."""
    if str(path).endswith((".npy", ".csv")):
        return False
    try:
        return forms.search(bytes_of(path)) is not None
    except ModelError:
        return False


def _short(mechanisms: Sequence[LocalMechanism], runs: int) -> bool:
    """Whether mechanisms can be written out one by one and together, or only one by one and not
    otherwise.
    """
    if any(spread(mechanism) > MAX_EXPANDED for mechanism in mechanisms):
        return False
    if runs > MAX_SYMBOLS:
        return True
    outputs = [len(mechanism.outputs) ** mechanism.length for mechanism in mechanisms]
    databases = len(mechanisms[0].alphabet) ** mechanisms[0].length
    together = databases * prod(comb(each + runs - 1, runs) for each in outputs)
    listed = MAX_ENTRIES if len(mechanisms) > 1 else _MAX_COUNTED
    return bool(together <= listed or symbols_together(*mechanisms) ** runs > MAX_SYMBOLS)
