"""Links lead somewhere, and every page of the site is in its menu once."""

import posixpath
import re
import runpy
import sys
import unicodedata
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from types import SimpleNamespace
from urllib.parse import unquote, urlsplit

import pytest

import pufferproof
from pufferproof.reports.proofs.papers.shown import papers

# Links lead somewhere: in every page of Markdown to a file and a heading that are there, in the
# site and the reports as they are written to a file and a place; addresses elsewhere are well
# formed.


ROOT = Path(__file__).parents[3]
MARKDOWN = [
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    ROOT / "CHANGELOG.md",
    *sorted((ROOT / "docs").rglob("*.md")),
    *(
        path
        for folder in ("benchmarks", "counterexamples", "examples", "formal", "tests", "verify")
        for path in sorted((ROOT / folder).rglob("*.md"))
    ),
]
_FENCED = re.compile(r"^( *)(```+).*?^\1\2\n", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"\]\(([^()\s]+(?:\([^()\s]*\))?)\)")
_ELSEWHERE = re.compile(r"https?:[^\s\"'<>`\\]*")


@cache
def prose(path):
    """Return a page without its blocks of code."""
    return _FENCED.sub("", path.read_text(encoding="utf-8"))


@cache
def places(path):
    """Return the names by which headings of a page are linked to, in the checkout and the site."""
    found = set()
    for heading in re.findall(r"^#+ +(.+?) *#*$", prose(path), re.MULTILINE):
        words = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).replace("`", "").replace("*", "")
        kept = re.sub(r"[^\w\s-]", "", words).strip().lower()
        plain = unicodedata.normalize("NFKD", kept).encode("ascii", "ignore").decode()
        found |= {kept.replace(" ", "-"), re.sub(r"[-\s]+", "-", plain)}
    return found | {*re.findall(r'<a (?:id|name)="([^"]+)"', prose(path))}


def test_links_between_pages_lead_to_files_and_headings():
    lost = []
    for path in MARKDOWN:
        for link in _LINK.findall(re.sub(r"`[^`\n]*`", "", prose(path))):
            if re.match(r"(https?|mailto):", link):
                continue
            name, _, place = link.partition("#")
            target = (path.parent / unquote(name)).resolve() if name else path
            if not target.exists() or (place and target.suffix == ".md" and place not in places(target)):
                lost.append((path.relative_to(ROOT).as_posix(), link))
    assert lost == []


def well_formed(address):
    """Whether an address is https, without what a sentence adds to its end, and the identifier of a
    publication in it is one.
    """
    parts = urlsplit(address)
    forms = {
        "doi.org": r"/10\.\d{4,9}/[\w.()/:;-]*\w",
        "arxiv.org": r"/(abs|pdf)/(\d{4}\.\d{4,5}|[a-z-]+(\.[A-Z]{2})?/\d{7})(v\d+)?",
    }
    form = forms.get(parts.netloc, r".*[^.,;:!?)\]]|")
    return (
        parts.scheme == "https"
        and re.fullmatch(r"[a-z0-9-]+(\.[a-z0-9-]+)+", parts.netloc) is not None
        and re.fullmatch(form, parts.path) is not None
    )


@pytest.mark.parametrize(
    ("address", "good"),
    [
        ("https://doi.org/10.1145/2514689", True),
        ("https://doi.org/10.1145/2514689.", False),
        ("https://doi.org/doi:10.1145/2514689", False),
        ("https://arxiv.org/abs/1603.03977v3", True),
        ("https://arxiv.org/abs/cs/0602053", True),
        ("https://arxiv.org/abs/1603.397", False),
        ("http://example.org/page", False),
        ("https://example.org", True),
        ("https://example.org/page).", False),
        ("https://localhost/page", False),
    ],
)
def test_what_is_well_formed(address, good):
    assert well_formed(address) is good


def test_addresses_elsewhere_are_well_formed():
    """Those of papers, and all that pages, the wheel's page and the citation name."""
    others = [ROOT / "pyproject.toml", ROOT / "mkdocs.yml", ROOT / "CITATION.cff"]
    found = {each.address for each in papers().values() if each.address}
    for path in MARKDOWN:
        found |= {link for link in _LINK.findall(prose(path)) if link.startswith("http")}
    for path in others:
        found |= {*_ELSEWHERE.findall(path.read_text(encoding="utf-8"))}
    assert len(found) > 5
    assert [each for each in sorted(found) if not well_formed(each)] == []


class Page(HTMLParser):
    """The places of a page and what it links to."""

    def __init__(self, path):
        super().__init__()
        self.places, self.links = {"", "top"}, set()
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attrs):
        for name, value in attrs:
            if name == "id" or (name == "name" and tag == "a"):
                self.places.add(value)
            elif name in ("href", "src") and not (value or "").startswith("data:"):
                self.links.add(value or "")


