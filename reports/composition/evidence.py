"""Evidence of joint releases of files: a zip with certificates, the files, and the kernel."""

from collections.abc import Sequence
from dataclasses import replace

from pufferproof.models.files.question import Listed, NoisyReleases
from pufferproof.reports.auditing.any_form import Files
from pufferproof.reports.auditing.certificates import inputs_of, noise_beside
from pufferproof.reports.auditing.evidence import assumed_of, draws_of, unread_inputs, with_tables
from pufferproof.reports.auditing.words import shared_sentences
from pufferproof.reports.composition.any_form import AnyComposition, composition_evidence, released
from pufferproof.reports.console.outputs import zip_of
from pufferproof.reports.explaining.evidence import Evidence
from pufferproof.reports.explaining.pack import packed, read_inputs
from pufferproof.verify.certificates.bounding import bounds_law, joint_bounding_certificate
from pufferproof.verify.certificates.writing import Inputs


def composition_pack(files: Files, together: AnyComposition, paths: Sequence[str]) -> bytes:
    """Return the zip with the evidence of a joint leakage. Raises `CertificateError` where there is
    no certificate.
    """
    joint, noisy = released(together), isinstance(files, NoisyReleases)
    if isinstance(files, Listed) and bounds_law(joint.joint):  # bounds in place of the laws that they bound
        bounds = joint_bounding_certificate(joint, Inputs(None, (None,) * len(files.mechanisms)))[1]
        laws = [replace(mechanism, value=law) for mechanism, law in zip(files.mechanisms, bounds)]
        files = replace(files, mechanisms=tuple(laws))
    files, tables, code = with_tables(files, paths[1:])
    certificates = [composition_evidence(files, together)]
    certificates += noise_beside(joint.joint, inputs_of(files, joint.runs)) if noisy else []
    framework, *mechanisms = read_inputs(paths[0], paths[1:], tables)
    evidence = Evidence(
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
    return zip_of(packed(evidence))
