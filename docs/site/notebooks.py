"""Notebooks of `docs/notebooks/`: cells are run in order, what they print and draw is kept.

    python docs/site/notebooks.py        run all of them and write the outputs into the files

A test runs them and compares what they show; the site shows them as pages (`page`). The last value
of a cell is shown as notebooks show it: as HTML if it has some, a figure of matplotlib as a
picture, for which the cell says in its metadata, `alt`, what one sees.
"""

import ast
import base64
import io
import json
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any, NamedTuple

FOLDER = Path(__file__).parents[1] / "notebooks"
_DOTS = 72


class Shown(NamedTuple):
    """What a cell shows: what it prints, and its last value as HTML with its text, or a picture."""

    text: str
    html: str | None = None
    plain: str = ""
    picture: str | None = None


def executed(notebook: dict[str, Any], draw: bool = True) -> list[Shown]:
    """Run the cells of code in order: what each shows."""
    names: dict[str, Any] = {"__name__": "notebook"}
    return [_run("".join(cell["source"]), names, draw) for cell in notebook["cells"] if cell["cell_type"] == "code"]


def _run(source: str, names: dict[str, Any], draw: bool) -> Shown:
    tree, printed, value = ast.parse(source), io.StringIO(), None
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    with redirect_stdout(printed):
        exec(compile(tree, "cell", "exec"), names)
        if last is not None:
            value = eval(compile(ast.Expression(last.value), "cell", "eval"), names)
    text = printed.getvalue()
    if not hasattr(value, "savefig"):
        if hasattr(value, "_repr_html_"):
            return Shown(text, value._repr_html_(), repr(value))
        return Shown(text + (f"{value!r}\n" if value is not None else ""))
    picture = io.BytesIO()
    if draw:
        value.savefig(picture, format="png", dpi=_DOTS, bbox_inches="tight", metadata={})
    return Shown(text, picture=base64.b64encode(picture.getvalue()).decode())


def outputs(shown: Shown) -> list[dict[str, Any]]:
    """Return the outputs of a cell, as notebooks keep them."""
    lines = shown.text.splitlines(keepends=True)
    found: list[dict[str, Any]] = []
    if lines:
        found.append({"name": "stdout", "output_type": "stream", "text": lines})
    if shown.html is not None:
        data = {"text/html": [shown.html], "text/plain": [shown.plain]}
    elif shown.picture is not None:
        data = {"image/png": shown.picture}
    else:
        return found
    return [*found, {"data": data, "metadata": {}, "output_type": "display_data"}]


def refresh(path: Path) -> None:
    """Run a notebook and write its outputs into it."""
    notebook = json.loads(path.read_text(encoding="utf-8"))
    code = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    for cell, shown in zip(code, executed(notebook)):
        cell["outputs"] = outputs(shown)
    path.write_text(json.dumps(notebook, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def page(path: Path) -> tuple[str, dict[str, bytes]]:
    """Return a notebook as a page, and its pictures by their names."""
    text, pictures = [], {}
    for number, cell in enumerate(json.loads(path.read_text(encoding="utf-8"))["cells"]):
        source = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            text.append(source)
            continue
        text.append(f"```python\n{source}\n```")
        for output in cell["outputs"]:
            if output["output_type"] == "stream":
                text.append(f"```text\n{''.join(output['text'])}```")
            elif "text/html" in output["data"]:
                text.append("".join(output["data"]["text/html"]))
            else:
                name = f"{path.stem}-{number}.png"
                pictures[name] = base64.b64decode(output["data"]["image/png"])
                text.append(f"![{cell['metadata']['alt']}]({name})")
    return "\n\n".join(text) + "\n", pictures


if __name__ == "__main__":
    for each in sorted(FOLDER.glob("*.ipynb")):
        refresh(each)
