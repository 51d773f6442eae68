"""The pictures of the pages on concepts are those that are drawn now, and say what they show."""

import importlib.util
from pathlib import Path
from xml.etree import ElementTree

import pytest

DOCS = Path(__file__).parents[3] / "docs"


@pytest.fixture(scope="module")
def drawn():
    spec = importlib.util.spec_from_file_location("pictures", DOCS / "site" / "pictures.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return {name: draw() for name, draw in module.PICTURES.items()}


def test_the_numbers_in_pictures_are_computed(drawn):
    for name, picture in drawn.items():
        assert (DOCS / "concepts" / name).read_text(encoding="utf-8") == picture, name


def test_a_picture_says_its_finding_and_follows_light_and_dark(drawn):
    for picture in drawn.values():
        root = ElementTree.fromstring(picture)
        assert len(root.find("{*}title").text) > 40
        assert "prefers-color-scheme: dark" in root.find("{*}style").text
        assert "http" not in picture.replace("http://www.w3.org/2000/svg", "")


def test_the_pages_show_every_picture_with_a_text(drawn):
    pages = "".join(page.read_text(encoding="utf-8") for page in (DOCS / "concepts").glob("*.md"))
    for name in drawn:
        text, _, _ = pages.rpartition(f"]({name})")
        assert len(text.rpartition("![")[2]) > 30
