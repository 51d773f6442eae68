"""The frameworks of an arena: those that `frameworks.toml` lists in its folder, or all in a folder
without that file.

An entry has a framework, a query (a name, or a file) and a level. Places are those in the folder.
"""

from importlib.resources import files
from pathlib import Path
from typing import Annotated

from pydantic import Field, StrictStr

from pufferproof.models.errors import ModelError
from pufferproof.models.files.reading import read_loaded
from pufferproof.models.files.shapes import Shape
from pufferproof.models.noise.additive import QUERIES

LIST = "frameworks.toml"
_QUERY, _LEVEL = "sum", "1"
_ENDS = (".json", ".toml")


class Case(Shape):
    """A framework, a query and a level."""

    framework: StrictStr
    query: StrictStr = _QUERY
    epsilon: StrictStr = _LEVEL


class ArenaFile(Shape):
    """The list of an arena."""

    case: Annotated[list[Case], Field(min_length=1)]


def shipped() -> Path:
    """Return the folder of the arena that is shipped."""
    return Path(str(files("pufferproof.examples").joinpath("arena")))


def cases_of(folder: Path) -> list[Case]:
    """Return the frameworks of an arena, each with its query and level.

    Raises `ModelError` unless there is one.
    """
    if not folder.is_dir():
        raise ModelError(f"expected a folder with frameworks or {LIST}", str(folder))
    listed = folder / LIST
    if listed.exists():
        return read_loaded(str(listed), ArenaFile).value.case
    paths = sorted(
        path.relative_to(folder).as_posix()
        for path in folder.rglob("*")
        if path.suffix in _ENDS and path.is_file() and not path.name.endswith(".query.json")
    )
    if not paths:
        raise ModelError(f"expected frameworks (.json, .toml) or {LIST}, found none", str(folder))
    return [Case(framework=place, query=_query(folder, place)) for place in paths]


def _query(folder: Path, place: str) -> str:
    """Return the query beside a framework, `NAME.query.json` beside `NAME.json`, or the sum."""
    beside = str(Path(place).with_suffix(".query.json").as_posix())
    return beside if (folder / beside).exists() else _QUERY


def named_files(place: str, query: str) -> list[str]:
    """Return the files that an entry names: its framework and, unless it is a name, its query."""
    return [place] if query in QUERIES else [place, query]


def query_path(folder: Path, query: str) -> str:
    """Return the name of a query, or its file in the folder."""
    return query if query in QUERIES else str(folder / query)
