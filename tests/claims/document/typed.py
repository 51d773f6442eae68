"""Check the types of what stands in documents: `python -m tests.claims.document.typed`.

Each document is written as a Python module beside those of a copy of the package, which has links
to all else, and mypy reads these modules. It is not strict there: names, attributes and calls must
agree with what they are called on, and signatures may be missing. Types that mypy infers of what
has none, such as of an empty dictionary, are no reason to refuse anything. A module is written anew
only if its document differs, or the code that writes modules.
"""

import ast
import json
import os
import re
import shutil
import sys
from hashlib import sha256
from pathlib import Path

from mypy import api

from pufferproof.claims.document.lines import SUFFIX
from pufferproof.claims.document.module import module_of

ROOT = Path(__file__).resolve().parents[3]
COPY = ROOT / ".mypy_cache" / "documents"
KEPT = COPY.with_suffix(".json")  # of each document, a digest of what its module is made of
OPTIONS = (
    *("--config-file=", "--python-version=3.11", "--explicit-package-bases", "--no-error-summary"),
    *("--ignore-missing-imports", "--follow-imports=silent", "--check-untyped-defs"),
    *(f"--disable-error-code={each}" for each in ("arg-type", "assignment", "misc")),
    "--disable-error-code=var-annotated",
    f"--cache-dir={COPY.with_name('types_of_documents')}",  # apart: options differ
)


def written() -> dict[Path, Path]:
    """Write the copy; return the document of each module that was written."""
    before = json.loads(KEPT.read_text("utf-8")) if KEPT.exists() else {}
    modules = {path: path.read_text("utf-8") for path in COPY.rglob("*.py") if not path.is_symlink()}
    shutil.rmtree(COPY, ignore_errors=True)
    package = COPY / "pufferproof"
    package.mkdir(parents=True)
    now, writer = {}, digest_of_writer()
    for each in (ROOT / "src" / "pufferproof").iterdir():
        if each.name != "claims":
            (package / each.name).symlink_to(each.resolve())
    documents = {}
    for each in sorted((ROOT / "claims").rglob("*")):
        at = package / each.relative_to(ROOT)
        if each.suffix not in (".py", SUFFIX):
            continue
        at.parent.mkdir(parents=True, exist_ok=True)
        if each.suffix == ".py":
            at.symlink_to(each)
        else:
            text, at = each.read_text("utf-8"), at.with_suffix(".py")
            digest = now[str(each)] = sha256(f"{writer} {text}".encode()).hexdigest()
            known = modules.get(at) if before.get(str(each)) == digest else None
            at.write_text(known or ast.unparse(module_of(text, str(each))), "utf-8")
            documents[at] = each
    KEPT.write_text(json.dumps(now), "utf-8")
    return documents


def digest_of_writer() -> str:
    """A digest of the code that makes a module of a document: of Python, and of all that is imported here."""
    names = sorted(name for name in sys.modules if name.partition(".")[0] == "pufferproof")
    files = {str(sys.modules[name].__file__) for name in names if getattr(sys.modules[name], "__file__", None)}
    return sha256(
        b"".join([sys.version.encode(), *(Path(file).read_bytes() for file in sorted({*files, __file__}))])
    ).hexdigest()


def said(line: str, documents: dict[Path, Path]) -> str:
    """Return a line of mypy with the document, and what stands on the line of the module; nothing
    of how many things an expression stands for in a call, such as `f(*rows)`.
    """
    found = re.fullmatch(r"(.+\.py):(\d+): (.*)", line)
    if found is None:
        return line
    module = Path(found[1]).absolute()
    code = module.read_text("utf-8").splitlines()[int(found[2]) - 1].strip()
    if "Too many arguments" in line and "*" in code:
        return ""
    return f"{documents[module].relative_to(ROOT)}: {found[3]}\n    {code:.120}"


def main() -> int:
    """Print what is wrong; return 1 if anything is, or if there are no documents."""
    documents = written()
    os.environ["MYPYPATH"] = str(COPY)
    out, errors, code = api.run([*OPTIONS, *map(str, documents)])
    found = [*filter(None, (said(line, documents) for line in out.splitlines()))]
    print(*found, sep="\n")
    print(errors, end="", file=sys.stderr)
    failed = bool(found or errors or code > 1 or not documents)
    print(f"{'Failure' if failed else 'Success'}: types of {len(documents)} documents")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
