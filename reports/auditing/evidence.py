"""Evidence of audits of files: what is packed into a zip or a folder."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path, PurePosixPath
from typing import Any

from pufferproof.models.channel import Channel
from pufferproof.models.errors import MissingPackageError, ModelError
from pufferproof.models.files.programs import LibraryFile, Sources, is_callable
from pufferproof.models.files.question import Listed, NoisyReleases
from pufferproof.models.files.reading import Loaded
from pufferproof.models.files.writing import mechanism_file
from pufferproof.models.noise.records import RecordQuery
from pufferproof.models.noise.tables.partial import BoundsTable
from pufferproof.models.numbers.enclosures import enclose
from pufferproof.models.numbers.text import JsonObject, in_quotes, outward, rounded
from pufferproof.reports.auditing.any_form import Files
from pufferproof.reports.auditing.certificates import audit_evidence, beside, inputs_of, noise_beside, unread
from pufferproof.reports.auditing.plots.curves import drawn
from pufferproof.reports.auditing.plots.listed import outputs_pictures
from pufferproof.reports.auditing.words import shared_sentences
from pufferproof.reports.console.telling import ProgramFile, warn
from pufferproof.reports.console.words import counted, level_nats
from pufferproof.reports.explaining.evidence import Evidence
from pufferproof.reports.explaining.pack import named_inputs, read_inputs
from pufferproof.reports.explaining.proved import proved_less
from pufferproof.verify.audit import Audit
from pufferproof.verify.audit.composition import Composition
from pufferproof.verify.certificates.bounding import (
    bounded_event,
    bounding_table,
    bounds_law,
    is_bounded,
    joint_bounding_certificate,
)
from pufferproof.verify.certificates.writing import Inputs


def pack_of(files: Files, audit: Audit, paths: Sequence[str]) -> Evidence:
    """Return what goes into a zip with the evidence of an audit. Raises `CertificateError` where
    there is no certificate.
    """
    if bounds_law(audit) and isinstance(files, Listed):  # a table of rationals in place of the law that it bounds
        files = replace(files, mechanisms=(replace(files.mechanisms[0], value=bounding_table(audit)),))
    files, tables, code = with_tables(files, paths[1:])
    certificates = [audit_evidence(files, audit), *beside(files, audit)]
    verdict = "" if audit.verdict is None else f"{audit.verdict.value} {level_nats(audit.level)}"
    framework, *mechanisms = read_inputs(paths[0], paths[1:], tables)
    # what is believed of a library's objects: that their laws are as they were read
    as_read = [
        f"that {each.path} does what the mechanism file says, and nothing else: {each.library.audited}"
        for each in files.mechanisms
        if isinstance(each, LibraryFile) and each.library is not None
    ]
    pairs, priors = counted(len(audit.framework.pairs), "pair"), counted(len(audit.framework.priors), "prior")
    tree, sources = _of_programs(audit, code)
    return Evidence(
        certificates,
        framework,
        mechanisms,
        audit.leakage,
        verdict,
        [*_delta(audit, 3), f"Reached {audit.witness}."],
        _delta(audit, 12),
        unread_inputs([path for path in paths if path not in tables]),
        outputs_pictures(audit),
        _plots(audit),
        others={str(PurePosixPath(name)): data for name, data in files.framework.named.items()} | code,
        test=_test(audit, framework[0], mechanisms[0][0]),
        claims=audit.rests_on if audit.delta or proved_less(certificates, audit.leakage) else (),
        assumed=as_read or assumed_of(audit, code),
        paths=tree,
        draws=draws_of(files, paths, audit),
        sources=sources,
        asked="" if audit.level is None else f"a level of {level_nats(audit.level)}",
        # what was audited: the files, and how much they hold
        facts=[
            ("Framework", f"{Path(paths[0]).name}: {pairs} of secrets, under {priors}"),
            ("Mechanism", Path(paths[1]).name),
        ],
    )


def pack_of_releases(
    files: Files, joint: Composition, certified: Callable[[Files], JsonObject], paths: Sequence[str]
) -> Evidence:
    """Return what goes into a zip with the evidence of a joint leakage, which `certified` has a certificate
    of. Raises `CertificateError` where there is none.
    """
    noisy = isinstance(files, NoisyReleases)
    if isinstance(files, Listed) and bounds_law(joint.joint):  # bounds in place of the laws that they bound
        bounds = joint_bounding_certificate(joint, Inputs(None, (None,) * len(files.mechanisms)))[1]
        laws = [replace(mechanism, value=law) for mechanism, law in zip(files.mechanisms, bounds)]
        files = replace(files, mechanisms=tuple(laws))
    files, tables, code = with_tables(files, paths[1:])
    certificates = [certified(files)]
    certificates += noise_beside(joint.joint, inputs_of(files, joint.runs)) if noisy else []
    framework, *mechanisms = read_inputs(paths[0], paths[1:], tables)
    return Evidence(
        certificates,
        framework,
        mechanisms,
        joint.joint.leakage,
        "",
        [f"Reached {joint.joint.witness}.", *shared_sentences(joint.shared)],
        unread=unread_inputs([path for path in paths if path not in tables]),
        others=code,
        assumed=assumed_of(joint.joint, code),
        title=f"What {len(joint.releases)} releases tell together",
        runs=joint.runs if noisy else 1,
        draws=draws_of(files, paths, joint.joint),
    )


def _of_programs(audit: Audit, code: Mapping[str, bytes]) -> tuple[list[str], list[tuple[str, str, list[str]]]]:
    """Return the choices of a program with the witness as two runs, and the lines at which programs
    chose, of every file.
    """
    if not audit.programs:
        return [], []
    from pufferproof.reports.explaining.draws import source_lines
    from pufferproof.reports.explaining.paths import Paths

    first = audit.programs[0]
    tree = [] if first.program.form == "each" else Paths.of(audit, first).lines()
    listed = [path for program in audit.programs for paths in program.law.paths.values() for path in paths]
    return tree, source_lines(code, [choice.where for path in listed for choice in path.choices])


def with_tables(files: Files, paths: Sequence[str]) -> tuple[Files, dict[str, bytes], dict[str, bytes]]:
    """Return files with the law of code in its place, as the kernel can read it: these tables or
    queries with noise, and the source of the code by its name.
    """
    tables: dict[str, bytes] = {}
    code: dict[str, bytes] = {}
    hashes: dict[str, str] = {}
    changed: list[Loaded[Any]] = []
    for path, mechanism in zip(paths, files.mechanisms):
        if is_callable(path) and isinstance(mechanism.value, Channel | RecordQuery | BoundsTable):
            tables[path], hashes[path] = mechanism_file(mechanism.value)
            code |= Sources.of(path, mechanism.named).files
        changed.append(replace(mechanism, sha256=hashes.get(path, mechanism.sha256)))
    given: Any = files
    return replace(given, mechanisms=tuple(changed)) if tables else files, tables, code


def draws_of(files: Files, paths: Sequence[str], audit: Audit) -> JsonObject | None:
    """Return how draws of the programs among files are repeated, None if there is no program."""
    sources, programs = Sources(), []
    for path, name, mechanism in zip(paths[1:], named_inputs(paths[0], paths[1:])[1:], files.mechanisms):
        if is_callable(path) and isinstance(mechanism, ProgramFile) and mechanism.derived is not None:
            own = Sources.of(path, mechanism.named)
            sources.files.update(own.files)
            sources.packages.update(own.packages)
            programs.append((name, mechanism.derived, mechanism.value))
    if not programs:
        return None
    from pufferproof.reports.explaining.draws import draws_document

    table = programs[0][2]
    event = bounded_event(audit) if bounds_law(audit) and isinstance(table, Channel) else None
    return draws_document(programs, files.framework.value, sources, event)


def assumed_of(audit: Audit, code: Mapping[str, bytes]) -> list[str]:
    """Return what is believed of code: that its law is the table which lies beside it."""
    source = ", ".join(code)
    if not source:
        return []
    if not audit.programs:
        return [f"that {source} gives the rows of the mechanism file"]
    trust = ", ".join(program.trust for program in audit.programs)
    believed = "which draws from rng alone, ends, and whose draws decide its output; the kernel does not read programs"
    if not bounds_law(audit):
        derived = f"pufferproof derived it from all paths of the program ({trust}), {believed}"
        return [f"that the mechanism file is the law of {source}: {derived}"]
    derived = f"pufferproof derived the law from the paths of the program ({trust}), {believed}"
    if is_bounded(audit):
        bounds = "every probability is between its two numbers there"
    else:
        above, below = map(in_quotes, bounded_event(audit).pair)
        bounds = (
            f"its first output is no likelier there given databases of {above}, and no less likely given "
            f"databases of {below}"
        )
    return [f"that the mechanism file, which has rational numbers, bounds the law of {source}: {bounds}; {derived}"]


def _delta(audit: Audit, digits: int) -> list[str]:
    """Say with so many digits which delta there is at a level, if one was asked for."""
    if audit.delta is None or audit.level is None:
        return []
    ends = enclose(*audit.delta.bounds())
    low, high = outward(ends.lower, ends.upper, digits)
    if (near := rounded(ends.lower, digits)) == rounded(ends.upper, digits):
        return [f"The smallest delta at {level_nats(audit.level)} is {near}."]
    return [f"The smallest delta at {level_nats(audit.level)} lies between {low} and {high}."]


def _test(audit: Audit, framework: str, mechanism: str) -> str:
    """Return a test that keeps a level, nothing of an audit without one or of a delta."""
    bounds = bounds_law(audit) and is_bounded(audit)  # which no test reads
    if audit.level is None or audit.delta is not None or bounds:
        return ""
    return (
        f"import pufferproof as pp\n\n\ndef test_promise(assert_pufferfish):\n"
        f'    framework = pp.read_framework("{framework}")\n'
        f'    mechanism = pp.read_mechanism("{mechanism}", framework)\n'
        f'    assert_pufferfish(framework, mechanism, "{audit.level}")'
    )


def _plots(audit: Audit) -> list[tuple[str, bytes, str]]:
    """Return the plot of the paths of a program, none if there are none."""
    if not audit.programs:
        return []
    try:
        plot = drawn(audit, "paths")
        return [("paths.svg", plot.file("paths.svg"), plot.finding)]
    except MissingPackageError as error:
        warn([f"note: the page lists the paths of the program without a picture: {error}"])
    except ModelError:
        pass
    return []


def unread_inputs(paths: Sequence[str]) -> dict[str, str]:
    """Return the first form of every input that no kernel reads again, by its name in a zip."""
    forms: dict[str, str] = {}
    names = dict(zip(paths, named_inputs(paths[0], paths[1:])))
    for form, path in unread(paths[0], paths[1:]):
        forms.setdefault(names[str(path)], form)
    return forms
