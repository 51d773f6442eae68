"""Building a folder of Coq sources: in the folder above, `python -m formal FOLDER`.

Builds FOLDER and writes its CHECKED.json. Exit codes: 0 checked, or no Coq is there; 1 refused, and
with FORMAL=require or kept also if no Coq is there or CHECKED.json said otherwise; 2 wrong usage, or a
Coq that is too old. With FORMAL=require it begins afresh.
"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from . import NotChecked, record
from .building import BUILD, NoCoq, build

Tied = Callable[[Path], list[record.Tie]]


def nothing_tied(place: Path) -> list[record.Tie]:
    """Tie nothing: a folder without a vocabulary."""
    return []


def main(argv: Sequence[str], tied: Tied = nothing_tied) -> int:
    """Run the command line; the result is the exit code. `tied` has Coq decide the entries of a
    vocabulary in the folder of what was compiled.
    """
    if len(argv) != 1 or not Path(argv[0]).is_dir():
        print("usage: formal FOLDER", file=sys.stderr)
        return 2
    asked = os.environ.get("FORMAL")
    required = asked in ("require", "kept")
    try:
        return checked(Path(argv[0]), required, tied, afresh=asked == "require")
    except NoCoq as error:
        print(f"formal: {error}", file=sys.stderr if required else sys.stdout)
        if shutil.which("coqc"):
            return 2
        return 1 if required else 0
    except NotChecked as error:
        print(f"formal: refused: {error}", file=sys.stderr)
        return 1


def checked(folder: Path, required: bool, tied: Tied = nothing_tied, afresh: bool = False) -> int:
    """Build, write what Coq said, and tell how that differs from what was written before."""
    found = build(folder, afresh)
    found = replace(found, ties=tied(folder / BUILD))
    path = folder / record.NAME
    before = path.read_text(encoding="utf-8") if path.exists() else ""
    after = record.text(found)
    path.write_text(after, encoding="utf-8")
    record.read(folder)
    ties = f", {len(found.ties)} ties" if found.ties else ""
    print(f"Coq {found.coq}: {len(found.theorems)} theorems of {len(found.files)} files checked{ties}")
    if before in (after, ""):
        return 0
    print(f"{record.NAME} said otherwise before")
    return 1 if required and f'"coq": "{found.coq}"' in before else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
