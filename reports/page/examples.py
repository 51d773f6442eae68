"""Examples on disk: folders with an `example.toml` that says which mechanism files to audit against
which framework.

    title = "Counting correlated answers"
    order = 10
    [[audit]]                      # any number of these
    framework = "framework.json"   # files inside the folder
    mechanism = "mechanism.json"
    epsilon = "log(3)"             # optional: the level to decide
    claimed = "log(3)"             # optional: the epsilon the publication claims, for the ledger
    source = "who claims it, and where"  # together with claimed
    shows = "One sentence on what this audit shows."
    [[compose]]                    # a joint release, any number of these
    framework = "framework.json"
    mechanisms = ["m1.json", "m1.json"]
    shows = "One sentence."

Only `example.toml` is read here; the files it names are read by whoever audits them.
"""

import os
import re
from collections import Counter
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from pydantic import Field, StrictInt, StrictStr

import pufferproof
from pufferproof.models.errors import ModelError, PufferproofError
from pufferproof.models.files.question import read
from pufferproof.models.files.reading import MAX_BYTES, bytes_inside, bytes_of, document_of, read_shape
from pufferproof.models.files.shapes import Shape
from pufferproof.models.numbers.level import Level

FILE = "example.toml"
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")


class AuditCase(Shape):
    """One mechanism against one framework."""

    framework: StrictStr
    mechanism: StrictStr
    epsilon: StrictStr | None = None
    claimed: StrictStr | None = None
    source: StrictStr | None = None
    shows: StrictStr

    @property
    def files(self) -> tuple[str, ...]:
        """The framework file, then the mechanism file."""
        return self.framework, self.mechanism


class ComposeCase(Shape):
    """Mechanisms released together, independently; a file may be repeated."""

    framework: StrictStr
    mechanisms: list[StrictStr] = Field(min_length=2)
    shows: StrictStr

    @property
    def files(self) -> tuple[str, ...]:
        """The framework file, then one mechanism file per release."""
        return self.framework, *self.mechanisms


class ExampleFile(Shape):
    """The keys of an `example.toml`."""

    title: StrictStr
    order: StrictInt = 0
    audit: list[AuditCase] = Field(default_factory=list)
    compose: list[ComposeCase] = Field(default_factory=list)


@dataclass(frozen=True)
class Example:
    """A folder of examples: its name, what it is called, and what is to be audited."""

    name: str
    folder: Path
    title: str
    order: int
    audits: tuple[AuditCase, ...]
    composes: tuple[ComposeCase, ...]

    def path(self, file: str) -> Path:
        """Return the path of a file the example names."""
        return self.folder / file


def load_examples(folder: str | None) -> list[Example]:
    """Read every `<folder>/<name>/example.toml`, those a room deeper and the folder's own, by
    `order` and then by name; None means the shipped examples. Of a folder without one, the
    frameworks and mechanisms in it are an example: each mechanism against every framework that it
    fits.

    Raises `ModelError`, naming the file and the key, unless there is an example and every one is
    well formed.
    """
    root = Path(pufferproof.__path__[-1]) / "examples" if folder is None else Path(folder)
    if not os.path.isdir(root):
        raise ModelError("expected a folder of examples, found none", str(root))
    files = example_files(root)
    if not files and folder is not None:
        return [_of_plain_files(root)]
    if not files:
        raise ModelError(f"expected at least one <name>/{FILE}, found none", str(root))
    examples = [_load(file) for file in files]
    for name, times in Counter(example.name for example in examples).items():
        if times > 1:
            raise ModelError(f'expected names of their own, found {times} examples "{name}"', str(root))
    return sorted(examples, key=lambda example: (example.order, example.name))


def example_files(root: Path) -> list[Path]:
    """Return the files that describe the examples in a folder; none where there is no folder."""
    if not os.path.isdir(root):
        return []
    return sorted(file for place in ("", "*/", "*/*/") for file in root.glob(f"{place}{FILE}"))


def _of_plain_files(root: Path) -> Example:
    """Return the example of a folder of plain files, if a mechanism fits a framework."""
    kinds: dict[str, list[str]] = {"framework": [], "mechanism": []}
    for path in sorted(root.glob("*")):
        if path.suffix.lower() in (".json", ".toml") and path.is_file():
            form = _format_of(path)
            kinds.get(form.removeprefix("pufferproof-").partition("/")[0], []).append(path.name)
    audits, refused = list[AuditCase](), ""
    for framework in kinds["framework"]:
        for mechanism in kinds["mechanism"]:
            try:
                read(str(root / framework), [str(root / mechanism)])
            except PufferproofError as error:
                refused = refused or f": {error}"
            else:
                shows = f"{mechanism} against {framework}"
                audits.append(AuditCase(framework=framework, mechanism=mechanism, shows=shows))
    if not audits:
        wanted = f"<name>/{FILE}, or a framework file and a mechanism file that fits it"
        raise ModelError(f"expected at least one {wanted}, found none{refused}", str(root))
    name = re.sub("[^A-Za-z0-9._-]", "-", root.resolve().name).lstrip("._-") or "files"
    return Example(name, root, root.resolve().name or "files", 0, tuple(audits), ())


def _format_of(path: Path) -> str:
    """Return the format that a file names, nothing if it is none of ours."""
    try:
        document = document_of(path, bytes_of(path, MAX_BYTES))
    except PufferproofError:
        return ""
    return str(document.get("format", "")) if isinstance(document, dict) else ""


def _load(file: Path) -> Example:
    shape = read_shape(file, ExampleFile)
    folder = file.parent if file.parent.name not in ("", "..") else file.parent.resolve()
    try:
        if not _NAME.fullmatch(folder.name):
            raise ModelError(f'expected a folder name of letters, digits, ".", "_" and "-", found "{folder.name}"')
        if not shape.audit and not shape.compose:
            raise ModelError("expected at least one [[audit]] or [[compose]], found none")
        for index, case in enumerate(shape.audit):
            place = f"audit[{index}]"
            if (case.claimed is None) != (case.source is None):
                raise ModelError('expected "claimed" and "source" together', place)
            for key, text in (("epsilon", case.epsilon), ("claimed", case.claimed)):
                _check_level(text, f"{place}.{key}")
            _check_file(folder, case.framework, f"{place}.framework")
            _check_file(folder, case.mechanism, f"{place}.mechanism")
        for index, joint in enumerate(shape.compose):
            _check_file(folder, joint.framework, f"compose[{index}].framework")
            for position, name in enumerate(joint.mechanisms):
                _check_file(folder, name, f"compose[{index}].mechanisms[{position}]")
    except PufferproofError as error:
        raise error.within(str(file)) from None
    return Example(folder.name, folder, shape.title, shape.order, tuple(shape.audit), tuple(shape.compose))


def _check_level(text: str | None, place: str) -> None:
    try:
        if text is not None:
            Level.parse(text)
    except ModelError as error:
        raise error.within(place) from None


def _check_file(folder: Path, name: str, place: str) -> None:
    path = PurePosixPath(name)
    if path.is_absolute() or ".." in path.parts or not name.isprintable():
        raise ModelError(f'expected a file inside the example\'s folder, found "{name}"', place)
    if not os.path.isfile(folder / name):
        raise ModelError(f'expected a file, found none at "{name}"', place)
    try:
        bytes_inside(folder, name, MAX_BYTES)
    except ModelError as error:
        raise error.within(place) from None
