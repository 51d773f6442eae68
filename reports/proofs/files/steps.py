"""The file of `prove --steps`: what claims do, to be compared with what they did before."""

from collections.abc import Sequence

from pufferproof.claims.run.steps.record import written
from pufferproof.models.listing import counted
from pufferproof.reports.console.outputs import expect_new, write_outputs
from pufferproof.reports.console.streams import print_lines
from pufferproof.reports.proofs.running import chosen_claims


def write_steps(path: str, patterns: Sequence[str], extra: Sequence[str]) -> None:
    """Write what the claims do that patterns choose, and say so. Raises `ModelError` for a pattern
    without a match, and if the file exists.
    """
    expect_new(path)
    claims = chosen_claims(patterns, extra)
    write_outputs({path: written(claims)}, path, inputs=list(extra))
    print_lines(f"steps     {path}: written of {counted(len(claims), 'claim')}, no verdict")
