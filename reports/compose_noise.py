"""`pufferproof compose` on queries with noise: single and joint leakage of independent releases."""

from collections.abc import Sequence

from pufferproof.models.noise_files import NoisyReleases
from pufferproof.reports.audit_noise import checked_line, likelier_lines, refuse_options
from pufferproof.reports.audit_sequences import enclosed_text
from pufferproof.reports.console import print_answer, warn
from pufferproof.reports.progress import working
from pufferproof.reports.text import additive_line, counted, never_checked_lines
from pufferproof.verify.noise_composition import NoiseComposition, audit_noise_composition


def compose_noise(noisy: NoisyReleases, runs: int, options: Sequence[str], as_json: bool) -> None:
    """Compose queries with noise, and print what was found; there are no rates.

    `options` are options that were given and go with listed outputs. Raises `ModelError` unless there are none.
    """
    refuse_options(options)
    paths = [each.path for each in noisy.releases]
    distinct = {each.path: each.value for each in noisy.releases}  # a file given twice is audited once
    with working("composing"):
        found = audit_noise_composition(noisy.framework.value, [distinct[path] for path in paths], runs)
        additive = found.additive
    hashes = [each.sha256 for each in noisy.releases]
    answer = found.as_json() | {"rate": None, "inputs": {"framework": noisy.framework.sha256, "mechanisms": hashes}}
    warn([*never_checked_lines(found.joint), "note: no composition rates: outputs are not listed"])
    print_answer(answer, [*_lines(found, additive, paths), f"trust     {', '.join(found.joint.trust)}"], as_json)


def _lines(found: NoiseComposition, additive: bool | None, names: Sequence[str]) -> list[str]:
    lines = [f"single    {enclosed_text(each.leakage)}  {name}" for each, name in zip(found.single, names)]
    lines.append(f"joint     {enclosed_text(found.joint.leakage)}  ({counted(len(found.outputs), 'release')})")
    shown = ", ".join(f"({output})" if "," in output else output for output in found.outputs)
    lines.append(f'witness   outputs {shown}, prior "{found.joint.witness.prior}"')
    return [*lines, *likelier_lines(found.joint), additive_line(additive), checked_line(found.joint)]
