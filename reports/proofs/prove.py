"""The command `prove`: claims are run, compared with the recorded verdicts, and reported.

What examines claims and what tells of them is imported where it is used: by then a process has
begun in which they are examined. Most claims take less time than these imports.
"""

import json
import os
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pufferproof.claims.document.lines import SUFFIX
from pufferproof.claims.document.reader import read
from pufferproof.claims.document.writer import write
from pufferproof.models.errors import ModelError, expect_unix
from pufferproof.models.interface.sweeps.opening import begun
from pufferproof.models.interface.sweeps.portions import Unchanged
from pufferproof.reports.console.labels import one_line, rendered
from pufferproof.reports.console.options import AsJson, Benchmarks, Claims, Home, Share, TrustClaims, seconds_from
from pufferproof.reports.console.outputs import WRITTEN, write_outputs
from pufferproof.reports.console.staging import refuse_foreign, target_of
from pufferproof.reports.console.streams import answer_stream, columns_of, print_lines
from pufferproof.reports.console.telling import print_answer, warn
from pufferproof.verify.proof.smt import USUAL, Effort

if TYPE_CHECKING:
    from pufferproof.claims.run import Result
    from pufferproof.reports.proofs.running import Run


# A document for a reviewer to start from: one claim that is proved and one that is refuted.

_NAME = re.compile(r"[a-z][a-z0-9_]*")


def write_template(name: str) -> None:
    """Write NAME.claims, and say so. Raises `ModelError` unless the name is one of a module,
    and nothing is there.
    """
    if not _NAME.fullmatch(name):
        raise ModelError(f'expected a name such as "my2027", found "{name}"', "--new")
    path = f"{name}.claims"
    if os.path.lexists(path):
        raise ModelError("exists already; choose another name", path)
    made = rendered("proofs/sections/draft.claims.j2", {"name": name})
    text = write(read(made, path))  # laid out for this name
    write_outputs({path: text.encode()}, inputs=[])
    print_lines(
        f"claims    {path}: a true one, which is proved, and a false one, which is refuted",
        f"next      pufferproof prove {path}",
    )


_WORKERS = "pufferproof.claims.run.workers"
_READING = ("name", "statement", "verdict", "refuted_by", "trust", "scope", "counterexample", "unsaid")


@dataclass(frozen=True)
class Try:
    """Options that say how claims are tried."""

    claims: Claims = None
    trust_code: TrustClaims = False
    timeout: Annotated[
        float,
        typer.Option(
            "--timeout",
            metavar="SECONDS",
            callback=seconds_from(0.1),
            help="time limit for each call of a solver, and for loading a document, in CPU seconds",
        ),
    ] = 20.0
    instances: Annotated[
        int,
        typer.Option(
            "--instances",
            metavar="N",
            min=1,
            help="number of instances on which statements are tried; unusual numbers are not cached",
        ),
    ] = USUAL.instances
    seed: Annotated[
        str, typer.Option("--seed", metavar="SEED", help="seed for other instances on which statements are tried")
    ] = USUAL.seed
    no_cache: Annotated[bool, typer.Option("--no-cache", help="prove every claim again")] = False


@dataclass(frozen=True)
class Show:
    """Options that say what is printed."""

    brief: Annotated[bool, typer.Option("--summary", help="show only how many claims have each verdict")] = False
    trust: Annotated[
        bool,
        typer.Option("--trust", help="show how many claims rest on each kind of trust, and which headlines are PROVED"),
    ] = False
    letter: Annotated[
        str | None,
        typer.Option(
            "--letter", metavar="PAPER", help="paper whose letter to the authors is printed, and nothing else"
        ),
    ] = None
    as_json: AsJson = False


@dataclass(frozen=True)
class Write:
    """Options that name files to write, and what is recorded."""

    out: Annotated[str | None, typer.Option("--out", metavar="DIR", help="folder for the proof-check report")] = None
    coq: Annotated[bool, typer.Option("--coq", help="with --out: let Coq prove the counterexamples again")] = False
    home: Home = None
    start: Annotated[
        str | None,
        typer.Option(
            "--start",
            metavar="FOLDER",
            help="with --out: folder of reports whose start page shows how far the check is",
        ),
    ] = None
    benchmarks: Benchmarks = None
    compare: Annotated[
        bool,
        typer.Option(
            "--check", help="compare with the recorded verdicts, and exit with 1 if one differs or a claim fails"
        ),
    ] = False
    write_record: Annotated[bool, typer.Option("--record", help="record the verdicts")] = False
    new: Annotated[
        str | None,
        typer.Option(
            "--new",
            metavar="NAME",
            help="name of a document of claims to start from, NAME.claims, which is written and nothing else",
        ),
    ] = None
    reformat: Annotated[
        bool,
        typer.Option(
            "--format",
            help="write documents in the one layout that they have, and nothing else; with --check "
            "say which are written otherwise, and exit with 1",
        ),
    ] = False
    steps: Annotated[
        str | None,
        typer.Option(
            "--steps",
            metavar="FILE",
            help="file for what claims say and do, which is written without asking an engine, and nothing else",
        ),
    ] = None


