"""A checked build of `formal/` that is kept between checkouts, for continuous integration.

`FORMAL=kept make formal` takes what an earlier run compiled and asked, and compiles and asks what has
changed since. The archive is in the user's cache folder, sealed whole with the key of the user's own
(`models/interface/readable.py`), together with the hash of Coq's programs, of its compiled library
and of the modules that ask Coq, which say what is refused: where one byte of it, of these or of the
key differs, everything is compiled anew, as `FORMAL=require` does always. What was in the folder of
the build before does not count.
"""

import hashlib
import io
import os
import shutil
import subprocess
import zipfile
from contextlib import suppress
from pathlib import Path

from pufferproof.models.errors import ModelError
from pufferproof.models.interface.outputs import write_all_atomically
from pufferproof.models.interface.readable import folder_of, is_sealed, seal, user_key
from pufferproof.verify.certificates.formal import building
from pufferproof.verify.certificates.formal.building import ANSWERS, BUILD, BY, LISTED, WHOLE, clear

_TOOLS = ("coqc", "coqchk", "coqdep", "coqtop", "coq_makefile")
_OF_SOURCES = (".v", ".vo", ".vok", ".vos", ".glob")
_ASKING = tuple(sorted(path for file in (__file__, building.__file__) for path in Path(file).parent.glob("*.py")))
_TIME = (1_000_000_000, 1_000_000_000)  # of all that is unpacked: a source that differs is copied over it, and newer


def restore(folder: Path) -> bool:
    """Replace the build of a folder by the one that is kept; say whether there is one of this Coq."""
    place = folder / BUILD
    clear(place)
    try:
        found, _, data = _archive().read_bytes().partition(b"\n")
        if not is_sealed(user_key(), _coq(), data, found.decode(errors="replace")):
            return False
    except (OSError, RuntimeError, subprocess.CalledProcessError):
        return False
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        for each in map(Path, archive.namelist()):
            path = place / each
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(archive.read(each.as_posix()))
            os.utime(path, _TIME)
    return True


def keep(folder: Path) -> None:
    """Keep the build of a folder, once it was checked: what was compiled of its sources, and what was
    asked about them. Where that cannot be written, or another run begins meanwhile, nothing is kept.
    """
    place, packed = folder / BUILD, io.BytesIO()
    try:
        made = (place / WHOLE).stat().st_mtime_ns  # who compiles deletes it first
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
            for path in sorted(place.rglob("*")):
                is_made = path.parent != place and path.suffix in _OF_SOURCES
                if is_made or (path.parent == place and path.name in (ANSWERS, BY, LISTED)):
                    archive.write(path, path.relative_to(place).as_posix())
        data, path = packed.getvalue(), _archive()
        path.parent.mkdir(parents=True, exist_ok=True)
        if (place / WHOLE).stat().st_mtime_ns == made:
            write_all_atomically({str(path): f"{seal(user_key(), _coq(), data)}\n".encode() + data})
    except (OSError, RuntimeError, ModelError):
        with suppress(OSError, RuntimeError):
            _archive().unlink()


def _archive() -> Path:
    return folder_of("XDG_CACHE_HOME", ".cache") / "coq" / "formal.zip"


def _coq() -> str:
    """Return the hash of Coq's programs, of its compiled library, and of what asks it."""
    library = subprocess.run(["coqc", "-where"], capture_output=True, text=True, check=True).stdout.strip()
    tools = filter(None, map(shutil.which, _TOOLS))
    digest = hashlib.sha256()
    for path in (*map(Path, tools), *sorted(Path(library).rglob("*.vo"))):
        digest.update(f"{hashlib.sha256(path.read_bytes()).hexdigest()} {path}\n".encode())
    for path in _ASKING:  # by their names, as a checkout may be anywhere
        digest.update(f"{hashlib.sha256(path.read_bytes()).hexdigest()} {path.name}\n".encode())
    return digest.hexdigest()
