"""The house: every folder says what lives there, none is crowded, every place named exists, and
continuous integration takes every step.
"""

import ast
import re
import subprocess
import tomllib
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from pufferproof.reports.commands import COMMANDS

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
    return [path for path in folder.iterdir() if path.name != "__init__.py" and not passed_over(path)]


def name(path):
    return str(path.relative_to(ROOT))


def test_every_name_at_the_top_has_a_line_in_contributing():
    told = re.findall(r"^\|(.*?)\|", (ROOT / "CONTRIBUTING.md").read_text("utf-8"), re.MULTILINE)
    named = {each.rstrip("/") for line in told for each in re.findall(r"`([^`]+)`", line)}
    done = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False)
    tracked = {line.partition("/")[0] for line in done.stdout.splitlines()}
    assert tracked <= named


def test_the_table_of_floors_names_every_room_and_no_other():
    lines = (ROOT / "CONTRIBUTING.md").read_text("utf-8").splitlines()
    rows = {row[1].strip(" `/"): row[3] for row in (line.split("|") for line in lines) if row[3:]}
    for floor in FLOORS:
        named = {each.partition("/")[0] for each in re.findall(r"`([^`]+)`", rows[floor])}
        assert named == {path.name for path in entries(ROOT / floor)}, floor


def test_no_file_repeats_the_name_of_its_folder():
    rooms = {
        folder: {path.stem.removeprefix("test_") for path in entries(folder) if path.is_file()}
        for folder in folders(*SHOWN)
    }
    assert [name(folder) for folder, names in rooms.items() if folder.name in names] == []


def opening(folder):
    """The docstring of a folder, or nothing."""
    file = folder / "__init__.py"
    return (ast.get_docstring(ast.parse(file.read_bytes())) or "") if file.exists() else ""


def test_every_folder_of_code_opens_with_what_lives_there():
    code = [each for each in folders(*FLOORS) if any(each.glob("*.py"))]
    assert len(code) > 100
    assert [name(folder) for folder in code if not opening(folder)] == []


def test_what_a_folder_tells_to_read_is_in_it():
    absent = {}
    for folder in folders(*FLOORS):
        inside = {path.stem for beside in (folder, folder.parent) for path in beside.iterdir()}
        named = re.findall(r"`([a-z_]{2,}[a-z_.0-9]*)`", opening(folder))
        known = {*inside, "pufferproof"}
        absent[name(folder)] = [each for each in named if each.split(".")[0] not in known]
    assert {folder: names for folder, names in absent.items() if names} == {}


def sources():
    return [
        path
        for top in (*FLOORS, "tests", "benchmarks", "examples")
        for path in sorted((ROOT / top).rglob("*.py"))
        if not passed_over(path)
    ]


def texts():
    guides = [ROOT / each for each in TEXTS] + sorted((ROOT / "docs").glob("*.md"))
    notes = [path for top in SHOWN for path in sorted((ROOT / top).rglob("*.md"))]
    return {
        name(path): path.read_text(encoding="utf-8") for path in {*guides, *notes, *sources()} if not passed_over(path)
    }


PLACE = re.compile(r"(?<![\w/.<-])((?:\.\./)*(?:" + "|".join(SHOWN) + r")/[\w./-]+\.(?:py|md|toml|bib|css|js|v))\b")
MODULE = re.compile(r"\bpufferproof((?:\.[a-z_][a-z_0-9]*)+)")
LINK = re.compile(r"\]\(([\w./-]+)(?:#[\w-]*)?\)")


def test_whatever_is_named_exists():
    named = {text: absent(text, content) for text, content in texts().items()}
    assert len(named) > 1000
    assert {text: names for text, names in named.items() if names} == {}


def absent(text, content):
    """What a text names that does not exist; of a source, what its docstrings and comments name."""
    found = nowhere(text, content)
    return nowhere(text, prose(content)) if found and text.endswith(".py") else found


def nowhere(text, content):
    """What is named anywhere in a text and does not exist."""
    beside = (ROOT / text).parent
    places = [
        place for place in PLACE.findall(content) if not (ROOT / place).exists() and not (beside / place).exists()
    ]
    modules = [f"pufferproof{each}" for each in MODULE.findall(content) if not exists(each)]
    links = LINK.findall(content) if text.endswith(".md") else []
    return [*places, *modules, *(link for link in links if not (beside / link).exists())]