def prove(
    patterns: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[PATTERN...]",
            help="documents (FILE.claims), and ids, prefixes or shell patterns of claims [default: "
            "those of documents and --claims, or all]",
        ),
    ] = None,
    *,
    tried: Try,
    show: Show,
    write: Write,
    share: Share,
) -> None:
    """Prove, check or refute published claims, and write a report."""
    patterns, tried = _documents(patterns or [], tried)
    if _writes_alone(patterns, tried, show, write, share):
        raise typer.Exit
    expect_unix("prove")
    claims, out, letter = tried.claims or [], write.out, show.letter
    _refuse(patterns, tried, show, write, share)
    kept = _printed(patterns, tried, show, write)
    watch = _watched(write, patterns, claims, show.as_json)
    ask = partial(_found, tried, share, kept, typeset=out is not None, watch=watch)
    if letter is not None:
        _print_letter(letter, tried, ask)
        raise typer.Exit
    run = ask(patterns)
    from pufferproof.reports.proofs import record

    records = _records(run.results, tried, write.write_record)
    results = [result for _, part in records for result in part]
    refused: list[str] = []
    if out is not None:
        _write_report(results, run, write, claims, show.as_json, refused if write.coq else None)
    if run.interrupted:
        raise typer.Abort
    for at, part in records if write.compare else []:
        refused += record.differences(part, at)
    if write.write_record:
        for at, part in records:
            record.record(part, at)
            WRITTEN.append(str(at or record.RECORD))
    _print_results(results, show.brief, show.trust, show.as_json)
    _keep(kept, patterns, run, results)
    warn(refused)
    raise typer.Exit(1 if refused else 0)


class Printed(Unchanged):
    """What `prove` prints of claims whose results are kept, for as long as these count
    (`claims/run/whole.py`): printed again, without loading a claim or what makes pages. A run of all
    claims gives the answer for each one. To be made before any claim is loaded.
    """

    def __init__(self, timeout: float) -> None:
        super().__init__("printed", json.dumps(timeout))
        self._lines: dict[str, list[str]] = (self.kept() or {}).get("lines", {})
        self._columns = columns_of(answer_stream())  # lines of paragraphs are no wider

    def lines(self, patterns: Sequence[str], brief: bool) -> list[str] | None:
        """Return the lines for patterns; None if they are not known."""
        return self._lines.get(self._named(patterns, brief))

    def take(self, patterns: Sequence[str], results: "Sequence[Result]") -> None:
        """Keep what will be printed next time: for these patterns, and of all claims for each."""
        from pufferproof.reports.proofs.running import matches
        from pufferproof.reports.proofs.words import lines, tally

        marked = [result | {"cached": True} for result in results]
        made = dict[str, list[str]]()
        for each in (patterns, *([result["id"]] for result in (() if patterns else results))):
            chosen = [x for x in marked if not each or any(matches(x["id"], pattern) for pattern in each)]
            made |= {self._named(each, brief): (tally if brief else lines)(chosen) for brief in (True, False)}
        if any(self._lines.get(key) != each for key, each in made.items()):
            self.keep({"lines": self._lines | made})

    def _named(self, patterns: Sequence[str], brief: bool) -> str:
        return json.dumps([self._columns, brief, *patterns])


def _printed(patterns: Sequence[str], tried: Try, show: Show, write: Write) -> Printed | None:
    """Print what is kept for patterns, and end; else return where it will be kept, None if this run
    is one of which nothing is kept.
    """
    if replace(tried, timeout=Try.timeout, claims=tried.claims or None) != Try():
        return None
    kept = Printed(tried.timeout)
    is_plain = (write, replace(show, brief=False)) == (Write(), Show())
    shown = kept.lines(patterns, show.brief) if is_plain else None
    if shown is not None:
        print_lines(*map(one_line, shown))
        raise typer.Exit
    return kept


