"""Which files of the kernel one reads to believe a certificate, and how long they are: the table in
README.md, from what these files import.
"""

import ast
import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
KERNEL = ROOT / "verify" / "kernel"
CHECK = {"reading", "files", "__init__", "__main__"}  # which every kind is checked by


def path_of(file: str) -> Path:
    return KERNEL.joinpath(*file.split(".")).with_suffix(".py")


def needed(file: str) -> set[str]:
    """Return the files that a file of the kernel imports, and those that these import."""
    tree = ast.parse(path_of(file).read_text(encoding="utf-8"))
    folder = file.rpartition(".")[0]
    found = {file}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.level:
            base = folder if node.level == 1 else ""
            names = [node.module] if node.module else [name.name for name in node.names]
            for name in names:
                found |= needed(file_of(".".join(filter(None, (base, name)))))
    return found


def file_of(module: str) -> str:
    """Return the file of a module, which may be a folder, or stand in one."""
    inside = [path.parent.name for path in KERNEL.glob(f"*/{module}.py")]
    if inside:
        return f"{inside[0]}.{module}"
    return module if path_of(module).exists() else f"{module}.__init__"


def cells(family: str | None) -> str:
    """Return the last two cells of a row: files to read for a family, or for every kind, in the
    order of their names, and the lines of all that decide.
    """
    files = CHECK if family is None else needed(file_of(family)) | CHECK
    listed = sorted(path_of(file) for file in (CHECK if family is None else files - CHECK))
    names = " ".join(f"`{path.relative_to(KERNEL).as_posix()}`" for path in listed)
    lines = sum(path_of(file).read_text(encoding="utf-8").count("\n") for file in files)
    return f"{names} | {lines:,}"


def readme(text: str) -> str:
    """Return README.md with the table as it should be; each family needs a row."""
    families = sorted(path.parent.name for path in Path(__file__).parent.glob("*/corpus.json"))
    for family, start in [(None, "every kind"), *((name, f"`{name}`:") for name in families)]:
        row = re.compile(rf"^(\| {start}[^|]*\| ).* \|$", flags=re.MULTILINE)
        if not row.search(text):
            raise SystemExit(f"README.md: expected a row that begins with | {start}")
        text = row.sub(rf"\g<1>{cells(family)} |", text)
    return text
