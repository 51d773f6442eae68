"""Seals: an HMAC with a key of the user's own, so that what a command kept earlier is taken again
without being computed only if this user kept it.

Whoever can read the key can write what is taken. The key lies in the user's state folder, and is
made at first use; without a home there is none.
"""

import hashlib
import hmac
import os
import secrets
import tempfile
from contextlib import suppress
from pathlib import Path

from pufferproof.models.errors import ModelError

_KEY_BYTES = 32


def folder_of(variable: str, default: str) -> Path:
    """Return this program's folder for files of one kind. Raises `RuntimeError` without a home."""
    return Path(os.environ.get(variable) or Path.home() / default) / "pufferproof"


def seal(key: bytes, name: str, payload: bytes) -> str:
    """Return the seal of what is kept under a name."""
    text = name.encode(errors="replace") + b"\n" + payload
    return hmac.new(key, text, hashlib.sha256).hexdigest()


def is_sealed(key: bytes, name: str, payload: bytes, found: object) -> bool:
    """Whether a seal is that of what is kept under a name."""
    expected = seal(key, name, payload)
    return hmac.compare_digest(expected.encode(), str(found).encode(errors="replace"))


def user_key() -> bytes:
    """Return the user's key, and make one if there is none.

    Raises `OSError` or `RuntimeError` unless it can be read or made.
    """
    path = folder_of("XDG_STATE_HOME", ".local/state") / "cache-key"
    with suppress(FileNotFoundError):
        key = path.read_bytes()
        if len(key) == _KEY_BYTES:
            return key
        path.unlink()  # half a key, of a disk that was full
    path.parent.mkdir(parents=True, exist_ok=True)
    # a file that nobody else can read
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(secrets.token_bytes(_KEY_BYTES))
        with suppress(FileExistsError):  # another run was faster
            os.link(temporary, path)
    finally:
        os.unlink(temporary)
    return path.read_bytes()


def key_for(trusted: bool) -> bytes:
    """Return the user's key, with which answers of `--resume` are sealed.

    Raises `ModelError` if there is none, unless the file is trusted: then it needs no key.
    """
    try:
        return user_key()
    except (OSError, RuntimeError) as error:
        if trusted:
            return b""
        said = "expected a folder for the key that seals answers, XDG_STATE_HOME or a home"
        raise ModelError(f"{said}: {error}", "--resume") from None
