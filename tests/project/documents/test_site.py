"""The documentation site: every page is in its menu once, and links lead to pages.

`make docs` builds it; nothing of what builds it is needed here.
"""

import re
import runpy
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

import pufferproof

ROOT = Path(__file__).parents[3]
SITE = ROOT / "docs" / "site"
MENU = re.findall(
    r"^ +- (?:\w+: )?([\w/.-]+\.md)$", (ROOT / "mkdocs.yml").read_text(), re.MULTILINE
)


@pytest.fixture
def hooks(monkeypatch):
    monkeypatch.setitem(sys.modules, "mkdocs.structure.files", SimpleNamespace(File=None))
    return runpy.run_path(str(SITE / "hooks.py"))


def test_every_page_is_in_the_menu_once(hooks):
    written = {path.relative_to(SITE.parent).as_posix() for path in SITE.parent.rglob("*.md")}
    books = {f"notebooks/{path.stem}.md" for path in (SITE.parent / "notebooks").glob("*.ipynb")}
    assert sorted(MENU) == sorted({*written, *books, *hooks["PAGES"].values(), "reference/api.md"})
    assert all((ROOT / source).is_file() for source in hooks["PAGES"])


def test_links_lead_to_pages_or_become_their_text(hooks):
    text = (
        "[a](../concepts/priors.md#b) "
        "![c](d.svg) [e](../../verify/kernel/CERTIFICATES.md#f) "
        "[g](../../verify/audit.py) [h](https://i.org) [j](../../examples/)"
    )
    page = SimpleNamespace(file=SimpleNamespace(src_uri="guides/data.md"))
    assert hooks["on_page_markdown"](text, page) == (
        "[a](../concepts/priors.md#b) "
        "![c](d.svg) [e](../reference/certificates.md#f) g "
        "[h](https://i.org) [j](examples.md)"
    )
    page.file.src_uri = "reference/certificates.md"
    assert hooks["on_page_markdown"]("[a](../../README.md)", page) == "[a](../index.md)"


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