def _keep(kept: Printed | None, patterns: Sequence[str], run: "Run", results: "Sequence[Result]") -> None:
    if kept is not None and run.lasting:
        kept.take(patterns, results)


def _found(tried: Try, share: Share, kept: Printed | None, patterns: Sequence[str], **how: Any) -> "Run":
    """Run the claims that patterns choose. If none are kept, a process begins first, so that two
    import at once what examines claims.
    """
    effort = Effort(tried.instances, tried.seed)
    is_kept = effort == USUAL and not tried.no_cache
    with nullcontext(share.sharing) if is_kept else begun(share.sharing, _WORKERS) as sharing:
        from pufferproof.reports.proofs.running import found

        return found(
            patterns,
            extra=tried.claims or [],
            trust_code=tried.trust_code,
            sharing=sharing,
            timeout=tried.timeout,
            use_cache=not tried.no_cache,
            effort=effort,
            warn=lambda line: warn([line]),
            inputs="" if kept is None else kept.inputs,
            **how,
        )


def _writes_alone(patterns: Sequence[str], tried: Try, show: Show, write: Write, share: Share) -> bool:
    """Write files that no claim is examined for, if they are asked for. Refuse what would have no
    effect beside `--steps` and `--format`.
    """
    if write.reformat:
        bare = replace(write, reformat=False, compare=False)
        others = replace(tried, claims=None), show, bare, share
        if patterns or others != (Try(), Show(), Write(), Share()):
            raise ModelError("goes with documents, --claims and --check alone", "--format")
        from pufferproof.reports.proofs.files.layout import write_layout

        if write_layout(tried.claims or [], write.compare):
            raise typer.Exit(1)
    elif write.steps is not None:
        alone = replace(tried, claims=None, trust_code=False)
        others = alone, show, replace(write, steps=None), share
        if others != (Try(), Show(), Write(), Share()):
            said = "goes with PATTERN, --claims, --trust-code and --replace alone"
            raise ModelError(said, "--steps")
        from pufferproof.reports.proofs.files.watching import write_steps

        files = tried.claims or [], tried.trust_code, tried.timeout
        write_steps(write.steps, patterns, *files)
    elif write.new is not None:
        write_template(write.new)
    return write.reformat or write.steps is not None or write.new is not None


def _watched(
    write: Write, patterns: Sequence[str], claims: Sequence[str], as_json: bool
) -> "Callable[[Result, int], None] | None":
    """Write the start page, if one is to be kept up to date, and say where it is; return what is
    to be told of every claim.
    """
    if write.start is None:
        if write.benchmarks is not None:
            raise ModelError("needs --start", "--benchmarks")
        return None
    if write.out is None:
        raise ModelError("needs --out DIR, a folder inside it, as well", "--start")
    if claims:
        raise ModelError("expected claims of this package, whose verdicts are recorded", "--start")
    from pufferproof.reports.proofs.files.watching import Watched

    watched = Watched(write.start, write.benchmarks, write.out, patterns)
    _say(f"start: {watched.write().resolve()} (claims are being checked)", as_json)
    return watched.done


def _say(line: str, as_json: bool) -> None:
    """Print a line, but not into an answer for programs."""
    print(line, file=sys.stderr if as_json else answer_stream(), flush=True)


def _documents(patterns: Sequence[str], tried: Try) -> tuple[list[str], Try]:
    """Return the patterns of ids, and the options with the documents that others name."""
    documents = [each for each in patterns if each.endswith(SUFFIX)]
    files = [*(tried.claims or []), *documents]
    return [each for each in patterns if each not in documents], replace(tried, claims=files)


def _refuse(patterns: Sequence[str], tried: Try, show: Show, write: Write, share: Share) -> None:
    """Refuse options that would have no effect together, and a folder that holds another thing."""
    if show.letter is not None and any((patterns, write.out, show.as_json, write.compare, write.write_record)):
        raise ModelError("leave out PATTERN, --out, --json, --check and --record", "--letter")
    if write.coq and write.out is None:
        raise ModelError("needs --out DIR as well, for the pages that say what Coq proved", "--coq")
    if write.out is not None:
        from pufferproof.reports.proofs.site import FORMAT

        refuse_foreign(target_of(Path(write.out)), Path(write.out), FORMAT)
    if tried.claims and share.scheduler is not None:
        raise ModelError("workers elsewhere have no such file: leave out --scheduler", "--claims")
    if tried.claims and share.resume is not None:
        raise ModelError("expected claims of this package, whose version is known", "--resume")
    if share.resume is not None and tried.instances <= USUAL.instances:
        usual = f"up to {USUAL.instances} instances are kept in the cache, by themselves"
        raise ModelError(f"{usual}: expected more --instances", "--resume")


