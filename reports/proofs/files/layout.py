"""`prove --format`: documents in the one layout that they have, so that what a person reads is what
was read.
"""

from collections.abc import Iterator, Sequence
from difflib import unified_diff
from itertools import islice
from pathlib import Path

import pufferproof
from pufferproof.claims.document.lines import SUFFIX
from pufferproof.claims.document.reader import read
from pufferproof.claims.document.writer import write
from pufferproof.models.errors import ModelError
from pufferproof.models.files.inputs import MAX_BYTES, bytes_of
from pufferproof.models.interface.outputs import write_all_atomically
from pufferproof.models.listing import counted
from pufferproof.reports.console.outputs import WRITTEN
from pufferproof.reports.console.streams import print_lines

_HOME = Path(pufferproof.__path__[-1]) / "claims"
_SHOWN = 12  # lines of a difference


def write_layout(places: Sequence[str], check: bool) -> bool:
    """Write the documents at places, or those of this package, in their layout: what the writer
    makes of what is read. With `check` write nothing, and return whether a document is written
    otherwise, after saying where.

    Raises `ModelError` for a file that is no document.
    """
    changed: dict[str, bytes] = {}
    documents = [*_documents(places)]
    for path in documents:
        text = bytes_of(path, MAX_BYTES).decode("utf-8")
        laid = write(read(text, path))
        if laid != text:
            changed[path] = laid.encode()
            if check:
                both = text.splitlines(), laid.splitlines()
                lines = unified_diff(*both, path, path, n=0, lineterm="")
                print_lines(*islice(lines, _SHOWN))
    if changed and not check:
        write_all_atomically(changed)  # over what was read, as is asked for
        WRITTEN.extend(changed)
    done = "written otherwise" if check else "written anew"
    print_lines(f"layout    {len(changed)} of {counted(len(documents), 'document')} {done}")
    return check and bool(changed)


def _documents(places: Sequence[str]) -> Iterator[str]:
    """Yield the documents at places: files, and those in folders."""
    for place in places or [str(_HOME)]:
        path = Path(place)
        if path.is_dir():
            yield from map(str, sorted(path.rglob(f"*{SUFFIX}")))
        elif path.suffix != SUFFIX:
            raise ModelError(f"expected a document, NAME{SUFFIX}", place)
        else:
            yield place
