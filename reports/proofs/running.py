"""Claims chosen by patterns, and run with a progress bar on standard error; or the results of a
run before, if nothing has changed since.
"""

import re
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from fnmatch import fnmatchcase
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

import pufferproof.claims as claims_of_the_package
from pufferproof.claims.language.statements import USUAL, Effort
from pufferproof.claims.registry import Claim, load_claims
from pufferproof.claims.run import Result, Whole, run_claims, workers
from pufferproof.models.errors import ModelError
from pufferproof.models.interface.sweeps.opening import Sharing, begun
from pufferproof.verify.proof.argument import DEFAULT_TIMEOUT


@dataclass(frozen=True)
class Run:
    """What a run found, which claims were asked for, whether it was interrupted, and whether the
    same run finds the same again while nothing changes.
    """

    results: list[Result]
    asked: list[str]
    interrupted: bool = False
    lasting: bool = False


def found(
    patterns: Sequence[str],
    *,
    extra: Sequence[str],
    trust_code: bool = False,
    sharing: Sharing,
    timeout: float,
    use_cache: bool,
    typeset: bool = True,
    effort: Effort = USUAL,
    warn: Callable[[str], None] = lambda line: None,
    watch: Callable[[Result, int], None] | None = None,
    inputs: str = "",
) -> Run:
    """Return what is found of the claims that patterns choose: what the same run found before if
    nothing has changed since `inputs` were found, else what `run_with_progress` finds.

    Raises `ModelError` for a pattern without a match.
    """
    kept = use_cache and effort == USUAL and not extra
    whole = Whole(patterns, timeout, inputs=inputs) if kept else None
    before = None if whole is None else whole.read()
    if before is not None:
        return Run(before, [result["id"] for result in before], lasting=True)
    with begun(sharing, workers.__name__) as sharing:
        claims = chosen_claims(patterns, extra, trust_code, timeout)
        results, interrupted = run_with_progress(
            claims,
            extra=extra,
            trust_code=trust_code,
            sharing=sharing,
            timeout=timeout,
            use_cache=use_cache,
            typeset=typeset,
            effort=effort,
            warn=warn,
            watch=watch,
        )
    by_id = {claim.id: claim for claim in claims}
    results = [result | written(by_id[result["id"]]) for result in results]
    lasting = whole is not None and not interrupted and whole.write(results)
    return Run(results, [claim.id for claim in claims], interrupted, lasting)


def written(claim: Claim) -> Result:
    """Return what pages show of the file of a claim: its place, what a paper prints, and how the
    letters of a file that is not of this package are printed.
    """
    symbols = {} if claim.own else claim.table("SYMBOLS")
    printed = None if claim.print is None else asdict(claim.print)
    return {"source": place_of(claim), "print": printed, "symbols": symbols}


def place_of(claim: Claim) -> str:
    """Return the file and the line of a claim's function: from the root of the project, or of
    another file as it was given.
    """
    code = getattr(claim.function, "__code__", None)
    if code is None:
        return ""
    file, root = Path(code.co_filename), Path(claims_of_the_package.__file__).resolve().parents[1]
    near = file.resolve()
    shown = near.relative_to(root) if near.is_relative_to(root) else file.name
    return f"{Path(shown).as_posix()}:{code.co_firstlineno}"


def chosen_claims(
    patterns: Sequence[str], extra: Sequence[str], trust_code: bool = False, seconds: float = DEFAULT_TIMEOUT
) -> list[Claim]:
    """Return the claims whose id matches a pattern: a shell pattern, or a prefix that ends at a dot
    or the id.

    Without a pattern: those of the extra files if there are any, else all. Raises `ModelError` for
    a pattern without a match, or an extra file or folder without a claim, and where `load_extra`
    does.
    """
    claims = load_claims(extra, _named(patterns, extra), trust_code, seconds)
    for path in extra:
        if not any(_stands_in(claim, [path]) for claim in claims.values()):
            raise ModelError("contains no claim; expected a function under @claim(..)", path)
    if extra and not patterns:
        claims = {name: claim for name, claim in claims.items() if _stands_in(claim, extra)}
    for pattern in patterns:
        if not any(matches(name, pattern) for name in claims):
            raise ModelError(
                f'no claim matches "{pattern}", expected a prefix or a pattern such as "lemma" or "*.thm*"'
            )
    return [claim for name, claim in claims.items() if not patterns or any(matches(name, each) for each in patterns)]