def _print_results(results: "Sequence[Result]", brief: bool, trust: bool, as_json: bool) -> None:
    """Print every verdict, or how many there are of each, and with `trust` what they rest on."""
    from pufferproof.reports.proofs.words import given_papers, lines, tally, trust_table
    from pufferproof.reports.schemas.proofs import Prove

    by_id = {result["id"]: result for result in results}
    shown = [*given_papers(results), *(tally if brief or trust else lines)(results)]
    answer: dict[str, object] = {"claims": [summary(result, by_id) for result in results]}
    if trust:
        from pufferproof.reports.proofs import record
        from pufferproof.reports.proofs.papers.grades import counted_lines, headlines, of_code

        verdicts = record.verdicts(results)
        shown += ["", *trust_table(results), "", *counted_lines(verdicts)]
        answer |= {"headlines": headlines(verdicts), "named_by_code": of_code(verdicts)}
    print_answer(Prove.model_validate(answer), shown, as_json)


def _print_letter(paper: str, tried: Try, ask: "Callable[[list[str]], Run]") -> None:
    """Print the letter to the authors of a paper; not of a run that was interrupted."""
    from pufferproof.claims.language.printed import catalogue
    from pufferproof.reports.proofs.files.letter import letter_to

    def results(ids: list[str]) -> "list[Result]":
        run = ask(ids)
        if run.interrupted:
            raise typer.Abort
        return [each for _, part in _records(run.results, tried, False) for each in part]

    files = tried.claims or [], tried.trust_code
    print(letter_to(paper, catalogue(), *files, results), end="", file=answer_stream())


def _records(results: "Sequence[Result]", tried: Try, rewritten: bool) -> "list[tuple[Path | None, list[Result]]]":
    """Return results by where they are recorded: None in the package, else beside a file; claims
    whose words changed are OPEN unless that is recorded now.
    """
    from pufferproof.reports.proofs import record
    from pufferproof.reports.proofs.running import by_file

    parts = [
        (None if path is None else record.beside(path), part)
        for path, part in by_file(results, tried.claims or [], tried.trust_code).items()
    ]
    if rewritten:
        return parts
    return [(at, record.open_where_reworded(part, at)) for at, part in parts]


def _write_report(
    results: "Sequence[Result]",
    run: "Run",
    write: Write,
    extra: Sequence[str],
    as_json: bool,
    refused: list[str] | None,
) -> None:
    """Write the report, also of a run that was interrupted, and the start page, and say where. With
    a list, Coq is asked about counterexamples, and what it refuses is added.
    """
    from pufferproof.claims.language.printed import catalogue
    from pufferproof.reports.proofs.site import write_proof_report

    out = write.out or ""
    page = write_proof_report(
        results,
        Path(out),
        catalogue=catalogue(),
        partial=run.interrupted,
        missing=run.asked,
        refused=refused,
        home=write.home,
        extra=extra,
    )
    WRITTEN.append(out)
    _say(f"report: {page.resolve()}", as_json)
    if write.start is not None:
        from pufferproof.reports.page.start import StartPage

        _say(f"start: {StartPage.of(write.start, write.benchmarks).write().resolve()}", as_json)


def summary(result: "Result", by_id: "Mapping[str, Result]") -> dict[str, object]:
    """Return the part of a result that `prove --json` prints, beside the results that are known."""
    from pufferproof.reports.proofs.files.archives import counts
    from pufferproof.reports.proofs.pages import grade
    from pufferproof.reports.proofs.sentences import words_of_file

    readings = [
        {key: reading[key] for key in _READING} | {"trial": counts(reading), "words_of_file": words_of_file(reading)}
        for reading in result["readings"]
    ]
    kept = (
        "id",
        "statement",
        "paraphrase",
        "verdict",
        "refuted_by",
        "trust",
        "scope",
        "checked",
        "counterexample",
        "repair",
        "assumes",
        "cached",
        "error",
    )
    theorems = [theorem["name"] for theorem in result["theorems"]]
    more = {"readings": readings, "theorems": theorems}
    printed = {"print": result.get("print"), "grade": grade(result, by_id)}
    shown = {key: result[key] for key in kept}
    free = words_of_file({**shown, "readings": result["readings"]})
    return {**shown, "words_of_file": free, **more, **printed}
