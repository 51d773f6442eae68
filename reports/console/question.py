"""What commands are asked, as files, with the laws of programs in their place: several commands
take a framework and one mechanism, databases and outputs listed.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pufferproof.models.channel import Channel
from pufferproof.models.errors import ModelError, TooLargeError
from pufferproof.models.files.frameworks import read_bounded, read_listed
from pufferproof.models.files.mechanisms import channel_from, given_in
from pufferproof.models.files.programs import (
    UNTRUSTED,
    Calls,
    LibraryFile,
    Program,
    expect_used,
    is_callable,
    read_code,
)
from pufferproof.models.files.question import Listed, NoisyReleases, Sequences, Words
from pufferproof.models.files.question import read as read_files
from pufferproof.models.files.reading import Loaded, hashes, in_file
from pufferproof.models.framework import Framework
from pufferproof.models.noise.records import NoisyQueries, Query
from pufferproof.models.noise.tables.partial import PartialTable
from pufferproof.models.numbers.text import JsonObject
from pufferproof.models.priors.records import Records
from pufferproof.models.sequences.local import LocalMechanism
from pufferproof.reports.console.telling import normalized_lines, priors_json, priors_lines
from pufferproof.verify.audit import law_alone, lawful
from pufferproof.verify.audit.decide import of_one_kind

if TYPE_CHECKING:
    from pufferproof.models.files.question import Described
    from pufferproof.verify.programs.mechanism import ProgramMechanism


@dataclass(frozen=True)
class Question:
    """A framework and a mechanism as they were read; `normalize`: rows were to be divided by their
    sums.
    """

    framework: Loaded[Framework]
    mechanism: Loaded[Channel]
    normalize: bool

    @classmethod
    def read(
        cls, framework: str, mechanism: str, normalize: bool, databases: str | None, calls: Calls, classes: bool = False
    ) -> "Question":
        """Read both. Raises `ModelError` where a file is malformed, or too much to list, and for
        classes of chains unless the command takes them.
        """
        space = (read_bounded if classes else read_listed)(framework, normalize)
        listed = space.value.of_laws()
        channel = read_channel(mechanism, listed, normalize, databases, calls)
        return cls(space, channel, normalize)

    @property
    def known(self) -> JsonObject:
        """What an answer says of the files."""
        inputs = hashes(framework=self.framework, mechanism=self.mechanism)
        return {"inputs": inputs, **priors_json(self.framework.value.normalized)}

    def answer(self, fields: JsonObject, **more: object) -> JsonObject:
        """Return an answer with more fields, and with what it says of the files."""
        return with_programs(fields | more | self.known, self.mechanism)

    def notes(self, certificate: str | None = None) -> list[str]:
        """Say which rows were divided by their sums."""
        priors = self.framework.value.normalized
        return [
            *normalized_lines(self.normalize, self.mechanism.path),
            *priors_lines(priors, self.framework.path, certificate),
        ]


@dataclass(frozen=True)
class ProgramFile(Loaded[Any]):
    """The law of a program that was read from a file, `derived` as a mechanism."""

    derived: "ProgramMechanism | None" = None


def with_programs(answer: JsonObject, *files: Loaded[Any] | None) -> JsonObject:
    """Return an answer whose trust names the programs among the files it is about, each once."""
    derived = [each.derived for each in files if isinstance(each, ProgramFile)]
    words = [each.trust for each in derived if each is not None]
    return answer | {"trust": [*dict.fromkeys([*answer["trust"], *words])]} if words else answer


def read(
    framework: "str | Path | Described",
    mechanisms: Sequence[str | Path],
    normalize: bool = False,
    databases: str | Path | None = None,
    calls: Calls = UNTRUSTED,
    runs: int = 1,
    length: int | None = None,
) -> Listed | Sequences | Words | NoisyReleases:
    """Read a framework and mechanisms, as `models.files.question.read` does."""
    alone = partial(_alone, calls) if calls.records == "each" else None
    try:
        files = read_files(framework, mechanisms, normalize, databases, calls, runs, length, alone)
    except TooLargeError as error:
        if alone is not None or not any(is_callable(str(path)) for path in mechanisms):
            raise
        count = error.what.partition(":")[0]
        raise TooLargeError(
            f"{count}: a program is run on each; if it treats records one by one, write it for one "
            "record and pass --records each",
            error.where,
        ) from None
    if not isinstance(files, Listed):
        return files
    found: dict[str, Any] = {}
    for each in files.mechanisms:
        if each.path not in found:
            found[each.path] = with_law(files.framework.value.plain, each)
    found = dict(zip(found, map(_listed, found.values(), of_one_kind(list(found.values())))))
    with_laws = tuple(found[each.path] for each in files.mechanisms)
    if all(isinstance(each.value, Query | NoisyQueries) for each in with_laws):
        return NoisyReleases(files.framework, with_laws)
    return replace(files, mechanisms=with_laws)


def _listed(loaded: Any, derived: Any) -> Any:
    """Return the file of a program whose outputs were listed, others as they are."""
    if derived is loaded:
        return loaded
    return ProgramFile(derived.value, loaded.path, loaded.sha256, loaded.named, derived)


def read_channel(
    path: str | Path,
    framework: Framework,
    normalize: bool = False,
    databases: str | Path | None = None,
    calls: Calls = UNTRUSTED,
) -> Loaded[Channel]:
    """Read a mechanism as `read_mechanism` does. Raises `ModelError` unless its outputs can be
    listed, with rational probabilities.
    """
    expect_used(calls, [str(path)])
    given = channel_from(given_in(path), framework, normalize, databases, calls)
    loaded = with_law(framework, given)
    if not isinstance(loaded.value, Channel):
        why = "its probabilities are not rational"
        if isinstance(loaded.value, PartialTable):
            why = "it releases numbers that are drawn, or some of its paths were not run"
        raise ModelError(f"{why}: audit and compose take it", loaded.path)
    return loaded


def _alone(calls: Calls, path: str, records: Records) -> Loaded[LocalMechanism]:
    """Read a program of one record as a mechanism given record by record."""
    with in_file(path):
        code = read_code(path, calls)
        if not isinstance(code.value, Program):
            raise ModelError("needs a program of (record, rng)", "--records each")
        program = code.value.on(records)
    derived = law_alone(program).compare()
    return ProgramFile(derived.value, code.path, code.sha256, code.named, derived)


def with_law(framework: Framework, loaded: Loaded[Any]) -> Loaded[Any]:
    """Return a file with the law of its program in its place, others as they are."""
    if isinstance(loaded, LibraryFile) and isinstance(loaded.value, LocalMechanism):
        return replace(loaded, value=loaded.value.channel())
    if not isinstance(loaded.value, Program):
        return loaded
    derived = lawful(framework, loaded.value).compare()
    local = isinstance(derived.value, LocalMechanism)
    value = derived.value.channel() if local else derived.value
    return ProgramFile(value, loaded.path, loaded.sha256, loaded.named, derived)
