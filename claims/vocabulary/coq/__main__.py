"""The command behind `make formal`: `python -m pufferproof.claims.vocabulary.coq FOLDER`.

Writes the propositions of all statement objects, has Coq check FOLDER, ties the vocabulary, and
writes CHECKED.json. With `--write` it writes the propositions only, which needs no Coq. With
FORMAL=kept it takes what an earlier run of this user compiled, if that was kept (`kept.py`).
"""

import os
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

from pufferproof.claims.vocabulary.coq.kept import keep, restore
from pufferproof.claims.vocabulary.coq.tie import tied
from pufferproof.claims.vocabulary.coq.written import write
from pufferproof.verify.certificates.formal.__main__ import main as checked


def main(argv: Sequence[str]) -> int:
    """Run the command line; the result is the exit code."""
    folders = [each for each in argv if each != "--write"]
    if len(folders) == 1 and Path(folders[0]).is_dir():
        write(Path(folders[0]))
        if "--write" in argv:
            return 0
    if len(folders) != 1 or os.environ.get("FORMAL") != "kept":
        return checked(folders, tied)
    restore(Path(folders[0]))
    if (code := checked(folders, tied)) == 0 and shutil.which("coqc"):
        keep(Path(folders[0]))
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
