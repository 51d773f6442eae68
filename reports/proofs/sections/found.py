"""Which documents the claims of a report stand in, as pages."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import pufferproof.claims as claims_of_the_package
from pufferproof.claims.document.lines import SUFFIX
from pufferproof.claims.document.outside import LONGEST
from pufferproof.claims.document.parts import Document
from pufferproof.claims.document.reader import read
from pufferproof.claims.run import Result
from pufferproof.models.files.inputs import bytes_of
from pufferproof.reports.proofs.pages import file_name
from pufferproof.reports.proofs.sections.shown import Section
from pufferproof.reports.proofs.sentences import View

HOME = Path(claims_of_the_package.__file__).resolve().parent
_SHELVES = ("papers", "ours")


@dataclass(frozen=True)
class Page:
    """A document as a page: its text, its place for readers, and the name of its page."""

    text: str
    place: str
    name: str

    @cached_property
    def document(self) -> Document:
        """What the text says."""
        return read(self.text, self.place)

    def view(self, results: Sequence[Result], views: Sequence[View]) -> View:
        """Return what templates show of it, with what was found of its claims."""
        mine = {each.id for each in self.document.claims}
        examined = {
            result["id"]: (result, view)
            for result, view in zip(results, views, strict=True)
            if result["id"] in mine
        }
        papers = dict.fromkeys(view["paper_file"] for _, view in examined.values())
        symbols = {x: y for _, view in examined.values() for x, y in view["symbols"].items()}
        more = {"place": self.place, "file": self.name, "papers": [*papers], "symbols": symbols}
        return {**Section(self.document, self.text, examined).view(), **more}


def texts_of(pages: Sequence[Page]) -> list[list[str]]:
    """Return what pages are made from, but for what was found of claims."""
    return [[page.name, page.place, page.text] for page in pages]


def pages_of(results: Sequence[Result], extra: Sequence[str] = ()) -> list[Page]:
    """Return the documents of claims as pages: those of this package by the places of claims, and
    those of files and folders of a user.
    """
    own = {place for result in results if (place := _place(result))}
    found = {page.name: page for page in map(page_of, sorted(own))}
    known = {result["id"] for result in results}
    for page in _of_users(extra):
        if known & {each.id for each in page.document.claims}:
            name, number = page.name, 1
            while name in found:
                number += 1
                name = f"{page.name}-{number}"
            found[name] = Page(page.text, page.place, name)
    return [*found.values()]


def page_of(place: str) -> Page:
    """Return the page of a document of this package, by its place from the root."""
    path = HOME.parent / place
    inner = path.relative_to(HOME).with_suffix("").parts
    name = ".".join(inner[1:] if inner[0] in _SHELVES else inner)
    return Page(_text(path), place, file_name(name))


def _place(result: Result) -> str:
    """Return the place of the document of a claim of this package, "" if it is of none."""
    place = str(result.get("source", "")).rpartition(":")[0]
    is_own = place.startswith(f"{HOME.name}/") and place.endswith(SUFFIX)
    return place if is_own and (HOME.parent / place).is_file() else ""


def _of_users(extra: Sequence[str]) -> Iterator[Page]:
    for each in extra:
        path = Path(each)
        paths = sorted(path.rglob(f"*{SUFFIX}")) if path.is_dir() else [path]
        for one in paths:
            if one.suffix == SUFFIX:
                yield Page(_text(one), one.name, file_name(one.stem))


def _text(path: Path) -> str:
    return bytes_of(path, LONGEST).decode("utf-8")


def places(sections: Sequence[View]) -> Mapping[str, View]:
    """Return of every claim where it stands: the page of its section, and the place there."""
    return {
        part["id"]: {"file": each["file"], "anchor": part["anchor"], "title": each["title"]}
        for each in sections
        for part in each["parts"]
        if part["kind"] == "claim"
    }