@pytest.mark.pages
@pytest.mark.parametrize("folder", ["build/docs", "reports/out"])
def test_every_link_of_what_is_written_leads_somewhere(folder):
    """Of the site and of the reports, which `make pages` writes first."""
    root = ROOT / folder
    if not (root / "index.html").is_file():
        pytest.skip(f"{folder} is not written")
    pages = {path: Page(path) for path in root.rglob("*.html") if path.name != "404.html"}
    lost, elsewhere = set(), set()
    for path, page in pages.items():
        for link in page.links:
            parts = urlsplit(link)
            if parts.scheme:
                elsewhere.add(link)
                continue
            target = Path(posixpath.normpath(path.parent / unquote(parts.path)))
            target = path if not parts.path else target
            place = "" if re.match(r"(verdict|paper|search)=", parts.fragment) else parts.fragment
            if not target.exists() or (target in pages and unquote(place) not in pages[target].places):
                lost.add((path.relative_to(root).as_posix(), link))
    assert sorted(lost) == []
    assert [each for each in sorted(elsewhere) if not well_formed(each)] == []


# The documentation site: every page is in its menu once, and links lead to pages.
#
# `make docs` builds it; nothing of what builds it is needed here.


SITE = ROOT / "docs" / "site"
MENU = re.findall(r"^ +- (?:\w+: )?([\w/.-]+\.md)$", (ROOT / "mkdocs.yml").read_text(), re.MULTILINE)


@pytest.fixture
def hooks(monkeypatch):
    monkeypatch.setitem(sys.modules, "mkdocs.structure.files", SimpleNamespace(File=None))
    return runpy.run_path(str(SITE / "hooks.py"))


def test_every_page_is_in_the_menu_once(hooks):
    written = {path.relative_to(SITE.parent).as_posix() for path in SITE.parent.rglob("*.md")}
    books = {f"notebooks/{path.stem}.md" for path in (SITE.parent / "notebooks").glob("*.ipynb")}
    made = {"reference/api.md", "reference/sections.md"}
    assert sorted(MENU) == sorted({*written, *books, *hooks["PAGES"].values(), *made})
    assert all((ROOT / source).is_file() for source in hooks["PAGES"])


def test_links_lead_to_pages_or_become_their_text(hooks):
    text = (
        "[a](../concepts/priors.md#b) "
        "![c](d.svg) [e](../../verify/kernel/CERTIFICATES.md#f) "
        "[g](../../verify/decision.py) [h](https://i.org) [j](../../examples/)"
    )
    page = SimpleNamespace(file=SimpleNamespace(src_uri="guides/data.md"))
    assert hooks["on_page_markdown"](text, page) == (
        "[a](../concepts/priors.md#b) "
        "![c](d.svg) [e](../reference/certificates.md#f) g "
        "[h](https://i.org) [j](examples.md)"
    )
    page.file.src_uri = "reference/certificates.md"
    assert hooks["on_page_markdown"]("[a](../../README.md)", page) == "[a](../index.md)"


def test_long_commands_go_on_in_a_further_line(hooks):
    page = SimpleNamespace(file=SimpleNamespace(src_uri="guides/data.md"))
    command = "$ pufferproof audit f.json m.json" + 6 * " --epsilon 'a b'"
    text = f"```console\n{command}\n{'x ' * 80}\n```\n\n{'y ' * 80}\n"
    written = hooks["on_page_markdown"](text, page)
    assert written.replace(" \\\n   ", "") == text
    assert written != text
    assert "'a \\\n" not in written


def test_the_page_of_names_has_every_public_name_where_it_stands(hooks):
    named = re.findall(r"^::: pufferproof\.(.+)$", hooks["names"](), re.MULTILINE)
    written = [each for each in named if each.startswith("claims.language.")]
    assert written == [f"claims.language.{each}" for each in hooks["CLAIMS"]]
    found = [each.rpartition(".") for each in named if each not in written]
    assert len(found) == len(set(found)) == len(pufferproof._HOME)
    places = {tuple(place.split(":")) for place in pufferproof._HOME.values()}
    assert {module for module, _, _ in found} == {place[0] for place in places}


def test_sessions_of_docstrings_are_fenced(monkeypatch):
    stub = SimpleNamespace(Extension=object, Object=object)
    monkeypatch.setitem(sys.modules, "griffe", stub)
    rewritten = runpy.run_path(str(SITE / "docstrings.py"))["rewritten"]
    assert rewritten("P[x][y].\n\n    >>> f()[0][1]\n    2\n\nEnd.") == (
        "P[x]\\[y].\n\n    ```pycon\n    >>> f()[0][1]\n    2\n    ```\n\nEnd."
    )


def test_the_one_script_from_elsewhere_is_replaced_by_ours(hooks):
    page = SimpleNamespace(file=SimpleNamespace(dest_uri="guides/data.html"))
    text = '<script src="https://a.org/b"></script><script src="../c.js"></script>'
    ours = '<script src="../site/worker.js"></script><script src="../c.js"></script>'
    assert hooks["on_post_page"](text, page) == ours
    assert "https" not in hooks["on_post_template"](text)
    search = '<div data-md-component="search" role="dialog">'
    named = search.replace(">", ' aria-label="Search">')
    assert hooks["on_post_page"](search, page) == hooks["on_post_template"](search) == named
    assert (SITE / "keyboard.js").is_file()
    assert (SITE / "worker.js").is_file()
