"""A document for a reviewer to start from: one claim that is proved and one that is refuted.

`prove --new NAME` writes NAME.claims; its words say what to change, and `prove` examines it.
"""

import os
import re

from pufferproof.claims.document.reader import read
from pufferproof.claims.document.writer import write
from pufferproof.models.errors import ModelError
from pufferproof.reports.console.outputs import write_outputs
from pufferproof.reports.console.streams import print_lines
from pufferproof.reports.console.templates import rendered

_NAME = re.compile(r"[a-z][a-z0-9_]*")


def write_template(name: str) -> None:
    """Write NAME.claims, and say so. Raises `ModelError` unless the name is one of a module,
    and nothing is there.
    """
    if not _NAME.fullmatch(name):
        raise ModelError(f'expected a name such as "my2027", found "{name}"', "--new")
    path = f"{name}.claims"
    if os.path.lexists(path):
        raise ModelError("exists already; choose another name", path)
    made = rendered("proofs/sections/draft.claims.j2", {"name": name})
    text = write(read(made, path))  # laid out for this name
    write_outputs({path: text.encode()}, inputs=[])
    print_lines(
        f"claims    {path}: a true one, which is proved, and a false one, which is refuted",
        f"next      pufferproof prove {path}",
    )
