"""Nothing is imported in a circle: neither modules, nor the entries of any one folder."""

from functools import cache
from pathlib import Path

import grimp
import networkx as nx
import pytest

import pufferproof
from pufferproof.claims.document.module import full_name
from pufferproof.claims.document.parts import Use
from pufferproof.claims.document.reader import read

HOME = Path(pufferproof.__path__[-1])


def built():
    """The modules of the package, with documents of claims and what these use."""
    found = grimp.build_graph("pufferproof", cache_dir=None)
    documents = {
        ".".join(("pufferproof", *path.relative_to(HOME).with_suffix("").parts)): path
        for path in sorted((HOME / "claims").rglob("*.claims"))
    }
    for name in documents:
        found.add_module(name)
    for name, path in documents.items():
        parts = read(path.read_text("utf-8"), str(path)).parts
        for each in (each for each in parts if isinstance(each, Use)):
            place = full_name(each.place)
            used = {place, *(f"{place}.{other}" for other, _ in each.names)}
            for imported in used & found.modules:
                found.add_import(importer=name, imported=imported)
    return found


@cache
def graph():
    return built()


def circles(imports, folder):
    """Lists what is imported in a circle among the entries of a folder."""
    arrows = nx.DiGraph()
    for module in imports.find_descendants(folder):
        for other in imports.find_modules_directly_imported_by(module):
            if other.startswith(f"{folder}."):
                one, two = (entry(folder, each) for each in (module, other))
                if one != two:
                    arrows.add_edge(one, two)
    return [sorted(each) for each in nx.strongly_connected_components(arrows) if len(each) > 1]


def entry(folder, module):
    """The entry of a folder in which a module is."""
    return module.removeprefix(f"{folder}.").split(".")[0]


def folders():
    return sorted(each for each in graph().modules if graph().find_children(each))


def test_no_folder_has_entries_that_import_each_other():
    assert "pufferproof.claims.papers.streaming_cw" in folders()
    assert {each: found for each in folders() if (found := circles(graph(), each))} == {}


PAPERS = "pufferproof.claims.papers"


@pytest.mark.parametrize(
    ("folder", "importer", "imported", "found"),
    [
        (PAPERS, "wang2016.pufferfish", "song2017.x", []),
        (PAPERS, "song2017.x", "wang2016.pufferfish", [["song2017", "wang2016"]]),
        (f"{PAPERS}.bai2026", "composition.x", "nfc.steps", [["composition", "influence", "nfc"]]),
        ("pufferproof.verify.kernel", "reading", "level", [["level", "reading"]]),
    ],
)
def test_an_import_that_closes_a_circle_is_found(folder, importer, imported, found):
    changed = built()
    changed.add_import(importer=f"{folder}.{importer}", imported=f"{folder}.{imported}")
    assert circles(changed, folder) == found