def _named(patterns: Sequence[str], extra: Sequence[str]) -> list[str] | None:
    """Return the claims and families of this package that patterns may choose from, so that no
    others are loaded; None if that is any.
    """
    if not patterns:
        return [] if extra else None
    names = [_name_in(pattern) for pattern in patterns]
    return None if "" in names else names


def _name_in(pattern: str) -> str:
    """Return the claim or the family that a pattern names, "" if it may be of any.

    >>> [_name_in(pattern) for pattern in ("lemma.am-gm", "song2017.", "song2017.*", "*.thm*")]
    ['lemma.am-gm', 'song2017', 'song2017', '']
    """
    literal = re.split(r"[*?[]", pattern)[0]
    if literal == pattern:
        return pattern.removesuffix(".")
    family, dot, _ = literal.partition(".")
    return family if dot else ""


def by_file(
    results: Sequence[Result], extra: Sequence[str], trust_code: bool = False
) -> dict[str | None, list[Result]]:
    """Return results by the file or folder of `extra` that their claims stand in, None for those
    of this package.
    """
    if not extra:  # results that are kept need no claim
        return {None: list(results)} if results else {}
    claims = load_claims(extra, [result["id"] for result in results], trust_code)
    parts: dict[str | None, list[Result]] = {}
    for result in results:
        mine = (path for path in extra if _stands_in(claims[result["id"]], [path]))
        parts.setdefault(next(mine, None), []).append(result)
    return parts


def _stands_in(claim: Claim, extra: Sequence[str]) -> bool:
    """Whether a claim is none of the package, and of one of these files or folders."""
    home = claim.function.__globals__
    if home["__name__"].startswith(f"{claims_of_the_package.__name__}."):
        return False
    file, folders = Path(home["__file__"]).resolve(), [Path(each).resolve() for each in extra]
    return any(file == folder or folder in file.parents for folder in folders)


def run_with_progress(
    claims: Sequence[Claim],
    *,
    extra: Sequence[str],
    trust_code: bool = False,
    sharing: Sharing,
    timeout: float,
    use_cache: bool,
    typeset: bool = True,
    effort: Effort = USUAL,
    warn: Callable[[str], None] = lambda line: None,
    watch: Callable[[Result, int], None] | None = None,
) -> tuple[list[Result], bool]:
    """Run claims with a progress bar on standard error; return the results and whether the run was
    interrupted.

    `warn` is called, at most once, if results could not be kept for the next run; `watch` with
    every result and the number of claims.
    """
    finished: list[Result] = []
    columns = (
        TextColumn("proving"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("{task.description}"),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True, disable=not sys.stderr.isatty()) as progress:
        task = progress.add_task("", total=len(claims))

        def done(result: Result) -> None:
            finished.append(result)
            progress.update(task, advance=1, description=result["id"])
            if watch is not None:
                watch(result, len(claims))

        try:
            results = run_claims(
                claims,
                extra=extra,
                trust_code=trust_code,
                sharing=sharing,
                timeout=timeout,
                use_cache=use_cache,
                typeset=typeset,
                effort=effort,
                done=done,
                warn=warn,
            )
        except KeyboardInterrupt:
            return finished, True
    return results, False


def matches(name: str, pattern: str) -> bool:
    """Whether a claim is one that a pattern asks for."""
    return name == pattern or name.startswith(pattern.removesuffix(".") + ".") or fnmatchcase(name, pattern)
