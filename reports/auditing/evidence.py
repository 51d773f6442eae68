"""Certificates of audits of files, and the forms in files that no kernel reads."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from pathlib import Path, PurePosixPath
from typing import Any

from pufferproof.models.channel import Channel
from pufferproof.models.errors import CertificateError, MissingPackageError, ModelError
from pufferproof.models.files.programs import LibraryFile, Sources, is_callable
from pufferproof.models.files.question import Listed, NoisyReleases, Sequences, Words
from pufferproof.models.files.reading import read_loaded
from pufferproof.models.files.shapes import (
    CountShape,
    FrameworkFile,
    MarkovPrior,
    MechanismFile,
    ProductPrior,
    TablePrior,
)
from pufferproof.models.files.writing import mechanism_file
from pufferproof.models.interface.steps import steps
from pufferproof.models.noise.records import NoisyQueries, RecordQuery
from pufferproof.models.noise.tables.partial import BoundsTable
from pufferproof.models.numbers.enclosures import enclose
from pufferproof.models.numbers.level import Level
from pufferproof.models.numbers.text import JsonObject, in_quotes, outward, rounded
from pufferproof.models.sequences.redaction import LocalRedaction
from pufferproof.reports.auditing.any_form import Files
from pufferproof.reports.auditing.plots.curves import drawn
from pufferproof.reports.auditing.plots.listed import outputs_pictures
from pufferproof.reports.console.drawing import Picture
from pufferproof.reports.console.telling import ProgramFile, warn
from pufferproof.reports.console.words import counted, level_nats
from pufferproof.reports.explaining.pack import code_files, named_inputs, read_inputs
from pufferproof.reports.explaining.pages.evidence import Evidence
from pufferproof.reports.explaining.proved import proved_less
from pufferproof.verify.audit import Audit
from pufferproof.verify.certificates.bounding import (
    bounded_event,
    bounding_certificate,
    bounding_pair,
    bounding_table,
    bounds_law,
    is_bounded,
)
from pufferproof.verify.certificates.noise import expect_rule as expect_rule_for_noise
from pufferproof.verify.certificates.noise import noise_certificate
from pufferproof.verify.certificates.redaction import leakage_certificate
from pufferproof.verify.certificates.writing import ONE_SIDED, Inputs, audit_certificate
from pufferproof.verify.decision import Decision
from pufferproof.verify.sequences.leakage import binary_chain

NO_RULE_FOR_CLASSES = "the kernel has no rule for classes of chains unless noise is added to a query of the records"


_MATRIX = ".npy"
_TOO_LONG = (
    "too long to list, the kernel has a rule only for redaction of two values, one Markov prior "
    "without zeros, and secrets of one record"
)


def audit_evidence(files: Files, audit: Audit) -> dict[str, object]:
    """Return a certificate of an audit of files. Raises `CertificateError` where there is no
    rule for it.
    """
    expect_rule(files, audit.delta_bound is not None, False)
    if isinstance(files, NoisyReleases):
        return noise_certificate(audit, inputs_of(files))
    mechanism = files.mechanisms[0]
    if isinstance(files, Sequences):
        return _sequence_certificate(files, audit.level)
    short = _short_redaction(files) if isinstance(files, Listed) else None
    if short is not None and audit.delta is None:
        return _sequence_certificate(short, audit.level)
    inputs = Inputs(files.framework.sha256, (mechanism.sha256,))
    if bounds_law(audit):
        return bounding_certificate(audit, inputs)
    return audit_certificate(audit, inputs)


def expect_rule(files: Files, limited: bool, packed: bool) -> None:
    """Raise `CertificateError` before anything is computed where no certificate is about files of
    these forms, at a delta if that is `limited`, or files cannot be `packed` for a checker.
    """
    matrix = next((each.path for each in files.mechanisms if each.path.endswith(_MATRIX)), None)
    if packed and matrix is not None:
        raise CertificateError(
            "no kernel reads a NumPy file: expected the mechanism as CSV or JSON, or --certificate", matrix
        )
    if isinstance(files, NoisyReleases):
        queries = [each.value for each in files.mechanisms]
        expect_rule_for_noise(files.framework.value, queries, limited)
    elif files.framework.value.classes:
        raise CertificateError(NO_RULE_FOR_CLASSES)
    elif isinstance(files, Words):
        raise CertificateError("the kernel has no rule for words too many to list, or parameters")
    elif isinstance(files, Sequences) and not _has_rule(files):
        raise CertificateError(_TOO_LONG)
    elif files.framework.value.one_sided:
        raise CertificateError(ONE_SIDED)


def pack_of(files: Files, audit: Audit, paths: Sequence[str]) -> Evidence:
    """Return what goes into a zip with the evidence of an audit. Raises `CertificateError` where
    there is no certificate.
    """
    files, tables, code = with_tables(_bounded(files, audit), paths[1:])
    certificates = [audit_evidence(files, audit), *beside(files, audit)]
    verdict = "" if audit.verdict is None else f"{audit.verdict.value} {level_nats(audit.level)}"
    framework, *mechanisms = read_inputs(paths[0], paths[1:], tables)
    draws = draws_of(files, paths, audit)
    named = {str(PurePosixPath(name)): data for name, data in files.framework.named.items()} | code
    # what is believed of a library's objects: that their laws are as they were read
    as_read = [
        f"that {each.path} does what the mechanism file says, and nothing else: {each.library.audited}"
        for each in files.mechanisms
        if isinstance(each, LibraryFile) and each.library is not None
    ]
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
        others=named,
        test=_test(audit, framework[0], mechanisms[0][0]),
        claims=audit.rests_on if audit.delta or proved_less(certificates, audit.leakage) else (),
        assumed=as_read or assumed_of(audit, code),
        paths=_paths(audit),
        draws=draws,
        sources=_sources(audit, code),
        asked="" if audit.level is None else f"a level of {level_nats(audit.level)}",
        facts=_facts(audit, paths),
    )


def _facts(audit: Audit, paths: Sequence[str]) -> list[tuple[str, str]]:
    """Return what was audited: the files, and how much they hold."""
    framework = audit.framework
    pairs = counted(len(framework.pairs), "pair") + " of secrets"
    under = counted(len(framework.priors), "prior")
    return [("Framework", f"{Path(paths[0]).name}: {pairs}, under {under}"), ("Mechanism", Path(paths[1]).name)]


def _bounded(files: Files, audit: Audit) -> Files:
    """Return files with a table of rationals instead of the law of a program that it bounds."""
    if not bounds_law(audit):
        return files
    known: Any = files
    bound = replace(known.mechanisms[0], value=bounding_table(audit))
    bounded: Files = replace(known, mechanisms=(bound,))
    return bounded


def with_tables(files: Files, paths: Sequence[str]) -> tuple[Files, dict[str, bytes], dict[str, bytes]]:
    """Return files with the law of code in its place, as the kernel can read it: these tables or
    queries with noise, and the source of the code by its name.
    """
    tables: dict[str, bytes] = {}
    code: dict[str, bytes] = {}
    loaded = []
    for path, each in zip(paths, files.mechanisms):
        if is_callable(path) and isinstance(each.value, Channel | RecordQuery | BoundsTable):
            tables[path], sha256 = mechanism_file(each.value)
            code |= code_files(path, each.named)
            each = replace(each, sha256=sha256)
        loaded.append(each)
    known: Any = files
    return replace(known, mechanisms=tuple(loaded)) if tables else files, tables, code


def draws_of(files: Files, paths: Sequence[str], audit: Audit) -> JsonObject | None:
    """Return how draws of the programs among files are repeated, None if there is no program."""
    sources, programs = Sources(), []
    for path, name, each in zip(paths[1:], named_inputs(paths[0], paths[1:])[1:], files.mechanisms):
        if is_callable(path) and isinstance(each, ProgramFile) and each.derived is not None:
            own = Sources.of(path, each.named)
            sources.files.update(own.files)
            sources.packages.update(own.packages)
            programs.append((name, each.derived, each.value))
    if not programs:
        return None
    from pufferproof.reports.explaining.draws import draws_document

    table = programs[0][2]
    event = bounded_event(audit) if bounds_law(audit) and isinstance(table, Channel) else None
    return draws_document(programs, files.framework.value, sources, event)


def _sources(audit: Audit, code: Mapping[str, bytes]) -> list[tuple[str, str, list[str]]]:
    """Return the lines at which programs chose, of every file."""
    if not audit.programs:
        return []
    from pufferproof.reports.explaining.draws import source_lines

    places = [
        each.where
        for program in audit.programs
        for listed in program.law.paths.values()
        for path in listed
        for each in path.choices
    ]
    return source_lines(code, places)


def assumed_of(audit: Audit, code: Mapping[str, bytes]) -> list[str]:
    """Return what is believed of code: that its law is the table which lies beside it."""
    source = ", ".join(code)
    if not source:
        return []
    if not audit.programs:
        return [f"that {source} gives the rows of the mechanism file"]
    trust = ", ".join(each.trust for each in audit.programs)
    if bounds_law(audit):
        return [_bounding_assumed(audit, source, trust)]
    return [
        f"that the mechanism file is the law of {source}: pufferproof derived it from all paths of "
        f"the program ({trust}), which draws from rng alone, ends, and whose draws decide its "
        "output; the kernel does not read programs"
    ]


def _bounding_assumed(audit: Audit, source: str, trust: str) -> str:
    derived = (
        f"pufferproof derived the law from the paths of the program ({trust}), which draws from "
        "rng alone, ends, and whose draws decide its output; the kernel does not read programs"
    )
    if is_bounded(audit):
        return (
            f"that the mechanism file, which has rational numbers, bounds the law of {source}: "
            f"every probability is between its two numbers there; {derived}"
        )
    above, below = map(in_quotes, bounding_pair(audit))
    return (
        f"that the mechanism file, which has rational numbers, bounds the law of {source}: its "
        f"first output is no likelier there given databases of {above}, and no less likely given "
        f"databases of {below}; {derived}"
    )


def _paths(audit: Audit) -> list[str]:
    """Return the choices of a program and the witness as two runs, nothing for others."""
    if not audit.programs or audit.programs[0].program.form == "each":
        return []
    from pufferproof.reports.explaining.paths import Paths

    return Paths.of(audit, audit.programs[0]).lines()


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


def beside(files: Files, audit: Audit) -> list[dict[str, object]]:
    """Return the certificates that go beside the one of the verdict: they enclose the leakage, as
    closely as there are rules for it.
    """
    certificates = noise_beside(audit, inputs_of(files))
    leaking = _leaking(audit)
    if bounds_law(audit) and (audit.delta is not None or is_bounded(audit) != is_bounded(leaking)):
        return []  # the table or the bounds that are packed are of other outputs
    if certificates or audit.level is None or isinstance(audit.mechanism, NoisyQueries):
        return certificates
    with suppress(CertificateError):
        return [audit_evidence(files, leaking)]
    return []


def noise_beside(audit: Audit, inputs: Inputs, verdict: bool = False) -> list[dict[str, object]]:
    """Return the certificates of noise that go beside the one of the verdict: the least upper bound
    of the leakage that is known, and that more than a level just below it is leaked.

    With `verdict` its certificate is the first, and `CertificateError` is raised if there is none.
    """
    certificates = []
    for each in steps([audit] * verdict + _audits_beside(audit), "certificates"):
        try:
            certificates.append(noise_certificate(each, inputs))
        except CertificateError:
            if each is audit:
                raise
    return certificates


def _audits_beside(audit: Audit) -> list[Audit]:
    """Return the audits of noise whose certificates go beside that of the verdict."""
    if not isinstance(audit.mechanism, NoisyQueries) or audit.leakage.lower is None:
        return []
    others = [] if audit.level is None else [_leaking(audit)]
    below = float(audit.leakage.enclosure().lower) * (1 - 1e-9)
    if below > 0:
        level = Level.of_nats(Fraction(f"{below:.12e}"))
        others.append(replace(_leaking(audit), level=level, kept=Decision.FAILS))
    return others


def _leaking(audit: Audit) -> Audit:
    """Return the audit of what is leaked, without a level."""
    return replace(audit, level=None, kept=None, delta_bound=None, delta=None)


def _plots(audit: Audit) -> list[Picture]:
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


def inputs_of(files: Files, runs: int = 1) -> Inputs:
    """Return the hashes of files, those of every mechanism as often as it is released."""
    hashes = tuple(mechanism.sha256 for mechanism in files.mechanisms for _ in range(runs))
    return Inputs(files.framework.sha256, hashes)


_FORMS = ("hidden_markov", "round", "clamp", "threshold", "show")


def unread_forms(framework: str | Path, mechanisms: Sequence[str | Path]) -> list[str]:
    """Name the forms in files that no kernel reads again to compare with channels and laws
    written out.
    """
    return [f'"{form}" of {Path(path).name}' for form, path in _unread(framework, mechanisms)]


def unread_trust(files: Files) -> list[str]:
    """Return what must be believed of files that the kernel does not read again, for `trust`."""
    paths = [each.path for each in files.mechanisms if not is_callable(str(each.path))]
    forms = unread_forms(files.framework.path, list(dict.fromkeys(paths)))
    return [f"UNREAD({form})" for form in forms]


def unread_inputs(paths: Sequence[str]) -> dict[str, str]:
    """Return the first form of every input that no kernel reads again, by its name in a zip."""
    forms: dict[str, str] = {}
    names = dict(zip(paths, named_inputs(paths[0], paths[1:])))
    for form, path in _unread(paths[0], paths[1:]):
        forms.setdefault(names[str(path)], form)
    return forms


def _unread(framework: str | Path, mechanisms: Sequence[str | Path]) -> dict[tuple[str, str | Path], None]:
    """Return the forms that are not read again and their files, each once."""
    described = read_loaded(framework, FrameworkFile).value
    priors = described.priors.values()
    unread = [
        (_form(prior), framework) for prior in priors if not isinstance(prior, TablePrior | ProductPrior | MarkovPrior)
    ]
    unread += [("normalize", framework) for prior in priors if prior.normalize]
    changing = (prior for prior in priors if isinstance(prior, MarkovPrior))
    unread += [("transitions", framework) for prior in changing if prior.markov.transitions]
    if described.records is not None and described.records.names is not None:
        unread.append(("names", framework))
    for path in mechanisms:
        if str(path).endswith(_MATRIX):
            unread.append((_MATRIX, path))
        elif not str(path).endswith(".csv"):
            shape = read_loaded(path, MechanismFile).value
            unread += [
                (form, path)
                for form in _FORMS
                if getattr(shape, form) is not None and getattr(shape, form) is not False
            ]
            if isinstance(shape.local, Mapping):
                unread.append(("local", path))
            if isinstance(shape.query, CountShape) and shape.query.of is not None:
                unread.append(("of", path))
            if isinstance(shape.noise, Mapping):
                unread.append(("noise", path))
    return dict.fromkeys(unread)


def _form(prior: Any) -> str:
    return str(next(name for name in type(prior).model_fields if name != "normalize"))


def _short_redaction(files: Listed) -> Sequences | None:
    """Return redaction on a chain that is short enough to list as it was before; its files the
    kernel re-reads.

    None if it has no rule for redaction like this, so that the mechanism is certified as it is
    listed.
    """
    if not files.local or not files.framework.value.along_records:
        return None
    given = Sequences(files.framework, files.local)
    return given if _has_rule(given) else None


def _has_rule(read: Sequences) -> bool:
    framework, mechanism = read.framework.value, read.mechanisms[0].value
    if not framework.along_records:
        return False
    chains, records = (list(framework.chains.values()), {record for record, _ in framework.places.values()})
    simple = mechanism.redaction is not None and len(chains) == len(records) == 1 and len(mechanism.alphabet) == 2
    chain = chains[0]
    return simple and chain.rows is None and chain.emission is None and not any(0 in row for row in chain.step)


def _sequence_certificate(long: Sequences, level: Level | None) -> dict[str, object]:
    """Return the certificate of an audit of sequences for which there is a rule."""
    framework, mechanism = long.framework.value, long.mechanisms[0].value
    chains, records = (list(framework.chains.values()), {record for record, _ in framework.places.values()})
    chain, inputs = (
        binary_chain(chains[0], mechanism.length),
        Inputs(long.framework.sha256, (long.mechanisms[0].sha256,)),
    )
    redaction = LocalRedaction(mechanism.redaction or ())
    return leakage_certificate(chain, redaction, records.pop(), level, inputs)
