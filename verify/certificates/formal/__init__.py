"""Theorems that Coq checked from their definitions, and what is believed of its record.

`sources` reads the files of a folder such as the project's `formal`, `record` what Coq once said of
them, `building` asks Coq again. `make formal` runs the folder as a program. Nothing is imported but
the standard library, and no Coq is needed to read.
"""

from __future__ import annotations


class NotChecked(Exception):  # noqa: N818
    """What stands in the folder is not what Coq checked; the text says where, in one line."""
