"""Replacing a report: a folder is filled beside the target and swapped in at the end, and only a report of ours is replaced.

A report lists its own files in `report.json` (`"format"`, `"files"`); a folder that holds anything else is refused untouched.
"""

import json
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from pufferproof.models.errors import ModelError


@contextmanager
def replacing(out: Path, form: str) -> Iterator[Path]:
    """Give the body an empty folder to fill, and put it in the place of `out` when the body is done.

    Raises `ModelError` unless `out` is new, empty, or holds nothing but an earlier report of the same format.
    """
    target = out.resolve()
    refuse_foreign(target, out, form)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        staging = Path(tempfile.mkdtemp(dir=target.parent, prefix=f".{target.name}.", suffix=".partial"))
    except OSError as error:
        raise ModelError(f"cannot be written: {error.strerror}", str(out)) from None
    try:
        yield staging
        mask = os.umask(0)
        os.umask(mask)
        staging.chmod(0o777 & ~mask)
        refuse_foreign(target, out, form)  # again: it may have changed meanwhile
        _replace(staging, target)
    except OSError as error:
        raise ModelError(f"cannot be written: {error.strerror}", str(out)) from None
    finally:
        shutil.rmtree(staging, ignore_errors=True)


def files_in(staging: Path) -> list[str]:
    """Return the files of a folder, relative to it and sorted."""
    return sorted(path.relative_to(staging).as_posix() for path in staging.rglob("*") if path.is_file())


def refuse_foreign(target: Path, named: Path, form: str) -> None:
    """Raise `ModelError` unless a folder is new, empty, or holds nothing but a report of that format."""
    if Path.cwd().is_relative_to(target):
        raise ModelError("expected a folder for the report alone, found the current one or one above it", str(named))
    if not target.exists():
        return
    if not target.is_dir():
        raise ModelError("expected a folder, found a file", str(named))
    there = {path.relative_to(target).as_posix() for path in target.rglob("*") if not path.is_dir()}
    foreign = sorted(there - _files_of_report(target, form))
    if foreign:
        raise ModelError(f'expected a new folder or an earlier report, found "{foreign[0]}" in it', str(named))


def _files_of_report(target: Path, form: str) -> set[str]:
    """Return what an earlier report says it wrote; nothing if there is none."""
    try:
        answer = json.loads((target / "report.json").read_text(encoding="utf-8"))
        return {*answer["files"], "report.json"} if answer["format"] == form else set()
    except (OSError, ValueError, KeyError, TypeError):
        return set()


def _replace(staging: Path, target: Path) -> None:
    """Rename `staging` to `target`; what was there is removed once the new folder is in place, put back if it cannot be."""
    if not target.exists():
        staging.rename(target)
        return
    old = Path(tempfile.mkdtemp(dir=target.parent, prefix=f".{target.name}.", suffix=".old")) / "report"
    try:
        target.rename(old)
        try:
            staging.rename(target)
        except BaseException:
            with suppress(OSError):
                old.rename(target)
            raise
    finally:
        if target.exists():
            shutil.rmtree(old.parent, ignore_errors=True)
