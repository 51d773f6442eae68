"""The pages of an arena: one of all frameworks, and one for each method that breaks a level, with
the files that show it again.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from pufferproof.models.files.inputs import MAX_BYTES, bytes_of
from pufferproof.models.files.writing import indented, query_document
from pufferproof.models.numbers.enclosures import Enclosure
from pufferproof.models.numbers.text import JsonObject
from pufferproof.reports.auditing.words import audit_lines
from pufferproof.reports.console.drawing import inline_svg
from pufferproof.reports.console.labels import visible
from pufferproof.reports.correlation.arena.contest import Asked, Row, task_of
from pufferproof.reports.correlation.arena.plot import arena_finding, arena_plot
from pufferproof.reports.correlation.arena.summary import framework_cells
from pufferproof.verify.audit import audit

TEMPLATE = "arena.html.j2"
_SAFE = "abcdefghijklmnopqrstuvwxyz0123456789"


@dataclass(frozen=True)
class Break:
    """A method that breaks the level of a framework, and the names of the files about it."""

    question: Asked
    row: Row
    method: Row

    @property
    def name(self) -> str:
        """A name for the files, of letters, digits and hyphens."""
        text = f"{self.row['framework'].rpartition('.')[0]}-{self.method['name']}".lower()
        words = "".join(c if c in _SAFE else " " for c in text).split()
        return "-".join(["break", *words])

    def as_json(self, folder: str | None) -> JsonObject:
        """Return the entry of the answer."""
        page = None if folder is None else f"{folder}/{self.name}.html"
        known = {"framework": self.row["framework"], "method": self.method["name"]}
        return known | {"page": page}

    def files(self) -> dict[str, bytes]:
        """Return the page, the framework and the mechanism, by their places in the folder."""
        task = task_of(self.question)
        scale = Enclosure(**self.method["scale"])
        mechanism = task.mechanism(scale)
        given = bytes_of(task.loaded.path, MAX_BYTES)
        written = (indented(query_document(mechanism)) + "\n").encode()
        known = audit(
            task.framework if task.loaded.value.records else task.listed, mechanism, task.level
        )
        suffix = task.loaded.path.rpartition(".")[2]
        inputs = [f"{self.name}.{suffix}", f"{self.name}-mechanism.json"]
        command = f'pufferproof audit {" ".join(inputs)} --epsilon "{task.level}"'
        context = {
            "title": f"{self.method['name']} breaks its level",
            "method": self.method["name"],
            "framework": self.row["framework"],
            "level": str(task.level),
            "scale": scale.upper,
            "lines": audit_lines(known),
            "command": command,
            "inputs": inputs,
            "texts": [given.decode("utf-8", "replace"), written.decode()],
        }
        page = _rendered({"broken_level": context})
        return dict(zip((f"{self.name}.html", *inputs), (page, given, written)))


def breaks_of(questions: Sequence[Asked], rows: Sequence[Row]) -> list[Break]:
    """Return the methods that break a level."""
    return [
        Break(question, row, method)
        for question, row in zip(questions, rows)
        for method in row["methods"]
        if method["keeps"] is False
    ]


def index_page(
    rows: Sequence[Row],
    methods: Sequence[JsonObject],
    broken: Sequence[dict[str, str]],
    breaks: Sequence[Break],
) -> bytes:
    """Return the page of all frameworks."""
    finding = arena_finding(methods)
    drawn = Markup(inline_svg(arena_plot(rows, methods), "arena", finding, finding))
    context = {
        "broken_level": None,
        "methods": methods,
        "frameworks": framework_cells(rows),
        "plot": drawn,
        "broken": broken,
        "breaks": breaks,
        "count": len(rows),
    }
    return _rendered(context)


def _rendered(context: dict[str, Any]) -> bytes:
    """Fill the template; everything but our own plot is escaped."""
    environment = Environment(
        loader=PackageLoader("pufferproof.reports"),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=lambda value: (
            visible(value) if isinstance(value, str) and not isinstance(value, Markup) else value
        ),
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    return environment.get_template(TEMPLATE).render(context).encode()
