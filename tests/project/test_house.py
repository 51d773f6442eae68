"""The house: every folder says what lives there, none is crowded, and every place named exists."""

import ast
import re
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FLOORS = ("models", "verify", "lp", "counterexamples", "claims", "reports")
SHOWN = (*FLOORS, "tests", "docs", "benchmarks", "examples", "formal")
TEXTS = ["README.md", "CONTRIBUTING.md", "Makefile", "pyproject.toml"]


def folders(*tops):
    return [
        folder
        for top in tops
        for folder in [ROOT / top, *sorted((ROOT / top).rglob("*/"))]
        if folder.is_dir() and not passed_over(folder)
    ]


def passed_over(path):
    """Whether a path is hidden, or in a folder of caches or outputs."""
    parts = path.relative_to(ROOT).parts
    hidden = any(part[0] == "." for part in parts)
    return hidden or bool({"__pycache__", "out", "out-proofs"} & {*parts})


def entries(folder):
    return [
        path
        for path in folder.iterdir()
        if path.name not in ("__init__.py", "__pycache__") and path.name[0] != "."
    ]


def name(path):
    return str(path.relative_to(ROOT))


@pytest.mark.parametrize("folder", folders(*SHOWN), ids=name)
def test_no_folder_is_crowded(folder):
    if "kernel" in folder.parts and "tests" in folder.parts:
        pytest.skip("a corpus has one file per case")
    assert len(entries(folder)) <= 12


@pytest.mark.parametrize("folder", folders(*SHOWN), ids=name)
def test_no_file_repeats_the_name_of_its_folder(folder):
    names = {path.stem.removeprefix("test_") for path in entries(folder) if path.is_file()}
    assert folder.name not in names


@pytest.mark.parametrize(
    "folder", [each for each in folders(*FLOORS) if any(each.glob("*.py"))], ids=name
)
def test_every_folder_of_code_opens_with_what_lives_there(folder):
    assert ast.get_docstring(ast.parse((folder / "__init__.py").read_text(encoding="utf-8")))


@pytest.mark.parametrize("folder", folders(*FLOORS), ids=name)
def test_what_a_folder_tells_to_read_is_in_it(folder):
    opening = folder / "__init__.py"
    head = (
        ast.get_docstring(ast.parse(opening.read_text(encoding="utf-8")))
        if opening.exists()
        else ""
    )
    inside = {path.stem for path in folder.iterdir()} | {
        path.stem for path in folder.parent.iterdir()
    }
    named = re.findall(r"`([a-z_]{2,}[a-z_.0-9]*)`", head or "")
    assert [each for each in named if each.split(".")[0] not in {*inside, "pufferproof"}] == []


def sources():
    return [
        path
        for top in (*FLOORS, "tests", "benchmarks", "examples")
        for path in sorted((ROOT / top).rglob("*.py"))
        if not passed_over(path)
    ]


@cache
def texts():
    guides = [ROOT / each for each in TEXTS] + sorted((ROOT / "docs").glob("*.md"))
    notes = [path for top in SHOWN for path in sorted((ROOT / top).rglob("*.md"))]
    return {
        name(path): path.read_text(encoding="utf-8")
        for path in {*guides, *notes, *sources()}
        if not passed_over(path)
    }


PLACE = re.compile(
    r"(?<![\w/.<-])((?:\.\./)*(?:" + "|".join(SHOWN) + r")/[\w./-]+\.(?:py|md|toml|bib|css|js|v))\b"
)
MODULE = re.compile(r"\bpufferproof((?:\.[a-z_][a-z_0-9]*)+)")
LINK = re.compile(r"\]\(([\w./-]+)(?:#[\w-]*)?\)")


@pytest.mark.parametrize("text", sorted(texts()))
def test_whatever_is_named_exists(text):
    content = texts()[text] if text.endswith(".md") else prose(text)
    beside = (ROOT / text).parent
    for place in PLACE.findall(content):
        assert (ROOT / place).exists() or (beside / place).exists(), place
    for module in MODULE.findall(content):
        assert exists(module), f"pufferproof{module}"
    if text.endswith(".md"):
        for link in LINK.findall(content):
            assert (beside / link).exists(), link


def prose(text):
    """What a source says in words: its docstrings and comments."""
    content = (ROOT / text).read_text(encoding="utf-8")
    if not text.endswith(".py"):
        return content
    nodes = [
        node
        for node in ast.walk(ast.parse(content))
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef)
    ]
    return "\n".join(
        [ast.get_docstring(node) or "" for node in nodes] + re.findall(r"#.*", content)
    )


def exists(module):
    """Whether `.a.b.c` is a module of the package, or a name in one."""
    parts = module.strip(".").split(".")
    for size in range(len(parts), -1, -1):
        base = (ROOT if size else ROOT / "src" / "pufferproof").joinpath(*parts[:size])
        file = base / "__init__.py" if base.is_dir() else base.with_suffix(".py")
        if file.exists() and (size or len(parts) == 1):
            words = file.read_text(encoding="utf-8")
            return size == len(parts) or all(
                re.search(rf"\b{part}\b", words) for part in parts[size:]
            )
    return module in (".strategies",)


def lengths(path):
    """The lines of every function's body, its docstring left out, by name."""
    sizes = {}
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef):
            body = node.body[1:] if ast.get_docstring(node) is not None else node.body
            if body:
                sizes[f"{node.name}:{node.lineno}"] = body[-1].end_lineno - body[0].lineno + 1
    return sizes


def test_functions_are_short():
    code = [path for top in FLOORS for path in sorted((ROOT / top).rglob("*.py"))]
    every = {name(path): lengths(path) for path in code if not passed_over(path)}
    sizes = sorted(size for each in every.values() for size in each.values())
    assert sizes[len(sizes) // 2] <= 8
    long = {path: max(each.values(), default=0) for path, each in every.items()}
    assert {path: size for path, size in long.items() if size > 40} == {}


def nested(source):
    """The lines of conditional expressions in which another one stands."""
    return [
        node.lineno
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.IfExp)
        and any(isinstance(each, ast.IfExp) for each in ast.walk(node) if each is not node)
    ]


def test_no_conditional_expression_stands_in_another():
    assert nested("a = 1 if b else 2 if c else 3") == [1]
    assert nested("a = 1 if b else 2\nc = [1 if b else 2 for b in d]") == []
    code = [path for top in FLOORS for path in sorted((ROOT / top).rglob("*.py"))]
    code = [path for path in code if not passed_over(path)]
    every = {name(path): nested(path.read_text(encoding="utf-8")) for path in code}
    assert {path: lines for path, lines in every.items() if lines} == {}
