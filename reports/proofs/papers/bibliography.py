"""Papers by their keys in `catalogue/references.bib`: title, authors, year, where to find them."""

from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from urllib.parse import quote

from pufferproof.claims.registry import paper_given
from pufferproof.models.errors import ModelError, extras


@dataclass(frozen=True)
class Paper:
    """What a page says of a paper; `place` is an arXiv number, a DOI or ""."""

    key: str
    title: str
    authors: tuple[str, ...]
    year: str
    place: str

    @property
    def address(self) -> str:
        """Where the paper is, for a link; "" if that is not known.

        >>> papers()["kifer2014pufferfish"].address
        'https://doi.org/10.1145/2514689'
        """
        kind, _, number = self.place.partition(":")
        home = {"arXiv": "https://arxiv.org/abs/", "doi": "https://doi.org/"}.get(kind, "")
        return f"{home}{quote(number)}" if home else ""

    @property
    def citation(self) -> str:
        """Authors by family name, and year: "Song and Chaudhuri 2017". A name without a comma
        ends with that of the family.
        """
        families = [_family(author) for author in self.authors]
        named = " and ".join(families) if len(families) < 3 else f"{families[0]} et al."
        return " ".join(part for part in (named, self.year) if part)


def _family(author: str) -> str:
    before, comma, _ = author.partition(",")
    return before if comma else (author.split() or [""])[-1]


def paper_of(name: str) -> Paper | None:
    """Return the paper of claims whose ids begin with a name: of the bibliography, or as the
    file of the claims has it in `PAPER`. Raises `ModelError` where that is another thing.
    """
    given = paper_given(name)
    return papers().get(name) or (None if given is None else _given(name, given))


def said_by_claims(name: str) -> str:
    """Return what a file of claims says of their paper, "" if none says anything; what a package
    calls `PAPER` for itself has no title.
    """
    given = paper_given(name)
    return str(given) if isinstance(given, dict) and "title" in given else ""


def _given(name: str, given: object) -> Paper:
    keys = {"title", "authors", "year", "place"}
    if not isinstance(given, dict) or "title" not in given or not given.keys() <= keys:
        raise ModelError("expected a dictionary with title and, if known, authors, year and place", f"PAPER of {name}")
    authors = given.get("authors", ())
    listed = (authors,) if isinstance(authors, str) else tuple(map(str, authors))
    year, place = str(given.get("year", "")), str(given.get("place", ""))
    return Paper(name, str(given["title"]), listed, year, place)


@cache
def papers() -> dict[str, Paper]:
    """Read the bibliography.

    >>> papers()["song2017"].citation
    'Song and Chaudhuri 2017'
    """
    with extras:
        from bibtexparser.entrypoint import parse_string  # which takes longer than what reads no page
        from bibtexparser.middlewares import LatexDecodingMiddleware, NormalizeFieldKeys, SeparateCoAuthors

    text = files("pufferproof.claims").joinpath("catalogue", "references.bib").read_text(encoding="utf-8")
    library = parse_string(
        text, append_middleware=[NormalizeFieldKeys(), LatexDecodingMiddleware(), SeparateCoAuthors()]
    )
    return {
        entry.key: _paper(entry.key, {field.key: field.value for field in entry.fields}) for entry in library.entries
    }


def _paper(key: str, fields: dict[str, object]) -> Paper:
    authors = fields.get("author", ())
    listed = [authors] if isinstance(authors, str) else list(authors)  # type: ignore[call-overload]
    doi = f"doi:{fields['doi']}" if "doi" in fields else ""
    place = f"arXiv:{fields['eprint']}" if "eprint" in fields else doi
    return Paper(key, str(fields["title"]), tuple(map(str, listed)), str(fields.get("year", "")), place)