# the rules for prose that a pattern can find: what is written, and what to write
UNPLAIN = {
    r"\bhad (?:been|\w+ed)\b": "the present tense",
    r"\bNone where\b": "or None if",
    r"\bexpected no (?!more\b)": "what is wrong, then what to do",
}
MOST_WORDS = 25  # of a sentence of help


def written_unplainly(content):
    return [found for pattern in UNPLAIN for found in re.findall(pattern, content)]


def test_what_people_read_is_in_plain_english():
    texts = [path for path in sources() if path.relative_to(ROOT).parts[0] in FLOORS]
    texts += [path for top in ("docs", "benchmarks", "examples") for path in (ROOT / top).rglob("*.md")]
    texts += list(ROOT.glob("*.md"))
    assert len(texts) > 900
    found = {name(path): written_unplainly(path.read_text(encoding="utf-8")) for path in texts}
    assert {path: words for path, words in found.items() if words} == {}
    assert len(written_unplainly("It had been lost. None where none. expected no option")) == 3


def test_documents_say_who_acts():
    texts = [*(ROOT / "docs").rglob("*.md"), *ROOT.glob("*.md"), *(ROOT / "examples").rglob("*.md")]
    found = {
        name(path): re.findall(r"\b[Ww]hoever\b|\b[Oo]ne (?:sees|reads)\b", path.read_text("utf-8")) for path in texts
    }
    assert {path: words for path, words in found.items() if words} == {}


def test_help_has_short_sentences_that_begin_with_a_verb():
    for place in COMMANDS.values():
        sentences = place.says.rstrip(".").split(". ")
        assert max(len(each.split()) for each in sentences) <= MOST_WORDS, place.says
        assert not re.match(r"(?:The|A|An|What|Whether|How)\b", place.says), place.says
        assert place.says.endswith("."), place.says


def test_the_changelog_of_a_version_is_short():
    versions = re.split(r"^## ", (ROOT / "CHANGELOG.md").read_text("utf-8"), flags=re.MULTILINE)[1:]
    assert versions
    assert all(len(each.splitlines()) <= 60 for each in versions)


def test_what_does_not_exist_is_seen():
    found = ["models/nothing.py", "verify/nowhere.py", "pufferproof.of_no_module"]
    first, second, third = found
    assert absent("tests/a.py", f'"""`{first}` of {third}"""\n# {second}') == found
    assert absent("docs/guides/a.md", "[a](nowhere.md) [b](data.md)") == ["nowhere.md"]


def prose(content):
    """What a source says in words: its docstrings and comments."""
    tree = ast.parse(content)
    nodes = [tree, *statements(tree)]
    return "\n".join(
        [
            ast.get_docstring(node, clean=False) or ""
            for node in nodes
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef)
        ]
        + re.findall(r"#.*", content)
    )


def test_every_name_that_a_benchmark_imports_is_there():
    imported = {
        (name(path), node.module, each.name)
        for path in sorted((ROOT / "benchmarks").rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ImportFrom)
        if node.module.partition(".")[0] in ("benchmarks", "pufferproof", "tests")
        for each in node.names
    }
    assert len(imported) > 50
    assert {each for each in imported if not is_there(*each[1:])} == set()


def is_there(module, name):
    """Whether a module has a name, which may be a module in it."""
    return hasattr(import_module(module), name) or find_spec(f"{module}.{name}") is not None


@cache
def exists(module):
    """Whether `.a.b.c` is a module of the package, or a name in one."""
    parts = module.strip(".").split(".")
    if len(parts) == 1 and (ROOT / "src" / "pufferproof" / f"{parts[0]}.py").exists():
        return True
    for size in range(len(parts), -1, -1):
        base = (ROOT if size else ROOT / "src" / "pufferproof").joinpath(*parts[:size])
        file = base / "__init__.py" if base.is_dir() else base.with_suffix(".py")
        if file.exists() and (size or len(parts) == 1):
            words = file.read_text(encoding="utf-8")
            return size == len(parts) or all(re.search(rf"\b{part}\b", words) for part in parts[size:])
    return False


def code():
    """All code, by the names of files."""
    files = [path for top in FLOORS for path in sorted((ROOT / top).rglob("*.py"))]
    return {name(path): path.read_text(encoding="utf-8") for path in files if not passed_over(path)}


