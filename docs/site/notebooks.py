"""Notebooks of `docs/notebooks/`: cells are run in order, what they print and draw is kept.

    python docs/site/notebooks.py        run all of them and write the outputs into the files

A test runs them and compares what they print; the site shows them as pages (`page`). A cell that
draws leaves its figure as its last value, and says in its metadata, `alt`, what one sees.
"""

import ast
import base64
import io
import json
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parents[1] / "notebooks"
_DOTS = 72


def executed(notebook: dict[str, Any], draw: bool = True) -> list[tuple[str, str | None]]:
    """Run the cells of code in order: what each prints, and the picture its last value is."""
    names: dict[str, Any] = {"__name__": "notebook"}
    return [
        _run("".join(cell["source"]), names, draw)
        for cell in notebook["cells"]
        if cell["cell_type"] == "code"
    ]


def _run(source: str, names: dict[str, Any], draw: bool) -> tuple[str, str | None]:
    tree, printed, value = ast.parse(source), io.StringIO(), None
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    with redirect_stdout(printed):
        exec(compile(tree, "cell", "exec"), names)
        if last is not None:
            value = eval(compile(ast.Expression(last.value), "cell", "eval"), names)
    if not hasattr(value, "savefig"):
        return printed.getvalue() + (f"{value!r}\n" if value is not None else ""), None
    picture = io.BytesIO()
    if draw:
        value.savefig(picture, format="png", dpi=_DOTS, bbox_inches="tight", metadata={})
    return printed.getvalue(), base64.b64encode(picture.getvalue()).decode()


def outputs(text: str, picture: str | None) -> list[dict[str, Any]]:
    """Return the outputs of a cell, as notebooks keep them."""
    lines = text.splitlines(keepends=True)
    stream = [{"name": "stdout", "output_type": "stream", "text": lines}] if lines else []
    if picture is None:
        return stream
    shown = {"data": {"image/png": picture}, "metadata": {}, "output_type": "display_data"}
    return [*stream, shown]


def refresh(path: Path) -> None:
    """Run a notebook and write its outputs into it."""
    notebook = json.loads(path.read_text(encoding="utf-8"))
    code = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    for cell, (text, picture) in zip(code, executed(notebook)):
        cell["outputs"] = outputs(text, picture)
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
            else:
                name = f"{path.stem}-{number}.png"
                pictures[name] = base64.b64decode(output["data"]["image/png"])
                text.append(f"![{cell['metadata']['alt']}]({name})")
    return "\n\n".join(text) + "\n", pictures


if __name__ == "__main__":
    for each in sorted(FOLDER.glob("*.ipynb")):
        refresh(each)
