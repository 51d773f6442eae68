"""`prove --format`: documents in the one layout that they have, so that what a person reads is what
was read.
"""

import ast
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import fields, is_dataclass
from difflib import unified_diff
from itertools import islice
from pathlib import Path
from typing import Any

import pufferproof
from pufferproof.claims.document import formulas
from pufferproof.claims.document.lines import SUFFIX, decoded
from pufferproof.claims.document.module import module_of
from pufferproof.claims.document.parts import Linking, Text
from pufferproof.claims.document.reader import read
from pufferproof.claims.document.writer import write
from pufferproof.models.errors import ModelError
from pufferproof.models.files.reading import MAX_BYTES, bytes_of
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

    Raises `ModelError` for a file that is no document, and where what would be written reads as
    another one; nothing is written then.
    """
    changed: dict[str, bytes] = {}
    documents = {os.path.realpath(each): each for each in _documents(places)}.values()
    for path in documents:
        try:
            text = decoded(bytes_of(path, MAX_BYTES), path)
        except ModelError as error:
            raise error if error.where else error.at(path) from None
        laid = _laid(text, path)
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


def _laid(text: str, path: str) -> str:
    """Return a document in its layout, which reads as the same document."""
    document = read(text, path)
    try:
        laid = write(document)
    except ModelError as error:
        module_of(text, path)  # names the line
        raise error.at(path) from None
    if laid == text:
        return laid
    try:
        again = read(laid, path)
        same = _same(document, again) and write(again) == laid
    except ModelError:
        same = False
    if not same:
        said = "cannot be laid out: its layout reads as another document, so nothing is written"
        raise ModelError(said, path)
    return laid


def _same(one: Any, other: Any) -> bool:
    """Whether two parts of documents say the same, on whichever lines."""
    if type(one) is not type(other):
        return False
    if isinstance(one, Text):
        return _same_trees(one.text, other.text)
    if is_dataclass(one):
        names = {each.name for each in fields(one)} - {"line"}
        if isinstance(one, Linking):  # its texts are formulas
            names -= {"text", "start", "put"}
            texts = ((each.text, each.start, *(x for _, x in each.put)) for each in (one, other))
            if not all(map(_same_trees, *texts)):
                return False
        return all(_same(getattr(one, each), getattr(other, each)) for each in names)
    if isinstance(one, Mapping):
        return one.keys() == other.keys() and all(_same(one[x], other[x]) for x in one)
    if isinstance(one, tuple | list):
        return len(one) == len(other) and all(map(_same, one, other))
    return bool(one == other)


def _same_trees(one: str, other: str) -> bool:
    """Whether two texts are the same, or the same formulas or expressions; those that neither
    grammar reads are settled by writing them again.
    """
    readers: tuple[Callable[[str], Iterable[ast.AST]], ...] = (formulas.read, _expressions)
    unread = True
    for trees in readers if one != other else ():
        with suppress(ModelError, SyntaxError, ValueError):
            if [*map(ast.dump, trees(one))] == [*map(ast.dump, trees(other))]:
                return True
            unread = False
    return unread


def _expressions(text: str) -> list[ast.Module]:
    return [ast.parse(text)]


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