def statements(node):
    """The statements in a tree, without going into expressions."""
    for part in ("body", "orelse", "handlers", "finalbody", "cases"):
        for each in getattr(node, part, ()):
            yield each
            yield from statements(each)


def lengths(tree):
    """The lines of every function's body, its docstring left out, by name."""
    sizes = {}
    for node in statements(tree):
        if isinstance(node, ast.FunctionDef):
            body = node.body[1:] if ast.get_docstring(node, clean=False) is not None else node.body
            if body:
                sizes[f"{node.name}:{node.lineno}"] = body[-1].end_lineno - body[0].lineno + 1
    return sizes


def test_no_function_is_longer_than_a_screen():
    long = {path: max(shape.lengths.values(), default=0) for path, shape in shapes().items()}
    assert {path: size for path, size in long.items() if size > 60} == {}


def nested(tree):
    """The lines of conditional expressions in which another one stands."""
    return [
        node.lineno
        for node in ast.walk(tree)
        if isinstance(node, ast.IfExp)
        and any(isinstance(each, ast.IfExp) for each in ast.walk(node) if each is not node)
    ]


def test_no_conditional_expression_stands_in_another():
    assert nested(ast.parse("a = 1 if b else 2 if c else 3")) == [1]
    assert nested(ast.parse("a = 1 if b else 2\nc = [1 if b else 2 for b in d]")) == []
    assert len([shape for shape in shapes().values() if shape.several]) > 100
    assert [path for path, shape in shapes().items() if shape.nested] == []


class Shape(NamedTuple):
    """What is measured on a tree, which is then let go of: all trees are much to keep."""

    lengths: dict[str, int]
    several: bool  # conditional expressions, as far as words show
    nested: list[int]


@cache
def shapes():
    """The shapes of all code, by the names of files."""
    return {path: shape(text) for path, text in code().items()}


def shape(text):
    tree = ast.parse(text)
    several = len(re.findall(r" else\b(?!:)", text)) > 1
    return Shape(lengths(tree), several, nested(tree) if several else [])


def made(target):
    """The line of a target of the Makefile with what it needs, and its commands."""
    found = re.search(rf"^{target}:(?! export)(.*\n(?:\t.*\n)*)", (ROOT / "Makefile").read_text(), re.M)
    assert found is not None, target
    return found[1]


STEPS = {"claims": "claims", "coq": "exported", "pages": "pages"}  # targets, by the marker


def test_what_the_tests_leave_out_is_a_step_of_its_own_in_continuous_integration():
    options = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["pytest"]["ini_options"]
    assert [each.partition(":")[0] for each in options["markers"]] == [*STEPS, "slow", "seeds"]
    unmarked = " and ".join(f"not {marker}" for marker in STEPS)
    assert f'-m "not slow and {unmarked}"' in made("part-%")
    assert f'-m "slow and {unmarked}"' in made("slow")
    run = (ROOT / ".ci" / "run").read_text()
    taken = re.findall(r"^ *(?:\w+=\S+ )?make (\w+)", run, re.M)
    taken += " ".join(re.findall(r'^ *last="(.+)"$', run, re.M)).split()
    needed = made("check").split()
    for marker, target in STEPS.items():
        assert re.search(rf"pytest .*-m {marker} \$\(call marked,{marker}\)$", made(target), re.M)
        assert target in taken
        assert target in needed
    assert {"sdist", "newest"} <= {*taken}
    for target in ("formal", "test", "slow"):
        assert target in taken
        assert target in needed
    assert "lint" in made("test").split()
    assert "prove --check --summary" in made("claims")
    assert {"report", "docs"} <= {*made("pages").split()}
    assert "pufferproof report" in made("report")


def test_an_argument_may_be_the_same_in_one_order_everywhere():
    # equal unions share what reads them, and the first one asked for says what was expected
    orders = {}
    for file in [file for floor in FLOORS for file in (ROOT / floor).rglob("*.py")]:
        for union in re.findall(r"(?<!def )\bcheck_type\(\w+, (.*\|.*), f?\"", file.read_text()):
            for whole in re.split(r"[][(),]", union):
                if " | " in whole:
                    parts = (*whole.split(" | "),)
                    orders.setdefault(frozenset(parts), {})[parts] = file
    assert len(orders) > 10
    assert [found for found in orders.values() if len(found) > 1] == []
