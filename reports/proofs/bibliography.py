"""Papers by their keys in `claims/references.bib`: title, authors, year and where to find them."""

from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from bibtexparser.entrypoint import parse_string
from bibtexparser.middlewares import (
    LatexDecodingMiddleware,
    NormalizeFieldKeys,
    SeparateCoAuthors,
)


@dataclass(frozen=True)
class Paper:
    """What a page says of a paper; `place` is an arXiv number, a DOI or "", as text that can be
    searched for.
    """

    key: str
    title: str
    authors: tuple[str, ...]
    year: str
    place: str

    @property
    def citation(self) -> str:
        """Authors by family name, and year: "Song and Chaudhuri 2017"."""
        families = [author.partition(",")[0] for author in self.authors]
        named = " and ".join(families) if len(families) < 3 else f"{families[0]} et al."
        return " ".join(part for part in (named, self.year) if part)


@cache
def papers() -> dict[str, Paper]:
    """Read the bibliography.

    >>> papers()["song2017"].citation
    'Song and Chaudhuri 2017'
    """
    text = files("pufferproof.claims").joinpath("references.bib").read_text(encoding="utf-8")
    library = parse_string(
        text,
        append_middleware=[NormalizeFieldKeys(), LatexDecodingMiddleware(), SeparateCoAuthors()],
    )
    return {
        entry.key: _paper(entry.key, {field.key: field.value for field in entry.fields})
        for entry in library.entries
    }


def _paper(key: str, fields: dict[str, object]) -> Paper:
    authors = fields.get("author", ())
    listed = [authors] if isinstance(authors, str) else list(authors)  # type: ignore[call-overload]
    doi = f"doi:{fields['doi']}" if "doi" in fields else ""
    place = f"arXiv:{fields['eprint']}" if "eprint" in fields else doi
    return Paper(
        key, str(fields["title"]), tuple(map(str, listed)), str(fields.get("year", "")), place
    )
