"""Evidence of releases over time: certificates of what all of them leak together."""

from pathlib import Path

from pufferproof.lp.accounting.schedule import Schedule
from pufferproof.models.files.inputs import MAX_BYTES, bytes_of, digest
from pufferproof.models.files.writing import indented, query_document
from pufferproof.reports.auditing.evidence import noise_beside
from pufferproof.reports.console.words import counted, level_nats
from pufferproof.reports.correlation.release.drawing import release_plots
from pufferproof.reports.correlation.release.words import release_lines, release_sentences
from pufferproof.reports.explaining.pack import Evidence
from pufferproof.reports.explaining.proved import proved_less
from pufferproof.verify.certificates.noise import noise_certificate
from pufferproof.verify.certificates.writing import Inputs


def release_evidence(found: Schedule, path: str) -> Evidence:
    """Return what goes into a zip: the plan, its framework, a mechanism file for every release, and
    certificates.

    Raises `CertificateError` with the reason where the kernel has no rule.
    """
    plan, joint = found.plan, found.joint
    releases = plan.releases
    mechanisms = [
        (f"mechanism-{number}.json", (indented(query_document(query)) + "\n").encode())
        for number, query in enumerate(releases, 1)
    ]
    if len(mechanisms) == 1:
        mechanisms = [("mechanism.json", mechanisms[0][1])]
    inputs = Inputs(digest(plan.source[1]), tuple(digest(each) for _, each in mechanisms))
    certificates = [noise_certificate(joint, inputs), *noise_beside(joint, inputs)]
    suffix = Path(path).suffix.lower()
    verdict = "" if joint.verdict is None else f"{joint.verdict.value} {level_nats(plan.budget)}"
    return Evidence(
        certificates,
        plan.source,
        mechanisms,
        joint.leakage,
        verdict,
        release_sentences(found),
        [" ".join(line.split()) for line in release_lines(found)],
        plots=release_plots(found),
        doubts=[str(doubt) for doubt in plan.doubts],
        title=f"What {counted(len(releases), 'release')} tell together",
        test=f'def test_releases(assert_release):\n    assert_release("plan{suffix}")',
        others={f"plan{suffix}": bytes_of(path, MAX_BYTES)},
        claims=joint.rests_on if proved_less(certificates, joint.leakage) else (),
    )
