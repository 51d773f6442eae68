"""A second reader: whether an exported file for Coq states what a certificate claims.

Coq says that the last theorem of the file is true. This says that the tables in it are those of
the certificate, that the theorem is about them and is the claim, and that the file has nothing but
tables, the theorem and one computation. It shares no code with the exporter or with the kernel.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable

from . import NotChecked
from .chains import designs, redaction
from .reals import enclosure, farkas, inequality, optimum
from .releases import leakage, many_runs, worst
from .taken_apart import ExportedFile, Json

Reader = Callable[[ExportedFile, Json], tuple[list[str], str]]
KINDS: dict[str, Reader] = {
    "leakage-at-most": leakage,
    "leakage-witness": leakage,
    "joint-leakage-at-most": leakage,
    "joint-leakage-witness": leakage,
    "delta-at-most": leakage,
    "delta-witness": leakage,
    "nfc": many_runs,
    "nfc-violation": many_runs,
    "rate": many_runs,
    "worst-at-most": worst,
    "exp-enclosure": enclosure,
    "redaction-leakage": redaction,
    "redaction-designs": designs,
    "polynomial-inequality": inequality,
    "farkas": farkas,
    "lp-optimum": optimum,
}


def compare(text: str, data: bytes) -> str:
    """Return the statement of a file if it is the claim of the certificate with these bytes.

    Raises `NotChecked` with the first difference.
    """
    file = ExportedFile(text)
    if file.digest != hashlib.sha256(data).hexdigest():
        raise NotChecked("the file is of a certificate with another SHA-256")
    certificate = json.loads(data, parse_float=str)
    kind = certificate["kind"]
    if kind not in KINDS:
        raise NotChecked(f"there is no reader for certificates of the kind {kind!r}")
    names, statement = KINDS[kind](file, certificate)
    found = [name for name in file.definitions if name not in file.tables]
    if found != names:
        raise NotChecked(f"expected the definitions {names}, found {found}")
    if file.statement != statement:
        raise NotChecked(f"expected the statement {statement}, found {file.statement}")
    return file.statement
