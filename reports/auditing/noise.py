"""What `audit` prints of a query with noise: the verdict, the number behind it, and where to look.

Where the exact leakage is too large to compute, bounds of it answer
(`pufferproof.verify.noise.bounds`).
"""

from collections.abc import Sequence

from pufferproof.models.errors import CertificateError, ModelError
from pufferproof.models.files.question import NoisyReleases
from pufferproof.models.files.reading import hashes
from pufferproof.models.numbers.level import Level
from pufferproof.reports.console.labels import label_text
from pufferproof.reports.console.progress import working
from pufferproof.reports.console.telling import (
    exit_code,
    print_answer,
    priors_json,
    priors_lines,
    warn,
)
from pufferproof.reports.console.words import counted, leakage_text, never_checked_lines
from pufferproof.verify.audit import Audit, Verdict
from pufferproof.verify.noise.accountant import Account
from pufferproof.verify.noise.bounds import NoiseBounds, audit_or_bounds
from pufferproof.verify.noise.gaussian.lines import GaussianLeakage


def audit_noise_files(
    noisy: NoisyReleases, level: Level | None, options: Sequence[str], as_json: bool
) -> int:
    """Audit a query with noise, print what was found, and return the exit code.

    `options` are options that were given and go with listed outputs. Raises `ModelError` unless
    there are none.
    """
    refuse_options(options)
    framework, (release,) = noisy.framework, noisy.mechanisms
    with working("auditing"):
        found = audit_or_bounds(framework.value, release.value, level)
    answer = found.as_json() | {"inputs": hashes(framework=framework, mechanism=release)}
    answer |= priors_json(framework.value.normalized)
    warn([*priors_lines(framework.value.normalized, framework.path), *never_checked_lines(found)])
    if isinstance(found.largest, NoiseBounds):
        warn([f"note: the leakage is not computed exactly: {found.largest.reason}"])
        lines = bounds_lines(found, found.largest.account)
    else:
        lines = audit_lines(found)
    print_answer(answer, [*lines, f"trust     {', '.join(found.trust)}"], as_json)
    return exit_code(found.verdict)


def refuse_options(options: Sequence[str]) -> None:
    """Raise `ModelError`, or `CertificateError`, where an option was given that noise has no
    answer to.
    """
    for option in options:
        if "certificate" in option:
            raise CertificateError(
                "the kernel has no rule for queries with noise: expected no certificate", option
            )
        raise ModelError(
            "goes with mechanisms whose outputs are listed, not with a query with noise", option
        )


def audit_lines(found: Audit) -> list[str]:
    """Render the audit of a query with noise for a terminal, the verdict first."""
    lines = [] if found.verdict is None else [f"{found.verdict.value} {found.level}"]
    lines.append(f"leakage   {leakage_text(found.leakage)}")
    lines.append(
        f'witness   output {label_text(found.witness.output)}, prior "{found.witness.prior}"'
    )
    return [*lines, *likelier_lines(found), checked_line(found)]


def bounds_lines(found: Audit, account: Account) -> list[str]:
    """Render an audit by bounds for a terminal, the verdict first."""
    lines = [] if found.verdict is None else [f"{found.verdict.value} {found.level}, by a bound"]
    if found.verdict is Verdict.UNDECIDED:
        lines = [f"UNDECIDED {found.level}, which is between the bounds"]
    lines.append(f"leakage   {leakage_text(found.leakage)}")
    lines += [f"at most   {line}" for line in account_lines(account)]
    lines.append(
        f'at least  at output {label_text(found.witness.output)}, prior "{found.witness.prior}"'
    )
    return [*lines, *likelier_lines(found)]


def account_lines(account: Account) -> list[str]:
    """Say how the bound of a record comes about: its quilt, the influence of that, and what the
    noise spends.
    """
    spent, influence = (
        leakage_text(each).partition(" nats")[0] for each in (account.spent, account.influence)
    )
    place = f'record {account.record}, prior "{account.prior}", quilt {account.quilt}'
    return [f"{place}: influence {influence}, spent {spent}"]


def likelier_lines(found: Audit) -> list[str]:
    """Say under which secret the witness is likelier, and whether it is reached."""
    above, below = found.witness.pair
    if found.leakage.ratio == 1:
        return []
    limit = "inf" in found.witness.output
    if found.leakage.infinite:
        return [
            f'          as outputs go there, "{above}" becomes likelier than "{below}" without '
            f"bound"
        ]
    return [
        f'          likelier under "{above}" than under '
        f'"{below}"{", in the limit" if limit else ""}'
    ]


def checked_line(found: Audit) -> str:
    """Say how much was compared, and what was left out."""
    excluded = found.scope.excluded
    left_out = (
        f" ({excluded} prior-pair combinations left out: a secret of probability 0)"
        if excluded
        else ""
    )
    if isinstance(found.largest, GaussianLeakage):
        return f"checked   {counted(found.scope.checked, 'ordered pair')} of laws{left_out}"
    return f"checked   {found.scope.checked} inequalities, at values of the query{left_out}"
