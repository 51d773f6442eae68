"""The file of `prove --steps`: what claims do, to be compared with what they did before."""

from collections.abc import Sequence
from functools import partial

from pufferproof.claims.run.steps.record import written
from pufferproof.models.errors import ModelError
from pufferproof.models.listing import counted
from pufferproof.reports.console.outputs import expect_new, write_outputs
from pufferproof.reports.console.streams import print_lines
from pufferproof.reports.proofs.running import chosen_claims
from pufferproof.verify.proof.argument import EXHAUST_LIMITS
from pufferproof.verify.proof.limits import limit_met


def write_steps(path: str, patterns: Sequence[str], extra: Sequence[str], trust_code: bool, seconds: float) -> None:
    """Write what the claims do that patterns choose, and say so. Raises `ModelError` for a pattern
    without a match, and if the file exists.
    """
    expect_new(path)
    claims = chosen_claims(patterns, extra, trust_code, seconds)
    if extra and (limit := limit_met(partial(written, claims), EXHAUST_LIMITS * seconds)):
        raise ModelError(f"what its claims do takes more than {limit}", extra[0])
    write_outputs({path: written(claims)}, path, inputs=list(extra))
    print_lines(f"steps     {path}: written of {counted(len(claims), 'claim')}, no verdict")
