"""Pages of the site that stand elsewhere in the checkout, notebooks as pages, and the one of the
public names.

Links between pages stay as they are written, which is as they hold in the checkout. A link to what
is no page of the site, such as a theorem, becomes its text.
"""

import ast
import os
import posixpath
import re
import runpy
from pathlib import Path, PurePosixPath
from typing import Any

from mkdocs.structure.files import File

ROOT = Path(__file__).parents[2]
PAGES = {  # of the site, by where they stand
    "verify/kernel/CERTIFICATES.md": "reference/certificates.md",
    "formal/README.md": "reference/theorems.md",
    "counterexamples/gallery/README.md": "reference/gallery.md",
    "benchmarks/README.md": "reference/benchmarks.md",
    "CONTRIBUTING.md": "reference/contributing.md",
    "CHANGELOG.md": "reference/changelog.md",
    "examples/README.md": "guides/examples.md",
    "examples/hidden/README.md": "guides/hidden.md",
}
CLAIMS = (
    "proof.Proof",
    "proof.proved",
    "proof.edited",
    "edits.Edit",
    "letters.letter",
    "letters.letters",
    "statements.Statement",
)
SECTIONS: dict[str, dict[str, Any]] = {}
_sections = runpy.run_path(str(Path(__file__).with_name("sections.py")))
_ELSEWHERE = re.compile(r'<script src="https://[^"]*"')
_UNNAMED = {'data-md-component="search" role="dialog"': "Search"}
_SESSION = re.compile(r"^( *)(```+)console\n.*?^\1\2$", re.MULTILINE | re.DOTALL)
_WORD = re.compile(r"""^ *\$|(?:"[^"]*"|'[^']*'|[^\s"'])+""")
_MOST = 96  # letters of a command on a line
_LINK = re.compile(r"\[([^\]]+)\]\((?!https?://|#|mailto:)([^)#]+)(#[^)]*)?\)")


def on_files(files: Any, config: Any) -> Any:
    """Add the pages from elsewhere, their pictures, and that of the public names."""
    for source, target in PAGES.items():
        text = (ROOT / source).read_text(encoding="utf-8")
        files.append(File.generated(config, target, content=text))
        for picture in re.findall(r"!\[[^\]]*\]\(([\w./-]+)\)", text):
            beside = posixpath.join(posixpath.dirname(target), picture)
            content = (ROOT / source).parent.joinpath(picture).read_bytes()
            files.append(File.generated(config, beside, content=content))
    files.append(File.generated(config, "reference/api.md", content=names()))
    page = runpy.run_path(str(Path(__file__).with_name("notebooks.py")))["page"]
    for notebook in sorted((ROOT / "docs" / "notebooks").glob("*.ipynb")):
        text, pictures = page(notebook)
        for name, content in {f"{notebook.stem}.md": text, **pictures}.items():
            files.append(File.generated(config, f"notebooks/{name}", content=content))
    SECTIONS.update(_sections["sections"](ROOT / "build" / "sections"))
    for name, section in SECTIONS.items():
        files.append(File.generated(config, name, content=_sections["page"](section)))
    text = _sections["index"](SECTIONS)
    files.append(File.generated(config, _sections["INDEX"], content=text))
    return files


def on_page_content(html: str, page: Any, **_: Any) -> str:
    """Put in what a page has of a document of claims."""
    section = SECTIONS.get(page.file.src_uri)
    return html if section is None else str(_sections["filled"](html, section))


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Lead links to pages of the site, drop those that lead out of it, and wrap long commands."""
    target = page.file.src_uri
    source = next((each for each, there in PAGES.items() if there == target), f"docs/{target}")
    linked = _LINK.sub(lambda match: led(match, source, target), markdown)
    return _SESSION.sub(lambda match: wrapped(match[0]), linked)


def wrapped(session: str) -> str:
    """Return a terminal's session whose long commands go on in further lines, as shells read them;
    words in quotes stay whole.
    """
    lines = []
    for line in session.split("\n"):
        if not line.lstrip().startswith("$ "):
            lines.append(line)
            continue
        first, *words = _WORD.findall(line)
        for word in words:
            if len(first) + len(word) > _MOST:
                lines.append(f"{first} \\")
                first = "   "
            first = f"{first} {word}"
        lines.append(first)
    return "\n".join(lines)


def on_post_page(output: str, page: Any, **_: Any) -> str:
    """Put our own script in the place of the one that the theme would fetch from elsewhere, and
    name the search for those who do not see it.
    """
    ours = os.path.relpath("site/worker.js", PurePosixPath(page.file.dest_uri).parent)
    return mended(output, ours)


def on_post_template(output_content: str, **_: Any) -> str:
    """Do so on the page of an address that does not exist."""
    return mended(output_content, "/site/worker.js")


def mended(output: str, script: str) -> str:
    """Return a page with our script and with names for those who do not see."""
    for place, name in _UNNAMED.items():
        output = output.replace(place, f'{place} aria-label="{name}"')
    return _ELSEWHERE.sub(f'<script src="{script}"', output)


def led(match: re.Match[str], source: str, target: str) -> str:
    """Return a link of a page as the site has it: to a page, to a file of the site, or its text."""
    text, link, anchor = match[1], match[2], match[3] or ""
    there = posixpath.normpath(posixpath.join(posixpath.dirname(source), link))
    if match.string[match.start() - 1 : match.start()] == "!":
        return match[0]
    if there == "README.md":
        there, anchor = "docs/index.md", ""
    page_of_site = there.removeprefix("docs/")
    if page_of_site in {*SECTIONS, _sections["INDEX"]} or (there.startswith("docs/") and (ROOT / there).is_file()):
        page = there.removeprefix("docs/").replace(".ipynb", ".md")
    elif there in PAGES or f"{there}/README.md" in PAGES:
        page = PAGES.get(there) or PAGES[f"{there}/README.md"]
    else:
        return text
    return f"[{text}]({os.path.relpath(page, PurePosixPath(target).parent)}{anchor})"


def names() -> str:
    """Return the page of the public names: where `pufferproof/__init__.py` says they stand."""
    tree = ast.parse((ROOT / "src" / "pufferproof" / "__init__.py").read_bytes())
    (home,) = (
        node.value for node in tree.body if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "_HOME"
    )
    places = ast.literal_eval(home)
    kinds = {
        "Functions": [name for name in places if name[0].islower()],
        "Classes": [name for name in places if name[0].isupper()],
    }
    text = [
        "# Names of the package",
        "All of these are imported from `pufferproof` itself. [In Python](python.md) is the guide.",
    ]
    for title, members in kinds.items():
        text.append(f"## {title}")
        text += [f"::: pufferproof.{place(places[name], name)}" for name in sorted(members)]
    text.append("## Writing claims\n\nThese are imported from `pufferproof.claims.language`.")
    text += [f"::: pufferproof.claims.language.{each}" for each in CLAIMS]
    return "\n\n".join(text) + "\n"


def place(module: str, name: str) -> str:
    """Return where a name stands: `module` has it under this name, or `module:name` under
    another.
    """
    module, _, own = module.partition(":")
    return f"{module}.{own or name}"
