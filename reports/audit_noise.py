"""What `audit` prints of a query with noise: the verdict, the number behind it, and where to look."""

from collections.abc import Sequence

from pufferproof.models.errors import CertificateError, ModelError
from pufferproof.models.level import Level
from pufferproof.models.noise_files import NoisyReleases
from pufferproof.reports.audit_sequences import enclosed_text
from pufferproof.reports.console import exit_code, print_answer, warn
from pufferproof.reports.progress import working
from pufferproof.reports.text import counted, label_text, never_checked_lines
from pufferproof.verify.gaussian_lines import GaussianLeakage
from pufferproof.verify.noise_audit import NoiseAudit, audit_noise


def audit_noise_files(noisy: NoisyReleases, level: Level | None, options: Sequence[str], as_json: bool) -> int:
    """Audit a query with noise, print what was found, and return the exit code.

    `options` are options that were given and go with listed outputs. Raises `ModelError` unless there are none.
    """
    refuse_options(options)
    framework, (release,) = noisy.framework, noisy.releases
    with working("auditing"):
        found = audit_noise(framework.value, release.value, level)
    answer = found.as_json() | {"inputs": {"framework": framework.sha256, "mechanism": release.sha256}}
    warn(never_checked_lines(found))
    print_answer(answer, [*audit_lines(found), f"trust     {', '.join(found.trust)}"], as_json)
    return exit_code(found.verdict)


def refuse_options(options: Sequence[str]) -> None:
    """Raise `ModelError`, or `CertificateError`, where an option was given that noise has no answer to."""
    for option in options:
        if "certificate" in option:
            raise CertificateError("the kernel has no rule for queries with noise: expected no certificate", option)
        raise ModelError("goes with mechanisms whose outputs are listed, not with a query with noise", option)


def audit_lines(found: NoiseAudit) -> list[str]:
    """Render the audit of a query with noise for a terminal, the verdict first."""
    lines = [] if found.verdict is None else [f"{found.verdict.value} {found.level}"]
    lines.append(f"leakage   {enclosed_text(found.leakage)}")
    lines.append(f'witness   output {label_text(found.witness.output)}, prior "{found.witness.prior}"')
    return [*lines, *likelier_lines(found), checked_line(found)]


def likelier_lines(found: NoiseAudit) -> list[str]:
    """Say under which secret the witness is likelier, and whether it is reached."""
    above, below = found.witness.pair
    if found.leakage.ratio == 1:
        return []
    limit = "inf" in found.witness.output
    if found.leakage.infinite:
        return [f'          as outputs go there, "{above}" becomes likelier than "{below}" without bound']
    return [f'          likelier under "{above}" than under "{below}"{", in the limit" if limit else ""}']


def checked_line(found: NoiseAudit) -> str:
    """Say how much was compared, and what was left out."""
    excluded = found.scope.excluded
    left_out = f" ({excluded} prior-pair combinations left out: a secret of probability 0)" if excluded else ""
    if isinstance(found.found, GaussianLeakage):
        return f"checked   {counted(found.scope.checked, 'ordered pair')} of laws{left_out}"
    return f"checked   {found.scope.checked} inequalities, at values of the query{left_out}"
