"""Documents of claims as pages of the site, from what `make docs` wrote into build/sections."""

import json
import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Any

FOLDER, INDEX = "sections", "reference/sections.md"
_ABOUT = """# Claims by sections

Each section of a paper is a document: its letters, its statements with the recorded verdict of
each, what the paper prints, why, and counterexamples. A formula is typeset from what was parsed.
[Verdicts](../concepts/verdicts.md) says what the words mean, and [claims](../guides/claims.md) how
to write such a document.
"""


def sections(written: Path) -> dict[str, dict[str, Any]]:
    """Return the pages that were written, by the names of their files in the site."""
    found = sorted(written.glob("*.json"))
    if not found:
        logging.getLogger("mkdocs").warning("%s is empty: run make docs", written)
    read = [json.loads(each.read_text(encoding="utf-8")) for each in found]
    return {f"{FOLDER}/{each['name']}.md": each for each in read}


def page(section: dict[str, Any]) -> str:
    """Return the Markdown of a page: its headings, and where its pieces go."""
    others = section["pieces"][1:]
    parts = [f"# {section['title']}", place(0)]
    for number, piece in enumerate(others, 1):
        parts += [f"## {piece['title']} {{#{piece['anchor']}}}", place(number)]
    parts.append(f"The document: `{section['place']}`. [All sections](../{INDEX})")
    return "\n\n".join(parts) + "\n"


def place(number: int) -> str:
    """Return what stands in a page where a piece goes."""
    return f'<div id="piece-{number}"></div>'


def filled(html: str, section: dict[str, Any]) -> str:
    """Return a page with its pieces."""
    for number, piece in enumerate(section["pieces"]):
        html = html.replace(place(number), piece["html"], 1)
    return html


def index(pages: dict[str, dict[str, Any]]) -> str:
    """Return the page that lists all, by papers."""
    return _ABOUT + "\n".join(_listed(pages)) + "\n"


def _listed(pages: dict[str, dict[str, Any]]) -> Iterator[str]:
    for paper in dict.fromkeys(each["paper"] for each in pages.values()):
        yield f"\n## {paper}\n"
        for name, each in pages.items():
            if each["paper"] == paper:
                counts = ", ".join(f"{n} {word.lower()}" for word, n in each["verdicts"].items())
                yield f"- [{each['title']}](../{name}): {counts}"
