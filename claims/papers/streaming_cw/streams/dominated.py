"""Why sequences of outputs can be dropped while the leakage of a stream is computed.

The weights of outputs so far, state by state in both worlds, are all that what follows depends on;
what follows adds them up with weights of its own that are not negative.
"""

from pufferproof.claims.papers.streaming_cw.streams.said import DOMINATED
from pufferproof.claims.registry import Check, claim


@claim("streaming_cw.x-dominated", where="beside Section 2", kind="lemma", says=DOMINATED)
def dominated(check: Check) -> None:
    """The weights of two sequences of outputs are v0 and w0 at each state on the windows, v1 and w1
    at each state when scrubbed; a and b are the weights of what follows. Sum in both worlds, keep
    the factor in each, and multiply.
    """
    check.stated("as stated")
