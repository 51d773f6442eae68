"""Auditing files of any form: channels that are listed, mechanisms on sequences too long to list,
and queries with noise.

What a command says of each is in `words`; reports and the ledger take them all.
"""

from collections.abc import Mapping

from pufferproof.models.errors import ModelError
from pufferproof.models.files.programs import LibraryFile
from pufferproof.models.files.question import Listed, NoisyReleases, Sequences, Words
from pufferproof.models.mechanisms.releases import PostProcessed
from pufferproof.models.noise.records import NoisyQueries, Query, RecordQuery
from pufferproof.models.numbers.level import Level
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
