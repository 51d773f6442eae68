"""`pufferproof compose` on sequences too long to list: single and joint leakage of mechanisms
given record by record.
"""

from collections.abc import Sequence

from pufferproof.models.files.question import Sequences
from pufferproof.reports.auditing.sequences import (
    checked_lines,
    output_text,
    refuse_listing,
    times_lines,
)
from pufferproof.reports.console.progress import working
from pufferproof.reports.console.telling import (
    normalized_lines,
    print_answer,
    priors_json,
    priors_lines,
    warn,
)
from pufferproof.reports.console.words import (
    additive_line,
    counted,
    leakage_text,
    never_checked_lines,
)
from pufferproof.verify.composition import Composition, compose


def compose_sequences(long: Sequences, runs: int, listing: Sequence[str], as_json: bool) -> None:
    """Compose mechanisms on sequences that are too long to list, and print what was found; there
    are no rates.

    `listing` are options that were given and go with what can be listed. Raises `ModelError` unless
    there are none.
    """
    refuse_listing(long, listing)
    paths = [each.path for each in long.mechanisms]
    with working("composing"):
        found = compose(long.framework.value, [each.value for each in long.mechanisms], runs)
    answer = found.as_json() | {"rate": None, "inputs": long.inputs}
    answer |= priors_json(long.framework.value.normalized)
    normalize = any(each.value.normalized for each in long.mechanisms)
    divided = [
        *normalized_lines(normalize, *paths),
        *priors_lines(long.framework.value.normalized, long.framework.path),
    ]
    note = "note: no composition rates: databases and outputs are too many to list"
    warn([*divided, *never_checked_lines(found.joint), note])
    print_answer(
        answer, [*_lines(found, paths), f"trust     {', '.join(found.joint.trust)}"], as_json
    )


def _lines(found: Composition, names: Sequence[str]) -> list[str]:
    lines = [
        f"single    {leakage_text(each.leakage)}  {name}" for each, name in zip(found.single, names)
    ]
    releases = len(found.outputs)
    lines.append(f"joint     {leakage_text(found.joint.leakage)}  ({counted(releases, 'release')})")
    together = output_text(found.joint)
    lines.append(f'witness   prior "{found.joint.witness.prior}", {together}')
    return [
        *lines,
        *times_lines(found.joint),
        additive_line(found.additive),
        *checked_lines(found.joint),
    ]
