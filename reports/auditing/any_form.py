"""Auditing files of any form: channels that are listed, mechanisms on sequences too long to list,
and queries with noise.

What a command says of each is in `words`; reports and the ledger take them all.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pufferproof.models.errors import ModelError
from pufferproof.models.files.frameworks import points_of
from pufferproof.models.files.mechanisms import given_in, linear_of
from pufferproof.models.files.programs import LibraryFile
from pufferproof.models.files.question import Listed, NoisyReleases, Sequences, Words
from pufferproof.models.files.reading import MAX_BYTES, Loaded, bytes_of, in_file, read_loaded
from pufferproof.models.files.shapes import FrameworkFile
from pufferproof.models.mechanisms.releases import PostProcessed
from pufferproof.models.noise.additive import LinearQuery
from pufferproof.models.noise.records import NoisyQueries, Query, RecordQuery
from pufferproof.models.numbers.level import Level
from pufferproof.models.priors.continuous.points import PointFramework
from pufferproof.models.sequences.local import MAX_EXPANDED
from pufferproof.verify.audit import Audit
from pufferproof.verify.audit import audit as audited
from pufferproof.verify.leakage.ratio import nothing_to_check

Files = Listed | Sequences | Words | NoisyReleases


def audit_files(files: Files, level: Level | None) -> Audit:
    """Audit the only mechanism of files, by bounds where a query with noise is too large.

    Raises `ModelError`, with the file of the framework, if its pairs leave nothing to check.
    """
    try:
        return audited(files.framework.value, files.mechanisms[0], level)
    except ModelError as error:
        if error.where == "pairs":
            if error.what == nothing_to_check().what:  # it may name a secret
                error = nothing_to_check(files.framework.value)
            raise error.within(files.framework.path) from None
        raise


def audited_at(audit: Audit, level: Level) -> Audit:
    """Return the audit at a level, repeated unless it was at this one."""
    if audit.level == level:
        return audit
    return audited(audit.of or audit.framework, audit.mechanism, level)


def divided(files: Files, normalize: bool) -> bool:
    """Whether rows of mechanisms were divided by their sums: of listed ones whenever asked for."""
    if isinstance(files, Listed):
        return normalize
    return isinstance(files, Sequences | Words) and any(mechanism.value.normalized for mechanism in files.mechanisms)


def refuse_bounded(options: Mapping[str, object]) -> None:
    """Raise `ModelError` where an option has a value, of classes of chains: these are bounded, and
    what is listed, drawn and certified is about some chains of them.
    """
    option = next((name for name, value in options.items() if value), None)
    if option is not None:
        raise ModelError("needs single laws: classes of chains are bounded only", option)


def expect_file(files: Files, options: Mapping[str, object]) -> None:
    """Raise `ModelError` where an option has a value that goes with mechanisms which the kernel
    reads, and a mechanism is noise of a library's object, or post-processed. Evidence has noise on
    a query of records in a file, as it was read of the object.
    """
    option = next((name for name, value in options.items() if value), None)
    for each in files.mechanisms:
        noise = isinstance(each.value, NoisyQueries | Query | PostProcessed)
        if option in ("--evidence", "--out") and isinstance(each.value, RecordQuery):
            noise = False
        if option is not None and isinstance(each, LibraryFile) and noise:
            raise ModelError(
                f"needs mechanisms that the kernel reads, found the object {each.path}: "
                "expected a file with its query and noise",
                option,
            )


def refuse_options(files: Files, options: Mapping[str, object]) -> None:
    """Raise `ModelError` where an option has a value that goes with listed databases and outputs,
    and files are of another form.
    """
    option = next((name for name, value in options.items() if value), None)
    if option is None or isinstance(files, Listed):
        return
    if isinstance(files, Sequences):
        outputs = " x ".join(
            f"{len(mechanism.value.outputs)}^{mechanism.value.length}" for mechanism in files.mechanisms
        )
        raise ModelError(
            f"needs what can be listed, and there are {outputs} outputs: "
            f"expected at most {MAX_EXPANDED} databases times outputs",
            option,
        )
    if isinstance(files, Words):
        raise ModelError("needs what can be listed: there are too many words, or parameters", option)
    raise ModelError("needs mechanisms whose outputs are listed, not a query with noise", option)


_EVIDENCE = ("--certificate", "--evidence", "--out")


@dataclass(frozen=True)
class PointFiles:
    """A framework of normal priors, and linear queries of it with noise."""

    framework: Loaded[PointFramework]
    mechanisms: tuple[Loaded[LinearQuery], ...]

    @property
    def queries(self) -> tuple[LinearQuery, ...]:
        """The queries."""
        return tuple(mechanism.value for mechanism in self.mechanisms)


def read_point_framework(path: str) -> Loaded[PointFramework] | None:
    """Read a framework of normal priors that are not truncated, None if it is another one."""
    with in_file(path):
        if b"gaussian" not in bytes_of(path, MAX_BYTES):  # then nothing else is read twice
            return None
    loaded = read_loaded(path, FrameworkFile)
    if not loaded.value.pointwise:
        return None
    with in_file(path):
        return loaded.holding(points_of(loaded.value))


def read_points(framework: str, mechanisms: Sequence[str]) -> PointFiles | None:
    """Read a framework of normal priors that are not truncated, and linear queries of it; None if
    the framework is another one.
    """
    loaded = read_point_framework(framework)
    if loaded is None:
        return None
    queries = tuple(linear_of(given_in(path), loaded.value) for path in mechanisms)
    return PointFiles(loaded, queries)


def refuse_at_points(options: Mapping[str, object]) -> None:
    """Raise `ModelError` for the first option that has a value: it does not go with normal records
    that are not truncated.
    """
    option = next((name for name, value in options.items() if value), None)
    if option in _EVIDENCE:
        raise ModelError(
            'answers about "gaussian" priors without "box" have no certificate: their trust names '
            "the theorem that they rest on, and `pufferproof prove` shows it",
            option,
        )
    if option is not None:
        raise ModelError('needs databases that can be listed, not "gaussian" priors without "box"', option)
